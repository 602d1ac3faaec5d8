//! One column of a table.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PySlice};

use crate::object::{Pickled, by_state};
use crate::position::value_error;
use crate::table::{defect, installed, line_number, packed, unpacked};

/// One column of a `Table`: a sequence of integers, texts or lists of integers.
///
/// It hands itself over by the Arrow `PyCapsule` interface, without a copy:
/// `polars.Series(column)`, `pyarrow.array(column)`.
#[pyclass(name = "Column", module = "chomp", frozen, sequence)]
#[derive(Debug)]
pub struct PyColumn(pub ArrayRef);

#[pymethods]
impl PyColumn {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// `column[120]` is a value, and `column[100:110]` a column that shares the memory.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(slice) = index.cast::<PySlice>() else {
            return value(py, &self.0, line_number(index, self.0.len())?);
        };
        let chosen = slice.indices(isize::try_from(self.0.len()).map_err(value_error)?)?;
        if chosen.step != 1 {
            return Err(PyValueError::new_err(
                "a slice of a column has the step 1; to_numpy() can be sliced by any",
            ));
        }
        let part = self.0.slice(chosen.start.unsigned_abs(), chosen.slicelength);
        Self(part).into_bound_py_any(py)
    }

    /// The values as a list.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.0)
    }

    /// The values as an array of NumPy, a copy: 64-bit integers, texts, or arrays of 64-bit
    /// integers as objects.
    ///
    /// Raises ImportError if numpy is not installed.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_numpy(py, &self.0)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        as_array(to_numpy(py, &self.0)?, dtype, copy)
    }

    /// The type, for libraries that read Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.data_type()).map_err(defect)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Type and values, for libraries that read Arrow. Another type may be asked for, and is not
    /// given, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let array = FFI_ArrowArray::new(&self.0.to_data());
        Ok((self.__arrow_c_schema__(py)?, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let alone = RecordBatch::try_from_iter([("column", slf.get().0.clone())]);
        by_state(slf, (packed(slf.py(), &alone.map_err(defect)?).map_err(defect)?,))
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(bytes: &[u8]) -> PyResult<Self> {
        unpacked(bytes).map(|alone| Self(alone.column(0).clone())).map_err(defect)
    }

    fn __repr__(&self) -> String {
        let kind = match self.0.data_type() {
            DataType::Int64 => "integers",
            DataType::Utf8 => "texts",
            _ => "lists",
        };
        format!("<Column: {} {kind}>", self.0.len())
    }
}

/// The value in a line: an integer, a text or a list.
pub fn value<'py>(py: Python<'py>, column: &ArrayRef, line: usize) -> PyResult<Bound<'py, PyAny>> {
    match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(line).into_bound_py_any(py),
        DataType::Utf8 => column.as_string::<i32>().value(line).into_bound_py_any(py),
        _ => Ok(list(py, &column.as_list::<i32>().value(line))?.into_any()),
    }
}

fn list<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    let values = (0..column.len()).map(|line| value(py, column, line));
    PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
}

/// A new array of NumPy with the values.
pub fn to_numpy<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    let numpy = installed(py, "numpy")?;
    match column.data_type() {
        DataType::Int64 => {
            let numbers = column.as_primitive::<Int64Type>().values();
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
            let bytes = PyBytes::new(py, &bytes);
            numpy.call_method1("frombuffer", (bytes, "int64"))?.call_method0("copy")
        }
        DataType::Utf8 => numpy.call_method1("array", (list(py, column)?,)),
        _ => {
            let lists = column.as_list::<i32>();
            let arrays = numpy.call_method1("empty", (lists.len(), "object"))?;
            for line in 0..lists.len() {
                arrays.set_item(line, to_numpy(py, &lists.value(line))?)?;
            }
            Ok(arrays)
        }
    }
}

/// The array, as `numpy.asarray` asks for it.
pub fn as_array<'py>(
    array: Bound<'py, PyAny>,
    dtype: Option<Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    if copy == Some(false) {
        return Err(PyValueError::new_err("NumPy gets a copy of a table or of a column"));
    }
    let Some(dtype) = dtype else { return Ok(array) };
    let arguments = PyDict::new(array.py());
    arguments.set_item("copy", false)?;
    array.call_method("astype", (dtype,), Some(&arguments))
}
