//! `chomp rows`, the main job.

use std::path::PathBuf;
use std::time::Duration;

use census::{Census, Summary};
use clap::{Args, ValueEnum};
use driver::{Engine, Error, Finished, HeadForm, Kernel, Origin, SweepOptions, Target, Verified};
use serde::Serialize;
use terminal::typed::size;
use terminal::{Watcher, verified_now};

use crate::none;
use crate::options::Threads;
use crate::output;
use ask::RowRange;
use ask::input::row;

/// Compute and certify rows 0 to R, and write them to a folder.
///
/// Writes a data set: segment files with one record per line, and a manifest. A folder that holds a
/// smaller data set is extended: its rows are computed again and compared. A folder that holds the
/// same rows is left as it is, and verified without its heads. Ctrl-C keeps the rows computed so
/// far. So do a limit on processor time and the signals SIGTERM and SIGHUP, unless these are
/// ignored (nohup). The same command resumes a run that was interrupted or killed, from the newest
/// checkpoint in its folder. The rows of a resumed run are proved if its checkpoint is right;
/// `chomp check --heads` verifies them without it. A run that needs more memory than is free is
/// refused. The summary goes to stdout, progress to stderr.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    chomp rows --to 1000 && grep 'row: 120,' chomp-rows/rows-*.ron")]
pub struct Arguments {
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    to: u64,
    /// The folder to write to; created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "chomp-rows")]
    out: PathBuf,
    /// Write every offset of each pre-period instead of a fingerprint.
    #[arg(long, conflicts_with_all = ["threads", "kernel"])]
    full: bool,
    /// Time between checkpoints of the sweep (not with --full), such as 500ms, 10s or 2min. By
    /// default two minutes, or twenty times what writing one takes if that is longer. The two
    /// newest are kept until the run is complete; in a run to 1 000 000 each takes up to 40 MB, and
    /// their words, in the folder `words` beside them, up to 6 GB. Checkpoints of a run to a larger
    /// row are never removed.
    #[arg(
        long, value_name = "TIME", value_parser = humantime::parse_duration,
        conflicts_with = "full"
    )]
    checkpoint: Option<Duration>,
    /// Another folder for words of the columns, which are read much later (not with --full): for
    /// example on another disk. It serves one run, lies outside the folder of the data set, and is
    /// removed when the run is complete. Rows to 1 000 000 need up to 6 GB, to 3 000 000 up to 50
    /// GB.
    #[arg(long, value_name = "DIR", conflicts_with = "full")]
    spill: Option<PathBuf>,
    /// The memory budget, such as 512M or 8G (not with --full); by default half of the free memory.
    /// Words that do not fit wait in their folder.
    #[arg(long, value_name = "SIZE", value_parser = size, conflicts_with = "full")]
    memory: Option<u64>,
    /// Print the summary as JSON: `chomp help json` names its fields.
    #[arg(long)]
    json: bool,
    /// The engine, by default `sweep`. Both find the same records. `literal` is the recurrence of
    /// the papers; it is cubic, and proves each row twice.
    #[arg(long, value_enum)]
    engine: Option<EngineName>,
    #[command(flatten)]
    threads: Threads,
    /// Vector instructions of the sweep, by default `auto`. The rows are the same with each.
    #[arg(long, value_enum)]
    kernel: Option<KernelName>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// The quadratic engine.
    Sweep,
    /// The recurrence of the papers.
    Literal,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KernelName {
    /// The fastest that the machine has.
    Auto,
    /// On x86-64.
    Avx512,
    /// On x86-64.
    Avx2,
    /// On 64-bit Arm.
    Neon,
    /// On any machine.
    Portable,
}

/// Computes, certifies and writes rows 0 to R, then prints a summary.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let engine = engine(arguments)?;
    let (folder, last) = (arguments.out.clone(), arguments.to);
    let form = if arguments.full { HeadForm::Offsets } else { HeadForm::Fingerprint };
    let (spill, memory) = (arguments.spill.clone(), arguments.memory);
    let target =
        Target { folder, last, form, checkpoint_every: arguments.checkpoint, spill, memory };
    let watcher = Watcher::new()?;
    let outcome = engine.write(&target, &watcher);
    if let Err(Error::WriteInterrupted { kept: Some(kept) }) = &outcome {
        tell_of_self_check(kept.self_check.as_ref());
    }
    let Finished { found, origin } = outcome?;
    let folder = target.folder.display();
    let (computed, checkpoint, words) = match &origin {
        Origin::Held(verdict) => {
            tracing::info!("{folder} holds rows 0 to {last} already; nothing to compute");
            let checked = verified_now(verdict);
            let words = "`chomp check --heads` verifies that, too.\n";
            (false, None, format!("Nothing was computed. {checked}{words}"))
        }
        Origin::Computed { self_check, believed } => {
            tracing::info!("wrote rows 0 to {last} to {folder}");
            tell_of_self_check(self_check.as_ref());
            let trust = believed.map_or(String::new(), |row| trust(&found, row));
            (true, *believed, proved(&found, *believed) + &trust)
        }
    };
    let periods = found.periods.iter().map(|(&period, census)| OfPeriod {
        first: census.first,
        period,
        rows: census.number(),
    });
    let object = || Run {
        checkpoint,
        computed,
        finite: found.finite.number(),
        folder: folder.to_string(),
        periods: periods.collect(),
        rows: RowRange { first: 0, last },
    };
    output::print_or(arguments.json, object, || table(&found) + &words)
}

/// The summary of a run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run {
    /// The row of the checkpoint from which the run resumed, and which it trusts.
    checkpoint: Option<u64>,
    /// Whether the rows were computed now; otherwise the folder had them, and they were verified
    /// without their heads.
    computed: bool,
    /// The number of finite rows.
    finite: u64,
    /// The folder of the data set.
    folder: String,
    /// The numbers of periodic rows, by period.
    periods: Vec<OfPeriod>,
    /// The rows of the data set.
    rows: RowRange,
}

/// The rows of one period.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OfPeriod {
    /// The least of them.
    first: Option<u64>,
    period: u64,
    /// Their number.
    rows: u64,
}

/// The engine. Refuses options of the sweep with the other one.
fn engine(arguments: &Arguments) -> Result<Engine, Error> {
    if arguments.engine == Some(EngineName::Literal) {
        let given = [
            arguments.threads.given(),
            arguments.kernel.map(|_| "--kernel"),
            arguments.checkpoint.map(|_| "--checkpoint"),
            arguments.spill.as_ref().map(|_| "--spill"),
            arguments.memory.map(|_| "--memory"),
        ];
        let why = "it is for the sweep, and --engine literal is another engine";
        return none(given.into_iter().flatten().next(), why).map(|()| Engine::Literal);
    }
    let kernel = match arguments.kernel {
        None | Some(KernelName::Auto) => Kernel::Auto,
        Some(KernelName::Avx512) => Kernel::Avx512,
        Some(KernelName::Avx2) => Kernel::Avx2,
        Some(KernelName::Neon) => Kernel::Neon,
        Some(KernelName::Portable) => Kernel::Portable,
    };
    Ok(Engine::Sweep(SweepOptions { kernel, ..arguments.threads.sweep() }))
}

/// A short run reads nothing back, which is not worth a message.
fn tell_of_self_check(verdict: Option<&Verified>) {
    if let Some(verdict) = verdict {
        tracing::info!("self-check: rows 0 to {} were read back and verified", verdict.last);
    }
}

/// The assumptions of a run that resumed from the checkpoint at this row.
fn trust(summary: &Summary, row: u64) -> String {
    let last = row.min(summary.all.number()) - 1;
    format!(
        "Believed, not proved: rows 0 to {last} and what the columns held at row {row}, as the\n\
         checkpoint has them. `chomp check --heads` verifies all of it.\n"
    )
}

/// That the rows are proved.
fn proved(summary: &Summary, believed: Option<u64>) -> String {
    let condition = believed.map_or(String::new(), |row| {
        format!(", if the checkpoint at row {row} that this run resumed from is right")
    });
    format!(
        "Proved{condition}: each finite row ({}), which was computed to its end,\n\
         and each periodic row ({}), whose record has a certificate.\n",
        summary.finite.number(),
        summary.periodic()
    )
}

/// The number of rows of each kind by decade of r.
pub fn table(summary: &Summary) -> String {
    let decades = summary.all.decades.len();
    let mut header = vec!["rows".to_owned(), "first".to_owned()];
    header.extend((0..decades).map(decade));
    header.push("all".to_owned());
    let mut table = ask::table(header, |index| index == 0);
    table.add_row(line("finite".to_owned(), &summary.finite, decades));
    for (period, census) in &summary.periods {
        table.add_row(line(format!("period {period}"), census, decades));
    }
    table.add_row(line("all".to_owned(), &summary.all, decades));
    format!("{table}\n")
}

fn line(kind: String, census: &Census, decades: usize) -> Vec<String> {
    let mut cells = vec![kind, census.first.map_or_else(String::new, |row| row.to_string())];
    let counts = census.decades.iter().chain(std::iter::repeat(&0));
    cells.extend(counts.take(decades).map(u64::to_string));
    cells.push(census.number().to_string());
    cells
}

/// The rows with one digit more than this.
fn decade(digits: usize) -> String {
    let nines = "9".repeat(digits + 1);
    if digits == 0 { format!("0-{nines}") } else { format!("1{}-{nines}", "0".repeat(digits)) }
}
