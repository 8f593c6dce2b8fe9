//! The letters of columns and the numbers of rows at the sides of a drawing.

use std::collections::BTreeMap;

use crate::game::Board;

/// What stands at the sides of a drawing, by the place of each column and row.
#[derive(Debug)]
pub(crate) struct Sides<T> {
    /// The number of each row.
    pub ranks: BTreeMap<T, String>,
    /// The letter of each column.
    pub files: BTreeMap<T, String>,
}

/// The letter of each column and the number of each row, if all labels are made that way; `places` says where
/// each point is drawn, its column and its row.
pub(crate) fn sides<T: Copy + Ord>(board: &Board, places: &[(T, T)]) -> Option<Sides<T>> {
    let (mut ranks, mut files) = (BTreeMap::new(), BTreeMap::new());
    for (p, &(column, row)) in places.iter().enumerate() {
        let (file, rank) = board.label(p).split_at(1);
        rank.parse::<u32>().ok()?;
        let file_fits = files.entry(column).or_insert_with(|| file.to_owned()) == file;
        let rank_fits = ranks.entry(row).or_insert_with(|| rank.to_owned()) == rank;
        if !file_fits || !rank_fits {
            return None;
        }
    }
    Some(Sides { ranks, files })
}
