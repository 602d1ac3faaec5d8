//! The period of rows, against r.

use std::collections::BTreeMap;

use record::{Periodic, Record};

use super::chart::thousandths::{ONE, grouped, whole};
use super::chart::{
    AxisText, Figure, Ink, Label, Page, Panel, Path, Scale, Shades, colour, draw_cells, y_label,
};
use super::row::require_within_reach;
use super::{FigureError, Plot};

/// One strip per period, and one for the finite rows, each with its rows marked along r.
#[derive(Clone, Debug, Default)]
pub struct PeriodsPlot {
    /// The rows of each period; the finite ones have period 0.
    rows: BTreeMap<u64, Vec<u64>>,
}

const LEFT: i64 = 1500;
const RIGHT: i64 = 8700;
/// Right edges of the columns of numbers.
const NUMBER: i64 = 10_100;
const FIRST: i64 = 11_700;
const TOP: i64 = 1300;
const STRIP: i64 = 440;
const GAP: i64 = 150;
/// The least number of strips in the height of the figure: the name of the axis stands beside them.
const LEAST_STRIPS: i64 = 4;
/// Width of a cell of a strip.
const CELL: i64 = 24;
const SIZE: i64 = 270;

impl Plot for PeriodsPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        require_within_reach(record)?;
        let period = record.periodic().map_or(0, Periodic::period);
        self.rows.entry(period).or_default().push(record.row());
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let last = self.rows.values().filter_map(|rows| rows.last().copied()).max();
        let last = last.ok_or(FigureError::Missing { row: 0 })?;
        let mut page = Page::new("Finite rows, and the periods of the others");
        let strips = i64::try_from(self.rows.len()).expect("a number of periods");
        let strips = strips.max(LEAST_STRIPS);
        let panel = Panel {
            x: Scale { least: 0, most: whole(last.max(1)), from: LEFT, to: RIGHT },
            y: Scale { least: 0, most: ONE, from: TOP + GAP + strips * (STRIP + GAP), to: TOP },
        };
        let counts: Vec<(u64, Vec<u64>)> =
            self.rows.iter().map(|(&period, rows)| (period, cells(&panel.x, rows))).collect();
        let largest = counts.iter().flat_map(|(_, cells)| cells).copied().max().unwrap_or(0);
        let shades = Shades::to(largest);
        heading(&mut page);
        for ((period, counts), strip) in counts.iter().zip(0..) {
            let top = TOP + GAP + strip * (STRIP + GAP);
            let cells = shades.of_rows(std::slice::from_ref(counts));
            draw_cells(&mut page, (LEFT, top), (CELL, STRIP), &cells);
            self.name_strip(&mut page, *period, top);
        }
        panel.frame(&mut page);
        let text = AxisText::counts("row r").ticks(6);
        let bottom = panel.x_axis(&mut page, text);
        y_label(&mut page, "period (columns)", panel.y.to, panel.y.from);
        let bottom = page.heading(bottom, "Rows, how many in a cell 0.24 mm wide:");
        let bottom = page.legend(bottom, &shades.legend());
        Ok(page.caption(bottom, &caption(last)))
    }
}

impl PeriodsPlot {
    fn name_strip(&self, page: &mut Page, period: u64, top: i64) {
        let base = top + STRIP / 2 + 95;
        let name = if period == 0 { "finite".to_owned() } else { grouped(period) };
        let rows = &self.rows[&period];
        let first = rows.first().map_or(String::new(), |&row| grouped(row));
        for (class, text, x) in [
            ("y-tick", name, LEFT - 100),
            ("number", grouped(rows.len() as u64), NUMBER),
            ("first", first, FIRST),
        ] {
            page.label(Label::new(class, text, (x, base)).size(SIZE).end());
        }
        let y = top + STRIP + GAP / 2;
        let line = Path::through(&[(LEFT, y), (RIGHT, y)]);
        page.path("strip", line, Ink::Line(colour::GRID, 12));
    }
}

fn heading(page: &mut Page) {
    for (text, x) in [("rows", NUMBER), ("first row", FIRST)] {
        let label = Label::new("heading", text, (x, TOP - 120));
        page.label(label.size(SIZE).end().colour(colour::DARK));
    }
}

/// The number of rows in each cell of a strip.
fn cells(x: &Scale, rows: &[u64]) -> Vec<u64> {
    let number = |length: i64| usize::try_from(length / CELL).expect("a length");
    let mut cells = vec![0; number(RIGHT - LEFT)];
    for &row in rows {
        let place = number(x.place(whole(row)) - LEFT).min(cells.len() - 1);
        cells[place] += 1;
    }
    cells
}

fn caption(last: u64) -> String {
    format!(
        "Rows r = 0 to {} by period, with their number and the first of each kind. Finite rows were \
         computed to their end; every period is the least one, proved by the certificate in the \
         row’s record.",
        grouped(last)
    )
}
