//! Checking databases.
//!
//! [`mod@reference`] compares a database with figures that others have published, [`mod@compare`] with
//! another database of the same game, and [`mod@consistency`] recomputes every stored cell from its turns.

pub mod compare;
pub mod consistency;
pub mod reference;
