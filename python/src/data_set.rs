//! Data sets on disk.

use std::path::PathBuf;

use driver::{DataSet, Depth, Engine, Target, Task, Verified, records};
use pyo3::prelude::*;

use crate::natural::RowNumber;
use crate::rows::form;
use crate::work::{Progress, attend};

/// The verdict of a check of a data set: the proved statement, the assumptions, and the parts that
/// were not checked. Its text is the one of `chomp check`.
#[pyclass(name = "Verdict", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyVerdict(Verified);

#[pymethods]
impl PyVerdict {
    /// The first row judged. Rows of levels and tails are counted from 0, as the data set has them.
    #[getter]
    fn first(&self) -> u64 {
        self.0.first
    }

    /// The last row judged.
    #[getter]
    fn last(&self) -> u64 {
        self.0.last
    }

    /// How deep the check went: "tails" or "heads".
    #[getter]
    fn depth(&self) -> &'static str {
        match self.0.depth {
            Depth::Tails => "tails",
            Depth::Heads => "heads",
        }
    }

    /// The number of periodic rows judged, each with its certificate.
    #[getter]
    fn certificates(&self) -> u64 {
        self.0.certificates
    }

    /// The proved statement, in words.
    #[getter]
    fn proved(&self) -> String {
        self.0.proved()
    }

    /// The assumptions, in words; None if there are none.
    #[getter]
    fn assumed(&self) -> Option<String> {
        self.0.assumptions()
    }

    /// The parts that were not checked, in words; None if everything was.
    #[getter]
    fn not_checked(&self) -> Option<String> {
        self.0.not_checked()
    }

    fn __str__(&self) -> String {
        self.0.to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let Verified { first, last, family, .. } = &self.0;
        let rows =
            family.as_ref().map_or_else(|| format!("rows {first} to {last}"), ToString::to_string);
        format!("<Verdict: {rows} verified, depth {}>", self.depth())
    }
}

/// Verifies the data set in a folder, of rows or of levels and tails, by a checker that knows no
/// engine.
///
/// With `heads=True` it computes every pre-period again, column by column, and nothing is assumed.
/// That takes half a second for rows 0 to 10 000, and an hour for rows 0 to 1 000 000. With
/// `heads=False` it verifies the certificates alone, in a fraction of that time, and the verdict
/// names the assumptions. `rows=(a, b)` judges rows a to b only. `progress` is as for `rows`; it
/// counts columns.
///
/// Raises RefutedError if a record is wrong, IncompleteError if one would take the check too far,
/// OSError if the folder is no data set or cannot be read, and ValueError for rows that it does not
/// hold.
#[pyfunction]
#[pyo3(
    signature = (folder, heads = true, *, rows = None, progress = Progress::Bar),
    text_signature = "(folder, heads=True, *, rows=None, progress=True)"
)]
pub fn verify(
    py: Python,
    folder: PathBuf,
    heads: bool,
    rows: Option<(RowNumber, RowNumber)>,
    progress: Progress,
) -> PyResult<PyVerdict> {
    let rows = rows.map(|(RowNumber(first), RowNumber(last))| (first, last));
    let task = Task { heads, rows, ..Task::default() };
    attend(py, progress, |watch| {
        let data_set = DataSet::open(&folder)?;
        Ok(PyVerdict(records::verify_data_set(&data_set, &task, watch)?))
    })
}

/// Computes rows 0 to `to`, certifies them and writes them to a folder as a data set: text, one
/// record per line (docs/FORMAT.md). With `full=True` records list all offsets.
///
/// A smaller data set in the folder is extended, and an interrupted run is resumed: Ctrl-C keeps
/// the rows that are done. `progress` is as for `rows`.
///
/// Raises ValueError and MemoryError as `rows`, and OSError if the folder holds other things or
/// cannot be written.
#[pyfunction]
#[pyo3(
    signature = (folder, to, *, full = false, progress = Progress::Bar),
    text_signature = "(folder, to, *, full=False, progress=True)"
)]
pub fn write(
    py: Python,
    folder: PathBuf,
    to: RowNumber,
    full: bool,
    progress: Progress,
) -> PyResult<()> {
    let target = Target { form: form(full), ..Target::new(folder, to.0) };
    attend(py, progress, |watch| {
        Engine::default().write(&target, watch)?;
        Ok(())
    })
}
