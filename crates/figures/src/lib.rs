//! Pictures of rows and of posets, as SVG with the same bytes on every machine.
//!
//! With the feature `subjects`, `subject` lists the figures that have a name, each with its
//! numbers, their limits, and how it is drawn from a source of rows. The terminal and Python read
//! this list.
//!
//! A [`Plot`] takes records in row order and then draws a [`Figure`]. Statements in captions come
//! from records. Those that were only observed, such as the lines of Friedman and Landsberg, say
//! so.
//!
//! | plot | what | needs |
//! |---|---|---|
//! | [`SheetPlot`] | the sheet of one row: its P-positions and the p that the rows below leave free | offsets |
//! | [`TablePlot`] | `f(q,r)` as in Figure 1 of the 2005 paper | offsets |
//! | [`OverlayPlot`] | several rows, one over the other, in units of r | offsets |
//! | [`PeriodsPlot`] | period against r | fingerprints do |
//! | [`StripsPlot`] | D(r), `d_n - αn`, `r_n - αn`, `q_n - βn` | fingerprints do |
//!
//! [`row_figure`] draws the offsets of one row against its columns, [`settling_figure`] those
//! around its start. A [`WhyPlot`] takes the explanation of a row, and draws it among the rows just
//! below. A [`BoardPlot`] draws a board of any number of rows, with its winning bites or a
//! strategy; it needs no records. [`openings_figure`] draws the number of winning openings of
//! rectangles. `chart` has the parts of which figures are made.
//!
//! Writing files does not belong here.

mod board;
mod chart;
mod openings;
mod overlay;
mod periods;
mod row;
mod settling;
mod sheet;
mod strips;
#[cfg(feature = "subjects")]
pub mod subject;
mod table;
mod why;

pub use board::{BoardPlot, Poison};
pub use chart::Figure;
pub use openings::{LONGEST_SIDE, openings_figure};
pub use overlay::OverlayPlot;
pub use periods::PeriodsPlot;
pub use row::row_figure;
pub use settling::settling_figure;
pub use sheet::{Part, SheetPlot};
pub use strips::StripsPlot;
pub use table::TablePlot;
pub use why::WhyPlot;

use record::Record;

/// A picture that takes records, then is drawn.
pub trait Plot {
    /// Takes the record of the next row; rows come in order, from row 0.
    ///
    /// # Errors
    /// [`FigureError::NoOffsets`] if the plot needs offsets and the record has a fingerprint;
    /// [`FigureError::TooFar`].
    fn add(&mut self, record: &Record) -> Result<(), FigureError>;

    /// Draws the records taken.
    ///
    /// # Errors
    /// [`FigureError::Missing`] if a row that the figure needs was not taken,
    /// [`FigureError::NoPattern`], and [`FigureError::TooFar`].
    fn figure(&self) -> Result<Figure, FigureError>;

    /// The drawn numbers, tab-separated, with a header line, if the plot has such a table.
    fn tsv(&self) -> Option<String> {
        None
    }
}

/// Why there is no figure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// A record without the offsets of the figure.
    #[error(
        "the record of row {row} has a fingerprint instead of its offsets, which this figure draws; \
         use records with all offsets"
    )]
    NoOffsets {
        /// The row.
        row: u64,
    },
    /// A row that was not among the records.
    #[error("there is no record of row {row}, which this figure draws")]
    Missing {
        /// The row.
        row: u64,
    },
    /// A finite row has no pattern to settle into.
    #[error("row {row} is finite: it ends in column {last} and settles into no pattern")]
    NoPattern {
        /// The row.
        row: u64,
        /// Its last column.
        last: u64,
    },
    /// Numbers too large for a figure.
    #[error("row {row} goes to column {column}, and this figure to column {largest} at most")]
    TooFar {
        /// The row.
        row: u64,
        /// A column in its record.
        column: u64,
        /// The last one that can be drawn.
        largest: u64,
    },
    /// A board whose squares would be too small.
    #[error(
        "boards are drawn to {largest} rows and columns, and this one has {rows} and {columns}"
    )]
    LargeBoard {
        /// Its rows.
        rows: u16,
        /// Its columns.
        columns: u16,
        /// The most rows and columns.
        largest: u16,
    },
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::row::tests::record_of;
    use super::*;

    #[test]
    fn no_text_is_cut_by_the_edge_of_the_page() {
        let (mut periods, mut table, mut sheet) =
            (PeriodsPlot::default(), TablePlot::new(30), SheetPlot::new(30));
        let mut visit = |record: Record| {
            periods.add(&record).unwrap();
            ControlFlow::Continue(())
        };
        sweep::band::rows(12_000, sweep::band::Options::default(), &mut visit).unwrap();
        for row in 0..=30 {
            table.add(&record_of(row)).unwrap();
            sheet.add(&record_of(row)).unwrap();
        }
        let record = record_of(2027);
        for figure in [row_figure(&record).unwrap(), settling_figure(&record).unwrap()] {
            assert_eq!(figure.cut_texts(), [""; 0], "{}", figure.title);
        }
        let mut strips = StripsPlot::default();
        let mut explainer = cascade::why::Explainer::default();
        let mut why = Vec::new();
        for record in fixtures::rows_in_full(2028) {
            strips.add(&record).unwrap();
            why.extend(explainer.add(&record, |row| [120, 892, 2027].contains(&row.row)));
        }
        for explanation in why {
            let figure = WhyPlot::new(explanation).unwrap().figure();
            assert_eq!(figure.cut_texts(), [""; 0], "{}", figure.title);
        }
        let plots: [&dyn Plot; 4] = [&periods, &table, &sheet, &strips];
        for plot in plots {
            let figure = plot.figure().unwrap();
            assert_eq!(figure.cut_texts(), [""; 0], "{}", figure.title);
        }
    }
}
