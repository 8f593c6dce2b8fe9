//! Notations: what the points are called, and how the actions of a turn are joined.
//!
//! ```text
//! style     points                               placed   moved           taken        a whole turn
//! labels    the board's own                      d6       a1-a4           xg7          d6-d7xa4
//! numbers   row by row from the top left         5        23-24           x20          10-1x23
//! rings     (group, place) of position texts     (2,1)    (1,3)->(1,2)    -(3,1)       (2,1)->(3,1)-(3,6)
//! ```
//!
//! Passing is `pass` in all of them.
//!
//! Numbers are those of PlayOK and of many books; rings are an old form of Sanmill. A [`Notation`] is a table
//! of names with the marks between them, and this file is all that knows of either.

use super::turns::TurnProblem;
use crate::game::{Board, Choice, PASS, PointSet, Position, Turn, Variant, points};

/// A way to name points and to join actions: see the module's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// The labels of the board.
    Labels,
    /// Numbers from 1, row by row from the top left point.
    Numbers,
    /// The group of the position text and the place in it, both from 1.
    Rings,
}

impl Style {
    /// All of them; where a text fits several, the first is meant.
    pub const ALL: [Style; 3] = [Style::Labels, Style::Numbers, Style::Rings];

    /// The marks before the goal of a move and before a man that is taken; the first of each is written.
    fn marks(self) -> [(Mark, &'static [&'static str]); 2] {
        let (moved, taken): (&[_], &[_]) = match self {
            Style::Labels | Style::Numbers => (&["-", "–", "—"], &["x", "×"]),
            Style::Rings => (&["->"], &["-"]),
        };
        [(Mark::To, moved), (Mark::Takes, taken)]
    }

    /// What turns look like, for people.
    fn examples(self) -> &'static str {
        match self {
            Style::Labels => "d6, a1-a4, f6-f4xd2, or xd2 for a removal alone",
            Style::Numbers => "5, 23-24, 10-1x23, or x23 for a removal alone",
            Style::Rings => "(2,1), (1,3)->(1,2), (2,1)-(3,6), or -(3,6) for a removal alone",
        }
    }

    /// Whether a text could name a point of some board.
    fn could_name(self, text: &str) -> bool {
        match self {
            Style::Labels => !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric()),
            Style::Numbers => !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()),
            Style::Rings => text.starts_with('(') && text.ends_with(')'),
        }
    }
}

/// What a mark says of the point after it.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    To,
    Takes,
}

/// A turn as written, its points known but nothing else checked.
pub(super) struct Parsed {
    /// Where from (`None`: the hand) and where to; `None` when men are only taken.
    pub step: Option<(Option<u8>, u8)>,
    /// The men taken, in the order written.
    pub removed: Vec<usize>,
}

/// A style on a board.
#[derive(Clone, Debug)]
pub struct Notation<'a> {
    board: &'a Board,
    style: Style,
    /// The name of each point; empty for the board's own.
    names: Vec<String>,
}

impl<'a> Notation<'a> {
    /// The points of a board in a style.
    pub fn new(board: &'a Board, style: Style) -> Notation<'a> {
        let names = match style {
            Style::Labels => Vec::new(),
            Style::Numbers => numbers(board),
            Style::Rings => rings(board),
        };
        Notation {
            board,
            style,
            names,
        }
    }

    /// The notation of a text of turns: that in which most of its words are turns.
    pub fn of_text(board: &'a Board, text: &str) -> Notation<'a> {
        Notation::of_words(board, text.split_whitespace())
    }

    /// As [`of_text`](Self::of_text), for words from anywhere.
    pub fn of_words<'w>(
        board: &'a Board,
        words: impl Iterator<Item = &'w str> + Clone,
    ) -> Notation<'a> {
        let all = words.clone().count();
        let (mut best, mut most) = (Notation::new(board, Style::Labels), None);
        for style in Style::ALL {
            let notation = Notation::new(board, style);
            let fit = words.clone().filter(|word| notation.parse(word).is_ok());
            let fit = fit.count();
            if most.is_none_or(|most| fit > most) {
                (best, most) = (notation, Some(fit));
            }
            if fit == all {
                break;
            }
        }
        best
    }

    /// The style.
    pub fn style(&self) -> Style {
        self.style
    }

    /// What the point is called.
    pub fn name(&self, p: usize) -> &str {
        match self.names.get(p) {
            Some(name) => name,
            None => self.board.label(p),
        }
    }

    /// The point of that name.
    pub fn point(&self, name: &str) -> Option<usize> {
        match self.style {
            Style::Labels => self.board.point(name),
            _ => self.names.iter().position(|known| known == name),
        }
    }

    /// The names of a set's points, in point order, separated by blanks.
    pub fn list(&self, set: PointSet) -> String {
        let names: Vec<_> = points(set).map(|p| self.name(p)).collect();
        names.join(" ")
    }

    /// The text of a turn, with what it takes.
    pub fn write_turn(&self, turn: &Turn) -> String {
        let Some(to) = turn.to else {
            return PASS.to_owned();
        };
        let to = self.name(to.into());
        let step = match turn.from {
            Some(from) => format!("{}{}{to}", self.name(from.into()), self.mark(Mark::To)),
            None => to.to_owned(),
        };
        step + &self.write_removal(turn.removed)
    }

    /// The text of taking these men; empty for none.
    pub fn write_removal(&self, removed: PointSet) -> String {
        let taken = points(removed).map(|p| self.mark(Mark::Takes).to_owned() + self.name(p));
        taken.collect()
    }

    /// The text of what a player does.
    pub fn write(&self, choice: Choice) -> String {
        match choice {
            Choice::Turn(turn) => self.write_turn(&turn),
            Choice::Removal(removed) => self.write_removal(removed),
        }
    }

    /// The single actions of what a player does in a position: the step, then each man taken, in an order that is
    /// legal. Protocols that know no whole turns send them one by one.
    pub fn write_actions(&self, variant: &Variant, p: &Position, choice: Choice) -> Vec<String> {
        let (step, removed) = match choice {
            Choice::Turn(turn) => (Some(Turn { removed: 0, ..turn }), turn.removed),
            Choice::Removal(removed) => (None, removed),
        };
        let step = step.map(|step| self.write_turn(&step)).into_iter();
        let order = variant.removal_order(p, removed).into_iter();
        step.chain(order.map(|x| self.write_removal(1 << x)))
            .collect()
    }

    fn mark(&self, wanted: Mark) -> &'static str {
        let marks = self.style.marks();
        let found = marks.into_iter().find(|(mark, _)| *mark == wanted);
        found.map_or("", |(_, texts)| texts[0])
    }

    /// The first mark in a text: which, and the texts before and after it. Of marks that begin at the same
    /// place the longest is meant.
    fn split<'t>(&self, text: &'t str) -> (&'t str, Option<(Mark, &'t str)>) {
        let all = self.style.marks();
        let all = all
            .iter()
            .flat_map(|(mark, texts)| texts.iter().map(|t| (*mark, *t)));
        let found = all.filter_map(|(mark, t)| Some((text.find(t)?, t.len(), mark)));
        match found.min_by_key(|&(at, length, _)| (at, usize::MAX - length)) {
            Some((at, length, mark)) => (&text[..at], Some((mark, &text[at + length..]))),
            None => (text, None),
        }
    }

    fn named(&self, text: &str) -> Result<usize, TurnProblem> {
        if !self.style.could_name(text) {
            return Err(self.no_turn());
        }
        let found = self.point(text);
        found.ok_or_else(|| TurnProblem::NoSuchPoint(text.to_owned()))
    }

    fn no_turn(&self) -> TurnProblem {
        TurnProblem::Form {
            examples: self.style.examples(),
        }
    }

    /// Reads the points of a turn.
    pub(super) fn parse(&self, word: &str) -> Result<Parsed, TurnProblem> {
        let (first, mut rest) = self.split(word);
        let mut step = match (first, &rest) {
            ("", Some((Mark::Takes, _))) => None,
            _ => Some((None, self.named(first)? as u8)),
        };
        let mut removed = Vec::new();
        while let Some((mark, text)) = rest {
            let (name, next) = self.split(text);
            let point = self.named(name)?;
            match (mark, step) {
                (Mark::Takes, _) => removed.push(point),
                (Mark::To, Some((None, from))) if removed.is_empty() => {
                    step = Some((Some(from), point as u8));
                }
                (Mark::To, _) => return Err(self.no_turn()),
            }
            rest = next;
        }
        Ok(Parsed { step, removed })
    }
}

/// Row by row from the top, each from the left.
fn numbers(board: &Board) -> Vec<String> {
    let mut order: Vec<usize> = (0..board.point_count()).collect();
    order.sort_by(|&a, &b| {
        let ((ax, ay), (bx, by)) = (board.coordinates(a), board.coordinates(b));
        by.total_cmp(&ay).then(ax.total_cmp(&bx))
    });
    let mut names = vec![String::new(); order.len()];
    for (i, p) in order.into_iter().enumerate() {
        names[p] = (i + 1).to_string();
    }
    names
}

fn rings(board: &Board) -> Vec<String> {
    let mut names = vec![String::new(); board.point_count()];
    for (ring, group) in board.text_order().iter().enumerate() {
        for (place, &p) in group.iter().enumerate() {
            names[p] = format!("({},{})", ring + 1, place + 1);
        }
    }
    names
}
