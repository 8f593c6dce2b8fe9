//! The folder in which a run keeps what it needs to be taken up again, and the lock on the database.
//!
//! ```text
//! nine-db/
//!   8_8_0_0.sector      finished already
//!   work/
//!     lock              locked while a process works here, whose id it tells
//!     sectors.log       the finished sectors with their digests
//!     ...               what the solver wants to keep
//! ```
//!
//! The folder goes when the database is finished. A manifest *beside* it means that only this was left to do.
//! The system gives up the lock of a process that dies, so a lock file that was left behind does not matter.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::{DatabaseError, IoContext};

/// The folder's name within that of the database.
pub const FOLDER: &str = "work";

const LOCK: &str = "lock";

/// Whether a run may have made a file of this name in its work folder.
fn is_ours(name: &str) -> bool {
    name == LOCK || name.ends_with(".log") || name.starts_with("journal-")
}

/// The folder, locked for this process.
#[derive(Debug)]
pub struct WorkFolder {
    path: PathBuf,
    /// Holds the lock until it is closed.
    _lock: File,
    /// Whether the folder was there before.
    pub found: bool,
}

impl WorkFolder {
    /// Makes the folder within that of a database, or takes over one that was left.
    ///
    /// # Errors
    /// When another process works there, the folder holds something else, or it or the lock cannot be made.
    pub fn open(dir: &Path) -> Result<WorkFolder, DatabaseError> {
        let path = dir.join(FOLDER);
        loop {
            let found = match fs::create_dir(&path) {
                Ok(()) => false,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => true,
                Err(error) => return Err(error).or_io("create the folder", &path),
            };
            if let Some(other) = names(&path)?.into_iter().find(|name| !is_ours(name)) {
                return Err(DatabaseError::Occupied {
                    path: dir.to_owned(),
                    entry: format!("{FOLDER}/{other}"),
                });
            }
            // Another process may have finished and removed all of it since: then once more.
            if let Some(_lock) = lock(dir, &path.join(LOCK))? {
                return Ok(WorkFolder { path, _lock, found });
            }
        }
    }

    /// The folder.
    pub fn as_path(&self) -> &Path {
        &self.path
    }

    /// The path of something in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether a process has left anything but its lock.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn holds_work(&self) -> Result<bool, DatabaseError> {
        Ok(names(&self.path)?.iter().any(|name| name != LOCK))
    }

    /// Deletes the folder with all that is in it, the lock last.
    ///
    /// # Errors
    /// When something cannot be deleted.
    pub fn remove(self) -> Result<(), DatabaseError> {
        for name in names(&self.path)? {
            if name != LOCK && is_ours(&name) {
                let path = self.path(&name);
                fs::remove_file(&path).or_io("delete", &path)?;
            }
        }
        let lock = self.path.join(LOCK);
        fs::remove_file(&lock).or_io("delete", &lock)?;
        let gone_or_taken = [io::ErrorKind::NotFound, io::ErrorKind::DirectoryNotEmpty];
        match fs::remove_dir(&self.path) {
            // Another process waits for the lock; it will find the database and remove the folder, or has done so.
            Err(error) if gone_or_taken.contains(&error.kind()) => Ok(()),
            done => done.or_io("delete", &self.path),
        }
    }
}

/// The names of what is in a folder; none if it is gone.
fn names(path: &Path) -> Result<Vec<String>, DatabaseError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.or_io("list", path)?,
    };
    let name = |entry: io::Result<fs::DirEntry>| {
        let name = entry.or_io("list", path)?.file_name();
        Ok(name.to_string_lossy().into_owned())
    };
    entries.map(name).collect()
}

/// Locks the file and writes the id of this process into it. `None` if it was deleted meanwhile.
fn lock(dir: &Path, path: &Path) -> Result<Option<File>, DatabaseError> {
    let mut options = File::options();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.or_io("create", path)?,
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            // The owner may not have said yet who it is.
            let _ = file.read_to_string(&mut owner);
            return Err(DatabaseError::Locked {
                path: dir.to_owned(),
                process: owner.trim().parse().ok(),
            });
        }
        Err(TryLockError::Error(error)) => return Err(error).or_io("lock", path),
    }
    let ours = file.metadata().or_io("look at", path)?;
    let is_ours = |there: fs::Metadata| (there.dev(), there.ino()) == (ours.dev(), ours.ino());
    if !fs::metadata(path).is_ok_and(is_ours) {
        return Ok(None);
    }
    file.set_len(0).or_io("write", path)?;
    writeln!(file, "{}", std::process::id()).or_io("write", path)?;
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cannot_work_in_a_folder_and_the_second_learns_who_does() {
        let dir = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(dir.path()).unwrap();
        assert!(!work.found && !work.holds_work().unwrap());
        let error = WorkFolder::open(dir.path()).unwrap_err().to_string();
        let process = format!("process {}", std::process::id());
        assert!(error.contains(&process), "{error}");
        drop(work);
        // What a process left that has ended, with the id of one that may live, is no obstacle.
        fs::write(dir.path().join("work/lock"), "1\n").unwrap();
        let work = WorkFolder::open(dir.path()).unwrap();
        assert!(work.found);
        fs::write(work.path("more.log"), "").unwrap();
        assert!(work.holds_work().unwrap());
        work.remove().unwrap();
        assert!(!dir.path().join(FOLDER).exists());
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(FOLDER)).unwrap();
        let theirs = dir.path().join("work/letter.txt");
        fs::write(&theirs, "Dear all").unwrap();
        let error = WorkFolder::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("holds 'work/letter.txt'"), "{error}");
        assert_eq!(names(&dir.path().join(FOLDER)).unwrap(), ["letter.txt"]);
    }

    #[test]
    fn whoever_comes_when_the_folder_goes_makes_it_anew() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            let work = || {
                for _ in 0..200 {
                    match WorkFolder::open(dir.path()) {
                        Ok(work) => work.remove().unwrap(),
                        Err(DatabaseError::Locked { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            };
            let threads = [work; 2].map(|work| scope.spawn(work));
            threads
                .into_iter()
                .for_each(|thread| thread.join().unwrap());
        });
    }
}
