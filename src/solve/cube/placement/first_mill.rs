//! Layers of games that the first mill wins.
//!
//! Who is to move and faces a mill has lost; every other position is worth what its best placement reaches.
//! Nobody is taken, so it does not matter what a turn closes: the layer below has it as a lost position.
//!
//! ```text
//! White to move:   all cells of a row whose set has a line are lost
//! Black to move:   the cells whose varied set has a line are lost
//! ```

use super::cells::Placed;
use super::space::{Space, View};
use super::turns::{Scratch, Turns};
use super::{PlacementError, Solver};
use crate::game::{PointSet, points};
use crate::solve::cube::block::{Block, EMPTY, and_not, when};
use crate::solve::cube::kernels::{Ends, place_back};
use crate::solve::cube::shape::{Shape, condition};

impl Solver<'_> {
    /// Solves a layer, whoever moves in it.
    pub(super) fn first_mill_wins<P: Placed>(
        &self,
        space: &mut Space,
    ) -> Result<(), PlacementError> {
        let placed = u32::from(!self.layer.white_moves());
        for black in self.layer.black() {
            let Some(white) = self.layer.white(black) else {
                continue;
            };
            let Some(next) = self.view::<P>(black + placed, space)? else {
                continue;
            };
            let turns = FirstMill {
                solver: self,
                next: &next,
            };
            self.class::<P, _>(black, white, &turns, space)?;
            space.views.push(next.planes);
        }
        Ok(())
    }
}

struct FirstMill<'a> {
    solver: &'a Solver<'a>,
    /// What the turns reach.
    next: &'a View,
}

impl<P: Placed> Turns<P> for FirstMill<'_> {
    #[inline(always)]
    fn best(
        &self,
        plane: usize,
        set: PointSet,
        shape: &mut Shape,
        scratch: &mut Scratch,
        out: &mut [Block],
    ) {
        let solver = self.solver;
        shape.set(solver.board, set, 0);
        // Empty cells are lost at once, in bytes as in flags.
        out.fill(EMPTY);
        if !solver.layer.white_moves() {
            self.place_black::<P>(plane, set, shape, scratch, out);
        } else if solver.board.men_in_mills(set) == 0 {
            self.place_white::<P>(plane, set, shape, scratch, out);
        }
    }
}

impl FirstMill<'_> {
    #[inline(always)]
    fn place_white<P: Placed>(
        &self,
        plane: usize,
        set: PointSet,
        shape: &mut Shape,
        scratch: &mut Scratch,
        out: &mut [Block],
    ) {
        let row = self.solver.sets.locate(set).orbit as usize;
        let reached = self.next.row(plane, row);
        shape.lines.clear();
        let ends = Ends {
            quiet: reached,
            capture: reached,
            double: None,
            flip: 0,
        };
        place_back::<P>(shape, ends, &mut scratch.lifted, out);
    }

    #[inline(always)]
    fn place_black<P: Placed>(
        &self,
        plane: usize,
        set: PointSet,
        shape: &Shape,
        scratch: &mut Scratch,
        out: &mut [Block],
    ) {
        for p in points(shape.free) {
            let (row, relabel) = self
                .solver
                .neighbour::<P>(shape, set | 1 << p, self.next.free);
            let source = self.next.row(plane, row);
            relabel.read::<P>(
                source,
                self.next.most,
                &mut scratch.work,
                |number, block| {
                    out[number] = P::best(out[number], block);
                },
            );
        }
        for &line in &shape.lines {
            let (inside, high) = condition::<P>(line);
            for (number, block) in out.iter_mut().enumerate() {
                *block = and_not(*block, when(number & high == high, inside));
            }
        }
    }
}
