//! By how many the periodic rows of an interval exceed its finite ones, and the queue of
//! `proofs/cascade.md`, 5.2.

use std::cmp::Reverse;

use census::Surd;
use census::statistics::{Occurrences, Statistics};
use record::Record;

use super::chart::thousandths::{grouped, whole};
use super::chart::{
    AxisText, Entry, Figure, Ink, Label, Page, Panel, Path, Scale, colour, y_label,
};
use super::{FigureError, Plot, require_within_reach};

/// The largest and the least excess of periodic rows over finite ones, against the number of rows
/// of the interval, for intervals to 60 rows; and the periodic rows by Δ and by h.
#[derive(Clone, Debug)]
pub struct QueuePlot {
    /// The excess of rows 0 to r - 1, for r = 0, 1, ...; the last `LONGEST` of these.
    sums: Vec<i64>,
    lengths: Vec<Length>,
    statistics: Statistics,
}

/// For each number, the rows that have it, and the first of them.
type Tally = Vec<(i64, u64, u64)>;

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
/// The edges of the two panels of bars, and their height.
const BARS: [(i64, i64); 2] = [(Panel::LEFT, 5950), (6850, Panel::RIGHT - 600)];
const BAR: Ink = Ink::Fill(colour::BLUE);
const HEIGHT: i64 = 1900;

impl Default for QueuePlot {
    fn default() -> Self {
        Self { sums: vec![0], lengths: Vec::new(), statistics: Statistics::default() }
    }
}

impl Plot for QueuePlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        require_within_reach(record)?;
        let next = self.statistics.rows;
        if record.row() != next {
            return Err(FigureError::Missing { row: next });
        }
        self.statistics.add(record);
        let (row, step) = (record.row(), if record.periodic().is_some() { 1 } else { -1 });
        let sum = self.sums.last().copied().unwrap_or(0) + step;
        // The interval of n rows to this one has the excess `sum - sums[len - n]`.
        for (place, before) in self.sums.iter().rev().enumerate() {
            let excess = sum - before;
            match self.lengths.get_mut(place) {
                Some(length) => length.add(excess, row),
                None => self.lengths.push(Length::of(excess, row)),
            }
        }
        self.sums.push(sum);
        if self.sums.len() > LONGEST {
            self.sums.remove(0);
        }
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let last = self.statistics.rows.checked_sub(1).ok_or(FigureError::Missing { row: 0 })?;
        let mut page = Page::new("Periodic rows less finite rows");
        let top = self.intervals(&mut page) + 500;
        let names = ["difference to the next one", "h"];
        for (((_, tally), name), edges) in self.tallies().iter().zip(names).zip(BARS) {
            draw(&mut page, tally, edges, top, name);
        }
        y_label(&mut page, "periodic rows", top, top + HEIGHT);
        let (excess, rows, first_to) = self.largest();
        let caption = format!(
            "The number of periodic rows less the number of finite rows, in all intervals of \
             successive rows from 0 to {}. The largest is {excess}, first in the {rows} rows to row \
             {}. A row with h ≥ 2 would end an interval with excess 3 or more. That the curves stay \
             at a bounded distance from the line is observed, not proved. Below, the number of \
             periodic rows by the difference to the next one, and by h, the length of the queue.",
            grouped(last),
            grouped(first_to)
        );
        Ok(page.caption(top + HEIGHT + 920, &caption))
    }

    /// The drawn numbers, tab-separated. For intervals: their rows, the largest excess, the
    /// intervals that have it, the last row of the first of these, and the least excess. For Δ and
    /// h: the number, the periodic rows that have it, and the first of these.
    fn tsv(&self) -> Option<String> {
        let mut lines = vec!["of\tnumber\tlargest\tcount\tfirst\tleast\n".to_owned()];
        for (rows, length) in (1..).zip(&self.lengths) {
            let Length { largest, intervals, first_to, least } = length;
            lines.push(format!("rows\t{rows}\t{largest}\t{intervals}\t{first_to}\t{least}\n"));
        }
        for (name, tally) in self.tallies() {
            for (number, count, first) in tally {
                lines.push(format!("{name}\t{number}\t\t{count}\t{first}\t\n"));
            }
        }
        Some(lines.concat())
    }
}

impl QueuePlot {
    /// The periodic rows by Δ and by h.
    fn tallies(&self) -> [(&'static str, Tally); 2] {
        let Statistics { periodic, summary, .. } = &self.statistics;
        let differences = periodic.differences.iter().map(|(&n, found)| (n.cast_signed(), found));
        let holes = summary.holes.rows.iter().map(|(&h, found)| (h, found));
        let tally = |(number, found): (i64, &Occurrences<u64>)| {
            (number, found.number, found.first.unwrap_or(0))
        };
        [("Δ", differences.map(tally).collect()), ("h", holes.map(tally).collect())]
    }

    /// The excess in intervals. Returns its lower end.
    fn intervals(&self, page: &mut Page) -> i64 {
        let least = self.lengths.iter().map(|length| length.least).min().unwrap_or(0);
        let largest = self.lengths.iter().map(|length| length.largest).max().unwrap_or(1);
        let x = Scale::of_rows(self.lengths.len() as u64);
        let panel = Panel { x, y: Scale::with_room(least * 1000, largest * 1000, 6, 6610, 850) };
        let x_text = AxisText::counts("rows of the interval").ticks(7);
        let y_text = AxisText::counts("periodic rows − finite rows");
        let points = |of: fn(&Length) -> i64| -> Vec<(i64, i64)> {
            let lengths = (1..).zip(&self.lengths);
            lengths.map(|(n, length)| (whole(n), of(length) * 1000)).collect()
        };
        let mean = |n: u64| Surd::from_line(3 * n, Surd::new(0, 4), n).floor_of(1000);
        let end = (x.most, -mean(self.lengths.len() as u64));
        let bottom = panel.draw(page, (x_text, y_text), |page| {
            page.path("mean", panel.path(&[(0, 0), end]), MEAN);
            page.path("largest", panel.path(&points(|length| length.largest)), LARGEST);
            page.path("least", panel.path(&points(|length| length.least)), LEAST);
        });
        let entries = [
            Entry::new(LARGEST, "largest"),
            Entry::new(LEAST, "least"),
            Entry::new(MEAN, "mean, if the density of periodic rows is √2 − 1"),
        ];
        page.legend(bottom, &entries)
    }

    /// The largest excess of all intervals, the rows of the first one that has it, and its last
    /// row.
    fn largest(&self) -> (i64, u64, u64) {
        let lengths = (1..).zip(&self.lengths);
        let of = |(rows, length): (u64, &Length)| (length.largest, rows, length.first_to);
        let order = |&(excess, rows, to): &(i64, u64, u64)| (Reverse(excess), to, rows);
        lengths.map(of).min_by_key(order).unwrap_or_default()
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

/// Draws a bar for each number, with its rows above it.
fn draw(page: &mut Page, tally: &[(i64, u64, u64)], (from, to): (i64, i64), top: i64, name: &str) {
    let number = |place: Option<&(i64, u64, u64)>| place.map_or(0, |&(number, ..)| number);
    let (least, most) = (number(tally.first()), number(tally.last()));
    let largest = tally.iter().map(|&(_, count, _)| count).max().unwrap_or(1);
    let panel = Panel {
        x: Scale::new((least - 1) * 1000, (most + 1) * 1000, from, to),
        y: Scale::new(0, whole(largest) * 6 / 5, top + HEIGHT, top),
    };
    let width = (to - from) / (most - least + 2) * 3 / 5;
    let mut bars = Path::default();
    for &(number, count, _) in tally {
        let (x, y) = panel.place((number * 1000, whole(count)));
        bars.rectangle((x - width / 2, y), width, panel.y.from - y);
        page.label(Label::new("count", grouped(count), (x, y - 70)).size(230).middle());
    }
    page.path("bars", bars, BAR);
    panel.frame(page);
    panel.x_axis(page, AxisText::counts(name).ticks(12));
}
