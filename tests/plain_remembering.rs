//! Games in which mills pay once, against minimax by definition with the memory written out.
//!
//! The list of positions, their turns and the memory are made here anew: no symmetries, no going backwards. The
//! value with a *horizon* of k plies is that of the best turn with a horizon of k - 1, draws beyond it, and when
//! one more ply changes nothing these are the values.

use std::collections::HashMap;

use millbase::game::{
    Blocked, Board, BoardPoint, PaidLines, Placing, PointSet, Position, Protection, Rules, Side,
    Turn, Variant,
};
use millbase::solve::plain::{Options, PlainError, SectorCounts, solve_remembering};
use millbase::value::{Outcome, Value};

/// A position with the lines that White and Black have closed.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Known {
    position: Position,
    closed: [Vec<PointSet>; 2],
}

impl Known {
    fn start(variant: &Variant) -> Known {
        Known {
            position: variant.start(),
            closed: [vec![], vec![]],
        }
    }

    fn side(&self) -> usize {
        (self.position.side == Side::Black).into()
    }

    /// What all turns lead to; with the turns.
    fn next(&self, variant: &Variant) -> Vec<(Turn, Known)> {
        let (p, mut all) = (&self.position, Vec::new());
        if variant.ending(p).is_some() {
            return all;
        }
        for (from, to) in variant.steps(p) {
            let after = variant.step(p, from, to);
            let (mut closed, mut new) = (self.closed.clone(), 0);
            for &line in variant.board.lines() {
                if line >> to & 1 == 1
                    && line & !after.mover == 0
                    && !closed[self.side()].contains(&line)
                {
                    closed[self.side()].push(line);
                    new += 1;
                }
            }
            closed[self.side()].sort_unstable();
            let due = match new {
                0 => 0,
                1 => 1,
                _ => variant.rules.captures_per_double_mill,
            };
            let to = Some(to);
            for removed in variant.removal_sets(&after, due) {
                let position = variant.take(&after, removed);
                let turn = Turn { from, to, removed };
                let closed = closed.clone();
                all.push((turn, Known { position, closed }));
            }
        }
        if all.is_empty() {
            let passed = Known {
                position: p.swapped(),
                closed: self.closed.clone(),
            };
            all.push((Turn::PASS, passed));
        }
        all
    }

    /// The memory as the library has it.
    fn paid(&self, variant: &Variant) -> PaidLines {
        let set = |lines: &[PointSet]| {
            let numbers = (0..).zip(variant.board.lines());
            numbers
                .filter(|(_, line)| lines.contains(line))
                .fold(0, |set, (number, _)| set | 1u32 << number)
        };
        PaidLines {
            mover: set(&self.closed[self.side()]),
            opponent: set(&self.closed[1 - self.side()]),
        }
    }
}

/// All positions with their values.
fn minimax(variant: &Variant) -> Vec<(Known, Value)> {
    let start = Known::start(variant);
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let (mut all, mut next) = (vec![start], Vec::new());
    while next.len() < all.len() {
        let known = all[next.len()].clone();
        let mut reached = Vec::new();
        let mut turns = Vec::new();
        for (turn, after) in known.next(variant) {
            let number = *numbers.entry(after.clone()).or_insert_with(|| {
                all.push(after);
                all.len() - 1
            });
            reached.push(number);
            turns.push(turn);
        }
        let mut found = Vec::new();
        variant.remembering_turns(&known.position, known.paid(variant), &mut found);
        turns.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, turns);
        next.push(reached);
    }
    let end = |known: &Known| match variant.ending(&known.position) {
        Some(Outcome::Loss) => Value::Loss(0),
        _ => Value::Draw,
    };
    let mut values: Vec<Value> = all.iter().map(end).collect();
    loop {
        let look = |number: usize| {
            let best = next[number].iter().map(|&after| values[after].before());
            best.max_by_key(|&value| preference(value))
                .unwrap_or(values[number])
        };
        let further: Vec<Value> = (0..all.len()).map(look).collect();
        if further == values {
            return all.into_iter().zip(values).collect();
        }
        values = further;
    }
}

fn preference(value: Value) -> i32 {
    match value {
        Value::Win(plies) => 100_000 - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies) - 100_000,
    }
}

/// Compares every position. Tells how many there are, and of how many memories the value depends on.
fn compare(variant: &Variant) -> (usize, usize) {
    let solution = solve_remembering(variant, &Options::default(), |_, _| ()).unwrap();
    let all = minimax(variant);
    let mut by_position: HashMap<Position, Vec<Value>> = HashMap::new();
    for (known, value) in &all {
        // Games end there, so they are not listed.
        if known.position.mover_total() < 3 {
            continue;
        }
        let found = solution.value(&known.position, known.paid(variant));
        assert_eq!(
            found,
            Some(*value),
            "{}\n{:?}",
            variant.to_toml(),
            known.position
        );
        by_position.entry(known.position).or_default().push(*value);
    }
    assert_eq!(solution.start(), Some(all[0].1));
    let total = |counts: SectorCounts| counts.win + counts.draw + counts.loss;
    let counted: u64 = solution.counts().into_values().map(total).sum();
    assert_eq!(counted, solution.position_count());
    let depends = |values: &&Vec<Value>| values.iter().any(|value| *value != values[0]);
    (all.len(), by_position.values().filter(depends).count())
}

fn variant(board: Board, rules: Rules) -> Variant {
    Variant {
        id: "tiny".to_owned(),
        name: String::new(),
        note: String::new(),
        board,
        rules,
    }
}

/// A generator of numbers below a bound, always the same ones for a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A path of eight points with a few more slides, and three or four lines.
fn random_board(numbers: &mut Numbers) -> Board {
    let count = 8;
    let describe = |p: usize| BoardPoint {
        label: format!("a{p}"),
        x: p as f32,
        y: 0.0,
    };
    let mut lines: Vec<Vec<usize>> = Vec::new();
    while lines.len() < 3 {
        let mut line: Vec<usize> = (0..3).map(|_| numbers.below(count)).collect();
        line.sort_unstable();
        line.dedup();
        if line.len() == 3 && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let mut slides: Vec<(usize, usize)> = (1..count).map(|p| (p - 1, p)).collect();
    while slides.len() < count + 1 {
        let (a, b) = (numbers.below(count), numbers.below(count));
        if a < b && !slides.contains(&(a, b)) {
            slides.push((a, b));
        }
    }
    let points = (0..count).map(describe).collect();
    Board::new(points, lines, slides, vec![(0..count).collect()]).unwrap()
}

#[test]
fn random_boards_under_random_rules() {
    let mut depends = 0;
    for seed in 1..=10u64 {
        let mut numbers = Numbers(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let rules = Rules {
            mills_pay_once: true,
            captures_per_double_mill: numbers.pick(&[1, 2]),
            protection: numbers.pick(&[
                Protection::UnlessAllInMills,
                Protection::Never,
                Protection::Any,
                Protection::UnlessThreeLeft,
            ]),
            flying: numbers.pick(&[false, true]),
            blocked: numbers.pick(&[Blocked::Loses, Blocked::Draws, Blocked::Passes]),
            placing: numbers.pick(&[Placing::PlaceOnly, Placing::PlaceOnly, Placing::PlaceOrMove]),
            ..Rules::new(4)
        };
        let board = random_board(&mut numbers);
        let (positions, matters) = compare(&variant(board, rules));
        println!("seed {seed}: {rules:?}: {positions} positions, memory matters in {matters}");
        depends += matters;
    }
    assert!(depends > 100, "memory hardly matters: {depends}");
}

#[test]
fn a_line_pays_each_side_once() {
    let game = Variant::builtin("six-once").unwrap();
    let point = |label: &str| game.board.point(label).unwrap() as u8;
    let (mut position, mut paid) = (game.start(), PaidLines::default());
    let mut play = |from: Option<&str>, to: &str, removed: &str| {
        let removed = game.board.point(removed).map_or(0, |p| 1 << p);
        let (from, to) = (from.map(point), Some(point(to)));
        let turn = Turn { from, to, removed };
        let mut turns = Vec::new();
        game.remembering_turns(&position, paid, &mut turns);
        assert!(
            turns.contains(&turn),
            "{}",
            game.board.labels(1 << turn.to.unwrap())
        );
        (position, paid) = (
            game.play(&position, &turn),
            game.remember(&position, paid, &turn),
        );
        turns.len()
    };
    for (to, removed) in [("a1", ""), ("b2", ""), ("c1", ""), ("d3", ""), ("e1", "b2")] {
        play(None, to, removed);
    }
    // Black closes a line as well and takes a man for it.
    for (to, removed) in [("d2", ""), ("a3", ""), ("d4", "a3")] {
        play(None, to, removed);
    }
    // Both open their lines and close them again: nobody is taken.
    play(Some("e1"), "e3", "");
    play(Some("d3"), "b3", "");
    play(Some("e3"), "e1", "");
    play(Some("b3"), "d3", "");
    // Another line pays: a1 a3 a5.
    play(Some("c1"), "a3", "");
    play(Some("d3"), "b3", "");
    play(Some("e1"), "a5", "b3");
    assert_eq!(game.ending(&position), Some(Outcome::Loss));
}

#[test]
fn what_can_be_remembered_is_counted_before_any_work() {
    let nine = Variant::builtin("nine").unwrap();
    let mut once = nine.clone();
    once.rules.mills_pay_once = true;
    let refused = solve_remembering(&once, &Options::default(), |_, _| panic!("work was done"));
    assert!(matches!(refused, Err(PlainError::TooLarge { .. })));
    // The count is of what there can be, never less than what there is.
    let small = Variant::builtin("six-once").unwrap();
    let most = millbase::solve::plain::check_remembering_size(&small, &Options::default()).unwrap();
    let solution = solve_remembering(&small, &Options::default(), |_, _| ()).unwrap();
    let met = solution.position_count();
    println!("{met} positions of at most {most}");
    assert!(met <= most);
}
