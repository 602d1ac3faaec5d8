//! A finite poset beside two growing chains, the description of a family of rows (fact 13): its
//! order ideals, and the columns that are irregular.

mod order;

use crate::relations::RelationsError;

/// A poset of finitely many elements and two infinite chains `c[1] < c[2] < ...` and
/// `d[1] < d[2] < ...`. No element of d is below one of c. Positions of its game have the first p
/// elements of c, the first n of d, and an order ideal of the finite elements.
///
/// The text has one relation on each line, as in the files of finite posets, and at most one line
/// with the letter `i`, for all relations of the two chains:
///
/// ```
/// use record::GrowingPoset;
/// let rows: GrowingPoset = "c[i] < d[i]  # three rows, the third of length 2\n\
///     d[1] < a\nd[2] < b\na < b".parse()?;
/// assert_eq!((rows.len(), rows.first_d(7), rows.least()), (2, Some(7), 1));
/// assert_eq!(rows.heights(1).over_c, 2);
/// let error = "d[1] < x\nx < c[3]".parse::<GrowingPoset>().unwrap_err();
/// assert!(error.to_string().contains("d[1] < c[3]"));
/// # Ok::<(), record::relations::RelationsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrowingPoset {
    /// The lines of the text, without comments.
    lines: Vec<String>,
    names: Vec<String>,
    /// For each element other elements below it, so that the rest follows.
    lower: Vec<Vec<usize>>,
    /// The elements, each after those below it.
    upward: Vec<usize>,
    heights: Vec<Heights>,
    /// The least j with `c[i] < d[j]`, for the first i, where it differs from the rule.
    first_d: Vec<Option<u64>>,
    /// The k of the rule `c[i] < d[i+k]`.
    pub(crate) rule: Option<i64>,
    least: u64,
}

/// The most order ideals of the finite part.
const MOST_IDEALS: usize = 1 << 20;

/// The most elements of all ideals together: half a gigabyte.
const MOST_MEMBERS: usize = 1 << 26;

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

impl Heights {
    /// Takes the heights of an element below that are greater.
    fn raise(&mut self, below: Self) {
        self.over_c = self.over_c.max(below.over_c);
        self.over_d = self.over_d.max(below.over_d);
    }

    /// Takes limits that are lower.
    fn lower_limits(&mut self, above: Self) {
        self.under_c = self.under_c.into_iter().chain(above.under_c).min();
        self.under_d = self.under_d.into_iter().chain(above.under_d).min();
    }
}

impl GrowingPoset {
    /// The number of finite elements. The poison is none of them.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no finite elements.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of a finite element.
    pub fn name(&self, element: usize) -> &str {
        &self.names[element]
    }

    /// The finite elements, each after those below it.
    pub fn upward(&self) -> &[usize] {
        &self.upward
    }

    /// Finite elements below this one, among them all that it covers.
    pub fn lower(&self, element: usize) -> &[usize] {
        &self.lower[element]
    }

    /// How an element lies beside the chains.
    pub fn heights(&self, element: usize) -> Heights {
        self.heights[element]
    }

    /// The least j with `c[i] < d[j]`; `None` if there is none.
    pub fn first_d(&self, i: u64) -> Option<u64> {
        let place = usize::try_from(i.saturating_sub(1)).unwrap_or(usize::MAX);
        match self.first_d.get(place) {
            Some(first) => *first,
            None => Some(by_rule(self.rule?, i)),
        }
    }

    /// 1 if `c[1]` is the poison, which no player takes, otherwise 0: the least p of a position.
    pub fn least(&self) -> u64 {
        self.least
    }

    /// The lines of the text, without comments.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The order ideals of the finite part, each as its elements in ascending order: by their
    /// number of elements, then element by element. An error if there are more than 2^20, or if
    /// they have more than 2^26 elements together.
    pub(crate) fn ideals(&self) -> Result<Vec<Vec<usize>>, RelationsError> {
        // Each comes after the one without its last place in `upward`: a step for each ideal and
        // each element after its last one.
        let (mut is_in, mut places) = (vec![false; self.len()], Vec::new());
        let (mut all, mut members, mut first) = (vec![Vec::new()], 0, 0);
        loop {
            let fits = |place: &usize| self.lower[self.upward[*place]].iter().all(|&e| is_in[e]);
            if let Some(next) = (first..self.len()).find(fits) {
                is_in[self.upward[next]] = true;
                places.push(next);
                let mut ideal: Vec<_> = places.iter().map(|place| self.upward[*place]).collect();
                ideal.sort_unstable();
                members += ideal.len();
                all.push(ideal);
                if all.len() > MOST_IDEALS || members > MOST_MEMBERS {
                    return Err(RelationsError(format!(
                        "the finite part has more than {MOST_IDEALS} order ideals, whose rows \
                         would take minutes and gigabytes, or they are too large; give fewer \
                         elements, or more relations"
                    )));
                }
                first = next + 1;
            } else if let Some(last) = places.pop() {
                is_in[self.upward[last]] = false;
                first = last + 1;
            } else {
                all.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
                return Ok(all);
            }
        }
    }
}

/// The least j >= 1 with `c[i] < d[j]` by the rule `c[i] < d[i+k]`.
fn by_rule(k: i64, i: u64) -> u64 {
    i.saturating_add_signed(k).max(1)
}

/// The columns in which a row may be irregular (fact 13 (c)).
impl GrowingPoset {
    /// The first column of the row of an ideal.
    pub(crate) fn begins(&self, ideal: &[usize]) -> u64 {
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

    /// The first column past all positions `(x, n)` of this ideal and level, and of smaller x.
    /// Assumes that no element of d is above `c[x + 1]`.
    fn past_without_d(&self, ideal: &[usize], x: u64, level: u64) -> u64 {
        self.begins(ideal) + level + x + ideal.len() as u64 + 1
    }

    /// The same bound without that assumption.
    fn past(&self, ideal: &[usize], x: u64, level: u64) -> u64 {
        self.first_d(x + 1).unwrap_or_else(|| self.past_without_d(ideal, x, level))
    }

    /// The column from which the row of an ideal is regular: its columns all have a position, up
    /// to one with offset 0, or none of them has one.
    pub(crate) fn regular_from(&self, ideal: &[usize], level: u64) -> u64 {
        let mut columns = vec![self.begins(ideal), u64::from(self.rule.is_some_and(|k| k < 0))];
        columns.extend(self.first_d.iter().flatten());
        columns.extend((self.least..self.least_p(ideal)).map(|x| {
            let in_row = || self.past_without_d(&self.cut(ideal, x), x, level);
            self.first_d(x + 1).unwrap_or_else(in_row)
        }));
        let is_in = |element: &usize| ideal.binary_search(element).is_ok();
        let of_bites = ideal.iter().map(|element| self.heights[*element]);
        let outside = (0..self.len()).filter(|element| !is_in(element));
        let mut limit = Heights::default();
        outside.for_each(|element| limit.lower_limits(self.heights[element]));
        for Heights { under_c, under_d, .. } in of_bites.chain([limit]) {
            columns.extend(under_d);
            // After a bite the ideal is smaller, and its own bound is no greater.
            columns.extend(under_c.map(|i| self.past(ideal, i - 1, level)));
        }
        columns.into_iter().max().unwrap_or(0)
    }
}
