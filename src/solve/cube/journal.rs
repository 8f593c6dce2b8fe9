//! Which positions were decided at which ply.
//!
//! The movement solver finds the positions of one distance after the other, in all rows. Their bytes
//! would not fit in memory beside the planes, so each ply's new bits go to disk, band by band, and are
//! played back one band at a time when the distances are written. A record holds the new bits of one
//! ply in some rows of one band:
//!
//! ```text
//! row (as a step from the row before, the first from -1)
//! twice the number of new bits, plus one if a bitmap follows
//! the whole bitmap, or the gaps between the bits
//! ```
//!
//! All numbers are LEB128. The files are scratch: they have no name and vanish with the process.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::block::Block;

/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 22;

/// The records of one thread.
#[derive(Debug)]
pub struct Journal {
    file: File,
    buffer: Vec<u8>,
    written: u64,
    records: Vec<Record>,
    last_row: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    band: u32,
    ply: u16,
    start: u64,
    bytes: u32,
}

impl Journal {
    /// An empty journal in an unnamed file in `folder`.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn new(folder: &Path) -> io::Result<Self> {
        Ok(Journal {
            file: tempfile::tempfile_in(folder)?,
            buffer: Vec::with_capacity(BUFFER + (1 << 20)),
            written: 0,
            records: Vec::new(),
            last_row: None,
        })
    }

    /// Starts the record of a band at a ply; rows follow in increasing order.
    pub fn begin(&mut self, band: usize, ply: u16) {
        let start = self.written + self.buffer.len() as u64;
        self.records.push(Record {
            band: band as u32,
            ply,
            start,
            bytes: 0,
        });
        self.last_row = None;
    }

    /// Notes the new bits of a row: `indices` in increasing order, and the same as a bitmap if there is one.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn row(&mut self, row: usize, indices: &[u32], bitmap: Option<&[Block]>) -> io::Result<()> {
        put(
            &mut self.buffer,
            self.last_row.map_or(row, |last| row - last - 1) as u32,
        );
        self.last_row = Some(row);
        match bitmap.filter(|blocks| indices.len() * 8 >= blocks.len() * 512) {
            Some(blocks) => {
                put(&mut self.buffer, (indices.len() as u32) << 1 | 1);
                for word in blocks.as_flattened() {
                    self.buffer.extend_from_slice(&word.to_le_bytes());
                }
            }
            None => {
                put(&mut self.buffer, (indices.len() as u32) << 1);
                put_gaps(&mut self.buffer, indices);
            }
        }
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Ends the record.
    pub fn end(&mut self) {
        let here = self.written + self.buffer.len() as u64;
        if let Some(record) = self.records.last_mut() {
            record.bytes = (here - record.start) as u32;
            if record.bytes == 0 {
                self.records.pop();
            }
        }
    }

    /// Writes everything to the file, ready for [`Journal::replay`].
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(&self.buffer)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Sorts the records by band, so that replaying one band is quick.
    pub fn finish(&mut self) {
        self.records.sort_by_key(|record| (record.band, record.ply));
        self.buffer = Vec::new();
    }

    /// Calls `visit(ply, row, index)` for every bit of a band, in rows of `row_bits` bits.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn replay(
        &self,
        band: usize,
        row_bits: usize,
        mut visit: impl FnMut(u16, usize, u32),
    ) -> io::Result<()> {
        let start = self
            .records
            .partition_point(|record| (record.band as usize) < band);
        let mut bytes = Vec::new();
        for record in self.records[start..]
            .iter()
            .take_while(|r| r.band as usize == band)
        {
            bytes.resize(record.bytes as usize, 0);
            self.file.read_exact_at(&mut bytes, record.start)?;
            let mut reader = &bytes[..];
            let mut next_row = 0;
            while !reader.is_empty() {
                let row = next_row + get(&mut reader) as usize;
                next_row = row + 1;
                let count = get(&mut reader);
                if count & 1 == 1 {
                    let (bitmap, rest) = reader.split_at(row_bits / 8);
                    reader = rest;
                    for (word, bytes) in bitmap.chunks_exact(8).enumerate() {
                        let mut bits = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
                        while bits != 0 {
                            visit(record.ply, row, word as u32 * 64 + bits.trailing_zeros());
                            bits &= bits - 1;
                        }
                    }
                } else {
                    let mut next = 0;
                    for _ in 0..count >> 1 {
                        let index = next + get(&mut reader);
                        next = index + 1;
                        visit(record.ply, row, index);
                    }
                }
            }
        }
        Ok(())
    }
}

fn put_gaps(buffer: &mut Vec<u8>, indices: &[u32]) {
    let mut next = 0;
    for &index in indices {
        put(buffer, index - next);
        next = index + 1;
    }
}

#[inline(always)]
fn put(buffer: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        buffer.push(number as u8 | 128);
        number >>= 7;
    }
    buffer.push(number as u8);
}

#[inline(always)]
fn get(reader: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (&byte, rest) = reader
            .split_first()
            .expect("the journal ends with a whole row");
        *reader = rest;
        number |= u32::from(byte & 127) << shift;
        if byte < 128 {
            return number;
        }
        shift += 7;
    }
}
