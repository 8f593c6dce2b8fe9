//! The board as a picture for the terminal, from the coordinates of its points and its slides.
//!
//! ```text
//! 3  O---.---@
//!    |   |   |
//! 2  .---O---.
//!    |   |   |
//! 1  .---.---@
//!    a   b   c
//! ```

use std::collections::BTreeMap;

use crate::game::{Board, Position, Side};

use super::sides::{Sides, sides};

/// Which characters a drawing is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Lines of box-drawing characters.
    Unicode,
    /// Lines of `-`, `|`, `/` and `\`.
    Ascii,
}

impl Charset {
    fn pick(self, ascii: char, unicode: char) -> char {
        match self {
            Charset::Ascii => ascii,
            Charset::Unicode => unicode,
        }
    }
}

/// Columns and rows between points one unit apart: about a square in most terminals.
const COLUMNS: f64 = 4.0;
const ROWS: f64 = 2.0;

/// The most units a drawing is wide or high; boards with larger coordinates are scaled down.
const MOST_UNITS: f64 = 30.0;

/// Draws the board with its men: `O` White, `@` Black (as in position texts), `.` or `·` empty.
///
/// Boards whose labels are files and ranks get them at the sides, others beside each point. Every
/// line of the text ends in a line break.
pub fn draw(board: &Board, position: &Position, charset: Charset) -> String {
    let layout = Layout::of(board);
    let mut canvas = Canvas::new(layout.size());
    for &(a, b) in board.slides() {
        canvas.line(layout.cells[a], layout.cells[b], charset);
    }
    for (p, &cell) in layout.cells.iter().enumerate() {
        canvas.set(cell, man(position, p, charset));
    }
    match sides(board, &layout.cells) {
        Some(Sides { ranks, files }) => canvas.framed(&ranks, &files),
        None => {
            for (p, &(column, row)) in layout.cells.iter().enumerate() {
                canvas.write((column + 1, row), board.label(p));
            }
            canvas.framed(&BTreeMap::new(), &BTreeMap::new())
        }
    }
}

fn man(position: &Position, p: usize, charset: Charset) -> char {
    let (white, black) = match position.side {
        Side::White => (position.mover, position.opponent),
        Side::Black => (position.opponent, position.mover),
    };
    if white >> p & 1 == 1 {
        'O'
    } else if black >> p & 1 == 1 {
        '@'
    } else {
        charset.pick('.', '·')
    }
}

/// A place of the canvas: column from the left, row from the top.
type Cell = (usize, usize);

/// Where on the canvas each point is.
struct Layout {
    cells: Vec<Cell>,
}

impl Layout {
    fn of(board: &Board) -> Layout {
        let at = |p| {
            let (x, y) = board.coordinates(p);
            (f64::from(x), f64::from(y))
        };
        let all: Vec<(f64, f64)> = (0..board.point_count()).map(at).collect();
        let left = all.iter().map(|c| c.0).fold(f64::INFINITY, f64::min);
        let right = all.iter().map(|c| c.0).fold(f64::NEG_INFINITY, f64::max);
        let bottom = all.iter().map(|c| c.1).fold(f64::INFINITY, f64::min);
        let top = all.iter().map(|c| c.1).fold(f64::NEG_INFINITY, f64::max);
        let units = (right - left).max(top - bottom);
        let scale = if units > MOST_UNITS {
            MOST_UNITS / units
        } else {
            1.0
        };
        let cell = |&(x, y): &(f64, f64)| {
            let column = ((x - left) * scale * COLUMNS).round();
            let row = ((top - y) * scale * ROWS).round();
            (column as usize, row as usize)
        };
        Layout {
            cells: all.iter().map(cell).collect(),
        }
    }

    fn size(&self) -> Cell {
        let columns = self.cells.iter().map(|c| c.0).max().unwrap_or(0) + 1;
        let rows = self.cells.iter().map(|c| c.1).max().unwrap_or(0) + 1;
        (columns, rows)
    }
}

/// A sheet of characters.
struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    fn new((columns, rows): Cell) -> Canvas {
        Canvas {
            rows: vec![vec![' '; columns]; rows],
        }
    }

    fn set(&mut self, (column, row): Cell, c: char) {
        let line = &mut self.rows[row];
        if line.len() <= column {
            line.resize(column + 1, ' ');
        }
        line[column] = c;
    }

    /// Writes a text to the right, over lines.
    fn write(&mut self, (column, row): Cell, text: &str) {
        for (i, c) in text.chars().enumerate() {
            self.set((column + i, row), c);
        }
    }

    /// Joins two cells, whose own characters are set later.
    fn line(&mut self, (ax, ay): Cell, (bx, by): Cell, charset: Charset) {
        let (dx, dy) = (bx as i64 - ax as i64, by as i64 - ay as i64);
        let c = match () {
            // Two columns are as wide as one row is high.
            () if 4 * dy.abs() <= dx.abs() => charset.pick('-', '─'),
            () if 2 * dx.abs() <= dy.abs() => charset.pick('|', '│'),
            () if (dx > 0) == (dy > 0) => charset.pick('\\', '╲'),
            () => charset.pick('/', '╱'),
        };
        // A step a row on steep lines keeps diagonals free of doubled characters.
        let flat = 4 * dy.abs() <= dx.abs();
        let steps = if flat { dx.abs() } else { dy.abs() };
        for i in 1..steps {
            let part = |from: usize, d: i64| {
                let exact = from as f64 + d as f64 * i as f64 / steps as f64;
                exact.round() as usize
            };
            self.set((part(ax, dx), part(ay, dy)), c);
        }
    }

    /// The text, with names of rows on the left and of columns below.
    fn framed(&self, ranks: &BTreeMap<usize, String>, files: &BTreeMap<usize, String>) -> String {
        let widest = ranks.values().map(|rank| rank.chars().count()).max();
        let margin = widest.map_or(0, |width| width + 2);
        let mut text = String::new();
        for (row, line) in self.rows.iter().enumerate() {
            let rank = ranks.get(&row).map_or("", String::as_str);
            let line: String = line.iter().collect();
            text += format!("{rank:<margin$}{line}").trim_end();
            text.push('\n');
        }
        if !files.is_empty() {
            let mut below = Canvas::new((1, 1));
            for (&column, file) in files {
                below.write((margin + column, 0), file);
            }
            text += &below.framed(&BTreeMap::new(), &BTreeMap::new());
        }
        text
    }
}
