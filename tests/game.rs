//! The rules of the built-in variants against published numbers.

use std::collections::BTreeSet;

use millbase::game::{PaidLines, Placing, Position, Rules, Sector, Variant};

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
        leaves += perft_removals(variant, &after, due, depth - 1);
    }
    leaves
}

/// As [`perft`], inside a turn that has so many men to take.
fn perft_removals(variant: &Variant, p: &Position, due: u8, depth: u32) -> u64 {
    let over = variant.rules.takes_men() && p.opponent_total() < 3;
    if due == 0 || over || variant.removable(p) == 0 {
        return perft(variant, &variant.take(p, 0), depth);
    }
    if depth == 0 {
        return 1;
    }
    let rest = |x: u8| Position {
        opponent: p.opponent & !(1 << x),
        ..*p
    };
    let removals = variant.removals(p).into_iter();
    removals
        .map(|x| perft_removals(variant, &rest(x), due - 1, depth - 1))
        .sum()
}

/// As [`perft`], in a game in which a mill pays once, for one man.
fn perft_remembering(variant: &Variant, p: &Position, paid: PaidLines, depth: u32) -> u64 {
    let mut turns = Vec::new();
    variant.remembering_turns(p, paid, &mut turns);
    if depth == 0 {
        return 1;
    }
    let mut closing = BTreeSet::new();
    let mut leaves = 0;
    for turn in turns {
        let actions = 1 + turn.removed.count_ones();
        if actions > depth {
            // However many men could be taken next, the step is one leaf.
            closing.insert((turn.from, turn.to));
            continue;
        }
        let after = variant.play(p, &turn);
        let paid = variant.remember(p, paid, &turn);
        leaves += perft_remembering(variant, &after, paid, depth - actions);
    }
    leaves + closing.len() as u64
}

#[test]
fn presets_have_the_published_numbers_of_actions() {
    let table = include_str!("../data/reference/perft.tsv");
    let mut presets = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [name, base, rules, leaves] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not four columns: {line}");
        };
        let rules = if rules == "-" {
            String::new()
        } else {
            rules.replace("; ", "\n")
        };
        let text = format!("id = \"p\"\nname = \"p\"\nbase = \"{base}\"\n[rules]\n{rules}");
        let preset = Variant::from_toml(&text, name).unwrap();
        for (depth, expected) in leaves.split(' ').enumerate() {
            let (start, depth) = (preset.start(), depth as u32 + 1);
            let found = match preset.rules.mills_pay_once {
                true => perft_remembering(&preset, &start, PaidLines::default(), depth),
                false => perft(&preset, &start, depth),
            };
            assert_eq!(found.to_string(), expected, "{name}, depth {depth}");
        }
        presets += 1;
    }
    assert_eq!(presets, 6);
}

#[test]
fn a_mill_that_pays_once_changes_the_number_of_actions_when_it_is_closed_again() {
    let mut game = variant("nine");
    game.rules.mills_pay_once = true;
    // White can open a1 d1 g1 by d1-d2 and close it again by d2-d1, the third turn.
    let text = "***@****/***@***@/*@*OOO*O w m s 4 0 4 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
    let read = millbase::notation::read_position(&game, text).unwrap();
    let mill = game
        .board
        .lines()
        .iter()
        .position(|line| read.position.mover & line == *line);
    let paid = PaidLines {
        mover: 1 << mill.expect("a mill"),
        opponent: 0,
    };
    let never = PaidLines::default();
    let leaves = |paid, depth| perft_remembering(&game, &read.position, paid, depth);
    assert_eq!(leaves(paid, 2), leaves(never, 2));
    assert_eq!(leaves(never, 4), perft(&game, &read.position, 4));
    assert!(leaves(paid, 4) != leaves(never, 4));
}

#[test]
fn two_men_for_two_mills_are_two_actions() {
    // Placing d6 closes d5 d6 d7 and b6 d6 f6; Black has three men on the board, in no mill.
    let game = variant("doc2-classic");
    let read = "O*******/*O*****O/O*@*@*@* w p p 4 5 3 5 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
    let p = millbase::notation::read_position(&game, read)
        .unwrap()
        .position;
    let counts: Vec<_> = (1..=3).map(|depth| perft(&game, &p, depth)).collect();
    // 17 empty points: 16 plain placings with 16 answers each, and one that takes two of three in order.
    assert_eq!(counts[0], 17);
    assert_eq!(counts[1], 16 * 16 + 3);
    let one_at_a_time = variant("nine");
    assert_eq!(perft(&one_at_a_time, &p, 2), counts[1]);
    assert!(perft(&one_at_a_time, &p, 3) > counts[2]);
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

#[test]
fn sectors_of_any_numbers_have_a_text() {
    for text in ["3-4", "3-4+6-5", "255-255+255-255", "0-0+0-255"] {
        let sector: Sector = text.parse().expect("a sector");
        assert_eq!(sector.to_string(), text);
        assert_eq!(sector.swapped().in_hand(), sector.in_hand());
    }
}
