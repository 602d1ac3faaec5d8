//! The columns of a row before its regular ones, and what is blocked in all regular columns: bites
//! that lead to a fixed number of elements of a growing chain (fact 13 (b), (c)).

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use ultimate::NatSet;

use crate::known::Known;
use crate::shape::Shape;

/// What the rows below say about a row.
pub(crate) struct Irregular<'a> {
    shape: &'a Shape,
    known: &'a [Option<Arc<Known>>],
    number: usize,
    begins: u64,
    least_p: u64,
    /// The p of (D): bites at d that shorten the ideal.
    diagonal: Vec<u64>,
    /// The bites at c that shorten the ideal: the x that c is bitten to, and the row that is left.
    of_c: Vec<(u64, usize)>,
    /// The bites at elements of the ideal that shorten a growing chain, too.
    of_elements: Vec<Bite>,
    /// For the other elements of the ideal the row that a bite leaves. Not looked up where the row
    /// has no irregular columns.
    others: Vec<usize>,
    /// Positions have a smaller p, and a smaller n.
    limits: (Option<u64>, Option<u64>),
}

/// A bite at an element of the ideal.
struct Bite {
    /// The elements of c and d that it leaves at most.
    left: (Option<u64>, Option<u64>),
    row: usize,
}

impl<'a> Irregular<'a> {
    pub(crate) fn of(shape: &'a Shape, known: &'a [Option<Arc<Known>>], number: usize) -> Self {
        let (begins, least_p) = (shape.begins(number), shape.least_p(number));
        let first = |(y, row): (u64, usize)| known[row].as_ref()?.p(y);
        let mut own = Self {
            shape,
            known,
            number,
            begins,
            least_p,
            diagonal: shape.after_d(number).filter_map(first).collect(),
            of_c: shape.after_c(number).collect(),
            of_elements: Vec::new(),
            others: Vec::new(),
            limits: shape.limits(number),
        };
        let has_early = shape.key(number).first_column() > begins;
        for (chain, &part) in shape.ideal(number).iter().enumerate() {
            for place in 0..part as usize {
                let heights = shape.heights(chain, place);
                let left = (heights.under_c.map(|i| i - 1), heights.under_d.map(|j| j - 1));
                if left != (None, None) {
                    own.of_elements.push(Bite { left, row: shape.after(number, chain, place) });
                } else if has_early {
                    own.others.push(shape.after(number, chain, place));
                }
            }
        }
        own
    }

    /// The p of each of these columns, which are the first ones.
    pub(crate) fn values(&self, columns: Range<u64>) -> Vec<Option<u64>> {
        let (mut values, mut fixed) = (Vec::new(), self.diagonal.iter().copied().collect());
        for q in columns {
            let value = self.value(q, &values, &fixed);
            fixed.extend(value);
            values.push(value);
        }
        values
    }

    /// The p of column q, from those of the columns before it; (D) and (R) block `fixed`.
    fn value(&self, q: u64, before: &[Option<u64>], fixed: &BTreeSet<u64>) -> Option<u64> {
        let end = self.ceiling(q, before);
        if self.limits.1.is_some_and(|limit| q >= limit) {
            return None;
        }
        let mut blocked: BTreeSet<u64> =
            self.of_elements.iter().filter_map(|bite| self.left_by(bite, q)).collect();
        let lower = self.number - self.shape.level(self.number)..self.number;
        let in_column = self.others.iter().copied().chain(lower);
        blocked.extend(in_column.filter_map(|row| self.p(row, q)));
        let mut p = self.least_in(q);
        while fixed.contains(&p) || blocked.contains(&p) {
            p += 1;
        }
        end.is_none_or(|end| p < end).then_some(p)
    }

    /// The least p of a position in column q: n is less than the least j with `c[p + 1] < d[j]`.
    fn least_in(&self, q: u64) -> u64 {
        let mut p = self.least_p;
        while self.shape.first_d(p + 1).is_some_and(|first| first <= q) {
            p += 1;
        }
        p
    }

    fn p(&self, row: usize, q: u64) -> Option<u64> {
        self.known[row].as_ref()?.p(q)
    }

    /// The p to which a bite leads in column q, if it leads to a position of this level.
    fn left_by(&self, bite: &Bite, q: u64) -> Option<u64> {
        self.p(bite.row, bite.left.1.map_or(q, |left| q.min(left)))
    }

    /// No p from this one on gives the level in column q: a bite leads from all of them to one
    /// position that has it. The rows of the columns before it are given.
    fn ceiling(&self, q: u64, before: &[Option<u64>]) -> Option<u64> {
        let column = |x: u64| self.shape.first_d(x + 1).map_or(q, |first| q.min(first - 1));
        let of_c = self.of_c.iter().filter(|&&(x, row)| self.p(row, column(x)) == Some(x));
        let of_elements = self.of_elements.iter().filter_map(|bite| {
            let p = self.left_by(bite, q)?;
            (bite.left.0 == Some(p)).then_some(p)
        });
        let ends = |&(before, p): &(u64, u64)| self.shape.first_d(p + 1) == Some(before + 1);
        let own = (self.begins..).zip(before).filter_map(|(q, p)| Some((q, (*p)?)));
        let own = own.filter(ends).map(|(_, p)| p);
        of_c.map(|(x, _)| *x).chain(of_elements).chain(own).chain(self.limits.0).min()
    }

    /// Whether no column from q on, which is regular, has a position; then the ceiling, or 0 if
    /// there are no such columns.
    pub(crate) fn never_from(&self, q: u64, before: &[Option<u64>]) -> Option<u64> {
        if self.limits.1.is_some_and(|limit| q >= limit) {
            return Some(0);
        }
        self.ceiling(q, before)
    }

    /// The numbers p + shift that are blocked in all columns from q on, which are regular.
    pub(crate) fn fixed(&self, q: u64, before: &[Option<u64>]) -> NatSet {
        let of_elements = self.of_elements.iter().filter_map(|bite| self.left_by(bite, q));
        let all = self.diagonal.iter().copied().chain(before.iter().copied().flatten());
        let number = |p: u64| p.checked_add_signed(self.shape.shift);
        // Less than the least p is blocked.
        let below = q..number(self.least_in(q)).unwrap_or(0);
        let mut fixed = NatSet::new();
        for number in all.chain(of_elements).filter_map(number).filter(|own| *own >= q).chain(below)
        {
            fixed.insert(number);
        }
        fixed
    }
}
