//! `millbase query`: what a position is worth.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use millbase::database::{Contents, Database};
use millbase::game::Side;
use millbase::notation::{
    Charset, ReadPosition, draw, play_moves, read_position, write_choice, write_position,
};
use millbase::picture::Picture;
use millbase::probe::{self, Choice, Prober, Ranked};
use millbase::value::Outcome;
use serde::Serialize;

use super::failure::Failure;
use super::files::write_whole;
use super::{counted, print, print_json};

/// Says what a position is worth and ranks all turns.
///
/// POSITION is `start` or a position text as the program Sanmill writes it (12 to 17 fields); put it in
/// quotes. `O` are the white men, `@` the black ones:
///
///   "********/********/O@****** b p p 1 8 1 8 0 0 0 0 0 0 0 0 2"
///
/// A turn is written `d6` (place), `a1-a4` (move or fly), and with the man it takes `f6-f4xd2`. Values are
/// for the side to move; a turn's value is for the player who makes it. Plies count from the position
/// asked about to the end of the game: turns of one side, captures included.
///
/// A position in which a mill was just closed and a man has to be taken is answered as well; its turns are
/// then written `xg7`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase query --db nine-db start
  millbase query --db nine-db start --moves \"d6 f4 b4 g4 e4 f6\" --line
  millbase query --db nine-db start --json | jq .value
  millbase query --db nine-conversion start --no-capture-limit 100 --since 0
  millbase query --db nine-db start --svg start.svg

Pictures: W47 on a point or an arrow is a turn that wins in 47 plies, D one that draws, L12 one that loses in
12. Of turns that differ only in the man taken the best is shown. Where a side flies each goal lists the men
that may fly there, as d6 W47.

JSON: {\"variant\",\"position\",\"side\",\"value\",\"plies\",\"moves\":[{\"move\",\"value\",\"plies\"}]};
plies is null for draws, and for all in databases without distances. --line adds \"line\". A value that a
sector is missing for is \"unknown\", never a draw, and \"missing\" names the sector.

A database of conversions has no plies to the end of the game: plies is null, and there are
\"no_capture_limit\", \"since\", and \"capture_within\" beside each value, the plies to the next capture or the
end of the game, null for draws and while men are in hand. The count runs while both hands are empty.")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// How to read the files: by memory map, or by reading for file systems that do not like maps
    #[arg(long, value_enum, default_value_t = super::IoMode::Map)]
    io: super::IoMode,
    /// `start` or a Sanmill position text
    position: String,
    /// Turns to play first, separated by spaces
    #[arg(long, value_name = "TURNS", allow_hyphen_values = true)]
    moves: Option<String>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// Also print best play to the end of the game
    #[arg(long)]
    line: bool,
    /// The game is drawn when so many plies have been played without a capture: needs a database of
    /// conversions (`solve --metric conversion`)
    #[arg(long, value_name = "N", value_parser = super::limits())]
    no_capture_limit: Option<u16>,
    /// So many plies have been played since the last capture
    #[arg(long, value_name = "K", default_value_t = 0)]
    since: u16,
    /// Also write the board with what each turn is worth to this file, as an SVG picture; `-` prints the
    /// picture instead of the answer
    #[arg(long, value_name = "FILE", conflicts_with = "no_capture_limit")]
    svg: Option<PathBuf>,
}

/// Stands for standard output where a file is asked for.
const STANDARD_OUTPUT: &str = "-";

/// Turns of a best line at most; no stored game is longer.
pub const LINE_LIMIT: usize = 1000;

#[derive(Serialize)]
struct Answer<'a> {
    variant: &'a str,
    position: String,
    side: &'static str,
    value: &'static str,
    plies: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    moves: Vec<Move>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    text: String,
    value: &'static str,
    plies: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

impl Arguments {
    /// Answers.
    pub fn run(self) -> Result<(), Failure> {
        let database = self.io.open(&self.db)?;
        if self.json && self.svg.as_deref() == Some(Path::new(STANDARD_OUTPUT)) {
            let both = "--svg - and --json both print in place of the answer: choose one";
            return Err(Failure::mistake(both));
        }
        let variant = database.variant();
        let mut read = read_position(variant, &self.position)?;
        if let Some(moves) = &self.moves {
            read = play_moves(variant, &read, moves)?;
        }
        let (limit, since) = (self.no_capture_limit, self.since);
        if limit.is_some() || database.contents() == Contents::Conversions {
            if self.svg.is_some() {
                let values =
                    "--svg draws values without a limit, which a database of conversions lacks";
                return Err(Failure::mistake(values));
            }
            let answer = counted::answer(&database, &read, limit, since, self.line)?;
            return match self.json {
                true => print_json(&answer),
                false => print(&counted::tell(&database, &read, &answer)),
            };
        }
        if since > 0 {
            return Err(Failure::mistake("--since needs --no-capture-limit"));
        }
        let ranked = Prober::new(&database).ranked(&read.position, read.removals_due)?;
        if let Some(path) = &self.svg {
            let picture = Picture {
                board: &variant.board,
                read,
                turns: &ranked,
                with_plies: database.contents() == Contents::Distances,
            };
            if path == Path::new(STANDARD_OUTPUT) {
                return print(&picture.document());
            }
            write_whole(path, &picture.document())?;
        }
        let answer = answer(&database, &read, ranked, self.line)?;
        if self.json {
            print_json(&answer)
        } else {
            print(&tell(&database, &read, &answer))
        }
    }
}

fn answer<'a>(
    database: &'a Database,
    read: &ReadPosition,
    ranked: Vec<Ranked>,
    line: bool,
) -> Result<Answer<'a>, Failure> {
    let variant = database.variant();
    let prober = Prober::new(database);
    let told = told(database, prober.value(&read.position, read.removals_due)?);
    let text = |choice: Choice| write_choice(&variant.board, choice);
    let moves = ranked.into_iter().map(|Ranked { choice, answer }| {
        let told = self::told(database, answer);
        Move {
            text: text(choice),
            value: told.value,
            plies: told.plies,
            missing: told.missing,
        }
    });
    let moves = moves.collect();
    let line = line
        .then(|| prober.line(&read.position, read.removals_due, LINE_LIMIT))
        .transpose()?
        .map(|line| line.into_iter().map(text).collect());
    Ok(Answer {
        variant: &variant.id,
        position: write_position(variant, read),
        side: side(read),
        value: told.value,
        plies: told.plies,
        missing: told.missing,
        moves,
        line,
    })
}

/// `white` or `black`, whoever is to move.
pub fn side(read: &ReadPosition) -> &'static str {
    match read.position.side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// An answer in the words of the JSON.
struct Told {
    value: &'static str,
    plies: Option<u16>,
    missing: Option<String>,
}

fn told(database: &Database, answer: probe::Answer) -> Told {
    // Next to the end of a game the rules alone tell the distance. Without distances elsewhere it would
    // look as if other wins were of another kind.
    let has_distances = database.contents() == Contents::Distances;
    match answer {
        probe::Answer::Known(probed) => Told {
            value: name(probed.outcome),
            plies: probed.plies.filter(|_| has_distances),
            missing: None,
        },
        probe::Answer::Unknown(sector) => Told {
            value: "unknown",
            plies: None,
            missing: Some(sector.to_string()),
        },
    }
}

/// `win`, `draw` or `loss`.
pub fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// The board, the position as a text, and the men in hand.
pub fn picture(database: &Database, read: &ReadPosition, position_text: &str) -> String {
    let mut text = draw(&database.variant().board, &read.position, Charset::Unicode);
    let position = &read.position;
    let (white_hand, black_hand) = match position.side {
        Side::White => (position.mover_hand, position.opponent_hand),
        Side::Black => (position.opponent_hand, position.mover_hand),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{position_text}");
    if white_hand + black_hand > 0 {
        let _ = writeln!(text, "In hand: White {white_hand}, Black {black_hand}");
    }
    text
}

fn tell(database: &Database, read: &ReadPosition, answer: &Answer) -> String {
    let mut text = picture(database, read, &answer.position);
    let side = match read.position.side {
        Side::White => "White",
        Side::Black => "Black",
    };
    let due = if read.removals_due > 0 {
        " to take a man"
    } else {
        " to move"
    };
    let _ = writeln!(text, "{side}{due}: {}", verdict(answer.value, answer.plies));
    if let Some(sector) = &answer.missing {
        let _ = writeln!(text, "(The database lacks sector {sector}.)");
    }
    let why_no_plies = match database.contents() {
        Contents::Values | Contents::Conversions => {
            "This database holds values only: distances are not installed."
        }
        Contents::Distances => {
            "In how many plies is not known: the database lacks a sector or its distances."
        }
    };
    let _ = match (answer.moves.is_empty(), answer.plies) {
        (true, _) => writeln!(text, "The game is over."),
        (false, None) if answer.value == "win" || answer.value == "loss" => {
            writeln!(text, "({why_no_plies})")
        }
        _ => Ok(()),
    };
    let width = answer.moves.iter().map(|m| m.text.len()).max().unwrap_or(0);
    if !answer.moves.is_empty() {
        text.push('\n');
    }
    for turn in &answer.moves {
        let _ = writeln!(
            text,
            "  {:<width$}  {}",
            turn.text,
            match &turn.missing {
                Some(sector) => format!("unknown: sector {sector} is missing"),
                None => verdict(turn.value, turn.plies),
            }
        );
    }
    if let Some(line) = &answer.line {
        let _ = match line.is_empty() {
            true => writeln!(
                text,
                "\nNo best line: it is known for decided positions and with distances."
            ),
            false => writeln!(text, "\nBest line: {}", line.join(" ")),
        };
    }
    text
}

fn verdict(value: &str, plies: Option<u16>) -> String {
    match plies {
        Some(1) => format!("{value} in 1 ply"),
        Some(plies) => format!("{value} in {plies} plies"),
        None => value.to_owned(),
    }
}
