//! Sequences of integers by name.

use std::ops::ControlFlow;

use driver::{DataSet, NamedSequence, TermsFrom};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::source::Data;
use crate::work::{Progress, attend};

/// The first terms of a sequence: a dictionary from the index n to a(n), in ascending order.
///
/// `name` is a number of the OEIS, `"A029900"` or `"29900"`, or one of our own: `"period-3"`,
/// `"new-periods"` and `"first-rows"`, which need `data`; `"word-periods-2"`; `"pattern-2:AA"`.
/// `chomp seq` lists them with their definitions. With `data`, the folder of a data set, rows are
/// read from there. `progress` is as for `rows`.
///
/// Raises ValueError if there is no such sequence, if it needs a data set or takes none, or if its
/// terms need rows that are too large; IncompleteError if the data set or the word does not decide
/// all terms; and otherwise what `rows` raises.
///
/// >>> import chomp
/// >>> chomp.seq("A029900", 6)
/// {0: 1, 1: 3, 2: 4, 3: 6, 4: 8, 5: 10}
#[pyfunction]
#[pyo3(
    signature = (name, terms = 100, *, data = Data::default(), progress = Progress::Bar),
    text_signature = "(name, terms=100, *, data=None, progress=True)"
)]
pub fn seq<'py>(
    py: Python<'py>,
    name: &str,
    terms: u64,
    data: Data,
    progress: Progress,
) -> PyResult<Bound<'py, PyDict>> {
    let sequence: NamedSequence = name.parse().map_err(|error| {
        let names: Vec<String> =
            NamedSequence::all().iter().map(NamedSequence::to_string).collect();
        PyValueError::new_err(format!("{error}; there are {} and others", names.join(", ")))
    })?;
    let found = attend(py, progress, |watch| {
        let data = data.folder().map(DataSet::open).transpose()?;
        let (from, mut found) = (TermsFrom { data: data.as_ref(), ..TermsFrom::default() }, vec![]);
        sequence.terms(terms, &from, watch, |n, value| {
            found.push((n, value));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    })?;
    let terms = PyDict::new(py);
    for (n, value) in found {
        terms.set_item(n, value)?;
    }
    Ok(terms)
}
