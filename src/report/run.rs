//! The run that solved a game, from its record.
//!
//! A database is the same wherever and however often it is made, so that it cannot tell what making it took.
//! `millbase solve --record FILE` keeps that apart.

use serde::Deserialize;
use thiserror::Error;

use crate::game::Variant;
use crate::solve::{Machine, Summary};

/// What solving took, and where.
#[derive(Clone, Debug, Deserialize)]
pub struct Run {
    /// The program, with its version.
    pub program: String,
    /// The commit it was built from, if that is known.
    pub commit: Option<String>,
    /// When the run ended.
    pub date: String,
    /// Where it ran.
    pub machine: Machine,
    /// Fingerprint of the rules, in hexadecimal digits.
    fingerprint: String,
    /// What it found and took.
    #[serde(flatten)]
    pub summary: Summary,
}

/// Why a text is not the record of a run.
#[derive(Debug, Error)]
pub enum RunError {
    /// No JSON, or not that of a run of the solver.
    #[error("it is not a record of solving a game: {0}")]
    NotARecord(#[from] serde_json::Error),
    /// A run for other rules.
    #[error("it is about solving '{found}', with other rules than those of '{wanted}'")]
    OtherGame {
        /// Id of the variant that was solved.
        found: String,
        /// Id of the variant wanted.
        wanted: String,
    },
}

impl Run {
    /// Reads the record of a run that solved this game.
    ///
    /// # Errors
    /// The text is no record, or one of another game.
    pub fn read(text: &str, variant: &Variant) -> Result<Run, RunError> {
        let run: Run = serde_json::from_str(text)?;
        if run.fingerprint != variant.fingerprint().to_string() {
            return Err(RunError::OtherGame {
                found: run.summary.variant,
                wanted: variant.id.clone(),
            });
        }
        Ok(run)
    }
}
