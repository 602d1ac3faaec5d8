//! Pictures.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use boards::openings::Openings;
use boards::sieve::Layer;
use driver::{Engine, Family, HeadForm, PositionsRun, Record, RowKey, Source};
use figures::{
    BandsPlot, FamiliesPlot, Figure, FigureError, LevelsPlot, OpeningsPlot, Plot, RenormalizePlot,
    SectionPlot, Sketch, SlicesPlot, WhyPlot,
};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use record::data_set::disturbs_data_set;

use crate::failure::Failure;
use crate::natural::RowNumber;
use crate::source::Data;
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

/// A figure, before its numbers are known.
#[derive(Clone, Copy, Debug)]
enum Subject {
    /// Of rows, with the usual last row.
    Rows(fn(u64) -> Sketch, Option<u64>),
    /// Of the rows of levels.
    Levels(fn(&LevelsPlot) -> Result<Figure, FigureError>),
    Bands,
    Renormalize,
    Why,
    Section,
    Slices,
    Families,
    Openings,
}

impl Subject {
    fn named(name: &str) -> PyResult<Self> {
        const MANY_ROWS: Option<u64> = Some(100_000);
        Ok(match name {
            "row" => Self::Rows(Sketch::row, None),
            "sheet" => Self::Rows(Sketch::sheet, None),
            "settling" => Self::Rows(Sketch::settling, None),
            "table" => Self::Rows(Sketch::table, Some(24)),
            "diagonal" => Self::Rows(Sketch::diagonal, MANY_ROWS),
            "starts" => Self::Rows(Sketch::starts, MANY_ROWS),
            "periods" => Self::Rows(Sketch::periods, MANY_ROWS),
            "strips" => Self::Rows(Sketch::strips, MANY_ROWS),
            "queue" => Self::Rows(Sketch::queue, MANY_ROWS),
            "densities" => Self::Rows(Sketch::densities, MANY_ROWS),
            "levels" => Self::Levels(LevelsPlot::periods),
            "level-starts" => Self::Levels(LevelsPlot::starts),
            "bands" => Self::Bands,
            "renormalize" => Self::Renormalize,
            "why" => Self::Why,
            "section" => Self::Section,
            "slices" => Self::Slices,
            "families" => Self::Families,
            "openings" => Self::Openings,
            other => {
                return Err(PyValueError::new_err(format!(
                    "no figure is called '{other}'; there are row, sheet, settling, table, \
                     diagonal, starts, periods, strips, queue, densities, levels, level-starts, \
                     bands, renormalize, why, section, slices, families and openings"
                )));
            }
        })
    }

    fn draw(
        self,
        numbers: &[u64],
        source: &dyn Source,
        watch: &Attended,
    ) -> Result<Figure, Failure> {
        match (self, numbers) {
            (Self::Rows(sketch, _), &[number]) => of_rows(sketch(number), source, watch),
            (Self::Rows(sketch, Some(usual)), []) => of_rows(sketch(usual), source, watch),
            (Self::Levels(draw), &[highest, last]) => of_levels(draw, highest, last, watch),
            (Self::Levels(draw), []) => of_levels(draw, 6, 1000, watch),
            (Self::Bands, []) => of_bands(&[1000, 10_000, 100_000], source, watch),
            (Self::Bands, rows) => of_bands(rows, source, watch),
            (Self::Renormalize, &[]) => of_sheets(4096, 2, watch),
            (Self::Renormalize, &[last]) => of_sheets(last, 2, watch),
            (Self::Renormalize, &[last, random]) => of_sheets(last, random, watch),
            (Self::Why, &[row]) => {
                let why = driver::explain(source, row, watch)?;
                WhyPlot::new(why).map(|plot| plot.figure()).map_err(Failure::Figure)
            }
            (Self::Section, &[a]) => {
                let a = longest_of_four(a)?;
                let mut plot = SectionPlot::new(a);
                of_four_rows(a, watch, |layer| plot.add(layer))?;
                plot.figure().map_err(Failure::Figure)
            }
            (Self::Slices, [] | [_]) => {
                let to = longest_of_four(numbers.first().copied().unwrap_or(1000))?;
                let mut plot = SlicesPlot::new(to);
                of_four_rows(to, watch, |layer| plot.add(layer))?;
                Ok(plot.figure())
            }
            (Self::Families, [] | [_]) => {
                let to = longest_of_four(numbers.first().copied().unwrap_or(1000))?;
                let (_, counts) = PositionsRun::new(4, to).four_rows(watch)?;
                Ok(FamiliesPlot::of(&counts).figure())
            }
            (Self::Openings, [] | [_]) => {
                let side = longest_side(numbers.first().copied().unwrap_or(14))?;
                let solution = driver::solve_in_parts(side, side, None, watch)?;
                let mut plot = OpeningsPlot::default();
                for found in Openings::up_to(&solution, side) {
                    let number = found.bites.len();
                    plot.add(found.rows, found.columns, number).map_err(Failure::Figure)?;
                }
                Ok(plot.figure())
            }
            _ => Err(Failure::Raised(PyTypeError::new_err(
                "the figure has other numbers; help(chomp.figure) lists them",
            ))),
        }
    }
}

fn of_rows(mut sketch: Sketch, source: &dyn Source, watch: &Attended) -> Result<Figure, Failure> {
    let mut added: Result<(), FigureError> = Ok(());
    if sketch.is_of_one_row() {
        let row = source.row(&RowKey::of_row(0, sketch.last()), sketch.form(), watch)?;
        added = sketch.add(&row.record);
    } else {
        source.rows(sketch.last(), sketch.form(), watch, &mut |row| {
            added = sketch.add(&row.record);
            if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
    }
    added.and_then(|()| sketch.figure()).map_err(Failure::Figure)
}

fn of_levels(
    draw: fn(&LevelsPlot) -> Result<Figure, FigureError>,
    highest: u64,
    last: u64,
    watch: &Attended,
) -> Result<Figure, Failure> {
    let family = Family::three_rowed(highest, last);
    let continued = |_: &Record| ControlFlow::Continue(());
    let rows = Engine::default().family(&family, HeadForm::Fingerprint, watch, continued)?;
    let mut plot = LevelsPlot::default();
    let added = rows.iter().try_for_each(|row| plot.add(row));
    added.and_then(|()| draw(&plot)).map_err(Failure::Figure)
}

fn of_bands(rows: &[u64], source: &dyn Source, watch: &Attended) -> Result<Figure, Failure> {
    if rows.len() > BandsPlot::MOST_ROWS {
        let words = format!("bands are drawn of at most {} rows", BandsPlot::MOST_ROWS);
        return Err(Failure::Raised(PyValueError::new_err(words)));
    }
    let mut plot = BandsPlot::new(rows.iter().copied());
    for &row in rows {
        let row = source.row(&RowKey::of_row(0, row), HeadForm::Offsets, watch)?;
        plot.add(&row.record).map_err(Failure::Figure)?;
    }
    plot.figure().map_err(Failure::Figure)
}

/// The sheets to this row from Chomp's first sheet and from a random one.
fn of_sheets(last: u64, random: u64, watch: &Attended) -> Result<Figure, Failure> {
    let last = u32::try_from(last).ok().filter(|last| (128..=16_384).contains(last));
    let last = last.ok_or_else(|| {
        let words = "sheets under renormalization are drawn to rows from 128 to 16384";
        Failure::Raised(PyValueError::new_err(words))
    })?;
    let sheets = driver::renormalized_beside_random(last, random, watch)?;
    Ok(RenormalizePlot::new(sheets).figure())
}

/// The length of the longest of four rows.
fn longest_of_four(a: u64) -> Result<u16, Failure> {
    u16::try_from(a).ok().filter(|a| (20..=6000).contains(a)).ok_or_else(|| {
        let words = "figures of four rows are drawn from a = 20 to a = 6000";
        Failure::Raised(PyValueError::new_err(words))
    })
}

/// The longest side of rectangles whose openings are drawn.
fn longest_side(side: u64) -> Result<u16, Failure> {
    let most = OpeningsPlot::LONGEST;
    u16::try_from(side).ok().filter(|side| (1..=most).contains(side)).ok_or_else(|| {
        let words = format!("openings are drawn of rectangles with sides from 1 to {most}");
        Failure::Raised(PyValueError::new_err(words))
    })
}

fn of_four_rows(
    to: u16,
    watch: &Attended,
    mut visit: impl FnMut(&Layer),
) -> Result<(), Failure> {
    PositionsRun::new(4, to).find(watch, |layer: Layer| {
        visit(&layer);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Draws a figure, with a caption that says what it rests on.
///
/// | subject | what | numbers |
/// |---|---|---|
/// | "row" | offset against column, and the lines of Friedman and Landsberg | the row |
/// | "sheet" | the P-positions of a row, and what the rows below leave | the row |
/// | "settling" | a periodic row around its start | the row |
/// | "why" | why a row has its period: its hole, and the balls | the row |
/// | "bands" | distances of P-positions from two lines | rows; by default 1000, 10 000, 100 000 |
/// | "renormalize" | the map of Friedman and Landsberg, iterated | the last row, and which random sheet it begins with; by default 4096, 2 |
/// | "table" | f(q, r), as in Figure 1 of the 2005 paper | the last row; by default 24 |
/// | "diagonal" | the diagonal values f(n, n) minus α·n | the last row; by default 100 000 |
/// | "starts" | start - √2·r | the last row; by default 100 000 |
/// | "periods" | periods, and finite rows, against r | the last row; by default 100 000 |
/// | "strips", "queue", "densities" | finite and periodic rows by number | the same |
/// | "levels", "level-starts" | kinds, and starts, of the rows of levels | the highest level and the last row; by default 6, 1000 |
/// | "section" | P-positions (a,b,c,d) of four rows in the plane of b and c | a |
/// | "slices", "families" | P-positions of four rows by their ratios | the largest a; by default 1000 |
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
    let subject = Subject::named(subject)?;
    let numbers: Vec<u64> = numbers.into_iter().map(|RowNumber(number)| number).collect();
    let figure = attend(py, progress, |watch| subject.draw(&numbers, &*data.open()?, watch))?;
    Ok(PyFigure::of(&figure))
}
