//! Lines of a dialogue, whose other side may send anything.

use std::io::{self, BufRead, Read};

/// Bytes of a line at most, its break not counted; any request or command is far shorter.
pub(crate) const LONGEST: usize = 1 << 16;

/// The next line with its break, empty at the end of the input. Of a line that is [too long](is_too_long) only the
/// beginning is kept.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    // One byte more for the line break, or to tell a line that is too long.
    let most = LONGEST as u64 + 1;
    input.by_ref().take(most).read_until(b'\n', &mut line)?;
    if is_too_long(&line) && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(line)
}

/// Whether a line has more bytes than it may have.
pub(crate) fn is_too_long(line: &[u8]) -> bool {
    line.strip_suffix(b"\n").unwrap_or(line).len() > LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_too_long_ones_are_cut() {
        let long = "x".repeat(3 * LONGEST);
        let fits = "y".repeat(LONGEST);
        let text = format!("a\n\n{long}\n{fits}\nlast");
        let mut input = text.as_bytes();
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!((next(), next()), (b"a\n".to_vec(), b"\n".to_vec()));
        assert!(is_too_long(&next()));
        let line = next();
        assert!(line.ends_with(b"y\n") && !is_too_long(&line));
        assert_eq!((next(), next()), (b"last".to_vec(), Vec::new()));
    }
}
