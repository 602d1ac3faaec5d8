//! The numbers of winning openings of rectangles, by rows and columns.

use std::collections::BTreeMap;

use boards::openings::Openings;

use super::FigureError;
use super::chart::{Entry, Figure, Ink, Label, MARGIN, Page, Path, WIDTH, colour};

/// The numbers of winning openings of all a × b, a and b up to some side, as a heat map.
#[derive(Clone, Debug, Default)]
pub struct OpeningsPlot {
    /// By rows and columns.
    numbers: BTreeMap<(u16, u16), usize>,
}

const TOP: i64 = 1300;
const LEFT: i64 = 1000;
/// The largest size of a cell.
const LARGEST_CELL: i64 = 700;
const SIZE: i64 = 240;

impl OpeningsPlot {
    /// The longest side with a cell that holds a number.
    pub const LONGEST: u16 = 24;

    /// A plot of the openings of these rectangles.
    ///
    /// # Errors
    /// [`FigureError::LargeBoard`].
    pub fn of(openings: &[Openings]) -> Result<Self, FigureError> {
        let mut plot = Self::default();
        for Openings { rows, columns, bites } in openings {
            plot.add(*rows, *columns, bites.len())?;
        }
        Ok(plot)
    }

    /// Takes rows, columns and the number of winning openings of a rectangle.
    fn add(&mut self, rows: u16, columns: u16, number: usize) -> Result<(), FigureError> {
        if rows.max(columns) > Self::LONGEST {
            return Err(FigureError::LargeBoard { rows, columns, largest: Self::LONGEST });
        }
        self.numbers.insert((rows, columns), number);
        Ok(())
    }

    /// Draws the rectangles taken: rows downwards, columns to the right.
    pub fn figure(&self) -> Figure {
        let mut page = Page::new("Numbers of winning openings");
        let side = self.side();
        let cell = ((WIDTH - MARGIN - LEFT) / i64::from(side.max(1))).min(LARGEST_CELL);
        let end = i64::from(side) * cell;
        self.cells(&mut page, cell);
        let mut lines = Path::default();
        for place in (0..=i64::from(side)).map(|place| place * cell) {
            lines.line(&[(LEFT, TOP + place), (LEFT + end, TOP + place)]);
            lines.line(&[(LEFT + place, TOP), (LEFT + place, TOP + end)]);
        }
        page.path("grid", lines, Ink::Line(colour::WHITE, 20));
        for side in 1..=side {
            let middle = middle(side, cell);
            text(&mut page, "x-tick", side.to_string(), (LEFT + middle, TOP - 130), colour::BLACK);
            let label = Label::new("y-tick", side.to_string(), (LEFT - 120, TOP + middle + 85));
            page.label(label.size(SIZE).end());
        }
        let at = (LEFT + end / 2, TOP - 440);
        text(&mut page, "x-label", "columns".to_owned(), at, colour::BLACK);
        let rows = Label::new("y-label", "rows", (MARGIN + 200, TOP + end / 2));
        page.label(rows.size(SIZE).middle().upwards());
        let bottom = page.legend(TOP + end, &self.entries());
        page.caption(bottom, &self.caption())
    }

    fn side(&self) -> u16 {
        self.numbers.keys().map(|&(rows, columns)| rows.max(columns)).max().unwrap_or(0)
    }

    /// A colour for each rectangle; the number, where it is not 1.
    fn cells(&self, page: &mut Page, cell: i64) {
        let mut by_number: BTreeMap<usize, Path> = BTreeMap::new();
        for (&(rows, columns), &number) in &self.numbers {
            let corner = (LEFT + i64::from(columns - 1) * cell, TOP + i64::from(rows - 1) * cell);
            by_number.entry(number).or_default().rectangle(corner, cell, cell);
        }
        for (number, path) in by_number {
            page.path("cells", path, Ink::Cells(shade(number)));
        }
        for (&(rows, columns), &number) in self.numbers.iter().filter(|(_, number)| **number != 1) {
            let at = (LEFT + middle(columns, cell), TOP + middle(rows, cell) + 85);
            let ink = if number == 0 { colour::BLACK } else { colour::WHITE };
            text(page, "number", number.to_string(), at, ink);
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
        for number in self.numbers.values() {
            *counts.entry(*number).or_default() += 1;
        }
        let entry = |(number, boards): (usize, u64)| {
            let words = match number {
                0 => format!("none ({boards})"),
                1 => format!("1 opening ({boards})"),
                _ => format!("{number} openings ({boards})"),
            };
            Entry::new(Ink::Cells(shade(number)), words)
        };
        counts.into_iter().map(entry).collect()
    }

    fn caption(&self) -> String {
        let side = self.side();
        format!(
            "The number of bites of the full board that leave a P-position, for all boards of up to \
             {side} rows and {side} columns; in brackets, the number of boards. The board of \
             one square has no bite. Boards that are each other's mirror images have the same number."
        )
    }
}

fn shade(number: usize) -> &'static str {
    match number {
        0 => colour::GRID,
        1 => colour::SHADES[0],
        2 => colour::SHADES[3],
        3 => colour::VERMILION,
        _ => colour::BLACK,
    }
}

/// The middle of the cell of a side.
fn middle(side: u16, cell: i64) -> i64 {
    i64::from(side) * cell - cell / 2
}

fn text(page: &mut Page, class: &'static str, text: String, at: (i64, i64), ink: &'static str) {
    page.label(Label::new(class, text, at).size(SIZE).middle().colour(ink));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_where_there_is_not_one_opening() {
        let mut plot = OpeningsPlot::default();
        for (rows, columns, number) in [(1, 1, 0), (1, 2, 1), (2, 1, 1), (2, 2, 3)] {
            plot.add(rows, columns, number).unwrap();
        }
        let figure = plot.figure();
        assert_eq!(figure.cut_texts(), [""; 0]);
        let svg = figure.svg();
        assert_eq!(svg.matches("class=\"number\"").count(), 2);
        for words in ["none (1)", "1 opening (2)", "3 openings (1)", "up to 2 rows"] {
            assert!(svg.contains(words), "{words}");
        }
        let large = OpeningsPlot::LONGEST + 1;
        assert!(matches!(plot.add(2, large, 1), Err(FigureError::LargeBoard { .. })));
    }

    #[test]
    fn the_largest_figure_fits() {
        let mut plot = OpeningsPlot::default();
        for rows in 1..=OpeningsPlot::LONGEST {
            for columns in 1..=OpeningsPlot::LONGEST {
                plot.add(rows, columns, usize::from(rows % 5)).unwrap();
            }
        }
        assert_eq!(plot.figure().cut_texts(), [""; 0]);
    }
}
