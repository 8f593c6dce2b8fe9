//! Databases: the values of a whole game on disk, and how they are read back.
//!
//! A database is a folder with one file a sector and a manifest, which is written last: a folder
//! without it is unfinished. [`DatabaseWriter`] makes one, [`Database`] reads it.
//!
//! ```text
//! nine.db/
//!   manifest.json       rules, statistics and digests of all sectors
//!   0_0_9_9.sector      one file a sector: mover, opponent, mover's hand, opponent's hand
//!   0_1_9_8.sector
//!   ...
//! ```
//!
//! # The format, version 1
//!
//! All integers are little-endian. The cells of a sector are numbered as in [`crate::index`].
//!
//! ## Sector files
//!
//! A sector file is a sequence of zstd frames, so that `zstd -dc 3_3_0_0.sector` prints the cells:
//! header and trailer hide in *skippable* frames, each block is an ordinary frame with a checksum.
//!
//! ```text
//! header    80 bytes, a skippable frame
//! block 0   a zstd frame with content size and checksum
//! block 1   ...
//! trailer   a skippable frame: block index and footer
//! ```
//!
//! | header at | bytes | what |
//! |---|---|---|
//! | 0  | 4  | 0x184D2A5D, which marks a skippable frame |
//! | 4  | 4  | 72, the length of the rest |
//! | 8  | 8  | `millbase` |
//! | 16 | 2  | format version, 1 |
//! | 18 | 1  | contents: 1 distances, 2 values |
//! | 19 | 1  | whose men number the rows: 0 the mover's, 1 the opponent's |
//! | 20 | 4  | the sector: mover, opponent, mover's hand, opponent's hand |
//! | 24 | 8  | cells of the sector |
//! | 32 | 4  | cells of a block, a multiple of 64; the last block has what is left |
//! | 36 | 4  | 0 |
//! | 40 | 32 | fingerprint of the rules |
//! | 72 | 8  | the first 8 bytes of the BLAKE3 digest of the 72 bytes before |
//!
//! | trailer at | bytes | what |
//! |---|---|---|
//! | 0      | 4   | 0x184D2A5D |
//! | 4      | 4   | the length of the rest |
//! | 8      | 8 n | for each of n blocks the offset in the file where it ends |
//! | 8 + 8n | 8   | offset in the file where the trailer starts |
//! | + 8    | 8   | the first 8 bytes of the BLAKE3 digest of the trailer up to here |
//! | + 16   | 8   | `blockend` |
//!
//! The block before block 0 ends with the header. The last 24 bytes of the file, the *footer*, lead to
//! the rest of the trailer.
//!
//! ## Blocks
//!
//! * *Distances*: one [`Score`](crate::value::Score) byte a cell, 65,536 cells a block.
//! * *Values*: two bit planes, 262,144 cells a block. First a bit for each cell that is won for the side
//!   to move, then one for each that is lost, each plane in 64-bit words (bit i of word w: cell 64 w + i
//!   of the block). Drawn cells have neither bit; bits past the last cell are 0.
//!
//! ## Manifest
//!
//! A JSON object, see [`Manifest`]: `format` ("millbase database") and `version`, the program that wrote
//! it, the variant's id, its rules as the text of a variant file and their fingerprint, the kind of
//! contents, a free-form summary of the run, and for each sector its cells, statistics, file size and
//! BLAKE3 digest. Its last member is the BLAKE3 digest of the manifest's own text before that. Nothing is read from the files themselves until a sector is asked for; every read is
//! checked, and what is wrong is said with file, sector and block.

mod blocks;
mod codec;
mod error;
mod folder;
mod format;
mod manifest;
mod map;
mod output;
mod reader;
mod sector_file;
mod statistics;
mod writer;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use error::{Damage, DatabaseError};
pub use manifest::{Manifest, SectorRecord};
pub use reader::Database;
pub use sector_file::SectorFile;
pub use statistics::{Examples, Statistics};
pub use writer::DatabaseWriter;

/// What a database says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Contents {
    /// The result and its distance in plies: one [`Score`](crate::value::Score) a cell.
    Distances,
    /// Win, draw or loss alone: two bits a cell.
    Values,
}

impl fmt::Display for Contents {
    /// `distances` or `values`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Contents::Distances => "distances",
            Contents::Values => "values",
        })
    }
}

/// The cells of a whole sector in index order, for the side to move.
#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    /// One [`Score`](crate::value::Score) byte a cell.
    Scores(&'a [u8]),
    /// Bit i of word w is cell 64 w + i. Bits past the last cell do not matter.
    Planes {
        /// Cells won for the side to move.
        win: &'a [u64],
        /// Cells lost for the side to move.
        loss: &'a [u64],
    },
}

impl Cells<'_> {
    /// The kind of database these cells belong in.
    pub fn contents(&self) -> Contents {
        match self {
            Cells::Scores(_) => Contents::Distances,
            Cells::Planes { .. } => Contents::Values,
        }
    }
}
