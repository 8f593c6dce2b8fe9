//! Variant files: what is read, what is refused, what identifies a game.

use millbase::game::Protection::{Any, Never, UnlessAllInMills, UnlessThreeLeft};
use millbase::game::{
    Board, BoardError, BoardPoint, Fingerprint, Rules, Variant, VariantError, points,
};

fn variant(id: &str) -> Variant {
    Variant::builtin(id).expect("a built-in variant")
}

/// A small good file; the tests change a part of it.
const GOOD: &str = r#"id = "t"
name = "T"

[board]
points = ["a1 b1 c1 a2"]
lines = ["a1 b1 c1"]
slides = ["lines", "a1 a2"]

[rules]
men = 2
mill_pays = "win"
"#;

fn refusal(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    let text = GOOD.replace(from, to);
    Variant::from_toml(&text, "t.toml")
        .expect_err(to)
        .to_string()
}

#[test]
fn all_builtin_variants_are_good_and_called_by_their_file() {
    let all = Variant::builtins();
    let ids: Vec<_> = all.iter().map(|v| v.id.as_str()).collect();
    for id in &ids {
        assert_eq!(variant(id).id, *id);
        assert_eq!(Variant::load(id).unwrap(), variant(id));
    }
    let known: std::collections::HashSet<_> = ALIASES.iter().map(|(alias, _)| *alias).collect();
    let games = all.iter().filter(|v| !known.contains(v.id.as_str()));
    let distinct: std::collections::HashSet<_> = games.map(Variant::fingerprint).collect();
    let expected = all.len() - ALIASES.len();
    assert_eq!(distinct.len(), expected, "two variants are the same game");
    for (alias, of) in ALIASES {
        assert_eq!(variant(alias).fingerprint(), variant(of).fingerprint());
    }
}

/// Rule sets that a document or a program has under a name of its own, and whose rules these are.
const ALIASES: [(&str, &str); 2] = [
    ("doc4-classic", "nine"),
    ("doc5-classic", "nine-three-left"),
];

/// How many men two mills take, and which men may be taken.
#[test]
fn rules_of_the_documents_are_as_they_were_read() {
    for (id, captures, protection) in [
        ("doc1-classic", 2, Never),
        ("doc2-classic", 2, UnlessAllInMills),
        ("doc3-classic", 2, Any),
        ("doc4-classic", 1, UnlessAllInMills),
        ("doc5-classic", 1, UnlessThreeLeft),
    ] {
        let expected = Rules {
            captures_per_double_mill: captures,
            protection,
            ..variant("nine").rules
        };
        assert_eq!(variant(id).rules, expected, "{id}");
    }
}

#[test]
fn a_difference_of_the_movement_phases_is_named() {
    let twelve = variant("twelve");
    for id in [
        "twelve-first-loses",
        "twelve-mover-loses",
        "eleven",
        "ten-diagonals",
        "grid",
    ] {
        assert_eq!(variant(id).movement_difference(&twelve), None, "{id}");
        assert_ne!(variant(id).fingerprint(), twelve.fingerprint());
    }
    assert_eq!(
        variant("lasker").movement_difference(&variant("nine")),
        None
    );
    for (id, base, expected) in [
        ("nine", "twelve", "the board"),
        ("jumping", "nine", "the board"),
        (
            "nine-any",
            "nine",
            "the rule `taken_from_mills`, \"always\" here and \"when-all-in-mills\" there",
        ),
        (
            "doc2-classic",
            "nine",
            "the rule `captures_per_double_mill`, 2 here and 1 there",
        ),
        (
            "nine-no-flying",
            "nine",
            "the rule `flying`, false here and true there",
        ),
    ] {
        let found = variant(id).movement_difference(&variant(base));
        assert_eq!(found.as_deref(), Some(expected), "{id}");
    }
}

/// Points, lines, slides, symmetries and men of every game of the documents.
#[test]
fn boards_of_the_documents_have_their_points_lines_and_symmetries() {
    let table = [
        ("three", (9, 6, 12, 8, 3)),
        ("three-diagonal", (9, 8, 16, 8, 3)),
        ("achi", (9, 8, 16, 8, 4)),
        ("rota", (9, 12, 16, 16, 3)),
        ("shisima", (9, 4, 16, 16, 3)),
        ("five", (16, 8, 20, 16, 5)),
        ("six", (16, 8, 20, 16, 6)),
        ("six-once", (16, 8, 20, 16, 4)),
        ("nine", (24, 16, 32, 16, 9)),
        ("nine-any", (24, 16, 32, 16, 9)),
        ("nine-never", (24, 16, 32, 16, 9)),
        ("nine-three-left", (24, 16, 32, 16, 9)),
        ("nine-no-flying", (24, 16, 32, 16, 9)),
        ("doc1-classic", (24, 16, 32, 16, 9)),
        ("doc2-classic", (24, 16, 32, 16, 9)),
        ("doc3-classic", (24, 16, 32, 16, 9)),
        ("doc4-classic", (24, 16, 32, 16, 9)),
        ("doc5-classic", (24, 16, 32, 16, 9)),
        ("ten", (24, 16, 32, 16, 10)),
        ("ten-diagonals", (24, 20, 40, 16, 10)),
        ("eleven", (24, 20, 40, 16, 11)),
        ("twelve", (24, 20, 40, 16, 12)),
        ("twelve-first-loses", (24, 20, 40, 16, 12)),
        ("twelve-mover-loses", (24, 20, 40, 16, 12)),
        ("grid", (24, 20, 40, 16, 9)),
        ("snail", (24, 16, 32, 16, 9)),
        ("jumping", (24, 16, 40, 8, 9)),
        ("lasker", (24, 16, 32, 16, 10)),
        ("lasker-nine", (24, 16, 32, 16, 9)),
        ("lasker-six", (16, 8, 20, 16, 6)),
        ("lasker-five", (24, 16, 32, 16, 5)),
        ("pentagon", (30, 20, 40, 20, 9)),
    ];
    assert_eq!(table.len(), Variant::builtins().len());
    for (id, expected) in table {
        let Variant { board, rules, .. } = variant(id);
        let found = (
            board.point_count(),
            board.lines().len(),
            board.slides().len(),
            board.symmetries().len(),
            rules.men,
        );
        assert_eq!(found, expected, "{id}");
    }
}

#[test]
fn a_base_gives_what_the_file_does_not_say() {
    let base = |rest: &str| {
        let text = format!("id = \"t\"\nname = \"T\"\nbase = \"nine\"\n{rest}");
        Variant::from_toml(&text, "t.toml")
    };
    let same = base("").unwrap();
    assert_eq!(
        (same.board, same.rules),
        (variant("nine").board, variant("nine").rules)
    );
    let tougher = base("[rules]\ntaken_from_mills = \"never\"\n").unwrap();
    assert_eq!(tougher.rules.men, 9);
    assert_ne!(tougher.fingerprint(), variant("nine").fingerprint());
    // New lines join their points; those of the base keep their slides.
    let more = base("[board]\nlines = [\"base\", \"a7 b6 c5\"]\n")
        .unwrap()
        .board;
    let at = |label: &str| more.point(label).unwrap();
    assert_eq!(more.lines().len(), 17);
    assert_eq!(more.labels(more.neighbours(at("b6"))), "a7 b4 d6 c5");
    assert_eq!(more.labels(more.neighbours(at("a1"))), "a4 d1");
    for (rest, expected) in [
        (
            "[board]\npoints = [\"a1 b1\"]\n",
            "line 5: a variant with a `base` has the points of the base",
        ),
        (
            "[board]\nlines = [\"a7 b6 z9\"]\n",
            "line 5: `board.lines` names `z9`",
        ),
        ("[rules]\nmen = 0\n", "men"),
    ] {
        let error = base(rest).unwrap_err().to_string();
        assert!(error.contains(expected), "{rest}: {error}");
    }
    let nobody = Variant::from_toml("id = \"t\"\nname = \"T\"\nbase = \"nein\"\n", "t.toml");
    let error = nobody.unwrap_err().to_string();
    assert!(
        error.contains("t.toml, line 3: `base`: no variant `nein`"),
        "{error}"
    );
}

#[test]
fn points_of_nine_are_in_the_order_of_the_malom_database() {
    let board = variant("nine").board;
    assert_eq!(
        board.labels(board.all_points()),
        "a4 a7 d7 g7 g4 g1 d1 a1 b4 b6 d6 f6 f4 f2 d2 b2 c4 c5 d5 e5 e4 e3 d3 c3"
    );
    assert_eq!((board.lines().len(), board.slides().len()), (16, 32));
    let d6 = board.point("d6").unwrap();
    assert_eq!(board.labels(board.neighbours(d6)), "d7 b6 f6 d5");
    assert_eq!(board.lines_through(d6).len(), 2);
    assert_eq!(board.coordinates(d6), (4.0, 6.0));
}

#[test]
fn a_written_variant_reads_back_equal() {
    let mut all = Variant::builtins();
    all.push(Variant::from_toml(GOOD, "t.toml").unwrap());
    all[0].note = "Two lines,\n\"quoted\" \\ and ''' odd".to_owned();
    for variant in all {
        let text = variant.to_toml();
        assert_eq!(
            Variant::from_toml(&text, "written").unwrap(),
            variant,
            "{text}"
        );
    }
}

#[test]
fn faults_of_a_file_are_named_with_line_and_key() {
    for (from, to, expected) in [
        (
            "[board]",
            "[bored]",
            "t.toml, line 4: unknown field `bored`",
        ),
        (
            "men = 2",
            "men = 2\nmans = 3",
            "t.toml, line 11: unknown field `mans`",
        ),
        ("men = 2\n", "", "`rules.men` is missing"),
        (
            "id = \"",
            "id = \"\\u001b[31m",
            "line 1: `id` has control characters",
        ),
        (
            "c1 a2",
            "c1 a\\u001b2",
            "line 5: `board.points` has control characters",
        ),
        ("men = 2", "men = -2", "t.toml, line 10"),
        (
            "\"win\"",
            "\"wins\"",
            "t.toml, line 11: unknown variant `wins`",
        ),
        (
            "\"a1 b1 c1\"",
            "\"a1 b1 d1\"",
            "line 6: `board.lines` names `d1`, which is not a point",
        ),
        (
            "\"a1 b1 c1\"",
            "\"a1 b1\"",
            "line 6: `board.lines`: `a1 b1` is not three points",
        ),
        (
            "\"a1 b1 c1\"",
            "\"a1 b1 a1\"",
            "line `a1 b1 a1` is not made of three different points",
        ),
        (
            "\"a1 b1 c1\"",
            "\"a1 b1 c1\", \"c1 b1 a1\"",
            "line `c1 b1 a1` is given twice",
        ),
        (
            "\"a1 a2\"",
            "\"a1 a9\"",
            "line 7: `board.slides` names `a9`",
        ),
        (
            "\"a1 a2\"",
            "\"a1 a1\"",
            "the slide `a1 a1` does not lead anywhere",
        ),
        (
            "\"a1 a2\"",
            "\"a2 a1 b1\"",
            "the slide `a1 b1` is given twice",
        ),
        ("c1 a2", "c1 a2 a1", "two points are called `a1`"),
        ("c1 a2", "c1 axe", "line 5: `board.points` names `axe`"),
        ("c1 a2", "c1 a2 x2", "`x2` cannot name a point"),
        (
            "[rules]",
            "text_order = [\"a1 a2\"]\n[rules]",
            "names point `b1` 0 times",
        ),
        (
            "[rules]",
            "coordinates = { z9 = [1, 2] }\n[rules]",
            "`board.coordinates` names `z9`",
        ),
        (
            "[rules]",
            "coordinates = { a1 = [nan, 2] }\n[rules]",
            "coordinates of point `a1`",
        ),
        ("men = 2", "men = 3", "do not fit on 4 points"),
        ("men = 2", "men = 0", "needs at least 1"),
        (
            "\"win\"",
            "\"capture\"",
            "`rules.men` is 2, but each side needs at least 3",
        ),
        (
            "men = 2",
            "men = 2\ncaptures_per_double_mill = 3",
            "must be 1 or 2",
        ),
        (
            "men = 2",
            "men = 2\nmills_pay_once = true",
            "`rules.mills_pay_once = true` means nothing where the first mill wins",
        ),
        (
            "men = 2",
            "men = 2\nplacing = \"place-or-move\"\nfull_board = \"first-player-loses\"",
            "is not supported together",
        ),
    ] {
        let message = refusal(from, to);
        assert!(message.contains(expected), "{to}: {message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn no_point_is_called_as_a_turn_is() {
    let text = "id = 'p'\nname = 'P'\n[board]\npoints = ['pass a1 a2']\nlines = []\n\
                slides = ['a1 pass']\ncoordinates = { pass = [0, 0] }\n[rules]\nmen = 1\n\
                mill_pays = 'win'\nblocked = 'passes'";
    let error = Variant::from_toml(text, "p").unwrap_err().to_string();
    assert!(error.contains("no point can be called `pass`"), "{error}");
    assert!(Variant::from_toml(&text.replace("passes", "draws"), "p").is_ok());
}

#[test]
fn an_unknown_variant_lists_the_known_ones() {
    let error = Variant::load("thirteen").unwrap_err();
    assert!(matches!(error, VariantError::Unknown { .. }));
    let text = error.to_string();
    assert!(
        text.contains("`thirteen`") && text.contains("three-diagonal, achi, rota"),
        "{text}"
    );
    let error = Variant::load("data").unwrap_err();
    assert!(matches!(error, VariantError::Read { .. }), "{error}");
    assert_eq!(
        Variant::load("data/variants/nine.toml").unwrap(),
        variant("nine")
    );
}

#[test]
fn the_fingerprint_is_that_of_board_and_rules_alone() {
    let prints: Vec<_> = Variant::builtins()
        .iter()
        .map(Variant::fingerprint)
        .collect();
    for print in &prints {
        assert_eq!(print.to_string().parse::<Fingerprint>().unwrap(), *print);
    }
    let nine = variant("nine");
    let mut renamed = nine.clone();
    renamed.id = "mine".into();
    renamed.name = "Mine".into();
    renamed.note = "Other words".into();
    assert_eq!(renamed.fingerprint(), nine.fingerprint());
    let mut grounded = nine.clone();
    grounded.rules.flying = false;
    assert_ne!(grounded.fingerprint(), nine.fingerprint());
    // Databases depend on it: a change must be on purpose.
    assert_eq!(
        nine.fingerprint().to_string(),
        "bce0b4022817703f089c1ee86896cdd9e2a76e276f7bd3302f757a24b9e3df73"
    );
}

#[test]
fn symmetries_keep_lines_and_slides_and_form_a_group() {
    for variant in Variant::builtins() {
        let board = &variant.board;
        let all = board.symmetries();
        assert!((0..board.point_count()).all(|p| all[0].image(p) == p));
        for symmetry in all {
            assert_eq!(symmetry.apply(board.all_points()), board.all_points());
            for line in board.lines() {
                assert!(board.lines().contains(&symmetry.apply(*line)));
            }
            for p in 0..board.point_count() {
                let image = board.neighbours(symmetry.image(p));
                assert_eq!(symmetry.apply(board.neighbours(p)), image);
            }
            let inverses = all.iter().filter(|other| {
                (0..board.point_count()).all(|p| other.image(symmetry.image(p)) == p)
            });
            assert_eq!(inverses.count(), 1);
        }
    }
}

fn board(
    count: usize,
    lines: &[[usize; 3]],
    slides: &[(usize, usize)],
) -> Result<Board, BoardError> {
    let point = |p: usize| BoardPoint {
        label: format!("p{p}"),
        x: p as f32,
        y: 0.0,
    };
    let lines = lines.iter().map(|line| line.to_vec()).collect();
    let all = (0..count).collect();
    Board::new(
        (0..count).map(point).collect(),
        lines,
        slides.to_vec(),
        vec![all],
    )
}

#[test]
fn symmetries_of_all_permutations_are_found_by_counting_them() {
    // Against the plain definition: try every permutation of six points.
    let slides = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5)];
    let small = board(6, &[[0, 1, 2]], &slides).unwrap();
    let mut count = 0;
    let mut permutation: Vec<usize> = (0..6).collect();
    for_each_permutation(&mut permutation, 0, &mut |image| {
        let apply = |set: u32| points(set).fold(0, |s: u32, p| s | 1 << image[p]);
        let lines = small
            .lines()
            .iter()
            .all(|l| small.lines().contains(&apply(*l)));
        let slides = (0..6).all(|p| apply(small.neighbours(p)) == small.neighbours(image[p]));
        count += usize::from(lines && slides);
    });
    assert_eq!(small.symmetries().len(), count);
    assert!(count > 1);
}

fn for_each_permutation(list: &mut Vec<usize>, at: usize, visit: &mut impl FnMut(&[usize])) {
    if at == list.len() {
        return visit(list);
    }
    for i in at..list.len() {
        list.swap(at, i);
        for_each_permutation(list, at + 1, visit);
        list.swap(at, i);
    }
}

#[test]
fn impossible_boards_are_refused() {
    assert_eq!(board(0, &[], &[]), Err(BoardError::PointCount(0)));
    assert_eq!(board(33, &[], &[]), Err(BoardError::PointCount(33)));
    assert!(matches!(
        board(32, &[], &[]),
        Err(BoardError::TooSymmetric { .. })
    ));
    assert!(matches!(
        board(3, &[[0, 1, 3]], &[]),
        Err(BoardError::NoSuchPoint { point: 3, .. })
    ));
    assert!(matches!(
        board(3, &[], &[(0, 7)]),
        Err(BoardError::NoSuchPoint { point: 7, .. })
    ));
    let ring: Vec<_> = (0..32).map(|p| (p, (p + 1) % 32)).collect();
    let ring = board(32, &[[0, 1, 2]], &ring).unwrap();
    assert_eq!(ring.symmetries().len(), 2);
    assert_eq!(ring.all_points(), u32::MAX);
}

#[test]
fn symmetries_of_a_large_board_are_found_at_once() {
    let begin = std::time::Instant::now();
    let nine = variant("nine");
    let again = Board::new(
        (0..24)
            .map(|p| {
                let (x, y) = nine.board.coordinates(p);
                BoardPoint {
                    label: nine.board.label(p).to_owned(),
                    x,
                    y,
                }
            })
            .collect(),
        nine.board
            .lines()
            .iter()
            .map(|line| points(*line).collect())
            .collect(),
        nine.board.slides().to_vec(),
        nine.board.text_order().to_vec(),
    );
    assert_eq!(again, Ok(nine.board));
    // Some milliseconds; the bound leaves room for busy machines.
    assert!(begin.elapsed().as_millis() < 500);
}
