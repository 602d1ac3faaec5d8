//! `chomp seq`.

mod oeis;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use boards::{grundy, lengths, sieve, squares};
use clap::{ArgGroup, Args};
use driver::{DataSet, Error, NamedSequence, Sequence, TermsFrom};
use terminal::{Watcher, not_printed};

use crate::none;
use crate::options::{Threads, positive};
use crate::output::{self, keep};

/// Print a sequence in the format of the b-files of the OEIS.
///
/// One term per line: the index, a space and the term. Each is printed as soon as it is certain.
/// Without a name, lists the sequences that can be printed.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("of_rows").args(["threads"])
    .requires("sequence"))]
#[command(after_help = "Examples:\n  chomp seq A029900 --terms 10000 > b029900.txt")]
pub struct Arguments {
    /// The sequence: A029900, a029900 or 29900.
    #[arg(value_name = "NAME", value_parser = name)]
    sequence: Option<NamedSequence>,
    /// The number of terms.
    #[arg(long, value_name = "N", default_value = "100", value_parser = terms,
        allow_hyphen_values = true, requires = "sequence")]
    terms: u64,
    /// Read the rows of this data set instead of computing them. A029899 needs one that was written
    /// with --full. The sequences of periods need a data set.
    #[arg(long, value_name = "DIR", requires = "sequence", conflicts_with = "threads")]
    data: Option<PathBuf>,
    /// Print a draft of an entry for the OEIS, in its internal format, for a sequence that it does
    /// not have. The entry has as many of the terms as fit.
    #[arg(long, requires = "sequence")]
    oeis: bool,
    #[command(flatten)]
    threads: Threads,
}

fn name(text: &str) -> Result<NamedSequence, &'static str> {
    text.parse().map_err(|_| "`chomp seq` lists the sequences that there are")
}

fn terms(text: &str) -> Result<u64, String> {
    positive(text, "a sequence has at least 1 term")
}

/// Prints a sequence, or lists all sequences.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Some(sequence) = &arguments.sequence else {
        return output::print_list(&list());
    };
    let is_by_one_thread = match sequence {
        NamedSequence::Boards(_) | NamedSequence::Words(_) | NamedSequence::Pattern(_) => true,
        NamedSequence::Rows(of) => of.is_of_periods(),
        _ => false,
    };
    let threads = arguments.threads.given().filter(|_| is_by_one_thread);
    none(threads, "one thread finds this sequence")?;
    if arguments.data.is_some() {
        sequence.require_rows()?;
    }
    let data = arguments.data.as_deref().map(DataSet::open).transpose()?;
    let (engine, threads) = (arguments.threads.engine(), arguments.threads.threads);
    let from = TermsFrom { engine, threads, data: data.as_ref() };
    if arguments.oeis {
        let entry = oeis::entry(sequence, arguments.terms, &from)?;
        return output::print(entry.as_bytes());
    }
    let mut printed = Ok(());
    sequence.terms(arguments.terms, &from, &Watcher::new()?, |n, value| {
        let line = writeln!(io::stdout().lock(), "{n} {value}");
        keep(&mut printed, line.map_err(not_printed))
    })?;
    printed
}

fn list() -> String {
    let line = |name: &dyn Display, first: u64, definition: &str| {
        format!("{name}  n >= {first}  {definition}\n")
    };
    let of_rows = Sequence::ALL.map(|of| line(&of, of.offset(), &of.definition())).concat();
    let of_boards =
        squares::Sequence::ALL.map(|of| line(&of, of.offset().into(), &of.definition())).concat();
    let of_values = line(&grundy::SEQUENCE, 1, grundy::DEFINITION)
        + &line(&lengths::SEQUENCE, 1, lengths::DEFINITION);
    let periods = [Sequence::Period(3), Sequence::NewPeriods, Sequence::FirstRows];
    let of_periods =
        periods.map(|of| line(&format_args!("{of:<12}"), of.offset(), &of.definition())).concat();
    let of_four = line(&sieve::SEQUENCE, 1, sieve::DEFINITION)
        + &line(&sieve::COUNTS, 1, sieve::DEFINITION_OF_COUNTS);
    format!(
        "Of three rows:\n{of_rows}{of_values}\nOf four rows:\n{of_four}\n\
         Of boards with any number of rows:\n{of_boards}\n\
         Of periods, which the OEIS does not have (any number for 3; with --data):\n{of_periods}\n\
         Of words, which `chomp show --why` defines (any number for 2):\n\
         word-periods-2  n >= 1  the period of a row with the word 2: and n letters A\n\
         pattern-2:AA    n >= 0  the pattern of a row with the word 2:AA, from its least rotation on\n\n\
         A name and --terms N print the first N terms.\n"
    )
}
