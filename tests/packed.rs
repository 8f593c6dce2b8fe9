//! The packed form of a database answers every question as the plain one does, or says that it cannot:
//! for all of `six`, with files missing, damaged, swapped or left behind, and from many threads at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use millbase::database::{
    Cells, Contents, Database, DatabaseError, DatabaseWriter, Io, Kind, OpenOptions, PackOptions,
    Packed, pack,
};
use millbase::game::{Position, Sector, Variant};
use millbase::probe::{Answer, Choice, Probed, Prober, Ranked};
use millbase::random::Random;
use millbase::solve::{Silent, SolveOptions, solve};
use millbase::value::{Outcome, Score};
use rayon::prelude::*;
use tempfile::TempDir;

/// `six` in both forms, made once for all tests. They copy the packed folder before they alter it.
struct Six {
    _folder: TempDir,
    plain: Database,
    packed: Database,
    /// The cells of every sector, from the plain form.
    scores: BTreeMap<Sector, Vec<u8>>,
}

static SIX: LazyLock<Six> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    let dir = folder.path().join("plain");
    let six = Variant::builtin("six").unwrap();
    solve(&six, &dir, &SolveOptions::default(), &Silent).unwrap();
    let plain = Database::open(&dir).unwrap();
    let dir = folder.path().join("packed");
    pack_into(&plain, &dir, PackOptions::default()).unwrap();
    let packed = Database::open(&dir).unwrap();
    let sectors = six.sectors().into_iter();
    let scores = sectors.map(|sector| (sector, plain.read_sector(sector).unwrap()));
    let scores = scores.collect();
    Six {
        _folder: folder,
        plain,
        packed,
        scores,
    }
});

impl Six {
    /// The packed files in a folder of their own, to do with as one likes.
    fn copy(&self) -> TempDir {
        let copy = TempDir::new().unwrap();
        for name in names(self.packed.dir()) {
            fs::copy(self.packed.dir().join(&name), copy.path().join(&name)).unwrap();
        }
        copy
    }

    /// Every `step`-th position of these sectors, with what it is worth.
    fn positions(
        &self,
        sectors: &[Sector],
        step: usize,
    ) -> impl ParallelIterator<Item = (Position, Probed)> {
        let sectors: Vec<Sector> = sectors.to_vec();
        sectors.into_par_iter().flat_map_iter(move |sector| {
            let scores = self.scores[&sector].iter().enumerate().step_by(step);
            scores.map(move |(cell, &score)| {
                let men = self.plain.index().unrank(sector, cell as u64);
                (sector.position(men), Score(score).value().into())
            })
        })
    }
}

fn pack_into(source: &Database, dir: &Path, options: PackOptions) -> Result<Packed, DatabaseError> {
    pack(source, dir, &options, &|_| (), &|_| ())
}

/// The names of all that is in a folder.
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// All files of a folder, for comparing two of them.
fn bytes_of(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let bytes = fs::read(dir.join(&name)).unwrap();
        (name, bytes)
    };
    names(dir).into_iter().map(read).collect()
}

/// Both folders have the same files, byte by byte.
fn assert_same(found: &Path, expected: &Path, what: &str) {
    let (found, expected) = (bytes_of(found), bytes_of(expected));
    assert!(found.keys().eq(expected.keys()), "{what}: other files");
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{what}: {name} differs");
    }
}

/// Deletes the files with this ending and says how many there were.
fn delete(dir: &Path, ending: &str) -> usize {
    let all = names(dir);
    let deleted = all.iter().filter(|name| name.ends_with(ending));
    deleted
        .map(|name| fs::remove_file(dir.join(name)).unwrap())
        .count()
}

/// The sectors of a packed database that are in files, and those that are not.
fn sectors(database: &Database) -> (Vec<Sector>, Vec<Sector>) {
    let records = database.manifest().sectors.iter();
    let (derived, stored): (Vec<_>, Vec<_>) = records.partition(|record| record.derived);
    let sectors = |records: Vec<&millbase::database::SectorRecord>| {
        records.iter().map(|record| record.sector).collect()
    };
    (sectors(stored), sectors(derived))
}

// What is in it.

#[test]
fn every_stored_cell_is_read_back() {
    let packed = &SIX.packed;
    let (stored, derived) = sectors(packed);
    assert_eq!(stored.len() + derived.len(), SIX.scores.len());
    stored.par_iter().for_each(|&sector| {
        let expected = &SIX.scores[&sector];
        assert!(packed.read_sector(sector).unwrap() == *expected, "{sector}");
        let planes = SIX.plain.read_planes(sector).unwrap();
        assert!(packed.read_planes(sector).unwrap() == planes, "{sector}");
        for (cell, &score) in (0..).zip(expected) {
            let found = packed.score(sector, cell).unwrap();
            assert_eq!(found, Score(score), "{sector}, cell {cell}");
            let outcome = packed.outcome(sector, cell).unwrap();
            assert_eq!(outcome, Score(score).outcome(), "{sector}, cell {cell}");
        }
        packed.check_sector(sector).unwrap();
    });
}

#[test]
fn every_derived_position_is_worth_what_the_plain_database_says() {
    let packed = &SIX.packed;
    let (_, derived) = sectors(packed);
    assert!(derived.len() > SIX.scores.len() / 3, "{}", derived.len());
    let prober = Prober::new(packed);
    let compared = SIX.positions(&derived, 1).map(|(position, expected)| {
        let found = prober.value(&position, 0).unwrap();
        assert_eq!(found, Answer::Known(expected), "{position:?}");
    });
    assert!(compared.count() > 1_000_000);
}

#[test]
fn derived_sectors_have_no_cells_to_read() {
    let packed = &SIX.packed;
    for sector in sectors(packed).1 {
        assert!(packed.has(sector) && packed.is_derived(sector).unwrap());
        packed.check_sector(sector).unwrap();
        let errors = [
            packed.read_sector(sector).map(drop),
            packed.read_planes(sector).map(drop),
            packed.score(sector, 0).map(drop),
            packed.outcome(sector, 0).map(drop),
        ];
        for error in errors {
            assert!(matches!(error, Err(DatabaseError::Derived { .. })));
        }
    }
}

#[test]
fn the_manifest_keeps_the_statistics_and_counts_the_bytes() {
    let dir = TempDir::new().unwrap();
    let told = pack_into(&SIX.plain, dir.path(), PackOptions::default()).unwrap();
    let packed = Database::open(dir.path()).unwrap();
    let (plain, manifest) = (SIX.plain.manifest(), packed.manifest());
    assert_eq!(manifest.summary, plain.summary);
    assert_eq!(manifest.sectors.len(), plain.sectors.len());
    for (found, expected) in manifest.sectors.iter().zip(&plain.sectors) {
        assert_eq!(found.sector, expected.sector);
        assert_eq!(found.cells, expected.cells);
        assert_eq!(found.statistics, expected.statistics);
    }
    let files = manifest.sectors.iter().flat_map(|record| &record.files);
    let mut bytes = BTreeMap::new();
    for file in files {
        let length = fs::metadata(dir.path().join(&file.name)).unwrap().len();
        assert_eq!(file.bytes, length, "{}", file.name);
        *bytes.entry(file.kind).or_insert(0) += length;
    }
    assert_eq!(bytes[&Kind::Values], told.values_bytes);
    assert_eq!(bytes[&Kind::Distances], told.distances_bytes);
    let (stored, derived) = sectors(&packed);
    assert_eq!((told.stored, told.derived), (stored.len(), derived.len()));
    assert_eq!(told.left_out, 0);
}

// The same bytes, however they are made.

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    for threads in [1, 2, 3, 3] {
        let dir = TempDir::new().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| pack_into(&SIX.plain, dir.path(), PackOptions::default()))
            .unwrap();
        assert_same(dir.path(), SIX.packed.dir(), &format!("{threads} threads"));
    }
}

#[test]
fn a_packed_database_can_be_packed_again() {
    let dir = TempDir::new().unwrap();
    pack_into(&SIX.packed, dir.path(), PackOptions::default()).unwrap();
    assert_same(dir.path(), SIX.packed.dir(), "packed twice");
}

#[test]
fn values_and_distances_can_be_parted_before_or_after() {
    let [early, late, again] = [(); 3].map(|()| TempDir::new().unwrap());
    let values_only = PackOptions {
        values_only: true,
        ..PackOptions::default()
    };
    pack_into(&SIX.plain, early.path(), values_only.clone()).unwrap();
    pack_into(&SIX.packed, late.path(), values_only).unwrap();
    assert_same(late.path(), early.path(), "packed without distances");

    let bare = SIX.copy();
    assert!(delete(bare.path(), ".distances") > 0);
    let bare = Database::open(bare.path()).unwrap();
    pack_into(&bare, again.path(), PackOptions::default()).unwrap();
    assert_same(again.path(), early.path(), "packed from files without");

    let full = bytes_of(SIX.packed.dir());
    let values = bytes_of(early.path());
    assert!(values.len() < full.len());
    for (name, bytes) in values.iter().filter(|(name, _)| name.ends_with(".values")) {
        assert!(full[name] == *bytes, "{name}");
    }
}

// Without distances.

/// All results are told, and no distance that is not sure.
fn holds_values_only(database: &Database) {
    assert_eq!(database.contents(), Contents::Values);
    let prober = Prober::new(database);
    let all: Vec<Sector> = SIX.scores.keys().copied().collect();
    SIX.positions(&all, 37).for_each(|(position, expected)| {
        let found = prober.value(&position, 0).unwrap().known().unwrap();
        assert_eq!(found.outcome, expected.outcome, "{position:?}");
        let sure = found
            .plies
            .is_none_or(|plies| Some(plies) == expected.plies);
        assert!(sure, "{position:?}: {found:?}, not {expected:?}");
        // Only the end of the game is seen without distances.
        assert!(found.plies.is_none_or(|plies| plies <= 1), "{position:?}");
    });
    for sector in sectors(database).0 {
        let planes = SIX.plain.read_planes(sector).unwrap();
        assert!(database.read_planes(sector).unwrap() == planes, "{sector}");
        database.check_sector(sector).unwrap();
        refuses_distances(database, sector);
    }
}

/// Asking for distances is an error that says so.
fn refuses_distances(database: &Database, sector: Sector) {
    let scores = &SIX.scores[&sector];
    let decided = scores.iter().position(|&score| Score(score) != Score::DRAW);
    let score = decided.map(|cell| database.score(sector, cell as u64).unwrap_err());
    let whole = database.read_sector(sector).unwrap_err();
    for error in score.into_iter().chain([whole]) {
        let text = error.to_string();
        assert!(text.ends_with("holds values, not distances"), "{text}");
    }
}

#[test]
fn packed_without_distances_it_holds_values() {
    let dir = TempDir::new().unwrap();
    let options = PackOptions {
        values_only: true,
        ..PackOptions::default()
    };
    let told = pack_into(&SIX.plain, dir.path(), options).unwrap();
    assert_eq!(told.distances_bytes, 0);
    let database = Database::open(dir.path()).unwrap();
    holds_values_only(&database);
    for record in &database.manifest().sectors {
        assert_eq!(record.statistics.longest_win, None);
        assert_eq!(record.statistics.examples.longest_loss, None);
    }
}

#[test]
fn with_the_distances_deleted_it_holds_values() {
    let copy = SIX.copy();
    assert!(delete(copy.path(), ".distances") > 30);
    holds_values_only(&Database::open(copy.path()).unwrap());
}

/// A copy without one file of distances.
fn without_distances(sector: &str) -> (TempDir, Database) {
    let copy = SIX.copy();
    let sector: Sector = sector.parse().unwrap();
    let name = format!("{}.distances", sector.file_stem());
    fs::remove_file(copy.path().join(&name)).unwrap();
    let database = Database::open(copy.path()).unwrap();
    assert_eq!(database.contents(), Contents::Distances);
    let error = database.check_sector(sector).unwrap_err().to_string();
    assert!(error.contains(&name), "{error}");
    (copy, database)
}

#[test]
fn with_one_file_of_distances_missing_results_and_sure_distances_are_told() {
    let all: Vec<Sector> = SIX.scores.keys().copied().collect();
    for sector in ["5-5", "6-5", "4-4+2-1"] {
        let (_copy, database) = without_distances(sector);
        let prober = Prober::new(&database);
        let unsure = SIX.positions(&all, 7).filter(|(position, expected)| {
            let found = prober.value(position, 0).unwrap().known().unwrap();
            assert_eq!(found.outcome, expected.outcome, "{position:?}");
            let sure = found.plies == expected.plies;
            assert!(
                sure || found.plies.is_none(),
                "{position:?}: {found:?}, not {expected:?}"
            );
            !sure
        });
        let kinds = unsure.map(|(position, _)| database.is_derived(position.sector()).unwrap());
        let kinds: BTreeSet<bool> = kinds.collect();
        assert_eq!(kinds.len(), 2, "without distances of {sector}: {kinds:?}");
    }
}

/// Positions inside a turn, from every `step`-th position: with a mill closed and a man to be taken.
fn closed_mills(step: usize) -> Vec<(Position, u8)> {
    let six = SIX.plain.variant();
    let all: Vec<Sector> = SIX.scores.keys().copied().collect();
    let closed = SIX.positions(&all, step).flat_map_iter(|(position, _)| {
        let live = six.ending(&position).is_none();
        let steps = if live {
            six.steps(&position)
        } else {
            Vec::new()
        };
        steps.into_iter().filter_map(move |(from, to)| {
            let due = six.removals_due(&position, from, to);
            (due > 0).then(|| (six.step(&position, from, to), due))
        })
    });
    closed.collect()
}

/// What is told about positions inside a turn is right; returns how many are not told.
fn told_inside_turns(database: &Database) -> usize {
    let (plain, prober) = (Prober::new(&SIX.plain), Prober::new(database));
    let unknown = closed_mills(211).into_par_iter().filter(|(position, due)| {
        let Some(found) = prober.value(position, *due).unwrap().known() else {
            return true;
        };
        let expected = plain.value(position, *due).unwrap().known().unwrap();
        assert_eq!(found.outcome, expected.outcome, "{position:?}");
        let sure = found
            .plies
            .is_none_or(|plies| Some(plies) == expected.plies);
        assert!(sure, "{position:?}: {found:?}, not {expected:?}");
        false
    });
    unknown.count()
}

#[test]
fn inside_a_turn_no_distance_is_made_up() {
    assert!(closed_mills(211).len() > 1000);
    assert_eq!(told_inside_turns(&SIX.packed), 0);
    let copy = SIX.copy();
    delete(copy.path(), ".distances");
    assert_eq!(told_inside_turns(&Database::open(copy.path()).unwrap()), 0);
    let (_copy, lacking) = without_distances("5-5");
    assert_eq!(told_inside_turns(&lacking), 0);
}

// With sectors missing.

/// What a database that lacks one sector has to say about a position that it has to look ahead for.
fn expected_without(missing: Sector, position: &Position, value: Probed) -> Answer {
    let variant = SIX.plain.variant();
    if variant.ending(position).is_some() {
        return Answer::Known(value);
    }
    let ranked = Prober::new(&SIX.plain).ranked(position, 0).unwrap();
    let lacks = |choice: Choice| {
        let Choice::Turn(turn) = choice else {
            panic!("{choice:?}")
        };
        let next = variant.play(position, &turn);
        next.sector() == missing && variant.ending(&next).is_none()
    };
    let (unknown, known): (Vec<&Ranked>, Vec<&Ranked>) =
        ranked.iter().partition(|turn| lacks(turn.choice));
    let won = known
        .iter()
        .any(|turn| turn.answer.known().unwrap().outcome == Outcome::Win);
    match (unknown.is_empty(), won) {
        (true, _) => Answer::Known(value),
        (false, true) => Answer::Known(Probed {
            plies: value.plies.filter(|&plies| plies == 1),
            ..value
        }),
        (false, false) => Answer::Unknown(missing),
    }
}

/// A copy without the file of a stored sector, that sector, and the derived ones that need it.
fn without_values(sector: &str) -> (TempDir, Sector, Vec<Sector>) {
    let copy = SIX.copy();
    let sector: Sector = sector.parse().unwrap();
    let name = format!("{}.values", sector.file_stem());
    fs::remove_file(copy.path().join(name)).unwrap();
    let mut derived = sectors(&SIX.packed).1;
    derived.retain(|&from| SIX.plain.variant().sectors_after(from).contains(&sector));
    assert!(!derived.is_empty(), "nothing leads to {sector}");
    (copy, sector, derived)
}

/// Some stored sectors that derived ones lead to: a movement sector and two with men in hand.
fn stored_and_needed() -> Vec<String> {
    let (stored, derived) = sectors(&SIX.packed);
    let needed = |sector: &&Sector| {
        let next = |from: &Sector| SIX.plain.variant().sectors_after(*from);
        derived.iter().any(|from| next(from).contains(sector))
    };
    let needed: Vec<String> = stored
        .iter()
        .filter(needed)
        .map(Sector::to_string)
        .collect();
    let movement = needed.iter().find(|sector| !sector.contains('+'));
    let placement = needed.iter().filter(|sector| sector.contains('+'));
    let placement = placement.skip(20).step_by(15).take(2);
    movement.into_iter().chain(placement).cloned().collect()
}

#[test]
fn a_missing_file_makes_positions_unknown_unless_they_are_won_all_the_same() {
    let mut kinds = BTreeSet::new();
    for sector in stored_and_needed() {
        let (copy, missing, derived) = without_values(&sector);
        let database = Database::open(copy.path()).unwrap();
        let prober = Prober::new(&database);
        SIX.positions(&[missing], 3).for_each(|(position, value)| {
            let over = SIX.plain.variant().ending(&position).is_some();
            let expected = if over {
                Answer::Known(value)
            } else {
                Answer::Unknown(missing)
            };
            assert_eq!(prober.value(&position, 0).unwrap(), expected);
        });
        let answers = SIX.positions(&derived, 11).map(|(position, value)| {
            let expected = expected_without(missing, &position, value);
            let found = prober.value(&position, 0).unwrap();
            assert_eq!(found, expected, "without {missing}: {position:?}");
            match found {
                Answer::Unknown(_) => "unknown",
                Answer::Known(probed) if probed == value => "as before",
                Answer::Known(_) => "won, nobody knows how soon",
            }
        });
        kinds.extend(answers.collect::<BTreeSet<_>>());
        let error = database.check_sector(missing).unwrap_err().to_string();
        assert!(error.contains(&missing.file_stem()), "{error}");
    }
    assert_eq!(kinds.len(), 3, "{kinds:?}");
}

#[test]
fn with_a_file_missing_what_is_told_inside_turns_is_right() {
    let mut unknown = 0;
    for sector in stored_and_needed() {
        let (copy, ..) = without_values(&sector);
        unknown += told_inside_turns(&Database::open(copy.path()).unwrap());
    }
    assert!(unknown > 0);
}

#[test]
fn with_a_file_missing_lines_are_best_play_as_far_as_they_go() {
    let mut short = 0;
    let all: Vec<Sector> = SIX.scores.keys().copied().collect();
    for sector in stored_and_needed() {
        let (copy, ..) = without_values(&sector);
        let database = Database::open(copy.path()).unwrap();
        let (prober, plain) = (Prober::new(&database), Prober::new(&SIX.plain));
        let cut = SIX.positions(&all, 97).filter(|(position, value)| {
            let mut position = *position;
            let line = prober.line(&position, 0, 1000).unwrap();
            let plies = value.plies.unwrap_or(0);
            for (played, choice) in (1..).zip(&line) {
                let Choice::Turn(turn) = choice else {
                    panic!("{choice:?}")
                };
                position = database.variant().play(&position, turn);
                let left = plain.value(&position, 0).unwrap().known().unwrap().plies;
                assert_eq!(left, plies.checked_sub(played), "{position:?}");
            }
            line.len() < plies.into()
        });
        short += cut.count();
    }
    assert!(short > 0, "no line was cut short");
}

#[test]
fn sectors_left_out_are_unknown_never_draws() {
    let dir = TempDir::new().unwrap();
    let all = SIX.scores.keys().copied();
    let (chosen, left_out): (BTreeSet<Sector>, BTreeSet<Sector>) =
        all.partition(|sector| sector.in_hand() <= 2);
    let options = PackOptions {
        sectors: Some(chosen.clone()),
        ..PackOptions::default()
    };
    let told = pack_into(&SIX.plain, dir.path(), options).unwrap();
    assert_eq!(told.left_out, left_out.len());
    assert_eq!(told.stored + told.derived, chosen.len());
    assert!(told.derived > 0);
    let database = Database::open(dir.path()).unwrap();
    let prober = Prober::new(&database);
    let chosen: Vec<Sector> = chosen.into_iter().collect();
    SIX.positions(&chosen, 23).for_each(|(position, expected)| {
        let found = prober.value(&position, 0).unwrap();
        assert_eq!(found, Answer::Known(expected), "{position:?}");
    });
    let left_out: Vec<Sector> = left_out.into_iter().collect();
    SIX.positions(&left_out, 101)
        .for_each(|(position, expected)| {
            let over = database.variant().ending(&position).is_some();
            let unknown = Answer::Unknown(position.sector());
            let expected = if over {
                Answer::Known(expected)
            } else {
                unknown
            };
            assert_eq!(prober.value(&position, 0).unwrap(), expected);
        });
}

#[test]
fn sectors_that_lead_out_of_the_chosen_ones_are_stored() {
    let dir = TempDir::new().unwrap();
    let chosen: BTreeSet<Sector> = ["3-3", "5-5", "3-4+1-1"]
        .map(|sector| sector.parse().unwrap())
        .into();
    let options = PackOptions {
        sectors: Some(chosen.clone()),
        ..PackOptions::default()
    };
    pack_into(&SIX.plain, dir.path(), options).unwrap();
    let database = Database::open(dir.path()).unwrap();
    assert_eq!(sectors(&database).0, chosen.into_iter().collect::<Vec<_>>());
    for sector in sectors(&database).0 {
        assert!(database.read_sector(sector).unwrap() == SIX.scores[&sector]);
    }
}

#[test]
fn sectors_that_cannot_be_packed_are_named() {
    let refused = |source: &Database, sector: &str| {
        let dir = TempDir::new().unwrap();
        let options = PackOptions {
            sectors: Some([sector.parse().unwrap()].into()),
            ..PackOptions::default()
        };
        let error = pack_into(source, dir.path(), options).unwrap_err();
        assert_eq!(names(dir.path()), [""; 0]);
        error.to_string()
    };
    let error = refused(&SIX.plain, "7-7");
    assert!(error.ends_with("has no sector 7-7"), "{error}");
    let packed = &SIX.packed;
    let derived = sectors(packed).1[0];
    let error = refused(packed, &derived.to_string());
    assert!(error.contains(&format!("sector {derived} is answered by looking")));
}

// Damaged.

/// The sector that a file belongs to; none for the manifest.
fn sector_of(name: &str) -> Option<Sector> {
    let all = SIX.scores.keys();
    let mut owners = all.filter(|sector| name.split('.').next() == Some(&sector.file_stem()));
    owners.next().copied()
}

/// A folder with one file altered. Reading is right, or an error that names the file.
struct Altered<'a> {
    dir: &'a Path,
    name: &'a str,
    what: String,
}

impl Altered<'_> {
    /// Whether an error was met.
    fn is_noticed(&self, io: Io) -> bool {
        let options = OpenOptions {
            io,
            ..OpenOptions::default()
        };
        let database = match Database::open_with(self.dir, options) {
            Ok(database) => database,
            Err(error) => return self.names_it(&error),
        };
        let same = database.manifest().sectors == SIX.packed.manifest().sectors;
        assert!(same, "{}: other sectors", self.what);
        let Some(sector) = sector_of(self.name) else {
            return false;
        };
        let checked = self.checked(database.check_sector(sector), |()| true);
        let expected = &SIX.scores[&sector];
        let scores = self.checked(database.read_sector(sector), |scores| scores == *expected);
        let planes = SIX.plain.read_planes(sector).unwrap();
        let planes = self.checked(database.read_planes(sector), |found| found == planes);
        let cells = expected.iter().enumerate().step_by(expected.len() / 50 + 1);
        for (cell, &score) in cells {
            let found = database.score(sector, cell as u64);
            self.checked(found, |found| found == Score(score));
            let found = database.outcome(sector, cell as u64);
            self.checked(found, |found| found == Score(score).outcome());
        }
        assert!(checked || !(scores || planes), "{}: not checked", self.what);
        checked
    }

    /// Whether it is an error; what was read must be right.
    fn checked<T>(&self, read: Result<T, DatabaseError>, is_right: impl FnOnce(T) -> bool) -> bool {
        match read {
            Ok(read) => {
                assert!(is_right(read), "{}: wrong", self.what);
                false
            }
            Err(error) => self.names_it(&error),
        }
    }

    fn names_it(&self, error: &DatabaseError) -> bool {
        let text = error.to_string();
        assert!(text.contains(self.name), "{}: {text}", self.what);
        true
    }
}

/// Writes a file anew, never into one that may be mapped.
fn replace(dir: &Path, name: &str, bytes: &[u8]) {
    fs::remove_file(dir.join(name)).unwrap();
    fs::write(dir.join(name), bytes).unwrap();
}

/// Whether a file with these bytes instead of its own is noticed.
fn notices(dir: &Path, name: &str, bytes: &[u8], what: String) -> bool {
    replace(dir, name, bytes);
    let altered = Altered { dir, name, what };
    let noticed = [Io::Map, Io::Read].map(|io| altered.is_noticed(io));
    assert_eq!(noticed[0], noticed[1], "{}", altered.what);
    noticed[0]
}

/// A number below `end`.
fn below(random: &mut Random, end: usize) -> usize {
    random.below(end as u64) as usize
}

/// Where to alter a file: anywhere, and as often near its ends, where it says how to read the rest.
fn draw_byte(random: &mut Random, length: usize) -> usize {
    match below(random, 4) {
        0 => below(random, length.min(160)),
        1 => length - 1 - below(random, length.min(160)),
        _ => below(random, length),
    }
}

#[test]
fn a_thousand_altered_bytes_are_noticed_or_harmless() {
    let copy = SIX.copy();
    let files: Vec<(String, Vec<u8>)> = bytes_of(copy.path()).into_iter().collect();
    let manifest = files.iter().position(|(name, _)| name == "manifest.json");
    let mut harmless = BTreeMap::new();
    for round in 0..1000 {
        let mut random = Random::new(round);
        let drawn = match round % 10 {
            0 => manifest.unwrap(),
            _ => below(&mut random, files.len()),
        };
        let (name, bytes) = &files[drawn];
        let at = draw_byte(&mut random, bytes.len());
        let flip = 1 + below(&mut random, 255) as u8;
        let mut altered = bytes.clone();
        altered[at] ^= flip;
        let what = format!("{name}, byte {at} ^ {flip:#04x}");
        if !notices(copy.path(), name, &altered, what) {
            *harmless.entry(name).or_insert(0) += 1;
        }
        replace(copy.path(), name, bytes);
    }
    // Blanks after the digest of the manifest are all that may be altered.
    let harmless: Vec<_> = harmless.into_iter().collect();
    let only_blanks = harmless
        .iter()
        .all(|(name, times)| *name == "manifest.json" && *times < 10);
    assert!(only_blanks, "{harmless:?}");
    assert_same(copy.path(), SIX.packed.dir(), "put back");
}

#[test]
fn files_cut_short_at_every_percent_are_noticed() {
    let copy = SIX.copy();
    for name in [
        "4_4_0_0.values",
        "4_4_0_0.distances",
        "3_3_0_0.values",
        "manifest.json",
    ] {
        let bytes = fs::read(copy.path().join(name)).unwrap();
        for percent in 0..100 {
            let left = &bytes[..bytes.len() * percent / 100];
            let what = format!("{percent} % of {name}");
            assert!(notices(copy.path(), name, left, what.clone()), "{what}");
        }
        let longer = [&bytes[..], b"\0more"].concat();
        let what = format!("more than {name}");
        assert!(notices(copy.path(), name, &longer, what.clone()), "{what}");
        replace(copy.path(), name, &bytes);
    }
}

#[test]
fn what_a_download_may_leave_is_no_file() {
    let copy = SIX.copy();
    let page = b"<!DOCTYPE html><html><body>404 Not Found</body></html>".as_slice();
    let zeros = vec![0; 100_000];
    for name in ["4_4_0_0.values", "4_4_0_0.distances", "manifest.json"] {
        let bytes = fs::read(copy.path().join(name)).unwrap();
        for (instead, begin) in [(page, "a page"), (b"", "nothing"), (&zeros, "zeros")] {
            let what = format!("{begin} instead of {name}");
            assert!(notices(copy.path(), name, instead, what.clone()), "{what}");
        }
        replace(copy.path(), name, &bytes);
    }
    replace(copy.path(), "4_4_0_0.values", page);
    let database = Database::open(copy.path()).unwrap();
    let sector = "4-4".parse().unwrap();
    let error = database.outcome(sector, 0).unwrap_err().to_string();
    let begin = r#"it begins with "<!DOCTYPE html><""#;
    assert!(error.contains(begin), "{error}");
}

#[test]
fn probing_what_is_damaged_is_an_error_that_names_the_file() {
    let name = "4_4_0_0.values";
    let copy = SIX.copy();
    let mut bytes = fs::read(copy.path().join(name)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    replace(copy.path(), name, &bytes);
    let database = Database::open(copy.path()).unwrap();
    let (prober, sector) = (Prober::new(&database), "4-4".parse().unwrap());
    let all: Vec<Sector> = SIX.scores.keys().copied().collect();
    let before = |from: &Sector| SIX.plain.variant().sectors_after(*from).contains(&sector);
    let before: Vec<Sector> = all.into_iter().filter(before).collect();
    assert!(
        before
            .iter()
            .any(|&from| database.is_derived(from).unwrap())
    );
    let errors = SIX.positions(&before, 1).filter(|(position, expected)| {
        let found = prober.value(position, 0).map_err(|error| error.to_string());
        assert!(
            found.as_ref().is_err_and(|text| text.contains(name))
                || found == Ok(Answer::Known(*expected))
        );
        found.is_err() && position.sector() != sector
    });
    assert!(errors.count() > 100);
}

#[test]
fn files_under_each_others_names_are_noticed() {
    let (values, distances) = ("4_4_0_0.values", "4_4_0_0.distances");
    for (name, other) in [
        (values, distances),
        (values, "3_3_0_0.values"),
        (distances, "3_3_0_0.distances"),
        // As many cells in both.
        ("5_5_0_0.values", "5_5_1_0.values"),
        ("5_5_0_0.distances", "5_5_1_0.distances"),
        (values, "manifest.json"),
    ] {
        let copy = SIX.copy();
        let bytes = [name, other].map(|name| fs::read(copy.path().join(name)).unwrap());
        replace(copy.path(), other, &bytes[0]);
        replace(copy.path(), name, &bytes[1]);
        for (name, other) in [(name, other), (other, name)] {
            let what = format!("{other} in place of {name}");
            let dir = copy.path();
            // Of two swapped files of a sector either may be named.
            let stem = name.split('.').next().unwrap();
            let name = if other == "manifest.json" {
                other
            } else {
                stem
            };
            let altered = Altered { dir, name, what };
            assert!(altered.is_noticed(Io::Map), "{}", altered.what);
        }
    }
}

/// A packed database of six in which all positions of one sector are drawn, and nothing else is known.
fn drawn(sector: Sector) -> TempDir {
    let dir = TempDir::new().unwrap();
    let (plain, packed) = (dir.path().join("plain"), TempDir::new().unwrap());
    let six = SIX.plain.variant();
    let writer = DatabaseWriter::create(&plain, six, Contents::Distances, 1).unwrap();
    let writer = writer.restricted_to([sector]);
    let cells = vec![Score::DRAW.0; SIX.scores[&sector].len()];
    writer.write_sector(sector, Cells::Scores(&cells)).unwrap();
    writer.finish(serde_json::json!(null)).unwrap();
    let plain = Database::open(&plain).unwrap();
    pack_into(&plain, packed.path(), PackOptions::default()).unwrap();
    packed
}

#[test]
fn files_that_are_right_in_themselves_are_held_against_their_digests() {
    let sector = "4-4".parse().unwrap();
    let other = drawn(sector);
    for name in ["4_4_0_0.values", "4_4_0_0.distances"] {
        let copy = SIX.copy();
        replace(
            copy.path(),
            name,
            &fs::read(other.path().join(name)).unwrap(),
        );
        let database = Database::open(copy.path()).unwrap();
        let error = database.check_sector(sector).unwrap_err().to_string();
        let told = error.contains(name) && error.contains("BLAKE3 digest");
        assert!(told, "{error}");
    }
}

#[test]
fn a_file_under_another_name_is_not_there() {
    let copy = SIX.copy();
    let path = copy.path().join("4_4_0_0.values");
    fs::rename(&path, copy.path().join("4_4_0_0.values.old")).unwrap();
    let database = Database::open(copy.path()).unwrap();
    let sector = "4-4".parse().unwrap();
    let error = database.read_planes(sector).unwrap_err();
    assert!(matches!(error, DatabaseError::NotInstalled { .. }));
    assert!(error.to_string().contains("4_4_0_0.values"), "{error}");
    // A folder is as little a file.
    fs::create_dir(&path).unwrap();
    for io in [Io::Map, Io::Read] {
        let what = "a folder".to_owned();
        let (dir, name) = (copy.path(), "4_4_0_0.values");
        assert!(Altered { dir, name, what }.is_noticed(io));
    }
}

// Stopped and taken up again.

/// Puts some of the packed files, every second one, into a folder as if packing had stopped there.
fn half_packed() -> TempDir {
    let half = TempDir::new().unwrap();
    let files = names(SIX.packed.dir());
    let files = files.iter().filter(|name| *name != "manifest.json");
    for (i, name) in files.enumerate() {
        let begun = half.path().join(format!("{name}.partial"));
        match i % 10 {
            0 => fs::write(begun, "the first few bytes").unwrap(),
            i if i % 2 == 1 => {
                fs::copy(SIX.packed.dir().join(name), half.path().join(name)).unwrap();
            }
            _ => {}
        }
    }
    half
}

#[test]
fn a_stopped_packing_is_taken_up_again() {
    let half = half_packed();
    let finished = |dir: &Path| -> BTreeMap<String, _> {
        let old = names(dir).into_iter();
        let old = old.filter(|name| !name.ends_with(".partial"));
        let changed = |name: &String| fs::metadata(dir.join(name)).unwrap().modified().unwrap();
        old.map(|name| (name.clone(), changed(&name))).collect()
    };
    let before = finished(half.path());
    assert!(before.len() > 30);
    let (announced, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let announce = |cells| announced.store(cells, Ordering::Relaxed);
    let advance = |cells| {
        done.fetch_add(cells, Ordering::Relaxed);
    };
    let options = PackOptions::default();
    let told = pack(&SIX.plain, half.path(), &options, &announce, &advance).unwrap();
    assert_same(half.path(), SIX.packed.dir(), "taken up again");
    let after = finished(half.path());
    assert!(before.iter().all(|(name, time)| after[name] == *time));
    assert_eq!(announced.into_inner(), done.into_inner());
    let fresh = TempDir::new().unwrap();
    let expected = pack_into(&SIX.plain, fresh.path(), options).unwrap();
    assert_eq!(told.kept_files, before.len());
    let as_if_new = Packed {
        kept_files: 0,
        ..told
    };
    assert_eq!(as_if_new, expected);
}

#[test]
fn packing_that_stopped_at_the_manifest_is_taken_up_again() {
    let copy = SIX.copy();
    let manifest = copy.path().join("manifest.json");
    fs::rename(&manifest, copy.path().join("manifest.json.partial")).unwrap();
    pack_into(&SIX.plain, copy.path(), PackOptions::default()).unwrap();
    assert_same(copy.path(), SIX.packed.dir(), "taken up again");
}

#[test]
fn a_folder_with_other_things_is_refused_and_left_alone() {
    let derived = sectors(&SIX.packed).1[0].file_stem();
    for name in [
        "letter.txt".to_owned(),
        "0_0_9_9.values".to_owned(),
        format!("{derived}.values"),
        "4_4_0_0.sector".to_owned(),
    ] {
        let half = half_packed();
        fs::write(half.path().join(&name), "Dear").unwrap();
        let before = bytes_of(half.path());
        let error = pack_into(&SIX.plain, half.path(), PackOptions::default()).unwrap_err();
        assert!(matches!(error, DatabaseError::Occupied { .. }), "{error}");
        assert!(error.to_string().contains(&name), "{error}");
        assert_eq!(bytes_of(half.path()), before);
    }
}

#[test]
fn a_finished_database_is_not_packed_over() {
    let copy = SIX.copy();
    for source in [&SIX.plain, &Database::open(copy.path()).unwrap()] {
        let error = pack_into(source, copy.path(), PackOptions::default()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("already holds a database of 'six'"), "{text}");
        assert_same(copy.path(), SIX.packed.dir(), "refused");
    }
}

#[test]
fn finished_files_that_are_damaged_are_named() {
    for name in ["4_4_0_0.values", "4_4_0_0.distances"] {
        let bytes = fs::read(SIX.packed.dir().join(name)).unwrap();
        let mut altered = bytes.clone();
        altered[bytes.len() / 2] ^= 0x10;
        for damaged in [&altered[..], &bytes[..bytes.len() / 2], b""] {
            let half = TempDir::new().unwrap();
            fs::write(half.path().join(name), damaged).unwrap();
            let error = pack_into(&SIX.plain, half.path(), PackOptions::default());
            let text = error.unwrap_err().to_string();
            assert!(text.contains(name), "{text}");
            assert!(!half.path().join("manifest.json").exists());
        }
    }
}

#[test]
fn finished_files_of_another_game_are_named() {
    let dir = TempDir::new().unwrap();
    let mut five = SIX.plain.variant().clone();
    five.id = "six-with-five-men".to_owned();
    five.rules.men = 5;
    let (solved, packed) = (dir.path().join("plain"), dir.path().join("packed"));
    solve(&five, &solved, &SolveOptions::default(), &Silent).unwrap();
    let five = Database::open(&solved).unwrap();
    pack_into(&five, &packed, PackOptions::default()).unwrap();
    fs::remove_file(packed.join("manifest.json")).unwrap();
    for name in names(&packed) {
        if name != "4_4_0_0.values" {
            fs::remove_file(packed.join(name)).unwrap();
        }
    }
    let error = pack_into(&SIX.plain, &packed, PackOptions::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("4_4_0_0.values"), "{text}");
    assert!(text.contains("written for other rules"), "{text}");
}

// Wherever and however it is read.

#[test]
fn folders_may_have_any_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = TempDir::new().unwrap();
    let names: [&[u8]; 4] = [
        b"with blanks ",
        "Mühle, île".as_bytes(),
        b"m\xfchle\xff",
        b"a\nb",
    ];
    for name in names {
        let dir = folder.path().join(OsStr::from_bytes(name));
        pack_into(&SIX.plain, &dir, PackOptions::default()).unwrap();
        assert_same(&dir, SIX.packed.dir(), "under another name");
        for io in [Io::Map, Io::Read] {
            let options = OpenOptions {
                io,
                ..OpenOptions::default()
            };
            let database = Database::open_with(&dir, options).unwrap();
            let sector = "4-4".parse().unwrap();
            assert!(database.read_sector(sector).unwrap() == SIX.scores[&sector]);
        }
    }
}

#[test]
fn many_threads_with_a_tiny_cache_are_all_told_right() {
    let all: Vec<Sector> = SIX.scores.keys().copied().collect();
    for io in [Io::Map, Io::Read] {
        let options = OpenOptions {
            io,
            cache_bytes: 1 << 16,
            map_bytes: 1 << 16,
        };
        let database = &Database::open_with(SIX.packed.dir(), options).unwrap();
        let all = &all;
        std::thread::scope(|scope| {
            for seed in 0..8 {
                scope.spawn(move || ask_around(database, all, seed));
            }
        });
    }
}

/// Where a file may be damaged so that opening it fails, or only reading its first block.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Damaged {
    Nothing,
    Header,
    Block,
}

#[test]
fn thirty_two_threads_that_meet_an_unopened_sector_are_all_told_the_same() {
    let sector: Sector = "4-4".parse().unwrap();
    let cell = SIX.scores[&sector].len() as u64 / 3;
    let expected = Score(SIX.scores[&sector][cell as usize]);
    for (from, ending) in [(&SIX.plain, "sector"), (&SIX.packed, "values")] {
        for damaged in [Damaged::Nothing, Damaged::Header, Damaged::Block] {
            let copy = TempDir::new().unwrap();
            for name in names(from.dir()) {
                fs::copy(from.dir().join(&name), copy.path().join(&name)).unwrap();
            }
            let name = format!("{}.{ending}", sector.file_stem());
            damage_file(&copy.path().join(&name), damaged);
            for io in [Io::Map, Io::Read] {
                for _ in 0..8 {
                    let told = ask_at_once(copy.path(), io, sector, cell);
                    let first = &told[0];
                    assert!(
                        told.iter().all(|other| other == first),
                        "{damaged:?}: {told:?}"
                    );
                    match first {
                        Ok(score) => assert_eq!((*score, damaged), (expected, Damaged::Nothing)),
                        Err(text) => {
                            assert!(
                                text.contains(&name) && damaged != Damaged::Nothing,
                                "{text}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Alters a file: a byte of its header, or all of its blocks.
fn damage_file(path: &Path, damaged: Damaged) {
    let mut bytes = fs::read(path).unwrap();
    let number = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    let blocks = 80 + number(36)..number(bytes.len() - 24);
    match damaged {
        Damaged::Nothing => {}
        Damaged::Header => bytes[20] ^= 1,
        Damaged::Block => bytes[blocks].iter_mut().for_each(|byte| *byte ^= 0x55),
    }
    fs::write(path, bytes).unwrap();
}

/// Opens a database and asks 32 threads, all at once, for a cell of a sector that nobody asked for before.
fn ask_at_once(dir: &Path, io: Io, sector: Sector, cell: u64) -> Vec<Result<Score, String>> {
    let options = OpenOptions {
        io,
        ..OpenOptions::default()
    };
    let database = &Database::open_with(dir, options).unwrap();
    let start = &std::sync::Barrier::new(32);
    std::thread::scope(|scope| {
        let ask = move || {
            start.wait();
            let score = database.score(sector, cell);
            score.map_err(|error| error.to_string())
        };
        let threads: Vec<_> = (0..32).map(|_| scope.spawn(ask)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}

/// Asks for random positions and holds the answers against the plain form.
fn ask_around(database: &Database, all: &[Sector], seed: u64) {
    let (prober, mut random) = (Prober::new(database), Random::new(seed));
    for round in 0..400 {
        let sector = all[below(&mut random, all.len())];
        let scores = &SIX.scores[&sector];
        let cell = below(&mut random, scores.len());
        let position = sector.position(database.index().unrank(sector, cell as u64));
        let expected = Score(scores[cell]).value().into();
        let found = prober.value(&position, 0).unwrap();
        assert_eq!(found, Answer::Known(expected), "{position:?}");
        if round % 50 == 0 && !database.is_derived(sector).unwrap() {
            assert!(database.read_sector(sector).unwrap() == *scores, "{sector}");
        }
    }
}

#[test]
fn many_positions_at_once_are_answered_in_their_order() {
    let all: Vec<Sector> = SIX.scores.keys().copied().collect();
    let (positions, expected): (Vec<Position>, Vec<Probed>) = SIX.positions(&all, 307).unzip();
    let packed = &SIX.packed;
    let found = Prober::new(packed).values(&positions);
    for ((position, expected), found) in positions.iter().zip(expected).zip(found) {
        assert_eq!(found.unwrap(), Answer::Known(expected), "{position:?}");
    }
}
