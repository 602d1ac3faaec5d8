//! The storage of words of one part. A store keeps the words that its own blocks read; words for
//! blocks of other parts are sent to these.

use super::buffers::Buffers;
use super::exchange::{ForDispatcher, Outgoing, Part, ToDispatcher, Waker};
use super::wire::{encode_words, word_buffers};
use std::mem::size_of_val;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use sweep::band::pipeline::{Batch, BlockIndex, Eight, WordStorage, emptied, index};
use sweep::error::SweepError;
use words::parts::{Place, Store, StoreScope};

/// Words from another part wait for room at most this long.
const MOMENT: Duration = Duration::from_millis(10);

/// The version of checkpoints whose words are in the folders of several parts.
const CHECKPOINT_VERSION: u64 = 9;

/// At most this fraction of the memory for words may be on its way to other parts.
const ON_THE_WAY: u64 = 8;

/// The blocks of other parts. Parts take blocks in turn, each as many as it has threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elsewhere {
    pub(super) part: Part,
    pub(super) threads: usize,
    /// The first block of the run. Every part has the words that blocks before it have stored.
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

/// The words and files of a part. It has a folder of its own, and part 0 also removes files that no
/// part uses any more.
impl StoreScope for Elsewhere {
    fn keeps(&self, reader: BlockIndex) -> bool {
        self.of(reader).is_none()
    }

    fn place(&self) -> Place {
        Place::subfolder(self.part.number as u64)
    }

    fn cleans(&self, place: Place) -> bool {
        let is_left = place.number().is_none_or(|number| number >= self.part.parts as u64);
        place == self.place() || is_left && self.part.number == 0
    }

    /// Those of the parts whose folders are there: the parts may have disks of their own.
    fn bytes_in(&self, places: &[Place], all: u64) -> u64 {
        let parts = self.part.parts as u64;
        let there = (0..parts).filter(|&part| places.contains(&Place::subfolder(part))).count();
        all.div_ceil(parts).saturating_mul(there as u64)
    }

    fn version(&self) -> u64 {
        CHECKPOINT_VERSION
    }
}

/// The number of workers that wait for messages of other parts, and their total waiting time.
pub(super) struct Waits {
    waker: Waker,
    workers: AtomicUsize,
    nanoseconds: AtomicU64,
}

impl Waits {
    /// No worker waits yet. The dispatcher is woken when a worker begins to wait, or soon will.
    pub(super) fn new(waker: Waker) -> Self {
        Self { waker, workers: AtomicUsize::new(0), nanoseconds: AtomicU64::new(0) }
    }

    /// Lets a worker wait, and measures the time.
    pub(super) fn measure<R>(&self, wait: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        self.workers.fetch_add(1, Ordering::Relaxed);
        (self.waker)();
        let result = wait();
        self.workers.fetch_sub(1, Ordering::Relaxed);
        let waited = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(waited, Ordering::Relaxed);
        result
    }

    /// A worker will wait soon, unless a message arrives.
    pub(super) fn expect_soon(&self) {
        (self.waker)();
    }

    /// Whether a worker waits.
    pub(super) fn has_some(&self) -> bool {
        self.workers.load(Ordering::Relaxed) > 0
    }

    /// The sum of the waiting times of all workers.
    pub(super) fn all(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

/// The storage of one part.
pub(super) struct PartStorage<'a> {
    pub(super) store: &'a Store,
    elsewhere: Elsewhere,
    to_dispatcher: ToDispatcher,
    buffers: Buffers,
    waits: &'a Waits,
    others: Mutex<OtherParts>,
    /// The other parts or the store have changed.
    changed: Condvar,
}

/// The state of the other parts.
#[derive(Default)]
struct OtherParts {
    /// No more words will come from them.
    closed: bool,
    /// Bytes on their way to them.
    on_the_way: u64,
}

impl<'a> PartStorage<'a> {
    pub(super) fn new(
        store: &'a Store,
        elsewhere: Elsewhere,
        to_dispatcher: ToDispatcher,
        waits: &'a Waits,
    ) -> Self {
        let (buffers, others) = (word_buffers(), Mutex::default());
        Self { store, elsewhere, to_dispatcher, buffers, waits, others, changed: Condvar::new() }
    }

    fn others(&self) -> MutexGuard<'_, OtherParts> {
        self.others.lock().expect("nobody panics while holding it")
    }

    fn wait<'g>(&self, others: MutexGuard<'g, OtherParts>) -> MutexGuard<'g, OtherParts> {
        self.changed.wait(others).expect("nobody panics while holding it")
    }

    /// Takes words for a reader of this part from another one. Waits for a moment if there is no
    /// room for them, so that they do not arrive faster than the disk thread can write.
    pub(super) fn arrive(&self, reader: BlockIndex, source: BlockIndex, words: Vec<Eight>) {
        self.store.add(reader, source, words);
        drop(self.others());
        self.changed.notify_all();
        self.store.wait_for_room(MOMENT);
    }

    /// Sets the number of bytes on their way to other parts. A worker that sends more waits if
    /// there are too many.
    pub(super) fn set_on_the_way(&self, bytes: u64) {
        if self.store.spills() {
            self.others().on_the_way = bytes;
            self.changed.notify_all();
        }
    }

    /// No more words will come from other parts.
    pub(super) fn close(&self) {
        self.others().closed = true;
        self.changed.notify_all();
    }

    /// Waits while too many bytes are on their way to other parts; then adds these.
    fn wait_for_the_way(&self, bytes: u64) -> Result<(), SweepError> {
        let Some(memory) = self.store.memory() else { return Ok(()) };
        let mut others = self.others();
        while others.on_the_way > memory / ON_THE_WAY
            && !others.closed
            && self.store.failure().is_none()
        {
            others = self.wait(others);
        }
        others.on_the_way += bytes;
        drop(others);
        self.store.result()
    }
}

impl WordStorage for PartStorage<'_> {
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
            let message = ForDispatcher::Send(Outgoing { to, urgency: reader.0, message });
            let Elsewhere { part, threads, .. } = self.elsewhere;
            // At once if the reader may be running.
            if reader <= source + (part.parts * threads) as u64 {
                self.to_dispatcher.send(message);
            } else {
                self.to_dispatcher.send_later(message);
            }
        }
        self.store.recycle(emptied(words).into_iter().collect());
        Ok(())
    }

    fn take(&self, reader: BlockIndex) -> Vec<Batch> {
        self.store.take(reader)
    }

    fn take_more(&self, reader: BlockIndex) -> Vec<Batch> {
        let mut others = self.others();
        while !self.store.has_some(reader) && !others.closed {
            others = self.waits.measure(|| self.wait(others));
        }
        drop(others);
        self.store.take(reader)
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
