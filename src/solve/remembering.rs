//! Games for which there can be no database, as their mills pay once: what they are worth, and counts.

use super::{
    Progress, SolveError, SolveOptions, Summary, Timed, peak_memory_bytes, plain, positions,
};
use crate::game::{Sector, Variant};

/// Solves a variant in which mills pay once, for which there can be no database: what the run found and took,
/// and the counts of every sector, each position counted once for each memory that a game can have there.
///
/// # Errors
/// There are more positions than the plain solver takes on, or only a part of the game was asked for.
pub fn solve_remembering(
    variant: &Variant,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<(Summary, Vec<(Sector, plain::SectorCounts)>), SolveError> {
    let most = positions(variant, options)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .build()?;
    let timed = Timed::new(progress);
    timed.stage("all positions", most);
    let mut told = 0;
    let solution = pool.install(|| {
        plain::solve_remembering(variant, &plain::Options::default(), |ply, known| {
            if let Some(ply) = ply {
                timed.ply(ply);
            }
            timed.advance(known - told);
            told = known;
        })
    })?;
    let start = solution.start().map(|value| match options.values_only {
        false => value.into(),
        true => value.outcome().into(),
    });
    let counts: Vec<_> = solution.counts().into_iter().collect();
    let (whole, stages) = timed.finish();
    let summary = Summary {
        variant: variant.id.clone(),
        contents: options.contents(),
        start,
        sectors: counts.len() as u64,
        positions: solution.position_count(),
        cells: solution.position_count(),
        kept_sectors: 0,
        movement_from: None,
        file_bytes: 0,
        threads: pool.current_num_threads(),
        wall_seconds: whole.wall_seconds,
        cpu_seconds: whole.cpu_seconds,
        peak_memory_bytes: peak_memory_bytes(),
        stages,
    };
    Ok((summary, counts))
}
