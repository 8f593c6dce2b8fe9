//! What a run found and what it took; kept in the manifest of the database.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::database::Contents;
use crate::value::{Outcome, Value};

/// The result of a run, and its cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Id of the variant.
    pub variant: String,
    /// Whether distances or values were written.
    pub contents: Contents,
    /// What the start position is worth to White; `None` if it was not among the solved sectors.
    pub start: Option<StartValue>,
    /// The database whose movement layer was taken over, if this run did not solve it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movement_from: Option<MovementFrom>,
    /// Sectors solved.
    pub sectors: u64,
    /// Sectors that an earlier run had finished, so that the times are not those of all the work.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub kept_sectors: u64,
    /// Positions solved; symmetric images count as one.
    pub positions: u64,
    /// Cells written: a few positions have more than one.
    pub cells: u64,
    /// Bytes of the sector files.
    pub file_bytes: u64,
    /// Threads that worked.
    pub threads: usize,
    /// Seconds from start to finish.
    pub wall_seconds: f64,
    /// Seconds of all processors together.
    pub cpu_seconds: f64,
    /// The most memory the process held at once, in bytes; `None` where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// The parts of the run, in order.
    pub stages: Vec<StageTime>,
}

impl Summary {
    /// What was found, as the manifest keeps it: nothing of what it took, so that the same game makes the same
    /// manifest, wherever and however often it is solved.
    pub fn findings(&self) -> serde_json::Value {
        let mut findings = serde_json::json!({
            "variant": self.variant,
            "contents": self.contents,
            "start": self.start,
            "sectors": self.sectors,
            "positions": self.positions,
            "cells": self.cells,
            "file_bytes": self.file_bytes,
        });
        if let Some(from) = &self.movement_from {
            findings["movement_from"] = serde_json::json!(from);
        }
        findings
    }
}

/// The database that a movement layer was taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovementFrom {
    /// Id of its variant.
    pub variant: String,
    /// Fingerprint of its rules, in hexadecimal digits.
    pub fingerprint: String,
    /// What identifies its files, see [`Manifest::files_digest`](crate::database::Manifest::files_digest).
    pub files_digest: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A value as the database has it: with a distance, or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartValue {
    /// Win, draw or loss for the side to move.
    pub value: Outcome,
    /// Plies to the end of the game; `None` for draws and where distances are not known.
    pub plies: Option<u16>,
}

impl From<Value> for StartValue {
    fn from(value: Value) -> StartValue {
        StartValue {
            value: value.outcome(),
            plies: value.plies(),
        }
    }
}

impl From<Outcome> for StartValue {
    fn from(value: Outcome) -> StartValue {
        StartValue { value, plies: None }
    }
}

/// What a part of a run took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageTime {
    /// What was done.
    pub name: String,
    /// Seconds from start to finish.
    pub wall_seconds: f64,
    /// Seconds of all processors together.
    pub cpu_seconds: f64,
}

/// Measures a run and its stages.
///
/// ```
/// use millbase::solve::Stopwatch;
///
/// let mut watch = Stopwatch::start();
/// watch.stage("movement");
/// watch.stage("placement");
/// let (whole, stages) = watch.finish();
/// assert_eq!(stages.len(), 2);
/// assert!(stages[0].wall_seconds <= whole.wall_seconds);
/// ```
#[derive(Debug)]
pub struct Stopwatch {
    whole: Reading,
    stage: Option<(String, Reading)>,
    stages: Vec<StageTime>,
}

/// The clocks at some moment.
#[derive(Clone, Copy, Debug)]
struct Reading {
    wall: Instant,
    cpu_seconds: f64,
}

impl Reading {
    fn now() -> Reading {
        Reading {
            wall: Instant::now(),
            cpu_seconds: cpu_seconds(),
        }
    }

    fn since(self, name: &str) -> StageTime {
        StageTime {
            name: name.to_owned(),
            wall_seconds: self.wall.elapsed().as_secs_f64(),
            cpu_seconds: cpu_seconds() - self.cpu_seconds,
        }
    }
}

impl Stopwatch {
    /// Starts the clocks.
    pub fn start() -> Stopwatch {
        Stopwatch {
            whole: Reading::now(),
            stage: None,
            stages: Vec::new(),
        }
    }

    /// Ends the current stage, if any, and begins the next.
    pub fn stage(&mut self, name: &str) {
        self.end_stage();
        self.stage = Some((name.to_owned(), Reading::now()));
    }

    /// Ends the run: what the whole of it took, and each of its stages.
    pub fn finish(mut self) -> (StageTime, Vec<StageTime>) {
        self.end_stage();
        (self.whole.since("whole"), self.stages)
    }

    fn end_stage(&mut self) {
        if let Some((name, began)) = self.stage.take() {
            self.stages.push(began.since(&name));
        }
    }
}

/// Seconds all threads of this process have run so far.
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The most memory this process has held at once, in bytes, where the system tells (Linux).
///
/// `getrusage` would answer too, but with the size of the process that started this one if that
/// was larger.
pub fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stages_make_up_the_run() {
        let mut watch = Stopwatch::start();
        watch.stage("first");
        let busy = Instant::now();
        let mut sum = 0u64;
        while busy.elapsed().as_millis() < 20 {
            sum = std::hint::black_box(sum + 1);
        }
        watch.stage("second");
        let (whole, stages) = watch.finish();
        let names: Vec<_> = stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!(names, ["first", "second"]);
        assert!(stages[0].wall_seconds >= 0.02 && stages[0].cpu_seconds > 0.0);
        assert!(whole.wall_seconds >= stages[0].wall_seconds + stages[1].wall_seconds);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_that_was_given_back_still_counts() {
        let before = peak_memory_bytes().unwrap();
        let block = vec![1u8; 64 << 20];
        assert_eq!(std::hint::black_box(&block)[1000], 1);
        drop(block);
        assert!(peak_memory_bytes().unwrap() >= before.max(64 << 20));
    }
}
