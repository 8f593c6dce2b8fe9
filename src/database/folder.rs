//! The folder of a database: names of files, and what else a folder may be.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::game::Sector;

use super::error::{DatabaseError, IoContext};
use super::kind::Kind;
use super::manifest::{self, Manifest};
use super::work::{self, WorkFolder};

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

/// Looks at a folder on which work is left to do.
pub fn inspect(dir: &Path) -> Result<Folder, DatabaseError> {
    let mut found = Folder::Empty;
    for entry in fs::read_dir(dir).or_io("list", dir)? {
        let name = entry.or_io("list", dir)?.file_name();
        let ours = name == work::FOLDER
            || name == manifest::FILE_NAME
            || Path::new(&name)
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
/// that was begun, or is not there at all. Beside a work folder the manifest may be finished too.
pub fn check_resumable(dir: &Path, expected: &BTreeSet<String>) -> Result<(), DatabaseError> {
    if !is_free(dir)? {
        return Ok(());
    }
    for entry in fs::read_dir(dir).or_io("list", dir)? {
        let name = entry.or_io("list", dir)?.file_name();
        let name = name.to_string_lossy();
        let partial = name.strip_suffix(&format!(".{PARTIAL_ENDING}"));
        let known = name == work::FOLDER || partial.unwrap_or(&name) == manifest::FILE_NAME;
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
    check_ours(dir)?;
    let path = dir.to_owned();
    if is_free(dir)? && !matches!(inspect(dir)?, Folder::Empty) {
        return Err(DatabaseError::Unfinished { path });
    }
    Ok(())
}

/// Makes sure that a folder has nothing but files of a database that is not finished, or is not there.
pub fn check_ours(dir: &Path) -> Result<(), DatabaseError> {
    if is_free(dir)?
        && let Folder::Other(entry) = inspect(dir)?
    {
        let path = dir.to_owned();
        return Err(DatabaseError::Occupied { path, entry });
    }
    Ok(())
}

/// Makes sure that a folder holds nothing but a work folder.
pub fn check_no_files(dir: &Path) -> Result<(), DatabaseError> {
    check_resumable(dir, &BTreeSet::new())
}

/// Whether there is a folder; an error if it is something else or holds a database on which all work is done.
fn is_free(dir: &Path) -> Result<bool, DatabaseError> {
    if !dir.try_exists().or_io("look at", dir)? {
        return Ok(false);
    }
    if !dir.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory)).or_io("make a database in", dir);
    }
    let work = dir.join(work::FOLDER);
    if has_manifest(dir)? && !work.try_exists().or_io("look at", &work)? {
        return Err(already_there(dir)?);
    }
    Ok(true)
}

/// Whether a folder has a manifest.
pub fn has_manifest(dir: &Path) -> Result<bool, DatabaseError> {
    let manifest = dir.join(manifest::FILE_NAME);
    manifest.try_exists().or_io("look at", &manifest)
}

/// The error that a folder holds a database already.
pub fn already_there(dir: &Path) -> Result<DatabaseError, DatabaseError> {
    let (manifest, _) = Manifest::read(&dir.join(manifest::FILE_NAME))?;
    let (path, variant) = (dir.to_owned(), manifest.variant);
    Ok(DatabaseError::AlreadyThere { path, variant })
}

/// Takes possession of the folder of a database to be made, or of one that a run has left unfinished, if
/// `check` finds no fault with it. Makes it if it is not there.
pub fn occupy(
    dir: &Path,
    check: impl Fn(&Path) -> Result<(), DatabaseError>,
) -> Result<WorkFolder, DatabaseError> {
    check(dir)?;
    fs::create_dir_all(dir).or_io("create the folder", dir)?;
    // A path through a folder that was not there yet may have led nowhere a moment ago.
    check(dir)?;
    let work = WorkFolder::open(dir)?;
    if !work.found && has_manifest(dir)? {
        // Another process has just finished it.
        work.remove()?;
        return Err(already_there(dir)?);
    }
    Ok(work)
}
