//! Rows as a table in the memory layout of Apache Arrow, which other libraries read in place.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, Schema};
use driver::{Engine, Field, KeyColumns, Line};
use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::failure::Failure;
use crate::natural::RowNumber;
use crate::rows::form;
use crate::work::{Progress, attend};

/// Rows 0 to R as a table: one line per row, in row order.
///
/// The columns are those of an export (docs/GUIDE.md): `row`, `kind`, `first`, `head_end`,
/// `period`, `values`, `certificate_from`, `certificate_recurs`, `certificate_modulus`,
/// `certificate_filled`, `certificate_above`, `fingerprint` and, if the rows are in full, `head`.
/// Columns, offsets and lengths are integers of 64 bits, in squares; `values`, `certificate_above`
/// and `head` are lists of them. No column has gaps.
///
/// The table is in the memory layout of Apache Arrow and hands itself over by the Arrow `PyCapsule`
/// interface, without a copy: `polars.DataFrame(table)`, `pyarrow.table(table)`, and other
/// functions that take a stream of Arrow.
#[pyclass(name = "Table", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyTable(RecordBatch);

#[pymethods]
impl PyTable {
    /// The names of the columns: a list.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The table as a pandas.DataFrame, whose columns are the table's own memory, with Arrow's
    /// types.
    ///
    /// Raises ImportError if pandas or pyarrow is not installed.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let (pandas, pyarrow) = (installed(py, "pandas")?, installed(py, "pyarrow")?);
        let arguments = PyDict::new(py);
        arguments.set_item("types_mapper", pandas.getattr("ArrowDtype")?)?;
        let table = pyarrow.call_method1("table", (slf,))?;
        table.call_method("to_pandas", (), Some(&arguments))
    }

    /// The table as a polars.DataFrame, whose columns are the table's own memory. Polars may copy
    /// the columns of text.
    ///
    /// Raises ImportError if polars is not installed.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        installed(slf.py(), "polars")?.call_method1("DataFrame", (slf,))
    }

    /// The schema, for libraries that read Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema().as_ref()).map_err(defect)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The columns, for libraries that read Arrow. Another schema may be asked for, and is not
    /// given, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = [Ok(self.0.clone())];
        let reader = RecordBatchIterator::new(batches, self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.0.num_rows(), self.0.num_columns());
        format!("<Table: rows 0 to {}, {columns} columns>", rows.saturating_sub(1))
    }
}

fn installed<'py>(py: Python<'py>, library: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(library).map_err(|error| {
        let words = format!("{library} cannot be imported ({error}); `pip install {library}`");
        PyImportError::new_err(words)
    })
}

fn defect(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(format!("{error}, a defect of this program"))
}

/// Rows 0 to `to` as a `Table`, for pandas (`.to_pandas()`), polars (`.to_polars()`) and other
/// readers of Arrow.
///
/// `full`, `progress`, cost and errors are those of `rows`. A line takes some 120 bytes, and 8 more
/// for each offset of a head.
///
/// >>> import chomp
/// >>> chomp.table(1000)
/// <Table: rows 0 to 1000, 12 columns>
#[pyfunction]
#[pyo3(
    signature = (to, *, full = false, progress = Progress::Bar),
    text_signature = "(to, *, full=False, progress=True)"
)]
pub fn table(py: Python, to: RowNumber, full: bool, progress: Progress) -> PyResult<PyTable> {
    attend(py, progress, |watch| {
        let (mut columns, mut added, form) = (Columns::default(), Ok(()), form(full));
        Engine::default().rows(to.0, form, watch, |row| {
            added =
                Line::of(&row.record).map(|line| columns.add(line.fields(KeyColumns::Row, form)));
            if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        added.map_err(Failure::Export)?;
        columns.finish().map(PyTable).map_err(|error| Failure::Raised(defect(error)))
    })
}

/// The columns of a table on its way; none before the first line.
#[derive(Default)]
struct Columns(Vec<(&'static str, Column)>);

enum Column {
    Integers(Int64Builder),
    Texts(StringBuilder),
    Lists(ListBuilder<Int64Builder>),
}

impl Columns {
    fn add(&mut self, line: Vec<(&'static str, Field)>) {
        if self.0.is_empty() {
            self.0 = line.iter().map(|(name, field)| (*name, Column::of(field))).collect();
        }
        for ((_, column), (_, field)) in self.0.iter_mut().zip(line) {
            column.push(field);
        }
    }

    fn finish(self) -> Result<RecordBatch, ArrowError> {
        let columns = self.0.into_iter().map(|(name, column)| (name, column.finish()));
        let (names, arrays): (Vec<arrow_schema::Field>, Vec<ArrayRef>) = columns
            .map(|(name, array)| (without_gaps(name, array.data_type().clone()), array))
            .unzip();
        RecordBatch::try_new(Arc::new(Schema::new(names)), arrays)
    }
}

fn without_gaps(name: &str, kind: DataType) -> arrow_schema::Field {
    arrow_schema::Field::new(name, kind, false)
}

/// The numbers of a line are less than 2^63.
fn integer(number: u64) -> i64 {
    i64::try_from(number).expect("the numbers of a line are less than 2^63")
}

impl Column {
    /// A column for such fields.
    fn of(field: &Field) -> Self {
        match field {
            Field::Integer(_) => Self::Integers(Int64Builder::new()),
            Field::Text(_) => Self::Texts(StringBuilder::new()),
            Field::List(_) => {
                let element = without_gaps("item", DataType::Int64);
                Self::Lists(ListBuilder::new(Int64Builder::new()).with_field(element))
            }
        }
    }

    fn push(&mut self, field: Field) {
        match (self, field) {
            (Self::Integers(column), Field::Integer(number)) => {
                column.append_value(integer(number));
            }
            (Self::Texts(column), Field::Text(text)) => column.append_value(text),
            (Self::Lists(column), Field::List(list)) => {
                column.values().extend(list.into_iter().map(|number| Some(integer(number))));
                column.append(true);
            }
            _ => unreachable!("all lines have the same columns"),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Integers(mut column) => Arc::new(column.finish()),
            Self::Texts(mut column) => Arc::new(column.finish()),
            Self::Lists(mut column) => Arc::new(column.finish()),
        }
    }
}
