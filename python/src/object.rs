//! Results as dictionaries: the objects of docs/JSON.md, as Python reads them.

use std::path::Path;

use ask::{SourceObject, Sourced};
use pyo3::prelude::*;
use pyo3::types::PyDict;
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

/// With the source of the rows.
pub fn sourced<'py>(
    py: Python<'py>,
    result: impl Serialize,
    folder: Option<&Path>,
) -> PyResult<Bound<'py, PyDict>> {
    dictionary(py, &Sourced { result, source: SourceObject::of(folder) })
}
