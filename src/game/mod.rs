//! The game: board, rules, positions and the plain generator of turns.
//!
//! A [`Variant`] is a [`Board`] with [`Rules`]. It makes positions, generates turns and says when
//! the game is over; nothing here knows how positions are numbered, solved or stored.
//!
//! ```
//! use millbase::game::Variant;
//!
//! let nine = Variant::builtin("nine")?;
//! let start = nine.start();
//! let turns = nine.turns(&start);
//! assert_eq!(turns.len(), 24);
//! assert_eq!(nine.turns(&nine.play(&start, &turns[0])).len(), 23);
//! # Ok::<(), millbase::game::VariantError>(())
//! ```

mod board;
mod ends;
mod moves;
mod paid;
mod position;
mod rules;
mod sectors;
mod symmetry;
mod variant_file;
mod variants;

pub use board::{Board, BoardError, BoardPoint, MAX_POINTS, PointSet, points};
pub use ends::{End, EndReason};
pub use paid::{LineSet, PaidLines};
pub use position::{Choice, Position, Side, Turn};
pub use rules::{Blocked, FullBoard, MillPays, Placing, Protection, Rules};
pub use sectors::{Sector, SectorError};
pub use symmetry::Symmetry;
pub(crate) use variants::PASS;
pub use variants::{Fingerprint, Variant, VariantError};
