//! Failures as Python exceptions.

use driver::{Error, ErrorKind};
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

/// The exception of a function that fails.
#[derive(Debug)]
pub struct Failure(pub PyErr);

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(raised(error.into()))
    }
}

impl From<Failure> for PyErr {
    fn from(Failure(error): Failure) -> Self {
        error
    }
}

fn raised(error: Error) -> PyErr {
    let words = error.to_string();
    match (error.kind(), error) {
        (_, Error::Io(error)) => error.into(),
        (_, Error::Memory { .. }) => PyMemoryError::new_err(words),
        (_, Error::Interrupted | Error::WriteInterrupted { .. }) => {
            PyKeyboardInterrupt::new_err(words)
        }
        (ErrorKind::Usage, _) => PyValueError::new_err(words),
        (ErrorKind::Refuted, _) => RefutedError::new_err(words),
        (ErrorKind::InputOrOutput | ErrorKind::Closed, _) => PyOSError::new_err(words),
        (ErrorKind::Incomplete, _) => IncompleteError::new_err(words),
        (ErrorKind::Nothing, _) => NoValueError::new_err(words),
    }
}
