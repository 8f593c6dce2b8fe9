//! Writes the blocks of one file, many at a time and in order.

use std::ops::Range;

use rayon::prelude::*;

use super::error::{DatabaseError, IoContext};
use super::format::{self, Header};
use super::output::Output;

/// Cells encoded before any of them is written: bounds the memory of a batch to some 32 MiB.
const BATCH_CELLS: u64 = 32 << 20;

/// Appends all blocks and the trailer to a file that has its header already.
///
/// `encode` makes a block of some cells, on any thread of the current rayon pool and with scratch space of
/// its own; `visit` gets what else it found out, block by block in order. One batch of blocks is encoded
/// while the batch before it is written.
pub fn write_blocks<S, T: Send>(
    output: &mut Output,
    header: &Header,
    scratch: impl Fn() -> S + Sync + Send,
    encode: impl Fn(&mut S, Range<u64>) -> Result<(Vec<u8>, T), DatabaseError> + Sync + Send,
    mut visit: impl FnMut(u64, T) + Send,
) -> Result<(), DatabaseError> {
    let block_cells = u64::from(header.block_cells);
    let range = |block: u64| block * block_cells..header.cells.min((block + 1) * block_cells);
    let encode_batch = |blocks: Range<u64>| -> Result<Vec<(Vec<u8>, T)>, DatabaseError> {
        let blocks = blocks.into_par_iter();
        let encode = |scratch: &mut S, block| encode(scratch, range(block));
        blocks.map_init(&scratch, encode).collect()
    };
    let mut lengths = Vec::with_capacity(header.blocks() as usize);
    let mut append = |batch: Vec<(Vec<u8>, T)>| -> Result<(), DatabaseError> {
        for (bytes, found) in batch {
            output.append(&bytes)?;
            visit(lengths.len() as u64, found);
            lengths.push(bytes.len() as u32);
        }
        Ok(())
    };
    let mut ready = Vec::new();
    let batch_blocks = (BATCH_CELLS / block_cells).max(1);
    for first in (0..header.blocks()).step_by(batch_blocks as usize) {
        let batch = first..header.blocks().min(first + batch_blocks);
        let (appended, encoded) = rayon::join(|| append(ready), || encode_batch(batch));
        appended?;
        ready = encoded?;
    }
    append(ready)?;
    let trailer = format::encode_trailer(header.blocks_at(), &lengths)
        .or_io("compress the block index of", output.path())?;
    output.append(&trailer)
}
