//! Bands: the pieces of the planes that one thread works on at a time.

use super::SPARSE;
use crate::solve::cube::block::Block;
use crate::solve::cube::lookup::Layout;
use crate::solve::cube::memory::Pages;
use crate::solve::cube::messages::{Kind, Outbox};

/// One band's pieces of the planes, and what changed in it.
#[derive(Debug)]
pub(super) struct Band<'a> {
    pub(super) number: usize,
    pub(super) win: &'a mut [Block],
    pub(super) loss: &'a mut [Block],
    /// What turns end in, by kind: wins and losses of the side to move then.
    pub(super) ends: Vec<[&'a mut [Block]; 2]>,
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
    /// By kind.
    pub(super) lists: Vec<Vec<u32>>,
}

impl Changes {
    pub(super) fn clear(&mut self) {
        self.rows.fill(false);
        self.any = false;
        self.many = false;
        self.lists.iter_mut().for_each(Vec::clear);
    }
}

/// Cuts planes into bands: wins and losses first, then a pair for each kind of turn.
pub(super) fn bands<'a>(layout: &Layout, planes: &'a mut [Pages]) -> Vec<Band<'a>> {
    let kinds = planes.len() / 2 - 1;
    let blocks = 1usize << (layout.band_bits - 9);
    let mut pieces: Vec<_> = planes
        .iter_mut()
        .map(|plane| plane.view_mut::<Block>().chunks_exact_mut(blocks))
        .collect();
    let mut next = |plane: usize| pieces[plane].next().expect("planes hold all bands");
    (0..layout.bands)
        .map(|number| {
            let rows = layout.rows_in(number);
            let changes = || Changes {
                rows: vec![false; rows],
                lists: vec![Vec::new(); kinds],
                ..Changes::default()
            };
            Band {
                number,
                win: next(0),
                loss: next(1),
                ends: (1..=kinds)
                    .map(|kind| [next(2 * kind), next(2 * kind + 1)])
                    .collect(),
                now: Changes {
                    any: true,
                    many: true,
                    rows: vec![true; rows],
                    ..changes()
                },
                next: changes(),
                cursor: 0,
            }
        })
        .collect()
}

impl Band<'_> {
    /// Sets the bits that messages name and notes what is new.
    pub(super) fn receive(&mut self, boxes: &[&Outbox], layout: &Layout, ply: u16) {
        let row_bits = layout.band(self.number).0.row_bits;
        let list_up_to = (1usize << layout.band_bits) / SPARSE;
        let which = usize::from(ply.is_multiple_of(2));
        let kinds = Kind::all(2)
            .iter()
            .zip(&mut self.ends)
            .zip(&mut self.next.lists);
        for ((&kind, ends), list) in kinds {
            let words = ends[which].as_flattened_mut();
            let waiting: usize = boxes
                .iter()
                .map(|outbox| outbox.waiting(self.number, kind))
                .sum();
            if waiting == 0 {
                continue;
            }
            self.next.any = true;
            self.next.many |= list.len() + waiting > list_up_to;
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
        }
    }
}
