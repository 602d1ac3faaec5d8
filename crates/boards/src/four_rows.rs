//! P-positions of four rows, counted in the ways that papers on them count.
//!
//! A position is `(a,b,c,d)`, `a >= b >= c >= d >= 0`. A *triple* is `(a,b,c)`, and it *extends* if
//! some d makes `(a,b,c,d)` a P-position. The facts are in `proofs/four-rows.md`. Not here: claims
//! and their verdicts (`ledger`), and figures.

use std::cmp::{Ordering, Reverse};
use std::num::NonZero;
use std::ops::RangeInclusive;

use num_rational::Ratio;

use crate::sieve::{Run, Sieve};
use crate::{OnProgress, SolveError};

/// The counts of all P-positions of four rows whose row 1 has from 1 to n squares.
///
/// It takes `6·n²` bytes, and 1 MB more for the triples up to [`FourRows::DETAILED`].
#[derive(Clone, Debug, Default)]
pub struct FourRows {
    /// By a, from 1.
    of: Vec<Counts>,
    /// By c, the largest `a - b` of a triple that extends.
    widest: Vec<Option<u16>>,
    /// By c and `a - b`, the number of triples that extend, a to [`FourRows::DETAILED`].
    extending: Vec<u32>,
}

/// The numbers of c, and of `a - b`, up to [`FourRows::DETAILED`].
const SIDE: usize = FourRows::DETAILED as usize + 1;

/// The P-positions `(a,b,c,d)` with the same a.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    number: u64,
    openings: Vec<(u8, u16)>,
    lengths: [Vec<u32>; 3],
    /// The numbers d in lexicographic order, if a is at most [`FourRows::DETAILED`].
    last: Vec<u16>,
}

/// A row below the longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lower {
    /// Row 2, of b squares.
    Second,
    /// Row 3, of c squares.
    Third,
    /// Row 4, of d squares.
    Last,
}

/// A fraction, in lowest terms.
pub type Fraction = Ratio<u64>;

/// Triples: all of them, and those that extend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Triples {
    /// All.
    pub all: u64,
    /// Those that extend.
    pub extending: u64,
}

impl FourRows {
    /// The largest a for which each position is kept in some form.
    pub const DETAILED: u16 = 500;

    /// The bytes that the counts to n take.
    pub fn memory(n: u16) -> u64 {
        let (n, detailed) = (u64::from(n) + 1, u64::from(n.min(Self::DETAILED)) + 1);
        // The numbers d of a fifth of the triples up to `detailed` are kept.
        6 * n * n + 4 * (SIDE * SIDE) as u64 + detailed.pow(3) / 15 + 200 * n
    }

    /// Counts the P-positions with a to n. Costs as much as the sieve.
    ///
    /// # Errors
    /// [`SolveError`].
    pub fn up_to(
        n: u16,
        threads: NonZero<usize>,
        on_progress: &OnProgress,
    ) -> Result<Self, SolveError> {
        let (mut sieve, mut counts) = (Sieve::new(4, n)?, Self::default());
        let mut visit = |a, run: Run| counts.add(a, run);
        while sieve.next_block(threads, on_progress, &mut visit)?.is_some() {}
        Ok(counts)
    }

    /// Takes the positions with an a and a b, in ascending order of the b for each a. A few
    /// operations for each position.
    ///
    /// # Panics
    /// If positions do not have four rows.
    pub fn add(&mut self, a: u16, run: Run) {
        let (place, b) = (usize::from(a) - 1, run.second);
        while self.of.len() <= place {
            let next = u16::try_from(self.of.len() + 1).expect("at most a");
            self.of.push(Counts::empty(next));
        }
        self.widest.resize(self.widest.len().max(usize::from(a) + 1), None);
        self.extending.resize(SIDE * SIDE, 0);
        for lower in run.lower.chunks(2) {
            let &[c, d] = lower else { panic!("four rows") };
            self.of[place].add([a, b, c, d]);
            let widest = &mut self.widest[usize::from(c)];
            *widest = Some(a - b).max(*widest);
            if a <= Self::DETAILED {
                self.of[place].last.push(d);
                self.extending[usize::from(c) * SIDE + usize::from(a - b)] += 1;
            }
        }
    }

    /// n: the largest a.
    ///
    /// # Panics
    /// Never: a fits 16 bits.
    pub fn to(&self) -> u16 {
        u16::try_from(self.of.len()).expect("layers have different lengths")
    }

    /// The positions with this a, which is from 1 to n.
    ///
    /// # Panics
    /// For other a.
    pub fn of(&self, a: u16) -> &Counts {
        &self.of[usize::from(a) - 1]
    }

    /// The number of positions with a from 1 to `to`, at most n.
    pub fn positions(&self, to: u16) -> u64 {
        self.of[..to.into()].iter().map(|counts| counts.number).sum()
    }

    /// The largest `a - b` of a triple with this c that extends, a to n. If n is at least 3c, a
    /// larger n is not known to change it.
    pub fn widest(&self, c: u16) -> Option<u16> {
        self.widest.get(usize::from(c)).copied().flatten()
    }

    /// The numbers d of all positions in lexicographic order, A395126, a to
    /// [`FourRows::DETAILED`].
    pub fn last_lengths(&self) -> Vec<u16> {
        self.of.iter().flat_map(|counts| counts.last.iter().copied()).collect()
    }

    /// The triples with a from 1 to `to`, at most n, by `a - b`.
    pub fn by_difference(&self, to: u16) -> Vec<Triples> {
        let of_difference = |difference: u16| {
            let extending = (difference.max(1)..=to)
                .map(|a| u64::from(self.of(a).with(Lower::Second, a - difference)));
            // b is from 0 to `most`, and c from 0 to b. (0,0,0) is none.
            let most = u64::from(to - difference);
            let all = (most + 1) * (most + 2) / 2 - u64::from(difference == 0);
            Triples { all, extending: extending.sum() }
        };
        (0..=to).map(of_difference).collect()
    }

    /// The triples with a from 1 to `to`, at most [`FourRows::DETAILED`] and n, by c and the
    /// remainder of `a - b` by a modulus.
    ///
    /// # Panics
    /// If the modulus is 0, or `to` is not the smaller of the two: triples are not kept by a.
    pub fn by_third_and_remainder(&self, to: u16, modulus: u16) -> Vec<Triples> {
        assert_eq!(to, self.to().min(Self::DETAILED), "triples are not kept by a");
        let mut cells = Vec::new();
        for c in 0..=to {
            let mut of_third = vec![Triples::default(); modulus.into()];
            for difference in 0..=to - c {
                let cell = &mut of_third[usize::from(difference % modulus)];
                // b is from c to `to - difference`.
                cell.all += u64::from(to - difference - c) + 1;
                let extending = self.extending[usize::from(c) * SIDE + usize::from(difference)];
                cell.extending += u64::from(extending);
            }
            if c == 0 {
                of_third[0].all -= 1;
            }
            cells.append(&mut of_third);
        }
        cells
    }

    /// The median of b/a, c/a or d/a for the positions with a in a range that a condition admits;
    /// `None` if there are none. Of an even number it is the mean of the two in the middle.
    pub fn median(
        &self,
        lower: Lower,
        range: RangeInclusive<u16>,
        admits: impl Fn(&Counts) -> bool,
    ) -> Option<Fraction> {
        let layers = range.map(|a| (a, self.of(a))).filter(|(_, counts)| admits(counts));
        let ratios = layers.flat_map(|(a, counts)| {
            let numbers = (0_u16..).zip(&counts.lengths[lower as usize]);
            numbers.filter(|&(_, &number)| number > 0).map(move |(x, &number)| ((x, a), number))
        });
        let mut ratios: Vec<((u16, u16), u32)> = ratios.collect();
        ratios.sort_unstable_by(|(one, _), (other, _)| by_ratio(*one, *other));
        let all: u64 = ratios.iter().map(|&(_, number)| u64::from(number)).sum();
        let middle = |place: u64| -> Option<(u16, u16)> {
            let mut before = 0;
            let holds = ratios.iter().find(|&&(_, number)| {
                before += u64::from(number);
                before > place
            });
            holds.map(|&(ratio, _)| ratio)
        };
        let (one, other) = (middle(all.checked_sub(1)? / 2)?, middle(all / 2)?);
        let [(x, a), (y, b)] = [one, other].map(|(x, a)| (u64::from(x), u64::from(a)));
        Some(Fraction::new(x * b + y * a, 2 * a * b))
    }
}

fn by_ratio((x, a): (u16, u16), (y, b): (u16, u16)) -> Ordering {
    (u32::from(x) * u32::from(b)).cmp(&(u32::from(y) * u32::from(a)))
}

/// The number of triples with a from 1 to n.
pub fn triples(n: u16) -> u64 {
    let n = u64::from(n);
    (n + 1) * (n + 2) * (n + 3) / 6 - 1
}

impl Counts {
    fn empty(a: u16) -> Self {
        let lengths = [(); 3].map(|()| vec![0; usize::from(a) + 1]);
        Self { lengths, ..Self::default() }
    }

    fn add(&mut self, [a, b, c, d]: [u16; 4]) {
        self.number += 1;
        for (counts, x) in self.lengths.iter_mut().zip([b, c, d]) {
            counts[usize::from(x)] += 1;
        }
        // A bite in a rectangle leaves the rows above it as they are, and the others equal.
        let rows = [(2, a, b), (3, b, c), (4, c, d)];
        let bite = rows.into_iter().find(|&(_, before, left)| left < before);
        let is_opening = |&(_, before, left): &(u8, u16, u16)| before == a && d == left;
        if let Some((row, _, left)) = bite.filter(is_opening) {
            self.openings.push((row, left));
        }
    }

    /// The winning bites in 4 × a: the row, and the squares that the bite leaves there and in each
    /// row below. None is in row 1: such a bite leaves an N-position, `(x,x,x,x)`.
    pub fn openings(&self) -> &[(u8, u16)] {
        &self.openings
    }

    /// The number of positions in which this row has this length.
    pub fn with(&self, lower: Lower, length: u16) -> u32 {
        self.lengths[lower as usize].get(usize::from(length)).copied().unwrap_or(0)
    }

    /// The largest d.
    ///
    /// # Panics
    /// Never: d fits 16 bits.
    pub fn longest_last(&self) -> u16 {
        let counts = &self.lengths[Lower::Last as usize];
        let longest = counts.iter().rposition(|&number| number > 0).unwrap_or(0);
        u16::try_from(longest).expect("at most a")
    }

    /// Whether a is LOW: a bite in row 2 of 4 × a wins, and leaves `(a,x,x,x)`; every other
    /// P-position with this a has `d < x` (`proofs/four-rows.md`, 2). The other a are HIGH.
    pub fn is_low(&self) -> bool {
        self.openings.iter().any(|&(row, _)| row == 2)
    }
}

/// The families of the a up to n. All medians are of d/a.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Families {
    /// n.
    pub to: u16,
    /// The number of LOW a from 1 to n; the others are HIGH.
    pub low: u16,
    /// The least median of a HIGH a, `5n/6 < a <= n`.
    pub least_high: Option<Fraction>,
    /// The largest median of a LOW a, `5n/6 < a <= n`.
    pub largest_low: Option<Fraction>,
    /// The least median of HIGH less the largest of LOW; `None` if a family is empty or the
    /// families overlap.
    pub gap: Option<Fraction>,
    /// The median of all positions with a HIGH a, `9n/10 < a <= n`.
    pub high_median: Option<Fraction>,
    /// That with a LOW a.
    pub low_median: Option<Fraction>,
    /// x/a of the largest LOW a, whose winning opening leaves `(a,x,x,x)`: it is larger than all
    /// other d/a with this a, and tends to the share of LOW if it has a limit
    /// (`proofs/four-rows.md`, 2).
    pub bound: Option<Fraction>,
}

impl FourRows {
    /// The families of the a from 1 to `to`, at most the largest a that was taken. Costs
    /// `O(to²·log(to))` steps.
    ///
    /// # Panics
    /// If `to` is larger.
    pub fn families(&self, to: u16) -> Families {
        let above = |part: u32, whole: u32| {
            let a = u32::from(to) * part / whole + 1;
            u16::try_from(a).expect("at most the largest a")..=to
        };
        let [least_high, largest_low] =
            self.extreme_medians(above(5, 6)).map(|of| of.map(|(_, median)| median));
        let apart = least_high.zip(largest_low).filter(|(high, low)| high >= low);
        let is_low = |&a: &u16| self.of(a).is_low();
        let median = |low| self.median(Lower::Last, above(9, 10), |counts| counts.is_low() == low);
        let bound = (1..=to)
            .rev()
            .find(is_low)
            .map(|a| Fraction::new(self.of(a).longest_last().into(), a.into()));
        Families {
            to,
            low: u16::try_from((1..=to).filter(is_low).count()).expect("at most n"),
            least_high,
            largest_low,
            gap: apart.map(|(high, low)| high - low),
            high_median: median(false),
            low_median: median(true),
            bound,
        }
    }

    /// The HIGH a of a range with the least median of d/a, and the LOW one with the largest, each
    /// with the median.
    ///
    /// # Panics
    /// If a position of the range was not taken.
    pub fn extreme_medians(&self, range: RangeInclusive<u16>) -> [Option<(u16, Fraction)>; 2] {
        let medians = |low: bool| {
            let members = range.clone().filter(move |&a| self.of(a).is_low() == low);
            members.filter_map(|a| Some((a, self.median(Lower::Last, a..=a, |_| true)?)))
        };
        let largest_low = medians(true).min_by_key(|&(_, median)| Reverse(median));
        [medians(false).min_by_key(|&(_, median)| median), largest_low]
    }
}
