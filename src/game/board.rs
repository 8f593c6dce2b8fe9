//! The board: points, lines of three and slides, whatever their shape.
//!
//! A board is a small graph. *Points* carry at most one man, *slides* join points between which a
//! man may move, *lines* are the sets of three points that make a mill. Everything else, such as
//! the symmetry group, is computed from these.
//!
//! ```text
//! a3 --- b3 --- c3      9 points, 12 slides,
//!  |      |      |      6 lines (rows and columns),
//! a2 --- b2 --- c2      8 symmetries
//!  |      |      |
//! a1 --- b1 --- c1
//! ```

use thiserror::Error;

use super::symmetry::{self, Symmetry};

/// A set of points: bit `p` stands for point `p`. Boards have at most 32 points.
pub type PointSet = u32;

/// The most points a board can have: one bit each of a [`PointSet`].
pub const MAX_POINTS: usize = 32;

/// The points of a set, in ascending order.
pub fn points(set: PointSet) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let point = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            point
        })
    })
}

/// A point as the maker of a board describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardPoint {
    /// What moves and drawings call the point: ASCII letters and digits without `x`.
    pub label: String,
    /// Where the point is drawn, growing to the right.
    pub x: f32,
    /// Where the point is drawn, growing upwards.
    pub y: f32,
}

/// Why a description is not a board.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BoardError {
    /// No points, or more than [`MAX_POINTS`].
    #[error("a board has 1 to {MAX_POINTS} points, not {0}")]
    PointCount(usize),
    /// A label that move texts could not hold.
    #[error(
        "`{0}` cannot name a point: a label is made of ASCII letters and digits, without the letter x"
    )]
    Label(String),
    /// The same label twice.
    #[error("two points are called `{0}`")]
    DuplicateLabel(String),
    /// A coordinate that is not a number.
    #[error("the coordinates of point `{0}` are not finite numbers")]
    Coordinates(String),
    /// A line, slide or text order names a point that does not exist.
    #[error("{place} uses point number {point}, but the board has {count} points")]
    NoSuchPoint {
        /// The part of the description at fault.
        place: String,
        /// The number used.
        point: usize,
        /// The number of points of the board.
        count: usize,
    },
    /// A line that is not made of three different points.
    #[error("line {0} is not made of three different points")]
    Line(String),
    /// The same line twice.
    #[error("line {0} is given twice")]
    DuplicateLine(String),
    /// A slide from a point to itself.
    #[error("the slide {0} does not lead anywhere")]
    Slide(String),
    /// The same slide twice.
    #[error("the slide {0} is given twice")]
    DuplicateSlide(String),
    /// The text order does not name every point exactly once.
    #[error("the text order names point `{label}` {times} times instead of once")]
    TextOrder {
        /// The point's label.
        label: String,
        /// How often it is named.
        times: usize,
    },
    /// More symmetries than an index can use.
    #[error("the board has more than {cap} symmetries, which is more than can be used")]
    TooSymmetric {
        /// The most symmetries allowed.
        cap: usize,
    },
    /// The search for symmetries was given up.
    #[error("the symmetries of the board take too long to find")]
    SymmetrySearch,
}

/// Points, lines and slides, with everything that follows from them.
///
/// Made only by [`Board::new`], so a `Board` is always consistent.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    points: Vec<BoardPoint>,
    lines: Vec<PointSet>,
    lines_through: Vec<Vec<PointSet>>,
    slides: Vec<(usize, usize)>,
    neighbours: Vec<PointSet>,
    symmetries: Vec<Symmetry>,
    text_order: Vec<Vec<usize>>,
}

impl Board {
    /// Checks a description and computes the symmetry group.
    ///
    /// Points are numbered in the order given. `lines` are sets of three points, `slides` are
    /// undirected, and `text_order` names every point once, in the groups in which position texts
    /// list them.
    ///
    /// # Errors
    /// Whatever is wrong with the description, by label where there is one.
    pub fn new(
        points: Vec<BoardPoint>,
        lines: Vec<Vec<usize>>,
        slides: Vec<(usize, usize)>,
        text_order: Vec<Vec<usize>>,
    ) -> Result<Board, BoardError> {
        check_points(&points)?;
        let lines = check_lines(&points, &lines)?;
        let slides = check_slides(&points, &slides)?;
        check_text_order(&points, &text_order)?;

        let through = |p: usize| lines.iter().copied().filter(move |line| line >> p & 1 == 1);
        let lines_through = (0..points.len()).map(|p| through(p).collect()).collect();
        let mut neighbours = vec![0; points.len()];
        for &(a, b) in &slides {
            neighbours[a] |= 1 << b;
            neighbours[b] |= 1 << a;
        }
        let symmetries = symmetry::find(&lines, &neighbours)?;
        Ok(Board {
            points,
            lines,
            lines_through,
            slides,
            neighbours,
            symmetries,
            text_order,
        })
    }

    /// The number of points.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// The set of all points.
    pub fn all_points(&self) -> PointSet {
        PointSet::MAX >> (MAX_POINTS - self.points.len())
    }

    /// The lines that make a mill, each a set of three points.
    pub fn lines(&self) -> &[PointSet] {
        &self.lines
    }

    /// The lines that contain a point.
    pub fn lines_through(&self, p: usize) -> &[PointSet] {
        &self.lines_through[p]
    }

    /// The pairs of points between which a man may slide, either way; the lower number first.
    pub fn slides(&self) -> &[(usize, usize)] {
        &self.slides
    }

    /// The points a man on `p` may slide to when they are empty.
    pub fn neighbours(&self, p: usize) -> PointSet {
        self.neighbours[p]
    }

    /// All permutations of the points that keep lines and slides; the first is the identity.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// What texts call the point.
    pub fn label(&self, p: usize) -> &str {
        &self.points[p].label
    }

    /// The point of that name.
    pub fn point(&self, label: &str) -> Option<usize> {
        self.points.iter().position(|point| point.label == label)
    }

    /// Where the point is drawn: to the right, and upwards.
    pub fn coordinates(&self, p: usize) -> (f32, f32) {
        (self.points[p].x, self.points[p].y)
    }

    /// The groups of points in the order in which position texts list them.
    pub fn text_order(&self) -> &[Vec<usize>] {
        &self.text_order
    }

    /// Whether `men` fill a line through `p` (so there is a man on `p`, too).
    pub fn stands_in_mill(&self, p: usize, men: PointSet) -> bool {
        self.lines_through[p].iter().any(|line| men & line == *line)
    }

    /// Those of the men that stand in a mill.
    pub fn men_in_mills(&self, men: PointSet) -> PointSet {
        let full = self.lines.iter().filter(|line| men & **line == **line);
        full.fold(0, |set, line| set | line)
    }

    /// The labels of a set's points, in point order, separated by blanks.
    pub fn labels(&self, set: PointSet) -> String {
        join_labels(&self.points, points(set))
    }
}

fn join_labels(all: &[BoardPoint], of: impl Iterator<Item = usize>) -> String {
    of.map(|p| all[p].label.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn check_points(points: &[BoardPoint]) -> Result<(), BoardError> {
    if points.is_empty() || points.len() > MAX_POINTS {
        return Err(BoardError::PointCount(points.len()));
    }
    for (i, point) in points.iter().enumerate() {
        let label = &point.label;
        let usable = |c: char| c.is_ascii_alphanumeric() && !c.eq_ignore_ascii_case(&'x');
        if label.is_empty() || !label.chars().all(usable) {
            return Err(BoardError::Label(label.clone()));
        }
        if points[..i].iter().any(|earlier| earlier.label == *label) {
            return Err(BoardError::DuplicateLabel(label.clone()));
        }
        if !point.x.is_finite() || !point.y.is_finite() {
            return Err(BoardError::Coordinates(label.clone()));
        }
    }
    Ok(())
}

fn check_range(points: &[BoardPoint], place: &str, used: &[usize]) -> Result<(), BoardError> {
    match used.iter().find(|p| **p >= points.len()) {
        Some(&point) => Err(BoardError::NoSuchPoint {
            place: place.to_owned(),
            point,
            count: points.len(),
        }),
        None => Ok(()),
    }
}

fn check_lines(points: &[BoardPoint], lines: &[Vec<usize>]) -> Result<Vec<PointSet>, BoardError> {
    let mut sets: Vec<PointSet> = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        check_range(points, &format!("line number {}", i + 1), line)?;
        let set: PointSet = line.iter().fold(0, |set, p| set | 1 << p);
        let text = || format!("`{}`", join_labels(points, line.iter().copied()));
        if line.len() != 3 || set.count_ones() != 3 {
            return Err(BoardError::Line(text()));
        }
        if sets.contains(&set) {
            return Err(BoardError::DuplicateLine(text()));
        }
        sets.push(set);
    }
    Ok(sets)
}

fn check_slides(
    points: &[BoardPoint],
    slides: &[(usize, usize)],
) -> Result<Vec<(usize, usize)>, BoardError> {
    let mut sorted: Vec<(usize, usize)> = Vec::with_capacity(slides.len());
    for (i, &(a, b)) in slides.iter().enumerate() {
        check_range(points, &format!("slide number {}", i + 1), &[a, b])?;
        let text = || format!("`{} {}`", points[a].label, points[b].label);
        if a == b {
            return Err(BoardError::Slide(text()));
        }
        let slide = (a.min(b), a.max(b));
        if sorted.contains(&slide) {
            return Err(BoardError::DuplicateSlide(text()));
        }
        sorted.push(slide);
    }
    sorted.sort_unstable();
    Ok(sorted)
}

fn check_text_order(points: &[BoardPoint], order: &[Vec<usize>]) -> Result<(), BoardError> {
    let mut times = vec![0; points.len()];
    for (i, group) in order.iter().enumerate() {
        check_range(points, &format!("text order group {}", i + 1), group)?;
        group.iter().for_each(|&p| times[p] += 1);
    }
    match times.iter().position(|&n| n != 1) {
        Some(p) => Err(BoardError::TextOrder {
            label: points[p].label.clone(),
            times: times[p],
        }),
        None => Ok(()),
    }
}
