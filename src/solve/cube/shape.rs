//! What the rules look like inside one row.
//!
//! With the fixed set taken off the board, the free points get index bits 0, 1, 2, ... in point order,
//! and slides and lines that touch the fixed set disappear. A [`Shape`] lists what is left, in index
//! bits:
//!
//! ```text
//! board a-b-c / d-e-f, fixed {b}:   free  a c d e f      slides d-e, e-f      line def
//!                                   bit   0 1 2 3 4              2-3, 3-4          {2,3,4}
//! ```

use super::block::{BLOCK_BITS, Block, Cell, EMPTY, and, or, position_mask, when};
use crate::game::{Board, PointSet, Protection};

/// Which men of a varied set may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taking {
    /// The rule.
    pub protection: Protection,
    /// Men the varied side has in hand, which count as left to it.
    pub hand: u32,
}

impl Default for Taking {
    /// The common rule, and empty hands.
    fn default() -> Self {
        Taking {
            protection: Protection::UnlessAllInMills,
            hand: 0,
        }
    }
}

impl Taking {
    /// Whether men in mills are as good as others.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.protection == Protection::Any
    }

    /// Whether a man may be taken from a set of this many men that all stand in mills.
    #[inline(always)]
    pub fn from_mills_alone(self, men: u32) -> bool {
        match self.protection {
            Protection::UnlessAllInMills | Protection::Any => true,
            Protection::Never => false,
            Protection::UnlessThreeLeft => men + self.hand <= 3,
        }
    }

    /// The men of a set that may be taken, given those that stand in mills.
    #[inline(always)]
    pub fn of(self, set: PointSet, in_mills: PointSet) -> PointSet {
        if self.any() || in_mills == set && self.from_mills_alone(set.count_ones()) {
            return set;
        }
        // Three men of whom some stand in a mill all do, so there is no other case of "unless three are left".
        set & !in_mills
    }
}

/// Index bits, slides and lines of the rows of one fixed set.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Which men of the varied side may be taken.
    pub taking: Taking,
    /// The fixed set.
    pub fixed: PointSet,
    /// The points outside the fixed set.
    pub free: PointSet,
    /// How many free points there are.
    pub count: u32,
    /// The point of every index bit.
    pub points: Vec<u8>,
    /// Slides between free points, both directions: (from, to) as index bits, ordered by `to`.
    pub slides: Vec<(u32, u32)>,
    /// The neighbours of every index bit, as a set of index bits.
    pub adjacent: [u32; 32],
    /// Lines that are wholly free, as sets of index bits.
    pub lines: Vec<u32>,
    /// Unions of such lines (none empty): the sets that stand in mills to the last man.
    pub all_in_mills: Vec<u32>,
}

impl Shape {
    /// Describes the rows of `fixed`; unions of lines are listed up to `most` men.
    pub fn set(&mut self, board: &Board, fixed: PointSet, most: u32) {
        self.fixed = fixed;
        self.free = board.all_points() & !fixed;
        self.count = self.free.count_ones();
        self.points.clear();
        self.points
            .extend((0..board.point_count() as u8).filter(|&p| self.free >> p & 1 == 1));
        let index_of = |point: usize| (self.free & ((1 << point) - 1)).count_ones();
        self.slides.clear();
        for (to, &point) in self.points.iter().enumerate() {
            let mut near = board.neighbours(point.into()) & self.free;
            self.adjacent[to] = 0;
            while near != 0 {
                let from = index_of(near.trailing_zeros() as usize);
                self.slides.push((from, to as u32));
                self.adjacent[to] |= 1 << from;
                near &= near - 1;
            }
        }
        self.lines.clear();
        for &line in board.lines() {
            if line & fixed == 0 {
                let bits = (0..32).filter(|p| line >> p & 1 == 1);
                self.lines
                    .push(bits.fold(0, |set, p| set | 1 << index_of(p)));
            }
        }
        self.all_in_mills.clear();
        unions(&self.lines, 0, most, &mut self.all_in_mills);
    }

    /// How many mills of `set` the man on index bit `bit` stands in.
    #[inline(always)]
    pub fn mills_of(&self, bit: u32, set: u32) -> u32 {
        let held = |line: &&u32| **line >> bit & 1 == 1 && **line & !set == 0;
        self.lines.iter().filter(held).count() as u32
    }

    /// The men of `set` that may be taken.
    #[inline(always)]
    pub fn takeable(&self, set: u32) -> u32 {
        let in_mills = self.lines.iter().fold(
            0,
            |all, &line| if line & !set == 0 { all | line } else { all },
        );
        self.taking.of(set, in_mills)
    }

    /// Where a man on index bit `bit` stands in a mill of the varied set.
    pub fn mills<C: Cell>(&self, bit: u32) -> Mills {
        let mut mills = Mills::default();
        for &line in &self.lines {
            if line >> bit & 1 == 1 {
                mills.conditions.push(condition::<C>(line & !(1 << bit)));
            }
        }
        mills
    }
}

/// Adds every union of one or more of `lines` with `base` that has at most `most` points.
fn unions(lines: &[u32], base: u32, most: u32, out: &mut Vec<u32>) {
    for (i, &line) in lines.iter().enumerate() {
        let union = base | line;
        if union.count_ones() <= most && union != base {
            out.push(union);
            unions(&lines[i + 1..], union, most, out);
        }
    }
}

/// "All these index bits are set", split into a mask inside the block and bits of the block's number.
pub fn condition<C: Cell>(index_bits: u32) -> (Block, usize) {
    let mut inside = [u64::MAX; 8];
    let mut number = 0;
    for bit in 0..32 {
        if index_bits >> bit & 1 == 1 {
            match bit + C::SHIFT {
                position if position < BLOCK_BITS => inside = and(inside, position_mask(position)),
                position => number |= 1 << (position - BLOCK_BITS),
            }
        }
    }
    (inside, number)
}

/// The cells in which a given man stands in a mill: any of a few conditions.
#[derive(Clone, Debug, Default)]
pub struct Mills {
    conditions: Vec<(Block, usize)>,
}

impl Mills {
    /// Whether no cell qualifies.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Whether the man can stand in two mills at once.
    pub fn may_pair(&self) -> bool {
        self.conditions.len() > 1
    }

    /// The cells of block number `block` in which the man stands in two mills or more.
    #[inline(always)]
    pub fn pair_mask(&self, block: usize) -> Block {
        let mut mask = EMPTY;
        for (i, &(inside, number)) in self.conditions.iter().enumerate() {
            for &(other, other_number) in &self.conditions[..i] {
                let both = number | other_number;
                mask = or(mask, when(block & both == both, and(inside, other)));
            }
        }
        mask
    }

    /// The cells of block number `block`.
    #[inline(always)]
    pub fn mask(&self, block: usize) -> Block {
        self.conditions
            .iter()
            .fold(EMPTY, |mask, &(inside, number)| {
                or(mask, when(block & number == number, inside))
            })
    }
}
