//! The plain solver: any board and rules whose positions fit in memory.
//!
//! It is written to be obviously right rather than fast, since everything else is tested against it.
//! It knows a game only through the plain generator of turns ([`Variant::turns`], [`Variant::play`],
//! [`Variant::ending`]), numbers positions by listing them, and decides them ply by ply:
//!
//! ```text
//! hands   3+3 -> 3+2 -> 2+2 -> ... -> 1+0 -> 0+0        the game runs this way
//! solved   7      6      5             2      1         the solver this way
//! ```
//!
//! Men in hand only ever get fewer, and so do men on the board while the hands stay as they are. So the
//! sectors are taken in groups of the same men, whichever side has them and moves, the emptiest hands and
//! boards first:
//!
//! ```text
//! hands empty   {3-3}   {3-4 4-3}   {4-4}   {3-5 5-3}   ...   a capture leads to a group on the left
//! ```
//!
//! Inside a group men may move to and fro without end; there a position is
//! - *won in d* if some turn leads to a loss in d-1 and none to an earlier one,
//! - *lost in d* if all turns lead to wins, the longest of them in d-1 (0: the game is over),
//! - *drawn* if neither ever comes about.
//!
//! By the other metric, plies to the next [conversion](crate::conversion), a turn out of a group with empty
//! hands is a conversion: its result is known, its distance 1.
//!
//! Every placement of the men of a sector has a value, whether the game can reach it or not. Only where
//! mills pay once, and a position alone does not say what it is worth, does [`solve_remembering`] list the
//! positions that games lead to.
//!
//! ```
//! use millbase::{game::Variant, solve::plain};
//!
//! let variant = Variant::builtin("three-diagonal").unwrap();
//! let solution = plain::solve(&variant, &plain::Options::default(), |_| ()).unwrap();
//! let start = solution.value(&variant.start()).unwrap();
//! assert!(matches!(start, millbase::value::Value::Win(_)));
//! ```

mod check;
mod group;
mod needs;
mod placements;
mod remembering;
mod retrograde;
mod solution;

use std::collections::BTreeMap;

use thiserror::Error;

use crate::conversion::Metric;
use crate::figures::{grouped, size};
use crate::game::{Sector, Variant};

pub use check::{Disagreement, check};
pub use needs::{Needs, needs};
pub use remembering::{
    BYTES_PER_POSITION as BYTES_PER_REMEMBERING_POSITION, RememberingSolution,
    check_remembering_size, solve_remembering,
};
pub use solution::{PlainSolution, SectorCounts};

/// What to solve, and how large it may be.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most bytes of memory that the forecast of [`needs`] may come to.
    pub limit_bytes: u64,
    /// Only these sectors, which no turn may leave; `None`: all sectors of the game.
    pub sectors: Option<Vec<Sector>>,
    /// What distances count.
    pub metric: Metric,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            limit_bytes: 16 << 30,
            sectors: None,
            metric: Metric::End,
        }
    }
}

impl Options {
    /// Only these sectors.
    pub fn of(sectors: Vec<Sector>) -> Options {
        Options {
            sectors: Some(sectors),
            ..Options::default()
        }
    }

    /// Only the movement sectors (both hands empty) with at most `men` men a side.
    pub fn movement(variant: &Variant, men: u8) -> Options {
        let few = |s: &Sector| {
            s.mover_hand == 0 && s.opponent_hand == 0 && s.mover.max(s.opponent) <= men
        };
        Options::of(variant.sectors().into_iter().filter(few).collect())
    }
}

/// How far a run is; told from time to time.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Men in hand of both sides in the group of sectors at work.
    pub men_in_hand: u8,
    /// The ply being decided, once the turns of the group are known.
    pub ply: Option<u16>,
    /// Positions in finished groups, plus those of this group whose turns are known.
    pub done: u64,
    /// Positions in all.
    pub total: u64,
}

/// Why a game was not solved, or a solution not read.
#[derive(Debug, Error)]
pub enum PlainError {
    /// More memory than allowed.
    #[error(
        "{variant} has {} positions to solve, for which the plain solver takes {} of memory; its limit is {}",
        grouped(*positions), size(*needed), size(*limit)
    )]
    TooLarge {
        /// The variant's id.
        variant: String,
        /// Positions modulo the symmetries of the board.
        positions: u64,
        /// Bytes of memory to solve them.
        needed: u64,
        /// The limit that was set.
        limit: u64,
    },
    /// The rules ask for more than the men on the board and in hand: see [`solve_remembering`].
    #[error(
        "{variant} cannot be solved: what a position is worth depends on which mills have paid"
    )]
    NeedsPast {
        /// The variant's id.
        variant: String,
    },
    /// The rules end a game with a win for the side to move, which values do not provide for.
    #[error(
        "{variant} cannot be solved: in sector {sector} a game ends as a win for the side to move"
    )]
    EndsWon {
        /// The variant's id.
        variant: String,
        /// The sector of the finished game.
        sector: Sector,
    },
    /// The list of sectors has a gap.
    #[error("sector {from} cannot be solved without sector {missing}")]
    MissingSector {
        /// A sector to solve.
        from: Sector,
        /// Where a turn leads from there.
        missing: Sector,
    },
    /// A forced win of more than 65,535 plies.
    #[error("a win takes more than {} plies", u16::MAX)]
    LongGame,
    /// The sector was not among those solved.
    #[error("sector {0} was not solved")]
    NotSolved(Sector),
    /// There are too many distances for the byte of a database.
    #[error(transparent)]
    TooManyDistances(#[from] crate::conversion::TooManyDistances),
    /// A distance is too long for the byte of a database.
    #[error("sector {sector}: {plies} plies are more than a database stores")]
    LongDistance {
        /// Where the position is.
        sector: Sector,
        /// Plies to the end of the game.
        plies: u16,
    },
}

/// Solves a variant, or the sectors that the options list.
///
/// `progress` is called often enough for a progress bar.
///
/// # Errors
/// - [`PlainError::TooLarge`], [`PlainError::NeedsPast`] before any work is done;
/// - [`PlainError::MissingSector`] if a turn leads out of the listed sectors;
/// - [`PlainError::EndsWon`], [`PlainError::LongGame`] if values cannot express the result.
pub fn solve(
    variant: &Variant,
    options: &Options,
    mut progress: impl FnMut(&Progress),
) -> Result<PlainSolution, PlainError> {
    let total = needs(variant, options)?.positions;
    let groups = groups(&wanted(variant, options));
    let mut solution = PlainSolution::new(variant.clone(), options.metric);
    for (men, sectors) in &groups {
        let before = solution.position_count();
        group::solve(&mut solution, sectors, |ply, done| {
            progress(&Progress {
                men_in_hand: men.in_hand,
                ply,
                done: before + done,
                total,
            });
        })?;
    }
    Ok(solution)
}

fn wanted(variant: &Variant, options: &Options) -> Vec<Sector> {
    options.sectors.clone().unwrap_or_else(|| variant.sectors())
}

/// What the sectors of a group have in common, in the order in which groups are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Men {
    in_hand: u8,
    fuller_hand: u8,
    on_board: u8,
    /// Men on the board and in hand of the side with fewer, and of the other.
    sides: [(u8, u8); 2],
}

impl Men {
    fn of(sector: Sector) -> Men {
        let mut sides = [
            (sector.mover, sector.mover_hand),
            (sector.opponent, sector.opponent_hand),
        ];
        sides.sort_unstable();
        Men {
            in_hand: sector.in_hand(),
            fuller_hand: sector.mover_hand.max(sector.opponent_hand),
            on_board: sector.mover + sector.opponent,
            sides,
        }
    }
}

/// Sectors that turns may lead to and fro.
type Groups = BTreeMap<Men, Vec<Sector>>;

fn groups(sectors: &[Sector]) -> Groups {
    let mut groups = Groups::new();
    for &sector in sectors {
        groups.entry(Men::of(sector)).or_default().push(sector);
    }
    for group in groups.values_mut() {
        group.sort_unstable();
        group.dedup();
    }
    groups
}
