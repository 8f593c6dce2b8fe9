//! What a position is worth, and the byte that stores it.
//!
//! A [`Value`] is always *for the side to move* and counts *plies to the end of the game* when the
//! winner hurries and the loser resists. A turn with its removals is one ply.
//!
//! A [`Score`] packs a value into one byte so that the mover's preference is the order of bytes:
//!
//! ```text
//! 0        1    ...  127 | 128  | 129 ...        254          255
//! loss in 0  loss in 2   | draw | ... win in 5   win in 3     win in 1
//! ```
//!
//! so that "best turn" is an unsigned maximum.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of best play, for the side to move. Distances are plies to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this many plies (odd).
    Win(u16),
    /// Neither side can force a win.
    Draw,
    /// The side to move loses in this many plies (even; 0: the game is over).
    Loss(u16),
}

/// Win, draw or loss for the side to move, without a distance. In JSON `win`, `draw` or `loss`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

/// One byte a position: see the module's picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Score(pub u8);

impl Value {
    /// The result without its distance.
    pub fn outcome(self) -> Outcome {
        match self {
            Value::Win(_) => Outcome::Win,
            Value::Draw => Outcome::Draw,
            Value::Loss(_) => Outcome::Loss,
        }
    }

    /// Plies to the end of the game; `None` for a draw.
    pub fn plies(self) -> Option<u16> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    /// What it is worth, to the player who moved, to have moved into a position of this value:
    /// the opposite result, one ply later.
    pub fn before(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies.saturating_add(1)),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies.saturating_add(1)),
        }
    }
}

impl fmt::Display for Value {
    /// `win in 5 plies`, `draw`, `loss in 1 ply`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(1) => write!(f, "{} in 1 ply", self.outcome()),
            Some(plies) => write!(f, "{} in {plies} plies", self.outcome()),
            None => write!(f, "{}", self.outcome()),
        }
    }
}

impl Outcome {
    /// The same result for the other side.
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        }
    }
}

impl fmt::Display for Outcome {
    /// `win`, `draw` or `loss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        })
    }
}

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(128);

    /// The longest distance a score can hold, in plies: a loss in 254. The longest win is in 253.
    pub const MAX_PLIES: u16 = 254;

    /// The score of a value, or `None` if no byte stands for it: a distance above
    /// [`Score::MAX_PLIES`], an even win or an odd loss.
    pub fn from_value(value: Value) -> Option<Score> {
        match value {
            Value::Draw => Some(Score::DRAW),
            Value::Win(plies) if plies % 2 == 1 && plies <= Score::MAX_PLIES => {
                Some(Score(255 - (plies / 2) as u8))
            }
            Value::Loss(plies) if plies % 2 == 0 && plies <= Score::MAX_PLIES => {
                Some(Score((plies / 2) as u8))
            }
            Value::Win(_) | Value::Loss(_) => None,
        }
    }

    /// The value the score stands for. Every byte stands for one.
    pub fn value(self) -> Value {
        match self.0 {
            128 => Value::Draw,
            loss @ 0..128 => Value::Loss(2 * u16::from(loss)),
            win => Value::Win(2 * u16::from(255 - win) + 1),
        }
    }

    /// The result without its distance.
    pub fn outcome(self) -> Outcome {
        match self.0 {
            0..128 => Outcome::Loss,
            128 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }

    /// The score, *for the player who moved*, of having moved into a position whose side to move
    /// has this score: the opposite result, one ply later.
    ///
    /// The win in 255 before a loss in 254 has no byte; the longest win stands in for it. A solver
    /// that meets a loss in [`Score::MAX_PLIES`] has to give up rather than store it.
    pub fn before(self) -> Score {
        Score(match self.0 {
            128 => 128,
            loss @ 0..128 => (255 - loss).max(129),
            win => 255 - win + 1,
        })
    }
}

impl fmt::Display for Score {
    /// As the value it stands for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_score() -> impl Iterator<Item = Score> {
        (0..=255).map(Score)
    }

    #[test]
    fn every_byte_is_a_value_and_back() {
        for score in every_score() {
            assert_eq!(Score::from_value(score.value()), Some(score));
            assert_eq!(score.outcome(), score.value().outcome());
        }
    }

    #[test]
    fn bytes_without_a_meaning_do_not_exist_for_other_values() {
        for value in [
            Value::Win(0),
            Value::Win(2),
            Value::Loss(1),
            Value::Win(255),
            Value::Loss(256),
            Value::Loss(u16::MAX),
        ] {
            assert_eq!(Score::from_value(value), None, "{value}");
        }
    }

    #[test]
    fn better_values_have_greater_scores() {
        let best_first = [
            Value::Win(1),
            Value::Win(3),
            Value::Win(253),
            Value::Draw,
            Value::Loss(254),
            Value::Loss(2),
            Value::Loss(0),
        ];
        let scores: Vec<_> = best_first
            .iter()
            .map(|v| Score::from_value(*v).unwrap())
            .collect();
        assert!(scores.windows(2).all(|pair| pair[0] > pair[1]));
    }

    #[test]
    fn the_score_before_is_the_opposite_one_ply_later() {
        for score in every_score().filter(|s| *s != Score(127)) {
            assert_eq!(
                Score::from_value(score.value().before()),
                Some(score.before())
            );
        }
        assert_eq!(Score(127).before().value(), Value::Win(253));
    }

    #[test]
    fn values_read_as_sentences() {
        let texts =
            [Value::Win(5), Value::Win(1), Value::Draw, Value::Loss(0)].map(|v| v.to_string());
        assert_eq!(
            texts,
            ["win in 5 plies", "win in 1 ply", "draw", "loss in 0 plies"]
        );
    }
}
