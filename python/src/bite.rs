//! Bites: one class for those that win and for all.

use ask::ValuedBite;
use driver::{Bite, Position, Square};
use num_bigint::BigUint;
use pyo3::prelude::*;

use crate::natural::Natural;
use crate::object::{Pickled, by_state};
use crate::position::{Lengths, value_error};
use crate::row::PyRow;

/// A bite. The attributes have the names and the meaning of docs/JSON.md.
#[pyclass(name = "Bite", module = "chomp", frozen, get_all)]
#[derive(Clone, Debug)]
pub struct PyBite {
    /// The bitten square: its row, of which 1 is the longest, and its column, from 1 at the poison.
    square: (usize, Natural),
    /// The position that is left: a tuple of row lengths, in squares; ω is `math.inf`.
    leaves: Lengths,
    /// Zeilberger's numbers of columns of what is left; None where the answer has no `cab`.
    leaves_cab: Option<(Natural, Natural, Natural)>,
    /// The row with the P-position that is left, which proves the answer; None of an infinite
    /// position, and where the answer has no `record`. It has a fingerprint of its head, or all
    /// offsets if the answer needed them.
    record: Option<PyRow>,
    /// The Grundy value of what is left, 0 if the bite wins; None if it lies above the levels that
    /// were computed.
    grundy: Option<u64>,
    /// That value, or a lower bound of it.
    at_least: Natural,
}

#[pymethods]
impl PyBite {
    fn __repr__(&self) -> String {
        let Self { square: (row, column), leaves, at_least, .. } = self;
        let or_more = if self.grundy.is_some() { "" } else { " or more" };
        let (leaves, column) = (leaves.0.as_board(), &column.0);
        let value = &at_least.0;
        format!("<Bite: row {row}, column {column}, leaves {leaves}, value {value}{or_more}>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let Self { square, leaves, leaves_cab, record, grundy, at_least } = slf.get().clone();
        let leaves = leaves.0.as_board();
        by_state(slf, (square, leaves, leaves_cab.is_some(), record, grundy, at_least))
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(
        square: (usize, Natural),
        leaves: &str,
        has_cab: bool,
        record: Option<PyRow>,
        grundy: Option<u64>,
        at_least: Natural,
    ) -> PyResult<Self> {
        let leaves: Position = leaves.parse().map_err(value_error)?;
        let leaves_cab = has_cab.then(|| columns(&leaves)).flatten();
        Ok(Self { square, leaves: Lengths(leaves), leaves_cab, record, grundy, at_least })
    }
}

impl PyBite {
    /// A bite that wins, from a position that has Zeilberger's numbers or not.
    pub fn winning(bite: &Bite, has_cab: bool) -> Self {
        let record = bite.record.clone().map(PyRow);
        let leaves_cab = has_cab.then(|| columns(&bite.leaves)).flatten();
        let grundy = Some(0);
        Self { leaves_cab, record, grundy, ..Self::of(&bite.square, &bite.leaves) }
    }

    fn of(square: &Square, leaves: &Position) -> Self {
        Self {
            square: (square.row, Natural(square.column.clone())),
            leaves: Lengths(leaves.clone()),
            leaves_cab: columns(leaves),
            record: None,
            grundy: None,
            at_least: Natural(BigUint::ZERO),
        }
    }
}

impl From<&ValuedBite> for PyBite {
    fn from(ValuedBite { square, leaves, value }: &ValuedBite) -> Self {
        let (grundy, at_least) = (value.known(), Natural(value.at_least()));
        Self { grundy, at_least, ..Self::of(square, leaves) }
    }
}

/// Zeilberger's numbers of columns.
pub fn columns(position: &Position) -> Option<(Natural, Natural, Natural)> {
    position.zeilberger().map(|[c, a, b]| (Natural(c), Natural(a), Natural(b)))
}
