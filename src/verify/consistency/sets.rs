//! Sets of places and of points: their ranks by table, and a walk over the orbits of the board's
//! symmetries.
//!
//! The database numbers rows by representatives and cells by ranks (see the format in
//! [`database`](crate::database)). This is a second implementation of that numbering, which shares
//! nothing with the one that wrote the files.

use std::collections::HashMap;

use crate::game::{Board, PointSet, points};

/// Sets are ranked in two halves of this many places.
const HALF: u32 = 12;

/// Ranks of sets among sets of the same size, in increasing order, from two look-ups.
#[derive(Debug)]
pub struct Ranks {
    /// Rank of a set of low places.
    low: Vec<u32>,
    /// What a set of high places adds, by the number of low places beside it.
    high: Vec<u32>,
    choose: [[u32; 26]; 26],
}

impl Ranks {
    pub fn new() -> Ranks {
        let mut choose = [[0u32; 26]; 26];
        for n in 0..26 {
            choose[n][0] = 1;
            for k in 1..=n {
                choose[n][k] = choose[n - 1][k - 1] + if k < n { choose[n - 1][k] } else { 0 };
            }
        }
        let sum = |set: u32, from: usize, before: usize| -> u32 {
            let places = (0..HALF as usize).filter(|place| set >> place & 1 == 1);
            let terms = places.enumerate().map(|(i, place)| {
                let (place, size) = (from + place, before + i + 1);
                if place < 25 && size < 25 {
                    choose[place][size]
                } else {
                    0
                }
            });
            terms.sum()
        };
        let all = || 0..1u32 << HALF;
        let low = all().map(|set| sum(set, 0, 0)).collect();
        let before = 0..=HALF as usize;
        let high = before.flat_map(|before| all().map(move |set| (before, set)));
        let high = high
            .map(|(before, set)| sum(set, HALF as usize, before))
            .collect();
        Ranks { low, high, choose }
    }

    #[inline(always)]
    pub fn of(&self, set: u32) -> usize {
        let (low, high) = (set & ((1 << HALF) - 1), set >> HALF);
        let beside = low.count_ones() << HALF;
        (self.low[low as usize] + self.high[(beside | high) as usize]) as usize
    }

    /// Rank of `men` among the sets on points outside of `taken`.
    #[inline(always)]
    pub fn beside(&self, men: PointSet, taken: PointSet) -> usize {
        let (mut rest, mut rank, mut size) = (men, 0, 0);
        while rest != 0 {
            let point = rest.trailing_zeros();
            let place = point - (taken & ((1 << point) - 1)).count_ones();
            size += 1;
            rank += self.choose[place as usize][size];
            rest &= rest - 1;
        }
        rank as usize
    }

    /// How many sets of `men` there are on so many places.
    pub fn count(&self, places: usize, men: usize) -> usize {
        if men > places {
            0
        } else {
            self.choose[places][men] as usize
        }
    }
}

/// All sets of `men` on so many places, in increasing order.
pub fn all_sets(places: usize, men: usize) -> Vec<u32> {
    let mut sets = Vec::new();
    if men > places {
        return sets;
    }
    let end = 1u64 << places;
    let mut set = (1u64 << men) - 1;
    while set < end {
        sets.push(set as u32);
        if set == 0 {
            break;
        }
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        set = carried | (set & !carried) >> (lowest.trailing_zeros() + 1);
    }
    sets
}

/// The sets of one number of men: which are representatives, and where the others belong.
#[derive(Debug)]
pub struct Orbits {
    pub representatives: Vec<PointSet>,
    /// By rank of the set: the row, and a symmetry that leads to its representative.
    row: Vec<u32>,
    symmetry: Vec<u16>,
    /// Rows whose set is kept by symmetries other than the identity, with all that keep it.
    keeping: HashMap<u32, Vec<u16>>,
}

impl Orbits {
    pub fn new(board: &Board, ranks: &Ranks, men: usize) -> Orbits {
        const UNSEEN: u32 = u32::MAX;
        let symmetries = board.symmetries();
        let undo = |g: usize| {
            let back = |h: &usize| {
                (0..board.point_count()).all(|p| symmetries[*h].image(symmetries[g].image(p)) == p)
            };
            (0..symmetries.len()).find(back).unwrap_or_default() as u16
        };
        let undo: Vec<u16> = (0..symmetries.len()).map(undo).collect();
        let sets = all_sets(board.point_count(), men);
        let mut orbits = Orbits {
            representatives: Vec::new(),
            row: vec![UNSEEN; sets.len()],
            symmetry: vec![0; sets.len()],
            keeping: HashMap::new(),
        };
        for (rank, &set) in sets.iter().enumerate() {
            if orbits.row[rank] != UNSEEN {
                continue;
            }
            let row = orbits.representatives.len() as u32;
            orbits.representatives.push(set);
            let mut keeping = Vec::new();
            for (g, symmetry) in symmetries.iter().enumerate() {
                let image = points(set).fold(0, |image, p| image | 1 << symmetry.image(p));
                let at = ranks.of(image);
                orbits.row[at] = row;
                orbits.symmetry[at] = undo[g];
                if image == set {
                    keeping.push(g as u16);
                }
            }
            if keeping.len() > 1 {
                orbits.keeping.insert(row, keeping);
            }
        }
        orbits
    }

    /// The row of a set, and a symmetry that leads to the row's representative.
    #[inline(always)]
    pub fn locate(&self, ranks: &Ranks, set: PointSet) -> (usize, usize) {
        let at = ranks.of(set);
        (self.row[at] as usize, self.symmetry[at].into())
    }

    /// The symmetries that keep the set of a row, if there are any but the identity.
    #[inline(always)]
    pub fn keeping(&self, row: usize) -> Option<&[u16]> {
        if self.keeping.is_empty() {
            return None;
        }
        self.keeping.get(&(row as u32)).map(Vec::as_slice)
    }

    /// The rows whose set is kept by symmetries other than the identity, with all that keep it.
    pub fn kept(&self) -> impl Iterator<Item = (usize, &[u16])> {
        let rows = self.keeping.iter();
        rows.map(|(&row, keeping)| (row as usize, keeping.as_slice()))
    }

    /// How the places beside `fixed` lie in the row of `other`, a set of as many men as these: the row, and the
    /// map of sets of places. `other` may have points that `fixed` lacks; sets that are mapped must not.
    pub fn gather(
        &self,
        board: &Board,
        ranks: &Ranks,
        fixed: PointSet,
        other: PointSet,
    ) -> (usize, PlaceMap) {
        let (row, symmetry) = self.locate(ranks, other);
        let symmetry = &board.symmetries()[symmetry];
        let representative = self.representatives[row];
        let image = |p: usize| {
            let image = symmetry.image(p);
            let place = image as u32 - (representative & ((1 << image) - 1)).count_ones();
            (other >> p & 1 == 0).then_some(place)
        };
        let free = points(board.all_points() & !fixed);
        let images: Vec<Option<u32>> = free.map(image).collect();
        (row, PlaceMap::new(&images))
    }
}

/// The places, counted among the free points, that these of them have.
pub fn on_places(set: PointSet, free: PointSet) -> u32 {
    let place = |p: usize| (free & ((1 << p) - 1)).count_ones();
    points(set).fold(0, |places, p| places | 1 << place(p))
}

/// The points that have these places among the free ones.
pub fn on_points(places: u32, free: PointSet) -> PointSet {
    let chosen = points(free)
        .enumerate()
        .filter(|(place, _)| places >> place & 1 == 1);
    chosen.fold(0, |set, (_, p)| set | 1 << p)
}

/// The lines that are free beside a fixed set, as sets of places.
pub fn lines_on_places(board: &Board, fixed: PointSet) -> Vec<u32> {
    let free = board.all_points() & !fixed;
    let lines = board.lines().iter().filter(|&&line| line & fixed == 0);
    lines.map(|&line| on_places(line, free)).collect()
}

/// A map of sets of places, a look-up a byte.
#[derive(Debug)]
pub struct PlaceMap([[u32; 256]; 3]);

impl PlaceMap {
    /// The map that takes place i to `images[i]`; places without an image must not occur.
    pub fn new(images: &[Option<u32>]) -> PlaceMap {
        let mut tables = [[0; 256]; 3];
        for (byte, table) in tables.iter_mut().enumerate() {
            let image = |bit: usize| images.get(8 * byte + bit).copied().flatten();
            for set in 1..256usize {
                let bit = set.trailing_zeros() as usize;
                table[set] = table[set & (set - 1)] | image(bit).map_or(0, |place| 1 << place);
            }
        }
        PlaceMap(tables)
    }

    #[inline(always)]
    pub fn of(&self, set: u32) -> u32 {
        let [a, b, c] = &self.0;
        a[(set & 255) as usize] | b[(set >> 8 & 255) as usize] | c[(set >> 16 & 255) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use crate::index::{CanonicalSets, colex_rank};

    #[test]
    fn ranks_are_places_in_the_list_of_all_sets() {
        let ranks = Ranks::new();
        for (places, men) in [(24, 3), (20, 7), (15, 9), (13, 13), (24, 0)] {
            let sets = all_sets(places, men);
            assert_eq!(sets.len(), ranks.count(places, men));
            assert!(
                sets.iter()
                    .enumerate()
                    .all(|(rank, &set)| ranks.of(set) == rank)
            );
        }
        let (men, taken) = (
            0b1001_0010_0000_1000_0000_0100,
            0b0100_0000_1010_0010_0000_1000,
        );
        assert_eq!(
            ranks.beside(men, taken) as u64,
            colex_rank(men, 0xff_ffff & !taken)
        );
    }

    #[test]
    fn orbits_are_those_of_the_index() {
        let nine = Variant::builtin("nine").unwrap();
        let (ranks, index) = (Ranks::new(), CanonicalSets::new(&nine.board, 5));
        for men in 0..=5 {
            let orbits = Orbits::new(&nine.board, &ranks, men);
            assert_eq!(orbits.representatives, index.representatives(men));
            for set in all_sets(24, men).into_iter().step_by(7) {
                let (row, symmetry) = orbits.locate(&ranks, set);
                let representative = nine.board.symmetries()[symmetry].apply(set);
                assert_eq!(row as u32, index.locate(set).orbit);
                assert_eq!(representative, orbits.representatives[row]);
            }
        }
    }
}
