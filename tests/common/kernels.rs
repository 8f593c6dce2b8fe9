//! The kernels of the cube solver as plain functions that are told the instruction set to use.
//!
//! Shared by the tests and the benches. Each function is a [`Task`] of its own: a closure would not do,
//! since the compiler is free to keep its body apart from the copy for AVX2 or AVX-512 that calls it,
//! and what ran then would be the portable code once more.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use millbase::cpu::{self, Cpu, Level, Task};
use millbase::game::PointSet;
use millbase::solve::cube::block::Block;
use millbase::solve::cube::kernels::{self, CellAccess, Ends};
use millbase::solve::cube::lookup::Transpose;
use millbase::solve::cube::messages::{Kind, Outbox};
use millbase::solve::cube::pack::Packed;
use millbase::solve::cube::relabel::Relabel;
use millbase::solve::cube::shape::Shape;

/// Makes a function of a kernel: `C` names the processor, `P` the kind of cells; arguments live for `'a`.
macro_rules! at_level {
    (
        $(#[$doc:meta])*
        fn $name:ident<$C:ident $(, $P:ident: $bound:path)?>($($arg:ident: $type:ty),* $(,)?)
        $body:block
    ) => {
        $(#[$doc])*
        pub fn $name<'a $(, $P: $bound)?>(level: Level, $($arg: $type),*) {
            struct Kernel<'a $(, $P: $bound)?> {
                $($arg: $type,)*
                cells: PhantomData<($($P,)?)>,
            }

            impl<'a $(, $P: $bound)?> Task for Kernel<'a $(, $P)?> {
                type Output = ();

                #[inline(always)]
                fn run<$C: Cpu>(self) {
                    let Kernel { $($arg,)* cells: _ } = self;
                    $body
                }
            }

            let cells = PhantomData;
            cpu::run(level, Kernel::<$($P)?> { $($arg,)* cells });
        }
    };
}

at_level! {
    /// [`kernels::slide_back`].
    fn slide<C, P: CellAccess>(
        shape: &'a Shape,
        ends: Ends<'a>,
        lifted: &'a mut [Block],
        out: &'a mut [Block],
    ) {
        kernels::slide_back::<P>(shape, ends, lifted, out);
    }
}

at_level! {
    /// [`kernels::place_back`].
    fn place<C, P: CellAccess>(
        shape: &'a Shape,
        ends: Ends<'a>,
        lifted: &'a mut [Block],
        out: &'a mut [Block],
    ) {
        kernels::place_back::<P>(shape, ends, lifted, out);
    }
}

at_level! {
    /// [`kernels::capture_back`].
    fn capture<C, P: CellAccess>(
        shape: &'a Shape,
        source: &'a [Block],
        flip: u64,
        out: &'a mut [Block],
    ) {
        kernels::capture_back::<P>(shape, source, flip, out);
    }
}

at_level! {
    /// [`kernels::fly_back`].
    fn fly<C>(shape: &'a Shape, men: u32, ends: Ends<'a>, out: &'a mut [Block]) {
        kernels::fly_back(shape, men, ends, out);
    }
}

at_level! {
    /// [`Relabel::read`] into a row of its own.
    fn read<C, P: CellAccess>(
        relabel: &'a Relabel,
        source: &'a [Block],
        most: u32,
        work: &'a mut [Block],
        out: &'a mut [Block],
    ) {
        relabel.read::<P>(source, most, work, |number, block| out[number] = block);
    }
}

at_level! {
    /// [`Packed::deal`].
    fn deal<C, P: Packed>(
        rows: &'a [Block],
        free: u32,
        sizes: RangeInclusive<u32>,
        streams: &'a mut [Vec<P::Unit>],
    ) {
        let mut streams: Vec<&mut [P::Unit]> = streams.iter_mut().map(|s| &mut s[..]).collect();
        P::deal::<C>(rows, free, sizes, &mut streams);
    }
}

at_level! {
    /// [`Packed::collect`].
    fn collect<C, P: Packed>(
        streams: &'a [Vec<P::Unit>],
        free: u32,
        sizes: RangeInclusive<u32>,
        rows: &'a mut [Block],
    ) {
        let streams: Vec<&[P::Unit]> = streams.iter().map(|s| &s[..]).collect();
        P::collect::<C>(&streams, free, sizes, rows);
    }
}

at_level! {
    /// [`Transpose::places`], each of them written to an outbox.
    fn send<C>(
        transpose: &'a Transpose,
        images: &'a [PointSet],
        free: PointSet,
        indices: &'a [u32],
        outbox: &'a mut Outbox,
    ) {
        transpose.places::<C>(images, free, indices, |place| outbox.push(Kind::Quiet, place));
    }
}
