//! Makes a database, sector by sector.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use rayon::prelude::*;

use crate::conversion::Counting;
use crate::game::{Fingerprint, Sector, Variant};
use crate::index::{Fixed, SectorIndex};
use crate::value::Score;

use super::error::{DatabaseError, IoContext};
use super::file_writer::write_blocks;
use super::folder::{self, check_vacant, file_name};
use super::format::Header;
use super::log::Log;
use super::manifest::{self, FileRecord, Manifest, SectorRecord};
use super::map::Io;
use super::output::Output;
use super::sector_file::{Expected, SectorFile};
use super::statistics::{Statistics, Tally};
use super::task::{Step, Task};
use super::work::WorkFolder;
use super::{Cells, Contents, codec};

/// Writes a new database.
///
/// Sectors can be written in any order and from several threads; each is complete under its name or not
/// there at all. The database is one once [`finish`](Self::finish) has written the manifest.
///
/// A [`resumable`](Self::resumable) one notes each sector it has written, so that a run that was stopped goes
/// on without computing them again.
#[derive(Debug)]
pub struct DatabaseWriter {
    dir: PathBuf,
    variant: Variant,
    fingerprint: Fingerprint,
    contents: Contents,
    counting: OnceLock<Counting>,
    level: i32,
    index: SectorIndex,
    wanted: BTreeSet<Sector>,
    written: Mutex<BTreeMap<Sector, SectorRecord>>,
    work: Option<Work>,
    kept: usize,
}

/// What makes a database resumable.
#[derive(Debug)]
struct Work {
    folder: WorkFolder,
    log: Mutex<Log<Step>>,
}

impl DatabaseWriter {
    /// The compression level for those who have no wish: fast, as the solver waits for it.
    pub const DEFAULT_LEVEL: i32 = codec::DEFAULT_LEVEL;

    /// Starts a database in a new or empty folder. `level` is zstd's, from 1 (fast) to 22 (small), and
    /// below 1 for still faster; levels out of its range count as the nearest in it.
    ///
    /// # Errors
    /// When the folder holds anything or cannot be made, or positions of the game have to remember which mills
    /// have paid.
    pub fn create(
        dir: &Path,
        variant: &Variant,
        contents: Contents,
        level: i32,
    ) -> Result<DatabaseWriter, DatabaseError> {
        manifest::check_game(variant)?;
        check_vacant(dir)?;
        fs::create_dir_all(dir).or_io("create the folder", dir)?;
        // A path through a folder that was not there yet may have led nowhere a moment ago.
        check_vacant(dir)?;
        Ok(DatabaseWriter::new(dir, variant, contents, level))
    }

    /// Starts a database of these sectors, or goes on with one that the same call began and a run left
    /// unfinished: sectors it had finished, and whose files still have their digests, are there already.
    /// No other process can write into the folder meanwhile.
    ///
    /// # Errors
    /// As [`create`](Self::create), and when the unfinished database was to be another, or another process
    /// is at work in the folder.
    pub fn resumable(
        dir: &Path,
        variant: &Variant,
        contents: Contents,
        level: i32,
        sectors: impl IntoIterator<Item = Sector>,
    ) -> Result<DatabaseWriter, DatabaseError> {
        manifest::check_game(variant)?;
        let mut writer = DatabaseWriter::new(dir, variant, contents, level).restricted_to(sectors);
        let folder = folder::occupy(dir, folder::check_ours)?;
        let (log, steps) = Log::open(&folder.path("sectors.log"))?;
        let mut work = Work {
            folder,
            log: Mutex::new(log),
        };
        let records = match writer.left_behind(&mut work, steps) {
            Err(error) if !work.folder.found => {
                // The error is what the user has to hear of.
                let _ = work.folder.remove();
                return Err(error);
            }
            records => records?,
        };
        let intact = records.into_par_iter().map(|record| {
            let intact = writer.is_intact(&record)?;
            Ok(intact.then_some((record.sector, record)))
        });
        let intact: Vec<_> = intact.collect::<Result<_, DatabaseError>>()?;
        let written: BTreeMap<_, _> = intact.into_iter().flatten().collect();
        writer.kept = written.len();
        writer.written = Mutex::new(written);
        writer.work = Some(work);
        Ok(writer)
    }

    /// The sectors that an earlier run noted. A log that is new gets the task.
    fn left_behind(
        &mut self,
        work: &mut Work,
        mut steps: Vec<Step>,
    ) -> Result<Vec<SectorRecord>, DatabaseError> {
        let task = Task::new(&self.variant, self.contents, self.level, &self.wanted);
        if folder::has_manifest(&self.dir)? {
            // All was done but for the work folder, and the log may be gone already.
            let (manifest, _) = Manifest::read(&self.dir.join(manifest::FILE_NAME))?;
            if !task.is_of(&manifest) {
                return Err(folder::already_there(&self.dir)?);
            }
            self.counting = manifest.counting.map_or_else(OnceLock::new, OnceLock::from);
            return Ok(manifest.sectors);
        }
        let log = work.log.get_mut();
        let log = log.unwrap_or_else(std::sync::PoisonError::into_inner);
        if steps.is_empty() {
            folder::check_no_files(&self.dir)?;
            log.append(&Step::Task(task))?;
            log.sync()?;
            return Ok(Vec::new());
        }
        let found = match steps.remove(0) {
            Step::Task(found) => found,
            Step::Sector(_) | Step::Counting(_) => Task::default(),
        };
        if found != task {
            return Err(DatabaseError::OtherTask {
                path: self.dir.clone(),
                found: found.describe(&task),
                wanted: task.describe(&found),
            });
        }
        let name = |&sector| file_name(sector, self.contents.plain_kind(sector));
        folder::check_resumable(&self.dir, &self.wanted.iter().map(name).collect())?;
        // A sector may have been written twice: the last time counts.
        let mut records = BTreeMap::new();
        for step in steps {
            match step {
                Step::Sector(record) => drop(records.insert(record.sector, *record)),
                Step::Counting(counting) => self.counting = OnceLock::from(*counting),
                Step::Task(_) => {}
            }
        }
        Ok(records.into_values().collect())
    }

    /// Whether the file of a sector is as it was written.
    fn is_intact(&self, record: &SectorRecord) -> Result<bool, DatabaseError> {
        let path = self.path(record.sector);
        let (Some(file), true) = (record.files.first(), path.exists()) else {
            return Ok(false);
        };
        let expected = self.expected(record.sector, record.cells);
        match SectorFile::open(&path, &expected, Io::Map) {
            Ok(opened) => Ok(opened.digest()? == file.blake3),
            Err(error @ DatabaseError::Io { .. }) => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn expected(&self, sector: Sector, cells: u64) -> Expected {
        Expected {
            kind: self.contents.plain_kind(sector),
            sector,
            cells,
            fingerprint: self.fingerprint,
        }
    }

    fn new(dir: &Path, variant: &Variant, contents: Contents, level: i32) -> DatabaseWriter {
        let levels = zstd::compression_level_range();
        DatabaseWriter {
            dir: dir.to_owned(),
            variant: variant.clone(),
            fingerprint: variant.fingerprint(),
            contents,
            counting: OnceLock::new(),
            level: level.clamp(*levels.start(), *levels.end()),
            index: SectorIndex::new(&variant.board, variant.rules.men.into()),
            wanted: variant.sectors().into_iter().collect(),
            written: Mutex::default(),
            work: None,
            kept: 0,
        }
    }

    /// Restricts the database to some of the variant's sectors, to try things out.
    #[must_use]
    pub fn restricted_to(mut self, sectors: impl IntoIterator<Item = Sector>) -> DatabaseWriter {
        let chosen: BTreeSet<Sector> = sectors.into_iter().collect();
        self.wanted.retain(|sector| chosen.contains(sector));
        self
    }

    /// The folder of the database.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// What the sectors hold.
    pub fn contents(&self) -> Contents {
        self.contents
    }

    /// Where a solver can keep files that it needs to be taken up again, if the database is resumable; they
    /// are deleted when the database is finished.
    pub fn work_folder(&self) -> Option<&Path> {
        self.work.as_ref().map(|work| work.folder.as_path())
    }

    /// How many sectors an earlier run had finished.
    pub fn kept_sectors(&self) -> usize {
        self.kept
    }

    /// Says what the bytes of a database of conversions stand for: before the first sector is written.
    /// Later calls change nothing, and an earlier run may have said it.
    ///
    /// # Errors
    /// When it cannot be noted for a run that goes on.
    pub fn set_counting(&self, counting: Counting) -> Result<(), DatabaseError> {
        if self.counting.set(counting.clone()).is_ok() {
            self.note(&Step::Counting(Box::new(counting)))?;
        }
        Ok(())
    }

    /// Notes a step for a run that goes on from here.
    fn note(&self, step: &Step) -> Result<(), DatabaseError> {
        let Some(work) = &self.work else {
            return Ok(());
        };
        let log = work.log.lock();
        let mut log = log.unwrap_or_else(std::sync::PoisonError::into_inner);
        log.append(step)
    }

    /// What the bytes of a database of conversions stand for, once it has been said.
    pub fn counting(&self) -> Option<&Counting> {
        self.counting.get()
    }

    /// Whether a sector has been written, by this run or an earlier one.
    pub fn has(&self, sector: Sector) -> bool {
        self.lock().contains_key(&sector)
    }

    /// The index that numbers the cells.
    pub fn index(&self) -> &SectorIndex {
        &self.index
    }

    /// Whether the database is to have a sector.
    pub fn wants(&self, sector: Sector) -> bool {
        self.wanted.contains(&sector)
    }

    /// Writes the cells of a sector and says what they are worth. Works on all threads of the current
    /// rayon pool. A sector that is written again replaces the former one.
    ///
    /// # Errors
    /// When the sector is not of this database, the cells do not fit it, or the disk refuses.
    pub fn write_sector(
        &self,
        sector: Sector,
        cells: Cells<'_>,
    ) -> Result<Statistics, DatabaseError> {
        let header = self.header(sector, &cells)?;
        let mut output = Output::create(&self.path(sector))?;
        output.append(&header.encode())?;
        let tally = self.write_blocks(&header, &cells, &mut output)?;
        let written = output.finish(false)?;
        let mut statistics =
            tally.finish(&self.index, sector, cells, header.block_cells, |score| {
                self.plies(score)
            });
        if self.contents == Contents::Conversions {
            // These bytes do not go up by two plies each.
            statistics.forget_histograms();
        }
        let record = SectorRecord {
            sector,
            cells: header.cells,
            fixed: Fixed::of(sector),
            derived: false,
            files: vec![FileRecord {
                kind: header.kind,
                name: file_name(sector, header.kind),
                bytes: written.bytes,
                blake3: written.digest,
            }],
            statistics: statistics.clone(),
        };
        self.note(&Step::Sector(Box::new(record.clone())))?;
        self.lock().insert(sector, record);
        Ok(statistics)
    }

    /// What the manifest will say about the sectors written so far, in ascending order.
    pub fn records(&self) -> Vec<SectorRecord> {
        self.lock().values().cloned().collect()
    }

    /// Opens a sector that has been written, to read it back before the database is finished.
    ///
    /// # Errors
    /// When it has not been written, or its file is not as it was.
    pub fn open_sector(&self, sector: Sector) -> Result<SectorFile, DatabaseError> {
        let cells = self.lock().get(&sector).map(|record| record.cells);
        let cells = cells.ok_or_else(|| self.no_sector(sector))?;
        let expected = self.expected(sector, cells);
        SectorFile::open(&self.path(sector), &expected, Io::Map)
    }

    /// Makes the folder a database by writing the manifest. `summary` tells about the run in any form.
    ///
    /// # Errors
    /// When sectors are missing or the manifest cannot be written.
    pub fn finish(self, summary: serde_json::Value) -> Result<(), DatabaseError> {
        let written = self.lock();
        let mut missing = self
            .wanted
            .iter()
            .filter(|sector| !written.contains_key(sector));
        if let Some(&sector) = missing.next() {
            return Err(DatabaseError::Incomplete {
                path: self.dir.clone(),
                missing: 1 + missing.count(),
                sector,
            });
        }
        if self.contents == Contents::Conversions && self.counting().is_none() {
            return Err(DatabaseError::NoCounting {
                path: self.dir.clone(),
            });
        }
        let sectors = written.values().cloned().collect();
        Manifest::new(&self.variant, self.contents, sectors, summary)
            .counted(self.counting().cloned())
            .write(&self.dir)?;
        drop(written);
        self.work.map_or(Ok(()), |work| work.folder.remove())
    }

    /// Checks the cells against the sector.
    fn header(&self, sector: Sector, cells: &Cells<'_>) -> Result<Header, DatabaseError> {
        if !self.wants(sector) {
            return Err(self.no_sector(sector));
        }
        let kind = self.contents.plain_kind(sector);
        if cells.kind() != kind {
            return Err(DatabaseError::OtherKind {
                path: self.path(sector),
                found: kind,
                wanted: cells.kind(),
            });
        }
        let expected = self.index.len(sector);
        if !cells.has_len(expected) {
            let found = cells.capacity();
            return Err(DatabaseError::CellCount {
                sector,
                expected,
                found,
            });
        }
        Ok(Header {
            kind,
            sector,
            cells: expected,
            block_cells: kind.block_cells(),
            model_bytes: 0,
            fingerprint: self.fingerprint,
        })
    }

    /// Compresses the blocks of a sector into its file and counts what they hold.
    fn write_blocks(
        &self,
        header: &Header,
        cells: &Cells<'_>,
        output: &mut Output,
    ) -> Result<Tally, DatabaseError> {
        let sector = header.sector;
        let path = self.path(sector);
        let encode = |scratch: &mut Vec<u8>, range: Range<u64>| {
            let counts = cells
                .count(&range)
                .map_err(|first| DatabaseError::Contradiction { sector, first })?;
            let frame = codec::compress(cells.raw(&range, scratch), self.level)
                .or_io("compress a block of", &path)?;
            Ok((frame, counts))
        };
        let mut tally = Tally::new();
        write_blocks(output, header, Vec::new, encode, |block, counts| {
            tally.add(block, &counts)
        })?;
        Ok(tally)
    }

    fn path(&self, sector: Sector) -> PathBuf {
        self.dir
            .join(file_name(sector, self.contents.plain_kind(sector)))
    }

    /// The distance that a score stands for.
    fn plies(&self, score: Score) -> Option<u16> {
        match self.contents {
            Contents::Conversions => self.counting()?.conversion(score)?.plies,
            _ => score.value().plies(),
        }
    }

    fn no_sector(&self, sector: Sector) -> DatabaseError {
        DatabaseError::NoSector {
            path: self.dir.clone(),
            sector,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<Sector, SectorRecord>> {
        // Records are inserted whole, so a panic elsewhere cannot have left half of one.
        self.written
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
