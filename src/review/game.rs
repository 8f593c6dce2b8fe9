//! What every turn of a game was worth.

use serde::Serialize;

use crate::answer::{TurnAnswer, Word, Worth};
use crate::database::Database;
use crate::notation::{GameRecord, Notation, Note, Played, ReadPosition, Style, write_position};
use crate::probe::{ProbeError, Prober};

/// How good a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// There is no better turn.
    Best,
    /// It keeps the result, but there is a shorter win or a longer loss.
    Slower,
    /// It gives away a win or a draw.
    Mistake,
    /// The database cannot tell.
    Unknown,
}

/// A turn of a game with what it was worth. All values are for the player who made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReviewedTurn {
    /// The number of the turn, from 1, both sides counted.
    pub ply: usize,
    /// The number of the pair it belongs to, as records of games write it: `6.` of White, `6...` of Black.
    pub number: String,
    /// Who made it: `white` or `black`.
    pub side: &'static str,
    /// The turn.
    #[serde(rename = "move")]
    pub text: String,
    /// What the position was worth before it.
    pub before: Worth,
    /// What the turn made of it; plies count from the position before it.
    pub after: Worth,
    /// How good it was.
    pub verdict: Verdict,
    /// The turns that would have been better, best first.
    pub better: Vec<TurnAnswer>,
    /// What the record says of it; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remark: String,
}

/// A turn that changed the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The number of the turn, from 1.
    pub ply: usize,
    /// As in [`ReviewedTurn::number`].
    pub number: String,
    /// Who made it.
    pub side: &'static str,
    /// The turn.
    #[serde(rename = "move")]
    pub text: String,
    /// What the player had before.
    pub from: Word,
    /// What was left.
    pub to: Word,
}

/// How often a side played how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// All turns.
    pub turns: usize,
    /// Turns to which there was no better one.
    pub best: usize,
    /// Turns that kept the result in more plies than needed, or lost in fewer.
    pub slower: usize,
    /// Turns that gave away a win or a draw.
    pub mistakes: usize,
    /// Turns of which the database cannot tell.
    pub unknown: usize,
}

/// A game with what its turns were worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Review {
    /// The rules of the database.
    pub variant: String,
    /// Where the game began, as a position text.
    pub start: String,
    /// What that was worth to the side to move.
    pub start_value: Worth,
    /// All turns.
    pub turns: Vec<ReviewedTurn>,
    /// Where the result changed.
    pub changes: Vec<Change>,
    /// White's turns.
    pub white: Tally,
    /// Black's turns.
    pub black: Tally,
    /// Where the game ended, as a position text.
    pub end: String,
    /// What that was worth to the side to move.
    pub end_value: Worth,
}

/// Holds a game of the database's variant against it.
///
/// # Errors
/// As [`Prober::value`].
pub fn review(database: &Database, game: &GameRecord) -> Result<Review, ProbeError> {
    let (variant, prober) = (database.variant(), Prober::new(database));
    let value = |read: &ReadPosition| {
        let answer = prober.value(&read.position, read.removals_due)?;
        Ok::<_, ProbeError>(Worth::of(database, answer))
    };
    let end = game.end(variant);
    let mut review = Review {
        variant: variant.id.clone(),
        start: write_position(variant, &game.start),
        start_value: value(&game.start)?,
        turns: Vec::new(),
        changes: Vec::new(),
        white: Tally::default(),
        black: Tally::default(),
        end: write_position(variant, &end),
        end_value: value(&end)?,
    };
    for i in 0..game.turns.len() {
        let turn = reviewed(&prober, game, i)?;
        review.count(&turn);
        review.turns.push(turn);
    }
    Ok(review)
}

fn reviewed(prober: &Prober, game: &GameRecord, i: usize) -> Result<ReviewedTurn, ProbeError> {
    let database = prober.database();
    let notation = Notation::new(&database.variant().board, Style::Labels);
    let turn = &game.turns[i];
    let Played { before, choice } = turn.played;
    let answer = prober.value(&before.position, before.removals_due)?;
    let worth = Worth::of(database, answer);
    let ranked = prober.ranked(&before.position, before.removals_due)?;
    let at = ranked.iter().position(|ranked| ranked.choice == choice);
    let at = at.ok_or(ProbeError::NotAPosition("the turn is not a legal one"))?;
    let all: Vec<TurnAnswer> = ranked[..=at]
        .iter()
        .map(|ranked| TurnAnswer::of(database, &notation, *ranked))
        .collect();
    let after = all[at].worth.clone();
    let better = all.into_iter().filter(|other| other.worth != after);
    let better: Vec<TurnAnswer> = match after.value {
        // Those that are known need not be better.
        Word::Unknown => Vec::new(),
        _ => better.collect(),
    };
    let side = before.position.side;
    Ok(ReviewedTurn {
        ply: i + 1,
        number: game.number(i),
        side: crate::answer::side(side),
        text: notation.write(choice),
        verdict: verdict(&worth, &after, better.is_empty()),
        before: worth,
        after,
        better,
        remark: turn.remark.clone(),
    })
}

fn verdict(before: &Worth, after: &Worth, none_better: bool) -> Verdict {
    match (before.value, after.value) {
        (_, Word::Unknown) => Verdict::Unknown,
        // What a turn that cannot be told is worth may be more.
        (Word::Unknown, _) => Verdict::Unknown,
        (before, after) if before != after => Verdict::Mistake,
        _ if none_better => Verdict::Best,
        _ => Verdict::Slower,
    }
}

impl Review {
    fn count(&mut self, turn: &ReviewedTurn) {
        let tally = match turn.side {
            "white" => &mut self.white,
            _ => &mut self.black,
        };
        tally.turns += 1;
        *match turn.verdict {
            Verdict::Best => &mut tally.best,
            Verdict::Slower => &mut tally.slower,
            Verdict::Mistake => &mut tally.mistakes,
            Verdict::Unknown => &mut tally.unknown,
        } += 1;
        if turn.verdict == Verdict::Mistake {
            self.changes.push(Change {
                ply: turn.ply,
                number: turn.number.clone(),
                side: turn.side,
                text: turn.text.clone(),
                from: turn.before.value,
                to: turn.after.value,
            });
        }
    }
}

/// Turns named in a note at most; the rest is counted.
const NAMED: usize = 5;

/// The glyphs of PGN for a dubious turn, a mistake and a blunder.
const DUBIOUS: u8 = 6;
const MISTAKE: u8 = 2;
const BLUNDER: u8 = 4;

impl ReviewedTurn {
    /// The better turns in words, empty if there are none: `d2 (win in 7 plies), a4 (draw), and 3 more`.
    pub fn better_text(&self) -> String {
        let named = self.better.iter().take(NAMED);
        let mut texts: Vec<String> = named
            .map(|turn| format!("{} ({})", turn.text, turn.worth))
            .collect();
        if self.better.len() > NAMED {
            texts.push(format!("and {} more", self.better.len() - NAMED));
        }
        texts.join(", ")
    }

    fn note(&self) -> Note {
        let glyph = match (self.verdict, self.after.value) {
            (Verdict::Mistake, Word::Loss) => Some(BLUNDER),
            (Verdict::Mistake, _) => Some(MISTAKE),
            (Verdict::Slower, _) => Some(DUBIOUS),
            _ => None,
        };
        let text = match self.verdict {
            Verdict::Mistake => format!(
                "{} after {}; better: {}",
                self.after,
                self.before,
                self.better_text()
            ),
            Verdict::Slower => format!("{}; better: {}", self.after, self.better_text()),
            Verdict::Best | Verdict::Unknown => self.after.to_string(),
        };
        Note { glyph, text }
    }
}

/// A note for each turn of a review, for [`write_pgn`](crate::notation::write_pgn).
pub fn notes(review: &Review) -> Vec<Note> {
    review.turns.iter().map(ReviewedTurn::note).collect()
}
