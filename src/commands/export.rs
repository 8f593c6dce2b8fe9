//! `millbase export`: a database in the files of other programs.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, Subcommand, ValueEnum};
use millbase::database::Database;
use millbase::game::Sector;
use millbase::malom::{ExportOptions, Exported, Form, bytes_needed, export};

use super::failure::Failure;
use super::machine::available_disk;
use super::progress::Display;
use super::{duration, grouped, print, print_json, size, start_threads};

/// Writes a database in the files of other programs.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    to: To,
}

#[derive(Debug, Subcommand)]
enum To {
    Malom(Malom),
}

impl Arguments {
    /// Exports.
    pub fn run(self) -> Result<(), Failure> {
        match self.to {
            To::Malom(malom) => malom.run(),
        }
    }
}

/// Writes sectors as files of Malom, which Sanmill, NMM_LLM and Malom read.
///
/// For databases of `nine` (std), `twelve` (mora) and `lasker` (lask) with distances. Wins and losses have their exact
/// distances in plies to the end of the game. Draws are not ranked: all have the absolute value 0, and so has every
/// sector in the text that is written beside them (std.secval).
///
/// The folder may have sectors from an earlier export by the same values. An export that was stopped is begun anew by
/// the same command.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase export malom --db nine-db --out nine-malom --sectors 3-3,3-4,4-3
  millbase export malom --db nine-db --out nine-malom
  millbase export malom --db nine-db --out nine-sec --sectors 4-4 --format sec

A sector is named by the men on the board, the side to move first, and the men in hand: 3-4, 3-4+6-5. Programs that \
play need the sectors that turns lead to as well. All sectors of nine take 84 GB.")]
struct Malom {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// The folder to write the files to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only these sectors, separated by commas
    #[arg(long, value_name = "SECTORS", value_delimiter = ',')]
    sectors: Option<Vec<Sector>>,
    /// What to write
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write by the values of sectors in this text instead of by 0 for all, such as the one that Malom ships
    #[arg(long, value_name = "FILE")]
    secval: Option<PathBuf>,
    /// Print one JSON object with the files and their BLAKE3 digests instead
    #[arg(long)]
    json: bool,
}

/// A form of sector files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// .sec2 with std.secval: three bytes an entry, what programs read
    #[default]
    Sec2,
    /// .sec: a byte an entry, the older form of Malom's solver
    Sec,
}

impl Malom {
    fn run(self) -> Result<(), Failure> {
        let form = match self.format {
            Format::Sec2 => Form::Sec2,
            Format::Sec => Form::Sec,
        };
        if form == Form::Sec && self.secval.is_some() {
            return Err(Failure::mistake(
                "--secval has no use with --format sec, which writes no values of sectors",
            ));
        }
        let database = Database::open(&self.db)?;
        let options = ExportOptions {
            sectors: self.sectors.map(BTreeSet::from_iter),
            form,
            values: self.secval,
        };
        // Counting the bytes of a packed database takes threads already.
        start_threads()?;
        let needed = bytes_needed(&database, &options)?;
        if let Some(there) = available_disk(&self.out).filter(|&there| there < needed) {
            return Err(Failure::fault(format!(
                "not enough space in {}: about {} are needed, {} are available",
                self.out.display(),
                size(needed),
                size(there)
            )));
        }
        let (display, started) = (Display::new(), Instant::now());
        let exported = export(&database, &self.out, &options, &display)?;
        display.finish();
        if self.json {
            return print_json(&exported);
        }
        let seconds = started.elapsed().as_secs_f64();
        print(&format!(
            "{}Folder: {}\nTime: {}\n",
            tell(&exported),
            self.out.display(),
            duration(seconds)
        ))
    }
}

fn tell(exported: &Exported) -> String {
    let entries = exported.files.iter().map(|file| file.entries).sum();
    let exceptions: usize = exported.files.iter().map(|file| file.exceptions).sum();
    let mut text = format!(
        "Files: {} of {}, {} entries, {} bytes ({})\n",
        exported.files.len(),
        exported.game,
        grouped(entries),
        grouped(exported.bytes),
        size(exported.bytes),
    );
    if exceptions > 0 {
        text += &format!("Exceptions: {}\n", grouped(exceptions as u64));
    }
    text
}
