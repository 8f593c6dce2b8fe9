//! What the other side may say.

use thiserror::Error;

use crate::notation::quoted;

/// A line of the dialogue; its texts are parts of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'t> {
    /// Who is there and what can be set?
    Uci,
    /// Is all that was said before done?
    IsReady,
    /// What comes is of another game.
    NewGame,
    /// Sets an option.
    SetOption {
        /// Which.
        name: &'t str,
        /// To what; may be empty.
        value: &'t str,
    },
    /// Sets the position.
    Position {
        /// A position text, or `start`.
        start: &'t str,
        /// The turns after it; may be empty.
        moves: &'t str,
    },
    /// Asks for an action.
    Go {
        /// Whether it has to wait for `stop`.
        infinite: bool,
    },
    /// Asks for an action that has to wait.
    Stop,
    /// Ends the dialogue.
    Quit,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// A first word without a meaning.
    #[error("unknown command `{}`", quoted(.0))]
    Unknown(String),
    /// A position that does not say where the game begins.
    #[error(
        "a position begins `startpos` or `fen` and a position text, then `moves` with turns may follow"
    )]
    Position,
    /// An option without a name.
    #[error("an option is set by `setoption name NAME value VALUE`")]
    Option,
}

impl<'t> Command<'t> {
    /// Reads a line; `None` if nothing is on it.
    ///
    /// # Errors
    /// It is no command.
    pub fn read(line: &'t str) -> Result<Option<Command<'t>>, CommandError> {
        let (word, rest) = first_word(line);
        Ok(Some(match word {
            "" => return Ok(None),
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "setoption" => set_option(rest)?,
            "position" => position(rest)?,
            "go" => Command::Go {
                infinite: rest.split_whitespace().any(|word| word == "infinite"),
            },
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            unknown => return Err(CommandError::Unknown(unknown.to_owned())),
        }))
    }
}

fn set_option(text: &str) -> Result<Command<'_>, CommandError> {
    let ("name", rest) = first_word(text) else {
        return Err(CommandError::Option);
    };
    let (name, value) = cut(rest, "value");
    match name {
        "" => Err(CommandError::Option),
        name => Ok(Command::SetOption { name, value }),
    }
}

fn position(text: &str) -> Result<Command<'_>, CommandError> {
    let (start, moves) = cut(text, "moves");
    let start = match first_word(start) {
        ("startpos", "") => "start",
        ("fen", text) if !text.is_empty() => text,
        _ => return Err(CommandError::Position),
    };
    Ok(Command::Position { start, moves })
}

/// The first word of a text, and what comes after it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// What is before a word of a text and what is after it, which is empty without that word.
fn cut<'t>(text: &'t str, word: &str) -> (&'t str, &'t str) {
    match text.split_whitespace().find(|found| *found == word) {
        Some(found) => {
            let at = (found.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            (text[..at].trim(), text[at + word.len()..].trim())
        }
        None => (text.trim(), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_into_their_parts() {
        let read = |line| Command::read(line).unwrap();
        assert_eq!(read(" \r\n"), None);
        assert_eq!(read("uci\r\n"), Some(Command::Uci));
        let go = |infinite| Some(Command::Go { infinite });
        assert_eq!((read("go"), read("go depth 3")), (go(false), go(false)));
        assert_eq!(read("\tgo  infinite"), go(true));
        let position = |start, moves| Some(Command::Position { start, moves });
        assert_eq!(read("position startpos"), position("start", ""));
        assert_eq!(
            read("position  startpos moves  d6 f4 "),
            position("start", "d6 f4")
        );
        assert_eq!(
            read("position fen a/b w  p moves x"),
            position("a/b w  p", "x")
        );
        let option = |name, value| Some(Command::SetOption { name, value });
        assert_eq!(
            read("setoption name Move Time value 3 s"),
            option("Move Time", "3 s")
        );
        assert_eq!(read("setoption name Clear"), option("Clear", ""));
    }

    #[test]
    fn what_lacks_a_part_is_refused() {
        for line in [
            "position",
            "position moves d6",
            "position fen",
            "position fen moves d6",
            "position startpos d6",
            "position d6",
        ] {
            assert_eq!(Command::read(line), Err(CommandError::Position), "{line}");
        }
        for line in [
            "setoption",
            "setoption Ties first",
            "setoption name value 3",
        ] {
            assert_eq!(Command::read(line), Err(CommandError::Option), "{line}");
        }
        let unknown = CommandError::Unknown("isready?".to_owned());
        assert_eq!(Command::read("isready? now"), Err(unknown));
    }
}
