//! Games of three men solved by the plain solver, and what it refuses to solve.

use millbase::game::{Sector, Side, Variant};
use millbase::solve::plain::{self, Options, PlainError, PlainSolution, Progress};
use millbase::value::{Outcome, Value};

fn builtin(id: &str) -> Variant {
    Variant::builtin(id).unwrap()
}

fn solve(variant: &Variant) -> PlainSolution {
    plain::solve(variant, &Options::default(), |_| ()).unwrap()
}

fn sector(mover: u8, opponent: u8, mover_hand: u8, opponent_hand: u8) -> Sector {
    Sector {
        mover,
        opponent,
        mover_hand,
        opponent_hand,
    }
}

#[test]
fn with_diagonals_the_first_player_wins_by_the_centre_alone() {
    let variant = builtin("three-diagonal");
    let solution = solve(&variant);
    let start = variant.start();
    for turn in variant.turns(&start) {
        let reached = solution.value(&variant.play(&start, &turn)).unwrap();
        let wins = reached.before().outcome() == Outcome::Win;
        let point = variant.board.label(usize::from(turn.to.unwrap()));
        assert_eq!(wins, point == "b2", "{point}: {reached}");
    }
    assert_eq!(
        solution.value(&start).map(Value::outcome),
        Some(Outcome::Win)
    );
}

#[test]
fn without_diagonals_it_is_a_draw() {
    let variant = builtin("three");
    assert_eq!(solve(&variant).value(&variant.start()), Some(Value::Draw));
}

#[test]
fn every_placement_of_every_sector_has_a_value_that_its_images_share() {
    let variant = builtin("three");
    let solution = solve(&variant);
    assert_eq!(solution.sectors().collect::<Vec<_>>(), variant.sectors());
    let mut visited = 0;
    for sector in solution.sectors() {
        let mut counted = 0;
        solution.for_each(sector, |position, value| {
            assert_eq!(position.sector(), sector);
            for symmetry in variant.board.symmetries() {
                let mut image = position.image(symmetry);
                assert_eq!(solution.value(&image), Some(value));
                image.side = Side::Black;
                assert_eq!(solution.value(&image), Some(value));
            }
            counted += 1;
        });
        let counts = solution.counts(sector).unwrap();
        assert_eq!(counts.win + counts.draw + counts.loss, counted);
        visited += counted;
    }
    assert_eq!(visited, solution.position_count());
}

#[test]
fn a_finished_game_has_a_value_although_no_sector_holds_it() {
    let nine = builtin("nine");
    let options = Options {
        sectors: Some(vec![sector(3, 3, 0, 0)]),
        ..Options::default()
    };
    let solution = plain::solve(&nine, &options, |_| ()).unwrap();
    let mut over = nine.start();
    (over.mover_hand, over.opponent_hand) = (0, 0);
    (over.mover, over.opponent) = (0b11, 0b11_1000);
    assert_eq!(solution.value(&over), Some(Value::Loss(0)));
    assert_eq!(solution.value(&nine.start()), None);
    assert_eq!(solution.counts(nine.start().sector()), None);
}

#[test]
fn progress_ends_with_all_positions() {
    let variant = builtin("three");
    let mut told: Vec<Progress> = Vec::new();
    let solution = plain::solve(&variant, &Options::default(), |p| told.push(*p)).unwrap();
    assert!(told.windows(2).all(|pair| pair[0].done <= pair[1].done));
    let last = told.last().unwrap();
    assert_eq!(
        (last.done, last.total),
        (solution.position_count(), last.done)
    );
    assert_eq!((told[0].men_in_hand, told[0].done), (0, 0));
    assert_eq!(last.men_in_hand, 6);
}

#[test]
fn a_game_that_is_too_large_is_refused_with_its_size() {
    // The size of the whole game as published with the Malom databases.
    let refused = plain::solve(&builtin("nine"), &Options::default(), |_| ()).unwrap_err();
    let text = refused.to_string();
    let expected = "nine has 26,761,334,939 positions to solve, for which the plain solver takes ";
    assert!(text.starts_with(expected), "{text}");
    assert!(
        text.ends_with("of memory; its limit is 16.00 GiB"),
        "{text}"
    );
    let needs = plain::needs(&builtin("three"), &Options::default()).unwrap();
    assert_eq!(needs.positions, 564);
    let limited = |limit_bytes| {
        let options = Options {
            limit_bytes,
            ..Options::default()
        };
        plain::solve(&builtin("three"), &options, |_| ())
    };
    assert!(matches!(
        limited(needs.memory_bytes - 1).unwrap_err(),
        PlainError::TooLarge { positions: 564, .. }
    ));
    assert!(limited(needs.memory_bytes).is_ok());
}

#[test]
fn sectors_that_turns_leave_are_refused() {
    let nine = builtin("nine");
    let options = Options {
        sectors: Some(vec![sector(4, 3, 0, 0)]),
        ..Options::default()
    };
    let refused = plain::solve(&nine, &options, |_| ()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "sector 4-3 cannot be solved without sector 3-4"
    );
}

#[test]
fn rules_that_look_at_the_past_are_refused() {
    let mut three = builtin("three");
    three.rules.mills_pay_once = true;
    let refused = plain::solve(&three, &Options::default(), |_| ()).unwrap_err();
    assert!(matches!(refused, PlainError::NeedsPast { .. }), "{refused}");
}

#[test]
fn sectors_where_the_opponent_has_already_lost_are_refused() {
    let nine = builtin("nine");
    let options = Options {
        sectors: Some(vec![sector(3, 2, 0, 0)]),
        ..Options::default()
    };
    let refused = plain::solve(&nine, &options, |_| ()).unwrap_err();
    assert!(matches!(refused, PlainError::EndsWon { .. }), "{refused}");
}
