//! The player of the UCI dialect: what it answers, and that it keeps what it has.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use millbase::database::{Database, PackOptions, pack};
use millbase::game::{Choice, PointSet, Position, Side, Variant};
use millbase::notation::{ReadPosition, play_moves, write_choice, write_position, write_turn};
use millbase::probe::{Chooser, Prober, Ties};
use millbase::random::Random;
use millbase::solve::{Silent, SolveOptions, solve};
use millbase::uci::{Session, serve};
use millbase::value::Outcome;
use proptest::prelude::*;
use tempfile::TempDir;

/// A solved game in a folder that lives as long as the tests.
struct Solved {
    _folder: TempDir,
    dir: PathBuf,
    database: Database,
}

fn solved(variant: &Variant, options: &SolveOptions) -> Solved {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("db");
    solve(variant, &dir, options, &Silent).unwrap();
    let database = Database::open(&dir).unwrap();
    Solved {
        _folder: folder,
        dir,
        database,
    }
}

fn variant(id: &str) -> Variant {
    Variant::builtin(id).expect("a built-in variant")
}

static SIX: LazyLock<Solved> = LazyLock::new(|| solved(&variant("six"), &SolveOptions::default()));
static DIAGONAL: LazyLock<Solved> =
    LazyLock::new(|| solved(&variant("three-diagonal"), &SolveOptions::default()));

/// Five men a side on the board of six, where two mills take two men.
static DOUBLE: LazyLock<Solved> = LazyLock::new(|| {
    let mut game = variant("six");
    game.id = "double".to_owned();
    game.rules.men = 5;
    game.rules.captures_per_double_mill = 2;
    solved(&game, &SolveOptions::default())
});

fn session(solved: &Solved) -> Session<'_> {
    Session::new(&solved.database, Ties::default(), 0)
}

/// All lines that are answered to these.
fn dialogue(session: &mut Session, lines: &[&str]) -> Vec<String> {
    let answers = lines.iter().map(|line| session.answer(line).lines);
    answers.flatten().collect()
}

/// The action that a position is answered with, and what is said before it.
fn go(session: &mut Session, position: &str) -> (Vec<String>, String) {
    let mut lines = dialogue(session, &[&format!("position {position}"), "go"]);
    let last = lines.pop().unwrap();
    let action = last.strip_prefix("bestmove ").expect(&last).to_owned();
    (lines, action)
}

#[test]
fn options_are_told_and_can_be_set() {
    let mut session = session(&DIAGONAL);
    let told = dialogue(&mut session, &["uci", "isready"]);
    let version = concat!("id name millbase ", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        told,
        [
            version,
            "id author the millbase authors",
            "option name Ties type combo default fewest-drawing var fewest-drawing var first var random",
            "option name Seed type spin default 0 min 0 max 2147483647",
            "uciok",
            "readyok"
        ]
    );
    let set = [
        "setoption name ties value random",
        "setoption name Seed value 7",
    ];
    assert!(dialogue(&mut session, &set).is_empty());
    let told = dialogue(&mut session, &["uci"]).join("\n");
    assert!(told.contains("Ties type combo default random ") && told.contains("default 7 min"));
    for (line, said) in [
        ("setoption name Ties value most", "not `most`"),
        ("setoption name Seed value -1", "not `-1`"),
        (
            "setoption name Seed value 2147483648",
            "from 0 to 2147483647",
        ),
        ("setoption name Hash value 64", "no option `Hash`"),
        ("setoption Ties first", "setoption name NAME value VALUE"),
    ] {
        let answer = dialogue(&mut session, &[line]).join("\n");
        let error = answer.starts_with("info string error ") && answer.contains(said);
        assert!(error, "{line}: {answer}");
    }
}

#[test]
fn options_decide_between_equal_turns() {
    let mut session = session(&SIX);
    let first = Prober::new(&SIX.database);
    let first = first.ranked(&SIX.database.variant().start(), 0).unwrap()[0];
    let label = write_choice(&SIX.database.variant().board, first.choice);
    dialogue(&mut session, &["setoption name Ties value first"]);
    assert_eq!(go(&mut session, "startpos").1, label);
    dialogue(&mut session, &["setoption name Ties value random"]);
    let mut drawn = |seed: u32| {
        dialogue(
            &mut session,
            &[&format!("setoption name Seed value {seed}")],
        );
        (0..8)
            .map(|_| go(&mut session, "startpos").1)
            .collect::<Vec<_>>()
    };
    let again = drawn(1);
    assert_ne!(again, drawn(2));
    assert_eq!(again, drawn(1));
}

#[test]
fn a_mill_takes_two_questions() {
    let six = SIX.database.variant();
    let prober = Prober::new(&SIX.database);
    let mut session = Session::new(&SIX.database, Ties::First, 0);
    let mut random = Random::new(5);
    let mut mills = 0;
    while mills < 20 {
        let now = random_position(six, &mut random, 14);
        let best = prober.ranked(&now, 0).unwrap();
        let takes = |choice| matches!(choice, Choice::Turn(turn) if turn.removed != 0);
        let Some(best) = best.first().filter(|best| takes(best.choice)) else {
            continue;
        };
        let text = write_position(six, &now.into());
        let (value, step) = go(&mut session, &format!("fen {text}"));
        // Another turn that is worth the same may take nothing.
        let after = play_moves(six, &now.into(), &step).unwrap();
        if after.removals_due == 0 {
            continue;
        }
        let (same, taken) = go(&mut session, &format!("fen {text} moves {step}"));
        assert_eq!(value, same, "{text}");
        assert!(
            taken.starts_with('x') && !step.contains('x'),
            "{step} {taken}"
        );
        let whole = play_moves(six, &now.into(), &format!("{step}{taken}")).unwrap();
        let worth = prober.value(&whole.position, 0).unwrap().before();
        assert_eq!(worth, best.answer, "{text}: {step} {taken}");
        let both = go(&mut session, &format!("fen {text} moves {step} {taken}"));
        assert_eq!(
            both,
            go(&mut session, &format!("fen {text} moves {step}{taken}"))
        );
        mills += 1;
    }
}

#[test]
fn what_is_wrong_with_a_position_is_said_and_there_is_none_then() {
    let mut session = session(&SIX);
    for (line, said) in [
        ("position startpos moves c5 c5", "move `c5` at character 4"),
        ("position startpos moves c5 zz", "no point `zz`"),
        (
            "position fen ********/******** w p p 0 6 0",
            "at least 12 fields",
        ),
        (
            "position fen ********/******** w p p 0 6 0 7 0 0 0 1",
            "field 8",
        ),
        ("position fen start c5", "at least 12 fields"),
        ("position", "begins `startpos` or `fen`"),
    ] {
        let answer = dialogue(&mut session, &["position startpos", line]).join("\n");
        assert!(
            answer.starts_with("info string error ") && answer.contains(said),
            "{answer}"
        );
        let answer = dialogue(&mut session, &["go"]);
        assert_eq!(answer.last().unwrap(), "bestmove none", "{line}");
        assert!(answer[0].contains("the last one was refused"), "{answer:?}");
    }
    let new = dialogue(&mut session, &["ucinewgame", "go"]);
    assert_eq!(new[0], "info string value draw");
    assert_ne!(new[1], "bestmove none");
    // Other mistakes leave the position alone.
    let said = dialogue(&mut session, &["d", "setoption", "go"]);
    assert!(
        said[0].contains("unknown command `d`") && said[3] != "bestmove none",
        "{said:?}"
    );
}

#[test]
fn stop_brings_the_answer_that_waits() {
    let mut session = session(&DIAGONAL);
    let lines = dialogue(&mut session, &["stop", "position startpos", "go infinite"]);
    assert_eq!(lines, ["info string value win plies 9"]);
    assert_eq!(dialogue(&mut session, &["isready"]), ["readyok"]);
    assert_eq!(dialogue(&mut session, &["stop"]), ["bestmove b2"]);
    assert!(dialogue(&mut session, &["stop"]).is_empty());
    let forgotten = ["go infinite", "position startpos moves b2", "stop"];
    assert_eq!(dialogue(&mut session, &forgotten).len(), 1);
    let quit = session.answer("quit");
    assert!(quit.ends && quit.lines.is_empty());
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let (said, action) = go(
        &mut session(&DIAGONAL),
        "startpos moves b2 a1 c3 c1 b1 a2 c3-b3",
    );
    assert_eq!(
        (said.join(""), action.as_str()),
        ("info string value loss plies 0".to_owned(), "none")
    );
}

fn random_position(variant: &Variant, random: &mut Random, most: u64) -> Position {
    let mut now = variant.start();
    for _ in 0..random.below(most) {
        let turns = variant.turns(&now);
        let Some(turn) = turns.get(random.below(turns.len() as u64) as usize) else {
            break;
        };
        now = variant.play(&now, turn);
    }
    now
}

/// Plays a game against a random player, every action asked for by itself, and checks at each turn of the player
/// that the position is worth no less than it was, and a win always one turn less. Returns whether he won.
fn game(solved: &Solved, session: &mut Session, random: &mut Random) -> bool {
    let (variant, prober) = (solved.database.variant(), Prober::new(&solved.database));
    let start = random_position(variant, random, 8);
    let side = start.side;
    let text = write_position(variant, &start.into());
    let (mut moves, mut now) = (String::new(), ReadPosition::from(start));
    let mut held = (Outcome::Loss, u16::MAX);
    for _ in 0..200 {
        if now.position.side == side {
            let worth = prober.value(&now.position, now.removals_due).unwrap();
            let worth = worth.known().unwrap();
            let has = (worth.outcome, worth.plies.unwrap_or(0));
            let kept = match held {
                (Outcome::Win, plies) => has.0 == Outcome::Win && has.1 <= plies,
                (outcome, _) => has.0 >= outcome,
            };
            assert!(kept, "{text} {moves}: {has:?} after {held:?}");
            let (said, action) = go(session, &format!("fen {text} moves {moves}"));
            let said = said.join("\n");
            assert!(
                said.starts_with(&format!("info string value {}", has.0)),
                "{said}"
            );
            assert_eq!(
                has.0 != Outcome::Draw,
                said.ends_with(&format!(" plies {}", has.1))
            );
            if action == "none" {
                return has.0 == Outcome::Win;
            }
            moves += &format!(" {action}");
            // Inside a turn its plies still count.
            held = (has.0, has.1);
        } else {
            let turns = variant.turns(&now.position);
            let Some(turn) = turns.get(random.below(turns.len() as u64) as usize) else {
                return variant.ending(&now.position) == Some(Outcome::Loss);
            };
            moves += &format!(" {}", write_turn(&variant.board, turn));
            held.1 = held.1.saturating_sub(2);
        }
        now = play_moves(variant, &start.into(), &moves).unwrap();
    }
    assert_ne!(
        held.0,
        Outcome::Win,
        "no stored win is that long: {text} {moves}"
    );
    false
}

#[test]
fn nothing_held_is_given_away_in_games() {
    let mut random = Random::new(11);
    for (solved, games) in [(&*SIX, 12), (&*DIAGONAL, 40), (&*DOUBLE, 12)] {
        for ties in Ties::ALL {
            let mut session = Session::new(&solved.database, ties, 3);
            let won = (0..games).filter(|_| game(solved, &mut session, &mut random));
            assert!(won.count() > games / 4, "{ties}");
        }
    }
}

/// The men on these points.
fn men(variant: &Variant, labels: &str) -> PointSet {
    let point = |label| variant.board.point(label).expect("a point");
    labels
        .split(' ')
        .fold(0, |men, label| men | 1 << point(label))
}

#[test]
fn men_are_taken_in_a_legal_order() {
    let variant = DOUBLE.database.variant();
    // White closed two mills by d4. Black's men stand in a mill but for that on a5, which has to go first.
    let inside = ReadPosition {
        position: Position {
            mover: men(variant, "d2 d3 d4 c4 b4"),
            opponent: men(variant, "a1 c1 e1 a5"),
            mover_hand: 0,
            opponent_hand: 1,
            side: Side::White,
        },
        removals_due: 2,
    };
    let (a1, a5) = (men(variant, "a1"), men(variant, "a5"));
    let order = variant.removal_order(&inside.position, a1 | a5);
    let order: Vec<_> = order.iter().map(|x| 1 << x).collect();
    assert_eq!(order, [a5, a1]);
    assert!(play_moves(variant, &inside, "xa1 xa5").is_err());
    let mut session = session(&DOUBLE);
    let text = write_position(variant, &inside);
    let (value, first) = go(&mut session, &format!("fen {text}"));
    assert_eq!(first, "xa5");
    let (rest, second) = go(&mut session, &format!("fen {text} moves xa5"));
    assert_eq!(value, rest);
    let both = play_moves(variant, &inside, &format!("xa5 {second}")).unwrap();
    assert_eq!((both.removals_due, both.position.side), (0, Side::Black));
}

#[test]
fn every_pair_of_men_can_be_taken_one_by_one() {
    let variant = DOUBLE.database.variant();
    let (mut random, mut pairs) = (Random::new(2), 0);
    while pairs < 300 {
        let now = random_position(variant, &mut random, 24);
        for turn in variant.turns(&now) {
            let Some(to) = turn.to.filter(|_| turn.removed.count_ones() == 2) else {
                continue;
            };
            pairs += 1;
            let inside = ReadPosition {
                position: variant.step(&now, turn.from, to),
                removals_due: 2,
            };
            let order = variant.removal_order(&inside.position, turn.removed);
            let names = order
                .iter()
                .map(|&x| format!("x{}", variant.board.label(x.into())));
            let one_by_one = names.collect::<Vec<_>>().join(" ");
            let after = variant.take(&inside.position, turn.removed);
            assert_eq!(play_moves(variant, &inside, &one_by_one), Ok(after.into()));
        }
    }
}

/// How many of the opponent's turns keep what he has, and how many there are.
fn replies(prober: &Prober, position: &Position, outcome: Outcome) -> (usize, usize) {
    let ranked = prober.ranked(position, 0).unwrap();
    let kept = ranked
        .iter()
        .filter(|reply| reply.answer.known().unwrap().outcome == outcome);
    (kept.count(), ranked.len())
}

#[test]
fn drawing_turns_leave_the_fewest_drawing_turns() {
    let (variant, prober) = (SIX.database.variant(), Prober::new(&SIX.database));
    let mut chooser = Chooser::new(&SIX.database, Ties::FewestDrawing, 1);
    let mut random = Random::new(6);
    let (mut better, mut lost) = (0, 0);
    for _ in 0..400 {
        let now = random_position(variant, &mut random, 30);
        let ranked = prober.ranked(&now, 0).unwrap();
        let Some(best) = ranked.first().map(|best| best.answer) else {
            continue;
        };
        let outcome = best.known().unwrap().outcome;
        if outcome == Outcome::Win {
            continue;
        }
        lost += usize::from(outcome == Outcome::Loss);
        let difficulty = |choice| {
            let after = variant.after(&now, choice);
            let (kept, all) = replies(&prober, &after, outcome.reversed());
            (kept == all, kept, all)
        };
        let equals = ranked.iter().filter(|turn| turn.answer == best);
        let all: Vec<_> = equals.map(|turn| difficulty(turn.choice)).collect();
        let chosen = chooser.choose(&now, 0).unwrap().unwrap();
        assert_eq!(chosen.answer, best);
        let chosen = difficulty(chosen.choice);
        let hardest = all.iter().map(|&(none, kept, _)| (none, kept)).min();
        assert_eq!(Some((chosen.0, chosen.1)), hardest);
        let alike = all
            .iter()
            .filter(|turn| (turn.0, turn.1) == (chosen.0, chosen.1));
        assert_eq!(Some(chosen.2), alike.map(|turn| turn.2).max());
        better += usize::from(all[0] != chosen);
    }
    assert!(better > 50 && lost > 5, "{better}, {lost}");
}

/// A copy of a database without some of its files.
fn without(solved: &Solved, files: impl Fn(&str) -> bool) -> (TempDir, Database) {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(&solved.dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_file() && !files(&name) {
            fs::copy(&path, copy.path().join(name)).unwrap();
        }
    }
    let database = Database::open(copy.path()).unwrap();
    (copy, database)
}

/// The packed form of a database, of which files may be missing.
fn packed(solved: &Solved) -> Solved {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("packed");
    let options = PackOptions::default();
    pack(&solved.database, &dir, &options, &|_| {}, &|_| {}).unwrap();
    let database = Database::open(&dir).unwrap();
    Solved {
        _folder: folder,
        dir,
        database,
    }
}

#[test]
fn what_is_not_known_is_said_and_a_legal_action_comes() {
    let packed = packed(&SIX);
    let (_folder, database) = without(&packed, |name| name.starts_with("0_1_6_5"));
    let mut session = Session::new(&database, Ties::default(), 0);
    let (said, action) = go(&mut session, "startpos");
    assert_eq!(
        said,
        [
            "info string value draw",
            "info string turn unknown missing 0-1+6-5"
        ]
    );
    assert!(
        database.variant().board.point(&action).is_some(),
        "{action}"
    );
    let (said, _) = go(&mut session, "startpos moves c5");
    assert!(
        said[0].starts_with("info string value unknown missing 0-1+6-5"),
        "{said:?}"
    );
}

#[test]
fn a_damaged_file_is_said_and_a_legal_action_comes() {
    let (folder, database) = without(&SIX, |_| false);
    let file = folder.path().join("0_1_6_5.sector");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xa5);
    fs::write(&file, bytes).unwrap();
    let mut session = Session::new(&database, Ties::default(), 0);
    let (said, action) = go(&mut session, "startpos");
    assert!(
        said[0].starts_with("info string error ") && said[0].contains("0_1_6_5"),
        "{said:?}"
    );
    assert!(
        database.variant().board.point(&action).is_some(),
        "{action}"
    );
}

#[test]
fn without_distances_wins_are_kept() {
    let options = SolveOptions {
        values_only: true,
        ..SolveOptions::default()
    };
    let values = solved(&variant("three-diagonal"), &options);
    let mut session = session(&values);
    let (said, action) = go(&mut session, "startpos");
    assert_eq!(
        (said.join(""), action.as_str()),
        ("info string value win".to_owned(), "b2")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_line_ends_the_dialogue_but_quit(
        text in "((position|go|fen|startpos|moves|setoption|name|value|Ties|Seed|uci|stop|b2|a1|c3|xb2|w|0|\\*|/|.)[ \n]){0,40}"
    ) {
        let mut session = session(&DIAGONAL);
        let mut out = Vec::new();
        serve(&mut session, format!("{text}\nisready\n").as_bytes(), &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        prop_assert!(out.ends_with("readyok\n"), "{out}");
    }
}

fn program(db: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("millbase"));
    command.arg("uci").arg("--db").arg(db);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

#[test]
fn the_program_answers_line_by_line() {
    let mut child = program(&DIAGONAL.dir).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(b"\xff\xfe nonsense\n").unwrap();
    let line = output.next().unwrap().unwrap();
    assert!(
        line.starts_with("info string error unknown command"),
        "{line}"
    );
    let long = format!("position startpos moves {}\n", "b2 ".repeat(30_000));
    input.write_all(long.as_bytes()).unwrap();
    let line = output.next().unwrap().unwrap();
    assert_eq!(line, "info string error a command has at most 65536 bytes");
    // The position before it is not the one that was meant.
    input.write_all(b"go\n").unwrap();
    let mut said = output.by_ref().take(2).map(Result::unwrap);
    assert!(said.next().unwrap().contains("the last one was refused"));
    assert_eq!(said.next().unwrap(), "bestmove none");
    for _ in 0..2 {
        input.write_all(b"position startpos\ngo depth 5\n").unwrap();
        assert_eq!(
            output.next().unwrap().unwrap(),
            "info string value win plies 9"
        );
        assert_eq!(output.next().unwrap().unwrap(), "bestmove b2");
    }
    input.write_all(b"quit\n").unwrap();
    assert!(output.next().is_none() && child.wait().unwrap().success());

    let mut child = program(&DIAGONAL.dir)
        .args(["--ties", "random", "--seed", "4"])
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"uci").unwrap();
    let out = child.wait_with_output().unwrap();
    let told = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && told.contains("default random") && told.contains("default 4"));
}
