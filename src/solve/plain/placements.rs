//! All ways to put two sets of men on a board, modulo its symmetries, numbered from 0.
//!
//! Of the images of a placement under the symmetries of the board, the one whose pair
//! (mover's men, opponent's men) is least stands for all of them: its *canonical* placement.
//! The numbering lists the canonical placements in the order of these pairs, by rows:
//!
//! ```text
//! rows:  mover's men   opponent's men that go with them, ascending
//!        0b00011       0b00100 0b01000 0b10000      numbers 0 1 2
//!        0b00101       0b00010 0b01000              numbers 3 4
//! ```
//!
//! Nothing is computed by formula: the images are compared one by one, and a number is looked up by
//! binary search.

use crate::game::{Board, PointSet};

/// The canonical placements of two sets of given sizes.
#[derive(Debug)]
pub(super) struct Placements {
    /// The mover's sets, ascending.
    movers: Vec<PointSet>,
    /// Where each row begins in `opponents`; one entry more than there are rows.
    starts: Vec<usize>,
    /// The opponent's sets, row after row, ascending in each.
    opponents: Vec<PointSet>,
}

impl Placements {
    /// Lists the canonical placements of `mover` and `opponent` men.
    pub fn new(board: &Board, mover: u8, opponent: u8) -> Placements {
        let mut placements = Placements {
            movers: Vec::new(),
            starts: vec![0],
            opponents: Vec::new(),
        };
        for men in subsets(board.all_points(), mover) {
            placements.add_row(board, men, opponent);
        }
        placements
    }

    /// Adds the row of a mover's set, unless an image of the set is less.
    fn add_row(&mut self, board: &Board, men: PointSet, opponent: u8) {
        let symmetries = board.symmetries();
        if symmetries.iter().any(|s| s.apply(men) < men) {
            return;
        }
        let keeping_men: Vec<_> = symmetries.iter().filter(|s| s.apply(men) == men).collect();
        let free = board.all_points() & !men;
        let row = subsets(free, opponent)
            .filter(|&others| keeping_men.iter().all(|s| s.apply(others) >= others));
        self.opponents.extend(row);
        self.movers.push(men);
        self.starts.push(self.opponents.len());
    }

    /// How many canonical placements there are.
    pub fn len(&self) -> usize {
        self.opponents.len()
    }

    /// The number of a canonical placement; `None` if it is none of these.
    pub fn number(&self, (mover, opponent): (PointSet, PointSet)) -> Option<usize> {
        let row = self.movers.binary_search(&mover).ok()?;
        let start = self.starts[row];
        let opponents = &self.opponents[start..self.starts[row + 1]];
        Some(start + opponents.binary_search(&opponent).ok()?)
    }

    /// The placement with a number below [`len`](Self::len).
    pub fn placement(&self, number: usize) -> (PointSet, PointSet) {
        let row = self.starts.partition_point(|&start| start <= number) - 1;
        (self.movers[row], self.opponents[number])
    }
}

/// The least image of a placement: the one that stands for all of them.
pub(super) fn canonical(
    board: &Board,
    mover: PointSet,
    opponent: PointSet,
) -> (PointSet, PointSet) {
    let mut least = (mover, opponent);
    for symmetry in board.symmetries() {
        let image = symmetry.apply(mover);
        // The opponent's men matter only where the mover's are no later.
        if image <= least.0 {
            least = least.min((image, symmetry.apply(opponent)));
        }
    }
    least
}

/// How many canonical placements there are, without listing them.
///
/// By Burnside's lemma: the mean, over the symmetries, of the number of placements that the symmetry
/// keeps. It keeps those that fill each of its cycles with men of one side or leave it empty.
pub(super) fn count(board: &Board, mover: u8, opponent: u8) -> u64 {
    let (mover, opponent) = (usize::from(mover), usize::from(opponent));
    let symmetries = board.symmetries();
    let kept = symmetries.iter().map(|symmetry| {
        let mut ways = vec![vec![0u64; opponent + 1]; mover + 1];
        ways[0][0] = 1;
        for length in cycles(board.point_count(), |point| symmetry.image(point)) {
            for m in (0..=mover).rev() {
                for o in (0..=opponent).rev() {
                    let mine = if m >= length { ways[m - length][o] } else { 0 };
                    let theirs = if o >= length { ways[m][o - length] } else { 0 };
                    ways[m][o] += mine + theirs;
                }
            }
        }
        ways[mover][opponent]
    });
    // A sum over very many symmetries of a nearly empty board may pass 64 bits.
    let total: u128 = kept.map(u128::from).sum();
    u64::try_from(total / symmetries.len().max(1) as u128).unwrap_or(u64::MAX)
}

/// The lengths of the cycles of a permutation of `0..count`.
fn cycles(count: usize, image: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut seen = vec![false; count];
    let mut lengths = Vec::new();
    for first in 0..count {
        let (mut point, mut length) = (first, 0);
        while !seen[point] {
            seen[point] = true;
            point = image(point);
            length += 1;
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths
}

/// The subsets of `size` points of a set, ascending.
fn subsets(set: PointSet, size: u8) -> impl Iterator<Item = PointSet> {
    let points: Vec<u32> = (0..PointSet::BITS).filter(|p| set >> p & 1 == 1).collect();
    let end = 1u64 << points.len();
    let first = (1u64 << size) - 1;
    let choices = std::iter::successors(Some(first), |&choice| next_of_same_size(choice));
    choices
        .take_while(move |&choice| choice < end)
        .map(move |choice| {
            let chosen = points
                .iter()
                .enumerate()
                .filter(|(i, _)| choice >> i & 1 == 1);
            chosen.fold(0, |subset, (_, point)| subset | 1 << point)
        })
}

/// The next greater number with as many one bits; `None` after zero, which has no other.
fn next_of_same_size(bits: u64) -> Option<u64> {
    if bits == 0 {
        return None;
    }
    let lowest = bits & bits.wrapping_neg();
    let carried = bits + lowest;
    Some(carried | ((bits ^ carried) / lowest) >> 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use std::collections::HashSet;

    fn board(id: &str) -> Board {
        Variant::builtin(id).unwrap().board
    }

    #[test]
    fn subsets_are_all_of_their_size_in_ascending_order() {
        assert_eq!(subsets(0b1011, 0).collect::<Vec<_>>(), [0]);
        assert_eq!(
            subsets(0b1011, 2).collect::<Vec<_>>(),
            [0b0011, 0b1001, 0b1010]
        );
        assert_eq!(subsets(0b1011, 3).collect::<Vec<_>>(), [0b1011]);
        assert_eq!(subsets(0b1011, 4).count(), 0);
        assert_eq!(
            subsets(PointSet::MAX, 32).collect::<Vec<_>>(),
            [PointSet::MAX]
        );
        assert_eq!(subsets(PointSet::MAX, 2).count(), 32 * 31 / 2);
        assert_eq!(subsets(0, 0).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn every_placement_has_the_number_of_all_its_images_and_of_no_others() {
        let board = board("three");
        for (mover, opponent) in [(0, 0), (1, 0), (0, 2), (3, 2), (2, 3), (3, 3), (5, 4)] {
            let placements = Placements::new(&board, mover, opponent);
            let mut numbers = HashSet::new();
            for mine in subsets(board.all_points(), mover) {
                for theirs in subsets(board.all_points() & !mine, opponent) {
                    let stands_for = canonical(&board, mine, theirs);
                    let number = placements.number(stands_for).unwrap();
                    assert_eq!(placements.placement(number), stands_for);
                    for s in board.symmetries() {
                        let image = canonical(&board, s.apply(mine), s.apply(theirs));
                        assert_eq!(image, stands_for);
                    }
                    numbers.insert(number);
                }
            }
            assert_eq!(numbers.len(), placements.len());
        }
    }

    #[test]
    fn what_is_not_canonical_has_no_number() {
        let placements = Placements::new(&board("three"), 1, 1);
        assert_eq!(placements.number((0b1, 0b10)), Some(0));
        assert_eq!(placements.number((0b100, 0b10)), None);
        assert_eq!(placements.number((0b1, 0b110)), None);
    }

    #[test]
    fn counting_agrees_with_listing() {
        for (id, mover, opponent) in [
            ("three", 0, 0),
            ("three", 3, 3),
            ("three-diagonal", 3, 2),
            ("six", 0, 1),
            ("six", 3, 3),
            ("six", 6, 2),
            ("nine", 3, 3),
        ] {
            let board = board(id);
            let listed = Placements::new(&board, mover, opponent).len() as u64;
            assert_eq!(
                count(&board, mover, opponent),
                listed,
                "{id} {mover}-{opponent}"
            );
        }
    }

    #[test]
    fn counts_of_nine_are_the_published_ones() {
        let board = board("nine");
        assert_eq!(count(&board, 3, 3), 140_621 + 269 + 28_736);
        assert_eq!(count(&board, 8, 8), 318_690_930 + 165_480_912 + 107_554_848);
        assert_eq!(count(&board, 13, 12), 0);
    }

    #[test]
    fn a_board_without_lines_is_counted_too() {
        // One slide and no line: the other two points can be exchanged.
        let points = ["a1", "a2", "b1", "b2"].map(|label| crate::game::BoardPoint {
            label: label.to_owned(),
            x: 0.0,
            y: 0.0,
        });
        let order = vec![vec![0, 1, 2, 3]];
        let board = Board::new(points.to_vec(), vec![], vec![(0, 1)], order).unwrap();
        assert_eq!(board.symmetries().len(), 4);
        assert_eq!(count(&board, 1, 0), 2);
        assert_eq!(Placements::new(&board, 1, 1).len(), 4);
        assert_eq!(count(&board, 1, 1), 4);
    }
}
