//! Why a row has its period.

use cascade::why::Explanation;
use figures::WhyPlot;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::figure::PyFigure;
use crate::natural::RowNumber;
use crate::object::{Pickled, by_question, sourced};
use crate::position::value_error;
use crate::source::Data;
use crate::work::{Progress, attend};

/// Why a row has its period: its hole, the balls of the rows below, and its word
/// (proofs on periods). `print` it for the words of `chomp show --why`.
#[pyclass(name = "Explanation", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyExplanation {
    explanation: Explanation,
    data: Data,
}

#[pymethods]
impl PyExplanation {
    /// The row.
    #[getter]
    fn row(&self) -> u64 {
        self.explanation.row
    }

    /// The least period, in columns.
    #[getter]
    fn period(&self) -> u64 {
        self.explanation.period
    }

    /// The word of the row; None if it could not be read.
    #[getter]
    fn word(&self) -> Option<&str> {
        self.explanation.word.as_deref()
    }

    /// The number of patterns that the word allows; None without a word.
    #[getter]
    fn choices(&self) -> Option<usize> {
        self.explanation.choices
    }

    /// Whether the offsets that follow from the rows below are those of the row.
    #[getter]
    fn is_explained(&self) -> bool {
        self.explanation.doubts.is_empty()
    }

    /// The object of docs/JSON.md, with all that was found, and the source of the rows.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        sourced(py, &self.explanation, self.data.folder())
    }

    /// The row among those just below it, its hole, and the balls.
    ///
    /// Raises ValueError if the row is not explained by balls.
    fn figure(&self) -> PyResult<PyFigure> {
        let plot = WhyPlot::new(self.explanation.clone()).map_err(value_error)?;
        Ok(PyFigure::of(&plot.figure()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let options = PyDict::new(py);
        options.set_item("data", self.data.folder())?;
        options.set_item("progress", false)?;
        by_question(py, "why", (self.explanation.row,), options)
    }

    fn __str__(&self) -> String {
        self.explanation.to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let Explanation { row, period, word, .. } = &self.explanation;
        match word {
            Some(word) => format!("<Explanation: row {row}, period {period}, word {word}>"),
            None => format!("<Explanation: row {row}, period {period}>"),
        }
    }
}

/// Why row r has its period: an `Explanation`, from all rows to it.
///
/// It costs what rows 0 to r cost. `data` and `progress` are as for `query`.
///
/// Raises ValueError if the row is finite, and otherwise what `row` raises.
///
/// >>> import chomp
/// >>> chomp.why(120)
/// <Explanation: row 120, period 2, word 1:A>
#[pyfunction]
#[pyo3(
    signature = (r, *, data = Data::default(), progress = Progress::Bar),
    text_signature = "(r, *, data=None, progress=True)"
)]
pub fn why(py: Python, r: RowNumber, data: Data, progress: Progress) -> PyResult<PyExplanation> {
    let explanation =
        attend(py, progress, |watch| Ok(driver::explain(&*data.open()?, r.0, watch)?))?;
    Ok(PyExplanation { explanation, data })
}
