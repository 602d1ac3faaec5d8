//! Zeilberger's *a posteriori justification*: guess the period, then check it to the classical
//! bound.

use num_bigint::BigUint;
use num_integer::Integer;
use ultimate::{FiniteOrPeriodic, SetSequence, Ultimate};

use crate::FundamentalRecurrence;

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
pub(crate) fn guess_and_check(instant_winners: &SetSequence) -> Option<FiniteOrPeriodic<u64>> {
    let mut recurrence = FundamentalRecurrence::new(instant_winners);
    let mut prefix = Vec::new();
    let mut guess_at = FIRST_GUESS;
    loop {
        if extend_to(&mut prefix, guess_at, &mut recurrence) {
            return Some(FiniteOrPeriodic::Finite(prefix));
        }
        if let Some(guess) = guess(&prefix) {
            let members = members_to(&bound(&guess, instant_winners))?;
            if holds(&guess, members, &mut prefix, &mut recurrence) {
                return Some(FiniteOrPeriodic::Periodic(guess));
            }
        }
        guess_at = prefix.len() + prefix.len() / 2;
        if guess_at > MOST_MEMBERS {
            return None;
        }
    }
}

/// Extends the prefix to `length` members; true if it ends with 0 before that.
fn extend_to(prefix: &mut Vec<u64>, length: usize, recurrence: &mut FundamentalRecurrence) -> bool {
    let missing = length.saturating_sub(prefix.len());
    prefix.extend(recurrence.take(missing));
    prefix.last() == Some(&0)
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
pub(crate) fn bound(guess: &Ultimate<u64>, instant_winners: &SetSequence) -> BigUint {
    let last_of_heads = guess.head().len().max(instant_winners.pre_period()).saturating_sub(1);
    let above_all = instant_winners.max().map_or(0, |max| max + 1);
    let periods = instant_winners.period().lcm(&BigUint::from(guess.cycle().len()));
    periods + last_of_heads + above_all
}

/// The number of members up to index `bound`, if it can be counted.
fn members_to(bound: &BigUint) -> Option<usize> {
    usize::try_from(bound).ok().filter(|&bound| bound < MOST_MEMBERS).map(|bound| bound + 1)
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
