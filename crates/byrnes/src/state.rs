//! The first recurrence of a state: a proof of periodicity that does not grow with the row (fact
//! 3).

use std::ops::RangeInclusive;

use indexmap::IndexMap;
use num_bigint::BigUint;
use num_integer::Integer;
use record::Certificate;
use ultimate::{FiniteOrPeriodic, NatSet, SetSequence, Ultimate};

use crate::{FundamentalRecurrence, LosersError};

/// A search for a certificate gives up after this many states: no row or sequence known needs more
/// than a few thousand, and each may take kilobytes.
const MOST_STATES: usize = 1 << 22;

/// The instant winners of one sequence, in the two parts that fact 3 tells apart.
pub(crate) struct PartedWinners<'a, M> {
    /// The past at a = 0: the offsets blocked by what has already been played, which shift by one a
    /// step.
    pub(crate) past: NatSet,
    /// The others: ultimately periodic, from index `settled` on.
    pub(crate) instant_winners: &'a SetSequence,
    pub(crate) settled: usize,
    /// The modulus μ of the window rule: what period the instant winners have within a window.
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
    let mut recurrence = FundamentalRecurrence::with_past(past, instant_winners);
    let mut walked = Walked::default();
    // The visits to each state, by first visit.
    let mut visits: IndexMap<NatSet, Vec<usize>> = IndexMap::new();
    loop {
        let index = walked.members.len();
        if index >= settled {
            let state = recurrence.past();
            let earlier = visits.entry(state.clone()).or_default();
            if let Some((from, modulus)) = certifies(earlier, &walked, &modulus) {
                let certificate = certificate(from, index, modulus, state);
                let members = FiniteOrPeriodic::Periodic(walked.repeating_from(from));
                return Ok((members, Some(certificate)));
            }
            earlier.push(index);
            if index - settled == MOST_STATES {
                return Err(LosersError::NoRecurrence { states: MOST_STATES });
            }
        }
        walked.least_free.push(recurrence.past().mex());
        walked.members.extend(recurrence.next());
        if walked.members.last() == Some(&0) {
            return Ok((FiniteOrPeriodic::Finite(walked.members), None));
        }
    }
}

/// What was computed, by index: the member, and the least offset that its past left free.
#[derive(Default)]
struct Walked {
    members: Vec<u64>,
    least_free: Vec<u64>,
}

impl Walked {
    /// The members so far, those from `from` on repeated for ever.
    fn repeating_from(mut self, from: usize) -> Ultimate<u64> {
        let period = self.members.split_off(from);
        Ultimate::new(self.members, period).expect("a state recurs later than it is first seen")
    }
}

/// The latest of the earlier visits to the present state that makes its recurrence a certificate,
/// with the modulus. Walks back from here, so that the window [h, z] only widens and its modulus
/// only grows; a modulus longer than all that could be walked ends the search.
fn certifies(
    earlier: &[usize],
    walked: &Walked,
    modulus: &impl Fn(RangeInclusive<u64>) -> BigUint,
) -> Option<(usize, BigUint)> {
    let now = walked.members.len();
    let farthest = BigUint::from(now - earlier.first()?);
    let (mut low, mut high, mut end) = (u64::MAX, 0, now);
    for &from in earlier.iter().rev() {
        low = walked.least_free[from..end].iter().fold(low, |low, &free| low.min(free));
        high = walked.members[from..end].iter().fold(high, |high, &member| high.max(member));
        end = from;
        let modulus = modulus(low..=high);
        if modulus > farthest {
            return None;
        }
        if BigUint::from(now - from).is_multiple_of(&modulus) {
            return Some((from, modulus));
        }
    }
    None
}

fn certificate(from: usize, recurs: usize, modulus: BigUint, state: &NatSet) -> Certificate {
    let filled = state.mex();
    Certificate {
        from: from as u64,
        recurs: recurs as u64,
        modulus,
        filled,
        above: state.iter().filter(|&member| member > filled).collect(),
    }
}
