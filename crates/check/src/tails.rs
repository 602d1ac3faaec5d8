//! Depth *tails*: every certificate against fact 3 of `proofs/README.md`, from the records alone.
//!
//! Assumed are the heads, `first` and `last` of all rows, and that U(from) is what the certificate
//! says. Each hypothesis of fact 3 is then checked by itself: `from` is past the settling of all
//! rows below; the offsets of columns `from` to `recurs` (exclusive) are `mex(U ∪ C)`, with U
//! carried along from U(from) and C looked up in the records below; none of them is 0; U comes back
//! to U(from) at `recurs`; and `modulus` is that of the window rule and divides the distance.
//!
//! By fact 7 one period decides most of this. U must come back at its end, it shows the whole
//! window, and so the modulus, and `recurs` is the column that is one least common multiple of
//! period and modulus away. Only then are the other columns walked.
//!
//! O(log n) a row in practice, for n values below: a state recurs after a few columns, and few rows
//! below have a value in the window. No certificate gets more than [`MOST_LOOKUPS`], so that no
//! record can keep the check busy for more than milliseconds.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use num_integer::Integer;
use record::{Certificate, Periodic, RowRecord, Statement};

use crate::CheckWatch;
use crate::error::{EarlyEnd, Limit, Why};

/// What the check of one certificate may look up: offsets in U, and values and periods of the rows
/// below. A few hundred records are enough to make a true one that takes billions. The rows to
/// 60 000 take 47 at most; to 2 000 000 the greatest period is 81, and at most about four look-ups
/// a column are to be expected.
pub(crate) const MOST_LOOKUPS: u32 = 1 << 16;

/// After this number of look-ups the caller is asked whether to stop.
const LOOKUPS_BETWEEN_QUESTIONS: u32 = 1 << 12;

/// The column from which the rows below a row have settled, and the row that settles last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Settled {
    column: u64,
    by: u64,
}

/// What the certificates are checked against.
#[derive(Debug, Default)]
pub(crate) struct ValuesBelow {
    /// `(value, period, residue)`: the first row with this value in the columns that are `residue`
    /// modulo `period`.
    classes: BTreeMap<(u64, u64, u64), u64>,
    /// `(value, period)`: the first row of this period with this value.
    periods: BTreeMap<(u64, u64), u64>,
    /// For each row, where the rows below it have settled.
    settled: Vec<Settled>,
    /// Where all rows have settled.
    latest: Settled,
}

impl ValuesBelow {
    /// Takes the next rows, in order. O(log n) a value.
    pub(crate) fn extend(&mut self, rows: &[RowRecord]) {
        for record in rows {
            self.settled.push(self.latest);
            let (row, column) = match record.statement() {
                Statement::Finite(finite) => (finite.row, finite.last.saturating_add(1)),
                Statement::Periodic(periodic) => {
                    self.take_values(periodic);
                    (periodic.row, periodic.start)
                }
            };
            if column > self.latest.column {
                self.latest = Settled { column, by: row };
            }
        }
    }

    fn take_values(&mut self, periodic: &Periodic) {
        let &Periodic { row, start, ref values, .. } = periodic;
        let period = values.len() as u64;
        for (column, &value) in (start..).zip(values) {
            let residue = column.checked_rem(period).unwrap_or(0);
            self.classes.entry((value, period, residue)).or_insert(row);
            self.periods.entry((value, period)).or_insert(row);
        }
    }

    /// Checks the certificate of one row that was taken; a finite row has none, and passes.
    pub(crate) fn check(&self, record: &RowRecord, watch: &dyn CheckWatch) -> Result<(), EarlyEnd> {
        let Some(periodic) = record.periodic() else { return Ok(()) };
        let settled = usize::try_from(periodic.row).ok().and_then(|row| self.settled.get(row));
        let lookups = Lookups { row: periodic.row, left: MOST_LOOKUPS, watch };
        CertificateCheck { below: self, periodic, lookups }
            .certificate(*settled.unwrap_or(&self.latest))
    }
}

/// What the check of one certificate may still look up.
struct Lookups<'a> {
    row: u64,
    left: u32,
    watch: &'a dyn CheckWatch,
}

impl Lookups<'_> {
    /// Counts one, for this column.
    fn count(&mut self, column: u64) -> Result<(), EarlyEnd> {
        let Some(left) = self.left.checked_sub(1) else {
            let limit = Limit::Lookups { lookups: MOST_LOOKUPS, column };
            return Err(EarlyEnd::Limit { row: self.row, limit });
        };
        self.left = left;
        if self.left.is_multiple_of(LOOKUPS_BETWEEN_QUESTIONS) && self.watch.stop() {
            return Err(EarlyEnd::Interrupted);
        }
        Ok(())
    }
}

/// The check of one certificate.
struct CertificateCheck<'a> {
    below: &'a ValuesBelow,
    periodic: &'a Periodic,
    lookups: Lookups<'a>,
}

impl CertificateCheck<'_> {
    fn certificate(mut self, settled: Settled) -> Result<(), EarlyEnd> {
        let Periodic { certificate, values, .. } = self.periodic;
        let &Certificate { from, recurs, ref modulus, .. } = certificate;
        if from < settled.column {
            let Settled { column, by } = settled;
            return self.refuted(Why::NotSettled { from, settled: column, by });
        }
        let mut state = State::of(certificate);
        let (mut least, mut largest) = (u64::MAX, 0);
        for _ in values {
            least = least.min(state.filled());
            largest = largest.max(self.step(&mut state)?);
        }
        let one_period = state.column;
        if !state.is(certificate) {
            return self.refuted(Why::DoesNotRecur { recurs });
        }
        self.window(least, largest)?;
        let distance = modulus.lcm(&BigUint::from(values.len()));
        if distance != BigUint::from(recurs.abs_diff(from)) {
            let earlier = from.saturating_add(u64::try_from(distance).unwrap_or(u64::MAX));
            return self.refuted(Why::RecursEarlier { recurs, earlier });
        }
        for _ in one_period..recurs {
            self.step(&mut state)?;
        }
        Ok(())
    }

    fn refuted<T>(&self, why: Why) -> Result<T, EarlyEnd> {
        Err(EarlyEnd::Refuted { row: self.periodic.row, why })
    }

    /// Computes the offset of the state's column, compares it, and takes it.
    fn step(&mut self, state: &mut State) -> Result<u64, EarlyEnd> {
        let column = state.column;
        let computed = self.mex(state)?;
        let stated = value(self.periodic, column);
        if computed != stated {
            return self.refuted(Why::WrongValue { column, stated, computed });
        }
        state.step(computed);
        Ok(computed)
    }

    /// `mex(U ∪ C)` in a column past the settling of all rows below.
    fn mex(&mut self, state: &State) -> Result<u64, EarlyEnd> {
        let mut above = state.above.iter().copied().peekable();
        let mut p = state.end;
        loop {
            self.lookups.count(state.column)?;
            let offset = p.saturating_sub(state.column);
            if above.next_if_eq(&p).is_none() && !self.in_column(state.column, offset)? {
                return Ok(offset);
            }
            p = p.saturating_add(1);
        }
    }

    /// Whether a row below has this offset in this column.
    fn in_column(&mut self, column: u64, offset: u64) -> Result<bool, EarlyEnd> {
        let (below, row) = (self.below, self.periodic.row);
        for (&(_, period), &first) in below.periods.range((offset, 0)..=(offset, u64::MAX)) {
            self.lookups.count(column)?;
            let residue = column.checked_rem(period).unwrap_or(0);
            let has_it = |class| below.classes.get(class).is_some_and(|&first| first < row);
            if first < row && has_it(&(offset, period, residue)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The window rule: the modulus is the least common multiple of the periods of the rows below
    /// with a value in the window.
    fn window(&mut self, least: u64, largest: u64) -> Result<(), EarlyEnd> {
        let &Periodic { row, ref certificate, .. } = self.periodic;
        let modulus = &certificate.modulus;
        // It divides recurs - from, which is less than 2^63.
        let stated = u64::try_from(modulus).unwrap_or(1);
        let mut computed = 1_u64;
        for (&(_, period), &by) in self.below.periods.range((least, 0)..=(largest, u64::MAX)) {
            self.lookups.count(certificate.from)?;
            if by >= row {
                continue;
            }
            if !stated.is_multiple_of(period) {
                let stated = modulus.clone();
                return self.refuted(Why::PeriodLeftOut { stated, by, period, least, largest });
            }
            computed = computed.lcm(&period);
        }
        if computed != stated {
            let stated = modulus.clone();
            return self.refuted(Why::WrongModulus { stated, computed, least, largest });
        }
        Ok(())
    }
}

/// The offset that `values` gives for a column from `start` on.
pub(crate) fn value(periodic: &Periodic, column: u64) -> u64 {
    let since = column.saturating_sub(periodic.start);
    let place = since.checked_rem(periodic.values.len() as u64).unwrap_or(0);
    usize::try_from(place).ok().and_then(|place| periodic.values.get(place)).copied().unwrap_or(0)
}

/// The U(q) of fact 3, each offset u as p = q + u, so that most of it stays as it is from column to
/// column: `[q,end)` and `above`, all of whose members are more than `end`.
#[derive(Clone, Debug)]
pub(crate) struct State {
    column: u64,
    end: u64,
    above: BTreeSet<u64>,
}

impl State {
    pub(crate) fn of(certificate: &Certificate) -> Self {
        let &Certificate { from, filled, ref above, .. } = certificate;
        let p = |offset: &u64| from.saturating_add(*offset);
        Self { column: from, end: p(&filled), above: above.iter().map(p).collect() }
    }

    /// The least offset that is not in U(q).
    pub(crate) fn filled(&self) -> u64 {
        self.end.saturating_sub(self.column)
    }

    pub(crate) fn column(&self) -> u64 {
        self.column
    }

    /// The members of U(q) above that.
    pub(crate) fn above(&self) -> impl Iterator<Item = u64> + '_ {
        self.above.iter().map(|p| p.saturating_sub(self.column))
    }

    /// Whether U(q) is U(from).
    pub(crate) fn is(&self, certificate: &Certificate) -> bool {
        self.filled() == certificate.filled && self.above().eq(certificate.above.iter().copied())
    }

    /// `U(q+1)` from `U(q)` and the offset of column q, which is not in it and not 0.
    pub(crate) fn step(&mut self, offset: u64) {
        self.above.insert(self.column.saturating_add(offset));
        self.column = self.column.saturating_add(1);
        self.end = self.end.max(self.column);
        while self.above.remove(&self.end) {
            self.end = self.end.saturating_add(1);
        }
    }
}
