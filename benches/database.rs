//! Speed of numbering, writing, reading back and asking: sector 5-5 of nine with made-up scores.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use millbase::database::{Cells, Contents, Database, DatabaseWriter};
use millbase::game::{Position, Sector, Side, Variant};
use millbase::index::SectorIndex;
use serde_json::json;
use tempfile::TempDir;

const SECTOR: Sector = Sector {
    mover: 5,
    opponent: 5,
    mover_hand: 0,
    opponent_hand: 0,
};

/// A number that looks random, the same for the same input.
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ (number >> 29)
}

/// Half of the cells drawn, in runs; the others won or lost in up to 62 plies, short ones more often.
/// That is about as hard to compress as the true scores of a balanced sector.
fn made_up_scores(cells: u64) -> Vec<u8> {
    let score = |cell: u64| {
        let (run, number) = (mixed(cell / 13), mixed(cell));
        let half = ((number & 31) & (number >> 8)) as u8;
        match run % 4 {
            0 => 255 - half,
            1 => half,
            _ => 128,
        }
    };
    (0..cells).map(score).collect()
}

fn positions(index: &SectorIndex, sector: Sector) -> Vec<Position> {
    let cells = index.len(sector);
    let position = |number| {
        let (mover, opponent) = index.unrank(sector, mixed(number) % cells);
        Position {
            mover,
            opponent,
            mover_hand: sector.mover_hand,
            opponent_hand: sector.opponent_hand,
            side: Side::White,
        }
    };
    (0..10_000).map(position).collect()
}

fn index(criterion: &mut Criterion) {
    let nine = Variant::builtin("nine").unwrap();
    let large = Sector {
        mover: 8,
        opponent: 8,
        ..SECTOR
    };
    let index = SectorIndex::new(&nine.board, 9);
    let positions = positions(&index, large);
    let mut group = criterion.benchmark_group("index 8-8 of nine");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("rank", |bench| {
        bench.iter(|| positions.iter().map(|position| index.rank(position)).max())
    });
    let cells: Vec<u64> = positions
        .iter()
        .map(|position| index.rank(position))
        .collect();
    group.bench_function("unrank", |bench| {
        bench.iter(|| {
            for &cell in &cells {
                black_box(index.unrank(large, cell));
            }
        })
    });
    group.finish();
    criterion.bench_function("tables for 9 fixed men", |bench| {
        bench.iter(|| {
            SectorIndex::new(&nine.board, 9)
                .sets()
                .representatives(9)
                .len()
        })
    });
}

fn database(criterion: &mut Criterion) {
    let nine = Variant::builtin("nine").unwrap();
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("nine.db");
    let writer = DatabaseWriter::create(
        &path,
        &nine,
        Contents::Distances,
        DatabaseWriter::DEFAULT_LEVEL,
    )
    .unwrap()
    .restricted_to([SECTOR]);
    let mut scores = made_up_scores(writer.index().len(SECTOR));
    let positions = positions(writer.index(), SECTOR);
    // Cells of the same position have the same score.
    for row in writer.index().rows_with_duplicates(SECTOR) {
        writer.index().for_each_duplicate(SECTOR, row, |cell| {
            let (mover, opponent) = writer.index().unrank(SECTOR, cell);
            let twin = Position {
                mover,
                opponent,
                ..positions[0]
            };
            scores[cell as usize] = scores[writer.index().rank(&twin) as usize];
        });
    }

    let mut group = criterion.benchmark_group("sector 5-5 of nine");
    group
        .throughput(Throughput::Bytes(scores.len() as u64))
        .sample_size(10);
    group.bench_function("write", |bench| {
        bench.iter(|| writer.write_sector(SECTOR, Cells::Scores(&scores)).unwrap())
    });
    let mut back = vec![0; scores.len()];
    let file = writer.open_sector(SECTOR).unwrap();
    group.bench_function("read back", |bench| {
        bench.iter(|| file.read_into(&mut back).unwrap())
    });
    assert!(back == scores);
    group.finish();

    writer.finish(json!(null)).unwrap();
    criterion.bench_function("open", |bench| {
        bench.iter(|| Database::open(&path).unwrap())
    });
    criterion.bench_function("random probe, 5-5 of nine", |bench| {
        let database = Database::open(&path).unwrap();
        let mut asked = positions.iter().cycle();
        bench.iter_custom(|times| {
            let start = Instant::now();
            for position in asked.by_ref().take(times as usize) {
                let cell = database.index().rank(position);
                assert_eq!(
                    database.score(SECTOR, cell).unwrap().0,
                    scores[cell as usize]
                );
            }
            start.elapsed()
        })
    });
}

criterion_group!(benches, index, database);
criterion_main!(benches);
