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

/// A block cannot be decoded, or what it decodes to has another checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongBlock;

impl From<WrongLength> for WrongBlock {
    fn from(_: WrongLength) -> WrongBlock {
        WrongBlock
    }
}

/// The two halves of the checksum of a block's values, a byte each: CRC-32.
fn checksum(values: &[u8]) -> (u16, u16) {
    let sum = crc32fast::hash(values);
    (sum as u16, (sum >> 16) as u16)
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
        let (low, high) = checksum(&work.values[..count]);
        let mut bytes = high.to_le_bytes().to_vec();
        rans::encode(symbols.into_iter(), low, &mut bytes);
        bytes
    }

    /// Decodes the cells of a block into the workspace.
    pub fn decode(
        &self,
        cells: Range<u64>,
        work: &mut Workspace,
        model: &Model,
        bytes: &[u8],
    ) -> Result<(), WrongBlock> {
        let count = self.prepare(cells, work);
        let (high, stream) = bytes.split_first_chunk().ok_or(WrongBlock)?;
        let mut decoder = Decoder::new(stream)?;
        ContextModel::visit(work, count, |context, value| {
            *value = decoder.next(model.ranges(context))?;
            Ok::<(), WrongLength>(())
        })?;
        let found = (decoder.finish()?, u16::from_le_bytes(*high));
        if found == checksum(&work.values[..count]) {
            Ok(())
        } else {
            Err(WrongBlock)
        }
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
