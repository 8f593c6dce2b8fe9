//! The movement layer: all positions with empty hands, solved backwards from the end of the game.
//!
//! Every position has a bit in six planes, or eight where two mills at once take two men. A row's fixed set is written first:
//!
//! ```text
//! plane              fixed      varied     meaning of a set bit
//! to_move win/loss   opponent   mover      the mover wins / loses
//! moved win/loss     mover      opponent   the same, transposed: what `opponent`, having just moved, reached
//! mill win/loss      mover      opponent   the same after `opponent` closed a mill and took the best man
//!                                          (win/loss again for the side to move)
//! pair win/loss      mover      opponent   the same after it closed two mills and took the best two
//! ```
//!
//! In a row, a turn of the varied side is a slide: the `to_move` planes follow from the `moved` and
//! `mill` planes of the same row, without a look at any other. At ply 0 the blocked and those with two
//! men are lost; then each odd ply finds wins and each even ply losses, so the ply at which a bit
//! appears is the exact distance to the end of the game. New bits are sent to the `moved` planes, and
//! what they mean for captures to the `mill` planes, as [messages](super::messages).
//!
//! A row with many new bits is passed over as a whole; one with few is solved by taking back the turns
//! that lead to them.

mod bands;
mod follow;
mod mills;
mod row;

use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::block::{Block, EMPTY, Flag, Sizes};
use super::journal::Journal;
use super::lookup::{Layout, Transpose};
use super::memory::{OutOfMemory, Pages};
use super::messages::{Kind, Outbox};
use super::shape::Shape;
use crate::cpu::{self, Cpu, Level, Task};
use crate::game::{PointSet, Variant};
use crate::index::canonical::{CanonicalSets, binomial};
use crate::solve::Progress;
use bands::{Band, bands};
use row::RowWork;

/// Fewest men with which the game goes on.
const LEAST_MEN: u32 = 3;
/// A row is followed bit by bit when fewer than one in this many bits is new.
const SPARSE: usize = 1024;
/// Messages all threads together may hold before the bands are filled.
const MESSAGES: usize = 300_000_000;

/// What went wrong while solving the movement layer.
#[derive(Debug, thiserror::Error)]
pub enum MovementError {
    /// Not enough memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The journal could not be written or read.
    #[error("the journal of the movement layer: {0}")]
    Journal(#[from] io::Error),
    /// The board has too many positions or symmetries for the address space of this solver.
    #[error("the board has too many positions for this solver")]
    TooLarge,
}

/// The solved movement layer.
#[derive(Debug)]
pub struct Movement {
    /// Where rows lie in the planes.
    pub layout: Layout,
    planes: [Pages; 2],
    journals: Vec<Journal>,
    /// The last ply at which a position was decided.
    pub last_ply: u16,
}

impl Movement {
    /// The wins (0) and losses (1) of the mover: rows by the opponent's set, cells by the mover's.
    pub fn planes(&self) -> [&[Block]; 2] {
        [self.planes[0].view(), self.planes[1].view()]
    }

    /// Calls `visit(ply, row in band, index)` for every decided position of a band.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn replay(&self, band: usize, mut visit: impl FnMut(u16, usize, u32)) -> io::Result<()> {
        let row_bits = 1 << self.layout.band(band).0.row_bits;
        self.journals
            .iter()
            .try_for_each(|journal| journal.replay(band, row_bits, &mut visit))
    }

    /// Gives the planes back to the system, for when only the journal is needed.
    pub fn drop_planes(&mut self) {
        self.planes = [Pages::default(), Pages::default()];
    }
}

/// Solves all movement sectors of a variant with 3 to `men` men a side.
///
/// With `journal`, the distances are kept in scratch files in that folder.
///
/// # Errors
/// See [`MovementError`].
pub fn solve(
    variant: &Variant,
    sets: &CanonicalSets,
    men: u8,
    level: Level,
    journal: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Movement, MovementError> {
    let men = u32::from(men);
    let points = variant.board.point_count() as u32;
    let layout = Layout::new(sets, points, LEAST_MEN, men);
    let transpose = Transpose::new(&variant.board, sets, &layout).ok_or(MovementError::TooLarge)?;
    let solver = Solver::new(variant, sets, &layout, &transpose, level, men);
    let bytes = layout.bits() as usize / 8;
    let kinds = Kind::all(variant.rules.most_captures()).len();
    let mut planes = (0..2 + 2 * kinds)
        .map(|_| Pages::new(bytes))
        .collect::<Result<Vec<_>, _>>()?;
    let threads = rayon::current_num_threads();
    let room = room(&layout, threads);
    let mut workers = (0..threads)
        .map(|_| Worker::new(&layout, room, kinds, journal).map(Mutex::new))
        .collect::<Result<Vec<_>, _>>()?;
    let last_ply = {
        let mut bands = bands(&layout, &mut planes);
        solver.run(&mut bands, &mut workers, progress)?
    };
    let mut journals = Vec::new();
    for worker in workers {
        if let Some(mut journal) = worker.into_inner().expect("no worker panicked").journal {
            journal.flush()?;
            journal.finish();
            journals.push(journal);
        }
    }
    planes.truncate(2);
    let planes = planes.try_into().expect("two planes are left");
    drop(solver);
    Ok(Movement {
        layout,
        planes,
        journals,
        last_ply,
    })
}

/// About how many bytes [`solve`] keeps in memory.
pub fn memory_needed(variant: &Variant, sets: &CanonicalSets, men: u8, threads: usize) -> u64 {
    let layout = Layout::new(
        sets,
        variant.board.point_count() as u32,
        LEAST_MEN,
        men.into(),
    );
    let kinds = Kind::all(variant.rules.most_captures()).len() as u64;
    let planes = (2 + 2 * kinds) * layout.bits() / 8;
    let outboxes = threads as u64 * 4 * room(&layout, threads) as u64;
    let table: u64 = (LEAST_MEN..=men.into())
        .map(|men| 8 * binomial(variant.board.point_count(), men as usize))
        .sum();
    planes + outboxes + table
}

/// Messages an outbox is made for: a share of all, but enough for the longest row.
fn room(layout: &Layout, threads: usize) -> usize {
    let widest = layout
        .classes
        .iter()
        .map(|class| class.row_bits)
        .max()
        .unwrap_or(0);
    (MESSAGES / threads)
        .min(layout.bits() as usize)
        .max(Kind::all(2).len() * layout.most_messages(widest))
}

/// Everything that stays the same while the layer is solved.
#[derive(Debug)]
struct Solver<'a> {
    variant: &'a Variant,
    sets: &'a CanonicalSets,
    layout: &'a Layout,
    transpose: &'a Transpose,
    level: Level,
    men: u32,
    /// By class: cells of movers who may move, and of movers with too few men.
    playing: Vec<Sizes>,
    beaten: Vec<Sizes>,
}

impl<'a> Solver<'a> {
    fn new(
        variant: &'a Variant,
        sets: &'a CanonicalSets,
        layout: &'a Layout,
        transpose: &'a Transpose,
        level: Level,
        men: u32,
    ) -> Self {
        let sizes = |least, most| {
            let of_class =
                |class: &super::lookup::Class| Sizes::new::<Flag>(class.free, least, most);
            layout.classes.iter().map(of_class).collect()
        };
        Solver {
            variant,
            sets,
            layout,
            transpose,
            level,
            men,
            playing: sizes(LEAST_MEN, men),
            beaten: sizes(0, LEAST_MEN - 1),
        }
    }

    /// Goes through the plies until one finds nothing. Returns the last one that decided a position.
    fn run(
        &self,
        bands: &mut [Band],
        workers: &mut [Mutex<Worker>],
        progress: &dyn Progress,
    ) -> Result<u16, MovementError> {
        let mut last = 0;
        for ply in 0.. {
            progress.ply(ply);
            let decided = AtomicU64::new(0);
            let mut sent = false;
            while bands.iter().any(|band| band.cursor < band.now.rows.len()) {
                bands.par_iter_mut().with_max_len(1).try_for_each(|band| {
                    if band.cursor == band.now.rows.len() {
                        return Ok(());
                    }
                    let thread = rayon::current_thread_index().unwrap_or(0);
                    let worker = &mut *workers[thread].lock().expect("no worker panicked");
                    let work = BandWork {
                        solver: self,
                        band,
                        worker,
                        ply,
                    };
                    let cells = cpu::run(self.level, work)?;
                    decided.fetch_add(cells, Ordering::Relaxed);
                    progress.advance(cells);
                    Ok::<(), io::Error>(())
                })?;
                sent |= self.deliver(bands, workers, ply);
            }
            if decided.into_inner() > 0 {
                last = ply;
            } else if !sent {
                break;
            }
            bands.par_iter_mut().for_each(|band| {
                std::mem::swap(&mut band.now, &mut band.next);
                band.next.clear();
                band.now
                    .lists
                    .iter_mut()
                    .for_each(|list| list.sort_unstable());
                band.cursor = if band.now.any { 0 } else { band.now.rows.len() };
            });
        }
        Ok(last)
    }

    /// Empties all outboxes into the bands. Returns whether there was anything.
    fn deliver(&self, bands: &mut [Band], workers: &mut [Mutex<Worker>], ply: u16) -> bool {
        let mut outboxes: Vec<_> = workers
            .iter_mut()
            .map(|worker| &mut worker.get_mut().expect("no worker panicked").outbox)
            .collect();
        if outboxes.iter().all(|outbox| outbox.is_empty()) {
            return false;
        }
        let boxes: Vec<&Outbox> = outboxes.iter().map(|outbox| &**outbox).collect();
        bands
            .par_iter_mut()
            .with_max_len(1)
            .for_each(|band| band.receive(&boxes, self.layout, ply));
        outboxes.iter_mut().for_each(|outbox| outbox.clear());
        true
    }
}

/// Whether a ply looks for wins or for losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seek {
    Wins = 0,
    Losses = 1,
}

/// What one thread needs.
#[derive(Debug)]
struct Worker {
    outbox: Outbox,
    journal: Option<Journal>,
    shape: Shape,
    images: Vec<PointSet>,
    scratch: Scratch,
    indices: Vec<u32>,
    captures: Vec<u32>,
    doubles: Vec<u32>,
}

/// Rows of scratch space.
#[derive(Debug)]
struct Scratch {
    lifted: Vec<Block>,
    moves: Vec<Block>,
    fresh: Vec<Block>,
    reached: Vec<Block>,
    before: Vec<Block>,
    once: Vec<Block>,
}

impl Worker {
    fn new(
        layout: &Layout,
        room: usize,
        kinds: usize,
        journal: Option<&Path>,
    ) -> Result<Self, MovementError> {
        let widest = layout.classes.iter().map(|c| c.row_bits).max().unwrap_or(9);
        let row = || vec![EMPTY; 1 << (widest - 9)];
        Ok(Worker {
            outbox: Outbox::new(layout.bands, layout.band_bits, room, kinds)?,
            journal: journal.map(Journal::new).transpose()?,
            shape: Shape::default(),
            images: Vec::new(),
            scratch: Scratch {
                lifted: row(),
                moves: row(),
                fresh: row(),
                reached: row(),
                before: row(),
                once: row(),
            },
            indices: Vec::new(),
            captures: Vec::new(),
            doubles: Vec::new(),
        })
    }
}

/// One ply in the rows of one band, as far as the outbox has room.
struct BandWork<'a, 'b, 'c> {
    solver: &'a Solver<'a>,
    band: &'a mut Band<'b>,
    worker: &'c mut Worker,
    ply: u16,
}

impl Task for BandWork<'_, '_, '_> {
    type Output = io::Result<u64>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> io::Result<u64> {
        let BandWork {
            solver,
            band,
            worker,
            ply,
        } = self;
        let (class, first_row) = solver.layout.band(band.number);
        let mut cells = 0;
        if let Some(journal) = &mut worker.journal {
            journal.begin(band.number, ply);
        }
        while band.cursor < band.now.rows.len() {
            let row = band.cursor;
            if !band.now.rows[row] {
                band.cursor += 1;
                continue;
            }
            let kinds = band.ends.len();
            if worker.outbox.room() < kinds * solver.layout.most_messages(class.row_bits) {
                break;
            }
            band.cursor += 1;
            let set = solver
                .sets
                .representative(class.men as usize, first_row + row);
            worker.shape.taking.protection = solver.variant.rules.protection;
            worker.shape.set(&solver.variant.board, set, solver.men);
            solver.transpose.images_of(set, &mut worker.images);
            let mut row_work = RowWork::new(solver, band, worker, row, class.row_bits, ply);
            cells += row_work.solve::<C>()?;
        }
        worker.outbox.publish();
        if let Some(journal) = &mut worker.journal {
            journal.end();
        }
        Ok(cells)
    }
}
