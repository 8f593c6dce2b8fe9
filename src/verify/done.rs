//! The sectors that a verification is through with, so that one that was stopped goes on.
//!
//! ```text
//! 8f3a1c...                                the digest of the database
//! {"sector":"3-3","win":...}               a sector that is right, and what it holds
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::VerifyError;
use super::consistency::Tally;
use crate::game::Sector;

/// The sectors that are done, in a file if there is one: a line each, below one with the digest of the
/// database they are of.
pub(super) struct Done {
    sectors: BTreeMap<String, Tally>,
    file: Option<File>,
}

/// A line of the list of sectors that are done.
#[derive(Serialize, Deserialize)]
struct DoneSector {
    sector: String,
    #[serde(flatten)]
    tally: Tally,
}

impl Done {
    pub(super) fn open(path: Option<&Path>, digest: &str) -> Result<Done, VerifyError> {
        let mut done = Done {
            sectors: BTreeMap::new(),
            file: None,
        };
        let Some(path) = path else { return Ok(done) };
        let cannot = |source: io::Error| VerifyError::List {
            path: path.to_owned(),
            source,
        };
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let is_digest = first.len() == digest.len() && first.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_digest && !text.is_empty() {
            return Err(VerifyError::InTheWay {
                path: path.to_owned(),
            });
        }
        let same = first == digest;
        let options = File::options()
            .create(true)
            .append(same)
            .write(true)
            .truncate(!same)
            .open(path);
        let mut file = options.map_err(cannot)?;
        if same {
            // A line that was being written when the program was stopped is not read: that sector is done again.
            let lines = lines.filter_map(|line| serde_json::from_str::<DoneSector>(line).ok());
            done.sectors = lines.map(|line| (line.sector, line.tally)).collect();
        }
        match (same, text.ends_with('\n')) {
            (true, true) => {}
            (true, false) => writeln!(file).map_err(cannot)?,
            (false, _) => writeln!(file, "{digest}").map_err(cannot)?,
        }
        done.file = Some(file);
        Ok(done)
    }

    pub(super) fn get(&self, sector: Sector) -> Option<&Tally> {
        self.sectors.get(&sector.to_string())
    }

    /// Notes a sector. What cannot be noted will only be done again.
    pub(super) fn add(&mut self, sector: Sector, tally: &Tally) {
        let line = DoneSector {
            sector: sector.to_string(),
            tally: tally.clone(),
        };
        if let (Some(file), Ok(line)) = (&mut self.file, serde_json::to_string(&line)) {
            let _ = writeln!(file, "{line}");
        }
    }
}
