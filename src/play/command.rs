//! What a player may type.

use thiserror::Error;

/// A line that a player types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'t> {
    /// A turn, or parts of one, or several turns.
    Turns(&'t str),
    /// What would be best?
    Hint,
    /// Takes the last turn back.
    Undo,
    /// Which turns are there?
    List,
    /// Whether to say what positions are worth.
    Value(bool),
    /// Begins anew.
    New,
    /// The position as a text.
    Fen,
    /// What can be typed?
    Help,
    /// Leaves.
    Quit,
}

/// Why a line is no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Neither on nor off.
    #[error("It is `value on` or `value off`.")]
    Value,
    /// A command with something behind it.
    #[error("`{0}` stands alone.")]
    NotAlone(&'static str),
}

/// The commands, each with what it does.
pub const COMMANDS: [(&str, &str); 8] = [
    ("hint", "the best turn, and what it is worth"),
    ("undo", "takes your last turn back"),
    ("turns", "lists all turns"),
    (
        "value",
        "`value on` says what positions are worth, `value off` does not",
    ),
    ("new", "begins anew"),
    ("fen", "prints the position as a text"),
    ("help", "prints this list"),
    ("quit", "leaves"),
];

impl<'t> Command<'t> {
    /// Reads a line; `None` if nothing is on it.
    ///
    /// # Errors
    /// It begins like a command and goes on otherwise.
    pub fn read(line: &'t str) -> Result<Option<Command<'t>>, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = match word {
            "" => return Ok(None),
            "hint" => Command::Hint,
            "undo" => Command::Undo,
            "turns" => Command::List,
            "new" => Command::New,
            "fen" => Command::Fen,
            "help" => Command::Help,
            "quit" => Command::Quit,
            "value" => match rest.trim() {
                "on" => return Ok(Some(Command::Value(true))),
                "off" => return Ok(Some(Command::Value(false))),
                _ => return Err(CommandError::Value),
            },
            _ => return Ok(Some(Command::Turns(line))),
        };
        let known = COMMANDS.iter().find(|(known, _)| *known == word);
        match known.filter(|_| !rest.is_empty()) {
            Some((name, _)) => Err(CommandError::NotAlone(name)),
            None => Ok(Some(command)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_no_command_is_a_turn() {
        for (name, _) in COMMANDS {
            let read = Command::read(name);
            assert!(!matches!(read, Ok(Some(Command::Turns(_)))), "{name}");
        }
        assert_eq!(Command::read(" \r\n"), Ok(None));
        assert_eq!(Command::read("d6 xa1 "), Ok(Some(Command::Turns("d6 xa1"))));
        assert_eq!(Command::read("hints"), Ok(Some(Command::Turns("hints"))));
        assert_eq!(Command::read("value\ton\n"), Ok(Some(Command::Value(true))));
        assert_eq!(Command::read("value off"), Ok(Some(Command::Value(false))));
        assert_eq!(Command::read("value"), Err(CommandError::Value));
        assert_eq!(Command::read("undo 3"), Err(CommandError::NotAlone("undo")));
    }
}
