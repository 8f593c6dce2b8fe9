//! Turns taken back, for all cells of a row at once.
//!
//! All kernels read rows of cells and answer "what is the best that a turn from here reaches". A turn
//! ends in the *quiet* row, or in the *capture* row when the man that arrived stands in a mill:
//!
//! ```text
//! slide a->b:   from[M]  <-  to[M - a + b]      = raise a ( lower b ( quiet or capture ) )
//! place a:      from[M]  <-  to[M + a]          = lower a ( quiet or capture )
//! capture x:    from[P]  <-  to[P - x]          = raise x ( to ), where x may be taken in P
//! ```

use super::block::{
    BLOCK_BITS, Block, Byte, Cell, EMPTY, Flag, and_not, lower, raise, select, with_bit, xor,
};
use super::shape::{Mills, Shape};

/// The rows a turn ends in, as seen by the player who made it.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'a> {
    /// After a turn that closes no mill.
    pub quiet: &'a [Block],
    /// After a mill was closed and the best capture made.
    pub capture: &'a [Block],
    /// After two mills were closed and the best two captures made; `None` if that takes one man, too.
    pub double: Option<&'a [Block]>,
    /// Xored onto every word that is read: all ones to read the complement.
    pub flip: u64,
}

impl Ends<'_> {
    #[inline(always)]
    fn block(&self, number: usize, mills: &Mills) -> Block {
        let quiet = xor(self.quiet[number], [self.flip; 8]);
        if mills.is_empty() {
            return quiet;
        }
        let capture = xor(self.capture[number], [self.flip; 8]);
        let best = select(quiet, capture, mills.mask(number));
        match self.double {
            Some(double) if mills.may_pair() => {
                let double = xor(double[number], [self.flip; 8]);
                select(best, double, mills.pair_mask(number))
            }
            _ => best,
        }
    }

    /// Takes the man off index bit `bit`: `out[M]` is the end `M + bit`, for all M without the bit, else 0.
    #[inline(always)]
    fn lift<C: Cell>(&self, bit: u32, mills: &Mills, out: &mut [Block]) {
        let position = bit + C::SHIFT;
        if position < BLOCK_BITS {
            with_bit!(position, BIT => for (number, out) in out.iter_mut().enumerate() {
                *out = lower::<BIT>(self.block(number, mills));
            });
        } else {
            let stride = 1 << (position - BLOCK_BITS);
            for (pair, blocks) in out.chunks_exact_mut(2 * stride).enumerate() {
                let (clear, set) = blocks.split_at_mut(stride);
                let first = pair * 2 * stride + stride;
                for (i, out) in clear.iter_mut().enumerate() {
                    *out = self.block(first + i, mills);
                }
                set.fill(EMPTY);
            }
        }
    }
}

/// Joins `out[M + bit]` with `lifted[M]` for all M without the bit.
#[inline(always)]
fn drop_on<C: Cell>(bit: u32, lifted: &[Block], out: &mut [Block]) {
    let position = bit + C::SHIFT;
    if position < BLOCK_BITS {
        with_bit!(position, BIT => for (out, &lifted) in out.iter_mut().zip(lifted) {
            *out = C::best(*out, raise::<BIT>(lifted));
        });
    } else {
        let stride = 1 << (position - BLOCK_BITS);
        let pairs = out
            .chunks_exact_mut(2 * stride)
            .zip(lifted.chunks_exact(2 * stride));
        for (out, lifted) in pairs {
            for (out, &lifted) in out[stride..].iter_mut().zip(&lifted[..stride]) {
                *out = C::best(*out, lifted);
            }
        }
    }
}

/// Slides: `out[M]` = the best end of a slide of one man of M. `lifted` is scratch space of one row.
#[inline(always)]
pub fn slide_back<C: Cell>(shape: &Shape, ends: Ends, lifted: &mut [Block], out: &mut [Block]) {
    out.fill(EMPTY);
    let mut at = None;
    for &(from, to) in &shape.slides {
        if at != Some(to) {
            ends.lift::<C>(to, &shape.mills::<C>(to), lifted);
            at = Some(to);
        }
        drop_on::<C>(from, lifted, out);
    }
}

/// Placements: joins `out[M]` with the best end of adding one man to M. `lifted` is scratch space of one row.
#[inline(always)]
pub fn place_back<C: Cell>(shape: &Shape, ends: Ends, lifted: &mut [Block], out: &mut [Block]) {
    for bit in 0..shape.count {
        ends.lift::<C>(bit, &shape.mills::<C>(bit), lifted);
        for (out, &lifted) in out.iter_mut().zip(lifted.iter()) {
            *out = C::best(*out, lifted);
        }
    }
}

/// Captures: `out[P]` = the best `source[P - x]` over the men x of P that may be taken.
///
/// `flip` is xored onto the source. Which men may be taken the shape says; where none may, the turn ends
/// without a capture and `out[P]` is `source[P]`.
#[inline(always)]
pub fn capture_back<C: CellAccess>(shape: &Shape, source: &[Block], flip: u64, out: &mut [Block]) {
    out.fill(EMPTY);
    for bit in 0..shape.count {
        let mills = match shape.taking.any() {
            true => Mills::default(),
            false => shape.mills::<C>(bit),
        };
        let position = bit + C::SHIFT;
        if position < BLOCK_BITS {
            with_bit!(position, BIT => for (number, (out, &source)) in out.iter_mut().zip(source).enumerate() {
                let taken = raise::<BIT>(xor(source, [flip; 8]));
                *out = C::best(*out, and_not(taken, mills.mask(number)));
            });
        } else {
            let stride = 1 << (position - BLOCK_BITS);
            let pairs = out
                .chunks_exact_mut(2 * stride)
                .zip(source.chunks_exact(2 * stride));
            for (pair, (out, source)) in pairs.enumerate() {
                let first = pair * 2 * stride + stride;
                let cells = out[stride..].iter_mut().zip(&source[..stride]).enumerate();
                for (i, (out, &source)) in cells {
                    let taken = xor(source, [flip; 8]);
                    *out = C::best(*out, and_not(taken, mills.mask(first + i)));
                }
            }
        }
    }
    // With nobody on the board there is no man to take.
    C::put(out, 0, C::get(source, flip, 0));
    if shape.taking.any() {
        return;
    }
    for &set in &shape.all_in_mills {
        if !shape.taking.from_mills_alone(set.count_ones()) {
            C::put(out, set, C::get(source, flip, set));
            continue;
        }
        let mut best = 0;
        let mut men = set;
        while men != 0 {
            let man = men & men.wrapping_neg();
            best = best.max(C::get(source, flip, set & !man));
            men &= !man;
        }
        C::put(out, set, best);
    }
}

/// Cells that can be read and written one at a time.
pub trait CellAccess: Cell {
    /// The cell at an index, after xoring `flip` onto its word.
    fn get(row: &[Block], flip: u64, index: u32) -> u8;
    /// Overwrites the cell at an index.
    fn put(row: &mut [Block], index: u32, value: u8);
}

impl CellAccess for Flag {
    #[inline(always)]
    fn get(row: &[Block], flip: u64, index: u32) -> u8 {
        ((row.as_flattened()[index as usize / 64] ^ flip) >> (index % 64) & 1) as u8
    }

    #[inline(always)]
    fn put(row: &mut [Block], index: u32, value: u8) {
        let word = &mut row.as_flattened_mut()[index as usize / 64];
        *word = *word & !(1 << (index % 64)) | u64::from(value) << (index % 64);
    }
}

impl CellAccess for Byte {
    #[inline(always)]
    fn get(row: &[Block], flip: u64, index: u32) -> u8 {
        bytemuck::cast_slice::<_, u8>(row)[index as usize] ^ flip as u8
    }

    #[inline(always)]
    fn put(row: &mut [Block], index: u32, value: u8) {
        bytemuck::cast_slice_mut::<_, u8>(row)[index as usize] = value;
    }
}

/// Flying: sets `out[M]` for every M of `men` men of which one can fly to a good end. Three men fly, or one or
/// two whose side has the rest of the three in hand.
#[inline(always)]
pub fn fly_back(shape: &Shape, men: u32, ends: Ends, out: &mut [Block]) {
    match men {
        3 => fly_three_back(shape, ends, out),
        _ => fly_few_back(shape, men, ends, out),
    }
}

/// Flying with three men on the board.
///
/// A man on `a` flies to any free `b`, so M = {p, q, a} has a good end {p, q, b} if the pair {p, q} has
/// one with b other than a. One table entry a pair, a bit for each b, answers that for all M.
#[inline(always)]
fn fly_three_back(shape: &Shape, ends: Ends, out: &mut [Block]) {
    let count = shape.count as usize;
    if count < 4 {
        return;
    }
    let mut good = [[0u32; 32]; 32];
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                if Flag::get(ends.quiet, ends.flip, 1 << i | 1 << j | 1 << k) == 1 {
                    mark(&mut good, [i, j, k], true);
                }
            }
        }
    }
    for &line in &shape.lines {
        let closes = Flag::get(ends.capture, ends.flip, line) == 1;
        mark(&mut good, three_bits(line), closes);
    }
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                let others =
                    good[i][j] & !(1 << k) | good[i][k] & !(1 << j) | good[j][k] & !(1 << i);
                if others != 0 {
                    Flag::put(out, 1 << i | 1 << j | 1 << k, 1);
                }
            }
        }
    }
}

/// Flying with one or two men on the board, too few for a mill.
#[inline(always)]
fn fly_few_back(shape: &Shape, men: u32, ends: Ends, out: &mut [Block]) {
    let count = shape.count as usize;
    let is_good = |set| u32::from(Flag::get(ends.quiet, ends.flip, set) == 1);
    match men {
        1 => {
            let good = (0..count).fold(0, |good, b| good | is_good(1 << b) << b);
            for a in (0..count).filter(|&a| good & !(1 << a) != 0) {
                Flag::put(out, 1 << a, 1);
            }
        }
        2 => {
            let mut good = [0u32; 32];
            for i in 0..count {
                for j in i + 1..count {
                    let together = is_good(1 << i | 1 << j);
                    good[i] |= together << j;
                    good[j] |= together << i;
                }
            }
            for i in 0..count {
                for j in i + 1..count {
                    if good[i] & !(1 << j) | good[j] & !(1 << i) != 0 {
                        Flag::put(out, 1 << i | 1 << j, 1);
                    }
                }
            }
        }
        _ => {}
    }
}

#[inline(always)]
fn mark(good: &mut [[u32; 32]; 32], [i, j, k]: [usize; 3], value: bool) {
    for (a, b, c) in [(i, j, k), (i, k, j), (j, k, i)] {
        good[a][b] = good[a][b] & !(1 << c) | u32::from(value) << c;
    }
}

fn three_bits(set: u32) -> [usize; 3] {
    let first = set.trailing_zeros();
    let last = 31 - set.leading_zeros();
    let middle = (set & !(1 << first) & !(1 << last)).trailing_zeros();
    [first as usize, middle as usize, last as usize]
}
