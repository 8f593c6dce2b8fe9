//! Checking databases.
//!
//! [`check`] recomputes every stored cell from its turns, sector by sector as [`mod@consistency`] does it, and
//! counts the positions anew; [`sample`] recomputes some of them turn by turn. What they find is a certificate.
//! [`mod@reference`] compares a database with figures that others have published, [`mod@compare`] with another
//! database of the same game, and [`mod@games`] plays by it against a random player.

pub mod compare;
pub mod consistency;
mod done;
mod findings;
pub mod games;
pub mod reference;
mod whole;

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::database::DatabaseError;
use crate::probe::ProbeError;
use consistency::ConsistencyError;

pub use findings::{Findings, Held, Miscounted, Wrong};
pub use whole::{check, sample};

/// Why a database could not be verified.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// It cannot be read, or is beyond the check.
    #[error(transparent)]
    Consistency(#[from] ConsistencyError),
    /// A position cannot be looked up.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// What is done already cannot be noted.
    #[error("cannot write {}: {source}", path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is something else where it would be noted.
    #[error("{} is in the way: it is no list of sectors that a verification left", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
}

impl From<DatabaseError> for VerifyError {
    fn from(error: DatabaseError) -> VerifyError {
        VerifyError::Consistency(error.into())
    }
}
