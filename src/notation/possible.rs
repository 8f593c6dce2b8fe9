//! Whether a game can lead to a position, as far as numbers of men and mills tell.
//!
//! A position of a known sector is accepted even if no game leads there: it has a value.

use super::{ReadPosition, men, side_name};
use crate::game::{Placing, PointSet, Position, Sector, Side, Variant};

/// All numbers of men that games of a variant lead to, by counting.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    /// Those in which the game goes on, then those in which it is over; each in ascending order.
    sectors: [Vec<Sector>; 2],
}

impl Reached {
    pub fn of(variant: &Variant) -> Reached {
        Reached {
            sectors: [variant.sectors(), variant.final_sectors()],
        }
    }

    fn has(&self, sector: Sector) -> bool {
        let mut all = self.sectors.iter();
        all.any(|sectors| sectors.binary_search(&sector).is_ok())
    }
}

/// Men in hand of a side with so many on the board; both may be any numbers.
pub(super) fn men_in_hand(
    variant: &Variant,
    side: Side,
    on_board: i64,
    in_hand: i64,
) -> Result<u8, String> {
    let (all, name) = (i64::from(variant.rules.men), side_name(side));
    // `in_hand` can be any number, so nothing is added to it.
    if in_hand > all - on_board {
        return Err(format!(
            "{in_hand} in hand and {on_board} on the board are more than the {all} men of {name}"
        ));
    }
    u8::try_from(in_hand).map_err(|_| format!("{in_hand} in hand"))
}

/// What shows that no game leads to a position, for texts to say in which of their fields it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The men a side has to take.
    ToTake(Side),
    /// A side's men on the board.
    OnBoard(Side),
    /// A side's men in hand.
    InHand(Side),
}

/// Why no game leads to a position, if its numbers of men or its pending removals show that.
pub(super) fn impossibility(
    variant: &Variant,
    reached: &Reached,
    read: &ReadPosition,
) -> Option<(About, String)> {
    if read.removals_due == 0 {
        return count_problem(variant, reached, &read.position);
    }
    let p = &read.position;
    let (side, other) = (side_name(p.side), side_name(p.side.other()));
    let to_take = |why| Some((About::ToTake(p.side), why));
    let mills = mills_at_one_point(variant, p.mover);
    if mills == 0 {
        return to_take(format!("{side} has a man to take but no mill"));
    }
    if variant.rules.captures(mills) < read.removals_due {
        let due = men(read.removals_due.into());
        let why = format!("no single man of {side} can have closed mills for {due}");
        return to_take(why);
    }
    let sets = variant.removal_sets(p, read.removals_due);
    if sets == [0] {
        let why = format!("{side} has a man to take, but none of {other}'s can be taken");
        return to_take(why);
    }
    count_problem(variant, reached, &variant.take(p, sets[0]))
}

/// The most mills that go through a single one of these men.
fn mills_at_one_point(variant: &Variant, men: PointSet) -> u32 {
    let through = |p| {
        let lines = variant.board.lines_through(p).iter();
        lines.filter(|line| men & **line == **line).count() as u32
    };
    (0..variant.board.point_count())
        .map(through)
        .max()
        .unwrap_or(0)
}

/// Why no game leads to these numbers of men.
fn count_problem(variant: &Variant, reached: &Reached, p: &Position) -> Option<(About, String)> {
    if reached.has(p.sector()) {
        return None;
    }
    let (side, other) = (side_name(p.side), side_name(p.side.other()));
    let (own, theirs) = (p.mover_hand, p.opponent_hand);
    let totals = [
        (p.mover_total(), p.side),
        (p.opponent_total(), p.side.other()),
    ];
    if !variant.rules.takes_men() {
        let all = u32::from(variant.rules.men);
        if let Some((has, side)) = totals.into_iter().find(|(has, _)| *has != all) {
            let name = side_name(side);
            let why = format!("no men are taken in this game, but {name} has {has} of {all}");
            return Some((About::OnBoard(side), why));
        }
    } else if p.opponent_total() < 3 || p.mover_total() < 2 {
        let (has, side) = totals[usize::from(p.opponent_total() < 3)];
        let (name, has) = (side_name(side), men(has));
        let why = format!("{name} has {has} on the board and in hand, and had lost before");
        return Some((About::OnBoard(side), why));
    }
    let in_turn = own.checked_sub(theirs).is_some_and(|more| more <= 1);
    if variant.rules.placing == Placing::PlaceOnly && !in_turn {
        let why = format!(
            "{side}, to move, has {own} in hand and {other} has {theirs}, but the sides place in turn"
        );
        return Some((About::InHand(p.side), why));
    }
    let why = format!(
        "with {own} and {theirs} men in hand, {side} cannot have {} and {other} {} on the board",
        p.mover.count_ones(),
        p.opponent.count_ones()
    );
    Some((About::OnBoard(p.side), why))
}
