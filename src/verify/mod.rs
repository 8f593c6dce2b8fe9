//! Checking databases.
//!
//! [`mod@reference`] compares a database with figures that others have published.

pub mod reference;
