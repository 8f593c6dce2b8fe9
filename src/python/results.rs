//! What Python sees of answers.

use pyo3::prelude::*;

use crate::answer::{Continuation, PositionAnswer};

/// What a position is worth to the side to move.
#[pyclass(frozen, eq, hash, get_all, module = "millbase")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Probed {
    /// "win", "draw" or "loss" for the side to move, or "unknown" where the database lacks a sector.
    value: String,
    /// Turns of one side to the end of the game; None for draws, and where the distance is not known.
    plies: Option<u16>,
    /// The side to move: "white" or "black".
    side: String,
    /// The position as a text with 17 fields.
    position: String,
    /// The sector that is missing where the value is "unknown".
    missing: Option<String>,
}

/// A turn and what it is worth to the player who makes it.
#[pyclass(frozen, eq, hash, module = "millbase")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The turn, such as "d6", "a1-a4" or "f6-f4xd2".
    #[pyo3(get, name = "move")]
    text: String,
    /// "win", "draw" or "loss" for the player who makes it, or "unknown" where the database lacks a sector.
    #[pyo3(get)]
    value: String,
    /// Turns of one side to the end of the game, this one counted; None as in Probed.
    #[pyo3(get)]
    plies: Option<u16>,
    /// The position after it, with the opponent to move.
    #[pyo3(get)]
    position: String,
    /// The sector that is missing where the value is "unknown".
    #[pyo3(get)]
    missing: Option<String>,
}

impl Probed {
    pub fn of(answer: PositionAnswer) -> Probed {
        Probed {
            value: answer.worth.value.to_string(),
            plies: answer.worth.plies,
            side: answer.side.into_owned(),
            position: answer.position,
            missing: answer.worth.missing,
        }
    }
}

impl Turn {
    pub fn of(continuation: Continuation) -> Turn {
        let turn = continuation.turn;
        Turn {
            text: turn.text,
            value: turn.worth.value.to_string(),
            plies: turn.worth.plies,
            position: continuation.position,
            missing: turn.worth.missing,
        }
    }
}

#[pymethods]
impl Probed {
    fn __repr__(&self) -> String {
        format!(
            "Probed(value='{}', plies={}, side='{}', position='{}', missing={})",
            self.value,
            plies(self.plies),
            self.side,
            self.position,
            sector(self.missing.as_deref())
        )
    }
}

#[pymethods]
impl Turn {
    fn __repr__(&self) -> String {
        format!(
            "Turn(move='{}', value='{}', plies={}, position='{}', missing={})",
            self.text,
            self.value,
            plies(self.plies),
            self.position,
            sector(self.missing.as_deref())
        )
    }
}

/// A number as Python writes it.
fn plies(plies: Option<u16>) -> String {
    plies.map_or("None".to_owned(), |plies| plies.to_string())
}

/// A sector as Python writes it.
fn sector(missing: Option<&str>) -> String {
    missing.map_or("None".to_owned(), |sector| format!("'{sector}'"))
}
