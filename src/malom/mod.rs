//! Files of the program Malom: our values written as its databases, and its databases held against our values.
//!
//! Malom (G. E. Gévay and G. Danner, <https://github.com/ggevay/malom>) solved nine men's morris, morabaraba and
//! Lasker's game. Its files are what Sanmill, NMM_LLM and Malom itself read: a folder with one file a sector, named
//! by the men on the board and in hand, the side to move first, and a text with a value for each sector.
//!
//! ```text
//! nine-malom/
//!   std.secval            the values of the sectors, see [`SectorValues`]
//!   std_3_4_0_0.sec2      3 men to move against 4, none in hand: three bytes an entry
//!   std_3_4_6_5.sec2
//!   std_3_4_0_0.sec       the older form: a byte an entry, without values of sectors
//! ```
//!
//! [`MalomIndex`] numbers the entries of a file, an [`Entry`] is what one of them says, a [`SectorFile`] is a
//! file to read, [`export`] writes a folder of them from a database, and [`check`] compares a folder with one.
//!
//! # Draws
//!
//! Malom's own files rank draws: they tell in which sector a game gets stuck in which each side prefers some sectors
//! to others. Our draws are all the same. In the terms of the files their *absolute value* is 0, the value of
//! balance, which every reader takes for a draw. What stands beside a draw is the count that Malom's solver has left
//! when it ends, see [`counts`]; readers pass over it, and Malom's solver would have left the same one.
//!
//! # What the bytes rest on
//!
//! No copy and no digest of a file of Malom is in this repository. This was written from a description of the files
//! that had been checked against those that Malom ships and against runs of its solver: in every entry of the
//! movement sectors 3-3, 3-4 and 4-3, in both forms, the counts among them. The tests hold exported sectors against
//! the counts and positions in `data/reference`, which were decoded from Malom's files, and every byte of some
//! sectors of each game against a second, slow computation. So a `.sec` file is the one that Malom's solver writes,
//! and a `.sec2` file the one it would write by the same values of sectors, as far as that description is right.

pub mod check;
pub mod counts;
mod entry;
mod error;
mod export;
mod index;
mod rows;
mod sec;
mod sec2;
mod sector_file;
mod sector_values;
mod source;

pub use entry::{Entry, Flaw};
pub use error::{Damage, MalomError};
pub use export::{ExportOptions, Exported, ExportedSector, bytes_needed, export};
pub use index::MalomIndex;
pub use sector_file::SectorFile;
pub use sector_values::SectorValues;

use crate::game::{Sector, Variant};

/// A game that Malom knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// What the names of its files begin with.
    pub prefix: &'static str,
    /// Id of the built-in variant with its rules.
    variant: &'static str,
    /// Bits of an entry that tell its result; the others tell the distance.
    key1_bits: u32,
    /// The absolute value of a win; that of a loss is its opposite.
    win: i32,
    /// How lines end in the text with the values of the sectors.
    line_end: &'static str,
}

/// The games of Malom, with the absolute values that its own files give to a win.
const GAMES: [Game; 3] = [
    Game {
        prefix: "std",
        variant: "nine",
        key1_bits: 12,
        win: 299,
        line_end: "\n",
    },
    Game {
        prefix: "mora",
        variant: "twelve",
        key1_bits: 14,
        win: 704,
        line_end: "\r\n",
    },
    Game {
        prefix: "lask",
        variant: "lasker",
        key1_bits: 14,
        win: 1715,
        line_end: "\r\n",
    },
];

impl Game {
    /// The game with the rules of a variant, by whatever name.
    ///
    /// # Errors
    /// When Malom has no such game.
    pub fn of(variant: &Variant) -> Result<Game, MalomError> {
        let is = |game: &Game| {
            Variant::builtin(game.variant)
                .is_ok_and(|known| known.fingerprint() == variant.fingerprint())
        };
        let game = GAMES.into_iter().find(is);
        game.ok_or_else(|| MalomError::OtherGame {
            variant: variant.id.clone(),
        })
    }

    /// The name of the file with the values of the sectors.
    pub fn values_name(&self) -> String {
        format!("{}.secval", self.prefix)
    }

    /// The name of the file of a sector.
    pub fn file_name(&self, sector: Sector, form: Form) -> String {
        format!("{}_{}.{}", self.prefix, sector.file_stem(), form.ending())
    }

    /// The sector and form that a file name is for, if it is one of this game.
    pub fn sector_of(&self, name: &str) -> Option<(Sector, Form)> {
        let (stem, ending) = name.split_once('.')?;
        let form = Form::ALL.into_iter().find(|form| form.ending() == ending)?;
        let stem = stem.strip_prefix(self.prefix)?.strip_prefix('_')?;
        Sector::from_file_stem(stem).map(|sector| (sector, form))
    }
}

/// The two forms of sector files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// `.sec2`: three bytes an entry, with values of sectors beside. What Malom ships and others read.
    #[default]
    Sec2,
    /// `.sec`: a byte an entry. What Malom's solver writes when it does not rank draws.
    Sec,
}

impl Form {
    const ALL: [Form; 2] = [Form::Sec2, Form::Sec];

    /// The ending of its file names, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Form::Sec2 => "sec2",
            Form::Sec => "sec",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_told_apart() {
        let game = Game::of(&Variant::builtin("nine").unwrap()).unwrap();
        let sector = "3-4+6-5".parse().unwrap();
        for form in Form::ALL {
            let name = game.file_name(sector, form);
            assert_eq!(game.sector_of(&name), Some((sector, form)));
        }
        assert_eq!(game.file_name(sector, Form::Sec2), "std_3_4_6_5.sec2");
        for other in [
            "std_3_4_6_5.sec3",
            "std_3_4_6.sec2",
            "std_3_4_6_5_0.sec2",
            "std_03_4_6_5.sec2",
            "std_3_4_+6_5.sec2",
            "std_3_4_6_256.sec",
            "mora_3_4_6_5.sec2",
            "stdx_3_4_6_5.sec2",
            "std_3_4_6_5.sec2.partial",
            "std.secval",
            "std",
            "",
        ] {
            assert_eq!(game.sector_of(other), None, "{other}");
        }
    }

    #[test]
    fn only_games_with_the_same_rules_are_malom_s() {
        for (id, prefix) in [("nine", "std"), ("twelve", "mora"), ("lasker", "lask")] {
            let mut variant = Variant::builtin(id).unwrap();
            variant.id = "mine".to_owned();
            assert_eq!(Game::of(&variant).unwrap().prefix, prefix);
        }
        for id in ["six", "twelve-first-loses", "nine-no-flying", "lasker-nine"] {
            let error = Game::of(&Variant::builtin(id).unwrap()).unwrap_err();
            assert!(error.to_string().contains(id), "{error}");
        }
    }
}
