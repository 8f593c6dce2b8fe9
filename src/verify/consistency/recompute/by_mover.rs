//! Rows by the mover's men: every turn is another row, gathered for all sets of the opponent's men at once.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::super::sets::{InLines, Orbits, PlaceMap, all_sets, without_place};
use super::{Recompute, Scores, Turned, Victims, Way};
use crate::game::{PointSet, Sector, points};
use crate::index::Fixed;

/// What the turns of a way lead to, and what every row of the mover's men goes over.
struct Turns {
    placing: bool,
    /// By number of men to take: what a turn is worth, laid out as the quiet sector.
    worth: Vec<Vec<u8>>,
    /// By place: the sets of the opponent's men that leave it free, with their numbers.
    leaving: Vec<Vec<(u32, u32)>>,
}

impl Recompute<'_> {
    /// The best turn of a way from every cell of a sector.
    pub(super) fn fix_mover(&self, sector: Sector, way: &Way<Scores>, turned: &Turned) -> Vec<u8> {
        let most = self.variant.rules.most_captures();
        let quiet = way.after[0].par_iter();
        let quiet = quiet.map(|&score| turned.quiet[usize::from(score)]);
        let captures = (1..=most).map(|due| self.best_captures(sector, way, turned, due));
        let (men, others) = (usize::from(sector.mover), usize::from(sector.opponent));
        let movers = &self.orbits[men];
        let places = self.board().point_count() - men;
        let sets = all_sets(places, others);
        let turns = Turns {
            placing: way.placing,
            worth: std::iter::once(quiet.collect()).chain(captures).collect(),
            leaving: without_place(&sets, places),
        };
        let in_rows = Fixed::of(sector) == Fixed::Mover;
        let row_len = match in_rows {
            true => sets.len(),
            false => self.ranks.count(self.board().point_count() - others, men),
        };
        let rows = if in_rows {
            movers
        } else {
            &self.orbits[others]
        };
        let cells = rows.representatives.len() * row_len;
        let mut out = Vec::with_capacity(cells);
        out.resize_with(cells, || AtomicU8::new(0));
        let work = |best: &mut Vec<u8>, (row, &fixed): (usize, &PointSet)| {
            best.clear();
            best.resize(sets.len(), 0);
            self.gather_turns(sector, fixed, &turns, best);
            if in_rows {
                for (out, &score) in out[row * row_len..].iter().zip(best.iter()) {
                    out.store(score, Ordering::Relaxed);
                }
            } else {
                self.scatter(fixed, &sets, best, rows, row_len, &out);
            }
        };
        let fixed = movers.representatives.par_iter().enumerate();
        fixed.with_max_len(64).for_each_init(Vec::new, work);
        out.into_iter().map(AtomicU8::into_inner).collect()
    }

    /// For every row of the mover's men after its turn that can have closed mills for so many men, and all men
    /// of the opponent: the best way to take them. Laid out as the quiet sector, turned round.
    fn best_captures(
        &self,
        sector: Sector,
        way: &Way<Scores>,
        turned: &Turned,
        due: u8,
    ) -> Vec<u8> {
        let (after, men) = (self.after(sector, way), usize::from(sector.opponent));
        let orbits = &self.orbits[after];
        let places = self.board().point_count() - after;
        let row_lens: Vec<usize> = (0..way.after.len())
            .map(|taken| self.ranks.count(places, men - taken))
            .collect();
        let sets = all_sets(places, men);
        let mut best = vec![0; orbits.representatives.len() * sets.len()];
        let rows = best.par_chunks_mut(sets.len().max(1)).enumerate();
        let work = |in_mills: &mut InLines, (row, best): (usize, &mut [u8])| {
            let fixed = orbits.representatives[row];
            if points(fixed).all(|p| self.due(fixed, p) < due) {
                return;
            }
            let after = way.after.iter().zip(&row_lens);
            let victims = Victims {
                turned,
                lines: self.lines_on_places(fixed),
                left: u32::from(sector.opponent) + u32::from(sector.opponent_hand),
                after: after
                    .map(|(scores, len)| &scores[row * len..(row + 1) * len])
                    .collect(),
            };
            in_mills.fill(&victims.lines, &sets);
            for ((best, &set), &in_mills) in best.iter_mut().zip(&sets).zip(&in_mills.once) {
                *best = self.best_taking(&victims, set, in_mills, 0, due);
            }
        };
        rows.with_max_len(64).for_each_init(InLines::default, work);
        best
    }

    /// The best turn for one set of the mover's men and all sets of the opponent's.
    fn gather_turns(&self, sector: Sector, fixed: PointSet, turns: &Turns, best: &mut [u8]) {
        let board = self.board();
        let free = board.all_points() & !fixed;
        let men = fixed.count_ones() as usize + usize::from(turns.placing);
        let len = (self.ranks).count(board.point_count() - men, usize::from(sector.opponent));
        let mut turn = |moved: PointSet, to: usize| {
            let place = (free & ((1 << to) - 1)).count_ones() as usize;
            let each = &turns.leaving[place];
            if self.first_mill_wins() && self.has_mill(moved) {
                each.iter().for_each(|&(at, _)| best[at as usize] = u8::MAX);
                return;
            }
            let (row, map) = self.gather(fixed, moved);
            let worth = &turns.worth[usize::from(self.due(moved, to))];
            let worth = &worth[row * len..(row + 1) * len];
            for &(at, set) in each {
                let best = &mut best[at as usize];
                *best = (*best).max(worth[self.ranks.of(map.of(set))]);
            }
        };
        if turns.placing {
            points(free).for_each(|to| turn(fixed | 1 << to, to));
            return;
        }
        for from in points(fixed) {
            let goals = if self.flies(sector) {
                free
            } else {
                board.neighbours(from) & free
            };
            points(goals).for_each(|to| turn(fixed & !(1 << from) | 1 << to, to));
        }
    }

    /// Puts the scores of one set of the mover's men where the sector has them: in the rows of the opponent's.
    fn scatter(
        &self,
        fixed: PointSet,
        sets: &[u32],
        best: &[u8],
        rows: &Orbits,
        row_len: usize,
        out: &[AtomicU8],
    ) {
        let board = self.board();
        let symmetries = board.symmetries();
        let images: Vec<PointSet> = symmetries
            .iter()
            .map(|symmetry| symmetry.apply(fixed))
            .collect();
        let free = points(board.all_points() & !fixed);
        let on_board = PlaceMap::new(&free.map(|p| Some(p as u32)).collect::<Vec<_>>());
        for (&set, &score) in sets.iter().zip(best) {
            let home = rows.locate(&self.ranks, on_board.of(set));
            let representative = rows.representatives[home.row()];
            let put = |men: PointSet| {
                let cell = home.row() * row_len + self.ranks.beside(men, representative);
                out[cell].store(score, Ordering::Relaxed);
            };
            let image = images[home.symmetry()];
            if home.is_kept() {
                // Every image of the mover's men beside the same set has a cell of its own.
                for &g in rows.keeping(home.row()) {
                    put(symmetries[usize::from(g)].apply(image));
                }
            } else {
                put(image);
            }
        }
    }
}
