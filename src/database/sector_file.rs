//! One file of a sector, open for reading.

use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::game::{Fingerprint, Sector};
use crate::index::SectorIndex;
use crate::value::Outcome;

use super::error::{Damage, DatabaseError, IoContext};
use super::format::{self, FOOTER_LEN, HEADER_LEN, Header, HeaderError};
use super::kind::Kind;
use super::map::{Io, Source};
use super::packed::{self, Model, Workspace};
use super::{blocks, codec, manifest};

/// A file on disk. Header and block index are checked when it is opened, blocks when they are read.
#[derive(Debug)]
pub struct SectorFile {
    path: PathBuf,
    source: Source,
    header: Header,
    /// Where in the file each block ends.
    ends: Vec<u64>,
    model: Option<Model>,
}

/// What a file must be to belong to a database.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    pub kind: Kind,
    pub sector: Sector,
    pub cells: u64,
    pub fingerprint: Fingerprint,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::new());
}

impl SectorFile {
    /// Opens a file and checks that it is the one expected.
    pub(super) fn open(
        path: &Path,
        expected: &Expected,
        io: Io,
    ) -> Result<SectorFile, DatabaseError> {
        let source = Source::open(path, io).or_io("open", path)?;
        let damaged = |damage| DatabaseError::Damaged {
            path: path.to_owned(),
            damage,
        };
        let read = |range| source.bytes(range).or_io("read", path);
        let len = source.len();
        let start = read(0..len.min(HEADER_LEN as u64))?;
        let header = Header::decode(&start).map_err(|error| match error {
            HeaderError::Foreign => manifest::foreign(path, &start),
            HeaderError::Damage(damage) => damaged(damage),
            HeaderError::Version(found) => DatabaseError::Version {
                path: path.to_owned(),
                found: found.into(),
                known: format::VERSION.into(),
            },
        })?;
        expected.check(&header).map_err(damaged)?;
        let cut_short = || damaged(Damage::CutShort(len));
        let footer_at = len.checked_sub(FOOTER_LEN as u64).ok_or_else(cut_short)?;
        let footer = read(footer_at..len)?;
        let footer = footer.first_chunk().ok_or_else(cut_short)?;
        let trailer_at = format::trailer_start(footer).map_err(damaged)?;
        let fits = (header.blocks_at()..=footer_at).contains(&trailer_at);
        let trailer_at = Some(trailer_at).filter(|_| fits);
        let outside = Damage::Index("does not begin where the footer says");
        let trailer_at = trailer_at.ok_or_else(|| damaged(outside))?;
        let trailer = read(trailer_at..len)?;
        let ends = format::decode_trailer(&trailer, trailer_at, &header).map_err(damaged)?;
        let model = match header.model_bytes {
            0 => None,
            _ => {
                let frame = read(HEADER_LEN as u64..header.blocks_at())?;
                Some(read_model(&frame).ok_or_else(|| damaged(Damage::Model))?)
            }
        };
        drop((start, trailer));
        Ok(SectorFile {
            path: path.to_owned(),
            source,
            header,
            ends,
            model,
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

    /// What the file holds.
    pub fn kind(&self) -> Kind {
        self.header.kind
    }

    /// Size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.source.len()
    }

    /// Gives memory that maps of the file use back to the system.
    pub(super) fn release(&self) {
        self.source.release();
    }

    /// BLAKE3 digest of the file, in hexadecimal digits.
    pub(super) fn digest(&self) -> Result<String, DatabaseError> {
        let mut hasher = blake3::Hasher::new();
        let len = self.source.len();
        for start in (0..len).step_by(DIGEST_PIECE) {
            let piece = start..len.min(start + DIGEST_PIECE as u64);
            hasher.update(&self.source.bytes(piece).or_io("read", &self.path)?);
            self.release();
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// How many blocks the file has.
    pub(super) fn blocks(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The cells of a block.
    pub(super) fn block_range(&self, block: u64) -> Range<u64> {
        let size = u64::from(self.header.block_cells);
        block * size..self.header.cells.min((block + 1) * size)
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

    /// Decodes one block: the bytes of [`Kind::Scores`] and [`Kind::Distances`], both planes of
    /// [`Kind::Planes`], two bits a cell for [`Kind::Values`] (0 loss, 1 draw, 2 win; four cells a byte,
    /// the first lowest).
    pub(super) fn read_block(
        &self,
        index: &SectorIndex,
        block: u64,
    ) -> Result<Vec<u8>, DatabaseError> {
        let cells = self.block_range(block);
        let count = (cells.end - cells.start) as usize;
        let mut raw = vec![0; self.header.kind.decoded_len(count)];
        match self.header.kind {
            Kind::Values => self.with_values(index, block, |values| pack(values, &mut raw))?,
            _ => self.decompress(block, &mut raw)?,
        }
        Ok(raw)
    }

    /// Decodes a block of packed values and shows them: 0 loss, 1 draw, 2 win.
    pub(super) fn with_values(
        &self,
        index: &SectorIndex,
        block: u64,
        visit: impl FnOnce(&[u8]),
    ) -> Result<(), DatabaseError> {
        let model = self.model.as_ref();
        let model = model.ok_or_else(|| self.other_kind(Kind::Values))?;
        let frame = self.frame(block)?;
        let cells = self.block_range(block);
        let count = (cells.end - cells.start) as usize;
        let coder = packed::Coder::new(index, self.header.sector);
        WORKSPACE.with_borrow_mut(|work| {
            coder.decode(cells, work, model, &frame).map_err(|_| {
                let reason = "it does not decode to values of its checksum";
                self.damaged_block(block, reason.to_owned())
            })?;
            visit(&work.values[..count]);
            Ok(())
        })
    }

    /// Reads all cells of a sector of scores, on all threads.
    ///
    /// # Errors
    /// When `scores` is not one byte a cell, the file holds something else, or a block is damaged.
    pub fn read_into(&self, scores: &mut [u8]) -> Result<(), DatabaseError> {
        self.expect(Kind::Scores)?;
        self.check_len(scores.len() as u64)?;
        let blocks = scores.par_chunks_mut(self.header.block_cells as usize);
        blocks
            .enumerate()
            .try_for_each(|(block, raw)| self.decompress(block as u64, raw))
    }

    /// Reads all cells of a sector of scores: one [`Score`](crate::value::Score) byte each, in index order.
    ///
    /// # Errors
    /// When the file holds something else, a block is damaged, or memory is short.
    pub fn read(&self) -> Result<Vec<u8>, DatabaseError> {
        self.expect(Kind::Scores)?;
        let mut scores = self.zeroed(self.header.cells)?;
        self.read_into(&mut scores)?;
        Ok(scores)
    }

    /// Reads the results of a sector of planes or scores: won cells and lost cells, bit i of word w for cell
    /// 64 w + i.
    ///
    /// # Errors
    /// When the file holds something else, a block is damaged, or memory is short.
    pub fn read_planes(&self) -> Result<(Vec<u64>, Vec<u64>), DatabaseError> {
        if self.header.kind != Kind::Scores {
            self.expect(Kind::Planes)?;
        }
        let words = self.header.cells.div_ceil(64);
        let (mut win, mut loss) = (self.zeroed(words)?, self.zeroed(words)?);
        let block_words = self.header.block_cells as usize / 64;
        let blocks = win
            .par_chunks_mut(block_words)
            .zip(loss.par_chunks_mut(block_words));
        blocks.enumerate().try_for_each(|(block, (win, loss))| {
            let cells = self.block_range(block as u64);
            let count = (cells.end - cells.start) as usize;
            let mut raw = vec![0; self.header.kind.decoded_len(count)];
            self.decompress(block as u64, &mut raw)?;
            match self.header.kind {
                Kind::Scores => blocks::set_planes((win, loss), blocks::results(&raw)),
                _ => blocks::unpack_planes(&raw, win, loss),
            }
            Ok(())
        })?;
        Ok((win, loss))
    }

    /// Decodes every block and forgets it.
    pub(super) fn check_blocks(&self, index: &SectorIndex) -> Result<(), DatabaseError> {
        (0..self.blocks())
            .into_par_iter()
            .try_for_each(|block| self.read_block(index, block).map(drop))
    }

    /// The result in a decoded block, the `block`-th.
    pub(super) fn outcome(
        &self,
        block: u64,
        raw: &[u8],
        cell: usize,
    ) -> Result<Outcome, DatabaseError> {
        blocks::outcome(self.header.kind, raw, cell).ok_or_else(|| {
            self.damaged_block(block, format!("its cell {cell} stands for no result"))
        })
    }

    fn decompress(&self, block: u64, raw: &mut [u8]) -> Result<(), DatabaseError> {
        let frame = self.frame(block)?;
        codec::decompress(&frame, raw).map_err(|error| self.damaged_block(block, error.to_string()))
    }

    /// The bytes of a block, as they are in the file.
    fn frame(&self, block: u64) -> Result<std::borrow::Cow<'_, [u8]>, DatabaseError> {
        let end_of = |block: u64| self.ends.get(block as usize).copied();
        let start = match block.checked_sub(1) {
            Some(previous) => end_of(previous),
            None => Some(self.header.blocks_at()),
        };
        let range = start.zip(end_of(block)).map(|(start, end)| start..end);
        let bytes = range.map_or(Err(io::ErrorKind::UnexpectedEof.into()), |range| {
            self.source.bytes(range)
        });
        bytes.or_io("read", &self.path)
    }

    fn expect(&self, wanted: Kind) -> Result<(), DatabaseError> {
        if self.header.kind == wanted {
            Ok(())
        } else {
            Err(self.other_kind(wanted))
        }
    }

    fn other_kind(&self, wanted: Kind) -> DatabaseError {
        DatabaseError::OtherKind {
            path: self.path.clone(),
            found: self.header.kind,
            wanted,
        }
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
        zeroed(items).ok_or_else(|| DatabaseError::NoMemory {
            path: self.path.clone(),
            sector: self.header.sector,
            cells: self.header.cells,
        })
    }

    pub(super) fn damaged_block(&self, block: u64, reason: String) -> DatabaseError {
        DatabaseError::Damaged {
            path: self.path.clone(),
            damage: Damage::Block { block, reason },
        }
    }
}

/// Bytes digested at a time: bounds the memory that a map takes meanwhile.
const DIGEST_PIECE: usize = 16 << 20;

/// Room for so many items, `None` if there is not enough memory.
pub(super) fn zeroed<T: Clone + Default>(items: u64) -> Option<Vec<T>> {
    let items = usize::try_from(items).ok()?;
    let mut room = Vec::new();
    room.try_reserve_exact(items).ok()?;
    room.resize(items, T::default());
    Some(room)
}

fn read_model(frame: &[u8]) -> Option<Model> {
    let mut bytes = vec![0; Model::BYTES];
    codec::decompress(frame, &mut bytes).ok()?;
    Model::from_bytes(&bytes)
}

/// Four values a byte.
fn pack(values: &[u8], bytes: &mut [u8]) {
    for (byte, quad) in bytes.iter_mut().zip(values.chunks(4)) {
        *byte = quad.iter().rev().fold(0, |byte, value| byte << 2 | value);
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
        if header.kind != self.kind {
            return Err(Damage::OtherKind(header.kind));
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
