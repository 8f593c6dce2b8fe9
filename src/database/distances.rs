//! Distances beside packed values: half the plies of each cell, in zstd frames.
//!
//! Whether a cell is won or lost is known from the values, and with it whether its plies are odd or even,
//! so half of them is all there is to store: a loss in 12 is 6, a win in 13 is 6. A drawn cell repeats the
//! byte before it, which costs nearly nothing.
//!
//! ```text
//! cells   win 3   draw   draw   loss 8   win 1
//! bytes   1       1      1      4        0
//! ```

use crate::value::{Outcome, Score};

/// The level of the compressor: the best that two cores manage for all of nine within half an hour.
pub const LEVEL: i32 = 15;

/// The bytes of a block from its scores.
pub fn halves(scores: impl Iterator<Item = u8>, bytes: &mut Vec<u8>) {
    bytes.clear();
    let mut before = 0;
    bytes.extend(scores.map(|score| {
        before = match Score(score).outcome() {
            Outcome::Loss => score,
            Outcome::Draw => before,
            Outcome::Win => 255 - score,
        };
        before
    }));
}

/// The score of a cell from its result and its byte.
///
/// `None` if the byte stands for no distance.
pub fn score(outcome: Outcome, half: u8) -> Option<Score> {
    match outcome {
        Outcome::Draw => Some(Score::DRAW),
        Outcome::Loss => (half < Score::DRAW.0).then_some(Score(half)),
        Outcome::Win => (half < Score::DRAW.0 - 1).then(|| Score(255 - half)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_comes_back() {
        let scores: Vec<u8> = (0..=255).collect();
        let mut bytes = Vec::new();
        halves(scores.iter().copied(), &mut bytes);
        for (&byte, &expected) in bytes.iter().zip(&scores) {
            assert_eq!(
                score(Score(expected).outcome(), byte),
                Some(Score(expected))
            );
        }
    }

    #[test]
    fn draws_repeat_what_was_before() {
        let mut bytes = vec![9];
        halves([128, 254, 128, 128, 4, 255].into_iter(), &mut bytes);
        assert_eq!(bytes, [0, 1, 1, 1, 4, 0]);
    }

    #[test]
    fn bytes_that_are_no_distance_are_refused() {
        assert_eq!(score(Outcome::Loss, 128), None);
        assert_eq!(score(Outcome::Win, 127), None);
    }
}
