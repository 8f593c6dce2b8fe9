//! Writing solved layer groups to a database.
//!
//! A group is solved in rows of one side's set, with all sizes of the other side's set mixed; the database
//! has a file for each pair of sizes, and each sector says which side's sets are its rows. Class by class
//! the rows are dealt to their sectors:
//!
//! ```text
//! rows of 4 men   ->   sectors 3-4, 4-4, 5-4 ...     the mover's men vary
//!                or    sectors 4-3, 4-4, 4-5 ...     the opponent's men vary
//! ```

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::CubeError;
use super::block::{Block, Byte, Flag, blocks_of};
use super::lookup::Class;
use super::memory::{OutOfMemory, Pages};
use super::movement::{Half, Movement, MovementError};
use super::pack::{GROUP, Packed, stream_units};
use crate::cpu::{self, Cpu, Level, Task};
use crate::database::{Cells, DatabaseWriter};
use crate::index::Fixed;
use crate::solve::Progress;
use crate::value::{Score, Value};

/// Writes solved layer groups.
pub(super) struct GroupWriter<'a> {
    pub(super) store: &'a DatabaseWriter,
    pub(super) level: Level,
    pub(super) progress: &'a dyn Progress,
}

/// The rows of one class, and the sizes of the varied set that the database wants.
struct ClassRows<'a> {
    solved: &'a Movement,
    number: usize,
    half: &'a Half,
    class: &'a Class,
    fixed: Fixed,
    sizes: RangeInclusive<u32>,
}

impl ClassRows<'_> {
    /// Zeroed streams for all sizes.
    fn streams<P: Packed>(&self) -> Result<Vec<Pages>, OutOfMemory> {
        let Class { free, rows, .. } = *self.class;
        let bytes = |size| stream_units::<P>(free, size, rows) * size_of::<P::Unit>();
        self.sizes
            .clone()
            .map(|size| Pages::new(bytes(size)))
            .collect()
    }

    /// The streams in pieces that can be filled at the same time.
    fn pieces<'a, P: Packed>(
        &self,
        streams: &'a mut [Pages],
        rows_in_piece: usize,
    ) -> Vec<Vec<&'a mut [P::Unit]>> {
        let Class { free, rows, .. } = *self.class;
        let mut pieces: Vec<Vec<&mut [P::Unit]>> = (0..rows.div_ceil(rows_in_piece))
            .map(|_| Vec::new())
            .collect();
        for (stream, size) in streams.iter_mut().zip(self.sizes.clone()) {
            let units = stream_units::<P>(free, size, rows_in_piece);
            let stream = stream.view_mut::<P::Unit>().chunks_mut(units);
            for (pieces, piece) in pieces.iter_mut().zip(stream) {
                pieces.push(piece);
            }
        }
        pieces
    }
}

impl GroupWriter<'_> {
    /// Writes all sectors of a group that the database wants: the `scores` of what the journals note, or the
    /// wins and losses of the planes if there are none.
    pub(super) fn write(&self, solved: &Movement, scores: Option<&[u8]>) -> Result<(), CubeError> {
        for (number, half) in solved.halves.iter().enumerate() {
            for fixed in [Fixed::Opponent, Fixed::Mover] {
                for class in &half.layout.classes {
                    let Some(sizes) = self.sizes(half, class, fixed) else {
                        continue;
                    };
                    let rows = ClassRows {
                        solved,
                        number,
                        half,
                        class,
                        fixed,
                        sizes,
                    };
                    match scores {
                        _ if self.are_kept(&rows) => {}
                        Some(scores) => self.distances(&rows, scores)?,
                        None => self.values(&rows)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// The least and the greatest varied set of the sectors that have the rows of this class.
    fn sizes(&self, half: &Half, class: &Class, fixed: Fixed) -> Option<RangeInclusive<u32>> {
        let wanted = |&size: &u32| {
            let sector = half.sector(fixed, class.men, size);
            Fixed::of(sector) == fixed && self.store.wants(sector)
        };
        let mut sizes = half.varied.clone().filter(wanted);
        let least = sizes.next()?;
        Some(least..=sizes.last().unwrap_or(least))
    }

    /// Whether an earlier run has written all sectors of a class.
    fn are_kept(&self, rows: &ClassRows) -> bool {
        let sectors = rows
            .sizes
            .clone()
            .map(|size| rows.half.sector(rows.fixed, rows.class.men, size));
        let wanted: Vec<_> = sectors.filter(|&sector| self.store.wants(sector)).collect();
        let kept = wanted.iter().all(|&sector| self.store.has(sector));
        if kept {
            let cells = wanted.iter().map(|&sector| self.store.index().len(sector));
            self.progress.advance(cells.sum());
        }
        kept
    }

    /// Plays the journal back.
    fn distances(&self, rows: &ClassRows, scores: &[u8]) -> Result<(), CubeError> {
        let (class, layout) = (rows.class, &rows.half.layout);
        let mut streams = rows.streams::<Byte>()?;
        let first_band = (class.address >> layout.band_bits) as usize;
        rows.pieces::<Byte>(&mut streams, 1usize << (layout.band_bits - class.row_bits))
            .into_par_iter()
            .enumerate()
            .with_max_len(1)
            .try_for_each(|(band, mut pieces)| {
                let cells = self.band(rows, scores, first_band + band)?;
                self.deal::<Byte>(cells.view(), rows, &mut pieces);
                Ok::<_, CubeError>(())
            })?;
        self.save(rows, &streams, |stream| Cells::Scores(stream.view()))
    }

    /// The scores of all cells in the rows of a band.
    fn band(&self, rows: &ClassRows, scores: &[u8], band: usize) -> Result<Pages, CubeError> {
        let solved = rows.solved;
        let row_bytes = blocks_of::<Byte>(rows.class.free) * 64;
        let mut pages = Pages::new(rows.half.layout.rows_in(band) * row_bytes)?;
        let cells: &mut [u8] = pages.view_mut();
        cells.fill(Score::DRAW.0);
        let visit = |ply: u16, row: usize, index: u32| {
            cells[row * row_bytes + index as usize] = scores[usize::from(ply)];
        };
        solved
            .replay(rows.number, rows.fixed, band, visit)
            .map_err(MovementError::from)?;
        Ok(pages)
    }

    /// Copies wins and losses from the planes.
    fn values(&self, rows: &ClassRows) -> Result<(), CubeError> {
        let class = rows.class;
        let mut planes = Vec::new();
        for plane in rows.solved.planes(rows.number, rows.fixed) {
            let mut streams = rows.streams::<Flag>()?;
            let blocks = 1usize << (class.row_bits - 9);
            let start = (class.address >> 9) as usize;
            let cells = &plane[start..start + class.rows * blocks];
            rows.pieces::<Flag>(&mut streams, GROUP)
                .into_par_iter()
                .zip(cells.par_chunks(GROUP * blocks))
                .for_each(|(mut pieces, cells)| self.deal::<Flag>(cells, rows, &mut pieces));
            planes.push(streams);
        }
        let losses = planes.pop().expect("two planes");
        let wins = planes.pop().expect("two planes");
        let streams: Vec<_> = wins.into_iter().zip(losses).collect();
        self.save(rows, &streams, |(win, loss)| Cells::Planes {
            win: win.view(),
            loss: loss.view(),
        })
    }

    fn deal<P: Packed>(&self, cells: &[Block], rows: &ClassRows, pieces: &mut [&mut [P::Unit]]) {
        let deal = Deal::<P> {
            rows: cells,
            free: rows.class.free,
            sizes: rows.sizes.clone(),
            pieces,
        };
        cpu::run(self.level, deal);
    }

    /// Writes the sectors of a class from their streams.
    fn save<'a, S>(
        &self,
        rows: &ClassRows,
        streams: &'a [S],
        cells: impl Fn(&'a S) -> Cells<'a>,
    ) -> Result<(), CubeError> {
        for (stream, size) in streams.iter().zip(rows.sizes.clone()) {
            let sector = rows.half.sector(rows.fixed, rows.class.men, size);
            if self.store.wants(sector) {
                if !self.store.has(sector) {
                    self.store.write_sector(sector, cells(stream))?;
                }
                self.progress.advance(self.store.index().len(sector));
            }
        }
        Ok(())
    }
}

/// The bytes of the positions decided at each ply.
pub(super) fn scores_of_plies(solved: &Movement) -> Result<Vec<u8>, CubeError> {
    if solved.last_ply > Score::MAX_PLIES {
        let half = &solved.halves[0];
        let most = half.layout.classes.last().map_or(0, |class| class.men);
        return Err(CubeError::TooLong {
            sector: half.sector(Fixed::Opponent, most, *half.varied.end()),
        });
    }
    Ok((0..=solved.last_ply).map(score_of).collect())
}

/// The byte of a position decided at a ply: a win at an odd one, a loss at an even one.
fn score_of(ply: u16) -> u8 {
    let value = if ply % 2 == 1 {
        Value::Win(ply)
    } else {
        Value::Loss(ply)
    };
    Score::from_value(value).map_or(Score::DRAW.0, |score| score.0)
}

struct Deal<'a, 'b, P: Packed> {
    rows: &'a [Block],
    free: u32,
    sizes: RangeInclusive<u32>,
    pieces: &'a mut [&'b mut [P::Unit]],
}

impl<P: Packed> Task for Deal<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        P::deal::<C>(self.rows, self.free, self.sizes, self.pieces);
    }
}
