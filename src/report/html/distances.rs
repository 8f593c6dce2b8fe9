//! Histograms of the plies to the end of the game.

use maud::{Markup, html};

use crate::figures::grouped;

use super::super::{Distances, Report};
use super::chart::histogram;

pub(super) fn section(report: &Report<'_>) -> Markup {
    if report.distances.is_empty() {
        let why = if report.with_plies() {
            "an earlier version of the program made it"
        } else {
            "it was made without distances"
        };
        return html! {
            p { "This database does not tell how many positions are how far from the end: " (why) "." }
        };
    }
    html! {
        p {
            "How many positions are won (upwards) and lost (downwards) in so many plies. The scale is logarithmic: "
            "from one line to the next it is always the same factor."
        }
        @for distances in &report.distances { (phase(distances)) }
    }
}

fn phase(distances: &Distances) -> Markup {
    let title = if distances.movement {
        "Movement"
    } else {
        "Placing"
    };
    let longest = |counts: &[u64], first: usize| match counts.len() {
        0 => "none".to_owned(),
        entries => format!("at most {}", 2 * (entries - 1) + first),
    };
    let wins = longest(distances.wins.counts(), 1);
    let losses = longest(distances.losses.counts(), 0);
    let description =
        format!("{title}: won positions by plies, {wins}; lost positions by plies, {losses}.");
    html! {
        figure.chart {
            figcaption { (title) }
            div.scroll role="region" tabindex="0" aria-label={ (title) ", distances" } {
                (histogram(distances, &description))
            }
            details { summary { "The same as a table" } (table(distances)) }
        }
    }
}

fn table(distances: &Distances) -> Markup {
    let wins = distances
        .wins
        .counts()
        .iter()
        .enumerate()
        .map(|(i, &count)| (2 * i + 1, count));
    let losses = distances
        .losses
        .counts()
        .iter()
        .enumerate()
        .map(|(i, &count)| (2 * i, count));
    html! {
        div.columns {
            (counts("won in", &mut wins.filter(|entry| entry.1 > 0)))
            (counts("lost in", &mut losses.filter(|entry| entry.1 > 0)))
        }
    }
}

fn counts(title: &str, entries: &mut dyn Iterator<Item = (usize, u64)>) -> Markup {
    html! {
        table.figures {
            thead { tr { th scope="col" { (title) } th scope="col" { "positions" } } }
            tbody {
                @for (plies, count) in entries {
                    tr { th scope="row" { (plies) } td { (grouped(count)) } }
                }
            }
        }
    }
}
