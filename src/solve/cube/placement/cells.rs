//! The kinds of cells a placement layer is computed in, and how they go to and from the database.

use rayon::prelude::*;

use super::PlacementError;
use crate::database::{Cells, DatabaseWriter};
use crate::game::Sector;
use crate::solve::cube::block::{Byte, Flag};
use crate::solve::cube::kernels::CellAccess;
use crate::solve::cube::pack::Packed;

/// Cells of a kind that a placement layer is computed in.
pub trait Placed: CellAccess + Packed {
    /// Planes of cells a position needs.
    const PLANES: usize;

    /// Reads a sector as the player who moved there sees it: the units of each plane, one after the other.
    ///
    /// # Errors
    /// When the sector cannot be read or memory is short.
    fn load(
        store: &DatabaseWriter,
        sector: Sector,
        units: &mut [Self::Unit],
    ) -> Result<(), PlacementError>;

    /// Writes a sector from the units of its planes, as the side to move sees it.
    ///
    /// # Errors
    /// When the sector cannot be written.
    fn save(
        store: &DatabaseWriter,
        sector: Sector,
        planes: Vec<&mut [Self::Unit]>,
    ) -> Result<(), PlacementError>;
}

impl Placed for Byte {
    const PLANES: usize = 1;

    fn load(
        store: &DatabaseWriter,
        sector: Sector,
        scores: &mut [u8],
    ) -> Result<(), PlacementError> {
        store.open_sector(sector)?.read_into(scores)?;
        let too_long = scores.par_chunks_mut(1 << 16).map(|scores| {
            let mut any = false;
            for score in scores {
                any |= *score == LONGEST_LOSS;
                *score = reverse(*score);
            }
            any
        });
        match too_long.reduce(|| false, |a, b| a || b) {
            true => Err(PlacementError::TooLong { sector }),
            false => Ok(()),
        }
    }

    fn save(
        store: &DatabaseWriter,
        sector: Sector,
        planes: Vec<&mut [u8]>,
    ) -> Result<(), PlacementError> {
        store.write_sector(sector, Cells::Scores(&*planes[0]))?;
        Ok(())
    }
}

impl Placed for Flag {
    const PLANES: usize = 2;

    fn load(
        store: &DatabaseWriter,
        sector: Sector,
        words: &mut [u64],
    ) -> Result<(), PlacementError> {
        let (win, loss) = store.open_sector(sector)?.read_planes()?;
        let (won, not_lost) = words.split_at_mut(loss.len());
        won.copy_from_slice(&loss);
        for (not_lost, win) in not_lost.iter_mut().zip(win) {
            *not_lost = !win;
        }
        Ok(())
    }

    fn save(
        store: &DatabaseWriter,
        sector: Sector,
        planes: Vec<&mut [u64]>,
    ) -> Result<(), PlacementError> {
        let [win, not_lost]: [&mut [u64]; 2] = planes.try_into().expect("two planes");
        for word in not_lost.iter_mut() {
            *word = !*word;
        }
        store.write_sector(
            sector,
            Cells::Planes {
                win,
                loss: not_lost,
            },
        )?;
        Ok(())
    }
}

/// The byte of a loss in [`Score::MAX_PLIES`](crate::value::Score::MAX_PLIES): there is none for the win in one more.
const LONGEST_LOSS: u8 = 127;

/// A [`Score`](crate::value::Score) byte as the player sees it who moved there, one ply later: not for the longest loss.
///
/// The same as [`Score::before`](crate::value::Score::before), without a branch.
#[inline(always)]
fn reverse(score: u8) -> u8 {
    if score < 128 {
        !score
    } else {
        score.wrapping_neg()
    }
}
