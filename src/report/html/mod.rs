//! The page as HTML: its frame, and a file for each section.
//!
//! Everything goes through templates that escape what they are given: names and notes come from users' files.

mod chart;
mod costs;
mod distances;
mod longest;
mod map;
mod start;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::figures::{duration, grouped, size};
use crate::notation::write_choice;
use crate::picture;
use crate::probe::{Answer, Choice, Probed};
use crate::value::Outcome;

use super::{GENERATOR, Report};

/// How pages look.
pub(crate) const STYLE: &str = include_str!("../style.css");

/// Nothing but the page's own style is ever used.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The sections with their anchors and titles, in order.
const SECTIONS: [(&str, &str); 6] = [
    ("start", "The first move"),
    ("map", "Every sector"),
    ("distances", "How far from the end"),
    ("longest", "The longest wins"),
    ("costs", "Size and time"),
    ("game", "The game"),
];

/// The whole page.
pub(super) fn page(report: &Report<'_>) -> Markup {
    let name = &report.variant.name;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                (PreEscaped(GENERATOR))
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                link rel="icon" href="data:,";
                title { (name) " – " (short_verdict(report)) }
                style { (PreEscaped(picture::STYLE)) (PreEscaped(STYLE)) }
            }
            body {
                header { (head(report)) }
                nav aria-label="Sections" {
                    ul { @for (anchor, title) in SECTIONS { li { a href={ "#" (anchor) } { (title) } } } }
                }
                main {
                    (reading_aid())
                    (section(0, start::section(report)))
                    (section(1, map::section(report)))
                    (section(2, distances::section(report)))
                    (section(3, longest::section(report)))
                    (section(4, costs::section(report)))
                    (section(5, game(report)))
                }
            }
        }
    }
}

fn section(number: usize, contents: Markup) -> Markup {
    let (anchor, title) = SECTIONS[number];
    html! {
        section id=(anchor) aria-labelledby={ (anchor) "-title" } {
            h2 id={ (anchor) "-title" } { (title) }
            (contents)
        }
    }
}

/// The name of the game, what it is worth, and the figures of the database.
fn head(report: &Report<'_>) -> Markup {
    let costs = &report.costs;
    let longest = report
        .sectors()
        .filter_map(|record| record.statistics.longest_win)
        .max();
    let facts = [
        Some(("positions", grouped(costs.positions))),
        Some(("sectors", grouped(report.sectors().count() as u64))),
        longest.map(|plies| ("the longest win", format!("{plies} plies"))),
        Some(("on disk", size(costs.bytes()))),
        report
            .run
            .as_ref()
            .map(|run| ("to solve", duration(run.summary.wall_seconds))),
    ];
    html! {
        h1 { (report.variant.name) }
        p.verdict { (verdict(report)) }
        dl.facts {
            @for (what, figure) in facts.into_iter().flatten() {
                div { dt { (what) } dd { (figure) } }
            }
        }
        @if let Some(first) = report.missing.first() {
            p.warning {
                "This database lacks " (grouped(report.missing.len() as u64)) " of the game’s sectors, "
                (first) " for one. What needs them is unknown here."
            }
        }
    }
}

fn verdict(report: &Report<'_>) -> String {
    let Answer::Known(probed) = report.start.value else {
        return "What the game is worth is not in this database: it lacks the start position."
            .into();
    };
    let winner = match probed.outcome {
        Outcome::Win => "White, who moves first, wins",
        Outcome::Loss => "Black, who moves second, wins",
        Outcome::Draw => return "With best play by both sides the game is a draw.".into(),
    };
    match report.plies(probed) {
        Some(plies) => format!("{winner} in {plies} plies with best play by both sides."),
        None => format!("{winner} with best play by both sides."),
    }
}

fn short_verdict(report: &Report<'_>) -> &'static str {
    match report.start.value {
        Answer::Known(probed) => match probed.outcome {
            Outcome::Win => "White wins",
            Outcome::Draw => "a draw",
            Outcome::Loss => "Black wins",
        },
        Answer::Unknown(_) => "solved in part",
    }
}

fn reading_aid() -> Markup {
    html! {
        p.aid {
            "Values hold for the side to move and for best play by both: the winner hurries, the loser resists. "
            "A " em { "ply" } " is a turn of one side, a move with its capture being one. A " em { "sector" }
            " is named by the men on the board, those of the side to move first: in 4-3 it has four against three, "
            "in 4-3+2-1 it has also two men in hand and the opponent one. "
            "Positions that are mirror or turned images of each other count as one."
        }
        p.aid.keys { (key("win", "won")) " " (key("draw", "drawn")) " " (key("loss", "lost")) }
    }
}

fn key(class: &str, word: &str) -> Markup {
    html! { span.key { span class={ "swatch " (class) } aria-hidden="true" {} (word) } }
}

/// The rules, and what identifies them.
fn game(report: &Report<'_>) -> Markup {
    let variant = report.variant;
    let board = &variant.board;
    let facts = [
        ("Id", variant.id.clone()),
        ("Men", format!("{} each side", variant.rules.men)),
        ("Points", board.point_count().to_string()),
        ("Lines of three", board.lines().len().to_string()),
        ("Slides", board.slides().len().to_string()),
        ("Symmetries", board.symmetries().len().to_string()),
    ];
    html! {
        @for paragraph in variant.note.split("\n\n").filter(|text| !text.is_empty()) { p { (paragraph) } }
        dl.list { @for (what, figure) in facts { div { dt { (what) } dd { (figure) } } } }
        p { "Rules " code.long { (variant.fingerprint()) } }
        details {
            summary { "Board and rules as a variant file" }
            pre tabindex="0" { code { (variant.to_toml()) } }
        }
    }
}

impl Report<'_> {
    /// Plies, where they are told.
    fn plies(&self, probed: Probed) -> Option<u16> {
        probed.plies.filter(|_| self.with_plies())
    }

    /// `win in 47 plies`, `draw`, `unknown`.
    fn words(&self, answer: Answer) -> String {
        picture::words(answer, self.with_plies())
    }

    /// A line as a numbered list, two turns each: the winner's or first player's and the answer to it.
    fn line(&self, line: &[Choice]) -> Markup {
        let board = &self.variant.board;
        html! {
            ol.play {
                @for pair in line.chunks(2) {
                    li {
                        @for (i, choice) in pair.iter().enumerate() {
                            @if i > 0 { " " }
                            span { (write_choice(board, *choice)) }
                        }
                    }
                }
            }
        }
    }
}
