//! The macro Losers: from instant winners to the sequence of losers, proved.

use std::fmt;
use std::ops::RangeInclusive;

use num_bigint::BigUint;
use record::Certificate;
use ultimate::{FiniteOrPeriodic, NatSet, SetSequence};

use crate::classical::{bound, guess_and_check};
use crate::state::{PartedWinners, find_recurrence};
use crate::{ClassicalBound, LosersError};

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
    let parted = PartedWinners {
        past: NatSet::new(),
        instant_winners,
        settled: instant_winners.pre_period(),
        modulus: |window: RangeInclusive<u64>| instant_winners.period_within(window),
    };
    prove_twice(instant_winners, parted)
}

/// The losers by both methods. `all` are the instant winners as the papers have them; `parted` the
/// same ones in the two parts of fact 3.
pub(crate) fn prove_twice<M>(
    all: &SetSequence,
    parted: PartedWinners<M>,
) -> Result<Losers, LosersError>
where
    M: Fn(RangeInclusive<u64>) -> BigUint,
{
    let classical = guess_and_check(all);
    let (members, certificate) = find_recurrence(parted)?;
    if classical.as_ref().is_some_and(|classical| *classical != members) {
        return Err(LosersError::Disagreement);
    }
    let proof = members.periodic().zip(certificate).map(|(sequence, certificate)| Proof {
        classical: ClassicalBound { bound: bound(sequence, all), checked: classical.is_some() },
        certificate,
    });
    Ok(Losers { members, proof })
}

impl Losers {
    /// The sequence.
    #[must_use]
    pub fn members(&self) -> &FiniteOrPeriodic<u64> {
        &self.members
    }

    /// The proofs of a sequence that never ends. A sequence that ends needs none: all its members
    /// were computed.
    #[must_use]
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref()
    }

    /// Member 0.
    ///
    /// # Panics
    /// Never: every sequence of losers has one.
    #[must_use]
    pub fn first(&self) -> u64 {
        *self.members.first().expect("losers have a member 0")
    }

    /// Member a; `None` past the end.
    #[must_use]
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
