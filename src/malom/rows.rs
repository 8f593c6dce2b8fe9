//! Our sectors row by row: by the men of the side to move, as Malom has them, or by the opponent's.
//!
//! Our rows go by the second player's men. Where these are the ones that are asked for, a row is a piece of the
//! sector; else every cell of it is in another row of ours, and is fetched there:
//!
//! ```text
//! row of the mover's men M                    our row of the opponent's men
//! opponent on O1, O2, O3 ...                  seed(O1)   the cell of M as it looks when O1 is turned into its seed
//! ```

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::MalomIndex;
use crate::game::{PointSet, Sector};
use crate::index::Fixed;
use crate::value::Score;
use crate::verify::consistency::sets::all_sets;

/// Bytes of entries that are worked on at a time.
const BATCH_BYTES: usize = 32 << 20;

/// A sector of ours.
#[derive(Debug)]
pub struct Rows<'a> {
    index: &'a MalomIndex,
    sector: Sector,
    scores: Arc<Vec<u8>>,
    /// Whose men the rows asked for go by.
    by: Fixed,
    /// The sets of the other side's men beside those, on the places that are left.
    sets: Vec<u32>,
}

impl<'a> Rows<'a> {
    /// A sector with its scores, in the order of its cells.
    pub fn new(index: &'a MalomIndex, sector: Sector, scores: Arc<Vec<u8>>, by: Fixed) -> Self {
        let (fixed, varied) = by.order((sector.mover, sector.opponent));
        let places = index.board().point_count() - usize::from(fixed);
        Rows {
            index,
            sector,
            scores,
            by,
            sets: all_sets(places, varied.into()),
        }
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.index.rows(self.men().0)
    }

    /// All rows, so many at a time as have a reasonable number of bytes together when each of their entries has
    /// `entry_bytes`.
    pub fn batches(&self, entry_bytes: usize) -> impl Iterator<Item = Range<usize>> {
        let row_bytes = self.sets.len() * entry_bytes;
        let (rows, batch) = (self.count(), (BATCH_BYTES / row_bytes.max(1)).max(1));
        let first = (0..rows).step_by(batch);
        first.map(move |first| first..rows.min(first + batch))
    }

    /// The sets of the other side's men, the same in each row.
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// The men of a row.
    pub fn seed(&self, row: usize) -> PointSet {
        self.index.seed(self.men().0, row)
    }

    /// Reads the scores of a row, in the order of its sets.
    pub fn read(&self, row: usize, scores: &mut [u8]) {
        if Fixed::of(self.sector) == self.by {
            let first = row * scores.len();
            scores.copy_from_slice(&self.scores[first..first + scores.len()]);
            return;
        }
        let (index, seed) = (self.index, self.seed(row));
        let (men, others) = self.men();
        let orbits = index.orbits(others);
        let places = index.board().point_count() - usize::from(others);
        let row_len = index.ranks.count(places, men.into());
        let symmetries = index.board().symmetries();
        let images: Vec<PointSet> = symmetries.iter().map(|s| s.apply(seed)).collect();
        let on_points = index.on_points(seed);
        for (score, &set) in scores.iter_mut().zip(&self.sets) {
            let home = orbits.locate(&index.ranks, on_points.of(set));
            let representative = orbits.representatives[home.row()];
            let cell = (index.ranks).beside(images[home.symmetry()], representative);
            // Of several cells with the same position any will do.
            *score = self.scores[home.row() * row_len + cell];
        }
    }

    /// What Malom has in place of positions in a row by the mover's men; empty if it has positions alone.
    pub fn redirects(&self, row: usize) -> Vec<Option<u8>> {
        let seed = self.seed(row);
        let keeping = self.index.keeping(seed);
        if keeping.is_empty() {
            return Vec::new();
        }
        let on_points = self.index.on_points(seed);
        let redirect = |&set| self.index.redirect(&keeping, on_points.of(set));
        self.sets.iter().map(redirect).collect()
    }

    /// Men of the side the rows go by, and of the other.
    fn men(&self) -> (u8, u8) {
        self.by.order((self.sector.mover, self.sector.opponent))
    }
}

/// Which positions of a sector are drawn: a bit each, in rows by the opponent's men.
#[derive(Debug)]
pub struct Draws {
    /// Words of a row; the last may have bits to spare.
    row_words: usize,
    words: Vec<u64>,
}

impl Draws {
    /// The draws of a sector.
    pub fn of(index: &MalomIndex, sector: Sector, scores: Arc<Vec<u8>>) -> Draws {
        let rows = Rows::new(index, sector, scores, Fixed::Opponent);
        let len = rows.sets().len();
        let row_words = len.div_ceil(64);
        let mut words = vec![0; rows.count() * row_words];
        let row = |scores: &mut Vec<u8>, (row, words): (usize, &mut [u64])| {
            scores.resize(len, 0);
            rows.read(row, scores);
            for (word, scores) in words.iter_mut().zip(scores.chunks(64)) {
                let bits = scores
                    .iter()
                    .map(|&score| u64::from(Score(score) == Score::DRAW));
                *word = bits.rev().fold(0, |word, bit| word << 1 | bit);
            }
        };
        let pieces = words.par_chunks_mut(row_words.max(1)).enumerate();
        pieces.for_each_init(Vec::new, row);
        Draws { row_words, words }
    }

    /// The words of a row.
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.row_words..(row + 1) * self.row_words]
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}
