//! Logs: what a run has done so far, a line a step, so that another can go on from there.
//!
//! ```text
//! 8d4c1f02 {"sector":"3_3_0_0","cells":...}     CRC-32 of the rest of the line, and the step as JSON
//! 0a77b3e9 {"sector":"4_3_0_0","cells":...}
//! 51e2                                          torn off when the process was killed
//! ```
//!
//! Steps are appended and handed to the system one by one: a process that is killed loses none it has noted.
//! The first line that is not whole ends the log; it and what follows are cut off when the log is opened.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{Damage, DatabaseError, IoContext};

/// A log of steps of a kind, open for more.
#[derive(Debug)]
pub struct Log<T> {
    path: PathBuf,
    file: File,
    /// Where each step that was found ends.
    ends: Vec<u64>,
    step: PhantomData<fn(T)>,
}

impl<T: Serialize + DeserializeOwned> Log<T> {
    /// Opens a log, or begins one, and reads the steps in it.
    ///
    /// # Errors
    /// When the file cannot be read or cut, or a whole line is not a step of this kind.
    pub fn open(path: &Path) -> Result<(Log<T>, Vec<T>), DatabaseError> {
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).or_io("open", path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).or_io("read", path)?;
        let (mut steps, mut ends, mut end) = (Vec::new(), Vec::new(), 0);
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let Some(json) = whole(line) else { break };
            let step = serde_json::from_slice(json).map_err(|error| DatabaseError::Damaged {
                path: path.to_owned(),
                damage: Damage::Log(error.to_string()),
            })?;
            end += line.len() as u64;
            steps.push(step);
            ends.push(end);
        }
        let mut log = Log {
            path: path.to_owned(),
            file,
            ends,
            step: PhantomData,
        };
        log.cut(steps.len())?;
        Ok((log, steps))
    }

    /// Notes a step.
    ///
    /// # Errors
    /// When the disk refuses. The log is then good for nothing but to be opened again.
    pub fn append(&mut self, step: &T) -> Result<(), DatabaseError> {
        let json = serde_json::to_string(step).map_err(std::io::Error::from);
        let json = json.or_io("write", &self.path)?;
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        // One call, so that a process that is killed has written all of it or nothing.
        self.file
            .write_all(line.as_bytes())
            .or_io("write", &self.path)
    }

    /// Waits until the disk has what was noted.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn sync(&self) -> Result<(), DatabaseError> {
        self.file.sync_all().or_io("write", &self.path)
    }

    /// Forgets all but the first steps of those found when the log was opened.
    ///
    /// # Errors
    /// When the file cannot be cut.
    pub fn cut(&mut self, steps: usize) -> Result<(), DatabaseError> {
        self.ends.truncate(steps);
        let end = self.ends.last().copied().unwrap_or(0);
        let cut = self.file.set_len(end);
        cut.and_then(|()| self.file.seek(SeekFrom::Start(end)))
            .or_io("cut", &self.path)
            .map(drop)
    }
}

/// The step in a line, if the line is as it was written.
fn whole(line: &[u8]) -> Option<&[u8]> {
    let (sum, json) = line.strip_suffix(b"\n")?.split_at_checked(9)?;
    let sum = std::str::from_utf8(sum).ok()?.strip_suffix(' ')?;
    let right = u32::from_str_radix(sum, 16).ok()? == crc32fast::hash(json);
    right.then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_log_ends_before_the_tear_wherever_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("steps.log");
        let (mut log, none) = Log::<String>::open(&path).unwrap();
        assert!(none.is_empty());
        let steps = ["one", "two", "three"].map(str::to_owned);
        steps.iter().for_each(|step| log.append(step).unwrap());
        let text = std::fs::read(&path).unwrap();
        for length in 0..=text.len() {
            std::fs::write(&path, &text[..length]).unwrap();
            let (mut log, found) = Log::<String>::open(&path).unwrap();
            let whole = text[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(found, steps[..whole]);
            log.append(&"more".to_owned()).unwrap();
            let (mut log, found) = Log::<String>::open(&path).unwrap();
            assert_eq!(found[whole..], ["more"]);
            log.cut(0).unwrap();
            assert!(Log::<String>::open(&path).unwrap().1.is_empty());
        }
    }

    #[test]
    fn an_altered_line_ends_the_log_and_a_line_of_another_kind_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("steps.log");
        let (mut log, _) = Log::<String>::open(&path).unwrap();
        log.append(&"one".to_owned()).unwrap();
        let mut text = std::fs::read(&path).unwrap();
        let error = Log::<u32>::open(&path).unwrap_err().to_string();
        assert!(error.contains("steps.log is damaged"), "{error}");
        text[11] ^= 1;
        std::fs::write(&path, &text).unwrap();
        assert!(Log::<String>::open(&path).unwrap().1.is_empty());
    }
}
