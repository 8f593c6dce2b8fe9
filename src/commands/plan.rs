//! `millbase plan`: what solving a game takes, before any work.

use clap::Args;
use millbase::game::Variant;
use millbase::index::OrbitCounter;
use millbase::solve::{SolveOptions, needs, solver};
use serde::Serialize;

use super::failure::Failure;
use super::{duration, grouped, machine, print, print_json, size};

/// Says what solving a game takes: sectors, positions, memory, disk and time.
///
/// Figures are forecasts: memory within a tenth, time from the speed of a machine with two cores of 2023.
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
    positions: u64,
    symmetries: usize,
    memory_bytes: Option<u64>,
    disk_bytes: Option<u64>,
    seconds: Option<f64>,
    /// Why it cannot be solved, if so.
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
        let counter = OrbitCounter::new(&variant.board);
        let solver = solver(&variant);
        let positions = sectors.iter().map(|&sector| counter.cells(sector)).sum();
        let found = needs(&variant, &options);
        let refused = match &found {
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        let needs = found.ok();
        let plan = Plan {
            variant: &variant.id,
            solver: solver.name(),
            sectors: sectors.len(),
            positions,
            symmetries: variant.board.symmetries().len(),
            memory_bytes: needs.map(|needs| needs.memory_bytes),
            disk_bytes: needs.map(|needs| needs.disk_bytes),
            seconds: needs.map(|_| solver.seconds(positions, options.contents())),
            refused,
        };
        if self.json {
            return print_json(&plan);
        }
        let limit = match self.memory {
            Some(memory) => format!("{} allowed", size(memory)),
            None => format!("{} available", size(machine::available_memory())),
        };
        print(&tell(&variant, &plan, &limit))
    }
}

fn tell(variant: &Variant, plan: &Plan<'_>, limit: &str) -> String {
    let mut text = format!(
        "{} ({})\nsectors     {}\npositions   {}, counted up to {} symmetries of the board\nsolver      {}\n",
        variant.name,
        plan.variant,
        grouped(plan.sectors as u64),
        grouped(plan.positions),
        plan.symmetries,
        plan.solver,
    );
    match (plan.memory_bytes, plan.disk_bytes, plan.seconds) {
        (Some(memory), Some(disk), Some(seconds)) => {
            text += &format!(
                "memory      about {}, of {limit}\ndisk        about {} while it runs\n\
                 time        about {} on two cores\n",
                size(memory),
                size(disk),
                duration(seconds),
            );
        }
        _ => {
            let reason = plan
                .refused
                .as_deref()
                .unwrap_or("it is beyond the solvers");
            text += &format!("It cannot be solved whole: {reason}.\n");
        }
    }
    text
}
