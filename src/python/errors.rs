//! Exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

use crate::answer::QuestionError;

create_exception!(
    millbase,
    PositionError,
    PyValueError,
    "The text is no position of the game."
);

create_exception!(
    millbase,
    DatabaseError,
    PyException,
    "The database is not there, damaged, or of a kind that cannot be asked."
);

/// The exception of an error; `index` is the number of the question among many.
fn exception(py: Python<'_>, error: QuestionError, index: Option<usize>) -> PyErr {
    let message = match index {
        Some(index) => format!("positions[{index}]: {error}"),
        None => error.to_string(),
    };
    let place = match &error {
        QuestionError::Position(error) => error.place(),
        QuestionError::Probe(_) => return DatabaseError::new_err(message),
    };
    let exception = PositionError::new_err(message);
    let described = || -> PyResult<()> {
        let value = exception.value(py);
        value.setattr("field", place.0)?;
        value.setattr("character", place.1)?;
        value.setattr("index", index)
    };
    match described() {
        Ok(()) => exception,
        Err(error) => error,
    }
}

/// Answers or raises.
pub fn told<T>(py: Python<'_>, result: Result<T, QuestionError>) -> PyResult<T> {
    result.map_err(|error| exception(py, error, None))
}

/// Answers or raises, with the number of the question among many.
pub fn told_of_many<T>(
    py: Python<'_>,
    result: Result<T, QuestionError>,
    index: usize,
) -> PyResult<T> {
    result.map_err(|error| exception(py, error, Some(index)))
}
