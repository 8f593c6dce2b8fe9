//! One group of sectors: from its positions and their turns to values.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::PlainError;
use super::placements::Placements;
use super::retrograde::{Graph, Outlook, decide};
use super::solution::{PlainSolution, Table, canonical_position};
use crate::conversion::Metric;
use crate::game::{Position, Sector, Turn, Variant};
use crate::value::{Outcome, Value};

/// Positions whose turns are generated between two reports of progress.
const BATCH: usize = 1 << 17;
/// Positions whose turns one thread generates in one go.
const CHUNK: usize = 1 << 10;

/// Solves a group, given all groups that its turns lead to, and adds it to `solution`.
///
/// `progress` hears the ply, once plies are being decided, and of how many positions the turns are
/// known.
pub(super) fn solve(
    solution: &mut PlainSolution,
    sectors: &[Sector],
    mut progress: impl FnMut(Option<u16>, u64),
) -> Result<(), PlainError> {
    let blocks: Vec<_> = sectors
        .iter()
        .map(|&sector| (sector, solution.placements(sector)))
        .collect();
    let group = Group::new(solution, &blocks);

    let mut graph = Graph::default();
    let nodes = blocks.iter().map(|(_, placements)| placements.len());
    graph.outlooks.reserve_exact(nodes.sum());
    for (sector, placements) in &blocks {
        for start in (0..placements.len()).step_by(BATCH) {
            progress(None, graph.outlooks.len() as u64);
            let numbers = start..placements.len().min(start + BATCH);
            group.add_turns(&mut graph, *sector, placements, numbers)?;
        }
    }
    let len = graph.outlooks.len() as u64;
    progress(None, len);
    let limit = match solution.metric() {
        Metric::Conversion { limit } if sectors.iter().all(|sector| sector.in_hand() == 0) => limit,
        _ => None,
    };
    let mut values = decide(graph, limit, |ply| progress(Some(ply), len))?;

    // From the last sector backwards, each takes its values off the end.
    for (sector, placements) in blocks.into_iter().rev() {
        let values = values.split_off(values.len() - placements.len());
        solution.insert(sector, Table { placements, values });
    }
    Ok(())
}

/// The positions of a group as nodes of a graph: sector after sector, each in the order of its
/// placements.
struct Group<'a> {
    solved: &'a PlainSolution,
    variant: &'a Variant,
    /// The first node and the placements of each sector.
    blocks: BTreeMap<Sector, (usize, &'a Placements)>,
}

impl<'a> Group<'a> {
    fn new(solved: &'a PlainSolution, blocks: &'a [(Sector, Arc<Placements>)]) -> Group<'a> {
        let mut first = 0;
        let blocks = blocks.iter().map(|(sector, placements)| {
            let block = (first, &**placements);
            first += placements.len();
            (*sector, block)
        });
        Group {
            solved,
            variant: solved.variant(),
            blocks: blocks.collect(),
        }
    }

    /// Adds some positions of a sector, by number, to the graph.
    fn add_turns(
        &self,
        graph: &mut Graph,
        sector: Sector,
        placements: &Placements,
        numbers: Range<usize>,
    ) -> Result<(), PlainError> {
        let starts: Vec<usize> = numbers.clone().step_by(CHUNK).collect();
        let parts: Result<Vec<Graph>, PlainError> = starts
            .into_par_iter()
            .map(|start| {
                let mut part = Graph::default();
                let mut turns = Vec::new();
                for number in start..numbers.end.min(start + CHUNK) {
                    let position = sector.position(placements.placement(number));
                    let outlook = self.look(&position, &mut turns, &mut part.targets)?;
                    part.outlooks.push(outlook);
                }
                Ok(part)
            })
            .collect();
        for mut part in parts? {
            graph.outlooks.append(&mut part.outlooks);
            graph.targets.append(&mut part.targets);
        }
        Ok(())
    }

    /// Looks at all turns of a position; those inside the group are added to `targets`.
    fn look(
        &self,
        position: &Position,
        turns: &mut Vec<Turn>,
        targets: &mut Vec<u32>,
    ) -> Result<Outlook, PlainError> {
        let mut outlook = Outlook::default();
        self.variant.turns_into(position, turns);
        if turns.is_empty() {
            let value = self.finished(position)?;
            outlook.holds = value == Value::Draw;
        }
        for turn in turns {
            let next = self.variant.play(position, turn);
            if let Some(node) = self.node(&next) {
                targets.push(node);
                outlook.inside += 1;
            } else {
                outlook.leave_for(self.known_value(position, &next)?);
            }
        }
        Ok(outlook)
    }

    /// The node of a position, or of the image of it that stands for all; `None` outside the group.
    fn node(&self, position: &Position) -> Option<u32> {
        let (first, placements) = self.blocks.get(&position.sector())?;
        let canonical = canonical_position(&self.variant.board, position);
        let number = placements.number(canonical)?;
        u32::try_from(first + number).ok()
    }

    /// The value of a position outside the group, reached by a turn from another.
    fn known_value(&self, from: &Position, next: &Position) -> Result<Value, PlainError> {
        if let Some(value) = self.solved.table_value(next) {
            return Ok(match (self.solved.metric(), value) {
                // The turn has made the conversion: what comes after is counted anew.
                (Metric::Conversion { .. }, Value::Win(_)) => Value::Win(0),
                (Metric::Conversion { .. }, Value::Loss(_)) => Value::Loss(0),
                _ => value,
            });
        }
        if self.variant.ending(next).is_some() {
            return self.finished(next);
        }
        Err(PlainError::MissingSector {
            from: from.sector(),
            missing: next.sector(),
        })
    }

    /// The value of a position in which the mover has no turn.
    fn finished(&self, position: &Position) -> Result<Value, PlainError> {
        match self.variant.ending(position) {
            Some(Outcome::Draw) => Ok(Value::Draw),
            Some(Outcome::Win) => Err(PlainError::EndsWon {
                variant: self.variant.id.clone(),
                sector: position.sector(),
            }),
            Some(Outcome::Loss) | None => Ok(Value::Loss(0)),
        }
    }
}
