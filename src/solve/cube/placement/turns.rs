//! The best turn from every cell of a row.

use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};

use super::Solver;
use super::cells::Placed;
use super::space::View;
use crate::cpu::{Cpu, Task};
use crate::game::{PointSet, points};
use crate::index::canonical::CanonicalSets;
use crate::solve::cube::block::{Block, EMPTY, blocks_of};
use crate::solve::cube::kernels::{Ends, place_back};
use crate::solve::cube::relabel::Relabel;
use crate::solve::cube::shape::{Shape, Taking};

/// The turns of one side in a layer.
pub(super) trait Turns<P: Placed>: Sync {
    /// Fills `out` with the best that the turns from every cell of a row reach.
    fn best(
        &self,
        plane: usize,
        set: PointSet,
        shape: &mut Shape,
        scratch: &mut Scratch,
        out: &mut [Block],
    );
}

/// Rows of scratch space, twice as long as those computed.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) work: Vec<Block>,
    captures: Vec<Block>,
    pub(super) lifted: Vec<Block>,
}

pub(super) struct Deal<'a, P: Placed, T> {
    pub(super) turns: &'a T,
    /// The canonical sets that number the rows.
    pub(super) sets: &'a CanonicalSets,
    pub(super) plane: usize,
    pub(super) free: u32,
    pub(super) white: RangeInclusive<u32>,
    pub(super) black: u32,
    pub(super) rows: Range<usize>,
    pub(super) pieces: Vec<&'a mut [P::Unit]>,
    pub(super) cell: PhantomData<P>,
}

impl<P: Placed, T: Turns<P>> Task for Deal<'_, P, T> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(mut self) {
        let blocks = blocks_of::<P>(self.free);
        let row = |blocks| vec![EMPTY; blocks];
        let mut scratch = Scratch {
            work: row(2 * blocks),
            captures: row(blocks),
            lifted: row(blocks),
        };
        let mut shape = Shape::default();
        let mut out = row(self.rows.len() * blocks);
        for (row, out) in self.rows.clone().zip(out.chunks_exact_mut(blocks)) {
            let set = self.sets.representative(self.black as usize, row);
            self.turns
                .best(self.plane, set, &mut shape, &mut scratch, out);
        }
        P::deal::<C>(&out, self.free, self.white, &mut self.pieces);
    }
}

pub(super) struct WhiteTurns<'a> {
    pub(super) solver: &'a Solver<'a>,
    pub(super) quiet: &'a View,
    pub(super) taken: Fewer<'a>,
    /// Where two mills at once take two men.
    pub(super) pairs: Option<Pairs<'a>>,
}

/// What is left of Black when White has taken a man.
#[derive(Clone, Copy)]
pub(super) enum Fewer<'a> {
    /// Too few men: White has won.
    Beaten,
    /// The rows with a black man less.
    Rows(&'a View),
}

impl<'a> Fewer<'a> {
    /// From the rows with a man less, which are there unless Black is beaten.
    pub(super) fn new(beaten: bool, rows: Option<&'a View>) -> Fewer<'a> {
        match rows {
            Some(rows) if !beaten => Fewer::Rows(rows),
            _ => Fewer::Beaten,
        }
    }
}

/// The best captures made once already, so that another can be added.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'a> {
    /// In the same rows.
    pub(super) once: &'a View,
    /// In the rows with a black man less.
    pub(super) once_fewer: Fewer<'a>,
}

impl<P: Placed> Turns<P> for WhiteTurns<'_> {
    #[inline(always)]
    fn best(
        &self,
        plane: usize,
        set: PointSet,
        shape: &mut Shape,
        scratch: &mut Scratch,
        out: &mut [Block],
    ) {
        shape.set(self.solver.board, set, 0);
        let row = self.solver.sets.locate(set).orbit as usize;
        let quiet = self.quiet.row(plane, row);
        let take = |fewer, work: &mut [Block], out: &mut [Block]| {
            self.solver
                .take_black::<P>(plane, shape, quiet, fewer, work, out);
        };
        let (capture, double) = match &self.pairs {
            None => {
                take(self.taken, &mut scratch.work, &mut scratch.captures);
                (&scratch.captures[..], None)
            }
            Some(pairs) => {
                take(pairs.once_fewer, &mut scratch.work, &mut scratch.captures);
                (pairs.once.row(plane, row), Some(&scratch.captures[..]))
            }
        };
        out.fill(EMPTY);
        place_back::<P>(
            shape,
            Ends {
                quiet,
                capture,
                double,
                flip: 0,
            },
            &mut scratch.lifted,
            out,
        );
    }
}

impl Solver<'_> {
    /// The best that White can do by taking a man of the fixed set of `shape`, for all cells of its row.
    /// With no man to take the turn ends quietly.
    #[inline(always)]
    pub(super) fn take_black<P: Placed>(
        &self,
        plane: usize,
        shape: &Shape,
        quiet: &[Block],
        fewer: Fewer,
        work: &mut [Block],
        out: &mut [Block],
    ) {
        let taking = Taking {
            protection: self.protection,
            hand: self.below.black_hand(),
        };
        let set = shape.fixed;
        let takeable = taking.of(set, self.board.men_in_mills(set));
        match fewer {
            _ if takeable == 0 => out.copy_from_slice(quiet),
            Fewer::Beaten => out.fill([u64::MAX; 8]),
            Fewer::Rows(view) => {
                out.fill(EMPTY);
                for x in points(takeable) {
                    let (row, relabel) = self.neighbour::<P>(shape, set & !(1 << x), view.free);
                    let source = view.row(plane, row);
                    relabel.read::<P>(source, view.most, work, |number, block| {
                        out[number] = P::best(out[number], block);
                    });
                }
            }
        }
    }
}

pub(super) struct BlackTurns<'a> {
    pub(super) solver: &'a Solver<'a>,
    pub(super) quiet: &'a View,
    pub(super) taken: &'a View,
    /// After two captures, where two mills at once take two men.
    pub(super) taken_twice: Option<&'a View>,
}

impl<P: Placed> Turns<P> for BlackTurns<'_> {
    #[inline(always)]
    fn best(
        &self,
        plane: usize,
        set: PointSet,
        shape: &mut Shape,
        scratch: &mut Scratch,
        out: &mut [Block],
    ) {
        let board = self.solver.board;
        shape.set(board, set, 0);
        out.fill(EMPTY);
        for p in points(shape.free) {
            let next = set | 1 << p;
            let lines = board.lines_through(p).iter();
            let view = match lines.filter(|&&line| next & line == line).count() {
                0 => self.quiet,
                1 => self.taken,
                _ => self.taken_twice.unwrap_or(self.taken),
            };
            let (row, relabel) = self.solver.neighbour::<P>(shape, next, view.free);
            let source = view.row(plane, row);
            relabel.read::<P>(source, view.most, &mut scratch.work, |number, block| {
                out[number] = P::best(out[number], block);
            });
        }
    }
}

impl Solver<'_> {
    /// The row in which the positions with the black set `set` stand, and how to read it as a row of `shape`.
    #[inline(always)]
    pub(super) fn neighbour<P: Placed>(
        &self,
        shape: &Shape,
        set: PointSet,
        free: u32,
    ) -> (usize, Relabel) {
        let located = self.sets.locate(set);
        let symmetry = &self.board.symmetries()[located.symmetry as usize];
        let representative = symmetry.apply(set);
        let mut sources = [None; 32];
        for (source, &point) in sources.iter_mut().zip(&shape.points) {
            let image = symmetry.image(point.into());
            let below = !representative & ((1 << image) - 1) & self.board.all_points();
            *source = (set >> point & 1 == 0).then(|| below.count_ones());
        }
        (
            located.orbit as usize,
            Relabel::new::<P>(free, &sources[..shape.points.len()]),
        )
    }
}
