//! What the game is worth, and its first moves.

use crate::game::{Board, Position, Turn};
use crate::probe::{Answer, Choice, ProbeError, Prober, Ranked};

use super::LINE_LIMIT;

/// The start of the game, for White, who moves first.
#[derive(Debug)]
pub struct Start {
    /// The empty board.
    pub position: Position,
    /// What it is worth.
    pub value: Answer,
    /// The first moves, best first.
    pub turns: Vec<Ranked>,
    /// The same, those together that symmetries of the board make equal.
    pub groups: Vec<FirstMoves>,
    /// Best play to the end, if the game is decided and the database has distances.
    pub line: Vec<Choice>,
}

/// First moves that are the same but for a symmetry of the board.
#[derive(Debug)]
pub struct FirstMoves {
    /// The moves, in the order of points.
    pub choices: Vec<Choice>,
    /// What each is worth to White.
    pub answer: Answer,
}

impl Start {
    pub(super) fn of(prober: &Prober<'_>) -> Result<Start, ProbeError> {
        let variant = prober.database().variant();
        let position = variant.start();
        let turns = prober.ranked(&position, 0)?;
        Ok(Start {
            value: prober.value(&position, 0)?,
            groups: groups(&variant.board, &turns),
            line: prober.line(&position, 0, LINE_LIMIT)?,
            position,
            turns,
        })
    }
}

fn groups(board: &Board, turns: &[Ranked]) -> Vec<FirstMoves> {
    let mut groups: Vec<FirstMoves> = Vec::new();
    for &Ranked { choice, answer } in turns {
        let same = |group: &&mut FirstMoves| {
            answer == group.answer && images(board, choice, group.choices[0])
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.choices.push(choice),
            None => groups.push(FirstMoves {
                choices: vec![choice],
                answer,
            }),
        }
    }
    groups
}

/// Whether a symmetry of the board makes one placement of the other.
fn images(board: &Board, one: Choice, other: Choice) -> bool {
    let (Choice::Turn(one), Choice::Turn(other)) = (one, other) else {
        return false;
    };
    let placed = |turn: Turn| turn.to.filter(|_| turn.from.is_none());
    let (Some(one), Some(other)) = (placed(one), placed(other)) else {
        return false;
    };
    let mut symmetries = board.symmetries().iter();
    symmetries.any(|symmetry| symmetry.apply(1 << one) == 1 << other)
}
