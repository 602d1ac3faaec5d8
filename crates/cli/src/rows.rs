//! `chomp rows`, the main job.

use std::path::Path;

use anyhow::anyhow;
use byrnes::ClassicalBound;
use census::{Census, CertificateExtremes, Excess, Summary};
use comfy_table::{CellAlignment, Table, presets};
use record::data_set::{DataSet, DataSetError, Found, SEGMENT_ROWS, Writer};
use record::{HeadForm, RowRecord};

use crate::arguments::Rows;
use crate::check;
use crate::compute::{Ending, ProvedRow};
use crate::failure::{self, Failure};
use crate::progress::Progress;
use crate::self_check::SelfCheck;
use sweep::band::{Checkpoint, Checkpoints};

/// Computes, certifies and writes rows 0 to R, then prints what they are.
pub fn run(arguments: &Rows) -> anyhow::Result<()> {
    let form = if arguments.full { HeadForm::Offsets } else { HeadForm::Fingerprint };
    let folder = arguments.out.as_path();
    let earlier = match Found::in_folder(folder, arguments.to, form)? {
        Found::Same(data_set) => {
            report_finished(&data_set, folder)?;
            tidy(&data_set, folder, form);
            return Ok(());
        }
        Found::Smaller(data_set) => {
            tracing::info!("extending rows 0 to {} in {}", data_set.last_row(), folder.display());
            Some(data_set)
        }
        Found::Nothing => None,
    };

    // Before the folder is this run's own, another run may be writing checkpoints.
    let writer = Writer::new(folder, form)?;
    let engine = arguments.engine.chosen();
    let progress = Progress::of("row", arguments.to + 1, engine.exponent());
    let checkpoints = match arguments.checkpoint {
        Some(interval) => Checkpoints::new(folder).every(interval),
        None => Checkpoints::new(folder),
    };
    let from = if engine.keeps_checkpoints(form) { checkpoints.newest()? } else { None };
    let believed = from.as_ref().map(Checkpoint::row);
    let mut run = Run::new(writer, earlier.as_ref(), believed)?;
    let resumption = Some((&checkpoints, from));
    match engine.visit(arguments.to, form, resumption, progress, |row| run.take(row))? {
        Ending::Complete => {}
        Ending::Interrupted => return Err(run.keep_interrupted(folder)?.into()),
    }
    let Run { summary, classical, mut writer, self_check, .. } = run;
    writer.write_rest()?;
    if let Some(segments) = writer.so_far() {
        self_check.tell(segments);
    }
    let checked = self_check.end()?;
    writer.finish()?;
    remove_checkpoints(folder, arguments.to);
    tracing::info!("wrote rows 0 to {} to {}", arguments.to, folder.display());
    tracing::info!("{}", checked.words(arguments.to));
    let words = classical.words(&summary, believed);
    failure::print(format!("{}{}{words}", table(&summary), extremes(&summary)).as_bytes())
}

/// Removes the checkpoints of runs to row `last` or less.
fn remove_checkpoints(folder: &Path, last: u64) {
    match Checkpoints::new(folder).remove(last + 1) {
        Ok(left) => left.iter().for_each(|file| {
            tracing::info!("{} stays: a run to a larger row may go on from it", file.display());
        }),
        Err(error) => {
            tracing::warn!("the checkpoints in {} are left there: {error}", folder.display());
        }
    }
}

/// Removes what a run has left that was killed when its data set had just been finished; unless
/// another run writes there, or nobody may.
fn tidy(data_set: &DataSet, folder: &Path, form: HeadForm) {
    if let Ok(writer) = Writer::new(folder, form) {
        remove_checkpoints(folder, data_set.last_row());
        writer.tidy(data_set);
    }
}

/// A data set that was finished by an earlier run: its records are read and counted, and as much of
/// them is verified as takes no longer than reading them.
fn report_finished(data_set: &DataSet, folder: &Path) -> anyhow::Result<()> {
    let verdict = check::tails(data_set)?;
    let mut summary = Summary::default();
    for record in data_set.rows() {
        summary.add(&record?);
    }
    let last = data_set.last_row();
    tracing::info!("{} holds rows 0 to {last} already; nothing to compute", folder.display());
    let words = format!(
        "Nothing was computed. Verified now, depths structure and tails: {}.\n\
         Assumed: {}.\n\
         `chomp check --heads` verifies that, too.\n",
        verdict.proved(),
        verdict.assumptions().as_deref().unwrap_or("nothing")
    );
    failure::print(format!("{}{}{words}", table(&summary), extremes(&summary)).as_bytes())
}

/// A run on its way.
struct Run<'a> {
    writer: Writer,
    summary: Summary,
    classical: ClassicalExtreme,
    self_check: SelfCheck,
    /// The rows of the data set that is extended: computed again, they must come out the same.
    earlier: Option<record::data_set::Rows<'a>>,
    /// The row of the checkpoint that it goes on from.
    believed: Option<u64>,
}

impl<'a> Run<'a> {
    fn new(
        writer: Writer,
        earlier: Option<&'a DataSet>,
        believed: Option<u64>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            writer,
            summary: Summary::default(),
            classical: ClassicalExtreme::default(),
            self_check: SelfCheck::new(believed)?,
            earlier: earlier.map(DataSet::rows),
            believed,
        })
    }

    fn take(&mut self, row: ProvedRow) -> anyhow::Result<()> {
        let ProvedRow { record, classical } = row;
        self.compare_with_earlier(&record)?;
        self.summary.add(&record);
        self.classical.add(record.row(), classical);
        self.writer.push(record)?;
        if self.writer.next_row().is_multiple_of(SEGMENT_ROWS)
            && let Some(segments) = self.writer.so_far()
        {
            self.self_check.tell(segments);
        }
        self.self_check.found()
    }

    fn compare_with_earlier(&mut self, record: &RowRecord) -> anyhow::Result<()> {
        match self.earlier.as_mut().and_then(Iterator::next).transpose()? {
            Some(earlier) if earlier != *record => {
                let error = DataSetError::Contradicted { row: record.row() };
                Err(self.believed.map_or_else(
                    || anyhow!("{error}"),
                    |row| {
                        anyhow!(
                            "{error}, or the checkpoint at row {row} that this run went on from"
                        )
                    },
                ))
            }
            _ => Ok(()),
        }
    }

    /// Keeps the rows of an interrupted run, unless the folder holds more already.
    fn keep_interrupted(mut self, folder: &Path) -> anyhow::Result<Failure> {
        let checked = self.self_check.stop()?;
        let rows = self.writer.next_row();
        let fewer = self.earlier.as_mut().is_some_and(|earlier| earlier.next().is_some());
        if fewer || rows == 0 {
            return Ok(Failure::Interrupted("; the folder is as it was before".to_owned()));
        }
        self.writer.finish()?;
        tracing::info!("{}", checked.words(rows - 1));
        let (last, folder) = (rows - 1, folder.display());
        Ok(Failure::Interrupted(format!(
            "; {folder} holds rows 0 to {last}, and the same command extends them, from the newest \
             checkpoint if there is one"
        )))
    }
}

/// The largest classical bound that was checked, and the number of rows whose bound was not.
#[derive(Default)]
struct ClassicalExtreme {
    largest: Option<(ClassicalBound, u64)>,
    unchecked: u64,
}

impl ClassicalExtreme {
    fn add(&mut self, row: u64, classical: Option<ClassicalBound>) {
        let Some(classical) = classical else { return };
        if !classical.checked {
            self.unchecked += 1;
        } else if self.largest.as_ref().is_none_or(|(most, _)| most.bound < classical.bound) {
            self.largest = Some((classical, row));
        }
    }

    /// How the rows are proved, on the condition that the checkpoint is right whose row is `believed`.
    fn words(&self, summary: &Summary, believed: Option<u64>) -> String {
        let (finite, periodic) = (summary.finite.number(), summary.periodic());
        let CertificateExtremes { columns_past_start: past_start, with_modulus } =
            summary.certificates;
        let condition = believed.map_or(String::new(), |row| {
            format!(", if the checkpoint at row {row} that this run went on from is right")
        });
        let checkpoint = believed.map_or(String::new(), |row| {
            let last = row.min(summary.all.number()) - 1;
            format!(
                "Believed, not proved: rows 0 to {last} and what the columns held at row {row}, as the\n\
                 checkpoint has them. `chomp check --heads` verifies all of it.\n"
            )
        });
        let proved = format!(
            "Proved{condition}: finite rows ({finite}) by computing them to their end; periodic rows ({periodic}) by a\n\
             state that recurs (fact 3 of proofs/README.md), at column start + {past_start} at the latest,\n\
             {with_modulus} of them with a modulus other than 1.\n{checkpoint}"
        );
        let Some((ClassicalBound { bound, .. }, row)) = &self.largest else { return proved };
        let (checked, unchecked) = (periodic - self.unchecked, self.unchecked);
        let rest = if unchecked == 0 {
            String::new()
        } else {
            format!("Not so proved, their bound being out of reach: {unchecked} rows.\n")
        };
        format!(
            "{proved}Proved once more: periodic rows ({checked}) by a guess checked to the classical bound\n\
             (fact 2), at most q - r = {bound} (row {row}).\n{rest}"
        )
    }
}

/// The number of rows of each kind by decade of r.
pub fn table(summary: &Summary) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let decades = summary.all.decades.len();
    let mut header = vec!["rows".to_owned(), "first".to_owned()];
    header.extend((0..decades).map(decade));
    header.push("all".to_owned());
    table.set_header(header);
    table.add_row(line("finite".to_owned(), &summary.finite, decades));
    for (period, census) in &summary.periods {
        table.add_row(line(format!("period {period}"), census, decades));
    }
    table.add_row(line("all".to_owned(), &summary.all, decades));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n")
}

/// The least and the largest start - √2·r.
fn extremes(summary: &Summary) -> String {
    let Some((least, largest)) = summary.excess else { return String::new() };
    let place = |excess: Excess| format!("(row {}, start {})", excess.row, excess.start);
    format!(
        "start - √2·r: at least {} {}, at most {} {}\n",
        least.distance().down(3),
        place(least),
        largest.distance().up(3),
        place(largest)
    )
}

fn line(kind: String, census: &Census, decades: usize) -> Vec<String> {
    let mut cells = vec![kind, census.first.map_or_else(String::new, |row| row.to_string())];
    let counts = census.decades.iter().chain(std::iter::repeat(&0));
    cells.extend(counts.take(decades).map(u64::to_string));
    cells.push(census.number().to_string());
    cells
}

/// The rows of so many digits and one more.
fn decade(digits: usize) -> String {
    let nines = "9".repeat(digits + 1);
    if digits == 0 { format!("0-{nines}") } else { format!("1{}-{nines}", "0".repeat(digits)) }
}
