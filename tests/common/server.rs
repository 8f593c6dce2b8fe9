//! A server on a port of its own, and a client that sends whatever bytes it is told to.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use millbase::database::Database;
use millbase::serve::{Limits, Listener, Served};
use serde_json::Value;
use tokio::sync::oneshot;

/// A server that stops when it is dropped.
pub struct Server {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(databases: &[&Path], limits: Limits) -> Server {
        let databases = databases.iter().map(|dir| Database::open(dir).unwrap());
        let served = Served::new(databases.collect(), limits).unwrap();
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.address();
        let (stop, stopped) = oneshot::channel();
        let wait = async move {
            let _ = stopped.await;
        };
        let thread = std::thread::spawn(move || listener.serve(served, wait).unwrap());
        Server {
            address,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Tells it to stop and waits until it has.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        // Far longer than anything here takes: a test that hangs fails.
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).unwrap();
        stream.set_write_timeout(patience).unwrap();
        stream
    }

    /// Sends bytes, says that no more will come, and takes all that comes back.
    pub fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server need not listen to the end.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut back = Vec::new();
        let _ = stream.read_to_end(&mut back);
        back
    }

    pub fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Response {
        let length = match body {
            "" => String::new(),
            _ => format!("Content-Length: {}\r\n", body.len()),
        };
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{headers}{length}\r\n{body}"
        );
        Response::read(&self.send(text.as_bytes()))
    }

    pub fn get(&self, path: &str) -> Response {
        self.request("GET", path, "", "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.request("POST", path, "", &body.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A response in its parts.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    /// By their names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn read(bytes: &[u8]) -> Response {
        let end = bytes.windows(4).position(|end| end == b"\r\n\r\n");
        let end =
            end.unwrap_or_else(|| panic!("no response: {:?}", String::from_utf8_lossy(bytes)));
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let (first, rest) = head.split_once("\r\n").unwrap_or((head, ""));
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_owned())
        };
        Response {
            status: first.split(' ').nth(1).unwrap().parse().unwrap(),
            headers: rest.lines().map(header).collect(),
            body: bytes[end + 4..].to_owned(),
        }
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The answer, which has to be one.
    pub fn json(&self) -> Value {
        assert_eq!(self.headers["content-type"], "application/json", "{self:?}");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The error, which has to be one of that status and kind.
    pub fn error(&self, status: u16, kind: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        let error = self.json()["error"].take();
        assert_eq!(error["kind"], kind, "{error}");
        assert!(!error["message"].as_str().unwrap().is_empty());
        error
    }
}
