//! The tables of `data/reference/rule-edges`: positions at the edges of the rules with all their turns.
//!
//! The turns were written down by hand from the rules, not by the program.

use std::collections::BTreeSet;
use std::path::Path;

use millbase::game::{Board, PaidLines, PointSet, Position, Symmetry, Turn, Variant, points};
use millbase::notation::{read_position, read_turn, write_turn};
use millbase::value::Outcome;
use serde::Deserialize;
use toml::{Table, Value};

/// A position of a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edge {
    /// What is special about it.
    what: String,
    /// The built-in variant that the rules start from.
    base: String,
    /// The position, in the text form of `notation`.
    text: String,
    /// Switches that differ from the base, with `turns` or `ending` under them; where mills pay once also
    /// `paid`, the lines that have paid the side to move.
    under: Vec<Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EdgeTable {
    position: Vec<Edge>,
}

/// What should come out.
enum Expected {
    Turns(Vec<Turn>),
    Ending(Outcome),
}

/// All positions of all tables, with the table's name.
fn edges() -> Vec<(String, Edge)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference/rule-edges");
    let mut edges = Vec::new();
    for entry in folder.read_dir().expect("the folder of tables") {
        let path = entry.expect("a table").path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a readable table");
        let table: EdgeTable = toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        edges.extend(table.position.into_iter().map(|edge| (name.clone(), edge)));
    }
    edges
}

/// The base with these switches, the lines that have paid, and what is expected under them.
fn row(edge: &Edge, under: &Table) -> (Variant, Option<Vec<PointSet>>, Expected) {
    let mut rules = under.clone();
    let paid = rules.remove("paid");
    let (turns, ending) = (rules.remove("turns"), rules.remove("ending"));
    let mut board = Table::new();
    board.extend(
        rules
            .remove("slides")
            .map(|list| ("slides".to_owned(), list)),
    );
    let file = Table::from_iter([
        ("id".to_owned(), Value::from("edge")),
        ("name".to_owned(), Value::from("edge")),
        ("base".to_owned(), Value::from(edge.base.as_str())),
        ("board".to_owned(), Value::from(board)),
        ("rules".to_owned(), Value::from(rules)),
    ]);
    let variant = Variant::from_toml(&file.to_string(), &edge.what).expect("a variant");
    let expected = match (turns, ending) {
        (Some(Value::String(turns)), None) => {
            let turns = turns.split_whitespace();
            Expected::Turns(turns.map(|text| turn(&variant.board, text)).collect())
        }
        (None, Some(Value::String(word))) => Expected::Ending(match word.as_str() {
            "loss" => Outcome::Loss,
            "draw" => Outcome::Draw,
            other => panic!("{}: no position ends with '{other}'", edge.what),
        }),
        other => panic!("{}: either turns or an ending, not {other:?}", edge.what),
    };
    let paid = paid.map(|lines| {
        let lines = lines.as_array().expect("a list of lines").iter();
        let line = |line: &Value| {
            let labels = line.as_str().expect("a line").split(' ');
            let points = labels.map(|label| variant.board.point(label).expect("a point"));
            points.fold(0, |set, point| set | 1 << point)
        };
        lines.map(line).collect()
    });
    (variant, paid, expected)
}

/// What a side remembers to whom these lines, and their images, have paid.
fn remembered(variant: &Variant, paid: &[PointSet], symmetry: &Symmetry) -> PaidLines {
    let lines = variant.board.lines().iter();
    let numbers = paid.iter().map(|&line| {
        let image = symmetry.apply(line);
        lines
            .clone()
            .position(|&line| line == image)
            .expect("a line of the board")
    });
    PaidLines {
        mover: numbers.fold(0, |set, number| set | 1 << number),
        opponent: 0,
    }
}

/// A turn from its text, without looking at rules. The order of removals means nothing.
fn turn(board: &Board, text: &str) -> Turn {
    if text == "pass" {
        return Turn::PASS;
    }
    let point = |label: &str| board.point(label).expect("a label of the board") as u8;
    let mut parts = text.split('x');
    let step = parts.next().expect("a step");
    let (from, to) = match step.split_once('-') {
        Some((from, to)) => (Some(point(from)), point(to)),
        None => (None, point(step)),
    };
    let removed = parts.fold(0, |set, label| set | 1 << point(label));
    let to = Some(to);
    Turn { from, to, removed }
}

fn image(symmetry: &Symmetry, turn: &Turn) -> Turn {
    let point = |p: u8| symmetry.apply(1 << p).trailing_zeros() as u8;
    Turn {
        from: turn.from.map(point),
        to: turn.to.map(point),
        removed: symmetry.apply(turn.removed),
    }
}

fn texts<'a>(board: &Board, turns: impl IntoIterator<Item = &'a Turn>) -> BTreeSet<String> {
    turns
        .into_iter()
        .map(|turn| write_turn(board, turn))
        .collect()
}

/// Every row, for every image of its position under the symmetries of the board and for both colours.
#[test]
fn every_position_has_exactly_the_turns_of_its_table() {
    let mut rows = 0;
    for (table, edge) in edges() {
        for under in &edge.under {
            let at = format!("{table}: {}\nunder {under}", edge.what);
            let (variant, paid, expected) = row(&edge, under);
            let read = read_position(&variant, &edge.text).unwrap_or_else(|e| panic!("{at}{e}"));
            assert_eq!(read.removals_due, 0, "{at}");
            for symmetry in variant.board.symmetries() {
                let position = read.position.image(symmetry);
                let recoloured = Position {
                    side: position.side.other(),
                    ..position
                };
                let memory = paid
                    .as_ref()
                    .map(|paid| remembered(&variant, paid, symmetry));
                for position in [position, recoloured] {
                    check(&at, &variant, &position, memory, &expected, symmetry);
                }
            }
            rows += 1;
        }
    }
    assert!(rows > 0, "no tables");
}

fn check(
    at: &str,
    variant: &Variant,
    position: &Position,
    memory: Option<PaidLines>,
    expected: &Expected,
    symmetry: &Symmetry,
) {
    let mut found = Vec::new();
    match memory {
        Some(paid) => variant.remembering_turns(position, paid, &mut found),
        None => variant.turns_into(position, &mut found),
    }
    let expected = match expected {
        Expected::Ending(outcome) => {
            assert_eq!(variant.ending(position), Some(*outcome), "{at}");
            assert!(found.is_empty(), "{at}");
            return;
        }
        Expected::Turns(turns) => turns.iter().map(|turn| image(symmetry, turn)),
    };
    assert_eq!(variant.ending(position), None, "{at}");
    let expected: Vec<Turn> = expected.collect();
    let (found_texts, expected_texts) = (
        texts(&variant.board, &found),
        texts(&variant.board, &expected),
    );
    assert_eq!(found_texts, expected_texts, "{at}");
    // No turn is generated twice, and none is written down twice.
    assert_eq!(
        (found.len(), expected.len()),
        (found_texts.len(), found_texts.len()),
        "{at}"
    );
    if memory.is_some() {
        // The texts of positions, and who reads turns by them, do not know what has paid.
        return;
    }
    for turn in &expected {
        let text = write_turn(&variant.board, turn);
        assert_eq!(
            read_turn(variant, position, &text).as_ref(),
            Ok(turn),
            "{at}{text}"
        );
        assert!(variant.is_legal(position, turn), "{at}{text}");
        let next = variant.play(position, turn);
        let taken = points(turn.removed).count() as u32;
        assert_eq!(
            next.mover_total(),
            position.opponent_total() - taken,
            "{at}{text}"
        );
        assert_eq!(next.opponent_total(), position.mover_total(), "{at}{text}");
    }
}

/// Each value of each switch is looked at, alone or with others.
#[test]
fn every_value_of_every_switch_has_rows() {
    let switches: [(&str, &[&str]); 10] = [
        ("captures_per_double_mill", &["1", "2"]),
        (
            "taken_from_mills",
            &["when-all-in-mills", "never", "always", "when-three-left"],
        ),
        ("flying", &["true", "false"]),
        ("blocked", &["loses", "draws", "passes"]),
        (
            "full_board",
            &["draws", "first-player-loses", "mover-loses"],
        ),
        ("placing", &["place-only", "place-or-move"]),
        ("mill_pays", &["capture", "win"]),
        ("slides", &["lines", "knight", "a1 b2 c3"]),
        ("men", &["4", "8"]),
        ("mills_pay_once", &["true"]),
    ];
    let edges = edges();
    for (switch, values) in switches {
        for value in values {
            let is_value = |found: &Value| match found {
                Value::String(text) => text == value,
                Value::Array(list) => list.iter().any(|item| item.as_str() == Some(value)),
                other => other.to_string() == *value,
            };
            let rows = edges.iter().flat_map(|(_, edge)| &edge.under);
            let rows = rows.filter(|under| under.get(switch).is_some_and(is_value));
            assert!(rows.count() >= 1, "{switch} = {value}");
        }
    }
}
