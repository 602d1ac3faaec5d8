//! `chomp-mpi rows`.

use cluster::rows::{Ranks, Task, help, words_in_memory};
use cluster::transport::{Mpi, Watched};
use driver::{Engine, Error, ErrorKind, Finished, HeadForm, Origin, Target, Verified, write_by};
use record::data_set;
use std::time::Duration;
use sweep::band::Options;
use sweep::checkpoints::Checkpoints;
use terminal::{Interrupt, Watcher, outlive_file_size_limit, verified_now};

use crate::arguments::RowsArguments;

/// Computes the part of this rank. Rank 0 writes the rows.
pub fn run(arguments: &RowsArguments) -> Result<(), Error> {
    outlive_file_size_limit()?;
    let interrupt = Interrupt::catch_as_one_of_many()?;
    let mut ranks = Watched::new(Mpi::join()?, Duration::from_secs(arguments.patience));
    let rank = ranks.rank();
    let failed = |error: Error, advice: String| {
        Error::of(error.kind(), format!("rank {rank}: {error}{advice}"))
    };
    ranks.meet().map_err(|error| failed(error, String::new()))?;
    let options = Options { threads: Some(arguments.threads), ..Options::default() };
    let memory = words_in_memory(arguments.to, options, arguments.memory)
        .map_err(|error| failed(error, String::new()))?;
    let words = arguments.spill.clone().unwrap_or_else(|| arguments.out.join(data_set::WORDS_NAME));
    let checkpoints = Checkpoints::new(&arguments.out).spill(words, memory);
    let task = Task { end: arguments.to + 1, options, is_interrupted: &|| interrupt.asked() };
    let done = if rank == 0 {
        write(arguments, memory, task, ranks, &Watcher::of(interrupt.clone()))
    } else {
        help(task, &checkpoints, ranks).map(|()| String::new())
    };
    let words = done.map_err(|error| {
        let has_advice = matches!(error, Error::WriteInterrupted { .. });
        let resumes = error.kind() == ErrorKind::Incomplete && !has_advice;
        failed(error, if resumes { how_to_resume(&checkpoints) } else { String::new() })
    })?;
    terminal::print(words.as_bytes())
}

/// The checkpoint from which a run can resume, in words.
fn how_to_resume(checkpoints: &Checkpoints<'_>) -> String {
    match checkpoints.newest_row() {
        Some(row) => format!(
            "; the newest checkpoint is at row {row}, and the same command resumes from there, with \
             any number of ranks and threads"
        ),
        None => "; this rank sees no checkpoint".to_owned(),
    }
}

/// The work of rank 0. Returns its report.
fn write(
    arguments: &RowsArguments,
    memory: u64,
    task: Task<'_>,
    ranks: Watched<'_>,
    watcher: &Watcher,
) -> Result<String, Error> {
    let (folder, last) = (&arguments.out, arguments.to);
    let mut target = Target::new(folder, last);
    target.checkpoint_every = arguments.checkpoint;
    (target.spill, target.memory) = (arguments.spill.clone(), Some(memory));
    let mut ranks = Ranks::new(task, ranks)?;
    let held = data_set::held(folder, None, last, HeadForm::Fingerprint);
    let finished = if held.is_ok_and(|held| held.is_none_or(|held| held.last_row() < last)) {
        let finished = write_by(&mut ranks, &target, watcher);
        ranks.end()?;
        finished?
    } else {
        // The others need not wait while the rows in the folder are verified.
        ranks.end()?;
        Engine::default().write(&target, watcher)?
    };
    Ok(report(&finished, arguments))
}

/// The report of rank 0.
fn report(finished: &Finished, arguments: &RowsArguments) -> String {
    let last = arguments.to;
    match &finished.origin {
        Origin::Held(verdict) => format!(
            "{} holds rows 0 to {last} already; nothing to compute.\n{}",
            arguments.out.display(),
            verified_now(verdict)
        ),
        Origin::Computed { self_check, believed } => {
            let condition = believed.map_or(String::new(), |row| {
                format!(
                    "Proved if the checkpoint at row {row}, from which they resumed, is right.\n"
                )
            });
            let checked = |verdict: &Verified| {
                let (last, proved) = (verdict.last, verdict.proved());
                format!("Self-check: rows 0 to {last} were read back and verified: {proved}.\n")
            };
            let checked = self_check.as_ref().map(checked).unwrap_or_default();
            format!("Rows 0 to {last}.\n{condition}{checked}")
        }
    }
}
