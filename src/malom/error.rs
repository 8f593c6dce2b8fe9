//! What can go wrong with Malom's files.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::entry::Flaw;
use crate::database::{Contents, DatabaseError};
use crate::game::Sector;
use crate::verify::consistency::ConsistencyError;

/// Files of Malom could not be written or read. Every message names the file or folder it is about.
#[derive(Debug, Error)]
pub enum MalomError {
    /// Malom does not know the game.
    #[error(
        "Malom has no databases of '{variant}': it knows the rules of 'nine' (std), of 'twelve' (mora: a full board \
         is a draw) and of 'lasker' (lask)"
    )]
    OtherGame {
        /// Id of the variant.
        variant: String,
    },
    /// Malom's files tell distances, and the database does not.
    #[error(
        "{} holds {found}: Malom's files have distances to the end of the game, so this needs a database of distances",
        path.display()
    )]
    NoDistances {
        /// The folder of the database.
        path: PathBuf,
        /// What it holds.
        found: Contents,
    },
    /// A database lacks a sector that the turns of another lead to.
    #[error(
        "sector {sector} cannot be written: what is told beside its draws needs sector {lacking}, which {} lacks",
        path.display()
    )]
    Needs {
        /// The folder of the database.
        path: PathBuf,
        /// The sector to write.
        sector: Sector,
        /// The sector that is missing.
        lacking: Sector,
    },
    /// Our own database cannot be read, or a file not be written.
    #[error(transparent)]
    Database(Box<DatabaseError>),
    /// A sector that our database leaves to looking ahead cannot be recomputed.
    #[error(transparent)]
    Consistency(Box<ConsistencyError>),
    /// The system refused to read.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A sector file is not what its name and its form promise.
    #[error("{} is damaged: {damage}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
    /// The text with the values of the sectors cannot be read.
    #[error("{}, line {line}: {problem}", path.display())]
    Values {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A sector is not in the text with the values.
    #[error("{} has no value for sector {sector}", path.display())]
    NoValue {
        /// The file.
        path: PathBuf,
        /// The sector.
        sector: Sector,
    },
    /// A folder has none of the files that were looked for.
    #[error("{} has no files of Malom that are asked for: none is called {example} or the like", path.display())]
    NothingThere {
        /// The folder.
        path: PathBuf,
        /// Such a name.
        example: String,
    },
    /// None of the files that were looked for is of a sector of the database.
    #[error(
        "nothing can be compared: the database {} has no sector of the files, such as that of {}",
        path.display(),
        file.display()
    )]
    NothingToCompare {
        /// The folder of the database.
        path: PathBuf,
        /// One of the files.
        file: PathBuf,
    },
    /// A file is not called as Malom calls the sectors of a game.
    #[error("{} is not named like a sector file of {game}, such as {game}_3_3_0_0.sec2", path.display())]
    Name {
        /// The file.
        path: PathBuf,
        /// What Malom calls the game.
        game: &'static str,
    },
    /// A file of Malom is named for men that the game does not have.
    #[error("{} is named for sector {sector}, which the game does not have", path.display())]
    NoSuchSector {
        /// The file.
        path: PathBuf,
        /// The sector.
        sector: Sector,
    },
    /// A sector file is there already.
    #[error("{} is there already; choose another folder or delete it", path.display())]
    AlreadyThere {
        /// The file.
        path: PathBuf,
    },
    /// The folder has sectors with other values, which these do not fit beside.
    #[error(
        "{} gives other values to the sectors than these files would be written by; choose another folder",
        path.display()
    )]
    OtherValues {
        /// The text with the values that is there.
        path: PathBuf,
    },
}

impl From<DatabaseError> for MalomError {
    fn from(error: DatabaseError) -> MalomError {
        MalomError::Database(Box::new(error))
    }
}

impl From<ConsistencyError> for MalomError {
    fn from(error: ConsistencyError) -> MalomError {
        match error {
            ConsistencyError::Database(error) => error.into(),
            error => MalomError::Consistency(Box::new(error)),
        }
    }
}

/// What is wrong with a sector file.
#[derive(Debug, Error)]
pub enum Damage {
    /// The header is not that of the game.
    #[error(
        "its header is not that of a sector of {game}: byte {byte} is {found} instead of {expected}"
    )]
    Header {
        /// What Malom calls the game.
        game: &'static str,
        /// The byte that differs, from 0.
        byte: usize,
        /// What it is.
        found: u8,
        /// What it has to be.
        expected: u8,
    },
    /// The file is too long or too short.
    #[error("it has {found} bytes where {expected} belong")]
    Size {
        /// Bytes of the file.
        found: u64,
        /// Bytes by the number of entries and exceptions; without the latter if not even their number is there.
        expected: u64,
    },
    /// The number of exceptions is impossible.
    #[error("it claims to have {0} exceptions")]
    ExceptionCount(i32),
    /// The list of exceptions is not in order.
    #[error("number {number} of its exceptions, for entry {entry}, is out of order or of no entry")]
    ExceptionOrder {
        /// Which exception, from 0.
        number: usize,
        /// The entry it names.
        entry: i32,
    },
    /// An entry says nothing.
    #[error("entry {entry}: {flaw}")]
    Entry {
        /// Number of the entry.
        entry: u64,
        /// What is wrong with it.
        flaw: Flaw,
    },
}
