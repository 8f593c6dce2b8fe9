//! Values in a fraction of a bit a cell.
//!
//! Three things make a sector small:
//!
//! * [`context`]: each cell is predicted from the men on its board and from similar cells before it;
//! * [`model`]: how often each value occurs in each context, counted over the sector;
//! * [`rans`]: an entropy coder that spends the fewest bits those frequencies allow.
//!
//! A block is coded on its own, so that one look-up decodes 4096 cells and no more.

mod context;
mod model;
mod rans;

pub use context::{BLOCK_CELLS, Workspace};
pub use model::{Census, Model};

use std::ops::Range;

use crate::game::Sector;
use crate::index::SectorIndex;

use context::ContextModel;
use rans::{Decoder, WrongLength};

/// The bytes of a block in a file: its stream behind a checksum (CRC-32).
pub fn seal(stream: &[u8]) -> Vec<u8> {
    let mut bytes = crc32fast::hash(stream).to_le_bytes().to_vec();
    bytes.extend(stream);
    bytes
}

/// The stream of a block, if its checksum is right.
pub fn open(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, stream) = bytes.split_first_chunk()?;
    (u32::from_le_bytes(*sum) == crc32fast::hash(stream)).then_some(stream)
}

/// Codes the cells of one sector.
pub struct Coder<'a> {
    index: &'a SectorIndex,
    sector: Sector,
    contexts: ContextModel<'a>,
    row_len: u64,
}

impl<'a> Coder<'a> {
    pub fn new(index: &'a SectorIndex, sector: Sector) -> Coder<'a> {
        Coder {
            index,
            sector,
            contexts: ContextModel::new(index.board(), sector),
            row_len: index.row_len(sector),
        }
    }

    /// Counts the cells of a block, whose values are in the workspace.
    pub fn count(&self, cells: Range<u64>, work: &mut Workspace, census: &mut Census) {
        let count = self.prepare(cells, work);
        let visit = |context: usize, value: &mut u8| {
            census.count(context, *value);
            Ok::<(), std::convert::Infallible>(())
        };
        let Ok(()) = ContextModel::visit(work, count, visit);
    }

    /// Encodes the cells of a block, whose values are in the workspace.
    pub fn encode(&self, cells: Range<u64>, work: &mut Workspace, model: &Model) -> Vec<u8> {
        let count = self.prepare(cells, work);
        let mut symbols = Vec::with_capacity(count);
        let visit = |context: usize, value: &mut u8| {
            symbols.push((model.ranges(context), *value));
            Ok::<(), std::convert::Infallible>(())
        };
        let Ok(()) = ContextModel::visit(work, count, visit);
        let mut stream = Vec::new();
        rans::encode(symbols.into_iter(), &mut stream);
        stream
    }

    /// Decodes the cells of a block into the workspace.
    pub fn decode(
        &self,
        cells: Range<u64>,
        work: &mut Workspace,
        model: &Model,
        stream: &[u8],
    ) -> Result<(), WrongLength> {
        let count = self.prepare(cells, work);
        let mut decoder = Decoder::new(stream)?;
        ContextModel::visit(work, count, |context, value| {
            *value = decoder.next(model.ranges(context))?;
            Ok(())
        })?;
        decoder.finish()
    }

    /// Prepares the contexts of a block, row by row, and says how many cells it has.
    fn prepare(&self, cells: Range<u64>, work: &mut Workspace) -> usize {
        let mut cell = cells.start;
        while cell < cells.end {
            let (row, rank) = (cell / self.row_len, cell % self.row_len);
            let end = cells.end.min((row + 1) * self.row_len);
            let at = (cell - cells.start) as usize;
            let fixed = self.index.fixed_men(self.sector, row);
            self.contexts
                .prepare(work, at, (end - cell) as usize, fixed, rank);
            cell = end;
        }
        (cells.end - cells.start) as usize
    }
}
