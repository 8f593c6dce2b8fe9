//! All about a position.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::Worth;
use super::details::{PositionDetails, TurnDetails};
use crate::database::Database;
use crate::game::Side;
use crate::notation::{Notation, ReadPosition, Style, write_position};
use crate::probe::{Answer, ProbeError, Prober, Ranked};

/// Turns of a best line at most; no stored game is longer.
pub const LINE_LIMIT: usize = 1000;

/// What a position is worth and what each of its turns is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PositionAnswer<'a> {
    /// The game.
    pub variant: Cow<'a, str>,
    /// The position, as a text of Sanmill with 17 fields.
    pub position: String,
    /// The side to move: `white` or `black`.
    pub side: Cow<'a, str>,
    /// What it is worth to the side to move.
    #[serde(flatten)]
    pub worth: Worth,
    /// What programs need that do not know the rules. Absent if it was not asked for.
    #[serde(flatten)]
    pub details: Option<PositionDetails<'a>>,
    /// All turns, best first: the shortest win, other wins, draws, the longest loss, other losses, and what
    /// cannot be told. Absent if they were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<TurnAnswer>>,
    /// Best play to the end of the game; empty where the position is drawn. Absent if it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

/// A turn and what it is worth to the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TurnAnswer {
    /// The turn, such as `d6`, `a1-a4`, `f6-f4xd2`, or `xd2` for the rest of a turn.
    #[serde(rename = "move")]
    pub text: String,
    /// What it is worth.
    #[serde(flatten)]
    pub worth: Worth,
    /// Its parts and where it leads. Absent if that was not asked for.
    #[serde(flatten)]
    pub details: Option<TurnDetails>,
}

impl<'a> PositionAnswer<'a> {
    /// Asks a database, for the value alone or with turns and best line.
    ///
    /// # Errors
    /// As [`Prober::value`].
    pub fn of(
        database: &'a Database,
        read: &ReadPosition,
        moves: bool,
        line: bool,
    ) -> Result<PositionAnswer<'a>, ProbeError> {
        PositionAnswer::ask(database, read, moves, line, false)
    }

    /// The same with all that a program needs which does not know the rules.
    ///
    /// # Errors
    /// As [`Prober::value`].
    pub fn detailed(
        database: &'a Database,
        read: &ReadPosition,
        moves: bool,
        line: bool,
    ) -> Result<PositionAnswer<'a>, ProbeError> {
        PositionAnswer::ask(database, read, moves, line, true)
    }

    fn ask(
        database: &'a Database,
        read: &ReadPosition,
        moves: bool,
        line: bool,
        detailed: bool,
    ) -> Result<PositionAnswer<'a>, ProbeError> {
        let (variant, prober) = (database.variant(), Prober::new(database));
        let notation = Notation::new(&variant.board, Style::Labels);
        let answer = prober.value(&read.position, read.removals_due)?;
        let ranked = moves
            .then(|| prober.ranked(&read.position, read.removals_due))
            .transpose()?;
        let line = line
            .then(|| prober.line(&read.position, read.removals_due, LINE_LIMIT))
            .transpose()?;
        Ok(PositionAnswer {
            details: detailed.then(|| PositionDetails::of(variant, read)),
            moves: ranked.map(|ranked| {
                let turns = ranked.into_iter();
                let turns = turns.map(|turn| match detailed {
                    true => TurnAnswer::detailed(database, &notation, read, turn),
                    false => TurnAnswer::of(database, &notation, turn),
                });
                turns.collect()
            }),
            line: line.map(|line| line.into_iter().map(|c| notation.write(c)).collect()),
            ..PositionAnswer::told(database, read, answer)
        })
    }

    /// The value alone, which the database has told already.
    pub(super) fn told(
        database: &'a Database,
        read: &ReadPosition,
        answer: Answer,
    ) -> PositionAnswer<'a> {
        let variant = database.variant();
        PositionAnswer {
            variant: variant.id.as_str().into(),
            position: write_position(variant, read),
            side: side(read.position.side).into(),
            worth: Worth::of(database, answer),
            details: None,
            moves: None,
            line: None,
        }
    }
}

impl TurnAnswer {
    /// A ranked turn of a database in a notation.
    pub fn of(database: &Database, notation: &Notation, ranked: Ranked) -> TurnAnswer {
        TurnAnswer {
            text: notation.write(ranked.choice),
            worth: Worth::of(database, ranked.answer),
            details: None,
        }
    }

    /// The same with the parts of the turn, which is one of this position, and where it leads.
    fn detailed(
        database: &Database,
        notation: &Notation,
        read: &ReadPosition,
        ranked: Ranked,
    ) -> TurnAnswer {
        let details = TurnDetails::of(database.variant(), read, ranked.choice);
        TurnAnswer {
            details: Some(details),
            ..TurnAnswer::of(database, notation, ranked)
        }
    }
}

/// Best play from a position to the end of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineAnswer<'a> {
    /// The position and what it is worth; no more of it.
    #[serde(flatten)]
    pub begins: PositionAnswer<'a>,
    /// The turns, each worth what it is to the player who makes it; none where the position is drawn or the
    /// database has no distances.
    pub line: Vec<TurnAnswer>,
}

impl<'a> LineAnswer<'a> {
    /// Asks a database.
    ///
    /// # Errors
    /// As [`Prober::line`].
    pub fn of(database: &'a Database, read: &ReadPosition) -> Result<LineAnswer<'a>, ProbeError> {
        let (variant, prober) = (database.variant(), Prober::new(database));
        let notation = Notation::new(&variant.board, Style::Labels);
        let answer = prober.value(&read.position, read.removals_due)?;
        let (mut now, mut worth) = (*read, answer.known());
        let mut line = Vec::new();
        for choice in prober.line(&read.position, read.removals_due, LINE_LIMIT)? {
            let Some(probed) = worth else { break };
            let ranked = Ranked {
                choice,
                answer: Answer::Known(probed),
            };
            line.push(TurnAnswer::detailed(database, &notation, &now, ranked));
            now = variant.after(&now.position, choice).into();
            worth = probed.after();
        }
        Ok(LineAnswer {
            begins: PositionAnswer::told(database, read, answer),
            line,
        })
    }
}

/// A side as JSON has it: `white` or `black`.
pub fn side(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}
