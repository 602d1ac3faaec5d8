//! The cost of work, before it begins.

use std::num::NonZero;
use std::time::Duration;

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
