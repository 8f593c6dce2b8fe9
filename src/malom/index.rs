//! How Malom numbers positions.
//!
//! The men of the side to move are turned into the least of their images, which numbers a *row*; within it the
//! opponent's men are ranked among the sets of as many men on the points that are left, in increasing order.
//! That is what [`SectorIndex`](crate::index::SectorIndex) does with the second player's men, but here it is
//! always the mover's that are fixed, and a position has an entry for each way to see it:
//!
//! ```text
//! std_3_3_0_0   row 0   a4 a7 d7 to move   opponent: subsets of 21 points   entries 0 ... 1329
//!               row 1   a4 a7 g7                                            entries 1330 ... 2659
//!
//! row 0, which operation 5 keeps in place:   a4 a7 d7 against g7 g4 b4   a position
//!                                            a4 a7 d7 against a1 d1 d6   redirect by operation 5
//! ```
//!
//! Where operations keep the mover's men in place, only the entry with the least of the opponent's sets is a position;
//! the others are redirects to it, by the lowest operation that leads there.
//!
//! The 16 symmetries have numbers that are stored in files. With k the place in a ring of eight, clockwise from
//! the west:
//!
//! ```text
//! operation   0     1     2     3     4    5     6     7    |  8 ... 14: as 0 ... 6, and the outer and inner
//! k goes to   k+2   k+4   k+6   4-k   -k   2-k   6-k   k    |  ring change places, as by 7;  15: nothing moves
//! ```

use std::collections::HashMap;
use std::sync::OnceLock;

use super::entry::OPS;
use crate::game::{Board, PointSet, Sector, points};
use crate::index::colex_unrank;
use crate::verify::consistency::sets::{Orbits, PlaceMap, Ranks};

/// Points of every board that Malom knows.
const POINTS: usize = 24;

/// Numbers the entries of sector files.
#[derive(Debug)]
pub struct MalomIndex {
    board: Board,
    ops: Vec<PlaceMap>,
    pub(super) ranks: Ranks,
    /// By number of men, each made when it is first asked for.
    orbits: Vec<OnceLock<Orbits>>,
    /// By number of men: for rows whose men some operations keep in place, what these do to the places beside them.
    stays: Vec<OnceLock<HashMap<usize, Vec<PlaceMap>>>>,
}

impl MalomIndex {
    /// For one of the boards that Malom knows: that of `nine`, with diagonals or without.
    pub fn new(board: &Board) -> MalomIndex {
        let op = |op| {
            let images: Vec<_> = (0..POINTS).map(|p| Some(image(op, p) as u32)).collect();
            PlaceMap::new(&images)
        };
        MalomIndex {
            board: board.clone(),
            ops: (0..OPS).map(op).collect(),
            ranks: Ranks::new(),
            orbits: (0..=POINTS / 2).map(|_| OnceLock::new()).collect(),
            stays: (0..=POINTS / 2).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many rows sectors with so many men to move have.
    pub fn rows(&self, mover: u8) -> usize {
        self.orbits(mover).representatives.len()
    }

    /// Entries of a row.
    pub fn row_len(&self, sector: Sector) -> usize {
        let places = POINTS.saturating_sub(sector.mover.into());
        self.ranks.count(places, sector.opponent.into())
    }

    /// Entries of a sector.
    pub fn entries(&self, sector: Sector) -> u64 {
        self.rows(sector.mover) as u64 * self.row_len(sector) as u64
    }

    /// The entry that speaks for a position, which is no redirect.
    ///
    /// # Panics
    /// When the side to move has more than twelve men on the board.
    pub fn entry(&self, mover: PointSet, opponent: PointSet) -> u64 {
        let orbits = self.orbits(mover.count_ones() as u8);
        let home = orbits.locate(&self.ranks, mover);
        let seed = orbits.representatives[home.row()];
        let image = self.board.symmetries()[home.symmetry()].apply(opponent);
        let images = self.keeping(seed).into_iter();
        let least = images.map(|op| self.image(op, image)).fold(image, u32::min);
        let places = POINTS - mover.count_ones() as usize;
        let row_len = self.ranks.count(places, opponent.count_ones() as usize);
        home.row() as u64 * row_len as u64 + self.ranks.beside(least, seed) as u64
    }

    /// The men `(mover, opponent)` of an entry.
    ///
    /// # Panics
    /// When the sector has no such entry.
    pub fn men(&self, sector: Sector, entry: u64) -> (PointSet, PointSet) {
        let row_len = self.row_len(sector) as u64;
        let mover = self.seed(sector.mover, (entry / row_len) as usize);
        let free = self.board.all_points() & !mover;
        let opponent = colex_unrank(entry % row_len, sector.opponent.into(), free);
        (mover, opponent)
    }

    /// The image of a set under an operation, one of the first 15.
    pub(super) fn image(&self, op: u8, set: PointSet) -> PointSet {
        self.ops[usize::from(op)].of(set)
    }

    /// The mover's men of a row.
    pub(super) fn seed(&self, men: u8, row: usize) -> PointSet {
        self.orbits(men).representatives[row]
    }

    /// The operations, other than the last, that keep a set in place; the lowest first.
    pub(super) fn keeping(&self, set: PointSet) -> Vec<u8> {
        let keeps = |op: &u8| self.image(*op, set) == set;
        (0..OPS).filter(keeps).collect()
    }

    /// What the operations, other than the last, that keep the men of a row in place do to the places beside them.
    pub(super) fn stays(&self, men: u8, row: usize) -> &[PlaceMap] {
        let list = || {
            let rows = self.orbits(men).representatives.iter().enumerate();
            let rows = rows.map(|(row, &seed)| (row, self.on_places(seed)));
            rows.filter(|(_, maps)| !maps.is_empty()).collect()
        };
        let stays = self.stays[usize::from(men).min(POINTS / 2)].get_or_init(list);
        stays.get(&row).map_or(&[], Vec::as_slice)
    }

    fn on_places(&self, seed: PointSet) -> Vec<PlaceMap> {
        let free = self.board.all_points() & !seed;
        let place = |p: usize| (free & ((1 << p) - 1)).count_ones();
        let map = |op| {
            let images = points(free).map(|p| Some(place(image(op, p))));
            PlaceMap::new(&images.collect::<Vec<_>>())
        };
        self.keeping(seed).into_iter().map(map).collect()
    }

    /// The redirect of an entry, whose seed these operations keep; `None` if it is a position.
    pub(super) fn redirect(&self, keeping: &[u8], opponent: PointSet) -> Option<u8> {
        let least = |op: &&u8| self.image(**op, opponent);
        // Of equals the first is taken, which is the lowest.
        let op = keeping.iter().min_by_key(least)?;
        (self.image(*op, opponent) < opponent).then_some(*op)
    }

    /// All rows of so many men.
    pub(super) fn orbits(&self, men: u8) -> &Orbits {
        let men = usize::from(men).min(POINTS / 2);
        self.orbits[men].get_or_init(|| Orbits::new(&self.board, &self.ranks, men))
    }

    /// The map from the places beside a set to the points of the board.
    pub(super) fn on_points(&self, set: PointSet) -> PlaceMap {
        let free = points(self.board.all_points() & !set);
        PlaceMap::new(&free.map(|p| Some(p as u32)).collect::<Vec<_>>())
    }
}

/// Where an operation takes the man on a point.
fn image(op: u8, point: usize) -> usize {
    let (ring, k) = (point / 8, point % 8);
    let to = match op % 8 {
        0 => k + 2,
        1 => k + 4,
        2 => k + 6,
        3 => 12 - k,
        4 => 8 - k,
        5 => 10 - k,
        6 => 14 - k,
        _ => k,
    };
    let swaps = (7..OPS).contains(&op);
    let ring = if swaps { 2 - ring } else { ring };
    8 * ring + to % 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use crate::index::OrbitCounter;

    fn index(id: &str) -> MalomIndex {
        MalomIndex::new(&Variant::builtin(id).unwrap().board)
    }

    fn set(board: &Board, labels: &str) -> PointSet {
        let points = labels.split(' ').map(|label| board.point(label).unwrap());
        points.fold(0, |set, p| set | 1 << p)
    }

    #[test]
    fn operations_are_the_symmetries_of_the_board_in_malom_s_order() {
        for id in ["nine", "twelve", "lasker"] {
            let index = index(id);
            let symmetries = index.board().symmetries();
            assert_eq!(symmetries.len(), 16);
            let mut seen = std::collections::BTreeSet::new();
            for op in 0..=OPS {
                let images: Vec<usize> = (0..POINTS).map(|p| image(op, p)).collect();
                let same = |s: usize| (0..POINTS).all(|p| symmetries[s].image(p) == images[p]);
                seen.insert((0..16).find(|&s| same(s)).expect("a symmetry"));
            }
            assert_eq!(seen.len(), 16);
        }
        // Inverses as the program's own table has them.
        let inverse = [2, 1, 0, 3, 4, 5, 6, 7, 10, 9, 8, 11, 12, 13, 14, 15];
        for (op, back) in (0..).zip(inverse) {
            assert!((0..POINTS).all(|p| image(back, image(op, p)) == p), "{op}");
        }
        // A quarter turn takes a4 to d7, operation 3 exchanges left and right, 4 top and bottom.
        let index = index("nine");
        let goes = |op, from: &str| {
            let point = index.image(op, set(index.board(), from));
            index.board().labels(point)
        };
        assert_eq!(goes(0, "a4"), "d7");
        assert_eq!(goes(3, "b6"), "f6");
        assert_eq!(goes(4, "b6"), "b2");
        assert_eq!(goes(7, "a7"), "c5");
        assert_eq!(goes(8, "a7"), "e5");
    }

    /// Source of the counts: Malom's own numbering, by number of men.
    #[test]
    fn rows_are_as_many_as_malom_s() {
        let index = index("nine");
        let rows: Vec<usize> = (0..=9).map(|men| index.rows(men)).collect();
        let malom = [1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880];
        assert_eq!(rows, malom);
        let sizes = [
            ("3-3", 210_140),
            ("3-4", 945_630),
            ("4-3", 862_980),
            ("8-8", 603_332_730),
        ];
        for (sector, entries) in sizes {
            assert_eq!(index.entries(sector.parse().unwrap()), entries);
        }
    }

    #[test]
    fn seeds_are_the_least_of_their_images_in_increasing_order() {
        for id in ["nine", "twelve"] {
            let index = index(id);
            for men in [0, 1, 2, 5] {
                let seeds = &index.orbits(men).representatives;
                assert!(seeds.windows(2).all(|pair| pair[0] < pair[1]));
                for &seed in seeds {
                    assert!((0..OPS).all(|op| index.image(op, seed) >= seed));
                }
            }
        }
    }

    #[test]
    fn the_entries_that_are_no_redirects_are_the_distinct_positions() {
        let index = index("nine");
        let counter = OrbitCounter::new(index.board());
        for name in ["0-1+9-8", "1-2+8-7", "2-3+6-6", "3-3"] {
            let sector: Sector = name.parse().unwrap();
            let mut positions = 0;
            for entry in 0..index.entries(sector) {
                let (mover, opponent) = index.men(sector, entry);
                let target = match index.redirect(&index.keeping(mover), opponent) {
                    None => {
                        positions += 1;
                        entry
                    }
                    Some(op) => {
                        assert_eq!(index.image(op, mover), mover);
                        index.entry(mover, index.image(op, opponent))
                    }
                };
                assert_eq!(index.entry(mover, opponent), target, "{name} {entry}");
                // Seen from elsewhere it has the same entry.
                let op = (entry % 15) as u8;
                let seen = (index.image(op, mover), index.image(op, opponent));
                assert_eq!(index.entry(seen.0, seen.1), target);
            }
            let distinct = counter.positions(sector.mover.into(), sector.opponent.into());
            assert_eq!(positions, distinct, "{name}");
        }
    }
}
