//! Chomp on finite posets.

use ask::{poset_dot, poset_object};
use driver::{PosetAnswer, Spending};
use posets::{DownSet, NamedPoset, Poset, PosetError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::object::{Pickled, by_question, dictionary};
use crate::position::value_error;
use crate::work::{Progress, attend};

/// Who wins Chomp on a poset, and with which bites.
#[pyclass(name = "Poset", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyPoset {
    name: String,
    poset: Poset,
    position: DownSet,
    answer: PosetAnswer,
    question: Question,
}

/// The arguments of `poset`.
#[derive(Debug)]
struct Question {
    poset: Py<PyAny>,
    after: Vec<String>,
    memory: u64,
}

#[pymethods]
impl PyPoset {
    /// "P" if the player who moves next loses, or "N"; None if the bites do not decide it.
    #[getter]
    fn outcome(&self) -> Option<String> {
        self.answer.outcome.map(|outcome| outcome.to_string())
    }

    /// The elements whose bites win: a list of their names.
    #[getter]
    fn winning_bites(&self) -> Vec<&str> {
        self.answer.winning.iter().map(|&bite| self.poset.name(bite)).collect()
    }

    /// The elements whose bites the memory did not suffice to decide: a list of their names.
    #[getter]
    fn undecided_bites(&self) -> Vec<&str> {
        self.answer.undecided.iter().map(|&bite| self.poset.name(bite)).collect()
    }

    /// The Grundy value; None if it was not found.
    #[getter]
    fn grundy(&self) -> Option<u64> {
        self.answer.grundy
    }

    /// The object of docs/JSON.md: what `chomp poset --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Self { name, poset, position, answer, .. } = self;
        dictionary(py, &poset_object(name, poset, position, answer))
    }

    /// The Hasse diagram, with the bites that win, as text for Graphviz: in a notebook,
    /// `graphviz.Source(poset.dot())` draws it.
    fn dot(&self) -> String {
        poset_dot(&self.name, &self.poset, &self.position, &self.answer.winning)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let Question { poset, after, memory } = &self.question;
        let options = PyDict::new(py);
        options.set_item("after", after)?;
        options.set_item("memory", memory)?;
        options.set_item("progress", false)?;
        by_question(py, "poset", (poset.clone_ref(py),), options)
    }

    fn __repr__(&self) -> String {
        let (name, bites) = (&self.name, self.answer.winning.len());
        match self.outcome() {
            Some(outcome) => format!("<Poset: {name} is {outcome}, winning bites: {bites}>"),
            None => format!("<Poset: {name} is undecided>"),
        }
    }
}

/// Says who wins Chomp on a finite poset: a `Poset`. A bite takes an element and all above it. A
/// least element is the poison; without one the player who cannot bite loses.
///
/// `poset` is a name such as `"solid cube"` or `"chains 2 2 5"` (the error about another name lists
/// all), a text of cover relations, one a line, `a < b`, or a `pathlib.Path` of a file with such a
/// text.
/// `after` names elements that are bitten first. The search remembers positions in at most `memory`
/// bytes, and leaves bites undecided that need more. `progress` is as for `rows`.
///
/// Raises ValueError for a text that is no poset, or an element that cannot be bitten, and
/// MemoryError if there is less memory than the search may take and might need.
///
/// >>> import chomp
/// >>> cube = chomp.poset("solid cube")
/// >>> cube, cube.winning_bites, cube.grundy
/// (<Poset: solid cube is N, winning bites: 1>, ['solid'], 3)
#[pyfunction]
#[pyo3(
    signature = (poset, *, after = vec![], memory = 1_000_000_000, progress = Progress::Bar),
    text_signature = "(poset, *, after=(), memory=1_000_000_000, progress=True)"
)]
pub fn poset(
    py: Python,
    poset: &Bound<PyAny>,
    after: Vec<String>,
    memory: u64,
    progress: Progress,
) -> PyResult<PyPoset> {
    let question = Question { poset: poset.clone().unbind(), after: after.clone(), memory };
    let (name, poset) = named(poset)?;
    let mut position = poset.full();
    for name in after {
        let left = poset.element(&name).and_then(|bite| poset.after(&position, bite));
        position = left.ok_or_else(|| {
            PyValueError::new_err(format!(
                "{name:?} cannot be bitten: it is not there, or the poison"
            ))
        })?;
    }
    let spending = Spending { memory, ..Spending::USUAL };
    let answer = attend(py, progress, |watch| {
        driver::solve_poset(&poset, &position, spending, watch).map_err(Failure::from)
    })?;
    Ok(PyPoset { name, poset, position, answer, question })
}

/// The poset of a name, of a text or of a file, and what messages call it.
fn named(given: &Bound<PyAny>) -> PyResult<(String, Poset)> {
    if given.hasattr("read_text")? {
        let text: String = given.call_method0("read_text")?.extract()?;
        return Ok((given.getattr("name")?.extract()?, text.parse().map_err(value_error)?));
    }
    let text: String = given.extract()?;
    match text.parse::<NamedPoset>() {
        Ok(family) => Ok((family.to_string(), family.poset().map_err(value_error)?)),
        Err(PosetError::Name { .. }) if text.contains(['<', '\n']) => {
            Ok(("a poset".to_owned(), text.parse().map_err(value_error)?))
        }
        Err(error @ PosetError::Name { .. }) => Err(PyValueError::new_err(format!(
            "{error}; the names are {}; a pathlib.Path names a file",
            posets::LIST.map(|(name, _)| name).join(", ")
        ))),
        Err(error) => Err(value_error(error)),
    }
}
