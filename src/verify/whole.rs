//! The whole of a database, or a sample of it, held against its own turns.

use std::collections::BTreeSet;
use std::path::Path;

use super::VerifyError;
use super::consistency::{Checker, Digests};
use super::done::Done;
use super::findings::{Findings, LISTED, Wrong};
use crate::database::Database;
use crate::index::Cells;
use crate::notation::write_position;
use crate::probe::{Agreement, Prober};
use crate::random::Random;
use crate::solve::{Progress, Stopwatch};

/// Recomputes all stored cells of a database, and counts the positions of all sectors anew. With a `list`, a file, sectors that are right are noted in it, and
/// those that an earlier run noted are not done again; whoever calls deletes it at the end.
///
/// Works on all threads of the current rayon pool.
///
/// # Errors
/// See [`VerifyError`].
pub fn check(
    database: &Database,
    list: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Findings, VerifyError> {
    let watch = Stopwatch::start();
    let checker = Checker::new(database)?;
    let mut findings = Findings::new(database)?;
    let mut done = Done::open(list, &findings.database_blake3)?;
    let sectors = &database.manifest().sectors;
    progress.stage("verifying", sectors.iter().map(|record| record.cells).sum());
    let mut digests = Digests::default();
    for record in sectors {
        let sector = record.sector;
        let tally = match done.get(sector) {
            Some(tally) => {
                // What was found right is still there, to the byte.
                if !record.derived {
                    database.check_digests(sector)?;
                }
                tally.clone()
            }
            None if record.derived => {
                let tally = checker.tally(sector)?;
                done.add(sector, &tally);
                tally
            }
            None => {
                let report = checker.check(sector)?;
                findings.totals.wrong += report.wrong;
                findings.add(database, &checker, &report.faults);
                if report.wrong == 0 {
                    // The certificate names the files by their digests in the manifest.
                    database.check_digests(sector)?;
                    done.add(sector, &report.tally);
                }
                report.tally
            }
        };
        if !record.derived {
            findings.totals.sectors += 1;
            findings.totals.cells += record.cells;
        }
        findings.compare_counts(record, &tally);
        findings.held.add(&tally);
        digests.add(sector, &tally);
        progress.advance(record.cells);
    }
    findings.held.values_blake3 = Some(digests.values());
    findings.held.distances_blake3 = digests.distances();
    findings.finish(watch);
    Ok(findings)
}

/// Recomputes `count` positions drawn at random from all stored cells, turn by turn.
///
/// # Errors
/// When a file cannot be read.
pub fn sample(database: &Database, count: u64) -> Result<Findings, VerifyError> {
    let watch = Stopwatch::start();
    let mut findings = Findings::new(database)?;
    let stored = database
        .manifest()
        .sectors
        .iter()
        .filter(|record| !record.derived);
    let cells = Cells::of(database.index(), stored.map(|record| record.sector));
    let (prober, mut random) = (Prober::new(database), Random::new(count));
    let mut sectors = BTreeSet::new();
    for _ in 0..count {
        let Some(position) = cells.position(random.below(cells.count())) else {
            break;
        };
        let sector = position.sector();
        sectors.insert(sector);
        let fault = match prober.agreement(&position)? {
            Agreement::Unknown => {
                findings.unknown += 1;
                continue;
            }
            Agreement::Agrees => None,
            Agreement::Differs(fault) => Some(fault),
        };
        findings.totals.cells += 1;
        if let Some(fault) = fault {
            findings.totals.wrong += 1;
            if findings.wrong_positions.len() < LISTED {
                findings.wrong_positions.push(Wrong {
                    sector: sector.to_string(),
                    position: write_position(database.variant(), &position.into()),
                    stored: fault.stored.to_string(),
                    recomputed: fault.recomputed.to_string(),
                });
            }
        }
    }
    findings.totals.sectors = sectors.len() as u64;
    findings.finish(watch);
    Ok(findings)
}
