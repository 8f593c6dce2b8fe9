//! `millbase uci`: a player for programs that let engines play.

use std::io;
use std::path::PathBuf;

use clap::Args;
use millbase::uci::{Session, serve};

use super::choosing::Choosing;
use super::failure::Failure;

/// Plays by a database in UCI, the protocol in which programs talk to engines.
///
/// It is the dialect of the program Sanmill: every `go` is answered with one action, a man placed (`d6`), moved
/// (`a1-a4`) or taken (`xg7`), so that after a mill there is one more `go`. The player never loses a drawn game, and
/// wins a won one in the plies it states, if the database has distances.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  printf 'position startpos moves d6 f4\\ngo\\n' | millbase uci --db nine-db

Commands: uci, isready, ucinewgame, setoption, position startpos|fen TEXT [moves ...], go, stop, \
quit. A move is an action or a whole turn. Before each action comes what the position is worth to \
the side to move:

  info string value win plies 47   or draw, loss plies 12, unknown missing 3-4
  bestmove d6                      none if the game is over

go takes no time, whatever follows it; after `go infinite` the action waits for stop. What cannot be \
understood is answered with `info string error ...`. After a position that was refused, go answers \
`bestmove none`.

Of drawing turns the player takes that after which the opponent has the fewest drawing turns; --ties, \
and the options Ties and Seed, choose otherwise. A database without distances keeps wins but may not \
come nearer to their end.")]
pub struct Arguments {
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// How to read the files: by memory map, or by reading for file systems that do not like maps
    #[arg(long, value_enum, default_value_t = super::IoMode::Map)]
    io: super::IoMode,
    #[command(flatten)]
    choosing: Choosing,
}

impl Arguments {
    /// Plays.
    pub fn run(self) -> Result<(), Failure> {
        let database = self.io.open(&self.db)?;
        super::refuse_conversions(&database)?;
        super::start_threads()?;
        let mut session = Session::new(&database, self.choosing.ties(), self.choosing.seed);
        serve(&mut session, io::stdin(), io::stdout().lock()).map_err(Failure::output)
    }
}
