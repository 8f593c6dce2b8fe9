//! What stops the program from outside: signals, another process, the disk, the memory.
#![cfg(unix)]

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn millbase(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("millbase"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    millbase(arguments).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str()
        .expect("the temporary folder has a plain name")
}

/// Runs the program with a limit that the shell's `ulimit` sets, ignoring the signal for files too large.
fn run_limited(limit: &str, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit {limit}; exec \"$0\" \"$@\"");
    let program = assert_cmd::cargo::cargo_bin!("millbase");
    let mut command = Command::new("bash");
    command.arg("-c").arg(script).arg(program).args(arguments);
    command.output().unwrap()
}

/// Both folders hold the same files.
fn assert_same(one: &Path, other: &Path) {
    let same = Command::new("diff").arg("-r").args([one, other]).output();
    let same = same.unwrap();
    let differences = String::from_utf8_lossy(&same.stdout);
    assert!(same.status.success(), "{differences}");
}

/// Runs a script of the shell as `root` of a world of its own, in which `$disk` is a file system of so many
/// MiB and `millbase` the program. A script whose commands fail where they should not ends with another code.
#[cfg(target_os = "linux")]
fn on_small_disk(mebibytes: u32, script: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = format!("set -eu; mount -t tmpfs -o size={mebibytes}m none \"$disk\"");
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--map-root-user", "bash", "-c"])
        .arg(format!("{mount}; {script}"))
        .env("disk", &disk)
        .env("folder", folder.path())
        .env("millbase", assert_cmd::cargo::cargo_bin!("millbase"));
    command.output().unwrap()
}

/// Starts a run that takes some seconds and waits until it has locked the database and is at work.
fn at_work(arguments: &[&str], db: &Path) -> Child {
    started(arguments, db, "plies.log")
}

/// Starts a run that takes some seconds and waits until it has locked the database, with such a file beside the lock.
fn started(arguments: &[&str], db: &Path, file: &str) -> Child {
    let mut command = millbase(arguments);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let id = format!("{}\n", child.id());
    let locked = || std::fs::read_to_string(db.join("work/lock")).is_ok_and(|owner| owner == id);
    while !(locked() && db.join("work").join(file).exists()) {
        assert!(child.try_wait().unwrap().is_none(), "it ended too soon");
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Sends a signal; returns the exit code and what the program said.
fn signalled(mut child: Child, signal: &str) -> (Option<i32>, String) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &id])
            .status()
            .unwrap()
            .success()
    );
    let asked = Instant::now();
    let code = child.wait().unwrap().code();
    // One second is promised; a busy machine may need longer to end a process.
    assert!(asked.elapsed() < Duration::from_secs(10));
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
fn signals_stop_at_once_with_a_word_on_how_to_go_on_and_a_lock_keeps_others_out() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    let solve = ["solve", "nine", "--men-up-to", "6", "--db", text(&db)];
    for (signal, code, name) in [("-INT", 130, "interrupted"), ("-TERM", 143, "terminated")] {
        let child = at_work(&solve, &db);
        let owner = format!("process {}", child.id());
        for second in [&solve[..], &["solve", "six", "--db", text(&db)]] {
            let refused = run(second);
            let said = errors(&refused);
            assert_eq!(refused.status.code(), Some(2), "{said}");
            assert!(said.contains(&owner), "{said}");
        }
        let (found, said) = signalled(child, signal);
        assert_eq!(found, Some(code), "{said}");
        assert!(
            said.contains(name) && said.contains("same command again"),
            "{said}"
        );
    }
}

#[test]
fn what_begins_anew_is_not_said_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    let counted = ["--men-up-to", "6", "--metric", "conversion"];
    let solve = [&["solve", "nine", "--db", text(&db)][..], &counted].concat();
    let (code, said) = signalled(started(&solve, &db, "lock"), "-INT");
    assert_eq!(code, Some(130), "{said}");
    assert!(
        said.contains("same command again; it begins anew"),
        "{said}"
    );
}

#[test]
fn without_a_database_an_interrupt_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let solve = ["solve", "nine", "--men-up-to", "6", "--no-database"];
    let program = assert_cmd::cargo::cargo_bin!("millbase");
    let mut child = Command::new(program)
        .args(solve)
        .env("TMPDIR", folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let entries = || std::fs::read_dir(folder.path()).unwrap().count();
    while entries() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    let (code, said) = signalled(child, "-TERM");
    assert_eq!(code, Some(143));
    assert!(said.contains("nothing is kept"), "{said}");
    assert_eq!(entries(), 0);
}

/// A limit on the size of files stands for a full disk.
#[test]
fn after_a_full_disk_the_same_command_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, db, out] = ["whole", "db", "out"].map(|name| folder.path().join(name));
    assert!(
        run(&["solve", "six", "--db", text(&whole)])
            .status
            .success()
    );
    let solve = ["solve", "six", "--db", text(&db)];
    // The journal is the first to meet the limit, then the log, then sectors.
    for limit in ["-f 1", "-f 30", "-f 60", "-f 90", "-f 120"] {
        let failed = run_limited(limit, &solve);
        let said = errors(&failed);
        assert_eq!(failed.status.code(), Some(1), "{limit}: {said}");
        let is_clear = [
            "cannot write",
            text(&db),
            "make room and give the same command again",
        ];
        assert!(is_clear.iter().all(|part| said.contains(part)), "{said}");
        assert!(!db.join("manifest.json").exists());
    }
    // What is unfinished is no database, and no place for another.
    let said = errors(&run(&["query", "--db", text(&db), "start"]));
    assert!(said.contains("unfinished database"), "{said}");
    let refused = run(&["pack", "--db", text(&whole), "--out", text(&db)]);
    assert_eq!(refused.status.code(), Some(2));
    let done = run(&solve);
    assert!(done.status.success(), "{}", errors(&done));
    assert_same(&whole, &db);

    let pack = ["pack", "--db", text(&whole), "--out", text(&out)];
    let failed = run_limited("-f 20", &pack);
    let said = errors(&failed);
    assert_eq!(failed.status.code(), Some(1), "{said}");
    assert!(
        said.contains("make room and give the same command again"),
        "{said}"
    );
    assert!(run(&pack).status.success());
    assert!(!out.join("work").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_small_file_system_a_run_is_refused_or_goes_on_when_there_is_room() {
    let refused = on_small_disk(
        16,
        "\"$millbase\" solve nine --men-up-to 6 --db \"$disk/db\"",
    );
    let said = errors(&refused);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(
        said.contains("not enough space") && said.contains("16.00 MiB"),
        "{said}"
    );
    // The disk fills up while the run is at work.
    let script = r#"
        solve() { "$millbase" solve nine --men-up-to 5 --db "$1"; }
        solve "$folder/whole" 2>/dev/null
        { solve "$disk/db" & } 2>"$folder/said"
        until [ -e "$disk/db/work/plies.log" ]; do sleep 0.005; done
        cat /dev/zero >"$disk/filler" 2>/dev/null || true
        wait $! && exit 90 || code=$?
        cat "$folder/said" >&2
        [ ! -e "$disk/db/manifest.json" ] || exit 91
        rm "$disk/filler"
        solve "$disk/db" 2>/dev/null
        diff -r "$folder/whole" "$disk/db" || exit 92
        exit $((100 + code))"#;
    let failed = on_small_disk(192, script);
    let said = errors(&failed);
    assert_eq!(failed.status.code(), Some(101), "{said}");
    assert!(
        said.contains("cannot write") && said.contains("make room and give the same command again"),
        "{said}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_read_only_is_said_before_the_work_and_can_be_read() {
    let script = r#"
        "$millbase" solve three --db "$disk/three" 2>/dev/null
        mount -o remount,ro "$disk"
        "$millbase" query --db "$disk/three" start
        "$millbase" solve six --db "$disk/six" && exit 90 || [ $? = 2 ] || exit 91
        "$millbase" pack --db "$disk/three" --out "$disk/small" && exit 92 || [ $? = 2 ] || exit 93"#;
    let done = on_small_disk(64, script);
    let said = errors(&done);
    assert_eq!(done.status.code(), Some(0), "{said}");
    let refusals = said.matches("Read-only file system").count();
    assert_eq!(refusals, 2, "{said}");
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let [db, file] = ["db", "file"].map(|name| folder.path().join(name));
    std::fs::write(&file, "").unwrap();
    // A file where a folder is needed, and a folder where a file is.
    for record in [&file.join("record.json"), &folder.path().to_owned()] {
        let refused = run(&[
            "solve",
            "three",
            "--db",
            text(&db),
            "--record",
            text(record),
        ]);
        let said = errors(&refused);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(
            said.contains("cannot write") && said.contains(text(record)),
            "{said}"
        );
        assert!(!db.exists());
    }
    assert!(run(&["solve", "three", "--db", text(&db)]).status.success());
    let record = file.join("record.json");
    let out = folder.path().join("out");
    let pack = [
        "pack",
        "--db",
        text(&db),
        "--out",
        text(&out),
        "--record",
        text(&record),
    ];
    assert_eq!(run(&pack).status.code(), Some(2));
    assert!(!out.exists());
    let verify = ["verify", "--db", text(&db), "--certificate", text(&record)];
    let said = errors(&run(&verify));
    assert!(
        said.contains("record.json:") || said.contains("record.json: "),
        "{said}"
    );
}

/// The endgames that the tests of memory solve: they take some 2 GiB.
const FIVE_MEN: [&str; 3] = ["nine", "--men-up-to", "5"];

/// Bytes that a run took at most, and what was forecast.
fn peak_and_forecast(db: &Path, game: &[&str], arguments: &[&str]) -> (u64, u64) {
    let record = db.with_extension("json");
    let solve = ["--db", text(db), "--record", text(&record)];
    let done = run(&[&["solve"], game, &solve, arguments].concat());
    assert!(done.status.success(), "{}", errors(&done));
    let record: Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    let plan = run(&[&["plan", "--json"], game, arguments].concat());
    let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
    let number = |value: &Value| value.as_u64().unwrap();
    (
        number(&record["peak_memory_bytes"]),
        number(&plan["memory_bytes"]),
    )
}

#[test]
fn memory_is_as_forecast_and_a_budget_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let [free, tight, none] = ["free", "tight", "none"].map(|name| folder.path().join(name));
    let others: [&[&str]; 3] = [
        &["nine", "--men-up-to", "3"],
        &["doc2-classic", "--men-up-to", "4", "--values-only"],
        &["jumping", "--men-up-to", "3"],
    ];
    for game in others {
        let db = folder.path().join(game[0]);
        let (peak, forecast) = peak_and_forecast(&db, game, &[]);
        assert!(
            peak.abs_diff(forecast) <= forecast / 10,
            "{game:?}: {peak} {forecast}"
        );
    }
    let (peak, forecast) = peak_and_forecast(&free, &FIVE_MEN, &[]);
    assert!(
        peak.abs_diff(forecast) <= forecast / 10,
        "{peak} {forecast}"
    );
    let budget = forecast - (64 << 20);
    let memory = format!("{}", budget as f64 / (1u64 << 30) as f64);
    let (peak, forecast) = peak_and_forecast(&tight, &FIVE_MEN, &["--memory", &memory]);
    assert!(
        peak <= budget && forecast <= budget,
        "{peak} {forecast} {budget}"
    );
    assert_same(&free, &tight);
    let solve = ["solve", "nine", "--men-up-to", "5", "--db", text(&none)];
    let said = errors(&run(&[&solve[..], &["--memory", "0.1"]].concat()));
    assert!(
        said.contains("are needed") && said.contains("102.40 MiB"),
        "{said}"
    );
    assert!(!none.exists());
}

/// What the system itself grants is enough for a run that was told to get along with less, but for what the
/// program and its threads reserve and never touch; and with too little it ends in a sentence.
#[test]
fn a_budget_is_kept_when_the_system_grants_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let [free, tight] = ["free", "tight"].map(|name| folder.path().join(name));
    let (_, forecast) = peak_and_forecast(&free, &FIVE_MEN, &[]);
    let budget = forecast - (64 << 20);
    let memory = format!("{}", budget as f64 / (1u64 << 30) as f64);
    let game = ["solve", "nine", "--men-up-to", "5", "--threads", "2"];
    let solve = [&game[..], &["--memory", &memory, "--db", text(&tight)]].concat();
    let failed = run_limited(&format!("-v {}", (budget / 2) >> 10), &solve);
    let said = errors(&failed);
    assert_eq!(failed.status.code(), Some(1), "{said}");
    assert!(said.contains("does not grant"), "{said}");
    let done = run_limited(&format!("-v {}", (budget + (320 << 20)) >> 10), &solve);
    assert!(done.status.success(), "{}", errors(&done));
    assert_same(&free, &tight);
}
