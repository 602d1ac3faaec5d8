//! A listener that keeps a row and a column.

use record::listeners::Cells;

/// Keeps the cells of one row and of one column.
pub(super) struct Cross {
    row: u64,
    column: Option<u64>,
    /// Columns and offsets.
    pub(super) of_row: Vec<(u64, u64)>,
    /// Rows and offsets.
    pub(super) of_column: Vec<(u64, u64)>,
}

impl Cross {
    /// Bytes for each row up to its own: of its cells, and of records if they are kept.
    pub(super) const BYTES: u64 = 200;

    /// Begins with no cells.
    pub(super) fn new(row: u64, column: Option<u64>) -> Self {
        Self { row, column, of_row: Vec::new(), of_column: Vec::new() }
    }
}

impl Cells for Cross {
    fn cell(&mut self, q: u64, r: u64, p: u64) {
        if r == self.row {
            self.of_row.push((q, p - q));
        } else if Some(q) == self.column {
            self.of_column.push((r, p - q));
        }
    }
}
