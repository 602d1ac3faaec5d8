//! Rectangles that are solved in parts, which are kept in a folder.

use std::num::NonZero;
use std::ops::ControlFlow;
#[cfg(feature = "files")]
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use boards::boundary::{self, OnPart, Solution, Solver};
use boards::rectangles::positions;
use boards::{OnProgress, SolveError};

use crate::Error;
use crate::costs;
use crate::engine::threads_or_default;
use crate::memory::{self, Need, Purpose};
use crate::watch::{Running, Unit, Watch, Work};

/// All P-positions of a rectangle, as a list, also of a small one. With this number of threads, or
/// by default with as many as the sweep has.
///
/// # Errors
/// [`Error::Board`], [`Error::Memory`] before any work, and [`Error::Interrupted`].
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
    let threads = begin(rows, columns, threads, watch)?;
    let on_part = |_, _: &[u8]| ControlFlow::Continue(());
    solve(Solver::new(rows, columns)?, 0, threads, &on_part, watch)
}

/// Refuses a run that needs more memory than is available. Returns the number of threads.
fn begin(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
) -> Result<NonZero<usize>, Error> {
    let (need, threads) = need_of_list(rows, columns, threads);
    memory::announce(Purpose::Board { rows, columns }, need, watch)?;
    Ok(threads)
}

/// The need of the list of P-positions, and the number of its threads.
pub(crate) fn need_of_list(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
) -> (Need, NonZero<usize>) {
    let threads = threads_or_default(threads);
    let bytes = boundary::memory(rows, columns, threads);
    let time = costs::boundary(positions(rows, columns), threads);
    (Need::of_threads(bytes, threads, time), threads)
}

/// Runs a search that reports its steps, and can be stopped.
pub(crate) fn in_steps<T>(
    work: Work,
    watch: &dyn Watch,
    search: impl FnOnce(&OnProgress) -> Result<T, SolveError>,
) -> Result<T, Error> {
    let _running = Running::new(watch, work);
    let done = AtomicU64::new(work.before);
    let tell = |steps| {
        watch.done(done.fetch_add(steps, Ordering::Relaxed) + steps);
        if watch.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    Ok(search(&tell)?)
}

fn solve(
    solver: Solver,
    before: u64,
    threads: NonZero<usize>,
    on_part: &OnPart,
    watch: &dyn Watch,
) -> Result<Solution, Error> {
    let work = Work { unit: Unit::Position, all: solver.positions(), before, exponent: 1.0 };
    in_steps(work, watch, |tell| solver.solve(threads, on_part, tell))
}

/// The same, with each part kept in a folder as soon as it is found, and parts that an earlier run
/// kept there taken from it. The solution is the same, however often the work was interrupted. The
/// folder is made if it is not there, and stays. Also returns the number of the parts that were
/// taken, which are believed.
///
/// # Errors
/// As [`solve_in_parts`], but [`Error::PartsInterrupted`]; [`Error::Parts`] if parts in the folder
/// are damaged or of another rectangle, or cannot be read or written.
#[cfg(feature = "files")]
pub fn solve_and_keep_parts(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    folder: &Path,
    watch: &dyn Watch,
) -> Result<(Solution, usize), Error> {
    let threads = begin(rows, columns, threads, watch)?;
    let mut solver = Solver::new(rows, columns)?;
    let parts = kept::Parts::open(folder, rows, columns)?;
    let before = parts.give_to(&mut solver, watch)?;
    let (all, given) = (solver.parts().count(), parts.there());
    match solve(solver, before, threads, &|part, bytes| parts.keep(part, bytes), watch) {
        Err(Error::Interrupted) => Err(parts.why_interrupted(all)),
        result => Ok((result?, given)),
    }
}

#[cfg(feature = "files")]
pub use kept::PartsError;

#[cfg(feature = "files")]
mod kept {
    use std::io::{self, Read};
    use std::ops::ControlFlow;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};

    use boards::boundary::Solver;
    use thiserror::Error;

    use crate::Error;
    use crate::resume_folder::ResumeFolder;
    use crate::watch::{Event, Watch};

    /// The beginning of the first line of a part: the name and the version of the format. Every
    /// change of the file or its meaning needs a new version.
    const MAGIC: &str = "chomp-part 1";

    /// Why parts in a folder cannot be used.
    #[derive(Debug, Error)]
    #[non_exhaustive]
    pub enum PartsError {
        /// A file that differs from the one that was written.
        #[error(
            "{} is damaged ({problem}); remove it, and the same command finds its positions anew",
            file.display()
        )]
        Damaged {
            /// The file.
            file: PathBuf,
            /// The problem.
            problem: String,
        },
        /// A file of another rectangle, or of another version.
        #[error(
            "{} begins with `{found}`, and `{expected}` is needed; choose another folder",
            file.display()
        )]
        Other {
            /// The file.
            file: PathBuf,
            /// Its first line.
            found: String,
            /// The first line that it should have.
            expected: String,
        },
        /// The operating system refuses an operation.
        #[error("cannot {what} {}: {source}", path.display())]
        System {
            /// The operation.
            what: &'static str,
            /// The file or folder.
            path: PathBuf,
            /// Its reason.
            source: io::Error,
        },
    }

    /// The parts in a folder.
    pub struct Parts {
        folder: ResumeFolder,
        /// Rows and columns, as a first line has them.
        rectangle: String,
        /// The number of parts.
        there: AtomicUsize,
        /// Why a part could not be kept.
        failure: Mutex<Option<PartsError>>,
    }

    fn name(part: u32) -> String {
        format!("part-{part:04}")
    }

    impl Parts {
        pub fn open(folder: &Path, rows: u16, columns: u16) -> Result<Self, PartsError> {
            let opened = ResumeFolder::open(folder).map_err(|source| PartsError::System {
                what: "use the folder",
                path: folder.to_owned(),
                source,
            })?;
            Ok(Self {
                folder: opened,
                rectangle: format!("{rows}x{columns}"),
                there: AtomicUsize::new(0),
                failure: Mutex::new(None),
            })
        }

        pub fn there(&self) -> usize {
            self.there.load(Ordering::Relaxed)
        }

        fn first_line(&self, part: u32) -> String {
            format!("{MAGIC} of {} number {part}", self.rectangle)
        }

        /// Gives all parts that are there. Returns the number of their positions.
        pub fn give_to(&self, solver: &mut Solver, watch: &dyn Watch) -> Result<u64, Error> {
            let mut positions = 0;
            let all: Vec<u32> = solver.parts().collect();
            for &part in &all {
                if watch.stop() {
                    return Err(Error::Interrupted);
                }
                let Some(bytes) = self.read(part, solver.most_bytes(part), watch)? else {
                    continue;
                };
                solver.give(part, &bytes).map_err(|error| self.damaged(part, error.to_string()))?;
                positions += solver.positions_of(part);
                self.there.fetch_add(1, Ordering::Relaxed);
            }
            let (given, all) = (self.there(), all.len());
            if given > 0 {
                let folder = self.folder.path().to_owned();
                watch.event(&Event::PartsGiven { folder, given, all });
            }
            Ok(positions)
        }

        /// The bytes of a part; `None` if it is not there.
        fn read(&self, part: u32, most: u64, watch: &dyn Watch) -> Result<Option<Vec<u8>>, Error> {
            let file = self.folder.file(&name(part));
            let failed = |source: io::Error| match source.kind() {
                io::ErrorKind::InvalidData => self.damaged(part, source.to_string()).into(),
                _ if watch.stop() => Error::Interrupted,
                _ => PartsError::System { what: "read", path: file.clone(), source }.into(),
            };
            let Some(opened) = self.folder.read(&name(part)).map_err(failed)? else {
                return Ok(None);
            };
            let expected = self.first_line(part);
            if opened.line != expected {
                let found = opened.line;
                return Err(PartsError::Other { file, found, expected }.into());
            }
            let (mut source, _) = opened.verify(most, watch).map_err(failed)?;
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes).map_err(failed)?;
            Ok(Some(bytes))
        }

        fn damaged(&self, part: u32, problem: String) -> PartsError {
            PartsError::Damaged { file: self.folder.file(&name(part)), problem }
        }

        /// Keeps a part.
        pub fn keep(&self, part: u32, bytes: &[u8]) -> ControlFlow<()> {
            let line = self.first_line(part);
            match self.folder.write(&name(part), &line, |out| out.write_all(bytes)) {
                Ok(_hash) => {
                    self.there.fetch_add(1, Ordering::Relaxed);
                    ControlFlow::Continue(())
                }
                Err(source) => {
                    let path = self.folder.file(&name(part));
                    let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                    failure.get_or_insert(PartsError::System { what: "write", path, source });
                    ControlFlow::Break(())
                }
            }
        }

        /// Why the solver was stopped; `all` is the number of all parts.
        pub fn why_interrupted(&self, all: usize) -> Error {
            let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
            let interrupted = || {
                let (folder, there) = (self.folder.path().to_owned(), self.there());
                Error::PartsInterrupted { folder, there, all }
            };
            failure.map_or_else(interrupted, Error::Parts)
        }
    }
}
