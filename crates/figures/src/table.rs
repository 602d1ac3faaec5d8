//! The table of `f(q,r)`: Figure 1 of the 2005 paper, its rows coloured by kind.

use record::Record;

use super::chart::{Entry, Figure, Ink, Label, Page, Path, colour};
use super::row::require_offsets;
use super::{FigureError, Plot};

/// `f(q,r)` for `0 <= r <= q <= N`, q across and r upwards.
#[derive(Clone, Debug)]
pub struct TablePlot {
    last: u64,
    /// For each row its kind, and `f(q,r)` for q = r, r + 1, ..., N.
    rows: Vec<(usize, Vec<u64>)>,
}

/// The kinds of rows, with their background and letters; light, middle and dark also in grey.
const KINDS: [(&str, &str, &str); 3] = [
    ("finite row", "#fbe3b0", colour::BLACK),
    ("period 1", "#7fb9de", colour::BLACK),
    ("longer period", "#0a4a78", colour::WHITE),
];
const RULE: Ink = Ink::Line("#b0b0b0", 10);

/// Side of the table.
const SIDE: i64 = 10_800;
const LEFT: i64 = 850;
const TOP: i64 = 800;
/// The largest size of a number, in a cell or beside the table.
const LARGEST_SIZE: i64 = 300;

impl TablePlot {
    /// The largest N: beyond it cells are too small for numbers.
    pub const LARGEST: u64 = 30;

    /// A table to N; it needs the records of rows 0 to N.
    pub fn new(last: u64) -> Self {
        Self { last, rows: Vec::new() }
    }

    /// Side of a cell.
    fn cell(&self) -> i64 {
        SIDE / (self.last.cast_signed() + 1)
    }

    /// Upper left corner of the cell (q,r).
    fn corner(&self, q: u64, r: u64) -> (i64, i64) {
        let [right, down] = [q, self.last - r].map(|cells| cells.cast_signed() * self.cell());
        (LEFT + right, TOP + down)
    }

    /// Squares of each colour, and the numbers in them. After the end of a finite row the table has
    /// its last value, but there is no P-position.
    fn cells(&self, page: &mut Page) {
        let (cell, size) = (self.cell(), self.size());
        for (kind, (name, fill, _)) in KINDS.into_iter().enumerate() {
            let mut path = Path::default();
            for (r, (_, values)) in (0..).zip(&self.rows).filter(|(_, row)| row.0 == kind) {
                let positions: i64 =
                    (r..).zip(values).map(|(q, value)| i64::from(*value >= q)).sum();
                path.rectangle(self.corner(r, r), positions * cell, cell);
            }
            page.path(name, path, Ink::Fill(fill));
        }
        let (mut rules, mut numbers) = (Path::default(), Vec::new());
        for (r, (kind, values)) in (0..).zip(&self.rows) {
            for (q, &value) in (r..).zip(values) {
                let (x, y) = self.corner(q, r);
                rules.rectangle((x, y), cell, cell);
                let ink = if value < q { "#6a6a6a" } else { KINDS[*kind].2 };
                let at = (x + cell / 2, y + cell / 2 + size * 35 / 100);
                numbers.push(Label::new("value", value.to_string(), at).colour(ink));
            }
        }
        page.path("rules", rules, RULE);
        for number in numbers {
            page.label(number.size(size).middle());
        }
    }

    /// Size of the numbers.
    fn size(&self) -> i64 {
        (self.cell() * 49 / 100).min(LARGEST_SIZE)
    }

    /// The numbers of rows and columns.
    fn margins(&self, page: &mut Page) {
        let (size, middle) = (self.size(), self.cell() / 2);
        let below = self.corner(0, 0).1 + self.cell() + 60 + size;
        for n in 0..=self.last {
            let (x, y) = self.corner(n, n);
            let row = Label::new("row", n.to_string(), (LEFT - 70, y + middle + size / 3));
            page.label(row.size(size).end());
            let column = Label::new("column", n.to_string(), (x + middle, below));
            page.label(column.size(size).middle());
        }
    }

    fn caption(&self) -> String {
        format!(
            "f(q, r) is the p for which (p, q, r) is a P-position, 0 ≤ r ≤ q ≤ {}. White: the row has \
             ended, and f(q, r) < q is its last value. Rows by how they go on: finite, periodic with \
             period 1, or with a longer one. Finite rows are computed to their end, periodic rows \
             proved by the certificates in their records. After Figure 1 of Brouwer, Horváth, \
             Molnár-Sáska and Szabó (2005).",
            self.last
        )
    }
}

impl Plot for TablePlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        let row = record.row();
        if row > self.last {
            return Ok(());
        }
        require_offsets(record)?;
        let (kind, last) = match record.periodic() {
            None => (0, record.settled().saturating_sub(1)),
            Some(row) => (if row.period() == 1 { 1 } else { 2 }, 0),
        };
        let value = |q: u64| record.offset(q).ok().flatten().map_or(last, |offset| q + offset);
        self.rows.push((kind, (row..=self.last).map(value).collect()));
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let taken = self.rows.len() as u64;
        if taken <= self.last {
            return Err(FigureError::Missing { row: taken });
        }
        let mut page = Page::new(&format!("f(q, r) for q, r ≤ {}", self.last));
        self.cells(&mut page);
        self.margins(&mut page);
        let (left, bottom) = self.corner(0, 0);
        let bottom = bottom + self.cell();
        let width = bottom - TOP;
        let x_label = Label::new("x-label", "column q", (left + width / 2, bottom + 680));
        page.label(x_label.size(300).middle());
        let y_label = Label::new("y-label", "row r", (330, TOP + width / 2));
        page.label(y_label.size(300).middle().upwards());
        let kinds = KINDS.into_iter().enumerate();
        let kinds = kinds.filter(|(kind, _)| self.rows.iter().any(|row| row.0 == *kind));
        let mut entries: Vec<Entry> =
            kinds.map(|(_, (name, fill, _))| Entry::new(Ink::Fill(fill), name)).collect();
        entries.push(Entry::new(Ink::Fill(colour::WHITE), "row has ended").with_edge(RULE));
        let bottom = page.legend(bottom + 750, &entries);
        Ok(page.caption(bottom, &self.caption()))
    }
}
