//! `millbase solve`: computes a game and writes its database.

use std::path::{Path, PathBuf};

use clap::Args;
use millbase::answer::{SectorStatistics, Statistics};
use millbase::database::{Database, DatabaseError};
use millbase::game::Variant;
use millbase::solve::{SolveOptions, Summary, count_positions, goes_on, solve, solve_remembering};
use serde::Serialize;

use super::failure::Failure;
use super::fit::Room;
use super::interrupt::{Interrupted, on_interrupt};
use super::machine;
use super::progress::Display;
use super::record::{check_writable, record};
use super::stats::counted;
use super::{duration, grouped, print, query, short, size};

/// Solves a game completely and writes its database.
///
/// Every position of every sector gets its value and, unless --values-only is given, the exact number of
/// plies to the end of the game when the winner hurries and the loser resists.
///
/// Small games take seconds. Nine men's morris takes some minutes on two cores, 11 GiB of memory and, while
/// it runs, up to 20 GB of disk; the database it leaves has 10 GB with distances and 2.3 GB without.
///
/// A run that was stopped, in whatever way, goes on when the same command is given again; at most the ply or
/// layer in progress is lost, of small games all, and with --metric conversion what moves until it is written. The
/// database is the same to the byte. Runs with --no-database cannot go on.
///
/// Games whose mills pay once, where a position has to remember which have, are solved on small boards and
/// with --no-database only.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase solve six --db six-db
  millbase solve nine --db nine-db
  millbase solve my-board.toml --db my-db --values-only
  millbase solve nine --db nine-100 --metric conversion --no-capture-limit 100
  millbase solve grid --values-only --no-database --record grid.json
  millbase solve eleven --movement-from twelve-db --db eleven-db")]
pub struct Arguments {
    /// Id of a built-in game (see `millbase variants`) or path of a variant file
    variant: String,
    /// The folder to make the database in: new, empty, or left by the same command when it was stopped
    #[arg(long, value_name = "DIR", required_unless_present = "no_database")]
    db: Option<PathBuf>,
    /// Keep no database: print the counts of every sector, and record them with --record; the work is done
    /// in the system's folder for temporary files
    #[arg(long, conflicts_with = "db")]
    no_database: bool,
    /// Threads to work with [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory to keep within, in GiB, such as 16 or 0.5 [default: what is available]
    #[arg(long, value_name = "GIB", value_parser = machine::gibibytes)]
    memory: Option<u64>,
    /// Win, draw and loss only: a smaller database, sooner
    #[arg(long)]
    values_only: bool,
    /// What distances count: plies to the end of the game, or to the next capture. With the latter every position
    /// is answered for every count of plies without a capture (`query --no-capture-limit`)
    #[arg(long, value_enum, default_value_t, conflicts_with = "values_only")]
    metric: super::Metric,
    /// With --metric conversion: so many plies without a capture draw the game [default: no limit]
    #[arg(long, value_name = "N", value_parser = super::limits())]
    no_capture_limit: Option<u16>,
    /// Also write what the run found and took, and the machine, to this file as JSON; the environment
    /// variable MILLBASE_COMMIT may name the commit the program was built from
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Take the sectors with empty hands from the finished database DIR instead of solving them. Its game has
    /// to be the same but for the number of men, which may be larger there, how they are placed, and what a
    /// full board is worth; a database with distances also serves --values-only
    #[arg(long, value_name = "DIR")]
    movement_from: Option<PathBuf>,
    /// Only the sectors with empty hands and at most N men a side, and what captures lead to from there: for
    /// games that are too large to be solved whole, or to try things out
    #[arg(long, value_name = "N")]
    men_up_to: Option<u8>,
}

impl Arguments {
    /// Solves.
    pub fn run(self) -> Result<(), Failure> {
        let variant = Variant::load(&self.variant)?;
        let options = SolveOptions {
            values_only: self.values_only,
            metric: self.metric.with_limit(self.no_capture_limit)?,
            threads: self.threads.map(usize::from),
            men_up_to: self.men_up_to,
            movement_from: self.movement_from.clone(),
            memory: Some(self.memory.unwrap_or_else(machine::available_memory)),
            temporary: self.no_database,
        };
        if variant.rules.mills_pay_once && !self.no_database {
            let variant = variant.id;
            let refused = Failure::from(DatabaseError::NeedsPast { variant });
            return Err(refused.with(": --no-database"));
        }
        let elsewhere = std::env::temp_dir();
        let folder = self.db.as_deref().unwrap_or(&elsewhere);
        Room::new(folder, self.db.as_deref(), self.memory).check(&variant, &options)?;
        if variant.rules.mills_pay_once {
            return self.run_remembering(&variant, &options);
        }
        // Kept until the end, when it is deleted with all that is in it.
        let temporary = match &self.db {
            Some(_) => None,
            None => Some(tempfile::tempdir().map_err(|error| {
                Failure::fault(format!("cannot make a temporary folder: {error}"))
            })?),
        };
        on_interrupt(match &temporary {
            None if goes_on(&variant, &options) => Interrupted::GoesOn,
            None => Interrupted::BeginsAnew,
            Some(folder) => Interrupted::Lost(folder.path().to_owned()),
        })?;
        let inside = temporary.as_ref().map(|folder| folder.path().join("db"));
        let db = inside.as_deref().unwrap_or(folder);
        self.record.as_deref().map_or(Ok(()), check_writable)?;
        let display = Display::new();
        let summary = solve(&variant, db, &options, &display)?;
        display.finish();
        let counts = self.no_database.then(|| Database::open(db)).transpose()?;
        self.report(
            &variant,
            &options,
            &summary,
            counts.as_ref().map(Statistics::of).transpose()?,
        )
    }

    /// Solves a game for which there is no database, since its mills pay once.
    fn run_remembering(&self, variant: &Variant, options: &SolveOptions) -> Result<(), Failure> {
        self.record.as_deref().map_or(Ok(()), check_writable)?;
        let display = Display::new();
        let (summary, counts) = solve_remembering(variant, options, &display)?;
        display.finish();
        self.report(variant, options, &summary, Some(counted(variant, &counts)))
    }

    /// Records and prints what was found; with the counts of sectors where no database is kept.
    fn report(
        &self,
        variant: &Variant,
        options: &SolveOptions,
        summary: &Summary,
        mut statistics: Option<Statistics>,
    ) -> Result<(), Failure> {
        if let Some(statistics) = &mut statistics {
            statistics.start = summary.start.map(|start| start.value);
        }
        if let Some(path) = &self.record {
            let findings = Findings {
                fingerprint: variant.fingerprint().to_string(),
                summary,
                sectors: statistics.as_ref().map(|statistics| &statistics.sectors),
            };
            record(path, &findings)?;
        }
        if let Some(statistics) = &statistics {
            print(&super::stats::tell(statistics))?;
        }
        print(&tell(variant, options, self.db.as_deref(), summary))
    }
}

/// A run with the rules it was for and, if no database was kept, the counts of every sector.
#[derive(Serialize)]
struct Findings<'a> {
    fingerprint: String,
    #[serde(flatten)]
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none", rename = "sector_counts")]
    sectors: Option<&'a Vec<SectorStatistics>>,
}

fn tell(variant: &Variant, options: &SolveOptions, db: Option<&Path>, summary: &Summary) -> String {
    let start = match summary.start {
        None => match options.men_up_to {
            None => "The start position was not among the sectors solved.".to_owned(),
            Some(men) => format!(
                "These are the sectors with empty hands and at most {men} men a side; the whole game would \
                 need {} positions.",
                grouped(count_positions(variant, &variant.sectors()))
            ),
        },
        Some(start) => {
            let plies = start
                .plies
                .map_or(String::new(), |plies| format!(", in {plies} plies"));
            format!(
                "The start position is a {} for White, who moves first{plies}.",
                query::name(start.value)
            )
        }
    };
    let taken = summary
        .movement_from
        .as_ref()
        .map_or(String::new(), |from| {
            format!(
                "The sectors with empty hands were taken from a database of {} (rules {}).\n",
                from.variant,
                short(&from.fingerprint)
            )
        });
    let memory = summary.peak_memory_bytes.map_or("unknown".to_owned(), size);
    let solved = match options.men_up_to {
        None => "is solved",
        Some(_) => "is solved in part",
    };
    let text = format!(
        "{} ({}) {solved}.\n{start}\n{taken}\
         Sectors: {}   Positions: {}   Database: {}\n\
         Wall time: {}   CPU time: {}   Peak memory: {memory}\n",
        variant.name,
        variant.id,
        grouped(summary.sectors),
        grouped(summary.positions),
        db.map_or("not kept".to_owned(), |db| {
            format!("{} in {}", size(summary.file_bytes), db.display())
        }),
        duration(summary.wall_seconds),
        duration(summary.cpu_seconds),
    );
    match summary.kept_sectors {
        0 => text,
        kept => text + &format!("{} sectors were finished already.\n", grouped(kept)),
    }
}
