//! Rows of levels, of tails and of order ideals, computed and held in memory.

use std::ops::ControlFlow;

use driver::{Engine, Family, Tail};
use posets::{PosetError, growing};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use record::GrowingPoset;

use crate::natural::RowNumber;
use crate::position::value_error;
use crate::rows::{PyRows, Rows, form};
use crate::work::{Progress, attend};

/// Rows 0 to `to` of levels 0 to `highest`, as a sequence of `Row`: `Rows`. Level g is the set of
/// the positions (p, q, r) with Grundy value g; level 0 is the P-positions.
///
/// All rows are computed at once, and kept: their time grows with the cube of `to`, and levels 0 to
/// 6 of rows to 400 take seconds. `full` and `progress` are as for `rows`. `.table()` has all of
/// them, and `.row(10, level=3)` one.
///
/// Raises ValueError for rows that are too many, IncompleteError if one was not proved, and
/// MemoryError if they need more memory than there is.
///
/// >>> import chomp
/// >>> rows = chomp.levels(3, 20)
/// >>> rows, len(rows), rows.row(10, level=3)
/// (<Rows: levels 0 to 3, rows 0 to 20>, 84, <Row 10 of level 3: finite, to column 15>)
#[pyfunction]
#[pyo3(
    signature = (highest, to, *, full = false, progress = Progress::Bar),
    text_signature = "(highest, to, *, full=False, progress=True)"
)]
pub fn levels(
    py: Python,
    highest: u64,
    to: RowNumber,
    full: bool,
    progress: Progress,
) -> PyResult<PyRows> {
    computed(py, &Family::three_rowed(highest, to.0), full, progress)
}

/// All rows with tails within this one, of levels 0 to `level`, as a sequence of `Row`: `Rows`. A
/// tail is all rows of a board but the two longest. It is given as for `row`.
///
/// All rows are computed at once, and kept. `full` and `progress` are as for `rows`. Raises what
/// `levels` raises, and ValueError for what is no tail.
///
/// >>> import chomp
/// >>> rows = chomp.tail(5, 4)
/// >>> rows, len(rows), rows.row(3, 1)
/// (<Rows: level 0, tails within (5,4)>, 20, <Row (3,1): empty by 2>)
#[pyfunction]
#[pyo3(
    signature = (*tail, level = 0, full = false, progress = Progress::Bar),
    text_signature = "(*tail, level=0, full=False, progress=True)"
)]
pub fn tail(
    py: Python,
    tail: &Bound<PyTuple>,
    level: u64,
    full: bool,
    progress: Progress,
) -> PyResult<PyRows> {
    let within: Tail = crate::position::tail(tail)?;
    computed(py, &Family::of_tails(level, within), full, progress)
}

/// The rows of a finite poset beside two growing chains, of levels 0 to `level`, as a sequence of
/// `Row`: `Rows`. Each order ideal of the poset is a row (fact 13 of the proofs).
///
/// `poset` is a name, as `chomp family` lists them, a text with one relation a line, as `chomp
/// family --help` says, or a `pathlib.Path` of a file with such a text.
///
/// All rows are computed at once, and kept. `full` and `progress` are as for `rows`. Raises what
/// `levels` raises, and ValueError for a text that is no poset.
///
/// >>> import chomp
/// >>> rows = chomp.family("beside boolean 2")
/// >>> rows.table().columns[:4]
/// ['level', 'ideal', 'begins', 'column']
#[pyfunction]
#[pyo3(
    signature = (poset, *, level = 0, full = false, progress = Progress::Bar),
    text_signature = "(poset, *, level=0, full=False, progress=True)"
)]
pub fn family(
    py: Python,
    poset: &Bound<PyAny>,
    level: u64,
    full: bool,
    progress: Progress,
) -> PyResult<PyRows> {
    let poset: GrowingPoset = text(poset)?.parse().map_err(value_error)?;
    let family = Family::of_poset(level, poset).map_err(value_error)?;
    computed(py, &family, full, progress)
}

/// The description of a poset: that of its name, the text itself, or that of a file.
fn text(poset: &Bound<PyAny>) -> PyResult<String> {
    if poset.hasattr("read_text")? {
        return poset.call_method0("read_text")?.extract();
    }
    let text: String = poset.extract()?;
    match growing(&text) {
        Ok(lines) => Ok(lines),
        Err(PosetError::Name { .. }) if text.contains(['<', '\n']) => Ok(text),
        Err(PosetError::Name { name, .. }) => Err(PyValueError::new_err(format!(
            "there is no family {name:?}; chomp family lists them, and a pathlib.Path names a file"
        ))),
        Err(error) => Err(value_error(error)),
    }
}

fn computed(py: Python, family: &Family, full: bool, progress: Progress) -> PyResult<PyRows> {
    let (form, shown) = (form(full), progress.clone_ref(py));
    let rows = attend(py, progress, |watch| {
        Ok(Engine::default().family(family, form, watch, |_| ControlFlow::Continue(()))?)
    })?;
    Ok(PyRows::of(Rows::Held { rows: rows.into(), form, name: family.to_string() }, shown))
}
