//! Depth *tails*: the check of one certificate against fact 3 of `proofs/README.md`, from the
//! records alone.
//!
//! The check assumes the heads, `first` and `last` of all rows, and that U(from) is what the
//! certificate states. It checks each hypothesis of fact 3 by itself: `from` is past the settling
//! of all rows below; the offsets of columns `from` to `recurs` (exclusive) are `mex(U ∪ C)`, with
//! U carried along from U(from) and C looked up in the records below; none of them is 0; U comes
//! back to U(from) at `recurs`; and `modulus` obeys the window rule and divides the distance.
//!
//! By fact 7 one period decides most of this: at its end U recurs, its columns show the whole
//! window, and so the modulus, and `recurs` is one least common multiple of period and modulus past
//! `from`. Only then are the other columns walked.
//!
//! In practice the check takes O(log n), for n values below: a state recurs after a few columns,
//! and few rows below have a value in the window. The number of look-ups is limited, so that no
//! record can keep the check busy.

use std::collections::BTreeSet;

use num_integer::Integer;
use record::{Certificate, Family, Periodic, Record};
use serde_json::json;

use crate::CheckWatch;
use crate::error::{EarlyEnd, limit, refuted};
use crate::tails::{Settled, ValuesBelow};

/// The most look-ups of a certificate of three-rowed Chomp: milliseconds. The rows to 60 000 take
/// at most 47; to 2 000 000 the greatest period is 81, and about four look-ups a column are
/// expected at most.
pub(crate) const MOST_LOOKUPS: u32 = 1 << 16;

/// After this number of look-ups the caller is asked whether to stop.
const BETWEEN_QUESTIONS: u32 = 1 << 12;

/// A row of a family, by the number of its record, and all rows below it.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) family: &'a Family,
    pub(crate) number: u64,
    pub(crate) below: &'a ValuesBelow,
}

/// Checks the certificate of a row with this number of look-ups at most. A row that has none
/// passes.
pub(crate) fn check(
    record: &Record,
    row: Row,
    most_lookups: u32,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    if row.number.is_multiple_of(1024) && watch.stop() {
        return Err(EarlyEnd::Interrupted);
    }
    let Some(periodic) = record.periodic() else { return Ok(()) };
    CertificateCheck { row, periodic, lookups: 0, most_lookups, watch }.certificate()
}

struct CertificateCheck<'a> {
    row: Row<'a>,
    periodic: &'a Periodic,
    /// The number of look-ups so far: of offsets in U, and of values and periods of the rows below.
    lookups: u32,
    most_lookups: u32,
    watch: &'a dyn CheckWatch,
}

impl CertificateCheck<'_> {
    fn certificate(mut self) -> Result<(), EarlyEnd> {
        let Row { family, number, below } = self.row;
        let Periodic { certificate, values, .. } = self.periodic;
        let &Certificate { from, recurs, ref modulus, .. } = certificate;
        let Settled { column: settled, by } = below.settled(number);
        if from < settled {
            let by = family.key(by).unwrap_or_default();
            let words = format!(
                "the certificate's from is {from}, but the rows below settle only at column \
                 {settled}, because of {by}"
            );
            let details = json!({ "from": from, "settled": settled, "by": by.to_string() });
            return refuted(number, "not_settled", details, words);
        }
        let mut state = State::of(certificate);
        let (mut least, mut largest) = (u64::MAX, 0);
        for _ in values {
            least = least.min(state.filled());
            largest = largest.max(self.step(&mut state)?);
        }
        let one_period = state.column;
        if !state.is(certificate) {
            let words = format!("U(from) does not recur at column {recurs}");
            return refuted(number, "does_not_recur", json!({ "recurs": recurs }), words);
        }
        // The modulus and the period divide recurs - from, which is less than 2^63.
        let stated = u64::try_from(modulus).unwrap_or(1);
        let computed = self.modulus(stated, (least, largest))?;
        if computed != stated {
            let words = format!(
                "the certificate's modulus is {stated}, but the rows below with a value in the \
                 window {least} to {largest} have periods with least common multiple {computed}"
            );
            let [stated, computed] = [stated, computed].map(|modulus| modulus.to_string());
            let details = json!({
                "stated": stated, "computed": computed, "least": least, "largest": largest
            });
            return refuted(number, "wrong_modulus", details, words);
        }
        let earlier = from.saturating_add(stated.lcm(&self.periodic.period()));
        if earlier != recurs {
            let words = format!(
                "the certificate's recurs is {recurs}, but U(from) recurs at column {earlier} \
                 already, at a distance that the modulus divides"
            );
            let details = json!({ "recurs": recurs, "earlier": earlier });
            return refuted(number, "recurs_earlier", details, words);
        }
        for _ in one_period..recurs {
            self.step(&mut state)?;
        }
        Ok(())
    }

    /// Computes the offset of the state's column, compares it, and takes it.
    fn step(&mut self, state: &mut State) -> Result<u64, EarlyEnd> {
        let column = state.column;
        let computed = self.mex(state)?;
        let stated = value(self.periodic, column);
        if computed != stated {
            let words = format!(
                "values gives offset {stated} in column {column}, but from U(from) and the rows \
                 below follows {computed}"
            );
            let details = json!({ "column": column, "stated": stated, "computed": computed });
            return refuted(self.row.number, "wrong_value", details, words);
        }
        state.step(computed);
        Ok(computed)
    }

    /// `mex(U ∪ C)` in the state's column, past the settling of the rows below.
    fn mex(&mut self, state: &State) -> Result<u64, EarlyEnd> {
        let Row { number, below, .. } = self.row;
        let mut above = state.above().peekable();
        let mut offset = state.filled();
        loop {
            self.count(state.column)?;
            let mut is_blocked = above.next_if_eq(&offset).is_some();
            if !is_blocked {
                for (period, by) in below.periods(offset, offset) {
                    self.count(state.column)?;
                    is_blocked = by < number && below.has(number, period, offset, state.column);
                    if is_blocked {
                        break;
                    }
                }
            }
            if !is_blocked {
                return Ok(offset);
            }
            offset = offset.saturating_add(1);
        }
    }

    /// The window rule: the least common multiple of the periods of the rows below with a value in
    /// the window. An error as soon as the stated one leaves a period out, so it is never large.
    fn modulus(&mut self, stated: u64, window: (u64, u64)) -> Result<u64, EarlyEnd> {
        let Row { family, number, below } = self.row;
        let (least, largest) = window;
        let mut computed = 1_u64;
        for (period, by) in below.periods(least, largest) {
            self.count(self.periodic.certificate.from)?;
            if by >= number {
                continue;
            }
            if !stated.is_multiple_of(period) {
                let key = family.key(by).unwrap_or_default();
                let words = format!(
                    "the certificate's modulus is {stated}, but {key} has a value in the window \
                     {least} to {largest} and period {period}"
                );
                let details = json!({
                    "stated": stated.to_string(), "by": by, "period": period, "least": least,
                    "largest": largest
                });
                return refuted(number, "period_left_out", details, words);
            }
            computed = computed.lcm(&period);
        }
        Ok(computed)
    }

    /// Counts a look-up for a column.
    fn count(&mut self, column: u64) -> Result<(), EarlyEnd> {
        self.lookups = self.lookups.saturating_add(1);
        if self.lookups > self.most_lookups {
            let most = self.most_lookups;
            let words = format!(
                "the certificate takes more than {most} look-ups in the rows below, at column \
                 {column}; nothing is proved"
            );
            let details = json!({ "lookups": most, "column": column });
            return limit(self.row.number, "lookups", details, words);
        }
        if self.lookups.is_multiple_of(BETWEEN_QUESTIONS) && self.watch.stop() {
            return Err(EarlyEnd::Interrupted);
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
struct State {
    column: u64,
    end: u64,
    above: BTreeSet<u64>,
}

impl State {
    fn of(certificate: &Certificate) -> Self {
        let &Certificate { from, filled, ref above, .. } = certificate;
        let p = |offset: &u64| from.saturating_add(*offset);
        Self { column: from, end: p(&filled), above: above.iter().map(p).collect() }
    }

    /// The least offset that is not in U(q).
    fn filled(&self) -> u64 {
        self.end.saturating_sub(self.column)
    }

    /// The members of U(q) above [`filled`](Self::filled).
    fn above(&self) -> impl Iterator<Item = u64> + '_ {
        self.above.iter().map(|p| p.saturating_sub(self.column))
    }

    /// Whether U(q) is U(from).
    fn is(&self, certificate: &Certificate) -> bool {
        self.filled() == certificate.filled && self.above().eq(certificate.above.iter().copied())
    }

    /// `U(q+1)` from `U(q)` and the offset of column q, which is not in it and not 0.
    fn step(&mut self, offset: u64) {
        self.above.insert(self.column.saturating_add(offset));
        self.column = self.column.saturating_add(1);
        self.end = self.end.max(self.column);
        while self.above.remove(&self.end) {
            self.end = self.end.saturating_add(1);
        }
    }
}
