//! Failures as Python exceptions.

use std::io;

use driver::{Error, ErrorKind, ExportError};
use figures::FigureError;
use pyo3::create_exception;
use pyo3::exceptions::{
    PyException, PyKeyboardInterrupt, PyLookupError, PyMemoryError, PyOSError, PyValueError,
};
use pyo3::prelude::*;

create_exception!(
    chomp,
    RefutedError,
    PyException,
    "A statement was shown to be wrong: a record of a data set, by the checker."
);
create_exception!(
    chomp,
    NoValueError,
    PyLookupError,
    "There is no P-position in this column. The attribute `none` says why: \"before_first\", before the \
     first column of the row; \"ended\", past its last; \"empty\", a row without any."
);
create_exception!(
    chomp,
    IncompleteError,
    PyException,
    "The work did not come to its end: nothing was verified, and nothing refuted."
);

/// An error of a function.
#[derive(Debug)]
pub enum Failure {
    /// An error of the library.
    Driver(Error),
    /// A figure cannot be drawn.
    Figure(FigureError),
    /// A row does not fit a table.
    Export(ExportError),
    /// A file cannot be written.
    Io(io::Error),
    /// An exception of Python.
    Raised(PyErr),
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Driver(error.into())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Driver(error) => raised(&error),
            Failure::Figure(error) => PyValueError::new_err(error.to_string()),
            Failure::Export(error) => PyValueError::new_err(error.to_string()),
            Failure::Io(error) => error.into(),
            Failure::Raised(error) => error,
        }
    }
}

fn raised(error: &Error) -> PyErr {
    let words = error.to_string();
    match (error, error.kind()) {
        (Error::Memory { .. }, _) => PyMemoryError::new_err(words),
        (Error::Interrupted | Error::WriteInterrupted { .. }, _) => {
            PyKeyboardInterrupt::new_err(words)
        }
        (_, ErrorKind::Usage) => PyValueError::new_err(words),
        (_, ErrorKind::Refuted) => RefutedError::new_err(words),
        (_, ErrorKind::InputOrOutput) => PyOSError::new_err(words),
        (_, ErrorKind::Incomplete) => IncompleteError::new_err(words),
    }
}
