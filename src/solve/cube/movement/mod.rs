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
//! Plies to the next capture instead are the matter of [`conversion`].
//!
//! A row with many new bits is passed over as a whole; one with few is solved by taking back the turns
//! that lead to them.

mod bands;
pub mod conversion;
mod follow;
mod mills;
mod replay;
mod row;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::block::{Block, EMPTY, Flag, Sizes};
use super::checkpoint::{Journals, Keep, KnownRows};
use super::journal::{BandSize, Journal};
use super::lookup::{Layout, Transpose};
use super::memory::{OutOfMemory, Pages};
use super::messages::{Kind, Outbox};
use super::shape::Shape;
use crate::cpu::{self, Cpu, Level, Task};
use crate::database::DatabaseError;
use crate::game::{PointSet, Variant};
use crate::index::canonical::{CanonicalSets, binomial};
use crate::solve::Progress;
use bands::{Band, bands};
use row::RowWork;

/// Fewest men with which the game goes on.
const LEAST_MEN: u32 = 3;
/// A row is followed bit by bit when fewer than one in this many bits is new.
const SPARSE: usize = 1024;
/// Messages all threads together hold at most before the bands are filled, where there is memory for them.
const MESSAGES: u64 = 300_000_000;

/// What went wrong while solving the movement layer.
#[derive(Debug, thiserror::Error)]
pub enum MovementError {
    /// Not enough memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The journal could not be written or read.
    #[error(transparent)]
    Journal(#[from] DatabaseError),
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
    journals: Journals,
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
    pub fn replay(
        &self,
        band: usize,
        visit: impl FnMut(u16, usize, u32),
    ) -> Result<(), DatabaseError> {
        self.journals
            .replay(band, size_of_band(&self.layout, band), visit)
    }

    /// Gives the planes back to the system, for when only the journal is needed.
    pub fn drop_planes(&mut self) {
        self.planes = [Pages::default(), Pages::default()];
    }
}

/// Solves all movement sectors of a variant with 3 to `men` men a side, in about so many bytes of memory if
/// that is possible; see [`memory_needed`].
///
/// What is kept on disk meanwhile says `keep`. If an earlier run has left plies there, they are read instead
/// of being computed.
///
/// # Errors
/// See [`MovementError`].
pub fn solve(
    variant: &Variant,
    sets: &CanonicalSets,
    men: u8,
    level: Level,
    memory: Option<u64>,
    keep: Keep<'_>,
    progress: &dyn Progress,
) -> Result<Movement, MovementError> {
    let run =
        |solver: &Solver, mut bands: Vec<Band>, workers: &mut [_], journals: &mut Journals| {
            solver.run(&mut bands, workers, journals, progress)
        };
    solve_by(variant, sets, men, level, memory, keep, run)
}

/// Solves in the way of `run`, which returns the last number given to the journals.
fn solve_by(
    variant: &Variant,
    sets: &CanonicalSets,
    men: u8,
    level: Level,
    memory: Option<u64>,
    keep: Keep<'_>,
    run: impl FnOnce(
        &Solver,
        Vec<Band>,
        &mut [Mutex<Worker>],
        &mut Journals,
    ) -> Result<u16, MovementError>,
) -> Result<Movement, MovementError> {
    let threads = rayon::current_num_threads();
    let memory = Memory::new(variant, sets, men, threads, memory);
    let men = u32::from(men);
    let points = variant.board.point_count() as u32;
    let layout = Layout::new(sets, points, LEAST_MEN, men);
    let mut journals = Journals::new(keep, &binding(variant, &layout), threads)?;
    if let Some(last_ply) = journals.ended() {
        return Ok(Movement::ended(layout, journals, last_ply));
    }
    let transpose = Transpose::new(&variant.board, sets, &layout).ok_or(MovementError::TooLarge)?;
    let solver = Solver::new(variant, sets, &layout, &transpose, level, men);
    let bytes = layout.bits() as usize / 8;
    let kinds = Kind::all(variant.rules.most_captures()).len();
    let mut planes = (0..2 + 2 * kinds)
        .map(|_| Pages::new(bytes))
        .collect::<Result<Vec<_>, _>>()?;
    let mut workers = (0..threads)
        .map(|_| Worker::new(&layout, memory.room, kinds).map(Mutex::new))
        .collect::<Result<Vec<_>, _>>()?;
    let bands = bands(&layout, &mut planes);
    let last_ply = run(&solver, bands, &mut workers, &mut journals)?;
    let workers = workers
        .into_iter()
        .map(|worker| worker.into_inner().expect("no worker panicked"));
    journals.take_back(workers.filter_map(|worker| worker.journal));
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

/// What the journals of a run hold, so that no others are taken for them.
fn binding(variant: &Variant, layout: &Layout) -> [u8; 32] {
    let text = format!(
        "{} {} {:?}",
        env!("CARGO_PKG_VERSION"),
        variant.fingerprint(),
        layout
    );
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// The rows of a band.
fn size_of_band(layout: &Layout, band: usize) -> BandSize {
    BandSize {
        rows: layout.rows_in(band),
        row_bits: layout.band(band).0.row_bits,
    }
}

/// About how many bytes [`solve`] keeps in memory. With a limit it empties its buckets more often, as far as
/// that helps.
pub fn memory_needed(
    variant: &Variant,
    sets: &CanonicalSets,
    men: u8,
    threads: usize,
    limit: Option<u64>,
) -> u64 {
    let memory = Memory::new(variant, sets, men, threads, limit);
    memory.fixed + memory.outboxes
}

/// What the movement layer takes.
struct Memory {
    /// Bytes of planes and tables.
    fixed: u64,
    /// Bytes of all outboxes together.
    outboxes: u64,
    /// Messages that one outbox is made for.
    room: usize,
}

impl Memory {
    fn new(
        variant: &Variant,
        sets: &CanonicalSets,
        men: u8,
        threads: usize,
        limit: Option<u64>,
    ) -> Memory {
        let points = variant.board.point_count();
        let layout = Layout::new(sets, points as u32, LEAST_MEN, men.into());
        let kinds = Kind::all(variant.rules.most_captures()).len() as u64;
        let planes = (2 + 2 * kinds) * layout.bits() / 8;
        let table: u64 = (LEAST_MEN..=men.into())
            .map(|men| 8 * binomial(points, men as usize))
            .sum();
        let fixed = planes + table;
        let threads = threads as u64;
        let message = size_of::<u32>() as u64;
        // No ply decides half of all positions.
        let positions = layout.classes.iter().map(|class| {
            let sizes = LEAST_MEN..=u32::from(men);
            let row = sizes.map(|size| binomial(class.free as usize, size as usize));
            class.rows as u64 * row.sum::<u64>()
        });
        let wanted = MESSAGES.min(positions.sum::<u64>() / 2);
        let messages = limit.map_or(wanted, |limit| {
            wanted.min(limit.saturating_sub(fixed) / message)
        });
        // A share of all, but enough for the longest row.
        let widest = layout.classes.iter().map(|class| class.row_bits).max();
        let longest = kinds * layout.most_messages(widest.unwrap_or(0)) as u64;
        let room = (messages / threads).max(longest);
        Memory {
            fixed,
            outboxes: threads * room * message,
            room: room as usize,
        }
    }
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
        journals: &mut Journals,
        progress: &dyn Progress,
    ) -> Result<u16, MovementError> {
        let mut last = 0;
        let first = journals.known().map_or(0, |known| known + 1);
        for ply in 0..first {
            if self
                .ply(bands, workers, ply, Some(journals), progress)?
                .decided
                > 0
            {
                last = ply;
            }
            turn_over(bands);
        }
        for worker in workers.iter_mut() {
            worker.get_mut().expect("no worker panicked").journal = journals.lend();
        }
        for ply in first.. {
            let done = self.ply(bands, workers, ply, None, progress)?;
            if done.decided > 0 {
                last = ply;
            }
            let over = done.decided == 0 && !done.sent;
            let lent = workers.iter_mut().filter_map(|worker| {
                let worker = worker.get_mut().expect("no worker panicked");
                worker.journal.as_mut()
            });
            journals.commit(ply, lent, over.then_some(last))?;
            if over {
                break;
            }
            turn_over(bands);
        }
        Ok(last)
    }

    /// Finds what a ply decides, or reads it from the journals in which it is `known`, and delivers it.
    fn ply(
        &self,
        bands: &mut [Band],
        workers: &mut [Mutex<Worker>],
        ply: u16,
        known: Option<&Journals>,
        progress: &dyn Progress,
    ) -> Result<Done, MovementError> {
        progress.ply(ply);
        let decided = AtomicU64::new(0);
        let mut sent = false;
        while bands.iter().any(|band| band.cursor < band.now.rows.len()) {
            bands.par_iter_mut().with_max_len(1).try_for_each(|band| {
                if band.cursor == band.now.rows.len() {
                    return Ok(());
                }
                let size = size_of_band(self.layout, band.number);
                let known = known.map(|journals| journals.at_ply(band.number, ply, size));
                let thread = rayon::current_thread_index().unwrap_or(0);
                let worker = &mut *workers[thread].lock().expect("no worker panicked");
                let work = BandWork {
                    solver: self,
                    band,
                    worker,
                    step: self.step(ply),
                    known: known.transpose()?,
                };
                let cells = cpu::run(self.level, work)?;
                decided.fetch_add(cells, Ordering::Relaxed);
                progress.advance(cells);
                Ok::<(), DatabaseError>(())
            })?;
            sent |= self.deliver(bands, workers, ply);
        }
        Ok(Done {
            decided: decided.into_inner(),
            sent,
        })
    }

    /// What a ply to the end of the game looks for.
    fn step(&self, ply: u16) -> Step<'_> {
        Step {
            seek: match ply % 2 {
                1 => Seek::Wins,
                _ => Seek::Losses,
            },
            ply,
            entry: ply,
            deciding: &self.playing,
            blocked: false,
            beaten: ply == 0,
        }
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

/// What a ply has come to.
struct Done {
    /// Positions it decided.
    decided: u64,
    /// Whether there were messages.
    sent: bool,
}

/// Makes what this ply has changed what the next one goes by.
fn turn_over(bands: &mut [Band]) {
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

/// Whether a ply looks for wins or for losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seek {
    Wins = 0,
    Losses = 1,
}

/// What is done in the rows.
#[derive(Clone, Copy, Debug)]
struct Step<'a> {
    seek: Seek,
    /// The distance of what is found.
    ply: u16,
    /// The number under which the journal keeps it.
    entry: u16,
    /// By class: the cells that may be decided.
    deciding: &'a [Sizes],
    /// Find only who has no turn at all.
    blocked: bool,
    /// Movers with too few men have lost from now on.
    beaten: bool,
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
    fn new(layout: &Layout, room: usize, kinds: usize) -> Result<Self, MovementError> {
        let widest = layout.classes.iter().map(|c| c.row_bits).max().unwrap_or(9);
        let row = || vec![EMPTY; 1 << (widest - 9)];
        Ok(Worker {
            outbox: Outbox::new(layout.bands, layout.band_bits, room, kinds)?,
            journal: None,
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
    step: Step<'a>,
    /// What is decided, if an earlier run has found it out.
    known: Option<KnownRows>,
}

impl Task for BandWork<'_, '_, '_> {
    type Output = Result<u64, DatabaseError>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Result<u64, DatabaseError> {
        let BandWork {
            solver,
            band,
            worker,
            step,
            known,
        } = self;
        let (class, first_row) = solver.layout.band(band.number);
        let mut cells = 0;
        if let Some(journal) = &mut worker.journal {
            journal.begin(band.number, step.entry);
        }
        while band.cursor < band.now.rows.len() {
            let row = band.cursor;
            let known = known.as_ref().map(|known| known.of(row));
            // At ply 0 there are the beaten, whom no journal has.
            let idle = known.is_some_and(|known| known.is_empty() && step.ply > 0);
            if !band.now.rows[row] || idle {
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
            let mut row_work = RowWork::new(solver, band, worker, row, class.row_bits, step);
            cells += match known {
                Some(known) => row_work.enter::<C>(known),
                None => row_work.solve::<C>(),
            };
        }
        worker.outbox.publish();
        if let Some(journal) = &mut worker.journal {
            journal.end()?;
        }
        Ok(cells)
    }
}
