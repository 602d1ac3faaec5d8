//! The check of one certificate against fact 3 of `proofs/README.md`, from the records alone.
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
//! [`RowsBelow`] looks up the rows below: in three-rowed Chomp they are consecutive (module
//! `tails`), in a family they are not (module `family`).

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_integer::Integer;
use record::{Certificate, Periodic, RowKey};
use serde_json::json;

use crate::CheckWatch;
use crate::error::{EarlyEnd, limit, refuted};

/// The rows below one row.
pub(crate) trait RowsBelow {
    /// The column from which they have settled, and one that settles last, if this is past `from`.
    fn unsettled(&self, from: u64) -> Option<(u64, RowKey)>;

    /// `mex(U ∪ C)` in the state's column, past the settling of all of them.
    fn mex(&self, state: &State, lookups: &mut Lookups) -> Result<u64, EarlyEnd>;

    /// The window rule: the least common multiple of the periods of those with a value in the
    /// window.
    fn modulus(&self, least: u64, largest: u64, lookups: &mut Lookups)
    -> Result<BigUint, EarlyEnd>;
}

/// Checks the certificate of one row.
pub(crate) fn check(
    periodic: &Periodic,
    below: &impl RowsBelow,
    lookups: Lookups,
) -> Result<(), EarlyEnd> {
    CertificateCheck { below, periodic, lookups }.certificate()
}

struct CertificateCheck<'a, Below> {
    below: &'a Below,
    periodic: &'a Periodic,
    lookups: Lookups<'a>,
}

impl<Below: RowsBelow> CertificateCheck<'_, Below> {
    fn certificate(mut self) -> Result<(), EarlyEnd> {
        let Periodic { certificate, values, .. } = self.periodic;
        let &Certificate { from, recurs, ref modulus, .. } = certificate;
        if let Some((settled, by)) = self.below.unsettled(from) {
            let words = format!(
                "the certificate's from is {from}, but the rows below settle only at column \
                 {settled}, because of {by}"
            );
            let details = json!({ "from": from, "settled": settled, "by": by.to_string() });
            return refuted(self.lookups.row, "not_settled", details, words);
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
            return refuted(self.lookups.row, "does_not_recur", json!({ "recurs": recurs }), words);
        }
        let computed = self.below.modulus(least, largest, &mut self.lookups)?;
        if computed != *modulus {
            let words = format!(
                "the certificate's modulus is {modulus}, but the rows below with a value in the \
                 window {least} to {largest} have periods with least common multiple {computed}"
            );
            let [stated, computed] = [modulus, &computed].map(ToString::to_string);
            let details = json!({
                "stated": stated, "computed": computed, "least": least, "largest": largest
            });
            return refuted(self.lookups.row, "wrong_modulus", details, words);
        }
        let distance = modulus.lcm(&BigUint::from(values.len()));
        if distance != BigUint::from(recurs.abs_diff(from)) {
            let earlier = from.saturating_add(u64::try_from(distance).unwrap_or(u64::MAX));
            let words = format!(
                "the certificate's recurs is {recurs}, but U(from) recurs at column {earlier} \
                 already, at a distance that the modulus divides"
            );
            let details = json!({ "recurs": recurs, "earlier": earlier });
            return refuted(self.lookups.row, "recurs_earlier", details, words);
        }
        for _ in one_period..recurs {
            self.step(&mut state)?;
        }
        Ok(())
    }

    /// Computes the offset of the state's column, compares it, and takes it.
    fn step(&mut self, state: &mut State) -> Result<u64, EarlyEnd> {
        let column = state.column;
        let computed = self.below.mex(state, &mut self.lookups)?;
        let stated = value(self.periodic, column);
        if computed != stated {
            let words = format!(
                "values gives offset {stated} in column {column}, but from U(from) and the rows \
                 below follows {computed}"
            );
            let details = json!({ "column": column, "stated": stated, "computed": computed });
            return refuted(self.lookups.row, "wrong_value", details, words);
        }
        state.step(computed);
        Ok(computed)
    }
}

/// The look-ups of the check of one certificate: of offsets in U, and of values and periods of the
/// rows below. A few hundred records are enough for a true certificate that takes billions.
pub(crate) struct Lookups<'a> {
    /// The row; of a family, the number of its record.
    row: u64,
    done: u64,
    most: u32,
    watch: &'a dyn CheckWatch,
}

impl<'a> Lookups<'a> {
    /// After this number of look-ups the caller is asked whether to stop.
    const BETWEEN_QUESTIONS: u64 = 1 << 12;

    /// None yet, and at most this number.
    pub(crate) fn new(row: u64, most: u32, watch: &'a dyn CheckWatch) -> Self {
        Self { row, done: 0, most, watch }
    }

    /// Counts look-ups for a column.
    pub(crate) fn count(&mut self, number: u64, column: u64) -> Result<(), EarlyEnd> {
        let questions = self.done / Self::BETWEEN_QUESTIONS;
        self.done = self.done.saturating_add(number);
        if self.done > u64::from(self.most) {
            let words = format!(
                "the certificate takes more than {} look-ups in the rows below, at column \
                 {column}; nothing is proved",
                self.most
            );
            let details = json!({ "lookups": self.most, "column": column });
            return limit(self.row, "lookups", details, words);
        }
        if self.done / Self::BETWEEN_QUESTIONS > questions && self.watch.stop() {
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
#[derive(Clone, Debug)]
pub(crate) struct State {
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
    pub(crate) fn filled(&self) -> u64 {
        self.end.saturating_sub(self.column)
    }

    pub(crate) fn column(&self) -> u64 {
        self.column
    }

    /// The members of U(q) above [`filled`](Self::filled).
    pub(crate) fn above(&self) -> impl Iterator<Item = u64> + '_ {
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
