//! Where things are in a picture.

use crate::game::{Board, points};
use crate::notation::{Sides, sides};

use super::number;

/// The distance between the points next to each other, as long as the picture does not grow too large for it.
const UNIT: f64 = 100.0;

/// The most the board is wide or high without its margins.
const MOST: f64 = 1000.0;

/// The unit does not get smaller than this, though men may then overlap.
const LEAST_UNIT: f64 = 24.0;

/// Room for the names of rows and columns beside the widest badges, in units.
const MARGIN: f64 = 1.05;

/// Places in a picture, from its upper left corner.
pub(super) struct Layout {
    /// The place of each point.
    pub at: Vec<(f64, f64)>,
    /// What men, texts and margins are measured by.
    pub unit: f64,
    /// Width of the picture.
    pub width: f64,
    /// Height of the board with its margins.
    pub height: f64,
    /// What stands at the sides, if the labels are those of columns and rows.
    pub sides: Option<Sides<i64>>,
}

impl Layout {
    pub fn of(board: &Board) -> Layout {
        let exact = |p| {
            let (x, y) = board.coordinates(p);
            (f64::from(x), f64::from(y))
        };
        let all: Vec<(f64, f64)> = (0..board.point_count()).map(exact).collect();
        let (left, right) = range(all.iter().map(|c| c.0));
        let (bottom, top) = range(all.iter().map(|c| c.1));
        let extent = (right - left).max(top - bottom);
        let nearest = nearest(&all).unwrap_or(1.0);
        let scale = (UNIT / nearest).min(MOST / extent.max(nearest));
        let unit = (nearest * scale).max(LEAST_UNIT);

        // Rounded, so that the columns and rows are told apart by whole numbers.
        let place = |&(x, y): &(f64, f64), margin: f64| {
            let at = ((x - left) * scale + margin, (top - y) * scale + 0.7 * unit);
            (at.0.round(), at.1.round())
        };
        let whole = |at: &(f64, f64)| (at.0 as i64, at.1 as i64);
        let cells: Vec<_> = all
            .iter()
            .map(|c| whole(&place(c, MARGIN * unit)))
            .collect();
        let sides = sides(board, &cells);
        let margin = if sides.is_some() { MARGIN } else { 0.6 } * unit;
        let at: Vec<(f64, f64)> = all.iter().map(|c| place(c, margin)).collect();
        let beside = match &sides {
            Some(_) => 0.7 * unit,
            None => unit * (0.5 + 0.16 * longest_label(board) as f64),
        };
        let below = if sides.is_some() { MARGIN } else { 0.7 } * unit;
        let whose_turn_fits = 3.4 * unit;
        Layout {
            width: (margin + (right - left) * scale + beside).max(whose_turn_fits),
            height: 0.7 * unit + (top - bottom) * scale + below,
            at,
            unit,
            sides,
        }
    }

    /// The place of a point as paths have it.
    pub fn text(&self, p: usize) -> String {
        let (x, y) = self.at[p];
        format!("{} {}", number(x), number(y))
    }
}

fn range(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = numbers.clone().fold(f64::INFINITY, f64::min);
    (least, numbers.fold(f64::NEG_INFINITY, f64::max))
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The least distance between two points that are not in the same place.
fn nearest(all: &[(f64, f64)]) -> Option<f64> {
    let pairs = all
        .iter()
        .enumerate()
        .flat_map(|(i, &a)| all[..i].iter().map(move |&b| distance(a, b)));
    pairs.filter(|&d| d > 0.0).min_by(f64::total_cmp)
}

fn longest_label(board: &Board) -> usize {
    let lengths = (0..board.point_count()).map(|p| board.label(p).len());
    lengths.max().unwrap_or(0)
}

/// The lines with their points in the order they are drawn in, and the slides that are no part of a line.
pub(super) fn ways(board: &Board) -> (Vec<[usize; 3]>, Vec<(usize, usize)>) {
    let lines: Vec<[usize; 3]> = board
        .lines()
        .iter()
        .filter_map(|&line| {
            let three: Vec<usize> = points(line).collect();
            <[usize; 3]>::try_from(three).ok()
        })
        .map(|line| in_order(board, line))
        .collect();
    let along = |a: usize, b: usize| {
        let joined = |two: &[usize]| two == [a, b] || two == [b, a];
        lines.iter().any(|line| line.windows(2).any(joined))
    };
    let slides = board.slides().iter().copied();
    let slides = slides.filter(|&(a, b)| !along(a, b)).collect();
    (lines, slides)
}

/// A line's points with the middle one in the middle: the other two are farthest apart.
fn in_order(board: &Board, [a, b, c]: [usize; 3]) -> [usize; 3] {
    let apart = |p: usize, q: usize| {
        let exact = |(x, y): (f32, f32)| (f64::from(x), f64::from(y));
        distance(exact(board.coordinates(p)), exact(board.coordinates(q)))
    };
    let orders = [[a, b, c], [b, a, c], [a, c, b]];
    let farthest = orders.into_iter().max_by(|one, other| {
        // Of equals the first is kept: `max_by` would take the last.
        let by_ends = apart(one[0], one[2]).total_cmp(&apart(other[0], other[2]));
        by_ends.then(std::cmp::Ordering::Greater)
    });
    farthest.unwrap_or([a, b, c])
}
