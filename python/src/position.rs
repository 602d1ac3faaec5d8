//! Positions, tails and boards as arguments: numbers one after the other, as a tuple or another
//! iterable, or as text in any notation of docs/GUIDE.md.

use driver::{Length, Position, Tail, WrittenBoard};
use game::Board;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple};

use crate::natural::{Natural, RowNumber};

/// The arguments for a position.
enum Given<'py> {
    Text(String),
    Numbers(Vec<Bound<'py, PyAny>>),
}

fn given<'py>(arguments: &Bound<'py, PyTuple>) -> PyResult<Given<'py>> {
    if arguments.len() != 1 {
        return Ok(Given::Numbers(arguments.iter().collect()));
    }
    let only = arguments.get_item(0)?;
    if let Ok(text) = only.extract::<String>() {
        return Ok(Given::Text(text));
    }
    Ok(Given::Numbers(match only.try_iter() {
        Ok(numbers) => numbers.collect::<PyResult<_>>()?,
        Err(_one_number) => vec![only],
    }))
}

/// A position, with row lengths in either direction.
pub fn position(arguments: &Bound<PyTuple>) -> PyResult<Position> {
    match given(arguments)? {
        Given::Text(text) => text.parse().map_err(value_error),
        Given::Numbers(numbers) => {
            let lengths: Vec<Length> = numbers.iter().map(length).collect::<PyResult<_>>()?;
            Position::new(game::Lengths::of(lengths).rows).map_err(value_error)
        }
    }
}

/// The length of a row: an integer, or `math.inf`.
fn length(number: &Bound<PyAny>) -> PyResult<Length> {
    match number.cast::<PyFloat>() {
        Ok(number) if number.value() == f64::INFINITY => Ok(Length::Omega),
        _ => Ok(Length::Finite(number.extract::<Natural>()?.0)),
    }
}

/// A tail, without the rows of length 0 at its end.
pub fn tail(arguments: &Bound<PyTuple>) -> PyResult<Tail> {
    let mut parts: Vec<u64> = match given(arguments)? {
        Given::Text(text) => return text.parse().map_err(value_error),
        Given::Numbers(numbers) => numbers
            .iter()
            .map(|number| Ok(number.extract::<RowNumber>()?.0))
            .collect::<PyResult<_>>()?,
    };
    let rows = parts.iter().rposition(|&length| length > 0).map_or(0, |last| last + 1);
    parts.truncate(rows);
    Tail::new(parts).map_err(value_error)
}

/// A board, with row lengths in either direction.
pub fn board(arguments: &Bound<PyTuple>) -> PyResult<WrittenBoard> {
    let numbers = match given(arguments)? {
        Given::Text(text) => return text.parse().map_err(value_error),
        Given::Numbers(numbers) => numbers,
    };
    let lengths: Vec<u16> = numbers
        .iter()
        .map(|number| {
            let Natural(length) = number.extract()?;
            u16::try_from(&length).map_err(|_too_large| {
                PyValueError::new_err("rows of a board are shorter than 2^16 squares here")
            })
        })
        .collect::<PyResult<_>>()?;
    let game::Lengths { rows, poison_last } = game::Lengths::of(lengths);
    Ok(WrittenBoard { board: Board::new(rows).map_err(value_error)?, poison_last })
}

/// The row lengths of a position as a tuple of integers; ω is `math.inf`.
#[derive(Clone, Debug)]
pub struct Lengths(pub Position);

impl<'py> IntoPyObject<'py> for Lengths {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let lengths = self.0.rows().iter().map(|length| match length {
            Length::Finite(number) => Natural(number.clone()).into_pyobject(py),
            Length::Omega => Ok(PyFloat::new(py, f64::INFINITY).into_any()),
        });
        PyTuple::new(py, lengths.collect::<PyResult<Vec<_>>>()?)
    }
}

pub fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}
