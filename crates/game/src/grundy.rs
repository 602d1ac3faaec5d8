//! The third oracle: the Grundy value of every position.

use ultimate::{NatSet, least_free};

use crate::ThreeRows;
use crate::tree::index;

/// The Grundy values of all positions with `p <= n`: of each, the least number that is not the
/// value of what a bite leaves.
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
    /// For p > q the bites in the top row of `(p,q,r)` leave `(p - 1,q,r)`, and what bites in its
    /// top row leave. The set of values after these bites grows by the value of `(p - 1,q,r)`. The
    /// same holds of the middle row for q > r, and of the bottom row for r > 0. The sets for p = q
    /// and for q = r are filled bite by bite.
    ///
    /// Takes `O(n^4)` time, with 64 values at a time, four bytes for each of about `n^3/6`
    /// positions, and up to `3n` bits for each of `n^2/2` sets: meant for `n` to a few hundred.
    pub fn up_to(n: u64) -> Self {
        let mut table = Self { n, values: Vec::new() };
        // For each (q,r) in order, the values after bites in the top row.
        let mut top = vec![NatSet::new()];
        for p in 1..=n {
            // For each r, the values after bites in the middle row.
            let mut middle = Vec::new();
            for q in 0..=p {
                let (mut bottom, first) = (NatSet::new(), place(q * (q + 1) / 2));
                for r in 0..=q {
                    if q == p {
                        top.push((1..p).map(|x| table.at(x, x, r.min(x))).collect());
                    }
                    if r == q {
                        middle.push((0..q).map(|x| table.at(p, x, x)).collect());
                    }
                    let sets = [&mut top[first + place(r)], &mut middle[place(r)], &mut bottom];
                    let value =
                        least_free(0, |k| sets.iter().fold(0, |all, set| all | set.word(k)));
                    for values in sets {
                        values.insert(value);
                    }
                    table.values.push(narrow(value));
                }
            }
        }
        table
    }

    /// The value of `(p,q,r)`, which is known.
    fn at(&self, p: u64, q: u64, r: u64) -> u64 {
        self.values[index(ThreeRows::new(p, q, r).expect("a position"))].into()
    }

    /// The Grundy value of a position; `None` if its `p` is larger than `n`. Constant time.
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

fn place(number: u64) -> usize {
    usize::try_from(number).expect("of a row or a pair of rows in a table")
}

fn narrow(value: u64) -> u32 {
    u32::try_from(value).expect("at most the number of bites")
}
