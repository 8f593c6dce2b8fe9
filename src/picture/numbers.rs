//! Numbers in pictures.

/// A length with a decimal place at most: enough for pictures, and the same on every machine.
pub(crate) fn number(length: f64) -> String {
    let tenths = (length * 10.0).round() / 10.0;
    // There is no minus before a zero.
    format!("{}", tenths + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let texts = [0.0, -0.01, 12.0, 1.25, -3.1234].map(number);
        assert_eq!(texts, ["0", "0", "12", "1.3", "-3.1"]);
    }
}
