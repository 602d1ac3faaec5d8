//! Claims about P-positions `(a,b,c,d)` of four rows, decided by the sieve of `boards`. The facts
//! are in `proofs/four-rows.md`.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use boards::four_rows::{FourRows, Fraction, HighOrLow, Lower, Triples, triples};
use census::Decimal;
use serde::Deserialize;

use crate::chi_squared::ChiSquared;
use crate::evidence::{Evidence, SIDE, TABLE};
use crate::verdict::{Examined, Finding};

/// A test on four rows.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum FourRowsTest {
    /// The number of P-positions with a to `to`.
    Positions {
        /// The largest a.
        to: u16,
        /// The number.
        number: u64,
    },
    /// The percentage of triples with a to `to` that extend, rounded.
    Extending {
        /// The largest a.
        to: u16,
        /// The percentage.
        percent: String,
    },
    /// With any number of rows, all rows but the last ones determine a P-position.
    Unique {
        /// The number of last rows.
        last: usize,
    },
    /// Some two P-positions of four rows agree in all rows but the first ones.
    SharedTail {
        /// The number of first rows.
        first: usize,
    },
    /// The numbers d of the first P-positions in lexicographic order.
    Terms {
        /// The numbers.
        terms: Vec<u16>,
    },
    /// The P-positions of three rows extend, with this d, and no other triples do.
    ThreeRows {
        /// The d.
        last: u16,
    },
    /// The medians of b/a, c/a and d/a.
    Medians {
        /// a is larger than this.
        above: u16,
        /// The largest a.
        to: u16,
        /// The medians, rounded.
        medians: Vec<String>,
    },
    /// The percentage of the a to `to` that are HIGH, rounded.
    HighShare {
        /// The largest a.
        to: u16,
        /// The percentage.
        percent: String,
    },
    /// For any two a from the first one on, the median of d/a is larger for HIGH than for LOW.
    Separated {
        /// The first a.
        from: u16,
    },
    /// The least median of d/a of a HIGH a, less the largest of a LOW one.
    Gap {
        /// The first a.
        from: u16,
        /// The last a.
        to: u16,
        /// The gap, rounded.
        gap: String,
    },
    /// The median, over the a of a family, of the medians of d/a for each a.
    FamilyMedian {
        /// Whether the family is LOW.
        low: bool,
        /// a is larger than this.
        above: u16,
        /// The largest a.
        to: u16,
        /// The median, rounded.
        median: String,
    },
    /// In each family some quadratic relation with small integer coefficients holds for the medians
    /// of b/a and c/a, 0.9n < a <= n, both for two thirds of the largest n and for that n.
    Quadratic {
        /// The largest coefficient.
        most: i64,
        /// It holds if the difference of its sides is less than a unit in this decimal place.
        places: u32,
    },
    /// Whether a triple extends is guessed from c and the remainder of `a - b`, by the best guess
    /// for each pair of these. The guess is right for at least this percentage of the triples.
    Accuracy {
        /// The largest a.
        to: u16,
        /// The modulus.
        modulus: u16,
        /// The percentage.
        percent: u64,
    },
    /// χ² of the remainder of `a - b` and of whether a triple extends, rounded down.
    ChiSquared {
        /// The largest a.
        to: u16,
        /// Moduli, and their χ².
        values: Vec<(usize, u64)>,
    },
    /// Of all moduli this one has the largest χ² for each degree of freedom.
    Strongest {
        /// The largest a.
        to: u16,
        /// The largest modulus.
        most: usize,
        /// This modulus.
        modulus: usize,
    },
    /// Some row of three-rowed Chomp has a period that is divisible by this number.
    PeriodDivisible {
        /// The number.
        by: u64,
    },
    /// From c to c + period the largest `a - b` grows by a number in a range, c from 1 on.
    Growth {
        /// The period.
        period: u16,
        /// The least and the largest growth.
        growth: (u16, u16),
    },
    /// The autocorrelation of the numbers d in lexicographic order is larger for this lag than for
    /// the one before and the one after.
    Peak {
        /// The lag.
        lag: usize,
    },
}

impl FourRowsTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, evidence: &Evidence) -> Examined {
        match self {
            Self::Unique { last } => {
                unique(evidence, *last).by(format!("all positions of {SIDE}x{SIDE}"))
            }
            Self::SharedTail { first } => {
                shared_tail(evidence, *first).by(format!("all positions of 4x{SIDE}"))
            }
            Self::Terms { terms } => {
                first_terms(evidence, terms).by(format!("all positions of 4x{SIDE}"))
            }
            Self::PeriodDivisible { by } => {
                period_divisible(evidence, *by).by("the periods of all row records")
            }
            _ => {
                let four_rows = evidence.four_rows();
                let finding = match self.needs() {
                    Some(needs) if needs > four_rows.to() => {
                        Finding::NeedsFourRows { to: needs.into() }
                    }
                    _ => self.find(evidence, four_rows),
                };
                finding.by("all P-positions of four rows, by a sieve")
            }
        }
    }

    /// The a that the P-positions must reach.
    fn needs(&self) -> Option<u16> {
        match self {
            Self::Positions { to, .. }
            | Self::Extending { to, .. }
            | Self::Medians { to, .. }
            | Self::HighShare { to, .. }
            | Self::Gap { to, .. }
            | Self::FamilyMedian { to, .. }
            | Self::Accuracy { to, .. }
            | Self::ChiSquared { to, .. }
            | Self::Strongest { to, .. } => Some(*to),
            _ => None,
        }
    }

    fn find(&self, evidence: &Evidence, found: &FourRows) -> Finding {
        match self {
            Self::Positions { to, number } => {
                let count = found.positions(*to);
                Finding::found(count == *number, format!("{count} P-positions"))
            }
            Self::Extending { to, percent } => {
                let (part, all) = (found.positions(*to), triples(*to));
                share(part, all, percent, "triples extend")
            }
            Self::ThreeRows { last } => three_rows(evidence, found, *last),
            Self::Medians { above, to, medians } => found_medians(found, (*above, *to), medians),
            Self::HighShare { to, percent } => {
                let is_high = |&a: &u16| found.of(a).family() == HighOrLow::High;
                let high = (1..=*to).filter(is_high).count() as u64;
                share(high, (*to).into(), percent, "a are HIGH")
            }
            Self::Separated { from } => separated(found, *from),
            Self::Gap { from, to, gap } => gap_between(found, (*from, *to), gap),
            Self::FamilyMedian { low, above, to, median: printed } => {
                let family = if *low { HighOrLow::Low } else { HighOrLow::High };
                let of_family = (above + 1..=*to).filter(|&a| found.of(a).family() == family);
                let Some(exact) = middle(of_family.map(|a| median(found, a)).collect()) else {
                    return Finding::found(false, "the family is empty".to_owned());
                };
                let printed = decimal(printed);
                let right = rounded(exact, printed.places()) == printed;
                Finding::found(right, rounded(exact, 6).to_string())
            }
            Self::Quadratic { most, places } => quadratic(found, i128::from(*most), *places),
            Self::Accuracy { to, modulus, percent } => accuracy(found, *to, *modulus, *percent),
            Self::ChiSquared { to, values } => chi_squared(found, *to, values),
            Self::Strongest { to, most, modulus } => strongest(found, *to, *most, *modulus),
            Self::Growth { period, growth } => widths(found, *period, *growth),
            Self::Peak { lag } => peak(found, *lag),
            Self::Unique { .. }
            | Self::SharedTail { .. }
            | Self::Terms { .. }
            | Self::PeriodDivisible { .. } => unreachable!("needs no sieve"),
        }
    }
}

fn decimal(text: &str) -> Decimal {
    text.parse().expect("the numbers of the ledger are decimals")
}

fn rounded(Fraction { part, whole }: Fraction, places: u32) -> Decimal {
    Decimal::ratio(part, whole, places)
}

/// The share in percent, rounded as it is printed.
fn share(part: u64, all: u64, percent: &str, what: &str) -> Finding {
    let printed = decimal(percent);
    let right = Decimal::ratio(100 * part, all, printed.places()) == printed;
    let exact = Decimal::ratio(100 * part, all, 3);
    Finding::found(right, format!("{part} of {all} {what}, {exact} %"))
}

/// No two boards agree in all rows but the last ones, where rows that a board lacks are empty.
fn unique(evidence: &Evidence, last: usize) -> Finding {
    const { assert!(SIDE < 16, "a length takes four bits, and so does the number of rows") };
    let boards = evidence.oracles.p_positions();
    let mut met = HashSet::new();
    let tuples = boards.iter().flat_map(|board| {
        // With more rows than these the tuple that is left is the whole board.
        let most = (board.rows().len() + last).min(SIDE.into());
        (board.rows().len().max(last + 1)..=most).map(move |length| (board.rows(), length))
    });
    let first = |rows: &[u16], length: usize| {
        (0..length - last).map(|row| rows.get(row).copied().unwrap_or(0)).collect::<Vec<_>>()
    };
    let number = |rows: &[u16], length: usize| {
        let lengths = rows[..rows.len().min(length - last)].iter();
        let places = (0..).step_by(4).zip(lengths);
        places.fold(length as u64, |number, (place, &own)| number | u64::from(own) << 4 << place)
    };
    let counterexample = tuples
        .into_iter()
        .find(|&(rows, length)| !met.insert(number(rows, length)))
        .map(|(rows, length)| {
            format!("two P-positions of {length} rows begin with {:?}", first(rows, length))
        });
    let tested = format!("m x n, m, n <= {SIDE}: {} P-positions", boards.len());
    Finding::Cases { counterexample, tested }
}

/// The P-positions of four rows that the oracles list, in lexicographic order.
fn of_four_rows(evidence: &Evidence) -> Vec<[u16; 4]> {
    let boards = evidence.oracles.p_positions().iter().filter(|board| board.height() <= 4);
    let lengths = |rows: &[u16]| [0, 1, 2, 3].map(|row| rows.get(row).copied().unwrap_or(0));
    let mut found: Vec<[u16; 4]> = boards.map(|board| lengths(board.rows())).collect();
    found.sort_unstable();
    found
}

fn shared_tail(evidence: &Evidence, first: usize) -> Finding {
    let found = of_four_rows(evidence);
    let mut met = HashMap::new();
    let mut pairs = found.iter().filter_map(|of| Some((met.insert(&of[first..], of)?, of)));
    let pair = pairs.next().map(|(one, other)| format!("{one:?} and {other:?}"));
    let none = || format!("no two of {} P-positions", found.len());
    Finding::found(pair.is_some(), pair.unwrap_or_else(none))
}

fn first_terms(evidence: &Evidence, terms: &[u16]) -> Finding {
    let found = of_four_rows(evidence);
    let wrong =
        (1_u16..).zip(terms.iter().zip(&found)).find(|(_, (term, found))| **term != found[3]);
    let counterexample = wrong.map(|(n, (_, found))| format!("term {n} is {}", found[3]));
    let short = (found.len() < terms.len()).then(|| format!("{} terms to {SIDE}", found.len()));
    let figure = format!("{} terms", terms.len());
    Finding::Stated { counterexample: counterexample.or(short), figure }
}

/// Three rows by Brouwer's recurrence.
fn three_rows(evidence: &Evidence, found: &FourRows, last: u16) -> Finding {
    let reached = u64::from(found.to()).min(TABLE);
    let mut expected = vec![0_u32; usize::try_from(reached).expect("short") + 1];
    for position in evidence.oracles.table().p_positions() {
        let p = usize::try_from(position.p()).expect("in memory");
        expected.get_mut(p).into_iter().for_each(|number| *number += 1);
    }
    let failure = (1..).zip(&expected[1..]).find_map(|(a, &expected)| {
        let of_last = found.of(a).with(Lower::Last, last);
        let how = format!("a = {a}: {of_last} with d = {last}, and {expected} of three rows");
        (of_last != expected).then(|| (a.into(), how))
    });
    let number: u32 = expected.iter().sum();
    let figure = format!("{number} P-positions of three rows");
    Finding::Each { failure, last: reached, figure }
}

fn found_medians(found: &FourRows, (above, to): (u16, u16), medians: &[String]) -> Finding {
    let (mut right, mut words) = (true, Vec::new());
    let rows = [(Lower::Second, "b/a"), (Lower::Third, "c/a"), (Lower::Last, "d/a")];
    for ((lower, name), printed) in rows.into_iter().zip(medians) {
        let exact = found.median(lower, above + 1..=to, |_| true).expect("each a has positions");
        let printed = decimal(printed);
        right &= rounded(exact, printed.places()) == printed;
        words.push(format!("{name}: {}", rounded(exact, 5)));
    }
    Finding::found(right, words.join(", "))
}

/// The median of d/a for the positions with this a.
fn median(found: &FourRows, a: u16) -> Fraction {
    found.median(Lower::Last, a..=a, |_| true).expect("each a has positions")
}

/// The median of these.
fn middle(mut fractions: Vec<Fraction>) -> Option<Fraction> {
    fractions.sort_by(|one, other| one.compare(*other));
    let last = fractions.len().checked_sub(1)?;
    let [one, other] = [last / 2, last.div_ceil(2)].map(|place| fractions[place]);
    let part = one.part * other.whole + other.part * one.whole;
    Some(Fraction { part, whole: 2 * one.whole * other.whole })
}

fn separated(found: &FourRows, from: u16) -> Finding {
    let (mut high, mut low): (Option<Fraction>, Option<Fraction>) = (None, None);
    let failure = (from..=found.to()).find_map(|a| {
        let of = median(found, a);
        let (own, better) = match found.of(a).family() {
            HighOrLow::High => (&mut high, Ordering::Less),
            HighOrLow::Low => (&mut low, Ordering::Greater),
        };
        if own.is_none_or(|best| of.compare(best) == better) {
            *own = Some(of);
        }
        let (high, low) = high.zip(low)?;
        let fails = high.compare(low) != Ordering::Greater;
        fails.then(|| (u64::from(a), format!("a = {a} has the median {}", rounded(of, 4))))
    });
    let words = |name: &str, of: Option<Fraction>| {
        of.map_or_else(String::new, |of| format!("{name} {}", rounded(of, 4)))
    };
    let figure = format!(
        "medians from a = {from}: {}, {}",
        words("HIGH at least", high),
        words("LOW at most", low)
    );
    Finding::Each { failure, last: found.to().into(), figure }
}

fn gap_between(found: &FourRows, (from, to): (u16, u16), gap: &str) -> Finding {
    let [Some((high_at, high)), Some((low_at, low))] = found.extreme_medians(from..=to) else {
        return Finding::found(false, "a family is empty".to_owned());
    };
    let printed = decimal(gap);
    let Some(gap) = high.minus(low) else {
        return Finding::found(false, "the families overlap".to_owned());
    };
    let difference = |places| rounded(gap, places);
    let right = difference(printed.places()) == printed;
    let words = format!(
        "{}: HIGH at least {} (a = {high_at}), LOW at most {} (a = {low_at})",
        difference(4),
        rounded(high, 4),
        rounded(low, 4)
    );
    Finding::found(right, words)
}

/// The unit in which medians are compared: 10^-9.
const UNIT: i128 = 1_000_000_000;

/// `p·x² + q·xy + r·y² + s·x + t·y + u`, times `UNIT²`.
fn sides_apart([p, q, r, s, t, u]: [i128; 6], (x, y): (i128, i128)) -> i128 {
    p * x * x + q * x * y + r * y * y + UNIT * (s * x + t * y) + UNIT * UNIT * u
}

/// All lists of coefficients up to sign, with one at least of a quadratic term.
fn relations(most: i128) -> impl Iterator<Item = [i128; 6]> {
    let side = u32::try_from(2 * most + 1).expect("few coefficients");
    let all = (0..side.pow(6)).map(move |number| {
        let digit = |place: u32| i128::from(number / side.pow(place) % side) - most;
        [0, 1, 2, 3, 4, 5].map(digit)
    });
    let is_quadratic = |of: &[i128; 6]| of[..3].iter().any(|own| *own != 0);
    all.filter(move |of| is_quadratic(of) && of.iter().find(|own| **own != 0) > Some(&0))
}

fn quadratic(found: &FourRows, most: i128, places: u32) -> Finding {
    let limit = UNIT * UNIT / 10_i128.pow(places);
    let (mut right, mut words) = (true, Vec::new());
    let (first, last) = (found.to() / 3 * 2, found.to());
    for (name, family) in [("HIGH", HighOrLow::High), ("LOW", HighOrLow::Low)] {
        let medians = |to: u16| {
            let median = |lower| {
                let of = found.median(lower, to / 10 * 9 + 1..=to, |of| of.family() == family);
                let Fraction { part, whole } = of.expect("both families have members");
                (2 * UNIT * i128::from(part) + i128::from(whole)) / (2 * i128::from(whole))
            };
            (median(Lower::Second), median(Lower::Third))
        };
        let (at_first, at_last) = (medians(first), medians(last));
        let apart = |of: &[i128; 6], at| sides_apart(*of, at).abs();
        right &=
            relations(most).any(|of| apart(&of, at_first) < limit && apart(&of, at_last) < limit);
        let nearest = relations(most).min_by_key(|of| apart(of, at_first));
        let nearest = nearest.expect("there are relations");
        let decimals = |value: i128| {
            let value = u64::try_from(value).expect("less than 1");
            Decimal::ratio(value, u64::try_from(UNIT).expect("small"), 5)
        };
        let [x, y] = [at_last.0, at_last.1].map(decimals);
        let shown = |at| decimals(apart(&nearest, at) / UNIT);
        words.push(format!(
            "{name}: b/a {x}, c/a {y} for n = {last}; the relation {nearest:?} that is nearest for \
             n = {first}, by {}, fails by {} for n = {last}",
            shown(at_first),
            shown(at_last)
        ));
    }
    Finding::found(right, words.join("; "))
}

/// Triples for which the more frequent outcome of their class is right.
fn guessed(classes: &[Triples]) -> u64 {
    classes.iter().map(|class| class.extending.max(class.all - class.extending)).sum()
}

fn accuracy(found: &FourRows, to: u16, modulus: u16, percent: u64) -> Finding {
    let all = triples(to);
    let by = |modulus| guessed(&found.by_third_and_remainder(to, modulus));
    let words = |right| Decimal::ratio(100 * right, all, 2).to_string();
    let right = by(modulus);
    let figure = format!(
        "best guess by c and (a - b) mod {modulus}: {} %; mod {}: {} %; that no triple extends: {} %",
        words(right),
        modulus + 1,
        words(by(modulus + 1)),
        words(all - found.positions(to))
    );
    Finding::found(100 * right >= percent * all, figure)
}

fn chi_squared(found: &FourRows, to: u16, values: &[(usize, u64)]) -> Finding {
    let by_difference = found.by_difference(to);
    let (mut right, mut words) = (true, Vec::new());
    for &(modulus, value) in values {
        let found = ChiSquared::of(&by_difference, modulus).floor();
        right &= found == value.into();
        words.push(format!("{modulus}: {found}"));
    }
    Finding::found(right, format!("χ² by modulus {}", words.join(", ")))
}

fn strongest(found: &FourRows, to: u16, most: usize, modulus: usize) -> Finding {
    let by_difference = found.by_difference(to);
    let all = (2..=most).map(|modulus| (modulus, ChiSquared::of(&by_difference, modulus)));
    let all: Vec<_> = all.collect();
    let best =
        all.iter().reduce(|best, next| if next.1.is_stronger(&best.1) { next } else { best });
    let (best, _) = best.expect("there are moduli from 2 on");
    let words = |modulus: usize| {
        let of = &all[modulus - 2].1;
        format!("{modulus}: {}, {} for each degree", of.floor(), of.floor_by_freedom())
    };
    let named = [*best, 7, 8, modulus / 2, modulus - 1, modulus, modulus + 1, modulus + 2, most];
    let mut named: Vec<usize> =
        named.into_iter().filter(|modulus| (2..=most).contains(modulus)).collect();
    named.sort_unstable();
    named.dedup();
    let words: Vec<String> = named.into_iter().map(words).collect();
    let figure = format!("the strongest is {best}; χ² by modulus {}", words.join("; "));
    Finding::found(*best == modulus, figure)
}

fn period_divisible(evidence: &Evidence, by: u64) -> Finding {
    let row = evidence.periodic.iter().find(|row| row.period() % by == 0);
    let figure = row.map_or_else(
        || format!("no period of rows 0 to {} is divisible by {by}", evidence.last_row()),
        |row| format!("row {} has period {}", row.row, row.period()),
    );
    Finding::found(row.is_some(), figure)
}

fn widths(found: &FourRows, period: u16, (least, largest): (u16, u16)) -> Finding {
    // With this c or less, a reaches 3c.
    let last = found.to() / 3;
    let width = |c: u16| found.widest(c).unwrap_or(0);
    let growths = (1..=last.saturating_sub(period)).map(|c| (c, width(c + period) - width(c)));
    let growths: Vec<(u16, u16)> = growths.collect();
    let failure = growths.iter().find(|(_, growth)| !(least..=largest).contains(growth));
    let failure = failure.map(|&(c, growth)| {
        let to = width(c + period);
        (
            c.into(),
            format!(
                "the largest a - b is {} for c = {c} and {to} for c = {}, {growth} more",
                width(c),
                c + period
            ),
        )
    });
    let most = growths.iter().map(|&(_, growth)| growth);
    let range = most.clone().min().zip(most.max());
    let growth = range
        .map_or_else(String::new, |(least, largest)| format!("it grows by {least} to {largest}; "));
    let figure = format!("{growth}it is {} for c = {last}", width(last));
    let last = growths.last().map_or(0, |&(c, _)| c.into());
    Finding::Each { failure, last, figure }
}

fn peak(found: &FourRows, lag: usize) -> Finding {
    let terms = found.last_lengths();
    let (number, sum) =
        (terms.len() as i128, terms.iter().map(|&term| i128::from(term)).sum::<i128>());
    // N² times the covariance.
    let covariance = |lag: usize| -> i128 {
        let centred = |term: u16| number * i128::from(term) - sum;
        terms
            .iter()
            .zip(terms.iter().skip(lag))
            .map(|(&one, &other)| centred(one) * centred(other))
            .sum()
    };
    let [before, at, after, none] = [lag - 1, lag, lag + 1, 0].map(covariance);
    let words = |covariance: i128| {
        // Both have the factor N², and the quotient needs six digits only.
        let [part, whole] =
            [covariance, none].map(|of| u64::try_from(of / (number * number)).unwrap_or(0));
        Decimal::ratio(part, whole.max(1), 5).to_string()
    };
    let figure = format!(
        "{} for lag {}, {} for {lag}, {} for {}",
        words(before),
        lag - 1,
        words(at),
        words(after),
        lag + 1
    );
    Finding::found(at > before && at > after, figure)
}
