//! The manifest: what a database is about, in JSON for programs and people.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::conversion::Counting;
use crate::game::{Sector, Variant};
use crate::index::{Fixed, OrbitCounter};

use super::error::{Damage, DatabaseError, IoContext};
use super::kind::Kind;
use super::output::Output;
use super::statistics::Statistics;
use super::task::PROGRAM;
use super::{Contents, folder, format};

/// The manifest's name within the folder.
pub const FILE_NAME: &str = "manifest.json";

const FORMAT: &str = "millbase database";

/// Far more than any game needs: a manifest has about two kilobytes a sector.
const MOST_BYTES: u64 = 64 << 20;

/// The contents of `manifest.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    version: u32,
    /// The program that wrote the database, with its version.
    pub creator: String,
    /// Id of the variant.
    pub variant: String,
    /// Fingerprint of the rules, in hexadecimal digits.
    pub fingerprint: String,
    /// What the cells hold.
    pub contents: Contents,
    /// What the bytes of conversions stand for, and under which limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counting: Option<Counting>,
    /// About the run that made the database, as it saw fit: time, memory, machine.
    pub summary: serde_json::Value,
    /// The rules: the text of a variant file.
    pub rules: String,
    /// The sectors in ascending order.
    pub sectors: Vec<SectorRecord>,
    /// BLAKE3 digest of the text before this, the last member.
    digest: String,
}

/// What the manifest says about a sector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectorRecord {
    /// The sector; in JSON the stem of its file, such as `3_4_6_5`.
    #[serde(with = "stem")]
    pub sector: Sector,
    /// Cells of the sector.
    pub cells: u64,
    /// Whose men number the rows.
    pub fixed: Fixed,
    /// Whether the sector is not stored because one turn of look-ahead tells its values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// The files that hold the sector: one, or values and distances apart.
    pub files: Vec<FileRecord>,
    /// What the positions are worth.
    pub statistics: Statistics,
}

/// What the manifest says about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// What it holds.
    pub kind: Kind,
    /// Its name within the folder.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its BLAKE3 digest, in hexadecimal digits.
    pub blake3: String,
}

impl SectorRecord {
    /// Size of the sector's files in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// The file of one of these kinds.
    pub fn file(&self, kinds: &[Kind]) -> Option<&FileRecord> {
        self.files.iter().find(|file| kinds.contains(&file.kind))
    }
}

/// The part of a manifest that all versions share.
#[derive(Deserialize)]
struct Start {
    format: Option<String>,
    version: Option<u32>,
}

impl Manifest {
    /// A manifest of this program's making.
    pub(super) fn new(
        variant: &Variant,
        contents: Contents,
        sectors: Vec<SectorRecord>,
        summary: serde_json::Value,
    ) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: format::VERSION.into(),
            creator: PROGRAM.to_owned(),
            variant: variant.id.clone(),
            fingerprint: variant.fingerprint().to_string(),
            contents,
            counting: None,
            summary,
            rules: variant.to_toml(),
            sectors,
            digest: String::new(),
        }
    }

    /// The manifest of a database of conversions.
    pub(super) fn counted(self, counting: Option<Counting>) -> Manifest {
        Manifest { counting, ..self }
    }

    /// The version of the format.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The files with their digests, as `b3sum --check` reads them.
    pub fn checksums(&self) -> String {
        let files = self.sectors.iter().flat_map(|record| &record.files);
        files
            .map(|file| format!("{}  {}\n", file.blake3, file.name))
            .collect()
    }

    /// What identifies the files of the database: the BLAKE3 digest of [`checksums`](Self::checksums).
    pub fn files_digest(&self) -> String {
        blake3::hash(self.checksums().as_bytes())
            .to_hex()
            .to_string()
    }

    /// Reads and checks a manifest, and the rules in it.
    pub(super) fn read(path: &Path) -> Result<(Manifest, Variant), DatabaseError> {
        let bytes = read_bounded(path)?;
        let damaged = |damage| DatabaseError::Damaged {
            path: path.to_owned(),
            damage,
        };
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err(foreign(path, &bytes));
        }
        let start: Start = serde_json::from_slice(&bytes)
            .map_err(|error| damaged(Damage::Manifest(error.to_string())))?;
        if start.format.as_deref() != Some(FORMAT) {
            let reason = format!("its manifest does not say \"format\": \"{FORMAT}\"");
            return Err(DatabaseError::NotADatabase {
                path: path.to_owned(),
                reason,
            });
        }
        match start.version {
            Some(version) if version != u32::from(format::VERSION) => {
                return Err(DatabaseError::Version {
                    path: path.to_owned(),
                    found: version,
                    known: format::VERSION.into(),
                });
            }
            _ => {}
        }
        let manifest: Manifest = serde_json::from_slice(&bytes)
            .map_err(|error| damaged(Damage::Manifest(error.to_string())))?;
        if digest_of(&bytes).as_ref() != Some(&manifest.digest) {
            let text = "it does not match the digest at its end".to_owned();
            return Err(damaged(Damage::Manifest(text)));
        }
        let variant = manifest.check_rules(path)?;
        manifest.check_counting().map_err(damaged)?;
        manifest.check_sectors(&variant).map_err(damaged)?;
        Ok((manifest, variant))
    }

    /// Reads the rules and compares them with what else the manifest says of them.
    fn check_rules(&self, path: &Path) -> Result<Variant, DatabaseError> {
        let variant =
            Variant::from_toml(&self.rules, "rules").map_err(|source| DatabaseError::Rules {
                path: path.to_owned(),
                source,
            })?;
        let damaged = |damage| DatabaseError::Damaged {
            path: path.to_owned(),
            damage,
        };
        let fingerprint = variant.fingerprint().to_string();
        if fingerprint != self.fingerprint {
            return Err(damaged(Damage::OtherRules(self.fingerprint.clone())));
        }
        if variant.id != self.variant {
            let text = format!(
                "it is of '{}' but has the rules of '{}'",
                self.variant, variant.id
            );
            return Err(damaged(Damage::Manifest(text)));
        }
        check_game(&variant)?;
        Ok(variant)
    }

    fn check_counting(&self) -> Result<(), Damage> {
        let wrong = match (&self.counting, self.contents) {
            (Some(counting), Contents::Conversions) => counting.check().err(),
            (None, Contents::Conversions) => Some("no numbering of its distances"),
            (Some(_), _) => Some("a numbering of conversions without conversions"),
            (None, _) => None,
        };
        match wrong {
            Some(what) => Err(Damage::Manifest(format!("it has {what}"))),
            None => Ok(()),
        }
    }

    fn check_sectors(&self, variant: &Variant) -> Result<(), Damage> {
        let counter = OrbitCounter::new(&variant.board);
        let known: BTreeSet<Sector> = variant.sectors().into_iter().collect();
        let mut seen = BTreeSet::new();
        for record in &self.sectors {
            let sector = record.sector;
            let wrong = |what: &str| Err(Damage::Manifest(format!("sector {sector} {what}")));
            if !known.contains(&sector) {
                return wrong("does not occur in this game");
            }
            if !seen.insert(sector) {
                return wrong("is listed twice");
            }
            if record.fixed != Fixed::of(sector) {
                return wrong("has its rows numbered by the wrong side");
            }
            if record.cells != counter.cells(sector) {
                let cells = counter.cells(sector);
                return wrong(&format!("has {} cells instead of {cells}", record.cells));
            }
            self.check_files(record)?;
        }
        self.check_derived(variant)
    }

    /// A sector has one file for the results, and one for distances if they are not in the first.
    fn check_files(&self, record: &SectorRecord) -> Result<(), Damage> {
        let wrong = |what: &str| {
            let text = format!("sector {} {what}", record.sector);
            Err(Damage::Manifest(text))
        };
        let kinds: Vec<Kind> = record.files.iter().map(|file| file.kind).collect();
        let expected: &[&[Kind]] = match (record.derived, self.contents) {
            (true, Contents::Conversions) => &[],
            (true, _) => &[&[]],
            (false, Contents::Values) => &[&[Kind::Planes], &[Kind::Values]],
            (false, Contents::Distances) => &[&[Kind::Scores], &[Kind::Values, Kind::Distances]],
            (false, Contents::Conversions) if record.sector.in_hand() == 0 => &[&[Kind::Scores]],
            (false, Contents::Conversions) => &[&[Kind::Planes]],
        };
        if !expected.contains(&kinds.as_slice()) {
            return wrong("does not have the files it needs");
        }
        for file in &record.files {
            if file.name != folder::file_name(record.sector, file.kind) {
                return wrong(&format!("has a file '{}' of another's name", file.name));
            }
        }
        Ok(())
    }

    /// One turn of look-ahead must be enough: it may not lead to another sector that is not stored.
    fn check_derived(&self, variant: &Variant) -> Result<(), Damage> {
        let derived = self.sectors.iter().filter(|record| record.derived);
        let derived: BTreeSet<Sector> = derived.map(|record| record.sector).collect();
        for &sector in &derived {
            let next = variant.sectors_after(sector).into_iter();
            if let Some(other) = next.into_iter().find(|next| derived.contains(next)) {
                let text = format!("sectors {sector} and {other} are both left to look-ahead");
                return Err(Damage::Manifest(text));
            }
        }
        Ok(())
    }

    /// Writes the manifest; a database has a whole one or none.
    pub(super) fn write(mut self, dir: &Path) -> Result<(), DatabaseError> {
        let path = dir.join(FILE_NAME);
        let to_text = |manifest: &Manifest| {
            let text = serde_json::to_string_pretty(manifest);
            text.map_err(std::io::Error::from).or_io("write", &path)
        };
        self.digest = digest_of(to_text(&self)?.as_bytes()).unwrap_or_default();
        let mut output = Output::create(&path)?;
        output.append(to_text(&self)?.as_bytes())?;
        output.append(b"\n")?;
        output.finish(true).map(drop)
    }
}

/// Digest of the text before the last member, in hexadecimal digits.
fn digest_of(text: &[u8]) -> Option<String> {
    const KEY: &[u8] = b"\"digest\"";
    let at = text.windows(KEY.len()).rposition(|bytes| bytes == KEY)?;
    Some(blake3::hash(&text[..at]).to_hex().to_string())
}

/// Refuses games whose positions have to remember more than the index numbers.
pub(super) fn check_game(variant: &Variant) -> Result<(), DatabaseError> {
    if variant.rules.mills_pay_once {
        let variant = variant.id.clone();
        return Err(DatabaseError::NeedsPast { variant });
    }
    Ok(())
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, DatabaseError> {
    let file = File::open(path).or_io("open", path)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .or_io("read", path)?;
    if bytes.len() as u64 > MOST_BYTES {
        let reason = format!("{FILE_NAME} is larger than {} MiB", MOST_BYTES >> 20);
        return Err(DatabaseError::NotADatabase {
            path: path.to_owned(),
            reason,
        });
    }
    Ok(bytes)
}

/// The error for a file that is something else: says how it begins.
pub(super) fn foreign(path: &Path, bytes: &[u8]) -> DatabaseError {
    let reason = if bytes.is_empty() {
        "the file is empty".to_owned()
    } else {
        let start = &bytes[..bytes.len().min(16)];
        format!("it begins with \"{}\"", start.escape_ascii())
    };
    DatabaseError::NotADatabase {
        path: path.to_owned(),
        reason,
    }
}

/// Sectors as file stems.
mod stem {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::game::Sector;

    pub fn serialize<S: Serializer>(sector: &Sector, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&sector.file_stem())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Sector, D::Error> {
        let text = String::deserialize(deserializer)?;
        Sector::from_file_stem(&text)
            .ok_or_else(|| D::Error::custom(format!("'{text}' is no sector such as 3_4_6_5")))
    }
}
