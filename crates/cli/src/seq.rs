//! `chomp seq`.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use census::sequences::TermFinder;
use driver::{DataSet, HeadForm, Sequence, Term};

use crate::arguments::SeqArguments;
use crate::failure::{self, Failure};
use crate::watcher::Watcher;

/// Prints a sequence, or what sequences there are.
pub fn run(arguments: &SeqArguments) -> anyhow::Result<()> {
    let Some(sequence) = arguments.sequence else { return failure::print(list().as_bytes()) };
    let mut printer = Printer { sequence, wanted: arguments.terms, printed: 0 };
    match &arguments.data {
        Some(folder) => read(&mut printer, folder),
        None => compute(&mut printer, arguments),
    }
}

fn list() -> String {
    let lines = Sequence::ALL.map(|sequence| {
        let (first, definition) = (sequence.offset(), sequence.definition());
        format!("{sequence}  n >= {first}  {definition}\n")
    });
    format!("{}\nA name and --terms N print the first N terms.\n", lines.concat())
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
