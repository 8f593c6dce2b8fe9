//! The rank of a set of men among all sets of its size on the free points.
//!
//! The free points, in point order, are numbered 0, 1, 2, ... Written as numbers over those places
//! (bit i = i-th free point), the sets of one size are ranked by increasing number, the *colex* order:
//!
//! ```text
//! two men on four places   0011 0101 0110 1001 1010 1100
//! rank                        0    1    2    3    4    5
//! ```
//!
//! A set with men on places p1 < p2 < p3 ... has rank C(p1,1) + C(p2,2) + C(p3,3) + ...: term i counts
//! the sets that agree above and have their i-th man on a lower place. Ranks never need the set to be
//! gathered over its places first, so no bit-gather instruction is wanted here.

use crate::game::{MAX_POINTS, PointSet};
use crate::index::canonical::binomial;

/// `CHOOSE[n][k]`: ways to choose k out of n points of a board.
static CHOOSE: [[u32; MAX_POINTS + 1]; MAX_POINTS + 1] = pascal();

const fn pascal() -> [[u32; MAX_POINTS + 1]; MAX_POINTS + 1] {
    let mut table = [[0; MAX_POINTS + 1]; MAX_POINTS + 1];
    let mut n = 0;
    while n <= MAX_POINTS {
        let mut k = 0;
        while k <= n {
            table[n][k] = binomial(n, k) as u32;
            k += 1;
        }
        n += 1;
    }
    table
}

/// The rank of `men` among the sets of as many men on the points of `free`.
///
/// `men` must lie within `free`.
pub fn colex_rank(men: PointSet, free: PointSet) -> u64 {
    let mut rest = men;
    let mut rank = 0;
    let mut size = 0;
    while rest != 0 {
        let below = (1 << rest.trailing_zeros()) - 1;
        size += 1;
        rank += CHOOSE[(free & below).count_ones() as usize][size];
        rest &= rest - 1;
    }
    u64::from(rank)
}

/// The set of `size` men on the points of `free` that has this rank.
///
/// # Panics
/// When there are no more than `rank` such sets.
pub fn colex_unrank(rank: u64, size: usize, free: PointSet) -> PointSet {
    let mut places = free.count_ones() as usize;
    assert!(
        rank < binomial(places, size),
        "rank {rank} of {size} men on {places} points"
    );
    let (mut rank, mut size, mut rest, mut men) = (rank as u32, size, free, 0);
    while size > 0 {
        let highest = 1 << rest.ilog2();
        rest ^= highest;
        places -= 1;
        let without = CHOOSE[places][size];
        if rank >= without {
            rank -= without;
            men |= highest;
            size -= 1;
        }
    }
    men
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::canonical::sets_of;

    #[test]
    fn ranks_of_two_men_on_four_places_follow_the_picture() {
        let free = 0b1011_0010;
        let by_rank: Vec<PointSet> = (0..6).map(|rank| colex_unrank(rank, 2, free)).collect();
        let expected = [
            0b0001_0010,
            0b0010_0010,
            0b0011_0000,
            0b1000_0010,
            0b1001_0000,
            0b1010_0000,
        ];
        assert_eq!(by_rank, expected);
    }

    #[test]
    fn rank_counts_the_sets_in_increasing_order() {
        for size in 0..=16 {
            for (expected, men) in sets_of(16, size).enumerate() {
                assert_eq!(colex_rank(men, 0xffff), expected as u64);
                assert_eq!(colex_unrank(expected as u64, size, 0xffff), men);
            }
        }
    }

    #[test]
    fn gaps_in_the_free_points_do_not_change_the_order() {
        let free: PointSet = 0b1101_0110_0111_1010_1100_1011;
        let places = free.count_ones() as usize;
        for size in 0..=places {
            let mut previous = None;
            for rank in 0..binomial(places, size) {
                let men = colex_unrank(rank, size, free);
                assert_eq!(men & !free, 0);
                assert_eq!(colex_rank(men, free), rank);
                assert!(previous.is_none_or(|p| p < men));
                previous = Some(men);
            }
        }
    }

    #[test]
    #[should_panic(expected = "rank 6 of 2 men on 4 points")]
    fn a_rank_past_the_last_set_is_refused() {
        colex_unrank(6, 2, 0b1111);
    }
}
