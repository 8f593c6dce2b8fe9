//! The first moves: on the board and as a table.

use maud::{Markup, html};

use crate::notation::{write_choice, write_position};
use crate::picture::Picture;
use crate::probe::Answer;
use crate::value::Outcome;

use super::super::{FirstMoves, Report};

pub(super) fn section(report: &Report<'_>) -> Markup {
    let start = &report.start;
    let variant = report.variant;
    if let Answer::Unknown(sector) = start.value {
        return html! {
            p { "The start position is in sector " (sector) ", which this database lacks." }
        };
    }
    let picture = Picture {
        board: &variant.board,
        read: start.position.into(),
        turns: &start.turns,
        with_plies: report.with_plies(),
    };
    html! {
        div.beside {
            figure.board.large {
                (picture.fragment(0.72))
                figcaption {
                    "What each first move is worth to White: W a win, D a draw, L a loss"
                    @if report.with_plies() { ", with the plies to the end" }
                    "."
                }
            }
            div {
                (table(report))
                p.position { "Position " code { (write_position(variant, &start.position.into())) } }
            }
        }
        @if !start.line.is_empty() {
            h3 { "Best play from the start" }
            (report.line(&start.line))
        }
    }
}

fn table(report: &Report<'_>) -> Markup {
    html! {
        table.moves {
            caption { "First moves; those that symmetries of the board make equal stand together" }
            thead { tr { th scope="col" { "moves" } th scope="col" { "worth to White" } } }
            tbody { @for group in &report.start.groups { (row(report, group)) } }
        }
    }
}

fn row(report: &Report<'_>, group: &FirstMoves) -> Markup {
    let board = &report.variant.board;
    let texts: Vec<String> = group
        .choices
        .iter()
        .map(|&choice| write_choice(board, choice))
        .collect();
    let class = match group.answer.known().map(|probed| probed.outcome) {
        Some(Outcome::Win) => "win",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Loss) => "loss",
        None => "unknown",
    };
    html! {
        tr {
            th scope="row" { (texts.join(" ")) }
            td { span class={ "swatch " (class) } aria-hidden="true" {} (report.words(group.answer)) }
        }
    }
}
