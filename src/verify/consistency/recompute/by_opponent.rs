//! Rows by the opponent's men: a turn stays in the row, and taking a man leads to the row of those left.

use rayon::prelude::*;

use super::super::sets::{InLines, all_sets, on_places};
use super::{Recompute, Scores, Turned, Way};
use crate::game::{PointSet, Sector, points};

/// What a set of the mover's men is worth that has just arrived: by number of men to take, then by number of mills
/// closed. The last is not used; four bytes are found faster than three.
type Ends = [u8; 4];

/// A row with what its turns need.
#[derive(Default)]
struct Row {
    fixed: PointSet,
    /// The places next to every place.
    near: Vec<u32>,
    all: u32,
    /// By number of the set of the mover's men after the turn: the places that stand in mills.
    in_mills: InLines,
    ends: Vec<Ends>,
    /// Numbers of the sets that have a mill.
    with_mill: Vec<u32>,
}

impl Row {
    /// What a turn is worth that has brought a man of the set with this number to a place.
    #[inline(always)]
    fn end(&self, moved: usize, place: usize) -> u8 {
        let InLines { once, twice } = &self.in_mills;
        let closed = (once[moved] >> place & 1) + (twice[moved] >> place & 1);
        self.ends[moved][closed as usize]
    }

    fn change_with_mill(&mut self, mut change: impl FnMut(&mut Ends, usize)) {
        for &moved in &self.with_mill {
            change(&mut self.ends[moved as usize], moved as usize);
        }
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
        let work = |row: &mut Row, (number, out): (usize, &mut [u8])| {
            self.enter(orbits.representatives[number], &moved, row);
            let quiet = &way.after[0][number * moved.len()..(number + 1) * moved.len()];
            let quiet = quiet.iter().map(|&score| turned.quiet[usize::from(score)]);
            row.ends.clear();
            row.ends.extend(quiet.map(|worth| [worth; 4]));
            self.close_mills(sector, way, turned, &moved, row);
            for (out, &set) in out.iter_mut().zip(&sets) {
                *out = self.best_in_row(sector, way.placing, row, set);
            }
        };
        let rows = out.par_chunks_mut(sets.len().max(1)).enumerate();
        rows.with_max_len(64).for_each_init(Row::default, work);
        out
    }

    /// Turns to another row, of which the ends are not known yet.
    fn enter(&self, fixed: PointSet, moved: &[u32], row: &mut Row) {
        let board = self.board();
        let free = board.all_points() & !fixed;
        let near = points(free).map(|p| on_places(board.neighbours(p) & free, free));
        row.fixed = fixed;
        row.near.clear();
        row.near.extend(near);
        row.all = on_places(free, free);
        row.in_mills.fill(&self.lines_on_places(fixed), moved);
        row.with_mill.clear();
        let in_mills = (0..).zip(&row.in_mills.once);
        row.with_mill.extend(
            in_mills
                .filter(|(_, places)| **places != 0)
                .map(|(at, _)| at),
        );
    }

    /// The best turn of one set of the mover's men, 0 if there is none.
    #[inline(always)]
    fn best_in_row(&self, sector: Sector, placing: bool, row: &Row, set: u32) -> u8 {
        let end = |moved: u32, place: usize| row.end(self.ranks.of(moved), place);
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
        moved: &[u32],
        row: &mut Row,
    ) {
        if self.first_mill_wins() {
            row.change_with_mill(|ends, _| *ends = [u8::MAX; 4]);
            return;
        }
        let men = self.after(sector, way);
        let left = u32::from(sector.opponent) + u32::from(sector.opponent_hand);
        for due in 1..=self.variant.rules.most_captures() {
            let mut rest = Vec::new();
            self.take(row.fixed, left, due, way.after.len(), &mut rest);
            if rest == [Some(row.fixed)] {
                continue;
            }
            let best = usize::from(due);
            row.change_with_mill(|ends, _| ends[best] = 0);
            for rest in rest {
                let Some(rest) = rest else {
                    row.change_with_mill(|ends, _| ends[best] = u8::MAX);
                    continue;
                };
                let taken = (row.fixed & !rest).count_ones() as usize;
                let places = self.board().point_count() - rest.count_ones() as usize;
                let len = self.ranks.count(places, men);
                let (number, map) = self.gather(row.fixed, rest);
                let cells = &way.after[taken][number * len..(number + 1) * len];
                row.change_with_mill(|ends, at| {
                    let cell = cells[self.ranks.of(map.of(moved[at]))];
                    ends[best] = ends[best].max(turned.capture[usize::from(cell)]);
                });
            }
        }
        let [one, two] = [1, 2].map(|mills| usize::from(self.variant.rules.captures(mills)));
        row.change_with_mill(|ends, _| *ends = [ends[0], ends[one], ends[two], 0]);
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
