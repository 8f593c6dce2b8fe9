//! The native part of the Python package `millbase`, which is described for its users in
//! `millbase/__init__.pyi`.
//!
//! ```text
//! Python program -> Database.probe(text)      a wrapper that lets other threads of Python run
//!                     TextProber              answers as all other programs get them
//!                       Probed, Turn          what Python sees of them; errors become exceptions
//! ```

mod database;
mod errors;
mod results;

use pyo3::prelude::*;

#[pymodule]
mod _millbase {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::database::Database;
    #[pymodule_export]
    use super::errors::{DatabaseError, PositionError};
    #[pymodule_export]
    use super::results::{Probed, Turn};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
