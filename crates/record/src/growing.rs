//! A finite poset beside two growing chains: the description of a family of rows (fact 13).

mod order;
mod text;

use std::fmt;

use thiserror::Error;

pub use text::GrowingPosetError;

use crate::{RowKey, Tail};
use order::Order;

/// A poset of finitely many elements and two chains `c[1] < c[2] < ...` and `d[1] < d[2] < ...`
/// without end, no element of which is below one of c. Positions of its game have the first p
/// elements of c, the first n of d, and an order ideal of the finite elements.
///
/// The text has one relation a line, as the files of finite posets have, and one line at most with
/// the letter `i` for all relations of the two chains:
///
/// ```
/// use record::GrowingPoset;
/// let rows: GrowingPoset = "c[i] < d[i]  # three rows, the third of length 2\n\
///     d[1] < a\nd[2] < b\na < b".parse()?;
/// assert_eq!((rows.len(), rows.first_d(7), rows.least()), (2, Some(7), 1));
/// assert_eq!(rows.heights(1).over_c, 2);
/// let error = "d[1] < x\nx < c[3]".parse::<GrowingPoset>().unwrap_err();
/// assert!(error.to_string().contains("d[1] < x < c[3]"));
/// # Ok::<(), record::GrowingPosetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrowingPoset {
    /// The lines of the text, without comments.
    lines: Vec<String>,
    names: Vec<String>,
    /// For each element other elements below it, so that the rest follows.
    lower: Vec<Vec<usize>>,
    heights: Vec<Heights>,
    /// The least j with `c[i] < d[j]`, for the first i, where it is not that of the rule.
    first_d: Vec<Option<u64>>,
    /// The k of the rule `c[i] < d[i+k]`.
    rule: Option<i64>,
    least: u64,
}

/// How a finite element lies beside the chains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heights {
    /// The greatest i with `c[i]` below the element, or 0.
    pub over_c: u64,
    /// The greatest j with `d[j]` below the element, or 0.
    pub over_d: u64,
    /// The least i with `c[i]` above the element.
    pub under_c: Option<u64>,
    /// The least j with `d[j]` above the element.
    pub under_d: Option<u64>,
}

impl GrowingPoset {
    /// The most order ideals of the finite part.
    pub const MOST_IDEALS: usize = 1 << 20;

    /// The poset of Chomp with these two longest rows: `c` is the longest row, `d` the second, and
    /// the finite elements are the squares of the tail, row by row.
    ///
    /// # Panics
    /// Never: these are relations of a poset.
    #[must_use]
    pub fn of_tails(within: &Tail) -> Self {
        Order::of_tails(within).poset(Vec::new()).expect("the squares of a board are a poset")
    }

    /// The number of finite elements. The poison is none of them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no finite elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of a finite element.
    #[must_use]
    pub fn name(&self, element: usize) -> &str {
        &self.names[element]
    }

    /// Finite elements below one, with all that it covers among them.
    #[must_use]
    pub fn lower(&self, element: usize) -> &[usize] {
        &self.lower[element]
    }

    /// How an element lies beside the chains.
    #[must_use]
    pub fn heights(&self, element: usize) -> Heights {
        self.heights[element]
    }

    /// The least j with `c[i] < d[j]`; `None` if there is none.
    #[must_use]
    pub fn first_d(&self, i: u64) -> Option<u64> {
        let place = usize::try_from(i.saturating_sub(1)).unwrap_or(usize::MAX);
        match self.first_d.get(place) {
            Some(first) => *first,
            None => by_rule(self.rule?, i),
        }
    }

    /// 1 if `c[1]` is the poison, which no player takes, otherwise 0: the least p of a position.
    #[must_use]
    pub fn least(&self) -> u64 {
        self.least
    }

    /// The lines of the text, without comments.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The order ideals of the finite part, each as its elements in ascending order: by their
    /// number of elements, then element by element. `None` if there are more than
    /// [`MOST_IDEALS`](Self::MOST_IDEALS).
    #[must_use]
    pub fn ideals(&self) -> Option<Vec<Vec<usize>>> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        let mut of_size = all.clone();
        while !of_size.is_empty() {
            let mut larger = Vec::new();
            for ideal in &of_size {
                let has = |element: &usize| ideal.binary_search(element).is_ok();
                let fits = |element: &usize| !has(element) && self.lower[*element].iter().all(has);
                larger.extend((0..self.len()).filter(fits).map(|element| {
                    let mut larger = ideal.clone();
                    larger.insert(larger.partition_point(|own| *own < element), element);
                    larger
                }));
                if larger.len() > self.len().max(2) * Self::MOST_IDEALS {
                    return None;
                }
            }
            larger.sort_unstable();
            larger.dedup();
            all.extend(larger.iter().cloned());
            if all.len() > Self::MOST_IDEALS {
                return None;
            }
            of_size = larger;
        }
        Some(all)
    }
}

/// The least j >= 1 with `c[i] < d[j]` by the rule `c[i] < d[i+k]`.
fn by_rule(k: i64, i: u64) -> Option<u64> {
    Some(i.saturating_add_signed(k).max(1))
}

/// An order ideal of the finite part, and the columns and numbers that its statement counts with.
///
/// A row may be irregular in its first columns (fact 13). Its statement begins with `column`, and
/// counts `p + shift` instead of p, so that offsets are not negative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ideal {
    /// The names of its maximal elements.
    pub generators: Vec<String>,
    /// The first column of the row: the greatest j with `d[j]` below an element, or 0.
    pub begins: u64,
    /// The first column of the statement.
    pub column: u64,
    /// The shift, the same for all rows of the family.
    pub shift: i64,
}

/// `{}`, `{a2,b1}`: the ideal of the elements that are below one of these, or are one.
impl fmt::Display for Ideal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{{{}}}", self.generators.join(","))
    }
}

/// A poset beside two growing chains, and the order ideals of its finite part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ideals {
    poset: GrowingPoset,
    list: Vec<Vec<usize>>,
}

/// There are too many rows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the finite part has more than {} order ideals; give fewer elements, or more relations",
    GrowingPoset::MOST_IDEALS
)]
pub struct TooManyIdeals;

impl Ideals {
    /// The order ideals of this poset.
    ///
    /// # Errors
    /// Too many of them.
    pub fn new(poset: GrowingPoset) -> Result<Self, TooManyIdeals> {
        let list = poset.ideals().ok_or(TooManyIdeals)?;
        Ok(Self { poset, list })
    }

    /// The poset.
    #[must_use]
    pub fn poset(&self) -> &GrowingPoset {
        &self.poset
    }

    /// The order ideals, each as its elements in ascending order: by their number of elements,
    /// then element by element.
    #[must_use]
    pub fn list(&self) -> &[Vec<usize>] {
        &self.list
    }

    /// The row of the ideal with this number, in a family of levels 0 to `highest`.
    pub(crate) fn key(&self, number: usize, level: u64, highest: u64) -> Option<RowKey> {
        let ideal = self.list.get(number)?;
        let poset = &self.poset;
        let mut is_covered = vec![false; poset.len()];
        for &below in ideal.iter().flat_map(|element| &poset.lower[*element]) {
            is_covered[below] = true;
        }
        let maximal = ideal.iter().filter(|element| !is_covered[**element]);
        let generators = maximal.map(|element| poset.names[*element].clone()).collect();
        let (begins, column) = (poset.begins(ideal), poset.regular_from(ideal, level));
        Some(RowKey::of_ideal(
            level,
            Ideal { generators, begins, column, shift: self.shift(highest) },
        ))
    }

    /// The shift (fact 13 (d)) of levels 0 to `highest`: that of the rule of the chains, and
    /// without a rule one that leaves no offset less than 1.
    #[must_use]
    pub fn shift(&self, highest: u64) -> i64 {
        let all: Vec<usize> = (0..self.poset.len()).collect();
        self.poset.rule.unwrap_or_else(|| {
            let least = self.poset.begins(&all).saturating_add(highest) + all.len() as u64 + 1;
            i64::try_from(least).unwrap_or(i64::MAX)
        })
    }
}

/// `7 elements beside two chains (12 ideals)`.
impl fmt::Display for Ideals {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (elements, ideals) = (self.poset.len(), self.list.len());
        let plural = if elements == 1 { "" } else { "s" };
        let of = if ideals == 1 { "1 ideal".to_owned() } else { format!("{ideals} ideals") };
        write!(f, "{elements} element{plural} beside two chains ({of})")
    }
}

/// The columns in which a row may be irregular (fact 13 (c)).
impl GrowingPoset {
    /// The first column of the row of an ideal.
    fn begins(&self, ideal: &[usize]) -> u64 {
        ideal.iter().map(|&element| self.heights[element].over_d).max().unwrap_or(0)
    }

    /// The least p of a position with this ideal.
    fn least_p(&self, ideal: &[usize]) -> u64 {
        let over = ideal.iter().map(|&element| self.heights[element].over_c);
        over.max().unwrap_or(0).max(self.least)
    }

    /// The elements of an ideal that a bite at `c[x + 1]` leaves.
    fn cut(&self, ideal: &[usize], x: u64) -> Vec<usize> {
        ideal.iter().copied().filter(|&element| self.heights[element].over_c <= x).collect()
    }

    /// No column from this one on has a position `(x, n)` of this ideal and level, for any x to
    /// this one.
    fn past(&self, ideal: &[usize], x: u64, level: u64) -> u64 {
        let bound = || self.begins(ideal) + level + x + ideal.len() as u64 + 1;
        self.first_d(x + 1).unwrap_or_else(bound)
    }

    /// The column from which the row of an ideal is regular: its columns all have a position, up
    /// to one with offset 0, or none of them has one.
    fn regular_from(&self, ideal: &[usize], level: u64) -> u64 {
        let mut columns = vec![self.begins(ideal), u64::from(self.rule.is_some_and(|k| k < 0))];
        columns.extend(self.first_d.iter().flatten());
        columns.extend((self.least..self.least_p(ideal)).map(|x| {
            let in_row = || self.past(&self.cut(ideal, x), x, level);
            self.first_d(x + 1).unwrap_or_else(in_row)
        }));
        let is_in = |element: &usize| ideal.binary_search(element).is_ok();
        let of_bites = ideal.iter().map(|element| self.heights[*element]);
        let outside = (0..self.len()).filter(|element| !is_in(element));
        let limit = outside.map(|element| self.heights[element]).fold(
            Heights::default(),
            |limit, heights| Heights {
                under_c: limit.under_c.into_iter().chain(heights.under_c).min(),
                under_d: limit.under_d.into_iter().chain(heights.under_d).min(),
                ..limit
            },
        );
        for Heights { under_c, under_d, .. } in of_bites.chain([limit]) {
            columns.extend(under_d);
            // After a bite the ideal is smaller, and its own bound is no greater.
            columns.extend(under_c.map(|i| self.past(ideal, i - 1, level)));
        }
        columns.into_iter().max().unwrap_or(0)
    }
}
