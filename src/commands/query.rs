//! `millbase query`: what a position is worth.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use millbase::answer::{self, PositionAnswer, Word, schema, serve};
use millbase::database::{Contents, Database};
use millbase::game::Side;
use millbase::notation::{Charset, ReadPosition, draw, play_moves, read_position};
use millbase::picture::Picture;
use millbase::probe::Prober;
use millbase::value::Outcome;

pub use millbase::answer::LINE_LIMIT;

use super::failure::Failure;
use super::files::write_whole;
use super::{counted, print, print_json};

/// Says what a position is worth and ranks all turns.
///
/// POSITION is `start` or a position text as the program Sanmill writes it (12 to 17 fields) or in the form MFEN/1.0;
/// put it in quotes. `O` are the white men, `@` the black ones:
///
///   "********/********/O@****** b p p 1 8 1 8 0 0 0 0 0 0 0 0 2"
///
/// A turn is written `d6` (place), `a1-a4` (move or fly), and with the man it takes `f6-f4xd2`; `pass` is
/// the turn of a side that cannot move, in games in which it passes. Values are for the side to move; a
/// turn's value is for the player who makes it. Plies count from the position asked about to the end of the
/// game: turns of one side, captures included.
///
/// A position in which a mill was just closed and a man has to be taken is answered as well; its turns are
/// then written `xg7`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase query --db nine-db start
  millbase query --db nine-db start --moves \"d6 f4 b4 g4 e4 f6\" --line
  millbase query --db nine-db start --json | jq .value
  echo '{\"id\":1,\"position\":\"start\"}' | millbase query --db nine-db --jsonl
  millbase query --db nine-conversion start --no-capture-limit 100 --since 0
  millbase query --db nine-db start --svg start.svg

Pictures: W47 on a point or an arrow is a turn that wins in 47 plies, D one that draws, L12 one that loses in \
12. Of turns that differ only in the man taken the best is shown. Where a side flies each goal lists the men \
that may fly there, as d6 W47.

JSON: {\"variant\", \"position\", \"side\", \"value\", \"plies\", \"moves\":[{\"move\", \"value\", \"plies\"}]}; \
plies is null for draws, and for all in databases without distances. --line adds \"line\". A value that a \
sector is missing for is \"unknown\", never a draw, and \"missing\" names the sector. --details is for programs \
that do not know the rules: it adds \"board\":{\"white\", \"black\", \"hand\", \"removals_due\"} and \
\"over\":{\"winner\", \"reason\"} (null while the game goes on), and to each turn \"position\", which it leads to, \
\"from\", \"to\", \"takes\" and \"captures\".

With --jsonl every line of standard input is a request {\"id\", \"position\", \"moves\", \"turns\", \"line\", \
\"details\"}, of which only position is required, and every line of output its answer: the same object with the id of \
the request, or \
{\"id\", \"error\":{\"kind\", \"message\", \"field\", \"character\"}}. --schema describes both as a JSON Schema.

A database of conversions has no plies to the end of the game: plies is null, and there are \
\"no_capture_limit\", \"since\", and \"capture_within\" beside each value, the plies to the next capture or the \
end of the game, null for draws and while men are in hand. The count runs while both hands are empty.")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR", required_unless_present = "schema")]
    db: Option<PathBuf>,
    /// How to read the files: by memory map, or by reading for file systems that do not like maps
    #[arg(long, value_enum, default_value_t = super::IoMode::Map)]
    io: super::IoMode,
    /// `start` or a position text
    #[arg(required_unless_present_any = ["schema", "jsonl"])]
    position: Option<String>,
    /// Turns to play first, separated by spaces
    #[arg(long, value_name = "TURNS", allow_hyphen_values = true)]
    moves: Option<String>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// With --json: also where the men are, and the parts of each turn with the position it leads to
    #[arg(long, requires = "json")]
    details: bool,
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
    /// Answer requests on standard input, one JSON object a line
    #[arg(long, conflicts_with_all = ["position", "moves", "json", "line", "no_capture_limit", "since", "svg"])]
    jsonl: bool,
    /// Print the JSON Schema of the requests and answers of --jsonl
    #[arg(long, conflicts_with_all = ["position", "moves", "json", "line", "no_capture_limit", "since", "svg", "jsonl"])]
    schema: bool,
}

/// Stands for standard output where a file is asked for.
const STANDARD_OUTPUT: &str = "-";

impl Arguments {
    /// Answers.
    pub fn run(self) -> Result<(), Failure> {
        if self.schema {
            return print_json(&schema());
        }
        let Some(db) = &self.db else {
            return Err(Failure::mistake("--db is needed"));
        };
        let database = self.io.open(db)?;
        match &self.position {
            Some(position) => self.one(&database, position),
            None => {
                super::refuse_conversions(&database)?;
                super::start_threads()?;
                serve(&database, io::stdin(), io::stdout().lock()).map_err(Failure::output)
            }
        }
    }

    fn one(&self, database: &Database, position: &str) -> Result<(), Failure> {
        if self.json && self.svg.as_deref() == Some(Path::new(STANDARD_OUTPUT)) {
            let both = "--svg - and --json both print in place of the answer: choose one";
            return Err(Failure::mistake(both));
        }
        let variant = database.variant();
        let mut read = read_position(variant, position)?;
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
            if self.details {
                let without = "--details is for values without a no-capture limit";
                return Err(Failure::mistake(without));
            }
            let answer = counted::answer(database, &read, limit, since, self.line)?;
            return match self.json {
                true => print_json(&answer),
                false => print(&counted::tell(database, &read, &answer)),
            };
        }
        if since > 0 {
            return Err(Failure::mistake("--since needs --no-capture-limit"));
        }
        if let Some(path) = &self.svg {
            let ranked = Prober::new(database).ranked(&read.position, read.removals_due)?;
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
        if self.details {
            return print_json(&PositionAnswer::detailed(database, &read, true, self.line)?);
        }
        let answer = PositionAnswer::of(database, &read, true, self.line)?;
        if self.json {
            print_json(&answer)
        } else {
            print(&tell(database, &read, &answer))
        }
    }
}

/// `white` or `black`, whoever is to move.
pub fn side(read: &ReadPosition) -> &'static str {
    answer::side(read.position.side)
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
    let [white_hand, black_hand] = [Side::White, Side::Black].map(|side| read.position.hand(side));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{position_text}");
    if white_hand + black_hand > 0 {
        let _ = writeln!(text, "In hand: White {white_hand}, Black {black_hand}");
    }
    text
}

fn tell(database: &Database, read: &ReadPosition, answer: &PositionAnswer) -> String {
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
    let worth = &answer.worth;
    let _ = match &worth.missing {
        None => writeln!(text, "{side}{due}: {worth}"),
        Some(sector) => writeln!(
            text,
            "{side}{due}: {}\n(The database lacks sector {sector}.)",
            worth.value
        ),
    };
    let moves = answer.moves.as_deref().unwrap_or_default();
    let why_no_plies = match database.contents() {
        Contents::Values | Contents::Conversions => {
            "This database holds values only: distances are not installed."
        }
        Contents::Distances => {
            "In how many plies is not known: the database lacks a sector or its distances."
        }
    };
    let _ = match (moves.is_empty(), worth.plies) {
        (true, _) => writeln!(text, "The game is over."),
        (false, None) if matches!(worth.value, Word::Win | Word::Loss) => {
            writeln!(text, "({why_no_plies})")
        }
        _ => Ok(()),
    };
    let width = moves.iter().map(|m| m.text.len()).max().unwrap_or(0);
    if !moves.is_empty() {
        text.push('\n');
    }
    for turn in moves {
        let _ = writeln!(text, "  {:<width$}  {}", turn.text, turn.worth);
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
