//! How far the movement layer is, on disk: a run that was stopped is taken up again from there.
//!
//! The [journals](super::journal) of all threads hold every bit of the planes with the ply that decided it. At
//! the end of each ply a line goes to a log:
//!
//! ```text
//! plies.log     {"ply":16,"lengths":[413095,398120],...}     so long was each journal after ply 16
//!               {"ply":17,"lengths":[470002,459371],...}
//! journal-0     ..........................|.........|....    what follows is of ply 18 and is cut off
//! journal-1     .......................|........|.......
//! ```
//!
//! When a process is killed the system keeps all that was handed to it, which is every ply that is in the
//! log. Nothing waits for the disk: when the power fails, what the system had not written by itself is lost,
//! some half a minute of work. The checksums of the records then tell which plies are whole in all journals.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::journal::{BandSize, Journal};
use crate::database::log::Log;
use crate::database::{DatabaseError, IoContext};

const LOG: &str = "plies.log";
const JOURNAL: &str = "journal-";

/// What a run keeps of the movement layer on disk.
#[derive(Clone, Copy, Debug)]
pub enum Keep<'a> {
    /// Nothing: distances cannot be told.
    Nothing,
    /// Journals in unnamed files in a folder, for the distances.
    Scratch(&'a Path),
    /// Journals in a folder from which the next run goes on.
    Resumable(&'a Path),
}

/// The journals of a run, and of those it goes on from.
#[derive(Debug, Default)]
pub struct Journals {
    files: Vec<Journal>,
    log: Option<Log<Mark>>,
    last_mark: Option<Mark>,
}

/// A ply is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mark {
    ply: u16,
    /// How long the journals are.
    lengths: Vec<u64>,
    /// After the last ply: the last one that decided a position.
    last: Option<u16>,
}

impl Journals {
    /// Journals for so many threads. `binding` says which positions they are of.
    ///
    /// # Errors
    /// When a file cannot be made or read.
    pub fn new(
        keep: Keep<'_>,
        binding: &[u8; 32],
        threads: usize,
    ) -> Result<Journals, DatabaseError> {
        match keep {
            Keep::Nothing => Ok(Journals::default()),
            Keep::Scratch(folder) => Ok(Journals {
                files: (0..threads)
                    .map(|_| Journal::scratch(folder))
                    .collect::<Result<_, _>>()?,
                ..Journals::default()
            }),
            Keep::Resumable(folder) => Journals::resume(folder, binding, threads),
        }
    }

    fn resume(
        folder: &Path,
        binding: &[u8; 32],
        threads: usize,
    ) -> Result<Journals, DatabaseError> {
        let (mut log, mut marks) = Log::<Mark>::open(&folder.join(LOG))?;
        let most = marks.iter().map(|mark| mark.lengths.len()).max();
        let files = (0..most.unwrap_or(0).max(threads)).into_par_iter();
        let open = |number| Journal::open(&folder.join(format!("{JOURNAL}{number}")), binding);
        let mut files = files.map(open).collect::<Result<Vec<_>, _>>()?;
        let whole = marks.iter().rposition(|mark| mark.is_whole(&files));
        marks.truncate(whole.map_or(0, |last| last + 1));
        log.cut(marks.len())?;
        let last_mark = marks.pop();
        let lengths = last_mark
            .iter()
            .flat_map(|mark| mark.lengths.iter().copied());
        let lengths = lengths.chain(std::iter::repeat(0));
        for (file, length) in files.iter_mut().zip(lengths) {
            file.cut(length)?;
            file.sort();
        }
        Ok(Journals {
            files,
            log: Some(log),
            last_mark,
        })
    }

    /// The last ply that an earlier run has done.
    pub fn known(&self) -> Option<u16> {
        self.last_mark.as_ref().map(|mark| mark.ply)
    }

    /// If an earlier run has done all plies, the last one that decided a position.
    pub fn ended(&self) -> Option<u16> {
        self.last_mark.as_ref().and_then(|mark| mark.last)
    }

    /// Lends a journal to a thread, if any are kept.
    pub fn lend(&mut self) -> Option<Journal> {
        (!self.files.is_empty()).then(|| self.files.remove(0))
    }

    /// Notes that a ply is done, from the journals on loan; `last` with the last of all.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn commit<'a>(
        &mut self,
        ply: u16,
        lent: impl Iterator<Item = &'a mut Journal>,
        last: Option<u16>,
    ) -> Result<(), DatabaseError> {
        let lent = lent.map(Journal::flush);
        let rest = self.files.iter().map(|file| Ok(file.whole_len()));
        let lengths = lent.chain(rest).collect::<Result<_, _>>()?;
        let mark = Mark { ply, lengths, last };
        self.log.as_mut().map_or(Ok(()), |log| log.append(&mark))
    }

    /// Takes back all journals on loan, in the order in which they were lent, to be read.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn take_back(&mut self, lent: impl Iterator<Item = Journal>) -> Result<(), DatabaseError> {
        self.files.splice(0..0, lent);
        self.files.iter_mut().try_for_each(Journal::finish)
    }

    /// Calls `visit(ply, row in band, index)` for every decided position of a band.
    ///
    /// # Errors
    /// When a journal cannot be read.
    pub fn replay(
        &self,
        band: usize,
        size: BandSize,
        mut visit: impl FnMut(u16, usize, u32),
    ) -> Result<(), DatabaseError> {
        let mut files = self.files.iter();
        files.try_for_each(|file| file.replay(band, size, &mut visit))
    }

    /// The positions of a band that were decided at a ply.
    ///
    /// # Errors
    /// When a journal cannot be read.
    pub fn at_ply(
        &self,
        band: usize,
        ply: u16,
        size: BandSize,
    ) -> Result<KnownRows, DatabaseError> {
        let mut indices = Vec::new();
        let mut rows = vec![0..0; size.rows];
        for file in &self.files {
            file.replay_ply(band, ply, size, |row, index| {
                // A row is whole in one record.
                if rows[row].is_empty() {
                    rows[row] = indices.len()..indices.len();
                }
                indices.push(index);
                rows[row].end = indices.len();
            })?;
        }
        Ok(KnownRows { indices, rows })
    }
}

/// The new bits of some rows.
#[derive(Debug)]
pub struct KnownRows {
    indices: Vec<u32>,
    /// Where the bits of each row are.
    rows: Vec<Range<usize>>,
}

impl KnownRows {
    /// The new bits of a row in increasing order.
    pub fn of(&self, row: usize) -> &[u32] {
        &self.indices[self.rows[row].clone()]
    }
}

impl Mark {
    /// Whether the journals are whole up to here.
    fn is_whole(&self, files: &[Journal]) -> bool {
        let mut lengths = self.lengths.iter().zip(files);
        lengths.all(|(&length, file)| length <= file.whole_len())
    }
}

/// Deletes what a run has left of journals: the movement layer is in the database.
///
/// # Errors
/// When a file cannot be deleted.
pub fn remove(folder: &Path) -> Result<(), DatabaseError> {
    // Without the log the journals count for nothing.
    match fs::remove_file(folder.join(LOG)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        done => done.or_io("delete", &folder.join(LOG))?,
    }
    for entry in fs::read_dir(folder).or_io("list", folder)? {
        let entry = entry.or_io("list", folder)?;
        if entry.file_name().to_string_lossy().starts_with(JOURNAL) {
            fs::remove_file(entry.path()).or_io("delete", &entry.path())?;
        }
    }
    Ok(())
}
