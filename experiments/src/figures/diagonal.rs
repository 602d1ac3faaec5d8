//! The diagonal along its line.

use census::Surd;
use figures::chart::Figure;
use figures::chart::thousandths::{grouped, whole};
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
        let distance = Surd::from_line(record.diagonal(), Surd::ALPHA, n);
        self.points.push((whole(n), distance.floor_of(1000)));
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
