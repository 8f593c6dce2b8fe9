//! Mills of the fixed set, and who can have closed them.

use super::LEAST_MEN;
use crate::game::{Placing, PointSet, Variant, points};
use crate::solve::cube::block::{Block, EMPTY, Flag, when};
use crate::solve::cube::shape::{Shape, condition};

/// Whether and when the fixed side may just have closed a mill.
#[derive(Clone, Debug)]
pub(super) struct FixedMills {
    /// The fixed set has a mill.
    pub(super) any: bool,
    /// All points from which a man can have arrived, as index bits; empty if it may have come from anywhere:
    /// flown in, or placed in a game in which some are placed while others move.
    doors: u32,
    shut: (Block, usize),
}

impl FixedMills {
    #[inline(always)]
    pub(super) fn new(variant: &Variant, shape: &Shape) -> Self {
        // A mill that wins takes nobody.
        let in_mills = match variant.rules.takes_men() {
            true => variant.board.men_in_mills(shape.fixed),
            false => 0,
        };
        Self::of(variant, shape, in_mills)
    }

    /// The same for two mills closed at once.
    #[inline(always)]
    pub(super) fn pairs(variant: &Variant, shape: &Shape) -> Self {
        let board = &variant.board;
        let in_two = |&p: &usize| {
            let lines = board.lines_through(p).iter();
            lines.filter(|&&line| shape.fixed & line == line).count() > 1
        };
        let men = points(board.men_in_mills(shape.fixed)).filter(in_two);
        Self::of(variant, shape, men.fold(0, |men, p| men | 1 << p))
    }

    /// `in_mills` are the men of whom one may have arrived last.
    #[inline(always)]
    fn of(variant: &Variant, shape: &Shape, mut in_mills: PointSet) -> Self {
        let board = &variant.board;
        let flies = variant.rules.flying && shape.fixed.count_ones() == LEAST_MEN;
        let from_anywhere = flies || variant.rules.placing == Placing::PlaceOrMove;
        let mut near = 0;
        let found = in_mills != 0;
        while in_mills != 0 {
            near |= board.neighbours(in_mills.trailing_zeros() as usize);
            in_mills &= in_mills - 1;
        }
        near &= shape.free;
        let mut doors = 0;
        for (index, &point) in shape.points.iter().enumerate() {
            doors |= (near >> point & 1) << index;
        }
        if from_anywhere {
            FixedMills {
                any: found,
                doors: 0,
                shut: (EMPTY, 0),
            }
        } else {
            // Without doors nobody can have arrived at all.
            FixedMills {
                any: found && doors != 0,
                doors,
                shut: condition::<Flag>(doors),
            }
        }
    }

    /// The cells in which the varied set stands on all doors.
    #[inline(always)]
    pub(super) fn out_of_reach(&self, block: usize) -> Block {
        when(block & self.shut.1 == self.shut.1, self.shut.0)
    }

    #[inline(always)]
    pub(super) fn is_out_of_reach(&self, varied: u32) -> bool {
        self.doors != 0 && self.doors & !varied == 0
    }
}
