//! Whether what a puzzle says is true.
//!
//! Packs are JSON files of Sanmill, `.sanmill_puzzles`. What a puzzle claims is in its tags and lines:
//!
//! ```text
//! objective:win, win-in-4            the side to move wins, with four turns of its own: in 7 plies
//! objective:hold-draw                it draws
//! unique-draw-save                   by one turn only
//! shortest-first-turns:k             so many turns win in the fewest plies,
//! slower-winning-first-turns:k       so many in more,
//! non-winning-first-turns:k          and so many not at all
//!                                    (turns are complete: with other men taken they are others)
//! solutions, isOptimal: true         lines in which the solver plays best, and one for each best first turn
//! solutions, isOptimal: false        lines that keep the result
//! ```
//!
//! A man taken is part of a turn and does not count, as the format has it. The first pack that came with Sanmill
//! (version 1.1.0) counts it: its `win-in-3` wins with two turns, one of which takes a man, and is listed as wrong.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::answer::{TurnAnswer, Word, Worth};
use crate::database::{Contents, Database};
use crate::game::{Choice, Side, Variant};
use crate::notation::{Notation, Player, PositionReader, ReadPosition, Style};
use crate::probe::{ProbeError, Prober};

/// A pack of puzzles, as far as it is looked at.
#[derive(Clone, Debug, Deserialize)]
pub struct Pack {
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
}

/// A puzzle, as far as it is looked at.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Puzzle {
    /// Its name for programs.
    pub id: String,
    /// Its name for people.
    #[serde(default)]
    pub title: String,
    /// A position text.
    pub initial_position: String,
    /// Lines that solve it.
    #[serde(default)]
    pub solutions: Vec<Solution>,
    /// Words about it.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The rules it is for.
    #[serde(default)]
    pub rule_variant_id: Option<String>,
}

/// A line of play.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Solution {
    /// Its actions.
    pub moves: Vec<Action>,
    /// Whether it solves the puzzle in the fewest turns.
    #[serde(default)]
    pub is_optimal: bool,
}

/// A single action: a man placed, moved or taken.
#[derive(Clone, Debug, Deserialize)]
pub struct Action {
    /// The action, such as `d6`, `a1-a4`, `xg7`.
    pub notation: String,
    /// Who makes it.
    pub side: ActionSide,
}

/// A side, as packs name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionSide {
    /// White.
    White,
    /// Black.
    Black,
}

impl ActionSide {
    fn is(self, side: Side) -> bool {
        (self == ActionSide::White) == (side == Side::White)
    }
}

/// A text that is no pack of puzzles.
#[derive(Debug, Error)]
#[error("not a pack of puzzles: {0}")]
pub struct PackError(#[from] serde_json::Error);

/// What became of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PuzzleReview {
    /// The puzzle.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What the position is worth to the side to move; null if it cannot be read.
    pub value: Option<Worth>,
    /// The best first turns: the shortest wins, or all that draw, or the longest losses.
    pub best: Vec<String>,
    /// Whether there is only one.
    pub unique: bool,
    /// What the puzzle says and is not so.
    pub wrong: Vec<String>,
    /// What it says and the database cannot tell.
    pub open: Vec<String>,
}

/// Reads a pack.
///
/// # Errors
/// The text is not JSON or lacks what a puzzle must have; says where.
pub fn read_pack(text: &str) -> Result<Pack, PackError> {
    // Some editors begin every file with a byte order mark.
    Ok(serde_json::from_str(text.trim_start_matches('\u{feff}'))?)
}

/// Holds every puzzle of a pack against a database.
///
/// # Errors
/// As [`Prober::value`]. What is wrong with a puzzle is in its review.
pub fn review_pack(database: &Database, pack: &Pack) -> Result<Vec<PuzzleReview>, ProbeError> {
    let reader = PositionReader::new(database.variant());
    let review = |puzzle| review_puzzle(database, &reader, puzzle);
    pack.puzzles.iter().map(review).collect()
}

fn review_puzzle(
    database: &Database,
    reader: &PositionReader,
    puzzle: &Puzzle,
) -> Result<PuzzleReview, ProbeError> {
    let mut review = PuzzleReview {
        id: puzzle.id.clone(),
        title: puzzle.title.clone(),
        value: None,
        best: Vec::new(),
        unique: false,
        wrong: Vec::new(),
        open: Vec::new(),
    };
    let variant = database.variant();
    if let Some(rules) = &puzzle.rule_variant_id
        && !fits(variant, rules)
    {
        let text = format!(
            "it is for the rules {rules}, the database for {}",
            variant.id
        );
        review.open.push(text);
        return Ok(review);
    }
    let start = match reader.read(&puzzle.initial_position) {
        Ok(start) => start,
        Err(error) => {
            review.wrong.push(format!("the position: {error}"));
            return Ok(review);
        }
    };
    let mut check = Check::new(database, start, &mut review)?;
    puzzle.tags.iter().for_each(|tag| check.tag(tag));
    check.lines(&puzzle.solutions)?;
    Ok(review)
}

/// Whether Sanmill's name of a rule set means the game of this variant.
fn fits(variant: &Variant, rules: &str) -> bool {
    let ours = match rules {
        "standard_9mm" => "nine",
        "lasker_10mm" => "lasker",
        "morabaraba_12mm" => "twelve",
        other => other,
    };
    let known = Variant::builtin(ours);
    ours == variant.id || known.is_ok_and(|known| known.fingerprint() == variant.fingerprint())
}

/// A puzzle that is being checked.
struct Check<'a> {
    database: &'a Database,
    start: ReadPosition,
    value: Worth,
    /// All first turns, best first.
    turns: Vec<(Choice, TurnAnswer)>,
    review: &'a mut PuzzleReview,
}

impl<'a> Check<'a> {
    fn new(
        database: &'a Database,
        start: ReadPosition,
        review: &'a mut PuzzleReview,
    ) -> Result<Check<'a>, ProbeError> {
        let notation = Notation::new(&database.variant().board, Style::Labels);
        let prober = Prober::new(database);
        let answer = prober.value(&start.position, start.removals_due)?;
        let ranked = prober.ranked(&start.position, start.removals_due)?;
        let turns: Vec<_> = ranked
            .into_iter()
            .map(|ranked| {
                let told = TurnAnswer::of(database, &notation, ranked);
                (ranked.choice, told)
            })
            .collect();
        let value = Worth::of(database, answer);
        let best = turns.iter().filter(|(_, turn)| turn.worth == value);
        review.best = best.map(|(_, turn)| turn.text.clone()).collect();
        review.unique = review.best.len() == 1;
        review.value = Some(value.clone());
        Ok(Check {
            database,
            start,
            value,
            turns,
            review,
        })
    }

    /// Notes a claim that is not so, or cannot be told.
    fn claim(&mut self, claim: &str, truth: Option<bool>, fact: impl FnOnce() -> String) {
        match truth {
            Some(true) => {}
            Some(false) => self.review.wrong.push(format!("{claim}: {}", fact())),
            None => self.review.open.push(claim.to_owned()),
        }
    }

    /// Whether the value is this one, if it is known.
    fn is(&self, word: Word) -> Option<bool> {
        (self.value.value != Word::Unknown).then_some(self.value.value == word)
    }

    /// How many first turns are of a kind, if that is known of all.
    fn count(&self, of: impl Fn(&Worth) -> bool) -> Option<usize> {
        let worths = || self.turns.iter().map(|(_, turn)| &turn.worth);
        let all_known = worths().all(|worth| worth.value != Word::Unknown);
        all_known.then(|| worths().filter(|worth| of(worth)).count())
    }

    fn has_distances(&self) -> bool {
        self.database.contents() == Contents::Distances
    }

    fn tag(&mut self, tag: &str) {
        let value = self.value.clone();
        let told = || format!("it is a {value}");
        if let Some(turns) = number_after(tag, "win-in-") {
            // The solver's turns alone are counted; the last is his.
            let plies = turns.checked_mul(2).and_then(|twice| twice.checked_sub(1));
            let is_win = self.is(Word::Win);
            let truth = match (is_win, value.plies) {
                (Some(true), Some(found)) => Some(plies == Some(found.into())),
                (Some(true), None) => None,
                (other, _) => other,
            };
            let turns = value.plies.map_or(0, |plies| plies.div_ceil(2));
            return self.claim(tag, truth, || match is_win {
                Some(true) => format!("it is a {value}, of which the solver makes {turns}"),
                _ => told(),
            });
        }
        match tag {
            "objective:win" => self.claim(tag, self.is(Word::Win), told),
            "objective:hold-draw" => self.claim(tag, self.is(Word::Draw), told),
            "unique-draw-save" => {
                let drawing = self.count(|worth| worth.value == Word::Draw);
                self.counted(tag, Some(1), drawing);
            }
            _ => self.count_tag(tag),
        }
    }

    fn count_tag(&mut self, tag: &str) {
        let shortest = |worth: &Worth| worth.value == Word::Win && worth.plies == self.value.plies;
        let found = if tag.starts_with("non-winning-first-turns:") {
            self.count(|worth| worth.value != Word::Win)
        } else if tag.starts_with("shortest-first-turns:") {
            self.count(shortest).filter(|_| self.has_distances())
        } else if tag.starts_with("slower-winning-first-turns:") {
            self.count(|worth| worth.value == Word::Win && !shortest(worth))
                .filter(|_| self.has_distances())
        } else {
            return;
        };
        let claimed = tag.split_once(':').and_then(|(_, k)| k.parse().ok());
        self.counted(tag, claimed, found);
    }

    fn counted(&mut self, tag: &str, claimed: Option<usize>, found: Option<usize>) {
        let truth = found.map(|found| claimed == Some(found));
        let fact = || format!("there are {}", found.unwrap_or_default());
        self.claim(tag, truth, fact);
    }

    fn lines(&mut self, solutions: &[Solution]) -> Result<(), ProbeError> {
        let mut begun = Vec::new();
        for (i, solution) in solutions.iter().enumerate() {
            let name = format!("solution {}", i + 1);
            let first = self.line(&name, solution)?;
            begun.extend(first.filter(|_| solution.is_optimal));
        }
        if solutions.is_empty() {
            self.review.wrong.push("there is no solution".to_owned());
        }
        if !self.has_distances() || begun.is_empty() {
            return Ok(());
        }
        let missing: Vec<String> = self
            .turns
            .iter()
            .filter(|(choice, turn)| turn.worth == self.value && !begun.contains(choice))
            .map(|(_, turn)| turn.text.clone())
            .collect();
        if !missing.is_empty() {
            let text = format!("no optimal solution begins with {}", missing.join(" or "));
            self.review.wrong.push(text);
        }
        Ok(())
    }

    /// Follows a line and returns its first turn, if it is a legal one.
    fn line(&mut self, name: &str, solution: &Solution) -> Result<Option<Choice>, ProbeError> {
        let variant = self.database.variant();
        let notation = Notation::new(&variant.board, Style::Labels);
        let prober = Prober::new(self.database);
        let mut player = Player::new(variant, &notation, self.start);
        let mut first = None;
        for action in &solution.moves {
            let text = &action.notation;
            if !action.side.is(player.now().position.side) {
                let problem = format!("{name}: {text} is given to the wrong side");
                self.review.wrong.push(problem);
                return Ok(first);
            }
            let played = match player.play(text) {
                Ok(Some(played)) => played,
                Ok(None) => continue,
                Err(error) => {
                    self.review.wrong.push(format!("{name}: {text}: {error}"));
                    return Ok(first);
                }
            };
            first.get_or_insert(played.choice);
            let before = played.before;
            if before.position.side != self.start.position.side {
                continue;
            }
            let value = prober.value(&before.position, before.removals_due)?;
            let after = variant.after(&before.position, played.choice);
            let made = prober.value(&after, 0)?.before();
            let (value, made) = (
                Worth::of(self.database, value),
                Worth::of(self.database, made),
            );
            let unknown = value.value == Word::Unknown || made.value == Word::Unknown;
            let keeps = made.value == value.value;
            let good = keeps && (!solution.is_optimal || made.plies == value.plies);
            let turn = notation.write(played.choice);
            self.claim(
                &format!("{name}: {turn}"),
                (!unknown).then_some(good),
                || format!("{made}, where there is a {value}"),
            );
        }
        if let Some(problem) = player.unfinished() {
            self.review
                .wrong
                .push(format!("{name}: at its end {problem}"));
        } else if first.is_none() {
            self.review.wrong.push(format!("{name} has no turns"));
        }
        Ok(first)
    }
}

/// The number in a tag of the form `win-in-4`.
fn number_after(tag: &str, prefix: &str) -> Option<u32> {
    tag.strip_prefix(prefix)?.parse().ok()
}
