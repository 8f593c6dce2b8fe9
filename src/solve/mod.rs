//! Solvers: from the rules of a game to the value of every position, on disk.
//!
//! [`solve`] chooses a solver and writes a database.
//!
//! * [`cube`] holds whole rows of positions as bitmaps and works through the large games.
//! * [`plain`] follows the definition turn by turn. It takes any board and rules whose positions fit
//!   in memory, and everything else is tested against it.
//!
//! The two share the rules of the [`game`](crate::game) and nothing else.
//!
//! Where mills pay once a position alone is worth nothing certain, and no database can hold it:
//! [`solve_remembering`] solves such a game and counts.
//!
//! ```
//! use millbase::game::Variant;
//! use millbase::solve::{Silent, SolveOptions, solve};
//! use millbase::value::Outcome;
//!
//! let folder = tempfile::tempdir()?;
//! let variant = Variant::builtin("three-diagonal")?;
//! let summary = solve(&variant, folder.path(), &SolveOptions::default(), &Silent)?;
//! assert_eq!(summary.start.map(|start| start.value), Some(Outcome::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cube;
mod error;
mod forecast;
mod machine;
mod movement_source;
mod options;
pub mod plain;
mod progress;
mod remembering;
mod summary;

use std::path::Path;

use crate::conversion::Metric;
use crate::database::{Cells, Contents, DatabaseError, DatabaseWriter};
use crate::game::{Placing, Variant};
use crate::value::{Outcome, Score};

pub use error::SolveError;
pub use forecast::{Resources, count_cells, count_positions, seconds, what_fits};
pub use machine::Machine;
pub use movement_source::{MovementSource, MovementSourceError};
pub use options::SolveOptions;
pub use progress::{Progress, Silent, Timed};
pub use remembering::solve_remembering;
pub use summary::{MovementFrom, StageTime, StartValue, Stopwatch, Summary, peak_memory_bytes};

/// What a run will take, about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Bytes of memory at the peak.
    pub memory_bytes: u64,
    /// Bytes of disk at the peak, scratch files included.
    pub disk_bytes: u64,
}

/// Which solver takes a game on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// The fast one, see [`cube`].
    Cube,
    /// The generic one, see [`plain`].
    Plain,
}

impl Solver {
    /// `cube` or `plain`.
    pub fn name(self) -> &'static str {
        match self {
            Solver::Cube => "cube",
            Solver::Plain => "plain",
        }
    }
}

/// The solver that [`solve`] uses for a game. Plies to the next capture the fast one counts in games in which men
/// are taken and nobody passes.
pub fn solver(variant: &Variant, options: &SolveOptions) -> Solver {
    let whole = options.men_up_to.is_none();
    match cube::supports(variant).and_then(|()| cube::counts(variant, options.contents(), whole)) {
        Ok(()) => Solver::Cube,
        Err(_) => Solver::Plain,
    }
}

/// Whether [`solve`] keeps what it finds, so that a run that was stopped goes on from there. Otherwise only sectors that
/// are written are not written again: on the plain solver, in games in which men move while others are placed, and when
/// plies to the next capture are counted.
pub fn goes_on(variant: &Variant, options: &SolveOptions) -> bool {
    solver(variant, options) == Solver::Cube
        && variant.rules.placing == Placing::PlaceOnly
        && options.metric == Metric::End
}

/// Forecasts what [`solve`] will take.
///
/// # Errors
/// When no solver can take the game on.
pub fn needs(variant: &Variant, options: &SolveOptions) -> Result<Needs, SolveError> {
    if variant.rules.mills_pay_once {
        let positions = positions(variant, options)?;
        return Ok(Needs {
            memory_bytes: positions * plain::BYTES_PER_REMEMBERING_POSITION,
            disk_bytes: 0,
        });
    }
    let sectors = options.sectors(variant)?;
    let threads = options.thread_count();
    let (memory_bytes, disk_bytes) = match solver(variant, options) {
        Solver::Cube => {
            let men = options.men_up_to.map(|men| men.min(variant.rules.men));
            match options.movement_from {
                Some(_) => cube::placement_needs(variant, options.contents(), men),
                None => cube::needs(
                    variant,
                    options.contents(),
                    men,
                    threads,
                    options.memory,
                    options.temporary,
                ),
            }
        }
        Solver::Plain => {
            let needs = plain::needs(variant, &options.plainly(sectors))?;
            (needs.memory_bytes, needs.positions)
        }
    };
    Ok(Needs {
        memory_bytes,
        disk_bytes,
    })
}

/// How many positions [`solve`] or [`solve_remembering`] takes on: cells of the database, or at most so many
/// positions with what they remember.
///
/// # Errors
/// When the restriction leaves nothing, or there are too many to remember.
pub fn positions(variant: &Variant, options: &SolveOptions) -> Result<u64, SolveError> {
    if variant.rules.mills_pay_once {
        options.whole(variant)?;
        let limits = plain::Options::default();
        return Ok(plain::check_remembering_size(variant, &limits)?);
    }
    Ok(count_cells(variant, &options.sectors(variant)?))
}

/// Solves a variant and writes the database into `dir`: a new or empty folder, or one in which the same call
/// was stopped, from where it then goes on. Of the fast solver's work the ply or layer in progress is lost;
/// the plain solver, either when men may move before all are placed, and the movement layer when plies to the next
/// capture are counted, begin anew but for writing what is finished. The files of the database are the same, however often it was stopped.
///
/// # Errors
/// The folder is in use, the game is beyond the solvers, or the system refuses memory or disk.
/// What was written until then is not a database: it has no manifest.
pub fn solve(
    variant: &Variant,
    dir: &Path,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Summary, SolveError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .build()?;
    pool.install(|| solve_here(variant, dir, options, progress))
}

/// [`solve`] in the current rayon pool.
fn solve_here(
    variant: &Variant,
    dir: &Path,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Summary, SolveError> {
    let timed = Timed::new(progress);
    // Before anything is made: whether the game is within the solvers.
    needs(variant, options)?;
    let sectors = options.sectors(variant)?;
    let source = match &options.movement_from {
        Some(dir) => Some(MovementSource::open(
            dir,
            variant,
            &sectors,
            options.contents(),
        )?),
        None => None,
    };
    // The folder first: nobody wants to hear after the work that it is in use.
    let level = DatabaseWriter::DEFAULT_LEVEL;
    let (contents, wanted) = (options.contents(), sectors.iter().copied());
    let store = if options.temporary {
        DatabaseWriter::create(dir, variant, contents, level)?.restricted_to(wanted)
    } else {
        DatabaseWriter::resumable(dir, variant, contents, level, wanted)?
    };
    options.check_limit(&store)?;
    if let Some(source) = &source {
        source.copy(&store, &timed)?;
    }
    if solver(variant, options) == Solver::Cube {
        let cube_options = cube::Options {
            men_up_to: options.men_up_to.map(|men| men.min(variant.rules.men)),
            memory: options.memory,
            no_capture_limit: match options.metric {
                Metric::Conversion { limit } => limit,
                Metric::End => None,
            },
            ..cube::Options::default()
        };
        cube::solve(variant, &store, &cube_options, &timed)?;
    } else {
        solve_plainly(variant, &store, &options.plainly(sectors), &timed)?;
    }
    let mut summary = summary(variant, &store, timed)?;
    summary.movement_from = source.as_ref().map(MovementSource::name);
    store.finish(summary.findings())?;
    Ok(summary)
}

/// Writes the sectors of the options, found by the plain solver.
fn solve_plainly(
    variant: &Variant,
    store: &DatabaseWriter,
    options: &plain::Options,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let (mut stage_told, mut layer_told, mut done) = (false, None, 0);
    let solution = plain::solve(variant, options, |now| {
        if !stage_told {
            progress.stage("all positions", now.total);
            stage_told = true;
        }
        if layer_told != Some(now.men_in_hand) {
            progress.layer(now.men_in_hand);
            layer_told = Some(now.men_in_hand);
        }
        if let Some(ply) = now.ply {
            progress.ply(ply);
        }
        progress.advance(now.done.saturating_sub(done));
        done = done.max(now.done);
    })?;
    let cells = |sector| store.index().len(sector);
    progress.stage("writing", solution.sectors().map(cells).sum());
    let counting = match store.contents() {
        Contents::Conversions => Some(solution.counting()?),
        _ => None,
    };
    if let Some(counting) = &counting {
        store.set_counting(counting.clone())?;
    }
    for sector in solution.sectors() {
        if store.has(sector) {
            progress.advance(cells(sector));
            continue;
        }
        let index = store.index();
        let write_planes = |scores: Vec<u8>| {
            let win = &plane(&scores, Outcome::Win);
            let loss = &plane(&scores, Outcome::Loss);
            store.write_sector(sector, Cells::Planes { win, loss })
        };
        match &counting {
            Some(counting) if sector.in_hand() == 0 => {
                let scores = solution.counted_scores(sector, index, counting)?;
                store.write_sector(sector, Cells::Scores(&scores))?
            }
            None if store.contents() == Contents::Distances => {
                let scores = solution.scores(sector, index)?;
                store.write_sector(sector, Cells::Scores(&scores))?
            }
            _ => write_planes(solution.results(sector, index)?)?,
        };
        progress.advance(cells(sector));
    }
    Ok(())
}

/// The cells with an outcome, 64 a word.
fn plane(scores: &[u8], outcome: Outcome) -> Vec<u64> {
    let bit = |score: &u8| u64::from(Score(*score).outcome() == outcome);
    let word = |word: &[u8]| word.iter().rev().fold(0, |bits, s| bits << 1 | bit(s));
    scores.chunks(64).map(word).collect()
}

/// Adds up what was written.
fn summary(
    variant: &Variant,
    store: &DatabaseWriter,
    timed: Timed<'_>,
) -> Result<Summary, SolveError> {
    let start = start_value(variant, store)?;
    let records = store.records();
    let positions = records.iter().map(|record| record.statistics.positions());
    let (whole, stages) = timed.finish();
    Ok(Summary {
        variant: variant.id.clone(),
        contents: store.contents(),
        start,
        movement_from: None,
        sectors: records.len() as u64,
        kept_sectors: store.kept_sectors() as u64,
        positions: positions.sum(),
        cells: records.iter().map(|record| record.cells).sum(),
        file_bytes: records.iter().map(|record| record.file_bytes()).sum(),
        threads: rayon::current_num_threads(),
        wall_seconds: whole.wall_seconds,
        cpu_seconds: whole.cpu_seconds,
        peak_memory_bytes: peak_memory_bytes(),
        stages,
    })
}

/// What the database says of the start position, if its sector is in there.
fn start_value(
    variant: &Variant,
    store: &DatabaseWriter,
) -> Result<Option<StartValue>, DatabaseError> {
    let start = variant.start();
    let sector = start.sector();
    if !store.records().iter().any(|record| record.sector == sector) {
        return Ok(None);
    }
    let cell = store.index().rank(&start) as usize;
    let file = store.open_sector(sector)?;
    Ok(Some(match store.contents() {
        Contents::Distances => Score(file.read()?[cell]).value().into(),
        // A start without men in hand has a distance, but not one to the end of the game.
        Contents::Values | Contents::Conversions => {
            let (win, loss) = file.read_planes()?;
            let has = |plane: &[u64]| plane[cell / 64] >> (cell % 64) & 1 == 1;
            match (has(&win), has(&loss)) {
                (true, _) => Outcome::Win.into(),
                (false, true) => Outcome::Loss.into(),
                (false, false) => Outcome::Draw.into(),
            }
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_have_a_bit_for_each_cell() {
        let mut scores = vec![Score::DRAW.0; 130];
        (scores[0], scores[65], scores[129]) = (255, 254, 3);
        assert_eq!(plane(&scores, Outcome::Win), [1, 2, 0]);
        assert_eq!(plane(&scores, Outcome::Loss), [0, 0, 2]);
    }

    #[test]
    fn values_are_those_of_the_distances() {
        let variant = Variant::builtin("three").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut found = Vec::new();
        for values_only in [false, true] {
            let dir = folder.path().join(values_only.to_string());
            let options = SolveOptions {
                values_only,
                threads: Some(1),
                ..SolveOptions::default()
            };
            let summary = solve(&variant, &dir, &options, &Silent).unwrap();
            let stages = ["movement", "writing movement", "placement"];
            assert!(
                summary
                    .stages
                    .iter()
                    .map(|stage| stage.name.as_str())
                    .eq(stages)
            );
            assert_eq!(summary.threads, 1);
            let start = summary.start.unwrap();
            assert_eq!(
                start.plies.is_some(),
                !values_only && start.value != Outcome::Draw
            );
            let records = crate::database::Database::open(&dir).unwrap();
            let counts: Vec<_> = records
                .manifest()
                .sectors
                .iter()
                .map(|record| {
                    let s = &record.statistics;
                    (record.sector, s.win, s.draw, s.loss)
                })
                .collect();
            found.push((start.value, summary.positions, counts));
        }
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn a_restriction_that_leaves_nothing_is_refused_before_a_folder_is_made() {
        let nine = Variant::builtin("nine").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("db");
        let options = SolveOptions {
            men_up_to: Some(2),
            ..SolveOptions::default()
        };
        let refused = solve(&nine, &dir, &options, &Silent).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "nine has no sectors with empty hands and at most 2 men a side"
        );
        assert!(!dir.exists());
    }
}
