//! `chomp-mpi rows`.

use cluster::rows::{RankDone, Ranks, Sent, Task, help, spill};
use cluster::transport::{Mpi, Watched};
use driver::{
    Bytes, Engine, Error, ErrorKind, Finished, HeadForm, Origin, Spill, Target, Verified, write_by,
};
use record::data_set;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};
use sweep::band::Options;
use sweep::checkpoints::Checkpoints;
use terminal::{Interrupt, Watcher, outlive_file_size_limit, verified_now};

use crate::arguments::RowsArguments;

/// If another rank must end, and rank 0 has not ended the run after this time, it may be missing.
const ANSWER: Duration = Duration::from_millis(500);

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
    let spill = spill(arguments.to, options, folder(arguments, ranks.ranks()));
    let spill = spill.map_err(|error| {
        let advice = advice(&error, arguments.to, options);
        failed(error, advice.to_owned())
    })?;
    let mut checkpoints = Checkpoints::new(&arguments.out);
    if let Some(Spill { folder, memory }) = &spill {
        checkpoints = checkpoints.spill(folder, memory.unwrap_or(0));
    }
    let (first, tell) = (OnceLock::new(), Once::new());
    let asked = || {
        let asked = interrupt.asked();
        // There may be little time. Rank 0 reports for all, unless it is missing.
        let wait = if rank == 0 { Duration::ZERO } else { ANSWER };
        if asked && first.get_or_init(Instant::now).elapsed() >= wait {
            tell.call_once(|| {
                tracing::warn!("rank {rank} must end{}", how_to_resume(&checkpoints));
            });
        }
        asked
    };
    let task = Task { end: arguments.to + 1, options, is_interrupted: &asked };
    let done = if rank == 0 {
        write(arguments, spill, task, ranks, &Watcher::of(interrupt.clone()))
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

/// The folder and the memory for words. Several ranks need a folder.
fn folder(arguments: &RowsArguments, ranks: usize) -> Option<Spill> {
    let beside = || {
        let mut beside = arguments.out.clone().into_os_string();
        beside.push(".words");
        Some(PathBuf::from(beside)).filter(|beside| ranks > 1 || beside.exists())
    };
    let folder = arguments.spill.clone().or_else(beside)?;
    Some(Spill { folder, memory: arguments.memory })
}

/// The options that help if there is too little memory for all words.
fn advice(error: &Error, last: u64, options: Options) -> &'static str {
    let fits = |&memory: &u64| {
        let spilled = Spill { folder: PathBuf::new(), memory: Some(memory) };
        spill(last, options, Some(spilled)).is_ok()
    };
    match error {
        Error::Memory { left, .. } if fits(left) => {
            ", or let words wait on disk (--spill and --memory)"
        }
        _ => "",
    }
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
    spill: Option<Spill>,
    task: Task<'_>,
    ranks: Watched<Mpi>,
    watcher: &Watcher,
) -> Result<String, Error> {
    let (folder, last) = (&arguments.out, arguments.to);
    let mut target = Target::new(folder, last);
    target.checkpoint_every = arguments.checkpoint;
    target.spill = spill;
    let mut ranks = Ranks::new(task, ranks)?;
    let found = data_set::Found::of(folder, None, last, HeadForm::Fingerprint);
    let finished = if matches!(found, Ok(data_set::Found::Nothing | data_set::Found::Smaller(_))) {
        let finished = write_by(&mut ranks, &target, watcher);
        ranks.end()?;
        finished?
    } else {
        // The others need not wait while the rows in the folder are verified.
        ranks.end()?;
        Engine::default().write(&target, watcher)?
    };
    let (mut how, count) = (String::new(), ranks.work.len());
    if count > 0 {
        eprintln!("{}", table(&ranks.work));
        let cells: u64 = ranks.work.iter().map(|rank| rank.cells).sum();
        how = format!(", ranks: {count}, cells: {cells}");
    }
    Ok(report(&finished, arguments, &how))
}

/// The report of rank 0.
fn report(finished: &Finished, arguments: &RowsArguments, how: &str) -> String {
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
            format!("Rows 0 to {last}{how}.\n{condition}{checked}")
        }
    }
}

/// The work of each rank.
fn table(ranks: &[RankDone]) -> impl Display {
    let header = ["rank", "cells", "waiting, s", "words", "groups", "rows", "other", "memory"];
    let mut table = terminal::table(header, |_| true);
    let amount = |bytes: u64| Bytes(bytes).to_string();
    for (rank, done) in ranks.iter().enumerate() {
        let Sent { words, groups, rows, other } = done.sent;
        let mut line = vec![
            rank.to_string(),
            done.cells.to_string(),
            format!("{:.2}", done.waited.as_secs_f64()),
        ];
        line.extend([words, groups, rows, other].map(amount));
        line.push(done.memory.map_or("?".to_owned(), amount));
        table.add_row(line);
    }
    table
}
