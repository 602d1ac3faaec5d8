//! Work that costs time and memory: its [`Cost`], who watches it, and its state in a folder.
//!
//! A [`Job`] says what work is for and its [`Cost`]. Before it begins it is refused if it needs
//! more memory than there is, and announced if it takes much. Then it is [`Running`]: it counts the
//! units that are done for the [`Watch`], which decides how to show them, until it ends or the
//! watcher stops it. A [`Keeper`] writes the state of long work from time to time, and when it is
//! interrupted. For instance a rectangle:
//!
//! ```text
//! let job = Job::new("the positions of 8x10 need", "choose a smaller board", cost);
//! job.run(work, watch)?.steps(|tell| Solution::of(8, 10, threads, tell))
//! ```

use std::fmt::Display;
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use files::{ResumeFolder, invalid};
use sweep::checkpoints::{Bytes, CheckpointEvent};

use crate::error::Hint;
use crate::{Error, memory};

/// More memory than this is much,
const MUCH: u64 = 1_000_000_000;
/// and so is more time.
const LONG: Duration = Duration::from_secs(10);

/// The cost of work, before it begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The time, by an estimate; zero if there is none.
    pub time: Duration,
    /// Bytes at most, with a margin.
    pub bytes: u64,
    /// Threads besides the first, whose number the user can choose.
    pub threads: u64,
    /// Threads for other work.
    pub helpers: u64,
}

impl Cost {
    /// Of work on the thread of the caller.
    pub(crate) fn new(bytes: u64, time: Duration) -> Self {
        Self { time, bytes, ..Self::default() }
    }

    /// Of work on this number of threads, which the user can choose.
    pub(crate) fn on(self, threads: NonZero<usize>) -> Self {
        Self { threads: threads.get() as u64 - 1, ..self }
    }

    /// Of work after which there is more.
    pub(crate) fn and(self, more: Self) -> Self {
        let (time, bytes) =
            (self.time.saturating_add(more.time), self.bytes.saturating_add(more.bytes));
        Self { time, bytes, ..self }
    }

    /// Whether it takes more than ten seconds or 1 GB.
    pub fn is_much(self) -> bool {
        self.bytes > MUCH || self.time > LONG
    }

    /// One measure of both: a gigabyte counts as a second.
    pub(crate) fn weight(self) -> Duration {
        self.time.saturating_add(Duration::from_nanos(self.bytes))
    }
}

/// Watches a computation: gets its progress and events, and can stop it.
///
/// No answer changes a result. `&()` ignores everything, and an [`AtomicBool`] that is set stops
/// the work:
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use driver::{Engine, Error};
/// let stop = AtomicBool::new(true);
/// assert!(matches!(Engine::default().row_in_full(120, &stop), Err(Error::Interrupted)));
/// ```
#[expect(unused_variables, reason = "everything is ignored by default")]
pub trait Watch: Sync {
    /// Work begins. Some functions begin several times, one work after the other.
    fn begin(&self, work: Work) {}

    /// This number of rows or columns of the work are done. Called for every row, so it should be
    /// cheap.
    fn done(&self, number: u64) {}

    /// The number of cells done, and the number expected. Only the sweep counts them.
    fn cells(&self, done: u64, expected: u64) {}

    /// The work that has begun is over, finished or not.
    fn end(&self) {}

    /// Takes an event that the user may want to know.
    fn event(&self, event: &Event) {}

    /// Whether to stop. Asked after every row. If it answers `true`, the work ends with
    /// [`Error::Interrupted`], unless it has just finished.
    fn stop(&self) -> bool {
        false
    }

    /// `Break` to stop.
    fn go_on(&self) -> ControlFlow<()> {
        if self.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Ignores everything.
impl Watch for () {}

/// A flag that is set to stop.
impl Watch for AtomicBool {
    fn stop(&self) -> bool {
        self.load(Ordering::SeqCst)
    }
}

/// Work that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// The unit of the numbers below, in the singular: `row`, `position`.
    pub unit: &'static str,
    /// The number of units to do; of positions those that can be kept, and there may be fewer.
    pub all: u64,
    /// The number that an earlier run has done. It does not count in estimates of the time left.
    pub before: u64,
    /// The approximate power of the number with which the time grows; 0 if the time left cannot be
    /// estimated.
    pub exponent: f64,
}

/// A cheaper way to the same rows: the time that it takes, and the way in words.
pub type Cheaper = (Duration, &'static str);

/// An event on the way to a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The work will take more than ten seconds, or 1 GB.
    Cost {
        /// Its time and memory, by an estimate.
        cost: Cost,
        /// A cheaper way, if there is one.
        cheaper: Option<Cheaper>,
    },
    /// The work may take more than ten seconds, or 1 GB. It has run for a second: before, nobody
    /// knows its rate.
    MayCost {
        /// The most time and memory, by an estimate.
        cost: Cost,
    },
    /// The run keeps to a limit of memory, and other words wait on disk.
    Spills {
        /// The time and the limit.
        cost: Cost,
        /// Bytes on disk at most.
        disk: u64,
        /// The folder.
        folder: PathBuf,
    },
    /// The state of long work was written, so that it can resume.
    Kept {
        /// The file.
        file: PathBuf,
    },
    /// A checkpoint was written, or something went wrong with one. Sent on the thread that writes
    /// them.
    Checkpoint(CheckpointEvent),
    /// What the user may want to know, in words: where rows come from, what is believed, what is
    /// kept.
    Remark(String),
    /// The same of what is lost, or left where it is: the work continues without it, or ends.
    Warning(String),
}

impl Error {
    /// [`Error::Interrupted`] if the watcher stops the work.
    ///
    /// # Errors
    /// That one.
    pub fn if_interrupted(watch: &dyn Watch) -> Result<(), Self> {
        if watch.stop() { Err(Self::Interrupted) } else { Ok(()) }
    }
}

/// The stack of a thread.
const STACK: u64 = 2 << 20;

/// The address space that glibc reserves for the small blocks of a thread. If it cannot, each block
/// takes a page, and the space is soon exhausted.
const ARENA: u64 = 64 << 20;

/// Work before it begins.
#[derive(Clone, Debug)]
pub struct Job {
    /// What needs the memory, such as `rows to 5 need`.
    what: String,
    /// A way to need less, such as `choose a smaller row`.
    less: &'static str,
    pub cost: Cost,
    /// What helps.
    pub hint: Hint,
}

impl Job {
    pub fn new(what: impl Into<String>, less: &'static str, cost: Cost) -> Self {
        Self { what: what.into(), less, cost, hint: Hint::None }
    }

    /// Refuses work that needs more than is available, announces work that takes much, and begins
    /// it.
    pub fn run<'a>(&self, work: Work, watch: &'a dyn Watch) -> Result<Running<'a>, Error> {
        self.announce(None, watch)?;
        Ok(Running::new(watch, work))
    }

    /// Refuses work that needs more than is available, and announces work that takes much, with a
    /// cheaper way.
    pub fn announce(&self, cheaper: Option<Cheaper>, watch: &dyn Watch) -> Result<(), Error> {
        self.require()?;
        if self.cost.is_much() {
            watch.event(&Event::Cost { cost: self.cost, cheaper });
        }
        Ok(())
    }

    /// Refuses work that needs more than the user allows.
    pub fn require_within(&self, allowed: Option<u64>) -> Result<(), Error> {
        let needed = self.cost.bytes;
        let available = allowed.unwrap_or(u64::MAX);
        self.require_at_most(available, needed, "memory", "are allowed", &self.hint)
    }

    /// Refuses work that needs more than is available.
    pub fn require(&self) -> Result<(), Error> {
        let Cost { bytes, threads, helpers, .. } = self.cost;
        let all = threads + helpers;
        let data = bytes.saturating_add(all.saturating_mul(STACK));
        // One more, since the system is asked for two and gives one back.
        let arenas = if all == 0 { 0 } else { all + 1 };
        let space = data.saturating_add(arenas.saturating_mul(ARENA));
        let of_space = if threads == 0 { &self.hint } else { &Hint::Threads };
        let group = "are left to this container (its control group)";
        let (limit_of_data, limit_of_space) =
            ("are left of its limit (ulimit -d)", "are left of its limit (ulimit -v)");
        for (available, needed, of_what, there, hint) in [
            (memory::free(), bytes, "memory", "are available here", &self.hint),
            (memory::left_to_group(), bytes, "memory", group, &self.hint),
            (memory::data(), data, "memory", limit_of_data, &self.hint),
            (memory::address_space(), space, "address space", limit_of_space, of_space),
        ] {
            let available = available.unwrap_or(u64::MAX);
            self.require_at_most(available, needed, of_what, there, hint)?;
        }
        Ok(())
    }

    fn require_at_most(
        &self,
        available: u64,
        needed: u64,
        of_what: &str,
        there: &str,
        hint: &Hint,
    ) -> Result<(), Error> {
        if needed <= available {
            return Ok(());
        }
        let (what, less) = (&self.what, self.less);
        let or_fewer = if *hint == Hint::Threads { " or fewer threads" } else { "" };
        let amount = match needed {
            u64::MAX => "more than 2^64 bytes".to_owned(),
            _ => format!("about {}", Bytes(needed)),
        };
        let words = format!(
            "{what} {amount} of {of_what}, and {} {there}; {less}{or_fewer}",
            Bytes(available)
        );
        // Stacks, and the address space reserved for small blocks.
        let of_threads = needed - self.cost.bytes;
        Err(Error::Memory { words, left: available.saturating_sub(of_threads), hint: hint.clone() })
    }
}

/// Work that has begun, and ends when this is dropped.
pub struct Running<'a> {
    watch: &'a dyn Watch,
    done: AtomicU64,
}

impl<'a> Running<'a> {
    pub fn new(watch: &'a dyn Watch, work: Work) -> Self {
        watch.begin(work);
        Self { watch, done: AtomicU64::new(work.before) }
    }

    /// Counts units that are done. `Break` if the watcher stops the work.
    pub fn advance(&self, units: u64) -> ControlFlow<()> {
        self.at(self.done.fetch_add(units, Ordering::Relaxed) + units)
    }

    /// This number of units is done. `Break` if the watcher stops the work.
    pub fn at(&self, done: u64) -> ControlFlow<()> {
        self.watch.done(done);
        self.watch.go_on()
    }

    /// A search that reports its steps.
    pub fn steps<T, E>(
        self,
        search: impl FnOnce(&(dyn Fn(u64) -> ControlFlow<()> + Sync)) -> Result<T, E>,
    ) -> Result<T, Error>
    where
        Error: From<E>,
    {
        Ok(search(&|steps| self.advance(steps))?)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.watch.end();
    }
}

/// Why a folder, or a file in it, is of no use.
pub fn refused(place: &Path, problem: impl Display) -> Error {
    Error::file(format!("{}: {problem}", place.display()))
}

/// A folder for the state of work in progress.
pub struct Keeper<'a> {
    pub folder: ResumeFolder,
    every: Duration,
    /// When a state was written last, or could not be.
    written: Mutex<Instant>,
    pub watch: &'a dyn Watch,
}

impl<'a> Keeper<'a> {
    /// Opens the folder for a state that is written this often.
    pub fn open(folder: &Path, every: Duration, watch: &'a dyn Watch) -> io::Result<Self> {
        let (folder, written) = (ResumeFolder::open(folder)?, Mutex::new(Instant::now()));
        Ok(Self { folder, every, written, watch })
    }

    /// The bytes of a file with this first line, at most this number, once all has been hashed; and
    /// the hash. `None` if the file is not there.
    pub fn read(
        &self,
        name: &str,
        line: &str,
        most: u64,
    ) -> io::Result<Option<(impl Read + use<'a>, String)>> {
        let Some(opened) = self.folder.read(name)? else { return Ok(None) };
        if opened.line != line {
            let words = format!("it begins with `{}`, and `{line}` is needed", opened.line);
            return Err(invalid(words));
        }
        let watch = self.watch;
        opened.verify(most, move || watch.stop()).map(Some)
    }

    /// Why a file is of no use, unless the reader was stopped.
    pub fn refused(&self, name: &str, problem: impl Display) -> Error {
        let file = self.folder.file(name);
        if self.watch.stop() { Error::Interrupted } else { refused(&file, problem) }
    }

    /// Whether it is time to write the state.
    pub fn is_due(&self) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.elapsed() >= self.every
    }

    /// Writes a state, and tells the watcher. Returns its hash, unless it cannot be written.
    pub fn write(
        &self,
        name: &str,
        line: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Option<String> {
        let (written, file) = (self.folder.write(name, line, fill), self.folder.file(name));
        // A disk that is full is not tried again at once.
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        match written {
            Ok(hash) => {
                self.watch.event(&Event::Kept { file });
                Some(hash)
            }
            Err(error) => {
                let then = if self.watch.stop() { "ends without it" } else { "continues" };
                let file = file.display();
                let words = format!("{file} cannot be written: {error}; the run {then}");
                self.watch.event(&Event::Warning(words));
                None
            }
        }
    }
}
