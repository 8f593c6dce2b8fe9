//! Position texts of the Mill Interchange Format: MFEN 1.0.
//!
//! ```text
//! MFEN/1.0 mill24-state-v1 WWW...B./......B./........ w p r 6,7 w:mill:b:b:1:004040:b 0 5 -
//!                          |                          | | | |   |                     | | |
//!      outer/middle/inner ring from a7, clockwise; side | | |   |  plies since a capture | result and reason,
//!      W White, B Black, . empty              phase, action |   |   turns played so far, - while it goes on
//!                                  White's and Black's hands    men to take: who, why, board, whose, how many,
//!                                                               which points (bits of a number), who is next
//! ```
//!
//! It is for boards with the 24 points of nine men's morris, whatever their lines. A finished game has no
//! side to move. A loser is to move by our reckoning; after a draw the number of turns tells.

use super::fen::PositionError;
use super::fields::{Fields, Letters};
use super::possible::{About, Reached, impossibility, men_in_hand};
use super::{ReadPosition, men, quoted, side_name};
use crate::game::{Board, MillPays, Placing, PointSet, Position, Side, Variant};
use crate::value::Outcome;

/// The first words of every such text.
const FORMAT: &str = "MFEN/1.0";
const PROFILE: &str = "mill24-state-v1";

/// The points of each ring.
const RINGS: [&str; 3] = [
    "a7 d7 g7 g4 g1 d1 a1 a4",
    "b6 d6 f6 f4 f2 d2 b2 b4",
    "c5 d5 e5 e4 e3 d3 c3 c4",
];

const LETTERS: Letters = Letters {
    white: 'W',
    black: 'B',
    empty: '.',
    refused: &[
        (
            'w',
            "is a man taken but left there, which no rule here does",
        ),
        (
            'b',
            "is a man taken but left there, which no rule here does",
        ),
    ],
};

/// What each field is, for errors; the format is field 1.
const NAMES: [&str; 12] = [
    "the format",
    "the profile",
    "the board",
    "the side to move",
    "the phase",
    "the action",
    "men in hand",
    "men to take",
    "plies since a man was taken",
    "turns played",
    "the outcome",
    "an extension",
];

/// The fields of every text; extensions may follow.
const FIELDS: usize = 11;

/// Reasons of an outcome that follow from the rules and the men.
const BY_RULE: [&str; 4] = [
    "fewer-than-minimum",
    "no-legal-move",
    "no-legal-primary-action",
    "board-full",
];

/// Reasons that come from outside; the position itself goes on.
const BY_OTHERS: [&str; 5] = [
    "no-progress",
    "repetition",
    "agreement",
    "resignation",
    "adjudication",
];

/// The name that private reasons begin with, and ours for a line of three that wins.
const PRIVATE: &str = "x-";
const LINE: &str = "x-line-of-three";

/// Whether a text says that it is of this form.
pub(super) fn is_mfen(text: &str) -> bool {
    text.trim_start().starts_with("MFEN/")
}

/// The board's points in the order of the format, if it has them.
fn order(board: &Board) -> Option<Vec<Vec<usize>>> {
    let ring = |ring: &&str| ring.split(' ').map(|label| board.point(label)).collect();
    let rings: Option<Vec<Vec<usize>>> = RINGS.iter().map(ring).collect();
    rings.filter(|_| board.point_count() == RINGS.len() * 8)
}

/// A set of points in the numbering of the format.
fn bits(set: PointSet, order: &[Vec<usize>]) -> u32 {
    let all = order.iter().flatten().enumerate();
    all.filter(|(_, p)| set >> **p & 1 == 1)
        .fold(0, |bits, (i, _)| bits | 1 << i)
}

/// Writes a position of a game on the 24 points, `None` for other boards. The history, which values do not
/// depend on, is written as the shortest there can be.
pub fn write_mfen(variant: &Variant, read: &ReadPosition) -> Option<String> {
    let order = order(&variant.board)?;
    let p = &read.position;
    let swapped = p.swapped();
    let (white, side) = match p.side {
        Side::White => (p, 'w'),
        Side::Black => (&swapped, 'b'),
    };
    let board = LETTERS.write((white.mover, white.opponent), &order);
    let in_hand = p.mover_hand + p.opponent_hand;
    let phase = if in_hand > 0 { 'p' } else { 'm' };
    let over = variant.ending(p).filter(|_| read.removals_due == 0);
    let (side, phase, action) = match over {
        Some(_) => ('-', 'o', 'o'),
        None if read.removals_due > 0 => (side, phase, 'r'),
        None => (side, phase, phase),
    };
    let obligations = match read.removals_due {
        0 => "-".to_owned(),
        due => {
            let (own, other) = (letter(p.side), letter(p.side.other()));
            let targets = bits(variant.removable(p), &order);
            format!("{own}:mill:b:{other}:{due}:{targets:06x}:{other}")
        }
    };
    let outcome = over.map_or("-".to_owned(), |outcome| {
        let result = match outcome {
            Outcome::Win => letter(p.side),
            Outcome::Loss => letter(p.side.other()),
            Outcome::Draw => 'd',
        };
        format!("{result}:{}", reason(variant, p))
    });
    Some(format!(
        "{FORMAT} {PROFILE} {board} {side} {phase} {action} {},{} {obligations} 0 {} {outcome}",
        white.mover_hand,
        white.opponent_hand,
        fewest_turns(variant, read)
    ))
}

/// The fewest turns that place these men and leave this side to move.
fn fewest_turns(variant: &Variant, read: &ReadPosition) -> u32 {
    let p = &read.position;
    let in_hand = u32::from(p.mover_hand) + u32::from(p.opponent_hand);
    let placed = 2 * u32::from(variant.rules.men) - in_hand;
    // Inside a turn its step has been played.
    let black_next = (p.side == Side::Black) != (read.removals_due > 0);
    placed + u32::from((placed % 2 == 1) != black_next)
}

fn letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

/// Why a game is over.
fn reason(variant: &Variant, p: &Position) -> &'static str {
    let few = variant.rules.takes_men() && (p.mover_total() < 3 || p.opponent_total() < 3);
    match variant.rules.mill_pays {
        MillPays::Win if variant.board.men_in_mills(p.opponent) != 0 => LINE,
        _ if few => BY_RULE[0],
        _ if p.occupied() == variant.board.all_points() => BY_RULE[3],
        _ if p.mover_hand > 0 => BY_RULE[2],
        _ => BY_RULE[1],
    }
}

/// Reads a text of this form.
pub(super) fn read(
    variant: &Variant,
    reached: &Reached,
    text: &str,
) -> Result<ReadPosition, PositionError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let fields = Fields::new(text, &words, &NAMES);
    fields.word(1, &[FORMAT])?;
    if fields.count() < FIELDS {
        return Err(PositionError::Fields {
            found: fields.count(),
            least: FIELDS,
            character: text.chars().count() + 1,
        });
    }
    fields.word(2, &[PROFILE])?;
    let Some(order) = order(&variant.board) else {
        let problem = "it is for boards with the 24 points of nine men's morris";
        return Err(fields.error(2, 0, problem));
    };
    if fields.count() > FIELDS {
        let problem = format!(
            "`{}` is about rules that are not here",
            quoted(fields.get(FIELDS + 1))
        );
        return Err(fields.error(FIELDS + 1, 0, problem));
    }
    let (white, black) = fields.men(3, &order, LETTERS)?;
    let (white_hand, black_hand) = hands(&fields, variant, (white, black))?;
    let as_white = Position {
        mover: white,
        opponent: black,
        mover_hand: white_hand,
        opponent_hand: black_hand,
        side: Side::White,
    };
    fields.number(9, 0)?;
    let turns = fields.number(10, 0)?;
    let side = side(&fields, variant, &as_white, turns)?;
    let position = match side {
        Side::White => as_white,
        Side::Black => as_white.swapped(),
    };
    phase_fits(&fields, variant, &position)?;
    let read = ReadPosition {
        position,
        removals_due: removals_due(&fields, variant, &position, &order)?,
    };
    match impossibility(variant, reached, &read) {
        Some((About::OnBoard(_), reason)) => Err(fields.impossible(3, reason)),
        Some((About::InHand(_), reason)) => Err(fields.impossible(7, reason)),
        Some((About::ToTake(_), reason)) => Err(fields.impossible(8, reason)),
        None => Ok(read),
    }
}

/// Field 7: men in hand of White and of Black.
fn hands(
    fields: &Fields,
    variant: &Variant,
    (white, black): (PointSet, PointSet),
) -> Result<(u8, u8), PositionError> {
    let text = fields.get(7);
    let Some((for_white, for_black)) = text.split_once(',') else {
        let problem = format!("`{}` is not two numbers with a comma", quoted(text));
        return Err(fields.error(7, 0, problem));
    };
    let hand = |part: &str, side: Side, men: PointSet| {
        let number = fields.number_in(7, part, 0)?;
        men_in_hand(variant, side, i64::from(men.count_ones()), number)
            .map_err(|problem| fields.foreign(7, problem))
    };
    Ok((
        hand(for_white, Side::White, white)?,
        hand(for_black, Side::Black, black)?,
    ))
}

/// Fields 4 and 11: the side to move, also of a game that is over.
fn side(
    fields: &Fields,
    variant: &Variant,
    as_white: &Position,
    turns: i64,
) -> Result<Side, PositionError> {
    let written = fields.word(4, &["w", "b", "-"])?;
    let outcome = fields.get(11);
    if written < 2 {
        return match outcome {
            "-" => Ok([Side::White, Side::Black][written]),
            _ => Err(fields.error(11, 0, "the game is over, but field 4 names a side to move")),
        };
    }
    let Some((result, reason)) = outcome.split_once(':') else {
        let outcome = quoted(outcome);
        let problem =
            format!("`{outcome}` is not a result with its reason, and field 4 has no side");
        return Err(fields.error(11, 0, problem));
    };
    let by_turns = [Side::White, Side::Black][(turns % 2) as usize];
    let loser = match result {
        "w" => Some(Side::Black),
        "b" => Some(Side::White),
        "d" => None,
        _ => {
            let problem = format!("`{}` is none of w, b, d", quoted(result));
            return Err(fields.error(11, 0, problem));
        }
    };
    if BY_OTHERS.contains(&reason) || reason.starts_with(PRIVATE) && reason != LINE {
        return Ok(by_turns);
    }
    if !BY_RULE.contains(&reason) && reason != LINE {
        let skip = result.chars().count() + 1;
        let problem = format!("`{}` is not a known reason", quoted(reason));
        return Err(fields.error(11, skip, problem));
    }
    let side = loser.unwrap_or(by_turns);
    let position = match side {
        Side::White => *as_white,
        Side::Black => as_white.swapped(),
    };
    let expected = match loser {
        Some(_) => Outcome::Loss,
        None => Outcome::Draw,
    };
    if variant.ending(&position) == Some(expected) {
        return Ok(side);
    }
    let problem = format!("`{outcome}`, but by the rules of this game that is not so");
    Err(fields.error(11, 0, problem))
}

/// Fields 5 and 6.
fn phase_fits(fields: &Fields, variant: &Variant, p: &Position) -> Result<(), PositionError> {
    let phase = ["p", "m", "o"][fields.word(5, &["p", "m", "o"])?];
    let action = ["p", "m", "r", "o"][fields.word(6, &["p", "m", "r", "o"])?];
    let over = fields.get(4) == "-";
    if (phase == "o") != over {
        return Err(fields.error(5, 0, format!("`{phase}` does not fit field 4")));
    }
    if action != "r" && action != phase {
        return Err(fields.error(6, 0, format!("`{action}` does not fit phase `{phase}`")));
    }
    let must_place = variant.rules.placing == Placing::PlaceOnly && p.mover_hand > 0;
    if phase == "m" && action != "r" && must_place {
        let (side, has) = (side_name(p.side), men(p.mover_hand.into()));
        let problem = format!("the phase is moving, but {side} still has {has} in hand");
        return Err(fields.error(5, 0, problem));
    }
    Ok(())
}

/// Field 8 with field 6: how many men the side to move has to take.
fn removals_due(
    fields: &Fields,
    variant: &Variant,
    p: &Position,
    order: &[Vec<usize>],
) -> Result<u8, PositionError> {
    let text = fields.get(8);
    let fail = |problem: String| Err(fields.error(8, 0, problem));
    let shown = quoted(text);
    match (text, fields.get(6)) {
        ("-", "r") => {
            return fail("nothing, but field 6 says that a man is to be taken".to_owned());
        }
        ("-", _) => return Ok(0),
        (_, "r") => {}
        (_, action) => return fail(format!("`{shown}`, but field 6 says `{action}`, not `r`")),
    }
    let (own, other) = (
        letter(p.side).to_string(),
        letter(p.side.other()).to_string(),
    );
    let [who, cause, zone, whose, count, targets, next] = text.split(':').collect::<Vec<_>>()[..]
    else {
        return fail(format!("`{shown}` is not one obligation of seven parts"));
    };
    if [who, whose, next] != [&own, &other, &other] {
        let (side, other) = (side_name(p.side), side_name(p.side.other()));
        return fail(format!(
            "in this game only {side}, to move, takes men, of {other}, who is next"
        ));
    }
    if (cause, zone) != ("mill", "b") {
        return fail("in this game men are taken for mills and from the board".to_owned());
    }
    let most = i64::from(variant.rules.most_captures());
    let due = fields.number_in(8, count, 1)?;
    if due > most {
        let problem = format!("a turn takes at most {} in this game", men(most as u32));
        return Err(fields.foreign(8, problem));
    }
    let removable = format!("{:06x}", bits(variant.removable(p), order));
    if targets != removable {
        let labels = variant.board.labels(variant.removable(p));
        return fail(format!(
            "`{}` are not the men that can be taken, {labels} ({removable})",
            quoted(targets)
        ));
    }
    Ok(due as u8)
}
