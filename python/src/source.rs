//! The argument `data`: the data set from which rows are read instead of being computed.

use std::path::{Path, PathBuf};

use driver::{DataSet, Engine, Source};
use pyo3::prelude::*;

use crate::failure::Failure;

/// The folder of a data set; none for rows that are computed.
#[derive(Clone, Debug, Default)]
pub struct Data(Option<PathBuf>);

impl<'py> FromPyObject<'_, 'py> for Data {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(Self)
    }
}

impl Data {
    pub fn folder(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// The data set, or else the engine.
    pub fn open(&self) -> Result<Box<dyn Source>, Failure> {
        Ok(match self.folder() {
            Some(folder) => Box::new(DataSet::open(folder)?),
            None => Box::new(Engine::default()),
        })
    }
}
