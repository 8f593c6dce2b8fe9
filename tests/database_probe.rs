//! Probing databases of small games that the plain solver solved: every answer is checked against the
//! solver and the generator of turns.

use std::collections::HashMap;

use millbase::database::{Cells, Contents, Database, DatabaseWriter, PackOptions, pack};
use millbase::game::{Position, Sector, Turn, Variant};
use millbase::probe::{Answer, Choice, ProbeError, Probed, Prober, Ranked};
use millbase::solve::plain::{self, PlainSolution};
use millbase::value::{Outcome, Score, Value};
use serde_json::json;
use tempfile::TempDir;

/// A solved game with its database.
struct Solved {
    variant: Variant,
    solution: PlainSolution,
    database: Database,
    _dir: TempDir,
}

impl Solved {
    /// The game in both forms of a database: plain, and packed with some sectors left to look-ahead.
    fn in_both_forms(variant: Variant, contents: Contents) -> [Solved; 2] {
        let plain = Solved::new(variant, contents);
        let dir = TempDir::new().unwrap();
        let options = PackOptions::default();
        let packed = pack(&plain.database, dir.path(), &options, &|_| (), &|_| ()).unwrap();
        assert!(packed.stored > 0 && packed.derived > 0, "{packed:?}");
        let packed = Solved {
            variant: plain.variant.clone(),
            solution: plain.solution.clone(),
            database: Database::open(dir.path()).unwrap(),
            _dir: dir,
        };
        [plain, packed]
    }

    fn new(variant: Variant, contents: Contents) -> Solved {
        let solution = plain::solve(&variant, &plain::Options::default(), |_| ()).unwrap();
        let dir = TempDir::new().unwrap();
        let writer = DatabaseWriter::create(dir.path(), &variant, contents, 1).unwrap();
        for sector in variant.sectors() {
            let value = |cell| solution.value(&position_of(&writer, sector, cell)).unwrap();
            let values: Vec<Value> = (0..writer.index().len(sector)).map(value).collect();
            write(&writer, sector, &values);
        }
        writer.finish(json!(null)).unwrap();
        let database = Database::open(dir.path()).unwrap();
        Solved {
            variant,
            solution,
            database,
            _dir: dir,
        }
    }

    /// Every `step`-th position of every sector.
    fn positions(&self, step: usize) -> impl Iterator<Item = Position> {
        self.variant.sectors().into_iter().flat_map(move |sector| {
            let cells = (0..self.database.index().len(sector)).step_by(step);
            cells.map(move |cell| {
                let (mover, opponent) = self.database.index().unrank(sector, cell);
                sector.position((mover, opponent))
            })
        })
    }
}

/// What an answer says; these databases lack nothing.
fn known(answer: Answer) -> Probed {
    answer.known().expect("the database has all sectors")
}

/// The outcome and plies of a ranked choice.
fn worth(ranked: &Ranked) -> (Outcome, Option<u16>) {
    let probed = known(ranked.answer);
    (probed.outcome, probed.plies)
}

fn position_of(writer: &DatabaseWriter, sector: Sector, cell: u64) -> Position {
    let (mover, opponent) = writer.index().unrank(sector, cell);
    sector.position((mover, opponent))
}

/// Writes values in the form that the database wants: whichever it takes.
fn write(writer: &DatabaseWriter, sector: Sector, values: &[Value]) {
    let scores: Vec<u8> = values
        .iter()
        .map(|&value| Score::from_value(value).unwrap().0)
        .collect();
    if writer.write_sector(sector, Cells::Scores(&scores)).is_ok() {
        return;
    }
    let plane = |wanted| -> Vec<u64> {
        let bit = |(i, value): (usize, &Value)| u64::from(value.outcome() == wanted) << i;
        values
            .chunks(64)
            .map(|word| word.iter().enumerate().map(bit).sum())
            .collect()
    };
    let (win, loss) = (plane(Outcome::Win), plane(Outcome::Loss));
    writer
        .write_sector(
            sector,
            Cells::Planes {
                win: &win,
                loss: &loss,
            },
        )
        .unwrap();
}

/// `six` with fewer men: captures, flying and both phases, in seconds.
fn small_six(men: u8) -> Variant {
    let mut six = Variant::builtin("six").unwrap();
    six.id = format!("six-{men}");
    six.rules.men = men;
    six
}

#[test]
fn every_position_is_worth_what_the_solver_says() {
    for (variant, step) in [
        (Variant::builtin("three-diagonal").unwrap(), 1),
        (small_six(3), 7),
    ] {
        for solved in Solved::in_both_forms(variant, Contents::Distances) {
            let prober = Prober::new(&solved.database);
            let positions: Vec<Position> = solved.positions(step).collect();
            let at_once = prober.values(&positions);
            for (position, at_once) in positions.iter().zip(at_once) {
                let expected = solved.solution.value(position).unwrap();
                let found = known(prober.value(position, 0).unwrap());
                assert_eq!(found, expected.into(), "{position:?}");
                assert_eq!(known(at_once.unwrap()), found, "{position:?}");
            }
        }
    }
}

#[test]
fn turns_are_ranked_by_what_they_lead_to() {
    for solved in Solved::in_both_forms(small_six(3), Contents::Distances) {
        let prober = Prober::new(&solved.database);
        let mut kinds = HashMap::new();
        for position in solved.positions(101) {
            let ranked = prober.ranked(&position, 0).unwrap();
            let mut turns: Vec<Choice> = ranked.iter().map(|ranked| ranked.choice).collect();
            turns.sort();
            let mut expected: Vec<Choice> = solved
                .variant
                .turns(&position)
                .into_iter()
                .map(Choice::Turn)
                .collect();
            expected.sort();
            assert_eq!(turns, expected);

            for ranked in &ranked {
                let Choice::Turn(turn) = ranked.choice else {
                    panic!("{ranked:?}")
                };
                let reached = solved.variant.play(&position, &turn);
                let over = solved.variant.ending(&reached);
                let value = match over {
                    Some(Outcome::Loss) => Value::Loss(0),
                    Some(outcome) => panic!("the game ends as a {outcome} for {reached:?}"),
                    None => solved.solution.value(&reached).unwrap(),
                };
                let probed = known(ranked.answer);
                assert_eq!(probed, value.before().into());
                *kinds.entry((probed.outcome, over.is_some())).or_insert(0) += 1;
            }
            assert!(ranked.is_sorted_by(|a, b| no_worse(worth(a), worth(b))));
            if let Some(best) = ranked.first() {
                let value = prober.value(&position, 0).unwrap();
                assert_eq!(best.answer, value, "{position:?}");
            }
        }
        // All kinds of turns were met: to wins, draws and losses, and to the end of the game.
        assert_eq!(kinds.len(), 4, "{kinds:?}");
    }
}

/// Short wins before long ones, draws, long losses before short ones.
fn no_worse((a, a_plies): (Outcome, Option<u16>), (b, b_plies): (Outcome, Option<u16>)) -> bool {
    a > b
        || a == b
            && match a {
                Outcome::Win => a_plies <= b_plies,
                Outcome::Draw => true,
                Outcome::Loss => a_plies >= b_plies,
            }
}

#[test]
fn a_position_with_a_removal_due_is_worth_its_best_removal() {
    for solved in Solved::in_both_forms(small_six(4), Contents::Distances) {
        let prober = Prober::new(&solved.database);
        let mut asked = 0;
        for position in solved.positions(307) {
            for (from, to) in solved.variant.steps(&position) {
                let due = solved.variant.removals_due(&position, from, to);
                if due == 0 || solved.variant.ending(&position).is_some() {
                    continue;
                }
                let closed = solved.variant.step(&position, from, to);
                let ranked = prober.ranked(&closed, due).unwrap();
                // The same removals as those of the complete turns that close this mill, worth the same.
                let turns = prober.ranked(&position, 0).unwrap();
                let same_step = |turn: &Turn| (turn.from, turn.to) == (from, Some(to));
                let expected: Vec<_> = turns
                    .iter()
                    .filter_map(|ranked| match ranked.choice {
                        Choice::Turn(turn) if same_step(&turn) => {
                            Some((Choice::Removal(turn.removed), ranked.answer))
                        }
                        _ => None,
                    })
                    .collect();
                let found: Vec<_> = ranked
                    .iter()
                    .map(|ranked| (ranked.choice, ranked.answer))
                    .collect();
                assert_eq!(found, expected);
                assert_eq!(prober.value(&closed, due).unwrap(), found[0].1);
                asked += 1;
            }
        }
        assert!(asked > 100, "{asked} positions with a removal due");
    }
}

#[test]
fn lines_end_the_game_when_the_value_says() {
    for solved in Solved::in_both_forms(small_six(3), Contents::Distances) {
        let prober = Prober::new(&solved.database);
        let mut longest = 0;
        for mut position in solved.positions(997) {
            let value = known(prober.value(&position, 0).unwrap());
            let line = prober.line(&position, 0, 1000).unwrap();
            assert_eq!(line.len(), usize::from(value.plies.unwrap_or(0)));
            longest = longest.max(line.len());
            assert_eq!(
                prober.line(&position, 0, 2).unwrap(),
                line[..line.len().min(2)]
            );
            for choice in &line {
                let Choice::Turn(turn) = choice else {
                    panic!("{choice:?}")
                };
                assert!(solved.variant.is_legal(&position, turn));
                position = solved.variant.play(&position, turn);
            }
            let over = solved.variant.ending(&position).is_some();
            assert_eq!(over, value.outcome != Outcome::Draw);
        }
        assert!(longest > 5, "the longest line has {longest} turns");
    }
}

#[test]
fn values_without_distances_rank_turns_all_the_same() {
    for solved in Solved::in_both_forms(
        Variant::builtin("three-diagonal").unwrap(),
        Contents::Values,
    ) {
        let prober = Prober::new(&solved.database);
        for position in solved.positions(1) {
            let value = known(prober.value(&position, 0).unwrap());
            assert_eq!(
                value.outcome,
                solved.solution.value(&position).unwrap().outcome()
            );
            // The rules alone know when the game is over.
            let over = solved
                .variant
                .ending(&position)
                .is_some_and(|outcome| outcome != Outcome::Draw);
            if over {
                assert_eq!(value.plies, Some(0));
            }
            let ranked = prober.ranked(&position, 0).unwrap();
            assert!(ranked.is_sorted_by(|a, b| worth(a).0 >= worth(b).0));
            // A win at once comes before wins that may take long.
            let at_once = |plies: Option<u16>| plies == Some(1);
            assert!(ranked.is_sorted_by(|a, b| {
                let (a, b) = (worth(a), worth(b));
                a.0 != b.0 || at_once(a.1) >= at_once(b.1)
            }));
            assert_eq!(prober.line(&position, 0, 100).unwrap(), []);
        }
        let start = prober.ranked(&solved.variant.start(), 0).unwrap();
        let wins = start
            .iter()
            .filter(|ranked| worth(ranked).0 == Outcome::Win)
            .count();
        assert_eq!((start.len(), wins), (9, 1));
    }
}

#[test]
fn what_is_no_position_is_refused() {
    let solved = Solved::new(Variant::builtin("three").unwrap(), Contents::Distances);
    let prober = Prober::new(&solved.database);
    let start = solved.variant.start();
    let two_men = Position {
        mover: 1,
        opponent: 3,
        ..start
    };
    let off_board = Position {
        mover: 1 << 9,
        ..start
    };
    for position in [two_men, off_board] {
        assert!(matches!(
            prober.value(&position, 0),
            Err(ProbeError::NotAPosition(_))
        ));
        assert!(matches!(
            prober.ranked(&position, 1),
            Err(ProbeError::NotAPosition(_))
        ));
    }
    // More men than the game has.
    let crowded = Position {
        mover: 0b1111,
        opponent: 0b10000,
        ..start
    };
    let error = prober.value(&crowded, 0).unwrap_err().to_string();
    assert!(error.contains("has no sector 4-1+3-3"), "{error}");
}
