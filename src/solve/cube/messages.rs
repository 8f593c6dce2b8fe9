//! Bits on their way to other rows.
//!
//! Setting billions of bits in random order would miss the cache each time. Instead every thread writes
//! the place of each bit into a bucket, one for each band and kind of message; later each band is filled from its
//! buckets by one thread, while it sits in the cache:
//!
//! ```text
//! thread 0:  [band 0 quiet: 17, 4711, ..] [band 0 capture: ..] [band 1 quiet: ..] ...
//! thread 1:  [band 0 quiet: ..]           ...
//!                     \_ one thread empties the first buckets of all into band 0
//! ```
//!
//! A bucket gathers one cache line of places and then writes it past the cache into a chain of chunks
//! in an arena that is allocated once.

use super::memory::{OutOfMemory, Pages};
use super::stream;

/// Places in a cache line.
const LINE: usize = 16;
/// Lines in a chunk.
const CHUNK_LINES: usize = 64;
/// Places in a chunk.
const CHUNK: usize = LINE * CHUNK_LINES;

/// What a message says about the position it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The position is decided.
    Quiet = 0,
    /// The best capture in it is decided.
    Capture = 1,
    /// The best two captures in it, of a turn that closed two mills, are decided.
    Double = 2,
}

impl Kind {
    /// The kinds of a game, by the most men a turn takes.
    pub fn all(most_captures: u8) -> &'static [Kind] {
        &[Kind::Quiet, Kind::Capture, Kind::Double][..=usize::from(most_captures.min(2))]
    }

    /// What a turn that closes so many mills is reported as.
    #[inline(always)]
    pub fn of_turn(mills: u32, most_captures: u8) -> Kind {
        match mills {
            0 => Kind::Quiet,
            1 => Kind::Capture,
            _ if most_captures < 2 => Kind::Capture,
            _ => Kind::Double,
        }
    }
}

/// One cache line of places.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u32; LINE]);

/// The messages one thread has written.
#[derive(Debug)]
pub struct Outbox {
    band_bits: u32,
    bands: usize,
    /// The line each bucket is filling.
    lines: Vec<Line>,
    /// Places written to each bucket.
    counts: Vec<u32>,
    /// The chunks of each bucket's full lines.
    chunks: Vec<Vec<u32>>,
    used_chunks: usize,
    arena: Pages,
}

impl Outbox {
    /// Room for at least `messages` messages of `kinds` kinds to `bands` bands of `2^band_bits` bits.
    ///
    /// # Errors
    /// When the system does not grant the memory.
    pub fn new(
        bands: usize,
        band_bits: u32,
        messages: usize,
        kinds: usize,
    ) -> Result<Self, OutOfMemory> {
        let buckets = kinds * bands;
        // Every bucket may leave one chunk unfinished.
        let chunks = messages.div_ceil(CHUNK) + buckets;
        Ok(Outbox {
            band_bits,
            bands,
            lines: vec![Line([0; LINE]); buckets],
            counts: vec![0; buckets],
            chunks: vec![Vec::new(); buckets],
            used_chunks: 0,
            arena: Pages::granted(chunks * CHUNK * size_of::<u32>())?,
        })
    }

    /// How many more messages are sure to fit.
    pub fn room(&self) -> usize {
        let chunks = self.arena.bytes() / size_of::<u32>() / CHUNK - self.used_chunks;
        chunks.saturating_sub(self.counts.len()) * CHUNK
    }

    /// Writes a message for the bit at `address`.
    ///
    /// # Panics
    /// When there is no room; callers look at [`Outbox::room`] before every row.
    #[inline(always)]
    pub fn push(&mut self, kind: Kind, address: u64) {
        let bucket = (address >> self.band_bits) as usize + kind as usize * self.bands;
        let count = &mut self.counts[bucket];
        let within = *count as usize % LINE;
        *count += 1;
        self.lines[bucket].0[within] = (address & ((1 << self.band_bits) - 1)) as u32;
        if within == LINE - 1 {
            self.store(bucket);
        }
    }

    /// Moves a full line to the arena.
    #[inline(never)]
    fn store(&mut self, bucket: usize) {
        let line = self.counts[bucket] as usize / LINE - 1;
        let chunks = &mut self.chunks[bucket];
        if line.is_multiple_of(CHUNK_LINES) {
            chunks.push(self.used_chunks as u32);
            self.used_chunks += 1;
        }
        let chunk = chunks[line / CHUNK_LINES] as usize;
        let start = chunk * CHUNK + line % CHUNK_LINES * LINE;
        let place = &mut self.arena.view_mut::<u32>()[start..start + LINE];
        stream::store(place, &self.lines[bucket].0);
    }

    /// Makes everything this thread has written visible to others; it must call this before they read.
    pub fn publish(&self) {
        stream::fence();
    }

    /// The messages of one kind for a band, as slices of places inside the band.
    pub fn read(&self, band: usize, kind: Kind) -> impl Iterator<Item = &[u32]> {
        let bucket = band + kind as usize * self.bands;
        let stored = self.counts[bucket] as usize / LINE * LINE;
        let arena = self.arena.view::<u32>();
        let chunks = self.chunks[bucket]
            .iter()
            .enumerate()
            .map(move |(i, &chunk)| {
                let start = chunk as usize * CHUNK;
                &arena[start..start + CHUNK.min(stored - i * CHUNK)]
            });
        let rest = &self.lines[bucket].0[..self.counts[bucket] as usize % LINE];
        chunks.chain(std::iter::once(rest))
    }

    /// How many messages wait for a band.
    pub fn waiting(&self, band: usize, kind: Kind) -> usize {
        self.counts[band + kind as usize * self.bands] as usize
    }

    /// Whether nothing was written since the last [`Outbox::clear`].
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|&count| count == 0)
    }

    /// Forgets all messages.
    pub fn clear(&mut self) {
        self.used_chunks = 0;
        self.counts.fill(0);
        self.chunks.iter_mut().for_each(Vec::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_arrives_once() {
        let mut outbox = Outbox::new(5, 12, 40_000, 3).unwrap();
        for round in 0..2 {
            assert!(outbox.room() >= 40_000);
            let mut sent = vec![Vec::new(); 15];
            for i in 0..40_000u64 {
                let address = (i * i * 2654435761 + round) % (5 << 12);
                let kind = Kind::all(2)[(i % 3) as usize];
                outbox.push(kind, address);
                sent[(address >> 12) as usize + 5 * kind as usize].push(address as u32 & 4095);
            }
            outbox.publish();
            for &kind in Kind::all(2) {
                for band in 0..5 {
                    let arrived: Vec<u32> = outbox.read(band, kind).flatten().copied().collect();
                    assert_eq!(arrived.len(), outbox.waiting(band, kind));
                    assert_eq!(arrived, sent[band + 5 * kind as usize]);
                }
            }
            outbox.clear();
            assert!(outbox.is_empty());
        }
    }
}
