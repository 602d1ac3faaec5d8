//! From the sequence of finite rows to the number of holes h. Stands on `proofs/cascade.md`, 5.2.

/// Reads which rows are finite, from row 0 on, and gives each periodic row its h: the number of its
/// holes, or less than 0 at a reset.
///
/// It is the length of a queue: each periodic row adds one, each finite row removes one if there is
/// one. Constant time for each row.
///
/// ```
/// use cascade::Queue;
/// let mut queue = Queue::default();
/// // p: a periodic row; f: a finite one.
/// let holes: Vec<i64> = "pppffp".chars().filter_map(|row| queue.next(row == 'f')).collect();
/// assert_eq!(holes, [0, 1, 2, 1]);
/// // Rows 0 to 2 are periodic: three more than are finite among them.
/// assert_eq!(queue.largest_excess(), Some((3, 2)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    rows: u64,
    last: Option<u64>,
    h: i64,
    largest: Option<(u64, u64)>,
}

impl Queue {
    /// The h of the next row; `None` if it is finite.
    pub fn next(&mut self, finite: bool) -> Option<i64> {
        let row = self.rows;
        self.rows += 1;
        if finite {
            return None;
        }
        // As if row -2 were the periodic row before the first one, with h = 0.
        let difference = self.last.map_or(row.saturating_add(2), |last| row - last);
        self.h = self.h.max(0) + 2 - difference.cast_signed();
        self.last = Some(row);
        let excess = self.h.max(0).cast_unsigned() + 1;
        if self.largest.is_none_or(|(largest, _)| excess > largest) {
            self.largest = Some((excess, row));
        }
        Some(self.h)
    }

    /// The number of rows read, which is the number of the next one.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The last periodic row.
    pub fn last(&self) -> Option<u64> {
        self.last
    }

    /// The largest excess of periodic rows over finite ones in an interval of rows, and the last
    /// row of the first such interval; `None` if no row is periodic. It is one more than the
    /// largest h, and at least 1.
    pub fn largest_excess(&self) -> Option<(u64, u64)> {
        self.largest
    }
}
