//! The values of sectors: the text that stands beside `.sec2` files.
//!
//! ```text
//! virt_loss_val: -299
//! virt_win_val: 299
//! 3
//! 4 3 0 0  -40
//! 3 3 0 0  0
//! 3 4 0 0  40
//! ```
//!
//! A win has the absolute value 299 and a loss -299; results in the file of a sector are written less the value of
//! that sector. In Malom's own files the values rank the sectors by how well the side to move does in them, so that
//! they can say in which of them a drawn game gets stuck. Our draws say nothing of the kind, so the
//! [balanced](SectorValues::balanced) values, which we write by, are all 0: wins, losses and draws are then 299,
//! -299 and 0 in every file. Readers take them as they are:
//!
//! - Malom asks for a win that is the opposite of a loss and small enough for its entries, for opposite values
//!   of a sector with empty hands and the same with the sides changed, and for values that differ, but for those
//!   that are 0. Built to check itself it also wants every sector of the game in the text, which is the case when all
//!   sectors are exported.
//! - Sanmill and NMM_LLM only add the value to an entry. Sanmill's `data-query` refuses a folder that lacks a sector
//!   of the text, so the text names the sectors that are in the folder and no others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::sec2::Keys;
use super::{Game, MalomError};
use crate::game::Sector;

/// What the sectors of a folder are worth in Malom's ranking, and what a win is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorValues {
    win: i32,
    values: BTreeMap<Sector, i32>,
}

/// Far more than any such text has.
const MOST_BYTES: u64 = 1 << 20;

impl SectorValues {
    /// All 0, for these sectors.
    pub fn balanced(game: &Game, sectors: impl IntoIterator<Item = Sector>) -> SectorValues {
        SectorValues {
            win: game.win,
            values: sectors.into_iter().map(|sector| (sector, 0)).collect(),
        }
    }

    /// Reads the text in a file.
    ///
    /// # Errors
    /// When it cannot be read, is not of this form, or has values that do not fit into the entries of the game.
    pub fn read(path: &Path, game: &Game) -> Result<SectorValues, MalomError> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
        read.map_err(|source| MalomError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        let text = String::from_utf8_lossy(&bytes);
        parse(&text, game).map_err(|(line, problem)| MalomError::Values {
            path: path.to_owned(),
            line,
            problem,
        })
    }

    /// The absolute value of a win.
    pub fn win(&self) -> i32 {
        self.win
    }

    /// The value of a sector.
    pub fn get(&self, sector: Sector) -> Option<i32> {
        self.values.get(&sector).copied()
    }

    /// The sectors.
    pub fn sectors(&self) -> impl Iterator<Item = Sector> {
        self.values.keys().copied()
    }

    /// The same with these sectors alone.
    #[must_use]
    pub fn of_sectors(mut self, wanted: impl Fn(Sector) -> bool) -> SectorValues {
        self.values.retain(|&sector, _| wanted(sector));
        self
    }

    /// The text, with the sectors in ascending order of their values.
    pub fn text(&self, game: &Game) -> String {
        let mut sectors: Vec<_> = self.values.iter().collect();
        sectors.sort_by_key(|(sector, value)| (**value, **sector));
        let (win, end) = (self.win, game.line_end);
        let mut text = format!("virt_loss_val: {}{end}virt_win_val: {win}{end}", -win);
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{end}", sectors.len());
        for (sector, value) in sectors {
            let Sector {
                mover,
                opponent,
                mover_hand,
                opponent_hand,
            } = sector;
            let _ = write!(
                text,
                "{mover} {opponent} {mover_hand} {opponent_hand}  {value}{end}"
            );
        }
        text
    }
}

/// Reads the text; what is wrong comes with its line.
fn parse(text: &str, game: &Game) -> Result<SectorValues, (usize, String)> {
    let mut lines = (1..).zip(text.lines().map(str::trim));
    let mut next = |what: &str| {
        let missing = || (text.lines().count() + 1, format!("{what} is missing"));
        lines.next().ok_or_else(missing)
    };
    let (line, loss) = next("`virt_loss_val:`")?;
    let loss = number(
        line,
        loss.strip_prefix("virt_loss_val:"),
        "`virt_loss_val:`",
    )?;
    let (line, win) = next("`virt_win_val:`")?;
    let win = number(line, win.strip_prefix("virt_win_val:"), "`virt_win_val:`")?;
    if loss.checked_neg() != Some(win) || !Keys::fits(game, win) {
        let problem =
            format!("a win of {win} and a loss of {loss} do not fit into its sector files");
        return Err((line, problem));
    }
    let (line, count) = next("the number of sectors")?;
    let count = number(line, Some(count), "the number of sectors")?;
    let mut values = BTreeMap::new();
    for _ in 0..count {
        let (line, entry) = next("a sector")?;
        let (sector, value) = sector(line, entry)?;
        if value.unsigned_abs() >= win.unsigned_abs() {
            return Err((
                line,
                format!("the value {value} is not between a loss and a win"),
            ));
        }
        if values.insert(sector, value).is_some() {
            return Err((line, format!("sector {sector} is there twice")));
        }
    }
    match lines.find(|(_, rest)| !rest.is_empty()) {
        Some((line, _)) => Err((
            line,
            format!("there is more than the {count} sectors it names"),
        )),
        None => Ok(SectorValues { win, values }),
    }
}

fn number(line: usize, text: Option<&str>, what: &str) -> Result<i32, (usize, String)> {
    let number = text.and_then(|text| text.trim().parse().ok());
    number.ok_or_else(|| (line, format!("{what} with a number belongs here")))
}

fn sector(line: usize, text: &str) -> Result<(Sector, i32), (usize, String)> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let problem = || {
        (
            line,
            "four numbers of men and a value belong here".to_owned(),
        )
    };
    let [men @ .., value] = &fields[..] else {
        return Err(problem());
    };
    let men: Option<Vec<u8>> = men.iter().map(|men| men.parse().ok()).collect();
    let Some([mover, opponent, mover_hand, opponent_hand]) = men.as_deref() else {
        return Err(problem());
    };
    let sector = Sector {
        mover: *mover,
        opponent: *opponent,
        mover_hand: *mover_hand,
        opponent_hand: *opponent_hand,
    };
    let value = value.parse().map_err(|_| problem())?;
    Ok((sector, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::malom::GAMES;

    const STD: Game = GAMES[0];
    const MORA: Game = GAMES[1];
    const LASK: Game = GAMES[2];

    fn sector(text: &str) -> Sector {
        text.parse().unwrap()
    }

    /// The text of the module's picture.
    const TEXT: &str =
        "virt_loss_val: -299\nvirt_win_val: 299\n3\n4 3 0 0  -40\n3 3 0 0  0\n3 4 0 0  40\n";

    #[test]
    fn the_text_is_read_and_written() {
        let values = parse(TEXT, &STD).unwrap();
        assert_eq!(values.win(), 299);
        let of = ["4-3", "3-3", "3-4", "3-5"].map(|name| values.get(sector(name)));
        assert_eq!(of, [Some(-40), Some(0), Some(40), None]);
        assert_eq!(values.text(&STD), TEXT);
        let windows = TEXT.replace('\n', "\r\n").replace("  ", " ") + "\r\n";
        assert_eq!(parse(&windows, &STD), Ok(values.clone()));
        let fewer = values.of_sectors(|sector| sector.mover == 3);
        assert_eq!(fewer.sectors().count(), 2);
    }

    #[test]
    fn balanced_values_have_the_form_of_each_game() {
        for (game, end) in [(STD, "\n"), (MORA, "\r\n"), (LASK, "\r\n")] {
            let sectors = ["3-4", "3-3", "0-1+9-8"].map(sector);
            let values = SectorValues::balanced(&game, sectors);
            let text = values.text(&game);
            let lines: Vec<&str> = text.split(end).collect();
            assert_eq!(
                lines[2..],
                ["3", "0 1 9 8  0", "3 3 0 0  0", "3 4 0 0  0", ""]
            );
            assert_eq!(parse(&text, &game), Ok(values));
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let cases = [
            ("", 1, "`virt_loss_val:` is missing"),
            (
                "virt_win_val: 299",
                1,
                "`virt_loss_val:` with a number belongs here",
            ),
            ("virt_loss_val: -299", 2, "`virt_win_val:` is missing"),
            (
                "virt_loss_val: -299\nvirt_win_val: x",
                2,
                "`virt_win_val:` with a number belongs here",
            ),
            (
                "virt_loss_val: -299\nvirt_win_val: 298",
                2,
                "a win of 298 and a loss of -299 do not fit into its sector files",
            ),
            (
                "virt_loss_val: -1022\nvirt_win_val: 1022",
                2,
                "a win of 1022 and a loss of -1022 do not fit into its sector files",
            ),
            (
                "virt_loss_val: 2147483647\nvirt_win_val: -2147483648",
                2,
                "a win of -2147483648 and a loss of 2147483647 do not fit into its sector files",
            ),
            (&TEXT.replace("\n3\n", "\n4\n"), 7, "a sector is missing"),
            (
                &TEXT.replace("\n3\n", "\n2\n"),
                6,
                "there is more than the 2 sectors it names",
            ),
            (
                &TEXT.replace(" -40", " -299"),
                4,
                "the value -299 is not between a loss and a win",
            ),
            (
                &TEXT.replace("3 4 0", "3 3 0"),
                6,
                "sector 3-3 is there twice",
            ),
            (
                &TEXT.replace("3 3 0 0", "3 3 0"),
                5,
                "four numbers of men and a value belong here",
            ),
            (
                &TEXT.replace("3 3 0 0", "3 3 0 256"),
                5,
                "four numbers of men and a value belong here",
            ),
        ];
        for (text, line, problem) in cases {
            assert_eq!(parse(text, &STD), Err((line, problem.to_owned())), "{text}");
        }
        // Malom's limit: twice a loss, less 5, is more than the least number of 12 bits.
        let win = |win: i32| format!("virt_loss_val: -{win}\nvirt_win_val: {win}\n0\n");
        assert!(parse(&win(1021), &STD).is_ok());
        assert!(parse(&win(1022), &MORA).is_ok());
    }
}
