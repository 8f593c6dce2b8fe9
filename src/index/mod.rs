//! The index: which cell of which sector holds a position.
//!
//! A sector keeps all ways to place its men, but only one of every family of symmetric images, as far
//! as that comes for free. One player's set is *fixed* first and replaced by the least of its images;
//! the other, *varied*, set goes over all subsets of the points that are left:
//!
//! ```text
//! sector 3-3 of nine, Black fixed            158 rows, one per canonical set of three men
//! row 0   fixed a4 a7 d7   varied: C(21,3) = 1330 cells, subsets of the 21 free points
//! row 1   fixed a4 a7 g7   ...
//! index = row * 1330 + rank of the varied set among subsets of its size
//! ```
//!
//! * [`canonical`] numbers the fixed sets, [`rank`] the varied ones;
//! * [`sector`] puts the two together and deals with fixed sets that have symmetries of their own;
//! * [`Cells`] numbers the cells of several sectors through;
//! * [`orbits`] counts rows and distinct positions without listing them.

pub mod canonical;
mod cells;
pub mod orbits;
pub mod rank;
pub mod sector;

pub use canonical::CanonicalSets;
pub use cells::Cells;
pub use orbits::OrbitCounter;
pub use rank::{colex_rank, colex_unrank};
pub use sector::{Fixed, SectorIndex};
