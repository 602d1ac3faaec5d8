//! Writes checkpoints, on a thread of its own.
//!
//! Corner and groups arrive in buffers while a block sends them. If the disk is slower than the
//! pipeline, the worker of that block waits, so that only a few buffers are full at a time.
//! Failures are reported, and the run continues.

use super::event::CheckpointEvent;
use super::file::{header, size, trailer};
use super::folder::{Checkpoints, file_name, lock, may_go, unfinished_name};
use crate::{checkpoint_words::CheckpointWords, disk::require_space, store::Store};
use files::{HASH, Hashing};
use record::listeners::Done;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use sweep::band::pipeline::{BandIndex, BlockIndex, Frame, RowIndex, block_of};

/// The shortest time from a checkpoint that failed to the next attempt.
const PAUSE: Duration = Duration::from_secs(30);

/// Writes checkpoints, at most one at a time.
pub struct Saver<'a> {
    checkpoints: &'a Checkpoints<'a>,
    pub(super) store: &'a Store,
    words: &'a dyn CheckpointWords,
    frame: Frame,
    /// `None` while one is being written, or if there will be no more.
    due: Mutex<Option<Due>>,
    complete: AtomicBool,
}

/// When the next checkpoint is due.
#[derive(Clone, Copy)]
struct Due {
    at: Instant,
    /// The previous one could not be written. The next attempt is not made before the time.
    is_retry: bool,
}

/// A checkpoint to be written.
pub struct CheckpointJob {
    pub(super) row: RowIndex,
    pub(super) begun: Instant,
    /// Corner and groups, in pieces.
    pub(super) columns: Receiver<Vec<u8>>,
    pub(super) rest: Receiver<Rest>,
}

/// The content of a checkpoint besides corner, groups and words.
pub(super) struct Rest {
    /// The number of groups.
    pub(super) groups: u64,
    pub(super) rows: Vec<Arc<Vec<u8>>>,
    pub(super) done: Done,
}

impl<'a> Saver<'a> {
    /// For a run with this frame.
    pub fn new(
        checkpoints: &'a Checkpoints<'a>,
        store: &'a Store,
        words: &'a dyn CheckpointWords,
        frame: Frame,
    ) -> Self {
        if let Err(error) = checkpoints.remove_unfinished() {
            let (folder, problem) = (checkpoints.folder().to_owned(), error.to_string());
            checkpoints.tell(&CheckpointEvent::NotRemoved { folder, problem });
        }
        let due = Instant::now().checked_add(checkpoints.interval(Duration::ZERO));
        let due = Mutex::new(due.map(|at| Due { at, is_retry: false }));
        Self { checkpoints, store, words, frame, due, complete: AtomicBool::new(false) }
    }

    /// Begins a checkpoint above block `boundary` if one is due, and `start` succeeds. Returns
    /// whether it has begun.
    pub(super) fn begin(&self, boundary: BlockIndex, start: impl FnOnce(Instant) -> bool) -> bool {
        let mut due = lock(&self.due);
        let begun = Instant::now();
        let is_now = |Due { at, is_retry }| at <= begun || !is_retry && self.store.is_crowded();
        if !due.is_some_and(is_now) || !start(begun) {
            return false;
        }
        *due = None;
        self.words.keep(boundary);
        true
    }

    /// The run ends. Abandons a checkpoint that is being written.
    pub fn complete(&self) {
        self.complete.store(true, Ordering::Relaxed);
    }

    fn continues(&self) -> bool {
        !self.complete.load(Ordering::Relaxed)
    }

    /// Writes checkpoints until the [`Recorder`](super::Recorder) of the run is gone.
    pub fn write(&self, jobs: &Receiver<CheckpointJob>) {
        for CheckpointJob { row, begun, columns, rest } in jobs {
            let written = self.write_one(row, columns, &rest);
            // The next one begins only after the block below this one has finished.
            let _ = rest.recv();
            let needed = self.checkpoints.oldest().map(first_block);
            self.words.forget(last_block(row), needed);
            let is_retry = written.is_err();
            let next = match written {
                Ok(()) => begun.checked_add(self.checkpoints.interval(begun.elapsed())),
                Err(error) => {
                    let folder = self.checkpoints.folder().to_owned();
                    let problem = error.to_string();
                    let event = CheckpointEvent::NotWritten { row: row.0, folder, problem };
                    self.checkpoints.tell(&event);
                    let pause = self.checkpoints.interval(Duration::ZERO).max(PAUSE);
                    Instant::now().checked_add(pause)
                }
            };
            *lock(&self.due) = next.map(|at| Due { at, is_retry });
        }
    }

    fn write_one(
        &self,
        row: RowIndex,
        columns: Receiver<Vec<u8>>,
        rest: &Receiver<Rest>,
    ) -> io::Result<()> {
        let begun = Instant::now();
        let folder = self.checkpoints.folder();
        fs::create_dir_all(folder)?;
        let end = self.frame.bands.first_row();
        require_space(folder, size(row, end, self.store.spills()))?;
        let (unfinished, safe) = (folder.join(unfinished_name(row)), folder.join(file_name(row)));
        if fs::symlink_metadata(&safe).is_ok() && !may_go(&safe, end) {
            return Ok(());
        }
        if fs::symlink_metadata(&unfinished).is_ok() {
            fs::remove_file(&unfinished)?;
        }
        let written = match self.write_file(&unfinished, row, columns, rest) {
            Err(_) if !self.continues() => Ok(None),
            written => written,
        };
        let published = written.and_then(|bytes| {
            if let Some(bytes) = bytes {
                fs::rename(&unfinished, &safe)?;
                files::sync_folder(folder)?;
                let (file, took) = (safe.clone(), begun.elapsed());
                self.checkpoints.tell(&CheckpointEvent::Written { file, bytes, took });
            }
            Ok(bytes.is_some())
        });
        if !matches!(published, Ok(true)) {
            // Report the first error. If the file cannot be removed, the next run removes it.
            let _ = fs::remove_file(&unfinished);
        } else if let Err(error) = self.checkpoints.remove_oldest(end) {
            let (folder, problem) = (folder.to_owned(), error.to_string());
            self.checkpoints.tell(&CheckpointEvent::NotRemoved { folder, problem });
        }
        published.map(drop)
    }

    /// Writes the file. `None` if the run has ended before.
    fn write_file(
        &self,
        path: &Path,
        row: RowIndex,
        columns: Receiver<Vec<u8>>,
        rest: &Receiver<Rest>,
    ) -> io::Result<Option<u64>> {
        let mut file = Hashing::new(files::create_new(path)?);
        file.write_all(header(row, self.frame, self.store.version()).as_bytes())?;
        let mut columns = columns.into_iter().take_while(|_| self.continues());
        columns.try_for_each(|bytes| file.write_all(&bytes))?;
        let Some(Rest { groups, rows, done }) = rest.recv().ok().filter(|_| self.continues())
        else {
            return Ok(None);
        };
        let mut files = self.words.write(last_block(row), &mut |bytes| {
            let ended = || io::Error::other("the run has ended");
            if self.continues() { file.write_all(bytes) } else { Err(ended()) }
        })?;
        files.sort_by_key(|file| (file.reader, file.place));
        let rows_at = file.count();
        rows.iter().try_for_each(|rows| file.write_all(rows))?;
        file.write_all(&trailer(groups, rows_at, &files, done, row))?;
        let bytes = file.count() + HASH;
        file.finish()?.0.sync_all()?;
        Ok(Some(bytes))
    }
}

/// The first block of a run that resumes from the checkpoint of this row.
fn first_block(row: RowIndex) -> BlockIndex {
    block_of(BandIndex::of_row(row))
}

/// The block below the checkpoint of this row.
fn last_block(row: RowIndex) -> BlockIndex {
    block_of(BandIndex::of_row(row) - 1)
}
