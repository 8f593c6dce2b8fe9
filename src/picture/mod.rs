//! Boards as SVG pictures: the men, and what the turns are worth.
//!
//! A [`Picture`] is drawn from the coordinates of the board's points, so that every board has one, of whatever
//! shape. A turn has its value on the point where a man is placed, or on an arrow along its slide:
//!
//! ```text
//!  7  ( )----[W47]----( )        [W47]  a man placed here wins in 47 plies
//!      |       |       |         [D]    ... draws
//!      |     (@)--[L12]-->( )    [L12]  moved along here loses in 12
//!     ( )      |       |
//! ```
//!
//! A side that flies would cover the board with arrows: each goal then lists the men that may fly there, as
//! `d6 W47`. Results differ in letter and in colour, so that neither is needed alone.
//!
//! ```
//! use millbase::game::Variant;
//! use millbase::picture::Picture;
//!
//! let three = Variant::builtin("three")?;
//! let svg = Picture::of(&three.board, three.start().into()).document();
//! assert!(svg.starts_with("<svg") && svg.contains("White to move"));
//! # Ok::<(), millbase::game::VariantError>(())
//! ```

mod badges;
mod layout;
mod numbers;

use maud::{Markup, PreEscaped, html};

use crate::game::{Board, PointSet, Side, points};
use crate::notation::{ReadPosition, side_name, write_choice};
use crate::probe::Ranked;

pub(crate) use badges::words;
use layout::Layout;
pub(crate) use numbers::number;

/// The style of all pictures, for light and dark. [`Picture::document`] brings it along; a page with
/// fragments has to have it once.
pub const STYLE: &str = include_str!("picture.css");

/// A position to draw.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The board.
    pub board: &'a Board,
    /// The men, and whose turn it is.
    pub read: ReadPosition,
    /// Turns to show, as [`Prober::ranked`](crate::probe::Prober::ranked) gives them: best first. Of turns
    /// that differ only in the man taken the best is shown.
    pub turns: &'a [Ranked],
    /// Whether plies are written beside the results.
    pub with_plies: bool,
}

impl<'a> Picture<'a> {
    /// The picture of a position without turns.
    pub fn of(board: &'a Board, read: ReadPosition) -> Picture<'a> {
        Picture {
            board,
            read,
            turns: &[],
            with_plies: true,
        }
    }

    /// The picture as an SVG file that needs nothing else.
    pub fn document(&self) -> String {
        let layout = Layout::of(self.board);
        let (width, height) = self.size(&layout);
        let document = html! {
            svg.mill xmlns="http://www.w3.org/2000/svg" role="img"
                width=(number(width)) height=(number(height)) viewBox=(view_box(width, height)) {
                style { (PreEscaped(STYLE)) }
                (self.contents(&layout))
            }
        };
        document.into_string() + "\n"
    }

    /// The picture as a part of an HTML page that has [`STYLE`], so many times as large as a file of its own
    /// unless the page's style says otherwise.
    pub(crate) fn fragment(&self, scale: f64) -> Markup {
        let layout = Layout::of(self.board);
        let (width, height) = self.size(&layout);
        html! {
            svg.mill role="img" width=(number(scale * width)) viewBox=(view_box(width, height)) {
                (self.contents(&layout))
            }
        }
    }

    fn size(&self, layout: &Layout) -> (f64, f64) {
        let lines = if self.hands() == (0, 0) { 1.0 } else { 2.0 };
        let foot = layout.unit * (0.25 + 0.42 * lines);
        (layout.width, layout.height + foot)
    }

    fn contents(&self, layout: &Layout) -> Markup {
        let (width, height) = self.size(layout);
        html! {
            title { (self.description()) }
            rect.ground width=(number(width)) height=(number(height)) rx=(number(0.15 * layout.unit)) {}
            (self.ways(layout))
            (self.men(layout))
            (labels(self, layout))
            (badges::draw(self, layout))
            (self.foot(layout))
        }
    }

    /// Lines, slides and empty points.
    fn ways(&self, layout: &Layout) -> Markup {
        let (lines, slides) = layout::ways(self.board);
        let path = |way: &[usize]| -> String {
            let at = way.iter().map(|&p| layout.text(p));
            format!("M{}", at.collect::<Vec<_>>().join("L"))
        };
        let lines: String = lines.iter().map(|line| path(line)).collect();
        let slides: String = slides.iter().map(|&(a, b)| path(&[a, b])).collect();
        let empty = self.board.all_points() & !self.read.position.occupied();
        let dots: String = points(empty)
            .map(|p| format!("M{}h0", layout.text(p)))
            .collect();
        let stroke = |share: f64| number(share * layout.unit);
        html! {
            @if !slides.is_empty() { path.slide d=(slides) stroke-width=(stroke(0.02)) {} }
            path.line d=(lines) stroke-width=(stroke(0.035)) {}
            @if !dots.is_empty() { path.line d=(dots) stroke-width=(stroke(0.17)) {} }
        }
    }

    fn men(&self, layout: &Layout) -> Markup {
        let (white, black) = self.sides();
        html! {
            @for (class, men) in [("white", white), ("black", black)] {
                @for p in points(men) { (man(class, layout.at[p], 0.32, layout.unit)) }
            }
        }
    }

    /// Whose turn it is, and the men in hand.
    fn foot(&self, layout: &Layout) -> Markup {
        let unit = layout.unit;
        let class = match self.read.position.side {
            Side::White => "white",
            Side::Black => "black",
        };
        let (x, y) = (0.45 * unit, layout.height + 0.2 * unit);
        let (white, black) = self.hands();
        let text = |x: f64, y: f64, text: &str| {
            html! {
                text.note x=(number(x)) y=(number(y)) dy=".35em" font-size=(number(0.28 * unit)) { (text) }
            }
        };
        let below = y + 0.42 * unit;
        html! {
            (man(class, (x, y), 0.13, unit))
            (text(x + 0.28 * unit, y, &self.whose_turn()))
            @if (white, black) != (0, 0) {
                (man("white", (x, below), 0.13, unit))
                (text(x + 0.28 * unit, below, &white.to_string()))
                (man("black", (x + 0.9 * unit, below), 0.13, unit))
                (text(x + 1.18 * unit, below, &format!("{black} in hand")))
            }
        }
    }

    fn whose_turn(&self) -> String {
        let side = side_name(self.read.position.side);
        match self.read.removals_due {
            0 => format!("{side} to move"),
            _ => format!("{side} to take a man"),
        }
    }

    /// What the picture shows, in words.
    fn description(&self) -> String {
        let (white, black) = self.sides();
        let men = |set: PointSet| match set {
            0 => "no men on the board".to_owned(),
            set => self.board.labels(set),
        };
        let mut text = format!(
            "White: {}. Black: {}. {}.",
            men(white),
            men(black),
            self.whose_turn()
        );
        if self.hands() != (0, 0) {
            let (white, black) = self.hands();
            text += &format!(" In hand: White {white}, Black {black}.");
        }
        let turn = |ranked: &Ranked| {
            let text = write_choice(self.board, ranked.choice);
            let value = badges::words(ranked.answer, self.with_plies);
            format!("{text} {value}")
        };
        let turns: Vec<String> = self.turns.iter().map(turn).collect();
        if !turns.is_empty() {
            text += &format!(" Turns: {}.", turns.join(", "));
        }
        text
    }

    /// The men of White and of Black.
    fn sides(&self) -> (PointSet, PointSet) {
        let position = &self.read.position;
        match position.side {
            Side::White => (position.mover, position.opponent),
            Side::Black => (position.opponent, position.mover),
        }
    }

    /// The men in hand of White and of Black.
    fn hands(&self) -> (u8, u8) {
        let position = &self.read.position;
        (position.hand(Side::White), position.hand(Side::Black))
    }
}

fn view_box(width: f64, height: f64) -> String {
    format!("0 0 {} {}", number(width), number(height))
}

/// A man; its radius is a share of the unit.
fn man(class: &str, (x, y): (f64, f64), radius: f64, unit: f64) -> Markup {
    html! {
        circle class=(class) cx=(number(x)) cy=(number(y)) r=(number(radius * unit))
            stroke-width=(number(0.035 * unit)) {}
    }
}

/// What the points are called: at the sides, or else on each man and beside each empty point.
fn labels(picture: &Picture<'_>, layout: &Layout) -> Markup {
    let Some(sides) = &layout.sides else {
        return html! {
            @for p in 0..picture.board.point_count() { (own_label(picture, layout, p)) }
        };
    };
    let (size, aside) = (0.26 * layout.unit, 0.3 * layout.unit);
    html! {
        @for (&y, rank) in &sides.ranks { (label("label", (aside, y as f64), "middle", size, rank)) }
        @for (&x, file) in &sides.files {
            (label("label", (x as f64, layout.height - aside), "middle", size, file))
        }
    }
}

fn own_label(picture: &Picture<'_>, layout: &Layout, p: usize) -> Markup {
    let (unit, (x, y)) = (layout.unit, layout.at[p]);
    let text = picture.board.label(p);
    let (white, black) = picture.sides();
    let has = |set: PointSet| set >> p & 1 == 1;
    if has(white) || has(black) {
        let class = if has(white) { "on-white" } else { "on-black" };
        let size = (0.55 / (0.6 * text.len() as f64)).min(0.24) * unit;
        return label(class, (x, y), "middle", size, text);
    }
    let aside = if has(badges::on_points(picture)) {
        0.24
    } else {
        0.1
    } * unit;
    label(
        "label",
        (x + aside, y + aside + 0.12 * unit),
        "start",
        0.26 * unit,
        text,
    )
}

fn label(class: &str, (x, y): (f64, f64), anchor: &str, size: f64, text: &str) -> Markup {
    html! {
        text class=(class) x=(number(x)) y=(number(y)) dy=".35em" text-anchor=(anchor)
            font-size=(number(size)) { (text) }
    }
}
