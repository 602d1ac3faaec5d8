//! Rows that have been found, for look-ups by column.

use ultimate::FiniteOrPeriodic;

/// The offsets of a row that has positions, for all columns.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// The first column.
    first: u64,
    offsets: FiniteOrPeriodic<u64>,
    largest: u64,
}

impl Known {
    pub(crate) fn new(first: u64, offsets: FiniteOrPeriodic<u64>) -> Self {
        let cycle = offsets.periodic().map_or(&[][..], |sequence| sequence.cycle());
        let largest = offsets.head().iter().chain(cycle).max().copied().unwrap_or(0);
        Self { first, offsets, largest }
    }

    pub(crate) fn first_column(&self) -> u64 {
        self.first
    }

    /// The value of the first column.
    pub(crate) fn first_value(&self) -> u64 {
        self.first + self.offsets.first().copied().unwrap_or(0)
    }

    /// Whether the row is the single position `(x,x,t)`, x its first column.
    pub(crate) fn is_single(&self) -> bool {
        self.offsets.first() == Some(&0)
    }

    pub(crate) fn largest_offset(&self) -> u64 {
        self.largest
    }

    /// The column from which the row repeats, or the first one past its end.
    pub(crate) fn settled(&self) -> u64 {
        self.first + self.offsets.head().len() as u64
    }

    /// The offsets of one period; none if the row ends.
    pub(crate) fn values(&self) -> &[u64] {
        self.offsets.periodic().map_or(&[], |sequence| sequence.cycle())
    }

    /// The offset of column q, if there is one.
    pub(crate) fn offset(&self, q: u64) -> Option<u64> {
        self.offsets_from(q).next()
    }

    /// The offsets of column q, q + 1, ..., until the row ends. `q` is not before the first column.
    pub(crate) fn offsets_from(&self, q: u64) -> impl Iterator<Item = u64> + '_ {
        let (head, values) = (self.offsets.head(), self.values());
        let since = usize::try_from(q - self.first).expect("columns are in memory");
        let past = since.saturating_sub(head.len()).checked_rem(values.len()).unwrap_or(0);
        let rest = &head[since.min(head.len())..];
        rest.iter().chain(&values[past..]).chain(values.iter().cycle()).copied()
    }
}
