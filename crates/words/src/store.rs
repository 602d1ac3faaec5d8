//! The storage of a run with checkpoints: words in memory, and on disk if memory is too small.

use crate::{
    checkpoint_words::{CheckpointWords, encode_run},
    disk::{FileState, Folder, HeldPlaces, Place, Share, SpillTo, failure},
    error::WordsError,
    queues::{DiskJob, DiskThread, Left, Piece, PieceList, Queues, Reads, parts},
};
use std::{
    io,
    sync::{Condvar, Mutex, MutexGuard},
    time::{Duration, Instant},
};
use sweep::{
    band::pipeline::{BUFFER, BlockIndex, Eight, Storage, WordRun},
    error::SweepError,
};

/// Words that wait: the [`Storage`] of a process.
pub struct Store {
    queues: Mutex<Queues>,
    /// Signals that the queues have changed.
    changed: Condvar,
    disk: Option<Disk>,
}

/// The files of words that do not fit into memory.
struct Disk {
    folder: Folder,
    held: HeldPlaces,
    /// The largest number of bytes of words in memory.
    memory: u64,
}

/// A user of a store. The disk thread works as long as there is one.
pub struct User<'a>(&'a Store);

impl Drop for User<'_> {
    fn drop(&mut self) {
        self.0.queues().users -= 1;
        self.0.changed.notify_all();
    }
}

/// Removes the files of this process, unless a checkpoint needs them.
impl Drop for Store {
    fn drop(&mut self) {
        let Ok(queues) = self.queues.get_mut() else { return };
        if let Some(Disk { held, .. }) = &self.disk
            && queues.needed.or(queues.copied).is_none()
        {
            held.clear();
        }
    }
}

impl Store {
    /// A store that keeps all words in memory.
    pub fn in_memory(reads: Reads) -> Self {
        let queues = Queues::beginning(Share::ALONE, None, BlockIndex(0), reads);
        Self { queues: Mutex::new(queues), changed: Condvar::new(), disk: None }
    }

    /// A store for a run that begins with block `next`, with at most `on_disk` bytes of words in
    /// files. If the run resumes an earlier one, `left` has the files of that one.
    pub(crate) fn spilling(
        spill: &SpillTo,
        share: Share,
        on_disk: u64,
        left: Option<Left>,
        next: BlockIndex,
        reads: Reads,
    ) -> Result<Self, WordsError> {
        let folder = Folder::new(&spill.folder);
        let files = left.as_ref().map_or(&[][..], |left| &left.files);
        let held = folder.prepare(share, &spill.owner, files, on_disk)?;
        let queues = Mutex::new(Queues::beginning(share, left, next, reads));
        let disk = Some(Disk { folder, held, memory: spill.memory });
        Ok(Self { queues, changed: Condvar::new(), disk })
    }

    /// Whether words can wait in files. Then a thread must call [`Self::work`].
    pub fn spills(&self) -> bool {
        self.disk.is_some()
    }

    /// The largest number of bytes of words in memory, if words can wait in files.
    pub fn memory(&self) -> Option<u64> {
        self.disk.as_ref().map(|disk| disk.memory)
    }

    /// The place of its files.
    pub(crate) fn place(&self) -> Place {
        self.disk.as_ref().map_or(Place::Whole, |disk| disk.held.place())
    }

    /// The largest size that its files have had together, in bytes.
    pub fn most_on_disk(&self) -> u64 {
        self.queues().most_on_disk
    }

    /// The error with which it has failed, if it has.
    pub fn failure(&self) -> Option<WordsError> {
        self.queues().failed.clone()
    }

    /// Registers one more user.
    pub fn user(&self) -> User<'_> {
        self.queues().users += 1;
        User(self)
    }

    /// Adds words, unless their reader belongs to another process.
    pub fn add(&self, reader: BlockIndex, source: BlockIndex, words: Vec<Eight>) {
        let mut queues = self.queues();
        if (queues.reads.0)(reader) {
            queues.add(reader, Piece::new(source, words));
        }
    }

    /// Waits until the words fit into memory, but no longer than `most`, if given.
    ///
    /// # Errors
    /// [`SweepError::Outside`] if the store has failed.
    pub fn make_room(&self, most: Option<Duration>) -> Result<(), SweepError> {
        let Some(Disk { memory, .. }) = self.disk else { return Ok(()) };
        let mut queues = self.queues();
        if !queues.has_room(memory) {
            self.wake(&mut queues);
        }
        let until = most.map(|most| Instant::now() + most);
        while queues.has_to_wait(memory) && until.is_none_or(|until| Instant::now() < until) {
            queues = self.wait_for(queues, most.unwrap_or(Duration::MAX));
        }
        queues.result()
    }

    /// An error if the store has failed.
    ///
    /// # Errors
    /// [`SweepError::Outside`] if it has.
    pub fn result(&self) -> Result<(), SweepError> {
        self.queues().result()
    }

    /// Whether words for `reader` are in memory.
    pub fn has_some(&self, reader: BlockIndex) -> bool {
        !self.queues().of(reader).is_empty()
    }

    /// An empty list for this number of words: a reused buffer, if that is about as large.
    pub fn buffer_for(&self, words: u64) -> Vec<Eight> {
        let run = BUFFER as u64;
        if (run / 2..=run).contains(&words) { self.buffer() } else { Vec::new() }
    }

    /// All words that the blocks up to `boundary` have stored for later ones, whether they have
    /// been read or not: by reader, then by source, then in the order in which they were stored. If
    /// words can wait in files, the list is empty, and the disk thread writes the words there
    /// ([`Self::files_of_copy`]).
    pub fn copy(&self, boundary: BlockIndex) -> Vec<(BlockIndex, WordRun)> {
        let mut queues = self.queues();
        while queues.disk_thread == DiskThread::Writing && queues.failed.is_none() {
            queues = self.wait(queues);
        }
        debug_assert_eq!(queues.boundary, Some(boundary));
        queues.boundary = None;
        queues.copied = Some(boundary + 1);
        let mut copy = queues.copy(boundary, self.spills());
        if self.spills() {
            queues.write_copy(copy, boundary + 1);
            self.wake(&mut queues);
            return Vec::new();
        }
        drop(queues);
        copy.sort_by_key(|(reader, piece)| (*reader, piece.source));
        copy.into_iter().map(|(reader, piece)| (reader, piece.run())).collect()
    }

    /// The files with the words of the last copy. Waits for the disk thread, and syncs the files.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn files_of_copy(&self) -> io::Result<Vec<FileState>> {
        let Some(Disk { folder, .. }) = &self.disk else { return Ok(Vec::new()) };
        let mut queues = self.queues();
        while queues.is_writing_copy() && queues.failed.is_none() {
            queues = self.wait(queues);
        }
        let failed = queues.failed.as_ref().map(ToString::to_string);
        if let Some(problem) = failed.or_else(|| queues.copying.failed.clone()) {
            return Err(io::Error::other(problem));
        }
        let files: Vec<_> = queues.copying.files.values().copied().collect();
        drop(queues);
        folder.sync(&files)?;
        Ok(files)
    }

    /// Whether files that only old checkpoints need are too large. Then the next checkpoint is due,
    /// after which they can be removed.
    pub(crate) fn is_crowded(&self) -> bool {
        self.spills() && self.queues().is_crowded()
    }

    /// The work of the disk thread, until there are no users: reads files ahead of their readers,
    /// writes words that do not fit into memory or that a checkpoint needs, and removes files that
    /// nobody will read.
    pub fn work(&self) {
        let Some(Disk { folder, memory, .. }) = &self.disk else { return };
        let mut part = Vec::new();
        let mut queues = self.queues();
        while (queues.users > 0 || !queues.copying.words.is_empty()) && queues.failed.is_none() {
            let Some(job) = queues.job(*memory) else {
                queues.disk_thread = DiskThread::Idle;
                self.changed.notify_all();
                queues = self.wait(queues);
                continue;
            };
            // Readers without files may have been marked as loaded.
            self.changed.notify_all();
            drop(queues);
            let done = self.do_job(folder, job, &mut part);
            queues = self.queues();
            queues.failed = done.err().or(queues.failed.take());
            self.changed.notify_all();
        }
    }

    fn do_job(&self, folder: &Folder, job: DiskJob, part: &mut Vec<u8>) -> Result<(), WordsError> {
        let failed = |file: &FileState, error| failure(&folder.file(file), &error);
        match job {
            DiskJob::Load(reader, files) => {
                let mut words = PieceList::new();
                for file in files {
                    let take = |source, list| {
                        words
                            .push((reader, Piece { is_on_disk: true, ..Piece::new(source, list) }));
                    };
                    let list = |words| self.buffer_for(words);
                    file.read(folder, part, list, take).map_err(|error| failed(&file, error))?;
                }
                self.queues().add_loaded(reader, words);
            }
            DiskJob::Write(file, words) => {
                let written = file.append(folder, parts(&words), part);
                let written = written.map_err(|error| failed(&file, error))?;
                self.queues().add_written(written, words);
            }
            DiskJob::Copy(file, words) => {
                // The run can continue without the checkpoint.
                match file.append(folder, parts(&words), part) {
                    Ok(written) => self.queues().add_copied(written),
                    Err(error) => {
                        let problem = format!("{}: {error}", folder.file(&file).display());
                        self.queues().give_up_copy(words, problem);
                    }
                }
            }
            DiskJob::Remove(file) => {
                folder.remove(&file).map_err(|error| failed(&file, error))?;
                self.queues().remove(&file);
            }
        }
        Ok(())
    }

    /// Makes the disk thread look for a job.
    fn wake(&self, queues: &mut Queues) {
        if queues.disk_thread == DiskThread::Idle {
            queues.disk_thread = DiskThread::Busy;
            self.changed.notify_all();
        }
    }

    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().expect("nobody panics while holding it")
    }

    fn wait<'a>(&self, queues: MutexGuard<'a, Queues>) -> MutexGuard<'a, Queues> {
        self.wait_for(queues, Duration::MAX)
    }

    fn wait_for<'a>(
        &self,
        queues: MutexGuard<'a, Queues>,
        most: Duration,
    ) -> MutexGuard<'a, Queues> {
        let waited = self.changed.wait_timeout(queues, most);
        waited.expect("nobody panics while holding it").0
    }
}

impl Storage for Store {
    fn begin(&self, reader: BlockIndex) -> Result<(), SweepError> {
        let mut queues = self.queues();
        queues.latest = queues.latest.max(reader);
        if self.spills() {
            self.changed.notify_all();
            while queues.loaded <= reader && queues.failed.is_none() {
                queues = self.wait(queues);
            }
        }
        queues.result()
    }

    fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        self.add(reader, source, words);
        self.make_room(None)
    }

    fn take(&self, reader: BlockIndex) -> Vec<WordRun> {
        self.queues().take_and_keep(reader)
    }

    fn end(&self, block: BlockIndex) {
        let mut queues = self.queues();
        queues.earliest = queues.earliest.max(block + 1);
        self.changed.notify_all();
    }

    fn buffer(&self) -> Vec<Eight> {
        self.queues().spare.pop().unwrap_or_else(|| Vec::with_capacity(BUFFER))
    }

    fn recycle(&self, buffers: Vec<Vec<Eight>>) {
        self.queues().spare.extend(buffers);
    }
}

/// The words of a run of one process.
impl CheckpointWords for Store {
    fn keep(&self, boundary: BlockIndex) {
        let mut queues = self.queues();
        queues.boundary = Some(boundary);
        queues.kept.clear();
    }

    fn write(
        &self,
        boundary: BlockIndex,
        write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<Vec<FileState>> {
        let mut words = self.copy(boundary).into_iter().peekable();
        while let Some(run) = encode_run(&mut words) {
            write(&run)?;
        }
        self.files_of_copy()
    }

    fn forget(&self, _: BlockIndex, needed: Option<BlockIndex>) {
        let mut queues = self.queues();
        (queues.boundary, queues.copied) = (None, None);
        queues.kept.clear();
        queues.needed = needed.or(queues.needed);
        self.changed.notify_all();
    }
}
