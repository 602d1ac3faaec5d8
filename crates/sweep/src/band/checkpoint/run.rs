//! Runs that leave checkpoints and resume from them.
//!
//! While the pipeline runs, a thread of its own hears the [`News`] of it, and keeps the rows of all
//! blocks so far. If a checkpoint is due, a block keeps a copy of the corner and of the groups that
//! it sends. When the thread has the copy and the rows of that block, it asks for the files of
//! words, and writes all of them. Failures are reported, and the run continues.

use super::file::{Checkpoint, size};
use super::folder::{CheckpointEvent, Checkpoints, file_name, may_go};
use super::restore::Described;
use crate::band::run::{Options, Plan, Start, Visits, as_listeners, memory_of_words};
use crate::band::schedule::{FIRST_BAND, block_of};
use crate::band::words::{Due, FileState, News, Share, Store, require_space};
use crate::error::{SweepError, WordsError};
use crate::units::{BandIndex, BlockIndex, RowIndex};
use files::{HASH, Hashing};
use record::listeners::{Done, Visitor};
use std::fs;
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
        start.in_threads(visits, as_listeners(&mut vec![(); options.workers().get()]))
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
            let first = block_of(from.map_or(FIRST_BAND, |from| from.described.band()));
            let (spill, end_of_words) = (&checkpoints.spill, plan.frame.bands.first_row().0);
            let all_in_memory =
                share.processes == 1 && spill.memory >= memory_of_words(end_of_words);
            let on_disk = if all_in_memory { 0 } else { words_on_disk(end_of_words) };
            let left = from.map(|from| &from.left);
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
        let saver = &Saver { run: self, checkpoints, files, is_over: AtomicBool::new(false) };
        thread::scope(|scope| {
            let _copying = (store.share.process == 0)
                .then(|| {
                    checkpoints.tidy();
                    let first = Instant::now().checked_add(checkpoints.interval(Duration::ZERO));
                    let (copying, news) = store.make_copies(first);
                    let (write, refused) =
                        (move || saver.write(news), SweepError::threads(threads + 1));
                    thread::Builder::new().spawn_scoped(scope, write).map_err(refused)?;
                    Ok::<_, SweepError>(copying)
                })
                .transpose()?;
            let mut visits = Visits::new(end, visitor, store);
            let start = match from {
                None => Start::seed(plan, &mut visits, &mut ())?,
                Some(from) => from.resume(&mut visits)?.map(|(boundary, rows)| {
                    store.tell(News::Rows(rows, visits.done));
                    Start::at(plan, boundary, &visits)
                }),
            };
            let Some(start) = start else { return Ok(visits.done) };
            let ended = work(start, &mut visits);
            // Without the other processes no checkpoint can be completed.
            if ended == Ok(true) || store.share.processes > 1 {
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

/// Writes checkpoints, one after the other.
struct Saver<'a> {
    run: &'a Run,
    checkpoints: &'a Checkpoints<'a>,
    files: &'a FilesAbove<'a>,
    /// The run has ended, and needs no more checkpoints.
    is_over: AtomicBool,
}

impl Saver<'_> {
    /// Writes checkpoints until no more can begin.
    fn write(&self, news: Receiver<News>) {
        let (mut rows, mut done, mut copied) = (Vec::new(), Done::default(), None);
        for news in news {
            match news {
                News::Copied(row, columns) => copied = Some((row, columns)),
                News::Rows(more, of_block) => {
                    rows.push(more);
                    done += of_block;
                }
            }
            let is_whole = |(row, _): &mut (RowIndex, Vec<_>)| row.0 == done.rows;
            let Some((_, columns)) = copied.take_if(is_whole) else { continue };
            let (begun, state) = (Instant::now(), rows.iter().chain(&columns));
            let (at, is_retry) = match self.write_one(begun, done, state) {
                Err(error) if !self.is_over.load(Ordering::Relaxed) => {
                    let (row, folder) = (done.rows, self.checkpoints.folder.display());
                    self.checkpoints.warn(format!(
                        "the checkpoint at row {row} could not be written to {folder}: {error}; the \
                         run continues"
                    ));
                    let pause = self.checkpoints.interval(Duration::ZERO).max(PAUSE);
                    (Instant::now().checked_add(pause), true)
                }
                _ => (begun.checked_add(self.checkpoints.interval(begun.elapsed())), false),
            };
            let oldest = self.checkpoints.oldest().map(|row| last_block(row) + 1);
            self.run.store.forget(oldest, at.map(|at| Due { at, is_retry }));
        }
    }

    /// Writes the checkpoint below the rows `done`, with its state in pieces.
    fn write_one<'p>(
        &self,
        begun: Instant,
        done: Done,
        state: impl Iterator<Item = &'p Vec<u8>>,
    ) -> io::Result<()> {
        let (frame, row) = (self.run.plan.frame, RowIndex(done.rows));
        let (folder, end) = (&self.checkpoints.folder, frame.bands.first_row());
        fs::create_dir_all(folder)?;
        require_space(folder, size(row))?;
        let path = folder.join(file_name(row));
        let is_of_others = fs::symlink_metadata(&path).is_ok() && !may_go(&path, end);
        if is_of_others || self.is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        // Other processes know of the end before this one does.
        let Some(mut files) = (self.files)(last_block(row))? else { return Ok(()) };
        files.sort_by_key(|file| (file.reader, file.writer));
        let bytes = files::replace(&path, |draft| {
            let mut out = Hashing::new(draft);
            write!(out, "{}", Described { frame, done, files: files.len() as u64 })?;
            for number in files.iter().flat_map(FileState::numbers) {
                out.write_all(&number.to_le_bytes())?;
            }
            for bytes in state {
                out.write_all(bytes)?;
            }
            let bytes = out.count() + HASH;
            out.finish().map(|_| bytes)
        })?;
        let took = begun.elapsed();
        (self.checkpoints.listener)(&CheckpointEvent::Written { file: path, bytes, took });
        if let Err(error) = self.checkpoints.remove_oldest(end) {
            self.checkpoints.warn_not_removed(&error);
        }
        Ok(())
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
    use std::sync::mpsc::channel;

    /// Another process can know that the run has ended before this one does. Nothing is reported:
    /// the checkpoint is abandoned, not refused.
    #[test]
    fn a_run_that_has_ended_elsewhere_abandons_its_checkpoint() {
        let (asked, asks) = channel();
        let files = |_| {
            asked.send(()).expect("the test waits");
            Ok(None)
        };
        let silent = |news: &CheckpointEvent| panic!("{news}");
        let folder = tempfile::tempdir().expect("a folder");
        let checkpoints = Checkpoints::new(folder.path()).spill(folder.path().join("words"), 0);
        let checkpoints = checkpoints.every(Duration::ZERO).listener(&silent);
        let run = Run::prepare(200 * LANES, Options::default(), &checkpoints, None, Share::ALONE);
        let (run, mut visit) = (run.expect("a run"), |_| ControlFlow::Continue(()));
        // In place of the workers: a copy of nothing, above the rows with which the run begins.
        let done = run.rows(&checkpoints, None, &mut visit, &files, |_, visits| {
            run.store.tell(News::Copied(RowIndex(visits.done.rows), Vec::new()));
            asks.recv_timeout(Duration::from_secs(60)).expect("it asks for files");
            Ok(true)
        });
        assert_eq!(done.expect("rows").rows, FIRST_BAND.first_row().0);
        assert_eq!(checkpoints.newest_row(), None);
    }
}
