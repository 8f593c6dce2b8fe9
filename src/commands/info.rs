//! `millbase info`: which game a database is about, and how it was made.

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use millbase::database::{Contents, Database, FileRecord, Kind};
use millbase::figures::counted;
use millbase::solve::MovementFrom;
use serde::Serialize;

use super::failure::Failure;
use super::{grouped, print, print_json, short, size};

/// Says which game and rules a database holds, whether it is complete, and how it was made.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Print one JSON object instead
    #[arg(long, conflicts_with = "checksums")]
    json: bool,
    /// Print the digests of all files as `b3sum --check` reads them, run in the database's folder
    #[arg(long)]
    checksums: bool,
}

#[derive(Serialize)]
struct Info<'a> {
    variant: &'a str,
    name: &'a str,
    fingerprint: &'a str,
    contents: millbase::database::Contents,
    complete: bool,
    sectors: usize,
    derived: usize,
    positions: u64,
    cells: u64,
    file_bytes: u64,
    creator: &'a str,
    format_version: u32,
    sector_list: &'a [millbase::database::SectorRecord],
    rules: &'a str,
    summary: &'a serde_json::Value,
}

impl Arguments {
    /// Tells.
    pub fn run(self) -> Result<(), Failure> {
        let database = Database::open(&self.db)?;
        let (manifest, variant) = (database.manifest(), database.variant());
        let missing: Vec<_> = variant
            .sectors()
            .into_iter()
            .filter(|&sector| !database.has(sector))
            .collect();
        if self.checksums {
            return print(&manifest.checksums());
        }
        let absent: Vec<&str> = files_not_there(&database);
        let info = Info {
            variant: &variant.id,
            name: &variant.name,
            fingerprint: &manifest.fingerprint,
            contents: database.contents(),
            complete: missing.is_empty() && absent.is_empty(),
            derived: manifest.sectors.iter().filter(|s| s.derived).count(),
            sectors: manifest.sectors.len(),
            positions: manifest
                .sectors
                .iter()
                .map(|s| s.statistics.positions())
                .sum(),
            cells: manifest.sectors.iter().map(|s| s.cells).sum(),
            file_bytes: bytes_there(&database),
            creator: &manifest.creator,
            format_version: manifest.version(),
            sector_list: &manifest.sectors,
            rules: &manifest.rules,
            summary: &manifest.summary,
        };
        if self.json {
            return print_json(&info);
        }
        let lacks = |count: usize, thing: &str, first: &dyn Display| {
            let is = if count == 1 { "is" } else { "are" };
            let things = counted(count as u64, thing);
            format!("no, {things} {is} missing, {first} for one")
        };
        let complete = match (missing.as_slice(), absent.as_slice()) {
            ([], []) => "yes".to_owned(),
            ([], [first, ..]) => lacks(absent.len(), "file", first),
            ([first, ..], _) => lacks(missing.len(), "sector", first),
        };
        let sectors = match info.derived {
            0 => grouped(info.sectors as u64),
            derived => format!(
                "{}, {derived} of them by looking one turn ahead",
                info.sectors
            ),
        };
        let source = serde_json::from_value(manifest.summary["movement_from"].clone());
        let movement = source.unwrap_or(None::<MovementFrom>).map(|from| {
            let rules = short(&from.fingerprint);
            let text = format!("from a database of {} (rules {rules})", from.variant);
            ("movement", text)
        });
        let rows = [
            ("game", format!("{} ({})", info.name, info.variant)),
            ("holds", holds(&database)),
            ("complete", complete),
            ("sectors", sectors),
            ("positions", grouped(info.positions)),
            ("on disk", size(info.file_bytes)),
            ("rules", info.fingerprint.to_owned()),
            ("made by", info.creator.replace(char::is_control, " ")),
            ("format", format!("version {}", info.format_version)),
        ];
        let mut text = String::new();
        for (key, value) in rows.into_iter().chain(movement) {
            text += &format!("{key:<10} {value}\n");
        }
        print(&format!("{text}\n{}", info.rules))
    }
}

/// What the database tells about a position.
fn holds(database: &Database) -> String {
    let contents = database.contents();
    let Some(counting) = database.counting() else {
        return contents.to_string();
    };
    let limit = counting.limit();
    let limit = limit.map_or("none".to_owned(), |limit| format!("{limit} plies"));
    let longest = counting.longest();
    format!("{contents}, no-capture limit: {limit}; next capture within {longest} plies at most")
}

/// Files that the manifest lists and the folder lacks, but for distances where none are installed.
fn files_not_there(database: &Database) -> Vec<&str> {
    let wanted = files(database)
        .filter(|file| file.kind != Kind::Distances || database.contents() == Contents::Distances);
    let absent = wanted.filter(|file| !database.is_there(file));
    absent.map(|file| file.name.as_str()).collect()
}

/// Bytes of the files that the manifest lists and the folder has.
fn bytes_there(database: &Database) -> u64 {
    let there = files(database).filter(|file| database.is_there(file));
    there.map(|file| file.bytes).sum()
}

fn files(database: &Database) -> impl Iterator<Item = &FileRecord> {
    let records = database.manifest().sectors.iter();
    records.flat_map(|record| &record.files)
}
