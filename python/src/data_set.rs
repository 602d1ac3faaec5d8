//! Data sets on disk.

use std::path::PathBuf;

use driver::{DataSet, Depth, Engine, Target, Task, Verified, records};
use pyo3::prelude::*;

use crate::natural::RowNumber;
use crate::object::{Pickled, by_state};
use crate::rows::form;
use crate::work::{Progress, attend};

/// The verdict of a check of a data set: the proved statement, the assumptions, and the parts that
/// were not checked. Its text is the one of `chomp check`.
#[pyclass(name = "Verdict", module = "chomp", frozen)]
#[derive(Clone, Debug)]
pub struct PyVerdict {
    /// The first row judged. Rows of levels and tails are counted from 0, as the data set has them.
    #[pyo3(get)]
    first: u64,
    /// The last row judged.
    #[pyo3(get)]
    last: u64,
    /// How deep the check went: "tails" or "heads".
    #[pyo3(get)]
    depth: String,
    /// The number of periodic rows judged, each with its certificate.
    #[pyo3(get)]
    certificates: u64,
    /// The proved statement, in words.
    #[pyo3(get)]
    proved: String,
    /// The assumptions, in words; None if there are none.
    #[pyo3(get)]
    assumed: Option<String>,
    /// The parts that were not checked, in words; None if everything was.
    #[pyo3(get)]
    not_checked: Option<String>,
    /// All of it, in words.
    words: String,
    /// The rows judged, in words.
    rows: String,
}

#[pymethods]
impl PyVerdict {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let own = slf.get().clone();
        let numbers = (own.first, own.last, own.certificates);
        by_state(
            slf,
            (numbers, own.depth, own.proved, own.assumed, own.not_checked, own.words, own.rows),
        )
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(
        numbers: (u64, u64, u64),
        depth: String,
        proved: String,
        assumed: Option<String>,
        not_checked: Option<String>,
        words: String,
        rows: String,
    ) -> Self {
        let (first, last, certificates) = numbers;
        Self { first, last, depth, certificates, proved, assumed, not_checked, words, rows }
    }

    fn __str__(&self) -> &str {
        &self.words
    }

    fn __repr__(&self) -> String {
        format!("<Verdict: {} verified, depth {}>", self.rows, self.depth)
    }
}

impl PyVerdict {
    fn of(verified: &Verified) -> Self {
        let Verified { first, last, certificates, depth, family, .. } = verified;
        let rows = format!("rows {first} to {last}");
        Self {
            first: *first,
            last: *last,
            depth: if *depth == Depth::Heads { "heads" } else { "tails" }.to_owned(),
            certificates: *certificates,
            proved: verified.proved(),
            assumed: verified.assumptions(),
            not_checked: verified.not_checked(),
            words: verified.to_string().trim_end().to_owned(),
            rows: family.as_ref().map_or(rows, ToString::to_string),
        }
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
        Ok(PyVerdict::of(&records::verify_data_set(&data_set, &task, watch)?))
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
