//! The bytes of a block, before compression: from the cells of a sector and back.

use std::ops::Range;

use crate::value::{Outcome, Score};

use super::Cells;
use super::kind::Kind;

/// How often each score byte occurs; values count as the scores of the results they stand for.
pub type Counts<N> = [N; 256];

/// The bytes that stand for a result without a distance: loss, draw and win, in the order of scores.
pub const LOST: u8 = 0;
pub const DRAWN: u8 = Score::DRAW.0;
pub const WON: u8 = 255;

impl<'a> Cells<'a> {
    /// Whether these are exactly `cells` cells, or the words for them.
    pub(super) fn has_len(&self, cells: u64) -> bool {
        match self {
            Cells::Scores(scores) => scores.len() as u64 == cells,
            Cells::Planes { win, loss } => {
                win.len() == loss.len() && win.len() as u64 == cells.div_ceil(64)
            }
        }
    }

    /// How many cells there are; for planes, rounded up to whole words.
    pub(super) fn capacity(&self) -> u64 {
        match self {
            Cells::Scores(scores) => scores.len() as u64,
            Cells::Planes { win, .. } => win.len() as u64 * 64,
        }
    }

    /// The score byte of a cell.
    pub(super) fn byte(&self, cell: u64) -> u8 {
        match self {
            Cells::Scores(scores) => scores[cell as usize],
            Cells::Planes { win, loss } => {
                let (word, bit) = ((cell / 64) as usize, cell % 64);
                match (win[word] >> bit & 1, loss[word] >> bit & 1) {
                    (1, _) => WON,
                    (_, 1) => LOST,
                    _ => DRAWN,
                }
            }
        }
    }

    /// The results of some cells: 0 loss, 1 draw, 2 win.
    pub(super) fn values(&self, range: &Range<u64>, values: &mut [u8]) {
        for (value, cell) in values.iter_mut().zip(range.clone()) {
            *value = match self.byte(cell) {
                DRAWN => 1,
                score => 2 * u8::from(score > DRAWN),
            };
        }
    }

    /// The bytes of the block with these cells, built in `scratch` where they are not there already.
    pub(super) fn raw<'b>(&'b self, range: &Range<u64>, scratch: &'b mut Vec<u8>) -> &'b [u8] {
        match self {
            Cells::Scores(scores) => &scores[range.start as usize..range.end as usize],
            Cells::Planes { win, loss } => {
                scratch.clear();
                for plane in [win, loss] {
                    let words = masked_words(plane, range);
                    scratch.extend(words.flat_map(u64::to_le_bytes));
                }
                scratch
            }
        }
    }

    /// How often each score occurs in a block.
    ///
    /// # Errors
    /// The first cell of a word in which a cell is both won and lost.
    pub(super) fn count(&self, range: &Range<u64>) -> Result<Counts<u32>, u64> {
        match self {
            Cells::Scores(scores) => {
                Ok(histogram(&scores[range.start as usize..range.end as usize]))
            }
            Cells::Planes { win, loss } => count_planes(win, loss, range),
        }
    }
}

/// The words of a plane for these cells, without what lies past the last cell.
fn masked_words(plane: &[u64], range: &Range<u64>) -> impl Iterator<Item = u64> {
    let first = (range.start / 64) as usize;
    let end = range.end;
    let words = &plane[first..end.div_ceil(64) as usize];
    words.iter().enumerate().map(move |(i, &word)| {
        let left = end - (first + i) as u64 * 64;
        if left < 64 {
            word & ((1 << left) - 1)
        } else {
            word
        }
    })
}

/// Four tables side by side, so that runs of equal bytes do not wait for one counter.
fn histogram(scores: &[u8]) -> Counts<u32> {
    let mut tables = [[0u32; 256]; 4];
    let mut quads = scores.chunks_exact(4);
    for quad in &mut quads {
        for (table, &score) in tables.iter_mut().zip(quad) {
            table[usize::from(score)] += 1;
        }
    }
    for &score in quads.remainder() {
        tables[0][usize::from(score)] += 1;
    }
    std::array::from_fn(|score| tables.iter().map(|table| table[score]).sum())
}

fn count_planes(win: &[u64], loss: &[u64], range: &Range<u64>) -> Result<Counts<u32>, u64> {
    let (mut won, mut lost) = (0, 0);
    let words = masked_words(win, range).zip(masked_words(loss, range));
    for (i, (win, loss)) in words.enumerate() {
        if win & loss != 0 {
            return Err(range.start + i as u64 * 64);
        }
        won += win.count_ones();
        lost += loss.count_ones();
    }
    let mut counts = [0; 256];
    counts[usize::from(WON)] = won;
    counts[usize::from(LOST)] = lost;
    counts[usize::from(DRAWN)] = (range.end - range.start) as u32 - won - lost;
    Ok(counts)
}

/// Splits the bytes of a block of values into the words of its planes.
pub fn unpack_planes(raw: &[u8], win: &mut [u64], loss: &mut [u64]) {
    let (win_bytes, loss_bytes) = raw.split_at(raw.len() / 2);
    for (bytes, words) in [(win_bytes, win), (loss_bytes, loss)] {
        for (bytes, word) in bytes.chunks_exact(8).zip(words) {
            *word = u64::from_le_bytes(bytes.try_into().expect("chunks of 8"));
        }
    }
}

/// Sets the bits of a run of values: 0 loss, 1 draw, 2 win.
pub fn set_planes((win, loss): (&mut [u64], &mut [u64]), values: impl Iterator<Item = u8>) {
    for (cell, value) in values.enumerate() {
        win[cell / 64] |= u64::from(value == 2) << (cell % 64);
        loss[cell / 64] |= u64::from(value == 0) << (cell % 64);
    }
}

/// The results of a block of scores: 0 loss, 1 draw, 2 win.
pub fn results(scores: &[u8]) -> impl Iterator<Item = u8> {
    scores.iter().map(|&score| Score(score).outcome() as u8)
}

/// The result in a cell of a decoded block, or `None` if the block contradicts itself.
pub fn outcome(kind: Kind, raw: &[u8], cell: usize) -> Option<Outcome> {
    match kind {
        Kind::Scores => Some(Score(raw[cell]).outcome()),
        Kind::Planes => {
            // Little-endian words: bit i of a plane is bit i % 8 of byte i / 8.
            let bit = |plane: &[u8]| plane[cell / 8] >> (cell % 8) & 1 == 1;
            let (win, loss) = raw.split_at(raw.len() / 2);
            match (bit(win), bit(loss)) {
                (true, true) => None,
                (true, false) => Some(Outcome::Win),
                (false, true) => Some(Outcome::Loss),
                (false, false) => Some(Outcome::Draw),
            }
        }
        Kind::Values => match raw[cell / 4] >> (cell % 4 * 2) & 3 {
            0 => Some(Outcome::Loss),
            1 => Some(Outcome::Draw),
            2 => Some(Outcome::Win),
            _ => None,
        },
        Kind::Distances => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_pack_into_the_documented_bytes() {
        let (win, loss) = ([1, 0x8000_0000_0000_0000, !0], [2, 0, 0]);
        let cells = Cells::Planes {
            win: &win,
            loss: &loss,
        };
        let mut scratch = Vec::new();
        // 130 cells: the third word has two.
        let raw = cells.raw(&(0..130), &mut scratch).to_vec();
        let mut expected = [0; 48];
        (expected[0], expected[15], expected[16], expected[24]) = (1, 0x80, 3, 2);
        assert_eq!(raw, expected);

        let (mut win_back, mut loss_back) = ([0; 3], [0; 3]);
        unpack_planes(&raw, &mut win_back, &mut loss_back);
        assert_eq!((win_back, loss_back), ([win[0], win[1], 3], loss));
        let outcomes = [0, 1, 2, 127, 129].map(|cell| outcome(Kind::Planes, &raw, cell).unwrap());
        let (w, d, l) = (Outcome::Win, Outcome::Draw, Outcome::Loss);
        assert_eq!(outcomes, [w, l, d, w, w]);
    }

    #[test]
    fn counts_are_those_of_the_cells_one_by_one() {
        let win: Vec<u64> = (1..=5u64)
            .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let loss: Vec<u64> = win
            .iter()
            .map(|word| !word & 0x0f0f_0f0f_0f0f_0f0f)
            .collect();
        let scores: Vec<u8> = (0..1003u32).map(|i| (i * i % 251) as u8).collect();
        let planes = Cells::Planes {
            win: &win,
            loss: &loss,
        };
        for (cells, range) in [
            (planes, 0..301),
            (planes, 128..192),
            (Cells::Scores(&scores), 64..1003),
        ] {
            let mut expected = [0; 256];
            range
                .clone()
                .for_each(|cell| expected[usize::from(cells.byte(cell))] += 1);
            assert_eq!(cells.count(&range), Ok(expected));
        }
    }

    #[test]
    fn cells_both_won_and_lost_are_found() {
        let (win, loss) = ([0, 0, 4], [0, 0, 5]);
        let cells = Cells::Planes {
            win: &win,
            loss: &loss,
        };
        assert_eq!(cells.count(&(0..192)), Err(128));
        // Bits past the last cell do not matter.
        assert!(cells.count(&(0..130)).is_ok());
        assert_eq!(outcome(Kind::Planes, &[1, 1], 0), None);
    }
}
