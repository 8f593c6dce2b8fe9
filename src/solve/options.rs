//! How to solve.

use std::path::PathBuf;

use super::{SolveError, plain};
use crate::conversion::{Counting, Metric};
use crate::database::{Contents, DatabaseWriter};
use crate::game::{Sector, Variant};

/// How to solve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolveOptions {
    /// Win, draw and loss only, without distances: a smaller database.
    pub values_only: bool,
    /// What distances count; with [`values_only`](Self::values_only) only [`Metric::End`] makes sense.
    pub metric: Metric,
    /// Threads to work with; `None`: as many as there are processors.
    pub threads: Option<usize>,
    /// Only the sectors without men in hand that have at most this many men a side, to try things
    /// out; `None`: the whole game.
    pub men_up_to: Option<u8>,
    /// The finished database of a game with the same movement phase, to take the sectors with empty hands
    /// from instead of solving them; see [`MovementSource`](super::MovementSource).
    pub movement_from: Option<PathBuf>,
    /// Bytes of memory to get along with, as far as that is possible: [`needs`](super::needs) says what it comes to.
    /// `None`: as many as make it fast.
    pub memory: Option<u64>,
    /// Keep nothing to go on from: the database is for this run only.
    pub temporary: bool,
}

impl SolveOptions {
    /// The sectors to solve.
    ///
    /// # Errors
    /// When the restriction leaves nothing, or values alone are wanted of conversions.
    pub fn sectors(&self, variant: &Variant) -> Result<Vec<Sector>, SolveError> {
        if self.values_only && self.metric != Metric::End {
            return Err(SolveError::ValuesOfConversions);
        }
        let mut sectors = variant.sectors();
        if let Some(men) = self.men_up_to {
            sectors.retain(|s| s.in_hand() == 0 && s.mover.max(s.opponent) <= men);
            if sectors.is_empty() {
                let variant = variant.id.clone();
                return Err(SolveError::NothingToSolve { variant, men });
            }
        }
        Ok(sectors)
    }

    /// How many threads that makes.
    pub fn thread_count(&self) -> usize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
            .unwrap_or(1)
    }

    /// The same for the plain solver, which is to solve these sectors.
    pub(super) fn plainly(&self, sectors: Vec<Sector>) -> plain::Options {
        plain::Options {
            metric: self.metric,
            ..plain::Options::of(sectors)
        }
    }

    /// Refuses less than the whole of a game whose positions depend on what came before, and counts of plies to
    /// the next capture, which do as well.
    pub(super) fn whole(&self, variant: &Variant) -> Result<(), SolveError> {
        if self.men_up_to.is_none() && self.movement_from.is_none() && self.metric == Metric::End {
            return Ok(());
        }
        let variant = variant.id.clone();
        Err(SolveError::PartWithoutPast { variant })
    }

    /// Refuses to go on with a database of conversions under another limit.
    pub(super) fn check_limit(&self, store: &DatabaseWriter) -> Result<(), SolveError> {
        let Metric::Conversion { limit: wanted } = self.metric else {
            return Ok(());
        };
        match store.counting().map(Counting::limit) {
            Some(found) if found != wanted => Err(SolveError::OtherLimit {
                dir: store.dir().to_owned(),
                found: limit_in_words(found),
                wanted: limit_in_words(wanted),
            }),
            _ => Ok(()),
        }
    }

    /// What the database will hold.
    pub fn contents(&self) -> Contents {
        match self.metric {
            Metric::Conversion { .. } => Contents::Conversions,
            Metric::End if self.values_only => Contents::Values,
            Metric::End => Contents::Distances,
        }
    }
}

/// A limit of plies without a capture in words.
fn limit_in_words(limit: Option<u16>) -> String {
    limit.map_or("without a no-capture limit".to_owned(), |limit| {
        format!("with a no-capture limit of {limit} plies")
    })
}
