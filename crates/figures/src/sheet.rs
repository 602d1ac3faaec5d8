//! The sheet of one row, as Friedman and Landsberg draw it: the plane of all positions with bottom
//! row r, y = q - r across and z = p - q upwards (Zeilberger's `[c,a,b]` is c = r, a = y, b = z).
//!
//! An *instant winner* has a bite that shortens the bottom row and leaves a P-position: it is what
//! the rows below block by their diagonals and in their columns, (D) and (C) of fact 1 in
//! `proofs/README.md`. Where the P-positions of row r are to be found is what they leave.

use record::RowRecord;

use super::axes::{AxisText, Panel, Scale};
use super::density::draw_cells;
use super::legend::{self, Entry};
use super::lines::ThreeLines;
use super::offsets::{Offsets, Wanted, index};
use super::page::{Ink, Page, Path, colour};
use super::row::ending;
use super::thousandths::{grouped, whole};
use super::{Figure, FigureError, Plot};

/// The instant winners and the P-positions of the sheet of row r.
#[derive(Clone, Debug)]
pub struct SheetPlot {
    wanted: Wanted,
    /// `winners[z][y]` says whether (r + y + z, r + y, r) is an instant winner.
    winners: Vec<Vec<bool>>,
}

/// The largest number of cells each way.
const CELLS: u64 = 256;
/// Size of the panel, if the cells fit it exactly.
const WIDTH: i64 = 10_240;
const HEIGHT: i64 = 7680;
const LEFT: i64 = 1460;
const TOP: i64 = 850;
/// Shades of cells that hold several positions.
const SHADES: u64 = 3;
const DOT: Ink = Ink::Dots(colour::BLACK, 60);

impl SheetPlot {
    /// The largest row with a sheet here: its positions take a byte of memory each.
    pub const LARGEST_ROW: u64 = 20_000;

    /// A plot of the sheet of row r; it needs the records of rows 0 to r.
    #[must_use]
    pub fn new(row: u64) -> Self {
        // The lines begin at z = 0.71 r and bend at y = 0.41 r.
        let length = (row * 3 / 4).max(15) + 1;
        let winners = vec![vec![false; index(length)]; index(length)];
        Self { wanted: Wanted::new(row), winners }
    }

    /// Positions each way.
    fn length(&self) -> u64 {
        self.winners.len() as u64
    }

    /// What row c < r blocks: p = f(q,c) in column q, and p = f(c,c) in every column.
    fn block(&mut self, record: &RowRecord) -> Result<(), FigureError> {
        let offsets = Offsets::of(record)?;
        for y in 0..self.length() {
            let q = self.wanted.row + y;
            let diagonal = record.first().checked_sub(q);
            for z in [offsets.at(q), diagonal].into_iter().flatten() {
                if z < self.length() {
                    self.winners[index(z)][index(y)] = true;
                }
            }
        }
        Ok(())
    }

    /// Positions that share a cell, each way.
    fn shared(&self) -> u64 {
        self.length().div_ceil(CELLS)
    }

    /// Shades of the cells, the highest z first.
    fn cells(&self) -> Vec<Vec<Option<usize>>> {
        let shared = index(self.shared());
        let number = self.winners.len().div_ceil(shared);
        let mut counts = vec![vec![0; number]; number];
        for (z, row) in self.winners.iter().enumerate() {
            for (y, _) in row.iter().enumerate().filter(|(_, winner)| **winner) {
                counts[number - 1 - z / shared][y / shared] += 1;
            }
        }
        let whole_cell = self.shared() * self.shared();
        let shade = |count: u64| (count > 0).then(|| index((SHADES * count - 1) / whole_cell));
        let fill = |count| if whole_cell == 1 { shade(count).map(|_| 0) } else { shade(count) };
        counts.into_iter().map(|row| row.into_iter().map(fill).collect()).collect()
    }

    fn legend(&self, shaded: bool) -> Vec<Entry> {
        let row = grouped(self.wanted.row);
        let shades: &[&str] = if shaded {
            &["up to a third instant winners", "up to two thirds", "more"]
        } else {
            &["instant winner"]
        };
        let entry = |(text, colour): (&&str, &'static str)| Entry::new(Ink::Cells(colour), *text);
        let mut entries: Vec<Entry> = shades.iter().zip(colour::SHADES).map(entry).collect();
        let dot = Ink::Dots(colour::BLACK, 110);
        entries.push(Entry::new(dot, format!("P-position (p, q, {row})")));
        entries.extend(ThreeLines::legend());
        entries
    }

    fn caption(&self, record: &RowRecord) -> String {
        format!(
            "All positions (p, q, {row}) with q − {row} and p − q to {}: the P-positions, and the \
             instant winners, which have a bite to a P-position with a shorter bottom row; the others, white, are N-positions as well. The lines \
             are those of Friedman and Landsberg (observed, not proved), r\u{a0}=\u{a0}{row}. {}",
            grouped(self.length() - 1),
            ending(record),
            row = grouped(self.wanted.row),
        )
    }
}

impl Plot for SheetPlot {
    fn add(&mut self, record: &RowRecord) -> Result<(), FigureError> {
        if record.row() < self.wanted.row {
            return self.block(record);
        }
        self.wanted.add(record)
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let (row, record) = (self.wanted.row, self.wanted.record()?);
        let offsets = Offsets::of(record)?;
        let cells = self.cells();
        let number = i64::try_from(cells.len()).expect("a number of cells");
        let (width, height) = (WIDTH / number, HEIGHT / number);
        // A position's point is the middle of its square.
        let most = number * whole(self.shared()) - 500;
        let panel = Panel {
            x: Scale { least: -500, most, from: LEFT, to: LEFT + number * width },
            y: Scale { least: -500, most, from: TOP + number * height, to: TOP },
        };

        let mut page = Page::new(&format!("The sheet of row {}", grouped(row)));
        draw_cells(&mut page, (LEFT, TOP), (width, height), &cells);
        let points = (0..self.length())
            .filter_map(|y| Some((whole(y), whole(offsets.at(row + y)?))))
            .filter(|&point| panel.holds(point));
        let mut dots = Path::default();
        for point in points {
            dots.dot(panel.place(point));
        }
        page.path("dots", dots, DOT);
        ThreeLines::of(row).draw(&mut page, &panel, 0, whole(self.length() - 1));
        panel.frame(&mut page);
        panel.y_axis(&mut page, AxisText::counts("z = p − q (squares)"));
        let bottom = panel.x_axis(&mut page, AxisText::counts("y = q − r (squares)"));
        let bottom = legend::draw(&mut page, bottom, &self.legend(self.shared() > 1));
        Ok(page.caption(bottom, &self.caption(record)))
    }
}

#[cfg(test)]
mod tests {
    use game::brouwer::Table;
    use game::{Outcome, Position};

    use super::*;
    use crate::offsets::tests::record_of;

    /// Against the rules: some bite shortens the bottom row and leaves a P-position of Brouwer's
    /// table.
    #[test]
    fn instant_winners_are_those_of_the_rules() {
        let (row, table) = (24, Table::up_to(100));
        let mut sheet = SheetPlot::new(row);
        for c in 0..row {
            sheet.add(&record_of(c)).unwrap();
        }
        let mut number = 0;
        for y in 0..sheet.length() {
            for z in 0..sheet.length() {
                let position = Position::new(row + y + z, row + y, row).unwrap();
                let wins = position.bites().any(|bite| {
                    bite.r() < row && bite.p() > 0 && table.outcome(bite) == Some(Outcome::P)
                });
                assert_eq!(sheet.winners[index(z)][index(y)], wins, "{position}");
                number += usize::from(wins);
            }
        }
        assert!(number > 100);
    }
}
