//! Databases by HTTP: answers for programs, and a page for people.
//!
//! ```text
//! GET  /                          the page, which needs nothing but these:
//! GET  /health                    whether the server is at work
//! GET  /api                       what can be asked, with examples for reading and trying
//! GET  /api/variants              the games, their boards and what is known of them
//! GET  /api/{variant}?position=   what a position is worth, all turns and what they lead to
//! GET  /api/{variant}/line        best play to the end of the game
//! GET  /api/{variant}/stats       won, drawn and lost positions of each sector
//! GET  /api/{variant}/gallery     the longest wins
//! POST /api/{variant}/batch       up to 1,000 positions at once
//! POST /api/{variant}/setup       the text of a position that is given by points
//! POST /api/{variant}/game        the positions of a game that is written in any notation
//! ```
//!
//! A request goes through few hands:
//!
//! ```text
//! listen      connections, with limits for slow and for too many clients
//! router      which answer is wanted; answers that were given before; headers
//! request     parameters and bodies as values
//! answers     the answer, as JSON; or a Refusal, which has a status
//! document    the page, joined from its parts in src/serve/page
//! ```
//!
//! Everything here only reads, no path of a request becomes a path on disk, and nothing is secret. So every page
//! may ask (CORS), and the server does not mind by which name it was reached: a page that rebinds its name to
//! this address learns nothing that it could not ask for openly.
//!
//! ```
//! use millbase::database::Database;
//! use millbase::game::Variant;
//! use millbase::serve::{Limits, Listener, Served};
//! use millbase::solve::{Silent, SolveOptions, solve};
//!
//! let folder = tempfile::tempdir()?;
//! let variant = Variant::builtin("three-diagonal")?;
//! solve(&variant, folder.path(), &SolveOptions::default(), &Silent)?;
//!
//! let served = Served::new(vec![Database::open(folder.path())?], Limits::default())?;
//! let listener = Listener::bind("127.0.0.1:0".parse()?)?;
//! println!("http://{}/", listener.address());
//! listener.serve(served, async { /* the server stops when this is done */ })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod docs;
mod document;
mod examples;
mod limits;
mod listen;
mod page;
mod refusal;
mod reply;
mod request;
mod router;
mod served;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

pub use examples::{Example, examples};
pub use limits::Limits;
pub use listen::Listener;
pub use served::Served;

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// No database was given.
    #[error("there is no database to serve")]
    Nothing,
    /// Two databases of the same game.
    #[error(
        "{} and {} both hold '{variant}': one database of each game can be served at a time",
        first.display(), second.display()
    )]
    Twice {
        /// Id of the variant.
        variant: String,
        /// The folder that was given first.
        first: PathBuf,
        /// The other one.
        second: PathBuf,
    },
    /// Values in it depend on a count that no request has.
    #[error(
        "{} holds conversions: serving needs a database of values or distances",
        .0.display()
    )]
    Conversions(PathBuf),
    /// The id of a variant means something else in the address of a request.
    #[error("{} holds '{variant}', and a game of that id has no address of its own: give it another id", path.display())]
    Id {
        /// The folder.
        path: PathBuf,
        /// Id of the variant.
        variant: String,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {}", bind_problem(source))]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The system does not give what a server needs.
    #[error("cannot start the server: {0}")]
    System(#[from] io::Error),
}

fn bind_problem(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program listens there already; choose another port".to_owned()
        }
        io::ErrorKind::AddrNotAvailable => "this machine does not have that address".to_owned(),
        _ => error.to_string(),
    }
}
