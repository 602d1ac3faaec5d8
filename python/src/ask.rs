//! The questions of the table, by their names.

use ::ask::Question;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::object::object;
use crate::position::value_error;
use crate::work::{Progress, attend};

/// The answer to a question of `chomp help json`, as `--json` prints it in the terminal.
///
/// question: its name: ends, f, grundy, losers, moves or why.
/// arguments: those of the command that asks it; a position or a row and column is a text.
/// progress: whether to show progress, or a function that is told of it.
///
/// A field of the answer is None if there is nothing to answer with. Raises ValueError if there is
/// no such question, or if it lacks an argument; other errors are those of chomp.query.
///
/// >>> import chomp
/// >>> chomp.ask("ends", row=3)["last"]
/// 5
/// >>> chomp.ask("f", position="10 5")["p"]
/// '14'
#[pyfunction]
#[pyo3(
    signature = (question, *, progress = Progress::Bar, **arguments),
    text_signature = "(question, *, progress=True, **arguments)"
)]
pub fn ask<'py>(
    py: Python<'py>,
    question: &str,
    progress: Progress,
    arguments: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = PyDict::new(py);
    asked.set_item("ask", question)?;
    arguments.map_or(Ok(()), |arguments| asked.update(arguments.as_mapping()))?;
    let options = PyDict::new(py);
    // Paths are texts.
    options.set_item("default", py.get_type::<pyo3::types::PyString>())?;
    let text: String =
        py.import("json")?.call_method("dumps", (asked,), Some(&options))?.extract()?;
    let question = Question::read(&text).map_err(value_error)?;
    let told = attend(py, progress, |watch| Ok(question.ask(watch)?))?;
    object(py, &told.object)
}
