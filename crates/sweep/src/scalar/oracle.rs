//! The walk along a row, which the scalar engines share. They differ only in how a cell finds its
//! value ([`Search`]).

use super::columns::{ActiveColumns, Column, NumberSet};
use crate::certify::{ColumnState, RowsBelow, Trace};
use crate::error::SweepError;
use crate::units::{ColumnIndex, Number, RowIndex};
use record::Record;
use record::listeners::{Done, Visitor};
use ultimate::least_free;

/// The sets that the current row uses.
#[derive(Clone, Debug)]
pub(crate) struct Current {
    /// (D): 0 and the diagonal values of all rows below.
    pub(crate) diagonals: NumberSet,
    /// (D) and (R).
    pub(crate) blocked: NumberSet,
    /// Every diagonal value is below this.
    pub(crate) diagonal_end: u64,
}

impl Current {
    /// Ends a row: its values give way to its diagonal value.
    pub(crate) fn end_row(&mut self, values: &[u64]) {
        for &p in values {
            self.blocked.remove(p);
        }
        self.blocked.insert(values[0]);
        self.enter_diagonal(values[0]);
    }

    /// Enters the diagonal value of the next row in (D).
    fn enter_diagonal(&mut self, p: u64) {
        self.diagonals.insert(p);
        self.diagonal_end = self.diagonal_end.max(p + 1);
    }

    /// Raises `column.least` to the first number that neither (D) nor (C) blocks, at most to `end`.
    pub(crate) fn raise_least(&self, column: &mut Column, end: u64) {
        if column.least < end {
            let word = |k| self.diagonals.word(k) | column.blocked.word(k);
            column.least = end.min(least_free(column.least, word));
        }
    }
}

/// The way in which an engine finds `f(q,r)`.
pub(crate) trait Search {
    /// A new row begins.
    fn begin(&mut self, row: RowIndex, current: &Current);
    /// The least `p >= q` that neither the row nor the column blocks.
    fn value(&mut self, q: ColumnIndex, current: &Current, column: &mut Column) -> Number;

    /// Decides the cell, and enters its value in the row and in the column.
    fn take(&mut self, q: ColumnIndex, current: &mut Current, column: &mut Column) -> Number {
        let p = self.value(q, current, column);
        column.blocked.insert(p.0);
        current.blocked.insert(p.0);
        p
    }
}

/// An engine between two rows.
pub(crate) struct Oracle<S> {
    row: RowIndex,
    pub(crate) search: S,
    pub(crate) current: Current,
    pub(crate) columns: ActiveColumns,
    below: RowsBelow,
    cells: u64,
}

impl<S: Search> Oracle<S> {
    /// Before row 0.
    pub(crate) fn new(search: S) -> Self {
        let mut current =
            Current { diagonals: NumberSet::from(0), blocked: NumberSet::from(0), diagonal_end: 1 };
        current.diagonals.insert(0);
        current.blocked.insert(0);
        let (columns, below) = (ActiveColumns::new(), RowsBelow::default());
        Self { row: RowIndex(0), search, current, columns, below, cells: 0 }
    }

    /// The next row, with the offsets that were computed.
    pub(crate) fn next_row(&mut self) -> Result<(Record, Vec<u64>), SweepError> {
        let Self { search, current, columns, below, .. } = self;
        let r = self.row;
        let mut trace = Trace::from_diagonal(r, below);
        search.begin(r, current);
        let row = walk(&mut trace, search, current, columns, below)?;
        let values: Vec<u64> = (r.0..).zip(trace.offsets()).map(|(q, offset)| q + offset).collect();
        current.end_row(&values);
        self.end_row(&row, trace.column());
        Ok((row, trace.into_offsets()))
    }

    fn end_row(&mut self, row: &Record, next: ColumnIndex) {
        self.columns.finish(next, row);
        self.below.add(row);
        self.cells += next - self.row.diagonal();
        self.row += 1;
    }

    pub(crate) fn done(&self) -> Done {
        Done { rows: self.row.0, cells: self.cells, fallbacks: 0 }
    }
}

/// Sweeps the rows below `end`.
pub(crate) fn sweep<S: Search>(
    end: u64,
    search: S,
    visitor: &mut dyn Visitor,
) -> Result<Done, SweepError> {
    let mut oracle = Oracle::new(search);
    for _ in 0..end {
        let (row, offsets) = oracle.next_row()?;
        if visitor.row(row, Some(&offsets)).is_break() {
            break;
        }
    }
    Ok(oracle.done())
}

fn walk(
    trace: &mut Trace,
    search: &mut impl Search,
    current: &mut Current,
    columns: &mut ActiveColumns,
    below: &RowsBelow,
) -> Result<Record, SweepError> {
    loop {
        let q = trace.column();
        if trace.counts()
            && let Some(row) = trace.recurs(state(&current.blocked, q), below)?
        {
            return Ok(row);
        }
        let p = search.take(q, current, columns.activate(q));
        let offset = q.offset(p);
        trace.push(offset);
        if offset == 0 {
            return trace.finite();
        }
    }
}

/// `U(q)` from the row's blocked values.
fn state(blocked: &NumberSet, ColumnIndex(q): ColumnIndex) -> ColumnState {
    let filled = least_free(q, |k| blocked.word(k)) - q;
    let next = q + filled + 1;
    let words = blocked.end().saturating_sub(next / 64);
    ColumnState::new(filled, (0..words).map(|i| blocked.word_from(next + 64 * i)).collect())
}
