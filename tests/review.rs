//! Games and puzzles held against a database: a small game in which men are taken.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

use millbase::answer::Word;
use millbase::database::{Contents, Database};
use millbase::game::{Choice, Side, Variant};
use millbase::notation::{
    GameRecord, Notation, Played, ReadPosition, RecordedTurn, Style, read_position, read_records,
    write_pgn, write_position,
};
use millbase::probe::{Prober, Ranked};
use millbase::random::Random;
use millbase::review::puzzle::{read_pack, review_pack};
use millbase::review::{Tally, Verdict, notes, review};
use millbase::solve::{Silent, SolveOptions, solve};
use millbase::value::Outcome;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Four men a side on three by three points; lines take men.
const SMALL: &str = r#"
id = "small"
name = "Small"
base = "three"
[rules]
men = 4
mill_pays = "capture"
flying = true
"#;

fn solved(contents: Contents) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::from_toml(SMALL, "small").unwrap();
    let options = SolveOptions {
        values_only: contents == Contents::Values,
        ..SolveOptions::default()
    };
    solve(&variant, &folder.path().join("db"), &options, &Silent).unwrap();
    folder
}

static DISTANCES: LazyLock<TempDir> = LazyLock::new(|| solved(Contents::Distances));
static VALUES: LazyLock<TempDir> = LazyLock::new(|| solved(Contents::Values));

fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("db")
}

fn recorded(before: ReadPosition, choice: Choice) -> RecordedTurn {
    RecordedTurn {
        played: Played { before, choice },
        remark: String::new(),
    }
}

fn random_game(variant: &Variant, random: &mut Random) -> GameRecord {
    let mut now = variant.start();
    let mut turns = Vec::new();
    while turns.len() < 60 {
        let all = variant.turns(&now);
        let Some(turn) = all.get(random.below(all.len() as u64) as usize) else {
            break;
        };
        turns.push(recorded(now.into(), Choice::Turn(*turn)));
        now = variant.play(&now, turn);
    }
    GameRecord::new(variant.start().into(), turns)
}

#[test]
fn verdicts_follow_from_the_values() {
    let database = Database::open(&path(&DISTANCES)).unwrap();
    let variant = database.variant();
    let prober = Prober::new(&database);
    let mut random = Random::new(5);
    let (mut seen, mut turns) = ([0; 3], 0);
    for _ in 0..60 {
        let game = random_game(variant, &mut random);
        let review = review(&database, &game).unwrap();
        assert_eq!(review.turns.len(), game.turns.len());
        for (turn, of) in review.turns.iter().zip(&game.turns) {
            let before = of.played.before.position;
            let value = prober.value(&before, 0).unwrap().known().unwrap();
            let after = variant.after(&before, of.played.choice);
            let made = prober.value(&after, 0).unwrap().known().unwrap().before();
            let expected = match () {
                () if made == value => Verdict::Best,
                () if made.outcome == value.outcome => Verdict::Slower,
                () => Verdict::Mistake,
            };
            assert_eq!(turn.verdict, expected);
            assert_eq!(turn.better.is_empty(), expected == Verdict::Best);
            if let Some(best) = turn.better.first() {
                assert_eq!(best.worth, turn.before);
            }
            assert!(turn.better.iter().all(|better| better.worth != turn.after));
            seen[expected as usize] += 1;
        }
        let both = [review.white, review.black];
        let sum = |of: fn(&Tally) -> usize| both.iter().map(of).sum::<usize>();
        assert_eq!(sum(|tally| tally.mistakes), review.changes.len());
        assert_eq!(sum(|tally| tally.turns), game.turns.len());
        assert_eq!(
            sum(|tally| tally.best + tally.slower + tally.mistakes),
            game.turns.len()
        );
        turns += game.turns.len();
        let pgn = write_pgn(variant, &game, &notes(&review));
        let again = read_records(variant, &pgn).unwrap();
        assert_eq!(again[0].turns.len(), game.turns.len());
        assert_eq!(pgn.contains("after"), !review.changes.is_empty(), "{pgn}");
    }
    assert!(
        turns > 500 && seen.iter().all(|&count| count > 20),
        "{seen:?}"
    );
}

/// A position that is won in so many plies, or more.
fn won(prober: &Prober, plies: u16) -> ReadPosition {
    let variant = prober.database().variant();
    let mut random = Random::new(11);
    for _ in 0..10_000 {
        for turn in random_game(variant, &mut random).turns {
            let before = turn.played.before;
            let value = prober.value(&before.position, 0).unwrap().known().unwrap();
            if value.outcome == Outcome::Win && value.plies >= Some(plies) {
                return before;
            }
        }
    }
    panic!("no such position");
}

#[test]
fn best_play_has_no_mistakes() {
    let database = Database::open(&path(&DISTANCES)).unwrap();
    let prober = Prober::new(&database);
    let start = won(&prober, 5);
    let line = prober.line(&start.position, 0, 100).unwrap();
    let mut now = start.position;
    let mut turns = Vec::new();
    for choice in line {
        turns.push(recorded(now.into(), choice));
        now = database.variant().after(&now, choice);
    }
    let review = review(&database, &GameRecord::new(start, turns)).unwrap();
    assert_eq!(review.white.best + review.black.best, review.turns.len());
    assert!(review.changes.is_empty());
    assert_eq!(
        (review.end_value.value, review.end_value.plies),
        (Word::Loss, Some(0))
    );
}

#[test]
fn without_distances_a_turn_that_keeps_the_result_is_best() {
    let database = Database::open(&path(&VALUES)).unwrap();
    let game = random_game(database.variant(), &mut Random::new(2));
    let review = review(&database, &game).unwrap();
    for turn in &review.turns {
        assert!(turn.before.plies.is_none() && turn.after.plies.is_none());
        let expected = match turn.before.value == turn.after.value {
            true => Verdict::Best,
            false => Verdict::Mistake,
        };
        assert_eq!(turn.verdict, expected);
    }
}

/// A puzzle with claims that are all true.
fn puzzle(database: &Database) -> Value {
    let prober = Prober::new(database);
    let start = won(&prober, 5);
    let ranked = prober.ranked(&start.position, 0).unwrap();
    let value = prober.value(&start.position, 0).unwrap();
    let plies = value.known().unwrap().plies.unwrap();
    let count = |of: &dyn Fn(&Ranked) -> bool| ranked.iter().filter(|ranked| of(ranked)).count();
    let wins = |ranked: &Ranked| ranked.answer.known().unwrap().outcome == Outcome::Win;
    let shortest = count(&|ranked| ranked.answer == value);
    let notation = Notation::new(&database.variant().board, Style::Labels);
    let solutions: Vec<Value> = ranked[..shortest]
        .iter()
        .map(|first| {
            let mut now = start.position;
            let after = database.variant().after(&now, first.choice);
            let mut line = vec![first.choice];
            line.extend(prober.line(&after, 0, 100).unwrap());
            let mut moves = Vec::new();
            for choice in line {
                let side = match now.side {
                    Side::White => "white",
                    Side::Black => "black",
                };
                for action in notation.write_actions(database.variant(), &now, choice) {
                    moves.push(json!({"notation": action, "side": side}));
                }
                now = database.variant().after(&now, choice);
            }
            json!({"moves": moves, "isOptimal": true})
        })
        .collect();
    json!({
        "id": "p1", "title": "A win", "initialPosition": write_position(database.variant(), &start),
        "ruleVariantId": "small", "category": "winGame", "solutions": solutions,
        "tags": [
            "objective:win",
            format!("win-in-{}", plies / 2 + 1),
            format!("shortest-first-turns:{shortest}"),
            format!("slower-winning-first-turns:{}", count(&wins) - shortest),
            format!("non-winning-first-turns:{}", count(&|ranked| !wins(ranked))),
            "phase:any",
        ],
    })
}

fn wrong(database: &Database, puzzle: &Value) -> (Vec<String>, Vec<String>) {
    let text = json!({"formatVersion": "1.0", "puzzles": [puzzle]}).to_string();
    let reviews = review_pack(database, &read_pack(&text).unwrap()).unwrap();
    // As some editors write it.
    assert_eq!(
        read_pack(&format!("\u{feff}{text}")).unwrap().puzzles.len(),
        reviews.len()
    );
    assert_eq!(reviews.len(), 1);
    (reviews[0].wrong.clone(), reviews[0].open.clone())
}

#[test]
fn true_claims_of_puzzles_pass_and_false_ones_are_listed() {
    let database = Database::open(&path(&DISTANCES)).unwrap();
    let good = puzzle(&database);
    assert_eq!(wrong(&database, &good), (vec![], vec![]));

    for (from, to) in [
        ("objective:win", "objective:hold-draw"),
        ("win-in-", "win-in-9"),
        ("shortest-first-turns:", "shortest-first-turns:9"),
        (
            "slower-winning-first-turns:",
            "slower-winning-first-turns:9",
        ),
        ("non-winning-first-turns:", "non-winning-first-turns:x"),
        ("phase:any", "unique-draw-save"),
    ] {
        let mut bad = good.clone();
        let tags = bad["tags"].as_array_mut().unwrap();
        let tag = tags
            .iter_mut()
            .find(|tag| tag.as_str().unwrap().starts_with(from));
        *tag.unwrap() = json!(to);
        let (wrong, open) = wrong(&database, &bad);
        assert_eq!((wrong.len(), open.len()), (1, 0), "{to}: {wrong:?}");
        assert!(wrong[0].starts_with(to), "{wrong:?}");
    }

    let mut bad = good.clone();
    bad["tags"] = json!(["win-in-9"]);
    let (told, _) = wrong(&database, &bad);
    assert!(
        told[0].contains("plies, of which the solver makes "),
        "{told:?}"
    );

    let changed = |change: fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        let (wrong, _) = wrong(&database, &bad);
        assert!(!wrong.is_empty());
        wrong.join("; ")
    };
    assert!(
        changed(|p| p["solutions"][0]["moves"][0]["notation"] = json!("zz")).contains("no point")
    );
    let other_side = changed(|p| {
        let side = &mut p["solutions"][0]["moves"][0]["side"];
        *side = json!(if *side == "white" { "black" } else { "white" });
    });
    assert!(other_side.contains("wrong side"), "{other_side}");
    assert!(changed(|p| p["solutions"] = json!([])).contains("no solution"));
    assert!(changed(|p| p["solutions"][0]["moves"] = json!([])).contains("no turns"));
    assert!(changed(|p| p["initialPosition"] = json!("stort")).contains("the position: "));
    let mut other = good.clone();
    other["ruleVariantId"] = json!("standard_9mm");
    let (wrong, open) = wrong(&database, &other);
    assert!(wrong.is_empty() && open[0].contains("for the rules standard_9mm"));
}

#[test]
fn solutions_that_are_not_the_shortest_are_listed() {
    let database = Database::open(&path(&DISTANCES)).unwrap();
    let prober = Prober::new(&database);
    let good = puzzle(&database);
    let start = good["initialPosition"].as_str().unwrap();
    let start = read_position(database.variant(), start).unwrap();
    let ranked = prober.ranked(&start.position, 0).unwrap();
    let worst = ranked.last().unwrap();
    let notation = Notation::new(&database.variant().board, Style::Labels);
    let side = good["solutions"][0]["moves"][0]["side"].clone();
    let moves: Vec<Value> = notation
        .write_actions(database.variant(), &start.position, worst.choice)
        .into_iter()
        .map(|action| json!({"notation": action, "side": side}))
        .collect();
    let mut bad = good.clone();
    bad["solutions"]
        .as_array_mut()
        .unwrap()
        .push(json!({"moves": moves, "isOptimal": true}));
    let (wrong, _) = wrong(&database, &bad);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("where there is a win in"), "{wrong:?}");
}

#[test]
fn without_distances_claims_about_them_stay_open() {
    let distances = Database::open(&path(&DISTANCES)).unwrap();
    let values = Database::open(&path(&VALUES)).unwrap();
    let (wrong, open) = wrong(&values, &puzzle(&distances));
    assert_eq!(wrong, Vec::<String>::new());
    let about = [
        "win-in-",
        "shortest-first-turns:",
        "slower-winning-first-turns:",
    ];
    assert_eq!(open.len(), about.len(), "{open:?}");
    assert!(
        open.iter()
            .zip(about)
            .all(|(claim, tag)| claim.starts_with(tag))
    );
}

fn annotate(arguments: &[&str]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("millbase"));
    command.args(["annotate", "--db"]).arg(path(&DISTANCES));
    command.args(arguments).output().unwrap()
}

#[test]
fn the_program_annotates_games_and_checks_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let database = Database::open(&path(&DISTANCES)).unwrap();
    let variant = database.variant();
    let game = random_game(variant, &mut Random::new(5));
    let pgn = write_pgn(variant, &game, &[]);
    let game_file = file("game.pgn", &pgn);
    let told = annotate(&[&game_file]);
    assert!(told.status.success());
    let text = String::from_utf8(told.stdout).unwrap();
    for part in [
        "At the start: ",
        "At the end: ",
        "White: ",
        "    1. ",
        "  1... ",
        "better: ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json_line = annotate(&[&game_file, "--json"]).stdout;
    let review: Value = serde_json::from_slice(&json_line).unwrap();
    assert_eq!(review["turns"].as_array().unwrap().len(), game.turns.len());
    assert_eq!(review["variant"], "small");
    let annotated = String::from_utf8(annotate(&[&game_file, "--pgn"]).stdout).unwrap();
    assert!(
        annotated.contains('$') && annotated.starts_with("[Event "),
        "{annotated}"
    );
    assert_eq!(
        read_records(variant, &annotated).unwrap()[0].turns.len(),
        game.turns.len()
    );

    let good = puzzle(&database);
    let mut bad = good.clone();
    bad["tags"] = json!(["objective:hold-draw"]);
    let pack = file("good", &json!({"puzzles": [good]}).to_string());
    let told = annotate(&["--puzzles", &pack]);
    assert_eq!(told.status.code(), Some(0));
    let pack = file("bad", &json!({"puzzles": [good, bad]}).to_string());
    let told = annotate(&["--puzzles", &pack]);
    assert_eq!(told.status.code(), Some(3));
    let text = String::from_utf8(told.stdout).unwrap();
    assert!(
        text.contains("wrong: objective:hold-draw: it is a win in"),
        "{text}"
    );
    assert!(text.contains("2 puzzles, 1 with wrong claims"), "{text}");
    let lines = annotate(&["--puzzles", &pack, "--json"]).stdout;
    assert_eq!(String::from_utf8(lines).unwrap().lines().count(), 2);

    for (arguments, message) in [
        (vec![file("x", "zz")], "line 1, character 1"),
        (vec!["no-such-file".to_owned()], "cannot read"),
        (
            vec!["--puzzles".to_owned(), file("y", "{}")],
            "not a pack of puzzles",
        ),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = annotate(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.contains(message) && error.lines().count() == 1,
            "{error}"
        );
    }
}
