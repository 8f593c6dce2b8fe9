//! Files of Malom as a user writes and checks them with the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::{Value, json};
use tempfile::TempDir;

fn millbase() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("millbase"))
}

/// Nine men's morris with three men a side, and its sector as Malom has it.
struct Three {
    _folder: TempDir,
    db: PathBuf,
    malom: PathBuf,
    /// What the program said when it wrote it.
    said: String,
}

static THREE: LazyLock<Three> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let (db, malom) = (folder.path().join("db"), folder.path().join("malom"));
    solve(&["nine", "--men-up-to", "3"], &db);
    Three {
        said: said(export(&db, &malom)),
        _folder: folder,
        db,
        malom,
    }
});

fn solve(arguments: &[&str], db: &Path) {
    let mut command = millbase();
    let command = command.arg("solve").args(arguments).arg("--db").arg(db);
    command.assert().success();
}

fn export(db: &Path, out: &Path) -> Command {
    let mut command = millbase();
    command.args(["export", "malom", "--db"]).arg(db);
    command.arg("--out").arg(out);
    command
}

fn import(dir: &Path) -> Command {
    let mut command = millbase();
    command.args(["import", "malom", "--check", "--db"]);
    command.arg(&THREE.db).arg(dir);
    command
}

/// What a command that has to succeed prints.
fn said(mut command: Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("the answer is text")
}

/// The folder with a changed copy of the sector.
fn changed(change: impl FnOnce(&mut Vec<u8>)) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let name = "std_3_3_0_0.sec2";
    let mut bytes = fs::read(THREE.malom.join(name)).unwrap();
    change(&mut bytes);
    fs::write(folder.path().join(name), bytes).unwrap();
    fs::copy(
        THREE.malom.join("std.secval"),
        folder.path().join("std.secval"),
    )
    .unwrap();
    folder
}

#[test]
fn a_sector_is_written_and_found_to_be_the_same() {
    let first = "Files: 1 of std, 210,140 entries, 630,488 bytes (615.71 KiB)\nFolder: ";
    assert!(THREE.said.starts_with(first), "{}", THREE.said);
    let table = said(import(&THREE.malom));
    let row = "std_3_3_0_0.sec2 210,140 169,626 0 0 0";
    let found = table.lines().nth(1).unwrap().split_whitespace();
    assert_eq!(found.collect::<Vec<_>>().join(" "), row);

    let mut command = import(&THREE.malom);
    command.args(["--json", "--sectors", "3-3"]);
    let report: Value = serde_json::from_str(&said(command)).unwrap();
    let expected = json!({
        "game": "std",
        "files": [{
            "name": "std_3_3_0_0.sec2", "entries": 210_140, "positions": 169_626,
            "results": 0, "plies": 0, "redirects": 0, "examples": []
        }],
        "not_in_database": []
    });
    assert_eq!(report, expected);
}

#[test]
fn digests_of_written_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = export(&THREE.db, folder.path());
    command.args(["--format", "sec", "--json"]);
    let told: Value = serde_json::from_str(&said(command)).unwrap();
    let bytes = fs::read(folder.path().join("std_3_3_0_0.sec")).unwrap();
    let file = &told["files"][0];
    assert_eq!(file["blake3"], blake3::hash(&bytes).to_hex().as_str());
    assert_eq!(file["bytes"], 210_144);
    assert_eq!(bytes.len(), 210_144);
}

#[test]
fn a_packed_database_is_written_like_the_one_it_was_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let (db, packed) = (folder.path().join("db"), folder.path().join("packed"));
    solve(&["nine", "--men-up-to", "4"], &db);
    let mut pack = millbase();
    pack.arg("pack").arg("--db").arg(&db);
    pack.arg("--out").arg(&packed).assert().success();
    // A sector that is in no file of the packed form.
    assert!(!packed.join("3_4_0_0.values").exists());
    let [one, other] = [&db, &packed].map(|from| {
        let out = folder.path().join("malom").join(from.file_name().unwrap());
        let mut command = export(from, &out);
        command.args(["--sectors", "3-4"]);
        said(command);
        fs::read(out.join("std_3_4_0_0.sec2")).unwrap()
    });
    assert!(one == other);
}

#[test]
fn a_wrong_byte_is_found_and_shown() {
    // The first entry is no redirect, and won.
    let folder = changed(|bytes| {
        let (word, plies) = (bytes[64], bytes[65] >> 4);
        assert_eq!((word, plies), (0x2b, 1));
        bytes[65] += 2 << 4;
    });
    let run = import(folder.path()).assert().code(3);
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let expected = "std_3_3_0_0.sec2 entry 0: win in 3 plies, here win in 1 ply: \
                    ********/********/O@@@**OO w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes\n";
    assert!(text.ends_with(expected), "{text}");
    let run = import(folder.path())
        .args(["--json", "--limit", "0"])
        .assert()
        .code(3);
    let report: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let file = &report["files"][0];
    assert_eq!((&file["plies"], &file["results"]), (&json!(1), &json!(0)));
    assert_eq!(file["examples"], json!([]));
}

#[test]
fn damage_is_told_with_the_file_and_no_mistake_of_the_user() {
    let folder = changed(|bytes| bytes.truncate(1000));
    let run = import(folder.path()).assert().code(1);
    run.stderr(contains(
        "std_3_3_0_0.sec2 is damaged: it has 1000 bytes where 630488 belong",
    ));
    let folder = changed(|_| ());
    fs::write(folder.path().join("std.secval"), "none").unwrap();
    let run = import(folder.path()).assert().code(2);
    run.stderr(contains(
        "std.secval, line 1: `virt_loss_val:` with a number belongs here",
    ));
}

#[test]
fn what_malom_has_no_files_for_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("malom");
    let refused = |mut command: Command, message: &str| {
        command.assert().code(2).stderr(contains(message));
    };
    let other = folder.path().join("six");
    solve(&["six"], &other);
    refused(export(&other, &out), "Malom has no databases of 'six'");
    let with = |arguments: &[&str]| {
        let mut command = export(&THREE.db, &out);
        command.args(arguments);
        command
    };
    refused(with(&["--sectors", "3-4"]), "has no sector 3-4");
    refused(with(&["--sectors", "3"]), "'3' is no sector");
    refused(
        with(&["--format", "sec", "--secval", "x"]),
        "--secval has no use with --format sec",
    );
    refused(with(&["--secval", "nowhere"]), "cannot read nowhere");
    assert!(!out.exists());
    refused(
        export(&THREE.db, &THREE.malom),
        "std_3_3_0_0.sec2 is there already",
    );
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    refused(export(&THREE.db, &file), "cannot create the folder");

    refused(
        import(folder.path()),
        "has no files of Malom that are asked for",
    );
    refused(import(&out), "cannot list");
    let mut unchecked = millbase();
    unchecked.args(["import", "malom"]).arg(&THREE.malom);
    unchecked.arg("--db").arg(&THREE.db);
    refused(unchecked, "--check");
}
