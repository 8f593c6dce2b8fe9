//! A sector computed anew from the sectors that its turns lead to.
//!
//! The solver fixes one side's men and slides the other's inside a row. Here a row is one set of the men
//! that *move* (or, where those are the varied ones, of the others), and each turn is another row whose
//! cells are gathered:
//!
//! ```text
//! movement         fix the mover M: a slide leads to the row of M', the opponent's men stay
//! Black places     fix the mover M: a placement leads to the row of M + p
//! White places     fix the opponent O: a placement stays in the row, a capture leads to the row of O - x
//! ```
//!
//! Scores are turned round as they are read, so that the best turn is the greatest byte; 0 stays for
//! positions without any turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::sets::{Orbits, PlaceMap, Ranks, all_sets};
use crate::game::{Blocked, Board, FullBoard, PointSet, Protection, Sector, Variant, points};
use crate::index::Fixed;
use crate::value::Score;

/// The scores of a sector, in the order of its cells.
pub type Scores = Arc<Vec<u8>>;

/// What the turns of a sector lead to.
#[derive(Clone, Debug)]
pub struct Reached<'a> {
    /// What its scores are worth to the side that moved there.
    pub turned: &'a Turned,
    /// After a turn that takes nothing.
    pub quiet: Scores,
    /// After a turn that takes a man; `None` if the opponent has too few left then and has lost.
    pub capture: Option<Scores>,
}

/// What a score is worth to the side that has moved there. A game won at once is worth the greatest byte.
#[derive(Clone, Debug)]
pub struct Turned {
    /// After a turn that takes nothing.
    pub quiet: [u8; 256],
    /// After a turn that takes a man.
    pub capture: [u8; 256],
}

impl Turned {
    /// Where plies count to the end of the game, captures or not.
    pub fn to_the_end() -> Turned {
        let turned = std::array::from_fn(|score| match score as u8 {
            loss @ 0..128 => 255 - loss,
            128 => 128,
            win => 255 - win + 1,
        });
        Turned {
            quiet: turned,
            capture: turned,
        }
    }
}

/// The sectors that the turns of a sector lead to: without a capture, and with one (`None`: the opponent
/// has lost).
pub fn reached(variant: &Variant, sector: Sector) -> (Sector, Option<Sector>) {
    let placing = u8::from(sector.mover_hand > 0);
    let quiet = Sector {
        mover: sector.opponent,
        opponent: sector.mover + placing,
        mover_hand: sector.opponent_hand,
        opponent_hand: sector.mover_hand - placing,
    };
    let left = quiet.mover + quiet.mover_hand;
    let capture = Sector {
        mover: quiet.mover.saturating_sub(1),
        ..quiet
    };
    let goes_on = quiet.mover > 0 && (!variant.rules.takes_men() || left > 3);
    (quiet, goes_on.then_some(capture))
}

/// Computes sectors of one game.
#[derive(Debug)]
pub struct Recompute<'a> {
    variant: &'a Variant,
    ranks: Ranks,
    /// By number of men.
    orbits: Vec<Orbits>,
}

impl<'a> Recompute<'a> {
    pub fn new(variant: &'a Variant) -> Recompute<'a> {
        let ranks = Ranks::new();
        let most = usize::from(variant.rules.men);
        let orbits = (0..=most).into_par_iter();
        let orbits = orbits
            .map(|men| Orbits::new(&variant.board, &ranks, men))
            .collect();
        Recompute {
            variant,
            ranks,
            orbits,
        }
    }

    fn board(&self) -> &Board {
        &self.variant.board
    }

    /// The best score over the turns from every cell of a sector.
    pub fn sector(&self, sector: Sector, reached: &Reached<'_>) -> Vec<u8> {
        if sector.mover_hand > 0 && Fixed::of(sector) == Fixed::Opponent {
            self.fix_opponent(sector, reached)
        } else {
            let mills = self.best_captures(sector, reached);
            self.fix_mover(sector, reached, &mills)
        }
    }

    /// The men of a side of which one may be taken: `left` are those it has on the board and in hand.
    fn takeable(&self, men: PointSet, in_mills: PointSet, left: u32) -> PointSet {
        let free = men & !in_mills;
        match self.variant.rules.protection {
            Protection::Any => men,
            Protection::Never => free,
            Protection::UnlessThreeLeft => {
                if left <= 3 {
                    men
                } else {
                    free
                }
            }
            Protection::UnlessAllInMills => {
                if free == 0 {
                    men
                } else {
                    free
                }
            }
        }
    }

    /// The score of a position without any turn.
    fn without_turns(&self, board_is_full: bool) -> u8 {
        let rules = &self.variant.rules;
        let draw = match board_is_full {
            true => rules.full_board == FullBoard::Draws,
            false => rules.blocked == Blocked::Draws,
        };
        if draw { Score::DRAW.0 } else { 0 }
    }

    /// For every row of the mover's men after its turn that has a mill, and all men of the opponent: the best
    /// capture. Laid out as the quiet sector, turned round.
    fn best_captures(&self, sector: Sector, reached: &Reached<'_>) -> Vec<u8> {
        let (after, men) = (self.after(sector), usize::from(sector.opponent));
        let orbits = &self.orbits[after];
        let places = self.board().point_count() - after;
        let len = self.ranks.count(places, men);
        let sets = all_sets(places, men);
        let left = u32::from(sector.opponent) + u32::from(sector.opponent_hand);
        let fewer = men
            .checked_sub(1)
            .map_or(0, |men| self.ranks.count(places, men));
        let mut best = vec![0; orbits.representatives.len() * len];
        best.par_chunks_mut(len.max(1))
            .enumerate()
            .for_each(|(row, best)| {
                let fixed = orbits.representatives[row];
                if !self.has_mill(fixed) {
                    return;
                }
                let lines = self.lines_on_places(fixed);
                let quiet = &reached.quiet[row * len..(row + 1) * len];
                let capture = reached
                    .capture
                    .as_ref()
                    .map(|c| &c[row * fewer..(row + 1) * fewer]);
                for (i, &set) in sets.iter().enumerate() {
                    let held = |line: &&u32| set & **line == **line;
                    let in_mills = lines.iter().filter(held).fold(0, |all, line| all | line);
                    let takeable = self.takeable(set, in_mills, left);
                    best[i] = match capture {
                        _ if takeable == 0 => reached.turned.quiet[usize::from(quiet[i])],
                        None => u8::MAX,
                        Some(capture) => {
                            let after = |x: usize| capture[self.ranks.of(set & !(1 << x))];
                            let worth = points(takeable)
                                .map(|x| reached.turned.capture[usize::from(after(x))]);
                            worth.max().unwrap_or(0)
                        }
                    };
                }
            });
        best
    }

    /// Men of the mover after its turn.
    fn after(&self, sector: Sector) -> usize {
        usize::from(sector.mover + u8::from(sector.mover_hand > 0))
    }

    fn has_mill(&self, men: PointSet) -> bool {
        self.board().lines().iter().any(|line| line & !men == 0)
    }

    /// The lines that are free beside a fixed set, as sets of places.
    fn lines_on_places(&self, fixed: PointSet) -> Vec<u32> {
        let free = self.board().all_points() & !fixed;
        let lines = self
            .board()
            .lines()
            .iter()
            .filter(|&&line| line & fixed == 0);
        let place = |p: usize| (free & ((1 << p) - 1)).count_ones();
        let on_places = |&line: &PointSet| points(line).fold(0, |set, p| set | 1 << place(p));
        lines.map(on_places).collect()
    }

    /// How the places beside `fixed` lie in the row of `other`: the row, and the map of sets of places.
    /// `other` may have points that `fixed` lacks; sets that are mapped must not.
    fn gather(&self, fixed: PointSet, other: PointSet) -> (usize, PlaceMap) {
        let board = self.board();
        let (row, symmetry) = self.orbits[other.count_ones() as usize].locate(&self.ranks, other);
        let symmetry = &board.symmetries()[symmetry];
        let representative = self.orbits[other.count_ones() as usize].representatives[row];
        let image = |p: usize| {
            let image = symmetry.image(p);
            let place = image as u32 - (representative & ((1 << image) - 1)).count_ones();
            (other >> p & 1 == 0).then_some(place)
        };
        let free = points(board.all_points() & !fixed);
        let images: Vec<Option<u32>> = free.map(image).collect();
        (row, PlaceMap::new(&images))
    }

    fn fix_mover(&self, sector: Sector, reached: &Reached<'_>, mills: &[u8]) -> Vec<u8> {
        let (men, others) = (usize::from(sector.mover), usize::from(sector.opponent));
        let movers = &self.orbits[men];
        let places = self.board().point_count() - men;
        let sets = all_sets(places, others);
        let full = places == others;
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
            self.gather_turns(sector, fixed, &sets, reached, mills, best);
            for score in best.iter_mut().filter(|score| **score == 0) {
                *score = self.without_turns(full);
            }
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

    /// The best turn for one set of the mover's men and all sets of the opponent's.
    fn gather_turns(
        &self,
        sector: Sector,
        fixed: PointSet,
        sets: &[u32],
        reached: &Reached<'_>,
        mills: &[u8],
        best: &mut [u8],
    ) {
        let board = self.board();
        let free = board.all_points() & !fixed;
        let after = self.after(sector);
        let len = self
            .ranks
            .count(board.point_count() - after, usize::from(sector.opponent));
        let mut turn = |moved: PointSet, to: usize| {
            let (row, map) = self.gather(fixed, moved);
            let cells = row * len..(row + 1) * len;
            let barred = 1u32 << (free & ((1 << to) - 1)).count_ones();
            let closes = board
                .lines_through(to)
                .iter()
                .any(|line| line & !moved == 0);
            let each = best
                .iter_mut()
                .zip(sets)
                .filter(|(_, set)| **set & barred == 0);
            if closes {
                let mills = &mills[cells];
                each.for_each(|(best, &set)| {
                    *best = (*best).max(mills[self.ranks.of(map.of(set))])
                });
            } else {
                let quiet = &reached.quiet[cells];
                each.for_each(|(best, &set)| {
                    let score = quiet[self.ranks.of(map.of(set))];
                    *best = (*best).max(reached.turned.quiet[usize::from(score)]);
                });
            }
        };
        if sector.mover_hand > 0 {
            points(free).for_each(|to| turn(fixed | 1 << to, to));
            return;
        }
        let flies = self.variant.rules.flying && sector.mover == 3;
        for from in points(fixed) {
            let goals = if flies {
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
            let (row, symmetry) = rows.locate(&self.ranks, on_board.of(set));
            let representative = rows.representatives[row];
            let put = |men: PointSet| {
                let cell = row * row_len + self.ranks.beside(men, representative);
                out[cell].store(score, Ordering::Relaxed);
            };
            match rows.keeping(row) {
                None => put(images[symmetry]),
                // Every image of the mover's men beside the same set has a cell of its own.
                Some(keeping) => keeping
                    .iter()
                    .for_each(|&g| put(symmetries[usize::from(g)].apply(images[symmetry]))),
            }
        }
    }

    fn fix_opponent(&self, sector: Sector, reached: &Reached<'_>) -> Vec<u8> {
        let (men, others) = (usize::from(sector.mover), usize::from(sector.opponent));
        let orbits = &self.orbits[others];
        let places = self.board().point_count() - others;
        let (sets, placed) = (all_sets(places, men), all_sets(places, men + 1));
        let full = places == men;
        let left = u32::from(sector.opponent) + u32::from(sector.opponent_hand);
        let mut out = vec![0; orbits.representatives.len() * sets.len()];
        let work = |after: &mut Vec<[u8; 2]>, (row, out): (usize, &mut [u8])| {
            let fixed = orbits.representatives[row];
            let quiet = &reached.quiet[row * placed.len()..(row + 1) * placed.len()];
            after.clear();
            after.extend(
                quiet
                    .iter()
                    .map(|&score| [reached.turned.quiet[usize::from(score)]; 2]),
            );
            let lines = self.lines_on_places(fixed);
            let in_mills = self.men_in_mills(fixed);
            let takeable = self.takeable(fixed, in_mills, left);
            self.capture_men(fixed, takeable, &placed, &lines, reached, after);
            let through = |place: usize| {
                lines
                    .iter()
                    .copied()
                    .filter(move |line| line >> place & 1 == 1)
            };
            let through: Vec<Vec<u32>> =
                (0..places).map(|place| through(place).collect()).collect();
            for (out, &set) in out.iter_mut().zip(&sets) {
                let empty = points(!set & ((1u64 << places) - 1) as u32);
                let turns = empty.map(|place| {
                    let moved = set | 1 << place;
                    let closes = through[place].iter().any(|line| line & !moved == 0);
                    after[self.ranks.of(moved)][usize::from(closes)]
                });
                *out = turns.max().unwrap_or_else(|| self.without_turns(full));
            }
        };
        let rows = out.par_chunks_mut(sets.len().max(1)).enumerate();
        rows.with_max_len(64).for_each_init(Vec::new, work);
        out
    }

    fn men_in_mills(&self, men: PointSet) -> PointSet {
        let held = self
            .board()
            .lines()
            .iter()
            .filter(|&&line| men & line == line);
        held.fold(0, |all, line| all | line)
    }

    /// Writes the best capture for every set of the mover's men that has a mill, as the second of each pair.
    fn capture_men(
        &self,
        fixed: PointSet,
        takeable: PointSet,
        placed: &[u32],
        lines: &[u32],
        reached: &Reached<'_>,
        after: &mut [[u8; 2]],
    ) {
        if takeable == 0 {
            return;
        }
        let has_mill = |set: u32| lines.iter().any(|line| line & !set == 0);
        let mills = || placed.iter().enumerate().filter(|(_, set)| has_mill(**set));
        let Some(capture) = &reached.capture else {
            mills().for_each(|(i, _)| after[i][1] = u8::MAX);
            return;
        };
        mills().for_each(|(i, _)| after[i][1] = 0);
        let men = placed.first().map_or(0, |set| set.count_ones() as usize);
        let points_left = self.board().point_count() - fixed.count_ones() as usize + 1;
        let len = self.ranks.count(points_left, men);
        for x in points(takeable) {
            let (row, map) = self.gather(fixed, fixed & !(1 << x));
            let cells = &capture[row * len..(row + 1) * len];
            for (i, &set) in mills() {
                let worth = reached.turned.capture[usize::from(cells[self.ranks.of(map.of(set))])];
                after[i][1] = after[i][1].max(worth);
            }
        }
    }
}
