//! Rectangles that are solved in parts, which a folder can keep.

use std::fmt::Display;
use std::io::{self, Read};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use boards::boundary::{Solution, Solver};
use files::ResumeFolder;

use crate::Error;
use crate::costs;
use crate::engine::threads_or_default;
use crate::job::{Cost, Event, Job, Running, Unit, Watch, Work};

/// All P-positions of a rectangle, as a list, also of a small one. With this number of threads, or
/// by default with as many as the sweep has.
///
/// # Errors
/// A rectangle that is too large; [`Error::Memory`] before any work, and [`Error::Interrupted`].
///
/// ```
/// use boards::Solved;
/// let solution = driver::solve_in_parts(10, 10, None, &())?;
/// assert_eq!(solution.p_count(), 2612);
/// # Ok::<(), driver::Error>(())
/// ```
pub fn solve_in_parts(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
) -> Result<Solution, Error> {
    in_parts(rows, columns, threads, None, watch).map(|(solution, _)| solution)
}

/// A rectangle that is solved at this cost.
pub(crate) fn of_rectangle(rows: u16, columns: u16, cost: Cost) -> Job {
    let what = format!("the positions of {rows}x{columns} need");
    Job::new(what, "choose a smaller board", cost)
}

/// The cost of the list of P-positions, and the number of its threads.
pub(crate) fn cost_of_list(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
) -> (Cost, NonZero<usize>) {
    let threads = threads_or_default(threads);
    (costs::boundary(rows, columns, threads), threads)
}

/// The same, with each part kept in a folder as soon as it is found, and parts that an earlier run
/// kept there taken from it. The solution is the same, however often the work was interrupted. The
/// folder is made if it is not there, and stays. Also returns the number of the parts that were
/// taken, which are believed.
///
/// # Errors
/// As [`solve_in_parts`]; parts in the folder that are damaged or of another rectangle, or cannot
/// be read or written. The words of an interruption say how many parts there are.
pub fn solve_and_keep_parts(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    folder: &Path,
    watch: &dyn Watch,
) -> Result<(Solution, usize), Error> {
    in_parts(rows, columns, threads, Some(folder), watch)
}

/// Refuses a run that needs more memory than is available.
fn in_parts(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    folder: Option<&Path>,
    watch: &dyn Watch,
) -> Result<(Solution, usize), Error> {
    let (cost, threads) = cost_of_list(rows, columns, threads);
    of_rectangle(rows, columns, cost).announce(None, watch)?;
    let mut solver = Solver::new(rows, columns)?;
    let parts = folder.map(|folder| Parts::open(folder, rows, columns)).transpose()?;
    let parts = parts.as_ref();
    let before = parts.map_or(Ok(0), |parts| parts.give_to(&mut solver, watch))?;
    let (all, given) = (solver.parts().count(), parts.map_or(0, Parts::there));
    let on_part = |part, bytes: &[u8]| match parts {
        Some(parts) => parts.keep(part, bytes),
        None => ControlFlow::Continue(()),
    };
    let work = Work { unit: Unit::Position, all: solver.positions(), before, exponent: 1.0 };
    let running = Running::new(watch, work);
    match (running.steps(|tell| solver.solve(threads, &on_part, tell)), parts) {
        (Err(Error::Interrupted), Some(parts)) => Err(parts.why_interrupted(all)),
        (solved, _) => Ok((solved?, given)),
    }
}

/// The beginning of the first line of a part: the name and the version of the format. Every
/// change of the file or its meaning needs a new version.
const MAGIC: &str = "chomp-part 2";

/// The parts in a folder.
struct Parts {
    folder: ResumeFolder,
    /// Rows and columns, as a first line has them.
    rectangle: String,
    /// The number of parts.
    there: AtomicUsize,
    /// Why a part could not be kept.
    failure: Mutex<Option<Error>>,
}

fn name(part: u32) -> String {
    format!("part-{part:04}")
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Error {
    Error::file(format!("cannot {what} {}: {error}", path.display()))
}

impl Parts {
    fn open(folder: &Path, rows: u16, columns: u16) -> Result<Self, Error> {
        let opened = ResumeFolder::open(folder);
        Ok(Self {
            folder: opened.map_err(|error| cannot("use the folder", folder, &error))?,
            rectangle: format!("{rows}x{columns}"),
            there: AtomicUsize::new(0),
            failure: Mutex::new(None),
        })
    }

    fn there(&self) -> usize {
        self.there.load(Ordering::Relaxed)
    }

    fn first_line(&self, part: u32) -> String {
        format!("{MAGIC} of {} number {part}", self.rectangle)
    }

    /// Gives all parts that are there. Returns the number of their positions.
    fn give_to(&self, solver: &mut Solver, watch: &dyn Watch) -> Result<u64, Error> {
        let mut positions = 0;
        let all: Vec<u32> = solver.parts().collect();
        for &part in &all {
            Error::if_interrupted(watch)?;
            let Some(bytes) = self.read(part, solver.most_bytes(part), watch)? else {
                continue;
            };
            solver.give(part, &bytes).map_err(|error| self.damaged(part, &error))?;
            positions += solver.positions_of(part);
            self.there.fetch_add(1, Ordering::Relaxed);
        }
        let (given, all, folder) = (self.there(), all.len(), self.folder.path().display());
        if given > 0 {
            let words = format!("{given} of {all} parts are in {folder}; they are believed");
            watch.event(&Event::Remark(words));
        }
        Ok(positions)
    }

    /// The bytes of a part; `None` if it is not there.
    fn read(&self, part: u32, most: u64, watch: &dyn Watch) -> Result<Option<Vec<u8>>, Error> {
        let (name, expected) = (name(part), self.first_line(part));
        let file = self.folder.file(&name);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::InvalidData => self.damaged(part, &error),
            _ if watch.stop() => Error::Interrupted,
            _ => cannot("read", &file, &error),
        };
        let Some(opened) = self.folder.read(&name).map_err(failed)? else {
            return Ok(None);
        };
        if opened.line != expected {
            let (file, found) = (file.display(), opened.line);
            return Err(Error::file(format!(
                "{file} begins with `{found}`, and `{expected}` is needed; choose another folder"
            )));
        }
        let (mut source, _) = opened.verify(most, || watch.stop()).map_err(failed)?;
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes).map_err(failed)?;
        Ok(Some(bytes))
    }

    fn damaged(&self, part: u32, problem: &dyn Display) -> Error {
        let file = self.folder.file(&name(part));
        Error::file(format!(
            "{} is damaged ({problem}); remove it, and the same command finds its positions anew",
            file.display()
        ))
    }

    /// Keeps a part.
    fn keep(&self, part: u32, bytes: &[u8]) -> ControlFlow<()> {
        let line = self.first_line(part);
        match self.folder.write(&name(part), &line, |out| out.write_all(bytes)) {
            Ok(_hash) => {
                self.there.fetch_add(1, Ordering::Relaxed);
                ControlFlow::Continue(())
            }
            Err(error) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                let path = self.folder.file(&name(part));
                failure.get_or_insert_with(|| cannot("write", &path, &error));
                ControlFlow::Break(())
            }
        }
    }

    /// Why the solver was stopped; `all` is the number of all parts.
    fn why_interrupted(&self, all: usize) -> Error {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (folder, there) = (self.folder.path().display(), self.there());
        let words = format!(
            "; {folder} holds {there} of {all} parts, and the same command resumes from them"
        );
        failure.unwrap_or_else(|| Error::interrupted(words))
    }
}
