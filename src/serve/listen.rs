//! Connections: accepted, limited, and ended in order.
//!
//! Everything that a client can be slow at has its time (see [`Limits`](super::Limits)), so that whoever does
//! nothing loses his connection and not the server its own. HTTP/1.1 is all that is spoken.

use std::convert::Infallible;
use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;

use super::{Limits, ServeError, Served};

/// How long to wait when the system has nothing left for another connection.
const SHORT_OF_FILES: Duration = Duration::from_millis(50);

/// An address that is listened on.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Takes an address. Port 0 stands for any that is free.
    ///
    /// # Errors
    /// When another program has it, or the system does not allow it.
    pub fn bind(address: SocketAddr) -> Result<Listener, ServeError> {
        let bind = || {
            let socket = TcpListener::bind(address)?;
            socket.set_nonblocking(true)?;
            let address = socket.local_addr()?;
            Ok(Listener { socket, address })
        };
        bind().map_err(|source| ServeError::Bind { address, source })
    }

    /// The address, with the port that was found.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is done, lets what is under way end, and returns what `stop` was done with.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn serve<T>(self, served: Served, stop: impl Future<Output = T>) -> Result<T, ServeError> {
        let runtime = runtime()?;
        let limits = *served.limits();
        let router = served.router();
        let stopped = runtime.block_on(async {
            let socket = tokio::net::TcpListener::from_std(self.socket)?;
            let connections = Connections::new(router, limits);
            let stopped = tokio::select! {
                stopped = stop => stopped,
                never = connections.accept(&socket) => match never {},
            };
            drop(socket);
            connections.end(limits.stop_time).await;
            Ok(stopped)
        });
        // Work that nobody waits for any more is not waited for.
        runtime.shutdown_background();
        stopped
    }
}

/// Threads for connections, one a core, and some for work that may wait for the disk.
fn runtime() -> Result<Runtime, ServeError> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    Ok(tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads((4 * cores).max(16))
        .thread_name("serve")
        .enable_all()
        .build()?)
}

struct Connections {
    router: Router,
    limits: Limits,
    free: Arc<Semaphore>,
    open: GracefulShutdown,
}

impl Connections {
    fn new(router: Router, limits: Limits) -> Connections {
        Connections {
            router,
            limits,
            free: Arc::new(Semaphore::new(limits.connections)),
            open: GracefulShutdown::new(),
        }
    }

    /// Accepts whoever comes while there is room.
    async fn accept(&self, socket: &tokio::net::TcpListener) -> Infallible {
        loop {
            let Ok(place) = self.free.clone().acquire_owned().await else {
                // Places are never taken away.
                std::future::pending::<()>().await;
                continue;
            };
            match socket.accept().await {
                Ok((stream, _)) => self.begin(stream, place),
                Err(_) => tokio::time::sleep(SHORT_OF_FILES).await,
            }
        }
    }

    /// Serves a connection, which keeps its place until it ends.
    fn begin(&self, stream: TcpStream, place: OwnedSemaphorePermit) {
        // Without it small answers are slower, and nothing else.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.limits.stalled_time));
        let service = TowerToHyperService::new(self.router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head_time)
            .max_buf_size(self.limits.head_bytes)
            // Who has said all may say so before the answer is there.
            .half_close(true)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = self.open.watch(connection);
        tokio::spawn(async move {
            // A connection that breaks off is the client's affair.
            let _ = connection.await;
            drop(place);
        });
    }

    /// Ends all connections, each after the answer it is about to get, if that does not take too long.
    async fn end(self, time: Duration) {
        let _ = tokio::time::timeout(time, self.open.shutdown()).await;
    }
}
