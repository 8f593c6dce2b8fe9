//! Requests as values.

use axum::body::Body;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::limits::Limits;
use super::refusal::Refusal;
use crate::answer::Hands;

/// The parameters of a question about a position: `?position=start&moves=d6_f4&line=true`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// A position text.
    pub position: String,
    /// Turns to play first; may be empty.
    pub moves: String,
    /// Whether the answer lists all turns.
    pub turns: bool,
    /// Whether the answer has best play to the end of the game.
    pub line: bool,
}

impl Parameters {
    /// Reads what follows the question mark.
    ///
    /// # Errors
    /// A parameter that is unknown, there twice, or neither true nor false; or no position.
    pub fn read(query: &str) -> Result<Parameters, Refusal> {
        let [mut position, mut moves, mut turns, mut line] = [const { None }; 4];
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let place = match &*name {
                "position" => &mut position,
                "moves" => &mut moves,
                "turns" => &mut turns,
                "line" => &mut line,
                _ => {
                    let known = "there are position, moves, turns and line";
                    let message = format!("no parameter is called '{name}'; {known}");
                    return Err(Refusal::malformed(message));
                }
            };
            if place.replace(value.into_owned()).is_some() {
                return Err(Refusal::malformed(format!("'{name}' is there twice")));
            }
        }
        let missing = || Refusal::malformed("'position' is missing, such as ?position=start");
        Ok(Parameters {
            position: spaced(position.ok_or_else(missing)?),
            moves: spaced(moves.unwrap_or_default()),
            turns: switch("turns", turns, true)?,
            line: switch("line", line, false)?,
        })
    }
}

/// Refuses parameters where there are none: whoever sends them expects that they do something.
///
/// # Errors
/// There are some.
pub fn check_no_parameters(query: &str) -> Result<(), Refusal> {
    match query {
        "" => Ok(()),
        _ => Err(Refusal::malformed("this takes no parameters")),
    }
}

/// No text has underscores, so they may stand for spaces, which addresses cannot have.
fn spaced(text: String) -> String {
    text.replace('_', " ")
}

fn switch(name: &str, value: Option<String>, otherwise: bool) -> Result<bool, Refusal> {
    match value.as_deref() {
        None => Ok(otherwise),
        Some("true" | "1" | "") => Ok(true),
        Some("false" | "0") => Ok(false),
        Some(value) => {
            let message = format!("'{name}' is true or false, not '{value}'");
            Err(Refusal::malformed(message))
        }
    }
}

/// Many positions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Their texts.
    pub positions: Vec<String>,
    /// Whether the answers list all turns.
    #[serde(default = "yes")]
    pub turns: bool,
}

fn yes() -> bool {
    true
}

/// A position by its points.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The points with a white man.
    #[serde(default)]
    pub white: Vec<String>,
    /// The points with a black man.
    #[serde(default)]
    pub black: Vec<String>,
    /// Men in hand.
    pub hand: Hands,
    /// The side to move.
    pub side: Colour,
    /// Men the side to move has to take before its turn is over.
    #[serde(default)]
    pub removals_due: u8,
}

/// A side by its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

/// A game as a text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Where it begins, if the text does not say so itself.
    #[serde(default = "start")]
    pub position: String,
    /// The turns, in any notation and form that is read.
    #[serde(default)]
    pub moves: String,
}

fn start() -> String {
    "start".to_owned()
}

/// Reads a body as JSON.
///
/// # Errors
/// It is not JSON, or not of that form.
pub fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| {
        let what = match error.is_data() {
            true => "not what is asked for here",
            false => "not JSON",
        };
        Refusal::malformed(format!("the body is {what}: {error}"))
    })
}

/// Waits for the whole body of a request.
///
/// # Errors
/// It is too large, too slow, or breaks off.
pub async fn whole_body(
    headers: &HeaderMap,
    body: Body,
    limits: &Limits,
) -> Result<Vec<u8>, Refusal> {
    let announced = headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limits.body_bytes as u64) {
        return Err(too_large(body, limits));
    }
    match timeout(limits.body_time, collected(body, limits)).await {
        Ok(body) => body,
        Err(_) => Err(Refusal::too_slow()),
    }
}

async fn collected(mut body: Body, limits: &Limits) -> Result<Vec<u8>, Refusal> {
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refusal::malformed("the body breaks off"))?;
        let piece = frame.into_data().unwrap_or_default();
        if whole.len() + piece.len() > limits.body_bytes {
            return Err(too_large(body, limits));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole)
}

/// How much of a body that is too large is taken for nothing, in bodies of the largest size.
const WASTED: usize = 8;

/// Refuses a body. Some of the rest is taken off the line while the refusal is on its way: a client that is still
/// sending might be cut off before it reads why.
fn too_large(mut body: Body, limits: &Limits) -> Refusal {
    let most = limits.body_bytes;
    let mut left = WASTED * most;
    let waste = async move {
        while let Some(Ok(frame)) = body.frame().await {
            let piece = frame.data_ref().map_or(0, |piece| piece.len());
            match left.checked_sub(piece) {
                Some(rest) => left = rest,
                None => return,
            }
        }
    };
    tokio::spawn(timeout(limits.body_time, waste));
    Refusal::too_large(format!("a body has at most {most} bytes"))
}
