//! Six men's morris as a whole: the published value and number of positions.

use std::collections::HashSet;

use millbase::game::{Position, Side, Variant};
use millbase::solve::plain::{self, Options};
use millbase::value::Value;

fn six(flying: bool) -> Variant {
    let mut six = Variant::builtin("six").unwrap();
    six.rules.flying = flying;
    six
}

/// Counts the positions that the game can reach, by walking from the start.
fn reachable(variant: &Variant) -> usize {
    let symmetries = variant.board.symmetries();
    let mut seen = HashSet::new();
    let mut waiting = vec![variant.start()];
    let mut count = 0;
    while let Some(position) = waiting.pop() {
        let men = |p: Position| (p.mover, p.opponent);
        let mut images: Vec<_> = symmetries.iter().map(|s| men(position.image(s))).collect();
        images.sort_unstable();
        images.dedup();
        let hands = (position.mover_hand, position.opponent_hand);
        if seen.insert((images[0], hands, position.side == Side::White)) {
            count += images.len();
            let turns = variant.turns(&position);
            waiting.extend(turns.iter().map(|turn| variant.play(&position, turn)));
        }
    }
    count
}

#[test]
fn the_game_is_a_draw_with_and_without_flying() {
    for flying in [true, false] {
        let variant = six(flying);
        let solution = plain::solve(&variant, &Options::default(), |_| ()).unwrap();
        assert_eq!(
            solution.value(&variant.start()),
            Some(Value::Draw),
            "flying: {flying}"
        );
        if flying {
            assert_eq!(plain::check(&solution), None);
        }
    }
}

#[test]
fn with_flying_as_many_positions_are_in_reach_as_published() {
    assert_eq!(reachable(&six(true)), 42_383_945);
}

#[test]
fn without_flying_as_many_positions_are_in_reach_as_published() {
    assert_eq!(reachable(&six(false)), 42_372_745);
}
