//! Two databases of the same game, cell by cell: that packing has lost nothing.
//!
//! Sectors that both databases store are read whole and compared in every cell. A sector that the one leaves
//! to look-ahead is recomputed whole from what that one stores, by [`consistency`](super::consistency), and
//! compared with the other in every cell.

use serde::Serialize;
use thiserror::Error;

use super::consistency::{Checker, ConsistencyError, SectorReport};
use crate::database::{Contents, Database, DatabaseError};
use crate::game::Sector;
use crate::value::Score;

/// What was compared, and what differed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Sectors compared in every cell.
    pub whole_sectors: usize,
    /// Cells compared in them.
    pub cells: u64,
    /// Sectors that one database leaves to look-ahead, recomputed from it in every cell.
    pub derived_sectors: usize,
    /// Cells compared in them.
    pub derived_cells: u64,
    /// Whether distances were compared too.
    pub distances: bool,
    /// Sectors that only one of the databases has.
    pub missing: Vec<String>,
    /// How many cells and positions differ.
    pub differences: u64,
    /// The first few of them.
    pub examples: Vec<Difference>,
}

impl Report {
    /// Counts a difference, and keeps it while there are few.
    fn differ(&mut self, sector: Sector, cell: u64, found: String, expected: String) {
        self.differences += 1;
        if self.examples.len() < EXAMPLES {
            let sector = sector.to_string();
            self.examples.push(Difference {
                sector,
                cell,
                found,
                expected,
            });
        }
    }
}

/// A position on which the databases do not agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The sector.
    pub sector: String,
    /// Its cell.
    pub cell: u64,
    /// What the first database says.
    pub found: String,
    /// What the second says.
    pub expected: String,
}

/// Examples of differences that are kept.
const EXAMPLES: usize = 10;

/// Why two databases could not be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// A file of either cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Only one holds conversions, or they are for different limits.
    #[error(
        "these databases cannot be compared: one counts plies to the next capture, the other to the end of the game, \
         or they are for different no-capture limits"
    )]
    OtherMetric,
    /// A sector cannot be recomputed.
    #[error(transparent)]
    Consistency(#[from] ConsistencyError),
}

/// Compares two databases. Distances are compared if both have them. `advance` learns how many cells more are
/// done.
///
/// # Errors
/// When a file of either cannot be read.
pub fn compare(
    database: &Database,
    other: &Database,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<Report, CompareError> {
    let limit = |db: &Database| db.counting().map(|counting| counting.limit());
    if limit(database) != limit(other) {
        return Err(CompareError::OtherMetric);
    }
    let distances = [database, other]
        .iter()
        .all(|db| db.contents() != Contents::Values);
    let mut report = Report {
        distances,
        ..Report::default()
    };
    let checkers = [checker(database)?, checker(other)?];
    for sector in database.variant().sectors() {
        match (database.has(sector), other.has(sector)) {
            (false, false) => continue,
            (true, true) => {}
            _ => {
                report.missing.push(sector.to_string());
                continue;
            }
        }
        match (
            database.is_derived(sector)?,
            other.is_derived(sector)?,
            &checkers,
        ) {
            (false, false, _) => whole(database, other, sector, &mut report)?,
            (true, false, [Some(checker), _]) => {
                note(&mut report, sector, checker.check_against(sector, other)?);
            }
            (false, true, [_, Some(checker)]) => {
                note(
                    &mut report,
                    sector,
                    checker.check_against(sector, database)?,
                );
            }
            // Both leave it to the same other sectors.
            _ => {}
        }
        advance(database.index().len(sector));
    }
    Ok(report)
}

/// What recomputes the sectors that a database does not store, if there are any.
fn checker(database: &Database) -> Result<Option<Checker<'_>>, ConsistencyError> {
    let mut sectors = database.manifest().sectors.iter();
    match sectors.any(|record| record.derived) {
        true => Checker::new(database).map(Some),
        false => Ok(None),
    }
}

/// Adds what recomputing a sector has found.
fn note(report: &mut Report, sector: Sector, found: SectorReport) {
    report.derived_sectors += 1;
    report.derived_cells += found.cells;
    report.differences += found.wrong;
    let room = EXAMPLES.saturating_sub(report.examples.len());
    report
        .examples
        .extend(found.faults.iter().take(room).map(|fault| Difference {
            sector: sector.to_string(),
            cell: fault.cell,
            found: fault.recomputed.value().to_string(),
            expected: fault.stored.value().to_string(),
        }));
}

/// Compares every cell of a sector.
fn whole(
    database: &Database,
    other: &Database,
    sector: Sector,
    report: &mut Report,
) -> Result<(), DatabaseError> {
    report.whole_sectors += 1;
    report.cells += database.index().len(sector);
    if report.distances && !(database.counting().is_some() && sector.in_hand() > 0) {
        let (found, expected) = (database.read_sector(sector)?, other.read_sector(sector)?);
        if found != expected || database.counting() != other.counting() {
            let text = |db, score| value_text(db, Score(score));
            let same_bytes = database.counting() == other.counting();
            let cells = found.iter().zip(&expected).zip(0..);
            let cells = cells.filter(|((a, b), _)| !same_bytes || a != b);
            for ((&found, &expected), cell) in cells {
                let (found, expected) = (text(database, found), text(other, expected));
                if found != expected {
                    report.differ(sector, cell, found, expected);
                }
            }
        }
        return Ok(());
    }
    let (found, expected) = (database.read_planes(sector)?, other.read_planes(sector)?);
    if found != expected {
        let text = |(win, loss): &(Vec<u64>, Vec<u64>), cell: u64| {
            let bit = |plane: &[u64]| plane[(cell / 64) as usize] >> (cell % 64) & 1;
            ["draw", "win", "loss", "both"][(bit(win) + 2 * bit(loss)) as usize].to_owned()
        };
        for cell in 0..database.index().len(sector) {
            let (found, expected) = (text(&found, cell), text(&expected, cell));
            if found != expected {
                report.differ(sector, cell, found, expected);
            }
        }
    }
    Ok(())
}

fn value_text(database: &Database, score: Score) -> String {
    match database.counting() {
        None => score.value().to_string(),
        Some(counting) => counting
            .conversion(score)
            .map_or("no value".to_owned(), |value| value.to_string()),
    }
}
