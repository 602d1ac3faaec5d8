//! Sequences that seem to grow along a line, and their distance from it.

use census::Excess;
use record::{Periodic, Record};

use super::chart::thousandths::{grouped, minus_sign, whole};
use super::chart::{AxisText, Cloud, Entry, Figure, Ink, Page, Panel, Scale, colour};
use super::{FigureError, Plot, require_within_reach};

/// `start - √2·r` against r, for the periodic rows.
#[derive(Clone, Debug, Default)]
pub struct StartsPlot {
    starts: Vec<Excess>,
    last: u64,
}

/// `start - √2·r` as the height of a point, rounded down.
#[must_use]
pub fn height(excess: Excess) -> i64 {
    excess.distance().floor_of(1000)
}

impl Plot for StartsPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        require_within_reach(record)?;
        self.last = record.row();
        let start = |periodic: &Periodic| Excess { row: periodic.row, start: periodic.start };
        self.starts.extend(record.periodic().map(start));
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let ends = self.starts.iter().min().zip(self.starts.iter().max());
        let (least, largest) = ends.ok_or(FigureError::Missing { row: 0 })?;
        let points = self.starts.iter().map(|&start| (whole(start.row), height(start)));
        let trend = Trend {
            title: "Where periodic rows start",
            x_label: "row r",
            y_label: "start − √2·r (columns)",
            what: "Periodic rows",
            points: &points.collect::<Vec<_>>(),
            last: self.last,
            bounds: &[],
        };
        Ok(trend.figure(&format!(
            "The start of every periodic row less √2·r, for rows r = 0 to {}: {} rows, each proved \
             periodic by the certificate in its record. It is at least {} (row {}), at most {} \
             (row {}).",
            grouped(self.last),
            grouped(self.starts.len() as u64),
            minus_sign(&least.distance().down(3)),
            grouped(least.row),
            minus_sign(&largest.distance().up(3)),
            grouped(largest.row),
        )))
    }
}

/// Points near a horizontal line.
#[derive(Clone, Copy, Debug)]
pub struct Trend<'a> {
    /// The title of the figure.
    pub title: &'a str,
    /// The label of the rows.
    pub x_label: &'a str,
    /// The label of the distance.
    pub y_label: &'a str,
    /// The name of the points.
    pub what: &'a str,
    /// The points, in row order.
    pub points: &'a [(i64, i64)],
    /// The last row.
    pub last: u64,
    /// Published bounds, with their text.
    pub bounds: &'a [(i64, &'a str)],
}

const BOUND: Ink = Ink::Dashes(colour::VERMILION, 30, "150 90");

impl Trend<'_> {
    /// Draws them with this caption.
    pub fn figure(&self, caption: &str) -> Figure {
        let mut page = Page::new(self.title);
        let bounds = self.bounds.iter().map(|bound| bound.0);
        let heights = self.points.iter().map(|point| point.1).chain(bounds);
        let (least, most) = heights.fold((0, 1000), |(a, b), y| (a.min(y), b.max(y)));
        let x = Scale::of_rows(self.last);
        let panel = Panel { x, y: Scale::with_room(least, most, 4, 6610, 850) };
        let x_text = AxisText::counts(self.x_label).ticks(7);
        let y_text = AxisText::counts(self.y_label).fractions();
        let cloud = Cloud::of(&panel, self.points);
        let bottom = panel.draw(&mut page, (x_text, y_text), |page| {
            cloud.draw(page);
            for &(bound, _) in self.bounds {
                page.path("bound", panel.path(&[(0, bound), (x.most, bound)]), BOUND);
            }
        });
        let said = self.bounds.iter().filter(|bound| !bound.1.is_empty());
        let bounds = said.map(|bound| Entry::new(BOUND, bound.1)).collect();
        let bottom = cloud.legend(&mut page, bottom, self.what, bounds);
        page.caption(bottom, caption)
    }
}
