//! Sectors: all positions with the same numbers of men.
//!
//! The sectors of a game are found by counting alone, from the empty board on: a turn places or
//! moves a man and takes some or none, and then the roles change. Whether a mill can really be
//! closed is not asked, so a few sectors hold positions that no game reaches.

use std::collections::BTreeSet;
use std::fmt;

use super::board::PointSet;
use super::position::{Position, Side};
use super::rules::{Placing, Rules};
use super::variants::Variant;

/// Numbers of men, those of the side to move first.
///
/// Displayed as `3-4`, and with men in hand as `3-4+6-5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sector {
    /// Men on the board of the side to move.
    pub mover: u8,
    /// Men on the board of the opponent.
    pub opponent: u8,
    /// Men in hand of the side to move.
    pub mover_hand: u8,
    /// Men in hand of the opponent.
    pub opponent_hand: u8,
}

impl Sector {
    /// The same men with the other side to move.
    pub fn swapped(self) -> Sector {
        Sector {
            mover: self.opponent,
            opponent: self.mover,
            mover_hand: self.opponent_hand,
            opponent_hand: self.mover_hand,
        }
    }

    /// Men still in hand of both sides: the layer the sector belongs to.
    pub fn in_hand(self) -> u8 {
        // A sector read from a file may have any numbers.
        self.mover_hand.saturating_add(self.opponent_hand)
    }

    /// The position of the sector with these men, those of the side to move first.
    ///
    /// Values do not depend on the side; it is the one that comes to these hands in a game from the
    /// start: White with equal hands, Black with one man more.
    pub fn position(self, (mover, opponent): (PointSet, PointSet)) -> Position {
        let black = self.mover_hand > self.opponent_hand;
        Position {
            mover,
            opponent,
            mover_hand: self.mover_hand,
            opponent_hand: self.opponent_hand,
            side: if black { Side::Black } else { Side::White },
        }
    }

    /// The name of the sector's file without its ending: `3_4_6_5`.
    pub fn file_stem(self) -> String {
        let Sector {
            mover,
            opponent,
            mover_hand,
            opponent_hand,
        } = self;
        format!("{mover}_{opponent}_{mover_hand}_{opponent_hand}")
    }

    /// The sector of such a name; `None` for any other text. A sector has one name: no signs, no leading zeros.
    pub fn from_file_stem(text: &str) -> Option<Sector> {
        let numbers = text.split('_').map(|part| part.parse().ok());
        let numbers: Vec<u8> = numbers.collect::<Option<_>>()?;
        let &[mover, opponent, mover_hand, opponent_hand] = numbers.as_slice() else {
            return None;
        };
        let sector = Sector {
            mover,
            opponent,
            mover_hand,
            opponent_hand,
        };
        (sector.file_stem() == text).then_some(sector)
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.in_hand() == 0 {
            format!("{}-{}", self.mover, self.opponent)
        } else {
            format!(
                "{}-{}+{}-{}",
                self.mover, self.opponent, self.mover_hand, self.opponent_hand
            )
        };
        f.pad(&text)
    }
}

/// A text that names no sector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no sector: write 3-4, or 3-4+6-5 with six and five men in hand, the side to move first"
)]
pub struct SectorError(String);

impl std::str::FromStr for Sector {
    type Err = SectorError;

    /// Reads what is displayed: `3-4`, `3-4+6-5`.
    fn from_str(text: &str) -> Result<Sector, SectorError> {
        let pair = |text: &str| -> Option<(u8, u8)> {
            let (mover, opponent) = text.split_once('-')?;
            Some((mover.parse().ok()?, opponent.parse().ok()?))
        };
        let (board, hands) = text.split_once('+').unwrap_or((text, "0-0"));
        let parsed = pair(board).zip(pair(hands));
        let ((mover, opponent), (mover_hand, opponent_hand)) =
            parsed.ok_or_else(|| SectorError(text.to_owned()))?;
        Ok(Sector {
            mover,
            opponent,
            mover_hand,
            opponent_hand,
        })
    }
}

impl Variant {
    /// The sectors the game can reach, by counting, in ascending order.
    ///
    /// Sectors in which the side to move has too few men left are not among them: the game is
    /// over there, see [`Variant::final_sectors`].
    pub fn sectors(&self) -> Vec<Sector> {
        self.reach().0.into_iter().collect()
    }

    /// The sectors in which the side to move has just lost its third-last man, in ascending order.
    pub fn final_sectors(&self) -> Vec<Sector> {
        self.reach().1.into_iter().collect()
    }

    /// The sectors one turn away in which the game goes on, by counting.
    pub fn sectors_after(&self, sector: Sector) -> Vec<Sector> {
        let next = successors(&self.rules, sector).into_iter();
        next.filter(|&next| !self.is_final(next)).collect()
    }

    /// Whether the side to move has too few men left.
    fn is_final(&self, sector: Sector) -> bool {
        self.rules.takes_men() && sector.mover + sector.mover_hand < 3
    }

    fn reach(&self) -> (BTreeSet<Sector>, BTreeSet<Sector>) {
        let start = self.start().sector();
        let (mut live, mut over) = (BTreeSet::from([start]), BTreeSet::new());
        let mut waiting = vec![start];
        while let Some(sector) = waiting.pop() {
            for next in successors(&self.rules, sector) {
                if self.is_final(next) {
                    over.insert(next);
                } else if live.insert(next) {
                    waiting.push(next);
                }
            }
        }
        (live, over)
    }
}

/// The sectors one turn away, by counting.
fn successors(rules: &Rules, sector: Sector) -> Vec<Sector> {
    let placed = (sector.mover_hand > 0).then(|| Sector {
        mover: sector.mover + 1,
        mover_hand: sector.mover_hand - 1,
        ..sector
    });
    let may_move = sector.mover_hand == 0 || rules.placing == Placing::PlaceOrMove;
    // Who passes has men that may move, so passing leads to no other sector than moving.
    let moved = (may_move && sector.mover > 0).then_some(sector);
    let steps = placed.into_iter().chain(moved);
    steps
        .flat_map(|after| (0..=rules.most_captures()).filter_map(move |n| capture(after, n)))
        .collect()
}

/// The sector after the opponent lost `taken` men and the roles changed.
fn capture(after: Sector, taken: u8) -> Option<Sector> {
    // The game ends with the third-last man, so no turn leaves fewer than two.
    let enough = taken == 0 || after.opponent + after.opponent_hand >= taken + 2;
    let opponent = after.opponent.checked_sub(taken)?;
    enough.then(|| Sector { opponent, ..after }.swapped())
}
