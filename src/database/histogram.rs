//! How many positions are how far from the end of the game.

use serde::{Deserialize, Serialize};

/// Counts by distance, nearest first. Wins take an odd number of plies and losses an even one, so number `i`
/// counts wins in `2 i + 1` plies, or losses in `2 i`.
///
/// In JSON a text of numbers with blanks between them: a manifest has hundreds of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Histogram(Vec<u64>);

impl Histogram {
    /// A histogram without the zeros at its end.
    pub fn new(counts: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram(counts.into_iter().collect());
        histogram.trim();
        histogram
    }

    /// The counts; the last of them is not 0.
    pub fn counts(&self) -> &[u64] {
        &self.0
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the counts of other positions.
    pub fn add(&mut self, other: &Histogram) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (sum, &count) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.saturating_add(count);
        }
    }

    fn trim(&mut self) {
        let used = self.0.iter().rposition(|&count| count > 0);
        self.0.truncate(used.map_or(0, |last| last + 1));
    }
}

impl From<Histogram> for String {
    fn from(histogram: Histogram) -> String {
        let counts: Vec<String> = histogram.0.iter().map(u64::to_string).collect();
        counts.join(" ")
    }
}

impl TryFrom<String> for Histogram {
    type Error = String;

    fn try_from(text: String) -> Result<Histogram, String> {
        let number = |word: &str| {
            let count = word.parse();
            count.map_err(|_| format!("'{word}' in a histogram is no count"))
        };
        let counts: Result<Vec<u64>, String> = text.split_ascii_whitespace().map(number).collect();
        counts.map(Histogram::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for counts in [vec![], vec![7], vec![0, 0, 12, u64::MAX]] {
            let histogram = Histogram::new(counts.clone());
            let json = serde_json::to_string(&histogram).unwrap();
            assert_eq!(
                serde_json::from_str::<Histogram>(&json).unwrap(),
                histogram,
                "{json}"
            );
            assert_eq!(histogram.counts(), counts);
        }
        assert_eq!(Histogram::new([3, 0, 0]), Histogram::new([3]));
        for wrong in ["\"1 -2\"", "\"1,2\"", "[1]", "\"18446744073709551616\""] {
            assert!(serde_json::from_str::<Histogram>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sums_are_as_long_as_the_longer() {
        let mut sum = Histogram::new([1, 2]);
        sum.add(&Histogram::new([10, 0, 5]));
        sum.add(&Histogram::default());
        assert_eq!(sum.counts(), [11, 2, 5]);
    }
}
