//! One sector file, open for reading.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::game::{Fingerprint, Sector};
use crate::value::{Outcome, Score};

use super::error::{Damage, DatabaseError, IoContext};
use super::format::{self, HEADER_LEN, Header, HeaderError};
use super::map::Map;
use super::{Contents, blocks, codec, manifest};

/// A sector on disk. Header and block index are checked when it is opened, blocks when they are read.
#[derive(Debug)]
pub struct SectorFile {
    path: PathBuf,
    map: Map,
    header: Header,
    /// Where in the file the block index begins.
    ends_at: usize,
}

/// What a file must be to belong to a database.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    pub contents: Contents,
    pub sector: Sector,
    pub cells: u64,
    pub fingerprint: Fingerprint,
}

impl SectorFile {
    /// Opens a file and checks that it is the one expected.
    pub(super) fn open(path: &Path, expected: &Expected) -> Result<SectorFile, DatabaseError> {
        let map = Map::open(path).or_io("open", path)?;
        let damaged = |damage| DatabaseError::Damaged {
            path: path.to_owned(),
            damage,
        };
        let header = Header::decode(&map).map_err(|error| match error {
            HeaderError::Foreign => manifest::foreign(path, &map),
            HeaderError::Damage(damage) => damaged(damage),
            HeaderError::Version(found) => DatabaseError::Version {
                path: path.to_owned(),
                found: found.into(),
                known: format::VERSION.into(),
            },
        })?;
        expected.check(&header).map_err(damaged)?;
        let ends_at = format::check_trailer(&map, header.blocks()).map_err(damaged)?;
        Ok(SectorFile {
            path: path.to_owned(),
            map,
            header,
            ends_at,
        })
    }

    /// The sector.
    pub fn sector(&self) -> Sector {
        self.header.sector
    }

    /// How many cells it has.
    pub fn cells(&self) -> u64 {
        self.header.cells
    }

    /// What they hold.
    pub fn contents(&self) -> Contents {
        self.header.contents
    }

    /// The bytes of the file, as they are on disk.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Which block has a cell, and which of its cells that is.
    ///
    /// # Errors
    /// When the sector has no such cell.
    pub(super) fn locate(&self, index: u64) -> Result<(u64, usize), DatabaseError> {
        if index >= self.header.cells {
            return Err(DatabaseError::NoCell {
                path: self.path.clone(),
                sector: self.header.sector,
                cells: self.header.cells,
                index,
            });
        }
        let block_cells = u64::from(self.header.block_cells);
        Ok((index / block_cells, (index % block_cells) as usize))
    }

    /// Decodes one block.
    pub(super) fn read_block(&self, block: u64) -> Result<Vec<u8>, DatabaseError> {
        let before = block * u64::from(self.header.block_cells);
        let cells = (self.header.cells - before).min(self.header.block_cells.into());
        let mut raw = vec![0; self.header.contents.raw_len(cells as usize)];
        self.decode(block, &mut raw)?;
        Ok(raw)
    }

    /// Reads all cells of a sector of distances, on all threads.
    ///
    /// # Errors
    /// When `scores` is not one byte a cell, the file holds values, or a block is damaged.
    pub fn read_into(&self, scores: &mut [u8]) -> Result<(), DatabaseError> {
        self.expect(Contents::Distances)?;
        self.check_len(scores.len() as u64)?;
        let blocks = scores.par_chunks_mut(self.header.block_cells as usize);
        blocks
            .enumerate()
            .try_for_each(|(block, raw)| self.decode(block as u64, raw))
    }

    /// Reads all cells of a sector of distances: one [`Score`] byte each, in index order.
    ///
    /// # Errors
    /// When the file holds values, a block is damaged, or memory is short.
    pub fn read(&self) -> Result<Vec<u8>, DatabaseError> {
        self.expect(Contents::Distances)?;
        let mut scores = self.zeroed(self.header.cells)?;
        self.read_into(&mut scores)?;
        Ok(scores)
    }

    /// Reads the planes of a sector of values: won cells and lost cells, bit i of word w for cell
    /// 64 w + i.
    ///
    /// # Errors
    /// When the file holds distances, a block is damaged, or memory is short.
    pub fn read_planes(&self) -> Result<(Vec<u64>, Vec<u64>), DatabaseError> {
        self.expect(Contents::Values)?;
        let words = self.header.cells.div_ceil(64);
        let (mut win, mut loss) = (self.zeroed(words)?, self.zeroed(words)?);
        let block_words = self.header.block_cells as usize / 64;
        let blocks = win
            .par_chunks_mut(block_words)
            .zip(loss.par_chunks_mut(block_words));
        blocks.enumerate().try_for_each(|(block, (win, loss))| {
            let raw = self.read_block(block as u64)?;
            blocks::unpack_planes(&raw, win, loss);
            Ok(())
        })?;
        Ok((win, loss))
    }

    /// Decodes every block and forgets it.
    pub(super) fn check_blocks(&self) -> Result<(), DatabaseError> {
        (0..self.header.blocks())
            .into_par_iter()
            .try_for_each(|block| self.read_block(block).map(drop))
    }

    /// The score in a decoded block.
    pub(super) fn score(&self, raw: &[u8], cell: usize) -> Result<Score, DatabaseError> {
        self.expect(Contents::Distances)?;
        Ok(Score(raw[cell]))
    }

    /// The result in a decoded block, the `block`-th.
    pub(super) fn outcome(
        &self,
        block: u64,
        raw: &[u8],
        cell: usize,
    ) -> Result<Outcome, DatabaseError> {
        blocks::outcome(self.header.contents, raw, cell).ok_or_else(|| {
            let reason = format!("its cell {cell} is both won and lost");
            self.damaged(Damage::Block { block, reason })
        })
    }

    fn decode(&self, block: u64, raw: &mut [u8]) -> Result<(), DatabaseError> {
        let wrong = |reason: String| self.damaged(Damage::Block { block, reason });
        let frame = self
            .frame(block)
            .ok_or_else(|| wrong("it lies outside of the file".to_owned()))?;
        codec::decompress(frame, raw).map_err(|error| wrong(error.to_string()))
    }

    /// The compressed bytes of a block. The index was checked, but the file may have been changed by
    /// somebody since, so nothing is taken for granted.
    fn frame(&self, block: u64) -> Option<&[u8]> {
        let end_of = |block: u64| {
            let at = self.ends_at + usize::try_from(block).ok()? * 8;
            let bytes = self.map.get(at..)?.first_chunk()?;
            usize::try_from(u64::from_le_bytes(*bytes)).ok()
        };
        let start = match block.checked_sub(1) {
            Some(previous) => end_of(previous)?,
            None => HEADER_LEN,
        };
        self.map.get(start..end_of(block)?)
    }

    fn expect(&self, wanted: Contents) -> Result<(), DatabaseError> {
        let found = self.header.contents;
        if found == wanted {
            return Ok(());
        }
        Err(DatabaseError::OtherContents {
            path: self.path.clone(),
            found,
            wanted,
        })
    }

    fn check_len(&self, found: u64) -> Result<(), DatabaseError> {
        let (sector, expected) = (self.header.sector, self.header.cells);
        if found == expected {
            Ok(())
        } else {
            Err(DatabaseError::CellCount {
                sector,
                expected,
                found,
            })
        }
    }

    /// Room for this many items. A number that is too large is an error, not the end of the program.
    fn zeroed<T: Clone + Default>(&self, items: u64) -> Result<Vec<T>, DatabaseError> {
        let no_memory = || DatabaseError::NoMemory {
            path: self.path.clone(),
            sector: self.header.sector,
            cells: self.header.cells,
        };
        let items = usize::try_from(items).map_err(|_| no_memory())?;
        let mut room = Vec::new();
        room.try_reserve_exact(items).map_err(|_| no_memory())?;
        room.resize(items, T::default());
        Ok(room)
    }

    fn damaged(&self, damage: Damage) -> DatabaseError {
        DatabaseError::Damaged {
            path: self.path.clone(),
            damage,
        }
    }
}

impl Expected {
    fn check(&self, header: &Header) -> Result<(), Damage> {
        if header.sector != self.sector {
            return Err(Damage::OtherSector(header.sector));
        }
        if header.fingerprint != self.fingerprint {
            return Err(Damage::OtherRules(header.fingerprint.to_string()));
        }
        if header.contents != self.contents {
            return Err(Damage::OtherContents(header.contents));
        }
        if header.cells != self.cells {
            return Err(Damage::Cells {
                found: header.cells,
                expected: self.cells,
            });
        }
        Ok(())
    }
}
