//! The check of a database against itself: right databases pass, and every kind of fault that users have met
//! in others is found.

use std::path::Path;

use millbase::database::{Cells, Contents, Database, DatabaseWriter, PackOptions, pack};
use millbase::game::{Blocked, MillPays, Placing, Protection, Sector, Variant};
use millbase::probe::{Answer, ProbeError, Probed, Prober};
use millbase::solve::{Silent, SolveOptions, count_positions, solve};
use millbase::value::{Outcome, Score, Value};
use millbase::verify::check;
use millbase::verify::compare::compare;
use millbase::verify::consistency::{Checker, Fault};
use millbase::verify::games::play;
use serde_json::json;
use tempfile::TempDir;

fn six(men: u8) -> Variant {
    let mut variant = Variant::builtin("six").unwrap();
    variant.id = format!("six-{men}");
    variant.rules.men = men;
    variant
}

fn solved(variant: &Variant, values_only: bool) -> (TempDir, Database) {
    let dir = TempDir::new().unwrap();
    let options = SolveOptions {
        values_only,
        ..SolveOptions::default()
    };
    solve(variant, &dir.path().join("db"), &options, &Silent).unwrap();
    let database = Database::open(&dir.path().join("db")).unwrap();
    (dir, database)
}

/// How many cells were checked, and what is wrong.
fn faults(database: &Database) -> (u64, Vec<Fault>) {
    let checker = Checker::new(database).unwrap();
    let stored = database
        .manifest()
        .sectors
        .iter()
        .filter(|record| !record.derived);
    let mut all = (0, Vec::new());
    for record in stored {
        let report = checker.check(record.sector).unwrap();
        assert_eq!(report.faults.is_empty(), report.wrong == 0);
        all.0 += report.cells;
        all.1.extend(report.faults);
    }
    all
}

#[test]
fn right_databases_pass_under_every_rule() {
    let mut variants = vec![six(6)];
    for protection in [
        Protection::Never,
        Protection::Any,
        Protection::UnlessThreeLeft,
    ] {
        let mut variant = six(4);
        variant.rules.protection = protection;
        variants.push(variant);
    }
    let mut grounded = six(5);
    (grounded.rules.flying, grounded.rules.blocked) = (false, Blocked::Draws);
    variants.push(grounded);
    let mut patient = six(5);
    (patient.rules.flying, patient.rules.blocked) = (false, Blocked::Passes);
    variants.push(patient);
    for protection in [Protection::UnlessThreeLeft, Protection::UnlessAllInMills] {
        let mut pairs = six(5);
        (pairs.rules.protection, pairs.rules.captures_per_double_mill) = (protection, 2);
        variants.push(pairs);
    }
    let mut first_mill = six(4);
    first_mill.rules.mill_pays = MillPays::Win;
    variants.push(first_mill);
    for blocked in [Blocked::Loses, Blocked::Passes] {
        let mut lasker = six(4);
        (lasker.rules.placing, lasker.rules.blocked) = (Placing::PlaceOrMove, blocked);
        variants.push(lasker);
    }
    for variant in variants {
        for values_only in [false, true] {
            let (_dir, database) = solved(&variant, values_only);
            let (cells, faults) = faults(&database);
            let all: u64 = database
                .manifest()
                .sectors
                .iter()
                .map(|record| record.cells)
                .sum();
            assert_eq!((cells, faults), (all, vec![]), "{}", variant.id);
            let findings = check(&database, None, &Silent).unwrap();
            assert!(findings.is_right(), "{findings:?}");
            let positions = count_positions(&variant, &variant.sectors());
            assert_eq!(findings.held.positions, Some(positions));
        }
    }
}

#[test]
fn packed_databases_pass_and_equal_those_they_were_made_from() {
    for values_only in [false, true] {
        let (dir, plain) = solved(&six(5), values_only);
        let out = dir.path().join("packed");
        pack(&plain, &out, &PackOptions::default(), &|_| (), &|_| ()).unwrap();
        let packed = Database::open(&out).unwrap();
        assert_eq!(faults(&packed).1, []);
        for (database, other) in [(&packed, &plain), (&plain, &packed)] {
            let report = compare(database, other, &|_| ()).unwrap();
            assert_eq!(report.differences, 0);
            assert!(
                report.derived_sectors > 10 && report.whole_sectors > 10,
                "{report:?}"
            );
            let all: u64 = plain
                .manifest()
                .sectors
                .iter()
                .map(|record| record.cells)
                .sum();
            assert_eq!(report.cells + report.derived_cells, all);
        }
    }
}

/// Writes a database of `six` with four men, altered.
fn altered(alter: impl Fn(Sector, &mut Vec<u8>)) -> (TempDir, Database) {
    let (dir, right) = solved(&six(4), false);
    let path = dir.path().join("altered");
    write(&right, &path, &six(4), alter);
    let database = Database::open(&path).unwrap();
    (dir, database)
}

/// Writes the scores of a database, altered, as those of a variant with the same sectors.
fn write(from: &Database, path: &Path, variant: &Variant, alter: impl Fn(Sector, &mut Vec<u8>)) {
    let writer = DatabaseWriter::create(path, variant, Contents::Distances, 1).unwrap();
    for sector in variant.sectors() {
        let mut scores = from.read_sector(sector).unwrap();
        alter(sector, &mut scores);
        writer.write_sector(sector, Cells::Scores(&scores)).unwrap();
    }
    writer.finish(json!(null)).unwrap();
}

fn sector(mover: u8, opponent: u8, mover_hand: u8, opponent_hand: u8) -> Sector {
    Sector {
        mover,
        opponent,
        mover_hand,
        opponent_hand,
    }
}

#[test]
fn an_unaltered_copy_passes() {
    let (_dir, database) = altered(|_, _| ());
    assert_eq!(faults(&database).1, []);
}

/// The certificate of a verification names the files that it has read.
#[test]
fn a_right_file_that_the_manifest_does_not_list_is_refused() {
    let (dir, right) = solved(&six(4), false);
    let path = dir.path().join("other");
    let twins = sector(3, 3, 0, 0);
    write(&right, &path, &six(4), |sector, bytes| {
        if sector == twins {
            bytes[0] ^= 1;
        }
    });
    let name = "3_3_0_0.sector";
    std::fs::copy(right.dir().join(name), path.join(name)).unwrap();
    let other = Database::open(&path).unwrap();
    assert_eq!(faults(&other).1, []);
    let error = check(&other, None, &Silent).unwrap_err().to_string();
    assert!(
        error.contains(name) && error.contains("manifest"),
        "{error}"
    );
}

/// Replaces a text in what the manifest says of a sector, and has the manifest still be right in itself.
fn rewrite(database: &Database, sector: Sector, from: &str, to: &str) {
    let path = database.dir().join("manifest.json");
    let manifest = std::fs::read_to_string(&path).unwrap();
    let sector = format!("\"sector\": \"{}\"", sector.file_stem());
    let (head, record) = manifest.split_at(manifest.find(&sector).unwrap());
    assert!(record.contains(from), "{from}");
    let manifest = head.to_owned() + &record.replacen(from, to, 1);
    let (before, _) = manifest.rsplit_once("\"digest\"").unwrap();
    let digest = blake3::hash(before.as_bytes()).to_hex();
    std::fs::write(&path, format!("{before}\"digest\": \"{digest}\"\n}}\n")).unwrap();
}

#[test]
fn counts_that_are_not_those_of_the_files_are_found() {
    let twins = sector(3, 3, 0, 0);
    let (_dir, right) = solved(&six(4), false);
    let mut records = right.manifest().sectors.iter();
    let record = records.find(|record| record.sector == twins).unwrap();
    let statistics = &record.statistics;
    let win = |count: u64| format!("\"win\": {count},");
    let plies = |counts: &[u64]| {
        let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
        format!("\"{}\"", counts.join(" "))
    };
    let wins_in = statistics.wins_in.counts();
    let mut moved = wins_in.to_vec();
    (moved[0], moved[1]) = (moved[0] - 1, moved[1] + 1);
    for (from, to, total) in [
        (win(statistics.win), win(statistics.win + 1), 1),
        (plies(wins_in), plies(&moved), 0),
    ] {
        let (_dir, database) = solved(&six(4), false);
        rewrite(&database, twins, &from, &to);
        let findings = check(&Database::open(database.dir()).unwrap(), None, &Silent).unwrap();
        assert!(!findings.is_right() && findings.statement.is_none());
        assert_eq!(findings.totals.wrong, 0);
        let [miscounted] = &findings.miscounted[..] else {
            panic!("{findings:?}");
        };
        assert_eq!(miscounted.sector, twins.to_string());
        assert_eq!(miscounted.counted[0], statistics.win);
        assert_eq!(miscounted.stored[0], statistics.win + total);
    }
}

#[test]
fn one_flipped_value_is_found_in_every_layer() {
    for place in [
        sector(4, 4, 0, 0),
        sector(3, 4, 0, 0),
        sector(2, 2, 2, 2),
        sector(2, 3, 2, 1),
    ] {
        for cell in [0, 17, 600] {
            let (_dir, database) = altered(|sector, scores| {
                if sector == place {
                    scores[cell] = if scores[cell] == 128 { 255 - 20 } else { 128 };
                }
            });
            let (_, faults) = faults(&database);
            let here =
                |fault: &Fault| fault.position.sector() == place && fault.cell == cell as u64;
            assert!(faults.iter().any(here), "{place} cell {cell}: {faults:?}");
        }
    }
}

/// The sectors of a layer with decided positions.
fn decided_sectors(database: &Database, men_in_hand: u8) -> Vec<Sector> {
    let records = database.manifest().sectors.iter();
    let decided = records.filter(|record| {
        let statistics = &record.statistics;
        record.sector.in_hand() == men_in_hand && statistics.win > 20 && statistics.loss > 20
    });
    decided.map(|record| record.sector).collect()
}

#[test]
fn a_distance_off_by_two_is_found() {
    let (_dir, right) = altered(|_, _| ());
    for men_in_hand in [0, 1, 2] {
        for place in decided_sectors(&right, men_in_hand) {
            let (_dir, database) = altered(|sector, scores| {
                if sector == place {
                    let won = scores.iter_mut().find(|score| **score > 130);
                    *won.expect("some position is won") -= 1;
                }
            });
            assert!(!faults(&database).1.is_empty(), "{place}");
        }
    }
}

#[test]
fn wrong_positions_are_listed_with_what_is_stored_and_what_is_right() {
    let twins = sector(3, 3, 0, 0);
    let (_dir, database) = altered(|sector, scores| {
        if sector == twins {
            let drawn = scores.iter_mut().find(|score| **score == Score::DRAW.0);
            *drawn.expect("some position is drawn") = Score::from_value(Value::Win(7)).unwrap().0;
        }
    });
    let findings = check(&database, None, &Silent).unwrap();
    assert!(findings.totals.wrong > 0 && findings.statement.is_none());
    let text = Value::Win(7).to_string();
    let listed = findings.wrong_positions.iter();
    let found = listed.filter(|wrong| wrong.sector == twins.to_string() && wrong.stored == text);
    assert!(found.count() > 0, "{findings:?}");
}

/// A database of results says nothing of plies, so the list of what is wrong with it does not either.
#[test]
fn wrong_results_are_listed_without_distances() {
    let (dir, right) = solved(&six(4), true);
    let path = dir.path().join("altered");
    let store = DatabaseWriter::create(&path, &six(4), Contents::Values, 1).unwrap();
    for record in &right.manifest().sectors {
        let (mut win, loss) = right.read_planes(record.sector).unwrap();
        if record.sector == sector(3, 3, 0, 0) {
            win[0] = !loss[0];
        }
        let (win, loss) = (&win, &loss);
        let cells = Cells::Planes { win, loss };
        store.write_sector(record.sector, cells).unwrap();
    }
    store.finish(serde_json::Value::Null).unwrap();
    let findings = check(&Database::open(&path).unwrap(), None, &Silent).unwrap();
    assert!(findings.totals.wrong > 0 && !findings.wrong_positions.is_empty());
    for wrong in &findings.wrong_positions {
        for text in [&wrong.stored, &wrong.recomputed] {
            assert!(["win", "draw", "loss"].contains(&&**text), "{wrong:?}");
        }
        assert_ne!(wrong.stored, wrong.recomputed);
    }
}

#[test]
fn a_sector_with_the_sign_swapped_is_found() {
    let (_dir, right) = altered(|_, _| ());
    let places = decided_sectors(&right, 0);
    assert!(!places.is_empty());
    for place in places {
        let (_dir, database) = altered(|sector, scores| {
            if sector == place {
                let decided = scores.iter_mut().filter(|score| **score != 128);
                decided.for_each(|score| *score = 255 - *score);
            }
        });
        assert!(!faults(&database).1.is_empty(), "{place}");
    }
}

#[test]
fn a_missing_row_is_found() {
    let (_dir, database) = altered(|place, scores| {
        if place == sector(4, 4, 0, 0) {
            scores[495 * 3..495 * 4].fill(128);
        }
    });
    assert!(!faults(&database).1.is_empty());
}

/// Databases of slightly other games, passed off as this one: a rule that was forgotten, a line of which a
/// mill mask is wrong.
#[test]
fn a_forgotten_rule_or_a_wrong_line_is_found() {
    let mut grounded = six(5);
    grounded.rules.flying = false;
    let mut greedy = six(5);
    greedy.rules.protection = Protection::Any;
    let text = six(5).to_toml();
    let (right_line, wrong_line) = ("\"b2 c2 d2\"", "\"b2 c2 d3\"");
    assert!(text.contains(right_line));
    let crooked = Variant::from_toml(&text.replacen(right_line, wrong_line, 1), "t").unwrap();
    for wrong in [grounded, greedy, crooked] {
        let (dir, database) = solved(&wrong, false);
        let path = dir.path().join("passed-off");
        let writer = DatabaseWriter::create(&path, &six(5), Contents::Distances, 1).unwrap();
        for sector in six(5).sectors() {
            // Position by position, as another board has other rows.
            let index = writer.index();
            let position = |cell| sector.position(index.unrank(sector, cell));
            let positions: Vec<_> = (0..index.len(sector)).map(position).collect();
            let answers = Prober::new(&database).values(&positions);
            let score = |answer: Result<Answer, ProbeError>| {
                let Probed { outcome, plies } = answer.unwrap().known().unwrap();
                let value = match outcome {
                    Outcome::Win => Value::Win(plies.unwrap()),
                    Outcome::Draw => Value::Draw,
                    Outcome::Loss => Value::Loss(plies.unwrap()),
                };
                Score::from_value(value).unwrap().0
            };
            let scores: Vec<u8> = answers.into_iter().map(score).collect();
            writer.write_sector(sector, Cells::Scores(&scores)).unwrap();
        }
        writer.finish(json!(null)).unwrap();
        let passed_off = Database::open(&path).unwrap();
        assert!(!faults(&passed_off).1.is_empty(), "{:?}", wrong.rules);
    }
}

#[test]
fn whoever_follows_the_database_wins_in_time() {
    let (dir, plain) = solved(&six(6), false);
    let out = dir.path().join("packed");
    pack(&plain, &out, &PackOptions::default(), &|_| (), &|_| ()).unwrap();
    let packed = Database::open(&out).unwrap();
    let games = play(&plain, 1000, 1).unwrap();
    assert_eq!((games.games, games.won_in_time), (1000, 1000), "{games:?}");
    assert_eq!(games.broken, []);
    assert!(
        games.turns < games.stated_turns && games.longest_distance > 20,
        "{games:?}"
    );
    // The packed form plays the same games.
    assert_eq!(
        play(&packed, 200, 3).unwrap(),
        play(&plain, 200, 3).unwrap()
    );
    assert_ne!(play(&plain, 200, 4).unwrap(), play(&plain, 200, 3).unwrap());
}

#[test]
fn a_database_that_does_not_keep_its_word_is_found_in_play() {
    // Every tenth win of the movement phase is said to take two plies more.
    let (_dir, database) = altered(|sector, scores| {
        if sector.in_hand() == 0 {
            let is_win = |score: &&mut u8| **score > Score::DRAW.0 + 1;
            // One less is a win in two plies more.
            let wins = scores.iter_mut().filter(is_win);
            wins.step_by(10).for_each(|score| *score -= 1);
        }
    });
    let games = play(&database, 1000, 1).unwrap();
    assert!(
        games.won_in_time < 1000 && !games.broken.is_empty(),
        "{games:?}"
    );
    let (_dir, values) = solved(&six(4), true);
    assert_eq!(play(&values, 10, 1).unwrap().games, 0);
}
