//! The header and the entries of `.sec2` files.
//!
//! An entry is a number of 24 bits, its lowest byte first, made of two signed numbers:
//!
//! ```text
//!          key2                   key1
//! std      12 bits                12 bits
//! others   10 bits                14 bits
//!
//! key1 = absolute value - value of the sector    key2 = plies to the end of the game, where key1 says win or loss
//! key1 = 0, key2 >= 0                            a draw: its absolute value is that of the sector; key2 is a count
//! key1 = 0, key2 < 0                             redirect by operation -key2 - 1
//! ```
//!
//! Where key2 does not fit there is its least value instead, and the true one is in the list of exceptions.

use super::Game;
use super::entry::{Entry, Flaw, OPS};

/// Bytes of the header.
pub const HEADER: usize = 64;

/// Bits of an entry.
const BITS: u32 = 24;

/// How the entries of one sector are put together.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    key1_bits: u32,
    /// The absolute value of a win.
    win: i32,
    /// The value of the sector.
    value: i32,
}

impl Keys {
    /// For a sector of this value, where a win has the absolute value `win`. [`fits`](Self::fits) tells which
    /// values may be.
    pub fn new(game: &Game, win: i32, value: i32) -> Keys {
        Keys {
            key1_bits: game.key1_bits,
            win,
            value,
        }
    }

    /// Whether wins and losses of every sector fit into key1, with the room beside them that Malom asks for.
    pub fn fits(game: &Game, win: i32) -> bool {
        win > 0 && i64::from(win) * 2 + 5 < 1 << (game.key1_bits - 1)
    }

    /// What a file begins with.
    pub fn header(&self) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        let numbers = [2, BITS / 8, self.key1_bits];
        for (bytes, number) in header.chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        header
    }

    /// Writes an entry; a key2 that does not fit is returned.
    pub fn encode(&self, entry: Entry, bytes: &mut [u8]) -> Option<i32> {
        let (key1, key2) = match entry {
            Entry::Win(plies) => (self.win - self.value, plies as i32),
            Entry::Loss(plies) => (-self.win - self.value, plies as i32),
            // Apart from the value of its sector a draw has no count.
            Entry::Draw(left) if self.value == 0 => (0, left.unwrap_or(0) as i32),
            Entry::Draw(_) => (-self.value, 0),
            Entry::Redirect(op) => (0, -1 - i32::from(op)),
        };
        let least = self.least_key2();
        let fits = key2.unsigned_abs() < least.unsigned_abs();
        let stored = if fits { key2 } else { least };
        let word = key1 as u32 & ((1 << self.key1_bits) - 1) | (stored as u32) << self.key1_bits;
        bytes.copy_from_slice(&word.to_le_bytes()[..3]);
        (!fits).then_some(key2)
    }

    /// Reads an entry.
    pub fn decode(
        &self,
        bytes: &[u8],
        exception: impl FnOnce() -> Option<i32>,
    ) -> Result<Entry, Flaw> {
        let word = u32::from_le_bytes([0, bytes[0], bytes[1], bytes[2]]) as i32;
        // The number is in the upper bits, which carry its sign.
        let key1 = (word << (BITS - self.key1_bits)) >> (32 - self.key1_bits);
        let key2 = match word >> (8 + self.key1_bits) {
            least if least == self.least_key2() => exception().ok_or(Flaw::NoException)?,
            key2 => key2,
        };
        let plies = || u32::try_from(key2).map_err(|_| Flaw::Distance(key2));
        match key1 {
            0 if key2 >= 0 => Ok(Entry::Draw(Some(key2.unsigned_abs()))),
            0 => match -i64::from(key2) - 1 {
                op if op < OPS.into() => Ok(Entry::Redirect(op as u8)),
                op => Err(Flaw::Operation(op)),
            },
            _ if key1 + self.value == self.win => plies().map(Entry::Win),
            _ if key1 + self.value == -self.win => plies().map(Entry::Loss),
            _ => Ok(Entry::Draw(None)),
        }
    }

    /// Stands for a key2 in the list of exceptions.
    fn least_key2(&self) -> i32 {
        -(1 << (BITS - self.key1_bits - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::malom::GAMES;

    const STD: Game = GAMES[0];
    const MORA: Game = GAMES[1];

    fn none() -> Option<i32> {
        None
    }

    /// Worked examples from Malom's own files: sector `std_0_0_9_9` has the value 21, `std_1_1_8_8` the value 13.
    #[test]
    fn entries_of_malom_are_read() {
        let start = Keys::new(&STD, 299, 21);
        assert_eq!(
            start.decode(&[0xeb, 0x2f, 0x00], none),
            Ok(Entry::Draw(None))
        );
        let first = Keys::new(&STD, 299, -18);
        assert_eq!(
            first.decode(&[0x00, 0xd0, 0xff], none),
            Ok(Entry::Redirect(2))
        );
        // Key1 is 46 and key2 is -2: greater than 0, and still no win.
        let second = Keys::new(&STD, 299, 13);
        let word = (46u32 | (-2i32 as u32) << 12).to_le_bytes();
        assert_eq!(second.decode(&word[..3], none), Ok(Entry::Draw(None)));
    }

    #[test]
    fn entries_are_read_as_they_were_written() {
        for (game, win) in [(STD, 299), (MORA, 704)] {
            for value in [0, 1, -40, 298, -298] {
                let keys = Keys::new(&game, win, value);
                let left = (value == 0).then_some(17);
                let redirects = (0..OPS).map(Entry::Redirect);
                let decided = (0..255).flat_map(|n| [Entry::Win(n), Entry::Loss(n)]);
                for entry in redirects.chain(decided).chain([Entry::Draw(left)]) {
                    let mut bytes = [0; 3];
                    assert_eq!(keys.encode(entry, &mut bytes), None);
                    assert_eq!(keys.decode(&bytes, none), Ok(entry), "{value} {entry:?}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_an_exception() {
        for (game, most) in [(STD, 2047), (MORA, 511)] {
            let keys = Keys::new(&game, game.win, 0);
            let mut bytes = [0; 3];
            assert_eq!(keys.encode(Entry::Draw(Some(most)), &mut bytes), None);
            let more = Entry::Draw(Some(most + 1));
            let exception = keys.encode(more, &mut bytes);
            assert_eq!(exception, Some(most as i32 + 1));
            assert_eq!(keys.decode(&bytes, none), Err(Flaw::NoException));
            assert_eq!(keys.decode(&bytes, || exception), Ok(more));
        }
    }

    #[test]
    fn entries_that_say_nothing_are_told() {
        let keys = Keys::new(&STD, 299, 0);
        let word = |key1: i32, key2: i32| key1 as u32 & 0xfff | (key2 as u32) << 12;
        let read = |key1, key2| keys.decode(&word(key1, key2).to_le_bytes()[..3], none);
        assert_eq!(read(0, -16), Err(Flaw::Operation(15)));
        assert_eq!(read(0, -2047), Err(Flaw::Operation(2046)));
        assert_eq!(read(299, -1), Err(Flaw::Distance(-1)));
        let least = word(0, -2048).to_le_bytes();
        let far = keys.decode(&least[..3], || Some(i32::MIN));
        assert_eq!(far, Err(Flaw::Operation(i64::from(i32::MAX))));
    }

    #[test]
    fn the_header_says_how_wide_the_keys_are() {
        let header = Keys::new(&MORA, 704, 0).header();
        assert_eq!(header[..12], [2, 0, 0, 0, 3, 0, 0, 0, 14, 0, 0, 0]);
        assert!(header[12..].iter().all(|&byte| byte == 0));
    }
}
