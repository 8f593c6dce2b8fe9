//! Databases on disk: what is written comes back, and what is wrong is said.

use std::fs;
use std::path::Path;

use millbase::database::{Cells, Contents, Database, DatabaseWriter, Histogram, Kind, Statistics};
use millbase::game::{Position, Sector, Side, Variant};
use millbase::index::{OrbitCounter, SectorIndex};
use millbase::value::{Outcome, Score, Value};
use serde_json::json;
use tempfile::TempDir;

fn variant(id: &str) -> Variant {
    Variant::builtin(id).unwrap()
}

fn sector(mover: u8, opponent: u8, mover_hand: u8, opponent_hand: u8) -> Sector {
    Sector {
        mover,
        opponent,
        mover_hand,
        opponent_hand,
    }
}

/// A number that looks random, the same for the same input.
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ (number >> 29)
}

/// Made-up scores; cells that stand for the same position have the same.
fn made_up_scores(index: &SectorIndex, sector: Sector) -> Vec<u8> {
    let score = |cell| {
        let (mover, opponent) = index.unrank(sector, cell);
        let Sector {
            mover_hand,
            opponent_hand,
            ..
        } = sector;
        let position = Position {
            mover,
            opponent,
            mover_hand,
            opponent_hand,
            side: Side::White,
        };
        let number = mixed(index.rank(&position) + u64::from(sector.mover) * 1000);
        // Near draws are common, long distances rare.
        if number % 5 < 2 {
            128
        } else {
            (number >> 8) as u8
        }
    };
    (0..index.len(sector)).map(score).collect()
}

fn planes_of(scores: &[u8]) -> (Vec<u64>, Vec<u64>) {
    let plane = |wanted: Outcome| {
        let bit = |(i, &score)| u64::from(Score(score).outcome() == wanted) << i;
        scores
            .chunks(64)
            .map(|word| word.iter().enumerate().map(bit).sum())
            .collect()
    };
    (plane(Outcome::Win), plane(Outcome::Loss))
}

/// Writes made-up values for all sectors, or those given.
fn made_up_database(
    dir: &Path,
    variant: &Variant,
    contents: Contents,
    sectors: &[Sector],
) -> Vec<(Sector, Vec<u8>, Statistics)> {
    let writer = DatabaseWriter::create(dir, variant, contents, DatabaseWriter::DEFAULT_LEVEL)
        .unwrap()
        .restricted_to(sectors.iter().copied());
    let mut written = Vec::new();
    for &sector in sectors {
        let scores = made_up_scores(writer.index(), sector);
        let statistics = match contents {
            Contents::Distances => writer.write_sector(sector, Cells::Scores(&scores)),
            Contents::Values | Contents::Conversions => {
                let (win, loss) = planes_of(&scores);
                writer.write_sector(
                    sector,
                    Cells::Planes {
                        win: &win,
                        loss: &loss,
                    },
                )
            }
        };
        written.push((sector, scores, statistics.unwrap()));
    }
    writer.finish(json!({"wall_seconds": 1.5})).unwrap();
    written
}

/// Some sectors of six: one cell, one block, several blocks, both sides fixed.
fn sectors_of_six() -> Vec<Sector> {
    vec![
        sector(0, 0, 6, 6),
        sector(3, 3, 0, 0),
        sector(2, 3, 4, 3),
        sector(5, 5, 0, 0),
        sector(5, 4, 1, 0),
    ]
}

#[test]
fn distances_come_back_as_they_were_written() {
    let dir = TempDir::new().unwrap();
    let six = variant("six");
    let written = made_up_database(dir.path(), &six, Contents::Distances, &sectors_of_six());
    let database = Database::open_for(dir.path(), &six).unwrap();
    assert_eq!(database.variant(), &six);
    assert_eq!(database.contents(), Contents::Distances);
    assert_eq!(database.manifest().summary, json!({"wall_seconds": 1.5}));
    assert!(
        written
            .iter()
            .any(|(_, scores, _)| scores.len() > 2 * 65_536)
    );
    for (sector, scores, statistics) in &written {
        assert!(database.has(*sector));
        assert!(
            database.read_planes(*sector).unwrap() == planes_of(scores)
                && database.read_sector(*sector).unwrap() == *scores,
            "{sector}"
        );
        let mut again = vec![1; scores.len()];
        database.read_sector_into(*sector, &mut again).unwrap();
        assert!(again == *scores, "{sector}");
        for (cell, &score) in scores.iter().enumerate().step_by(97) {
            assert_eq!(database.score(*sector, cell as u64).unwrap(), Score(score));
            assert_eq!(
                database.outcome(*sector, cell as u64).unwrap(),
                Score(score).outcome()
            );
        }
        database.check_sector(*sector).unwrap();
        let record = database
            .manifest()
            .sectors
            .iter()
            .find(|record| record.sector == *sector)
            .unwrap();
        assert_eq!(&record.statistics, statistics);
        assert_eq!(record.cells, scores.len() as u64);
        let file = dir.path().join(format!("{}.sector", sector.file_stem()));
        assert_eq!(record.file_bytes(), fs::metadata(file).unwrap().len());
    }
}

#[test]
fn values_come_back_as_they_were_written() {
    let dir = TempDir::new().unwrap();
    let three = variant("three");
    let written = made_up_database(dir.path(), &three, Contents::Values, &three.sectors());
    let database = Database::open(dir.path()).unwrap();
    for (sector, scores, statistics) in &written {
        assert_eq!(database.read_planes(*sector).unwrap(), planes_of(scores));
        for (cell, &score) in scores.iter().enumerate() {
            assert_eq!(
                database.outcome(*sector, cell as u64).unwrap(),
                Score(score).outcome()
            );
        }
        assert_eq!(
            (statistics.longest_win, statistics.longest_loss),
            (None, None)
        );
        assert_eq!(statistics.examples.longest_win, None);
        assert!(statistics.wins_in.is_empty() && statistics.losses_in.is_empty());
        database.check_sector(*sector).unwrap();
    }
}

/// What the statistics must say, one position after the other.
fn statistics_one_by_one(index: &SectorIndex, sector: Sector, scores: &[u8]) -> Statistics {
    let mut expected = Statistics::default();
    let (mut wins_in, mut losses_in) = ([0; 128], [0; 128]);
    for (cell, &score) in scores.iter().enumerate() {
        if !index.is_least(sector, cell as u64) {
            continue;
        }
        let cell = cell as u64;
        let longer = |longest: Option<u16>, plies| longest.is_none_or(|longest| longest < plies);
        match Score(score).value() {
            Value::Win(plies) => {
                expected.win += 1;
                wins_in[usize::from(plies / 2)] += 1;
                expected.examples.win.get_or_insert(cell);
                if longer(expected.longest_win, plies) {
                    expected.longest_win = Some(plies);
                    expected.examples.longest_win = Some(cell);
                }
            }
            Value::Draw => {
                expected.draw += 1;
                expected.examples.draw.get_or_insert(cell);
            }
            Value::Loss(plies) => {
                expected.loss += 1;
                losses_in[usize::from(plies / 2)] += 1;
                expected.examples.loss.get_or_insert(cell);
                if longer(expected.longest_loss, plies) {
                    expected.longest_loss = Some(plies);
                    expected.examples.longest_loss = Some(cell);
                }
            }
        }
    }
    expected.wins_in = Histogram::new(wins_in);
    expected.losses_in = Histogram::new(losses_in);
    expected
}

#[test]
fn statistics_count_every_position_once() {
    let dir = TempDir::new().unwrap();
    let six = variant("six");
    let written = made_up_database(dir.path(), &six, Contents::Distances, &sectors_of_six());
    let index = SectorIndex::new(&six.board, 6);
    let counter = OrbitCounter::new(&six.board);
    for (sector, scores, statistics) in written {
        assert_eq!(
            statistics,
            statistics_one_by_one(&index, sector, &scores),
            "{sector}"
        );
        let positions = counter.positions(sector.mover.into(), sector.opponent.into());
        assert_eq!(statistics.positions(), positions);
    }
}

#[test]
fn sectors_of_many_batches_come_back_as_they_were_written() {
    let dir = TempDir::new().unwrap();
    let nine = variant("nine");
    let large = sector(6, 5, 0, 0);
    let writer = DatabaseWriter::create(dir.path(), &nine, Contents::Distances, 1)
        .unwrap()
        .restricted_to([large]);
    // More than two batches of 512 blocks.
    let cells = writer.index().len(large);
    assert!(cells > 2 * 512 * 65_536);
    let scores: Vec<u8> = (0..cells)
        .map(|cell| (cell >> 12) as u8 & !((cell & 7) as u8))
        .collect();
    writer.write_sector(large, Cells::Scores(&scores)).unwrap();
    // What has been written can be read before the database is finished.
    let file = writer.open_sector(large).unwrap();
    assert_eq!(
        (file.sector(), file.cells(), file.kind()),
        (large, cells, Kind::Scores)
    );
    assert!(file.read().unwrap() == scores);
}

#[test]
fn many_threads_ask_at_once() {
    let dir = TempDir::new().unwrap();
    let six = variant("six");
    let written = made_up_database(dir.path(), &six, Contents::Distances, &sectors_of_six());
    let database = Database::open(dir.path()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (database, written) = (&database, &written);
            scope.spawn(move || {
                for (sector, scores, _) in written {
                    for i in 0..2000 {
                        let cell = mixed(i + thread * 7777) % scores.len() as u64;
                        let score = database.score(*sector, cell).unwrap();
                        assert_eq!(score.0, scores[cell as usize]);
                    }
                }
            });
        }
    });
}

#[test]
fn every_zstd_reader_can_print_the_cells() {
    let dir = TempDir::new().unwrap();
    let six = variant("six");
    let written = made_up_database(dir.path(), &six, Contents::Distances, &sectors_of_six());
    for (sector, scores, _) in written {
        let file =
            fs::File::open(dir.path().join(format!("{}.sector", sector.file_stem()))).unwrap();
        assert!(
            zstd::stream::decode_all(file).unwrap() == scores,
            "{sector}"
        );
    }
}
