//! Layer groups in which men move: solved backwards from the end of the game.
//!
//! The movement layer, all positions with empty hands, is such a group. Where men may move while others
//! are still in hand, so are the positions in which one side has `a` men in hand and the other `b`: a slide
//! stays in the group, a placement leads to a group below, which is finished then. A group has two
//! [halves](Half), or one if the hands are equal.
//!
//! Every position has a bit in six planes, or eight where two mills at once take two men; two more where
//! it may place a man. A row's fixed set is written first:
//!
//! ```text
//! plane              fixed      varied     meaning of a set bit
//! to_move win/loss   opponent   mover      the mover wins / loses
//! placed win/loss    opponent   mover      some placement wins by now / all lose by now
//! moved win/loss     mover      opponent   to_move transposed: what `opponent`, having just moved, reached
//! mill win/loss      mover      opponent   the same after `opponent` closed a mill and took the best man
//!                                          (win/loss again for the side to move)
//! pair win/loss      mover      opponent   the same after it closed two mills and took the best two
//! ```
//!
//! Where the first mill wins nobody is taken: the `to_move` and `moved` planes are all there is.
//!
//! In a row, a turn of the varied side is a slide: the `to_move` planes follow from the `moved`, `mill`
//! and `placed` planes of the same row, without a look at any other. At ply 0 the blocked and those with
//! too few men are lost; then each odd ply finds wins and each even ply losses, so the ply at which a bit
//! appears is the exact distance to the end of the game. New bits are sent to the `moved` planes, and
//! what they mean for captures to the `mill` planes, as [messages](super::messages). What [placing](Placings)
//! is worth comes from the groups below, ply by ply:
//!
//! ```text
//!   group below: what turns end in, by ply  ->  best placement, by ply  ->  `placed` planes of this group
//! ```
//!
//! Plies to the next capture instead are the matter of [`conversion`].
//!
//! A row with many new bits is passed over as a whole; one with few is solved by taking back the turns
//! that lead to them.
//!
//! Who passes leaves the men as they are, and a cell of the `moved` planes says what that is worth.

mod bands;
pub mod conversion;
mod ends;
mod follow;
mod group;
mod half;
mod mills;
mod placings;
mod replay;
mod row;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::block::{Block, EMPTY, Sizes};
use super::checkpoint::{Journals, KnownRows};
use super::journal::Journal;
use super::lookup::{Layout, Transpose};
use super::memory::OutOfMemory;
use super::messages::{Kind, Outbox};
use super::shape::Shape;
use crate::cpu::{self, Cpu, Level, Task};
use crate::database::DatabaseError;
use crate::game::{PointSet, Variant};
use crate::index::canonical::{CanonicalSets, binomial};
use crate::solve::Progress;
use bands::{Band, Planes, bands};
use ends::EndsLog;
pub use group::{Group, Movement};
use half::halves;
pub use half::{Half, on_board};
pub use placings::Placings;
use row::RowWork;

/// Fewest men, hand included, with which the game goes on where men are taken. A side that has no more flies.
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

/// Solves a layer group.
///
/// If an earlier run has left plies where the journals are kept, they are read instead of being computed.
///
/// # Errors
/// See [`MovementError`].
pub fn solve(
    group: &Group,
    level: Level,
    progress: &dyn Progress,
) -> Result<Movement, MovementError> {
    let run =
        |solver: &Solver, mut bands: Vec<Band>, workers: &mut [_], journals: &mut Journals| {
            solver.run(&mut bands, workers, journals, progress)
        };
    solve_by(group, level, run)
}

/// Solves in the way of `run`, which returns the last number given to the journals.
fn solve_by(
    group: &Group,
    level: Level,
    run: impl FnOnce(
        &Solver,
        Vec<Band>,
        &mut [Mutex<Worker>],
        &mut Journals,
    ) -> Result<u16, MovementError>,
) -> Result<Movement, MovementError> {
    let &Group { variant, sets, .. } = group;
    let halves = halves(variant, sets, group.men, group.hands);
    let threads = rayon::current_num_threads();
    let memory = Memory::new(variant, group.men, &halves, threads, group.memory);
    let mut journals = Journals::new(group.keep, &binding(variant, &halves), threads)?;
    if let Some(last_ply) = journals.ended().filter(|_| !group.keep_ends) {
        return Ok(Movement::ended(group.men, halves, journals, last_ply));
    }
    let transposes = halves
        .iter()
        .map(|half| Transpose::new(&variant.board, sets, &half.layout))
        .collect::<Option<Vec<_>>>()
        .ok_or(MovementError::TooLarge)?;
    let placings: Vec<_> = halves
        .iter()
        .map(|half| group.placings.get(&(half.fixed_hand, half.varied_hand)))
        .collect();
    let kinds = Kind::all(variant.rules.most_captures()).len();
    let mut planes = halves
        .iter()
        .zip(&placings)
        .map(|(half, placings)| Planes::new(half.layout.bits(), kinds, placings.is_some()))
        .collect::<Result<Vec<_>, _>>()?;
    let mut workers = (0..threads)
        .map(|_| Worker::new(&halves, memory.room, kinds, group.ends_folder()).map(Mutex::new))
        .collect::<Result<Vec<_>, _>>()?;
    let solver = Solver {
        variant,
        sets,
        halves: &halves,
        transposes: &transposes,
        placings: &placings,
        level,
    };
    let bands = bands(&halves, &mut planes);
    let last_ply = run(&solver, bands, &mut workers, &mut journals)?;
    let (mut lent, mut ends_logs) = (Vec::new(), Vec::new());
    for worker in workers {
        let worker = worker.into_inner().expect("no worker panicked");
        lent.extend(worker.journal);
        if let Some(log) = worker.ends {
            ends_logs.push(log.finish()?);
        }
    }
    journals.take_back(lent.into_iter());
    for planes in &mut planes {
        planes.placed = None;
        if !group.keep_ends {
            planes.ends.clear();
        }
    }
    Ok(Movement {
        halves,
        men: group.men,
        planes,
        journals,
        ends_logs,
        last_ply,
    })
}

/// What the journals of a run hold, so that no others are taken for them.
fn binding(variant: &Variant, halves: &[Half]) -> [u8; 32] {
    let layouts: Vec<&Layout> = halves.iter().map(|half| &half.layout).collect();
    let text = format!(
        "{} {} {:?}",
        env!("CARGO_PKG_VERSION"),
        variant.fingerprint(),
        layouts
    );
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// About how many bytes [`solve`] keeps in memory for up to `men` men a side with these hands. With a limit
/// it empties its buckets more often, as far as that helps.
pub fn memory_needed(
    variant: &Variant,
    sets: &CanonicalSets,
    men: u8,
    hands: [u8; 2],
    threads: usize,
    limit: Option<u64>,
) -> u64 {
    let halves = halves(variant, sets, men, hands);
    let memory = Memory::new(variant, men, &halves, threads, limit);
    memory.fixed + memory.outboxes
}

/// Cells of all rows of a group, those that no position has included.
pub fn row_cells(variant: &Variant, sets: &CanonicalSets, men: u8, hands: [u8; 2]) -> u64 {
    let halves = halves(variant, sets, men, hands);
    halves.iter().map(|half| half.layout.bits()).sum()
}

/// What a layer group takes.
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
        men: u8,
        halves: &[Half],
        threads: usize,
        limit: Option<u64>,
    ) -> Memory {
        let points = variant.board.point_count();
        let kinds = Kind::all(variant.rules.most_captures()).len();
        let planes =
            |half: &Half| Planes::count(kinds, half.varied_hand > 0) * half.layout.bits() / 8;
        let table = |half: &Half| -> u64 {
            let sizes = on_board(variant, men, half.fixed_hand);
            sizes.map(|men| 8 * binomial(points, men as usize)).sum()
        };
        let fixed = halves.iter().map(|half| planes(half) + table(half)).sum();
        let threads = threads as u64;
        let message = size_of::<u32>() as u64;
        // No ply decides half of all positions.
        let positions = halves.iter().flat_map(|half| {
            half.layout.classes.iter().map(|class| {
                let sizes = half.varied.clone();
                let row = sizes.map(|size| binomial(class.free as usize, size as usize));
                class.rows as u64 * row.sum::<u64>()
            })
        });
        let wanted = MESSAGES.min(positions.sum::<u64>() / 2);
        let messages = limit.map_or(wanted, |limit| {
            wanted.min(limit.saturating_sub(fixed) / message)
        });
        // A share of all, but enough for the longest row.
        let layouts = || halves.iter().map(|half| &half.layout);
        let row_bits = layouts()
            .flat_map(|layout| &layout.classes)
            .map(|class| class.row_bits);
        let widest = row_bits.max().unwrap_or(0);
        let longest = layouts().map(|layout| layout.most_messages(widest)).max();
        let longest = (kinds * longest.unwrap_or(0)) as u64;
        let room = (messages / threads).max(longest);
        Memory {
            fixed,
            outboxes: threads * room * message,
            room: room as usize,
        }
    }
}

/// Everything that stays the same while the group is solved.
#[derive(Debug)]
struct Solver<'a> {
    variant: &'a Variant,
    sets: &'a CanonicalSets,
    halves: &'a [Half],
    /// By half: where a set stands that is fixed there.
    transposes: &'a [Transpose],
    /// By half.
    placings: &'a [Option<&'a Placings>],
    level: Level,
}

impl Solver<'_> {
    /// The half with the roles of another exchanged: the other one, if there are two.
    fn partner(&self, half: &Half) -> usize {
        let is_partner = |other: &Half| other.fixed_hand == half.varied_hand;
        self.halves.iter().position(is_partner).unwrap_or(0)
    }

    /// Where the positions of a half stand when transposed, and the address of the first place there.
    #[inline(always)]
    fn transposed(&self, half: &Half) -> (&Transpose, u64) {
        let partner = self.partner(half);
        let Half {
            layout, first_band, ..
        } = &self.halves[partner];
        (
            &self.transposes[partner],
            (*first_band as u64) << layout.band_bits,
        )
    }

    /// Tells a band what placing is worth from a ply on.
    fn place(&self, band: &mut Band, ply: u16) -> Result<(), DatabaseError> {
        match self.placings[band.half] {
            Some(placings) => band.place(placings, &self.halves[band.half], ply),
            None => Ok(()),
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
        let last_placing = self
            .placings
            .iter()
            .flatten()
            .map(|placings| placings.last_ply);
        let last_placing = last_placing.max().unwrap_or(0);
        bands
            .par_iter_mut()
            .try_for_each(|band| self.place(band, 0))?;
        let first = journals.known().map_or(0, |known| known + 1);
        for ply in 0..first {
            if self
                .ply(bands, workers, ply, Some(journals), progress)?
                .decided
                > 0
            {
                last = ply;
            }
            self.turn_over(bands, ply + 1)?;
        }
        for worker in workers.iter_mut() {
            worker.get_mut().expect("no worker panicked").journal = journals.lend();
        }
        for ply in first.. {
            let done = self.ply(bands, workers, ply, None, progress)?;
            if done.decided > 0 {
                last = ply;
            }
            let over = done.decided == 0 && !done.sent && ply >= last_placing;
            let lent = workers.iter_mut().filter_map(|worker| {
                let worker = worker.get_mut().expect("no worker panicked");
                worker.journal.as_mut()
            });
            journals.commit(ply, lent, over.then_some(last))?;
            if over {
                break;
            }
            self.turn_over(bands, ply + 1)?;
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
                let size = self.halves[band.half].size_of_band(band.place);
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
            sent |= self.deliver(bands, workers, ply)?;
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
            deciding: None,
            blocked: false,
            beaten: ply == 0,
        }
    }

    /// Empties all outboxes into the bands. Returns whether there was anything.
    fn deliver(
        &self,
        bands: &mut [Band],
        workers: &mut [Mutex<Worker>],
        ply: u16,
    ) -> Result<bool, DatabaseError> {
        let (mut outboxes, mut logs) = (Vec::new(), Vec::new());
        for worker in workers {
            let worker = worker.get_mut().expect("no worker panicked");
            outboxes.push(&mut worker.outbox);
            logs.push(Mutex::new(worker.ends.as_mut()));
        }
        if outboxes.iter().all(|outbox| outbox.is_empty()) {
            return Ok(false);
        }
        let boxes: Vec<&Outbox> = outboxes.iter().map(|outbox| &**outbox).collect();
        bands.par_iter_mut().with_max_len(1).try_for_each(|band| {
            let thread = rayon::current_thread_index().unwrap_or(0);
            let mut log = logs[thread].lock().expect("no worker panicked");
            let layout = &self.halves[band.half].layout;
            band.receive(&boxes, layout, ply, log.as_deref_mut())
        })?;
        outboxes.iter_mut().for_each(|outbox| outbox.clear());
        Ok(true)
    }

    /// Makes what has changed since the ply before what the next one goes by.
    fn turn_over(&self, bands: &mut [Band], next: u16) -> Result<(), DatabaseError> {
        bands.par_iter_mut().try_for_each(|band| {
            std::mem::swap(&mut band.now, &mut band.next);
            band.next.clear();
            self.place(band, next)?;
            band.now.sort();
            band.cursor = if band.now.any { 0 } else { band.now.rows.len() };
            Ok(())
        })
    }
}

/// What a ply has come to.
struct Done {
    /// Positions it decided.
    decided: u64,
    /// Whether there were messages.
    sent: bool,
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
    /// By class: the cells that may be decided, if not all that play.
    deciding: Option<&'a [Sizes]>,
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
    ends: Option<EndsLog>,
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
        halves: &[Half],
        room: usize,
        kinds: usize,
        ends: Option<&Path>,
    ) -> Result<Self, MovementError> {
        let layouts = || halves.iter().map(|half| &half.layout);
        let row_bits = layouts()
            .flat_map(|layout| &layout.classes)
            .map(|class| class.row_bits);
        let row = || vec![EMPTY; 1 << (row_bits.clone().max().unwrap_or(9) - 9)];
        let bands = layouts().map(|layout| layout.bands).sum();
        Ok(Worker {
            outbox: Outbox::new(bands, halves[0].layout.band_bits, room, kinds)?,
            journal: None,
            ends: ends.map(|folder| EndsLog::new(folder, kinds)).transpose()?,
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
        let half = &solver.halves[band.half];
        let (class, first_row) = half.layout.band(band.place);
        let partner = &solver.halves[solver.partner(half)].layout;
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
            if worker.outbox.room() < kinds * partner.most_messages(class.row_bits) {
                break;
            }
            band.cursor += 1;
            let set = solver
                .sets
                .representative(class.men as usize, first_row + row);
            worker.shape.taking.protection = solver.variant.rules.protection;
            worker.shape.taking.hand = half.varied_hand.into();
            worker
                .shape
                .set(&solver.variant.board, set, *half.varied.end());
            solver.transposed(half).0.images_of(set, &mut worker.images);
            if !solver.variant.rules.takes_men() {
                // A mill changes nothing about where a turn ends: it ends in a lost position.
                worker.shape.lines.clear();
            }
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
