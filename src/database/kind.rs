//! The kinds of files a database consists of.

use serde::{Deserialize, Serialize};

use super::packed;

/// What a file holds of its sector, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One [`Score`](crate::value::Score) byte a cell, in zstd frames: results with distances, quick to write.
    Scores,
    /// Two bit planes, won and lost, in zstd frames: results alone, quick to write.
    Planes,
    /// Results in a fraction of a bit a cell.
    Values,
    /// Distances of cells whose results are known from [`Kind::Values`].
    Distances,
}

/// The largest block a reader makes room for, in cells.
const MOST_BLOCK_CELLS: u32 = 1 << 22;

impl Kind {
    /// Cells of a block in new files.
    pub fn block_cells(self) -> u32 {
        match self {
            Kind::Scores => 65_536,
            Kind::Planes => 262_144,
            Kind::Values => packed::BLOCK_CELLS as u32,
            Kind::Distances => 32_768,
        }
    }

    /// Whether a file may have blocks of so many cells.
    pub fn allows_blocks_of(self, cells: u32) -> bool {
        match self {
            Kind::Values => cells == self.block_cells(),
            _ => cells > 0 && cells <= MOST_BLOCK_CELLS && cells.is_multiple_of(64),
        }
    }

    /// Bytes that so many cells of a block take when it is decoded.
    pub fn decoded_len(self, cells: usize) -> usize {
        match self {
            Kind::Scores | Kind::Distances => cells,
            Kind::Planes => cells.div_ceil(64) * 16,
            Kind::Values => cells.div_ceil(4),
        }
    }

    /// Whether files have a model between header and blocks.
    pub fn has_model(self) -> bool {
        self == Kind::Values
    }

    /// The ending of files' names.
    pub fn ending(self) -> &'static str {
        match self {
            Kind::Scores | Kind::Planes => "sector",
            Kind::Values => "values",
            Kind::Distances => "distances",
        }
    }

    /// The number in a file's header.
    pub fn code(self) -> u8 {
        match self {
            Kind::Scores => 1,
            Kind::Planes => 2,
            Kind::Values => 3,
            Kind::Distances => 4,
        }
    }

    /// The kind with this number.
    pub fn from_code(code: u8) -> Option<Kind> {
        [Kind::Scores, Kind::Planes, Kind::Values, Kind::Distances]
            .into_iter()
            .find(|kind| kind.code() == code)
    }

    /// What the file is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Scores => "scores",
            Kind::Planes => "planes of values",
            Kind::Values => "packed values",
            Kind::Distances => "packed distances",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
