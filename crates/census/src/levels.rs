//! The rows of a family, level by level: kinds, periods, the latest start; and (M*) for posets that
//! grow along two chains: no number that ends a row is in a row above.
//!
//! In three-rowed Chomp (M*) is a theorem (`proofs/uniqueness.md`, 2.2), and the rows above r are
//! those with larger numbers; here they are the rows of the same level with larger order ideals.

use std::collections::{BTreeMap, BTreeSet};

use record::{Record, Statement};
use serde::Serialize;

/// The rows of each level that were added, in the order of the levels.
///
/// ```
/// use census::Levels;
/// use record::parse_line;
/// let mut levels = Levels::default();
/// levels.add(&parse_line("Empty(row: 2, level: 2, by: 1)", 1)?);
/// let found: Vec<_> = levels.iter().collect();
/// assert_eq!((found[0].level, found[0].empty, found[0].rows()), (2, 1, 1));
/// # Ok::<(), record::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Levels(Vec<Level>);

/// The rows of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// The level.
    pub level: u64,
    /// The number of empty rows.
    pub empty: u64,
    /// The number of finite rows.
    pub finite: u64,
    /// The number of periodic rows.
    pub periodic: u64,
    /// The periods that occur, ascending.
    pub periods: Vec<PeriodCount>,
    /// The latest column from which a row repeats; of several rows, the first.
    pub latest: Option<LatestStart>,
}

/// The rows of one period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeriodCount {
    /// The period.
    pub period: u64,
    /// The number of rows that have it.
    pub rows: u64,
    /// The tail of the first of them.
    pub first_tail: Vec<u64>,
    /// The order ideal of the first of them, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_ideal: Option<String>,
}

/// The row that repeats last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LatestStart {
    /// The column from which it repeats.
    pub start: u64,
    /// Its tail.
    pub tail: Vec<u64>,
    /// Its order ideal, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ideal: Option<String>,
}

impl Levels {
    /// Adds a row. O(log n) for n levels and periods.
    pub fn add(&mut self, record: &Record) {
        let level = record.key().level;
        let place = self.0.binary_search_by_key(&level, |own| own.level).unwrap_or_else(|place| {
            self.0.insert(place, Level { level, ..Level::default() });
            place
        });
        self.0[place].add(record);
    }

    /// The levels, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &Level> {
        self.0.iter()
    }
}

impl Level {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.empty + self.finite + self.periodic
    }

    fn add(&mut self, record: &Record) {
        let periodic = match record.statement() {
            Statement::Empty { .. } => return self.empty += 1,
            Statement::Finite(_) => return self.finite += 1,
            Statement::Periodic(periodic) => periodic,
        };
        self.periodic += 1;
        let tail = || record.key().tail().parts().to_vec();
        let ideal = || record.key().ideal().map(ToString::to_string);
        if self.latest.as_ref().is_none_or(|latest| latest.start < periodic.start) {
            self.latest = Some(LatestStart { start: periodic.start, tail: tail(), ideal: ideal() });
        }
        let period = periodic.period();
        let place = self.periods.binary_search_by_key(&period, |own| own.period);
        let place = place.unwrap_or_else(|place| {
            let (first_tail, first_ideal) = (tail(), ideal());
            self.periods.insert(place, PeriodCount { period, rows: 0, first_tail, first_ideal });
            place
        });
        self.periods[place].rows += 1;
    }
}

/// The number of finite rows that end with a p which a row above has in an earlier column; `None`
/// if a record has a fingerprint in the place of offsets that are needed. `rows` are the rows of
/// one level, for these order ideals in their order. Time: the columns to the last end of all rows,
/// and for each p in them the ends with this p.
pub fn ends_in_rows_above(ideals: &[Vec<usize>], rows: &[&Record]) -> Option<u64> {
    let mut ends: BTreeMap<u64, Vec<(u64, usize)>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        if let Some(finite) = row.finite() {
            let p = p_of(row, finite.last).ok()??;
            ends.entry(p).or_default().push((finite.last, place));
        }
    }
    let last = ends.values().flatten().map(|end| end.0).max().unwrap_or(0);
    let mut above = BTreeSet::new();
    for (row, larger) in rows.iter().zip(ideals) {
        for n in 0..last {
            let of_p = p_of(row, n).ok()?.and_then(|p| ends.get(&p));
            for &(column, place) in of_p.into_iter().flatten() {
                if n < column && is_within(&ideals[place], larger) {
                    above.insert(place);
                }
            }
        }
    }
    Some(above.len() as u64)
}

/// The p of column n by a record, if there is one. It is an error if the record does not say.
fn p_of(row: &Record, n: u64) -> Result<Option<u64>, ()> {
    if let Some((_, p)) = row.early().iter().find(|(column, _)| *column == n) {
        return Ok(Some(*p));
    }
    let shift = row.key().ideal().map_or(0, |ideal| ideal.shift);
    let offset = row.offset(n).map_err(drop)?;
    Ok(offset.and_then(|offset| (n + offset).checked_add_signed(-shift)))
}

/// Whether an ideal is a proper part of another one; both ascend.
fn is_within(ideal: &[usize], larger: &[usize]) -> bool {
    ideal.len() < larger.len() && ideal.iter().all(|own| larger.binary_search(own).is_ok())
}
