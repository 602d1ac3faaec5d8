//! Figures of rows, each with the records that it needs.

use std::fmt;

use record::{HeadForm, Record};

use crate::{
    DensitiesPlot, DiagonalPlot, Figure, FigureError, PeriodsPlot, Plot, QueuePlot, RowPlot,
    SettlingPlot, SheetPlot, StartsPlot, StripsPlot, TablePlot,
};

/// A figure of rows before it is drawn: which records it needs, and those that it has taken.
pub struct Sketch {
    name: &'static str,
    first: u64,
    last: u64,
    form: HeadForm,
    plot: Box<dyn Plot>,
}

impl Sketch {
    /// A [`RowPlot`] of this row.
    #[must_use]
    pub fn row(row: u64) -> Self {
        Self::in_full("row", (row, row), RowPlot::new(row))
    }

    /// A [`SheetPlot`] of this row.
    #[must_use]
    pub fn sheet(row: u64) -> Self {
        Self::in_full("sheet", (0, row), SheetPlot::new(row))
    }

    /// A [`TablePlot`] of rows and columns 0 to `last`.
    #[must_use]
    pub fn table(last: u64) -> Self {
        Self::in_full("table", (0, last), TablePlot::new(last))
    }

    /// A [`SettlingPlot`] of this row.
    #[must_use]
    pub fn settling(row: u64) -> Self {
        Self::in_full("settling", (row, row), SettlingPlot::new(row))
    }

    /// A [`DiagonalPlot`] of rows 0 to `last`.
    #[must_use]
    pub fn diagonal(last: u64) -> Self {
        Self::to(last, "diagonal", DiagonalPlot::default())
    }

    /// A [`StartsPlot`] of rows 0 to `last`.
    #[must_use]
    pub fn starts(last: u64) -> Self {
        Self::to(last, "starts", StartsPlot::default())
    }

    /// A [`PeriodsPlot`] of rows 0 to `last`.
    #[must_use]
    pub fn periods(last: u64) -> Self {
        Self::to(last, "periods", PeriodsPlot::default())
    }

    /// A [`StripsPlot`] of rows 0 to `last`.
    #[must_use]
    pub fn strips(last: u64) -> Self {
        Self::to(last, "strips", StripsPlot::default())
    }

    /// A [`QueuePlot`] of rows 0 to `last`.
    #[must_use]
    pub fn queue(last: u64) -> Self {
        Self::to(last, "queue", QueuePlot::default())
    }

    /// A [`DensitiesPlot`] of rows 0 to `last`.
    #[must_use]
    pub fn densities(last: u64) -> Self {
        Self::to(last, "densities", DensitiesPlot::default())
    }

    /// A figure that draws the offsets of these rows.
    fn in_full(name: &'static str, (first, last): (u64, u64), plot: impl Plot + 'static) -> Self {
        Self { name, first, last, form: HeadForm::Offsets, plot: Box::new(plot) }
    }

    /// A figure of rows 0 to `last` for which fingerprints do.
    fn to(last: u64, name: &'static str, plot: impl Plot + 'static) -> Self {
        Self { name, first: 0, last, form: HeadForm::Fingerprint, plot: Box::new(plot) }
    }

    /// The name of the figure, which is the name of the function here.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The last row that it needs.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The form of heads that it needs.
    #[must_use]
    pub fn form(&self) -> HeadForm {
        self.form
    }

    /// Whether it needs one row only.
    #[must_use]
    pub fn is_of_one_row(&self) -> bool {
        self.first == self.last
    }

    /// Takes the next record. Rows that it does not need are ignored.
    ///
    /// # Errors
    /// As [`Plot::add`].
    pub fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        let is_needed = (self.first..=self.last).contains(&record.row());
        if is_needed { self.plot.add(record) } else { Ok(()) }
    }

    /// Draws the records taken.
    ///
    /// # Errors
    /// As [`Plot::figure`].
    pub fn figure(&self) -> Result<Figure, FigureError> {
        self.plot.figure()
    }

    /// The drawn numbers: see [`Plot::tsv`].
    #[must_use]
    pub fn tsv(&self) -> Option<String> {
        self.plot.tsv()
    }
}

impl fmt::Debug for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { name, first, last, form, .. } = self;
        write!(f, "{name} of rows {first} to {last}, {form:?}")
    }
}
