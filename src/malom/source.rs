//! Our database as a source of whole sectors, however it keeps them.

use std::sync::Arc;

use super::{Game, MalomError};
use crate::database::{Contents, Database};
use crate::game::{Sector, Variant};
use crate::verify::consistency::Checker;

/// A database of distances to the end of the game.
#[derive(Debug)]
pub struct Source<'a> {
    database: &'a Database,
    game: Game,
    /// Recomputes sectors that are in no file, if there are any.
    checker: Option<Checker<'a>>,
}

impl<'a> Source<'a> {
    /// A database of a game that Malom knows.
    pub fn new(database: &'a Database) -> Result<Source<'a>, MalomError> {
        let game = Game::of(database.variant())?;
        if database.contents() != Contents::Distances {
            return Err(MalomError::NoDistances {
                path: database.dir().to_owned(),
                found: database.contents(),
            });
        }
        let mut sectors = database.manifest().sectors.iter();
        let checker = match sectors.any(|record| record.derived) {
            true => Some(Checker::new(database)?),
            false => None,
        };
        Ok(Source {
            database,
            game,
            checker,
        })
    }

    /// What Malom calls the game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        self.database.variant()
    }

    /// The sectors that the database has.
    pub fn sectors(&self) -> impl Iterator<Item = Sector> {
        self.database.manifest().sectors.iter().map(|s| s.sector)
    }

    /// The score of every cell of a sector.
    pub fn scores(&self, sector: Sector) -> Result<Arc<Vec<u8>>, MalomError> {
        match &self.checker {
            Some(checker) if self.database.is_derived(sector)? => Ok(checker.scores(sector)?),
            _ => Ok(Arc::new(self.database.read_sector(sector)?)),
        }
    }
}
