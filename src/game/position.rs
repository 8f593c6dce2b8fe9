//! A position between two turns, and the turn that leads to the next.

use super::board::PointSet;
use super::sectors::Sector;
use super::symmetry::Symmetry;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// Where the men are and whose turn it is.
///
/// Men are named by role, not by colour: values are always for the side to move, and positions
/// that differ only in `side` are worth the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The men on the board of the side to move.
    pub mover: PointSet,
    /// The opponent's men on the board.
    pub opponent: PointSet,
    /// Men the side to move has in hand.
    pub mover_hand: u8,
    /// Men the opponent has in hand.
    pub opponent_hand: u8,
    /// Who the side to move is.
    pub side: Side,
}

impl Position {
    /// The numbers of men.
    pub fn sector(&self) -> Sector {
        Sector {
            mover: self.mover.count_ones() as u8,
            opponent: self.opponent.count_ones() as u8,
            mover_hand: self.mover_hand,
            opponent_hand: self.opponent_hand,
        }
    }

    /// The points with a man.
    pub fn occupied(&self) -> PointSet {
        self.mover | self.opponent
    }

    /// Men a side has in hand.
    pub fn hand(&self, side: Side) -> u8 {
        match side == self.side {
            true => self.mover_hand,
            false => self.opponent_hand,
        }
    }

    /// The side to move's men, board and hand together.
    pub fn mover_total(&self) -> u32 {
        self.mover.count_ones() + u32::from(self.mover_hand)
    }

    /// The opponent's men, board and hand together.
    pub fn opponent_total(&self) -> u32 {
        self.opponent.count_ones() + u32::from(self.opponent_hand)
    }

    /// The same men with the other side to move.
    pub fn swapped(&self) -> Position {
        Position {
            mover: self.opponent,
            opponent: self.mover,
            mover_hand: self.opponent_hand,
            opponent_hand: self.mover_hand,
            side: self.side.other(),
        }
    }

    /// The image under a symmetry of the board.
    pub fn image(&self, symmetry: &Symmetry) -> Position {
        Position {
            mover: symmetry.apply(self.mover),
            opponent: symmetry.apply(self.opponent),
            ..*self
        }
    }
}

/// A complete turn: a man is placed or moved, and men are taken if that closed a mill. Or nothing at
/// all, where a side that cannot move passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// Where the man came from; `None` when it was placed from the hand.
    pub from: Option<u8>,
    /// Where the man goes; `None` when the side passes.
    pub to: Option<u8>,
    /// The opponent's men that are taken; empty when no mill was closed.
    pub removed: PointSet,
}

impl Turn {
    /// The turn of a side that cannot move, in games in which it passes.
    pub const PASS: Turn = Turn {
        from: None,
        to: None,
        removed: 0,
    };
}

/// What a player can do in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// A complete turn.
    Turn(Turn),
    /// The rest of a turn whose mill is closed already: these men are taken.
    Removal(PointSet),
}
