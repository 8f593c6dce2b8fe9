//! Whether a run fits the machine, in words.

use std::path::Path;

use millbase::figures::size;
use millbase::game::Variant;
use millbase::solve::{Needs, Resources, SolveOptions, needs, what_fits};

use super::failure::Failure;
use super::machine;

/// What a run may take.
#[derive(Debug)]
pub struct Room<'a> {
    /// Where the database goes.
    folder: &'a Path,
    /// How much there is.
    pub resources: Resources,
    /// Where the limit of memory comes from.
    memory: &'static str,
}

impl<'a> Room<'a> {
    /// The memory that is allowed, or else available, and the disk of a folder: with what a database there has
    /// of it already, as that need not be written again.
    pub fn new(folder: &'a Path, database: Option<&Path>, allowed: Option<u64>) -> Room<'a> {
        let taken = database.map_or(0, machine::taken_disk);
        Room {
            folder,
            resources: Resources {
                memory_bytes: allowed.unwrap_or_else(machine::available_memory),
                disk_bytes: machine::available_disk(folder).map(|disk| disk.saturating_add(taken)),
            },
            memory: allowed.map_or("available", |_| "allowed"),
        }
    }

    /// The memory with the word for where it comes from.
    pub fn memory(&self) -> String {
        format!("{} {}", size(self.resources.memory_bytes), self.memory)
    }

    /// Refuses a run that the solvers or the machine cannot hold, and says which they can.
    pub fn check(&self, variant: &Variant, options: &SolveOptions) -> Result<Needs, Failure> {
        let refused = match needs(variant, options) {
            Err(error) => Failure::from(error),
            Ok(needs) => match self.shortage(variant, &needs) {
                None => return Ok(needs),
                Some(shortage) => Failure::fault(shortage),
            },
        };
        Err(match alternatives(variant, options, &self.resources) {
            None => refused,
            Some(alternatives) => refused.with(&format!("; {alternatives}")),
        })
    }

    /// What is lacking for a run.
    fn shortage(&self, variant: &Variant, needs: &Needs) -> Option<String> {
        let lacks = |what: &str, needed: u64, there: u64, is: &str| {
            let (id, needed, there) = (&variant.id, size(needed), size(there));
            format!("{what} to solve {id}: about {needed} are needed, {there} are {is}")
        };
        let memory = self.resources.memory_bytes;
        if needs.memory_bytes > memory {
            return Some(lacks(
                "not enough memory",
                needs.memory_bytes,
                memory,
                self.memory,
            ));
        }
        let disk = self
            .resources
            .disk_bytes
            .filter(|&disk| needs.disk_bytes > disk)?;
        let what = format!("not enough space in {}", self.folder.display());
        Some(lacks(&what, needs.disk_bytes, disk, "available"))
    }
}

/// The runs that would fit, as arguments.
fn alternatives(
    variant: &Variant,
    options: &SolveOptions,
    resources: &Resources,
) -> Option<String> {
    let runs = what_fits(variant, options, resources);
    let runs: Vec<String> = runs.iter().map(|run| arguments(run, options)).collect();
    let (last, others) = runs.split_last()?;
    Some(if others.is_empty() {
        format!("{last} would fit")
    } else {
        format!("{} or {last} would fit", others.join(", "))
    })
}

/// How the command line says what is different in a run.
fn arguments(run: &SolveOptions, asked: &SolveOptions) -> String {
    let mut arguments = Vec::new();
    if let Some(men) = run.men_up_to.filter(|_| run.men_up_to != asked.men_up_to) {
        arguments.push(format!("--men-up-to {men}"));
    }
    if run.values_only && !asked.values_only {
        arguments.push("--values-only".to_owned());
    }
    if let Some(threads) = run.threads.filter(|_| run.threads != asked.threads) {
        arguments.push(format!("--threads {threads}"));
    }
    arguments.join(" ")
}
