//! Which positions were decided at which ply.
//!
//! The movement solver finds the positions of one distance after the other, in all rows. Their bytes
//! would not fit in memory beside the planes, so each ply's new bits go to disk, band by band, and are
//! played back one band at a time when the distances are written, or ply by ply when a run that was stopped
//! is taken up again. A file, one a thread, is a head and records; a record holds the new bits of one ply in
//! some rows of one band:
//!
//! ```text
//! head     "millply1", 32 bytes that bind the file to its run
//! record   band, ply, bytes of the rows, CRC-32 of these and the rows: four bytes each, then for each row
//!            row (as a step from the row before, the first from -1)
//!            twice the number of new bits, plus one if a bitmap follows
//!            the whole bitmap, or the gaps between the bits
//! ```
//!
//! The numbers of rows are LEB128. A record that is not whole, the last of a run that was killed, ends the
//! file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::block::{Block, EMPTY};
use crate::database::{Damage, DatabaseError, IoContext};

/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 22;
/// Bytes of a buffer: what is gathered, and the record that makes it enough.
const BUFFER_AND_RECORD: usize = BUFFER + (1 << 20);

const MAGIC: &[u8; 8] = b"millply1";
/// Bytes of the head of a file.
const HEAD: usize = 40;
/// Bytes of a record before its rows.
const RECORD_HEAD: usize = 16;

/// The records of one thread.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    buffer: Vec<u8>,
    written: u64,
    records: Vec<Record>,
    last_row: Option<usize>,
}

/// The rows of a band.
#[derive(Clone, Copy, Debug)]
pub struct BandSize {
    /// How many there are.
    pub rows: usize,
    /// Binary logarithm of the bits of each.
    pub row_bits: u32,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    band: u32,
    ply: u16,
    start: u64,
    bytes: u32,
}

impl Journal {
    /// An empty journal in an unnamed file in `folder`, which vanishes with the process.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn scratch(folder: &Path) -> Result<Self, DatabaseError> {
        let file = tempfile::tempfile_in(folder).or_io("create a scratch file in", folder)?;
        Ok(Journal::new(folder, file))
    }

    /// The journal in a file, an empty one if there is no file or it is of another run than `binding` says.
    ///
    /// # Errors
    /// When the file cannot be made or read.
    pub fn open(path: &Path, binding: &[u8; 32]) -> Result<Self, DatabaseError> {
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut journal = Journal::new(path, options.open(path).or_io("open", path)?);
        let head = [MAGIC.as_slice(), binding].concat();
        if !journal.recover(&head).or_io("read", path)? {
            journal.records.clear();
            let begin = |file: &mut File| {
                file.set_len(0)?;
                file.rewind()?;
                file.write_all(&head)
            };
            begin(&mut journal.file).or_io("write", path)?;
            journal.written = HEAD as u64;
        }
        Ok(journal)
    }

    /// About how many bytes of memory a journal takes, for so many positions, until it is finished: half a byte for
    /// each, as measured on small games, or the buffer.
    pub fn memory_needed(positions: u64) -> u64 {
        (positions / 2).min(BUFFER_AND_RECORD as u64)
    }

    fn new(path: &Path, file: File) -> Journal {
        Journal {
            path: path.to_owned(),
            file,
            buffer: Vec::with_capacity(BUFFER_AND_RECORD),
            written: 0,
            records: Vec::new(),
            last_row: None,
        }
    }

    /// Finds the records that are whole. Returns whether the file is the one expected.
    fn recover(&mut self, head: &[u8]) -> io::Result<bool> {
        let length = self.file.metadata()?.len();
        let mut file = io::BufReader::with_capacity(1 << 20, &self.file);
        let mut found = [0; HEAD];
        if length < HEAD as u64 || file.read_exact(&mut found).is_err() || found != head {
            return Ok(false);
        }
        self.written = HEAD as u64;
        let (mut record_head, mut rows) = ([0; RECORD_HEAD], Vec::new());
        while length - self.written >= RECORD_HEAD as u64 {
            file.read_exact(&mut record_head)?;
            let record = Record::new(&record_head, self.written);
            let end = self.written + record.len() as u64;
            if end > length {
                break;
            }
            rows.resize(record.bytes as usize, 0);
            file.read_exact(&mut rows)?;
            if !is_whole(&record_head, &rows) {
                break;
            }
            self.records.push(record);
            self.written = end;
        }
        Ok(true)
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
        self.buffer.extend_from_slice(&[0; RECORD_HEAD]);
        self.last_row = None;
    }

    /// Notes the new bits of a row: `indices` in increasing order, and the same as a bitmap if there is one.
    pub fn row(&mut self, row: usize, indices: &[u32], bitmap: Option<&[Block]>) {
        put(
            &mut self.buffer,
            self.last_row.map_or(row, |last| row - last - 1) as u32,
        );
        self.last_row = Some(row);
        match bitmap.filter(|blocks| is_dense(indices, blocks)) {
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
    }

    /// Notes all new bits of the record, given as places in the band in increasing order, and ends it.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn places(&mut self, places: &[u32], row_bits: u32) -> Result<(), DatabaseError> {
        let (mut indices, mut bitmap) = (Vec::new(), vec![EMPTY; 1 << (row_bits - 9)]);
        for places in places.chunk_by(|a, b| a >> row_bits == b >> row_bits) {
            indices.clear();
            indices.extend(places.iter().map(|place| place & ((1 << row_bits) - 1)));
            let dense = is_dense(&indices, &bitmap);
            if dense {
                bitmap.fill(EMPTY);
                for index in &indices {
                    bitmap.as_flattened_mut()[*index as usize / 64] |= 1 << (index % 64);
                }
            }
            let row = (places[0] >> row_bits) as usize;
            self.row(row, &indices, dense.then_some(&bitmap[..]));
        }
        self.end()
    }

    /// Ends the record.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn end(&mut self) -> Result<(), DatabaseError> {
        let Some(record) = self.records.last_mut() else {
            return Ok(());
        };
        let at = (record.start - self.written) as usize;
        let (head, rows) = self.buffer[at..].split_at_mut(RECORD_HEAD);
        if rows.is_empty() {
            self.records.pop();
            self.buffer.truncate(at);
            return Ok(());
        }
        record.bytes = rows.len() as u32;
        record.write(head, rows);
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Hands everything to the system, which keeps it if the process is killed. Returns the length of the
    /// file.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn flush(&mut self) -> Result<u64, DatabaseError> {
        self.file
            .write_all(&self.buffer)
            .or_io("write", &self.path)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(self.written)
    }

    /// How long the file is, as far as its records are whole.
    pub fn whole_len(&self) -> u64 {
        self.written
    }

    /// Cuts off what is behind a place, where records end, and gets ready to write there.
    ///
    /// # Errors
    /// When the file cannot be cut.
    pub fn cut(&mut self, length: u64) -> Result<(), DatabaseError> {
        let length = length.max(HEAD as u64);
        self.records.retain(|record| record.start < length);
        self.written = length;
        let cut = self.file.set_len(length);
        cut.and_then(|()| self.file.seek(SeekFrom::Start(length)))
            .or_io("cut", &self.path)
            .map(drop)
    }

    /// Ends writing: hands everything to the system, gives the buffer back and [sorts](Journal::sort) the records.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn finish(&mut self) -> Result<(), DatabaseError> {
        self.flush()?;
        self.buffer = Vec::new();
        self.sort();
        Ok(())
    }

    /// Sorts the records by band and ply, so that they are found quickly.
    pub fn sort(&mut self) {
        self.records.sort_by_key(|record| (record.band, record.ply));
    }

    /// Calls `visit(ply, row, index)` for every bit of a band of some size.
    ///
    /// # Errors
    /// When the file cannot be read or is not as it was written.
    pub fn replay(
        &self,
        band: usize,
        size: BandSize,
        visit: impl FnMut(u16, usize, u32),
    ) -> Result<(), DatabaseError> {
        let start = self
            .records
            .partition_point(|record| (record.band as usize) < band);
        let records = self.records[start..].iter();
        self.play(
            records.take_while(|record| record.band as usize == band),
            size,
            visit,
        )
    }

    /// Calls `visit(row, index)` for every bit of a band that was decided at a ply.
    ///
    /// # Errors
    /// As [`Journal::replay`].
    pub fn replay_ply(
        &self,
        band: usize,
        ply: u16,
        size: BandSize,
        mut visit: impl FnMut(usize, u32),
    ) -> Result<(), DatabaseError> {
        let place = |record: &Record| (record.band as usize, record.ply);
        let start = self
            .records
            .partition_point(|record| place(record) < (band, ply));
        let records = self.records[start..].iter();
        self.play(
            records.take_while(|record| place(record) == (band, ply)),
            size,
            |_, row, index| visit(row, index),
        )
    }

    fn play<'a>(
        &self,
        records: impl Iterator<Item = &'a Record>,
        size: BandSize,
        mut visit: impl FnMut(u16, usize, u32),
    ) -> Result<(), DatabaseError> {
        let mut bytes = Vec::new();
        for record in records {
            bytes.resize(record.len(), 0);
            self.file
                .read_exact_at(&mut bytes, record.start)
                .or_io("read", &self.path)?;
            let (head, rows) = bytes.split_at(RECORD_HEAD);
            let played = is_whole(head, rows)
                .then(|| play_rows(rows, size, |row, index| visit(record.ply, row, index)));
            played.flatten().ok_or_else(|| DatabaseError::Damaged {
                path: self.path.clone(),
                damage: Damage::Journal,
            })?;
        }
        Ok(())
    }
}

impl Record {
    fn new(head: &[u8; RECORD_HEAD], start: u64) -> Record {
        let number =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        Record {
            band: number(0),
            ply: number(4) as u16,
            start,
            bytes: number(8),
        }
    }

    fn write(&self, head: &mut [u8], rows: &[u8]) {
        let ply = u32::from(self.ply);
        for (place, number) in head.chunks_exact_mut(4).zip([self.band, ply, self.bytes]) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let sum = checksum(head, rows);
        head[RECORD_HEAD - 4..].copy_from_slice(&sum.to_le_bytes());
    }

    /// Bytes of the record, its head included.
    fn len(&self) -> usize {
        RECORD_HEAD + self.bytes as usize
    }
}

fn checksum(head: &[u8], rows: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&head[..RECORD_HEAD - 4]);
    sum.update(rows);
    sum.finalize()
}

fn is_whole(head: &[u8], rows: &[u8]) -> bool {
    head[RECORD_HEAD - 4..] == checksum(head, rows).to_le_bytes()
}

/// `None` when the bytes are no rows of a band of this size.
fn play_rows(mut reader: &[u8], size: BandSize, mut visit: impl FnMut(usize, u32)) -> Option<()> {
    let row_bits = 1usize << size.row_bits;
    let mut next_row = 0usize;
    while !reader.is_empty() {
        let row = next_row + get(&mut reader)? as usize;
        next_row = row + 1;
        if row >= size.rows {
            return None;
        }
        let count = get(&mut reader)?;
        if count & 1 == 1 {
            let (bitmap, rest) = reader.split_at_checked(row_bits / 8)?;
            reader = rest;
            for (word, bytes) in bitmap.chunks_exact(8).enumerate() {
                let mut bits = u64::from_le_bytes(bytes.try_into().ok()?);
                while bits != 0 {
                    visit(row, word as u32 * 64 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
        } else {
            let mut next = 0u32;
            for _ in 0..count >> 1 {
                let index = next.checked_add(get(&mut reader)?)?;
                if index as usize >= row_bits {
                    return None;
                }
                next = index + 1;
                visit(row, index);
            }
        }
    }
    Some(())
}

/// Whether the bitmap takes less room than the gaps.
fn is_dense(indices: &[u32], bitmap: &[Block]) -> bool {
    indices.len() * 8 >= bitmap.len() * 512
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
fn get(reader: &mut &[u8]) -> Option<u32> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (&byte, rest) = reader.split_first()?;
        *reader = rest;
        number |= u32::from(byte & 127).checked_shl(shift)?;
        if byte < 128 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_played_back_ply_by_ply() {
        let size = BandSize {
            rows: 4,
            row_bits: 10,
        };
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::scratch(folder.path()).unwrap();
        let mut noted = Vec::new();
        // Every third bit makes a bitmap, every thirtieth a list; a record may have a single bit, or none.
        for (band, ply, step) in [(1, 0, 3), (0, 2, 30), (0, 1, 4000), (0, 0, 5), (1, 3, 5000)] {
            let places: Vec<u32> = (7..4 << size.row_bits).step_by(step).skip(1).collect();
            journal.begin(band, ply);
            journal.places(&places, size.row_bits).unwrap();
            let of_place = |p: u32| (ply, (p >> size.row_bits) as usize, p % (1 << size.row_bits));
            noted.extend(places.into_iter().map(|p| (band, of_place(p))));
        }
        journal.finish().unwrap();
        noted.sort_unstable();
        assert_eq!(noted.len(), 1362 + 136 + 1 + 817);
        for band in 0..3 {
            let of_band = || noted.iter().filter(|at| at.0 == band).map(|at| at.1);
            let mut found = Vec::new();
            let visit = |ply, row, index| found.push((ply, row, index));
            journal.replay(band, size, visit).unwrap();
            assert!(found.into_iter().eq(of_band()));
            for ply in 0..5 {
                let mut found = Vec::new();
                let visit = |row, index| found.push((ply, row, index));
                journal.replay_ply(band, ply, size, visit).unwrap();
                assert!(found.into_iter().eq(of_band().filter(|at| at.0 == ply)));
            }
        }
    }
}
