//! Questions about one position.

use driver::{Answer, Engine, Position};
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::natural::{Natural, RowNumber};
use crate::row::PyRow;
use crate::work::{Progress, attend};

/// Row lengths p, q, r.
type Lengths = (Natural, Natural, Natural);

fn lengths(position: &Position) -> Lengths {
    let [p, q, r] = position.lengths().map(Natural);
    (p, q, r)
}

/// A bite that leaves a P-position, so that whoever takes it wins.
#[pyclass(name = "Bite", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyBite(driver::Bite);

#[pymethods]
impl PyBite {
    /// The row of the board in which a square is bitten: "top", "middle" or "bottom".
    #[getter]
    fn bitten(&self) -> String {
        self.0.bitten.to_string()
    }

    /// The P-position that is left: a tuple (p, q, r) of row lengths, in squares.
    #[getter]
    fn leaves(&self) -> Lengths {
        lengths(&self.0.leaves)
    }

    /// The row that has that P-position: what the answer rests on. It has a fingerprint of its head
    /// or all offsets, whatever the answer needed.
    #[getter]
    fn row(&self) -> PyRow {
        PyRow(self.0.record.clone())
    }

    fn __repr__(&self) -> String {
        format!("<Bite: {} row, leaves {}>", self.0.bitten, self.0.leaves)
    }
}

/// f(q, r), the only p that makes (p, q, r) a P-position; None if there is none, that is for q < r
/// and past the end of a finite row. Lengths are in squares, and q may be of any size.
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
#[pyfunction]
#[pyo3(
    signature = (q, r, *, progress = Progress::Bar),
    text_signature = "(q, r, *, progress=True)"
)]
pub fn f(py: Python, q: Natural, r: RowNumber, progress: Progress) -> PyResult<Option<Natural>> {
    let Natural(q) = q;
    let p: Option<BigUint> =
        attend(py, progress, |watch| Ok(Engine::default().f(&q, r.0, watch)?))?;
    Ok(p.map(Natural))
}

/// Whether (p, q, r) is a P-position, in which the player who moves next loses. The numbers are row
/// lengths, p >= q >= r, in squares; p and q may be of any size.
///
/// It costs what rows 0 to r cost. `progress` is as for `rows`.
///
/// Raises ValueError for lengths that are no position and for a row that is too large, TypeError
/// for what is no integer, and MemoryError if the rows need more memory than there is.
///
/// >>> import chomp
/// >>> chomp.is_p(7, 4, 3), chomp.is_p(7, 5, 3)
/// (True, False)
#[pyfunction]
#[pyo3(
    signature = (p, q, r, *, progress = Progress::Bar),
    text_signature = "(p, q, r, *, progress=True)"
)]
pub fn is_p(py: Python, p: Natural, q: Natural, r: Natural, progress: Progress) -> PyResult<bool> {
    Ok(answer(py, [p, q, r], progress)?.is_p())
}

/// Every bite of (p, q, r) that leaves a P-position: a list of at most three `Bite`, one in a row
/// of the board, from the top down. It is empty if and only if (p, q, r) is a P-position.
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
    signature = (p, q, r, *, progress = Progress::Bar),
    text_signature = "(p, q, r, *, progress=True)"
)]
pub fn winning_bites(
    py: Python,
    p: Natural,
    q: Natural,
    r: Natural,
    progress: Progress,
) -> PyResult<Vec<PyBite>> {
    let answer = answer(py, [p, q, r], progress)?;
    Ok(answer.bites.into_iter().map(PyBite).collect())
}

fn answer(py: Python, lengths: [Natural; 3], progress: Progress) -> PyResult<Answer> {
    let position = Position::from_lengths(lengths.map(|Natural(length)| length))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    attend(py, progress, |watch| Ok(Engine::default().query(&position, watch)?))
}
