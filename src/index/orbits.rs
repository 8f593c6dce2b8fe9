//! How many canonical sets and distinct positions there are, counted without listing them.
//!
//! Burnside's lemma: the number of families of symmetric images is the average, over the symmetries,
//! of the number of arrangements that the symmetry leaves as they are. Such an arrangement fills whole
//! cycles of the symmetry, so its count is a coefficient of a product over the cycles:
//!
//! ```text
//! sets        [x^m]      of the product of (1 + x^length)
//! positions   [x^m y^o]  of the product of (1 + x^length + y^length)
//! ```
//!
//! The counts check what the index and the databases list one by one.

use std::collections::BTreeMap;

use crate::game::{Board, Sector, Symmetry};
use crate::index::canonical::binomial;
use crate::index::sector::Fixed;

/// Counts families of symmetric images on one board.
#[derive(Clone, Debug)]
pub struct OrbitCounter {
    /// The lengths of the cycles of a symmetry, sorted, and how many symmetries have these lengths.
    cycle_types: BTreeMap<Vec<usize>, u64>,
    symmetries: u64,
    points: usize,
}

impl OrbitCounter {
    /// Takes the cycles of all symmetries of a board.
    pub fn new(board: &Board) -> OrbitCounter {
        let mut cycle_types = BTreeMap::new();
        for symmetry in board.symmetries() {
            *cycle_types
                .entry(cycle_lengths(symmetry, board.point_count()))
                .or_insert(0) += 1;
        }
        OrbitCounter {
            cycle_types,
            symmetries: board.symmetries().len() as u64,
            points: board.point_count(),
        }
    }

    /// How many orbits the sets of `men` men form.
    pub fn sets(&self, men: usize) -> u64 {
        self.positions(men, 0)
    }

    /// How many cells a sector has in a [`SectorIndex`](crate::index::SectorIndex) of this board.
    pub fn cells(&self, sector: Sector) -> u64 {
        let (fixed, varied) = Fixed::of(sector).order((sector.mover, sector.opponent));
        let free = self.points.saturating_sub(fixed.into());
        self.sets(fixed.into()) * binomial(free, varied.into())
    }

    /// How many positions with these men differ in more than a symmetry; the two sides are not swapped.
    pub fn positions(&self, mover: usize, opponent: usize) -> u64 {
        let kept = |(lengths, symmetries): (&Vec<usize>, &u64)| {
            symmetries * kept_by(lengths, mover, opponent)
        };
        self.cycle_types.iter().map(kept).sum::<u64>() / self.symmetries
    }
}

/// Positions that a symmetry with these cycles leaves as they are.
fn kept_by(lengths: &[usize], mover: usize, opponent: usize) -> u64 {
    let width = opponent + 1;
    let mut ways = vec![0u64; (mover + 1) * width];
    ways[0] = 1;
    for &length in lengths {
        // Downwards, so that each cycle is used once.
        for m in (0..=mover).rev() {
            for o in (0..=opponent).rev() {
                let with_mover = if m >= length {
                    ways[(m - length) * width + o]
                } else {
                    0
                };
                let with_opponent = if o >= length {
                    ways[m * width + o - length]
                } else {
                    0
                };
                ways[m * width + o] += with_mover + with_opponent;
            }
        }
    }
    ways[mover * width + opponent]
}

fn cycle_lengths(symmetry: &Symmetry, points: usize) -> Vec<usize> {
    let mut seen = vec![false; points];
    let mut lengths = Vec::new();
    for start in 0..points {
        let mut length = 0;
        let mut p = start;
        while !seen[p] {
            seen[p] = true;
            length += 1;
            p = symmetry.image(p);
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths.sort_unstable();
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    fn counter(id: &str) -> OrbitCounter {
        OrbitCounter::new(&Variant::builtin(id).unwrap().board)
    }

    #[test]
    fn sets_of_nine_have_the_published_counts() {
        // Orbit counts of the Malom standard database.
        let counts: Vec<u64> = (0..=9).map(|men| counter("nine").sets(men)).collect();
        assert_eq!(
            counts,
            [1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880]
        );
    }

    #[test]
    fn positions_of_nine_have_the_published_counts() {
        // Row sums of the table in eigenraum/solving-nine-mens-morris.
        let nine = counter("nine");
        assert_eq!(nine.positions(3, 3), 169_626);
        assert_eq!(nine.positions(9, 3), 37_209_228);
        assert_eq!(nine.positions(8, 8), 591_726_690);
        let all: u64 = (3..=9)
            .flat_map(|m| (3..=9).map(move |o| (m, o)))
            .map(|(m, o)| nine.positions(m, o))
            .sum();
        assert_eq!(all, 8_904_593_601);
    }

    #[test]
    fn more_men_than_points_have_no_positions() {
        assert_eq!(counter("three").positions(5, 5), 0);
        assert_eq!(counter("three").sets(9), 1);
    }
}
