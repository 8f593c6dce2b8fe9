//! Every kernel, in the copy for each instruction set, against its meaning cell by cell.

use millbase::game::{Board, PointSet, Variant};
use millbase::index::canonical::CanonicalSets;
use millbase::solve::cube::block::{Block, Byte, EMPTY, Flag, blocks_of};
use millbase::solve::cube::cpu::{self, Cpu, Level, Task};
use millbase::solve::cube::kernels::{
    CellAccess, Ends, capture_back, fly_back, place_back, slide_back,
};
use millbase::solve::cube::lookup::{Layout, Transpose};
use millbase::solve::cube::pack::{Packed, stream_units};
use millbase::solve::cube::relabel::Relabel;
use millbase::solve::cube::shape::Shape;

/// A closure that can be run at a level.
struct Call<F>(F);

impl<T, F: FnOnce() -> T> Task for Call<F> {
    type Output = T;

    #[inline(always)]
    fn run<C: Cpu>(self) -> T {
        (self.0)()
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }

    /// Random cells for all subsets of `free` points; nothing where there is no cell.
    fn row<C: CellAccess>(&mut self, free: u32) -> Vec<Block> {
        let mut row = vec![EMPTY; blocks_of::<C>(free)];
        for index in 0..1 << free {
            C::put(
                &mut row,
                index,
                self.next() as u8 & if C::SHIFT == 0 { 1 } else { 255 },
            );
        }
        row
    }

    /// A random set of `men` points.
    fn set(&mut self, points: usize, men: u32) -> PointSet {
        let mut set: PointSet = 0;
        while set.count_ones() < men {
            set |= 1 << (self.next() as usize % points);
        }
        set
    }
}

/// Rows to try: fixed sets that leave from 4 to 13 points free.
fn rows(mut visit: impl FnMut(&Board, &Shape, &mut Random)) {
    let mut random = Random(1);
    for id in ["nine", "six", "three-diagonal"] {
        let board = Variant::builtin(id).unwrap().board;
        let points = board.point_count();
        for men in points.saturating_sub(13)..=points - 4 {
            for _ in 0..3 {
                let mut shape = Shape::default();
                shape.set(&board, random.set(points, men as u32), MOST);
                visit(&board, &shape, &mut random);
            }
        }
    }
}

/// The largest sets whose captures are looked at.
const MOST: u32 = 9;

/// The points of a set of index bits.
fn men(shape: &Shape, index: u32) -> PointSet {
    let bits = shape.points.iter().enumerate();
    bits.fold(0, |set, (bit, &point)| set | (index >> bit & 1) << point)
}

/// The cell a turn ends in.
fn end<C: CellAccess>(board: &Board, shape: &Shape, ends: Ends, to: u32, index: u32) -> u8 {
    let closes = board.stands_in_mill(shape.points[to as usize].into(), men(shape, index));
    let row = if closes { ends.capture } else { ends.quiet };
    C::get(row, ends.flip, index)
}

/// The best end of moving one man of `index`, to a neighbour or anywhere.
fn best_move<C: CellAccess>(
    board: &Board,
    shape: &Shape,
    ends: Ends,
    index: u32,
    flies: bool,
) -> u8 {
    let mut best = 0;
    for from in (0..shape.count).filter(|from| index >> from & 1 == 1) {
        let near = board.neighbours(shape.points[from as usize].into());
        for to in (0..shape.count).filter(|to| index >> to & 1 == 0) {
            if flies || near >> shape.points[to as usize] & 1 == 1 {
                let after = index & !(1 << from) | 1 << to;
                best = best.max(end::<C>(board, shape, ends, to, after));
            }
        }
    }
    best
}

fn slides<C: CellAccess>() {
    rows(|board, shape, random| {
        let (quiet, capture) = (random.row::<C>(shape.count), random.row::<C>(shape.count));
        for flip in [0, u64::MAX] {
            let ends = Ends {
                quiet: &quiet,
                capture: &capture,
                flip,
            };
            for level in Level::available() {
                let (mut lifted, mut out) = (quiet.clone(), capture.clone());
                cpu::run(
                    level,
                    Call(|| slide_back::<C>(shape, ends, &mut lifted, &mut out)),
                );
                for index in 0..1 << shape.count {
                    let wanted = best_move::<C>(board, shape, ends, index, false);
                    assert_eq!(
                        C::get(&out, 0, index),
                        wanted,
                        "{level:?} {index:#b} {shape:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn sliding_back() {
    slides::<Flag>();
    slides::<Byte>();
}

#[test]
fn flying_back() {
    rows(|board, shape, random| {
        let (quiet, capture) = (
            random.row::<Flag>(shape.count),
            random.row::<Flag>(shape.count),
        );
        // Few good ends, as most threes have some otherwise.
        let thin = |row: Vec<Block>, random: &mut Random| -> Vec<Block> {
            row.iter()
                .map(|block| {
                    block.map(|word| {
                        if random.next().is_multiple_of(4) {
                            word
                        } else {
                            0
                        }
                    })
                })
                .collect()
        };
        let (quiet, capture) = (thin(quiet, random), thin(capture, random));
        let ends = Ends {
            quiet: &quiet,
            capture: &capture,
            flip: 0,
        };
        for level in Level::available() {
            let mut out = vec![EMPTY; quiet.len()];
            cpu::run(level, Call(|| fly_back(shape, ends, &mut out)));
            for index in 0..1u32 << shape.count {
                let three = index.count_ones() == 3;
                let wanted = if three {
                    best_move::<Flag>(board, shape, ends, index, true)
                } else {
                    0
                };
                assert_eq!(
                    Flag::get(&out, 0, index),
                    wanted,
                    "{level:?} {index:#b} {shape:?}"
                );
            }
        }
    });
}

fn placements<C: CellAccess>() {
    rows(|board, shape, random| {
        let (quiet, capture) = (random.row::<C>(shape.count), random.row::<C>(shape.count));
        let ends = Ends {
            quiet: &quiet,
            capture: &capture,
            flip: 0,
        };
        for level in Level::available() {
            let (mut lifted, mut out) = (quiet.clone(), vec![EMPTY; quiet.len()]);
            cpu::run(
                level,
                Call(|| place_back::<C>(shape, ends, &mut lifted, &mut out)),
            );
            for index in 0..1u32 << shape.count {
                let free = (0..shape.count).filter(|to| index >> to & 1 == 0);
                let ends = free.map(|to| end::<C>(board, shape, ends, to, index | 1 << to));
                assert_eq!(
                    C::get(&out, 0, index),
                    ends.max().unwrap_or(0),
                    "{level:?} {index:#b} {shape:?}"
                );
            }
        }
    });
}

#[test]
fn placing_back() {
    placements::<Flag>();
    placements::<Byte>();
}

fn captures<C: CellAccess>() {
    rows(|board, shape, random| {
        let source = random.row::<C>(shape.count);
        for flip in if C::SHIFT == 0 {
            vec![0, u64::MAX]
        } else {
            vec![0]
        } {
            for level in Level::available() {
                let mut out = source.clone();
                cpu::run(
                    level,
                    Call(|| capture_back::<C>(shape, &source, flip, &mut out)),
                );
                for index in (0..1u32 << shape.count).filter(|index| index.count_ones() <= MOST) {
                    let set = men(shape, index);
                    let safe = board.men_in_mills(set);
                    let takeable = if safe == set { set } else { set & !safe };
                    let taken = (0..shape.count).filter(|bit| {
                        takeable >> shape.points[*bit as usize] & 1 == 1 && index >> bit & 1 == 1
                    });
                    let best = taken
                        .map(|bit| C::get(&source, flip, index & !(1 << bit)))
                        .max();
                    assert_eq!(
                        C::get(&out, 0, index),
                        best.unwrap_or(0),
                        "{level:?} {index:#b} {shape:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn capturing_back() {
    captures::<Flag>();
    captures::<Byte>();
}

/// A row dealt to sectors and collected again.
struct Deal<'a, P: Packed> {
    row: &'a [Block],
    free: u32,
    streams: Vec<Vec<P::Unit>>,
}

impl<P: Packed> Task for Deal<'_, P> {
    type Output = (Vec<Vec<P::Unit>>, Vec<Block>);

    #[inline(always)]
    fn run<C: Cpu>(mut self) -> Self::Output {
        let mut slices: Vec<&mut [P::Unit]> = self.streams.iter_mut().map(|s| &mut s[..]).collect();
        P::deal::<C>(self.row, self.free, 0..=self.free, &mut slices);
        let slices: Vec<&[P::Unit]> = self.streams.iter().map(|s| &s[..]).collect();
        let mut row = vec![EMPTY; self.row.len()];
        P::collect::<C>(&slices, self.free, 0..=self.free, &mut row);
        (self.streams, row)
    }
}

fn dealt<P: Packed + CellAccess>()
where
    P::Unit: PartialEq + std::fmt::Debug,
{
    let mut random = Random(7);
    for free in 3..14 {
        let row = random.row::<P>(free);
        let deal = |level| {
            let units = |size| vec![bytemuck::Zeroable::zeroed(); stream_units::<P>(free, size, 1)];
            let streams = (0..=free).map(units).collect();
            cpu::run(
                level,
                Deal::<P> {
                    row: &row,
                    free,
                    streams,
                },
            )
        };
        let plain = deal(Level::Portable);
        assert_eq!(plain.1, row);
        for level in Level::available() {
            assert!(deal(level) == plain, "{level:?} {free}");
        }
    }
}

#[test]
fn dealing_and_collecting() {
    dealt::<Flag>();
    dealt::<Byte>();
}

fn relabelled<C: CellAccess>() {
    let mut random = Random(3);
    for source in 5..13u32 {
        // A rotation of the bits, one of them inserted or left out.
        for (target, shift) in [(source + 1, 2), (source - 1, 3), (source, 5)] {
            let bit = |i: u32| (i + shift) % target.min(source);
            let sources: Vec<Option<u32>> = (0..target)
                .map(|i| (i < target.min(source)).then(|| bit(i)))
                .collect();
            let row = random.row::<C>(source);
            let relabel = Relabel::new::<C>(source, &sources);
            let read = |level| {
                let mut work = vec![EMPTY; 2 * row.len()];
                let mut out = vec![EMPTY; blocks_of::<C>(target)];
                let read = Call(|| {
                    relabel.read::<C>(&row, 32, &mut work, |number, block| out[number] = block)
                });
                cpu::run(level, read);
                out
            };
            let plain = read(Level::Portable);
            for level in Level::available() {
                assert_eq!(read(level), plain, "{level:?} {source} {target}");
            }
        }
    }
}

#[test]
fn relabelling() {
    relabelled::<Flag>();
    relabelled::<Byte>();
}

/// Transposed addresses of some cells of a row.
struct Places<'a> {
    transpose: &'a Transpose,
    fixed: PointSet,
    free: PointSet,
    indices: &'a [u32],
}

impl Task for Places<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Vec<u64> {
        let (mut images, mut places) = (Vec::new(), Vec::new());
        self.transpose.images_of(self.fixed, &mut images);
        self.transpose
            .places::<C>(&images, self.free, self.indices, |place| places.push(place));
        places
    }
}

#[test]
fn transposing() {
    let board = Variant::builtin("nine").unwrap().board;
    let sets = CanonicalSets::new(&board, 5);
    let layout = Layout::new(&sets, 24, 3, 5);
    let transpose = Transpose::new(&board, &sets, &layout).unwrap();
    for row in (0..sets.count(5)).step_by(97) {
        let fixed = sets.representative(5, row);
        let indices: Vec<u32> = (0..1u32 << 19)
            .filter(|i| (3..=5).contains(&i.count_ones()))
            .step_by(31)
            .collect();
        let places = |level| {
            let free = board.all_points() & !fixed;
            cpu::run(
                level,
                Places {
                    transpose: &transpose,
                    fixed,
                    free,
                    indices: &indices,
                },
            )
        };
        let plain = places(Level::Portable);
        assert!(plain.len() >= indices.len());
        for level in Level::available() {
            assert_eq!(places(level), plain, "{level:?} {row}");
        }
    }
}
