//! The plain solver against published figures of nine men's morris: the movement sectors of at most
//! four men a side.

use std::collections::HashSet;
use std::sync::OnceLock;

use millbase::game::{PointSet, Position, Sector, Side, Variant};
use millbase::solve::plain::{self, Options, PlainSolution};
use millbase::value::{Outcome, Value};

const MEN: u8 = 4;

/// Solved once for all tests of this file.
fn solution() -> &'static PlainSolution {
    static SOLUTION: OnceLock<PlainSolution> = OnceLock::new();
    SOLUTION.get_or_init(|| {
        let nine = Variant::builtin("nine").unwrap();
        plain::solve(&nine, &Options::movement(&nine, MEN), |_| ()).unwrap()
    })
}

/// The lines of a reference table below its heading, by column.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse()
        .unwrap_or_else(|_| panic!("`{text}` is no number"))
}

fn movement(mover: u8, opponent: u8) -> Sector {
    Sector {
        mover,
        opponent,
        mover_hand: 0,
        opponent_hand: 0,
    }
}

#[test]
fn counts_and_longest_distances_are_those_of_the_published_table() {
    let mut compared = 0;
    for row in rows(include_str!("../data/reference/nine-movement.tsv")) {
        let (mover, opponent) = (number(row[0]), number(row[1]));
        if u8::max(mover, opponent) > MEN {
            continue;
        }
        let counts = solution().counts(movement(mover, opponent)).unwrap();
        let found = [counts.win, counts.loss, counts.draw];
        assert_eq!(
            found,
            [2, 3, 4].map(|i| number::<u64>(row[i])),
            "{mover}-{opponent}"
        );
        let longest = [counts.longest_win, counts.longest_loss].map(|n| n.unwrap_or(0));
        assert_eq!(
            longest,
            [5, 6].map(|i| number::<u16>(row[i])),
            "{mover}-{opponent}"
        );
        compared += 1;
    }
    assert_eq!(compared, 4);
    assert_eq!(solution().sectors().count(), compared);
}

/// Different images of a position: the placements it stands for.
fn images(position: &Position) -> u64 {
    let symmetries = solution().variant().board.symmetries();
    let images: HashSet<Position> = symmetries.iter().map(|s| position.image(s)).collect();
    images.len() as u64
}

#[test]
fn counts_of_all_placements_are_those_of_malom() {
    let mut compared = 0;
    for row in rows(include_str!("../data/reference/malom-sectors.tsv")) {
        let men: Vec<u8> = row[0].split('_').skip(1).map(number).collect();
        if !row[0].starts_with("std_") || men[2] + men[3] > 0 {
            continue;
        }
        let mut raw = [0; 3];
        solution().for_each(movement(men[0], men[1]), |position, value| {
            raw[match value.outcome() {
                Outcome::Win => 0,
                Outcome::Draw => 1,
                Outcome::Loss => 2,
            }] += images(position);
        });
        assert_eq!(raw, [5, 6, 7].map(|i| number::<u64>(row[i])), "{}", row[0]);
        compared += 1;
    }
    assert_eq!(compared, 3);
}

/// A set of men as a reference table writes it.
fn men(text: &str) -> PointSet {
    let board = &solution().variant().board;
    let labels = text.split(',').filter(|label| *label != "-");
    labels.fold(0, |men, label| men | 1 << board.point(label).unwrap())
}

fn value(outcome: &str, plies: &str) -> Value {
    match outcome {
        "win" => Value::Win(number(plies)),
        "draw" => Value::Draw,
        "loss" => Value::Loss(number(plies)),
        other => panic!("no outcome: {other}"),
    }
}

#[test]
fn positions_have_the_values_of_malom() {
    let mut compared = 0;
    for row in rows(include_str!("../data/reference/nine-positions.tsv")) {
        let position = Position {
            mover: men(row[0]),
            opponent: men(row[1]),
            mover_hand: number(row[2]),
            opponent_hand: number(row[3]),
            side: Side::Black,
        };
        let Some(found) = solution().value(&position) else {
            continue;
        };
        assert_eq!(found, value(row[4], row[5]), "{row:?}");
        compared += 1;
    }
    assert!(
        compared >= 100,
        "only {compared} positions are in the solved sectors"
    );
}
