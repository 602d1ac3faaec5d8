//! Counts and extremes over many rows, the place of a first occurrence, and the distance of a row's
//! start from √2·r, exactly.

use std::collections::BTreeMap;

use cascade::Queue;
use record::{Periodic, Record, Statement};
use serde::Serialize;

use crate::Surd;

/// How often something was met, and where first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Occurrences<T> {
    /// The number of times.
    pub number: u64,
    /// The first place; `None` if there is none.
    pub first: Option<T>,
}

impl<T> Occurrences<T> {
    /// Met once more.
    pub fn add(&mut self, place: T) {
        self.number += 1;
        self.first.get_or_insert(place);
    }

    /// Met once more, if this is so.
    pub fn add_if(&mut self, met: bool, place: T) {
        if met {
            self.add(place);
        }
    }
}

/// The content of the table at the end of `chomp rows`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// All rows.
    pub all: Census,
    /// The finite rows.
    pub finite: Census,
    /// The periodic rows, by period.
    pub periods: BTreeMap<u64, Census>,
    /// The least and the largest `start - √2·r`.
    pub excess: Option<(Excess, Excess)>,
    /// The reach of the certificates.
    pub certificates: CertificateExtremes,
    /// The numbers of holes h of the periodic rows, by the finite rows.
    pub holes: Holes,
}

/// The numbers h of `proofs/cascade.md`, 5.2.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HoleCounts"))]
pub struct Holes {
    /// h, with the number of rows that have it, and the first.
    pub rows: BTreeMap<i64, Occurrences<u64>>,
    #[serde(skip)]
    queue: Queue,
}

/// The number of rows of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Census {
    /// The first one.
    pub first: Option<u64>,
    /// Their number by decade of r: 0 to 9, 10 to 99, 100 to 999, and so on to the last.
    pub decades: Vec<u64>,
}

/// Extremes of the certificates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CertificateExtremes {
    /// Largest `recurs - start`: columns past the start until the proof was complete.
    pub columns_past_start: u64,
    /// Number of rows whose modulus is not 1.
    pub with_modulus: u64,
}

impl Holes {
    fn add(&mut self, row: u64, finite: bool) {
        if let Some(h) = self.queue.next(finite) {
            self.rows.entry(h).or_default().add(row);
        }
    }

    /// The largest excess of periodic rows over finite ones in an interval of rows, and the last
    /// row of the first such interval; `None` if no row is periodic.
    pub fn largest_excess(&self) -> Option<(u64, u64)> {
        self.queue.largest_excess()
    }
}

impl Census {
    /// Number of rows.
    pub fn number(&self) -> u64 {
        self.decades.iter().sum()
    }

    fn add(&mut self, row: u64) {
        self.first.get_or_insert(row);
        let decade = row.checked_ilog10().unwrap_or(0) as usize;
        if self.decades.len() <= decade {
            self.decades.resize(decade + 1, 0);
        }
        self.decades[decade] += 1;
    }
}

impl Summary {
    /// Counts one more row.
    pub fn add(&mut self, record: &Record) {
        self.all.add(record.row());
        self.holes.add(record.row(), record.periodic().is_none());
        match record.statement() {
            Statement::Empty { .. } => {}
            Statement::Finite(finite) => self.finite.add(finite.row),
            Statement::Periodic(periodic) => self.add_periodic(periodic),
        }
    }

    /// Number of periodic rows.
    pub fn periodic(&self) -> u64 {
        self.all.number() - self.finite.number()
    }

    fn add_periodic(&mut self, periodic: &Periodic) {
        let &Periodic { row, start, ref certificate, .. } = periodic;
        self.periods.entry(periodic.period()).or_default().add(row);

        let excess = Excess::of(row, start);
        let (least, largest) = self.excess.get_or_insert((excess, excess));
        if excess.distance < least.distance {
            *least = excess;
        }
        if excess.distance > largest.distance {
            *largest = excess;
        }

        let extremes = &mut self.certificates;
        extremes.columns_past_start = extremes.columns_past_start.max(certificate.recurs - start);
        extremes.with_modulus += u64::from(certificate.modulus != 1);
    }
}

/// The start of a periodic row, next to √2·row.
///
/// ```
/// use census::Excess;
/// let [row_120, row_400] = [(120, 170), (400, 566)].map(|(row, start)| Excess::of(row, start));
/// assert!(row_400.distance > row_120.distance);
/// assert_eq!(row_120.distance.down(3).to_string(), "0.294");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Excess {
    /// The row r.
    pub row: u64,
    /// Its start N(r).
    pub start: u64,
    /// The number `start - √2·row`, without any rounding error.
    pub distance: Surd,
}

impl Excess {
    /// Of a row with this start.
    pub fn of(row: u64, start: u64) -> Self {
        Self { row, start, distance: Surd::from_line(start, Surd::ROOT_2, row) }
    }
}
