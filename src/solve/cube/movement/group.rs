//! A layer group before and after it is solved.

use std::collections::BTreeMap;
use std::path::Path;

use super::bands::Planes;
use super::half::Half;
use super::placings::Placings;
use crate::database::DatabaseError;
use crate::game::Variant;
use crate::index::Fixed;
use crate::index::canonical::CanonicalSets;
use crate::solve::cube::block::Block;
use crate::solve::cube::checkpoint::{Journals, Keep};
use crate::solve::cube::journal::Journal;
use crate::solve::cube::memory::Pages;

/// A layer group to solve.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// The game.
    pub variant: &'a Variant,
    /// The canonical sets that number the rows.
    pub sets: &'a CanonicalSets,
    /// The most men of a side, on the board and in hand.
    pub men: u8,
    /// What the two sides have in hand.
    pub hands: [u8; 2],
    /// What placing is worth, by the hands of the fixed and of the varied side. Where it is not known the
    /// varied side does not place.
    pub placings: &'a BTreeMap<(u8, u8), Placings>,
    /// Whether it will be asked what turns end in, for groups above this one.
    pub keep_ends: bool,
    /// What is kept on disk: with journals, distances are known.
    pub keep: Keep<'a>,
    /// Bytes of memory to get along with, if that is possible; see [`memory_needed`](super::memory_needed).
    pub memory: Option<u64>,
}

impl<'a> Group<'a> {
    /// Where to keep by ply what turns end in, if that will be asked.
    pub(super) fn ends_folder(&self) -> Option<&'a Path> {
        match self.keep {
            Keep::Scratch(folder) | Keep::Resumable(folder) if self.keep_ends => Some(folder),
            _ => None,
        }
    }
}

/// A solved layer group.
#[derive(Debug)]
pub struct Movement {
    /// Its rows.
    pub halves: Vec<Half>,
    pub(super) men: u8,
    pub(super) planes: Vec<Planes>,
    pub(super) journals: Journals,
    /// By thread, then by kind.
    pub(super) ends_logs: Vec<Vec<Journal>>,
    /// The last ply at which a position was decided.
    pub last_ply: u16,
}

impl Movement {
    /// The wins (0) and losses (1) of the mover in the rows of a half.
    ///
    /// Those with the mover's set fixed are there only if the ends were to be kept.
    pub fn planes(&self, half: usize, fixed: Fixed) -> [&[Block]; 2] {
        let planes = &self.planes[half];
        match fixed {
            Fixed::Opponent => planes.decided.each_ref(),
            Fixed::Mover => planes.ends[0].each_ref(),
        }
        .map(Pages::view)
    }

    /// Calls `visit(ply, row in band, index)` for every decided position of a band of a half.
    ///
    /// Those with the mover's set fixed are there only if the ends were to be kept.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn replay(
        &self,
        half: usize,
        fixed: Fixed,
        band: usize,
        mut visit: impl FnMut(u16, usize, u32),
    ) -> Result<(), DatabaseError> {
        let half = &self.halves[half];
        let (number, size) = (half.first_band + band, half.size_of_band(band));
        match fixed {
            Fixed::Opponent => self.journals.replay(number, size, visit),
            Fixed::Mover => {
                let mut logs = self.ends_logs.iter();
                logs.try_for_each(|log| log[0].replay(number, size, &mut visit))
            }
        }
    }

    /// Gives the planes back to the system, for when only the journal is needed.
    pub fn drop_planes(&mut self) {
        self.planes = Vec::new();
    }
}
