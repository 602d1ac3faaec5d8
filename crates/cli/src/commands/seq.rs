//! `chomp seq`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use boards::{grundy, sieve, squares};
use cascade::{Machine, Word};
use census::sequences::{PeriodSequence, PeriodTerms, TermFinder};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args};
use driver::{DataSet, HeadForm, PositionsRun, Record, Sequence, Tail, Term};
use terminal::{OutputError, Watcher};

use crate::failure::{self, Failure, keep};
use crate::options::{EngineChoice, Given, none, positive};

/// Print a sequence in the format of the b-files of the OEIS.
///
/// One term per line: the index, a space and the term. Each is printed as soon as it is certain.
/// Without a name, lists the sequences that can be printed.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp seq A029900 --terms 10000 > b029900.txt")]
pub struct Arguments {
    /// The sequence: A029900, a029900 or 29900.
    #[arg(value_name = "NAME", value_parser = SequenceParser, hide_possible_values = true)]
    sequence: Option<AnySequence>,
    /// The number of terms.
    #[arg(long, value_name = "N", default_value = "100", value_parser = terms,
        allow_hyphen_values = true, requires = "sequence")]
    terms: u64,
    /// Read the rows of this data set instead of computing them. A029899 needs one that was written
    /// with --full. The sequences of periods need a data set.
    #[arg(long, value_name = "DIR", requires = "sequence")]
    data: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineChoice,
}

/// A sequence by its name.
#[derive(Clone, Debug)]
enum AnySequence {
    /// Of three rows.
    Rows(Sequence),
    /// Of boards with any number of rows.
    Boards(squares::Sequence),
    /// Of Grundy values.
    GrundyValues,
    /// Of the P-positions with four rows.
    FourRows,
    /// Of periods.
    Periods(PeriodSequence),
    /// The periods of the words with this number of constant rows and then letters A.
    Words(u64),
    /// The pattern of a word.
    Pattern(Word),
}

impl AnySequence {
    /// Each that has one name: that of the OEIS, with the letter and six digits, or its own.
    fn all() -> Vec<(String, Self)> {
        let of_rows = Sequence::ALL.map(|sequence| (sequence.to_string(), Self::Rows(sequence)));
        let of_boards =
            squares::Sequence::ALL.map(|sequence| (sequence.to_string(), Self::Boards(sequence)));
        let of_values = (grundy::SEQUENCE.to_owned(), Self::GrundyValues);
        let of_periods = [PeriodSequence::New, PeriodSequence::First]
            .map(|sequence| (sequence.to_string(), Self::Periods(sequence)));
        let of_four = (sieve::SEQUENCE.to_owned(), Self::FourRows);
        let of_rows = of_rows.into_iter().chain(of_boards);
        of_rows.chain([of_values, of_four]).chain(of_periods).collect()
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

/// The names of [`AnySequence::all`].
pub fn names() -> Vec<String> {
    AnySequence::all().into_iter().map(|(name, _)| name).collect()
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
        Some(Box::new(names().into_iter().map(PossibleValue::new)))
    }
}

fn terms(text: &str) -> Result<u64, String> {
    positive(text, "a sequence has at least 1 term")
}

/// Prints a sequence, or what sequences there are.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    refuse_useless(arguments)?;
    let sequence = match &arguments.sequence {
        None => return failure::print(list().as_bytes()),
        Some(AnySequence::Boards(sequence)) => return of_boards(*sequence, arguments),
        Some(AnySequence::GrundyValues) => return of_grundy_values(arguments),
        Some(AnySequence::FourRows) => return of_four_rows(arguments),
        Some(AnySequence::Periods(sequence)) => return of_periods(*sequence, arguments),
        Some(AnySequence::Words(constants)) => return of_words(*constants, arguments),
        Some(AnySequence::Pattern(word)) => return of_pattern(word, arguments),
        Some(AnySequence::Rows(sequence)) => *sequence,
    };
    match &arguments.data {
        Some(folder) => of_rows(sequence, folder, arguments.terms),
        None => compute(sequence, arguments),
    }
}

/// Refuses options that would do nothing.
fn refuse_useless(arguments: &Arguments) -> Result<(), Failure> {
    let Given { engine, threads, kernel } = arguments.engine.given();
    match &arguments.sequence {
        None => none(engine.or(threads).or(kernel), "no sequence is named"),
        Some(AnySequence::Boards(_)) => none(
            engine.or(threads).or(kernel),
            "boards are counted by a search of their own, on one thread",
        ),
        Some(AnySequence::GrundyValues) => {
            none(engine.or(kernel), "Grundy values come from a full table")
        }
        Some(AnySequence::FourRows) => {
            none(engine.or(kernel), "P-positions with four rows come from a sieve")
        }
        Some(AnySequence::Words(_) | AnySequence::Pattern(_)) => {
            none(engine.or(threads).or(kernel), "words need no rows")
        }
        Some(AnySequence::Periods(_)) => arguments.engine.refuse_useless(true),
        Some(AnySequence::Rows(_)) => arguments.engine.refuse_useless(arguments.data.is_some()),
    }
}

fn list() -> String {
    let line = |name: &dyn Display, first: &dyn Display, definition: &str| {
        format!("{name}  n >= {first}  {definition}\n")
    };
    let of_rows = Sequence::ALL.map(|of| line(&of, &of.offset(), of.definition())).concat();
    let of_boards =
        squares::Sequence::ALL.map(|of| line(&of, &of.offset(), of.definition())).concat();
    let of_values = line(&grundy::SEQUENCE, &1, grundy::DEFINITION);
    let periods = [PeriodSequence::Rows(3), PeriodSequence::New, PeriodSequence::First];
    let of_periods =
        periods.map(|of| line(&format_args!("{of:<12}"), &1, &of.definition())).concat();
    let of_four = line(&sieve::SEQUENCE, &1, sieve::DEFINITION);
    format!(
        "Of three rows:\n{of_rows}{of_values}\nOf four rows:\n{of_four}\n\
         Of boards with any number of rows:\n{of_boards}\n\
         Of periods, which the OEIS does not have (any number for 3; with --data):\n{of_periods}\n\
         Of words (proofs/cascade.md, 6; any number for 2):\n\
         word-periods-2  n >= 1  the period of a row with the word 2: and n letters A\n\
         pattern-2:AA    n >= 0  the pattern of a row with the word 2:AA, from its least rotation on\n\n\
         A name and --terms N print the first N terms.\n"
    )
}

/// Refuses a data set for sequences that need no rows.
fn without_data(what: &str, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.data.is_none() {
        return Ok(());
    }
    Err(Failure::Usage(format!("{what}, and a data set holds rows; leave out --data")))
}

/// The full table that these come from needs no rows.
fn of_grundy_values(arguments: &Arguments) -> Result<(), Failure> {
    without_data(&format!("{} is of Grundy values", grundy::SEQUENCE), arguments)?;
    let (threads, watcher) = (arguments.engine.threads(), Watcher::new()?);
    let mut printed = Ok(());
    driver::grundy_values_of_rectangles(arguments.terms, threads, &watcher, |n, value| {
        keep(&mut printed, print(Term { n, value }))
    })?;
    Ok(printed?)
}

/// The first n terms need the positions with a up to about the cube root of 28 n, as seen; if these
/// are too few, twice as many lengths are tried.
fn of_four_rows(arguments: &Arguments) -> Result<(), Failure> {
    without_data(&format!("{} is of positions with four rows", sieve::SEQUENCE), arguments)?;
    let (wanted, watcher) = (arguments.terms, Watcher::new()?);
    let longest = u64::from(sieve::LONGEST_FIRST_ROW);
    let cubed = |to: &u64| to.saturating_mul(*to).saturating_mul(*to);
    let mut to = (10..longest).find(|to| cubed(to) / 28 >= wanted).unwrap_or(longest);
    let (mut done, mut printed) = (0, Ok(()));
    while done < wanted && printed.is_ok() {
        let to_16_bits = u16::try_from(to).map_err(Failure::usage)?;
        let run = PositionsRun {
            threads: arguments.engine.threads(),
            ..PositionsRun::new(4, to_16_bits)
        };
        let mut n = 0;
        run.find(&watcher, |layer| {
            layer.for_each(|lengths| {
                n += 1;
                if n > done && n <= wanted && printed.is_ok() {
                    printed = print(Term { n, value: lengths[3].into() });
                }
            });
            if n < wanted && printed.is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        done = n.min(wanted);
        to = (2 * to).min(longest + 1);
    }
    Ok(printed?)
}

/// How many of these there are to a row is not known beforehand.
fn of_periods(sequence: PeriodSequence, arguments: &Arguments) -> Result<(), Failure> {
    let Some(folder) = &arguments.data else {
        let words = format!("{sequence} is read from rows that are there; give them by --data");
        return Err(Failure::Usage(words));
    };
    let mut terms = PeriodTerms::of(sequence);
    read_terms(&sequence, folder, arguments.terms, |record| Ok(terms.add(record)))
}

/// Words with letters A only; from the machine, without a row.
fn of_words(constants: u64, arguments: &Arguments) -> Result<(), Failure> {
    without_data("periods of words come from no row", arguments)?;
    let (mut machine, mut word) = (Machine::default(), Word::first());
    while word.constants() < constants {
        word = word.and_stands();
    }
    for n in 1..=arguments.terms {
        word = word.and_moves();
        let patterns = machine.patterns(&word).map_err(Failure::usage)?;
        let periods: BTreeSet<u64> =
            patterns.iter().map(|pattern| pattern.period() as u64).collect();
        let [value] = periods.iter().copied().collect::<Vec<_>>()[..] else {
            let words = format!("a row with the word {word} can have any of the periods");
            return Err(Failure::Incomplete(format!("{words} {periods:?}")));
        };
        print(Term { n, value })?;
    }
    Ok(())
}

/// The values repeat after a period.
fn of_pattern(word: &Word, arguments: &Arguments) -> Result<(), Failure> {
    without_data("the pattern of a word comes from no row", arguments)?;
    let patterns = Machine::default().patterns(word).map_err(Failure::usage)?;
    let mut patterns = patterns.iter();
    let (Some(pattern), None) = (patterns.next(), patterns.next()) else {
        let words = format!("a row with the word {word} can have any of several patterns");
        return Err(Failure::Incomplete(words));
    };
    let mut out = io::stdout().lock();
    for (n, value) in (0..arguments.terms).zip(pattern.values().iter().cycle()) {
        writeln!(out, "{n} {value}").map_err(OutputError::from)?;
    }
    Ok(())
}

fn print(term: Term) -> Result<(), OutputError> {
    Ok(writeln!(io::stdout().lock(), "{term}")?)
}

fn of_boards(sequence: squares::Sequence, arguments: &Arguments) -> Result<(), Failure> {
    without_data(&format!("{sequence} counts boards"), arguments)?;
    let first = u64::from(sequence.offset());
    let (end, watcher) = (first.saturating_add(arguments.terms), Watcher::new()?);
    let mut printed = Ok(());
    driver::boards_by_squares(end - 1, &watcher, |of| {
        if u64::from(of.squares) < first {
            return ControlFlow::Continue(());
        }
        let term = Term { n: of.squares.into(), value: sequence.term(&of) };
        keep(&mut printed, print(term))
    })?;
    Ok(printed?)
}

fn of_rows(sequence: Sequence, folder: &Path, wanted: u64) -> Result<(), Failure> {
    if DataSet::open(folder)?.manifest().head == HeadForm::Fingerprint
        && sequence.form() == HeadForm::Offsets
    {
        let folder = folder.display();
        return Err(Failure::Usage(format!(
            "{sequence} counts P-positions of pre-periods too, and {folder} has only fingerprints \
             of them; use a data set that was written with --full, or none"
        )));
    }
    let mut terms = TermFinder::of(sequence);
    read_terms(&sequence, folder, wanted, |record| Ok(terms.add(record)?))
}

/// Prints the terms that the rows of three-rowed Chomp in a data set decide, as many as are wanted.
fn read_terms(
    sequence: &dyn Display,
    folder: &Path,
    wanted: u64,
    mut next: impl FnMut(&Record) -> Result<Option<Term>, Failure>,
) -> Result<(), Failure> {
    let (data_set, mut printed) = (DataSet::open(folder)?, 0);
    for record in data_set.rows() {
        let record = record?;
        if !record.key().is_three_rowed() {
            continue;
        }
        if let Some(term) = next(&record)? {
            print(term)?;
            printed += 1;
        }
        if printed == wanted {
            return Ok(());
        }
    }
    let (folder, last) =
        (folder.display(), data_set.family().within().map_or(0, Tail::first_column));
    let words = format!("{folder} holds rows 0 to {last}, and they have {printed} of the {wanted}");
    Err(Failure::Incomplete(format!("{words} terms of {sequence} that are asked for")))
}

fn compute(sequence: Sequence, arguments: &Arguments) -> Result<(), Failure> {
    let (engine, watcher) = (arguments.engine.chosen(), Watcher::new()?);
    let mut printed = Ok(());
    engine.terms(sequence, arguments.terms, &watcher, |term| keep(&mut printed, print(term)))?;
    Ok(printed?)
}
