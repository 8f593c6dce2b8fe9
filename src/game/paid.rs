//! Games in which a line pays only once: what they have to remember.
//!
//! A turn takes men there for the lines that its side closes for the first time. Each side has a memory of
//! its own, and a closed line is remembered even if there was nobody to take for it:
//!
//! ```text
//! White closes a1 d1 g1              takes a man
//! White opens it and closes it again takes none
//! Black, later, closes a1 d1 g1      takes a man
//! ```
//!
//! The memory goes beside the position: [`Variant::play`] and the rest of the generator know nothing of it.
//!
//! ```
//! use millbase::game::{PaidLines, Variant};
//!
//! let game = Variant::builtin("six-once")?;
//! let (mut position, mut paid) = (game.start(), PaidLines::default());
//! for _ in 0..5 {
//!     let mut turns = Vec::new();
//!     game.remembering_turns(&position, paid, &mut turns);
//!     (position, paid) = (
//!         game.play(&position, &turns[0]),
//!         game.remember(&position, paid, &turns[0]),
//!     );
//! }
//! # Ok::<(), millbase::game::VariantError>(())
//! ```

use super::position::{Position, Turn};
use super::variants::Variant;

/// A set of a board's lines: bit i stands for the line at place i of [`Board::lines`](super::Board::lines).
pub type LineSet = u32;

/// The most lines that can be remembered.
pub(super) const MAX_LINES: usize = LineSet::BITS as usize;

/// The lines that each side has closed before, and which pay it no more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaidLines {
    /// Those of the side to move.
    pub mover: LineSet,
    /// Those of the opponent.
    pub opponent: LineSet,
}

impl Variant {
    /// As [`turns_into`](Variant::turns_into), in a game in which mills pay once.
    pub fn remembering_turns(&self, p: &Position, paid: PaidLines, turns: &mut Vec<Turn>) {
        self.turns_by(p, turns, |from, to| {
            let new = self.closed_lines(p, from, to) & !paid.mover;
            self.rules.captures(new.count_ones())
        });
    }

    /// What is remembered after a turn, the sides having changed their roles.
    pub fn remember(&self, p: &Position, paid: PaidLines, turn: &Turn) -> PaidLines {
        let closed = turn.to.map_or(0, |to| self.closed_lines(p, turn.from, to));
        PaidLines {
            mover: paid.opponent,
            opponent: paid.mover | closed,
        }
    }

    /// The lines that a step closes.
    fn closed_lines(&self, p: &Position, from: Option<u8>, to: u8) -> LineSet {
        let men = self.step(p, from, to).mover;
        let closes = |line: u32| line >> to & 1 == 1 && men & line == line;
        let closed = (0u32..)
            .zip(self.board.lines())
            .filter(|(_, line)| closes(**line));
        closed.fold(0, |set, (number, _)| set | 1 << number)
    }
}
