//! `chomp check`.

mod merge;

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use ask::verdict_object;
use clap::{ArgGroup, Args};
use driver::{CheckError, CheckFolder, DataSet, Error, Task, Watch, records, verify_in_folder};
use record::data_set::DataSetError;
use terminal::Watcher;

use crate::options::{Keep, threads};
use crate::output;
use ask::{input, json};

/// Verify a data set without trusting the program that wrote it.
///
/// Reads the files strictly (structure), and verifies the certificate of every periodic row from
/// the records alone (tails). This assumes that the pre-periods are right. With --heads they are
/// computed again, by another method than that of `chomp rows`, and nothing is assumed. The verdict
/// goes to stdout: what was proved, what was assumed, and what was not checked.
///
/// With --keep a check of heads writes checkpoints, and removes them once all rows are verified.
/// The verdict of a resumed check assumes that its checkpoint is right, and gives its hash.
#[derive(Debug, Args)]
#[command(
    alias = "verify",
    group = ArgGroup::new("kept").arg("folder").requires("heads"),
    after_help = "Examples:\n  chomp check chomp-rows --heads\n\nExit codes: 0 \
    verified, 1 refuted, 3 no readable data set, 4 interrupted or incomplete."
)]
pub struct Arguments {
    /// The folder of the data set, or its archive, a file of any name. Of an archive nothing is
    /// unpacked; with --rows, only the files of rows to B are read.
    #[arg(value_name = "DIR | FILE", required_unless_present = "merge")]
    data: Option<PathBuf>,
    /// Compute every pre-period again. The time grows with the square of the last row.
    #[arg(long)]
    heads: bool,
    /// Check rows A to B only, both included. With --heads the rows below A are computed and
    /// checked as well. Files of later rows are not read.
    #[arg(long, value_name = "A..B", value_parser = input::range)]
    rows: Option<(u64, u64)>,
    /// Compute pre-periods on this many threads [default: one for each processor]. The verdict is
    /// the same.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true,
        requires = "heads")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    keep: Keep,
    /// Time between checkpoints, such as 500ms, 10s or 2min.
    #[arg(long, value_name = "TIME", default_value = "2min", value_parser = humantime::parse_duration,
        requires = "folder")]
    checkpoint_every: Duration,
    /// Stop before the first group of columns from this column on, with a checkpoint. So a check
    /// can be shared out: each part begins at the checkpoint at which another one ends.
    #[arg(long, value_name = "Q", requires = "folder", value_parser = input::row,
        allow_hyphen_values = true)]
    to_column: Option<u64>,
    /// Put together the verdicts of parts that --to-column and --json have printed to these files.
    #[arg(long, value_name = "VERDICT", num_args = 1.., exclusive = true)]
    merge: Vec<PathBuf>,
    /// Print the verdict as JSON: `chomp help json`.
    #[arg(long)]
    json: bool,
}

/// Verifies a data set, and prints the verdict.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Some(given) = &arguments.data else {
        return output::print(merge::merged(&arguments.merge)?.as_bytes());
    };
    let &Arguments { heads, rows, threads, to_column, .. } = arguments;
    let task = Task { heads, rows, threads };
    let watcher = Watcher::new()?;
    let opened = if given.is_file() {
        DataSet::open_archive(given, || watcher.stop())
    } else {
        DataSet::open_any(given)
    };
    let not_opened = |error: DataSetError| {
        if watcher.stop() { CheckError::Interrupted } else { error.into() }
    };
    let outcome = opened.map_err(not_opened).and_then(|data_set| match &arguments.keep.folder {
        None => records::verify_data_set(&data_set, &task, &watcher),
        Some(folder) => {
            let folder = folder.clone();
            let every = arguments.checkpoint_every;
            let folder = CheckFolder { folder, every, to_column };
            verify_in_folder(&data_set, &task, &folder, &watcher)
        }
    });
    if outcome.is_ok() && files::is_locked(given) {
        let folder = output::shown(given);
        tracing::info!(
            "a run is writing to {folder}; what was checked is the data set from before it"
        );
    }
    if arguments.json {
        output::print(json::line(&verdict_object(&outcome, heads)).as_bytes())?;
    } else if let Ok(verdict) = &outcome {
        output::print(verdict.to_string().as_bytes())?;
    }
    outcome.map(drop).map_err(Error::from)
}
