//! `millbase serve`: databases by HTTP, with a page for the browser.

use std::io::{self, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use millbase::serve::{Limits, Listener, ServeError, Served};
use signal_hook::low_level;
use tokio::sync::oneshot;

use super::failure::Failure;
use super::interrupt::on_signal;
use super::{print, start_threads};

/// Serves databases by HTTP: a page to play through games and positions, and an API for programs.
///
/// The page is at the address that is printed, and /api there explains the API, with examples.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  millbase serve --db nine-db
  millbase serve --db nine-db --db six-db --listen 127.0.0.1:9000
  curl 'http://127.0.0.1:8080/api/nine?position=start'

Ctrl-C ends it once the answers under way are given. Nothing is ever written, and nothing but the answers can \
be read. There is no encryption and no password: for others than this machine put it behind a server that has.")]
pub struct Arguments {
    /// The folder of a database; give it again for more games, one database each
    #[arg(long, value_name = "DIR", required = true)]
    db: Vec<PathBuf>,
    /// The address to listen on; port 0 finds a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
    /// How to read the files: by memory map, or by reading for file systems that do not like maps
    #[arg(long, value_enum, default_value_t = super::IoMode::Map)]
    io: super::IoMode,
}

impl Arguments {
    /// Serves until a signal comes.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let databases = self.db.iter().map(|dir| self.io.open(dir));
        let served = Served::new(databases.collect::<Result<_, _>>()?, Limits::default())?;
        start_threads()?;
        let listener = Listener::bind(self.listen)?;
        let interrupts = interrupts()?;
        let address = listener.address();
        if !address.ip().is_loopback() {
            // That nobody may be listening is no reason not to serve.
            let _ = writeln!(
                io::stderr(),
                "millbase: warning: {address} is not an address of this machine alone: whoever reaches it \
                 can ask, without password and encryption"
            );
        }
        let games: Vec<&str> = served
            .databases()
            .map(|database| database.variant().id.as_str())
            .collect();
        print(&format!(
            "Serving {} at http://{address}/\n",
            games.join(", ")
        ))?;
        let signal = listener.serve(served, interrupts)?;
        let signal =
            signal.map_err(|_| Failure::fault("the thread that waits for signals ended"))?;
        Ok(ExitCode::from(128 + signal as u8))
    }
}

/// From now on the first signal comes as a message. A second one ends the program at once.
fn interrupts() -> Result<oneshot::Receiver<i32>, Failure> {
    let (tell, told) = oneshot::channel();
    let mut tell = Some(tell);
    on_signal(move |signal| match tell.take() {
        // If the server has ended by itself, so does the program.
        Some(tell) => drop(tell.send(signal)),
        None => low_level::exit(128 + signal),
    })?;
    Ok(told)
}

/// Reads an address with its port; the address may be a name.
fn address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| format!("'{text}' is no address with a port, such as 127.0.0.1:8080"))
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        match error {
            ServeError::Bind { .. } | ServeError::System(_) => Failure::fault(error.to_string()),
            _ => Failure::mistake(error.to_string()),
        }
    }
}
