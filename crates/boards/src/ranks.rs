//! The rank of the lower rows of a board: the number of choices before them in lexicographic order.
//!
//! The rows here are the *last k rows* of a board, each at most as long as the one before it, and
//! each with a limit of its own. There are `below(k, a)` choices of them in which the first is
//! shorter than a; they come before all in which it has length a. So a table of all choices up to
//! some length is the beginning of the table up to a larger one.
//!
//! With three rows and no limits, k = 2: the choices (0,0), (1,0), (1,1), (2,0), (2,1), (2,2) have
//! the ranks 0 to 5. `below(2, 2)` is 3, and the rank of (2,1) is `below(2, 2) + below(1, 1)`, 4.

use std::iter;
use std::ops::Range;

/// Counts of choices, or the sums of some weight of their last rows.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    /// The limits of the last row, of the one before it, ...
    limits: Vec<u16>,
    /// `below[k][a]`: the choices of the last k rows in which the first is shorter than a, for a to
    /// one more than the limit of the row before them.
    below: Vec<Vec<usize>>,
}

impl Ranks {
    /// Of rows with these limits, which do not grow, from the first row on. `None` if a number is
    /// too large.
    pub(crate) fn new(limits: &[u16]) -> Option<Self> {
        Self::weighted(limits, |_| 1)
    }

    /// The same, with the sum of the weights of the last rows for the number of choices.
    pub(crate) fn weighted(limits: &[u16], weight: impl Fn(u16) -> usize) -> Option<Self> {
        let limits: Vec<u16> = limits.iter().rev().copied().collect();
        let ends = |k: usize| usize::from(limits.get(k).or(limits.last()).map_or(0, |&a| a)) + 2;
        // Of no rows there is one choice.
        let mut below = vec![vec![1; ends(0)]];
        for (k, &limit) in limits.iter().enumerate() {
            let mut sum = 0_usize;
            let counts = (0..=limit).map(|a| {
                let rests = if k == 0 { weight(a) } else { below[k][usize::from(a) + 1] };
                sum = sum.checked_add(rests)?;
                Some(sum)
            });
            let counts: Option<Vec<_>> = iter::once(Some(0)).chain(counts).collect();
            let mut counts = counts?;
            counts.resize(ends(k + 1), sum);
            below.push(counts);
        }
        Some(Self { limits, below })
    }

    /// The number of choices of the last k rows in which the first is shorter than a; a is at most
    /// one more than the limit of the row before them.
    #[inline]
    pub(crate) fn below(&self, k: usize, a: u16) -> usize {
        self.below[k][usize::from(a)]
    }

    /// The number in which the first is at most a long.
    pub(crate) fn up_to(&self, k: usize, a: u16) -> usize {
        self.below(k, a + 1)
    }

    /// The number of choices of all rows.
    pub(crate) fn all(&self) -> usize {
        self.below.last().and_then(|counts| counts.last()).copied().unwrap_or(1)
    }

    /// The rank of the last k rows with these lengths, each cut to a length. Rows that are missing
    /// are empty.
    pub(crate) fn rank_cut(&self, k: usize, rows: &[u16], longest: u16) -> usize {
        let below = self.below[1..=k].iter().rev();
        below.zip(rows).map(|(counts, &a)| counts[usize::from(a.min(longest))]).sum()
    }

    /// Replaces the last rows by the next choice in the order. Returns the place of the row that
    /// grew; the rows after it are empty. After the last choice all rows are empty again, and it is
    /// `None`.
    #[inline]
    pub(crate) fn advance(&self, rows: &mut [u16]) -> Option<usize> {
        for row in (0..rows.len()).rev() {
            let limit = self.limits[rows.len() - 1 - row];
            if rows[row] < row.checked_sub(1).map_or(limit, |before| rows[before].min(limit)) {
                rows[row] += 1;
                return Some(row);
            }
            rows[row] = 0;
        }
        None
    }

    /// The ranks of the boards that bites in these last rows leave, the empty one included.
    pub(crate) fn bites(&self, rows: &[u16]) -> impl Iterator<Item = usize> {
        let above = rows.iter().enumerate().scan(0, move |above, (row, &length)| {
            let (here, rest) = (*above, &rows[row..]);
            *above += self.below(rest.len(), length);
            Some((0..length).map(move |left| here + self.rank_cut(rest.len(), rest, left)))
        });
        above.flatten()
    }

    /// The last k rows with this rank.
    pub(crate) fn rows(&self, mut rank: usize, k: usize) -> Vec<u16> {
        let row = |k: usize| {
            // The row has the largest length for which not too many choices come before.
            let length = self.below[k].partition_point(|&before| before <= rank) - 1;
            rank -= self.below[k][length];
            u16::try_from(length).expect("no more than the limit")
        };
        (1..=k).rev().map(row).collect()
    }

    /// In a table by the last k rows, the places of the entries from which those of the choices
    /// that begin with `length` are copied, in their order: the same rows cut by one square
    /// (`proofs/boards.md`, 2 (c)). The length is at least 1.
    pub(crate) fn copied(&self, k: usize, length: u16) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut from = 0;
        let too_short = self.limits[..k].partition_point(|&limit| limit < length);
        (too_short..k).rev().map(move |rest| {
            // One row more has this length, and the others are shorter.
            from += self.below(rest + 1, length - 1);
            from..from + self.below(rest, length)
        })
    }

    /// Fills a table by the last k rows for the choices that begin with `length`. Those that begin
    /// with less are there. The table begins with `none`.
    pub(crate) fn extend<T: Copy>(&self, table: &mut [T], k: usize, length: u16, none: T) {
        if length == 0 {
            table[0] = none;
            return;
        }
        let mut to = self.below(k, length);
        for from in self.copied(k, length) {
            let number = from.len();
            table.copy_within(from, to);
            to += number;
        }
    }
}

/// Calls a function with all rows from which a bite leaves these rows, if no row was longer than
/// `longest`. A row that the bite emptied is among the rows, with 0 squares.
///
/// Each comes with a number, such as its rank. These rows have `number`. When row i grows from a
/// squares to b, `grown(number, i, a..b)` is the new number, or `None` if it may not grow so far.
///
/// A bite removes the end of the bitten row, and the ends of the next rows as far as they become
/// equally long. Costs a step for each position.
pub(crate) fn before<N: Copy>(
    rows: &mut [u16],
    longest: u16,
    number: N,
    grown: &impl Fn(N, usize, Range<u16>) -> Option<N>,
    visit: &mut impl FnMut(&[u16], N),
) {
    for bitten in 0..rows.len() {
        let longest = if bitten == 0 { longest } else { rows[bitten - 1] };
        if rows[bitten] < longest {
            let equal = rows[bitten..].iter().take_while(|&&row| row == rows[bitten]).count();
            lengthen(rows, bitten..bitten + equal, longest, number, grown, visit);
        }
    }
}

/// Adds squares to the first of these rows, and none or more to the later ones.
fn lengthen<N: Copy>(
    rows: &mut [u16],
    equal: Range<usize>,
    longest: u16,
    number: N,
    grown: &impl Fn(N, usize, Range<u16>) -> Option<N>,
    visit: &mut impl FnMut(&[u16], N),
) {
    let (row, left) = (equal.start, rows[equal.start]);
    for length in left + 1..=longest {
        let Some(number) = grown(number, row, left..length) else { break };
        rows[row] = length;
        visit(rows, number);
        if row + 1 < equal.end {
            lengthen(rows, row + 1..equal.end, length, number, grown, visit);
        }
    }
    rows[row] = left;
}

/// `C(n, k)`, or `u64::MAX` if it is more.
pub(crate) fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut product: u64 = 1;
    for chosen in 1..=k.min(n - k) {
        // C(n, chosen) = C(n, chosen - 1) · (n - chosen + 1) / chosen
        let wide = u128::from(product) * u128::from(n - chosen + 1) / u128::from(chosen);
        match u64::try_from(wide) {
            Ok(next) => product = next,
            Err(_) => return u64::MAX,
        }
    }
    product
}

/// The number of positions of a rectangle: boards with at least one square that fit. `u64::MAX` if
/// there are more.
pub fn positions(rows: u16, columns: u16) -> u64 {
    let words = binomial(u64::from(rows) + u64::from(columns), rows.into());
    if words == u64::MAX { words } else { words - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(|k| binomial(4, k)), [1, 4, 6, 4, 1, 0]);
        // Zeilberger's computer would have needed them: 14 by 14.
        assert_eq!(binomial(28, 14), 40_116_600);
        assert_eq!(binomial(2000, 1000), u64::MAX);
    }

    #[test]
    fn rows_are_ranked_in_lexicographic_order() {
        for limits in [[5, 5, 5, 5], [5, 5, 5, 0], [5, 4, 2, 1], [3, 0, 0, 0]] {
            let ranks = Ranks::new(&limits).expect("small");
            for k in 0..=4 {
                let mut choices = vec![Vec::new()];
                for limit in &limits[4 - k..] {
                    let longer = |rows: &Vec<u16>| {
                        let rows = rows.clone();
                        let longest = rows.last().unwrap_or(limit).min(limit);
                        (0..=*longest).map(move |next| [rows.clone(), vec![next]].concat())
                    };
                    choices = choices.iter().flat_map(longer).collect();
                }
                assert_eq!(ranks.up_to(k, limits[4 - k.max(1)]), choices.len());
                let mut next = vec![0; k];
                for (rank, rows) in choices.iter().enumerate() {
                    assert_eq!(&next, rows);
                    assert_eq!(ranks.advance(&mut next).is_some(), rank + 1 < choices.len());
                    assert_eq!(ranks.rank_cut(k, rows, u16::MAX), rank);
                    assert_eq!(&ranks.rows(rank, k), rows);
                }
                assert_eq!(next, choices[0]);
                // A table whose entry is the rank of the rows cut to the length before.
                for length in 1..=limits[4 - k.max(1)] {
                    let mut table: Vec<usize> = (0..choices.len()).collect();
                    ranks.extend(&mut table, k, length, 0);
                    let begins = |rows: &&Vec<u16>| rows.first() == Some(&length);
                    for rows in choices.iter().filter(begins) {
                        let place = ranks.rank_cut(k, rows, u16::MAX);
                        assert_eq!(table[place], ranks.rank_cut(k, rows, length - 1));
                    }
                }
            }
        }
        assert!(Ranks::new(&[u16::MAX - 2; 26]).is_none());
    }

    #[test]
    fn weights_are_summed() {
        let ranks = Ranks::weighted(&[3, 3], |last| usize::from(last) + 1).expect("small");
        // (0,0), (1,0), (1,1), (2,0), (2,1), (2,2)
        assert_eq!(ranks.below(2, 3), 1 + 1 + 2 + 1 + 2 + 3);
        assert_eq!(ranks.below(1, 2), 1 + 2);
    }
}
