//! Variants: a board with rules, a name and an identity.

use std::fmt;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use super::board::{Board, BoardError, points};
use super::paid::MAX_LINES;
use super::position::{Position, Side};
use super::rules::{Blocked, FullBoard, Placing, Rules};
use super::variant_file;

macro_rules! builtin {
    ($($id:literal),* $(,)?) => {
        [$(($id, include_str!(concat!("../../data/variants/", $id, ".toml")))),*]
    };
}

/// The variants that come with the program, with their files; small boards first.
const BUILTIN: &[(&str, &str)] = &builtin![
    "three",
    "three-diagonal",
    "achi",
    "rota",
    "shisima",
    "five",
    "six",
    "nine",
    "nine-any",
    "nine-never",
    "nine-three-left",
    "nine-no-flying",
    "doc1-classic",
    "doc2-classic",
    "doc3-classic",
    "doc4-classic",
    "doc5-classic",
    "six-once",
    "ten",
    "ten-diagonals",
    "eleven",
    "twelve",
    "twelve-first-loses",
    "twelve-mover-loses",
    "grid",
    "snail",
    "jumping",
    "lasker",
    "lasker-nine",
    "lasker-six",
    "lasker-five",
    "pentagon",
];

/// How a turn is written that does nothing.
pub(crate) const PASS: &str = "pass";

/// A game: a board, rules and what to call them.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The short name that commands and databases use.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Where the rules come from and what is known, for people; may be empty.
    pub note: String,
    /// Points, lines and slides.
    pub board: Board,
    /// What men may do.
    pub rules: Rules,
}

/// Why there is no such variant.
#[derive(Debug, Error)]
pub enum VariantError {
    /// Neither a built-in variant nor a file.
    #[error("no variant `{id}`: neither a file of that name nor one of {known}")]
    Unknown {
        /// What was asked for.
        id: String,
        /// The built-in variants, as a list for people.
        known: String,
    },
    /// The file cannot be read.
    #[error("cannot read the variant file {path}: {error}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// The text is no variant.
    #[error("{file}, line {line}: {message}")]
    Text {
        /// The file, or what stands for its name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong there, with the key.
        message: String,
    },
    /// The parts do not make a board.
    #[error("{file}: {error}")]
    Board {
        /// The file, or what stands for its name.
        file: String,
        /// What is wrong.
        error: BoardError,
    },
    /// The rules do not fit the board, or are not supported.
    #[error("{id}: {reason}")]
    Rules {
        /// The file or variant.
        id: String,
        /// What is wrong.
        reason: String,
    },
}

/// Far more than any variant needs.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a text of a file that may be anything, even a device without an end.
fn read_bounded(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let file = File::open(path)?;
    if file.take(MOST_BYTES + 1).read_to_string(&mut text)? as u64 > MOST_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(text)
}

impl Variant {
    /// One of the variants that come with the program.
    ///
    /// # Errors
    /// [`VariantError::Unknown`], which lists them.
    pub fn builtin(id: &str) -> Result<Variant, VariantError> {
        match BUILTIN.iter().find(|(known, _)| *known == id) {
            Some((id, text)) => Variant::from_toml(text, &format!("built-in variant {id}")),
            None => Err(VariantError::Unknown {
                id: id.to_owned(),
                known: BUILTIN
                    .iter()
                    .map(|(id, _)| *id)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    /// All variants that come with the program, small boards first.
    pub fn builtins() -> Vec<Variant> {
        // A built-in file that cannot be read is a mistake of ours that the tests find.
        BUILTIN
            .iter()
            .filter_map(|(id, _)| Variant::builtin(id).ok())
            .collect()
    }

    /// Reads a variant file; `source` names it in errors. The keys are explained in
    /// `data/variants/README.md`.
    ///
    /// # Errors
    /// The text is not TOML, has unknown or missing keys, or does not describe a playable game.
    pub fn from_toml(text: &str, source: &str) -> Result<Variant, VariantError> {
        let variant = variant_file::read(text, source)?;
        variant.check().map_err(|reason| VariantError::Rules {
            id: source.to_owned(),
            reason,
        })?;
        Ok(variant)
    }

    /// A built-in variant by id, or else the variant file of that name.
    ///
    /// # Errors
    /// There is neither, or the file is not a variant.
    pub fn load(id_or_path: &str) -> Result<Variant, VariantError> {
        let unknown = match Variant::builtin(id_or_path) {
            Err(unknown @ VariantError::Unknown { .. }) => unknown,
            other => return other,
        };
        if !Path::new(id_or_path).exists() {
            return Err(unknown);
        }
        let text = read_bounded(Path::new(id_or_path)).map_err(|error| VariantError::Read {
            path: id_or_path.to_owned(),
            error,
        })?;
        Variant::from_toml(&text, id_or_path)
    }

    /// The variant as a file that [`Variant::from_toml`] reads back to an equal one.
    pub fn to_toml(&self) -> String {
        variant_file::write(self)
    }

    /// The empty board, White to place the first man.
    pub fn start(&self) -> Position {
        Position {
            mover: 0,
            opponent: 0,
            mover_hand: self.rules.men,
            opponent_hand: self.rules.men,
            side: Side::White,
        }
    }

    /// What identifies the game: equal if and only if points (with labels and order), lines,
    /// slides and rules are equal. Names, notes, drawing and the order of texts do not matter.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(blake3::hash(self.canonical_text().as_bytes()).into())
    }

    /// What sets the movement phases of two games apart, in words; `None` if nothing does.
    ///
    /// Then every position with empty hands is worth the same in both games, as long as each has so many men
    /// and there is an empty point: with empty hands it does not matter any more how many men there were, how
    /// they were placed, or what a board filled by placing is worth.
    ///
    /// ```
    /// use millbase::game::Variant;
    ///
    /// let [five, six, twelve] = ["five", "six", "twelve"].map(|id| Variant::builtin(id).unwrap());
    /// assert_eq!(five.movement_difference(&six), None);
    /// assert_eq!(five.movement_difference(&twelve).as_deref(), Some("the board"));
    /// ```
    pub fn movement_difference(&self, other: &Variant) -> Option<String> {
        const OF_PLACING: [&str; 3] = ["men", "full_board", "placing"];
        if self.board_text() != other.board_text() {
            return Some("the board".to_owned());
        }
        let pairs = variant_file::rule_entries(&self.rules)
            .into_iter()
            .zip(variant_file::rule_entries(&other.rules));
        pairs
            .filter(|((key, _), _)| !OF_PLACING.contains(key))
            .find(|((_, mine), (_, theirs))| mine != theirs)
            .map(|((key, mine), (_, theirs))| {
                format!("the rule `{key}`, {mine} here and {theirs} there")
            })
    }

    fn canonical_text(&self) -> String {
        let mut text = self.board_text();
        for (key, value) in variant_file::rule_entries(&self.rules) {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{key} {value}");
        }
        text
    }

    fn board_text(&self) -> String {
        let board = &self.board;
        let mut lines = board.lines().to_vec();
        lines.sort_unstable();
        let mut text = String::from("millbase variant 1\npoints");
        // Writing to a string cannot fail.
        for p in 0..board.point_count() {
            let _ = write!(text, " {}", board.label(p));
        }
        for line in lines {
            let numbers: Vec<_> = points(line).map(|p| p.to_string()).collect();
            let _ = write!(text, "\nline {}", numbers.join(" "));
        }
        for (a, b) in board.slides() {
            let _ = write!(text, "\nslide {a} {b}");
        }
        text
    }

    /// Whether the rules fit the board and each other and are all implemented; else why not.
    fn check(&self) -> Result<(), String> {
        let rules = &self.rules;
        let (men, room) = (usize::from(rules.men), self.board.point_count());
        let fewest = if rules.takes_men() { 3 } else { 1 };
        if men < fewest {
            return Err(format!(
                "`rules.men` is {men}, but each side needs at least {fewest}"
            ));
        }
        if 2 * men > room {
            return Err(format!(
                "`rules.men` is {men}: two times {men} men do not fit on {room} points"
            ));
        }
        if !(1..=2).contains(&rules.captures_per_double_mill) {
            return Err("`rules.captures_per_double_mill` must be 1 or 2".to_owned());
        }
        if rules.mills_pay_once && !rules.takes_men() {
            return Err(
                "`rules.mills_pay_once = true` means nothing where the first mill wins".to_owned(),
            );
        }
        let lines = self.board.lines().len();
        if rules.mills_pay_once && lines > MAX_LINES {
            return Err(format!(
                "`rules.mills_pay_once = true` is supported for boards of at most {MAX_LINES} \
                        lines, and this one has {lines}"
            ));
        }
        if rules.blocked == Blocked::Passes && self.board.point(PASS).is_some() {
            return Err(format!(
                "with `rules.blocked = \"passes\"` no point can be called `{PASS}`, which is how \
                        that turn is written"
            ));
        }
        if rules.placing == Placing::PlaceOrMove
            && rules.full_board == FullBoard::FirstPlayerLoses
            && 2 * men == room
        {
            return Err(
                "`rules.full_board = \"first-player-loses\"` is not supported together \
                        with `rules.placing = \"place-or-move\"`: the men do not tell who the \
                        first player is"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

/// The identity of a game: a BLAKE3 hash, displayed as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = blake3::HexError;

    /// Reads what `Display` writes.
    fn from_str(hex: &str) -> Result<Fingerprint, blake3::HexError> {
        Ok(Fingerprint(blake3::Hash::from_hex(hex)?.into()))
    }
}
