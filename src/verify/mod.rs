//! Checking databases.
//!
//! [`mod@reference`] compares a database with figures that others have published, [`mod@compare`] with
//! another database of the same game.

pub mod compare;
pub mod reference;
