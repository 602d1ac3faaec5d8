//! The diagonal values, which every row needs of the rows below it.

use record::Record;

/// For each row, the set D of 0 and the diagonal values of the rows below it: from the records, as
/// they state it. A record is compared with the computed value in the first cell of its row, and
/// every cell that asks for it comes later (fact 8(a)).
#[derive(Default)]
pub(super) struct Diagonal {
    /// For each p the first row whose D has it.
    pub(super) blocked_from: Vec<u32>,
    /// For each row, one past the largest member of D.
    pub(super) ends: Vec<u32>,
    /// Every row keeps intervals: for tests, since no known row needs them.
    pub(super) all_far: bool,
}

impl Diagonal {
    pub(super) fn new(rows: &[Record]) -> Self {
        let mut diagonal = Self::default();
        diagonal.block_from(0, 0);
        let mut end = 1;
        for (above, record) in (1_u32..).zip(rows) {
            diagonal.ends.push(end);
            // By Corollary 1a a diagonal value is less: another one is refuted in its own column.
            let least_wrong = above.saturating_mul(2);
            let first = record.first().and_then(|first| u32::try_from(first).ok());
            if let Some(first) = first.filter(|&first| first < least_wrong) {
                diagonal.block_from(first, above);
                end = end.max(first.saturating_add(1));
            }
        }
        diagonal
    }

    /// Notes that p is in D for `row` and the rows above it.
    pub(super) fn block_from(&mut self, p: u32, row: u32) {
        let place = p as usize;
        if self.blocked_from.len() <= place {
            self.blocked_from.resize(place.saturating_add(1), u32::MAX);
        }
        if let Some(from) = self.blocked_from.get_mut(place) {
            *from = row.min(*from);
        }
    }

    /// Whether D of this row has p.
    pub(super) fn blocks(&self, p: u32, row: u32) -> bool {
        self.blocked_from.get(p as usize).is_some_and(|&from| from <= row)
    }

    /// The p from `first` on, `places` of them, that are not in D of this row.
    pub(super) fn left_for(&self, row: u32, first: u32, places: u32) -> u64 {
        let from = self.blocked_from.get(first as usize..).unwrap_or_default();
        let known = from.get(..places as usize).unwrap_or(from);
        let left =
            known.iter().rev().fold(u64::MAX, |left, &from| left << 1 | u64::from(from > row));
        left & u64::MAX.checked_shr(u64::BITS.saturating_sub(places)).unwrap_or(0)
    }

    /// One past the largest member of D of this row.
    pub(super) fn end(&self, row: u32) -> u32 {
        self.ends.get(row as usize).copied().unwrap_or(u32::MAX)
    }
}
