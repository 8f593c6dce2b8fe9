//! A game against the perfect player, as a dialogue of lines.
//!
//! ```text
//! You play White. Type a turn, or `help`.
//!
//! 5  ·-------·-------·
//! ...
//! White to move.
//! > d2
//! Black plays b4.
//! ...
//! > hint
//! Best is b2: a draw.
//! ```
//!
//! [`Session`] is the dialogue without its lines' coming and going: a [`Game`] with undo, the
//! [`Chooser`](crate::probe::Chooser) who plays the other side, and what is said about it all. [`serve`] adds input and
//! output, for lines that come from a pipe; a terminal can do more.

mod command;
mod game;
mod session;

use std::io::{self, BufReader, Read, Write};

use thiserror::Error;

use crate::lines::{LONGEST, is_too_long, read_line};
use crate::probe::ProbeError;

pub use command::{COMMANDS, Command, CommandError};
pub use game::Game;
pub use session::{Human, Reply, Session};

/// Why a game could not go on.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The database does not answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The input cannot be read or the output not written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Begins a game and answers every line of the input, until `quit` or the end.
///
/// # Errors
/// When a file of the database is wrong, and when input or output fail.
pub fn serve(
    session: &mut Session,
    input: impl Read,
    mut output: impl Write,
) -> Result<(), PlayError> {
    let mut input = BufReader::new(input);
    output.write_all(session.begin()?.as_bytes())?;
    loop {
        output.flush()?;
        let line = read_line(&mut input)?;
        if line.is_empty() {
            return Ok(());
        }
        if is_too_long(&line) {
            writeln!(output, "A line has at most {LONGEST} bytes.")?;
            continue;
        }
        let reply = session.answer(&String::from_utf8_lossy(&line))?;
        output.write_all(reply.text.as_bytes())?;
        if reply.ends {
            output.flush()?;
            return Ok(());
        }
    }
}
