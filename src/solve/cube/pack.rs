//! Between rows of cells and the sectors of the database.
//!
//! A row holds the sets of all sizes mixed; a sector holds those of one size, in the same order. So a
//! row is dealt out to as many streams as there are sizes, and dealt back in, and the order of the
//! streams is the database's index order:
//!
//! ```text
//! row    {} {0} {1} {0,1} {2} {0,2} {1,2} {0,1,2}
//! size 1      *   *        *
//! size 2              *         *     *
//! ```
//!
//! The 64 cells that share all but their six lowest index bits are dealt at once: how many of them go
//! to which stream depends only on the weight of the rest of the index.

use std::ops::RangeInclusive;

use super::block::{BLOCK_BITS, Block, Byte, Cell, Flag};
use crate::cpu::Cpu;
use crate::index::canonical::binomial;

/// Index bits that are dealt at once.
const LOW_BITS: u32 = 6;
const LOW_CELLS: usize = 1 << LOW_BITS;

/// The numbers 0..64 by weight, and within a weight in order; and where each weight starts.
const BY_WEIGHT: ([u8; LOW_CELLS], [usize; 8]) = {
    let mut order = [0; LOW_CELLS];
    let mut starts = [0; 8];
    let (mut next, mut weight) = (0, 0);
    while weight <= LOW_BITS {
        let mut number = 0u32;
        while number < LOW_CELLS as u32 {
            if number.count_ones() == weight {
                order[next] = number as u8;
                next += 1;
            }
            number += 1;
        }
        weight += 1;
        starts[weight as usize] = next;
    }
    (order, starts)
};

/// For each weight the numbers 0..64 that have it, as a bitmap.
const OF_WEIGHT: [u64; 7] = {
    let mut masks = [0; 7];
    let mut number = 0u32;
    while number < LOW_CELLS as u32 {
        masks[number.count_ones() as usize] |= 1 << number;
        number += 1;
    }
    masks
};

/// How many rows are dealt together, so that every piece of every stream is a whole number of units.
pub const GROUP: usize = 64;

/// Cells that can be dealt to sectors.
pub trait Packed: Cell {
    /// What a stream is stored in: bytes, or words of 64 cells.
    type Unit: bytemuck::Pod + Send + Sync;
    /// Cells in a unit.
    const CELLS: usize;

    /// Deals rows of `free` index bits, one after the other, to a stream for each of `sizes`.
    fn deal<C: Cpu>(
        rows: &[Block],
        free: u32,
        sizes: RangeInclusive<u32>,
        streams: &mut [&mut [Self::Unit]],
    );

    /// Collects rows from the streams. Cells of other sizes are left as they are; those past the end of a
    /// row that does not fill a block become 0.
    fn collect<C: Cpu>(
        streams: &[&[Self::Unit]],
        free: u32,
        sizes: RangeInclusive<u32>,
        rows: &mut [Block],
    );
}

/// Units of the stream of one size in a sector of `rows` rows.
pub fn stream_units<P: Packed>(free: u32, size: u32, rows: usize) -> usize {
    (binomial(free as usize, size as usize) as usize * rows).div_ceil(P::CELLS)
}

/// Calls `visit(unit of 64 cells, weight of its low bits, stream)` for all parts of a row, in index order.
#[inline(always)]
fn parts(free: u32, sizes: &RangeInclusive<u32>, mut visit: impl FnMut(usize, usize, usize)) {
    let (least, most) = (*sizes.start(), *sizes.end());
    for high in 0..1usize << free.saturating_sub(LOW_BITS) {
        let weight = high.count_ones();
        if weight > most {
            continue;
        }
        let first = least.saturating_sub(weight);
        let last = (most - weight).min(LOW_BITS.min(free));
        for low in first..=last {
            visit(high, low as usize, (weight + low - least) as usize);
        }
    }
}

impl Packed for Byte {
    type Unit = u8;
    const CELLS: usize = 1;

    #[inline(always)]
    fn deal<C: Cpu>(
        rows: &[Block],
        free: u32,
        sizes: RangeInclusive<u32>,
        streams: &mut [&mut [u8]],
    ) {
        let row_cells = LOW_CELLS.max(1 << free);
        let cells: &[u8] = bytemuck::cast_slice(rows);
        let limit = 1usize << free;
        let mut at = [0usize; 33];
        for row in cells.chunks_exact(row_cells) {
            parts(free, &sizes, |high, weight, stream| {
                let cells = &row[high * LOW_CELLS..][..LOW_CELLS];
                let numbers = numbers_of(weight, limit);
                let out = &mut streams[stream][at[stream]..][..numbers.len()];
                for (out, &number) in out.iter_mut().zip(numbers) {
                    *out = cells[number as usize & (LOW_CELLS - 1)];
                }
                at[stream] += numbers.len();
            });
        }
    }

    #[inline(always)]
    fn collect<C: Cpu>(
        streams: &[&[u8]],
        free: u32,
        sizes: RangeInclusive<u32>,
        rows: &mut [Block],
    ) {
        let row_cells = LOW_CELLS.max(1 << free);
        let limit = 1usize << free;
        let cells: &mut [u8] = bytemuck::cast_slice_mut(rows);
        let mut at = [0usize; 33];
        for row in cells.chunks_exact_mut(row_cells) {
            row[limit..].fill(0);
            parts(free, &sizes, |high, weight, stream| {
                let cells = &mut row[high * LOW_CELLS..][..LOW_CELLS];
                let numbers = numbers_of(weight, limit);
                let from = &streams[stream][at[stream]..][..numbers.len()];
                for (&from, &number) in from.iter().zip(numbers) {
                    cells[number as usize & (LOW_CELLS - 1)] = from;
                }
                at[stream] += numbers.len();
            });
        }
    }
}

/// The numbers below 64 and below `limit` that have a weight.
#[inline(always)]
fn numbers_of(weight: usize, limit: usize) -> &'static [u8] {
    let (order, starts) = &BY_WEIGHT;
    let numbers = &order[starts[weight]..starts[weight + 1]];
    if limit >= LOW_CELLS {
        return numbers;
    }
    &numbers[..numbers.partition_point(|&number| (number as usize) < limit)]
}

impl Packed for Flag {
    type Unit = u64;
    const CELLS: usize = 64;

    #[inline(always)]
    fn deal<C: Cpu>(
        rows: &[Block],
        free: u32,
        sizes: RangeInclusive<u32>,
        streams: &mut [&mut [u64]],
    ) {
        let row_words = 8.max(1usize << free.saturating_sub(LOW_BITS));
        let limit = low_limit(free);
        let mut at = [0usize; 33];
        for stream in streams.iter_mut() {
            stream.fill(0);
        }
        for row in rows.as_flattened().chunks_exact(row_words) {
            parts(free, &sizes, |high, weight, stream| {
                let mask = OF_WEIGHT[weight] & limit;
                let bits = C::pext64(row[high], mask);
                let (word, shift) = (at[stream] / 64, at[stream] % 64);
                streams[stream][word] |= bits << shift;
                let count = mask.count_ones() as usize;
                if shift + count > 64 {
                    streams[stream][word + 1] |= bits >> (64 - shift);
                }
                at[stream] += count;
            });
        }
    }

    #[inline(always)]
    fn collect<C: Cpu>(
        streams: &[&[u64]],
        free: u32,
        sizes: RangeInclusive<u32>,
        rows: &mut [Block],
    ) {
        let row_words = 8.max(1usize << free.saturating_sub(LOW_BITS));
        let limit = low_limit(free);
        let mut at = [0usize; 33];
        for row in rows.as_flattened_mut().chunks_exact_mut(row_words) {
            if free < BLOCK_BITS {
                row[(1usize << free).div_ceil(64)..].fill(0);
                row[0] &= limit;
            }
            parts(free, &sizes, |high, weight, stream| {
                let mask = OF_WEIGHT[weight] & limit;
                let count = mask.count_ones() as usize;
                let (word, shift) = (at[stream] / 64, at[stream] % 64);
                let mut bits = streams[stream][word] >> shift;
                if shift + count > 64 {
                    bits |= streams[stream][word + 1] << (64 - shift);
                }
                row[high] = row[high] & !mask | C::pdep64(bits, mask);
                at[stream] += count;
            });
        }
    }
}

/// The cells of a word that exist in rows of `free` index bits.
#[inline(always)]
fn low_limit(free: u32) -> u64 {
    if free >= LOW_BITS {
        u64::MAX
    } else {
        (1 << (1 << free)) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::solve::cube::block::{EMPTY, blocks_of};
    use crate::solve::cube::kernels::CellAccess;

    fn there_and_back<P: Packed + CellAccess>(
        free: u32,
        sizes: RangeInclusive<u32>,
        value: fn(u32) -> u8,
    ) {
        let rows = 3;
        let blocks = blocks_of::<P>(free);
        let mut cells = vec![EMPTY; rows * blocks];
        for (row, cells) in cells.chunks_exact_mut(blocks).enumerate() {
            for index in (0..1u32 << free).filter(|index| sizes.contains(&index.count_ones())) {
                P::put(cells, index, value(index * 7 + row as u32));
            }
        }
        let units = |size| stream_units::<P>(free, size, rows);
        let mut streams: Vec<Vec<P::Unit>> = sizes
            .clone()
            .map(|size| vec![bytemuck::Zeroable::zeroed(); units(size)])
            .collect();
        let mut slices: Vec<&mut [P::Unit]> = streams.iter_mut().map(|s| &mut s[..]).collect();
        P::deal::<Portable>(&cells, free, sizes.clone(), &mut slices);
        for (stream, size) in streams.iter().zip(sizes.clone()) {
            let bytes: &[u8] = bytemuck::cast_slice(stream);
            let mut place = 0;
            for row in 0..rows {
                for index in (0..1u32 << free).filter(|index| index.count_ones() == size) {
                    let cell = if P::SHIFT == 0 {
                        bytes[place / 8] >> (place % 8) & 1
                    } else {
                        bytes[place]
                    };
                    assert_eq!(
                        cell,
                        value(index * 7 + row as u32),
                        "{free} {size} {row} {index:#b}"
                    );
                    place += 1;
                }
            }
        }
        let mut back = vec![EMPTY; rows * blocks];
        let slices: Vec<&[P::Unit]> = streams.iter().map(|s| &s[..]).collect();
        P::collect::<Portable>(&slices, free, sizes, &mut back);
        assert_eq!(cells, back);
    }

    #[test]
    fn dealing_keeps_the_order_of_the_index() {
        for free in 3..12 {
            for least in 0..=3 {
                for most in least..=free.min(6) {
                    there_and_back::<Byte>(free, least..=most, |n| (n ^ n >> 8) as u8);
                    there_and_back::<Flag>(free, least..=most, |n| {
                        (n.wrapping_mul(2654435761) >> 30) as u8 & 1
                    });
                }
            }
        }
    }
}
