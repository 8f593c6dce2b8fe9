//! Bars and histograms as inline SVG.

use maud::{Markup, html};

use crate::database::Histogram;
use crate::figures::grouped;
use crate::picture::number;

use super::super::{Counts, Distances};

/// Won, drawn and lost positions as parts of a bar. It says nothing to readers of texts, who have the shares
/// beside it.
pub(super) fn bar(counts: &Counts) -> Markup {
    let share = |count: u64| 100.0 * count as f64 / counts.positions().max(1) as f64;
    let parts = [
        ("win", 0, counts.win),
        ("draw", counts.win, counts.draw),
        ("loss", counts.win.saturating_add(counts.draw), counts.loss),
    ];
    html! {
        svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            @for (class, before, count) in parts.into_iter().filter(|part| part.2 > 0) {
                rect class=(class) x=(number(share(before))) width=(number(share(count))) height="10" {}
            }
        }
    }
}

/// Height of each half of a histogram, and what is left around it.
const HALF: f64 = 150.0;
const MARGIN: f64 = 24.0;
const LEFT: f64 = 112.0;
/// Width of a histogram without its margins.
const WIDTH: f64 = 760.0;

/// Wins upwards and losses downwards over plies, on a logarithmic scale: each power of ten is as high.
pub(super) fn histogram(distances: &Distances, description: &str) -> Markup {
    let (wins, losses) = (distances.wins.counts(), distances.losses.counts());
    let bars = wins.len().max(losses.len()).max(1);
    let step = (WIDTH / bars as f64).min(24.0);
    let most = wins.iter().chain(losses).copied().max().unwrap_or(1);
    let scale = Scale::up_to(most);
    let (width, height) = (
        LEFT + step * bars as f64 + MARGIN,
        2.0 * (HALF + MARGIN) + MARGIN,
    );
    let (up, down) = (MARGIN + HALF, 2.0 * MARGIN + HALF);
    let right = LEFT + step * bars as f64;
    html! {
        svg.histogram role="img" viewBox={ "0 0 " (number(width)) " " (number(height)) }
            style={ "width:" (number(width)) "px" } {
            title { (description) }
            @for (power, level) in scale.grid() {
                @for y in [up - level, down + level] {
                    path.grid d={ "M" (number(LEFT)) " " (number(y)) "H" (number(right)) } {}
                    text.tick x=(number(LEFT - 8.0)) y=(number(y)) dy=".35em" text-anchor="end" { (grouped(power)) }
                }
            }
            (half("win", &distances.wins, step, 1, |level| (up - level, level), &scale))
            (half("loss", &distances.losses, step, 0, |level| (down, level), &scale))
            @for i in ticks(bars) {
                text.tick x=(number(LEFT + step * (i as f64 + 0.5))) y=(number(up + MARGIN / 2.0)) dy=".35em"
                    text-anchor="middle" { (2 * i) }
            }
            text.axis x=(number(LEFT - 8.0)) y=(number(up + MARGIN / 2.0)) dy=".35em" text-anchor="end" { "plies" }
            text.axis x=(number(LEFT)) y="12" { "won positions" }
            text.axis x=(number(LEFT)) y=(number(height - 8.0)) { "lost positions" }
        }
    }
}

/// The bars of one side of the axis. `place` gives the upper edge and height of a bar.
fn half(
    class: &str,
    histogram: &Histogram,
    step: f64,
    first_ply: usize,
    place: impl Fn(f64) -> (f64, f64),
    scale: &Scale,
) -> Markup {
    html! {
        g class=(class) {
            @for (i, &count) in histogram.counts().iter().enumerate().filter(|(_, count)| **count > 0) {
                @let (y, height) = place(scale.level(count));
                rect x=(number(LEFT + step * (i as f64 + 0.1))) y=(number(y)) width=(number(step * 0.8))
                    height=(number(height)) {
                    title { (class) " in " (2 * i + first_ply) ": " (grouped(count)) }
                }
            }
        }
    }
}

/// A logarithmic scale on which 1 is visible, too.
struct Scale {
    decades: u32,
}

impl Scale {
    fn up_to(most: u64) -> Scale {
        Scale {
            decades: most.max(1).ilog10() + 1,
        }
    }

    /// How high a count that is not 0 is drawn.
    fn level(&self, count: u64) -> f64 {
        HALF * ((count as f64).log10() + 0.25) / (f64::from(self.decades) + 0.25)
    }

    /// Some powers of ten with their heights.
    fn grid(&self) -> Vec<(u64, f64)> {
        let each = if self.decades > 5 { 3 } else { 1 };
        let powers = (0..self.decades)
            .step_by(each)
            .map(|power| 10u64.pow(power));
        powers.map(|power| (power, self.level(power))).collect()
    }
}

/// Which bars have their plies written below: a dozen or less.
fn ticks(bars: usize) -> impl Iterator<Item = usize> {
    let each = [1, 5, 10, 25, 50]
        .into_iter()
        .find(|each| bars / each <= 12);
    (0..bars).step_by(each.unwrap_or(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_number_on_the_scale_has_room() {
        let most = Scale::up_to(u64::MAX)
            .grid()
            .into_iter()
            .map(|(power, _)| power);
        let label = grouped(most.filter(|&power| power < 10u64.pow(12)).max().unwrap());
        // In a wide font, such as DejaVu Sans, at 13 pixels.
        let wide = |c: char| 13.0 * if c == ',' { 0.32 } else { 0.64 };
        assert!(
            label.chars().map(wide).sum::<f64>() <= LEFT - 8.0,
            "{label}"
        );
    }
}
