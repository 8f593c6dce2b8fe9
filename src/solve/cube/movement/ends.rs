//! What turns end in, kept by ply for the layer group above.
//!
//! There, placing a man ends in positions of this group. The planes of ends say what those are worth once
//! all is solved; the log says at which ply each bit of them was set.

use std::path::Path;

use super::row::list_bits;
use crate::database::DatabaseError;
use crate::solve::cube::block::{Block, EMPTY, xor};
use crate::solve::cube::journal::Journal;
use crate::solve::cube::messages::Kind;

/// The bits that one thread set in the planes of ends.
#[derive(Debug)]
pub(super) struct EndsLog {
    /// By kind.
    journals: Vec<Journal>,
    /// The journal being written, and the length of rows.
    kind: Kind,
    row_bits: u32,
    /// A band before its messages came, the new bits of a row, and where they are.
    before: Vec<Block>,
    fresh: Vec<Block>,
    indices: Vec<u32>,
}

impl EndsLog {
    /// An empty log in unnamed files in `folder`.
    pub(super) fn new(folder: &Path, kinds: usize) -> Result<Self, DatabaseError> {
        Ok(EndsLog {
            journals: (0..kinds)
                .map(|_| Journal::scratch(folder))
                .collect::<Result<_, _>>()?,
            kind: Kind::Quiet,
            row_bits: 0,
            before: Vec::new(),
            fresh: Vec::new(),
            indices: Vec::new(),
        })
    }

    /// Remembers a piece of a plane whose changes will be looked for later.
    pub(super) fn before(&mut self, piece: &[Block], many: bool) {
        if many {
            self.before.clear();
            self.before.extend_from_slice(piece);
        }
    }

    /// Starts a record: the next call tells the bits of one kind set in a band at a ply.
    pub(super) fn begin(&mut self, kind: Kind, band: usize, ply: u16, row_bits: u32) {
        self.journals[kind as usize].begin(band, ply);
        self.kind = kind;
        self.row_bits = row_bits;
    }

    /// The bits are those by which the piece differs from what was remembered.
    pub(super) fn differences(&mut self, piece: &[Block]) -> Result<(), DatabaseError> {
        let journal = &mut self.journals[self.kind as usize];
        let blocks = 1usize << (self.row_bits - 9);
        self.fresh.resize(blocks, EMPTY);
        let rows = piece
            .chunks_exact(blocks)
            .zip(self.before.chunks_exact(blocks));
        for (row, (after, before)) in rows
            .enumerate()
            .filter(|(_, (after, before))| after != before)
        {
            for (fresh, (&after, &before)) in self.fresh.iter_mut().zip(after.iter().zip(before)) {
                *fresh = xor(after, before);
            }
            self.indices.clear();
            list_bits(&self.fresh, &mut self.indices);
            journal.row(row, &self.indices, Some(&self.fresh));
        }
        journal.end()
    }

    /// The bits are these; they get sorted.
    pub(super) fn listed(&mut self, places: &mut [u32]) -> Result<(), DatabaseError> {
        places.sort_unstable();
        self.journals[self.kind as usize].places(places, self.row_bits)
    }

    /// The journals by kind, ready to be played back.
    pub(super) fn finish(self) -> Result<Vec<Journal>, DatabaseError> {
        let mut journals = self.journals;
        for journal in &mut journals {
            journal.finish()?;
        }
        Ok(journals)
    }
}
