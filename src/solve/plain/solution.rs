//! What the plain solver found: the value of every position, and sums over sectors.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::PlainError;
use super::placements::{Placements, canonical};
use crate::conversion::{Counting, Metric};
use crate::game::{Board, PointSet, Position, Sector, Variant};
use crate::index::SectorIndex;
use crate::value::{Outcome, Score, Value};

/// The values of all positions of the solved sectors.
#[derive(Clone, Debug)]
pub struct PlainSolution {
    variant: Variant,
    metric: Metric,
    tables: BTreeMap<Sector, Table>,
}

/// The values of one sector, by the number of the placement.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub placements: Arc<Placements>,
    pub values: Vec<Value>,
}

impl Table {
    fn entry(&self, sector: Sector, number: usize) -> (Position, Value) {
        let placement = self.placements.placement(number);
        (sector.position(placement), self.values[number])
    }
}

/// Sums over the positions of a sector, counted modulo the symmetries of the board; all for the side
/// to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectorCounts {
    /// Positions that are won.
    pub win: u64,
    /// Positions that are drawn.
    pub draw: u64,
    /// Positions that are lost.
    pub loss: u64,
    /// Plies of the longest win, if any position is won.
    pub longest_win: Option<u16>,
    /// Plies of the longest loss, if any position is lost.
    pub longest_loss: Option<u16>,
}

impl SectorCounts {
    pub(super) fn add(&mut self, value: Value) {
        match value {
            Value::Win(plies) => {
                self.win += 1;
                self.longest_win = self.longest_win.max(Some(plies));
            }
            Value::Draw => self.draw += 1,
            Value::Loss(plies) => {
                self.loss += 1;
                self.longest_loss = self.longest_loss.max(Some(plies));
            }
        }
    }
}

impl PlainSolution {
    pub(super) fn new(variant: Variant, metric: Metric) -> PlainSolution {
        PlainSolution {
            variant,
            metric,
            tables: BTreeMap::new(),
        }
    }

    /// The variant that was solved.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// What the distances of its values count. Those of a solution by plies to the next conversion are of any
    /// parity; in sectors with men in hand they mean nothing.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The numbering of all distances of a solution by plies to the next conversion.
    ///
    /// # Errors
    /// [`PlainError::TooManyDistances`].
    pub fn counting(&self) -> Result<Counting, PlainError> {
        let limit = match self.metric {
            Metric::Conversion { limit } => limit,
            Metric::End => None,
        };
        let tables = self
            .tables
            .iter()
            .filter(|(sector, _)| sector.in_hand() == 0);
        let values = tables.flat_map(|(_, table)| &table.values);
        let found = values.filter_map(|value| Some((value.outcome(), value.plies()?)));
        Ok(Counting::new(limit, found)?)
    }

    /// The sectors that were solved, in order.
    pub fn sectors(&self) -> impl Iterator<Item = Sector> + '_ {
        self.tables.keys().copied()
    }

    /// How many positions were solved, modulo the symmetries of the board.
    pub fn position_count(&self) -> u64 {
        self.tables
            .values()
            .map(|table| table.values.len() as u64)
            .sum()
    }

    /// The value of a position for its mover; `None` if its sector was not solved and the game is not
    /// over there.
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.table_value(position)
            .or_else(|| match self.variant.ending(position)? {
                Outcome::Loss => Some(Value::Loss(0)),
                Outcome::Draw => Some(Value::Draw),
                Outcome::Win => None,
            })
    }

    /// Calls `visit` with one position of each orbit of a sector and its value, always in the same
    /// order. Nothing is visited if the sector was not solved.
    pub fn for_each(&self, sector: Sector, mut visit: impl FnMut(&Position, Value)) {
        let Some(table) = self.tables.get(&sector) else {
            return;
        };
        for number in 0..table.values.len() {
            let (position, value) = table.entry(sector, number);
            visit(&position, value);
        }
    }

    /// What [`for_each`](Self::for_each) visits, in parallel and in the same order.
    pub(super) fn par_positions(
        &self,
        sector: Sector,
    ) -> impl ParallelIterator<Item = (Position, Value)> + '_ {
        let table = self.tables.get(&sector);
        table.into_par_iter().flat_map(move |table| {
            let numbers = (0..table.values.len()).into_par_iter();
            numbers.map(move |number| table.entry(sector, number))
        })
    }

    /// Sums over a sector; `None` if it was not solved.
    pub fn counts(&self, sector: Sector) -> Option<SectorCounts> {
        let mut counts = SectorCounts::default();
        for &value in &self.tables.get(&sector)?.values {
            counts.add(value);
        }
        Some(counts)
    }

    /// The scores of a sector's cells, in the order of a database.
    ///
    /// `index` must be one of this variant's board.
    ///
    /// # Errors
    /// [`PlainError::NotSolved`] if the sector was not solved, [`PlainError::LongDistance`] if a
    /// score cannot hold a distance.
    pub fn scores(&self, sector: Sector, index: &SectorIndex) -> Result<Vec<u8>, PlainError> {
        self.bytes(sector, index, Score::from_value)
    }

    /// The same with distances numbered by `counting`, which must be that of this solution.
    ///
    /// # Errors
    /// As [`scores`](Self::scores).
    pub fn counted_scores(
        &self,
        sector: Sector,
        index: &SectorIndex,
        counting: &Counting,
    ) -> Result<Vec<u8>, PlainError> {
        self.bytes(sector, index, |value| {
            counting.score(value.outcome(), value.plies().unwrap_or(0))
        })
    }

    /// The same without distances: the least byte for a loss, the greatest for a win.
    ///
    /// # Errors
    /// As [`scores`](Self::scores).
    pub fn results(&self, sector: Sector, index: &SectorIndex) -> Result<Vec<u8>, PlainError> {
        self.bytes(sector, index, |value| {
            Some(match value.outcome() {
                Outcome::Loss => Score(0),
                Outcome::Draw => Score::DRAW,
                Outcome::Win => Score(255),
            })
        })
    }

    fn bytes(
        &self,
        sector: Sector,
        index: &SectorIndex,
        score_of: impl Fn(Value) -> Option<Score> + Sync,
    ) -> Result<Vec<u8>, PlainError> {
        if !self.tables.contains_key(&sector) {
            return Err(PlainError::NotSolved(sector));
        }
        let cells = (0..index.len(sector)).into_par_iter();
        let score = |cell| {
            let position = index.position(sector, cell);
            let value = self
                .table_value(&position)
                .ok_or(PlainError::NotSolved(sector))?;
            let score = score_of(value).ok_or_else(|| PlainError::LongDistance {
                sector,
                plies: value.plies().unwrap_or(0),
            })?;
            Ok(score.0)
        };
        cells.map(score).collect()
    }

    /// The value of a position of a solved sector.
    pub(super) fn table_value(&self, position: &Position) -> Option<Value> {
        let table = self.tables.get(&position.sector())?;
        let placement = canonical_position(&self.variant.board, position);
        Some(table.values[table.placements.number(placement)?])
    }

    /// The placements of a sector, shared with the other sectors that have as many men on the board.
    pub(super) fn placements(&self, sector: Sector) -> Arc<Placements> {
        let same =
            |other: &&Sector| (other.mover, other.opponent) == (sector.mover, sector.opponent);
        match self.tables.keys().find(same) {
            Some(other) => self.tables[other].placements.clone(),
            None => Arc::new(Placements::new(
                &self.variant.board,
                sector.mover,
                sector.opponent,
            )),
        }
    }

    /// The stored value of a position, for tests to spoil.
    #[cfg(test)]
    pub(super) fn value_mut(&mut self, position: &Position) -> Option<&mut Value> {
        let placement = canonical_position(&self.variant.board, position);
        let table = self.tables.get_mut(&position.sector())?;
        let number = table.placements.number(placement)?;
        table.values.get_mut(number)
    }

    pub(super) fn insert(&mut self, sector: Sector, table: Table) {
        self.tables.insert(sector, table);
    }
}

/// The placement that stands for a position and its images.
pub(super) fn canonical_position(board: &Board, position: &Position) -> (PointSet, PointSet) {
    canonical(board, position.mover, position.opponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::plain::{Options, solve};

    #[test]
    fn a_distance_that_a_byte_cannot_hold_is_an_error() {
        let variant = Variant::builtin("three").unwrap();
        let mut solution = solve(&variant, &Options::default(), |_| ()).unwrap();
        let index = SectorIndex::new(&variant.board, 3);
        let start = variant.start();
        assert!(solution.scores(start.sector(), &index).is_ok());
        *solution.value_mut(&start).unwrap() = Value::Loss(256);
        let refused = solution.scores(start.sector(), &index).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "sector 0-0+3-3: 256 plies are more than a database stores"
        );
    }
}
