//! Reading a row under other names of its points.
//!
//! The neighbour of a row (one man more or less in the fixed set) is stored under its canonical set. To
//! read it with our own index bits, its index bits have to be permuted, and one of them inserted or
//! left out:
//!
//! ```text
//! target bit   0   1   2   3   4   5         source bit of each; "-" is the point the neighbour's new
//! source bit   2   0   -   1   4   3         man stands on: only cells without it are read
//! ```
//!
//! Bits inside a block are put right first, by passes that swap two bits in all blocks; then the blocks
//! are visited under permuted numbers.

use super::block::{
    BLOCK_BITS, Block, Cell, EMPTY, and, and_not, index_bits, lower, or, position_mask, raise,
    with_bit,
};

/// A way to read source rows as target rows.
#[derive(Clone, Debug)]
pub struct Relabel {
    /// How the source is brought into the work space.
    load: Load,
    /// Swaps of position bits in the work space: the first is inside the block.
    swaps: Vec<(u32, u32)>,
    /// Work-space bit (of the block number) for every bit of the target's block number.
    number_bits: Vec<Option<u32>>,
    /// The target bit that is clear in all cells read, when it lies inside the block and the work space
    /// lacks it: work-space number bit where its place is taken, and its position.
    spread: Option<(u32, u32)>,
    /// Cells of the target that exist, when a row does not fill a block.
    cells: Option<Block>,
    work_blocks: usize,
    target_blocks: usize,
}

#[derive(Clone, Copy, Debug)]
enum Load {
    /// As it is.
    Whole,
    /// Only blocks without this bit of the block number, which is closed up.
    Without(u32),
    /// Only cells without this position bit; the highest bit of the block number takes its place.
    Fold(u32),
}

impl Relabel {
    /// Plans to read rows of `source` index bits as rows of `sources.len()` index bits.
    ///
    /// `sources` names the source bit of every target bit; `None` (at most once) for a target bit that is
    /// clear in all cells that can be read. At most one source bit may be missing: it is read as clear.
    ///
    /// # Panics
    /// When more than one bit is inserted or left out.
    pub fn new<C: Cell>(source: u32, sources: &[Option<u32>]) -> Self {
        let inside = index_bits::<C>();
        let target = sources.len() as u32;
        let dropped: Vec<u32> = (0..source)
            .filter(|&bit| !sources.contains(&Some(bit)))
            .collect();
        let inserted: Vec<u32> = (0..target)
            .filter(|&bit| sources[bit as usize].is_none())
            .collect();
        assert!(dropped.len() <= 1 && inserted.len() <= 1 && dropped.len() + inserted.len() <= 1);
        // Padding bits of rows smaller than a block are bits like others, clear in all cells.
        let padded_source = source.max(inside);
        let mut wanted: Vec<Option<u32>> = sources.to_vec();
        if let (Some(&bit), true) = (inserted.first(), source < inside) {
            wanted[bit as usize] = Some(source);
        }
        let mut load = Load::Whole;
        // `holds[i]`: the source bit at work-space bit i.
        let mut holds: Vec<u32> = (0..padded_source).collect();
        match dropped.first() {
            Some(&bit) if source > inside && bit >= inside => {
                load = Load::Without(bit - inside);
                holds.remove(bit as usize);
            }
            Some(&bit) if source > inside => {
                load = Load::Fold(bit + C::SHIFT);
                holds[bit as usize] = source - 1;
                holds.pop();
            }
            _ => {}
        }
        let work_bits = holds.len() as u32;
        let mut swaps = Vec::new();
        for bit in 0..inside.min(target) {
            let Some(source) = wanted[bit as usize] else {
                continue;
            };
            let at = holds
                .iter()
                .position(|&held| held == source)
                .expect("source bits are in the work space");
            if at as u32 != bit {
                holds.swap(bit as usize, at);
                swaps.push((bit + C::SHIFT, at as u32 + C::SHIFT));
            }
        }
        let mut spread = None;
        if let Some(bit) = (0..inside.min(target)).find(|&bit| wanted[bit as usize].is_none()) {
            // What stands on this position belongs to some bit of the block number.
            spread = Some((work_bits - inside, bit + C::SHIFT));
            holds.push(holds[bit as usize]);
            holds[bit as usize] = u32::MAX;
        }
        let number_bits = (inside..target)
            .map(|bit| {
                wanted[bit as usize].map(|source| {
                    holds
                        .iter()
                        .position(|&held| held == source)
                        .expect("as above") as u32
                        - inside
                })
            })
            .collect();
        let cells = (target < inside).then(|| {
            (target..inside).fold([u64::MAX; 8], |cells, bit| {
                and_not(cells, position_mask(bit + C::SHIFT))
            })
        });
        Relabel {
            load,
            swaps,
            number_bits,
            spread,
            cells,
            work_blocks: 1 << (work_bits - inside),
            target_blocks: 1 << target.saturating_sub(inside),
        }
    }

    /// Reads a row: `visit(number, block)` for target blocks that can hold a set of at most `most` points.
    ///
    /// Cells of larger sets may hold anything. `work` is scratch space of at least one source row.
    #[inline(always)]
    pub fn read<C: Cell>(
        &self,
        source: &[Block],
        most: u32,
        work: &mut [Block],
        mut visit: impl FnMut(usize, Block),
    ) {
        let source = if self.swaps.is_empty() && matches!(self.load, Load::Whole) {
            source
        } else {
            let work = &mut work[..self.work_blocks];
            self.load(source, most, work);
            for &(a, b) in &self.swaps {
                if b < BLOCK_BITS {
                    swap_inside(a, b, most, work)
                } else {
                    swap_across(a, b, most, work)
                }
            }
            &*work
        };
        let numbers = Numbers::new(&self.number_bits);
        let spread_mask = self
            .spread
            .map_or(EMPTY, |(_, position)| position_mask(position));
        for target in 0..self.target_blocks {
            if target.count_ones() > most || target & numbers.closed != 0 {
                continue;
            }
            let number = numbers.of(target);
            let block = match self.spread {
                None => source[number],
                Some((bit, _)) if number >> bit & 1 == 0 => and_not(source[number], spread_mask),
                Some((bit, position)) => {
                    let block = source[number & !(1 << bit)];
                    with_bit!(position, BIT => lower::<BIT>(block))
                }
            };
            visit(target, self.cells.map_or(block, |cells| and(block, cells)));
        }
    }

    #[inline(always)]
    fn load(&self, source: &[Block], most: u32, work: &mut [Block]) {
        match self.load {
            Load::Whole => work.copy_from_slice(&source[..work.len()]),
            Load::Without(bit) => {
                let low = (1usize << bit) - 1;
                for (number, block) in work.iter_mut().enumerate() {
                    if number.count_ones() <= most {
                        *block = source[number & low | (number & !low) << 1];
                    }
                }
            }
            Load::Fold(position) => {
                let (lower_half, upper_half) = source.split_at(work.len());
                with_bit!(position, BIT => {
                    let mask = position_mask(BIT);
                    for (number, block) in work.iter_mut().enumerate() {
                        if number.count_ones() <= most {
                            *block = or(and_not(lower_half[number], mask), raise::<BIT>(upper_half[number]));
                        }
                    }
                });
            }
        }
    }
}

/// Swaps position bit `a` inside the block with bit `b` of the block number.
#[inline(always)]
fn swap_across(a: u32, b: u32, most: u32, work: &mut [Block]) {
    let bit = 1usize << (b - BLOCK_BITS);
    with_bit!(a, BIT => {
        let mask = position_mask(BIT);
        for (pair, blocks) in work.chunks_exact_mut(2 * bit).enumerate() {
            let (clear, set) = blocks.split_at_mut(bit);
            let high = pair.count_ones();
            for (i, (clear, set)) in clear.iter_mut().zip(set).enumerate() {
                if high + i.count_ones() < most {
                    let (c, s) = (*clear, *set);
                    *clear = or(and_not(c, mask), raise::<BIT>(s));
                    *set = or(and(s, mask), lower::<BIT>(c));
                }
            }
        }
    });
}

/// Swaps two position bits inside the block.
#[inline(always)]
fn swap_inside(a: u32, b: u32, most: u32, work: &mut [Block]) {
    with_bit!(a, A => with_bit!(b, B => {
        let (mask_a, mask_b) = (position_mask(A), position_mask(B));
        for (number, block) in work.iter_mut().enumerate() {
            if number.count_ones() < most {
                let both = and(*block, and(mask_a, mask_b));
                let neither = and_not(*block, or(mask_a, mask_b));
                let crossed = or(raise::<B>(lower::<A>(*block)), raise::<A>(lower::<B>(*block)));
                *block = or(or(both, neither), crossed);
            }
        }
    }));
}

/// Permuted block numbers, through two small tables.
struct Numbers {
    low: [u32; 512],
    high: [u32; 512],
    /// Bits of the target's number that are clear in all blocks that can be read.
    closed: usize,
}

impl Numbers {
    #[inline(always)]
    fn new(bits: &[Option<u32>]) -> Self {
        let mut numbers = Numbers {
            low: [0; 512],
            high: [0; 512],
            closed: 0,
        };
        for (target, source) in bits.iter().enumerate() {
            if source.is_none() {
                numbers.closed |= 1 << target;
            }
        }
        let (low, high) = bits.split_at(bits.len().min(9));
        fill(&mut numbers.low, low);
        fill(&mut numbers.high, high);
        numbers
    }

    #[inline(always)]
    fn of(&self, target: usize) -> usize {
        (self.low[target & 511] | self.high[target >> 9]) as usize
    }
}

#[inline(always)]
fn fill(table: &mut [u32; 512], bits: &[Option<u32>]) {
    for (bit, source) in bits.iter().enumerate() {
        let value = source.map_or(0, |source| 1 << source);
        for i in 0..1 << bit {
            table[1 << bit | i] = table[i] | value;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::solve::cube::block::{Byte, Flag, blocks_of};
    use crate::solve::cube::kernels::CellAccess;

    /// Reads cell by cell what [`Relabel::read`] reads block by block.
    fn compare<C: CellAccess>(source_bits: u32, sources: &[Option<u32>], seed: u64) {
        let target_bits = sources.len() as u32;
        let mut source = vec![EMPTY; blocks_of::<C>(source_bits)];
        let mut random = seed | 1;
        for index in 0..1u32 << source_bits {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            C::put(
                &mut source,
                index,
                (random >> 40) as u8 & if C::SHIFT == 0 { 1 } else { 255 },
            );
        }
        let mut work = vec![EMPTY; source.len()];
        let mut target = vec![EMPTY; blocks_of::<C>(target_bits)];
        let relabel = Relabel::new::<C>(source_bits, sources);
        relabel.read::<C>(&source, 32, &mut work, |number, block| {
            target[number] = block
        });
        for index in 0..1u32 << target_bits {
            let mut from = Some(0);
            for (bit, &source) in sources.iter().enumerate() {
                if index >> bit & 1 == 1 {
                    from = from.zip(source).map(|(from, source)| from | 1 << source);
                }
            }
            let wanted = from.map_or(0, |from| C::get(&source, 0, from));
            assert_eq!(
                C::get(&target, 0, index),
                wanted,
                "{source_bits} {sources:?} {index:#b}"
            );
        }
    }

    fn relabelling() -> impl Strategy<Value = (u32, Vec<Option<u32>>)> {
        (2u32..14, 0..3u32).prop_flat_map(|(bits, kind)| {
            (Just((0..bits).collect::<Vec<_>>()).prop_shuffle(), 0..bits).prop_map(
                move |(order, at)| {
                    let mut sources: Vec<_> = order.into_iter().map(Some).collect();
                    match kind {
                        0 => sources.insert(at as usize, None),
                        1 => drop(sources.remove(at as usize)),
                        _ => {}
                    }
                    (bits, sources)
                },
            )
        })
    }

    proptest! {
        #[test]
        fn reads_what_the_definition_says((bits, sources) in relabelling(), seed: u64) {
            compare::<Flag>(bits, &sources, seed);
            compare::<Byte>(bits, &sources, seed);
        }
    }
}
