//! The figures that are built in.

use std::str::FromStr;

use crate::game::Variant;
use crate::value::Outcome;

/// Sectors of all games, with counts and longest distances.
pub const SECTORS: &str = include_str!("../../../data/reference/malom-sectors.tsv");

/// What others have published of a game.
pub struct Published {
    /// Id of the built-in variant.
    pub id: &'static str,
    /// What Malom calls the game.
    pub malom: &'static str,
    /// A table of all sectors with empty hands, if there is one.
    pub movement: Option<&'static str>,
    /// A table of positions with their values.
    pub positions: &'static str,
    /// Sectors of the whole game. Source, as of the next: Malom's sector lists.
    pub all_sectors: usize,
    /// Distinct positions of the whole game, counted modulo the symmetries of the board.
    pub all_positions: u64,
    /// What the start position is worth to the first player, and in how many plies.
    pub start: (Outcome, Option<u16>),
    /// An opening with a single winning reply, and the plies it wins in.
    pub opening: Option<(&'static str, &'static str, u16)>,
}

/// The games of which figures are built in.
pub const GAMES: [Published; 3] = [
    Published {
        id: "nine",
        malom: "std",
        movement: Some(include_str!("../../../data/reference/nine-movement.tsv")),
        positions: include_str!("../../../data/reference/nine-positions.tsv"),
        all_sectors: 498,
        all_positions: 26_761_334_939,
        start: (Outcome::Draw, None),
        // Source: Malom's database.
        opening: Some(("d6 f4 b4 g4 e4 f6", "f2", 47)),
    },
    Published {
        id: "twelve",
        malom: "mora",
        movement: None,
        positions: include_str!("../../../data/reference/twelve-positions.tsv"),
        all_sectors: 1_216,
        all_positions: 111_999_566_300,
        start: (Outcome::Win, Some(49)),
        opening: None,
    },
    Published {
        id: "lasker",
        malom: "lask",
        movement: None,
        positions: include_str!("../../../data/reference/lasker-positions.tsv"),
        all_sectors: 3_070,
        all_positions: 133_460_964_090,
        start: (Outcome::Draw, None),
        opening: None,
    },
];

impl Published {
    /// Whether the figures are of this game, by whatever name.
    pub fn is(&self, variant: &Variant) -> bool {
        Variant::builtin(self.id).is_ok_and(|game| game.fingerprint() == variant.fingerprint())
    }
}

/// The games, in words.
pub fn names() -> String {
    GAMES.map(|game| format!("'{}'", game.id)).join(", ")
}

/// The rows of a table: fields of the lines that are neither comment nor header.
pub fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.skip(1).map(|line| line.split('\t').collect())
}

/// A number of a table. The tables write -1 where there is no win or loss; a test reads them all.
pub fn number<T: FromStr + Default>(text: &str) -> T {
    text.parse().unwrap_or_default()
}
