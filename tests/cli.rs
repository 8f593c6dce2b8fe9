//! The program as a user runs it.

use std::collections::BTreeMap;
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

/// Solves a variant into a folder that lives as long as the tests.
fn solved(arguments: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    millbase()
        .arg("solve")
        .args(arguments)
        .args(["--db", text(&db)])
        .assert()
        .success();
    (folder, db)
}

static SIX: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| solved(&["six"]));
static SIX_VALUES: LazyLock<(TempDir, PathBuf)> =
    LazyLock::new(|| solved(&["six", "--values-only"]));
static DIAGONAL: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| solved(&["three-diagonal"]));

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

fn query(db: &Path, position: &str, moves: &str) -> Value {
    json(&["query", position, "--moves", moves], db)
}

/// A number with its thousands separated.
fn grouped(number: u64) -> String {
    millbase::figures::grouped(number)
}

/// Example positions of some kinds from every fifth sector.
fn examples(db: &Path, kinds: &[&str]) -> Vec<String> {
    let stats = json(&["stats"], db);
    let sectors = stats["sectors"].as_array().unwrap().iter().step_by(5);
    sectors
        .flat_map(|sector| {
            kinds
                .iter()
                .filter_map(|kind| sector["examples"][*kind].as_str())
        })
        .map(str::to_owned)
        .collect()
}

/// Runs the program, which has to refuse with exit code and message.
fn refused(arguments: &[&str], code: i32, message: &str) {
    let one_sentence = predicate::function(|error: &str| error.trim_end().lines().count() == 1);
    millbase()
        .args(arguments)
        .assert()
        .code(code)
        .stdout("")
        .stderr(
            contains(message)
                .and(contains("millbase: "))
                .and(one_sentence),
        );
}

#[test]
fn six_is_a_draw() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    millbase()
        .args(["solve", "six", "--db", text(&db)])
        .assert()
        .success()
        .stdout(
            contains("The start position is a draw")
                .and(contains("Wall time"))
                .and(contains("Peak memory")),
        )
        .stderr(contains("movement").and(contains("placement")));
    let start = query(&db, "start", "");
    assert_eq!(start["value"], "draw");
    assert_eq!(start["plies"], Value::Null);
    assert_eq!(start["variant"], "six");
    assert_eq!(start["side"], "white");
    assert_eq!(start["moves"].as_array().unwrap().len(), 16);
    millbase()
        .args(["query", "--db", text(&db), "start"])
        .assert()
        .success()
        .stdout(contains("White to move: draw"));
}

#[test]
fn three_diagonal_is_won_by_the_centre_alone() {
    let start = query(&DIAGONAL.1, "start", "");
    assert_eq!(start["value"], "win");
    let moves = start["moves"].as_array().unwrap();
    let winning: Vec<&Value> = moves.iter().filter(|m| m["value"] == "win").collect();
    assert_eq!(winning.len(), 1);
    assert_eq!(winning[0]["move"], "b2");
    assert_eq!(winning[0]["plies"], start["plies"]);
}

#[test]
fn three_is_solved_and_told() {
    let (_folder, db) = solved(&["three"]);
    assert_eq!(query(&db, "start", "")["value"], "draw");
}

#[test]
fn details_say_what_each_turn_moves_takes_and_leads_to() {
    let db = &SIX.1;
    let moves = "d4 a1 d3 a3 d2";
    let answer = json(&["query", "start", "--moves", moves, "--details"], db);
    assert_eq!(answer["board"]["removals_due"], 1);
    assert_eq!(answer["over"], Value::Null);
    let turn = &answer["moves"][0];
    let taken = turn["takes"][0].as_str().unwrap();
    assert_eq!(turn["move"], format!("x{taken}"));
    assert_eq!((&turn["from"], &turn["to"]), (&Value::Null, &Value::Null));
    let after = query(db, "start", &format!("{moves}x{taken}"));
    assert_eq!(turn["position"], after["position"]);
    let without_json = ["query", "start", "--db", text(db), "--details"];
    millbase().args(without_json).assert().code(2);
}

#[test]
fn moves_are_ranked_for_the_player_who_makes_them() {
    let rank = |m: &Value| match (m["value"].as_str().unwrap(), m["plies"].as_i64()) {
        ("win", plies) => (0, plies.unwrap()),
        ("draw", None) => (1, 0),
        ("loss", plies) => (2, -plies.unwrap()),
        other => panic!("{other:?}"),
    };
    let mut kinds = BTreeMap::new();
    for position in examples(&SIX.1, &["win", "draw", "loss"]) {
        let answer = query(&SIX.1, &position, "");
        let ranked: Vec<_> = answer["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(rank)
            .collect();
        assert!(ranked.is_sorted(), "{answer}");
        if let Some(best) = answer["moves"].get(0) {
            assert_eq!(
                (&best["value"], &best["plies"]),
                (&answer["value"], &answer["plies"])
            );
        }
        for (kind, _) in ranked {
            *kinds.entry(kind).or_insert(0) += 1;
        }
    }
    assert_eq!(kinds.len(), 3, "the examples have wins, draws and losses");
}

#[test]
fn best_line_ends_when_it_says() {
    for position in examples(&SIX.1, &["longest_win", "longest_loss"]) {
        let answer = json(&["query", &position, "--line"], &SIX.1);
        let plies = answer["plies"]
            .as_u64()
            .expect("wins and losses have a distance") as usize;
        let line: Vec<&str> = answer["line"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m.as_str().unwrap())
            .collect();
        assert_eq!(line.len(), plies);
        let end = query(&SIX.1, &position, &line.join(" "));
        assert_eq!(
            (&end["value"], &end["plies"]),
            (&Value::from("loss"), &Value::from(0))
        );
        assert_eq!(end["moves"], Value::Array(Vec::new()));
    }
}

#[test]
fn pending_removal_is_answered() {
    // White closes a1-a3-a5 and has to take c1 or e3.
    let answer = query(&SIX.1, "start", "a1 c1 a3 e3 a5");
    let moves: Vec<&str> = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["move"].as_str().unwrap())
        .collect();
    assert_eq!(moves.len(), 2);
    assert!(moves.contains(&"xc1") && moves.contains(&"xe3"));
    assert_eq!(answer["side"], "white");
    let whole = query(&SIX.1, "start", "a1 c1 a3 e3");
    let taking = whole["moves"]
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["move"] == "a5xc1")
        .unwrap();
    let only = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["move"] == "xc1")
        .unwrap();
    assert_eq!(
        (&taking["value"], &taking["plies"]),
        (&only["value"], &only["plies"])
    );
    // The position text that the answer gives back leads to the same answer.
    assert_eq!(
        query(&SIX.1, answer["position"].as_str().unwrap(), ""),
        answer
    );
}

#[test]
fn values_only_agrees_and_says_so() {
    for moves in ["", "a1", "a1 c1 a3 e3 a5", "b2 d4 b4 d2"] {
        let (with, without) = (
            query(&SIX.1, "start", moves),
            query(&SIX_VALUES.1, "start", moves),
        );
        assert_eq!(with["value"], without["value"], "{moves}");
        assert_eq!(without["plies"], Value::Null);
        let values = |answer: &Value| -> BTreeMap<String, String> {
            let moves = answer["moves"].as_array().unwrap();
            moves
                .iter()
                .map(|m| (m["move"].to_string(), m["value"].to_string()))
                .collect()
        };
        assert_eq!(values(&with), values(&without), "{moves}");
    }
    let (_folder, three) = solved(&["three", "--values-only"]);
    for moves in ["a1 c1 a2 c2", "a1 c1 a2 c2 a3"] {
        let answer = query(&three, "start", moves);
        let moves = answer["moves"].as_array().unwrap();
        let all = moves.iter().chain([&answer]);
        assert!(all.into_iter().all(|a| a["plies"].is_null()), "{answer}");
    }
    let (with, without) = (json(&["stats"], &SIX.1), json(&["stats"], &SIX_VALUES.1));
    for (with, without) in with["sectors"]
        .as_array()
        .unwrap()
        .iter()
        .zip(without["sectors"].as_array().unwrap())
    {
        for key in [
            "mover",
            "opponent",
            "mover_hand",
            "opponent_hand",
            "win",
            "draw",
            "loss",
        ] {
            assert_eq!(with[key], without[key]);
        }
        assert_eq!(without["longest_win"], Value::Null);
    }
    let decided = json(&["query", "start", "--moves", "a1 c1 a3 e3 a5xc1"], &SIX.1);
    if decided["value"] != "draw" {
        millbase()
            .args([
                "query",
                "--db",
                text(&SIX_VALUES.1),
                "start",
                "--moves",
                "a1 c1 a3 e3 a5xc1",
            ])
            .assert()
            .success()
            .stdout(contains("distances are not installed"));
    }
}

/// Reference figures: data/reference/nine-movement.tsv.
#[test]
fn nine_up_to_five_men_has_the_published_figures() {
    let (_folder, db) = solved(&["nine", "--men-up-to", "5"]);
    let stats = json(&["stats"], &db);
    assert_eq!(stats["start"], Value::Null);
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let found: BTreeMap<(u64, u64), [u64; 5]> = stats["sectors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| {
            let keys = ["win", "loss", "draw", "longest_win", "longest_loss"];
            (
                (number(&s["mover"]), number(&s["opponent"])),
                keys.map(|key| number(&s[key])),
            )
        })
        .collect();
    let table = include_str!("../data/reference/nine-movement.tsv");
    let rows = table
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let mut compared = 0;
    for row in rows {
        let row: Vec<u64> = row.split_whitespace().map(|n| n.parse().unwrap()).collect();
        if row[0] <= 5 && row[1] <= 5 {
            assert_eq!(found[&(row[0], row[1])], row[2..7], "{}-{}", row[0], row[1]);
            compared += 1;
        }
    }
    assert_eq!((compared, found.len()), (9, 9));
    let check = json(&["check"], &db);
    let tables: Vec<_> = check.as_array().unwrap().iter().collect();
    assert!(
        tables
            .iter()
            .all(|table| table["differences"].as_array().unwrap().is_empty()),
        "{check}"
    );
    assert_eq!(
        (&tables[0]["compared"], &tables[0]["absent"]),
        (&Value::from(9), &Value::from(40))
    );
    assert!(tables[2]["compared"].as_u64().unwrap() > 300, "{check}");
}

#[test]
fn stats_have_the_promised_shape() {
    let stats = json(&["stats"], &SIX.1);
    assert_eq!(stats["variant"], "six");
    assert_eq!(stats["start"], "draw");
    let sectors = stats["sectors"].as_array().unwrap();
    let sum: u64 = sectors
        .iter()
        .flat_map(|s| ["win", "draw", "loss"].map(|key| s[key].as_u64().unwrap()))
        .sum();
    assert!(sum > 3_000_000);
    // Every example is what it is said to be.
    for sector in sectors.iter().step_by(7) {
        for kind in ["win", "draw", "loss", "longest_win", "longest_loss"] {
            if let Some(example) = sector["examples"][kind].as_str() {
                let answer = query(&SIX.1, example, "");
                assert_eq!(
                    answer["value"],
                    kind.trim_start_matches("longest_"),
                    "{example}"
                );
                if kind.starts_with("longest") {
                    assert_eq!(answer["plies"], sector[kind], "{example}");
                }
            }
        }
    }
    millbase()
        .args(["stats", "--db", text(&SIX.1)])
        .assert()
        .success()
        .stdout(contains("longest win"));
}

#[test]
fn info_and_variants_tell() {
    let info = json(&["info"], &SIX.1);
    assert_eq!(
        (&info["variant"], &info["complete"]),
        (&Value::from("six"), &Value::from(true))
    );
    millbase()
        .args(["info", "--db", text(&SIX.1)])
        .assert()
        .success()
        .stdout(contains("complete   yes").and(contains("distances")));
    let listed = millbase()
        .args(["variants"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let listed = String::from_utf8(listed).unwrap();
    // Padded to the longest name, every line would wrap in a terminal of 80 columns.
    assert!(
        listed.lines().all(|line| line == line.trim_end()),
        "{listed}"
    );
    for id in ["three", "three-diagonal", "six", "nine"] {
        assert!(
            listed.lines().any(|line| line.trim_start().starts_with(id)),
            "{listed}"
        );
    }
    millbase()
        .arg("--version")
        .assert()
        .success()
        .stdout(contains("millbase 0."));
    for command in ["solve", "query", "stats", "variants", "info"] {
        millbase()
            .args([command, "--help"])
            .assert()
            .success()
            .stdout(contains("Usage: millbase"));
    }
}

/// The arguments of a command as a shell would split them, where nothing but double quotes is special.
fn split_command(command: &str) -> Vec<&str> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

#[test]
fn the_tour_of_the_help_shows_what_it_promises() {
    let folder = tempfile::tempdir().unwrap();
    let output = millbase().arg("--help").assert().success();
    let help = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let tour: Vec<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("  millbase "))
        .collect();
    assert!(tour.len() > 3, "{help}");
    for command in tour {
        let output = millbase()
            .current_dir(&folder)
            .args(split_command(command))
            .assert()
            .success();
        if command.contains("--line") {
            output.stdout(contains("Best line: "));
        }
    }
}

#[test]
fn help_fills_the_width_of_the_terminal() {
    const WIDTH: usize = 80;
    let mut commands = "|solve|query|annotate|stats|report|variants|info|plan|pack|sample|export malom|import malom\
        |check|compare|verify|play|uci"
        .split('|')
        .collect::<Vec<_>>();
    if cfg!(feature = "serve") {
        commands.push("serve");
    }
    for command in commands {
        let output = millbase()
            .args(command.split_whitespace())
            .arg("--help")
            .env("COLUMNS", WIDTH.to_string())
            .assert()
            .success();
        let help = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        let lines: Vec<&str> = help.lines().collect();
        for line in &lines {
            assert!(line.chars().count() <= WIDTH, "{command}: {line}");
        }
        for pair in lines.windows(2) {
            let word = pair[1].split(' ').next().unwrap_or_default();
            let broken_early = !pair[0].is_empty()
                && !pair[0].starts_with(' ')
                && !word.is_empty()
                && pair[0].chars().count() + 1 + word.chars().count() <= WIDTH;
            assert!(!broken_early, "{command}: {}\n{}", pair[0], pair[1]);
        }
    }
}

#[test]
fn record_holds_the_figures_and_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("deep/run.json");
    let db = folder.path().join("db");
    millbase()
        .args([
            "solve",
            "six",
            "--db",
            text(&db),
            "--threads",
            "1",
            "--record",
            text(&record),
        ])
        .env("MILLBASE_COMMIT", "abc123")
        .assert()
        .success();
    let record: Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    assert_eq!(record["commit"], "abc123");
    assert_eq!(record["variant"], "six");
    assert_eq!(record["threads"], 1);
    assert!(record["wall_seconds"].as_f64().unwrap() > 0.0);
    assert!(record["machine"]["memory_bytes"].as_u64().unwrap() > 1 << 28);
    assert!(record["date"].as_str().unwrap().starts_with("20"));
}

#[test]
fn bad_arguments_are_the_users_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let db = text(&folder.path().join("db")).to_owned();
    refused(&["solve", "hexagon", "--db", &db], 2, "hexagon");
    assert!(!Path::new(&db).exists());
    let missing = folder.path().join("none.toml");
    refused(&["solve", text(&missing), "--db", &db], 2, "none.toml");
    let broken = folder.path().join("broken.toml");
    std::fs::write(&broken, "id = \"x\"\nsurprise = 3\n").unwrap();
    refused(&["solve", text(&broken), "--db", &db], 2, "surprise");
    millbase()
        .args(["solve", "six", "--db", &db, "--threads", "0"])
        .assert()
        .code(2);
    millbase()
        .args(["solve", "six", "--db", &db, "--threads", "1000000"])
        .assert()
        .code(2);
    let endless = ["/dev/zero", text(folder.path())];
    for variant in endless.into_iter().filter(|path| Path::new(path).exists()) {
        refused(&["solve", variant, "--db", &db], 2, variant);
    }
    millbase().args(["query", "start"]).assert().code(2);
    millbase().args(["frobnicate"]).assert().code(2);
}

#[test]
fn folders_that_are_no_database_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("nowhere");
    for command in [&["query", "start"][..], &["stats"], &["info"]] {
        let mut arguments = command.to_vec();
        arguments.extend(["--db", text(&missing)]);
        refused(&arguments, 2, "nowhere");
    }
    std::fs::write(folder.path().join("notes.txt"), "hello").unwrap();
    refused(
        &["query", "start", "--db", text(folder.path())],
        2,
        "is not a millbase database",
    );
    refused(
        &["solve", "six", "--db", text(folder.path())],
        2,
        "notes.txt",
    );
    refused(
        &["solve", "six", "--db", text(&SIX.1)],
        2,
        "already holds a database of 'six'",
    );
    let file = folder.path().join("notes.txt");
    refused(&["query", "start", "--db", text(&file)], 2, "notes.txt");
    if Path::new("/dev/zero").exists() {
        refused(&["query", "start", "--db", "/dev/zero"], 2, "/dev/zero");
    }
    let html = folder.path().join("web");
    std::fs::create_dir(&html).unwrap();
    std::fs::write(html.join("manifest.json"), "<!DOCTYPE html><html>").unwrap();
    refused(
        &["query", "start", "--db", text(&html)],
        2,
        "is not a millbase database",
    );
}

#[test]
fn impossible_positions_and_moves_are_refused_with_the_reason() {
    let db = text(&SIX.1);
    let board = "********/********";
    let many = "OOOOOOO*/******** w p p 7 -1 0 6 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
    for (position, word) in [
        ("", "empty"),
        ("nonsense", "at least 12 fields"),
        (many, "field"),
        (
            &format!("{board} w p p 0 6 0 6 1 1 -1 -1 -1 -1 0 0 1"),
            "field",
        ),
        (
            &format!("{board} q p p 0 6 0 6 0 0 -1 -1 -1 -1 0 0 1"),
            "field 2",
        ),
        (
            &format!("{board}/******** w p p 0 6 0 6 0 0 -1 -1 -1 -1 0 0 1"),
            "field 1",
        ),
        (
            &format!("{board} w p p 1 5 0 6 0 0 -1 -1 -1 -1 0 0 1"),
            "field",
        ),
    ] {
        let position = if position.is_empty() { " " } else { position };
        millbase()
            .args(["query", "--db", db, position])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("millbase: "))
            .stderr(predicate::function(|error: &str| {
                word == "empty" || error.to_lowercase().contains(word)
            }));
    }
    for (moves, word) in [
        ("a1 a1", "a1"),
        ("a1 z9", "z9"),
        ("a1-a3", "a1-a3"),
        ("a1 c1 a3 e3 a5xa1", "a1"),
        ("a1 c1 a3 e3 a5 b2", "b2"),
        ("a1xc1", "a1xc1"),
    ] {
        refused(&["query", "--db", db, "start", "--moves", moves], 2, word);
    }
}

#[test]
fn damage_is_our_fault_and_is_named() {
    let (_folder, db) = solved(&["three-diagonal"]);
    let start = db.join("0_0_3_3.sector");
    let mut bytes = std::fs::read(&start).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(&start, &bytes).unwrap();
    refused(
        &["query", "--db", text(&db), "start"],
        1,
        "0_0_3_3.sector is damaged",
    );
    std::fs::remove_file(&start).unwrap();
    let query = ["query", "--db", text(&db), "start"];
    let answer = millbase().args(query).assert().success();
    let answer = String::from_utf8_lossy(&answer.get_output().stdout).into_owned();
    assert!(answer.contains("White to move: unknown"), "{answer}");
    assert!(answer.contains("lacks sector 0-0+3-3"), "{answer}");
    std::fs::write(&start, "not a sector at all, but long enough to be one").unwrap();
    refused(&query, 1, "0_0_3_3.sector");
    std::fs::remove_file(db.join("manifest.json")).unwrap();
    refused(
        &["query", "--db", text(&db), "start"],
        2,
        "unfinished database",
    );
}

/// A file size limit stands for a full disk: writes fail with an error in the middle of the work.
#[cfg(unix)]
#[test]
fn without_space_nothing_stays_under_a_final_name() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    let program = assert_cmd::cargo::cargo_bin!("millbase");
    let script = format!(
        "trap '' XFSZ; ulimit -f 40; exec '{}' solve six --db '{}'",
        program.display(),
        db.display()
    );
    Command::new("sh")
        .args(["-c", &script])
        .assert()
        .code(1)
        .stdout("")
        .stderr(contains("millbase: "));
    refused(&["query", "--db", text(&db), "start"], 2, text(&db));
    for entry in std::fs::read_dir(&db).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.metadata().unwrap().len() <= 40 * 1024, "{path:?}");
        assert_ne!(path.file_name().unwrap(), "manifest.json");
    }
}

#[cfg(unix)]
#[test]
fn memory_that_is_not_granted_is_asked_for_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    let program = assert_cmd::cargo::cargo_bin!("millbase");
    let script = format!(
        "ulimit -v 600000; exec '{}' solve nine --men-up-to 6 --db '{}'",
        program.display(),
        db.display()
    );
    Command::new("sh")
        .args(["-c", &script])
        .assert()
        .code(1)
        .stderr(contains("memory").and(contains("millbase: ")));
    assert!(!db.join("manifest.json").exists());
}

#[test]
fn a_reader_that_stops_listening_is_no_error() {
    let program = assert_cmd::cargo::cargo_bin!("millbase");
    let script = format!(
        "'{}' stats --db '{}' | head -1",
        program.display(),
        SIX.1.display()
    );
    Command::new("sh")
        .args(["-c", &script])
        .assert()
        .success()
        .stderr("")
        .stdout(contains("six: 131 sectors"));
}

#[test]
fn a_plan_says_what_solving_takes() {
    let plan = |id: &str| {
        // With less the solver gets along with less, which would depend on the machine.
        let arguments = ["plan", id, "--memory", "64", "--json"];
        let output = millbase().args(arguments).assert().success();
        serde_json::from_slice::<Value>(&output.get_output().stdout).unwrap()
    };
    let nine = plan("nine");
    assert_eq!(nine["sectors"], 498);
    assert_eq!(nine["positions"], 26_761_334_939_u64);
    assert_eq!(nine["cells"], 27_860_445_035_u64);
    assert_eq!(nine["solver"], "cube");
    assert!(nine["memory_bytes"].as_u64().unwrap() > 10 << 30);
    assert!(nine["memory_available"].is_u64() && nine["disk_available"].is_u64());
    // Two planes of wins and losses more than nine, and twice the rows.
    let lasker = plan("lasker");
    assert_eq!(lasker["solver"], "cube");
    assert!(lasker["memory_bytes"].as_u64().unwrap() > 20 << 30);
    assert!(lasker["seconds"].as_f64() > nine["seconds"].as_f64());
    let pentagon = plan("pentagon");
    assert_eq!(pentagon["solver"], "plain");
    assert!(pentagon["seconds"].is_null() && pentagon["memory_bytes"].is_null());
    let refused_for = pentagon["refused"].as_str().unwrap();
    let positions = grouped(pentagon["positions"].as_u64().unwrap());
    assert!(refused_for.contains(&format!("pentagon has {positions} positions to solve")));
    assert!(refused_for.contains("; --men-up-to "), "{refused_for}");
    millbase().args(["plan", "six"]).assert().success().stdout(
        contains("sectors     131")
            .and(contains("positions   3,141,931; the 16 symmetric images"))
            .and(contains("on two cores")),
    );
    refused(&["plan", "seven"], 2, "no variant `seven`");
}

#[test]
fn a_database_is_verified_and_certified() {
    let (folder, db) = &*SIX;
    let certificate = folder.path().join("certificate.json");
    millbase()
        .args([
            "verify",
            "--db",
            text(db),
            "--certificate",
            text(&certificate),
        ])
        .assert()
        .success()
        .stdout(contains("0 wrong").and(contains(
            "The start position of six is a draw: of all 3,711,083 cells",
        )));
    let bytes = std::fs::read(&certificate).unwrap();
    let certified: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(
        (&certified["wrong"], &certified["sectors"]),
        (&0.into(), &131.into())
    );
    assert!(!folder.path().join("certificate.json.progress").exists());
    millbase()
        .args(["verify", "--db", text(db), "--sample", "500"])
        .assert()
        .success()
        .stdout(contains("500 cells").and(contains("0 wrong")));
}

/// A record may go to a pipe, to a device, or where a link leads: none of them is replaced by a file.
#[test]
fn a_record_leaves_links_and_pipes_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let (link, file) = (
        folder.path().join("link"),
        folder.path().join("record.json"),
    );
    std::fs::write(&file, "before").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let solve = |record: &Path| {
        let run = ["solve", "three", "--no-database", "--record", text(record)];
        millbase().args(run).assert().success()
    };
    solve(&link);
    assert!(link.is_symlink());
    let found: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(found["variant"], "three");
    let printed = solve(Path::new("/dev/stdout"));
    printed.stdout(contains("\"variant\": \"three\""));
    // What the link leads to cannot be written: that is said before the work.
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let run = ["solve", "three", "--no-database", "--record", text(&link)];
    refused(&run, 2, "is a directory");
}

#[test]
fn games_are_won_as_the_database_says() {
    let (folder, db) = &*SIX;
    let record = folder.path().join("games.json");
    let command = [
        "verify",
        "--db",
        text(db),
        "--games",
        "50",
        "--certificate",
        text(&record),
    ];
    let out = millbase().args(command).assert().success();
    out.stdout(contains("Played 50 games").and(contains("50 were won in time")));
    let played: Value = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    assert_eq!(
        (&played["games"], &played["won_in_time"]),
        (&50.into(), &50.into())
    );
    assert_eq!(
        (&played["variant"], &played["broken"]),
        (&"six".into(), &serde_json::json!([]))
    );
}

/// What was found right before is not done again, unless it was another database.
#[test]
fn a_verification_goes_on_where_it_was_stopped() {
    let (folder, db) = &*SIX;
    let certificate = folder.path().join("stopped.json");
    let progress = folder.path().join("stopped.json.progress");
    let verify = || {
        let command = [
            "verify",
            "--db",
            text(db),
            "--certificate",
            text(&certificate),
            "--json",
        ];
        let output = millbase().args(command).assert().success();
        let found: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        assert_eq!(found["cells"], 3_711_083);
        assert!(!progress.exists());
        found
    };
    let whole = verify();
    let digest = whole["database_blake3"].as_str().unwrap();
    let (win, of_another) = (whole["win"].as_u64().unwrap(), "0".repeat(64));
    // A sector noted as done is not done again: its counts are believed. The last line was cut off.
    let manifest = std::fs::read(db.join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    let mut records = manifest["sectors"].as_array().unwrap().iter();
    let record = records.find(|record| record["sector"] == "3_3_0_0");
    let statistics = &record.unwrap()["statistics"];
    let by_plies = |counts: &Value| -> Vec<u64> {
        let counts = counts.as_str().unwrap().split(' ');
        counts.map(|count| count.parse().unwrap()).collect()
    };
    let positions = serde_json::json!({
        "win": statistics["win"], "draw": statistics["draw"], "loss": statistics["loss"],
        "wins_in": by_plies(&statistics["wins_in"]), "losses_in": by_plies(&statistics["losses_in"]),
    });
    let done = serde_json::json!({
        "sector": "3-3", "win": 0, "draw": 0, "loss": 0, "positions": positions,
        "values_blake3": "", "distances_blake3": "",
    });
    let done = done.to_string();
    for (first_line, believed) in [(digest, true), (&of_another, false)] {
        let cut = &done[..done.len() / 2];
        std::fs::write(&progress, format!("{first_line}\n{done}\n{cut}")).unwrap();
        let resumed = verify();
        assert_eq!(resumed["database_blake3"], *digest);
        assert_eq!(resumed["win"].as_u64().unwrap() < win, believed);
        let same = resumed["values_blake3"] == whole["values_blake3"];
        assert_eq!(same, !believed);
    }
    std::fs::write(&progress, "important notes\n").unwrap();
    let command = [
        "verify",
        "--db",
        text(db),
        "--certificate",
        text(&certificate),
    ];
    refused(&command, 2, "is in the way");
    assert_eq!(
        std::fs::read_to_string(&progress).unwrap(),
        "important notes\n"
    );
}

#[test]
fn a_path_through_a_folder_that_is_not_there_yet_overwrites_nothing() {
    let (folder, db) = solved(&["three-diagonal"]);
    let before = std::fs::read(db.join("manifest.json")).unwrap();
    for (way, command) in [("a", "solve"), ("b", "pack")] {
        let detour = folder.path().join(way).join("../db");
        let detour = text(&detour);
        let arguments = match command {
            "solve" => vec!["solve", "three", "--db", detour],
            _ => vec!["pack", "--db", text(&SIX.1), "--out", detour],
        };
        refused(&arguments, 2, "already holds a database");
        assert_eq!(std::fs::read(db.join("manifest.json")).unwrap(), before);
    }
}

#[test]
fn databases_are_compared() {
    let (folder, db) = &*SIX;
    let packed = folder.path().join("packed");
    millbase()
        .args(["pack", "--db", text(db), "--out", text(&packed)])
        .assert()
        .success()
        .stdout(contains("Nothing is lost."));
    millbase()
        .args(["compare", "--db", text(&packed), "--with", text(db)])
        .assert()
        .success()
        .stdout(contains("different    0"));
    let other = text(&DIAGONAL.1);
    refused(
        &["compare", "--db", text(db), "--with", other],
        2,
        "not 'six'",
    );
    let part = folder.path().join("part");
    millbase()
        .args([
            "pack",
            "--db",
            text(db),
            "--out",
            text(&part),
            "--sectors",
            "3-3,4-4",
        ])
        .assert()
        .success()
        .stdout(contains("129 sectors are not in it."));
    millbase()
        .args(["compare", "--db", text(&part), "--with", text(db)])
        .assert()
        .code(3)
        .stdout(contains("Only one of them has sectors"));
}

#[test]
fn a_run_without_a_database_records_the_counts() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record.json");
    millbase()
        .args([
            "solve",
            "five",
            "--values-only",
            "--no-database",
            "--record",
            text(&record),
        ])
        .assert()
        .success()
        .stdout(contains("Database: not kept").and(contains("5-5")));
    let bytes = std::fs::read(&record).unwrap();
    let found: Value = serde_json::from_slice(&bytes).unwrap();
    let counts = found["sector_counts"].as_array().unwrap();
    assert_eq!(counts.len() as u64, found["sectors"].as_u64().unwrap());
    let positions = counts.iter().map(|sector| {
        let count = |kind: &str| sector[kind].as_u64().unwrap();
        count("win") + count("draw") + count("loss")
    });
    assert_eq!(positions.sum::<u64>(), found["positions"].as_u64().unwrap());
    let nowhere = millbase().args(["solve", "five"]).assert();
    nowhere.code(2).stderr(contains("--db"));
}

#[test]
fn a_movement_layer_is_taken_from_another_database() {
    let folder = tempfile::tempdir().unwrap();
    let (db, record) = (folder.path().join("db"), folder.path().join("five.json"));
    let six = text(&SIX.1);
    let solve = ["solve", "five", "--values-only", "--movement-from", six];
    millbase()
        .args(solve)
        .args(["--no-database", "--record", text(&record)])
        .assert()
        .success()
        .stdout(contains(
            "taken from a database of six (rules 4703b54323ef)",
        ));
    let record: Value = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    let rules = json(&["info"], &SIX.1)["fingerprint"].clone();
    assert_eq!(record["movement_from"]["fingerprint"], rules);
    assert_eq!(record["movement_from"]["variant"], "six");
    assert_eq!(record["sector_counts"].as_array().unwrap().len(), 68);
    assert_eq!(record["positions"], 1_006_899);
    let arguments = [&solve[..], &["--db", text(&db)]].concat();
    millbase().args(&arguments).assert().success();
    millbase()
        .args(["info", "--db", text(&db)])
        .assert()
        .success()
        .stdout(contains(
            "movement   from a database of six (rules 4703b54323ef)",
        ));
    let taken = ["solve", "five", "--db", "nowhere", "--movement-from"];
    let why = "cannot give its movement layer to five: it is of three-diagonal, which differs in the board";
    refused(&[&taken[..], &[text(&DIAGONAL.1)]].concat(), 2, why);
    let why = "the movement layer cannot be taken over: cannot open the database no-such-folder";
    refused(&[&taken[..], &["no-such-folder"]].concat(), 2, why);
    assert!(!Path::new("nowhere").exists());
}

/// A board of 30 points: some men a side from solving to packing, and clear words about the rest.
#[test]
fn a_large_board_is_solved_for_few_men() {
    let whole = ["solve", "pentagon", "--db", "nowhere"];
    refused(&whole, 2, "its limit is 16.00 GiB; --men-up-to ");
    assert!(!Path::new("nowhere").exists());

    let folder = tempfile::tempdir().unwrap();
    let (db, packed) = (folder.path().join("db"), folder.path().join("packed"));
    // Without flying three men a side have few turns: quick to solve.
    let rules = folder.path().join("pentagon.toml");
    let text_of_rules =
        "id = \"slow\"\nname = \"Slow pentagon\"\nbase = \"pentagon\"\n[rules]\nflying = false\n";
    std::fs::write(&rules, text_of_rules).unwrap();
    let plan = ["plan", text(&rules), "--men-up-to", "3", "--json"];
    let plan = millbase()
        .args(plan)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let plan: Value = serde_json::from_slice(&plan).unwrap();
    assert_eq!(
        (&plan["sectors"], &plan["refused"]),
        (&1.into(), &Value::Null)
    );
    let note = format!(
        "empty hands and at most 3 men a side; the whole game would need {} positions",
        grouped(plan["whole_game"].as_u64().unwrap())
    );
    millbase()
        .args(["solve", text(&rules), "--men-up-to", "3", "--db", text(&db)])
        .assert()
        .success()
        .stdout(contains("is solved in part").and(contains(note)));

    let stats = json(&["stats"], &db);
    let sector = &stats["sectors"][0];
    let count = |kind: &str| sector[kind].as_u64().unwrap();
    let positions = count("win") + count("draw") + count("loss");
    assert_eq!(plan["positions"], positions);
    // A mill takes the third man and wins the game.
    let won = sector["examples"]["longest_win"].as_str().unwrap();
    let answer = query(&db, won, "");
    assert_eq!(answer["value"], "win");
    assert_eq!(answer["plies"], sector["longest_win"]);
    let best = &answer["moves"][0];
    assert_eq!(
        (&best["value"], &best["plies"]),
        (&answer["value"], &answer["plies"])
    );
    assert_eq!(json(&["info"], &db)["complete"], false);

    millbase()
        .args(["verify", "--sample", "2000", "--db", text(&db)])
        .assert()
        .success();
    refused(&["verify", "--db", text(&db)], 2, "more than 24 points");
    refused(&["check", "--db", text(&db)], 2, "slow");
    let pack = ["pack", "--db", text(&db), "--out", text(&packed)];
    millbase().args(pack).assert().success();
    let compare = ["compare", "--db", text(&packed), "--with", text(&db)];
    millbase()
        .args(compare)
        .assert()
        .success()
        .stdout(contains("different    0"));
    assert_eq!(query(&packed, won, ""), answer);
}

/// An address space without room for the stacks of so many threads.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_the_system_does_not_start_are_an_error() {
    let program = assert_cmd::cargo::cargo_bin!("millbase");
    let db = text(&SIX_VALUES.1);
    for command in ["sample", "verify", "query --jsonl", "compare --with"] {
        let command = command.replace("--with", &format!("--with '{db}'"));
        let script = format!(
            "ulimit -v 1000000; RAYON_NUM_THREADS=4000 exec '{}' {command} --db '{db}'",
            program.display()
        );
        Command::new("sh")
            .args(["-c", &script])
            .assert()
            .code(1)
            .stdout("")
            .stderr(contains("millbase: cannot start the threads to work with"));
    }
}

#[test]
fn figures_of_a_game_are_not_held_against_other_rules_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let (game, db) = (folder.path().join("own.toml"), folder.path().join("db"));
    let rules = "id = 'nine'\nname = 'Nine'\nbase = 'six'\n[rules]\nmen = 3\n";
    std::fs::write(&game, rules).unwrap();
    let solve = ["solve", text(&game), "--db", text(&db)];
    millbase().args(solve).assert().success();
    refused(&["check", "--db", text(&db)], 2, "of other rules");
}

#[test]
fn games_that_remember_are_solved_without_a_database_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("achi-once.toml");
    let rules = "id = 'achi-once'\nname = 'Achi, mills pay once'\nbase = 'achi'\n[rules]\n\
                 mill_pays = 'capture'\nmills_pay_once = true\n";
    std::fs::write(&file, rules).unwrap();
    let (variant, db) = (text(&file), folder.path().join("db"));
    refused(
        &["solve", variant, "--db", text(&db)],
        2,
        "has no place for which have paid; it can be solved without one: --no-database",
    );
    assert!(!db.exists());
    refused(
        &["solve", variant, "--no-database", "--men-up-to", "3"],
        2,
        "can only be solved whole",
    );
    let record = folder.path().join("record.json");
    let run = ["solve", variant, "--no-database", "--record", text(&record)];
    millbase()
        .args(run)
        .assert()
        .success()
        .stdout(contains("Database: not kept").and(contains("The start position is a")));
    let found: Value = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    assert!(found["start"]["value"].is_string());
    let counts = found["sector_counts"].as_array().unwrap();
    let positions = counts.iter().map(|sector| {
        let count = |kind: &str| sector[kind].as_u64().unwrap();
        count("win") + count("draw") + count("loss")
    });
    assert_eq!(positions.sum::<u64>(), found["positions"].as_u64().unwrap());
    let plan = ["plan", variant, "--json"];
    let plan = millbase().args(plan).assert().success();
    let plan: Value = serde_json::from_slice(&plan.get_output().stdout).unwrap();
    assert!(plan["positions"].as_u64() >= found["positions"].as_u64());
    assert!(plan["cells"].is_null());
    millbase()
        .args(["plan", variant])
        .assert()
        .success()
        .stdout(contains("--no-database is needed").and(contains("memory      about ")));
    // Where the memory does not fit that is said before any work.
    let large = rules
        .replace("achi'", "nine'")
        .replace("achi-once'", "large'");
    std::fs::write(&file, large).unwrap();
    refused(
        &["solve", variant, "--no-database"],
        2,
        "positions to solve",
    );
    let plan = ["plan", variant];
    refused(&plan, 2, "positions to solve");
}

#[test]
fn a_side_that_cannot_move_passes_in_answers_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("patient.toml");
    let rules = "id = 'patient'\nname = 'Patient'\nbase = 'five'\n[rules]\nmen = 4\n\
                 flying = false\nblocked = 'passes'\n";
    std::fs::write(&file, rules).unwrap();
    let (_folder, db) = solved(&[text(&file)]);
    // White's men a5, c5 and a3 are shut in by Black's b3, c4, e5 and a1.
    let blocked = "@*****@*/O@***@OO w m s 3 0 4 0 0 0 0 0";
    let answer = query(&db, blocked, "");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1);
    assert_eq!(answer["moves"][0]["move"], "pass");
    assert_eq!(answer["moves"][0]["value"], answer["value"]);
    let passed = query(&db, blocked, "pass");
    assert_eq!(passed["side"], "black");
    let plies = |answer: &Value| answer["plies"].as_u64().unwrap_or(1);
    let draw = answer["value"] == "draw";
    assert_eq!(plies(&answer), plies(&passed) + u64::from(!draw));
    millbase()
        .args(["query", "--db", text(&db), blocked, "--line"])
        .assert()
        .success()
        .stdout(contains("pass"));
    millbase()
        .args(["verify", "--db", text(&db)])
        .assert()
        .success();
}
