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
//! [`CanonicalSets::locate`] computes all images of a set at once, from a table of their parts, takes the
//! least, and finds it in the list of representatives. On a board of up to 24 points everything together fits
//! into the processor's caches; a table with the answer for every set would not, and takes longer to make. On
//! larger boards, of up to 32 points, such a table would not fit anywhere.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::game::{Board, PointSet};
use crate::index::orbits::OrbitCounter;

/// Where a set of men belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// Number of the orbit among the orbits of this size.
    pub orbit: u32,
    /// A symmetry (an index into [`Board::symmetries`]) that carries the set to the representative.
    pub symmetry: u16,
}

/// The canonical sets of a board, by number of men.
#[derive(Debug)]
pub struct CanonicalSets {
    points: usize,
    images: Images,
    /// Representatives that differ in these low bits only share a bucket.
    bucket_bits: u32,
    /// How many orbits there are of each size.
    counts: Vec<usize>,
    sizes: Vec<OnceLock<Size>>,
}

/// All sets of one number of men.
#[derive(Debug)]
struct Size {
    representatives: Vec<PointSet>,
    /// For every pattern of the bits above those of a bucket: how many representatives are below it.
    buckets: Vec<u32>,
    /// Symmetries that keep a representative in place, for the few orbits that have any.
    stabilizers: HashMap<u32, Box<[u16]>>,
}

/// Low bits that share a bucket, at least.
const LEAST_BUCKET_BITS: u32 = 8;
/// High bits that tell buckets apart, at most: more would need more room than the representatives.
const MOST_BUCKETS: u32 = 16;

impl CanonicalSets {
    /// Prepares the sets of `0..=max_men` men. Cheap: each size is listed at its first use.
    pub fn new(board: &Board, max_men: usize) -> Self {
        let points = board.point_count();
        let counter = OrbitCounter::new(board);
        let counts = 0..=max_men.min(points);
        let counts: Vec<usize> = counts.map(|men| counter.sets(men) as usize).collect();
        CanonicalSets {
            points,
            images: Images::new(board),
            bucket_bits: LEAST_BUCKET_BITS.max((points as u32).saturating_sub(MOST_BUCKETS)),
            sizes: counts.iter().map(|_| OnceLock::new()).collect(),
            counts,
        }
    }

    /// The largest number of men these sets cover.
    pub fn max_men(&self) -> usize {
        self.sizes.len() - 1
    }

    /// The order of the board's symmetry group.
    pub fn symmetries(&self) -> usize {
        self.images.order
    }

    /// How many orbits of `men` men there are; they are not listed for that.
    pub fn count(&self, men: usize) -> usize {
        self.counts[men]
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
    #[inline]
    pub fn locate(&self, set: PointSet) -> Located {
        let size = self.size(set.count_ones() as usize);
        let (representative, symmetry) = self.images.least(set);
        let bucket = (representative >> self.bucket_bits) as usize;
        let (first, end) = (size.buckets[bucket], size.buckets[bucket + 1]);
        let list = &size.representatives[first as usize..end as usize];
        let before = list.partition_point(|&other| other < representative);
        Located {
            orbit: first + before as u32,
            symmetry,
        }
    }

    #[inline]
    fn size(&self, men: usize) -> &Size {
        self.sizes[men].get_or_init(|| self.list(men))
    }

    fn list(&self, men: usize) -> Size {
        let all = sets_of(self.points, men);
        let representatives: Vec<PointSet> = all.filter(|&set| self.images.is_least(set)).collect();
        let mut buckets = vec![0; (1usize << self.points >> self.bucket_bits) + 2];
        for set in &representatives {
            buckets[(set >> self.bucket_bits) as usize + 1] += 1;
        }
        let mut below = 0;
        for bucket in &mut buckets {
            below += *bucket;
            *bucket = below;
        }
        let stabilizers = representatives
            .iter()
            .zip(0u32..)
            .filter_map(|(&set, orbit)| {
                let keeping = self.images.keeping(set);
                (!keeping.is_empty()).then(|| (orbit, keeping.into()))
            });
        Size {
            buckets,
            stabilizers: stabilizers.collect(),
            representatives,
        }
    }
}

/// Chunks of points in [`Images`].
const CHUNKS: usize = 4;
/// Points of a chunk of a board of up to 24 points: its tables stay in the nearest cache.
const SMALL: usize = 6;
/// Points of a chunk of a larger board.
const LARGE: usize = 8;

/// The images of every set under all symmetries at once.
#[derive(Debug)]
struct Images {
    /// The order of the group.
    order: usize,
    /// Whether chunks have [`LARGE`] points instead of [`SMALL`].
    large: bool,
    /// For each chunk of points and each set within it: its image under every symmetry, in the upper half
    /// of a word. The lower half is the number of the symmetry, in the first chunk, or 0: so the least of
    /// the combined words has the least image and says how to get there.
    parts: Vec<u64>,
}

impl Images {
    fn new(board: &Board) -> Images {
        let symmetries = board.symmetries();
        let large = board.point_count() > CHUNKS * SMALL;
        let size = if large { LARGE } else { SMALL };
        let chunks = (0..CHUNKS).map(|chunk| chunk * size);
        let sets = chunks.flat_map(|from| (0..1 << size).map(move |part: PointSet| (from, part)));
        let parts = sets.flat_map(|(from, part)| {
            symmetries
                .iter()
                .zip(0u64..)
                .map(move |(symmetry, number)| {
                    // Of a board with fewer points the sets that reach past its end never occur.
                    let image = u64::from(symmetry.apply_within(part << from));
                    image << 32 | if from == 0 { number } else { 0 }
                })
        });
        Images {
            order: symmetries.len(),
            large,
            parts: parts.collect(),
        }
    }

    /// The parts of a set's images, by chunk: entry i of each for symmetry i.
    #[inline(always)]
    fn parts(&self, set: PointSet) -> [&[u64]; CHUNKS] {
        if self.large {
            self.parts_of::<LARGE>(set)
        } else {
            self.parts_of::<SMALL>(set)
        }
    }

    #[inline(always)]
    fn parts_of<const SIZE: usize>(&self, set: PointSet) -> [&[u64]; CHUNKS] {
        std::array::from_fn(|chunk| {
            let part = (set >> (SIZE * chunk)) as usize & ((1 << SIZE) - 1);
            let at = ((chunk << SIZE) + part) * self.order;
            &self.parts[at..at + self.order]
        })
    }

    /// The least image and a symmetry that leads to it.
    #[inline(always)]
    fn least(&self, set: PointSet) -> (PointSet, u16) {
        let [a, b, c, d] = self.parts(set);
        let mut least = u64::MAX;
        for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
            least = least.min(a | b | c | d);
        }
        ((least >> 32) as PointSet, least as u16)
    }

    fn is_least(&self, set: PointSet) -> bool {
        let [a, b, c, d] = self.parts(set);
        let mut parts = a.iter().zip(b).zip(c).zip(d);
        parts.all(|(((a, b), c), d)| ((a | b | c | d) >> 32) as PointSet >= set)
    }

    /// The symmetries, other than the identity, that map a set to itself.
    fn keeping(&self, set: PointSet) -> Vec<u16> {
        let [a, b, c, d] = self.parts(set);
        let images = a.iter().zip(b).zip(c).zip(d).skip(1);
        let keeping = images.map(|(((a, b), c), d)| a | b | c | d);
        let keeping = keeping.filter(|image| (image >> 32) as PointSet == set);
        keeping.map(|image| image as u16).collect()
    }
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
