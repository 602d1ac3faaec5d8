//! Two-rowed Chomp with instant winners: the fundamental recurrence, and the macro Losers, which
//! proves its sequence twice.
//!
//! The first proof is Zeilberger's *a posteriori justification*: guess the period, then check it to
//! the classical bound. The second one is a state that recurs ([`recurrence`](crate::recurrence)).

use std::fmt;
use std::iter;
use std::ops::RangeInclusive;

use num_bigint::BigUint;
use num_integer::Integer;
use record::Certificate;
use ultimate::{FiniteOrPeriodic, MexSet, NatSet, SetSequence, Ultimate};

use crate::recurrence::{LosersError, Walk, walk};

/// `L_a = mex(I_a ∪ {L_(a-1) - 1, L_(a-2) - 2, …, L_0 - a})`, for a = 0, 1, 2, … until `L_a = 0`,
/// the last member (Zeilberger 2003, *Fundamental recurrence*).
///
/// The second set is the *past*. The past at `a + 1` is OneLess of the past at `a` together with
/// `L_a`. So the iterator keeps this one set. It may start with a past that is not empty; by fact 2
/// of `proofs/README.md` it then stands for instant winners of the form `OneLess^a(S)`.
///
/// Each member costs O(w) word operations, where w is the number of 64-bit words of the longest
/// set: one mex and one shift.
///
/// ```
/// use byrnes::FundamentalRecurrence;
/// use ultimate::SetSequence;
/// // Two-rowed Chomp: the empty board counts as an instant winner, and L = [1]^∞.
/// let instant_winners: SetSequence = "[{0}][∅]^∞".parse().unwrap();
/// let losers: Vec<u64> = FundamentalRecurrence::new(&instant_winners).take(4).collect();
/// assert_eq!(losers, [1, 1, 1, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct FundamentalRecurrence<'a> {
    instant_winners: &'a SetSequence,
    past: NatSet,
    index: usize,
    ended: bool,
}

impl<'a> FundamentalRecurrence<'a> {
    /// The recurrence with these instant winners and nothing in the past.
    pub fn new(instant_winners: &'a SetSequence) -> Self {
        Self::with_past(NatSet::new(), instant_winners)
    }

    /// The recurrence with these instant winners, and the offsets of `past` blocked as well at a =
    /// 0.
    pub fn with_past(past: NatSet, instant_winners: &'a SetSequence) -> Self {
        Self { instant_winners, past, index: 0, ended: false }
    }

    /// The past at the next index: the offsets that earlier members block there.
    pub fn past(&self) -> &NatSet {
        &self.past
    }
}

impl Iterator for FundamentalRecurrence<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.ended {
            return None;
        }
        let instant = self.instant_winners.parts_at(self.index);
        let loser = NatSet::mex_of_union(iter::once(&self.past).chain(instant));
        self.past.insert(loser);
        self.past.make_one_less();
        self.index += 1;
        self.ended = loser == 0;
        Some(loser)
    }
}

/// A guess must have repeated this often ("say 10 times") to be worth checking.
const REPEATS: usize = 10;

/// The first guess is made after this number of members, each next one when the prefix has grown by
/// half.
const FIRST_GUESS: usize = 16;

/// Checks that would need more members than this are not begun: if the periods of the instant
/// winners have an astronomic least common multiple, the bound is finite but out of reach.
const MOST_MEMBERS: usize = 1 << 22;

/// The classical bound of one sequence of losers: if a guess with head `L_0..=L_(a0)` and period ν
/// satisfies the fundamental recurrence for all `a <= max(a0, b0) + M + lcm(κ, ν)`, it does so for
/// ever. The instant winners have head `I_0..=I_(b0)`, period κ, and no member above M - 1 (fact 2
/// of `proofs/README.md`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassicalBound {
    /// `max(a0, b0) + M + lcm(κ, ν)`.
    pub bound: BigUint,
    /// Whether every member up to the bound was computed and compared. If not, because the bound is
    /// out of reach, the sequence rests on its certificate alone.
    pub checked: bool,
}

/// Computes members, guesses, and checks the guess against further members up to its [`bound`]. If
/// a guess fails, the next one is made from the longer prefix. `None` if that takes too many
/// members.
fn guess_and_check(instant_winners: &SetSequence) -> Option<FiniteOrPeriodic<u64>> {
    let mut recurrence = FundamentalRecurrence::new(instant_winners);
    let mut prefix = Vec::new();
    let mut guess_at = FIRST_GUESS;
    loop {
        prefix.extend(recurrence.by_ref().take(guess_at.saturating_sub(prefix.len())));
        if prefix.last() == Some(&0) {
            return Some(FiniteOrPeriodic::Finite(prefix));
        }
        if let Some(guess) = guess(&prefix) {
            let bound = usize::try_from(&bound(&guess, instant_winners)).ok();
            let bound = bound.filter(|&bound| bound < MOST_MEMBERS)?;
            if holds(&guess, bound + 1, &mut prefix, &mut recurrence) {
                return Some(FiniteOrPeriodic::Periodic(guess));
            }
        }
        guess_at = prefix.len() + prefix.len() / 2;
        if guess_at > MOST_MEMBERS {
            return None;
        }
    }
}

/// The sequence whose shortest period fills the end of the prefix [`REPEATS`] times, if there is
/// one.
fn guess(prefix: &[u64]) -> Option<Ultimate<u64>> {
    let repeats = |&period: &usize| {
        let tail = &prefix[prefix.len() - REPEATS * period..];
        tail[period..] == tail[..tail.len() - period]
    };
    let period = (1..=prefix.len() / REPEATS).find(repeats)?;
    let (head, last) = prefix.split_at(prefix.len() - period);
    Ultimate::new(head.to_vec(), last.to_vec()).ok()
}

/// The classical bound of this guess.
fn bound(guess: &Ultimate<u64>, instant_winners: &SetSequence) -> BigUint {
    let last_of_heads = guess.head().len().max(instant_winners.pre_period()).saturating_sub(1);
    let above_all = instant_winners.max().map_or(0, |max| max + 1);
    let periods = instant_winners.period().lcm(&BigUint::from(guess.cycle().len()));
    periods + last_of_heads + above_all
}

/// Whether the guess gives the first `members` members; stops at the first that differs. The prefix
/// keeps the computed members.
fn holds(
    guess: &Ultimate<u64>,
    members: usize,
    prefix: &mut Vec<u64>,
    recurrence: &mut FundamentalRecurrence,
) -> bool {
    for index in prefix.len()..members {
        prefix.extend(recurrence.next());
        if prefix.get(index) != Some(guess.at(index)) {
            return false;
        }
    }
    prefix.iter().enumerate().all(|(index, member)| member == guess.at(index))
}

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
    let modulus = |window| instant_winners.period_within(window);
    let recurrence = FundamentalRecurrence::new(instant_winners);
    prove_twice(instant_winners, recurrence, modulus, instant_winners.pre_period())
}

/// The losers by both methods. `instant_winners` are all of them, as the papers have them; the
/// recurrence has them in the two parts of fact 3: the past at a = 0, and the others, which repeat
/// from index `settled` on, those within a window with the modulus.
pub(crate) fn prove_twice(
    instant_winners: &SetSequence,
    recurrence: FundamentalRecurrence,
    modulus: impl Fn(RangeInclusive<u64>) -> BigUint,
    settled: usize,
) -> Result<Losers, LosersError> {
    let classical = guess_and_check(instant_winners);
    let (members, certificate) = walk(&mut Losing { recurrence, modulus }, settled)?;
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
struct Losing<'a, M> {
    recurrence: FundamentalRecurrence<'a>,
    /// The modulus μ of the window rule: the period of the instant winners within a window.
    modulus: M,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_guess_is_never_emitted() {
        // 1, 1, 1, ... has long set in when 1 and 2 are instant winners once, at a = 60. Then L_60
        // = 3; it blocks 2 at 61, where 1 is free, and both block 1 or 0 at 62: 2 from there on.
        let text = format!("[{}, {{0, 1, 2}}][{{0}}]^∞", vec!["{0}"; 60].join(", "));
        let instant_winners: SetSequence = text.parse().unwrap();
        let first: Vec<u64> = FundamentalRecurrence::new(&instant_winners).take(16).collect();
        assert_eq!(guess(&first).unwrap(), Ultimate::new(Vec::new(), vec![1]).unwrap());

        let head = [vec![1; 60], vec![3, 1]].concat();
        let expected = Ultimate::new(head, vec![2]).unwrap();
        // a0 = 61, b0 = 60, M = 3, p = q = 1.
        assert_eq!(bound(&expected, &instant_winners), BigUint::from(61_u32 + 3 + 1));
        let found = guess_and_check(&instant_winners);
        assert_eq!(found, Some(FiniteOrPeriodic::Periodic(expected)));
    }
}
