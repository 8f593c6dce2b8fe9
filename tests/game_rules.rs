//! Each switch of the rules, and the edges where they matter.

use millbase::game::{
    Blocked, FullBoard, MillPays, Placing, PointSet, Position, Protection, Rules, Side, Turn,
    Variant,
};
use millbase::notation::write_turn;
use millbase::value::Outcome;

fn variant(id: &str) -> Variant {
    Variant::builtin(id).expect("a built-in variant")
}

fn with(id: &str, change: impl Fn(&mut Rules)) -> Variant {
    let mut variant = variant(id);
    change(&mut variant.rules);
    variant
}

fn set(variant: &Variant, labels: &str) -> PointSet {
    let point = |label| variant.board.point(label).expect("a label of the board");
    labels
        .split_whitespace()
        .fold(0, |set, label| set | 1 << point(label))
}

/// White to move, with these men on the board and in hand.
fn position(variant: &Variant, mover: &str, opponent: &str, hands: (u8, u8)) -> Position {
    Position {
        mover: set(variant, mover),
        opponent: set(variant, opponent),
        mover_hand: hands.0,
        opponent_hand: hands.1,
        side: Side::White,
    }
}

/// The texts of all turns, sorted.
fn turns(variant: &Variant, p: &Position) -> Vec<String> {
    let write = |turn: &Turn| write_turn(&variant.board, turn);
    let mut texts: Vec<_> = variant.turns(p).iter().map(write).collect();
    texts.sort();
    texts
}

/// What may be taken for the step to `to`, where the turn takes something.
fn taken(variant: &Variant, p: &Position, step: &str) -> Vec<String> {
    let all = turns(variant, p);
    let rest = all.iter().filter_map(|text| text.strip_prefix(step));
    rest.map(str::to_owned).collect()
}

/// As [`taken`], the men of each choice and the choices in alphabetical order.
fn taken_pairs(variant: &Variant, p: &Position, step: &str) -> Vec<String> {
    let sorted = |text: &String| {
        let mut men: Vec<_> = text.split('x').skip(1).collect();
        men.sort_unstable();
        men.iter().map(|man| format!("x{man}")).collect()
    };
    let mut pairs: Vec<String> = taken(variant, p, step).iter().map(sorted).collect();
    pairs.sort();
    pairs
}

#[test]
fn a_mill_takes_one_man_that_stands_in_no_mill() {
    let nine = variant("nine");
    let p = position(&nine, "d5 d6 a1", "a7 b6 c5 g7 g4 g1", (1, 0));
    assert_eq!(taken(&nine, &p, "d7"), ["xa7", "xb6", "xc5"]);
    assert_eq!(taken(&nine, &p, "d3"), [""]);
}

#[test]
fn any_man_is_taken_when_all_stand_in_mills() {
    let nine = variant("nine");
    let p = position(&nine, "d5 d6 a1", "g7 g4 g1", (1, 1));
    assert_eq!(taken(&nine, &p, "d7"), ["xg1", "xg4", "xg7"]);
}

#[test]
fn protection_can_be_other() {
    let men = "g7 g4 g1 f4 e4 a4";
    let taken_with = |protection, opponent: &str| {
        let game = with("nine", |rules| rules.protection = protection);
        taken(&game, &position(&game, "d5 d6 a1", opponent, (1, 0)), "d7")
    };
    assert_eq!(taken_with(Protection::UnlessAllInMills, men), ["xa4"]);
    assert_eq!(taken_with(Protection::Never, men), ["xa4"]);
    assert_eq!(taken_with(Protection::Any, men).len(), 6);
    assert_eq!(taken_with(Protection::UnlessThreeLeft, men), ["xa4"]);

    let in_mills = "g7 g4 g1 f4 e4";
    assert_eq!(taken_with(Protection::UnlessAllInMills, in_mills).len(), 5);
    assert_eq!(taken_with(Protection::Never, in_mills), [""]);
    assert_eq!(taken_with(Protection::Any, in_mills).len(), 5);
    assert_eq!(taken_with(Protection::UnlessThreeLeft, in_mills), [""]);

    let three = "g7 g4 g1";
    assert_eq!(taken_with(Protection::Never, three), [""]);
    assert_eq!(taken_with(Protection::UnlessThreeLeft, three).len(), 3);
}

#[test]
fn men_in_hand_count_as_left() {
    let game = with("nine", |rules| {
        rules.protection = Protection::UnlessThreeLeft
    });
    let p = position(&game, "d5 d6 a1", "g7 g4 g1", (1, 1));
    assert_eq!(taken(&game, &p, "d7"), [""]);
    let nine = variant("nine");
    assert!(!nine.flies(&position(&nine, "d5 d6 a1", "g7 g4 g1", (1, 1))));
}

#[test]
fn two_mills_at_once_take_one_man_or_two() {
    let one = variant("nine");
    let men = ("d5 d7 b6 f6", "a1 a4 c3", (1, 0));
    let p = position(&one, men.0, men.1, men.2);
    assert_eq!(taken(&one, &p, "d6"), ["xa1", "xa4", "xc3"]);

    // The second man leaves two: the game ends there, so nothing is left out.
    let two = with("nine", |rules| rules.captures_per_double_mill = 2);
    let p = position(&two, men.0, "a1 a4 c3 g1", men.2);
    let pairs = ["xa1xa4", "xa1xc3", "xa1xg1", "xa4xc3", "xa4xg1", "xc3xg1"];
    assert_eq!(taken_pairs(&two, &p, "d6"), pairs);
    assert_eq!(
        taken(&two, &position(&two, men.0, men.1, men.2), "d6").len(),
        3
    );
    // One mill still takes one.
    let p = position(&two, "d5 d7 b6", "a1 a4 c3 g1", (1, 0));
    assert_eq!(taken(&two, &p, "d6").len(), 4);
}

#[test]
fn the_first_of_two_removals_changes_what_the_second_may_take() {
    let two = with("nine", |rules| rules.captures_per_double_mill = 2);
    // a4 is free: it must go first, and then all men stand in mills.
    let p = position(&two, "d5 d7 b6 f6", "a4 g7 g4 g1", (1, 0));
    assert_eq!(taken(&two, &p, "d6"), ["xa4xg1", "xa4xg4", "xa4xg7"]);
    // With no free man, the first breaks the mill and frees the others.
    let p = position(&two, "d5 d7 b6 f6", "g7 g4 g1 f4 e4", (1, 0));
    let pairs = ["xe4xf4", "xe4xg4", "xf4xg4", "xg1xg4", "xg1xg7", "xg4xg7"];
    assert_eq!(taken_pairs(&two, &p, "d6"), pairs);
}

#[test]
fn three_men_fly_and_four_slide() {
    let nine = variant("nine");
    let three = position(&nine, "a1 d1 b2", "f6 f4 d6 e3", (0, 0));
    assert_eq!(
        nine.turns(&three).iter().filter(|t| t.removed == 0).count(),
        50
    );
    assert_eq!(taken(&nine, &three, "b2-g1").len(), 4);
    let four = position(&nine, "a1 d1 b2 c3", "f6 f4 d6 e3", (0, 0));
    assert_eq!(
        turns(&nine, &four),
        [
            "a1-a4", "b2-b4", "b2-d2", "c3-c4", "c3-d3", "d1-d2", "d1-g1"
        ]
    );
    let grounded = with("nine", |rules| rules.flying = false);
    assert_eq!(
        turns(&grounded, &three),
        ["a1-a4", "b2-b4", "b2-d2", "d1-d2", "d1-g1"]
    );
}

#[test]
fn moving_inside_a_mill_line_closes_nothing() {
    let nine = variant("nine");
    let p = position(&nine, "a7 g7 d6 a1", "f4 e4 c3", (0, 0));
    assert_eq!(taken(&nine, &p, "a7-d7"), [""]);
    assert_eq!(taken(&nine, &p, "d6-d7").len(), 3);
}

#[test]
fn a_blocked_side_loses_or_draws() {
    let nine = variant("nine");
    let p = position(&nine, "a7 d7 g7 a4", "b4 d6 g4 a1", (0, 0));
    assert!(nine.is_blocked(&p) && nine.turns(&p).is_empty());
    assert_eq!(nine.ending(&p), Some(Outcome::Loss));
    let draws = with("nine", |rules| rules.blocked = Blocked::Draws);
    assert_eq!(draws.ending(&p), Some(Outcome::Draw));
    // A man in hand, or three men that fly, are never blocked.
    assert_eq!(nine.ending(&Position { mover_hand: 1, ..p }), None);
    assert_eq!(
        nine.ending(&position(&nine, "a7 d7 a4", "b4 d6 g7 a1", (0, 0))),
        None
    );
}

#[test]
fn a_blocked_side_passes() {
    let nine = with("nine", |rules| rules.blocked = Blocked::Passes);
    let p = position(&nine, "a7 d7 g7 a4", "b4 d6 g4 a1", (0, 0));
    assert_eq!((nine.ending(&p), nine.turns(&p)), (None, vec![Turn::PASS]));
    assert_eq!(turns(&nine, &p), ["pass"]);
    let passed = nine.play(&p, &Turn::PASS);
    assert_eq!(passed, p.swapped());
    assert_eq!(nine.turns(&passed).len(), 9);
    // Who can move must.
    assert!(!nine.is_legal(&passed, &Turn::PASS));
    // Even a mill that stands closed takes nothing when its side passes.
    assert!(nine.board.men_in_mills(p.mover) != 0);

    // A draw when neither side can move.
    let two_ends = "id = 'p'\nname = 'P'\n[board]\npoints = ['a1 a2 b1 b2 b3 c1 c2 c3']\nlines = []\n\
                    slides = ['a1 a2', 'b1 b2', 'c1 c2']\n[rules]\nmen = 2\nmill_pays = 'win'\n\
                    blocked = 'passes'";
    let game = Variant::from_toml(two_ends, "p").unwrap();
    let both = position(&game, "a1 b1", "a2 b2", (0, 0));
    assert_eq!(game.ending(&both), Some(Outcome::Draw));
    assert!(game.turns(&both).is_empty());
    let one = position(&game, "a1 b3", "a2 b1", (0, 0));
    assert_eq!(turns(&game, &one), ["pass"]);
    assert_eq!(turns(&game, &one.swapped()), ["b1-b2"]);
    // With men in hand nobody is blocked.
    let placing = position(&game, "a1", "a2 b1", (1, 0));
    assert_eq!(turns(&game, &placing), ["b2", "b3", "c1", "c2", "c3"]);
}

#[test]
fn fewer_than_three_men_have_lost() {
    let nine = variant("nine");
    let two = position(&nine, "a1 a4", "g7 g4 g1", (0, 0));
    assert_eq!(nine.ending(&two), Some(Outcome::Loss));
    assert!(nine.turns(&two).is_empty());
    assert_eq!(nine.ending(&two.swapped()), Some(Outcome::Win));
    assert_eq!(
        nine.ending(&Position {
            mover_hand: 1,
            ..two
        }),
        None
    );
}

#[test]
fn a_full_board_ends_the_game() {
    let full = |full_board| {
        with("three", |rules| {
            *rules = Rules {
                full_board,
                mill_pays: MillPays::Win,
                ..Rules::new(4)
            };
        })
    };
    // Nobody has a line; the board of nine points is filled up for the test.
    let draws = full(FullBoard::Draws);
    let p = position(&draws, "a1 b1 c2 a3 b3", "c1 a2 b2 c3", (0, 0));
    assert_eq!(draws.ending(&p), Some(Outcome::Draw));
    for loses in [FullBoard::FirstPlayerLoses, FullBoard::MoverLoses] {
        assert_eq!(full(loses).ending(&p), Some(Outcome::Loss));
    }
    // A full board is not the same as being blocked.
    let p = position(&draws, "a1 b1 c1", "a2 b2 c3", (0, 0));
    assert_eq!(draws.ending(&p), None);
}

#[test]
fn a_line_wins_where_lines_win() {
    let three = variant("three");
    let p = position(&three, "a1 b1", "a3 b3", (1, 1));
    let win = Turn {
        from: None,
        to: Some(2),
        removed: 0,
    };
    assert_eq!(turns(&three, &p), ["a2", "b2", "c1", "c2", "c3"]);
    let won = three.play(&p, &win);
    assert_eq!(three.ending(&won), Some(Outcome::Loss));
    assert!(three.turns(&won).is_empty());
    assert_eq!(won.side, Side::Black);
    // The diagonal is a line only where it is drawn.
    let p = position(&three, "a3 c1", "a1 b2 c3", (1, 0));
    assert_eq!(three.ending(&p), None);
    let diagonal = variant("three-diagonal");
    assert_eq!(diagonal.ending(&p), Some(Outcome::Loss));
}

#[test]
fn three_slides_along_its_lines_only() {
    let three = variant("three");
    let p = position(&three, "b2 a1 c1", "a2 b1 c2", (0, 0));
    assert_eq!(turns(&three, &p), ["b2-b3"]);
    let diagonal = variant("three-diagonal");
    assert_eq!(turns(&diagonal, &p), ["b2-a3", "b2-b3", "b2-c3"]);
}

#[test]
fn men_may_move_while_others_are_in_hand() {
    let lasker = with("nine", |rules| rules.placing = Placing::PlaceOrMove);
    let p = position(&lasker, "a1", "d5", (8, 8));
    let all = turns(&lasker, &p);
    assert_eq!(all.len(), 24);
    assert!(all.contains(&"a1-a4".to_owned()) && all.contains(&"a1-d1".to_owned()));
    // Three men in all fly even with one in hand.
    let p = position(&lasker, "a1 b2", "d5 d6 d7 e3", (1, 0));
    assert!(turns(&lasker, &p).contains(&"a1-g7".to_owned()));
}

#[test]
fn six_has_no_mill_across() {
    let six = variant("six");
    assert_eq!((six.board.lines().len(), six.board.slides().len()), (8, 20));
    let p = position(&six, "a3 b3", "e5 d4", (4, 4));
    assert_eq!(six.turns(&p).len(), 12);
    assert!(six.turns(&p).iter().all(|turn| turn.removed == 0));
}

#[test]
fn sectors_of_lines_that_win_lose_no_men() {
    let three = variant("three");
    let texts: Vec<_> = three.sectors().iter().map(ToString::to_string).collect();
    let expected = [
        "0-0+3-3", "0-1+3-2", "1-1+2-2", "1-2+2-1", "2-2+1-1", "2-3+1-0", "3-3",
    ];
    assert_eq!(texts, expected);
    assert!(three.final_sectors().is_empty());
}

#[test]
fn two_removals_end_the_game_with_two_men_as_one_does() {
    let two = with("nine", |rules| rules.captures_per_double_mill = 2);
    let one = variant("nine");
    // Single removals, turn after turn, reach all that double ones do.
    assert_eq!(two.sectors(), one.sectors());
    // The game is over as soon as two are left.
    for game in [one, two] {
        let over = game.final_sectors();
        assert!(!over.is_empty());
        assert!(over.iter().all(|s| s.mover + s.mover_hand == 2));
    }
}
