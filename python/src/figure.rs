//! Pictures.

use std::fs;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, Parser};
use figures::Figure;
use figures::subject::{DrawError, Subject, words};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use record::data_set::disturbs_data_set;
use record::joined;

use crate::failure::Failure;
use crate::natural::RowNumber;
use crate::object::{Pickled, by_state};
use crate::position::value_error;
use crate::source::Data;
use crate::work::{Progress, attend};

/// A picture as SVG. A notebook shows it.
#[pyclass(name = "Figure", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyFigure {
    /// The content, in a few words.
    #[pyo3(get)]
    title: String,
    /// The content, its range, and its basis.
    #[pyo3(get)]
    caption: String,
    /// The text of the SVG. It is the same on every machine.
    #[pyo3(get)]
    pub svg: String,
}

impl PyFigure {
    pub fn of(figure: &Figure) -> Self {
        let (title, caption) = (figure.title.clone(), figure.caption.clone());
        Self { title, caption, svg: figure.svg() }
    }
}

#[pymethods]
impl PyFigure {
    /// Writes the SVG to a file. Raises OSError if that fails, or if it is a file of a data set.
    #[expect(clippy::disallowed_methods, reason = "the user names the file, a link or a device")]
    fn save(&self, path: PathBuf) -> PyResult<()> {
        if let Some(why) = disturbs_data_set(&path.canonicalize().unwrap_or_else(|_| path.clone()))
        {
            return Err(PyOSError::new_err(format!("cannot write {}: {why}", path.display())));
        }
        Ok(fs::write(path, &self.svg)?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let Self { title, caption, svg } = slf.get();
        by_state(slf, (title, caption, svg))
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(title: String, caption: String, svg: String) -> Self {
        Self { title, caption, svg }
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn __repr__(&self) -> String {
        format!("<Figure: {}>", self.title)
    }
}

/// The figures, as a program's arguments.
#[derive(Debug, Parser)]
struct Figures {
    #[command(subcommand)]
    subject: Subject,
}

/// The figure with this name and these numbers. Wrong numbers raise ValueError, too few or too many
/// TypeError.
fn subject(name: &str, numbers: &[u64]) -> PyResult<Subject> {
    let read = Figures::try_parse_from(words(name, numbers));
    read.map(|figures| figures.subject).map_err(|error| {
        let text = error.to_string();
        let said = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        match error.kind() {
            ErrorKind::InvalidSubcommand => {
                let names =
                    joined(Figures::command().get_subcommands().map(Command::get_name), ", ");
                PyValueError::new_err(format!("no figure is called '{name}'; there are {names}"))
            }
            ErrorKind::ValueValidation => PyValueError::new_err(said.to_owned()),
            _ => {
                PyTypeError::new_err("the figure has other numbers; help(chomp.figure) lists them")
            }
        }
    })
}

/// Draws a figure, with a caption that says what it rests on.
///
/// | subject | what | numbers |
/// |---|---|---|
/// | "row" | offset against column, and the lines of Friedman and Landsberg | the row |
/// | "sheet" | the P-positions of a row, and what the rows below leave | the row |
/// | "settling" | a periodic row around its start | the row |
/// | "why" | why a row has its period: its hole, and the balls | the row |
/// | "table" | f(q, r), as in Figure 1 of the 2005 paper | the last row; by default 24 |
/// | "periods" | periods, and finite rows, against r | the last row; by default 100 000, or that of `data` |
/// | "strips" | finite and periodic rows by number | the same |
/// | "openings" | the number of winning openings of each rectangle | the longest side; by default 14 |
///
/// Boards, posets and explanations have figures of their own. `data` and `progress` are as for
/// `query`.
///
/// Raises ValueError if there is no such figure, TypeError for numbers that it does not have, and
/// MemoryError if the rows need more memory than there is.
#[pyfunction]
#[pyo3(
    signature = (subject, *numbers, data = Data::default(), progress = Progress::Bar),
    text_signature = "(subject, *numbers, data=None, progress=True)"
)]
pub fn figure(
    py: Python,
    subject: &str,
    numbers: Vec<RowNumber>,
    data: Data,
    progress: Progress,
) -> PyResult<PyFigure> {
    let numbers: Vec<u64> = numbers.into_iter().map(|RowNumber(number)| number).collect();
    let subject = self::subject(subject, &numbers)?;
    let figure = attend(py, progress, |watch| match subject.draw(&*data.open()?, watch) {
        Ok((figure, _)) => Ok(figure),
        Err(DrawError::Rows(error)) => Err(error.into()),
        Err(DrawError::Figure(error)) => Err(Failure(value_error(error))),
    })?;
    Ok(PyFigure::of(&figure))
}
