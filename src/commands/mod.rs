//! The subcommands: arguments and printing only, the work is the library's.

mod annotate;
mod check;
mod choosing;
mod compare;
mod counted;
mod export;
mod failure;
mod files;
mod fit;
mod import;
mod info;
mod interrupt;
mod machine;
mod pack;
mod plan;
mod play;
mod progress;
mod query;
mod record;
mod report;
mod sample;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod stats;
mod uci;
mod variants;
mod verify;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use millbase::database::{Contents, Database, Io, OpenOptions};
use millbase::figures::{duration, grouped, size};

use failure::Failure;

/// Solves mill games completely and answers what any position is worth.
///
/// Mill games are nine men's morris and its family. `millbase solve` computes the result of best play for
/// every position of a game and writes it to a database, a folder; `millbase query` looks positions up.
///
/// Values are for the side to move, or for the player who makes a move, and count plies: turns of one
/// side, a move with its capture being one.
#[derive(Debug, Parser)]
#[command(version, after_long_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
A first tour, a few seconds long:
  millbase solve six --db six-db
  millbase query --db six-db start
  millbase query --db six-db start --moves \"d2 c4 b4 d4\" --line
  millbase stats --db six-db
  millbase report --db six-db --out six-report

Exit codes:
  0  done
  1  the machine's or the program's fault: disk, memory, a damaged database
  2  the user's mistake: unknown variant, impossible position, illegal move, no database there
  3  a check found differences
  130, 143  stopped by Ctrl-C, by a request to terminate; solve, pack and verify go on with the same command";

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Arguments),
    Query(query::Arguments),
    Annotate(annotate::Arguments),
    Stats(stats::Arguments),
    Report(report::Arguments),
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
    Variants(variants::Arguments),
    Info(info::Arguments),
    Plan(plan::Arguments),
    Pack(pack::Arguments),
    Sample(sample::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Check(check::Arguments),
    Compare(compare::Arguments),
    Verify(verify::Arguments),
    Play(play::Arguments),
    Uci(uci::Arguments),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let result = match Arguments::parse().command {
        Command::Solve(arguments) => arguments.run().map(done),
        Command::Query(arguments) => arguments.run().map(done),
        Command::Stats(arguments) => arguments.run().map(done),
        Command::Report(arguments) => arguments.run().map(done),
        Command::Variants(arguments) => arguments.run().map(done),
        Command::Info(arguments) => arguments.run().map(done),
        Command::Plan(arguments) => arguments.run().map(done),
        Command::Pack(arguments) => arguments.run().map(done),
        Command::Sample(arguments) => arguments.run().map(done),
        Command::Export(arguments) => arguments.run().map(done),
        Command::Import(arguments) => arguments.run(),
        Command::Uci(arguments) => arguments.run().map(done),
        Command::Play(arguments) => arguments.run(),
        Command::Annotate(arguments) => arguments.run(),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => arguments.run(),
        Command::Check(arguments) => arguments.run(),
        Command::Compare(arguments) => arguments.run(),
        Command::Verify(arguments) => arguments.run(),
    };
    match result {
        Ok(code) => code,
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            // If even the complaint cannot be written, the exit code is all that is left.
            let _ = writeln!(io::stderr(), "millbase: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

/// The exit code of a check: whether all was as it should be.
fn verdict(right: bool) -> ExitCode {
    const DIFFERENT: u8 = 3;
    match right {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(DIFFERENT),
    }
}

/// How a command reads a database.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum IoMode {
    /// Memory maps
    Map,
    /// Reads (`pread`)
    Read,
}

impl IoMode {
    /// Opens a database so.
    fn open(self, dir: &Path) -> Result<Database, Failure> {
        let io = match self {
            IoMode::Map => Io::Map,
            IoMode::Read => Io::Read,
        };
        let options = OpenOptions {
            io,
            ..OpenOptions::default()
        };
        Ok(Database::open_with(dir, options)?)
    }
}

/// A database of conversions answers under a count of plies, which only `query` asks for.
fn refuse_conversions(database: &Database) -> Result<(), Failure> {
    match database.contents() {
        Contents::Values | Contents::Distances => Ok(()),
        Contents::Conversions => Err(Failure::mistake(format!(
            "{} holds {}: this needs a database of values or distances",
            database.dir().display(),
            database.contents()
        ))),
    }
}

/// Starts the threads that commands work on, so that it is an error and no panic when the system refuses.
fn start_threads() -> Result<(), Failure> {
    rayon::ThreadPoolBuilder::new()
        .build_global()
        .map_err(|error| Failure::fault(format!("cannot start the threads to work with: {error}")))
}

/// Prints a text to standard output.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Failure::output)
}

/// Prints a value as one line of JSON.
fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).map_err(|error| Failure::output(error.into()))?;
    text.push('\n');
    print(&text)
}

/// The first digits of a fingerprint, enough to tell two apart.
fn short(fingerprint: &str) -> &str {
    fingerprint.get(..12).unwrap_or(fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}

/// What distances count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Metric {
    /// Plies to the end of the game
    #[default]
    End,
    /// Plies to the next capture, for games that are drawn after some plies without one
    Conversion,
}

impl Metric {
    /// With the limit, which only conversions have.
    fn with_limit(self, limit: Option<u16>) -> Result<millbase::conversion::Metric, Failure> {
        match (self, limit) {
            (Metric::Conversion, limit) => Ok(millbase::conversion::Metric::Conversion { limit }),
            (Metric::End, None) => Ok(millbase::conversion::Metric::End),
            (Metric::End, Some(_)) => Err(Failure::mistake(
                "--no-capture-limit needs --metric conversion: plies to the end of the game do not tell about counts",
            )),
        }
    }
}

/// The numbers of plies without a capture that draw a game.
fn limits() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=10_000)
}
