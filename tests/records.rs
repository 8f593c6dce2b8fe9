//! Whole games as texts.

use millbase::game::{Choice, Position, Variant, points};
use millbase::notation::{
    GameRecord, Notation, Note, Played, RecordedTurn, Style, play_moves, read_position,
    read_records, write_list, write_pgn,
};
use millbase::random::Random;
use millbase::value::{Outcome, Value};
use proptest::prelude::*;

fn variant(id: &str) -> Variant {
    Variant::builtin(id).expect("a built-in variant")
}

fn only(variant: &Variant, text: &str) -> GameRecord {
    let games = read_records(variant, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(games.len(), 1, "{text}");
    games.into_iter().next().unwrap()
}

/// A random game of at most so many turns.
fn game(variant: &Variant, random: &mut Random, most: usize) -> GameRecord {
    let mut now = variant.start();
    let mut turns = Vec::new();
    while turns.len() < most {
        let all = variant.turns(&now);
        let Some(turn) = all.get(random.below(all.len() as u64) as usize) else {
            break;
        };
        let choice = Choice::Turn(*turn);
        let played = Played {
            before: now.into(),
            choice,
        };
        turns.push(RecordedTurn {
            played,
            remark: String::new(),
        });
        now = variant.after(&now, choice);
    }
    GameRecord::new(variant.start().into(), turns)
}

#[test]
fn games_survive_being_written_in_every_form() {
    let mut random = Random::new(3);
    for id in ["nine", "doc3-classic", "lasker", "six", "three", "rota"] {
        let variant = variant(id);
        for _ in 0..50 {
            let game = game(&variant, &mut random, 80);
            for style in Style::ALL {
                for numbered in [true, false] {
                    let text = write_list(&variant, &game, style, numbered);
                    let read = only(&variant, &text);
                    assert_eq!(read.turns, game.turns, "{text}");
                    assert_eq!(read.style, style);
                }
            }
            let pgn = write_pgn(&variant, &game, &[]);
            assert_eq!(only(&variant, &pgn).turns, game.turns, "{pgn}");
            assert!(pgn.lines().all(|line| line.len() <= 80), "{pgn}");
        }
    }
}

#[test]
fn a_pgn_is_read_with_all_that_may_stand_in_it() {
    let nine = variant("nine");
    let text = r#"
[Event "Club \"Mill\""]
[White "Anna"]
[Black "Bert"]
[Result "1/2-1/2"]

{a remark first} 1. d6 $1 f4! {good (really; yes)} (1... d2 2. b4 {no)} (2. f2)) 2.b4!$3$10 ; the rest of the line
2... g4?! 3. e4 f6 % not a remark
4. d2 1/2-1/2

[White "Bert"]
1. a1 d1 *
"#;
    // A percent sign has to begin its line.
    let error = read_records(&nine, text).unwrap_err();
    assert_eq!((error.line, error.character), (8, 20), "{error}");
    let text = text.replace("% not a remark", "");
    let games = read_records(&nine, &text).unwrap();
    assert_eq!(games.len(), 2);
    let [first, second] = &games[..] else {
        unreachable!()
    };
    assert_eq!(first.tag("Event"), Some("Club \"Mill\""));
    assert_eq!(first.tag("White"), Some("Anna"));
    assert_eq!(first.result.as_deref(), Some("1/2-1/2"));
    assert_eq!(first.remark, "a remark first");
    assert_eq!(first.turns[1].remark, "good (really; yes)");
    assert_eq!(first.turns[2].remark, "the rest of the line");
    let end = play_moves(&nine, &nine.start().into(), "d6 f4 b4 g4 e4 f6 d2").unwrap();
    assert_eq!(first.end(&nine), end);
    assert_eq!((second.turns.len(), second.tag("White")), (2, Some("Bert")));

    let written = write_pgn(&nine, first, &[]);
    let again = only(&nine, &written);
    assert_eq!((&again.turns, &again.remark), (&first.turns, &first.remark));
    assert_eq!(again.tag("Event"), Some("Club \"Mill\""));
    assert!(written.contains("[PlyCount \"7\"]"), "{written}");
    assert!(written.contains("[Variant \"nine\"]"), "{written}");
}

#[test]
fn messages_quote_the_beginning_of_a_long_word_and_then_say_what_is_wrong() {
    let nine = variant("nine");
    let long = "y".repeat(100_000);
    let position = format!("********/********/******** {long} p p 0 9 0 9 0 0 0 1");
    let mfen = format!("MFEN/1.0 mill24-state-v1 ......../......../........ w p p {long} - 0 0 -");
    for (said, why) in [
        (
            read_records(&nine, &long).unwrap_err().to_string(),
            "no point",
        ),
        (
            play_moves(&nine, &nine.start().into(), &format!("d6 -{long}"))
                .unwrap_err()
                .to_string(),
            "not a turn",
        ),
        (
            read_position(&nine, &position).unwrap_err().to_string(),
            "neither w nor b",
        ),
        (
            read_position(&nine, &mfen).unwrap_err().to_string(),
            "two numbers",
        ),
    ] {
        assert!(said.contains("yyy…`") && said.contains(why), "{said}");
        assert!(said.chars().count() < 300, "{said}");
    }
}

#[test]
fn a_game_may_begin_anywhere_and_inside_a_turn() {
    let nine = variant("nine");
    let fen = "O*******/O*******/O*@***@* w p r 3 6 2 7 1 0 -1 -1 -1 -1 0 0 1 ids:nodes";
    for moves in ["1. xg4 b4 2. b6", "-(3,3) (2,7) (2,8)", "x15 11 4"] {
        let game = only(&nine, &format!("[FEN \"{fen}\"]\n{moves}\n"));
        assert_eq!(game.start, read_position(&nine, fen).unwrap());
        assert!(matches!(game.turns[0].played.choice, Choice::Removal(_)));
        let written = write_pgn(&nine, &game, &[]);
        assert!(
            written.contains("[SetUp \"1\"]") && written.contains(fen),
            "{written}"
        );
        assert_eq!(only(&nine, &written).turns, game.turns);
    }
    let black = "********/@***O***/******** b p p 1 8 1 8 0 0 -1 -1 -1 -1 0 0 2 ids:nodes";
    let black = black
        .replace("b p p 1 8 1 8", "b p p 1 8 0 9")
        .replace('@', "*");
    let game = only(&nine, &format!("[FEN \"{black}\"]\n1... d6 2. b4"));
    let written = write_pgn(&nine, &game, &[]);
    assert!(written.contains("1... d6 2. b4 *"), "{written}");
}

#[test]
fn notes_stand_after_their_turns() {
    let nine = variant("nine");
    let mut game = only(&nine, "d6 {first} f4 b4");
    game.tags.push(("Round".to_owned(), "3".to_owned()));
    let notes = [
        Note::default(),
        Note {
            glyph: Some(4),
            text: "loses {in} 5".to_owned(),
        },
    ];
    let written = write_pgn(&nine, &game, &notes);
    assert!(
        written.contains("1. d6 {first} f4 $4 {loses in 5} 2. b4 *"),
        "{written}"
    );
    assert!(written.contains("[Round \"3\"]"));
    assert_eq!(only(&nine, &written).turns[1].remark, "loses in 5");
}

#[test]
fn a_remark_may_hold_lines_like_those_of_a_table() {
    let nine = variant("nine");
    let turns = |text: &str| only(&nine, text).turns;
    let plain = turns("d6 f4 b4");
    for text in [
        "1. d6 {either\n| this | or |\n  | that |} f4 2. b4",
        "1. d6 {one} f4 {two\n|three\n} 2. b4",
        "[Event \"{\"]\n1. d6 ; { to the end\nf4 {\n| 5 | 14 |}\n2. b4 ; {",
    ] {
        let read = only(&nine, text);
        let played: Vec<_> = read.turns.iter().map(|turn| turn.played).collect();
        assert!(
            played.iter().eq(plain.iter().map(|turn| &turn.played)),
            "{text}"
        );
    }
    assert_eq!(only(&nine, "d6 {a\n| b}").turns[0].remark, "a\n| b");
    // A table stays one, whatever brackets stand before it or between its rows.
    for text in [
        "See {the book\n| d6 | f4 |\n| b4 |",
        "{see} the book; {there\n| d6 | f4 |\nwhat now {}\n| b4 |",
    ] {
        let read = only(&nine, text);
        let played: Vec<_> = read.turns.iter().map(|turn| turn.played).collect();
        assert!(
            played.iter().eq(plain.iter().map(|turn| &turn.played)),
            "{text}"
        );
    }
    // What is written is broken into lines anywhere.
    let mut game = only(&nine, "d6 f4");
    game.turns[0].remark = "|or ".repeat(60).trim().to_owned();
    let written = write_pgn(&nine, &game, &[]);
    assert!(written.contains("\n|or"), "{written}");
    let again = only(&nine, &written);
    assert_eq!(
        again.turns[0].remark.replace('\n', " "),
        game.turns[0].remark
    );
}

#[test]
fn faults_are_named_with_line_and_character() {
    let nine = variant("nine");
    for (text, line, character, problem) in [
        ("", 1, 1, "no game"),
        ("{only a remark}", 1, 1, "no game"),
        ("1. d6 d6", 1, 7, "move `d6`: d6 is occupied by White"),
        ("1. d6 f4\n2. zz b4", 2, 4, "no point `zz`"),
        ("[White Anna]\nd6", 1, 1, "a tag looks like"),
        ("\n [White \"Anna]\nd6", 2, 2, "a tag looks like"),
        ("d6 {never ends", 1, 4, "`{` is never closed"),
        ("d6 (1. d5 {x} ", 1, 4, "`(` is never closed"),
        (
            "[FEN \"nonsense\"]\nd6",
            1,
            1,
            "the tag FEN: a position text has",
        ),
        ("d6 f4 b6 g4 f6", 1, 13, "a man must be taken: one of g4 f4"),
        (
            "| 5 | 14 |\n| 4 | 15 |\n| 6, 13 | 2 |",
            3,
            6,
            "no man on 13",
        ),
        ("| 5 | 14 (x) |\n| 5 | 15 |", 2, 3, "5 is occupied by White"),
    ] {
        let error = read_records(&nine, text).unwrap_err();
        assert_eq!(
            (error.line, error.character),
            (line, character),
            "{text}: {error}"
        );
        assert!(error.to_string().contains(problem), "{text}: {error}");
    }
}

#[test]
fn the_game_of_the_encyclopedia_is_read_from_its_table() {
    let text = include_str!("../data/games/encyclopedia.txt");
    for id in ["nine", "doc3-classic"] {
        let variant = variant(id);
        let game = only(&variant, text);
        assert_eq!(game.style, Style::Numbers);
        let list = write_list(&variant, &game, Style::Numbers, false);
        assert_eq!(
            list,
            "1 4 24 11 19 5 6 2 8 10 12 7 21 20 14x20 20 15 13 15-3 20-17 14-15x13 17-18 15-14x18 10-22 \
             14-15x22 11-10 19-11 10-22 24-23 22-10 23-24x10"
        );
        assert!(game.turns[11].remark.starts_with("ошибка!"));
        assert_eq!(game.turns[14].remark, "М мельница бьет");
        // White has lost no man, Black has four, none of which can move.
        let end = game.end(&variant).position;
        let names = Notation::new(&variant.board, Style::Labels);
        assert_eq!(names.list(end.mover), "d7 b6 d6 c5");
        assert_eq!(points(end.opponent).count(), 9);
        assert!(variant.is_blocked(&end));
        assert!(write_pgn(&variant, &game, &[]).contains("[Result \"1-0\"]"));
    }
}

/// What a position is worth if the game can be forced to end within so many plies, by the rules alone.
fn forced(variant: &Variant, p: &Position, plies: u16) -> Option<Value> {
    match variant.ending(p) {
        Some(Outcome::Loss) => return Some(Value::Loss(0)),
        Some(_) => return None,
        None if plies == 0 => return None,
        None => {}
    }
    let turns = variant.turns(p);
    let after = turns
        .iter()
        .map(|turn| forced(variant, &variant.play(p, turn), plies - 1));
    let values: Vec<Option<Value>> = after.map(|value| value.map(Value::before)).collect();
    let wins = values.iter().flatten().filter_map(|value| match value {
        Value::Win(plies) => Some(*plies),
        _ => None,
    });
    if let Some(shortest) = wins.min() {
        return Some(Value::Win(shortest));
    }
    let losses: Option<Vec<u16>> = values
        .iter()
        .map(|value| value.and_then(Value::plies))
        .collect();
    losses
        .and_then(|all| all.into_iter().max())
        .map(Value::Loss)
}

#[test]
fn the_published_review_of_the_encyclopedia_is_of_its_game_and_ends_as_the_rules_say() {
    let nine = variant("nine");
    let game = only(&nine, include_str!("../data/games/encyclopedia.txt"));
    let published = include_str!("../data/results/games/encyclopedia-nine.json");
    let published: serde_json::Value = serde_json::from_str(published).unwrap();
    let turns = published["turns"].as_array().unwrap();
    assert_eq!(turns.len(), game.turns.len());
    let labels = Notation::new(&nine.board, Style::Labels);
    for (turn, played) in turns.iter().zip(&game.turns) {
        assert_eq!(turn["move"], labels.write(played.played.choice));
    }
    // The last turns, whose values a search of a few plies finds.
    for (turn, played) in turns.iter().zip(&game.turns).rev().take(6) {
        let before = played.played.before.position;
        let value = forced(&nine, &before, 4);
        let told = (
            turn["before"]["value"].as_str(),
            turn["before"]["plies"].as_u64(),
        );
        let expected = value.map(|value| (value.outcome().to_string(), value.plies()));
        let (outcome, plies) = expected.expect("decided within four plies");
        assert_eq!(
            told,
            (Some(outcome.as_str()), plies.map(u64::from)),
            "{turn}"
        );
    }
    // Black lost the draw with the third turn. The sixth, which the book blames, only loses sooner.
    let changes: Vec<_> = published["changes"].as_array().unwrap().iter().collect();
    assert_eq!(changes.len(), 1);
    assert_eq!(
        (&changes[0]["number"], &changes[0]["move"]),
        (&"3...".into(), &"d6".into())
    );
    assert_eq!(turns[11]["verdict"], "slower");
    assert!(game.turns[11].remark.starts_with("ошибка!"));
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "[\\[\\]{}();|a-g1-9x\",.$%!? \n–é\\\\-]{0,60}") {
        let nine = variant("nine");
        if let Ok(games) = read_records(&nine, &text) {
            for game in games {
                let written = write_pgn(&nine, &game, &[]);
                let again = read_records(&nine, &written);
                prop_assert_eq!(again.map(|all| all[0].turns.len()), Ok(game.turns.len()));
            }
        }
    }
}
