//! `chomp-mpi rows`.

use cluster::plan::Traffic;
use cluster::rows::{
    Joined, RankDone, RanksDone, RowsError, Sent, Task, dismiss, help, least_memory,
    memory_in_memory, planned, words_in_memory,
};
use cluster::transport::{Mpi, Watched};
use driver::{
    Bytes, Engine, Finished, HeadForm, Origin, SelfChecked, Spill, Target, Verified,
    require_memory, write_by,
};
use record::data_set;
use record::listeners::{Done, Visitor};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};
use sweep::{band::Options, error::SweepError};
use terminal::{Interrupt, Watcher, outlive_file_size_limit, verified_now};

use words::{Checkpoints, WordsError};

use crate::arguments::RowsArguments;
use crate::failure::{Cause, Failure, how_to_resume};

/// If another rank must end, and rank 0 has not ended the run after this time, it may be missing.
const ANSWER: Duration = Duration::from_millis(500);

/// Computes the part of this rank. Rank 0 writes the rows.
pub fn run(arguments: &RowsArguments) -> Result<(), Failure> {
    outlive_file_size_limit()?;
    let interrupt = Interrupt::catch_as_one_of_many()?;
    let options = Options { threads: Some(arguments.threads), ..Options::default() };
    let mut checkpoints = Checkpoints::new(&arguments.out);
    let ranks = Watched::new(Mpi::join()?, Duration::from_secs(arguments.patience));
    let rank = ranks.rank();
    let ranks = ranks.meet().map_err(|error| Failure::of_rank(rank, error))?;
    let spill =
        spill(arguments, options, ranks.ranks()).map_err(|error| Failure::of_usage(rank, error))?;
    if let Some(Spill { folder, memory }) = &spill {
        checkpoints = checkpoints.spill(folder, memory.unwrap_or(0));
    }
    let (first, tell) = (OnceLock::new(), Once::new());
    let asked = || {
        let asked = interrupt.asked();
        // There may be little time. Rank 0 reports for all, unless it is missing.
        let wait = if rank == 0 { Duration::ZERO } else { ANSWER };
        if asked && first.get_or_init(Instant::now).elapsed() >= wait {
            let tell_it = || {
                tracing::warn!("rank {rank} must end{}", how_to_resume(&checkpoints));
            };
            tell.call_once(tell_it);
        }
        asked
    };
    let task = Task { end: arguments.to + 1, options, is_interrupted: &asked };
    let done = if rank == 0 {
        write(arguments, spill, task, ranks, &Watcher::of(interrupt.clone()))
    } else {
        help(task, &checkpoints, ranks).map(|()| String::new()).map_err(Cause::from)
    };
    let words = done.map_err(|error| Failure::of_rank_that_ran(rank, error, &checkpoints))?;
    Ok(terminal::print(words.as_bytes())?)
}

/// The folder and the memory for words. Several ranks need a folder. An error if the run needs more
/// memory than there is.
fn spill(
    arguments: &RowsArguments,
    options: Options,
    ranks: usize,
) -> Result<Option<Spill>, Cause> {
    let (last, end) = (arguments.to, arguments.to + 1);
    let folder = arguments.spill.clone().or_else(|| {
        let mut beside = arguments.out.clone().into_os_string();
        beside.push(".words");
        let beside = PathBuf::from(beside);
        (ranks > 1 || beside.exists()).then_some(beside)
    });
    let Some(folder) = folder else {
        require_memory(last, memory_in_memory(end, options))
            .map_err(|error| advised(error, end, options))?;
        return Ok(None);
    };
    let memory = arguments.memory.unwrap_or(least_memory(end, options));
    let words = words_in_memory(end, options, memory)?;
    require_memory(last, memory)?;
    Ok(Some(Spill { folder, memory: Some(words) }))
}

/// Adds the options that help.
fn advised(error: driver::Error, end: u64, options: Options) -> Cause {
    let fits = |memory| words_in_memory(end, options, memory).is_ok();
    match error {
        driver::Error::Memory { words, left, .. } if fits(left) => {
            Cause::Usage(format!("{words}, or let words wait on disk (--spill and --memory)"))
        }
        error => error.into(),
    }
}

/// The work of rank 0. Returns its report.
fn write(
    arguments: &RowsArguments,
    spill: Option<Spill>,
    task: Task<'_>,
    ranks: Watched<Mpi>,
    watcher: &Watcher,
) -> Result<String, Cause> {
    let (folder, last, threads) = (&arguments.out, arguments.to, arguments.threads.get());
    let mut target = Target::new(folder, last);
    target.checkpoint_every = arguments.checkpoint;
    target.spill = spill;
    let found = data_set::Found::in_folder(folder, last, HeadForm::Fingerprint);
    if !matches!(found, Ok(data_set::Found::Nothing | data_set::Found::Smaller(_))) {
        // The others need not wait while the rows in the folder are verified.
        dismiss(ranks)?;
        let held = Engine::default().write(&target, watcher)?;
        return Ok(words(&held, folder, last, ""));
    }
    let mut sweep = ByRanks { task, ranks: Some(ranks), joined: None, found: None, failed: None };
    let finished = write_by(&mut sweep, &target, watcher);
    sweep.joined.take().map_or(Ok(()), Joined::leave)?;
    if let Some(ranks) = sweep.ranks.take() {
        dismiss(ranks)?;
    }
    if let Some(failed) = sweep.failed {
        return Err(failed.into());
    }
    let finished = finished?;
    let mut how = String::new();
    if let Some(RanksDone { done, ranks }) = &sweep.found {
        eprintln!("{}", table(ranks, task.end, threads as u64));
        how = format!(", ranks: {}, cells: {}", ranks.len(), done.cells);
    }
    Ok(words(&finished, folder, last, &how))
}

/// The computation of all ranks.
struct ByRanks<'a> {
    task: Task<'a>,
    /// Before the run begins.
    ranks: Option<Watched<Mpi>>,
    /// After it has begun.
    joined: Option<Joined<'a, Mpi>>,
    /// After it has ended.
    found: Option<RanksDone>,
    /// The error, if it has failed.
    failed: Option<RowsError>,
}

impl ByRanks<'_> {
    fn fail<R>(&mut self, error: RowsError) -> Result<R, WordsError> {
        let problem = error.to_string();
        self.failed = Some(error);
        Err(SweepError::Outside { problem }.into())
    }
}

impl driver::Sweep for ByRanks<'_> {
    fn begin(&mut self, checkpoints: &Checkpoints<'_>) -> Result<Option<u64>, WordsError> {
        let ranks = self.ranks.take().expect("it begins once");
        match Joined::new(self.task, checkpoints, ranks) {
            Ok(joined) => Ok(self.joined.insert(joined).from()),
            Err(error) => self.fail(error),
        }
    }

    fn rows(
        &mut self,
        _end: u64,
        checkpoints: &Checkpoints<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<Done, WordsError> {
        let mut joined = self.joined.take().expect("it has begun");
        let found = match joined.rows(checkpoints, visitor) {
            Ok(found) => found,
            Err(error) => return self.fail(error),
        };
        if found.ranks.is_empty() {
            // The run was interrupted. There may only be time to save the rows found.
            self.joined = Some(joined);
        } else if let Err(error) = joined.leave() {
            return self.fail(error.into());
        }
        Ok(self.found.insert(found).done)
    }
}

/// The report of rank 0.
fn words(finished: &Finished, folder: &Path, last: u64, how: &str) -> String {
    match &finished.origin {
        Origin::Held(verdict) => format!(
            "{} holds rows 0 to {last} already; nothing to compute.\n{}",
            folder.display(),
            verified_now(verdict)
        ),
        Origin::Computed { self_check, believed, .. } => {
            let condition = believed.map_or(String::new(), |row| {
                format!(
                    "Proved if the checkpoint at row {row}, from which they resumed, is right.\n"
                )
            });
            let checked = checked(self_check).unwrap_or_default();
            format!("Rows 0 to {last}{how}.\n{condition}{checked}")
        }
    }
}

fn checked(SelfChecked { verdict, .. }: &SelfChecked) -> Option<String> {
    let verdict @ Verified { last, .. } = verdict.as_ref()?;
    Some(format!(
        "Self-check: rows 0 to {last} were read back and verified: {}.\n",
        verdict.proved()
    ))
}

/// The work of each rank, and the predicted traffic of all.
fn table(ranks: &[RankDone], end: u64, threads: u64) -> impl Display {
    let header = ["rank", "cells", "waiting, s", "words", "groups", "rows", "other", "memory"];
    let mut table = terminal::table(header, |_| true);
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
    let Traffic { words, groups, rows, diagonals } = planned(end, ranks.len() as u64, threads);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a prediction")]
    let planned = [words, groups, rows + diagonals].map(|bytes| amount(bytes as u64));
    table.add_row(["plan".to_owned(), String::new(), String::new()].into_iter().chain(planned));
    table
}

fn amount(bytes: u64) -> String {
    Bytes(bytes).to_string()
}
