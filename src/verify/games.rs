//! Databases tried in play: from won positions, the player who follows the database against one who plays
//! at random.
//!
//! ```text
//! winner to move     win in 9    plays the best turn    loss in 8, exactly
//! opponent to move   loss in 8   plays any turn         win in 7, or sooner
//! ...                                                   the opponent has lost
//! ```
//!
//! The distances must go down like that in every turn, and so the game ends in time. Only rules and answers
//! meet here: that turns are generated, played and looked up in one and the same way by all who play.

use serde::Serialize;

use crate::database::{Contents, Database};
use crate::game::{Position, Turn};
use crate::index::Cells;
use crate::notation::write_position;
use crate::probe::{Choice, ProbeError, Probed, Prober};
use crate::random::Random;
use crate::value::Outcome;

/// What came of the games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Games {
    /// Games played, each from another won position.
    pub games: u64,
    /// Those that were won in the stated number of plies or sooner, each turn shortening the way as it should.
    pub won_in_time: u64,
    /// Turns of both sides that the games took.
    pub turns: u64,
    /// Turns that they would have taken against the best defence.
    pub stated_turns: u64,
    /// The greatest distance of a first position, in plies.
    pub longest_distance: u16,
    /// Games that were left where the database lacks a sector.
    pub given_up: u64,
    /// The first few positions after which the database did not keep its word.
    pub broken: Vec<Broken>,
}

/// A turn after which a game was worth something else than the database had said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// The position before, in the text form of [`notation`](crate::notation).
    pub position: String,
    /// What the database says of it.
    pub stated: String,
    /// What it says of the position after.
    pub after: String,
}

/// Broken promises that are kept.
const LISTED: usize = 10;

/// Draws of a position before the search for won ones is given up, for each game.
const MOST_DRAWS: u64 = 10_000;

/// Plays games from won positions, drawn at random from all cells of the database: `count` of them, or fewer
/// if won positions are too rare. The same seed gives the same games. A database without distances does not
/// know the way, so there are none.
///
/// # Errors
/// When a file of the database is wrong.
pub fn play(database: &Database, count: u64, seed: u64) -> Result<Games, ProbeError> {
    let mut games = Games::default();
    let (prober, mut random) = (Prober::new(database), Random::new(seed));
    let sectors = &database.manifest().sectors;
    let cells = Cells::of(database.index(), sectors.iter().map(|record| record.sector));
    if database.contents() != Contents::Distances {
        return Ok(games);
    }
    let mut draws = count.saturating_mul(MOST_DRAWS);
    while games.games < count && draws > 0 {
        draws -= 1;
        let Some(position) = cells.position(random.below(cells.count())) else {
            break;
        };
        let answer = prober.value(&position, 0)?.known();
        let Some(won) = answer.filter(|probed| probed.outcome == Outcome::Win) else {
            continue;
        };
        games.games += 1;
        games.one(&prober, position, won, &mut random)?;
    }
    Ok(games)
}

impl Games {
    /// One game, from a position that is won for the side to move.
    fn one(
        &mut self,
        prober: &Prober,
        start: Position,
        won: Probed,
        random: &mut Random,
    ) -> Result<(), ProbeError> {
        let variant = prober.database().variant();
        let (mut position, mut stated, mut winners_turn) = (start, won, true);
        let mut played = 0;
        while variant.ending(&position).is_none() {
            let turn = if winners_turn {
                best(prober, &position)?
            } else {
                let turns = variant.turns(&position);
                turns
                    .get(random.below(turns.len() as u64) as usize)
                    .copied()
            };
            let next = turn.map(|turn| variant.play(&position, &turn));
            let found = match next {
                Some(next) => prober.value(&next, 0)?.known().map(|found| (next, found)),
                None => None,
            };
            let Some((next, found)) = found else {
                self.given_up += 1;
                return Ok(());
            };
            if !keeps_word(stated, found, winners_turn) {
                self.note(prober, &position, stated, found);
                return Ok(());
            }
            (position, stated, winners_turn) = (next, found, !winners_turn);
            played += 1;
        }
        let distance = won.plies.unwrap_or(0);
        self.longest_distance = self.longest_distance.max(distance);
        self.turns += u64::from(played);
        self.stated_turns += u64::from(distance);
        // The game ends with the loser to move.
        if !winners_turn && played <= distance {
            self.won_in_time += 1;
        }
        Ok(())
    }

    fn note(&mut self, prober: &Prober, before: &Position, stated: Probed, after: Probed) {
        if self.broken.len() < LISTED {
            self.broken.push(Broken {
                position: write_position(prober.database().variant(), &(*before).into()),
                stated: stated.to_string(),
                after: after.to_string(),
            });
        }
    }
}

/// The best turn that the database knows.
fn best(prober: &Prober, position: &Position) -> Result<Option<Turn>, ProbeError> {
    let ranked = prober.ranked(position, 0)?;
    Ok(ranked.first().and_then(|best| match best.choice {
        Choice::Turn(turn) => Some(turn),
        Choice::Removal(_) => None,
    }))
}

/// Whether a position is followed by one that is worth what it should be: after the winner's turn a loss in
/// exactly one ply less, after any turn of the other a win in one ply less or sooner.
fn keeps_word(stated: Probed, found: Probed, winners_turn: bool) -> bool {
    let Some((stated, plies)) = stated.plies.zip(found.plies) else {
        return false;
    };
    match (found.outcome, winners_turn) {
        (Outcome::Loss, true) => plies + 1 == stated,
        (Outcome::Win, false) => plies < stated,
        _ => false,
    }
}
