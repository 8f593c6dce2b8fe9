//! The dialogue: what is answered to each line.

use std::fmt::Write;

use super::{COMMANDS, Command, Game};
use crate::answer::{Word, Worth};
use crate::database::Database;
use crate::game::{Choice, Side, Variant};
use crate::notation::{
    Charset, Notation, ReadPosition, Style, TurnError, TurnProblem, draw, ending_text, side_name,
    write_position,
};
use crate::probe::{Chooser, ProbeError, Ties};

/// Which sides are played by who sits at the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Human {
    /// White; the database plays Black.
    #[default]
    White,
    /// Black; the database plays White, and begins.
    Black,
    /// Both.
    Both,
}

impl Human {
    fn sides(self) -> &'static [Side] {
        match self {
            Human::White => &[Side::White],
            Human::Black => &[Side::Black],
            Human::Both => &[Side::White, Side::Black],
        }
    }

    fn plays(self, side: Side) -> bool {
        self.sides().contains(&side)
    }
}

/// The answer to a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// What is said: whole lines, or nothing.
    pub text: String,
    /// Whether the dialogue is over.
    pub ends: bool,
}

/// A game with what is said about it.
#[derive(Debug)]
pub struct Session<'a> {
    database: &'a Database,
    chooser: Chooser<'a>,
    human: Human,
    game: Game<'a>,
    /// Whether to say what positions are worth.
    values: bool,
}

impl<'a> Session<'a> {
    /// A game from a position, in which a [`Chooser`] with these ties and this seed plays against a human.
    pub fn new(
        database: &'a Database,
        human: Human,
        start: ReadPosition,
        ties: Ties,
        seed: u64,
    ) -> Session<'a> {
        Session {
            database,
            chooser: Chooser::new(database, ties, seed),
            human,
            game: Game::new(database.variant(), start),
            values: false,
        }
    }

    /// What is said at the beginning, with the program's first turn if it begins.
    ///
    /// # Errors
    /// When a file of the database is wrong.
    pub fn begin(&mut self) -> Result<String, ProbeError> {
        let who = match self.human {
            Human::White => "You play White.",
            Human::Black => "You play Black.",
            Human::Both => "You play both sides.",
        };
        let mut text = format!("{who} Type a turn, or `help`.\n");
        self.respond(&mut text)?;
        Ok(text)
    }

    /// The answer to a line.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub fn answer(&mut self, line: &str) -> Result<Reply, ProbeError> {
        let mut text = String::new();
        let command = match Command::read(line) {
            Ok(command) => command,
            Err(error) => {
                let text = format!("{error}\n");
                return Ok(Reply { text, ends: false });
            }
        };
        match command {
            None | Some(Command::Quit) => {}
            Some(Command::Turns(words)) => self.turns(words, &mut text)?,
            Some(Command::Hint) => self.hint(&mut text)?,
            Some(Command::Undo) => self.undo(&mut text)?,
            Some(Command::List) => self.list(&mut text)?,
            Some(Command::Value(on)) => {
                self.values = on;
                self.whose_turn(&mut text)?;
            }
            Some(Command::New) => {
                self.game.restart();
                self.respond(&mut text)?;
            }
            Some(Command::Fen) => {
                text = write_position(self.variant(), &self.game.now()) + "\n";
            }
            Some(Command::Help) => text = help(),
        }
        let ends = command == Some(Command::Quit);
        Ok(Reply { text, ends })
    }

    /// All words that mean something now, for completing them: turns, then commands.
    pub fn words(&self) -> Vec<String> {
        let notation = self.notation();
        let choices = self.choices().into_iter();
        let turns = choices.map(|choice| notation.write(choice));
        let commands = COMMANDS.iter().map(|(name, _)| (*name).to_owned());
        turns.chain(commands).collect()
    }

    fn variant(&self) -> &'a Variant {
        self.database.variant()
    }

    fn notation(&self) -> Notation<'a> {
        Notation::new(&self.variant().board, Style::Labels)
    }

    fn choices(&self) -> Vec<Choice> {
        let now = self.game.now();
        self.variant().choices(&now.position, now.removals_due)
    }

    /// Plays what was typed, and answers every complete turn.
    fn turns(&mut self, words: &str, text: &mut String) -> Result<(), ProbeError> {
        for word in words.split_whitespace() {
            if let Err(error) = self.game.play(word) {
                let _ = writeln!(text, "{}", complaint(&error));
                // Only where something was played before is there anything new to see.
                return match word.as_ptr() == words.as_ptr() {
                    true => Ok(()),
                    false => self.respond(text),
                };
            }
            self.programs_turns(text)?;
        }
        self.respond(text)
    }

    /// Lets the program play as long as it is its turn.
    fn programs_turns(&mut self, text: &mut String) -> Result<(), ProbeError> {
        loop {
            let now = self.game.now();
            let side = now.position.side;
            if self.human.plays(side) {
                return Ok(());
            }
            let chosen = self.chooser.choose(&now.position, now.removals_due)?;
            let Some(chosen) = chosen else {
                return Ok(());
            };
            let worth = Worth::of(self.database, chosen.answer);
            let turn = self.game.play_choice(chosen.choice);
            let _ = match self.values || worth.value == Word::Unknown {
                true => writeln!(
                    text,
                    "{} plays {turn}: {}.",
                    side_name(side),
                    in_words(&worth, side)
                ),
                false => writeln!(text, "{} plays {turn}.", side_name(side)),
            };
        }
    }

    /// The program's turns, then the board and whose turn it is.
    fn respond(&mut self, text: &mut String) -> Result<(), ProbeError> {
        self.programs_turns(text)?;
        let position = self.game.now().position;
        let drawing = draw(&self.variant().board, &position, Charset::Unicode);
        let _ = writeln!(text, "\n{drawing}");
        let [white, black] = [Side::White, Side::Black].map(|side| position.hand(side));
        if white + black > 0 {
            let _ = writeln!(text, "In hand: White {white}, Black {black}");
        }
        self.whose_turn(text)
    }

    /// Whose turn it is and, if that is wanted, what the position is worth.
    fn whose_turn(&self, text: &mut String) -> Result<(), ProbeError> {
        let now = self.game.now();
        if self.end(text) {
            return Ok(());
        }
        let side = now.position.side;
        let _ = match now.removals_due {
            0 => write!(text, "{} to move", side_name(side)),
            due => {
                let men = match due {
                    1 => "a man".to_owned(),
                    due => format!("{due} men"),
                };
                let all: Vec<_> = self
                    .choices()
                    .iter()
                    .map(|c| self.notation().write(*c))
                    .collect();
                write!(
                    text,
                    "{} takes {men}, one of {}",
                    side_name(side),
                    all.join(" ")
                )
            }
        };
        if self.values {
            let value = self
                .chooser
                .prober()
                .value(&now.position, now.removals_due)?;
            let worth = Worth::of(self.database, value);
            let _ = write!(text, ": {}", in_words(&worth, side));
        }
        text.push_str(".\n");
        Ok(())
    }

    /// Says how the game has ended, if it has.
    fn end(&self, text: &mut String) -> bool {
        let now = self.game.now();
        let over = ending_text(self.variant(), &now.position).filter(|_| now.removals_due == 0);
        if let Some(over) = &over {
            let _ = writeln!(text, "The game is over: {over}.");
        }
        over.is_some()
    }

    fn hint(&mut self, text: &mut String) -> Result<(), ProbeError> {
        let now = self.game.now();
        let chosen = self.chooser.choose(&now.position, now.removals_due)?;
        let Some(chosen) = chosen else {
            self.end(text);
            return Ok(());
        };
        let worth = Worth::of(self.database, chosen.answer);
        let verdict = in_words(&worth, now.position.side);
        let turn = self.notation().write(chosen.choice);
        let _ = match worth.value {
            Word::Unknown => writeln!(text, "Perhaps {turn}: {verdict}."),
            _ => writeln!(text, "Best is {turn}: {verdict}."),
        };
        Ok(())
    }

    fn undo(&mut self, text: &mut String) -> Result<(), ProbeError> {
        let taken = self.game.undo(self.human.sides());
        if taken.is_empty() {
            text.push_str("There is nothing to take back.\n");
            return Ok(());
        }
        let _ = writeln!(text, "Taken back: {}", taken.join(" "));
        self.respond(text)
    }

    /// All turns, with what they are worth and best first if that is wanted.
    fn list(&self, text: &mut String) -> Result<(), ProbeError> {
        if self.end(text) {
            return Ok(());
        }
        let (now, notation) = (self.game.now(), self.notation());
        if !self.values {
            let all: Vec<_> = self.choices().iter().map(|c| notation.write(*c)).collect();
            let _ = writeln!(text, "{}", all.join(" "));
            return Ok(());
        }
        let ranked = self
            .chooser
            .prober()
            .ranked(&now.position, now.removals_due)?;
        let turns = ranked
            .iter()
            .map(|turn| (notation.write(turn.choice), turn.answer));
        let turns: Vec<_> = turns.collect();
        let width = turns.iter().map(|(turn, _)| turn.len()).max().unwrap_or(0);
        for (turn, answer) in turns {
            let worth = Worth::of(self.database, answer);
            let _ = writeln!(text, "  {turn:<width$}  {worth}");
        }
        Ok(())
    }
}

/// What something is worth that is a side's: `White wins in 47 plies`, `a draw`.
fn in_words(worth: &Worth, side: Side) -> String {
    let winner = match worth.value {
        Word::Win => side,
        Word::Loss => side.other(),
        Word::Draw => return "a draw".to_owned(),
        Word::Unknown => {
            let sector = worth.missing.as_deref().unwrap_or("it needs");
            return format!("unknown, the database lacks sector {sector}");
        }
    };
    let plies = match worth.plies {
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
        None => String::new(),
    };
    format!("{} wins{plies}", side_name(winner))
}

/// What is wrong with a turn.
fn complaint(error: &TurnError) -> String {
    let more = match error.problem {
        TurnProblem::Form { .. } | TurnProblem::NoSuchPoint(_) => "; `help` lists the commands",
        _ => "",
    };
    format!("`{}`: {}{more}.", error.token, error.problem)
}

fn help() -> String {
    let mut text = "A turn is a point to place on (d6), a move (a1-a4), each with the man it takes (f6-f4xd2), \
                    or `pass`\nwhere a side passes. The man may follow on a line of its own (xd2).\n\n"
        .to_owned();
    for (name, what) in COMMANDS {
        let _ = writeln!(text, "  {name:<6} {what}");
    }
    text
}
