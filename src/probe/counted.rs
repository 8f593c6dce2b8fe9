//! Answers under a no-capture limit, for any count: see [`conversion`](crate::conversion).

use std::cmp::Reverse;

use super::{Choice, ProbeError, Prober};
use crate::conversion::Conversion;
use crate::database::{Contents, Database, DatabaseError};
use crate::game::{Position, Sector};
use crate::value::Outcome;

/// Looks positions up in a database of conversions.
///
/// A position is asked about with its *count*, the plies since the last capture, which is 0 in positions with
/// men in hand.
#[derive(Clone, Copy, Debug)]
pub struct CountedProber<'a> {
    prober: Prober<'a>,
    limit: Option<u16>,
}

/// What a database says about a position and its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountedAnswer {
    /// What it is worth to the side to move.
    Known(Conversion),
    /// The database lacks a sector without which it cannot be told.
    Unknown(Sector),
}

/// A choice and what it is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedTurn {
    /// What is done.
    pub choice: Choice,
    /// What it comes to, with this turn counted: a turn that takes a man is itself the next capture.
    pub answer: CountedAnswer,
}

impl CountedAnswer {
    /// What it is worth, if that is known.
    pub fn known(self) -> Option<Conversion> {
        match self {
            CountedAnswer::Known(conversion) => Some(conversion),
            CountedAnswer::Unknown(_) => None,
        }
    }

    /// Sorts best first: early wins, late wins, draws, late losses, early losses, and last what is not known.
    fn preference(self) -> (bool, Reverse<Option<Outcome>>, i32) {
        let known = self.known();
        let plies = i32::from(known.and_then(|c| c.plies).unwrap_or(0));
        let outcome = known.map(|c| c.outcome);
        let haste = match outcome {
            Some(Outcome::Loss) => -plies,
            _ => plies,
        };
        (known.is_none(), Reverse(outcome), haste)
    }
}

impl<'a> CountedProber<'a> {
    /// A prober for games that are drawn by so many plies without a capture; `None`: the limit that the
    /// database was made for, if any.
    ///
    /// # Errors
    /// When the database is not one of conversions, or one for a limit that does not tell about this one.
    pub fn new(database: &'a Database, limit: Option<u16>) -> Result<Self, ProbeError> {
        let Some(counting) = database.counting() else {
            return Err(ProbeError::Database(DatabaseError::OtherContents {
                path: database.dir().to_owned(),
                found: database.contents(),
                wanted: Contents::Conversions,
            }));
        };
        if let Some(asked) = limit.filter(|&limit| !counting.answers(limit)) {
            return Err(ProbeError::OtherLimit {
                asked,
                solved: counting.limit(),
                longest: counting.longest(),
            });
        }
        Ok(CountedProber {
            prober: Prober::new(database),
            limit: limit.or(counting.limit()),
        })
    }

    /// Plies without a capture that draw the game; `None` for no limit.
    pub fn limit(&self) -> Option<u16> {
        self.limit
    }

    /// What a position is worth to the side to move when `since` plies have passed since the last capture.
    /// With `removals_due` that side is inside its turn and has to take so many men.
    ///
    /// # Errors
    /// When the men cannot stand like that, the count cannot be, or a file of the database is wrong.
    pub fn value(
        &self,
        position: &Position,
        removals_due: u8,
        since: u16,
    ) -> Result<CountedAnswer, ProbeError> {
        self.check(position, removals_due, since)?;
        if removals_due > 0 {
            let ranked = self.ranked(position, removals_due, since)?;
            let best = ranked.first();
            let best = best.ok_or(ProbeError::NotAPosition("there is nothing to take"))?;
            let wins = best
                .answer
                .known()
                .is_some_and(|c| c.outcome == Outcome::Win);
            // What is not known may be better, but for a win.
            let unknown = ranked.iter().rfind(|turn| turn.answer.known().is_none());
            return Ok(unknown.filter(|_| !wins).unwrap_or(best).answer);
        }
        if let Some(over) = self.prober.ending(position) {
            let (outcome, plies) = (over.outcome, over.plies);
            return Ok(CountedAnswer::Known(Conversion { outcome, plies }));
        }
        let (database, sector) = (self.prober.database(), position.sector());
        let looked_up = database
            .sector(sector)
            .and_then(|_| database.conversion(sector, database.index().rank(position)));
        match looked_up {
            Ok(conversion) => Ok(CountedAnswer::Known(conversion.with_left(self.left(since)))),
            Err(DatabaseError::NoSector { .. }) if database.covers(sector) => {
                Ok(CountedAnswer::Unknown(sector))
            }
            Err(DatabaseError::NotInstalled { sector, .. }) => Ok(CountedAnswer::Unknown(sector)),
            Err(error) => Err(error.into()),
        }
    }

    /// All that the side to move can do, best first: the win with the earliest capture, other wins, draws, the
    /// loss with the latest capture, other losses, and last what the database cannot tell. Equals are in
    /// the order of points. Empty if the game is over, by the count or otherwise.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn ranked(
        &self,
        position: &Position,
        removals_due: u8,
        since: u16,
    ) -> Result<Vec<CountedTurn>, ProbeError> {
        self.check(position, removals_due, since)?;
        if self.left(since) == Some(0) {
            return Ok(Vec::new());
        }
        let moving = position.sector().in_hand() == 0;
        let mut ranked = Vec::new();
        for choice in self.prober.choices(position, removals_due) {
            let next = self.prober.after(position, choice);
            let takes = match choice {
                Choice::Turn(turn) => turn.removed != 0,
                Choice::Removal(removed) => removed != 0,
            };
            let count = if moving && !takes {
                since.saturating_add(1)
            } else {
                0
            };
            let answer = match self.value(&next, 0, count)? {
                CountedAnswer::Known(after) => {
                    let plies = match (takes, moving) {
                        _ if after.outcome == Outcome::Draw => None,
                        (true, _) => Some(1),
                        (false, true) => after.plies.map(|plies| plies + 1),
                        (false, false) => None,
                    };
                    let outcome = after.outcome.reversed();
                    CountedAnswer::Known(Conversion { outcome, plies })
                }
                unknown => unknown,
            };
            ranked.push(CountedTurn { choice, answer });
        }
        ranked.sort_by_key(|turn| (turn.answer.preference(), turn.choice));
        Ok(ranked)
    }

    /// Best play for both sides, from a decided position to the end of the game, at most `limit` turns of it.
    /// Empty if the position is drawn; cut short where the database lacks a sector.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn line(
        &self,
        position: &Position,
        removals_due: u8,
        since: u16,
        limit: usize,
    ) -> Result<Vec<Choice>, ProbeError> {
        let (mut position, mut due, mut since) = (*position, removals_due, since);
        let mut line = Vec::new();
        while line.len() < limit {
            let ranked = self.ranked(&position, due, since)?;
            let known = |turn: &CountedTurn| turn.answer.known();
            let decided = |c: Conversion| c.outcome != Outcome::Draw;
            let Some(best) = ranked.first() else { break };
            if ranked.iter().any(|turn| known(turn).is_none()) || !known(best).is_some_and(decided)
            {
                break;
            }
            let next = self.prober.after(&position, best.choice);
            let fewer = next.occupied().count_ones() < position.occupied().count_ones();
            since = match fewer || position.sector().in_hand() > 0 {
                true => 0,
                false => since.saturating_add(1),
            };
            line.push(best.choice);
            (position, due) = (next, 0);
        }
        Ok(line)
    }

    /// Plies that may pass without a capture before the game is drawn.
    fn left(&self, since: u16) -> Option<u16> {
        self.limit.map(|limit| limit.saturating_sub(since))
    }

    fn check(&self, position: &Position, removals_due: u8, since: u16) -> Result<(), ProbeError> {
        self.prober.check(position)?;
        if since > 0 && position.sector().in_hand() > 0 {
            return Err(ProbeError::Count(
                "the count runs while both hands are empty; here it is 0",
            ));
        }
        match self.limit {
            Some(limit) if since > limit => Err(ProbeError::Count(
                "the game was drawn before: more plies have passed than the limit",
            )),
            Some(limit) if since == limit && removals_due > 0 => Err(ProbeError::Count(
                "the game was drawn before the turn that closed the mill",
            )),
            _ => Ok(()),
        }
    }
}
