//! The entropy coder: a range variant of asymmetric numeral systems (rANS) over three symbols.
//!
//! The state is one number x of 32 bits. To write a symbol with frequency f out of 4096 whose range
//! begins at c, x becomes `(x / f) * 4096 + c + x % f`; reading undoes that. Whenever x would leave its
//! range, 16 bits of it go to the stream. The writer works backwards, from the last cell to the first, so
//! that the reader works forwards.
//!
//! The writer may begin with any state of the lowest range, and the reader ends with it: 16 bits that travel
//! for nothing, used as a checksum.
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

/// Writes symbols, the last one first, and appends the stream: the reader's first state and 16-bit words.
/// The reader will be left with `note`.
pub fn encode(
    symbols: impl DoubleEndedIterator<Item = (Ranges, u8)>,
    note: u16,
    stream: &mut Vec<u8>,
) {
    let mut state = LOW | u32::from(note);
    let mut words: Vec<u16> = Vec::new();
    for (ranges, symbol) in symbols.rev() {
        let (start, frequency) = ranges.of(symbol);
        debug_assert!(frequency > 0, "a symbol that was never counted");
        if u64::from(state) >= u64::from(frequency) << (32 - SCALE_BITS) {
            words.push(state as u16);
            state >>= 16;
        }
        state = ((state / frequency) << SCALE_BITS) + start + state % frequency;
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

    /// Checks that nothing is left over and returns the writer's note.
    pub fn finish(self) -> Result<u16, WrongLength> {
        match self.state.checked_sub(LOW).map(u16::try_from) {
            Some(Ok(note)) if self.words.is_empty() => Ok(note),
            _ => Err(WrongLength),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Symbols of two contexts, one of which never has a draw.
    fn symbols(count: usize) -> Vec<(Ranges, u8)> {
        let mut random = Random::new(count as u64);
        let contexts = [
            Ranges {
                draw: 100,
                win: 3000,
            },
            Ranges {
                draw: 4000,
                win: 4000,
            },
        ];
        let draw = |_| {
            let ranges = contexts[random.below(2) as usize];
            let slot = random.below(SCALE.into()) as u16;
            (
                ranges,
                u8::from(slot >= ranges.draw) + u8::from(slot >= ranges.win),
            )
        };
        (0..count).map(draw).collect()
    }

    #[test]
    fn symbols_and_the_note_come_back() {
        for count in [0, 1, 2, 5000] {
            let symbols = symbols(count);
            let mut stream = Vec::new();
            encode(symbols.iter().copied(), 0xbeef, &mut stream);
            let mut decoder = Decoder::new(&stream).unwrap();
            for &(ranges, symbol) in &symbols {
                assert_eq!(decoder.next(ranges), Ok(symbol));
            }
            assert_eq!(decoder.finish(), Ok(0xbeef));
        }
    }

    #[test]
    fn streams_that_are_too_short_or_too_long_are_refused() {
        let symbols = symbols(1000);
        let mut stream = Vec::new();
        encode(symbols.iter().copied(), 7, &mut stream);
        let decode = |stream: &[u8]| -> Result<u16, WrongLength> {
            let mut decoder = Decoder::new(stream)?;
            symbols
                .iter()
                .try_for_each(|&(ranges, _)| decoder.next(ranges).map(drop))?;
            decoder.finish()
        };
        assert_eq!(decode(&stream), Ok(7));
        for length in 0..stream.len() {
            assert_eq!(
                decode(&stream[..length]),
                Err(WrongLength),
                "{length} bytes"
            );
        }
        stream.extend([0, 0]);
        assert_eq!(decode(&stream), Err(WrongLength));
    }
}
