//! The dialogue: what is answered to each line.

use super::{Command, CommandError};
use crate::answer::Worth;
use crate::database::Database;
use crate::game::Choice;
use crate::lines::LONGEST;
use crate::notation::{Notation, PositionReader, ReadPosition, Style, play_moves};
use crate::probe::{Chooser, ProbeError, Ranked, Ties};

/// The greatest seed; programs hold such options in 32 bits with a sign.
pub const MOST_SEED: u64 = i32::MAX as u64;

/// The answer to a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Lines, without their breaks.
    pub lines: Vec<String>,
    /// Whether the dialogue is over.
    pub ends: bool,
}

impl Reply {
    /// That something is wrong.
    fn error(message: impl std::fmt::Display) -> Reply {
        Reply {
            lines: vec![error(message)],
            ends: false,
        }
    }
}

fn error(message: impl std::fmt::Display) -> String {
    format!("info string error {message}")
}

/// A dialogue with a player who follows a database.
#[derive(Debug)]
pub struct Session<'a> {
    database: &'a Database,
    reader: PositionReader<'a>,
    ties: Ties,
    seed: u64,
    chooser: Chooser<'a>,
    /// Where the game stands; `None` after a position that could not be read.
    now: Option<ReadPosition>,
    /// The answer that waits for `stop`.
    waiting: Option<String>,
}

impl<'a> Session<'a> {
    /// Begins, with the start position, and options that the other side may change.
    pub fn new(database: &'a Database, ties: Ties, seed: u64) -> Session<'a> {
        let variant = database.variant();
        Session {
            database,
            reader: PositionReader::new(variant),
            ties,
            seed,
            chooser: Chooser::new(database, ties, seed),
            now: Some(variant.start().into()),
            waiting: None,
        }
    }

    /// The answer to a line.
    pub fn answer(&mut self, line: &str) -> Reply {
        let command = match Command::read(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Reply::default(),
            Err(error) => {
                // Another position than the last was meant.
                if error == CommandError::Position {
                    self.now = None;
                }
                return Reply::error(error);
            }
        };
        let ends = command == Command::Quit;
        let lines = match command {
            Command::Uci => self.introduction(),
            Command::IsReady => vec!["readyok".to_owned()],
            Command::NewGame => {
                self.waiting = None;
                self.now = Some(self.database.variant().start().into());
                Vec::new()
            }
            Command::SetOption { name, value } => self.set(name, value),
            Command::Position { start, moves } => self.position(start, moves),
            Command::Go { infinite } => self.go(infinite),
            Command::Stop => self.waiting.take().into_iter().collect(),
            Command::Quit => Vec::new(),
        };
        Reply { lines, ends }
    }

    /// The answer to a line that is too long, of which only the beginning is there.
    pub(super) fn too_long(&mut self, beginning: &str) -> Reply {
        let command = Command::read(beginning);
        if matches!(
            command,
            Ok(Some(Command::Position { .. })) | Err(CommandError::Position)
        ) {
            // Another position than the last was meant.
            self.now = None;
        }
        Reply::error(format!("a command has at most {LONGEST} bytes"))
    }

    fn introduction(&self) -> Vec<String> {
        let ties = Ties::ALL.map(|ties| format!(" var {ties}")).concat();
        vec![
            concat!("id name millbase ", env!("CARGO_PKG_VERSION")).to_owned(),
            "id author the millbase authors".to_owned(),
            format!("option name Ties type combo default {}{ties}", self.ties),
            format!(
                "option name Seed type spin default {} min 0 max {MOST_SEED}",
                self.seed
            ),
            "uciok".to_owned(),
        ]
    }

    /// Sets an option, and lets chance begin anew.
    fn set(&mut self, name: &str, value: &str) -> Vec<String> {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is("Ties") {
            let Some(ties) = Ties::ALL.into_iter().find(|ties| ties.name() == value) else {
                let all = Ties::ALL.map(Ties::name).join(", ");
                return vec![error(format!("Ties is one of {all}, not `{value}`"))];
            };
            self.ties = ties;
        } else if is("Seed") {
            let seed = value.parse().ok().filter(|seed| *seed <= MOST_SEED);
            let Some(seed) = seed else {
                let range = format!("Seed is a number from 0 to {MOST_SEED}, not `{value}`");
                return vec![error(range)];
            };
            self.seed = seed;
        } else {
            return vec![error(format!("there is no option `{name}`"))];
        }
        self.chooser = Chooser::new(self.database, self.ties, self.seed);
        Vec::new()
    }

    fn position(&mut self, start: &str, moves: &str) -> Vec<String> {
        self.waiting = None;
        self.now = None;
        let start = match self.reader.read(start) {
            Ok(start) => start,
            Err(wrong) => return vec![error(wrong)],
        };
        match play_moves(self.database.variant(), &start, moves) {
            Ok(now) => self.now = Some(now),
            Err(wrong) => return vec![error(wrong)],
        }
        Vec::new()
    }

    fn go(&mut self, infinite: bool) -> Vec<String> {
        let Some(now) = self.now else {
            let none = error("there is no position: the last one was refused");
            return vec![none, best_move(None)];
        };
        let (mut lines, action) = match self.think(&now) {
            Ok(thought) => thought,
            // A player who says nothing has lost. Any turn is better than that.
            Err(wrong) => (vec![error(wrong)], self.first_legal(&now)),
        };
        let best = best_move(action);
        self.waiting = infinite.then(|| best.clone());
        if !infinite {
            lines.push(best);
        }
        lines
    }

    /// What there is to say of a position, and the action to do there.
    fn think(&mut self, now: &ReadPosition) -> Result<(Vec<String>, Option<String>), ProbeError> {
        let value = self
            .chooser
            .prober()
            .value(&now.position, now.removals_due)?;
        let worth = Worth::of(self.database, value);
        let mut lines = vec![format!("info string value {}", words(&worth))];
        let chosen = self.chooser.choose(&now.position, now.removals_due)?;
        let Some(Ranked { choice, answer }) = chosen else {
            return Ok((lines, None));
        };
        let turn = Worth::of(self.database, answer);
        if turn != worth {
            lines.push(format!("info string turn {}", words(&turn)));
        }
        Ok((lines, self.first_action(now, choice)))
    }

    fn first_action(&self, now: &ReadPosition, choice: Choice) -> Option<String> {
        let variant = self.database.variant();
        let notation = Notation::new(&variant.board, Style::Labels);
        let actions = notation.write_actions(variant, &now.position, choice);
        actions.into_iter().next()
    }

    /// An action that the rules allow, without a look at the database.
    fn first_legal(&self, now: &ReadPosition) -> Option<String> {
        let variant = self.database.variant();
        let choices = variant.choices(&now.position, now.removals_due);
        let first = choices.into_iter().next();
        first.and_then(|choice| self.first_action(now, choice))
    }
}

fn best_move(action: Option<String>) -> String {
    format!("bestmove {}", action.as_deref().unwrap_or("none"))
}

/// `win plies 47`, `draw`, `unknown missing 3-4`.
fn words(worth: &Worth) -> String {
    let plies = worth.plies.map(|plies| format!(" plies {plies}"));
    let missing = worth
        .missing
        .as_ref()
        .map(|sector| format!(" missing {sector}"));
    let more = plies.or(missing).unwrap_or_default();
    format!("{}{more}", worth.value)
}
