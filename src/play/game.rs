//! The state of a game, with its past.

use crate::game::{Choice, Side, Variant};
use crate::notation::{Notation, ReadPosition, Style, TurnError, play_moves};

/// A game that is being played, word by word.
#[derive(Clone, Debug)]
pub struct Game<'a> {
    variant: &'a Variant,
    start: ReadPosition,
    now: ReadPosition,
    played: Vec<Played>,
}

/// A turn or a part of one.
#[derive(Clone, Debug)]
struct Played {
    before: ReadPosition,
    text: String,
}

impl<'a> Game<'a> {
    /// A game that begins in a position.
    pub fn new(variant: &'a Variant, start: ReadPosition) -> Game<'a> {
        Game {
            variant,
            start,
            now: start,
            played: Vec::new(),
        }
    }

    /// Where it stands, perhaps inside a turn.
    pub fn now(&self) -> ReadPosition {
        self.now
    }

    /// Plays a turn or a part of one, in any notation.
    ///
    /// # Errors
    /// It is no turn, or not a legal one; the game stays where it is.
    pub fn play(&mut self, word: &str) -> Result<(), TurnError> {
        let after = play_moves(self.variant, &self.now, word)?;
        self.push(word.to_owned(), after);
        Ok(())
    }

    /// Plays a legal choice, and returns its text.
    pub fn play_choice(&mut self, choice: Choice) -> String {
        let text = Notation::new(&self.variant.board, Style::Labels).write(choice);
        let after = self.variant.after(&self.now.position, choice);
        self.push(text.clone(), after.into());
        text
    }

    fn push(&mut self, text: String, after: ReadPosition) {
        let before = self.now;
        self.played.push(Played { before, text });
        self.now = after;
    }

    /// Takes back the last turn of one of these sides with all that came after it, and returns the texts, in the
    /// order they were played. Empty if there was no such turn.
    pub fn undo(&mut self, sides: &[Side]) -> Vec<String> {
        let begins_turn = |played: &Played| {
            let before = played.before;
            let is_start = before == self.start;
            sides.contains(&before.position.side) && (before.removals_due == 0 || is_start)
        };
        let Some(at) = self.played.iter().rposition(begins_turn) else {
            return Vec::new();
        };
        self.now = self.played[at].before;
        self.played.drain(at..).map(|played| played.text).collect()
    }

    /// Begins anew.
    pub fn restart(&mut self) {
        self.now = self.start;
        self.played.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_turns_are_taken_back() {
        let six = Variant::builtin("six").unwrap();
        let mut game = Game::new(&six, six.start().into());
        let both = [Side::White, Side::Black];
        assert!(game.undo(&both).is_empty());
        for word in ["a1", "b2", "c1", "c2", "e1", "xc2", "d2"] {
            game.play(word).unwrap();
        }
        let end = game.now();
        assert!(game.play("a1").is_err());
        assert_eq!(game.now(), end);
        // The turn that closed a mill goes with the man it took.
        assert_eq!(game.undo(&[Side::White]), ["e1", "xc2", "d2"]);
        assert_eq!(
            game.now(),
            play_moves(&six, &six.start().into(), "a1 b2 c1 c2").unwrap()
        );
        game.play("e1").unwrap();
        assert_eq!(game.now().removals_due, 1);
        assert_eq!(game.undo(&both), ["e1"]);
        assert_eq!(game.undo(&[Side::Black]), ["c2"]);
        game.restart();
        assert_eq!(game.now(), six.start().into());
        assert!(game.undo(&both).is_empty());
    }

    #[test]
    fn a_game_that_begins_inside_a_turn_can_be_taken_back_to_its_beginning() {
        let six = Variant::builtin("six").unwrap();
        let inside = play_moves(&six, &six.start().into(), "a1 b2 c1 c2 e1").unwrap();
        let mut game = Game::new(&six, inside);
        game.play("xb2").unwrap();
        assert_eq!(game.undo(&[Side::White]), ["xb2"]);
        assert_eq!(game.now(), inside);
    }
}
