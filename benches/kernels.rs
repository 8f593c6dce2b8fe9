//! The kernels of the cube solver, in cells per second: each copy for an instruction set beside the
//! portable one, on rows of nine men's morris. Every copy has to give the portable one's result first.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use millbase::game::{PointSet, Variant};
use millbase::index::canonical::CanonicalSets;
use millbase::solve::cube::block::{Block, Byte, EMPTY, Flag, blocks_of};
use millbase::solve::cube::cpu::{self, Cpu, Level, Task};
use millbase::solve::cube::kernels::{
    CellAccess, Ends, capture_back, fly_back, place_back, slide_back,
};
use millbase::solve::cube::lookup::{Layout, Transpose};
use millbase::solve::cube::messages::{Kind, Outbox};
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

/// Times `work` at every level. It gets a level and returns what it computed.
fn levels<T: PartialEq>(
    criterion: &mut Criterion,
    name: &str,
    cells: u64,
    mut work: impl FnMut(Level) -> T,
) {
    let plain = work(Level::Portable);
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(cells));
    for level in Level::available() {
        assert!(work(level) == plain, "{name} differs at {level:?}");
        group.bench_function(format!("{level:?}"), |bencher| {
            bencher.iter(|| black_box(work(level)))
        });
    }
    group.finish();
}

/// Cells like those in the middle of a run: about a third of the flags set.
fn row<C: CellAccess>(free: u32, seed: u64) -> Vec<Block> {
    let mut row = vec![EMPTY; blocks_of::<C>(free)];
    let mut random = seed;
    for index in 0..1 << free {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let byte = (random >> 40) as u8;
        C::put(
            &mut row,
            index,
            if C::SHIFT == 0 {
                u8::from(byte < 85)
            } else {
                byte
            },
        );
    }
    row
}

/// The row of a middling set of `men` men.
fn shape(men: usize) -> Shape {
    let board = Variant::builtin("nine").expect("built in").board;
    let sets = CanonicalSets::new(&board, men);
    let mut shape = Shape::default();
    shape.set(&board, sets.representative(men, sets.count(men) / 2), 9);
    shape
}

fn moves<C: CellAccess>(criterion: &mut Criterion, cell: &str) {
    for men in [8, 9] {
        let shape = shape(men);
        let (quiet, capture) = (row::<C>(shape.count, 1), row::<C>(shape.count, 2));
        let ends = Ends {
            quiet: &quiet,
            capture: &capture,
            flip: 0,
        };
        let (mut lifted, mut out) = (quiet.clone(), quiet.clone());
        let cells = 1 << shape.count;
        levels(
            criterion,
            &format!("slide_back {cell} {men} fixed"),
            cells,
            |level| {
                cpu::run(
                    level,
                    Call(|| slide_back::<C>(&shape, ends, &mut lifted, &mut out)),
                );
                out.first().copied()
            },
        );
        levels(
            criterion,
            &format!("place_back {cell} {men} fixed"),
            cells,
            |level| {
                out.fill(EMPTY);
                cpu::run(
                    level,
                    Call(|| place_back::<C>(&shape, ends, &mut lifted, &mut out)),
                );
                out.first().copied()
            },
        );
        levels(
            criterion,
            &format!("capture_back {cell} {men} fixed"),
            cells,
            |level| {
                cpu::run(
                    level,
                    Call(|| capture_back::<C>(&shape, &quiet, 0, &mut out)),
                );
                out.first().copied()
            },
        );
        relabel::<C>(criterion, cell, &shape, &quiet);
    }
}

/// Reads a row as its neighbour with a man more in the fixed set: the first point is left out.
fn relabel<C: CellAccess>(criterion: &mut Criterion, cell: &str, shape: &Shape, source: &[Block]) {
    let target = shape.count - 1;
    let sources: Vec<Option<u32>> = (0..target)
        .map(|bit| Some(1 + (bit + 5) % target))
        .collect();
    let relabel = Relabel::new::<C>(shape.count, &sources);
    let mut work = source.to_vec();
    let mut out = vec![EMPTY; blocks_of::<C>(target)];
    levels(
        criterion,
        &format!("relabel {cell} to {target} points"),
        1 << target,
        |level| {
            let read = Call(|| {
                relabel.read::<C>(source, 32, &mut work, |number, block| out[number] = block)
            });
            cpu::run(level, read);
            out.first().copied()
        },
    );
}

fn flying(criterion: &mut Criterion) {
    let shape = shape(9);
    let (quiet, capture) = (row::<Flag>(shape.count, 1), row::<Flag>(shape.count, 2));
    let ends = Ends {
        quiet: &quiet,
        capture: &capture,
        flip: 0,
    };
    let threes = 455; // of 15 free points
    levels(criterion, "fly_back 9 fixed", threes, |level| {
        let mut out = vec![EMPTY; quiet.len()];
        cpu::run(level, Call(|| fly_back(&shape, ends, &mut out)));
        out
    });
}

/// A row dealt to the sectors of 3 to 9 men.
struct Deal<'a, P: Packed> {
    row: &'a [Block],
    free: u32,
    streams: &'a mut [Vec<P::Unit>],
}

impl<P: Packed> Task for Deal<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let mut streams: Vec<&mut [P::Unit]> =
            self.streams.iter_mut().map(|s| &mut s[..]).collect();
        P::deal::<C>(self.row, self.free, 3..=9, &mut streams);
    }
}

/// The sectors of 3 to 9 men collected to a row.
struct Collect<'a, P: Packed> {
    row: &'a mut [Block],
    free: u32,
    streams: &'a [Vec<P::Unit>],
}

impl<P: Packed> Task for Collect<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let streams: Vec<&[P::Unit]> = self.streams.iter().map(|s| &s[..]).collect();
        P::collect::<C>(&streams, self.free, 3..=9, self.row);
    }
}

fn packing<P: Packed + CellAccess>(criterion: &mut Criterion, cell: &str)
where
    P::Unit: PartialEq,
{
    let free = 15;
    let mut cells = row::<P>(free, 3);
    let units = |size| vec![bytemuck::Zeroable::zeroed(); stream_units::<P>(free, size, 1)];
    let mut streams: Vec<Vec<P::Unit>> = (3..=9).map(units).collect();
    levels(criterion, &format!("deal {cell}"), 1 << free, |level| {
        cpu::run(
            level,
            Deal::<P> {
                row: &cells,
                free,
                streams: &mut streams,
            },
        );
        streams[3].first().copied()
    });
    levels(criterion, &format!("collect {cell}"), 1 << free, |level| {
        cpu::run(
            level,
            Collect::<P> {
                row: &mut cells,
                free,
                streams: &streams,
            },
        );
        cells.first().copied()
    });
}

/// Sends some bits of a row to their transposed places.
struct Send<'a> {
    transpose: &'a Transpose,
    outbox: &'a mut Outbox,
    images: &'a [PointSet],
    free: PointSet,
    indices: &'a [u32],
}

impl Task for Send<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let outbox = self.outbox;
        self.transpose
            .places::<C>(self.images, self.free, self.indices, |place| {
                outbox.push(Kind::Quiet, place)
            });
    }
}

fn transposing(criterion: &mut Criterion) {
    let board = Variant::builtin("nine").expect("built in").board;
    let sets = CanonicalSets::new(&board, 7);
    let layout = Layout::new(&sets, 24, 3, 7);
    let transpose = Transpose::new(&board, &sets, &layout).expect("nine fits");
    let fixed = sets.representative(7, sets.count(7) / 2);
    let mut images = Vec::new();
    transpose.images_of(fixed, &mut images);
    let indices: Vec<u32> = (0..1u32 << 17)
        .filter(|i| (3..=7).contains(&i.count_ones()))
        .collect();
    let mut outbox =
        Outbox::new(layout.bands, layout.band_bits, 4 * indices.len()).expect("little memory");
    levels(
        criterion,
        "transpose and send",
        indices.len() as u64,
        |level| {
            outbox.clear();
            let free = board.all_points() & !fixed;
            let send = Send {
                transpose: &transpose,
                outbox: &mut outbox,
                images: &images,
                free,
                indices: &indices,
            };
            cpu::run(level, send);
            outbox.waiting(0, Kind::Quiet)
        },
    );
}

fn kernels(criterion: &mut Criterion) {
    moves::<Flag>(criterion, "flags");
    moves::<Byte>(criterion, "bytes");
    flying(criterion);
    packing::<Flag>(criterion, "flags");
    packing::<Byte>(criterion, "bytes");
    transposing(criterion);
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    targets = kernels
}
criterion_main!(benches);
