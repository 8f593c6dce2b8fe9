//! The answers: each takes a game and what is asked, and knows nothing of connections.

use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use super::limits::Limits;
use super::refusal::Refusal;
use super::reply::Reply;
use super::request::{Batch, Colour, Game, Parameters, Setup, check_no_parameters, read_json};
use super::served::Site;
use crate::answer::{LineAnswer, PositionAnswer, Statistics, TurnDetails, Word, Worth, side};
use crate::game::{Board, PointSet, Position, Side};
use crate::notation::{
    GameRecord, Notation, Played, ReadPosition, RecordProblem, Style, play_moves,
    read_records_from, write_position,
};
use crate::report::longest_wins;

/// What can be asked about a game, by what follows its id in the path.
pub const ENDPOINTS: [(&str, Endpoint); 7] = [
    ("", Endpoint::Question(position)),
    ("/line", Endpoint::Question(line)),
    ("/stats", Endpoint::Question(stats)),
    ("/gallery", Endpoint::Question(gallery)),
    ("/batch", Endpoint::Posted(batch)),
    ("/setup", Endpoint::Posted(setup)),
    ("/game", Endpoint::Posted(game)),
];

/// How something is asked, and who answers.
#[derive(Clone, Copy, Debug)]
pub enum Endpoint {
    /// By GET, with parameters.
    Question(Question),
    /// By POST, with a body.
    Posted(Posted),
}

/// An answer to a question with parameters.
pub type Question = fn(&Site, &str) -> Result<Reply, Refusal>;

/// An answer to a question with a body. It is JSON; work that takes long gives up after the moment given.
pub type Posted = fn(&Site, &[u8], &Limits, Instant) -> Result<Vec<u8>, Refusal>;

/// What a position is worth, its turns and what they lead to.
fn position(site: &Site, query: &str) -> Result<Reply, Refusal> {
    let asked = Parameters::read(query)?;
    let read = asked_position(site, &asked)?;
    let answer = PositionAnswer::detailed(site.database(), &read, asked.turns, asked.line)?;
    check_there(&read, &answer.worth)?;
    let turns = answer.moves.iter().flatten().map(|turn| &turn.worth);
    let mut all = turns.chain([&answer.worth]);
    let lasting = all.all(|worth| worth.value != Word::Unknown);
    Ok(Reply::json(&answer)?.lasting(lasting))
}

/// Best play to the end of the game.
fn line(site: &Site, query: &str) -> Result<Reply, Refusal> {
    let read = asked_position(site, &Parameters::read(query)?)?;
    let answer = LineAnswer::of(site.database(), &read)?;
    let worth = &answer.begins.worth;
    check_there(&read, worth)?;
    let lasting = worth.value != Word::Unknown;
    Ok(Reply::json(&answer)?.lasting(lasting))
}

fn asked_position(site: &Site, asked: &Parameters) -> Result<ReadPosition, Refusal> {
    let read = site.reader().read(&asked.position)?;
    Ok(play_moves(site.database().variant(), &read, &asked.moves)?)
}

/// An answer that nothing is known of a position is none. One that is open only because of what its turns lead
/// to is another matter: the turns that are known may be what was wanted.
fn check_there(read: &ReadPosition, worth: &Worth) -> Result<(), Refusal> {
    let own = read.position.sector();
    let is_own = |missing: &String| *missing == own.to_string();
    match read.removals_due == 0 && worth.missing.as_ref().is_some_and(is_own) {
        true => Err(Refusal::missing(own)),
        false => Ok(()),
    }
}

/// Counts sector by sector.
fn stats(site: &Site, query: &str) -> Result<Reply, Refusal> {
    check_no_parameters(query)?;
    let statistics = Statistics::of(site.database())?;
    let lasting = statistics.start.is_some();
    Ok(Reply::json(&statistics)?.lasting(lasting))
}

#[derive(Serialize)]
struct Gallery<'a> {
    variant: &'a str,
    longest: Vec<Exhibit>,
}

#[derive(Serialize)]
struct Exhibit {
    sector: String,
    plies: u16,
    position: String,
    side: &'static str,
}

/// The longest wins.
fn gallery(site: &Site, query: &str) -> Result<Reply, Refusal> {
    check_no_parameters(query)?;
    let variant = site.database().variant();
    let longest = longest_wins(site.database()).into_iter();
    let exhibits = longest.map(|win| Exhibit {
        sector: win.sector.to_string(),
        plies: win.plies,
        position: write_position(variant, &win.position.into()),
        side: side(win.position.side),
    });
    Reply::json(&Gallery {
        variant: &variant.id,
        longest: exhibits.collect(),
    })
}

/// Many positions at once, each with its answer or what is wrong with it.
fn batch(site: &Site, body: &[u8], limits: &Limits, deadline: Instant) -> Result<Vec<u8>, Refusal> {
    let asked: Batch = read_json(body)?;
    let (found, most) = (asked.positions.len(), limits.batch_positions);
    if found > most {
        let message = format!("a batch has at most {most} positions, this one has {found}");
        return Err(Refusal::too_large(message));
    }
    let answers = asked.positions.par_iter().map(|text| {
        // What nobody waits for any more is not worth the work.
        if Instant::now() >= deadline {
            return Err(Refusal::no_time());
        }
        Ok(of_batch(site, text, asked.turns).unwrap_or_else(|refusal| refusal.body()))
    });
    let answers: Vec<Vec<u8>> = answers.collect::<Result<_, Refusal>>()?;
    Ok([b"{\"answers\":[", &*answers.join(&b','), b"]}"].concat())
}

fn of_batch(site: &Site, text: &str, turns: bool) -> Result<Vec<u8>, Refusal> {
    let read = site.reader().read(text)?;
    let answer = PositionAnswer::detailed(site.database(), &read, turns, false)?;
    check_there(&read, &answer.worth)?;
    serde_json::to_vec(&answer).map_err(|_| Refusal::program())
}

#[derive(Serialize)]
struct SetUp {
    position: String,
}

/// The text of a position that is given by its points.
fn setup(site: &Site, body: &[u8], _: &Limits, _: Instant) -> Result<Vec<u8>, Refusal> {
    let asked: Setup = read_json(body)?;
    let variant = site.database().variant();
    let white = point_set(&variant.board, &asked.white)?;
    let black = point_set(&variant.board, &asked.black)?;
    if white & black != 0 {
        let both = variant.board.labels(white & black);
        return Err(Refusal::malformed(format!(
            "both sides have a man on {both}"
        )));
    }
    let as_white = Position {
        mover: white,
        opponent: black,
        mover_hand: asked.hand.white,
        opponent_hand: asked.hand.black,
        side: Side::White,
    };
    let read = ReadPosition {
        position: match asked.side {
            Colour::White => as_white,
            Colour::Black => as_white.swapped(),
        },
        removals_due: asked.removals_due,
    };
    site.reader().check(&read)?;
    let position = write_position(variant, &read);
    serde_json::to_vec(&SetUp { position }).map_err(|_| Refusal::program())
}

fn point_set(board: &Board, labels: &[String]) -> Result<PointSet, Refusal> {
    labels.iter().try_fold(0, |set: PointSet, label| {
        let point = board.point(label);
        let point =
            point.ok_or_else(|| Refusal::malformed(format!("the board has no point '{label}'")))?;
        match set >> point & 1 {
            0 => Ok(set | 1 << point),
            _ => Err(Refusal::malformed(format!("'{label}' is there twice"))),
        }
    })
}

#[derive(Serialize)]
struct PlayedGame {
    positions: Vec<String>,
    moves: Vec<PlayedTurn>,
}

#[derive(Serialize)]
struct PlayedTurn {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    details: TurnDetails,
}

/// The positions that a game goes through.
fn game(site: &Site, body: &[u8], limits: &Limits, _: Instant) -> Result<Vec<u8>, Refusal> {
    let asked: Game = read_json(body)?;
    let variant = site.database().variant();
    let start = site.reader().read(&asked.position)?;
    let games = match read_records_from(variant, &start, &asked.moves) {
        Ok(games) => games,
        // A game may not have begun.
        Err(error) if error.problem == RecordProblem::Empty => {
            vec![GameRecord::new(start, Vec::new())]
        }
        Err(error) => return Err(Refusal::record(&asked.moves, &error)),
    };
    let [game] = &games[..] else {
        let message = format!("one game is wanted here, not {}", games.len());
        return Err(Refusal::malformed(message));
    };
    let (found, most) = (game.turns.len(), limits.game_turns);
    if found > most {
        let message = format!("a game has at most {most} turns, this one has {found}");
        return Err(Refusal::too_large(message));
    }
    let notation = Notation::new(&variant.board, Style::Labels);
    let moves: Vec<PlayedTurn> = game
        .turns
        .iter()
        .map(|turn| {
            let Played { before, choice } = &turn.played;
            PlayedTurn {
                text: notation.write(*choice),
                details: TurnDetails::of(variant, before, *choice),
            }
        })
        .collect();
    let after = moves.iter().map(|turn| turn.details.position.clone());
    let positions = std::iter::once(write_position(variant, &game.start)).chain(after);
    let played = PlayedGame {
        positions: positions.collect(),
        moves,
    };
    serde_json::to_vec(&played).map_err(|_| Refusal::program())
}
