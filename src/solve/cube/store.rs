//! Solving a game into a database.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::block::{Byte, Flag};
use super::checkpoint::{self, Keep};
use super::layers;
use super::memory::OutOfMemory;
use super::movement::{self, Group, MovementError, conversion};
use super::placement::{self, PlacementError};
use super::writer::{GroupWriter, scores_of_plies};
use crate::conversion::{Counting, TooManyDistances};
use crate::cpu::Level;
use crate::database::{Contents, DatabaseError, DatabaseWriter};
use crate::game::{Blocked, MillPays, Placing, Sector, Variant};
use crate::index::SectorIndex;
use crate::solve::Progress;
use crate::value::Score;

/// Why the cube solver gave up.
#[derive(Debug, thiserror::Error)]
pub enum CubeError {
    /// The rules or the board are not for this solver.
    #[error("the fast solver does not know {0}")]
    Unsupported(String),
    /// The movement layer failed.
    #[error(transparent)]
    Movement(#[from] MovementError),
    /// The placement layers failed.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The database refused to be written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Not enough memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// There are more distances to the next capture than the database can tell apart.
    #[error(transparent)]
    TooManyDistances(#[from] TooManyDistances),
    /// A game lasts longer than the database can say.
    #[error(
        "sector {sector} has positions more than {} plies from the end of the game, which the database cannot hold",
        Score::MAX_PLIES
    )]
    TooLong {
        /// The first sector with such a position.
        sector: Sector,
    },
}

/// Points of the largest board: a row of three men has a bit for every set of the others.
const MAX_POINTS: usize = 24;

/// What to solve, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Solve only the movement sectors with at most this many men a side.
    pub men_up_to: Option<u8>,
    /// Plies without a capture that draw the game, for a database of conversions.
    pub no_capture_limit: Option<u16>,
    /// The instruction set to use.
    pub level: Level,
    /// Bytes of memory to get along with, if that is possible; see [`needs`]. `None`: as many as make it fast.
    pub memory: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            men_up_to: None,
            no_capture_limit: None,
            level: Level::best(),
            memory: None,
        }
    }
}

impl Options {
    /// Bytes that are left for planes and messages.
    pub(super) fn memory_for_solving(&self) -> Option<u64> {
        self.memory
            .map(|memory| memory.saturating_sub(WORKING_MEMORY))
    }
}

/// Whether the cube solver can solve a variant; if not, what it does not know.
///
/// # Errors
/// [`CubeError::Unsupported`].
pub fn supports(variant: &Variant) -> Result<(), CubeError> {
    let rules = &variant.rules;
    let unknown = |what: &str| Err(CubeError::Unsupported(what.to_owned()));
    if variant.board.point_count() > MAX_POINTS {
        return unknown("boards of more than 24 points");
    }
    if rules.placing == Placing::PlaceOrMove {
        if rules.mill_pays == MillPays::Win {
            return unknown(
                "games that the first mill wins in which men move while others are placed",
            );
        }
        if rules.blocked == Blocked::Passes {
            return unknown("games with passing in which men move while others are placed");
        }
    }
    if rules.mills_pay_once {
        return unknown("mills that pay once");
    }
    Ok(())
}

/// Whether the cube solver can tell of all positions of a variant what a database is to hold, or of those with
/// empty hands unless the `whole` game is wanted; if not, what it cannot tell.
///
/// # Errors
/// [`CubeError::Unsupported`].
pub fn counts(variant: &Variant, contents: Contents, whole: bool) -> Result<(), CubeError> {
    let rules = &variant.rules;
    let unknown = |what: &str| {
        let what = format!("plies to the next capture where {what}");
        Err(CubeError::Unsupported(what))
    };
    if contents != Contents::Conversions {
        return Ok(());
    }
    if rules.placing == Placing::PlaceOrMove && whole {
        return unknown("men may move before all are placed");
    }
    if !rules.takes_men() {
        return unknown("nobody is taken");
    }
    if rules.blocked == Blocked::Passes {
        return unknown("a side that cannot move passes");
    }
    Ok(())
}

/// Solves a variant and writes all its sectors, or those of `options`, to a database.
///
/// Works on all threads of the current rayon pool. The caller finishes the database.
///
/// # Errors
/// See [`CubeError`]. Sectors that were written stay complete.
pub fn solve(
    variant: &Variant,
    store: &DatabaseWriter,
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), CubeError> {
    supports(variant)?;
    counts(variant, store.contents(), options.men_up_to.is_none())?;
    let men = options.men_up_to.unwrap_or(variant.rules.men);
    let sets = store.index().sets();
    (0..=usize::from(men)).into_par_iter().for_each(|men| {
        sets.representatives(men);
    });
    if variant.rules.placing == Placing::PlaceOrMove && options.men_up_to.is_none() {
        let sectors = variant.sectors().into_iter();
        let cells = sectors.map(|sector| store.index().len(sector)).sum();
        progress.stage("moving and placing", cells);
        return layers::solve(variant, store, options, progress);
    }
    if movement_sectors(variant, men)
        .iter()
        .any(|&s| !store.has(s))
    {
        solve_movement(variant, store, men, options, progress)?;
    }
    if let Some(folder) = store.work_folder() {
        checkpoint::remove(folder)?;
    }
    if options.men_up_to.is_some() {
        return Ok(());
    }
    progress.stage("placement", placement::cells(variant, store));
    match store.contents() {
        Contents::Distances => placement::solve::<Byte>(variant, store, options.level, progress)?,
        Contents::Values | Contents::Conversions => {
            placement::solve::<Flag>(variant, store, options.level, progress)?;
        }
    }
    Ok(())
}

/// Solves the sectors with empty hands and writes them.
fn solve_movement(
    variant: &Variant,
    store: &DatabaseWriter,
    men: u8,
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), CubeError> {
    let sectors = movement_sectors(variant, men).into_iter();
    let cells = sectors.map(|sector| store.index().len(sector)).sum();
    progress.stage("movement", cells);
    let keep = match (store.work_folder(), store.contents()) {
        // Their plies are not gone through in the order of the journal.
        (_, Contents::Conversions) | (None, Contents::Distances) => Keep::Scratch(store.dir()),
        (Some(folder), _) => Keep::Resumable(folder),
        (None, Contents::Values) => Keep::Nothing,
    };
    let group = Group {
        variant,
        sets: store.index().sets(),
        men,
        hands: [0, 0],
        placings: &BTreeMap::new(),
        keep_ends: false,
        keep,
        memory: options.memory_for_solving(),
    };
    let (level, limit) = (options.level, options.no_capture_limit);
    let writer = GroupWriter {
        store,
        level,
        progress,
    };
    let writing = || progress.stage("writing movement", cells);
    match store.contents() {
        Contents::Distances => {
            let mut solved = movement::solve(&group, level, progress)?;
            writing();
            solved.drop_planes();
            writer.write(&solved, Some(&scores_of_plies(&solved)?))
        }
        Contents::Conversions => {
            let solved = conversion::solve(&group, level, limit, progress)?;
            writing();
            let counting = Counting::new(limit, solved.found.iter().copied())?;
            let mut solved = solved.movement;
            solved.drop_planes();
            let score = |entry| {
                let (outcome, plies) = conversion::value_of(entry);
                counting.score(outcome, plies).unwrap_or(Score::DRAW).0
            };
            let scores: Vec<u8> = (0..=solved.last_ply).map(score).collect();
            store.set_counting(counting)?;
            writer.write(&solved, Some(&scores))
        }
        Contents::Values => {
            let mut solved = movement::solve(&group, level, progress)?;
            writing();
            solved.restore_planes()?;
            writer.write(&solved, None)
        }
    }
}

/// About how many bytes of memory [`solve`] takes, and how many of disk while it works. With a limit of
/// `memory` it gets along with less where that is possible. A `temporary` run keeps nothing to go on from.
pub fn needs(
    variant: &Variant,
    contents: Contents,
    men_up_to: Option<u8>,
    threads: usize,
    memory: Option<u64>,
    temporary: bool,
) -> (u64, u64) {
    let men = men_up_to.unwrap_or(variant.rules.men);
    let index = SectorIndex::new(&variant.board, men.into());
    let limit = memory.map(|memory| memory.saturating_sub(WORKING_MEMORY));
    if variant.rules.placing == Placing::PlaceOrMove && men_up_to.is_none() {
        let (memory, disk) = layers::needs(variant, &index, contents, threads, limit);
        return (memory + WORKING_MEMORY, disk);
    }
    let sets = index.sets();
    let movement = movement::memory_needed(variant, sets, men, [0, 0], threads, limit);
    let (placement, disk) = placement_needs(variant, contents, men_up_to);
    // Measured on nine: a journal of 0.9 bytes a cell.
    let journal = match contents {
        Contents::Values if temporary => 0,
        _ => (movement_sectors(variant, men).into_iter())
            .map(|sector| index.len(sector))
            .sum::<u64>(),
    };
    (placement.max(movement + WORKING_MEMORY), disk + journal)
}

/// What [`needs`] says of a run that takes the movement sectors from a database, one at a time.
pub fn placement_needs(variant: &Variant, contents: Contents, men_up_to: Option<u8>) -> (u64, u64) {
    let men = men_up_to.unwrap_or(variant.rules.men);
    let index = SectorIndex::new(&variant.board, men.into());
    let sectors = match men_up_to {
        Some(men) => movement_sectors(variant, men),
        None => variant.sectors(),
    };
    let placement = match (men_up_to, contents) {
        (Some(_), _) => 0,
        (None, Contents::Distances) => placement::memory_needed::<Byte>(variant, index.sets()),
        (None, Contents::Values | Contents::Conversions) => {
            placement::memory_needed::<Flag>(variant, index.sets())
        }
    };
    let largest = movement_sectors(variant, men)
        .iter()
        .map(|&s| index.len(s))
        .max();
    let taken = match contents {
        Contents::Distances => largest.unwrap_or(0),
        Contents::Values | Contents::Conversions => largest.unwrap_or(0) / 4,
    };
    let cells = sectors.iter().map(|&sector| index.len(sector)).sum::<u64>();
    // Measured on nine: 0.36 and 0.11 bytes a cell in the database.
    let disk = match contents {
        Contents::Distances => cells * 4 / 10,
        // With distances where both hands are empty.
        Contents::Conversions => {
            let moving = movement_sectors(variant, men)
                .into_iter()
                .map(|sector| index.len(sector));
            moving.sum::<u64>() * 3 / 10 + cells / 8
        }
        Contents::Values => cells / 8,
    };
    (placement.max(taken) + WORKING_MEMORY, disk)
}

/// The cells of all rows that a run passes over, those that no position has included, in games in which every
/// layer is solved backwards; `None` for others.
pub fn row_cells(variant: &Variant) -> Option<u64> {
    let index = SectorIndex::new(&variant.board, variant.rules.men.into());
    let by_rows = variant.rules.placing == Placing::PlaceOrMove;
    by_rows.then(|| layers::row_cells(variant, &index))
}

/// What threads, tables and files take beside the large pieces.
const WORKING_MEMORY: u64 = 11 << 20;

/// The sectors with empty hands of up to `men` men a side.
fn movement_sectors(variant: &Variant, men: u8) -> Vec<Sector> {
    let sector = |mover, opponent| Sector {
        mover,
        opponent,
        mover_hand: 0,
        opponent_hand: 0,
    };
    let sizes = || {
        let sizes = movement::on_board(variant, men, 0);
        sizes.map(|size| size as u8)
    };
    sizes()
        .flat_map(|opponent| sizes().map(move |mover| sector(mover, opponent)))
        .collect()
}
