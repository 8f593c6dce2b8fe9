//! The plies of one group of sectors, from the ends of its games backwards.
//!
//! A group is a set of sectors that turns can lead to and fro, so their positions are solved
//! together. The positions are the nodes of a graph, the turns that stay in the group its arrows;
//! turns that leave the group reach positions already solved and are summed up in an [`Outlook`].
//!
//! ```text
//! ply 0   lost: the game is over
//! ply 1   won:  some turn leads to a loss in 0
//! ply 2   lost: every turn leads to a win, the longest of them in 1
//! ...     what no ply decides is a draw
//! ```
//!
//! Where plies count to the end of the game, wins have odd plies and losses even ones. Where they count to the
//! next [conversion](crate::conversion), both may have any.

use super::PlainError;
use crate::value::{Outcome, Value};

/// What is known of the turns of a position before its group is solved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outlook {
    /// How many turns stay in the group.
    pub inside: u32,
    /// Some turn that leaves the group does not lose, or the game is over and drawn.
    pub holds: bool,
    /// Plies of the shortest win by leaving the group.
    pub shortest_win: Option<u32>,
    /// Plies of the longest loss by leaving the group, 0 if none leaves.
    pub longest_loss: u32,
}

impl Outlook {
    /// Takes account of a turn out of the group, to a position that is worth `value` to its mover.
    pub fn leave_for(&mut self, value: Value) {
        match value {
            Value::Win(plies) => {
                self.longest_loss = self.longest_loss.max(u32::from(plies) + 1);
            }
            Value::Draw => self.holds = true,
            Value::Loss(plies) => {
                let plies = u32::from(plies) + 1;
                let shortest = self.shortest_win.map_or(plies, |win| win.min(plies));
                self.shortest_win = Some(shortest);
                self.holds = true;
            }
        }
    }
}

/// The nodes of a group with their arrows.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// One outlook a node.
    pub outlooks: Vec<Outlook>,
    /// Where the turns inside the group lead: `outlooks[0].inside` nodes, then those of the next.
    pub targets: Vec<u32>,
}

/// Decides all nodes of a group, those that take more than `limit` plies as draws. `at_ply` hears each ply before
/// it is decided.
pub(super) fn decide(
    graph: Graph,
    limit: Option<u16>,
    mut at_ply: impl FnMut(u16),
) -> Result<Vec<Value>, PlainError> {
    let arrivals = Arrivals::new(&graph);
    let outlooks = graph.outlooks;
    drop(graph.targets);
    let mut values = vec![None; outlooks.len()];
    // Turns that may still turn out not to lose; one more stands for all that hold for certain.
    let mut open: Vec<u32> = outlooks
        .iter()
        .map(|o| o.inside + u32::from(o.holds))
        .collect();
    let mut longest: Vec<u32> = outlooks.iter().map(|o| o.longest_loss).collect();

    let mut agenda = Agenda::default();
    for (node, outlook) in (0u32..).zip(&outlooks) {
        if let Some(plies) = outlook.shortest_win {
            agenda.put(plies, node, Outcome::Win);
        } else if open[node as usize] == 0 {
            agenda.put(outlook.longest_loss, node, Outcome::Loss);
        }
    }
    let mut ply = 0;
    while let Some(nodes) = agenda.take(ply) {
        if limit.is_some_and(|limit| ply > u32::from(limit)) {
            break;
        }
        let plies = u16::try_from(ply).map_err(|_| PlainError::LongGame)?;
        at_ply(plies);
        for (node, outcome) in nodes {
            if values[node as usize].is_some() {
                continue;
            }
            let lost = outcome == Outcome::Loss;
            let value = if lost {
                Value::Loss(plies)
            } else {
                Value::Win(plies)
            };
            values[node as usize] = Some(value);
            for &before in arrivals.at(node) {
                if values[before as usize].is_some() {
                    continue;
                }
                if lost {
                    agenda.put(ply + 1, before, Outcome::Win);
                    continue;
                }
                let index = before as usize;
                open[index] -= 1;
                longest[index] = longest[index].max(ply + 1);
                if open[index] == 0 {
                    agenda.put(longest[index], before, Outcome::Loss);
                }
            }
        }
        ply += 1;
    }
    Ok(values
        .into_iter()
        .map(|value| value.unwrap_or(Value::Draw))
        .collect())
}

/// Which nodes are to be decided at which ply, and how. A node may stand at several plies: the first counts.
#[derive(Debug, Default)]
struct Agenda {
    plies: Vec<Vec<(u32, Outcome)>>,
}

impl Agenda {
    fn put(&mut self, ply: u32, node: u32, outcome: Outcome) {
        let ply = ply as usize;
        if self.plies.len() <= ply {
            self.plies.resize_with(ply + 1, Vec::new);
        }
        self.plies[ply].push((node, outcome));
    }

    /// The nodes of a ply; `None` when nothing is planned for it or later.
    fn take(&mut self, ply: u32) -> Option<Vec<(u32, Outcome)>> {
        self.plies.get_mut(ply as usize).map(std::mem::take)
    }
}

/// The arrows of a graph by the node they arrive at.
#[derive(Debug)]
struct Arrivals {
    /// Where the sources of each node begin; one entry more than there are nodes.
    starts: Vec<usize>,
    sources: Vec<u32>,
}

impl Arrivals {
    fn new(graph: &Graph) -> Arrivals {
        let mut starts = vec![0usize; graph.outlooks.len() + 1];
        for &target in &graph.targets {
            starts[target as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut sources = vec![0; graph.targets.len()];
        let mut targets = graph.targets.iter();
        for (source, outlook) in (0u32..).zip(&graph.outlooks) {
            for &target in targets.by_ref().take(outlook.inside as usize) {
                sources[starts[target as usize]] = source;
                starts[target as usize] += 1;
            }
        }
        // Each node's begin has moved to its end, where the next one's was.
        starts.rotate_right(1);
        starts[0] = 0;
        Arrivals { starts, sources }
    }

    fn at(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.sources[self.starts[node]..self.starts[node + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node by the nodes and the values outside the group that its turns lead to.
    fn graph(nodes: &[(&[u32], &[Value])]) -> Graph {
        let mut graph = Graph::default();
        for (inside, outside) in nodes {
            let mut outlook = Outlook {
                inside: inside.len() as u32,
                ..Outlook::default()
            };
            outside.iter().for_each(|&value| outlook.leave_for(value));
            graph.outlooks.push(outlook);
            graph.targets.extend_from_slice(inside);
        }
        graph
    }

    fn values(nodes: &[(&[u32], &[Value])]) -> Vec<Value> {
        decide(graph(nodes), None, |_| ()).unwrap()
    }

    #[test]
    fn a_chain_of_forced_turns_counts_down_to_its_end() {
        let chain = values(&[(&[], &[]), (&[0], &[]), (&[1], &[]), (&[2], &[])]);
        assert_eq!(
            chain,
            [Value::Loss(0), Value::Win(1), Value::Loss(2), Value::Win(3)]
        );
    }

    #[test]
    fn turns_to_and_fro_are_drawn_unless_a_side_can_leave_them_to_win() {
        assert_eq!(
            values(&[(&[1], &[]), (&[0], &[])]),
            [Value::Draw, Value::Draw]
        );
        let one_can_win = values(&[(&[1], &[Value::Loss(4)]), (&[0], &[])]);
        assert_eq!(one_can_win, [Value::Win(5), Value::Loss(6)]);
        let one_can_hold = values(&[(&[1], &[Value::Loss(4)]), (&[0], &[Value::Draw])]);
        assert_eq!(one_can_hold, [Value::Win(5), Value::Draw]);
    }

    #[test]
    fn the_winner_hurries_and_the_loser_resists() {
        let nodes: [(&[u32], &[Value]); 3] = [
            (
                &[],
                &[Value::Loss(8), Value::Loss(2), Value::Win(1), Value::Draw],
            ),
            (&[], &[Value::Win(1), Value::Win(7)]),
            (&[0], &[Value::Win(9)]),
        ];
        assert_eq!(
            values(&nodes),
            [Value::Win(3), Value::Loss(8), Value::Loss(10)]
        );
    }

    #[test]
    fn a_late_win_outside_keeps_a_position_from_being_lost_early() {
        // All turns inside lead to early wins of the opponent, the one outside wins late.
        let late = values(&[(&[1], &[Value::Loss(30)]), (&[2], &[]), (&[], &[])]);
        assert_eq!(late, [Value::Win(31), Value::Win(1), Value::Loss(0)]);
        // The same outside win is not needed when the group offers an earlier one.
        let early = values(&[(&[1], &[Value::Loss(30)]), (&[], &[])]);
        assert_eq!(early[0], Value::Win(1));
    }

    #[test]
    fn two_turns_to_the_same_node_are_two_turns() {
        let twice = values(&[(&[1, 1], &[]), (&[2, 2], &[]), (&[], &[])]);
        assert_eq!(twice, [Value::Loss(2), Value::Win(1), Value::Loss(0)]);
    }

    #[test]
    fn a_drawn_end_is_a_draw() {
        let mut graph = graph(&[(&[], &[]), (&[0], &[])]);
        graph.outlooks[0].holds = true;
        assert_eq!(
            decide(graph, None, |_| ()).unwrap(),
            [Value::Draw, Value::Draw]
        );
    }

    #[test]
    fn a_win_longer_than_values_count_is_an_error() {
        let chain: Vec<Vec<u32>> = (0..=70_000u32)
            .map(|node| node.checked_sub(1).into_iter().collect())
            .collect();
        let nodes: Vec<(&[u32], &[Value])> = chain.iter().map(|to| (&to[..], &[][..])).collect();
        assert!(matches!(
            decide(graph(&nodes), None, |_| ()),
            Err(PlainError::LongGame)
        ));
        assert!(decide(graph(&nodes[..60_000]), None, |_| ()).is_ok());
    }
}
