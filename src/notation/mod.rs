//! How positions and turns are written and read.
//!
//! * [`read_position`], [`write_position`]: Sanmill's position texts ("FEN"), for any board, and
//!   [`write_mfen`]: those of the Mill Interchange Format.
//! * [`read_turn`], [`write_turn`], [`play_moves`]: turns such as `d6`, `a1-a4`, `f6-f4xd2`.
//! * [`Notation`]: the same turns in every [`Style`], for instance with numbers for the points.
//! * [`read_records`], [`write_pgn`]: whole games.
//! * [`ending_text`]: how a game has ended.
//! * [`draw`]: a picture of the board for the terminal.
//!
//! Readers name the place of every mistake and what is wrong with it.

mod draw;
mod fen;
mod fields;
mod grammar;
mod mfen;
mod play;
mod possible;
mod reader;
mod record;
mod sides;
mod turns;

use std::borrow::Cow;

use crate::game::{Position, Side};

pub use draw::{Charset, draw};
pub use fen::{FieldFault, PositionError, write_position};
pub use grammar::{Notation, Style};
pub use mfen::write_mfen;
pub use play::{Played, Player, play_moves};
pub use reader::{ImpossiblePosition, PositionReader, read_position};
pub use record::{
    GameRecord, Note, RecordError, RecordProblem, RecordedTurn, read_records, read_records_from,
    write_list, write_pgn,
};
pub(crate) use sides::{Sides, sides};
pub use turns::{
    TurnError, TurnProblem, ending_text, read_removal, read_turn, write_choice, write_removal,
    write_turn,
};

/// A position as texts can hold it: between two turns, or inside one, after a mill was closed and
/// before a man was taken for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadPosition {
    /// Where the men are. With removals due, the side to move is the one that takes.
    pub position: Position,
    /// Men the side to move has to take before its turn is over.
    pub removals_due: u8,
}

impl From<Position> for ReadPosition {
    /// The position with nothing to take.
    fn from(position: Position) -> ReadPosition {
        ReadPosition {
            position,
            removals_due: 0,
        }
    }
}

/// What people call a side.
pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// Characters of a text that messages quote at most.
const MOST_QUOTED: usize = 60;

/// A text for a message: of one that is long, such as a whole file without blanks, only the beginning.
pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// `1 man`, `2 men`.
fn men(count: u32) -> String {
    if count == 1 {
        "1 man".to_owned()
    } else {
        format!("{count} men")
    }
}

/// The number, from 1, of the character of `text` at which its part `token` starts.
fn character_of(text: &str, token: &str) -> usize {
    let offset = (token.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    text.char_indices().take_while(|(i, _)| *i < offset).count() + 1
}
