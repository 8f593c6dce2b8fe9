//! Scores of a database of conversions, and what they are worth a turn earlier.
//!
//! Recomputing compares bytes in the order of preference, also of distances that no position has: a loss in
//! the greatest distance there is is worth a win in one more to the side that moved there. So the bytes of
//! the database are translated into those of a longer list, in which every distance has its successor:
//!
//! ```text
//! the database has   losses 0 2      wins 1 3
//! the check          losses 0 1 2 4  wins 1 3
//! ```

use super::recompute::Turned;
use crate::conversion::{Counting, TooManyDistances};
use crate::value::{Outcome, Score};

/// About as many distances as bytes can stand for, of wins or losses.
const MOST: usize = 127;

/// The bytes of the check.
#[derive(Debug)]
pub struct Counted {
    counting: Counting,
    /// From bytes of the database.
    recode: [u8; 256],
    /// Turns while men move.
    pub moving: Turned,
    /// Turns with men in hand, which only hand results on.
    pub placing: Turned,
}

impl Counted {
    /// For a database with this numbering.
    ///
    /// # Errors
    /// When the longer list does not fit.
    pub fn new(stored: &Counting) -> Result<Counted, TooManyDistances> {
        let limit = stored.limit();
        let later = |(outcome, plies): (Outcome, u16)| (outcome.reversed(), plies + 1);
        let at_once = [(Outcome::Win, 1), (Outcome::Loss, 1)];
        let values = stored
            .values()
            .chain(stored.values().map(later))
            .chain(at_once);
        let counting = Counting::new(limit, values)?;
        let byte = |outcome, plies| counting.score(outcome, plies).unwrap_or(Score::DRAW).0;
        let each = |value: &dyn Fn(u8) -> u8| std::array::from_fn(|score| value(score as u8));
        // A byte that stands for nothing must not look like one that does.
        let unused = (0..=u8::MAX).find(|&score| counting.conversion(Score(score)).is_none());
        let damaged = unused.ok_or(TooManyDistances {
            losses: MOST,
            wins: MOST,
        })?;
        let recode = each(&|score| match stored.conversion(Score(score)) {
            Some(value) => byte(value.outcome, value.plies.unwrap_or(0)),
            None => damaged,
        });
        let quiet = each(&|score| match counting.conversion(Score(score)) {
            Some(value) => match value.plies.map(|plies| plies + 1) {
                Some(plies) if limit.is_none_or(|limit| plies <= limit) => {
                    byte(value.outcome.reversed(), plies)
                }
                _ => Score::DRAW.0,
            },
            None => Score::DRAW.0,
        });
        let capture = each(&|score| match Score(score).outcome() {
            Outcome::Draw => Score::DRAW.0,
            outcome => byte(outcome.reversed(), 1),
        });
        Ok(Counted {
            recode,
            moving: Turned { quiet, capture },
            placing: Turned {
                quiet: capture,
                capture,
            },
            counting,
        })
    }

    /// Translates bytes of the database.
    pub fn recode(&self, score: u8) -> u8 {
        self.recode[usize::from(score)]
    }

    /// What a byte of the check says.
    pub fn text(&self, score: Score) -> String {
        self.counting
            .conversion(score)
            .map_or("no value".to_owned(), |value| value.to_string())
    }
}
