//! What the server answers.
#![cfg(feature = "serve")]

#[path = "common/server.rs"]
mod server;

use std::path::PathBuf;
use std::sync::LazyLock;

use millbase::answer::{PositionAnswer, Statistics};
use millbase::database::{Database, PackOptions, pack};
use millbase::game::Variant;
use millbase::notation::{play_moves, write_position};
use millbase::random::Random;
use millbase::report::Report;
use millbase::serve::Limits;
use millbase::solve::{Silent, SolveOptions, solve};
use serde_json::{Value, json};
use server::Server;
use tempfile::TempDir;

/// A game whose id has to be escaped in addresses.
const OWN: &str = r#"
id = "my game/é"
name = "Three in a <row>"
base = "three"
"#;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let own = Variant::from_toml(OWN, "own").unwrap();
    let built_in = ["six", "rota"].map(|id| Variant::builtin(id).unwrap());
    for (name, variant) in [("own", &own), ("six", &built_in[0]), ("rota", &built_in[1])] {
        solve(
            variant,
            &folder.path().join(name),
            &SolveOptions::default(),
            &Silent,
        )
        .unwrap();
    }
    folder
});

fn db(name: &str) -> PathBuf {
    FOLDER.path().join(name)
}

static SERVER: LazyLock<Server> =
    LazyLock::new(|| Server::start(&[&db("six"), &db("rota"), &db("own")], Limits::default()));

fn get(path: &str) -> Value {
    let response = SERVER.get(path);
    assert_eq!(response.status, 200, "{path}: {}", response.text());
    response.json()
}

fn underscored(text: &str) -> String {
    text.replace(' ', "_")
}

/// All members of one value are in the other.
fn assert_within(part: &Value, whole: &Value) {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            for (name, value) in part {
                assert_within(value, &whole[name]);
            }
        }
        (Value::Array(part), Value::Array(whole)) => {
            assert_eq!(part.len(), whole.len());
            part.iter()
                .zip(whole)
                .for_each(|(part, whole)| assert_within(part, whole));
        }
        _ => assert_eq!(part, whole),
    }
}

#[test]
fn an_answer_is_that_of_a_query_and_more() {
    let database = Database::open(&db("six")).unwrap();
    let variant = database.variant();
    for moves in ["", "d3", "d2 c4 b4", "d4 a1 d3 a3 d2xa1", "d4 a1 d3 a3 d2"] {
        let read = play_moves(variant, &variant.start().into(), moves).unwrap();
        let queried = PositionAnswer::of(&database, &read, true, true).unwrap();
        let detailed = PositionAnswer::detailed(&database, &read, true, true).unwrap();
        let answer = get(&format!(
            "/api/six?position=start&moves={}&line=true",
            underscored(moves)
        ));
        assert_within(&serde_json::to_value(queried).unwrap(), &answer);
        assert_eq!(answer, serde_json::to_value(detailed).unwrap());
        let text = underscored(&write_position(variant, &read));
        assert_eq!(get(&format!("/api/six?line=true&position={text}")), answer);
        let alone = get(&format!("/api/six?position={text}&turns=false"));
        assert!(alone.get("moves").is_none() && alone.get("line").is_none());
        assert_eq!(
            (&alone["value"], &alone["plies"]),
            (&answer["value"], &answer["plies"])
        );
    }
}

fn names(list: &Value) -> Vec<String> {
    let mut names: Vec<String> = serde_json::from_value(list.clone()).unwrap();
    names.sort();
    names
}

/// The board after a turn, by nothing but what the answer says of it.
fn board_after(answer: &Value, turn: &Value) -> Value {
    let mover = answer["side"].as_str().unwrap();
    let other = if mover == "white" { "black" } else { "white" };
    let mut board = answer["board"].clone();
    let men = |board: &Value, side: &str| names(&board[side]);
    let (mut own, mut theirs) = (men(&board, mover), men(&board, other));
    match (&turn["from"], &turn["to"]) {
        (Value::Null, Value::Null) => {}
        (Value::Null, _) => {
            board["hand"][mover] = json!(board["hand"][mover].as_u64().unwrap() - 1)
        }
        (from, _) => own.retain(|point| point != from),
    }
    own.extend(turn["to"].as_str().map(str::to_owned));
    own.sort();
    theirs.retain(|point| !turn["takes"].as_array().unwrap().contains(&json!(point)));
    assert_eq!(turn["captures"], turn["takes"].as_array().unwrap().len());
    board[mover] = json!(own);
    board[other] = json!(theirs);
    board
}

#[test]
fn games_can_be_played_without_knowing_the_rules() {
    let mut random = Random::new(5);
    let (mut captures, mut ends) = (0, 0);
    for game in 0..12 {
        let id = ["six", "rota", "my%20game%2F%C3%A9"][game % 3];
        let mut answer = get(&format!("/api/{id}?position=start"));
        for _ in 0..60 {
            let moves = answer["moves"].as_array().unwrap();
            if moves.is_empty() {
                assert!(answer["over"]["reason"].is_string(), "{answer}");
                ends += 1;
                break;
            }
            assert_eq!(answer["over"], Value::Null);
            assert_eq!(
                moves[0]["value"], answer["value"],
                "the best turn is the first"
            );
            let turn = &moves[random.below(moves.len() as u64) as usize];
            let position = underscored(turn["position"].as_str().unwrap());
            let next = get(&format!("/api/{id}?position={position}"));
            let expected = board_after(&answer, turn);
            for side in ["white", "black"] {
                assert_eq!(names(&next["board"][side]), names(&expected[side]));
            }
            assert_eq!(next["board"]["hand"], expected["hand"]);
            let reversed = [("win", "loss"), ("loss", "win"), ("draw", "draw")];
            let (_, value) = reversed[["win", "loss", "draw"]
                .iter()
                .position(|value| turn["value"] == *value)
                .unwrap()];
            assert_eq!(next["value"], value);
            let plies = next["plies"].as_u64().map(|plies| plies + 1);
            assert_eq!(turn["plies"].as_u64(), plies);
            captures += turn["captures"].as_u64().unwrap();
            answer = next;
        }
    }
    assert!(captures > 5 && ends > 5, "{captures} captures, {ends} ends");
}

#[test]
fn ends_say_who_won_and_why() {
    for (id, text, winner, reason) in [
        (
            "six",
            "O@******/O*O*@*** b m s 3 0 2 0 0 0 0 1",
            "white",
            "too few men",
        ),
        (
            "six",
            "@****@O@/O@***@OO w m s 4 0 5 0 0 0 0 1",
            "black",
            "no turn",
        ),
        (
            "rota",
            "@OOO*@*** b p p 3 0 2 1 0 0 0 1",
            "white",
            "three in a row",
        ),
    ] {
        let answer = get(&format!("/api/{id}?position={}", underscored(text)));
        assert_eq!(answer["over"], json!({"winner": winner, "reason": reason}));
        assert_eq!(
            (&answer["moves"], &answer["value"]),
            (&json!([]), &json!("loss"))
        );
    }
}

#[test]
fn lines_are_best_play_to_the_end() {
    let gallery = get("/api/six/gallery");
    let report = Database::open(&db("six")).unwrap();
    let report = Report::of(&report).unwrap();
    let expected: Vec<Value> = report
        .longest
        .iter()
        .map(|win| {
            json!({"sector": win.sector.to_string(), "plies": win.plies, "side": "white",
                "position": write_position(report.variant, &win.position.into())})
        })
        .collect();
    let exhibits = gallery["longest"].as_array().unwrap();
    assert!(exhibits.len() > 10);
    for (exhibit, expected) in exhibits.iter().zip(&expected) {
        for key in ["sector", "plies", "position"] {
            assert_eq!(exhibit[key], expected[key]);
        }
        let position = underscored(exhibit["position"].as_str().unwrap());
        let line = get(&format!("/api/six/line?position={position}"));
        assert_eq!(
            (&line["value"], &line["plies"]),
            (&json!("win"), &exhibit["plies"])
        );
        let turns = line["line"].as_array().unwrap();
        assert_eq!(turns.len() as u64, line["plies"].as_u64().unwrap());
        let short = get(&format!("/api/six?position={position}&line=true"));
        for (i, turn) in turns.iter().enumerate() {
            assert_eq!(turn["move"], short["line"][i]);
            assert_eq!(turn["plies"].as_u64(), Some((turns.len() - i) as u64));
            assert_eq!(turn["value"], ["win", "loss"][i % 2]);
        }
        let last = underscored(turns.last().unwrap()["position"].as_str().unwrap());
        assert!(get(&format!("/api/six?position={last}"))["over"].is_object());
    }
    assert_eq!(exhibits.len(), expected.len());
    assert_eq!(get("/api/six/line?position=start")["line"], json!([]));
}

#[test]
fn statistics_are_those_of_the_program() {
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("millbase"))
        .args(["stats", "--json", "--db"])
        .arg(db("six"))
        .output()
        .unwrap();
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let database = Database::open(&db("six")).unwrap();
    assert_eq!(
        printed,
        serde_json::to_value(Statistics::of(&database).unwrap()).unwrap()
    );
    assert_eq!(get("/api/six/stats"), printed);
    assert_eq!(printed["start"], "draw");
}

#[test]
fn games_are_described_with_their_boards() {
    let variants = get("/api/variants");
    let variants = variants["variants"].as_array().unwrap();
    let ids: Vec<&str> = variants
        .iter()
        .map(|game| game["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["my game/é", "rota", "six"]);
    for (game, dir) in variants.iter().zip(["own", "rota", "six"]) {
        let database = Database::open(&db(dir)).unwrap();
        let (variant, manifest) = (database.variant(), database.manifest());
        let board = &variant.board;
        assert_eq!(game["fingerprint"], manifest.fingerprint);
        assert_eq!(
            (&game["contents"], &game["form"], &game["complete"]),
            (&json!("distances"), &json!("plain"), &json!(true))
        );
        let positions: u64 = manifest
            .sectors
            .iter()
            .map(|s| s.statistics.positions())
            .sum();
        assert_eq!(game["positions"], positions);
        assert_eq!(
            game["men"],
            json!({"white": variant.rules.men, "black": variant.rules.men})
        );
        assert_eq!(
            game["start"],
            write_position(variant, &variant.start().into())
        );
        let points = game["board"]["points"].as_array().unwrap();
        assert_eq!(points.len(), board.point_count());
        for (p, point) in points.iter().enumerate() {
            let (x, y) = board.coordinates(p);
            assert_eq!(*point, json!({"name": board.label(p), "x": x, "y": y}));
        }
        assert_eq!(
            game["board"]["lines"].as_array().unwrap().len(),
            board.lines().len()
        );
        assert_eq!(
            game["board"]["slides"].as_array().unwrap().len(),
            board.slides().len()
        );
    }
    assert_eq!(variants[0]["name"], "Three in a <row>");
    assert_eq!(get("/health")["variants"], 3);
}

#[test]
fn a_packed_database_gives_the_same_answers() {
    let packed = FOLDER.path().join("packed");
    let plain = Database::open(&db("six")).unwrap();
    pack(&plain, &packed, &PackOptions::default(), &|_| (), &|_| ()).unwrap();
    let server = Server::start(&[&packed], Limits::default());
    assert_eq!(
        server.get("/api/variants").json()["variants"][0]["form"],
        "packed"
    );
    for moves in ["", "d3_c4", "d4_a1_d3_a3_d2", "d2_c4_b4_e5_c2"] {
        let path = format!("/api/six?position=start&line=true&moves={moves}");
        let (packed, plain) = (server.get(&path), SERVER.get(&path));
        assert_eq!((packed.status, packed.text()), (plain.status, plain.text()));
    }
}
