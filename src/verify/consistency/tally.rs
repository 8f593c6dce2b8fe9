//! What a sector holds: counts, and checksums of its cells whatever form they are stored in.
//!
//! Two databases of one game have the same checksums if and only if they give the same answers, be one of them
//! packed and the other not:
//!
//! ```text
//! sector     cells in order of their numbers     BLAKE3 of
//! 3-3+0+0    win in 1, draw, loss in 2, ...      values:     255 128   0 ...
//!                                                distances:  255 128   1 ...
//! ```

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::counts::{ByScore, PositionCounts};
use super::result_only;
use crate::game::Sector;
use crate::value::{Outcome, Score};

/// Counts and checksums of the cells of a sector.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Cells in which the side to move wins.
    pub win: u64,
    /// Cells that are drawn.
    pub draw: u64,
    /// Cells in which the side to move loses.
    pub loss: u64,
    /// The positions they stand for.
    pub positions: PositionCounts,
    /// BLAKE3 digest of the results, a byte a cell: 0 loss, 128 draw, 255 win.
    pub values_blake3: String,
    /// BLAKE3 digest of the scores, a byte a cell as [`Score`] has them; `None` without distances.
    pub distances_blake3: Option<String>,
}

impl Tally {
    /// What the scores of a sector are, whose cells by score were counted, and the positions they stand for.
    pub(super) fn of(
        scores: &[u8],
        cells: &ByScore,
        positions: PositionCounts,
        distances: bool,
    ) -> Tally {
        let digest = |scores: &[u8]| blake3::hash(scores).to_hex().to_string();
        let results: Vec<u8> = scores.par_iter().map(|&score| result_only(score)).collect();
        let count = |outcome| -> u64 {
            let scores = (0..=u8::MAX).filter(|&score| Score(score).outcome() == outcome);
            scores.map(|score| cells[usize::from(score)]).sum()
        };
        let (values, distances) =
            rayon::join(|| digest(&results), || distances.then(|| digest(scores)));
        Tally {
            win: count(Outcome::Win),
            draw: count(Outcome::Draw),
            loss: count(Outcome::Loss),
            positions,
            values_blake3: values,
            distances_blake3: distances,
        }
    }
}

/// Checksums of many sectors together.
#[derive(Clone, Debug, Default)]
pub struct Digests {
    values: blake3::Hasher,
    distances: Option<blake3::Hasher>,
}

impl Digests {
    /// Adds a sector; the order counts. Each is a line, its name and its digest.
    pub fn add(&mut self, sector: Sector, tally: &Tally) {
        let line = |digest: &str| format!("{sector} {digest}\n");
        self.values.update(line(&tally.values_blake3).as_bytes());
        if let Some(digest) = &tally.distances_blake3 {
            let hasher = self.distances.get_or_insert_default();
            hasher.update(line(digest).as_bytes());
        }
    }

    /// The digest of all results.
    pub fn values(&self) -> String {
        self.values.finalize().to_hex().to_string()
    }

    /// The digest of all distances, if there were any.
    pub fn distances(&self) -> Option<String> {
        let hasher = self.distances.as_ref()?;
        Some(hasher.finalize().to_hex().to_string())
    }
}
