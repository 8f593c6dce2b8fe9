//! Position texts in the form of Sanmill's FEN.
//!
//! ```text
//! ********/@***O***/******** w p p 1 8 1 8 0 0 -1 -1 -1 -1 0 0 2 ids:nodes
//! |                          | | | |   |   |   |           | | |
//! board: O White,            | | | |   |   |   last mills  | | move number
//! @ Black, * empty,          | | | |   |   men to take     | plies since a man was taken
//! inner/middle/outer ring    | | | |   Black: board, hand  mills
//!                         side | | White: board, hand
//!                          phase action
//! ```
//!
//! The groups of the first field are those of the board's text order, so every board has such
//! texts. Fields 11 to 17 say nothing about the value of a position. Old texts leave some of them out, and
//! then the others must be numbers. Where all are there they must fit the board: with `ids:nodes` points have
//! numbers from 0 in the order of the first field, and without it from 8.

use thiserror::Error;

use super::fields::{Fields, Letters};
use super::possible::{About, Reached, impossibility, men_in_hand};
use super::{ReadPosition, character_of, men, quoted, side_name};
use crate::game::{Placing, PointSet, Position, Side, Variant};

/// The fewest and the most fields in use.
const FIELDS: std::ops::RangeInclusive<usize> = 12..=17;

/// Says that points are numbered from 0.
const NODES: &str = "ids:nodes";

/// The number of the first point in texts that do not say so.
const FIRST_SQUARE: i64 = 8;

const LETTERS: Letters = Letters {
    white: 'O',
    black: '@',
    empty: '*',
    refused: &[(
        'X',
        "marks a man to be taken later, which no rule here does",
    )],
};

/// What each field is, for errors.
const NAMES: [&str; 17] = [
    "the board",
    "the side to move",
    "the phase",
    "the action",
    "White men on the board",
    "White men in hand",
    "Black men on the board",
    "Black men in hand",
    "men White must take",
    "men Black must take",
    "White's last mill, from",
    "White's last mill, to",
    "Black's last mill, from",
    "Black's last mill, to",
    "the mills formed",
    "plies since a man was taken",
    "the move number",
];

/// Why a text is not a position of the variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Too few fields.
    #[error(
        "a position text has at least {least} fields, this one has {found}; \
         the word `start` stands for the start position"
    )]
    Fields {
        /// The number of fields found.
        found: usize,
        /// The fewest in this form of text.
        least: usize,
        /// Where in the text the next field should be: the number of a character, from 1.
        character: usize,
    },
    /// A field cannot be read or contradicts another.
    #[error("field {field} ({name}), character {character}: {problem}")]
    Field {
        /// The number of the field, from 1.
        field: usize,
        /// What the field is.
        name: &'static str,
        /// Where in the text the fault is: the number of a character, from 1.
        character: usize,
        /// Whether it is the text that is at fault.
        fault: FieldFault,
        /// What is wrong.
        problem: String,
    },
    /// Every field can be read, but no game leads there.
    #[error("impossible position: field {field}, character {character}: {reason}")]
    Impossible {
        /// The number of a field that shows it, from 1; another field may be the wrong one.
        field: usize,
        /// Where in the text that field is: the number of a character, from 1.
        character: usize,
        /// Why.
        reason: String,
    },
}

/// What makes a field of a position text wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldFault {
    /// It cannot be read, or contradicts another.
    Text,
    /// It can be read, but the game does not have so many men.
    Game,
}

impl PositionError {
    /// The number of the field at fault and of the character, both from 1. A field that is missing is the one
    /// after the last.
    pub fn place(&self) -> (usize, usize) {
        match *self {
            PositionError::Fields {
                found, character, ..
            } => (found + 1, character),
            PositionError::Field {
                field, character, ..
            }
            | PositionError::Impossible {
                field, character, ..
            } => (field, character),
        }
    }
}

/// Reads a position text of 12 fields or more, with or without `ids:nodes`.
pub(super) fn read(
    variant: &Variant,
    reached: &Reached,
    text: &str,
) -> Result<ReadPosition, PositionError> {
    let fields = split(variant, text)?;
    let (white, black) = fields.men(1, variant.board.text_order(), LETTERS)?;
    let side = [Side::White, Side::Black][fields.word(2, &["w", "b"])?];
    // Programs disagree on how these two belong together, so each is checked alone.
    fields.word(3, &["r", "p", "m", "o", "n"])?;
    fields.word(4, &["p", "s", "r", "?"])?;
    let as_white = Position {
        mover: white,
        opponent: black,
        mover_hand: in_hand(&fields, variant, Side::White, white)?,
        opponent_hand: in_hand(&fields, variant, Side::Black, black)?,
        side: Side::White,
    };
    let position = match side {
        Side::White => as_white,
        Side::Black => as_white.swapped(),
    };
    phase_fits(&fields, variant, &position)?;
    let read = ReadPosition {
        position,
        removals_due: removals_due(&fields, variant, &position)?,
    };
    match impossibility(variant, reached, &read) {
        Some((about, reason)) => Err(fields.impossible(field_of(&fields, about), reason)),
        None => Ok(read),
    }
}

/// The field that shows why a position is impossible.
fn field_of(fields: &Fields, about: About) -> usize {
    match about {
        // The action alone may say that there is a man to take.
        About::ToTake(_) if fields.get(9) == fields.get(10) => 4,
        About::ToTake(Side::White) => 9,
        About::ToTake(Side::Black) => 10,
        About::OnBoard(Side::White) => 5,
        About::InHand(Side::White) => 6,
        About::OnBoard(Side::Black) => 7,
        About::InHand(Side::Black) => 8,
    }
}

/// Writes a position with all 17 fields and `ids:nodes`. The history, which the values do not
/// depend on, is written as that of a fresh position.
pub fn write_position(variant: &Variant, read: &ReadPosition) -> String {
    let p = &read.position;
    let swapped = p.swapped();
    let (white, side) = match p.side {
        Side::White => (p, 'w'),
        Side::Black => (&swapped, 'b'),
    };
    let board = LETTERS.write((white.mover, white.opponent), variant.board.text_order());
    let (phase, action) = phase_and_action(variant, read);
    let (white_due, black_due) = match p.side {
        Side::White => (read.removals_due, 0),
        Side::Black => (0, read.removals_due),
    };
    format!(
        "{board} {side} {phase} {action} {} {} {} {} {white_due} {black_due} -1 -1 -1 -1 0 0 1 ids:nodes",
        white.mover.count_ones(),
        white.mover_hand,
        white.opponent.count_ones(),
        white.opponent_hand,
    )
}

fn phase_and_action(variant: &Variant, read: &ReadPosition) -> (char, char) {
    let p = &read.position;
    let phase = if p.mover_hand > 0 || p.opponent_hand > 0 {
        'p'
    } else {
        'm'
    };
    match () {
        () if read.removals_due > 0 => (phase, 'r'),
        () if variant.ending(p).is_some() => ('o', '?'),
        () if p.mover_hand > 0 => (phase, 'p'),
        () => (phase, 's'),
    }
}

/// Cuts a text into fields. Checks those that carry no information here.
fn split<'a>(variant: &Variant, text: &'a str) -> Result<Fields<'a>, PositionError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_extra = |word: &&str| word.contains(':');
    let count = words.iter().position(is_extra).unwrap_or(words.len());
    let (numbered, extras) = words.split_at(count);
    if count < *FIELDS.start() {
        return Err(match extras.first() {
            Some(addition) => early_addition(text, count + 1, addition),
            None => PositionError::Fields {
                found: count,
                least: *FIELDS.start(),
                character: text.chars().count() + 1,
            },
        });
    }
    let fields = Fields::new(text, numbered, &NAMES);
    for field in 11..=count {
        let number = fields.get(field);
        if number.parse::<i64>().is_err() && number.parse::<u64>().is_err() {
            let problem = format!("`{}` is not a number", quoted(number));
            return Err(fields.error(field, 0, problem));
        }
    }
    for (i, extra) in extras.iter().enumerate() {
        check_extra(extra).map_err(|problem| PositionError::Field {
            field: count + i + 1,
            name: "an addition",
            character: character_of(text, extra),
            fault: FieldFault::Text,
            problem,
        })?;
    }
    if count == *FIELDS.end() {
        check_history(&fields, variant, extras.contains(&NODES))?;
    }
    Ok(fields)
}

/// The error for an addition that stands where a field should.
fn early_addition(text: &str, field: usize, addition: &str) -> PositionError {
    PositionError::Field {
        field,
        name: NAMES[field - 1],
        character: character_of(text, addition),
        fault: FieldFault::Text,
        problem: format!(
            "`{}` looks like an addition, which come after {} fields or more",
            quoted(addition),
            FIELDS.start()
        ),
    }
}

/// Fields 11 to 17: the points and mills of the past must be some of the board.
fn check_history(fields: &Fields, variant: &Variant, nodes: bool) -> Result<(), PositionError> {
    let points = variant.board.point_count() as i64;
    let first = if nodes { 0 } else { FIRST_SQUARE };
    for field in 11..=14 {
        let number = fields.number(field, -1)?;
        // Texts without `ids:nodes` say 0 where there is no point, and some say -1.
        let none = number == -1 || !nodes && number == 0;
        if !none && !(first..first + points).contains(&number) {
            let problem = format!(
                "{number} is no point: they are {first} to {}",
                first + points - 1
            );
            return Err(fields.error(field, 0, problem));
        }
    }
    let text = fields.get(15);
    let mills = text
        .parse::<u64>()
        .or(text.parse::<i64>().map(|n| n as u64));
    let all = u64::from(variant.board.all_points()) << first;
    if mills.is_ok_and(|mills| mills & !(all | all << 32) != 0) {
        let problem = format!("{text} has mills on points that the board does not have");
        return Err(fields.error(15, 0, problem));
    }
    fields.number(16, 0)?;
    fields.number(17, 0)?;
    Ok(())
}

/// Fields 5 to 8: checks a side's men on the board and returns those in hand.
fn in_hand(
    fields: &Fields,
    variant: &Variant,
    side: Side,
    found: PointSet,
) -> Result<u8, PositionError> {
    let field = match side {
        Side::White => 5,
        Side::Black => 7,
    };
    let on_board = fields.number(field, 0)?;
    let found = i64::from(found.count_ones());
    if on_board != found {
        let problem = format!("{on_board}, but field 1 shows {found}");
        return Err(fields.error(field, 0, problem));
    }
    let in_hand = fields.number(field + 1, 0)?;
    men_in_hand(variant, side, on_board, in_hand)
        .map_err(|problem| fields.foreign(field + 1, problem))
}

/// A moving phase does not go with men in hand that must be placed first.
fn phase_fits(fields: &Fields, variant: &Variant, p: &Position) -> Result<(), PositionError> {
    let must_place = variant.rules.placing == Placing::PlaceOnly && p.mover_hand > 0;
    if fields.get(3) == "m" && fields.get(4) != "r" && must_place {
        let problem = format!(
            "the phase is moving, but {} still has {} in hand",
            side_name(p.side),
            men(p.mover_hand.into())
        );
        return Err(fields.error(3, 0, problem));
    }
    Ok(())
}

/// Fields 9 and 10 with field 4: how many men the side to move has to take.
fn removals_due(fields: &Fields, variant: &Variant, p: &Position) -> Result<u8, PositionError> {
    let (own, other) = match p.side {
        Side::White => (9, 10),
        Side::Black => (10, 9),
    };
    let (due, theirs) = (
        fields.number(own, i64::MIN)?,
        fields.number(other, i64::MIN)?,
    );
    let most = i64::from(variant.rules.most_captures());
    let side = side_name(p.side);
    if due < 0 || theirs < 0 {
        let field = if due < 0 { own } else { other };
        return Err(fields.error(field, 0, "no rule here makes a side take its own men"));
    }
    if theirs > 0 {
        let both = if due > 0 {
            "both sides have men to take, but "
        } else {
            ""
        };
        let problem = format!("{both}it is {side}'s turn, so only {side} can have men to take");
        return Err(fields.error(other, 0, problem));
    }
    if due > most {
        let problem = format!("a turn takes at most {} in this game", men(most as u32));
        return Err(fields.foreign(own, problem));
    }
    match (fields.get(4), due) {
        // Some programs write the action alone.
        ("r", 0) if most > 0 => Ok(1),
        ("r", 0) => Err(fields.error(4, 0, "no men are taken in this game")),
        ("r", due) => Ok(due as u8),
        (_, 0) => Ok(0),
        (action, due) => {
            let due = men(due as u32);
            let problem = format!("{side} has {due} to take, but field 4 says `{action}`, not `r`");
            Err(fields.error(own, 0, problem))
        }
    }
}

/// Additions after the numbered fields: only those that change nothing are accepted.
fn check_extra(extra: &str) -> Result<(), String> {
    let shown = quoted(extra);
    match extra.split_once(':') {
        Some(("p", _)) => Ok(()),
        _ if extra == NODES => Ok(()),
        Some(("c" | "i" | "l", _)) => Err(format!(
            "`{shown}` is about captures without a mill, which no rule here makes"
        )),
        Some(("s", _)) => Err(format!(
            "`{shown}` is about captures by a blocked side, which no rule here makes"
        )),
        _ => Err(format!("`{shown}` is not known")),
    }
}
