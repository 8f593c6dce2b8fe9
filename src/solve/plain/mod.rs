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
//! Men in hand only ever get fewer, so the sectors are taken in groups of equal hands, the emptiest
//! hands first. Inside a group men may move to and fro without end; there a position is
//! - *won in d* if some turn leads to a loss in d-1 and none to an earlier one,
//! - *lost in d* if all turns lead to wins, the longest of them in d-1 (0: the game is over),
//! - *drawn* if neither ever comes about.
//!
//! By the other metric, plies to the next [conversion](crate::conversion), sectors with empty hands are taken
//! in groups of equal men on the board, as a capture never leads back: its result is known, its distance 1.
//!
//! Every placement of the men of a sector has a value, whether the game can reach it or not.
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
mod placements;
mod retrograde;
mod solution;

use std::collections::BTreeMap;

use thiserror::Error;

use crate::conversion::Metric;
use crate::game::{Sector, Variant};

pub use check::{Disagreement, check};
pub use solution::{PlainSolution, SectorCounts};

/// What to solve, and how large it may be.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most positions to take on, counted modulo the symmetries of the board. Each takes some 8
    /// bytes for good, and 100 to 200 more while its group is solved.
    pub limit_positions: u64,
    /// Only these sectors, which no turn may leave; `None`: all sectors of the game.
    pub sectors: Option<Vec<Sector>>,
    /// What distances count.
    pub metric: Metric,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            limit_positions: 20_000_000,
            sectors: None,
            metric: Metric::End,
        }
    }
}

impl Options {
    /// Only the movement sectors (both hands empty) with at most `men` men a side.
    pub fn movement(variant: &Variant, men: u8) -> Options {
        let few = |s: &Sector| {
            s.mover_hand == 0 && s.opponent_hand == 0 && s.mover.max(s.opponent) <= men
        };
        let sectors = variant.sectors().into_iter().filter(few).collect();
        Options {
            sectors: Some(sectors),
            ..Options::default()
        }
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
    /// More positions than allowed.
    #[error("{variant} has {needed} positions to solve, more than the {limit} allowed")]
    TooLarge {
        /// The variant's id.
        variant: String,
        /// Positions modulo the symmetries of the board.
        needed: u64,
        /// The limit that was set.
        limit: u64,
    },
    /// The rules ask for more than the men on the board and in hand.
    #[error("{variant} cannot be solved: its rules need the moves that led to a position")]
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
    let total = check_size(variant, options)?;
    let groups = groups(&wanted(variant, options), options.metric);
    let mut solution = PlainSolution::new(variant.clone(), options.metric);
    for ((men_in_hand, ..), sectors) in &groups {
        let before = solution.position_count();
        group::solve(&mut solution, sectors, |ply, done| {
            progress(&Progress {
                men_in_hand: *men_in_hand,
                ply,
                done: before + done,
                total,
            });
        })?;
    }
    Ok(solution)
}

/// About how many bytes of memory a position takes while it is solved.
pub const BYTES_PER_POSITION: u64 = 170;

/// How many positions [`solve`] would take on, counted modulo the symmetries of the board.
///
/// # Errors
/// [`PlainError::TooLarge`], [`PlainError::NeedsPast`].
pub fn check_size(variant: &Variant, options: &Options) -> Result<u64, PlainError> {
    if variant.rules.mills_pay_once {
        return Err(PlainError::NeedsPast {
            variant: variant.id.clone(),
        });
    }
    let needed = count_positions(variant, &groups(&wanted(variant, options), options.metric));
    // Positions of a group are numbered with 32 bits.
    let limit = options.limit_positions.min(u64::from(u32::MAX));
    if needed > limit {
        return Err(PlainError::TooLarge {
            variant: variant.id.clone(),
            needed,
            limit,
        });
    }
    Ok(needed)
}

fn wanted(variant: &Variant, options: &Options) -> Vec<Sector> {
    options.sectors.clone().unwrap_or_else(|| variant.sectors())
}

/// Sectors that turns may lead to and fro, by men in hand: those of both sides, and of the fuller hand. Where
/// captures count for themselves also by men on the board.
type Groups = BTreeMap<(u8, u8, u8), Vec<Sector>>;

fn groups(sectors: &[Sector], metric: Metric) -> Groups {
    let mut groups = Groups::new();
    for &sector in sectors {
        let (mine, theirs) = (sector.mover_hand, sector.opponent_hand);
        let men = match metric {
            Metric::Conversion { .. } if sector.in_hand() == 0 => sector.mover + sector.opponent,
            _ => 0,
        };
        groups
            .entry((mine + theirs, mine.max(theirs), men))
            .or_default()
            .push(sector);
    }
    for group in groups.values_mut() {
        group.sort_unstable();
        group.dedup();
    }
    groups
}

fn count_positions(variant: &Variant, groups: &Groups) -> u64 {
    let sectors = groups.values().flatten();
    sectors
        .map(|s| placements::count(&variant.board, s.mover, s.opponent))
        .fold(0, u64::saturating_add)
}
