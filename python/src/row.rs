//! One row.

use driver::{Record, Value, records, value};
use num_bigint::BigUint;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyRange, PySlice, PyTuple, PyType};
use record::{Certificate, Finite, Head, Periodic, Statement};

use crate::column::as_array;
use crate::failure::Failure;
use crate::figure::PyFigure;
use crate::html;
use crate::natural::Natural;
use crate::object::{Pickled, by_state, dictionary};
use crate::position::value_error;
use crate::query::p_of;
use crate::table::installed;

/// One row of three-rowed Chomp: all P-positions (p, q, r) with bottom row r, as a certified
/// record. With more rows, all P-positions with these lower rows.
///
/// A row is its sequence of offsets p - q, for the columns q = r, r + 1, ... All lengths are in
/// squares. A finite row ends in the column `last`, where its offset is 0. A periodic row never
/// ends: from the column `start` on its offsets are `values`, over and over. With four rows or more
/// a row may be empty.
///
/// `row` and `rows` make rows; two with the same record are equal. docs/FORMAT.md says what a
/// record states, and fact 3 of the proofs why a certificate proves it.
#[pyclass(name = "Row", module = "chomp", frozen, eq, hash, from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PyRow(pub Record);

#[pymethods]
impl PyRow {
    /// The length r of the bottom row; with more rows, of the third.
    #[getter]
    fn row(&self) -> u64 {
        self.0.row()
    }

    /// All rows of the board but the two longest: a tuple of integers, (r,), or () for row 0.
    #[getter]
    fn tail<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.key().tail().parts())
    }

    /// The Grundy value of the positions: 0, for they are P-positions. A record that is read may
    /// have another.
    #[getter]
    fn level(&self) -> u64 {
        self.0.key().level
    }

    /// Whether the row ends. Otherwise it is periodic (S. Byrnes, Poset game periodicity, 2003), or
    /// empty.
    #[getter]
    fn is_finite(&self) -> bool {
        self.0.finite().is_some()
    }

    /// The x by which an empty row has no position (fact 12 of the proofs); None of another.
    #[getter]
    fn empty_by(&self) -> Option<u64> {
        match self.0.statement() {
            Statement::Empty { by } => Some(*by),
            Statement::Finite(_) | Statement::Periodic(_) => None,
        }
    }

    /// The diagonal value f(r, r): the length of the top row of the first P-position; None of an
    /// empty row.
    #[getter]
    fn first(&self) -> Option<u64> {
        self.0.first()
    }

    /// The column of the last P-position of a finite row, (last, last, r); None of another.
    #[getter]
    fn last(&self) -> Option<u64> {
        self.0.finite().map(|row| row.last)
    }

    /// The least column from which the offsets repeat; None of a finite row.
    #[getter]
    fn start(&self) -> Option<u64> {
        self.0.periodic().map(|row| row.start)
    }

    /// The least period, in columns; None of a finite row.
    #[getter]
    fn period(&self) -> Option<u64> {
        self.0.periodic().map(Periodic::period)
    }

    /// The offsets of one period, from the column `start` on: a tuple of `period` integers, in
    /// squares. Of a finite row it is empty.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.periodic().map_or(&[][..], |row| &row.values))
    }

    /// The values minus their mean, as on Brouwer's page: a tuple of `period` integers. Of a finite
    /// row it is empty.
    #[getter]
    fn pattern<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.periodic().map_or(vec![], Periodic::pattern))
    }

    /// The mean of the values, an integer (fact 4 of the proofs), in squares; None of a
    /// finite row.
    #[getter]
    fn mean(&self) -> Option<u64> {
        self.0.periodic().map(Periodic::mean)
    }

    /// The proof that the row is periodic; None of a finite row, which was computed to its end.
    #[getter]
    fn certificate(&self) -> Option<PyCertificate> {
        self.0.periodic().map(|row| PyCertificate(row.certificate.clone()))
    }

    /// The offsets before those that repeat: a tuple of integers, in squares, for the columns from
    /// r to `start` - 1, of a finite row to `last`. None if the record has only their fingerprint.
    #[getter]
    fn head<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        match self.0.head() {
            Some(Head::Offsets(offsets)) => PyTuple::new(py, offsets).map(Some),
            Some(Head::Fingerprint(_)) | None => Ok(None),
        }
    }

    /// The fingerprint of the head: 16 hexadecimal digits. None of an empty row.
    #[getter]
    fn fingerprint(&self) -> Option<String> {
        self.0.head().map(|head| format!("{:016x}", head.fingerprint(self.0.row())))
    }

    /// The record: one line of text, as a data set has it (docs/FORMAT.md).
    #[getter]
    fn record(&self) -> String {
        self.0.to_string()
    }

    /// The order ideal that names a row of `family`: a dictionary as in docs/JSON.md; None of
    /// another row. Then numbers are p + `shift`.
    #[getter]
    fn ideal<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.to_dict(py)?.get_item("ideal")
    }

    /// The offset p - q of column q, in squares; None if there is no P-position in that column,
    /// that is for q < r and past the end of a finite row. `row[q]` is the same, and raises
    /// NoValueError there.
    ///
    /// The column may be an integer of any size. Raises ValueError if the record has only a
    /// fingerprint of that offset: `row(r)` and `rows(to, full=True)` have all offsets.
    fn offset(&self, q: Natural) -> PyResult<Option<Natural>> {
        Ok(self.value(&q.0)?.p().map(|p| Natural(p - q.0)))
    }

    /// f(q, r), the only p that makes (p, q, r) a P-position.
    ///
    /// Raises NoValueError if there is none, and otherwise what `offset` raises.
    fn f(&self, py: Python, q: Natural) -> PyResult<Natural> {
        p_of(py, self.value(&q.0)?, &q.0, self.0.key().tail())
    }

    /// `row[q]` is the offset of column q, and `row[120:125]` a tuple of those of several columns.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = q.cast::<PySlice>() {
            return Ok(self.slice(slice)?.into_any());
        }
        let q: Natural = q.extract()?;
        Natural(self.f(py, q.clone())?.0 - q.0).into_pyobject(py)
    }

    /// The number of P-positions. Raises ValueError of a periodic row, which has no end.
    fn __len__(&self) -> PyResult<usize> {
        if self.0.periodic().is_some() {
            let words = format!("{} is periodic, and has no end and no length", self.0.key());
            return Err(PyValueError::new_err(words));
        }
        usize::try_from(self.0.settled().saturating_sub(self.0.row())).map_err(value_error)
    }

    /// Also of a row that has no length.
    #[expect(clippy::unused_self, reason = "Python hands it over")]
    fn __bool__(&self) -> bool {
        true
    }

    /// The offsets of a finite row as an array of NumPy. A periodic row has no end.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _length = self.__len__()?;
        let offsets = PyList::empty(py);
        let mut each = self.__iter__();
        while let Some(offset) = each.__next__()? {
            offsets.append(offset)?;
        }
        as_array(installed(py, "numpy")?.call_method1("array", (offsets, "int64"))?, dtype, copy)
    }

    /// The offsets, from the first column on; those of a periodic row have no end.
    fn __iter__(&self) -> PyOffsets {
        PyOffsets { row: self.clone(), q: self.0.row() }
    }

    /// Columns do not count from 0, and a row may have no end.
    #[classattr]
    #[pyo3(name = "__reversed__")]
    const REVERSED: Option<usize> = None;

    /// A periodic row would be searched without end.
    #[classattr]
    #[pyo3(name = "__contains__")]
    const CONTAINS: Option<usize> = None;

    /// The object of docs/JSON.md: what `chomp show --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.0)
    }

    /// The row as a picture: offset against column, with the lines of Friedman and Landsberg.
    ///
    /// Raises ValueError if the record has only a fingerprint of the head, or is no row of
    /// three-rowed Chomp.
    fn figure(&self) -> PyResult<PyFigure> {
        if !self.0.key().is_three_rowed() {
            let words = format!("figures show rows of three-rowed Chomp, not {}", self.0.key());
            return Err(PyValueError::new_err(words));
        }
        let figure = figures::row_figure(&self.0);
        figure.map(|figure| PyFigure::of(&figure)).map_err(value_error)
    }

    /// The row of a record, which is a line of text (docs/FORMAT.md).
    ///
    /// Raises RefutedError if the record states what no row can be, and OSError if the text is no
    /// record. Whether it is true, only a check of a whole data set can tell.
    #[classmethod]
    fn of_record(_class: &Bound<PyType>, record: &str) -> PyResult<Self> {
        let mut rows = records::read(record).map_err(Failure::from)?;
        match (rows.pop(), rows.is_empty()) {
            (Some(row), true) => Ok(Self(row)),
            _ => Err(PyValueError::new_err("a record is one line of text")),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("of_record")?, (slf.get().record(),)))
    }

    fn __repr__(&self) -> String {
        let what = match self.0.statement() {
            Statement::Empty { by } => format!("empty by {by}"),
            Statement::Finite(Finite { last, .. }) => format!("finite, to column {last}"),
            Statement::Periodic(row) => {
                format!("period {} from column {} on", row.period(), row.start)
            }
        };
        // It is called `row 120` or `tail (3,2)`.
        let name = self.0.key().to_string();
        format!("<Row {}: {what}>", name.trim_start_matches(char::is_alphabetic).trim_start())
    }

    fn __str__(&self) -> String {
        self.record()
    }

    fn _repr_html_(&self) -> String {
        html::row(&self.0)
    }
}

impl PyRow {
    fn value(&self, q: &BigUint) -> PyResult<Value> {
        if self.0.key().ideal().is_some() {
            let words = "rows of order ideals have no offsets here; to_dict() has their records";
            return Err(PyValueError::new_err(words));
        }
        match value(&self.0, q) {
            Err(_) if self.0.key().is_three_rowed() => Err(PyValueError::new_err(format!(
                "row {row} is known here from column {end} on, and by a fingerprint before; \
                 chomp.row({row}) and chomp.rows({row}, full=True) have all its offsets",
                row = self.0.row(),
                end = self.0.settled(),
            ))),
            found => Ok(found.map_err(Failure::from)?),
        }
    }

    /// The offsets of these columns, as `range` counts them.
    fn slice<'py>(&self, slice: &Bound<'py, PySlice>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slice.py();
        let end = self.0.periodic().is_none().then(|| self.0.settled());
        let bound = |name: &str, default: Option<u64>| {
            let bound = slice.getattr(name)?;
            match (bound.is_none(), default) {
                (false, _) => bound.extract::<Natural>()?.into_bound_py_any(py),
                (true, Some(default)) => default.into_bound_py_any(py),
                (true, None) => Err(PyValueError::new_err(format!(
                    "{} is periodic, and has no end; the slice needs one",
                    self.0.key()
                ))),
            }
        };
        let bounds = (bound("start", Some(self.0.row()))?, bound("stop", end)?);
        let step = slice.getattr("step")?;
        let step = if step.is_none() { 1_u64 } else { step.extract()? };
        let columns = py.get_type::<PyRange>().call1((bounds.0, bounds.1, step))?;
        let offsets = columns.try_iter()?.map(|q| self.__getitem__(py, &q?));
        PyTuple::new(py, offsets.collect::<PyResult<Vec<_>>>()?)
    }
}

/// An iterator over the offsets of a row.
#[pyclass(name = "Offsets", module = "chomp")]
#[derive(Debug)]
pub struct PyOffsets {
    row: PyRow,
    q: u64,
}

#[pymethods]
impl PyOffsets {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> PyResult<Option<Natural>> {
        let q = Natural(self.q.into());
        self.q += 1;
        self.row.offset(q)
    }
}

/// The proof that a row is periodic: its state is the same in the columns `from_` and `recurs`,
/// past the point where the rows below have settled, at a distance that `modulus` divides (fact 3
/// of the proofs).
///
/// The state of a column is the set of the offsets that 0, the diagonal and the row's own past
/// block when the column is reached: those less than `filled`, and `above`.
#[pyclass(name = "Certificate", module = "chomp", frozen, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PyCertificate(pub Certificate);

#[pymethods]
impl PyCertificate {
    /// The column in which the state is seen (`from` in records).
    #[getter]
    fn from_(&self) -> u64 {
        self.0.from
    }

    /// The column in which it is seen again.
    #[getter]
    fn recurs(&self) -> u64 {
        self.0.recurs
    }

    /// The least common multiple of the periods of those rows below that can still affect this row.
    #[getter]
    fn modulus(&self) -> u64 {
        self.0.modulus
    }

    /// The least offset that is not in the state, in squares.
    #[getter]
    fn filled(&self) -> u64 {
        self.0.filled
    }

    /// The offsets in the state that are greater: a tuple of integers, ascending, in squares.
    #[getter]
    fn above<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.above)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let Certificate { from, recurs, modulus, filled, above } = slf.get().0.clone();
        by_state(slf, (from, recurs, modulus, filled, above))
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(from: u64, recurs: u64, modulus: u64, filled: u64, above: Vec<u64>) -> Self {
        Self(Certificate { from, recurs, modulus, filled, above })
    }

    fn __repr__(&self) -> String {
        let Certificate { from, recurs, modulus, filled, above } = &self.0;
        format!(
            "<Certificate: from {from}, recurs {recurs}, modulus {modulus}, filled {filled}, above \
             {above:?}>"
        )
    }
}
