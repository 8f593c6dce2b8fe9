//! What a position is worth when games without captures are drawn.
//!
//! Many rule books end a game as a draw when so many plies, the *no-capture limit* N, have been played without
//! a capture; programs count 100 plies, some rules fifty. Then a position is worth something only together
//! with its *count* k, the plies since the last capture:
//!
//! ```text
//! limit 10, won with the next capture within 7 plies:
//!   count    0 1 2 3 | 4 5 6 7 8 9 10
//!   worth    win win | draw: seven plies are more than are left
//! ```
//!
//! # The rule
//!
//! - The count runs while both hands are empty. It is 0 in every position with men in hand and in the first
//!   one without; a turn that takes a man makes it 0; any other turn adds one, also one that closes a mill
//!   from which nothing may be taken.
//! - A game that has ended (the side to move is blocked, or a mill has won) has its result, whatever the
//!   count: blocking the opponent with the Nth ply still wins, as a capture on the Nth ply still counts.
//!   (Programs that look at the count first call the former a draw; they differ in no other case.)
//! - Otherwise a position with count N is a draw.
//!
//! # The distance to conversion
//!
//! Let v(q) be what the position q after a capture is worth; its count is 0 and it has fewer men, so v is
//! known before the position it came from is looked at. Among positions of equal men define:
//!
//! ```text
//! lost in 0      the game is over and lost
//! won in d       some turn takes a man and leaves the opponent lost (d = 1),
//!                or leads, without a capture, to a loss in d - 1; the least such d
//! lost in d      every turn takes a man and leaves the opponent won, or leads to a win in d - 1 at most;
//!                the least such d, that of the longest turn
//! ```
//!
//! So the winner hurries to the next capture or end of the game, the loser delays it, and a loser who has
//! nothing but captures left makes the conversion himself. That is why, other than plies to the end of the
//! game, wins may be in an even and losses in an odd number of plies.
//!
//! **A position with count k is decided exactly if its distance d is at most N - k, else drawn.** Let r = N - k
//! be the plies left, and say that a position is decided with r left if it is won or lost then under the rule.
//! For r = 0 those are the games that are over: d = 0. For r > 0 the rule says: won if a capture leaves the
//! opponent lost (its value v does not depend on r, as the capture makes the count 0: the captures that help
//! are the same for every count), or if another turn leads to a position that is lost with r - 1 left; lost if
//! every turn is met by a win in that sense. By induction on r these are the positions of distance up to r:
//! those decided with r - 1 left stay so with r, since both conditions only get easier, and no position is won
//! with one r and lost with another. That the loser's longest turn counts follows: he escapes if any turn
//! leads to a win that needs more than r - 1.
//!
//! With men in hand the count is 0 after every turn, so such a position has a result and no distance.
//!
//! # One solution for several limits
//!
//! v depends on N, so each limit needs its own solution, with one exception: distances have no gaps (a
//! position with d > 1 has a turn to one with d - 1). If the greatest is less than N then nothing was cut
//! off, and every limit from that greatest distance on gives the same results and distances:
//! [`Counting::answers`].

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::value::{Outcome, Score};

/// What the distances of a solution count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Plies to the end of the game.
    #[default]
    End,
    /// Plies to the next capture or the end of the game, see the [module](self).
    Conversion {
        /// Plies without a capture that draw the game; `None` for no limit.
        limit: Option<u16>,
    },
}

/// What a position is worth at a count of 0, or of so many plies as were asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conversion {
    /// The result of best play, for the side to move.
    pub outcome: Outcome,
    /// Plies to the next capture, or to the end of the game if that comes first, when the winner hurries and
    /// the loser resists. `None` for draws, and in positions with men in hand.
    pub plies: Option<u16>,
}

impl Conversion {
    /// A draw.
    pub const DRAW: Conversion = Conversion {
        outcome: Outcome::Draw,
        plies: None,
    };

    /// The same position when only so many plies are left before the game is drawn (`None`: any number).
    pub fn with_left(self, left: Option<u16>) -> Conversion {
        match (self.plies, left) {
            (Some(plies), Some(left)) if plies > left => Conversion::DRAW,
            _ => self,
        }
    }
}

impl fmt::Display for Conversion {
    /// `win, next capture within 5 plies`, `draw`, `loss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies {
            Some(0) => write!(f, "{}, the game is over", self.outcome),
            Some(1) => write!(f, "{}, next capture within 1 ply", self.outcome),
            Some(plies) => write!(f, "{}, next capture within {plies} plies", self.outcome),
            None => write!(f, "{}", self.outcome),
        }
    }
}

/// How a database of conversions stores its values, and which limit they are for.
///
/// A byte holds a rank among the distances that occur, so that the mover's preference is still the order of
/// bytes and the results are where a [`Score`] has them:
///
/// ```text
/// losses 0 1 2 4    bytes  0 1 2 3        128       254 255       wins 1 3
///                       in 0 1 2 4        draw    in  3   1
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counting {
    /// Plies without a capture that draw the game; `None` for no limit.
    limit: Option<u16>,
    /// The distances of losses, ascending: byte 0, 1, ...
    losses: Vec<u16>,
    /// The distances of wins, ascending: byte 255, 254, ...
    wins: Vec<u16>,
}

/// More distances than a byte can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "there are {losses} distances of losses and {wins} of wins up to the next capture, more than a database stores: \
     give a no-capture limit of {} plies or less",
    Counting::ALWAYS_FITS
)]
pub struct TooManyDistances {
    /// How many distances losses have.
    pub losses: usize,
    /// How many distances wins have.
    pub wins: usize,
}

const MOST_LOSSES: usize = 128;
const MOST_WINS: usize = 127;

impl Counting {
    /// Distances up to this many plies always fit.
    pub const ALWAYS_FITS: u16 = 127;

    /// The numbering of these distances, of wins and losses.
    ///
    /// # Errors
    /// When there are too many.
    pub fn new(
        limit: Option<u16>,
        found: impl IntoIterator<Item = (Outcome, u16)>,
    ) -> Result<Counting, TooManyDistances> {
        // Byte 0 is the loss that is there already, whether or not a position has it.
        let (mut losses, mut wins) = (BTreeSet::from([0]), BTreeSet::new());
        for (outcome, plies) in found {
            match outcome {
                Outcome::Loss => losses.insert(plies),
                Outcome::Win => wins.insert(plies),
                Outcome::Draw => false,
            };
        }
        if losses.len() > MOST_LOSSES || wins.len() > MOST_WINS {
            let (losses, wins) = (losses.len(), wins.len());
            return Err(TooManyDistances { losses, wins });
        }
        Ok(Counting {
            limit,
            losses: losses.into_iter().collect(),
            wins: wins.into_iter().collect(),
        })
    }

    /// Plies without a capture that draw the game; `None` for no limit.
    pub fn limit(&self) -> Option<u16> {
        self.limit
    }

    /// The greatest distance.
    pub fn longest(&self) -> u16 {
        let last = |plies: &[u16]| plies.last().copied().unwrap_or(0);
        last(&self.losses).max(last(&self.wins))
    }

    /// Whether the solution is that of another limit, too: see the [module](self).
    pub fn answers(&self, limit: u16) -> bool {
        let nothing_cut_off = self.limit.is_none_or(|own| self.longest() < own);
        self.limit == Some(limit) || (nothing_cut_off && self.longest() <= limit)
    }

    /// The byte of a value; `None` if the distance does not occur.
    pub fn score(&self, outcome: Outcome, plies: u16) -> Option<Score> {
        let rank = |distances: &[u16]| distances.binary_search(&plies).ok();
        match outcome {
            Outcome::Draw => Some(Score::DRAW),
            Outcome::Loss => rank(&self.losses).map(|rank| Score(rank as u8)),
            Outcome::Win => rank(&self.wins).map(|rank| Score(255 - rank as u8)),
        }
    }

    /// The value of a byte; `None` if the byte stands for none.
    pub fn conversion(&self, score: Score) -> Option<Conversion> {
        let outcome = score.outcome();
        let plies = match outcome {
            Outcome::Draw => return Some(Conversion::DRAW),
            Outcome::Loss => self.losses.get(usize::from(score.0)),
            Outcome::Win => self.wins.get(usize::from(255 - score.0)),
        };
        let plies = Some(*plies?);
        Some(Conversion { outcome, plies })
    }

    /// All values that occur, but for the draw.
    pub fn values(&self) -> impl Iterator<Item = (Outcome, u16)> {
        let losses = self.losses.iter().map(|&plies| (Outcome::Loss, plies));
        losses.chain(self.wins.iter().map(|&plies| (Outcome::Win, plies)))
    }

    /// Whether a numbering that was read makes sense; what is wrong if not.
    ///
    /// # Errors
    /// A few words.
    pub fn check(&self) -> Result<(), &'static str> {
        let ascending = |plies: &[u16]| plies.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending(&self.losses) || !ascending(&self.wins) {
            return Err("distances that are not in ascending order");
        }
        if self.losses.first() != Some(&0) || self.wins.first() == Some(&0) {
            return Err("a win in 0 plies, or no loss in 0");
        }
        if self.losses.len() > MOST_LOSSES || self.wins.len() > MOST_WINS {
            return Err("more distances than bytes");
        }
        match self.limit {
            Some(0) => Err("a limit of 0 plies"),
            Some(limit) if limit < self.longest() => Err("distances beyond its limit"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(limit: Option<u16>, most: u16) -> Counting {
        let losses = (0..=most).map(|plies| (Outcome::Loss, plies));
        let wins = (1..=most).map(|plies| (Outcome::Win, plies));
        Counting::new(limit, losses.chain(wins)).unwrap()
    }

    #[test]
    fn bytes_are_in_the_order_of_preference_and_tell_the_values() {
        let counting = counting(Some(127), Counting::ALWAYS_FITS);
        counting.check().unwrap();
        let values: Vec<Option<Conversion>> = (0..=255)
            .map(|byte| counting.conversion(Score(byte)))
            .collect();
        assert!(values.iter().all(Option::is_some));
        for byte in 0..=255 {
            let value = values[usize::from(byte)].unwrap();
            assert_eq!(value.outcome, Score(byte).outcome());
            let plies = value.plies.unwrap_or(0);
            assert_eq!(counting.score(value.outcome, plies), Some(Score(byte)));
        }
        let plies = |byte: usize| values[byte].unwrap().plies;
        assert_eq!((plies(0), plies(127)), (Some(0), Some(127)));
        assert_eq!((plies(129), plies(255)), (Some(127), Some(1)));
    }

    #[test]
    fn more_distances_than_bytes_are_refused() {
        let wins = (1..=128).map(|plies| (Outcome::Win, plies));
        let refused = Counting::new(None, wins).unwrap_err();
        assert_eq!((refused.losses, refused.wins), (1, 128));
        // Of one parity there is room for twice as long ones.
        let wins = (0..127).map(|i| (Outcome::Win, 2 * i + 1));
        assert_eq!(Counting::new(None, wins).unwrap().longest(), 253);
    }

    #[test]
    fn other_limits_are_answered_if_nothing_was_cut_off() {
        let (unlimited, enough, cut) = (
            counting(None, 30),
            counting(Some(31), 30),
            counting(Some(30), 30),
        );
        for other in [30, 31, 1000] {
            assert!(unlimited.answers(other) && enough.answers(other), "{other}");
            assert_eq!(cut.answers(other), other == 30, "{other}");
        }
        assert!(!unlimited.answers(29) && !enough.answers(29) && !cut.answers(29));
    }

    #[test]
    fn numberings_that_make_no_sense_are_found() {
        let good = counting(Some(9), 5);
        let spoil = |change: fn(&mut Counting)| {
            let mut bad = good.clone();
            change(&mut bad);
            bad.check()
        };
        assert_eq!(good.check(), Ok(()));
        assert!(spoil(|c| c.losses.swap(1, 2)).is_err());
        assert!(spoil(|c| c.wins[1] = c.wins[0]).is_err());
        assert!(spoil(|c| c.losses[0] = 1).is_err());
        assert!(spoil(|c| c.wins[0] = 0).is_err());
        assert!(spoil(|c| c.limit = Some(4)).is_err());
        assert!(spoil(|c| c.limit = Some(0)).is_err());
        assert!(spoil(|c| c.wins.extend(6..200)).is_err());
    }

    #[test]
    fn what_is_out_of_reach_is_drawn() {
        let won = Conversion {
            outcome: Outcome::Win,
            plies: Some(7),
        };
        assert_eq!(won.with_left(None), won);
        assert_eq!(won.with_left(Some(7)), won);
        assert_eq!(won.with_left(Some(6)), Conversion::DRAW);
        assert_eq!(won.to_string(), "win, next capture within 7 plies");
    }
}
