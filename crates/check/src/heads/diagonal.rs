//! The diagonal values, which every row needs of the rows below it.

use record::Record;

use super::column::BITS;

/// For each row, the set D of 0 and the diagonal values of the rows below it: from the records, as
/// they state it. A record is compared with the computed value in the first cell of its row, and
/// every cell that asks for it comes later (fact 8(a)).
#[derive(Default)]
pub(super) struct Diagonal {
    /// For each p the first row whose D has it.
    blocked_from: Vec<u32>,
    /// For each byte of p, as far as p goes.
    bytes: Vec<Byte>,
    /// For each row, one past the largest member of D.
    pub(super) ends: Vec<u32>,
    /// Every row keeps intervals: for tests, since no known row needs them.
    pub(super) all_far: bool,
}

/// Eight p: the D of rows from `from` on have the same of them, and leave those whose bits are 1.
#[derive(Clone, Copy)]
struct Byte {
    left: u8,
    from: u32,
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
        let (place, byte) = (p as usize, (p / BITS) as usize);
        if self.bytes.len() <= byte {
            self.bytes.resize(byte.saturating_add(1), Byte { left: u8::MAX, from: 0 });
            self.blocked_from.resize(self.bytes.len().saturating_mul(8), u32::MAX);
        }
        if let (Some(from), Some(byte)) =
            (self.blocked_from.get_mut(place), self.bytes.get_mut(byte))
        {
            *from = row.min(*from);
            byte.left &= !(1 << (p % BITS));
            byte.from = row.max(byte.from);
        }
    }

    /// Whether D of this row has p.
    pub(super) fn blocks(&self, p: u32, row: u32) -> bool {
        self.blocked_from.get(p as usize).is_some_and(|&from| from <= row)
    }

    /// The p of bytes from one on, at most eight, that are not in D of this row.
    pub(super) fn left_for(&self, row: u32, first: u32, bytes: u32) -> u64 {
        let places = (0..bytes).zip(first..);
        places.fold(0, |left, (place, byte)| {
            left | u64::from(self.left_in_byte(row, byte)) << place.wrapping_mul(BITS)
        })
    }

    fn left_in_byte(&self, row: u32, byte: u32) -> u8 {
        match self.bytes.get(byte as usize) {
            None => u8::MAX,
            Some(&Byte { left, from }) if from <= row => left,
            Some(_) => {
                let places = (0..BITS).zip(byte.wrapping_mul(BITS)..);
                let left = places.filter(|&(_, p)| !self.blocks(p, row));
                left.fold(0, |left, (place, _)| left | 1 << place)
            }
        }
    }

    /// One past the largest member of D of this row.
    pub(super) fn end(&self, row: u32) -> u32 {
        self.ends.get(row as usize).copied().unwrap_or(u32::MAX)
    }
}
