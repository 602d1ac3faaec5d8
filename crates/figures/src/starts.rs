//! Where the periodic rows start, along a line.

use census::Excess;
use record::{Periodic, Record};

use super::chart::thousandths::{grouped, minus_sign, whole};
use super::chart::{AxisText, Cloud, Figure, Page, Panel, Scale};
use super::{FigureError, Plot, require_within_reach};

/// `start - √2·r` against r, for the periodic rows.
#[derive(Clone, Debug, Default)]
pub struct StartsPlot {
    starts: Vec<Excess>,
    last: u64,
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
        let point = |start: &Excess| (whole(start.row), start.distance().floor_of(1000));
        let points: Vec<(i64, i64)> = self.starts.iter().map(point).collect();
        let heights = points.iter().map(|point| point.1);
        let (low, high) = heights.fold((0, 1000), |(a, b), y| (a.min(y), b.max(y)));
        let mut page = Page::new("Where periodic rows start");
        let x = Scale::of_rows(self.last);
        let panel = Panel { x, y: Scale::with_room(low, high, 4, 6610, 850) };
        let x_text = AxisText::counts("row r").ticks(7);
        let y_text = AxisText::counts("start − √2·r (columns)").fractions();
        let cloud = Cloud::of(&panel, &points);
        let bottom = panel.draw(&mut page, (x_text, y_text), |page| cloud.draw(page));
        let bottom = cloud.legend(&mut page, bottom, "Periodic rows", Vec::new());
        let caption = format!(
            "The start of every periodic row less √2·r, for rows r = 0 to {}: {} rows, each proved \
             periodic by the certificate in its record. It is at least {} (row {}), at most {} \
             (row {}).",
            grouped(self.last),
            grouped(self.starts.len() as u64),
            minus_sign(&least.distance().down(3)),
            grouped(least.row),
            minus_sign(&largest.distance().up(3)),
            grouped(largest.row),
        );
        Ok(page.caption(bottom, &caption))
    }
}
