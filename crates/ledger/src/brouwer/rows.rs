//! Claims about rows, decided by their records.

use std::collections::BTreeMap;

use record::{Finite, Kind, Periodic};
use ultimate::{FiniteOrPeriodic, Ultimate};

use crate::evidence::Evidence;
use crate::oracles;
use crate::verdict::{Finding, Found};

type Pair = (u64, u64);
type Pattern = Vec<i64>;

/// f(q,q) is at least q plus this.
pub fn diagonal_above(evidence: &Evidence, (by,): (u64,)) -> Finding {
    let wrong = (0..).zip(&evidence.diagonal).find(|&(n, &d)| d < n + by);
    Finding::to(evidence.last_row(), wrong.map(|(n, d)| (n, format!("d_{n} = {d}"))))
        .by("diagonal values in the records")
}

/// All P-positions of row r: `(p,q)` of the first ones, q from r on, and of the next one, if there
/// is one; it and all `(p+a,q+a)` are P-positions.
pub fn row(_: &Evidence, (row, positions, forever): (usize, Vec<Pair>, Option<Pair>)) -> Finding {
    let offsets = oracles::literal(row);
    let said: Option<Vec<u64>> = (row as u64..)
        .zip(positions.into_iter().chain(forever))
        .map(|(q, (p, column))| (q == column).then(|| p.checked_sub(q)).flatten())
        .collect();
    let same = said.is_some_and(|mut said| match (offsets.members(), forever) {
        (FiniteOrPeriodic::Finite(members), None) => *members == said,
        (FiniteOrPeriodic::Periodic(sequence), Some(_)) => {
            let period = vec![said.pop().expect("the next position is there")];
            Ultimate::new(said, period).is_ok_and(|said| said == *sequence)
        }
        _ => false,
    });
    Finding::found(same, format!("offsets {offsets} from q = {row} on"))
        .by("the row in closed form, by the literal recurrence, proved")
}

impl Evidence {
    fn periodic_row(&self, row: u64) -> Option<&Periodic> {
        let place = self.periodic.binary_search_by_key(&row, |periodic| periodic.row).ok()?;
        Some(&self.periodic[place])
    }

    fn period(&self, row: u64) -> Option<u64> {
        self.periodic_row(row).map(Periodic::period)
    }

    /// The data of a row, in words.
    fn words(&self, row: u64) -> String {
        if let Ok(place) = self.finite.binary_search_by_key(&row, |finite| finite.row) {
            let last = self.finite[place].last;
            return format!("row {row} is finite: its last P-position is ({last},{last},{row})");
        }
        let Some(periodic) = self.periodic_row(row) else { return format!("row {row} is unknown") };
        let Periodic { start, values, .. } = periodic;
        match values.as_slice() {
            [value] => format!("row {row} has period 1, the offset {value} from column {start} on"),
            _ => format!("row {row} has period {} from column {start} on", values.len()),
        }
    }
}

/// Rows have these periods.
pub fn periods(evidence: &Evidence, (rows,): (Vec<(u64, u64)>,)) -> Found {
    evidence.require(rows.iter().map(|(row, _)| *row).max().unwrap_or(0))?;
    let part = |(row, period)| (evidence.period(row) == Some(period), evidence.words(row));
    Ok(Finding::all(rows.into_iter().map(part), "; "))
}

/// Rows have these starts and patterns: row, start, and one period of offsets minus their mean. No
/// other rows to the last number, if there is one, have a period larger than 1.
pub fn patterns(
    evidence: &Evidence,
    (rows, complete_to): (Vec<(u64, u64, Pattern)>, Option<u64>),
) -> Found {
    let listed: BTreeMap<u64, (u64, &[i64])> =
        rows.iter().map(|(row, start, pattern)| (*row, (*start, pattern.as_slice()))).collect();
    let agrees = |row: u64| {
        let found = evidence.periodic_row(row);
        match listed.get(&row) {
            Some(&(start, said)) => {
                found.is_some_and(|found| found.start == start && found.pattern() == said)
            }
            None => found.is_none_or(|found| found.period() == 1),
        }
    };
    let words = |row: u64| {
        let pattern = evidence.periodic_row(row).map(Periodic::pattern);
        let pattern = pattern.map(|pattern| format!(", pattern {pattern:?}"));
        evidence.words(row) + &pattern.unwrap_or_default()
    };
    if let Some(to) = complete_to {
        let last = to.min(evidence.last_row());
        return Ok(Finding::each(0..=last, |row| (!agrees(row)).then(|| words(row)))
            .with(format!("{} rows", listed.range(..=last).count())));
    }
    evidence.require(listed.keys().copied().max().unwrap_or(0))?;
    Ok(Finding::all(listed.keys().map(|&row| (agrees(row), words(row))), "; "))
}

/// Of the rows r <= to those with this period.
pub fn period_list(evidence: &Evidence, (period, to, rows): (u64, u64, Vec<u64>)) -> Finding {
    let last = to.min(evidence.last_row());
    let has = |row: u64| evidence.period(row) == Some(period);
    let number = (0..=last).filter(|&row| has(row)).count();
    let wrong = |row| has(row) != rows.contains(&row);
    Finding::each(0..=last, |row| wrong(row).then(|| evidence.words(row)))
        .with(format!("{number} rows of period {period}"))
}

/// A periodic row has one of these periods.
pub fn only_periods(evidence: &Evidence, (periods,): (Vec<u64>,)) -> Finding {
    let other = evidence.periodic.iter().find(|row| !periods.contains(&row.period()));
    let failure = other.map(|periodic| (periodic.row, evidence.words(periodic.row)));
    Finding::to(evidence.last_row(), failure)
}

/// This number of moves wins in `(n,n,n)`, or more if the flag is not set. A winning move leads to
/// a row whose diagonal value, or whose last column, is n. Rows past R do not matter for n <= R:
/// `d_c > c`, and a row ends no earlier than in its first column.
pub fn winning_openings(evidence: &Evidence, (number, exactly): (u64, bool)) -> Finding {
    let mut ways = vec![0_u64; evidence.diagonal.len()];
    let ends = evidence.finite.iter().map(|row| row.last);
    for value in evidence.diagonal.iter().copied().chain(ends) {
        if let Some(ways) = usize::try_from(value).ok().and_then(|value| ways.get_mut(value)) {
            *ways += 1;
        }
    }
    let wrong =
        (0..).zip(&ways).skip(1).find(|&(_, &ways)| ways < number || exactly && ways > number);
    let failure = wrong.map(|(n, ways)| (n, format!("{ways} winning moves in ({n},{n},{n})")));
    Finding::to(evidence.last_row(), failure).by("diagonal values and last columns in the records")
}

/// `(n,n,n-1)` is N for n from this one on.
pub fn top_square_loses(evidence: &Evidence, (from,): (u64,)) -> Finding {
    let mut rows = evidence.finite.iter();
    let wrong = rows.find(|row| row.last == row.row + 1 && row.last >= from);
    let words = |row: &Finite| format!("({0},{0},{1}) is a P-position", row.last, row.row);
    Finding::to(evidence.last_row() + 1, wrong.map(|row| (row.last, words(row))))
}

/// Rows are of these kinds: finite, periodic, or both.
pub fn rows_of_kinds(evidence: &Evidence, (kinds,): (Vec<Kind>,)) -> Finding {
    let first = [
        (Kind::Finite, evidence.finite.first().map(|row| row.row)),
        (Kind::Periodic, evidence.periodic.first().map(|row| row.row)),
    ];
    let wrong = first.iter().filter_map(|(kind, row)| row.filter(|_| !kinds.contains(kind))).min();
    let (finite, periodic) = (evidence.finite.len(), evidence.periodic.len());
    assert_eq!(finite + periodic, evidence.diagonal.len(), "a row is of one kind");
    Finding::to(evidence.last_row(), wrong.map(|row| (row, evidence.words(row))))
        .with(format!("{finite} finite rows, {periodic} periodic ones"))
}

/// A finite row ends at least this many columns after the finite row before it.
pub fn ends_increase(evidence: &Evidence, (by,): (u64,)) -> Finding {
    let mut neighbours = evidence.finite.iter().zip(evidence.finite.iter().skip(1));
    let wrong = neighbours.find(|(before, row)| row.last < before.last + by);
    let words = |(before, row): (&Finite, &Finite)| {
        let before = format!("row {} ends in column {}", before.row, before.last);
        (row.row, format!("{before}, row {} in column {}", row.row, row.last))
    };
    Finding::to(evidence.last_row(), wrong.map(words))
        .with(format!("{} finite rows", evidence.finite.len()))
}
