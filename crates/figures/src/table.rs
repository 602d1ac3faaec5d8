//! The table of `f(q,r)`: Figure 1 of the 2005 paper, its rows coloured by kind.

use record::Record;

use super::chart::thousandths::grouped;
use super::chart::{Entry, Figure, Ink, Label, Page, Path, colour};
use super::offsets::{index, require_offsets};
use super::{FigureError, Plot};

/// `f(q,r)` for `0 <= r <= q <= N`, q across and r upwards.
#[derive(Clone, Debug)]
pub struct TablePlot {
    last: u64,
    rows: Vec<TableRow>,
}

#[derive(Clone, Debug)]
struct TableRow {
    colour: RowColour,
    /// `f(q,r)` for q = r, r + 1, ..., N.
    values: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowColour {
    Finite,
    PeriodOne,
    LongerPeriod,
}

impl RowColour {
    const ALL: [Self; 3] = [Self::Finite, Self::PeriodOne, Self::LongerPeriod];

    /// Background and letters; light, middle and dark also in grey.
    fn colours(self) -> (&'static str, &'static str) {
        match self {
            Self::Finite => ("#fbe3b0", colour::BLACK),
            Self::PeriodOne => ("#7fb9de", colour::BLACK),
            Self::LongerPeriod => ("#0a4a78", colour::WHITE),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Finite => "finite row",
            Self::PeriodOne => "period 1",
            Self::LongerPeriod => "longer period",
        }
    }
}

/// Side of the table.
const SIDE: i64 = 10_800;
const LEFT: i64 = 850;
const TOP: i64 = 800;
/// The largest size of a number, in a cell or beside the table.
const LARGEST_SIZE: i64 = 300;

impl TablePlot {
    /// The largest N with numbers in the cells; beyond it there are only colours.
    pub const LARGEST_WITH_NUMBERS: u64 = 30;

    /// The largest N: beyond it cells are too small for print.
    pub const LARGEST: u64 = 400;

    /// A table to N; it needs the records of rows 0 to N.
    pub fn new(last: u64) -> Self {
        Self { last, rows: Vec::new() }
    }

    /// Side of a cell.
    fn cell(&self) -> i64 {
        SIDE / i64::try_from(self.last + 1).expect("a number of rows")
    }

    /// Upper left corner of the cell (q,r).
    fn corner(&self, q: usize, r: usize) -> (i64, i64) {
        let place = |n: usize| i64::try_from(n).expect("a number of cells");
        let top = i64::try_from(self.last).expect("a number of rows") - place(r);
        (LEFT + place(q) * self.cell(), TOP + top * self.cell())
    }

    /// Size of the numbers in the cells.
    fn size(&self) -> i64 {
        (self.cell() * 49 / 100).min(LARGEST_SIZE)
    }

    fn with_numbers(&self) -> bool {
        self.last <= Self::LARGEST_WITH_NUMBERS
    }

    /// Squares of each colour; after the end of a finite row the table has its last value, but
    /// there is no P-position.
    fn squares(&self, page: &mut Page) {
        for colour in RowColour::ALL {
            let mut path = Path::default();
            for (r, row) in self.rows.iter().enumerate().filter(|(_, row)| row.colour == colour) {
                let number = row.positions(r).count();
                let width = i64::try_from(number).expect("a number of cells") * self.cell();
                path.rectangle(self.corner(r, r), width, self.cell());
            }
            page.path(colour.name(), path, Ink::Fill(colour.colours().0));
        }
    }

    fn rules(&self, page: &mut Page) {
        let mut path = Path::default();
        for (r, row) in self.rows.iter().enumerate() {
            for q in r..r + row.values.len() {
                path.rectangle(self.corner(q, r), self.cell(), self.cell());
            }
        }
        page.path("rules", path, Ink::Line("#b0b0b0", 10));
    }

    fn numbers(&self, page: &mut Page) {
        for (r, row) in self.rows.iter().enumerate() {
            for (q, &value) in (r..).zip(&row.values) {
                let ended = value < q as u64;
                let ink = if ended { "#6a6a6a" } else { row.colour.colours().1 };
                let (x, y) = self.corner(q, r);
                let middle = self.cell() / 2;
                let at = (x + middle, y + middle + self.size() * 35 / 100);
                let label = Label::new("value", value.to_string(), at).colour(ink);
                page.label(label.size(self.size()).middle());
            }
        }
    }

    /// Every row and column if there is room, otherwise every fifth, tenth, and so on.
    fn margins(&self, page: &mut Page) {
        let step = [1, 5, 10, 20, 50, 100]
            .into_iter()
            .find(|step| {
                self.last / step
                    <= if self.with_numbers() { Self::LARGEST_WITH_NUMBERS } else { 14 }
            })
            .unwrap_or(100);
        let size = if step == 1 { self.size() } else { 240 };
        for n in (0..=self.last).step_by(index(step)) {
            let (x, y) = self.corner(index(n), index(n));
            let middle = self.cell() / 2;
            let row = Label::new("row", n.to_string(), (LEFT - 70, y + middle + size / 3));
            page.label(row.size(size).end());
            let below = TOP + SIDE / self.cell() * self.cell();
            let below = below.min(self.corner(0, 0).1 + self.cell());
            let column = Label::new("column", n.to_string(), (x + middle, below + 60 + size));
            page.label(column.size(size).middle());
        }
    }

    fn title(&self) -> String {
        let last = grouped(self.last);
        if self.with_numbers() {
            format!("f(q, r) for q, r ≤ {last}")
        } else {
            format!("Kinds of rows, r ≤ {last}")
        }
    }

    fn caption(&self) -> String {
        let last = grouped(self.last);
        let what = if self.with_numbers() {
            format!(
                "f(q, r) is the p for which (p, q, r) is a P-position, 0 ≤ r ≤ q ≤ {last}. White: the \
                 row has ended, and f(q, r) < q is its last value."
            )
        } else {
            format!(
                "The columns q ≤ {last} in which row r has a P-position, 0 ≤ r ≤ q. White below the \
                 diagonal: the row has ended."
            )
        };
        format!(
            "{what} Rows by how they go on: finite, periodic with period 1, or with a longer one. Finite \
             rows are computed to their end, periodic rows proved by the certificates in their records. \
             After Figure 1 of Brouwer, Horváth, Molnár-Sáska and Szabó (2005)."
        )
    }
}

impl TableRow {
    /// The values that belong to P-positions.
    fn positions(&self, r: usize) -> impl Iterator<Item = u64> {
        (r as u64..).zip(&self.values).filter(|&(q, &value)| value >= q).map(|(_, &value)| value)
    }
}

impl Plot for TablePlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        let row = record.row();
        if row > self.last {
            return Ok(());
        }
        require_offsets(record)?;
        let (colour, last) = match record.periodic() {
            None => (RowColour::Finite, record.settled().saturating_sub(1)),
            Some(row) if row.period() == 1 => (RowColour::PeriodOne, 0),
            Some(_) => (RowColour::LongerPeriod, 0),
        };
        let value = |q: u64| record.offset(q).ok().flatten().map_or(last, |offset| q + offset);
        self.rows.push(TableRow { colour, values: (row..=self.last).map(value).collect() });
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let taken = self.rows.len() as u64;
        if taken <= self.last {
            return Err(FigureError::Missing { row: taken });
        }
        let mut page = Page::new(&self.title());
        self.squares(&mut page);
        if self.with_numbers() {
            self.rules(&mut page);
            self.numbers(&mut page);
        }
        self.margins(&mut page);
        let (left, bottom) = self.corner(0, 0);
        let bottom = bottom + self.cell();
        let width = bottom - TOP;
        let x_label = Label::new("x-label", "column q", (left + width / 2, bottom + 680));
        page.label(x_label.size(300).middle());
        let y_label = Label::new("y-label", "row r", (330, TOP + width / 2));
        page.label(y_label.size(300).middle().upwards());
        let mut entries: Vec<Entry> = RowColour::ALL
            .into_iter()
            .filter(|colour| self.rows.iter().any(|row| row.colour == *colour))
            .map(|colour| Entry::new(Ink::Fill(colour.colours().0), colour.name()))
            .collect();
        entries.push(
            Entry::new(Ink::Fill(colour::WHITE), "row has ended")
                .with_edge(Ink::Line("#b0b0b0", 10)),
        );
        let bottom = page.legend(bottom + 750, &entries);
        Ok(page.caption(bottom, &self.caption()))
    }
}
