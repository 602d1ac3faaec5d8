//! The losers as sets have them, walked until a state recurs.

use std::ops::RangeInclusive;

use num_bigint::BigUint;
use record::Certificate;
use ultimate::{FiniteOrPeriodic, NatSet, SetSequence, Ultimate};

use crate::recurrence::{Recurs, Walk, Walked, walk};
use crate::{FundamentalRecurrence, LosersError};

/// The instant winners of one sequence, in the two parts that fact 3 tells apart.
pub(crate) struct PartedWinners<'a, M> {
    /// The past at a = 0: the offsets blocked by what has already been played, which shift by one a
    /// step.
    pub(crate) past: NatSet,
    /// The others: ultimately periodic, from index `settled` on.
    pub(crate) instant_winners: &'a SetSequence,
    pub(crate) settled: usize,
    /// The modulus m of the window rule: what period the instant winners have within a window.
    pub(crate) modulus: M,
}

/// A sequence, and why it is this one: a sequence that ends needs no certificate.
pub(crate) type Found = (FiniteOrPeriodic<u64>, Option<Certificate>);

/// Computes members until one is 0 or a state recurs. The certificate is the first there is: the
/// least `recurs`, and for it the greatest `from`.
pub(crate) fn find_recurrence<M>(parted: PartedWinners<M>) -> Result<Found, LosersError>
where
    M: Fn(RangeInclusive<u64>) -> BigUint,
{
    let PartedWinners { past, instant_winners, settled, modulus } = parted;
    let recurrence = FundamentalRecurrence::with_past(past, instant_winners);
    let Walked { mut offsets, recurs } = walk(&mut Losing { recurrence, modulus }, settled)?;
    Ok(match recurs {
        None => (FiniteOrPeriodic::Finite(offsets), None),
        Some(recurs) => {
            let certificate = certificate(&recurs, offsets.len());
            let period = offsets.split_off(recurs.from);
            let sequence = Ultimate::new(offsets, period);
            let sequence = sequence.expect("a state recurs later than it is first seen");
            (FiniteOrPeriodic::Periodic(sequence), Some(certificate))
        }
    })
}

struct Losing<'a, M> {
    recurrence: FundamentalRecurrence<'a>,
    modulus: M,
}

impl<M: Fn(RangeInclusive<u64>) -> BigUint> Walk for Losing<'_, M> {
    type State = NatSet;

    fn state(&self) -> NatSet {
        self.recurrence.past().clone()
    }

    fn least_free(&self) -> u64 {
        self.recurrence.past().mex()
    }

    fn step(&mut self) -> u64 {
        self.recurrence.next().expect("a walk ends with the first 0, as the recurrence does")
    }

    fn modulus(&self, window: RangeInclusive<u64>) -> BigUint {
        (self.modulus)(window)
    }
}

fn certificate(recurs: &Recurs<NatSet>, now: usize) -> Certificate {
    let Recurs { from, modulus, state } = recurs;
    let filled = state.mex();
    Certificate {
        from: *from as u64,
        recurs: now as u64,
        modulus: modulus.clone(),
        filled,
        above: state.iter().filter(|&member| member > filled).collect(),
    }
}
