//! Size of the database, time and machine of the run.

use maud::{Markup, html};

use crate::database::Kind;
use crate::figures::{duration, grouped, size};
use crate::solve::{Machine, StageTime};

use super::super::{Costs, Report, Run};

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
        @if let Some(from) = &costs.movement_from {
            p {
                "The movement layer was taken over from a database of " (from.variant) " whose files have the digest "
                code.long { (from.files_digest) } "."
            }
        }
        @match &report.run {
            Some(run) => (solving(run)),
            None => p { "What solving took is not known here: a database does not tell it." },
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

fn solving(run: &Run) -> Markup {
    let (summary, machine) = (&run.summary, &run.machine);
    let rate = summary.positions as f64 / summary.wall_seconds.max(0.001);
    // Of parts that came from elsewhere no time is known.
    let whole = summary.movement_from.is_none() && summary.kept_sectors == 0;
    let program = match &run.commit {
        Some(commit) => format!("{}, commit {commit}", run.program),
        None => run.program.clone(),
    };
    let facts = [
        Some(("Solved in", duration(summary.wall_seconds))),
        Some(("Processor time", duration(summary.cpu_seconds))),
        whole.then(|| ("Positions a second", grouped(rate.round() as u64))),
        Some(("Threads", grouped(summary.threads as u64))),
        summary
            .peak_memory_bytes
            .map(|bytes| ("Most memory", size(bytes))),
        Some(("Machine", told(machine))),
        Some(("Program", program)),
        Some(("Date", run.date.clone())),
    ];
    html! {
        h3 { "Solving it" }
        dl.list {
            @for (what, figure) in facts.into_iter().flatten() { div { dt { (what) } dd { (figure) } } }
        }
        @if !whole {
            p { "A part of the sectors was finished before, so the times are not those of all the work." }
        }
        (stages(&summary.stages))
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
