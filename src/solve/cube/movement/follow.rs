//! One ply in a row in which little has changed: the turns that lead to the changes are taken back one by
//! one.

use super::bands::OfRow;
use super::row::RowWork;
use super::{Seek, Worker};
use crate::game::Blocked;
use crate::solve::cube::block::Block;
use crate::solve::cube::messages::Kind;
use crate::solve::cube::shape::Shape;

impl RowWork<'_> {
    /// Takes back the turns that lead to the few bits that changed.
    #[inline(always)]
    pub(super) fn follow(&mut self, changes: OfRow) {
        let mask = (1u32 << self.row_bits) - 1;
        for (&kind, list) in Kind::all(2).iter().zip(changes.ends) {
            for &place in list {
                let reached = place & mask;
                if kind == Kind::Quiet {
                    self.follow_pass(reached);
                }
                let mut men = reached;
                while men != 0 {
                    let man = men.trailing_zeros();
                    men &= men - 1;
                    if self.kind_of(man, reached) != kind {
                        continue;
                    }
                    let mut from = self.origins(man, reached);
                    while from != 0 {
                        let before = reached ^ (1 << man) | from & from.wrapping_neg();
                        from &= from - 1;
                        self.look_at(before);
                    }
                }
            }
        }
        for &place in changes.placed {
            let mover = place & mask;
            if self.is_new(mover) {
                set_bit(self.decided[self.seek as usize], mover);
                self.worker.indices.push(mover);
            }
        }
        self.worker.indices.sort_unstable();
        self.follow_all_captures();
    }

    /// Finds what the new positions in `indices` decide for the fixed side, which may just have closed mills.
    #[inline(always)]
    pub(super) fn follow_all_captures(&mut self) {
        if self.mills.any {
            self.follow_captures();
        }
        if self.pairs.is_some() {
            self.follow_pairs();
        }
    }

    /// Takes a pass back, where those who cannot move pass.
    #[inline(always)]
    fn follow_pass(&mut self, reached: u32) {
        let is_full = reached == (1u32 << self.worker.shape.count) - 1;
        if self.solver.variant.rules.blocked != Blocked::Passes || is_full {
            return;
        }
        if each(reached).all(|man| self.origins(man.trailing_zeros(), reached) == 0) {
            self.look_at(reached);
        }
    }

    /// Notes a cell if its turns, of which one is newly decided, decide it now.
    #[inline(always)]
    fn look_at(&mut self, mover: u32) {
        if self.is_new(mover) {
            set_bit(self.decided[self.seek as usize], mover);
            self.worker.indices.push(mover);
        }
    }

    /// What kind of turn ends with this man having arrived.
    #[inline(always)]
    fn kind_of(&self, man: u32, reached: u32) -> Kind {
        let mills = self.worker.shape.mills_of(man, reached);
        Kind::of_turn(mills, self.solver.variant.rules.most_captures())
    }

    /// Where the man now on `man` may have come from, or may go: free points of the row.
    #[inline(always)]
    fn origins(&self, man: u32, set: u32) -> u32 {
        let shape = &self.worker.shape;
        let near = if self.half.varied_flies == Some(set.count_ones()) {
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
        if self.placed.is_some_and(|[_, lost]| !has_bit(lost, mover)) {
            return false;
        }
        let mut men = mover;
        while men != 0 {
            let man = men.trailing_zeros();
            men &= men - 1;
            let mut to = self.origins(man, mover);
            while to != 0 {
                let target = to.trailing_zeros();
                to &= to - 1;
                let after = mover ^ (1 << man) | 1 << target;
                let end = match self.kind_of(target, after) {
                    Kind::Quiet => self.quiet,
                    Kind::Capture => self.capture,
                    Kind::Double => self.double.unwrap_or(self.capture),
                };
                if !has_bit(end, after) {
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
            if left.count_ones() == *self.half.varied.end() {
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

    /// Finds the pairs of captures that the new positions in `indices` decide.
    #[inline(always)]
    fn follow_pairs(&mut self) {
        let Worker {
            shape,
            indices,
            doubles,
            ..
        } = &mut *self.worker;
        let Some(pairs) = &self.pairs else { return };
        let all = (1u32 << shape.count) - 1;
        let sizes = &self.half.varied;
        let mut results = Vec::new();
        for &left in indices.iter() {
            // Two men, one, or none may have been taken: see what `taken_pairs` makes of each.
            for first in each(all & !left).chain([0]) {
                let second = all & !left & !first;
                for second in each(second).filter(|&second| second > first).chain([0]) {
                    let before = left | first | second;
                    if before.count_ones() > *sizes.end() || pairs.is_out_of_reach(before) {
                        continue;
                    }
                    taken_pairs(shape, *sizes.start(), before, &mut results);
                    let wins = || results.iter().all(|&left| has_bit(self.decided[0], left));
                    if results.contains(&left) && (self.seek == Seek::Losses || wins()) {
                        doubles.push(before);
                    }
                }
            }
        }
        doubles.sort_unstable();
        doubles.dedup();
    }
}

/// The bits of a set, one by one.
fn each(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// What may be left of a set of which two men are taken one after the other: a turn ends early when no man
/// may be taken, or when fewer than `least` are left.
fn taken_pairs(shape: &Shape, least: u32, before: u32, results: &mut Vec<u32>) {
    results.clear();
    let first = shape.takeable(before);
    if first == 0 {
        results.push(before);
    }
    for taken in each(first) {
        let left = before & !taken;
        let second = match left.count_ones() {
            men if men < least => 0,
            _ => shape.takeable(left),
        };
        if second == 0 {
            results.push(left);
        }
        results.extend(each(second).map(|taken| left & !taken));
    }
}

#[inline(always)]
fn has_bit(row: &[Block], index: u32) -> bool {
    row.as_flattened()[index as usize / 64] >> (index % 64) & 1 == 1
}

#[inline(always)]
pub(super) fn set_bit(row: &mut [Block], index: u32) {
    row.as_flattened_mut()[index as usize / 64] |= 1 << (index % 64);
}
