//! Ply by ply: what each decides, and what that tells the next.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::bands::Band;
use super::half::Half;
use super::placings::Placings;
use super::{BandWork, MovementError, Worker};
use crate::cpu::{self, Level};
use crate::database::DatabaseError;
use crate::game::Variant;
use crate::index::canonical::CanonicalSets;
use crate::solve::Progress;
use crate::solve::cube::block::Sizes;
use crate::solve::cube::checkpoint::Journals;
use crate::solve::cube::lookup::Transpose;
use crate::solve::cube::messages::Outbox;

/// Everything that stays the same while the group is solved.
#[derive(Debug)]
pub(super) struct Solver<'a> {
    pub(super) variant: &'a Variant,
    pub(super) sets: &'a CanonicalSets,
    pub(super) halves: &'a [Half],
    /// By half: where a set stands that is fixed there.
    pub(super) transposes: &'a [Transpose],
    /// By half.
    pub(super) placings: &'a [Option<&'a Placings>],
    pub(super) level: Level,
}

impl Solver<'_> {
    /// The half with the roles of another exchanged: the other one, if there are two.
    pub(super) fn partner(&self, half: &Half) -> usize {
        let is_partner = |other: &Half| other.fixed_hand == half.varied_hand;
        self.halves.iter().position(is_partner).unwrap_or(0)
    }

    /// Where the positions of a half stand when transposed, and the address of the first place there.
    #[inline(always)]
    pub(super) fn transposed(&self, half: &Half) -> (&Transpose, u64) {
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
    pub(super) fn place(&self, band: &mut Band, ply: u16) -> Result<(), DatabaseError> {
        match self.placings[band.half] {
            Some(placings) => band.place(placings, &self.halves[band.half], ply),
            None => Ok(()),
        }
    }

    /// Goes through the plies until one finds nothing. Returns the last one that decided a position.
    pub(super) fn run(
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
    pub(super) fn step(&self, ply: u16) -> Step<'_> {
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
    pub(super) fn deliver(
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
    pub(super) fn turn_over(&self, bands: &mut [Band], next: u16) -> Result<(), DatabaseError> {
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
pub(super) enum Seek {
    Wins = 0,
    Losses = 1,
}

/// What is done in the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    pub(super) seek: Seek,
    /// The distance of what is found.
    pub(super) ply: u16,
    /// The number under which the journal keeps it.
    pub(super) entry: u16,
    /// By class: the cells that may be decided, if not all that play.
    pub(super) deciding: Option<&'a [Sizes]>,
    /// Find only who has no turn at all.
    pub(super) blocked: bool,
    /// Movers with too few men have lost from now on.
    pub(super) beaten: bool,
}
