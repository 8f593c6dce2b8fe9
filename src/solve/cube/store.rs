//! Solving a game into a database.

use rayon::prelude::*;

use super::block::{Block, Byte, Flag, blocks_of};
use super::checkpoint::{self, Keep};
use super::lookup::{Class, Layout};
use super::memory::{OutOfMemory, Pages};
use super::movement::{self, Movement, MovementError, conversion};
use super::pack::{GROUP, Packed, stream_units};
use super::placement::{self, PlacementError};
use crate::conversion::{Counting, TooManyDistances};
use crate::cpu::{self, Cpu, Level, Task};
use crate::database::{Cells, Contents, DatabaseError, DatabaseWriter};
use crate::game::{Blocked, MillPays, Placing, Sector, Variant};
use crate::index::SectorIndex;
use crate::solve::Progress;
use crate::value::{Score, Value};

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
    if rules.mill_pays != MillPays::Capture {
        return unknown("games in which a mill wins");
    }
    if rules.men < 3 {
        return unknown("games of fewer than three men a side");
    }
    if rules.placing != Placing::PlaceOnly {
        return unknown("games in which men move while others are placed");
    }
    if rules.blocked == Blocked::Passes {
        return unknown("games in which a side that cannot move passes");
    }
    if rules.mills_pay_once {
        return unknown("mills that pay once");
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
    let men = options.men_up_to.unwrap_or(variant.rules.men);
    let sets = store.index().sets();
    (0..=usize::from(men)).into_par_iter().for_each(|men| {
        sets.representatives(men);
    });
    if movement_sectors(men).any(|sector| !store.has(sector)) {
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
    let cells: u64 = movement_sectors(men)
        .map(|sector| store.index().len(sector))
        .sum();
    progress.stage("movement", cells);
    let keep = match (store.work_folder(), store.contents()) {
        (Some(folder), _) => Keep::Resumable(folder),
        (None, Contents::Distances | Contents::Conversions) => Keep::Scratch(store.dir()),
        (None, Contents::Values) => Keep::Nothing,
    };
    let sets = store.index().sets();
    let memory = options
        .memory
        .map(|memory| memory.saturating_sub(WORKING_MEMORY));
    let (level, limit) = (options.level, options.no_capture_limit);
    let writer = MovementWriter {
        store,
        level,
        progress,
    };
    let writing = || progress.stage("writing movement", cells);
    match store.contents() {
        Contents::Distances => {
            let mut solved = movement::solve(variant, sets, men, level, memory, keep, progress)?;
            writing();
            solved.drop_planes();
            if solved.last_ply > Score::MAX_PLIES {
                let sector = movement_sector(men, men);
                return Err(CubeError::TooLong { sector });
            }
            let scores: Vec<u8> = (0..=solved.last_ply).map(score_of).collect();
            writer.distances(&solved, &scores)
        }
        Contents::Conversions => {
            let resources = conversion::Resources {
                level,
                memory,
                keep,
            };
            let solved = conversion::solve(variant, sets, men, resources, limit, progress)?;
            writing();
            let counting = Counting::new(limit, solved.found.iter().copied())?;
            let mut solved = solved.movement;
            solved.drop_planes();
            let score = |entry| {
                let (outcome, plies) = conversion::value_of(entry);
                counting.score(outcome, plies).unwrap_or(Score::DRAW).0
            };
            let scores: Vec<u8> = (0..=solved.last_ply).map(score).collect();
            store.set_counting(counting);
            writer.distances(&solved, &scores)
        }
        Contents::Values => {
            let mut solved = movement::solve(variant, sets, men, level, memory, keep, progress)?;
            writing();
            solved.restore_planes()?;
            writer.values(&solved)
        }
    }
}

/// About how many bytes of memory [`solve`] takes, and how many of disk while it works. With a limit of
/// `memory` it gets along with less where that is possible.
pub fn needs(
    variant: &Variant,
    contents: Contents,
    men_up_to: Option<u8>,
    threads: usize,
    memory: Option<u64>,
) -> (u64, u64) {
    let men = men_up_to.unwrap_or(variant.rules.men);
    let index = SectorIndex::new(&variant.board, men.into());
    let sets = index.sets();
    let limit = memory.map(|memory| memory.saturating_sub(WORKING_MEMORY));
    let movement = movement::memory_needed(variant, sets, men, threads, limit);
    let (placement, disk) = placement_needs(variant, contents, men_up_to);
    // Measured on nine: a journal of 0.9 bytes a cell.
    let journal: u64 = movement_sectors(men).map(|sector| index.len(sector)).sum();
    (placement.max(movement + WORKING_MEMORY), disk + journal)
}

/// What [`needs`] says of a run that takes the movement sectors from a database, one at a time.
pub fn placement_needs(variant: &Variant, contents: Contents, men_up_to: Option<u8>) -> (u64, u64) {
    let men = men_up_to.unwrap_or(variant.rules.men);
    let index = SectorIndex::new(&variant.board, men.into());
    let sectors = match men_up_to {
        Some(men) => movement_sectors(men).collect(),
        None => variant.sectors(),
    };
    let placement = match (men_up_to, contents) {
        (Some(_), _) => 0,
        (None, Contents::Distances) => placement::memory_needed::<Byte>(variant, index.sets()),
        (None, Contents::Values | Contents::Conversions) => {
            placement::memory_needed::<Flag>(variant, index.sets())
        }
    };
    let largest = movement_sectors(men).map(|sector| index.len(sector)).max();
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
            let moving = movement_sectors(men).map(|sector| index.len(sector));
            moving.sum::<u64>() * 3 / 10 + cells / 8
        }
        Contents::Values => cells / 8,
    };
    (placement.max(taken) + WORKING_MEMORY, disk)
}

/// What threads, tables and files take beside the large pieces.
const WORKING_MEMORY: u64 = 64 << 20;

/// The sectors with empty hands of up to `men` men a side.
fn movement_sectors(men: u8) -> impl Iterator<Item = Sector> {
    (3..=men).flat_map(move |opponent| (3..=men).map(move |mover| movement_sector(mover, opponent)))
}

fn movement_sector(mover: u8, opponent: u8) -> Sector {
    Sector {
        mover,
        opponent,
        mover_hand: 0,
        opponent_hand: 0,
    }
}

struct MovementWriter<'a> {
    store: &'a DatabaseWriter,
    level: Level,
    progress: &'a dyn Progress,
}

/// The streams of all sectors of one class, in pieces that can be filled at the same time.
fn pieces<'a, P: Packed>(
    streams: &'a mut [Pages],
    class: &Class,
    rows_in_piece: usize,
) -> Vec<Vec<&'a mut [P::Unit]>> {
    let mut pieces: Vec<Vec<&mut [P::Unit]>> = (0..class.rows.div_ceil(rows_in_piece))
        .map(|_| Vec::new())
        .collect();
    for (stream, size) in streams.iter_mut().zip(3..) {
        let units = stream_units::<P>(class.free, size, rows_in_piece);
        for (pieces, piece) in pieces
            .iter_mut()
            .zip(stream.view_mut::<P::Unit>().chunks_mut(units))
        {
            pieces.push(piece);
        }
    }
    pieces
}

impl MovementWriter<'_> {
    /// Zeroed streams for the sectors of a class: movers of 3 men and more.
    fn streams<P: Packed>(&self, class: &Class, men: u32) -> Result<Vec<Pages>, OutOfMemory> {
        let bytes = |size| stream_units::<P>(class.free, size, class.rows) * size_of::<P::Unit>();
        (3..=men).map(|size| Pages::new(bytes(size))).collect()
    }

    /// Plays the journal back, class by class. `scores` are the bytes of its plies.
    fn distances(&self, solved: &Movement, scores: &[u8]) -> Result<(), CubeError> {
        let layout = &solved.layout;
        let men = most_men(layout);
        for class in &layout.classes {
            if self.is_kept(class, men) {
                continue;
            }
            let mut streams = self.streams::<Byte>(class, men)?;
            let first_band = (class.address >> layout.band_bits) as usize;
            let rows = 1usize << (layout.band_bits - class.row_bits);
            pieces::<Byte>(&mut streams, class, rows)
                .into_par_iter()
                .enumerate()
                .with_max_len(1)
                .try_for_each(|(band, mut pieces)| {
                    let band = first_band + band;
                    let cells = self.band(solved, scores, class, band)?;
                    self.deal::<Byte>(cells.view(), class, men, &mut pieces);
                    Ok::<_, CubeError>(())
                })?;
            self.write(class, &streams, |stream| Cells::Scores(stream.view()))?;
        }
        Ok(())
    }

    /// The scores of all cells in the rows of a band.
    fn band(
        &self,
        solved: &Movement,
        scores: &[u8],
        class: &Class,
        band: usize,
    ) -> Result<Pages, CubeError> {
        let row_bytes = blocks_of::<Byte>(class.free) * 64;
        let mut pages = Pages::new(solved.layout.rows_in(band) * row_bytes)?;
        let cells: &mut [u8] = pages.view_mut();
        cells.fill(Score::DRAW.0);
        solved.replay(band, |ply, row, index| {
            cells[row * row_bytes + index as usize] = scores[ply as usize];
        })?;
        Ok(pages)
    }

    /// Copies wins and losses from the planes, class by class.
    fn values(&self, solved: &Movement) -> Result<(), CubeError> {
        let layout = &solved.layout;
        let men = most_men(layout);
        for class in &layout.classes {
            if self.is_kept(class, men) {
                continue;
            }
            let mut planes = Vec::new();
            for plane in solved.planes() {
                let mut streams = self.streams::<Flag>(class, men)?;
                let blocks = 1usize << (class.row_bits - 9);
                let start = (class.address >> 9) as usize;
                let rows = &plane[start..start + class.rows * blocks];
                pieces::<Flag>(&mut streams, class, GROUP)
                    .into_par_iter()
                    .zip(rows.par_chunks(GROUP * blocks))
                    .for_each(|(mut pieces, rows)| {
                        self.deal::<Flag>(rows, class, men, &mut pieces)
                    });
                planes.push(streams);
            }
            let losses = planes.pop().expect("two planes");
            let wins = planes.pop().expect("two planes");
            let streams: Vec<_> = wins.into_iter().zip(losses).collect();
            self.write(class, &streams, |(win, loss)| Cells::Planes {
                win: win.view(),
                loss: loss.view(),
            })?;
        }
        Ok(())
    }

    fn deal<P: Packed>(
        &self,
        rows: &[Block],
        class: &Class,
        men: u32,
        pieces: &mut [&mut [P::Unit]],
    ) {
        cpu::run(
            self.level,
            Deal::<P> {
                rows,
                free: class.free,
                men,
                pieces,
            },
        );
    }

    /// Whether an earlier run has written all sectors of a class.
    fn is_kept(&self, class: &Class, men: u32) -> bool {
        let sectors = (3..=men).map(|mover| movement_sector(mover as u8, class.men as u8));
        let sectors: Vec<Sector> = sectors.collect();
        let kept = sectors.iter().all(|&sector| self.store.has(sector));
        if kept {
            let cells = sectors.iter().map(|&sector| self.store.index().len(sector));
            self.progress.advance(cells.sum());
        }
        kept
    }

    /// Writes the sectors of a class from their streams, movers of 3 men first.
    fn write<'a, S>(
        &self,
        class: &Class,
        streams: &'a [S],
        cells: impl Fn(&'a S) -> Cells<'a>,
    ) -> Result<(), CubeError> {
        for (stream, mover) in streams.iter().zip(3..) {
            let sector = movement_sector(mover, class.men as u8);
            if !self.store.has(sector) {
                self.store.write_sector(sector, cells(stream))?;
            }
            self.progress.advance(self.store.index().len(sector));
        }
        Ok(())
    }
}

/// The most men a side of the sectors that were solved.
fn most_men(layout: &Layout) -> u32 {
    layout
        .classes
        .iter()
        .map(|class| class.men)
        .max()
        .unwrap_or(0)
}

/// The byte of a position decided at a ply: a win at an odd one, a loss at an even one.
fn score_of(ply: u16) -> u8 {
    let value = if ply % 2 == 1 {
        Value::Win(ply)
    } else {
        Value::Loss(ply)
    };
    Score::from_value(value).map_or(Score::DRAW.0, |score| score.0)
}

struct Deal<'a, 'b, P: Packed> {
    rows: &'a [Block],
    free: u32,
    men: u32,
    pieces: &'a mut [&'b mut [P::Unit]],
}

impl<P: Packed> Task for Deal<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        P::deal::<C>(self.rows, self.free, 3..=self.men, self.pieces);
    }
}
