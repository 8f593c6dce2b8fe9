//! `millbase stats`: what a database holds, sector by sector.

use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use millbase::answer::{ExamplePositions, SectorStatistics, Statistics};
use millbase::database::Database;
use millbase::game::{Sector, Variant};
use millbase::solve::plain::SectorCounts;

use super::failure::Failure;
use super::{grouped, print, print_json};

/// Counts won, drawn and lost positions in every sector.
///
/// A sector is named by the men on the board, the side to move first, and the men in hand: `3-4`, or
/// `3-4+6-5` with six and five in hand. Symmetric images count as one position. Won and lost are meant for
/// the side to move; the longest win and loss are in plies,
/// of a database of conversions in plies to the next capture.
#[derive(Debug, Args)]
#[command(after_long_help = "\
JSON: {\"variant\", \"start\", \"sectors\":[{\"mover\", \"opponent\", \"mover_hand\", \"opponent_hand\", \
\"win\", \"draw\", \"loss\", \"longest_win\", \"longest_loss\", \"examples\"}]}; examples are position texts.")]
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

impl Arguments {
    /// Tells.
    pub fn run(self) -> Result<(), Failure> {
        let database = Database::open(&self.db)?;
        let statistics = Statistics::of(&database)?;
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

/// The counts of a game that was solved without a database, without example positions; `start` is left open.
pub fn counted<'a>(variant: &'a Variant, counts: &[(Sector, SectorCounts)]) -> Statistics<'a> {
    let sector = |&(sector, counts): &(Sector, SectorCounts)| SectorStatistics {
        mover: sector.mover,
        opponent: sector.opponent,
        mover_hand: sector.mover_hand,
        opponent_hand: sector.opponent_hand,
        win: counts.win,
        draw: counts.draw,
        loss: counts.loss,
        longest_win: counts.longest_win,
        longest_loss: counts.longest_loss,
        examples: ExamplePositions::default(),
    };
    Statistics {
        variant: &variant.id,
        start: None,
        counting: None,
        sectors: counts.iter().map(sector).collect(),
    }
}

/// The name of a sector.
fn label(counts: &SectorStatistics) -> String {
    let sector = Sector {
        mover: counts.mover,
        opponent: counts.opponent,
        mover_hand: counts.mover_hand,
        opponent_hand: counts.opponent_hand,
    };
    sector.to_string()
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
        let label = label(sector);
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
        let label = label(s);
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
    let longest = |of: fn(&SectorStatistics) -> Option<u16>| {
        plies(statistics.sectors.iter().filter_map(of).max())
    };
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
        "{}: {} sectors, {} positions\n{start}\n{count}\n{}\n",
        statistics.variant,
        statistics.sectors.len(),
        grouped(total.iter().sum()),
        table.trim_fmt()
    )
}

/// A table with a header: the first column to the left, numbers to the right. To be printed by `trim_fmt`, as
/// blanks at the ends of its lines would wrap in a narrow terminal.
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
