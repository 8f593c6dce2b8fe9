//! What a layer group takes: planes, tables, lists and buffers, and as many messages as there is memory for.

use super::SPARSE;
use super::bands::Planes;
use super::half::{Half, halves, on_board};
use crate::game::{Placing, Variant};
use crate::index::canonical::{CanonicalSets, binomial};
use crate::solve::cube::journal::Journal;
use crate::solve::cube::lookup::Class;
use crate::solve::cube::messages::Kind;

/// Messages all threads together hold at most before the bands are filled, where there is memory for them.
const MESSAGES: u64 = 300_000_000;

/// About how many bytes [`solve`](super::solve) keeps in memory for up to `men` men a side with these hands. With a limit
/// it empties its buckets more often, as far as that helps.
pub fn memory_needed(
    variant: &Variant,
    sets: &CanonicalSets,
    men: u8,
    hands: [u8; 2],
    threads: usize,
    limit: Option<u64>,
) -> u64 {
    let halves = halves(variant, sets, men, hands);
    let memory = Memory::new(variant, men, &halves, threads, limit);
    memory.fixed + memory.outboxes
}

/// Cells of all rows of a group, those that no position has included.
pub fn row_cells(variant: &Variant, sets: &CanonicalSets, men: u8, hands: [u8; 2]) -> u64 {
    let halves = halves(variant, sets, men, hands);
    halves.iter().map(|half| half.layout.bits()).sum()
}

/// The positions of a half.
fn positions(half: &Half) -> u64 {
    let of_class = |class: &Class| {
        let sizes = half.varied.clone();
        let row = sizes.map(|size| binomial(class.free as usize, size as usize));
        class.rows as u64 * row.sum::<u64>()
    };
    half.layout.classes.iter().map(of_class).sum()
}

/// What a layer group takes.
pub(super) struct Memory {
    /// Bytes of planes, tables, lists and buffers of journals.
    pub(super) fixed: u64,
    /// Bytes of all outboxes together.
    pub(super) outboxes: u64,
    /// Messages that one outbox is made for.
    pub(super) room: usize,
}

impl Memory {
    pub(super) fn new(
        variant: &Variant,
        men: u8,
        halves: &[Half],
        threads: usize,
        limit: Option<u64>,
    ) -> Memory {
        let points = variant.board.point_count();
        let kinds = Kind::all(variant.rules.most_captures()).len();
        let planes = |half: &Half| {
            Planes::count_filled(kinds, half.varied_hand > 0) * half.layout.bits() / 8
        };
        let table = |half: &Half| -> u64 {
            let sizes = on_board(variant, men, half.fixed_hand);
            sizes.map(|men| 8 * binomial(points, men as usize)).sum()
        };
        // What changes in a band in this ply and in the next is listed while it is little.
        let lists = |half: &Half| -> u64 {
            let lists = 2 * (kinds + usize::from(half.varied_hand > 0)) * size_of::<u32>();
            half.layout.bits() * lists as u64 / SPARSE as u64
        };
        let threads = threads as u64;
        let positions: u64 = halves.iter().map(positions).sum();
        // What is decided, and what turns end in if other groups want to know.
        let journals = 1 + match variant.rules.placing {
            Placing::PlaceOrMove => kinds as u64,
            Placing::PlaceOnly => 0,
        };
        let pieces = |half| planes(half) + table(half) + lists(half);
        let pieces: u64 = halves.iter().map(pieces).sum();
        let fixed = pieces + threads * journals * Journal::memory_needed(positions / threads);
        let message = size_of::<u32>() as u64;
        // No ply decides half of all positions.
        let wanted = MESSAGES.min(positions / 2);
        let messages = limit.map_or(wanted, |limit| {
            wanted.min(limit.saturating_sub(fixed) / message)
        });
        // A share of all, but enough for the longest row.
        let layouts = || halves.iter().map(|half| &half.layout);
        let row_bits = layouts()
            .flat_map(|layout| &layout.classes)
            .map(|class| class.row_bits);
        let widest = row_bits.max().unwrap_or(0);
        let longest = layouts().map(|layout| layout.most_messages(widest)).max();
        let longest = (kinds * longest.unwrap_or(0)) as u64;
        let room = (messages / threads).max(longest);
        Memory {
            fixed,
            outboxes: threads * room * message,
            room: room as usize,
        }
    }
}
