//! What turns are worth, on points and arrows.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::game::{PointSet, points};
use crate::notation::write_choice;
use crate::probe::{Answer, Choice, Ranked};
use crate::value::Outcome;

use super::layout::Layout;
use super::{Picture, number};

/// Where a man comes from, if not from the hand, and where it goes or which man is taken.
type Step = (Option<usize>, usize);

/// All turns of a picture.
pub(super) fn draw(picture: &Picture<'_>, layout: &Layout) -> Markup {
    let steps = steps(picture);
    let is_flight =
        |&(from, to): &Step| from.is_some_and(|from| picture.board.neighbours(from) >> to & 1 == 0);
    // A side that flies may slide too, but both at once would be hard to read.
    let flies = steps.keys().any(is_flight);
    let mut flights: BTreeMap<usize, Vec<(usize, &Ranked)>> = BTreeMap::new();
    let mut marks = Vec::new();
    for (&(from, to), &ranked) in &steps {
        match from {
            Some(from) if flies => flights.entry(to).or_default().push((from, ranked)),
            Some(from) => marks.push(arrow(picture, layout, (from, to), ranked)),
            None => marks.push(Badge::of(picture, layout, ranked, None).at(layout.at[to])),
        }
    }
    for (to, men) in flights {
        marks.push(flights_to(picture, layout, to, &men));
    }
    html! {
        @for mark in marks { (mark) }
    }
}

/// The points with a value on them.
pub(super) fn on_points(picture: &Picture<'_>) -> PointSet {
    let placed = steps(picture).into_keys().filter(|step| step.0.is_none());
    placed.fold(0, |set, (_, to)| set | 1 << to)
}

/// The best turn of each step.
fn steps<'a>(picture: &Picture<'a>) -> BTreeMap<Step, &'a Ranked> {
    let mut steps = BTreeMap::new();
    for ranked in picture.turns {
        match ranked.choice {
            Choice::Turn(turn) => {
                // Who passes goes nowhere.
                let Some(to) = turn.to else { continue };
                let step = (turn.from.map(usize::from), usize::from(to));
                steps.entry(step).or_insert(ranked);
            }
            Choice::Removal(taken) => points(taken).for_each(|p| {
                steps.entry((None, p)).or_insert(ranked);
            }),
        }
    }
    steps
}

/// A move along a slide.
fn arrow(
    picture: &Picture<'_>,
    layout: &Layout,
    (from, to): (usize, usize),
    ranked: &Ranked,
) -> Markup {
    let unit = layout.unit;
    let ((ax, ay), (bx, by)) = (layout.at[from], layout.at[to]);
    let length = (bx - ax).hypot(by - ay).max(1.0);
    let (dx, dy) = ((bx - ax) / length, (by - ay) / length);
    let along = |distance: f64, aside: f64| {
        let (x, y) = (ax + dx * distance, ay + dy * distance);
        let (x, y) = (x - dy * aside, y + dx * aside);
        format!("{} {}", number(x), number(y))
    };
    let tip = length - 0.12 * unit;
    let wings = tip - 0.2 * unit;
    let class = format!("arrow {}", class(ranked.answer));
    let line = format!("M{}L{}", along(0.34 * unit, 0.0), along(wings, 0.0));
    let head = format!(
        "M{}L{}L{}Z",
        along(tip, 0.0),
        along(wings, 0.11 * unit),
        along(wings, -0.11 * unit)
    );
    let badge = Badge::of(picture, layout, ranked, None);
    // Upon a short arrow it would hide it, so it goes to the left of who travels there: arrows that meet in a
    // point then have their badges all around it. At the edge of the picture it goes to the right.
    let aside = dy.abs() * badge.width / 2.0 + dx.abs() * badge.height / 2.0 + 0.09 * unit;
    let middle = ((ax + bx) / 2.0, (ay + by) / 2.0);
    let at = |aside: f64| (middle.0 + dy * aside, middle.1 - dx * aside);
    let room = 0.45 * unit + badge.width / 2.0;
    let fits = (room..=layout.width - badge.width / 2.0).contains(&at(aside).0);
    let place = at(if fits { aside } else { -aside });
    html! {
        path class=(class) d=(line) stroke-width=(number(0.06 * unit)) {}
        path class=(class) d=(head) {}
        (badge.at(place))
    }
}

/// The men that may fly to a point, one below the other.
fn flights_to(
    picture: &Picture<'_>,
    layout: &Layout,
    to: usize,
    men: &[(usize, &Ranked)],
) -> Markup {
    let (x, y) = layout.at[to];
    let row = |i: usize| 0.29 * layout.unit * (i as f64 - (men.len() as f64 - 1.0) / 2.0);
    html! {
        @for (i, &(from, ranked)) in men.iter().enumerate() {
            (Badge::of(picture, layout, ranked, Some(picture.board.label(from))).at((x, y + row(i))))
        }
    }
}

/// A value on its coloured ground.
struct Badge {
    text: String,
    class: &'static str,
    /// Turn and value in words.
    title: String,
    font_size: f64,
    width: f64,
    height: f64,
}

impl Badge {
    /// The value of a turn, after the label of the man it is about if that is needed.
    fn of(picture: &Picture<'_>, layout: &Layout, ranked: &Ranked, man: Option<&str>) -> Badge {
        let value = letter(ranked.answer, picture.with_plies);
        let (text, size) = match man {
            Some(man) => (format!("{man} {value}"), 0.21),
            None => (value, 0.3),
        };
        let font_size = size * layout.unit;
        let turn = write_choice(picture.board, ranked.choice);
        let words = words(ranked.answer, picture.with_plies);
        Badge {
            class: class(ranked.answer),
            title: format!("{turn}: {words}"),
            font_size,
            width: font_size * (0.66 * text.len() as f64 + 0.55),
            height: 1.25 * font_size,
            text,
        }
    }

    /// The badge with its middle there.
    fn at(&self, (x, y): (f64, f64)) -> Markup {
        let (left, top) = (x - self.width / 2.0, y - self.height / 2.0);
        html! {
            g class=(format!("badge {}", self.class)) {
                title { (self.title) }
                rect x=(number(left)) y=(number(top)) width=(number(self.width))
                    height=(number(self.height)) rx=(number(0.3 * self.font_size)) {}
                text x=(number(x)) y=(number(y)) dy=".35em" text-anchor="middle"
                    font-size=(number(self.font_size)) { (self.text) }
            }
        }
    }
}

fn class(answer: Answer) -> &'static str {
    match answer.known().map(|probed| probed.outcome) {
        Some(Outcome::Win) => "win",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Loss) => "loss",
        None => "unknown",
    }
}

/// `W47`, `D`, `L12`, or `?` where the database cannot tell.
fn letter(answer: Answer, with_plies: bool) -> String {
    let Answer::Known(probed) = answer else {
        return "?".to_owned();
    };
    let letter = match probed.outcome {
        Outcome::Win => "W",
        Outcome::Draw => "D",
        Outcome::Loss => "L",
    };
    match probed.plies.filter(|_| with_plies) {
        Some(plies) => format!("{letter}{plies}"),
        None => letter.to_owned(),
    }
}

/// `win in 47 plies`, `draw`, `unknown`.
pub(crate) fn words(answer: Answer, with_plies: bool) -> String {
    match answer {
        Answer::Known(probed) if with_plies => probed.to_string(),
        Answer::Known(probed) => probed.outcome.to_string(),
        Answer::Unknown(_) => "unknown".to_owned(),
    }
}
