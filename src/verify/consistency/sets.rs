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

/// Bits that the size of a half takes.
const SIZE_BITS: u32 = 4;

/// Ranks of sets among sets of the same size, in increasing order, from two look-ups.
#[derive(Debug)]
pub struct Ranks {
    /// Rank of a set of low places, and below it, in the lowest bits, its size.
    low: Vec<u32>,
    /// What a set of high places adds. The lowest bits of the index are the number of low places beside it, so that
    /// what boards with few free places need lies together.
    high: Vec<u32>,
    choose: [[u32; 26]; 26],
    /// The bits of a byte that another selects, moved together: the index is the selection, and below it the byte.
    together: Vec<u8>,
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
        let low = all().map(|set| sum(set, 0, 0) << SIZE_BITS | set.count_ones());
        let sizes = || 0..1usize << SIZE_BITS;
        let high = all().flat_map(|set| sizes().map(move |before| (set, before)));
        let high = high.map(|(set, before)| sum(set, HALF as usize, before));
        let bytes = || 0..=u32::from(u8::MAX);
        let together = bytes().flat_map(|free| bytes().map(move |set| (set & free, free)));
        let together = together.map(|(set, free)| on_places(set, free) as u8);
        Ranks {
            low: low.collect(),
            high: high.collect(),
            together: together.collect(),
            choose,
        }
    }

    #[inline(always)]
    pub fn of(&self, set: u32) -> usize {
        let low = self.low[(set & ((1 << HALF) - 1)) as usize];
        let size = low & ((1 << SIZE_BITS) - 1);
        let high = self.high[(set >> HALF << SIZE_BITS | size) as usize];
        ((low >> SIZE_BITS) + high) as usize
    }

    /// Rank of `men` among the sets on points outside of `taken`.
    #[inline(always)]
    pub fn beside(&self, men: PointSet, taken: PointSet) -> usize {
        let byte = |set: u32, number: u32| set >> (8 * number) & 0xff;
        let (mut places, mut below) = (0, 0);
        for number in 0..3 {
            let free = byte(!taken, number);
            let together = self.together[(free << 8 | byte(men, number)) as usize];
            places |= u32::from(together) << below;
            below += free.count_ones();
        }
        self.of(places)
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

/// Where a set belongs.
#[derive(Clone, Copy, Debug)]
pub struct Home {
    row: u32,
    symmetry: u16,
    kept: bool,
}

impl Home {
    /// The row of its representative.
    #[inline(always)]
    pub fn row(self) -> usize {
        self.row as usize
    }

    /// A symmetry that leads to the representative.
    #[inline(always)]
    pub fn symmetry(self) -> usize {
        self.symmetry.into()
    }

    /// Whether symmetries other than the identity keep the representative.
    #[inline(always)]
    pub fn is_kept(self) -> bool {
        self.kept
    }
}

/// The sets of one number of men: which are representatives, and where the others belong.
#[derive(Debug)]
pub struct Orbits {
    pub representatives: Vec<PointSet>,
    /// By rank of the set.
    homes: Vec<Home>,
    /// Rows whose set is kept by symmetries other than the identity, with all that keep it.
    keeping: HashMap<u32, Vec<u16>>,
}

impl Orbits {
    pub fn new(board: &Board, ranks: &Ranks, men: usize) -> Orbits {
        const UNSEEN: Home = Home {
            row: u32::MAX,
            symmetry: 0,
            kept: false,
        };
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
            homes: vec![UNSEEN; sets.len()],
            keeping: HashMap::new(),
        };
        for (rank, &set) in sets.iter().enumerate() {
            if orbits.homes[rank].row != UNSEEN.row {
                continue;
            }
            let row = orbits.representatives.len() as u32;
            orbits.representatives.push(set);
            let images = symmetries
                .iter()
                .map(|symmetry| points(set).fold(0, |image, p| image | 1 << symmetry.image(p)));
            let images: Vec<PointSet> = images.collect();
            let keeping = (0..).zip(&images).filter(|(_, image)| **image == set);
            let keeping: Vec<u16> = keeping.map(|(g, _)| g).collect();
            for (g, &image) in images.iter().enumerate() {
                orbits.homes[ranks.of(image)] = Home {
                    row,
                    symmetry: undo[g],
                    kept: keeping.len() > 1,
                };
            }
            if keeping.len() > 1 {
                orbits.keeping.insert(row, keeping);
            }
        }
        orbits
    }

    /// Where a set belongs.
    #[inline(always)]
    pub fn locate(&self, ranks: &Ranks, set: PointSet) -> Home {
        self.homes[ranks.of(set)]
    }

    /// The symmetries that keep the set of a row, if there are any but the identity.
    pub fn keeping(&self, row: usize) -> &[u16] {
        self.keeping.get(&(row as u32)).map_or(&[], Vec::as_slice)
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
        let home = self.locate(ranks, other);
        let symmetry = &board.symmetries()[home.symmetry()];
        let representative = self.representatives[home.row()];
        let image = |p: usize| {
            let image = symmetry.image(p);
            let place = image as u32 - (representative & ((1 << image) - 1)).count_ones();
            (other >> p & 1 == 0).then_some(place)
        };
        let free = points(board.all_points() & !fixed);
        let images: Vec<Option<u32>> = free.map(image).collect();
        (home.row(), PlaceMap::new(&images))
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

/// The places of sets that stand in a line all of whose places the set has, and those that stand in two.
#[derive(Debug, Default)]
pub struct InLines {
    pub once: Vec<u32>,
    pub twice: Vec<u32>,
}

impl InLines {
    /// Looks at other sets.
    pub fn fill(&mut self, lines: &[u32], sets: &[u32]) {
        /// So many sets stay in the cache while one line after the other passes over them.
        const PIECE: usize = 1 << 10;
        for all in [&mut self.once, &mut self.twice] {
            all.clear();
            all.resize(sets.len(), 0);
        }
        let held = self
            .once
            .chunks_mut(PIECE)
            .zip(self.twice.chunks_mut(PIECE));
        for (sets, (once, twice)) in sets.chunks(PIECE).zip(held) {
            for &line in lines {
                for ((&set, once), twice) in sets.iter().zip(&mut *once).zip(&mut *twice) {
                    let held = if set & line == line { line } else { 0 };
                    *twice |= *once & held;
                    *once |= held;
                }
            }
        }
    }
}

/// By place: the sets that lack it, each with its number in a list.
pub fn without_place(sets: &[u32], places: usize) -> Vec<Vec<(u32, u32)>> {
    let numbered = || (0..).zip(sets.iter().copied());
    let lacking = |place| move |(_, set): &(u32, u32)| set >> place & 1 == 0;
    (0..places)
        .map(|place| numbered().filter(lacking(place)).collect())
        .collect()
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
    fn places_in_lines_are_those_that_a_look_at_each_line_finds() {
        let nine = Variant::builtin("nine").unwrap();
        let fixed = 0b1001_0010_0000_1000_0000_0100;
        let (lines, sets) = (lines_on_places(&nine.board, fixed), all_sets(19, 6));
        assert!(lines.len() > 5 && sets.len() > 1 << 10);
        let mut found = InLines::default();
        // A second time, and after other sets.
        found.fill(&lines, &all_sets(19, 5));
        found.fill(&lines, &sets);
        let mut crossings = 0;
        for ((&set, &once), &twice) in sets.iter().zip(&found.once).zip(&found.twice) {
            let through = |place: usize| {
                let held = lines.iter().filter(|&line| set & line == *line);
                held.filter(|&line| line >> place & 1 == 1).count()
            };
            let places = |least: usize| {
                let found = (0..19).filter(|&place| through(place) >= least);
                found.fold(0, |all, place| all | 1 << place)
            };
            assert_eq!((once, twice), (places(1), places(2)), "{set:b}");
            crossings += u32::from(twice != 0);
        }
        assert_eq!(
            (found.once.len(), found.twice.len()),
            (sets.len(), sets.len())
        );
        assert!(crossings > 0);
    }

    #[test]
    fn sets_without_a_place_keep_their_numbers() {
        let sets = all_sets(9, 4);
        let without = without_place(&sets, 9);
        assert_eq!(without.len(), 9);
        for (place, without) in without.iter().enumerate() {
            let lacking = |&(_, &set): &(usize, &u32)| set >> place & 1 == 0;
            let expected = sets.iter().enumerate().filter(lacking);
            let expected: Vec<_> = expected.map(|(at, &set)| (at as u32, set)).collect();
            assert_eq!(*without, expected);
        }
    }

    #[test]
    fn orbits_are_those_of_the_index() {
        let nine = Variant::builtin("nine").unwrap();
        let (ranks, index) = (Ranks::new(), CanonicalSets::new(&nine.board, 5));
        for men in 0..=5 {
            let orbits = Orbits::new(&nine.board, &ranks, men);
            assert_eq!(orbits.representatives, index.representatives(men));
            for set in all_sets(24, men).into_iter().step_by(7) {
                let home = orbits.locate(&ranks, set);
                let representative = nine.board.symmetries()[home.symmetry()].apply(set);
                assert_eq!(home.row() as u32, index.locate(set).orbit);
                assert_eq!(representative, orbits.representatives[home.row()]);
                assert_eq!(home.is_kept(), orbits.keeping(home.row()).len() > 1);
            }
        }
    }
}
