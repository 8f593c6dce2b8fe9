//! Canonical sets: one man-set out of every family of symmetric images.
//!
//! The symmetries of the board turn a set of men into up to 16 (for `nine`) images that are worth the
//! same. The *least* image, read as a number (bit p = point p), stands for them all: it is the
//! *representative* of its *orbit*. Orbits of one size are numbered by increasing representative:
//!
//! ```text
//! nine, one man on the board        representative   orbit
//! a4 g4 d7 d1 c4 e4 d5 d3           a4               0
//! a7 g7 a1 g1 c5 e5 c3 e3           a7               1
//! b4 f4 d6 d2                       b4               2
//! b6 f6 b2 f2                       b6               3
//! ```
//!
//! A table over all sets of one size, built when that size is first asked for, answers
//! [`CanonicalSets::locate`] in two or three memory accesses. It is addressed by the upper half of the
//! set and the rank of its lower half among halves of equal weight, so that only sets of the wanted
//! size have slots.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::game::{Board, PointSet, Symmetry};

/// The largest board whose sets are tabulated.
pub const MAX_POINTS: usize = 24;

/// Where a set of men belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// Number of the orbit among the orbits of this size.
    pub orbit: u32,
    /// A symmetry (an index into [`Board::symmetries`]) that carries the set to the representative.
    pub symmetry: u16,
}

/// The canonical sets of a board of at most [`MAX_POINTS`] points, by number of men.
#[derive(Debug)]
pub struct CanonicalSets {
    points: usize,
    low_points: usize,
    /// For every pattern of the low half: its rank among the patterns of equal weight.
    low_rank: Vec<u32>,
    symmetries: Vec<Symmetry>,
    /// For every symmetry the index of its inverse.
    inverse: Vec<u16>,
    sizes: Vec<OnceLock<Size>>,
}

/// All sets of one number of men.
#[derive(Debug)]
struct Size {
    /// First slot of the sets that have a given pattern in the high half.
    high_base: Vec<u32>,
    orbit: Vec<u32>,
    symmetry: Vec<u16>,
    representatives: Vec<PointSet>,
    /// Symmetries that keep a representative in place, for the few orbits that have any.
    stabilizers: HashMap<u32, Box<[u16]>>,
}

impl CanonicalSets {
    /// Prepares the sets of `0..=max_men` men. Cheap: each size is tabulated at its first use.
    ///
    /// # Panics
    /// When the board has more than [`MAX_POINTS`] points; callers check that when they choose a solver.
    pub fn new(board: &Board, max_men: usize) -> Self {
        let points = board.point_count();
        assert!(
            points <= MAX_POINTS,
            "boards of more than {MAX_POINTS} points are not indexed"
        );
        let low_points = points / 2;
        let mut seen = vec![0u32; low_points + 1];
        let low_rank = (0u32..1 << low_points)
            .map(|low| {
                let rank = &mut seen[low.count_ones() as usize];
                *rank += 1;
                *rank - 1
            })
            .collect();
        let symmetries = board.symmetries().to_vec();
        let inverse = symmetries
            .iter()
            .map(|s| inverse_of(s, &symmetries, points))
            .collect();
        let sizes = (0..=max_men.min(points)).map(|_| OnceLock::new()).collect();
        CanonicalSets {
            points,
            low_points,
            low_rank,
            symmetries,
            inverse,
            sizes,
        }
    }

    /// The largest number of men these sets cover.
    pub fn max_men(&self) -> usize {
        self.sizes.len() - 1
    }

    /// The order of the board's symmetry group.
    pub fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    /// How many orbits of `men` men there are.
    pub fn count(&self, men: usize) -> usize {
        self.size(men).representatives.len()
    }

    /// The representatives of `men` men, increasing: entry i is that of orbit i.
    pub fn representatives(&self, men: usize) -> &[PointSet] {
        &self.size(men).representatives
    }

    /// The least set of an orbit.
    pub fn representative(&self, men: usize, orbit: usize) -> PointSet {
        self.size(men).representatives[orbit]
    }

    /// The symmetries, other than the identity, that map the representative of an orbit to itself.
    pub fn stabilizer(&self, men: usize, orbit: usize) -> &[u16] {
        self.size(men)
            .stabilizers
            .get(&(orbit as u32))
            .map_or(&[], |s| s)
    }

    /// The orbit of a set, and a symmetry that carries the set to its representative.
    pub fn locate(&self, set: PointSet) -> Located {
        let size = self.size(set.count_ones() as usize);
        let slot = self.slot(size, set);
        Located {
            orbit: size.orbit[slot],
            symmetry: size.symmetry[slot],
        }
    }

    fn size(&self, men: usize) -> &Size {
        self.sizes[men].get_or_init(|| self.tabulate(men))
    }

    fn slot(&self, size: &Size, set: PointSet) -> usize {
        let low = set & ((1 << self.low_points) - 1);
        let high = set >> self.low_points;
        (size.high_base[high as usize] + self.low_rank[low as usize]) as usize
    }

    fn tabulate(&self, men: usize) -> Size {
        const UNSEEN: u32 = u32::MAX;
        let high_points = self.points - self.low_points;
        let mut slots = 0u32;
        let high_base = (0u32..1 << high_points)
            .map(|high| {
                let base = slots;
                if let Some(low_men) = men.checked_sub(high.count_ones() as usize) {
                    slots += binomial(self.low_points, low_men) as u32;
                }
                base
            })
            .collect();
        let mut size = Size {
            high_base,
            orbit: vec![UNSEEN; slots as usize],
            symmetry: vec![0; slots as usize],
            representatives: Vec::new(),
            stabilizers: HashMap::new(),
        };
        for set in sets_of(self.points, men) {
            if size.orbit[self.slot(&size, set)] == UNSEEN {
                self.open_orbit(&mut size, set);
            }
        }
        size.representatives.shrink_to_fit();
        size
    }

    /// Numbers a new orbit and marks all images of its representative.
    fn open_orbit(&self, size: &mut Size, representative: PointSet) {
        let orbit = size.representatives.len() as u32;
        size.representatives.push(representative);
        let mut stabilizer = Vec::new();
        for (index, symmetry) in self.symmetries.iter().enumerate() {
            let image = symmetry.apply(representative);
            let slot = self.slot(size, image);
            if size.orbit[slot] != orbit {
                size.orbit[slot] = orbit;
                size.symmetry[slot] = self.inverse[index];
            }
            if image == representative && index != 0 {
                stabilizer.push(index as u16);
            }
        }
        if !stabilizer.is_empty() {
            size.stabilizers.insert(orbit, stabilizer.into());
        }
    }
}

/// Index of the symmetry that undoes `symmetry`.
fn inverse_of(symmetry: &Symmetry, all: &[Symmetry], points: usize) -> u16 {
    let undoes = |other: &Symmetry| (0..points).all(|p| other.image(symmetry.image(p)) == p);
    all.iter()
        .position(undoes)
        .expect("a group holds its inverses") as u16
}

/// All sets of `men` points out of `points`, as masks, in increasing order.
pub fn sets_of(points: usize, men: usize) -> impl Iterator<Item = PointSet> {
    let end = 1u64 << points;
    let mut next = Some((1u64 << men) - 1).filter(|_| men <= points);
    std::iter::from_fn(move || {
        let set = next?;
        // Gosper's step to the next larger number of equal weight.
        next = (set != 0)
            .then(|| {
                let lowest = set & set.wrapping_neg();
                let ripple = set + lowest;
                ripple | (((set ^ ripple) >> 2) / lowest)
            })
            .filter(|&set| set < end);
        Some(set as PointSet)
    })
}

/// Number of ways to choose `k` out of `n` (0 when `k > n`).
pub const fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    let mut result = 1u64;
    let mut i = 0;
    while i < k {
        result = result * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    result
}
