//! What Malom's solver has left of its counts: a number beside every draw.
//!
//! The solver starts with the number of turns of a position, in a way, and takes one off for each that turns
//! out to lose. A position whose turns have all gone is lost; one for which it ends with some left is a draw,
//! and they are stored. Readers pass over the number. But it belongs to the bytes of the file:
//!
//! ```text
//! count(p) = sum over the turns of p that lead to a drawn position x   of   |orbit of p| / |orbit of x|
//! ```
//!
//! (A turn that takes one man and the same turn that takes another are two.) The weight is there because the
//! solver counts back from one position of each orbit, the family of its symmetric images, and reaches p as often as
//! p has images among the predecessors. As an orbit has 16 positions divided by the symmetries that its
//! positions have, the weight is the number of those of x divided by the number of those of p, and 1 for nearly all.
//!
//! Computed row by row: of a turn the men of the side that moves are known for the whole row, and the draws that it
//! leads to are bits of a single row of the next sector, which goes by the same men.

use std::collections::VecDeque;
use std::sync::Arc;

use super::rows::Draws;
use super::source::Source;
use super::{MalomError, MalomIndex};
use crate::game::{PointSet, Sector, points};
use crate::verify::consistency::sets::{PlaceMap, lines_on_places, on_places};
use crate::verify::consistency::{Way, ways};

/// The draws of the sectors that were asked for lately.
#[derive(Debug, Default)]
pub(super) struct DrawCache(VecDeque<(Sector, Arc<Draws>)>);

/// Bytes of draws to keep: a layer of the placement of `nine` and some more.
const CACHE_BYTES: usize = 512 << 20;

impl DrawCache {
    fn get(
        &mut self,
        source: &Source,
        index: &MalomIndex,
        sector: Sector,
    ) -> Result<Arc<Draws>, MalomError> {
        if let Some((_, draws)) = self.0.iter().find(|(other, _)| *other == sector) {
            return Ok(draws.clone());
        }
        let draws = Arc::new(Draws::of(index, sector, source.scores(sector)?));
        self.0.push_back((sector, draws.clone()));
        let mut bytes: usize = self.0.iter().map(|(_, draws)| draws.bytes()).sum();
        while bytes > CACHE_BYTES && self.0.len() > 1 {
            bytes -= self.0.pop_front().map_or(0, |(_, draws)| draws.bytes());
        }
        Ok(draws)
    }
}

/// Counts for the draws of one sector.
#[derive(Debug)]
pub(super) struct Counts<'a> {
    index: &'a MalomIndex,
    sector: Sector,
    flies: bool,
    /// With the draws that turns lead to. Those that take a man are missing where that wins the game, which no
    /// drawn position allows.
    ways: Vec<Way<Arc<Draws>>>,
}

impl<'a> Counts<'a> {
    /// Prepares to count in a sector.
    pub fn new(
        source: &Source,
        index: &'a MalomIndex,
        sector: Sector,
        cache: &mut DrawCache,
    ) -> Result<Counts<'a>, MalomError> {
        let mut way = |way: Way<Sector>| {
            let after = way.after.into_iter();
            let draws = after.map(|next| cache.get(source, index, next));
            Ok::<_, MalomError>(Way {
                placing: way.placing,
                after: draws.collect::<Result<_, _>>()?,
            })
        };
        let ways = ways(source.variant(), sector).into_iter().map(&mut way);
        Ok(Counts {
            index,
            sector,
            flies: source.variant().rules.flying && sector.mover + sector.mover_hand == 3,
            ways: ways.collect::<Result<_, _>>()?,
        })
    }

    /// The counts of some draws of a row: of the opponent's sets, on the places beside the mover's men.
    pub fn count(&self, row: usize, draws: &[u32], counts: &mut Vec<u32>) {
        counts.clear();
        counts.resize(draws.len(), 0);
        if draws.is_empty() {
            return;
        }
        let (board, men) = (self.index.board(), self.index.seed(self.sector.mover, row));
        let free = board.all_points() & !men;
        let lines = lines_on_places(board, men);
        let takeable: Vec<u32> = draws.iter().map(|&set| takeable(set, &lines)).collect();
        for way in &self.ways {
            let mut turn = |moved: PointSet, to: usize| {
                let turn = Turn::new(self.index, way, men, moved, to);
                let each = draws.iter().zip(&takeable).zip(counts.iter_mut());
                for ((&set, &takeable), count) in each {
                    *count += turn.drawn(set, takeable);
                }
            };
            if way.placing {
                points(free).for_each(|to| turn(men | 1 << to, to));
                continue;
            }
            for from in points(men) {
                let goals = match self.flies {
                    true => free,
                    false => board.neighbours(from) & free,
                };
                points(goals).for_each(|to| turn(men & !(1 << from) | 1 << to, to));
            }
        }
        let stays = self.index.stays(self.sector.mover, row);
        for (count, &set) in counts.iter_mut().zip(draws) {
            *count /= symmetries(stays, set);
        }
    }
}

/// One turn of all positions of a row, but for which men it takes.
struct Turn<'a> {
    index: &'a MalomIndex,
    /// The place it leads to, in the row it comes from.
    barred: u32,
    /// From the places of that row to those of the next.
    map: PlaceMap,
    /// The draws of the row it leads to; `None` if it takes a man and that wins.
    draws: Option<&'a [u64]>,
    captures: bool,
    /// What the symmetries that keep the moved men in place do in that row.
    stays: &'a [PlaceMap],
}

impl<'a> Turn<'a> {
    fn new(
        index: &'a MalomIndex,
        way: &'a Way<Arc<Draws>>,
        men: PointSet,
        moved: PointSet,
        to: usize,
    ) -> Self {
        let board = index.board();
        let count = moved.count_ones() as u8;
        let (row, map) = index.orbits(count).gather(board, &index.ranks, men, moved);
        let captures = board.stands_in_mill(to, moved);
        let draws = way.after.get(usize::from(captures));
        Turn {
            index,
            barred: on_places(1 << to, board.all_points() & !men),
            map,
            draws: draws.map(|draws| draws.row(row)),
            captures,
            stays: index.stays(count, row),
        }
    }

    /// The symmetries of the drawn positions it leads to, in all, when the opponent has these men.
    fn drawn(&self, set: u32, takeable: u32) -> u32 {
        let Some(draws) = self.draws.filter(|_| set & self.barred == 0) else {
            return 0;
        };
        if !self.captures {
            return self.symmetries_if_drawn(draws, set);
        }
        let taken = points(takeable).map(|man| set & !(1 << man));
        taken.map(|set| self.symmetries_if_drawn(draws, set)).sum()
    }

    fn symmetries_if_drawn(&self, draws: &[u64], set: u32) -> u32 {
        let there = self.map.of(set);
        let at = self.index.ranks.of(there);
        match draws[at / 64] >> (at % 64) & 1 {
            0 => 0,
            _ => symmetries(self.stays, there),
        }
    }
}

/// How many symmetries keep a position in place, of which `stays` keep the men of its row.
fn symmetries(stays: &[PlaceMap], set: u32) -> u32 {
    let keeps = |map: &&PlaceMap| map.of(set) == set;
    1 + stays.iter().filter(keeps).count() as u32
}

/// The men of which one may be taken, as sets of places.
fn takeable(men: u32, lines: &[u32]) -> u32 {
    let held = lines.iter().filter(|&&line| men & line == line);
    match men & !held.fold(0, |all, line| all | line) {
        0 => men,
        free => free,
    }
}
