//! The cube solver against the plain one, cell by cell, and its databases against their own turns.

use millbase::cpu::Level;
use millbase::database::{Contents, Database, DatabaseWriter};
use millbase::game::{
    Blocked, Board, BoardPoint, FullBoard, MillPays, Placing, Protection, Rules, Sector, Variant,
};
use millbase::solve::{Silent, cube, plain};
use millbase::verify::consistency::Checker;
use serde_json::json;

/// Solves a variant both ways and compares all sectors, distances and values. What the best instructions
/// have found is verified as well.
fn compare(variant: &Variant) {
    cube::supports(variant).expect("the cube solver knows the rules");
    let options = plain::Options::default();
    let oracle = plain::solve(variant, &options, &|_: &plain::Progress| {})
        .expect("the plain solver can hold the game");
    for level in Level::available() {
        for contents in [Contents::Distances, Contents::Values] {
            let folder = tempfile::tempdir().unwrap();
            let store =
                DatabaseWriter::create(&folder.path().join("db"), variant, contents, 1).unwrap();
            let options = cube::Options {
                level,
                ..Default::default()
            };
            cube::solve(variant, &store, &options, &Silent).expect("there is room");
            for sector in variant.sectors() {
                compare_sector(&oracle, &store, sector, level);
            }
            if level == Level::best() {
                verify(store);
            }
        }
    }
}

/// Recomputes every sector of a database from those its turns lead to.
fn verify(store: DatabaseWriter) {
    let dir = store.dir().to_owned();
    store.finish(json!(null)).unwrap();
    let database = Database::open(&dir).unwrap();
    let checker = Checker::new(&database).unwrap();
    for sector in database.variant().sectors() {
        let report = checker.check(sector).unwrap();
        assert_eq!(report.faults, [], "sector {sector}");
    }
}

fn compare_sector(
    oracle: &plain::PlainSolution,
    store: &DatabaseWriter,
    sector: Sector,
    level: Level,
) {
    let wanted = oracle
        .scores(sector, store.index())
        .expect("the oracle covers all sectors");
    let file = store.open_sector(sector).unwrap();
    match store.contents() {
        Contents::Distances => {
            let found = file.read().unwrap();
            let differs = wanted
                .iter()
                .zip(&found)
                .position(|(wanted, found)| wanted != found);
            if let Some(index) = differs {
                let (mover, opponent) = store.index().unrank(sector, index as u64);
                panic!(
                    "{level:?}, sector {sector}, cell {index}: mover {mover:#x}, opponent {opponent:#x}: \
                     score {} instead of {}",
                    found[index], wanted[index]
                );
            }
        }
        Contents::Values | Contents::Conversions => {
            let (win, loss) = file.read_planes().unwrap();
            for (index, &score) in wanted.iter().enumerate() {
                let bit = |plane: &[u64]| plane[index / 64] >> (index % 64) & 1 == 1;
                assert_eq!(
                    (bit(&win), bit(&loss)),
                    (score > 128, score < 128),
                    "{level:?}, sector {sector}, cell {index}"
                );
            }
        }
    }
}

fn with_men(id: &str, men: u8) -> Variant {
    let mut variant = Variant::builtin(id).unwrap();
    variant.rules.men = men;
    variant
}

#[test]
fn six_board_with_three_men() {
    compare(&with_men("six", 3));
}

#[test]
fn six_board_with_four_men() {
    compare(&with_men("six", 4));
}

#[test]
fn six_board_with_five_men() {
    compare(&with_men("six", 5));
}

#[test]
fn six() {
    compare(&with_men("six", 6));
}

/// A board that placing fills: nobody can move then, and the game is a draw or lost, as the rules say.
#[test]
fn full_boards() {
    let rules = [
        (FullBoard::Draws, Blocked::Loses),
        (FullBoard::MoverLoses, Blocked::Loses),
        (FullBoard::FirstPlayerLoses, Blocked::Loses),
        (FullBoard::MoverLoses, Blocked::Draws),
        (FullBoard::Draws, Blocked::Draws),
        (FullBoard::Draws, Blocked::Passes),
        (FullBoard::MoverLoses, Blocked::Passes),
    ];
    for (full_board, blocked) in rules {
        let mut variant = random_variant(9);
        let points = (0..8).map(|p| BoardPoint {
            label: format!("p{p}"),
            x: p as f32,
            y: 0.0,
        });
        let lines = vec![vec![0, 1, 2], vec![2, 3, 4], vec![4, 5, 6], vec![0, 6, 7]];
        let slides = (0..8)
            .map(|p| (p.min((p + 1) % 8), p.max((p + 1) % 8)))
            .collect();
        variant.board =
            Board::new(points.collect(), lines, slides, vec![(0..8).collect()]).unwrap();
        variant.rules = Rules::new(4);
        variant.rules.full_board = full_board;
        variant.rules.blocked = blocked;
        compare(&variant);
        // Who the first player was, a full board does not tell if men may have moved.
        if full_board != FullBoard::FirstPlayerLoses && blocked != Blocked::Passes {
            compare(&placing_or_moving(variant.clone()));
        }
        variant.rules.mill_pays = MillPays::Win;
        compare(&variant);
    }
}

/// Three lines that look the same from everywhere: 1,296 symmetries.
#[test]
fn many_symmetries() {
    let mut variant = random_variant(9);
    let points = (0..9).map(|p| BoardPoint {
        label: format!("p{p}"),
        x: p as f32,
        y: 0.0,
    });
    let lines = (0..3)
        .map(|line| (3 * line..3 * line + 3).collect())
        .collect();
    let slides = (0..9)
        .flat_map(|a| (a + 1..9).map(move |b| (a, b)))
        .collect();
    variant.board = Board::new(points.collect(), lines, slides, vec![(0..9).collect()]).unwrap();
    variant.rules = Rules::new(4);
    assert_eq!(variant.board.symmetries().len(), 1296);
    compare(&variant);
    compare(&placing_or_moving(variant));
}

/// All movement sectors of nine men's morris with at most four men a side.
#[test]
fn nine_up_to_four_men() {
    let nine = Variant::builtin("nine").unwrap();
    let options = plain::Options::movement(&nine, 4);
    let sectors = options.sectors.clone().unwrap();
    let oracle = plain::solve(&nine, &options, |_: &plain::Progress| {}).unwrap();
    for contents in [Contents::Distances, Contents::Values] {
        let folder = tempfile::tempdir().unwrap();
        let store = DatabaseWriter::create(&folder.path().join("db"), &nine, contents, 1).unwrap();
        let options = cube::Options {
            men_up_to: Some(4),
            ..Default::default()
        };
        cube::solve(&nine, &store, &options, &Silent).unwrap();
        for &sector in &sectors {
            compare_sector(&oracle, &store, sector, Level::best());
        }
    }
    assert_eq!(sectors.len(), 4);
}

/// A generator good enough to draw boards; seeded, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

fn random_variant(seed: u64) -> Variant {
    let mut random = Random(seed);
    let points = 9 + seed as usize % 8;
    let labels = (0..points).map(|p| BoardPoint {
        label: format!("p{p}"),
        x: p as f32,
        y: 0.0,
    });
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for _ in 0..4 + random.below(points / 2) {
        let mut line = vec![
            random.below(points),
            random.below(points),
            random.below(points),
        ];
        line.sort_unstable();
        line.dedup();
        if line.len() == 3 && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let mut slides: Vec<(usize, usize)> = Vec::new();
    for _ in 0..points + random.below(points) {
        let (a, b) = (random.below(points), random.below(points));
        if a < b && !slides.contains(&(a, b)) {
            slides.push((a, b));
        }
    }
    let board = Board::new(labels.collect(), lines, slides, vec![(0..points).collect()]).unwrap();
    let mut rules = Rules::new(3 + random.below(2) as u8);
    rules.flying = !seed.is_multiple_of(3);
    Variant {
        id: format!("random-{seed}"),
        name: "A random board".into(),
        note: String::new(),
        board,
        rules,
    }
}

#[test]
fn random_boards() {
    for seed in 1..=16 {
        let variant = random_variant(seed);
        eprintln!(
            "seed {seed}: {} points, {} men, {} symmetries",
            variant.board.point_count(),
            variant.rules.men,
            variant.board.symmetries().len()
        );
        compare(&variant);
    }
}

/// Every rule of protection on a board where mills are common enough for it to matter.
#[test]
fn rules_of_protection() {
    for protection in PROTECTIONS {
        let mut variant = with_men("six", 4);
        variant.rules.protection = protection;
        compare(&variant);
    }
}

/// Two men for two mills at once, under every rule of protection.
#[test]
fn two_men_for_two_mills() {
    for protection in PROTECTIONS {
        let mut variant = with_men("six", 5);
        variant.rules.protection = protection;
        variant.rules.captures_per_double_mill = 2;
        compare(&variant);
    }
}

/// The first mill wins: games of all sizes, on boards small and large.
#[test]
fn the_first_mill_wins() {
    for (id, men) in [
        ("three", 1),
        ("three", 2),
        ("three", 3),
        ("achi", 4),
        ("six", 6),
        ("nine", 3),
    ] {
        let mut variant = with_men(id, men);
        variant.rules.mill_pays = MillPays::Win;
        compare(&variant);
    }
}

/// Sides that cannot move pass: on these boards that happens often.
#[test]
fn blocked_sides_pass() {
    for flying in [false, true] {
        let mut variant = with_men("six", 5);
        variant.rules.flying = flying;
        variant.rules.blocked = Blocked::Passes;
        compare(&variant);
    }
    let mut first_mill = with_men("three", 4);
    first_mill.rules.mill_pays = MillPays::Win;
    first_mill.rules.blocked = Blocked::Passes;
    compare(&first_mill);
}

const PROTECTIONS: [Protection; 4] = [
    Protection::UnlessAllInMills,
    Protection::Never,
    Protection::Any,
    Protection::UnlessThreeLeft,
];

/// Lasker's rule: men may move while others are still in hand.
fn placing_or_moving(mut variant: Variant) -> Variant {
    variant.rules.placing = Placing::PlaceOrMove;
    variant
}

#[test]
fn lasker_on_the_six_board_with_three_men() {
    compare(&placing_or_moving(with_men("six", 3)));
}

#[test]
fn lasker_on_the_six_board_with_five_men() {
    compare(&placing_or_moving(with_men("six", 5)));
}

#[test]
fn lasker_on_the_six_board_with_four_men() {
    for (protection, captures) in [(Protection::UnlessAllInMills, 1), (Protection::Never, 2)] {
        let mut variant = placing_or_moving(with_men("six", 4));
        variant.rules.protection = protection;
        variant.rules.captures_per_double_mill = captures;
        compare(&variant);
    }
}

#[test]
fn random_boards_under_random_switches() {
    for seed in 101..=140 {
        let (mut variant, mut random) = (random_variant(seed), Random(seed));
        let rules = &mut variant.rules;
        rules.protection = PROTECTIONS[random.below(4)];
        rules.blocked = [Blocked::Loses, Blocked::Draws, Blocked::Passes][random.below(3)];
        rules.full_board = [
            FullBoard::Draws,
            FullBoard::MoverLoses,
            FullBoard::FirstPlayerLoses,
        ][random.below(3)];
        rules.flying = random.below(2) == 1;
        rules.captures_per_double_mill = 1 + random.below(2) as u8;
        if random.below(4) == 0 {
            rules.mill_pays = MillPays::Win;
            rules.men = 1 + random.below(4) as u8;
        }
        let may_move = random.below(2) == 1
            && rules.full_board != FullBoard::FirstPlayerLoses
            && rules.mill_pays == MillPays::Capture
            && rules.blocked != Blocked::Passes;
        if may_move {
            rules.placing = Placing::PlaceOrMove;
        }
        eprintln!("seed {seed}: {rules:?}");
        compare(&variant);
    }
}
