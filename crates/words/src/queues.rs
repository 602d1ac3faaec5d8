//! The words that wait, and the jobs of the disk thread.

use crate::disk::{FileState, Place, StoreScope};
use crate::error::WordsError;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::{replace, size_of, take};
use std::sync::Arc;
use sweep::band::pipeline::{Batch, BlockIndex, Eight, emptied, index};
use sweep::error::SweepError;

/// To make room, the disk thread prefers readers whose words take at least `1 / PARTS` of the
/// memory.
const PARTS: u64 = 512;

/// The reason why a checkpoint cannot name its files.
const LATE: &str = "files of words already have words of later blocks; it will be retried";

/// Words from one block to another, or some of them.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) source: BlockIndex,
    pub(crate) words: Arc<Vec<Eight>>,
    /// Whether the words are also in a file.
    pub(crate) is_on_disk: bool,
}

impl Piece {
    pub(crate) fn new(source: BlockIndex, words: Vec<Eight>) -> Self {
        Self { source, words: words.into(), is_on_disk: false }
    }

    pub(crate) fn batch(self) -> Batch {
        Batch { source: self.source, words: self.words }
    }

    fn bytes(&self) -> u64 {
        (self.words.len() * size_of::<Eight>()) as u64
    }
}

/// Words, by reader; those from one source in the order in which they were stored.
pub(crate) type PieceList = Vec<(BlockIndex, Piece)>;

/// The words that wait, in memory and in files. It chooses the jobs of the disk thread, and
/// performs none itself.
#[derive(Default)]
pub(crate) struct Queues {
    /// The words in memory, by reader.
    pieces: Vec<Vec<Piece>>,
    /// Empty buffers for later use.
    pub(super) spare: Vec<Vec<Eight>>,
    /// The size of the words in memory: in all, and by reader.
    pub(super) bytes: u64,
    bytes_by_reader: BTreeMap<BlockIndex, u64>,
    /// Words from this block and those below it are kept for a checkpoint when a later block takes
    /// them.
    pub(super) boundary: Option<BlockIndex>,
    pub(super) kept: PieceList,
    /// The readers and files of this store.
    pub(super) scope: Box<dyn StoreScope>,
    /// The files in the place of this store, by reader.
    files: BTreeMap<BlockIndex, OnDisk>,
    /// The size of these files.
    on_disk: u64,
    /// The largest size of these files so far.
    #[cfg(feature = "ranks")]
    pub(super) most_on_disk: u64,
    /// The largest size so far of the files of the readers from `earliest` on.
    most_in_use: u64,
    /// Files of an earlier run in other places. They are only read.
    left: BTreeMap<BlockIndex, Vec<FileState>>,
    /// The words of a checkpoint.
    pub(super) copying: ForCheckpoint,
    /// Whether words have been copied for a checkpoint. From then on checkpoints can need files of
    /// this run.
    has_copied: bool,
    /// The words of readers before this one have been read back from files.
    pub(super) loaded: BlockIndex,
    /// The latest block that has begun to read.
    pub(super) latest: BlockIndex,
    /// The earliest block that may still be running.
    pub(super) earliest: BlockIndex,
    /// The first block of a run that resumes from the oldest checkpoint (`needed`), or from the
    /// checkpoint that is being written (`copied`).
    pub(super) needed: Option<BlockIndex>,
    pub(super) copied: Option<BlockIndex>,
    pub(super) disk_thread: DiskThread,
    /// Whether the last job of the disk thread was to make room in memory.
    has_made_room: bool,
    /// The number of users.
    pub(super) users: u64,
    pub(super) failed: Option<WordsError>,
}

/// The state of the disk thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DiskThread {
    /// It performs a job, or looks for one.
    #[default]
    Busy,
    /// It writes words. They are in none of the lists until they are written.
    Writing,
    /// It looked for a job and found none.
    Idle,
}

/// A file of words.
#[derive(Clone, Copy, Debug)]
struct OnDisk {
    /// Its length, and the hash up to there.
    written: FileState,
    /// Whether it existed when the run began.
    is_left: bool,
    /// The latest block whose words this run has written there.
    latest: BlockIndex,
    /// The length up to which its words are only in the file; later words are also in memory.
    alone: FileState,
}

/// The words of a checkpoint that must still be written to the files of their readers, and that
/// also stay in memory; and the files that the checkpoint names.
#[derive(Default)]
pub(super) struct ForCheckpoint {
    pub(super) words: BTreeMap<BlockIndex, PieceList>,
    pub(super) files: BTreeMap<(BlockIndex, Place), FileState>,
    /// The reason why the checkpoint fails.
    pub(super) failed: Option<String>,
}

/// A job for the disk thread.
pub(super) enum DiskJob {
    /// Read the files of a reader.
    Load(BlockIndex, Vec<FileState>),
    /// Write words of a reader that do not fit into memory.
    Write(FileState, PieceList),
    /// Write words of a reader for a checkpoint. They also stay in memory.
    Copy(FileState, PieceList),
    /// Remove a file.
    Remove(FileState),
}

/// The files of an earlier run, for a run that resumes it.
pub(crate) struct Left {
    /// The files that the checkpoint names, and those of earlier readers that older checkpoints
    /// need.
    pub(crate) files: Vec<FileState>,
    /// The first block of a run that resumes from the oldest checkpoint.
    pub(crate) needed: BlockIndex,
}

/// The words, each list with its reader and its source.
pub(crate) fn parts(words: &PieceList) -> impl Iterator<Item = (BlockIndex, BlockIndex, &[Eight])> {
    words.iter().map(|(reader, piece)| (*reader, piece.source, piece.words.as_slice()))
}

fn bytes_of(words: &PieceList) -> u64 {
    words.iter().map(|(_, piece)| piece.bytes()).sum()
}

impl Queues {
    /// Queues for a run that begins with block `next`. If it resumes an earlier run, `left` has the
    /// files of that run.
    pub(super) fn beginning(
        scope: Box<dyn StoreScope>,
        left: Option<Left>,
        next: BlockIndex,
    ) -> Self {
        let place = scope.place();
        let mut begun = Self {
            scope,
            loaded: next,
            latest: next,
            earliest: next,
            needed: left.as_ref().map(|left| left.needed),
            ..Self::default()
        };
        for file in left.map(|left| left.files).unwrap_or_default() {
            if file.place == place {
                let latest = BlockIndex(0);
                begun.insert(OnDisk { written: file, is_left: true, latest, alone: file });
            } else {
                begun.left.entry(file.reader).or_default().push(file);
            }
        }
        begun
    }

    pub(super) fn of(&mut self, reader: BlockIndex) -> &mut Vec<Piece> {
        let reader = index(reader.0);
        if self.pieces.len() <= reader {
            self.pieces.resize_with(reader + 1, Vec::new);
        }
        &mut self.pieces[reader]
    }

    pub(super) fn add(&mut self, reader: BlockIndex, piece: Piece) {
        self.bytes += piece.bytes();
        *self.bytes_by_reader.entry(reader).or_default() += piece.bytes();
        self.of(reader).push(piece);
    }

    pub(super) fn take(&mut self, reader: BlockIndex) -> Vec<Piece> {
        self.bytes -= self.bytes_by_reader.remove(&reader).unwrap_or_default();
        take(self.of(reader))
    }

    /// Takes the words for `reader`, and keeps those that the next checkpoint needs.
    pub(super) fn take_and_keep(&mut self, reader: BlockIndex) -> Vec<Batch> {
        let pieces = self.take(reader);
        if let Some(boundary) = self.boundary.filter(|&boundary| boundary < reader) {
            let old = pieces.iter().filter(|piece| piece.source <= boundary && !piece.is_on_disk);
            self.kept.extend(old.map(|piece| (reader, piece.clone())));
        }
        pieces.into_iter().map(Piece::batch).collect()
    }

    /// An error if the store has failed.
    pub(super) fn result(&self) -> Result<(), SweepError> {
        let failed = self.failed.as_ref().map(ToString::to_string);
        failed.map_or(Ok(()), |problem| Err(SweepError::Outside { problem }))
    }

    /// Whether words of the last copy must still be written.
    pub(super) fn is_writing_copy(&self) -> bool {
        self.disk_thread == DiskThread::Writing || !self.copying.words.is_empty()
    }

    /// The words that the blocks up to the boundary have stored for later ones, and that are in no
    /// file. If they will be written to files, they are marked as on disk.
    pub(super) fn copy(&mut self, boundary: BlockIndex, will_be_on_disk: bool) -> PieceList {
        let mut copy = take(&mut self.kept);
        for (reader, pieces) in (0..).map(BlockIndex).zip(&mut self.pieces) {
            let is_wanted = |piece: &&mut Piece| {
                reader > boundary && piece.source <= boundary && !piece.is_on_disk
            };
            for piece in pieces.iter_mut().filter(is_wanted) {
                copy.push((reader, piece.clone()));
                piece.is_on_disk = will_be_on_disk;
            }
        }
        copy
    }

    /// Schedules these words to be written for a checkpoint, from which a run resumes with block
    /// `first`. The checkpoint names the files of the readers from that block on.
    pub(super) fn write_copy(&mut self, words: PieceList, first: BlockIndex) {
        self.has_copied = true;
        let own = self.files.range(first..).map(|(_, file)| file.written);
        let left = self.left.range(first..).flat_map(|(_, files)| files).copied();
        let left = left.filter(|file| self.scope.cleans(file.place));
        let files = own.chain(left).map(|file| ((file.reader, file.place), file));
        self.copying.files = files.collect();
        // They can have come before the checkpoint was announced here.
        let mut own = self.files.range(first..).map(|(_, file)| file);
        let is_late = own.any(|file| file.latest >= first);
        self.copying.failed = is_late.then(|| LATE.to_owned());
        // Some are left if the previous checkpoint could not be written.
        self.copying.words = self.copying.words.split_off(&first);
        for (reader, piece) in words {
            self.copying.words.entry(reader).or_default().push((reader, piece));
        }
    }

    /// Adds words read back from the files of a reader, before those in memory.
    pub(super) fn add_loaded(&mut self, reader: BlockIndex, loaded: PieceList) {
        let later = self.take(reader);
        for piece in loaded.into_iter().map(|(_, piece)| piece).chain(later) {
            self.add(reader, piece);
        }
        self.loaded = reader + 1;
    }

    /// Takes back the buffer of words that are not needed any more.
    fn recycle(&mut self, piece: Piece) {
        self.spare.extend(Arc::into_inner(piece.words).and_then(emptied));
    }

    /// Records that words have been written and are now only in the file.
    pub(super) fn add_written(&mut self, written: FileState, words: PieceList) {
        self.bytes -= bytes_of(&words);
        let latest = words.iter().map(|(_, piece)| piece.source).max().unwrap_or_default();
        for (_, piece) in words {
            self.recycle(piece);
        }
        let before = self.files.get(&written.reader);
        let (is_left, before) = before.map(|file| (file.is_left, file.latest)).unwrap_or_default();
        let latest = latest.max(before);
        self.insert(OnDisk { written, is_left, latest, alone: written });
        self.disk_thread = DiskThread::Busy;
    }

    /// Records that words have been written for a checkpoint; they may also be in memory.
    pub(super) fn add_copied(&mut self, written: FileState) {
        let reader = written.reader;
        let empty = FileState::empty(self.scope.place(), reader);
        let before = self.files.get(&reader);
        let (is_left, latest) = before.map(|file| (file.is_left, file.latest)).unwrap_or_default();
        let alone = before.map_or(empty, |file| file.alone);
        self.insert(OnDisk { written, is_left, latest, alone });
        self.copying.files.insert((reader, written.place), written);
        self.disk_thread = DiskThread::Busy;
    }

    /// Records that these words could not be written for a checkpoint. They, and all words
    /// scheduled after them, stay in memory only.
    pub(super) fn give_up_copy(&mut self, words: PieceList, problem: String) {
        let rest = take(&mut self.copying.words).into_values().flatten();
        let unwritten = words.into_iter().chain(rest);
        let unwritten: BTreeSet<_> =
            unwritten.map(|(_, piece)| Arc::as_ptr(&piece.words)).collect();
        for piece in self.pieces.iter_mut().flatten().filter(|piece| piece.is_on_disk) {
            piece.is_on_disk = !unwritten.contains(&Arc::as_ptr(&piece.words));
        }
        self.copying.failed = Some(problem);
        self.disk_thread = DiskThread::Busy;
    }

    /// Whether the files that only checkpoints need are more than half as large as the other files
    /// have ever been.
    pub(super) fn is_crowded(&mut self) -> bool {
        let earliest = self.earliest;
        let Some(needed) = self.needed.filter(|&needed| needed < earliest) else {
            return false;
        };
        let bytes = |file: &OnDisk| file.written.bytes;
        let old: u64 = self.files.range(needed..earliest).map(|(_, file)| bytes(file)).sum();
        let others: u64 = self.files.range(earliest..).map(|(_, file)| bytes(file)).sum();
        self.most_in_use = self.most_in_use.max(others);
        old > self.most_in_use / 2
    }

    /// Enters a file that is new or has grown.
    fn insert(&mut self, file: OnDisk) {
        let before = self.files.insert(file.written.reader, file);
        self.on_disk += file.written.bytes - before.map_or(0, |before| before.written.bytes);
        #[cfg(feature = "ranks")]
        {
            self.most_on_disk = self.most_on_disk.max(self.on_disk);
        }
    }

    /// Forgets a file that has been removed.
    pub(super) fn remove(&mut self, file: &FileState) {
        if file.place == self.scope.place()
            && let Some(removed) = self.files.remove(&file.reader)
        {
            self.on_disk -= removed.written.bytes;
        }
    }

    /// A file that this store removes because neither the run nor a checkpoint needs it.
    fn next_removal(&mut self) -> Option<FileState> {
        let to_copy = self.copying.words.keys().next().copied();
        // The next checkpoint needs words that readers after its boundary may already have read.
        let prepared = self.boundary.map(|boundary| boundary + 1);
        let used = [Some(self.earliest), prepared, self.copied, to_copy];
        let used = used.into_iter().flatten().min()?;
        let needed = self.needed.map_or(used, |needed| needed.min(used));
        while let Some(mut left) = self.left.first_entry().filter(|left| *left.key() < needed) {
            match left.get_mut().pop() {
                Some(file) if self.scope.cleans(file.place) => return Some(file),
                Some(_) => {}
                None => drop(left.remove()),
            }
        }
        // Checkpoints from before this run do not need its new files.
        let is_needed = |file: &OnDisk| file.is_left || self.has_copied;
        let end = |file: &OnDisk| if is_needed(file) { needed } else { used };
        let mut files = self.files.range(..used).map(|(_, file)| file);
        files.find(|file| file.written.reader < end(file)).map(|file| file.written)
    }

    /// The next reader of this store after the latest one. Its files are read ahead.
    fn ahead(&self) -> BlockIndex {
        let mut next = self.latest + 1;
        while !self.scope.keeps(next) {
            next += 1;
        }
        next
    }

    /// The files to read for a reader, in the order in which they were written.
    fn to_load(&self, reader: BlockIndex) -> Vec<FileState> {
        if !self.scope.keeps(reader) {
            return Vec::new();
        }
        let left = self.left.get(&reader).into_iter().flatten().copied();
        let own = self.files.get(&reader).map(|file| file.alone);
        left.chain(own).filter(|file| file.bytes > 0).collect()
    }

    /// The next job, if there is one, with this number of bytes of memory for words.
    pub(super) fn job(&mut self, memory: u64) -> Option<DiskJob> {
        self.disk_thread = DiskThread::Busy;
        while self.loaded <= self.ahead() {
            let files = self.to_load(self.loaded);
            if !files.is_empty() {
                return Some(DiskJob::Load(self.loaded, files));
            }
            self.loaded += 1;
        }
        let to_copy = self.copying.words.keys().next().copied();
        if let Some(file) = self.next_removal() {
            return Some(DiskJob::Remove(file));
        }
        // Writing for a checkpoint and making room take turns, so that a checkpoint does not wait
        // for ever.
        let turn = replace(&mut self.has_made_room, false);
        if let Some(reader) = to_copy.filter(|_| turn || self.has_room(memory)) {
            return self.copy_of(reader);
        }
        let job = self.make_room(memory);
        self.has_made_room = job.is_some();
        job.or_else(|| self.copy_of(to_copy?))
    }

    pub(super) fn has_room(&self, memory: u64) -> bool {
        self.bytes <= memory / 4 * 3
    }

    /// Whether there is no room and the disk thread can make some. It cannot if it has not started,
    /// or if all words must stay, such as the words of blocks after the next checkpoint.
    pub(super) fn has_to_wait(&self, memory: u64) -> bool {
        let is_of_use = self.users > 0 && self.disk_thread != DiskThread::Idle;
        self.bytes > memory && self.failed.is_none() && is_of_use
    }

    /// Drops words that are also in files, and takes words to be written: the words of the most
    /// distant reader that has enough of them, otherwise of the reader with most words.
    fn make_room(&mut self, memory: u64) -> Option<DiskJob> {
        let first = self.loaded.max(self.ahead() + 1);
        let there = self.bytes_by_reader.range(first..).rev();
        let mut readers: Vec<_> = there.map(|(&reader, &bytes)| (reader, bytes)).collect();
        readers.sort_by_key(|&(_, bytes)| Reverse(bytes.min(memory / PARTS)));
        for (reader, _) in readers {
            if self.has_room(memory) {
                break;
            }
            if let Some(job) = self.copy_of(reader) {
                return Some(job);
            }
            let words = self.take_old(reader);
            if !words.is_empty() {
                self.disk_thread = DiskThread::Writing;
                return Some(DiskJob::Write(self.written(reader), words));
            }
        }
        None
    }

    /// Takes words of a reader that must be written for a checkpoint.
    fn copy_of(&mut self, reader: BlockIndex) -> Option<DiskJob> {
        let words = self.copying.words.remove(&reader)?;
        self.disk_thread = DiskThread::Writing;
        Some(DiskJob::Copy(self.written(reader), words))
    }

    fn written(&self, reader: BlockIndex) -> FileState {
        let empty = FileState::empty(self.scope.place(), reader);
        self.files.get(&reader).map_or(empty, |file| file.written)
    }

    /// Takes the words of a reader that are in no file, and drops the others. Words of blocks after
    /// the next checkpoint stay, because they must not be in its files.
    fn take_old(&mut self, reader: BlockIndex) -> PieceList {
        let boundary = self.boundary;
        let is_old = |piece: &Piece| boundary.is_none_or(|boundary| piece.source <= boundary);
        let mut taken = Vec::new();
        for piece in self.take(reader) {
            if piece.is_on_disk {
                self.recycle(piece);
            } else if is_old(&piece) {
                taken.push((reader, piece));
            } else {
                self.add(reader, piece);
            }
        }
        // They stay in memory until they are written.
        self.bytes += bytes_of(&taken);
        if let Some(file) = self.files.get_mut(&reader) {
            file.alone = file.written;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Once a checkpoint is prepared, files with words of readers after its boundary stay, even if
    /// these words are read before the copy begins.
    #[test]
    fn a_prepared_checkpoint_keeps_files() {
        for boundary in [None, Some(BlockIndex(3))] {
            let mut waiting = Queues::beginning(Box::default(), None, BlockIndex(1));
            for reader in [3, 5].map(BlockIndex) {
                let written = FileState { bytes: 1, ..FileState::empty(Place::FOLDER, reader) };
                waiting.add_written(written, PieceList::new());
            }
            (waiting.boundary, waiting.earliest) = (boundary, BlockIndex(6));
            let mut removed = Vec::new();
            while let Some(file) = waiting.next_removal() {
                waiting.remove(&file);
                removed.push(file.reader.0);
            }
            let expected = if boundary.is_none() { vec![3, 5] } else { vec![3] };
            assert_eq!(removed, expected);
        }
    }
}
