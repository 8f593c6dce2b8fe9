//! The symmetry group of a board, found by search.
//!
//! Points are first told apart by colour: equal colours mean "may be images of each other". The
//! colours start from the number of slides and lines of a point and are refined by the colours of
//! what is around it until nothing changes. Then the images are assigned point by point, each new
//! point adjacent to earlier ones where possible, so that a wrong choice shows at once.

use super::board::{BoardError, PointSet, points};

/// The most symmetries a board may have. Real boards have fewer than a hundred.
pub(super) const CAP: usize = 5_000;

/// The most assignments to try: far above any real board, below a second of work.
const MAX_STEPS: usize = 2_000_000;

/// A permutation of the points that keeps lines and slides: the man on `p` goes to `image(p)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry {
    image: Box<[u8]>,
    /// For each six points the images of all their subsets: sets are mapped far more often than
    /// symmetries are found.
    chunks: Box<[[PointSet; 1 << CHUNK]]>,
}

/// Points of a chunk: the tables of the 16 symmetries of a common board stay in the nearest cache.
const CHUNK: usize = 6;

impl Symmetry {
    fn new(image: Box<[u8]>) -> Symmetry {
        let chunk = |targets: &[u8]| {
            std::array::from_fn(|subset| {
                let chosen = |i: &usize| subset >> i & 1 == 1;
                let images = (0..targets.len()).filter(chosen).map(|i| 1 << targets[i]);
                images.fold(0, |set, point: PointSet| set | point)
            })
        };
        let chunks = image.chunks(CHUNK).map(chunk).collect();
        Symmetry { image, chunks }
    }

    /// Where the man on `p` goes.
    pub fn image(&self, p: usize) -> usize {
        usize::from(self.image[p])
    }

    /// The image of a set of points.
    pub fn apply(&self, set: PointSet) -> PointSet {
        let chunks = self.chunks.iter().zip((0..).step_by(CHUNK));
        chunks.fold(0, |image, (chunk, from)| {
            image | chunk[(set >> from) as usize % chunk.len()]
        })
    }
}

impl Symmetry {
    /// The image of those points of a set that the board has.
    pub(crate) fn apply_within(&self, set: PointSet) -> PointSet {
        self.apply(set & ((1u64 << self.image.len()) - 1) as PointSet)
    }
}

/// All symmetries of a board in ascending order of their images, so the identity comes first.
pub(super) fn find(
    lines: &[PointSet],
    neighbours: &[PointSet],
) -> Result<Vec<Symmetry>, BoardError> {
    let mut search = Search {
        lines,
        neighbours,
        colours: colours(lines, neighbours),
        order: assignment_order(lines, neighbours),
        image: vec![u8::MAX; neighbours.len()],
        found: Vec::new(),
        steps: 0,
    };
    search.assign(0, 0)?;
    search.found.sort_unstable();
    Ok(search.found)
}

/// Everything near a point: the points it shares a slide or a line with.
fn surroundings(lines: &[PointSet], neighbours: &[PointSet], p: usize) -> PointSet {
    let through = lines.iter().filter(|line| **line >> p & 1 == 1);
    through.fold(neighbours[p], |near, line| near | line) & !(1 << p)
}

/// Colour refinement: points of different colour are never images of each other.
fn colours(lines: &[PointSet], neighbours: &[PointSet]) -> Vec<usize> {
    let count = neighbours.len();
    let mut colours = vec![0; count];
    loop {
        let sorted = |set: PointSet, colours: &[usize]| {
            let mut list: Vec<usize> = points(set).map(|p| colours[p]).collect();
            list.sort_unstable();
            list
        };
        let signature = |p: usize| {
            let through = lines.iter().filter(|line| **line >> p & 1 == 1);
            let mut in_lines: Vec<_> = through.map(|line| sorted(*line, &colours)).collect();
            in_lines.sort_unstable();
            (colours[p], sorted(neighbours[p], &colours), in_lines)
        };
        let signatures: Vec<_> = (0..count).map(signature).collect();
        let mut distinct: Vec<_> = signatures.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let number = |s| distinct.binary_search(&s).unwrap_or_default();
        let refined: Vec<usize> = signatures.iter().map(number).collect();
        if refined == colours {
            return colours;
        }
        colours = refined;
    }
}

/// Points in an order in which each has as many earlier points around it as possible.
fn assignment_order(lines: &[PointSet], neighbours: &[PointSet]) -> Vec<usize> {
    let mut order = Vec::with_capacity(neighbours.len());
    let mut placed: PointSet = 0;
    while order.len() < neighbours.len() {
        let open = (0..neighbours.len()).filter(|p| placed >> p & 1 == 0);
        let near = |p: &usize| (surroundings(lines, neighbours, *p) & placed).count_ones();
        let Some(next) = open.max_by_key(near) else {
            break;
        };
        order.push(next);
        placed |= 1 << next;
    }
    order
}

struct Search<'a> {
    lines: &'a [PointSet],
    neighbours: &'a [PointSet],
    colours: Vec<usize>,
    order: Vec<usize>,
    image: Vec<u8>,
    found: Vec<Symmetry>,
    steps: usize,
}

impl Search<'_> {
    /// Assigns the images of `order[depth..]`; `used` are the images already given.
    fn assign(&mut self, depth: usize, used: PointSet) -> Result<(), BoardError> {
        if depth == self.order.len() {
            return self.keep();
        }
        let p = self.order[depth];
        for q in 0..self.order.len() {
            if used >> q & 1 == 1 || self.colours[p] != self.colours[q] {
                continue;
            }
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(BoardError::SymmetrySearch);
            }
            self.image[p] = q as u8;
            if self.fits(depth) {
                self.assign(depth + 1, used | 1 << q)?;
            }
        }
        Ok(())
    }

    fn keep(&mut self) -> Result<(), BoardError> {
        if self.found.len() == CAP {
            return Err(BoardError::TooSymmetric { cap: CAP });
        }
        self.found.push(Symmetry::new(self.image.clone().into()));
        Ok(())
    }

    /// Whether the image just given to `order[depth]` agrees with those given before.
    fn fits(&self, depth: usize) -> bool {
        let p = self.order[depth];
        let assigned = self.order[..=depth].iter().fold(0, |set, q| set | 1 << q);
        let image = |set: PointSet| points(set).fold(0, |s: PointSet, q| s | 1 << self.image[q]);
        let q = usize::from(self.image[p]);
        let slides_kept =
            image(self.neighbours[p] & assigned) == self.neighbours[q] & image(assigned);
        // Lines are as many before as after, so it is enough that each goes to a line.
        let ready = |line: &&PointSet| **line >> p & 1 == 1 && **line & !assigned == 0;
        let mut complete = self.lines.iter().filter(ready);
        slides_kept && complete.all(|line| self.lines.contains(&image(*line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of up to 32 points do not end with a whole chunk.
    #[test]
    fn sets_go_where_their_points_go() {
        for size in [1, 5, 6, 7, 24, 32u8] {
            let symmetry = Symmetry::new((0..size).map(|p| (p + 3) % size).collect());
            let all = PointSet::MAX >> (32 - size);
            for set in [0, 1, 0b101, 0x1234_5678, 0xdead_beef, PointSet::MAX].map(|s| s & all) {
                let moved =
                    points(set).fold(0, |image: PointSet, p| image | 1 << symmetry.image(p));
                assert_eq!(symmetry.apply(set), moved, "{set:#x} of {size} points");
            }
        }
    }
}
