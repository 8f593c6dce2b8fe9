//! Rows by the opponent's men: a turn stays in the row, and taking a man leads to the row of those left.

use rayon::prelude::*;

use super::super::sets::{all_sets, on_places};
use super::{Recompute, Scores, Turned, Way};
use crate::game::{PointSet, Sector, points};

/// What a set of the mover's men is worth that has just arrived, by number of men to take.
type Ends = [u8; 3];

/// A row with what its turns need.
struct Row<'a> {
    fixed: PointSet,
    /// The sets of the mover's men after the turn, in the order of cells.
    moved: &'a [u32],
    /// Lines through every place that are free beside the opponent's men, as sets of places.
    lines: Vec<Vec<u32>>,
    /// The places next to every place.
    near: Vec<u32>,
    all: u32,
}

impl Row<'_> {
    fn closed(&self, moved: u32, place: usize) -> u32 {
        let lines = self.lines[place].iter();
        lines.filter(|&line| line & !moved == 0).count() as u32
    }

    fn has_mill(&self, set: u32) -> bool {
        let mut lines = self.lines.iter().flatten();
        lines.any(|line| line & !set == 0)
    }
}

impl Recompute<'_> {
    /// The best turn of a way from every cell of a sector.
    pub(super) fn fix_opponent(
        &self,
        sector: Sector,
        way: &Way<Scores>,
        turned: &Turned,
    ) -> Vec<u8> {
        let (men, others) = (usize::from(sector.mover), usize::from(sector.opponent));
        let orbits = &self.orbits[others];
        let places = self.board().point_count() - others;
        let sets = all_sets(places, men);
        let moved = all_sets(places, self.after(sector, way));
        let mut out = vec![0; orbits.representatives.len() * sets.len()];
        let work = |ends: &mut Vec<Ends>, (number, out): (usize, &mut [u8])| {
            let row = self.row(orbits.representatives[number], &moved);
            let quiet = &way.after[0][number * moved.len()..(number + 1) * moved.len()];
            ends.clear();
            ends.extend(
                quiet
                    .iter()
                    .map(|&score| [turned.quiet[usize::from(score)]; 3]),
            );
            self.close_mills(sector, way, turned, &row, ends);
            for (out, &set) in out.iter_mut().zip(&sets) {
                *out = self.best_in_row(sector, way.placing, &row, ends, set);
            }
        };
        let rows = out.par_chunks_mut(sets.len().max(1)).enumerate();
        rows.with_max_len(64).for_each_init(Vec::new, work);
        out
    }

    fn row<'a>(&self, fixed: PointSet, moved: &'a [u32]) -> Row<'a> {
        let board = self.board();
        let free = board.all_points() & !fixed;
        let lines = self.lines_on_places(fixed);
        let through = |place: u32| {
            let lines = lines.iter().copied();
            lines.filter(|line| line >> place & 1 == 1).collect()
        };
        Row {
            fixed,
            moved,
            lines: (0..free.count_ones()).map(through).collect(),
            near: points(free)
                .map(|p| on_places(board.neighbours(p) & free, free))
                .collect(),
            all: on_places(free, free),
        }
    }

    /// The best turn of one set of the mover's men, 0 if there is none.
    #[inline(always)]
    fn best_in_row(&self, sector: Sector, placing: bool, row: &Row, ends: &[Ends], set: u32) -> u8 {
        let end = |moved: u32, place: usize| {
            let due = self.variant.rules.captures(row.closed(moved, place));
            ends[self.ranks.of(moved)][usize::from(due)]
        };
        let empty = row.all & !set;
        if placing {
            let turns = points(empty).map(|place| end(set | 1 << place, place));
            return turns.max().unwrap_or(0);
        }
        let flies = self.flies(sector);
        let turns = points(set).flat_map(|from| {
            let goals = if flies { empty } else { row.near[from] & empty };
            points(goals).map(move |to| (set & !(1 << from) | 1 << to, to))
        });
        turns.map(|(moved, to)| end(moved, to)).max().unwrap_or(0)
    }

    /// Enters what taking men is worth, or winning, for the sets of the mover's men that have a mill.
    fn close_mills(
        &self,
        sector: Sector,
        way: &Way<Scores>,
        turned: &Turned,
        row: &Row,
        ends: &mut [Ends],
    ) {
        let with_mill = |ends: &mut [Ends], change: &mut dyn FnMut(&mut Ends, u32)| {
            let cells = ends.iter_mut().zip(row.moved);
            cells
                .filter(|(_, set)| row.has_mill(**set))
                .for_each(|(ends, &set)| change(ends, set));
        };
        if self.first_mill_wins() {
            with_mill(ends, &mut |ends, _| *ends = [u8::MAX; 3]);
            return;
        }
        let men = row.moved.first().map_or(0, |set| set.count_ones() as usize);
        let left = u32::from(sector.opponent) + u32::from(sector.opponent_hand);
        for due in 1..=self.variant.rules.most_captures() {
            let mut rest = Vec::new();
            self.take(row.fixed, left, due, way.after.len(), &mut rest);
            if rest == [Some(row.fixed)] {
                continue;
            }
            with_mill(ends, &mut |ends, _| ends[usize::from(due)] = 0);
            for rest in rest {
                let Some(rest) = rest else {
                    with_mill(ends, &mut |ends, _| ends[usize::from(due)] = u8::MAX);
                    continue;
                };
                let taken = (row.fixed & !rest).count_ones() as usize;
                let places = self.board().point_count() - rest.count_ones() as usize;
                let len = self.ranks.count(places, men);
                let (number, map) = self.gather(row.fixed, rest);
                let cells = &way.after[taken][number * len..(number + 1) * len];
                with_mill(ends, &mut |ends, set| {
                    let worth = turned.capture[usize::from(cells[self.ranks.of(map.of(set))])];
                    let best = &mut ends[usize::from(due)];
                    *best = (*best).max(worth);
                });
            }
        }
    }

    /// What may be left of a side's men when `due` are taken one after the other; `None` when it is beaten.
    fn take(
        &self,
        men: PointSet,
        left: u32,
        due: u8,
        enough: usize,
        rest: &mut Vec<Option<PointSet>>,
    ) {
        let takeable = self.takeable(men, self.men_in_mills(men), left);
        let mut add = |result| {
            if !rest.contains(&result) {
                rest.push(result);
            }
        };
        match (takeable, due) {
            (0, _) | (_, 0) => add(Some(men)),
            _ if enough == 1 => add(None),
            _ => points(takeable)
                .for_each(|x| self.take(men & !(1 << x), left - 1, due - 1, enough - 1, rest)),
        }
    }
}
