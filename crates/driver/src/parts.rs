//! Rectangles that are solved in parts, which are kept in a folder.

use std::num::NonZero;
use std::ops::ControlFlow;
#[cfg(feature = "files")]
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use boards::boundary::{self, OnPart, Solution, Solver};
use boards::rectangles::SolveError;

use crate::memory::{self, Need, Purpose};
use crate::watch::{Running, Unit, Watch, Work};
use crate::{Error, SweepOptions};

/// All P-positions of a rectangle, as a list: for larger rectangles than
/// [`solve_board`](crate::solve_board). With this number of threads, or by default with as many as
/// the sweep has.
///
/// # Errors
/// [`Error::Board`], [`Error::Memory`] before any work, and [`Error::Interrupted`].
///
/// ```
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

/// Refuses what needs more memory than there is. The number of threads.
fn begin(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
) -> Result<NonZero<usize>, Error> {
    let threads = threads.unwrap_or_else(|| SweepOptions::default().workers());
    let bytes = boundary::memory(rows, columns, threads);
    let need = Need { bytes, threads: threads.get() as u64 - 1, helpers: 0 };
    memory::announce(Purpose::Board { rows, columns }, need, watch)?;
    Ok(threads)
}

fn solve(
    solver: Solver,
    before: u64,
    threads: NonZero<usize>,
    on_part: &OnPart,
    watch: &dyn Watch,
) -> Result<Solution, Error> {
    let work = Work { unit: Unit::Position, all: solver.positions(), before, exponent: 1.0 };
    let _ended = Running::new(watch, work);
    let done = AtomicU64::new(before);
    let on_progress = |positions| {
        watch.done(done.fetch_add(positions, Ordering::Relaxed) + positions);
        if watch.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    solver.solve(threads, on_part, &on_progress).map_err(|error| match error {
        SolveError::Stopped => Error::Interrupted,
        error => Error::Board(error),
    })
}

/// The same, with each part kept in a folder as soon as it is found, and parts that an earlier run
/// kept there taken from it. The solution is the same, however often the work was interrupted. The
/// folder is made if it is not there, and stays.
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
) -> Result<Solution, Error> {
    let threads = begin(rows, columns, threads, watch)?;
    let mut solver = Solver::new(rows, columns)?;
    let parts = kept::Parts::open(folder, rows, columns)?;
    let before = parts.give_to(&mut solver, watch)?;
    let all = solver.parts().count();
    match solve(solver, before, threads, &|part, bytes| parts.keep(part, bytes), watch) {
        Err(Error::Interrupted) => Err(parts.why_interrupted(all)),
        result => result,
    }
}

#[cfg(feature = "files")]
pub use kept::PartsError;

#[cfg(feature = "files")]
mod kept {
    use std::io::{self, Write};
    use std::ops::ControlFlow;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};
    use std::{fs, str};

    use boards::boundary::Solver;
    use files::Lock;
    use record::data_set::{Disk, Folder, Storage, TEMPORARY_PREFIX};
    use thiserror::Error;

    use crate::Error;
    use crate::watch::{Event, Watch};

    /// How the first line of a part begins; the number is that of the format, to be raised whenever
    /// the file or its meaning changes.
    const MAGIC: &str = "chomp-part 1";

    /// No first line is longer.
    const LONGEST_LINE: u64 = 100;

    const HASH: usize = blake3::OUT_LEN;

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
        /// Another run has the folder.
        #[error("another run writes to {}; wait for it, or choose another folder", folder.display())]
        Locked {
            /// The folder.
            folder: PathBuf,
        },
    }

    /// The parts in a folder.
    pub struct Parts {
        folder: PathBuf,
        /// Rows and columns, as a first line has them.
        rectangle: String,
        /// The number of parts.
        there: AtomicUsize,
        /// Why a part could not be kept.
        failure: Mutex<Option<PartsError>>,
        _made: Folder,
        _lock: Lock,
    }

    impl Parts {
        pub fn open(folder: &Path, rows: u16, columns: u16) -> Result<Self, PartsError> {
            let path = folder.to_owned();
            let system = |what| move |source| PartsError::System { what, path, source };
            let made = Folder::make(folder, &Disk).map_err(system("make the folder"))?;
            let locked = || PartsError::Locked { folder: folder.to_owned() };
            let lock = Lock::of(folder).ok_or_else(locked)?;
            remove_unfinished(folder);
            Ok(Self {
                folder: folder.to_owned(),
                rectangle: format!("{rows}x{columns}"),
                there: AtomicUsize::new(0),
                failure: Mutex::new(None),
                _made: made,
                _lock: lock,
            })
        }

        fn file(&self, part: u32) -> PathBuf {
            self.folder.join(format!("part-{part:04}"))
        }

        fn first_line(&self, part: u32) -> String {
            format!("{MAGIC} of {} number {part}", self.rectangle)
        }

        /// Gives all parts that are there. The number of their positions.
        pub fn give_to(&self, solver: &mut Solver, watch: &dyn Watch) -> Result<u64, Error> {
            let mut positions = 0;
            let all: Vec<u32> = solver.parts().collect();
            for &part in &all {
                if watch.stop() {
                    return Err(Error::Interrupted);
                }
                let Some(bytes) = self.read(part, solver.most_bytes(part))? else { continue };
                solver.give(part, &bytes).map_err(|error| self.damaged(part, error.to_string()))?;
                positions += solver.positions_of(part);
                self.there.fetch_add(1, Ordering::Relaxed);
            }
            let (given, all) = (self.there.load(Ordering::Relaxed), all.len());
            if given > 0 {
                watch.event(&Event::PartsGiven { folder: self.folder.clone(), given, all });
            }
            Ok(positions)
        }

        /// The bytes of a part; `None` if it is not there.
        fn read(&self, part: u32, most: u64) -> Result<Option<Vec<u8>>, PartsError> {
            let file = self.file(part);
            let mut bytes = match files::read(&file, most + LONGEST_LINE + HASH as u64) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(source) => {
                    return Err(PartsError::System { what: "read", path: file, source });
                }
            };
            let end = bytes.len().saturating_sub(HASH);
            if blake3::hash(&bytes[..end]).as_bytes() != &bytes[end..] {
                return Err(self.damaged(part, "its hash is not that of its bytes".to_owned()));
            }
            let line = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
            let found = str::from_utf8(&bytes[..line]).unwrap_or_default();
            if found != self.first_line(part) {
                let (found, expected) = (found.to_owned(), self.first_line(part));
                return Err(PartsError::Other { file, found, expected });
            }
            bytes.truncate(end);
            bytes.drain(..=line);
            Ok(Some(bytes))
        }

        fn damaged(&self, part: u32, problem: String) -> PartsError {
            PartsError::Damaged { file: self.file(part), problem }
        }

        /// Keeps a part.
        pub fn keep(&self, part: u32, bytes: &[u8]) -> ControlFlow<()> {
            let path = self.file(part);
            match self.write(part, bytes) {
                Ok(()) => {
                    self.there.fetch_add(1, Ordering::Relaxed);
                    ControlFlow::Continue(())
                }
                Err(source) => {
                    let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                    failure.get_or_insert(PartsError::System { what: "write", path, source });
                    ControlFlow::Break(())
                }
            }
        }

        fn write(&self, part: u32, bytes: &[u8]) -> io::Result<()> {
            let line = self.first_line(part) + "\n";
            let mut hasher = blake3::Hasher::new();
            let mut draft = Disk.create(&self.folder)?;
            for bytes in [line.as_bytes(), bytes] {
                hasher.update(bytes);
                draft.write_all(bytes)?;
            }
            draft.write_all(hasher.finalize().as_bytes())?;
            Disk.sync(draft.as_file())?;
            Disk.rename(draft, &self.file(part))?;
            Disk.sync_folder(&self.folder)
        }

        /// Why the solver was stopped, of so many parts.
        pub fn why_interrupted(&self, all: usize) -> Error {
            let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
            let interrupted = || {
                let there = self.there.load(Ordering::Relaxed);
                Error::PartsInterrupted { folder: self.folder.clone(), there, all }
            };
            failure.map_or_else(interrupted, Error::Parts)
        }
    }

    /// Removes what killed runs have left. A file that cannot be removed does no harm.
    fn remove_unfinished(folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX) {
                let _harmless = fs::remove_file(entry.path());
            }
        }
    }
}
