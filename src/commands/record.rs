//! Records of runs: what a command found and took, with program, date and machine, as JSON in a file.

use std::io;
use std::path::Path;

use millbase::solve::Machine;
use serde::Serialize;

use super::failure::Failure;
use super::files::{try_writing, write_whole};

/// A run, for the record.
#[derive(Serialize)]
struct Record<'a, T> {
    program: &'static str,
    commit: Option<String>,
    date: String,
    machine: Machine,
    #[serde(flatten)]
    findings: &'a T,
}

/// Makes sure before the work that a record can be written after it.
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    try_writing(path).map_err(|error| {
        let mistake = matches!(
            error.kind(),
            io::ErrorKind::PermissionDenied
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::IsADirectory
                | io::ErrorKind::ReadOnlyFilesystem
        );
        let message = format!("cannot write {}: {error}", path.display());
        match mistake {
            true => Failure::mistake(message),
            false => Failure::fault(message),
        }
    })
}

/// Writes the record of a run; the file is complete under its name or not there. The environment variable
/// `MILLBASE_COMMIT` may name the commit the program was built from.
pub fn record(path: &Path, findings: &impl Serialize) -> Result<(), Failure> {
    let record = Record {
        program: concat!("millbase ", env!("CARGO_PKG_VERSION")),
        commit: std::env::var("MILLBASE_COMMIT")
            .ok()
            .filter(|commit| !commit.is_empty()),
        date: jiff::Timestamp::now()
            .round(jiff::Unit::Second)
            .map_or_else(|_| String::new(), |now| now.to_string()),
        machine: Machine::here(),
        findings,
    };
    let text = serde_json::to_string_pretty(&record)
        .map_err(|error| Failure::fault(format!("cannot write {}: {error}", path.display())))?;
    write_whole(path, &(text + "\n"))
}
