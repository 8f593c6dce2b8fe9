//! `millbase verify`: recomputes every stored position from its turns.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use millbase::database::{Contents, Database};
use millbase::notation::write_position;
use millbase::probe::{Answer, Prober};
use millbase::solve::Progress;
use millbase::verify::consistency::{Checker, Fault, Totals};
use serde::Serialize;

use super::failure::Failure;
use super::progress::Display;
use super::record::record;
use super::{duration, grouped, print, print_json, query};

/// The code to leave with when something is wrong.
const WRONG: u8 = 3;

/// Wrong positions that are listed.
const LISTED: usize = 10;

/// Recomputes every stored position of a database from its turns, to see that it is right in itself.
///
/// Each value must be the best over the turns, and each distance one ply more than that of the best turn.
/// With distances, that proves the whole database. What is read are the files, and the code that checks
/// shares only the rules with the code that solved. The exit code is 3 if anything is wrong.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  millbase verify --db nine-db --certificate nine-certificate.json")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Write what was checked, with counts, date and machine, to this file as JSON
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// What was checked and found.
#[derive(Serialize)]
struct Findings {
    variant: String,
    fingerprint: String,
    /// BLAKE3 digest of the list of files with their digests, as `info --checksums` prints it.
    database_blake3: String,
    contents: Contents,
    start: Option<&'static str>,
    #[serde(flatten)]
    totals: Totals,
    /// Sectors that are answered by looking one turn ahead and need no check.
    derived_sectors: u64,
    seconds: f64,
    wrong_positions: Vec<Wrong>,
}

#[derive(Serialize)]
struct Wrong {
    sector: String,
    position: String,
    stored: String,
    recomputed: String,
}

impl Arguments {
    /// Checks.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let database = Database::open(&self.db)?;
        let (display, started) = (Display::new(), Instant::now());
        let findings = check(&database, &display, started)?;
        display.finish();
        if let Some(path) = &self.certificate {
            record(path, &findings)?;
        }
        if self.json {
            print_json(&findings)?;
        } else {
            print(&tell(&findings))?;
        }
        let right = findings.totals.wrong == 0;
        Ok(if right {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(WRONG)
        })
    }
}

fn check(database: &Database, display: &Display, started: Instant) -> Result<Findings, Failure> {
    let checker = Checker::new(database)?;
    let records = &database.manifest().sectors;
    let stored: Vec<_> = records.iter().filter(|record| !record.derived).collect();
    display.stage("verifying", stored.iter().map(|record| record.cells).sum());
    let (mut totals, mut wrong) = (Totals::default(), Vec::new());
    for record in &stored {
        let report = checker.check(record.sector)?;
        totals.sectors += 1;
        totals.cells += report.cells;
        totals.wrong += report.wrong;
        let room = LISTED.saturating_sub(wrong.len());
        wrong.extend(
            report
                .faults
                .iter()
                .take(room)
                .map(|fault| describe(database, fault)),
        );
        display.advance(record.cells);
    }
    let start = match Prober::new(database).value(&database.variant().start(), 0)? {
        Answer::Known(probed) => Some(query::name(probed.outcome)),
        Answer::Unknown(_) => None,
    };
    Ok(Findings {
        variant: database.variant().id.clone(),
        fingerprint: database.manifest().fingerprint.clone(),
        database_blake3: database.manifest().files_digest(),
        contents: database.contents(),
        start,
        totals,
        derived_sectors: (records.len() - stored.len()) as u64,
        seconds: started.elapsed().as_secs_f64(),
        wrong_positions: wrong,
    })
}

fn describe(database: &Database, fault: &Fault) -> Wrong {
    Wrong {
        sector: fault.position.sector().to_string(),
        position: write_position(database.variant(), &fault.position.into()),
        stored: fault.stored.value().to_string(),
        recomputed: fault.recomputed.value().to_string(),
    }
}

fn tell(findings: &Findings) -> String {
    let totals = &findings.totals;
    let mut text = format!(
        "Recomputed {} cells of {} sectors in {}: {} wrong.\n",
        grouped(totals.cells),
        totals.sectors,
        duration(findings.seconds),
        grouped(totals.wrong),
    );
    for wrong in &findings.wrong_positions {
        text += &format!(
            "{}  {}: stored {}, recomputed {}\n",
            wrong.sector, wrong.position, wrong.stored, wrong.recomputed
        );
    }
    if let (Some(start), 0) = (findings.start, totals.wrong) {
        text += &format!("The start position of {} is a {start}.\n", findings.variant);
    }
    text
}
