//! How long a run takes, and what a machine can hold of one that it cannot hold whole.

use super::{Needs, SolveError, SolveOptions, Solver, cube, needs, plain, solver};
use crate::database::Contents;
use crate::game::{Sector, Variant};
use crate::index::OrbitCounter;

/// Turns a second of the plain solver on two cores: measured on `pentagon` with up to four men.
const TURNS_PER_SECOND: f64 = 4e6;

/// What a run may take of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Bytes of disk where the database goes; `None`: not known.
    pub disk_bytes: Option<u64>,
}

impl Resources {
    /// Whether a run can be held.
    pub fn hold(&self, needs: &Needs) -> bool {
        needs.memory_bytes <= self.memory_bytes
            && self.disk_bytes.is_none_or(|disk| needs.disk_bytes <= disk)
    }
}

/// The runs that a machine holds instead of one that it does not hold, by what they give up:
///
/// 1. the same on fewer threads, which takes longer;
/// 2. without distances;
/// 3. the sectors with empty hands of as many men as fit, with distances if these were wanted and fit.
///
/// There is at most one of each kind, and none if the run fits as it is or nothing does. Nothing is made.
pub fn what_fits(
    variant: &Variant,
    options: &SolveOptions,
    resources: &Resources,
) -> Vec<SolveOptions> {
    let fits = |options: &SolveOptions| needs(variant, options).is_ok_and(|n| resources.hold(&n));
    if fits(options) {
        return Vec::new();
    }
    let fewer = fewer_threads(variant, options);
    let mut found: Vec<SolveOptions> = fewer.into_iter().find(|o| fits(o)).into_iter().collect();
    if options.contents() == Contents::Distances {
        let values = SolveOptions {
            values_only: true,
            ..options.clone()
        };
        let few = fewer_threads(variant, &values);
        found.extend(std::iter::once(values).chain(few).find(|o| fits(o)));
    }
    found.extend(fewer_men(variant, options).into_iter().find(|o| fits(o)));
    found
}

/// The same with half of the threads, a quarter, and so on: only the fast solver takes memory for each.
fn fewer_threads(variant: &Variant, options: &SolveOptions) -> Vec<SolveOptions> {
    if solver(variant, options) == Solver::Plain {
        return Vec::new();
    }
    let halves = std::iter::successors(Some(options.thread_count() / 2), |threads| {
        Some(threads / 2)
    });
    let halves = halves.take_while(|&threads| threads > 0);
    let with = |threads| SolveOptions {
        threads: Some(threads),
        ..options.clone()
    };
    halves.map(with).collect()
}

/// The sectors with empty hands of fewer and fewer men, each with distances first if they were wanted.
fn fewer_men(variant: &Variant, options: &SolveOptions) -> Vec<SolveOptions> {
    let most = match options.men_up_to {
        Some(men) => men.saturating_sub(1),
        None => variant.rules.men,
    };
    let kinds = match options.contents() {
        Contents::Distances => &[false, true][..],
        Contents::Values => &[true],
        Contents::Conversions => &[false],
    };
    let men = (1..=most.min(variant.rules.men)).rev();
    men.flat_map(|men| {
        kinds.iter().map(move |&values_only| SolveOptions {
            values_only,
            men_up_to: Some(men),
            ..options.clone()
        })
    })
    .collect()
}

/// Positions of some sectors; symmetric images count as one.
pub fn count_positions(variant: &Variant, sectors: &[Sector]) -> u64 {
    let counter = OrbitCounter::new(&variant.board);
    let counts = sectors
        .iter()
        .map(|sector| counter.positions(sector.mover.into(), sector.opponent.into()));
    counts.sum()
}

/// Cells that a database has for some sectors: a few positions have more than one.
pub fn count_cells(variant: &Variant, sectors: &[Sector]) -> u64 {
    let counter = OrbitCounter::new(&variant.board);
    sectors.iter().map(|&sector| counter.cells(sector)).sum()
}

/// About how many seconds [`solve`](super::solve) takes on two cores.
///
/// # Errors
/// When no solver can take the game on.
pub fn seconds(variant: &Variant, options: &SolveOptions) -> Result<f64, SolveError> {
    let mut sectors = options.sectors(variant)?;
    match solver(variant, options) {
        Solver::Cube => {
            if options.movement_from.is_some() {
                sectors.retain(|sector| sector.in_hand() > 0);
            }
            // Measured on `nine`, but for the last: its stages pass over the rows about twice as often.
            let rate = match options.contents() {
                Contents::Distances => 75e6,
                Contents::Values => 88e6,
                Contents::Conversions => 40e6,
            };
            let positions = count_cells(variant, &sectors) as f64;
            let whole = options.men_up_to.is_none();
            Ok(match cube::row_cells(variant).filter(|_| whole) {
                // Every layer takes as long as the movement layer of nine, and its rows have to be passed over
                // even where they hold few positions, as in `lasker-five`.
                Some(cells) => positions / 42e6 + cells as f64 / 1.5e9,
                None => positions / rate,
            })
        }
        Solver::Plain => {
            let needs = plain::needs(variant, &options.plainly(sectors))?;
            Ok(needs.turns as f64 / TURNS_PER_SECOND)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(id: &str) -> Variant {
        Variant::builtin(id).unwrap()
    }

    fn options(threads: usize) -> SolveOptions {
        SolveOptions {
            threads: Some(threads),
            ..SolveOptions::default()
        }
    }

    #[test]
    fn a_run_that_fits_has_no_substitute_and_others_have_the_largest() {
        let nine = variant("nine");
        let whole = needs(&nine, &options(8)).unwrap();
        let mut resources = Resources {
            memory_bytes: whole.memory_bytes,
            disk_bytes: Some(whole.disk_bytes),
        };
        assert_eq!(what_fits(&nine, &options(8), &resources), []);
        // A byte of disk less: only fewer cells or fewer bytes for each help.
        resources.disk_bytes = Some(whole.disk_bytes - 1);
        let found = what_fits(&nine, &options(8), &resources);
        let said: Vec<_> = found
            .iter()
            .map(|run| (run.threads, run.values_only, run.men_up_to))
            .collect();
        assert_eq!(said, [(Some(8), true, None), (Some(8), false, Some(9))]);
        // Hardly any memory: the most men of which one more would not fit.
        resources.memory_bytes = 1 << 30;
        let found = what_fits(&nine, &options(8), &resources);
        let [run] = found.as_slice() else {
            panic!("{found:?}")
        };
        let men = run.men_up_to.unwrap();
        assert!(resources.hold(&needs(&nine, run).unwrap()));
        for values_only in [false, true] {
            let more = SolveOptions {
                men_up_to: Some(men + 1),
                values_only,
                ..run.clone()
            };
            assert!(!resources.hold(&needs(&nine, &more).unwrap()));
        }
        resources.memory_bytes = 0;
        assert_eq!(what_fits(&nine, &options(8), &resources), []);
    }

    #[test]
    fn fewer_threads_are_offered_where_they_help() {
        let six = variant("six");
        let needed = |threads| needs(&six, &options(threads)).unwrap().memory_bytes;
        assert!(needed(64) > needed(16));
        let resources = Resources {
            memory_bytes: needed(16),
            disk_bytes: None,
        };
        let found = what_fits(&six, &options(64), &resources);
        // The most that fit: from 64 on by halves.
        let fitting = if needed(32) > needed(16) { 16 } else { 32 };
        assert_eq!(found[0], options(fitting));
    }

    #[test]
    fn what_the_plain_solver_cannot_hold_is_cut_to_some_men() {
        let pentagon = variant("pentagon");
        assert!(needs(&pentagon, &options(2)).is_err());
        let resources = Resources {
            memory_bytes: 6 << 30,
            disk_bytes: None,
        };
        let found = what_fits(&pentagon, &options(2), &resources);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].men_up_to, found[0].values_only), (Some(4), false));
        // C(30, 4) C(26, 4) and so on over 20 symmetries, and a little for those that have some.
        let sectors = found[0].sectors(&pentagon).unwrap();
        let images = 4060 * 2925 + 2 * 4060 * 17_550 + 27_405 * 14_950;
        let positions = count_positions(&pentagon, &sectors);
        assert!((images / 20..images / 20 + images / 2000).contains(&positions));
        assert!(count_cells(&pentagon, &sectors) > positions);
    }
}
