//! Which of several equally good turns to play.
//!
//! A database says which turns are best, and often many are. Against a player who can go wrong they are not
//! all the same: a draw is worth more where the other side has few ways to hold it.
//!
//! ```text
//! White to move    worth    Black's turns then
//! d2               draw     9 draw, 8 lose
//! a4               draw     3 draw, 14 lose    <- fewest that hold the draw
//! b6               loss in 30
//! ```

use std::cmp::Reverse;
use std::fmt;

use super::{Answer, ProbeError, Prober, Ranked};
use crate::database::Database;
use crate::game::Position;
use crate::random::Random;
use crate::value::Outcome;

/// What decides between turns that are worth the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// After draws, and after losses of one length, that after which the fewest of the opponent's turns keep what
    /// he has; of those that with the most that do not. Turns after which he cannot go wrong at all come last. Chance
    /// decides the rest.
    #[default]
    FewestDrawing,
    /// The first in the order of points.
    First,
    /// Chance.
    Random,
}

impl Ties {
    /// All of them.
    pub const ALL: [Ties; 3] = [Ties::FewestDrawing, Ties::First, Ties::Random];

    /// The name by which it is asked for: `fewest-drawing`, `first` or `random`.
    pub fn name(self) -> &'static str {
        match self {
            Ties::FewestDrawing => "fewest-drawing",
            Ties::First => "first",
            Ties::Random => "random",
        }
    }
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A player who never makes what he has worse, as far as the database knows.
///
/// He wins in the fewest plies, holds draws, and loses in the most plies. Without distances he keeps a win but may
/// never come nearer to its end; he then plays any winning turn. A turn that nothing is known of he prefers
/// to a loss alone.
#[derive(Clone, Debug)]
pub struct Chooser<'a> {
    prober: Prober<'a>,
    ties: Ties,
    random: Random,
}

impl<'a> Chooser<'a> {
    /// A player over an open database; with the same seed he chooses the same again.
    pub fn new(database: &'a Database, ties: Ties, seed: u64) -> Chooser<'a> {
        Chooser {
            prober: Prober::new(database),
            ties,
            random: Random::new(seed),
        }
    }

    /// The prober that he asks.
    pub fn prober(&self) -> Prober<'a> {
        self.prober
    }

    /// What he does in a position, in which he may have men to take; `None` if the game is over.
    ///
    /// # Errors
    /// As [`Prober::ranked`].
    pub fn choose(
        &mut self,
        position: &Position,
        removals_due: u8,
    ) -> Result<Option<Ranked>, ProbeError> {
        let ranked = self.prober.ranked(position, removals_due)?;
        let mut equals = equals(&ranked).to_vec();
        if self.ties == Ties::FewestDrawing {
            self.narrow(position, &mut equals)?;
        }
        let which = match self.ties {
            Ties::First => 0,
            Ties::FewestDrawing | Ties::Random => self.random.below(equals.len() as u64) as usize,
        };
        Ok(equals.get(which).copied())
    }

    /// Keeps those of equally good turns after which it is hardest for the opponent to keep what he has.
    fn narrow(&self, position: &Position, equals: &mut Vec<Ranked>) -> Result<(), ProbeError> {
        let worth = equals.first().and_then(|best| best.answer.known());
        let outcome = match worth.map(|worth| worth.outcome) {
            Some(outcome @ (Outcome::Draw | Outcome::Loss)) if equals.len() > 1 => outcome,
            _ => return Ok(()),
        };
        let mut positions = Vec::new();
        let mut counts = Vec::new();
        for turn in &*equals {
            let choices = self.replies(&self.prober.after(position, turn.choice));
            counts.push(choices.len());
            positions.extend(choices);
        }
        let mut answers = self.prober.values(&positions).into_iter();
        let mut difficulty = Vec::with_capacity(counts.len());
        for count in counts {
            let mut kept = 0;
            for answer in answers.by_ref().take(count) {
                let known = answer?.known();
                kept += usize::from(known.is_none_or(|worth| worth.outcome == outcome));
            }
            difficulty.push(Difficulty::of(kept, count));
        }
        let best = difficulty.iter().min().copied();
        let mut difficulty = difficulty.into_iter();
        equals.retain(|_| difficulty.next() == best);
        Ok(())
    }

    /// The positions that the side to move can lead to.
    fn replies(&self, position: &Position) -> Vec<Position> {
        let choices = self.prober.choices(position, 0).into_iter();
        choices
            .map(|choice| self.prober.after(position, choice))
            .collect()
    }
}

/// How hard it is to keep what one has, the hardest first: whether no turn is wrong, how many keep it, how many
/// do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Difficulty(bool, usize, Reverse<usize>);

impl Difficulty {
    fn of(kept: usize, all: usize) -> Difficulty {
        Difficulty(kept == all, kept, Reverse(all - kept))
    }
}

/// The best of ranked turns and its equals. What is unknown may be better than a loss, but it may be worse than
/// anything else.
fn equals(ranked: &[Ranked]) -> &[Ranked] {
    let known = ranked.partition_point(|turn| turn.answer.known().is_some());
    let (known, unknown) = ranked.split_at(known);
    match known.first().map(|best| best.answer) {
        Some(best @ Answer::Known(worth))
            if worth.outcome != Outcome::Loss || unknown.is_empty() =>
        {
            let same = known.partition_point(|turn| turn.answer == best);
            &known[..same]
        }
        _ => unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Choice, Sector};
    use crate::probe::Probed;

    fn turns(answers: &[Answer]) -> Vec<Ranked> {
        let turn = |(removed, answer): (u32, &Answer)| Ranked {
            choice: Choice::Removal(removed),
            answer: *answer,
        };
        (0..).zip(answers).map(turn).collect()
    }

    #[test]
    fn only_a_loss_is_worse_than_what_is_not_known() {
        let known = |outcome, plies| Answer::Known(Probed { outcome, plies });
        let (win, long) = (known(Outcome::Win, Some(3)), known(Outcome::Win, Some(5)));
        let (draw, loss) = (known(Outcome::Draw, None), known(Outcome::Loss, Some(2)));
        let unknown = Answer::Unknown(Sector {
            mover: 3,
            opponent: 3,
            mover_hand: 0,
            opponent_hand: 0,
        });
        let chosen = |answers: &[Answer]| -> Vec<Answer> {
            equals(&turns(answers))
                .iter()
                .map(|turn| turn.answer)
                .collect()
        };
        assert_eq!(chosen(&[win, win, long, draw, unknown]), [win, win]);
        assert_eq!(chosen(&[draw, loss, unknown]), [draw]);
        assert_eq!(chosen(&[loss, unknown, unknown]), [unknown, unknown]);
        assert_eq!(chosen(&[loss, loss]), [loss, loss]);
        assert_eq!(chosen(&[unknown]), [unknown]);
        assert_eq!(chosen(&[]), []);
    }

    #[test]
    fn few_ways_are_hard_unless_there_is_no_other() {
        let hard = Difficulty::of(1, 20);
        assert!(hard < Difficulty::of(1, 3) && hard < Difficulty::of(2, 20));
        assert!(Difficulty::of(9, 10) < Difficulty::of(1, 1));
        assert!(Difficulty::of(9, 10) < Difficulty::of(0, 0));
    }
}
