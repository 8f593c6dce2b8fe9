//! Clients that mean harm, or are broken: the server refuses them and serves the others.
#![cfg(feature = "serve")]

#[path = "common/server.rs"]
mod server;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use millbase::game::Variant;
use millbase::random::Random;
use millbase::serve::Limits;
use millbase::solve::{Silent, SolveOptions, solve};
use serde_json::{Value, json};
use server::{Response, Server};
use tempfile::TempDir;

static ROTA: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::builtin("rota").unwrap();
    solve(
        &variant,
        &folder.path().join("db"),
        &SolveOptions::default(),
        &Silent,
    )
    .unwrap();
    folder
});

fn rota() -> PathBuf {
    ROTA.path().join("db")
}

/// Limits that a test can wait for.
fn impatient() -> Limits {
    Limits {
        head_time: Duration::from_millis(700),
        body_time: Duration::from_millis(700),
        stalled_time: Duration::from_millis(700),
        ..Limits::default()
    }
}

fn start(limits: Limits) -> Server {
    Server::start(&[&rota()], limits)
}

const GOOD: &str = "GET /api/rota?position=start HTTP/1.1\r\nHost: test\r\n\r\n";

fn is_well(server: &Server) {
    assert_eq!(
        server.get("/api/rota?position=start").json()["value"],
        "draw"
    );
}

#[test]
fn no_path_leads_out_of_the_server() {
    let server = start(Limits::default());
    for path in [
        "/../../../../etc/passwd",
        "/api/../../etc/passwd",
        "/api/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/api/..%2f..%2fetc%2fpasswd/line",
        "/api/rota/..%2f..%2fmanifest.json",
        "/api/rota/manifest.json",
        "/api/rota%00/line",
        "/%5c..%5c..%5cetc%5cpasswd",
        "/api/%ff%fe?position=start",
        "http://other.example/etc/passwd",
        "//etc/passwd",
    ] {
        let response = server.get(path);
        assert!(matches!(response.status, 400 | 404), "{path}: {response:?}");
        assert!(response.json()["error"]["message"].is_string());
        assert!(!response.text().contains("root:"));
    }
    is_well(&server);
}

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    let server = start(Limits::default());
    let long = "a".repeat(200_000);
    for (head, status) in [
        (format!("GET /{long} HTTP/1.1\r\n\r\n"), [414, 431]),
        (format!("GET / HTTP/1.1\r\nX: {long}\r\n\r\n"), [431, 431]),
        (
            format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(5000)),
            [431, 431],
        ),
    ] {
        let response = Response::read(&server.send(head.as_bytes()));
        assert!(status.contains(&response.status), "{response:?}");
    }
    let query = format!("/api/rota?position={}", "O".repeat(30_000));
    server.get(&query).error(400, "position");

    let announced =
        "POST /api/rota/batch HTTP/1.1\r\nHost: test\r\nContent-Length: 99999999999\r\n\r\n{";
    Response::read(&server.send(announced.as_bytes())).error(413, "limit");
    let body = json!({ "positions": vec!["x".repeat(900); 1000] }).to_string();
    server
        .request("POST", "/api/rota/batch", "", &body)
        .error(413, "limit");
    let mut chunked =
        b"POST /api/rota/game HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
            .to_vec();
    for _ in 0..200 {
        chunked.extend(format!("1000\r\n{}\r\n", " ".repeat(0x1000)).bytes());
    }
    Response::read(&server.send(&chunked)).error(413, "limit");
    is_well(&server);
}

#[test]
fn garbage_ends_its_connection_and_no_other() {
    let server = start(Limits::default());
    let garbage: [&[u8]; 8] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/rota/game HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
        b"POST /api/rota/game HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ];
    for bytes in garbage {
        let back = server.send(bytes);
        if !back.is_empty() {
            assert!(
                matches!(Response::read(&back).status, 400 | 505),
                "{bytes:?}"
            );
        }
        // What came before the garbage is answered.
        let both = [GOOD.as_bytes(), bytes].concat();
        let back = server.send(&both);
        assert!(back.starts_with(b"HTTP/1.1 200 OK\r\n"), "{bytes:?}");
    }
    let many = GOOD.repeat(100);
    let back = String::from_utf8(server.send(many.as_bytes())).unwrap();
    assert_eq!(back.matches("HTTP/1.1 200 OK").count(), 100);
    is_well(&server);
}

/// Reads until the server ends the connection; how long that took.
fn until_closed(mut stream: TcpStream, back: &mut Vec<u8>) -> Duration {
    let begun = Instant::now();
    // A reset is an end as well, but no more patience is none.
    let _ = stream.read_to_end(back);
    assert!(begun.elapsed() < Duration::from_secs(30));
    begun.elapsed()
}

#[test]
fn slow_clients_lose_their_connections() {
    let server = start(impatient());
    // Nothing at all, and nothing after an answer.
    let mut back = Vec::new();
    let took = until_closed(server.connect(), &mut back);
    assert!(
        took > Duration::from_millis(400) && back.is_empty(),
        "{took:?}"
    );
    let mut idle = server.connect();
    idle.write_all(GOOD.as_bytes()).unwrap();
    until_closed(idle, &mut back);
    assert_eq!(Response::read(&back).status, 200);

    // A byte now and then, which never makes a head.
    let stream = server.connect();
    let mut drip = stream.try_clone().unwrap();
    let dripping = std::thread::spawn(move || {
        let slow = GOOD.bytes().cycle();
        slow.take_while(|byte| {
            std::thread::sleep(Duration::from_millis(50));
            drip.write_all(&[*byte]).is_ok()
        })
        .count()
    });
    back.clear();
    until_closed(stream, &mut back);
    assert!(
        dripping.join().unwrap() < GOOD.len(),
        "it was cut off before the head was there"
    );

    // A body that does not come, or drips.
    for part in ["", "{\"positions\""] {
        let mut stream = server.connect();
        let head = "POST /api/rota/batch HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n";
        stream
            .write_all(format!("{head}{part}").as_bytes())
            .unwrap();
        back.clear();
        until_closed(stream, &mut back);
        Response::read(&back).error(408, "time");
    }
    is_well(&server);
}

#[test]
fn who_does_not_take_his_answers_does_not_keep_their_room() {
    let server = start(Limits {
        large_answers: 2,
        ..impatient()
    });
    let body = json!({ "positions": vec!["start"; 1000] }).to_string();
    let request = format!(
        "POST /api/rota/batch HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    // Far more answers than the system keeps for a connection.
    let requests = request.repeat(60);
    let mut stalled: Vec<TcpStream> = (0..2)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(requests.as_bytes()).unwrap();
            stream
        })
        .collect();
    // Nothing is read here, so that only the server can end these connections.
    let begun = Instant::now();
    for stream in &mut stalled {
        while stream.write_all(b" ").is_ok() {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let answers = server.request("POST", "/api/rota/batch", "", &body);
    assert_eq!(answers.json()["answers"].as_array().unwrap().len(), 1000);
}

#[test]
fn connections_beyond_the_limit_wait_for_their_turn() {
    let server = start(Limits {
        connections: 3,
        ..impatient()
    });
    let idle: Vec<TcpStream> = (0..3).map(|_| server.connect()).collect();
    // The server closes the idle ones, and then it is the next one's turn.
    is_well(&server);
    drop(idle);
    is_well(&server);
}

#[test]
fn sixty_four_clients_at_once_get_what_each_asks_for() {
    let server = start(Limits::default());
    let starts = server.get("/api/rota?position=start").json();
    let moves: Vec<&Value> = starts["moves"].as_array().unwrap().iter().collect();
    std::thread::scope(|scope| {
        for client in 0..64 {
            let (server, turn) = (&server, moves[client % moves.len()]);
            scope.spawn(move || {
                let position = turn["position"].as_str().unwrap();
                let path = position.replace(' ', "_");
                for round in 0..20 {
                    let turns = (round + client) % 2 == 0;
                    let answer = server
                        .get(&format!("/api/rota?position={path}&turns={turns}"))
                        .json();
                    assert_eq!(answer["position"], position);
                    assert_eq!(answer.get("moves").is_some(), turns);
                    let body = json!({"positions": [position, "start"], "turns": false});
                    let batch = server.post("/api/rota/batch", &body).json();
                    assert_eq!(batch["answers"][0]["position"], position);
                }
            });
        }
    });
}

#[test]
fn a_server_that_is_told_to_stop_gives_the_answers_under_way() {
    let mut server = start(Limits::default());
    let mut stream = server.connect();
    let body = json!({ "positions": vec!["start"; 1000] }).to_string();
    let head = format!(
        "POST /api/rota/batch HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body.as_bytes()[..100]).unwrap();
    let idle = server.connect();
    std::thread::sleep(Duration::from_millis(200));
    std::thread::scope(|scope| {
        let stopping = scope.spawn(|| server.stop());
        std::thread::sleep(Duration::from_millis(200));
        stream.write_all(&body.as_bytes()[100..]).unwrap();
        let mut back = Vec::new();
        stream.read_to_end(&mut back).unwrap();
        let answers = Response::read(&back).json();
        assert_eq!(answers["answers"].as_array().unwrap().len(), 1000);
        stopping.join().unwrap();
    });
    assert!(TcpStream::connect(idle.peer_addr().unwrap()).is_err());
}

/// The program in a process of its own, whose memory is its own.
struct Program(Child, std::net::SocketAddr);

impl Program {
    fn start() -> Program {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("millbase"))
            .args(["serve", "--listen", "127.0.0.1:0", "--db"])
            .arg(rota())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let (_, address) = line
            .trim_end()
            .trim_end_matches('/')
            .split_once("http://")
            .unwrap();
        Program(child, address.parse().unwrap())
    }

    /// Bytes of memory in use.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .unwrap();
        let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kilobytes << 10
    }

    /// Sends some requests over one connection; how many were answered.
    fn send(&self, requests: &[u8]) -> usize {
        let mut stream = TcpStream::connect(self.1).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let _ = stream.write_all(requests);
        let _ = stream.shutdown(Shutdown::Write);
        let mut back = Vec::new();
        let _ = stream.read_to_end(&mut back);
        back.windows(9)
            .filter(|bytes| bytes == b"HTTP/1.1 ")
            .count()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What may stand in an address.
const LETTERS: &[u8] = b"OO@@**__//wbpsm0123456789-.:%%&=+ids~!$'(),;%C3%A9";

/// A request that is refused.
fn hostile(random: &mut Random) -> String {
    let mut noise = |length: u64| -> String {
        let length = random.below(length);
        (0..length)
            .map(|_| char::from(LETTERS[random.below(LETTERS.len() as u64) as usize]))
            .collect()
    };
    let (path, long) = (noise(30), noise(3000));
    let body = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let kinds = [
        format!("GET /{path} HTTP/1.1\r\n\r\n"),
        format!("GET /api/{path}?position=start HTTP/1.1\r\n\r\n"),
        format!("GET /api/rota?position={} HTTP/1.1\r\n\r\n", long),
        format!("GET /api/rota?position=start&moves={path} HTTP/1.1\r\n\r\n"),
        format!(
            "GET /api/rota/line?position=start&{path} HTTP/1.1\r\nIf-None-Match: {long}\r\n\r\n"
        ),
        format!("POST /api/rota/batch HTTP/1.1\r\n{}", body(&long)),
        format!(
            "POST /api/rota/game HTTP/1.1\r\n{}",
            body(&json!({ "moves": long }).to_string())
        ),
        format!(
            "POST /api/rota/setup HTTP/1.1\r\n{}",
            body(&json!({ "white": [long] }).to_string())
        ),
        format!("DELETE /api/rota HTTP/1.1\r\n{}", body(&path)),
    ];
    let number = random.below(kinds.len() as u64) as usize;
    kinds.into_iter().nth(number).unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn fifty_thousand_hostile_requests_leave_no_trace_in_memory() {
    let program = Program::start();
    let mut random = Random::new(7);
    let mut round = |requests: usize| -> usize {
        let connections = (0..requests / 50).map(|_| {
            let requests: String = (0..50).map(|_| hostile(&mut random)).collect();
            program.send(requests.as_bytes())
        });
        connections.sum()
    };
    let answered = round(10_000);
    let before = program.memory();
    let answered = answered + round(40_000);
    let after = program.memory();
    assert!(answered > 45_000, "{answered}");
    let grown = after.saturating_sub(before);
    assert!(grown < 8 << 20, "{before} bytes have become {after}");
    let good = program.send(GOOD.as_bytes());
    assert_eq!(good, 1);
}
