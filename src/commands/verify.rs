//! `millbase verify`: recomputes every stored position from its turns.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use millbase::database::{Contents, Database};
use millbase::game::Sector;
use millbase::notation::write_position;
use millbase::probe::{Agreement, Prober};
use millbase::random::Random;
use millbase::solve::Progress;
use millbase::verify::consistency::{Checker, Digests, Fault, Tally, Totals};
use millbase::verify::games::{self, Games};
use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::interrupt::{Interrupted, on_interrupt};
use super::progress::Display;
use super::record::{check_writable, record};
use super::sample::locate;
use super::{duration, grouped, print, print_json, query, start_threads};

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
    /// What all sectors hold, derived ones too, and in what form it does not matter.
    #[serde(flatten)]
    held: Held,
    /// What has been shown, in a sentence.
    statement: Option<String>,
    seconds: f64,
    wrong_positions: Vec<Wrong>,
    /// Positions of a sample that the database lacks a sector for.
    #[serde(skip_serializing_if = "is_zero")]
    unknown: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What the sectors hold together.
#[derive(Default, Serialize)]
struct Held {
    win: u64,
    draw: u64,
    loss: u64,
    /// See [`Digests`]; `None` when only a sample was checked.
    values_blake3: Option<String>,
    distances_blake3: Option<String>,
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
        if let Some(count) = self.games {
            return self.play(&database, count);
        }
        start_threads()?;
        if let Some(path) = &self.certificate {
            check_writable(path)?;
            on_interrupt(Interrupted::GoesOn)?;
        }
        let (display, started) = (Display::new(), Instant::now());
        let mut findings = Findings::new(&database)?;
        match self.sample {
            Some(count) => sample(&database, count, &mut findings)?,
            None => {
                let progress = self.certificate.as_deref().map(progress_path);
                let mut done = Done::open(progress.as_deref(), &findings.database_blake3)?;
                check(&database, &display, &mut done, &mut findings)?;
                display.finish();
            }
        }
        findings.seconds = started.elapsed().as_secs_f64();
        findings.statement = findings.state();
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
        let right = findings.totals.wrong == 0;
        Ok(if right {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(WRONG)
        })
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
        Ok(if played.games.broken.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(WRONG)
        })
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

/// The sectors that are done, in a file if there is one: a line each, below one with the digest of the
/// database they are of.
struct Done {
    sectors: BTreeMap<String, Tally>,
    file: Option<File>,
}

/// A line of the list of sectors that are done.
#[derive(Serialize, Deserialize)]
struct DoneSector {
    sector: String,
    #[serde(flatten)]
    tally: Tally,
}

impl Done {
    fn open(path: Option<&Path>, digest: &str) -> Result<Done, Failure> {
        let mut done = Done {
            sectors: BTreeMap::new(),
            file: None,
        };
        let Some(path) = path else { return Ok(done) };
        let cannot =
            |error: io::Error| Failure::fault(format!("cannot write {}: {error}", path.display()));
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let is_digest = first.len() == digest.len() && first.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_digest && !text.is_empty() {
            let path = path.display();
            return Err(Failure::mistake(format!(
                "{path} is in the way: it is no list of sectors that a verification left"
            )));
        }
        let same = first == digest;
        let options = File::options()
            .create(true)
            .append(same)
            .write(true)
            .truncate(!same)
            .open(path);
        let mut file = options.map_err(cannot)?;
        if same {
            // A line that was being written when the program was stopped is not read: that sector is done again.
            let lines = lines.filter_map(|line| serde_json::from_str::<DoneSector>(line).ok());
            done.sectors = lines.map(|line| (line.sector, line.tally)).collect();
        }
        match (same, text.ends_with('\n')) {
            (true, true) => {}
            (true, false) => writeln!(file).map_err(cannot)?,
            (false, _) => writeln!(file, "{digest}").map_err(cannot)?,
        }
        done.file = Some(file);
        Ok(done)
    }

    fn get(&self, sector: Sector) -> Option<&Tally> {
        self.sectors.get(&sector.to_string())
    }

    /// Notes a sector. What cannot be noted will only be done again.
    fn add(&mut self, sector: Sector, tally: &Tally) {
        let line = DoneSector {
            sector: sector.to_string(),
            tally: tally.clone(),
        };
        if let (Some(file), Ok(line)) = (&mut self.file, serde_json::to_string(&line)) {
            let _ = writeln!(file, "{line}");
        }
    }
}

fn check(
    database: &Database,
    display: &Display,
    done: &mut Done,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let checker = Checker::new(database)?;
    let sectors = &database.manifest().sectors;
    display.stage("verifying", sectors.iter().map(|record| record.cells).sum());
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
                    done.add(sector, &report.tally);
                }
                report.tally
            }
        };
        if !record.derived {
            findings.totals.sectors += 1;
            findings.totals.cells += record.cells;
        }
        findings.held.add(&tally);
        digests.add(sector, &tally);
        display.advance(record.cells);
    }
    findings.held.values_blake3 = Some(digests.values());
    findings.held.distances_blake3 = digests.distances();
    Ok(())
}

/// Recomputes positions drawn at random from all stored cells, turn by turn.
fn sample(database: &Database, count: u64, findings: &mut Findings) -> Result<(), Failure> {
    let stored = database
        .manifest()
        .sectors
        .iter()
        .filter(|record| !record.derived);
    let stored: Vec<Sector> = stored.map(|record| record.sector).collect();
    let index = database.index();
    let all: u64 = stored.iter().map(|&sector| index.len(sector)).sum();
    let (prober, mut random) = (Prober::new(database), Random::new(count));
    let mut sectors = BTreeSet::new();
    for _ in 0..if all == 0 { 0 } else { count } {
        let (sector, cell) = locate(&stored, |sector| index.len(sector), random.below(all));
        let position = sector.position(index.unrank(sector, cell));
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
    Ok(())
}

impl Held {
    fn add(&mut self, tally: &Tally) {
        self.win += tally.win;
        self.draw += tally.draw;
        self.loss += tally.loss;
    }
}

impl Findings {
    /// Nothing found yet.
    fn new(database: &Database) -> Result<Findings, Failure> {
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
            start: start.known().map(|probed| query::name(probed.outcome)),
            totals: Totals::default(),
            derived_sectors: derived.count() as u64,
            held: Held::default(),
            statement: None,
            seconds: 0.0,
            wrong_positions: Vec::new(),
            unknown: 0,
        })
    }

    /// What has been shown: nothing by a sample or when anything is wrong.
    fn state(&self) -> Option<String> {
        let start = self.start?;
        self.held.values_blake3.as_ref()?;
        if self.totals.wrong > 0 {
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

    fn add(&mut self, database: &Database, checker: &Checker<'_>, faults: &[Fault]) {
        let room = LISTED.saturating_sub(self.wrong_positions.len());
        let wrong = faults
            .iter()
            .take(room)
            .map(|fault| describe(database, checker, fault));
        self.wrong_positions.extend(wrong);
    }
}

fn describe(database: &Database, checker: &Checker<'_>, fault: &Fault) -> Wrong {
    Wrong {
        sector: fault.position.sector().to_string(),
        position: write_position(database.variant(), &fault.position.into()),
        stored: checker.text(fault.stored),
        recomputed: checker.text(fault.recomputed),
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
    if findings.unknown > 0 {
        let unknown = grouped(findings.unknown);
        text += &format!("{unknown} positions could not be checked for lack of sectors.\n");
    }
    if let Some(statement) = &findings.statement {
        text += &format!("{statement}\n");
    }
    text
}
