//! Games in which men may move while others are still in hand: one layer group after the other.
//!
//! A turn that places a man leaves the group of positions with these hands for good, all other turns stay
//! in it. So the groups are solved from empty hands up, and each hands on what it means to place into it:
//!
//! ```text
//! hands of the sides   {0,0} -> {0,1} -> {0,2}, {1,1} -> {0,3}, {1,2} -> ... -> {n,n}
//!                           placings      placings
//! ```
//!
//! Which of the two sides is to move makes the halves of a group, see [`movement`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use super::checkpoint::Keep;
use super::movement::{self, Group, Movement, Placings};
use super::writer::{GroupWriter, scores_of_plies};
use super::{CubeError, Options};
use crate::cpu::Level;
use crate::database::{Contents, DatabaseWriter};
use crate::game::{Sector, Variant};
use crate::index::{Fixed, SectorIndex};
use crate::solve::{Progress, Silent};
use crate::value::Score;

/// The hands of all layer groups, those with fewer men in hand first.
fn groups(variant: &Variant) -> impl Iterator<Item = [u8; 2]> {
    let sectors = variant.sectors().into_iter();
    let groups: BTreeSet<_> = sectors.map(|s| (s.in_hand(), hands_of(&s))).collect();
    groups.into_iter().map(|(_, hands)| hands)
}

/// The hands of a sector, whichever side has which.
fn hands_of(sector: &Sector) -> [u8; 2] {
    let (a, b) = (sector.mover_hand, sector.opponent_hand);
    [a.max(b), a.min(b)]
}

/// About how many bytes of memory [`solve`] takes, with a limit if that is possible, and how many of disk
/// while it works.
pub(super) fn needs(
    variant: &Variant,
    index: &SectorIndex,
    contents: Contents,
    threads: usize,
    limit: Option<u64>,
) -> (u64, u64) {
    let men = variant.rules.men;
    let sets = index.sets();
    let memory = |hands| movement::memory_needed(variant, sets, men, hands, threads, limit);
    let memory = groups(variant).map(memory).max().unwrap_or(0);
    // Bytes a cell: of the database, as measured on nine; of the journals of a layer while it is solved, each
    // as long as that of nine; of the placings of a layer, of which two are there at a time.
    let [stored, kept, placed] = match contents {
        Contents::Distances => [0.4, 3.0, 1.0],
        Contents::Values | Contents::Conversions => [0.13, 0.0, 0.3],
    };
    let mut cells: BTreeMap<u8, u64> = BTreeMap::new();
    for sector in variant.sectors() {
        *cells.entry(sector.in_hand()).or_default() += index.len(sector);
    }
    let all = cells.values().sum::<u64>() as f64;
    let largest = cells.into_values().max().unwrap_or(0) as f64;
    (
        memory,
        (stored * all + (kept + 2.0 * placed) * largest) as u64,
    )
}

/// Cells of all rows that [`solve`] passes over, those of unwanted sizes included: what its time goes by.
pub(super) fn row_cells(variant: &Variant, index: &SectorIndex) -> u64 {
    groups(variant)
        .map(|hands| movement::row_cells(variant, index.sets(), variant.rules.men, hands))
        .sum()
}

/// Solves all sectors, and writes those that an earlier run has not written.
pub(super) fn solve(
    variant: &Variant,
    store: &DatabaseWriter,
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), CubeError> {
    let level = options.level;
    let distances = store.contents() == Contents::Distances;
    let keep = match distances {
        true => Keep::Scratch(store.dir()),
        false => Keep::Nothing,
    };
    let groups: BTreeSet<[u8; 2]> = self::groups(variant).collect();
    let cells = |group: [u8; 2]| -> u64 {
        let sectors = variant.sectors().into_iter();
        let of_group = sectors.filter(|sector| hands_of(sector) == group);
        of_group.map(|sector| store.index().len(sector)).sum()
    };
    let mut placings = BTreeMap::new();
    for hands in self::groups(variant) {
        progress.layer(hands[0] + hands[1]);
        let told = Told::new(progress, cells(hands));
        let mut solved = movement::solve(
            &Group {
                variant,
                sets: store.index().sets(),
                men: variant.rules.men,
                hands,
                placings: &placings,
                keep_ends: true,
                keep,
                memory: options.memory_for_solving(),
            },
            level,
            &told,
        )?;
        let scores = distances.then(|| scores_of_plies(&solved)).transpose()?;
        if distances {
            solved.drop_planes();
        }
        GroupWriter {
            store,
            level,
            progress: &Silent,
        }
        .write(&solved, scores.as_deref())?;
        told.tell_rest();
        for (number, half) in solved.halves.iter().enumerate() {
            placings.remove(&(half.fixed_hand, half.varied_hand));
            let (a, b) = (half.fixed_hand, half.varied_hand + 1);
            if groups.contains(&[a.max(b), a.min(b)]) {
                let placing = place_into(variant, store, &solved, number, level)?;
                placings.insert((a, b), placing);
            }
        }
    }
    Ok(())
}

/// Tells of a group as many cells as it has: those that get decided at once, draws at the end.
struct Told<'a> {
    listener: &'a dyn Progress,
    rest: AtomicU64,
}

impl<'a> Told<'a> {
    fn new(listener: &'a dyn Progress, cells: u64) -> Self {
        let rest = cells.into();
        Told { listener, rest }
    }

    fn tell_rest(self) {
        self.listener.advance(self.rest.into_inner());
    }
}

impl Progress for Told<'_> {
    fn stage(&self, name: &str, cells: u64) {
        self.listener.stage(name, cells);
    }

    fn advance(&self, cells: u64) {
        // Rows also have cells of sizes that no game leads to.
        let take = |rest: u64| Some(rest.saturating_sub(cells));
        if let Ok(rest) = self
            .rest
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
        {
            self.listener.advance(cells.min(rest));
        }
    }

    fn ply(&self, ply: u16) {
        self.listener.ply(ply);
    }
}

/// What it is worth to place a man and thereby get into a half of a solved group.
fn place_into(
    variant: &Variant,
    store: &DatabaseWriter,
    solved: &Movement,
    half: usize,
    level: Level,
) -> Result<Placings, CubeError> {
    if solved.last_ply >= Score::MAX_PLIES && store.contents() == Contents::Distances {
        let half = &solved.halves[half];
        let sector = half.sector(
            Fixed::Opponent,
            half.layout.classes[0].men,
            *half.varied.start(),
        );
        return Err(CubeError::TooLong { sector });
    }
    let sets = store.index().sets();
    Ok(Placings::new(
        &variant.board,
        sets,
        solved,
        half,
        level,
        store.dir(),
    )?)
}
