//! `millbase import`: the files of other programs, held against a database.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use millbase::database::Database;
use millbase::game::Sector;
use millbase::malom::check::{CheckOptions, Report, check};

use super::failure::Failure;
use super::progress::Display;
use super::{grouped, print, print_json, start_threads, verdict};

/// Reads the files of other programs and compares them with a database.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    from: From,
}

#[derive(Debug, Subcommand)]
enum From {
    Malom(Malom),
}

impl Arguments {
    /// Imports.
    pub fn run(self) -> Result<ExitCode, Failure> {
        match self.from {
            From::Malom(malom) => malom.run(),
        }
    }
}

/// Compares sectors of Malom with a database, position by position: win, draw or loss, and plies.
///
/// Every .sec2 and .sec file of the game in the folder is read. Redirects have to lead where they belong. Of draws only
/// that they are draws is compared: Malom ranks them, and millbase does not. Leaves with exit code 3 if anything
/// differs.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  millbase import malom Std_DD_89adjusted --check --db nine-db")]
struct Malom {
    /// The folder with the files of Malom
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Compare, which is all that can be done with them
    #[arg(long, required = true)]
    check: bool,
    /// The folder of the database to compare with
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Only these sectors, separated by commas
    #[arg(long, value_name = "SECTORS", value_delimiter = ',')]
    sectors: Option<Vec<Sector>>,
    /// Differences of a file to list
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u16,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

impl Malom {
    fn run(self) -> Result<ExitCode, Failure> {
        let database = Database::open(&self.db)?;
        start_threads()?;
        let options = CheckOptions {
            sectors: self.sectors.map(BTreeSet::from_iter),
            examples: self.limit.into(),
        };
        let display = Display::new();
        let report = check(&database, &self.dir, &options, &display)?;
        display.finish();
        if self.json {
            print_json(&report)?;
        } else {
            print(&tell(&report))?;
        }
        Ok(verdict(report.differences().total() == 0))
    }
}

fn tell(report: &Report) -> String {
    let header = [
        "file",
        "entries",
        "positions",
        "results differ",
        "plies differ",
        "redirects differ",
    ];
    let mut table = super::stats::table(&header);
    let mut examples = String::new();
    for file in &report.files {
        let counts = [
            file.entries,
            file.positions,
            file.differences.results,
            file.differences.plies,
            file.differences.redirects,
        ];
        let counts = counts.map(grouped);
        table.add_row(std::iter::once(file.name.clone()).chain(counts));
        for example in &file.examples {
            examples += &format!(
                "{} entry {}: {}, here {}: {}\n",
                file.name, example.entry, example.found, example.expected, example.position
            );
        }
    }
    let mut text = format!("{}\n{examples}", table.trim_fmt());
    if !report.not_in_database.is_empty() {
        let names = report.not_in_database.join(" ");
        text += &format!("Not in this database: {names}\n");
    }
    text
}
