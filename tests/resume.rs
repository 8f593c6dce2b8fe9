//! Runs that are stopped go on, and nothing tells the database afterwards.
//!
//! A run is stopped by a listener that panics at a chosen moment: what its threads have not handed to the system
//! by then is lost, as when a process is killed. `scripts/test-resume.sh` kills real processes.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use millbase::conversion::Metric;
use millbase::database::DatabaseError;
use millbase::game::Variant;
use millbase::solve::{Progress, Silent, SolveError, SolveOptions, Summary, solve};

/// Panics at the `at`-th time that the solver begins a stage, ply or layer.
struct StopAt {
    at: usize,
    begun: AtomicUsize,
}

impl StopAt {
    fn new(at: usize) -> StopAt {
        let begun = AtomicUsize::new(0);
        StopAt { at, begun }
    }

    fn step(&self) {
        if self.begun.fetch_add(1, Ordering::Relaxed) == self.at {
            // Not `panic!`: the test's output should not be full of messages that mean nothing.
            std::panic::resume_unwind(Box::new("stopped"));
        }
    }
}

impl Progress for StopAt {
    fn stage(&self, _name: &str, _cells: u64) {
        self.step();
    }

    fn advance(&self, _cells: u64) {}

    fn ply(&self, _ply: u16) {
        self.step();
    }

    fn layer(&self, _men_in_hand: u8) {
        self.step();
    }
}

/// Solves until the `at`-th step. Returns whether it was stopped.
fn stopped(variant: &Variant, dir: &Path, options: &SolveOptions, at: usize) -> bool {
    let progress = StopAt::new(at);
    let run = AssertUnwindSafe(|| solve(variant, dir, options, &progress).unwrap());
    catch_unwind(run).is_err()
}

fn finish(variant: &Variant, dir: &Path, options: &SolveOptions) -> Summary {
    solve(variant, dir, options, &Silent).unwrap()
}

/// Everything in a folder, by name.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        (
            name,
            fs::read(entry.path()).expect("a database has no folders"),
        )
    });
    entries.collect()
}

fn with_threads(options: &SolveOptions, threads: usize) -> SolveOptions {
    SolveOptions {
        threads: Some(threads),
        ..options.clone()
    }
}

/// Stops runs at every `step`-th moment, and compares what comes of them with an undisturbed run.
fn goes_on_from_anywhere(id: &str, options: &SolveOptions, step: usize) {
    let variant = Variant::builtin(id).unwrap();
    let options = with_threads(options, 2);
    let folder = tempfile::tempdir().unwrap();
    let (whole, dir) = (folder.path().join("whole"), folder.path().join("db"));
    assert_eq!(finish(&variant, &whole, &options).kept_sectors, 0);
    let expected = files(&whole);
    let mut moments = 0;
    let mut kept = 0;
    for at in (0..).step_by(step) {
        let before = with_threads(&options, 1 + at % 3);
        if !stopped(&variant, &dir, &before, at) {
            break;
        }
        let after = with_threads(&options, 1 + (at + 1) % 3);
        kept += finish(&variant, &dir, &after).kept_sectors;
        assert!(files(&dir) == expected, "{id}, stopped at step {at}");
        fs::remove_dir_all(&dir).unwrap();
        moments += 1;
    }
    assert!(moments > 5, "{moments} moments");
    // Sectors with men in hand are finished one by one; those without come all at the end.
    assert!(kept > 0 || options.men_up_to.is_some());
    fs::remove_dir_all(&dir).unwrap();
    // Stopped again and again, a step further each time.
    for at in (0..).step_by(2 * step + 1) {
        if !stopped(&variant, &dir, &options, at) {
            break;
        }
    }
    assert!(files(&dir) == expected, "{id}, stopped many times");
}

#[test]
fn six_goes_on_from_every_ply_and_layer() {
    goes_on_from_anywhere("six", &SolveOptions::default(), 1);
}

#[test]
fn values_go_on_as_well() {
    let options = SolveOptions {
        values_only: true,
        ..SolveOptions::default()
    };
    goes_on_from_anywhere("six", &options, 2);
}

#[test]
fn five_goes_on_without_flying_men_or_not() {
    goes_on_from_anywhere("five", &SolveOptions::default(), 2);
}

#[test]
fn two_men_for_two_mills_go_on() {
    let options = SolveOptions {
        men_up_to: Some(4),
        ..SolveOptions::default()
    };
    goes_on_from_anywhere("doc2-classic", &options, 5);
}

/// Plies to the next capture, under a limit.
fn conversions(limit: u16) -> SolveOptions {
    let limit = Some(limit);
    SolveOptions {
        metric: Metric::Conversion { limit },
        ..SolveOptions::default()
    }
}

#[test]
fn conversions_go_on_from_what_is_written_under_the_same_limit_alone() {
    goes_on_from_anywhere("six", &conversions(20), 25);
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::builtin("six").unwrap();
    let mut at = 0;
    while !folder.path().join("6_6_0_0.sector").exists() {
        // What was written by an earlier run is not in the way of a shorter one.
        assert!(stopped(&variant, folder.path(), &conversions(20), at));
        at += 20;
    }
    let refused = solve(&variant, folder.path(), &conversions(30), &Silent).unwrap_err();
    let said = refused.to_string();
    assert!(matches!(refused, SolveError::OtherLimit { .. }), "{said}");
    assert!(
        said.contains("a no-capture limit of 20 plies, not with a no-capture limit of 30"),
        "{said}"
    );
    assert!(finish(&variant, folder.path(), &conversions(20)).kept_sectors > 0);
}

#[test]
fn the_plain_solver_accepts_what_it_left() {
    let variant = Variant::builtin("three-diagonal").unwrap();
    let options = SolveOptions::default();
    let folder = tempfile::tempdir().unwrap();
    let (whole, dir) = (folder.path().join("whole"), folder.path().join("db"));
    finish(&variant, &whole, &options);
    for at in 0.. {
        if !stopped(&variant, &dir, &options, at) {
            break;
        }
    }
    assert!(files(&dir) == files(&whole));
}

/// A run of six that was stopped in the middle of the movement layer, or later.
fn unfinished(at: usize) -> (tempfile::TempDir, Variant, SolveOptions) {
    let folder = tempfile::tempdir().unwrap();
    let (variant, options) = (Variant::builtin("six").unwrap(), SolveOptions::default());
    assert!(stopped(&variant, folder.path(), &options, at));
    (folder, variant, options)
}

fn six() -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::builtin("six").unwrap();
    finish(&variant, folder.path(), &SolveOptions::default());
    files(folder.path())
}

#[test]
fn torn_and_altered_journals_are_used_as_far_as_they_are_whole() {
    let expected = six();
    for name in ["journal-0", "journal-1", "plies.log"] {
        for change in 0..12 {
            let (folder, variant, options) = unfinished(25);
            let path = folder.path().join("work").join(name);
            let mut bytes = fs::read(&path).unwrap_or_default();
            let place = bytes.len() * change / 12;
            match change % 3 {
                0 => bytes.truncate(place),
                1 => bytes[place] ^= 16,
                _ => bytes.extend_from_slice(b"torn"),
            }
            fs::write(&path, bytes).unwrap();
            finish(&variant, folder.path(), &options);
            assert!(files(folder.path()) == expected, "{name}, change {change}");
        }
    }
}

/// The number of steps of an undisturbed run of six.
fn steps_of_six() -> usize {
    let folder = tempfile::tempdir().unwrap();
    let progress = StopAt::new(usize::MAX);
    let variant = Variant::builtin("six").unwrap();
    solve(&variant, folder.path(), &SolveOptions::default(), &progress).unwrap();
    progress.begun.into_inner()
}

#[test]
fn finished_sectors_that_were_altered_or_lost_are_computed_again() {
    let (expected, last) = (six(), steps_of_six() - 1);
    // Of the movement layer, whose journal is gone, and of placement.
    for name in ["4_4_0_0.sector", "3_3_1_1.sector"] {
        for change in 0..3 {
            let (folder, variant, options) = unfinished(last);
            let path = folder.path().join(name);
            let mut bytes = fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            match change {
                0 => fs::remove_file(&path).unwrap(),
                1 => bytes.truncate(middle),
                _ => bytes[middle] ^= 1,
            }
            if change > 0 {
                fs::write(&path, bytes).unwrap();
            }
            let summary = finish(&variant, folder.path(), &options);
            let kept = summary.kept_sectors;
            assert!(0 < kept && kept < summary.sectors - 1, "{kept}");
            assert!(files(folder.path()) == expected, "{name}, change {change}");
        }
    }
}

#[test]
fn a_database_that_only_lacks_the_last_clearing_up_is_finished_by_the_same_command_alone() {
    let expected = six();
    for left in [&[][..], &["lock"], &["lock", "sectors.log", "journal-0"]] {
        let (folder, variant, options) = unfinished(5);
        finish(&variant, folder.path(), &options);
        let work = folder.path().join("work");
        fs::create_dir(&work).unwrap();
        left.iter()
            .for_each(|name| fs::write(work.join(name), "").unwrap());
        let values = SolveOptions {
            values_only: true,
            ..options.clone()
        };
        let refused = solve(&variant, folder.path(), &values, &Silent).unwrap_err();
        assert!(
            refused
                .to_string()
                .contains("already holds a database of 'six'"),
            "{refused}"
        );
        let summary = finish(&variant, folder.path(), &options);
        assert_eq!(summary.kept_sectors, summary.sectors);
        assert!(files(folder.path()) == expected);
        let refused = solve(&variant, folder.path(), &options, &Silent).unwrap_err();
        assert!(
            refused
                .to_string()
                .contains("already holds a database of 'six'"),
            "{refused}"
        );
    }
}

#[test]
fn another_task_is_refused_and_spoils_nothing() {
    let (folder, variant, options) = unfinished(25);
    let values = SolveOptions {
        values_only: true,
        ..options.clone()
    };
    let some = SolveOptions {
        men_up_to: Some(4),
        ..options.clone()
    };
    let nine = Variant::builtin("nine").unwrap();
    for (variant, options, wanted) in [
        (&variant, &values, "not of 'six' with values"),
        (&variant, &some, "not of 'six' with distances in 4 sectors"),
        (
            &nine,
            &options,
            "not of 'nine' with distances in 498 sectors",
        ),
    ] {
        let refused = solve(variant, folder.path(), options, &Silent).unwrap_err();
        let is_other = matches!(
            &refused,
            SolveError::Database(DatabaseError::OtherTask { .. })
        );
        let text = refused.to_string();
        assert!(is_other && text.contains(wanted), "{text}");
        assert!(
            text.contains("unfinished database of 'six' with distances"),
            "{text}"
        );
    }
    finish(&variant, folder.path(), &options);
    assert!(files(folder.path()) == six());
}

#[test]
fn files_that_no_run_has_noted_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4_4_0_0.sector");
    fs::write(&path, "of somebody else").unwrap();
    let variant = Variant::builtin("six").unwrap();
    let options = SolveOptions::default();
    let refused = solve(&variant, folder.path(), &options, &Silent).unwrap_err();
    assert!(
        refused.to_string().contains("holds '4_4_0_0.sector'"),
        "{refused}"
    );
    assert_eq!(files(folder.path()).len(), 1);
}
