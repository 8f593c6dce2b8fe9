//! Answers from a finished database.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::conversion::{Conversion, Counting};
use crate::game::{Fingerprint, Sector, Variant};
use crate::index::SectorIndex;
use crate::value::{Outcome, Score};

use super::error::{DatabaseError, IoContext};
use super::folder::{Folder, inspect};
use super::kind::Kind;
use super::manifest::{self, FileRecord, Manifest, SectorRecord};
use super::map::Io;
use super::sector_file::{Expected, SectorFile};
use super::{Contents, distances};

/// How a database is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    /// How files are read.
    pub io: Io,
    /// Bytes of decoded blocks to keep for the next question.
    pub cache_bytes: u64,
    /// Bytes of mapped files to keep in memory; when more has been touched, all are given back to the
    /// system, whose own cache has them still.
    pub map_bytes: usize,
}

impl Default for OpenOptions {
    fn default() -> OpenOptions {
        OpenOptions {
            io: Io::Map,
            cache_bytes: 64 << 20,
            map_bytes: 48 << 20,
        }
    }
}

/// A database, open for reading from any number of threads.
///
/// ```no_run
/// use millbase::database::Database;
///
/// let database = Database::open("nine.db".as_ref())?;
/// let start = database.variant().start();
/// let cell = database.index().rank(&start);
/// println!("{}", database.outcome(start.sector(), cell)?);
/// # Ok::<(), millbase::database::DatabaseError>(())
/// ```
#[derive(Debug)]
pub struct Database {
    dir: PathBuf,
    options: OpenOptions,
    manifest: Manifest,
    contents: Contents,
    variant: Variant,
    fingerprint: Fingerprint,
    index: SectorIndex,
    sectors: BTreeMap<Sector, Slot>,
    /// All sectors of the game, once somebody asked about one that is not here.
    game_sectors: OnceLock<BTreeSet<Sector>>,
    cache: Cache<BlockKey, Arc<[u8]>, ByLength>,
    /// About how many bytes of maps were touched since they were last given back.
    touched: AtomicUsize,
}

/// A sector: where the manifest has it, and its files once somebody asked for them.
#[derive(Debug)]
pub(super) struct Slot {
    record: usize,
    results: OnceLock<SectorFile>,
    distances: OnceLock<SectorFile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct BlockKey {
    sector: Sector,
    kind: Kind,
    block: u64,
}

/// Blocks count for their bytes in the cache, and for what it costs to keep them.
#[derive(Clone, Debug)]
struct ByLength;

impl Weighter<BlockKey, Arc<[u8]>> for ByLength {
    fn weight(&self, _: &BlockKey, block: &Arc<[u8]>) -> u64 {
        block.len() as u64 + 128
    }
}

/// What the system brings into memory around a byte of a map that is touched.
const AROUND: usize = 64 << 10;

impl Database {
    /// Opens a database with the usual options. Reads and checks the manifest only; sectors are opened
    /// when they are asked for.
    ///
    /// # Errors
    /// When the folder is missing, is no finished database, or has a manifest that is wrong in itself.
    pub fn open(dir: &Path) -> Result<Database, DatabaseError> {
        Database::open_with(dir, OpenOptions::default())
    }

    /// Opens a database.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(dir: &Path, options: OpenOptions) -> Result<Database, DatabaseError> {
        let path = dir.join(manifest::FILE_NAME);
        let (manifest, variant) = Manifest::read(&path).map_err(|error| explain(dir, error))?;
        let slot = |(record, sector)| {
            let (results, distances) = (OnceLock::new(), OnceLock::new());
            (
                sector,
                Slot {
                    record,
                    results,
                    distances,
                },
            )
        };
        let sectors = manifest.sectors.iter().map(|record| record.sector);
        let blocks = (options.cache_bytes / 1024).clamp(16, 1 << 20) as usize;
        Ok(Database {
            dir: dir.to_owned(),
            options,
            contents: installed(dir, &manifest),
            fingerprint: variant.fingerprint(),
            index: SectorIndex::new(&variant.board, variant.rules.men.into()),
            sectors: sectors.enumerate().map(slot).collect(),
            game_sectors: OnceLock::new(),
            cache: Cache::with_weighter(blocks, options.cache_bytes, ByLength),
            touched: AtomicUsize::new(0),
            manifest,
            variant,
        })
    }

    /// Opens a database that must be one of this game.
    ///
    /// # Errors
    /// As [`open`](Self::open), and when the rules differ.
    pub fn open_for(dir: &Path, variant: &Variant) -> Result<Database, DatabaseError> {
        let database = Database::open(dir)?;
        let wanted = variant.fingerprint();
        if database.fingerprint == wanted {
            return Ok(database);
        }
        Err(DatabaseError::OtherVariant {
            path: dir.to_owned(),
            found: database.variant.id.clone(),
            found_rules: short(database.fingerprint),
            wanted: variant.id.clone(),
            wanted_rules: short(wanted),
        })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Whether the database has distances. A packed one that was made with distances has none where their
    /// files were left out.
    pub fn contents(&self) -> Contents {
        self.contents
    }

    /// Under which no-capture limit the results of a database of conversions are, and what its bytes stand
    /// for; `None` for other databases.
    pub fn counting(&self) -> Option<&Counting> {
        self.manifest.counting.as_ref()
    }

    /// All that the manifest says, the statistics of every sector among it.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Whether the folder has a file of the manifest.
    pub fn is_there(&self, file: &FileRecord) -> bool {
        self.dir.join(&file.name).exists()
    }

    /// The index that numbers the cells.
    pub fn index(&self) -> &SectorIndex {
        &self.index
    }

    /// Whether the database knows a sector: from a file, or by looking one turn ahead.
    pub fn has(&self, sector: Sector) -> bool {
        self.sectors.contains_key(&sector)
    }

    /// Whether positions of a sector occur in the game, known to this database or not.
    pub fn covers(&self, sector: Sector) -> bool {
        let all = || self.variant.sectors().into_iter().collect();
        self.has(sector) || self.game_sectors.get_or_init(all).contains(&sector)
    }

    /// Whether a sector is in no file because one turn of look-ahead tells its values.
    ///
    /// # Errors
    /// When the database does not know the sector.
    pub fn is_derived(&self, sector: Sector) -> Result<bool, DatabaseError> {
        Ok(self.record(self.slot(sector)?).derived)
    }

    /// The file with a sector's results, opened and checked at the first call.
    ///
    /// # Errors
    /// When there is no such sector, or its file is missing or not the one the manifest describes.
    pub fn sector(&self, sector: Sector) -> Result<&SectorFile, DatabaseError> {
        let slot = self.slot(sector)?;
        self.file(
            slot,
            &slot.results,
            &[Kind::Scores, Kind::Planes, Kind::Values],
        )
    }

    /// The file with the distances of a sector whose results are in another.
    pub(super) fn distances(&self, sector: Sector) -> Result<&SectorFile, DatabaseError> {
        let slot = self.slot(sector)?;
        self.file(slot, &slot.distances, &[Kind::Distances])
    }

    fn file<'a>(
        &self,
        slot: &Slot,
        place: &'a OnceLock<SectorFile>,
        kinds: &[Kind],
    ) -> Result<&'a SectorFile, DatabaseError> {
        if let Some(file) = place.get() {
            return Ok(file);
        }
        let record = self.record(slot);
        let (path, sector) = (self.dir.clone(), record.sector);
        let Some(file) = record.file(kinds) else {
            return Err(match record.derived {
                true => DatabaseError::Derived { path, sector },
                false => self.no_distances(),
            });
        };
        let opened = self.open_file(record, file)?;
        // If another thread was faster its map is as good.
        Ok(place.get_or_init(|| opened))
    }

    pub(super) fn open_file(
        &self,
        record: &SectorRecord,
        file: &FileRecord,
    ) -> Result<SectorFile, DatabaseError> {
        let expected = Expected {
            kind: file.kind,
            sector: record.sector,
            cells: record.cells,
            fingerprint: self.fingerprint,
        };
        let path = self.dir.join(&file.name);
        SectorFile::open(&path, &expected, self.options.io).map_err(|error| match error {
            DatabaseError::Io { source, path, .. } if source.kind() == io::ErrorKind::NotFound => {
                let sector = record.sector;
                DatabaseError::NotInstalled { path, sector }
            }
            error => error,
        })
    }

    /// The result in a cell, for the side to move.
    ///
    /// # Errors
    /// When there is no such cell or its block cannot be read.
    #[inline]
    pub fn outcome(&self, sector: Sector, index: u64) -> Result<Outcome, DatabaseError> {
        let file = self.sector(sector)?;
        let (block, cell) = file.locate(index)?;
        file.outcome(block, &self.block(file, block)?, cell)
    }

    /// The result in a cell with its distance, for the side to move.
    ///
    /// # Errors
    /// When there is no such cell, its block cannot be read, or the database has no distances.
    pub fn score(&self, sector: Sector, index: u64) -> Result<Score, DatabaseError> {
        if self.contents == Contents::Conversions {
            return Err(self.no_distances());
        }
        let file = self.sector(sector)?;
        let (block, cell) = file.locate(index)?;
        let decoded = self.block(file, block)?;
        match file.kind() {
            Kind::Scores => Ok(Score(decoded[cell])),
            Kind::Values => match file.outcome(block, &decoded, cell)? {
                Outcome::Draw => Ok(Score::DRAW),
                outcome => self.distance(sector, index, outcome),
            },
            Kind::Planes | Kind::Distances => Err(self.no_distances()),
        }
    }

    /// The result in a cell of a database of conversions, for the side to move and at a count of 0, with the
    /// plies to the next capture. Those are `None` in sectors with men in hand.
    ///
    /// # Errors
    /// When there is no such cell, its block cannot be read, or the database is of another kind.
    pub fn conversion(&self, sector: Sector, index: u64) -> Result<Conversion, DatabaseError> {
        let Some(counting) = self.counting() else {
            return Err(DatabaseError::OtherContents {
                path: self.dir.clone(),
                found: self.contents,
                wanted: Contents::Conversions,
            });
        };
        let file = self.sector(sector)?;
        let (block, cell) = file.locate(index)?;
        let decoded = self.block(file, block)?;
        if file.kind() != Kind::Scores {
            let outcome = file.outcome(block, &decoded, cell)?;
            return Ok(Conversion {
                outcome,
                plies: None,
            });
        }
        counting.conversion(Score(decoded[cell])).ok_or_else(|| {
            file.damaged_block(block, format!("its cell {cell} has an unknown distance"))
        })
    }

    /// The distance of a cell whose result is known.
    fn distance(
        &self,
        sector: Sector,
        index: u64,
        outcome: Outcome,
    ) -> Result<Score, DatabaseError> {
        if self.contents == Contents::Values {
            return Err(self.no_distances());
        }
        let file = self.distances(sector)?;
        let (block, cell) = file.locate(index)?;
        let half = self.block(file, block)?[cell];
        distances::score(outcome, half)
            .ok_or_else(|| file.damaged_block(block, format!("its cell {cell} has no distance")))
    }

    pub(super) fn slot(&self, sector: Sector) -> Result<&Slot, DatabaseError> {
        let missing = || DatabaseError::NoSector {
            path: self.dir.clone(),
            sector,
        };
        self.sectors.get(&sector).ok_or_else(missing)
    }

    pub(super) fn record(&self, slot: &Slot) -> &SectorRecord {
        &self.manifest.sectors[slot.record]
    }

    pub(super) fn no_distances(&self) -> DatabaseError {
        DatabaseError::OtherContents {
            path: self.dir.clone(),
            found: self.contents,
            wanted: Contents::Distances,
        }
    }

    /// A decoded block, from the cache if it is there.
    #[inline]
    fn block(&self, file: &SectorFile, block: u64) -> Result<Arc<[u8]>, DatabaseError> {
        let key = BlockKey {
            sector: file.sector(),
            kind: file.kind(),
            block,
        };
        self.cache.get_or_insert_with(&key, || {
            let decoded = file.read_block(&self.index, block).map(Arc::from);
            if self.touched.fetch_add(AROUND, Ordering::Relaxed) > self.options.map_bytes {
                self.release();
            }
            decoded
        })
    }

    /// Gives the memory of all maps back to the system.
    pub(super) fn release(&self) {
        self.touched.store(0, Ordering::Relaxed);
        let files = self
            .sectors
            .values()
            .flat_map(|slot| [&slot.results, &slot.distances]);
        files
            .filter_map(OnceLock::get)
            .for_each(SectorFile::release);
    }
}

/// What the files that are there tell: distances beside packed values may have been left out.
fn installed(dir: &Path, manifest: &Manifest) -> Contents {
    if manifest.contents == Contents::Conversions {
        return Contents::Conversions;
    }
    let mut files = manifest.sectors.iter().flat_map(|record| &record.files);
    let has_distances = |file: &FileRecord| match file.kind {
        Kind::Scores => true,
        Kind::Distances => dir.join(&file.name).exists(),
        Kind::Planes | Kind::Values => false,
    };
    let some = manifest.contents == Contents::Distances && files.any(has_distances);
    // A database without any cells has what it says.
    let none = manifest
        .sectors
        .iter()
        .all(|record| record.files.is_empty());
    if some || (none && manifest.contents == Contents::Distances) {
        Contents::Distances
    } else {
        Contents::Values
    }
}

/// Why there is no manifest: says what the folder is instead.
fn explain(dir: &Path, error: DatabaseError) -> DatabaseError {
    let missing = matches!(
        &error,
        DatabaseError::Io { source, .. }
            if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    );
    if !missing {
        return error;
    }
    match look_at(dir) {
        Ok(found) => found,
        Err(error) => error,
    }
}

fn look_at(dir: &Path) -> Result<DatabaseError, DatabaseError> {
    let path = dir.to_owned();
    let metadata = dir.metadata().or_io("open the database", dir)?;
    if !metadata.is_dir() {
        return Ok(manifest::foreign(dir, &first_bytes(dir)?));
    }
    Ok(match inspect(dir)? {
        Folder::Unfinished => DatabaseError::Unfinished { path },
        Folder::Empty => DatabaseError::NotADatabase {
            path,
            reason: "the folder is empty".to_owned(),
        },
        Folder::Other(entry) => {
            let reason = format!("it holds '{entry}' but no {}", manifest::FILE_NAME);
            DatabaseError::NotADatabase { path, reason }
        }
    })
}

/// How a file begins. It may be of any size, or a device without an end.
fn first_bytes(path: &Path) -> Result<Vec<u8>, DatabaseError> {
    let mut bytes = Vec::new();
    let file = File::open(path).or_io("open", path)?;
    file.take(64).read_to_end(&mut bytes).or_io("read", path)?;
    Ok(bytes)
}

/// The first digits of a fingerprint, enough to tell two apart.
fn short(fingerprint: Fingerprint) -> String {
    fingerprint.to_string().chars().take(12).collect()
}
