//! The fundamental recurrence for two-rowed Chomp with instant winners.

use ultimate::{NatSet, SetSequence};

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
        let loser = NatSet::mex_of_union(std::iter::once(&self.past).chain(instant));
        self.past.insert(loser);
        self.past.make_one_less();
        self.index += 1;
        self.ended = loser == 0;
        Some(loser)
    }
}
