//! `millbase serve` as a program: what it prints, how it ends.
#![cfg(all(feature = "serve", unix))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

use millbase::conversion::Metric;
use millbase::game::Variant;
use millbase::solve::{Silent, SolveOptions, solve};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let rota = Variant::builtin("rota").unwrap();
    let three = Variant::builtin("three-diagonal").unwrap();
    let named = Variant {
        id: "variants".to_owned(),
        ..three.clone()
    };
    let conversions = SolveOptions {
        metric: Metric::Conversion { limit: None },
        ..SolveOptions::default()
    };
    for (name, variant, options) in [
        ("rota", &rota, SolveOptions::default()),
        (
            "rota-values",
            &rota,
            SolveOptions {
                values_only: true,
                ..SolveOptions::default()
            },
        ),
        ("three", &three, SolveOptions::default()),
        ("named", &named, SolveOptions::default()),
        (
            "conversions",
            &Variant::builtin("six").unwrap(),
            conversions,
        ),
    ] {
        solve(variant, &folder.path().join(name), &options, &Silent).unwrap();
    }
    folder
});

fn db(name: &str) -> PathBuf {
    FOLDER.path().join(name)
}

fn serve(databases: &[&Path], listen: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("millbase"));
    command.args(["serve", "--listen", listen]);
    for database in databases {
        command.arg("--db").arg(database);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    line
}

fn end(mut child: Child, signal: &str) -> (Option<i32>, String) {
    let status = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(status.unwrap().success());
    let code = child.wait().unwrap().code();
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    (code, said)
}

#[test]
fn the_address_is_printed_and_signals_end_it_with_their_codes() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut child = serve(&[&db("three"), &db("rota")], "127.0.0.1:0")
            .spawn()
            .unwrap();
        let line = first_line(&mut child);
        let address = line
            .strip_prefix("Serving rota, three-diagonal at http://")
            .unwrap();
        let address = address.trim_end().trim_end_matches('/');
        assert!(
            address.starts_with("127.0.0.1:") && !address.ends_with(":0"),
            "{line}"
        );
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .write_all(b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut back = String::new();
        stream.read_to_string(&mut back).unwrap();
        assert!(
            back.starts_with("HTTP/1.1 200 OK") && back.ends_with("\"variants\":2}"),
            "{back}"
        );
        let idle = TcpStream::connect(address).unwrap();
        assert_eq!(end(child, signal), (Some(code), String::new()));
        drop(idle);
    }
}

#[test]
fn only_this_machine_is_served_without_a_warning() {
    let mut child = serve(&[&db("rota")], "0.0.0.0:0").spawn().unwrap();
    first_line(&mut child);
    let (code, said) = end(child, "-INT");
    assert_eq!(code, Some(130));
    assert!(
        said.starts_with("millbase: warning: 0.0.0.0:") && said.contains("password"),
        "{said}"
    );
    for local in ["[::1]:0", "localhost:0"] {
        let mut child = serve(&[&db("rota")], local).spawn().unwrap();
        if first_line(&mut child).is_empty() {
            // A machine may lack an address of that kind.
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(1));
            continue;
        }
        assert_eq!(end(child, "-INT"), (Some(130), String::new()), "{local}");
    }
}

fn refused(output: Output, code: i32, words: &[&str]) {
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(words.iter().all(|word| said.contains(word)), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn what_cannot_be_served_is_said_in_a_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = |databases: &[&Path], listen: &str| serve(databases, listen).output().unwrap();
    let in_use = output(&[&db("rota")], &address);
    assert_eq!(String::from_utf8_lossy(&in_use.stderr).lines().count(), 1);
    refused(in_use, 1, &[&address, "another program listens there"]);
    refused(
        output(&[&db("rota")], "192.0.2.1:80"),
        1,
        &["192.0.2.1:80", "does not have that address"],
    );
    for address in ["8080", "localhost", "127.0.0.1:99999", ""] {
        refused(
            output(&[&db("rota")], address),
            2,
            &["no address with a port"],
        );
    }
    let twice = output(&[&db("rota"), &db("rota-values")], "127.0.0.1:0");
    refused(twice, 2, &["rota-values", "both hold 'rota'"]);
    let again = output(&[&db("rota"), &db("rota")], "127.0.0.1:0");
    refused(again, 2, &["both hold 'rota'"]);
    refused(
        output(&[&db("conversions")], "127.0.0.1:0"),
        2,
        &["conversions"],
    );
    refused(
        output(&[&db("named")], "127.0.0.1:0"),
        2,
        &["'variants'", "another id"],
    );
    refused(output(&[&db("none")], "127.0.0.1:0"), 2, &["none"]);
    refused(output(&[], "127.0.0.1:0"), 2, &["--db"]);
}
