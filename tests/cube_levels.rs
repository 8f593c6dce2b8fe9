//! Every kernel of the cube solver, in the copy for each instruction set: all give the same, and it is
//! what the definition says cell by cell.

#[path = "common/kernels.rs"]
mod at_level;

use std::fmt::Debug;

use millbase::cpu::Level;
use millbase::game::{Board, PointSet, Symmetry, Variant, points};
use millbase::index::canonical::CanonicalSets;
use millbase::solve::cube::block::{Block, Byte, EMPTY, Flag, blocks_of};
use millbase::solve::cube::kernels::{CellAccess, Ends};
use millbase::solve::cube::lookup::{Layout, Transpose};
use millbase::solve::cube::messages::{Kind, Outbox};
use millbase::solve::cube::pack::{Packed, stream_units};
use millbase::solve::cube::relabel::Relabel;
use millbase::solve::cube::shape::Shape;

/// The largest sets whose captures are looked at.
const MOST: u32 = 9;

/// A generator good enough to fill rows; seeded, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.next() % limit
    }

    fn cell<C: CellAccess>(&mut self) -> u8 {
        self.next() as u8 & if C::SHIFT == 0 { 1 } else { 255 }
    }

    /// `rows` rows of random cells, one in `sparse` of them not zero. What is no cell is zero.
    fn rows<C: CellAccess>(&mut self, free: u32, rows: usize, sparse: u32) -> Vec<Block> {
        let blocks = blocks_of::<C>(free);
        let mut cells = vec![EMPTY; rows * blocks];
        for row in cells.chunks_exact_mut(blocks) {
            for index in 0..1 << free {
                if self.below(sparse) == 0 {
                    C::put(row, index, self.cell::<C>());
                }
            }
        }
        cells
    }

    fn row<C: CellAccess>(&mut self, free: u32) -> Vec<Block> {
        self.rows::<C>(free, 1, 1)
    }

    fn set(&mut self, board: &Board, men: u32) -> PointSet {
        let mut set = 0;
        while PointSet::count_ones(set) < men {
            set |= 1 << self.below(board.point_count() as u32);
        }
        set
    }

    fn shuffled(&mut self, count: u32) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..count).collect();
        for i in (1..count).rev() {
            numbers.swap(i as usize, self.below(i + 1) as usize);
        }
        numbers
    }
}

/// What `run` leaves in a fresh result, the same at every level.
fn agreed<T: PartialEq + Clone>(fresh: &T, what: impl Debug, run: impl Fn(Level, &mut T)) -> T {
    let result = |level| {
        let mut result = fresh.clone();
        run(level, &mut result);
        result
    };
    let portable = result(Level::Portable);
    for level in Level::available() {
        assert!(result(level) == portable, "{level:?} differs: {what:?}");
    }
    portable
}

fn board(id: &str) -> Board {
    Variant::builtin(id).expect("a built-in variant").board
}

/// The rows of random fixed sets which leave 4 to 13 points free: less than a block up to many.
fn for_each_shape(mut visit: impl FnMut(&Board, &Shape, &mut Random)) {
    let mut random = Random(1);
    for id in ["nine", "six", "three-diagonal"] {
        let board = board(id);
        let count = board.point_count() as u32;
        for free in 4..=count.min(13) {
            for _ in 0..3 {
                let mut shape = Shape::default();
                shape.set(&board, random.set(&board, count - free), MOST);
                visit(&board, &shape, &mut random);
            }
        }
    }
}

/// The points whose bits are set in an index.
fn set_of(points: &[u8], index: u32) -> PointSet {
    let bits = points.iter().enumerate();
    bits.fold(0, |set, (bit, point)| set | (index >> bit & 1) << point)
}

/// The index of the cell that stands for a set of points.
fn index_of(points: &[u8], set: PointSet) -> u32 {
    let bits = points.iter().enumerate();
    bits.fold(0, |index, (bit, point)| index | (set >> point & 1) << bit)
}

/// One cell by its definition: reads of rows by sets of points.
struct Cell<'a> {
    board: &'a Board,
    shape: &'a Shape,
    ends: Ends<'a>,
    men: PointSet,
}

impl Cell<'_> {
    fn open(&self) -> PointSet {
        self.shape.free & !self.men
    }

    /// What a turn ends in that leaves `men` on the board, the one on `to` having just arrived.
    fn end<C: CellAccess>(&self, men: PointSet, to: usize) -> u8 {
        let closes = self.board.stands_in_mill(to, men);
        let row = if closes {
            self.ends.capture
        } else {
            self.ends.quiet
        };
        C::get(row, self.ends.flip, index_of(&self.shape.points, men))
    }

    fn best_placement<C: CellAccess>(&self) -> u8 {
        let ends = points(self.open()).map(|to| self.end::<C>(self.men | 1 << to, to));
        ends.max().unwrap_or(0)
    }

    fn best_move<C: CellAccess>(&self, targets: impl Fn(usize) -> PointSet) -> u8 {
        let from = points(self.men);
        let turns = from
            .flat_map(|from| points(targets(from) & self.open()).map(move |to| (from, to)))
            .map(|(from, to)| self.end::<C>(self.men & !(1 << from) | 1 << to, to));
        turns.max().unwrap_or(0)
    }

    fn best_slide<C: CellAccess>(&self) -> u8 {
        self.best_move::<C>(|from| self.board.neighbours(from))
    }

    fn best_flight<C: CellAccess>(&self) -> u8 {
        self.best_move::<C>(|_| self.board.all_points())
    }

    /// The best that is left when one man is taken from the cell, or none if there is none: read from the
    /// quiet row.
    fn best_capture<C: CellAccess>(&self) -> u8 {
        if self.men == 0 {
            return C::get(self.ends.quiet, self.ends.flip, 0);
        }
        let safe = self.board.men_in_mills(self.men);
        let takeable = if safe == self.men {
            self.men
        } else {
            self.men & !safe
        };
        let left = points(takeable).map(|man| index_of(&self.shape.points, self.men & !(1 << man)));
        let best = left.map(|left| C::get(self.ends.quiet, self.ends.flip, left));
        best.max().unwrap_or(0)
    }
}

/// Asserts that the cells of `out` with at most `most` men are what the definition says.
fn assert_cells<C: CellAccess>(
    board: &Board,
    shape: &Shape,
    ends: Ends,
    (out, most): (&[Block], u32),
    definition: impl Fn(Cell) -> u8,
) {
    for index in (0..1u32 << shape.count).filter(|index| index.count_ones() <= most) {
        let men = set_of(&shape.points, index);
        let cell = Cell {
            board,
            shape,
            ends,
            men,
        };
        assert_eq!(
            C::get(out, 0, index),
            definition(cell),
            "fixed {:#x}, varied {men:#x}",
            shape.fixed
        );
    }
}

/// Calls `test(board, shape, ends, empty row)` for rows of random cells, flipped and not.
fn with_ends<C: CellAccess>(
    sparse: u32,
    flips: &[u64],
    mut test: impl FnMut(&Board, &Shape, Ends, &Vec<Block>),
) {
    for_each_shape(|board, shape, random| {
        let quiet = random.rows::<C>(shape.count, 1, sparse);
        let capture = random.rows::<C>(shape.count, 1, sparse);
        for &flip in flips {
            let ends = Ends {
                quiet: &quiet,
                capture: &capture,
                double: None,
                flip,
            };
            test(board, shape, ends, &vec![EMPTY; quiet.len()]);
        }
    });
}

const FLIPS: [u64; 2] = [0, u64::MAX];

fn slides<C: CellAccess>() {
    with_ends::<C>(1, &FLIPS, |board, shape, ends, empty| {
        let rubbish = ends.quiet.to_vec();
        let out = agreed(&rubbish, shape, |level, out| {
            at_level::slide::<C>(level, shape, ends, &mut empty.clone(), out)
        });
        assert_cells::<C>(board, shape, ends, (&out, 32), |cell| {
            cell.best_slide::<C>()
        });
    });
}

#[test]
fn sliding_back_finds_the_best_slide() {
    slides::<Flag>();
    slides::<Byte>();
}

fn placements<C: CellAccess>() {
    with_ends::<C>(1, &FLIPS, |board, shape, ends, empty| {
        // The kernel joins what it finds with what is there.
        let already = ends.capture;
        let out = agreed(&already.to_vec(), shape, |level, out| {
            at_level::place::<C>(level, shape, ends, &mut empty.clone(), out)
        });
        assert_cells::<C>(board, shape, ends, (&out, 32), |cell| {
            let index = index_of(&shape.points, cell.men);
            cell.best_placement::<C>().max(C::get(already, 0, index))
        });
    });
}

#[test]
fn placing_back_joins_the_best_placement() {
    placements::<Flag>();
    placements::<Byte>();
}

fn captures<C: CellAccess>() {
    with_ends::<C>(1, &FLIPS, |board, shape, ends, _| {
        let rubbish = ends.capture.to_vec();
        let out = agreed(&rubbish, shape, |level, out| {
            at_level::capture::<C>(level, shape, ends.quiet, ends.flip, out)
        });
        assert_cells::<C>(board, shape, ends, (&out, MOST), |cell| {
            cell.best_capture::<C>()
        });
    });
}

#[test]
fn capturing_back_finds_the_best_man_to_take() {
    captures::<Flag>();
    captures::<Byte>();
}

/// Few good ends, as almost all threes have one otherwise.
#[test]
fn flying_back_marks_those_with_a_good_flight() {
    for men in 1..=3 {
        with_ends::<Flag>(20, &[0], |board, shape, ends, empty| {
            let out = agreed(empty, shape, |level, out| {
                at_level::fly(level, shape, men, ends, out)
            });
            assert_cells::<Flag>(board, shape, ends, (&out, 32), |cell| {
                let flies = cell.men.count_ones() == men;
                if flies { cell.best_flight::<Flag>() } else { 0 }
            });
        });
    }
}

#[test]
fn flying_back_reads_flipped_rows_and_keeps_what_is_marked() {
    for_each_shape(|board, shape, random| {
        let full = [u64::MAX; 8];
        let mut thin = || {
            let row = random.rows::<Flag>(shape.count, 1, 20);
            Vec::from_iter(row.iter().map(|block| block.map(|word| !word)))
        };
        let ends = Ends {
            quiet: &thin(),
            capture: &thin(),
            double: None,
            flip: u64::MAX,
        };
        let marked = vec![full; ends.quiet.len()];
        let empty = vec![EMPTY; ends.quiet.len()];
        for men in 1..=3 {
            let fly_on = |fresh: &Vec<Block>| {
                agreed(fresh, shape, |level, out| {
                    at_level::fly(level, shape, men, ends, out)
                })
            };
            assert_eq!(fly_on(&marked), marked);
            assert_cells::<Flag>(board, shape, ends, (&fly_on(&empty), 32), |cell| {
                let flies = cell.men.count_ones() == men;
                if flies { cell.best_flight::<Flag>() } else { 0 }
            });
        }
    });
}

/// The source bit of every target bit: any order, with one bit left out, inserted, or neither.
fn sources(random: &mut Random, source: u32) -> Vec<Option<u32>> {
    let mut sources: Vec<Option<u32>> = random.shuffled(source).into_iter().map(Some).collect();
    let at = random.below(source) as usize;
    match random.below(3) {
        0 => sources.insert(at, None),
        1 => drop(sources.remove(at)),
        _ => {}
    }
    sources
}

/// The cell a target cell is read from, if there is one.
fn source_of(sources: &[Option<u32>], target: u32) -> Option<u32> {
    let bits = (0..).zip(sources);
    let mut taken = bits.filter(|(bit, _)| target >> bit & 1 == 1);
    taken.try_fold(0, |index, (_, source)| Some(index | 1 << (*source)?))
}

fn relabellings<C: CellAccess>() {
    let mut random = Random(3);
    for source in (4..14).flat_map(|free| [free; 6]) {
        let row = random.row::<C>(source);
        let sources = sources(&mut random, source);
        let target = sources.len() as u32;
        let most = [target, 5][random.below(2) as usize];
        let relabel = Relabel::new::<C>(source, &sources);
        let empty = vec![EMPTY; blocks_of::<C>(target)];
        let out = agreed(&empty, (source, &sources), |level, out| {
            let mut work = vec![EMPTY; row.len()];
            at_level::read::<C>(level, &relabel, &row, most, &mut work, out);
        });
        for index in (0..1u32 << target).filter(|index| index.count_ones() <= most) {
            let wanted = source_of(&sources, index).map_or(0, |from| C::get(&row, 0, from));
            assert_eq!(
                C::get(&out, 0, index),
                wanted,
                "{source} {sources:?} {index:#b}"
            );
        }
    }
}

#[test]
fn relabelling_reads_the_cells_under_their_other_names() {
    relabellings::<Flag>();
    relabellings::<Byte>();
}

/// The least and the most men of the sectors that rows are dealt to.
const SIZES: [(u32, u32); 3] = [(0, 13), (3, 9), (2, 2)];
/// Rows dealt together: not a whole number of words in most streams.
const ROWS: usize = 3;

/// Cell number `place` of a stream.
fn in_stream<P: Packed>(stream: &[P::Unit], place: usize) -> u8 {
    let bytes: &[u8] = bytemuck::cast_slice(stream);
    if P::CELLS == 1 {
        bytes[place]
    } else {
        bytes[place / 8] >> (place % 8) & 1
    }
}

/// The streams of the sizes `least..=most`, all bits as in `byte`.
fn streams<P: Packed>(free: u32, least: u32, most: u32, byte: u8) -> Vec<Vec<P::Unit>> {
    let units = |size| stream_units::<P>(free, size, ROWS);
    let filled = |size| {
        let mut stream = vec![bytemuck::Zeroable::zeroed(); units(size)];
        bytemuck::cast_slice_mut(&mut stream).fill(byte);
        stream
    };
    (least..=most).map(filled).collect()
}

/// Asserts that the streams hold the cells of the rows, size by size, in order of the index.
fn assert_dealt<P: Packed + CellAccess>(
    streams: &[Vec<P::Unit>],
    rows: &[Block],
    free: u32,
    sizes: std::ops::RangeInclusive<u32>,
) {
    let mut places = vec![0; streams.len()];
    for row in rows.chunks_exact(blocks_of::<P>(free)) {
        for index in (0..1u32 << free).filter(|index| sizes.contains(&index.count_ones())) {
            let stream = (index.count_ones() - sizes.start()) as usize;
            let found = in_stream::<P>(&streams[stream], places[stream]);
            assert_eq!(P::get(row, 0, index), found, "{free} {sizes:?} {index:#b}");
            places[stream] += 1;
        }
    }
}

fn dealings<P: Packed + CellAccess>()
where
    P::Unit: PartialEq,
{
    let mut random = Random(7);
    for free in 3..14u32 {
        for (least, most) in SIZES {
            let (sizes, what) = (least..=most.min(free), (free, least, most));
            let rows = random.rows::<P>(free, ROWS, 1);
            let rubbish = streams::<P>(free, least, *sizes.end(), 0x5a);
            let dealt = agreed(&rubbish, what, |level, streams| {
                at_level::deal::<P>(level, &rows, free, sizes.clone(), streams)
            });
            assert_dealt::<P>(&dealt, &rows, free, sizes.clone());

            let others = random.rows::<P>(free, ROWS, 1);
            let collected = agreed(&others, what, |level, rows| {
                at_level::collect::<P>(level, &dealt, free, sizes.clone(), rows)
            });
            let blocks = blocks_of::<P>(free);
            for (row, cells) in collected.chunks_exact(blocks).enumerate() {
                let from = |all: &[Block], index| P::get(&all[row * blocks..][..blocks], 0, index);
                for index in 0..1u32 << free {
                    let named = sizes.contains(&index.count_ones());
                    let wanted = from(if named { &rows } else { &others }, index);
                    assert_eq!(P::get(cells, 0, index), wanted, "{what:?} {row} {index:#b}");
                }
            }
        }
    }
}

#[test]
fn dealing_and_collecting_keep_the_order_of_the_index() {
    dealings::<Flag>();
    dealings::<Byte>();
}

/// The addresses of (`fixed`, `varied`) with the roles exchanged: one for every symmetry that carries
/// `varied` to its representative.
fn exchanged(
    board: &Board,
    sets: &CanonicalSets,
    layout: &Layout,
    [fixed, varied]: [PointSet; 2],
) -> Vec<u64> {
    let men = varied.count_ones();
    let row = sets.locate(varied).orbit as usize;
    let representative = sets.representative(men as usize, row);
    let free: Vec<u8> = points(board.all_points() & !representative)
        .map(|point| point as u8)
        .collect();
    let class = layout.classes.iter().find(|class| class.men == men);
    let class = class.expect("sets of all sizes in the layout");
    let carries = |symmetry: &&Symmetry| symmetry.apply(varied) == representative;
    let symmetries = board.symmetries().iter().filter(carries);
    let indices = symmetries.map(|symmetry| index_of(&free, symmetry.apply(fixed)));
    indices
        .map(|index| class.address + ((row as u64) << class.row_bits) + u64::from(index))
        .collect()
}

/// All messages in an outbox, as addresses in order.
fn sent(outbox: &Outbox, layout: &Layout) -> Vec<u64> {
    let in_band = |band| {
        let start = (band as u64) << layout.band_bits;
        let places = outbox.read(band, Kind::Quiet).flatten();
        places.map(move |&place| start + u64::from(place))
    };
    let mut all: Vec<u64> = (0..layout.bands).flat_map(in_band).collect();
    all.sort_unstable();
    all
}

fn transposes(id: &str, most: u32, step: usize) {
    let board = board(id);
    let sets = CanonicalSets::new(&board, most as usize);
    let layout = Layout::new(&sets, board.point_count() as u32, 3, most);
    let transpose = Transpose::new(&board, &sets, &layout).expect("the board is small enough");
    let mut random = Random(11);
    for men in (3..=most).flat_map(|men| [men; 4]) {
        // Among the first representatives are symmetric ones.
        let fixed = sets.representative(men as usize, random.below(5) as usize);
        let free: Vec<u8> = points(board.all_points() & !fixed)
            .map(|point| point as u8)
            .collect();
        let indices: Vec<u32> = (0..1u32 << free.len())
            .filter(|index| (3..=most).contains(&index.count_ones()))
            .step_by(step)
            .collect();
        let mut images = Vec::new();
        transpose.images_of(fixed, &mut images);
        let all = agreed(&Vec::new(), fixed, |level, all| {
            let room = indices.len() * images.len();
            let mut outbox = Outbox::new(layout.bands, layout.band_bits, room, 2).expect("memory");
            let free = board.all_points() & !fixed;
            at_level::send(level, &transpose, &images, free, &indices, &mut outbox);
            outbox.publish();
            *all = sent(&outbox, &layout);
        });
        let varied = indices.iter().map(|&index| set_of(&free, index));
        let mut wanted: Vec<u64> = varied
            .flat_map(|varied| exchanged(&board, &sets, &layout, [fixed, varied]))
            .collect();
        wanted.sort_unstable();
        assert!(all == wanted, "{id}: fixed {fixed:#x}");
    }
}

#[test]
fn every_position_is_sent_to_where_the_roles_are_exchanged() {
    transposes("six", 6, 1);
    transposes("nine", 5, 37);
}
