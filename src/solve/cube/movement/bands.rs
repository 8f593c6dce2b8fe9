//! Bands: the pieces of the planes that one thread works on at a time.

use super::SPARSE;
use super::ends::EndsLog;
use super::half::Half;
use super::placings::Placings;
use crate::database::DatabaseError;
use crate::solve::cube::block::Block;
use crate::solve::cube::lookup::Layout;
use crate::solve::cube::memory::{OutOfMemory, Pages};
use crate::solve::cube::messages::{Kind, Outbox};

/// The planes of one half of a layer group.
#[derive(Debug)]
pub(super) struct Planes {
    /// Wins and losses of the varied side to move.
    pub(super) decided: [Pages; 2],
    /// What turns end in, by kind: wins and losses of the side to move then.
    pub(super) ends: Vec<[Pages; 2]>,
    /// Where some placement of the varied side wins by now, and where all lose.
    pub(super) placed: Option<[Pages; 2]>,
}

/// The kinds of turns whose planes are full of bits: those that close no mill and those that close one. Those that
/// close two at once touch the few rows with such mills, and whole games with them peaked no higher than others.
const ALWAYS_FILLED: usize = 2;

impl Planes {
    /// Planes for so many bits and kinds of turns.
    pub(super) fn new(bits: u64, kinds: usize, placed: bool) -> Result<Self, OutOfMemory> {
        let bytes = bits as usize / 8;
        let filled =
            || -> Result<_, OutOfMemory> { Ok([Pages::granted(bytes)?, Pages::granted(bytes)?]) };
        let sparse = || -> Result<_, OutOfMemory> { Ok([Pages::new(bytes)?, Pages::new(bytes)?]) };
        Ok(Planes {
            decided: filled()?,
            ends: (0..kinds)
                .map(|kind| {
                    if kind < ALWAYS_FILLED {
                        filled()
                    } else {
                        sparse()
                    }
                })
                .collect::<Result<_, _>>()?,
            placed: placed.then(filled).transpose()?,
        })
    }

    /// How many planes take all their memory.
    pub(super) fn count_filled(kinds: usize, placed: bool) -> u64 {
        2 + 2 * kinds.min(ALWAYS_FILLED) as u64 + 2 * u64::from(placed)
    }
}

/// One band's pieces of the planes, and what changed in it.
#[derive(Debug)]
pub(super) struct Band<'a> {
    /// Its number in the group.
    pub(super) number: usize,
    /// The half it belongs to, and its number there.
    pub(super) half: usize,
    pub(super) place: usize,
    pub(super) win: &'a mut [Block],
    pub(super) loss: &'a mut [Block],
    /// What turns end in, by kind: wins and losses of the side to move then.
    pub(super) ends: Vec<[&'a mut [Block]; 2]>,
    /// What placing is worth, see [`Planes::placed`].
    pub(super) placed: Option<[&'a mut [Block]; 2]>,
    pub(super) now: Changes,
    pub(super) next: Changes,
    /// First row this ply has not yet dealt with.
    pub(super) cursor: usize,
}

/// The rows that received bits in a ply, and the bits while they are few.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) rows: Vec<bool>,
    pub(super) any: bool,
    /// Too many bits came to list them.
    pub(super) many: bool,
    /// What turns end in, by kind.
    pub(super) lists: Vec<Vec<u32>>,
    /// What placing is worth.
    pub(super) placed: Vec<u32>,
}

/// The few bits that changed in one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfRow<'a> {
    /// What turns end in, by kind.
    pub(super) ends: [&'a [u32]; 3],
    /// What placing is worth.
    pub(super) placed: &'a [u32],
}

impl OfRow<'_> {
    pub(super) fn len(&self) -> usize {
        self.placed.len() + self.ends.iter().map(|list| list.len()).sum::<usize>()
    }
}

impl Changes {
    pub(super) fn clear(&mut self) {
        self.rows.fill(false);
        self.any = false;
        self.many = false;
        self.lists.iter_mut().for_each(Vec::clear);
        self.placed.clear();
    }

    pub(super) fn sort(&mut self) {
        self.lists.iter_mut().for_each(|list| list.sort_unstable());
        self.placed.sort_unstable();
    }

    /// The listed bits of a row, once they are sorted.
    pub(super) fn of_row(&self, row: usize, row_bits: u32) -> OfRow<'_> {
        let kind = |kind| self.lists.get(kind).map_or(&[][..], Vec::as_slice);
        OfRow {
            ends: std::array::from_fn(|i| of_row(kind(i), row, row_bits)),
            placed: of_row(&self.placed, row, row_bits),
        }
    }
}

/// The part of a sorted list that lies in a row.
fn of_row(list: &[u32], row: usize, row_bits: u32) -> &[u32] {
    let start = list.partition_point(|&place| ((place >> row_bits) as usize) < row);
    let end = list.partition_point(|&place| (place >> row_bits) as usize <= row);
    &list[start..end]
}

/// Cuts the planes of all halves into bands.
pub(super) fn bands<'a>(halves: &[Half], planes: &'a mut [Planes]) -> Vec<Band<'a>> {
    let mut bands = Vec::new();
    for (number, (half, planes)) in halves.iter().zip(planes).enumerate() {
        let layout = &half.layout;
        let pieces = |plane: &'a mut Pages| {
            plane
                .view_mut::<Block>()
                .chunks_exact_mut(1usize << (layout.band_bits - 9))
        };
        let mut decided = planes.decided.each_mut().map(pieces);
        let mut ends: Vec<_> = planes
            .ends
            .iter_mut()
            .map(|e| e.each_mut().map(pieces))
            .collect();
        let mut placed = planes.placed.as_mut().map(|p| p.each_mut().map(pieces));
        for place in 0..layout.bands {
            let [win, loss] = decided.each_mut().map(next);
            let ends: Vec<_> = ends
                .iter_mut()
                .map(|pair| pair.each_mut().map(next))
                .collect();
            let changes = || Changes {
                rows: vec![false; layout.rows_in(place)],
                lists: vec![Vec::new(); ends.len()],
                ..Changes::default()
            };
            bands.push(Band {
                number: half.first_band + place,
                half: number,
                place,
                win,
                loss,
                now: Changes {
                    any: true,
                    many: true,
                    rows: vec![true; layout.rows_in(place)],
                    ..changes()
                },
                next: changes(),
                ends,
                placed: placed.as_mut().map(|pair| pair.each_mut().map(next)),
                cursor: 0,
            });
        }
    }
    bands
}

fn next<'a>(pieces: &mut impl Iterator<Item = &'a mut [Block]>) -> &'a mut [Block] {
    pieces.next().expect("planes hold all bands")
}

impl Band<'_> {
    /// Sets the bits that messages name and notes what is new, in the log too if there is one.
    pub(super) fn receive(
        &mut self,
        boxes: &[&Outbox],
        layout: &Layout,
        ply: u16,
        mut log: Option<&mut EndsLog>,
    ) -> Result<(), DatabaseError> {
        let row_bits = layout.band(self.place).0.row_bits;
        let list_up_to = (1usize << layout.band_bits) / SPARSE;
        let which = usize::from(ply.is_multiple_of(2));
        let kinds = Kind::all(2)
            .iter()
            .zip(&mut self.ends)
            .zip(&mut self.next.lists);
        for ((&kind, ends), list) in kinds {
            let waiting: usize = boxes
                .iter()
                .map(|outbox| outbox.waiting(self.number, kind))
                .sum();
            if waiting == 0 {
                continue;
            }
            self.next.any = true;
            self.next.many |= list.len() + waiting > list_up_to;
            if let Some(log) = &mut log {
                log.before(ends[which], self.next.many);
            }
            let listed = list.len();
            let words = ends[which].as_flattened_mut();
            for places in boxes
                .iter()
                .flat_map(|outbox| outbox.read(self.number, kind))
            {
                for &place in places {
                    let word = &mut words[place as usize / 64];
                    let bit = 1 << (place % 64);
                    if *word & bit == 0 {
                        *word |= bit;
                        self.next.rows[(place >> row_bits) as usize] = true;
                        if !self.next.many {
                            list.push(place);
                        }
                    }
                }
            }
            if let Some(log) = &mut log {
                log.begin(kind, self.number, ply, row_bits);
                match self.next.many {
                    true => log.differences(ends[which])?,
                    false => log.listed(&mut list[listed..])?,
                }
            }
        }
        Ok(())
    }

    /// Sets the bits of the placements that are decided at a ply, which is about to begin.
    pub(super) fn place(
        &mut self,
        placings: &Placings,
        half: &Half,
        ply: u16,
    ) -> Result<(), DatabaseError> {
        let Some(placed) = &mut self.placed else {
            return Ok(());
        };
        let size = half.size_of_band(self.place);
        let list_up_to = (1usize << half.layout.band_bits) / SPARSE;
        let words = placed[usize::from(ply.is_multiple_of(2))].as_flattened_mut();
        let now = &mut self.now;
        placings.replay(self.place, size, ply, |row, index| {
            let place = (row << size.row_bits) as u32 | index;
            words[place as usize / 64] |= 1 << (place % 64);
            now.any = true;
            now.rows[row] = true;
            now.many |= now.placed.len() >= list_up_to;
            if !now.many {
                now.placed.push(place);
            }
        })
    }
}
