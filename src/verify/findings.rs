//! What a verification has found: the certificate.

use serde::Serialize;

use super::consistency::{Checker, Fault, Tally, Totals};
use crate::database::{Contents, Database, SectorRecord};
use crate::figures::grouped;
use crate::notation::write_position;
use crate::probe::{ProbeError, Prober};
use crate::solve::Stopwatch;
use crate::value::Outcome;

/// Wrong positions that are listed.
pub(super) const LISTED: usize = 10;

/// What was checked and found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// Id of the game.
    pub variant: String,
    /// Fingerprint of its rules.
    pub fingerprint: String,
    /// BLAKE3 digest of the list of files with their digests, as `info --checksums` prints it.
    pub database_blake3: String,
    /// What the database holds.
    pub contents: Contents,
    /// What the start position is worth to the side to move, if the database has it.
    pub start: Option<Outcome>,
    /// What was recomputed.
    #[serde(flatten)]
    pub totals: Totals,
    /// Sectors that are answered by looking one turn ahead and need no check.
    pub derived_sectors: u64,
    /// What all sectors hold, derived ones too, and in what form it does not matter.
    #[serde(flatten)]
    pub held: Held,
    /// What has been shown, in a sentence.
    pub statement: Option<String>,
    /// Seconds that it took, of the last run only if it was stopped.
    pub seconds: f64,
    /// Seconds of all processors together that it took, likewise.
    pub cpu_seconds: f64,
    /// The first wrong positions.
    pub wrong_positions: Vec<Wrong>,
    /// Sectors of which the manifest has other counts of positions than were found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub miscounted: Vec<Miscounted>,
    /// Positions of a sample that the database lacks a sector for.
    #[serde(skip_serializing_if = "is_zero")]
    pub unknown: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What the sectors hold together.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Held {
    /// Cells won for the side to move.
    pub win: u64,
    /// Drawn cells.
    pub draw: u64,
    /// Lost cells.
    pub loss: u64,
    /// The positions they stand for, symmetric images counted once; `None` when only a sample was checked.
    pub positions: Option<u64>,
    /// See [`Digests`](super::consistency::Digests); `None` when only a sample was checked.
    pub values_blake3: Option<String>,
    /// The same of distances; `None` for a database without.
    pub distances_blake3: Option<String>,
}

/// A position whose value is not the best of its turns.
#[derive(Clone, Debug, Serialize)]
pub struct Wrong {
    /// Its sector.
    pub sector: String,
    /// The position, as a text of Sanmill.
    pub position: String,
    /// What the database says.
    pub stored: String,
    /// What its turns say.
    pub recomputed: String,
}

/// A sector whose positions the manifest has counted otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct Miscounted {
    /// The sector.
    pub sector: String,
    /// Won, drawn and lost positions by the manifest.
    pub stored: [u64; 3],
    /// As many as were found. Where they are the same, the counts by plies differ.
    pub counted: [u64; 3],
}

impl Held {
    pub(super) fn add(&mut self, tally: &Tally) {
        *self.positions.get_or_insert_default() += tally.positions.positions();
        self.win += tally.win;
        self.draw += tally.draw;
        self.loss += tally.loss;
    }
}

impl Findings {
    /// Nothing found yet.
    pub(super) fn new(database: &Database) -> Result<Findings, ProbeError> {
        let start = Prober::new(database).value(&database.variant().start(), 0)?;
        let derived = database
            .manifest()
            .sectors
            .iter()
            .filter(|record| record.derived);
        Ok(Findings {
            variant: database.variant().id.clone(),
            fingerprint: database.manifest().fingerprint.clone(),
            database_blake3: database.manifest().files_digest(),
            contents: database.contents(),
            start: start.known().map(|probed| probed.outcome),
            totals: Totals::default(),
            derived_sectors: derived.count() as u64,
            held: Held::default(),
            statement: None,
            seconds: 0.0,
            cpu_seconds: 0.0,
            wrong_positions: Vec::new(),
            miscounted: Vec::new(),
            unknown: 0,
        })
    }

    /// Says how long it took, and what has been shown.
    pub(super) fn finish(&mut self, watch: Stopwatch) {
        let (whole, _) = watch.finish();
        (self.seconds, self.cpu_seconds) = (whole.wall_seconds, whole.cpu_seconds);
        self.statement = self.state();
    }

    /// Whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        self.totals.wrong == 0 && self.miscounted.is_empty()
    }

    /// What has been shown: nothing by a sample or when anything is wrong.
    fn state(&self) -> Option<String> {
        let start = self.start?;
        self.held.values_blake3.as_ref()?;
        if !self.is_right() {
            return None;
        }
        let (held, totals) = (&self.held, &self.totals);
        let proof = match self.contents {
            Contents::Distances => "its value and distance are the best of its turns",
            Contents::Conversions => {
                "its value and distance to the next capture are the best of its turns under the limit"
            }
            Contents::Values => {
                "its value is the best of its turns, which is no proof without distances"
            }
        };
        Some(format!(
            "The start position of {} is a {start}: of all {} cells of {} sectors ({} wins, {} draws and {} losses \
             for the side to move) each was looked at, and {proof}.",
            self.variant,
            grouped(held.win + held.draw + held.loss),
            totals.sectors + self.derived_sectors,
            grouped(held.win),
            grouped(held.draw),
            grouped(held.loss),
        ))
    }

    /// Holds the counts of a sector against those of the manifest.
    pub(super) fn compare_counts(&mut self, record: &SectorRecord, tally: &Tally) {
        let (stored, counted) = (&record.statistics, &tally.positions);
        if !counted.agree(stored, self.contents == Contents::Distances) {
            self.miscounted.push(Miscounted {
                sector: record.sector.to_string(),
                stored: [stored.win, stored.draw, stored.loss],
                counted: [counted.win, counted.draw, counted.loss],
            });
        }
    }

    pub(super) fn add(&mut self, database: &Database, checker: &Checker<'_>, faults: &[Fault]) {
        let room = LISTED.saturating_sub(self.wrong_positions.len());
        let wrong = faults
            .iter()
            .take(room)
            .map(|fault| describe(database, checker, fault));
        self.wrong_positions.extend(wrong);
    }
}

fn describe(database: &Database, checker: &Checker<'_>, fault: &Fault) -> Wrong {
    let sector = fault.position.sector();
    Wrong {
        sector: sector.to_string(),
        position: write_position(database.variant(), &fault.position.into()),
        stored: checker.text(sector, fault.stored),
        recomputed: checker.text(sector, fault.recomputed),
    }
}
