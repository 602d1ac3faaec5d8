//! Boards with any number of rows: those that fit into a rectangle, and those with a given number
//! of squares.

use std::iter;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use answers::{Answer, Position, Theorem};
use boards::grundy;
use boards::rectangles::{self, Solution};
use boards::squares::{BySquares, Counts};
use boards::strategy::Strategy;
use boards::{OnProgress, SolveError, Solved};
use game::{Board, Outcome, Square};
use num_traits::ToPrimitive;

use crate::Error;
use crate::costs;
use crate::engine::threads_or_default;
use crate::memory::{self, Cost, Need, Purpose};
use crate::parts::{in_steps, need_of_list, solve_in_parts};
use crate::watch::{Unit, Watch, Work};

/// With fewer choices of lower rows than this, a thread costs more than it saves.
const CHOICES_FOR_THREADS: u64 = 1_000_000;

/// Solves a rectangle, with this number of threads, by default that of the sweep. The solution has
/// a bit for each position; or it is a list of the P-positions, if the bits take more than ten
/// seconds or 1 GB, and the list takes less.
///
/// # Errors
/// [`Error::Board`], [`Error::Memory`] before any work, and [`Error::Interrupted`].
///
/// ```
/// let solution = driver::solve_board(8, 10, None, &())?;
/// assert_eq!(solution.winning_bites(&"8x10".parse()?).unwrap().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_board(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
) -> Result<Box<dyn Solved>, Error> {
    let all = rectangles::choices(rows, columns)?;
    let (need, walkers) = need_of_bits(rows, columns, all, threads);
    if is_cheaper_as_list(rows, columns, need, threads) {
        return Ok(Box::new(solve_in_parts(rows, columns, threads, watch)?));
    }
    memory::announce(Purpose::Board { rows, columns }, need, watch)?;
    let work = of_lower_rows(all);
    Ok(Box::new(in_steps(work, watch, |tell| Solution::of(rows, columns, walkers, tell))?))
}

/// Who wins a board, with the bites that win, or with a strategy.
#[derive(Debug)]
pub struct BoardAnswer {
    /// The board.
    pub board: Board,
    /// The bites that win, by row and column; perhaps not all of them, if a theorem answers.
    pub bites: Vec<Square>,
    /// The foundation.
    pub basis: BoardBasis,
}

/// The foundation of an answer about a board.
#[derive(Debug)]
pub enum BoardBasis {
    /// All positions of the rectangle around it, and the strategy of a P-position.
    Solved(Box<dyn Solved>, Option<Strategy>),
    /// An answer by a theorem.
    Theorem(Box<Answer>),
}

impl BoardAnswer {
    /// The answer about a board, from the rectangle around it. If that takes more than ten seconds
    /// or 1 GB, or cannot be solved, and `all` bites are not asked for, a theorem answers where one
    /// does.
    ///
    /// # Errors
    /// As [`solve_board`].
    ///
    /// ```
    /// use driver::BoardAnswer;
    /// let [solved, square] = ["8x10", "30x30"]
    ///     .map(|board| BoardAnswer::of(board.parse().unwrap(), None, false, &()).unwrap());
    /// assert_eq!((solved.bites.len(), solved.theorem()), (2, None));
    /// assert_eq!((square.bites[0].row, square.bites[0].column), (2, 2));
    /// assert!(!square.theorem().unwrap().has_all_bites());
    /// ```
    pub fn of(
        board: Board,
        threads: Option<NonZero<usize>>,
        all: bool,
        watch: &dyn Watch,
    ) -> Result<Self, Error> {
        let (rows, columns) = (board.height(), board.width());
        if !all && cost_of_rectangle(rows, columns).is_none_or(Cost::is_much) {
            let position = Position::finite(board.rows().iter().copied()).ok();
            if let Some(answer) = position.as_ref().and_then(Theorem::decide) {
                let square = |left| {
                    let bite = answer.position.bite_to(left)?;
                    Some(Square { row: bite.row.to_u16()?, column: bite.column.to_u16()? })
                };
                let bites = answer.leaves().filter_map(square).collect();
                return Ok(Self { board, bites, basis: BoardBasis::Theorem(Box::new(answer)) });
            }
        }
        let solution = solve_board(rows, columns, threads, watch)?;
        let bites = solution.winning_bites(&board).unwrap_or_default();
        let strategy = Strategy::of(&*solution, &board);
        Ok(Self { board, bites, basis: BoardBasis::Solved(solution, strategy) })
    }

    /// The cost of all bites that win; `None` if the rectangle cannot be solved.
    #[must_use]
    pub fn cost_of_all_bites(&self) -> Option<Cost> {
        cost_of_rectangle(self.board.height(), self.board.width())
    }

    /// P or N.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match &self.basis {
            BoardBasis::Solved(_, Some(_)) => Outcome::P,
            BoardBasis::Theorem(answer) if answer.is_p() => Outcome::P,
            _ => Outcome::N,
        }
    }

    /// The strategy of a P-position, if the rectangle is solved.
    #[must_use]
    pub fn strategy(&self) -> Option<&Strategy> {
        match &self.basis {
            BoardBasis::Solved(_, strategy) => strategy.as_ref(),
            BoardBasis::Theorem(_) => None,
        }
    }

    /// The rectangle around the board, if it is solved.
    #[must_use]
    pub fn solution(&self) -> Option<&dyn Solved> {
        match &self.basis {
            BoardBasis::Solved(solution, _) => Some(&**solution),
            BoardBasis::Theorem(_) => None,
        }
    }

    /// The answer by a theorem, if the rectangle is not solved.
    #[must_use]
    pub fn theorem(&self) -> Option<&Answer> {
        match &self.basis {
            BoardBasis::Solved(..) => None,
            BoardBasis::Theorem(answer) => Some(answer),
        }
    }
}

/// Whether the bits take much, and a list of the P-positions less. In a browser rectangles are
/// small, and the code for lists is left out.
fn is_cheaper_as_list(
    rows: u16,
    columns: u16,
    bits: Need,
    threads: Option<NonZero<usize>>,
) -> bool {
    let list = need_of_list(rows, columns, threads).0;
    cfg!(feature = "parallel")
        && bits.cost().is_much()
        && list.cost().weight() < bits.cost().weight()
}

/// The need of a bit for each position of a rectangle with this number of choices, and the number
/// of its threads.
fn need_of_bits(
    rows: u16,
    columns: u16,
    choices: u64,
    threads: Option<NonZero<usize>>,
) -> (Need, NonZero<usize>) {
    let threads = match threads {
        None if choices < CHOICES_FOR_THREADS => NonZero::<usize>::MIN,
        chosen => threads_or_default(chosen),
    };
    let threads = threads.min(rectangles::walkers(rows, columns));
    let bytes = rectangles::memory(rows, columns, threads);
    let time = costs::rectangle(rows, columns, threads);
    (Need::of_threads(bytes, threads, time), threads)
}

/// The cost of a rectangle, with the usual number of threads; `None` if no machine can solve it.
pub(crate) fn cost_of_rectangle(rows: u16, columns: u16) -> Option<Cost> {
    let choices = rectangles::choices(rows, columns).ok()?;
    let bits = need_of_bits(rows, columns, choices, None).0;
    if bits.bytes == u64::MAX {
        return None;
    }
    let is_list = is_cheaper_as_list(rows, columns, bits, None);
    Some(if is_list { need_of_list(rows, columns, None).0 } else { bits }.cost())
}

/// A search through choices of lower rows.
fn of_lower_rows(all: u64) -> Work {
    Work { unit: Unit::LowerRows, all, before: 0, exponent: 1.0 }
}

/// Counts all boards of 0, 1, ..., `most` squares. `visit` gets the counts for each number of
/// squares, and can break off. Without squares there is no position.
///
/// # Errors
/// [`Error::Memory`] before any work, and [`Error::Interrupted`].
///
/// ```
/// # use std::ops::ControlFlow;
/// let mut p = Vec::new();
/// driver::boards_by_squares(9, &(), |counts| {
///     p.push(counts.p);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(p, [0, 1, 0, 1, 0, 3, 0, 3, 2, 5]);
/// # Ok::<(), driver::Error>(())
/// ```
pub fn boards_by_squares(
    most: u64,
    watch: &dyn Watch,
    mut visit: impl FnMut(Counts) -> ControlFlow<()>,
) -> Result<(), Error> {
    let squares = u16::try_from(most).unwrap_or(u16::MAX);
    let bytes = BySquares::memory(squares);
    let need = Need::of_one_thread(bytes, costs::boards_by_squares(bytes));
    memory::announce(Purpose::Squares { most }, need, watch)?;
    for counts in iter::once(Counts::default()).chain(BySquares::up_to(squares)) {
        if watch.stop() {
            return Err(Error::Interrupted);
        }
        if visit(counts).is_break() {
            break;
        }
    }
    Ok(())
}

/// The Grundy values of 3 × 1 to 3 × `columns`. `visit` gets each as soon as it is known, with its
/// number of columns, and can break off. Without a number of threads, it takes the default of the
/// sweep.
///
/// # Errors
/// [`Error::Memory`] before any work, [`Error::Board`] for a thread, and [`Error::Interrupted`].
///
/// ```
/// # use std::ops::ControlFlow;
/// let mut values = Vec::new();
/// driver::grundy_values_of_rectangles(5, None, &(), |_, value| {
///     values.push(value);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(values, [2, 4, 5, 9, 11]);
/// # Ok::<(), driver::Error>(())
/// ```
pub fn grundy_values_of_rectangles(
    columns: u64,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
    visit: impl FnMut(u64, u64) -> ControlFlow<()> + Send,
) -> Result<(), Error> {
    let visit = Mutex::new(visit);
    let visit = |columns: u16, value: u32| {
        let mut visit = visit.lock().unwrap_or_else(PoisonError::into_inner);
        visit(columns.into(), value.into())
    };
    of_table(columns, threads, watch, |columns, threads, tell| {
        grundy::rectangles(columns, threads, tell, &visit)
    })
}

/// The Grundy values of positions `(p,q,r)`, from the full table of those with a top row that is
/// not longer than the longest.
///
/// # Errors
/// As [`grundy_values_of_rectangles`].
pub(crate) fn grundy_values_of_table(
    positions: &[[u16; 3]],
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
) -> Result<Vec<u32>, Error> {
    let columns = positions.iter().map(|&[p, ..]| p).max().unwrap_or(0);
    of_table(columns.into(), threads, watch, |_, threads, tell| {
        grundy::values(positions, threads, tell)
    })
}

/// Announces the need of a full table, and asks it.
fn of_table<T>(
    columns: u64,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
    ask: impl FnOnce(u16, NonZero<usize>, &OnProgress) -> Result<T, SolveError>,
) -> Result<T, Error> {
    let purpose = Purpose::GrundyValues { columns };
    let columns = u16::try_from(columns).unwrap_or(u16::MAX);
    let threads = threads_or_default(threads);
    let threads = threads.min(grundy::walkers(columns));
    let time = costs::grundy_of_three_rows(columns.into(), threads);
    let need = Need::of_threads(grundy::memory(columns, threads), threads, time);
    memory::announce(purpose, need, watch)?;
    in_steps(of_lower_rows(grundy::slices(columns)), watch, |tell| ask(columns, threads, tell))
}

/// The Grundy values of all boards within one.
///
/// # Errors
/// [`Error::Memory`] before any work, [`Error::Board`] if there are too many, and
/// [`Error::Interrupted`].
pub(crate) fn grundy_table_within(
    around: &Board,
    watch: &dyn Watch,
) -> Result<grundy::within::Table, Error> {
    let (rows, columns) = (around.height(), around.width());
    let bytes = grundy::within::memory(around).unwrap_or(u64::MAX);
    let all = grundy::within::choices(around).unwrap_or(u64::MAX);
    let need = Need::of_one_thread(bytes, costs::grundy_within(around));
    memory::announce(Purpose::GrundyValuesWithin { rows, columns }, need, watch)?;
    in_steps(of_lower_rows(all), watch, |tell| grundy::within::Table::of(around, tell))
}
