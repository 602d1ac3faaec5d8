//! Claims about the sequences of section 8 of the 2005 paper.

use census::statistics::{Extreme, Strip, Terms};
use census::{Decimal, Surd};
use record::joined;
use serde::Deserialize;

use crate::evidence::Evidence;
use crate::verdict::{Examined, Finding};

/// A sequence with the n of its first term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum PaperSequence {
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

/// A test on a sequence. Decimals are as the paper prints them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SequenceTest {
    /// The first terms.
    Terms {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The terms.
        terms: Vec<u64>,
    },
    /// A term and the one after it.
    Followed {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The term.
        first: u64,
        /// The one after it.
        next: u64,
    },
    /// No term is less than the one before it by more than this.
    NoDecrease {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The bound.
        beyond: u64,
    },
    /// The differences of successive terms, with their frequencies, rounded to the nearest decimal.
    Differences {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The number of terms.
        terms: u64,
        /// Difference and frequency, all of them.
        frequencies: Vec<(i64, String)>,
    },
    /// The extremes of `a(n) - slope·n`, rounded to the nearest decimal.
    Extremes {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The number of terms.
        terms: u64,
        /// The least.
        least: String,
        /// The largest.
        largest: String,
    },
    /// `above < a(n) - slope·n < below`, literally.
    Strip {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The lower bound.
        above: String,
        /// The upper bound.
        below: String,
    },
    /// The extremes of `a(n) - slope·n` differ by no more than this.
    Width {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The bound.
        width: String,
    },
    /// The row of a diagonal value or last column x is `tenths/10·x` to one decimal.
    Ratio {
        /// Diagonal or ends.
        sequence: PaperSequence,
        /// The ratio in tenths.
        tenths: u64,
        /// The first row that counts.
        from: u64,
    },
    /// `a(n) <= factor·n + constant`.
    LinearBound {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The factor.
        factor: u64,
        /// The constant.
        constant: i64,
    },
    /// The number of terms below a number.
    CountBelow {
        /// Of which sequence.
        sequence: PaperSequence,
        /// The number.
        below: u64,
        /// The number of terms.
        count: u64,
    },
    /// For each p, at least `thirds/3·p` of the last columns are below p.
    AtLeastThird {
        /// The number of thirds.
        thirds: u64,
        /// Whether the part of p is rounded down.
        floor: bool,
    },
    /// `(k+p_n+q_n, k+q_n, r_n)`, k >= 0, are P-positions: the rows of period 1 in order.
    Families {
        /// `p_n`.
        offsets: Vec<u64>,
        /// `q_n`.
        starts: Vec<u64>,
        /// `r_n`.
        rows: Vec<u64>,
    },
}

impl PaperSequence {
    fn first_index(self) -> u64 {
        match self {
            Self::Ends | Self::FiniteRows => 1,
            _ => 0,
        }
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
            Self::Ends => evidence.ends().iter().map(|row| row.last).collect(),
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

    /// A last row that is enough for `terms` terms: at least one of three rows is finite, and
    /// another one has period 1, and `q_n <= 3n - 1`.
    fn rows_for(self, terms: u64) -> u64 {
        if self == Self::Diagonal { terms.saturating_sub(1) } else { 3 * terms }
    }
}

impl SequenceTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, evidence: &Evidence) -> Examined {
        let records = "row records";
        let in_integers = "row records; distances from the line compared in integers";
        let fractions = "row records; frequencies as fractions, rounded to nearest";
        match self {
            Self::Terms { sequence, terms } => first_terms(evidence, *sequence, terms).by(records),
            Self::Followed { sequence, first, next } => {
                followed(evidence, *sequence, *first, *next).by(records)
            }
            Self::NoDecrease { sequence, beyond } => {
                no_decrease(evidence, *sequence, *beyond).by(records)
            }
            Self::Differences { sequence, terms, frequencies } => {
                differences(evidence, *sequence, *terms, frequencies).by(fractions)
            }
            Self::Extremes { sequence, terms, least, largest } => {
                extremes(evidence, *sequence, *terms, &decimal(least), &decimal(largest))
                    .by(in_integers)
            }
            Self::Strip { sequence, above, below } => {
                strip(evidence, *sequence, &decimal(above), &decimal(below)).by(in_integers)
            }
            Self::Width { sequence, width } => {
                strip_width(evidence, *sequence, &decimal(width)).by(in_integers)
            }
            Self::Ratio { sequence, tenths, from } => {
                ratio(evidence, *sequence, *tenths, *from).by(records)
            }
            Self::LinearBound { sequence, factor, constant } => {
                linear_bound(evidence, *sequence, *factor, *constant).by(records)
            }
            Self::CountBelow { sequence, below, count } => {
                count_below(evidence, *sequence, *below, *count).by(records)
            }
            Self::AtLeastThird { thirds, floor } => {
                at_least_third(evidence, *thirds, *floor).by(records)
            }
            Self::Families { offsets, starts, rows } => {
                families(evidence, offsets, starts, rows).by(records)
            }
        }
    }
}

/// A number as the paper prints it; the ledger's tests read all of them.
fn decimal(text: &str) -> Decimal {
    text.parse().expect("the numbers of the ledger are decimals")
}

fn first_terms(evidence: &Evidence, sequence: PaperSequence, terms: &[u64]) -> Finding {
    let known = sequence.terms(evidence);
    if known.len() < terms.len() {
        return Finding::OutOfReach { needs: sequence.rows_for(terms.len() as u64) };
    }
    let different = (sequence.first_index()..).zip(known.iter().zip(terms));
    let different = different.into_iter().find(|(_, (found, said))| found != said);
    Finding::Stated {
        counterexample: different
            .map(|(n, (found, _))| format!("{}_{n} = {found}", sequence.name())),
        figure: format!("{} terms", terms.len()),
    }
}

/// The first sequence that differs, or the last one.
fn families(evidence: &Evidence, offsets: &[u64], starts: &[u64], rows: &[u64]) -> Finding {
    let parts = [
        (PaperSequence::PeriodOneOffsets, offsets),
        (PaperSequence::PeriodOneStarts, starts),
        (PaperSequence::PeriodOneRows, rows),
    ];
    let mut findings =
        parts.map(|(sequence, terms)| first_terms(evidence, sequence, terms)).into_iter();
    let last = findings.next_back();
    let holds = |finding: &Finding| matches!(finding, Finding::Stated { counterexample: None, .. });
    findings.find(|finding| !holds(finding)).or(last).expect("there are three")
}

fn followed(evidence: &Evidence, sequence: PaperSequence, first: u64, next: u64) -> Finding {
    let terms = sequence.terms(evidence);
    let Some(place) = terms[..terms.len().max(1) - 1].iter().position(|&term| term == first) else {
        return Finding::OutOfReach { needs: sequence.rows_for(first) };
    };
    let found = terms[place + 1];
    let n = sequence.first_index() + place as u64;
    let name = sequence.name();
    Finding::found(found == next, format!("{name}_{n} = {first}, {name}_{} = {found}", n + 1))
}

fn no_decrease(evidence: &Evidence, sequence: PaperSequence, beyond: u64) -> Finding {
    let terms = sequence.indexed(evidence);
    let mut neighbours = terms.clone().zip(terms.skip(1));
    let decrease = |a: u64, b: u64| a.saturating_sub(b);
    let wrong = neighbours.clone().find(|((_, a), (_, b))| decrease(*a, *b) > beyond);
    let name = sequence.name();
    let words = |((n, a), (m, b))| format!("{name}_{n} = {a}, {name}_{m} = {b}");
    let largest = neighbours.clone().map(|((_, a), (_, b))| decrease(a, b)).max().unwrap_or(0);
    let last = neighbours.by_ref().last().map_or(sequence.first_index(), |(_, (m, _))| m);
    Finding::Each {
        failure: wrong.map(|pair| (pair.1.0, words(pair))),
        last,
        figure: format!("the largest decrease is {largest}"),
    }
}

fn differences(
    evidence: &Evidence,
    sequence: PaperSequence,
    terms: u64,
    frequencies: &[(i64, String)],
) -> Finding {
    let Some(found) = sequence.along_line(evidence, Some(terms)) else {
        return Finding::OutOfReach { needs: sequence.rows_for(terms) };
    };
    let found = &found.differences;
    let all_met = found.counts.keys().all(|met| frequencies.iter().any(|(said, _)| said == met));
    let right = frequencies.iter().all(|(difference, frequency)| {
        let said = decimal(frequency);
        found.counts.contains_key(difference)
            && found.frequency(*difference, said.places()) == Some(said)
    });
    let all = found.number();
    let words = found.counts.iter().map(|(difference, met)| {
        let frequency = Decimal::ratio(met.number, all, 5);
        format!("{difference}: {} of {all}, {frequency}", met.number)
    });
    Finding::found(all_met && right, joined(words, "; "))
}

/// "least -1.2422 at n = 61595, largest 2.1411 at n = 14009".
fn words(strip: &Strip) -> String {
    let at = |Extreme { n, distance }: Extreme| format!("{} at n = {n}", distance.nearest(4));
    format!("least {}, largest {}", at(strip.least), at(strip.largest))
}

fn extremes(
    evidence: &Evidence,
    sequence: PaperSequence,
    terms: u64,
    least: &Decimal,
    largest: &Decimal,
) -> Finding {
    let strip = |terms| sequence.along_line(evidence, terms);
    let Some((claimed, all)) = strip(Some(terms)).zip(strip(None)) else {
        return Finding::OutOfReach { needs: sequence.rows_for(terms) };
    };
    let Some((found, further)) = claimed.strip.zip(all.strip) else {
        return Finding::OutOfReach { needs: sequence.rows_for(1) };
    };
    let right = found.least.distance.nearest(least.places()) == *least
        && found.largest.distance.nearest(largest.places()) == *largest;
    let mut figure = words(&found);
    if let Some(last) = all.last_index().filter(|_| further != found) {
        figure = format!("{figure}; to n = {last}: {}", words(&further));
    }
    Finding::found(right, figure)
}

fn strip(
    evidence: &Evidence,
    sequence: PaperSequence,
    above: &Decimal,
    below: &Decimal,
) -> Finding {
    let (along, slope) = (sequence.along_line(evidence, None), sequence.slope());
    let wrong = |(n, term): &(u64, u64)| {
        let distance = Surd::from_line(*term, slope, *n);
        !(distance > *above && distance < *below)
    };
    let strip = along.as_ref().and_then(|along| along.strip);
    let holds = strip.is_some_and(|strip| strip.within(above, below));
    let failure = (!holds).then(|| sequence.indexed(evidence).find(wrong)).flatten();
    let name = sequence.name();
    let last = along.and_then(|along| along.last_index()).unwrap_or(0);
    Finding::Each {
        failure: failure.map(|(n, term)| {
            let distance = Surd::from_line(term, slope, n).nearest(4);
            (n, format!("{name}_{n} = {term}, which is {distance} from the line"))
        }),
        last,
        figure: strip.map_or_else(String::new, |strip| format!("to n = {last}: {}", words(&strip))),
    }
}

fn strip_width(evidence: &Evidence, sequence: PaperSequence, width: &Decimal) -> Finding {
    let mut along = Terms::new(sequence.slope(), sequence.first_index());
    let mut failure = None;
    let mut before = None;
    for (n, term) in sequence.indexed(evidence) {
        along.push(term);
        // Only a new extreme makes the strip wider.
        if along.strip != before && failure.is_none() {
            before = along.strip;
            failure = before.filter(|strip| strip.width() > *width).map(|strip| {
                (n, format!("the strip of n <= {n} has width {}", strip.width().nearest(4)))
            });
        }
    }
    Finding::Each {
        failure,
        last: along.last_index().unwrap_or(0),
        figure: along.strip.map_or_else(String::new, |strip| {
            format!("width {}: {}", strip.width().nearest(4), words(&strip))
        }),
    }
}

fn ratio(evidence: &Evidence, sequence: PaperSequence, tenths: u64, from: u64) -> Finding {
    let pairs: Vec<(u64, u64)> = match sequence {
        PaperSequence::Ends => evidence.finite.iter().map(|row| (row.row, row.last)).collect(),
        _ => sequence.indexed(evidence).collect(),
    };
    let right = |row: u64, x: u64| {
        let [row, x, tenths] = [row, x, tenths].map(u128::from);
        20 * row >= (2 * tenths - 1) * x && 20 * row < (2 * tenths + 1) * x
    };
    let wrong = pairs.iter().find(|&&(row, x)| row >= from && !right(row, x));
    let exception = pairs.iter().rev().find(|&&(row, x)| row < from && !right(row, x));
    let failure = wrong.map(|&(row, x)| (row, format!("x = {x} belongs to row {row}")));
    evidence.of_each_row(failure).with(exception.map_or_else(String::new, |(row, x)| {
        format!("the last exception is x = {x}, of row {row}")
    }))
}

fn linear_bound(
    evidence: &Evidence,
    sequence: PaperSequence,
    factor: u64,
    constant: i64,
) -> Finding {
    let terms = sequence.indexed(evidence);
    let excess = |n: u64, term: u64| {
        i128::from(term) - i128::from(factor) * i128::from(n) - i128::from(constant)
    };
    let wrong = terms.clone().find(|&(n, term)| excess(n, term) > 0);
    let name = sequence.name();
    let equal = terms.clone().filter(|&(n, term)| excess(n, term) == 0).count();
    Finding::Each {
        failure: wrong.map(|(n, term)| (n, format!("{name}_{n} = {term}"))),
        last: terms.last().map_or(0, |(n, _)| n),
        figure: format!("with equality for {equal} values of n"),
    }
}

fn count_below(evidence: &Evidence, sequence: PaperSequence, below: u64, count: u64) -> Finding {
    if below > evidence.last_row() + 1 {
        return Finding::OutOfReach { needs: below - 1 };
    }
    let number = sequence.terms(evidence).iter().filter(|&&term| term < below).count() as u64;
    Finding::found(number == count, format!("{number} are below {below}"))
}

fn at_least_third(evidence: &Evidence, thirds: u64, floor: bool) -> Finding {
    let ends = evidence.ends();
    let last = evidence.last_row() + 1;
    let mut below = 0;
    let mut wrong = Vec::new();
    for p in 1..=last {
        while ends.get(below).is_some_and(|row| row.last < p) {
            below += 1;
        }
        let (number, wanted) = (below as u64, thirds * p);
        let enough = if floor { number >= wanted / 3 } else { 3 * number >= wanted };
        if !enough {
            wrong.push((p, number));
        }
    }
    let failing = joined(wrong.iter().take(10).map(|(p, _)| p), ", ");
    let more = if wrong.len() > 10 { ", ..." } else { "" };
    Finding::Each {
        failure: wrong.first().map(|(p, number)| (*p, format!("p = {p}: there are {number}"))),
        last,
        figure: if wrong.is_empty() {
            String::new()
        } else {
            format!("it fails for p = {failing}{more}")
        },
    }
}
