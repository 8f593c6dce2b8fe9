//! The halves of a layer group, and the rows of each.
//!
//! In a layer group one side has `a` men in hand and the other `b`. Who moves does not tell which, so
//! there are two kinds of rows, by the hand of the side whose set is fixed; with equal hands they are
//! the same:
//!
//! ```text
//! half 0   fixed side has b in hand, varied side a     the varied side moves: sector hands (a, b)
//! half 1   fixed side has a in hand, varied side b                                        (b, a)
//! ```
//!
//! A position of half 0, transposed, stands in half 1, and a slide leads from one to the other.

use std::ops::RangeInclusive;

use super::LEAST_MEN;
use crate::game::{Placing, Sector, Variant};
use crate::index::Fixed;
use crate::index::canonical::CanonicalSets;
use crate::solve::cube::block::{Flag, Sizes};
use crate::solve::cube::journal::BandSize;
use crate::solve::cube::lookup::{Class, Layout};

/// The rows in which the fixed side has one hand and the varied side the other.
#[derive(Debug)]
pub struct Half {
    /// Men in hand of the side whose set is fixed.
    pub fixed_hand: u8,
    /// Men in hand of the side whose set is varied.
    pub varied_hand: u8,
    /// Where the rows lie.
    pub layout: Layout,
    /// Number of the first band among those of the group.
    pub first_band: usize,
    /// Men of the varied side on the board while it is not beaten.
    pub varied: RangeInclusive<u32>,
    /// With how many men on the board the varied side flies.
    pub(super) varied_flies: Option<u32>,
    /// By class: cells of movers who may move, and of movers with too few men.
    playing: Vec<Sizes>,
    beaten: Vec<Sizes>,
}

impl Half {
    /// The cells of varied sides that still play, in rows of `fixed` men.
    pub(super) fn playing(&self, fixed: u32) -> &Sizes {
        &self.playing[self.class(fixed)]
    }

    /// The cells of varied sides with too few men, in rows of `fixed` men.
    pub(super) fn beaten(&self, fixed: u32) -> &Sizes {
        &self.beaten[self.class(fixed)]
    }

    /// The rows of a band, by its number in this half.
    pub(super) fn size_of_band(&self, place: usize) -> BandSize {
        BandSize {
            rows: self.layout.rows_in(place),
            row_bits: self.layout.band(place).0.row_bits,
        }
    }

    /// Which class has rows of `fixed` men.
    pub(super) fn class(&self, fixed: u32) -> usize {
        (fixed - self.layout.classes[0].men) as usize
    }

    /// The sector of the cells with so many men: the fixed side is the one that `fixed` says.
    pub fn sector(&self, fixed: Fixed, fixed_men: u32, varied_men: u32) -> Sector {
        let (mover, opponent) = fixed.order((fixed_men as u8, varied_men as u8));
        let (mover_hand, opponent_hand) = fixed.order((self.fixed_hand, self.varied_hand));
        Sector {
            mover,
            opponent,
            mover_hand,
            opponent_hand,
        }
    }
}

/// Men on the board of a side with `hand` men in hand and at most `men` in all, while it is not beaten: where
/// nobody is taken, all that are not in hand.
pub fn on_board(variant: &Variant, men: u8, hand: u8) -> RangeInclusive<u32> {
    match variant.rules.takes_men() {
        true => not_beaten(men, hand),
        false => (men - hand).into()..=(men - hand).into(),
    }
}

/// The same where men are taken.
pub(super) fn not_beaten(men: u8, hand: u8) -> RangeInclusive<u32> {
    LEAST_MEN.saturating_sub(hand.into())..=u32::from(men - hand)
}

/// With how many men on the board a side with `hand` men in hand flies.
pub(super) fn flies(variant: &Variant, hand: u8) -> Option<u32> {
    let flies = variant.rules.flying && u32::from(hand) <= LEAST_MEN;
    flies.then(|| LEAST_MEN - u32::from(hand))
}

/// The halves of a group of up to `men` men a side with these hands: two, or one if they are equal.
pub(super) fn halves(
    variant: &Variant,
    sets: &CanonicalSets,
    men: u8,
    hands: [u8; 2],
) -> Vec<Half> {
    let points = variant.board.point_count() as u32;
    // Of one size in all groups of a game, so that a row is in the same band whatever the other hand.
    let band_bits = match variant.rules.placing {
        Placing::PlaceOnly => Layout::best_band_bits(sets, points, on_board(variant, men, 0)),
        Placing::PlaceOrMove => Layout::best_band_bits(sets, points, 0..=men.into()),
    };
    let [a, b] = hands;
    let pairs = [(b, a), (a, b)];
    let mut halves: Vec<Half> = Vec::new();
    for &(fixed_hand, varied_hand) in &pairs[..if a == b { 1 } else { 2 }] {
        let layout = Layout::in_bands(sets, points, on_board(variant, men, fixed_hand), band_bits);
        let varied = on_board(variant, men, varied_hand);
        let sizes = |sizes: RangeInclusive<u32>| {
            let of_class =
                |class: &Class| Sizes::new::<Flag>(class.free, *sizes.start(), *sizes.end());
            layout.classes.iter().map(of_class).collect()
        };
        // Without a size that is too small the range is empty, from 1 to 0.
        let beaten = match *varied.start() {
            least if least > 0 && variant.rules.takes_men() => 0..=least - 1,
            _ => RangeInclusive::new(1, 0),
        };
        halves.push(Half {
            fixed_hand,
            varied_hand,
            playing: sizes(varied.clone()),
            beaten: sizes(beaten),
            first_band: halves.iter().map(|half| half.layout.bands).sum(),
            layout,
            varied,
            varied_flies: flies(variant, varied_hand),
        });
    }
    halves
}
