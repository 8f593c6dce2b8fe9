//! Plies that an earlier run has done: what they decided is read from its journals, and only what follows
//! from it is computed.
//!
//! ```text
//! journal: ply 3, row 17: {5, 99}   ->   bits in `to_move`   ->   captures   ->   messages to `moved`, `mill`
//! ```
//!
//! So all planes and lists of changes become what they were, in about half the time.

use rayon::prelude::*;

use super::bands::{Planes, bands};
use super::follow::set_bit;
use super::half::Half;
use super::row::RowWork;
use super::{Movement, MovementError, SPARSE};
use crate::cpu::Cpu;
use crate::index::Fixed;
use crate::solve::cube::block::{Block, EMPTY};
use crate::solve::cube::checkpoint::Journals;

impl RowWork<'_> {
    /// Enters the positions that this ply decides in the row, in increasing order. Returns how many.
    #[inline(always)]
    pub(super) fn enter<C: Cpu>(&mut self, known: &[u32]) -> u64 {
        self.clear_lists();
        self.worker.indices.extend_from_slice(known);
        if self.step.ply > 0 && known.len() * SPARSE < 1 << self.row_bits {
            for &index in known {
                set_bit(self.decided[self.seek as usize], index);
            }
            self.follow_all_captures();
        } else {
            let fresh = &mut self.worker.scratch.fresh[..self.decided[0].len()];
            fresh.fill(EMPTY);
            for &index in known {
                set_bit(fresh, index);
            }
            self.pass_captures();
        }
        self.send_all::<C>();
        known.len() as u64
    }
}

impl Movement {
    /// The group that an earlier run has solved. It has no planes yet.
    pub(super) fn ended(men: u8, halves: Vec<Half>, journals: Journals, last_ply: u16) -> Movement {
        Movement {
            halves,
            men,
            planes: Vec::new(),
            journals,
            ends_logs: Vec::new(),
            last_ply,
        }
    }

    /// Makes the planes of wins and losses from the journals, if they are not there.
    ///
    /// # Errors
    /// When the memory or a journal is not to be had.
    pub fn restore_planes(&mut self) -> Result<(), MovementError> {
        if !self.planes.is_empty() {
            return Ok(());
        }
        let planes = |half: &Half| Planes::new(half.layout.bits(), 0, false);
        let mut planes = self
            .halves
            .iter()
            .map(planes)
            .collect::<Result<Vec<_>, _>>()?;
        let restored = bands(&self.halves, &mut planes).into_par_iter();
        restored.with_max_len(1).try_for_each(|band| {
            let row_bits = self.halves[band.half].size_of_band(band.place).row_bits;
            let row_blocks = 1usize << (row_bits - 9);
            let mut decided: [&mut [Block]; 2] = [band.win, band.loss];
            self.replay(band.half, Fixed::Opponent, band.place, |ply, row, index| {
                let blocks = row * row_blocks..(row + 1) * row_blocks;
                set_bit(&mut decided[1 - usize::from(ply) % 2][blocks], index);
            })
        })?;
        self.planes = planes;
        Ok(())
    }
}
