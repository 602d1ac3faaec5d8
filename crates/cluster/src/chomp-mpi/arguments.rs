//! The command line.

use clap::{Args, Parser, Subcommand};
use cluster::plan::Costs;
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
    Plan(PlanArguments),
    #[cfg(feature = "mpi")]
    Network(NetworkArguments),
    #[cfg(feature = "mpi")]
    Rows(RowsArguments),
}

/// Predict the time, memory, disk and network that rows 0 to R need on a cluster.
///
/// Times come from a model whose terms were measured on one machine (docs/CLUSTER.md). No row is
/// computed, and no MPI is needed.
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row)]
    pub to: u64,
    /// Number of machines, with one rank on each.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub nodes: u64,
    /// Threads of a rank.
    #[arg(long, value_name = "T", default_value = "32")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: u64,
    /// The threads use all processors of a node, so messages and records take time from them.
    #[arg(long)]
    pub all_processors: bool,
    /// Bandwidth of a node in each direction, in Gb/s.
    #[arg(long, value_name = "GBIT/S", default_value = "10", value_parser = positive)]
    pub bandwidth: f64,
    /// Time of a short message, in µs.
    #[arg(long, value_name = "µS", default_value = "20", value_parser = positive)]
    pub latency: f64,
    /// Memory of a node, such as 64G. Words that do not fit go to its disk.
    #[arg(long, value_name = "SIZE", default_value = "128G", value_parser = terminal::typed::size)]
    pub memory: u64,
    /// Bytes that the disk of a node writes in a second while it reads as many, such as 500M.
    #[arg(long, value_name = "SIZE", default_value = "500M", value_parser = terminal::typed::size)]
    pub disk: u64,
    /// Time of a thread for a tile of 64 cells, in ns.
    #[arg(long, value_name = "NS", default_value_t = 1e9 * Costs::default().tile)]
    #[arg(value_parser = positive)]
    pub tile: f64,
    /// Time of a thread for a group that joins a block, in ns.
    #[arg(long, value_name = "NS", default_value_t = 1e9 * Costs::default().group)]
    #[arg(value_parser = positive)]
    pub group: f64,
}

/// Measure the network between the ranks of an MPI job.
///
/// Every rank sends short and long messages to every other one. Rank 0 prints latencies and
/// bandwidths, for the options of `plan`.
#[cfg(feature = "mpi")]
#[derive(Debug, Args)]
pub struct NetworkArguments {
    /// Short messages from each rank to each other one; a quarter as many of 1 MiB follow.
    #[arg(long, value_name = "N", default_value = "200")]
    #[arg(value_parser = clap::value_parser!(u32).range(4..=1_000_000))]
    pub messages: u32,
    /// Seconds after which a silent rank counts as missing.
    #[arg(long, value_name = "S", default_value = "30")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub patience: u64,
}

/// Compute, certify and write rows 0 to R, by all ranks of an MPI job.
///
/// Rank 0 writes the same data set as `chomp rows`, and checkpoints meanwhile. The same command
/// resumes from the newest checkpoint, with any number of ranks and threads, and so does `chomp
/// rows` with --spill. All ranks must see the folder of words, and to resume, also the folder of
/// the data set. Ctrl-C, SIGTERM and SIGHUP, at any rank, keep the rows computed so far.
#[cfg(feature = "mpi")]
#[derive(Debug, Args)]
pub struct RowsArguments {
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row)]
    pub to: u64,
    /// The folder of the data set. If it holds fewer rows, they are computed again and compared.
    #[arg(long, value_name = "DIR", default_value = "chomp-rows")]
    pub out: std::path::PathBuf,
    /// Threads of each rank.
    #[arg(long, value_name = "T", default_value = "1")]
    pub threads: std::num::NonZero<usize>,
    /// Time between checkpoints, such as 500ms, 10s or 2min. By default two minutes, or twenty
    /// times the time to write one if that is longer. The two newest are kept until the run is
    /// complete.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub checkpoint: Option<std::time::Duration>,
    /// The folder for words of the columns, which go through it from rank to rank: on a file system
    /// that all ranks share. It serves one run, and is not in the folder of the data set. With
    /// several ranks, the default is the name of the data set with `.words` appended; one rank
    /// keeps words in memory if none is given.
    #[arg(long, value_name = "DIR")]
    pub spill: Option<std::path::PathBuf>,
    /// The most memory of each rank with --spill, such as 512M or 8G; by default the least that it
    /// needs.
    #[arg(long, value_name = "SIZE", value_parser = terminal::typed::size, requires = "spill")]
    pub memory: Option<u64>,
    /// Seconds after which a silent rank counts as missing.
    #[arg(long, value_name = "S", default_value = "30")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub patience: u64,
}

fn row(text: &str) -> Result<u64, String> {
    terminal::typed::row(text, sweep::band::MOST_ROWS - 1)
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "give a positive number".to_owned())
}
