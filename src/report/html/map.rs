//! The map: won, drawn and lost positions of every sector.

use maud::{Markup, html};

use crate::database::SectorRecord;
use crate::figures::{counted, grouped, percent};

use super::super::{Counts, Layer, Matrix, Report};
use super::chart::bar;

pub(super) fn section(report: &Report<'_>) -> Markup {
    let movement = report.layers.iter().find(|layer| layer.in_hand == 0);
    // From the start of the game on.
    let placement: Vec<_> = report
        .layers
        .iter()
        .rev()
        .filter(|layer| layer.in_hand > 0)
        .collect();
    html! {
        p {
            "Each bar is a sector: from left to right the positions won, drawn and lost for the side to move, with "
            "their shares in percent below. Rows are the men on the board of the side to move, columns those of the "
            "opponent."
        }
        @if let Some(layer) = movement {
            h3 { "Movement: all men are placed" }
            (totals(&Counts::sum(layer.sectors())))
            @for part in &layer.matrices { (matrix(part)) }
        }
        @if !placement.is_empty() {
            h3 { "Placing: men still in hand" }
            @for layer in placement { (layer_details(layer)) }
        }
        h3 { "All figures" }
        details {
            summary { "Positions of every sector, and the plies of its longest win and loss" }
            (figures(report))
        }
    }
}

/// The sum of many sectors, in words and as a bar.
fn totals(counts: &Counts) -> Markup {
    html! {
        p.totals {
            (counted(counts.positions(), "position")) (bar(counts)) span.shares { (shares(counts)) }
        }
    }
}

/// `63 · 12 · 25`: won, drawn and lost in percent.
fn shares(counts: &Counts) -> String {
    let of = |part| percent(part, counts.positions());
    format!(
        "{} · {} · {}",
        of(counts.win),
        of(counts.draw),
        of(counts.loss)
    )
}

fn layer_details(layer: &Layer<'_>) -> Markup {
    let counts = Counts::sum(layer.sectors());
    let sectors = layer.sectors().count();
    html! {
        details.layer {
            summary {
                strong { (layer.in_hand) " in hand" }
                span.count {
                    (counted(sectors as u64, "sector")) ", " (counted(counts.positions(), "position"))
                }
                (bar(&counts))
                span.shares { (shares(&counts)) }
            }
            @for part in &layer.matrices { (matrix(part)) }
        }
    }
}

fn matrix(matrix: &Matrix<'_>) -> Markup {
    let hands = match (matrix.mover_hand, matrix.opponent_hand) {
        (0, 0) => "Sectors of the movement phase".to_owned(),
        (mover, opponent) => {
            format!("In hand: {mover} of the side to move, {opponent} of the opponent")
        }
    };
    let opponents = matrix.opponents();
    html! {
        div.scroll role="region" tabindex="0" aria-label=(hands) {
            table.matrix style={ "max-width:" (6 + 10 * opponents.len()) "rem" } {
                caption { (hands) }
                thead {
                    tr {
                        th scope="col" { span.corner { "mover ↓" br; "opponent →" } }
                        @for opponent in &opponents { th scope="col" { (opponent) } }
                    }
                }
                tbody {
                    @for mover in matrix.movers() {
                        tr {
                            th scope="row" { (mover) }
                            @for &opponent in &opponents {
                                (cell(matrix.sectors.get(&(mover, opponent)).copied()))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cell(record: Option<&SectorRecord>) -> Markup {
    let Some(record) = record else {
        return html! { td.none {} };
    };
    let counts = Counts::of(record);
    let title = format!(
        "{}: {} won, {} drawn, {} lost",
        record.sector,
        grouped(counts.win),
        grouped(counts.draw),
        grouped(counts.loss)
    );
    html! { td title=(title) { (bar(&counts)) span.shares { (shares(&counts)) } } }
}

/// The table of all counts.
fn figures(report: &Report<'_>) -> Markup {
    let plies = |plies: Option<u16>| plies.map_or("–".to_owned(), |plies| plies.to_string());
    let columns = [
        "sector",
        "positions",
        "won",
        "drawn",
        "lost",
        "longest win",
        "longest loss",
    ];
    html! {
        div.scroll role="region" tabindex="0" aria-label="All figures" {
            table.figures {
                caption {
                    "Distinct positions by their value for the side to move. Behind the + are the men in hand."
                }
                thead { tr { @for column in columns { th scope="col" { (column) } } } }
                tbody {
                    @for record in report.sectors() {
                        @let counts = Counts::of(record);
                        tr {
                            th scope="row" { (record.sector) }
                            @for count in [counts.positions(), counts.win, counts.draw, counts.loss] {
                                td { (grouped(count)) }
                            }
                            td { (plies(record.statistics.longest_win)) }
                            td { (plies(record.statistics.longest_loss)) }
                        }
                    }
                }
            }
        }
    }
}
