//! Other processes that share a run, as the office of one sees them.

use super::runs::Run;
use crate::{band::units::BlockIndex, units::index};
use std::{
    fmt::{self, Debug, Formatter},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// Which blocks other processes have: with T threads, each does T blocks in turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    /// The number of this process.
    pub(crate) part: usize,
    /// How many there are.
    pub(crate) parts: usize,
    pub(crate) threads: usize,
    /// The first block of the run. Those before are everywhere: all know what they have posted.
    pub(crate) first: BlockIndex,
}

impl Elsewhere {
    /// The other process that has a block, if one has.
    pub(crate) fn of(&self, block: BlockIndex) -> Option<usize> {
        let worker = index(block.0.checked_sub(self.first.0)?);
        let part = worker / self.threads % self.parts;
        (part != self.part).then_some(part)
    }

    /// The first block of this process from this one on.
    pub(super) fn next_own(&self, mut block: BlockIndex) -> BlockIndex {
        while self.of(block).is_some() {
            block += 1;
        }
        block
    }
}

/// Hands on what is posted to a reader in another process.
pub(crate) type HandOn = dyn Fn(BlockIndex, usize, &Run) + Send + Sync;

/// Workers that wait for something from other processes, and for how long they have waited.
pub(crate) struct Waits {
    waker: Arc<dyn Fn() + Send + Sync>,
    workers: AtomicUsize,
    nanoseconds: AtomicU64,
}

impl Waits {
    /// None yet. Who looks for messages of other processes is woken when a worker begins to
    /// wait, or soon will.
    pub(crate) fn new(waker: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self { waker, workers: AtomicUsize::new(0), nanoseconds: AtomicU64::new(0) }
    }

    /// Has a worker wait.
    pub(crate) fn measure<R>(&self, wait: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        self.workers.fetch_add(1, Ordering::Relaxed);
        (self.waker)();
        let waited_for = wait();
        self.workers.fetch_sub(1, Ordering::Relaxed);
        let waited = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(waited, Ordering::Relaxed);
        waited_for
    }

    /// A worker will wait soon, unless something comes.
    pub(crate) fn expect_soon(&self) {
        (self.waker)();
    }

    /// Whether a worker waits.
    pub(crate) fn has_some(&self) -> bool {
        self.workers.load(Ordering::Relaxed) > 0
    }

    /// How long workers have waited, all together.
    pub(crate) fn all(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

/// The way to other processes.
pub(crate) struct Way {
    pub(crate) hand_on: Box<HandOn>,
    pub(crate) waits: Arc<Waits>,
}

/// The other processes, and the way to them.
pub(crate) struct Others {
    pub(crate) elsewhere: Elsewhere,
    /// None until the first block begins: what blocks before it have posted others know.
    pub(crate) way: Option<Way>,
}

impl Debug for Others {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.elsewhere.fmt(f)
    }
}
