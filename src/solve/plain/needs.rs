//! What a run takes, told before it begins.
//!
//! A group of sectors is solved as a graph, see [`retrograde`](super::retrograde): memory goes by its nodes
//! and, above all, by its arrows. How many turns a position has on average is known without listing any: a
//! slide from a to b is open in one position out of so many.
//!
//! ```text
//! n points, m men that move, o others:   P(man on a, b empty) = m / n * (n - m - o) / (n - 1)
//! ```

use super::{Groups, Options, PlainError, groups, placements, wanted};
use crate::game::{Placing, Sector, Variant};

/// Bytes for a node of the graph: what is known of its turns, where its arrows begin, counts and value.
const NODE_BYTES: u64 = 44;
/// Bytes for an arrow: while they are turned round, its target and its source.
const ARROW_BYTES: u64 = 8;
/// Bytes that a position takes for good: its men and its value.
const SOLVED_BYTES: u64 = 8;

/// What solving takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Positions, counted modulo the symmetries of the board.
    pub positions: u64,
    /// Bytes of memory at the peak, about.
    pub memory_bytes: u64,
    /// Turns to look at, about.
    pub turns: u64,
}

/// What [`solve`](super::solve) would take.
///
/// # Errors
/// [`PlainError::TooLarge`], [`PlainError::NeedsPast`].
pub fn needs(variant: &Variant, options: &Options) -> Result<Needs, PlainError> {
    if variant.rules.mills_pay_once {
        return Err(PlainError::NeedsPast {
            variant: variant.id.clone(),
        });
    }
    let groups = groups(&wanted(variant, options));
    let needs = forecast(variant, &groups);
    // The nodes of a group are numbered with 32 bits: more than that take more than this.
    let limit = options.limit_bytes.min((1 << 32) * NODE_BYTES);
    if needs.memory_bytes > limit {
        return Err(PlainError::TooLarge {
            variant: variant.id.clone(),
            positions: needs.positions,
            needed: needs.memory_bytes,
            limit,
        });
    }
    Ok(needs)
}

fn forecast(variant: &Variant, groups: &Groups) -> Needs {
    let (mut solved, mut peak, mut all_turns) = (0u64, 0u64, 0f64);
    for group in groups.values() {
        let (mut nodes, mut arrows) = (0u64, 0f64);
        for &sector in group {
            let count = placements::count(&variant.board, sector.mover, sector.opponent);
            let turns = turns(variant, sector);
            nodes = nodes.saturating_add(count);
            arrows += count as f64 * turns.moves;
            all_turns += count as f64 * (turns.moves + turns.placements);
        }
        // A number too large for 64 bits becomes the largest of them.
        let graph = nodes
            .saturating_mul(NODE_BYTES)
            .saturating_add((arrows as u64).saturating_mul(ARROW_BYTES));
        peak = peak.max(graph.saturating_add(solved.saturating_mul(SOLVED_BYTES)));
        solved = solved.saturating_add(nodes);
    }
    // At the end the cells of a sector are listed beside all positions.
    let listing = solved.saturating_mul(SOLVED_BYTES + 1);
    Needs {
        positions: solved,
        memory_bytes: peak.max(listing),
        turns: all_turns as u64,
    }
}

/// Steps of the side to move in a position of a sector, on average.
struct Steps {
    placements: f64,
    moves: f64,
}

fn turns(variant: &Variant, sector: Sector) -> Steps {
    let (board, rules) = (&variant.board, &variant.rules);
    let points = board.point_count() as f64;
    let men = f64::from(sector.mover);
    let empty = points - men - f64::from(sector.opponent);
    let may_move = sector.mover_hand == 0 || rules.placing == Placing::PlaceOrMove;
    let flies = rules.flying && sector.mover + sector.mover_hand == 3;
    let moves = match (may_move, flies) {
        (false, _) => 0.0,
        (true, true) => men * empty,
        (true, false) => {
            let ways = 2.0 * board.slides().len() as f64;
            ways * men / points * empty / (points - 1.0).max(1.0)
        }
    };
    Steps {
        placements: if sector.mover_hand > 0 { empty } else { 0.0 },
        moves,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    /// The steps of all positions of a sector, listed.
    fn listed(variant: &Variant, sector: Sector) -> f64 {
        let placements = placements::Placements::new(&variant.board, sector.mover, sector.opponent);
        let steps = (0..placements.len()).map(|number| {
            let position: Position = sector.position(placements.placement(number));
            variant.steps(&position).len()
        });
        steps.sum::<usize>() as f64
    }

    #[test]
    fn forecast_turns_are_those_that_are_listed() {
        for (id, sector) in [
            ("six", [3, 4, 0, 0]),
            ("six", [4, 3, 0, 0]),
            ("six", [3, 2, 2, 2]),
            ("nine", [4, 3, 0, 0]),
            ("lasker", [3, 2, 1, 1]),
            ("pentagon", [3, 2, 0, 1]),
        ] {
            let variant = Variant::builtin(id).unwrap();
            let [mover, opponent, mover_hand, opponent_hand] = sector;
            let sector = Sector {
                mover,
                opponent,
                mover_hand,
                opponent_hand,
            };
            let turns = turns(&variant, sector);
            let count = placements::count(&variant.board, mover, opponent) as f64;
            let expected = count * (turns.moves + turns.placements);
            let found = listed(&variant, sector);
            let error = (found / expected - 1.0).abs();
            assert!(error < 0.03, "{id} {sector}: {found} instead of {expected}");
        }
    }
}
