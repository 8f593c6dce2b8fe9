//! What one thread needs, and its work in one band.

use std::path::Path;

use super::bands::Band;
use super::ends::EndsLog;
use super::half::Half;
use super::row::RowWork;
use super::{MovementError, Solver, Step};
use crate::cpu::{Cpu, Task};
use crate::database::DatabaseError;
use crate::game::PointSet;
use crate::solve::cube::block::{Block, EMPTY};
use crate::solve::cube::checkpoint::KnownRows;
use crate::solve::cube::journal::Journal;
use crate::solve::cube::messages::Outbox;
use crate::solve::cube::shape::Shape;

/// What one thread needs.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) outbox: Outbox,
    pub(super) journal: Option<Journal>,
    pub(super) ends: Option<EndsLog>,
    pub(super) shape: Shape,
    pub(super) images: Vec<PointSet>,
    pub(super) scratch: Scratch,
    pub(super) indices: Vec<u32>,
    pub(super) captures: Vec<u32>,
    pub(super) doubles: Vec<u32>,
}

/// Rows of scratch space.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) lifted: Vec<Block>,
    pub(super) moves: Vec<Block>,
    pub(super) fresh: Vec<Block>,
    pub(super) reached: Vec<Block>,
    pub(super) before: Vec<Block>,
    pub(super) once: Vec<Block>,
}

impl Worker {
    pub(super) fn new(
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
pub(super) struct BandWork<'a, 'b, 'c> {
    pub(super) solver: &'a Solver<'a>,
    pub(super) band: &'a mut Band<'b>,
    pub(super) worker: &'c mut Worker,
    pub(super) step: Step<'a>,
    /// What is decided, if an earlier run has found it out.
    pub(super) known: Option<KnownRows>,
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
