//! Makes the packed form of a database: see the module's overview.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use crate::game::Sector;

use super::error::{DatabaseError, IoContext};
use super::file_writer::write_blocks;
use super::folder::{self, file_name};
use super::format::Header;
use super::kind::Kind;
use super::manifest::{FileRecord, Manifest, SectorRecord};
use super::map::Io;
use super::output::Output;
use super::packed::{BLOCK_CELLS, Census, Coder, Workspace};
use super::reader::Database;
use super::sector_file::{Expected, SectorFile};
use super::whole::OwnedCells;
use super::{Cells, Contents, codec, derive, distances};

/// What goes into a packed database.
#[derive(Clone, Debug, Default)]
pub struct PackOptions {
    /// Leave out the distances.
    pub values_only: bool,
    /// Only these sectors; `None` for all of the source.
    pub sectors: Option<BTreeSet<Sector>>,
}

/// What a packed database has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Packed {
    /// Sectors that answer from files.
    pub stored: usize,
    /// Sectors that answer by looking one turn ahead.
    pub derived: usize,
    /// Sectors of the source that are not in the new database.
    pub left_out: usize,
    /// Bytes of the files with values.
    pub values_bytes: u64,
    /// Bytes of the files with distances.
    pub distances_bytes: u64,
    /// Files that an earlier packing had finished, so that the time of this one is not that of all.
    pub kept_files: usize,
    /// Cells whose values are stored.
    pub stored_cells: u64,
    /// Cells of all sectors, stored or not.
    pub cells: u64,
}

/// Packs a database into a new folder. The same source gives the same bytes, whatever the number of
/// threads. `announce` learns how many cells there are to write in all, `advance` of so many more done.
///
/// A packing that was stopped is taken up again by the same call: finished files are checked and kept.
///
/// # Errors
/// When a chosen sector is not in the source, the source cannot be read, or the disk refuses.
pub fn pack(
    source: &Database,
    dir: &Path,
    options: &PackOptions,
    announce: &dyn Fn(u64),
    advance: &(dyn Fn(u64) + Sync),
) -> Result<Packed, DatabaseError> {
    if source.contents() == Contents::Conversions {
        return Err(DatabaseError::CannotPack {
            path: source.dir().to_owned(),
        });
    }
    let records = chosen_records(source, options)?;
    let derived = derived_sectors(source, &records)?;
    let with_distances = source.contents() == Contents::Distances && !options.values_only;
    let contents = if with_distances {
        Contents::Distances
    } else {
        Contents::Values
    };
    let kinds: &[Kind] = match contents {
        Contents::Distances => &[Kind::Values, Kind::Distances],
        _ => &[Kind::Values],
    };
    let stored = records
        .iter()
        .filter(|record| !derived.contains(&record.sector));
    let expected = stored.clone().flat_map(|record| {
        let name = |kind| file_name(record.sector, kind);
        kinds.iter().copied().map(name)
    });
    let expected = expected.collect();
    let work = folder::occupy(dir, |dir| folder::check_resumable(dir, &expected))?;
    if work.holds_work()? {
        let path = dir.to_owned();
        return Err(DatabaseError::Unfinished { path });
    }
    announce(stored.map(|record| record.cells * kinds.len() as u64).sum());

    let mut packed = Packed {
        left_out: source.manifest().sectors.len() - records.len(),
        ..Packed::default()
    };
    let mut written = Vec::with_capacity(records.len());
    for mut record in records {
        packed.cells += record.cells;
        record.derived = derived.contains(&record.sector);
        record.files = Vec::new();
        if record.derived {
            packed.derived += 1;
        } else {
            let packer = Packer {
                source,
                dir,
                record: &record,
                advance,
            };
            let (files, kept) = packer.files(kinds)?;
            packed.kept_files += kept;
            packed.stored += 1;
            packed.stored_cells += record.cells;
            for file in &files {
                match file.kind {
                    Kind::Distances => packed.distances_bytes += file.bytes,
                    _ => packed.values_bytes += file.bytes,
                }
            }
            record.files = files;
        }
        if !with_distances {
            record.statistics = record.statistics.without_distances();
        }
        written.push(record);
    }
    let summary = source.manifest().summary.clone();
    Manifest::new(source.variant(), contents, written, summary).write(dir)?;
    work.remove()?;
    Ok(packed)
}

/// The records of the sectors to pack, in ascending order.
fn chosen_records(
    source: &Database,
    options: &PackOptions,
) -> Result<Vec<SectorRecord>, DatabaseError> {
    let all = &source.manifest().sectors;
    let Some(sectors) = &options.sectors else {
        return Ok(all.clone());
    };
    if let Some(&sector) = sectors.iter().find(|&&sector| !source.has(sector)) {
        let path = source.dir().to_owned();
        return Err(DatabaseError::NoSector { path, sector });
    }
    let chosen = all.iter().filter(|record| sectors.contains(&record.sector));
    Ok(chosen.cloned().collect())
}

/// The sectors to leave to look-ahead: of a packed source those it left itself.
fn derived_sectors(
    source: &Database,
    records: &[SectorRecord],
) -> Result<BTreeSet<Sector>, DatabaseError> {
    let already = records.iter().filter(|record| record.derived);
    let already: BTreeSet<Sector> = already.map(|record| record.sector).collect();
    if !source
        .manifest()
        .sectors
        .iter()
        .any(|record| record.derived)
    {
        return Ok(derive::choose(source.variant(), records));
    }
    let present: BTreeSet<Sector> = records.iter().map(|record| record.sector).collect();
    for &derived in &already {
        let next = source.variant().sectors_after(derived);
        if let Some(&sector) = next.iter().find(|next| !present.contains(next)) {
            return Err(DatabaseError::NeededBy { sector, derived });
        }
    }
    Ok(already)
}

/// Packs one sector.
struct Packer<'a> {
    source: &'a Database,
    dir: &'a Path,
    record: &'a SectorRecord,
    advance: &'a (dyn Fn(u64) + Sync),
}

impl Packer<'_> {
    /// The files of these kinds, written or found finished, and how many were found.
    fn files(&self, kinds: &[Kind]) -> Result<(Vec<FileRecord>, usize), DatabaseError> {
        let mut cells: Option<OwnedCells> = None;
        let (mut files, mut kept) = (Vec::new(), 0);
        for &kind in kinds {
            if let Some(finished) = self.finished(kind)? {
                (self.advance)(self.record.cells);
                files.push(finished);
                kept += 1;
                continue;
            }
            let cells = match &cells {
                Some(cells) => cells,
                None => cells.insert(self.source.read_cells(self.record.sector)?),
            };
            files.push(self.write(kind, &cells.cells())?);
        }
        Ok((files, kept))
    }

    /// A file that an earlier packing has finished.
    fn finished(&self, kind: Kind) -> Result<Option<FileRecord>, DatabaseError> {
        let path = self.path(kind);
        if !path.try_exists().or_io("look at", &path)? {
            return Ok(None);
        }
        let expected = Expected {
            kind,
            sector: self.record.sector,
            cells: self.record.cells,
            fingerprint: self.source.variant().fingerprint(),
        };
        let file = SectorFile::open(&path, &expected, Io::Map)?;
        file.check_blocks(self.source.index())?;
        Ok(Some(FileRecord {
            kind,
            name: file_name(self.record.sector, kind),
            bytes: file.file_bytes(),
            blake3: file.digest()?,
        }))
    }

    fn write(&self, kind: Kind, cells: &Cells<'_>) -> Result<FileRecord, DatabaseError> {
        let path = self.path(kind);
        let mut header = Header {
            kind,
            sector: self.record.sector,
            cells: self.record.cells,
            block_cells: kind.block_cells(),
            model_bytes: 0,
            fingerprint: self.source.variant().fingerprint(),
        };
        let mut output = Output::create(&path)?;
        match kind {
            Kind::Values => self.write_values(&mut header, cells, &mut output)?,
            _ => self.write_distances(&header, cells, &mut output)?,
        }
        let written = output.finish(false)?;
        Ok(FileRecord {
            kind,
            name: file_name(self.record.sector, kind),
            bytes: written.bytes,
            blake3: written.digest,
        })
    }

    fn write_values(
        &self,
        header: &mut Header,
        cells: &Cells<'_>,
        output: &mut Output,
    ) -> Result<(), DatabaseError> {
        let coder = Coder::new(self.source.index(), header.sector);
        let model = census(&coder, header, cells).model();
        let frame = codec::compress(&model.to_bytes(), MODEL_LEVEL)
            .or_io("compress the model of", output.path())?;
        header.model_bytes = frame.len() as u32;
        output.append(&header.encode())?;
        output.append(&frame)?;
        let encode = |work: &mut Workspace, range: Range<u64>| {
            let count = range.end - range.start;
            cells.values(&range, &mut work.values);
            let bytes = coder.encode(range, work, &model);
            (self.advance)(count);
            Ok((bytes, ()))
        };
        write_blocks(output, header, Workspace::new, encode, |_, ()| {})
    }

    fn write_distances(
        &self,
        header: &Header,
        cells: &Cells<'_>,
        output: &mut Output,
    ) -> Result<(), DatabaseError> {
        output.append(&header.encode())?;
        let path = output.path().to_owned();
        let encode = |bytes: &mut Vec<u8>, range: Range<u64>| {
            let count = range.end - range.start;
            distances::halves(range.map(|cell| cells.byte(cell)), bytes);
            let frame =
                codec::compress(bytes, distances::LEVEL).or_io("compress a block of", &path)?;
            (self.advance)(count);
            Ok((frame, ()))
        };
        write_blocks(output, header, Vec::new, encode, |_, ()| {})
    }

    fn path(&self, kind: Kind) -> PathBuf {
        self.dir.join(file_name(self.record.sector, kind))
    }
}

/// Models are small and read whole.
const MODEL_LEVEL: i32 = 19;

/// Counts the values of a whole sector by context.
fn census(coder: &Coder<'_>, header: &Header, cells: &Cells<'_>) -> Census {
    let blocks = 0..header.cells.div_ceil(BLOCK_CELLS as u64) as usize;
    let range = |block: usize| {
        let start = (block * BLOCK_CELLS) as u64;
        start..header.cells.min(start + BLOCK_CELLS as u64)
    };
    let start = || (Workspace::new(), Census::new());
    let count = |(mut work, mut census): (Workspace, Census), block| {
        cells.values(&range(block), &mut work.values);
        coder.count(range(block), &mut work, &mut census);
        (work, census)
    };
    let counted = blocks.into_par_iter().with_min_len(256).fold(start, count);
    let counted = counted.map(|(_, census)| census);
    counted.reduce(Census::new, Census::merge)
}
