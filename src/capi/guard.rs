//! Between C and Rust: panics and errors are told to the caller, pointers are looked at before they are used.

use std::any::Any;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::layout::Error;
use super::{
    MILLBASE_ERROR_ARGUMENT, MILLBASE_ERROR_DATABASE, MILLBASE_ERROR_PANIC,
    MILLBASE_ERROR_POSITION, MILLBASE_OK,
};
use crate::answer::QuestionError;

/// Why a function failed.
#[derive(Debug)]
pub struct Fault {
    /// What it returns.
    pub code: i32,
    /// Field and character of the position text, from 1.
    pub place: Option<(usize, usize)>,
    /// A sentence for people.
    pub message: String,
}

impl Fault {
    fn new(code: i32, message: impl ToString) -> Fault {
        Fault {
            code,
            place: None,
            message: message.to_string(),
        }
    }

    /// An argument that must not be NULL is.
    pub fn null(argument: &str) -> Fault {
        Fault::new(MILLBASE_ERROR_ARGUMENT, format!("`{argument}` is NULL"))
    }

    /// A database that C programs cannot be told about.
    pub fn database(message: &str) -> Fault {
        Fault::new(MILLBASE_ERROR_DATABASE, message)
    }

    fn panic(payload: &(dyn Any + Send)) -> Fault {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let message = format!("a fault in millbase: {}", text.unwrap_or("unknown"));
        Fault::new(MILLBASE_ERROR_PANIC, message)
    }
}

impl From<QuestionError> for Fault {
    fn from(error: QuestionError) -> Fault {
        match error {
            QuestionError::Position(error) => Fault {
                place: Some(error.place()),
                ..Fault::new(MILLBASE_ERROR_POSITION, error)
            },
            QuestionError::Probe(error) => Fault::new(MILLBASE_ERROR_DATABASE, error),
        }
    }
}

/// Does what a function is for and tells how it went, whatever happens.
///
/// # Safety
/// `error` is NULL or may be written to.
pub unsafe fn guarded(error: *mut Error, body: impl FnOnce() -> Result<(), Fault>) -> i32 {
    // What a panic leaves behind is seen by nobody but the caches of a database, which hold whole blocks or none.
    let fault = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => None,
        Ok(Err(fault)) => Some(fault),
        Err(payload) => Some(Fault::panic(&*payload)),
    };
    let told = fault.as_ref().map_or(Error::NONE, Error::of);
    if !error.is_null() {
        // SAFETY: the caller's promise. What was there before may never have been written, so it is not read.
        unsafe { error.write(told) };
    }
    fault.map_or(MILLBASE_OK, |fault| fault.code)
}

/// Writes to a place of the caller.
///
/// # Safety
/// `place` is NULL or may be written to.
pub unsafe fn fill<T: Copy>(place: *mut T, value: T, argument: &str) -> Result<(), Fault> {
    if place.is_null() {
        return Err(Fault::null(argument));
    }
    // SAFETY: the caller's promise.
    unsafe { place.write(value) };
    Ok(())
}

/// What a pointer points to.
///
/// # Safety
/// `pointer` is NULL or points to a `T` that stays as it is for `'a`.
pub unsafe fn borrowed<'a, T>(pointer: *const T, argument: &str) -> Result<&'a T, Fault> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| Fault::null(argument))
}

/// Bytes up to a NUL.
///
/// # Safety
/// `pointer` is NULL, or points to bytes that end with a NUL and stay as they are for `'a`.
pub unsafe fn c_str<'a>(pointer: *const c_char, argument: &str) -> Result<&'a CStr, Fault> {
    if pointer.is_null() {
        return Err(Fault::null(argument));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

/// A text.
///
/// # Safety
/// As [`c_str`].
pub unsafe fn text<'a>(pointer: *const c_char, argument: &str) -> Result<&'a str, Fault> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { c_str(pointer, argument)? };
    bytes.to_str().map_err(|error| {
        let message = format!(
            "`{argument}` is not UTF-8 from its byte {} on",
            error.valid_up_to() + 1
        );
        Fault::new(MILLBASE_ERROR_ARGUMENT, message)
    })
}
