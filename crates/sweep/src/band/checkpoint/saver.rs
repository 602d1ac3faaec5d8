//! Writes checkpoints, on a thread of its own, while the pipeline runs.
//!
//! A checkpoint begins as a [`CheckpointJob`] (`words::copies`). The thread writes corner and
//! groups while a block sends them, then asks for the words, and writes the rows. Failures are
//! reported, and the run continues.

use super::event::CheckpointEvent;
use super::file::{header, size, trailer};
use super::folder::{Checkpoints, file_name, may_go, unfinished_name};
use crate::band::geometry::Frame;
use crate::band::schedule::block_of;
use crate::band::units::{BandIndex, BlockIndex};
use crate::band::words::{CheckpointJob, Copied, Due, FileState, RowsBelow, Store, require_space};
use crate::units::RowIndex;
use files::{HASH, Hashing};
use std::fs::{self, File};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// The shortest time from a checkpoint that failed to the next attempt.
const PAUSE: Duration = Duration::from_secs(30);

/// The files of words for readers above a block, of all processes; `None` if the run has ended.
pub type FilesAbove<'a> = dyn Fn(BlockIndex) -> io::Result<Option<Vec<FileState>>> + Sync + 'a;

/// Writes checkpoints, at most one at a time.
pub(super) struct Saver<'a> {
    pub(super) checkpoints: &'a Checkpoints<'a>,
    pub(super) store: &'a Store,
    pub(super) files: &'a FilesAbove<'a>,
    pub(super) frame: Frame,
    /// The run has ended. A checkpoint that is being written is abandoned.
    pub(super) is_over: AtomicBool,
}

impl Saver<'_> {
    fn continues(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed)
    }

    /// Writes checkpoints until no more can begin.
    pub(super) fn write(&self, jobs: &Receiver<CheckpointJob>) {
        for CheckpointJob { row, begun, columns, rows } in jobs {
            // If it fails, the block must not wait for it.
            let written = self.write_one(row, columns, &rows);
            // The next one begins only after the block below this one has finished.
            let _ = rows.recv();
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
            let oldest = self.checkpoints.oldest().map(|row| last_block(row) + 1);
            self.store.forget(last_block(row), oldest, next.map(|at| Due { at, is_retry }));
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
