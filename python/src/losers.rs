//! Two-rowed Chomp with instant winners.

use ask::losers_object;
use driver::{Losers, SetSequence};
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::failure::Failure;
use crate::natural::Natural;
use crate::object::{Pickled, by_question, dictionary};
use crate::position::value_error;
use crate::row::PyCertificate;

/// The P-positions of two-rowed Chomp with instant winners: for each a at most one b, `losers[a]`.
#[pyclass(name = "Losers", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyLosers {
    instant_winners: SetSequence,
    losers: Losers,
}

#[pymethods]
impl PyLosers {
    /// The b before those that repeat, or all if the sequence ends: a tuple of integers.
    #[getter]
    fn head<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.losers.members().head())
    }

    /// The b of one period: a tuple of integers. It is empty if the sequence ends.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let periodic = self.losers.members().periodic();
        PyTuple::new(py, periodic.map_or(&[][..], |sequence| sequence.cycle()))
    }

    /// The proof that they repeat: two equal states (fact 3); None if the sequence ends.
    #[getter]
    fn certificate(&self) -> Option<PyCertificate> {
        self.losers.proof().map(|proof| PyCertificate(proof.certificate.clone()))
    }

    /// The object of docs/JSON.md: what `chomp losers --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &losers_object(&self.instant_winners, &self.losers))
    }

    fn __getitem__(&self, a: Natural) -> PyResult<u64> {
        self.losers.get(&a.0).ok_or_else(|| {
            let last = self.losers.members().head().len().saturating_sub(1);
            PyLookupError::new_err(format!("the last loser is [{last},0], before a = {}", a.0))
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        by_question(py, "losers", (self.instant_winners.to_string(),), PyDict::new(py))
    }

    fn __repr__(&self) -> String {
        format!("<Losers: {}>", self.losers)
    }
}

/// The P-positions of two-rowed Chomp with instant winners, as in the macro Losers of Zeilberger's
/// paper, with a proof: `Losers`.
///
/// The instant winners are a text such as `[{0,1,2,3},{0,1,5}][{0,1}]^oo`: for each a the set of
/// the b for which a columns of two squares and b of one win at once. The last brackets repeat.
///
/// Raises ValueError for a text that is no sequence of sets, and IncompleteError if the losers were
/// not proved.
///
/// >>> import chomp
/// >>> losers = chomp.losers("[{0,1,2,3},{0,1,5}][{0,1}]^oo")
/// >>> losers.head, losers.values, losers[10**30]
/// ((4, 2), (3,), 3)
#[pyfunction]
pub fn losers(py: Python, instant_winners: &str) -> PyResult<PyLosers> {
    let instant_winners: SetSequence = instant_winners.parse().map_err(value_error)?;
    let losers = py.detach(|| driver::losers(&instant_winners)).map_err(Failure::from)?;
    Ok(PyLosers { instant_winners, losers })
}
