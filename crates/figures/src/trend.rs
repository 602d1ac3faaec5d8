//! Sequences that seem to grow along a line, and their distance from it.

use census::Excess;
use record::{Record, Statement};

use super::axes::{AxisText, Panel, Scale};
use super::density::Cloud;
use super::legend::Entry;
use super::page::{Ink, Page, colour};
use super::thousandths::{grouped, half_root_two, minus, root_two, whole};
use super::{Figure, FigureError, Plot, require_within_reach};

/// `d_n - αn` against n, α = 1 + 1/√2 (2005 paper, section 8.4).
#[derive(Clone, Debug, Default)]
pub struct DiagonalPlot {
    points: Vec<(i64, i64)>,
}

/// `start - √2·r` against r, for the periodic rows.
#[derive(Clone, Debug, Default)]
pub struct StartsPlot {
    points: Vec<(i64, i64)>,
    last: u64,
    extremes: Option<(Excess, Excess)>,
}

impl Plot for DiagonalPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        require_within_reach(record)?;
        let n = record.row();
        let value = minus(whole(record.diagonal() - n), half_root_two(n));
        self.points.push((whole(n), value));
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let rows = self.points.len() as u64;
        let last = rows.checked_sub(1).ok_or(FigureError::Missing { row: 0 })?;
        let trend = Trend {
            title: "The diagonal along its line",
            x_label: "row n",
            y_label: "dₙ − αn (squares)",
            what: "Rows n",
            points: &self.points,
            last,
            // 2005 paper, section 8.4.
            bounds: &[
                (-1242, "−1.242 and 2.141: bounds of the 2005 paper, n < 100\u{202f}000"),
                (2141, ""),
            ],
        };
        Ok(trend.figure(&format!(
            "The diagonal value dₙ = f(n, n) less αn, α = 1 + 1/√2, for rows n = 0 to {}; every dₙ \
             was computed, and that they follow the line is observed, not proved.",
            grouped(last)
        )))
    }
}

impl Plot for StartsPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        require_within_reach(record)?;
        self.last = record.row();
        if let Statement::Periodic(periodic) = record.statement() {
            let (row, start) = (periodic.row, periodic.start);
            self.points.push((whole(row), minus(whole(start), root_two(row))));
            let excess = Excess { row, start };
            let (least, largest) = self.extremes.unwrap_or((excess, excess));
            self.extremes = Some((least.min(excess), largest.max(excess)));
        }
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let (least, largest) = self.extremes.ok_or(FigureError::Missing { row: 0 })?;
        let trend = Trend {
            title: "Where periodic rows start",
            x_label: "row r",
            y_label: "start − √2·r (columns)",
            what: "Periodic rows",
            points: &self.points,
            last: self.last,
            bounds: &[],
        };
        Ok(trend.figure(&format!(
            "The start of every periodic row less √2·r, for rows r = 0 to {}: {} rows, each proved \
             periodic by the certificate in its record. It is at least {} (row {}), at most {} \
             (row {}).",
            grouped(self.last),
            grouped(self.points.len() as u64),
            minus_sign(&least.distance().down(3)),
            grouped(least.row),
            minus_sign(&largest.distance().up(3)),
            grouped(largest.row),
        )))
    }
}

/// As it is written in a text.
pub(super) fn minus_sign(number: &impl ToString) -> String {
    number.to_string().replace('-', "−")
}

/// Points near a horizontal line.
struct Trend<'a> {
    title: &'a str,
    x_label: &'a str,
    y_label: &'a str,
    what: &'a str,
    points: &'a [(i64, i64)],
    last: u64,
    /// Published bounds, with their text.
    bounds: &'a [(i64, &'a str)],
}

const BOUND: Ink = Ink::Dashes(colour::VERMILION, 30, "150 90");

impl Trend<'_> {
    fn figure(&self, caption: &str) -> Figure {
        let mut page = Page::new(self.title);
        let heights = || {
            self.points.iter().map(|point| point.1).chain(self.bounds.iter().map(|bound| bound.0))
        };
        let (least, most) = (heights().min().unwrap_or(0), heights().max().unwrap_or(0));
        let last = whole(self.last.max(1));
        let panel = Panel {
            x: Scale { least: 0, most: last, from: Panel::LEFT, to: Panel::RIGHT - 600 },
            y: Scale::with_room(least.min(0), most.max(1000), 4, 6610, 850),
        };
        let x_text = AxisText { ticks: 7, ..AxisText::counts(self.x_label) };
        let y_text = AxisText { unit: 1, ..AxisText::counts(self.y_label) };
        panel.grid(&mut page, x_text, y_text);
        let cloud = Cloud::draw(&mut page, &panel, self.points);
        for &(bound, _) in self.bounds {
            page.path("bound", panel.path(&[(0, bound), (last, bound)]), BOUND);
        }
        panel.frame(&mut page);
        panel.y_axis(&mut page, y_text);
        let bottom = panel.x_axis(&mut page, x_text);
        let said = self.bounds.iter().filter(|bound| !bound.1.is_empty());
        let bounds = said.map(|bound| Entry::new(BOUND, bound.1)).collect();
        let bottom = cloud.legend(&mut page, bottom, self.what, bounds);
        page.caption(bottom, caption)
    }
}
