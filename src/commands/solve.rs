//! `millbase solve`: computes a game and writes its database.

use std::path::{Path, PathBuf};

use clap::Args;
use millbase::game::Variant;
use millbase::solve::{Needs, SolveOptions, Summary, needs, solve};

use super::failure::Failure;
use super::machine;
use super::progress::Display;
use super::record::record;
use super::{duration, grouped, print, query, size};

/// Solves a game completely and writes its database.
///
/// Every position of every sector gets its value and, unless --values-only is given, the exact number of
/// plies to the end of the game when the winner hurries and the loser resists.
///
/// Small games take seconds. Nine men's morris takes some minutes on two cores, 11 GiB of memory and, while
/// it runs, 20 GB of disk; the database it leaves has 10 GB with distances and 3 GB without.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase solve six --db six-db
  millbase solve nine --db nine-db
  millbase solve my-board.toml --db my-db --values-only")]
pub struct Arguments {
    /// Id of a built-in game (see `millbase variants`) or path of a variant file
    variant: String,
    /// The folder to make the database in: new or empty
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Threads to work with [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Win, draw and loss only: a smaller database, sooner
    #[arg(long)]
    values_only: bool,
    /// Also write what the run found and took, and the machine, to this file as JSON; the environment
    /// variable MILLBASE_COMMIT may name the commit the program was built from
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Only the sectors with empty hands and at most N men a side, to try things out
    #[arg(long, value_name = "N", hide = true)]
    men_up_to: Option<u8>,
}

impl Arguments {
    /// Solves.
    pub fn run(self) -> Result<(), Failure> {
        let variant = Variant::load(&self.variant)?;
        let options = SolveOptions {
            values_only: self.values_only,
            threads: self.threads.map(usize::from),
            men_up_to: self.men_up_to,
        };
        self.check(&needs(&variant, &options)?)?;
        let display = Display::new();
        let summary = solve(&variant, &self.db, &options, &display)?;
        display.finish();
        if let Some(path) = &self.record {
            record(path, &summary)?;
        }
        print(&tell(&variant, &self.db, &summary))
    }

    /// Refuses before any work what the machine cannot hold.
    fn check(&self, needs: &Needs) -> Result<(), Failure> {
        let memory = machine::available_memory();
        if needs.memory_bytes > memory {
            return Err(Failure::fault(format!(
                "not enough memory to solve {}: about {} are needed, {} are available",
                self.variant,
                size(needs.memory_bytes),
                size(memory)
            )));
        }
        match machine::available_disk(&self.db) {
            Some(disk) if needs.disk_bytes > disk => Err(Failure::fault(format!(
                "not enough space in {} to solve {}: about {} are needed, {} are available",
                self.db.display(),
                self.variant,
                size(needs.disk_bytes),
                size(disk)
            ))),
            _ => Ok(()),
        }
    }
}

fn tell(variant: &Variant, db: &Path, summary: &Summary) -> String {
    let start = match summary.start {
        None => "The start position was not among the sectors solved.".to_owned(),
        Some(start) => {
            let plies = start
                .plies
                .map_or(String::new(), |plies| format!(" in {plies} plies"));
            format!(
                "The start position is a {} for White, who moves first{plies}.",
                query::name(start.value)
            )
        }
    };
    let memory = summary.peak_memory_bytes.map_or("unknown".to_owned(), size);
    format!(
        "{} ({}) is solved.\n{start}\n\
         Sectors: {}   Positions: {}   Database: {} in {}\n\
         Wall time: {}   CPU time: {}   Peak memory: {memory}\n",
        variant.name,
        variant.id,
        grouped(summary.sectors),
        grouped(summary.positions),
        size(summary.file_bytes),
        db.display(),
        duration(summary.wall_seconds),
        duration(summary.cpu_seconds),
    )
}
