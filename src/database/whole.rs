//! Whole sectors of a database, read at once and on all threads.

use rayon::prelude::*;

use crate::game::Sector;
use crate::value::{Outcome, Score};

use super::error::{Damage, DatabaseError};
use super::kind::Kind;
use super::manifest::FileRecord;
use super::reader::Database;
use super::sector_file::{SectorFile, zeroed};
use super::{Cells, Contents, blocks, distances};

/// The cells of a whole sector, as far as a database knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OwnedCells {
    Scores(Vec<u8>),
    Planes(Vec<u64>, Vec<u64>),
}

impl OwnedCells {
    pub fn cells(&self) -> Cells<'_> {
        match self {
            OwnedCells::Scores(scores) => Cells::Scores(scores),
            OwnedCells::Planes(win, loss) => Cells::Planes { win, loss },
        }
    }
}

impl Database {
    /// Reads a whole sector with distances: one [`Score`] byte a cell, in index order. In a database of
    /// conversions its [`Counting`](crate::conversion::Counting) tells what the bytes stand for.
    ///
    /// # Errors
    /// When the sector is not stored, cannot be read, or the database has no distances.
    pub fn read_sector(&self, sector: Sector) -> Result<Vec<u8>, DatabaseError> {
        let mut scores = self.room(sector, self.sector(sector)?.cells())?;
        self.read_sector_into(sector, &mut scores)?;
        Ok(scores)
    }

    /// Reads a whole sector with distances into a buffer.
    ///
    /// # Errors
    /// As [`read_sector`](Self::read_sector), and when the buffer does not have one byte a cell.
    pub fn read_sector_into(&self, sector: Sector, scores: &mut [u8]) -> Result<(), DatabaseError> {
        let file = self.sector(sector)?;
        if file.kind() == Kind::Scores {
            return file.read_into(scores);
        }
        if self.contents() != Contents::Distances {
            return Err(self.no_distances());
        }
        if scores.len() as u64 != file.cells() {
            return Err(DatabaseError::CellCount {
                sector,
                expected: file.cells(),
                found: scores.len() as u64,
            });
        }
        let distances = self.distances(sector)?;
        let size = Kind::Distances.block_cells() as usize;
        let blocks = scores.par_chunks_mut(size).enumerate();
        blocks.try_for_each(|(block, scores)| {
            let halves = distances.read_block(self.index(), block as u64)?;
            self.fill_scores(file, block * size, &halves, scores)
                .and_then(|complete| match complete {
                    true => Ok(()),
                    false => {
                        let reason = "it has a byte that is no distance".to_owned();
                        Err(distances.damaged_block(block as u64, reason))
                    }
                })
        })?;
        self.release();
        Ok(())
    }

    /// Puts results and halves together for cells from `first` on; `false` if a half is no distance.
    fn fill_scores(
        &self,
        values: &SectorFile,
        first: usize,
        halves: &[u8],
        scores: &mut [u8],
    ) -> Result<bool, DatabaseError> {
        let size = Kind::Values.block_cells() as usize;
        let mut complete = true;
        let pieces = scores.chunks_mut(size).zip(halves.chunks(size));
        for (i, (scores, halves)) in pieces.enumerate() {
            let block = (first / size + i) as u64;
            values.with_values(self.index(), block, |values| {
                for ((score, &half), &value) in scores.iter_mut().zip(halves).zip(values) {
                    let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][usize::from(value)];
                    let found = distances::score(outcome, half);
                    complete &= found.is_some();
                    *score = found.unwrap_or(Score::DRAW).0;
                }
            })?;
        }
        Ok(complete)
    }

    /// Reads the results of a whole sector: won cells and lost cells, bit i of word w for cell 64 w + i.
    ///
    /// # Errors
    /// When the sector is not stored or cannot be read.
    pub fn read_planes(&self, sector: Sector) -> Result<(Vec<u64>, Vec<u64>), DatabaseError> {
        let file = self.sector(sector)?;
        if file.kind() == Kind::Planes {
            return file.read_planes();
        }
        let words = file.cells().div_ceil(64);
        let (mut win, mut loss) = (self.room(sector, words)?, self.room(sector, words)?);
        let size = file.block_range(0).end.div_ceil(64) as usize;
        let blocks = win.par_chunks_mut(size).zip(loss.par_chunks_mut(size));
        blocks.enumerate().try_for_each(|(block, planes)| {
            if file.kind() == Kind::Values {
                return file.with_values(self.index(), block as u64, |values| {
                    blocks::set_planes(planes, values.iter().copied());
                });
            }
            let scores = file.read_block(self.index(), block as u64)?;
            blocks::set_planes(planes, blocks::results(&scores));
            Ok(())
        })?;
        self.release();
        Ok((win, loss))
    }

    /// All that the database has of a sector.
    pub(super) fn read_cells(&self, sector: Sector) -> Result<OwnedCells, DatabaseError> {
        match self.contents() {
            Contents::Distances => self.read_sector(sector).map(OwnedCells::Scores),
            Contents::Values | Contents::Conversions => {
                let (win, loss) = self.read_planes(sector)?;
                Ok(OwnedCells::Planes(win, loss))
            }
        }
    }

    /// Compares a sector's files with their digests in the manifest and decodes all of them. A sector that
    /// is in no file is right in itself.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub fn check_sector(&self, sector: Sector) -> Result<(), DatabaseError> {
        self.check_files(sector, |file| file.check_blocks(self.index()))
    }

    /// Compares a sector's files with their digests in the manifest.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub fn check_digests(&self, sector: Sector) -> Result<(), DatabaseError> {
        self.check_files(sector, |_| Ok(()))
    }

    fn check_files(
        &self,
        sector: Sector,
        more: impl Fn(&SectorFile) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let record = self.record(self.slot(sector)?);
        let distances = |file: &&FileRecord| {
            file.kind != Kind::Distances || self.contents() == Contents::Distances
        };
        for expected in record.files.iter().filter(distances) {
            let file = self.open_file(record, expected)?;
            let found = file.digest()?;
            if found != expected.blake3 {
                return Err(DatabaseError::Damaged {
                    path: self.dir().join(&expected.name),
                    damage: Damage::Digest {
                        found,
                        expected: expected.blake3.clone(),
                    },
                });
            }
            more(&file)?;
        }
        Ok(())
    }

    fn room<T: Clone + Default>(
        &self,
        sector: Sector,
        items: u64,
    ) -> Result<Vec<T>, DatabaseError> {
        zeroed(items).ok_or_else(|| DatabaseError::NoMemory {
            path: self.dir().to_owned(),
            sector,
            cells: items,
        })
    }
}
