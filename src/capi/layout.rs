//! What C programs read: structures as the header declares them, texts as arrays that end with a NUL.

use std::ffi::c_char;

use super::guard::Fault;
use super::*;
use crate::answer::{Continuation, PositionAnswer, Word, Worth};

/// What is wrong: `millbase_error`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Error {
    /// What the function returned.
    pub code: i32,
    /// The field of the position text at fault, from 1, or 0.
    pub field: u32,
    /// The character of the position text at fault, from 1, or 0.
    pub character: u32,
    /// A sentence for people.
    pub message: [c_char; MILLBASE_MESSAGE_SIZE],
}

/// What a position is worth to the side to move: `millbase_answer`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Answer {
    /// One of [`MILLBASE_UNKNOWN`], [`MILLBASE_LOSS`], [`MILLBASE_DRAW`], [`MILLBASE_WIN`].
    pub value: i32,
    /// 1 if `plies` counts, else 0.
    pub has_plies: i32,
    /// Plies to the end of the game.
    pub plies: i32,
    /// [`MILLBASE_WHITE`] or [`MILLBASE_BLACK`].
    pub side: i32,
    /// The sector that is missing where the value is unknown.
    pub missing: [c_char; MILLBASE_SECTOR_SIZE],
    /// The position as a text with 17 fields.
    pub position: [c_char; MILLBASE_POSITION_SIZE],
}

/// A turn and what it is worth to the player who makes it: `millbase_turn`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Turn {
    /// One of [`MILLBASE_UNKNOWN`], [`MILLBASE_LOSS`], [`MILLBASE_DRAW`], [`MILLBASE_WIN`].
    pub value: i32,
    /// 1 if `plies` counts, else 0.
    pub has_plies: i32,
    /// Plies to the end of the game, this turn counted.
    pub plies: i32,
    /// The sector that is missing where the value is unknown.
    pub missing: [c_char; MILLBASE_SECTOR_SIZE],
    /// The turn.
    pub r#move: [c_char; MILLBASE_MOVE_SIZE],
    /// The position after it, the opponent to move.
    pub position: [c_char; MILLBASE_POSITION_SIZE],
}

impl Error {
    /// That nothing is wrong.
    pub(super) const NONE: Error = Error {
        code: MILLBASE_OK,
        field: 0,
        character: 0,
        message: [0; MILLBASE_MESSAGE_SIZE],
    };

    pub(super) fn of(fault: &Fault) -> Error {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (field, character) = fault.place.unwrap_or_default();
        Error {
            code: fault.code,
            field: number(field),
            character: number(character),
            message: cut(&fault.message),
        }
    }
}

impl Answer {
    /// Nothing known.
    pub(super) const NONE: Answer = Answer {
        value: MILLBASE_UNKNOWN,
        has_plies: 0,
        plies: 0,
        side: 0,
        missing: [0; MILLBASE_SECTOR_SIZE],
        position: [0; MILLBASE_POSITION_SIZE],
    };

    pub(super) fn of(answer: &PositionAnswer) -> Result<Answer, Fault> {
        let worth = &answer.worth;
        Ok(Answer {
            value: value(worth.value),
            has_plies: worth.plies.is_some().into(),
            plies: worth.plies.unwrap_or(0).into(),
            side: match answer.side.as_ref() {
                "white" => MILLBASE_WHITE,
                _ => MILLBASE_BLACK,
            },
            missing: missing(worth)?,
            position: whole(&answer.position)?,
        })
    }
}

impl Turn {
    pub(super) fn of(continuation: &Continuation) -> Result<Turn, Fault> {
        let worth = &continuation.turn.worth;
        Ok(Turn {
            value: value(worth.value),
            has_plies: worth.plies.is_some().into(),
            plies: worth.plies.unwrap_or(0).into(),
            missing: missing(worth)?,
            r#move: whole(&continuation.turn.text)?,
            position: whole(&continuation.position)?,
        })
    }
}

fn value(word: Word) -> i32 {
    match word {
        Word::Unknown => MILLBASE_UNKNOWN,
        Word::Loss => MILLBASE_LOSS,
        Word::Draw => MILLBASE_DRAW,
        Word::Win => MILLBASE_WIN,
    }
}

fn missing(worth: &Worth) -> Result<[c_char; MILLBASE_SECTOR_SIZE], Fault> {
    whole(worth.missing.as_deref().unwrap_or_default())
}

/// A text that must not be cut: half a turn would be another. Only a board whose points have very long names
/// has such turns.
fn whole<const SIZE: usize>(text: &str) -> Result<[c_char; SIZE], Fault> {
    if text.len() >= SIZE {
        return Err(Fault::database(&format!(
            "`{text}` is longer than {} bytes, the most that the C interface takes",
            SIZE - 1
        )));
    }
    Ok(cut(text))
}

/// As much of a text as there is room for, in whole characters, up to the first NUL.
pub(super) fn cut<const SIZE: usize>(text: &str) -> [c_char; SIZE] {
    let mut bytes = [0; SIZE];
    let end = text.floor_char_boundary(SIZE.saturating_sub(1));
    for (byte, &from) in bytes.iter_mut().zip(&text.as_bytes()[..end]) {
        *byte = from as c_char;
    }
    bytes
}
