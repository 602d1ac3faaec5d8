//! The diagonal along its line.

use figures::chart::Figure;
use figures::chart::thousandths::{grouped, half_root_two, minus, whole};
use figures::{FigureError, Plot, Trend, require_within_reach};
use record::Record;

/// `d_n - αn` against n, α = 1 + 1/√2 (2005 paper, section 8.4).
#[derive(Default)]
pub struct DiagonalPlot {
    points: Vec<(i64, i64)>,
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
