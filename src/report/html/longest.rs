//! The longest wins, each with its board and best play to the end.

use maud::{Markup, html};

use crate::figures::counted;
use crate::notation::{side_name, write_position};
use crate::picture::Picture;

use super::super::{Longest, Report};

pub(super) fn section(report: &Report<'_>) -> Markup {
    if !report.with_plies() {
        return html! {
            p { "Which wins take longest is not known: this database has no distances." }
        };
    }
    if report.longest.is_empty() {
        return html! { p { "No position of this database is won." } };
    }
    let (movement, placement): (Vec<_>, Vec<_>) = report
        .longest
        .iter()
        .partition(|longest| longest.sector.in_hand() == 0);
    html! {
        p {
            "From each of these positions the side to move wins, and no position of its sector, or of its layer "
            "while men are in hand, takes longer. The lines are best play by both sides to the end of the game."
        }
        @for (title, longest) in [("Movement, by sector", movement), ("Placing, by men in hand", placement)] {
            @if !longest.is_empty() {
                h3 { (title) }
                div.cards { @for win in longest { (card(report, win)) } }
            }
        }
    }
}

fn card(report: &Report<'_>, win: &Longest) -> Markup {
    let variant = report.variant;
    let side = side_name(win.position.side);
    let short = win.line.len() < usize::from(win.plies);
    html! {
        article.card {
            h4 { (win.sector) }
            figure.board { (Picture::of(&variant.board, win.position.into()).fragment(0.5)) }
            p { (side) " wins in " (win.plies) @if win.plies == 1 { " ply" } @else { " plies" } }
            p.position { code { (write_position(variant, &win.position.into())) } }
            details {
                summary { "Best play, " (counted(win.line.len() as u64, "turn")) }
                (report.line(&win.line))
                @if short { p.warning { "The line ends early: the database lacks a sector it goes on in." } }
            }
        }
    }
}
