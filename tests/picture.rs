//! Pictures of boards: well-formed, of every board, and with the values of the database.

use std::collections::BTreeMap;

use millbase::game::{Board, BoardPoint, Position, Side, Turn, Variant, points};
use millbase::notation::ReadPosition;
use millbase::picture::Picture;
use millbase::probe::{Answer, Choice, Probed, Ranked};
use millbase::value::Outcome;
use roxmltree::{Document, Node};

fn variant(id: &str) -> Variant {
    Variant::builtin(id).unwrap()
}

/// The elements of a class.
fn of_class<'a>(document: &'a Document<'a>, class: &'a str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node| {
        let classes = node.attribute("class").unwrap_or_default();
        classes.split(' ').any(|word| word == class)
    };
    document.descendants().filter(has).collect()
}

fn number(node: &Node, attribute: &str) -> f64 {
    node.attribute(attribute).unwrap().parse().unwrap()
}

/// The texts of an element, joined.
fn text(node: &Node) -> String {
    let texts = node.descendants().filter(|node| node.is_text());
    texts.filter_map(|node| node.text()).collect()
}

/// The first child element of that name.
fn child<'a>(node: Node<'a, 'a>, name: &str) -> Node<'a, 'a> {
    let named = |child: &Node| child.tag_name().name() == name;
    node.children().find(named).unwrap()
}

/// The men of a colour with the place of each, those of the board and not those that stand for a hand.
fn men(document: &Document, class: &str) -> Vec<(i64, i64)> {
    let circles = of_class(document, class).into_iter();
    let radius = of_class(document, class)
        .iter()
        .map(|circle| number(circle, "r"))
        .fold(0.0, f64::max);
    circles
        .filter(|circle| number(circle, "r") == radius)
        .map(|circle| (number(&circle, "cx") as i64, number(&circle, "cy") as i64))
        .collect()
}

fn known(outcome: Outcome, plies: Option<u16>) -> Answer {
    Answer::Known(Probed { outcome, plies })
}

fn ranked(from: Option<u8>, to: u8, removed: u32, answer: Answer) -> Ranked {
    let choice = Choice::Turn(Turn {
        from,
        to: Some(to),
        removed,
    });
    Ranked { choice, answer }
}

/// The words on the badges, with the turn each is about.
fn badges(document: &Document) -> BTreeMap<String, String> {
    let badge = |node: Node| (text(&child(node, "title")), text(&child(node, "text")));
    of_class(document, "badge").into_iter().map(badge).collect()
}

#[test]
fn every_board_has_a_picture_with_all_its_points() {
    for variant in Variant::builtins() {
        let board = &variant.board;
        // A man on every second point, so that men and empty points are all there.
        let men_there = points(board.all_points()).filter(|p| p % 2 == 0);
        let position = Position {
            mover: men_there.fold(0, |set, p| set | 1 << p),
            ..variant.start()
        };
        let svg = Picture::of(board, position.into()).document();
        let document =
            Document::parse(&svg).unwrap_or_else(|error| panic!("{}: {error}", variant.id));
        let white = men(&document, "white");
        assert_eq!(
            white.len(),
            board.point_count().div_ceil(2),
            "{}",
            variant.id
        );
        let dots = of_class(&document, "line");
        let empty = dots.last().unwrap().attribute("d").unwrap().matches("h0");
        assert_eq!(empty.count(), board.point_count() / 2, "{}", variant.id);
        // Everything is inside.
        let root = document.root_element();
        let (width, height) = (number(&root, "width"), number(&root, "height"));
        for (x, y) in white {
            assert!(
                x > 0 && (x as f64) < width && y > 0 && (y as f64) < height,
                "{svg}"
            );
        }
        for label in (0..board.point_count()).map(|p| board.label(p)) {
            let labels = ["label", "on-white"]
                .map(|class| of_class(&document, class))
                .concat();
            let written = |text: &str| labels.iter().any(|node| self::text(node) == text);
            assert!(
                written(label) || (written(&label[..1]) && written(&label[1..])),
                "{}: {label}",
                variant.id
            );
        }
    }
}

#[test]
fn men_stand_where_the_board_has_its_points() {
    let nine = variant("nine");
    let at = |label: &str| 1 << nine.board.point(label).unwrap();
    let position = Position {
        mover: at("a7") | at("d7"),
        opponent: at("g1"),
        mover_hand: 2,
        opponent_hand: 3,
        side: Side::Black,
    };
    let svg = Picture::of(&nine.board, position.into()).document();
    let document = Document::parse(&svg).unwrap();
    // Black is to move, so the mover's men are black.
    let (mut black, white) = (men(&document, "black"), men(&document, "white"));
    black.sort_unstable();
    assert_eq!((black.len(), white.len()), (2, 1));
    assert_eq!(black[0].1, black[1].1);
    assert_eq!(black[1].0 - black[0].0, 300);
    assert_eq!(
        (white[0].0 - black[0].0, white[0].1 - black[0].1),
        (600, 600)
    );
    let title = child(document.root_element(), "title");
    assert_eq!(
        text(&title),
        "White: g1. Black: a7 d7. Black to move. In hand: White 3, Black 2."
    );
}

#[test]
fn turns_have_their_values_on_points_and_arrows() {
    let nine = variant("nine");
    let point = |label: &str| nine.board.point(label).unwrap() as u8;
    let position = Position {
        mover: 1 << point("d7"),
        opponent: 1 << point("g1"),
        mover_hand: 1,
        opponent_hand: 0,
        side: Side::White,
    };
    let turns = [
        ranked(
            None,
            point("a1"),
            1 << point("g1"),
            known(Outcome::Win, Some(47)),
        ),
        ranked(
            Some(point("d7")),
            point("d6"),
            0,
            known(Outcome::Draw, None),
        ),
        // Another man taken by the same step: the better one is shown.
        ranked(None, point("a1"), 0, known(Outcome::Draw, None)),
        ranked(None, point("a4"), 0, known(Outcome::Loss, Some(12))),
        ranked(None, point("g7"), 0, Answer::Unknown(position.sector())),
    ];
    let mut picture = Picture {
        turns: &turns,
        ..Picture::of(&nine.board, position.into())
    };
    let svg = picture.document();
    let document = Document::parse(&svg).unwrap();
    let expected = [
        ("a1xg1: win in 47 plies", "W47"),
        ("a4: loss in 12 plies", "L12"),
        ("d7-d6: draw", "D"),
        ("g7: unknown", "?"),
    ];
    let expected = expected.map(|(title, text)| (title.to_owned(), text.to_owned()));
    assert_eq!(badges(&document), BTreeMap::from(expected));
    assert_eq!(of_class(&document, "arrow").len(), 2); // shaft and head

    picture.with_plies = false;
    let svg = picture.document();
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<String> = badges(&document).into_values().collect();
    assert_eq!(texts, ["W", "L", "D", "?"]);
}

#[test]
fn men_that_fly_are_listed_at_their_goals() {
    let nine = variant("nine");
    let point = |label: &str| nine.board.point(label).unwrap() as u8;
    let position = Position {
        mover: 1 << point("a1") | 1 << point("d6") | 1 << point("e4"),
        opponent: 1 << point("g1"),
        mover_hand: 0,
        opponent_hand: 2,
        side: Side::White,
    };
    let turns = [
        ranked(
            Some(point("d6")),
            point("g7"),
            0,
            known(Outcome::Win, Some(5)),
        ),
        ranked(
            Some(point("a1")),
            point("g7"),
            0,
            known(Outcome::Draw, None),
        ),
        ranked(
            Some(point("a1")),
            point("a4"),
            0,
            known(Outcome::Draw, None),
        ),
    ];
    let picture = Picture {
        turns: &turns,
        ..Picture::of(&nine.board, position.into())
    };
    let svg = picture.document();
    let document = Document::parse(&svg).unwrap();
    let expected = [
        ("a1-a4: draw", "a1 D"),
        ("a1-g7: draw", "a1 D"),
        ("d6-g7: win in 5 plies", "d6 W5"),
    ];
    let expected = expected.map(|(title, text)| (title.to_owned(), text.to_owned()));
    assert_eq!(badges(&document), BTreeMap::from(expected));
    assert!(of_class(&document, "arrow").is_empty());
}

#[test]
fn men_to_be_taken_have_their_values() {
    let nine = variant("nine");
    let point = |label: &str| nine.board.point(label).unwrap() as u8;
    let position = Position {
        mover: 1 << point("a1") | 1 << point("a4") | 1 << point("a7"),
        opponent: 1 << point("g1") | 1 << point("g4"),
        mover_hand: 5,
        opponent_hand: 6,
        side: Side::White,
    };
    let removal = |label: &str, outcome| Ranked {
        choice: Choice::Removal(1 << point(label)),
        answer: known(outcome, None),
    };
    let turns = [removal("g4", Outcome::Win), removal("g1", Outcome::Draw)];
    let read = ReadPosition {
        position,
        removals_due: 1,
    };
    let picture = Picture {
        turns: &turns,
        ..Picture::of(&nine.board, read)
    };
    let svg = picture.document();
    assert!(svg.contains("White to take a man"));
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<(String, String)> = badges(&document).into_iter().collect();
    assert_eq!(texts[0], ("xg1: draw".to_owned(), "D".to_owned()));
    assert_eq!(texts[1], ("xg4: win".to_owned(), "W".to_owned()));
}

/// A board whose points are given by their coordinates alone.
fn board(places: &[(f32, f32)]) -> Board {
    let point = |(i, &(x, y)): (usize, &(f32, f32))| BoardPoint {
        label: format!("p{i}"),
        x,
        y,
    };
    let all: Vec<BoardPoint> = places.iter().enumerate().map(point).collect();
    let order = vec![(0..all.len()).collect()];
    let slides = (1..all.len()).map(|b| (b - 1, b)).collect();
    Board::new(all, Vec::new(), slides, order).unwrap()
}

#[test]
fn coordinates_may_be_anything() {
    let strange: [&[(f32, f32)]; 6] = [
        &[(1.0, 1.0)],
        &[(5.0, 5.0), (5.0, 5.0)],
        &[(f32::MIN, f32::MAX), (f32::MAX, f32::MIN), (0.0, 1e-30)],
        &[(0.0, 0.0), (1e-38, 0.0), (1e38, 0.0)],
        &[(0.0, 0.0), (640.0, 480.0), (320.0, 7.5)],
        &[(-3.0, 2.0), (-3.5, 2.0), (-3.0, 2.5)],
    ];
    for places in strange {
        let board = board(places);
        let position = Position {
            mover: 1,
            opponent: 0,
            mover_hand: 0,
            opponent_hand: 0,
            side: Side::White,
        };
        let svg = Picture::of(&board, position.into()).document();
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        for size in ["width", "height"] {
            let size = number(&root, size);
            assert!((40.0..3000.0).contains(&size), "{places:?}: {size}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
