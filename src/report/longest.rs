//! The longest wins, with best play to the end.
//!
//! Every movement sector has one, and of the placement every layer: the longest in any of its sectors.

use rayon::prelude::*;

use crate::database::{Contents, Database, SectorRecord};
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

/// A win of [`Longest`] without the way it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestWin {
    /// The sector.
    pub sector: Sector,
    /// The position, whose side to move wins.
    pub position: Position,
    /// In how many plies it wins.
    pub plies: u16,
}

/// The longest wins of all movement sectors, then those of the layers of the placement from the last one back
/// to the start; none without distances. The manifest has them, so nothing is looked up.
pub fn longest_wins(database: &Database) -> Vec<LongestWin> {
    chosen(database, &super::layers::of(database))
}

/// The same with best play.
pub(super) fn of(prober: &Prober<'_>, layers: &[Layer<'_>]) -> Result<Vec<Longest>, ProbeError> {
    let wins = chosen(prober.database(), layers).into_par_iter();
    let longest = wins.map(|win| {
        Ok(Longest {
            sector: win.sector,
            position: win.position,
            plies: win.plies,
            line: prober.line(&win.position, 0, LINE_LIMIT)?,
        })
    });
    longest.collect()
}

fn chosen(database: &Database, layers: &[Layer<'_>]) -> Vec<LongestWin> {
    if database.contents() == Contents::Values {
        return Vec::new();
    }
    let chosen = layers.iter().flat_map(|layer| {
        let sectors: Vec<&SectorRecord> = match layer.in_hand {
            0 => layer.sectors().collect(),
            _ => longest_in(layer).into_iter().collect(),
        };
        sectors
    });
    chosen
        .filter_map(|record| longest(database, record))
        .collect()
}

/// The first sector of the layer that has as long a win as any.
fn longest_in<'a>(layer: &Layer<'a>) -> Option<&'a SectorRecord> {
    let of = |record: &SectorRecord| record.statistics.longest_win;
    let longest = layer.sectors().filter_map(of).max()?;
    layer.sectors().find(|record| of(record) == Some(longest))
}

fn longest(database: &Database, record: &SectorRecord) -> Option<LongestWin> {
    let (sector, statistics) = (record.sector, &record.statistics);
    let plies = statistics.longest_win?;
    let cell = statistics.examples.longest_win?;
    // The manifest is not trusted to name a cell that there is.
    (cell < record.cells).then(|| LongestWin {
        sector,
        position: database.index().position(sector, cell),
        plies,
    })
}
