//! The rules as a set of switches. The board says where men stand, these say what they may do.
//!
//! In variant files a switch is its name in lower case with hyphens, such as `place-or-move`.

use serde::{Deserialize, Serialize};

/// What a line of three brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MillPays {
    /// Closing a mill takes a man of the opponent.
    Capture,
    /// The first line of three wins the game.
    Win,
}

/// Which men may be taken when a mill closes.
///
/// Variant files say when men are taken from mills, in the key `taken_from_mills`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protection {
    /// A man in a mill is taken only when all men on the board stand in mills.
    #[serde(rename = "when-all-in-mills")]
    UnlessAllInMills,
    /// A man in a mill is never taken; when all stand in mills nothing is taken.
    #[serde(rename = "never")]
    Never,
    /// Every man may be taken.
    #[serde(rename = "always")]
    Any,
    /// A man in a mill is taken only when its side has three men left, board and hand together.
    #[serde(rename = "when-three-left")]
    UnlessThreeLeft,
}

/// What happens to a side that cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blocked {
    /// It loses.
    Loses,
    /// The game is drawn.
    Draws,
    /// It passes, which is a turn. When neither side can move the game is drawn.
    Passes,
}

/// What happens when placing has filled the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FullBoard {
    /// The game is drawn.
    Draws,
    /// White, who began, loses.
    FirstPlayerLoses,
    /// The side to move loses.
    MoverLoses,
}

/// What a side with men in hand may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placing {
    /// It must place one.
    PlaceOnly,
    /// It may place one or move one on the board.
    PlaceOrMove,
}

/// The rules of a variant.
///
/// [`Rules::new`] gives the most common ones, which are also the defaults of variant files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Men of each side at the start, all in hand.
    pub men: u8,
    /// What a line of three brings.
    pub mill_pays: MillPays,
    /// Men taken when one turn closes two mills or more: 1 or 2.
    pub captures_per_double_mill: u8,
    /// Which men may be taken.
    pub protection: Protection,
    /// Whether a side with three men left, board and hand together, moves to any empty point.
    pub flying: bool,
    /// What happens to a side that cannot move.
    pub blocked: Blocked,
    /// What happens when placing has filled the board.
    pub full_board: FullBoard,
    /// What a side with men in hand may do.
    pub placing: Placing,
    /// Whether each line pays only the first time it is closed.
    pub mills_pay_once: bool,
}

impl Rules {
    /// The common rules: a mill takes one man that stands in no mill (any man when all do), a
    /// side with three men flies, a blocked side loses, a full board is a draw, men in hand are
    /// placed before any moves.
    pub fn new(men: u8) -> Rules {
        Rules {
            men,
            mill_pays: MillPays::Capture,
            captures_per_double_mill: 1,
            protection: Protection::UnlessAllInMills,
            flying: true,
            blocked: Blocked::Loses,
            full_board: FullBoard::Draws,
            placing: Placing::PlaceOnly,
            mills_pay_once: false,
        }
    }

    /// Whether men are taken, so that a side with fewer than three has lost.
    pub fn takes_men(&self) -> bool {
        self.mill_pays == MillPays::Capture
    }

    /// Men taken by a turn that closes `mills` mills, as long as there are any to take.
    pub fn captures(&self, mills: u32) -> u8 {
        match (self.mill_pays, mills) {
            (MillPays::Win, _) | (_, 0) => 0,
            (MillPays::Capture, 1) => 1,
            (MillPays::Capture, _) => self.captures_per_double_mill,
        }
    }

    /// The most men a single turn can take.
    pub fn most_captures(&self) -> u8 {
        self.captures(2)
    }
}
