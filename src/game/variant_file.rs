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
//!
//! A variant that differs little from a built-in one says only how:
//!
//! ```toml
//! id = "twelve"
//! name = "Twelve men's morris"
//! base = "nine"
//!
//! [board]
//! lines = ["base", "a7 b6 c5", "g7 f6 e5", "g1 f2 e3", "a1 b2 c3"]
//!
//! [rules]
//! men = 12
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::board::{Board, BoardPoint, points};
use super::rules::{Blocked, FullBoard, MillPays, Placing, Protection, Rules};
use super::variants::{Variant, VariantError};

/// The word among the slides that joins the neighbours on every line.
const ALONG_LINES: &str = "lines";

/// The word among the slides that joins points a knight's jump apart.
const KNIGHT_JUMPS: &str = "knight";

/// The word among the lines that stands for those of the base, and brings its slides.
const OF_BASE: &str = "base";

/// A text of labels that remembers where it stands.
type Labels = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantFile {
    id: Spanned<String>,
    name: Spanned<String>,
    #[serde(default)]
    note: String,
    /// A built-in variant that this one is like where it says nothing else.
    base: Option<Spanned<String>>,
    #[serde(default)]
    board: BoardTable,
    #[serde(default)]
    rules: RulesTable,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardTable {
    points: Option<Vec<Labels>>,
    lines: Option<Vec<Labels>>,
    slides: Option<Vec<Labels>>,
    text_order: Option<Vec<Labels>>,
    #[serde(default)]
    coordinates: BTreeMap<Labels, [f32; 2]>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesTable {
    men: Option<u8>,
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
    /// The switches of the file, and for the others those of the base.
    fn over(self, base: Rules) -> Rules {
        Rules {
            men: self.men.unwrap_or(base.men),
            mill_pays: self.mill_pays.unwrap_or(base.mill_pays),
            captures_per_double_mill: self
                .captures_per_double_mill
                .unwrap_or(base.captures_per_double_mill),
            protection: self.taken_from_mills.unwrap_or(base.protection),
            flying: self.flying.unwrap_or(base.flying),
            blocked: self.blocked.unwrap_or(base.blocked),
            full_board: self.full_board.unwrap_or(base.full_board),
            placing: self.placing.unwrap_or(base.placing),
            mills_pay_once: self.mills_pay_once.unwrap_or(base.mills_pay_once),
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

    /// The error for a key that is not there.
    fn missing(&self, key: &str) -> VariantError {
        self.error(0, format!("`{key}` is missing"))
    }

    /// A text that is printed on lines with others, and so must have something to print and nothing that would
    /// give orders to a terminal.
    fn title(&self, key: &str, text: Spanned<String>) -> Result<String, VariantError> {
        let what = match text.as_ref() {
            title if title.trim().is_empty() => "is empty",
            title if title.contains(char::is_control) => "has control characters",
            _ => return Ok(text.into_inner()),
        };
        Err(self.error(text.span().start, format!("`{key}` {what}")))
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
    let base = file
        .base
        .map(|base| read_base(&source, &base))
        .transpose()?;
    let board = match &base {
        Some(base) => read_board_over(&source, &file.board, &base.board)?,
        None => read_board(&source, &file.board)?,
    };
    let rules = match (&base, file.rules.men) {
        (Some(base), _) => file.rules.over(base.rules),
        (None, Some(men)) => file.rules.over(Rules::new(men)),
        (None, None) => return Err(source.missing("rules.men")),
    };
    Ok(Variant {
        id: source.title("id", file.id)?,
        name: source.title("name", file.name)?,
        note: file.note.trim().to_owned(),
        board,
        rules,
    })
}

fn read_base(source: &Source, base: &Spanned<String>) -> Result<Variant, VariantError> {
    Variant::builtin(base.as_ref()).map_err(|error| {
        let message = format!("`base`: {error}");
        source.error(base.span().start, message)
    })
}

fn read_board(source: &Source, table: &BoardTable) -> Result<Board, VariantError> {
    let points = table
        .points
        .as_ref()
        .ok_or_else(|| source.missing("board.points"))?;
    let lines = table
        .lines
        .as_ref()
        .ok_or_else(|| source.missing("board.lines"))?;
    let all = read_points(source, table, points)?;
    let lines = read_lines(source, lines, &all)?;
    let slides = read_slides(source, table, &all, &lines, &[])?;
    let order = table.text_order.as_ref().unwrap_or(points);
    let text_order = read_order(source, order, &all)?;
    build(source, all, lines, slides, text_order)
}

/// The board of the base with other lines, slides or order of texts.
fn read_board_over(
    source: &Source,
    table: &BoardTable,
    base: &Board,
) -> Result<Board, VariantError> {
    let elsewhere = table.points.as_ref().and_then(|points| points.first());
    let elsewhere = elsewhere.or(table.coordinates.keys().next());
    if let Some(labels) = elsewhere {
        let message = "a variant with a `base` has the points of the base";
        return Err(source.error(labels.span().start, message));
    }
    let point = |p| {
        let (x, y) = base.coordinates(p);
        let label = base.label(p).to_owned();
        BoardPoint { label, x, y }
    };
    let all: Vec<BoardPoint> = (0..base.point_count()).map(point).collect();
    // The lines of a board have forgotten which of their points is the middle: its slides tell.
    let base_lines: Vec<Vec<usize>> = base
        .lines()
        .iter()
        .map(|&line| points(line).collect())
        .collect();
    let of_base = |labels: &Labels| labels.as_ref() == OF_BASE;
    let texts = table.lines.as_deref().unwrap_or_default();
    let keeps_base = table.lines.is_none() || texts.iter().any(of_base);
    let own: Vec<Labels> = texts
        .iter()
        .filter(|labels| !of_base(labels))
        .cloned()
        .collect();
    let own = read_lines(source, &own, &all)?;
    let base_slides = if keeps_base { base.slides() } else { &[] };
    let slides = read_slides(source, table, &all, &own, base_slides)?;
    let lines = if keeps_base { base_lines } else { Vec::new() };
    let lines = lines.into_iter().chain(own).collect();
    let text_order = match &table.text_order {
        Some(order) => read_order(source, order, &all)?,
        None => base.text_order().to_vec(),
    };
    build(source, all, lines, slides, text_order)
}

fn build(
    source: &Source,
    all: Vec<BoardPoint>,
    lines: Vec<Vec<usize>>,
    slides: Vec<(usize, usize)>,
    text_order: Vec<Vec<usize>>,
) -> Result<Board, VariantError> {
    Board::new(all, lines, slides, text_order).map_err(|error| VariantError::Board {
        file: source.name.to_owned(),
        error,
    })
}

fn read_lines(
    source: &Source,
    texts: &[Labels],
    all: &[BoardPoint],
) -> Result<Vec<Vec<usize>>, VariantError> {
    let mut lines = Vec::new();
    for labels in texts {
        let line = source.resolve("lines", labels, all)?;
        if line.len() != 3 {
            let message = format!("`board.lines`: `{}` is not three points", labels.as_ref());
            return Err(source.error(labels.span().start, message));
        }
        lines.push(line);
    }
    Ok(lines)
}

fn read_order(
    source: &Source,
    order: &[Labels],
    all: &[BoardPoint],
) -> Result<Vec<Vec<usize>>, VariantError> {
    let groups = order
        .iter()
        .map(|labels| source.resolve("text_order", labels, all));
    groups.collect()
}

/// Points in file order. A label such as `c5` says where it is; others need `coordinates`.
fn read_points(
    source: &Source,
    table: &BoardTable,
    texts: &[Labels],
) -> Result<Vec<BoardPoint>, VariantError> {
    let mut all: Vec<BoardPoint> = Vec::new();
    for labels in texts {
        for label in labels.as_ref().split_whitespace() {
            if label.contains(char::is_control) {
                let message = format!("`board.points` has control characters in {label:?}");
                return Err(source.error(labels.span().start, message));
            }
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

/// Chains of labels, neighbours joined; the word `lines` stands for the chains of all lines and the slides
/// that come with lines of a base, `knight` for all knight's jumps.
fn read_slides(
    source: &Source,
    table: &BoardTable,
    all: &[BoardPoint],
    lines: &[Vec<usize>],
    base: &[(usize, usize)],
) -> Result<Vec<(usize, usize)>, VariantError> {
    let joined = |chain: &[usize]| -> Vec<(usize, usize)> {
        let pair = |two: &[usize]| (two[0].min(two[1]), two[0].max(two[1]));
        chain.windows(2).map(pair).collect()
    };
    let mut along: Vec<_> = lines.iter().flat_map(|line| joined(line)).collect();
    along.extend_from_slice(base);
    along.sort_unstable();
    along.dedup();
    let Some(chains) = &table.slides else {
        return Ok(along);
    };
    let mut slides = Vec::new();
    for labels in chains {
        match labels.as_ref().as_str() {
            ALONG_LINES => slides.extend_from_slice(&along),
            KNIGHT_JUMPS => slides.extend(knight_jumps(all)),
            _ => slides.extend(joined(&source.resolve("slides", labels, all)?)),
        }
    }
    Ok(slides)
}

/// Points two apart in one direction and one in the other, by their coordinates.
fn knight_jumps(all: &[BoardPoint]) -> Vec<(usize, usize)> {
    let pairs = (0..all.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let jump = |&(a, b): &(usize, usize)| {
        let (across, up) = ((all[a].x - all[b].x).abs(), (all[a].y - all[b].y).abs());
        (across, up) == (1.0, 2.0) || (across, up) == (2.0, 1.0)
    };
    pairs.filter(jump).collect()
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
