//! Makes checkpoints while the pipeline runs.
//!
//! [`RunStorage`] is the storage of the run. When a checkpoint is due above the next block, it asks
//! the [`Store`] to keep the words, and gives the block a channel for a copy of its messages. It
//! collects the rows of all blocks, so that it has those below the checkpoint when the block has
//! ended. A [`Saver`], on a thread of its own, writes the copy, then asks for the words, and writes
//! the rows.
//!
//! Corner and groups arrive in buffers while a block sends them. If the disk is slower than the
//! pipeline, the worker of that block waits, so that only a few buffers are full at a time.
//! Failures are reported, and the run continues.

use super::event::CheckpointEvent;
use super::file::{header, size, trailer};
use super::folder::{Checkpoints, file_name, lock, may_go, unfinished_name};
use crate::disk::{FileState, require_space};
use crate::store::Store;
use files::{HASH, Hashing};
use record::{Record, listeners::Done};
use std::fs::{self, File};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use sweep::band::pipeline::{
    BandIndex, Batch, BlockIndex, Copied, Eight, Frame, RowIndex, WordStorage, block_of, put_row,
};
use sweep::error::SweepError;

/// The shortest time from a checkpoint that failed to the next attempt.
const PAUSE: Duration = Duration::from_secs(30);

/// The most buffers that wait to be written.
const BUFFERS: usize = 4;

/// The storage of a run. Once it is dropped, no checkpoint begins, and one that is not complete is
/// abandoned.
pub(crate) struct RunStorage<'a> {
    store: &'a Store,
    saver: Option<(&'a Saver<'a>, Sender<CheckpointJob>)>,
    found: Mutex<Found>,
}

/// The rows so far, in bytes, and the work done for them.
#[derive(Default)]
struct Found {
    rows: Vec<Arc<Vec<u8>>>,
    done: Done,
    /// The row of a checkpoint, and the channel for the rows below it.
    wanted: Option<(RowIndex, Sender<RowsBelow>)>,
}

/// The rows below a checkpoint.
struct RowsBelow {
    rows: Vec<Arc<Vec<u8>>>,
    done: Done,
}

/// A checkpoint to be written.
pub(crate) struct CheckpointJob {
    row: RowIndex,
    begun: Instant,
    /// Corner and groups.
    columns: Receiver<Copied>,
    rows: Receiver<RowsBelow>,
}

impl<'a> RunStorage<'a> {
    /// For a run from row 0 on, of which a saver makes checkpoints. Also returns its jobs.
    pub(crate) fn new(
        store: &'a Store,
        saver: Option<&'a Saver<'a>>,
    ) -> (Self, Receiver<CheckpointJob>) {
        let (jobs, to_write) = channel();
        let saver = saver.map(|saver| (saver, jobs));
        (Self { store, saver, found: Mutex::default() }, to_write)
    }

    /// The run resumes after these rows, in bytes.
    pub(crate) fn resume(&self, rows: Vec<u8>, done: Done) {
        *lock(&self.found) = Found { rows: vec![Arc::new(rows)], done, wanted: None };
    }
}

impl WordStorage for RunStorage<'_> {
    fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        self.store.store(reader, source, words)
    }

    fn close(&self, source: BlockIndex) -> Result<(), SweepError> {
        self.store.close(source)
    }

    fn take(&self, reader: BlockIndex) -> Result<Vec<Batch>, SweepError> {
        self.store.take(reader)
    }

    fn buffer(&self) -> Vec<Eight> {
        self.store.buffer()
    }

    fn recycle(&self, buffers: Vec<Vec<Eight>>) {
        self.store.recycle(buffers);
    }

    fn copy_of_block(&self, above: BandIndex) -> Option<SyncSender<Copied>> {
        let (saver, jobs) = self.saver.as_ref()?;
        let begun = saver.begin(block_of(above - 1))?;
        let row = above.first_row();
        let ((copy, columns), (to_rows, rows)) = (sync_channel(BUFFERS), channel());
        lock(&self.found).wanted = Some((row, to_rows));
        jobs.send(CheckpointJob { row, begun, columns, rows }).ok()?;
        Some(copy)
    }

    fn rows(&self, rows: &[Record], done: Done) {
        let Some(last) = rows.last() else { return };
        let mut bytes = Vec::new();
        for row in rows {
            put_row(&mut bytes, row);
        }
        let mut found = lock(&self.found);
        found.rows.push(Arc::new(bytes));
        found.done += done;
        let end = RowIndex(last.row() + 1);
        if let Some((_, to_rows)) = found.wanted.take_if(|(row, _)| *row == end) {
            // If the saver has given up, it has reported why.
            let _ = to_rows.send(RowsBelow { rows: found.rows.clone(), done: found.done });
        }
        drop(found);
        self.store.passed(block_of(BandIndex::of_row(RowIndex(last.row()))));
    }
}

/// The files of words for readers above a block, of all processes; `None` if the run has ended.
pub type FilesAbove<'a> = dyn Fn(BlockIndex) -> io::Result<Option<Vec<FileState>>> + Sync + 'a;

/// Writes checkpoints, at most one at a time.
pub(crate) struct Saver<'a> {
    checkpoints: &'a Checkpoints<'a>,
    store: &'a Store,
    files: &'a FilesAbove<'a>,
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

impl<'a> Saver<'a> {
    /// For a run with this frame.
    pub(crate) fn new(
        checkpoints: &'a Checkpoints<'a>,
        store: &'a Store,
        files: &'a FilesAbove<'a>,
        frame: Frame,
    ) -> Self {
        if let Err(error) = checkpoints.remove_unfinished() {
            checkpoints.tell_not_removed(&error);
        }
        let due = Instant::now().checked_add(checkpoints.interval(Duration::ZERO));
        let due = Mutex::new(due.map(|at| Due { at, is_retry: false }));
        Self { checkpoints, store, files, frame, due, complete: AtomicBool::new(false) }
    }

    /// Begins a checkpoint above block `boundary` if one is due. Returns the time.
    fn begin(&self, boundary: BlockIndex) -> Option<Instant> {
        let mut due = lock(&self.due);
        let begun = Instant::now();
        let is_now = |Due { at, is_retry }| at <= begun || !is_retry && self.store.is_crowded();
        if !due.is_some_and(is_now) {
            return None;
        }
        *due = None;
        self.store.keep(boundary);
        Some(begun)
    }

    /// The run ends. Abandons a checkpoint that is being written.
    pub(crate) fn complete(&self) {
        self.complete.store(true, Ordering::Relaxed);
    }

    fn continues(&self) -> bool {
        !self.complete.load(Ordering::Relaxed)
    }

    /// Writes checkpoints until the [`RunStorage`] of the run is gone.
    pub(crate) fn write(&self, jobs: &Receiver<CheckpointJob>) {
        for CheckpointJob { row, begun, columns, rows } in jobs {
            // If it fails, the block must not wait for it.
            let written = self.write_one(row, columns, &rows);
            // The next one begins only after the block below this one has finished.
            let _ = rows.recv();
            let oldest = self.checkpoints.oldest().map(|row| last_block(row) + 1);
            self.store.forget(last_block(row), oldest);
            let is_retry = written.is_err();
            let next = match written {
                Ok(()) => begun.checked_add(self.checkpoints.interval(begun.elapsed())),
                Err(error) => {
                    let folder = self.checkpoints.folder().to_owned();
                    let (row, problem) = (row.0, error.to_string());
                    self.checkpoints.tell(&CheckpointEvent::NotWritten { row, folder, problem });
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
        columns: Receiver<Copied>,
        rows: &Receiver<RowsBelow>,
    ) -> io::Result<()> {
        let begun = Instant::now();
        let folder = self.checkpoints.folder();
        fs::create_dir_all(folder)?;
        let end = self.frame.bands.first_row();
        require_space(folder, size(row, end, self.store.has_files()))?;
        let file = folder.join(file_name(row));
        if fs::symlink_metadata(&file).is_ok() && !may_go(&file, end) {
            return Ok(());
        }
        let fill = |draft: &mut File| self.write_file(draft, row, columns, rows);
        let bytes = match files::replace_by(&unfinished_name(row), &file, fill) {
            Err(_) if !self.continues() => return Ok(()),
            written => written?,
        };
        self.checkpoints.tell(&CheckpointEvent::Written { file, bytes, took: begun.elapsed() });
        if let Err(error) = self.checkpoints.remove_oldest(end) {
            self.checkpoints.tell_not_removed(&error);
        }
        Ok(())
    }

    /// Writes the file. Returns its length.
    fn write_file(
        &self,
        draft: &mut File,
        row: RowIndex,
        columns: Receiver<Copied>,
        rows: &Receiver<RowsBelow>,
    ) -> io::Result<u64> {
        let ended = || io::Error::other("the run has ended");
        let continues = || if self.continues() { Ok(()) } else { Err(ended()) };
        let mut file = Hashing::new(draft);
        file.write_all(header(row, self.frame, self.store.has_files()).as_bytes())?;
        let mut groups = None;
        for piece in columns {
            continues()?;
            match piece {
                Copied::Bytes(bytes) => file.write_all(&bytes)?,
                Copied::Groups(number) => groups = Some(number),
            }
        }
        let groups = groups.ok_or_else(ended)?;
        let RowsBelow { rows, done } = rows.recv().map_err(|_| ended())?;
        let (mut files, below) = (Vec::new(), last_block(row));
        if self.store.has_files() {
            files = (self.files)(below)?.ok_or_else(ended)?;
            files.sort_by_key(|file| (file.reader, file.writer));
        } else {
            self.store.copy(below, &mut |bytes| {
                continues()?;
                file.write_all(bytes)
            })?;
        }
        let rows_at = file.count();
        rows.iter().try_for_each(|rows| file.write_all(rows))?;
        file.write_all(&trailer(groups, rows_at, &files, done, row))?;
        let bytes = file.count() + HASH;
        file.finish()?;
        Ok(bytes)
    }
}

/// The block below the checkpoint of this row.
fn last_block(row: RowIndex) -> BlockIndex {
    block_of(BandIndex::of_row(row) - 1)
}
