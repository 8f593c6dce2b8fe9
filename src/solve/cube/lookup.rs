//! The transpose: from (fixed set, varied set) to the same position with the roles exchanged.
//!
//! The rows of all fixed sets in play lie one after the other in an address space of bits. The rows of
//! equal size form a *class*; classes start at a multiple of the *band* size, and no row crosses a band:
//!
//! ```text
//! | 3 men: 158 rows of 2^21 | pad | 4 men: 757 rows of 2^20 | pad | ... | 9 men: 82,880 rows of 2^15 |
//! | band 0 | band 1 | ...                                                                            |
//! ```
//!
//! For a varied set one table entry tells the address of the row of its representative and a symmetry
//! that carries it there; the image of the fixed set under that symmetry, gathered over the
//! representative's free points, is the index in that row. The 16 images of the fixed set are the same
//! for a whole row, so a bit costs one table access and one `pext`.

use std::ops::RangeInclusive;

use super::block::{Flag, blocks_of};
use super::stream;
use crate::cpu::Cpu;
use crate::game::{Board, PointSet};
use crate::index::canonical::{CanonicalSets, binomial};

/// Largest size of a band: 4 MiB of every plane fit the second-level cache of one core, roughly.
const MAX_BAND_BITS: u32 = 25;
/// Bands to aim for on small boards, so that all threads have work.
const WANTED_BANDS: u64 = 64;

const REPRESENTATIVE_BITS: u32 = 24;
const ADDRESS_BITS: u32 = 25;
const SYMMETRY_BITS: u32 = 14;
/// Sets that are looked up at the same time, so that their table entries are on the way together.
const BATCH: usize = 128;

const SYMMETRIC: u64 = 1 << (REPRESENTATIVE_BITS + ADDRESS_BITS + SYMMETRY_BITS);

/// All rows of one size of the fixed set.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Men of the fixed set.
    pub men: u32,
    /// Free points: index bits of a row.
    pub free: u32,
    /// Number of rows.
    pub rows: usize,
    /// Binary logarithm of the bits a row takes.
    pub row_bits: u32,
    /// Bit address of the first row.
    pub address: u64,
}

/// Where the rows of all classes lie.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The classes, by increasing number of men.
    pub classes: Vec<Class>,
    /// Binary logarithm of the bits of a band.
    pub band_bits: u32,
    /// Number of bands, padding included.
    pub bands: usize,
    /// How many sets more than one symmetry carries to their representative, each counted once for every
    /// symmetry but the first: so many more bits than positions a transposed row can have.
    pub repeats: usize,
}

impl Layout {
    /// Lays out the rows of fixed sets of `least..=most` men on a board of `points` points.
    pub fn new(sets: &CanonicalSets, points: u32, least: u32, most: u32) -> Self {
        let band_bits = Self::best_band_bits(sets, points, least..=most);
        Self::in_bands(sets, points, least..=most, band_bits)
    }

    /// The binary logarithm of a good size of bands for the rows of fixed sets of these sizes.
    pub fn best_band_bits(sets: &CanonicalSets, points: u32, men: RangeInclusive<u32>) -> u32 {
        let classes = classes(sets, points, men);
        let total: u64 = classes.iter().map(|c| (c.rows as u64) << c.row_bits).sum();
        let widest = classes.iter().map(|c| c.row_bits).max().unwrap_or(0);
        (total / WANTED_BANDS)
            .max(1)
            .ilog2()
            .clamp(widest, widest.max(MAX_BAND_BITS))
    }

    /// As [`new`](Self::new), with bands of `2^band_bits` bits, which hold a row of any size.
    pub fn in_bands(
        sets: &CanonicalSets,
        points: u32,
        men: RangeInclusive<u32>,
        band_bits: u32,
    ) -> Self {
        let mut classes = classes(sets, points, men);
        let mut bands = 0;
        for class in &mut classes {
            class.address = bands << band_bits;
            bands += ((class.rows as u64) << class.row_bits).div_ceil(1 << band_bits);
        }
        // A set whose representative is kept by s symmetries has an orbit of group order / s sets.
        let sets_of = |class: &Class| binomial(points as usize, class.men as usize) as usize;
        let repeats = classes
            .iter()
            .map(|c| c.rows * sets.symmetries() - sets_of(c))
            .sum();
        Layout {
            classes,
            band_bits,
            bands: bands as usize,
            repeats,
        }
    }

    /// The most messages of one kind that a row of `row_bits` can send to the rows of this layout.
    pub fn most_messages(&self, row_bits: u32) -> usize {
        (1 << row_bits) + self.repeats
    }

    /// Bits of all bands together.
    pub fn bits(&self) -> u64 {
        (self.bands as u64) << self.band_bits
    }

    /// The class a band belongs to, and the number of its first row.
    pub fn band(&self, band: usize) -> (&Class, usize) {
        let address = (band as u64) << self.band_bits;
        let class = self
            .classes
            .iter()
            .rfind(|c| c.address <= address)
            .expect("bands start at class 0");
        (
            class,
            ((address - class.address) >> class.row_bits) as usize,
        )
    }

    /// How many rows a band holds.
    pub fn rows_in(&self, band: usize) -> usize {
        let (class, first) = self.band(band);
        (class.rows - first).min(1 << (self.band_bits - class.row_bits))
    }
}

/// The classes of fixed sets of these sizes, not yet laid out.
fn classes(sets: &CanonicalSets, points: u32, men: RangeInclusive<u32>) -> Vec<Class> {
    men.map(|men| {
        let free = points - men;
        Class {
            men,
            free,
            rows: sets.count(men as usize),
            row_bits: (blocks_of::<Flag>(free) as u64 * 512).ilog2(),
            address: 0,
        }
    })
    .collect()
}

/// The symmetries of a board as look-up tables of three bytes.
#[derive(Debug)]
struct Images {
    tables: Vec<[[u32; 256]; 3]>,
}

impl Images {
    fn new(board: &Board) -> Self {
        let table = |symmetry: &crate::game::Symmetry| {
            let mut table = [[0; 256]; 3];
            for (byte, row) in table.iter_mut().enumerate() {
                for (pattern, image) in row.iter_mut().enumerate() {
                    let set = (pattern as u32) << (8 * byte);
                    *image = symmetry.apply(set & board.all_points());
                }
            }
            table
        };
        Images {
            tables: board.symmetries().iter().map(table).collect(),
        }
    }

    #[inline(always)]
    fn apply(&self, symmetry: usize, set: PointSet) -> PointSet {
        let table = &self.tables[symmetry];
        table[0][(set & 255) as usize]
            | table[1][(set >> 8 & 255) as usize]
            | table[2][(set >> 16 & 255) as usize]
    }
}

/// The table that finds the transposed place of a position.
#[derive(Debug)]
pub struct Transpose {
    low_points: u32,
    low_rank: Vec<u32>,
    high_base: Vec<u32>,
    entries: Vec<u64>,
    unit_bits: u32,
    all_points: PointSet,
    images: Images,
    /// By representative: the symmetries that keep it, for the few that have any.
    stabilizers: std::collections::HashMap<PointSet, Box<[u16]>>,
}

impl Transpose {
    /// Tabulates all sets of the sizes in `layout`. `None` when the address space or the group is too large.
    pub fn new(board: &Board, sets: &CanonicalSets, layout: &Layout) -> Option<Self> {
        let points = board.point_count() as u32;
        let low_points = points / 2;
        let sizes = layout.classes.first()?.men..=layout.classes.last()?.men;
        let unit_bits = layout.classes.iter().map(|c| c.row_bits).min()?;
        if layout.bits() >> unit_bits >= 1 << ADDRESS_BITS
            || board.symmetries().len() > 1 << SYMMETRY_BITS
        {
            return None;
        }
        let (low_rank, by_weight) = rank_by_weight(low_points);
        let mut slots = 0u32;
        let high_base = (0u32..1 << (points - low_points))
            .map(|high| {
                // The low halves that fit are consecutive in the order by weight.
                let start = |weight: u32| {
                    let weight = weight.saturating_sub(high.count_ones()) as usize;
                    by_weight[weight.min(by_weight.len() - 1)]
                };
                let (first, end) = (start(*sizes.start()), start(*sizes.end() + 1));
                let base = slots.wrapping_sub(first);
                slots += end - first;
                base
            })
            .collect();
        let mut transpose = Transpose {
            low_points,
            low_rank,
            high_base,
            entries: vec![0; slots as usize],
            unit_bits,
            all_points: board.all_points(),
            images: Images::new(board),
            stabilizers: Default::default(),
        };
        for class in &layout.classes {
            for row in 0..class.rows {
                transpose.enter(sets, class, row);
            }
        }
        Some(transpose)
    }

    fn enter(&mut self, sets: &CanonicalSets, class: &Class, row: usize) {
        let representative = sets.representative(class.men as usize, row);
        let stabilizer = sets.stabilizer(class.men as usize, row);
        let mut common = u64::from(representative)
            | (class.address + ((row as u64) << class.row_bits)) >> self.unit_bits
                << REPRESENTATIVE_BITS;
        if !stabilizer.is_empty() {
            common |= SYMMETRIC;
            self.stabilizers.insert(representative, stabilizer.into());
        }
        for symmetry in 0..self.images.tables.len() {
            let image = self.images.apply(symmetry, representative);
            let back = u64::from(sets.locate(image).symmetry);
            let slot = self.slot(image);
            self.entries[slot] = common | back << (REPRESENTATIVE_BITS + ADDRESS_BITS);
        }
    }

    #[inline(always)]
    fn slot(&self, set: PointSet) -> usize {
        let low = set & ((1 << self.low_points) - 1);
        let high = set >> self.low_points;
        self.high_base[high as usize].wrapping_add(self.low_rank[low as usize]) as usize
    }

    /// Fills `images` with the images of a fixed set under all symmetries, for [`Transpose::places`].
    pub fn images_of(&self, fixed: PointSet, images: &mut Vec<PointSet>) {
        images.clear();
        images.extend(
            (0..self.images.tables.len()).map(|symmetry| self.images.apply(symmetry, fixed)),
        );
    }

    /// Finds every bit address at which the positions (fixed set, varied set) stand when the varied set is
    /// the fixed one. `images` are those of the fixed set, `indices` say which of the `free` points the
    /// varied sets take.
    #[inline(always)]
    pub fn places<C: Cpu>(
        &self,
        images: &[PointSet],
        free: PointSet,
        indices: &[u32],
        mut visit: impl FnMut(u64),
    ) {
        let mut slots = [0; BATCH];
        for indices in indices.chunks(BATCH) {
            for (slot, &index) in slots.iter_mut().zip(indices) {
                *slot = self.slot(C::pdep(index, free));
                stream::prefetch(&self.entries[*slot]);
            }
            for &slot in &slots[..indices.len()] {
                let entry = self.entries[slot];
                let representative = entry as u32 & ((1 << REPRESENTATIVE_BITS) - 1);
                let row =
                    (entry >> REPRESENTATIVE_BITS & ((1 << ADDRESS_BITS) - 1)) << self.unit_bits;
                let symmetry = entry >> (REPRESENTATIVE_BITS + ADDRESS_BITS);
                let image = images[symmetry as usize & ((1 << SYMMETRY_BITS) - 1)];
                let free = self.all_points & !representative;
                visit(row + u64::from(C::pext(image, free)));
                if entry & SYMMETRIC != 0 {
                    for &kept in self.stabilizers[&representative].iter() {
                        let image = self.images.apply(kept.into(), image);
                        visit(row + u64::from(C::pext(image, free)));
                    }
                }
            }
        }
    }
}

/// For every pattern of `points` bits its rank in the order by weight, and where each weight starts.
fn rank_by_weight(points: u32) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; points as usize + 2];
    for pattern in 0u32..1 << points {
        starts[pattern.count_ones() as usize + 1] += 1;
    }
    for weight in 1..starts.len() {
        starts[weight] += starts[weight - 1];
    }
    let mut next = starts.clone();
    let ranks = (0u32..1 << points)
        .map(|pattern| {
            let rank = &mut next[pattern.count_ones() as usize];
            *rank += 1;
            *rank - 1
        })
        .collect();
    (ranks, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::game::Variant;

    #[test]
    fn transposing_twice_comes_back() {
        let six = Variant::builtin("six").unwrap();
        let sets = CanonicalSets::new(&six.board, 6);
        let layout = Layout::new(&sets, 16, 3, 6);
        let transpose = Transpose::new(&six.board, &sets, &layout).unwrap();
        let mut images = Vec::new();
        for class in &layout.classes {
            for row in (0..class.rows).step_by(3) {
                let fixed = sets.representative(class.men as usize, row);
                let free = six.board.all_points() & !fixed;
                for varied in crate::index::canonical::sets_of(16, 4).filter(|v| v & fixed == 0) {
                    let index = Portable::pext(varied, free);
                    let here = class.address + ((row as u64) << class.row_bits) + u64::from(index);
                    transpose.images_of(fixed, &mut images);
                    let mut back = Vec::new();
                    transpose.places::<Portable>(&images, free, &[index], |address| {
                        let other = &layout.classes[1];
                        let row = ((address - other.address) >> other.row_bits) as usize;
                        let set = sets.representative(4, row);
                        let index = address as u32 & ((1 << other.row_bits) - 1);
                        let free = six.board.all_points() & !set;
                        let mut images = Vec::new();
                        transpose.images_of(set, &mut images);
                        transpose.places::<Portable>(&images, free, &[index], |address| {
                            back.push(address)
                        });
                    });
                    assert!(back.contains(&here), "{fixed:#x} {varied:#x}");
                }
            }
        }
    }
}
