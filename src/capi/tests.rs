//! The C interface called from Rust: what no C program can bring about, and what no C compiler would let pass.

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::panic::panic_any;
use std::ptr::{null, null_mut};

use super::guard::{Fault, guarded};
use super::layout::cut;
use super::*;
use crate::game::Variant;
use crate::solve::{Silent, SolveOptions, solve};

/// The text in an array of C.
fn read(text: &[c_char]) -> &str {
    let bytes = bytemuck::cast_slice(text);
    let text = CStr::from_bytes_until_nul(bytes).expect("a NUL");
    text.to_str().expect("UTF-8")
}

/// Runs a function in the guard and returns its code and what the error says, in memory that was never written.
fn told(body: impl FnOnce() -> Result<(), Fault>) -> (i32, Error) {
    let mut error = MaybeUninit::uninit();
    // SAFETY: the place may be written to, and is by any outcome.
    let (code, error) = unsafe { (guarded(error.as_mut_ptr(), body), error.assume_init()) };
    assert_eq!(code, error.code);
    (code, error)
}

#[test]
fn panics_become_errors() {
    let (code, error) = told(|| panic!("nobody expects {}", "this"));
    assert_eq!(code, MILLBASE_ERROR_PANIC);
    assert_eq!(
        read(&error.message),
        "a fault in millbase: nobody expects this"
    );
    let (_, error) = told(|| panic!("a plain text"));
    assert_eq!(read(&error.message), "a fault in millbase: a plain text");
    let (_, error) = told(|| panic_any(7));
    assert_eq!(read(&error.message), "a fault in millbase: unknown");
    // SAFETY: nobody wants the error.
    let code = unsafe { guarded(null_mut(), || panic!("without a place for the text")) };
    assert_eq!(code, MILLBASE_ERROR_PANIC);
    let (code, error) = told(|| Ok(()));
    assert_eq!((code, read(&error.message)), (MILLBASE_OK, ""));
}

#[test]
fn messages_are_cut_between_characters() {
    assert_eq!(read(&cut::<4>("abc")), "abc");
    assert_eq!(read(&cut::<4>("abcd")), "abc");
    assert_eq!(read(&cut::<4>("abé")), "ab");
    assert_eq!(read(&cut::<5>("abé")), "abé");
    assert_eq!(read(&cut::<1>("é")), "");
    let (_, error) = told(|| Err(Fault::database(&"ä".repeat(MILLBASE_MESSAGE_SIZE))));
    assert_eq!(
        read(&error.message),
        "ä".repeat((MILLBASE_MESSAGE_SIZE - 1) / 2)
    );
}

#[test]
fn null_is_told_by_the_name_of_the_argument() {
    let (mut answer, mut error) = (Answer::NONE, Error::NONE);
    // SAFETY: the places may be written to, and NULL is an argument like others.
    let code = unsafe { millbase_probe(null(), c"start".as_ptr(), &mut answer, &mut error) };
    assert_eq!((code, error.code), (MILLBASE_ERROR_ARGUMENT, code));
    assert!(
        read(&error.message).starts_with("`database` "),
        "{}",
        read(&error.message)
    );
    // SAFETY: as before.
    let code = unsafe { millbase_probe(null(), c"start".as_ptr(), null_mut(), &mut error) };
    assert_eq!(code, MILLBASE_ERROR_ARGUMENT);
    assert!(
        read(&error.message).starts_with("`answer` "),
        "{}",
        read(&error.message)
    );
}

/// The board of three men's morris, the lower left point of which has a long name; its database, opened.
fn with_a_long_name(length: usize) -> (tempfile::TempDir, *mut Handle) {
    let (name, slides) = ("n".repeat(length), "slides = [\"lines\"]");
    let coordinates = format!("{slides}\ncoordinates = {{ {name} = [1, 1] }}");
    let game = include_str!("../../data/variants/three.toml").replace("a1", &name);
    let game = game.replace(slides, &coordinates);
    let variant = Variant::from_toml(&game, "a test").expect("a game");
    let folder = tempfile::tempdir().expect("a folder");
    solve(&variant, folder.path(), &SolveOptions::default(), &Silent).expect("a solution");
    let path = CString::new(folder.path().as_os_str().as_bytes()).expect("a path");
    let mut database = null_mut();
    // SAFETY: all pointers are to what they should be.
    let code = unsafe { millbase_open(path.as_ptr(), &mut database, null_mut()) };
    assert_eq!(code, MILLBASE_OK);
    (folder, database)
}

#[test]
fn a_turn_that_does_not_fit_is_an_error_and_not_cut() {
    for (length, fits) in [(63, true), (64, false)] {
        let (_folder, database) = with_a_long_name(length);
        let mut turns = [const { MaybeUninit::<Turn>::uninit() }; 9];
        let (mut count, mut error) = (99, Error::NONE);
        // SAFETY: all pointers are to what they should be; nobody uses the database after it was closed.
        let code = unsafe {
            let (room, start) = (turns.as_mut_ptr().cast(), c"start".as_ptr());
            let code = millbase_moves(database, start, room, 9, &mut count, &mut error);
            millbase_close(database);
            code
        };
        if fits {
            assert_eq!((code, count), (MILLBASE_OK, 9));
            // SAFETY: all nine were written.
            let turns = turns.map(|turn| unsafe { turn.assume_init() });
            let lengths = turns.iter().map(|turn| read(&turn.r#move).len());
            assert_eq!(lengths.max(), Some(63));
        } else {
            assert_eq!((code, count), (MILLBASE_ERROR_DATABASE, 0));
            let said = read(&error.message);
            assert!(said.ends_with("is longer than 63 bytes, the most that the C interface takes"));
        }
    }
}
