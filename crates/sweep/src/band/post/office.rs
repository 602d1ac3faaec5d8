//! Runs of words that wait for their readers: in memory, and on disk if that is too small.

use super::{
    others::{Elsewhere, HandOn, Others},
    runs::{RUN, Run, bytes, cleared},
    spill::{FileState, Folder, bucket_of, failure, readers},
};
use crate::{
    band::{simd::Eight, space::require_space, units::BlockIndex},
    error::SweepError,
    units::index,
};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    io,
    ops::Range,
    path::PathBuf,
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// What waits. All workers of a process share it.
#[derive(Debug, Default)]
pub(crate) struct Office {
    waiting: Mutex<Waiting>,
    /// Something has changed that somebody may wait for.
    changed: Condvar,
    spill: Option<Spill>,
    others: Option<Others>,
    /// Nothing will come from other processes any more.
    closed: AtomicBool,
}

/// Where words may wait for which memory has no room.
#[derive(Clone, Debug)]
pub(crate) struct SpillTo {
    pub(crate) folder: PathBuf,
    /// The folder of the checkpoints of the same run.
    pub(crate) owner: PathBuf,
    /// Bytes of words in memory.
    pub(crate) memory: u64,
}

impl SpillTo {
    /// Looks whether there is room for so many bytes, with what is in the folder of words.
    pub(crate) fn require_space(&self, needed: u64) -> Result<(), SweepError> {
        let require = || {
            let there = Folder::new(&self.folder).bytes()?;
            let folder = std::path::absolute(&self.folder)?;
            let disk = folder.ancestors().find(|folder| folder.exists()).unwrap_or(&folder);
            require_space(disk, needed.saturating_sub(there))
        };
        require().map_err(|error| failure(&self.folder, &error))
    }
}

/// Where words wait for which memory has no room.
#[derive(Debug)]
struct Spill {
    folder: Folder,
    /// Bytes of words in memory.
    memory: u64,
}

/// A part is written as soon as it has this fraction of the memory, at least.
const PARTS: u64 = 512;

/// Buckets after that of the latest reader that are read ahead.
const AHEAD: u64 = 1;

#[derive(Debug, Default)]
struct Waiting {
    /// By reader, in memory.
    runs: Vec<Vec<Run>>,
    /// Buffers to be used again.
    spare: Vec<Vec<Eight>>,
    /// How much that is: in all, and by bucket.
    bytes: u64,
    bucket_bytes: BTreeMap<u64, u64>,
    /// What is taken by blocks after this one is kept as well, if it comes from no later block.
    boundary: Option<BlockIndex>,
    kept: Vec<(BlockIndex, Run)>,
    /// The files that have been written, by bucket, and how far.
    files: BTreeMap<u64, FileState>,
    /// The buckets before this one have been read from their files.
    loaded: u64,
    /// The latest block that has begun to read.
    latest: BlockIndex,
    /// The earliest block that may still be at work.
    earliest: BlockIndex,
    /// A run may go on with this block from a checkpoint, or from one that is being written.
    needed: Option<BlockIndex>,
    copied: Option<BlockIndex>,
    /// The clerk is writing, or has found nothing to do.
    is_writing: bool,
    is_idle: bool,
    /// Those who may still want something.
    users: u64,
    failed: Option<SweepError>,
    /// How long readers have waited for other processes, all together.
    waited: Duration,
}

/// What the clerk is to do.
enum Job {
    /// To read the file of a bucket.
    Load(FileState),
    /// To write what waits for a bucket.
    Write(FileState, Vec<(BlockIndex, Run)>),
    /// To remove the file of a bucket.
    Remove(u64),
}

/// Somebody who uses an office: as long as there is one, its clerk works.
pub(crate) struct User<'a>(&'a Office);

impl Drop for User<'_> {
    fn drop(&mut self) {
        self.0.waiting().users -= 1;
        self.0.changed.notify_all();
    }
}

impl Office {
    /// For a run that begins with block `next`, with so many bytes of words in memory, and the
    /// others in a folder; `left` are the files that an earlier run has left there, if this one
    /// goes on from it.
    pub(crate) fn spilling(
        spill: &SpillTo,
        left: Option<&[FileState]>,
        next: BlockIndex,
    ) -> Result<Self, SweepError> {
        let folder = Folder::new(&spill.folder);
        folder.prepare(&spill.owner, left.unwrap_or_default())?;
        let files = left.unwrap_or_default().iter().map(|state| (state.bucket, *state)).collect();
        let waiting = Waiting {
            files,
            loaded: bucket_of(next),
            latest: next,
            earliest: next,
            needed: left.map(|_| next),
            ..Waiting::default()
        };
        let spill = Some(Spill { folder, memory: spill.memory });
        Ok(Self { waiting: Mutex::new(waiting), spill, ..Self::default() })
    }

    /// For a run of which other processes have some of the blocks. It keeps nothing for these.
    pub(crate) fn shared(elsewhere: Elsewhere) -> Self {
        Self { others: Some(Others { elsewhere, hand_on: None }), ..Self::default() }
    }

    /// From now on, what is posted to other processes is handed on to them.
    pub(crate) fn hand_on(&mut self, hand_on: Box<HandOn>) {
        self.others.as_mut().expect("the office is shared").hand_on = Some(hand_on);
    }

    /// Some words for a reader of this process have come from another one.
    pub(crate) fn arrive(&self, reader: BlockIndex, run: Run) {
        self.waiting().add(reader, run);
        self.changed.notify_all();
    }

    /// Waits until other processes have posted more for `reader`. `false` if nothing will come.
    pub(crate) fn wait_for(&self, reader: BlockIndex) -> bool {
        let mut waiting = self.waiting();
        while waiting.of(reader).is_empty() {
            if self.is_closed() || self.others.is_none() {
                return false;
            }
            let begun = Instant::now();
            waiting = self.wait(waiting);
            waiting.waited += begun.elapsed();
        }
        true
    }

    /// How long readers have waited for other processes, all together.
    pub(crate) fn waited(&self) -> Duration {
        self.waiting().waited
    }

    /// Nothing will come from other processes any more, and nobody needs what this one finds.
    pub(crate) fn close(&self) {
        // Nobody begins to wait meanwhile.
        let _waiting = self.waiting();
        self.closed.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether that is so.
    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Whether it needs a clerk.
    pub(crate) fn spills(&self) -> bool {
        self.spill.is_some()
    }

    /// Somebody more who uses it.
    pub(crate) fn user(&self) -> User<'_> {
        self.waiting().users += 1;
        User(self)
    }

    /// Has some words wait, unless another process has their reader.
    pub(crate) fn add(&self, reader: BlockIndex, source: BlockIndex, words: Vec<Eight>) {
        if self.others.as_ref().is_some_and(|others| others.elsewhere.of(reader).is_some()) {
            return;
        }
        let run = Run { source, words: Arc::new(words), is_on_disk: false };
        self.waiting().add(reader, run);
    }

    /// An empty buffer for a run.
    pub(super) fn buffer(&self) -> Vec<Eight> {
        self.waiting().spare.pop().unwrap_or_else(|| Vec::with_capacity(RUN))
    }

    /// An empty list for so many words: a buffer, if they are not too few for one.
    pub(crate) fn buffer_for(&self, words: u64) -> Vec<Eight> {
        let run = RUN as u64;
        if (run / 2..=run).contains(&words) { self.buffer() } else { Vec::new() }
    }

    /// Takes back what nobody needs.
    pub(super) fn recycle(&self, words: impl Iterator<Item = Vec<Eight>>) {
        self.waiting().spare.extend(words.filter(|words| words.capacity() == RUN));
    }

    /// Posts some words. Waits while there is no room for them.
    pub(crate) fn post(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        if let Some(others) = &self.others
            && let Some(hand_on) = &others.hand_on
            && let Some(to) = others.elsewhere.of(reader)
        {
            let run = Run { source, words: words.into(), is_on_disk: false };
            hand_on(reader, to, &run);
            self.recycle(Arc::into_inner(run.words).into_iter().map(cleared));
            return Ok(());
        }
        self.add(reader, source, words);
        let Some(spill) = &self.spill else { return Ok(()) };
        let mut waiting = self.waiting();
        if waiting.bytes > spill.memory / 4 * 3 {
            waiting.is_idle = false;
            self.changed.notify_all();
        }
        // There is no clerk yet, or what is of later blocks than the next checkpoint has to stay.
        let no_use = |waiting: &Waiting| waiting.users == 0 || waiting.is_idle;
        while waiting.bytes > spill.memory && waiting.failed.is_none() && !no_use(&waiting) {
            waiting = self.wait(waiting);
        }
        waiting.failed.clone().map_or(Ok(()), Err)
    }

    /// Block `reader` begins: what it reads is in memory then.
    pub(crate) fn begin(&self, reader: BlockIndex) -> Result<(), SweepError> {
        let mut waiting = self.waiting();
        waiting.latest = waiting.latest.max(reader);
        if self.spill.is_some() {
            self.changed.notify_all();
            while waiting.loaded <= bucket_of(reader) && waiting.failed.is_none() {
                waiting = self.wait(waiting);
            }
        }
        waiting.failed.clone().map_or(Ok(()), Err)
    }

    /// The blocks up to this one are finished.
    pub(crate) fn end(&self, block: BlockIndex) {
        let mut waiting = self.waiting();
        waiting.earliest = waiting.earliest.max(block + 1);
        self.changed.notify_all();
    }

    /// Takes what waits for `reader`.
    pub(crate) fn take(&self, reader: BlockIndex) -> Vec<Run> {
        let mut waiting = self.waiting();
        let runs = waiting.take(reader);
        if let Some(boundary) = waiting.boundary.filter(|&boundary| boundary < reader) {
            let old = runs.iter().filter(|run| run.source <= boundary && !run.is_on_disk);
            waiting.kept.extend(old.map(|run| (reader, run.clone())));
        }
        runs
    }

    /// Prepares for a [`copy`](Self::copy) of what waits between block `boundary`, which has not
    /// begun, and the next.
    pub(crate) fn keep(&self, boundary: BlockIndex) {
        let mut waiting = self.waiting();
        waiting.boundary = Some(boundary);
        waiting.kept.clear();
    }

    /// All that the blocks up to `boundary` have posted to later ones, whether it has been read or
    /// not: by reader, then by source, then in the order in which it was posted; but for what is in
    /// files, and these.
    pub(crate) fn copy(&self, boundary: BlockIndex) -> (Vec<(BlockIndex, Run)>, Vec<FileState>) {
        let mut waiting = self.waiting();
        while waiting.is_writing && waiting.failed.is_none() {
            waiting = self.wait(waiting);
        }
        debug_assert_eq!(waiting.boundary, Some(boundary));
        waiting.boundary = None;
        waiting.copied = Some(boundary + 1);
        let mut copy = std::mem::take(&mut waiting.kept);
        for (reader, runs) in (0..).map(BlockIndex).zip(&waiting.runs) {
            let old = runs.iter().filter(|run| run.source <= boundary && !run.is_on_disk);
            copy.extend(old.filter(|_| reader > boundary).map(|run| (reader, run.clone())));
        }
        let files = waiting.files.range(bucket_of(boundary + 1)..).map(|(_, state)| *state);
        let files = files.collect();
        drop(waiting);
        copy.sort_by_key(|(reader, run)| (*reader, run.source));
        (copy, files)
    }

    /// Makes these files safe.
    pub(crate) fn sync(&self, files: &[FileState]) -> io::Result<()> {
        let Some(spill) = &self.spill else { return Ok(()) };
        files.iter().try_for_each(|file| spill.folder.sync(file.bucket))
    }

    /// A copy has been used, or will not be: a run may go on with block `needed`, if given, and
    /// with no block before. No other copy is prepared.
    pub(crate) fn forget_copy(&self, needed: Option<BlockIndex>) {
        let mut waiting = self.waiting();
        (waiting.boundary, waiting.copied) = (None, None);
        waiting.kept.clear();
        waiting.needed = needed.or(waiting.needed);
        self.changed.notify_all();
    }

    /// What the clerk does, until nobody uses the office: to read the files of buckets ahead of
    /// their readers, to write what there is no room for, and to remove what nobody will read.
    pub(crate) fn work(&self) {
        let Some(Spill { folder, memory }) = &self.spill else { return };
        let mut waiting = self.waiting();
        while waiting.users > 0 && waiting.failed.is_none() {
            let Some(job) = waiting.job(*memory) else {
                waiting.is_idle = true;
                self.changed.notify_all();
                waiting = self.wait(waiting);
                continue;
            };
            waiting.is_idle = false;
            drop(waiting);
            let bucket = match &job {
                Job::Load(state) | Job::Write(state, _) => state.bucket,
                Job::Remove(bucket) => *bucket,
            };
            let done = self.do_job(folder, job);
            waiting = self.waiting();
            if let Err(error) = done {
                waiting.failed = Some(failure(&folder.file(bucket), &error));
            }
            self.changed.notify_all();
        }
    }

    fn do_job(&self, folder: &Folder, job: Job) -> io::Result<()> {
        match job {
            Job::Load(state) => {
                let mut runs = Vec::new();
                folder.read(&state, |reader, run| runs.push((reader, run)))?;
                self.waiting().add_loaded(state.bucket, runs);
            }
            Job::Write(state, runs) => {
                let state = folder.append(&state, &runs)?;
                let written = bytes(runs.iter().map(|(_, run)| run));
                self.recycle(
                    runs.into_iter().filter_map(|(_, run)| Arc::into_inner(run.words)).map(cleared),
                );
                let mut waiting = self.waiting();
                waiting.bytes -= written;
                waiting.files.insert(state.bucket, state);
                waiting.is_writing = false;
            }
            Job::Remove(bucket) => {
                folder.remove(bucket)?;
                self.waiting().files.remove(&bucket);
            }
        }
        Ok(())
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().expect("nobody panics while holding it")
    }

    fn wait<'a>(&self, waiting: MutexGuard<'a, Waiting>) -> MutexGuard<'a, Waiting> {
        self.changed.wait(waiting).expect("nobody panics while holding it")
    }
}

impl Waiting {
    fn of(&mut self, reader: BlockIndex) -> &mut Vec<Run> {
        let reader = index(reader.0);
        if self.runs.len() <= reader {
            self.runs.resize_with(reader + 1, Vec::new);
        }
        &mut self.runs[reader]
    }

    fn add(&mut self, reader: BlockIndex, run: Run) {
        self.bytes += run.bytes();
        *self.bucket_bytes.entry(bucket_of(reader)).or_default() += run.bytes();
        self.of(reader).push(run);
    }

    fn take(&mut self, reader: BlockIndex) -> Vec<Run> {
        let runs = std::mem::take(self.of(reader));
        self.bytes -= bytes(runs.iter());
        self.take_bytes(bucket_of(reader), bytes(runs.iter()));
        runs
    }

    fn take_bytes(&mut self, bucket: u64, bytes: u64) {
        if let Some(there) = self.bucket_bytes.get_mut(&bucket) {
            *there -= bytes;
            if *there == 0 {
                self.bucket_bytes.remove(&bucket);
            }
        }
    }

    /// What comes from the file of a bucket was posted before what is in memory.
    fn add_loaded(&mut self, bucket: u64, loaded: Vec<(BlockIndex, Run)>) {
        let Range { start, end } = readers(bucket);
        let later: Vec<_> = start.up_to(end).map(|reader| (reader, self.take(reader))).collect();
        for (reader, run) in loaded {
            // A run that goes on does not begin at the first reader of a bucket.
            if reader >= self.earliest {
                self.add(reader, run);
            }
        }
        for (reader, runs) in later {
            for run in runs {
                self.add(reader, run);
            }
        }
        self.loaded = bucket + 1;
    }

    /// The buckets from this one on may be written to their files.
    fn writable(&self) -> u64 {
        self.loaded.max(bucket_of(self.latest) + AHEAD + 1)
    }

    /// What is to be done, if anything.
    fn job(&mut self, memory: u64) -> Option<Job> {
        while self.loaded <= bucket_of(self.latest) + AHEAD {
            if let Some(state) = self.files.get(&self.loaded) {
                return Some(Job::Load(*state));
            }
            self.loaded += 1;
        }
        let ends = [Some(self.earliest), self.needed, self.copied];
        let end = ends.into_iter().flatten().map(bucket_of).min();
        if let Some((&bucket, _)) =
            self.files.iter().next().filter(|(bucket, _)| Some(**bucket) < end)
        {
            return Some(Job::Remove(bucket));
        }
        (self.bytes > memory / 4 * 3).then(|| self.write(memory)).flatten()
    }

    /// Takes what is to be written: of the most distant bucket of which it is worth it, or else of
    /// the one with most.
    fn write(&mut self, memory: u64) -> Option<Job> {
        let there = self.bucket_bytes.range(self.writable()..).rev();
        let mut buckets: Vec<_> = there.map(|(&bucket, &bytes)| (bucket, bytes)).collect();
        buckets.sort_by_key(|&(_, bytes)| Reverse(bytes.min(memory / PARTS)));
        buckets.into_iter().find_map(|(bucket, _)| {
            let written = self.take_old(bucket);
            if written.is_empty() {
                return None;
            }
            self.take_bytes(bucket, bytes(written.iter().map(|(_, run)| run)));
            self.is_writing = true;
            let state = self.files.get(&bucket).copied().unwrap_or(FileState::empty(bucket));
            Some(Job::Write(state, written))
        })
    }

    /// Takes what waits for the readers of a bucket. A checkpoint between two blocks has no words
    /// of later ones: if one is prepared, they stay.
    fn take_old(&mut self, bucket: u64) -> Vec<(BlockIndex, Run)> {
        let boundary = self.boundary;
        let is_old = |run: &Run| boundary.is_none_or(|boundary| run.source <= boundary);
        let mut taken = Vec::new();
        let Range { start, end } = readers(bucket);
        for reader in start.up_to(end) {
            let runs = std::mem::take(self.of(reader));
            let (old, new): (Vec<_>, _) = runs.into_iter().partition(is_old);
            *self.of(reader) = new;
            taken.extend(old.into_iter().map(|run| (reader, run)));
        }
        taken
    }
}
