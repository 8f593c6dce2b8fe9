//! The entropy coder: a range variant of asymmetric numeral systems (rANS) over three symbols.
//!
//! The state is one number x of 32 bits. To write a symbol with frequency f out of 4096 whose range
//! begins at c, x becomes `(x / f) * 4096 + c + x % f`; reading undoes that. Whenever x would leave its
//! range, 16 bits of it go to the stream. The writer works backwards, from the last cell to the first, so
//! that the reader works forwards.
//!
//! Method: J. Duda, "Asymmetric numeral systems", 2013, arXiv:1311.2540.

/// Frequencies are out of 2 to this power.
pub const SCALE_BITS: u32 = 12;

/// The sum of the frequencies of a context.
pub const SCALE: u32 = 1 << SCALE_BITS;

/// The least state between two symbols.
const LOW: u32 = 1 << 16;

/// Where the ranges of the symbols of a context begin: loss at 0, draw at the first number, win at the
/// second; the win's range ends at [`SCALE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    pub draw: u16,
    pub win: u16,
}

impl Ranges {
    fn of(self, symbol: u8) -> (u32, u32) {
        let (draw, win) = (u32::from(self.draw), u32::from(self.win));
        match symbol {
            0 => (0, draw),
            1 => (draw, win - draw),
            _ => (win, SCALE - win),
        }
    }
}

/// Writes symbols, the last one first, and returns the stream: the reader's first state and 16-bit words.
pub fn encode(symbols: impl DoubleEndedIterator<Item = (Ranges, u8)>, stream: &mut Vec<u8>) {
    let mut state = LOW;
    let mut words: Vec<u16> = Vec::new();
    for (ranges, symbol) in symbols.rev() {
        let (start, frequency) = ranges.of(symbol);
        debug_assert!(frequency > 0, "a symbol that was never counted");
        if u64::from(state) >= u64::from(frequency) << (32 - SCALE_BITS) {
            words.push(state as u16);
            state >>= 16;
        }
        state = (state / frequency << SCALE_BITS) + start + state % frequency;
    }
    stream.extend(state.to_le_bytes());
    stream.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
}

/// Reads symbols in the order of cells.
pub struct Decoder<'a> {
    state: u32,
    words: &'a [u8],
}

/// The stream ended before the symbols did, or went on after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLength;

impl<'a> Decoder<'a> {
    pub fn new(stream: &'a [u8]) -> Result<Decoder<'a>, WrongLength> {
        let (state, words) = stream.split_first_chunk().ok_or(WrongLength)?;
        let state = u32::from_le_bytes(*state);
        Ok(Decoder { state, words })
    }

    /// The next symbol, of a context with these ranges.
    #[inline(always)]
    pub fn next(&mut self, ranges: Ranges) -> Result<u8, WrongLength> {
        let slot = self.state & (SCALE - 1);
        let (draw, win) = (u32::from(ranges.draw), u32::from(ranges.win));
        let symbol = u8::from(slot >= draw) + u8::from(slot >= win);
        let start = if slot >= win {
            win
        } else if slot >= draw {
            draw
        } else {
            0
        };
        let end = if slot < draw {
            draw
        } else if slot < win {
            win
        } else {
            SCALE
        };
        self.state = (end - start) * (self.state >> SCALE_BITS) + slot - start;
        if self.state < LOW {
            let (word, rest) = self.words.split_first_chunk().ok_or(WrongLength)?;
            self.state = self.state << 16 | u32::from(u16::from_le_bytes(*word));
            self.words = rest;
        }
        Ok(symbol)
    }

    /// Checks that nothing is left over.
    pub fn finish(self) -> Result<(), WrongLength> {
        if self.state == LOW && self.words.is_empty() {
            Ok(())
        } else {
            Err(WrongLength)
        }
    }
}
