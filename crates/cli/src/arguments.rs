//! What can be typed: the one source of help, man page and completions.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use sweep::band::{Kernel, Options};

use crate::compute::Engine;

/// The largest row that can be asked for: its data set would need hundreds of gigabytes of memory.
const LARGEST_ROW: u64 = 10_000_000;

/// The version, with the commit that the program was built from.
const VERSION: &str = git_version::git_version!(
    prefix = concat!(env!("CARGO_PKG_VERSION"), " (commit "),
    suffix = ")",
    args = ["--always", "--abbrev=12", "--dirty=-modified"],
    fallback = "unknown"
);

/// All P-positions of three-rowed Chomp with a given bottom row, as a proved finite description.
///
/// A position (p,q,r) has rows of p >= q >= r squares. For each bottom row r the P-positions (those
/// the previous player wins) are finite in number, or their offsets p - q, taken for q = r, r+1, ...,
/// end in a repeating pattern (Byrnes 2003). This program computes them and proves each row.
#[derive(Debug, Parser)]
#[command(name = "chomp", version = VERSION, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done or verified, 1 refuted, 2 usage, 3 input or output, 4 interrupted \
                  or incomplete."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Rows(Rows),
    Check(Check),
    Show(Show),
    Periods(Periods),
    Stats(Stats),
    Reproduce(Reproduce),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page (roff).
    Man,
}

/// Compute and certify rows 0 to R, and write them to a folder.
///
/// Writes a data set: segment files of one record a line, and a manifest. A folder that holds a
/// smaller data set is extended (its rows are found again and compared); one that holds the same
/// rows is left as it is. Ctrl-C keeps the rows computed so far. A run that was interrupted or
/// killed is resumed by the same command, from the newest checkpoint in its folder. A summary goes to stdout, progress to stderr.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp rows --to 1000 && grep 'row: 120,' chomp-rows/rows-*.ron")]
pub struct Rows {
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub to: u64,
    /// The folder to write to; made if it is not there.
    #[arg(long, value_name = "DIR", default_value = "chomp-rows")]
    pub out: PathBuf,
    /// Write every offset of each pre-period instead of a fingerprint.
    #[arg(long)]
    pub full: bool,
    /// Time between checkpoints of the sweep (not with --full), such as 500ms, 10s or 2min; by
    /// default the larger of two minutes and twenty times what writing one takes. The two newest are
    /// kept; near row 1 000 000 each has 5 GB.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub checkpoint: Option<Duration>,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// How rows are computed.
#[derive(Clone, Copy, Debug, Args)]
pub struct EngineChoice {
    /// The engine. All find the same records; literal, the recurrence of the papers, is cubic, and
    /// proves each row twice.
    #[arg(long, value_enum, default_value_t, help_heading = "Engine")]
    engine: EngineName,
    /// Threads of the sweep; by default as many as there are processors.
    #[arg(long, value_name = "N", help_heading = "Engine")]
    threads: Option<NonZero<usize>>,
    /// Vector instructions of the sweep; by default the best that the machine has.
    #[arg(long, value_enum, default_value_t, help_heading = "Engine")]
    kernel: KernelName,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum EngineName {
    /// The quadratic engine.
    #[default]
    Sweep,
    /// The recurrence of the papers.
    Literal,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum KernelName {
    #[default]
    Auto,
    Avx512,
    Avx2,
    Portable,
}

impl EngineChoice {
    /// The engine that was asked for.
    pub fn chosen(self) -> Engine {
        let default = Options::default();
        let kernel = match self.kernel {
            KernelName::Auto => Kernel::Auto,
            KernelName::Avx512 => Kernel::Avx512,
            KernelName::Avx2 => Kernel::Avx2,
            KernelName::Portable => Kernel::Portable,
        };
        match self.engine {
            EngineName::Literal => Engine::Literal,
            EngineName::Sweep => Engine::Sweep(Options {
                threads: self.threads.unwrap_or(default.threads),
                kernel,
                ..default
            }),
        }
    }
}

/// Verify a data set without trusting the program that wrote it.
///
/// Reads the files strictly (structure) and verifies the certificate of every periodic row from the
/// records alone (tails). Both assume that what precedes the periodic parts is right; with --heads
/// it is computed again, by another method than that of `chomp rows`, and nothing is assumed. The
/// verdict goes to stdout: what was proved, on what assumptions, and what was not checked.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp check chomp-rows --heads\n\n\
    Exit codes: 0 verified, 1 refuted, 3 no readable data set, 4 interrupted or incomplete.")]
pub struct Check {
    /// The folder of the data set.
    #[arg(value_name = "DIR")]
    pub data: PathBuf,
    /// Compute every pre-period again. The cost grows with the square of the last row.
    #[arg(long)]
    pub heads: bool,
    /// Judge rows A to B only, both included. With --heads the rows below A are computed, and
    /// judged, as well.
    #[arg(long, value_name = "A..B", value_parser = range)]
    pub rows: Option<(u64, u64)>,
    /// Print the verdict as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Show one row in closed form, with its certificate in words.
///
/// Offsets are p - q for columns q = R, R+1, ...; see docs/ARCHITECTURE.md for the words. Computing
/// row R costs what all rows to R cost; --data reads it from a data set instead.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp show 120")]
pub struct Show {
    /// The bottom row.
    #[arg(value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub row: u64,
    /// Read the row from this data set instead of computing it.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Print the record as JSON.
    #[arg(long)]
    pub json: bool,
}

/// List the periodic rows: start, period and pattern.
///
/// One line a row, as on Brouwer's page: row, start, period, and the pattern, which is the offsets
/// of one period minus their mean. Rows of period 1 are left out unless --period 1 is given.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp periods --to 1000 --period 4")]
#[command(group = ArgGroup::new("source").required(true).args(["to", "data"]))]
pub struct Periods {
    /// Compute rows 0 to R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub to: Option<u64>,
    /// Read the rows of this data set.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// List only rows of this period; by default all rows of period 2 or more.
    #[arg(long, value_name = "K", value_parser = period, allow_hyphen_values = true)]
    pub period: Option<u64>,
    /// Print tab-separated columns, the pattern comma-separated, a header line first.
    #[arg(long, conflicts_with = "json")]
    pub tsv: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// Count what section 8 of the 2005 paper counts.
///
/// The diagonal and its distance from the line of slope 1 + 1/√2, finite rows and where they end,
/// whether the opening move is unique, periods and starts; with --cells also how often values occur,
/// minima of rows and maxima of columns. Every figure says on what range it was computed. Distances
/// from the lines are exact: printed digits are rounded outwards.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp stats --to 10000 --cells")]
#[command(group = ArgGroup::new("source").required(true).args(["to", "data"]))]
pub struct Stats {
    /// Compute rows 0 to R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub to: Option<u64>,
    /// Read the rows of this data set.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Count cells (q,r) as well: sections 8.1, 8.3, 8.10 and 8.11. Only with --to, since records do
    /// not hold the cells; takes two to three times as long.
    #[arg(long, conflicts_with = "data")]
    pub cells: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// Test the claims of five papers again: the claims ledger.
///
/// Each computable claim of the 2005 paper, Brouwer's page (and an older copy of it), Zeilberger 2003
/// and Cho 2018 is tested on rows 0 to R, on game trees and on the literal recurrence, and gets a
/// verdict: confirmed, extended (it holds further than it is claimed), refuted (with the
/// counterexample), reported (beyond computation here) or pending (for later work). A claim made for
/// more rows than R is confirmed as far as R only, or out of reach. Exits 1 if a claim that held when
/// the ledger was written fails, or the other way round.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp reproduce --to 2000 | grep refuted")]
pub struct Reproduce {
    /// Compute rows 0 to R; by default to the end of Brouwer's computation.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true,
        default_value = "130000", conflicts_with = "data")]
    pub to: u64,
    /// Read the rows of this data set instead.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Visit the cells of rows 0 to C, for claims that records do not decide; by default as many
    /// as these claims are made for.
    #[arg(long, value_name = "C", value_parser = row, allow_hyphen_values = true)]
    pub cells: Option<u64>,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,
    /// Print the ledger as a document, outputs/LEDGER.md.
    #[arg(long)]
    pub markdown: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

fn row(text: &str) -> Result<u64, String> {
    let row = number(text)?;
    if row <= LARGEST_ROW { Ok(row) } else { Err(format!("rows go to {LARGEST_ROW} here")) }
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once("..").ok_or("give two rows, such as 100..430")?;
    let (first, last) = (number(first)?, number(last)?);
    if first <= last { Ok((first, last)) } else { Err("the first row is past the last".to_owned()) }
}

fn period(text: &str) -> Result<u64, String> {
    match number(text)? {
        0 => Err("a period is at least 1".to_owned()),
        period => Ok(period),
    }
}

/// Decimal digits, with underscores between them for the eye.
fn number(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits || text.starts_with('_') || text.ends_with('_') {
        return Err("give a whole number in decimal digits, such as 10000 or 10_000".to_owned());
    }
    digits.parse().map_err(|_too_large| "this number is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn numbers_are_decimal_digits() {
        assert_eq!(number("10_000"), Ok(10_000));
        for bad in ["", "_", "-1", "+1", "1e99", "0x10", "1.5", "1,000", "_1", "1_", "１", " 1"] {
            assert!(number(bad).is_err(), "{bad:?} was accepted");
        }
        assert!(number("99999999999999999999").is_err());
        assert!(row("10_000_001").is_err());
        assert_eq!(range("100..1_000"), Ok((100, 1000)));
        for bad in ["", "1", "1..", "..2", "2..1", "1...2", "1-2"] {
            assert!(range(bad).is_err(), "{bad:?} was accepted");
        }
        assert!(period("0").is_err());
    }
}
