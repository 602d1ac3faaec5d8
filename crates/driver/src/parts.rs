//! Rectangles that are solved in parts, which a folder can keep.

use std::fmt::Display;
use std::io::Read;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use boards::boundary::{Solution, Solver};

use crate::Error;
use crate::costs;
use crate::engine::threads_or_default;
use crate::job::{Cost, Event, Job, Keeper, Running, Unit, Watch, Work, refused};

/// A rectangle that is solved at this cost.
pub(crate) fn of_rectangle(rows: u16, columns: u16, cost: Cost) -> Job {
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
) -> Result<(Solution, usize), Error> {
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
    let work = Work { unit: Unit::Position, all: solver.positions(), before, exponent: 1.0 };
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
