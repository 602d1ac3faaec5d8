//! Runs that leave checkpoints and resume from them.

use super::file::Checkpoint;
use super::folder::Checkpoints;
use super::saver::{FilesAbove, Saver};
use crate::band::run::{Options, Plan, Start, Visits, as_listeners, memory_of_words};
use crate::band::schedule::{FIRST_BAND, block_of};
use crate::band::words::{Share, Store, WordsError};
use crate::error::SweepError;
use record::listeners::{Done, Visitor};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The least memory in bytes for words with [`Checkpoints::spill`]: those that running blocks read
/// or have stored. A block of 512 rows reads at most 22 R bytes (measured).
pub fn least_words(end: u64) -> u64 {
    end.saturating_mul(88).saturating_add(1 << 20)
}

/// An upper estimate of the bytes of words on disk with [`Checkpoints::spill`]. Old checkpoints
/// need some of them longer than the run does.
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
///
/// # Errors
/// As [`rows`](crate::band::rows); [`FileProblem::Unusable`] if the checkpoint is of a run with
/// other windows or one that ends too early, and if its content is impossible;
/// [`FileProblem::Unreadable`] if it cannot be read. Some errors in a checkpoint are not detected:
/// the rows of a run that resumes are right if the checkpoint is (proofs/sweep.md, 7.3).
/// [`FileProblem::SpillFolder`] and [`FileProblem::Spill`] if words cannot wait on disk.
///
/// [`FileProblem::Unusable`]: crate::checkpoints::FileProblem::Unusable
/// [`FileProblem::Unreadable`]: crate::checkpoints::FileProblem::Unreadable
/// [`FileProblem::SpillFolder`]: crate::checkpoints::FileProblem::SpillFolder
/// [`FileProblem::Spill`]: crate::checkpoints::FileProblem::Spill
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
        let threads = options.workers().get();
        let prepare = || {
            let mut plan = Plan::new(end, &options)?;
            if let Some(from) = from {
                plan.frame = from.frame(plan.frame)?;
            }
            let first = block_of(from.map_or(FIRST_BAND, Checkpoint::band));
            let Some(spill) = checkpoints.spill_to() else {
                return Ok((plan, Store::in_memory(first)));
            };
            let left = from.map(Checkpoint::words_left);
            let on_disk = words_on_disk(plan.frame.bands.first_row().0);
            Ok((plan, Store::on_disk(spill, share, on_disk, left, first)?))
        };
        let prepared = prepare();
        checkpoints.set_damaged_aside(prepared.is_ok());
        prepared.map(|(plan, store)| Self { end, threads, plan, store })
    }

    /// Begins with row 0, or resumes from the checkpoint, whose words go to the store. Can be
    /// called once. `work` runs the workers, and returns whether the visitor wanted more rows.
    ///
    /// The first of the processes that share the run writes checkpoints, with the `files` of words
    /// of all processes for readers after a block: [`Store::states`] of each.
    ///
    /// # Errors
    /// Those of [`resumable_rows`] and of `work`. If the store has failed, its error is the most
    /// precise.
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
        let done = thread::scope(|scope| {
            let (_copying, jobs) = (store.share().process == 0)
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
                Some(from) => from.resume(&mut visits, store)?.map(|(boundary, rows)| {
                    store.resume(rows, visits.done);
                    Start::at(plan, boundary, &visits)
                }),
            };
            let Some(start) = start else { return Ok(visits.done) };
            if let Some(jobs) = jobs {
                let refused = |problem: io::Error| SweepError::Threads {
                    wanted: threads + 1,
                    problem: problem.to_string(),
                };
                let write = move || saver.write(&jobs);
                thread::Builder::new().spawn_scoped(scope, write).map_err(refused)?;
            }
            let ended = work(start, &mut visits);
            // Without the other processes no checkpoint can be completed.
            if ended == Ok(true) || store.share().processes > 1 {
                saver.is_over.store(true, Ordering::Relaxed);
            }
            // One more writes checkpoints.
            let ended = ended.map_err(|error| match error {
                SweepError::Threads { wanted, problem } => {
                    SweepError::Threads { wanted: wanted + 1, problem }
                }
                error => error,
            });
            ended.map(|_| visits.done).map_err(WordsError::from)
        });
        done.map_err(|error| match error {
            WordsError::Sweep(SweepError::Outside { .. }) => store.failure().unwrap_or(error),
            error => error,
        })
    }
}
