//! How long a look-up takes in a packed database, each answer checked against the value it must have.
//!
//! Without more it makes a small database of its own, the sectors of nine with at most four men. For a
//! real one, packed and unpacked, and to keep the figures:
//!
//! ```text
//! MILLBASE_DB=nine-packed MILLBASE_PLAIN=nine-db MILLBASE_RECORD=figures.json cargo bench --bench probe
//! ```

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use millbase::database::{Contents, Database, Io, OpenOptions, PackOptions, pack};
use millbase::game::{Position, Sector, Variant};
use millbase::probe::{Answer, Prober};
use millbase::random::Random;
use millbase::solve::{Silent, SolveOptions, solve};
use millbase::value::Outcome;
use serde_json::json;
use tempfile::TempDir;

/// A position with the result it must have, from the unpacked database.
#[derive(Clone, Copy)]
struct Asked {
    position: Position,
    expected: Outcome,
}

struct Games {
    packed: PathBuf,
    plain: PathBuf,
    _made: Option<TempDir>,
}

fn games() -> Games {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
    if let (Some(packed), Some(plain)) = (named("MILLBASE_DB"), named("MILLBASE_PLAIN")) {
        return Games {
            packed,
            plain,
            _made: None,
        };
    }
    let made = TempDir::new().unwrap();
    let (plain, packed) = (made.path().join("plain"), made.path().join("packed"));
    let options = SolveOptions {
        men_up_to: Some(4),
        ..SolveOptions::default()
    };
    let nine = Variant::builtin("nine").unwrap();
    solve(&nine, &plain, &options, &Silent).unwrap();
    let database = Database::open(&plain).unwrap();
    pack(
        &database,
        &packed,
        &PackOptions::default(),
        &|_| (),
        &|_| (),
    )
    .unwrap();
    Games {
        packed,
        plain,
        _made: Some(made),
    }
}

/// Positions drawn from all cells of the sectors that are stored, or of those that are not.
fn positions(
    packed: &Database,
    plain: &Path,
    derived: bool,
    count: usize,
    seed: u64,
) -> Vec<Asked> {
    let records = packed.manifest().sectors.iter();
    let sectors: Vec<(Sector, u64)> = records
        .filter(|record| record.derived == derived)
        .map(|record| (record.sector, record.cells))
        .collect();
    let all: u64 = sectors.iter().map(|(_, cells)| cells).sum();
    let mut random = Random::new(seed);
    let mut draw = |_| {
        let mut number = random.below(all);
        let (sector, cell) = sectors
            .iter()
            .find_map(|&(sector, cells)| match number.checked_sub(cells) {
                None => Some((sector, number)),
                Some(rest) => {
                    number = rest;
                    None
                }
            })
            .unwrap();
        sector.position(packed.index().unrank(sector, cell))
    };
    let positions: Vec<Position> = (0..count).map(&mut draw).collect();
    let plain = Database::open(plain).unwrap();
    let answers = Prober::new(&plain).values(&positions);
    let asked = positions.into_iter().zip(answers);
    asked
        .map(|(position, answer)| Asked {
            position,
            expected: outcome(answer.unwrap()),
        })
        .collect()
}

fn outcome(answer: Answer) -> Outcome {
    answer.known().expect("the databases lack nothing").outcome
}

fn ask(prober: &Prober<'_>, asked: &Asked) {
    let found = outcome(prober.value(black_box(&asked.position), 0).unwrap());
    assert_eq!(found, asked.expected, "{:?}", asked.position);
}

fn open(packed: &Path, io: Io, cache_bytes: u64) -> Database {
    let options = OpenOptions {
        io,
        cache_bytes,
        ..OpenOptions::default()
    };
    Database::open_with(packed, options).unwrap()
}

/// Median and 99th percentile in microseconds of single look-ups.
fn quantiles(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6;
    (at(50), at(99))
}

/// Each position by itself, with nothing decoded before: the cache holds next to nothing.
fn cold(packed: &Path, io: Io, asked: &[Asked]) -> (f64, f64) {
    let database = open(packed, io, 1 << 12);
    let prober = Prober::new(&database);
    // Opens the files and brings them into the system's cache.
    asked.iter().for_each(|asked| ask(&prober, asked));
    let time = |asked: &Asked| {
        let start = Instant::now();
        ask(&prober, asked);
        start.elapsed()
    };
    quantiles(asked.iter().map(time).collect())
}

/// Each position by itself, its blocks decoded by the question before.
fn warm(packed: &Path, asked: &[Asked]) -> (f64, f64) {
    let database = open(packed, Io::Map, 1 << 30);
    let prober = Prober::new(&database);
    let time = |asked: &Asked| {
        ask(&prober, asked);
        // A clock tick is a good part of such a look-up: eight in a row.
        let start = Instant::now();
        (0..8).for_each(|_| ask(&prober, asked));
        start.elapsed() / 8
    };
    quantiles(asked.iter().map(time).collect())
}

/// Positions that were all asked before, in another order than the cache has them.
fn warm_spread(packed: &Path, asked: &[Asked]) -> f64 {
    let database = open(packed, Io::Map, 1 << 30);
    let prober = Prober::new(&database);
    asked.iter().for_each(|asked| ask(&prober, asked));
    let start = Instant::now();
    asked.iter().rev().for_each(|asked| ask(&prober, asked));
    start.elapsed().as_secs_f64() * 1e6 / asked.len() as f64
}

/// Resident bytes of this process.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The figures of the real thing, as single look-ups: printed, and kept if asked to.
fn figures(games: &Games) {
    let packed = &games.packed;
    let start = Instant::now();
    let database = Database::open(packed).unwrap();
    let opened = start.elapsed().as_secs_f64() * 1e3;
    let before = resident();
    let many = if database.manifest().sectors.len() > 100 {
        1_000_000
    } else {
        10_000
    };
    let (mut random, prober) = (Random::new(99), Prober::new(&database));
    let sectors: Vec<_> = database
        .manifest()
        .sectors
        .iter()
        .filter(|s| !s.derived)
        .collect();
    let all: u64 = sectors.iter().map(|s| s.cells).sum();
    for _ in 0..many {
        let mut number = random.below(all);
        let mut each = sectors.iter();
        let record = each
            .find(|s| {
                number < s.cells || {
                    number -= s.cells;
                    false
                }
            })
            .unwrap();
        let sector = record.sector;
        let position = sector.position(database.index().unrank(sector, number));
        black_box(prober.value(&position, 0).unwrap());
    }
    let after = resident();
    let stored = positions(&database, &games.plain, false, 4_000, 1);
    let derived = positions(&database, &games.plain, true, 1_000, 2);
    drop(database);

    let mut figures = serde_json::Map::new();
    let mut tell = |name: &str, value: serde_json::Value| {
        println!("{name:<44} {value}");
        figures.insert(name.to_owned(), value);
    };
    tell("open_ms", json!(opened));
    tell("resident_bytes_opened", json!(before));
    tell(
        &format!("resident_bytes_after_{many}_random_probes"),
        json!(after),
    );
    for (name, asked) in [("stored", &stored), ("derived", &derived)] {
        let mut pair = |what: &str, (median, p99): (f64, f64)| {
            tell(&format!("{what}_{name}_us_median"), json!(median));
            tell(&format!("{what}_{name}_us_p99"), json!(p99));
        };
        pair("warm", warm(packed, asked));
        pair("cold_map", cold(packed, Io::Map, asked));
        pair("cold_read", cold(packed, Io::Read, asked));
        tell(
            &format!("warm_spread_{name}_us_mean"),
            json!(warm_spread(packed, asked)),
        );
    }
    if let Some(path) = std::env::var_os("MILLBASE_RECORD") {
        let text = serde_json::to_string_pretty(&figures).unwrap();
        std::fs::write(path, text + "\n").unwrap();
    }
}

fn probe(criterion: &mut Criterion) {
    let games = games();
    figures(&games);
    let packed = Database::open(&games.packed).unwrap();
    let asked = positions(&packed, &games.plain, false, 1_000, 3);
    let mut group = criterion.benchmark_group("packed");
    group.throughput(Throughput::Elements(asked.len() as u64));

    let database = open(&games.packed, Io::Map, 1 << 30);
    let prober = Prober::new(&database);
    group.bench_function("probe_warm", |bencher| {
        bencher.iter(|| asked.iter().for_each(|asked| ask(&prober, asked)));
    });
    let tiny = open(&games.packed, Io::Map, 1 << 12);
    let prober = Prober::new(&tiny);
    group.bench_function("probe_cold", |bencher| {
        bencher.iter(|| asked.iter().for_each(|asked| ask(&prober, asked)));
    });
    let all: Vec<Position> = asked.iter().map(|asked| asked.position).collect();
    group.bench_function("probe_batch", |bencher| {
        bencher.iter(|| {
            let answers = prober.values(&all);
            for (asked, answer) in asked.iter().zip(answers) {
                assert_eq!(outcome(answer.unwrap()), asked.expected);
            }
        });
    });
    group.finish();
    decode(criterion, &packed);
}

/// Decoding whole sectors, in cells a second: with results alone and with distances.
fn decode(criterion: &mut Criterion, packed: &Database) {
    let records = packed.manifest().sectors.iter();
    let small = records.filter(|record| !record.derived && record.cells < 50_000_000);
    let record = small.max_by_key(|record| record.cells).unwrap();
    let mut group = criterion.benchmark_group(format!("decode/{}", record.sector));
    group.throughput(Throughput::Bytes(record.cells));
    group.sample_size(10);
    group.bench_function("values", |bencher| {
        bencher.iter(|| packed.read_planes(record.sector).unwrap());
    });
    if packed.contents() == Contents::Distances {
        group.bench_function("distances", |bencher| {
            bencher.iter(|| packed.read_sector(record.sector).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, probe);
criterion_main!(benches);
