//! Claims about rows, decided by their records.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use byrnes::Losers;
use census::Decimal;
use record::{Kind, joined};
use serde::Deserialize;
use ultimate::{FiniteOrPeriodic, Ultimate};

use crate::evidence::{Evidence, FiniteRow, PeriodicRow};
use crate::positions::PN;
use crate::verdict::{Examined, Finding};

/// A test on row records.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum RowTest {
    /// `(n,n,n)` has this outcome.
    Rectangles {
        /// P or N.
        outcome: PN,
    },
    /// All P-positions of a row.
    Row {
        /// r.
        row: usize,
        /// `(p,q)` of the first ones, q from r on.
        positions: Vec<(u64, u64)>,
        /// `(p,q)` of the next one; it and all `(p+a,q+a)` are P-positions. None in a finite row.
        forever: Option<(u64, u64)>,
    },
    /// Rows have these periods.
    Periods {
        /// Row and period.
        rows: Vec<(u64, u64)>,
    },
    /// Rows have these starts and patterns.
    Patterns {
        /// Row, start, and one period of offsets minus their mean.
        rows: Vec<(u64, u64, Vec<i64>)>,
        /// No other rows to this one have a period larger than 1.
        complete_to: Option<u64>,
    },
    /// The rows of a period.
    PeriodList {
        /// The period.
        period: u64,
        /// The last row of the list's range.
        to: u64,
        /// All rows of that period in the range.
        rows: Vec<u64>,
    },
    /// A periodic row has one of these periods.
    OnlyPeriods {
        /// The periods.
        periods: Vec<u64>,
    },
    /// The first row that is neither finite nor of period 1.
    FirstOfLargerPeriod {
        /// The row.
        row: u64,
    },
    /// This many moves win in `(n,n,n)`: the number of times that n is a diagonal value or the last
    /// column of a finite row.
    OpeningUnique {
        /// The number.
        ways: u64,
    },
    /// At least this many moves win in `(n,n,n)`.
    OpeningExists {
        /// The number.
        ways: u64,
    },
    /// `(n,n,n-1)` is N for n from this one on.
    TopSquareLoses {
        /// Least n.
        from: u64,
    },
    /// f(q,q) is at least q plus this.
    DiagonalAbove {
        /// The difference.
        by: u64,
    },
    /// Rows are of these kinds.
    Kinds {
        /// Finite, periodic, or both.
        kinds: Vec<Kind>,
    },
    /// A finite row ends at least this many columns after the finite row before it.
    EndsIncrease {
        /// The number.
        by: u64,
    },
    /// Periods larger than 1 occur, but in less than this share of the periodic rows.
    Rare {
        /// The last row.
        rows: u64,
        /// The share, in percent.
        percent: u64,
    },
    /// Up to some row, more than this share of the periodic rows has a period larger than 1.
    TakeOver {
        /// The last row of the computation that the paper refers to.
        rows: u64,
        /// The share, in percent.
        percent: u64,
    },
    /// Some row has at least this period.
    LargestPeriod {
        /// The last row of the computation that the paper refers to.
        rows: u64,
        /// The period.
        at_least: u64,
    },
}

impl RowTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, evidence: &Evidence) -> Examined {
        let records = "row records, each with its certificate or computed to its end";
        let diagonal_values = "diagonal values in the records";
        let both = "diagonal values and last columns in the records";
        match self {
            Self::Rectangles { outcome } => diagonal(evidence, |n, d| {
                ((d == n) != (*outcome == PN::P)).then(|| format!("d_{n} = {d}"))
            })
            .by(diagonal_values),
            Self::Row { row, positions, forever } => {
                let offsets = evidence.oracles.literal(*row);
                row_positions(offsets, *row as u64, positions, *forever)
                    .by("the row in closed form, by the literal recurrence, proved")
            }
            Self::Periods { rows } => periods(evidence, rows).by(records),
            Self::Patterns { rows, complete_to } => {
                patterns(evidence, rows, *complete_to).by(records)
            }
            Self::PeriodList { period, to, rows } => {
                period_list(evidence, *period, *to, rows).by(records)
            }
            Self::OnlyPeriods { periods } => only_periods(evidence, periods).by(records),
            Self::FirstOfLargerPeriod { row } => first_of_larger(evidence, *row).by(records),
            Self::OpeningUnique { ways } => openings(evidence, |found| found == *ways).by(both),
            Self::OpeningExists { ways } => openings(evidence, |found| found >= *ways).by(both),
            Self::TopSquareLoses { from } => top_square(evidence, *from).by(records),
            Self::DiagonalAbove { by } => {
                diagonal(evidence, |n, d| (d < n + by).then(|| format!("d_{n} = {d}")))
                    .by(diagonal_values)
            }
            Self::Kinds { kinds } => by_kind(evidence, kinds).by(records),
            Self::EndsIncrease { by } => ends_increase(evidence, *by).by(records),
            Self::Rare { rows, percent } => rare(evidence, *rows, *percent).by(records),
            Self::TakeOver { rows, percent } => take_over(evidence, *rows, *percent).by(records),
            Self::LargestPeriod { rows, at_least } => {
                largest_period(evidence, *rows, *at_least).by(records)
            }
        }
    }
}

fn diagonal(evidence: &Evidence, wrong: impl Fn(u64, u64) -> Option<String>) -> Finding {
    let mut terms = (0..).zip(&evidence.diagonal);
    evidence.of_each_row(terms.find_map(|(n, &d)| wrong(n, d).map(|how| (n, how))))
}

fn row_positions(
    offsets: &Losers,
    row: u64,
    positions: &[(u64, u64)],
    forever: Option<(u64, u64)>,
) -> Finding {
    let said: Option<Vec<u64>> = (row..)
        .zip(positions.iter().chain(&forever))
        .map(|(q, &(p, column))| (q == column).then(|| p.checked_sub(q)).flatten())
        .collect();
    let same = said.is_some_and(|mut said| match (offsets.members(), forever) {
        (FiniteOrPeriodic::Finite(members), None) => *members == said,
        (FiniteOrPeriodic::Periodic(sequence), Some(_)) => {
            let period = vec![said.pop().expect("the next position is there")];
            Ultimate::new(said, period).is_ok_and(|said| said == *sequence)
        }
        _ => false,
    });
    let found = format!("offsets {offsets} from q = {row} on");
    Finding::found(same, found)
}

impl Evidence {
    fn periodic_row(&self, row: u64) -> Option<&PeriodicRow> {
        let place = self.periodic.binary_search_by_key(&row, |periodic| periodic.row).ok()?;
        Some(&self.periodic[place])
    }

    fn finite_row(&self, row: u64) -> Option<FiniteRow> {
        let place = self.finite.binary_search_by_key(&row, |finite| finite.row).ok()?;
        Some(self.finite[place])
    }

    /// The data of a row, in words.
    fn words(&self, row: u64) -> String {
        if let Some(FiniteRow { last, .. }) = self.finite_row(row) {
            return format!("row {row} is finite: its last P-position is ({last},{last},{row})");
        }
        let Some(periodic) = self.periodic_row(row) else { return format!("row {row} is unknown") };
        let PeriodicRow { start, values, .. } = periodic;
        match values.as_ref() {
            [value] => format!("row {row} has period 1, the offset {value} from column {start} on"),
            _ => format!("row {row} has period {} from column {start} on", values.len()),
        }
    }

    /// Periodic rows to `last`, and how many of them have a larger period than 1.
    fn larger_periods(&self, last: u64) -> (u64, u64) {
        let known = self.periodic.iter().take_while(|periodic| periodic.row <= last);
        known.fold((0, 0), |(all, larger), periodic| {
            (all + 1, larger + u64::from(periodic.period() > 1))
        })
    }
}

fn periods(evidence: &Evidence, rows: &[(u64, u64)]) -> Finding {
    let needs = rows.iter().map(|(row, _)| *row).max().unwrap_or(0);
    if needs > evidence.last_row() {
        return Finding::OutOfReach { needs };
    }
    let has = |&&(row, period): &&(u64, u64)| {
        evidence.periodic_row(row).is_some_and(|periodic| periodic.period() == period)
    };
    let words = rows.iter().map(|(row, _)| evidence.words(*row));
    Finding::found(rows.iter().all(|row| has(&row)), joined(words, "; "))
}

fn pattern(periodic: &PeriodicRow) -> Vec<i64> {
    let sum: u128 = periodic.values.iter().map(|&value| u128::from(value)).sum();
    let mean = u64::try_from(sum / u128::from(periodic.period())).expect("not larger than all");
    periodic.values.iter().map(|value| value.wrapping_sub(mean).cast_signed()).collect()
}

fn patterns(
    evidence: &Evidence,
    rows: &[(u64, u64, Vec<i64>)],
    complete_to: Option<u64>,
) -> Finding {
    let listed: BTreeMap<u64, (u64, &[i64])> =
        rows.iter().map(|(row, start, pattern)| (*row, (*start, pattern.as_slice()))).collect();
    let agrees = |row: u64| {
        let found = evidence.periodic_row(row);
        match listed.get(&row) {
            Some(&(start, said)) => {
                found.is_some_and(|found| found.start == start && pattern(found) == said)
            }
            None => found.is_none_or(|found| found.period() == 1),
        }
    };
    let words = |row: u64| {
        let pattern = evidence.periodic_row(row).map(pattern);
        let pattern = pattern.map_or(String::new(), |pattern| format!(", pattern {pattern:?}"));
        evidence.words(row) + &pattern
    };
    if let Some(to) = complete_to {
        let last = to.min(evidence.last_row());
        return Finding::each(0..=last, |row| (!agrees(row)).then(|| words(row)))
            .with(format!("{} rows", listed.range(..=last).count()));
    }
    let needs = listed.keys().copied().max().unwrap_or(0);
    if needs > evidence.last_row() {
        return Finding::OutOfReach { needs };
    }
    let figure = joined(listed.keys().map(|&row| words(row)), "; ");
    Finding::found(listed.keys().all(|&row| agrees(row)), figure)
}

fn period_list(evidence: &Evidence, period: u64, to: u64, rows: &[u64]) -> Finding {
    let last = to.min(evidence.last_row());
    let has = |row: u64| evidence.periodic_row(row).is_some_and(|found| found.period() == period);
    let number = (0..=last).filter(|&row| has(row)).count();
    let wrong = |row| has(row) != rows.contains(&row);
    Finding::each(0..=last, |row| wrong(row).then(|| evidence.words(row)))
        .with(format!("{number} rows of period {period}"))
}

fn only_periods(evidence: &Evidence, periods: &[u64]) -> Finding {
    let other = evidence.periodic.iter().find(|row| !periods.contains(&row.period()));
    evidence.of_each_row(other.map(|periodic| (periodic.row, evidence.words(periodic.row))))
}

fn first_of_larger(evidence: &Evidence, row: u64) -> Finding {
    if row > evidence.last_row() {
        return Finding::OutOfReach { needs: row };
    }
    let first = evidence.periodic.iter().find(|periodic| periodic.period() > 1);
    let figure = first.map_or_else(String::new, |first| evidence.words(first.row));
    let wrong = first.is_none_or(|first| first.row != row);
    let counterexample = wrong.then(|| format!("row {row} is not the first"));
    Finding::Stated { counterexample, figure }
}

/// The number of times that n is a diagonal value or a last column. Rows past R do not matter for n
/// <= R: `d_c > c`, and a row ends no earlier than in its first column.
fn openings(evidence: &Evidence, right: impl Fn(u64) -> bool) -> Finding {
    let mut ways = vec![0_u64; evidence.diagonal.len()];
    let ends = evidence.finite.iter().map(|row| row.last);
    for value in evidence.diagonal.iter().copied().chain(ends) {
        if let Some(ways) = usize::try_from(value).ok().and_then(|value| ways.get_mut(value)) {
            *ways += 1;
        }
    }
    let wrong = (0..).zip(&ways).skip(1).find(|(_, ways)| !right(**ways));
    evidence
        .of_each_row(wrong.map(|(n, ways)| (n, format!("{ways} winning moves in ({n},{n},{n})"))))
}

fn top_square(evidence: &Evidence, from: u64) -> Finding {
    let known = evidence.last_row();
    let ends = evidence.finite.iter().find(|row| row.last == row.row + 1 && row.last >= from);
    Finding::Each {
        failure: ends.map(|row| {
            (row.last, format!("({},{},{}) is a P-position", row.last, row.last, row.row))
        }),
        last: known + 1,
        figure: String::new(),
    }
}

fn by_kind(evidence: &Evidence, kinds: &[Kind]) -> Finding {
    let first = [
        (Kind::Finite, evidence.finite.first().map(|row| row.row)),
        (Kind::Periodic, evidence.periodic.first().map(|row| row.row)),
    ];
    let others = first.into_iter().filter(|(kind, _)| !kinds.contains(kind));
    let wrong = others.filter_map(|(_, row)| row).min();
    let (finite, periodic) = (evidence.finite.len(), evidence.periodic.len());
    assert_eq!(finite + periodic, evidence.diagonal.len(), "a row is of one kind");
    let failure = wrong.map(|row| (row, evidence.words(row)));
    evidence.of_each_row(failure).with(format!("{finite} finite rows, {periodic} periodic ones"))
}

fn ends_increase(evidence: &Evidence, by: u64) -> Finding {
    let mut neighbours = evidence.finite.iter().zip(evidence.finite.iter().skip(1));
    let wrong = neighbours.find(|(before, row)| row.last < before.last + by);
    let failure = wrong.map(|(before, row)| {
        let words = format!(
            "row {} ends in column {}, row {} in column {}",
            before.row, before.last, row.row, row.last
        );
        (row.row, words)
    });
    evidence.of_each_row(failure).with(format!("{} finite rows", evidence.finite.len()))
}

/// The number of rows with a larger period, in words.
fn larger_share(evidence: &Evidence, last: u64) -> String {
    let (all, larger) = evidence.larger_periods(last);
    if all == 0 {
        return format!("no row r <= {last} is periodic");
    }
    let percent = Decimal::ratio(100 * larger, all, 2);
    format!("{larger} of {all} periodic rows r <= {last}, {percent} %, have a larger period")
}

fn rare(evidence: &Evidence, rows: u64, percent: u64) -> Finding {
    if rows > evidence.last_row() {
        return Finding::OutOfReach { needs: rows };
    }
    let (all, larger) = evidence.larger_periods(rows);
    let figure = here_and_further(evidence, rows, |last| larger_share(evidence, last));
    Finding::found(larger > 0 && 100 * larger < percent * all, figure)
}

fn take_over(evidence: &Evidence, rows: u64, percent: u64) -> Finding {
    let mut larger = 0;
    let seen = (1..).zip(&evidence.periodic).find_map(|(all, row)| {
        larger += u64::from(row.period() > 1);
        (100 * larger > percent * all).then_some(row.row)
    });
    let figure = here_and_further(evidence, rows, |last| larger_share(evidence, last));
    Finding::Sought { seen, last: evidence.last_row(), figure }
}

fn largest_period(evidence: &Evidence, rows: u64, at_least: u64) -> Finding {
    let words = |last: u64| {
        let known = evidence.periodic.iter().take_while(|periodic| periodic.row <= last);
        match known.map(|periodic| (periodic.period(), Reverse(periodic.row))).max() {
            Some((period, Reverse(row))) => {
                format!("the largest period of rows r <= {last} is {period}, first in row {row}")
            }
            None => format!("no row r <= {last} is periodic"),
        }
    };
    let seen = evidence.periodic.iter().find(|periodic| periodic.period() >= at_least);
    Finding::Sought {
        seen: seen.map(|periodic| periodic.row),
        last: evidence.last_row(),
        figure: here_and_further(evidence, rows, words),
    }
}

/// A finding for the rows of a claim, as far as they are known, and for all known rows.
fn here_and_further(evidence: &Evidence, rows: u64, words: impl Fn(u64) -> String) -> String {
    if evidence.last_row() <= rows {
        return words(evidence.last_row());
    }
    format!("{}; {}", words(rows), words(evidence.last_row()))
}
