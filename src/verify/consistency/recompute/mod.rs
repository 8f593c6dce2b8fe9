//! A sector computed anew from the sectors that its turns lead to.
//!
//! The solver fixes one side's men and slides the other's inside a row. Here a row is one set of the men
//! that *move* (or, where those are the varied ones, of the others), and each turn is another row whose
//! cells are gathered:
//!
//! ```text
//! reached rows by the men that moved    fix the mover M: a turn leads to the row of M', the others stay
//!         (movement, Black places)      a capture changes the cell
//! reached rows by the others' men       fix the opponent O: a turn stays in the row
//!         (White places)                a capture leads to the row of O - x
//! ```
//!
//! Scores are turned round as they are read, so that the best turn is the greatest byte; 0 stays for
//! positions without any turn, which the rules decide.

mod by_mover;
mod by_opponent;
mod repeats;

use std::sync::Arc;

use rayon::prelude::*;

use super::sets::{Orbits, PlaceMap, Ranks, all_sets, lines_on_places, on_points};
use crate::game::{
    Blocked, Board, FullBoard, Placing, PointSet, Protection, Sector, Variant, points,
};
use crate::index::Fixed;
use crate::value::Score;

/// The scores of a sector, in the order of its cells.
pub type Scores = Arc<Vec<u8>>;

/// The turns of a sector that place a man, or those that move one.
#[derive(Clone, Debug)]
pub struct Way<T> {
    /// Whether a man is placed.
    pub placing: bool,
    /// What is reached when no man is taken, when one is, and so on: as far as the opponent has enough men
    /// to go on.
    pub after: Vec<T>,
}

/// The sectors that the turns of a sector lead to.
pub fn ways(variant: &Variant, sector: Sector) -> Vec<Way<Sector>> {
    let rules = &variant.rules;
    let moves = sector.mover_hand == 0 || rules.placing == Placing::PlaceOrMove;
    let kinds = [
        (true, sector.mover_hand > 0),
        (false, moves && sector.mover > 0),
    ];
    let kinds = kinds.into_iter().filter(|(_, has_turns)| *has_turns);
    let way = |(placing, _)| {
        let placed = u8::from(placing);
        let quiet = Sector {
            mover: sector.opponent,
            opponent: sector.mover + placed,
            mover_hand: sector.opponent_hand,
            opponent_hand: sector.mover_hand - placed,
        };
        let goes_on = |taken: &u8| {
            let left = quiet.mover - taken + quiet.mover_hand;
            *taken == 0 || left >= 3
        };
        let taken = (0..=rules.most_captures().min(quiet.mover)).take_while(goes_on);
        let after = taken.map(|taken| Sector {
            mover: quiet.mover - taken,
            ..quiet
        });
        let after = after.collect();
        Way { placing, after }
    };
    kinds.map(way).collect()
}

/// What the turns of a sector lead to.
#[derive(Clone, Debug)]
pub struct Reached<'a> {
    /// What its scores are worth to the side that moved there.
    pub turned: &'a Turned,
    /// The scores that placing or moving leads to.
    pub ways: Vec<(Fixed, Way<Scores>)>,
    /// Those of the same men with the roles changed, where a side that cannot move passes.
    pub passed: Option<Scores>,
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

/// Computes sectors of one game.
#[derive(Debug)]
pub struct Recompute<'a> {
    variant: &'a Variant,
    ranks: Ranks,
    /// By number of men.
    orbits: Vec<Orbits>,
}

/// A row in which men are taken: what its sets of varied men are worth with fewer of them.
struct Victims<'a> {
    turned: &'a Turned,
    /// The lines that are free beside the row's set, as sets of places.
    lines: Vec<u32>,
    /// Men of the side that loses some, those in hand included.
    left: u32,
    /// The scores by number of men taken.
    after: Vec<&'a [u8]>,
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
    pub fn sector(&self, sector: Sector, reached: &Reached) -> Vec<u8> {
        let mut best: Option<Vec<u8>> = None;
        for (fixed, way) in &reached.ways {
            let scores = match fixed {
                Fixed::Opponent => self.fix_mover(sector, way, reached.turned),
                Fixed::Mover => self.fix_opponent(sector, way, reached.turned),
            };
            best = Some(match best {
                None => scores,
                Some(mut best) => {
                    let both = best.par_iter_mut().zip(&scores);
                    both.for_each(|(best, score)| *best = (*best).max(*score));
                    best
                }
            });
        }
        let mut best = best.unwrap_or_default();
        self.settle(sector, &mut best, reached);
        best
    }

    /// Scores what no turn decides: positions without one, and those in which the first mill has won.
    fn settle(&self, sector: Sector, best: &mut [u8], reached: &Reached) {
        let order = Fixed::of(sector);
        let (fixed, varied) = order.order((sector.mover, sector.opponent));
        let sets = all_sets(
            self.board().point_count() - usize::from(fixed),
            varied.into(),
        );
        let representatives = &self.orbits[usize::from(fixed)].representatives;
        let rows = best.par_chunks_mut(sets.len().max(1)).zip(representatives);
        rows.for_each(|(best, &fixed)| {
            let lines = self.lines_on_places(fixed);
            let has_lost = |set: u32| match order {
                Fixed::Opponent => self.has_mill(fixed),
                Fixed::Mover => lines.iter().any(|line| line & !set == 0),
            };
            for (score, &set) in best.iter_mut().zip(&sets) {
                if self.first_mill_wins() && has_lost(set) {
                    *score = 0;
                } else if *score == 0 {
                    let varied = on_points(set, self.board().all_points() & !fixed);
                    let (mover, opponent) = order.order((fixed, varied));
                    *score = self.without_turns(sector, mover, opponent, reached);
                }
            }
        });
    }

    fn first_mill_wins(&self) -> bool {
        !self.variant.rules.takes_men()
    }

    /// The score of a position in which nothing can be placed or moved.
    fn without_turns(
        &self,
        sector: Sector,
        mover: PointSet,
        opponent: PointSet,
        reached: &Reached,
    ) -> u8 {
        let rules = &self.variant.rules;
        let is_full = mover | opponent == self.board().all_points();
        let draw = match (is_full, rules.blocked) {
            (true, _) => rules.full_board == FullBoard::Draws,
            (false, Blocked::Loses) => false,
            (false, Blocked::Draws) => true,
            (false, Blocked::Passes) => {
                let other = sector.swapped();
                if self.can_turn(other, opponent, mover) {
                    let cell = self.cell(other, opponent, mover);
                    let passed = reached.passed.as_ref();
                    let score = passed.and_then(|scores| scores.get(cell));
                    return score.map_or(0, |&score| reached.turned.quiet[usize::from(score)]);
                }
                true
            }
        };
        if draw { Score::DRAW.0 } else { 0 }
    }

    /// Whether the side to move can place or move a man. The board is not full.
    fn can_turn(&self, sector: Sector, mover: PointSet, opponent: PointSet) -> bool {
        let rules = &self.variant.rules;
        let empty = self.board().all_points() & !(mover | opponent);
        let flies = rules.flying && sector.mover + sector.mover_hand == 3;
        let slides = || points(mover).any(|from| self.board().neighbours(from) & empty != 0);
        sector.mover_hand > 0 || flies || slides()
    }

    /// The cell of a position, one of several if it looks the same from several sides.
    fn cell(&self, sector: Sector, mover: PointSet, opponent: PointSet) -> usize {
        let (fixed, varied) = Fixed::of(sector).order((mover, opponent));
        let orbits = &self.orbits[fixed.count_ones() as usize];
        let home = orbits.locate(&self.ranks, fixed);
        let varied = self.board().symmetries()[home.symmetry()].apply(varied);
        let places = self.board().point_count() - fixed.count_ones() as usize;
        let row_len = self.ranks.count(places, varied.count_ones() as usize);
        home.row() * row_len + (self.ranks).beside(varied, orbits.representatives[home.row()])
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

    /// The best that taking `due` men more of a varied set is worth, when `taken` are off already.
    #[inline(always)]
    fn best_taking(&self, victims: &Victims, set: u32, in_mills: u32, taken: usize, due: u8) -> u8 {
        let worth = |taken: usize, set| {
            let turned = match taken {
                0 => &victims.turned.quiet,
                _ => &victims.turned.capture,
            };
            turned[usize::from(victims.after[taken][self.ranks.of(set)])]
        };
        let takeable = self.takeable(set, in_mills, victims.left - taken as u32);
        let left = points(takeable).map(|x| set & !(1 << x));
        match (takeable, due) {
            (0, _) => worth(taken, set),
            // Too few are left to go on.
            _ if victims.after.len() == taken + 1 => u8::MAX,
            (_, 1) => left.map(|set| worth(taken + 1, set)).max().unwrap_or(0),
            _ => {
                let more = left.map(|set| self.best_of_two(victims, set, taken + 1, due - 1));
                more.max().unwrap_or(0)
            }
        }
    }

    /// [`best_taking`](Self::best_taking) for the man that is taken after another.
    #[inline(never)]
    fn best_of_two(&self, victims: &Victims, set: u32, taken: usize, due: u8) -> u8 {
        let held = victims.lines.iter().filter(|&line| set & line == *line);
        let in_mills = held.fold(0, |all, line| all | line);
        self.best_taking(victims, set, in_mills, taken, due)
    }

    fn has_mill(&self, men: PointSet) -> bool {
        self.board().lines().iter().any(|line| line & !men == 0)
    }

    fn men_in_mills(&self, men: PointSet) -> PointSet {
        let held = self
            .board()
            .lines()
            .iter()
            .filter(|&&line| men & line == line);
        held.fold(0, |all, line| all | line)
    }

    /// How many men a turn takes whose man has arrived on `to`.
    fn due(&self, moved: PointSet, to: usize) -> u8 {
        let lines = self.board().lines_through(to).iter();
        let closed = lines.filter(|&line| line & !moved == 0).count();
        self.variant.rules.captures(closed as u32)
    }

    /// Men of the mover after its turn.
    fn after<T>(&self, sector: Sector, way: &Way<T>) -> usize {
        usize::from(sector.mover + u8::from(way.placing))
    }

    /// Whether a side with as many men as the mover of a sector moves to any point.
    fn flies(&self, sector: Sector) -> bool {
        self.variant.rules.flying && sector.mover + sector.mover_hand == 3
    }

    /// The lines that are free beside a fixed set, as sets of places.
    fn lines_on_places(&self, fixed: PointSet) -> Vec<u32> {
        lines_on_places(self.board(), fixed)
    }

    /// How the places beside `fixed` lie in the row of `other`, see [`Orbits::gather`].
    fn gather(&self, fixed: PointSet, other: PointSet) -> (usize, PlaceMap) {
        let orbits = &self.orbits[other.count_ones() as usize];
        orbits.gather(self.board(), &self.ranks, fixed, other)
    }
}
