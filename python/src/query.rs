//! Who wins a position, and f(q,t).

use std::path::{Path, PathBuf};

use ask::value_object;
use driver::{Answer, Basis, Bite, Square, Theorem, Value, with_length};
use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::bite::{PyBite, columns};
use crate::failure::NoValueError;
use crate::natural::Natural;
use crate::object::{Pickled, by_state, dictionary, sourced};
use crate::position::{Lengths, position, tail, value_error};
use crate::row::PyRow;
use crate::source::Data;
use crate::work::{Progress, attend};

/// The answer about a position: who wins, by which bites, and the record that it rests on.
///
/// The attributes have the names and the meaning that `chomp query --json` has (docs/JSON.md).
#[pyclass(name = "Answer", module = "chomp", frozen, subclass)]
#[derive(Debug)]
pub struct PyAnswer {
    pub answer: Answer,
    /// The folder from which its rows were read.
    pub folder: Option<PathBuf>,
}

#[pymethods]
impl PyAnswer {
    /// The row lengths: a tuple of integers, where ω is `math.inf`.
    #[getter]
    fn position(&self) -> Lengths {
        Lengths(self.answer.position.clone())
    }

    /// Zeilberger's numbers of columns of three squares, of two and of one: a tuple. None for a
    /// position with more rows, or an infinite one.
    #[getter]
    fn cab(&self) -> Option<(Natural, Natural, Natural)> {
        columns(&self.answer.position)
    }

    /// "P" if the player who moves next loses, or "N".
    #[getter]
    fn outcome(&self) -> char {
        if self.answer.is_p() { 'P' } else { 'N' }
    }

    /// Every bite that leaves a P-position: a list of `Bite`, by the row of the board, from the top
    /// down. Of three rows there are at most three, one in a row. It is empty if the position is P,
    /// and where a theorem says who wins without a bite: then `all_bites` is False.
    #[getter]
    fn winning_bites(&self) -> Vec<PyBite> {
        let has_cab = self.cab().is_some();
        self.answer.bites.iter().map(|bite| PyBite::winning(bite, has_cab)).collect()
    }

    /// Whether `winning_bites` has all bites that win.
    #[getter]
    fn all_bites(&self) -> bool {
        self.answer.has_all_bites()
    }

    /// The theorem by which the position is answered, with its place in the proofs; None if it is
    /// answered by records or a search alone.
    #[getter]
    fn theorem(&self) -> Option<String> {
        self.answer.theorem().map(|theorem| theorem.to_string())
    }

    /// The number of turns that are left with best play: the player who wins hurries, the other one
    /// delays, and the last turn takes the poison. None if it takes more than a hundredth of a
    /// second; with `all_bites`, more than ten seconds or 1 GB.
    #[getter]
    fn length(&self) -> Option<u16> {
        self.answer.length
    }

    /// The row of the position; None if the answer rests on a theorem, on the transposed position,
    /// or on all positions of a rectangle, which may take less time.
    #[getter]
    fn record(&self) -> Option<PyRow> {
        self.answer.record().cloned().map(PyRow)
    }

    /// The object of docs/JSON.md: what `chomp query --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        sourced(py, &self.answer, self.folder.as_deref())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let Self { answer: Answer { position, bites, basis, length }, folder } = slf.get();
        let bites = bites.iter().map(|Bite { square, leaves, record }| {
            let square = (square.row, Natural(square.column.clone()));
            (square, leaves.as_board(), record.clone().map(PyRow))
        });
        let bites: Vec<PickledBite> = bites.collect();
        let (record, rectangle) = match basis {
            Basis::Rows(record) => (Some(PyRow((**record).clone())), None),
            Basis::Rectangle { rows, columns } => (None, Some((*rows, *columns))),
            Basis::Columns | Basis::Theorem(_) => (None, None),
        };
        let theorem = slf.get().answer.theorem().map(|theorem| theorem.to_string());
        let folder = folder.clone();
        by_state(slf, (position.as_board(), bites, record, rectangle, theorem, *length, folder))
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(
        position: &str,
        bites: Vec<PickledBite>,
        record: Option<PyRow>,
        rectangle: Option<(u16, u16)>,
        theorem: Option<String>,
        length: Option<u16>,
        folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let bites = bites.into_iter().map(|((row, column), leaves, record)| {
            let (square, leaves) = (Square { row, column: column.0 }, leaves.parse());
            let record = record.map(|row| row.0);
            Ok(Bite { square, leaves: leaves.map_err(value_error)?, record })
        });
        let named = |text: &String| Theorem::ALL.into_iter().find(|it| it.to_string() == *text);
        let basis = match (record, rectangle, theorem.as_ref().and_then(named)) {
            (Some(PyRow(record)), _, _) => Basis::Rows(Box::new(record)),
            (_, Some((rows, columns)), _) => Basis::Rectangle { rows, columns },
            (_, _, Some(theorem)) => Basis::Theorem(theorem),
            _ => Basis::Columns,
        };
        let (position, bites) = (position.parse().map_err(value_error)?, bites);
        let bites = bites.collect::<PyResult<_>>()?;
        let answer = Answer { position, bites, basis, length };
        Ok(Self { answer, folder })
    }

    fn __repr__(slf: &Bound<Self>) -> PyResult<String> {
        let (name, own) = (slf.get_type().name()?, slf.get());
        let (position, outcome) = (&own.answer.position, own.outcome());
        let bites = match own.answer.bites.len() {
            0 if !own.answer.has_all_bites() => "winning bites not computed".to_owned(),
            1 => "1 winning bite".to_owned(),
            number => format!("{number} winning bites"),
        };
        Ok(format!("<{name}: {position} is {outcome}, {bites}>"))
    }
}

/// A bite of a pickled answer: its square, the row lengths that it leaves, and their record.
type PickledBite = ((usize, Natural), String, Option<PyRow>);

/// Who wins a position, and by which bites: an `Answer`.
///
/// A position is row lengths in squares, in either direction, as numbers, as a tuple or another
/// iterable, or as text in any notation of docs/GUIDE.md: `query(7, 5, 3)`, `query((7, 5, 3))`,
/// `query("[3,2,2]")` in Zeilberger's numbers of columns, `query("3x7")`. It may have any number of
/// rows. The two longest may be of any size, or infinite: `math.inf`, in a text `ω`.
///
/// It costs what the rows to the third row length cost; with four rows or more, what all rows cost
/// whose lower rows fit into those of the position. If that is more than a second, and the
/// transposed position or all positions of the rectangle cost less, they are used. With `data`, the
/// folder of a data set, rows are read from there; if that has only fingerprints of the offsets
/// that decide the answer, rows are computed. `progress` is as for `rows`.
///
/// If all bites that win would take more than ten seconds or 1 GB, and a theorem says who wins
/// (fact 14 of the proofs), as of every rectangle, the answer has the bites that the theorem names.
/// With `all_bites` it has all of them.
///
/// Raises ValueError for lengths that are no position, for a row that is too large or that the data
/// set lacks, TypeError for what is no number, MemoryError if the rows need more memory than there
/// is, and OSError if the data set cannot be read.
///
/// >>> import chomp
/// >>> answer = chomp.query(7, 5, 3)
/// >>> answer
/// <Answer: (7,5,3) is N, 3 winning bites>
/// >>> answer.winning_bites[0]
/// <Bite: row 1, column 6, leaves (5,5,3), value 0>
/// >>> chomp.query("[4557]").outcome
/// 'P'
#[pyfunction]
#[pyo3(
    signature = (*position, data = Data::default(), all_bites = false, progress = Progress::Bar),
    text_signature = "(*position, data=None, all_bites=False, progress=True)"
)]
pub fn query(
    py: Python,
    position: &Bound<PyTuple>,
    data: Data,
    all_bites: bool,
    progress: Progress,
) -> PyResult<PyAnswer> {
    let position = self::position(position)?;
    attend(py, progress, |watch| {
        let source = data.open()?;
        let answer = if all_bites {
            source.answer_with_all_bites(&position, watch)?
        } else {
            source.answer(&position, watch)?
        };
        let answer = with_length(answer, all_bites, watch)?;
        let folder = source.folder_of(&answer).map(Path::to_owned);
        Ok(PyAnswer { answer, folder })
    })
}

/// Whether a position is a P-position, in which the player who moves next loses.
///
/// Arguments, cost and errors are those of `query`.
///
/// >>> import chomp
/// >>> chomp.is_p(7, 4, 3), chomp.is_p(7, 5, 3)
/// (True, False)
/// >>> chomp.is_p((7, 5, 5, 4)), chomp.is_p("7,5,5,4")
/// (True, True)
#[pyfunction]
#[pyo3(
    signature = (*position, data = Data::default(), progress = Progress::Bar),
    text_signature = "(*position, data=None, progress=True)"
)]
pub fn is_p(
    py: Python,
    position: &Bound<PyTuple>,
    data: Data,
    progress: Progress,
) -> PyResult<bool> {
    Ok(query(py, position, data, false, progress)?.answer.is_p())
}

/// Every bite that leaves a P-position, whatever it costs: the `winning_bites` of `query` with
/// `all_bites`.
///
/// The other arguments, the cost and errors are those of `query`.
///
/// >>> import chomp
/// >>> chomp.winning_bites(2, 2, 2)
/// [<Bite: row 3, column 2, leaves (2,2,1), value 0>]
/// >>> [bite.leaves for bite in chomp.winning_bites(7, 5, 3)]
/// [(5, 5, 3), (7, 4, 3), (7, 5, 2)]
#[pyfunction]
#[pyo3(
    signature = (*position, data = Data::default(), progress = Progress::Bar),
    text_signature = "(*position, data=None, progress=True)"
)]
pub fn winning_bites(
    py: Python,
    position: &Bound<PyTuple>,
    data: Data,
    progress: Progress,
) -> PyResult<Vec<PyBite>> {
    Ok(query(py, position, data, true, progress)?.winning_bites())
}

/// f(q, r), the only p that makes (p, q, r) a P-position. Lengths are in squares, and q may be of
/// any size. With more rows, f(q, r, s, ...) is the only p that makes (p, q, r, s, ...) one; the
/// lower rows may also be a tuple or a text.
///
/// It costs what rows 0 to r cost; `row(r).f(q)` answers many questions about one row. `data` and
/// `progress` are as for `query`.
///
/// Raises NoValueError if there is no p, that is for q < r, past the end of a finite row and for an
/// empty row, and otherwise what `query` raises.
///
/// Source: A. E. Brouwer and others, On three-rowed Chomp, Integers 5 (2005) G07.
///
/// >>> import chomp
/// >>> chomp.f(6, 5), chomp.f(5, 5, 4)
/// (9, 7)
/// >>> chomp.f(10**30, 5) - 10**30
/// 4
/// >>> chomp.f(8, 4)
/// Traceback (most recent call last):
///   ...
/// chomp.NoValueError: no p makes (p,8,4) a P-position: row 4 ends with (7,7,4)
#[pyfunction]
#[pyo3(
    signature = (q, *tail, data = Data::default(), progress = Progress::Bar),
    text_signature = "(q, *tail, data=None, progress=True)"
)]
pub fn f(
    py: Python,
    q: Natural,
    tail: &Bound<PyTuple>,
    data: Data,
    progress: Progress,
) -> PyResult<Natural> {
    let tail = self::tail(tail)?;
    let value = attend(py, progress, |watch| Ok(data.open()?.value(&q.0, &tail, watch)?))?;
    p_of(py, value, &q.0, &tail)
}

/// The p of a value, or the exception that says why there is none.
pub fn p_of(py: Python, value: Value, q: &BigUint, tail: &driver::Tail) -> PyResult<Natural> {
    let object = dictionary(py, &value_object(&value, q, tail))?;
    match (value.why_none(q, tail), value.p()) {
        (None, Some(p)) => Ok(Natural(p)),
        (why, _) => {
            let error = NoValueError::new_err(why);
            error.value(py).setattr("none", object.get_item("none")?)?;
            Err(error)
        }
    }
}
