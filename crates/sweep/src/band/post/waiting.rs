//! What waits, and what the clerk of the office is to do with it.

use super::{
    folder::Tenant,
    others::Elsewhere,
    runs::{Run, bytes, emptied},
    state::{FileState, Place},
};
use crate::{
    band::{simd::Eight, units::BlockIndex},
    error::SweepError,
    units::index,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    mem::{replace, take},
    sync::Arc,
};

/// A part is written as soon as it has this fraction of the memory, at least.
const PARTS: u64 = 512;

/// Why a checkpoint cannot have its words.
const LATE: &str = "files of words have some of later blocks already; it will be tried again";

/// Words, by reader; those from one source in the order in which they were posted.
pub(super) type Words = Vec<(BlockIndex, Run)>;

/// What waits, in memory and in files. It knows what is to be done, and does nothing itself.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// By reader, in memory.
    runs: Vec<Vec<Run>>,
    /// Buffers to be used again.
    pub(super) spare: Vec<Vec<Eight>>,
    /// How much that is: in all, and by reader.
    pub(super) bytes: u64,
    bytes_by_reader: BTreeMap<BlockIndex, u64>,
    /// What is taken by blocks after this one is kept as well, if it comes from no later block.
    pub(super) boundary: Option<BlockIndex>,
    pub(super) kept: Words,
    /// Which readers are of other processes.
    elsewhere: Option<Elsewhere>,
    /// Where files are written.
    tenant: Tenant,
    /// Those that have been written there, by reader.
    files: BTreeMap<BlockIndex, OnDisk>,
    /// What they take, and have taken at most.
    on_disk: u64,
    pub(super) most_on_disk: u64,
    /// What those of readers to come have taken at most, when it was looked at.
    most_in_use: u64,
    /// Those that an earlier run has left in other places, which are read only.
    left: BTreeMap<BlockIndex, Vec<FileState>>,
    /// What a checkpoint needs.
    pub(super) copying: ForCheckpoint,
    /// There has been a copy: checkpoints may need files of this run.
    has_copied: bool,
    /// What is for readers before this one has been read from files.
    pub(super) loaded: BlockIndex,
    /// The latest block that has begun to read.
    pub(super) latest: BlockIndex,
    /// The earliest block that may still be at work.
    pub(super) earliest: BlockIndex,
    /// A run may go on with this block from a checkpoint, or from one that is being written.
    pub(super) needed: Option<BlockIndex>,
    pub(super) copied: Option<BlockIndex>,
    pub(super) clerk: Clerk,
    /// What the clerk wrote last was for want of memory.
    has_made_room: bool,
    /// Those who may still want something.
    pub(super) users: u64,
    pub(super) failed: Option<SweepError>,
    /// Bytes on their way to other processes.
    pub(super) on_the_way: u64,
}

/// What the clerk is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Clerk {
    /// Something to do, or looking for it.
    #[default]
    Busy,
    /// Writing: what it has been given is neither in memory nor in a file.
    Writing,
    /// Nothing: there was nothing to do.
    Idle,
}

/// A file.
#[derive(Clone, Copy, Debug)]
struct OnDisk {
    /// How far it has been written.
    written: FileState,
    /// It was there at the beginning.
    is_left: bool,
    /// The latest block of which this run has written words there.
    latest: BlockIndex,
    /// So far its words are nowhere else. Those after that are in memory as well.
    alone: FileState,
}

/// What a checkpoint needs: words that are to be written to the files of their readers, which stay
/// in memory; and how far the files go that have what it needs.
#[derive(Debug, Default)]
pub(super) struct ForCheckpoint {
    pub(super) words: BTreeMap<BlockIndex, Words>,
    pub(super) files: BTreeMap<(BlockIndex, Place), FileState>,
    /// Why it cannot have them.
    pub(super) failed: Option<String>,
}

/// What the clerk is to do.
pub(super) enum Job {
    /// To read the files of a reader.
    Load(BlockIndex, Vec<FileState>),
    /// To write what waits for a reader, for which memory has no room.
    Write(FileState, Words),
    /// To write for a checkpoint what waits for a reader, and stays in memory.
    Copy(FileState, Words),
    /// To remove a file.
    Remove(FileState),
}

/// What an earlier run has left on disk, for one that resumes it.
pub(crate) struct Left {
    /// The files that the checkpoint names, and those of earlier readers that older checkpoints
    /// need.
    pub(crate) files: Vec<FileState>,
    /// The block with which a run goes on from the oldest checkpoint.
    pub(crate) needed: BlockIndex,
}

fn bytes_of(words: &Words) -> u64 {
    bytes(words.iter().map(|(_, run)| run))
}

impl Waiting {
    /// For a run that begins with block `next`, and resumes from what is left, if given.
    pub(super) fn beginning(
        tenant: Tenant,
        left: Option<Left>,
        next: BlockIndex,
        elsewhere: Option<Elsewhere>,
    ) -> Self {
        let mut begun = Self {
            elsewhere,
            tenant,
            loaded: next,
            latest: next,
            earliest: next,
            needed: left.as_ref().map(|left| left.needed),
            ..Self::default()
        };
        for file in left.map(|left| left.files).unwrap_or_default() {
            if file.place == tenant.place {
                let latest = BlockIndex(0);
                begun.insert(OnDisk { written: file, is_left: true, latest, alone: file });
            } else {
                begun.left.entry(file.reader).or_default().push(file);
            }
        }
        begun
    }

    pub(super) fn of(&mut self, reader: BlockIndex) -> &mut Vec<Run> {
        let reader = index(reader.0);
        if self.runs.len() <= reader {
            self.runs.resize_with(reader + 1, Vec::new);
        }
        &mut self.runs[reader]
    }

    pub(super) fn add(&mut self, reader: BlockIndex, run: Run) {
        self.bytes += run.bytes();
        *self.bytes_by_reader.entry(reader).or_default() += run.bytes();
        self.of(reader).push(run);
    }

    pub(super) fn take(&mut self, reader: BlockIndex) -> Vec<Run> {
        self.bytes -= self.bytes_by_reader.remove(&reader).unwrap_or_default();
        take(self.of(reader))
    }

    /// What the blocks up to the boundary have posted to later ones, and is in no file; it is
    /// marked as if it were, if it is going to be.
    pub(super) fn copy(&mut self, boundary: BlockIndex, will_be_on_disk: bool) -> Words {
        let mut copy = take(&mut self.kept);
        for (reader, runs) in (0..).map(BlockIndex).zip(&mut self.runs) {
            let is_wanted =
                |run: &&mut Run| reader > boundary && run.source <= boundary && !run.is_on_disk;
            for run in runs.iter_mut().filter(is_wanted) {
                copy.push((reader, run.clone()));
                run.is_on_disk = will_be_on_disk;
            }
        }
        copy
    }

    /// Has these words written for a checkpoint, from which a run goes on with block `first`. The
    /// checkpoint names the files of the readers from that block on.
    pub(super) fn write_copy(&mut self, words: Words, first: BlockIndex) {
        self.has_copied = true;
        let own = self.files.range(first..).map(|(_, file)| file.written);
        let left = self.left.range(first..).flat_map(|(_, files)| files).copied();
        let left = left.filter(|file| self.tenant.cares_for(file.place));
        let files = own.chain(left).map(|file| ((file.reader, file.place), file));
        self.copying.files = files.collect();
        // Another process may have posted them before this one heard of the checkpoint.
        let mut own = self.files.range(first..).map(|(_, file)| file);
        let is_late = own.any(|file| file.latest >= first);
        self.copying.failed = is_late.then(|| LATE.to_owned());
        // There are some if the checkpoint before could not be written.
        self.copying.words = self.copying.words.split_off(&first);
        for (reader, run) in words {
            self.copying.words.entry(reader).or_default().push((reader, run));
        }
    }

    /// What comes from the files of a reader was posted before what is in memory.
    pub(super) fn add_loaded(&mut self, reader: BlockIndex, loaded: Words) {
        let later = self.take(reader);
        for run in loaded.into_iter().map(|(_, run)| run).chain(later) {
            self.add(reader, run);
        }
        self.loaded = reader + 1;
    }

    /// Takes back the buffer of words that nobody needs.
    fn recycle(&mut self, run: Run) {
        self.spare.extend(Arc::into_inner(run.words).and_then(emptied));
    }

    /// Words have been written that are to be nowhere else.
    pub(super) fn add_written(&mut self, written: FileState, words: Words) {
        self.bytes -= bytes_of(&words);
        let latest = words.iter().map(|(_, run)| run.source).max().unwrap_or_default();
        for (_, run) in words {
            self.recycle(run);
        }
        let before = self.files.get(&written.reader);
        let (is_left, before) = before.map(|file| (file.is_left, file.latest)).unwrap_or_default();
        let latest = latest.max(before);
        self.insert(OnDisk { written, is_left, latest, alone: written });
        self.clerk = Clerk::Busy;
    }

    /// Words have been written for a checkpoint, and may be in memory as well.
    pub(super) fn add_copied(&mut self, written: FileState) {
        let reader = written.reader;
        let empty = FileState::empty(self.tenant.place, reader);
        let before = self.files.get(&reader);
        let (is_left, latest) = before.map(|file| (file.is_left, file.latest)).unwrap_or_default();
        let alone = before.map_or(empty, |file| file.alone);
        self.insert(OnDisk { written, is_left, latest, alone });
        self.copying.files.insert((reader, written.place), written);
        self.clerk = Clerk::Busy;
    }

    /// These words could not be written for a checkpoint: they are in memory only, and so are all
    /// that were to be written after them.
    pub(super) fn give_up_copy(&mut self, words: Words, problem: String) {
        let rest = take(&mut self.copying.words).into_values().flatten();
        let unwritten = words.into_iter().chain(rest);
        let unwritten: BTreeSet<_> = unwritten.map(|(_, run)| Arc::as_ptr(&run.words)).collect();
        for run in self.runs.iter_mut().flatten().filter(|run| run.is_on_disk) {
            run.is_on_disk = !unwritten.contains(&Arc::as_ptr(&run.words));
        }
        self.copying.failed = Some(problem);
        self.clerk = Clerk::Busy;
    }

    /// Whether the files that only checkpoints need are more than half as large as the others have
    /// been at most.
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

    /// A file is there, or has grown.
    fn insert(&mut self, file: OnDisk) {
        let before = self.files.insert(file.written.reader, file);
        self.on_disk += file.written.bytes - before.map_or(0, |before| before.written.bytes);
        self.most_on_disk = self.most_on_disk.max(self.on_disk);
    }

    /// A file is gone.
    pub(super) fn remove(&mut self, file: &FileState) {
        if file.place == self.tenant.place
            && let Some(removed) = self.files.remove(&file.reader)
        {
            self.on_disk -= removed.written.bytes;
        }
    }

    /// A file that nobody needs, and that is nobody else's.
    fn next_removal(&mut self) -> Option<FileState> {
        let to_copy = self.copying.words.keys().next().copied();
        // The checkpoint to come needs what readers after its boundary may have read already.
        let prepared = self.boundary.map(|boundary| boundary + 1);
        let used = [Some(self.earliest), prepared, self.copied, to_copy];
        let used = used.into_iter().flatten().min()?;
        let needed = self.needed.map_or(used, |needed| needed.min(used));
        while let Some(mut left) = self.left.first_entry().filter(|left| *left.key() < needed) {
            match left.get_mut().pop() {
                Some(file) if self.tenant.cares_for(file.place) => return Some(file),
                Some(_) => {}
                None => drop(left.remove()),
            }
        }
        // The checkpoints before the first one of this run do not need what is new.
        let is_needed = |file: &OnDisk| file.is_left || self.has_copied;
        let end = |file: &OnDisk| if is_needed(file) { needed } else { used };
        let mut files = self.files.range(..used).map(|(_, file)| file);
        files.find(|file| file.written.reader < end(file)).map(|file| file.written)
    }

    fn is_own(&self, reader: BlockIndex) -> bool {
        self.elsewhere.is_none_or(|elsewhere| elsewhere.of(reader).is_none())
    }

    /// The next reader of this process after the latest: its files are read ahead.
    fn ahead(&self) -> BlockIndex {
        let next = self.latest + 1;
        self.elsewhere.map_or(next, |elsewhere| elsewhere.next_own(next))
    }

    /// What is to be read for a reader, in the order in which it was posted.
    fn to_load(&self, reader: BlockIndex) -> Vec<FileState> {
        if !self.is_own(reader) {
            return Vec::new();
        }
        let left = self.left.get(&reader).into_iter().flatten().copied();
        let own = self.files.get(&reader).map(|file| file.alone);
        left.chain(own).filter(|file| file.bytes > 0).collect()
    }

    /// What is to be done, if anything, to keep no more than so many bytes in memory.
    pub(super) fn job(&mut self, memory: u64) -> Option<Job> {
        self.clerk = Clerk::Busy;
        while self.loaded <= self.ahead() {
            let files = self.to_load(self.loaded);
            if !files.is_empty() {
                return Some(Job::Load(self.loaded, files));
            }
            self.loaded += 1;
        }
        let to_copy = self.copying.words.keys().next().copied();
        if let Some(file) = self.next_removal() {
            return Some(Job::Remove(file));
        }
        // In turns, so that a checkpoint does not wait for ever.
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

    /// Whether there is more than there is room for, and the clerk can do something about it: not
    /// before there is one, nor if all of it has to stay, such as what is of later blocks than the
    /// next checkpoint.
    pub(super) fn has_to_wait(&self, memory: u64) -> bool {
        let is_of_use = self.users > 0 && self.clerk != Clerk::Idle;
        self.bytes > memory && self.failed.is_none() && is_of_use
    }

    /// Drops what is in files as well, and takes what is to be written: for the most distant
    /// reader of which it is worth it, or else the one with most.
    fn make_room(&mut self, memory: u64) -> Option<Job> {
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
                self.clerk = Clerk::Writing;
                return Some(Job::Write(self.written(reader), words));
            }
        }
        None
    }

    /// Takes what is to be written for a reader and for a checkpoint.
    fn copy_of(&mut self, reader: BlockIndex) -> Option<Job> {
        let words = self.copying.words.remove(&reader)?;
        self.clerk = Clerk::Writing;
        Some(Job::Copy(self.written(reader), words))
    }

    fn written(&self, reader: BlockIndex) -> FileState {
        let empty = FileState::empty(self.tenant.place, reader);
        self.files.get(&reader).map_or(empty, |file| file.written)
    }

    /// Takes what waits for a reader and is in no file, and drops what is. A checkpoint between two
    /// blocks has no words of later ones: if one is prepared, they stay.
    fn take_old(&mut self, reader: BlockIndex) -> Words {
        let boundary = self.boundary;
        let is_old = |run: &Run| boundary.is_none_or(|boundary| run.source <= boundary);
        let mut taken = Vec::new();
        for run in self.take(reader) {
            if run.is_on_disk {
                self.recycle(run);
            } else if is_old(&run) {
                taken.push((reader, run));
            } else {
                self.add(reader, run);
            }
        }
        // They take memory until they are written.
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

    /// Once a checkpoint is prepared, no file goes that has words of readers after its boundary,
    /// even if they have been read before the copy begins.
    #[test]
    fn a_checkpoint_to_come_keeps_files() {
        let tenant = Tenant::ALONE;
        for boundary in [None, Some(BlockIndex(3))] {
            let mut waiting = Waiting::beginning(tenant, None, BlockIndex(1), None);
            for reader in [3, 5].map(BlockIndex) {
                let written = FileState { bytes: 1, ..FileState::empty(tenant.place, reader) };
                waiting.add_written(written, Words::new());
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
