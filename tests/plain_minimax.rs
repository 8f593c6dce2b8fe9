//! The plain solver against minimax by definition, on tiny boards.
//!
//! The value of a position with a *horizon* of k plies is that of its best turn, seen with a horizon
//! of k-1; what lies beyond the horizon counts as a draw. When one more ply changes no value any
//! more, these are the true values. No symmetries, no numbering, no going backwards: every placement
//! is kept as it is, under its own key.

use std::collections::HashMap;

use millbase::game::{
    Blocked, Board, BoardPoint, FullBoard, MillPays, Placing, PointSet, Position, Protection,
    Rules, Sector, Side, Variant,
};
use millbase::solve::plain::{self, Options};
use millbase::value::{Outcome, Value};

type Values = HashMap<Position, Value>;

/// All placements of all sectors of a variant.
fn all_positions(variant: &Variant) -> Vec<Position> {
    let all = variant.board.all_points();
    let mut positions = Vec::new();
    for sector in variant.sectors() {
        let Sector {
            mover_hand,
            opponent_hand,
            ..
        } = sector;
        let sets =
            |men: u8| (0..=all).filter(move |set: &PointSet| set.count_ones() == u32::from(men));
        for mover in sets(sector.mover) {
            for opponent in sets(sector.opponent).filter(|opponent| opponent & mover == 0) {
                let side = Side::White;
                let position = Position {
                    mover,
                    opponent,
                    mover_hand,
                    opponent_hand,
                    side,
                };
                positions.push(position);
            }
        }
    }
    positions
}

/// The value of a position, given those with a horizon one ply nearer.
fn look_ahead(variant: &Variant, position: &Position, nearer: &Values) -> Value {
    match variant.ending(position) {
        Some(Outcome::Loss) => return Value::Loss(0),
        Some(Outcome::Draw) => return Value::Draw,
        Some(Outcome::Win) => panic!("{position:?} ended well for the side to move"),
        None => {}
    }
    let worth = |turn| {
        let next = Position {
            side: Side::White,
            ..variant.play(position, &turn)
        };
        match nearer.get(&next) {
            Some(value) => *value,
            None => beyond_the_horizon(variant, &next),
        }
    };
    let turns = variant.turns(position).into_iter();
    let best = turns.map(worth).min_by_key(|&value| preference(value));
    match best.expect("a game that goes on has a turn") {
        Value::Win(plies) => Value::Loss(plies + 1),
        Value::Draw => Value::Draw,
        Value::Loss(plies) => Value::Win(plies + 1),
    }
}

/// The value of a position without looking at its turns.
fn beyond_the_horizon(variant: &Variant, position: &Position) -> Value {
    match variant.ending(position) {
        Some(Outcome::Loss) => Value::Loss(0),
        _ => Value::Draw,
    }
}

/// How much a side to move likes a value: the greater the better.
fn preference(value: Value) -> i32 {
    match value {
        Value::Win(plies) => 100_000 - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies) - 100_000,
    }
}

fn minimax(variant: &Variant) -> Values {
    let positions = all_positions(variant);
    let seen = |p: &Position| (*p, beyond_the_horizon(variant, p));
    let mut values: Values = positions.iter().map(seen).collect();
    loop {
        let further: Values = positions
            .iter()
            .map(|p| (*p, look_ahead(variant, p, &values)))
            .collect();
        if further == values {
            return values;
        }
        values = further;
    }
}

/// Compares every position; tells how many are won, drawn and lost, and the longest distance.
fn compare(variant: &Variant) -> ([usize; 3], u16) {
    let solution = plain::solve(variant, &Options::default(), |_| ()).unwrap();
    assert_eq!(plain::check(&solution), None);
    let (mut sums, mut longest) = ([0; 3], 0);
    for (position, value) in minimax(variant) {
        assert_eq!(
            solution.value(&position),
            Some(value),
            "{}: {position:?}",
            variant.to_toml()
        );
        longest = longest.max(value.plies().unwrap_or(0));
        sums[match value {
            Value::Win(_) => 0,
            Value::Draw => 1,
            Value::Loss(_) => 2,
        }] += 1;
    }
    (sums, longest)
}

#[test]
fn three_mens_morris_with_and_without_diagonals() {
    for id in ["three", "three-diagonal"] {
        let (sums, longest) = compare(&Variant::builtin(id).unwrap());
        assert!(
            sums.iter().all(|&n| n > 0) && longest >= 5,
            "{id} {sums:?} {longest}"
        );
    }
}

/// A board from labels by number; the text order is one group.
fn board(points: usize, lines: Vec<Vec<usize>>, slides: Vec<(usize, usize)>) -> Board {
    let describe = |p: usize| BoardPoint {
        label: format!("a{p}"),
        x: p as f32,
        y: 0.0,
    };
    let order = vec![(0..points).collect()];
    Board::new((0..points).map(describe).collect(), lines, slides, order).unwrap()
}

fn variant(board: Board, rules: Rules) -> Variant {
    let text = String::new();
    Variant {
        id: "tiny".to_owned(),
        name: text.clone(),
        note: text,
        board,
        rules,
    }
}

#[test]
fn every_switch_of_the_rules_on_the_small_mill_with_captures() {
    let square = Variant::builtin("three").unwrap().board;
    let usual = Rules::new(3);
    for rules in [
        usual,
        Rules {
            flying: false,
            ..usual
        },
        Rules {
            blocked: Blocked::Draws,
            flying: false,
            ..usual
        },
        Rules {
            blocked: Blocked::Passes,
            flying: false,
            men: 4,
            ..usual
        },
        Rules {
            protection: Protection::Any,
            ..usual
        },
        Rules {
            protection: Protection::Never,
            ..usual
        },
        Rules {
            protection: Protection::UnlessThreeLeft,
            flying: false,
            ..usual
        },
        Rules {
            placing: Placing::PlaceOrMove,
            flying: false,
            ..usual
        },
        Rules {
            captures_per_double_mill: 2,
            men: 4,
            flying: false,
            ..usual
        },
        Rules {
            mill_pays: MillPays::Win,
            men: 4,
            flying: false,
            ..usual
        },
    ] {
        let (sums, longest) = compare(&variant(square.clone(), rules));
        let decided = sums[0] > 0 && sums[2] > 0 && longest >= 3;
        assert!(decided, "{rules:?} {sums:?} {longest}");
    }
}

#[test]
fn a_board_that_placing_fills() {
    // Two triangles side by side, three men each on six points.
    let lines = vec![vec![0, 1, 2], vec![3, 4, 5], vec![1, 2, 3]];
    let slides = vec![(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
    let six = board(6, lines, slides);
    let mut draws = Vec::new();
    for full_board in [
        FullBoard::Draws,
        FullBoard::FirstPlayerLoses,
        FullBoard::MoverLoses,
    ] {
        let rules = Rules {
            full_board,
            protection: Protection::Never,
            ..Rules::new(3)
        };
        draws.push(compare(&variant(six.clone(), rules)).0[1]);
    }
    assert!(draws[0] > draws[1] && draws[1] == draws[2], "{draws:?}");
}

/// A small generator of numbers below a bound, always the same ones.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A path with a few more slides, and five lines anywhere.
    fn board(&mut self) -> Board {
        let points = 7 + self.below(2);
        let mut lines: Vec<Vec<usize>> = Vec::new();
        while lines.len() < 5 {
            let mut line: Vec<usize> = (0..3).map(|_| self.below(points)).collect();
            line.sort_unstable();
            line.dedup();
            if line.len() == 3 && !lines.contains(&line) {
                lines.push(line);
            }
        }
        let mut slides: Vec<(usize, usize)> = (1..points).map(|p| (p - 1, p)).collect();
        while slides.len() < points + 2 {
            let (a, b) = (self.below(points), self.below(points));
            if a < b && !slides.contains(&(a, b)) {
                slides.push((a, b));
            }
        }
        board(points, lines, slides)
    }

    fn rules(&mut self) -> Rules {
        Rules {
            men: 3,
            mill_pays: self.pick(&[MillPays::Capture, MillPays::Capture, MillPays::Win]),
            captures_per_double_mill: self.pick(&[1, 2]),
            protection: self.pick(&[
                Protection::UnlessAllInMills,
                Protection::Never,
                Protection::Any,
                Protection::UnlessThreeLeft,
            ]),
            flying: self.pick(&[false, false, true]),
            blocked: self.pick(&[Blocked::Loses, Blocked::Draws, Blocked::Passes]),
            full_board: FullBoard::Draws,
            placing: self.pick(&[Placing::PlaceOnly, Placing::PlaceOrMove]),
            mills_pay_once: false,
        }
    }
}

#[test]
fn random_boards_under_random_rules() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut longest = 0;
    for _ in 0..24 {
        let (board, rules) = (numbers.board(), numbers.rules());
        let x = compare(&variant(board, rules));
        println!("{rules:?} {x:?}");
        longest = longest.max(x.1);
    }
    assert!(
        longest >= 20,
        "the games are too short to prove anything: {longest}"
    );
}
