//! Blocks of 512 bits, the unit of all kernels.
//!
//! A row is a bitmap (or byte map) over the subsets of its free points: index bit j says whether free
//! point j is in the subset. Cells are 1 bit (`SHIFT` 0) or 8 bits (`SHIFT` 3) wide, so index bit j of
//! a cell is *position bit* j + `SHIFT` of its first bit. A [`Block`] holds the nine lowest position
//! bits; the rest is the number of the block:
//!
//! ```text
//!              block number        |       inside the block
//!   position:  ... 12 11 10 9      |  8 7 6      5 4 3 2 1 0
//!                                  |  word       bit of the word
//! ```
//!
//! Moving a man is moving a position bit, so a kernel needs three things: the mask of positions where a
//! bit is set ([`position_mask`]), and [`raise`] and [`lower`], which carry what stands where the bit is
//! clear to where it is set, and back. Above the block both are merely another block number.

/// 512 bits.
pub type Block = [u64; 8];

/// Number of position bits inside a block.
pub const BLOCK_BITS: u32 = 9;

/// The empty block.
pub const EMPTY: Block = [0; 8];

const WORD_MASKS: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// The positions inside a block whose bit `bit` (below [`BLOCK_BITS`]) is set.
pub const fn position_mask(bit: u32) -> Block {
    let mut block = EMPTY;
    let mut word = 0;
    while word < 8 {
        block[word] = if bit < 6 {
            WORD_MASKS[bit as usize]
        } else if word >> (bit - 6) & 1 == 1 {
            u64::MAX
        } else {
            0
        };
        word += 1;
    }
    block
}

/// Carries the contents of all positions with bit `BIT` clear to the positions with it set; the rest becomes 0.
#[inline(always)]
pub fn raise<const BIT: u32>(block: Block) -> Block {
    let mut result = EMPTY;
    for word in 0..8 {
        if BIT < 6 {
            result[word] = (block[word] & !WORD_MASKS[BIT as usize % 6]) << (1u32 << (BIT % 6));
        } else if word >> (BIT - 6) & 1 == 1 {
            result[word] = block[word ^ (1 << (BIT - 6))];
        }
    }
    result
}

/// Carries the contents of all positions with bit `BIT` set to the positions with it clear; the rest becomes 0.
#[inline(always)]
pub fn lower<const BIT: u32>(block: Block) -> Block {
    let mut result = EMPTY;
    for word in 0..8 {
        if BIT < 6 {
            result[word] = (block[word] & WORD_MASKS[BIT as usize % 6]) >> (1u32 << (BIT % 6));
        } else if word >> (BIT - 6) & 1 == 0 {
            result[word] = block[word ^ (1 << (BIT - 6))];
        }
    }
    result
}

/// Calls `$body` with the constant `$BIT` equal to the run-time value `$bit`, which is below [`BLOCK_BITS`].
macro_rules! with_bit {
    ($bit:expr, $BIT:ident => $body:expr) => {
        match $bit {
            0 => {
                const $BIT: u32 = 0;
                $body
            }
            1 => {
                const $BIT: u32 = 1;
                $body
            }
            2 => {
                const $BIT: u32 = 2;
                $body
            }
            3 => {
                const $BIT: u32 = 3;
                $body
            }
            4 => {
                const $BIT: u32 = 4;
                $body
            }
            5 => {
                const $BIT: u32 = 5;
                $body
            }
            6 => {
                const $BIT: u32 = 6;
                $body
            }
            7 => {
                const $BIT: u32 = 7;
                $body
            }
            _ => {
                const $BIT: u32 = 8;
                $body
            }
        }
    };
}
pub(super) use with_bit;

/// Word by word `a & b`.
#[inline(always)]
pub fn and(a: Block, b: Block) -> Block {
    std::array::from_fn(|i| a[i] & b[i])
}

/// Word by word `a & !b`.
#[inline(always)]
pub fn and_not(a: Block, b: Block) -> Block {
    std::array::from_fn(|i| a[i] & !b[i])
}

/// Word by word `a | b`.
#[inline(always)]
pub fn or(a: Block, b: Block) -> Block {
    std::array::from_fn(|i| a[i] | b[i])
}

/// Word by word `a ^ b`.
#[inline(always)]
pub fn xor(a: Block, b: Block) -> Block {
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// `a` where `mask` is clear, `b` where it is set.
#[inline(always)]
pub fn select(a: Block, b: Block, mask: Block) -> Block {
    std::array::from_fn(|i| (a[i] & !mask[i]) | (b[i] & mask[i]))
}

/// `block` where `condition` holds, else the empty block.
#[inline(always)]
pub fn when(condition: bool, block: Block) -> Block {
    let mask = (condition as u64).wrapping_neg();
    std::array::from_fn(|i| block[i] & mask)
}

/// Whether any bit is set.
#[inline(always)]
pub fn any(block: Block) -> bool {
    block.iter().fold(0, |all, word| all | word) != 0
}

/// How cells are made and how the better of two is taken.
pub trait Cell: Copy + Send + Sync + 'static {
    /// Position bit of index bit 0: the binary logarithm of the cell's width in bits.
    const SHIFT: u32;
    /// Cell by cell the better of two, for the player who chooses. An all-zero cell never wins.
    fn best(a: Block, b: Block) -> Block;
}

/// One-bit cells: "some choice has the property".
#[derive(Clone, Copy, Debug)]
pub struct Flag;

impl Cell for Flag {
    const SHIFT: u32 = 0;

    #[inline(always)]
    fn best(a: Block, b: Block) -> Block {
        or(a, b)
    }
}

/// One-byte cells: the largest [`Score`](crate::value::Score).
#[derive(Clone, Copy, Debug)]
pub struct Byte;

impl Cell for Byte {
    const SHIFT: u32 = 3;

    #[inline(always)]
    fn best(a: Block, b: Block) -> Block {
        let a: [u8; 64] = bytemuck::cast(a);
        let b: [u8; 64] = bytemuck::cast(b);
        let mut best = [0u8; 64];
        for i in 0..64 {
            best[i] = a[i].max(b[i]);
        }
        bytemuck::cast(best)
    }
}

/// Number of index bits inside a block of `C`.
pub const fn index_bits<C: Cell>() -> u32 {
    BLOCK_BITS - C::SHIFT
}

/// Number of blocks of a row with `free` free points.
pub const fn blocks_of<C: Cell>(free: u32) -> usize {
    1 << free.saturating_sub(index_bits::<C>())
}

/// Which cells of a row stand for subsets of an allowed size, block by block.
///
/// A block's allowed cells depend only on how many high index bits its number has set.
#[derive(Clone, Debug)]
pub struct Sizes {
    by_weight: Vec<Block>,
}

impl Sizes {
    /// The cells of subsets of `least..=most` points in rows with `free` free points.
    pub fn new<C: Cell>(free: u32, least: u32, most: u32) -> Self {
        let inside = index_bits::<C>();
        let by_weight = (0..=free.saturating_sub(inside))
            .map(|high| {
                let mut block = EMPTY;
                for cell in 0..1u32 << inside.min(free) {
                    let size = high + cell.count_ones();
                    if (least..=most).contains(&size) {
                        let bit = cell << C::SHIFT;
                        let ones = if C::SHIFT == 0 {
                            1
                        } else {
                            (1u64 << (1 << C::SHIFT)) - 1
                        };
                        block[bit as usize / 64] |= ones << (bit % 64);
                    }
                }
                block
            })
            .collect();
        Sizes { by_weight }
    }

    /// The mask of block number `block`.
    #[inline(always)]
    pub fn mask(&self, block: usize) -> Block {
        self.by_weight[block.count_ones() as usize]
    }
}
