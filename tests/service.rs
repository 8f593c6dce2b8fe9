//! Requests and answers, one JSON object a line.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use millbase::answer::{PositionAnswer, QuestionError, TextProber, Word, schema, serve};
use millbase::conversion::Metric;
use millbase::database::Database;
use millbase::game::Variant;
use millbase::notation::{play_moves, read_position, write_position};
use millbase::probe::ProbeError;
use millbase::solve::{Silent, SolveOptions, solve};
use serde_json::{Value, json};
use tempfile::TempDir;

static DIAGONAL: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::builtin("three-diagonal").unwrap();
    let db = folder.path().join("db");
    solve(&variant, &db, &SolveOptions::default(), &Silent).unwrap();
    folder
});

fn database() -> Database {
    Database::open(&DIAGONAL.path().join("db")).unwrap()
}

fn answers(requests: &[u8]) -> Vec<Value> {
    let mut out = Vec::new();
    serve(&database(), requests, &mut out).unwrap();
    assert!(out.is_empty() || out.ends_with(b"\n"));
    let lines = out.split(|&byte| byte == b'\n').filter(|l| !l.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

fn answer(request: &Value) -> Value {
    let all = answers(request.to_string().as_bytes());
    assert_eq!(all.len(), 1);
    all.into_iter().next().unwrap()
}

#[test]
fn an_answer_is_that_of_a_query() {
    let database = database();
    let variant = database.variant();
    for moves in ["", "b2", "b2 a1 c3", "5 7 1", "b2 a1 c1 a3 a2 c2"] {
        let read = play_moves(variant, &variant.start().into(), moves).unwrap();
        let expected = PositionAnswer::of(&database, &read, true, true).unwrap();
        let mut expected = serde_json::to_value(&expected).unwrap();
        expected["id"] = json!("here");
        let request = json!({"id": "here", "position": "start", "moves": moves, "line": true});
        assert_eq!(answer(&request), expected);
    }
    let start = answer(&json!({"position": "start", "turns": false}));
    assert_eq!(
        (&start["id"], &start["value"]),
        (&Value::Null, &json!("win"))
    );
    assert!(start.get("moves").is_none() && start.get("line").is_none());
    let turns = answer(&json!({"position": "start"}));
    assert_eq!(turns["moves"].as_array().unwrap().len(), 9);
    assert_eq!(
        turns["moves"][0],
        json!({"move": "b2", "value": "win", "plies": turns["plies"]})
    );
}

#[test]
fn details_are_what_a_program_needs_that_does_not_know_the_rules() {
    let moves = "b2 a1 c1 a3 a2 c2";
    let asked = json!({"position": "start", "moves": moves, "details": true});
    let detailed = answer(&asked);
    assert_eq!(
        detailed["board"],
        json!({"white": ["c1", "a2", "b2"], "black": ["a1", "c2", "a3"],
            "hand": {"white": 0, "black": 0}, "removals_due": 0})
    );
    assert_eq!(detailed["over"], Value::Null);
    let mut plain = answer(&json!({"position": "start", "moves": moves}));
    let turns = detailed["moves"].as_array().unwrap();
    assert!(!turns.is_empty());
    for (detailed, plain) in turns.iter().zip(plain["moves"].as_array_mut().unwrap()) {
        let text = detailed["move"].as_str().unwrap();
        let (from, to) = text.split_once('-').unwrap();
        plain["from"] = json!(from);
        plain["to"] = json!(to);
        plain["takes"] = json!([]);
        plain["captures"] = json!(0);
        let after = answer(&json!({"position": "start", "moves": format!("{moves} {text}")}));
        plain["position"] = after["position"].clone();
        assert_eq!(detailed, plain);
    }
}

#[test]
fn faults_are_answers_with_the_id_of_their_request() {
    let long = format!("{{\"id\":7,\"position\":\"{}\"}}", "x".repeat(100_000));
    let cases: &[(&[u8], Value, &str, &str)] = &[
        (b"nonsense", Value::Null, "request", "not JSON"),
        (b"\xff\xfe", Value::Null, "request", "not JSON"),
        (
            br#"[1,"start"]"#,
            Value::Null,
            "request",
            "it is a list and no object",
        ),
        (b"null", Value::Null, "request", "an object with a position"),
        (
            br#"{"id":3}"#,
            json!(3),
            "request",
            "missing field `position`",
        ),
        (
            br#"{"id":[4],"position":"start","to":1}"#,
            json!([4]),
            "request",
            "unknown field `to`",
        ),
        (
            br#"{"id":5,"position":7}"#,
            json!(5),
            "request",
            "invalid type",
        ),
        (
            br#"{"id":6,"position":"start","moves":"b2 b2"}"#,
            json!(6),
            "moves",
            "occupied",
        ),
        (
            long.as_bytes(),
            Value::Null,
            "request",
            "at most 65536 bytes",
        ),
        (
            br#"{"id":8,"position":"O**/***/*** w p p 1 2 0 4 0 0 0 1"}"#,
            json!(8),
            "position",
            "men of Black",
        ),
        (
            br#"{"id":9,"position":"stort"}"#,
            json!(9),
            "position",
            "at least 12 fields",
        ),
    ];
    let mut all = Vec::new();
    for (line, ..) in cases {
        all.extend_from_slice(line);
        all.extend_from_slice(b"\n \r\n");
    }
    all.extend_from_slice(br#"{"id":10,"position":"start"}"#);
    let answers = answers(&all);
    assert_eq!(answers.len(), cases.len() + 1);
    for ((_, id, kind, message), answer) in cases.iter().zip(&answers) {
        assert_eq!(&answer["id"], id, "{answer}");
        assert_eq!(answer["error"]["kind"], *kind, "{answer}");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.contains(message), "{said}");
    }
    // The number where a text belongs.
    assert_eq!(answers[6]["error"]["character"], 20);
    assert_eq!(answers[7]["error"]["character"], 4);
    let place = |answer: &Value| {
        let error = &answer["error"];
        (error["field"].as_u64(), error["character"].as_u64())
    };
    assert_eq!(place(&answers[9]), (Some(8), Some(25)));
    // The second field is not there; and the sides place in turn.
    assert_eq!(place(&answers[10]), (Some(2), Some(6)));
    let impossible = json!({"position": "O**/***/*** w p p 1 2 0 3 0 0 0 1"});
    assert_eq!(place(&answer(&impossible)), (Some(6), Some(21)));
    assert_eq!(answers[11]["value"], "win");
}

#[test]
fn thousands_of_requests_are_answered_in_their_order() {
    let variant = Variant::builtin("three-diagonal").unwrap();
    let turns: Vec<String> = (0..9).map(|p| variant.board.label(p).to_owned()).collect();
    let mut requests = Vec::new();
    for id in 0..5000 {
        let moves = &turns[id % 9];
        writeln!(
            requests,
            r#"{{"id":{id},"position":"start","moves":"{moves}"}}"#
        )
        .unwrap();
    }
    let answers = answers(&requests);
    assert_eq!(answers.len(), 5000);
    for (id, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], id);
        let won = turns[id % 9] == "b2";
        assert_eq!(answer["value"] == "loss", won, "{answer}");
    }
}

#[test]
fn texts_are_answered_like_queries() {
    let (prober, database) = (
        TextProber::open(&DIAGONAL.path().join("db")).unwrap(),
        database(),
    );
    let variant = prober.database().variant();
    let mut texts = vec!["start".to_owned()];
    for moves in ["b2", "b2 a1 c3", "a1 b2 a3 a2", "b2 a1 c1 a3 a2 c2"] {
        let read = play_moves(variant, &variant.start().into(), moves).unwrap();
        texts.push(write_position(variant, &read));
    }
    texts.insert(2, "stort".to_owned());
    let many = prober.probe_many(&texts);
    assert_eq!(many.len(), texts.len());
    for (text, of_many) in texts.iter().zip(many) {
        let Ok(read) = read_position(variant, text) else {
            assert!(matches!(of_many, Err(QuestionError::Position(_))));
            assert!(matches!(
                prober.moves(text),
                Err(QuestionError::Position(_))
            ));
            continue;
        };
        let expected = PositionAnswer::of(&database, &read, true, true).unwrap();
        let alone = PositionAnswer::of(&database, &read, false, false).unwrap();
        assert_eq!(of_many.unwrap(), alone);
        assert_eq!(prober.probe(text).unwrap(), alone);
        assert_eq!(Some(prober.line(text).unwrap()), expected.line);
        let moves = prober.moves(text).unwrap();
        for continuation in &moves {
            let text = &continuation.turn.text;
            let after = play_moves(variant, &read, text).unwrap();
            assert_eq!(continuation.position, write_position(variant, &after));
        }
        let turns = moves.into_iter().map(|continuation| continuation.turn);
        assert_eq!(Some(turns.collect()), expected.moves);
    }
}

#[test]
fn texts_of_positions_inside_a_turn_are_answered_among_many() {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::builtin("six").unwrap();
    solve(&variant, folder.path(), &SolveOptions::default(), &Silent).unwrap();
    let prober = TextProber::open(folder.path()).unwrap();
    let inside = "*****@@*/***OOO** w p r 3 3 2 4 1 0 0 0 0 0 1";
    let many = prober.probe_many(&["start", inside, "start", inside]);
    let found = many.into_iter().map(|answer| {
        let worth = answer.unwrap().worth;
        (worth.value, worth.plies)
    });
    let (draw, win) = ((Word::Draw, None), (Word::Win, Some(33)));
    assert_eq!(found.collect::<Vec<_>>(), [draw, win, draw, win]);
}

#[test]
fn conversions_are_not_asked_without_a_count() {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::builtin("three-diagonal").unwrap();
    let options = SolveOptions {
        metric: Metric::Conversion { limit: None },
        ..SolveOptions::default()
    };
    solve(&variant, folder.path(), &options, &Silent).unwrap();
    let error = TextProber::open(folder.path()).unwrap_err();
    assert!(matches!(
        error,
        QuestionError::Probe(ProbeError::NeedsCount(_))
    ));
    let missing = folder.path().join("missing");
    assert!(TextProber::open(&missing).is_err());
}

fn program() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("millbase"));
    command.arg("query");
    command
}

#[test]
fn an_answer_does_not_wait_for_the_next_request() {
    let db: &Path = &DIAGONAL.path().join("db");
    let mut child = program()
        .args(["--jsonl", "--db"])
        .arg(db)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        // Half of the next request is there already.
        write!(input, "{{\"id\":{id},\"position\":\"start\"}}\n ").unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The names of all properties that a schema describes.
fn properties(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(named)) = map.get("properties") {
                found.extend(named.keys().cloned());
            }
            map.values().for_each(|value| properties(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| properties(value, found)),
        _ => {}
    }
}

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            found.extend(map.keys().cloned());
            map.values().for_each(|value| keys(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn the_schema_describes_what_comes_and_goes() {
    let printed = program().arg("--schema").output().unwrap();
    assert!(printed.status.success());
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(printed, serde_json::to_value(schema()).unwrap());
    let mut known = BTreeSet::new();
    properties(&printed, &mut known);
    let mut used =
        BTreeSet::from(["position", "moves", "turns", "line", "details", "id"].map(str::to_owned));
    for request in [
        json!({"position": "start", "line": true, "details": true}),
        json!({"position": "start", "moves": "b2 a1 c1 a2 a3", "details": true}),
        json!({"position": "O**/***/*** w p p 1 2 0 4 0 0 0 1"}),
    ] {
        keys(&answer(&request), &mut used);
    }
    assert!(used.len() > 12, "{used:?}");
    let unknown: Vec<_> = used.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?} are not in {printed}");
    let request = &printed["$defs"]["Request"];
    assert_eq!(request["required"], json!(["position"]));
    assert_eq!(request["additionalProperties"], json!(false));
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let db = DIAGONAL.path().join("db");
    for arguments in [
        &["--jsonl", "start"][..],
        &["--jsonl", "--json"],
        &["--schema", "start"],
        &[],
    ] {
        let output = program()
            .args(arguments)
            .arg("--db")
            .arg(&db)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
