//! Boards with any number of rows: those that fit into a rectangle, which can be solved in parts
//! that a folder keeps, and those with a given number of squares.

use std::fmt::Display;
use std::io::Read;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use answers::{Answer, Basis, Position};
use boards::boundary::{self, Solver};
use boards::lengths;
use boards::rectangles::{self, Solution};
use boards::{OnProgress, SolveError, Solved, grundy, sieve};
use game::Board;

use crate::Error;
use crate::costs;
use crate::engine::threads_or_default;
use crate::job::{Cost, Event, Job, Keeper, Running, Watch, Work, refused};

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
    let work = Work { unit: "column", all, before: 0, exponent: 1.75 };
    let running = Job::new(what, "choose fewer columns", cost).run(work, watch)?;
    running.steps(|tell| lengths::of_three_rows(columns, last_row, threads, tell, &mut visit))
}

/// A search through choices of lower rows.
fn of_lower_rows(all: u64) -> Work {
    Work { unit: "step", all, before: 0, exponent: 1.0 }
}

/// Announces the need of a full table of the Grundy values of positions with three rows, and asks
/// it.
///
/// # Errors
/// [`Error::Memory`] before any work, a thread that cannot be created, and
/// [`Error::Interrupted`].
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

/// A rectangle that is solved at this cost.
fn of_rectangle(rows: u16, columns: u16, cost: Cost) -> Job {
    let what = format!("the positions of {rows}x{columns} need");
    Job::new(what, "choose a smaller board", cost)
}

/// All P-positions of a rectangle, as a list, also of a small one. With this number of threads, or
/// by default with as many as the sweep has.
///
/// If there is a folder, each part is kept in it as soon as it is found, and parts that an earlier
/// run kept there are taken from it. The solution is the same, however often the work was
/// interrupted. The folder is made if it is not there, and stays. Also returns the number of the
/// parts that were taken, which are believed.
///
/// # Errors
/// A rectangle that is too large; [`Error::Memory`] before any work; parts in the folder that are
/// damaged or of another rectangle, or cannot be read; and [`Error::Interrupted`], or with a folder
/// words that say how many parts there are. If a part cannot be written, `watch` is told, and the
/// run continues.
///
/// ```
/// use boards::Solved;
/// let (solution, _) = driver::solve_in_parts(10, 10, None, None, &())?;
/// assert_eq!(solution.p_count(), 2612);
/// # Ok::<(), driver::Error>(())
/// ```
pub fn solve_in_parts(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    folder: Option<&Path>,
    watch: &dyn Watch,
) -> Result<(boundary::Solution, usize), Error> {
    let threads = threads_or_default(threads);
    let cost = costs::boundary(rows, columns, threads);
    of_rectangle(rows, columns, cost).announce(None, watch)?;
    let mut solver = Solver::new(rows, columns)?;
    let parts = folder.map(|folder| Parts::open(folder, rows, columns, watch)).transpose()?;
    let parts = parts.as_ref();
    let before = parts.map_or(Ok(0), |parts| parts.give_to(&mut solver))?;
    let (all, given) = (solver.parts().count(), parts.map_or(0, Parts::there));
    let on_part = |part, bytes: &[u8]| {
        if let Some(parts) = parts {
            parts.keep(part, bytes);
        }
    };
    let work = Work { unit: "position", all: solver.positions(), before, exponent: 1.0 };
    let running = Running::new(watch, work);
    match (running.steps(|tell| solver.solve(threads, &on_part, tell)), parts) {
        (Err(Error::Interrupted), Some(parts)) => Err(parts.interrupted(all)),
        (solved, _) => Ok((solved?, given)),
    }
}

/// The beginning of the first line of a part: the name and the version of the format. Every
/// change of the file or its meaning needs a new version.
const MAGIC: &str = "chomp-part 2";

/// The parts in a folder.
struct Parts<'a> {
    keeper: Keeper<'a>,
    /// Rows and columns, as a first line has them.
    rectangle: String,
    /// The number of parts.
    there: AtomicUsize,
}

fn name(part: u32) -> String {
    format!("part-{part:04}")
}

impl<'a> Parts<'a> {
    fn open(folder: &Path, rows: u16, columns: u16, watch: &'a dyn Watch) -> Result<Self, Error> {
        let keeper = Keeper::open(folder, Duration::ZERO, watch);
        Ok(Self {
            keeper: keeper.map_err(|error| refused(folder, error))?,
            rectangle: format!("{rows}x{columns}"),
            there: AtomicUsize::new(0),
        })
    }

    fn there(&self) -> usize {
        self.there.load(Ordering::Relaxed)
    }

    fn first_line(&self, part: u32) -> String {
        format!("{MAGIC} of {} number {part}", self.rectangle)
    }

    /// Gives all parts that are there. Returns the number of their positions.
    fn give_to(&self, solver: &mut Solver) -> Result<u64, Error> {
        let (keeper, mut positions) = (&self.keeper, 0);
        let all: Vec<u32> = solver.parts().collect();
        for &part in &all {
            Error::if_interrupted(keeper.watch)?;
            let (name, line) = (name(part), self.first_line(part));
            let failed = |problem: &dyn Display| {
                keeper.refused(&name, format!("{problem}; remove it, or choose another folder"))
            };
            let opened = keeper.read(&name, &line, solver.most_bytes(part));
            let Some((mut source, _)) = opened.map_err(|error| failed(&error))? else { continue };
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes).map_err(|error| failed(&error))?;
            solver.give(part, &bytes).map_err(|error| failed(&error))?;
            positions += solver.positions_of(part);
            self.there.fetch_add(1, Ordering::Relaxed);
        }
        let (given, all, folder) = (self.there(), all.len(), keeper.folder.path().display());
        if given > 0 {
            let words = format!("{given} of {all} parts are in {folder}; they are believed");
            keeper.watch.event(&Event::Remark(words));
        }
        Ok(positions)
    }

    /// Keeps a part, if it can be written.
    fn keep(&self, part: u32, bytes: &[u8]) {
        let line = self.first_line(part);
        if self.keeper.write(&name(part), &line, |out| out.write_all(bytes)).is_some() {
            self.there.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The solver was interrupted; `all` is the number of all parts.
    fn interrupted(&self, all: usize) -> Error {
        let (folder, there) = (self.keeper.folder.path().display(), self.there());
        Error::interrupted(format!(
            "; {folder} holds {there} of {all} parts, and the same command resumes from them"
        ))
    }
}
