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
mod needs;
mod placings;
mod plies;
mod replay;
mod row;
mod worker;

use std::sync::Mutex;

use super::checkpoint::Journals;
use super::lookup::{Layout, Transpose};
use super::memory::OutOfMemory;
use super::messages::Kind;
use crate::cpu::Level;
use crate::database::DatabaseError;
use crate::game::Variant;
use crate::solve::Progress;
use bands::{Band, Planes, bands};
pub use group::{Group, Movement};
use half::halves;
pub use half::{Half, on_board};
use needs::Memory;
pub use needs::{memory_needed, row_cells};
pub use placings::Placings;
use plies::{Seek, Solver, Step};
use worker::{BandWork, Worker};

/// Fewest men, hand included, with which the game goes on where men are taken. A side that has no more flies.
const LEAST_MEN: u32 = 3;
/// A row is followed bit by bit when fewer than one in this many bits is new.
const SPARSE: usize = 1024;

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
    journals.take_back(lent.into_iter())?;
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
