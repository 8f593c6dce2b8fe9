//! Positions and turns in every notation: read back as they were written, for a hundred thousand random ones.

use millbase::game::{Choice, PointSet, Position, Sector, Side, Turn, Variant};
use millbase::notation::{
    Notation, PositionError, PositionReader, ReadPosition, Style, play_moves, read_position,
    read_removal, read_turn, write_mfen, write_position,
};
use millbase::random::Random;

const POSITIONS: usize = 100_000;

fn variant(id: &str) -> Variant {
    Variant::builtin(id).expect("a built-in variant")
}

/// Random men of random sectors: any position that numbers of men allow.
struct Positions {
    variant: Variant,
    sectors: Vec<Sector>,
    random: Random,
}

impl Positions {
    fn of(variant: Variant, seed: u64) -> Positions {
        let mut sectors = variant.sectors();
        sectors.extend(variant.final_sectors());
        Positions {
            sectors,
            variant,
            random: Random::new(seed),
        }
    }

    fn men(&mut self, count: u8, taken: PointSet) -> PointSet {
        let points = self.variant.board.point_count() as u64;
        let mut men: PointSet = 0;
        while men.count_ones() < count.into() {
            men |= 1 << self.random.below(points) & !taken;
        }
        men
    }

    fn position(&mut self) -> Position {
        let which = self.random.below(self.sectors.len() as u64) as usize;
        let sector = self.sectors[which];
        let mover = self.men(sector.mover, 0);
        let opponent = self.men(sector.opponent, mover);
        let side = [Side::White, Side::Black][self.random.below(2) as usize];
        let position = sector.position((mover, opponent));
        Position { side, ..position }
    }

    fn turn(&mut self, position: &Position) -> Option<Turn> {
        let turns = self.variant.turns(position);
        let which = self.random.below(turns.len() as u64) as usize;
        turns.get(which).copied()
    }

    /// A position between turns, or, every other time where there is one, inside a turn.
    fn read(&mut self) -> ReadPosition {
        let position = self.position();
        match self.turn(&position) {
            Some(Turn {
                from,
                to: Some(to),
                removed,
            }) if removed != 0 => ReadPosition {
                position: self.variant.step(&position, from, to),
                removals_due: removed.count_ones() as u8,
            },
            _ => position.into(),
        }
    }
}

/// An older form of a text of 17 fields: without some of the last, or with points numbered from 8.
fn older(text: &str, random: &mut Random) -> String {
    let fields: Vec<&str> = text.split(' ').collect();
    fields[..12 + random.below(6) as usize].join(" ")
}

#[test]
fn positions_of_all_games_survive_being_written() {
    let games = Variant::builtins();
    let each = POSITIONS / games.len() + 1;
    let mut random = Random::new(9);
    for (seed, game) in games.into_iter().enumerate() {
        let mut positions = Positions::of(game, seed as u64);
        let game = positions.variant.clone();
        let reader = PositionReader::new(&game);
        let mut inside = 0;
        for _ in 0..each {
            let read = positions.read();
            let text = write_position(&game, &read);
            assert_eq!(reader.read(&text), Ok(read), "{}: {text}", game.id);
            let old = older(&text, &mut random);
            assert_eq!(reader.read(&old), Ok(read), "{}: {old}", game.id);
            inside += usize::from(read.removals_due > 0);
        }
        assert!(inside > 10 || !game.rules.takes_men(), "{}", game.id);
    }
}

#[test]
fn positions_survive_being_written_as_mfen() {
    for id in ["nine", "doc3-classic", "lasker", "twelve"] {
        let mut positions = Positions::of(variant(id), 7);
        let game = positions.variant.clone();
        let reader = PositionReader::new(&game);
        let (mut over, mut inside) = (0, 0);
        for _ in 0..POSITIONS / 4 {
            let read = positions.read();
            let text = write_mfen(&game, &read).unwrap();
            assert_eq!(reader.read(&text), Ok(read), "{id}: {text}");
            over += usize::from(text.contains(" - o o "));
            inside += usize::from(read.removals_due > 0);
        }
        assert!(over > 10 && inside > 100, "{id}: {over}, {inside}");
    }
    assert_eq!(
        write_mfen(&variant("six"), &variant("six").start().into()),
        None
    );
}

/// Games on several boards, and with turns that take two men, some of which only after others.
const TURNS_OF: [&str; 5] = ["nine", "doc2-classic", "lasker", "six", "pentagon"];

/// A text of labels or numbers with the other marks that are in use.
fn with_other_marks(text: &str) -> String {
    text.replace('-', "–").replace('x', "×")
}

#[test]
fn turns_survive_being_written_in_every_style() {
    for (seed, id) in TURNS_OF.iter().enumerate() {
        let mut positions = Positions::of(variant(id), seed as u64);
        let game = positions.variant.clone();
        let notations = Style::ALL.map(|style| Notation::new(&game.board, style));
        let (mut turns, mut taking) = (0, 0);
        while turns < POSITIONS / TURNS_OF.len() {
            let position = positions.position();
            let Some(turn) = positions.turn(&position) else {
                continue;
            };
            turns += 1;
            let after = game.play(&position, &turn).into();
            for notation in &notations {
                let text = notation.write_turn(&turn);
                assert_eq!(read_turn(&game, &position, &text), Ok(turn), "{id}: {text}");
                if notation.style() != Style::Rings {
                    let text = with_other_marks(&text);
                    assert_eq!(read_turn(&game, &position, &text), Ok(turn), "{id}: {text}");
                }
                let actions = notation.write_actions(&game, &position, Choice::Turn(turn));
                let played = play_moves(&game, &position.into(), &actions.join(" "));
                assert_eq!(played, Ok(after), "{id}: {actions:?}");
            }
            taking += usize::from(turn.removed != 0);
        }
        assert!(taking > 100, "{id}: {taking}");
    }
}

#[test]
fn removals_survive_being_written_in_every_style() {
    for (seed, id) in TURNS_OF.iter().enumerate() {
        let mut positions = Positions::of(variant(id), seed as u64);
        let game = positions.variant.clone();
        let notations = Style::ALL.map(|style| Notation::new(&game.board, style));
        let (mut removals, mut pairs) = (0, 0);
        while removals < POSITIONS / TURNS_OF.len() {
            let inside = positions.read();
            let sets = game.removal_sets(&inside.position, inside.removals_due);
            let which = positions.random.below(sets.len() as u64) as usize;
            let removed = sets[which];
            if removed == 0 {
                continue;
            }
            removals += 1;
            pairs += usize::from(removed.count_ones() == 2);
            let after = game.take(&inside.position, removed).into();
            for notation in &notations {
                let text = notation.write_removal(removed);
                assert_eq!(
                    read_removal(&game, &inside, &text),
                    Ok(removed),
                    "{id}: {text}"
                );
                let choice = Choice::Removal(removed);
                let actions = notation.write_actions(&game, &inside.position, choice);
                let played = play_moves(&game, &inside, &actions.join(" "));
                assert_eq!(played, Ok(after), "{id}: {actions:?}");
            }
        }
        assert_eq!(game.rules.most_captures() == 2, pairs > 20, "{id}: {pairs}");
    }
}

#[test]
fn points_are_numbered_as_in_books_and_in_sanmill() {
    let nine = variant("nine");
    let name = |style, label: &str| {
        let p = nine.board.point(label).unwrap();
        Notation::new(&nine.board, style).name(p).to_owned()
    };
    let rows = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1";
    for (i, label) in rows.split(' ').enumerate() {
        assert_eq!(name(Style::Numbers, label), (i + 1).to_string(), "{label}");
    }
    // Inner, middle, outer ring, each clockwise from 12 o'clock.
    for (label, ring) in [
        ("d5", "(1,1)"),
        ("c5", "(1,8)"),
        ("d6", "(2,1)"),
        ("a7", "(3,8)"),
    ] {
        assert_eq!(name(Style::Rings, label), ring);
    }
}

#[test]
fn other_marks_are_read_and_mistakes_named() {
    let nine = variant("nine");
    let start = nine.start().into();
    let labels = play_moves(&nine, &start, "d6 f4 b6 g4 f6xf4").unwrap();
    for text in [
        "5 14 4 15 6x14",
        "5 14 4 15 6 x14",
        "5 14 4 15 6×14",
        "(2,1) (2,3) (2,8) (3,3) (2,2)-(2,3)",
        "(2,1) (2,3) (2,8) (3,3) (2,2) -(2,3)",
    ] {
        assert_eq!(play_moves(&nine, &start, text), Ok(labels), "{text}");
    }
    for (text, character, problem) in [
        ("5 25 6", 3, "the board has no point `25`"),
        ("5 14 4 15 6", 0, ""),
        ("5 14 4 15 6 7", 13, "a man must be taken: one of 15 14"),
        ("5 14 4 15 6x", 11, "not a turn; turns look like 5, 23-24"),
        ("(2,1) (2,9)", 7, "the board has no point `(2,9)`"),
        ("(2,1) (2,2 (2,3)", 7, "turns look like (2,1)"),
        ("(2,1) (2,2)->(2,3)", 7, "Black has 9 men in hand"),
        ("d6 f6-", 4, "turns look like d6"),
    ] {
        match play_moves(&nine, &start, text) {
            Ok(read) => assert!(problem.is_empty() && read.removals_due == 1, "{text}"),
            Err(error) => {
                assert_eq!(error.character, character, "{text}: {error}");
                assert!(error.to_string().contains(problem), "{text}: {error}");
            }
        }
    }
}

fn field_of(error: PositionError) -> (usize, usize, String) {
    match error {
        PositionError::Field {
            field,
            character,
            problem,
            ..
        } => (field, character, problem),
        other => panic!("not about a field: {other}"),
    }
}

#[test]
fn the_history_of_a_sanmill_text_has_to_fit_the_board() {
    let nine = variant("nine");
    let text = |history: &str| {
        let men = "OOO***@*/@**@****/******@* b m s 3 0 4 0 0 0";
        read_position(&nine, &format!("{men} {history}"))
    };
    let plain = text("-1 -1 -1 -1 0 0 31 ids:nodes").unwrap();
    for history in [
        "23 0 -1 -1 0 0 31 ids:nodes",
        "31 8 0 0 0 0 31",
        "-1 -1 -1 -1 0 0 31",
        "0 0 0 0 18446742974197923840 12 31",
        "0 0 0 0 4294967295 12 31 p:3 ids:nodes"
            .replace("4294967295", "16777215")
            .as_str(),
    ] {
        assert_eq!(text(history), Ok(plain), "{history}");
    }
    for (history, field, problem) in [
        ("24 0 -1 -1 0 0 31 ids:nodes", 11, "they are 0 to 23"),
        ("-1 -1 -1 -2 0 0 31 ids:nodes", 14, "less than -1"),
        ("8 7 0 0 0 0 31", 12, "they are 8 to 31"),
        ("0 0 0 32 0 0 31", 14, "they are 8 to 31"),
        ("-1 -1 -1 -1 16777216 0 31 ids:nodes", 15, "mills on points"),
        ("0 0 0 0 1 0 31", 15, "mills on points"),
        ("0 0 0 0 0 -1 31", 16, "less than 0"),
    ] {
        let (found, _, said) = field_of(text(history).unwrap_err());
        assert_eq!(found, field, "{history}: {said}");
        assert!(said.contains(problem), "{history}: {said}");
    }
    let both = "O*******/O*******/O*@***@* w p r 3 6 2 7 1 1 0 1";
    let (field, _, problem) = field_of(read_position(&nine, both).unwrap_err());
    assert!(
        field == 10 && problem.starts_with("both sides"),
        "{problem}"
    );
}

#[test]
fn mfen_is_that_of_the_published_examples() {
    let nine = variant("nine");
    let start = "MFEN/1.0 mill24-state-v1 ......../......../........ w p p 9,9 - 0 0 -";
    assert_eq!(read_position(&nine, start), Ok(nine.start().into()));
    assert_eq!(
        write_mfen(&nine, &nine.start().into()).as_deref(),
        Some(start)
    );
    let pending =
        "MFEN/1.0 mill24-state-v1 WWW...B./......B./........ w p r 6,7 w:mill:b:b:1:004040:b 0 5 -";
    let read = read_position(&nine, pending).unwrap();
    assert_eq!(nine.board.labels(read.position.opponent), "a1 b2");
    assert_eq!(nine.board.labels(read.position.mover), "a7 d7 g7");
    assert_eq!(read.removals_due, 1);
    assert_eq!(write_mfen(&nine, &read).as_deref(), Some(pending));
    // A game given up: the position goes on, and the number of turns says for whom.
    let resigned =
        "MFEN/1.0 mill24-state-v1 W......./......../........ - o o 8,9 - 0 1 w:resignation";
    let read = read_position(&nine, resigned).unwrap();
    assert_eq!(read.position.side, Side::Black);
}

#[test]
fn faults_of_mfen_are_named_with_field_and_character() {
    let nine = variant("nine");
    let good =
        "MFEN/1.0 mill24-state-v1 WWW...B./......B./........ w p r 6,7 w:mill:b:b:1:004040:b 0 5 -";
    for (from, to, field, problem) in [
        ("MFEN/1.0", "MFEN/0.4", 1, "none of MFEN/1.0"),
        ("state-v1", "state-v2", 2, "none of mill24-state-v1"),
        ("WWW...B", "WWW.w.B", 3, "taken but left there"),
        ("WWW...B", "WWW..OB", 3, "`O` is none of W (White)"),
        (" w p r ", " W p r ", 4, "none of w, b, -"),
        (" w p r ", " w x r ", 5, "none of p, m, o"),
        (" w p r ", " w p m ", 6, "does not fit phase"),
        ("6,7", "6;7", 7, "two numbers with a comma"),
        ("6,7", "7,7", 7, "more than the 9 men of White"),
        ("6,7", "6,-7", 7, "less than 0"),
        ("w:mill", "b:mill", 8, "only White"),
        (":mill:b", ":leap:b", 8, "for mills and from the board"),
        (":1:", ":2:", 8, "at most 1 man"),
        (":004040:", ":004041:", 8, "a1 b2 (004040)"),
        ("w:mill:b:b:1:004040:b", "-", 8, "a man is to be taken"),
        (" 0 5 ", " x 5 ", 9, "not a number"),
        (" 0 5 ", " 0 +5 ", 10, "not a number"),
        ("0 5 -", "0 5 w:board-full", 11, "names a side"),
        ("0 5 -", "0 5 - lm=-,-;-,-", 12, "rules that are not here"),
    ] {
        let text = good.replacen(from, to, 1);
        let (found, character, said) = field_of(read_position(&nine, &text).unwrap_err());
        assert_eq!(found, field, "{text}: {said}");
        assert!(said.contains(problem), "{text}: {said}");
        let start = text
            .split(' ')
            .take(field - 1)
            .map(|f| f.len() + 1)
            .sum::<usize>();
        let end = start + text.split(' ').nth(field - 1).unwrap().len();
        assert!(
            (start + 1..=end).contains(&character),
            "{text}: {character}"
        );
    }
    let over =
        "MFEN/1.0 mill24-state-v1 WW....../BBB...../........ - o o 0,0 - 0 18 b:fewer-than-minimum";
    assert_eq!(
        read_position(&nine, over).unwrap().position.side,
        Side::White
    );
    let wrong = over.replace("b:fewer", "w:fewer");
    assert_eq!(field_of(read_position(&nine, &wrong).unwrap_err()).0, 11);
    assert!(read_position(&variant("six"), over).is_err());
    assert!(read_position(&nine, "MFEN/1.0 x").is_err());
}
