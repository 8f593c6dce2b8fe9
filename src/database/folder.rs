//! The folder of a database: names of files, and what else a folder may be.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::game::Sector;

use super::error::{DatabaseError, IoContext};
use super::kind::Kind;
use super::manifest::{self, Manifest};

/// Endings of the files of a database, other than its manifest.
const ENDINGS: [&str; 4] = ["sector", "values", "distances", PARTIAL_ENDING];

/// Ending of files that are not complete yet.
const PARTIAL_ENDING: &str = "partial";

/// The name of a sector's file.
pub fn file_name(sector: Sector, kind: Kind) -> String {
    format!("{}.{}", sector.file_stem(), kind.ending())
}

/// The name of a file while it is being written.
pub fn partial_path(path: &Path) -> PathBuf {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".");
    partial.push(PARTIAL_ENDING);
    partial.into()
}

/// What a folder that is no database holds.
pub enum Folder {
    Empty,
    /// Files of a run that did not end.
    Unfinished,
    /// Something else, of this name.
    Other(String),
}

/// Looks at a folder that has no manifest.
pub fn inspect(dir: &Path) -> Result<Folder, DatabaseError> {
    let mut found = Folder::Empty;
    for entry in fs::read_dir(dir).or_io("list", dir)? {
        let name = entry.or_io("list", dir)?.file_name();
        let ours = Path::new(&name)
            .extension()
            .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
        if !ours {
            return Ok(Folder::Other(name.to_string_lossy().into_owned()));
        }
        found = Folder::Unfinished;
    }
    Ok(found)
}

/// Makes sure that a folder holds nothing but some of these files, finished or begun, and perhaps a manifest
/// that was begun, or is not there at all.
pub fn check_resumable(dir: &Path, expected: &BTreeSet<String>) -> Result<(), DatabaseError> {
    if !is_free(dir)? {
        return Ok(());
    }
    for entry in fs::read_dir(dir).or_io("list", dir)? {
        let name = entry.or_io("list", dir)?.file_name();
        let name = name.to_string_lossy();
        let partial = name.strip_suffix(&format!(".{PARTIAL_ENDING}"));
        let known = partial == Some(manifest::FILE_NAME);
        if !known && !expected.contains(partial.unwrap_or(&name)) {
            let path = dir.to_owned();
            let entry = name.into_owned();
            return Err(DatabaseError::Occupied { path, entry });
        }
    }
    Ok(())
}

/// Makes sure that nothing is in the way of a new database.
pub fn check_vacant(dir: &Path) -> Result<(), DatabaseError> {
    let path = dir.to_owned();
    if !is_free(dir)? {
        return Ok(());
    }
    match inspect(dir)? {
        Folder::Empty => Ok(()),
        Folder::Unfinished => Err(DatabaseError::Unfinished { path }),
        Folder::Other(entry) => Err(DatabaseError::Occupied { path, entry }),
    }
}

/// Whether there is a folder; an error if it is something else or holds a database.
fn is_free(dir: &Path) -> Result<bool, DatabaseError> {
    let path = dir.to_owned();
    if !dir.try_exists().or_io("look at", dir)? {
        return Ok(false);
    }
    if !dir.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory)).or_io("make a database in", dir);
    }
    let manifest = dir.join(manifest::FILE_NAME);
    if manifest.try_exists().or_io("look at", &manifest)? {
        let (manifest, _) = Manifest::read(&manifest)?;
        let variant = manifest.variant;
        return Err(DatabaseError::AlreadyThere { path, variant });
    }
    Ok(true)
}
