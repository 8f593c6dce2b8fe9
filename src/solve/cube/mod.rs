//! The fast solver: whole rows of positions at once.
//!
//! A position is two sets of points. This solver fixes one of them and keeps all choices of the other in
//! one bitmap, a *row*. A turn of the varied side is then a shift of the bitmap, so that one vector
//! instruction handles 512 positions. Fixed sets are canonical, so each position is there once for all
//! its symmetric images (and once more with the roles exchanged).
//!
//! ```text
//! index.. -> row of {a7,d7,g7}:  bit i = the opponent stands on the free points whose bits are set in i
//! ```
//!
//! - [`movement`] solves the layer with empty hands backwards from the end of the game, ply by ply;
//! - [`placement`] then takes the layers with men in hand one after the other; or, where men may move while
//!   others are in hand, `layers` takes one group of layers after the other backwards as well.
//!
//! All write the database as they go; the placement layers read it back.

pub mod block;
pub mod checkpoint;
pub mod journal;
pub mod kernels;
mod layers;
pub mod lookup;
pub mod memory;
pub mod messages;
pub mod movement;
pub mod pack;
pub mod placement;
pub mod relabel;
pub mod shape;
mod store;
pub mod stream;
mod writer;

pub use store::{CubeError, Options, counts, needs, placement_needs, row_cells, solve, supports};
