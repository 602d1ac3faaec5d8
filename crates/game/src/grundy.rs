//! The third oracle: the Grundy value of every position, from the definition and nothing else.

use crate::ThreeRows;
use crate::tree::index;

/// The Grundy values of all positions with `p <= n`, found by looking at every bite of every
/// position.
///
/// ```
/// use game::{GrundyTable, ThreeRows};
///
/// let table = GrundyTable::up_to(5);
/// // OEIS A069001: 3x4 has the value 9.
/// assert_eq!(table.value(ThreeRows::new(4, 4, 4)?), Some(9));
/// assert_eq!(table.value(ThreeRows::new(2, 1, 0)?), Some(0));
/// assert_eq!(table.value(ThreeRows::new(6, 0, 0)?), None);
/// # Ok::<(), game::ThreeRowsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GrundyTable {
    n: u64,
    /// In the order of [`ThreeRows::up_to`].
    values: Vec<u32>,
}

impl GrundyTable {
    /// The Grundy values of all positions with `p <= n`; of none for `n = 0`.
    ///
    /// Takes `O(n^4)` time and four bytes for each of about `n^3/6` positions: meant for `n` to a
    /// few hundred.
    #[must_use]
    pub fn up_to(n: u64) -> Self {
        let mut table = Self { n, values: Vec::new() };
        // For each value, the position that was the last to have an option with it, counted from 1.
        let mut last_seen = Vec::new();
        for (position, number) in ThreeRows::up_to(n).zip(1_u64..) {
            position.bites().for_each(|bite| {
                let value = table.values[index(bite)] as usize;
                if value >= last_seen.len() {
                    last_seen.resize(value + 1, 0);
                }
                last_seen[value] = number;
            });
            let mex = last_seen.iter().take_while(|&&seen| seen == number).count();
            table.values.push(narrow(mex));
        }
        table
    }

    /// The Grundy value of a position; `None` if its `p` is larger than `n`. Constant time.
    #[must_use]
    pub fn value(&self, position: ThreeRows) -> Option<u64> {
        let in_reach = position.p() <= self.n;
        in_reach.then(|| self.values[index(position)].into())
    }

    /// All positions with `p <= n` in their order (by `p`, then `q`, then `r`), each with its
    /// Grundy value.
    pub fn values(&self) -> impl Iterator<Item = (ThreeRows, u64)> {
        ThreeRows::up_to(self.n).zip(self.values.iter().map(|&value| value.into()))
    }
}

/// A value, which is at most the number of bites.
fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("less than 3n")
}
