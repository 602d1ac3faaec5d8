//! The sheet of one row, as Friedman and Landsberg draw it: the plane of all positions with bottom
//! row r, y = q - r across and z = p - q upwards (Zeilberger's `[c,a,b]` is c = r, a = y, b = z).
//!
//! An *instant winner* has a bite that shortens the bottom row and leaves a P-position: the rows
//! below block it by their diagonals or in their columns, (D) and (C) of fact 1 in
//! `proofs/README.md`. The P-positions of row r lie among the other positions.

use record::Record;

use super::chart::thousandths::{grouped, whole};
use super::chart::{AxisText, Entry, Figure, Ink, Page, Panel, Scale, colour, draw_cells, lines};
use super::row::{ending, index, offsets_in, require_offsets};
use super::{FigureError, Plot};

/// The instant winners and the P-positions of the sheet of row r.
#[derive(Clone, Debug)]
pub struct SheetPlot {
    row: u64,
    record: Option<Record>,
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
/// Diameter of a dot, at least.
const DOT: i64 = 60;

impl SheetPlot {
    /// The largest row with a sheet here: its positions take a byte of memory each.
    pub const LARGEST_ROW: u64 = 20_000;

    /// A plot of the sheet of row r; it needs the records of rows 0 to r.
    pub fn new(row: u64) -> Self {
        // The lines begin at z = 0.71 r and bend at y = 0.41 r.
        let length = (row * 3 / 4).max(15) + 1;
        let winners = vec![vec![false; index(length)]; index(length)];
        Self { row, record: None, winners }
    }

    /// Positions each way.
    pub fn length(&self) -> u64 {
        self.winners.len() as u64
    }

    /// Whether the position with these y and z has a bite that shortens the bottom row and leaves a
    /// P-position; `false` beyond the sheet.
    pub fn is_instant_winner(&self, y: u64, z: u64) -> bool {
        y < self.length() && z < self.length() && self.winners[index(z)][index(y)]
    }

    /// The whole sheet.
    fn everything(&self) -> Part {
        Part { y: 0, z: 0, size: self.length() }
    }

    /// Enters the p that row c < r blocks: f(q,c) in column q, and f(c,c) in every column.
    fn block(&mut self, record: &Record) {
        for y in 0..self.length() {
            let q = self.row + y;
            let diagonal = record.diagonal().checked_sub(q);
            let offset = offsets_in(record, [q]).next().map(|(_, offset)| offset);
            for z in [offset, diagonal].into_iter().flatten() {
                if z < self.length() {
                    self.winners[index(z)][index(y)] = true;
                }
            }
        }
    }

    /// Shades of the cells, the highest z first.
    fn cells(&self, part: Part) -> Vec<Vec<Option<usize>>> {
        let (shared, number) = (part.shared(), index(part.cells()));
        let mut counts = vec![vec![0; number]; number];
        for z in (0..part.span()).filter(|z| part.z + z < self.length()) {
            for y in 0..part.span() {
                if self.is_instant_winner(part.y + y, part.z + z) {
                    counts[number - 1 - index(z / shared)][index(y / shared)] += 1;
                }
            }
        }
        let whole_cell = shared * shared;
        let shade = |count: u64| (count > 0).then(|| index((SHADES * count - 1) / whole_cell));
        let fill = |count| if whole_cell == 1 { shade(count).map(|_| 0) } else { shade(count) };
        counts.into_iter().map(|row| row.into_iter().map(fill).collect()).collect()
    }

    fn legend(&self, shaded: bool) -> Vec<Entry> {
        let row = grouped(self.row);
        let shades: &[&str] = if shaded {
            &["up to a third instant winners", "up to two thirds", "more"]
        } else {
            &["instant winner"]
        };
        let entry = |(text, colour): (&&str, &'static str)| Entry::new(Ink::Cells(colour), *text);
        let mut entries: Vec<Entry> = shades.iter().zip(colour::SHADES).map(entry).collect();
        let dot = Ink::Dots(colour::BLACK, 110);
        entries.push(Entry::new(dot, format!("P-position (p, q, {row})")));
        entries.extend(lines::legend());
        entries
    }

    fn caption(&self, record: &Record, part: Part) -> String {
        let row = grouped(self.row);
        let which = if part == self.everything() {
            format!("q − {row} and p − q to {}", grouped(self.length() - 1))
        } else {
            let to =
                |from: u64| format!("{} to {}", grouped(from), grouped(from + part.span() - 1));
            format!("q − {row} from {} and p − q from {}", to(part.y), to(part.z))
        };
        format!(
            "All positions (p, q, {row}) with {which}: the P-positions, and the \
             instant winners, which have a bite to a P-position with a shorter bottom row; the others, blank, are N-positions as well. The lines \
             are those of Friedman and Landsberg (observed, not proved), r\u{a0}=\u{a0}{row}. {}",
            ending(record),
        )
    }

    /// Draws a part of the sheet, enlarged. Its positions share cells if there are more than 256
    /// each way.
    ///
    /// # Errors
    /// As [`Plot::figure`].
    ///
    /// # Panics
    /// If the size is 0, or a part begins at 2⁴⁰ or later.
    pub fn part(&self, part: Part) -> Result<Figure, FigureError> {
        let row = self.row;
        let record = self.record.as_ref().ok_or(FigureError::Missing { row })?;
        let number = i64::try_from(part.cells()).expect("a number of cells");
        let (width, height) = (WIDTH / number, HEIGHT / number);
        // A position's point is the middle of its square.
        let scale = |first: u64, from, to| {
            let [least, most] = [first, first + part.span()].map(|place| whole(place) - 500);
            Scale { least, most, from, to }
        };
        let panel = Panel {
            x: scale(part.y, LEFT, LEFT + number * width),
            y: scale(part.z, TOP + number * height, TOP),
        };

        let mut page = Page::new(&format!("The sheet of row {}", grouped(row)));
        draw_cells(&mut page, (LEFT, TOP), (width, height), &self.cells(part));
        let columns = row + part.y..row + (part.y + part.span()).min(self.length());
        let points = offsets_in(record, columns).map(|(q, z)| (whole(q - row), whole(z)));
        let inside = points.filter(|&point| panel.holds(point));
        page.path("dots", panel.dots(inside), part.dot());
        lines::draw(row, &mut page, &panel, 0, whole(self.length() - 1));
        let texts = ["y = q − r (squares)", "z = p − q (squares)"].map(AxisText::counts);
        let bottom = panel.frame_and_axes(&mut page, texts);
        let bottom = page.legend(bottom, &self.legend(part.shared() > 1));
        Ok(page.caption(bottom, &self.caption(record, part)))
    }
}

/// A square part of a sheet: the positions with y and z from these on, `size` each way. If its
/// positions share cells, the drawn part is rounded up to full cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The least y.
    pub y: u64,
    /// The least z.
    pub z: u64,
    /// The number of each; at least one, and at most [`SheetPlot::LARGEST_ROW`].
    pub size: u64,
}

impl Part {
    /// Positions that share a cell, each way.
    fn shared(self) -> u64 {
        self.size.div_ceil(CELLS)
    }

    /// Cells each way.
    fn cells(self) -> u64 {
        self.size.div_ceil(self.shared())
    }

    /// The number of drawn positions, each way.
    pub fn span(self) -> u64 {
        self.cells() * self.shared()
    }

    /// Dots as large as in the whole sheet, and larger where cells are.
    fn dot(self) -> Ink {
        let height = HEIGHT / i64::try_from(self.cells()).expect("a number of cells");
        Ink::Dots(colour::BLACK, DOT.max(height / 2))
    }
}

impl Plot for SheetPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        if record.row() > self.row {
            return Ok(());
        }
        require_offsets(record)?;
        if record.row() < self.row {
            self.block(record);
        } else {
            self.record = Some(record.clone());
        }
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        self.part(self.everything())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use game::brouwer::Table;
    use game::{Outcome, ThreeRows};

    use super::*;
    use crate::row::tests::record_of;

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
                let position = ThreeRows::new(row + y + z, row + y, row).unwrap();
                let wins = position.bites().any(|bite| {
                    bite.r() < row && bite.p() > 0 && table.outcome(bite) == Some(Outcome::P)
                });
                assert_eq!(sheet.winners[index(z)][index(y)], wins, "{position}");
                number += usize::from(wins);
            }
        }
        assert!(number > 100);
    }

    fn sheet(row: u64) -> SheetPlot {
        let mut sheet = SheetPlot::new(row);
        for c in 0..=row {
            sheet.add(&record_of(c)).unwrap();
        }
        sheet
    }

    /// Where the dots of a part fall, as y and z, by the frame of its drawing.
    fn dots(sheet: &SheetPlot, part: Part) -> BTreeSet<(u64, u64)> {
        let svg = sheet.part(part).unwrap().svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let data = |class: &str| {
            let node = document.descendants().find(|node| node.attribute("class") == Some(class));
            node.and_then(|node| node.attribute("d")).unwrap_or_default().to_owned()
        };
        let numbers = |data: &str| -> Vec<u64> {
            let digits = data.split(|letter: char| !letter.is_ascii_digit());
            digits.filter_map(|digits| digits.parse().ok()).collect()
        };
        let [left, top, width, height, ..] = numbers(&data("frame"))[..] else { panic!("a frame") };
        let place = |x: u64, y: u64| {
            let (right, up) = (x - left, top + height - y);
            (part.y + right * part.span() / width, part.z + up * part.span() / height)
        };
        let points = numbers(&data("dots"));
        points.chunks(3).map(|point| place(point[0], point[1])).collect()
    }

    /// All P-positions of Brouwer's table that belong to a part are in its drawing, at their
    /// places, and no others; so a program can find the position under a pointer.
    #[test]
    fn a_part_shows_the_p_positions_of_the_part() {
        let (row, table) = (24, Table::up_to(100));
        let sheet = sheet(row);
        for part in [(0, 0, 19), (3, 9, 8), (1, 12, 1), (7, 10, 300), (500, 2, 5)] {
            let (y, z, size) = part;
            let part = Part { y, z, size };
            let expected = table.row(row).map(|at| (at.q() - row, at.p() - at.q()));
            let inside = |from: u64, at: u64| (from..from + part.span()).contains(&at);
            let expected: BTreeSet<(u64, u64)> = expected
                .filter(|&(y, z)| y < sheet.length() && inside(part.y, y) && inside(part.z, z))
                .collect();
            assert_eq!(dots(&sheet, part), expected, "{part:?}");
        }
    }

    #[test]
    fn no_text_of_a_part_is_cut_by_the_edge_of_the_page() {
        let sheet = sheet(24);
        for part in [(0, 0, 4), (3, 9, 8), (10_000, 19_000, 300)] {
            let (y, z, size) = part;
            assert_eq!(sheet.part(Part { y, z, size }).unwrap().cut_texts(), [""; 0]);
        }
    }
}
