//! `millbase pack`: makes the small form of a database.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use millbase::database::{Contents, Database, Kind, PackOptions, Packed, pack};
use millbase::game::Sector;
use millbase::solve::Progress;
use serde::Serialize;

use super::failure::Failure;
use super::interrupt::{Interrupted, on_interrupt};
use super::progress::Display;
use super::record::{check_writable, record};
use super::{duration, grouped, print, size};

/// Makes the small form of a database: the same answers from far fewer bytes.
///
/// Values (win, draw, loss) go to one set of files and distances to another beside it; delete the files
/// that end in .distances, or pack with --values, and everything but distances still works. About a third of
/// the sectors are in no file, because looking one turn ahead tells what their positions are worth.
///
/// All of nine takes 5 minutes on two cores for values and half an hour with distances. A packing that was
/// stopped goes on where it was when the same command is given again.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase pack --db nine-db --out nine-packed
  millbase pack --db nine-db --out nine-values --values
  millbase pack --db nine-db --out endgames --sectors 3-3,3-4,4-3

A sector is named by the men on the board, the side to move first, and the men in hand: 3-4, 3-4+6-5. \
Positions of sectors that were left out are answered \"unknown\".")]
pub struct Arguments {
    /// The folder of the database to pack
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// The folder to make: new, empty, or left by the same command when it was stopped
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Win, draw and loss only
    #[arg(long)]
    values: bool,
    /// Only these sectors, separated by commas
    #[arg(long, value_name = "SECTORS", value_delimiter = ',')]
    sectors: Option<Vec<Sector>>,
    /// Also write sizes, bits a position by group of sectors, time and machine to this file as JSON
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Threads to work with [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Arguments {
    /// Packs.
    pub fn run(self) -> Result<(), Failure> {
        let database = Database::open(&self.db)?;
        self.record.as_deref().map_or(Ok(()), check_writable)?;
        on_interrupt(Interrupted::GoesOn)?;
        let options = PackOptions {
            values_only: self.values,
            sectors: self.sectors.map(BTreeSet::from_iter),
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0).into())
            .build()
            .map_err(|error| Failure::fault(format!("cannot start threads: {error}")))?;
        let (display, started) = (Display::new(), Instant::now());
        let packed = pool.install(|| {
            let announce = |cells| display.stage("packing", cells);
            pack(&database, &self.out, &options, &announce, &|cells| {
                display.advance(cells)
            })
        })?;
        display.finish();
        let seconds = started.elapsed().as_secs_f64();
        if let Some(path) = &self.record {
            let groups = groups(&Database::open(&self.out)?);
            let findings = Findings {
                variant: &database.variant().id,
                wall_seconds: seconds,
                packed: &packed,
                groups,
            };
            record(path, &findings)?;
        }
        let lost_distances = database.contents() == Contents::Distances && options.values_only;
        let text = tell(&packed, lost_distances, seconds);
        print(&format!("{text}Database: {}\n", self.out.display()))
    }
}

/// What a packing came to, for the record.
#[derive(Serialize)]
struct Findings<'a> {
    variant: &'a str,
    wall_seconds: f64,
    #[serde(flatten)]
    packed: &'a Packed,
    groups: Vec<Group>,
}

/// Sectors that are alike: a layer of placing, or a pair of men without men in hand.
#[derive(Serialize, Default)]
struct Group {
    name: String,
    positions: u64,
    stored_positions: u64,
    values_bytes: u64,
    distances_bytes: u64,
    /// Bits of values for each position that is stored.
    values_bits_stored: f64,
    distances_bits_stored: f64,
    /// Bits of values for each position, stored or not.
    values_bits: f64,
    distances_bits: f64,
}

fn groups(database: &Database) -> Vec<Group> {
    let mut groups: BTreeMap<(u8, u8, u8), Group> = BTreeMap::new();
    for record in &database.manifest().sectors {
        let sector = record.sector;
        let (most, least) = (
            sector.mover.max(sector.opponent),
            sector.mover.min(sector.opponent),
        );
        let (key, name) = match sector.in_hand() {
            0 => (
                (0, most, least),
                format!("{most}-{least} and {least}-{most}"),
            ),
            hand => ((hand, 0, 0), format!("{hand} men in hand")),
        };
        let group = groups.entry(key).or_default();
        group.name = name;
        let positions = record.statistics.positions();
        group.positions += positions;
        group.stored_positions += if record.derived { 0 } else { positions };
        for file in &record.files {
            match file.kind {
                Kind::Distances => group.distances_bytes += file.bytes,
                _ => group.values_bytes += file.bytes,
            }
        }
    }
    let bits = |bytes: u64, positions: u64| match positions {
        0 => 0.0,
        _ => bytes as f64 * 8.0 / positions as f64,
    };
    let finish = |group: Group| Group {
        values_bits_stored: bits(group.values_bytes, group.stored_positions),
        distances_bits_stored: bits(group.distances_bytes, group.stored_positions),
        values_bits: bits(group.values_bytes, group.positions),
        distances_bits: bits(group.distances_bytes, group.positions),
        ..group
    };
    groups.into_values().map(finish).collect()
}

fn tell(packed: &Packed, lost_distances: bool, seconds: f64) -> String {
    let bits = |bytes: u64| bytes as f64 * 8.0 / packed.cells.max(1) as f64;
    let mut text = format!(
        "Values: {} bytes ({}), {:.3} bits a position\n",
        grouped(packed.values_bytes),
        size(packed.values_bytes),
        bits(packed.values_bytes),
    );
    if packed.distances_bytes > 0 {
        text += &format!(
            "Distances: {} bytes ({}), {:.3} bits a position\n",
            grouped(packed.distances_bytes),
            size(packed.distances_bytes),
            bits(packed.distances_bytes),
        );
    }
    text += &format!(
        "Sectors: {} stored, {} answered by looking one turn ahead\n",
        packed.stored, packed.derived
    );
    text += &match (lost_distances, packed.left_out) {
        (false, 0) => "Nothing is lost.\n".to_owned(),
        (true, 0) => "Distances are not in it.\n".to_owned(),
        (false, sectors) => format!("{sectors} sectors are not in it.\n"),
        (true, sectors) => format!("Distances and {sectors} sectors are not in it.\n"),
    };
    if packed.kept_files > 0 {
        text += &format!("{} files were finished already.\n", packed.kept_files);
    }
    text + &format!("Time: {}\n", duration(seconds))
}
