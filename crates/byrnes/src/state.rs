//! Losers from sets of offsets, computed until a state recurs.

use std::ops::RangeInclusive;

use num_bigint::BigUint;
use record::Certificate;
use ultimate::{FiniteOrPeriodic, NatSet, SetSequence};

use crate::recurrence::{Walk, walk};
use crate::{FundamentalRecurrence, LosersError};

/// The instant winners of one sequence, in the two parts that fact 3 distinguishes.
pub(crate) struct PartedWinners<'a, M> {
    /// The past at a = 0: the offsets blocked by earlier members, which shift by one in each step.
    pub(crate) past: NatSet,
    /// The others: ultimately periodic, from index `settled` on.
    pub(crate) instant_winners: &'a SetSequence,
    pub(crate) settled: usize,
    /// The modulus μ of the window rule: the period of the instant winners within a window.
    pub(crate) modulus: M,
}

/// A sequence with its proof: a sequence that ends needs no certificate.
pub(crate) type ProvedSequence = (FiniteOrPeriodic<u64>, Option<Certificate>);

/// Computes members until one is 0 or a state recurs. The certificate is the first there is: the
/// least `recurs`, and for it the greatest `from`.
pub(crate) fn find_recurrence<M>(parted: PartedWinners<M>) -> Result<ProvedSequence, LosersError>
where
    M: Fn(RangeInclusive<u64>) -> BigUint,
{
    let PartedWinners { past, instant_winners, settled, modulus } = parted;
    let recurrence = FundamentalRecurrence::with_past(past, instant_winners);
    let walked = walk(&mut Losing { recurrence, modulus }, settled)?;
    Ok(walked.proved(|state| {
        let filled = state.mex();
        (filled, state.iter().filter(|&member| member > filled).collect())
    }))
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
