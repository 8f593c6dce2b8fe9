//! `millbase check`: a database against published figures.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use millbase::database::Database;
use millbase::verify::reference::compare;

use super::failure::Failure;
use super::{grouped, print, print_json, verdict};

/// Compares a database with figures that others have published.
///
/// Known are, for nine men's morris: counts and longest distances of all 49 movement sectors and of twelve
/// sectors of Malom's database, the values of some 1,850 positions from it, the number of positions, the
/// draw of the start position, and an opening with a single winning reply. For `twelve` and `lasker`: sectors,
/// positions and the start position of Malom's databases.
///
/// Leaves with exit code 0 if all agree and 3 if not.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Print a JSON list instead
    #[arg(long)]
    json: bool,
}

/// Differences of a table that are listed.
const LISTED: usize = 10;

impl Arguments {
    /// Compares.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let comparisons = compare(&Database::open(&self.db)?)?;
        if self.json {
            print_json(&comparisons)?;
        } else {
            let mut table =
                super::stats::table(&["table", "compared", "differ", "not in this database"]);
            let mut differences = String::new();
            for comparison in &comparisons {
                let counts = [
                    comparison.compared,
                    comparison.differences.len(),
                    comparison.absent,
                ];
                let [compared, differ, absent] = counts.map(|count| grouped(count as u64));
                table.add_row([comparison.table.to_owned(), compared, differ, absent]);
                for d in comparison.differences.iter().take(LISTED) {
                    differences +=
                        &format!("{}: published {}, here {}\n", d.of, d.published, d.found);
                }
            }
            print(&format!("{}\n{differences}", table.trim_fmt()))?;
        }
        let same = comparisons
            .iter()
            .all(|comparison| comparison.differences.is_empty());
        Ok(verdict(same))
    }
}
