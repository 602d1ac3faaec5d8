//! Rows from an engine, with progress and interruption.

use std::ops::ControlFlow;

use anyhow::anyhow;
use byrnes::{ClassicalBound, Losers};
use record::{HeadForm, RowRecord};
use sweep::band::{self, Cells, Checkpoint, Checkpoints, Options};
use sweep::row::{Report, Visitor};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::memory::{self, Need};
use crate::progress::Progress;

/// What computes the rows. All engines find the same records.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    /// The papers' recurrence: cubic, every row proved twice.
    Literal,
    /// The quadratic engine: for fingerprints and for one row its band form, for all offsets of all
    /// rows its pointer form.
    Sweep(Options),
}

/// A row with its proofs.
pub struct ProvedRow {
    /// The record, with its certificate.
    pub record: RowRecord,
    /// The classical bound of a periodic row, from the literal recurrence.
    pub classical: Option<ClassicalBound>,
}

/// How a computation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All rows were visited, or as many as were wanted.
    Complete,
    /// The user wanted no more.
    Interrupted,
}

/// Where checkpoints are kept, and the one to go on from, if there is one.
pub type Resumption<'a> = (&'a Checkpoints, Option<Checkpoint>);

impl Engine {
    /// Whether it writes checkpoints and goes on from them.
    pub fn keeps_checkpoints(self, form: HeadForm) -> bool {
        matches!(self, Self::Sweep(_)) && form == HeadForm::Fingerprint
    }

    /// Computes rows 0 to `last` for a data set and hands each to `visit`, in order.
    pub fn visit(
        self,
        last: u64,
        form: HeadForm,
        checkpoints: Option<Resumption>,
        progress: Progress,
        mut visit: impl FnMut(ProvedRow) -> anyhow::Result<()>,
    ) -> anyhow::Result<Ending> {
        let visit = |row| visit(row).map(ControlFlow::Continue);
        let kept = if form == HeadForm::Offsets { memory::full_segment(last) } else { 0 };
        let mut need = self.need(last, form, kept);
        // The self-check and the checkpoints have one each.
        need.threads += 2;
        memory::require(last, need)?;
        self.run(last, form, checkpoints, progress, visit)
    }

    /// The same for commands that keep nothing: an interrupt is their failure.
    pub fn visit_all(
        self,
        last: u64,
        form: HeadForm,
        progress: Progress,
        mut visit: impl FnMut(ProvedRow) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.visit_until(last, form, progress, |row| visit(row).map(ControlFlow::Continue))
    }

    /// The same for commands that may have enough before the last row.
    pub fn visit_until(
        self,
        last: u64,
        form: HeadForm,
        progress: Progress,
        visit: impl FnMut(ProvedRow) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        memory::require(last, self.need(last, form, 0))?;
        match self.run(last, form, None, progress, visit)? {
            Ending::Complete => Ok(()),
            Ending::Interrupted => Err(Failure::Interrupted(String::new()).into()),
        }
    }

    fn run(
        self,
        last: u64,
        form: HeadForm,
        checkpoints: Option<Resumption>,
        progress: Progress,
        visit: impl FnMut(ProvedRow) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Ending> {
        let mut run = Run::new(last, form, progress, visit)?;
        match self {
            Self::Literal => run.literal()?,
            Self::Sweep(_) if form == HeadForm::Offsets => {
                sweep::pointer::rows(last + 1, &mut run)?;
            }
            Self::Sweep(options) => {
                let report = match checkpoints {
                    Some(resumption) => run.resumable(options, resumption)?,
                    None => band::rows(last + 1, options, &mut run)?,
                };
                if report.fallbacks > 0 {
                    tracing::info!(
                        "{} of {} cells went by the exact path",
                        64 * report.fallbacks,
                        report.cells
                    );
                }
            }
        }
        run.progress.finish();
        run.ending
    }

    /// What rows 0 to `last` need, and so many bytes besides.
    fn need(self, last: u64, form: HeadForm, besides: u64) -> Need {
        let (bytes, threads) = match self {
            Self::Literal => (memory::literal(last), 0),
            Self::Sweep(_) if form == HeadForm::Offsets => (memory::pointer(last), 0),
            Self::Sweep(Options { threads, .. }) => {
                (band::memory(last + 1, threads), band::workers(last + 1, threads))
            }
        };
        Need { bytes: bytes.saturating_add(besides), threads }
    }

    /// How many hear of cells, at most: see [`band::rows_and_cells`].
    pub fn listeners(self) -> u64 {
        match self {
            Self::Literal => 0,
            Self::Sweep(options) => (options.threads.get() as u64).saturating_add(1),
        }
    }

    /// As [`Self::visit_all`], and tells of every cell that the sweep decides: see
    /// [`band::rows_and_cells`]. Those who are told need so many bytes, all of them together.
    pub fn visit_all_and_cells<C: Cells>(
        self,
        last: u64,
        progress: Progress,
        mut visit: impl FnMut(ProvedRow) -> anyhow::Result<()>,
        cells: impl Fn() -> C + Sync,
        bytes: u64,
    ) -> anyhow::Result<Vec<C>> {
        let form = HeadForm::Fingerprint;
        let Self::Sweep(options) = self else {
            let problem = "cells are counted by the sweep only; leave out --engine literal";
            return Err(Failure::Usage(problem.to_owned()).into());
        };
        memory::require(last, self.need(last, form, bytes))?;
        let mut run = Run::new(last, form, progress, |row| visit(row).map(ControlFlow::Continue))?;
        let (_, told) = band::rows_and_cells(last + 1, options, &mut run, cells)?;
        run.progress.finish();
        match run.ending? {
            Ending::Complete => Ok(told),
            Ending::Interrupted => Err(Failure::Interrupted(String::new()).into()),
        }
    }

    /// Row `number` with all its offsets.
    pub fn row(self, number: u64, progress: Progress) -> anyhow::Result<ProvedRow> {
        if let Self::Sweep(_) = self {
            let (record, _) = self.row_and_column(number, None, progress, |_| Ok(()))?;
            return Ok(ProvedRow { record, classical: None });
        }
        let mut found = None;
        self.visit_all(number, HeadForm::Offsets, progress, |row| {
            found = Some(row);
            Ok(())
        })?;
        found.ok_or_else(|| Failure::Interrupted(String::new()).into())
    }

    /// Row `number` with all its offsets, and the rows below whose offsets in a column belong to their
    /// heads, and perhaps others, with these offsets. The rows below are handed to `below`, with
    /// fingerprints. It is the band engine that does this: it tells of every cell, and those are kept.
    pub fn row_and_column(
        self,
        number: u64,
        column: Option<u64>,
        progress: Progress,
        mut below: impl FnMut(RowRecord) -> anyhow::Result<()>,
    ) -> anyhow::Result<(RowRecord, Vec<(u64, u64)>)> {
        let mut own = None;
        let keep = |row: ProvedRow| {
            if row.record.row() < number {
                return below(row.record);
            }
            own = Some(row.record);
            Ok(())
        };
        let cells = || Cross { row: number, column, of_row: Vec::new(), of_column: Vec::new() };
        let told = self.visit_all_and_cells(number, progress, keep, cells, CROSS_BYTES * number)?;
        let (mut of_row, mut of_column) = (Vec::new(), Vec::new());
        for told in told {
            of_row.extend(told.of_row);
            of_column.extend(told.of_column);
        }
        of_row.sort_unstable();
        let offsets: Vec<u64> = of_row.into_iter().map(|(_, offset)| offset).collect();
        let own = own.and_then(|own| own.in_full(&offsets)).ok_or_else(|| {
            anyhow!("row {number}: its cells are not those of its record, a defect of this program")
        })?;
        Ok((own, of_column))
    }

    /// The power of the number of rows with which the time grows. A cell of the sweep takes longer
    /// where its columns have outgrown the caches (docs/PERFORMANCE.md).
    pub fn exponent(self) -> f64 {
        match self {
            Self::Literal => 3.0,
            Self::Sweep(_) => 2.04,
        }
    }
}

/// For each row up to that of a [`Cross`]: its cells, and records if those are kept as well.
const CROSS_BYTES: u64 = 200;

/// Keeps the cells of one row and of one column.
struct Cross {
    row: u64,
    column: Option<u64>,
    /// Columns and offsets.
    of_row: Vec<(u64, u64)>,
    /// Rows and offsets.
    of_column: Vec<(u64, u64)>,
}

impl Cells for Cross {
    fn cell(&mut self, q: u64, r: u64, p: u64) {
        if r == self.row {
            self.of_row.push((q, p - q));
        } else if Some(q) == self.column {
            self.of_column.push((r, p - q));
        }
    }
}

/// Rows to R have about (√2 - 1)/2 · R² cells before they settle.
fn expected_cells(last: u64) -> u64 {
    u64::try_from(u128::from(last) * u128::from(last) * 2071 / 10_000).unwrap_or(u64::MAX)
}

struct Run<V> {
    last: u64,
    form: HeadForm,
    visit: V,
    interrupt: Interrupt,
    progress: Progress,
    ending: anyhow::Result<Ending>,
}

impl<V: FnMut(ProvedRow) -> anyhow::Result<ControlFlow<()>>> Run<V> {
    fn new(last: u64, form: HeadForm, progress: Progress, visit: V) -> anyhow::Result<Self> {
        let interrupt = Interrupt::catch()?;
        Ok(Self { last, form, visit, interrupt, progress, ending: Ok(Ending::Complete) })
    }

    fn literal(&mut self) -> anyhow::Result<()> {
        for row in byrnes::Rows::new() {
            let row = row?;
            let classical = match row.offsets() {
                Losers::Periodic { classical, .. } => Some(classical.clone()),
                Losers::Finite(_) => None,
            };
            let record = row.record(self.form)?;
            if self.take(ProvedRow { record, classical }).is_break() || row.row() == self.last {
                break;
            }
        }
        Ok(())
    }

    fn resumable(
        &mut self,
        options: Options,
        (checkpoints, from): Resumption,
    ) -> Result<Report, sweep::error::Error> {
        if let Some(checkpoint) = &from {
            tracing::info!("going on from the checkpoint at row {}", checkpoint.row());
            self.progress.resume(checkpoint.row());
        }
        band::resumable_rows(self.last + 1, options, checkpoints, from, self)
    }

    fn take(&mut self, row: ProvedRow) -> ControlFlow<()> {
        let number = row.record.row();
        match (self.visit)(row) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return ControlFlow::Break(()),
            Err(error) => {
                self.ending = Err(error);
                return ControlFlow::Break(());
            }
        }
        self.progress.set(number + 1);
        if self.interrupt.asked() && number < self.last {
            self.ending = Ok(Ending::Interrupted);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl<V: FnMut(ProvedRow) -> anyhow::Result<ControlFlow<()>>> Visitor for Run<V> {
    fn row(&mut self, row: sweep::row::Row, offsets: Option<&[u64]>) -> ControlFlow<()> {
        let offsets = offsets.filter(|_| self.form == HeadForm::Offsets);
        match row.record(offsets) {
            Ok(record) => self.take(ProvedRow { record, classical: None }),
            Err(fault) => {
                self.ending = Err(fault.into());
                ControlFlow::Break(())
            }
        }
    }

    fn progress(&mut self, done: Report) {
        self.progress.cells(done.cells, expected_cells(self.last));
    }
}
