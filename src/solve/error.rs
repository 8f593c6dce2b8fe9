//! Why there is no solution.

use std::path::PathBuf;

use thiserror::Error;

use super::{MovementSourceError, cube, plain};
use crate::database::DatabaseError;

/// Why there is no solution.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The plain solver gave up.
    #[error(transparent)]
    Plain(#[from] plain::PlainError),
    /// The cube solver gave up.
    #[error(transparent)]
    Cube(Box<cube::CubeError>),
    /// The database cannot be written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The movement layer cannot be taken from where it should be.
    #[error(transparent)]
    MovementSource(#[from] MovementSourceError),
    /// The system does not start the threads.
    #[error("cannot start the threads to work with: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Conversions without distances.
    #[error("a database of conversions has distances: without them no count can be answered")]
    ValuesOfConversions,
    /// A run was to be taken up again under another limit of plies without a capture.
    #[error(
        "{} holds an unfinished database {found}, not {wanted}: \
         give the command that began it again, or delete the folder", dir.display()
    )]
    OtherLimit {
        /// The folder.
        dir: PathBuf,
        /// The limit of the run in the folder, in words.
        found: String,
        /// The limit that was asked for, in words.
        wanted: String,
    },
    /// Positions of the game depend on what came before, so that none can be left out or taken over.
    #[error(
        "{variant} can only be solved whole, from nothing and by plies to the end of the game, as its mills pay once"
    )]
    PartWithoutPast {
        /// Id of the variant.
        variant: String,
    },
    /// The restriction leaves nothing.
    #[error("{variant} has no sectors with empty hands and at most {men} men a side")]
    NothingToSolve {
        /// Id of the variant.
        variant: String,
        /// The restriction.
        men: u8,
    },
}

impl From<cube::CubeError> for SolveError {
    fn from(error: cube::CubeError) -> SolveError {
        SolveError::Cube(Box::new(error))
    }
}
