//! Plies to the next capture, under a limit of plies without one: see [`crate::conversion`].
//!
//! Captures only ever make men fewer, so the positions are solved in *stages* of equal men on the board, the
//! fewest first. When a stage begins, the `mill` and `pair` planes of its positions are complete, as the
//! positions after the captures were decided in earlier stages, with all their plies and up to the limit. They
//! stay as they are, and only quiet turns carry the plies on:
//!
//! ```text
//! stage  6   3-3             ply 0 blocked   1 captures   2  3  4 ...
//! stage  7   3-4 4-3         ply 0           1            2  3  ...
//! stage  8   3-5 4-4 5-3     ...     captures lead from here to stage 7, or 6 if they take two men
//! ```
//!
//! A loser may be left with nothing but captures, so a ply finds both wins and losses: wins from the losses
//! of the ply before, losses from its wins. One of the two, wins at even and losses at odd plies, goes back
//! to a capture by the loser and is rare. It is sought first, and what it finds is held back until the other
//! has been sought, which must not see it.
//!
//! Closing a mill from which nothing may be taken is a turn without a capture. Its messages are of the kind of
//! captures but name positions of the same stage, and so are known by their men.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::bands::{Band, Changes};
use super::{
    BandWork, Group, LEAST_MEN, Movement, MovementError, SPARSE, Seek, Solver, Step, Worker,
};
use crate::cpu::{self, Level};
use crate::database::DatabaseError;
use crate::solve::Progress;
use crate::solve::cube::block::{Flag, Sizes};
use crate::solve::cube::checkpoint::Journals;
use crate::solve::cube::journal::Journal;
use crate::solve::cube::messages::{Kind, Outbox};
use crate::value::Outcome;

/// The movement layer by plies to the next capture.
#[derive(Debug)]
pub struct Conversions {
    /// Results and journal, whose plies are numbers for [`value_of`].
    pub movement: Movement,
    /// The values that were found.
    pub found: Vec<(Outcome, u16)>,
}

/// What the journal notes a value as.
fn entry_of(seek: Seek, ply: u16) -> u16 {
    2 * ply + u16::from(seek == Seek::Wins)
}

/// The result and distance that a number in the journal stands for.
pub fn value_of(entry: u16) -> (Outcome, u16) {
    match entry % 2 {
        1 => (Outcome::Win, entry / 2),
        _ => (Outcome::Loss, entry / 2),
    }
}

/// Solves all movement sectors of a group with empty hands. Nothing is taken up again from its journals.
///
/// Positions that take more plies than `limit` are drawn.
///
/// # Errors
/// See [`MovementError`].
pub fn solve(
    group: &Group,
    level: Level,
    limit: Option<u16>,
    progress: &dyn Progress,
) -> Result<Conversions, MovementError> {
    let mut found = BTreeSet::new();
    let run = |solver: &Solver,
               bands: Vec<Band>,
               workers: &mut [Mutex<Worker>],
               journals: &mut Journals| {
        for worker in workers.iter_mut() {
            worker.get_mut().expect("no worker panicked").journal = journals.lend();
        }
        let bands = bands.into_iter().map(Staged::new).collect();
        let mut stages = Stages {
            solver,
            bands,
            workers,
            progress,
            found: &mut found,
        };
        for total in 2 * LEAST_MEN..=2 * u32::from(group.men) {
            stages.stage(total, limit)?;
        }
        for worker in stages.workers.iter_mut() {
            let worker = worker.get_mut().expect("no worker panicked");
            worker.journal.as_mut().map(Journal::flush).transpose()?;
        }
        Ok(stages.found.last().copied().unwrap_or(0))
    };
    let movement = super::solve_by(group, level, run)?;
    Ok(Conversions {
        movement,
        found: found.into_iter().map(value_of).collect(),
    })
}

/// A band with what changed in it, by what the changes help to find.
#[derive(Debug)]
struct Staged<'a> {
    band: Band<'a>,
    now: [Changes; 2],
    next: [Changes; 2],
    /// Places that are held back, by kind.
    held: Vec<Vec<u32>>,
}

impl<'a> Staged<'a> {
    fn new(band: Band<'a>) -> Staged<'a> {
        let (rows, kinds) = (band.now.rows.len(), band.ends.len());
        let changes = || {
            std::array::from_fn(|_| Changes {
                rows: vec![false; rows],
                lists: vec![Vec::new(); kinds],
                ..Changes::default()
            })
        };
        Staged {
            band,
            now: changes(),
            next: changes(),
            held: vec![Vec::new(); kinds],
        }
    }

    /// Has all rows looked at as a whole, or none.
    fn look_at_all(&mut self, all: bool) {
        for changes in &mut self.now {
            changes.clear();
            changes.rows.fill(all);
            (changes.any, changes.many) = (all, all);
        }
        self.next.iter_mut().for_each(Changes::clear);
    }

    /// Makes the changes that help to find these the ones at hand, or puts them back.
    fn exchange(&mut self, seek: Seek) {
        std::mem::swap(&mut self.band.now, &mut self.now[seek as usize]);
        self.band.cursor = match self.band.now.any {
            true => 0,
            false => self.band.now.rows.len(),
        };
    }

    /// Keeps the places that messages name for later.
    fn hold(&mut self, boxes: &[&Outbox]) {
        for (&kind, held) in Kind::all(2).iter().zip(&mut self.held) {
            for outbox in boxes {
                outbox
                    .read(self.band.number, kind)
                    .for_each(|places| held.extend_from_slice(places));
            }
        }
    }

    /// Sets the bits that messages name and notes what is new.
    fn receive(&mut self, boxes: &[&Outbox], solver: &Solver, seek: Seek, total: u32) {
        for &kind in &Kind::all(2)[..self.held.len()] {
            for outbox in boxes {
                for places in outbox.read(self.band.number, kind) {
                    self.enter(kind, places, solver, seek, total);
                }
            }
        }
    }

    /// Sets the bits that were held back.
    fn release(&mut self, solver: &Solver, seek: Seek, total: u32) {
        for &kind in &Kind::all(2)[..self.held.len()] {
            let mut places = std::mem::take(&mut self.held[kind as usize]);
            self.enter(kind, &places, solver, seek, total);
            places.clear();
            self.held[kind as usize] = places;
        }
    }

    fn enter(&mut self, kind: Kind, places: &[u32], solver: &Solver, seek: Seek, total: u32) {
        if places.is_empty() {
            return;
        }
        let (class, _) = solver.halves[0].layout.band(self.band.place);
        let (row_bits, cells) = (class.row_bits, (1u32 << class.row_bits) - 1);
        let list_up_to = (1usize << solver.halves[0].layout.band_bits) / SPARSE;
        let words = self.band.ends[kind as usize][seek as usize].as_flattened_mut();
        let next = &mut self.next[1 - seek as usize];
        for &place in places {
            let (word, bit) = (&mut words[place as usize / 64], 1 << (place % 64));
            if *word & bit != 0 {
                continue;
            }
            *word |= bit;
            if kind != Kind::Quiet && class.men + (place & cells).count_ones() != total {
                continue;
            }
            next.rows[(place >> row_bits) as usize] = true;
            next.any = true;
            let list = &mut next.lists[kind as usize];
            next.many |= list.len() == list_up_to;
            if !next.many {
                list.push(place);
            }
        }
    }

    /// Goes on to the next ply.
    fn turn_over(&mut self) {
        for (now, next) in self.now.iter_mut().zip(&mut self.next) {
            std::mem::swap(now, next);
            if next.any {
                next.clear();
            }
            now.lists.iter_mut().for_each(|list| list.sort_unstable());
        }
    }
}

struct Stages<'s, 'b> {
    solver: &'s Solver<'s>,
    bands: Vec<Staged<'b>>,
    workers: &'s mut [Mutex<Worker>],
    progress: &'s dyn Progress,
    /// Numbers given to the journal.
    found: &'s mut BTreeSet<u16>,
}

impl Stages<'_, '_> {
    /// Decides the positions with `total` men on the board.
    fn stage(&mut self, total: u32, limit: Option<u16>) -> Result<(), MovementError> {
        let men = self.solver.halves[0].varied.clone();
        let classes = &self.solver.halves[0].layout.classes;
        let sizes = |class: &crate::solve::cube::lookup::Class| match total.checked_sub(class.men) {
            Some(mover) if men.contains(&mover) => Sizes::new::<Flag>(class.free, mover, mover),
            // No set is larger than the board and smaller than nothing.
            _ => Sizes::new::<Flag>(class.free, u32::MAX, 0),
        };
        let deciding: Vec<Sizes> = classes.iter().map(sizes).collect();
        let solver = self.solver;
        let takes_part = |staged: &Staged| {
            let (class, _) = solver.halves[0].layout.band(staged.band.place);
            total
                .checked_sub(class.men)
                .is_some_and(|mover| men.contains(&mover))
        };
        let all_rows = |bands: &mut [Staged]| {
            bands
                .par_iter_mut()
                .for_each(|staged| staged.look_at_all(takes_part(staged)));
        };
        all_rows(&mut self.bands);
        for ply in 0..=limit.unwrap_or(u16::MAX / 2) {
            self.progress.ply(ply);
            let (rare, usual) = match ply % 2 {
                1 => (Seek::Losses, Seek::Wins),
                _ => (Seek::Wins, Seek::Losses),
            };
            let step = |seek| Step {
                seek,
                ply,
                entry: entry_of(seek, ply),
                deciding: Some(&deciding),
                blocked: ply == 0,
                beaten: ply == 0,
            };
            if ply > 0 {
                self.look(step(rare), total, true)?;
            }
            self.look(step(usual), total, false)?;
            self.bands
                .par_iter_mut()
                .with_max_len(1)
                .for_each(|staged| {
                    staged.release(solver, rare, total);
                    staged.turn_over();
                });
            if ply == 0 {
                // The captures have been there from the beginning.
                all_rows(&mut self.bands);
            } else if !self.bands.iter().any(|s| s.now.iter().any(|now| now.any)) {
                break;
            }
        }
        Ok(())
    }

    /// Goes through the rows in which something has changed. With `hold`, what is found is held back.
    fn look(&mut self, step: Step<'_>, total: u32, hold: bool) -> Result<(), MovementError> {
        self.bands
            .iter_mut()
            .for_each(|staged| staged.exchange(step.seek));
        let decided = AtomicU64::new(0);
        let (solver, progress, workers) = (self.solver, self.progress, &*self.workers);
        while self
            .bands
            .iter()
            .any(|s| s.band.cursor < s.band.now.rows.len())
        {
            self.bands
                .par_iter_mut()
                .with_max_len(1)
                .try_for_each(|staged| {
                    let band = &mut staged.band;
                    if band.cursor == band.now.rows.len() {
                        return Ok(());
                    }
                    let (class, _) = solver.halves[0].layout.band(band.place);
                    let thread = rayon::current_thread_index().unwrap_or(0);
                    let worker = &mut *workers[thread].lock().expect("no worker panicked");
                    let step = Step {
                        beaten: step.beaten && class.men + LEAST_MEN == total,
                        ..step
                    };
                    let work = BandWork {
                        solver,
                        band,
                        worker,
                        step,
                        known: None,
                    };
                    let cells = cpu::run(solver.level, work)?;
                    decided.fetch_add(cells, Ordering::Relaxed);
                    progress.advance(cells);
                    Ok::<(), DatabaseError>(())
                })?;
            let guards: Vec<_> = workers
                .iter()
                .map(|worker| worker.lock().expect("no worker panicked"))
                .collect();
            let boxes: Vec<&Outbox> = guards.iter().map(|worker| &worker.outbox).collect();
            if boxes.iter().any(|outbox| !outbox.is_empty()) {
                self.bands
                    .par_iter_mut()
                    .with_max_len(1)
                    .for_each(|staged| match hold {
                        true => staged.hold(&boxes),
                        false => staged.receive(&boxes, solver, step.seek, total),
                    });
            }
            drop(boxes);
            for mut worker in guards {
                worker.outbox.clear();
            }
        }
        if decided.into_inner() > 0 {
            self.found.insert(step.entry);
        }
        self.bands
            .iter_mut()
            .for_each(|staged| staged.exchange(step.seek));
        Ok(())
    }
}
