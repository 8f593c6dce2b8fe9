//! What a database takes on disk.

use serde::Deserialize;

use crate::database::{Database, Kind};
use crate::solve::MovementFrom;

use super::Counts;

/// Sizes.
#[derive(Debug)]
pub struct Costs<'a> {
    /// Distinct positions; symmetric images count as one.
    pub positions: u64,
    /// Sectors that are in no file, because looking one turn ahead tells their values.
    pub derived: usize,
    /// The files that are there, by kind.
    pub stored: Vec<Stored>,
    /// The database whose movement layer was taken over, if it was not solved for this one.
    pub movement_from: Option<MovementFrom>,
    /// The program that wrote the database, with its version.
    pub creator: &'a str,
    /// What identifies the files: see [`Manifest::files_digest`](crate::database::Manifest::files_digest).
    pub digest: String,
}

/// Files of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// What they hold.
    pub kind: Kind,
    /// How many there are.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Stored {
    /// Bits for each of so many positions.
    pub fn bits(&self, positions: u64) -> f64 {
        self.bytes as f64 * 8.0 / positions.max(1) as f64
    }
}

impl<'a> Costs<'a> {
    pub(super) fn of(database: &'a Database) -> Costs<'a> {
        let manifest = database.manifest();
        let records = manifest.sectors.iter();
        let kinds = [Kind::Scores, Kind::Planes, Kind::Values, Kind::Distances];
        Costs {
            positions: Counts::sum(records.clone()).positions(),
            derived: records.filter(|record| record.derived).count(),
            stored: kinds
                .into_iter()
                .filter_map(|kind| stored(database, kind))
                .collect(),
            movement_from: Deserialize::deserialize(&manifest.summary["movement_from"]).ok(),
            creator: &manifest.creator,
            digest: manifest.files_digest(),
        }
    }

    /// Bytes of all files that are there.
    pub fn bytes(&self) -> u64 {
        self.stored.iter().map(|stored| stored.bytes).sum()
    }
}

/// The files of a kind that the folder has, `None` if it has none.
fn stored(database: &Database, kind: Kind) -> Option<Stored> {
    let records = database.manifest().sectors.iter();
    let files = records.flat_map(|record| &record.files);
    let there = files.filter(|file| file.kind == kind && database.is_there(file));
    let bytes: Vec<u64> = there.map(|file| file.bytes).collect();
    (!bytes.is_empty()).then(|| Stored {
        kind,
        files: bytes.len(),
        bytes: bytes.iter().sum(),
    })
}
