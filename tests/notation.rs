//! Texts of positions and turns, and drawings.

use millbase::game::{Blocked, Placing, Position, Protection, Rules, Side, Turn, Variant};
use millbase::notation::{
    Charset, PositionError, ReadPosition, TurnProblem, draw, play_moves, read_position,
    read_removal, read_turn, write_position, write_removal, write_turn,
};
use proptest::prelude::*;

fn variant(id: &str) -> Variant {
    Variant::builtin(id).expect("a built-in variant")
}

fn nine() -> Variant {
    variant("nine")
}

/// Position texts in the forms that Sanmill writes and has written, old and new.
const GOLDEN: [&str; 6] = [
    "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
    "********/@***O***/******** w p p 1 8 1 8 0 0 -1 -1 -1 -1 0 0 2 ids:nodes",
    "OOO***@*/@**@****/******@* b m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 31 ids:nodes",
    "***O****/OO@*@*@@/@OOO@*O* b m s 7 0 6 0 0 0 -1 -1 -1 -1 0 0 16 ids:nodes",
    "O@O*****/********/******** b p p 2 7 1 8 0 0 0 0 0 0 0 0 1",
    "@*O@O*O*/O*@@O@@@/O@O*@*O* b m s 8 0 9 0 0 0 0 3",
];

fn field_of(error: PositionError) -> (usize, usize, String) {
    match error {
        PositionError::Field {
            field,
            character,
            problem,
            ..
        } => (field, character, problem),
        other => panic!("not about a field: {other}"),
    }
}

#[test]
fn the_start_position_is_that_of_sanmill() {
    let nine = nine();
    let start = ReadPosition::from(nine.start());
    assert_eq!(write_position(&nine, &start), GOLDEN[0]);
    assert_eq!(read_position(&nine, GOLDEN[0]), Ok(start));
    assert_eq!(read_position(&nine, " start "), Ok(start));
}

#[test]
fn men_stand_where_sanmill_has_them() {
    let nine = nine();
    let read = read_position(&nine, GOLDEN[1]).unwrap();
    let p = read.position;
    assert_eq!(nine.board.labels(p.mover), "d2");
    assert_eq!(nine.board.labels(p.opponent), "d6");
    assert_eq!((p.side, p.mover_hand, p.opponent_hand), (Side::White, 8, 8));

    let read = read_position(&nine, GOLDEN[2]).unwrap();
    let p = read.position;
    assert_eq!(nine.board.labels(p.opponent), "d5 e5 e4");
    assert_eq!(nine.board.labels(p.mover), "a4 d6 f2 c4");
    assert_eq!((p.side, read.removals_due), (Side::Black, 0));
}

#[test]
fn twelve_to_seventeen_fields_can_be_read() {
    let nine = nine();
    let words: Vec<&str> = GOLDEN[2].split(' ').collect();
    let whole = read_position(&nine, GOLDEN[2]);
    for count in 12..=17 {
        assert_eq!(read_position(&nine, &words[..count].join(" ")), whole);
    }
    for count in 0..12 {
        let text = words[..count].join(" ");
        let error = read_position(&nine, &text).unwrap_err();
        let (found, least, character) = (count, 12, text.len() + 1);
        let expected = PositionError::Fields {
            found,
            least,
            character,
        };
        assert_eq!(error, expected);
        assert_eq!(error.place(), (count + 1, character));
    }
    let puzzle = GOLDEN[2].replace("m s", "m p");
    assert_eq!(read_position(&nine, &puzzle), whole);
}

#[test]
fn faults_are_named_with_field_and_character() {
    let nine = nine();
    let fault = |text: &str| field_of(read_position(&nine, text).unwrap_err());
    let start = GOLDEN[0];

    let (field, character, problem) = fault(&start.replacen("/*", "/o", 1));
    assert_eq!((field, character), (1, 10));
    assert!(problem.contains("`o` is none of O"), "{problem}");

    let (field, character, _) = fault(&start.replacen("/*", "/", 1));
    assert_eq!((field, character), (1, 10));
    let (field, _, problem) = fault(&start.replace('/', ""));
    assert_eq!(
        (field, problem.as_str()),
        (1, "1 groups instead of 3 (8/8/8)")
    );
    let (field, character, _) = fault(&start.replace(" w ", " x "));
    assert_eq!((field, character), (2, 28));
    assert_eq!(fault(&start.replace("w p p", "w q p")).0, 3);
    assert_eq!(fault(&start.replace("w p p", "w p q")).0, 4);
    assert_eq!(fault(&start.replace("p p 0", "p p 1")).0, 5);
    let (field, _, problem) = fault(&GOLDEN[3].replace("0 6 0", "0 5 0"));
    assert_eq!((field, problem.as_str()), (7, "5, but field 1 shows 6"));
    assert_eq!(fault(&start.replace("0 9 0 9", "0 -1 0 9")).0, 6);
    assert_eq!(fault(&start.replace("0 9 0 9", "0 9 0 ten")).0, 8);
    assert_eq!(fault(&start.replace("0 9 0 9", "0 9 0 10")).0, 8);
    assert_eq!(
        fault(&start.replace("0 9 0 9", "0 9 0 9223372036854775807")).0,
        8
    );
    assert_eq!(fault(&start.replace("9 0 0 -1", "9 0 1 -1")).0, 10);
    assert_eq!(fault(&start.replace("9 0 0 -1", "9 -1 0 -1")).0, 9);
    assert_eq!(fault(&start.replace("9 0 0 -1", "9 2 0 -1")).0, 9);
    assert_eq!(fault(&start.replace("9 0 0 -1", "9 1 0 -1")).0, 9);
    assert_eq!(fault(&start.replace("0 0 1 ids", "0 0 one ids")).0, 17);
    assert_eq!(fault(&start.replace("ids:nodes", "c:w-0-|b-1-9")).0, 18);
    assert_eq!(fault(&start.replace("ids:nodes", "ids:squares")).0, 18);
    let (field, _, problem) = fault(&GOLDEN[1].replace("p p", "m s"));
    assert_eq!(field, 3);
    assert!(problem.contains("8 men in hand"), "{problem}");
}

#[test]
fn numbers_of_men_that_no_game_reaches_are_refused_with_the_reason() {
    let nine = nine();
    let place = |text: &str| read_position(&nine, text).unwrap_err().place();
    let reason = |text: &str| match read_position(&nine, text) {
        Err(PositionError::Impossible { reason, .. }) => reason,
        other => panic!("{text}: {other:?}"),
    };
    let hands = reason("********/********/******** w p p 0 9 0 3 0 0 0 1");
    assert!(hands.contains("place in turn"), "{hands}");
    let few = reason("OO******/@@@*****/******** b m s 2 0 3 0 0 0 0 1");
    assert!(few.contains("White has 2 men"), "{few}");
    let few = reason("O*******/@@@*****/******** w m s 1 0 3 0 0 0 0 1");
    assert!(few.contains("White has 1 man "), "{few}");
    // Nobody has closed a mill after one man each.
    let lost = reason("O*******/********/******** w p p 1 8 0 8 0 0 0 1");
    assert!(lost.contains("Black 0 on the board"), "{lost}");

    // The place is that of a field with such a number.
    for (text, field, character) in [
        ("********/********/******** w p p 0 9 0 3 0 0 0 1", 6, 36),
        ("********/********/******** b p p 0 9 0 3 0 0 0 1", 8, 40),
        ("OO******/@@@*****/******** b m s 2 0 3 0 0 0 0 1", 5, 34),
        ("O*******/********/******** w p p 1 8 0 8 0 0 0 1", 5, 34),
        ("O*******/O*******/*O@***@* w p r 3 6 2 7 1 0 0 1", 9, 42),
        ("O*******/O*******/*O@***@* w p r 3 6 2 7 0 0 0 1", 4, 32),
    ] {
        assert_eq!(place(text), (field, character), "{text}");
    }
    let mfen = |men: &str| place(&format!("MFEN/1.0 mill24-state-v1 {men}"));
    assert_eq!(
        mfen("WW....../BBB...../........ b m m 0,0 - 0 0 -"),
        (3, 26)
    );
    assert_eq!(
        mfen("......../......../........ w p p 9,3 - 0 0 -"),
        (7, 59)
    );
    let no_mill = "W......./W......./.B...B.. w p r 7,7 w:mill:b:b:1:220000:b 0 4 -";
    assert_eq!(mfen(no_mill), (8, 63));

    let three = variant("three");
    let missing = read_position(&three, "OO*/***/@@@ w m s 2 0 3 0 0 0 0 1").unwrap_err();
    assert!(
        missing.to_string().contains("White has 2 of 3"),
        "{missing}"
    );
}

#[test]
fn a_finished_game_can_be_read() {
    let nine = nine();
    let text = "OO******/@@@*****/******** w o ? 2 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
    let read = read_position(&nine, text).unwrap();
    assert!(nine.turns(&read.position).is_empty());
    assert_eq!(write_position(&nine, &read), text);
}

#[test]
fn a_pending_removal_can_be_read_and_taken() {
    let nine = nine();
    // White closed d5 d6 d7, Black has a4 and g4.
    let text = "O*******/O*******/O*@***@* w p r 3 6 2 7 1 0 -1 -1 -1 -1 0 0 1 ids:nodes";
    let read = read_position(&nine, text).unwrap();
    assert_eq!(read.removals_due, 1);
    assert_eq!(write_position(&nine, &read), text);
    // Some programs leave the count at zero.
    let bare = text.replace("7 1 0", "7 0 0");
    assert_eq!(read_position(&nine, &bare), Ok(read));

    let removed = read_removal(&nine, &read, "xg4").unwrap();
    assert_eq!(write_removal(&nine.board, removed), "xg4");
    let next = play_moves(&nine, &read, "xg4 b4").unwrap();
    assert_eq!(next.position.side, Side::White);
    assert_eq!(nine.board.labels(next.position.opponent), "a4 b4");
    let error = read_removal(&nine, &read, "xa1").unwrap_err();
    assert_eq!(
        error.to_string(),
        "move `xa1` at character 1: Black has no man on a1 to be taken"
    );
    let error = play_moves(&nine, &read, " b4").unwrap_err();
    assert_eq!(error.character, 2);
    assert_eq!(error.problem, TurnProblem::RemovalNeeded("a4 g4".into()));
}

#[test]
fn removals_without_a_mill_are_impossible() {
    let nine = nine();
    for (text, part) in [
        (
            "O*******/O*******/*O@***@* w p r 3 6 2 7 1 0 0 1",
            "no mill",
        ),
        (
            "O*******/O*******/O******* w p r 3 6 0 9 1 0 0 1",
            "can be taken",
        ),
    ] {
        let error = read_position(&nine, text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let three = variant("three");
    let error = read_position(&three, "OOO/***/@@* w p r 3 0 2 1 0 0 0 1").unwrap_err();
    assert_eq!(field_of(error).0, 4);
}

#[test]
fn two_removals_need_two_mills_at_one_point() {
    let mut game = nine();
    game.rules.captures_per_double_mill = 2;
    // d6 closes d5 d6 d7 and b6 d6 f6.
    let double = "O*******/OO*****O/O*@*@*@* w p r 5 4 3 5 2 0 -1 -1 -1 -1 0 0 1 ids:nodes";
    let read = read_position(&game, double).unwrap();
    assert_eq!(read.removals_due, 2);
    assert_eq!(write_position(&game, &read), double);
    assert!(read_removal(&game, &read, "xg4").is_err());
    let both = read_removal(&game, &read, "xg4xd1").unwrap();
    assert_eq!(read_removal(&game, &read, "xd1xg4"), Ok(both));
    let one_by_one = play_moves(&game, &read, "xg4 xd1").unwrap();
    assert_eq!(one_by_one, game.take(&read.position, both).into());

    let single = "O*******/O******O/O*@*@*@* w p r 4 5 3 5 2 0 0 1";
    let error = read_position(&game, single).unwrap_err().to_string();
    assert!(error.contains("no single man"), "{error}");
}

#[test]
fn turns_read_as_they_are_written() {
    let nine = nine();
    let played = play_moves(&nine, &nine.start().into(), "d6 f4 b4 g4 e4 f6").unwrap();
    assert_eq!(played.position.side, Side::White);
    assert_eq!(
        write_position(&nine, &played),
        "**O*****/O@@***O*/**@***** w p p 3 6 3 6 0 0 -1 -1 -1 -1 0 0 1 ids:nodes"
    );
    for turn in nine.turns(&played.position) {
        let text = write_turn(&nine.board, &turn);
        assert_eq!(read_turn(&nine, &played.position, &text), Ok(turn));
    }
}

#[test]
fn illegal_turns_say_why() {
    let nine = nine();
    let start = nine.start();
    let placed = play_moves(&nine, &start.into(), "d6 f4").unwrap().position;
    let moving = read_position(
        &nine,
        "OO**O*@*/@@******/***O**@* w m s 4 0 4 0 0 0 -1 -1 -1 -1 0 0 1",
    )
    .unwrap()
    .position;
    let lost = read_position(&nine, "OO******/@@@*****/******** w o ? 2 0 3 0 0 0 0 1").unwrap();
    let cases = [
        (start, "", "one turn is wanted here, not 0"),
        (start, "d6 f4", "one turn is wanted here, not 2"),
        (start, "d6-", "not a turn"),
        (start, "x", "not a turn"),
        (start, "d6xx", "not a turn"),
        (start, "d-6", "has no point `d`"),
        (start, "d4", "has no point `d4`"),
        (start, "ä", "not a turn"),
        (start, "a1-a4", "White has 9 men in hand"),
        (start, "d6xf4", "nothing to take f4 for"),
        (start, "xf4", "nothing to take f4 for"),
        (placed, "d6", "d6 is occupied by White"),
        (placed, "f4", "f4 is occupied by Black"),
        (moving, "d7", "White has no men in hand"),
        (moving, "d6-d7", "White has no man on d6"),
        (moving, "a1-a4", "White has no man on a1"),
        (moving, "e5-c5", "no slide leads from e5 to c5"),
        (moving, "d5-d6", "d6 is occupied by Black"),
        (moving, "d5-c5xd6", "nothing to take d6 for"),
        (
            lost.position,
            "d5-c5",
            "White has fewer than three men, White has lost",
        ),
    ];
    for (position, text, part) in cases {
        let error = read_turn(&nine, &position, text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn a_mill_must_take_and_may_not_take_from_a_mill() {
    let nine = nine();
    // White: d5 d6 and a man in hand for d7. Black: the mill a1 a4 a7, and g4.
    let text = "O*******/O*******/**@**@@@ w p p 2 6 4 4 0 0 -1 -1 -1 -1 0 0 1";
    let error = read_position(&nine, text).unwrap_err().to_string();
    assert!(error.contains("place in turn"), "{error}");
    let text = "O*******/O*******/**@**@@@ w p p 2 4 4 4 0 0 -1 -1 -1 -1 0 0 1";
    let p = read_position(&nine, text).unwrap().position;
    let problem = |text: &str| read_turn(&nine, &p, text).unwrap_err().problem;
    assert_eq!(problem("d7"), TurnProblem::RemovalNeeded("g4".into()));
    assert!(matches!(problem("d7xa1"), TurnProblem::Protected { .. }));
    assert!(matches!(
        problem("d7xg4xa1"),
        TurnProblem::NothingDue { .. }
    ));
    assert!(read_turn(&nine, &p, "d7xg4").is_ok());
    let error = play_moves(&nine, &p.into(), "d7 b2").unwrap_err();
    assert_eq!(
        error.to_string(),
        "move `b2` at character 4: a mill closes, so a man must be taken: one of g4"
    );
    let due = play_moves(&nine, &p.into(), "d7").unwrap();
    assert_eq!((due.removals_due, due.position.side), (1, Side::White));
    let joined = play_moves(&nine, &p.into(), "d7xg4");
    assert_eq!(play_moves(&nine, &p.into(), "d7 xg4"), joined);
}

#[test]
fn passing_is_written_pass() {
    let mut game = nine();
    game.rules.blocked = Blocked::Passes;
    // White's men in the corner at a7 are shut in.
    let text = "********/@*****@*/O@***@OO w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1";
    let blocked = read_position(&game, text).unwrap().position;
    game.rules.flying = false;
    assert!(
        game.is_blocked(&blocked),
        "{}",
        game.board.labels(blocked.mover)
    );
    assert_eq!(write_turn(&game.board, &Turn::PASS), "pass");
    assert_eq!(read_turn(&game, &blocked, "pass"), Ok(Turn::PASS));
    let passed = play_moves(&game, &blocked.into(), "pass").unwrap();
    assert_eq!(passed, blocked.swapped().into());
    let twice = play_moves(&game, &blocked.into(), "pass pass").unwrap_err();
    assert_eq!(
        twice.to_string(),
        "move `pass` at character 6: Black can move, so it cannot pass"
    );
    // A pass takes nobody and does not end a turn whose mill is closed.
    assert!(read_turn(&game, &blocked, "passxa4").is_err());
    let due = ReadPosition {
        position: passed.position,
        removals_due: 1,
    };
    let problem = read_removal(&game, &due, "pass").unwrap_err().problem;
    assert!(
        matches!(problem, TurnProblem::RemovalNeeded(_)),
        "{problem}"
    );
    let problem = play_moves(&game, &due, "pass").unwrap_err().problem;
    assert!(
        matches!(problem, TurnProblem::RemovalNeeded(_)),
        "{problem}"
    );
    game.rules.blocked = Blocked::Loses;
    let over = read_turn(&game, &blocked, "pass").unwrap_err().to_string();
    assert!(over.contains("White cannot move, White has lost"), "{over}");
}

#[test]
fn nothing_is_due_when_nothing_can_be_taken() {
    let mut game = nine();
    game.rules.protection = Protection::Never;
    let text = "O*******/O*******/*****@@@ w p p 2 5 3 5 0 0 -1 -1 -1 -1 0 0 1";
    let p = read_position(&game, text).unwrap().position;
    let turn = read_turn(&game, &p, "d7").unwrap();
    assert_eq!(turn.removed, 0);
    assert!(game.is_legal(&p, &turn));
    let after = play_moves(&game, &p.into(), "d7").unwrap();
    assert_eq!(after, game.play(&p, &turn).into());
}

#[test]
fn prefixes_and_changes_of_good_texts_never_panic() {
    let nine = nine();
    for text in GOLDEN {
        assert!(read_position(&nine, text).is_ok(), "{text}");
        for (i, _) in text.char_indices() {
            let _ = read_position(&nine, &text[..i]);
            for c in [
                'O',
                '@',
                '*',
                'X',
                '/',
                ' ',
                '-',
                '9',
                ':',
                'r',
                'ä',
                '\u{1F600}',
            ] {
                let changed = format!("{}{c}{}", &text[..i], &text[i + 1..]);
                if let Ok(read) = read_position(&nine, &changed) {
                    let again = read_position(&nine, &write_position(&nine, &read));
                    assert_eq!(again, Ok(read), "{changed}");
                }
            }
        }
    }
}

#[test]
fn nine_is_drawn_as_usual() {
    let nine = nine();
    let p = play_moves(&nine, &nine.start().into(), "d6 f4").unwrap();
    let drawing = draw(&nine.board, &p.position, Charset::Ascii);
    let expected = "\
7  .-----------.-----------.
   |           |           |
6  |   .-------O-------.   |
   |   |       |       |   |
5  |   |   .---.---.   |   |
   |   |   |       |   |   |
4  .---.---.       .---@---.
   |   |   |       |   |   |
3  |   |   .---.---.   |   |
   |   |       |       |   |
2  |   .-------.-------.   |
   |           |           |
1  .-----------.-----------.
   a   b   c   d   e   f   g
";
    assert_eq!(drawing, expected);
    let unicode = draw(&nine.board, &p.position, Charset::Unicode);
    assert!(unicode.starts_with("7  ·───────────·───────────·\n   │"));
}

#[test]
fn diagonals_are_drawn() {
    let three = variant("three-diagonal");
    let drawing = draw(&three.board, &three.start(), Charset::Ascii);
    let expected = r"3  .---.---.
   | \ | / |
2  .---.---.
   | / | \ |
1  .---.---.
   a   b   c
";
    assert_eq!(drawing, expected);
}

#[test]
fn boards_without_files_and_ranks_are_drawn_with_labels() {
    let text = r#"
id = "wheel"
name = "Wheel"
[board]
points = ["hub n e s w"]
lines = ["n hub s", "e hub w"]
coordinates = { hub = [0, 0], n = [0, 1e30], e = [1e30, 0], s = [0, -1e30], w = [-1e30, 0] }
[rules]
men = 2
mill_pays = "win"
"#;
    let wheel = Variant::from_toml(text, "wheel.toml").unwrap();
    let drawing = draw(&wheel.board, &wheel.start(), Charset::Ascii);
    for label in [".n", ".hub", ".e", ".s", ".w"] {
        assert!(drawing.contains(label), "{drawing}");
    }
    assert!(drawing.lines().all(|line| line.len() < 200));
}

/// The games the properties are tried on: all built-in ones and some with other switches.
fn games() -> Vec<Variant> {
    let mut games = Variant::builtins();
    let mut double = nine();
    double.rules.captures_per_double_mill = 2;
    double.rules.protection = Protection::Never;
    let mut lasker = nine();
    lasker.rules = Rules {
        placing: Placing::PlaceOrMove,
        captures_per_double_mill: 2,
        ..Rules::new(10)
    };
    let mut crowded = variant("three");
    crowded.rules = Rules {
        protection: Protection::UnlessThreeLeft,
        ..Rules::new(4)
    };
    games.extend([double, lasker, crowded]);
    games
}

/// A game played by these choices, as far as it goes.
fn playout(game: &Variant, choices: &[usize]) -> Vec<Position> {
    let mut positions = vec![game.start()];
    let mut now = game.start();
    for choice in choices {
        let turns = game.turns(&now);
        if turns.is_empty() {
            break;
        }
        now = game.play(&now, &turns[choice % turns.len()]);
        positions.push(now);
    }
    positions
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn positions_of_games_survive_being_written(
        which in 0usize..7,
        choices in prop::collection::vec(0usize..10_000, 0..60),
    ) {
        let game = &games()[which];
        let mut moves = Vec::new();
        let positions = playout(game, &choices);
        for pair in positions.windows(2) {
            let turns = game.turns(&pair[0]);
            let turn = turns.iter().find(|t| game.play(&pair[0], t) == pair[1]).unwrap();
            let text = write_turn(&game.board, turn);
            prop_assert_eq!(read_turn(game, &pair[0], &text), Ok(*turn));
            moves.push(text);
            let Some(to) = turn.to else { continue };
            let step = game.step(&pair[0], turn.from, to);
            let removals_due = turn.removed.count_ones() as u8;
            let full_due = game.removals_due(&pair[0], turn.from, to);
            if removals_due > 0 && removals_due == full_due {
                let read = ReadPosition { position: step, removals_due };
                let text = write_position(game, &read);
                prop_assert_eq!(read_position(game, &text), Ok(read), "{}", text);
            }
        }
        for p in &positions {
            let read = ReadPosition::from(*p);
            let text = write_position(game, &read);
            prop_assert_eq!(read_position(game, &text), Ok(read), "{}", text);
        }
        let last = ReadPosition::from(*positions.last().unwrap());
        prop_assert_eq!(play_moves(game, &game.start().into(), &moves.join(" ")), Ok(last));
        let apart = moves.join(" ").replace('x', " x");
        if game.rules.captures_per_double_mill == 1 {
            prop_assert_eq!(play_moves(game, &game.start().into(), &apart), Ok(last));
        }
    }

    #[test]
    fn images_of_a_position_have_the_images_of_its_turns(
        which in 0usize..7,
        choices in prop::collection::vec(0usize..10_000, 0..60),
    ) {
        let game = &games()[which];
        let positions = playout(game, &choices);
        let p = positions.last().unwrap();
        let turns = game.turns(p);
        for symmetry in game.board.symmetries() {
            let image = p.image(symmetry);
            prop_assert_eq!(game.ending(&image), game.ending(p));
            let mut expected: Vec<_> = turns.iter().map(|t| game.play(p, t).image(symmetry)).collect();
            let mut found: Vec<_> = game.turns(&image).iter().map(|t| game.play(&image, t)).collect();
            let key = |p: &Position| (p.mover, p.opponent);
            expected.sort_unstable_by_key(key);
            found.sort_unstable_by_key(key);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn any_text_is_read_without_panic(text in ".{0,80}") {
        let nine = nine();
        let _ = read_position(&nine, &text);
        let _ = play_moves(&nine, &nine.start().into(), &text);
        let _ = read_turn(&nine, &nine.start(), &text);
        let _ = Variant::from_toml(&text, "text");
    }
}
