//! The sectors of a database, put in order for people.
//!
//! A *layer* holds the sectors with the same number of men in hand. In most games the hands are then known as
//! well, and the sectors are a *matrix* of men on the board:
//!
//! ```text
//! 3 in hand, White 1, Black 2 or the reverse      opponent's men
//!                                                  4      5      6
//!                                  mover's   4    4-4    4-5    4-6
//!                                  men       5    5-4    5-5    5-6
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::database::{Database, SectorRecord};

/// The sectors with the same number of men in hand, both hands together.
#[derive(Debug)]
pub struct Layer<'a> {
    /// Men in hand of both sides.
    pub in_hand: u8,
    /// The sectors, by the two hands.
    pub matrices: Vec<Matrix<'a>>,
}

/// The sectors with the same hands.
#[derive(Debug)]
pub struct Matrix<'a> {
    /// Men in hand of the side to move.
    pub mover_hand: u8,
    /// Men in hand of the opponent.
    pub opponent_hand: u8,
    /// The sectors by the men on the board of the side to move and of the opponent.
    pub sectors: BTreeMap<(u8, u8), &'a SectorRecord>,
}

/// Positions by their result for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won positions.
    pub win: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Lost positions.
    pub loss: u64,
}

impl Counts {
    /// The counts of a sector.
    pub fn of(record: &SectorRecord) -> Counts {
        let statistics = &record.statistics;
        Counts {
            win: statistics.win,
            draw: statistics.draw,
            loss: statistics.loss,
        }
    }

    /// The counts of some sectors together.
    pub fn sum<'a>(records: impl Iterator<Item = &'a SectorRecord>) -> Counts {
        records
            .map(Counts::of)
            .fold(Counts::default(), |a, b| Counts {
                win: a.win.saturating_add(b.win),
                draw: a.draw.saturating_add(b.draw),
                loss: a.loss.saturating_add(b.loss),
            })
    }

    /// All positions.
    pub fn positions(&self) -> u64 {
        self.win.saturating_add(self.draw).saturating_add(self.loss)
    }
}

impl<'a> Layer<'a> {
    /// The sectors.
    pub fn sectors(&self) -> impl Iterator<Item = &'a SectorRecord> {
        let matrices = self.matrices.iter();
        matrices.flat_map(|matrix| matrix.sectors.values().copied())
    }
}

impl Matrix<'_> {
    /// The numbers of men on the board that the side to move has in some sector.
    pub fn movers(&self) -> BTreeSet<u8> {
        self.sectors.keys().map(|men| men.0).collect()
    }

    /// The numbers of men on the board that the opponent has in some sector.
    pub fn opponents(&self) -> BTreeSet<u8> {
        self.sectors.keys().map(|men| men.1).collect()
    }
}

/// The layers of a database, the movement phase first.
pub(super) fn of(database: &Database) -> Vec<Layer<'_>> {
    let mut layers: BTreeMap<u8, BTreeMap<(u8, u8), Matrix<'_>>> = BTreeMap::new();
    for record in &database.manifest().sectors {
        let sector = record.sector;
        let hands = (sector.mover_hand, sector.opponent_hand);
        let layer = layers.entry(sector.in_hand()).or_default();
        let matrix = layer.entry(hands).or_insert_with(|| Matrix {
            mover_hand: sector.mover_hand,
            opponent_hand: sector.opponent_hand,
            sectors: BTreeMap::new(),
        });
        let men = (sector.mover, sector.opponent);
        matrix.sectors.insert(men, record);
    }
    let layers = layers.into_iter();
    let layers = layers.map(|(in_hand, matrices)| Layer {
        in_hand,
        matrices: matrices.into_values().collect(),
    });
    layers.collect()
}
