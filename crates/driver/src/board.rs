//! Boards with any number of rows: those that fit into a rectangle, and those with a given number
//! of squares.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::time::Duration;

use answers::{Answer, Basis, Position};
use boards::lengths::{self, Lengths};
use boards::rectangles::{self, Solution};
use boards::{OnProgress, SolveError, Solved, grundy, sieve};
use game::Board;

use crate::Error;
use crate::costs;
use crate::engine::threads_or_default;
use crate::job::{Cost, Job, Unit, Watch, Work};
use crate::parts::{of_rectangle, solve_in_parts};

/// With fewer choices of lower rows than this, a thread costs more than it saves.
const CHOICES_FOR_THREADS: u64 = 1_000_000;

/// Solves a rectangle, with this number of threads, by default that of the sweep. The solution has
/// a bit for each position; or it is a list of the P-positions, if that is expected to take less
/// time and memory.
///
/// # Errors
/// A rectangle that is too large; [`Error::Memory`] before any work, and [`Error::Interrupted`].
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
    let (cost, walkers) = cheaper_way(rows, columns, threads)?;
    let Some(walkers) = walkers else {
        return Ok(Box::new(solve_in_parts(rows, columns, threads, None, watch)?.0));
    };
    let all = of_lower_rows(rectangles::choices(rows, columns)?);
    let running = of_rectangle(rows, columns, cost).run(all, watch)?;
    Ok(Box::new(running.steps(|tell| Solution::of(rows, columns, walkers, tell))?))
}

/// The cheaper way to solve a rectangle: its cost, and with a bit for each position the number of
/// threads; `None` for a list of the P-positions. In a browser rectangles are small, and the code
/// for lists is left out.
fn cheaper_way(
    rows: u16,
    columns: u16,
    chosen: Option<NonZero<usize>>,
) -> Result<(Cost, Option<NonZero<usize>>), SolveError> {
    let is_small = rectangles::choices(rows, columns)? < CHOICES_FOR_THREADS;
    let threads = threads_or_default(chosen);
    let walkers = if is_small { chosen.unwrap_or(NonZero::<usize>::MIN) } else { threads };
    let walkers = walkers.min(rectangles::walkers(rows, columns));
    let bits = costs::rectangle(rows, columns, walkers);
    let list = costs::boundary(rows, columns, threads);
    let is_possible = cfg!(feature = "parallel") && !is_small && bits.bytes < u64::MAX;
    let is_list = is_possible && list.weight() < bits.weight();
    Ok(if is_list { (list, None) } else { (bits, Some(walkers)) })
}

/// The cost of a rectangle, with the usual number of threads; `None` if no machine can solve it.
pub fn cost_of_rectangle(rows: u16, columns: u16) -> Option<Cost> {
    let (cost, _) = cheaper_way(rows, columns, None).ok()?;
    (cost.bytes < u64::MAX).then_some(cost)
}

/// The answer from a solved rectangle; `None` if the position does not fit into it.
pub fn answer_within(solution: &dyn Solved, position: &Position) -> Option<Answer> {
    let bites = solution.winning_bites(&position.board()?)?;
    let leaves = bites.into_iter().filter_map(|bite| position.after(&bite.into()));
    let basis = Basis::Rectangle { rows: solution.rows(), columns: solution.columns() };
    Some(Answer::without_record(position, leaves, basis))
}

/// The time that the length of a game may take beside an answer.
const MOMENT: Duration = Duration::from_millis(10);

/// The lengths of the games from all boards within a rectangle; `None` if they take longer than
/// `most`, ten seconds or 1 GB.
///
/// # Errors
/// [`Error::Memory`] before any work, and [`Error::Interrupted`].
///
/// ```
/// use std::time::Duration;
/// use driver::lengths_within;
/// let lengths = lengths_within(3, 12, Duration::from_millis(10), &())?.unwrap();
/// assert_eq!(lengths.of_board(&"3x12".parse()?), Some(28));
/// assert!(lengths_within(30, 30, Duration::MAX, &())?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lengths_within(
    rows: u16,
    columns: u16,
    most: Duration,
    watch: &dyn Watch,
) -> Result<Option<Lengths>, Error> {
    let cost = costs::lengths(rows, columns);
    if cost.is_much() || cost.time > most {
        return Ok(None);
    }
    let what = format!("the lengths of games on {rows}x{columns} need");
    let all = rectangles::positions(rows, columns);
    let work = Work { unit: Unit::Position, all, before: 0, exponent: 1.0 };
    let running = Job::new(what, "choose a smaller board", cost).run(work, watch)?;
    let (shorter, longer) = (rows.min(columns), rows.max(columns));
    running.steps(|tell| Lengths::of(shorter, longer, tell)).map(Some)
}

/// The answer with the length of the game, if that takes a hundredth of a second; beside all bites,
/// ten seconds and 1 GB.
///
/// # Errors
/// As [`lengths_within`].
pub fn with_length(answer: Answer, all_bites: bool, watch: &dyn Watch) -> Result<Answer, Error> {
    let Some(board) = answer.position.board() else { return Ok(answer) };
    let most = if all_bites { Duration::MAX } else { MOMENT };
    let lengths = lengths_within(board.height(), board.width(), most, watch)?;
    Ok(Answer { length: lengths.and_then(|lengths| lengths.of_board(&board)), ..answer })
}

/// The lengths of the games from the P-positions `(p,q,r)` with p up to `columns` and r up to
/// `last_row`, by p and then q. `visit` gets each as soon as it is known, and can break off.
///
/// # Errors
/// [`Error::Memory`] before any work, too many columns, a thread that cannot be created, and
/// [`Error::Interrupted`].
///
/// ```
/// # use std::ops::ControlFlow;
/// let mut lengths = Vec::new();
/// driver::game_lengths(3, 1, None, &(), |position, length| {
///     lengths.push((position, length));
///     ControlFlow::Continue(())
/// })?;
/// let found = [([1, 0, 0], 1), ([2, 1, 0], 3), ([2, 2, 1], 5), ([3, 1, 1], 5), ([3, 2, 0], 5)];
/// assert_eq!(lengths, found);
/// # Ok::<(), driver::Error>(())
/// ```
pub fn game_lengths(
    columns: u64,
    last_row: u16,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
    mut visit: impl FnMut([u16; 3], u16) -> ControlFlow<()>,
) -> Result<(), Error> {
    let what = format!("the lengths of games to 3x{columns} need");
    let columns = u16::try_from(columns).unwrap_or(u16::MAX);
    let threads = threads_or_default(threads);
    let mut cost = costs::lengths_of_three_rows(columns, threads);
    // The sieve takes a 25th of it; and a P-position has about 1.7 r columns or more.
    let share = 0.04 + (1.7 * (f64::from(last_row) + 1.0) / f64::from(columns)).powf(1.5);
    cost.time = cost.time.mul_f64(share.min(1.0));
    let all = sieve::columns(0, columns);
    let work = Work { unit: Unit::Column, all, before: 0, exponent: 1.75 };
    let running = Job::new(what, "choose fewer columns", cost).run(work, watch)?;
    running.steps(|tell| lengths::of_three_rows(columns, last_row, threads, tell, &mut visit))
}

/// A search through choices of lower rows.
fn of_lower_rows(all: u64) -> Work {
    Work { unit: Unit::LowerRows, all, before: 0, exponent: 1.0 }
}

/// The Grundy values of positions `(p,q,r)`, from the full table of those with a top row that is
/// not longer than the longest.
///
/// # Errors
/// [`Error::Memory`] before any work, a thread that cannot be created, and
/// [`Error::Interrupted`].
pub(crate) fn grundy_values_of_table(
    positions: &[[u16; 3]],
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
) -> Result<Vec<u32>, Error> {
    let columns = positions.iter().map(|&[p, ..]| p).max().unwrap_or(0);
    with_grundy_table(columns.into(), threads, watch, |_, threads, tell| {
        grundy::values(positions, threads, tell)
    })
}

/// Announces the need of a full table of Grundy values, and asks it.
pub(crate) fn with_grundy_table<T>(
    columns: u64,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
    ask: impl FnOnce(u16, NonZero<usize>, &OnProgress) -> Result<T, SolveError>,
) -> Result<T, Error> {
    let what = format!("Grundy values to 3x{columns} need");
    let columns = u16::try_from(columns).unwrap_or(u16::MAX);
    let threads = threads_or_default(threads).min(grundy::walkers(columns));
    let cost = costs::grundy_of_three_rows(columns, threads);
    let job = Job::new(what, "choose fewer columns", cost);
    let running = job.run(of_lower_rows(grundy::slices(columns)), watch)?;
    running.steps(|tell| ask(columns, threads, tell))
}

/// The Grundy values of all boards within one.
///
/// # Errors
/// [`Error::Memory`] before any work, too many boards, and [`Error::Interrupted`].
pub(crate) fn grundy_table_within(
    around: &Board,
    watch: &dyn Watch,
) -> Result<grundy::within::Table, Error> {
    let (rows, columns) = (around.height(), around.width());
    let what =
        format!("a table of Grundy values of boards with {rows} rows and {columns} columns needs");
    let job = Job::new(what, "choose a smaller board", costs::grundy_within(around));
    let all = grundy::within::choices(around).unwrap_or(u64::MAX);
    job.run(of_lower_rows(all), watch)?.steps(|tell| grundy::within::Table::of(around, tell))
}
