//! Questions in words: an open database that is asked with position texts.
//!
//! ```
//! use millbase::answer::{TextProber, Word};
//! use millbase::game::Variant;
//! use millbase::solve::{Silent, SolveOptions, solve};
//!
//! let folder = tempfile::tempdir()?;
//! let variant = Variant::builtin("three-diagonal")?;
//! solve(&variant, folder.path(), &SolveOptions::default(), &Silent)?;
//!
//! let prober = TextProber::open(folder.path())?;
//! assert_eq!(prober.probe("start")?.worth.value, Word::Win);
//! let best = &prober.moves("start")?[0];
//! assert_eq!(best.turn.text, "b2");
//! assert_eq!(prober.probe(&best.position)?.worth.value, Word::Loss);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;

use rayon::prelude::*;
use thiserror::Error;

use super::position::{LINE_LIMIT, PositionAnswer, TurnAnswer};
use crate::database::{Contents, Database, DatabaseError};
use crate::game::Position;
use crate::notation::{
    Notation, PositionError, PositionReader, ReadPosition, Style, write_position,
};
use crate::probe::{ProbeError, Prober, Ranked};

/// A database of values or distances that answers about positions given as texts, from any number of
/// threads. The texts are those that [`PositionReader::read`] takes.
#[derive(Debug)]
pub struct TextProber {
    database: Database,
    reader: PositionReader<'static>,
}

/// A turn, what it is worth to the player who makes it, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The turn and what it is worth.
    pub turn: TurnAnswer,
    /// The position after it, as a text of Sanmill with 17 fields. The opponent is to move there.
    pub position: String,
}

/// Why a question has no answer.
#[derive(Debug, Error)]
pub enum QuestionError {
    /// The text is no position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The database cannot tell.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl From<DatabaseError> for QuestionError {
    fn from(error: DatabaseError) -> QuestionError {
        QuestionError::Probe(error.into())
    }
}

impl TextProber {
    /// Opens a database.
    ///
    /// # Errors
    /// As [`Database::open`], and when it is one of conversions, which have to be asked with a count.
    pub fn open(dir: &Path) -> Result<TextProber, QuestionError> {
        let database = Database::open(dir)?;
        if database.contents() == Contents::Conversions {
            return Err(ProbeError::NeedsCount(dir.to_owned()).into());
        }
        let reader = PositionReader::owning(database.variant().clone());
        Ok(TextProber { database, reader })
    }

    /// The database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// What a position is worth to the side to move; without turns and best line.
    ///
    /// # Errors
    /// When the text is no position of the game, or a file of the database is wrong.
    pub fn probe(&self, text: &str) -> Result<PositionAnswer<'_>, QuestionError> {
        let read = self.reader.read(text)?;
        Ok(PositionAnswer::of(&self.database, &read, false, false)?)
    }

    /// What many positions are worth, in their order and each with its own errors as [`probe`](Self::probe),
    /// found on all threads of the current rayon pool. Those that share a block of the database are looked up
    /// together.
    pub fn probe_many<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
    ) -> Vec<Result<PositionAnswer<'_>, QuestionError>> {
        let read = |text: &T| self.reader.read(text.as_ref());
        let read: Vec<_> = texts.par_iter().map(read).collect();
        let between: Vec<Position> = read
            .iter()
            .flatten()
            .filter(|read| read.removals_due == 0)
            .map(|read| read.position)
            .collect();
        let prober = Prober::new(&self.database);
        let mut values = prober.values(&between).into_iter();
        let answer = |read: Result<ReadPosition, PositionError>| {
            let read = read?;
            let value = match read.removals_due {
                0 => values.next(),
                _ => None,
            };
            let value = value.unwrap_or_else(|| prober.value(&read.position, read.removals_due));
            Ok(PositionAnswer::told(&self.database, &read, value?))
        };
        read.into_iter().map(answer).collect()
    }

    /// All turns, best first, as [`Prober::ranked`] has them. Empty if the game is over.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    pub fn moves(&self, text: &str) -> Result<Vec<Continuation>, QuestionError> {
        let read = self.reader.read(text)?;
        let (database, variant) = (&self.database, self.database.variant());
        let notation = Notation::new(&variant.board, Style::Labels);
        let ranked = Prober::new(database).ranked(&read.position, read.removals_due)?;
        let continuation = |turn: Ranked| {
            let after = variant.after(&read.position, turn.choice);
            Continuation {
                position: write_position(variant, &after.into()),
                turn: TurnAnswer::of(database, &notation, turn),
            }
        };
        Ok(ranked.into_iter().map(continuation).collect())
    }

    /// Best play for both sides to the end of the game, as [`Prober::line`] has it.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    pub fn line(&self, text: &str) -> Result<Vec<String>, QuestionError> {
        let read = self.reader.read(text)?;
        let notation = Notation::new(&self.database.variant().board, Style::Labels);
        let prober = Prober::new(&self.database);
        let line = prober.line(&read.position, read.removals_due, LINE_LIMIT)?;
        Ok(line.into_iter().map(|c| notation.write(c)).collect())
    }
}
