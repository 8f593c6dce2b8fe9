//! `millbase play`: a game in the terminal.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use millbase::notation::read_position;
use millbase::play::{Human, PlayError, Session, serve};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::choosing::Choosing;
use super::failure::Failure;
use super::print;

/// Plays a game in the terminal against the perfect player.
///
/// Type turns as `query` writes them: `d6`, `a1-a4`, `f6-f4xd2`. The tab key completes them, the arrows bring back
/// earlier lines, `help` lists the commands: hint, undo, turns, value on|off, new, fen, help, quit.
///
/// What does not come from a terminal is read line by line, so that a game can be written beforehand.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase play --db nine-db --as black
  printf 'c4\\nhint\\n' | millbase play --db six-db

A database without distances keeps wins but may not come nearer to their end.")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// How to read the files: by memory map, or by reading for file systems that do not like maps
    #[arg(long, value_enum, default_value_t = super::IoMode::Map)]
    io: super::IoMode,
    /// The side you play
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = As::White)]
    side: As,
    /// Where the game begins: `start` or a position text
    #[arg(long, value_name = "POSITION", default_value = "start")]
    position: String,
    #[command(flatten)]
    choosing: Choosing,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum As {
    /// White, who begins
    White,
    /// Black
    Black,
    /// Both sides
    Both,
}

/// The code to leave with after Ctrl-C, as if it had ended the program.
const INTERRUPTED: u8 = 130;

impl Arguments {
    /// Plays.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let database = self.io.open(&self.db)?;
        super::refuse_conversions(&database)?;
        let start = read_position(database.variant(), &self.position)?;
        super::start_threads()?;
        let human = match self.side {
            As::White => Human::White,
            As::Black => Human::Black,
            As::Both => Human::Both,
        };
        let (ties, seed) = (self.choosing.ties(), self.choosing.seed);
        let mut session = Session::new(&database, human, start, ties, seed);
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            return at_terminal(&mut session);
        }
        let done = serve(&mut session, io::stdin(), io::stdout().lock());
        done.map(|()| ExitCode::SUCCESS).map_err(Failure::from)
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Failure {
        match error {
            PlayError::Probe(error) => error.into(),
            PlayError::Io(error) => Failure::output(error),
        }
    }
}

/// Completes the last word of a line.
#[derive(Debug, Default)]
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..pos];
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let fitting = self
            .0
            .iter()
            .filter(|word| word.starts_with(&before[start..]));
        Ok((start, fitting.cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

fn at_terminal(session: &mut Session) -> Result<ExitCode, Failure> {
    let cannot = |error| Failure::fault(format!("cannot use the terminal: {error}"));
    let config = Config::builder().completion_type(CompletionType::List);
    let history = MemHistory::new();
    let mut editor = Editor::with_history(config.build(), history).map_err(cannot)?;
    print(&session.begin()?)?;
    loop {
        editor.set_helper(Some(Words(session.words())));
        let line = match editor.readline("> ") {
            Ok(line) => line,
            Err(ReadlineError::Eof) => return Ok(ExitCode::SUCCESS),
            Err(ReadlineError::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
            Err(error) => return Err(cannot(error)),
        };
        // A line that cannot be brought back is no reason to stop.
        let _ = editor.add_history_entry(line.as_str());
        let reply = session.answer(&line)?;
        print(&reply.text)?;
        if reply.ends {
            return Ok(ExitCode::SUCCESS);
        }
    }
}
