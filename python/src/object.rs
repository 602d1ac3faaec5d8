//! Results as dictionaries: the objects of docs/JSON.md, as Python reads them.

use std::path::Path;

use ask::{SourceObject, Sourced};
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use record::to_json;
use serde::Serialize;

/// The object of Python that `json.loads` reads from the JSON.
pub fn object<'py>(py: Python<'py>, object: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (to_json(object),))
}

/// The same for an object of JSON that is no list.
pub fn dictionary<'py>(py: Python<'py>, data: &impl Serialize) -> PyResult<Bound<'py, PyDict>> {
    Ok(object(py, data)?.cast_into()?)
}

/// A function and its arguments: how an object is pickled.
pub type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// Pickles an object by its state, with the static method `_of` of its class.
pub fn by_state<'py>(
    own: &Bound<'py, impl PyClass>,
    state: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Pickled<'py>> {
    Ok((own.as_any().get_type().getattr("_of")?, state.into_pyobject(own.py())?))
}

/// Pickles an answer as its question, which is asked again: for answers that hold more than the
/// question takes to be answered.
pub fn by_question<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
    options: Bound<'py, PyDict>,
) -> PyResult<Pickled<'py>> {
    let function = py.import("chomp")?.getattr(function)?;
    let asked = py.import("functools")?.call_method("partial", (function,), Some(&options))?;
    Ok((asked, arguments.into_pyobject(py)?))
}

/// With the source of the rows.
pub fn sourced<'py>(
    py: Python<'py>,
    result: impl Serialize,
    folder: Option<&Path>,
) -> PyResult<Bound<'py, PyDict>> {
    dictionary(py, &Sourced { result, source: SourceObject::of(folder) })
}
