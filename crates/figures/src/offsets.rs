//! The offsets of a record, and the numbers of its columns.

use record::Record;

use super::{FigureError, require_within_reach};

/// Refuses a record without its offsets, or beyond the arithmetic of an axis.
///
/// # Errors
/// [`FigureError::NoOffsets`]; [`FigureError::TooFar`].
pub(crate) fn require_offsets(record: &Record) -> Result<(), FigureError> {
    require_within_reach(record)?;
    let row = record.row();
    record.head_offsets().map(|_| ()).ok_or(FigureError::NoOffsets { row })
}

/// The columns of a range in which a row has a P-position, with its offsets `p - q`.
pub(crate) fn offsets_in(
    record: &Record,
    columns: impl IntoIterator<Item = u64>,
) -> impl Iterator<Item = (u64, u64)> {
    columns.into_iter().filter_map(|q| Some((q, record.offset(q).ok()??)))
}

/// Converts numbers that count things in memory, or columns in a picture.
pub(crate) fn index(n: u64) -> usize {
    usize::try_from(n).expect("a number of things in memory")
}

#[cfg(test)]
pub(crate) mod tests {
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
            let expected: Vec<_> = table.row(row).map(|at| (at.q(), at.p() - at.q())).collect();
            let record = record_of(row);
            let found: Vec<_> = offsets_in(&record, 0..=200).collect();
            assert_eq!(found, expected, "row {row}");
        }
    }
}
