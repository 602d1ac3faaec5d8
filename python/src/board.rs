//! Boards with any number of rows, solved with the rectangle around them.

use std::ffi::CString;

use ask::BoardAnswer;
use figures::{BoardPlot, Poison};
use game::Board;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};

use crate::figure::PyFigure;
use crate::object::{Pickled, by_question, dictionary};
use crate::position::value_error;
use crate::query::PyAnswer;
use crate::work::{Progress, attend};

/// The answer about a board, with the rectangle around it, and a strategy of the second player.
#[pyclass(name = "Board", module = "chomp", frozen, extends = PyAnswer)]
#[derive(Debug)]
pub struct PyBoard {
    answer: BoardAnswer,
    /// Whether it was written with the row of the poison last.
    poison_last: bool,
    all_bites: bool,
}

#[pymethods]
impl PyBoard {
    /// The number of P-positions of the rectangle around the board; None if it is not solved.
    #[getter]
    fn p_count(&self) -> Option<u64> {
        Some(self.answer.solution()?.p_count())
    }

    /// All P-positions of the rectangle around the board: a list of tuples of row lengths, those
    /// of fewer squares first.
    ///
    /// Raises ValueError if the rectangle is not solved.
    fn p_positions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let solution = self.answer.solution().ok_or_else(not_solved)?;
        let mut found: Vec<Board> = solution.p_positions().collect();
        found.sort_by_cached_key(|board| (board.area(), board.clone()));
        found.iter().map(|board| PyTuple::new(py, board.rows())).collect()
    }

    /// The board with its winning bites, or with the strategy: squares with the same label answer
    /// each other.
    ///
    /// Raises ValueError if the board has more than 40 rows or columns, or if the rectangle around
    /// it is not solved.
    fn figure(&self) -> PyResult<PyFigure> {
        let poison = if self.poison_last { Poison::Bottom } else { Poison::Top };
        let plot = BoardPlot::new(&self.answer.board, poison).map_err(value_error)?;
        self.answer.solution().ok_or_else(not_solved)?;
        Ok(PyFigure::of(&match self.answer.strategy() {
            Some(strategy) => plot.strategy(strategy),
            None => plot.winning_bites(&self.answer.answer.squares()),
        }))
    }

    /// The object of docs/JSON.md, with the strategy: what `chomp query --board --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.answer)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let mut rows = self.answer.board.rows().to_vec();
        if self.poison_last {
            rows.reverse();
        }
        let options = PyDict::new(py);
        options.set_item("all_bites", self.all_bites)?;
        options.set_item("progress", false)?;
        by_question(py, "board", (rows,), options)
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.figure().ok().map(|figure| figure.svg)
    }
}

fn not_solved() -> PyErr {
    value_error("the rectangle is not solved; call board with all_bites=True")
}

/// Solves a board with any number of rows and the rectangle around it: a `Board`.
///
/// The board is given as a position is to `query`. A text in square brackets with separated
/// numbers, which Cho and Zeilberger read differently, is refused if that makes two boards. Time
/// and memory grow with the binomial coefficient of rows and columns: 18x18 takes seconds. Longer
/// rows are for `query`. If more than ten seconds or 1 GB are needed, a theorem answers where one
/// does, as for every rectangle (fact 14 of the proofs), unless `all_bites` are asked for.
/// `progress` is as for `rows`.
///
/// `board(8, 10)` is a board of two rows, and warns (UserWarning): the rectangle is
/// `board("8x10")`. `board((10, 8))` has two rows without a warning.
///
/// Raises ValueError and TypeError as `query`, and MemoryError if the rectangle needs more memory
/// than there is.
///
/// >>> import chomp
/// >>> board = chomp.board("8x10")
/// >>> board, [bite.square for bite in board.winning_bites]
/// (<Board: (10,10,10,10,10,10,10,10) is N, 2 winning bites>, [(4, 9), (5, 6)])
#[pyfunction]
#[pyo3(
    signature = (*board, all_bites = false, progress = Progress::Bar),
    text_signature = "(*board, all_bites=False, progress=True)"
)]
pub fn board(
    py: Python,
    board: &Bound<PyTuple>,
    all_bites: bool,
    progress: Progress,
) -> PyResult<Py<PyBoard>> {
    let written = crate::position::board(board)?;
    warn_of_two_numbers(py, board, &written.board)?;
    let answer = attend(py, progress, |watch| {
        Ok(BoardAnswer::of(written.board.clone(), None, all_bites, watch)?)
    })?;
    let base = PyAnswer { answer: answer.answer.clone(), folder: None };
    let board = PyBoard { answer, poison_last: written.poison_last, all_bites };
    Py::new(py, PyClassInitializer::from(base).add_subclass(board))
}

/// Two numbers are the lengths of two rows, which a reader may take for the sides of a rectangle.
fn warn_of_two_numbers(py: Python, typed: &Bound<PyTuple>, board: &Board) -> PyResult<()> {
    let Ok((one, two)) = typed.extract::<(Bound<PyInt>, Bound<PyInt>)>() else { return Ok(()) };
    if board.rows().last() == Some(&1) {
        return Ok(());
    }
    let words = format!(
        "board({one}, {two}) has two rows, {board}; the rectangle is board(\"{one}x{two}\"). Write \
         board(({one}, {two})) for two rows"
    );
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(words)?, 1)
}
