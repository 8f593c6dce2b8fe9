//! `millbase stats`: what a database holds, sector by sector.

use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use millbase::conversion::Counting;
use millbase::database::{Database, SectorRecord};
use millbase::game::Variant;
use millbase::notation::write_position;
use millbase::probe::Answer;
use millbase::probe::Prober;
use millbase::solve::plain::SectorCounts;
use serde::Serialize;

use super::failure::Failure;
use super::query::name;
use super::{grouped, print, print_json};

/// Counts won, drawn and lost positions in every sector.
///
/// A sector is named by the men on the board, the side to move first, and the men in hand: `3-4`, or
/// `3-4+6-5` with six and five in hand. Symmetric images count as one position. Won and lost are meant for
/// the side to move; the longest win and loss are in plies,
/// of a database of conversions in plies to the next capture.
#[derive(Debug, Args)]
#[command(after_long_help = "\
JSON: {\"variant\",\"start\",\"sectors\":[{\"mover\",\"opponent\",\"mover_hand\",\"opponent_hand\",
\"win\",\"draw\",\"loss\",\"longest_win\",\"longest_loss\",\"examples\"}]}; examples are position texts.")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// Print the table only, without the example positions
    #[arg(long, conflicts_with = "json")]
    brief: bool,
}

/// The counts of a database.
#[derive(Serialize)]
pub struct Statistics<'a> {
    variant: &'a str,
    /// Win, draw or loss of the start position; `null` if the database lacks it.
    pub start: Option<&'static str>,
    /// What plies count, if not to the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    counting: Option<&'a Counting>,
    pub sectors: Vec<Sector>,
}

/// The counts of a sector.
#[derive(Serialize)]
pub struct Sector {
    mover: u8,
    opponent: u8,
    mover_hand: u8,
    opponent_hand: u8,
    win: u64,
    draw: u64,
    loss: u64,
    longest_win: Option<u16>,
    longest_loss: Option<u16>,
    examples: Examples,
}

#[derive(Default, Serialize)]
struct Examples {
    win: Option<String>,
    draw: Option<String>,
    loss: Option<String>,
    longest_win: Option<String>,
    longest_loss: Option<String>,
}

impl Arguments {
    /// Tells.
    pub fn run(self) -> Result<(), Failure> {
        let database = Database::open(&self.db)?;
        let mut statistics = statistics(&database);
        let start = database.variant().start();
        if let Answer::Known(probed) = Prober::new(&database).value(&start, 0)? {
            statistics.start = Some(name(probed.outcome));
        }
        if self.json {
            print_json(&statistics)
        } else {
            let examples = if self.brief {
                String::new()
            } else {
                examples(&statistics)
            };
            print(&(tell(&statistics) + &examples))
        }
    }
}

/// What the manifest says about every sector; `start` is left open.
pub fn statistics(database: &Database) -> Statistics<'_> {
    let records = database.manifest().sectors.iter();
    Statistics {
        variant: &database.variant().id,
        start: None,
        counting: database.counting(),
        sectors: records.map(|record| sector(database, record)).collect(),
    }
}

/// The same for a game that was solved without a database, and without example positions.
pub fn counted<'a>(
    variant: &'a Variant,
    counts: &[(millbase::game::Sector, SectorCounts)],
) -> Statistics<'a> {
    let sector = |&(sector, counts): &(millbase::game::Sector, SectorCounts)| Sector {
        mover: sector.mover,
        opponent: sector.opponent,
        mover_hand: sector.mover_hand,
        opponent_hand: sector.opponent_hand,
        win: counts.win,
        draw: counts.draw,
        loss: counts.loss,
        longest_win: counts.longest_win,
        longest_loss: counts.longest_loss,
        examples: Examples::default(),
    };
    Statistics {
        variant: &variant.id,
        start: None,
        counting: None,
        sectors: counts.iter().map(sector).collect(),
    }
}

fn sector(database: &Database, record: &SectorRecord) -> Sector {
    let statistics = &record.statistics;
    let examples = &statistics.examples;
    let text = |cell: Option<u64>| cell.map(|cell| example(database, record, cell));
    Sector {
        mover: record.sector.mover,
        opponent: record.sector.opponent,
        mover_hand: record.sector.mover_hand,
        opponent_hand: record.sector.opponent_hand,
        win: statistics.win,
        draw: statistics.draw,
        loss: statistics.loss,
        longest_win: statistics.longest_win,
        longest_loss: statistics.longest_loss,
        examples: Examples {
            win: text(examples.win),
            draw: text(examples.draw),
            loss: text(examples.loss),
            longest_win: text(examples.longest_win),
            longest_loss: text(examples.longest_loss),
        },
    }
}

/// The position of a cell as a text.
fn example(database: &Database, record: &SectorRecord, cell: u64) -> String {
    let sector = record.sector;
    let position = sector.position(database.index().unrank(sector, cell));
    write_position(database.variant(), &position.into())
}

impl Sector {
    fn label(&self) -> String {
        let sector = millbase::game::Sector {
            mover: self.mover,
            opponent: self.opponent,
            mover_hand: self.mover_hand,
            opponent_hand: self.opponent_hand,
        };
        sector.to_string()
    }
}

/// A position of each kind for every sector.
fn examples(statistics: &Statistics) -> String {
    let mut text = "\nFor example:\n".to_owned();
    for sector in &statistics.sectors {
        let examples = &sector.examples;
        let kinds = [
            ("won", &examples.win),
            ("drawn", &examples.draw),
            ("lost", &examples.loss),
            ("longest win", &examples.longest_win),
            ("longest loss", &examples.longest_loss),
        ];
        let label = sector.label();
        for (kind, position) in kinds {
            if let Some(position) = position {
                text += &format!("{label:<8} {kind:<13} {position}\n");
            }
        }
    }
    text
}

/// The counts as a table.
pub fn tell(statistics: &Statistics) -> String {
    let mut table = table(&[
        "sector",
        "positions",
        "won",
        "drawn",
        "lost",
        "longest win",
        "longest loss",
    ]);
    let mut total = [0; 3];
    let plies = |plies: Option<u16>| plies.map_or(String::new(), |plies| plies.to_string());
    for s in &statistics.sectors {
        let counts = [s.win, s.draw, s.loss];
        for (total, count) in total.iter_mut().zip(counts) {
            *total += count;
        }
        let label = s.label();
        let [win, draw, loss] = counts.map(grouped);
        let positions = grouped(counts.iter().sum());
        table.add_row([
            label,
            positions,
            win,
            draw,
            loss,
            plies(s.longest_win),
            plies(s.longest_loss),
        ]);
    }
    let longest =
        |of: fn(&Sector) -> Option<u16>| plies(statistics.sectors.iter().filter_map(of).max());
    let [win, draw, loss] = total.map(grouped);
    table.add_row([
        "all".to_owned(),
        grouped(total.iter().sum()),
        win,
        draw,
        loss,
        longest(|s| s.longest_win),
        longest(|s| s.longest_loss),
    ]);
    let count = match &statistics.counting {
        None => String::new(),
        Some(counting) => format!(
            "Plies count to the next capture, {}.\n",
            match counting.limit() {
                Some(limit) => format!("and {limit} without one are a draw"),
                None => "any number of which may pass".to_owned(),
            }
        ),
    };
    let start = statistics.start.map_or_else(
        || "The start position is not in this database.".to_owned(),
        |value| format!("The start position is a {value} for White, who moves first."),
    );
    format!(
        "{}: {} sectors, {} positions\n{start}\n{count}\n{table}\n",
        statistics.variant,
        statistics.sectors.len(),
        grouped(total.iter().sum())
    )
}

/// A table with a header: the first column to the left, numbers to the right.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header(header.iter().copied());
    for (number, column) in table.column_iter_mut().enumerate() {
        if number > 0 && header[number] != "name" {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
