//! Depth *tails*: the certificate of one row, from the records alone (facts 3 and 12(e)).
//!
//! As for three-rowed Chomp, one period decides most of it (fact 7), and only then are the other
//! columns walked.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_integer::Integer;
use record::{Certificate, KeyedRecord, Periodic};

use super::rows::Rows;
use crate::CheckWatch;
use crate::error::{EarlyEnd, Limit, Why};
use crate::tails::{State, value};

/// What the check of one certificate may look up: minutes. Periods have no known bound.
const MOST_LOOKUPS: u32 = 1 << 31;

/// Checks the certificate of a row; a row that has none passes.
pub(super) fn check(rows: &Rows, number: usize, watch: &dyn CheckWatch) -> Result<(), EarlyEnd> {
    let Some(periodic) = rows.periodic(number) else { return Ok(()) };
    let row = number as u64;
    let from = periodic.certificate.from;
    let settled = |below: &usize| rows.record(*below).map_or(0, KeyedRecord::settled);
    if let Some(by) = rows.below(number).max_by_key(settled).filter(|by| settled(by) > from) {
        let settled = settled(&by);
        let why = Why::NotSettledBelow { from, settled, by: name(rows, by) };
        return Err(EarlyEnd::Refuted { row, why });
    }
    let below = rows.below(number).filter_map(|below| rows.periodic(below)).collect();
    CertificateCheck { row, periodic, below, left: MOST_LOOKUPS, watch }.certificate()
}

fn name(rows: &Rows, number: usize) -> String {
    rows.record(number).map_or(String::new(), |record| record.key().to_string())
}

struct CertificateCheck<'a> {
    /// The number of the record.
    row: u64,
    periodic: &'a Periodic,
    /// The periodic rows below.
    below: Vec<&'a Periodic>,
    left: u32,
    watch: &'a dyn CheckWatch,
}

impl CertificateCheck<'_> {
    fn certificate(mut self) -> Result<(), EarlyEnd> {
        let Periodic { certificate, values, .. } = self.periodic;
        let &Certificate { from, recurs, ref modulus, .. } = certificate;
        let mut state = State::of(certificate);
        let (mut least, mut largest) = (u64::MAX, 0);
        for _ in values {
            least = least.min(state.filled());
            largest = largest.max(self.step(&mut state)?);
        }
        let one_period = state.column();
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
        Err(EarlyEnd::Refuted { row: self.row, why })
    }

    /// Computes the offset of the state's column, compares it, and takes it.
    fn step(&mut self, state: &mut State) -> Result<u64, EarlyEnd> {
        let column = state.column();
        let lookups = u32::try_from(self.below.len()).unwrap_or(u32::MAX);
        let Some(left) = self.left.checked_sub(lookups.saturating_add(1)) else {
            let limit = Limit::Lookups { lookups: MOST_LOOKUPS, column };
            return Err(EarlyEnd::Limit { row: self.row, limit });
        };
        self.left = left;
        if self.watch.stop() {
            return Err(EarlyEnd::Interrupted);
        }
        let filled = state.filled();
        let in_column = self.below.iter().map(|below| value(below, column));
        let mut blocked: BTreeSet<u64> = in_column.filter(|offset| *offset >= filled).collect();
        blocked.extend(state.above());
        let mut computed = filled;
        while blocked.contains(&computed) {
            computed = computed.saturating_add(1);
        }
        let stated = value(self.periodic, column);
        if computed != stated {
            return self.refuted(Why::WrongValue { column, stated, computed });
        }
        state.step(computed);
        Ok(computed)
    }

    /// The window rule.
    fn window(&self, least: u64, largest: u64) -> Result<(), EarlyEnd> {
        let modulus = &self.periodic.certificate.modulus;
        let counts =
            |below: &&&Periodic| below.values.iter().any(|value| (least..=largest).contains(value));
        let counted = self.below.iter().filter(counts);
        let computed = counted.fold(BigUint::from(1_u8), |modulus, below| {
            modulus.lcm(&BigUint::from(below.values.len()))
        });
        if computed == *modulus {
            return Ok(());
        }
        let stated = modulus.clone();
        self.refuted(Why::WrongModulusBelow { stated, computed, least, largest })
    }
}
