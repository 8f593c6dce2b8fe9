//! How a running solver tells how far it is.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::summary::{StageTime, Stopwatch};

/// Told by a solver what it does; a progress bar, a log, or nothing at all.
///
/// ```text
/// stage("movement", 9_000_000_000)      the next part of the work, and how much it is
///   ply(1) advance(70_000) advance(65_000) ... ply(2) ...
/// stage("placement", 17_000_000_000)
///   layer(1) advance(...) ... layer(2) ...
/// ```
///
/// Calls come from any thread, a few times a second to a few thousand times.
pub trait Progress: Sync {
    /// A stage begins that works through about this many cells; the one before it is over.
    fn stage(&self, name: &str, cells: u64);

    /// More cells of the stage are done.
    fn advance(&self, cells: u64);

    /// Positions decided in this many plies are being looked for now.
    fn ply(&self, _ply: u16) {}

    /// Positions with this many men in hand, of both sides together, are being solved now.
    fn layer(&self, _men_in_hand: u8) {}
}

/// Nobody is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &str, _cells: u64) {}

    fn advance(&self, _cells: u64) {}
}

/// Passes on what it is told, and takes the time of each stage.
pub struct Timed<'a> {
    listener: &'a dyn Progress,
    watch: Mutex<Stopwatch>,
}

impl<'a> Timed<'a> {
    /// Starts the clocks.
    pub fn new(listener: &'a dyn Progress) -> Timed<'a> {
        Timed {
            listener,
            watch: Mutex::new(Stopwatch::start()),
        }
    }

    /// Ends the run: what the whole of it took, and each of its stages.
    pub fn finish(self) -> (StageTime, Vec<StageTime>) {
        let watch = self.watch.into_inner();
        watch.unwrap_or_else(PoisonError::into_inner).finish()
    }
}

impl Progress for Timed<'_> {
    fn stage(&self, name: &str, cells: u64) {
        let watch = self.watch.lock();
        watch.unwrap_or_else(PoisonError::into_inner).stage(name);
        self.listener.stage(name, cells);
    }

    fn advance(&self, cells: u64) {
        self.listener.advance(cells);
    }

    fn ply(&self, ply: u16) {
        self.listener.ply(ply);
    }

    fn layer(&self, men_in_hand: u8) {
        self.listener.layer(men_in_hand);
    }
}

impl fmt::Debug for Timed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timed")
            .field("watch", &self.watch)
            .finish_non_exhaustive()
    }
}
