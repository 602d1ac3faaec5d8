//! Runs that leave checkpoints and resume from them.

use crate::{
    checkpoint::{Checkpoint, Checkpoints, Recorder, Saver},
    disk::Share,
    error::WordsError,
    queues::Reads,
    store::Store,
};
use record::listeners::{Done, Visitor};
use std::thread;
use sweep::{
    band::{
        Options,
        pipeline::{FIRST_BAND, Plan, Start, Visits, block_of, memory_of_words},
    },
    error::SweepError,
};

/// The least memory for words with [`Checkpoints::spill`], in bytes: those that the next blocks
/// read are there. What a block of 512 rows reads is measured to be at most 22 R bytes.
pub fn least_words(end: u64) -> u64 {
    end.saturating_mul(88).saturating_add(1 << 20)
}

/// The bytes that words may have on disk with [`Checkpoints::spill`]: an estimate from above. A
/// checkpoint has all waiting words written, and old ones need some longer than the run.
pub fn words_on_disk(end: u64) -> u64 {
    memory_of_words(end).saturating_mul(3) / 2
}

/// As [`rows`](sweep::band::rows), with checkpoints. Resumes from one, if given, which the windows
/// must fit.
///
/// Every row from 0 on is visited, those below the checkpoint's as they are stored. `end` is at
/// most [`Checkpoint::end`]. The cells that are done count the whole checkpoint. If one cannot be
/// written, the run goes on, and the [listener](Checkpoints::listener) is told. The checkpoints
/// stay until [`Checkpoints::remove`]; two runs at a time must not share a folder.
///
/// # Errors
/// As [`rows`](sweep::band::rows); [`WordsError::CheckpointWindows`] and
/// [`WordsError::CheckpointEnd`] if the checkpoint is of a run with other windows or one that ends
/// too early; [`WordsError::CheckpointUnreadable`] if it cannot be read, and
/// [`WordsError::Checkpoint`] if it contains what cannot be. Not all errors in one are seen: the
/// rows of a run that resumes from a checkpoint are right if it is right (proofs/sweep.md, 7.3).
/// [`WordsError::SpillFolder`] and [`WordsError::Spill`] if words cannot wait on disk.
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
    let reads = Reads::default();
    let (plan, store) = prepare(end, options, checkpoints, from.as_ref(), (Share::ALONE, reads))?;
    let store = &store;
    let saver = &Saver::new(checkpoints, store, store, plan.frame);
    let done = thread::scope(|scope| {
        let (recorder, jobs) = Recorder::new(saver);
        let mut visits = Visits::new(end, visitor, store, Some(&recorder));
        let Some(start) = start(plan, from, &mut visits, store, Some(&recorder))? else {
            return Ok(visits.done);
        };
        let helpers = 1 + usize::from(store.spills());
        let refused = |error: SweepError| match error {
            SweepError::Threads { wanted, problem } => {
                SweepError::Threads { wanted: wanted + helpers, problem }
            }
            error => error,
        };
        let spawned = |problem: std::io::Error| {
            let (wanted, problem) = (options.threads.get(), problem.to_string());
            refused(SweepError::Threads { wanted, problem })
        };
        // The disk thread works as long as a worker or a checkpoint may need it.
        let (user, user_of_saver) = (store.user(), store.user());
        let write = move || {
            let _user = user_of_saver;
            saver.write(&jobs);
        };
        thread::Builder::new().spawn_scoped(scope, write).map_err(spawned)?;
        if store.spills() {
            thread::Builder::new().spawn_scoped(scope, || store.work()).map_err(spawned)?;
        }
        let wants_more = start.in_threads(options.threads, &mut visits).map_err(refused)?;
        if wants_more {
            saver.complete();
        }
        drop(user);
        Ok(visits.done)
    });
    outcome(done, store)
}

/// Looks at everything that a run needs, before anything is computed: what the engine needs, and a
/// store of words for one of several processes, which reads some of the words.
///
/// # Errors
/// Those of [`resumable_rows`] that come before the first row.
pub fn prepare(
    end: u64,
    options: Options,
    checkpoints: &Checkpoints<'_>,
    from: Option<&Checkpoint>,
    (share, reads): (Share, Reads),
) -> Result<(Plan, Store), WordsError> {
    let mut plan = Plan::new(end, &options)?;
    if let Some(from) = from {
        plan.frame = from.frame(plan.frame)?;
    }
    let Some(spill) = checkpoints.spill_to() else { return Ok((plan, Store::in_memory(reads))) };
    let left = from.map(Checkpoint::words_left);
    let next = block_of(from.map_or(FIRST_BAND, Checkpoint::band));
    let on_disk = words_on_disk(plan.frame.bands.first_row().0).div_ceil(share.parts.max(1));
    let store = Store::spilling(spill, (share, on_disk), left, next, reads)?;
    Ok((plan, store))
}

/// Begins a run with row 0, or resumes from a checkpoint, whose words go to the store. `None` if
/// the caller needs no more.
///
/// # Errors
/// Those of [`resumable_rows`].
pub fn start<'a>(
    plan: Plan,
    from: Option<Checkpoint>,
    visits: &mut Visits<'a>,
    store: &Store,
    recorder: Option<&Recorder<'_>>,
) -> Result<Option<Start<'a>>, WordsError> {
    let Some(from) = from else { return Ok(Start::seed(plan, visits)?) };
    let Some((boundary, rows)) = from.resume(visits, store)? else { return Ok(None) };
    if let Some(recorder) = recorder {
        recorder.resume(rows, visits.done);
    }
    Ok(Some(Start::at(plan, boundary, visits)))
}

/// How a run has ended: if the store has failed, it knows best why.
///
/// # Errors
/// Those of the run.
pub fn outcome<T>(ended: Result<T, WordsError>, store: &Store) -> Result<T, WordsError> {
    match ended {
        Err(WordsError::Sweep(error @ SweepError::Outside { .. })) => {
            Err(store.failure().unwrap_or(error.into()))
        }
        ended => ended,
    }
}
