//! Boards with any number of rows, solved with the rectangle around them.

use boards::solved::Solved;
use boards::strategy::Strategy;
use driver::WrittenBoard;
use driver::objects::BoardObject;
use figures::{BoardPlot, Poison};
use game::{Board, Square};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::figure::PyFigure;
use crate::object::dictionary;
use crate::position::value_error;
use crate::work::{Progress, attend};

/// A solved board: its winning bites, or a strategy of the second player.
#[pyclass(name = "Board", module = "chomp", frozen)]
#[derive(Debug)]
pub struct PyBoard {
    written: WrittenBoard,
    solution: Box<dyn Solved>,
    bites: Vec<Square>,
    strategy: Option<Strategy>,
}

#[pymethods]
impl PyBoard {
    /// The row lengths: a tuple of integers, the longest first.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.written.board.rows())
    }

    /// "P" if the player who moves next loses, or "N".
    #[getter]
    fn outcome(&self) -> char {
        if self.strategy.is_some() { 'P' } else { 'N' }
    }

    /// The squares whose bites win: a list of pairs (row, column), counted from 1 at the poison.
    #[getter]
    fn winning_bites(&self) -> Vec<(u16, u16)> {
        self.bites.iter().map(|bite| (bite.row, bite.column)).collect()
    }

    /// The number of P-positions of the rectangle around the board.
    #[getter]
    fn p_count(&self) -> u64 {
        self.solution.p_count()
    }

    /// All P-positions of the rectangle around the board: a list of tuples of row lengths, those
    /// of fewer squares first.
    fn p_positions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut found: Vec<Board> = self.solution.p_positions().collect();
        found.sort_by_cached_key(|board| (board.area(), board.clone()));
        found.iter().map(|board| PyTuple::new(py, board.rows())).collect()
    }

    /// The board with its winning bites, or with the strategy: squares with the same label answer
    /// each other.
    ///
    /// Raises ValueError if the board has more than 40 rows or columns.
    fn figure(&self) -> PyResult<PyFigure> {
        let poison = if self.written.poison_last { Poison::Bottom } else { Poison::Top };
        let plot = BoardPlot::new(&self.written.board, poison).map_err(value_error)?;
        Ok(PyFigure::of(&match &self.strategy {
            Some(strategy) => plot.strategy(strategy),
            None => plot.winning_bites(&self.bites),
        }))
    }

    /// The object of docs/JSON.md, with the strategy: what `chomp board --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Self { written, solution, bites, strategy } = self;
        dictionary(py, &BoardObject::of(&written.board, bites, strategy.as_ref(), &**solution))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.figure().ok().map(|figure| figure.svg)
    }

    fn __repr__(&self) -> String {
        let (board, outcome) = (&self.written.board, self.outcome());
        match self.bites.len() {
            0 => format!("<Board: {board} is {outcome}>"),
            1 => format!("<Board: {board} is {outcome}, 1 winning bite>"),
            number => format!("<Board: {board} is {outcome}, {number} winning bites>"),
        }
    }
}

/// Solves a board with any number of rows and the rectangle around it: a `Board`.
///
/// The board is given as a position is to `query`. A text in square brackets with separated
/// numbers, which Cho and Zeilberger read differently, is refused if that makes two boards. Time
/// and memory grow with the binomial coefficient of rows and columns: 18x18 takes seconds. Longer
/// rows are for `query`. `progress` is as for `rows`.
///
/// Raises ValueError and TypeError as `query`, and MemoryError if the rectangle needs more memory
/// than there is.
///
/// >>> import chomp
/// >>> board = chomp.board("8x10")
/// >>> board, board.winning_bites
/// (<Board: (10,10,10,10,10,10,10,10) is N, 2 winning bites>, [(4, 9), (5, 6)])
#[pyfunction]
#[pyo3(
    signature = (*board, progress = Progress::Bar),
    text_signature = "(*board, progress=True)"
)]
pub fn board(py: Python, board: &Bound<PyTuple>, progress: Progress) -> PyResult<PyBoard> {
    let written = crate::position::board(board)?;
    let (rows, columns) = (written.board.height(), written.board.width());
    let solution =
        attend(py, progress, |watch| Ok(driver::solve_board(rows, columns, None, watch)?))?;
    let bites = solution.winning_bites(&written.board).unwrap_or_default();
    let strategy = Strategy::of(&*solution, &written.board);
    Ok(PyBoard { written, solution, bites, strategy })
}
