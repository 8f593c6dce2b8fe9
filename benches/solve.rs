//! Speed of solving into a database, in distinct positions per second: six men's morris as a whole, its
//! board with four men by the plain solver, and the movement sectors of nine men's morris up to five
//! men a side. What comes out is checked each time.
//!
//! ```text
//! cargo bench --bench solve -- --quick six   the six-men game, roughly
//! cargo bench --bench solve -- --test        all once, without timing
//! ```

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use millbase::cpu::Level;
use millbase::database::{Contents, DatabaseWriter};
use millbase::game::{Position, Sector, Variant};
use millbase::solve::cube;
use millbase::solve::{Silent, plain};
use millbase::value::{Score, Value};

/// Of a sector: men of the mover and the opponent, and positions won, lost and drawn for the mover.
type Counts = [u64; 5];

/// The movement sectors of nine with at most `men` men a side, by the published table.
fn published(men: u64) -> Vec<Counts> {
    let table = include_str!("../data/reference/nine-movement.tsv");
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let number = |field: &str| field.parse().expect("the table holds numbers");
    let mut rows: Vec<Counts> = lines
        .map(|line| {
            let fields: Vec<u64> = line.split('\t').take(5).map(number).collect();
            fields.try_into().expect("the table has five columns")
        })
        .filter(|row: &Counts| row[0].max(row[1]) <= men)
        .collect();
    rows.sort_unstable();
    rows
}

/// The sectors in a database.
fn counts(store: &DatabaseWriter) -> Vec<Counts> {
    let records = store.records();
    let mut rows: Vec<Counts> = records
        .iter()
        .map(|record| {
            let (sector, statistics) = (record.sector, &record.statistics);
            let (mover, opponent) = (sector.mover.into(), sector.opponent.into());
            let (win, loss, draw) = (statistics.win, statistics.loss, statistics.draw);
            [mover, opponent, win, loss, draw]
        })
        .collect();
    rows.sort_unstable();
    rows
}

fn positions(counts: &[Counts]) -> u64 {
    counts.iter().flat_map(|row| &row[2..]).sum()
}

/// Solves into a temporary database, which `check` may look at.
fn cube<T>(
    variant: &Variant,
    level: Level,
    men_up_to: Option<u8>,
    check: impl Fn(&DatabaseWriter) -> T,
) -> T {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = DatabaseWriter::create(
        &folder.path().join("db"),
        variant,
        Contents::Distances,
        DatabaseWriter::DEFAULT_LEVEL,
    )
    .expect("an empty folder");
    let wanted = |sector: &Sector| {
        let few = |men| sector.in_hand() == 0 && sector.mover.max(sector.opponent) <= men;
        men_up_to.is_none_or(few)
    };
    let store = store.restricted_to(variant.sectors().into_iter().filter(wanted));
    let options = cube::Options {
        men_up_to,
        level,
        ..cube::Options::default()
    };
    cube::solve(variant, &store, &options, &Silent).expect("the game is solved");
    check(&store)
}

fn value_of(store: &DatabaseWriter, position: &Position) -> Value {
    let cell = store.index().rank(position) as usize;
    let file = store
        .open_sector(position.sector())
        .expect("it was written");
    Score(file.read().expect("it is whole")[cell]).value()
}

/// The whole game, with each instruction set.
fn six(criterion: &mut Criterion) {
    let six = Variant::builtin("six").expect("built in");
    let start = six.start();
    let mut group = criterion.benchmark_group("solve six");
    let wanted = cube(&six, Level::Portable, None, counts);
    group.throughput(Throughput::Elements(positions(&wanted)));
    for level in Level::available() {
        assert!(cube(&six, level, None, counts) == wanted, "{level:?}");
        group.bench_function(BenchmarkId::new("cube", format!("{level:?}")), |bencher| {
            bencher.iter(|| {
                let value = cube(&six, level, None, |store| value_of(store, &start));
                assert_eq!(value, Value::Draw);
            })
        });
    }
}

/// Its board with four men a side, both ways: what all the bitmaps are good for.
fn four_men(criterion: &mut Criterion) {
    let mut four = Variant::builtin("six").expect("built in");
    four.rules.men = 4;
    let mut group = criterion.benchmark_group("solve six with four men");
    let wanted = cube(&four, Level::best(), None, |store| {
        (counts(store), value_of(store, &four.start()))
    });
    group.throughput(Throughput::Elements(positions(&wanted.0)));
    group.bench_function("cube", |bencher| {
        bencher.iter(|| assert!(cube(&four, Level::best(), None, counts) == wanted.0))
    });
    group.bench_function("plain", |bencher| {
        bencher.iter(|| {
            let solved = plain::solve(&four, &plain::Options::default(), |_| ());
            let value = solved.expect("a small game").value(&four.start());
            assert_eq!(value, Some(wanted.1));
        })
    });
}

/// The movement sectors of nine up to five men a side, with the best instruction set.
fn nine(criterion: &mut Criterion) {
    let nine = Variant::builtin("nine").expect("built in");
    let wanted = published(5);
    let mut group = criterion.benchmark_group("solve nine");
    group.throughput(Throughput::Elements(positions(&wanted)));
    group.bench_function("movement up to 5-5", |bencher| {
        bencher.iter(|| assert_eq!(cube(&nine, Level::best(), Some(5), counts), wanted))
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(10));
    targets = six, four_men, nine
}
criterion_main!(benches);
