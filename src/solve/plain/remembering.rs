//! Games in which mills pay once: the lines that have paid are part of a position.
//!
//! Most memories of a position never come about, so the positions are listed by playing from the start, every
//! turn that there is. Positions and turns are nodes and arrows of one graph, which is decided as that of any
//! other game:
//!
//! ```text
//! start -> all placements of a man -> ...    each with its memory, images under symmetries once
//! ```
//!
//! Men are taken for new lines only, so memories are few while the sides are strong, and how many positions
//! there can be is known before, by counting.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use super::placements;
use super::retrograde::{Graph, Outlook, decide};
use super::{Options, PlainError, SectorCounts};
use crate::game::{
    Board, LineSet, PaidLines, Placing, PointSet, Position, Protection, Sector, Variant,
};
use crate::value::{Outcome, Value};

/// About how many bytes of memory a position takes while it is solved.
pub const BYTES_PER_POSITION: u64 = 250;

/// Positions whose turns are generated before they are given numbers.
const BATCH: usize = 1 << 16;

/// The values of all positions that a game can lead to, with all that it can remember there.
#[derive(Clone, Debug)]
pub struct RememberingSolution {
    variant: Variant,
    images: Vec<LineImages>,
    nodes: HashMap<State, u32>,
    values: Vec<Value>,
}

impl RememberingSolution {
    /// The value of a position and its memory for the side to move; `None` if no game leads there.
    pub fn value(&self, position: &Position, paid: PaidLines) -> Option<Value> {
        let state = State::canonical(&self.variant.board, &self.images, position, paid);
        let node = self.nodes.get(&state)?;
        self.values.get(*node as usize).copied()
    }

    /// The value of the start position.
    pub fn start(&self) -> Option<Value> {
        self.value(&self.variant.start(), PaidLines::default())
    }

    /// How many positions there are, counted with their memories and modulo the symmetries of the board.
    pub fn position_count(&self) -> u64 {
        self.values.len() as u64
    }

    /// Sums over the positions of each sector, with all their memories.
    pub fn counts(&self) -> BTreeMap<Sector, SectorCounts> {
        let mut counts: BTreeMap<Sector, SectorCounts> = BTreeMap::new();
        for (state, &node) in &self.nodes {
            let sector = state.sector();
            let counts = counts.entry(sector).or_default();
            counts.add(self.values[node as usize]);
        }
        counts
    }
}

/// Solves a whole game in which mills pay once.
///
/// `progress` hears the ply, once plies are being decided, and how many positions are known.
///
/// # Errors
/// [`PlainError::TooLarge`] before any work is done if there can be more positions than allowed;
/// [`PlainError::EndsWon`], [`PlainError::LongGame`] if values cannot express the result.
pub fn solve_remembering(
    variant: &Variant,
    options: &Options,
    mut progress: impl FnMut(Option<u16>, u64),
) -> Result<RememberingSolution, PlainError> {
    check_remembering_size(variant, options)?;
    let mut list = List::new(variant);
    while list.graph.outlooks.len() < list.states.len() {
        list.add_turns()?;
        progress(None, list.states.len() as u64);
    }
    let List {
        images,
        nodes,
        graph,
        ..
    } = list;
    let len = nodes.len() as u64;
    let values = decide(graph, None, |ply| progress(Some(ply), len))?;
    Ok(RememberingSolution {
        variant: variant.clone(),
        images,
        nodes,
        values,
    })
}

/// The most positions that [`solve_remembering`] may meet, by counting men and lines.
///
/// # Errors
/// [`PlainError::TooLarge`].
pub fn check_remembering_size(variant: &Variant, options: &Options) -> Result<u64, PlainError> {
    let lines = variant.board.lines().len() as u64;
    let positions = Class::all(variant).into_iter().map(|class| {
        let placements =
            placements::count(&variant.board, class.sector.mover, class.sector.opponent);
        let memories = choose(lines, class.mover_lines.into())
            .saturating_mul(choose(lines, class.opponent_lines.into()));
        placements.saturating_mul(memories)
    });
    let needed = positions.fold(0, u64::saturating_add);
    // Positions are numbered with 32 bits.
    let limit = options
        .limit_bytes
        .min(u64::from(u32::MAX) * BYTES_PER_POSITION);
    let bytes = needed.saturating_mul(BYTES_PER_POSITION);
    if bytes > limit {
        return Err(PlainError::TooLarge {
            variant: variant.id.clone(),
            positions: needed,
            needed: bytes,
            limit,
        });
    }
    Ok(needed)
}

/// Ways to choose `k` out of `n`.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1u64, |ways, i| ways.saturating_mul(n - i) / (i + 1))
}

/// Positions with equal numbers of men, and of lines that have paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    sector: Sector,
    mover_lines: u8,
    opponent_lines: u8,
}

impl Class {
    /// All classes that a game can reach, by counting.
    fn all(variant: &Variant) -> BTreeSet<Class> {
        let start = Class {
            sector: variant.start().sector(),
            mover_lines: 0,
            opponent_lines: 0,
        };
        let (mut classes, mut waiting) = (BTreeSet::from([start]), vec![start]);
        while let Some(class) = waiting.pop() {
            let next = class.after(variant).into_iter();
            waiting.extend(next.filter(|&next| classes.insert(next)));
        }
        classes
    }

    /// The classes one turn away in which the game goes on.
    fn after(self, variant: &Variant) -> Vec<Class> {
        let (board, sector) = (&variant.board, self.sector);
        let placed = (sector.mover_hand > 0).then(|| Sector {
            mover: sector.mover + 1,
            mover_hand: sector.mover_hand - 1,
            ..sector
        });
        let may_move = sector.mover_hand == 0 || variant.rules.placing == Placing::PlaceOrMove;
        let moved = (may_move && sector.mover > 0).then_some(sector);
        let at_a_point = (0..board.point_count()).map(|p| board.lines_through(p).len());
        let unpaid = board.lines().len() - usize::from(self.mover_lines);
        let most = at_a_point.max().unwrap_or(0).min(unpaid) as u8;
        let mut classes = Vec::new();
        for after in placed.into_iter().chain(moved) {
            // Lines through one point have no other point in common: each takes two men more.
            for closed in 0..=most.min(after.mover.saturating_sub(1) / 2) {
                for opponent in left_after(variant, after, closed) {
                    classes.push(Class {
                        sector: Sector { opponent, ..after }.swapped(),
                        mover_lines: self.opponent_lines,
                        opponent_lines: self.mover_lines + closed,
                    });
                }
            }
        }
        classes
    }
}

/// How many men the opponent may have left on the board when new lines are closed, where the game goes on.
fn left_after(variant: &Variant, after: Sector, closed: u8) -> Vec<u8> {
    let due = variant.rules.captures(closed.into());
    // The turn ends with the third-last man.
    let enough = (after.opponent + after.opponent_hand).saturating_sub(2);
    let most = due.min(after.opponent).min(enough);
    let spares = matches!(
        variant.rules.protection,
        Protection::Never | Protection::UnlessThreeLeft
    );
    let least = if spares { 0 } else { most };
    let taken = (least..=most).filter(|&taken| taken < enough);
    taken.map(|taken| after.opponent - taken).collect()
}

/// A position with its memory, of all its images the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    mover: PointSet,
    opponent: PointSet,
    paid: PaidLines,
    hands: [u8; 2],
}

/// Where a symmetry carries each line.
type LineImages = Vec<u8>;

impl State {
    fn canonical(
        board: &Board,
        images: &[LineImages],
        position: &Position,
        paid: PaidLines,
    ) -> State {
        let image = |(symmetry, lines): (&crate::game::Symmetry, &LineImages)| {
            let paid = PaidLines {
                mover: image_of(lines, paid.mover),
                opponent: image_of(lines, paid.opponent),
            };
            let men = (
                symmetry.apply(position.mover),
                symmetry.apply(position.opponent),
            );
            (men, paid)
        };
        let least = board.symmetries().iter().zip(images).map(image).min();
        // The group has the identity at least.
        let ((mover, opponent), paid) =
            least.unwrap_or(((position.mover, position.opponent), paid));
        State {
            mover,
            opponent,
            paid,
            hands: [position.mover_hand, position.opponent_hand],
        }
    }

    fn sector(&self) -> Sector {
        Sector {
            mover: self.mover.count_ones() as u8,
            opponent: self.opponent.count_ones() as u8,
            mover_hand: self.hands[0],
            opponent_hand: self.hands[1],
        }
    }

    fn position(&self) -> Position {
        self.sector().position((self.mover, self.opponent))
    }
}

fn image_of(images: &LineImages, mut lines: LineSet) -> LineSet {
    let mut image = 0;
    while lines != 0 {
        image |= 1 << images[lines.trailing_zeros() as usize];
        lines &= lines - 1;
    }
    image
}

/// For every symmetry of a board, where it carries the lines.
fn line_images(board: &Board) -> Vec<LineImages> {
    let lines = board.lines();
    let place = |line: PointSet| lines.iter().position(|&other| other == line);
    let images = board.symmetries().iter().map(|symmetry| {
        // Symmetries carry lines to lines.
        let image = |&line: &PointSet| place(symmetry.apply(line)).unwrap_or_default() as u8;
        lines.iter().map(image).collect()
    });
    images.collect()
}

/// The positions met so far, and the turns of those that have been looked at.
struct List<'a> {
    variant: &'a Variant,
    images: Vec<LineImages>,
    states: Vec<State>,
    nodes: HashMap<State, u32>,
    graph: Graph,
}

impl<'a> List<'a> {
    fn new(variant: &'a Variant) -> List<'a> {
        let images = line_images(&variant.board);
        let start = State::canonical(
            &variant.board,
            &images,
            &variant.start(),
            PaidLines::default(),
        );
        List {
            variant,
            images,
            states: vec![start],
            nodes: HashMap::from([(start, 0)]),
            graph: Graph::default(),
        }
    }

    /// Looks at the turns of the next positions.
    fn add_turns(&mut self) -> Result<(), PlainError> {
        let first = self.graph.outlooks.len();
        let batch = &self.states[first..self.states.len().min(first + BATCH)];
        let turns = batch.par_iter().map(|state| self.look(state));
        let turns: Vec<(Outlook, Vec<State>)> = turns.collect::<Result<_, _>>()?;
        for (outlook, next) in turns {
            self.graph.outlooks.push(outlook);
            for state in next {
                let node = *self.nodes.entry(state).or_insert_with(|| {
                    self.states.push(state);
                    self.states.len() as u32 - 1
                });
                self.graph.targets.push(node);
            }
        }
        Ok(())
    }

    /// Looks at all turns of a position. Those that take the third-last man end the game; the others lead to
    /// the positions returned.
    fn look(&self, state: &State) -> Result<(Outlook, Vec<State>), PlainError> {
        let (variant, position) = (self.variant, state.position());
        let (mut outlook, mut next, mut turns) = (Outlook::default(), Vec::new(), Vec::new());
        match variant.ending(&position) {
            Some(Outcome::Draw) => outlook.holds = true,
            Some(Outcome::Win) => {
                return Err(PlainError::EndsWon {
                    variant: variant.id.clone(),
                    sector: position.sector(),
                });
            }
            Some(Outcome::Loss) => {}
            None => variant.remembering_turns(&position, state.paid, &mut turns),
        }
        for turn in turns {
            let reached = variant.play(&position, &turn);
            if reached.mover_total() < 3 {
                outlook.leave_for(Value::Loss(0));
                continue;
            }
            let paid = variant.remember(&position, state.paid, &turn);
            let board = &variant.board;
            next.push(State::canonical(board, &self.images, &reached, paid));
            outlook.inside += 1;
        }
        Ok((outlook, next))
    }
}
