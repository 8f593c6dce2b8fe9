//! How often each value occurs in each context: counted over a whole sector, kept with its file.

use super::context::CONTEXTS;
use super::rans::{Ranges, SCALE};

/// Counts of losses, draws and wins by context.
pub struct Census(Vec<[u32; 3]>);

impl Census {
    pub fn new() -> Census {
        Census(vec![[0; 3]; CONTEXTS])
    }

    /// Counts a cell.
    #[inline(always)]
    pub fn count(&mut self, context: usize, value: u8) {
        self.0[context][usize::from(value)] += 1;
    }

    /// Both counts together.
    pub fn merge(mut self, other: Census) -> Census {
        for (here, there) in self.0.iter_mut().zip(&other.0) {
            for (here, there) in here.iter_mut().zip(there) {
                *here = here.saturating_add(*there);
            }
        }
        self
    }

    /// The frequencies that describe these counts.
    pub fn model(&self) -> Model {
        Model(self.0.iter().map(|counts| ranges(*counts)).collect())
    }
}

/// Scales counts to a sum of [`SCALE`], keeping at least 1 for whatever occurs.
fn ranges(counts: [u32; 3]) -> Ranges {
    let total: u64 = counts.iter().copied().map(u64::from).sum();
    if total == 0 {
        return Model::NEVER;
    }
    let scaled = |count: u32| u64::from(count) * u64::from(SCALE) / total;
    let mut shares = counts.map(|count| (scaled(count) as u32).max(u32::from(count > 0)));
    let sum: u32 = shares.iter().sum();
    // Rounding is made up for by the most frequent value, which notices least.
    let largest = (0..3).max_by_key(|&i| (counts[i], i)).unwrap_or(0);
    shares[largest] = shares[largest] + SCALE - sum;
    Ranges {
        draw: shares[0] as u16,
        win: (shares[0] + shares[1]) as u16,
    }
}

/// The ranges of the three values in every context.
#[derive(Debug)]
pub struct Model(Vec<Ranges>);

impl Model {
    /// Stands for contexts that do not occur.
    const NEVER: Ranges = Ranges { draw: 0, win: 0 };

    /// Bytes of the model before compression.
    pub const BYTES: usize = 4 * CONTEXTS;

    #[inline(always)]
    pub fn ranges(&self, context: usize) -> Ranges {
        self.0[context]
    }

    /// The documented bytes: for each context two 16-bit numbers, all first numbers before all second.
    pub fn to_bytes(&self) -> Vec<u8> {
        let draws = self.0.iter().map(|ranges| ranges.draw);
        let wins = self.0.iter().map(|ranges| ranges.win);
        draws.chain(wins).flat_map(u16::to_le_bytes).collect()
    }

    /// Reads a model; `None` if it is not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Model> {
        if bytes.len() != Model::BYTES {
            return None;
        }
        let number = |at: usize| u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]);
        let ranges = |context| {
            let (draw, win) = (number(context), number(CONTEXTS + context));
            (draw <= win && u32::from(win) <= SCALE).then_some(Ranges { draw, win })
        };
        (0..CONTEXTS).map(ranges).collect::<Option<_>>().map(Model)
    }
}
