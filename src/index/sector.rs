//! Cells of a sector: from a position to its index and back.

use serde::{Deserialize, Serialize};

use crate::game::{Board, PointSet, Position, Sector};
use crate::index::canonical::{CanonicalSets, binomial, sets_of};
use crate::index::rank::{colex_rank, colex_unrank};

/// Which player's men number the rows of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fixed {
    /// The men of the side to move.
    Mover,
    /// The men of the side that just moved.
    Opponent,
}

impl Fixed {
    /// The layout rule: while men are placed in turn, the *second* player's men are fixed, so that both
    /// players' sectors of neighbouring layers have the same rows.
    ///
    /// With equal hands the first player is to move; with one man more in the mover's hand the second
    /// is. Hands that are further apart, in games that may move before all men are placed, do not tell
    /// who began: there the opponent's men are fixed.
    pub fn of(sector: Sector) -> Fixed {
        if u16::from(sector.mover_hand) == u16::from(sector.opponent_hand) + 1 {
            Fixed::Mover
        } else {
            Fixed::Opponent
        }
    }

    /// `(fixed, varied)` from `(mover, opponent)`, and the other way round.
    pub fn order<T>(self, (mover, opponent): (T, T)) -> (T, T) {
        match self {
            Fixed::Mover => (mover, opponent),
            Fixed::Opponent => (opponent, mover),
        }
    }
}

/// Numbers the positions of every sector of one board.
#[derive(Debug)]
pub struct SectorIndex {
    board: Board,
    sets: CanonicalSets,
}

/// The men of a sector by their part in the index.
#[derive(Clone, Copy)]
struct Shape {
    fixed: usize,
    varied: usize,
}

impl Shape {
    fn of(sector: Sector) -> Shape {
        let (fixed, varied) = Fixed::of(sector).order((sector.mover, sector.opponent));
        Shape {
            fixed: fixed.into(),
            varied: varied.into(),
        }
    }
}

impl SectorIndex {
    /// An index for sectors of at most `max_men` men a side. Cheap: the tables of each number of fixed
    /// men are made when they are first needed.
    pub fn new(board: &Board, max_men: usize) -> SectorIndex {
        SectorIndex {
            board: board.clone(),
            sets: CanonicalSets::new(board, max_men),
        }
    }

    /// The canonical sets that number the rows.
    pub fn sets(&self) -> &CanonicalSets {
        &self.sets
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The men that a row of a sector has fixed.
    ///
    /// # Panics
    /// When the sector has no such row.
    pub fn fixed_men(&self, sector: Sector, row: u64) -> PointSet {
        self.sets
            .representative(Shape::of(sector).fixed, row as usize)
    }

    /// Whether the men of a sector fit on the board and into this index.
    pub fn covers(&self, sector: Sector) -> bool {
        let men = usize::from(sector.mover.max(sector.opponent));
        let on_board = usize::from(sector.mover) + usize::from(sector.opponent);
        men <= self.sets.max_men() && on_board <= self.board.point_count()
    }

    /// How many rows a sector has: one per canonical set of the fixed men.
    pub fn rows(&self, sector: Sector) -> u64 {
        if self.covers(sector) {
            self.sets.count(Shape::of(sector).fixed) as u64
        } else {
            0
        }
    }

    /// Cells in every row of a sector: the ways to place the varied men beside the fixed ones.
    pub fn row_len(&self, sector: Sector) -> u64 {
        let shape = Shape::of(sector);
        binomial(
            self.board.point_count().saturating_sub(shape.fixed),
            shape.varied,
        )
    }

    /// Cells of a sector; 0 when its men do not fit.
    pub fn len(&self, sector: Sector) -> u64 {
        self.rows(sector) * self.row_len(sector)
    }

    /// The cell of a position within its sector. All symmetric images have the same one.
    ///
    /// # Panics
    /// When the index does not [cover](Self::covers) the position's sector.
    pub fn rank(&self, position: &Position) -> u64 {
        let sector = position.sector();
        let (fixed, varied) = Fixed::of(sector).order((position.mover, position.opponent));
        let located = self.sets.locate(fixed);
        let men = Shape::of(sector).fixed;
        let row = self.sets.representative(men, located.orbit as usize);
        let image = self.image(located.symmetry, varied);
        // Among the free points ranks grow with the sets, so the least set has the least rank.
        let least = self
            .images_in_row(men, located.orbit as usize, image)
            .fold(image, PointSet::min);
        u64::from(located.orbit) * self.row_len(sector)
            + colex_rank(least, self.board.all_points() & !row)
    }

    /// The men `(mover, opponent)` of the position in a cell.
    ///
    /// # Panics
    /// When the sector has no such cell.
    pub fn unrank(&self, sector: Sector, index: u64) -> (PointSet, PointSet) {
        let shape = Shape::of(sector);
        let (row, cell) = self.split(sector, index);
        let fixed = self.sets.representative(shape.fixed, row);
        let varied = colex_unrank(cell, shape.varied, self.board.all_points() & !fixed);
        Fixed::of(sector).order((fixed, varied))
    }

    /// The position in a cell, with the side to move that [`Sector::position`] gives it.
    ///
    /// # Panics
    /// When the sector has no such cell.
    pub fn position(&self, sector: Sector, cell: u64) -> Position {
        sector.position(self.unrank(sector, cell))
    }

    /// Whether a cell is the one that [`rank`](Self::rank) gives to its position.
    ///
    /// Rows whose fixed set has symmetries of its own hold some positions more than once; the least
    /// cell speaks for them all, the others are duplicates with the same value.
    ///
    /// # Panics
    /// When the sector has no such cell.
    pub fn is_least(&self, sector: Sector, index: u64) -> bool {
        let (mover, opponent) = self.unrank(sector, index);
        let (_, varied) = Fixed::of(sector).order((mover, opponent));
        let (row, _) = self.split(sector, index);
        self.images_in_row(Shape::of(sector).fixed, row, varied)
            .all(|image| image >= varied)
    }

    /// The rows of a sector that hold duplicates.
    pub fn rows_with_duplicates(&self, sector: Sector) -> impl Iterator<Item = u64> {
        let men = Shape::of(sector).fixed;
        (0..self.rows(sector))
            .filter(move |&row| !self.sets.stabilizer(men, row as usize).is_empty())
    }

    /// Calls `visit` with the index of every duplicate in a row: every cell that is not
    /// [least](Self::is_least), in increasing order.
    pub fn for_each_duplicate(&self, sector: Sector, row: u64, mut visit: impl FnMut(u64)) {
        let shape = Shape::of(sector);
        let fixed = self.sets.representative(shape.fixed, row as usize);
        let stabilizer = self.sets.stabilizer(shape.fixed, row as usize);
        let places = Places::new(self.board.all_points() & !fixed);
        let tables: Vec<ImageTable> = stabilizer
            .iter()
            .map(|&s| ImageTable::new(&places, |p| self.board.symmetries()[s as usize].image(p)))
            .collect();
        let first = row * self.row_len(sector);
        for (cell, varied) in sets_of(places.count(), shape.varied).enumerate() {
            if tables.iter().any(|table| table.image(varied) < varied) {
                visit(first + cell as u64);
            }
        }
    }

    fn split(&self, sector: Sector, index: u64) -> (usize, u64) {
        let row_len = self.row_len(sector);
        assert!(
            index < self.len(sector),
            "sector {sector} has no cell {index}"
        );
        ((index / row_len) as usize, index % row_len)
    }

    fn image(&self, symmetry: u16, set: PointSet) -> PointSet {
        self.board.symmetries()[usize::from(symmetry)].apply(set)
    }

    /// The other images of a varied set that stand beside the same fixed set.
    fn images_in_row(
        &self,
        men: usize,
        row: usize,
        varied: PointSet,
    ) -> impl Iterator<Item = PointSet> {
        self.sets
            .stabilizer(men, row)
            .iter()
            .map(move |&symmetry| self.image(symmetry, varied))
    }
}

/// The free points of a row, in order: place i is the i-th of them.
struct Places {
    points: Vec<usize>,
}

impl Places {
    fn new(free: PointSet) -> Places {
        Places {
            points: (0..PointSet::BITS as usize)
                .filter(|&p| free >> p & 1 == 1)
                .collect(),
        }
    }

    fn count(&self) -> usize {
        self.points.len()
    }
}

/// A symmetry of a row as a map of sets of places, one look-up a byte of the set.
struct ImageTable {
    bytes: Vec<[PointSet; 256]>,
}

impl ImageTable {
    /// `symmetry` must map the free points onto themselves.
    fn new(places: &Places, symmetry: impl Fn(usize) -> usize) -> ImageTable {
        let mut bytes = vec![[0; 256]; places.count().div_ceil(8)];
        for (place, &point) in places.points.iter().enumerate() {
            let image = symmetry(point);
            let to = places
                .points
                .binary_search(&image)
                .expect("a symmetry of the fixed set keeps the free points");
            let (byte, bit) = (place / 8, place % 8);
            for pattern in (0..256usize).filter(|pattern| pattern >> bit & 1 == 1) {
                bytes[byte][pattern] |= 1 << to;
            }
        }
        ImageTable { bytes }
    }

    fn image(&self, set: PointSet) -> PointSet {
        let bytes = self.bytes.iter().zip(set.to_le_bytes());
        bytes.fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use std::collections::HashMap;

    fn sector(mover: u8, opponent: u8, mover_hand: u8, opponent_hand: u8) -> Sector {
        Sector {
            mover,
            opponent,
            mover_hand,
            opponent_hand,
        }
    }

    #[test]
    fn the_second_players_men_are_fixed_while_men_are_placed_in_turn() {
        // Equal hands: White is to move, so Black is the opponent.
        assert_eq!(Fixed::of(sector(2, 2, 7, 7)), Fixed::Opponent);
        // White has placed one more: Black is to move.
        assert_eq!(Fixed::of(sector(2, 3, 7, 6)), Fixed::Mover);
        assert_eq!(Fixed::of(sector(4, 3, 0, 0)), Fixed::Opponent);
        assert_eq!(Fixed::of(sector(0, 0, 255, 254)), Fixed::Mover);
        assert_eq!(Fixed::of(sector(1, 1, 9, 4)), Fixed::Opponent);
    }

    #[test]
    fn every_cell_of_small_sectors_leads_to_its_position_and_back() {
        let six = Variant::builtin("six").unwrap();
        let index = SectorIndex::new(&six.board, 6);
        for sector in [
            sector(3, 3, 0, 0),
            sector(4, 2, 1, 1),
            sector(2, 4, 1, 0),
            sector(0, 1, 6, 5),
        ] {
            for cell in 0..index.len(sector) {
                let position = index.position(sector, cell);
                let least = index.rank(&position);
                assert!(least <= cell);
                assert_eq!(
                    least == cell,
                    index.is_least(sector, cell),
                    "{sector} cell {cell}"
                );
                assert_eq!(least / index.row_len(sector), cell / index.row_len(sector));
                for symmetry in six.board.symmetries() {
                    assert_eq!(index.rank(&position.image(symmetry)), least);
                }
            }
        }
    }

    #[test]
    fn every_position_of_a_sector_has_a_cell_that_holds_it() {
        let three = Variant::builtin("three").unwrap();
        let index = SectorIndex::new(&three.board, 3);
        let sector = sector(3, 2, 0, 1);
        let mut images = HashMap::new();
        for mover in sets_of(9, 3) {
            for opponent in sets_of(9, 2).filter(|opponent| opponent & mover == 0) {
                let here = sector.position((mover, opponent));
                let cell = index.rank(&here);
                *images.entry(cell).or_insert(0) += 1;
                let there = index.position(sector, cell);
                assert!(
                    three
                        .board
                        .symmetries()
                        .iter()
                        .any(|s| here.image(s) == there)
                );
            }
        }
        let least = (0..index.len(sector)).filter(|&cell| index.is_least(sector, cell));
        assert_eq!(least.count(), images.len());
    }

    #[test]
    fn duplicates_are_the_cells_that_are_not_least() {
        let six = Variant::builtin("six").unwrap();
        let index = SectorIndex::new(&six.board, 6);
        for sector in [sector(3, 3, 0, 0), sector(5, 1, 0, 1), sector(4, 4, 2, 1)] {
            let mut duplicates = Vec::new();
            for row in index.rows_with_duplicates(sector) {
                index.for_each_duplicate(sector, row, |cell| duplicates.push(cell));
            }
            let expected: Vec<u64> = (0..index.len(sector))
                .filter(|&cell| !index.is_least(sector, cell))
                .collect();
            assert!(!expected.is_empty());
            assert_eq!(duplicates, expected);
        }
    }

    #[test]
    fn sectors_that_do_not_fit_have_no_cells() {
        let three = Variant::builtin("three").unwrap();
        let index = SectorIndex::new(&three.board, 3);
        for outside in [
            sector(4, 3, 0, 0),
            sector(3, 255, 0, 0),
            sector(3, 200, 1, 0),
        ] {
            assert!(!index.covers(outside));
            assert_eq!(index.len(outside), 0);
        }
    }
}
