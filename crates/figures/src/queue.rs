//! By how many the periodic rows of an interval exceed its finite ones (`proofs/cascade.md`, 5.2).

use record::{Record, Statement};

use super::axes::{AxisText, Panel, Scale};
use super::legend::{self, Entry};
use super::page::{Ink, Page, colour};
use super::thousandths::{grouped, minus, root_two, whole};
use super::{Figure, FigureError, Plot, require_within_reach, table_line};

/// The largest and the least excess of periodic rows over finite ones, against the number of rows
/// of the interval, for intervals to 60 rows.
#[derive(Clone, Debug)]
pub struct QueuePlot {
    /// The excess of rows 0 to r - 1, for r = 0, 1, ...; the last `LONGEST` of these.
    sums: Vec<i64>,
    rows: u64,
    lengths: Vec<Length>,
}

/// The intervals with one number of rows.
#[derive(Clone, Copy, Debug, Default)]
struct Length {
    largest: i64,
    /// The intervals with that excess, and the last row of the first of them.
    intervals: u64,
    first_to: u64,
    least: i64,
}

/// The longest intervals.
const LONGEST: usize = 60;
const LARGEST: Ink = Ink::Line(colour::VERMILION, 40);
const LEAST: Ink = Ink::Line(colour::BLUE, 40);
const MEAN: Ink = Ink::Dashes(colour::DARK, 30, "150 90");

impl Default for QueuePlot {
    fn default() -> Self {
        Self { sums: vec![0], rows: 0, lengths: Vec::new() }
    }
}

impl Plot for QueuePlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        require_within_reach(record)?;
        let step = if let Statement::Periodic(_) = record.statement() { 1 } else { -1 };
        let sum = self.sums.last().copied().unwrap_or(0) + step;
        // The interval of n rows to this one has the excess `sum - sums[len - n]`.
        for (place, before) in self.sums.iter().rev().enumerate() {
            let excess = sum - before;
            match self.lengths.get_mut(place) {
                Some(length) => length.add(excess, record.row()),
                None => self.lengths.push(Length::of(excess, record.row())),
            }
        }
        self.sums.push(sum);
        if self.sums.len() > LONGEST {
            self.sums.remove(0);
        }
        self.rows = record.row() + 1;
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let last = self.rows.checked_sub(1).ok_or(FigureError::Missing { row: 0 })?;
        let mut page = Page::new("Periodic rows less finite rows");
        let least = self.lengths.iter().map(|length| length.least).min().unwrap_or(0);
        let largest = self.lengths.iter().map(|length| length.largest).max().unwrap_or(1);
        let longest = whole(self.lengths.len() as u64);
        let panel = Panel {
            x: Scale { least: 0, most: longest, from: Panel::LEFT, to: Panel::RIGHT - 600 },
            y: Scale::with_room(least * 1000, largest * 1000, 6, 6610, 850),
        };
        let x_text = AxisText { ticks: 7, ..AxisText::counts("rows of the interval") };
        let y_text = AxisText::counts("periodic rows − finite rows");
        panel.grid(&mut page, x_text, y_text);
        let points = |of: fn(&Length) -> i64| -> Vec<(i64, i64)> {
            let lengths = (1..).zip(&self.lengths);
            lengths.map(|(n, length)| (whole(n), of(length) * 1000)).collect()
        };
        let mean = |n: u64| minus(whole(3 * n), 2 * root_two(n));
        let end = (longest, -mean(self.lengths.len() as u64));
        page.path("mean", panel.path(&[(0, 0), end]), MEAN);
        page.path("largest", panel.path(&points(|length| length.largest)), LARGEST);
        page.path("least", panel.path(&points(|length| length.least)), LEAST);
        panel.frame(&mut page);
        panel.y_axis(&mut page, y_text);
        let bottom = panel.x_axis(&mut page, x_text);
        let entries = [
            Entry::new(LARGEST, "largest"),
            Entry::new(LEAST, "least"),
            Entry::new(MEAN, "mean, if the density of periodic rows is √2 − 1"),
        ];
        let bottom = legend::draw(&mut page, bottom, &entries);
        let (excess, rows, first_to) = self.largest();
        let caption = format!(
            "The number of periodic rows less the number of finite rows, in all intervals of \
             successive rows from 0 to {}. The largest is {excess}, first in the {rows} rows to row \
             {}. A row with h ≥ 2 would end an interval with excess 3 or more. That the curves stay \
             at a bounded distance from the line is observed, not proved.",
            grouped(last),
            grouped(first_to)
        );
        Ok(page.caption(bottom, &caption))
    }

    /// The drawn numbers, tab-separated: rows of the interval, largest excess, intervals that have
    /// it, last row of the first of these, least excess.
    fn tsv(&self) -> Option<String> {
        let mut text = "rows\tlargest\tintervals\tfirst_to\tleast\n".to_owned();
        for (rows, length) in (1..).zip(&self.lengths) {
            let Length { largest, intervals, first_to, least } = length;
            table_line(
                &mut text,
                format_args!("{rows}\t{largest}\t{intervals}\t{first_to}\t{least}"),
            );
        }
        Some(text)
    }
}

impl QueuePlot {
    /// The largest excess of all intervals, the rows of the first one that has it, and its last
    /// row.
    fn largest(&self) -> (i64, u64, u64) {
        let lengths = (1..).zip(&self.lengths);
        let of = |(rows, length): (u64, &Length)| (length.largest, rows, length.first_to);
        let earlier = |&(excess, rows, to): &(i64, u64, u64)| {
            (excess, std::cmp::Reverse(to), std::cmp::Reverse(rows))
        };
        lengths.map(of).max_by_key(earlier).unwrap_or_default()
    }
}

impl Length {
    fn of(excess: i64, row: u64) -> Self {
        Self { largest: excess, intervals: 1, first_to: row, least: excess }
    }

    fn add(&mut self, excess: i64, row: u64) {
        self.least = self.least.min(excess);
        if excess > self.largest {
            *self = Self { least: self.least, ..Self::of(excess, row) };
        } else if excess == self.largest {
            self.intervals += 1;
        }
    }
}
