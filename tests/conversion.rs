//! Conversions against a search that has the count in its state, and the cube solver against the plain one.

use std::collections::BTreeMap;

use millbase::conversion::{Conversion, Metric};
use millbase::cpu::Level;
use millbase::database::{Cells, Contents, Database, DatabaseWriter};
use millbase::game::{
    Blocked, Board, BoardPoint, FullBoard, Placing, Position, Protection, Rules, Sector, Variant,
};
use millbase::index::SectorIndex;
use millbase::notation::read_position;
use millbase::probe::{Choice, CountedProber};
use millbase::random::Random;
use millbase::solve::{Silent, SolveOptions, cube, plain, solve};
use millbase::value::Outcome;
use millbase::verify::check;
use millbase::verify::consistency::Checker;

fn with_men(id: &str, men: u8) -> Variant {
    let mut variant = Variant::builtin(id).unwrap();
    variant.rules.men = men;
    variant
}

/// What every cell is worth at every count, by the rule itself.
///
/// The state is the position with its count. From a count of `limit` downwards each state is worth what the
/// best of its turns is worth; captures and placements lead to count 0 of a sector that is done.
struct Search<'a> {
    variant: &'a Variant,
    index: &'a SectorIndex,
    limit: u16,
    /// By sector: cells by count.
    done: BTreeMap<Sector, Vec<Vec<i8>>>,
}

/// Where a turn leads.
enum Next {
    /// To a result, whatever the count is.
    Sure(i8),
    /// To a cell with one more on the count: of the sector itself, or of its mirror.
    Counted(Sector, u64),
}

impl Search<'_> {
    fn ending(&self, position: &Position) -> Option<i8> {
        Some(match self.variant.ending(position)? {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        })
    }

    fn turns(&self, position: &Position) -> Vec<Next> {
        let turns = self.variant.turns(position);
        let next = turns.iter().map(|turn| {
            let next = self.variant.play(position, turn);
            let fewer = next.occupied().count_ones() < position.occupied().count_ones();
            if let Some(over) = self.ending(&next) {
                return Next::Sure(-over);
            }
            let cell = self.index.rank(&next);
            if fewer || position.sector().in_hand() > 0 {
                return Next::Sure(-self.done[&next.sector()][0][cell as usize]);
            }
            Next::Counted(next.sector(), cell)
        });
        next.collect()
    }

    /// Does the sectors of equal hands and equal men on the board together.
    fn group(&mut self, sectors: &[Sector]) {
        let mut cells = Vec::new();
        for &sector in sectors {
            for cell in 0..self.index.len(sector) {
                let position = sector.position(self.index.unrank(sector, cell));
                cells.push((sector, self.ending(&position), self.turns(&position)));
            }
        }
        let empty = |sector: Sector| vec![0; self.index.len(sector) as usize];
        let counts = usize::from(self.limit) + 1;
        let mut found: BTreeMap<Sector, Vec<Vec<i8>>> = sectors
            .iter()
            .map(|&s| (s, vec![empty(s); counts]))
            .collect();
        for count in (0..counts).rev() {
            let mut at = BTreeMap::new();
            for (sector, over, turns) in &cells {
                let worth = |next: &Next| match next {
                    Next::Sure(value) => *value,
                    Next::Counted(sector, cell) => -found[sector][count + 1][*cell as usize],
                };
                let value = match over {
                    Some(over) => *over,
                    None if count == counts - 1 && sector.in_hand() == 0 => 0,
                    None => turns.iter().map(worth).max().unwrap(),
                };
                let cell = at.entry(*sector).or_insert(0usize);
                found.get_mut(sector).unwrap()[count][*cell] = value;
                *cell += 1;
            }
        }
        self.done.append(&mut found);
    }
}

/// Searches all of these sectors of a game in which men only move when all are placed.
fn search<'a>(
    variant: &'a Variant,
    index: &'a SectorIndex,
    sectors: &[Sector],
    limit: u16,
) -> BTreeMap<Sector, Vec<Vec<i8>>> {
    assert_eq!(variant.rules.placing, Placing::PlaceOnly);
    let mut groups: BTreeMap<(u8, u8), Vec<Sector>> = BTreeMap::new();
    for &sector in sectors {
        let key = (sector.in_hand(), sector.mover + sector.opponent);
        groups.entry(key).or_default().push(sector);
    }
    let mut search = Search {
        variant,
        index,
        limit,
        done: BTreeMap::new(),
    };
    for group in groups.values() {
        search.group(group);
    }
    search.done
}

fn number(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// Solves with the chosen solver and compares every position and every count with the search.
fn compare_with_search(variant: &Variant, men_up_to: Option<u8>, limit: u16) {
    let options = SolveOptions {
        metric: Metric::Conversion { limit: Some(limit) },
        men_up_to,
        ..SolveOptions::default()
    };
    let folder = tempfile::tempdir().unwrap();
    solve(variant, folder.path(), &options, &Silent).unwrap();
    let database = Database::open(folder.path()).unwrap();
    let sectors = options.sectors(variant).unwrap();
    let found = search(variant, database.index(), &sectors, limit);
    let mut decided = 0;
    for (sector, counts) in &found {
        let counts = match sector.in_hand() {
            0 => &counts[..],
            _ => &counts[..1],
        };
        for cell in 0..database.index().len(*sector) {
            let stored = database.conversion(*sector, cell).unwrap();
            for (since, values) in (0..).zip(counts) {
                let told = stored.with_left(Some(limit - since));
                assert_eq!(
                    number(told.outcome),
                    values[cell as usize],
                    "{} limit {limit}: sector {sector}, cell {cell}, count {since}: {stored}",
                    variant.id
                );
                decided += u64::from(told.outcome != Outcome::Draw);
            }
        }
    }
    assert!(decided > 0, "nothing was compared");
}

#[test]
fn six_with_few_men_at_every_count() {
    let six = Variant::builtin("six").unwrap();
    for limit in [1, 2, 5, 10, 30] {
        compare_with_search(&six, Some(4), limit);
    }
}

/// Men in hand, too: the whole game with four men.
#[test]
fn a_whole_small_game_at_every_count() {
    for limit in [3, 12] {
        compare_with_search(&with_men("six", 4), None, limit);
    }
}

#[test]
fn other_rules_at_every_count() {
    let base = with_men("six", 4);
    let change = |change: fn(&mut Rules)| {
        let mut variant = base.clone();
        change(&mut variant.rules);
        variant
    };
    let variants = [
        change(|rules| rules.protection = Protection::Never),
        change(|rules| rules.protection = Protection::UnlessThreeLeft),
        change(|rules| rules.captures_per_double_mill = 2),
        change(|rules| rules.flying = false),
        change(|rules| rules.blocked = Blocked::Draws),
    ];
    for variant in variants {
        compare_with_search(&variant, Some(4), 7);
    }
    // A game in which a mill wins goes to the plain solver and has no captures at all.
    for limit in [1, 4, 9] {
        compare_with_search(&Variant::builtin("three").unwrap(), None, limit);
    }
}

/// Solves both ways and compares all cells, in these instruction sets. Returns the values that occur.
fn compare_solvers(
    variant: &Variant,
    men_up_to: Option<u8>,
    limit: Option<u16>,
    levels: &[Level],
) -> Vec<(Outcome, u16)> {
    let options = SolveOptions {
        metric: Metric::Conversion { limit },
        men_up_to,
        ..SolveOptions::default()
    };
    let sectors = options.sectors(variant).unwrap();
    let plain_options = plain::Options {
        sectors: Some(sectors.clone()),
        metric: options.metric,
        ..plain::Options::default()
    };
    let oracle = plain::solve(variant, &plain_options, |_: &plain::Progress| {}).unwrap();
    let counting = oracle.counting().unwrap();
    for &level in levels {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("db");
        let store = DatabaseWriter::create(&dir, variant, Contents::Conversions, 1).unwrap();
        let cube_options = cube::Options {
            men_up_to,
            no_capture_limit: limit,
            level,
            ..cube::Options::default()
        };
        cube::solve(variant, &store, &cube_options, &Silent).unwrap();
        assert_eq!(
            store.counting(),
            Some(&counting),
            "{}, limit {limit:?}",
            variant.id
        );
        for &sector in &sectors {
            let file = store.open_sector(sector).unwrap();
            let index = store.index();
            if sector.in_hand() == 0 {
                let wanted = oracle.counted_scores(sector, index, &counting).unwrap();
                let found = file.read().unwrap();
                let differs = (0..wanted.len()).find(|&cell| wanted[cell] != found[cell]);
                if let Some(cell) = differs {
                    let value = |byte| counting.conversion(millbase::value::Score(byte));
                    let (mover, opponent) = index.unrank(sector, cell as u64);
                    panic!(
                        "{}, limit {limit:?}, {level:?}, sector {sector}, cell {cell}: mover {mover:#x}, opponent \
                         {opponent:#x}: {:?} instead of {:?}",
                        variant.id,
                        value(found[cell]),
                        value(wanted[cell])
                    );
                }
            } else {
                let wanted = oracle.results(sector, index).unwrap();
                let (win, loss) = file.read_planes().unwrap();
                for (cell, &score) in wanted.iter().enumerate() {
                    let bit = |plane: &[u64]| plane[cell / 64] >> (cell % 64) & 1 == 1;
                    let found = (bit(&win), bit(&loss));
                    assert_eq!(
                        found,
                        (score > 128, score < 128),
                        "sector {sector}, cell {cell}"
                    );
                }
            }
        }
    }
    counting.values().collect()
}

#[test]
fn the_cube_solver_agrees_on_six() {
    let best = [Level::best()];
    for limit in [None, Some(1), Some(6)] {
        compare_solvers(&with_men("six", 4), None, limit, &best);
    }
    compare_solvers(&with_men("six", 4), None, Some(9), &Level::available());
    for limit in [None, Some(12)] {
        compare_solvers(&with_men("six", 5), Some(5), limit, &best);
    }
}

#[test]
fn the_cube_solver_agrees_on_nine_with_four_men() {
    let nine = Variant::builtin("nine").unwrap();
    compare_solvers(&nine, Some(4), None, &[Level::best()]);
}

fn random_variant(seed: u64, random: &mut Random) -> Variant {
    let points = 9 + seed % 8;
    let labels = (0..points).map(|p| BoardPoint {
        label: format!("p{p}"),
        x: p as f32,
        y: 0.0,
    });
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for _ in 0..4 + random.below(points / 2) {
        let mut line: Vec<usize> = (0..3).map(|_| random.below(points) as usize).collect();
        line.sort_unstable();
        line.dedup();
        if line.len() == 3 && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let mut slides = Vec::new();
    for _ in 0..points + random.below(points) {
        let (a, b) = (random.below(points) as usize, random.below(points) as usize);
        if a < b && !slides.contains(&(a, b)) {
            slides.push((a, b));
        }
    }
    let order = vec![(0..points as usize).collect()];
    let mut rules = Rules::new(3 + random.below(2) as u8);
    rules.protection = [
        Protection::UnlessAllInMills,
        Protection::Never,
        Protection::Any,
        Protection::UnlessThreeLeft,
    ][random.below(4) as usize];
    rules.blocked = [Blocked::Loses, Blocked::Draws][random.below(2) as usize];
    rules.full_board = [FullBoard::Draws, FullBoard::MoverLoses][random.below(2) as usize];
    rules.flying = random.below(2) == 1;
    rules.captures_per_double_mill = 1 + random.below(2) as u8;
    Variant {
        id: format!("random-{seed}"),
        name: "A random board".into(),
        note: String::new(),
        board: Board::new(labels.collect(), lines, slides, order).unwrap(),
        rules,
    }
}

#[test]
fn the_cube_solver_agrees_on_random_boards_under_random_switches() {
    // Wins that end in a capture by the loser: in an even number of plies.
    let mut captures_by_losers = 0;
    for seed in 1..=40 {
        let mut random = Random::new(seed);
        let variant = random_variant(seed, &mut random);
        let limit = Some(1 + random.below(30) as u16).filter(|_| random.below(3) > 0);
        eprintln!("seed {seed}: limit {limit:?}, {:?}", variant.rules);
        let values = compare_solvers(&variant, None, limit, &[Level::best()]);
        let is_win = |value: &&(Outcome, u16)| value.0 == Outcome::Win;
        let wins = values.iter().filter(is_win);
        captures_by_losers += wins.filter(|(_, plies)| plies % 2 == 0).count();
    }
    assert!(captures_by_losers > 0);
}

/// Without a limit captures change no result, and none is later than the end of the game.
#[test]
fn without_a_limit_results_are_those_of_the_game() {
    let six = Variant::builtin("six").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str, metric| {
        let options = SolveOptions {
            metric,
            men_up_to: Some(5),
            ..SolveOptions::default()
        };
        let dir = folder.path().join(name);
        solve(&six, &dir, &options, &Silent).unwrap();
        Database::open(&dir).unwrap()
    };
    let ends = made("end", Metric::End);
    let conversions = made("conversion", Metric::Conversion { limit: None });
    let mut sooner = 0;
    for record in &ends.manifest().sectors {
        for cell in 0..record.cells {
            let value = ends.score(record.sector, cell).unwrap().value();
            let conversion = conversions.conversion(record.sector, cell).unwrap();
            assert_eq!(conversion.outcome, value.outcome());
            assert!(conversion.plies <= value.plies());
            sooner += u64::from(conversion.plies < value.plies());
        }
    }
    assert!(sooner > 0);
    // Its answers under a limit that cuts nothing off are those of a database of that limit.
    let longest = conversions.counting().unwrap().longest();
    let limit = Some(longest);
    let limited = made("limited", Metric::Conversion { limit });
    for record in &ends.manifest().sectors {
        for cell in 0..record.cells {
            let same = |db: &Database| db.conversion(record.sector, cell).unwrap();
            assert_eq!(same(&conversions), same(&limited));
        }
    }
    assert!(CountedProber::new(&conversions, limit).is_ok());
    assert!(CountedProber::new(&conversions, Some(longest - 1)).is_err());
    assert!(CountedProber::new(&limited, Some(longest + 1)).is_err());
    assert!(CountedProber::new(&ends, limit).is_err());
}

/// Best play keeps what a position is worth and makes a capture in the plies it says.
#[test]
fn turns_are_worth_what_they_lead_to_at_the_next_count() {
    let six = with_men("six", 4);
    let limit = 12;
    let folder = tempfile::tempdir().unwrap();
    let options = SolveOptions {
        metric: Metric::Conversion { limit: Some(limit) },
        ..SolveOptions::default()
    };
    solve(&six, folder.path(), &options, &Silent).unwrap();
    let database = Database::open(folder.path()).unwrap();
    let prober = CountedProber::new(&database, None).unwrap();
    assert_eq!(prober.limit(), Some(limit));
    let sectors = database.manifest().sectors.iter().map(|r| r.sector);
    let moving: Vec<Sector> = sectors.filter(|s| s.in_hand() == 0).collect();
    let mut random = Random::new(7);
    let (mut lines, mut by_count) = (0, 0);
    for _ in 0..2000 {
        let sector = moving[random.below(moving.len() as u64) as usize];
        let cell = random.below(database.index().len(sector));
        let position = sector.position(database.index().unrank(sector, cell));
        let since = random.below(u64::from(limit) + 1) as u16;
        let value = prober.value(&position, 0, since).unwrap().known().unwrap();
        let stored = database.conversion(sector, cell).unwrap();
        by_count += u64::from(value != stored);
        let ranked = prober.ranked(&position, 0, since).unwrap();
        let over = six.ending(&position).is_some();
        assert_eq!(ranked.is_empty(), over || since == limit);
        if let Some(best) = ranked.first() {
            assert_eq!(best.answer.known(), Some(value), "{position:?} at {since}");
        }
        if value.outcome == Outcome::Draw || ranked.is_empty() {
            continue;
        }
        let line = prober.line(&position, 0, since, 1000).unwrap();
        let takes = |choice: &Choice| matches!(choice, Choice::Turn(turn) if turn.removed != 0);
        let first = line.iter().position(takes).map_or(line.len(), |at| at + 1);
        assert_eq!(
            first,
            usize::from(value.plies.unwrap()),
            "{position:?} at {since}"
        );
        lines += 1;
    }
    assert!(
        lines > 50 && by_count > 10,
        "{lines} lines, {by_count} draws by the count"
    );
    let start = prober.value(&six.start(), 0, 0).unwrap().known().unwrap();
    assert_eq!(start.plies, None);
    assert!(prober.value(&six.start(), 0, 1).is_err());
    assert_eq!(Conversion::DRAW.with_left(Some(0)), Conversion::DRAW);
}

/// A right database passes the check against itself, and one with any cell altered does not.
#[test]
fn faults_are_found() {
    let six = with_men("six", 4);
    for limit in [None, Some(8)] {
        let folder = tempfile::tempdir().unwrap();
        let options = SolveOptions {
            metric: Metric::Conversion { limit },
            ..SolveOptions::default()
        };
        solve(&six, &folder.path().join("right"), &options, &Silent).unwrap();
        let right = Database::open(&folder.path().join("right")).unwrap();
        let wrong = |database: &Database| {
            let checker = Checker::new(database).unwrap();
            let sectors = database.manifest().sectors.iter();
            sectors
                .map(|record| checker.check(record.sector).unwrap().wrong)
                .sum::<u64>()
        };
        assert_eq!(wrong(&right), 0, "limit {limit:?}");
        let counting = right.counting().unwrap();
        let values: Vec<(Outcome, u16)> = counting.values().collect();
        let mut random = Random::new(u64::from(limit.unwrap_or(0)));
        for fault in 0..8 {
            let altered = Sector {
                mover: 3 + fault % 2,
                opponent: 3 + fault / 2 % 2,
                mover_hand: 0,
                opponent_hand: 0,
            };
            let dir = folder.path().join(format!("wrong-{fault}"));
            let store = DatabaseWriter::create(&dir, &six, Contents::Conversions, 1).unwrap();
            store.set_counting(counting.clone()).unwrap();
            for record in &right.manifest().sectors {
                let sector = record.sector;
                if sector.in_hand() > 0 {
                    let (win, loss) = &right.read_planes(sector).unwrap();
                    store
                        .write_sector(sector, Cells::Planes { win, loss })
                        .unwrap();
                    continue;
                }
                let mut scores = right.read_sector(sector).unwrap();
                if sector == altered {
                    // Of a game that is over the rules tell. A few positions have more than one cell.
                    let index = right.index();
                    let cell = loop {
                        let cell = random.below(record.cells);
                        if six.ending(&index.position(sector, cell)).is_none() {
                            break cell;
                        }
                    };
                    let asked = |cell| index.rank(&index.position(sector, cell));
                    let (outcome, plies) = values[random.below(values.len() as u64) as usize];
                    let score = counting.score(outcome, plies).unwrap().0;
                    let is_right = scores[cell as usize] == score;
                    for twin in (0..record.cells).filter(|&twin| asked(twin) == asked(cell)) {
                        scores[twin as usize] = if is_right { 128 } else { score };
                    }
                }
                store.write_sector(sector, Cells::Scores(&scores)).unwrap();
            }
            store.finish(serde_json::Value::Null).unwrap();
            let faulty = Database::open(&dir).unwrap();
            assert!(wrong(&faulty) > 0, "limit {limit:?}, fault {fault}");
            assert_wrong_positions_are_told(&faulty);
        }
    }
}

/// What is wrong is told in words: what the database says, and what the turns make of the position.
fn assert_wrong_positions_are_told(database: &Database) {
    let prober = CountedProber::new(database, None).unwrap();
    let findings = check(database, None, &Silent).unwrap();
    assert!(!findings.wrong_positions.is_empty());
    for wrong in &findings.wrong_positions {
        let stated = read_position(database.variant(), &wrong.position).unwrap();
        let position = stated.position;
        let stored = prober.value(&position, 0, 0).unwrap().known().unwrap();
        assert_eq!(wrong.stored, stored.to_string(), "{}", wrong.position);
        let ranked = prober.ranked(&position, 0, 0).unwrap();
        let recomputed = match ranked.first() {
            Some(best) => best.answer.known().unwrap().to_string(),
            None => {
                let outcome = database.variant().ending(&position).unwrap();
                match position.sector().in_hand() {
                    0 => format!("{outcome}, the game is over"),
                    _ => outcome.to_string(),
                }
            }
        };
        assert_eq!(wrong.recomputed, recomputed, "{}", wrong.position);
    }
}
