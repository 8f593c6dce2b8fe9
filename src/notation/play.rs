//! Playing turns that are written one after another.
//!
//! A turn may stand in one word or in several, its step first and each man taken after it:
//!
//! ```text
//! d6  f4  f6-f4xd2  b2
//! d6  f4  f6-f4  xd2  b2
//! ```

use super::grammar::Notation;
use super::turns::{self, TurnError, TurnProblem};
use super::{ReadPosition, character_of};
use crate::game::{Choice, PASS, PointSet, Turn, Variant};

/// Something a player did, and the position it was done in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position before it.
    pub before: ReadPosition,
    /// What was done.
    pub choice: Choice,
}

/// A turn that has begun.
#[derive(Clone, Copy, Debug)]
struct Begun {
    before: ReadPosition,
    step: Option<(Option<u8>, u8)>,
    removed: PointSet,
}

/// Plays word by word.
#[derive(Clone, Debug)]
pub struct Player<'a> {
    variant: &'a Variant,
    notation: &'a Notation<'a>,
    now: ReadPosition,
    begun: Option<Begun>,
}

impl<'a> Player<'a> {
    /// Begins in a position.
    pub fn new(variant: &'a Variant, notation: &'a Notation<'a>, start: ReadPosition) -> Self {
        Player {
            variant,
            notation,
            now: start,
            begun: None,
        }
    }

    /// Where the game stands; after a step that closed a mill, with what is still to be taken.
    pub fn now(&self) -> ReadPosition {
        self.now
    }

    /// Plays a word: a turn or a part of one. `None` while the turn lacks a man to take.
    ///
    /// # Errors
    /// The word is no turn, or not a legal one.
    pub fn play(&mut self, word: &str) -> Result<Option<Played>, TurnProblem> {
        if word == PASS {
            return self.pass().map(Some);
        }
        let parsed = self.notation.parse(word)?;
        if let Some((from, to)) = parsed.step {
            self.unfinished().map_or(Ok(()), Err)?;
            let step = turns::step(self.notation, self.variant, &self.now.position, from, to)?;
            self.begun = Some(Begun {
                before: self.now,
                step: parsed.step,
                removed: 0,
            });
            self.now = step;
        }
        self.take(&parsed.removed)
    }

    fn pass(&mut self) -> Result<Played, TurnProblem> {
        self.unfinished().map_or(Ok(()), Err)?;
        let before = self.now;
        self.now = turns::pass(self.variant, &before.position)?.into();
        Ok(Played {
            before,
            choice: Choice::Turn(Turn::PASS),
        })
    }

    /// Takes a man given by the name of its point alone.
    ///
    /// # Errors
    /// There is no such point, or the man may not be taken.
    pub fn take_at(&mut self, name: &str) -> Result<Option<Played>, TurnProblem> {
        let point = self.notation.point(name);
        let point = point.ok_or_else(|| TurnProblem::NoSuchPoint(name.to_owned()))?;
        self.take(&[point])
    }

    /// The problem of ending here, inside a turn; `None` where a turn is complete.
    pub fn unfinished(&self) -> Option<TurnProblem> {
        (self.now.removals_due > 0)
            .then(|| turns::removal_needed(self.notation, self.variant, &self.now))
    }

    fn take(&mut self, written: &[usize]) -> Result<Option<Played>, TurnProblem> {
        let (after, removed) = turns::take_all(self.notation, self.variant, self.now, written)?;
        let begun = self.begun.get_or_insert(Begun {
            before: self.now,
            step: None,
            removed: 0,
        });
        begun.removed |= removed;
        let begun = *begun;
        self.now = after;
        if after.removals_due > 0 {
            return Ok(None);
        }
        self.begun = None;
        self.now.position = after.position.swapped();
        let removed = begun.removed;
        Ok(Some(Played {
            before: begun.before,
            choice: match begun.step {
                Some((from, to)) => {
                    let to = Some(to);
                    Choice::Turn(Turn { from, to, removed })
                }
                None => Choice::Removal(removed),
            },
        }))
    }
}

/// Plays a sequence of turns, separated by blanks, in any [`Style`](super::Style) of notation. A removal may
/// be joined to its turn (`f6-f4xd2`) or follow it as a word of its own (`f6-f4 xd2`); what is missing at the
/// end of the text is left due.
///
/// # Errors
/// The first turn that is not a legal one, where it stands and why.
pub fn play_moves(
    variant: &Variant,
    start: &ReadPosition,
    text: &str,
) -> Result<ReadPosition, TurnError> {
    let notation = Notation::of_text(&variant.board, text);
    let mut player = Player::new(variant, &notation, *start);
    for token in text.split_whitespace() {
        player.play(token).map_err(|problem| TurnError {
            token: token.to_owned(),
            character: character_of(text, token),
            problem,
        })?;
    }
    Ok(player.now())
}
