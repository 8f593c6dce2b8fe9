//! What can go wrong with a database, named so that a person can act on it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::game::{Sector, VariantError};

/// An operation on a database failed. Every message names the file or folder it is about.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The system refused an operation: no such file, no permission, no space.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, such as `write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The folder holds no database, or the path is no folder.
    #[error("{} is not a millbase database: {reason}", path.display())]
    NotADatabase {
        /// The folder, or the file that was taken for a part of a database.
        path: PathBuf,
        /// How that was seen.
        reason: String,
    },
    /// Sector files without a manifest: the run that wrote them did not end.
    #[error(
        "{} is an unfinished database: it has no {}; a run is still writing it or was stopped: \
         give the command that began it again, or, if that is no help, delete the folder", path.display(), super::manifest::FILE_NAME
    )]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// A run was to be taken up again with another task than it had.
    #[error(
        "{} holds an unfinished database of {found}, not of {wanted}: \
         give the command that began it again, or delete the folder", path.display()
    )]
    OtherTask {
        /// The folder.
        path: PathBuf,
        /// What the run in the folder was for.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// Another process is at work on the database.
    #[error(
        "another millbase, {}, is working on {}",
        process.map_or("whose id is not known".to_owned(), |id| format!("process {id}")), path.display()
    )]
    Locked {
        /// The folder.
        path: PathBuf,
        /// Its process id, if it has told.
        process: Option<u32>,
    },
    /// A new database was to be written where one is already.
    #[error("{} already holds a database of '{variant}'; choose another folder or delete this one", path.display())]
    AlreadyThere {
        /// The folder.
        path: PathBuf,
        /// Id of the variant it was made for.
        variant: String,
    },
    /// A new database was to be written into a folder of other things.
    #[error("{} is not empty (it holds '{entry}'); a database needs a folder of its own", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// One of the things in it.
        entry: String,
    },
    /// The database was written in a form this program does not know.
    #[error("{} has format version {found}; this program reads version {known}", path.display())]
    Version {
        /// The file that says so.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version of this program.
        known: u32,
    },
    /// The database is one of another game.
    #[error("{} holds '{found}' (rules {found_rules}), not '{wanted}' (rules {wanted_rules})", path.display())]
    OtherVariant {
        /// The folder.
        path: PathBuf,
        /// Id of the variant it was made for.
        found: String,
        /// Fingerprint of the rules it was made for.
        found_rules: String,
        /// Id of the variant asked about.
        wanted: String,
        /// Fingerprint of the rules asked about.
        wanted_rules: String,
    },
    /// The rules in the manifest cannot be read.
    #[error("the rules in {}: {source}", path.display())]
    Rules {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with them.
        source: VariantError,
    },
    /// Positions of the game have to remember what no cell says.
    #[error(
        "'{variant}' cannot be kept in a database: its mills pay once, and a database has no place for which have \
         paid; it can be solved without one"
    )]
    NeedsPast {
        /// Id of the variant.
        variant: String,
    },
    /// A file of the database says what cannot be true.
    #[error("{} is damaged: {damage}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
    /// The database has no such sector.
    #[error("the database {} has no sector {sector}", path.display())]
    NoSector {
        /// The folder.
        path: PathBuf,
        /// The sector asked for.
        sector: Sector,
    },
    /// The sector has no such cell.
    #[error("sector {sector} of {} has {cells} cells: there is no cell {index}", path.display())]
    NoCell {
        /// The sector file.
        path: PathBuf,
        /// The sector.
        sector: Sector,
        /// How many cells it has.
        cells: u64,
        /// The cell asked for.
        index: u64,
    },
    /// Distances, or planes of values, were asked of a database that holds the other kind.
    #[error("{} holds {found}, not {wanted}", path.display())]
    OtherContents {
        /// The folder.
        path: PathBuf,
        /// What it holds.
        found: super::Contents,
        /// What was asked for.
        wanted: super::Contents,
    },
    /// A database of conversions was to be packed.
    #[error(
        "{} holds conversions, which cannot be packed: what a turn is worth depends on the count, so looking one turn \
         ahead does not tell it", path.display()
    )]
    CannotPack {
        /// The folder.
        path: PathBuf,
    },
    /// Conversions were written without what their bytes stand for.
    #[error("the conversions in {} have no numbering of their distances", path.display())]
    NoCounting {
        /// The folder.
        path: PathBuf,
    },
    /// A file holds its sector in another way than was asked for.
    #[error("{} holds {found}, not {wanted}", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: super::Kind,
        /// What was asked for.
        wanted: super::Kind,
    },
    /// A file of the database is not there.
    #[error("the database lacks {}: sector {sector} is not installed", path.display())]
    NotInstalled {
        /// The file.
        path: PathBuf,
        /// The sector it holds.
        sector: Sector,
    },
    /// A packed database cannot be cut down to sectors that need others.
    #[error(
        "sector {derived} is answered by looking one turn ahead and needs sector {sector} as well"
    )]
    NeededBy {
        /// The sector that is missing.
        sector: Sector,
        /// The sector that needs it.
        derived: Sector,
    },
    /// The cells of a sector were asked for that is not stored, as the turns from its positions tell what
    /// they are worth.
    #[error("sector {sector} of {} is not stored: its values follow from those one turn later", path.display())]
    Derived {
        /// The folder.
        path: PathBuf,
        /// The sector.
        sector: Sector,
    },
    /// The cells handed over to be written, or the buffer to read into, do not fit the sector.
    #[error("sector {sector} has {expected} cells, not {found}")]
    CellCount {
        /// The sector.
        sector: Sector,
        /// Cells of the sector.
        expected: u64,
        /// Cells that were handed over.
        found: u64,
    },
    /// A cell was both won and lost in the planes handed over to be written.
    #[error(
        "a position of sector {sector}, one of the {} from cell {first} on, is both won and lost",
        u64::BITS
    )]
    Contradiction {
        /// The sector.
        sector: Sector,
        /// First cell of the word of the planes that has it.
        first: u64,
    },
    /// A database was to be finished before all its sectors were written.
    #[error("{} lacks {missing} of its sectors, {sector} for one", path.display())]
    Incomplete {
        /// The folder.
        path: PathBuf,
        /// How many sectors are missing.
        missing: usize,
        /// One of them.
        sector: Sector,
    },
    /// There is not enough memory for a whole sector.
    #[error("no memory for the {cells} cells of sector {sector} of {}", path.display())]
    NoMemory {
        /// The sector file.
        path: PathBuf,
        /// The sector.
        sector: Sector,
        /// Its cells.
        cells: u64,
    },
}

/// What is wrong with a damaged file.
#[derive(Debug, Error)]
pub enum Damage {
    /// The file ends before its fixed parts do.
    #[error("it is cut short, with {0} bytes")]
    CutShort(u64),
    /// The header was altered.
    #[error("its header does not match its checksum")]
    Header,
    /// The header was written by something else, although its checksum is right.
    #[error("its header names an unknown {0}")]
    Unknown(&'static str),
    /// The file belongs under another name.
    #[error("it holds sector {0}")]
    OtherSector(Sector),
    /// The file was made for other rules than the manifest says.
    #[error("it was written for other rules ({0})")]
    OtherRules(String),
    /// The file holds another kind of cells than the manifest says.
    #[error("it holds {0}")]
    OtherKind(super::Kind),
    /// The model between header and blocks was altered.
    #[error("its model cannot be read")]
    Model,
    /// The number of cells is not that of the sector.
    #[error("it has {found} cells where the sector has {expected}")]
    Cells {
        /// Cells by the file.
        found: u64,
        /// Cells by the rules.
        expected: u64,
    },
    /// The block index or the footer was altered or cut off.
    #[error("its block index {0}")]
    Index(&'static str),
    /// One block cannot be decoded.
    #[error("block {block}: {reason}")]
    Block {
        /// Number of the block, from 0.
        block: u64,
        /// The decoder's reason.
        reason: String,
    },
    /// The file's digest is not the one in the manifest.
    #[error("its BLAKE3 digest is {found}, the manifest has {expected}")]
    Digest {
        /// Digest of the file.
        found: String,
        /// Digest in the manifest.
        expected: String,
    },
    /// The manifest is no JSON of the expected form.
    #[error("{0}")]
    Manifest(String),
    /// A log of a run has a line that this program did not write.
    #[error("it has a line that this version of the program does not write: {0}")]
    Log(String),
    /// The journal of a solver does not have what its checksums promise.
    #[error("it cannot be played back")]
    Journal,
}

/// `result.or_io("write", path)?`: names the operation and the file of a system error.
pub(crate) trait IoContext<T> {
    fn or_io(self, action: &'static str, path: &std::path::Path) -> Result<T, DatabaseError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn or_io(self, action: &'static str, path: &std::path::Path) -> Result<T, DatabaseError> {
        self.map_err(|source| DatabaseError::Io {
            action,
            path: path.to_owned(),
            source,
        })
    }
}
