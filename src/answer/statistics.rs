//! What a database holds, sector by sector.

use serde::Serialize;

use crate::conversion::Counting;
use crate::database::{Database, SectorRecord};
use crate::notation::write_position;
use crate::probe::{ProbeError, Prober};
use crate::value::Outcome;

/// The counts of a database.
#[derive(Clone, Debug, Serialize)]
pub struct Statistics<'a> {
    /// The game.
    pub variant: &'a str,
    /// What the start position is worth to White, who moves first; null if the database lacks it.
    pub start: Option<Outcome>,
    /// What plies count, if not to the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counting: Option<&'a Counting>,
    /// The sectors, in ascending order.
    pub sectors: Vec<SectorStatistics>,
}

/// The counts of a sector. Symmetric images count as one position; all is meant for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectorStatistics {
    /// Men on the board of the side to move.
    pub mover: u8,
    /// Men on the board of the opponent.
    pub opponent: u8,
    /// Men in hand of the side to move.
    pub mover_hand: u8,
    /// Men in hand of the opponent.
    pub opponent_hand: u8,
    /// Won positions.
    pub win: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Lost positions.
    pub loss: u64,
    /// Plies of the longest win.
    pub longest_win: Option<u16>,
    /// Plies of the longest loss.
    pub longest_loss: Option<u16>,
    /// A position of each kind.
    pub examples: ExamplePositions,
}

/// Positions of a sector as texts, as far as there are such.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExamplePositions {
    /// A won one.
    pub win: Option<String>,
    /// A drawn one.
    pub draw: Option<String>,
    /// A lost one.
    pub loss: Option<String>,
    /// One that takes as long to win as any.
    pub longest_win: Option<String>,
    /// One that takes as long to lose as any.
    pub longest_loss: Option<String>,
}

impl<'a> Statistics<'a> {
    /// What the manifest says about every sector, and what the start is worth.
    ///
    /// # Errors
    /// When the file of the start is wrong.
    pub fn of(database: &'a Database) -> Result<Statistics<'a>, ProbeError> {
        let variant = database.variant();
        let start = Prober::new(database).value(&variant.start(), 0)?;
        let records = database.manifest().sectors.iter();
        Ok(Statistics {
            variant: &variant.id,
            start: start.known().map(|probed| probed.outcome),
            counting: database.counting(),
            sectors: records.map(|r| SectorStatistics::of(database, r)).collect(),
        })
    }
}

impl SectorStatistics {
    fn of(database: &Database, record: &SectorRecord) -> SectorStatistics {
        let (sector, statistics) = (record.sector, &record.statistics);
        let examples = &statistics.examples;
        // The manifest is not trusted to name cells that there are.
        let there = |cell: Option<u64>| cell.filter(|&cell| cell < record.cells);
        let text = |cell| there(cell).map(|cell| example(database, record, cell));
        SectorStatistics {
            mover: sector.mover,
            opponent: sector.opponent,
            mover_hand: sector.mover_hand,
            opponent_hand: sector.opponent_hand,
            win: statistics.win,
            draw: statistics.draw,
            loss: statistics.loss,
            longest_win: statistics.longest_win,
            longest_loss: statistics.longest_loss,
            examples: ExamplePositions {
                win: text(examples.win),
                draw: text(examples.draw),
                loss: text(examples.loss),
                longest_win: text(examples.longest_win),
                longest_loss: text(examples.longest_loss),
            },
        }
    }
}

/// The position of a cell as a text.
fn example(database: &Database, record: &SectorRecord, cell: u64) -> String {
    let sector = record.sector;
    let position = database.index().position(sector, cell);
    write_position(database.variant(), &position.into())
}
