//! What waits, and what the clerk of the office is to do with it.

use super::{
    runs::{Run, bytes, emptied},
    spill::{FileState, bucket_of, readers},
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
    ops::Range,
    sync::Arc,
    time::Duration,
};

/// A part is written as soon as it has this fraction of the memory, at least.
const PARTS: u64 = 512;

/// Buckets after that of the latest reader that are read ahead.
const AHEAD: u64 = 1;

/// Words, by reader; those from one source in the order in which they were posted.
pub(super) type Words = Vec<(BlockIndex, Run)>;

/// What waits, in memory and in files. It knows what is to be done, and does nothing itself.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// By reader, in memory.
    runs: Vec<Vec<Run>>,
    /// Buffers to be used again.
    pub(super) spare: Vec<Vec<Eight>>,
    /// How much that is: in all, and by bucket.
    pub(super) bytes: u64,
    bucket_bytes: BTreeMap<u64, u64>,
    /// What is taken by blocks after this one is kept as well, if it comes from no later block.
    pub(super) boundary: Option<BlockIndex>,
    pub(super) kept: Words,
    /// The files that have been written, by bucket.
    files: BTreeMap<u64, OnDisk>,
    /// What a checkpoint needs.
    pub(super) copying: Copying,
    /// The buckets before this one have been read from their files.
    pub(super) loaded: u64,
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
    /// Nothing will come from other processes any more.
    pub(super) closed: bool,
    /// How long readers have waited for other processes, all together.
    pub(super) waited: Duration,
}

/// What the clerk is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Clerk {
    /// He has something to do, or will look for something.
    #[default]
    Busy,
    /// He is writing: what he has been given is neither in memory nor in a file.
    Writing,
    /// He has found nothing to do.
    Idle,
}

/// A file.
#[derive(Clone, Copy, Debug)]
struct OnDisk {
    /// How far it has been written.
    written: FileState,
    /// So far its words are nowhere else. Those after that are in memory as well.
    alone: FileState,
}

/// What a checkpoint needs: words that are to be written to the files of their buckets, which stay
/// in memory; and how far the files go that have what it needs.
#[derive(Debug, Default)]
pub(super) struct Copying {
    pub(super) words: BTreeMap<u64, Words>,
    pub(super) files: BTreeMap<u64, FileState>,
    /// Why it cannot have them.
    pub(super) failed: Option<String>,
}

/// What the clerk is to do.
pub(super) enum Job {
    /// To read the file of a bucket.
    Load(FileState),
    /// To write what waits for a bucket, for which memory has no room.
    Write(FileState, Words),
    /// To write for a checkpoint what waits for a bucket, and stays in memory.
    Copy(FileState, Words),
    /// To remove the file of a bucket.
    Remove(u64),
}

fn bytes_of(words: &Words) -> u64 {
    bytes(words.iter().map(|(_, run)| run))
}

impl Waiting {
    /// For a run that begins with block `next`, and goes on from these files, if given.
    pub(super) fn beginning(left: Option<&[FileState]>, next: BlockIndex) -> Self {
        let file = |&state: &FileState| (state.bucket, OnDisk { written: state, alone: state });
        Self {
            files: left.unwrap_or_default().iter().map(file).collect(),
            loaded: bucket_of(next),
            latest: next,
            earliest: next,
            needed: left.map(|_| next),
            ..Self::default()
        }
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
        *self.bucket_bytes.entry(bucket_of(reader)).or_default() += run.bytes();
        self.of(reader).push(run);
    }

    pub(super) fn take(&mut self, reader: BlockIndex) -> Vec<Run> {
        let runs = take(self.of(reader));
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

    /// Has these words written for a checkpoint, which names the files of the readers from `next`
    /// on.
    pub(super) fn write_copy(&mut self, words: Words, next: BlockIndex) {
        let next = bucket_of(next);
        let files = self.files.range(next..).map(|(&bucket, file)| (bucket, file.written));
        self.copying.files = files.collect();
        self.copying.failed = None;
        // There are some if the checkpoint before could not be written.
        self.copying.words = self.copying.words.split_off(&next);
        for (reader, run) in words {
            self.copying.words.entry(bucket_of(reader)).or_default().push((reader, run));
        }
    }

    /// What comes from the file of a bucket was posted before what is in memory.
    pub(super) fn add_loaded(&mut self, bucket: u64, loaded: Words) {
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

    /// Takes back the buffer of words that nobody needs.
    fn recycle(&mut self, run: Run) {
        self.spare.extend(Arc::into_inner(run.words).and_then(emptied));
    }

    /// Words have been written that are to be nowhere else.
    pub(super) fn add_written(&mut self, written: FileState, words: Words) {
        self.bytes -= bytes_of(&words);
        for (_, run) in words {
            self.recycle(run);
        }
        self.files.insert(written.bucket, OnDisk { written, alone: written });
        self.clerk = Clerk::Busy;
    }

    /// Words have been written for a checkpoint, and may be in memory as well.
    pub(super) fn add_copied(&mut self, written: FileState) {
        let bucket = written.bucket;
        let alone = self.files.get(&bucket).map_or(FileState::empty(bucket), |file| file.alone);
        self.files.insert(bucket, OnDisk { written, alone });
        self.copying.files.insert(bucket, written);
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

    /// Whether the files that only checkpoints need are more than half as large as the others.
    pub(super) fn is_crowded(&self) -> bool {
        let earliest = bucket_of(self.earliest);
        let bytes = |file: &OnDisk| file.written.bytes;
        let old: u64 = self.files.range(..earliest).map(|(_, file)| bytes(file)).sum();
        let others: u64 = self.files.range(earliest..).map(|(_, file)| bytes(file)).sum();
        old > others / 2
    }

    /// A file is gone.
    pub(super) fn remove(&mut self, bucket: u64) {
        self.files.remove(&bucket);
    }

    /// What is to be done, if anything, to keep no more than so many bytes in memory.
    pub(super) fn job(&mut self, memory: u64) -> Option<Job> {
        self.clerk = Clerk::Busy;
        while self.loaded <= bucket_of(self.latest) + AHEAD {
            if let Some(file) = self.files.get(&self.loaded).filter(|file| file.alone.bytes > 0) {
                return Some(Job::Load(file.alone));
            }
            self.loaded += 1;
        }
        let to_copy = self.copying.words.keys().next().copied();
        let needed = [Some(self.earliest), self.needed, self.copied];
        let end = needed.into_iter().flatten().map(bucket_of).chain(to_copy).min();
        if let Some((&bucket, _)) =
            self.files.iter().next().filter(|(bucket, _)| Some(**bucket) < end)
        {
            return Some(Job::Remove(bucket));
        }
        // In turns, so that a checkpoint does not wait for ever.
        let turn = replace(&mut self.has_made_room, false);
        if let Some(bucket) = to_copy.filter(|_| turn || self.has_room(memory)) {
            return self.copy_of(bucket);
        }
        let job = self.make_room(memory);
        self.has_made_room = job.is_some();
        job.or_else(|| self.copy_of(to_copy?))
    }

    fn has_room(&self, memory: u64) -> bool {
        self.bytes <= memory / 4 * 3
    }

    /// Drops what is in files as well, and takes what is to be written: of the most distant bucket
    /// of which it is worth it, or else of the one with most.
    fn make_room(&mut self, memory: u64) -> Option<Job> {
        let first = self.loaded.max(bucket_of(self.latest) + AHEAD + 1);
        let there = self.bucket_bytes.range(first..).rev();
        let mut buckets: Vec<_> = there.map(|(&bucket, &bytes)| (bucket, bytes)).collect();
        buckets.sort_by_key(|&(_, bytes)| Reverse(bytes.min(memory / PARTS)));
        for (bucket, _) in buckets {
            if self.has_room(memory) {
                break;
            }
            if let Some(job) = self.copy_of(bucket) {
                return Some(job);
            }
            let words = self.take_old(bucket);
            if !words.is_empty() {
                self.clerk = Clerk::Writing;
                return Some(Job::Write(self.written(bucket), words));
            }
        }
        None
    }

    /// Takes what is to be written of a bucket for a checkpoint.
    fn copy_of(&mut self, bucket: u64) -> Option<Job> {
        let words = self.copying.words.remove(&bucket)?;
        self.clerk = Clerk::Writing;
        Some(Job::Copy(self.written(bucket), words))
    }

    fn written(&self, bucket: u64) -> FileState {
        self.files.get(&bucket).map_or(FileState::empty(bucket), |file| file.written)
    }

    /// Takes what waits for the readers of a bucket and is in no file, and drops what is. A
    /// checkpoint between two blocks has no words of later ones: if one is prepared, they stay.
    fn take_old(&mut self, bucket: u64) -> Words {
        let boundary = self.boundary;
        let is_old = |run: &Run| boundary.is_none_or(|boundary| run.source <= boundary);
        let mut taken = Vec::new();
        let Range { start, end } = readers(bucket);
        for reader in start.up_to(end) {
            for run in self.take(reader) {
                if run.is_on_disk {
                    self.recycle(run);
                } else if is_old(&run) {
                    taken.push((reader, run));
                } else {
                    self.add(reader, run);
                }
            }
        }
        // They take memory until they are written.
        self.bytes += bytes_of(&taken);
        if let Some(file) = self.files.get_mut(&bucket) {
            file.alone = file.written;
        }
        taken
    }
}
