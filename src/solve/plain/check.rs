//! A solution against the definition of its values, position by position.
//!
//! That each value follows from those one turn later proves them all: a loss in 0 by itself, any
//! other win or loss by the shorter ones, and a draw because its mover has a turn to a draw and none
//! to a lost position.

use rayon::prelude::*;

use super::PlainSolution;
use crate::game::Position;
use crate::value::{Outcome, Value};

/// A position whose stored value is not that of its best turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The position.
    pub position: Position,
    /// Its value in the solution.
    pub stored: Value,
    /// The value of its best turn; `None` if a turn leads to a position without a value.
    pub derived: Option<Value>,
}

/// Derives the value of every position from its turns; the first that differs, if any. For solutions by plies
/// to the end of the game.
pub fn check(solution: &PlainSolution) -> Option<Disagreement> {
    solution.sectors().find_map(|sector| {
        let positions = solution.par_positions(sector);
        positions.find_map_first(|(position, stored)| {
            let derived = derive(solution, &position);
            (derived != Some(stored)).then_some(Disagreement {
                position,
                stored,
                derived,
            })
        })
    })
}

/// The value of the best turn, or of the finished game.
fn derive(solution: &PlainSolution, position: &Position) -> Option<Value> {
    let variant = solution.variant();
    match variant.ending(position) {
        Some(Outcome::Loss) => return Some(Value::Loss(0)),
        Some(Outcome::Draw) => return Some(Value::Draw),
        Some(Outcome::Win) => return None,
        None => {}
    }
    let mut best = Value::Loss(0);
    for turn in variant.turns(position) {
        let reached = solution.value(&variant.play(position, &turn))?;
        best = better(best, reached.before());
    }
    Some(best)
}

/// The one the mover prefers: an early win, any win, a draw, a late loss.
fn better(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Win(m), Value::Win(n)) => Value::Win(m.min(n)),
        (Value::Loss(m), Value::Loss(n)) => Value::Loss(m.max(n)),
        (Value::Win(_), _) | (Value::Draw, Value::Loss(_)) => a,
        _ => b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use crate::solve::plain::{Options, solve};

    /// A small variant's solution and all its positions with their values.
    fn solved() -> (PlainSolution, Vec<(Position, Value)>) {
        let variant = Variant::builtin("three-diagonal").unwrap();
        let solution = solve(&variant, &Options::default(), |_| ()).unwrap();
        let mut positions = Vec::new();
        for sector in solution.sectors() {
            solution.for_each(sector, |&position, value| positions.push((position, value)));
        }
        (solution, positions)
    }

    #[test]
    fn a_solution_agrees_with_itself() {
        assert_eq!(check(&solved().0), None);
    }

    #[test]
    fn any_wrong_value_is_found() {
        let (mut solution, positions) = solved();
        for &(position, value) in positions.iter().step_by(7) {
            let wrong = match value {
                Value::Draw => Value::Win(1),
                Value::Win(plies) => Value::Win(plies + 2),
                Value::Loss(_) => Value::Draw,
            };
            *solution.value_mut(&position).unwrap() = wrong;
            assert!(check(&solution).is_some(), "{position:?} {wrong}");
            *solution.value_mut(&position).unwrap() = value;
        }
        assert_eq!(check(&solution), None);
    }
}
