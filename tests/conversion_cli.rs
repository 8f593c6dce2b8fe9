//! Databases of conversions as a user meets them.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

fn millbase() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("millbase"))
}

fn text(path: &Path) -> &str {
    path.to_str()
        .expect("the temporary folder has a plain name")
}

/// A folder with databases of one small game: without a limit, with a limit of 9, and of distances to the end.
struct Made {
    folder: TempDir,
    game: PathBuf,
}

impl Made {
    fn db(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

static MADE: LazyLock<Made> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("small.toml");
    let rules = "id = \"small\"\nname = \"Four men on the board of six\"\nbase = \"six\"\n[rules]\nmen = 4\n";
    std::fs::write(&game, rules).unwrap();
    let runs: [(&str, &[&str]); 3] = [
        ("free", &["--metric", "conversion"]),
        (
            "nine",
            &["--metric", "conversion", "--no-capture-limit", "9"],
        ),
        ("end", &[]),
    ];
    for (name, arguments) in runs {
        millbase()
            .args([
                "solve",
                text(&game),
                "--db",
                text(&folder.path().join(name)),
            ])
            .args(arguments)
            .assert()
            .success()
            .stdout(contains("is solved"));
    }
    Made { folder, game }
});

fn json(arguments: &[&str], db: &Path) -> Value {
    let output = millbase()
        .args(arguments)
        .args(["--json", "--db", text(db)])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    serde_json::from_slice(&output).expect("the answer is JSON")
}

fn refused(arguments: &[&str], message: &str) {
    let one_sentence = predicate::function(|error: &str| error.trim_end().lines().count() == 1);
    millbase()
        .args(arguments)
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains(message).and(one_sentence));
}

/// A position with empty hands that the side to move wins latest.
fn longest_win(db: &Path) -> (String, u64) {
    let stats = json(&["stats"], db);
    let sectors = stats["sectors"].as_array().unwrap().iter();
    let wins = sectors.filter_map(|sector| {
        let plies = sector["longest_win"].as_u64()?;
        Some((
            sector["examples"]["longest_win"].as_str()?.to_owned(),
            plies,
        ))
    });
    wins.max_by_key(|(_, plies)| *plies).unwrap()
}

#[test]
fn a_win_lasts_until_its_capture_is_out_of_reach() {
    let db = MADE.db("nine");
    let (position, plies) = longest_win(&db);
    assert!((2..=9).contains(&plies));
    for since in 0..=9u64 {
        let count = since.to_string();
        let arguments = [
            "query",
            &position,
            "--no-capture-limit",
            "9",
            "--since",
            &count,
        ];
        let answer = json(&arguments, &db);
        let (value, within) = match plies <= 9 - since {
            true => ("win", Value::from(plies)),
            false => ("draw", Value::Null),
        };
        assert_eq!(answer["value"], value, "count {since}");
        assert_eq!(answer["capture_within"], within);
        assert_eq!(answer["plies"], Value::Null);
        assert_eq!(answer["no_capture_limit"], 9);
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves.is_empty(), since == 9);
        if let Some(best) = moves.first() {
            assert_eq!(best["value"], value);
        }
    }
    let words = |since: &str| {
        let mut command = millbase();
        command.args([
            "query",
            "--db",
            text(&db),
            &position,
            "--no-capture-limit",
            "9",
        ]);
        command.args(["--since", since, "--line"]);
        command.assert().success()
    };
    words("0").stdout(contains(format!("win, next capture within {plies} plies")));
    words("0").stdout(contains("0 of 9 plies without a capture have passed."));
    words("8").stdout(contains(
        "Drawn by the count; with no plies passed it is a win, next",
    ));
    words("9").stdout(contains("The game is over."));
}

#[test]
fn without_its_own_limit_a_database_answers_where_nothing_was_cut_off() {
    let (free, limited) = (MADE.db("free"), MADE.db("nine"));
    let info = json(&["info"], &free);
    assert_eq!(info["contents"], "conversions");
    let (position, plies) = longest_win(&free);
    let longest = json(&["query", &position], &free);
    assert_eq!(longest["capture_within"], plies);
    assert_eq!(longest["no_capture_limit"], Value::Null);
    let answer = json(
        &[
            "query",
            &position,
            "--no-capture-limit",
            "1000",
            "--since",
            "999",
        ],
        &free,
    );
    assert_eq!(answer["value"], "draw");
    let query = |db: &Path, limit: &'static str| {
        [
            "query",
            "--db",
            text(db),
            "start",
            "--no-capture-limit",
            limit,
        ]
        .map(str::to_owned)
    };
    let refuse = |arguments: [String; 6], message: &str| {
        refused(&arguments.each_ref().map(String::as_str), message);
    };
    refuse(
        query(&free, "3"),
        "solve with --metric conversion --no-capture-limit 3",
    );
    refuse(query(&limited, "10"), "under a no-capture limit of 9");
    refuse(
        query(&MADE.db("end"), "9"),
        "--metric conversion --no-capture-limit 9 --db NEW",
    );
}

#[test]
fn counts_that_cannot_be_are_refused() {
    let (free, limited) = (MADE.db("free"), MADE.db("nine"));
    let limited = text(&limited);
    refused(
        &[
            "query",
            "--db",
            limited,
            "start",
            "--no-capture-limit",
            "9",
            "--since",
            "1",
        ],
        "it is 0",
    );
    let (position, _) = longest_win(&MADE.db("nine"));
    let beyond = [
        "query",
        "--db",
        limited,
        &position,
        "--no-capture-limit",
        "9",
        "--since",
        "10",
    ];
    refused(&beyond, "the game was drawn before");
    let end = MADE.db("end");
    refused(
        &["query", "--db", text(&end), "start", "--since", "1"],
        "--since needs --no-capture-limit",
    );
    let start = json(&["query", "start"], &free);
    assert_eq!(start["capture_within"], Value::Null);
}

#[test]
fn commands_about_other_distances_say_so() {
    let (free, end) = (MADE.db("free"), MADE.db("end"));
    let game = text(&MADE.game);
    let out = MADE.db("out");
    refused(
        &["solve", game, "--db", text(&out), "--no-capture-limit", "9"],
        "--no-capture-limit needs --metric conversion",
    );
    millbase()
        .args([
            "solve",
            game,
            "--db",
            text(&out),
            "--metric",
            "conversion",
            "--values-only",
        ])
        .assert()
        .code(2);
    refused(
        &["pack", "--db", text(&free), "--out", text(&out)],
        "cannot be packed",
    );
    refused(
        &["compare", "--db", text(&free), "--with", text(&end)],
        "cannot be compared",
    );
    refused(&["check", "--db", text(&free)], "no published figures");
    assert!(!out.exists());
}

#[test]
fn databases_of_conversions_are_verified_compared_and_counted() {
    for name in ["free", "nine"] {
        let db = MADE.db(name);
        let db = text(&db);
        millbase()
            .args(["verify", "--db", db])
            .assert()
            .success()
            .stdout(contains(": 0 wrong"));
        millbase()
            .args(["compare", "--db", db, "--with", db])
            .assert()
            .success()
            .stdout(contains("different    0"));
        millbase()
            .args(["stats", "--db", db, "--brief"])
            .assert()
            .success()
            .stdout(contains("Plies count to the next capture"));
        millbase()
            .args(["info", "--db", db])
            .assert()
            .success()
            .stdout(contains("conversions, no-capture limit: "));
        millbase()
            .args(["sample", "--db", db, "--count", "50"])
            .assert()
            .success();
    }
    refused(
        &[
            "compare",
            "--db",
            text(&MADE.db("free")),
            "--with",
            text(&MADE.db("nine")),
        ],
        "different no-capture limits",
    );
    let plan = millbase()
        .args(["plan", "nine", "--metric", "conversion", "--json"])
        .output()
        .unwrap();
    let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
    let memory = plan["memory_bytes"].as_u64().unwrap();
    assert!((9 << 30..16 << 30).contains(&memory), "{memory}");
}
