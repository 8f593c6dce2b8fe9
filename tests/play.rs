//! Games in the terminal, typed through a pipe.

use std::path::Path;
use std::sync::LazyLock;

use assert_cmd::Command;
use millbase::database::{Database, PackOptions, pack};
use millbase::game::{Side, Variant};
use millbase::notation::{ReadPosition, play_moves, read_position, write_choice, write_position};
use millbase::play::{Human, Session, serve};
use millbase::probe::{Prober, Ties};
use millbase::random::Random;
use millbase::solve::{Silent, SolveOptions, solve};
use millbase::value::Outcome;
use predicates::prelude::*;
use predicates::str::contains;
use proptest::prelude::*;
use tempfile::TempDir;

fn solved(id: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::builtin(id).expect("a built-in variant");
    let db = folder.path().join("db");
    solve(&variant, &db, &SolveOptions::default(), &Silent).unwrap();
    folder
}

static SIX: LazyLock<TempDir> = LazyLock::new(|| solved("six"));
static DIAGONAL: LazyLock<TempDir> = LazyLock::new(|| solved("three-diagonal"));

fn open(folder: &TempDir) -> Database {
    Database::open(&folder.path().join("db")).unwrap()
}

fn session<'a>(database: &'a Database, human: Human, moves: &str) -> Session<'a> {
    let start = database.variant().start().into();
    let start = play_moves(database.variant(), &start, moves).unwrap();
    Session::new(database, human, start, Ties::default(), 0)
}

/// What is answered to a line.
fn say(session: &mut Session, line: &str) -> String {
    session.answer(line).unwrap().text
}

/// Where a game stands.
fn position(database: &Database, session: &mut Session) -> ReadPosition {
    read_position(database.variant(), say(session, "fen").trim()).unwrap()
}

fn play(folder: &TempDir, arguments: &[&str], typed: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("millbase"));
    command
        .arg("play")
        .arg("--db")
        .arg(folder.path().join("db"));
    command.args(arguments).write_stdin(typed).assert()
}

#[test]
fn a_whole_game_is_lost_to_the_program() {
    let database = open(&DIAGONAL);
    let mut random = Random::new(4);
    for _ in 0..20 {
        // White wins in nine plies at most.
        let mut session = session(&database, Human::Black, "");
        let mut said = session.begin().unwrap();
        assert!(
            said.contains("You play Black") && said.contains("White plays b2.\n"),
            "{said}"
        );
        let mut turns = 0;
        while !said.contains("The game is over: White has a line of three, Black has lost.") {
            let words = session.words();
            let all: Vec<_> = words
                .iter()
                .filter(|word| word.contains(char::is_numeric))
                .collect();
            said = say(&mut session, all[random.below(all.len() as u64) as usize]);
            turns += 1;
            assert!(turns <= 4, "{said}");
        }
        assert!(say(&mut session, "a1").contains("the game is over"));
        assert!(say(&mut session, "hint").starts_with("The game is over"));
        assert!(say(&mut session, "turns").starts_with("The game is over"));
        assert!(say(&mut session, "undo").contains("Black to move."));
    }
}

#[test]
fn a_game_can_be_written_beforehand() {
    let drawn = contains("You play both sides.")
        .and(contains("3  ·───·───O\n"))
        .and(contains("In hand: White 1, Black 2\n"))
        .and(contains(
            "The game is over: White has a line of three, Black has lost.\n",
        ));
    let typed = "b2 a1\nc3\nc1 b1 a2\nc3-b3\n";
    play(&DIAGONAL, &["--as", "both"], typed)
        .code(0)
        .stdout(drawn)
        .stderr("");
    // The last turn is the program's, from the position before it. What comes after `quit` is not read.
    let three = Variant::builtin("three-diagonal").unwrap();
    let before = play_moves(&three, &three.start().into(), "b2 a1 c3 c1 b1 a2").unwrap();
    let before = write_position(&three, &before);
    play(
        &DIAGONAL,
        &["--as", "black", "--position", &before],
        "quit\na1\n",
    )
    .code(0)
    .stdout(contains("White plays c3-b3.\n").and(contains("a1:").not()));
}

#[test]
fn what_cannot_be_typed_is_said_and_changes_nothing() {
    let database = open(&SIX);
    let mut session = session(&database, Human::White, "");
    session.begin().unwrap();
    let start = position(&database, &mut session);
    for (line, said) in [
        (
            "zz",
            "`zz`: the board has no point `zz`; `help` lists the commands.\n",
        ),
        ("a1-", "`a1-`: not a turn; turns look like d6"),
        ("a1-c1", "`a1-c1`: White has 6 men in hand"),
        ("xa1", "`xa1`: there is nothing to take a1 for.\n"),
        ("value", "It is `value on` or `value off`.\n"),
        ("hint please", "`hint` stands alone.\n"),
        ("undo", "There is nothing to take back.\n"),
        ("", ""),
    ] {
        let text = say(&mut session, line);
        assert!(
            text.starts_with(said) && text.lines().count() <= 1,
            "{line}: {text}"
        );
        assert_eq!(position(&database, &mut session), start, "{line}");
    }
    let text = say(&mut session, "a1 a1 c1");
    assert!(
        text.contains("`a1`: a1 is occupied by White.\n") && text.contains("to move."),
        "{text}"
    );
    let now = position(&database, &mut session).position;
    assert_eq!((now.mover.count_ones(), now.opponent.count_ones()), (1, 1));
}

#[test]
fn a_mill_may_take_its_man_on_the_next_line() {
    let database = open(&SIX);
    let mut session = session(&database, Human::White, "a1 b2 c1 c2");
    let begun = say(&mut session, "e1");
    assert!(
        begun.contains("White takes a man, one of xb2 xc2.\n"),
        "{begun}"
    );
    assert!(!begun.contains("plays"), "{begun}");
    assert_eq!(session.words()[..2], ["xb2", "xc2"]);
    assert_eq!(say(&mut session, "turns"), "xb2 xc2\n");
    assert!(say(&mut session, "hint").starts_with("Best is x"));
    let refused = say(&mut session, "d2");
    assert!(
        refused.contains("a man must be taken: one of b2 c2"),
        "{refused}"
    );
    let taken = say(&mut session, "xc2");
    assert!(
        taken.starts_with("Black plays ") && taken.contains("White to move."),
        "{taken}"
    );
    let undone = say(&mut session, "undo");
    assert!(undone.starts_with("Taken back: e1 xc2 "), "{undone}");
    // In one line, and in numbers, it is the same.
    for typed in ["e1xc2", "e1 xc2", "16 x12"] {
        assert!(
            say(&mut session, typed).contains("In hand: White 3, Black 3"),
            "{typed}"
        );
        say(&mut session, "undo");
    }
    assert_eq!(
        say(&mut session, "undo"),
        "There is nothing to take back.\n"
    );
}

#[test]
fn hints_and_values_are_those_of_the_database() {
    let database = open(&SIX);
    let variant = database.variant();
    let prober = Prober::new(&database);
    let mut random = Random::new(8);
    let mut kinds = [0; 3];
    while kinds.iter().any(|kind| *kind < 5) {
        let mut now = variant.start();
        for _ in 0..random.below(30) {
            let turns = variant.turns(&now);
            if let Some(turn) = turns.get(random.below(turns.len() as u64) as usize) {
                now = variant.play(&now, turn);
            }
        }
        let Some(best) = prober.ranked(&now, 0).unwrap().first().copied() else {
            continue;
        };
        let probed = best.answer.known().unwrap();
        kinds[probed.outcome as usize] += 1;
        let mut session = Session::new(&database, Human::Both, now.into(), Ties::First, 0);
        let sides = match now.side {
            Side::White => ["White", "Black"],
            Side::Black => ["Black", "White"],
        };
        let plies = match probed.plies.unwrap_or(0) {
            1 => "1 ply".to_owned(),
            plies => format!("{plies} plies"),
        };
        let verdict = match probed.outcome {
            Outcome::Win => format!("{} wins in {plies}", sides[0]),
            Outcome::Draw => "a draw".to_owned(),
            Outcome::Loss => format!("{} wins in {plies}", sides[1]),
        };
        let turn = write_choice(&variant.board, best.choice);
        assert_eq!(
            say(&mut session, "hint"),
            format!("Best is {turn}: {verdict}.\n")
        );
        assert_eq!(
            say(&mut session, "value on"),
            format!("{} to move: {verdict}.\n", sides[0])
        );
        let list = say(&mut session, "turns");
        assert_eq!(list.lines().count(), variant.turns(&now).len());
        let first: Vec<_> = list.lines().next().unwrap().split_whitespace().collect();
        assert_eq!(
            first[..2],
            [turn.as_str(), probed.outcome.to_string().as_str()],
            "{list}"
        );
        assert_eq!(
            say(&mut session, "value off"),
            format!("{} to move.\n", sides[0])
        );
        let all = say(&mut session, "turns");
        assert_eq!(all.split_whitespace().count(), variant.turns(&now).len());
    }
}

#[test]
fn the_program_never_gives_a_draw_away() {
    let database = open(&SIX);
    let (variant, prober) = (database.variant(), Prober::new(&database));
    let mut random = Random::new(3);
    let (mut won, games) = (0, 10);
    for _ in 0..games {
        let mut session = session(&database, Human::White, "");
        for _ in 0..40 {
            let words = session.words();
            let all: Vec<_> = words
                .iter()
                .filter(|word| word.contains(char::is_numeric))
                .collect();
            let Some(turn) = all.get(random.below(all.len() as u64) as usize) else {
                break;
            };
            let said = say(&mut session, turn);
            let now = position(&database, &mut session);
            let value = prober.value(&now.position, now.removals_due).unwrap();
            assert_ne!(value.known().unwrap().outcome, Outcome::Win, "{said}");
            if let Some(outcome) = variant.ending(&now.position) {
                assert!(said.contains("The game is over: "), "{said}");
                won += usize::from(outcome == Outcome::Loss);
                break;
            }
        }
    }
    assert!(won > games / 2, "{won}");
}

#[test]
fn a_missing_sector_makes_things_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let (database, db) = (open(&SIX), folder.path().join("db"));
    pack(&database, &db, &PackOptions::default(), &|_| {}, &|_| {}).unwrap();
    for entry in std::fs::read_dir(&db).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("0_1_6_5") || name.starts_with("1_1_5_5") {
            std::fs::remove_file(&path).unwrap();
        }
    }
    let typed = "hint\nvalue on\nc4\nhint\nquit\n";
    let lines = [
        r"Perhaps [a-e][1-5]: unknown, the database lacks sector 0-1\+6-5\.",
        // What is stored is known all the same.
        r"White to move: a draw\.",
        r"Black plays [a-e][1-5]: unknown, the database lacks sector 1-1\+5-5\.",
        r"White to move: unknown, the database lacks sector 1-1\+5-5\.",
        r"Best is [a-e][1-5]: a draw\.",
    ];
    let dialogue = predicate::str::is_match(format!("(?s){}", lines.join("\n.*"))).unwrap();
    play(&folder, &[], typed)
        .code(0)
        .stderr("")
        .stdout(dialogue);
}

#[test]
fn mistakes_of_the_command_line_are_one_sentence() {
    for (arguments, message) in [
        (&["--position", "nonsense"][..], "at least 12 fields"),
        (
            &["--position", "O**/***/*** w p p 1 2 0 3 0 0 0 1"],
            "field 6",
        ),
        (&["--as", "green"], "invalid value 'green'"),
    ] {
        play(&DIAGONAL, arguments, "")
            .code(2)
            .stdout("")
            .stderr(contains(message));
    }
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("millbase"));
    command.args(["play", "--db"]).arg(Path::new("nowhere"));
    command.assert().code(2).stderr(contains("nowhere"));
}

#[test]
fn undo_gives_back_the_position_before() {
    let database = open(&SIX);
    let mut session = session(&database, Human::White, "");
    session.begin().unwrap();
    let mut before = Vec::new();
    for _ in 0..6 {
        before.push(position(&database, &mut session));
        let turn = session.words()[0].clone();
        say(&mut session, &turn);
    }
    while let Some(expected) = before.pop() {
        let said = say(&mut session, "undo");
        assert!(said.starts_with("Taken back: "), "{said}");
        assert_eq!(position(&database, &mut session), expected);
    }
    assert_eq!(
        say(&mut session, "undo"),
        "There is nothing to take back.\n"
    );
    say(&mut session, "a1 a3");
    let new = say(&mut session, "new");
    assert!(
        new.contains("In hand: White 6, Black 6\nWhite to move."),
        "{new}"
    );
    let text = write_position(database.variant(), &database.variant().start().into());
    assert_eq!(say(&mut session, "fen"), text + "\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_line_ends_the_game_but_quit(
        text in "((a1|b2|c3|a2|b1|xb2|hint|undo|turns|value|on|off|new|fen|help|pass|5|.)[ \n]){0,30}"
    ) {
        let database = open(&DIAGONAL);
        let mut out = Vec::new();
        let mut session = session(&database, Human::White, "");
        serve(&mut session, format!("{text}\nnew\nfen\n").as_bytes(), &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        prop_assert!(out.ends_with("***/***/*** w p p 0 3 0 3 0 0 -1 -1 -1 -1 0 0 1 ids:nodes\n"), "{out}");
    }
}
