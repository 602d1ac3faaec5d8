//! Grundy values of positions and of what their bites leave.

use ask::Bites;
use driver::{GrundySearch, GrundyValue};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::bite::PyBite;
use crate::failure::IncompleteError;
use crate::object::{Pickled, by_question, dictionary};
use crate::position::{Lengths, position};
use crate::work::{Progress, attend};

/// All bites from a position, with the Grundy values that they leave: a sequence of `Bite`,
/// row by row, those that leave less of it first.
#[pyclass(name = "Bites", module = "chomp", frozen, sequence)]
#[derive(Debug)]
pub struct PyBites(Bites, u64);

#[pymethods]
impl PyBites {
    /// The row lengths of the position: a tuple of integers.
    #[getter]
    fn position(&self) -> Lengths {
        Lengths(self.0.position.clone())
    }

    /// The Grundy value of the position, the least that no bite leaves; None if it depends on a
    /// value that was not found.
    #[getter]
    fn grundy(&self) -> Option<u64> {
        self.0.value
    }

    /// The object of docs/JSON.md: what `chomp query --moves --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.0)
    }

    fn __len__(&self) -> usize {
        self.0.bites.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bites = self.0.bites.iter().map(PyBite::from);
        PyList::new(py, bites.collect::<Vec<_>>())?.as_any().get_item(index)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let options = PyDict::new(py);
        options.set_item("level", self.1)?;
        options.set_item("progress", false)?;
        by_question(py, "bites", (self.0.position.as_board(),), options)
    }

    fn __repr__(&self) -> String {
        let number = self.0.bites.len();
        format!("<Bites: {number} from {}>", self.0.position.as_board())
    }
}

/// The Grundy value of a position with any number of rows: an integer.
///
/// Positions are given as for `query`. Where a table takes seconds, the value comes from one.
/// Otherwise rows of levels 0 to `level` are computed until one has the position; then its two
/// longest rows may be of any size. `progress` is as for `rows`.
///
/// Raises IncompleteError, with a lower bound, if the value lies above these levels; ValueError and
/// TypeError as `query`, also for a position with an infinite row; and MemoryError if table or rows
/// need more memory than there is.
///
/// >>> import chomp
/// >>> chomp.grundy("3x4")
/// 9
/// >>> chomp.grundy(10**30 + 3, 10**30, 3, level=3)
/// 1
#[pyfunction]
#[pyo3(
    signature = (*position, level = 30, progress = Progress::Bar),
    text_signature = "(*position, level=30, progress=True)"
)]
pub fn grundy(
    py: Python,
    position: &Bound<PyTuple>,
    level: u64,
    progress: Progress,
) -> PyResult<u64> {
    let position = self::position(position)?;
    let search = GrundySearch { level, ..GrundySearch::default() };
    match attend(py, progress, |watch| Ok(driver::grundy_value(&position, &search, watch)?))? {
        GrundyValue::Is(value, _) => Ok(value),
        GrundyValue::AtLeast(least) => Err(IncompleteError::new_err(format!(
            "{} has a Grundy value of at least {least}; level={level} looks no further",
            position.as_board()
        ))),
    }
}

/// Every bite from a position of at most 100 000 squares, with the Grundy value that it leaves:
/// `Bites`. A bite that leaves 0 wins.
///
/// Arguments, cost and errors are those of `grundy`. A value above the levels is None.
///
/// >>> import chomp
/// >>> found = chomp.bites(2, 1)
/// >>> found.grundy, [(bite.square, bite.leaves, bite.grundy) for bite in found]
/// (0, [((1, 2), (1, 1), 1), ((2, 1), (2,), 1)])
#[pyfunction]
#[pyo3(
    signature = (*position, level = 30, progress = Progress::Bar),
    text_signature = "(*position, level=30, progress=True)"
)]
pub fn bites(
    py: Python,
    position: &Bound<PyTuple>,
    level: u64,
    progress: Progress,
) -> PyResult<PyBites> {
    let position = self::position(position)?;
    let search = GrundySearch { level, ..GrundySearch::default() };
    let found = attend(py, progress, |watch| Ok(ask::bites(&position, &search, watch)?))?;
    Ok(PyBites(found, level))
}
