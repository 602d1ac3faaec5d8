//! Runs of words that wait for their readers: in memory, and on disk if that is too small.

use super::{
    folder::{Folder, Held, SpillTo, Tenant, failure},
    others::{Elsewhere, Others, Way},
    runs::{RUN, Run, emptied},
    state::FileState,
    waiting::{Clerk, Job, Left, Waiting, Words},
};
use crate::{
    band::{simd::Eight, units::BlockIndex},
    error::SweepError,
};
use std::{
    io,
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Who brings words from another process waits no longer for room.
const MOMENT: Duration = Duration::from_millis(10);

/// On the way to other processes may be this fraction of what may be in memory.
const ON_THE_WAY: u64 = 8;

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

/// Where words wait for which memory has no room.
#[derive(Debug)]
struct Spill {
    folder: Folder,
    /// The place where this process writes, then those of others that have words for it.
    held: Vec<Held>,
    /// Bytes of words in memory.
    memory: u64,
}

/// Somebody who uses an office: as long as there is one, its clerk works.
pub(crate) struct User<'a>(&'a Office);

impl Drop for User<'_> {
    fn drop(&mut self) {
        self.0.waiting().users -= 1;
        self.0.changed.notify_all();
    }
}

/// Nobody uses it any more: the files of this process go, unless a run may resume with them from a
/// checkpoint.
impl Drop for Office {
    fn drop(&mut self) {
        let Ok(waiting) = self.waiting.get_mut() else { return };
        if let Some(Spill { held, .. }) = &self.spill
            && waiting.needed.or(waiting.copied).is_none()
        {
            held.iter().for_each(Held::clear);
        }
    }
}

impl Office {
    /// For a run that begins with block `next`, with so many bytes of words in memory, and the
    /// others in a folder, where there is room for `on_disk` bytes; `left` is what an earlier run
    /// has left there, if this one resumes it. Other processes may have some of the blocks.
    pub(crate) fn spilling(
        spill: &SpillTo,
        (tenant, on_disk): (Tenant, u64),
        left: Option<Left>,
        next: BlockIndex,
        elsewhere: Option<Elsewhere>,
    ) -> Result<Self, SweepError> {
        let folder = Folder::new(&spill.folder);
        let files = left.as_ref().map_or(&[][..], |left| &left.files);
        let held = folder.prepare(tenant, &spill.owner, files, on_disk)?;
        let waiting = Mutex::new(Waiting::beginning(tenant, left, next, elsewhere));
        let others = elsewhere.map(|elsewhere| Others { elsewhere, way: None });
        let spill = Some(Spill { folder, held, memory: spill.memory });
        let (changed, closed) = (Condvar::new(), AtomicBool::new(false));
        Ok(Self { waiting, changed, spill, others, closed })
    }

    /// For a run of which other processes have some of the blocks. It keeps nothing for these.
    pub(crate) fn shared(elsewhere: Elsewhere) -> Self {
        let mut office = Self::default();
        office.others = Some(Others { elsewhere, way: None });
        office
    }

    /// From now on, what is posted to other processes goes this way.
    pub(crate) fn connect(&mut self, way: Way) {
        self.others.as_mut().expect("the office is shared").way = Some(way);
    }

    /// Some words for a reader of this process have come from another one. Waits for a moment if
    /// there is no room for them, so that no more come than the clerk can write.
    pub(crate) fn arrive(&self, reader: BlockIndex, run: Run) {
        let mut waiting = self.waiting();
        waiting.add(reader, run);
        self.changed.notify_all();
        if let Some(Spill { memory, .. }) = self.spill {
            self.ask_for_room(&mut waiting, memory);
            let wait = |waiting: &mut Waiting| waiting.has_to_wait(memory);
            let wait = self.changed.wait_timeout_while(waiting, MOMENT, wait);
            drop(wait.expect("nobody panics while holding it"));
        }
    }

    /// What is on its way to other processes: so many bytes. Whoever posts more waits if that is
    /// too much.
    pub(crate) fn set_on_the_way(&self, bytes: u64) {
        if self.spills() {
            self.waiting().on_the_way = bytes;
            self.changed.notify_all();
        }
    }

    /// Waits until other processes have posted more for `reader`. `false` if nothing will come.
    pub(crate) fn wait_for(&self, reader: BlockIndex) -> bool {
        let mut waiting = self.waiting();
        while waiting.of(reader).is_empty() {
            let Some(way) = self.others.as_ref().and_then(|others| others.way.as_ref()) else {
                return false;
            };
            if self.is_closed() {
                return false;
            }
            waiting = way.waits.measure(|| self.wait(waiting));
        }
        true
    }

    /// The most bytes that files of words have had at a time.
    pub(crate) fn most_on_disk(&self) -> u64 {
        self.waiting().most_on_disk
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
        self.waiting().spare.extend(words);
    }

    /// Posts some words. Waits while there is no room for them.
    pub(crate) fn post(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        if let Some(others) = &self.others
            && let Some(way) = &others.way
            && let Some(to) = others.elsewhere.of(reader)
        {
            let run = Run { source, words: words.into(), is_on_disk: false };
            self.wait_for_the_way(run.bytes())?;
            (way.hand_on)(reader, to, &run);
            self.recycle(Arc::into_inner(run.words).and_then(emptied).into_iter());
            return Ok(());
        }
        self.add(reader, source, words);
        let Some(Spill { memory, .. }) = self.spill else { return Ok(()) };
        let mut waiting = self.waiting();
        self.ask_for_room(&mut waiting, memory);
        while waiting.has_to_wait(memory) {
            waiting = self.wait(waiting);
        }
        waiting.failed.clone().map_or(Ok(()), Err)
    }

    fn ask_for_room(&self, waiting: &mut Waiting, memory: u64) {
        if !waiting.has_room(memory) {
            self.wake(waiting);
        }
    }

    /// Waits while too much is on the way to other processes; adds what is to go there.
    fn wait_for_the_way(&self, bytes: u64) -> Result<(), SweepError> {
        let Some(spill) = &self.spill else { return Ok(()) };
        let mut waiting = self.waiting();
        while waiting.on_the_way > spill.memory / ON_THE_WAY
            && !self.is_closed()
            && waiting.failed.is_none()
        {
            waiting = self.wait(waiting);
        }
        waiting.on_the_way += bytes;
        waiting.failed.clone().map_or(Ok(()), Err)
    }

    /// Block `reader` begins: what it reads is in memory then.
    pub(crate) fn begin(&self, reader: BlockIndex) -> Result<(), SweepError> {
        let mut waiting = self.waiting();
        waiting.latest = waiting.latest.max(reader);
        if self.spill.is_some() {
            self.changed.notify_all();
            while waiting.loaded <= reader && waiting.failed.is_none() {
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
    /// not: by reader, then by source, then in the order in which it was posted. If words may wait
    /// in files, it is nothing, and the clerk writes there what is not there yet
    /// ([`Self::files_of_copy`]).
    pub(crate) fn copy(&self, boundary: BlockIndex) -> Words {
        let mut waiting = self.waiting();
        while waiting.clerk == Clerk::Writing && waiting.failed.is_none() {
            waiting = self.wait(waiting);
        }
        debug_assert_eq!(waiting.boundary, Some(boundary));
        waiting.boundary = None;
        waiting.copied = Some(boundary + 1);
        let mut copy = waiting.copy(boundary, self.spills());
        if self.spills() {
            waiting.write_copy(copy, boundary + 1);
            self.wake(&mut waiting);
            return Words::new();
        }
        drop(waiting);
        copy.sort_by_key(|(reader, run)| (*reader, run.source));
        copy
    }

    /// The files that have the words which the last copy has not: waits for the clerk, and makes
    /// them safe.
    pub(crate) fn files_of_copy(&self) -> io::Result<Vec<FileState>> {
        let Some(Spill { folder, .. }) = &self.spill else { return Ok(Vec::new()) };
        let mut waiting = self.waiting();
        let is_written =
            |waiting: &Waiting| waiting.clerk != Clerk::Writing && waiting.copying.words.is_empty();
        while !is_written(&waiting) && waiting.failed.is_none() {
            waiting = self.wait(waiting);
        }
        let failed = waiting.failed.as_ref().map(ToString::to_string);
        if let Some(problem) = failed.or_else(|| waiting.copying.failed.clone()) {
            return Err(io::Error::other(problem));
        }
        let files: Vec<_> = waiting.copying.files.values().copied().collect();
        drop(waiting);
        folder.sync(&files)?;
        Ok(files)
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

    /// Whether old checkpoints keep more than half as much in files as has waited there at most:
    /// the next one is due, so that files may go.
    pub(crate) fn is_crowded(&self) -> bool {
        self.spills() && self.waiting().is_crowded()
    }

    /// What the clerk does, until nobody uses the office: to read files ahead of their
    /// readers, to write what there is no room for and what a checkpoint needs, and to remove
    /// what nobody will read.
    pub(crate) fn work(&self) {
        let Some(Spill { folder, memory, .. }) = &self.spill else { return };
        let mut part = Vec::new();
        let mut waiting = self.waiting();
        while (waiting.users > 0 || !waiting.copying.words.is_empty()) && waiting.failed.is_none() {
            let Some(job) = waiting.job(*memory) else {
                waiting.clerk = Clerk::Idle;
                self.changed.notify_all();
                waiting = self.wait(waiting);
                continue;
            };
            // Some readers have no file.
            self.changed.notify_all();
            drop(waiting);
            let done = self.do_job(folder, job, &mut part);
            waiting = self.waiting();
            waiting.failed = done.err().or(waiting.failed.take());
            self.changed.notify_all();
        }
    }

    fn do_job(&self, folder: &Folder, job: Job, part: &mut Vec<u8>) -> Result<(), SweepError> {
        let failed = |file: &FileState, error| failure(&folder.file(file), &error);
        match job {
            Job::Load(reader, files) => {
                let mut words = Words::new();
                for file in files {
                    let take = |reader, run| words.push((reader, run));
                    let list = |words| self.buffer_for(words);
                    file.read(folder, part, list, take).map_err(|error| failed(&file, error))?;
                }
                self.waiting().add_loaded(reader, words);
            }
            Job::Write(file, words) => {
                let written = file.append(folder, &words, part);
                let written = written.map_err(|error| failed(&file, error))?;
                self.waiting().add_written(written, words);
            }
            Job::Copy(file, words) => {
                // Without the checkpoint the run can go on.
                match file.append(folder, &words, part) {
                    Ok(written) => self.waiting().add_copied(written),
                    Err(error) => {
                        let problem = format!("{}: {error}", folder.file(&file).display());
                        self.waiting().give_up_copy(words, problem);
                    }
                }
            }
            Job::Remove(file) => {
                folder.remove(&file).map_err(|error| failed(&file, error))?;
                self.waiting().remove(&file);
            }
        }
        Ok(())
    }

    /// Has the clerk look for something to do.
    fn wake(&self, waiting: &mut Waiting) {
        if waiting.clerk == Clerk::Idle {
            waiting.clerk = Clerk::Busy;
            self.changed.notify_all();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().expect("nobody panics while holding it")
    }

    fn wait<'a>(&self, waiting: MutexGuard<'a, Waiting>) -> MutexGuard<'a, Waiting> {
        self.changed.wait(waiting).expect("nobody panics while holding it")
    }
}
