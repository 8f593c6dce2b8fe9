//! Requests and answers, one JSON object a line.
//!
//! Requests that have arrived together are answered together, on all threads; answers come in the order of
//! the requests. What is wrong with a request is an answer as well, and the next is read.

use std::io::{self, BufReader, Read, Write};

use rayon::prelude::*;
use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PositionAnswer;
use crate::database::Database;
use crate::lines::{LONGEST, is_too_long, read_line};
use crate::notation::{PositionError, PositionReader, TurnError, play_moves};
use crate::probe::ProbeError;

/// Bytes that are read ahead.
const BUFFER: usize = 1 << 18;

/// Requests that are answered together at most.
const AT_ONCE: usize = 1 << 10;

/// What a line asks.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a position")]
pub struct Request {
    /// Comes back with the answer; any JSON value.
    #[serde(default)]
    pub id: Value,
    /// `start`, a text of Sanmill with 12 to 17 fields, or one that begins with MFEN/1.0.
    pub position: String,
    /// Turns to play first, separated by blanks, in any notation.
    #[serde(default)]
    pub moves: String,
    /// Whether the answer lists all turns.
    #[serde(default = "yes")]
    pub turns: bool,
    /// Whether the answer has best play to the end of the game.
    #[serde(default)]
    pub line: bool,
    /// Whether the answer has what programs need that do not know the rules: where the men are, and the parts
    /// of each turn with the position it leads to.
    #[serde(default)]
    pub details: bool,
}

fn yes() -> bool {
    true
}

/// What comes back for a line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reply<'a> {
    /// That of the request; null if it could not be read.
    pub id: Value,
    /// The answer or what is wrong.
    #[serde(flatten)]
    pub content: Content<'a>,
}

/// An answer, or why there is none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Content<'a> {
    /// The answer.
    Answer(PositionAnswer<'a>),
    /// Why there is none.
    Error {
        /// What is wrong.
        error: Fault,
    },
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fault {
    /// Which part is at fault.
    pub kind: FaultKind,
    /// What is wrong, as a sentence.
    pub message: String,
    /// The field of the position text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<usize>,
    /// The character of the position, of the moves or of the line that is no request, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<usize>,
    /// The sector that the database lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// What a fault is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// What was sent is not JSON, or not a request.
    Request,
    /// The text is no position of the game.
    Position,
    /// The turns cannot be played.
    Moves,
    /// The database is damaged or does not fit.
    Database,
    /// By HTTP: the database lacks the sector of the position.
    Missing,
    /// By HTTP: no such game is served.
    Variant,
    /// By HTTP: there is nothing at the path.
    Path,
    /// By HTTP: the path answers other methods.
    Method,
    /// By HTTP: the request is too large.
    Limit,
    /// By HTTP: the request or its answer took too long.
    Time,
    /// By HTTP: the program has a fault of its own.
    Program,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, message: impl ToString) -> Fault {
        Fault {
            kind,
            message: message.to_string(),
            field: None,
            character: None,
            missing: None,
        }
    }
}

impl From<PositionError> for Fault {
    fn from(error: PositionError) -> Fault {
        let (field, character) = error.place();
        Fault {
            field: Some(field),
            character: Some(character),
            ..Fault::new(FaultKind::Position, error)
        }
    }
}

impl From<TurnError> for Fault {
    fn from(error: TurnError) -> Fault {
        Fault {
            character: Some(error.character),
            ..Fault::new(FaultKind::Moves, error)
        }
    }
}

impl From<ProbeError> for Fault {
    fn from(error: ProbeError) -> Fault {
        Fault::new(FaultKind::Database, error)
    }
}

/// One request and its answer.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Exchange {
    /// A line in.
    request: Request,
    /// A line out.
    reply: Reply<'static>,
}

/// What the lines in and out look like, as a JSON Schema.
pub fn schema() -> Schema {
    schema_for!(Exchange)
}

/// Answers every line of the input with one of the output, and passes answers on before it waits for more
/// requests. Empty lines are skipped.
///
/// # Errors
/// Input that cannot be read, or output that cannot be written. Faults of requests are answers.
pub fn serve(database: &Database, input: impl Read, mut output: impl Write) -> io::Result<()> {
    let reader = PositionReader::new(database.variant());
    let mut input = BufReader::with_capacity(BUFFER, input);
    loop {
        let lines = waiting_lines(&mut input)?;
        if lines.is_empty() {
            return Ok(());
        }
        let answer = |line: &Vec<u8>| reply(database, &reader, line);
        let replies: Vec<Option<Vec<u8>>> = lines.par_iter().map(answer).collect();
        for reply in replies.into_iter().flatten() {
            output.write_all(&reply)?;
        }
        output.flush()?;
    }
}

/// The next line, and those that can be had without waiting. Empty at the end of the input.
fn waiting_lines<R: Read>(input: &mut BufReader<R>) -> io::Result<Vec<Vec<u8>>> {
    let mut lines = Vec::new();
    while lines.is_empty() || lines.len() < AT_ONCE && input.buffer().contains(&b'\n') {
        let line = read_line(input)?;
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    Ok(lines)
}

/// The answer to a line, with its line break; none to an empty one.
fn reply(database: &Database, reader: &PositionReader, line: &[u8]) -> Option<Vec<u8>> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let (id, answer) = match request(line) {
        Ok(request) => (request.id.clone(), answer(database, reader, &request)),
        Err((id, fault)) => (id, Err(fault)),
    };
    let content = match answer {
        Ok(answer) => Content::Answer(answer),
        Err(error) => Content::Error { error },
    };
    let mut text = serde_json::to_vec(&Reply { id, content }).unwrap_or_default();
    text.push(b'\n');
    Some(text)
}

/// The request of a line, or its id as far as that can be told, and what is wrong.
fn request(line: &[u8]) -> Result<Request, (Value, Fault)> {
    if is_too_long(line) {
        let message = format!("a request has at most {LONGEST} bytes");
        return Err((Value::Null, Fault::new(FaultKind::Request, message)));
    }
    // The break at its end would count as a second line.
    let line = line.trim_ascii_end();
    // A list of the values without their names would be taken, too.
    if line.trim_ascii_start().starts_with(b"[") {
        let message = "not a request: it is a list and no object";
        return Err((Value::Null, Fault::new(FaultKind::Request, message)));
    }
    serde_json::from_slice(line).map_err(|error| {
        let value: Option<Value> = serde_json::from_slice(line).ok();
        let id = value.and_then(|value| value.get("id").cloned());
        (id.unwrap_or_default(), request_fault(line, &error))
    })
}

/// What is wrong with a line that is no request, and where.
fn request_fault(line: &[u8], error: &serde_json::Error) -> Fault {
    let what = match error.is_data() {
        true => "not a request",
        false => "not JSON",
    };
    // Columns are bytes.
    let before = &line[..error.column().min(line.len())];
    Fault {
        character: Some(String::from_utf8_lossy(before).chars().count().max(1)),
        ..Fault::new(FaultKind::Request, format!("{what}: {error}"))
    }
}

fn answer<'a>(
    database: &'a Database,
    reader: &PositionReader,
    request: &Request,
) -> Result<PositionAnswer<'a>, Fault> {
    let start = reader.read(&request.position)?;
    let read = play_moves(database.variant(), &start, &request.moves)?;
    let ask = match request.details {
        true => PositionAnswer::detailed,
        false => PositionAnswer::of,
    };
    Ok(ask(database, &read, request.turns, request.line)?)
}
