//! Who watches a computation. A library does not know whether there is a terminal, a browser or
//! nobody.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use words::CheckpointEvent;

/// Who watches a computation: shown its progress, told its news, and asked whether to go on.
///
/// No answer changes a result. `&()` watches nothing, and an [`AtomicBool`] that is set stops the
/// work:
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use driver::{Engine, Error};
/// let stop = AtomicBool::new(true);
/// assert!(matches!(Engine::default().row(120, &stop), Err(Error::Interrupted)));
/// ```
#[expect(unused_variables, reason = "by default nobody looks")]
pub trait Watch: Sync {
    /// Work begins. Some functions do more than one work, one after the other.
    fn begin(&self, work: Work) {}

    /// This number of rows or columns of the work are done. Called for every row, so it should be
    /// cheap.
    fn done(&self, number: u64) {}

    /// The number of cells that are done, and about how many are expected. Only the sweep counts
    /// them.
    fn cells(&self, done: u64, expected: u64) {}

    /// The work that has begun is over, finished or not.
    fn end(&self) {}

    /// Something that the user may want to know.
    fn hear(&self, news: &News) {}

    /// Whether to stop. Asked after every row. If it answers `true`, the work ends with
    /// [`Error::Interrupted`](crate::Error::Interrupted), unless it was just done.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody.
impl Watch for () {}

/// A flag that is set to stop.
impl Watch for AtomicBool {
    fn stop(&self) -> bool {
        self.load(Ordering::SeqCst)
    }
}

/// A work that has begun, and is over when this is dropped, however it ends.
pub(crate) struct Begun<'a>(&'a dyn Watch);

impl<'a> Begun<'a> {
    pub(crate) fn new(watch: &'a dyn Watch, work: Work) -> Self {
        watch.begin(work);
        Self(watch)
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A work that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// What is counted.
    pub unit: Unit,
    /// How many there are to do.
    pub all: u64,
    /// How many of them an earlier run has done: they say nothing about the time left.
    pub before: u64,
    /// The power of their number with which the time grows, about; 0 if the time left cannot be
    /// told.
    pub exponent: f64,
}

/// What a work is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Rows.
    Row,
    /// Columns.
    Column,
    /// Choices of the lower rows of a board.
    LowerRows,
    /// Positions of a poset, of which there may be fewer than all that may be kept.
    Position,
}

/// What happens on the way to a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The run will need much memory.
    Memory {
        /// How much, in bytes.
        bytes: u64,
    },
    /// The windows of the sweep could not decide some cells, and the exact path did.
    ExactPath {
        /// How many.
        exact: u64,
        /// Of how many cells.
        cells: u64,
    },
    /// A data set is extended.
    Extends {
        /// Its folder.
        folder: PathBuf,
        /// Its last row so far.
        last: u64,
    },
    /// A run goes on from a checkpoint.
    GoesOn {
        /// The row of the checkpoint.
        row: u64,
    },
    /// P-positions are found from the state in a file on.
    PositionsResume {
        /// The file.
        file: PathBuf,
        /// The least length of row 1 that is not done.
        next: u16,
    },
    /// The state of a run that finds P-positions cannot be written. The run continues.
    PositionsNotKept {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        problem: String,
    },
    /// A checkpoint is left where it is: a run to a larger row may go on from it.
    CheckpointStays {
        /// Its file.
        file: PathBuf,
    },
    /// A checkpoint was written, or something went wrong with one. Told on the thread that writes
    /// them.
    Checkpoint(CheckpointEvent),
    /// Words on disk that this run does not need are left there: they are of another run, or cannot
    /// be removed.
    WordsLeft {
        /// Their folder.
        folder: PathBuf,
        /// Why.
        problem: String,
    },
    /// Checkpoints that nobody needs cannot be removed.
    CheckpointsLeft {
        /// Their folder.
        folder: PathBuf,
        /// What the operating system says.
        problem: String,
    },
}
