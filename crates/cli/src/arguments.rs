//! What can be typed: the one source of help, man page and completions.

use std::ffi::OsStr;
use std::io::{IsTerminal, stdout};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use boards::{grundy, squares};
use cascade::Word;
use census::export::Format;
use census::sequences::{PeriodSequence, Sequence};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgGroup, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use driver::{Engine, Kernel, Language, SweepOptions};
use figures::{BandsPlot, LevelsPlot, SheetPlot, TablePlot};
use num_bigint::BigUint;
use terminal::{
    VERSION,
    typed::{number, size},
};

use crate::notation::{any_number, range, row};

/// All P-positions of three-rowed Chomp with a given bottom row, as a proved finite description.
///
/// A position (p,q,r) has rows of p >= q >= r squares. A P-position is one that the previous player
/// wins. For each bottom row r, either there are finitely many P-positions, or their offsets p - q,
/// taken for q = r, r+1, ..., end in a pattern that repeats (Byrnes 2003). This program computes
/// them, and proves each row.
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
    /// Print no progress and no remarks on stderr. Warnings and errors still show.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// The widest help on a terminal, in columns.
const WIDEST: usize = 100;

/// Where help goes to a file or to another program.
const USUAL_WIDTH: usize = 80;

/// Reads the command line.
///
/// # Errors
/// What clap has to say instead: help, the version, or what is wrong.
pub fn parse() -> Result<Arguments, clap::Error> {
    let command = Arguments::command();
    let mut command = if stdout().is_terminal() {
        command.max_term_width(WIDEST)
    } else {
        command.term_width(USUAL_WIDTH)
    };
    let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Rows(RowsArguments),
    Check(CheckArguments),
    Show(ShowArguments),
    Periods(PeriodsArguments),
    Grundy(GrundyArguments),
    Tail(TailArguments),
    Seq(SeqArguments),
    F(FArguments),
    Query(QueryArguments),
    Play(PlayArguments),
    Board(BoardArguments),
    Poset(PosetArguments),
    Export(ExportArguments),
    Stats(StatsArguments),
    Plot(PlotArguments),
    Why(WhyArguments),
    Reproduce(ReproduceArguments),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page (roff), or write a page for each command.
    Man {
        /// Write the pages of all commands to this folder: chomp.1, chomp-rows.1, and so on.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// Compute and certify rows 0 to R, and write them to a folder.
///
/// Writes a data set: segment files with one record per line, and a manifest. A folder that holds a
/// smaller data set is extended: its rows are computed again and compared. A folder that holds the
/// same rows is left as it is, and verified without its heads. Ctrl-C keeps the rows computed so
/// far. So do a limit on processor time and the signals SIGTERM and SIGHUP, unless these are
/// ignored (nohup). The same command resumes a run that was interrupted or killed, from the newest
/// checkpoint in its folder. What a checkpoint says is believed: the rows of such a run are proved
/// if the checkpoint is right, and `chomp check --heads` verifies them without it. A run that needs
/// more memory than is free is refused. The summary goes to stdout, progress to stderr.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp rows --to 1000 && grep 'row: 120,' chomp-rows/rows-*.ron")]
pub struct RowsArguments {
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub to: u64,
    /// The folder to write to; created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "chomp-rows")]
    pub out: PathBuf,
    /// Write every offset of each pre-period instead of a fingerprint.
    #[arg(long)]
    pub full: bool,
    /// Time between checkpoints of the sweep (not with --full), such as 500ms, 10s or 2min. By
    /// default two minutes, or twenty times what writing one takes if that is longer. The two
    /// newest are kept until the run is complete; in a run to 1 000 000 each takes up to 3.5 GB, or
    /// 40 MB with --spill. Checkpoints of a run to a larger row are never removed.
    #[arg(
        long, value_name = "TIME", value_parser = humantime::parse_duration,
        conflicts_with = "full"
    )]
    pub checkpoint: Option<Duration>,
    /// A folder for what memory has no room for (not with --full): words of the columns that will
    /// be read much later. It is for one run, not in the folder of the data set, and removed when
    /// the run is complete. For rows to 1 000 000 it takes up to 6 GB, to 3 000 000 up to 50 GB.
    #[arg(long, value_name = "DIR", conflicts_with = "full")]
    pub spill: Option<PathBuf>,
    /// The memory that the run may take with --spill, such as 512M or 8G; by default half of what
    /// is free.
    #[arg(long, value_name = "SIZE", value_parser = size, requires = "spill")]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// How rows are computed.
#[derive(Clone, Copy, Debug, Args)]
pub struct EngineChoice {
    /// The engine, by default `sweep`. Both find the same records. `literal` is the recurrence of
    /// the papers; it is cubic, and proves each row twice.
    #[arg(long, value_enum, help_heading = "Engine")]
    engine: Option<EngineName>,
    /// Threads of the sweep; by default as many as there are processors. No more are used than
    /// there are blocks of 512 rows.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true,
        help_heading = "Engine")]
    threads: Option<NonZero<usize>>,
    /// Vector instructions of the sweep, by default `auto`. The rows are the same with each.
    #[arg(long, value_enum, help_heading = "Engine")]
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

impl EngineChoice {
    /// The threads that were asked for.
    pub fn threads(self) -> Option<NonZero<usize>> {
        self.threads
    }

    /// The engine that was asked for.
    pub fn chosen(self) -> Engine {
        if self.is_literal() { Engine::Literal } else { Engine::Sweep(self.sweep()) }
    }

    /// The sweep, whatever engine was asked for.
    pub fn sweep(self) -> SweepOptions {
        let default = SweepOptions::default();
        let kernel = match self.kernel {
            None | Some(KernelName::Auto) => Kernel::Auto,
            Some(KernelName::Avx512) => Kernel::Avx512,
            Some(KernelName::Avx2) => Kernel::Avx2,
            Some(KernelName::Neon) => Kernel::Neon,
            Some(KernelName::Portable) => Kernel::Portable,
        };
        SweepOptions { threads: self.threads.or(default.threads), kernel, ..default }
    }

    /// Whether the recurrence of the papers was asked for.
    pub fn is_literal(self) -> bool {
        self.engine == Some(EngineName::Literal)
    }

    /// Which of its options were given.
    pub fn given(self) -> Given {
        Given {
            engine: self.engine.is_some().then_some("--engine"),
            threads: self.threads.is_some().then_some("--threads"),
            kernel: self.kernel.is_some().then_some("--kernel"),
        }
    }
}

/// The names of the options of an engine that were given.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    pub engine: Option<&'static str>,
    pub threads: Option<&'static str>,
    pub kernel: Option<&'static str>,
}

/// Verify a data set without trusting the program that wrote it.
///
/// Reads the files strictly (structure), and verifies the certificate of every periodic row from
/// the records alone (tails). This assumes that what precedes the periodic parts is right. With
/// --heads that is computed again, by another method than that of `chomp rows`, and nothing is
/// assumed. The verdict goes to stdout: what was proved, what was assumed, and what was not
/// checked.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp check chomp-rows --heads\n\n\
    Exit codes: 0 verified, 1 refuted, 3 no readable data set, 4 interrupted or incomplete.")]
pub struct CheckArguments {
    /// The folder of the data set.
    #[arg(value_name = "DIR")]
    pub data: PathBuf,
    /// Compute every pre-period again. The time grows with the square of the last row.
    #[arg(long)]
    pub heads: bool,
    /// Check rows A to B only, both included. With --heads the rows below A are computed and
    /// checked as well.
    #[arg(long, value_name = "A..B", value_parser = range)]
    pub rows: Option<(u64, u64)>,
    /// Print the verdict as JSON: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
}

/// Show one row in closed form, with its certificate in words; or several.
///
/// Offsets are p - q for columns q = R, R+1, ...; docs/ARCHITECTURE.md explains the words. Long
/// lists of them are shortened. Computing row R takes as long as computing all rows to R; --data
/// reads it from a data set instead. With more than three rows, the row is its tail: the lengths of
/// the rows below the two longest. All rows with tails within it are computed.
///
/// Rows A..B are printed one after the other, each as soon as it is known. If B is past 10 000,
/// they have fingerprints of their heads; with --full, --json or a language all offsets of rows 0
/// to B are computed.
///
/// --latex, --sage, --mathematica and --maple print a row as text to paste: f(q,R) for all q. Of
/// Maple it is the sequence `B[R]` of Zeilberger's paper on his package BYRNES: the head, and one
/// period, of the offsets for q - R = 0, 1, 2, ....
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: chomp show 120, or chomp show 3,2 for the positions (p,q,3,2), or \
    chomp show 118..120, or chomp show 120 --sage"
)]
#[command(group = ArgGroup::new("form").multiple(false)
    .args(["full", "latex", "sage", "mathematica", "maple", "json"]))]
pub struct ShowArguments {
    /// The bottom row, the first and the last of several, or the tail.
    #[arg(value_name = "R | A..B | TAIL", required = true, num_args = 1..,
        allow_negative_numbers = true)]
    pub row: Vec<String>,
    /// Read the rows from this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Print long lists in full.
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub language: LanguageChoice,
    /// Print each row as JSON, one per line: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
}

/// Options of which at most one is given, since they are in the group `form`.
#[derive(Clone, Copy, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub struct LanguageChoice {
    /// Print f(q,R) as a formula of LaTeX.
    #[arg(long)]
    latex: bool,
    /// Print f(q,R) as a function of q for Sage. Python reads it, too.
    #[arg(long)]
    sage: bool,
    /// Print `f[q, R]` as a definition for Mathematica.
    #[arg(long)]
    mathematica: bool,
    /// Print the offsets as `B[R]` for Maple, as a pair of lists: head and period.
    #[arg(long)]
    maple: bool,
}

impl LanguageChoice {
    /// The language to print a row in, if it is not to be in words.
    pub fn chosen(self) -> Option<Language> {
        let asked = [self.latex, self.sage, self.mathematica, self.maple];
        let languages = [Language::Latex, Language::Sage, Language::Mathematica, Language::Maple];
        asked.into_iter().zip(languages).find_map(|(asked, language)| asked.then_some(language))
    }
}

/// List the periodic rows: start, period and pattern.
///
/// One line per row, as on Brouwer's page: row, start, period and pattern. The pattern is the
/// offsets of one period minus their mean. Rows of period 1 are left out unless --period 1 is
/// given.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp periods --to 1000 --period 4")]
#[command(group = ArgGroup::new("source").required(true).multiple(true).args(["to", "data"]))]
pub struct PeriodsArguments {
    /// List only rows from this one on. The rows below it are computed as well.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub from: Option<u64>,
    /// Compute rows 0 to R; with --data, read no rows beyond R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub to: Option<u64>,
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// List only rows of this period; by default all rows of period 2 or more.
    #[arg(long, value_name = "K", value_parser = period, allow_hyphen_values = true)]
    pub period: Option<u64>,
    /// Print a header line, and tab-separated columns; the numbers of a pattern are separated by
    /// commas.
    #[arg(long, conflicts_with = "json")]
    pub tsv: bool,
    /// Print each row as JSON, one per line: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
    /// Print a list of rows for each period, as Gabriel Nivasch did.
    #[arg(long, conflicts_with_all = ["tsv", "json"])]
    pub lists: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// Compute and certify rows of positions with a given Grundy value, or find the value of one.
///
/// Level G is the set of the positions (p,q,r) with Grundy value G; level 0 is the P-positions. A
/// row of a level is finite, periodic or empty: it is empty by x if (x,x,x) has the value G, for an
/// x from 1 to r - 1. A level needs those below it, which are computed as well.
///
/// Without --tsv and --json, prints the records as a data set has them, one per line. With --out,
/// writes levels 0 to the highest as a data set, for `chomp check`, and prints a summary.
///
/// With a position, prints its Grundy value. That of a short one of three rows comes from a full
/// table. Others may have any number of rows, of which the two longest may be of any size; levels
/// are computed until one has the position.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp grundy --level 1 --to 100 --tsv, or \
    chomp grundy --levels 0..6 --to 400 --out levels && chomp check levels --heads, or \
    chomp grundy 8 8 8\n\n\
    Exit codes: 4 if the value of a position is above the levels that were computed.")]
#[command(group = ArgGroup::new("which").required(true).multiple(true)
    .args(["level", "levels", "position"]))]
pub struct GrundyArguments {
    /// A position, in any form of docs/NOTATION.md.
    #[arg(
        value_name = "P Q R ...", num_args = 1.., allow_negative_numbers = true,
        conflicts_with_all = ["levels", "to", "tsv", "out", "full"]
    )]
    pub position: Vec<String>,
    /// The level; with a position, the highest that is computed (30 by default).
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true)]
    pub level: Option<u64>,
    /// The levels, both included.
    #[arg(long, value_name = "A..B", value_parser = levels, conflicts_with = "level")]
    pub levels: Option<(u64, u64)>,
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true,
        required_unless_present = "position")]
    pub to: Option<u64>,
    #[command(flatten)]
    pub listing: Listing,
}

/// Compute and certify rows of Chomp with more than three rows, or with two.
///
/// The tail of a position is all rows but the two longest: the row of tail (3,2) is the set of the
/// P-positions (p,q,3,2). Tail (r) is row r of three-rowed Chomp, and tail () that of two-rowed
/// Chomp. A row may be empty: it is empty by x if (x,x) and the tail, with all of its rows cut to
/// x, is a P-position, for an x less than the longest row of the tail. A tail needs all those
/// within it, which are computed as well.
///
/// Without --tsv and --json, prints the records as a data set has them, one per line. With --out,
/// writes all that was computed as a data set, for `chomp check`, and prints a summary.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: chomp tail 3,2, or chomp tail 3,2 --to 60 for (3,2), (4,2), ..., \
    (60,2), or chomp tail --parts 2 --to 60 --tsv for all tails of at most two rows"
)]
#[command(group = ArgGroup::new("which").required(true).args(["tail", "parts"]))]
pub struct TailArguments {
    /// The tail: row lengths, the longest first. `()` has none.
    #[arg(value_name = "TAIL", num_args = 1.., allow_negative_numbers = true)]
    pub tail: Vec<String>,
    /// All tails with at most K rows.
    #[arg(long, value_name = "K", value_parser = number, allow_hyphen_values = true,
        requires = "to")]
    pub parts: Option<u64>,
    /// The longest first row of a tail. Of a given tail the first row goes from its own length to
    /// this one, and its other rows stay.
    #[arg(long, value_name = "N", value_parser = row, allow_hyphen_values = true)]
    pub to: Option<u64>,
    /// The level: positions with this Grundy value.
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true,
        conflicts_with = "levels")]
    pub level: Option<u64>,
    /// The levels, both included.
    #[arg(long, value_name = "A..B", value_parser = levels)]
    pub levels: Option<(u64, u64)>,
    #[command(flatten)]
    pub listing: Listing,
}

/// How rows of levels and tails are printed or written.
#[derive(Debug, Args)]
pub struct Listing {
    /// Print a header line, and tab-separated columns: row or tail, kind, period, start. The kind
    /// is finite, periodic or empty. A finite row has period 0, and its last column as start; an
    /// empty row has period 0, and the x that it is empty by. If levels were asked for, the level
    /// comes first.
    #[arg(long, conflicts_with = "json")]
    pub tsv: bool,
    /// Print each row as JSON, one per line: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
    /// Write a data set to this folder, which is created if it does not exist. It is written when
    /// all rows are known: a run that is interrupted before leaves the folder as it was. Then it is
    /// verified. A smaller data set is not extended.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["tsv", "json"])]
    pub out: Option<PathBuf>,
    /// Say every offset of each pre-period instead of a fingerprint.
    #[arg(long, conflicts_with = "tsv")]
    pub full: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// Count what section 8 of the 2005 paper counts.
///
/// These are: the diagonal and its distance from the line of slope 1 + 1/√2; finite rows and where
/// they end; whether the opening move is unique; periods and starts; with --cells also how often
/// values occur, minima of rows and maxima of columns. Every count says on what range it was
/// computed. Distances from the lines are exact; printed digits are rounded outwards.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp stats --to 10000 --cells")]
#[command(group = ArgGroup::new("source").required(true).multiple(true).args(["to", "data"]))]
pub struct StatsArguments {
    /// Compute rows 0 to R; with --data, read no rows beyond R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub to: Option<u64>,
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Count cells (q,r) as well: sections 8.1, 8.3, 8.10 and 8.11. Only with --to, since records
    /// do not hold the cells. Takes two to three times as long.
    #[arg(long, conflicts_with = "data")]
    pub cells: bool,
    /// Print one JSON object: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// Print a sequence in the format of the b-files of the OEIS.
///
/// One term per line: the index, a space and the term. Each is printed as soon as it is certain.
/// Without a name, lists the sequences that can be printed.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp seq A029900 --terms 10000 > b029900.txt")]
pub struct SeqArguments {
    /// The sequence: A029900, a029900 or 29900.
    #[arg(value_name = "NAME", value_parser = SequenceParser, hide_possible_values = true)]
    pub sequence: Option<AnySequence>,
    /// The number of terms.
    #[arg(long, value_name = "N", default_value = "100", value_parser = terms,
        allow_hyphen_values = true, requires = "sequence")]
    pub terms: u64,
    /// Read the rows of this data set instead of computing them. A029899 needs one that was written
    /// with --full. The sequences of periods need a data set.
    #[arg(long, value_name = "DIR", requires = "sequence")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// A sequence by its name.
#[derive(Clone, Debug)]
pub enum AnySequence {
    /// Of three rows.
    Rows(Sequence),
    /// Of boards with any number of rows.
    Boards(squares::Sequence),
    /// Of Grundy values.
    GrundyValues,
    /// Of periods.
    Periods(PeriodSequence),
    /// The periods of the words with so many constant rows and letters A.
    Words(u64),
    /// The pattern of a word.
    Pattern(Word),
}

impl AnySequence {
    /// Each that has one name: that of the OEIS, with the letter and six digits, or its own.
    pub fn all() -> Vec<(String, Self)> {
        let of_rows = Sequence::ALL.map(|sequence| (sequence.to_string(), Self::Rows(sequence)));
        let of_boards =
            squares::Sequence::ALL.map(|sequence| (sequence.to_string(), Self::Boards(sequence)));
        let of_values = (grundy::SEQUENCE.to_owned(), Self::GrundyValues);
        let of_periods = [PeriodSequence::New, PeriodSequence::First]
            .map(|sequence| (sequence.to_string(), Self::Periods(sequence)));
        of_rows.into_iter().chain(of_boards).chain([of_values]).chain(of_periods).collect()
    }

    fn named(name: &str) -> Option<Self> {
        if let Ok(sequence) = name.parse() {
            return Some(Self::Periods(sequence));
        }
        if let Some(constants) = name.strip_prefix("word-periods-") {
            let constants = constants.parse().ok().filter(|n| (1..=1000).contains(n));
            return constants.map(Self::Words);
        }
        if let Some(word) = name.strip_prefix("pattern-") {
            return word.parse().ok().map(Self::Pattern);
        }
        let digits = name.strip_prefix(['A', 'a']).unwrap_or(name);
        let name = format!("A{digits:0>6}");
        Self::all().into_iter().find(|(its, _)| *its == name).map(|(_, sequence)| sequence)
    }
}

/// Reads names of sequences, and tells shells which there are.
#[derive(Clone, Debug)]
struct SequenceParser;

impl TypedValueParser for SequenceParser {
    type Value = AnySequence;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<AnySequence, clap::Error> {
        value.to_str().and_then(AnySequence::named).ok_or_else(|| {
            let typed = value.to_string_lossy().into_owned();
            let name = argument.map_or_else(String::new, ToString::to_string);
            let advice = "`chomp seq` lists those that there are".to_owned();
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            error.insert(ContextKind::InvalidArg, ContextValue::String(name));
            error.insert(ContextKind::InvalidValue, ContextValue::String(typed));
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = AnySequence::all().into_iter().map(|(name, _)| PossibleValue::new(name));
        Some(Box::new(names))
    }
}

/// Print f(q,r): the only p that makes (p,q,r) a P-position.
///
/// Q may have any number of digits. The row is R, or with more than three rows the tail: the
/// lengths of the rows below the two longest. Rows 0 to R are computed, or all rows with tails
/// within the tail.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp f 10 5 prints 14, since (14,10,5) is a P-position; \
    chomp f 5 5,4 prints 7, for (7,5,5,4)\n\n\
    Exit codes: 0 if p is printed; 1 if there is no p, and then stdout is empty and stderr says why: \
    q < r, or the row has ended, or it is empty.")]
pub struct FArguments {
    /// The length q of the second row.
    #[arg(value_name = "Q", value_parser = any_number, allow_hyphen_values = true)]
    pub q: BigUint,
    /// The bottom row, or the tail.
    #[arg(value_name = "R | TAIL", required = true, num_args = 1.., allow_negative_numbers = true)]
    pub row: Vec<String>,
    /// Read the row from this data set instead of computing it.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

/// Play a game against the program, in the terminal.
///
/// A bite is typed as row and column, both counted from 1 at the poison: `2 5` is the fifth square
/// of row 2. Other words are `hint`, `undo`, `help` and `quit`. The player who must take the poison
/// loses. The program wins whenever it can. When it cannot, it takes a single square: the one that
/// leaves the fewest winning bites.
///
/// The board may be any position that `chomp query` answers, with rows of finite length. It is
/// drawn if it has at most 12 rows and 20 columns. Ctrl-C and Ctrl-D end the game.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp play, or chomp play 7 5 3, or chomp play 4x7 --second\n\n\
    Exit codes: 0 if the game has ended or was left, 4 if it was interrupted.")]
pub struct PlayArguments {
    /// The board, in any form of docs/NOTATION.md.
    #[arg(value_name = "P Q R ...", num_args = 1.., default_values = ["3x7"],
        allow_negative_numbers = true)]
    pub position: Vec<String>,
    /// The program bites first.
    #[arg(long)]
    pub second: bool,
}

/// Say whether a position is P or N, and which bites leave a P-position.
///
/// The position is P Q R or '(P,Q,R)', the row lengths from the top down. In square brackets it is
/// `[C,A,B]` as in Zeilberger's paper: C columns of three squares, A of two, B of one. There may be
/// more rows than three, or less; docs/NOTATION.md has all ways to type a position. The two longest
/// rows may have any number of digits, and millions of them if they come from a file (--from). R is
/// a row that can be computed, or that the data set has. Rows of ω squares, one for each natural
/// number, are written `ω` or `omega`: the board 2×ω is `ω ω 0`.
///
/// A board of at most 12 rows and 20 columns is drawn, with the bites that win. Rows 0 to R are
/// computed, or read with --data. Records with fingerprints are enough if Q lies
/// beyond the starts and ends of all these rows, and P beyond them by more than R.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: chomp query 1000 900 120, chomp query '[120,780,100]', chomp query 7,5,5,4, \
    chomp query ω 5 3\n\n\
    Exit codes: 0 for P and for N, 2 if this is no position or the data set cannot tell."
)]
pub struct QueryArguments {
    /// The position.
    #[arg(
        value_name = "P Q R ...", required_unless_present = "from", num_args = 1..,
        allow_negative_numbers = true
    )]
    pub position: Vec<String>,
    /// Read the position from this file, or from standard input if FILE is -. This is for numbers
    /// that are too long for a command line. At most 10 000 000 characters.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub from: Option<PathBuf>,
    /// The numbers are C A B, or as many as there are rows.
    #[arg(long)]
    pub cab: bool,
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Print the records that the answer rests on.
    #[arg(long, conflicts_with = "json")]
    pub proof: bool,
    /// Print the answer as JSON: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// Solve a board with any number of rows: winning bites, a strategy, all P-positions.
///
/// The board is a rectangle, such as 8x10 (8 rows, 10 columns), or row lengths in either direction:
/// 7,5,5,4, or `[4557]` as in Cho's paper. Squares are named by row and column, both counted from 1
/// at the poison; row 1 is the longest. Of an N-position all bites that leave a P-position are
/// listed. Of a P-position a strategy is drawn: squares with the same label answer each other.
///
/// All positions of the rectangle around the board are solved. The memory that this needs is
/// announced if it is much, and refused beforehand if there is not enough.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp board 8x10, or chomp board '[4557]' --svg 4557.svg")]
#[command(group = ArgGroup::new("asked").required(true).multiple(false).args(["written", "openings"]))]
pub struct BoardArguments {
    /// The board.
    #[arg(value_name = "BOARD", num_args = 1.., allow_negative_numbers = true)]
    pub written: Vec<String>,
    /// List all P-positions of the rectangle, by number of squares.
    #[arg(long, requires = "written", conflicts_with_all = ["svg", "openings"])]
    pub list: bool,
    /// Print the winning openings of all a x b with a, b <= N: tab-separated, with a header line.
    #[arg(
        long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..),
        conflicts_with = "svg"
    )]
    pub openings: Option<u16>,
    /// Print the openings as a document, outputs/OPENINGS.md, with the smallest boards that have
    /// two.
    #[arg(long, requires = "openings", conflicts_with_all = ["json", "written"])]
    pub markdown: bool,
    /// Draw the winning bites or the strategy to this file, as SVG. Boards to 40 rows and columns.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print JSON: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
    /// Threads; by default as many as there are processors, and one for a small board.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZero<usize>>,
}

/// Say who wins Chomp on a poset, and with which bites.
///
/// A bite takes an element and all that are above it. If the poset has a least element, that is the
/// poison, and who must take it loses (graphs and solids have none). Otherwise who cannot bite
/// loses. Without arguments, lists the families of posets that have a name.
///
/// `graph FILE` reads the edges of a graph, one a line: u v. `semigroup G1 G2 ... --to N` decides
/// each opening bite up to N on a numerical semigroup. Anything else is a file of cover relations,
/// one a line: a < b says that b is above a. In both files an element may be alone on a line, and
/// what follows # is a comment.
///
/// All bites are decided by a search. What it has found is remembered, up to the symmetry that the
/// family knows. A large poset may need more memory than the search may use; then what it has found
/// is printed. With --strategy there is no search.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: chomp poset solid cube, or chomp poset chains 2 2 5 --svg 2x2x5.svg\n\n\
    Exit codes: 0 for P and for N, 2 if there is no such poset or bite, 3 if a file is no poset, \
    4 if not all bites could be decided."
)]
pub struct PosetArguments {
    /// A family with its numbers, `graph FILE`, `semigroup G1 G2 ...`, or a file (- for standard
    /// input).
    #[arg(value_name = "FAMILY | FILE", allow_negative_numbers = true)]
    pub words: Vec<String>,
    /// Begin after this bite, the name of an element; may be given more than once.
    #[arg(long, value_name = "ELEMENT", requires = "words")]
    pub after: Vec<String>,
    /// Draw the Hasse diagram, with the bites that win, to this file, as SVG.
    #[arg(long, value_name = "FILE", requires = "words")]
    pub svg: Option<PathBuf>,
    /// Search for the Grundy value as long as there is memory. By default the search for it ends
    /// after some seconds.
    #[arg(long, requires = "words")]
    pub grundy: bool,
    /// Name one bite that wins, and verify its strategy by symmetry (fact 11 of proofs/README.md),
    /// instead of a search. There is one for chains N N, for circuits of even length, for solids
    /// other than the tetrahedron, and for subspaces.
    #[arg(long, conflicts_with_all = ["after", "svg", "grundy", "memory"],
        requires = "words")]
    pub strategy: bool,
    /// The largest bite of a semigroup.
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true,
        requires = "words")]
    pub to: Option<u64>,
    /// Megabytes that the search may use.
    #[arg(long, value_name = "MB", value_parser = number, allow_hyphen_values = true,
        default_value = "1000", requires = "words")]
    pub memory: u64,
    /// Print the answer as JSON: docs/JSON.md.
    #[arg(long, requires = "words")]
    pub json: bool,
}

/// The columns of an export, for its help.
const COLUMNS: &str = "\
Columns of CSV and Parquet; none has gaps:
  row, kind        r; finite or periodic
  first            the diagonal value f(r,r)
  head_end         the column in which the head ends, not included: the start of
                   a periodic row, last + 1 of a finite row
  period, values   the least period, and the offsets of one from head_end on;
                   0 and nothing for a finite row
  certificate_from, certificate_recurs, certificate_modulus, certificate_filled,
  certificate_above
                   the certificate; 0 and nothing for a finite row
  fingerprint      of the head, 16 hexadecimal digits
  head             the offsets of columns r to head_end - 1; only of a data set
                   that was written with --full
Lists are numbers with spaces between them in CSV, and of type LIST in Parquet.
JSON Lines have an object for each row, as docs/JSON.md says. The form coq has
the fields of the records instead.

Example: chomp export chomp-rows --format jsonl --out rows.jsonl
More examples, for pandas, Sage and Mathematica, are in docs/USING.md.";

/// Write the records of a data set as CSV, JSON Lines, Parquet or Coq.
///
/// One line per row, in row order. No column has gaps. The files are read strictly, but nothing is
/// proved again.
#[derive(Debug, Args)]
#[command(after_help = COLUMNS)]
pub struct ExportArguments {
    /// The folder of the data set.
    #[arg(value_name = "DIR")]
    pub data: PathBuf,
    /// The form. By default the ending of FILE says it; without a file it is CSV. Parquet needs a
    /// program built with `--features parquet`.
    #[arg(long, value_enum)]
    pub format: Option<FormatName>,
    /// The file to write, whole or not at all. By default, and for -, standard output. A link is
    /// followed. To a device or a FIFO the rows are written as they come.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// A form of export, as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormatName {
    /// Comma-separated values.
    Csv,
    /// JSON Lines.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// A list of Coq, for the checker of proofs/coq; of a data set with --full heads.
    #[value(alias = "v")]
    Coq,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Csv => Self::Csv,
            FormatName::Jsonl => Self::JsonLines,
            FormatName::Parquet => Self::Parquet,
            FormatName::Coq => Self::Coq,
        }
    }
}

/// Draw a figure for print, as SVG, PNG or PDF.
///
/// The ending of the file says which: .svg, .png or .pdf. Figures are 12 cm wide, with axes, legend
/// and caption. An SVG, or a PDF, has the same bytes on every machine. An existing file is replaced
/// when the new one is complete. A link is followed; a device or a FIFO is written to.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp plot row 892 --out row-892.pdf, or \
    chomp plot table --out - > table.svg")]
pub struct PlotArguments {
    /// Which figure.
    #[command(subcommand)]
    pub figure: FigureChoice,
}

/// The figures.
#[derive(Debug, Subcommand)]
pub enum FigureChoice {
    /// The P-positions of row R: offset against column, and the lines of Friedman and Landsberg.
    Row(OneRow),
    /// The sheet of row R: instant winners and P-positions, p - q against q - R, and the lines.
    Sheet(OneSheet),
    /// The table of f(q,r) as in Figure 1 of the 2005 paper, rows coloured by kind.
    Table(OneTable),
    /// Row R around its start: its offsets settle into the pattern; the columns of its certificate.
    Settling(OneRow),
    /// The diagonal: f(n,n) - αn against n, α = 1 + 1/√2.
    Diagonal(ManyRows),
    /// Starts of the periodic rows: start - √2·r against r.
    Starts(ManyRows),
    /// Periods against r, with the number of rows of each, and the finite rows.
    Periods(ManyRows),
    /// Levels of three-rowed Chomp: how many rows are empty, finite, or of each period.
    Levels(LevelsFigure),
    /// Starts of the periodic rows by level: start - √2·r against r.
    LevelStarts(LevelsFigure),
    /// Why row R has its period: the row among those just below it, its hole, and the balls.
    Why(OneRow),
    /// The P-positions of several rows about two lines of Friedman and Landsberg: how many, by
    /// distance.
    Bands(SeveralRows),
    /// Four strips: D(r), the number of periodic rows less (√2 - 1)(r + 1); and the diagonal,
    /// finite rows and their ends less their lines (2005 paper, section 8).
    Strips(Counted),
    /// The density of the rows of each kind against r, with the errors of counting.
    Densities(Counted),
    /// Every figure, with its usual range, into a folder.
    All(AllFigures),
}

/// A figure of one row.
#[derive(Debug, Args)]
pub struct OneRow {
    /// The bottom row.
    #[arg(value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub row: u64,
    #[command(flatten)]
    pub drawing: Drawing,
}

/// A figure of the sheet of one row.
#[derive(Debug, Args)]
pub struct OneSheet {
    /// The bottom row.
    #[arg(value_name = "R", value_parser = sheet, allow_hyphen_values = true)]
    pub row: u64,
    #[command(flatten)]
    pub drawing: Drawing,
}

/// A figure of a table.
#[derive(Debug, Args)]
pub struct OneTable {
    /// The last row and column. To 30 the numbers are shown, beyond that the colours only.
    #[arg(long, value_name = "N", value_parser = table, allow_hyphen_values = true, default_value = "24")]
    pub to: u64,
    #[command(flatten)]
    pub drawing: Drawing,
}

/// A figure of many rows.
#[derive(Debug, Args)]
pub struct ManyRows {
    /// The last row; by default 100000, or the last row of the data set.
    #[arg(long, value_name = "N", value_parser = row, allow_hyphen_values = true)]
    pub to: Option<u64>,
    #[command(flatten)]
    pub drawing: Drawing,
}

/// A figure of several rows that is a table as well.
#[derive(Debug, Args)]
pub struct SeveralRows {
    /// The rows, at most five.
    #[arg(
        value_name = "R", num_args = 1..=BandsPlot::MOST_ROWS, value_parser = row,
        allow_hyphen_values = true, default_values = ["1000", "10000", "100000"]
    )]
    pub rows: Vec<u64>,
    /// Write what is drawn to this file, too: tab-separated, with a header line.
    #[arg(long, value_name = "FILE")]
    pub tsv: Option<PathBuf>,
    #[command(flatten)]
    pub drawing: Drawing,
}

/// A figure of many rows that is a table as well.
#[derive(Debug, Args)]
pub struct Counted {
    #[command(flatten)]
    pub rows: ManyRows,
    /// Write what is drawn to this file, too: tab-separated, with a header line.
    #[arg(long, value_name = "FILE")]
    pub tsv: Option<PathBuf>,
}

/// A figure of levels.
#[derive(Debug, Args)]
pub struct LevelsFigure {
    /// The highest level.
    #[arg(long, value_name = "G", value_parser = drawn_level, allow_hyphen_values = true, default_value = "6")]
    pub level: u64,
    /// The last row.
    #[arg(long, value_name = "N", value_parser = row, allow_hyphen_values = true, default_value = "1000")]
    pub to: u64,
    #[command(flatten)]
    pub picture: Picture,
}

/// Where rows come from, and where the figure goes.
#[derive(Debug, Args)]
pub struct Drawing {
    /// Read the rows from this data set instead of computing them. The figures row, sheet, table,
    /// settling and bands draw offsets: they need a data set that was written with --full.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub picture: Picture,
}

/// Every figure.
#[derive(Debug, Args)]
pub struct AllFigures {
    /// The folder to write to; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The form.
    #[arg(long, value_enum, default_value = "svg")]
    pub format: PictureFormat,
    #[command(flatten)]
    pub resolution: Resolution,
}

/// Where a figure goes.
#[derive(Clone, Debug, Args)]
pub struct Picture {
    /// The file to write; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The form. By default the ending of FILE says it; to standard output it is SVG.
    #[arg(long, value_enum)]
    pub format: Option<PictureFormat>,
    #[command(flatten)]
    pub resolution: Resolution,
}

/// How fine a PNG is.
#[derive(Clone, Copy, Debug, Args)]
pub struct Resolution {
    /// Dots per inch of a PNG, 72 to 1200; by default 300.
    #[arg(long = "dpi", value_name = "DOTS", value_parser = clap::value_parser!(u16).range(72..=1200))]
    pub dots_per_inch: Option<u16>,
}

/// A form of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    Svg,
    Png,
    Pdf,
}

fn sheet(text: &str) -> Result<u64, String> {
    at_most(text, SheetPlot::LARGEST_ROW, "sheets are drawn to row")
}

fn table(text: &str) -> Result<u64, String> {
    at_most(text, TablePlot::LARGEST, "tables are drawn to row")
}

fn drawn_level(text: &str) -> Result<u64, String> {
    at_most(text, LevelsPlot::HIGHEST, "levels are drawn to level")
}

fn at_most(text: &str, largest: u64, what: &str) -> Result<u64, String> {
    let number = number(text)?;
    if number <= largest { Ok(number) } else { Err(format!("{what} {largest}")) }
}

/// Say where the period of a row comes from.
///
/// From the start of a row on, the rows below block a pattern that repeats, and the row has one
/// hole among its offsets, which sinks until no row below blocks it. Printed are the cluster of
/// rows just below, with the word that says which of them move; the window of the
/// certificate, and the rows with values in it: obstacles, which are constant, and companions,
/// which move; the hole, column by column over one period; the depths that the rows below leave
/// free, and the balls that they are. Heights are offsets less the mean of the row.
/// proofs/cascade.md explains the words.
///
/// With --to, all rows with a period of 2 or more are explained. First come those whose explanation
/// fails somewhere, with the reason, then the words, with the number of rows that have them, the
/// first of these, and how many patterns they have of those that the word allows.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp why 120, or chomp why --to 10000")]
#[command(group = ArgGroup::new("which").required(true).multiple(true).args(["row", "to", "data"]))]
pub struct WhyArguments {
    /// The row.
    #[arg(value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub row: Option<u64>,
    /// Explain all rows to R; without it, and without a row, all of the data set.
    #[arg(
        long, value_name = "R", value_parser = row, allow_hyphen_values = true,
        conflicts_with = "row"
    )]
    pub to: Option<u64>,
    /// Read the rows of this data set instead of computing them. All rows from 0 on are read.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Print JSON, the explanation or what was found of all rows: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// Test the claims of three papers and a web page again: the claims ledger.
///
/// Each computable claim of the 2005 paper, Zeilberger 2003, Cho 2018 and Brouwer's page (in two
/// versions) is tested on rows 0 to R, on game trees and on the literal recurrence. It gets a
/// verdict: confirmed, extended (it holds further than it is claimed), wrong, misprint or rounding
/// (with the counterexample), vague (with what was seen of it), or reported (beyond computation
/// here). A claim made for more rows than R is confirmed to R only, or out of reach. The exit code
/// does not say whether the claims hold. It is 1 if one comes out otherwise
/// than when the ledger was written: one that held fails, one that failed holds, or what a vague
/// one is about is seen in another row. Then the rows are wrong, or this program is.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp reproduce --to 2000 | grep wrong")]
pub struct ReproduceArguments {
    /// Compute rows 0 to R; by default to 130000, the end of Brouwer's computation. With --data,
    /// read no rows beyond R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    pub to: Option<u64>,
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Visit the cells of rows 0 to C, for claims that records do not decide. By default as many
    /// rows as these claims are made for.
    #[arg(long, value_name = "C", value_parser = row, allow_hyphen_values = true)]
    pub cells: Option<u64>,
    /// Print one JSON object: docs/JSON.md.
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,
    /// Print the ledger as a document, outputs/LEDGER.md.
    #[arg(long)]
    pub markdown: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

/// The largest level: there are no tables near it.
const LARGEST_LEVEL: u64 = 1_000_000;

fn level(text: &str) -> Result<u64, String> {
    at_most(text, LARGEST_LEVEL, "levels go to")
}

fn levels(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = range(text)?;
    if last <= LARGEST_LEVEL {
        Ok((first, last))
    } else {
        Err(format!("levels go to {LARGEST_LEVEL}"))
    }
}

fn period(text: &str) -> Result<u64, String> {
    match number(text)? {
        0 => Err("a period is at least 1".to_owned()),
        period => Ok(period),
    }
}

fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let threads = usize::try_from(number(text)?).ok().and_then(NonZero::new);
    threads.ok_or_else(|| "at least 1 thread is needed".to_owned())
}

fn terms(text: &str) -> Result<u64, String> {
    match number(text)? {
        0 => Err("a sequence has at least 1 term".to_owned()),
        terms => Ok(terms),
    }
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
    fn numbers_have_limits() {
        assert!(period("0").is_err());
        assert!(sheet("20_000").is_ok() && sheet("20_001").is_err());
        assert!(table("400").is_ok() && table("401").is_err());
    }
}
