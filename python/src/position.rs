//! Questions about one position.

use driver::{Answer, Engine, Position, Source, Tail};
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::natural::{Natural, RowNumber};
use crate::row::PyRow;
use crate::work::{Progress, attend};

/// A winning bite: it leaves a P-position.
#[pyclass(name = "Bite", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyBite {
    bite: driver::Bite,
    /// `top row`, or `row 4`.
    name: String,
}

#[pymethods]
impl PyBite {
    /// The row of the board in which a square is bitten: "top", "middle" or "bottom"; of more than
    /// three "row 1", "row 2" and so on, the longest first.
    #[getter]
    fn bitten(&self) -> &str {
        self.name.strip_suffix(" row").unwrap_or(&self.name)
    }

    /// The P-position that is left: a tuple (p, q, r) of row lengths, in squares. With four rows or
    /// more it has those that are left, at least three.
    #[getter]
    fn leaves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let lengths = self.bite.leaves.lengths();
        let finite = lengths.iter().filter_map(|length| length.finite().cloned());
        PyTuple::new(py, finite.map(Natural).collect::<Vec<_>>())
    }

    /// The row with that P-position, which proves the answer. It has a fingerprint of its head, or
    /// all offsets if the answer needed them.
    #[getter]
    fn row(&self) -> PyRow {
        PyRow(self.bite.record.clone().expect("positions have finite rows here"))
    }

    fn __repr__(&self) -> String {
        format!("<Bite: {}, leaves {}>", self.name, self.bite.leaves)
    }
}

/// The tail of these rows, without those of length 0 at the end.
pub fn tail(RowNumber(r): RowNumber, lower: Vec<RowNumber>) -> PyResult<Tail> {
    let mut parts = vec![r];
    parts.extend(lower.into_iter().map(|RowNumber(length)| length));
    let rows = parts.iter().rposition(|&length| length > 0).map_or(0, |last| last + 1);
    parts.truncate(rows);
    Tail::new(parts).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// f(q, r), the only p that makes (p, q, r) a P-position; None if there is none, that is for q < r
/// and past the end of a finite row. Lengths are in squares, and q may be of any size. With more
/// rows, f(q, r, s, ...) is the only p that makes (p, q, r, s, ...) one.
///
/// It costs what rows 0 to r cost; `row(r).f(q)` answers many questions about one row. `progress`
/// is as for `rows`.
///
/// Raises ValueError for a negative number and for a row that is too large, TypeError for what is
/// no integer, and MemoryError if the rows need more memory than there is.
///
/// Source: A. E. Brouwer and others, On three-rowed Chomp, Integers 5 (2005) G07.
///
/// >>> import chomp
/// >>> chomp.f(6, 5), chomp.f(8, 4)
/// (9, None)
/// >>> chomp.f(10**30, 5) - 10**30
/// 4
/// >>> chomp.f(5, 5, 4)
/// 7
#[pyfunction]
#[pyo3(
    signature = (q, r, *lower, progress = Progress::Bar),
    text_signature = "(q, r, *lower, progress=True)"
)]
pub fn f(
    py: Python,
    q: Natural,
    r: RowNumber,
    lower: Vec<RowNumber>,
    progress: Progress,
) -> PyResult<Option<Natural>> {
    let tail = tail(r, lower)?;
    let p: Option<BigUint> =
        attend(py, progress, |watch| Ok(Engine::default().value(&q.0, &tail, watch)?.p()))?;
    Ok(p.map(Natural))
}

/// Whether (p, q, r) is a P-position, in which the player who moves next loses. The numbers are row
/// lengths, p >= q >= r, in squares; p and q may be of any size. More rows may follow, the longest
/// first.
///
/// It costs what rows 0 to r cost; with four rows or more, what all rows cost whose lower rows fit
/// into those of the position. `progress` is as for `rows`.
///
/// Raises ValueError for lengths that are no position and for a row that is too large, TypeError
/// for what is no integer, and MemoryError if the rows need more memory than there is.
///
/// >>> import chomp
/// >>> chomp.is_p(7, 4, 3), chomp.is_p(7, 5, 3)
/// (True, False)
/// >>> chomp.is_p(7, 5, 5, 4)
/// True
#[pyfunction]
#[pyo3(
    signature = (p, q, r, *lower, progress = Progress::Bar),
    text_signature = "(p, q, r, *lower, progress=True)"
)]
pub fn is_p(
    py: Python,
    p: Natural,
    q: Natural,
    r: Natural,
    lower: Vec<Natural>,
    progress: Progress,
) -> PyResult<bool> {
    Ok(answer(py, [p, q, r], lower, progress)?.is_p())
}

/// Every bite of (p, q, r) that leaves a P-position: a list of `Bite`, by the row of the board,
/// from the top down. Of three rows there are at most three, one in a row. It is empty if and only
/// if (p, q, r) is a P-position.
///
/// Arguments, cost and errors are those of `is_p`.
///
/// >>> import chomp
/// >>> chomp.winning_bites(2, 2, 2)
/// [<Bite: bottom row, leaves (2,2,1)>]
/// >>> [bite.leaves for bite in chomp.winning_bites(7, 5, 3)]
/// [(5, 5, 3), (7, 4, 3), (7, 5, 2)]
#[pyfunction]
#[pyo3(
    signature = (p, q, r, *lower, progress = Progress::Bar),
    text_signature = "(p, q, r, *lower, progress=True)"
)]
pub fn winning_bites(
    py: Python,
    p: Natural,
    q: Natural,
    r: Natural,
    lower: Vec<Natural>,
    progress: Progress,
) -> PyResult<Vec<PyBite>> {
    let Answer { position, bites, .. } = answer(py, [p, q, r], lower, progress)?;
    let bite = |bite: driver::Bite| PyBite { name: position.name_of_row(bite.row), bite };
    Ok(bites.into_iter().map(bite).collect())
}

fn answer(
    py: Python,
    longest: [Natural; 3],
    lower: Vec<Natural>,
    progress: Progress,
) -> PyResult<Answer> {
    let lengths = longest.into_iter().chain(lower).map(|Natural(length)| length);
    let position =
        Position::finite(lengths).map_err(|error| PyValueError::new_err(error.to_string()))?;
    attend(py, progress, |watch| Ok(Engine::default().answer(&position, watch)?))
}
