//! What is done with input that may be anything: one function for each reader of the library.
//!
//! [`TARGETS`] are called by `cargo fuzz`, which looks for input that ends the program or breaks a
//! promise, and by the test `hostile_input`, which replays what was found and tries random changes of it.
//!
//! Each says whether the input was accepted. What it promises is asserted: what is read can be written
//! and read back, errors name a place in the text or the file at fault, and both ways of reading files agree.
//!
//! Files of databases are given as *edits* of a right file, five bytes an edit, so that a small input can
//! alter any part; the first byte says which file, and whether checksums are made to fit, without which
//! no change would get past them.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use millbase::database::{Contents, Database, DatabaseError, Io, OpenOptions, PackOptions, pack};
use millbase::game::{Sector, Variant};
use millbase::notation::{
    ReadPosition, TurnError, play_moves, read_position, read_removal, read_turn, write_position,
    write_turn,
};
use millbase::solve::{Silent, SolveOptions, solve};
use tempfile::TempDir;

/// A reader to be tried: takes any input, says whether it was accepted.
pub type Target = fn(&[u8]) -> bool;

/// All of them, by the names of their corpora.
pub const TARGETS: [(&str, Target); 6] = [
    ("position", position),
    ("moves", moves),
    ("variant", variant),
    ("manifest", manifest),
    ("block_index", block_index),
    ("block_data", block_data),
];

static VARIANTS: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let ids = ["nine", "six", "three", "lasker", "pentagon", "doc1-classic"];
    ids.map(|id| Variant::builtin(id).expect("a built-in variant"))
        .into()
});

/// The first byte chooses the game, the rest is text.
fn game_and_text(input: &[u8]) -> Option<(&'static Variant, &str)> {
    let (choice, text) = input.split_first()?;
    let game = &VARIANTS[usize::from(choice.wrapping_sub(b'0')) % VARIANTS.len()];
    Some((game, std::str::from_utf8(text).ok()?))
}

/// Position texts: a digit for the game, then the text.
pub fn position(input: &[u8]) -> bool {
    let Some((game, text)) = game_and_text(input) else {
        return false;
    };
    match read_position(game, text) {
        Ok(read) => {
            let written = write_position(game, &read);
            assert_eq!(read_position(game, &written), Ok(read), "{written}");
            true
        }
        Err(error) => {
            let (field, character) = error.place();
            assert!(field >= 1 && (1..=text.chars().count() + 1).contains(&character));
            false
        }
    }
}

/// Turns: a digit for the game, a position and `|` or nothing for the start, then turns.
pub fn moves(input: &[u8]) -> bool {
    let Some((game, text)) = game_and_text(input) else {
        return false;
    };
    let (from, text) = text.split_once('|').unwrap_or(("start", text));
    let Ok(start) = read_position(game, from) else {
        return false;
    };
    for token in text.split_whitespace().take(4) {
        single_turns(game, &start, token);
    }
    match play_moves(game, &start, text) {
        Ok(end) => {
            let one_by_one = text
                .split_whitespace()
                .try_fold(start, |now, token| play_moves(game, &now, token));
            assert_eq!(one_by_one, Ok(end));
            true
        }
        Err(error) => {
            assert_placed(text, &error);
            false
        }
    }
}

fn single_turns(game: &Variant, start: &ReadPosition, token: &str) {
    match read_turn(game, &start.position, token) {
        Ok(turn) => {
            assert!(game.is_legal(&start.position, &turn), "{token}");
            let written = write_turn(&game.board, &turn);
            assert_eq!(read_turn(game, &start.position, &written), Ok(turn));
        }
        Err(error) => assert_placed(token, &error),
    }
    match read_removal(game, start, token) {
        Ok(removed) => {
            let sets = game.removal_sets(&start.position, start.removals_due);
            assert!(sets.contains(&removed), "{token}");
        }
        Err(error) => assert_placed(token, &error),
    }
}

/// The error tells where in the text its turn stands.
fn assert_placed(text: &str, error: &TurnError) {
    let there: String = text.chars().skip(error.character - 1).collect();
    assert!(there.starts_with(&error.token), "{error}");
}

/// Variant files.
pub fn variant(input: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(input) else {
        return false;
    };
    match Variant::from_toml(text, "fuzz") {
        Ok(variant) => {
            let written = variant.to_toml();
            let back = Variant::from_toml(&written, "written").expect("what was written");
            assert_eq!(back, variant, "{written}");
            assert_eq!(back.fingerprint(), variant.fingerprint());
            let start = variant.start();
            for turn in variant.turns(&start).iter().take(3) {
                variant.turns(&variant.play(&start, turn));
            }
            true
        }
        Err(error) => {
            assert!(error.to_string().starts_with("fuzz"), "{error}");
            false
        }
    }
}

// Databases.

/// Small databases of one game, in the forms there are.
struct Originals {
    _folder: TempDir,
    scores: PathBuf,
    planes: PathBuf,
    packed: PathBuf,
}

static ORIGINALS: LazyLock<Originals> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a folder");
    let [scores, planes, packed] =
        ["scores", "planes", "packed"].map(|name| folder.path().join(name));
    let three = Variant::builtin("three").expect("a built-in variant");
    for (dir, values_only) in [(&scores, false), (&planes, true)] {
        let options = SolveOptions {
            values_only,
            ..SolveOptions::default()
        };
        solve(&three, dir, &options, &Silent).expect("a solved game");
    }
    let plain = Database::open(&scores).expect("a database");
    pack(&plain, &packed, &PackOptions::default(), &|_| (), &|_| ()).expect("a packed database");
    Originals {
        _folder: folder,
        scores,
        planes,
        packed,
    }
});

/// A file of one of the databases, which is altered.
struct File {
    /// The folder it is in.
    dir: &'static Path,
    name: String,
    sector: Sector,
    bytes: Vec<u8>,
}

impl File {
    /// The file of the movement phase, of kind 0 to 3: scores, planes, values, distances.
    fn of_kind(kind: u8) -> File {
        let (dir, ending) = match kind % 4 {
            0 => (&ORIGINALS.scores, "sector"),
            1 => (&ORIGINALS.planes, "sector"),
            2 => (&ORIGINALS.packed, "values"),
            _ => (&ORIGINALS.packed, "distances"),
        };
        let sector: Sector = "3-3".parse().expect("a sector");
        let name = format!("{}.{ending}", sector.file_stem());
        let bytes = fs::read(dir.join(&name)).expect("a file of the database");
        File {
            dir,
            name,
            sector,
            bytes,
        }
    }

    fn number(&self, at: usize) -> usize {
        let bytes = self.bytes[at..].first_chunk().expect("four bytes");
        u32::from_le_bytes(*bytes) as usize
    }

    /// Where the first block begins and the last one ends.
    fn blocks(&self) -> (usize, usize) {
        let trailer = self.number(self.bytes.len() - FOOTER);
        (HEADER + self.number(36), trailer)
    }

    /// The number of cells.
    fn cells(&self) -> usize {
        self.number(24)
    }

    /// Puts another model and another block in the place of those that are there, with a header and a
    /// trailer that fit.
    fn with_block(&mut self, model: Option<Vec<u8>>, block: &[u8]) {
        let (start, _) = self.blocks();
        let model = model.unwrap_or_else(|| self.bytes[HEADER..start].to_vec());
        let mut bytes = self.bytes[..HEADER].to_vec();
        bytes[36..40].copy_from_slice(&(model.len() as u32).to_le_bytes());
        bytes.extend(model);
        bytes.extend(block);
        let trailer = bytes.len() as u64;
        let index = raw_frame(&(block.len() as u32).to_le_bytes());
        bytes.extend(SKIPPABLE.to_le_bytes());
        bytes.extend(((index.len() + FOOTER) as u32).to_le_bytes());
        bytes.extend(index);
        bytes.extend(trailer.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(b"blockend");
        self.bytes = bytes;
        seal(&mut self.bytes);
    }

    /// Whether the database can be read with the file as it is now.
    fn is_accepted(&self) -> bool {
        let (name, bytes) = (&self.name, &self.bytes);
        with_file(self.dir, name, bytes, |dir| {
            let [mapped, read] = [Io::Map, Io::Read].map(|io| read_all(dir, io, self.sector));
            assert_eq!(mapped, read, "both ways of reading agree");
            mapped.is_ok_and(|cells| cells.iter().all(Result::is_ok))
        })
    }
}

const HEADER: usize = 80;
const FOOTER: usize = 24;
const SKIPPABLE: u32 = 0x184D_2A5D;

/// A cell, or what the error says.
type Cell = Result<String, String>;

/// All cells one by one, and as a whole they must be the same.
fn read_all(dir: &Path, io: Io, sector: Sector) -> Result<Vec<Cell>, String> {
    let named = |error: DatabaseError| {
        let text = error.to_string();
        assert!(text.contains(&sector.file_stem()), "{text}");
        text
    };
    let options = OpenOptions {
        io,
        ..OpenOptions::default()
    };
    let database = Database::open_with(dir, options).expect("the manifest is right");
    let cells = database.index().len(sector);
    database.sector(sector).map(drop).map_err(named)?;
    if database.contents() == Contents::Values {
        let one_by_one = (0..cells).map(|cell| database.outcome(sector, cell));
        let one_by_one = one_by_one.map(|cell| cell.map(|outcome| outcome.to_string()));
        return Ok(one_by_one.map(|cell| cell.map_err(named)).collect());
    }
    let scores: Vec<_> = (0..cells)
        .map(|cell| database.score(sector, cell))
        .collect();
    match database.read_sector(sector) {
        Ok(whole) => {
            let one_by_one = scores
                .iter()
                .map(|score| score.as_ref().map(|score| score.0).ok());
            assert!(one_by_one.eq(whole.into_iter().map(Some)));
        }
        Err(error) => {
            named(error);
            assert!(scores.iter().any(Result::is_err));
        }
    }
    let cell = |score: Result<millbase::value::Score, DatabaseError>| {
        score.map(|score| score.0.to_string()).map_err(named)
    };
    Ok(scores.into_iter().map(cell).collect())
}

thread_local! {
    /// Copies of the originals' folders, for this thread to alter.
    static COPIES: RefCell<Vec<(PathBuf, TempDir)>> = const { RefCell::new(Vec::new()) };
}

/// Looks at a copy of a database in which one file has other bytes.
fn with_file<T>(dir: &Path, name: &str, bytes: &[u8], look: impl FnOnce(&Path) -> T) -> T {
    COPIES.with_borrow_mut(|copies| {
        if !copies.iter().any(|(of, _)| of == dir) {
            copies.push((dir.to_owned(), copy(dir)));
        }
        let (_, copy) = copies.iter().find(|(of, _)| of == dir).expect("a copy");
        let path = copy.path().join(name);
        // A new file, never into one that was mapped.
        fs::remove_file(&path).expect("the file of the copy");
        fs::write(&path, bytes).expect("room for the file");
        let found = look(copy.path());
        fs::remove_file(&path).expect("the altered file");
        fs::copy(dir.join(name), &path).expect("room for the file");
        found
    })
}

fn copy(dir: &Path) -> TempDir {
    let copy = TempDir::new().expect("a folder");
    for entry in dir.read_dir().expect("a folder of a database") {
        let entry = entry.expect("a file");
        fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("room for a copy");
    }
    copy
}

/// Manifests: a byte that says which and whether its digest is made to fit, then edits.
pub fn manifest(input: &[u8]) -> bool {
    let Some((choice, edits)) = input.split_first() else {
        return false;
    };
    let originals = [&ORIGINALS.scores, &ORIGINALS.planes, &ORIGINALS.packed];
    let dir = originals[usize::from(choice >> 1) % originals.len()];
    let bytes = fs::read(dir.join("manifest.json")).expect("a manifest");
    let mut bytes = edited(&bytes, edits);
    if choice & 1 == 1 {
        seal_manifest(&mut bytes);
    }
    with_file(dir, "manifest.json", &bytes, |dir| {
        match Database::open(dir) {
            Ok(database) => {
                let start = database.variant().start();
                let _ = millbase::probe::Prober::new(&database).value(&start, 0);
                true
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains(&*dir.to_string_lossy()), "{text}");
                false
            }
        }
    })
}

/// Files of sectors, header, model, blocks and index: a byte that says which and whether the checksums of
/// header and index are made to fit, then edits.
pub fn block_index(input: &[u8]) -> bool {
    let Some((choice, edits)) = input.split_first() else {
        return false;
    };
    let mut file = File::of_kind(choice >> 1);
    file.bytes = edited(&file.bytes, edits);
    if choice & 1 == 1 {
        seal(&mut file.bytes);
    }
    file.is_accepted()
}

/// Blocks in files that are right but for them: a byte that says which, then edits, of the block as it is
/// in the file, or of what it says when it is decompressed.
pub fn block_data(input: &[u8]) -> bool {
    let Some((choice, edits)) = input.split_first() else {
        return false;
    };
    let mut file = File::of_kind(choice % 4);
    let (start, end) = file.blocks();
    let cells = file.cells();
    match choice % 8 {
        kind @ (4 | 5 | 7) => {
            let length = if kind == 5 {
                cells.div_ceil(64) * 16
            } else {
                cells
            };
            file.with_block(None, &raw_frame(&edited(&vec![1; length], edits)));
        }
        6 => {
            let thirds = [1365u16, 2731].map(|bound| bound.to_le_bytes().repeat(8000));
            let model = raw_frame(&edited(&thirds.concat(), edits));
            let block = file.bytes[start..end].to_vec();
            file.with_block(Some(model), &block);
        }
        _ => {
            let block = edited(&file.bytes[start..end], edits);
            file.with_block(None, &block);
        }
    }
    file.is_accepted()
}

/// A zstd frame that holds bytes as they are, without a checksum.
fn raw_frame(bytes: &[u8]) -> Vec<u8> {
    let mut frame = 0xFD2F_B528_u32.to_le_bytes().to_vec();
    frame.push(0xA0); // one segment, its size in four bytes, no checksum
    frame.extend((bytes.len() as u32).to_le_bytes());
    let mut pieces = bytes.chunks(100_000).peekable();
    if bytes.is_empty() {
        frame.extend([1, 0, 0]);
    }
    while let Some(piece) = pieces.next() {
        let last = u32::from(pieces.peek().is_none());
        frame.extend(&(last | (piece.len() as u32) << 3).to_le_bytes()[..3]);
        frame.extend(piece);
    }
    frame
}

/// The bytes after a list of edits, five bytes each: what, where (two bytes), how many, and a byte.
fn edited(original: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for edit in edits.chunks_exact(5).take(32) {
        let &[what, low, high, count, byte] = edit else {
            break;
        };
        let at = usize::from(u16::from_le_bytes([low, high])) % (bytes.len() + 1);
        let end = bytes.len().min(at + usize::from(count));
        match what % 8 {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, std::iter::repeat_n(byte, count.into()))),
            3 => bytes[at..end].fill(byte),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = usize::from(byte) * 37 % (bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            5 => bytes[at..end].reverse(),
            _ => {
                if let Some(old) = bytes.get_mut(at) {
                    *old = old.wrapping_add(byte) ^ count;
                }
            }
        }
    }
    bytes
}

/// Makes the checksums of a file's header and trailer fit, where there are such.
fn seal(bytes: &mut [u8]) {
    if bytes.len() >= HEADER {
        let sum = blake3::hash(&bytes[..HEADER - 8]);
        bytes[HEADER - 8..HEADER].copy_from_slice(&sum.as_bytes()[..8]);
    }
    let Some(footer) = bytes.len().checked_sub(FOOTER) else {
        return;
    };
    let start = bytes[footer..]
        .first_chunk()
        .map(|start| u64::from_le_bytes(*start));
    let start = start.and_then(|start| usize::try_from(start).ok());
    if let Some(start) = start.filter(|&start| start <= footer) {
        let sum = blake3::hash(&bytes[start..footer + 8]);
        bytes[footer + 8..footer + 16].copy_from_slice(&sum.as_bytes()[..8]);
    }
}

/// Makes the digest of a manifest fit, if it has one.
fn seal_manifest(bytes: &mut [u8]) {
    const KEY: &[u8] = b"\"digest\"";
    let Some(at) = bytes.windows(KEY.len()).rposition(|part| part == KEY) else {
        return;
    };
    let digest = blake3::hash(&bytes[..at]).to_hex();
    let value = at + KEY.len() + 3;
    if let Some(old) = bytes.get_mut(value..value + digest.len()) {
        old.copy_from_slice(digest.as_bytes());
    }
}
