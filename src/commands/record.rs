//! Records of runs: what a command found and took, with program, date and machine, as JSON in a file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use millbase::solve::Machine;
use serde::Serialize;

use super::failure::Failure;

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
    let cannot = |error: io::Error| {
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
    };
    if path.is_dir() {
        return Err(cannot(io::ErrorKind::IsADirectory.into()));
    }
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(cannot)?;
    tempfile::NamedTempFile::new_in(folder)
        .map(drop)
        .map_err(|error| cannot(error.kind().into()))
}

/// The folder a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
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
    let cannot = |error: &dyn std::fmt::Display| {
        Failure::fault(format!("cannot write {}: {error}", path.display()))
    };
    let text = serde_json::to_string_pretty(&record).map_err(|error| cannot(&error))?;
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(|error| cannot(&error))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| cannot(&error))?;
    writeln!(file, "{text}").map_err(|error| cannot(&error))?;
    file.persist(path).map_err(|error| cannot(&error.error))?;
    Ok(())
}
