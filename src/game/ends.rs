//! How games end.

use std::fmt;

use crate::value::Outcome;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The result for the side that would be to move.
    pub outcome: Outcome,
    /// What ended it.
    pub reason: EndReason,
}

/// What ends a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The opponent has a line of three, where the first one wins.
    Line,
    /// A side has fewer than three men, where men are taken.
    TooFewMen,
    /// There is no empty point left.
    FullBoard,
    /// The side to move cannot move.
    NoTurn,
    /// Neither side can move, where one that cannot passes.
    NoTurnForEither,
}

impl fmt::Display for EndReason {
    /// `three in a row`, `too few men`, `full board`, `no turn`, `no turn for either side`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            EndReason::Line => "three in a row",
            EndReason::TooFewMen => "too few men",
            EndReason::FullBoard => "full board",
            EndReason::NoTurn => "no turn",
            EndReason::NoTurnForEither => "no turn for either side",
        })
    }
}
