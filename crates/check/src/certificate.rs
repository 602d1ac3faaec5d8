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
//! The number of look-ups is limited, so that no record can keep the check busy.

use std::collections::BTreeSet;

use num_integer::Integer;
use record::{Certificate, Family, Periodic, Record};
use serde_json::json;

use crate::CheckWatch;
use crate::error::{EarlyEnd, limit, refuted};

/// After this number of look-ups the caller is asked whether to stop.
const BETWEEN_QUESTIONS: u32 = 1 << 12;

/// The column from which the rows below a row have settled, and the row that settles last, as the
/// number of its record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) column: u64,
    pub(crate) by: u64,
}

/// The rows below one row: in three-rowed Chomp they are consecutive (module `tails`), in a family
/// they are not (module `family`).
pub(crate) trait RowsBelow {
    fn settled(&self) -> Settled;

    /// Whether one of them has this offset in a column past their settling, and the number of
    /// look-ups that this took.
    fn have(&self, offset: u64, column: u64) -> (bool, u32);

    /// The periods of those with a value in this window, each with the number of a record. Records
    /// of rows that are not below may be among them.
    fn periods(&self, least: u64, largest: u64) -> Box<dyn Iterator<Item = (u64, u64)> + '_>;
}

/// Checks the certificate of the row of this number, with this number of look-ups at most. A row
/// that has none passes.
pub(crate) fn check(
    record: &Record,
    (family, number): (&Family, u64),
    below: &dyn RowsBelow,
    most_lookups: u32,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    if number.is_multiple_of(1024) && watch.stop() {
        return Err(EarlyEnd::Interrupted);
    }
    let Some(periodic) = record.periodic() else { return Ok(()) };
    let check =
        CertificateCheck { family, number, below, periodic, lookups: 0, most_lookups, watch };
    check.certificate()
}

struct CertificateCheck<'a> {
    family: &'a Family,
    number: u64,
    below: &'a dyn RowsBelow,
    periodic: &'a Periodic,
    /// The number of look-ups so far: of offsets in U, and of values and periods of the rows below.
    lookups: u32,
    most_lookups: u32,
    watch: &'a dyn CheckWatch,
}

impl CertificateCheck<'_> {
    fn certificate(mut self) -> Result<(), EarlyEnd> {
        let Self { family, number, below, .. } = self;
        let Periodic { certificate, values, .. } = self.periodic;
        let &Certificate { from, recurs, modulus: stated, .. } = certificate;
        let Settled { column: settled, by } = below.settled();
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
        // The modulus and the period divide recurs - from, which is less than 2^63.
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
            return refuted(self.number, "wrong_value", details, words);
        }
        state.step(computed);
        Ok(computed)
    }

    /// `mex(U ∪ C)` in the state's column, past the settling of the rows below.
    fn mex(&mut self, state: &State) -> Result<u64, EarlyEnd> {
        let mut above = state.above().peekable();
        let mut offset = state.filled();
        loop {
            let in_past = above.next_if_eq(&offset).is_some();
            let (is_blocked, lookups) =
                if in_past { (true, 0) } else { self.below.have(offset, state.column) };
            self.count(lookups.saturating_add(1), state.column)?;
            if !is_blocked {
                return Ok(offset);
            }
            offset = offset.saturating_add(1);
        }
    }

    /// The window rule: the least common multiple of the periods of the rows below with a value in
    /// the window. An error as soon as the stated one leaves a period out, so it is never large.
    fn modulus(&mut self, stated: u64, window: (u64, u64)) -> Result<u64, EarlyEnd> {
        let Self { family, number, below, .. } = *self;
        let (least, largest) = window;
        let mut computed = 1_u64;
        for (period, by) in below.periods(least, largest) {
            self.count(1, self.periodic.certificate.from)?;
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

    /// Counts look-ups for a column.
    fn count(&mut self, lookups: u32, column: u64) -> Result<(), EarlyEnd> {
        let questions = self.lookups / BETWEEN_QUESTIONS;
        self.lookups = self.lookups.saturating_add(lookups);
        if self.lookups > self.most_lookups {
            let most = self.most_lookups;
            let words = format!(
                "the certificate takes more than {most} look-ups in the rows below, at column \
                 {column}; nothing is proved"
            );
            let details = json!({ "lookups": most, "column": column });
            return limit(self.number, "lookups", details, words);
        }
        if self.lookups / BETWEEN_QUESTIONS > questions && self.watch.stop() {
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
