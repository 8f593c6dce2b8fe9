//! All cells of some sectors in a row, to draw positions from.

use super::SectorIndex;
use crate::game::{Position, Sector};

/// The cells of some sectors, numbered through.
#[derive(Clone, Debug)]
pub struct Cells<'a> {
    index: &'a SectorIndex,
    /// The sectors, each with the number of cells before it.
    sectors: Vec<(u64, Sector)>,
    count: u64,
}

impl<'a> Cells<'a> {
    /// The cells of sectors, in their order.
    pub fn of(index: &'a SectorIndex, sectors: impl IntoIterator<Item = Sector>) -> Cells<'a> {
        let mut count = 0;
        let number = |sector| {
            let before = count;
            count += index.len(sector);
            (before, sector)
        };
        Cells {
            sectors: sectors.into_iter().map(number).collect(),
            index,
            count,
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The position in a cell, by its number; `None` when there are not so many.
    pub fn position(&self, number: u64) -> Option<Position> {
        let next = self
            .sectors
            .partition_point(|&(before, _)| before <= number);
        let &(before, sector) = self.sectors[..next].last()?;
        (number < self.count).then(|| self.index.position(sector, number - before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn cells_follow_each_other_and_empty_sectors_have_none() {
        let three = Variant::builtin("three").unwrap();
        let index = SectorIndex::new(&three.board, 3);
        let sectors = ["1-1+2-2", "9-9", "2-1+1-2"].map(|name| name.parse::<Sector>().unwrap());
        let cells = Cells::of(&index, sectors);
        let each = sectors
            .iter()
            .flat_map(|&sector| (0..index.len(sector)).map(move |cell| (sector, cell)));
        let expected: Vec<_> = each
            .map(|(s, cell)| Some(index.position(s, cell)))
            .collect();
        let found: Vec<_> = (0..cells.count())
            .map(|number| cells.position(number))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(cells.position(cells.count()), None);
        assert_eq!(Cells::of(&index, []).position(0), None);
    }
}
