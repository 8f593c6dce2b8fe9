//! The page about a database: what it says is what the database says, it stands alone, and it hurts nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use millbase::database::{Database, PackOptions, SectorRecord, pack};
use millbase::game::Variant;
use millbase::notation::{play_moves, read_position, write_choice};
use millbase::probe::Prober;
use millbase::report::Report;
use millbase::solve::{Silent, SolveOptions, solve};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use scraper::{ElementRef, Html, Selector};
use tempfile::TempDir;

/// A database that lives as long as the tests.
struct Solved {
    folder: TempDir,
}

impl Solved {
    fn new(variant: &Variant, options: &SolveOptions) -> Solved {
        let folder = tempfile::tempdir().unwrap();
        solve(variant, &folder.path().join("db"), options, &Silent).unwrap();
        Solved { folder }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("db")
    }

    fn open(&self) -> Database {
        Database::open(&self.dir()).unwrap()
    }
}

fn builtin(id: &str) -> Variant {
    Variant::builtin(id).unwrap()
}

static SIX: LazyLock<Solved> =
    LazyLock::new(|| Solved::new(&builtin("six"), &SolveOptions::default()));
static DIAGONAL: LazyLock<Solved> =
    LazyLock::new(|| Solved::new(&builtin("three-diagonal"), &SolveOptions::default()));

fn page(database: &Database) -> String {
    Report::of(database).unwrap().to_html()
}

fn select<'a>(within: ElementRef<'a>, selector: &str) -> Vec<ElementRef<'a>> {
    within.select(&Selector::parse(selector).unwrap()).collect()
}

/// The text of an element with single blanks.
fn text(element: ElementRef) -> String {
    let text: String = element.text().collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The turns of the first line in there, separated by blanks.
fn line(within: ElementRef) -> String {
    let turns = select(select(within, ".play")[0], "span")
        .into_iter()
        .map(text);
    turns.collect::<Vec<_>>().join(" ")
}

/// What a list says about each of its terms.
fn facts(list: ElementRef) -> BTreeMap<String, String> {
    let entry = |entry| (text(select(entry, "dt")[0]), text(select(entry, "dd")[0]));
    select(list, "div").into_iter().map(entry).collect()
}

fn number(text: &str) -> u64 {
    text.replace(',', "")
        .parse()
        .unwrap_or_else(|_| panic!("{text} is no number"))
}

/// The cells of each row of a table's body.
fn rows(table: ElementRef) -> Vec<Vec<String>> {
    let cells = |row| select(row, "th, td").into_iter().map(text).collect();
    select(table, "tbody tr").into_iter().map(cells).collect()
}

#[test]
fn counts_are_those_of_the_manifest() {
    let database = SIX.open();
    let html = Html::parse_document(&page(&database));
    let tables = select(html.root_element(), "#map .figures");
    let records = &database.manifest().sectors;
    let listed = rows(tables[0]);
    assert_eq!(listed.len(), records.len());
    for row in listed {
        let record = record(records, &row[0]);
        let s = &record.statistics;
        let counts = [s.positions(), s.win, s.draw, s.loss];
        assert_eq!(
            row[1..5].iter().map(|n| number(n)).collect::<Vec<_>>(),
            counts
        );
        let plies = |plies: Option<u16>| plies.map_or("–".to_owned(), |plies| plies.to_string());
        assert_eq!(row[5..], [plies(s.longest_win), plies(s.longest_loss)]);
    }
    // Each sector has its cell in a matrix, too.
    let cells = select(html.root_element(), ".matrix td[title]");
    assert_eq!(cells.len(), records.len());
    for cell in cells {
        let title = cell.attr("title").unwrap();
        let (sector, counts) = title.split_once(": ").unwrap();
        let s = &record(records, sector).statistics;
        let counts: Vec<u64> = counts
            .split(", ")
            .map(|count| number(count.split(' ').next().unwrap()))
            .collect();
        assert_eq!(counts, [s.win, s.draw, s.loss]);
        let widths = select(cell, "rect").into_iter();
        let sum: f64 = widths
            .map(|bar| bar.attr("width").unwrap().parse::<f64>().unwrap())
            .sum();
        assert!((sum - 100.0).abs() < 0.2, "{title}: {sum}");
    }
    let facts = facts(select(html.root_element(), ".facts")[0]);
    let longest = records
        .iter()
        .filter_map(|r| r.statistics.longest_win)
        .max();
    assert_eq!(facts["positions"], "3,141,931");
    assert_eq!(facts["sectors"], "131");
    assert_eq!(
        facts["the longest win"],
        format!("{} plies", longest.unwrap())
    );
}

fn record<'a>(records: &'a [SectorRecord], sector: &str) -> &'a SectorRecord {
    let named = |record: &&SectorRecord| record.sector.to_string() == sector;
    records
        .iter()
        .find(named)
        .unwrap_or_else(|| panic!("no sector {sector}"))
}

#[test]
fn first_moves_are_those_of_the_database() {
    for solved in [&*SIX, &*DIAGONAL] {
        let database = solved.open();
        let variant = database.variant();
        let prober = Prober::new(&database);
        let start = variant.start();
        let html = Html::parse_document(&page(&database));
        let mut told = BTreeSet::new();
        for row in rows(select(html.root_element(), ".moves")[0]) {
            told.extend(
                row[0]
                    .split(' ')
                    .map(|turn| (turn.to_owned(), row[1].clone())),
            );
        }
        let ranked = prober.ranked(&start, 0).unwrap();
        let expected = ranked.iter().map(|turn| {
            let value = turn.answer.known().unwrap().to_string();
            (write_choice(&variant.board, turn.choice), value)
        });
        assert_eq!(told, expected.collect());
        // The picture says the same.
        let badges = select(html.root_element(), "#start .badge title");
        let badges = badges.into_iter().map(text);
        let badges = badges.map(|title| {
            let (turn, value) = title.split_once(": ").unwrap();
            (turn.to_owned(), value.to_owned())
        });
        assert_eq!(badges.collect::<BTreeSet<_>>(), told);
    }
    let html = Html::parse_document(&page(&DIAGONAL.open()));
    let verdict = text(select(html.root_element(), ".verdict")[0]);
    let value = Prober::new(&DIAGONAL.open()).value(&builtin("three-diagonal").start(), 0);
    let plies = value.unwrap().known().unwrap().plies.unwrap();
    assert_eq!(
        verdict,
        format!("White, who moves first, wins in {plies} plies with best play by both sides.")
    );
    let line = line(select(html.root_element(), "#start")[0]);
    assert_eq!(line.split(' ').count(), usize::from(plies));
}

#[test]
fn longest_wins_are_the_longest_and_their_lines_end_the_game() {
    let database = SIX.open();
    let (variant, records) = (database.variant(), &database.manifest().sectors);
    let html = Html::parse_document(&page(&database));
    let cards = select(html.root_element(), ".card");
    let mut told = BTreeSet::new();
    for card in cards {
        let sector = text(select(card, "h4")[0]);
        let record = record(records, &sector);
        let plies = record.statistics.longest_win.unwrap();
        told.insert(sector.clone());
        let says = text(select(card, "p")[0]);
        assert!(
            says.contains(&format!(" wins in {plies} pl")),
            "{sector}: {says}"
        );
        let position = text(select(card, "code")[0]);
        let position = read_position(variant, &position).unwrap();
        assert_eq!(position.position.sector(), record.sector);
        let value = Prober::new(&database).value(&position.position, 0).unwrap();
        assert_eq!(value.known().unwrap().plies, Some(plies));
        let line = line(card);
        assert_eq!(line.split(' ').count(), usize::from(plies), "{sector}");
        let end = play_moves(variant, &position, &line).unwrap();
        assert!(variant.ending(&end.position).is_some(), "{sector}: {line}");
    }
    // Every movement sector with a win has a card, and of each layer of the placement the longest win.
    let won = records
        .iter()
        .filter(|record| record.statistics.longest_win.is_some());
    let movement = won.clone().filter(|record| record.sector.in_hand() == 0);
    for record in movement {
        assert!(
            told.contains(&record.sector.to_string()),
            "{}",
            record.sector
        );
    }
    for in_hand in 1..=12 {
        let layer: Vec<_> = won
            .clone()
            .filter(|r| r.sector.in_hand() == in_hand)
            .collect();
        let longest = layer
            .iter()
            .map(|r| r.statistics.longest_win)
            .max()
            .flatten();
        let shown = layer
            .iter()
            .filter(|r| told.contains(&r.sector.to_string()));
        let shown: Vec<_> = shown.map(|r| r.statistics.longest_win).collect();
        let expected: Vec<_> = longest.into_iter().map(Some).collect();
        assert_eq!(shown, expected, "{in_hand} in hand");
    }
}

#[test]
fn distances_are_counted_ply_by_ply() {
    let database = SIX.open();
    let html = Html::parse_document(&page(&database));
    let charts = select(html.root_element(), ".chart");
    assert_eq!(charts.len(), 2);
    let mut sums = [0, 0];
    for (chart, movement) in charts.into_iter().zip([true, false]) {
        let tables = select(chart, "table");
        for (sum, (table, first)) in sums.iter_mut().zip(tables.into_iter().zip([1, 0])) {
            for row in rows(table) {
                let plies = number(&row[0]);
                assert_eq!(plies % 2, first);
                let records = database.manifest().sectors.iter();
                let records = records.filter(|r| (r.sector.in_hand() == 0) == movement);
                let counts = records.map(|record| {
                    let statistics = &record.statistics;
                    let histogram = if first == 1 {
                        &statistics.wins_in
                    } else {
                        &statistics.losses_in
                    };
                    histogram
                        .counts()
                        .get(plies as usize / 2)
                        .copied()
                        .unwrap_or(0)
                });
                assert_eq!(number(&row[1]), counts.sum::<u64>(), "{plies} plies");
                *sum += number(&row[1]);
            }
        }
        // A bar for each row.
        let bars = select(chart, ".histogram g rect").len();
        assert_eq!(bars, select(chart, "tbody tr").len());
    }
    let records = database.manifest().sectors.iter();
    let won: u64 = records.clone().map(|record| record.statistics.win).sum();
    let lost: u64 = records.map(|record| record.statistics.loss).sum();
    assert_eq!(sums, [won, lost]);
}

/// What every page has to keep to.
fn check_page(page: &str) {
    let html = Html::parse_document(page);
    assert_eq!(html.errors, Vec::<std::borrow::Cow<str>>::new());
    let root = html.root_element();
    assert_eq!(root.attr("lang"), Some("en"));
    // It needs nothing from elsewhere and runs nothing.
    assert!(select(root, "script, iframe, object, embed, img, form, base").is_empty());
    for element in select(root, "*") {
        for (name, value) in element.value().attrs() {
            assert!(!name.starts_with("on"), "{name}");
            if ["href", "src", "srcset", "action"].contains(&name) {
                assert!(
                    value.starts_with('#') || value == "data:,",
                    "{name}={value}"
                );
            }
        }
    }
    for style in select(root, "style").into_iter().map(|style| text(style)) {
        assert!(!style.contains("url(") && !style.contains("@import"));
        assert!(style.contains("prefers-color-scheme: dark"));
    }
    // Anchors lead somewhere, and ids are used once.
    let ids: Vec<&str> = select(root, "[id]")
        .into_iter()
        .filter_map(|e| e.attr("id"))
        .collect();
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len());
    for link in select(root, "[href^='#']") {
        assert!(ids.contains(&&link.attr("href").unwrap()[1..]));
    }
    for labelled in select(root, "[aria-labelledby]") {
        assert!(ids.contains(&labelled.attr("aria-labelledby").unwrap()));
    }
    // Pictures say what they show or are hidden from who cannot see them; tables have headers.
    for svg in select(root, "svg") {
        let title = select(svg, "title").first().map(|&title| text(title));
        let hidden = svg.attr("aria-hidden") == Some("true");
        let named = svg.attr("role") == Some("img") && title.is_some_and(|title| !title.is_empty());
        assert!(hidden != named);
    }
    for table in select(root, "table") {
        assert!(!select(table, "th[scope=col]").is_empty());
        assert!(
            select(table, "tbody tr")
                .into_iter()
                .all(|row| !select(row, "th[scope=row]").is_empty())
        );
    }
    // Pictures are XML, so that they can be cut out and kept as files.
    let mut rest = page;
    while let Some(start) = rest.find("<svg") {
        let end = start + rest[start..].find("</svg>").unwrap() + "</svg>".len();
        roxmltree::Document::parse(&rest[start..end]).unwrap();
        rest = &rest[end..];
    }
}

#[test]
fn pages_stand_alone_and_are_accessible() {
    for solved in [&*SIX, &*DIAGONAL] {
        check_page(&page(&solved.open()));
    }
}

#[test]
fn the_same_database_gives_the_same_page() {
    assert_eq!(page(&SIX.open()), page(&SIX.open()));
}

const HOSTILE: &str = r#"
id = "<i>id</i>"
name = "</title><script>alert(\"name\")</script> & 'co'"
note = "</style><b>bold</b>\n\n<!-- second -->"

[board]
points = ["a1 hub far"]
lines = ["a1 hub far"]

[board.coordinates]
hub = [3.5, 200.25]
far = [900, 7]

[rules]
men = 1
mill_pays = "win"
flying = false
"#;

#[test]
fn names_from_files_are_only_text() {
    let variant = Variant::from_toml(HOSTILE, "hostile.toml").unwrap();
    let solved = Solved::new(&variant, &SolveOptions::default());
    let page = page(&solved.open());
    check_page(&page);
    let html = Html::parse_document(&page);
    let root = html.root_element();
    let heading: String = select(root, "h1")[0].text().collect();
    assert_eq!(heading, variant.name);
    let title: String = select(root, "title")[0].text().collect();
    assert!(title.starts_with(&variant.name));
    let paragraphs: Vec<String> = select(root, "#game > p").into_iter().map(text).collect();
    assert_eq!(paragraphs[..2], ["</style><b>bold</b>", "<!-- second -->"]);
    assert_eq!(facts(select(root, "#game .list")[0])["Id"], variant.id);
    assert!(select(root, "b, i").is_empty());
    let rules: String = select(root, "#game pre")[0].text().collect();
    assert_eq!(rules, variant.to_toml());
}

#[test]
fn databases_that_lack_something_say_so() {
    let values = SolveOptions {
        values_only: true,
        ..SolveOptions::default()
    };
    let solved = Solved::new(&builtin("three-diagonal"), &values);
    let values_page = page(&solved.open());
    check_page(&values_page);
    let html = Html::parse_document(&values_page);
    let root = html.root_element();
    let section = |id: &str| text(select(root, id)[0]);
    assert!(section("#distances").contains("made without distances"));
    assert!(section("#longest").contains("no distances"));
    assert_eq!(
        text(select(root, ".verdict")[0]),
        "White, who moves first, wins with best play by both sides."
    );
    assert!(
        select(root, ".badge text")
            .into_iter()
            .all(|badge| text(badge).len() == 1)
    );

    let few = SolveOptions {
        men_up_to: Some(3),
        ..SolveOptions::default()
    };
    let solved = Solved::new(&builtin("six"), &few);
    let part = page(&solved.open());
    check_page(&part);
    let html = Html::parse_document(&part);
    let root = html.root_element();
    assert!(text(select(root, ".verdict")[0]).contains("lacks the start position"));
    assert!(text(select(root, ".warning")[0]).contains("lacks 130 of the game’s sectors"));
    assert_eq!(select(root, ".card").len(), 1);
}

#[test]
fn packed_databases_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("packed");
    pack(
        &SIX.open(),
        &packed,
        &PackOptions::default(),
        &|_| (),
        &|_| (),
    )
    .unwrap();
    let database = Database::open(&packed).unwrap();
    let plain_database = SIX.open();
    let (plain, whole) = (
        Report::of(&plain_database).unwrap(),
        Report::of(&database).unwrap(),
    );
    check_page(&whole.to_html());
    assert_eq!(plain.start.turns, whole.start.turns);
    let lines = |report: &Report| -> Vec<_> {
        let longest = report.longest.iter();
        longest
            .map(|win| (win.position, win.plies, win.line.clone()))
            .collect()
    };
    assert_eq!(lines(&plain), lines(&whole));
    assert!(whole.costs.derived > 0 && whole.costs.stored.len() == 2);

    // Without the files of distances there are no lines, but the counts are known still.
    for entry in fs::read_dir(&packed).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "distances") {
            fs::remove_file(path).unwrap();
        }
    }
    let database = Database::open(&packed).unwrap();
    let bare = Report::of(&database).unwrap();
    check_page(&bare.to_html());
    assert!(bare.longest.is_empty() && bare.distances.len() == 2);
    assert_eq!(bare.costs.stored.len(), 1);
}

fn millbase() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("millbase"))
}

fn report(db: &Path, out: &Path) -> Command {
    let mut command = millbase();
    command
        .arg("report")
        .arg("--db")
        .arg(db)
        .arg("--out")
        .arg(out);
    command
}

#[test]
fn the_command_writes_one_page_and_replaces_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/new/folder");
    let expected = page(&DIAGONAL.open());
    for _ in 0..2 {
        report(&DIAGONAL.dir(), &out)
            .assert()
            .success()
            .stdout(contains("index.html"));
        assert_eq!(
            fs::read_to_string(out.join("index.html")).unwrap(),
            expected
        );
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    }
}

#[test]
fn the_record_of_the_run_tells_what_it_took() {
    let folder = tempfile::tempdir().unwrap();
    let (db, record) = (folder.path().join("db"), folder.path().join("run.json"));
    let solve = |variant: &str, db: &Path, record: &Path| {
        let mut command = millbase();
        command.args(["solve", variant, "--db"]).arg(db);
        command.arg("--record").arg(record);
        command.env("MILLBASE_COMMIT", "a<b>c").assert().success();
    };
    solve("rota", &db, &record);
    let out = folder.path().join("out");
    report(&db, &out)
        .arg("--record")
        .arg(&record)
        .assert()
        .success();
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    check_page(&page);
    let html = Html::parse_document(&page);
    let told = facts(select(html.root_element(), "#costs .list")[0]);
    let run: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&record).unwrap()).unwrap();
    assert_eq!(told["Date"], run["date"].as_str().unwrap());
    assert!(told["Program"].ends_with("commit a<b>c"));
    let processor = run["machine"]["processor"].as_str().unwrap();
    assert!(told["Machine"].starts_with(processor));
    let positions = run["positions"].as_u64().unwrap();
    let seconds = run["wall_seconds"].as_f64().unwrap().max(0.001);
    let rate = (positions as f64 / seconds).round();
    assert_eq!(number(&told["Positions a second"]), rate as u64);
    let sizes = rows(select(html.root_element(), "#costs table")[0]);
    let bytes = run["file_bytes"].as_u64().unwrap();
    assert_eq!(number(&sizes[0][2]), bytes);
    let bits = 8.0 * bytes as f64 / positions as f64;
    assert_eq!(sizes[0][3], format!("{bits:.3}"));

    // Of another game, and no record at all.
    let other = folder.path().join("other.json");
    solve("three", &folder.path().join("other"), &other);
    for (path, message) in [
        (&other, "solving 'three'"),
        (&db.join("manifest.json"), "not a record"),
    ] {
        report(&db, &out)
            .arg("--record")
            .arg(path)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
}

#[test]
fn the_command_spares_pages_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.html");
    fs::write(&path, "<h1>My page</h1>").unwrap();
    report(&DIAGONAL.dir(), folder.path())
        .assert()
        .code(2)
        .stderr(contains("is not a report of this program"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "<h1>My page</h1>");
    report(folder.path(), &folder.path().join("out"))
        .assert()
        .code(2)
        .stderr(contains("is not a millbase database"));
    assert!(!folder.path().join("out").exists());
    report(&DIAGONAL.dir(), &path)
        .assert()
        .code(2)
        .stderr(contains("index.html"));
}

#[test]
fn query_writes_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start.svg");
    let query = |arguments: &[&str]| {
        let mut command = millbase();
        command.args(["query", "--db"]).arg(DIAGONAL.dir());
        command.arg("start").args(arguments);
        command
    };
    query(&["--svg", path.to_str().unwrap()])
        .assert()
        .success()
        .stdout(contains("White to move: win"));
    let written = fs::read_to_string(&path).unwrap();
    roxmltree::Document::parse(&written).unwrap();
    let value = Prober::new(&DIAGONAL.open()).value(&builtin("three-diagonal").start(), 0);
    let plies = value.unwrap().known().unwrap().plies.unwrap();
    assert!(written.contains(&format!(">W{plies}<")) && written.contains("b2: win in"));
    query(&["--svg", "-"]).assert().success().stdout(written);
    query(&["--svg", "-", "--json"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("choose one"));
    query(&["--svg", path.join("x.svg").to_str().unwrap()])
        .assert()
        .code(1)
        .stdout("")
        .stderr(contains("cannot write").and(contains("x.svg")));
}
