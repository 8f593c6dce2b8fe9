//! What a sector is like: how many positions are won, drawn and lost, and the longest games.

use std::ops::RangeInclusive;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::game::Sector;
use crate::index::SectorIndex;
use crate::value::Score;

use super::blocks::{Counts, DRAWN};
use super::histogram::Histogram;
use super::{Cells, Kind};

/// Counts of a sector, for the side to move. Symmetric images count as one position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statistics {
    /// Positions won for the side to move.
    pub win: u64,
    /// Positions neither side can win.
    pub draw: u64,
    /// Positions lost for the side to move.
    pub loss: u64,
    /// Plies of the longest win, counted as in the rest of the database; `None` without wins or distances.
    pub longest_win: Option<u16>,
    /// Plies of the longest loss; `None` without losses or distances.
    pub longest_loss: Option<u16>,
    /// Won positions by plies; empty without distances.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub wins_in: Histogram,
    /// Lost positions by plies; empty without distances.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub losses_in: Histogram,
    /// A cell of each kind.
    pub examples: Examples,
}

/// Cells of a sector to show: the first of each kind, `None` where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Examples {
    /// A won position.
    pub win: Option<u64>,
    /// A drawn position.
    pub draw: Option<u64>,
    /// A lost position.
    pub loss: Option<u64>,
    /// A win that takes longest.
    pub longest_win: Option<u64>,
    /// A loss that takes longest.
    pub longest_loss: Option<u64>,
}

impl Statistics {
    /// Drops the counts by distance.
    pub(super) fn forget_histograms(&mut self) {
        self.wins_in = Histogram::default();
        self.losses_in = Histogram::default();
    }

    /// Distinct positions of the sector.
    pub fn positions(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// The same counts without what only distances tell.
    pub(super) fn without_distances(&self) -> Statistics {
        Statistics {
            longest_win: None,
            longest_loss: None,
            wins_in: Histogram::default(),
            losses_in: Histogram::default(),
            examples: Examples {
                longest_win: None,
                longest_loss: None,
                ..self.examples.clone()
            },
            ..self.clone()
        }
    }
}

const LOSSES: RangeInclusive<u8> = 0..=DRAWN - 1;
const DRAWS: RangeInclusive<u8> = DRAWN..=DRAWN;
const WINS: RangeInclusive<u8> = DRAWN + 1..=255;

/// Counts of the blocks seen so far.
pub struct Tally {
    counts: Counts<u64>,
    /// The first block with each score.
    first_block: Counts<Option<u64>>,
}

impl Tally {
    pub fn new() -> Tally {
        Tally {
            counts: [0; 256],
            first_block: [None; 256],
        }
    }

    /// Adds a block; blocks come in order.
    pub fn add(&mut self, block: u64, counts: &Counts<u32>) {
        for (score, &count) in counts.iter().enumerate() {
            if count > 0 {
                self.counts[score] += u64::from(count);
                self.first_block[score].get_or_insert(block);
            }
        }
    }

    /// The statistics of a sector whose blocks have all been added. `plies` tells the distance of a score.
    pub fn finish(
        mut self,
        index: &SectorIndex,
        sector: Sector,
        cells: Cells<'_>,
        block_cells: u32,
        plies: impl Fn(Score) -> Option<u16>,
    ) -> Statistics {
        let duplicates = count_duplicates(index, sector, cells);
        for (count, duplicates) in self.counts.iter_mut().zip(duplicates) {
            *count -= duplicates;
        }
        // The greater the distance, the nearer the score is to that of a draw.
        let far =
            |mut scores: RangeInclusive<u8>| scores.find(|&s| self.counts[usize::from(s)] > 0);
        let far_back =
            |scores: RangeInclusive<u8>| scores.rev().find(|&s| self.counts[usize::from(s)] > 0);
        let distances = cells.kind() == Kind::Scores;
        let longest_win = far(WINS).filter(|_| distances);
        let longest_loss = far_back(LOSSES).filter(|_| distances);
        let example = |scores: RangeInclusive<u8>| self.example(scores, cells, block_cells);
        // From the nearest to the end on, as bytes have it: see the picture of [`Score`].
        let histogram = |scores: &mut dyn Iterator<Item = u8>| {
            let counts = scores.map(|score| self.counts[usize::from(score)]);
            Histogram::new(counts.filter(|_| distances))
        };
        let plies = |score: Option<u8>| score.and_then(|score| plies(Score(score)));
        Statistics {
            win: self.total(WINS),
            draw: self.total(DRAWS),
            loss: self.total(LOSSES),
            longest_win: plies(longest_win),
            longest_loss: plies(longest_loss),
            wins_in: histogram(&mut WINS.rev()),
            losses_in: histogram(&mut LOSSES.clone()),
            examples: Examples {
                win: example(WINS),
                draw: example(DRAWS),
                loss: example(LOSSES),
                longest_win: longest_win.and_then(|score| example(score..=score)),
                longest_loss: longest_loss.and_then(|score| example(score..=score)),
            },
        }
    }

    fn total(&self, scores: RangeInclusive<u8>) -> u64 {
        scores.map(|score| self.counts[usize::from(score)]).sum()
    }

    /// The first cell with one of these scores.
    fn example(
        &self,
        scores: RangeInclusive<u8>,
        cells: Cells<'_>,
        block_cells: u32,
    ) -> Option<u64> {
        let first = scores
            .clone()
            .filter_map(|score| self.first_block[usize::from(score)])
            .min()?;
        let start = first * u64::from(block_cells);
        (start..start + u64::from(block_cells)).find(|&cell| scores.contains(&cells.byte(cell)))
    }
}

/// Counts the cells that repeat a symmetric position of the same row.
fn count_duplicates(index: &SectorIndex, sector: Sector, cells: Cells<'_>) -> Counts<u64> {
    let rows: Vec<u64> = index.rows_with_duplicates(sector).collect();
    let count_row = |mut counts: Counts<u64>, &row: &u64| {
        index.for_each_duplicate(sector, row, |cell| {
            counts[usize::from(cells.byte(cell))] += 1
        });
        counts
    };
    let add = |a: Counts<u64>, b: Counts<u64>| std::array::from_fn(|score| a[score] + b[score]);
    rows.par_iter()
        .fold(|| [0; 256], count_row)
        .reduce(|| [0; 256], add)
}
