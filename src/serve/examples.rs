//! Requests to try. The documentation shows them with the answers of the games at hand, and tests send them.

use std::time::Instant;

use serde_json::json;

use super::Served;
use super::answers::{ENDPOINTS, Endpoint};
use super::refusal::Refusal;
use super::served::Site;
use crate::answer::{PositionDetails, side};
use crate::game::{PASS, Position, Variant};
use crate::notation::{write_position, write_turn};
use crate::report::longest_wins;

/// A request to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it shows.
    pub about: &'static str,
    /// Path and parameters.
    pub path: String,
    /// The body of a POST; `None` for GET.
    pub body: Option<String>,
    /// The status of the response.
    pub status: u16,
    /// The body of the response.
    pub answer: String,
}

/// Turns of the game that examples are taken from.
const TURNS: usize = 3;

/// Requests to try, about the first of the games, with their answers.
pub fn examples(served: &Served) -> Vec<Example> {
    let Some(site) = served.first() else {
        return Vec::new();
    };
    let general = [
        ("Whether the server is at work.", "/health", served.health()),
        (
            "The games and their boards.",
            "/api/variants",
            served.variants(),
        ),
    ];
    let general = general.into_iter().map(|(about, path, answer)| {
        let answer = answer.map(|reply| reply.body.to_vec());
        Example::new(about, path.to_owned(), None, answer)
    });
    general.chain(about_game(served, site)).collect()
}

impl Example {
    fn new(
        about: &'static str,
        path: String,
        body: Option<String>,
        answer: Result<Vec<u8>, Refusal>,
    ) -> Example {
        let (status, answer) = match answer {
            Ok(answer) => (200, answer),
            Err(refusal) => (refusal.status.as_u16(), refusal.body()),
        };
        Example {
            about,
            path,
            body,
            status,
            answer: String::from_utf8_lossy(&answer).into_owned(),
        }
    }
}

/// An example about a game: what follows its id in the path, and parameters or a body.
type Row = (&'static str, &'static str, String);

fn about_game(served: &Served, site: &Site) -> Vec<Example> {
    let id = encoded(&site.database().variant().id);
    rows(site)
        .into_iter()
        .filter_map(|(about, tail, words)| {
            let (_, endpoint) = ENDPOINTS.into_iter().find(|(known, _)| *known == tail)?;
            Some(match endpoint {
                Endpoint::Question(ask) => {
                    let answer = ask(site, &words).map(|reply| reply.body.to_vec());
                    let mark = if words.is_empty() { "" } else { "?" };
                    Example::new(about, format!("/api/{id}{tail}{mark}{words}"), None, answer)
                }
                Endpoint::Posted(ask) => {
                    let limits = served.limits();
                    let deadline = Instant::now() + limits.answer_time;
                    let answer = ask(site, words.as_bytes(), limits, deadline);
                    Example::new(about, format!("/api/{id}{tail}"), Some(words), answer)
                }
            })
        })
        .collect()
}

fn rows(site: &Site) -> Vec<Row> {
    let variant = site.database().variant();
    let (turns, position) = opening(variant);
    let text = write_position(variant, &position.into());
    let details = PositionDetails::of(variant, &position.into()).board;
    let mut too_many = variant.start();
    too_many.mover_hand = too_many.mover_hand.saturating_add(1);
    let longest = longest_wins(site.database())
        .into_iter()
        .max_by_key(|win| win.plies);
    let longest = longest.map_or(position, |win| win.position);
    vec![
        (
            "The start: what it is worth and what each turn is, best first.",
            "",
            "position=start".to_owned(),
        ),
        (
            "A position after some turns, its value alone. An underscore stands for a space.",
            "",
            format!("position=start&moves={}&turns=false", turns.join("_")),
        ),
        (
            "A position as a text, with best play to the end.",
            "",
            format!("position={}&turns=false&line=true", underscored(&text)),
        ),
        (
            "Best play turn by turn, with what each leads to.",
            "/line",
            format!(
                "position={}",
                underscored(&write_position(variant, &longest.into()))
            ),
        ),
        (
            "Won, drawn and lost positions of each sector.",
            "/stats",
            String::new(),
        ),
        (
            "The longest wins, to be looked at one by one.",
            "/gallery",
            String::new(),
        ),
        (
            "Several positions at once; what is wrong with one does not keep the others from being answered.",
            "/batch",
            json!({ "positions": ["start", text, "stort"], "turns": false }).to_string(),
        ),
        (
            "A position by its points.",
            "/setup",
            json!({
                "white": details.white,
                "black": details.black,
                "hand": details.hand,
                "side": side(position.side),
            })
            .to_string(),
        ),
        (
            "A game in any notation, here a list of turns with their numbers.",
            "/game",
            json!({ "moves": format!("1. {}", turns.join(" ")) }).to_string(),
        ),
        (
            "A text that cannot be read.",
            "",
            format!("position={}", underscored(&text.replace(" p ", " q "))),
        ),
        (
            "A text that can be read, but is no position of this game.",
            "",
            format!(
                "position={}",
                underscored(&write_position(variant, &too_many.into()))
            ),
        ),
        (
            "Turns that cannot be played.",
            "",
            format!(
                "position=start&moves={0}_{0}",
                turns.first().map_or(PASS, |turn| turn)
            ),
        ),
    ]
}

/// Some turns from the start, and where they lead.
fn opening(variant: &Variant) -> (Vec<String>, Position) {
    let mut position = variant.start();
    let mut texts = Vec::new();
    for number in 0..TURNS {
        let turns = variant.turns(&position);
        let Some(turn) = turns.get(number * turns.len() / TURNS) else {
            break;
        };
        texts.push(write_turn(&variant.board, turn));
        position = variant.play(&position, turn);
    }
    (texts, position)
}

fn underscored(text: &str) -> String {
    text.replace(' ', "_")
}

/// A text as a part of a path.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
