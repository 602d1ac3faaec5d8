//! Depth *tails*: every certificate against fact 3 of `proofs/README.md`, from the records alone.
//!
//! Assumed are the heads, `first` and `last` of all rows, and that U(from) is what the certificate
//! says. Each hypothesis of fact 3 is then checked by itself: `from` is past the settling of all
//! rows below; the offsets of columns `from` to `recurs` (exclusive) are `mex(U ∪ C)`, with U
//! carried along from U(from) and C looked up in the records below; none of them is 0; U comes back
//! to U(from) at `recurs`, and not before; and `modulus` is that of the window rule and divides the
//! distance.
//!
//! O(1) a row in practice: a state recurs after a few columns, and few rows below have a value in
//! the window.

use num_bigint::BigUint;
use num_integer::Integer;
use record::{Certificate, Periodic, RowRecord, Statement};

use crate::Watch;
use crate::error::Why;

/// One value of a periodic row: it has this offset in the columns `start + place`, `+ period`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    value: u64,
    row: u64,
    place: u64,
    start: u64,
    period: u64,
}

/// The column from which the rows below a row have settled, and the row that settles last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Settled {
    column: u64,
    by: u64,
}

/// What the certificates are checked against.
#[derive(Debug, Default)]
pub(crate) struct Below {
    /// The values of all periodic rows, by value.
    entries: Vec<Entry>,
    /// For each row, where the rows below it have settled.
    settled: Vec<Settled>,
    /// Where all rows have settled.
    latest: Settled,
}

/// How a certificate's check ends early.
pub(crate) enum Stop {
    Refuted(Why),
    Interrupted,
}

impl Below {
    /// Takes the next rows, in order. O(n log n) for n values, O(n) for those that were there.
    pub(crate) fn extend(&mut self, rows: &[RowRecord]) {
        for record in rows {
            self.settled.push(self.latest);
            let (row, column) = match record.statement() {
                Statement::Finite(finite) => (finite.row, finite.last.saturating_add(1)),
                Statement::Periodic(periodic) => {
                    self.entries.extend(entries_of(periodic));
                    (periodic.row, periodic.start)
                }
            };
            if column > self.latest.column {
                self.latest = Settled { column, by: row };
            }
        }
        // Made for what is sorted in large part.
        self.entries.sort();
    }

    /// Checks the certificate of one row that was taken; a finite row has none, and passes.
    pub(crate) fn check(&self, record: &RowRecord, watch: &dyn Watch) -> Result<(), Stop> {
        let Some(periodic) = record.periodic() else { return Ok(()) };
        let settled = usize::try_from(periodic.row).ok().and_then(|row| self.settled.get(row));
        self.certificate(periodic, *settled.unwrap_or(&self.latest), watch)
    }

    fn certificate(
        &self,
        periodic: &Periodic,
        settled: Settled,
        watch: &dyn Watch,
    ) -> Result<(), Stop> {
        let &Periodic { row, ref certificate, .. } = periodic;
        let &Certificate { from, recurs, ref modulus, .. } = certificate;
        if from < settled.column {
            let Settled { column, by } = settled;
            return Err(Stop::Refuted(Why::NotSettled { from, settled: column, by }));
        }
        let at_from = State::of(certificate);
        let mut state = at_from.clone();
        let mut whole = Window::from(from);
        // A state and the window since: if it comes back, U never leaves this cycle (fact 3).
        let mut landmark = (state.clone(), Window::from(from));
        for column in from..recurs {
            if column > from && self.repeats(row, &whole, column, &state, &at_from) {
                return Err(Stop::Refuted(Why::RecursEarlier { recurs, earlier: column }));
            }
            let (at_landmark, since) = &landmark;
            if column > since.from && self.repeats(row, since, column, &state, at_landmark) {
                return Err(Stop::Refuted(Why::DoesNotRecur { recurs }));
            }
            let steps = column.saturating_sub(from);
            if steps.is_power_of_two() {
                landmark = (state.clone(), Window::from(column));
                if watch.stop() {
                    return Err(Stop::Interrupted);
                }
            }
            let least_free = state.filled;
            let computed = self.mex(row, column, &state);
            let stated = value(periodic, column);
            if computed != stated {
                return Err(Stop::Refuted(Why::WrongValue { column, stated, computed }));
            }
            whole.widen(least_free, computed);
            landmark.1.widen(least_free, computed);
            state.step(computed);
        }
        if state != at_from {
            return Err(Stop::Refuted(Why::DoesNotRecur { recurs }));
        }
        let computed = self.modulus(row, &whole);
        let (stated, Window { least, largest, .. }) = (modulus.clone(), whole);
        if computed != stated || !BigUint::from(recurs.abs_diff(from)).is_multiple_of(&computed) {
            let why = Why::WrongModulus { stated, computed, least, largest };
            return Err(Stop::Refuted(why));
        }
        Ok(())
    }

    /// Whether the state of the window's first column is there again at `column`, and C with it.
    fn repeats(&self, row: u64, since: &Window, column: u64, now: &State, then: &State) -> bool {
        now == then
            && BigUint::from(column.abs_diff(since.from)).is_multiple_of(&self.modulus(row, since))
    }

    /// `mex(U ∪ C)` of a row in a column past the settling of all rows below.
    fn mex(&self, row: u64, column: u64, state: &State) -> u64 {
        let mut above = state.above.iter().copied().peekable();
        let mut offset = state.filled;
        loop {
            let in_state = above.next_if_eq(&offset).is_some();
            if !in_state && !self.in_column(row, column, offset) {
                return offset;
            }
            offset = offset.saturating_add(1);
        }
    }

    /// Whether a row below has this offset in this column.
    fn in_column(&self, row: u64, column: u64, offset: u64) -> bool {
        self.with_value(offset, offset, row).any(|entry| {
            column.checked_sub(entry.start).and_then(|since| since.checked_rem(entry.period))
                == Some(entry.place)
        })
    }

    /// The window rule: the least common multiple of the periods of the rows below with a value in
    /// the window.
    fn modulus(&self, row: u64, window: &Window) -> BigUint {
        let mut modulus = BigUint::from(1_u8);
        for entry in self.with_value(window.least, window.largest, row) {
            if entry.period > 1 {
                modulus = modulus.lcm(&BigUint::from(entry.period));
            }
        }
        modulus
    }

    /// The entries of rows below `row` with a value from `least` to `largest`.
    fn with_value(&self, least: u64, largest: u64, row: u64) -> impl Iterator<Item = &Entry> {
        let begin = self.entries.partition_point(|entry| entry.value < least);
        let entries = self.entries.get(begin..).unwrap_or_default();
        entries
            .iter()
            .take_while(move |entry| entry.value <= largest)
            .filter(move |entry| entry.row < row)
    }
}

fn entries_of(periodic: &Periodic) -> impl Iterator<Item = Entry> {
    let &Periodic { row, start, ref values, .. } = periodic;
    let period = values.len() as u64;
    (0..).zip(values).map(move |(place, &value)| Entry { value, row, place, start, period })
}

/// The offset that `values` gives for a column from `start` on.
pub(crate) fn value(periodic: &Periodic, column: u64) -> u64 {
    let since = column.saturating_sub(periodic.start);
    let place = since.checked_rem(periodic.values.len() as u64).unwrap_or(0);
    usize::try_from(place).ok().and_then(|place| periodic.values.get(place)).copied().unwrap_or(0)
}

/// The h and W of fact 3 for the columns from `from` on.
#[derive(Clone, Copy, Debug)]
struct Window {
    from: u64,
    least: u64,
    largest: u64,
}

impl Window {
    fn from(from: u64) -> Self {
        Self { from, least: u64::MAX, largest: 0 }
    }

    fn widen(&mut self, least_free: u64, offset: u64) {
        self.least = self.least.min(least_free);
        self.largest = self.largest.max(offset);
    }
}

/// The U(q) of fact 3: `[0,filled)` and `above`, which ascends from past `filled`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    filled: u64,
    above: Vec<u64>,
}

impl State {
    fn of(certificate: &Certificate) -> Self {
        Self { filled: certificate.filled, above: certificate.above.clone() }
    }

    /// `U(q+1)` from `U(q)` and the offset of column q, which is not in it and not 0.
    fn step(&mut self, offset: u64) {
        let place = self.above.partition_point(|&member| member < offset);
        self.above.insert(place, offset);
        // One less: 0 leaves, and what was 1 to filled - 1 is 0 to filled - 2.
        self.filled = self.filled.saturating_sub(1);
        for member in &mut self.above {
            *member = member.saturating_sub(1);
        }
        let mut joined = 0_usize;
        while self.above.get(joined) == Some(&self.filled) {
            self.filled = self.filled.saturating_add(1);
            joined = joined.saturating_add(1);
        }
        self.above.drain(..joined);
    }
}
