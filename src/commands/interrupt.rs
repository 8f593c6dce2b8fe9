//! What Ctrl-C and `kill` do. A command that takes long stops at once and says how to go on.
//!
//! Nothing has to be put in order first. What is on disk can be taken up again whatever moment it is, or the
//! system would need only to kill the program to ruin it; so the threads at work are not even asked. `serve`
//! gives the answers under way first. Other commands are ended by the signal itself, as the shell reports it with
//! the same codes.

use std::io::{self, Write};
use std::path::PathBuf;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::failure::Failure;

/// What becomes of work that is interrupted.
#[derive(Clone, Debug)]
pub enum Interrupted {
    /// The same command goes on from there.
    GoesOn,
    /// The same command can be given again, but works anew on what is not written.
    BeginsAnew,
    /// It is lost, with this folder.
    Lost(PathBuf),
}

/// From now on an interrupt ends the program with a word on how to go on, and exit code 130 or 143.
pub fn on_interrupt(then: Interrupted) -> Result<(), Failure> {
    on_signal(move |signal| stop(signal, &then))
}

/// From now on a thread of its own does this whenever SIGINT or SIGTERM comes, instead of the program being ended.
pub fn on_signal(mut heard: impl FnMut(i32) + Send + 'static) -> Result<(), Failure> {
    let signals = Signals::new([SIGINT, SIGTERM]);
    let mut signals =
        signals.map_err(|error| Failure::fault(format!("cannot wait for signals: {error}")))?;
    let thread = std::thread::Builder::new().name("interrupts".to_owned());
    thread
        .spawn(move || signals.forever().for_each(&mut heard))
        .map(drop)
        .map_err(|error| Failure::fault(format!("cannot start threads: {error}")))
}

fn stop(signal: i32, then: &Interrupted) {
    let name = if signal == SIGINT {
        "interrupted"
    } else {
        "terminated"
    };
    let what = match then {
        Interrupted::GoesOn => "give the same command again to go on from here",
        Interrupted::BeginsAnew => {
            "give the same command again; it begins anew, but for sectors that are written"
        }
        Interrupted::Lost(folder) => {
            // The threads may still make files in it: then once more.
            let deleted = (0..10).any(|_| std::fs::remove_dir_all(folder).is_ok());
            match deleted {
                true => "without a database nothing is kept to go on from",
                false => "some files are left in the system's folder for temporary files",
            }
        }
    };
    // In a terminal the progress bar has not ended its line. If nobody listens there is nothing to be done.
    let _ = writeln!(io::stderr(), "\nmillbase: {name}; {what}");
    low_level::exit(128 + signal);
}
