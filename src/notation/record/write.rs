//! Games as PGN and as lists of turns.

use super::{FEN_TAG, GameRecord};
use crate::game::{Side, Variant};
use crate::notation::{Notation, Style, write_position};
use crate::value::Outcome;

/// Something said of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The number of a glyph: `$2` is a mistake, `$4` a blunder.
    pub glyph: Option<u8>,
    /// What is said; may be empty.
    pub text: String,
}

/// The tags that every PGN has, with what stands for an unknown value.
const ROSTER: [(&str, &str); 5] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("White", "?"),
    ("Black", "?"),
];

/// Tags that are made from the game itself.
const OWN: [&str; 5] = ["Result", "Variant", "PlyCount", "SetUp", FEN_TAG];

/// Columns of a line at most.
const WIDTH: usize = 80;

/// Writes a game as PGN, turns in labels, with a note for each turn or none at all.
pub fn write_pgn(variant: &Variant, game: &GameRecord, notes: &[Note]) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // A tag is one line.
        text += &format!("[{name} \"{}\"]\n", value.replace(['\n', '\r'], " "));
    };
    for (name, unknown) in ROSTER {
        tag(name, game.tag(name).unwrap_or(unknown));
    }
    let result = result(variant, game);
    tag("Result", &result);
    tag("Variant", game.tag("Variant").unwrap_or(&variant.id));
    tag("PlyCount", &game.turns.len().to_string());
    if game.start != variant.start().into() {
        tag("SetUp", "1");
        tag(FEN_TAG, &write_position(variant, &game.start));
    }
    let is_other = |name: &str| ROSTER.iter().all(|(known, _)| *known != name);
    for (name, value) in &game.tags {
        if is_other(name) && !OWN.contains(&name.as_str()) {
            tag(name, value);
        }
    }
    let mut words = Vec::new();
    words.extend(comment(&game.remark));
    words.extend(turns(variant, game, notes));
    words.push(result);
    text + "\n" + &wrapped(&words)
}

/// Writes the turns of a game alone, on one line, with the number of each pair before it or without.
pub fn write_list(variant: &Variant, game: &GameRecord, style: Style, numbered: bool) -> String {
    let notation = Notation::new(&variant.board, style);
    let mut words = Vec::new();
    for (i, turn) in game.turns.iter().enumerate() {
        words.extend(number(game, i).filter(|_| numbered));
        words.push(notation.write(turn.played.choice));
    }
    words.join(" ")
}

impl GameRecord {
    /// The number before turn `i`, from 0: `6.` of White, `6...` of Black.
    pub fn number(&self, i: usize) -> String {
        let black_began = self.start.position.side == Side::Black;
        let pair = (i + usize::from(black_began)) / 2 + 1;
        let dots = if i.is_multiple_of(2) == black_began {
            "..."
        } else {
            "."
        };
        format!("{pair}{dots}")
    }
}

/// The number where it is written: before White's turns, and before the first of all.
fn number(game: &GameRecord, i: usize) -> Option<String> {
    let side = game.turns[i].played.before.position.side;
    (i == 0 || side == Side::White).then(|| game.number(i))
}

fn turns(variant: &Variant, game: &GameRecord, notes: &[Note]) -> Vec<String> {
    let notation = Notation::new(&variant.board, Style::Labels);
    let mut words = Vec::new();
    for (i, turn) in game.turns.iter().enumerate() {
        words.extend(number(game, i));
        words.push(notation.write(turn.played.choice));
        let note = notes.get(i);
        let glyph = note.and_then(|note| note.glyph);
        words.extend(glyph.map(|glyph| format!("${glyph}")));
        words.extend(comment(&turn.remark));
        words.extend(note.and_then(|note| comment(&note.text)));
    }
    words
}

/// A remark in its brackets, which it cannot hold itself.
fn comment(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| format!("{{{}}}", text.replace(['{', '}'], "")))
}

/// How the game ended, by the rules if they say so.
fn result(variant: &Variant, game: &GameRecord) -> String {
    let end = game.end(variant);
    let by_rules = variant.ending(&end.position).map(|outcome| {
        let white = match end.position.side {
            Side::White => outcome,
            Side::Black => outcome.reversed(),
        };
        match white {
            Outcome::Win => "1-0",
            Outcome::Loss => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    });
    let by_text = game.result.as_deref().or_else(|| game.tag("Result"));
    by_rules.or(by_text).unwrap_or("*").to_owned()
}

/// Words in lines; blanks inside a word may break as well.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words.iter().flat_map(|word| word.split_whitespace()) {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += width;
    }
    text + "\n"
}
