//! The command line.

use clap::{Args, Parser, Subcommand};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;
use terminal::VERSION;

/// Rows of three-rowed Chomp on many machines.
#[derive(Debug, Parser)]
#[command(name = "chomp-mpi", version = VERSION, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 refuted, 2 usage, 3 input or output, 4 interrupted or a rank is missing."
)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Rows(RowsArguments),
}

/// Compute, certify and write rows 0 to R, by all ranks of an MPI job.
///
/// Rank 0 writes the same data set as `chomp rows`, and checkpoints meanwhile. The same command
/// resumes from the newest checkpoint, with any number of ranks and threads, and so does `chomp
/// rows`. All ranks must see the folder of words, and to resume, also the folder of the data set.
/// Ctrl-C, SIGTERM and SIGHUP, at any rank, keep the rows computed so far.
#[derive(Debug, Args)]
pub struct RowsArguments {
    /// The last row.
    #[arg(long, value_name = "R", value_parser = terminal::typed::row)]
    pub to: u64,
    /// The folder of the data set. If it holds fewer rows, they are computed again and compared.
    #[arg(long, value_name = "DIR", default_value = "chomp-rows")]
    pub out: PathBuf,
    /// Threads of each rank.
    #[arg(long, value_name = "T", default_value = "1")]
    pub threads: NonZero<usize>,
    /// Time between checkpoints, such as 500ms, 10s or 2min. By default two minutes, or twenty
    /// times the time to write one if that is longer. The two newest are kept until the run is
    /// complete.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub checkpoint: Option<Duration>,
    /// The folder for words of the columns, which go through it from rank to rank: on a file system
    /// that all ranks share. It serves one run; by default it is `words` in the folder of the data
    /// set.
    #[arg(long, value_name = "DIR")]
    pub spill: Option<PathBuf>,
    /// The most memory of each rank, such as 512M or 8G; by default the least that it needs.
    #[arg(long, value_name = "SIZE", value_parser = terminal::typed::size)]
    pub memory: Option<u64>,
    /// Seconds after which a silent rank counts as missing.
    #[arg(long, value_name = "S", default_value = "30")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub patience: u64,
}
