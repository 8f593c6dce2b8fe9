//! What a position is worth under a no-capture limit, for `query`.

use std::fmt::Write;

use millbase::conversion::Conversion;
use millbase::database::{Contents, Database};
use millbase::notation::{ReadPosition, write_choice, write_position};
use millbase::probe::{CountedAnswer, CountedProber, CountedTurn};
use millbase::value::Outcome;
use serde::Serialize;

use super::failure::Failure;
use super::query::{LINE_LIMIT, name, picture, side};

#[derive(Serialize)]
pub struct Answer<'a> {
    variant: &'a str,
    position: String,
    side: &'static str,
    value: &'static str,
    /// Not told: plies to the end of the game are not in such a database.
    plies: Option<u16>,
    no_capture_limit: Option<u16>,
    since: u16,
    capture_within: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    moves: Vec<Move>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    /// What it would be worth at a count of 0, where it is drawn by the count.
    #[serde(skip)]
    without_count: Option<Conversion>,
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    text: String,
    value: &'static str,
    plies: Option<u16>,
    capture_within: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

/// Answers for a limit, or for that of the database, and a count.
pub fn answer<'a>(
    database: &'a Database,
    read: &ReadPosition,
    limit: Option<u16>,
    since: u16,
    line: bool,
) -> Result<Answer<'a>, Failure> {
    let variant = database.variant();
    if let (Some(limit), Some(_)) = (limit, refusal(database)) {
        return Err(Failure::mistake(format!(
            "{} holds {}: the count needs plies to the next capture, which `millbase solve {} --metric conversion \
             --no-capture-limit {limit} --db NEW` finds",
            database.dir().display(),
            database.contents(),
            variant.id
        )));
    }
    let prober = CountedProber::new(database, limit)?;
    let (position, due) = (&read.position, read.removals_due);
    let value = prober.value(position, due, since)?;
    let ranked = prober.ranked(position, due, since)?;
    let line = line.then(|| prober.line(position, due, since, LINE_LIMIT));
    let text = |choice| write_choice(&variant.board, choice);
    let line = line
        .transpose()?
        .map(|line| line.into_iter().map(text).collect());
    let (word, capture_within, missing) = told(value);
    let without_count = match (since, value.known()) {
        (1.., Some(Conversion::DRAW)) => prober.value(position, due, 0)?.known(),
        _ => None,
    };
    let turn = |CountedTurn { choice, answer }| {
        let (value, capture_within, missing) = told(answer);
        Move {
            text: text(choice),
            value,
            plies: None,
            capture_within,
            missing,
        }
    };
    Ok(Answer {
        variant: &variant.id,
        position: write_position(variant, read),
        side: side(read),
        value: word,
        plies: None,
        no_capture_limit: prober.limit(),
        since,
        capture_within,
        missing,
        moves: ranked.into_iter().map(turn).collect(),
        line,
        without_count: without_count.filter(|value| value.outcome != Outcome::Draw),
    })
}

/// Why a database knows no counts, if it does not.
fn refusal(database: &Database) -> Option<Contents> {
    Some(database.contents()).filter(|&contents| contents != Contents::Conversions)
}

fn told(answer: CountedAnswer) -> (&'static str, Option<u16>, Option<String>) {
    match answer {
        CountedAnswer::Known(value) => (name(value.outcome), value.plies, None),
        CountedAnswer::Unknown(sector) => ("unknown", None, Some(sector.to_string())),
    }
}

/// The answer for people.
pub fn tell(database: &Database, read: &ReadPosition, answer: &Answer) -> String {
    let mut text = picture(database, read, &answer.position);
    let due = match read.removals_due {
        0 => " to move",
        _ => " to take a man",
    };
    let side = match answer.side {
        "white" => "White",
        _ => "Black",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{side}{due}: {}",
        verdict(answer.value, answer.capture_within)
    );
    if let Some(sector) = &answer.missing {
        let _ = writeln!(text, "(The database lacks sector {sector}.)");
    }
    if let Some(value) = answer.without_count {
        let _ = writeln!(
            text,
            "(Drawn by the count; with no plies passed it is a {value}.)"
        );
    }
    let _ = match answer.no_capture_limit {
        None => writeln!(text, "No number of plies without a capture ends the game."),
        Some(limit) => writeln!(
            text,
            "{} of {limit} plies without a capture have passed.",
            answer.since
        ),
    };
    if answer.moves.is_empty() {
        let _ = writeln!(text, "The game is over.");
        return text;
    }
    text.push('\n');
    let width = answer.moves.iter().map(|m| m.text.len()).max().unwrap_or(0);
    for turn in &answer.moves {
        let worth = match &turn.missing {
            Some(sector) => format!("unknown: sector {sector} is missing"),
            None => verdict(turn.value, turn.capture_within),
        };
        let _ = writeln!(text, "  {:<width$}  {worth}", turn.text);
    }
    if let Some(line) = &answer.line {
        let _ = match line.is_empty() {
            true => writeln!(text, "\nNo best line: it is known for decided positions."),
            false => writeln!(text, "\nBest line: {}", line.join(" ")),
        };
    }
    text
}

fn verdict(value: &str, within: Option<u16>) -> String {
    match within {
        None => value.to_owned(),
        Some(0) => format!("{value}, the game is over"),
        Some(1) => format!("{value}, next capture within 1 ply"),
        Some(plies) => format!("{value}, next capture within {plies} plies"),
    }
}
