//! The class `Database`.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};
use std::thread::available_parallelism;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::errors::{told, told_of_many};
use super::results::{Probed, Turn};
use crate::answer::TextProber;

/// Positions that are answered between two looks at whether Ctrl-C was pressed.
const AT_ONCE: usize = 1 << 14;

/// Positions for which a thread of its own pays.
const FOR_A_THREAD: usize = 256;

/// An open database.
#[pyclass(frozen, module = "millbase")]
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    variant: String,
    /// Shared, so that whoever is asking when the database is closed gets an answer; `None` afterwards.
    prober: RwLock<Option<Arc<TextProber>>>,
}

#[pymethods]
impl Database {
    /// Opens the database in a folder.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Database> {
        let prober = told(py, py.detach(|| TextProber::open(&path)))?;
        Ok(Database {
            path,
            variant: prober.database().variant().id.clone(),
            prober: RwLock::new(Some(Arc::new(prober))),
        })
    }

    /// The id of the game, such as "nine".
    #[getter]
    fn variant(&self) -> &str {
        &self.variant
    }

    /// The folder.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// What a position is worth to the side to move.
    fn probe(&self, py: Python<'_>, position: &str) -> PyResult<Probed> {
        let prober = self.open()?;
        told(py, py.detach(|| prober.probe(position).map(Probed::of)))
    }

    /// What many positions are worth, in their order, found on all processors.
    fn probe_many(&self, py: Python<'_>, positions: Vec<PyBackedStr>) -> PyResult<Vec<Probed>> {
        let prober = self.open()?;
        let threads = threads(positions.len())?;
        let mut all = Vec::with_capacity(positions.len());
        for texts in positions.chunks(AT_ONCE) {
            py.check_signals()?;
            let answers = py.detach(|| threads.install(|| prober.probe_many(texts)));
            for answer in answers {
                let index = all.len();
                all.push(Probed::of(told_of_many(py, answer, index)?));
            }
        }
        Ok(all)
    }

    /// All turns of a position, best first. Empty if the game is over.
    fn moves(&self, py: Python<'_>, position: &str) -> PyResult<Vec<Turn>> {
        let prober = self.open()?;
        let turns = told(py, py.detach(|| prober.moves(position)))?;
        Ok(turns.into_iter().map(Turn::of).collect())
    }

    /// Best play for both sides to the end of the game. Empty if the position is drawn.
    fn line(&self, py: Python<'_>, position: &str) -> PyResult<Vec<String>> {
        let prober = self.open()?;
        told(py, py.detach(|| prober.line(position)))
    }

    /// Closes the database. Closing it again does nothing.
    fn close(&self) {
        let mut prober = self
            .prober
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *prober = None;
    }

    fn __enter__(slf: Py<Database>) -> Py<Database> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        let state = match self.open() {
            Ok(_) => "",
            Err(_) => ", closed",
        };
        format!(
            "<millbase.Database of '{}' in {}{state}>",
            self.variant,
            self.path.display()
        )
    }
}

impl Database {
    fn open(&self) -> PyResult<Arc<TextProber>> {
        let prober = self
            .prober
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        prober.clone().ok_or_else(|| {
            PyValueError::new_err(format!("the database {} is closed", self.path.display()))
        })
    }
}

/// Threads for so many positions. They are started for each list: those of a pool that is kept would not be there
/// in a process that was forked, and waited for all the same.
fn threads(positions: usize) -> PyResult<ThreadPool> {
    let processors = available_parallelism().map_or(1, usize::from);
    let count = positions.div_ceil(FOR_A_THREAD).clamp(1, processors);
    let pool = ThreadPoolBuilder::new().num_threads(count).build();
    pool.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))
}
