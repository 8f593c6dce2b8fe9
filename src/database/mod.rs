//! Databases: the values of a whole game on disk, and how they are read back.
//!
//! A database is a folder with one file a sector and a manifest, which is written last: a folder
//! without it is unfinished. [`DatabaseWriter`] makes one, [`Database`] reads it.
//!
//! ```text
//! nine-db/
//!   manifest.json       rules, statistics and digests of all sectors
//!   0_0_9_9.sector      one file a sector: mover, opponent, mover's hand, opponent's hand
//!   0_1_9_8.sector
//!   ...
//! ```
//!
//! A folder comes in one of two forms:
//!
//! * *plain*, as the solver writes it: quick to write, every sector in a `.sector` file;
//! * *packed*, made of a plain one by [`pack`]: a third of the size for results. These are in `.values`
//!   files, distances in `.distances` files beside them, which may be absent; about a third of the sectors
//!   are in no file at all, because one turn of look-ahead tells what their positions are worth.
//!
//! ```text
//! nine.packed/
//!   manifest.json
//!   8_8_0_0.values
//!   8_8_0_0.distances
//!   ...
//! ```
//!
//! Nothing is read from the files until a sector is asked for; every read is checked, and what is wrong is
//! said with file, sector and block. What follows is the whole specification of both forms.
//!
#![doc = include_str!("FORMAT.md")]

mod blocks;
mod codec;
mod derive;
mod distances;
mod error;
mod file_writer;
mod folder;
mod format;
mod histogram;
mod kind;
pub(crate) mod log;
mod manifest;
mod map;
mod output;
mod pack;
mod packed;
mod reader;
mod sector_file;
mod statistics;
mod task;
mod whole;
mod work;
mod writer;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use error::IoContext;
pub use error::{Damage, DatabaseError};
pub use histogram::Histogram;
pub use kind::Kind;
pub use manifest::{FileRecord, Manifest, SectorRecord};
pub use map::Io;
pub(crate) use output::Output;
pub use pack::{PackOptions, Packed, pack};
pub use reader::{Database, OpenOptions};
pub use sector_file::SectorFile;
pub use statistics::{Examples, Statistics};
pub use writer::DatabaseWriter;

use crate::game::Sector;

/// What a database says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Contents {
    /// The result and its distance in plies: one [`Score`](crate::value::Score) a cell.
    Distances,
    /// Win, draw or loss alone: two bits a cell.
    Values,
    /// The result under a no-capture limit and the plies to the next capture, see
    /// [`conversion`](crate::conversion): a byte a cell where both hands are empty, two bits elsewhere.
    Conversions,
}

impl Contents {
    /// How the solver stores a sector.
    fn plain_kind(self, sector: Sector) -> Kind {
        match self {
            Contents::Distances => Kind::Scores,
            Contents::Conversions if sector.in_hand() == 0 => Kind::Scores,
            Contents::Values | Contents::Conversions => Kind::Planes,
        }
    }
}

impl fmt::Display for Contents {
    /// `distances`, `values` or `conversions`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Contents::Distances => "distances",
            Contents::Values => "values",
            Contents::Conversions => "conversions",
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
    /// The kind of file these cells belong in.
    pub fn kind(&self) -> Kind {
        match self {
            Cells::Scores(_) => Kind::Scores,
            Cells::Planes { .. } => Kind::Planes,
        }
    }
}
