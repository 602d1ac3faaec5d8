//! The second oracle: Brouwer's recurrence for `f(q,r)`, in the words of the 2005 paper.
//!
//! For given `q` and `r` there is a unique `p = f(q,r)` such that `(p, min(p,q), min(p,q,r))` is a
//! P-position (A. E. Brouwer, G. Horváth, I. Molnár-Sáska, C. Szabó, *On three-rowed Chomp*,
//! Integers 5 (2005) G07, section 8.1). With the minima `f` is defined for *all* `q` and `r`, also
//! for `r > q` and where a finite row has ended; whether `(p,q,r)` itself is a P-position is the
//! narrower question that [`Table::row`] and [`Table::outcome`] answer.
//!
//! Nothing here saves work: each value is found by looking at its whole row and column.

use crate::{Outcome, ThreeRows};

/// Brouwer's `f(q,r)` for `0 <= q, r <= n`.
///
/// ```
/// use game::brouwer::Table;
///
/// let table = Table::up_to(24);
/// assert_eq!(table.f(4, 3), Some(7)); // (7,4,3) is a P-position
/// assert_eq!(table.f(8, 3), Some(5)); // row 3 ended with (5,5,3)
/// assert_eq!(table.f(3, 8), Some(6)); // above the diagonal: f(3,3)
/// assert_eq!(table.f(25, 0), None); // out of reach
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    /// `columns[q][r]` is `f(q,r)`, and so is `rows[r][q]`: the recurrence goes through both.
    columns: Vec<Vec<u64>>,
    rows: Vec<Vec<u64>>,
}

impl Table {
    /// `f(q,r)` for `0 <= q, r <= n`, by the recurrence of the 2005 paper, section 8.1:
    ///
    /// > If `r > q`, then `f(q,r) = f(q,q)`. Otherwise, if `f(q-1,r) < q`, then
    /// > `f(q,r) = f(q-1,r)`. If neither case occurs, then `f(q,r)` is the smallest positive
    /// > integer not among `f(a,r)` for `a < q` or among `f(q,b)` for `b < r`.
    ///
    /// Takes `O(n^3)` time, as each of `n^2` values looks at its row and its column, and sixteen
    /// bytes for each value: meant for `n` to two thousand or so.
    pub fn up_to(n: u64) -> Self {
        let none = vec![Vec::new(); index(n) + 1];
        let mut table = Self { columns: none.clone(), rows: none };
        for q in 0..=n {
            for r in 0..=n {
                let value = table.recurrence(q, r);
                table.columns[index(q)].push(value);
                table.rows[index(r)].push(value);
            }
        }
        table
    }

    /// `f(q,r)` from the values found so far: those before q in row r, and those below r in column
    /// q.
    fn recurrence(&self, q: u64, r: u64) -> u64 {
        if r > q {
            return self.known(q, q);
        }
        if q > 0 && self.known(q - 1, r) < q {
            return self.known(q - 1, r);
        }
        // q + r values cannot cover 1, ..., q + r + 1, and larger ones do not matter.
        let mut taken = vec![false; index(q + r + 2)];
        for &value in self.rows[index(r)].iter().chain(&self.columns[index(q)]) {
            taken[index(value)] = true;
        }
        let mut least = 1;
        while taken[index(least)] {
            least += 1;
        }
        least
    }

    fn known(&self, q: u64, r: u64) -> u64 {
        self.columns[index(q)][index(r)]
    }

    /// `f(q,r)`, in squares: the only `p` that makes `(p, min(p,q), min(p,q,r))` a P-position.
    /// `None` if `q` or `r` is larger than `n`. Constant time.
    ///
    /// For `q >= r`, a value of at least `q` says that `(f(q,r),q,r)` is a P-position; a value `x`
    /// below `q` says that row r is finite and ended with `(x,x,r)`.
    pub fn f(&self, q: u64, r: u64) -> Option<u64> {
        let place = |x| usize::try_from(x).ok();
        self.columns.get(place(q)?)?.get(place(r)?).copied()
    }

    /// The outcome of a position: P if `p = f(q,r)`, otherwise N. `None` if `q` is larger than `n`;
    /// `p` may be any. Constant time.
    ///
    /// ```
    /// use game::{Outcome, ThreeRows, brouwer::Table};
    ///
    /// let table = Table::up_to(4);
    /// assert_eq!(table.outcome(ThreeRows::new(7, 4, 3)?), Some(Outcome::P));
    /// assert_eq!(table.outcome(ThreeRows::new(1000, 4, 3)?), Some(Outcome::N));
    /// # Ok::<(), game::ThreeRowsError>(())
    /// ```
    pub fn outcome(&self, position: ThreeRows) -> Option<Outcome> {
        let f = self.f(position.q(), position.r())?;
        Some(if f == position.p() { Outcome::P } else { Outcome::N })
    }

    /// Row r as far as the table reaches: its P-positions `(p,q,r)` with `q <= n`, by `q`.
    ///
    /// There is one for each `q` from `r` on, up to the end of the row if it is finite; none if
    /// `r > n`. Going through all of them takes `O(n)` time.
    ///
    /// ```
    /// use game::brouwer::Table;
    ///
    /// let table = Table::up_to(24);
    /// let row: Vec<String> = table.row(3).map(|position| position.to_string()).collect();
    /// assert_eq!(row, ["(6,3,3)", "(7,4,3)", "(5,5,3)"]);
    /// ```
    pub fn row(&self, r: u64) -> impl Iterator<Item = ThreeRows> {
        // Where the row has ended, f(q,r) < q, and that is no position.
        (r..self.columns.len() as u64)
            .filter_map(move |q| ThreeRows::new(self.known(q, r), q, r).ok())
    }

    /// All P-positions `(p,q,r)` with `q <= n`, by `r`, then `q`. Going through all of them takes
    /// `O(n^2)` time.
    pub fn p_positions(&self) -> impl Iterator<Item = ThreeRows> {
        (0..self.columns.len() as u64).flat_map(|r| self.row(r))
    }
}

/// These numbers count objects in memory, or twice as many.
fn index(x: u64) -> usize {
    usize::try_from(x).expect("a table that fits in memory")
}
