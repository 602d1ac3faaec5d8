//! Rows as a table in the memory layout of Apache Arrow, which other libraries read in place.

use std::ops::ControlFlow;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use driver::export;
use pyo3::exceptions::{
    PyImportError, PyIndexError, PyKeyError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PySlice};

use crate::column::{self, PyColumn};
use crate::failure::Failure;
use crate::html;
use crate::lines::Columns;
use crate::natural::RowNumber;
use crate::object::{Pickled, by_state};
use crate::position::value_error;
use crate::rows::{Rows, form};
use crate::work::{Attended, Progress, attend};

/// Rows as a table: one line per row.
///
/// The columns are those of an export (docs/GUIDE.md): `row`, `kind`, `first`, `head_end`,
/// `period`, `values`, `certificate_from`, `certificate_recurs`, `certificate_modulus`,
/// `certificate_filled`, `certificate_above`, `fingerprint` and, if the rows are in full, `head`.
/// Rows of levels have `level` and `tail`, or for order ideals `level`, `ideal`, `begins`,
/// `column`, `shift`, `early_columns` and `early_p`, in place of `row`. Columns, offsets and
/// lengths are integers of 64 bits, in squares; `values`, `certificate_above` and `head` are lists
/// of them. No column has gaps.
///
/// The table is in the memory layout of Apache Arrow and hands itself over by the Arrow `PyCapsule`
/// interface, without a copy: `polars.DataFrame(table)`, `pyarrow.table(table)`, and other
/// functions that take a stream of Arrow.
#[pyclass(name = "Table", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyTable(pub RecordBatch);

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

    /// `table["period"]` is a `Column`, `table[120]` the line of this number as a dictionary, and
    /// `table[100:110]` a table of these lines, which shares their memory.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = index.extract::<String>() {
            let column = self.0.column_by_name(&name).cloned();
            let missing = || {
                PyKeyError::new_err(format!(
                    "{name}; the columns are {}",
                    self.columns().join(", ")
                ))
            };
            return Ok(PyColumn(column.ok_or_else(missing)?).into_pyobject(py)?.into_any());
        }
        if let Ok(slice) = index.cast::<PySlice>() {
            let chosen = slice.indices(isize::try_from(self.__len__()).map_err(value_error)?)?;
            if chosen.step != 1 {
                return Err(PyValueError::new_err(
                    "a slice of a table has the step 1; to_numpy() can be sliced by any",
                ));
            }
            let lines = self.0.slice(chosen.start.unsigned_abs(), chosen.slicelength);
            return Ok(Self(lines).into_pyobject(py)?.into_any());
        }
        let line = line_number(index, self.__len__())?;
        let fields = PyDict::new(py);
        for (name, column) in self.columns().iter().zip(self.0.columns()) {
            fields.set_item(name, column::value(py, column, line)?)?;
        }
        Ok(fields.into_any())
    }

    /// The lines as a structured array of NumPy: a field for each column, of 64-bit integers, of
    /// texts, and of lists as objects. It is a copy; `table["period"].to_numpy()` copies one
    /// column.
    ///
    /// Raises ImportError if numpy is not installed.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numpy = installed(py, "numpy")?;
        let columns = self.0.columns().iter().map(|column| column::to_numpy(py, column));
        let columns: Vec<Bound<'py, PyAny>> = columns.collect::<PyResult<_>>()?;
        let kinds = self.columns().into_iter().zip(&columns);
        let kinds = kinds.map(|(name, column)| Ok((name, column.getattr("dtype")?)));
        let lines =
            numpy.call_method1("empty", (self.__len__(), kinds.collect::<PyResult<Vec<_>>>()?))?;
        for (name, column) in self.columns().into_iter().zip(columns) {
            lines.set_item(name, column)?;
        }
        Ok(lines)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        column::as_array(self.to_numpy(py)?, dtype, copy)
    }

    fn _repr_html_(&self, py: Python) -> PyResult<String> {
        let columns = self.columns();
        let count = self.__len__();
        let shown: Vec<usize> =
            (0..count).filter(|line| *line < SHOWN || count - line <= SHOWN).collect();
        let mut lines = Vec::new();
        for line in &shown {
            let values = self
                .0
                .columns()
                .iter()
                .map(|column| Ok(column::value(py, column, *line)?.str()?.to_string()));
            lines.push(values.collect::<PyResult<Vec<String>>>()?);
        }
        Ok(html::table(&self.__repr__(), &columns, &lines, (count > 2 * SHOWN).then_some(SHOWN)))
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        by_state(slf, (packed(slf.py(), &slf.get().0).map_err(defect)?,))
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(bytes: &[u8]) -> PyResult<Self> {
        unpacked(bytes).map(Self).map_err(defect)
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.0.num_rows(), self.0.num_columns());
        format!("<Table: {rows} rows, {columns} columns>")
    }
}

/// The lines as a stream of Arrow, for pickles.
pub fn packed<'py>(
    py: Python<'py>,
    lines: &RecordBatch,
) -> Result<Bound<'py, PyBytes>, ArrowError> {
    let mut stream = StreamWriter::try_new(Vec::new(), &lines.schema())?;
    stream.write(lines)?;
    Ok(PyBytes::new(py, &stream.into_inner()?))
}

/// The lines of a stream of Arrow.
pub fn unpacked(bytes: &[u8]) -> Result<RecordBatch, ArrowError> {
    let mut stream = StreamReader::try_new(bytes, None)?;
    stream.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(stream.schema())))
}

/// How many lines a notebook shows at each end.
const SHOWN: usize = 5;

/// The number of a line, for an index that may count from the end.
pub fn line_number(index: &Bound<PyAny>, count: usize) -> PyResult<usize> {
    let index: isize = index.extract().map_err(|_error| {
        PyTypeError::new_err("an index is the name of a column, an integer or a slice")
    })?;
    let line = if index < 0 { count.checked_add_signed(index) } else { Some(index.unsigned_abs()) };
    line.filter(|line| *line < count).ok_or_else(|| {
        PyIndexError::new_err(format!("index {index} is out of range for {count} lines"))
    })
}

impl PyTable {
    /// The lines of these rows.
    pub fn of(rows: &Rows, watch: &Attended) -> Result<Self, Failure> {
        let (keys, form) = (rows.keys(), rows.form());
        let mut columns = Columns::of(export::columns(keys, form));
        let mut added = Ok(());
        if let Some(last) = rows.count().checked_sub(1) {
            rows.visit(last, watch, |record| {
                added = export::line(&record, keys, form).map(|line| columns.add(line));
                if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
        }
        added.map_err(|error| Failure(value_error(error)))?;
        columns.finish().map(Self).map_err(|error| Failure(defect(error)))
    }
}

pub fn installed<'py>(py: Python<'py>, library: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(library).map_err(|error| {
        let words = format!("{library} cannot be imported ({error}); `pip install {library}`");
        PyImportError::new_err(words)
    })
}

pub fn defect(error: ArrowError) -> PyErr {
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
/// <Table: 1001 rows, 12 columns>
#[pyfunction]
#[pyo3(
    signature = (to, *, full = false, progress = Progress::Bar),
    text_signature = "(to, *, full=False, progress=True)"
)]
pub fn table(py: Python, to: RowNumber, full: bool, progress: Progress) -> PyResult<PyTable> {
    let rows = Rows::Computed { last: to.0, form: form(full) };
    attend(py, progress, |watch| PyTable::of(&rows, watch))
}
