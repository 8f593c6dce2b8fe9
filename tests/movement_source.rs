//! Movement layers taken from the databases of other games: the same bytes as if they had been solved.

use std::fs;
use std::path::{Path, PathBuf};

use millbase::database::{Contents, Database, PackOptions, pack};
use millbase::game::Variant;
use millbase::solve::{MovementSourceError, Silent, SolveError, SolveOptions, Summary, solve};
use tempfile::TempDir;

/// A built-in variant with other rules: lines of a variant file.
fn like(base: &str, rules: &str) -> Variant {
    let text = format!("id = \"other\"\nname = \"Other\"\nbase = \"{base}\"\n[rules]\n{rules}\n");
    Variant::from_toml(&text, "a test").unwrap()
}

/// Eight points that four men a side fill.
fn ring(full_board: &str) -> Variant {
    let text = format!(
        "id = \"ring\"\nname = \"Ring\"\n[board]\n\
         points = [\"a1 b1 c1 a2 c2 a3 b3 c3\"]\n\
         lines = [\"a1 b1 c1\", \"a3 b3 c3\", \"a1 a2 a3\", \"c1 c2 c3\"]\n\
         [rules]\nmen = 4\nfull_board = \"{full_board}\"\n"
    );
    Variant::from_toml(&text, "a test").unwrap()
}

/// Databases in a folder that lives as long as this.
struct Workshop {
    folder: TempDir,
}

impl Workshop {
    fn new() -> Workshop {
        Workshop {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn dir(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn solve(&self, name: &str, variant: &Variant, options: &SolveOptions) -> Summary {
        solve(variant, &self.dir(name), options, &Silent).unwrap()
    }

    /// Solves with the movement layer of another database.
    fn take(
        &self,
        name: &str,
        variant: &Variant,
        source: &str,
        values_only: bool,
    ) -> Result<Summary, Box<SolveError>> {
        let options = SolveOptions {
            values_only,
            movement_from: Some(self.dir(source)),
            ..SolveOptions::default()
        };
        solve(variant, &self.dir(name), &options, &Silent).map_err(Box::new)
    }

    /// The reason why the movement layer is not taken; nothing may have been written.
    fn refusal(&self, variant: &Variant, source: &str, values_only: bool) -> String {
        let refused = self
            .take("refused", variant, source, values_only)
            .unwrap_err();
        assert!(!self.dir("refused").exists());
        match *refused {
            SolveError::MovementSource(MovementSourceError::Unfit { reason, .. }) => reason,
            other => panic!("{other}"),
        }
    }

    /// The files of a folder but for the manifest, with their bytes.
    fn files(&self, name: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(self.dir(name)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = paths
            .filter(|path| path.extension().is_some_and(|end| end == "sector"))
            .map(|path| {
                let bytes = fs::read(&path).unwrap();
                (PathBuf::from(path.file_name().unwrap()), bytes)
            })
            .collect();
        files.sort();
        files
    }

    /// Whether two databases have the same files and the same counts.
    fn assert_same(&self, one: &str, other: &str) {
        let (files, others) = (self.files(one), self.files(other));
        assert!(!files.is_empty());
        assert_eq!(files.len(), others.len());
        for (file, other) in files.iter().zip(&others) {
            assert!(file == other, "{} differs", file.0.display());
        }
        let records = |name| {
            Database::open(&self.dir(name))
                .unwrap()
                .manifest()
                .sectors
                .clone()
        };
        assert_eq!(records(one), records(other));
    }
}

fn values_only() -> SolveOptions {
    SolveOptions {
        values_only: true,
        ..SolveOptions::default()
    }
}

#[test]
fn a_movement_layer_taken_over_is_the_one_that_would_have_been_solved() {
    let work = Workshop::new();
    let six = Variant::builtin("six").unwrap();
    let source = like("six", "full_board = \"mover-loses\"");
    assert_ne!(six.fingerprint(), source.fingerprint());
    work.solve("source", &source, &SolveOptions::default());
    work.solve("source-values", &source, &values_only());
    for (name, options) in [
        ("distances", SolveOptions::default()),
        ("values", values_only()),
    ] {
        let solved = work.solve(name, &six, &options);
        assert_eq!(solved.movement_from, None);
        for from in ["source", "source-values"] {
            if from == "source-values" && !options.values_only {
                continue;
            }
            let taken = format!("{name}-from-{from}");
            let summary = work.take(&taken, &six, from, options.values_only).unwrap();
            work.assert_same(name, &taken);
            let named = summary.movement_from.clone().unwrap();
            assert_eq!(named.variant, "other");
            assert_eq!(named.fingerprint, source.fingerprint().to_string());
            let database = Database::open(&work.dir(&taken)).unwrap();
            let from = Database::open(&work.dir(from)).unwrap();
            assert_eq!(named.files_digest, from.manifest().files_digest());
            assert_eq!(database.manifest().summary, summary.findings());
            assert_eq!((summary.start, summary.cells), (solved.start, solved.cells));
        }
    }
}

#[test]
fn a_game_of_fewer_men_takes_the_sectors_it_has() {
    let work = Workshop::new();
    let five = Variant::builtin("five").unwrap();
    work.solve(
        "six",
        &Variant::builtin("six").unwrap(),
        &SolveOptions::default(),
    );
    work.solve("five", &five, &SolveOptions::default());
    work.take("five-from-six", &five, "six", false).unwrap();
    work.assert_same("five", "five-from-six");
}

#[test]
fn full_boards_are_worth_what_the_own_rules_say() {
    let work = Workshop::new();
    let (draws, loses) = (ring("draws"), ring("mover-loses"));
    for (name, options) in [
        ("distances", SolveOptions::default()),
        ("values", values_only()),
    ] {
        let dir = |what: &str| format!("{what}-{name}");
        work.solve(&dir("draws"), &draws, &options);
        work.solve(&dir("loses"), &loses, &options);
        for (variant, own, other) in [(&draws, "draws", "loses"), (&loses, "loses", "draws")] {
            let taken = format!("{own}-from-{other}-{name}");
            work.take(&taken, variant, &dir(other), options.values_only)
                .unwrap();
            work.assert_same(&dir(own), &taken);
        }
        assert_ne!(work.files(&dir("draws")), work.files(&dir("loses")));
    }
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_written() {
    let work = Workshop::new();
    let (five, six) = ["five", "six"]
        .map(|id| Variant::builtin(id).unwrap())
        .into();
    work.solve("five", &five, &values_only());
    assert_eq!(work.refusal(&five, "five", false), "it has no distances");
    assert_eq!(work.refusal(&six, "five", true), "it has no sector 3-6");
    let no_flying = like("five", "flying = false");
    assert_eq!(
        work.refusal(&no_flying, "five", true),
        "it is of five, which differs in the rule `flying`, false here and true there"
    );
    let nine = Variant::builtin("nine").unwrap();
    assert_eq!(
        work.refusal(&nine, "five", true),
        "it is of five, which differs in the board"
    );
    let patient = like("five", "placing = \"place-or-move\"\nblocked = \"passes\"");
    let reason = work.refusal(&patient, "five", true);
    assert!(reason.starts_with("a game of the plain solver"), "{reason}");
    let lasker = like("five", "placing = \"place-or-move\"");
    let reason = work.refusal(&lasker, "five", true);
    assert!(reason.starts_with("where men may move"), "{reason}");
    let few = SolveOptions {
        men_up_to: Some(4),
        ..values_only()
    };
    work.solve("few", &five, &few);
    assert_eq!(work.refusal(&five, "few", true), "it has no sector 3-5");
}

#[test]
fn packed_sources_are_taken_if_they_store_the_sectors() {
    let work = Workshop::new();
    let five = Variant::builtin("five").unwrap();
    work.solve("five", &five, &values_only());
    let source = Database::open(&work.dir("five")).unwrap();
    let options = PackOptions::default();
    pack(&source, &work.dir("packed"), &options, &|_| (), &|_| ()).unwrap();
    let reason = work.refusal(&five, "packed", true);
    assert!(
        reason.starts_with("it is packed and does not store"),
        "{reason}"
    );
    assert_eq!(source.contents(), Contents::Values);
}

#[test]
fn a_damaged_source_is_named() {
    let work = Workshop::new();
    let five = Variant::builtin("five").unwrap();
    work.solve("five", &five, &values_only());
    let file = work.dir("five").join("4_5_0_0.sector");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let error = work.take("new", &five, "five", true).unwrap_err();
    assert!(names(&error, &file), "{error}");
    assert!(!work.dir("new").join("manifest.json").exists());
    fs::remove_file(&file).unwrap();
    let error = work.take("newer", &five, "five", true).unwrap_err();
    assert!(names(&error, &file), "{error}");
    assert!(!work.dir("newer").exists());
}

fn names(error: &SolveError, file: &Path) -> bool {
    error.to_string().contains(&file.display().to_string())
}
