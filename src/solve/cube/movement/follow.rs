//! One ply in a row in which little has changed: the turns that lead to the changes are taken back one by
//! one.

use super::row::RowWork;
use super::{LEAST_MEN, Seek, Worker};
use crate::solve::cube::block::Block;

impl RowWork<'_> {
    /// Takes back the turns that lead to the few bits that changed.
    #[inline(always)]
    pub(super) fn follow(&mut self, [quiet, capture]: [&[u32]; 2]) {
        let mask = (1u32 << self.row_bits) - 1;
        for (list, closes_mill) in [(quiet, false), (capture, true)] {
            for &place in list {
                let reached = place & mask;
                let shape = &self.worker.shape;
                let mut men = reached;
                while men != 0 {
                    let man = men.trailing_zeros();
                    men &= men - 1;
                    if shape.stands_in_mill(man, reached) != closes_mill {
                        continue;
                    }
                    let mut from = self.origins(man, reached);
                    while from != 0 {
                        let before = reached ^ (1 << man) | from & from.wrapping_neg();
                        from &= from - 1;
                        if self.is_new(before) {
                            set_bit(self.decided[self.seek as usize], before);
                            self.worker.indices.push(before);
                        }
                    }
                }
            }
        }
        self.worker.indices.sort_unstable();
        if self.mills.any {
            self.follow_captures();
        }
    }

    /// Where the man now on `man` may have come from, or may go: free points of the row.
    #[inline(always)]
    fn origins(&self, man: u32, set: u32) -> u32 {
        let shape = &self.worker.shape;
        let flies = self.solver.variant.rules.flying && set.count_ones() == LEAST_MEN;
        let near = if flies {
            (1u32 << shape.count) - 1
        } else {
            shape.adjacent[man as usize]
        };
        near & !set
    }

    /// Whether a cell is open and its turns decide it now.
    #[inline(always)]
    fn is_new(&self, mover: u32) -> bool {
        let open = !has_bit(self.decided[0], mover) && !has_bit(self.decided[1], mover);
        open && (self.seek == Seek::Wins || self.all_turns_lose(mover))
    }

    #[inline(always)]
    fn all_turns_lose(&self, mover: u32) -> bool {
        let mut men = mover;
        while men != 0 {
            let man = men.trailing_zeros();
            men &= men - 1;
            let mut to = self.origins(man, mover);
            while to != 0 {
                let target = to.trailing_zeros();
                to &= to - 1;
                let after = mover ^ (1 << man) | 1 << target;
                let closes = self.worker.shape.stands_in_mill(target, after);
                if !has_bit(if closes { self.capture } else { self.quiet }, after) {
                    return false;
                }
            }
        }
        true
    }

    /// Finds the captures that the new positions in `indices` decide.
    #[inline(always)]
    fn follow_captures(&mut self) {
        let Worker {
            shape,
            indices,
            captures,
            ..
        } = &mut *self.worker;
        for &left in indices.iter() {
            // Where no man may be taken the turn leaves all that are there.
            if shape.takeable(left) == 0 && !self.mills.is_out_of_reach(left) {
                captures.push(left);
            }
            if left.count_ones() == self.solver.men {
                continue;
            }
            let mut places = ((1u32 << shape.count) - 1) & !left;
            while places != 0 {
                let taken = places & places.wrapping_neg();
                places &= places - 1;
                let before = left | taken;
                let takeable = shape.takeable(before);
                if takeable & taken == 0 || self.mills.is_out_of_reach(before) {
                    continue;
                }
                if self.seek == Seek::Wins {
                    let mut men = takeable;
                    let mut all = true;
                    while men != 0 && all {
                        all = has_bit(self.decided[0], before & !(men & men.wrapping_neg()));
                        men &= men - 1;
                    }
                    if !all {
                        continue;
                    }
                }
                captures.push(before);
            }
        }
        // Several captures may lead back to the same position.
        captures.sort_unstable();
        captures.dedup();
    }
}

#[inline(always)]
fn has_bit(row: &[Block], index: u32) -> bool {
    row.as_flattened()[index as usize / 64] >> (index % 64) & 1 == 1
}

#[inline(always)]
fn set_bit(row: &mut [Block], index: u32) {
    row.as_flattened_mut()[index as usize / 64] |= 1 << (index % 64);
}
