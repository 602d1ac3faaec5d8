//! Sequences of rows: computed, read from a data set, or held in memory.

use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use driver::{DataSet, Engine, Error, HeadForm, KeyColumns, Record, RowKey, Source, Watch};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple};
use record::data_set::Contents;

use crate::failure::Failure;
use crate::natural::RowNumber;
use crate::object::{Pickled, by_question, by_state};
use crate::position::{tail, value_error};
use crate::row::PyRow;
use crate::row_iterator::PyRowIterator;
use crate::source::Data;
use crate::table::PyTable;
use crate::work::{Progress, attend};

/// A sequence of rows, each a `Row`: `len(rows)`, `rows[120]`, `rows[100:110]`, and a loop over
/// all.
///
/// Rows that are computed or read from a data set are not kept. Every loop computes or reads them
/// again, from the first one on; `list(rows)` keeps them.
#[pyclass(name = "Rows", module = "chomp", frozen, sequence)]
#[derive(Debug)]
pub struct PyRows {
    rows: Rows,
    progress: Progress,
}

/// Where the rows of a sequence are.
#[derive(Clone, Debug)]
pub enum Rows {
    /// Rows 0 to `last`, computed.
    Computed { last: u64, form: HeadForm },
    /// Rows 0 to `last` of three-rowed Chomp in a data set.
    Read { data_set: Arc<DataSet>, last: u64 },
    /// All rows of a data set.
    All(Arc<DataSet>),
    /// Rows in memory, and what they are in words.
    Held { rows: Arc<[Record]>, form: HeadForm, name: String },
}

impl Rows {
    /// The number of rows.
    pub fn count(&self) -> u64 {
        match self {
            Self::Computed { last, .. } | Self::Read { last, .. } => last.saturating_add(1),
            Self::All(data_set) => data_set.manifest().rows,
            Self::Held { rows, .. } => rows.len() as u64,
        }
    }

    /// The form of their heads.
    pub fn form(&self) -> HeadForm {
        match self {
            Self::Computed { form, .. } | Self::Held { form, .. } => *form,
            Self::Read { data_set, .. } | Self::All(data_set) => data_set.manifest().head,
        }
    }

    /// The columns of a table that say which row a line is about.
    pub fn keys(&self) -> KeyColumns {
        let of_family = |has_ideals: bool| {
            if has_ideals { KeyColumns::LevelAndIdeal } else { KeyColumns::LevelAndTail }
        };
        match self {
            Self::Computed { .. } | Self::Read { .. } => KeyColumns::Row,
            Self::All(data_set) => match &data_set.manifest().contents {
                Contents::Rows => KeyColumns::Row,
                Contents::Family(family) => of_family(family.within().is_none()),
            },
            Self::Held { rows, .. } => {
                of_family(rows.iter().any(|row| row.key().ideal().is_some()))
            }
        }
    }

    /// Visits rows 0 to `last` of the sequence, in order.
    pub fn visit(
        &self,
        last: u64,
        watch: &dyn Watch,
        mut visit: impl FnMut(Record) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        match self {
            Self::Computed { form, .. } => {
                Engine::default().rows(last, *form, watch, &mut |row| visit(row.record))
            }
            Self::Read { data_set, .. } => {
                let form = self.form();
                Source::rows(&**data_set, last, form, watch, &mut |row| visit(row.record))
            }
            Self::All(data_set) => {
                for (_, record) in (0..=last).zip(driver::records::of_data_set(data_set, watch)) {
                    if visit(record?).is_break() {
                        break;
                    }
                }
                Ok(())
            }
            Self::Held { rows, .. } => {
                let number =
                    usize::try_from(last).map_or(usize::MAX, |last| last.saturating_add(1));
                let _ended = rows.iter().take(number).cloned().try_for_each(visit);
                Ok(())
            }
        }
    }

    /// The row of this number, counted from 0.
    fn number(&self, number: u64, watch: &dyn Watch) -> Result<Option<Record>, Error> {
        match self {
            Self::Computed { .. } => {
                let mut found = None;
                self.visit(number, watch, |record| {
                    found = Some(record);
                    ControlFlow::Continue(())
                })?;
                Ok(found)
            }
            Self::Read { data_set, .. } => Ok(data_set.row(&RowKey::of_row(0, number))?),
            Self::All(data_set) => match data_set.family().key(number) {
                Some(key) => Ok(data_set.row(&key)?),
                None => Ok(None),
            },
            Self::Held { rows, .. } => {
                Ok(usize::try_from(number).ok().and_then(|number| rows.get(number)).cloned())
            }
        }
    }

    /// The row with this name.
    fn named(&self, key: &RowKey, watch: &dyn Watch) -> Result<Record, Error> {
        match self {
            Self::Computed { last, .. } if key.is_three_rowed() && key.first_column() <= *last => {
                let found = self.number(key.first_column(), watch)?;
                found.ok_or_else(|| self.lacks(key))
            }
            Self::Computed { .. } => Err(self.lacks(key)),
            Self::Read { data_set, .. } | Self::All(data_set) => {
                Ok(Source::row(&**data_set, key, self.form(), watch)?.record)
            }
            Self::Held { rows, .. } => {
                rows.iter().find(|row| row.key() == key).cloned().ok_or_else(|| self.lacks(key))
            }
        }
    }

    fn lacks(&self, key: &RowKey) -> Error {
        Error::no_such_row(&format!("these are {self}"), key)
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Computed { last, .. } | Self::Read { last, .. } => write!(f, "rows 0 to {last}"),
            Self::All(data_set) => match &data_set.manifest().contents {
                Contents::Rows => write!(f, "rows 0 to {}", data_set.last_row()),
                Contents::Family(family) => family.fmt(f),
            },
            Self::Held { name, .. } => f.write_str(name),
        }
    }
}

#[pymethods]
impl PyRows {
    fn __len__(&self) -> PyResult<usize> {
        usize::try_from(self.rows.count()).map_err(value_error)
    }

    fn __iter__(&self, py: Python) -> PyResult<PyRowIterator> {
        PyRowIterator::begin(py, &self.rows, self.rows.count(), self.progress.clone_ref(py))
    }

    /// `rows[120]` is the row of number 120 in the sequence, in which rows 0, 1, 2, ... of
    /// three-rowed Chomp have their own numbers; `rows[100:110]` is a list of rows.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = self.__len__()?;
        if let Ok(slice) = index.cast::<PySlice>() {
            return Ok(self.slice(py, slice, count)?.into_any());
        }
        let index: isize = index.extract().map_err(|_error| {
            let words = "an index of rows is an integer or a slice; .row(3, 2) takes a tail";
            PyTypeError::new_err(words)
        })?;
        let number =
            if index < 0 { count.checked_add_signed(index) } else { Some(index.unsigned_abs()) };
        let out_of_range =
            || PyIndexError::new_err(format!("index {index} is out of range for {}", self.rows));
        let number = number.filter(|number| *number < count).ok_or_else(out_of_range)?;
        let found = attend(py, self.progress.clone_ref(py), |watch| {
            Ok(self.rows.number(number as u64, watch)?)
        })?;
        Ok(PyRow(found.ok_or_else(out_of_range)?).into_pyobject(py)?.into_any())
    }

    /// The row of a tail, given as for `chomp.row`, and of a level.
    ///
    /// Raises ValueError if there is no such row among these.
    #[pyo3(signature = (*tail, level = 0), text_signature = "($self, *tail, level=0)")]
    fn row(&self, py: Python, tail: &Bound<PyTuple>, level: u64) -> PyResult<PyRow> {
        let key = RowKey::new(level, self::tail(tail)?);
        attend(py, self.progress.clone_ref(py), |watch| Ok(PyRow(self.rows.named(&key, watch)?)))
    }

    /// The rows as a `Table`.
    fn table(&self, py: Python) -> PyResult<PyTable> {
        attend(py, self.progress.clone_ref(py), |watch| PyTable::of(&self.rows, watch))
    }

    /// Rows in memory are pickled; those that are computed or read are computed or read again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let (py, options) = (slf.py(), PyDict::new(slf.py()));
        match &slf.get().rows {
            Rows::Computed { last, form } => {
                options.set_item("full", *form == HeadForm::Offsets)?;
                by_question(py, "rows", (*last,), options)
            }
            Rows::Read { data_set, last } => {
                options.set_item("data", data_set.folder())?;
                by_question(py, "rows", (*last,), options)
            }
            Rows::All(data_set) => by_question(py, "read", (data_set.folder(),), options),
            Rows::Held { rows, form, name } => {
                let rows: Vec<PyRow> = rows.iter().cloned().map(PyRow).collect();
                by_state(slf, (rows, *form == HeadForm::Offsets, name))
            }
        }
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(rows: Vec<PyRow>, full: bool, name: String) -> Self {
        let rows = rows.into_iter().map(|row| row.0).collect();
        Self::of(Rows::Held { rows, form: form(full), name }, Progress::Bar)
    }

    fn __repr__(&self) -> String {
        format!("<Rows: {}>", self.rows)
    }
}

impl PyRows {
    pub fn of(rows: Rows, progress: Progress) -> Self {
        Self { rows, progress }
    }

    fn slice<'py>(
        &self,
        py: Python<'py>,
        slice: &Bound<'py, PySlice>,
        count: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let chosen = slice.indices(isize::try_from(count).map_err(value_error)?)?;
        let numbers: Vec<isize> = (0..chosen.slicelength)
            .scan(chosen.start, |next, _| {
                let number = *next;
                *next += chosen.step;
                Some(number)
            })
            .collect();
        let Some(last) = numbers.iter().max() else { return Ok(PyList::empty(py)) };
        let last = last.unsigned_abs() as u64;
        let first = numbers.iter().min().map_or(0, |first| first.unsigned_abs());
        let visited = attend(py, self.progress.clone_ref(py), |watch| {
            let (mut number, mut visited) = (0, Vec::new());
            self.rows.visit(last, watch, |record| {
                if number >= first {
                    visited.push(record);
                }
                number += 1;
                ControlFlow::Continue(())
            })?;
            Ok(visited)
        })?;
        let rows = numbers.into_iter().map(|number| visited.get(number.unsigned_abs() - first));
        PyList::new(py, rows.flatten().cloned().map(PyRow).collect::<Vec<_>>())
    }
}

/// The form of heads for an argument `full`.
pub fn form(full: bool) -> HeadForm {
    if full { HeadForm::Offsets } else { HeadForm::Fingerprint }
}

/// Rows 0 to `to` of three-rowed Chomp, as a sequence of `Row`: `Rows`. A loop over them yields
/// each row as soon as it is proved.
///
/// Rows have fingerprints of their heads; with `full=True` they have all their offsets, which takes
/// some 40 times as long. Time and memory grow with the square of `to`: rows to 100 000 take a
/// second or two, rows to 1 000 000 some minutes and 4 GB. With `data`, the folder of a data set,
/// rows are read from there, by default all, with the heads that they have.
///
/// A thread computes the rows a few thousand ahead, with the interpreter's lock released. Ctrl-C
/// ends it. `progress` is True for a bar of tqdm, where tqdm is installed and the work takes more
/// than a second; False for none; or a function of two numbers: rows given, and all.
///
/// Raises ValueError if `to` is negative or too large, or if the data set lacks the row; OSError if
/// it cannot be read; and MemoryError, with the first row, if the rows need more memory than there
/// is.
///
/// >>> import chomp
/// >>> rows = chomp.rows(1000)
/// >>> rows, len(rows), rows[120]
/// (<Rows: rows 0 to 1000>, 1001, <Row 120: period 2 from column 170 on>)
#[pyfunction]
#[pyo3(
    signature = (to = None, *, full = false, data = Data::default(), progress = Progress::Bar),
    text_signature = "(to=None, *, full=False, data=None, progress=True)"
)]
pub fn rows(
    py: Python,
    to: Option<RowNumber>,
    full: bool,
    data: Data,
    progress: Progress,
) -> PyResult<PyRows> {
    let to = to.map(|RowNumber(last)| last);
    let Some(folder) = data.folder() else {
        let last = to.ok_or_else(|| PyTypeError::new_err("rows() needs the last row, or data"))?;
        return Ok(PyRows::of(Rows::Computed { last, form: form(full) }, progress));
    };
    if full {
        let words = "full=True is for rows that are computed; a data set has its own heads";
        return Err(PyValueError::new_err(words));
    }
    let data_set = py.detach(|| DataSet::open(folder)).map_err(Failure::from)?;
    let last = to.or(data_set.last()).unwrap_or(0);
    let rows = Rows::Read { data_set: Arc::new(data_set), last };
    Ok(PyRows::of(rows, progress))
}

/// The rows of the data set in a folder, as a sequence of `Row`: `Rows`. It may hold rows of
/// three-rowed Chomp, of levels and tails, or of levels and order ideals. `progress` is as for
/// `rows`.
///
/// Rows are read, not verified: `verify` does that. Raises OSError if the folder is no data set or
/// cannot be read.
#[pyfunction]
#[pyo3(
    signature = (folder, *, progress = Progress::Bar),
    text_signature = "(folder, *, progress=True)"
)]
pub fn read(py: Python, folder: PathBuf, progress: Progress) -> PyResult<PyRows> {
    let data_set = py.detach(|| DataSet::open_any(&folder)).map_err(Failure::from)?;
    Ok(PyRows::of(Rows::All(Arc::new(data_set)), progress))
}

/// Row r with all its offsets and, if it is periodic, its certificate. With more numbers, the row
/// of all P-positions with these rows below the two longest, the longest first; they may also be a
/// tuple or a text.
///
/// It costs what all rows to it cost: for many rows, `rows` is faster by far. With `data`, the
/// folder of a data set, the row is read from there, with the head that it has. `progress` is as
/// for `rows`.
///
/// Raises ValueError if r is negative or too large, or if the data set lacks the row; OSError if it
/// cannot be read; and MemoryError if the rows to it need more memory than there is.
///
/// >>> import chomp
/// >>> row = chomp.row(120)
/// >>> row.period, row.start, row.values
/// (2, 170, (72, 70))
/// >>> row[10**30]
/// 72
/// >>> chomp.row(3, 1)
/// <Row (3,1): empty by 2>
#[pyfunction]
#[pyo3(
    signature = (*tail, data = Data::default(), progress = Progress::Bar),
    text_signature = "(*tail, data=None, progress=True)"
)]
pub fn row(py: Python, tail: &Bound<PyTuple>, data: Data, progress: Progress) -> PyResult<PyRow> {
    let key = RowKey::new(0, self::tail(tail)?);
    let form = HeadForm::Fingerprint;
    attend(py, progress, |watch| Ok(PyRow(data.open()?.row(&key, form, watch)?.record)))
}
