//! Claims about the sequences of section 8 of the 2005 paper, and others like them, decided by row
//! records. Decimals are as the paper prints them; distances from a line are compared in integers.

use census::statistics::{Extreme, Strip, Terms};
use census::{Decimal, Surd};
use record::{Periodic, joined};
use serde::Deserialize;

use crate::arguments::{Printed, Written};
use crate::evidence::Evidence;
use crate::verdict::{Finding, Found, OutOfReach};

/// A sequence with the n of its first term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Sequence {
    /// `d_n = f(n,n)`, n from 0; next to αn.
    Diagonal,
    /// `q_n`, the last columns of finite rows in ascending order, n from 1; next to βn.
    Ends,
    /// `r_n`, the finite rows, n from 1; next to αn.
    FiniteRows,
    /// The periodic rows, n from 1, without row 0; next to βn.
    PeriodicRows,
    /// N(n): the start of a periodic row n, the column after the end of a finite one, n from 0;
    /// next to √2 n.
    Settled,
    /// The rows of period 1, n from 0.
    PeriodOneRows,
    /// Their values.
    PeriodOneOffsets,
    /// Their starts.
    PeriodOneStarts,
}

/// A sequence, as far as rows 0 to R determine it.
struct Known {
    of: Sequence,
    name: &'static str,
    first_index: u64,
    /// Of the line that the papers compare it with.
    slope: Surd,
    terms: Vec<u64>,
}

impl Sequence {
    fn known(self, evidence: &Evidence) -> Known {
        let of_period_one = |of: fn(&Periodic) -> u64| -> Vec<u64> {
            evidence.periodic.iter().filter(|row| row.period() == 1).map(of).collect()
        };
        let finite = evidence.finite.iter().map(|row| row.row);
        let periodic = evidence.periodic.iter().map(|row| row.row).filter(|&row| row > 0);
        let (name, first_index, slope, terms) = match self {
            Self::Diagonal => ("d", 0, Surd::ALPHA, evidence.diagonal.clone()),
            Self::Ends => ("q", 1, Surd::BETA, evidence.ends()),
            Self::FiniteRows => ("r", 1, Surd::ALPHA, finite.collect()),
            Self::PeriodicRows => ("b", 1, Surd::BETA, periodic.collect()),
            Self::Settled => ("N", 0, Surd::ROOT_2, evidence.settled.clone()),
            Self::PeriodOneRows => ("a", 0, Surd::ALPHA, of_period_one(|row| row.row)),
            Self::PeriodOneOffsets => ("a", 0, Surd::ALPHA, of_period_one(|row| row.values[0])),
            Self::PeriodOneStarts => ("a", 0, Surd::ALPHA, of_period_one(|row| row.start)),
        };
        Known { of: self, name, first_index, slope, terms }
    }

    /// Rows that are enough for `terms` terms: at least one of three rows is finite, and another
    /// one has period 1, and `q_n <= 3n - 1`.
    fn needs_rows_for(self, terms: u64) -> OutOfReach {
        let last = if self == Self::Diagonal { terms.saturating_sub(1) } else { 3 * terms };
        OutOfReach(format!("rows to {last} are enough"))
    }
}

impl Known {
    /// The terms with their n.
    fn indexed(&self) -> impl Iterator<Item = (u64, u64)> + Clone {
        (self.first_index..).zip(self.terms.iter().copied())
    }

    /// The first terms, as many as this, next to their line.
    fn along_line(&self, number: usize) -> Result<Terms, OutOfReach> {
        let mut along = Terms::new(self.slope, self.first_index);
        let enough = || self.of.needs_rows_for(number as u64);
        self.terms.get(..number).ok_or_else(enough)?.iter().for_each(|&term| along.push(term));
        Ok(along)
    }

    /// The n of the last term.
    fn last(&self) -> u64 {
        (self.first_index + self.terms.len() as u64).saturating_sub(1)
    }

    /// A statement about each term, and how it fails for some n and term.
    fn each(&self, mut wrong: impl FnMut((u64, u64)) -> Option<String>) -> Finding {
        Finding::to(self.last(), self.indexed().find_map(|at| Some((at.0, wrong(at)?))))
    }

    /// "`q_3 = 7`".
    fn words(&self, n: u64, term: u64) -> String {
        format!("{}_{n} = {term}", self.name)
    }
}

/// The first terms of a sequence.
pub fn terms(evidence: &Evidence, (sequence, terms): (Sequence, Vec<u64>)) -> Found {
    let known = sequence.known(evidence);
    if known.terms.len() < terms.len() {
        return Err(sequence.needs_rows_for(terms.len() as u64));
    }
    let found = known.terms.iter().copied();
    let finding = Finding::terms(known.first_index, &terms, found, |n, term| known.words(n, term));
    Ok(finding.with(format!("{} terms", terms.len())))
}

/// A term of a sequence, and the one after it.
pub fn followed(evidence: &Evidence, (sequence, first, next): (Sequence, u64, u64)) -> Found {
    let known = sequence.known(evidence);
    let mut pairs = known.indexed().zip(known.indexed().skip(1));
    let Some(((n, _), (m, found))) = pairs.find(|((_, term), _)| *term == first) else {
        return Err(sequence.needs_rows_for(first));
    };
    let words = format!("{}, {}", known.words(n, first), known.words(m, found));
    Ok(Finding::found(found == next, words))
}

/// No term of a sequence is less than the one before it by more than this.
pub fn no_decrease(evidence: &Evidence, (sequence, beyond): (Sequence, u64)) -> Finding {
    let known = sequence.known(evidence);
    let (mut before, mut largest) = (0, 0);
    let finding = known.each(|(n, term)| {
        let before = std::mem::replace(&mut before, term);
        let decrease = before.saturating_sub(term);
        largest = decrease.max(largest);
        let words = || format!("{}, {}", known.words(n - 1, before), known.words(n, term));
        (decrease > beyond).then(words)
    });
    finding.with(format!("the largest decrease is {largest}"))
}

/// Each term of a sequence but the first, less the greatest one before it, is in this range.
pub fn beyond_earlier(
    evidence: &Evidence,
    (sequence, least, most): (Sequence, i64, i64),
) -> Finding {
    let known = sequence.known(evidence);
    let mut greatest: Option<u64> = None;
    known.each(|(n, term)| {
        let before = greatest;
        greatest = before.max(Some(term));
        let rise = i128::from(term) - i128::from(before?);
        let words = || format!("{}, {rise} more than the greatest before", known.words(n, term));
        (!(least.into()..=most.into()).contains(&rise)).then(words)
    })
}

/// The differences of the first terms of a sequence, as many as `terms` says, each with its
/// frequency, rounded to the nearest decimal.
pub fn differences(
    evidence: &Evidence,
    (sequence, terms, frequencies): (Sequence, usize, Vec<(i64, Printed)>),
) -> Found {
    let found = sequence.known(evidence).along_line(terms)?.differences;
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
    Ok(Finding::found(all_met && right, joined(words, "; ")))
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
    (sequence, terms, Written(least), Written(largest)): (Sequence, usize, Printed, Printed),
) -> Found {
    let known = sequence.known(evidence);
    let strip =
        |of: usize| known.along_line(of)?.strip.ok_or(sequence.needs_rows_for(terms as u64));
    let (found, further) = (strip(terms)?, strip(known.terms.len())?);
    let right = found.least.distance.nearest(least.places()) == least
        && found.largest.distance.nearest(largest.places()) == largest;
    let mut figure = words(&found);
    if further != found {
        figure = format!("{figure}; to n = {}: {}", known.last(), words(&further));
    }
    Ok(Finding::found(right, figure))
}

/// `above < a(n) - slope·n < below`, literally.
pub fn strip(
    evidence: &Evidence,
    (sequence, Written(above), Written(below)): (Sequence, Printed, Printed),
) -> Finding {
    let known = sequence.known(evidence);
    let finding = known.each(|(n, term)| {
        let distance = Surd::from_line(term, known.slope, n);
        let words =
            || format!("{}, which is {} from the line", known.words(n, term), distance.nearest(4));
        let inside = distance.compare(&above).is_gt() && distance.compare(&below).is_lt();
        (!inside).then(words)
    });
    let strip = known.along_line(known.terms.len()).ok().and_then(|along| along.strip);
    let figure = strip.map(|strip| format!("to n = {}: {}", known.last(), words(&strip)));
    finding.with(figure.unwrap_or_default())
}

/// The extremes of `a(n) - slope·n` differ by no more than this.
pub fn width(evidence: &Evidence, (sequence, Written(width)): (Sequence, Printed)) -> Finding {
    let known = sequence.known(evidence);
    let mut strip: Option<Strip> = None;
    let finding = known.each(|(n, term)| {
        let before = strip;
        let distance = Surd::from_line(term, known.slope, n);
        Strip::extend(&mut strip, n, distance);
        // Only a new extreme makes the strip wider.
        let new = strip.filter(|_| before != strip);
        let wide = new.map(|strip| strip.width()).filter(|now| now.compare(&width).is_gt())?;
        Some(format!("the strip of n <= {n} has width {}", wide.nearest(4)))
    });
    let figure =
        strip.map(|strip| format!("width {}: {}", strip.width().nearest(4), words(&strip)));
    finding.with(figure.unwrap_or_default())
}

/// The row of a diagonal value or last column x is `tenths/10·x` to one decimal, in the rows r >=
/// from.
pub fn ratio(evidence: &Evidence, (sequence, tenths, from): (Sequence, u64, u64)) -> Finding {
    let pairs: Vec<(u64, u64)> = match sequence {
        Sequence::Ends => evidence.finite.iter().map(|row| (row.row, row.last)).collect(),
        _ => sequence.known(evidence).indexed().collect(),
    };
    let wrong = |&&(row, x): &&(u64, u64)| {
        let [row, x, tenths] = [row, x, tenths].map(u128::from);
        !((2 * tenths - 1) * x..(2 * tenths + 1) * x).contains(&(20 * row))
    };
    let failure = pairs.iter().find(|pair| pair.0 >= from && wrong(pair));
    let exception = pairs.iter().rev().find(|pair| pair.0 < from && wrong(pair));
    let figure = exception.map(|(row, x)| format!("the last exception is x = {x}, of row {row}"));
    let failure = failure.map(|&(row, x)| (row, format!("x = {x} belongs to row {row}")));
    Finding::to(evidence.last_row(), failure).with(figure.unwrap_or_default())
}

/// `a(n) <= factor·n + constant`, n >= from.
pub fn linear_bound(
    evidence: &Evidence,
    (sequence, factor, constant, from): (Sequence, u64, i64, u64),
) -> Finding {
    let known = sequence.known(evidence);
    let mut equal = 0;
    let finding = known.each(|(n, term)| {
        let excess = i128::from(term) - i128::from(factor) * i128::from(n) - i128::from(constant);
        equal += u64::from(n >= from && excess == 0);
        (n >= from && excess > 0).then(|| known.words(n, term))
    });
    finding.with(format!("with equality for {equal} values of n"))
}

/// The number of terms of a sequence that are less than `below`.
pub fn count_below(evidence: &Evidence, (sequence, below, count): (Sequence, u64, u64)) -> Found {
    evidence.require(below - 1)?;
    let known = sequence.known(evidence);
    let number = known.terms.iter().filter(|&&term| term < below).count() as u64;
    Ok(Finding::found(number == count, format!("{number} are below {below}")))
}

/// For each p, at least `thirds/3·p` of the last columns are below p; perhaps rounded down.
pub fn at_least_third(evidence: &Evidence, (thirds, rounded): (u64, bool)) -> Finding {
    let ends = evidence.ends();
    let wrong = |p: u64| {
        let (number, wanted) = (ends.partition_point(|&last| last < p) as u64, thirds * p);
        let enough = if rounded { number >= wanted / 3 } else { 3 * number >= wanted };
        (!enough).then(|| format!("p = {p}: there are {number}"))
    };
    let last = evidence.last_row() + 1;
    let failing: Vec<u64> = (1..=last).filter(|&p| wrong(p).is_some()).take(11).collect();
    let words = joined(failing.iter().take(10), ", ");
    let figure = match failing.len() {
        0 => String::new(),
        1..=10 => format!("it fails for p = {words}"),
        _ => format!("it fails for p = {words}, ..."),
    };
    Finding::each(1..=last, wrong).with(figure)
}
