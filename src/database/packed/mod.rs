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

use std::convert::Infallible;
use std::ops::Range;

use crate::cpu::{self, Cpu, Level, Task};
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
    level: Level,
}

impl<'a> Coder<'a> {
    /// A coder with the best instructions this machine has.
    pub fn new(index: &'a SectorIndex, sector: Sector) -> Coder<'a> {
        Coder {
            index,
            sector,
            contexts: ContextModel::new(index.board(), sector),
            row_len: index.row_len(sector),
            level: Level::best(),
        }
    }

    /// Counts the cells of a block, whose values are in the workspace.
    pub fn count(&self, cells: Range<u64>, work: &mut Workspace, census: &mut Census) {
        let visit = |context: usize, value: &mut u8| {
            census.count(context, *value);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = self.visit(cells, work, visit);
    }

    /// Encodes the cells of a block, whose values are in the workspace.
    pub fn encode(&self, cells: Range<u64>, work: &mut Workspace, model: &Model) -> Vec<u8> {
        let count = (cells.end - cells.start) as usize;
        let mut symbols = Vec::with_capacity(count);
        let visit = |context: usize, value: &mut u8| {
            symbols.push((model.ranges(context), *value));
            Ok::<(), Infallible>(())
        };
        let Ok(()) = self.visit(cells, work, visit);
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
        let count = (cells.end - cells.start) as usize;
        let (high, stream) = bytes.split_first_chunk().ok_or(WrongBlock)?;
        let mut decoder = Decoder::new(stream)?;
        let visit = |context: usize, value: &mut u8| {
            *value = decoder.next(model.ranges(context))?;
            Ok::<(), WrongLength>(())
        };
        self.visit(cells, work, visit)?;
        let found = (decoder.finish()?, u16::from_le_bytes(*high));
        if found == checksum(&work.values[..count]) {
            Ok(())
        } else {
            Err(WrongBlock)
        }
    }

    /// Visits the cells of a block in order, each with its context.
    fn visit<E, F>(&self, cells: Range<u64>, work: &mut Workspace, visit: F) -> Result<(), E>
    where
        F: FnMut(usize, &mut u8) -> Result<(), E>,
    {
        let coder = self;
        let task = Visit {
            coder,
            cells,
            work,
            visit,
        };
        cpu::run(self.level, task)
    }
}

/// A visit of all cells of a block, row by row.
struct Visit<'a, F> {
    coder: &'a Coder<'a>,
    cells: Range<u64>,
    work: &'a mut Workspace,
    visit: F,
}

impl<E, F: FnMut(usize, &mut u8) -> Result<(), E>> Task for Visit<'_, F> {
    type Output = Result<(), E>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Result<(), E> {
        let Visit {
            coder,
            cells,
            work,
            visit,
        } = self;
        let mut cell = cells.start;
        while cell < cells.end {
            let (row, rank) = (cell / coder.row_len, cell % coder.row_len);
            let end = cells.end.min((row + 1) * coder.row_len);
            let at = (cell - cells.start) as usize;
            let fixed = coder.index.fixed_men(coder.sector, row);
            let count = (end - cell) as usize;
            coder.contexts.prepare(work, at, count, fixed, rank);
            cell = end;
        }
        let count = (cells.end - cells.start) as usize;
        ContextModel::visit(work, count, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use crate::random::Random;

    /// Values that depend on the cell before, as real ones do, with now and then a surprise.
    fn values(count: usize) -> Vec<u8> {
        let mut random = Random::new(5);
        let mut before = 1;
        let draw = |_| {
            if random.below(7) == 0 {
                before = random.below(3) as u8;
            }
            before
        };
        (0..count).map(draw).collect()
    }

    #[test]
    fn blocks_come_back_and_are_the_same_on_every_processor() {
        let nine = Variant::builtin("nine").unwrap();
        let index = SectorIndex::new(&nine.board, 9);
        for sector in ["3-3", "4-3", "5-2+1-2", "1-1+8-8", "0-3+6-6"] {
            let sector = sector.parse().unwrap();
            let cells = index.len(sector);
            for start in [0, cells / 2 / 4096 * 4096] {
                let range = start..cells.min(start + BLOCK_CELLS as u64);
                let values = values((range.end - range.start) as usize);
                let mut streams = Vec::new();
                for level in Level::available() {
                    let coder = Coder {
                        level,
                        ..Coder::new(&index, sector)
                    };
                    let (mut work, mut census) = (Workspace::new(), Census::new());
                    work.values[..values.len()].copy_from_slice(&values);
                    coder.count(range.clone(), &mut work, &mut census);
                    let model = census.model();
                    let stream = coder.encode(range.clone(), &mut work, &model);
                    work.values.fill(9);
                    coder
                        .decode(range.clone(), &mut work, &model, &stream)
                        .unwrap();
                    assert!(work.values[..values.len()] == values, "{sector} {level:?}");
                    streams.push((stream, model.to_bytes()));
                }
                assert!(
                    streams.iter().all(|stream| *stream == streams[0]),
                    "{sector}"
                );
            }
        }
    }

    #[test]
    fn altered_blocks_are_refused_or_decode_to_the_same() {
        let nine = Variant::builtin("nine").unwrap();
        let index = SectorIndex::new(&nine.board, 9);
        let coder = Coder::new(&index, "4-4".parse().unwrap());
        let (mut work, mut census) = (Workspace::new(), Census::new());
        let values = values(BLOCK_CELLS);
        work.values.copy_from_slice(&values);
        let range = 4096..8192;
        coder.count(range.clone(), &mut work, &mut census);
        let model = census.model();
        let stream = coder.encode(range.clone(), &mut work, &model);
        for bit in 0..8 * stream.len() {
            let mut altered = stream.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            let decoded = coder.decode(range.clone(), &mut work, &model, &altered);
            assert!(decoded.is_err() || work.values == values, "bit {bit}");
        }
    }
}
