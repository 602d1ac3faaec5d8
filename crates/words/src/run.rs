//! Runs that leave checkpoints and resume from them.

use crate::checkpoint::{Checkpoint, Checkpoints, RunStorage, Saver};
use crate::error::WordsError;
use crate::store::{Share, Store};
use record::listeners::{Done, Visitor};
use std::thread;
use sweep::band::Options;
use sweep::band::pipeline::{FIRST_BAND, Plan, Start, Visits, block_of, memory_of_words};
use sweep::error::SweepError;

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

/// As [`rows`](sweep::band::rows), with checkpoints. Resumes from a checkpoint, if given, which
/// must have the same windows.
///
/// The visitor sees every row from 0 on; those below the checkpoint come from its file. `end` is at
/// most [`Checkpoint::end`]. The number of cells includes those of the checkpoint. If a checkpoint
/// cannot be written, the [listener](Checkpoints::listener) is told, and the run continues. The
/// checkpoints stay until [`Checkpoints::remove`]. Two runs must not use a folder at the same time.
///
/// # Errors
/// As [`rows`](sweep::band::rows); [`WordsError::CheckpointWindows`] and
/// [`WordsError::CheckpointEnd`] if the checkpoint is of a run with other windows or one that ends
/// too early; [`WordsError::CheckpointUnreadable`] if it cannot be read, and
/// [`WordsError::Checkpoint`] if its content is impossible. Some errors in a checkpoint are not
/// detected: the rows of a run that resumes are right if the checkpoint is (proofs/sweep.md, 7.3).
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
    let (plan, store) = prepare(end, options, checkpoints, from.as_ref(), Share::ALONE)?;
    let store = &store;
    let files = |boundary| store.states(boundary);
    let saver = &Saver::new(checkpoints, store, &files, plan.frame);
    let done = thread::scope(|scope| {
        let (storage, jobs) = RunStorage::new(store, Some(saver));
        let mut visits = Visits::new(end, visitor, &storage);
        let Some(start) = start(plan, from, &mut visits, store, &storage)? else {
            return Ok(visits.done);
        };
        let refused = |error: SweepError| match error {
            SweepError::Threads { wanted, problem } => {
                // One writes checkpoints.
                SweepError::Threads { wanted: wanted + 1, problem }
            }
            error => error,
        };
        let spawned = |problem: std::io::Error| {
            let (wanted, problem) = (options.workers().get(), problem.to_string());
            refused(SweepError::Threads { wanted, problem })
        };
        let write = move || saver.write(&jobs);
        thread::Builder::new().spawn_scoped(scope, write).map_err(spawned)?;
        let wants_more = start.in_threads(options.workers(), &mut visits).map_err(refused)?;
        if wants_more {
            saver.complete();
        }
        Ok(visits.done)
    });
    outcome(done, store)
}

/// Prepares a run before anything is computed: the plan of the engine, and a store for this share.
/// Sets damaged checkpoints aside if that succeeds.
///
/// # Errors
/// Those of [`resumable_rows`] that come before the first row.
pub fn prepare(
    end: u64,
    options: Options,
    checkpoints: &Checkpoints<'_>,
    from: Option<&Checkpoint>,
    share: Share,
) -> Result<(Plan, Store), WordsError> {
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
    prepared
}

/// Begins a run with row 0, or resumes from a checkpoint, whose words go to the store. `None` if
/// the visitor wants no more rows.
///
/// # Errors
/// Those of [`resumable_rows`].
pub fn start<'a>(
    plan: Plan,
    from: Option<Checkpoint>,
    visits: &mut Visits<'a>,
    store: &Store,
    storage: &RunStorage<'_>,
) -> Result<Option<Start<'a>>, WordsError> {
    let Some(from) = from else { return Ok(Start::seed(plan, visits)?) };
    let Some((boundary, rows)) = from.resume(visits, store)? else { return Ok(None) };
    storage.resume(rows, visits.done);
    Ok(Some(Start::at(plan, boundary, visits)))
}

/// The result of a run. If the store has failed, its error is the most precise.
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
