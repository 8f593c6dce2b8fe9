//! What a run is to write, noted before it begins, so that only the same command takes it up again.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::conversion::Counting;
use crate::game::{Sector, Variant};

use super::Contents;
use super::manifest::{Manifest, SectorRecord};

/// A line of the log of a run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// What is to be written; the first line.
    Task(Task),
    /// A sector is finished.
    Sector(Box<SectorRecord>),
    /// What the bytes of conversions stand for; before the first sector that has them.
    Counting(Box<Counting>),
}

/// A database to be written. Equal tasks give equal files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    program: String,
    variant: String,
    /// Fingerprint of the rules.
    fingerprint: String,
    contents: String,
    level: i32,
    sectors: usize,
    /// BLAKE3 digest of the names of all sectors.
    names: String,
}

impl Task {
    pub fn new(
        variant: &Variant,
        contents: Contents,
        level: i32,
        sectors: &BTreeSet<Sector>,
    ) -> Task {
        Task {
            program: PROGRAM.to_owned(),
            variant: variant.id.clone(),
            fingerprint: variant.fingerprint().to_string(),
            contents: contents.to_string(),
            level,
            sectors: sectors.len(),
            names: digest(sectors.iter().copied()),
        }
    }

    /// Whether this has led to a database. The level of compression is not to be seen there.
    pub fn is_of(&self, manifest: &Manifest) -> bool {
        let sectors = manifest.sectors.iter().map(|record| record.sector);
        self.program == manifest.creator
            && self.variant == manifest.variant
            && self.fingerprint == manifest.fingerprint
            && self.contents == manifest.contents.to_string()
            && self.names == digest(sectors)
            // A packed database has other files.
            && manifest.sectors.iter().all(|record| !record.derived)
            && (manifest.sectors.iter().flat_map(|record| &record.files))
                .all(|file| file.kind.ending() == "sector")
    }

    /// The task in words, as far as it differs from another.
    pub fn describe(&self, other: &Task) -> String {
        let mut text = format!("'{}' with {}", self.variant, self.contents);
        if self.fingerprint != other.fingerprint && self.variant == other.variant {
            let digits: String = self.fingerprint.chars().take(12).collect();
            text += &format!(" by the rules {digits}");
        }
        if self.names != other.names {
            text += &format!(" in {} sectors", self.sectors);
        }
        if self.program != other.program {
            text += &format!(" by {}", self.program);
        }
        if self.level != other.level {
            text += &format!(" at level {}", self.level);
        }
        text
    }
}

/// The program, as manifests name it too.
pub const PROGRAM: &str = concat!("millbase ", env!("CARGO_PKG_VERSION"));

fn digest(sectors: impl Iterator<Item = Sector>) -> String {
    let names: String = sectors.map(|sector| sector.file_stem() + " ").collect();
    blake3::hash(names.as_bytes()).to_hex().to_string()
}
