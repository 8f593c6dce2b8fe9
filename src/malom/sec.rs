//! The entries of `.sec` files, a byte each.
//!
//! ```text
//! 0 1 2 3 ... 178   lost in 0 plies, won in 1, lost in 2, won in 3 ...
//! 179               in the list of exceptions: plies, or a count as a negative number
//! 180 ... 194       redirect by operation 0 ... 14
//! 195 ... 255       draw with a count of 60 ... 0
//! ```

use super::entry::{Entry, Flaw, OPS};

/// The longest distance that a byte tells.
const MOST_PLIES: u8 = 178;
/// Stands for an entry in the list of exceptions.
const EXCEPTION: u8 = 179;
/// The redirect by operation 0.
const REDIRECT: u8 = 180;
/// The draw with the greatest count that a byte tells.
const DRAW: u8 = REDIRECT + OPS;

/// Writes an entry, or the mark of an exception, which is returned.
pub fn encode(entry: Entry, bytes: &mut [u8]) -> Option<i32> {
    let (byte, exception) = match entry {
        Entry::Win(plies) | Entry::Loss(plies) => match u8::try_from(plies) {
            Ok(byte) if byte <= MOST_PLIES => (byte, None),
            _ => (EXCEPTION, Some(plies as i32)),
        },
        Entry::Draw(left) => {
            let left = left.unwrap_or(0);
            match u8::try_from(left) {
                Ok(left) if left <= u8::MAX - DRAW => (u8::MAX - left, None),
                _ => (EXCEPTION, Some(-(left as i32))),
            }
        }
        Entry::Redirect(op) => (REDIRECT + op, None),
    };
    bytes[0] = byte;
    exception
}

/// Reads an entry.
pub fn decode(bytes: &[u8], exception: impl FnOnce() -> Option<i32>) -> Result<Entry, Flaw> {
    Ok(match bytes[0] {
        plies @ 0..=MOST_PLIES => decided(plies.into()),
        EXCEPTION => match exception().ok_or(Flaw::NoException)? {
            left @ ..0 => Entry::Draw(Some(left.unsigned_abs())),
            plies => decided(plies.unsigned_abs()),
        },
        redirect @ REDIRECT..DRAW => Entry::Redirect(redirect - REDIRECT),
        draw => Entry::Draw(Some((u8::MAX - draw).into())),
    })
}

/// Wins take an odd number of plies, losses an even one.
fn decided(plies: u32) -> Entry {
    match plies % 2 {
        0 => Entry::Loss(plies),
        _ => Entry::Win(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_an_entry_and_back() {
        for byte in 0..=255 {
            let read = decode(&[byte], || None);
            if byte == EXCEPTION {
                assert_eq!(read, Err(Flaw::NoException));
                continue;
            }
            let mut written = [0];
            assert_eq!(encode(read.unwrap(), &mut written), None);
            assert_eq!(written, [byte]);
        }
    }

    #[test]
    fn what_no_byte_tells_is_an_exception() {
        let cases = [
            (Entry::Win(179), 179),
            (Entry::Loss(254), 254),
            (Entry::Draw(Some(61)), -61),
            (Entry::Draw(Some(300)), -300),
        ];
        for (entry, exception) in cases {
            let mut byte = [0];
            assert_eq!(encode(entry, &mut byte), Some(exception));
            assert_eq!(byte, [EXCEPTION]);
            assert_eq!(decode(&byte, || Some(exception)), Ok(entry));
        }
        assert_eq!(
            decode(&[EXCEPTION], || Some(i32::MIN)),
            Ok(Entry::Draw(Some(1 << 31)))
        );
    }

    #[test]
    fn bytes_are_those_of_the_picture() {
        let cases = [
            (Entry::Loss(0), 0),
            (Entry::Win(1), 1),
            (Entry::Loss(178), 178),
            (Entry::Redirect(0), 180),
            (Entry::Redirect(14), 194),
            (Entry::Draw(Some(60)), 195),
            (Entry::Draw(Some(0)), 255),
        ];
        for (entry, expected) in cases {
            let mut byte = [0];
            assert_eq!(encode(entry, &mut byte), None);
            assert_eq!(byte, [expected]);
        }
    }
}
