//! `chomp seq`.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use boards::squares;
use census::sequences::TermFinder;
use driver::{DataSet, HeadForm, Sequence, Term};

use crate::arguments::{AnySequence, SeqArguments};
use crate::failure::{self, Failure};
use crate::watcher::Watcher;

/// Prints a sequence, or what sequences there are.
pub fn run(arguments: &SeqArguments) -> anyhow::Result<()> {
    let sequence = match arguments.sequence {
        None => return failure::print(list().as_bytes()),
        Some(AnySequence::OfBoards(sequence)) => return of_boards(sequence, arguments),
        Some(AnySequence::OfRows(sequence)) => sequence,
    };
    let mut printer = Printer { sequence, wanted: arguments.terms, printed: 0 };
    match &arguments.data {
        Some(folder) => read(&mut printer, folder),
        None => compute(&mut printer, arguments),
    }
}

fn list() -> String {
    let of_rows = Sequence::ALL.map(|sequence| {
        let (first, definition) = (sequence.offset(), sequence.definition());
        format!("{sequence}  n >= {first}  {definition}\n")
    });
    let of_boards = squares::Sequence::ALL.map(|sequence| {
        let (first, definition) = (sequence.offset(), sequence.definition());
        format!("{sequence}  n >= {first}  {definition}\n")
    });
    let (of_rows, of_boards) = (of_rows.concat(), of_boards.concat());
    format!(
        "Of three rows:\n{of_rows}\nOf boards with any number of rows:\n{of_boards}\n\
         A name and --terms N print the first N terms.\n"
    )
}

/// These need no rows.
fn of_boards(sequence: squares::Sequence, arguments: &SeqArguments) -> anyhow::Result<()> {
    if arguments.data.is_some() {
        let words =
            format!("{sequence} counts boards, and a data set holds rows; leave out --data");
        return Err(Failure::Usage(words).into());
    }
    let first = u64::from(sequence.offset());
    let (end, watcher) = (first.saturating_add(arguments.terms), Watcher::new()?);
    let mut printed = Ok(());
    driver::boards_by_squares(end - 1, &watcher, |of| {
        if u64::from(of.squares) >= first {
            let term = Term { n: of.squares.into(), value: sequence.term(&of) };
            printed = writeln!(io::stdout().lock(), "{term}").map_err(Failure::from);
        }
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(printed?)
}

fn read(printer: &mut Printer, folder: &Path) -> anyhow::Result<()> {
    let data_set = DataSet::open(folder)?;
    if data_set.manifest().head == HeadForm::Fingerprint
        && printer.sequence.form() == HeadForm::Offsets
    {
        let (sequence, folder) = (printer.sequence, folder.display());
        let words = format!("{sequence} counts P-positions of pre-periods too, of which {folder}");
        return Err(Failure::Usage(format!(
            "{words} has only fingerprints; use a data set that was written with --full, or none"
        ))
        .into());
    }
    let mut terms = TermFinder::of(printer.sequence);
    for record in data_set.rows() {
        if let Some(term) = terms.add(&record?)? {
            printer.print(term)?;
        }
        if printer.printed == printer.wanted {
            return Ok(());
        }
    }
    let (last, folder) = (data_set.last_row(), folder.display());
    let Printer { sequence, wanted, printed } = printer;
    let words = format!("{folder} holds rows 0 to {last}, and they have {printed} of the {wanted}");
    Err(Failure::Incomplete(format!("{words} terms of {sequence} that are asked for")).into())
}

fn compute(printer: &mut Printer, arguments: &SeqArguments) -> anyhow::Result<()> {
    let (engine, watcher) = (arguments.engine.chosen(), Watcher::new()?);
    let mut printed = Ok(());
    engine.terms(printer.sequence, printer.wanted, &watcher, |term| {
        printed = printer.print(term);
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(printed?)
}

/// The terms that have been printed.
struct Printer {
    sequence: Sequence,
    wanted: u64,
    printed: u64,
}

impl Printer {
    fn print(&mut self, term: Term) -> Result<(), Failure> {
        writeln!(io::stdout().lock(), "{term}")?;
        self.printed += 1;
        Ok(())
    }
}
