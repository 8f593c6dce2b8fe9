//! A movement layer out of another database.
//!
//! With empty hands it no longer matters how many men the sides began with, how they placed them, or what a
//! board filled by placing is worth. Games that differ in nothing else have their sectors with empty hands
//! in common, as far as both have them, and one run for them is enough:
//!
//! ```text
//! twelve-db     12-12  12-11 ... 11-11 ... 9-9 ... 3-3   + men in hand
//!                 |      |         |        |       |
//! eleven          -      -       11-11 ... 9-9 ... 3-3   + men in hand of its own
//! ```
//!
//! Only a sector that fills the board is worth what the rules of each game say; it holds finished games
//! alone and is written without looking at the other database.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{MovementFrom, Progress, cube};
use crate::database::{Cells, Contents, Database, DatabaseError, DatabaseWriter, Io, OpenOptions};
use crate::game::{Placing, Sector, Variant};
use crate::value::{Outcome, Score, Value};

/// Why a movement layer cannot be taken from a database.
#[derive(Debug, Error)]
pub enum MovementSourceError {
    /// The source cannot be read, or lacks a sector.
    #[error("the movement layer cannot be taken over: {0}")]
    Database(#[from] DatabaseError),
    /// The source is of a game with another movement phase, or does not hold what is wanted.
    #[error("{} cannot give its movement layer to {variant}: {reason}", dir.display())]
    Unfit {
        /// Folder of the source.
        dir: PathBuf,
        /// Id of the variant to solve.
        variant: String,
        /// What does not fit.
        reason: String,
    },
}

/// A database that has all sectors with empty hands of a game to be solved.
#[derive(Debug)]
pub struct MovementSource {
    database: Database,
    sectors: Vec<Sector>,
}

impl MovementSource {
    /// Opens a database and makes sure that it fits: that the movement phases are the same, and that those
    /// of `sectors` without men in hand are there, with distances if these are wanted.
    ///
    /// # Errors
    /// What does not fit; nothing has been written then.
    pub fn open(
        dir: &Path,
        variant: &Variant,
        sectors: &[Sector],
        contents: Contents,
    ) -> Result<MovementSource, MovementSourceError> {
        let unfit = |reason: String| MovementSourceError::Unfit {
            dir: dir.to_owned(),
            variant: variant.id.clone(),
            reason,
        };
        if let Err(error) = cube::supports(variant) {
            let reason = format!("a game of the plain solver is solved as a whole, as {error}");
            return Err(unfit(reason));
        }
        if variant.rules.placing == Placing::PlaceOrMove {
            let reason = "where men may move before all are placed, the layers above need more of a layer than its values";
            return Err(unfit(reason.to_owned()));
        }
        // Whole sectors are read once: maps would only count as memory in use.
        let options = OpenOptions {
            io: Io::Read,
            ..OpenOptions::default()
        };
        let database = Database::open_with(dir, options)?;
        let other = database.variant();
        if let Some(difference) = variant.movement_difference(other) {
            let reason = format!("it is of {}, which differs in {difference}", other.id);
            return Err(unfit(reason));
        }
        if [contents, database.contents()].contains(&Contents::Conversions) {
            return Err(unfit("conversions are not taken over".to_owned()));
        }
        if contents == Contents::Distances && database.contents() == Contents::Values {
            return Err(unfit("it has no distances".to_owned()));
        }
        let empty_hands = sectors.iter().filter(|sector| sector.in_hand() == 0);
        let source = MovementSource {
            sectors: empty_hands.copied().collect(),
            database,
        };
        for &sector in &source.sectors {
            source.check(variant, sector).map_err(|error| match error {
                DatabaseError::NoSector { .. } => unfit(format!("it has no sector {sector}")),
                DatabaseError::Derived { .. } => unfit(format!(
                    "it is packed and does not store sector {sector}; the database it was packed from does"
                )),
                error => error.into(),
            })?;
        }
        Ok(source)
    }

    /// What identifies the source.
    pub fn name(&self) -> MovementFrom {
        let manifest = self.database.manifest();
        MovementFrom {
            variant: manifest.variant.clone(),
            fingerprint: manifest.fingerprint.clone(),
            files_digest: manifest.files_digest(),
        }
    }

    /// Writes the sectors with empty hands into a database of the variant this source was opened for.
    ///
    /// Every file is held against its digest before it is used.
    ///
    /// # Errors
    /// When the source is damaged, or the new database cannot be written.
    pub fn copy(
        &self,
        store: &DatabaseWriter,
        progress: &dyn Progress,
    ) -> Result<(), MovementSourceError> {
        let cells = self.sectors.iter().map(|&sector| store.index().len(sector));
        progress.stage("taking movement", cells.sum());
        for &sector in &self.sectors {
            if store.has(sector) {
                // An earlier run has taken it.
            } else if fills_board(store.variant(), sector) {
                write_finished(store, sector)?;
            } else {
                self.database.check_digests(sector)?;
                self.copy_sector(store, sector)?;
            }
            progress.advance(store.index().len(sector));
        }
        Ok(())
    }

    /// Makes sure that a sector is stored.
    fn check(&self, variant: &Variant, sector: Sector) -> Result<(), DatabaseError> {
        match fills_board(variant, sector) {
            true => Ok(()),
            false => self.database.sector(sector).map(drop),
        }
    }

    fn copy_sector(&self, store: &DatabaseWriter, sector: Sector) -> Result<(), DatabaseError> {
        match store.contents() {
            Contents::Distances => {
                let scores = self.database.read_sector(sector)?;
                store.write_sector(sector, Cells::Scores(&scores))?
            }
            Contents::Values | Contents::Conversions => {
                let (win, loss) = &self.database.read_planes(sector)?;
                store.write_sector(sector, Cells::Planes { win, loss })?
            }
        };
        Ok(())
    }
}

/// Whether the men of a sector leave no point empty.
fn fills_board(variant: &Variant, sector: Sector) -> bool {
    usize::from(sector.mover) + usize::from(sector.opponent) == variant.board.point_count()
}

/// Writes a sector of full boards, all of them finished games.
fn write_finished(store: &DatabaseWriter, sector: Sector) -> Result<(), DatabaseError> {
    let cells = store.index().len(sector);
    let is_lost = |cell| {
        let position = store.index().position(sector, cell);
        store.variant().ending(&position) == Some(Outcome::Loss)
    };
    match store.contents() {
        Contents::Distances => {
            let score = |cell| {
                let value = if is_lost(cell) {
                    Value::Loss(0)
                } else {
                    Value::Draw
                };
                Score::from_value(value).unwrap_or(Score::DRAW).0
            };
            let scores: Vec<u8> = (0..cells).map(score).collect();
            store.write_sector(sector, Cells::Scores(&scores))?
        }
        Contents::Values | Contents::Conversions => {
            let words = cells.div_ceil(64) as usize;
            let (win, mut loss) = (vec![0; words], vec![0; words]);
            for cell in (0..cells).filter(|&cell| is_lost(cell)) {
                loss[(cell / 64) as usize] |= 1u64 << (cell % 64);
            }
            let (win, loss) = (&win, &loss);
            store.write_sector(sector, Cells::Planes { win, loss })?
        }
    };
    Ok(())
}
