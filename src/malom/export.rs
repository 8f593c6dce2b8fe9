//! Writes sectors of a database as files of Malom.
//!
//! A file is written row by row, many rows at once on all threads, under a provisional name that it loses when it is
//! complete. The text with the values of the sectors comes last: what was stopped has none, or one without the
//! sectors that were not written, and is written anew. Files of others are never replaced.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use super::counts::{Counts, DrawCache};
use super::entry::{Coding, Entry};
use super::rows::Rows;
use super::sector_file::{coding, exceptions_bytes, size};
use super::source::Source;
use super::{Form, Game, MalomError, MalomIndex, SectorValues};
use crate::database::{Database, DatabaseError, IoContext, Output};
use crate::game::Sector;
use crate::index::Fixed;
use crate::solve::Progress;
use crate::value::{Score, Value};

/// What to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// These sectors, or all that the database has.
    pub sectors: Option<BTreeSet<Sector>>,
    /// In this form.
    pub form: Form,
    /// A text with the values of the sectors to write by; else they are
    /// [balanced](SectorValues::balanced). The form `.sec` has none.
    pub values: Option<PathBuf>,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// What Malom calls the game.
    pub game: &'static str,
    /// The files of the sectors.
    pub files: Vec<ExportedSector>,
    /// Bytes of all of them.
    pub bytes: u64,
}

/// A file of a sector that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExportedSector {
    /// Its name.
    pub name: String,
    /// Its entries.
    pub entries: u64,
    /// How many of them have something in the list of exceptions.
    pub exceptions: usize,
    /// Its size.
    pub bytes: u64,
    /// Its BLAKE3 digest in hexadecimal digits.
    pub blake3: String,
}

/// How many bytes an export takes on disk: exceptions, of which there are hardly any, not counted.
///
/// # Errors
/// When Malom does not know the game, or the database has no such sector or no distances.
pub fn bytes_needed(database: &Database, options: &ExportOptions) -> Result<u64, MalomError> {
    let source = Source::new(database)?;
    let index = MalomIndex::new(&database.variant().board);
    let sectors = chosen(database, &source, options)?.into_iter();
    let sizes = sectors.map(|sector| size(options.form, index.entries(sector), 0));
    Ok(sizes.sum())
}

/// Writes sectors of a database, one file each, and for the form `.sec2` the text with their values. Works on all
/// threads of the current rayon pool; takes about two bytes of memory for each position of the largest sector.
///
/// # Errors
/// When Malom does not know the game, the database has no distances or lacks a sector that is asked for or that a
/// turn leads to, a file that would be written is there already, or a file cannot be read or written.
pub fn export(
    database: &Database,
    out: &Path,
    options: &ExportOptions,
    progress: &dyn Progress,
) -> Result<Exported, MalomError> {
    let source = Source::new(database)?;
    let game = source.game();
    let sectors = chosen(database, &source, options)?;
    let values = values(&source, &sectors, options)?;
    let there = check_folder(&game, out, &sectors, &values, options.form)?;
    fs::create_dir_all(out).or_io("create the folder", out)?;

    let index = MalomIndex::new(&database.variant().board);
    let entries = sectors.iter().map(|&sector| index.entries(sector)).sum();
    progress.stage("exporting", entries);
    let mut draws = DrawCache::default();
    let mut files = Vec::new();
    for &sector in &sectors {
        let path = out.join(game.file_name(sector, options.form));
        let coding = coding(&game, &values, &path, sector, options.form)?;
        let counts = Counts::new(&source, &index, sector, &mut draws)?;
        let rows = Rows::new(&index, sector, source.scores(sector)?, Fixed::Mover);
        let writer = SectorWriter {
            coding,
            counts,
            rows,
        };
        files.push(writer.write(&path, progress)?);
    }
    if options.form == Form::Sec2 {
        let listed = |sector| sectors.contains(&sector) || there.contains(&sector);
        let text = values.of_sectors(listed).text(&game);
        let mut output = Output::create(&out.join(game.values_name()))?;
        output.append(text.as_bytes())?;
        output.finish(false)?;
    }
    Ok(Exported {
        game: game.prefix,
        bytes: files.iter().map(|file| file.bytes).sum(),
        files,
    })
}

/// The sectors to write.
fn chosen(
    database: &Database,
    source: &Source,
    options: &ExportOptions,
) -> Result<BTreeSet<Sector>, MalomError> {
    let sectors = match &options.sectors {
        Some(sectors) => sectors.clone(),
        None => source.sectors().collect(),
    };
    for &sector in &sectors {
        if !database.has(sector) {
            let path = database.dir().to_owned();
            return Err(DatabaseError::NoSector { path, sector }.into());
        }
        let mut next = source.variant().sectors_after(sector).into_iter();
        if let Some(lacking) = next.find(|&next| !database.has(next)) {
            return Err(MalomError::Needs {
                path: database.dir().to_owned(),
                sector,
                lacking,
            });
        }
    }
    Ok(sectors)
}

/// The values to write by: of all sectors that the game has, or that the text has.
fn values(
    source: &Source,
    sectors: &BTreeSet<Sector>,
    options: &ExportOptions,
) -> Result<SectorValues, MalomError> {
    let game = source.game();
    let text = options.values.as_ref();
    let Some(path) = text.filter(|_| options.form == Form::Sec2) else {
        return Ok(SectorValues::balanced(&game, source.variant().sectors()));
    };
    let values = SectorValues::read(path, &game)?;
    match sectors.iter().find(|&&s| values.get(s).is_none()) {
        None => Ok(values),
        Some(&sector) => Err(MalomError::NoValue {
            path: path.clone(),
            sector,
        }),
    }
}

/// Makes sure that nothing of others is replaced or mixed up. Returns the sectors that are there already, with the
/// same values.
fn check_folder(
    game: &Game,
    out: &Path,
    sectors: &BTreeSet<Sector>,
    values: &SectorValues,
    form: Form,
) -> Result<BTreeSet<Sector>, MalomError> {
    let text = out.join(game.values_name());
    let listed = match form {
        Form::Sec2 if text.exists() => SectorValues::read(&text, game)?,
        _ => SectorValues::balanced(game, []),
    };
    let same = |sector| listed.get(sector) == values.get(sector);
    let some = listed.sectors().next().is_some();
    if some && (listed.win() != values.win() || !listed.sectors().all(same)) {
        return Err(MalomError::OtherValues { path: text });
    }
    for &sector in sectors {
        let path = out.join(game.file_name(sector, form));
        // What no text lists was left by an export that was stopped.
        if path.exists() && (form == Form::Sec || listed.get(sector).is_some()) {
            return Err(MalomError::AlreadyThere { path });
        }
    }
    Ok(listed.sectors().collect())
}

/// Writes one sector.
struct SectorWriter<'a> {
    coding: Coding,
    counts: Counts<'a>,
    rows: Rows<'a>,
}

/// Room for a row, used again for the next.
#[derive(Default)]
struct Workspace {
    scores: Vec<u8>,
    /// Draws that are no redirects: the opponent's sets.
    draws: Vec<u32>,
    counts: Vec<u32>,
}

impl SectorWriter<'_> {
    fn write(&self, path: &Path, progress: &dyn Progress) -> Result<ExportedSector, MalomError> {
        let mut output = Output::create(path)?;
        output.append(&self.coding.header())?;
        let row_bytes = self.rows.sets().len() * self.coding.entry_bytes();
        let mut bytes = Vec::new();
        let mut exceptions = Vec::new();
        for batch in self.rows.batches(self.coding.entry_bytes()) {
            let rows = batch.len();
            bytes.resize(rows * row_bytes, 0);
            let each = bytes.par_chunks_mut(row_bytes).zip(batch);
            let each = each.map_init(Workspace::default, |work, (bytes, row)| {
                self.row(row, bytes, work)
            });
            let found: Vec<_> = each.collect();
            exceptions.extend(found.into_iter().flatten());
            output.append(&bytes)?;
            progress.advance((rows * self.rows.sets().len()) as u64);
        }
        output.append(&exceptions_bytes(&exceptions))?;
        let written = output.finish(false)?;
        let name = path.file_name().unwrap_or_default();
        Ok(ExportedSector {
            name: name.to_string_lossy().into_owned(),
            entries: self.rows.count() as u64 * self.rows.sets().len() as u64,
            exceptions: exceptions.len(),
            bytes: written.bytes,
            blake3: written.digest,
        })
    }

    /// Writes the entries of a row; returns its exceptions.
    fn row(&self, row: usize, bytes: &mut [u8], work: &mut Workspace) -> Vec<(i32, i32)> {
        let sets = self.rows.sets();
        work.scores.resize(sets.len(), 0);
        self.rows.read(row, &mut work.scores);
        let redirects = self.rows.redirects(row);
        let redirect = |at: usize| redirects.get(at).copied().flatten();

        let drawn = |&(at, _): &(usize, &u32)| {
            Score(work.scores[at]) == Score::DRAW && redirect(at).is_none()
        };
        work.draws.clear();
        let draws = sets.iter().enumerate().filter(drawn);
        work.draws.extend(draws.map(|(_, &set)| set));
        self.counts.count(row, &work.draws, &mut work.counts);

        let mut counts = work.counts.iter().copied();
        let mut exceptions = Vec::new();
        let entries = bytes.chunks_exact_mut(self.coding.entry_bytes());
        for (at, (bytes, &score)) in entries.zip(&work.scores).enumerate() {
            let entry = match (redirect(at), Score(score).value()) {
                (Some(op), _) => Entry::Redirect(op),
                (None, Value::Win(plies)) => Entry::Win(plies.into()),
                (None, Value::Loss(plies)) => Entry::Loss(plies.into()),
                (None, Value::Draw) => Entry::Draw(counts.next()),
            };
            if let Some(exception) = self.coding.encode(entry, bytes) {
                exceptions.push(((row * sets.len() + at) as i32, exception));
            }
        }
        exceptions
    }
}
