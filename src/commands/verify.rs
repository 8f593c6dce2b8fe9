//! `millbase verify`: recomputes every stored position from its turns.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use millbase::database::{Contents, Database};
use millbase::verify::games::{self, Games};
use millbase::verify::{Findings, check, sample};
use serde::Serialize;

use super::failure::Failure;
use super::interrupt::{Interrupted, on_interrupt};
use super::progress::Display;
use super::record::{check_writable, record};
use super::{duration, grouped, print, print_json, start_threads, verdict};

/// Recomputes every stored position of a database from its turns, to see that it is right in itself.
///
/// Each value must be the best over the turns, and each distance one ply more than that of the best turn.
/// With distances, that proves the whole database. What is read are the files, and the code that checks
/// shares only the rules with the code that solved. The exit code is 3 if anything is wrong.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  millbase verify --db nine-db --certificate nine-certificate.json
  millbase verify --db nine-db --games 1000")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Write what was checked, with counts, date and machine, to this file as JSON; beside it, in FILE.progress,
    /// is kept what is done already, so that the same command goes on where it was stopped
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Only a quick look: N positions drawn at random, each recomputed turn by turn
    #[arg(long, value_name = "N", conflicts_with = "certificate")]
    sample: Option<u64>,
    /// Play N games instead, from won positions drawn at random: whoever follows the database has to win, in
    /// the stated number of plies or sooner, against a player who plays at random
    #[arg(long, value_name = "N", conflicts_with = "sample")]
    games: Option<u64>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Checks.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let database = Database::open(&self.db)?;
        if let Some(count) = self.games {
            return self.play(&database, count);
        }
        start_threads()?;
        if let Some(path) = &self.certificate {
            check_writable(path)?;
            on_interrupt(Interrupted::GoesOn)?;
        }
        let findings = match self.sample {
            Some(count) => sample(&database, count)?,
            None => {
                let list = self.certificate.as_deref().map(progress_path);
                let display = Display::new();
                let findings = check(&database, list.as_deref(), &display)?;
                display.finish();
                findings
            }
        };
        if let Some(path) = &self.certificate {
            record(path, &findings)?;
            // Whether it can be deleted does not matter: it is of this database and complete.
            let _ = fs::remove_file(progress_path(path));
        }
        if self.json {
            print_json(&findings)?;
        } else {
            print(&tell(&findings))?;
        }
        Ok(verdict(findings.is_right()))
    }

    /// Plays games and tells what came of them.
    fn play(&self, database: &Database, count: u64) -> Result<ExitCode, Failure> {
        if database.contents() != Contents::Distances {
            let db = self.db.display();
            return Err(Failure::mistake(format!(
                "the database {db} has no distances to the end of the game, so it does not know the way to a win"
            )));
        }
        if let Some(path) = &self.certificate {
            check_writable(path)?;
        }
        let played = Played {
            variant: database.variant().id.clone(),
            fingerprint: database.manifest().fingerprint.clone(),
            database_blake3: database.manifest().files_digest(),
            seed: SEED,
            games: games::play(database, count, SEED)?,
        };
        if let Some(path) = &self.certificate {
            record(path, &played)?;
        }
        if self.json {
            print_json(&played)?;
        } else {
            print(&tell_games(&played.games))?;
        }
        Ok(verdict(played.games.broken.is_empty()))
    }
}

/// What came of games.
#[derive(Serialize)]
struct Played {
    variant: String,
    fingerprint: String,
    /// As in [`Findings`].
    database_blake3: String,
    seed: u64,
    #[serde(flatten)]
    games: Games,
}

/// The games are the same each time.
const SEED: u64 = 1;

fn tell_games(games: &Games) -> String {
    let mut text = format!(
        "Played {} games from won positions, the longest win in {} plies: {} were won in time, after {} turns \
         where the best defence lasts {}.\n",
        grouped(games.games),
        games.longest_distance,
        grouped(games.won_in_time),
        grouped(games.turns),
        grouped(games.stated_turns),
    );
    for broken in &games.broken {
        text += &format!(
            "{}: {}, and a turn later {}\n",
            broken.position, broken.stated, broken.after
        );
    }
    if games.given_up > 0 {
        let given_up = grouped(games.given_up);
        text += &format!("{given_up} games were left for lack of sectors.\n");
    }
    text
}

/// Where the sectors that are done are listed meanwhile.
fn progress_path(certificate: &Path) -> PathBuf {
    let mut path = certificate.as_os_str().to_owned();
    path.push(".progress");
    path.into()
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
    for miscounted in &findings.miscounted {
        let counts = |[win, draw, loss]: [u64; 3]| {
            let [win, draw, loss] = [win, draw, loss].map(grouped);
            format!("{win} won, {draw} drawn and {loss} lost")
        };
        let (stored, counted) = (counts(miscounted.stored), counts(miscounted.counted));
        let what = match stored == counted {
            true => "other counts of positions by plies than there are".to_owned(),
            false => format!("{stored} positions, there are {counted}"),
        };
        text += &format!("{}: the manifest has {what}\n", miscounted.sector);
    }
    if findings.unknown > 0 {
        let unknown = grouped(findings.unknown);
        text += &format!("{unknown} positions could not be checked for lack of sectors.\n");
    }
    if let Some(statement) = &findings.statement {
        text += &format!("{statement}\n");
    }
    text
}
