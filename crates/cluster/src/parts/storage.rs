//! The storage of words of one part: those that its own blocks read are in a store, and those for
//! blocks of other parts are sent there.

use super::{
    buffers::Buffers,
    exchange::{Outgoing, Part, ToDispatcher},
    wire::encode_words,
};
use std::{
    mem::size_of_val,
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use sweep::{
    band::pipeline::{BlockIndex, Eight, Storage, WordRun, emptied, index},
    error::SweepError,
};
use words::parts::Store;

/// Words from another part wait no longer for room.
const MOMENT: Duration = Duration::from_millis(10);

/// This fraction of the memory for words may be on its way to other parts.
const ON_THE_WAY: u64 = 8;

/// Which blocks other parts have: with T threads, each does T blocks in turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elsewhere {
    pub(super) part: Part,
    pub(super) threads: usize,
    /// The first block of the run. What blocks before it have stored, every part knows.
    pub(super) first: BlockIndex,
}

impl Elsewhere {
    /// The other part that has a block, if one has.
    pub(super) fn of(&self, block: BlockIndex) -> Option<usize> {
        let worker = index(block.0.checked_sub(self.first.0)?);
        let part = worker / self.threads % self.part.parts;
        (part != self.part.number).then_some(part)
    }
}

/// Workers that wait for messages of other parts, and for how long they have waited.
pub(super) struct Waits {
    waker: Arc<dyn Fn() + Send + Sync>,
    workers: AtomicUsize,
    nanoseconds: AtomicU64,
}

impl Waits {
    /// None yet. The dispatcher is woken when a worker begins to wait, or soon will.
    pub(super) fn new(waker: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self { waker, workers: AtomicUsize::new(0), nanoseconds: AtomicU64::new(0) }
    }

    /// Has a worker wait.
    pub(super) fn measure<R>(&self, wait: impl FnOnce() -> R) -> R {
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
    pub(super) fn expect_soon(&self) {
        (self.waker)();
    }

    /// Whether a worker waits.
    pub(super) fn has_some(&self) -> bool {
        self.workers.load(Ordering::Relaxed) > 0
    }

    /// How long workers have waited, all together.
    pub(super) fn all(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

/// The storage of one part.
pub(super) struct PartStorage<'a> {
    pub(super) store: &'a Store,
    pub(super) elsewhere: Elsewhere,
    pub(super) outgoing: ToDispatcher<Outgoing>,
    pub(super) buffers: Buffers,
    pub(super) waits: &'a Waits,
    pub(super) state: Mutex<OtherParts>,
    /// The state or the store has changed.
    pub(super) changed: Condvar,
}

/// What other parts do, as a storage sees it.
#[derive(Default)]
pub(super) struct OtherParts {
    /// Nothing will come from them any more.
    closed: bool,
    /// Bytes on their way to them.
    on_the_way: u64,
}

impl PartStorage<'_> {
    fn state(&self) -> MutexGuard<'_, OtherParts> {
        self.state.lock().expect("nobody panics while holding it")
    }

    fn wait<'a>(&self, state: MutexGuard<'a, OtherParts>) -> MutexGuard<'a, OtherParts> {
        self.changed.wait(state).expect("nobody panics while holding it")
    }

    /// Words for a reader of this part have come from another one. Waits for a moment if there is
    /// no room for them, so that no more come than the disk thread can write.
    pub(super) fn arrive(&self, reader: BlockIndex, source: BlockIndex, words: Vec<Eight>) {
        self.store.add(reader, source, words);
        drop(self.state());
        self.changed.notify_all();
        // If the store has failed, the workers notice.
        let _ = self.store.make_room(Some(MOMENT));
    }

    /// This number of bytes is on its way to other parts. A worker that sends more waits if that is
    /// too much.
    pub(super) fn set_on_the_way(&self, bytes: u64) {
        if self.store.spills() {
            self.state().on_the_way = bytes;
            self.changed.notify_all();
        }
    }

    /// Nothing will come from other parts any more.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Waits while too much is on the way to other parts; adds these bytes.
    fn wait_for_the_way(&self, bytes: u64) -> Result<(), SweepError> {
        let Some(memory) = self.store.memory() else { return Ok(()) };
        let mut state = self.state();
        while state.on_the_way > memory / ON_THE_WAY
            && !state.closed
            && self.store.failure().is_none()
        {
            state = self.wait(state);
        }
        state.on_the_way += bytes;
        drop(state);
        self.store.result()
    }
}

impl Storage for PartStorage<'_> {
    fn begin(&self, reader: BlockIndex) -> Result<(), SweepError> {
        self.store.begin(reader)
    }

    fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        let Some(to) = self.elsewhere.of(reader) else {
            return self.store.store(reader, source, words);
        };
        if source >= self.elsewhere.first {
            self.wait_for_the_way(size_of_val(words.as_slice()) as u64)?;
            let message = encode_words(reader, source, &words, &self.buffers);
            let message = Outgoing { to, urgency: reader.0, message };
            let Elsewhere { part, threads, .. } = self.elsewhere;
            // At once if the reader may be at work. If the dispatcher has ended, nobody reads.
            let _ = if reader <= source + (part.parts * threads) as u64 {
                self.outgoing.send(message)
            } else {
                self.outgoing.send_later(message)
            };
        }
        self.store.recycle(emptied(words).into_iter().collect());
        Ok(())
    }

    fn take(&self, reader: BlockIndex) -> Vec<WordRun> {
        self.store.take(reader)
    }

    fn wait_for(&self, reader: BlockIndex) -> bool {
        let mut state = self.state();
        while !self.store.has_some(reader) {
            if state.closed {
                return false;
            }
            state = self.waits.measure(|| self.wait(state));
        }
        true
    }

    fn end(&self, block: BlockIndex) {
        self.store.end(block);
    }

    fn buffer(&self) -> Vec<Eight> {
        self.store.buffer()
    }

    fn recycle(&self, buffers: Vec<Vec<Eight>>) {
        self.store.recycle(buffers);
    }
}
