//! `millbase report`: a database as a page for the browser.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use millbase::database::Database;
use millbase::report::{MADE_BY, Report, Run};

use super::failure::Failure;
use super::files::write_whole;
use super::{print, size, start_threads};

/// Shows a database as one page for the browser: what the game is worth, and how it was found out.
///
/// The page has the value of the start position and of every first move, a map of won, drawn and lost
/// positions in all sectors, how many positions are how far from the end, the longest win of each movement
/// sector and of each layer of the placement with its board and best play to the end, and what solving took.
///
/// It is a single file, DIR/index.html, that needs no network, no scripts and no other files. The same
/// database gives the same page, byte for byte.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase solve six --db six-db --record six.json
  millbase report --db six-db --record six.json --out six-report
  xdg-open six-report/index.html

A database of values alone has no distances and no longest wins; one of some sectors says what it lacks.")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// The folder for the page, made if it is not there; an earlier report in it is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What `millbase solve --record FILE` wrote, to tell what solving took and on which machine
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// How to read the files: by memory map, or by reading for file systems that do not like maps
    #[arg(long, value_enum, default_value_t = super::IoMode::Map)]
    io: super::IoMode,
}

/// The name of the page in its folder: what browsers and servers look for.
const PAGE: &str = "index.html";

/// Far more than any record has.
const MOST_BYTES: u64 = 64 << 20;

/// How far into a page its generator is named.
const HEAD: u64 = 1024;

impl Arguments {
    /// Writes the page.
    pub fn run(self) -> Result<(), Failure> {
        start_threads()?;
        let path = self.out.join(PAGE);
        if !may_write(&path)? {
            return Err(Failure::mistake(format!(
                "{} is not a report of this program; choose another folder or delete it",
                path.display()
            )));
        }
        let database = self.io.open(&self.db)?;
        let mut report = Report::of(&database)?;
        report.run = self
            .record
            .as_deref()
            .map(|path| read_run(path, &database))
            .transpose()?;
        let page = report.to_html();
        write_whole(&path, &page)?;
        print(&format!(
            "The report on {} ({}) is in {}\n",
            database.variant().id,
            size(page.len() as u64),
            path.display()
        ))
    }
}

/// Reads the record of the run that solved a game.
fn read_run(path: &Path, database: &Database) -> Result<Run, Failure> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    let cannot = |error: &dyn std::fmt::Display| {
        Failure::mistake(format!(
            "cannot read the record {}: {error}",
            path.display()
        ))
    };
    read.map_err(|error| cannot(&error))?;
    Run::read(&text, database.variant()).map_err(|error| cannot(&error))
}

/// Whether nothing is at the path but perhaps a page made earlier.
fn may_write(path: &Path) -> Result<bool, Failure> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    match read {
        Ok(_) => Ok(String::from_utf8_lossy(&head).contains(MADE_BY)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(Failure::mistake(format!(
            "cannot write {}: {error}",
            path.display()
        ))),
    }
}
