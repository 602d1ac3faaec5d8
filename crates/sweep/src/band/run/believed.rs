//! The rows of a checkpoint. They are believed, except for the checks here (proofs/sweep.md, 7.3).

use crate::band::codec::{Decoder, invalid};
use crate::band::geometry::{least_diagonal, least_value, reach};
use crate::band::schedule::FIRST_BAND;
use crate::band::units::GroupIndex;
use crate::scalar::NumberSet;
use crate::units::{ColumnIndex, Number, RowIndex};
use record::{Record, Statement};
use std::io;

/// Reads the rows of a checkpoint, one after the other.
pub(super) struct BelievedRows<'a> {
    source: Decoder<&'a [u8]>,
    /// The next row.
    row: RowIndex,
    /// The groups past the last that a row has met.
    groups_end: GroupIndex,
    cells: u64,
    diagonals: NumberSet,
    lasts: NumberSet,
    reached_by: Vec<RowIndex>,
}

impl<'a> BelievedRows<'a> {
    /// Rows that have met the columns of the groups below `groups_end`, and no others.
    pub(super) fn new(rows: &'a [u8], groups_end: GroupIndex) -> Self {
        Self {
            source: Decoder(rows),
            row: RowIndex(0),
            groups_end,
            cells: 0,
            diagonals: NumberSet::default(),
            lasts: NumberSet::default(),
            reached_by: Vec::new(),
        }
    }

    /// The next row.
    pub(super) fn next_row(&mut self) -> io::Result<Record> {
        let row = self.source.row(self.row)?;
        self.enter(&row).map_err(|what| invalid(format!("row {}: {what}", row.row())))?;
        self.row += 1;
        Ok(row)
    }

    fn enter(&mut self, row: &Record) -> Result<(), String> {
        let (r, first) = (RowIndex(row.row()), row.diagonal());
        // The end of the columns that it has met, and the column where it ended or was found
        // periodic.
        let [end, next] = match row.statement() {
            Statement::Empty { .. } => unreachable!("it has a diagonal value"),
            Statement::Finite(row) => [row.last + 1, row.last],
            Statement::Periodic(row) => [row.certificate.recurs; 2],
        }
        .map(ColumnIndex);
        if end > self.groups_end.first_column() {
            return Err("it is too long".to_owned());
        }
        if let Statement::Finite(row) = row.statement() {
            let last = row.last;
            if self.diagonals.contains(last) || self.lasts.contains(last) {
                return Err(format!("the column {last}, where it ends, is blocked there"));
            }
            self.lasts.insert(last);
        }
        if self.diagonals.contains(first) || Number(first) < least_diagonal(r) {
            return Err(format!("{first} cannot be its diagonal value"));
        }
        self.diagonals.insert(first);
        if let Some(row) = row.periodic()
            && let Some(value) = row.values.iter().find(|&&value| value < least_value(r))
        {
            return Err(format!("{value} is too small to be one of its values"));
        }
        self.cells += end - r.diagonal();
        let first = if r < FIRST_BAND.first_row() {
            GroupIndex(0)
        } else {
            GroupIndex::of_column(next) + 1
        };
        while GroupIndex(self.reached_by.len() as u64) < first.max(reach(r)) {
            self.reached_by.push(r);
        }
        Ok(())
    }

    /// Ends after the last row, with `cells` cells in all. Returns for each group the row that
    /// reached it first.
    pub(super) fn end(self, cells: u64) -> io::Result<Vec<RowIndex>> {
        if !self.source.0.is_empty() {
            return Err(invalid("there are bytes between rows and trailer"));
        }
        if self.cells != cells {
            return Err(invalid(format!("its rows have {} cells, not {cells}", self.cells)));
        }
        let is_there = |n: &u64| self.diagonals.contains(*n) || self.lasts.contains(*n);
        if let Some(n) = (1..=self.row.0).find(|n| !is_there(n)) {
            return Err(invalid(format!("{n} is no diagonal value, and no row ends there")));
        }
        if self.reached_by.len() as u64 != self.groups_end.0 {
            return Err(invalid("its rows have met other groups"));
        }
        Ok(self.reached_by)
    }
}
