//! The text of games cut into words, tags and remarks.

use super::RecordProblem;
use crate::game::Board;

/// A part of a game's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item<'t> {
    /// Name and value.
    Tag(&'t str, String),
    /// A turn or a part of one, without its number and glyphs.
    Word(&'t str),
    /// A further word of the cell of a table.
    More(&'t str),
    /// What is said.
    Remark(&'t str),
    /// How the game ended.
    Result(&'t str),
}

/// Parts, each with the byte at which it begins.
pub(super) type Items<'t> = Vec<(usize, Item<'t>)>;

const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "½-½", "*"];

/// Cuts a text, which may be a table, into parts.
pub(super) fn split<'t>(board: &Board, text: &'t str) -> Result<Items<'t>, (usize, RecordProblem)> {
    let mut scanner = Scanner {
        text,
        at: text.len() - text.trim_start_matches('\u{feff}').len(),
        items: Vec::new(),
    };
    if is_table(text) {
        scanner.table(board)?;
    } else {
        scanner.free()?;
    }
    Ok(scanner.items)
}

/// Whether a line begins with `|`, those inside a remark of a PGN not counted.
fn is_table(text: &str) -> bool {
    let is_row = |line: &str| line.trim_start().starts_with('|');
    let mut in_remark = false;
    for line in text.lines() {
        if !in_remark && is_row(line) {
            return true;
        }
        in_remark = ends_in_remark(line, in_remark);
    }
    // A bracket that is never closed begins no remark.
    in_remark && text.lines().any(is_row)
}

/// Whether a remark in brackets goes on after a line, in which one may go on from the line before.
fn ends_in_remark(line: &str, mut in_remark: bool) -> bool {
    if !in_remark && line.starts_with(['[', '%']) {
        return false;
    }
    let mut rest = line;
    loop {
        let end = match in_remark {
            true => rest.find('}'),
            false => rest
                .find(['{', ';'])
                .filter(|&at| rest[at..].starts_with('{')),
        };
        let Some(end) = end else {
            return in_remark;
        };
        rest = &rest[end + 1..];
        in_remark = !in_remark;
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    items: Items<'t>,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The rest of the line, with the bytes after it left to read.
    fn line(&mut self) -> &'t str {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        self.at += (line.len() + 1).min(rest.len());
        line
    }

    fn remark(&mut self, at: usize, text: &'t str) {
        let text = text.trim();
        if !text.is_empty() {
            self.items.push((at, Item::Remark(text)));
        }
    }

    fn table(&mut self, board: &Board) -> Result<(), (usize, RecordProblem)> {
        let mut first_row = true;
        while self.at < self.text.len() {
            let start = self.at;
            if self.rest().starts_with('[') {
                self.tag()?;
                continue;
            }
            let line = self.line();
            let Some(cells) = line.trim().strip_prefix('|') else {
                self.remark(start, line);
                continue;
            };
            let is_rule = cells.chars().all(|c| " |-:".contains(c));
            let is_heading = first_row && !has_points(board, cells);
            first_row = false;
            if !is_rule && !is_heading {
                cells.split('|').for_each(|cell| self.cell(cell));
            }
        }
        Ok(())
    }

    /// A turn, and what is said of it in brackets or after it.
    fn cell(&mut self, cell: &'t str) {
        let mut is_first = true;
        let mut rest = cell;
        while !rest.is_empty() {
            let at = self.offset(rest);
            let is_point = rest.starts_with('(') && ring_point(rest).is_some();
            if rest.starts_with('(') && !is_point {
                let (said, after) = rest[1..].split_once(')').unwrap_or((&rest[1..], ""));
                self.remark(at, said);
                rest = after;
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace());
            let word = &rest[..end.unwrap_or(rest.len())];
            rest = &rest[word.len()..];
            rest = rest.trim_start();
            let Some(word) = bare(word) else { continue };
            self.items.push((
                self.offset(word),
                if is_first {
                    Item::Word(word)
                } else {
                    Item::More(word)
                },
            ));
            is_first = false;
        }
    }

    fn offset(&self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    fn free(&mut self) -> Result<(), (usize, RecordProblem)> {
        while let Some(first) = self.rest().chars().next() {
            let start = self.at;
            let line_starts = self.text[..start].ends_with('\n') || start == 0;
            match first {
                _ if first.is_whitespace() => self.at += first.len_utf8(),
                '%' if line_starts => {
                    self.line();
                }
                ';' => {
                    let line = self.line();
                    self.remark(start, &line[1..]);
                }
                '{' => {
                    let inside = self.inside('{', '}')?;
                    self.remark(start, inside);
                }
                '[' => self.tag()?,
                '(' if ring_point(self.rest()).is_none() => self.variation()?,
                _ => self.word(),
            }
        }
        Ok(())
    }

    /// The text between a bracket here and the next that closes it.
    fn inside(&mut self, open: char, close: char) -> Result<&'t str, (usize, RecordProblem)> {
        let rest = self.rest();
        let end = rest
            .find(close)
            .ok_or((self.at, RecordProblem::Open(open)))?;
        self.at += end + close.len_utf8();
        Ok(&rest[open.len_utf8()..end])
    }

    /// Skips other ways the game could have gone, which may hold more of their kind.
    fn variation(&mut self) -> Result<(), (usize, RecordProblem)> {
        let (start, mut depth) = (self.at, 0);
        while let Some(c) = self.rest().chars().next() {
            match c {
                '{' => {
                    self.inside('{', '}')?;
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.at += c.len_utf8();
            if depth == 0 {
                return Ok(());
            }
        }
        Err((start, RecordProblem::Open('(')))
    }

    /// `[Name "value"]`, with `\"` and `\\` inside the value.
    fn tag(&mut self) -> Result<(), (usize, RecordProblem)> {
        let start = self.at;
        let wrong = (start, RecordProblem::Tag);
        let inside = self.rest()[1..].trim_start();
        let name_length = inside
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(inside.len());
        let (name, after) = inside.split_at(name_length);
        let quoted = after.trim_start().strip_prefix('"');
        let (Some(quoted), false) = (quoted, name.is_empty()) else {
            return Err(wrong);
        };
        let (mut value, mut escaped) = (String::new(), false);
        for (i, c) in quoted.char_indices() {
            match c {
                '\n' => break,
                '\\' if !escaped => escaped = true,
                '"' if !escaped => {
                    let Some(rest) = quoted[i + 1..].trim_start().strip_prefix(']') else {
                        break;
                    };
                    self.at = self.offset(rest);
                    self.items.push((start, Item::Tag(name, value)));
                    return Ok(());
                }
                c => {
                    value.push(c);
                    escaped = false;
                }
            }
        }
        Err(wrong)
    }

    fn word(&mut self) {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || "{;[$".contains(c);
        // The first character begins the word, whatever it is: `$` a glyph.
        let end = rest.char_indices().skip(1).find(|(_, c)| ends(*c));
        let word = &rest[..end.map_or(rest.len(), |(at, _)| at)];
        self.at += word.len();
        if RESULTS.contains(&word) {
            self.items.push((self.offset(word), Item::Result(word)));
        } else if let Some(word) = bare(word) {
            self.items.push((self.offset(word), Item::Word(word)));
        }
    }
}

/// A word without the number of the move before it and the glyphs after it; `None` if that is all it is.
fn bare(word: &str) -> Option<&str> {
    if word.starts_with('$') {
        return None;
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = match digits.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None => word,
    };
    let word = word.trim_end_matches(['!', '?', ',', '.', ';', ':', '+', '#']);
    (!word.is_empty()).then_some(word)
}

/// The point that a text begins with, if that is one of the form `(2,5)`.
fn ring_point(text: &str) -> Option<&str> {
    let end = text.find(')')?;
    let (ring, place) = text[1..end].split_once(',')?;
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    (is_number(ring) && is_number(place)).then(|| &text[..=end])
}

/// Whether a row of a table names a point.
fn has_points(board: &Board, cells: &str) -> bool {
    let is_label = |cell: &str| {
        let first = cell.split_whitespace().next().and_then(bare);
        first.is_some_and(|word| board.point(word).is_some())
    };
    cells.contains(|c: char| c.is_ascii_digit()) || cells.split('|').any(is_label)
}
