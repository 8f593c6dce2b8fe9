//! Checking databases.
//!
//! [`reference`] compares a database with figures that others have published.

pub mod reference;
