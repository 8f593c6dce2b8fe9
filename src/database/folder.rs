//! The folder of a database: names of files, and what else a folder may be.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::game::Sector;

use super::error::{DatabaseError, IoContext};
use super::manifest::{self, Manifest};

/// Ending of sector files.
const SECTOR_ENDING: &str = "sector";

/// Ending of files that are not complete yet.
const PARTIAL_ENDING: &str = "partial";

/// Where a sector's file is.
pub fn sector_path(dir: &Path, sector: Sector) -> PathBuf {
    dir.join(format!("{}.{SECTOR_ENDING}", sector.file_stem()))
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
            .is_some_and(|ending| ending == SECTOR_ENDING || ending == PARTIAL_ENDING);
        if !ours {
            return Ok(Folder::Other(name.to_string_lossy().into_owned()));
        }
        found = Folder::Unfinished;
    }
    Ok(found)
}

/// Makes sure that nothing is in the way of a new database.
pub fn check_vacant(dir: &Path) -> Result<(), DatabaseError> {
    let path = dir.to_owned();
    if !dir.try_exists().or_io("look at", dir)? {
        return Ok(());
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
    match inspect(dir)? {
        Folder::Empty => Ok(()),
        Folder::Unfinished => Err(DatabaseError::Unfinished { path }),
        Folder::Other(entry) => Err(DatabaseError::Occupied { path, entry }),
    }
}
