//! `millbase sample`: random positions with their values, to test other programs against.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use millbase::database::Contents;
use millbase::game::{Position, Sector};
use millbase::index::Cells;
use millbase::notation::write_position;
use millbase::probe::{Answer, Prober};
use millbase::random::Random;
use serde::Serialize;

use super::failure::Failure;
use super::query::name;
use super::start_threads;

/// Prints random positions with their values, one JSON object a line, to test other programs against.
///
/// A position is drawn from all cells of the chosen sectors alike; with --even every sector is drawn from
/// equally often. The same seed gives the same positions.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase sample --db six-db --count 1000 > positions.jsonl
  millbase sample --db nine-db --sectors 3-3,4-3 --even

JSON: {\"position\", \"sector\", \"value\", \"plies\"}")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// How many positions
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Another seed gives other positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only these sectors, separated by commas
    #[arg(long, value_name = "SECTORS", value_delimiter = ',')]
    sectors: Option<Vec<Sector>>,
    /// As many positions from each sector as from any other
    #[arg(long)]
    even: bool,
    /// How to read the files: by memory map, or by reading for file systems that do not like maps
    #[arg(long, value_enum, default_value_t = super::IoMode::Map)]
    io: super::IoMode,
}

/// Positions that are looked up together.
const AT_ONCE: usize = 1 << 14;

#[derive(Serialize)]
struct Line {
    position: String,
    sector: String,
    value: &'static str,
    plies: Option<u16>,
}

impl Arguments {
    /// Prints.
    pub fn run(self) -> Result<(), Failure> {
        let database = self.io.open(&self.db)?;
        start_threads()?;
        let sectors = match &self.sectors {
            Some(sectors) => sectors.clone(),
            None => database
                .manifest()
                .sectors
                .iter()
                .map(|record| record.sector)
                .collect(),
        };
        if let Some(sector) = sectors.iter().find(|&&sector| !database.has(sector)) {
            let text = format!("the database {} has no sector {sector}", self.db.display());
            return Err(Failure::mistake(text));
        }
        let (index, mut random) = (database.index(), Random::new(self.seed));
        let cells = Cells::of(index, sectors.iter().copied());
        let mut draw = |i: usize| -> Option<Position> {
            if self.even {
                let sector = sectors[i % sectors.len()];
                return Some(index.position(sector, random.below(index.len(sector))));
            }
            cells.position(random.below(cells.count()))
        };
        let count = if cells.count() == 0 { 0 } else { self.count };
        let has_distances = database.contents() == Contents::Distances;
        let prober = Prober::new(&database);
        let mut out = BufWriter::new(io::stdout().lock());
        let mut drawn = 0;
        while drawn < count {
            let piece = drawn..count.min(drawn.saturating_add(AT_ONCE));
            drawn = piece.end;
            let positions: Vec<Position> = piece.filter_map(&mut draw).collect();
            let answers = prober.values(&positions);
            for (position, answer) in positions.iter().zip(answers) {
                let (value, plies) = match answer? {
                    Answer::Known(probed) => (name(probed.outcome), probed.plies),
                    Answer::Unknown(_) => ("unknown", None),
                };
                let line = Line {
                    position: write_position(database.variant(), &(*position).into()),
                    sector: position.sector().to_string(),
                    value,
                    plies: plies.filter(|_| has_distances),
                };
                let written = serde_json::to_writer(&mut out, &line);
                written.map_err(|error| Failure::output(error.into()))?;
                out.write_all(b"\n").map_err(Failure::output)?;
            }
        }
        out.flush().map_err(Failure::output)
    }
}
