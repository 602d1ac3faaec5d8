//! `chomp seq`.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use census::sequences::{Sequence, Terms};
use record::data_set::DataSet;
use record::{HeadForm, RowRecord};

use crate::arguments::{LARGEST_ROW, Seq};
use crate::failure::{self, Failure};
use crate::progress::Progress;

/// Prints a sequence, or what sequences there are.
pub fn run(arguments: &Seq) -> anyhow::Result<()> {
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
    let mut terms = Terms::of(printer.sequence);
    for record in data_set.rows() {
        if printer.add(&mut terms, &record?)?.is_break() {
            return Ok(());
        }
    }
    let (last, folder) = (data_set.last_row(), folder.display());
    let Printer { sequence, wanted, printed } = printer;
    let words = format!("{folder} holds rows 0 to {last}, and they have {printed} of the {wanted}");
    Err(Failure::Incomplete(format!("{words} terms of {sequence} that are asked for")).into())
}

/// Computes as many rows as probably are needed, and twice as many if they were not enough.
fn compute(printer: &mut Printer, arguments: &Seq) -> anyhow::Result<()> {
    let (sequence, engine) = (printer.sequence, arguments.engine.chosen());
    let mut rows = sequence.likely_rows(printer.wanted);
    while printer.printed < printer.wanted {
        if rows > LARGEST_ROW {
            let words = format!("so many terms of {sequence} need rows past {LARGEST_ROW}");
            return Err(Failure::Usage(format!("{words}; ask for fewer")).into());
        }
        let mut terms = Terms::of(sequence);
        let progress = Progress::of("row", rows, engine.exponent());
        let visit = |row: crate::compute::ProvedRow| printer.add(&mut terms, &row.record);
        engine.visit_until(rows - 1, sequence.form(), progress, visit)?;
        rows *= 2;
    }
    Ok(())
}

/// The terms that have been printed.
struct Printer {
    sequence: Sequence,
    wanted: u64,
    printed: u64,
}

impl Printer {
    /// Takes the next row, and prints its term unless it was printed before.
    fn add(&mut self, terms: &mut Terms, record: &RowRecord) -> anyhow::Result<ControlFlow<()>> {
        if let Some(term) = terms.add(record)?
            && terms.given() > self.printed
        {
            writeln!(io::stdout().lock(), "{term}").map_err(Failure::from)?;
            self.printed += 1;
        }
        let enough = self.printed == self.wanted;
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
