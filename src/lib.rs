//! Complete solutions of mill games: nine men's morris and its family.
//!
//! Data flows one way:
//!
//! ```text
//! game -> index -> solve -> database -> probe -> answer, picture -> review, report, uci, play, serve
//!   \________ notation ________________/
//! ```
//!
//! - [`game`]: boards, rules, positions and the turns that are legal in them;
//! - [`notation`]: positions and turns as texts, boards as pictures;
//! - [`index`]: every position of a sector has a number;
//! - [`solve`]: what every position is worth, found backwards from the end of the game;
//! - [`database`]: the values on disk;
//! - [`probe`]: what a position is worth, which turns are best;
//! - [`picture`]: boards as SVG pictures, with what the turns are worth;
//! - [`report`]: a database as one page for a browser;
//! - [`answer`]: the same in words, for programs;
//! - [`uci`]: the same for programs that let engines play;
//! - [`play`]: a game in the terminal;
//! - [`review`]: games and puzzles held against a database;
//! - `serve`: the same by HTTP, with a page for the browser (feature `serve`, on by default);
//! - [`verify`]: databases held against what others have published, and against themselves;
//! - [`conversion`]: what positions are worth when games without captures are drawn;
//! - [`cpu`]: hot loops compiled for several processors;
//! - [`malom`]: the files of the program Malom, written and checked;
//! - [`figures`]: numbers, times and sizes as people read them.
//!
//! With the feature `capi` the library has a C interface, described in `src/capi/millbase.h`; with the feature
//! `python` it is a module of Python, the package of which is in `src/python`. Both stand on [`answer`].
//!
//! ```
//! use millbase::database::Database;
//! use millbase::game::Variant;
//! use millbase::probe::Prober;
//! use millbase::solve::{Silent, SolveOptions, solve};
//! use millbase::value::Outcome;
//!
//! let folder = tempfile::tempdir()?;
//! let variant = Variant::builtin("three-diagonal")?;
//! solve(&variant, folder.path(), &SolveOptions::default(), &Silent)?;
//!
//! let database = Database::open(folder.path())?;
//! let ranked = Prober::new(&database).ranked(&variant.start(), 0)?;
//! let known = ranked.iter().filter_map(|turn| turn.answer.known());
//! let winning = known.filter(|probed| probed.outcome == Outcome::Win);
//! assert_eq!(winning.count(), 1); // the centre
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs, missing_debug_implementations)]

pub mod answer;
#[cfg(any(feature = "capi", test))]
pub mod capi;
pub mod conversion;
pub mod cpu;
pub mod database;
pub mod figures;
pub mod game;
pub mod index;
mod lines;
pub mod malom;
pub mod notation;
pub mod picture;
pub mod play;
pub mod probe;
#[cfg(feature = "python")]
mod python;
pub mod random;
pub mod report;
pub mod review;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solve;
pub mod uci;
pub mod value;
pub mod verify;
