//! The C interface, described for its users in `millbase.h` beside this file.
//!
//! ```text
//! C program -> millbase_probe(database, text, answer, error)
//!                guarded           panics and errors become a code and a sentence for the caller
//!                borrowed, text    pointers become references, or an error where they are NULL
//!                TextProber        answers as all other programs get them
//!                layout            the answer, written to the caller's memory
//! ```
//!
//! Errors go to memory of the caller and not to a place of the library for each thread: such a text would be
//! another's in languages whose tasks change threads, and it would be unclear for how long it lives.
//!
//! Every function here is called by code that the compiler cannot check. What they rely on: pointers are NULL or
//! point to what the header says, texts end with a NUL, and a database is not used after it was closed.

mod guard;
mod layout;

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use crate::answer::TextProber;
use guard::{Fault, borrowed, fill, guarded, text};

pub use layout::{Answer, Error, Turn};

/// The function has done what it was to do.
pub const MILLBASE_OK: i32 = 0;
/// A pointer is NULL that must not be, or a text is not UTF-8.
pub const MILLBASE_ERROR_ARGUMENT: i32 = 1;
/// The text is no position of the game.
pub const MILLBASE_ERROR_POSITION: i32 = 2;
/// The database is not there, damaged, or of a kind that cannot be asked.
pub const MILLBASE_ERROR_DATABASE: i32 = 3;
/// A fault in the library.
pub const MILLBASE_ERROR_PANIC: i32 = 4;

/// The database lacks a sector without which the value cannot be told.
pub const MILLBASE_UNKNOWN: i32 = 0;
/// The side to move, or the player who makes the turn, loses.
pub const MILLBASE_LOSS: i32 = 1;
/// Neither side can force a win.
pub const MILLBASE_DRAW: i32 = 2;
/// The side to move, or the player who makes the turn, wins.
pub const MILLBASE_WIN: i32 = 3;

/// White is to move.
pub const MILLBASE_WHITE: i32 = 1;
/// Black is to move.
pub const MILLBASE_BLACK: i32 = 2;

/// Bytes of a sector's name, with the NUL.
pub const MILLBASE_SECTOR_SIZE: usize = 16;
/// Bytes of a turn, with the NUL.
pub const MILLBASE_MOVE_SIZE: usize = 64;
/// Bytes of a position text, with the NUL.
pub const MILLBASE_POSITION_SIZE: usize = 192;
/// Bytes of an error's sentence, with the NUL.
pub const MILLBASE_MESSAGE_SIZE: usize = 1024;

/// What C programs hold as `millbase_database`.
#[derive(Debug)]
pub struct Handle {
    prober: TextProber,
    variant: CString,
}

// Any number of threads ask one database.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Handle>();
};

impl Handle {
    fn open(path: &CStr) -> Result<Box<Handle>, Fault> {
        let prober = TextProber::open(Path::new(OsStr::from_bytes(path.to_bytes())))?;
        let id = prober.database().variant().id.as_str();
        let variant = CString::new(id).map_err(|_| Fault::database("the game's id has a NUL"))?;
        Ok(Box::new(Handle { prober, variant }))
    }
}

/// Opens a database.
///
/// # Safety
/// See the module: `path` is a text, `database` and `error` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn millbase_open(
    path: *const c_char,
    database: *mut *mut Handle,
    error: *mut Error,
) -> i32 {
    let body = || {
        // SAFETY: the caller's promise.
        unsafe { fill(database, ptr::null_mut(), "database")? };
        let path = unsafe { guard::c_str(path, "path")? };
        let handle = Box::into_raw(Handle::open(path)?);
        unsafe { fill(database, handle, "database") }
    };
    // SAFETY: the caller's promise.
    unsafe { guarded(error, body) }
}

/// Closes a database; NULL does nothing.
///
/// # Safety
/// `database` is NULL or from [`millbase_open`], was not closed before, and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn millbase_close(database: *mut Handle) {
    let body = || {
        if !database.is_null() {
            // SAFETY: the caller's promise; `millbase_open` took it from a box.
            drop(unsafe { Box::from_raw(database) });
        }
        Ok(())
    };
    // SAFETY: there is no place for an error to be written to.
    unsafe { guarded(ptr::null_mut(), body) };
}

/// Says what a position is worth to the side to move.
///
/// # Safety
/// See the module: `database` is open, `position` is a text, `answer` and `error` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn millbase_probe(
    database: *const Handle,
    position: *const c_char,
    answer: *mut Answer,
    error: *mut Error,
) -> i32 {
    let body = || {
        // SAFETY: the caller's promise.
        unsafe { fill(answer, Answer::NONE, "answer")? };
        let database = unsafe { borrowed(database, "database")? };
        let position = unsafe { text(position, "position")? };
        let found = Answer::of(&database.prober.probe(position)?)?;
        unsafe { fill(answer, found, "answer") }
    };
    // SAFETY: the caller's promise.
    unsafe { guarded(error, body) }
}

/// Lists the turns of a position, best first.
///
/// # Safety
/// See the module: `database` is open, `position` is a text, `turns` has room for `capacity` turns, `count` and
/// `error` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn millbase_moves(
    database: *const Handle,
    position: *const c_char,
    turns: *mut Turn,
    capacity: usize,
    count: *mut usize,
    error: *mut Error,
) -> i32 {
    let body = || {
        // SAFETY: the caller's promise.
        unsafe { fill(count, 0, "count")? };
        let database = unsafe { borrowed(database, "database")? };
        let position = unsafe { text(position, "position")? };
        if turns.is_null() && capacity > 0 {
            return Err(Fault::null("turns"));
        }
        let found = database.prober.moves(position)?;
        let best: Vec<Turn> = found
            .iter()
            .take(capacity)
            .map(Turn::of)
            .collect::<Result<_, _>>()?;
        // SAFETY: there is room for `capacity` turns, and there are no more than that.
        unsafe { ptr::copy_nonoverlapping(best.as_ptr(), turns, best.len()) };
        unsafe { fill(count, found.len(), "count") }
    };
    // SAFETY: the caller's promise.
    unsafe { guarded(error, body) }
}

/// The id of the game; NULL for NULL.
///
/// # Safety
/// `database` is NULL or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn millbase_variant(database: *const Handle) -> *const c_char {
    // SAFETY: the caller's promise.
    match unsafe { database.as_ref() } {
        Some(handle) => handle.variant.as_ptr(),
        None => ptr::null(),
    }
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn millbase_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

#[cfg(test)]
mod header;
#[cfg(test)]
mod tests;
