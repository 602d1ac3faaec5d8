//! Runs that leave checkpoints and resume from them.
//!
//! While the pipeline runs, a thread of its own hears the [`News`] of it, and keeps the rows of all
//! blocks so far. If a checkpoint begins, it writes corner and groups as the block below sends
//! them, waits for the rows of that block, asks for the files of words, and writes the rows.
//! Failures are reported, and the run continues.

use super::file::{Checkpoint, header, size, trailer};
use super::folder::{CheckpointEvent, Checkpoints, file_name, may_go};
use crate::band::geometry::Frame;
use crate::band::run::{Options, Plan, Start, Visits, as_listeners, memory_of_words};
use crate::band::schedule::{FIRST_BAND, block_of};
use crate::band::words::{Columns, Due, FileState, News, Share, Store, require_space};
use crate::error::{SweepError, WordsError};
use crate::units::{BandIndex, BlockIndex, RowIndex};
use files::{HASH, Hashing};
use record::listeners::{Done, Visitor};
use std::fs::{self, File};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

/// The least memory in bytes for words, with [`Checkpoints::spill`]: those that running blocks read
/// or have stored. A block of 512 rows reads at most 22 R bytes (measured).
pub fn least_words(end: u64) -> u64 {
    end.saturating_mul(88).saturating_add(1 << 20)
}

/// An upper estimate of the bytes of words on disk. Old checkpoints need some of them longer than
/// the run does.
pub fn words_on_disk(end: u64) -> u64 {
    memory_of_words(end).saturating_mul(3) / 2
}

/// As [`rows`](crate::band::rows), with checkpoints. Resumes from a checkpoint, if given, which
/// must have the same windows.
///
/// The visitor sees every row from 0 on; those below the checkpoint come from its file. `end` is at
/// most [`Checkpoint::end`]. The number of cells includes those of the checkpoint. If a checkpoint
/// cannot be written, the [listener](Checkpoints::listener) is told, and the run continues. The
/// checkpoints stay until [`Checkpoints::remove`]. Two runs must not use a folder at the same time.
/// The words of earlier runs that the given checkpoint and older ones do not need are removed.
///
/// # Errors
/// As [`rows`](crate::band::rows); [`FileProblem::Unusable`] if the checkpoint is of a run with
/// other windows or one that ends too early, and if its content is impossible;
/// [`FileProblem::Unreadable`] if it cannot be read. Some errors in a checkpoint are not detected:
/// the rows of a run that resumes are right if the checkpoint is (proofs/sweep.md, 7.3).
/// [`FileProblem::SpillFolder`] and [`SweepError::Words`] if words cannot wait on disk.
///
/// [`FileProblem::Unusable`]: crate::checkpoints::FileProblem::Unusable
/// [`FileProblem::Unreadable`]: crate::checkpoints::FileProblem::Unreadable
/// [`FileProblem::SpillFolder`]: crate::checkpoints::FileProblem::SpillFolder
///
/// # Panics
/// If the engine itself is wrong.
pub fn resumable_rows(
    end: u64,
    options: Options,
    checkpoints: &Checkpoints<'_>,
    from: Option<Checkpoint>,
    visitor: &mut dyn Visitor,
) -> Result<Done, WordsError> {
    let run = Run::prepare(end, options, checkpoints, from.as_ref(), Share::ALONE)?;
    let files = |boundary| run.store.states(boundary).map(Some);
    run.rows(checkpoints, from, visitor, &files, |start, visits| {
        start.in_threads::<false>(visits, as_listeners(&mut vec![(); options.workers().get()]))
    })
}

/// A run that can begin.
pub struct Run {
    end: u64,
    threads: usize,
    /// The plan of the engine.
    pub plan: Plan,
    /// The words.
    pub store: Store,
}

impl Run {
    /// Prepares a run before anything is computed, with a store for this share of it. Sets damaged
    /// checkpoints aside if that succeeds.
    ///
    /// # Errors
    /// Those of [`resumable_rows`] that come before the first row.
    pub fn prepare(
        end: u64,
        options: Options,
        checkpoints: &Checkpoints<'_>,
        from: Option<&Checkpoint>,
        share: Share,
    ) -> Result<Self, WordsError> {
        let prepare = || {
            let mut plan = Plan::new(end, &options)?;
            if let Some(from) = from {
                plan.frame = from.frame(plan.frame)?;
            }
            let first = block_of(from.map_or(FIRST_BAND, Checkpoint::band));
            let (spill, end_of_words) = (checkpoints.spill_to(), plan.frame.bands.first_row().0);
            let all_in_memory =
                share.processes == 1 && spill.memory >= memory_of_words(end_of_words);
            let on_disk = if all_in_memory { 0 } else { words_on_disk(end_of_words) };
            let left = from.map(Checkpoint::words_left);
            let store = Store::on_disk(spill, share, on_disk, left, first)?;
            Ok(Self { end, threads: options.workers().get(), plan, store })
        };
        let prepared = prepare();
        checkpoints.set_damaged_aside(prepared.is_ok());
        prepared
    }

    /// Begins with row 0, or resumes from the checkpoint. Can be called once. `work` runs the
    /// workers, and returns whether the visitor wanted more rows.
    ///
    /// The first of the processes that share the run writes checkpoints, with the `files` of words
    /// of all processes for readers after a block: [`Store::states`] of each.
    ///
    /// # Errors
    /// Those of [`resumable_rows`] and of `work`.
    pub fn rows(
        &self,
        checkpoints: &Checkpoints<'_>,
        from: Option<Checkpoint>,
        visitor: &mut dyn Visitor,
        files: &FilesAbove<'_>,
        work: impl for<'s> FnOnce(Start<'s>, &mut Visits<'s>) -> Result<bool, SweepError>,
    ) -> Result<Done, WordsError> {
        let Self { end, threads, plan, ref store } = *self;
        let is_over = AtomicBool::new(false);
        let saver = &Saver { checkpoints, store, files, frame: plan.frame, is_over };
        thread::scope(|scope| {
            let (_copying, news) = (store.share().process == 0)
                .then(|| {
                    checkpoints.tidy();
                    store.make_copies(
                        Instant::now().checked_add(checkpoints.interval(Duration::ZERO)),
                    )
                })
                .unzip();
            let mut visits = Visits::new(end, visitor, store);
            let start = match from {
                None => Start::seed(plan, &mut visits, &mut ())?,
                Some(from) => from.resume(&mut visits)?.map(|(boundary, rows)| {
                    store.tell(rows, visits.done);
                    Start::at(plan, boundary, &visits)
                }),
            };
            let Some(start) = start else { return Ok(visits.done) };
            if let Some(news) = news {
                let refused = |problem: io::Error| SweepError::Threads {
                    wanted: threads + 1,
                    problem: problem.to_string(),
                };
                let write = move || saver.write(&news);
                thread::Builder::new().spawn_scoped(scope, write).map_err(refused)?;
            }
            let ended = work(start, &mut visits);
            // Without the other processes no checkpoint can be completed.
            if ended == Ok(true) || store.share().processes > 1 {
                saver.is_over.store(true, Ordering::Relaxed);
            }
            Ok(ended.map(|_| visits.done)?)
        })
    }
}

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
    pub(super) fn write(&self, news: &Receiver<News>) {
        let mut below = RowsBelow::default();
        while let Ok(heard) = news.recv() {
            let (row, begun, columns) = match heard {
                News::Begins(row, begun, columns) => (row, begun, columns),
                News::Rows(rows, done) => {
                    below.add(rows, done);
                    continue;
                }
            };
            // If it fails, nobody waits for room in the channel of columns.
            let written = self.write_one(row, columns, news, &mut below);
            let is_retry = written.is_err();
            let next = match written {
                Ok(()) => begun.checked_add(self.checkpoints.interval(begun.elapsed())),
                Err(error) => {
                    let (row, folder) = (row.0, self.checkpoints.folder().display());
                    self.checkpoints.warn(format!(
                        "the checkpoint at row {row} could not be written to {folder}: {error}; the \
                         run continues"
                    ));
                    let pause = self.checkpoints.interval(Duration::ZERO).max(PAUSE);
                    Instant::now().checked_add(pause)
                }
            };
            let oldest = self.checkpoints.oldest().map(|row| last_block(row) + 1);
            self.store.forget(oldest, next.map(|at| Due { at, is_retry }));
        }
    }

    fn write_one(
        &self,
        row: RowIndex,
        columns: Receiver<Columns>,
        news: &Receiver<News>,
        below: &mut RowsBelow,
    ) -> io::Result<()> {
        let begun = Instant::now();
        let folder = self.checkpoints.folder();
        fs::create_dir_all(folder)?;
        let end = self.frame.bands.first_row();
        require_space(folder, size(row))?;
        let file = folder.join(file_name(row));
        if fs::symlink_metadata(&file).is_ok() && !may_go(&file, end) {
            return Ok(());
        }
        let fill = |draft: &mut File| self.write_file(draft, row, columns, news, below);
        let bytes = match files::replace(&file, fill) {
            Err(_) if !self.continues() => return Ok(()),
            written => written?,
        };
        self.checkpoints.tell(&CheckpointEvent::Written { file, bytes, took: begun.elapsed() });
        if let Err(error) = self.checkpoints.remove_oldest(end) {
            self.checkpoints.warn_not_removed(&error);
        }
        Ok(())
    }

    /// Writes the file. Returns its length.
    fn write_file(
        &self,
        draft: &mut File,
        row: RowIndex,
        columns: Receiver<Columns>,
        news: &Receiver<News>,
        below: &mut RowsBelow,
    ) -> io::Result<u64> {
        // Workers and other processes know of the end before `Run::rows` does.
        let ended = || {
            self.is_over.store(true, Ordering::Relaxed);
            io::Error::other("the run has ended")
        };
        let continues = || if self.continues() { Ok(()) } else { Err(ended()) };
        let mut file = Hashing::new(draft);
        file.write_all(header(row, self.frame).as_bytes())?;
        let mut groups = 0;
        for (bytes, more) in columns {
            continues()?;
            file.write_all(&bytes)?;
            groups += more;
        }
        // Without them, the block did not finish.
        while below.done.rows < row.0 {
            match news.recv() {
                Ok(News::Rows(rows, done)) => below.add(rows, done),
                _ => return Err(ended()),
            }
        }
        continues()?;
        let mut files = (self.files)(last_block(row))?.ok_or_else(ended)?;
        files.sort_by_key(|file| (file.reader, file.writer));
        let rows_at = file.count();
        below.rows.iter().try_for_each(|rows| file.write_all(rows))?;
        file.write_all(&trailer(groups, rows_at, &files, below.done, row))?;
        let bytes = file.count() + HASH;
        file.finish()?;
        Ok(bytes)
    }
}

/// All rows so far, in bytes, and the work done for them.
#[derive(Default)]
struct RowsBelow {
    rows: Vec<Vec<u8>>,
    done: Done,
}

impl RowsBelow {
    fn add(&mut self, rows: Vec<u8>, done: Done) {
        self.rows.push(rows);
        self.done += done;
    }
}

/// The block below the checkpoint of this row.
fn last_block(row: RowIndex) -> BlockIndex {
    block_of(BandIndex::of_row(row) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::LANES;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicU64;

    /// Another process can know that the run has ended before this one does. Nothing is reported:
    /// the checkpoint is abandoned, not refused.
    #[test]
    fn a_run_that_has_ended_elsewhere_abandons_its_checkpoint() {
        let asked = AtomicU64::new(0);
        let files = |_| {
            asked.fetch_add(1, Ordering::Relaxed);
            Ok(None)
        };
        let silent = |news: &CheckpointEvent| panic!("{news}");
        for _ in 0..50 {
            let folder = tempfile::tempdir().expect("a folder");
            let words = folder.path().join("words");
            let checkpoints = Checkpoints::new(folder.path()).every(Duration::ZERO);
            let checkpoints = checkpoints.spill(words, 1 << 30).listener(&silent);
            let end = 200 * LANES;
            let run = Run::prepare(end, Options::default(), &checkpoints, None, Share::ALONE);
            let mut visit = |_| ControlFlow::Continue(());
            let done =
                run.expect("a run").rows(&checkpoints, None, &mut visit, &files, |it, to| {
                    it.in_threads::<false>(to, as_listeners(&mut [(); 2]))
                });
            assert_eq!(done.expect("rows").rows, end);
            if asked.load(Ordering::Relaxed) > 0 {
                return;
            }
        }
        panic!("no run asked for files");
    }
}
