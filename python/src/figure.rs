//! Pictures.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use driver::Engine;
use figures::{Figure, FigureError, Sketch};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use record::data_set::disturbs_data_set;

use crate::failure::Failure;
use crate::natural::RowNumber;
use crate::work::{Attended, Progress, attend};

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
        let (title, caption) = (figure.title().to_owned(), figure.caption().to_owned());
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

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn __repr__(&self) -> String {
        format!("<Figure: {}>", self.title)
    }
}

/// The figure of this number.
#[derive(Clone, Copy, Debug)]
pub struct Subject(fn(u64) -> Sketch);

impl<'py> FromPyObject<'_, 'py> for Subject {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(match object.extract::<&str>()? {
            "row" => Sketch::row,
            "sheet" => Sketch::sheet,
            "settling" => Sketch::settling,
            "table" => Sketch::table,
            "diagonal" => Sketch::diagonal,
            "starts" => Sketch::starts,
            "periods" => Sketch::periods,
            other => {
                return Err(PyValueError::new_err(format!(
                    "no figure is called '{other}'; there are row, sheet, settling, table, \
                     diagonal, starts and periods"
                )));
            }
        }))
    }
}

impl Subject {
    fn draw(self, number: u64, watch: &Attended) -> Result<Figure, Failure> {
        let (engine, mut sketch) = (Engine::default(), (self.0)(number));
        let mut added: Result<(), FigureError> = Ok(());
        if sketch.is_of_one_row() {
            let row = engine.row_in_full(number, watch)?;
            added = sketch.add(&row.record);
        } else {
            engine.rows(number, sketch.form(), watch, |row| {
                added = sketch.add(&row.record);
                if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
        }
        added.and_then(|()| sketch.figure()).map_err(Failure::Figure)
    }
}

/// Draws a figure, with a caption that says what it rests on.
///
/// | subject | what | number |
/// |---|---|---|
/// | "row" | offset against column, and the lines of Friedman and Landsberg | the row |
/// | "sheet" | the P-positions of a row, and what the rows below leave | the row |
/// | "settling" | a periodic row around its start | the row |
/// | "table" | f(q, r), as in Figure 1 of the 2005 paper of Brouwer and others | the last row |
/// | "diagonal" | the diagonal values f(n, n) minus α·n | the last row |
/// | "starts" | start - √2·r | the last row |
/// | "periods" | periods, and finite rows, against r | the last row |
///
/// Raises ValueError if there is no such figure, and MemoryError if the rows need more memory than
/// there is.
#[pyfunction]
#[pyo3(
    signature = (subject, number, *, progress = Progress::Bar),
    text_signature = "(subject, number, *, progress=True)"
)]
pub fn figure(
    py: Python,
    subject: Subject,
    number: RowNumber,
    progress: Progress,
) -> PyResult<PyFigure> {
    let figure = attend(py, progress, |watch| subject.draw(number.0, watch))?;
    Ok(PyFigure::of(&figure))
}
