//! What programs need that do not know the rules: who stands where, how turns go, what they lead to.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::side;
use crate::game::{Choice, PointSet, Side, Turn, Variant, points};
use crate::notation::{ReadPosition, write_position};
use crate::value::Outcome;

/// A position without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PositionDetails<'a> {
    /// Where the men are.
    pub board: BoardAnswer<'a>,
    /// How the game ended; null while it goes on.
    pub over: Option<Over>,
}

/// Where the men are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoardAnswer<'a> {
    /// The points with a white man.
    pub white: Vec<Cow<'a, str>>,
    /// The points with a black man.
    pub black: Vec<Cow<'a, str>>,
    /// Men in hand.
    pub hand: Hands,
    /// Men the side to move has to take before its turn is over.
    pub removals_due: u8,
}

/// A number for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hands {
    /// White's.
    pub white: u8,
    /// Black's.
    pub black: u8,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Over {
    /// `white` or `black`; null for a draw.
    pub winner: Option<Cow<'static, str>>,
    /// What ended it, such as `too few men` or `no turn`.
    pub reason: String,
}

/// A turn in its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TurnDetails {
    /// The position it leads to, as a text of Sanmill with 17 fields.
    pub position: String,
    /// The point a man moves from; null for men that are placed.
    pub from: Option<String>,
    /// The point a man goes to; null where a side passes or only takes.
    pub to: Option<String>,
    /// The points from which men are taken.
    pub takes: Vec<String>,
    /// How many men are taken.
    pub captures: u32,
}

impl<'a> PositionDetails<'a> {
    /// The details of a position.
    pub fn of(variant: &'a Variant, read: &ReadPosition) -> PositionDetails<'a> {
        PositionDetails {
            board: BoardAnswer::of(variant, read),
            over: Over::of(variant, read),
        }
    }
}

impl<'a> BoardAnswer<'a> {
    fn of(variant: &'a Variant, read: &ReadPosition) -> BoardAnswer<'a> {
        let white = match read.position.side {
            Side::White => read.position,
            Side::Black => read.position.swapped(),
        };
        let labels = |men: PointSet| points(men).map(|p| variant.board.label(p).into()).collect();
        BoardAnswer {
            white: labels(white.mover),
            black: labels(white.opponent),
            hand: Hands {
                white: white.mover_hand,
                black: white.opponent_hand,
            },
            removals_due: read.removals_due,
        }
    }
}

impl Over {
    fn of(variant: &Variant, read: &ReadPosition) -> Option<Over> {
        // Who has closed a mill is inside a turn, though the opponent may have no other man left.
        let end = variant
            .end(&read.position)
            .filter(|_| read.removals_due == 0)?;
        let winner = match end.outcome {
            Outcome::Win => Some(read.position.side),
            Outcome::Draw => None,
            Outcome::Loss => Some(read.position.side.other()),
        };
        Some(Over {
            winner: winner.map(|winner| side(winner).into()),
            reason: end.reason.to_string(),
        })
    }
}

impl TurnDetails {
    /// The details of what is done in a position, where it must be legal.
    pub fn of(variant: &Variant, read: &ReadPosition, choice: Choice) -> TurnDetails {
        let turn = match choice {
            Choice::Turn(turn) => turn,
            Choice::Removal(removed) => Turn {
                removed,
                ..Turn::PASS
            },
        };
        let label = |p: usize| variant.board.label(p).to_owned();
        let after = variant.after(&read.position, choice);
        TurnDetails {
            position: write_position(variant, &after.into()),
            from: turn.from.map(|p| label(p.into())),
            to: turn.to.map(|p| label(p.into())),
            takes: points(turn.removed).map(label).collect(),
            captures: turn.removed.count_ones(),
        }
    }
}
