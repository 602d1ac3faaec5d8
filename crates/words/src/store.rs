//! The storage of a run with checkpoints: words in memory, and on disk if memory is too small.

use crate::checkpoint_words::{CheckpointWords, encode_batch};
use crate::disk::{FileState, Folder, HeldPlaces, SpillTo, StoreScope, VERSION, failure};
use crate::error::WordsError;
use crate::queues::{DiskJob, DiskThread, Left, Piece, PieceList, Queues, parts};
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard};
use sweep::band::pipeline::{BUFFER, Batch, BlockIndex, Eight, WordStorage};
use sweep::error::SweepError;

#[cfg(feature = "ranks")]
mod shared;

/// Words that wait: the [`WordStorage`] of a run.
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

/// Removes its files, unless a checkpoint needs them.
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
    pub fn in_memory(scope: Box<dyn StoreScope>) -> Self {
        let queues = Queues::beginning(scope, None, BlockIndex(0));
        Self { queues: Mutex::new(queues), changed: Condvar::new(), disk: None }
    }

    /// A store for a run that begins with block `next`, with at most `on_disk` bytes of words in
    /// files. If the run resumes an earlier one, `left` has the files of that one.
    pub(crate) fn spilling(
        spill: &SpillTo,
        scope: Box<dyn StoreScope>,
        on_disk: u64,
        left: Option<Left>,
        next: BlockIndex,
    ) -> Result<Self, WordsError> {
        let folder = Folder::new(&spill.folder);
        let files = left.as_ref().map_or(&[][..], |left| &left.files);
        let held = folder.prepare(&*scope, &spill.owner, files, on_disk)?;
        let queues = Mutex::new(Queues::beginning(scope, left, next));
        let disk = Some(Disk { folder, held, memory: spill.memory });
        Ok(Self { queues, changed: Condvar::new(), disk })
    }

    /// Whether words can wait in files. Then a thread must call [`Self::work`].
    pub fn spills(&self) -> bool {
        self.disk.is_some()
    }

    /// The version of its checkpoints.
    pub(crate) fn version(&self) -> u64 {
        if self.spills() { self.queues().scope.version() } else { VERSION }
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

    /// Adds words, if it keeps the words of their reader.
    pub fn add(&self, reader: BlockIndex, source: BlockIndex, words: Vec<Eight>) {
        let mut queues = self.queues();
        if queues.scope.keeps(reader) {
            queues.add(reader, Piece::new(source, words));
        }
    }

    /// Waits until the words fit into memory.
    fn make_room(&self) -> Result<(), SweepError> {
        let Some(Disk { memory, .. }) = self.disk else { return Ok(()) };
        let mut queues = self.looking_for_room(memory);
        while queues.has_to_wait(memory) {
            queues = self.wait(queues);
        }
        queues.result()
    }

    /// Makes the disk thread look for a job if there is little room.
    fn looking_for_room(&self, memory: u64) -> MutexGuard<'_, Queues> {
        let mut queues = self.queues();
        if !queues.has_room(memory) {
            self.wake(&mut queues);
        }
        queues
    }

    /// An empty list for this number of words: a reused buffer, if that is about as large.
    pub fn buffer_for(&self, words: u64) -> Vec<Eight> {
        let full = BUFFER as u64;
        if (full / 2..=full).contains(&words) { self.buffer() } else { Vec::new() }
    }

    /// All words that the blocks up to `boundary` have stored for later ones, whether they have
    /// been read or not: by reader, then by source, then in the order in which they were stored. If
    /// words can wait in files, the list is empty, and the disk thread writes the words there
    /// ([`Self::files_of_copy`]).
    ///
    /// # Panics
    /// If `boundary` is not the one at which the store waits.
    pub fn copy(&self, boundary: BlockIndex) -> Vec<(BlockIndex, Batch)> {
        let mut queues = self.queues();
        while queues.disk_thread == DiskThread::Writing && queues.failed.is_none() {
            queues = self.wait(queues);
        }
        assert_eq!(queues.boundary, Some(boundary));
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
        copy.into_iter().map(|(reader, piece)| (reader, piece.batch())).collect()
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
                    let read = file.read(folder, part, || false, list, take);
                    read.map_err(|error| failed(&file, error))?;
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
        self.changed.wait(queues).expect("nobody panics while holding it")
    }
}

impl WordStorage for Store {
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
        self.make_room()
    }

    fn take(&self, reader: BlockIndex) -> Vec<Batch> {
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
        while let Some(batch) = encode_batch(&mut words) {
            write(&batch)?;
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
