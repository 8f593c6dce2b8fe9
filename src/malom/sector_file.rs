//! A sector file, open for reading.
//!
//! ```text
//! .sec2   64 bytes of header, n entries of 3 bytes, then the exceptions
//! .sec                        n entries of 1 byte,  then the exceptions
//! exceptions   their number m, and m pairs: entry, what did not fit there; in increasing order of entries
//! ```
//!
//! All numbers have four bytes, the lowest first. n follows from the men that the name of the file tells.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::entry::{Coding, entry_bytes, header_bytes};
use super::sec2::Keys;
use super::{Damage, Entry, Form, Game, MalomError, MalomIndex, SectorValues};
use crate::game::Sector;

/// A sector file.
#[derive(Debug)]
pub struct SectorFile {
    path: PathBuf,
    file: File,
    coding: Coding,
    entries: u64,
    /// Entries with what did not fit there, in increasing order.
    exceptions: Vec<(i32, i32)>,
}

/// Bytes of an exception.
const PAIR: u64 = 8;

impl SectorFile {
    /// Opens a sector file, whose name says which it is, and checks its header, size and exceptions. `values` are
    /// those beside it, which the form `.sec` has no need of.
    ///
    /// # Errors
    /// When the name is none of the game, the file cannot be read or is damaged, or the values lack its sector.
    pub fn open(
        path: &Path,
        game: &Game,
        index: &MalomIndex,
        values: &SectorValues,
    ) -> Result<SectorFile, MalomError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some((sector, form)) = game.sector_of(&name) else {
            return Err(MalomError::Name {
                path: path.to_owned(),
                game: game.prefix,
            });
        };
        let coding = coding(game, values, path, sector, form)?;
        let file = File::open(path).map_err(|source| cannot_read(path, source))?;
        let metadata = file.metadata();
        let bytes = metadata.map_err(|source| cannot_read(path, source))?.len();
        let mut opened = SectorFile {
            path: path.to_owned(),
            file,
            coding,
            entries: index.entries(sector),
            exceptions: Vec::new(),
        };
        opened.check_header(game, bytes)?;
        opened.exceptions = opened.read_exceptions(bytes)?;
        Ok(opened)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many entries it has.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// How many of them have something in the list of exceptions.
    pub fn exceptions(&self) -> usize {
        self.exceptions.len()
    }

    /// Reads one entry.
    ///
    /// # Errors
    /// When it cannot be read or says nothing.
    ///
    /// # Panics
    /// When there is no such entry.
    pub fn entry(&self, entry: u64) -> Result<Entry, MalomError> {
        assert!(entry < self.entries, "there is no entry {entry}");
        let mut bytes = vec![0; self.entry_bytes()];
        self.read(entry, &mut bytes)?;
        self.decode(entry, &bytes)
    }

    /// Bytes of an entry.
    pub(super) fn entry_bytes(&self) -> usize {
        self.coding.entry_bytes()
    }

    /// Reads the bytes of entries, from one on.
    pub(super) fn read(&self, first: u64, bytes: &mut [u8]) -> Result<(), MalomError> {
        let at = header_bytes(self.coding.form()) as u64 + first * self.entry_bytes() as u64;
        self.read_at(at, bytes)
    }

    /// Reads an entry out of its bytes.
    pub(super) fn decode(&self, entry: u64, bytes: &[u8]) -> Result<Entry, MalomError> {
        let exception = || {
            let of = |&(other, _): &(i32, i32)| other as u64;
            let found = self.exceptions.binary_search_by_key(&entry, of).ok()?;
            Some(self.exceptions[found].1)
        };
        let read = self.coding.decode(bytes, exception);
        read.map_err(|flaw| self.damaged(Damage::Entry { entry, flaw }))
    }

    fn check_header(&self, game: &Game, bytes: u64) -> Result<(), MalomError> {
        let expected = self.coding.header();
        // What is shorter lacks entries too, which is told with the whole size.
        let mut header = vec![0; expected.len().min(bytes.try_into().unwrap_or(usize::MAX))];
        self.read_at(0, &mut header)?;
        let mut pairs = header.iter().zip(&expected);
        match pairs.position(|(found, expected)| found != expected) {
            None => Ok(()),
            Some(byte) => Err(self.damaged(Damage::Header {
                game: game.prefix,
                byte,
                found: header[byte],
                expected: expected[byte],
            })),
        }
    }

    fn read_exceptions(&self, bytes: u64) -> Result<Vec<(i32, i32)>, MalomError> {
        let at = size(self.coding.form(), self.entries, 0) - 4;
        let wrong_size = |expected| {
            let found = bytes;
            self.damaged(Damage::Size { found, expected })
        };
        if bytes < at + 4 {
            return Err(wrong_size(at + 4));
        }
        let mut count = [0; 4];
        self.read_at(at, &mut count)?;
        let count = i32::from_le_bytes(count);
        let possible = u64::try_from(count).ok().filter(|&m| m <= self.entries);
        let count = possible.ok_or_else(|| self.damaged(Damage::ExceptionCount(count)))?;
        let expected = size(self.coding.form(), self.entries, count);
        if bytes != expected {
            return Err(wrong_size(expected));
        }
        let mut pairs = vec![0; (count * PAIR) as usize];
        self.read_at(at + 4, &mut pairs)?;
        let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let pairs = pairs.chunks_exact(PAIR as usize);
        let exceptions: Vec<_> = pairs.map(|p| (number(&p[..4]), number(&p[4..]))).collect();
        let mut least = 0;
        for (number, &(entry, _)) in exceptions.iter().enumerate() {
            if i64::from(entry) < least || entry as u64 >= self.entries {
                return Err(self.damaged(Damage::ExceptionOrder { number, entry }));
            }
            least = i64::from(entry) + 1;
        }
        Ok(exceptions)
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<(), MalomError> {
        let read = self.file.read_exact_at(bytes, at);
        read.map_err(|source| cannot_read(&self.path, source))
    }

    fn damaged(&self, damage: Damage) -> MalomError {
        MalomError::Damaged {
            path: self.path.clone(),
            damage,
        }
    }
}

/// Bytes of a file with so many entries and exceptions.
pub(super) fn size(form: Form, entries: u64, exceptions: u64) -> u64 {
    header_bytes(form) as u64 + entries * entry_bytes(form) as u64 + 4 + exceptions * PAIR
}

/// The list of exceptions, as the end of a file.
pub(super) fn exceptions_bytes(exceptions: &[(i32, i32)]) -> Vec<u8> {
    let pairs = exceptions.iter().flat_map(|&(entry, value)| [entry, value]);
    let numbers = std::iter::once(exceptions.len() as i32).chain(pairs);
    numbers.flat_map(i32::to_le_bytes).collect()
}

/// How the entries of a sector are written beside these values, which are from the file `path` or go to it.
pub(super) fn coding(
    game: &Game,
    values: &SectorValues,
    path: &Path,
    sector: Sector,
    form: Form,
) -> Result<Coding, MalomError> {
    if form == Form::Sec {
        return Ok(Coding::Sec);
    }
    let missing = || MalomError::NoValue {
        path: path.with_file_name(game.values_name()),
        sector,
    };
    let value = values.get(sector).ok_or_else(missing)?;
    Ok(Coding::Sec2(Keys::new(game, values.win(), value)))
}

fn cannot_read(path: &Path, source: std::io::Error) -> MalomError {
    MalomError::Io {
        action: "read",
        path: path.to_owned(),
        source,
    }
}
