//! The memory of a run: allocated once.

use super::cells::Placed;
use super::layer::Layer;
use crate::game::Variant;
use crate::index::canonical::CanonicalSets;
use crate::solve::cube::block::{Block, blocks_of};
use crate::solve::cube::memory::{OutOfMemory, Pages};
use crate::solve::cube::pack::stream_units;

/// All rows of one number of black men in the layer below, as the player who moved there sees them.
#[derive(Debug)]
pub(super) struct View {
    pub(super) planes: Vec<Pages>,
    pub(super) free: u32,
    pub(super) blocks: usize,
    /// The largest number of white men.
    pub(super) most: u32,
}

impl View {
    pub(super) fn row(&self, plane: usize, row: usize) -> &[Block] {
        &self.planes[plane].view()[row * self.blocks..][..self.blocks]
    }
}

/// Memory that is used for one class after the other: asking for it anew each time would cost as much
/// as filling it.
#[derive(Debug)]
pub(super) struct Space {
    /// Planes of the views that are in use together: see [`views`].
    pub(super) views: Vec<Vec<Pages>>,
    /// The sectors of a class while they are computed: a plane each.
    pub(super) class: Vec<Pages>,
    /// One sector of the layer below.
    pub(super) sector: Pages,
}

impl Space {
    pub(super) fn new<P: Placed>(
        variant: &Variant,
        sets: &CanonicalSets,
    ) -> Result<Self, OutOfMemory> {
        let sizes = SpaceSizes::new::<P>(variant, sets);
        let planes = |bytes| {
            (0..P::PLANES)
                .map(move |_| Pages::new(bytes))
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(Space {
            views: (0..views(variant))
                .map(|_| planes(sizes.view))
                .collect::<Result<_, _>>()?,
            class: planes(sizes.class)?,
            sector: Pages::new(sizes.sector)?,
        })
    }

    /// The planes of a view that is not in use.
    pub(super) fn take_view(&mut self) -> Vec<Pages> {
        let view = self.views.pop();
        view.expect("there are as many views as are in use together")
    }
}

/// How many views are in use together: two, and two more where a turn may take two men.
fn views(variant: &Variant) -> usize {
    2 * usize::from(variant.rules.most_captures().max(1))
}

/// Bytes of the parts of a [`Space`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpaceSizes {
    /// Of one plane of a view.
    pub(super) view: usize,
    /// Of one plane of a class.
    pub(super) class: usize,
    /// Of all planes of a sector.
    pub(super) sector: usize,
}

impl SpaceSizes {
    pub(super) fn new<P: Placed>(variant: &Variant, sets: &CanonicalSets) -> Self {
        let points = variant.board.point_count() as u32;
        let mut sizes = SpaceSizes::default();
        for hands in 0..=2 * variant.rules.men {
            let layer = Layer::new(variant, hands);
            for black in layer.black() {
                let rows = sets.count(black as usize);
                let free = points - black;
                let white = layer.white(black).into_iter().flatten();
                let bytes =
                    white.map(|size| stream_units::<P>(free, size, rows) * size_of::<P::Unit>());
                let (total, most) =
                    bytes.fold((0, 0), |(sum, most), bytes| (sum + bytes, bytes.max(most)));
                let view = rows * blocks_of::<P>(free) * size_of::<Block>();
                sizes.view = sizes.view.max(view);
                sizes.class = sizes.class.max(total);
                sizes.sector = sizes.sector.max(most * P::PLANES);
            }
        }
        sizes
    }
}

/// About how many bytes [`solve`](super::solve) keeps in memory.
pub fn memory_needed<P: Placed>(variant: &Variant, sets: &CanonicalSets) -> u64 {
    let sizes = SpaceSizes::new::<P>(variant, sets);
    (P::PLANES * (views(variant) * sizes.view + sizes.class) + sizes.sector) as u64
}
