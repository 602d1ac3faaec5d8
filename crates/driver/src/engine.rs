//! Rows, cells and answers from an engine.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;

use byrnes::ClassicalBound;
use census::statistics::{CellCensus, CellStatistics, CellTally};
use record::listeners::{Cells, Done, Visitor};
use record::{HeadForm, Record};
use sweep::band;

use crate::error::Hint;
use crate::job::{Cost, Event, Job, Running, Watch, Work};
use crate::{Error, LARGEST_ROW, SweepOptions, costs};

/// An engine that computes rows. All engines find the same records.
///
/// ```
/// use std::num::NonZero;
/// use driver::{Engine, SweepOptions};
/// // The sweep on the thread of the caller, and on two of its own: no choice changes a row.
/// for threads in [None, NonZero::new(2)] {
///     let engine = Engine::Sweep(SweepOptions { threads, ..SweepOptions::default() });
///     assert_eq!(engine.row_in_full(120, &())?.record, Engine::default().row_in_full(120, &())?.record);
/// }
/// # Ok::<(), driver::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The papers' recurrence: cubic, every row proved twice.
    Literal,
    /// The quadratic engine: for fingerprints and for one row its band form, for all offsets of all
    /// rows its pointer form. To write a data set with fingerprints it has at least one thread of
    /// its own, besides those of the self-check and the checkpoints.
    Sweep(SweepOptions),
}

/// The chosen number of threads, or the default of the sweep.
pub(crate) fn threads_or_default(chosen: Option<NonZero<usize>>) -> NonZero<usize> {
    chosen.unwrap_or_else(|| SweepOptions::default().workers())
}

/// The sweep with its default options.
impl Default for Engine {
    fn default() -> Self {
        Self::Sweep(SweepOptions::default())
    }
}

/// Rows to this one are computed by the literal recurrence, which proves them twice.
const LITERAL: u64 = 1000;

impl Engine {
    /// The engine that proves one row best: the literal recurrence proves it twice, where that does
    /// not take long.
    ///
    /// ```
    /// use driver::Engine;
    /// assert!(Engine::for_row(120).row_in_full(120, &())?.classical.is_some());
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn for_row(row: u64) -> Self {
        if row <= LITERAL { Self::Literal } else { Self::default() }
    }

    /// As [`Source::rows`](crate::Source::rows) with fingerprints, with listeners to every cell
    /// that the sweep decides.
    ///
    /// The visitor may fail. `cells` builds at most one more listener than there are threads, and
    /// all of them together use `bytes` bytes. A cell goes to any one of them, so results should
    /// not depend on which. Returns all listeners.
    ///
    /// # Errors
    /// As [`Source::rows`](crate::Source::rows), and the literal recurrence, which reports no
    /// cells.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use driver::{Cells, Engine};
    /// struct Largest(u64);
    /// impl Cells for Largest {
    ///     fn cell(&mut self, q: u64, r: u64, p: u64) {
    ///         self.0 = self.0.max(p - q);
    ///     }
    /// }
    /// let visit = &mut |_| Ok(ControlFlow::Continue(()));
    /// let listeners = Engine::default().rows_and_cells(100, &(), visit, || Largest(0), 8)?;
    /// // Offsets are at most r + 1, and that of the diagonal is about r/√2.
    /// let largest = listeners.iter().map(|listener| listener.0).max().unwrap();
    /// assert!((70..=101).contains(&largest));
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn rows_and_cells<C: Cells>(
        self,
        last: u64,
        watch: &dyn Watch,
        visit: &mut Visit<'_>,
        cells: impl Fn() -> C + Sync,
        bytes: u64,
    ) -> Result<Vec<C>, Error> {
        require_row(last)?;
        let form = HeadForm::Fingerprint;
        let Self::Sweep(options) = self else {
            let words = "the literal recurrence reports no cells; only the sweep does";
            return Err(Error::usage(words).with(Hint::Sweep));
        };
        let cost = self.cost(last);
        // With a listener a cell takes about twice as long.
        of_rows(last, cost.and(Cost::new(bytes, cost.time))).announce(None, watch)?;
        let mut run = Computation::begin(self.exponent(), last, form, None, watch, visit);
        let (_, listeners) = band::rows_and_cells(last + 1, options, &mut run, cells)?;
        run.ending.map(|()| listeners)
    }

    /// Statistics of the cells of rows 0 to `last`: how often values occur, minima of rows, maxima
    /// of columns. The rows are handed to `visit` as they are found.
    ///
    /// # Errors
    /// As [`Self::rows_and_cells`].
    ///
    /// ```
    /// let found = driver::Engine::default().cell_statistics(200, &(), |_| {})?;
    /// assert_eq!(found.last_row, 200);
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn cell_statistics(
        self,
        last: u64,
        watch: &dyn Watch,
        mut visit: impl FnMut(&Record),
    ) -> Result<CellStatistics, Error> {
        require_row(last)?;
        let mut census = CellCensus::default();
        let mut visit = |row: ProvedRow| {
            visit(&row.record);
            census.add(&row.record);
            Ok(ControlFlow::Continue(()))
        };
        let tallies = match self {
            Self::Literal => 0,
            Self::Sweep(options) => (options.workers().get() as u64).saturating_add(1),
        };
        let (tally, bytes) = (|| CellTally::new(last), CellTally::memory(last));
        let bytes = bytes.saturating_mul(tallies);
        let tallies = self.rows_and_cells(last, watch, &mut visit, tally, bytes)?;
        Ok(census.finish(tallies))
    }

    /// Row `number` with all its offsets. It costs as much as all rows to it.
    ///
    /// # Errors
    /// As [`Source::rows`](crate::Source::rows).
    ///
    /// ```
    /// let row_5 = driver::Engine::default().row_in_full(5, &())?;
    /// let row_5 = row_5.record.periodic().unwrap().clone();
    /// assert_eq!((row_5.head, row_5.values), (record::Head::Offsets(vec![5, 3]), vec![4]));
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn row_in_full(self, number: u64, watch: &dyn Watch) -> Result<ProvedRow, Error> {
        if let Self::Sweep(_) = self {
            let (record, _) = self.row_and_column(number, None, watch, &mut |_| Ok(()))?;
            return Ok(ProvedRow { record, classical: None });
        }
        self.last_row(number, HeadForm::Offsets, watch)
    }

    /// Row `number`, with a head of this form if the engine has it.
    pub(crate) fn last_row(
        self,
        number: u64,
        form: HeadForm,
        watch: &dyn Watch,
    ) -> Result<ProvedRow, Error> {
        let mut found = None;
        self.visit(number, form, watch, &mut |row| {
            found = Some(row);
            Ok(ControlFlow::Continue(()))
        })?;
        found.ok_or_else(|| Error::defect(format!("row {number} was not visited")))
    }

    /// Row `number` with all its offsets. For a column also the offsets there, by their rows: of
    /// all rows below whose head has that column, and perhaps of others. The rows below are handed
    /// to `below`, with fingerprints. A listener keeps these cells of the band engine.
    pub(crate) fn row_and_column(
        self,
        number: u64,
        column: Option<u64>,
        watch: &dyn Watch,
        below: &mut dyn FnMut(Record) -> Result<(), Error>,
    ) -> Result<(Record, BTreeMap<u64, u64>), Error> {
        require_row(number)?;
        let mut own = None;
        let mut keep = |row: ProvedRow| {
            if row.record.row() < number {
                below(row.record)?;
            } else {
                own = Some(row.record);
            }
            Ok(ControlFlow::Continue(()))
        };
        let cells = || Cross { row: number, column, cells: Vec::new() };
        let crosses =
            self.rows_and_cells(number, watch, &mut keep, cells, Cross::BYTES * number)?;
        let cells = crosses.into_iter().flat_map(|cross| cross.cells);
        let (mut of_row, of_column): (Vec<_>, Vec<_>) = cells.partition(|&(r, ..)| r == number);
        of_row.sort_unstable();
        let offsets: Vec<u64> = of_row.into_iter().map(|(.., offset)| offset).collect();
        let differs =
            || Error::defect(format!("row {number}: its cells are not those of its record"));
        let own = own.and_then(|own| own.in_full(&offsets)).ok_or_else(differs)?;
        Ok((own, of_column.into_iter().map(|(r, _, offset)| (r, offset)).collect()))
    }

    /// As [`Source::rows`](crate::Source::rows), for a visitor that may fail.
    pub(crate) fn visit(
        self,
        last: u64,
        form: HeadForm,
        watch: &dyn Watch,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        require_row(last)?;
        self.run(last, form, self.cost_of(last, form), watch, visit)
    }

    /// Rows 0 to `last`, at this cost.
    pub(crate) fn run(
        self,
        last: u64,
        form: HeadForm,
        cost: Cost,
        watch: &dyn Watch,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        self.announce(last, form, cost, watch)?;
        let mut run = Computation::begin(self.exponent(), last, form, None, watch, visit);
        match self {
            Self::Literal => run.literal()?,
            Self::Sweep(_) if form == HeadForm::Offsets => {
                sweep::pointer::rows(last + 1, &mut run)?;
            }
            Self::Sweep(options) => {
                band::rows(last + 1, options, &mut run)?;
            }
        }
        run.ending
    }

    /// The cost of rows 0 to `last`.
    pub(crate) fn cost_of(self, last: u64, form: HeadForm) -> Cost {
        match self {
            Self::Literal => costs::literal(last),
            Self::Sweep(_) if form == HeadForm::Offsets => costs::pointer(last),
            Self::Sweep(options) => costs::band(last, options),
        }
    }

    /// The cost of the rows with fingerprints to this one.
    pub(crate) fn cost(self, last: u64) -> Cost {
        self.cost_of(last, HeadForm::Fingerprint)
    }

    /// Refuses rows that need more than is available, and announces those that need much.
    pub(crate) fn announce(
        self,
        last: u64,
        form: HeadForm,
        cost: Cost,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let cheaper = match self {
            Self::Literal => {
                let sweep = "by the sweep instead of the literal recurrence";
                Some((Self::default().cost_of(last, form).time, sweep))
            }
            Self::Sweep(_) if form == HeadForm::Offsets => {
                Some((self.cost(last).time, "with fingerprints instead of all offsets"))
            }
            Self::Sweep(_) => None,
        };
        of_rows(last, cost).announce(cheaper, watch)
    }

    /// The power of the number of rows with which the time grows. A cell of the sweep takes longer
    /// where its columns have outgrown the caches (docs/PERFORMANCE.md).
    pub(crate) fn exponent(self) -> f64 {
        match self {
            Self::Literal => 3.0,
            Self::Sweep(_) => 2.04,
        }
    }
}

/// The computation of rows 0 to `last`, at this cost.
pub(crate) fn of_rows(last: u64, cost: Cost) -> Job {
    Job::new(format!("rows to {last} need"), "choose a smaller row", cost)
}

pub(crate) fn require_row(row: u64) -> Result<(), Error> {
    if row <= LARGEST_ROW {
        return Ok(());
    }
    Err(Error::usage(format!("rows go to {LARGEST_ROW} here, and row {row} is asked for")))
}

/// Takes rows in order, and may fail.
pub type Visit<'a> = dyn FnMut(ProvedRow) -> Result<ControlFlow<()>, Error> + 'a;

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

/// Rows to R have about (√2 - 1)/2 · R² cells before they settle.
fn expected_cells(last: u64) -> u64 {
    u64::try_from(u128::from(last) * u128::from(last) * 2071 / 10_000).unwrap_or(u64::MAX)
}

/// A running computation.
pub(crate) struct Computation<'a> {
    last: u64,
    form: HeadForm,
    visit: &'a mut Visit<'a>,
    watch: &'a dyn Watch,
    running: Running<'a>,
    /// How it has ended, if not with the last row.
    pub(crate) ending: Result<(), Error>,
}

impl<'a> Computation<'a> {
    /// Begins it, from this row if it resumes. The time grows with this power of the rows.
    pub(crate) fn begin(
        exponent: f64,
        last: u64,
        form: HeadForm,
        from: Option<u64>,
        watch: &'a dyn Watch,
        visit: &'a mut Visit<'a>,
    ) -> Self {
        if let Some(row) = from {
            let words = format!("resuming from the checkpoint at row {row}");
            watch.event(&Event::Remark(words));
        }
        let all = last + 1;
        let work = Work { unit: "row", all, before: from.unwrap_or(0).min(all), exponent };
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
            Err(error) => self.fail(error),
            Ok(ControlFlow::Continue(()))
                if self.running.at(number + 1).is_break() && number < self.last =>
            {
                self.fail(Error::Interrupted)
            }
            Ok(flow) => flow,
        }
    }

    fn fail(&mut self, error: Error) -> ControlFlow<()> {
        self.ending = Err(error);
        ControlFlow::Break(())
    }
}

impl Visitor for Computation<'_> {
    fn row(&mut self, record: Record, offsets: Option<&[u64]>) -> ControlFlow<()> {
        let row = record.row();
        let record = match offsets.filter(|_| self.form == HeadForm::Offsets) {
            Some(offsets) => record.in_full(offsets),
            None => Some(record),
        };
        match record {
            Some(record) => self.take(record.into()),
            None => self
                .fail(Error::defect(format!("row {row}: its offsets are not those of its record"))),
        }
    }

    fn progress(&mut self, done: Done) {
        self.watch.cells(done.cells, expected_cells(self.last));
    }
}

/// Keeps the cells of one row and of one column.
struct Cross {
    row: u64,
    column: Option<u64>,
    /// Rows, columns and offsets.
    cells: Vec<(u64, u64, u64)>,
}

impl Cross {
    /// Bytes for each row up to its own: of its cells, and of records if they are kept.
    const BYTES: u64 = 200;
}

impl Cells for Cross {
    fn cell(&mut self, q: u64, r: u64, p: u64) {
        if r == self.row || Some(q) == self.column {
            self.cells.push((r, q, p - q));
        }
    }
}
