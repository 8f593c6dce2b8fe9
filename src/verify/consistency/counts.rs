//! How many positions of a sector are won, drawn and lost, and in how many plies: what the manifest says, counted
//! anew.
//!
//! Cells are more than positions. In a row whose set looks the same from several sides a position has a cell for each
//! way it looks, and only the first is counted:
//!
//! ```text
//! row a1 a7 g1 g7     cells   a4   d7   g4   d1     four cells
//! of four corners     image   a4   a4   a4   a4     one position
//! ```

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::database::Statistics;
use crate::value::Score;

/// Cells by score.
pub type ByScore = [u64; 256];

/// Positions of a sector by what they are worth to the side to move. Symmetric images count as one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionCounts {
    /// Won positions.
    pub win: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Lost positions.
    pub loss: u64,
    /// Positions won in 1, 3, 5 and so on plies; empty without distances to the end of the game.
    pub wins_in: Vec<u64>,
    /// Positions lost in 0, 2, 4 and so on plies; empty likewise.
    pub losses_in: Vec<u64>,
}

impl PositionCounts {
    /// From the counts of all cells and of those that repeat a position.
    pub(super) fn new(cells: &ByScore, repeats: &ByScore, distances: bool) -> PositionCounts {
        let positions: ByScore = std::array::from_fn(|score| cells[score] - repeats[score]);
        let draw = usize::from(Score::DRAW.0);
        let (losses, wins) = (&positions[..draw], &positions[draw + 1..]);
        let by_plies = |counts: Vec<u64>| {
            let last = counts.iter().rposition(|&count| count > 0);
            let used = last.filter(|_| distances).map_or(0, |last| last + 1);
            counts[..used].to_vec()
        };
        PositionCounts {
            win: wins.iter().sum(),
            draw: positions[draw],
            loss: losses.iter().sum(),
            wins_in: by_plies(wins.iter().rev().copied().collect()),
            losses_in: by_plies(losses.to_vec()),
        }
    }

    /// How many they are together.
    pub fn positions(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// Whether a manifest says the same. Its counts by plies and longest games are looked at where there are distances
    /// to the end of the game.
    pub fn agree(&self, stored: &Statistics, distances: bool) -> bool {
        let results = (self.win, self.draw, self.loss) == (stored.win, stored.draw, stored.loss);
        let last = |counts: &[u64]| Some(2 * (counts.len().checked_sub(1)? as u16));
        let longest_win = last(&self.wins_in).map(|plies| plies + 1);
        let by_plies = self.wins_in == stored.wins_in.counts()
            && self.losses_in == stored.losses_in.counts()
            && longest_win == stored.longest_win
            && last(&self.losses_in) == stored.longest_loss;
        results && (by_plies || !distances)
    }
}

/// Counts cells by score.
pub(super) fn count(scores: &[u8]) -> ByScore {
    let piece = |mut counts: ByScore, scores: &[u8]| {
        for &score in scores {
            counts[usize::from(score)] += 1;
        }
        counts
    };
    scores
        .par_chunks(1 << 20)
        .fold(|| [0; 256], piece)
        .reduce(|| [0; 256], together)
}

/// Counts of two parts together.
pub(super) fn together(a: ByScore, b: ByScore) -> ByScore {
    std::array::from_fn(|score| a[score] + b[score])
}
