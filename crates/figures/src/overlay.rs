//! The P-positions of several rows, one over the other, in units of r: as the rows grow, they come
//! closer to one picture, which Friedman and Landsberg observed.

use std::collections::BTreeMap;

use record::{Record, joined};

use super::chart::thousandths::{ONE, grouped};
use super::chart::{AxisText, Entry, Figure, Ink, Page, Panel, Scale, colour};
use super::row::{offsets_in, require_offsets};
use super::{FigureError, Plot};

/// The P-positions (p,q,r) of several rows: (q - r)/r across, and (p - q)/r upwards. Each row has a
/// colour.
#[derive(Clone, Debug)]
pub struct OverlayPlot {
    rows: BTreeMap<u64, Option<Points>>,
}

/// Points in thousandths of r, rounded down.
type Points = Vec<(i64, i64)>;

const TOP: i64 = 850;
const BOTTOM: i64 = 8850;
/// Rows, in ascending order.
const COLOURS: [&str; 5] = [colour::BLUE, colour::VERMILION, "#009e73", "#e69f00", "#cc79a7"];
const DOT: i64 = 60;
/// The end of both axes, in thousandths: the upper line begins at 0.71.
const MOST: i64 = 750;

impl OverlayPlot {
    /// As many rows as there are colours.
    pub const MOST_ROWS: usize = COLOURS.len();

    /// A plot of these rows; it needs the records of these rows only. Row 0 is left out, and so are
    /// the largest rows beyond [`OverlayPlot::MOST_ROWS`].
    pub fn new(rows: impl IntoIterator<Item = u64>) -> Self {
        let rows = rows.into_iter().filter(|&row| row > 0).map(|row| (row, None));
        let all: BTreeMap<u64, Option<Points>> = rows.collect();
        Self { rows: all.into_iter().take(Self::MOST_ROWS).collect() }
    }
}

impl Plot for OverlayPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        if let Some(points) = self.rows.get_mut(&record.row()) {
            require_offsets(record)?;
            *points = Some(points_of(record));
        }
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let mut page = Page::new("Rows one over the other");
        let panel = Panel {
            x: Scale::with_room(0, MOST, 2, Panel::LEFT, Panel::RIGHT),
            y: Scale::with_room(0, MOST, 2, BOTTOM, TOP),
        };
        let text = |label| AxisText { label, ticks: 9, unit: ONE / 10 };
        let (texts, mut entries) = (["(q − r) / r", "(p − q) / r"].map(text), Vec::new());
        panel.grid(&mut page, texts);
        // Small rows have few dots, and are drawn last.
        for ((&row, points), ink) in self.rows.iter().zip(COLOURS).rev() {
            let points = points.as_ref().ok_or(FigureError::Missing { row })?;
            let held = points.iter().copied().filter(|&point| panel.holds(point));
            page.path("dots", panel.dots(held), Ink::Dots(ink, DOT));
            entries.push(Entry::new(Ink::Dots(ink, 110), format!("row {}", grouped(row))));
        }
        let bottom = panel.frame_and_axes(&mut page, texts);
        let bottom = page.legend(bottom, &entries);
        let names = joined(self.rows.keys().map(|&row| grouped(row)), ", ");
        let caption = format!(
            "P-positions (p, q, r) of the rows r = {names}, in units of r. That they come closer to \
             one picture as r grows is observed (Friedman and Landsberg), not proved."
        );
        Ok(page.caption(bottom, &caption))
    }
}

/// The positions to the right edge of the panel.
fn points_of(record: &Record) -> Points {
    let row = record.row();
    let scaled = |n: u64| i64::try_from(n * 1000 / row).unwrap_or(i64::MAX);
    let columns = (row..).take_while(|q| scaled(q - row) <= MOST);
    let points = offsets_in(record, columns);
    points.map(|(q, offset)| (scaled(q - row), scaled(offset))).collect()
}

#[cfg(test)]
mod tests {
    use game::brouwer::Table;

    use super::*;
    use crate::row::tests::record_of;

    /// In row 250 a square is four thousandths of r: the points are those of Brouwer's table.
    #[test]
    fn points_are_p_positions_in_units_of_r() {
        let table = Table::up_to(438);
        let expected = table.row(250).map(|at| (4 * (at.q() - 250), 4 * (at.p() - at.q())));
        let mut expected: Vec<(u64, u64)> = expected.filter(|(y, _)| *y <= 750).collect();
        expected.sort_unstable();
        let found = points_of(&record_of(250));
        let found: Vec<(u64, u64)> =
            found.iter().map(|&(y, z)| (y.cast_unsigned(), z.cast_unsigned())).collect();
        assert_eq!(found, expected);
        assert!(found.len() > 75);
    }

    #[test]
    fn a_row_that_was_not_taken_is_missing() {
        let mut plot = OverlayPlot::new([0, 120, 40]);
        plot.add(&record_of(40)).unwrap();
        assert!(matches!(plot.figure(), Err(FigureError::Missing { row: 120 })));
        plot.add(&record_of(120)).unwrap();
        let svg = plot.figure().unwrap().svg();
        assert_eq!(svg.matches("class=\"dots\"").count(), 2);
    }
}
