//! `millbase compare`: whether two databases say the same.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use millbase::database::Database;
use millbase::solve::Progress;
use millbase::verify::compare::compare;

use super::failure::Failure;
use super::progress::Display;
use super::{grouped, print, print_json, start_threads, verdict};

/// Compares two databases of the same game in every stored cell, to see that packing has lost nothing.
///
/// Sectors that one of them answers by looking one turn ahead are recomputed from what it stores, in every
/// cell. The exit code is 3 if anything differs.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  millbase compare --db nine-packed --with nine-db")]
pub struct Arguments {
    /// The folder of the database to check
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// The folder of the database to compare it with
    #[arg(long, value_name = "DIR")]
    with: PathBuf,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Compares.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let database = Database::open(&self.db)?;
        start_threads()?;
        let other = Database::open_for(&self.with, database.variant())?;
        let display = Display::new();
        display.stage(
            "comparing",
            database.manifest().sectors.iter().map(|s| s.cells).sum(),
        );
        let report = compare(&database, &other, &|cells| display.advance(cells))?;
        display.finish();
        if self.json {
            print_json(&report)?;
        } else {
            let what = if report.distances {
                "results and distances"
            } else {
                "results"
            };
            let mut text = format!(
                "Compared {what} in every cell\n\
                 stored       {} cells of {} sectors, read back\n\
                 looked ahead {} cells of {} sectors, recomputed from those stored\n",
                grouped(report.cells),
                report.whole_sectors,
                grouped(report.derived_cells),
                report.derived_sectors,
            );
            text += &format!("different    {}\n", grouped(report.differences));
            for example in &report.examples {
                text += &format!(
                    "sector {} cell {}: {} instead of {}\n",
                    example.sector, example.cell, example.found, example.expected
                );
            }
            if !report.missing.is_empty() {
                text += &format!(
                    "Only one of them has sectors {}\n",
                    report.missing.join(" ")
                );
            }
            print(&text)?;
        }
        let same = report.differences == 0 && report.missing.is_empty();
        Ok(verdict(same))
    }
}
