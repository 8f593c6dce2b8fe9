//! Games and puzzles held against a database.
//!
//! * [`review`]: what every turn of a game was worth, and what would have been better;
//! * [`puzzle`]: whether what a puzzle says is true.
//!
//! ```text
//!                    value   turns, best first            verdict
//! before the turn    draw    d2 draw, a4 draw, b6 loss
//! played                                b6                a mistake: draw -> loss
//! ```

mod game;
pub mod puzzle;

pub use game::{Change, Review, ReviewedTurn, Tally, Verdict, notes, review};
