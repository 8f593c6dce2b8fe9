//! Packed databases as a user meets them: the program packs `six`, answers from what is there, says what
//! is not, and works in odd folders, with few open files, and without maps.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

fn millbase() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("millbase"))
}

/// `six` in both forms, made by the program once for all tests.
struct Six {
    _folder: TempDir,
    plain: PathBuf,
    packed: PathBuf,
}

static SIX: LazyLock<Six> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (folder.path().join("plain"), folder.path().join("packed"));
    let solve = millbase().args(["solve", "six", "--db"]).arg(&plain).ok();
    solve.expect("six can be solved");
    pack(&plain, &packed, &[]);
    Six {
        _folder: folder,
        plain,
        packed,
    }
});

/// Packs, and returns what the program says of it.
fn pack(source: &Path, out: &Path, arguments: &[&str]) -> String {
    let mut command = millbase();
    command.arg("pack").arg("--db").arg(source);
    said(command.arg("--out").arg(out).args(arguments))
}

/// What a command that has to succeed prints.
fn said(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("the answer is text")
}

/// Runs a command on a database.
fn ask(arguments: &[&str], db: &Path) -> String {
    said(millbase().args(arguments).arg("--db").arg(db))
}

fn json(arguments: &[&str], db: &Path) -> Value {
    let answer = ask(&[arguments, &["--json"]].concat(), db);
    serde_json::from_str(&answer).expect("the answer is JSON")
}

fn query(db: &Path, moves: &str) -> Value {
    json(&["query", "start", "--moves", moves], db)
}

/// The packed files in a folder of their own.
fn copy() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for path in files(&SIX.packed) {
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    copy
}

/// The paths of all files of a folder, in order.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn files_ending(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = files(dir);
    files.retain(|path| path.extension() == Some(OsStr::new(ending)));
    files
}

fn delete(dir: &Path, ending: &str) {
    for path in files_ending(dir, ending) {
        fs::remove_file(path).unwrap();
    }
}

/// The program has to refuse with this exit code and one sentence that has this in it.
fn refuses(command: &mut Command, code: i32, message: &str) {
    let one_sentence = predicate::function(|error: &str| error.trim_end().lines().count() == 1);
    command.assert().code(code).stdout("").stderr(
        contains(message)
            .and(contains("millbase: "))
            .and(one_sentence),
    );
}

/// `White to move: draw`, and what a position's other values are called.
fn verdicts(answer: &str) -> Vec<&str> {
    let lines = answer.lines().filter(|line| line.contains(" to move: "));
    lines.collect()
}

/// Games that lead to wins, draws and losses, and to positions of all stages.
const GAMES: [&str; 6] = [
    "",
    "a1",
    "a1 c1 a3 e3 a5",
    "b2 d4 b4 d2",
    "a1 c1 a3 e3 a5xc1",
    "a1 c1 a3 e3 a5xc1 b2 e5 d4",
];

#[test]
fn packing_tells_what_it_has_made() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("packed");
    let told = pack(&SIX.plain, &out, &["--threads", "1"]);
    let size = |ending: &str| -> u64 {
        let files = files_ending(&out, ending).into_iter();
        files.map(|path| path.metadata().unwrap().len()).sum()
    };
    let digits = told.replace(',', "");
    for text in [
        format!("Values: {} bytes", size("values")),
        format!("Distances: {} bytes", size("distances")),
        format!("Sectors: {} stored", files_ending(&out, "values").len()),
        "Nothing is lost.".to_owned(),
    ] {
        assert!(digits.contains(&text), "{text}: {told}");
    }
    for path in files(&out) {
        let other = SIX.packed.join(path.file_name().unwrap());
        assert!(fs::read(&path).unwrap() == fs::read(other).unwrap());
    }
}

#[test]
fn packed_and_plain_answer_alike() {
    for moves in GAMES {
        assert_eq!(query(&SIX.packed, moves), query(&SIX.plain, moves));
        let line = ["query", "start", "--line", "--moves", moves];
        assert_eq!(ask(&line, &SIX.packed), ask(&line, &SIX.plain));
    }
    for command in [&["stats"][..], &["sample", "--even", "--count", "3000"]] {
        assert_eq!(ask(command, &SIX.packed), ask(command, &SIX.plain));
    }
}

/// A certificate's checksums are of the answers, not of the files.
#[test]
fn packed_and_plain_are_certified_alike() {
    let [plain, packed] = [&SIX.plain, &SIX.packed].map(|db| json(&["verify"], db));
    assert_ne!(plain["database_blake3"], packed["database_blake3"]);
    assert_ne!(packed["derived_sectors"], 0);
    for what in ["win", "draw", "loss", "values_blake3", "distances_blake3"] {
        assert!(!plain[what].is_null());
        assert_eq!(plain[what], packed[what], "{what}");
    }
}

#[test]
fn without_distances_it_says_so() {
    let bare = copy();
    delete(bare.path(), "distances");
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("values");
    let told = pack(&SIX.plain, &made, &["--values"]);
    assert!(told.contains("Distances are not in it."), "{told}");
    assert!(!told.contains("Distances: "), "{told}");
    for db in [bare.path(), &made] {
        let mut decided = 0;
        for moves in GAMES {
            let (with, without) = (query(&SIX.packed, moves), query(db, moves));
            assert_eq!(without["value"], with["value"], "{moves}");
            let turns = without["moves"].as_array().unwrap().iter();
            let all = turns.chain([&without]);
            assert!(all.into_iter().all(|it| it["plies"].is_null()), "{without}");
            let text = ask(&["query", "start", "--moves", moves], db);
            let says = text.contains("distances are not installed");
            assert_eq!(says, with["value"] != "draw", "{text}");
            assert!(!text.contains("plies"), "{text}");
            decided += usize::from(says);
        }
        assert!(decided > 0);
        let info = ask(&["info"], db);
        assert!(info.contains("holds      values"), "{info}");
        assert!(info.contains("complete   yes"), "{info}");
    }
}

#[test]
fn sectors_left_out_are_unknown_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("some");
    let told = pack(&SIX.plain, &out, &["--sectors", "3-3,0-1+6-5,1-1+5-5"]);
    assert!(told.contains("128 sectors are not in it."), "{told}");
    let start = query(&out, "");
    assert_eq!(start["value"], "unknown");
    assert_eq!(start["missing"], "0-0+6-6");
    assert_eq!(start["plies"], Value::Null);
    let text = ask(&["query", "start"], &out);
    assert_eq!(verdicts(&text), ["White to move: unknown"]);
    assert!(text.contains("(The database lacks sector 0-0+6-6.)"));

    let known = query(&out, "a1 c1");
    assert_eq!(known["value"], query(&SIX.plain, "a1 c1")["value"]);
    assert_eq!(known["missing"], Value::Null);
    for turn in known["moves"].as_array().unwrap() {
        assert_eq!(turn["value"], "unknown", "{known}");
        assert_eq!(turn["missing"], "1-2+5-4", "{known}");
    }
    let text = ask(&["query", "start", "--moves", "a1 c1"], &out);
    assert!(text.contains("unknown: sector 1-2+5-4 is missing"));
    let info = ask(&["info"], &out);
    assert!(info.contains("complete   no, 128 sectors are missing"));
}

#[test]
fn a_file_that_is_missing_makes_positions_unknown() {
    let copy = copy();
    let stored = files_ending(&SIX.packed, "values");
    let name = |path: &Path| path.file_name().unwrap().to_owned();
    let gone = stored.iter().map(|path| name(path));
    let gone = gone.filter(|name| name.to_str().unwrap().ends_with("_0_0.values"));
    let gone: Vec<_> = gone.collect();
    for name in &gone {
        fs::remove_file(copy.path().join(name)).unwrap();
    }
    let command = ["sample", "--even", "--count", "4000"];
    let (with, without) = (ask(&command, &SIX.packed), ask(&command, copy.path()));
    let mut kinds = BTreeMap::new();
    for (with, without) in with.lines().zip(without.lines()) {
        let line = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
        let (with, without) = (line(with), line(without));
        assert_eq!(with["position"], without["position"]);
        let unknown = without["value"] == "unknown";
        assert!(unknown || with["value"] == without["value"], "{without}");
        assert!(!unknown || without["plies"].is_null(), "{without}");
        *kinds.entry(without["value"].to_string()).or_insert(0) += 1;
    }
    assert_eq!(kinds.len(), 4, "{kinds:?}");
    let info = ask(&["info"], copy.path());
    let missing = format!("complete   no, {} files are missing, ", gone.len());
    assert!(info.contains(&missing), "{info}");
}

/// A position that is won by one turn while others lead to a sector that is not there.
fn win_of_unknown_length(db: &Path) -> Option<String> {
    let sample = ask(&["sample", "--even", "--count", "4000"], db);
    let lines = sample
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let mut wins = lines.filter(|line: &Value| line["value"] == "win" && line["plies"].is_null());
    wins.next()
        .map(|win| win["position"].as_str().unwrap().to_owned())
}

#[test]
fn a_win_of_unknown_length_is_not_blamed_on_distances() {
    let without = |path: &PathBuf| {
        let copy = copy();
        fs::remove_file(copy.path().join(path.file_name().unwrap())).unwrap();
        win_of_unknown_length(copy.path()).map(|position| (copy, position))
    };
    let stored = files_ending(&SIX.packed, "values");
    let found = stored.iter().rev().find_map(without);
    let (copy, position) = found.expect("some win is of unknown length");
    let text = ask(&["query", &position, "--line"], copy.path());
    for part in [
        " to move: win\n",
        " is missing",
        "(In how many plies is not known: the database lacks a sector or its distances.)",
        "No best line",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("distances are not installed"), "{text}");
}

#[test]
fn damage_is_our_fault_and_names_the_file() {
    let copy = copy();
    let path = &files_ending(copy.path(), "values")[0];
    let name = path.file_name().unwrap().to_str().unwrap();
    let sector = name.replace(".values", "");
    let [m, o, hm, ho] = sector.split('_').collect::<Vec<_>>()[..] else {
        panic!("{sector}")
    };
    let sector = format!("{m}-{o}+{hm}-{ho}");
    for bytes in [&b"<!DOCTYPE html><html>not found</html>"[..], b""] {
        fs::remove_file(path).unwrap();
        fs::write(path, bytes).unwrap();
        for io in ["map", "read"] {
            let command = ["sample", "--sectors", &sector, "--io", io, "--db"];
            refuses(millbase().args(command).arg(copy.path()), 1, name);
        }
    }
}

#[test]
fn what_cannot_be_packed_is_the_users_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let command = |arguments: &[&str], out: &Path| {
        let mut command = millbase();
        command.arg("pack").arg("--db").arg(&SIX.plain);
        command.arg("--out").arg(out).args(arguments);
        command
    };
    let unknown = &["--sectors", "3-3,7-7"];
    refuses(&mut command(unknown, &out), 2, "has no sector 7-7");
    let taken = "already holds a database of 'six'";
    refuses(&mut command(&[], &SIX.packed), 2, taken);
    refuses(&mut command(&[], &SIX.plain), 2, taken);
    fs::create_dir(&out).unwrap();
    fs::write(out.join("letter.txt"), "Dear").unwrap();
    refuses(&mut command(&[], &out), 2, "letter.txt");
    let file = out.join("letter.txt");
    refuses(&mut command(&[], &file), 2, "letter.txt");
    let nonsense = command(&["--sectors", "3:3"], &out).assert().code(2);
    nonsense.stderr(contains("'3:3' is no sector"));
    assert_eq!(files(&out), [file]);
}

#[test]
fn checksums_are_those_of_the_files() {
    let lines = ask(&["info", "--checksums"], &SIX.packed);
    let mut expected: Vec<String> = Vec::new();
    for path in files(&SIX.packed) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != "manifest.json" {
            let digest = blake3::hash(&fs::read(&path).unwrap()).to_hex();
            expected.push(format!("{digest}  {name}"));
        }
    }
    let mut found: Vec<&str> = lines.lines().collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert!(lines.ends_with('\n'));
}

#[test]
fn info_tells_forms_and_completeness() {
    let info = |db: &Path| json(&["info"], db);
    let (plain, packed) = (info(&SIX.plain), info(&SIX.packed));
    for key in ["variant", "fingerprint", "rules", "sectors", "positions"] {
        assert_eq!(plain[key], packed[key], "{key}");
    }
    assert_eq!(packed["complete"], true);
    assert_eq!(packed["contents"], "distances");
    assert_eq!(plain["derived"], 0);
    let stored = files_ending(&SIX.packed, "values").len() as u64;
    assert_eq!(
        packed["derived"],
        packed["sectors"].as_u64().unwrap() - stored
    );
    assert_eq!(packed["file_bytes"], bytes(&SIX.packed));
    let text = ask(&["info"], &SIX.packed);
    assert!(text.contains("complete   yes"), "{text}");
    let derived = format!("{} of them by looking one turn ahead", packed["derived"]);
    assert!(text.contains(&derived), "{text}");

    let copy = copy();
    delete(copy.path(), "distances");
    let bare = info(copy.path());
    assert_eq!(bare["contents"], "values");
    assert_eq!(bare["complete"], true);
    assert_eq!(bare["file_bytes"], bytes(copy.path()));
    fs::remove_file(&files_ending(copy.path(), "values")[3]).unwrap();
    assert_eq!(info(copy.path())["complete"], false);
    let text = ask(&["info"], copy.path());
    assert!(
        text.contains("complete   no, 1 file is missing, "),
        "{text}"
    );
}

/// The bytes of all files of a database but its manifest.
fn bytes(dir: &Path) -> u64 {
    let files = files(dir).into_iter();
    let files = files.filter(|path| path.extension() != Some(OsStr::new("json")));
    files.map(|path| path.metadata().unwrap().len()).sum()
}

#[test]
fn reads_and_maps_give_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    let values = folder.path().join("values");
    pack(&SIX.packed, &values, &["--values"]);
    for db in [&SIX.packed, &SIX.plain, &values] {
        let sample = |io| ask(&["sample", "--count", "3000", "--io", io], db);
        assert_eq!(sample("map"), sample("read"));
        for moves in GAMES {
            let query = |io| ask(&["query", "start", "--moves", moves, "--io", io], db);
            assert_eq!(query("map"), query("read"));
        }
    }
}

#[test]
fn few_open_files_are_enough() {
    let script = r#"ulimit -n 64 && exec "$0" "$@""#;
    let program = assert_cmd::cargo::cargo_bin!("millbase");
    assert!(files(&SIX.packed).len() > 100);
    let arguments = ["sample", "--even", "--count", "2000"];
    let expected = ask(&arguments, &SIX.packed);
    for io in ["map", "read"] {
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(program).args(arguments);
        let found = said(command.args(["--io", io, "--db"]).arg(&SIX.packed));
        assert_eq!(found, expected, "{io}");
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("again");
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(program);
    command.args(["pack", "--db"]).arg(&SIX.packed);
    said(command.arg("--out").arg(&out));
    assert_eq!(files(&out).len(), files(&SIX.packed).len());
}

/// Packs into a folder of this name and asks there.
fn works_in(folder: &Path, name: &OsStr) {
    let db = folder.join(name);
    pack(&SIX.plain, &db, &[]);
    for io in ["map", "read"] {
        let arguments = ["query", "start", "--io", io];
        assert_eq!(ask(&arguments, &db), ask(&arguments, &SIX.packed));
        let arguments = ["sample", "--even", "--io", io];
        assert_eq!(ask(&arguments, &db), ask(&arguments, &SIX.packed));
    }
    for arguments in [&["info"][..], &["info", "--checksums"], &["stats"]] {
        assert_eq!(ask(arguments, &db), ask(arguments, &SIX.packed));
    }
}

#[test]
fn folders_may_have_any_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["two words", "Mühle à neuf", "-dash", "a'b\"c"] {
        works_in(folder.path(), OsStr::new(name));
    }
}

#[cfg(unix)]
#[test]
fn folders_may_have_names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    works_in(folder.path(), OsStr::from_bytes(b"m\xfchle\xff"));
}

#[cfg(unix)]
#[test]
fn a_database_may_be_read_only() {
    use std::os::unix::fs::PermissionsExt;

    let copy = copy();
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for path in files(copy.path()) {
        allow(&path, 0o444);
    }
    allow(copy.path(), 0o555);
    for io in ["map", "read"] {
        let arguments = ["sample", "--even", "--count", "1000", "--io", io];
        assert_eq!(ask(&arguments, copy.path()), ask(&arguments, &SIX.packed));
    }
    assert_eq!(files(copy.path()).len(), files(&SIX.packed).len());
    // A superuser may write everywhere.
    let out = copy.path().join("out");
    if fs::create_dir(&out).is_err() {
        let mut command = millbase();
        command.arg("pack").arg("--db").arg(&SIX.plain);
        refuses(
            command.arg("--out").arg(&out),
            2,
            "cannot create the folder",
        );
    }
    allow(copy.path(), 0o755);
}
