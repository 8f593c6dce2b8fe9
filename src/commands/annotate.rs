//! `millbase annotate`: what every turn of a game was worth, and whether puzzles are right.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use millbase::database::Database;
use millbase::figures::counted;
use millbase::notation::{GameRecord, read_records, write_pgn};
use millbase::review::puzzle::{self, PuzzleReview};
use millbase::review::{Review, ReviewedTurn, Tally, Verdict, notes, review};

use super::failure::Failure;
use super::{print, print_json, verdict};

/// Says what every turn of a game was worth, and what would have been better.
///
/// GAME is a file, or `-` for standard input: a PGN with tags and remarks, a list of turns, or a table with `|`
/// between its cells. Points may be named by labels (d6, a1-a4, f6-f4xd2), by numbers from the top left
/// (5, 22-10, 6-14x20), or by rings as in old texts of Sanmill ((2,1), (1,3)->(1,2), -(2,1)). A tag FEN sets
/// the position a game begins in.
///
/// Values are for the player who made the turn. Plies count from the position before the turn.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase annotate --db nine-db game.pgn
  millbase annotate --db nine-db game.pgn --pgn > annotated.pgn
  echo \"d6 f4 d7 g4 d5 xg4\" | millbase annotate --db nine-db -
  millbase annotate --db nine-db --puzzles pack.sanmill_puzzles

JSON: one object a game, {\"variant\", \"start\", \"start_value\", \"turns\":[{\"ply\", \"number\", \"side\", \
\"move\", \"before\", \"after\", \"verdict\", \"better\":[{\"move\", \"value\", \"plies\"}], \"remark\"}], \
\"changes\":[{\"ply\", \"number\", \"side\", \"move\", \"from\", \"to\"}], \"white\", \"black\", \"end\", \
\"end_value\"}; a value is {\"value\", \"plies\"}, a verdict best, slower (the result is kept, but in more plies, or \
lost in fewer), mistake or unknown.

With --puzzles: one object a puzzle, {\"id\", \"title\", \"value\", \"best\":[turns], \"unique\", \"wrong\":[claims], \
\"open\":[claims]}.

Exit code 3 if a puzzle claims what is not so.")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// The file of the game, `-` for standard input
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    game: Option<PathBuf>,
    /// Check the puzzles of a pack of Sanmill instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "pgn"])]
    puzzles: Option<PathBuf>,
    /// Print JSON instead, one object a line
    #[arg(long)]
    json: bool,
    /// Print the game as PGN instead, with remarks and glyphs
    #[arg(long, conflicts_with = "json")]
    pgn: bool,
    /// How to read the files: by memory map, or by reading for file systems that do not like maps
    #[arg(long, value_enum, default_value_t = super::IoMode::Map)]
    io: super::IoMode,
}

/// Bytes of a file at most: far more than thousands of games.
const MOST_BYTES: u64 = 1 << 26;

impl Arguments {
    /// Reviews.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let database = self.io.open(&self.db)?;
        super::refuse_conversions(&database)?;
        match (&self.puzzles, &self.game) {
            (Some(path), _) => self.puzzles(&database, path),
            (None, Some(path)) => self.games(&database, path),
            (None, None) => Err(Failure::mistake("a game or --puzzles is needed")),
        }
    }

    fn games(&self, database: &Database, path: &Path) -> Result<ExitCode, Failure> {
        let text = read_text(path)?;
        let games = read_records(database.variant(), &text)
            .map_err(|error| Failure::mistake(format!("{}: {error}", path.display())))?;
        for (i, game) in games.iter().enumerate() {
            let review = review(database, game)?;
            match () {
                () if self.json => print_json(&review)?,
                () if self.pgn => {
                    let pgn = write_pgn(database.variant(), game, &notes(&review));
                    print(&format!("{}{pgn}", if i > 0 { "\n" } else { "" }))?;
                }
                () => print(&format!(
                    "{}{}",
                    if i > 0 { "\n" } else { "" },
                    tell(game, &review)
                ))?,
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn puzzles(&self, database: &Database, path: &Path) -> Result<ExitCode, Failure> {
        let pack = puzzle::read_pack(&read_text(path)?)
            .map_err(|error| Failure::mistake(format!("{}: {error}", path.display())))?;
        let reviews = puzzle::review_pack(database, &pack)?;
        for review in &reviews {
            if self.json {
                print_json(review)?;
            } else {
                print(&tell_puzzle(review))?;
            }
        }
        let wrong = reviews.iter().filter(|review| !review.wrong.is_empty());
        let (wrong, all) = (wrong.count(), reviews.len());
        if !self.json {
            let open = reviews.iter().filter(|review| !review.open.is_empty());
            let open = match open.count() {
                0 => String::new(),
                open => format!(", {open} not wholly checked"),
            };
            print(&format!("{all} puzzles, {wrong} with wrong claims{open}\n"))?;
        }
        Ok(verdict(wrong == 0))
    }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let cannot =
        |error: io::Error| Failure::mistake(format!("cannot read {}: {error}", path.display()));
    let mut text = String::new();
    let mut input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(cannot)?)
    };
    let read = input
        .by_ref()
        .take(MOST_BYTES + 1)
        .read_to_string(&mut text);
    if read.map_err(cannot)? as u64 > MOST_BYTES {
        return Err(cannot(io::ErrorKind::FileTooLarge.into()));
    }
    Ok(text)
}

fn tell(game: &GameRecord, review: &Review) -> String {
    let mut text = String::new();
    if let (Some(white), Some(black)) = (game.tag("White"), game.tag("Black")) {
        text += &format!("{white} - {black}\n");
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "At the start: {}\n", review.start_value);
    let width = review.turns.iter().map(|turn| turn.text.len());
    let width = width.max().unwrap_or(0);
    for turn in &review.turns {
        text += &tell_turn(turn, width);
    }
    let _ = writeln!(text, "\nAt the end: {}", review.end_value);
    for change in &review.changes {
        let _ = writeln!(
            text,
            "{} {}: {} -> {} for {}",
            change.number, change.text, change.from, change.to, change.side
        );
    }
    if review.changes.is_empty() {
        text += "Nobody gave away a win or a draw.\n";
    }
    text + &tally("White", &review.white) + &tally("Black", &review.black)
}

fn tell_turn(turn: &ReviewedTurn, width: usize) -> String {
    let mark = match turn.verdict {
        Verdict::Best => "",
        Verdict::Slower => "?!",
        Verdict::Mistake => "??",
        Verdict::Unknown => "",
    };
    let mut text = format!(
        "{:>6} {:<width$} {mark:<2}  {}",
        turn.number, turn.text, turn.after
    );
    if turn.verdict == Verdict::Mistake {
        let _ = write!(text, ", was {}", turn.before);
    }
    if !turn.better.is_empty() {
        let _ = write!(text, "; better: {}", turn.better_text());
    }
    if !turn.remark.is_empty() {
        let _ = write!(text, "  {{{}}}", turn.remark);
    }
    text + "\n"
}

fn tally(side: &str, tally: &Tally) -> String {
    let unknown = match tally.unknown {
        0 => String::new(),
        unknown => format!(", {unknown} unknown"),
    };
    format!(
        "{side}: {}, {} best, {} slower, {}{unknown}\n",
        counted(tally.turns as u64, "turn"),
        tally.best,
        tally.slower,
        counted(tally.mistakes as u64, "mistake"),
    )
}

fn tell_puzzle(review: &PuzzleReview) -> String {
    let mut text = format!("{}: ", review.id);
    match &review.value {
        Some(value) => {
            let best = if review.unique {
                "the only best first turn"
            } else {
                "best first turns"
            };
            let _ = writeln!(text, "{value}; {best}: {}", review.best.join(" "));
        }
        None => text += "not checked\n",
    }
    for claim in &review.wrong {
        let _ = writeln!(text, "  wrong: {claim}");
    }
    for claim in &review.open {
        let _ = writeln!(text, "  open: {claim}");
    }
    text
}
