//! A computation of rows: passes them on, reports progress, and ends when it is asked to.

use std::ops::ControlFlow;

use byrnes::ClassicalBound;
use record::listeners::{Done, Visitor};
use record::{HeadForm, Record};

use crate::Error;
use crate::job::Running;
use crate::watch::{Event, Unit, Watch, Work};

/// A row with its proofs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedRow {
    /// The record, with its certificate.
    pub record: Record,
    /// The classical bound of a periodic row, from the literal recurrence.
    pub classical: Option<ClassicalBound>,
}

/// A row whose record was read.
impl From<Record> for ProvedRow {
    fn from(record: Record) -> Self {
        Self { record, classical: None }
    }
}

/// Reports the cells that took the exact path, if there are any.
pub(crate) fn announce_exact_path(fallbacks: u64, cells: u64, watch: &dyn Watch) {
    if fallbacks > 0 {
        watch.event(&Event::ExactPath { exact: 64 * fallbacks, cells });
    }
}

/// Rows to R have about (√2 - 1)/2 · R² cells before they settle.
fn expected_cells(last: u64) -> u64 {
    u64::try_from(u128::from(last) * u128::from(last) * 2071 / 10_000).unwrap_or(u64::MAX)
}

/// A running computation.
pub(crate) struct Computation<'a, V> {
    last: u64,
    form: HeadForm,
    visit: V,
    watch: &'a dyn Watch,
    running: Running<'a>,
    /// How it has ended, if not with the last row.
    pub(crate) ending: Result<(), Error>,
}

impl<'a, V: FnMut(ProvedRow) -> Result<ControlFlow<()>, Error>> Computation<'a, V> {
    /// Begins it, from this row if it resumes. The time grows with this power of the rows.
    pub(crate) fn begin(
        exponent: f64,
        last: u64,
        form: HeadForm,
        from: Option<u64>,
        watch: &'a dyn Watch,
        visit: V,
    ) -> Self {
        if let Some(row) = from {
            let words = format!("resuming from the checkpoint at row {row}");
            watch.event(&Event::Remark(words));
        }
        let all = last + 1;
        let work = Work { unit: Unit::Row, all, before: from.unwrap_or(0).min(all), exponent };
        let running = Running::new(watch, work);
        Self { last, form, visit, watch, running, ending: Ok(()) }
    }

    /// All rows by the literal recurrence.
    pub(crate) fn literal(&mut self) -> Result<(), Error> {
        for row in byrnes::Rows::new() {
            let row = row?;
            let classical = row.offsets().proof().map(|proof| proof.classical.clone());
            let record = row.record(self.form)?;
            if self.take(ProvedRow { record, classical }).is_break() || row.row() == self.last {
                break;
            }
        }
        Ok(())
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
        if self.running.at(number + 1).is_break() && number < self.last {
            self.ending = Err(Error::Interrupted);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl<V: FnMut(ProvedRow) -> Result<ControlFlow<()>, Error>> Visitor for Computation<'_, V> {
    fn row(&mut self, record: Record, offsets: Option<&[u64]>) -> ControlFlow<()> {
        let row = record.row();
        let record = match offsets.filter(|_| self.form == HeadForm::Offsets) {
            Some(offsets) => record.in_full(offsets),
            None => Some(record),
        };
        let Some(record) = record else {
            let what = format!("row {row}: its offsets are not those of its record");
            self.ending = Err(Error::defect(what));
            return ControlFlow::Break(());
        };
        self.take(ProvedRow { record, classical: None })
    }

    fn progress(&mut self, done: Done) {
        self.watch.cells(done.cells, expected_cells(self.last));
    }
}
