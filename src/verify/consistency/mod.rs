//! Whether a database is right in itself: every position is worth what the best of its turns is worth.
//!
//! That, and the ends of games, is all there is to the values of a game without repetition; what could
//! still be wrong are positions that hold each other up in a circle, each claiming a win in one ply more
//! than the next. Exact distances rule that out, as they go down with every turn, so a database with
//! distances that passes is a proof.
//!
//! A database of [conversions](crate::conversion) is checked likewise: distances go down until a capture, and
//! captures make men fewer.
//!
//! A [`Checker`] reads every stored cell from the files and recomputes it with code of its own: it shares the
//! rules of the game and the reader of files with the rest of the library, and no kernel, mask or numbering
//! with the solver.

mod counted;
mod counts;
mod recompute;
pub(crate) mod sets;
mod tally;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

use crate::database::{Contents, Database, DatabaseError};
use crate::game::{Blocked, Position, Sector};
use crate::index::Fixed;
use crate::value::{Outcome, Score};
use counted::Counted;
pub use counts::PositionCounts;
use recompute::{Reached, Recompute, Scores, Turned};
pub(crate) use recompute::{Way, ways};
pub use tally::{Digests, Tally};

/// Why a database could not be checked.
#[derive(Debug, Error)]
pub enum ConsistencyError {
    /// A file of the database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The database is beyond this check.
    #[error("'{variant}' cannot be checked whole: {reason}")]
    Unsupported {
        /// Id of the variant.
        variant: String,
        /// What this check does not know.
        reason: &'static str,
    },
}

/// A stored cell that is not worth what its turns are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its number in the sector.
    pub cell: u64,
    /// The position.
    pub position: Position,
    /// What the database says.
    pub stored: Score,
    /// The best of its turns.
    pub recomputed: Score,
}

/// What was found in a sector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectorReport {
    /// Cells that were recomputed.
    pub cells: u64,
    /// How many of them are wrong.
    pub wrong: u64,
    /// The first few.
    pub faults: Vec<Fault>,
    /// What is stored.
    pub tally: Tally,
}

/// Counts over all sectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Sectors that were recomputed.
    pub sectors: u64,
    /// Cells that were recomputed.
    pub cells: u64,
    /// How many of them are wrong.
    pub wrong: u64,
}

/// Points of the largest board that the tables of this check are made for.
const MAX_POINTS: usize = 24;

/// Faults of a sector that are kept.
const FAULTS: usize = 10;

/// Bytes of sectors kept because the next one may need them too.
const CACHE_BYTES: usize = 3 << 30;

/// Recomputes the sectors of one database.
#[derive(Debug)]
pub struct Checker<'a> {
    database: &'a Database,
    recompute: Recompute<'a>,
    turned: Turned,
    /// For a database of conversions.
    counted: Option<Counted>,
    /// Sectors read or derived lately, the latest last.
    cache: Mutex<VecDeque<(Sector, Scores)>>,
}

impl<'a> Checker<'a> {
    /// A checker for a database, whatever the rules of its game.
    ///
    /// # Errors
    /// When it is beyond this check.
    pub fn new(database: &'a Database) -> Result<Checker<'a>, ConsistencyError> {
        let unsupported = |reason| ConsistencyError::Unsupported {
            variant: database.variant().id.clone(),
            reason,
        };
        if database.variant().board.point_count() > MAX_POINTS {
            return Err(unsupported("its board has more than 24 points"));
        }
        let counted = database.counting().map(Counted::new).transpose();
        let counted = counted.map_err(|_| {
            unsupported("it has more distances to captures than the check tells apart")
        })?;
        Ok(Checker {
            turned: Turned::to_the_end(),
            counted,
            database,
            recompute: Recompute::new(database.variant()),
            cache: Mutex::default(),
        })
    }

    /// Compares all cells of a sector with the best of their turns. Sectors that are not stored are right by
    /// definition and are not asked for here.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn check(&self, sector: Sector) -> Result<SectorReport, ConsistencyError> {
        let recomputed = self.derive(sector)?;
        let stored = self.scores(sector)?;
        let mut report = self.compare(sector, &stored, &recomputed);
        report.tally = self.tally_of(sector, &stored);
        Ok(report)
    }

    /// Counts what a sector holds, stored or not, without checking it.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn tally(&self, sector: Sector) -> Result<Tally, ConsistencyError> {
        Ok(self.tally_of(sector, &self.scores(sector)?))
    }

    fn tally_of(&self, sector: Sector, scores: &[u8]) -> Tally {
        let cells = counts::count(scores);
        let repeats = self.recompute.repeats(sector, scores);
        let to_the_end = self.database.contents() == Contents::Distances;
        let positions = PositionCounts::new(&cells, &repeats, to_the_end);
        Tally::of(scores, &cells, positions, self.has_distances(sector))
    }

    /// Compares what the turns from a sector are worth with what another database has stored for it: with
    /// distances if both have them.
    ///
    /// # Errors
    /// When a file of either cannot be read.
    pub fn check_against(
        &self,
        sector: Sector,
        other: &Database,
    ) -> Result<SectorReport, ConsistencyError> {
        let distances = self.has_distances(sector) && other.contents() == Contents::Distances;
        let mut recomputed = self.derive(sector)?;
        if self.has_distances(sector) && !distances {
            recomputed
                .par_iter_mut()
                .for_each(|score| *score = result_only(*score));
        }
        let stored = read(other, sector, distances)?;
        Ok(self.compare(sector, &stored, &recomputed))
    }

    fn has_distances(&self, sector: Sector) -> bool {
        match self.database.contents() {
            Contents::Distances => true,
            Contents::Conversions => sector.in_hand() == 0,
            Contents::Values => false,
        }
    }

    /// What a score in a [`Fault`] of a sector says.
    pub fn text(&self, sector: Sector, score: Score) -> String {
        match &self.counted {
            _ if !self.has_distances(sector) => score.outcome().to_string(),
            Some(counted) => counted.text(score),
            None => score.value().to_string(),
        }
    }

    fn compare(&self, sector: Sector, stored: &[u8], recomputed: &[u8]) -> SectorReport {
        let pieces = stored
            .par_chunks(1 << 16)
            .zip(recomputed.par_chunks(1 << 16))
            .enumerate();
        let wrong = pieces.flat_map_iter(|(piece, (stored, recomputed))| {
            let cells = stored.iter().zip(recomputed).enumerate();
            let wrong = cells.filter(|(_, (stored, recomputed))| stored != recomputed);
            wrong.map(move |(cell, _)| (piece << 16) + cell)
        });
        let wrong: Vec<usize> = wrong.collect();
        let fault = |&cell: &usize| Fault {
            cell: cell as u64,
            position: self.database.index().position(sector, cell as u64),
            stored: Score(stored[cell]),
            recomputed: Score(recomputed[cell]),
        };
        SectorReport {
            cells: stored.len() as u64,
            wrong: wrong.len() as u64 + stored.len().abs_diff(recomputed.len()) as u64,
            faults: wrong.iter().take(FAULTS).map(fault).collect(),
            tally: Tally::default(),
        }
    }

    /// The scores of a sector in the order of its cells: stored, or derived as a prober would.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn scores(&self, sector: Sector) -> Result<Scores, ConsistencyError> {
        if let Some(scores) = self.cached(sector) {
            return Ok(scores);
        }
        let scores = if self.database.is_derived(sector)? {
            self.derive(sector)?
        } else {
            let distances = self.has_distances(sector);
            let mut scores = read(self.database, sector, distances)?;
            if let Some(counted) = self.counted.as_ref().filter(|_| distances) {
                scores
                    .par_iter_mut()
                    .for_each(|score| *score = counted.recode(*score));
            }
            scores
        };
        let scores = Arc::new(scores);
        self.keep(sector, &scores);
        Ok(scores)
    }

    /// What the best turn from every cell of a sector is worth.
    fn derive(&self, sector: Sector) -> Result<Vec<u8>, ConsistencyError> {
        let variant = self.database.variant();
        let ways = ways(variant, sector).into_iter().map(|way| {
            let after = way.after.iter().map(|&next| self.scores(next));
            let scores = Way {
                placing: way.placing,
                after: after.collect::<Result<_, _>>()?,
            };
            Ok::<_, ConsistencyError>((Fixed::of(way.after[0]), scores))
        });
        let passes = variant.rules.blocked == Blocked::Passes && sector.mover_hand == 0;
        let reached = Reached {
            turned: match &self.counted {
                Some(counted) if sector.in_hand() > 0 => &counted.placing,
                Some(counted) => &counted.moving,
                None => &self.turned,
            },
            ways: ways.collect::<Result<_, _>>()?,
            passed: passes.then(|| self.scores(sector.swapped())).transpose()?,
        };
        let mut scores = self.recompute.sector(sector, &reached);
        if !self.has_distances(sector) {
            scores
                .par_iter_mut()
                .for_each(|score| *score = result_only(*score));
        }
        Ok(scores)
    }

    fn cached(&self, sector: Sector) -> Option<Scores> {
        let mut cache = self.lock();
        let at = cache.iter().position(|(other, _)| *other == sector)?;
        let entry = cache.remove(at)?;
        let scores = entry.1.clone();
        cache.push_back(entry);
        Some(scores)
    }

    fn keep(&self, sector: Sector, scores: &Scores) {
        let mut cache = self.lock();
        cache.push_back((sector, scores.clone()));
        let mut bytes: usize = cache.iter().map(|(_, scores)| scores.len()).sum();
        while bytes > CACHE_BYTES {
            let Some((_, oldest)) = cache.pop_front() else {
                break;
            };
            bytes -= oldest.len();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<(Sector, Scores)>> {
        // Entries are whole, whatever happened to the thread that put them there.
        self.cache
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The scores of a stored sector; without distances 0, 128 and 255 stand for loss, draw and win.
fn read(database: &Database, sector: Sector, distances: bool) -> Result<Vec<u8>, DatabaseError> {
    if distances {
        return database.read_sector(sector);
    }
    let (win, loss) = database.read_planes(sector)?;
    let cells = database.index().len(sector) as usize;
    let score = |cell: usize| {
        let bit = |plane: &[u64]| plane[cell / 64] >> (cell % 64) & 1 == 1;
        match (bit(&win), bit(&loss)) {
            (true, _) => u8::MAX,
            (false, true) => 0,
            (false, false) => Score::DRAW.0,
        }
    };
    Ok((0..cells).into_par_iter().map(score).collect())
}

fn result_only(score: u8) -> u8 {
    match Score(score).outcome() {
        Outcome::Loss => 0,
        Outcome::Draw => Score::DRAW.0,
        Outcome::Win => u8::MAX,
    }
}
