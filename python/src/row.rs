//! One row.

use driver::{Record, records, value};
use figures::{Plot, RowPlot};
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use record::{Certificate, Finite, Head, Periodic, Statement};

use crate::failure::Failure;
use crate::figure::PyFigure;
use crate::html;
use crate::natural::Natural;

/// One row of three-rowed Chomp: all P-positions (p, q, r) with bottom row r, as a certified
/// record. With more rows, all P-positions with these lower rows.
///
/// A row is its sequence of offsets p - q, for the columns q = r, r + 1, ... All lengths are in
/// squares. A finite row ends in the column `last`, where its offset is 0. A periodic row never
/// ends: from the column `start` on its offsets are `values`, over and over. With four rows or more
/// a row may be empty.
///
/// `row` and `rows` make rows; two with the same record are equal. docs/FORMAT.md says what a
/// record states, and fact 3 of proofs/README.md why a certificate proves it.
#[pyclass(name = "Row", module = "chomp", frozen, eq, hash)]
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
        PyTuple::new(py, self.0.key().tail.parts())
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

    /// The x by which an empty row has no position (fact 12 of proofs/README.md); None of another.
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

    /// The mean of the values, an integer (fact 4 of proofs/README.md), in squares; None of a
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

    /// The offset p - q of column q, in squares; None if there is no P-position in that column,
    /// that is for q < r and past the end of a finite row.
    ///
    /// The column may be an integer of any size. Raises ValueError if the record has only a
    /// fingerprint of that offset: `row(r)` and `rows(to, full=True)` have all offsets.
    fn offset(&self, q: Natural) -> PyResult<Option<Natural>> {
        let p = self.p(&q)?;
        Ok(p.map(|p| Natural(p - q.0)))
    }

    /// f(q, r), the only p that makes (p, q, r) a P-position; None if there is none.
    ///
    /// Otherwise as `offset`.
    fn f(&self, q: Natural) -> PyResult<Option<Natural>> {
        Ok(self.p(&q)?.map(Natural))
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
        let mut plot = RowPlot::new(self.0.row());
        let figure = plot.add(&self.0).and_then(|()| plot.figure());
        Ok(figure.map(|figure| PyFigure::of(&figure)).map_err(Failure::Figure)?)
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
    fn p(&self, q: &Natural) -> PyResult<Option<BigUint>> {
        match value(&self.0, &q.0) {
            Err(_) if self.0.key().is_three_rowed() => Err(PyValueError::new_err(format!(
                "row {row} is known here from column {end} on, and by a fingerprint before; \
                 chomp.row({row}) and chomp.rows({row}, full=True) have all its offsets",
                row = self.0.row(),
                end = self.0.settled(),
            ))),
            found => Ok(found.map_err(Failure::from)?.p()),
        }
    }
}

/// The proof that a row is periodic: its state is the same in the columns `from_` and `recurs`,
/// past the point where the rows below have settled, at a distance that `modulus` divides (fact 3
/// of proofs/README.md).
///
/// The state of a column is the set of the offsets that 0, the diagonal and the row's own past
/// block when the column is reached: those less than `filled`, and `above`.
#[pyclass(name = "Certificate", module = "chomp", frozen, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PyCertificate(Certificate);

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

    /// The least common multiple of the periods of those rows below that matter, in columns.
    #[getter]
    fn modulus(&self) -> Natural {
        Natural(self.0.modulus.clone())
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

    fn __repr__(&self) -> String {
        let Certificate { from, recurs, modulus, filled, above } = &self.0;
        format!(
            "<Certificate: from {from}, recurs {recurs}, modulus {modulus}, filled {filled}, above \
             {above:?}>"
        )
    }
}
