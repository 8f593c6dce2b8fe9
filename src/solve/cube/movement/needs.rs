//! What a layer group takes: planes and tables, and as many messages as there is memory for.

use super::bands::Planes;
use super::half::{Half, halves, on_board};
use crate::game::Variant;
use crate::index::canonical::{CanonicalSets, binomial};
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

/// What a layer group takes.
pub(super) struct Memory {
    /// Bytes of planes and tables.
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
        // Those of turns that close two mills at once are left as the system gives them, which takes no memory, but
        // for the few rows with such mills: whole games with them peaked no higher than those without.
        let filled = kinds.min(2);
        let planes =
            |half: &Half| Planes::count(filled, half.varied_hand > 0) * half.layout.bits() / 8;
        let table = |half: &Half| -> u64 {
            let sizes = on_board(variant, men, half.fixed_hand);
            sizes.map(|men| 8 * binomial(points, men as usize)).sum()
        };
        let fixed = halves.iter().map(|half| planes(half) + table(half)).sum();
        let threads = threads as u64;
        let message = size_of::<u32>() as u64;
        // No ply decides half of all positions.
        let positions = halves.iter().flat_map(|half| {
            half.layout.classes.iter().map(|class| {
                let sizes = half.varied.clone();
                let row = sizes.map(|size| binomial(class.free as usize, size as usize));
                class.rows as u64 * row.sum::<u64>()
            })
        });
        let wanted = MESSAGES.min(positions.sum::<u64>() / 2);
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
