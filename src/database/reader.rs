//! Answers from a finished database.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use quick_cache::sync::Cache;

use crate::game::{Fingerprint, Sector, Variant};
use crate::index::SectorIndex;
use crate::value::{Outcome, Score};

use super::Contents;
use super::error::{Damage, DatabaseError, IoContext};
use super::folder::{Folder, inspect, sector_path};
use super::manifest::{self, Manifest, SectorRecord};
use super::sector_file::{Expected, SectorFile};

/// Decoded blocks kept for the next question: 64 KiB each.
const CACHED_BLOCKS: usize = 1024;

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
    manifest: Manifest,
    variant: Variant,
    fingerprint: Fingerprint,
    index: SectorIndex,
    sectors: BTreeMap<Sector, Slot>,
    cache: Cache<(Sector, u64), Arc<[u8]>>,
}

/// A sector: where the manifest has it, and its file once somebody asked for it.
#[derive(Debug)]
struct Slot {
    record: usize,
    file: OnceLock<SectorFile>,
}

impl Database {
    /// Opens a database. Reads and checks the manifest only; sectors are opened when they are asked for.
    ///
    /// # Errors
    /// When the folder is missing, is no finished database, or has a manifest that is wrong in itself.
    pub fn open(dir: &Path) -> Result<Database, DatabaseError> {
        let path = dir.join(manifest::FILE_NAME);
        let (manifest, variant) = Manifest::read(&path).map_err(|error| explain(dir, error))?;
        let slot = |(record, sector)| {
            (
                sector,
                Slot {
                    record,
                    file: OnceLock::new(),
                },
            )
        };
        let sectors = manifest.sectors.iter().map(|record| record.sector);
        Ok(Database {
            dir: dir.to_owned(),
            fingerprint: variant.fingerprint(),
            index: SectorIndex::new(&variant.board, variant.rules.men.into()),
            sectors: sectors.enumerate().map(slot).collect(),
            cache: Cache::new(CACHED_BLOCKS),
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

    /// Whether the database has distances.
    pub fn contents(&self) -> Contents {
        self.manifest.contents
    }

    /// All that the manifest says, the statistics of every sector among it.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The index that numbers the cells.
    pub fn index(&self) -> &SectorIndex {
        &self.index
    }

    /// Whether the database has a sector.
    pub fn has(&self, sector: Sector) -> bool {
        self.sectors.contains_key(&sector)
    }

    /// The file of a sector, opened and checked at the first call.
    ///
    /// # Errors
    /// When there is no such sector, or its file is missing or not the one the manifest describes.
    pub fn sector(&self, sector: Sector) -> Result<&SectorFile, DatabaseError> {
        let slot = self.slot(sector)?;
        if let Some(file) = slot.file.get() {
            return Ok(file);
        }
        let expected = Expected {
            contents: self.manifest.contents,
            sector,
            cells: self.record(slot).cells,
            fingerprint: self.fingerprint,
        };
        let file = SectorFile::open(&sector_path(&self.dir, sector), &expected)?;
        // If another thread was faster its map is as good.
        Ok(slot.file.get_or_init(|| file))
    }

    /// The result in a cell, for the side to move.
    ///
    /// # Errors
    /// When there is no such cell or its block cannot be read.
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
        let file = self.sector(sector)?;
        let (block, cell) = file.locate(index)?;
        file.score(&self.block(file, block)?, cell)
    }

    /// Reads a whole sector of distances, see [`SectorFile::read`].
    ///
    /// # Errors
    /// When there is no such sector, it cannot be read, or the database has no distances.
    pub fn read_sector(&self, sector: Sector) -> Result<Vec<u8>, DatabaseError> {
        self.sector(sector)?.read()
    }

    /// Reads a whole sector of distances into a buffer, see [`SectorFile::read_into`].
    ///
    /// # Errors
    /// As [`read_sector`](Self::read_sector), and when the buffer does not have one byte a cell.
    pub fn read_sector_into(&self, sector: Sector, scores: &mut [u8]) -> Result<(), DatabaseError> {
        self.sector(sector)?.read_into(scores)
    }

    /// Reads a whole sector of values, see [`SectorFile::read_planes`].
    ///
    /// # Errors
    /// When there is no such sector, it cannot be read, or the database has distances.
    pub fn read_planes(&self, sector: Sector) -> Result<(Vec<u64>, Vec<u64>), DatabaseError> {
        self.sector(sector)?.read_planes()
    }

    /// Compares a sector's file with its digest in the manifest and decodes all of it.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn check_sector(&self, sector: Sector) -> Result<(), DatabaseError> {
        let expected = &self.record(self.slot(sector)?).blake3;
        let file = self.sector(sector)?;
        let found = blake3::hash(file.bytes()).to_hex().to_string();
        if found != *expected {
            let damage = Damage::Digest {
                found,
                expected: expected.clone(),
            };
            return Err(DatabaseError::Damaged {
                path: sector_path(&self.dir, sector),
                damage,
            });
        }
        file.check_blocks()
    }

    fn slot(&self, sector: Sector) -> Result<&Slot, DatabaseError> {
        let missing = || DatabaseError::NoSector {
            path: self.dir.clone(),
            sector,
        };
        self.sectors.get(&sector).ok_or_else(missing)
    }

    fn record(&self, slot: &Slot) -> &SectorRecord {
        &self.manifest.sectors[slot.record]
    }

    /// A decoded block, from the cache if it is there.
    fn block(&self, file: &SectorFile, block: u64) -> Result<Arc<[u8]>, DatabaseError> {
        let decode = || file.read_block(block).map(Arc::from);
        self.cache
            .get_or_insert_with(&(file.sector(), block), decode)
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
