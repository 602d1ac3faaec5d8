//! The offset of a row in any column, from a record that holds its head.

use record::Record;

use super::{FigureError, require_within_reach};

/// The offsets of one row.
#[derive(Clone, Debug)]
pub(super) struct Offsets<'a> {
    row: u64,
    head: &'a [u64],
    /// The values of one period; none if the row is finite.
    values: &'a [u64],
}

impl<'a> Offsets<'a> {
    pub(super) fn of(record: &'a Record) -> Result<Self, FigureError> {
        let row = record.row();
        let values = record.periodic().map_or(&[][..], |periodic| &periodic.values);
        let head = record.head_offsets().ok_or(FigureError::NoOffsets { row })?;
        Ok(Self { row, head, values })
    }

    /// `p - q` of the P-position in column q, if there is one.
    pub(super) fn at(&self, q: u64) -> Option<u64> {
        let place = index(q.checked_sub(self.row)?);
        match place.checked_sub(self.head.len()) {
            None => Some(self.head[place]),
            Some(_) if self.values.is_empty() => None,
            Some(past) => Some(self.values[past % self.values.len()]),
        }
    }
}

/// The record of the row that a figure shows, once it has come.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) row: u64,
    record: Option<Record>,
}

impl Wanted {
    pub(super) fn new(row: u64) -> Self {
        Self { row, record: None }
    }

    /// Keeps the record if it is of this row; it must hold the head.
    pub(super) fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        if record.row() == self.row {
            require_within_reach(record)?;
            Offsets::of(record)?;
            self.record = Some(record.clone());
        }
        Ok(())
    }

    pub(super) fn record(&self) -> Result<&Record, FigureError> {
        self.record.as_ref().ok_or(FigureError::Missing { row: self.row })
    }
}

/// Converts numbers that count things in memory, or columns in a picture.
pub(super) fn index(n: u64) -> usize {
    usize::try_from(n).expect("a number of things in memory")
}

#[cfg(test)]
pub(super) mod tests {
    use game::brouwer::Table;

    use super::*;

    /// The record of one row, with its offsets, from the pointer engine.
    pub(crate) fn record_of(row: u64) -> Record {
        fixtures::rows_in_full(row + 1).pop().unwrap()
    }

    #[test]
    fn offsets_are_those_of_brouwers_table() {
        let table = Table::up_to(200);
        for row in [0, 1, 2, 5, 6, 24, 120, 121] {
            let record = record_of(row);
            let offsets = Offsets::of(&record).unwrap();
            let expected: Vec<_> = table.row(row).map(|at| (at.q(), at.p() - at.q())).collect();
            let found: Vec<_> = (0..=200).filter_map(|q| Some((q, offsets.at(q)?))).collect();
            assert_eq!(found, expected, "row {row}");
        }
    }
}
