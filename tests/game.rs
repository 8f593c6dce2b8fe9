//! The rules of the built-in variants against published numbers.

use millbase::game::{Placing, Position, Rules, Variant};

fn variant(id: &str) -> Variant {
    Variant::builtin(id).expect("a built-in variant")
}

/// Leaves of the tree of single actions: placing, moving and taking a man count one each.
fn perft(variant: &Variant, p: &Position, depth: u32) -> u64 {
    if variant.ending(p).is_some() {
        return u64::from(depth == 0);
    }
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for (from, to) in variant.steps(p) {
        let due = variant.removals_due(p, from, to);
        let after = variant.step(p, from, to);
        leaves += if due == 0 || variant.removable(&after) == 0 {
            perft(variant, &variant.take(&after, 0), depth - 1)
        } else {
            assert_eq!(due, 1, "only single removals are counted here");
            perft_removal(variant, &after, depth - 1)
        };
    }
    leaves
}

fn perft_removal(variant: &Variant, p: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let removals = variant.removals(p).into_iter();
    removals
        .map(|x| perft(variant, &variant.take(p, 1 << x), depth - 1))
        .sum()
}

#[test]
fn nine_has_the_published_numbers_of_actions() {
    // Published with Sanmill's rule presets.
    let nine = variant("nine");
    let counts: Vec<_> = (1..=5).map(|d| perft(&nine, &nine.start(), d)).collect();
    assert_eq!(counts, [24, 552, 12_144, 255_024, 5_100_480]);
}

#[test]
fn lasker_has_the_published_numbers_of_actions() {
    let mut lasker = variant("nine");
    lasker.rules = Rules {
        placing: Placing::PlaceOrMove,
        ..Rules::new(10)
    };
    let counts: Vec<_> = (1..=3)
        .map(|d| perft(&lasker, &lasker.start(), d))
        .collect();
    assert_eq!(counts, [24, 552, 13_552]);
}

#[test]
fn sectors_are_those_of_the_malom_databases() {
    let mut game = variant("nine");
    let empty_hands = |v: &Variant| v.sectors().iter().filter(|s| s.in_hand() == 0).count();
    assert_eq!((game.sectors().len(), empty_hands(&game)), (498, 49));
    game.rules = Rules::new(12);
    assert_eq!(game.sectors().len(), 1216);
    game.rules = Rules {
        placing: Placing::PlaceOrMove,
        ..Rules::new(10)
    };
    assert_eq!(game.sectors().len(), 3070);
}

#[test]
fn boards_have_their_symmetries() {
    let count = |id| variant(id).board.symmetries().len();
    assert_eq!(count("three"), 8);
    assert_eq!(count("three-diagonal"), 8);
    assert_eq!(count("six"), 16);
    assert_eq!(count("nine"), 16);
}
