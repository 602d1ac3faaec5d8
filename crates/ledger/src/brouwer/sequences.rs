//! Claims about the sequences of section 8 of the 2005 paper, decided by row records. Decimals are
//! as the paper prints them; distances from a line are compared in integers.

use census::statistics::{Extreme, Strip, Terms};
use census::{Decimal, Surd};
use record::joined;
use serde::Deserialize;

use crate::arguments::{Printed, Written};
use crate::evidence::Evidence;
use crate::verdict::Finding;

const RECORDS: &str = "row records";
const IN_INTEGERS: &str = "row records; distances from the line compared in integers";
const FRACTIONS: &str = "row records; frequencies as fractions, rounded to nearest";

/// A sequence with the n of its first term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Sequence {
    /// `d_n = f(n,n)`, n from 0; next to αn.
    Diagonal,
    /// `q_n`, the last columns of finite rows in ascending order, n from 1; next to βn.
    Ends,
    /// `r_n`, the finite rows, n from 1; next to αn.
    FiniteRows,
    /// The rows of period 1, n from 0.
    PeriodOneRows,
    /// Their values.
    PeriodOneOffsets,
    /// Their starts.
    PeriodOneStarts,
}

impl Sequence {
    fn first_index(self) -> u64 {
        u64::from(matches!(self, Self::Ends | Self::FiniteRows))
    }

    /// The line that the papers compare it with.
    fn slope(self) -> Surd {
        if self == Self::Ends { Surd::BETA } else { Surd::ALPHA }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Diagonal => "d",
            Self::Ends => "q",
            Self::FiniteRows => "r",
            Self::PeriodOneRows | Self::PeriodOneOffsets | Self::PeriodOneStarts => "a",
        }
    }

    /// The terms that rows 0 to R determine.
    fn terms(self, evidence: &Evidence) -> Vec<u64> {
        let of_period_one = || evidence.periodic.iter().filter(|row| row.period() == 1);
        match self {
            Self::Diagonal => evidence.diagonal.clone(),
            Self::Ends => evidence.ends(),
            Self::FiniteRows => evidence.finite.iter().map(|row| row.row).collect(),
            Self::PeriodOneRows => of_period_one().map(|row| row.row).collect(),
            Self::PeriodOneOffsets => of_period_one().map(|row| row.values[0]).collect(),
            Self::PeriodOneStarts => of_period_one().map(|row| row.start).collect(),
        }
    }

    /// The terms with their n.
    fn indexed(self, evidence: &Evidence) -> impl Iterator<Item = (u64, u64)> + Clone {
        (self.first_index()..).zip(self.terms(evidence))
    }

    /// The first `terms` terms next to their line, or all; `None` if there are fewer.
    fn along_line(self, evidence: &Evidence, terms: Option<u64>) -> Option<Terms> {
        let known = self.terms(evidence);
        let number = match terms {
            Some(terms) => usize::try_from(terms).ok()?,
            None => known.len(),
        };
        let mut along = Terms::new(self.slope(), self.first_index());
        known.get(..number)?.iter().for_each(|&term| along.push(term));
        Some(along)
    }

    /// Rows that are enough for `terms` terms: at least one of three rows is finite, and another
    /// one has period 1, and `q_n <= 3n - 1`.
    fn needs_rows_for(self, terms: u64) -> Finding {
        let last = if self == Self::Diagonal { terms.saturating_sub(1) } else { 3 * terms };
        Finding::out_of_reach(format!("rows to {last} are enough"))
    }
}

/// The first terms of a sequence.
pub fn terms(evidence: &Evidence, (sequence, terms): (Sequence, Vec<u64>)) -> Finding {
    first_terms(evidence, sequence, &terms)
}

fn first_terms(evidence: &Evidence, sequence: Sequence, terms: &[u64]) -> Finding {
    let mut known = sequence.indexed(evidence);
    if known.clone().count() < terms.len() {
        return sequence.needs_rows_for(terms.len() as u64).by(RECORDS);
    }
    let different = terms.iter().find_map(|&said| known.next().filter(|&(_, term)| term != said));
    Finding::unless(different.map(|(n, found)| format!("{}_{n} = {found}", sequence.name())))
        .with(format!("{} terms", terms.len()))
        .by(RECORDS)
}

/// `(k+p_n+q_n, k+q_n, r_n)`, k >= 0, are P-positions: `p_n`, `q_n` and `r_n`, the offsets, starts
/// and numbers of the rows of period 1 in order. The first sequence that differs, or the last one.
pub fn families_of_period_1(
    evidence: &Evidence,
    (offsets, starts, rows): (Vec<u64>, Vec<u64>, Vec<u64>),
) -> Finding {
    use Sequence::{PeriodOneOffsets, PeriodOneRows, PeriodOneStarts};
    let parts = [(PeriodOneOffsets, offsets), (PeriodOneStarts, starts)];
    let mut findings = parts.into_iter().map(|(of, terms)| first_terms(evidence, of, &terms));
    let different = findings.find(|finding| !finding.holds());
    different.unwrap_or_else(|| first_terms(evidence, PeriodOneRows, &rows))
}

/// A term of a sequence, and the one after it.
pub fn followed(evidence: &Evidence, (sequence, first, next): (Sequence, u64, u64)) -> Finding {
    let terms = sequence.terms(evidence);
    let Some(place) = terms[..terms.len().max(1) - 1].iter().position(|&term| term == first) else {
        return sequence.needs_rows_for(first).by(RECORDS);
    };
    let found = terms[place + 1];
    let n = sequence.first_index() + place as u64;
    let name = sequence.name();
    Finding::found(found == next, format!("{name}_{n} = {first}, {name}_{} = {found}", n + 1))
        .by(RECORDS)
}

/// No term of a sequence is less than the one before it by more than this.
pub fn no_decrease(evidence: &Evidence, (sequence, beyond): (Sequence, u64)) -> Finding {
    let terms = sequence.indexed(evidence);
    let mut neighbours = terms.clone().zip(terms.skip(1));
    let decrease = |((_, a), (_, b)): ((u64, u64), (u64, u64))| a.saturating_sub(b);
    let largest = neighbours.clone().map(decrease).max().unwrap_or(0);
    let last = neighbours.clone().last().map_or(sequence.first_index(), |(_, (m, _))| m);
    let name = sequence.name();
    let wrong = neighbours.find(|&pair| decrease(pair) > beyond);
    let failure = wrong.map(|((n, a), (m, b))| (m, format!("{name}_{n} = {a}, {name}_{m} = {b}")));
    Finding::to(last, failure).with(format!("the largest decrease is {largest}")).by(RECORDS)
}

/// The differences of the first terms of a sequence, as many as `terms` says, each with its
/// frequency, rounded to the nearest decimal.
pub fn differences(
    evidence: &Evidence,
    (sequence, terms, frequencies): (Sequence, u64, Vec<(i64, Printed)>),
) -> Finding {
    let Some(found) = sequence.along_line(evidence, Some(terms)) else {
        return sequence.needs_rows_for(terms).by(FRACTIONS);
    };
    let found = &found.differences;
    let all_met = found.counts.keys().all(|met| frequencies.iter().any(|(said, _)| said == met));
    let right = frequencies.iter().all(|(difference, Written(said))| {
        found.counts.contains_key(difference)
            && found.frequency(*difference, said.places()).as_ref() == Some(said)
    });
    let all = found.number();
    let words = found.counts.iter().map(|(difference, met)| {
        let frequency = Decimal::ratio(met.number, all, 5);
        format!("{difference}: {} of {all}, {frequency}", met.number)
    });
    Finding::found(all_met && right, joined(words, "; ")).by(FRACTIONS)
}

/// "least -1.2422 at n = 61595, largest 2.1411 at n = 14009".
fn words(strip: &Strip) -> String {
    let at = |Extreme { n, distance }: Extreme| format!("{} at n = {n}", distance.nearest(4));
    format!("least {}, largest {}", at(strip.least), at(strip.largest))
}

/// The extremes of `a(n) - slope·n` for the first terms, as many as `terms` says, rounded to the
/// nearest decimal.
pub fn extremes(
    evidence: &Evidence,
    (sequence, terms, Written(least), Written(largest)): (Sequence, u64, Printed, Printed),
) -> Finding {
    let along = |terms| sequence.along_line(evidence, terms);
    let all = along(None).expect("all terms are known");
    let claimed = along(Some(terms)).and_then(|claimed| claimed.strip);
    let Some((found, further)) = claimed.zip(all.strip) else {
        return sequence.needs_rows_for(terms).by(IN_INTEGERS);
    };
    let right = found.least.distance.nearest(least.places()) == least
        && found.largest.distance.nearest(largest.places()) == largest;
    let mut figure = words(&found);
    if let Some(last) = all.last_index().filter(|_| further != found) {
        figure = format!("{figure}; to n = {last}: {}", words(&further));
    }
    Finding::found(right, figure).by(IN_INTEGERS)
}

/// `above < a(n) - slope·n < below`, literally.
pub fn strip(
    evidence: &Evidence,
    (sequence, Written(above), Written(below)): (Sequence, Printed, Printed),
) -> Finding {
    let (along, slope) = (sequence.along_line(evidence, None), sequence.slope());
    let wrong = |(n, term): &(u64, u64)| {
        let distance = Surd::from_line(*term, slope, *n);
        !(distance > above && distance < below)
    };
    let strip = along.as_ref().and_then(|along| along.strip);
    let holds = strip.is_some_and(|strip| strip.within(&above, &below));
    let failure = (!holds).then(|| sequence.indexed(evidence).find(wrong)).flatten();
    let failure = failure.map(|(n, term)| {
        let distance = Surd::from_line(term, slope, n).nearest(4);
        let name = sequence.name();
        (n, format!("{name}_{n} = {term}, which is {distance} from the line"))
    });
    let last = along.and_then(|along| along.last_index()).unwrap_or(0);
    let figure = strip.map(|strip| format!("to n = {last}: {}", words(&strip)));
    Finding::to(last, failure).with(figure.unwrap_or_default()).by(IN_INTEGERS)
}

/// The extremes of `a(n) - slope·n` differ by no more than this.
pub fn width(evidence: &Evidence, (sequence, Written(width)): (Sequence, Printed)) -> Finding {
    let mut along = Terms::new(sequence.slope(), sequence.first_index());
    let mut failure = None;
    let mut before = None;
    for (n, term) in sequence.indexed(evidence) {
        along.push(term);
        // Only a new extreme makes the strip wider.
        if along.strip != before && failure.is_none() {
            before = along.strip;
            failure = before.filter(|strip| strip.width() > width).map(|strip| {
                (n, format!("the strip of n <= {n} has width {}", strip.width().nearest(4)))
            });
        }
    }
    let figure =
        along.strip.map(|strip| format!("width {}: {}", strip.width().nearest(4), words(&strip)));
    Finding::to(along.last_index().unwrap_or(0), failure)
        .with(figure.unwrap_or_default())
        .by(IN_INTEGERS)
}

/// The row of a diagonal value or last column x is `tenths/10·x` to one decimal, in the rows r >=
/// from.
pub fn ratio(evidence: &Evidence, (sequence, tenths, from): (Sequence, u64, u64)) -> Finding {
    let pairs: Vec<(u64, u64)> = match sequence {
        Sequence::Ends => evidence.finite.iter().map(|row| (row.row, row.last)).collect(),
        _ => sequence.indexed(evidence).collect(),
    };
    let wrong = |&&(row, x): &&(u64, u64)| {
        let [row, x, tenths] = [row, x, tenths].map(u128::from);
        !((2 * tenths - 1) * x..(2 * tenths + 1) * x).contains(&(20 * row))
    };
    let failure = pairs.iter().find(|pair| pair.0 >= from && wrong(pair));
    let exception = pairs.iter().rev().find(|pair| pair.0 < from && wrong(pair));
    let figure = exception.map(|(row, x)| format!("the last exception is x = {x}, of row {row}"));
    let failure = failure.map(|&(row, x)| (row, format!("x = {x} belongs to row {row}")));
    Finding::to(evidence.last_row(), failure).with(figure.unwrap_or_default()).by(RECORDS)
}

/// `a(n) <= factor·n + constant`.
pub fn linear_bound(
    evidence: &Evidence,
    (sequence, factor, constant): (Sequence, u64, i64),
) -> Finding {
    let terms = sequence.indexed(evidence);
    let excess = |n: u64, term: u64| {
        i128::from(term) - i128::from(factor) * i128::from(n) - i128::from(constant)
    };
    let wrong = terms.clone().find(|&(n, term)| excess(n, term) > 0);
    let equal = terms.clone().filter(|&(n, term)| excess(n, term) == 0).count();
    let last = terms.last().map_or(0, |(n, _)| n);
    Finding::to(last, wrong.map(|(n, term)| (n, format!("{}_{n} = {term}", sequence.name()))))
        .with(format!("with equality for {equal} values of n"))
        .by(RECORDS)
}

/// The number of terms of a sequence that are less than `below`.
pub fn count_below(evidence: &Evidence, (sequence, below, count): (Sequence, u64, u64)) -> Finding {
    let number = sequence.terms(evidence).iter().filter(|&&term| term < below).count() as u64;
    let found = Finding::found(number == count, format!("{number} are below {below}"));
    evidence.without(below - 1).unwrap_or(found).by(RECORDS)
}

/// For each p, at least `thirds/3·p` of the last columns are below p; perhaps rounded down.
pub fn at_least_third(evidence: &Evidence, (thirds, rounded): (u64, bool)) -> Finding {
    let ends = evidence.ends();
    let last = evidence.last_row() + 1;
    let mut below = 0;
    let mut wrong = Vec::new();
    for p in 1..=last {
        while ends.get(below).is_some_and(|&last| last < p) {
            below += 1;
        }
        let (number, wanted) = (below as u64, thirds * p);
        let enough = if rounded { number >= wanted / 3 } else { 3 * number >= wanted };
        if !enough {
            wrong.push((p, number));
        }
    }
    let failing = joined(wrong.iter().take(10).map(|(p, _)| p), ", ");
    let figure = match wrong.len() {
        0 => String::new(),
        1..=10 => format!("it fails for p = {failing}"),
        _ => format!("it fails for p = {failing}, ..."),
    };
    let failure = wrong.first().map(|(p, number)| (*p, format!("p = {p}: there are {number}")));
    Finding::to(last, failure).with(figure).by(RECORDS)
}
