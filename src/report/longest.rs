//! The longest wins, with best play to the end.
//!
//! Every movement sector has one, and of the placement every layer: the longest in any of its sectors.

use rayon::prelude::*;

use crate::database::{Contents, SectorRecord};
use crate::game::{Position, Sector};
use crate::probe::{Choice, ProbeError, Prober};

use super::{LINE_LIMIT, Layer};

/// A win that takes as long as any of its sector, or of its layer.
#[derive(Debug)]
pub struct Longest {
    /// The sector.
    pub sector: Sector,
    /// The position, whose side to move wins.
    pub position: Position,
    /// In how many plies it wins.
    pub plies: u16,
    /// Best play by both sides: so many turns, or fewer where the database lacks a sector.
    pub line: Vec<Choice>,
}

/// The longest wins of all movement sectors, then those of the layers of the placement from the last one back
/// to the start.
pub(super) fn of(prober: &Prober<'_>, layers: &[Layer<'_>]) -> Result<Vec<Longest>, ProbeError> {
    if prober.database().contents() == Contents::Values {
        return Ok(Vec::new());
    }
    let chosen = layers.iter().flat_map(|layer| {
        let sectors: Vec<&SectorRecord> = match layer.in_hand {
            0 => layer.sectors().collect(),
            _ => longest_in(layer).into_iter().collect(),
        };
        sectors
    });
    let chosen: Vec<&SectorRecord> = chosen.collect();
    let longest = chosen
        .into_par_iter()
        .filter_map(|record| longest(prober, record).transpose());
    longest.collect()
}

/// The first sector of the layer that has as long a win as any.
fn longest_in<'a>(layer: &Layer<'a>) -> Option<&'a SectorRecord> {
    let of = |record: &SectorRecord| record.statistics.longest_win;
    let longest = layer.sectors().filter_map(of).max()?;
    layer.sectors().find(|record| of(record) == Some(longest))
}

fn longest(prober: &Prober<'_>, record: &SectorRecord) -> Result<Option<Longest>, ProbeError> {
    let (sector, statistics) = (record.sector, &record.statistics);
    // The manifest is not trusted to name a cell that there is.
    let cell = statistics
        .examples
        .longest_win
        .filter(|&cell| cell < record.cells);
    let (Some(plies), Some(cell)) = (statistics.longest_win, cell) else {
        return Ok(None);
    };
    let position = sector.position(prober.database().index().unrank(sector, cell));
    let line = prober.line(&position, 0, LINE_LIMIT)?;
    Ok(Some(Longest {
        sector,
        position,
        plies,
        line,
    }))
}
