//! The macro Losers: from instant winners to the sequence of losers, proved.

use std::fmt;
use std::ops::RangeInclusive;

use num_bigint::BigUint;
use record::Certificate;
use ultimate::{FiniteOrPeriodic, MexSet, SetSequence};

use crate::classical::{bound, guess_and_check};
use crate::recurrence::{Walk, walk};
use crate::{ClassicalBound, FundamentalRecurrence, LosersError};

/// The P-positions `[a, L_a]` of two-rowed Chomp with instant winners, proved for every a.
///
/// In row r of three-rowed Chomp, `L_a` is the offset of column `q = r + a`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Losers {
    /// Not empty. If it ends, its last member, and no other, is 0.
    members: FiniteOrPeriodic<u64>,
    /// `None` if the sequence ends.
    proof: Option<Proof>,
}

/// The two proofs of a sequence that never ends. They agree, unless the classical bound is too
/// large to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The first: a guess checked to its classical bound.
    pub classical: ClassicalBound,
    /// The second: a state that recurs. Its `from` and `recurs` are indices a.
    pub certificate: Certificate,
}

/// The losers of two-rowed Chomp with any ultimately periodic instant winners: member a of the
/// argument is the set of b for which `[a, b]` wins at once (Zeilberger 2003, *Two-rowed Chomp with
/// instant winners*).
///
/// # Errors
/// [`LosersError`] if no proof was found; this happens only for sequences with periods in the
/// millions, or if this program is wrong.
///
/// # Cost
/// O(n · w) word operations, for n the greater of classical bound and first state recurrence, and w
/// the words of 64 offsets in the longest set: each member is one mex over sets of w words. If a
/// state recurs m times before the distance fits the periods of the instant winners, this adds O(m
/// · n) steps.
///
/// ```
/// // The worked example of that section.
/// use byrnes::losers;
/// let instant_winners = "[{0, 1, 2, 3}, {0, 1, 5}][{0, 1}]^∞".parse().unwrap();
/// assert_eq!(losers(&instant_winners).unwrap().to_string(), "[4, 2][3]^∞");
/// ```
pub fn losers(instant_winners: &SetSequence) -> Result<Losers, LosersError> {
    let modulus = |window: RangeInclusive<u64>| instant_winners.period_within(window);
    let losing = Losing { recurrence: FundamentalRecurrence::new(instant_winners), modulus };
    prove_twice(instant_winners, losing, instant_winners.pre_period())
}

/// The losers by both methods. `instant_winners` are all of them, as the papers have them; `losing`
/// has them in the two parts of fact 3: the past at a = 0, and the others, which repeat from index
/// `settled` on.
pub(crate) fn prove_twice(
    instant_winners: &SetSequence,
    mut losing: impl Walk,
    settled: usize,
) -> Result<Losers, LosersError> {
    let classical = guess_and_check(instant_winners);
    let (members, certificate) = walk(&mut losing, settled)?;
    if classical.as_ref().is_some_and(|classical| *classical != members) {
        return Err(LosersError::Disagreement);
    }
    let proof = members.periodic().zip(certificate).map(|(sequence, certificate)| {
        let bound = bound(sequence, instant_winners);
        Proof { classical: ClassicalBound { bound, checked: classical.is_some() }, certificate }
    });
    Ok(Losers { members, proof })
}

/// The fundamental recurrence, whose state is the past.
pub(crate) struct Losing<'a, M> {
    pub(crate) recurrence: FundamentalRecurrence<'a>,
    /// The modulus μ of the window rule: the period of the instant winners within a window.
    pub(crate) modulus: M,
}

impl<M: Fn(RangeInclusive<u64>) -> BigUint> Walk for Losing<'_, M> {
    fn state(&self) -> MexSet {
        self.recurrence.past().into()
    }

    fn step(&mut self) -> u64 {
        self.recurrence.next().expect("a walk ends with the first 0, as the recurrence does")
    }

    fn modulus(&self, window: RangeInclusive<u64>) -> BigUint {
        (self.modulus)(window)
    }
}

impl Losers {
    /// The sequence.
    pub fn members(&self) -> &FiniteOrPeriodic<u64> {
        &self.members
    }

    /// The proofs of a sequence that never ends. A sequence that ends needs none: all its members
    /// were computed.
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref()
    }

    /// Member 0.
    ///
    /// # Panics
    /// Never: every sequence of losers has one.
    pub fn first(&self) -> u64 {
        *self.members.first().expect("losers have a member 0")
    }

    /// Member a; `None` past the end.
    pub fn get(&self, a: &BigUint) -> Option<u64> {
        self.members.get(a).copied()
    }
}

/// `[3, 1, 0]` or `[4, 2][3]^∞`.
impl fmt::Display for Losers {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.members.fmt(f)
    }
}
