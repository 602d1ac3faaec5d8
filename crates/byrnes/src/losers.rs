//! The macro Losers: from instant winners to the sequence of losers, proved.

use std::fmt;
use std::ops::RangeInclusive;

use num_bigint::BigUint;
use record::Certificate;
use ultimate::{NatSet, SetSequence, Ultimate};

use crate::classical::{Classical, bound, guess_and_check};
use crate::state::{Blocked, Recurrence, find_recurrence};
use crate::{ClassicalBound, LosersError};

/// The P-positions `[a, L_a]` of two-rowed Chomp with instant winners, proved for every a.
///
/// In row r of three-rowed Chomp, `L_a` is the offset of column `q = r + a`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Losers {
    /// The sequence ends; its last member, and no other, is 0. Computing it is its proof.
    Finite(Vec<u64>),
    /// The sequence never ends. It was proved by its certificate and, unless the classical bound is
    /// out of reach, once more by the classical check; the two agreed.
    Periodic {
        /// The sequence.
        sequence: Ultimate<u64>,
        /// The first proof: a guess checked to its classical bound.
        classical: ClassicalBound,
        /// The second: a state that recurs. Its `from` and `recurs` are indices a.
        certificate: Certificate,
    },
}

/// The losers of two-rowed Chomp with any ultimately periodic instant winners: member a of the
/// argument is the set of b for which `[a, b]` wins at once (Zeilberger 2003, *Two-rowed Chomp with
/// instant winners*).
///
/// # Errors
/// [`LosersError`] if no proof was found; this happens only to sequences with periods in the
/// millions, or if this program is wrong.
///
/// # Cost
/// O(n · w) word operations, for n the greater of classical bound and first state recurrence, and w
/// the words of 64 offsets in the longest set: each member is one mex over sets of w words. A state
/// that recurs many times before its columns fit the periods of the instant winners is looked up as
/// often, at O(n) steps each.
///
/// ```
/// // The worked example of that section.
/// use byrnes::losers;
/// let instant_winners = "[{0, 1, 2, 3}, {0, 1, 5}][{0, 1}]^∞".parse().unwrap();
/// assert_eq!(losers(&instant_winners).unwrap().to_string(), "[4, 2][3]^∞");
/// ```
pub fn losers(instant_winners: &SetSequence) -> Result<Losers, LosersError> {
    let blocked = Blocked {
        past: NatSet::new(),
        instant_winners,
        settled: instant_winners.pre_period(),
        modulus: |window: RangeInclusive<u64>| instant_winners.period_within(window),
    };
    prove_twice(instant_winners, blocked)
}

/// The losers by both methods. `all` are the instant winners as the papers have them; `parted` the
/// same ones in the two parts of fact 3.
pub(crate) fn prove_twice<M>(all: &SetSequence, parted: Blocked<M>) -> Result<Losers, LosersError>
where
    M: Fn(RangeInclusive<u64>) -> BigUint,
{
    match (guess_and_check(all), find_recurrence(parted)?) {
        (Classical::Finite(classical), Recurrence::Finite(state)) if classical == state => {
            Ok(Losers::Finite(state))
        }
        (Classical::OutOfReach, Recurrence::Finite(state)) => Ok(Losers::Finite(state)),
        (Classical::Checked(classical, bound), Recurrence::Proved(state, certificate))
            if classical == state =>
        {
            let classical = ClassicalBound { bound, checked: true };
            Ok(Losers::Periodic { sequence: state, classical, certificate })
        }
        (Classical::OutOfReach, Recurrence::Proved(state, certificate)) => {
            let classical = ClassicalBound { bound: bound(&state, all), checked: false };
            Ok(Losers::Periodic { sequence: state, classical, certificate })
        }
        _ => Err(LosersError::Disagreement),
    }
}

impl Losers {
    /// Member 0, which every sequence has.
    #[must_use]
    pub fn first(&self) -> u64 {
        match self {
            Self::Finite(members) => members[0],
            Self::Periodic { sequence, .. } => *sequence.at(0),
        }
    }

    /// Member a; `None` past the end.
    #[must_use]
    pub fn get(&self, a: &BigUint) -> Option<u64> {
        match self {
            Self::Finite(members) => usize::try_from(a).ok().and_then(|a| members.get(a)).copied(),
            Self::Periodic { sequence, .. } => Some(*sequence.get(a)),
        }
    }
}

/// `[3, 1, 0]` or `[4, 2][3]^∞`.
impl fmt::Display for Losers {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Finite(members) => write!(f, "{members:?}"),
            Self::Periodic { sequence, .. } => write!(f, "{sequence}"),
        }
    }
}
