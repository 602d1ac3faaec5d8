//! Sums and extremes over cells: a few additions and comparisons for each cell.

use record::listeners::Cells;

/// Counts and extremes over cells `(q,r)`, `r <= q`, with values `p = f(q,r)`.
///
/// Cells may come in any order, divided in any way among any number of tallies: after
/// [`merge`](Self::merge) the result is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellTally {
    /// By p, from 0 on.
    pub(super) values: Vec<ValueTally>,
    /// By r: the least p with `q > r`.
    pub(super) minima: Vec<Minimum>,
    /// By q: the largest p with `r < q`, or 0.
    pub(super) maxima: Vec<u64>,
    /// The largest `p - q - r`.
    pub(super) highest: Option<Highest>,
}

/// The cells with one value p.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ValueTally {
    /// Their number.
    pub number: u64,
    /// The sum of their offsets `p - q`.
    pub offsets: u64,
}

/// The least value of a row off the diagonal, and its column; of two columns the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Minimum {
    pub p: u64,
    pub q: u64,
}

impl Minimum {
    /// The minimum of a row without known cells.
    pub(super) const NONE: Self = Self { p: u64::MAX, q: u64::MAX };
}

/// The largest `p - q - r`, and the least (r,q) where it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Highest {
    pub excess: i64,
    pub row: u64,
    pub column: u64,
}

impl CellTally {
    /// A tally of rows 0 to `last_row`, without cells yet. It counts the values p up to
    /// `3/2·last_row + 2`. For all R tried so far, rows 0 to R determine the counts of fewer values
    /// than that.
    pub fn new(last_row: u64) -> Self {
        let rows = index(last_row + 1);
        Self {
            values: vec![ValueTally::default(); index(last_row + last_row / 2 + 3)],
            minima: vec![Minimum::NONE; rows],
            maxima: vec![0; rows],
            highest: None,
        }
    }

    /// The bytes of a tally of rows 0 to `last_row`.
    pub fn memory(last_row: u64) -> u64 {
        let bytes_of_row =
            3 * size_of::<ValueTally>() / 2 + size_of::<Minimum>() + size_of::<u64>();
        (last_row + 2) * bytes_of_row as u64
    }

    /// Adds the cells of another tally of the same rows.
    ///
    /// # Panics
    /// If it is one of other rows.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.minima.len(), other.minima.len(), "tallies of the same rows");
        for (here, there) in self.values.iter_mut().zip(&other.values) {
            here.number += there.number;
            here.offsets += there.offsets;
        }
        for (here, there) in self.minima.iter_mut().zip(&other.minima) {
            *here = (*here).min(*there);
        }
        for (here, there) in self.maxima.iter_mut().zip(&other.maxima) {
            *here = (*here).max(*there);
        }
        if let Some(highest) = other.highest {
            self.reach(highest);
        }
    }

    fn reach(&mut self, new: Highest) {
        let order = |h: Highest| (-h.excess, h.row, h.column);
        if self.highest.is_none_or(|old| order(new) < order(old)) {
            self.highest = Some(new);
        }
    }
}

impl Cells for CellTally {
    #[inline]
    fn cell(&mut self, q: u64, r: u64, p: u64) {
        if let Some(value) = self.values.get_mut(index(p)) {
            value.number += 1;
            value.offsets += p - q;
        }
        if q > r {
            let minimum = &mut self.minima[index(r)];
            *minimum = (*minimum).min(Minimum { p, q });
            if let Some(maximum) = self.maxima.get_mut(index(q)) {
                *maximum = (*maximum).max(p);
            }
        }
        let excess = (p - q).cast_signed() - r.cast_signed();
        if self.highest.is_none_or(|highest| excess >= highest.excess) {
            self.reach(Highest { excess, row: r, column: q });
        }
    }
}

/// An index into memory.
#[inline]
pub(super) fn index(n: u64) -> usize {
    usize::try_from(n).expect("what is indexed is in memory")
}
