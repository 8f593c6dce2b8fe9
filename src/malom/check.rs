//! Holds a folder of Malom's files against a database, entry by entry.
//!
//! ```text
//! entry                        compared with
//! redirect                     the redirect that belongs there; if it is another, it is followed, and what is
//!                              found there is compared with the value of the position
//! win or loss, its plies       the value of the position in the database
//! draw                         whether it is drawn there: neither the ranking of draws nor their counts matter
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use super::rows::Rows;
use super::sector_file::SectorFile;
use super::source::Source;
use super::{Entry, Form, Game, MalomError, MalomIndex, SectorValues};
use crate::database::Database;
use crate::game::{Sector, Variant};
use crate::index::Fixed;
use crate::notation::write_position;
use crate::solve::Progress;
use crate::value::{Score, Value};
use crate::verify::consistency::sets::on_places;

/// What to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// These sectors, or all that are there.
    pub sectors: Option<BTreeSet<Sector>>,
    /// How many differences of a file to keep.
    pub examples: usize,
}

/// What was compared, and what differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What Malom calls the game.
    pub game: &'static str,
    /// The files that were compared.
    pub files: Vec<FileReport>,
    /// Files of sectors that the database lacks.
    pub not_in_database: Vec<String>,
}

/// What was found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Its name.
    pub name: String,
    /// Its entries.
    pub entries: u64,
    /// Those that are positions and no redirects.
    pub positions: u64,
    /// What differs.
    #[serde(flatten)]
    pub differences: Differences,
    /// The first few that differ.
    pub examples: Vec<Example>,
}

/// How much differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Differences {
    /// Positions of another result.
    pub results: u64,
    /// Positions of the same result in other plies.
    pub plies: u64,
    /// Entries that are another redirect, are none, or should be none.
    pub redirects: u64,
}

/// An entry that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Its number.
    pub entry: u64,
    /// The position, as Sanmill writes it.
    pub position: String,
    /// What the file says.
    pub found: String,
    /// What belongs there by the database.
    pub expected: String,
}

impl Differences {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.results + self.plies + self.redirects
    }

    fn add(&mut self, other: Differences) {
        self.results += other.results;
        self.plies += other.plies;
        self.redirects += other.redirects;
    }
}

impl Report {
    /// All differences of all files.
    pub fn differences(&self) -> Differences {
        let mut all = Differences::default();
        self.files.iter().for_each(|file| all.add(file.differences));
        all
    }
}

/// Compares every sector file of the game in a folder with a database. Works on all threads of the current
/// rayon pool.
///
/// # Errors
/// When Malom does not know the game, the database has no distances, the folder has no file that is asked for or none
/// of a sector that the database has, or a file of either cannot be read or is damaged.
pub fn check(
    database: &Database,
    dir: &Path,
    options: &CheckOptions,
    progress: &dyn Progress,
) -> Result<Report, MalomError> {
    let source = Source::new(database)?;
    let game = source.game();
    let index = MalomIndex::new(&database.variant().board);
    let names = names(&game, database.variant(), dir, options)?;
    let (here, absent): (Vec<_>, Vec<_>) = names
        .into_iter()
        .partition(|(_, sector, _)| database.has(*sector));
    if let ([], [(name, ..), ..]) = (&here[..], &absent[..]) {
        return Err(MalomError::NothingToCompare {
            path: database.dir().to_owned(),
            file: dir.join(name),
        });
    }
    // The older form has no values, so that the text with them may be missing.
    let values = match here.iter().any(|(_, _, form)| *form == Form::Sec2) {
        true => SectorValues::read(&dir.join(game.values_name()), &game)?,
        false => SectorValues::balanced(&game, []),
    };
    let entries = here.iter().map(|(_, sector, _)| index.entries(*sector));
    progress.stage("comparing", entries.sum());
    let mut files = Vec::new();
    for (name, sector, _) in here {
        let file = SectorFile::open(&dir.join(&name), &game, &index, &values)?;
        let comparison = Comparison {
            variant: database.variant(),
            index: &index,
            sector,
            rows: Rows::new(&index, sector, source.scores(sector)?, Fixed::Mover),
            file,
            examples: options.examples,
        };
        files.push(comparison.whole(name, progress)?);
    }
    Ok(Report {
        game: game.prefix,
        files,
        not_in_database: absent.into_iter().map(|(name, ..)| name).collect(),
    })
}

/// A file: its name, and what that tells.
type Named = (String, Sector, Form);

/// The files to compare, by sector.
fn names(
    game: &Game,
    variant: &Variant,
    dir: &Path,
    options: &CheckOptions,
) -> Result<Vec<Named>, MalomError> {
    let cannot = |source| MalomError::Io {
        action: "list",
        path: dir.to_owned(),
        source,
    };
    let asked = |sector| options.sectors.as_ref().is_none_or(|s| s.contains(&sector));
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name();
        let name = name.to_string_lossy().into_owned();
        if let Some((sector, form)) = game.sector_of(&name)
            && asked(sector)
            && dir.join(&name).is_file()
        {
            names.push((name, sector, form));
        }
    }
    let sectors: BTreeSet<Sector> = variant.sectors().into_iter().collect();
    if let Some((name, sector, _)) = names.iter().find(|(_, s, _)| !sectors.contains(s)) {
        return Err(MalomError::NoSuchSector {
            path: dir.join(name),
            sector: *sector,
        });
    }
    if names.is_empty() {
        let asked = options.sectors.as_ref().and_then(|s| s.first().copied());
        let sector = asked.unwrap_or(variant.start().sector());
        return Err(MalomError::NothingThere {
            path: dir.to_owned(),
            example: game.file_name(sector, Form::Sec2),
        });
    }
    names.sort_by_key(|&(_, sector, form)| (sector, form));
    Ok(names)
}

/// A file and the sector of ours that it is to be equal to.
struct Comparison<'a> {
    variant: &'a Variant,
    index: &'a MalomIndex,
    sector: Sector,
    rows: Rows<'a>,
    file: SectorFile,
    /// How many differences to keep.
    examples: usize,
}

/// A row of a file beside what belongs there.
struct Row<'a> {
    /// The first entry.
    first: u64,
    bytes: &'a [u8],
    scores: &'a [u8],
    redirects: Vec<Option<u8>>,
}

/// What was found in a row.
#[derive(Default)]
struct Found {
    positions: u64,
    differences: Differences,
    /// Entries with what they say and what belongs there.
    examples: Vec<(u64, String, String)>,
}

impl Comparison<'_> {
    fn whole(&self, name: String, progress: &dyn Progress) -> Result<FileReport, MalomError> {
        let mut report = FileReport {
            name,
            entries: self.file.entries(),
            ..FileReport::default()
        };
        let row_len = self.rows.sets().len();
        let row_bytes = row_len * self.file.entry_bytes();
        let mut bytes = Vec::new();
        for batch in self.rows.batches(self.file.entry_bytes()) {
            let rows = batch.len();
            bytes.resize(rows * row_bytes, 0);
            let first = batch.start as u64 * row_len as u64;
            self.file.read(first, &mut bytes)?;
            let each = bytes.par_chunks(row_bytes).zip(batch);
            let each = each.map_init(Vec::new, |scores, (bytes, row)| {
                self.row(row, bytes, scores)
            });
            let found: Vec<Found> = each.collect::<Result<_, _>>()?;
            found
                .into_iter()
                .for_each(|row| self.note(&mut report, row));
            progress.advance((rows * row_len) as u64);
        }
        Ok(report)
    }

    fn note(&self, report: &mut FileReport, row: Found) {
        report.positions += row.positions;
        report.differences.add(row.differences);
        let room = self.examples.saturating_sub(report.examples.len());
        let example = |(entry, found, expected)| Example {
            entry,
            position: self.position(entry),
            found,
            expected,
        };
        let examples = row.examples.into_iter().take(room);
        report.examples.extend(examples.map(example));
    }

    fn row(&self, number: usize, bytes: &[u8], scores: &mut Vec<u8>) -> Result<Found, MalomError> {
        let row_len = self.rows.sets().len();
        scores.resize(row_len, 0);
        self.rows.read(number, scores);
        let row = Row {
            first: (number * row_len) as u64,
            bytes,
            scores,
            redirects: self.rows.redirects(number),
        };
        let mut found = Found::default();
        for at in 0..row_len {
            self.compare(&row, at, &mut found)?;
        }
        Ok(found)
    }

    /// Compares one entry of a row.
    fn compare(&self, row: &Row, at: usize, found: &mut Found) -> Result<(), MalomError> {
        let says = self.decode(row, at)?;
        let redirect = row.redirects.get(at).copied().flatten();
        found.positions += u64::from(redirect.is_none());
        let value = match (says, redirect) {
            (Entry::Redirect(op), Some(right)) if op == right => return Ok(()),
            (Entry::Redirect(op), _) => self.follow(row, at, op)?,
            (value, _) => Some(value),
        };
        let mut differences = Differences {
            redirects: u64::from(redirect.is_some() || matches!(says, Entry::Redirect(_))),
            ..Differences::default()
        };
        let ours = Score(row.scores[at]).value();
        match value.map(|value| compare(value, ours)) {
            Some(Compared::Same) | None => {}
            Some(Compared::OtherPlies) => differences.plies = 1,
            Some(Compared::OtherResult) => differences.results = 1,
        }
        found.differences.add(differences);
        if differences.total() > 0 && found.examples.len() < self.examples {
            let expected = match redirect {
                Some(op) => text(Entry::Redirect(op)),
                None => ours.to_string(),
            };
            let entry = row.first + at as u64;
            found.examples.push((entry, text(says), expected));
        }
        Ok(())
    }

    /// The value that a redirect leads to, if it leads to one.
    fn follow(&self, row: &Row, at: usize, op: u8) -> Result<Option<Entry>, MalomError> {
        let (mover, opponent) = self.index.men(self.sector, row.first + at as u64);
        if self.index.image(op, mover) != mover {
            // It leads out of the row, where the entry of the position cannot be.
            return Ok(None);
        }
        let free = self.index.board().all_points() & !mover;
        let set = on_places(self.index.image(op, opponent), free);
        let says = self.decode(row, self.index.ranks.of(set))?;
        Ok(Some(says).filter(|says| !matches!(says, Entry::Redirect(_))))
    }

    fn decode(&self, row: &Row, at: usize) -> Result<Entry, MalomError> {
        let size = self.file.entry_bytes();
        let bytes = &row.bytes[at * size..(at + 1) * size];
        self.file.decode(row.first + at as u64, bytes)
    }

    fn position(&self, entry: u64) -> String {
        let men = self.index.men(self.sector, entry);
        write_position(self.variant, &self.sector.position(men).into())
    }
}

/// How an entry differs from a value.
enum Compared {
    Same,
    OtherPlies,
    OtherResult,
}

fn compare(entry: Entry, ours: Value) -> Compared {
    let plies = match (entry, ours) {
        (Entry::Win(theirs), Value::Win(ours)) => (theirs, ours),
        (Entry::Loss(theirs), Value::Loss(ours)) => (theirs, ours),
        (Entry::Draw(_), Value::Draw) => return Compared::Same,
        _ => return Compared::OtherResult,
    };
    match plies.0 == u32::from(plies.1) {
        true => Compared::Same,
        false => Compared::OtherPlies,
    }
}

/// An entry in words.
fn text(entry: Entry) -> String {
    match entry {
        Entry::Win(1) => "win in 1 ply".to_owned(),
        Entry::Win(plies) => format!("win in {plies} plies"),
        Entry::Loss(plies) => format!("loss in {plies} plies"),
        Entry::Draw(_) => "draw".to_owned(),
        Entry::Redirect(op) => format!("redirect by operation {op}"),
    }
}
