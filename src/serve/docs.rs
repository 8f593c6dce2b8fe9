//! The documentation of the API as a page.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::examples::{Example, examples};
use super::{Limits, Served};
use crate::figures::grouped;
use crate::report::STYLE;

/// What is asked how: method, path, parameters or body, answer.
const PATHS: [[&str; 4]; 10] = [
    [
        "GET",
        "/api/{variant}",
        "position; moves to play first; turns=false for the value alone; line=true for best play to the end",
        "variant, position, side, value, plies, board, over, moves, line",
    ],
    [
        "GET",
        "/api/{variant}/line",
        "position; moves to play first",
        "variant, position, side, value, plies, and line: the turns of best play to the end",
    ],
    [
        "GET",
        "/api/{variant}/stats",
        "",
        "variant, start (what the game is worth), and sectors: won, drawn and lost positions, the longest win and \
         loss in plies, an example of each",
    ],
    [
        "GET",
        "/api/{variant}/gallery",
        "",
        "longest: sector, plies, position and side of the longest wins; empty without distances",
    ],
    [
        "POST",
        "/api/{variant}/batch",
        "positions, a list of texts; turns, true unless it says false",
        "answers, in the same order, each as for a single position, or error",
    ],
    [
        "POST",
        "/api/{variant}/setup",
        "white, black: lists of points; hand: white and black; side; removals_due, 0 unless it says more",
        "position: its text",
    ],
    [
        "POST",
        "/api/{variant}/game",
        "moves: a game as a list of turns, PGN or a table, points by name or number; position, the start unless it \
         says another",
        "positions, one more than turns; moves: what was played",
    ],
    [
        "GET",
        "/api/variants",
        "",
        "variants: the games with their boards, and what the databases hold",
    ],
    ["GET", "/health", "", "status, version, variants: how many"],
    ["GET", "/", "", "the page for people"],
];

/// The words of the answers.
const WORDS: [(&str, &str); 9] = [
    (
        "position",
        "A text of Sanmill with 12 to 17 fields, MFEN/1.0, or start. Answers have the 17 fields.",
    ),
    (
        "value",
        "win, draw or loss with best play: for the side to move, or of a turn for the player who makes it. unknown \
         where the database lacks a sector without which it cannot be told, which missing names.",
    ),
    (
        "plies",
        "Turns of one side to the end of the game, a turn with the men it takes being one, when the winner hurries \
         and the loser resists. null for draws and where there are no distances.",
    ),
    (
        "moves",
        "All turns, best first: the shortest win, draws, the longest loss, and last what is unknown.",
    ),
    (
        "from, to",
        "Points. from is null for a man that is placed, both are null for a side that passes or only takes.",
    ),
    (
        "takes, captures",
        "The points from which men are taken, and how many there are.",
    ),
    (
        "position of a turn",
        "Where it leads: to be asked about next, so that no client needs the rules.",
    ),
    (
        "board",
        "white and black: points with their men; hand: men not placed yet; removals_due: men the side to move has \
         to take first.",
    ),
    (
        "over",
        "null while the game goes on, and then winner (white, black, or null for a draw) and reason.",
    ),
];

/// The statuses of responses without an answer.
const STATUSES: [(&str, &str); 8] = [
    (
        "400",
        "The request, a position text or turns are malformed, or a turn is not legal. field and character, from 1, \
         say where.",
    ),
    (
        "404",
        "No such path or game; or a well-formed text that is no position of this game, as it has too many men.",
    ),
    (
        "405",
        "The path answers another method, which the header Allow names.",
    ),
    ("408", "The body of the request did not arrive in time."),
    ("413", "The body, the batch or the game is too large."),
    ("431, 414", "The head of the request is too large."),
    (
        "500",
        "A file of the database is damaged; the message names it. Other positions are answered.",
    ),
    (
        "503",
        "The database lacks the sector of the position, which missing names; or there was no time to answer.",
    ),
];

/// Elements of a list that examples show.
const SHOWN: usize = 2;

/// The documentation.
pub(super) fn page(served: &Served) -> String {
    let games = served.databases().map(|database| database.variant());
    let games: Vec<String> = games
        .map(|game| format!("{} ({})", game.id, game.name))
        .collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { "What can be asked – millbase" }
                style { (PreEscaped(STYLE)) "td code { white-space: nowrap; overflow-wrap: normal }" }
            }
            body {
                header {
                    h1 { "What can be asked" }
                    p.verdict { "This server knows what positions of mill games are worth: " (games.join(", ")) "." }
                    p {
                        "Answers are JSON. Nothing can be changed, so there is nothing to sign in for, and pages of any "
                        "origin may ask (CORS). " a href="/" { "The page" } " uses nothing but what is described here."
                    }
                }
                main {
                    section { h2 { "Paths" } (paths()) }
                    section { h2 { "Words" } (list(&WORDS)) }
                    section { h2 { "Refusals" } (refusals()) }
                    section { h2 { "Limits" } (limits(served.limits())) }
                    section { h2 { "Examples" } (shown(&examples(served))) }
                }
            }
        }
    }
    .into_string()
}

fn paths() -> Markup {
    html! {
        p {
            "The parts of a question follow the question mark (" code { "?position=start&line=true" }
            "), or are the members of a JSON object that is sent as the body. In addresses an underscore stands for "
            "a space, and the characters of a position need no escapes. What is not known is refused, not ignored. "
            "With curl: " code { "curl -d BODY http://HOST/PATH" } " sends a body."
        }
        table {
            thead { tr { th { "method" } th { "path" } th { "asked with" } th { "answer" } } }
            tbody {
                @for [method, path, asked, answer] in PATHS {
                    tr { td { (method) } td { code { (path) } } td { (asked) } td { (answer) } }
                }
            }
        }
    }
}

fn list(entries: &[(&str, &str)]) -> Markup {
    html! {
        dl { @for (word, meaning) in entries { dt { code { (word) } } dd { (meaning) } } }
    }
}

fn refusals() -> Markup {
    html! {
        p {
            "In place of an answer there is " code { r#"{"error":{"kind","message"}}"# }
            ", with field, character or missing where they are known. A turn that leads to a missing sector does not "
            "fail its position: its value is unknown."
        }
        (list(&STATUSES))
    }
}

fn limits(limits: &Limits) -> Markup {
    let seconds = |time: std::time::Duration| format!("{} s", time.as_secs_f32());
    html! {
        p {
            "A batch has at most " (grouped(limits.batch_positions as u64)) " positions, a game "
            (grouped(limits.game_turns as u64)) " turns, a body " (grouped(limits.body_bytes as u64))
            " bytes, the head of a request " (grouped(limits.head_bytes as u64)) ". A head and a body may take "
            (seconds(limits.head_time)) " and " (seconds(limits.body_time)) " to arrive, an answer "
            (seconds(limits.answer_time)) " to be found. " (grouped(limits.connections as u64))
            " connections are served at a time; one that is idle for " (seconds(limits.head_time)) " is closed."
        }
        p {
            "Answers to GET have a strong ETag, so that asking again with If-None-Match costs a 304. HTTP/1.1 "
            "connections stay open for further requests."
        }
    }
}

fn shown(examples: &[Example]) -> Markup {
    html! {
        p {
            "With the answers of this server, in which lists are cut after " (SHOWN) " elements."
        }
        @for example in examples {
            h3 { (example.about) }
            @match &example.body {
                None => p { "GET " a href=(example.path) { code { (example.path) } } },
                Some(body) => { p { "POST " code { (example.path) } } pre { (body) } },
            }
            pre { (example.status) "\n" (cut(&example.answer)) }
        }
    }
}

/// JSON for people, its lists cut short.
fn cut(json: &str) -> String {
    let mut value: Value = serde_json::from_str(json).unwrap_or_default();
    shorten(&mut value);
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

fn shorten(value: &mut Value) {
    match value {
        Value::Array(elements) => {
            let more = elements.len() > SHOWN;
            elements.truncate(SHOWN);
            elements.iter_mut().for_each(shorten);
            if more {
                elements.push("…".into());
            }
        }
        Value::Object(members) => members.values_mut().for_each(shorten),
        _ => {}
    }
}
