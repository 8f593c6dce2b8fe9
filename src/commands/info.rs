//! `millbase info`: which game a database is about, and how it was made.

use std::path::PathBuf;

use clap::Args;
use millbase::database::Database;
use serde::Serialize;

use super::failure::Failure;
use super::{grouped, print, print_json, size};

/// Says which game and rules a database holds, whether it is complete, and how it was made.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info<'a> {
    variant: &'a str,
    name: &'a str,
    fingerprint: &'a str,
    contents: millbase::database::Contents,
    complete: bool,
    sectors: usize,
    positions: u64,
    cells: u64,
    file_bytes: u64,
    creator: &'a str,
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
        let info = Info {
            variant: &variant.id,
            name: &variant.name,
            fingerprint: &manifest.fingerprint,
            contents: manifest.contents,
            complete: missing.is_empty(),
            sectors: manifest.sectors.len(),
            positions: manifest
                .sectors
                .iter()
                .map(|s| s.statistics.positions())
                .sum(),
            cells: manifest.sectors.iter().map(|s| s.cells).sum(),
            file_bytes: manifest.sectors.iter().map(|s| s.file_bytes).sum(),
            creator: &manifest.creator,
            rules: &manifest.rules,
            summary: &manifest.summary,
        };
        if self.json {
            return print_json(&info);
        }
        let complete = match missing.as_slice() {
            [] => "yes".to_owned(),
            [first, ..] => format!("no, {} sectors are missing, {first} for one", missing.len()),
        };
        let rows = [
            ("game", format!("{} ({})", info.name, info.variant)),
            ("holds", info.contents.to_string()),
            ("complete", complete),
            ("sectors", grouped(info.sectors as u64)),
            ("positions", grouped(info.positions)),
            ("on disk", size(info.file_bytes)),
            ("rules", info.fingerprint.to_owned()),
            ("made by", info.creator.to_owned()),
        ];
        let mut text = String::new();
        for (key, value) in rows {
            text += &format!("{key:<10} {value}\n");
        }
        print(&format!("{text}\n{}", info.rules))
    }
}
