//! Input that may be anything: the corpus of the fuzz targets with random changes of it, and position
//! texts with every small mistake.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use millbase::game::Variant;
use millbase::notation::{
    PositionError, PositionReader, read_position, write_mfen, write_position,
};
use millbase::random::Random;
use rayon::prelude::*;

#[path = "fuzz/targets.rs"]
mod targets;

/// Random changes tried for each target. A failure prints the input.
const CHANGES: usize = 2000;

/// The corpus of a target, in the order of names.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let entries = fs::read_dir(root.join(target)).expect("a corpus");
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("a file").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        (name, fs::read(path).expect("a readable file"))
    };
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

/// Whether the target accepts the input; a panic says which input it was.
fn run(target: targets::Target, name: &str, what: &str, input: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| target(input)))
        .unwrap_or_else(|_| panic!("{name}, {what}: \"{}\"", input.escape_ascii()))
}

#[test]
fn the_corpus_and_random_changes_of_it_do_no_harm() {
    std::thread::scope(|scope| {
        for (name, target) in targets::TARGETS {
            scope.spawn(move || try_out(name, target));
        }
    });
}

fn try_out(name: &str, target: targets::Target) {
    let files = corpus(name);
    let (mut accepted, mut refused) = (0, 0);
    for (file, input) in &files {
        match run(target, name, file, input) {
            true => accepted += 1,
            false => refused += 1,
        }
    }
    // Else the inputs do not say any more what they were meant to say.
    assert!(
        accepted > 0 && refused > 0,
        "{name}: {accepted} and {refused}"
    );
    let mut random = Random::new(7);
    for round in 0..CHANGES {
        let input = changed(&files, &mut random);
        run(target, name, &format!("change {round}"), &input);
    }
}

/// A file of the corpus with some changes: bytes altered, put in, cut out, or taken from another file.
fn changed(files: &[(String, Vec<u8>)], random: &mut Random) -> Vec<u8> {
    let mut below = |end: usize| random.below(end as u64) as usize;
    let mut input = files[below(files.len())].1.clone();
    for _ in 0..=below(4) {
        let at = below(input.len() + 1);
        let end = (at + below(8)).min(input.len());
        match below(5) {
            0 if at < input.len() => input[at] = below(256) as u8,
            1 if at < input.len() => input[at] ^= 1 << below(8),
            2 => drop(input.drain(at..end)),
            3 => {
                let byte = below(256) as u8;
                input.splice(at..at, std::iter::repeat_n(byte, 1 + below(6)));
            }
            _ => {
                let other = &files[below(files.len())].1;
                let from = below(other.len() + 1);
                let piece = &other[from..(from + below(24)).min(other.len())];
                input.splice(at..end, piece.iter().copied());
            }
        }
    }
    input
}

// Position texts.

/// What is put into texts: all that means something there, and some that does not.
const CHARACTERS: &str = "O@*X/ \twbpmsrno?i:x0123459-+.é\u{2603}\0";

/// The same where history is told, of which only the form is looked at.
const IN_HISTORY: &str = " 0-:x.é";

/// All that means something in texts of the Mill Interchange Format, and some that does not.
const IN_MFEN: &str = "WBwbd./ -pmrox:,0149+\u{2603}";

/// Fifty positions of all phases, each with the variant it is of.
fn golden() -> Vec<(Variant, &'static str)> {
    let lines = include_str!("fuzz/golden.txt").lines();
    let split = |line: &'static str| {
        let (id, text) = line.split_once('\t').expect("a variant and a text");
        (Variant::builtin(id).expect("a built-in variant"), text)
    };
    lines.map(split).collect()
}

/// The words of a text: where each begins and ends, in characters from 1.
fn words(text: &[char]) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (i, c) in text.iter().chain([&' ']).enumerate() {
        match (c.is_whitespace(), start) {
            (true, Some(begin)) => {
                words.push((begin, i));
                start = None;
            }
            (false, None) => start = Some(i + 1),
            _ => {}
        }
    }
    words
}

/// A form of position texts.
struct Form {
    /// The fewest fields.
    least: usize,
    /// The last field that says something about the men.
    last: usize,
    /// The fields that can contradict a field, so that an error may name them in its place.
    partners: fn(usize) -> &'static [usize],
}

const FEN: Form = Form {
    least: 12,
    last: 10,
    partners: |field| match field {
        1 => &[5, 7],
        2 => &[3, 9, 10],
        4 => &[3, 9, 10],
        5 => &[6],
        6 | 8 => &[3],
        7 => &[8],
        9 | 10 => &[4],
        _ => &[],
    },
};

const MFEN: Form = Form {
    least: 11,
    last: 11,
    partners: |field| match field {
        3 => &[7, 8, 11],
        4 => &[5, 8, 11],
        5 => &[6],
        6 => &[8],
        7 => &[5, 11],
        10 => &[11],
        _ => &[],
    },
};

/// Reads a text in which the character at `at` was altered, put in or taken out. An error must name
/// that field or one it contradicts, and a place in it. If fields were cut or joined, those after them are at
/// fault as well.
fn read_altered(form: &Form, reader: &PositionReader, right: &[char], altered: &[char], at: usize) {
    let text: String = altered.iter().collect();
    let Err(error) = reader.read(&text) else {
        return;
    };
    let (before, after) = (words(right), words(altered));
    // What is put in right behind a field belongs to it.
    let touched = before.partition_point(|&(_, end)| end + 1 < at) + 1;
    let shifted = before.len() != after.len();
    let (field, character) = error.place();
    let there = after.get(field - 1);
    let inside = there.is_some_and(|&(start, end)| (start..=end + 1).contains(&character));
    match error {
        PositionError::Field { .. } => {
            assert!(inside, "{text}: {error}");
            let at_fault = field == touched
                || (form.partners)(touched).contains(&field)
                || shifted && field >= touched;
            assert!(at_fault, "field {touched} of {text}: {error}");
        }
        PositionError::Fields { found, .. } => {
            let is_end = field == after.len() + 1 && character == altered.len() + 1;
            assert!(found < form.least && is_end, "{text}: {error}");
        }
        // Every field can be read, so it is one that counts.
        PositionError::Impossible { .. } => {
            assert!(inside && touched <= form.last, "{text}: {error}");
        }
    }
}

/// Reads every prefix of a text, and the text with every character left out, altered, or one more before it.
fn read_all_altered(
    form: &Form,
    reader: &PositionReader,
    text: &str,
    from: usize,
    characters: impl Fn(usize) -> &'static str,
) {
    let right: Vec<char> = text.chars().collect();
    for at in from..=right.len() {
        let (before, after) = (&right[..at - 1], &right[at..]);
        let read = |altered: &[char]| read_altered(form, reader, &right, altered, at);
        read(before);
        read(&[before, after].concat());
        for put in characters(at).chars() {
            if put != right[at - 1] {
                read(&[before, &[put], after].concat());
            }
            read(&[before, &[put], &right[at - 1..]].concat());
        }
    }
}

#[test]
fn every_prefix_and_every_change_of_a_character_is_read_or_told_apart() {
    let golden = golden();
    assert_eq!(golden.len(), 50);
    golden.par_iter().for_each(|(variant, text)| {
        let reader = PositionReader::new(variant);
        let read = reader
            .read(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(reader.read(&write_position(variant, &read)), Ok(read));
        let right: Vec<char> = text.chars().collect();
        let (_, history) = words(&right)[9];
        let characters = |at| if at > history { IN_HISTORY } else { CHARACTERS };
        read_all_altered(&FEN, &reader, text, 1, characters);
    });
}

/// The same for texts of the Mill Interchange Format, some of finished games.
#[test]
fn every_prefix_and_every_change_of_a_character_of_mfen_is_read_or_told_apart() {
    let written = |(variant, text): (Variant, &str)| {
        let read = read_position(&variant, text).expect("a golden text");
        write_mfen(&variant, &read).map(|text| (variant, text))
    };
    let mut golden: Vec<_> = golden().into_iter().filter_map(written).collect();
    let over = [
        (
            "nine",
            "WW....../BBB...../........ - o o 0,0 - 0 18 b:fewer-than-minimum",
        ),
        (
            "nine",
            "W....W../B......./........ - o o 7,8 - 0 3 w:resignation",
        ),
        (
            "twelve",
            "WBWBWBWB/WBWBWBWB/WBWBWBWB - o o 0,0 - 0 24 d:board-full",
        ),
    ];
    golden.extend(over.map(|(id, text)| {
        let text = format!("MFEN/1.0 mill24-state-v1 {text}");
        (Variant::builtin(id).expect("a built-in variant"), text)
    }));
    assert!(golden.len() > 30, "{}", golden.len());
    golden.par_iter().for_each(|(variant, text)| {
        let reader = PositionReader::new(variant);
        let read = reader
            .read(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let again = write_mfen(variant, &read).expect("a board of 24 points");
        assert_eq!(reader.read(&again), Ok(read));
        // With another beginning it is a text of another form.
        let profile = text.find(' ').expect("fields") + 1;
        read_all_altered(&MFEN, &reader, text, profile + 1, |_| IN_MFEN);
    });
}

/// The golden texts are of all kinds.
#[test]
fn the_golden_positions_are_of_all_phases() {
    let mut kinds = BTreeMap::new();
    for (_, text) in golden() {
        let fields: Vec<&str> = text.split(' ').collect();
        *kinds.entry((fields[1], fields[2], fields[3])).or_insert(0) += 1;
    }
    let all = [
        ("w", "p", "p"),
        ("b", "p", "p"),
        ("w", "m", "s"),
        ("b", "m", "s"),
        ("w", "p", "r"),
        ("b", "m", "r"),
    ];
    assert!(all.iter().all(|kind| kinds.contains_key(kind)), "{kinds:?}");
}
