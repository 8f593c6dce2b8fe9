//! Checking databases.
//!
//! [`mod@reference`] compares a database with figures that others have published, [`mod@compare`] with
//! another database of the same game, [`mod@consistency`] recomputes every stored cell from its turns, and
//! [`mod@games`] plays by it against a random player.

pub mod compare;
pub mod consistency;
pub mod games;
pub mod reference;
