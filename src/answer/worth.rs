//! What something is worth, as one word and a number.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::database::{Contents, Database};
use crate::probe::Answer;
use crate::value::Outcome;

/// Win, draw or loss for the one who is asked about, or that it cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// The side to move, or the one who makes the turn, wins.
    Win,
    /// Neither side can force a win.
    Draw,
    /// The side to move, or the one who makes the turn, loses.
    Loss,
    /// The database lacks a sector without which it cannot be told.
    Unknown,
}

/// What a position is worth to the side to move, or a turn to the one who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Worth {
    /// The result of best play.
    pub value: Word,
    /// Turns of one side to the end of the game, captures included, when the winner hurries and the loser
    /// resists. Null for draws, and where the database has no distances.
    pub plies: Option<u16>,
    /// The sector that is missing where the value is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl Worth {
    /// The answer of a database.
    pub fn of(database: &Database, answer: Answer) -> Worth {
        // Next to the end of a game the rules alone tell the distance. Without distances elsewhere it would
        // look as if other wins were of another kind.
        let has_distances = database.contents() == Contents::Distances;
        match answer {
            Answer::Known(probed) => Worth {
                value: probed.outcome.into(),
                plies: probed.plies.filter(|_| has_distances),
                missing: None,
            },
            Answer::Unknown(sector) => Worth {
                value: Word::Unknown,
                plies: None,
                missing: Some(sector.to_string()),
            },
        }
    }
}

impl From<Outcome> for Word {
    fn from(outcome: Outcome) -> Word {
        match outcome {
            Outcome::Win => Word::Win,
            Outcome::Draw => Word::Draw,
            Outcome::Loss => Word::Loss,
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Word::Win => "win",
            Word::Draw => "draw",
            Word::Loss => "loss",
            Word::Unknown => "unknown",
        })
    }
}

impl fmt::Display for Worth {
    /// `win in 5 plies`, `draw`, `unknown: sector 3-4 is missing`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.plies, &self.missing) {
            (_, Some(sector)) => write!(f, "unknown: sector {sector} is missing"),
            (Some(1), None) => write!(f, "{} in 1 ply", self.value),
            (Some(plies), None) => write!(f, "{} in {plies} plies", self.value),
            (None, None) => write!(f, "{}", self.value),
        }
    }
}
