//! Databases that are damaged, foreign or not there: always an error that says so, never a panic or a
//! wrong answer.

use std::fs;
use std::path::{Path, PathBuf};

use millbase::database::{Cells, Contents, Database, DatabaseError, DatabaseWriter};
use millbase::game::{Sector, Variant};
use serde_json::json;
use tempfile::TempDir;

const SMALL: Sector = Sector {
    mover: 2,
    opponent: 3,
    mover_hand: 1,
    opponent_hand: 0,
};

fn three() -> Variant {
    Variant::builtin("three").unwrap()
}

fn create(dir: &Path, contents: Contents) -> Result<DatabaseWriter, DatabaseError> {
    DatabaseWriter::create(dir, &three(), contents, 1)
}

fn scores(cells: u64) -> Vec<u8> {
    (0..cells).map(|cell| (cell * cell % 251) as u8).collect()
}

/// A database of one small sector.
fn small_database(dir: &Path) -> Vec<u8> {
    let writer = create(dir, Contents::Distances)
        .unwrap()
        .restricted_to([SMALL]);
    let scores = scores(writer.index().len(SMALL));
    writer.write_sector(SMALL, Cells::Scores(&scores)).unwrap();
    writer.finish(json!(null)).unwrap();
    scores
}

fn sector_file(dir: &Path, sector: Sector) -> PathBuf {
    dir.join(format!("{}.sector", sector.file_stem()))
}

/// Reads everything there is to read.
fn read_all(dir: &Path) -> Result<Vec<u8>, DatabaseError> {
    let database = Database::open(dir)?;
    let scores = database.read_sector(SMALL)?;
    for (cell, &score) in scores.iter().enumerate() {
        assert_eq!(database.score(SMALL, cell as u64)?.0, score);
    }
    Ok(scores)
}

/// The error must name the file; a right answer is as good.
fn right_or_named(dir: &Path, file: &Path, scores: &[u8], what: &str) {
    match read_all(dir) {
        Ok(found) => assert!(found == scores, "{what}: wrong cells"),
        Err(error) => {
            let name = file.file_name().unwrap().to_str().unwrap();
            let text = error.to_string();
            assert!(
                text.contains(name) || text.contains("no sector 2-3+1-0"),
                "{what}: {text}"
            );
        }
    }
}

/// Tries every byte of a file altered in these ways, and shorter files.
fn damage_everywhere(file_name: &str, flips: &[u8]) {
    let dir = TempDir::new().unwrap();
    let scores = small_database(dir.path());
    let path = dir.path().join(file_name);
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        for &flip in flips {
            let mut altered = bytes.clone();
            altered[at] ^= flip;
            fs::write(&path, altered).unwrap();
            right_or_named(
                dir.path(),
                &path,
                &scores,
                &format!("byte {at} ^ {flip:#x}"),
            );
        }
        if at < 200 || at % 16 == 0 {
            fs::write(&path, &bytes[..at]).unwrap();
            right_or_named(dir.path(), &path, &scores, &format!("{at} bytes"));
        }
    }
    let longer: Vec<u8> = bytes.iter().chain(b"more").copied().collect();
    fs::write(&path, longer).unwrap();
    assert!(read_all(dir.path()).is_err());
    fs::write(&path, bytes).unwrap();
    assert_eq!(read_all(dir.path()).unwrap(), scores);
}

#[test]
fn damaged_sector_files_are_noticed() {
    damage_everywhere("2_3_1_0.sector", &[0x01, 0x80, 0xff]);
}

#[test]
fn damaged_manifests_are_noticed() {
    damage_everywhere("manifest.json", &[0x01]);
}

#[test]
fn checking_compares_the_digest_as_well() {
    let dir = TempDir::new().unwrap();
    small_database(dir.path());
    let path = sector_file(dir.path(), SMALL);
    let mut bytes = fs::read(&path).unwrap();
    // The header's first frame length: no reader of ours looks at it but through its checksum.
    bytes[4] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = Database::open(dir.path())
        .unwrap()
        .check_sector(SMALL)
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("header does not match its checksum"),
        "{error}"
    );

    // A digit of the statistics, where only the manifest's own digest can tell.
    let manifest = dir.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let at = text.find("\"longest_win\": ").unwrap();
    let altered = format!("{}{}", &text[..at], text[at..].replacen(": 2", ": 1", 1));
    assert_ne!(altered, text);
    fs::write(&manifest, altered).unwrap();
    let error = Database::open(dir.path()).unwrap_err().to_string();
    assert!(
        error.contains("does not match the digest at its end"),
        "{error}"
    );
    fs::write(&manifest, text).unwrap();

    // A file that is right in itself, but not the one the manifest was written for.
    let other = TempDir::new().unwrap();
    let writer = create(other.path(), Contents::Distances).unwrap();
    let cells = vec![128; writer.index().len(SMALL) as usize];
    writer.write_sector(SMALL, Cells::Scores(&cells)).unwrap();
    fs::copy(sector_file(other.path(), SMALL), &path).unwrap();
    let error = Database::open(dir.path())
        .unwrap()
        .check_sector(SMALL)
        .unwrap_err();
    assert!(error.to_string().contains("BLAKE3 digest"), "{error}");
}

#[test]
fn files_of_another_sector_or_game_are_noticed() {
    let dir = TempDir::new().unwrap();
    small_database(dir.path());
    let path = sector_file(dir.path(), SMALL);
    let other = TempDir::new().unwrap();

    let writer = create(&other.path().join("a"), Contents::Distances).unwrap();
    let other_sector = Sector {
        mover: 2,
        opponent: 2,
        mover_hand: 1,
        opponent_hand: 1,
    };
    let cells = scores(writer.index().len(other_sector));
    writer
        .write_sector(other_sector, Cells::Scores(&cells))
        .unwrap();
    fs::copy(sector_file(&other.path().join("a"), other_sector), &path).unwrap();
    let error = read_all(dir.path()).unwrap_err().to_string();
    assert!(
        error.contains("2_3_1_0.sector is damaged: it holds sector 2-2+1-1"),
        "{error}"
    );

    let diagonal = Variant::builtin("three-diagonal").unwrap();
    let writer =
        DatabaseWriter::create(&other.path().join("b"), &diagonal, Contents::Distances, 1).unwrap();
    let cells = scores(writer.index().len(SMALL));
    writer.write_sector(SMALL, Cells::Scores(&cells)).unwrap();
    fs::copy(sector_file(&other.path().join("b"), SMALL), &path).unwrap();
    let error = read_all(dir.path()).unwrap_err().to_string();
    assert!(error.contains("written for other rules"), "{error}");

    let writer = create(&other.path().join("c"), Contents::Values).unwrap();
    let words = vec![0; writer.index().len(SMALL).div_ceil(64) as usize];
    writer
        .write_sector(
            SMALL,
            Cells::Planes {
                win: &words,
                loss: &words,
            },
        )
        .unwrap();
    fs::copy(sector_file(&other.path().join("c"), SMALL), &path).unwrap();
    let error = read_all(dir.path()).unwrap_err().to_string();
    assert!(
        error.contains("is damaged: it holds planes of values"),
        "{error}"
    );

    fs::write(&path, b"PK\x03\x04 an archive").unwrap();
    let error = read_all(dir.path()).unwrap_err().to_string();
    assert!(
        error.contains(r#"it begins with "PK\x03\x04 an archive""#),
        "{error}"
    );

    fs::remove_file(&path).unwrap();
    let error = read_all(dir.path()).unwrap_err().to_string();
    assert!(
        error.contains("lacks") && error.contains("2_3_1_0.sector"),
        "{error}"
    );
}

#[test]
fn questions_the_database_cannot_answer_are_errors() {
    let dir = TempDir::new().unwrap();
    let scores = small_database(dir.path());
    let database = Database::open(dir.path()).unwrap();
    let elsewhere = Sector { mover: 9, ..SMALL };
    assert!(matches!(
        database.score(elsewhere, 0),
        Err(DatabaseError::NoSector { .. })
    ));
    for cell in [scores.len() as u64, u64::MAX] {
        assert!(matches!(
            database.score(SMALL, cell),
            Err(DatabaseError::NoCell { .. })
        ));
        assert!(matches!(
            database.outcome(SMALL, cell),
            Err(DatabaseError::NoCell { .. })
        ));
    }
    let mut short = vec![0; scores.len() - 1];
    assert!(matches!(
        database.read_sector_into(SMALL, &mut short),
        Err(DatabaseError::CellCount { .. })
    ));
    let six = Variant::builtin("six").unwrap();
    let error = Database::open_for(dir.path(), &six)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("holds 'three'") && error.contains("not 'six'"),
        "{error}"
    );
}

#[test]
fn values_have_no_distances() {
    let dir = TempDir::new().unwrap();
    let writer = create(dir.path(), Contents::Values)
        .unwrap()
        .restricted_to([SMALL]);
    let words = vec![0; writer.index().len(SMALL).div_ceil(64) as usize];
    writer
        .write_sector(
            SMALL,
            Cells::Planes {
                win: &words,
                loss: &words,
            },
        )
        .unwrap();
    writer.finish(json!({})).unwrap();
    let error = Database::open(dir.path())
        .unwrap()
        .score(SMALL, 0)
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("holds values, not distances"), "{error}");
}

#[test]
fn folders_that_are_no_database_are_called_what_they_are() {
    let dir = TempDir::new().unwrap();
    let open = |dir: &Path| Database::open(dir).unwrap_err().to_string();
    assert!(open(&dir.path().join("nowhere")).contains("nowhere: No such file"));
    assert!(open(dir.path()).contains("not a millbase database: the folder is empty"));

    fs::write(dir.path().join("letter.txt"), "Dear").unwrap();
    assert!(open(dir.path()).contains("it holds 'letter.txt' but no manifest.json"));
    assert!(open(&dir.path().join("letter.txt")).contains(r#"it begins with "Dear""#));

    let manifest = dir.path().join("manifest.json");
    for (text, complaint) in [
        ("\x7fELF", r#"it begins with "\x7fELF""#),
        ("", "the file is empty"),
        ("{\"name\": \"an app\"}", "does not say \"format\""),
        (
            "{\"format\": \"millbase database\", \"version\": 7}",
            "format version 7; this program reads version 2",
        ),
        (
            "{\"format\": \"millbase database\", \"version\": 2}",
            "is damaged: missing field",
        ),
        ("{\"format\": ", "is damaged: EOF"),
    ] {
        fs::write(&manifest, text).unwrap();
        let error = open(dir.path());
        assert!(
            error.contains(complaint) && error.contains("manifest.json"),
            "{error}"
        );
    }
}

#[test]
fn an_unfinished_database_is_neither_opened_nor_overwritten() {
    let dir = TempDir::new().unwrap();
    let writer = create(dir.path(), Contents::Distances).unwrap();
    let cells = scores(writer.index().len(SMALL));
    writer.write_sector(SMALL, Cells::Scores(&cells)).unwrap();
    drop(writer);
    assert!(matches!(
        Database::open(dir.path()),
        Err(DatabaseError::Unfinished { .. })
    ));
    assert!(matches!(
        create(dir.path(), Contents::Distances),
        Err(DatabaseError::Unfinished { .. })
    ));
}

#[test]
fn a_new_database_needs_a_folder_of_its_own() {
    let dir = TempDir::new().unwrap();
    let made = dir.path().join("deep/inside");
    small_database(&made);
    let error = create(&made, Contents::Distances).unwrap_err().to_string();
    assert!(
        error.contains("already holds a database of 'three'"),
        "{error}"
    );
    let error = create(dir.path(), Contents::Distances)
        .unwrap_err()
        .to_string();
    assert!(error.contains("is not empty (it holds 'deep')"), "{error}");
    let error = create(&made.join("manifest.json"), Contents::Distances)
        .unwrap_err()
        .to_string();
    assert!(error.contains("cannot make a database in"), "{error}");
}

#[test]
fn cells_that_do_not_fit_are_not_written() {
    let dir = TempDir::new().unwrap();
    let writer = create(dir.path(), Contents::Values).unwrap();
    let cells = writer.index().len(SMALL);
    let words = vec![0u64; cells.div_ceil(64) as usize];
    let planes = |win, loss| Cells::Planes { win, loss };

    let write = |sector, cells| writer.write_sector(sector, cells).unwrap_err();
    let scores = scores(cells);
    assert!(matches!(
        write(SMALL, Cells::Scores(&scores)),
        DatabaseError::OtherKind { .. }
    ));
    assert!(matches!(
        write(SMALL, planes(&words[1..], &words[1..])),
        DatabaseError::CellCount { .. }
    ));
    assert!(matches!(
        write(SMALL, planes(&words, &words[1..])),
        DatabaseError::CellCount { .. }
    ));
    let unknown = Sector {
        mover: 1,
        opponent: 3,
        mover_hand: 0,
        opponent_hand: 0,
    };
    assert!(matches!(
        write(unknown, planes(&words, &words)),
        DatabaseError::NoSector { .. }
    ));
    let mut won = words.clone();
    won[1] = 8;
    assert!(matches!(
        write(SMALL, planes(&won, &won)),
        DatabaseError::Contradiction {
            sector: SMALL,
            first: 64
        }
    ));
    // Nothing is left of the attempts, under no name.
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

    assert!(matches!(
        writer.open_sector(SMALL),
        Err(DatabaseError::NoSector { .. })
    ));
    writer.write_sector(SMALL, planes(&words, &words)).unwrap();
    let all = three().sectors().len();
    match writer.finish(json!(null)) {
        Err(DatabaseError::Incomplete { missing, .. }) => assert_eq!(missing, all - 1),
        other => panic!("{other:?}"),
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let error = create(Path::new("/proc/no-database-here"), Contents::Distances).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot create the folder /proc/no-database-here: "),
        "{error}"
    );
}
