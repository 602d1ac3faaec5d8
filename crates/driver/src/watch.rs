//! Progress, events and interruption of a computation: the caller decides how to show them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sweep::checkpoints::CheckpointEvent;

use crate::cost::Cost;

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
    /// [`Error::Interrupted`](crate::Error::Interrupted), unless it has just finished.
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
    /// The unit of the numbers below.
    pub unit: Unit,
    /// The number of units to do.
    pub all: u64,
    /// The number that an earlier run has done. It does not count in estimates of the time left.
    pub before: u64,
    /// The approximate power of the number with which the time grows; 0 if the time left cannot be
    /// estimated.
    pub exponent: f64,
}

/// The unit in which work is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Rows.
    Row,
    /// Columns.
    Column,
    /// Cells of rows, or look-ups for them.
    Cell,
    /// Choices of the lower rows of a board.
    LowerRows,
    /// Positions of a poset or of a rectangle; `all` is the number that can be kept, and there may
    /// be fewer.
    Position,
    /// Claims of the ledger.
    Claim,
}

/// A cheaper way to the same rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cheaper {
    /// With fingerprints instead of all offsets: the time that it takes.
    Fingerprints(Duration),
    /// By the sweep instead of the literal recurrence: the time that it takes.
    Sweep(Duration),
}

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
    /// The windows of the sweep could not decide some cells, and the exact path did.
    ExactPath {
        /// The number of these cells.
        exact: u64,
        /// The number of all cells.
        cells: u64,
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
