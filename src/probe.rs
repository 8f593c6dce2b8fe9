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

use std::cmp::Reverse;

use thiserror::Error;

use crate::database::{Contents, Database, DatabaseError};
use crate::game::{PointSet, Position, Turn};
use crate::value::{Outcome, Value};

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

impl From<Value> for Probed {
    fn from(value: Value) -> Probed {
        Probed {
            outcome: value.outcome(),
            plies: value.plies(),
        }
    }
}

/// What a player can do in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// A complete turn.
    Turn(Turn),
    /// The rest of a turn whose mill is closed already: these men are taken.
    Removal(PointSet),
}

/// A choice and what it is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// What is done.
    pub choice: Choice,
    /// The result of best play after it.
    pub outcome: Outcome,
    /// Plies to the end of the game, with this turn; see [`Probed::plies`].
    pub plies: Option<u16>,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The database cannot tell: it lacks the sector, or a file of it is damaged.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A point has two men, or the board has no such point.
    #[error("not a position: {0}")]
    NotAPosition(&'static str),
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

    /// What a position is worth to the side to move. With `removals_due` that side is inside its turn and
    /// has to take so many men.
    ///
    /// # Errors
    /// When the men cannot stand like that, or the database cannot tell.
    pub fn value(&self, position: &Position, removals_due: u8) -> Result<Probed, ProbeError> {
        self.check(position)?;
        if removals_due > 0 {
            let ranked = self.ranked(position, removals_due)?;
            let best = ranked
                .first()
                .ok_or(ProbeError::NotAPosition("there is nothing to take"))?;
            return Ok(Probed {
                outcome: best.outcome,
                plies: best.plies,
            });
        }
        match self.ending(position) {
            Some(over) => Ok(over),
            None => self.look_up(position),
        }
    }

    /// All that the side to move can do, best first: the shortest win, other wins, draws, the longest
    /// loss, other losses. Equals are in the order of points. Empty if the game is over.
    ///
    /// # Errors
    /// As [`value`](Self::value), for the positions one turn later.
    pub fn ranked(&self, position: &Position, removals_due: u8) -> Result<Vec<Ranked>, ProbeError> {
        self.check(position)?;
        let mut ranked = Vec::new();
        for choice in self.choices(position, removals_due) {
            let Probed { outcome, plies } = self.value(&self.after(position, choice), 0)?.before();
            ranked.push(Ranked {
                choice,
                outcome,
                plies,
            });
        }
        ranked.sort_by_key(
            |&Ranked {
                 choice,
                 outcome,
                 plies,
             }| { (Probed { outcome, plies }.preference(), choice) },
        );
        Ok(ranked)
    }

    /// Best play for both sides, from a decided position to the end of the game, at most `limit` turns
    /// of it. Empty if the position is drawn or the database has no distances, without which no turn is
    /// known to come nearer to the end.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn line(
        &self,
        position: &Position,
        removals_due: u8,
        limit: usize,
    ) -> Result<Vec<Choice>, ProbeError> {
        let (mut position, mut removals_due) = (*position, removals_due);
        let mut line = Vec::new();
        while self.database.contents() == Contents::Distances && line.len() < limit {
            let ranked = self.ranked(&position, removals_due)?;
            let Some(best) = ranked.first().filter(|best| best.outcome != Outcome::Draw) else {
                break;
            };
            line.push(best.choice);
            (position, removals_due) = (self.after(&position, best.choice), 0);
        }
        Ok(line)
    }

    fn choices(&self, position: &Position, removals_due: u8) -> Vec<Choice> {
        let variant = self.database.variant();
        if removals_due > 0 {
            let sets = variant.removal_sets(position, removals_due);
            sets.into_iter().map(Choice::Removal).collect()
        } else {
            variant
                .turns(position)
                .into_iter()
                .map(Choice::Turn)
                .collect()
        }
    }

    fn after(&self, position: &Position, choice: Choice) -> Position {
        let variant = self.database.variant();
        match choice {
            Choice::Turn(turn) => variant.play(position, &turn),
            Choice::Removal(removed) => variant.take(position, removed),
        }
    }

    /// The value of a game that is over.
    fn ending(&self, position: &Position) -> Option<Probed> {
        let outcome = self.database.variant().ending(position)?;
        let plies = (outcome != Outcome::Draw).then_some(0);
        Some(Probed { outcome, plies })
    }

    fn look_up(&self, position: &Position) -> Result<Probed, ProbeError> {
        let (database, sector) = (self.database, position.sector());
        // Opens the file, so that positions of sectors that do not exist never reach the index.
        database.sector(sector)?;
        let cell = database.index().rank(position);
        Ok(match database.contents() {
            Contents::Distances => database.score(sector, cell)?.value().into(),
            Contents::Values => Probed {
                outcome: database.outcome(sector, cell)?,
                plies: None,
            },
        })
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
