//! The plain generator: turns, what they lead to, and when the game is over.
//!
//! It follows the rules word by word and is the yardstick for the fast solvers.
//!
//! A turn is a *step*, placing or moving a man, and the *removals* it brings:
//!
//! ```text
//!         step            mills closed?         removals
//! d6, a1-a4, f6-f4   --->  lines through  --->  one man, or two,
//!                          the new point        or none to take
//! ```
//!
//! Where a side without a step passes, that is its turn: [`Turn::PASS`], a ply like any other.

use super::board::{PointSet, points};
use super::ends::{End, EndReason};
use super::position::{Choice, Position, Turn};
use super::rules::{Blocked, FullBoard, MillPays, Placing, Protection};
use super::variants::Variant;
use crate::value::Outcome;

impl Variant {
    /// All complete turns of the side to move. Empty if the game is over.
    ///
    /// Where mills pay once, those of a game in which none has paid yet; see
    /// [`Variant::remembering_turns`].
    pub fn turns(&self, p: &Position) -> Vec<Turn> {
        let mut turns = Vec::new();
        self.turns_into(p, &mut turns);
        turns
    }

    /// As [`Variant::turns`], into a list that is emptied first and can be used again.
    pub fn turns_into(&self, p: &Position, turns: &mut Vec<Turn>) {
        self.turns_by(p, turns, |from, to| self.removals_due(p, from, to));
    }

    /// All complete turns, given how many men a step takes.
    pub(super) fn turns_by(
        &self,
        p: &Position,
        turns: &mut Vec<Turn>,
        removals_due: impl Fn(Option<u8>, u8) -> u8,
    ) {
        turns.clear();
        if self.ending(p).is_some() {
            return;
        }
        self.for_each_step(p, |from, to| {
            let due = removals_due(from, to);
            let to = Some(to);
            if due == 0 {
                let removed = 0;
                turns.push(Turn { from, to, removed });
                return;
            }
            for removed in self.removal_sets(p, due) {
                turns.push(Turn { from, to, removed });
            }
        });
        if turns.is_empty() {
            turns.push(Turn::PASS);
        }
    }

    /// The steps of the side to move, without what they take: where from (`None`: the hand) and
    /// where to. Says nothing about whether the game is over.
    pub fn steps(&self, p: &Position) -> Vec<(Option<u8>, u8)> {
        let mut steps = Vec::new();
        self.for_each_step(p, |from, to| steps.push((from, to)));
        steps
    }

    fn for_each_step(&self, p: &Position, mut visit: impl FnMut(Option<u8>, u8)) {
        let empty = self.board.all_points() & !p.occupied();
        if p.mover_hand > 0 {
            points(empty).for_each(|to| visit(None, to as u8));
        }
        if self.may_move(p) {
            for from in points(p.mover) {
                let goals = self.goals(p, from);
                points(goals).for_each(|to| visit(Some(from as u8), to as u8));
            }
        }
    }

    /// Whether men on the board may move, as opposed to being placed.
    fn may_move(&self, p: &Position) -> bool {
        p.mover_hand == 0 || self.rules.placing == Placing::PlaceOrMove
    }

    /// Whether the side to move may move to any empty point.
    pub fn flies(&self, p: &Position) -> bool {
        self.rules.flying && p.mover_total() == 3
    }

    /// The empty points that the mover's man on `from` can go to.
    fn goals(&self, p: &Position, from: usize) -> PointSet {
        let empty = self.board.all_points() & !p.occupied();
        if self.flies(p) {
            empty
        } else {
            empty & self.board.neighbours(from)
        }
    }

    /// How many of the opponent's men a step takes, as long as there are any to take.
    pub fn removals_due(&self, p: &Position, from: Option<u8>, to: u8) -> u8 {
        let left = from.map_or(0, |from| 1 << from);
        let men = p.mover & !left | 1 << to;
        let through = self.board.lines_through(usize::from(to));
        let mills = through.iter().filter(|line| men & **line == **line).count();
        self.rules.captures(mills as u32)
    }

    /// The opponent's men of which the side to move, having closed a mill, may take one.
    pub fn removable(&self, p: &Position) -> PointSet {
        let men = p.opponent;
        let free = || men & !self.board.men_in_mills(men);
        match self.rules.protection {
            Protection::Any => men,
            Protection::Never => free(),
            Protection::UnlessThreeLeft if p.opponent_total() <= 3 => men,
            Protection::UnlessThreeLeft => free(),
            Protection::UnlessAllInMills => match free() {
                0 => men,
                free => free,
            },
        }
    }

    /// The points of [`Variant::removable`], one by one.
    pub fn removals(&self, p: &Position) -> Vec<u8> {
        points(self.removable(p)).map(|p| p as u8).collect()
    }

    /// What the side to move may take in all when `due` removals are pending: one set of men for
    /// each choice, and the empty set alone if nothing can be taken.
    ///
    /// Men are taken one after the other, and each changes which men the rest may take. The turn
    /// ends early when the opponent has fewer than three men left or none that may be taken.
    pub fn removal_sets(&self, p: &Position, due: u8) -> Vec<PointSet> {
        let mut sets = Vec::new();
        self.collect_removals(p, due, 0, &mut sets);
        if due > 1 {
            sets.sort_unstable();
            sets.dedup();
        }
        sets
    }

    fn collect_removals(&self, p: &Position, due: u8, taken: PointSet, sets: &mut Vec<PointSet>) {
        let rest = Position {
            opponent: p.opponent & !taken,
            ..*p
        };
        let over = rest.opponent_total() < 3;
        let choices = if due == 0 || over {
            0
        } else {
            self.removable(&rest)
        };
        if choices == 0 {
            sets.push(taken);
        }
        for x in points(choices) {
            self.collect_removals(p, due - 1, taken | 1 << x, sets);
        }
    }

    /// The men of one of the [`removal_sets`](Variant::removal_sets) in an order in which the side to move may take
    /// them one by one: a man in a mill sometimes only after another.
    pub fn removal_order(&self, p: &Position, removed: PointSet) -> Vec<u8> {
        let (mut now, mut left, mut order) = (*p, removed, Vec::new());
        while left != 0 {
            let without = |x: usize| Position {
                opponent: now.opponent & !(1 << x),
                ..now
            };
            let may_be_next = |x: &usize| {
                let others = left & !(1 << x);
                let sets = self.removal_sets(&without(*x), others.count_ones() as u8);
                self.removable(&now) >> x & 1 == 1 && sets.contains(&others)
            };
            // Any order will do for men that cannot be taken.
            let first = left.trailing_zeros() as usize;
            let next = points(left).find(may_be_next).unwrap_or(first);
            order.push(next as u8);
            left &= !(1 << next);
            now = without(next);
        }
        order
    }

    /// The position after a turn, with the other side to move. The turn must be a legal one.
    pub fn play(&self, p: &Position, turn: &Turn) -> Position {
        match turn.to {
            Some(to) => self.take(&self.step(p, turn.from, to), turn.removed),
            None => p.swapped(),
        }
    }

    /// The position after a step: still the same side's turn, to take what is due or to end it
    /// with [`Variant::take`]. The step must be a legal one.
    pub fn step(&self, p: &Position, from: Option<u8>, to: u8) -> Position {
        let left = from.map_or(0, |from| 1 << from);
        Position {
            mover: p.mover & !left | 1 << to,
            mover_hand: p.mover_hand.saturating_sub(u8::from(from.is_none())),
            ..*p
        }
    }

    /// Ends the turn of the side to move, who takes these men (or none) of the opponent.
    pub fn take(&self, p: &Position, removed: PointSet) -> Position {
        Position {
            opponent: p.opponent & !removed,
            ..*p
        }
        .swapped()
    }

    /// All that the side to move can do: complete turns, or with `removals_due` the rest of its turn. Empty if the
    /// game is over.
    pub fn choices(&self, p: &Position, removals_due: u8) -> Vec<Choice> {
        if removals_due > 0 {
            let sets = self.removal_sets(p, removals_due).into_iter();
            sets.map(Choice::Removal).collect()
        } else {
            self.turns(p).into_iter().map(Choice::Turn).collect()
        }
    }

    /// The position after a choice, which must be a legal one.
    pub fn after(&self, p: &Position, choice: Choice) -> Position {
        match choice {
            Choice::Turn(turn) => self.play(p, &turn),
            Choice::Removal(removed) => self.take(p, removed),
        }
    }

    /// Whether the side to move may play this turn.
    pub fn is_legal(&self, p: &Position, turn: &Turn) -> bool {
        self.turns(p).contains(turn)
    }

    /// Whether the side to move has no step at all.
    pub fn is_blocked(&self, p: &Position) -> bool {
        let empty = self.board.all_points() & !p.occupied();
        let can_place = p.mover_hand > 0 && empty != 0;
        let can_move = || points(p.mover).any(|from| self.goals(p, from) != 0);
        !(can_place || self.may_move(p) && can_move())
    }

    /// The result *for the side to move* if the game is over, `None` if it goes on: see [`Variant::end`].
    pub fn ending(&self, p: &Position) -> Option<Outcome> {
        self.end(p).map(|end| end.outcome)
    }

    /// How the game ended, `None` if it goes on. The first of these that holds:
    ///
    /// * Lines win: a loss if the opponent has one, who has just made it.
    /// * Men are taken: a loss with fewer than three men, board and hand together; a win if the
    ///   opponent has fewer (which no game leads to).
    /// * The board is full, or the side to move is blocked: what the rules say. Where blocked sides
    ///   pass the game goes on, unless both are: that is a draw.
    pub fn end(&self, p: &Position) -> Option<End> {
        let end = |outcome, reason| Some(End { outcome, reason });
        match self.rules.mill_pays {
            MillPays::Win if self.board.men_in_mills(p.opponent) != 0 => {
                end(Outcome::Loss, EndReason::Line)
            }
            MillPays::Capture if p.mover_total() < 3 => end(Outcome::Loss, EndReason::TooFewMen),
            MillPays::Capture if p.opponent_total() < 3 => end(Outcome::Win, EndReason::TooFewMen),
            _ if p.occupied() == self.board.all_points() => {
                end(self.full_board(), EndReason::FullBoard)
            }
            _ if self.is_blocked(p) => match self.rules.blocked {
                Blocked::Loses => end(Outcome::Loss, EndReason::NoTurn),
                Blocked::Draws => end(Outcome::Draw, EndReason::NoTurn),
                Blocked::Passes if self.is_blocked(&p.swapped()) => {
                    end(Outcome::Draw, EndReason::NoTurnForEither)
                }
                Blocked::Passes => None,
            },
            _ => None,
        }
    }

    /// What a full board is worth to the side to move.
    ///
    /// Only placing can fill a board. Where men in hand must be placed, the second player places
    /// the last of all, so the first player is the one to move.
    fn full_board(&self) -> Outcome {
        match self.rules.full_board {
            FullBoard::Draws => Outcome::Draw,
            FullBoard::FirstPlayerLoses | FullBoard::MoverLoses => Outcome::Loss,
        }
    }
}
