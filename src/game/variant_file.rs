//! Variant files: TOML in, TOML out.
//!
//! ```toml
//! id = "three"
//! name = "Three men's morris"
//!
//! [board]
//! points = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3"]
//! lines = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3"]
//!
//! [rules]
//! men = 3
//! mill_pays = "win"
//! flying = false
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::board::{Board, BoardPoint, points};
use super::rules::{Blocked, FullBoard, MillPays, Placing, Protection, Rules};
use super::variants::{Variant, VariantError};

/// The word among the slides that joins the neighbours on every line.
const ALONG_LINES: &str = "lines";

/// A text of labels that remembers where it stands.
type Labels = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantFile {
    id: String,
    name: String,
    #[serde(default)]
    note: String,
    board: BoardTable,
    rules: RulesTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardTable {
    points: Vec<Labels>,
    lines: Vec<Labels>,
    slides: Option<Vec<Labels>>,
    text_order: Option<Vec<Labels>>,
    #[serde(default)]
    coordinates: BTreeMap<Labels, [f32; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesTable {
    men: u8,
    mill_pays: Option<MillPays>,
    captures_per_double_mill: Option<u8>,
    taken_from_mills: Option<Protection>,
    flying: Option<bool>,
    blocked: Option<Blocked>,
    full_board: Option<FullBoard>,
    placing: Option<Placing>,
    mills_pay_once: Option<bool>,
}

impl RulesTable {
    fn with_defaults(self) -> Rules {
        let common = Rules::new(self.men);
        Rules {
            men: self.men,
            mill_pays: self.mill_pays.unwrap_or(common.mill_pays),
            captures_per_double_mill: self
                .captures_per_double_mill
                .unwrap_or(common.captures_per_double_mill),
            protection: self.taken_from_mills.unwrap_or(common.protection),
            flying: self.flying.unwrap_or(common.flying),
            blocked: self.blocked.unwrap_or(common.blocked),
            full_board: self.full_board.unwrap_or(common.full_board),
            placing: self.placing.unwrap_or(common.placing),
            mills_pay_once: self.mills_pay_once.unwrap_or(common.mills_pay_once),
        }
    }
}

/// Every switch with its value as the file writes it.
pub(super) fn rule_entries(rules: &Rules) -> Vec<(&'static str, String)> {
    vec![
        ("men", rules.men.to_string()),
        ("mill_pays", word(&rules.mill_pays)),
        (
            "captures_per_double_mill",
            rules.captures_per_double_mill.to_string(),
        ),
        ("taken_from_mills", word(&rules.protection)),
        ("flying", rules.flying.to_string()),
        ("blocked", word(&rules.blocked)),
        ("full_board", word(&rules.full_board)),
        ("placing", word(&rules.placing)),
        ("mills_pay_once", rules.mills_pay_once.to_string()),
    ]
}

/// A switch as a quoted word.
fn word(switch: &impl Serialize) -> String {
    // Switches are enums without fields, which always have a word.
    toml::Value::try_from(switch).map_or_else(|e| e.to_string(), |value| value.to_string())
}

/// The file with what is needed to say where in it something is wrong.
struct Source<'a> {
    text: &'a str,
    name: &'a str,
}

impl Source<'_> {
    fn error(&self, at: usize, message: impl Into<String>) -> VariantError {
        let before = self.text.as_bytes().iter().take(at);
        VariantError::Text {
            file: self.name.to_owned(),
            line: before.filter(|byte| **byte == b'\n').count() + 1,
            message: message.into(),
        }
    }

    /// The points that a text of labels names.
    fn resolve(
        &self,
        key: &str,
        labels: &Labels,
        all: &[BoardPoint],
    ) -> Result<Vec<usize>, VariantError> {
        let number = |label: &str| {
            let found = all.iter().position(|point| point.label == label);
            found.ok_or_else(|| {
                let message = format!("`board.{key}` names `{label}`, which is not a point");
                self.error(labels.span().start, message)
            })
        };
        labels.as_ref().split_whitespace().map(number).collect()
    }
}

pub(super) fn read(text: &str, name: &str) -> Result<Variant, VariantError> {
    let source = Source { text, name };
    let file: VariantFile = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        source.error(at, error.message().replace('\n', " "))
    })?;
    Ok(Variant {
        id: file.id,
        name: file.name,
        note: file.note.trim().to_owned(),
        board: read_board(&source, &file.board)?,
        rules: file.rules.with_defaults(),
    })
}

fn read_board(source: &Source, table: &BoardTable) -> Result<Board, VariantError> {
    let all = read_points(source, table)?;
    let mut lines = Vec::new();
    for labels in &table.lines {
        let line = source.resolve("lines", labels, &all)?;
        if line.len() != 3 {
            let message = format!("`board.lines`: `{}` is not three points", labels.as_ref());
            return Err(source.error(labels.span().start, message));
        }
        lines.push(line);
    }
    let slides = read_slides(source, table, &all, &lines)?;
    let order = table.text_order.as_ref().unwrap_or(&table.points);
    let text_order = order
        .iter()
        .map(|labels| source.resolve("text_order", labels, &all))
        .collect::<Result<_, _>>()?;
    Board::new(all, lines, slides, text_order).map_err(|error| VariantError::Board {
        file: source.name.to_owned(),
        error,
    })
}

/// Points in file order. A label such as `c5` says where it is; others need `coordinates`.
fn read_points(source: &Source, table: &BoardTable) -> Result<Vec<BoardPoint>, VariantError> {
    let mut all: Vec<BoardPoint> = Vec::new();
    for labels in &table.points {
        for label in labels.as_ref().split_whitespace() {
            let given = table
                .coordinates
                .iter()
                .find(|(key, _)| key.as_ref() == label);
            let [x, y] = match given.map(|(_, at)| *at).or_else(|| own_coordinates(label)) {
                Some(at) => at,
                None => {
                    let message = format!(
                        "`board.points` names `{label}`, which is not a letter with a number, \
                         so it needs an entry in `board.coordinates`"
                    );
                    return Err(source.error(labels.span().start, message));
                }
            };
            let label = label.to_owned();
            all.push(BoardPoint { label, x, y });
        }
    }
    for key in table.coordinates.keys() {
        source.resolve("coordinates", key, &all)?;
    }
    Ok(all)
}

/// Where a label of a letter and a number puts its point: `a1` is (1, 1), `c5` is (3, 5).
fn own_coordinates(label: &str) -> Option<[f32; 2]> {
    let file = label.bytes().next().filter(u8::is_ascii_lowercase)?;
    let rank: u8 = label[1..].parse().ok()?;
    Some([f32::from(file - b'a' + 1), f32::from(rank)])
}

/// Chains of labels, neighbours joined; the word `lines` stands for the chains of all lines.
fn read_slides(
    source: &Source,
    table: &BoardTable,
    all: &[BoardPoint],
    lines: &[Vec<usize>],
) -> Result<Vec<(usize, usize)>, VariantError> {
    let joined = |chain: &[usize]| -> Vec<(usize, usize)> {
        let pair = |two: &[usize]| (two[0].min(two[1]), two[0].max(two[1]));
        chain.windows(2).map(pair).collect()
    };
    let mut along: Vec<_> = lines.iter().flat_map(|line| joined(line)).collect();
    along.sort_unstable();
    along.dedup();
    let Some(chains) = &table.slides else {
        return Ok(along);
    };
    let mut slides = Vec::new();
    for labels in chains {
        if labels.as_ref() == ALONG_LINES {
            slides.extend_from_slice(&along);
        } else {
            slides.extend(joined(&source.resolve("slides", labels, all)?));
        }
    }
    Ok(slides)
}

pub(super) fn write(variant: &Variant) -> String {
    let board = &variant.board;
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let join = |list: &mut dyn Iterator<Item = usize>| {
        quoted(&list.map(|p| board.label(p)).collect::<Vec<_>>().join(" "))
    };
    let array = |items: Vec<String>| format!("[\n  {},\n]", items.join(",\n  "));
    let lines = board.lines().iter().map(|line| join(&mut points(*line)));
    let slides = board
        .slides()
        .iter()
        .map(|&(a, b)| join(&mut [a, b].into_iter()));
    let order = board
        .text_order()
        .iter()
        .map(|group| join(&mut group.iter().copied()));

    let mut text = format!(
        "id = {}\nname = {}\nnote = {}\n\n[board]\n",
        quoted(&variant.id),
        quoted(&variant.name),
        quoted(&variant.note)
    );
    let all = join(&mut (0..board.point_count()));
    text += &format!("points = [{all}]\n");
    text += &format!("lines = {}\n", list(lines.collect(), array));
    text += &format!("slides = {}\n", list(slides.collect(), array));
    text += &format!(
        "text_order = {}\n\n[board.coordinates]\n",
        array(order.collect())
    );
    for p in 0..board.point_count() {
        let (x, y) = board.coordinates(p);
        text += &format!("{} = [{x:?}, {y:?}]\n", board.label(p));
    }
    text += "\n[rules]\n";
    for (key, value) in rule_entries(&variant.rules) {
        text += &format!("{key} = {value}\n");
    }
    text
}

fn list(items: Vec<String>, array: impl Fn(Vec<String>) -> String) -> String {
    if items.is_empty() {
        "[]".to_owned()
    } else {
        array(items)
    }
}
