//! What can be typed.

use clap::{Args, Parser, Subcommand};
use cluster::costs::Costs;
use terminal::VERSION;

/// Rows of three-rowed Chomp on many machines.
#[derive(Debug, Parser)]
#[command(name = "chomp-mpi", version = VERSION, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 refuted, 2 usage, 3 input or output, 4 interrupted, or a rank is missing."
)]
pub struct Arguments {
    /// What to do.
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

/// Say how long rows 0 to R would take on a cluster, and what they would need.
///
/// Times come from a model, whose terms were measured on one machine; docs/CLUSTER.md has both.
/// Nothing is computed of any row, and no MPI is needed.
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row)]
    pub to: u64,
    /// Machines, with one rank on each.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub nodes: u64,
    /// Threads of a rank.
    #[arg(long, value_name = "T", default_value = "32")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: u64,
    /// Whether the threads take all processors of a node, so that what else is to be done takes
    /// time from them.
    #[arg(long)]
    pub all_processors: bool,
    /// What a node sends, and receives at the same time, in Gb/s.
    #[arg(long, value_name = "GB/S", default_value = "10", value_parser = positive)]
    pub bandwidth: f64,
    /// How long a short message takes, in µs.
    #[arg(long, value_name = "µS", default_value = "20", value_parser = positive)]
    pub latency: f64,
    /// Memory of a node, in GB. What does not fit goes to its disk.
    #[arg(long, value_name = "GB", default_value = "128", value_parser = positive)]
    pub memory: f64,
    /// Consecutive blocks that a rank does, instead of as many as the model finds best.
    #[arg(long, value_name = "BLOCKS", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub run: Option<u64>,
    /// Carry out the schedule in virtual time as well. Takes some seconds at 1 000 000, and grows
    /// with the square.
    #[arg(long)]
    pub simulate: bool,
    /// What a thread takes for a tile of 64 cells, in ns.
    #[arg(long, value_name = "NS", default_value_t = 1e9 * Costs::default().tile)]
    #[arg(value_parser = positive)]
    pub tile: f64,
    /// What a thread takes for a group that joins a block, in ns.
    #[arg(long, value_name = "NS", default_value_t = 1e9 * Costs::default().group)]
    #[arg(value_parser = positive)]
    pub group: f64,
}

/// Measure the network between the ranks of an MPI job.
///
/// Every rank sends short and long messages to every other one. What `plan` takes as `--latency`
/// and `--bandwidth` is printed by rank 0.
#[cfg(feature = "mpi")]
#[derive(Debug, Args)]
pub struct NetworkArguments {
    /// Short messages from each rank to each other one, and a quarter as many of 1 MiB.
    #[arg(long, value_name = "N", default_value = "200")]
    #[arg(value_parser = clap::value_parser!(u32).range(4..=1_000_000))]
    pub messages: u32,
    /// After how many seconds a rank that is not heard of is missed.
    #[arg(long, value_name = "S", default_value = "30")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub patience: u64,
}

/// Compute, certify and write rows 0 to R, by all ranks of an MPI job.
///
/// Rank 0 writes what `chomp rows` writes: the data set, and checkpoints on the way. The same
/// command goes on from the newest checkpoint, with any number of ranks and threads, and so does
/// `chomp rows`. All ranks must then see the folder; otherwise the others need none. Ctrl-C keeps
/// the rows computed so far, and so do SIGTERM and SIGHUP, whichever rank gets them.
#[cfg(feature = "mpi")]
#[derive(Debug, Args)]
pub struct RowsArguments {
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row)]
    pub to: u64,
    /// The folder. Fewer rows that are there are found again and compared.
    #[arg(long, value_name = "DIR", default_value = "chomp-rows")]
    pub out: std::path::PathBuf,
    /// Threads of each rank.
    #[arg(long, value_name = "T", default_value = "1")]
    pub threads: std::num::NonZero<usize>,
    /// Time between checkpoints, such as 500ms, 10s or 2min. By default two minutes, or twenty
    /// times what writing one takes if that is longer. The two newest are kept until the run is
    /// complete.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub checkpoint: Option<std::time::Duration>,
    /// A folder for what memory has no room for: words of the columns that will be read much later.
    /// Each rank has a folder of its own in there, so it may be on a disk that they share, or on
    /// one of each machine. It is for one run, and not in the folder of the data set. A run that
    /// goes on from a checkpoint needs the folders of all ranks.
    #[arg(long, value_name = "DIR", requires = "memory")]
    pub spill: Option<std::path::PathBuf>,
    /// The memory that each rank may take with --spill, such as 512M or 8G.
    #[arg(long, value_name = "SIZE", value_parser = terminal::typed::size, requires = "spill")]
    pub memory: Option<u64>,
    /// After how many seconds a rank that is not heard of is missed.
    #[arg(long, value_name = "S", default_value = "30")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub patience: u64,
}

fn row(text: &str) -> Result<u64, String> {
    terminal::typed::row(text, LARGEST_ROW)
}

/// The engine's numbers fit to here.
const LARGEST_ROW: u64 = (1 << 29) - 1;

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "give a positive number".to_owned())
}
