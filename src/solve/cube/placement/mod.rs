//! The placement layers: no search, one pass over each.
//!
//! Layer h holds all positions with h men still in hand; every turn leads to layer h - 1. White, who
//! began, moves in even layers. Black's set is the fixed one throughout:
//!
//! ```text
//! White places a:   (B, W) -> (B, W + a)                 inside the row of B
//!    and takes x:             (B - x, W + a)             from the rows of the sets B - x, relabelled
//! Black places p:   (B, W) -> (B + p, W)                 from the rows of the sets B + p, relabelled
//!    and takes x:             (B + p, W - x)             inside those rows first
//! ```
//!
//! So a class, the rows with b black men, needs the classes of b and b - 1, or of b + 1 men of the layer
//! below. Two classes at a time are in memory; the rest is in the database that is being written.
//!
//! Rows are read *as the player who moved there sees them*: reversed once, when a class is loaded. Then
//! the best turn is the best cell, be it a byte with the distance ([`Byte`](super::block::Byte)) or two flags, "wins" and
//! "does not lose" ([`Flag`](super::block::Flag)), each of which some turn has or none.

mod cells;
mod first_mill;
mod layer;
mod space;
mod turns;

use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

use super::block::{Block, EMPTY, Sizes, blocks_of, or};
use super::kernels::capture_back;
use super::memory::OutOfMemory;
use super::pack::{GROUP, stream_units};
use super::shape::{Shape, Taking};
use crate::cpu::{self, Cpu, Level, Task};
use crate::database::{DatabaseError, DatabaseWriter};
use crate::game::{Board, MillPays, PointSet, Protection, Sector, Variant};
use crate::index::canonical::{CanonicalSets, binomial};
use crate::solve::Progress;
use crate::value::Score;
pub use cells::Placed;
use layer::Layer;
pub use space::memory_needed;
use space::{Space, View};
use turns::{BlackTurns, Deal, Fewer, Pairs, Turns, WhiteTurns};

/// Fewest men, hand included, with which the game goes on.
const LEAST_MEN: u32 = 3;

/// What went wrong while solving the placement layers.
#[derive(Debug, thiserror::Error)]
pub enum PlacementError {
    /// Not enough memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The database refused to be written or read back.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A game lasts longer than the database can say.
    #[error(
        "sector {sector} has losses in {} plies, and the database cannot hold the wins that lead to them",
        Score::MAX_PLIES
    )]
    TooLong {
        /// The sector.
        sector: Sector,
    },
}

/// Solves all placement layers, the movement layer being in the database already.
///
/// # Errors
/// See [`PlacementError`].
pub fn solve<P: Placed>(
    variant: &Variant,
    store: &DatabaseWriter,
    level: Level,
    progress: &dyn Progress,
) -> Result<(), PlacementError> {
    let mut below = Layer::new(variant, 0);
    let mut space = Space::new::<P>(variant, store.index().sets())?;
    for hands in 1..=2 * variant.rules.men {
        let layer = Layer::new(variant, hands);
        progress.layer(hands);
        if layer.is_kept(store) {
            progress.advance(layer.cells(store));
            below = layer;
            continue;
        }
        let solver = Solver {
            board: &variant.board,
            mill_pays: variant.rules.mill_pays,
            protection: variant.rules.protection,
            most_captures: variant.rules.most_captures(),
            store,
            level,
            sets: store.index().sets(),
            layer: &layer,
            below: &below,
            progress,
        };
        if solver.mill_pays == MillPays::Win {
            solver.first_mill_wins::<P>(&mut space)?;
        } else if layer.white_moves() {
            solver.white_to_move::<P>(&mut space)?;
        } else {
            solver.black_to_move::<P>(&mut space)?;
        }
        below = layer;
    }
    Ok(())
}

/// Index cells of all placement layers of a variant.
pub fn cells(variant: &Variant, store: &DatabaseWriter) -> u64 {
    (1..=2 * variant.rules.men)
        .map(|hands| Layer::new(variant, hands).cells(store))
        .sum()
}

struct Solver<'a> {
    board: &'a Board,
    mill_pays: MillPays,
    protection: Protection,
    most_captures: u8,
    store: &'a DatabaseWriter,
    sets: &'a CanonicalSets,
    level: Level,
    layer: &'a Layer,
    below: &'a Layer,
    progress: &'a dyn Progress,
}

impl Solver<'_> {
    fn white_to_move<P: Placed>(&self, space: &mut Space) -> Result<(), PlacementError> {
        let (mut fewer, mut once_fewer): (Option<View>, Option<View>) = (None, None);
        for black in *self.below.black().start()..=*self.layer.black().end() {
            let Some(quiet) = self.view::<P>(black, space)? else {
                continue;
            };
            // With too few men left Black has lost at once, whatever the set.
            let beaten = black + self.below.black_hand() == LEAST_MEN;
            let taken = Fewer::new(beaten, fewer.as_ref());
            let once = (self.most_captures > 1)
                .then(|| self.black_captures::<P>(black, &quiet, taken, space));
            if let Some(white) = self.layer.white(black) {
                let turns = WhiteTurns {
                    solver: self,
                    quiet: &quiet,
                    taken,
                    pairs: once.as_ref().map(|once| Pairs {
                        once,
                        once_fewer: Fewer::new(beaten, once_fewer.as_ref()),
                    }),
                };
                self.class::<P, _>(black, white, &turns, space)?;
            }
            let used = [
                fewer.replace(quiet),
                std::mem::replace(&mut once_fewer, once),
            ];
            space
                .views
                .extend(used.into_iter().flatten().map(|view| view.planes));
        }
        let used = [fewer, once_fewer].into_iter().flatten();
        space.views.extend(used.map(|view| view.planes));
        Ok(())
    }

    fn black_to_move<P: Placed>(&self, space: &mut Space) -> Result<(), PlacementError> {
        for black in self.layer.black() {
            let Some(white) = self.layer.white(black) else {
                continue;
            };
            // Without the class no sector needs it: the board or the men are used up.
            let Some(quiet) = self.view::<P>(black + 1, space)? else {
                continue;
            };
            let taken = self.captures::<P>(black + 1, &quiet, space);
            let twice =
                (self.most_captures > 1).then(|| self.captures::<P>(black + 1, &taken, space));
            let turns = BlackTurns {
                solver: self,
                quiet: &quiet,
                taken: &taken,
                taken_twice: twice.as_ref(),
            };
            self.class::<P, _>(black, white, &turns, space)?;
            let used = [Some(quiet), Some(taken), twice].into_iter().flatten();
            space.views.extend(used.map(|view| view.planes));
        }
        Ok(())
    }

    /// For every row of a view: the best capture of a man of its fixed set.
    fn black_captures<P: Placed>(
        &self,
        black: u32,
        quiet: &View,
        fewer: Fewer,
        space: &mut Space,
    ) -> View {
        self.view_like(black, quiet, space, |plane, rows, out| {
            let task = TakeBlack::<P> {
                solver: self,
                plane,
                sets: &self.sets.representatives(black as usize)[rows.clone()],
                quiet,
                first: rows.start,
                fewer,
                out,
                cell: PhantomData,
            };
            cpu::run(self.level, task);
        })
    }

    /// A view with the rows of another, filled a group of rows at a time: `fill` gets the plane, the rows
    /// and their cells.
    fn view_like(
        &self,
        black: u32,
        other: &View,
        space: &mut Space,
        fill: impl Fn(usize, Range<usize>, &mut [Block]) + Sync,
    ) -> View {
        let rows = self.sets.count(black as usize);
        let mut planes = space.take_view();
        for (number, plane) in planes.iter_mut().enumerate() {
            let cells = &mut plane.view_mut::<Block>()[..rows * other.blocks];
            cells
                .par_chunks_mut(GROUP * other.blocks)
                .enumerate()
                .for_each(|(group, out)| {
                    let first = group * GROUP;
                    fill(number, first..rows.min(first + GROUP), out);
                });
        }
        View {
            planes,
            free: other.free,
            blocks: other.blocks,
            most: other.most,
        }
    }

    /// Loads a class of the layer below.
    fn view<P: Placed>(
        &self,
        black: u32,
        space: &mut Space,
    ) -> Result<Option<View>, PlacementError> {
        let Some(white) = self.below.white(black) else {
            return Ok(None);
        };
        let free = self.board.point_count() as u32 - black;
        let blocks = blocks_of::<P>(free);
        let rows = self.sets.count(black as usize);
        let mut planes = space.take_view();
        for (sector, size) in self.below.class(black).into_iter().zip(white.clone()) {
            let units = stream_units::<P>(free, size, rows);
            let streams = &mut space.sector.view_mut::<P::Unit>()[..P::PLANES * units];
            P::load(self.store, sector, streams)?;
            for (plane, stream) in planes.iter_mut().zip(streams.chunks_exact(units)) {
                let piece = stream_units::<P>(free, size, GROUP);
                plane.view_mut::<Block>()[..rows * blocks]
                    .par_chunks_mut(GROUP * blocks)
                    .zip(stream.par_chunks(piece))
                    .for_each(|(rows, stream)| {
                        cpu::run(
                            self.level,
                            Collect::<P> {
                                stream,
                                free,
                                size,
                                rows,
                            },
                        );
                    });
            }
        }
        // A White who is beaten has lost: the best there is for Black.
        let least = match self.mill_pays {
            MillPays::Capture => LEAST_MEN.saturating_sub(self.below.white_hand()),
            MillPays::Win => 0,
        };
        if least > 0 {
            let beaten = Sizes::new::<P>(free, 0, least - 1);
            for plane in &mut planes {
                plane.view_mut::<Block>()[..rows * blocks]
                    .par_chunks_mut(blocks)
                    .for_each(|row| {
                        for (number, block) in row.iter_mut().enumerate() {
                            *block = or(*block, beaten.mask(number));
                        }
                    });
            }
        }
        Ok(Some(View {
            planes,
            free,
            blocks,
            most: *white.end(),
        }))
    }

    /// For every row of a view with a mill in its fixed set: the best capture of a white man.
    fn captures<P: Placed>(&self, black: u32, quiet: &View, space: &mut Space) -> View {
        let taking = Taking {
            protection: self.protection,
            hand: self.below.white_hand(),
        };
        let sets = self.sets.representatives(black as usize);
        self.view_like(black, quiet, space, |plane, rows, out| {
            for (row, out) in rows.zip(out.chunks_exact_mut(quiet.blocks)) {
                if self.board.men_in_mills(sets[row]) == 0 {
                    continue;
                }
                let task = Capture::<P> {
                    board: self.board,
                    taking,
                    set: sets[row],
                    most: quiet.most,
                    source: quiet.row(plane, row),
                    out,
                    cell: PhantomData,
                };
                cpu::run(self.level, task);
            }
        })
    }

    /// Computes and writes all sectors of a class of this layer.
    fn class<P: Placed, T: Turns<P>>(
        &self,
        black: u32,
        white: RangeInclusive<u32>,
        turns: &T,
        space: &mut Space,
    ) -> Result<(), PlacementError> {
        let free = self.board.point_count() as u32 - black;
        let rows = self.sets.count(black as usize);
        if self.layer.is_class_kept(black, self.store) {
            let cells = self.layer.class(black).into_iter();
            let cells = cells.map(|sector| self.store.index().len(sector));
            self.progress.advance(cells.sum());
            return Ok(());
        }
        let row_cells: u64 = white
            .clone()
            .map(|size| binomial(free as usize, size as usize))
            .sum();
        let mut sectors: Vec<Vec<&mut [P::Unit]>> = white.clone().map(|_| Vec::new()).collect();
        for (plane, units) in space.class.iter_mut().enumerate() {
            let mut units = units.view_mut::<P::Unit>();
            let mut pieces: Vec<Vec<&mut [P::Unit]>> =
                (0..rows.div_ceil(GROUP)).map(|_| Vec::new()).collect();
            for (stream, size) in sectors.iter_mut().zip(white.clone()) {
                let piece = stream_units::<P>(free, size, GROUP);
                let (mine, rest) = units.split_at_mut(stream_units::<P>(free, size, rows));
                stream.push(mine);
                units = rest;
                let stream = stream.last_mut().expect("just pushed");
                // Borrowed anew, since the whole stream is wanted again when the pieces are filled.
                for (pieces, piece) in pieces.iter_mut().zip(stream.chunks_mut(piece)) {
                    pieces.push(piece);
                }
            }
            pieces
                .into_par_iter()
                .enumerate()
                .with_max_len(1)
                .for_each(|(group, pieces)| {
                    let first = group * GROUP;
                    let last = (first + GROUP).min(rows);
                    let task = Deal {
                        turns,
                        sets: self.sets,
                        plane,
                        free,
                        white: white.clone(),
                        black,
                        rows: first..last,
                        pieces,
                        cell: PhantomData,
                    };
                    cpu::run(self.level, task);
                    if plane == 0 {
                        self.progress.advance(row_cells * (last - first) as u64);
                    }
                });
        }
        for (sector, planes) in self.layer.class(black).into_iter().zip(sectors) {
            if !self.store.has(sector) {
                P::save(self.store, sector, planes)?;
            }
        }
        Ok(())
    }
}

struct Collect<'a, P: Placed> {
    stream: &'a [P::Unit],
    free: u32,
    size: u32,
    rows: &'a mut [Block],
}

impl<P: Placed> Task for Collect<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        P::collect::<C>(&[self.stream], self.free, self.size..=self.size, self.rows);
    }
}

struct TakeBlack<'a, P: Placed> {
    solver: &'a Solver<'a>,
    plane: usize,
    /// The fixed sets from the first row on.
    sets: &'a [PointSet],
    quiet: &'a View,
    first: usize,
    fewer: Fewer<'a>,
    out: &'a mut [Block],
    cell: PhantomData<P>,
}

impl<P: Placed> Task for TakeBlack<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let blocks = self.quiet.blocks;
        let mut shape = Shape::default();
        let mut work = vec![EMPTY; 2 * blocks];
        let rows = self.out.chunks_exact_mut(blocks).zip(self.sets).enumerate();
        for (i, (out, &set)) in rows {
            shape.set(self.solver.board, set, 0);
            let quiet = self.quiet.row(self.plane, self.first + i);
            self.solver
                .take_black::<P>(self.plane, &shape, quiet, self.fewer, &mut work, out);
        }
    }
}

struct Capture<'a, P: Placed> {
    board: &'a Board,
    taking: Taking,
    set: PointSet,
    most: u32,
    source: &'a [Block],
    out: &'a mut [Block],
    cell: PhantomData<P>,
}

impl<P: Placed> Task for Capture<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let mut shape = Shape {
            taking: self.taking,
            ..Shape::default()
        };
        shape.set(self.board, self.set, self.most);
        capture_back::<P>(&shape, self.source, 0, self.out);
    }
}
