//! `millbase plan`: what solving a game takes, before any work.

use std::path::Path;

use clap::Args;
use millbase::game::Variant;
use millbase::solve::{
    SolveOptions, count_cells, count_positions, needs, positions, seconds, solver,
};
use serde::Serialize;

use super::failure::Failure;
use super::fit::Room;
use super::{duration, grouped, machine, print, print_json, size};

/// Says what solving a game takes: sectors, positions, memory, disk and time.
///
/// Memory, disk and time are forecasts: memory within a tenth, time from the speed of a machine with two cores
/// of 2023. What is available is what this machine has free now, and on the disk of the current folder. When a
/// run does not fit, what would is said too.
///
/// The fast solver takes boards of up to 24 points and every rule but mills that pay once (and passing or winning
/// by the first mill where men may move before all are placed); the plain one takes all others, as long as 16 GiB
/// of memory are enough for it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase plan nine
  millbase plan twelve --values-only
  millbase plan nine --metric conversion
  millbase plan pentagon --men-up-to 4")]
pub struct Arguments {
    /// Id of a built-in game (see `millbase variants`) or path of a variant file
    variant: String,
    /// Win, draw and loss only
    #[arg(long)]
    values_only: bool,
    /// What distances count: plies to the end of the game, or to the next capture
    #[arg(long, value_enum, default_value_t, conflicts_with = "values_only")]
    metric: super::Metric,
    /// Only the sectors with empty hands and at most N men a side
    #[arg(long, value_name = "N")]
    men_up_to: Option<u8>,
    /// Memory to keep within, in GiB, such as 16 or 0.5 [default: what is available]
    #[arg(long, value_name = "GIB", value_parser = machine::gibibytes)]
    memory: Option<u64>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Plan<'a> {
    variant: &'a str,
    solver: &'static str,
    sectors: usize,
    /// Positions to solve; symmetric images count as one.
    positions: u64,
    /// Positions of all sectors of the game, where only some are to be solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    whole_game: Option<u64>,
    /// Cells of the database: a few positions have more than one. `None` of a game that no database can hold.
    cells: Option<u64>,
    symmetries: usize,
    memory_bytes: Option<u64>,
    memory_available: u64,
    disk_bytes: Option<u64>,
    disk_available: Option<u64>,
    seconds: Option<f64>,
    /// Why it cannot be solved so, or not here, and what could be.
    refused: Option<String>,
}

impl Arguments {
    /// Tells.
    pub fn run(self) -> Result<(), Failure> {
        let variant = Variant::load(&self.variant)?;
        let options = SolveOptions {
            values_only: self.values_only,
            metric: self.metric.with_limit(None)?,
            men_up_to: self.men_up_to,
            memory: Some(self.memory.unwrap_or_else(machine::available_memory)),
            ..SolveOptions::default()
        };
        let sectors = options.sectors(&variant)?;
        let room = Room::new(Path::new("."), None, self.memory);
        let refused = room.check(&variant, &options).err();
        let needs = needs(&variant, &options).ok();
        let positions = match variant.rules.mills_pay_once {
            // With what they remember.
            true => positions(&variant, &options)?,
            false => count_positions(&variant, &sectors),
        };
        let whole = || count_positions(&variant, &variant.sectors());
        let plan = Plan {
            variant: &variant.id,
            solver: solver(&variant, &options).name(),
            sectors: sectors.len(),
            positions,
            whole_game: options.men_up_to.map(|_| whole()),
            cells: (!variant.rules.mills_pay_once).then(|| count_cells(&variant, &sectors)),
            symmetries: variant.board.symmetries().len(),
            memory_bytes: needs.map(|needs| needs.memory_bytes),
            memory_available: room.resources.memory_bytes,
            disk_bytes: needs.map(|needs| needs.disk_bytes),
            disk_available: room.resources.disk_bytes,
            seconds: needs.and_then(|_| seconds(&variant, &options).ok()),
            refused: refused.map(|failure| failure.to_string()),
        };
        if self.json {
            return print_json(&plan);
        }
        print(&tell(&variant, &plan, &room.memory()))
    }
}

fn tell(variant: &Variant, plan: &Plan<'_>, memory_here: &str) -> String {
    let whole = plan.whole_game.map_or(String::new(), |positions| {
        format!(", of {} of the whole game", grouped(positions))
    });
    let cells = plan.cells.map_or(
        "none: a database has no place for which mills have paid, so --no-database is needed"
            .to_owned(),
        |cells| format!("{} in the database", grouped(cells)),
    );
    let mut text = format!(
        "{} ({})\nsectors     {}\npositions   {}{whole}; the {} symmetric images of one count once\n\
         cells       {cells}\nsolver      {}\n",
        variant.name,
        plan.variant,
        grouped(plan.sectors as u64),
        grouped(plan.positions),
        plan.symmetries,
        plan.solver,
    );
    if let Some(memory) = plan.memory_bytes {
        text += &format!("memory      about {}; {memory_here}\n", size(memory));
    }
    if let Some(disk) = plan.disk_bytes {
        let free = plan.disk_available.map_or("unknown".to_owned(), size);
        let disk = size(disk);
        text += &format!("disk        about {disk} while it runs; {free} available\n");
    }
    if let Some(seconds) = plan.seconds {
        text += &format!("time        about {} on two cores\n", duration(seconds));
    }
    if let Some(reason) = &plan.refused {
        text += &format!("It would be refused: {reason}.\n");
    }
    text
}
