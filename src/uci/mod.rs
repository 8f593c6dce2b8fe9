//! A player for programs that let engines play each other: the UCI dialect of mill programs.
//!
//! ```text
//! > uci
//! < id name millbase 0.1.0
//! < option name Ties type combo default fewest-drawing var fewest-drawing var first var random
//! < uciok
//! > position startpos moves d6 f4 d7 g4
//! > go movetime 1000
//! < info string value win plies 43
//! < bestmove d5
//! > position startpos moves d6 f4 d7 g4 d5
//! > go
//! < info string value win plies 43
//! < bestmove xf4
//! ```
//!
//! UCI was made for chess, where a turn is one action. Here, as in the program Sanmill, every `go` is answered with
//! *one action*: a man placed, moved or taken. After a step that closes a mill the same side is asked once
//! more, and its plies still count from the beginning of the turn. `pass` is an action as well.
//!
//! * `position` takes `startpos`, or `fen` with a [position text](crate::notation::read_position), then `moves` with
//!   actions or whole turns. It is accepted as a whole or not at all; until the next one `go` answers `bestmove none`.
//! * `go` needs no time; what follows it does not matter, but that after `go infinite` the action comes with
//!   `stop`. Values are for the side to move: `win plies N`, `loss plies N`, `draw`, without plies where the database
//!   has no distances, and `unknown missing S` where it lacks sector S. A second line, `info string turn ...`, says
//!   what the turn is worth where that is not what the position is.
//! * A game that is over is answered with `bestmove none`.
//! * What cannot be understood is answered with `info string error ...`, and the dialogue goes on.
//!
//! A [`Session`] is the dialogue without its lines' coming and going, which [`serve`] adds.

mod command;
mod session;

use std::io::{self, BufReader, Read, Write};

use crate::lines::{is_too_long, read_line};

pub use command::{Command, CommandError};
pub use session::{MOST_SEED, Reply, Session};

/// Answers every line of the input as it comes, until `quit` or the end.
///
/// # Errors
/// Input that cannot be read, or output that cannot be written.
pub fn serve(session: &mut Session, input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::new(input);
    loop {
        let line = read_line(&mut input)?;
        let reply = match () {
            () if line.is_empty() => return Ok(()),
            () if is_too_long(&line) => session.too_long(&String::from_utf8_lossy(&line)),
            () => session.answer(&String::from_utf8_lossy(&line)),
        };
        for line in &reply.lines {
            writeln!(output, "{line}")?;
        }
        output.flush()?;
        if reply.ends {
            return Ok(());
        }
    }
}
