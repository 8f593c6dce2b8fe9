//! Whole games as texts: tags, turns, remarks.
//!
//! One reader takes every form in use, with points named in any [`Style`]:
//!
//! ```text
//! [White "Anna"]                          | White | Black |
//! 1. d6 f4 {so far so good} 2. b4         | 1     | 4     |
//!    d6 f4 b4 g4                          | 14 M (mill), takes 20 | 20 (has to) |
//! 1. 5 14 2. 11 15                        a PGN, a plain list, numbers, a table
//! ```
//!
//! * Tags, `{remarks}`, `; remarks`, `$` glyphs, `!` and `?` are those of PGN, a text form for chess games.
//!   Variations in brackets are skipped. Move numbers may be there or not.
//! * A text with lines that begin with `|` is a table: the first word of a cell is the turn, further points are
//!   the men it takes, all else is a remark. Lines between the rows are remarks as well.
//! * A file may hold several games: tags after turns, or turns after a result, begin another.

mod words;
mod write;

use thiserror::Error;

use super::grammar::{Notation, Style};
use super::play::{Played, Player};
use super::reader::read_position;
use super::turns::TurnProblem;
use super::{PositionError, ReadPosition, quoted};
use crate::game::Variant;
use words::{Item, Items};

pub use write::{Note, write_list, write_pgn};

/// The tag that holds the position a game begins in.
const FEN_TAG: &str = "FEN";

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Names and values, in their order.
    pub tags: Vec<(String, String)>,
    /// What is said before the first turn; may be empty.
    pub remark: String,
    /// Where the game begins.
    pub start: ReadPosition,
    /// The turns.
    pub turns: Vec<RecordedTurn>,
    /// How the turns were written.
    pub style: Style,
    /// The result at the end of the turns, such as `1-0`.
    pub result: Option<String>,
}

/// A turn of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTurn {
    /// What was done and where.
    pub played: Played,
    /// What is said of it; may be empty.
    pub remark: String,
}

/// Why a text is not a game of the variant, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, character {character}: {problem}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub character: usize,
    /// What is wrong there.
    pub problem: RecordProblem,
}

/// What is wrong with the text of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordProblem {
    /// A turn that is none, or not a legal one.
    #[error("move `{}`: {problem}", quoted(.token))]
    Turn {
        /// The turn as it was written.
        token: String,
        /// What is wrong with it.
        problem: TurnProblem,
    },
    /// The position that a tag gives is none.
    #[error("the tag FEN: {0}")]
    Position(PositionError),
    /// A tag that is not of the form `[Name "value"]`.
    #[error("a tag looks like [White \"Anna\"]")]
    Tag,
    /// A bracket that does not end.
    #[error("`{0}` is never closed")]
    Open(char),
    /// There is nothing to read.
    #[error("there is no game here")]
    Empty,
}

impl GameRecord {
    /// A game without tags.
    pub fn new(start: ReadPosition, turns: Vec<RecordedTurn>) -> GameRecord {
        GameRecord {
            tags: Vec::new(),
            remark: String::new(),
            start,
            turns,
            style: Style::Labels,
            result: None,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Adds what is said after the last turn.
    fn say(&mut self, text: &str) {
        let remark = match self.turns.last_mut() {
            Some(turn) => &mut turn.remark,
            None => &mut self.remark,
        };
        if !remark.is_empty() {
            remark.push(' ');
        }
        remark.push_str(text);
    }

    /// The position after the last turn.
    pub fn end(&self, variant: &Variant) -> ReadPosition {
        let last = self.turns.last();
        last.map_or(self.start, |turn| {
            let Played { before, choice } = turn.played;
            variant.after(&before.position, choice).into()
        })
    }
}

/// Reads all games of a text.
///
/// # Errors
/// The first thing that is not part of a game, or not legal, and where it stands.
pub fn read_records(variant: &Variant, text: &str) -> Result<Vec<GameRecord>, RecordError> {
    read_records_from(variant, &variant.start().into(), text)
}

/// The same, where games without a tag that says otherwise begin in a given position.
///
/// # Errors
/// As there.
pub fn read_records_from(
    variant: &Variant,
    start: &ReadPosition,
    text: &str,
) -> Result<Vec<GameRecord>, RecordError> {
    let fail = |(at, problem): (usize, RecordProblem)| {
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        RecordError {
            line: before.matches('\n').count() + 1,
            character: before[line_start..].chars().count() + 1,
            problem,
        }
    };
    let items = words::split(&variant.board, text).map_err(fail)?;
    let games = separate(&items);
    if games.is_empty() {
        return Err(fail((0, RecordProblem::Empty)));
    }
    let read = |game: &[(usize, Item)]| read_game(variant, start, game).map_err(fail);
    games.into_iter().map(read).collect()
}

/// Cuts a text into games.
fn separate<'i, 't>(items: &'i Items<'t>) -> Vec<&'i [(usize, Item<'t>)]> {
    let (mut games, mut start) = (Vec::new(), 0);
    let (mut moved, mut over) = (false, false);
    for (i, (_, item)) in items.iter().enumerate() {
        let another = match item {
            Item::Tag(..) => moved || over,
            Item::Word(_) => over,
            _ => false,
        };
        if another {
            games.push(&items[start..i]);
            (start, moved, over) = (i, false, false);
        }
        moved |= matches!(item, Item::Word(_));
        over |= matches!(item, Item::Result(_));
    }
    let is_game = |(_, item): &(usize, Item)| !matches!(item, Item::Remark(_));
    if items[start..].iter().any(is_game) {
        games.push(&items[start..]);
    }
    games
}

type Fault = (usize, RecordProblem);

fn read_game(
    variant: &Variant,
    otherwise: &ReadPosition,
    items: &[(usize, Item)],
) -> Result<GameRecord, Fault> {
    let words = items.iter().filter_map(|(_, item)| match item {
        Item::Word(word) => Some(*word),
        _ => None,
    });
    let notation = Notation::of_words(&variant.board, words);
    let mut game = GameRecord {
        style: notation.style(),
        ..GameRecord::new(start(variant, otherwise, items)?, Vec::new())
    };
    let mut player = Player::new(variant, &notation, game.start);
    // What is said between a step and the man it takes belongs to the turn that is not complete yet.
    let (mut last, mut said) = (None, Vec::new());
    for (at, item) in items {
        let fail = |token: &str, problem| {
            let token = token.to_owned();
            (*at, RecordProblem::Turn { token, problem })
        };
        let played = match item {
            Item::Word(word) => {
                last = Some((*at, *word));
                player.play(word).map_err(|problem| fail(word, problem))?
            }
            Item::More(name) if notation.point(name).is_some() => player
                .take_at(name)
                .map_err(|problem| fail(name, problem))?,
            Item::More(remark) | Item::Remark(remark) => {
                said.push(*remark);
                None
            }
            Item::Tag(name, value) => {
                game.tags.push(((*name).to_owned(), value.clone()));
                None
            }
            Item::Result(result) => {
                game.result = Some((*result).to_owned());
                None
            }
        };
        game.turns.extend(played.map(|played| RecordedTurn {
            played,
            remark: String::new(),
        }));
        if player.now().removals_due == 0 {
            said.drain(..).for_each(|remark| game.say(remark));
        }
    }
    match (player.unfinished(), last) {
        (Some(problem), Some((at, word))) => {
            let token = word.to_owned();
            Err((at, RecordProblem::Turn { token, problem }))
        }
        _ => Ok(game),
    }
}

fn start(
    variant: &Variant,
    otherwise: &ReadPosition,
    items: &[(usize, Item)],
) -> Result<ReadPosition, Fault> {
    let given = items.iter().find_map(|(at, item)| match item {
        Item::Tag(FEN_TAG, value) => Some((*at, value)),
        _ => None,
    });
    given.map_or(Ok(*otherwise), |(at, value)| {
        let read = read_position(variant, value);
        read.map_err(|error| (at, RecordProblem::Position(error)))
    })
}
