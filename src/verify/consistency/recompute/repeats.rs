//! Cells that repeat a position of their row.

use rayon::prelude::*;

use super::Recompute;
use crate::game::{PointSet, Sector, points};
use crate::index::Fixed;
use crate::verify::consistency::counts::{ByScore, together};
use crate::verify::consistency::sets::{PlaceMap, all_sets, on_places};

impl Recompute<'_> {
    /// Counts, by score, the cells of a sector that repeat a position: of the cells of a row that show one, all but the
    /// first.
    pub fn repeats(&self, sector: Sector, scores: &[u8]) -> ByScore {
        let (fixed, varied) = Fixed::of(sector).order((sector.mover, sector.opponent));
        let rows = &self.orbits[usize::from(fixed)];
        let places = self.board().point_count() - usize::from(fixed);
        let sets = all_sets(places, varied.into());
        let kept: Vec<(usize, &[u16])> = rows.kept().collect();
        let count_row = |mut counts: ByScore, &(row, keeping): &(usize, &[u16])| {
            let maps = self.maps(rows.representatives[row], keeping);
            let cells = scores.get(row * sets.len()..).unwrap_or_default();
            for (&set, &score) in sets.iter().zip(cells) {
                if maps.iter().any(|map| map.of(set) < set) {
                    counts[usize::from(score)] += 1;
                }
            }
            counts
        };
        kept.par_iter()
            .fold(|| [0; 256], count_row)
            .reduce(|| [0; 256], together)
    }

    /// What symmetries that keep a set do to the places beside it.
    fn maps(&self, fixed: PointSet, keeping: &[u16]) -> Vec<PlaceMap> {
        let board = self.board();
        let free = board.all_points() & !fixed;
        let map = |&g: &u16| {
            let symmetry = &board.symmetries()[usize::from(g)];
            let image = |p: usize| on_places(1 << symmetry.image(p), free).trailing_zeros();
            PlaceMap::new(&points(free).map(|p| Some(image(p))).collect::<Vec<_>>())
        };
        keeping.iter().map(map).collect()
    }
}
