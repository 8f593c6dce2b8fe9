//! Statuses, headers, and databases with something missing.
#![cfg(feature = "serve")]

#[path = "common/server.rs"]
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use base64::prelude::{BASE64_STANDARD, Engine};
use millbase::database::Database;
use millbase::game::Variant;
use millbase::notation::{read_position, write_position};
use millbase::serve::{Limits, Served, examples};
use millbase::solve::{Silent, SolveOptions, solve};
use scraper::{Html, Selector};
use serde_json::{Value, json};
use server::{Response, Server};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

static SIX: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::builtin("six").unwrap();
    solve(
        &variant,
        &folder.path().join("db"),
        &SolveOptions::default(),
        &Silent,
    )
    .unwrap();
    folder
});

fn six() -> PathBuf {
    SIX.path().join("db")
}

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start(&[&six()], Limits::default()));

/// A position of sector 3-3, in which both sides fly.
const FLYING: &str = "OO*O****/@@*@**** w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";

fn underscored(text: &str) -> String {
    text.replace(' ', "_")
}

fn ask(position: &str) -> Response {
    SERVER.get(&format!("/api/six?position={}", underscored(position)))
}

#[test]
fn texts_that_cannot_be_read_are_400_with_field_and_character() {
    let cases = [
        (FLYING.replace("w m", "q m"), 2, 19),
        (FLYING.replace("OO*O", "OOXO"), 1, 3),
        (FLYING.replace("@@*@****", "@@*@***"), 1, 10),
        (FLYING.replace("s 3 0 3", "s 4 0 3"), 5, 25),
        (FLYING.replace("0 0 1 ids:nodes", "0 0 1 rest:1"), 18, 55),
    ];
    for (text, field, character) in cases {
        let error = ask(&text).error(400, "position");
        assert_eq!(
            (&error["field"], &error["character"]),
            (&json!(field), &json!(character)),
            "{error}"
        );
    }
    for text in ["stort", "", "%00%ff%FE", "MFEN/1.0"] {
        ask(text).error(400, "position");
    }
    let moves = |moves: &str| SERVER.get(&format!("/api/six?position=start&moves={moves}"));
    for (text, character) in [("d3_d3", 4), ("d2_c4_x", 7), ("%C3%A9", 1), ("zz", 1)] {
        let error = moves(text).error(400, "moves");
        assert_eq!(error["character"], character, "{error}");
    }
}

#[test]
fn texts_of_no_position_of_the_game_are_404() {
    let too_many = FLYING.replace("s 3 0 3 0", "s 3 4 3 0");
    let error = ask(&too_many).error(404, "position");
    assert_eq!(
        (&error["field"], &error["character"]),
        (&json!(6), &json!(27))
    );
    for text in [
        // A sector that no game leads to, and a mill that nobody closed.
        FLYING.replace("m s 3 0 3 0", "p p 3 1 3 3"),
        FLYING.replace("m s 3 0 3 0 0", "m r 3 0 3 0 1"),
        "O*******/@******* w m s 1 0 1 0 0 0 -1 -1 -1 -1 0 0 1".to_owned(),
    ] {
        assert!(ask(&text).error(404, "position")["message"].is_string());
    }
    let error = ask(&FLYING.replace("m s 3 0 3 0 0", "m r 3 0 3 0 2")).error(404, "position");
    assert_eq!(error["field"], 9);
}

#[test]
fn paths_games_methods_and_parameters_have_their_errors() {
    for path in [
        "/nothing",
        "/api/",
        "/api/six/",
        "/api/six/none",
        "/api/six/line/x",
        "//",
        "/health/x",
    ] {
        SERVER.get(path).error(404, "path");
    }
    let error = SERVER.get("/api/nine?position=start").error(404, "variant");
    assert!(error["message"].as_str().unwrap().contains("six"));
    for (method, path, allowed) in [
        ("POST", "/api/six", "GET,HEAD"),
        ("GET", "/api/six/batch", "POST"),
        ("DELETE", "/api/six/game", "POST"),
        ("PUT", "/", "GET,HEAD"),
        ("BREW", "/health", "GET,HEAD"),
    ] {
        let response = SERVER.request(method, path, "", "");
        response.error(405, "method");
        assert_eq!(response.headers["allow"], allowed);
    }
    for query in [
        "",
        "?positon=start",
        "?position=start&position=start",
        "?position=start&turns=maybe",
        "?position=start&line=yes",
        "?start",
    ] {
        SERVER
            .get(&format!("/api/six{query}"))
            .error(400, "request");
    }
    for path in [
        "/api/six/stats?position=start",
        "/api/six/gallery?turns=false",
        "/api/variants?id=six",
    ] {
        SERVER.get(path).error(400, "request");
    }
    // What is asked stands in the body, and nowhere else.
    SERVER
        .post(
            "/api/six/batch?turns=false",
            &json!({ "positions": ["start"] }),
        )
        .error(400, "request");
    for yes in ["true", "1", ""] {
        let answer = SERVER
            .get(&format!("/api/six?position=start&line={yes}"))
            .json();
        assert_eq!(answer["line"], json!([]));
    }
    let head = SERVER.request("HEAD", "/api/six?position=start", "", "");
    let got = SERVER.get("/api/six?position=start");
    assert!(head.body.is_empty() && head.status == 200);
    assert_eq!(head.headers["content-length"], got.body.len().to_string());
}

#[test]
fn who_has_an_answer_is_not_sent_it_again() {
    let path = "/api/six?position=start&moves=d3";
    let first = SERVER.get(path);
    let tag = &first.headers["etag"];
    assert!(tag.len() > 20 && tag.starts_with('"'), "strong: {tag}");
    for known in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let again = SERVER.request("GET", path, &format!("If-None-Match: {known}\r\n"), "");
        assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
        assert_eq!(again.headers["etag"], *tag);
    }
    for other in [
        "/api/six?position=start&moves=d3&turns=false",
        "/api/six/stats",
        "/api",
        "/",
        "/health",
    ] {
        let response = SERVER.request("GET", other, &format!("If-None-Match: {tag}\r\n"), "");
        assert_eq!(response.status, 200);
        assert_ne!(response.headers["etag"], *tag);
        let own = &response.headers["etag"];
        let again = SERVER.request("GET", other, &format!("If-None-Match: {own}\r\n"), "");
        assert_eq!(again.status, 304, "{other}");
    }
    // Other words for the same are the same answer.
    assert_eq!(
        SERVER.get("/api/six?moves=d3&position=start").headers["etag"],
        *tag
    );
    assert_eq!(ask("stort").headers["cache-control"], "no-store");
}

#[test]
fn pages_of_any_origin_may_read() {
    let origin = "Origin: https://example.org\r\n";
    for path in ["/api/six?position=start", "/api/variants", "/nothing"] {
        let response = SERVER.request("GET", path, origin, "");
        assert_eq!(response.headers["access-control-allow-origin"], "*");
        assert!(
            !response
                .headers
                .contains_key("access-control-allow-credentials")
        );
    }
    let wanted =
        "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n";
    let preflight = SERVER.request(
        "OPTIONS",
        "/api/six/batch",
        &format!("{origin}{wanted}"),
        "",
    );
    assert_eq!(preflight.status, 200);
    assert_eq!(preflight.headers["access-control-allow-origin"], "*");
    let methods = &preflight.headers["access-control-allow-methods"];
    assert!(
        methods.contains("POST") && !methods.contains("DELETE"),
        "{methods}"
    );
    assert!(preflight.headers["access-control-allow-headers"].contains("content-type"));
    let response = SERVER.get("/health");
    assert_eq!(response.headers["x-content-type-options"], "nosniff");
    assert!(response.headers["content-security-policy"].contains("default-src 'none'"));
}

#[test]
fn batches_are_answered_in_their_order_up_to_a_thousand() {
    let texts: Vec<String> = (0..1000)
        .map(|i| match i % 3 {
            0 => "start".to_owned(),
            1 => FLYING.to_owned(),
            _ => format!("stort {i}"),
        })
        .collect();
    let single = [ask("start").json(), ask(FLYING).json()];
    let response = SERVER.post("/api/six/batch", &json!({ "positions": texts }));
    assert_eq!(response.status, 200);
    let answers = response.json();
    let answers = answers["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 1000);
    for (i, answer) in answers.iter().enumerate() {
        match single.get(i % 3) {
            Some(single) => assert_eq!(answer, single),
            None => assert_eq!(answer["error"]["kind"], "position"),
        }
    }
    let values = SERVER
        .post(
            "/api/six/batch",
            &json!({"positions": [FLYING], "turns": false}),
        )
        .json();
    assert_eq!(values["answers"][0].get("moves"), None);
    assert_eq!(values["answers"][0]["value"], single[1]["value"]);
    assert_eq!(
        SERVER
            .post("/api/six/batch", &json!({"positions": []}))
            .json(),
        json!({"answers": []})
    );
    let many = vec!["start"; 1001];
    let error = SERVER
        .post("/api/six/batch", &json!({ "positions": many }))
        .error(413, "limit");
    assert!(error["message"].as_str().unwrap().contains("1001"));
    for wrong in [
        json!([]),
        json!({}),
        json!({"positions": "start"}),
        json!({"positions": [1]}),
        json!({"positions": [], "x": 1}),
    ] {
        SERVER.post("/api/six/batch", &wrong).error(400, "request");
    }
    for wrong in [
        "{\"positions\":[",
        "nonsense",
        "\u{1}",
        &"[".repeat(100_000),
    ] {
        SERVER
            .request("POST", "/api/six/batch", "", wrong)
            .error(400, "request");
    }
    SERVER
        .request("POST", "/api/six/batch", "Content-Length: 0\r\n", "")
        .error(400, "request");
    SERVER
        .post("/api/none/batch", &json!({"positions": []}))
        .error(404, "variant");
}

#[test]
fn positions_are_set_up_by_their_points() {
    let variant = Variant::builtin("six").unwrap();
    let set_up = |setup: &Value| SERVER.post("/api/six/setup", setup);
    for text in [
        "start",
        FLYING,
        "O@******/O******@ b p p 2 4 2 4 0 0 -1 -1 -1 -1 0 0 1",
        "*OOO****/@@*@**** w m r 3 0 3 0 1 0 -1 -1 -1 -1 0 0 1",
    ] {
        let written = write_position(&variant, &read_position(&variant, text).unwrap());
        let answer = ask(text).json();
        let board = &answer["board"];
        let mut setup = json!({"side": answer["side"]});
        for key in ["white", "black", "hand", "removals_due"] {
            setup[key] = board[key].clone();
        }
        assert_eq!(
            set_up(&setup).json(),
            json!({ "position": written }),
            "{setup}"
        );
    }
    let hand = json!({"white": 0, "black": 0});
    let of = |white: &[&str], black: &[&str]| json!({"white": white, "black": black, "hand": hand, "side": "white"});
    let three = ["b2", "b4", "d2"];
    for (setup, status, kind) in [
        (of(&three, &["b2", "e1", "e3"]), 400, "request"),
        (of(&three, &["z9", "e1", "e3"]), 400, "request"),
        (of(&["b2", "b2", "d2"], &three), 400, "request"),
        (of(&three, &["e1"]), 404, "position"),
        (
            json!({"hand": {"white": 255, "black": 255}, "side": "black"}),
            404,
            "position",
        ),
        (
            json!({"hand": {"white": 0, "black": 255}, "side": "white"}),
            404,
            "position",
        ),
        (
            json!({"hand": {"white": 256, "black": 0}, "side": "white"}),
            400,
            "request",
        ),
        (json!({"hand": hand, "side": "red"}), 400, "request"),
        (json!({"side": "white"}), 400, "request"),
    ] {
        set_up(&setup).error(status, kind);
    }
}

#[test]
fn games_are_read_in_any_notation() {
    let play = |body: &Value| SERVER.post("/api/six/game", body);
    let expected = play(&json!({"moves": "d3 c4 d2"})).json();
    assert_eq!(expected["positions"].as_array().unwrap().len(), 4);
    assert_eq!(expected["positions"][0], ask("start").json()["position"]);
    let turn = &expected["moves"][1];
    assert_eq!(
        (&turn["move"], &turn["from"], &turn["to"]),
        (&json!("c4"), &Value::Null, &json!("c4"))
    );
    assert_eq!(turn["position"], expected["positions"][2]);
    let variant = Variant::builtin("six").unwrap();
    let numbers =
        millbase::notation::Notation::new(&variant.board, millbase::notation::Style::Numbers);
    let number = |label: &str| numbers.name(variant.board.point(label).unwrap()).to_owned();
    let [a, b, c] = ["d3", "c4", "d2"].map(number);
    for moves in [
        "1. d3 c4 2. d2".to_owned(),
        "[White \"Anna\"]\n\n1. d3 {a note} c4 2. d2 *\n".to_owned(),
        format!("{a} {b} {c}"),
        format!("| White | Black |\n|---|---|\n| {a} | {b} |\n| {c} | |\n"),
    ] {
        assert_eq!(play(&json!({ "moves": moves })).json(), expected, "{moves}");
    }
    let start = &expected["positions"][1];
    let rest = play(&json!({"position": start, "moves": "c4 d2"})).json();
    assert_eq!(rest["positions"][2], expected["positions"][3]);
    for empty in [json!({}), json!({"moves": ""}), json!({"moves": " \n"})] {
        assert_eq!(
            play(&empty).json()["positions"].as_array().unwrap().len(),
            1
        );
    }
    for (moves, character) in [("d3 c4 d3", 7), ("d3\n\u{e9} c4", 4), ("d3 c4\nd2 d2", 10)] {
        let error = play(&json!({ "moves": moves })).error(400, "moves");
        assert_eq!(error["character"], character, "{error}");
    }
    play(&json!({"moves": "d3 1-0 c4 0-1"})).error(400, "request");
    play(&json!({"position": "stort", "moves": "d3"})).error(400, "position");
    let long = format!("[FEN \"{FLYING}\"]\n") + &"d2-b2 e1-a1 b2-d2 a1-e1 ".repeat(1500);
    play(&json!({ "moves": long })).error(413, "limit");
}

/// A copy of the database in which a file is not as it was.
fn copy(alter: impl Fn(&Path)) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(six()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    alter(&folder.path().join(FLYING_FILE));
    folder
}

/// The file with sector 3-3.
const FLYING_FILE: &str = "3_3_0_0.sector";

/// A turn of White closes a mill, c2-d2, and takes one of four men: then it is sector 3-3.
const BEFORE_FLYING: &str = "*OO*O***/@@*@*@** w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";

#[test]
fn a_missing_sector_is_503_for_its_positions_and_unknown_for_turns_that_lead_there() {
    let folder = copy(|file| fs::remove_file(file).unwrap());
    let server = Server::start(&[folder.path()], Limits::default());
    let path = |text: &str| format!("/api/six?position={}", underscored(text));
    let error = server.get(&path(FLYING)).error(503, "missing");
    assert_eq!(error["missing"], "3-3");
    let line = path(FLYING).replace("six?", "six/line?");
    server.get(&line).error(503, "missing");
    assert_eq!(
        server.get("/api/variants").json()["variants"][0]["complete"],
        false
    );

    let whole = ask(BEFORE_FLYING).json();
    let answer = server.get(&path(BEFORE_FLYING)).json();
    assert_eq!(answer["value"], whole["value"]);
    let moves = answer["moves"].as_array().unwrap();
    let (unknown, known): (Vec<&Value>, Vec<&Value>) =
        moves.iter().partition(|turn| turn["value"] == "unknown");
    assert_eq!(unknown.len(), 4);
    for turn in unknown {
        assert_eq!(
            (&turn["missing"], &turn["captures"]),
            (&json!("3-3"), &json!(1))
        );
    }
    assert!(known.len() > 10);
    let all = whole["moves"].as_array().unwrap();
    assert!(known.into_iter().all(|turn| all.contains(turn)));

    let batch = server
        .post("/api/six/batch", &json!({"positions": [FLYING, "start"]}))
        .json();
    assert_eq!(batch["answers"][0]["error"]["missing"], "3-3");
    assert_eq!(batch["answers"][1], ask("start").json());
    // What was unknown is asked anew.
    fs::copy(six().join(FLYING_FILE), folder.path().join(FLYING_FILE)).unwrap();
    assert_eq!(server.get(&path(FLYING)).json(), ask(FLYING).json());
    assert_eq!(server.get(&path(BEFORE_FLYING)).json(), whole);
}

#[test]
fn a_damaged_block_is_500_and_names_its_file() {
    let folder = copy(|file| {
        let mut bytes = fs::read(file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x20;
        fs::write(file, bytes).unwrap();
    });
    let server = Server::start(&[folder.path()], Limits::default());
    for text in [FLYING, BEFORE_FLYING] {
        let response = server.get(&format!("/api/six?position={}", underscored(text)));
        let error = response.error(500, "database");
        assert!(
            error["message"].as_str().unwrap().contains(FLYING_FILE),
            "{error}"
        );
    }
    assert_eq!(
        server.get("/api/six?position=start").json(),
        ask("start").json()
    );
}

#[test]
fn what_the_documentation_shows_is_what_is_answered() {
    let served = Served::new(vec![Database::open(&six()).unwrap()], Limits::default()).unwrap();
    let page = SERVER.get("/api");
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let page = Html::parse_document(page.text());
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    let texts = |selector: &str| -> Vec<String> {
        let selector = Selector::parse(selector).unwrap();
        page.select(&selector)
            .map(|element| element.text().collect())
            .collect()
    };
    let (codes, blocks) = (texts("code"), texts("pre"));
    let examples = examples(&served);
    let mut statuses = Vec::new();
    for example in &examples {
        let response = match &example.body {
            None => SERVER.get(&example.path),
            Some(body) => SERVER.request("POST", &example.path, "", body),
        };
        assert_eq!(response.status, example.status, "{example:?}");
        assert_eq!(response.text(), example.answer, "{example:?}");
        assert!(codes.contains(&example.path), "{}", example.path);
        assert!(example.body.iter().all(|body| blocks.contains(body)));
        statuses.push(response.status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![200; 11], vec![400, 400, 404]].concat());
    // Every path of the table has an example, or is a page.
    for path in codes
        .iter()
        .filter(|code| code.starts_with("/api/{variant}"))
    {
        let path = path.replace("{variant}", "six");
        let of_path = |example: &&millbase::serve::Example| {
            example.path.split('?').next() == Some(path.as_str())
        };
        assert!(examples.iter().any(|example| of_path(&example)), "{path}");
    }
}

#[test]
fn the_page_needs_no_network_and_runs_no_scripts_but_its_own() {
    let response = SERVER.get("/?variant=six&position=start");
    assert_eq!(
        (response.status, &*response.headers["content-type"]),
        (200, "text/html; charset=utf-8")
    );
    let policy = &response.headers["content-security-policy"];
    assert!(
        policy.contains("default-src 'none'") && policy.contains("connect-src 'self'"),
        "{policy}"
    );
    let page = Html::parse_document(response.text());
    let all = |selector: &str| {
        let selector = Selector::parse(selector).unwrap();
        page.select(&selector).collect::<Vec<_>>()
    };
    let scripts = all("script");
    for script in &scripts {
        let digest = BASE64_STANDARD.encode(Sha256::digest(script.text().collect::<String>()));
        assert!(policy.contains(&format!("'sha256-{digest}'")), "{policy}");
    }
    assert_eq!(policy.matches("'sha256-").count(), scripts.len());
    assert!(all("[src], link:not([rel=icon])").is_empty());
    assert_eq!(SERVER.get("/").body, response.body);
}
