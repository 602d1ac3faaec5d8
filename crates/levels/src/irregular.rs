//! The irregular columns of a row, which come before the regular ones; and the numbers that are
//! blocked in all regular columns, by bites that leave a fixed number of elements of a growing
//! chain (fact 13 (b), (c)).
//!
//! *Life.* `FoundRows::find` makes both objects when all rows below are found. [`OfChains`] has the
//! effect of bites at the growing chains; it is computed from that of the largest ideal below, in
//! [`OfChains::inherit`], and is kept for the rows of larger ideals. [`Irregular`] borrows it and
//! the rows below, gives the irregular columns by [`Irregular::values`], then the beginning of the
//! regular ones by [`Irregular::never_from`] and [`Irregular::fixed`], and is dropped before the
//! regular columns are computed.
//!
//! *Example.* In the family `c[i] < d[i]`, `d[2] < a`, `c[3] < b` the row of the ideal `{b}` has
//! `least_p` 3. It begins in column 0 and is regular from column 3 on. The row below, of `{}`, has
//! p = n + 1 in column n.
//!
//! | column | bites at c that shorten the ideal | the bite at b | p |
//! |---|---|---|---|
//! | 0 | leave (0,0), (1,0), (2,0); (1,0) has the level, so p < 1 | leaves p = 1 | none |
//! | 1 | leave (0,0), (1,1), (2,1); (2,1) has the level, so p < 2 | leaves p = 2 | none |
//! | 2 | leave (0,0), (1,1), (2,2), none of the level | leaves p = 3 | 4 |
//!
//! So the record has `early: [(2, 4)]`. [`Irregular::fixed`] blocks 4 from column 3 on, where the
//! row takes 3, and ends.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use ultimate::NatSet;

use crate::row::FoundRow;
use crate::shape::Shape;

/// The effect of bites at the growing chains, which is the same in all regular columns of a row.
/// The rows of larger ideals inherit it.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfChains {
    /// The numbers p + shift that (D) blocks, by bites at d that shorten the ideal.
    diagonal: NatSet,
    /// The least x such that the bite that leaves x elements of c, and shortens the ideal, leads to
    /// a position of the level. Then no regular column has a p from x on.
    closed_by: Option<u64>,
}

impl OfChains {
    /// The effect on the row with this number, from the rows below and the effects on them.
    pub(crate) fn inherit(
        shape: &Shape,
        found: &[Option<Arc<FoundRow>>],
        inherited: &[Self],
        number: usize,
    ) -> Self {
        let mut own = Self::default();
        if let Some((lengths, row)) = shape.after_d(number) {
            own.diagonal = inherited[row].diagonal.clone();
            let values = found[row].iter().flat_map(|row| lengths.clone().filter_map(|y| row.p(y)));
            values.filter_map(|p| shape.number(p)).for_each(|number| {
                own.diagonal.insert(number);
            });
        }
        if let Some((lengths, row)) = shape.after_c(number) {
            let closes = |x: &u64| {
                let last = shape.poset.first_d(x + 1).map(|first| first - 1);
                last.zip(found[row].as_ref()).and_then(|(last, row)| row.p(last)) == Some(*x)
            };
            own.closed_by = inherited[row].closed_by.or_else(|| lengths.clone().find(closes));
        }
        own
    }
}

/// The data of the rows below that the irregular columns of a row need.
pub(crate) struct Irregular<'a> {
    shape: &'a Shape,
    found: &'a [Option<Arc<FoundRow>>],
    number: usize,
    of_chains: &'a OfChains,
    /// The bites at elements of the ideal that also shorten a growing chain.
    of_elements: Vec<Bite>,
    /// The rows that bites at the other elements of the ideal leave. If the row has no irregular
    /// columns, only the rows of chains that are partly below a growing chain.
    others: Vec<usize>,
    /// Every position has p less than the first number, and n less than the second, if there is
    /// one.
    limits: (Option<u64>, Option<u64>),
}

/// A bite at an element of the ideal.
struct Bite {
    /// The largest numbers of elements of c and d that it leaves; `None` if it does not shorten the
    /// chain.
    left: (Option<u64>, Option<u64>),
    row: usize,
}

impl<'a> Irregular<'a> {
    pub(crate) fn of(
        shape: &'a Shape,
        found: &'a [Option<Arc<FoundRow>>],
        of_chains: &'a OfChains,
        number: usize,
        has_early: bool,
    ) -> Self {
        let (limits, mut of_elements, mut others) = (shape.limits(number), Vec::new(), Vec::new());
        for (chain, &part) in shape.ideal(number).iter().enumerate() {
            if !has_early && !shape.is_under(chain) {
                continue;
            }
            for place in 0..part as usize {
                let heights = shape.heights(chain, place);
                let left = (heights.under_c.map(|i| i - 1), heights.under_d.map(|j| j - 1));
                let row = shape.after(number, chain, place);
                if left == (None, None) {
                    others.push(row);
                } else {
                    of_elements.push(Bite { left, row });
                }
            }
        }
        Self { shape, found, number, of_chains, of_elements, others, limits }
    }

    /// The p of each of these columns, which begin with the first column of the row.
    pub(crate) fn values(&self, columns: Range<u64>) -> Vec<Option<u64>> {
        let (mut values, mut taken) = (Vec::new(), self.of_chains.diagonal.clone());
        for q in columns {
            let value = self.value(q, &values, &taken);
            if let Some(number) = value.and_then(|p| self.shape.number(p)) {
                taken.insert(number);
            }
            values.push(value);
        }
        values
    }

    /// The p of column q, from the p of the columns before it; (D) and (R) block the numbers
    /// `taken`.
    fn value(&self, q: u64, before: &[Option<u64>], taken: &NatSet) -> Option<u64> {
        let end = self.ceiling(q, before, self.closed_by(q));
        if self.limits.1.is_some_and(|limit| q >= limit) {
            return None;
        }
        let mut blocked: BTreeSet<u64> =
            self.of_elements.iter().filter_map(|bite| self.left_by(bite, q)).collect();
        let lower = self.number - self.shape.level(self.number)..self.number;
        let in_column = self.others.iter().copied().chain(lower);
        blocked.extend(in_column.filter_map(|row| self.p(row, q)));
        let is_taken = |p| self.shape.number(p).is_some_and(|number| taken.contains(number));
        let mut p = self.least_in(q);
        while is_taken(p) || blocked.contains(&p) {
            p += 1;
        }
        end.is_none_or(|end| p < end).then_some(p)
    }

    /// The least x such that the bite that leaves x elements of c, and shortens the ideal, leads
    /// from column q to a position of the level.
    fn closed_by(&self, q: u64) -> Option<u64> {
        let column = |x: u64| self.shape.poset.first_d(x + 1).map_or(q, |first| q.min(first - 1));
        let mut closed_by = None;
        let mut above = self.number;
        while let Some((mut lengths, row)) = self.shape.after_c(above) {
            closed_by = lengths.find(|x| self.p(row, column(*x)) == Some(*x)).or(closed_by);
            above = row;
        }
        closed_by
    }

    /// The least p of a position in column q: n is less than the least j with `c[p + 1] < d[j]`.
    fn least_in(&self, q: u64) -> u64 {
        let mut p = self.shape.least_p(self.number);
        while self.shape.poset.first_d(p + 1).is_some_and(|first| first <= q) {
            p += 1;
        }
        p
    }

    fn p(&self, row: usize, q: u64) -> Option<u64> {
        self.found[row].as_ref()?.p(q)
    }

    /// The p to which a bite leads in column q, if it leads to a position of this level.
    fn left_by(&self, bite: &Bite, q: u64) -> Option<u64> {
        self.p(bite.row, bite.left.1.map_or(q, |left| q.min(left)))
    }

    /// The least p in column q from which on a bite leads to one and the same position of the
    /// level. So no position of the level in column q has this p or a larger one. `before` has the
    /// p of the columns before q, and `closed_by` the least x for which a bite at c is such a bite.
    fn ceiling(&self, q: u64, before: &[Option<u64>], closed_by: Option<u64>) -> Option<u64> {
        let of_elements = self.of_elements.iter().filter_map(|bite| {
            let p = self.left_by(bite, q)?;
            (bite.left.0 == Some(p)).then_some(p)
        });
        let ends = |&(before, p): &(u64, u64)| self.shape.poset.first_d(p + 1) == Some(before + 1);
        let own =
            (self.shape.begins(self.number)..).zip(before).filter_map(|(q, p)| Some((q, (*p)?)));
        let own = own.filter(ends).map(|(_, p)| p);
        closed_by.into_iter().chain(of_elements).chain(own).chain(self.limits.0).min()
    }

    /// If columns from q on are regular and none of them has a position: the ceiling, or 0 if there
    /// are no such columns.
    pub(crate) fn never_from(&self, q: u64, before: &[Option<u64>]) -> Option<u64> {
        if self.limits.1.is_some_and(|limit| q >= limit) {
            return Some(0);
        }
        self.ceiling(q, before, self.of_chains.closed_by)
    }

    /// The numbers p + shift that are blocked in all columns from q on, which are regular.
    pub(crate) fn fixed(&self, q: u64, before: &[Option<u64>]) -> NatSet {
        let of_elements = self.of_elements.iter().filter_map(|bite| self.left_by(bite, q));
        let own = before.iter().copied().flatten().chain(of_elements);
        // Less than the least p is blocked.
        let below = q..self.shape.number(self.least_in(q)).unwrap_or(0);
        let mut fixed = self.of_chains.diagonal.clone();
        for number in own.filter_map(|p| self.shape.number(p)).chain(below) {
            fixed.insert(number);
        }
        fixed
    }
}
