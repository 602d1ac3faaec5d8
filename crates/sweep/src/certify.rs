//! Certificates of periodic rows (proofs/sweep.md, section 2), and the values of such rows. All
//! engines use this module. The *trace* of a row has its offsets and states column by column, until
//! the row ends or a state recurs, which proves that the row repeats. A column of a trace *counts*
//! if all rows below have settled there, so that its state can recur. It is *skipped* if it is in
//! no pair of columns with the same state that are close to each other.

use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::units::{ColumnIndex, Number, RowIndex, index};
use num_integer::Integer;
use record::{Certificate, Finite, Head, Periodic, Record, Statement, fingerprint};
use smallvec::SmallVec;
use ultimate::{MexSet, Settled, Ultimate};

/// The state `U(q)`.
pub(crate) type ColumnState = MexSet;

/// Words of a state, usually one.
pub(crate) type StateWords = SmallVec<[u64; 1]>;

/// A row under way, from the first column whose offset is kept.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    row: RowIndex,
    /// The column of `offsets[0]`.
    kept: ColumnIndex,
    /// Fingerprint of the columns before `kept`.
    before: u64,
    /// The diagonal value, once it is known.
    first: Option<Number>,
    /// The offsets from the first kept column to the one before [`Self::column`].
    pub(crate) offsets: Vec<u64>,
    /// The first column that can be in a certificate.
    settled: ColumnIndex,
    /// `U(settled + i)`; `None` in the columns that are skipped, which come first.
    states: Vec<Option<ColumnState>>,
    /// No skipped column is in a pair that ends in this column or before (V1).
    clear_to: ColumnIndex,
}

impl Trace {
    /// A row whose offsets are kept from column `kept` on; those before have the fingerprint
    /// `before`, and `first` is its diagonal value, if there are any.
    ///
    /// An error if a certificate could count from an earlier column.
    pub(crate) fn new(
        row: RowIndex,
        kept: ColumnIndex,
        before: u64,
        first: Option<Number>,
        below: &RowsBelow,
    ) -> Result<Self, SweepError> {
        let settled = row.diagonal().max(below.settled());
        if settled < kept {
            return Err(SweepError::EarlyStart { row: row.0, column: kept.0 });
        }
        // With room for 64 states, a run to 30 000 takes 0.8 % more instructions.
        let (offsets, states) = (Vec::with_capacity(64), Vec::with_capacity(24));
        let clear_to = ColumnIndex(u64::MAX);
        Ok(Self { row, kept, before, first, offsets, settled, states, clear_to })
    }

    /// The next column.
    pub(crate) fn column(&self) -> ColumnIndex {
        self.kept + self.offsets.len() as u64
    }

    /// Whether the state of the next column is needed.
    pub(crate) fn counts(&self) -> bool {
        self.column() >= self.settled
    }

    /// Skips the next column, which must [count](Self::counts): it is in no pair of columns at most
    /// `within` apart (proofs/sweep.md, 2.3). Checks V1 for the pairs that end in it.
    pub(crate) fn skip(&mut self, within: u64) -> Result<(), SweepError> {
        let q = self.column();
        self.clear_to = self.clear_to.min(ColumnIndex(q.0.saturating_add(within)));
        self.states.push(None);
        if q - self.settled > within { self.not_clear() } else { Ok(()) }
    }

    fn not_clear<T>(&self) -> Result<T, SweepError> {
        Err(SweepError::hypothesis(self.column(), self.row, Hypothesis::SkippedColumns))
    }

    /// Adds the offset of the next column.
    pub(crate) fn push(&mut self, offset: u64) {
        self.first.get_or_insert(self.row.diagonal().number(offset));
        self.offsets.push(offset);
    }

    /// The record of a row that ends with the last offset.
    pub(crate) fn finite(&self) -> Result<Record, SweepError> {
        let (row, first, end) = (self.row.0, self.diagonal(), self.column());
        let head = self.head(end);
        self.record(Statement::Finite(Finite { row, first, last: (end - 1).0, head }))
    }

    /// Takes the state of the next column, which must [count](Self::counts). Returns the row if
    /// this proves it periodic. Checks V1 for the pairs that begin in a skipped column.
    ///
    /// Cost: one comparison for every earlier column that counts, a few dozen in all.
    pub(crate) fn recurs(
        &mut self,
        state: ColumnState,
        below: &RowsBelow,
    ) -> Result<Option<Record>, SweepError> {
        let recurs = self.column();
        if recurs > self.clear_to {
            return self.not_clear();
        }
        let (mut low, mut high) = (u64::MAX, 0);
        for (i, earlier) in self.states.iter().enumerate().rev() {
            let from = self.settled + i as u64;
            let Some(earlier) = earlier else { break };
            low = low.min(earlier.mex());
            high = high.max(self.offset(from));
            if *earlier == state {
                let modulus = below.modulus(self.row, low, high)?;
                if (recurs - from).is_multiple_of(modulus) {
                    let (filled, above) = (earlier.mex(), earlier.above());
                    let (from, recurs) = (from.0, recurs.0);
                    let certificate = Certificate { from, recurs, modulus, filled, above };
                    return self.periodic(certificate).map(Some);
                }
            }
        }
        self.states.push(Some(state));
        Ok(None)
    }

    fn offset(&self, q: ColumnIndex) -> u64 {
        self.offsets[index(q - self.kept)]
    }

    fn head(&self, end: ColumnIndex) -> Head {
        let offsets = &self.offsets[..index(end - self.kept)];
        Head::Fingerprint(self.before.wrapping_add(fingerprint(self.kept.0, offsets)))
    }

    fn diagonal(&self) -> u64 {
        self.first.expect("a row is finished after its first column").0
    }

    fn periodic(&self, certificate: Certificate) -> Result<Record, SweepError> {
        let [from, recurs] = [certificate.from, certificate.recurs].map(ColumnIndex);
        let cycle = &self.offsets[index(from - self.kept)..index(recurs - self.kept)];
        let repeated = Ultimate::new(Vec::new(), cycle.to_vec());
        let period = repeated.expect("a state recurs later").cycle().len() as u64;
        let mut start = from;
        while start > self.kept && self.offset(start - 1) == self.offset(start - 1 + period) {
            start = start - 1;
        }
        if start == self.kept && start > self.row.diagonal() {
            return Err(SweepError::EarlyStart { row: self.row.0, column: start.0 });
        }
        let values = start.up_to(start + period).map(|q| self.offset(q)).collect();
        let (row, first, head) = (self.row.0, self.diagonal(), self.head(start));
        let start = start.0;
        self.record(Statement::Periodic(Periodic { row, first, start, values, certificate, head }))
    }

    fn record(&self, statement: Statement) -> Result<Record, SweepError> {
        Record::of_row(statement).map_err(|fault| SweepError::Row {
            row: self.row.0,
            problem: format!("{fault}; this is a defect of the program, please report it"),
        })
    }
}

/// The finished rows, reduced to the data that the certificate of the next row reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowsBelow(Settled);

impl RowsBelow {
    /// The least column from which every row below is settled.
    pub(crate) fn settled(&self) -> ColumnIndex {
        ColumnIndex(self.0.from())
    }

    /// Adds a finished row. O(period * log rows).
    pub(crate) fn add(&mut self, row: &Record) {
        self.0.add(row.settled(), row.periodic().map_or(&[][..], |row| &row.values));
    }

    /// The modulus by the window rule: the least common multiple of the periods of the rows below
    /// that have a value in `[low, high]`.
    pub(crate) fn modulus(&self, row: RowIndex, low: u64, high: u64) -> Result<u64, SweepError> {
        self.0
            .periods(low..=high)
            .try_fold(1, |m, period| (m / u64::gcd(&m, &period)).checked_mul(period))
            .ok_or_else(|| {
                let problem = "the periods of the rows below have no common multiple below 2^64";
                SweepError::Row { row: row.0, problem: problem.to_owned() }
            })
    }
}

/// The values of a periodic row, for all columns from its start on.
#[derive(Clone, Debug)]
pub(crate) struct Repeating {
    pub(crate) values: Vec<u64>,
    /// Column `q` has value `(q + shift) mod period`.
    shift: u64,
}

impl From<&Periodic> for Repeating {
    fn from(row: &Periodic) -> Self {
        Self::new(row.start, row.values.clone())
    }
}

impl Repeating {
    /// One or more values, which repeat from column `start` on.
    pub(crate) fn new(start: u64, values: Vec<u64>) -> Self {
        let period = values.len() as u64;
        Self { shift: period - start % period, values }
    }

    pub(crate) fn period(&self) -> u64 {
        self.values.len() as u64
    }

    /// The offset in column `q`. Before the start the values are continued to the left.
    pub(crate) fn offset(&self, q: u64) -> u64 {
        self.values[index((q + self.shift) % self.period())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state far from a skipped column could also be the state of that column (V1).
    #[test]
    fn pairs_with_skipped_columns_are_detected() {
        let set = || ColumnState::new(3, StateWords::new());
        let trace =
            || Trace::new(RowIndex(10), ColumnIndex(10), 0, None, &RowsBelow::default()).unwrap();
        let fails = |column| SweepError::Hypothesis {
            column,
            row: 10,
            hypothesis: Hypothesis::SkippedColumns,
        };
        let below = &RowsBelow::default();

        let mut begins = trace();
        assert_eq!(begins.skip(2), Ok(()));
        begins.push(5);
        for offset in [5, 6] {
            assert_eq!(begins.recurs(ColumnState::new(offset, StateWords::new()), below), Ok(None));
            begins.push(offset);
        }
        assert_eq!(begins.recurs(set(), below), Err(fails(13)));

        let mut ends = trace();
        for column in [10, 11] {
            assert_eq!(ends.skip(1), Ok(()), "column {column}");
            ends.push(5);
        }
        assert_eq!(ends.skip(1), Err(fails(12)));
    }
}
