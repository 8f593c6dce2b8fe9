//! Layers and their classes: which sectors there are.

use std::ops::RangeInclusive;

use crate::database::DatabaseWriter;
use crate::game::{Sector, Variant};

/// The sectors of one layer by the number of black men.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) hands: u8,
    sectors: Vec<Sector>,
}

impl Layer {
    pub(super) fn new(variant: &Variant, hands: u8) -> Self {
        let mut sectors = variant.sectors();
        sectors.retain(|sector| sector.in_hand() == hands);
        Layer { hands, sectors }
    }

    pub(super) fn white_moves(&self) -> bool {
        self.hands.is_multiple_of(2)
    }

    pub(super) fn white_hand(&self) -> u32 {
        u32::from(self.hands / 2)
    }

    pub(super) fn black_hand(&self) -> u32 {
        u32::from(self.hands.div_ceil(2))
    }

    /// White and black men of a sector of this layer.
    pub(super) fn men(&self, sector: Sector) -> (u32, u32) {
        let (mover, opponent) = (sector.mover.into(), sector.opponent.into());
        if self.white_moves() {
            (mover, opponent)
        } else {
            (opponent, mover)
        }
    }

    /// The sectors with `black` black men, by increasing number of white men.
    pub(super) fn class(&self, black: u32) -> Vec<Sector> {
        let mut sectors = self.sectors.clone();
        sectors.retain(|&sector| self.men(sector).1 == black);
        sectors.sort_by_key(|&sector| self.men(sector).0);
        sectors
    }

    /// Numbers of white men in the class of `black` black men; sectors have them without gaps.
    pub(super) fn white(&self, black: u32) -> Option<RangeInclusive<u32>> {
        let class = self.class(black);
        Some(self.men(*class.first()?).0..=self.men(*class.last()?).0)
    }

    pub(super) fn black(&self) -> RangeInclusive<u32> {
        let black = |sector: &Sector| self.men(*sector).1;
        let numbers = || self.sectors.iter().map(black);
        numbers().min().unwrap_or(0)..=numbers().max().unwrap_or(0)
    }

    /// Whether an earlier run has written the whole layer.
    pub(super) fn is_kept(&self, store: &DatabaseWriter) -> bool {
        self.sectors.iter().all(|&sector| store.has(sector))
    }

    /// Whether an earlier run has written all sectors with `black` black men.
    pub(super) fn is_class_kept(&self, black: u32, store: &DatabaseWriter) -> bool {
        self.class(black).iter().all(|&sector| store.has(sector))
    }

    /// Index cells of the layer.
    pub(super) fn cells(&self, store: &DatabaseWriter) -> u64 {
        self.sectors
            .iter()
            .map(|&sector| store.index().len(sector))
            .sum()
    }
}
