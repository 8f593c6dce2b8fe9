//! Size of the database, time and machine of the run.

use maud::{Markup, html};

use crate::database::Kind;
use crate::figures::{duration, grouped, size};
use crate::solve::{Machine, StageTime, Summary};

use super::super::{Costs, Report};

pub(super) fn section(report: &Report<'_>) -> Markup {
    let costs = &report.costs;
    html! {
        (files(costs))
        @if costs.derived > 0 {
            p {
                (grouped(costs.derived as u64)) " sectors are in no file: looking one turn ahead tells what their "
                "positions are worth."
            }
        }
        @match &costs.run {
            Some(run) => (solving(run)),
            None => p { "The database does not tell of the run that solved the game." },
        }
        p { "Written by " (costs.creator) ". Digest of all files " code.long { (costs.digest) } }
    }
}

fn files(costs: &Costs<'_>) -> Markup {
    let bits = |bits: f64| format!("{bits:.3}");
    html! {
        div.scroll role="region" tabindex="0" aria-label="Files" {
            table.figures {
                caption { "Files of " (grouped(costs.positions)) " positions" }
                thead {
                    tr {
                        th scope="col" { "holding" }
                        th scope="col" { "files" }
                        th scope="col" { "bytes" }
                        th scope="col" { "bits a position" }
                    }
                }
                tbody {
                    @for stored in &costs.stored {
                        tr {
                            th scope="row" { (holding(stored.kind)) }
                            td { (grouped(stored.files as u64)) }
                            td { (grouped(stored.bytes)) }
                            td { (bits(stored.bits(costs.positions))) }
                        }
                    }
                }
            }
        }
    }
}

fn holding(kind: Kind) -> &'static str {
    match kind {
        Kind::Scores => "results and distances",
        Kind::Planes => "results",
        Kind::Values => "results, packed",
        Kind::Distances => "distances, packed",
    }
}

fn solving(run: &Summary) -> Markup {
    let whole = run.movement_from.is_none();
    let rate = run.positions as f64 / run.wall_seconds.max(0.001);
    let facts = [
        Some(("Solved in", duration(run.wall_seconds))),
        Some(("Processor time", duration(run.cpu_seconds))),
        // Of a part of the game that came from elsewhere no time is known.
        whole.then(|| ("Positions a second", grouped(rate.round() as u64))),
        Some(("Threads", grouped(run.threads as u64))),
        run.peak_memory_bytes
            .map(|bytes| ("Most memory", size(bytes))),
        run.machine
            .as_ref()
            .map(|machine| ("Machine", told(machine))),
    ];
    html! {
        dl.list {
            @for (what, figure) in facts.into_iter().flatten() { div { dt { (what) } dd { (figure) } } }
        }
        @if let Some(from) = &run.movement_from {
            p {
                "The movement layer was taken over from a database of " (from.variant) " with files of digest "
                code.long { (from.files_digest) } ", so the times are those of the placement."
            }
        }
        (stages(&run.stages))
    }
}

fn told(machine: &Machine) -> String {
    let cores = machine.cores;
    let memory = size(machine.memory_bytes);
    format!(
        "{}, {cores} cores, {memory}, {}",
        machine.processor, machine.system
    )
}

fn stages(stages: &[StageTime]) -> Markup {
    html! {
        table.figures {
            caption { "Parts of the run" }
            thead {
                tr {
                    th scope="col" { "part" }
                    th scope="col" { "time" }
                    th scope="col" { "processor time" }
                }
            }
            tbody {
                @for stage in stages {
                    tr {
                        th scope="row" { (stage.name) }
                        td { (duration(stage.wall_seconds)) }
                        td { (duration(stage.cpu_seconds)) }
                    }
                }
            }
        }
    }
}
