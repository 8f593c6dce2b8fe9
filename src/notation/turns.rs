//! Turns as texts: `d6` places, `a1-a4` moves or flies, `x` takes.
//!
//! ```text
//! d6   a1-a4   f6-f4xd2   d6xa1xb2     complete turns
//! xd2                                  the rest of a turn whose mill is closed already
//! pass                                 nothing, where a side that cannot move passes
//! ```
//!
//! Other notations of the same turns are in [`Style`](super::Style); everything here reads them all.

use thiserror::Error;

use super::grammar::{Notation, Style};
use super::{ReadPosition, character_of, men, quoted, side_name};
use crate::game::{
    Board, Choice, End, EndReason, PASS, Placing, PointSet, Position, Protection, Turn, Variant,
};
use crate::value::Outcome;

/// A text that is not a turn of the position, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move `{}` at character {character}: {problem}", quoted(.token))]
pub struct TurnError {
    /// The turn at fault, as it was written.
    pub token: String,
    /// Where it starts in the whole text: the number of a character, from 1.
    pub character: usize,
    /// What is wrong with it.
    pub problem: TurnProblem,
}

/// What is wrong with a turn. Points are given by their names in the notation of the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TurnProblem {
    /// Not of the form of a turn.
    #[error("not a turn; turns look like {examples}")]
    Form {
        /// Turns of the same notation.
        examples: &'static str,
    },
    /// Where a single turn was wanted there are none or several.
    #[error("one turn is wanted here, not {0}")]
    Count(usize),
    /// The board has no such point.
    #[error("the board has no point `{}`", quoted(.0))]
    NoSuchPoint(String),
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(String),
    /// The man would go to a point with a man.
    #[error("{point} is occupied by {side}")]
    Occupied {
        /// The goal.
        point: String,
        /// Whose man stands there.
        side: &'static str,
    },
    /// There is no man to move.
    #[error("{side} has no man on {point}")]
    NoMan {
        /// Where the man should come from.
        point: String,
        /// The side to move.
        side: &'static str,
    },
    /// Men in hand have to be placed before any man moves.
    #[error("{side} has {in_hand} in hand, which must be placed before any moves")]
    MustPlace {
        /// The side to move.
        side: &'static str,
        /// How many, with the word.
        in_hand: String,
    },
    /// There is nothing to place.
    #[error("{side} has no men in hand to place; a move names two points")]
    NothingInHand {
        /// The side to move.
        side: &'static str,
    },
    /// Only those who cannot move pass.
    #[error("{side} can move, so it cannot pass")]
    NotBlocked {
        /// The side to move.
        side: &'static str,
    },
    /// No slide leads there, and the side does not fly.
    #[error("no slide leads from {from} to {to}")]
    NotJoined {
        /// Where the man stands.
        from: String,
        /// Where it should go.
        to: String,
    },
    /// A mill is closed and nothing is taken.
    #[error("a mill closes, so a man must be taken: one of {0}")]
    RemovalNeeded(String),
    /// A man is taken without a mill, or one too many.
    #[error("there is nothing to take {point} for")]
    NothingDue {
        /// The man that should be taken.
        point: String,
    },
    /// There is no man of the opponent to take.
    #[error("{side} has no man on {point} to be taken")]
    NothingToTake {
        /// The point.
        point: String,
        /// The opponent.
        side: &'static str,
    },
    /// The man may not be taken.
    #[error("the man on {point} cannot be taken: {why}")]
    Protected {
        /// The point.
        point: String,
        /// The rule.
        why: &'static str,
    },
}

/// The text of a turn in labels; [`read_turn`] reads it back.
pub fn write_turn(board: &Board, turn: &Turn) -> String {
    Notation::new(board, Style::Labels).write_turn(turn)
}

/// The text of what a player does: a turn, or the rest of one.
pub fn write_choice(board: &Board, choice: Choice) -> String {
    Notation::new(board, Style::Labels).write(choice)
}

/// The text of taking these men: `xd2`, and empty for none.
pub fn write_removal(board: &Board, removed: PointSet) -> String {
    Notation::new(board, Style::Labels).write_removal(removed)
}

/// Reads one complete turn of the side to move.
///
/// # Errors
/// The text is not a turn, or not a legal one, and why.
pub fn read_turn(variant: &Variant, p: &Position, text: &str) -> Result<Turn, TurnError> {
    let token = single_token(text)?;
    let fail = |problem| error(text, token, problem);
    if token == PASS {
        return pass(variant, p).map(|_| Turn::PASS).map_err(fail);
    }
    let names = &Notation::of_text(&variant.board, token);
    let parsed = names.parse(token).map_err(fail)?;
    let Some((from, to)) = parsed.step else {
        let point = names.list(1 << parsed.removed[0]);
        return Err(fail(TurnProblem::NothingDue { point }));
    };
    let after = step(names, variant, p, from, to).map_err(fail)?;
    let (after, removed) = take_all(names, variant, after, &parsed.removed).map_err(fail)?;
    if after.removals_due > 0 {
        return Err(fail(removal_needed(names, variant, &after)));
    }
    let to = Some(to);
    Ok(Turn { from, to, removed })
}

/// Reads the rest of a turn: the men taken where removals are due.
///
/// # Errors
/// The text is not a removal, or not a legal one, and why.
pub fn read_removal(
    variant: &Variant,
    read: &ReadPosition,
    text: &str,
) -> Result<PointSet, TurnError> {
    let token = single_token(text)?;
    let fail = |problem| error(text, token, problem);
    if token == PASS {
        let names = &Notation::new(&variant.board, Style::Labels);
        return Err(fail(removal_needed(names, variant, read)));
    }
    let names = &Notation::of_text(&variant.board, token);
    let parsed = names.parse(token).map_err(fail)?;
    if parsed.step.is_some() {
        return Err(fail(removal_needed(names, variant, read)));
    }
    let (after, removed) = take_all(names, variant, *read, &parsed.removed).map_err(fail)?;
    if after.removals_due > 0 {
        return Err(fail(removal_needed(names, variant, &after)));
    }
    Ok(removed)
}

fn error(text: &str, token: &str, problem: TurnProblem) -> TurnError {
    TurnError {
        token: token.to_owned(),
        character: character_of(text, token),
        problem,
    }
}

fn single_token(text: &str) -> Result<&str, TurnError> {
    let mut tokens = text.split_whitespace();
    match (tokens.next(), tokens.count()) {
        (Some(token), 0) => Ok(token),
        (first, more) => {
            let count = usize::from(first.is_some()) + more;
            Err(error(text, text, TurnProblem::Count(count)))
        }
    }
}

/// Passes. The result is the other side's turn.
pub(super) fn pass(variant: &Variant, p: &Position) -> Result<Position, TurnProblem> {
    if let Some(end) = variant.end(p) {
        return Err(TurnProblem::GameOver(game_over(p, end)));
    }
    if !variant.is_blocked(p) {
        let side = side_name(p.side);
        return Err(TurnProblem::NotBlocked { side });
    }
    Ok(p.swapped())
}

/// Places or moves a man. The result is still the same side's turn, with what it has to take.
pub(super) fn step(
    names: &Notation,
    variant: &Variant,
    p: &Position,
    from: Option<u8>,
    to: u8,
) -> Result<ReadPosition, TurnProblem> {
    if let Some(end) = variant.end(p) {
        return Err(TurnProblem::GameOver(game_over(p, end)));
    }
    if !variant.steps(p).contains(&(from, to)) {
        return Err(step_problem(names, variant, p, from, to));
    }
    let after = ReadPosition {
        position: variant.step(p, from, to),
        removals_due: variant.removals_due(p, from, to),
    };
    Ok(settle(variant, after))
}

/// Nothing is due any more when there is nothing to take or the opponent has lost.
fn settle(variant: &Variant, mut read: ReadPosition) -> ReadPosition {
    let p = &read.position;
    let first_removal_ended_game = p.opponent_total() < 3;
    if first_removal_ended_game || variant.removable(p) == 0 {
        read.removals_due = 0;
    }
    read
}

/// Takes the men written, in any order that is legal. Returns what is left to do and the men taken.
pub(super) fn take_all(
    names: &Notation,
    variant: &Variant,
    read: ReadPosition,
    written: &[usize],
) -> Result<(ReadPosition, PointSet), TurnProblem> {
    let set: PointSet = written.iter().fold(0, |set, p| set | 1 << p);
    let all_different = set.count_ones() as usize == written.len();
    let sets = variant.removal_sets(&read.position, read.removals_due);
    if set != 0 && all_different && sets.contains(&set) {
        let mut done = read;
        done.position.opponent &= !set;
        done.removals_due = 0;
        return Ok((done, set));
    }
    let mut now = read;
    for &x in written {
        if let Some(problem) = removal_problem(names, variant, &now, x) {
            return Err(problem);
        }
        now.position.opponent &= !(1 << x);
        now.removals_due -= 1;
        now = settle(variant, now);
    }
    Ok((now, set))
}

fn removal_problem(
    names: &Notation,
    variant: &Variant,
    now: &ReadPosition,
    x: usize,
) -> Option<TurnProblem> {
    let p = &now.position;
    let point = names.name(x).to_owned();
    if now.removals_due == 0 {
        return Some(TurnProblem::NothingDue { point });
    }
    if p.opponent >> x & 1 == 0 {
        let side = side_name(p.side.other());
        return Some(TurnProblem::NothingToTake { point, side });
    }
    if variant.removable(p) >> x & 1 == 1 {
        return None;
    }
    let why = match variant.rules.protection {
        Protection::UnlessAllInMills => "it stands in a mill, and other men do not",
        Protection::UnlessThreeLeft => "it stands in a mill, and its side has more than three men",
        Protection::Never | Protection::Any => "it stands in a mill",
    };
    Some(TurnProblem::Protected { point, why })
}

pub(super) fn removal_needed(
    names: &Notation,
    variant: &Variant,
    read: &ReadPosition,
) -> TurnProblem {
    let choices = variant.removable(&read.position);
    TurnProblem::RemovalNeeded(names.list(choices))
}

/// Why a step that is not among the legal ones is not.
fn step_problem(
    names: &Notation,
    variant: &Variant,
    p: &Position,
    from: Option<u8>,
    to: u8,
) -> TurnProblem {
    let label = |point: u8| names.name(point.into()).to_owned();
    let side = side_name(p.side);
    let may_move = p.mover_hand == 0 || variant.rules.placing == Placing::PlaceOrMove;
    match from {
        None if p.mover_hand == 0 => return TurnProblem::NothingInHand { side },
        Some(_) if !may_move => {
            let in_hand = men(p.mover_hand.into());
            return TurnProblem::MustPlace { side, in_hand };
        }
        Some(from) if p.mover >> from & 1 == 0 => {
            let point = label(from);
            return TurnProblem::NoMan { point, side };
        }
        _ => {}
    }
    if p.occupied() >> to & 1 == 1 {
        let own = p.mover >> to & 1 == 1;
        let holder = if own { p.side } else { p.side.other() };
        return TurnProblem::Occupied {
            point: label(to),
            side: side_name(holder),
        };
    }
    TurnProblem::NotJoined {
        from: from.map_or_else(String::new, label),
        to: label(to),
    }
}

/// How a game has ended, in words: `Black has fewer than three men, Black has lost`. `None` while it goes on.
pub fn ending_text(variant: &Variant, p: &Position) -> Option<String> {
    variant.end(p).map(|end| game_over(p, end))
}

/// The end of a game as a sentence for people.
fn game_over(p: &Position, end: End) -> String {
    let (side, other) = (side_name(p.side), side_name(p.side.other()));
    let why = match end.reason {
        EndReason::Line => format!("{other} has a line of three"),
        EndReason::TooFewMen => {
            let few = if p.mover_total() < 3 { side } else { other };
            format!("{few} has fewer than three men")
        }
        EndReason::FullBoard => "the board is full".to_owned(),
        EndReason::NoTurn => format!("{side} cannot move"),
        EndReason::NoTurnForEither => "neither side can move".to_owned(),
    };
    let result = match end.outcome {
        Outcome::Win => format!("{side} has won"),
        Outcome::Draw => "a draw".to_owned(),
        Outcome::Loss => format!("{side} has lost"),
    };
    format!("{why}, {result}")
}
