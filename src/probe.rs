//! Answers about positions: what they are worth, which turns are best, how the game goes on.
//!
//! A [`Prober`] looks positions up in a [`Database`]. It knows the rules as well, for what no database
//! holds: games that are over, and positions inside a turn, where a mill is closed and a man has to be
//! taken.
//!
//! ```text
//! asked about      choice    leads to        its value (for the opponent)   worth
//! White to move    d2-d1xa4  Black to move   loss in 6                      win in 7
//!                  d2-d3     Black to move   draw                           draw
//!                  b2-a1     Black to move   win in 3                       loss in 4
//! ```
//!
//! Values and plies are for the player who is asked about and count from there, so that a choice is worth
//! one ply more than the position it leads to.
//!
//! A [`Chooser`] plays by these answers.

mod choose;
mod counted;

use std::cmp::Reverse;

use rayon::prelude::*;
use thiserror::Error;

use crate::database::{Contents, Database, DatabaseError};
pub use crate::game::Choice;
use crate::game::{Position, Sector};
use crate::value::{Outcome, Value};

pub use choose::{Chooser, Ties};
pub use counted::{CountedAnswer, CountedProber, CountedTurn};

/// What a position is worth to the side to move, as far as the database knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Probed {
    /// The result of best play.
    pub outcome: Outcome,
    /// Plies to the end of the game. `None` for a draw, and where the database has no distances and the
    /// rules alone do not tell.
    pub plies: Option<u16>,
}

impl Probed {
    /// What it is worth, to the player who moved, to have moved into a position of this value.
    pub fn before(self) -> Probed {
        Probed {
            outcome: self.outcome.reversed(),
            plies: self.plies.map(|plies| plies.saturating_add(1)),
        }
    }

    /// What the position after a turn of this worth is worth to the other side: [`before`](Self::before) the
    /// other way round. `None` where the game is over already.
    pub fn after(self) -> Option<Probed> {
        let plies = match self.plies {
            Some(plies) => Some(plies.checked_sub(1)?),
            None => None,
        };
        Some(Probed {
            outcome: self.outcome.reversed(),
            plies,
        })
    }

    /// Whether nothing can be better.
    fn wins_at_once(self) -> bool {
        self.outcome == Outcome::Win && self.plies == Some(1)
    }

    /// Sorts best first: short wins, long wins, draws, long losses, short losses. Of equal results that
    /// with an unknown distance is last.
    fn preference(self) -> (Reverse<Outcome>, bool, i32) {
        let plies = i32::from(self.plies.unwrap_or(0));
        let haste = if self.outcome == Outcome::Loss {
            -plies
        } else {
            plies
        };
        (Reverse(self.outcome), self.plies.is_none(), haste)
    }
}

/// What a database says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// What it is worth to the side to move.
    Known(Probed),
    /// The database lacks a sector without which it cannot be told.
    Unknown(Sector),
}

impl Answer {
    /// What the position is worth, if that is known.
    pub fn known(self) -> Option<Probed> {
        match self {
            Answer::Known(probed) => Some(probed),
            Answer::Unknown(_) => None,
        }
    }

    /// See [`Probed::before`].
    pub fn before(self) -> Answer {
        match self {
            Answer::Known(probed) => Answer::Known(probed.before()),
            unknown => unknown,
        }
    }

    /// The answer for a position, from the answers for all it can lead to, turned round already: the best
    /// of them. An unknown one leaves open whether there was a better one, and one of the same result in
    /// unknown plies whether there was a quicker win or a later loss.
    fn best(
        answers: impl IntoIterator<Item = Result<Answer, ProbeError>>,
    ) -> Result<Option<Answer>, ProbeError> {
        let (mut best, mut unknown): (Option<Probed>, _) = (None, None);
        let mut without_plies = [false; 3];
        for answer in answers {
            match answer? {
                Answer::Known(probed) => {
                    without_plies[probed.outcome as usize] |= probed.plies.is_none();
                    if best.is_none_or(|best| probed.preference() < best.preference()) {
                        best = Some(probed);
                    }
                }
                Answer::Unknown(sector) => unknown = unknown.or(Some(sector)),
            }
        }
        Ok(match (best, unknown) {
            // A win is a win, though another may be shorter.
            (Some(best), unknown) if unknown.is_none() || best.outcome == Outcome::Win => {
                let open = unknown.is_some() || without_plies[best.outcome as usize];
                let plies = best.plies.filter(|_| !open || best.wins_at_once());
                Some(Answer::Known(Probed { plies, ..best }))
            }
            (_, Some(sector)) => Some(Answer::Unknown(sector)),
            _ => None,
        })
    }
}

impl From<Value> for Probed {
    fn from(value: Value) -> Probed {
        Probed {
            outcome: value.outcome(),
            plies: value.plies(),
        }
    }
}

impl std::fmt::Display for Probed {
    /// `win in 5 plies`, `draw`, or `win` where the distance is not known.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.plies {
            Some(1) => write!(f, "{} in 1 ply", self.outcome),
            Some(plies) => write!(f, "{} in {plies} plies", self.outcome),
            None => write!(f, "{}", self.outcome),
        }
    }
}

/// Whether a position is worth what its turns are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It is, or the game is over.
    Agrees,
    /// The database lacks a sector without which it cannot be told.
    Unknown,
    /// It is not.
    Differs(Disagreement),
}

/// A position about which the database contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What it says.
    pub stored: Probed,
    /// What the best of the turns is worth by it.
    pub recomputed: Probed,
}

/// A choice and what it is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// What is done.
    pub choice: Choice,
    /// What it comes to, for the player who makes it and with this turn counted.
    pub answer: Answer,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The database cannot tell: it lacks the sector, or a file of it is damaged.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Turns were asked of a database of conversions without a count.
    #[error("the database {} holds conversions: what turns are worth there depends on the count", .0.display())]
    NeedsCount(std::path::PathBuf),
    /// A database of conversions was solved under a limit that does not tell about the one asked about.
    #[error(
        "the database was solved {}, which does not tell about a limit of {asked}: {}; \
         solve with --metric conversion --no-capture-limit {asked}",
        limit_text(*.solved), reason_text(*.longest, *.asked)
    )]
    OtherLimit {
        /// The limit asked about.
        asked: u16,
        /// The limit it was solved under.
        solved: Option<u16>,
        /// The greatest distance to a capture in it.
        longest: u16,
    },
    /// There is no such count in the position.
    #[error("not a count of the position: {0}")]
    Count(&'static str),
    /// A point has two men, or the board has no such point.
    #[error("not a position: {0}")]
    NotAPosition(&'static str),
}

fn limit_text(limit: Option<u16>) -> String {
    limit.map_or("without a no-capture limit".to_owned(), |limit| {
        format!("under a no-capture limit of {limit}")
    })
}

fn reason_text(longest: u16, asked: u16) -> String {
    match longest > asked {
        true => format!("it has captures that take up to {longest} plies"),
        false => format!("games of {longest} plies without a capture were cut off there"),
    }
}

/// Looks up positions in a database.
#[derive(Clone, Copy, Debug)]
pub struct Prober<'a> {
    database: &'a Database,
}

impl<'a> Prober<'a> {
    /// A prober over an open database.
    pub fn new(database: &'a Database) -> Prober<'a> {
        Prober { database }
    }

    /// The database.
    pub fn database(&self) -> &'a Database {
        self.database
    }

    /// What a position is worth to the side to move; in a database of conversions under its limit and at a count
    /// of 0, without plies. With `removals_due` that side is inside its turn and
    /// has to take so many men.
    ///
    /// # Errors
    /// When the men cannot stand like that, or a file of the database is wrong.
    pub fn value(&self, position: &Position, removals_due: u8) -> Result<Answer, ProbeError> {
        self.check(position)?;
        if removals_due > 0 {
            let best = self.look_ahead(position, removals_due)?;
            return best.ok_or(ProbeError::NotAPosition("there is nothing to take"));
        }
        match self.ending(position) {
            Some(over) => Ok(Answer::Known(over)),
            None => self.look_up(position),
        }
    }

    /// What many positions are worth, in their order. Those that share a block are looked up together, on
    /// all threads of the current rayon pool.
    pub fn values(&self, positions: &[Position]) -> Vec<Result<Answer, ProbeError>> {
        let index = self.database.index();
        let place = |position: &Position| {
            let known = self.check(position).is_ok() && self.database.has(position.sector());
            let sector = position.sector();
            (sector, if known { index.rank(position) } else { 0 })
        };
        let mut order: Vec<_> = positions.iter().map(place).zip(0usize..).collect();
        order.par_sort_unstable();
        let answers = order
            .par_iter()
            .with_min_len(256)
            .map(|&(_, at)| (at, self.value(&positions[at], 0)));
        let mut answers: Vec<_> = answers.collect();
        answers.sort_unstable_by_key(|&(at, _)| at);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    /// All that the side to move can do, best first: the shortest win, other wins, draws, the longest
    /// loss, other losses, and last what the database cannot tell. Equals are in the order of points.
    /// Empty if the game is over.
    ///
    /// # Errors
    /// As [`value`](Self::value), for the positions one turn later, and when the database is one of conversions
    /// ([`CountedProber`] ranks turns there).
    pub fn ranked(&self, position: &Position, removals_due: u8) -> Result<Vec<Ranked>, ProbeError> {
        self.check_no_count()?;
        self.check(position)?;
        let mut ranked = Vec::new();
        for choice in self.choices(position, removals_due) {
            let answer = self.value(&self.after(position, choice), 0)?.before();
            ranked.push(Ranked { choice, answer });
        }
        ranked.sort_by_key(|ranked| {
            let preference = ranked.answer.known().map(Probed::preference);
            (preference.is_none(), preference, ranked.choice)
        });
        Ok(ranked)
    }

    /// Best play for both sides, from a decided position to the end of the game, at most `limit` turns
    /// of it. Empty if the position is drawn or the database has no distances, without which no turn is
    /// known to come nearer to the end; cut short where the database lacks a sector or its distances.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn line(
        &self,
        position: &Position,
        removals_due: u8,
        limit: usize,
    ) -> Result<Vec<Choice>, ProbeError> {
        let mut line = Vec::new();
        if self.database.contents() != Contents::Distances {
            return Ok(line);
        }
        let (mut position, mut removals_due) = (*position, removals_due);
        let mut value = self.value(&position, removals_due)?;
        while line.len() < limit {
            let Answer::Known(Probed { plies: Some(_), .. }) = value else {
                break;
            };
            // Where a sector is missing there may be no turn that is known to be worth so much.
            let Some((choice, next)) = self.turn_worth(value, &position, removals_due)? else {
                break;
            };
            line.push(choice);
            (position, removals_due) = (self.after(&position, choice), 0);
            value = next;
        }
        Ok(line)
    }

    /// The first choice worth so much, in the order of points, with what the position is worth that it leads to.
    fn turn_worth(
        &self,
        value: Answer,
        position: &Position,
        removals_due: u8,
    ) -> Result<Option<(Choice, Answer)>, ProbeError> {
        let mut choices = self.choices(position, removals_due);
        choices.sort_unstable();
        for choice in choices {
            let next = self.value(&self.after(position, choice), 0)?;
            if next.before() == value {
                return Ok(Some((choice, next)));
            }
        }
        Ok(None)
    }

    /// Compares what the database says of a position with the best of its turns. A quick look, against [`consistency`](crate::verify::consistency) for all positions.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn agreement(&self, position: &Position) -> Result<Agreement, ProbeError> {
        self.check_no_count()?;
        if self.ending(position).is_some() {
            return Ok(Agreement::Agrees);
        }
        let Answer::Known(stored) = self.value(position, 0)? else {
            return Ok(Agreement::Unknown);
        };
        let Some(Answer::Known(recomputed)) = self.look_ahead(position, 0)? else {
            return Ok(Agreement::Unknown);
        };
        let plies_differ = match (stored.plies, recomputed.plies) {
            (Some(stored), Some(recomputed)) => stored != recomputed,
            _ => false,
        };
        if stored.outcome != recomputed.outcome || plies_differ {
            return Ok(Agreement::Differs(Disagreement { stored, recomputed }));
        }
        Ok(Agreement::Agrees)
    }

    /// Without a count it is open what the turns are worth.
    fn check_no_count(&self) -> Result<(), ProbeError> {
        match self.database.contents() {
            Contents::Conversions => Err(ProbeError::NeedsCount(self.database.dir().to_owned())),
            _ => Ok(()),
        }
    }

    /// The best that the side to move can do, `None` if there is nothing.
    fn look_ahead(
        &self,
        position: &Position,
        removals_due: u8,
    ) -> Result<Option<Answer>, ProbeError> {
        let choices = self.choices(position, removals_due).into_iter();
        Answer::best(choices.map(|choice| {
            let answer = self.value(&self.after(position, choice), 0)?;
            Ok(answer.before())
        }))
    }

    fn choices(&self, position: &Position, removals_due: u8) -> Vec<Choice> {
        self.database.variant().choices(position, removals_due)
    }

    fn after(&self, position: &Position, choice: Choice) -> Position {
        self.database.variant().after(position, choice)
    }

    /// The value of a game that is over.
    fn ending(&self, position: &Position) -> Option<Probed> {
        let outcome = self.database.variant().ending(position)?;
        let plies = (outcome != Outcome::Draw).then_some(0);
        Some(Probed { outcome, plies })
    }

    fn look_up(&self, position: &Position) -> Result<Answer, ProbeError> {
        let (database, sector) = (self.database, position.sector());
        match self.stored(position) {
            Ok(Some(probed)) => Ok(Answer::Known(probed)),
            // The manifest was checked: no turn leads from one such sector to another.
            Ok(None) => {
                let best = self.look_ahead(position, 0)?;
                best.ok_or(ProbeError::NotAPosition("the side to move has no turn"))
            }
            Err(DatabaseError::NoSector { .. }) if database.covers(sector) => {
                Ok(Answer::Unknown(sector))
            }
            Err(DatabaseError::NotInstalled { sector, .. }) => Ok(Answer::Unknown(sector)),
            Err(error) => Err(error.into()),
        }
    }

    /// What the files say, `None` if the sector is in none of them.
    fn stored(&self, position: &Position) -> Result<Option<Probed>, DatabaseError> {
        let (database, sector) = (self.database, position.sector());
        if database.is_derived(sector)? {
            return Ok(None);
        }
        // Opens the file, so that positions of sectors that do not exist never reach the index.
        database.sector(sector)?;
        let cell = database.index().rank(position);
        let result_alone = || {
            let outcome = database.outcome(sector, cell)?;
            Ok::<_, DatabaseError>(Probed {
                outcome,
                plies: None,
            })
        };
        Ok(Some(match database.contents() {
            Contents::Distances => match database.score(sector, cell) {
                // The distances of this sector alone are not there.
                Err(DatabaseError::NotInstalled { .. }) => result_alone()?,
                score => score?.value().into(),
            },
            Contents::Values | Contents::Conversions => result_alone()?,
        }))
    }

    fn check(&self, position: &Position) -> Result<(), ProbeError> {
        if position.mover & position.opponent != 0 {
            return Err(ProbeError::NotAPosition("a point has two men"));
        }
        if position.occupied() & !self.database.variant().board.all_points() != 0 {
            return Err(ProbeError::NotAPosition("the board has no such point"));
        }
        Ok(())
    }
}
