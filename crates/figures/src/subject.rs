//! The figures that have a name, with their numbers and limits, and how each is drawn. The terminal
//! and Python read them here. Comments are the help, as everywhere with clap.

use std::ops::ControlFlow;

use boards::openings::Openings;
use clap::{Args, Command, Subcommand};
use driver::{HeadForm, Record, RowKey, Source, Watch};
use game::notation::within;

use super::row::LARGEST_COLUMN;
use super::{
    Figure, FigureError, LONGEST_SIDE, PeriodsPlot, Plot, SheetPlot, StripsPlot, TablePlot,
    WhyPlot, openings_figure, row_figure, settling_figure,
};

/// The figures of the program.
#[derive(Clone, Debug, Subcommand)]
pub enum Subject {
    /// The P-positions of row R: offset against column, and the lines of Friedman and Landsberg.
    Row(OneRow),
    /// The sheet of row R: instant winners and P-positions, p - q against q - R, and the lines.
    Sheet {
        /// The bottom row.
        #[arg(value_name = "R", value_parser = within::<u64>(0..=SheetPlot::LARGEST_ROW))]
        row: u64,
    },
    /// The table of f(q,r) as in Figure 1 of the 2005 paper, rows coloured by kind.
    Table {
        /// The last row and column.
        #[arg(value_name = "N", value_parser = within::<u64>(0..=TablePlot::LARGEST), default_value = "24")]
        to: u64,
    },
    /// Row R around its start: its offsets settle into the pattern; the columns of its certificate.
    Settling(OneRow),
    /// Periods against r, with the number of rows of each, and the finite rows.
    Periods(ManyRows),
    /// Four strips: D(r), the number of periodic rows less (√2 - 1)(r + 1); and the diagonal,
    /// finite rows and their ends less their lines (2005 paper, section 8).
    Strips(ManyRows),
    /// Why row R has its period: the row among those just below it, its hole, and the balls.
    Why(OneRow),
    /// How many openings of a x b win, a, b <= N: a heat map.
    Openings {
        /// The largest number of rows and columns.
        #[arg(long, value_name = "N", value_parser = within::<u16>(1..=LONGEST_SIDE.into()), default_value = "14")]
        to: u16,
    },
}

/// A figure of one row.
#[derive(Clone, Copy, Debug, Args)]
pub struct OneRow {
    /// The bottom row.
    #[arg(value_name = "R", value_parser = within::<u64>(0..=LARGEST_COLUMN))]
    row: u64,
}

/// A figure of many rows.
#[derive(Clone, Copy, Debug, Args)]
pub struct ManyRows {
    /// The last row; by default 100000, or the last row of the data set.
    #[arg(long, value_name = "N", value_parser = within::<u64>(0..=LARGEST_COLUMN))]
    to: Option<u64>,
}

/// A figure, and the table of its numbers if it has one.
pub type Drawn = (Figure, Option<String>);

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The rows cannot be had.
    #[error(transparent)]
    Rows(#[from] driver::Error),
    /// They cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

impl Subject {
    /// The names of figures that draw no rows of a source.
    pub const NOT_OF_ROWS: [&str; 1] = ["openings"];

    /// The names of figures with a table of the drawn numbers.
    pub const WITH_TABLE: [&str; 1] = ["strips"];

    /// Draws it from the rows of a source.
    ///
    /// # Errors
    /// Those of [`Source::rows`] and of [`Plot`].
    pub fn draw(&self, source: &dyn Source, watch: &dyn Watch) -> Result<Drawn, DrawError> {
        let offsets = HeadForm::Offsets;
        match *self {
            Self::Row(row) => Ok((row_figure(&row.record(source, watch)?)?, None)),
            Self::Sheet { row } => of_rows(SheetPlot::new(row), row, offsets, source, watch),
            Self::Table { to } => of_rows(TablePlot::new(to), to, offsets, source, watch),
            Self::Settling(row) => Ok((settling_figure(&row.record(source, watch)?)?, None)),
            Self::Periods(rows) => rows.draw(PeriodsPlot::default(), source, watch),
            Self::Strips(rows) => rows.draw(StripsPlot::default(), source, watch),
            Self::Why(OneRow { row }) => {
                Ok((WhyPlot::new(driver::explain(source, row, watch)?)?.figure(), None))
            }
            Self::Openings { to } => {
                let solution = driver::solve_in_parts(to, to, None, None, watch)?.0;
                Ok((openings_figure(&Openings::up_to(&solution, to)), None))
            }
        }
    }
}

impl OneRow {
    /// The record of the row, with all offsets.
    fn record(self, source: &dyn Source, watch: &dyn Watch) -> Result<Record, driver::Error> {
        Ok(source.row(&RowKey::of_row(0, self.row), HeadForm::Offsets, watch)?.record)
    }
}

impl ManyRows {
    /// Draws rows for which fingerprints do.
    fn draw(
        self,
        plot: impl Plot,
        source: &dyn Source,
        watch: &dyn Watch,
    ) -> Result<Drawn, DrawError> {
        let last = self.to.or(source.last()).unwrap_or(100_000);
        of_rows(plot, last, HeadForm::Fingerprint, source, watch)
    }
}

/// The words that a program would be given for a figure with these numbers, in the order of its
/// arguments.
pub fn words(name: &str, numbers: &[u64]) -> Vec<String> {
    let command = Subject::augment_subcommands(Command::new("figure"));
    let arguments = command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    let options = arguments.map(|argument| argument.get_long().map(|long| format!("--{long}")));
    let options = options.chain(std::iter::repeat(None));
    let numbers = numbers.iter().zip(options);
    let numbers =
        numbers.flat_map(|(number, option)| option.into_iter().chain([number.to_string()]));
    ["figure".to_owned(), name.to_owned()].into_iter().chain(numbers).collect()
}

/// Draws rows 0 to `last` of a source.
fn of_rows(
    mut plot: impl Plot,
    last: u64,
    form: HeadForm,
    source: &dyn Source,
    watch: &dyn Watch,
) -> Result<Drawn, DrawError> {
    let mut added = Ok(());
    source.rows(last, form, watch, &mut |row| {
        added = plot.add(&row.record);
        if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    added?;
    Ok((plot.figure()?, plot.tsv()))
}
