//! A database as one page for a browser.
//!
//! First the page as data, then the data as HTML, so that what it says can be looked at without reading markup:
//!
//! ```text
//! Database --Report::of--> Report --Report::to_html--> index.html
//!                            start      value, first moves, best play
//!                            layers     won, drawn and lost positions of each sector
//!                            distances  how many positions are how far from the end
//!                            longest    the longest wins with best play to the end
//!                            costs      size of the database
//!                            run        time and machine of solving, from the record of the run
//! ```
//!
//! Counts come from the manifest, so that only the first moves and the longest wins are looked up: a page takes
//! seconds, however large the database. It depends on the database and the record alone, and is
//! the same whenever it is made.
//!
//! ```
//! use millbase::database::Database;
//! use millbase::game::Variant;
//! use millbase::report::Report;
//! use millbase::solve::{Silent, SolveOptions, solve};
//!
//! let folder = tempfile::tempdir()?;
//! let variant = Variant::builtin("three-diagonal")?;
//! solve(&variant, folder.path(), &SolveOptions::default(), &Silent)?;
//!
//! let database = Database::open(folder.path())?;
//! let report = Report::of(&database)?;
//! assert_eq!(report.start.groups.len(), 3); // corners, sides, centre
//! assert!(report.to_html().contains("Three men"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod costs;
mod distances;
mod html;
mod layers;
mod longest;
mod run;
mod start;

use crate::database::{Contents, Database, SectorRecord};
use crate::game::{Sector, Variant};
use crate::probe::{ProbeError, Prober};

pub use costs::{Costs, Stored};
pub use distances::Distances;
#[cfg(feature = "serve")]
pub(crate) use html::STYLE;
pub use layers::{Counts, Layer, Matrix};
pub use longest::{Longest, LongestWin, longest_wins};
pub use run::{Run, RunError};
pub use start::{FirstMoves, Start};

/// How every page says which program made it, whatever its version, within its first kilobyte.
pub const MADE_BY: &str = "<meta name=\"generator\" content=\"millbase ";

/// What a page says of the program that made it.
pub const GENERATOR: &str = concat!(
    "<meta name=\"generator\" content=\"millbase ",
    env!("CARGO_PKG_VERSION"),
    "\">"
);

/// Turns of a line at most; no stored game is longer.
const LINE_LIMIT: usize = 1000;

/// The page about a database, as data.
#[derive(Debug)]
pub struct Report<'a> {
    /// The game.
    pub variant: &'a Variant,
    /// Whether distances are there. Without them no plies are told, though next to the end of a game the rules
    /// alone would tell some.
    pub contents: Contents,
    /// Sectors of the game that the database lacks.
    pub missing: Vec<Sector>,
    /// What the game is worth.
    pub start: Start,
    /// The sectors by men in hand: the movement phase first, the start of the game last.
    pub layers: Vec<Layer<'a>>,
    /// How far positions are from the end of the game, by phase; empty where that was not counted.
    pub distances: Vec<Distances>,
    /// The longest wins; empty without distances.
    pub longest: Vec<Longest>,
    /// What the database takes on disk.
    pub costs: Costs<'a>,
    /// What solving took, where that is known: no database tells it.
    pub run: Option<Run>,
}

impl<'a> Report<'a> {
    /// Collects what the page says.
    ///
    /// # Errors
    /// When a file of the database is wrong.
    pub fn of(database: &'a Database) -> Result<Report<'a>, ProbeError> {
        let prober = Prober::new(database);
        let variant = database.variant();
        let sectors = variant.sectors().into_iter();
        let layers = layers::of(database);
        Ok(Report {
            variant,
            contents: database.contents(),
            missing: sectors.filter(|&sector| !database.has(sector)).collect(),
            start: Start::of(&prober)?,
            distances: distances::of(&layers),
            longest: longest::of(&prober, &layers)?,
            layers,
            costs: Costs::of(database),
            run: None,
        })
    }

    /// The page: HTML that needs no other file, no network and no scripts.
    pub fn to_html(&self) -> String {
        html::page(self).into_string()
    }

    /// The sectors of the database, in the order of the layers.
    pub fn sectors(&self) -> impl Iterator<Item = &'a SectorRecord> {
        let matrices = self.layers.iter().flat_map(|layer| &layer.matrices);
        matrices.flat_map(|matrix| matrix.sectors.values().copied())
    }

    fn with_plies(&self) -> bool {
        self.contents == Contents::Distances
    }
}
