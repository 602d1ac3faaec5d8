//! The words of a run with checkpoints.
//!
//! The words for one reader are a [`Sequence`], which only grows. It is born when the first word is
//! stored for the reader, or when a run resumes that has words for it. Blocks below the reader
//! append to it, each the words for which it is the source; when the reader runs, it takes them,
//! all that are there at a time. Once the reader has ended, and no kept checkpoint needs the words,
//! the whole sequence is given back.
//!
//! A run that makes no checkpoints has no folder: a sequence is a list of batches in memory.
//!
//! With a folder a sequence is a file ([`FileState`]), followed by the list, which has the words
//! that are not written yet. The lists are written when they take too much memory, and for a
//! checkpoint, which names the files and their lengths. While a checkpoint above block m is being
//! made ([`Store::copy_of_block`]), readers after m have their lists written before they take them.
//! A file stays in the page cache of the system as long as there is room.
//!
//! ```text
//! block 8 runs     store(20, 8, ..)   the list of reader 20 has one batch
//! block 8 ends     close(8)           if all lists take much memory, this one is appended to
//!                                     words-0000020.bin, and is empty
//! checkpoint       states(8)          the rest of the list is appended, the file is synced, and
//!                                     the checkpoint names its length
//! block 20 runs    take(20)           it reads the file, and takes what is in the list
//! block 20 ends    passed(20)         the file is removed, unless a checkpoint needs it
//! ```
//!
//! If the disk is full, the words stay in the list: the run continues as long as its memory has
//! room for them, but no checkpoint is made.
//!
//! *Processes.* Several processes can share a run and its folder ([`Share`]). Each writes files of
//! its own, so that a file has one writer, and a reader takes the words of all files that are for
//! it. Words are in the file before another process can ask for them: those for readers that may be
//! running at once, and all others when their source closes. Process 0 removes files.

use super::file::{BUFFER, Batch, FileState};
use super::folder::{HeldFolder, Problem, SpillTo};
use crate::band::codec::put_row;
use crate::band::schedule::block_of;
use crate::band::simd::Eight;
use crate::error::{SweepError, WordsError};
use crate::units::{BandIndex, BlockIndex, RowIndex, index};
use record::{Record, listeners::Done};
use std::collections::BTreeMap;
use std::io;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// The processes that share a run. The first block of the run belongs to process 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of this process, from 0 on.
    pub process: u64,
    /// The number of processes.
    pub processes: u64,
    /// The number of workers of all processes: at most so many blocks run at the same time.
    pub workers: u64,
}

impl Share {
    /// One process has the whole run.
    pub const ALONE: Self = Self { process: 0, processes: 1, workers: 0 };
}

/// The words that wait.
pub struct Store {
    sequences: Mutex<BTreeMap<BlockIndex, Arc<Mutex<Sequence>>>>,
    /// Empty buffers for later use. With those of the allocator, runs take a quarter more memory.
    spare: Mutex<Vec<Vec<Eight>>>,
    /// The part of the run that this process has.
    pub(crate) share: Share,
    /// The first block of the run. Every process has the words that blocks before it have stored,
    /// and process 0 stores them.
    first: BlockIndex,
    needs: Mutex<Needs>,
    files: Option<Files>,
    copies: Mutex<Copies>,
    /// All processes have ended.
    pub is_over: bool,
}

/// The files of a store.
struct Files {
    folder: PathBuf,
    /// In process 0.
    held: Option<HeldFolder>,
    /// The most bytes of words that are in no file. Half of it is used, unless they cannot be
    /// written.
    memory: u64,
    /// Bytes of words that are in no file.
    unwritten: AtomicU64,
    /// The writers of files that can exist are the processes before this number.
    writers: u64,
}

/// If the run makes checkpoints: the channel to the thread that writes them, and when the next one
/// is due; `None` while one is being made, or if there will be no more.
type Copies = Option<(Sender<News>, Option<Due>)>;

/// What the thread that writes checkpoints is told.
pub(crate) enum News {
    /// The rows of the next block, in bytes, and their number with the work done for them.
    Rows(Vec<u8>, Done),
    /// The corner and the groups that a block has sent, in bytes, before its rows; with the first
    /// row above the block.
    Copied(RowIndex, Vec<Vec<u8>>),
}

/// When the next checkpoint is due.
#[derive(Clone, Copy)]
pub(crate) struct Due {
    pub(crate) at: Instant,
    /// The previous one could not be written. The next attempt is not made before the time.
    pub(crate) is_retry: bool,
}

/// The words that checkpoints need, and those that were given back.
#[derive(Default)]
struct Needs {
    /// A checkpoint is being made above this block.
    boundary: Option<BlockIndex>,
    /// Words that it needs were taken, and could not be written.
    failed: Option<Problem>,
    /// The first block of a run that resumes from the oldest checkpoint.
    oldest: Option<BlockIndex>,
    /// The blocks before this one have ended.
    running: BlockIndex,
    /// The words of readers before this one have been given back.
    kept: BlockIndex,
    /// The largest size so far of the files of readers that have not ended.
    most_in_use: u64,
}

/// The words for one reader.
#[derive(Debug)]
struct Sequence {
    /// The words that are in no file, in the order in which they were stored.
    list: Vec<Batch>,
    /// The file of this process.
    own: FileState,
    /// The files of all processes, by their numbers, then those of processes of an earlier run.
    files: Vec<WordsFile>,
}

/// A file, up to the length to which this process has read it.
#[derive(Clone, Copy, Debug)]
struct WordsFile {
    read: FileState,
    /// Its end, if its writer was a process of an earlier run.
    end: Option<FileState>,
}

/// The files of an earlier run, for a run that resumes it.
#[derive(Debug)]
pub(crate) struct Left {
    /// The files that the checkpoint names, and those of earlier readers that older checkpoints
    /// need.
    pub(crate) files: Vec<FileState>,
    /// The first block of a run that resumes from the oldest checkpoint.
    pub(crate) oldest: BlockIndex,
}

impl Files {
    /// Appends the list of a sequence to its file.
    fn append(&self, Sequence { list, own, .. }: &mut Sequence) -> Result<(), Problem> {
        if list.is_empty() {
            return Ok(());
        }
        own.append(&self.folder, list).map_err(|error| (own.path(&self.folder), error))?;
        self.unwritten.fetch_sub(bytes_of(list), Ordering::Relaxed);
        list.clear();
        Ok(())
    }
}

/// The error of a file of words.
fn failed((file, error): &Problem) -> SweepError {
    SweepError::Words { problem: format!("{}: {error}", file.display()) }
}

impl Sequence {
    fn new(reader: BlockIndex, Share { process, processes, .. }: Share) -> Self {
        let file = |writer| WordsFile { read: FileState::empty(reader, writer), end: None };
        let (own, files) = (FileState::empty(reader, process), (0..processes).map(file).collect());
        Self { list: Vec::new(), own, files }
    }

    /// All words in the file of this process have been read, or nobody reads them.
    fn own_is_read(&mut self) {
        self.files[index(self.own.writer)].read = self.own;
    }

    /// Reads all words that are in files and have not been read.
    fn read(&mut self, folder: &Path) -> Result<Vec<Batch>, Problem> {
        let mut words = Vec::new();
        for WordsFile { read, end } in &mut self.files {
            let end = if read.is_same(&self.own) { Some(self.own) } else { *end };
            let more = read.read(folder, end.map(|end| end.bytes), || false);
            words.append(&mut more.map_err(|error| (read.path(folder), error))?);
        }
        Ok(words)
    }
}

fn bytes_of(batches: &[Batch]) -> u64 {
    batches.iter().map(|batch| size_of_val(batch.words.as_slice()) as u64).sum()
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics while holding it")
}

/// Removes its files, unless a checkpoint needs them or another process may still write some.
impl Drop for Store {
    fn drop(&mut self) {
        let is_unneeded = self.needs.get_mut().is_ok_and(|needs| needs.oldest.is_none());
        if let Some(Files { held: Some(held), .. }) = &mut self.files {
            held.may_empty &= self.share.processes == 1 || self.is_over;
            if is_unneeded && held.may_empty {
                let _harmless = held.clear();
            }
        }
    }
}

/// While it lives, a run makes checkpoints. Then no checkpoint begins, and one that is not complete
/// is abandoned.
pub(crate) struct Copying<'a>(&'a Store);

impl Drop for Copying<'_> {
    fn drop(&mut self) {
        *lock(&self.0.copies) = None;
    }
}

impl Store {
    /// A store for a run that begins with block `first`, in memory.
    pub(crate) fn in_memory(first: BlockIndex) -> Self {
        let needs = Needs { running: first, kept: first, ..Needs::default() };
        let (sequences, spare, needs) = (Mutex::default(), Mutex::default(), Mutex::new(needs));
        let (share, files, copies, is_over) = (Share::ALONE, None, Mutex::default(), false);
        Self { sequences, spare, share, first, needs, files, copies, is_over }
    }

    /// The same in the files of a folder, with at most `on_disk` bytes of words in them. If the run
    /// resumes an earlier one, `left` has the files of that one.
    pub(crate) fn on_disk(
        spill: &SpillTo,
        share: Share,
        on_disk: u64,
        left: Option<&Left>,
        first: BlockIndex,
    ) -> Result<Self, WordsError> {
        let oldest = left.map(|left| left.oldest);
        let left = left.map_or(&[][..], |left| &left.files);
        let below = first - 1;
        let held = (share.process == 0)
            .then(|| HeldFolder::prepare(spill, left, below, on_disk))
            .transpose()?;
        let writers = left.iter().map(|file| file.writer + 1).max().unwrap_or(0);
        let files = Files {
            folder: spill.folder.clone(),
            held,
            memory: spill.memory,
            unwritten: AtomicU64::new(0),
            writers: writers.max(share.processes),
        };
        let mut store = Self::in_memory(first);
        (store.share, store.files) = (share, Some(files));
        let needs = store.needs.get_mut().expect("it is new");
        needs.oldest = oldest;
        needs.kept = left.iter().map(|file| file.reader).fold(first, BlockIndex::min);
        for &(mut file) in left {
            if file.reader > below {
                // Process 0 has written it.
                let _bar = file.barred(below);
            }
            let sequence = store.sequence(file.reader);
            let mut sequence = lock(&sequence);
            if file.writer == share.process {
                sequence.own = file;
            } else if file.writer >= share.processes {
                let read = FileState::empty(file.reader, file.writer);
                sequence.files.push(WordsFile { read, end: Some(file) });
            }
            if file.reader <= below {
                sequence.own_is_read();
            }
        }
        Ok(store)
    }

    fn sequence(&self, reader: BlockIndex) -> Arc<Mutex<Sequence>> {
        let new = || Arc::new(Mutex::new(Sequence::new(reader, self.share)));
        lock(&self.sequences).entry(reader).or_insert_with(new).clone()
    }

    /// The sequences of readers after this block.
    fn after(&self, block: BlockIndex) -> Vec<(BlockIndex, Arc<Mutex<Sequence>>)> {
        let sequences = lock(&self.sequences);
        sequences.range(block + 1..).map(|(&reader, words)| (reader, words.clone())).collect()
    }

    /// Writes the list of a sequence. If that fails, and memory has room, the words stay there.
    fn write(&self, files: &Files, sequence: &mut Sequence) -> Result<(), SweepError> {
        files.append(sequence).or_else(|problem| {
            let has_room = files.unwritten.load(Ordering::Relaxed) <= files.memory;
            // Another process would wait for them in vain.
            let can_wait = has_room && self.share.processes == 1;
            if can_wait { Ok(()) } else { Err(failed(&problem)) }
        })
    }

    /// Stores words of block `source` for a later block.
    ///
    /// # Errors
    /// [`SweepError::Words`] if they cannot be written, and memory has no room.
    pub(crate) fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        if self.share.process > 0 && source < self.first {
            return Ok(());
        }
        let sequence = self.sequence(reader);
        let mut sequence = lock(&sequence);
        let batch = Batch { source, words };
        let bytes = bytes_of(std::slice::from_ref(&batch));
        sequence.list.push(batch);
        let Some(files) = &self.files else { return Ok(()) };
        let all = files.unwritten.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let may_run = self.share.processes > 1 && reader <= source + self.share.workers;
        if all > files.memory || may_run { self.write(files, &mut sequence) } else { Ok(()) }
    }

    /// Block `source` has stored all its words.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub(crate) fn close(&self, source: BlockIndex) -> Result<(), SweepError> {
        let Some(files) = &self.files else { return Ok(()) };
        let is_little = files.unwritten.load(Ordering::Relaxed) <= files.memory / 2;
        if self.share.processes == 1 && is_little {
            return Ok(());
        }
        self.after(source).iter().try_for_each(|(_, words)| self.write(files, &mut lock(words)))
    }

    /// Takes the words for `reader` that have been stored and not yet taken.
    ///
    /// # Errors
    /// [`SweepError::Words`] if they cannot be read.
    pub(crate) fn take(&self, reader: BlockIndex) -> Result<Vec<Batch>, SweepError> {
        let sequence = self.sequence(reader);
        let mut sequence = lock(&sequence);
        let Some(files) = &self.files else { return Ok(take(&mut sequence.list)) };
        // The boundary was set before blocks after it began.
        if lock(&self.needs).boundary.is_some_and(|boundary| boundary < reader)
            && let Err(problem) = files.append(&mut sequence)
        {
            lock(&self.needs).failed = Some(problem);
        }
        let mut words = sequence.read(&files.folder).map_err(|problem| failed(&problem))?;
        files.unwritten.fetch_sub(bytes_of(&sequence.list), Ordering::Relaxed);
        words.append(&mut sequence.list);
        Ok(words)
    }

    /// An empty list with room for [`BUFFER`] words.
    pub(crate) fn buffer(&self) -> Vec<Eight> {
        lock(&self.spare).pop().unwrap_or_else(|| Vec::with_capacity(BUFFER))
    }

    /// Takes back a list that is not needed any more, if it has the size of a buffer.
    pub(crate) fn recycle(&self, mut words: Vec<Eight>) {
        if words.capacity() == BUFFER {
            words.clear();
            lock(&self.spare).push(words);
        }
    }

    /// Makes checkpoints from now on, the first one at a time, until the [`Copying`] is dropped.
    /// Also returns the news for the thread that writes them.
    pub(crate) fn make_copies(&self, due: Option<Instant>) -> (Copying<'_>, Receiver<News>) {
        let (sender, news) = channel();
        *lock(&self.copies) = Some((sender, due.map(|at| Due { at, is_retry: false })));
        (Copying(self), news)
    }

    /// Tells the thread that writes checkpoints, if there is one. When a run resumes, it is first
    /// told of the rows below.
    pub(crate) fn tell(&self, news: News) {
        if let Some((teller, _)) = &*lock(&self.copies) {
            // It listens as long as there are checkpoints.
            let _ = teller.send(news);
        }
    }

    /// Whether a checkpoint is due, and needs a copy of the messages of the block below band
    /// `above` to the next block. The block has not begun. If so, from now on keeps the words that
    /// it and those below it store for later ones.
    pub(crate) fn copy_of_block(&self, above: BandIndex) -> bool {
        let mut copies = lock(&self.copies);
        let Some((_, due)) = &mut *copies else { return false };
        let Some(Due { at, is_retry }) = *due else { return false };
        if at > Instant::now() && (is_retry || !self.is_crowded()) {
            return false;
        }
        let mut needs = lock(&self.needs);
        (needs.boundary, needs.failed, *due) = (Some(block_of(above - 1)), None, None);
        true
    }

    /// All rows of the next block have been found. Successive calls have successive rows. The
    /// visitor has not seen them.
    pub(crate) fn rows(&self, rows: &[Record], done: Done) {
        let Some(last) = rows.last() else { return };
        if lock(&self.copies).is_some() {
            let mut bytes = Vec::new();
            for row in rows {
                put_row(&mut bytes, row);
            }
            self.tell(News::Rows(bytes, Done { rows: rows.len() as u64, ..done }));
        }
        self.passed(block_of(BandIndex::of_row(RowIndex(last.row()))));
    }

    /// The checkpoint has been written, or has failed. From now on, runs resume with block
    /// `oldest`, if given, or later ones. The next one is `due`.
    pub(crate) fn forget(&self, oldest: Option<BlockIndex>, next: Option<Due>) {
        let mut needs = lock(&self.needs);
        needs.boundary = None;
        needs.oldest = oldest.or(needs.oldest);
        drop(needs);
        if let Some((_, due)) = &mut *lock(&self.copies) {
            *due = next;
        }
    }

    /// The files of this process with words for readers after `boundary`, synced, with all words
    /// that the blocks up to there have stored. These blocks have ended.
    ///
    /// # Errors
    /// If words cannot be written or files not synced.
    pub fn states(&self, boundary: BlockIndex) -> io::Result<Vec<FileState>> {
        let Some(files) = &self.files else { return Ok(Vec::new()) };
        let in_words =
            |(file, error): Problem| io::Error::other(format!("{}: {error}", file.display()));
        let (mut own, mut earlier) = (Vec::new(), Vec::new());
        for (_, words) in self.after(boundary) {
            let mut words = lock(&words);
            files.append(&mut words).map_err(in_words)?;
            own.extend(Some(words.own).filter(|file| file.bytes > 0));
            earlier.extend(words.files.iter().filter_map(|file| file.end));
        }
        lock(&self.needs).failed.take().map_or(Ok(()), |problem| Err(in_words(problem)))?;
        own.iter().try_for_each(|file| file.sync(&files.folder))?;
        files::sync_folder(&files.folder)?;
        if self.share.process == 0 {
            own.append(&mut earlier);
        }
        Ok(own)
    }

    /// All blocks up to this one have ended. Gives back the words for them that no checkpoint
    /// needs.
    fn passed(&self, block: BlockIndex) {
        let mut needs = lock(&self.needs);
        needs.running = needs.running.max(block + 1);
        let boundary = needs.boundary.map(|boundary| boundary + 1);
        let needed = [Some(needs.running), boundary, needs.oldest];
        let Some(needed) = needed.into_iter().flatten().min() else { return };
        let given_back = needs.kept.up_to(needed);
        needs.kept = needs.kept.max(needed);
        drop(needs);
        let mut sequences = lock(&self.sequences);
        *sequences = sequences.split_off(&needed);
        drop(sequences);
        if let Some(Files { folder, held: Some(_), writers, .. }) = &self.files {
            for reader in given_back {
                for writer in 0..*writers {
                    // If it cannot be removed, the next run tries again.
                    let _harmless =
                        std::fs::remove_file(FileState::empty(reader, writer).path(folder));
                }
            }
        }
    }

    /// Whether the files that only checkpoints need are more than half as large as the other files
    /// have ever been. Then the next checkpoint is due, after which they can be removed.
    fn is_crowded(&self) -> bool {
        let Needs { running, oldest, .. } = *lock(&self.needs);
        if self.files.is_none() || oldest.is_none_or(|oldest| oldest >= running) {
            return false;
        }
        let (mut old, mut in_use) = (0, 0);
        for (reader, words) in self.after(BlockIndex(0)) {
            let of_reader = lock(&words).own.bytes;
            *(if reader < running { &mut old } else { &mut in_use }) += of_reader;
        }
        let most = &mut lock(&self.needs).most_in_use;
        *most = in_use.max(*most);
        old > *most / 2
    }
}
