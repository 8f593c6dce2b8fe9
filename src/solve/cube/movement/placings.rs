//! What placing a man is worth, where men may move while others are still in hand.
//!
//! A placement leaves the layer group for good, so its value is known beforehand. All placements of a
//! position together are worth what the best of them is, from some ply on:
//!
//! ```text
//! best placement   a win in 7      a draw     a loss in 12
//! counts from      ply 7 on        never      ply 12 on: then only a slide can save the position
//! ```
//!
//! They are worked out once the group below is solved, from what turns end in there: the rows are the
//! same, with one man more in the hand of the varied side, and a man taken off again. Bands, rows and
//! cells are those of the group above, which reads them ply by ply.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;

use super::half::{Half, not_beaten};
use super::row::list_bits;
use super::{Movement, MovementError};
use crate::cpu::{self, Cpu, Level, Task};
use crate::database::DatabaseError;
use crate::game::{Board, PointSet};
use crate::index::canonical::CanonicalSets;
use crate::solve::cube::block::{Block, Byte, EMPTY, Flag, Sizes, and, blocks_of, xor};
use crate::solve::cube::journal::{BandSize, Journal};
use crate::solve::cube::kernels::{Ends, place_back};
use crate::solve::cube::memory::Pages;
use crate::solve::cube::shape::Shape;
use crate::value::{Score, Value};

/// The values of the best placements in the rows of one half, by ply: wins at odd plies, losses at even.
#[derive(Debug)]
pub struct Placings {
    journals: Vec<Journal>,
    /// The last ply with a value.
    pub last_ply: u16,
}

impl Placings {
    /// Calls `visit(row in band, index)` for every cell of a band whose best placement is worth something
    /// from this ply on.
    pub(super) fn replay(
        &self,
        band: usize,
        size: BandSize,
        ply: u16,
        mut visit: impl FnMut(usize, u32),
    ) -> Result<(), DatabaseError> {
        self.journals
            .iter()
            .try_for_each(|journal| journal.replay_ply(band, ply, size, &mut visit))
    }

    /// Works out the placements that lead to a half of a solved group. Scratch files are made in `folder`.
    ///
    /// # Errors
    /// When memory or the disk is short.
    pub fn new(
        board: &Board,
        sets: &CanonicalSets,
        below: &Movement,
        half: usize,
        level: Level,
        folder: &Path,
    ) -> Result<Placings, MovementError> {
        let layout = &below.halves[half].layout;
        let threads = rayon::current_num_threads();
        let journals: Vec<Mutex<Journal>> = (0..threads)
            .map(|_| Journal::scratch(folder).map(Mutex::new))
            .collect::<Result<_, _>>()?;
        let last_plies: Vec<u16> = (0..layout.bands)
            .into_par_iter()
            .with_max_len(1)
            .map(|band| {
                let (class, first) = layout.band(band);
                let rows = first..first + layout.rows_in(band);
                let place = Place {
                    board,
                    sets: &sets.representatives(class.men as usize)[rows],
                    free: class.free,
                    row_bits: class.row_bits,
                    varied: not_beaten(below.men, below.halves[half].varied_hand + 1),
                };
                let by_ply = match below.ends_logs.is_empty() {
                    false => {
                        let ends = below.scores_of_ends(half, band)?;
                        cpu::run(level, PlaceBytes { place, ends })
                    }
                    true => {
                        let ends = below.pieces_of_ends(half, band);
                        cpu::run(level, PlaceFlags { place, ends })
                    }
                };
                let thread = rayon::current_thread_index().unwrap_or(0);
                let journal = &mut *journals[thread].lock().expect("no worker panicked");
                for (places, ply) in by_ply.iter().zip(0..) {
                    journal.begin(band, ply);
                    journal.places(places, class.row_bits)?;
                }
                Ok::<_, MovementError>(by_ply.len().saturating_sub(1) as u16)
            })
            .collect::<Result<_, _>>()?;
        let finish = |journal: Mutex<Journal>| {
            let mut journal = journal.into_inner().expect("no worker panicked");
            journal.finish()?;
            Ok(journal)
        };
        Ok(Placings {
            journals: journals
                .into_iter()
                .map(finish)
                .collect::<Result<_, DatabaseError>>()?,
            last_ply: last_plies.into_iter().max().unwrap_or(0),
        })
    }
}

impl Movement {
    /// What turns into the rows of a band end in, a row of bytes for each kind of turn: the score for the
    /// side that made the turn.
    fn scores_of_ends(&self, half: usize, band: usize) -> Result<Vec<Pages>, MovementError> {
        let Half {
            layout, first_band, ..
        } = &self.halves[half];
        let (class, _) = layout.band(band);
        let row_bytes = blocks_of::<Byte>(class.free) * size_of::<Block>();
        let size = self.halves[half].size_of_band(band);
        let scores: Vec<u8> = (0..=self.last_ply).map(score_before).collect();
        let kind = |kind| {
            let mut pages = Pages::new(layout.rows_in(band) * row_bytes)?;
            let cells: &mut [u8] = pages.view_mut();
            cells.fill(Score::DRAW.0);
            for log in &self.ends_logs {
                let log: &Journal = &log[kind];
                log.replay(first_band + band, size, |ply, row, index| {
                    cells[row * row_bytes + index as usize] = scores[ply as usize];
                })?;
            }
            Ok(pages)
        };
        let kinds = self.ends_logs.first().map_or(0, Vec::len);
        (0..kinds).map(kind).collect()
    }

    /// The planes of what turns into the rows of a band end in: wins and losses, then by kind.
    fn pieces_of_ends(&self, half: usize, band: usize) -> [Vec<&[Block]>; 2] {
        let blocks = 1usize << (self.halves[half].layout.band_bits - 9);
        [0, 1].map(|which| {
            let planes = self.planes[half].ends.iter().map(|ends| &ends[which]);
            let pieces = planes.map(|plane| &plane.view()[band * blocks..][..blocks]);
            pieces.collect()
        })
    }
}

/// The score, for the side that moved there, of a position decided at a ply.
fn score_before(ply: u16) -> u8 {
    let value = match ply % 2 {
        0 => Value::Loss(ply),
        _ => Value::Win(ply),
    };
    Score::from_value(value.before()).map_or(Score::DRAW.0, |score| score.0)
}

/// The rows of one band.
struct Place<'a> {
    board: &'a Board,
    sets: &'a [PointSet],
    free: u32,
    row_bits: u32,
    /// Men on the board of the side that is about to place one.
    varied: RangeInclusive<u32>,
}

/// What turns into a row end in, by what those into the rows of a band end in.
#[inline(always)]
fn of_row<'a>(ends: &[&'a [Block]], row: usize, blocks: usize, flip: u64) -> Ends<'a> {
    let of_row = |ends: &&'a [Block]| &ends[row * blocks..][..blocks];
    Ends {
        quiet: of_row(&ends[0]),
        capture: of_row(&ends[1]),
        double: ends.get(2).map(of_row),
        flip,
    }
}

/// Finds the exact values. Returns the places in the band for every ply.
struct PlaceBytes<'a> {
    place: Place<'a>,
    /// By kind of turn.
    ends: Vec<Pages>,
}

impl Task for PlaceBytes<'_> {
    type Output = Vec<Vec<u32>>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Vec<Vec<u32>> {
        let PlaceBytes { place, ends } = self;
        let ends: Vec<&[Block]> = ends.iter().map(Pages::view).collect();
        let blocks = blocks_of::<Byte>(place.free);
        let (mut lifted, mut out) = (vec![EMPTY; blocks], vec![EMPTY; blocks]);
        let mut shape = Shape::default();
        let mut by_ply: Vec<Vec<u32>> = Vec::new();
        for (row, &set) in place.sets.iter().enumerate() {
            shape.set(place.board, set, 0);
            out.fill(EMPTY);
            let ends = of_row(&ends, row, blocks, 0);
            place_back::<Byte>(&shape, ends, &mut lifted, &mut out);
            let scores: &[u8] = bytemuck::cast_slice(&out);
            for (&score, index) in scores[..1 << place.free].iter().zip(0u32..) {
                let Some(ply) = Score(score).value().plies() else {
                    continue;
                };
                if place.varied.contains(&index.count_ones()) {
                    if by_ply.len() <= ply.into() {
                        by_ply.resize_with(usize::from(ply) + 1, Vec::new);
                    }
                    by_ply[usize::from(ply)].push((row << place.row_bits) as u32 | index);
                }
            }
        }
        by_ply
    }
}

/// Finds values without distances: losses count from ply 0 on, wins from ply 1.
struct PlaceFlags<'a> {
    place: Place<'a>,
    /// Wins and losses of the side to move, then by kind of turn.
    ends: [Vec<&'a [Block]>; 2],
}

impl Task for PlaceFlags<'_> {
    type Output = Vec<Vec<u32>>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Vec<Vec<u32>> {
        let PlaceFlags { place, ends } = self;
        let blocks = 1 << (place.row_bits - 9);
        let (mut lifted, mut out) = (vec![EMPTY; blocks], vec![EMPTY; blocks]);
        let playing = Sizes::new::<Flag>(place.free, *place.varied.start(), *place.varied.end());
        let mut shape = Shape::default();
        let mut by_ply = vec![Vec::new(); 2];
        for (row, &set) in place.sets.iter().enumerate() {
            shape.set(place.board, set, 0);
            // Losses of the other side first, which win, then its wins, of which one may be avoided.
            for (which, flip) in [(1, 0), (0, u64::MAX)] {
                out.fill(EMPTY);
                let ends = of_row(&ends[which], row, blocks, flip);
                place_back::<Flag>(&shape, ends, &mut lifted, &mut out);
                for (number, out) in out.iter_mut().enumerate() {
                    *out = and(xor(*out, [flip; 8]), playing.mask(number));
                }
                let places = &mut by_ply[which];
                let first = places.len();
                list_bits(&out, places);
                for place_in_row in &mut places[first..] {
                    *place_in_row |= (row << place.row_bits) as u32;
                }
            }
        }
        by_ply
    }
}
