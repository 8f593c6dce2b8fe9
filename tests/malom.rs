//! Files of Malom: written from databases, read back, and held against the published figures, and against a second,
//! slow computation of every byte.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use millbase::database::{Cells, Contents, Database, DatabaseWriter, PackOptions, pack};
use millbase::game::{PointSet, Sector, Variant};
use millbase::malom::check::{CheckOptions, Differences, Report, check};
use millbase::malom::{
    Entry, ExportOptions, Exported, Form, Game, MalomError, MalomIndex, SectorFile, SectorValues,
    bytes_needed, export,
};
use millbase::probe::Prober;
use millbase::random::Random;
use millbase::solve::{Silent, SolveOptions, solve};
use millbase::value::Value;
use tempfile::TempDir;

#[path = "common/malom.rs"]
mod slow;

use slow::{Slow, SlowEntry, made_up, sec_bytes, sec2_bytes};

/// The movement sectors of at most four men a side, solved once for all tests, and exported.
struct Four {
    _dir: TempDir,
    database: Database,
    exported: Exported,
    files: PathBuf,
}

static FOUR: LazyLock<Four> = LazyLock::new(|| {
    let dir = TempDir::new().unwrap();
    let (db, files) = (dir.path().join("db"), dir.path().join("malom"));
    let options = SolveOptions {
        men_up_to: Some(4),
        ..SolveOptions::default()
    };
    solve(&nine(), &db, &options, &Silent).unwrap();
    let database = Database::open(&db).unwrap();
    let exported = export(&database, &files, &ExportOptions::default(), &Silent).unwrap();
    Four {
        _dir: dir,
        database,
        exported,
        files,
    }
});

fn nine() -> Variant {
    Variant::builtin("nine").unwrap()
}

fn sector(name: &str) -> Sector {
    name.parse().unwrap()
}

fn options(names: &[&str], form: Form) -> ExportOptions {
    ExportOptions {
        sectors: Some(names.iter().map(|name| sector(name)).collect()),
        form,
        values: None,
    }
}

fn checked(database: &Database, dir: &Path) -> Result<Report, MalomError> {
    let options = CheckOptions {
        sectors: None,
        examples: 3,
    };
    check(database, dir, &options, &Silent)
}

/// The rows of a table below its heading, by column.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}

/// Reads an entry of a `.sec2` file of nine men's morris as the description of the files has it, where all sectors
/// have the value 0.
fn read(bytes: &[u8], entry: u64) -> SlowEntry {
    let at = 64 + 3 * entry as usize;
    let word =
        i32::from(bytes[at]) | i32::from(bytes[at + 1]) << 8 | i32::from(bytes[at + 2]) << 16;
    let signed = |n: i32| if n < 2048 { n } else { n - 4096 };
    match (signed(word & 4095), signed(word >> 12)) {
        (299, plies) => SlowEntry::Decided(Value::Win(plies as u16)),
        (-299, plies) => SlowEntry::Decided(Value::Loss(plies as u16)),
        (0, count @ 0..) => SlowEntry::Draw(count as u32),
        (0, redirect) => SlowEntry::Redirect((-redirect - 1) as usize),
        other => panic!("{other:?} in entry {entry}"),
    }
}

#[test]
fn files_have_the_size_and_names_that_malom_gives_them() {
    let names: Vec<&str> = FOUR
        .exported
        .files
        .iter()
        .map(|f| f.name.as_str())
        .collect();
    let expected = [
        "std_3_3_0_0.sec2",
        "std_3_4_0_0.sec2",
        "std_4_3_0_0.sec2",
        "std_4_4_0_0.sec2",
    ];
    assert_eq!(names, expected);
    for file in &FOUR.exported.files {
        let bytes = fs::metadata(FOUR.files.join(&file.name)).unwrap().len();
        assert_eq!(bytes, file.bytes);
        assert_eq!(
            bytes,
            64 + 3 * file.entries + 4 + 8 * file.exceptions as u64
        );
        assert_eq!(file.exceptions, 0);
    }
    let needed = bytes_needed(&FOUR.database, &ExportOptions::default()).unwrap();
    assert_eq!(needed, FOUR.exported.bytes);
    let text = fs::read_to_string(FOUR.files.join("std.secval")).unwrap();
    let expected = "virt_loss_val: -299\nvirt_win_val: 299\n4\n\
                    3 3 0 0  0\n3 4 0 0  0\n4 3 0 0  0\n4 4 0 0  0\n";
    assert_eq!(text, expected);
    // Nothing provisional is left.
    assert_eq!(fs::read_dir(&FOUR.files).unwrap().count(), 5);
}

/// Source of the figures: Malom's own files, decoded.
#[test]
fn counts_and_longest_distances_are_those_of_malom_s_files() {
    let mut compared = 0;
    for row in rows(include_str!("../data/reference/malom-sectors.tsv")) {
        let Ok(bytes) = fs::read(FOUR.files.join(format!("{}.sec2", row[0]))) else {
            continue;
        };
        let number = |column: usize| row[column].parse::<i64>().unwrap();
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        let (mut longest_win, mut longest_loss) = (-1, -1);
        for entry in 0..number(1) as u64 {
            match read(&bytes, entry) {
                SlowEntry::Redirect(_) => {}
                SlowEntry::Draw(_) => draws += 1,
                SlowEntry::Decided(Value::Win(plies)) => {
                    wins += 1;
                    longest_win = longest_win.max(i64::from(plies));
                }
                SlowEntry::Decided(value) => {
                    losses += 1;
                    longest_loss = longest_loss.max(i64::from(value.plies().unwrap()));
                }
            }
        }
        assert_eq!([wins, draws, losses], [2, 3, 4].map(number), "{}", row[0]);
        assert_eq!(
            [longest_win, longest_loss],
            [8, 9].map(number),
            "{}",
            row[0]
        );
        compared += 1;
    }
    assert_eq!(compared, 3);
}

/// Source of the positions: Malom's own files, decoded.
#[test]
fn published_positions_are_found_by_malom_s_index() {
    let (nine, mut slow) = (nine(), Slow::new());
    let game = Game::of(&nine).unwrap();
    let index = MalomIndex::new(&nine.board);
    let values = SectorValues::read(&FOUR.files.join("std.secval"), &game).unwrap();
    let names = ["3_3", "3_4", "4_3"].map(|men| FOUR.files.join(format!("std_{men}_0_0.sec2")));
    let bytes = names.clone().map(|name| fs::read(name).unwrap());
    let files = names.map(|name| SectorFile::open(&name, &game, &index, &values).unwrap());
    let men = |list: &str| -> PointSet {
        let points = list
            .split(',')
            .map(|label| nine.board.point(label).unwrap());
        points.fold(0, |set, p| set | 1 << p)
    };
    let mut compared = [0; 3];
    let table = include_str!("../data/reference/nine-positions.tsv");
    for row in rows(table).filter(|row| row[2..4] == ["0", "0"]) {
        let (mover, opponent) = (men(row[0]), men(row[1]));
        let at = match (mover.count_ones(), opponent.count_ones()) {
            (3, 3) => 0,
            (3, 4) => 1,
            (4, 3) => 2,
            other => panic!("{other:?}"),
        };
        // As Malom looks a board up: some entry, and where that sends it.
        let (mut entry, seed, there) = slow.entry(mover, opponent);
        if let SlowEntry::Redirect(op) = read(&bytes[at], entry) {
            let image = slow.image(op, there);
            assert_eq!(slow.image(op, seed), seed);
            entry = slow.entry(seed, image).0;
        }
        let ours = files[at].entry(index.entry(mover, opponent)).unwrap();
        assert_eq!(index.entry(mover, opponent), entry);
        let found = match read(&bytes[at], entry) {
            SlowEntry::Decided(value) => (value.outcome().to_string(), value.plies()),
            SlowEntry::Draw(_) => ("draw".to_owned(), None),
            SlowEntry::Redirect(_) => panic!("{row:?} is redirected twice"),
        };
        assert_eq!(found, (row[4].to_owned(), row[5].parse().ok()), "{row:?}");
        let same = match ours {
            Entry::Win(plies) => ("win".to_owned(), Some(plies as u16)),
            Entry::Loss(plies) => ("loss".to_owned(), Some(plies as u16)),
            Entry::Draw(_) => ("draw".to_owned(), None),
            Entry::Redirect(_) => panic!("{row:?} is redirected twice"),
        };
        assert_eq!(found, same);
        compared[at] += 1;
    }
    assert_eq!(compared.iter().sum::<i32>(), 900);
    assert!(compared.iter().all(|&n| n > 0), "{compared:?}");
}

#[test]
fn every_byte_of_3_3_is_that_of_a_slow_computation() {
    let prober = Prober::new(&FOUR.database);
    let entries = Slow::new().sector(&prober, sector("3-3"));
    assert_eq!(entries.len(), 210_140);
    let found = fs::read(FOUR.files.join("std_3_3_0_0.sec2")).unwrap();
    assert_eq!(found, sec2_bytes(&entries, 12, 299));
    let dir = TempDir::new().unwrap();
    export(
        &FOUR.database,
        dir.path(),
        &options(&["3-3"], Form::Sec),
        &Silent,
    )
    .unwrap();
    let found = fs::read(dir.path().join("std_3_3_0_0.sec")).unwrap();
    assert_eq!(found, sec_bytes(&entries));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// Malom's sectors 3-3, 3-4 and 4-3 have 1,340,292 entries that are draws with a count.
#[test]
fn counts_of_draws_are_those_of_a_slow_computation() {
    let (prober, slow) = (Prober::new(&FOUR.database), Slow::new());
    let index = MalomIndex::new(&nine().board);
    let (mut draws, mut compared, mut counts) = (0, 0, BTreeSet::new());
    for name in ["3-3", "3-4", "4-3"] {
        let sector = sector(name);
        let bytes = fs::read(FOUR.files.join(format!("std_{}.sec2", sector.file_stem()))).unwrap();
        for entry in 0..index.entries(sector) {
            let SlowEntry::Draw(count) = read(&bytes, entry) else {
                continue;
            };
            draws += 1;
            // Those that some symmetry keeps in place are few and have the weights that matter.
            let men = index.men(sector, entry);
            let turned = entry % 64 == 0 && slow.orbit(men.0, men.1) < 16;
            if turned || draws % 97 == 0 {
                assert_eq!(
                    count,
                    slow.count(&prober, &sector.position(men)),
                    "{name} {entry}"
                );
                counts.insert(count);
                compared += 1;
            }
        }
    }
    assert_eq!(draws, 1_340_292);
    assert!(
        compared > 13_000 && counts.len() > 20,
        "{compared} {counts:?}"
    );
}

/// Placing and moving, all games, exceptions: with values that mean nothing, so that each byte has to come from
/// where it belongs.
#[test]
fn sectors_of_all_games_are_those_of_a_slow_computation() {
    let cases: [(&str, u32, i32, &[&str]); 3] = [
        (
            "nine",
            12,
            299,
            &["0-0+9-9", "0-1+9-8", "2-2+7-7", "2-3+7-6", "2-3+1-0"],
        ),
        ("twelve", 14, 704, &["0-0+12-12", "3-2+9-9", "2-3+10-9"]),
        (
            "lasker",
            14,
            1715,
            &["1-1+9-9", "2-3+8-7", "2-2+1-2", "2-2+8-5", "3-2+0-1"],
        ),
    ];
    let mut slow = Slow::new();
    for (id, key1_bits, win, names) in cases {
        let variant = Variant::builtin(id).unwrap();
        let (_dir, database) = made_up(&variant, names);
        let (game, prober) = (Game::of(&variant).unwrap(), Prober::new(&database));
        let dir = TempDir::new().unwrap();
        let out = dir.path();
        for form in [Form::Sec2, Form::Sec] {
            export(&database, out, &options(names, form), &Silent).unwrap();
        }
        for name in names {
            let entries = slow.sector(&prober, sector(name));
            let found = |form| fs::read(out.join(game.file_name(sector(name), form))).unwrap();
            assert_eq!(found(Form::Sec), sec_bytes(&entries), "{id} {name}");
            assert_eq!(
                found(Form::Sec2),
                sec2_bytes(&entries, key1_bits, win),
                "{id} {name}"
            );
        }
        let report = checked(&database, out).unwrap();
        assert_eq!(report.files.len(), 2 * names.len());
        assert_eq!(report.differences(), Differences::default());
    }
}

#[test]
fn what_was_exported_is_the_same_when_it_is_checked() {
    let report = checked(&FOUR.database, &FOUR.files).unwrap();
    let counts: Vec<_> = report
        .files
        .iter()
        .map(|f| (f.entries, f.positions))
        .collect();
    // Entries and distinct positions of Malom's sectors, the latter by its own counts.
    let expected = [
        (210_140, 169_626),
        (945_630, 760_398),
        (862_980, 760_398),
        (3_667_665, 3_225_597),
    ];
    assert_eq!(counts, expected);
    assert_eq!(report.differences(), Differences::default());
    assert!(report.not_in_database.is_empty());
}

#[test]
fn packed_databases_give_the_same_files() {
    let dir = TempDir::new().unwrap();
    let (packed, out) = (dir.path().join("packed"), dir.path().join("malom"));
    pack(
        &FOUR.database,
        &packed,
        &PackOptions::default(),
        &|_| (),
        &|_| (),
    )
    .unwrap();
    let packed = Database::open(&packed).unwrap();
    assert!(
        packed
            .manifest()
            .sectors
            .iter()
            .any(|record| record.derived)
    );
    let exported = export(&packed, &out, &ExportOptions::default(), &Silent).unwrap();
    assert_eq!(exported, FOUR.exported);
    let report = checked(&packed, &FOUR.files).unwrap();
    assert_eq!(report.differences(), Differences::default());
}

#[test]
fn values_of_sectors_shift_results_and_not_what_they_mean() {
    let dir = TempDir::new().unwrap();
    let text = dir.path().join("values");
    // The values in Malom's own text.
    let values = "virt_loss_val: -299\r\nvirt_win_val: 299\r\n4\r\n\
                  4 3 0 0  -40\r\n3 3 0 0  0\r\n4 4 0 0  0\r\n3 4 0 0  40\r\n";
    fs::write(&text, values).unwrap();
    let out = dir.path().join("malom");
    let options = ExportOptions {
        values: Some(text),
        ..options(&["3-3", "3-4", "4-3"], Form::Sec2)
    };
    export(&FOUR.database, &out, &options, &Silent).unwrap();
    let written = fs::read_to_string(out.join("std.secval")).unwrap();
    assert_eq!(
        written,
        "virt_loss_val: -299\nvirt_win_val: 299\n3\n4 3 0 0  -40\n3 3 0 0  0\n3 4 0 0  40\n"
    );
    let report = checked(&FOUR.database, &out).unwrap();
    assert_eq!(report.files.len(), 3);
    assert_eq!(report.differences(), Differences::default());
    let same =
        |name: &str| fs::read(out.join(name)).unwrap() == fs::read(FOUR.files.join(name)).unwrap();
    assert!(same("std_3_3_0_0.sec2"));
    assert!(!same("std_3_4_0_0.sec2"));
    // Wins of 3-4 are 299 - 40, draws -40.
    let bytes = fs::read(out.join("std_3_4_0_0.sec2")).unwrap();
    let key1s = bytes[64..bytes.len() - 4].chunks(3).map(|entry| {
        let key1 = i32::from(entry[0]) | (i32::from(entry[1]) & 15) << 8;
        if key1 < 2048 { key1 } else { key1 - 4096 }
    });
    assert_eq!(
        key1s.collect::<BTreeSet<_>>(),
        BTreeSet::from([-40, 0, 259])
    );
}

/// A sector file with something put in its place, and what a check finds.
fn altered(name: &str, at: usize, new: &[u8]) -> Report {
    let dir = TempDir::new().unwrap();
    let mut bytes = fs::read(FOUR.files.join(name)).unwrap();
    bytes[at..at + new.len()].copy_from_slice(new);
    fs::write(dir.path().join(name), bytes).unwrap();
    fs::copy(FOUR.files.join("std.secval"), dir.path().join("std.secval")).unwrap();
    checked(&FOUR.database, dir.path()).unwrap()
}

#[test]
fn single_wrong_entries_are_found() {
    let name = "std_3_3_0_0.sec2";
    let bytes = fs::read(FOUR.files.join(name)).unwrap();
    let find = |wanted: fn(SlowEntry) -> bool| {
        let mut entries = 0..210_140;
        entries.find(|&entry| wanted(read(&bytes, entry))).unwrap()
    };
    let win = find(|entry| matches!(entry, SlowEntry::Decided(Value::Win(5))));
    let loss = find(|entry| matches!(entry, SlowEntry::Decided(Value::Loss(4))));
    let draw = find(|entry| matches!(entry, SlowEntry::Draw(_)));
    let redirect = find(|entry| matches!(entry, SlowEntry::Redirect(_)));
    let key = |key1: i32, key2: i32| {
        let word = (key1 & 4095) as u32 | (key2 as u32) << 12;
        word.to_le_bytes()[..3].to_vec()
    };
    let found = |entry: u64, key: Vec<u8>| {
        let report = altered(name, 64 + 3 * entry as usize, &key);
        let file = &report.files[0];
        assert!(file.examples.iter().all(|example| example.entry == entry));
        let Differences {
            results,
            plies,
            redirects,
        } = report.differences();
        let example = file.examples.first().cloned();
        let words = example.map(|example| format!("{}; {}", example.found, example.expected));
        (results, plies, redirects, words.unwrap_or_default())
    };
    let words = |text: &str| text.to_owned();
    assert_eq!(
        found(win, key(299, 7)),
        (0, 1, 0, words("win in 7 plies; win in 5 plies"))
    );
    assert_eq!(
        found(loss, key(299, 4)),
        (1, 0, 0, words("win in 4 plies; loss in 4 plies"))
    );
    assert_eq!(
        found(win, key(0, 3)),
        (1, 0, 0, words("draw; win in 5 plies"))
    );
    // A draw that another sector decides, and a count that is wrong: both are draws.
    assert_eq!(found(draw, key(17, -2)), (0, 0, 0, words("")));
    assert_eq!(found(draw, key(0, 2000)), (0, 0, 0, words("")));

    let SlowEntry::Redirect(op) = read(&bytes, redirect) else {
        unreachable!()
    };
    // Operation 0 keeps none of the first seeds in place.
    let (_, _, redirects, text) = found(redirect, key(0, -1));
    assert_eq!(redirects, 1);
    assert_eq!(
        text,
        format!("redirect by operation 0; redirect by operation {op}")
    );
    let (.., redirects, _) = found(win, key(0, -1 - op as i32));
    assert_eq!(redirects, 1);
    let (.., redirects, text) = found(redirect, key(299, 1));
    assert_eq!(redirects, 1);
    assert_eq!(text, format!("win in 1 ply; redirect by operation {op}"));
}

#[test]
fn damaged_files_are_errors_that_say_what_is_wrong() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("std_3_3_0_0.sec2");
    fs::copy(FOUR.files.join("std.secval"), dir.path().join("std.secval")).unwrap();
    let bytes = fs::read(FOUR.files.join("std_3_3_0_0.sec2")).unwrap();
    let size = bytes.len();
    let said = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = bytes.clone();
        change(&mut changed);
        fs::write(&path, changed).unwrap();
        let error = checked(&FOUR.database, dir.path()).unwrap_err();
        let text = error.to_string();
        let start = format!("{} is damaged: ", path.display());
        text.strip_prefix(&start).unwrap_or(&text).to_owned()
    };
    let number = |n: i32| n.to_le_bytes();
    assert_eq!(
        said(&|b| b.truncate(40)),
        "it has 40 bytes where 630488 belong"
    );
    assert_eq!(
        said(&|b| b.truncate(size - 1)),
        "it has 630487 bytes where 630488 belong"
    );
    assert_eq!(
        said(&|b| b.push(0)),
        "it has 630489 bytes where 630488 belong"
    );
    assert_eq!(
        said(&|b| b[0] = 3),
        "its header is not that of a sector of std: byte 0 is 3 instead of 2"
    );
    assert_eq!(
        said(&|b| b[8] = 14),
        "its header is not that of a sector of std: byte 8 is 14 instead of 12"
    );
    assert_eq!(
        said(&|b| b[size - 4..].copy_from_slice(&number(-5))),
        "it claims to have -5 exceptions"
    );
    assert_eq!(
        said(&|b| b[size - 4..].copy_from_slice(&number(2))),
        "it has 630488 bytes where 630504 belong"
    );
    let pairs = |entries: &[i32]| {
        let entries = entries.to_vec();
        move |b: &mut Vec<u8>| {
            b[size - 4..].copy_from_slice(&number(entries.len() as i32));
            entries
                .iter()
                .for_each(|&entry| b.extend([number(entry), number(7)].concat()));
        }
    };
    for (entries, wrong, entry) in [
        ([5, 5], 1, 5),
        ([6, 5], 1, 5),
        ([-1, 5], 0, -1),
        ([5, 210_140], 1, 210_140),
    ] {
        assert_eq!(
            said(&pairs(&entries)),
            format!(
                "number {wrong} of its exceptions, for entry {entry}, is out of order or of no entry"
            )
        );
    }
    let put = |entry: usize, word: u32| {
        move |b: &mut Vec<u8>| b[64 + 3 * entry..][..3].copy_from_slice(&word.to_le_bytes()[..3])
    };
    assert_eq!(
        said(&put(9, 0x800_12b)),
        "entry 9: it refers to the list of exceptions, which does not have it"
    );
    assert_eq!(
        said(&put(9, 0xff0_000)),
        "entry 9: it redirects by operation 15, and there are only those from 0 to 14"
    );
    assert_eq!(
        said(&put(9, 0xfff_12b)),
        "entry 9: it is decided in -1 plies"
    );
    // An exception that is there is no damage.
    let mut changed = bytes.clone();
    put(9, 0x800_12b)(&mut changed);
    pairs(&[9])(&mut changed);
    fs::write(&path, changed).unwrap();
    assert_eq!(
        checked(&FOUR.database, dir.path())
            .unwrap()
            .differences()
            .redirects,
        1
    );

    fs::write(&path, &bytes).unwrap();
    let values = dir.path().join("std.secval");
    fs::write(&values, "virt_loss_val: -299\nvirt_win_val: 299\n0\n").unwrap();
    let error = checked(&FOUR.database, dir.path()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{} has no value for sector 3-3", values.display())
    );
    fs::write(&values, "virt_loss_val: -299\nvirt_win_val: 299\nall\n").unwrap();
    let error = checked(&FOUR.database, dir.path()).unwrap_err().to_string();
    let expected = "line 3: the number of sectors with a number belongs here";
    assert_eq!(error, format!("{}, {expected}", values.display()));
    fs::remove_file(&values).unwrap();
    let error = checked(&FOUR.database, dir.path()).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot read ") && error.contains("std.secval"),
        "{error}"
    );
}

/// Every truncation of small files in both forms is refused; changes of their bytes, and of the text with the values,
/// do no harm.
#[test]
fn truncations_and_random_changes_do_no_harm() {
    let (_made, database) = made_up(&nine(), &["0-1+9-8"]);
    let dir = TempDir::new().unwrap();
    let out = dir.path();
    for form in [Form::Sec2, Form::Sec] {
        export(&database, out, &options(&["0-1+9-8"], form), &Silent).unwrap();
    }
    let (game, index) = (Game::of(&nine()).unwrap(), MalomIndex::new(&nine().board));
    let values = SectorValues::read(&out.join("std.secval"), &game).unwrap();
    let path = out.join("std_0_1_9_8.sec2");
    let file = SectorFile::open(&path, &game, &index, &values).unwrap();
    assert_eq!(file.path(), path);
    let listed = 8 * file.exceptions() as u64;
    let bytes = fs::metadata(&path).unwrap().len();
    assert_eq!(bytes, 64 + 3 * file.entries() + 4 + listed);
    drop(file);
    let mut random = Random::new(3);
    let (mut accepted, mut refused) = (0, 0);
    for name in ["std_0_1_9_8.sec2", "std_0_1_9_8.sec", "std.secval"] {
        let path = out.join(name);
        let bytes = fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let whole = match name {
                // Without the end of its last line it is whole.
                "std.secval" => {
                    SectorValues::read(&path, &game).is_ok() && length + 1 < bytes.len()
                }
                _ => SectorFile::open(&path, &game, &index, &values).is_ok(),
            };
            assert!(!whole, "{name} {length}");
        }
        for _ in 0..300 {
            let mut changed = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(changed.len() as u64) as usize;
                changed[at] = random.number() as u8;
            }
            fs::write(&path, &changed).unwrap();
            match checked(&database, out) {
                Ok(_) => accepted += 1,
                Err(_) => refused += 1,
            }
        }
        fs::write(&path, &bytes).unwrap();
    }
    assert!(accepted > 100 && refused > 100, "{accepted} {refused}");
}

#[test]
fn nothing_of_others_is_replaced() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("malom");
    let said = |options: &ExportOptions| {
        let error = export(&FOUR.database, &out, options, &Silent).unwrap_err();
        error.to_string()
    };
    export(
        &FOUR.database,
        &out,
        &options(&["3-3"], Form::Sec2),
        &Silent,
    )
    .unwrap();
    // Another sector goes beside it, and the text has both.
    export(
        &FOUR.database,
        &out,
        &options(&["3-4"], Form::Sec2),
        &Silent,
    )
    .unwrap();
    let text = out.join("std.secval");
    let both = fs::read_to_string(&text).unwrap();
    assert!(both.ends_with("\n2\n3 3 0 0  0\n3 4 0 0  0\n"), "{both}");
    let there = out.join("std_3_4_0_0.sec2");
    assert_eq!(
        said(&options(&["3-4", "4-3"], Form::Sec2)),
        format!(
            "{} is there already; choose another folder or delete it",
            there.display()
        )
    );
    assert!(!out.join("std_4_3_0_0.sec2").exists());

    // What the text does not have was left by an export that was stopped.
    fs::write(out.join("std_4_3_0_0.sec2"), "half").unwrap();
    export(
        &FOUR.database,
        &out,
        &options(&["4-3"], Form::Sec2),
        &Silent,
    )
    .unwrap();
    assert_eq!(
        checked(&FOUR.database, &out).unwrap().differences().total(),
        0
    );

    let whole = fs::read_to_string(&text).unwrap();
    for other in [
        whole.replace("3 3 0 0  0", "3 3 0 0  7"),
        whole.replace("299", "300"),
    ] {
        fs::write(&text, other).unwrap();
        let other_values = format!(
            "{} gives other values to the sectors than these files would be written by; choose another folder",
            text.display()
        );
        assert_eq!(said(&options(&["4-4"], Form::Sec2)), other_values);
    }
    let sec = options(&["3-3"], Form::Sec);
    export(&FOUR.database, &out, &sec, &Silent).unwrap();
    assert!(said(&sec).contains("std_3_3_0_0.sec is there already"));
}

#[test]
fn what_cannot_be_written_is_refused_before_a_folder_is_made() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("malom");
    let refused = |database: &Database, options: &ExportOptions| {
        let needed = bytes_needed(database, options).map(drop);
        let error = export(database, &out, options, &Silent)
            .map(drop)
            .unwrap_err();
        assert!(!out.exists());
        (error.to_string(), needed.is_err())
    };
    let other = Variant::builtin("twelve-first-loses").unwrap();
    let (_dir, other) = made_up(&other, &["0-1+12-11"]);
    let (text, early) = refused(&other, &ExportOptions::default());
    let start = "Malom has no databases of 'twelve-first-loses': it knows the rules of 'nine'";
    assert!(early && text.starts_with(start), "{text}");
    let values = dir.path().join("values");
    let writer = DatabaseWriter::create(&values, &nine(), Contents::Values, 1).unwrap();
    let writer = writer.restricted_to([sector("0-0+9-9")]);
    let (win, loss) = (&[0], &[0]);
    let start = Cells::Planes { win, loss };
    writer.write_sector(sector("0-0+9-9"), start).unwrap();
    writer.finish(serde_json::json!(null)).unwrap();
    let values = Database::open(&values).unwrap();
    let (text, early) = refused(&values, &ExportOptions::default());
    let reason = " holds values: Malom's files have distances to the end of the game";
    assert!(early && text.contains(reason), "{text}");
    let error = checked(&values, &FOUR.files).unwrap_err().to_string();
    assert_eq!(error, text);
    let (text, early) = refused(&FOUR.database, &options(&["3-3", "5-5"], Form::Sec2));
    assert!(early && text.ends_with(" has no sector 5-5"), "{text}");
    // It has 0-0+9-9 and 0-1+9-8, but not what follows.
    let (_dir, part) = made_up(&nine(), &["0-0+9-9"]);
    let (text, early) = refused(&part, &ExportOptions::default());
    let start = "sector 0-1+9-8 cannot be written: what is told beside its draws needs sector 1-1+8-8, which ";
    assert!(early && text.starts_with(start), "{text}");
    let values = dir.path().join("std.secval");
    fs::write(
        &values,
        "virt_loss_val: -299\nvirt_win_val: 299\n1\n3 3 0 0  0\n",
    )
    .unwrap();
    let options = ExportOptions {
        values: Some(values.clone()),
        ..ExportOptions::default()
    };
    let (text, _) = refused(&FOUR.database, &options);
    assert_eq!(
        text,
        format!("{} has no value for sector 3-4", values.display())
    );
}

#[test]
fn files_of_other_sectors_are_told_apart() {
    let dir = TempDir::new().unwrap();
    let said = || checked(&FOUR.database, dir.path()).unwrap_err().to_string();
    assert_eq!(
        said(),
        format!(
            "{} has no files of Malom that are asked for: none is called std_0_0_9_9.sec2 or the like",
            dir.path().display()
        )
    );
    for name in ["std_3_3_0_0.sec2", "std.secval"] {
        fs::copy(FOUR.files.join(name), dir.path().join(name)).unwrap();
    }
    // Sectors that the game has and this database lacks are not read; other games do not matter.
    for name in ["std_5_5_0_0.sec2", "std_0_0_9_9.sec", "mora_3_3_0_0.sec2"] {
        fs::write(dir.path().join(name), "nothing").unwrap();
    }
    let report = checked(&FOUR.database, dir.path()).unwrap();
    assert_eq!(report.files.len(), 1);
    assert_eq!(
        report.not_in_database,
        ["std_0_0_9_9.sec", "std_5_5_0_0.sec2"]
    );
    // But if all are of that kind, nothing was compared, which is not the same as no differences.
    let larger = tempfile::tempdir().unwrap();
    fs::write(larger.path().join("std_5_5_0_0.sec2"), "nothing").unwrap();
    let error = checked(&FOUR.database, larger.path()).unwrap_err();
    assert!(
        error.to_string().contains("nothing can be compared")
            && error.to_string().ends_with("std_5_5_0_0.sec2"),
        "{error}"
    );
    let strange = dir.path().join("std_2_2_0_0.sec2");
    fs::write(&strange, "nothing").unwrap();
    assert_eq!(
        said(),
        format!(
            "{} is named for sector 2-2, which the game does not have",
            strange.display()
        )
    );

    let (game, index) = (Game::of(&nine()).unwrap(), MalomIndex::new(&nine().board));
    let values = SectorValues::balanced(&game, []);
    let path = dir.path().join("three.sec2");
    let error = SectorFile::open(&path, &game, &index, &values).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("is not named like a sector file of std"),
        "{error}"
    );
}
