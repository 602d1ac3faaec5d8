//! Many points: as dots while they can be told apart, else as shaded cells.

use super::axes::Panel;
use super::legend::Entry;
use super::page::{Ink, Page, Path, colour};
use super::thousandths::grouped;

/// More points than this are drawn as shaded cells.
const DOTS: usize = 4000;
const DOT: Ink = Ink::Dots(colour::BLUE, 75);
/// Side of a cell.
const CELL: i64 = 40;

/// A set of points in a panel.
#[derive(Clone, Debug)]
#[must_use]
pub enum Cloud {
    /// The points, if they can be told apart.
    Dots(Path),
    /// Else shades by the number of points in square cells, from the upper left corner on.
    Cells((i64, i64), Shades, Vec<Vec<Option<usize>>>),
}

impl Cloud {
    /// Points inside the panel.
    pub fn of(panel: &Panel, points: &[(i64, i64)]) -> Self {
        if points.len() <= DOTS {
            return Self::Dots(panel.dots(points.iter().copied()));
        }
        let rows = counts(panel, points);
        let shades = Shades::to(rows.iter().flatten().copied().max().unwrap_or(0));
        Self::Cells((panel.x.from, panel.y.to), shades, shades.of_rows(&rows))
    }

    /// Draws them.
    pub fn draw(&self, page: &mut Page) {
        match self {
            Self::Dots(dots) => page.path("dots", dots.clone(), DOT),
            Self::Cells(corner, _, rows) => draw_cells(page, *corner, (CELL, CELL), rows),
        }
    }

    /// Writes the legend of dots or shades, and of other marks, below the figure. Returns its lower
    /// end.
    pub fn legend(&self, page: &mut Page, bottom: i64, what: &str, more: &[Entry]) -> i64 {
        match self {
            Self::Dots(_) => {
                let dots = Entry::new(Ink::Dots(colour::BLUE, 110), what);
                page.legend(bottom, &[&[dots], more].concat())
            }
            Self::Cells(_, shades, _) => {
                let heading = format!("{what}, how many in a cell of 0.4 mm × 0.4 mm:");
                let bottom = page.heading(bottom, &heading);
                let bottom = page.legend(bottom, &shades.legend());
                page.legend(bottom, more)
            }
        }
    }
}

/// The number of points in each cell.
fn counts(panel: &Panel, points: &[(i64, i64)]) -> Vec<Vec<u64>> {
    let number = |length: i64| usize::try_from(length / CELL).expect("a length");
    let (width, height) = (panel.x.to - panel.x.from, panel.y.from - panel.y.to);
    let mut rows = vec![vec![0; number(width)]; number(height)];
    for &point in points {
        let (x, y) = panel.place(point);
        // A point on the right or lower edge belongs to the last cell.
        let place = |shift: i64, length: i64| number(shift).min(number(length) - 1);
        rows[place(y - panel.y.to, height)][place(x - panel.x.from, width)] += 1;
    }
    rows
}

/// Shades for numbers from 1 to a largest one: each begins at `factor` times the number of the
/// shade before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Shades {
    factor: u64,
    largest: u64,
}

impl Shades {
    /// The least factor with which the shades reach the largest number.
    pub fn to(largest: u64) -> Self {
        let mut factor: u64 = 2;
        while factor.pow(5) <= largest {
            factor += 1;
        }
        Self { factor, largest }
    }

    /// The shade of a number from 1 on.
    pub fn of(self, number: u64) -> usize {
        (number.ilog(self.factor) as usize).min(colour::SHADES.len() - 1)
    }

    /// The shades of rows of cells; an empty cell has none.
    pub fn of_rows(self, rows: &[Vec<u64>]) -> Vec<Vec<Option<usize>>> {
        let shade = |&number: &u64| (number > 0).then(|| self.of(number));
        rows.iter().map(|row| row.iter().map(shade).collect()).collect()
    }

    /// The shades that occur, with their numbers.
    pub fn legend(self) -> Vec<Entry> {
        let entry = |(shade, &colour): (u32, &&'static str)| {
            let first = self.factor.pow(shade);
            let last = (self.factor.pow(shade + 1) - 1).min(self.largest);
            let to = if last == first { String::new() } else { format!(" to {}", grouped(last)) };
            let text = grouped(first) + &to;
            (first <= self.largest).then(|| Entry::new(Ink::Fill(colour), text))
        };
        (0..).zip(&colour::SHADES).filter_map(entry).collect()
    }
}

/// Draws rows of cells by shade, neighbours of one shade in one piece.
///
/// # Panics
/// If there are more cells than a page has.
pub fn draw_cells(
    page: &mut Page,
    (left, top): (i64, i64),
    (width, height): (i64, i64),
    rows: &[Vec<Option<usize>>],
) {
    let mut paths: Vec<Path> = vec![Path::default(); colour::SHADES.len()];
    for (row, y) in rows.iter().zip((0..).map(|row| top + height * row)) {
        let mut x = left;
        for run in row.chunk_by(|a, b| a == b) {
            let length = width * i64::try_from(run.len()).expect("a number of cells");
            if let Some(shade) = run[0] {
                paths[shade].rectangle((x, y), length, height);
            }
            x += length;
        }
    }
    for (path, colour) in paths.into_iter().zip(colour::SHADES) {
        page.path("cells", path, Ink::Cells(colour));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_grow_by_a_factor() {
        let shades = Shades::to(31);
        assert_eq!([1, 2, 3, 4, 8, 16, 31].map(|number| shades.of(number)), [0, 1, 1, 2, 3, 4, 4]);
        assert_eq!(Shades::to(32).factor, 3);
        assert_eq!(Shades::to(1).legend().len(), 1);
        assert_eq!(Shades::to(31).legend().len(), 5);
    }
}
