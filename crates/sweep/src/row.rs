//! What every engine says of a row. No engine, no file format.

use crate::units::index;
use record::{Certificate, Fault, Finite, Head, Periodic, RowRecord, Statement};

/// One row of level 0, completely described.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The bottom row `r`.
    pub row: u64,
    /// The diagonal value `f(r,r)`.
    pub first: u64,
    /// Fingerprint of the offsets for `r <= q < start`, or `r <= q <= last` for a finite row
    /// (see [`record::fingerprint`]).
    pub head: u64,
    /// How the row ends, or why it never does.
    pub kind: Kind,
}

/// How a row ends, or why it never does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The row ends at `q = last`, where its offset is 0.
    Finite {
        /// The last column of the row.
        last: u64,
    },
    /// The row never ends.
    Periodic {
        /// The least `q` from which the offsets repeat.
        start: u64,
        /// The offsets of one shortest period, from `start`.
        values: Vec<u64>,
        /// Why they repeat for ever: the first certificate there is, of all pairs of columns that
        /// prove it the one with the least `recurs`, and for that the greatest `from`.
        certificate: Certificate,
    },
}

impl Row {
    /// The record of the row, with the fingerprint of its head or, if they are given, its offsets
    /// from `q = row` on (more of them than the head's do no harm).
    ///
    /// # Errors
    /// A [`Fault`] would mean a row that no statement can describe: a defect of this program.
    pub fn record(self, offsets: Option<&[u64]>) -> Result<RowRecord, Fault> {
        let Self { row, first, head, kind } = self;
        let head = |end: u64| match offsets {
            Some(offsets) => Head::Offsets(offsets[..index(end - row)].to_vec()),
            None => Head::Fingerprint(head),
        };
        RowRecord::new(match kind {
            Kind::Finite { last } => {
                Statement::Finite(Finite { row, first, last, head: head(last + 1) })
            }
            Kind::Periodic { start, values, certificate } => {
                let head = head(start);
                Statement::Periodic(Periodic { row, first, start, values, certificate, head })
            }
        })
    }
}

/// What becomes of the rows that an engine finds, in row order.
///
/// A closure `FnMut(Row) -> ControlFlow<()>` is a visitor, which hears no offsets.
pub trait Visitor {
    /// Takes the next row. `Break` ends the sweep; the engine then returns successfully.
    ///
    /// `offsets` are those of the row, from `q = row` on as far as the engine went (at least to the
    /// end of a finite row, and over one period of any other). Only the plain and the pointer
    /// engine have them.
    fn row(&mut self, row: Row, offsets: Option<&[u64]>) -> std::ops::ControlFlow<()>;

    /// Hears what has been done so far, after every 192 rows or so. Only the
    /// band engine calls it.
    fn progress(&mut self, done: Report) {
        let _ = done;
    }
}

impl<F: FnMut(Row) -> std::ops::ControlFlow<()>> Visitor for F {
    fn row(&mut self, row: Row, _offsets: Option<&[u64]>) -> std::ops::ControlFlow<()> {
        self(row)
    }
}

/// What a sweep has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows completed.
    pub rows: u64,
    /// Cells `(q,r)` decided.
    pub cells: u64,
    /// Tiles of 8 x 8 cells that the windows could not decide and the exact path did.
    pub fallbacks: u64,
}

impl std::ops::AddAssign for Report {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.cells += other.cells;
        self.fallbacks += other.fallbacks;
    }
}
