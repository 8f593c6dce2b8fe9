//! Speed of the cube solver's kernels in cells per second, for every instruction set of this machine.
//!
//! The rows are those of nine men's morris: as long as the ones the solver spends its time on, with the
//! slides and lines that are left beside real fixed sets. Before a kernel is timed its result has to be
//! that of the portable copy, bit by bit.
//!
//! ```text
//! cargo bench --bench kernels                        all of them, a few minutes
//! cargo bench --bench kernels -- --quick slide_back  one kernel, roughly
//! cargo bench --bench kernels -- --test              only compare the results
//! ```
//!
//! Names are `kernel/cells and fixed men/level`, as in `slide_back/flags, 9 fixed/Avx512`.

#[path = "../tests/common/kernels.rs"]
mod at_level;

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use millbase::cpu::Level;
use millbase::game::{Board, PointSet, Variant, points};
use millbase::index::canonical::{CanonicalSets, binomial};
use millbase::solve::cube::block::{Block, Byte, EMPTY, Flag, blocks_of};
use millbase::solve::cube::kernels::{CellAccess, Ends};
use millbase::solve::cube::lookup::{Layout, Transpose};
use millbase::solve::cube::messages::{Kind, Outbox};
use millbase::solve::cube::pack::{GROUP, Packed, stream_units};
use millbase::solve::cube::relabel::Relabel;
use millbase::solve::cube::shape::Shape;

/// The most men a side.
const MEN: u32 = 9;
/// Numbers of fixed men whose rows are measured: most positions of nine have as many.
const FIXED: [u32; 2] = [8, 9];
/// Fixed sets of each size, spread evenly over all canonical ones.
const SHAPES: usize = 8;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// The board and its canonical sets.
struct Nine {
    board: Board,
    sets: CanonicalSets,
}

impl Nine {
    fn new() -> Nine {
        let board = Variant::builtin("nine").expect("built in").board;
        let sets = CanonicalSets::new(&board, MEN as usize + 1);
        Nine { board, sets }
    }

    fn shapes(&self, fixed: u32) -> Vec<Shape> {
        let sets = self.sets.representatives(fixed as usize);
        let shape = |number: usize| {
            let mut shape = Shape::default();
            let set = sets[(2 * number + 1) * sets.len() / (2 * SHAPES)];
            shape.set(&self.board, set, MEN);
            shape
        };
        (0..SHAPES).map(shape).collect()
    }

    /// How the placement layers read the row of the set `neighbour` as a row of `shape`.
    fn relabel<C: CellAccess>(&self, shape: &Shape, neighbour: PointSet) -> Relabel {
        let symmetry = &self.board.symmetries()[self.sets.locate(neighbour).symmetry as usize];
        let free = self.board.all_points() & !symmetry.apply(neighbour);
        let bit = |image: usize| (free & ((1 << image) - 1)).count_ones();
        let source = |&point: &u8| {
            let open = neighbour >> point & 1 == 0;
            open.then(|| bit(symmetry.image(point.into())))
        };
        let sources: Vec<Option<u32>> = shape.points.iter().map(source).collect();
        Relabel::new::<C>(free.count_ones(), &sources)
    }
}

/// Cells as in the middle of a run: a third of the flags set, all kinds of scores.
fn cells<C: CellAccess>(free: u32, rows: usize, seed: u64) -> Vec<Block> {
    let blocks = blocks_of::<C>(free);
    let mut cells = vec![EMPTY; rows * blocks];
    let mut random = seed;
    for row in cells.chunks_exact_mut(blocks) {
        for index in 0..1 << free {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let byte = (random >> 40) as u8;
            let flag = u8::from(byte < 85);
            C::put(row, index, if C::SHIFT == 0 { flag } else { byte });
        }
    }
    cells
}

/// What a kernel writes to.
#[derive(PartialEq)]
struct Output {
    scratch: Vec<Block>,
    row: Vec<Block>,
}

impl Output {
    fn new<C: CellAccess>(free: u32) -> Output {
        let blocks = blocks_of::<C>(free);
        Output {
            // The neighbour's row may be twice as long.
            scratch: vec![EMPTY; 2 * blocks],
            row: vec![EMPTY; blocks],
        }
    }
}

/// Times `run(level, case, output)` for all cases in turn, at every level.
///
/// `fresh` makes an output; from the same one, every level has to make what the portable one makes.
fn measure<S: PartialEq>(
    group: &mut Group,
    name: &str,
    (cases, cells_of_all): (usize, u64),
    fresh: impl Fn() -> S,
    run: impl Fn(Level, usize, &mut S),
) {
    let result = |level, case| {
        let mut output = fresh();
        run(level, case, &mut output);
        output
    };
    group.throughput(Throughput::Elements(cells_of_all));
    for level in Level::available() {
        for case in 0..cases {
            let same = result(level, case) == result(Level::Portable, case);
            assert!(same, "{name}, case {case}: {level:?} differs");
        }
        let mut output = fresh();
        group.bench_function(BenchmarkId::new(name, format!("{level:?}")), |bencher| {
            bencher.iter(|| {
                for case in 0..cases {
                    run(level, case, &mut output);
                    black_box(&mut output);
                }
            })
        });
    }
}

/// Turns taken back inside a row; the positions of the row count once for each fixed set.
fn turns<C: CellAccess>(criterion: &mut Criterion, nine: &Nine, cell: &str) {
    for fixed in FIXED {
        let (name, shapes) = (format!("{cell}, {fixed} fixed"), nine.shapes(fixed));
        let free = shapes[0].count;
        let (quiet, capture) = (cells::<C>(free, 1, 1), cells::<C>(free, 1, 2));
        let ends = Ends {
            quiet: &quiet,
            capture: &capture,
            double: None,
            flip: 0,
        };
        let all = (SHAPES, (SHAPES as u64) << free);
        let fresh = || Output::new::<C>(free);
        let mut bench = |kernel: &str, run: &dyn Fn(Level, &Shape, &mut Output)| {
            let group = &mut criterion.benchmark_group(kernel);
            measure(group, &name, all, fresh, |level, case, output| {
                run(level, &shapes[case], output)
            });
        };
        bench("slide_back", &|level, shape, Output { scratch, row }| {
            at_level::slide::<C>(level, shape, ends, &mut scratch[..row.len()], row)
        });
        bench("place_back", &|level, shape, Output { scratch, row }| {
            at_level::place::<C>(level, shape, ends, &mut scratch[..row.len()], row)
        });
        bench("capture_back", &|level, shape, Output { row, .. }| {
            at_level::capture::<C>(level, shape, &quiet, 0, row)
        });
    }
}

/// Flying; only positions in which the varied side has three men count.
fn flying(criterion: &mut Criterion, nine: &Nine) {
    let mut group = criterion.benchmark_group("fly_back");
    for fixed in FIXED {
        let shapes = nine.shapes(fixed);
        let free = shapes[0].count;
        let (quiet, capture) = (cells::<Flag>(free, 1, 1), cells::<Flag>(free, 1, 2));
        let ends = Ends {
            quiet: &quiet,
            capture: &capture,
            double: None,
            flip: 0,
        };
        let all = (SHAPES, SHAPES as u64 * binomial(free as usize, 3));
        let name = format!("flags, {fixed} fixed");
        let fresh = || Output::new::<Flag>(free);
        measure(&mut group, &name, all, fresh, |level, case, output| {
            at_level::fly(level, &shapes[case], 3, ends, &mut output.row)
        });
    }
}

/// The rows of all neighbours of a few fixed sets, one man more or one man less: cells of the row they
/// are read as, for each neighbour.
fn relabelling<C: CellAccess>(criterion: &mut Criterion, nine: &Nine, cell: &str) {
    let mut group = criterion.benchmark_group("relabel");
    for fixed in FIXED {
        for more in [true, false] {
            let mut cases = Vec::new();
            for shape in nine.shapes(fixed) {
                let changed = if more { shape.free } else { shape.fixed };
                let neighbours = points(changed).map(|point| shape.fixed ^ 1 << point);
                cases.extend(neighbours.map(|set| nine.relabel::<C>(&shape, set)));
            }
            let free = nine.board.point_count() as u32 - fixed;
            let source = cells::<C>(if more { free - 1 } else { free + 1 }, 1, 3);
            let which = if more { "a man more" } else { "a man less" };
            let name = format!("{cell}, {fixed} fixed from {which}");
            let all = (cases.len(), (cases.len() as u64) << free);
            let fresh = || Output::new::<C>(free);
            measure(&mut group, &name, all, fresh, |level, case, output| {
                let Output { scratch, row } = output;
                at_level::read::<C>(level, &cases[case], &source, MEN, scratch, row)
            });
        }
    }
}

/// A group of rows, as many as are dealt together, to the sectors of 3 to 9 men and back. All cells of
/// the rows count, also those of other sizes.
fn packing<P: Packed + CellAccess>(criterion: &mut Criterion, cell: &str)
where
    P::Unit: PartialEq,
{
    let sizes = 3..=MEN;
    for fixed in FIXED {
        let free = 24 - fixed;
        let rows = cells::<P>(free, GROUP, 4);
        let zero = |size| vec![bytemuck::Zeroable::zeroed(); stream_units::<P>(free, size, GROUP)];
        let empty: Vec<Vec<P::Unit>> = sizes.clone().map(zero).collect();
        let mut streams = empty.clone();
        at_level::deal::<P>(Level::Portable, &rows, free, sizes.clone(), &mut streams);
        let name = format!("{cell}, {fixed} fixed");
        let all = (1, (GROUP as u64) << free);

        let mut group = criterion.benchmark_group("deal");
        let fresh = || empty.clone();
        measure(&mut group, &name, all, fresh, |level, _, streams| {
            at_level::deal::<P>(level, &rows, free, sizes.clone(), streams)
        });
        group.finish();

        let mut group = criterion.benchmark_group("collect");
        let fresh = || vec![EMPTY; rows.len()];
        measure(&mut group, &name, all, fresh, |level, _, rows| {
            at_level::collect::<P>(level, &streams, free, sizes.clone(), rows)
        });
    }
}

/// An outbox that is compared by what is in it.
struct Sent {
    outbox: Outbox,
    bands: usize,
}

impl PartialEq for Sent {
    fn eq(&self, other: &Sent) -> bool {
        let all = |sent: &Sent, band| -> Vec<u32> {
            let places = sent.outbox.read(band, Kind::Quiet).flatten();
            places.copied().collect()
        };
        (0..self.bands).all(|band| all(self, band) == all(other, band))
    }
}

/// One position in three of a row, found in the rows of the other side and written to the buckets of
/// their bands: the addresses and the table of the whole movement layer. Positions sent count.
fn transposing(criterion: &mut Criterion, nine: &Nine) {
    let layout = Layout::new(&nine.sets, nine.board.point_count() as u32, 3, MEN);
    let transpose = Transpose::new(&nine.board, &nine.sets, &layout).expect("nine fits");
    let mut group = criterion.benchmark_group("transpose");
    for fixed in FIXED {
        let shapes = nine.shapes(fixed);
        let flags = cells::<Flag>(shapes[0].count, 1, 5);
        let chosen = |index: &u32| {
            (3..=MEN).contains(&index.count_ones()) && Flag::get(&flags, 0, *index) == 1
        };
        let indices: Vec<u32> = (0..1u32 << shapes[0].count).filter(chosen).collect();
        let images_of = |shape: &Shape| {
            let mut images = Vec::new();
            transpose.images_of(shape.fixed, &mut images);
            images
        };
        let images: Vec<Vec<PointSet>> = shapes.iter().map(images_of).collect();
        let fresh = || {
            let room = 2 * indices.len();
            Sent {
                outbox: Outbox::new(layout.bands, layout.band_bits, room, 2)
                    .expect("little memory"),
                bands: layout.bands,
            }
        };
        let all = (SHAPES, (SHAPES * indices.len()) as u64);
        let name = format!("flags, {fixed} fixed");
        measure(&mut group, &name, all, fresh, |level, case, sent| {
            sent.outbox.clear();
            let (images, free) = (&images[case], shapes[case].free);
            at_level::send(level, &transpose, images, free, &indices, &mut sent.outbox);
            sent.outbox.publish();
        });
    }
}

fn kernels(criterion: &mut Criterion) {
    let nine = Nine::new();
    turns::<Flag>(criterion, &nine, "flags");
    turns::<Byte>(criterion, &nine, "bytes");
    flying(criterion, &nine);
    relabelling::<Flag>(criterion, &nine, "flags");
    relabelling::<Byte>(criterion, &nine, "bytes");
    packing::<Flag>(criterion, "flags");
    packing::<Byte>(criterion, "bytes");
    transposing(criterion, &nine);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20);
    targets = kernels
}
criterion_main!(benches);
