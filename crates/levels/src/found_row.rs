//! Rows that have been found, for look-ups by column.

use ultimate::FiniteOrPeriodic;

/// The positions of a row that has some.
#[derive(Clone, Debug)]
pub(crate) struct FoundRow {
    /// The first column.
    first: u64,
    /// The p of the irregular columns.
    early: Vec<Option<u64>>,
    /// The offsets of all columns from the first regular one on.
    offsets: FiniteOrPeriodic<u64>,
    largest: u64,
    shift: i64,
}

impl FoundRow {
    /// A row with these irregular columns, from column `first` on, and these offsets after them;
    /// offsets count `p + shift`.
    pub(crate) fn new(
        first: u64,
        early: Vec<Option<u64>>,
        offsets: FiniteOrPeriodic<u64>,
        shift: i64,
    ) -> Self {
        let mut row = Self { first, early, offsets, largest: 0, shift };
        let head = row.offsets_from(first).take(row.early.len() + row.offsets.head().len());
        let largest = head.flatten().chain(row.values().iter().copied()).max();
        row.largest = largest.unwrap_or(0);
        row
    }

    pub(crate) fn first_column(&self) -> u64 {
        self.first
    }

    /// The p of column q, if there is one.
    pub(crate) fn p(&self, q: u64) -> Option<u64> {
        let since = usize::try_from(q.checked_sub(self.first)?).expect("columns are in memory");
        if let Some(p) = self.early.get(since) {
            return *p;
        }
        (q + self.offsets.at(since - self.early.len())?).checked_add_signed(-self.shift)
    }

    pub(crate) fn largest_offset(&self) -> u64 {
        self.largest
    }

    /// The column from which the row repeats, or the first one past its end.
    pub(crate) fn settled(&self) -> u64 {
        self.first + (self.early.len() + self.offsets.head().len()) as u64
    }

    /// The offsets of one period; none if the row ends.
    pub(crate) fn values(&self) -> &[u64] {
        self.offsets.periodic().map_or(&[], |sequence| sequence.cycle())
    }

    /// The offset of column q, if there is one.
    pub(crate) fn offset(&self, q: u64) -> Option<u64> {
        let since = usize::try_from(q.checked_sub(self.first)?).expect("columns are in memory");
        match self.early.get(since) {
            Some(p) => self.offset_of((*p)?, q),
            None => self.offsets.at(since - self.early.len()).copied(),
        }
    }

    /// The offset of a p in column q; one that is negative blocks nothing.
    fn offset_of(&self, p: u64, q: u64) -> Option<u64> {
        p.checked_add_signed(self.shift)?.checked_sub(q)
    }

    /// The offsets of column q, q + 1, ..., until the row ends; `None` for a column without a
    /// position. `q` is not before the first column.
    pub(crate) fn offsets_from(&self, q: u64) -> impl Iterator<Item = Option<u64>> + '_ {
        let (head, values) = (self.offsets.head(), self.values());
        let since = usize::try_from(q - self.first).expect("columns are in memory");
        let early = (q..).zip(&self.early[since.min(self.early.len())..]);
        let early = early.map(|(q, p)| p.and_then(|p| self.offset_of(p, q)));
        let since = since.saturating_sub(self.early.len());
        let past = since.saturating_sub(head.len()).checked_rem(values.len()).unwrap_or(0);
        let rest = &head[since.min(head.len())..];
        let regular = rest.iter().chain(&values[past..]).chain(values.iter().cycle());
        early.chain(regular.copied().map(Some))
    }
}
