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
//! texts. Fields 11 to 17 say nothing about the value of a position: they must be numbers and are
//! otherwise not looked at, and old texts may leave them out.

use thiserror::Error;

use super::possible::impossibility;
use super::{ReadPosition, character_of, men, side_name};
use crate::game::{Board, Placing, PointSet, Position, Side, Variant};

/// The word that stands for the empty board with all men in hand.
const START: &str = "start";

/// The fewest and the most fields in use.
const FIELDS: std::ops::RangeInclusive<usize> = 12..=17;

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
        "a position text has at least {} fields, this one has {found}; \
         the word `{START}` stands for the start position",
        FIELDS.start()
    )]
    Fields {
        /// The number of fields found.
        found: usize,
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
        /// What is wrong.
        problem: String,
    },
    /// Every field can be read, but no game leads there.
    #[error("impossible position: {reason}")]
    Impossible {
        /// Why.
        reason: String,
    },
}

/// Reads a position text of 12 to 17 fields, with or without `ids:nodes`, or the word `start`.
///
/// # Errors
/// The text cannot be read, contradicts itself, or describes numbers of men that no game of the
/// variant leads to.
pub fn read_position(variant: &Variant, text: &str) -> Result<ReadPosition, PositionError> {
    if text.trim() == START {
        return Ok(variant.start().into());
    }
    let fields = Fields::split(text)?;
    let (white, black) = fields.board(&variant.board)?;
    let side = fields.side()?;
    fields.phase_and_action()?;
    let white_hand = fields.men(variant, Side::White, white)?;
    let black_hand = fields.men(variant, Side::Black, black)?;
    let as_white = Position {
        mover: white,
        opponent: black,
        mover_hand: white_hand,
        opponent_hand: black_hand,
        side: Side::White,
    };
    let position = match side {
        Side::White => as_white,
        Side::Black => as_white.swapped(),
    };
    fields.phase_fits(variant, &position)?;
    let read = ReadPosition {
        position,
        removals_due: fields.removals_due(variant, &position)?,
    };
    match impossibility(variant, &read) {
        Some(reason) => Err(PositionError::Impossible { reason }),
        None => Ok(read),
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
    let groups = variant.board.text_order().iter().map(|group| {
        let man = |&point: &usize| match (white.mover >> point & 1, white.opponent >> point & 1) {
            (0, 0) => '*',
            (0, _) => '@',
            _ => 'O',
        };
        group.iter().map(man).collect::<String>()
    });
    let board = groups.collect::<Vec<_>>().join("/");
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
    let phase = if p.mover_hand + p.opponent_hand > 0 {
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

/// The fields of a text, with the text for saying where they are.
struct Fields<'a> {
    text: &'a str,
    fields: Vec<&'a str>,
}

impl<'a> Fields<'a> {
    /// Cuts the text into fields. Checks those that carry no information here.
    fn split(text: &'a str) -> Result<Fields<'a>, PositionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_extra = |word: &&str| word.contains(':');
        let count = words.iter().position(is_extra).unwrap_or(words.len());
        if count < *FIELDS.start() {
            return Err(PositionError::Fields { found: count });
        }
        let (fields, extras) = words.split_at(count);
        let all = Fields {
            text,
            fields: fields.to_vec(),
        };
        for (i, field) in fields.iter().enumerate().skip(10) {
            if field.parse::<i64>().is_err() && field.parse::<u64>().is_err() {
                return Err(all.error(i + 1, 0, format!("`{field}` is not a number")));
            }
        }
        for (i, extra) in extras.iter().enumerate() {
            check_extra(extra).map_err(|problem| PositionError::Field {
                field: count + i + 1,
                name: "an addition",
                character: character_of(text, extra),
                problem,
            })?;
        }
        Ok(all)
    }

    /// An error in field `field` (from 1), `skip` characters after its start.
    fn error(&self, field: usize, skip: usize, problem: impl Into<String>) -> PositionError {
        let token = self.fields.get(field - 1).copied().unwrap_or(self.text);
        PositionError::Field {
            field,
            name: NAMES.get(field - 1).copied().unwrap_or("an extra field"),
            character: character_of(self.text, token) + skip,
            problem: problem.into(),
        }
    }

    /// Field 1: the men of White and of Black.
    fn board(&self, board: &Board) -> Result<(PointSet, PointSet), PositionError> {
        let order = board.text_order();
        let expected = order.iter().map(|group| group.len().to_string());
        let shape = expected.collect::<Vec<_>>().join("/");
        let groups: Vec<&str> = self.fields[0].split('/').collect();
        if groups.len() != order.len() {
            let problem = format!(
                "{} groups instead of {} ({shape})",
                groups.len(),
                order.len()
            );
            return Err(self.error(1, 0, problem));
        }
        let (mut white, mut black, mut at) = (0, 0, 0);
        for (i, (text, group)) in groups.iter().zip(order).enumerate() {
            let length = text.chars().count();
            if length != group.len() {
                let problem = format!("group {} has {length} points, not {}", i + 1, group.len());
                return Err(self.error(1, at, problem));
            }
            for (man, &point) in text.chars().zip(group) {
                match man {
                    'O' => white |= 1 << point,
                    '@' => black |= 1 << point,
                    '*' => {}
                    other => return Err(self.error(1, at, unknown_man(other))),
                }
                at += 1;
            }
            at += 1;
        }
        Ok((white, black))
    }

    /// Field 2.
    fn side(&self) -> Result<Side, PositionError> {
        match self.fields[1] {
            "w" => Ok(Side::White),
            "b" => Ok(Side::Black),
            other => Err(self.error(2, 0, format!("`{other}` is neither w nor b"))),
        }
    }

    /// Fields 3 and 4. Programs disagree on how they belong together, so each is checked alone.
    fn phase_and_action(&self) -> Result<(), PositionError> {
        if !["r", "p", "m", "o", "n"].contains(&self.fields[2]) {
            let problem = format!("`{}` is none of r, p, m, o", self.fields[2]);
            return Err(self.error(3, 0, problem));
        }
        if !["p", "s", "r", "?"].contains(&self.fields[3]) {
            let problem = format!("`{}` is none of p, s, r, ?", self.fields[3]);
            return Err(self.error(4, 0, problem));
        }
        Ok(())
    }

    /// Fields 5 to 8: checks a side's men on the board and returns those in hand.
    fn men(&self, variant: &Variant, side: Side, found: PointSet) -> Result<u8, PositionError> {
        let (field, name) = match side {
            Side::White => (5, "White"),
            Side::Black => (7, "Black"),
        };
        let on_board = self.number(field, 0)?;
        let found = i64::from(found.count_ones());
        if on_board != found {
            let problem = format!("{on_board}, but field 1 shows {found}");
            return Err(self.error(field, 0, problem));
        }
        let in_hand = self.number(field + 1, 0)?;
        let all = i64::from(variant.rules.men);
        // `in_hand` can be any number, so nothing is added to it.
        if in_hand > all - on_board {
            let problem = format!(
                "{in_hand} in hand and {on_board} on the board are more than the {all} men of {name}"
            );
            return Err(self.error(field + 1, 0, problem));
        }
        Ok(in_hand as u8)
    }

    fn number(&self, field: usize, least: i64) -> Result<i64, PositionError> {
        let text = self.fields[field - 1];
        match text.parse::<i64>() {
            Ok(number) if number >= least => Ok(number),
            Ok(number) => Err(self.error(field, 0, format!("{number} is less than {least}"))),
            Err(_) => Err(self.error(field, 0, format!("`{text}` is not a number"))),
        }
    }

    /// A moving phase does not go with men in hand that must be placed first.
    fn phase_fits(&self, variant: &Variant, p: &Position) -> Result<(), PositionError> {
        let must_place = variant.rules.placing == Placing::PlaceOnly && p.mover_hand > 0;
        if self.fields[2] == "m" && self.fields[3] != "r" && must_place {
            let problem = format!(
                "the phase is moving, but {} still has {} in hand",
                side_name(p.side),
                men(p.mover_hand.into())
            );
            return Err(self.error(3, 0, problem));
        }
        Ok(())
    }

    /// Fields 9 and 10 with field 4: how many men the side to move has to take.
    fn removals_due(&self, variant: &Variant, p: &Position) -> Result<u8, PositionError> {
        let (own, other) = match p.side {
            Side::White => (9, 10),
            Side::Black => (10, 9),
        };
        let (due, theirs) = (self.number(own, i64::MIN)?, self.number(other, i64::MIN)?);
        let most = i64::from(variant.rules.most_captures());
        let side = side_name(p.side);
        if due < 0 || theirs < 0 {
            let field = if due < 0 { own } else { other };
            return Err(self.error(field, 0, "no rule here makes a side take its own men"));
        }
        if theirs > 0 {
            let problem = format!("it is {side}'s turn, so only {side} can have men to take");
            return Err(self.error(other, 0, problem));
        }
        if due > most {
            let problem = format!("a turn takes at most {} in this game", men(most as u32));
            return Err(self.error(own, 0, problem));
        }
        match (self.fields[3], due) {
            // Some programs write the action alone.
            ("r", 0) if most > 0 => Ok(1),
            ("r", 0) => Err(self.error(4, 0, "no men are taken in this game")),
            ("r", due) => Ok(due as u8),
            (_, 0) => Ok(0),
            (action, due) => {
                let due = men(due as u32);
                let problem =
                    format!("{side} has {due} to take, but field 4 says `{action}`, not `r`");
                Err(self.error(own, 0, problem))
            }
        }
    }
}

fn unknown_man(man: char) -> String {
    match man {
        'X' => "`X` marks a man to be taken later, which no rule here does".to_owned(),
        other => format!("`{other}` is none of O (White), @ (Black), * (empty)"),
    }
}

/// Additions after the numbered fields: only those that change nothing are accepted.
fn check_extra(extra: &str) -> Result<(), String> {
    match extra.split_once(':') {
        Some(("ids", "nodes")) | Some(("p", _)) => Ok(()),
        Some(("c" | "i" | "l", _)) => Err(format!(
            "`{extra}` is about captures without a mill, which no rule here makes"
        )),
        Some(("s", _)) => Err(format!(
            "`{extra}` is about captures by a blocked side, which no rule here makes"
        )),
        _ => Err(format!("`{extra}` is not known")),
    }
}
