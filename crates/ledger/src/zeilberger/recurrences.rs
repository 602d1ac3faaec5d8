//! Claims about Zeilberger's recurrences: mex, two-rowed Chomp with instant winners, the scheme.

use std::collections::BTreeSet;

use byrnes::Losers;
use game::{Outcome, ThreeRows};
use num_bigint::BigUint;
use record::joined;
use ultimate::{NatSet, SetSequence, Ultimate};

use crate::arguments::Written;
use crate::evidence::Evidence;
use crate::oracles::{self, BROUWERS_TABLE, GAME_TREE, LITERAL, TABLE, TREE};
use crate::verdict::Finding;

/// Sequences of instant winners have sets of numbers below this, in the tests of all of them.
const MEMBERS: u32 = 3;

/// They have a head of this length, and then repeat one set for ever.
const HEAD: u32 = 3;

/// Losers are compared for a below this.
const COLUMNS: usize = 12;

/// The mex of sets: set and mex.
pub fn mex(_: &Evidence, (examples,): (Vec<(Vec<u64>, u64)>,)) -> Finding {
    let found = |set: &[u64]| (0..u64::MAX).find(|number| !set.contains(number)).unwrap_or(0);
    let part = |(set, said): (Vec<u64>, u64)| {
        let found = found(&set);
        (found == said, format!("mex({set:?}) = {found}"))
    };
    Finding::all(examples.into_iter().map(part), "; ")
}

/// `a_i`, the least number that is neither 0 nor 1 nor a multiple of an earlier one: the number of
/// successive ones that differ by 2, for this number of terms.
pub fn mex_of_multiples(_: &Evidence, (terms,): (usize,)) -> Finding {
    let (mut numbers, mut found) = (2_u64.., Vec::new());
    while found.len() < terms {
        let is_new = |number: &u64| !found.iter().any(|a| number.is_multiple_of(*a));
        found.extend(numbers.find(is_new));
    }
    let pairs = found.iter().zip(&found[1..]).filter(|(a, b)| *b - *a == 2).count();
    let largest = found.last().copied().unwrap_or(0);
    Finding::found(true, format!("{pairs} times among the first {terms} terms, to {largest}"))
}

/// The losers of one sequence of instant winners: `I_a`, `L_a`.
pub fn instant_winners(
    _: &Evidence,
    (Written(winners), losers): (Written<SetSequence>, String),
) -> Finding {
    match byrnes::losers(&winners) {
        Ok(found) => Finding::found(found.to_string() == *losers, format!("L = {found}")),
        Err(error) => Finding::found(false, error.to_string()),
    }
}

/// A subset of the numbers below [`MEMBERS`], by its number.
fn subset(number: u32) -> NatSet {
    (0..MEMBERS).filter(|bit| number >> bit & 1 == 1).map(u64::from).collect()
}

/// All sequences with such a head and one such set for ever; 0 is in `I_0`, since `[0,0]` is no
/// position.
fn all_instant_winners() -> impl Iterator<Item = Vec<NatSet>> {
    let sets = 1_u32 << MEMBERS;
    let sequence = move |number: u32| -> Vec<NatSet> {
        (0..=HEAD).map(|place| subset(number / sets.pow(place) % sets)).collect()
    };
    (0..sets.pow(HEAD + 1)).map(sequence).filter(|sets| sets[0].contains(0))
}

fn set_at(sets: &[NatSet], a: usize) -> &NatSet {
    &sets[a.min(sets.len() - 1)]
}

/// `L_a` for a < [`COLUMNS`], as the paper writes it.
fn recurrence(sets: &[NatSet], shift: u64) -> Vec<u64> {
    let mut losers: Vec<u64> = Vec::new();
    for a in 0..COLUMNS {
        let implied = (0_u64..)
            .zip(losers.iter().rev())
            .filter_map(|(before, loser)| loser.checked_sub(shift * (before + 1)));
        let loser = set_at(sets, a).iter().chain(implied).collect::<NatSet>().mex();
        losers.push(loser);
        if loser == 0 {
            break;
        }
    }
    losers
}

/// `L_a` for a < [`COLUMNS`], by all bites of every position `[a,b]`. No loser has a b larger than
/// the number of instant winners and of losers before it.
fn by_bites(sets: &[NatSet]) -> Vec<u64> {
    let mut losers: BTreeSet<(u64, u64)> = BTreeSet::new();
    let most = u64::from(MEMBERS) + COLUMNS as u64;
    for a in 0..COLUMNS as u64 {
        for b in 0..=most {
            let top = (0..b).map(|left| (a, left));
            let top_twos = (1..a).map(|x| (a - x, 0));
            let middle = (1..=a).map(|x| (a - x, b + x));
            let instant = set_at(sets, usize::try_from(a).expect("small")).contains(b);
            let mut bites = top.chain(top_twos).chain(middle);
            if !instant && !bites.any(|bite| losers.contains(&bite)) {
                losers.insert((a, b));
            }
        }
    }
    losers.into_iter().map(|(_, b)| b).collect()
}

/// A statement about all these sequences of instant winners.
fn in_all_cases(wrong: impl Fn(&[NatSet]) -> Option<String>) -> Finding {
    let words = |sets: &[NatSet]| format!("the instant winners {}, ...", joined(sets, ", "));
    let counterexample = all_instant_winners()
        .find_map(|sets| wrong(&sets).map(|how| format!("{}: {how}", words(&sets))));
    let number = all_instant_winners().count();
    let cases = format!(
        "{number} sequences of instant winners below {MEMBERS} that repeat from a = {HEAD} on"
    );
    Finding::in_cases(cases, counterexample)
}

/// `L_a = mex(I_a and the L_(a-j) - shift·j)`, where `shift` is 1 in the paper.
pub fn fundamental_recurrence(_: &Evidence, (shift,): (u64,)) -> Finding {
    in_all_cases(|sets| {
        let (said, found) = (recurrence(sets, shift), by_bites(sets));
        (said != found).then(|| format!("losers {found:?}, by the recurrence {said:?}"))
    })
}

/// `L_a` is at most this much, 1 in the paper, larger than all instant winners.
pub fn bounded(_: &Evidence, (over_largest,): (u64,)) -> Finding {
    in_all_cases(|sets| {
        // Without instant winners M is 0.
        let largest = sets.iter().filter_map(NatSet::max).max();
        let bound = largest.map_or(0, |largest| largest + over_largest);
        let loser = recurrence(sets, 1).into_iter().find(|&loser| loser > bound)?;
        Some(format!("a loser {loser}"))
    })
}

/// A guess that satisfies the recurrence to `less` before the paper's bound satisfies it for ever.
/// In the paper `less` is 0. Guesses have a head of one or no member, and periods of 1 or 2, of
/// members 1 to 3; the instant winners contain 0 always, so that no sequence ends.
pub fn posteriori_bound(_: &Evidence, (less,): (usize,)) -> Finding {
    let guesses = || {
        let member = |number: u64, place: u32| 1 + number / 3_u64.pow(place) % 3;
        (0..27).map(move |number| {
            let [head, cycle @ ..] = [2, 1, 0].map(|place| member(number, place));
            Ultimate::new(vec![head], cycle.to_vec()).expect("a period is there")
        })
    };
    let satisfies = |sets: &[NatSet], guess: &Ultimate<u64>, a: usize| {
        let implied = (0..a).filter_map(|i| guess.at(i).checked_sub((a - i) as u64));
        set_at(sets, a).iter().chain(implied).collect::<NatSet>().mex() == *guess.at(a)
    };
    in_all_cases(|sets| {
        if sets.iter().any(|set| !set.contains(0)) {
            return None;
        }
        let largest = sets.iter().filter_map(NatSet::max).max();
        let largest = largest.map_or(0, |of| usize::try_from(of + 1).expect("small"));
        let (last, head) = sets.split_last().expect("a sequence has a set");
        let winners = Ultimate::new(head.to_vec(), vec![last.clone()]).expect("a period is there");
        let losers = match byrnes::losers(&SetSequence::from(&winners)) {
            Ok(losers) => losers,
            Err(error) => return Some(error.to_string()),
        };
        for guess in guesses() {
            let lcm = guess.cycle().len();
            let heads = guess.head().len().max(sets.len() - 1).saturating_sub(1);
            let bound = (heads + largest + lcm).saturating_sub(less);
            let accepted = (0..=bound).all(|a| satisfies(sets, &guess, a));
            // The losers alone satisfy the recurrence for ever.
            if accepted && losers.members().periodic() != Some(&guess) {
                return Some(format!("{guess} is accepted and fails later"));
            }
        }
        None
    })
}

/// If `[a,b]`, b > 0, is a loser, then the `[a,b+ones·x]` and the `[a+x,b-twos·x]` are winners, x >
/// 0; if `[a,end]` is a loser, then the `[a+x,y]` are winners, x + y > 0. In the paper the numbers
/// are 1, 1 and 0.
pub fn implied_winners(_: &Evidence, (ones, twos, end): (u64, u64, u64)) -> Finding {
    let implies = |(a, b): (u64, u64), (other_a, other_b): (u64, u64)| {
        let is_step = |from: u64, to: u64, step: u64, x: u64| from + step * x == to;
        let right = other_a.checked_sub(a);
        let up = || (1..=COLUMNS as u64).any(|x| is_step(b, other_b, ones, x));
        let down = |x: u64| x > 0 && is_step(other_b, b, twos, x);
        (b > 0 && (right == Some(0) && up() || right.is_some_and(down)))
            || (b == end && right.is_some_and(|x| x + other_b > 0))
    };
    in_all_cases(|sets| {
        let losers: Vec<(u64, u64)> = (0..).zip(by_bites(sets)).collect();
        let pairs = losers.iter().flat_map(|&one| losers.iter().map(move |&other| (one, other)));
        let ((a, b), other) = pairs.into_iter().find(|&(one, other)| implies(one, other))?;
        Some(format!("the loser {other:?} would be a winner, since [{a},{b}] is a loser"))
    })
}

/// A bite in the middle row of `[C,a,b]` leads to a loser `[c,0,_]` if and only if `b = B_c(0) -
/// less·(C - c) - a`, and one in the bottom row to a loser `[c,_,b]` if and only if `b = B_c(a +
/// more·(C - c))`. In the paper both numbers are 1.
pub fn crucial_facts(_: &Evidence, (less, more): (u64, u64)) -> Finding {
    let loser = |c: u64, a: u64, b: u64| {
        let position = ThreeRows::from_zeilberger(c, a, b).expect("a bite leaves a position");
        oracles::outcome(position) == Outcome::P
    };
    let row = |c: u64| oracles::literal(usize::try_from(c).expect("small"));
    let b_of = |c: u64, a: u64| row(c).get(&BigUint::from(a));
    Finding::each(1..=TREE / 2, |of| {
        let cases = (0..=TREE - of).flat_map(|a| (0..=TREE - of - a).map(move |b| (a, b)));
        let wrong = |(a, b): (u64, u64)| {
            (0..of).find_map(|c| {
                let before = b_of(c, 0).and_then(|b| b.checked_sub(less * (of - c) + a));
                let middle = loser(c, 0, a + b + of - c) == (before == Some(b));
                let bottom = loser(c, a + of - c, b) == (b_of(c, a + more * (of - c)) == Some(b));
                let row = if middle { "bottom" } else { "middle" };
                (!(middle && bottom))
                    .then(|| format!("the {row} row of [{of},{a},{b}], to c = {c}"))
            })
        };
        cases.into_iter().find_map(wrong)
    })
    .by(format!(
        "all bites of the positions with p <= {TREE}, by the game tree; B_c by the literal recurrence"
    ))
}

/// The numbers that a first state and those after it give. They repeat once a state comes again.
fn repeating<S: Copy + PartialEq>(first: S, step: impl Fn(S) -> (u64, S)) -> Ultimate<u64> {
    let (mut numbers, mut states) = (Vec::new(), vec![first]);
    loop {
        let (number, next) = step(states[states.len() - 1]);
        numbers.push(number);
        if let Some(again) = states.iter().position(|state| *state == next) {
            let cycle = numbers.split_off(again);
            return Ultimate::new(numbers, cycle).expect("a period is there");
        }
        states.push(next);
    }
}

/// The decimals of a fraction less than 1: numerator and denominator, decimals after the point.
pub fn decimals(_: &Evidence, ((part, whole), said): ((u64, u64), String)) -> Finding {
    let found = repeating(part % whole, |rest| (10 * rest / whole, 10 * rest % whole)).to_string();
    Finding::found(found == *said, found).by("long division to the same remainder")
}

/// The continued fraction of the square root of a number, which is no square: the number, and its
/// partial quotients.
pub fn continued_fraction(_: &Evidence, (number, said): (u64, String)) -> Finding {
    let root = number.isqrt();
    let found = repeating((0, 1), |(m, d)| {
        let quotient = (root + m) / d;
        let m = quotient * d - m;
        (quotient, (m, (number - m * m) / d))
    });
    let found = found.to_string();
    Finding::found(found == *said, found)
        .by("complete quotients (√N + m)/d in integers, until one comes again")
}

/// The recurrence scheme gives the rows of three-rowed Chomp, and row 0 has these offsets.
pub fn scheme(_: &Evidence, (row_0,): (String,)) -> Finding {
    let first = format!("B_0 = {}", oracles::literal(0));
    if oracles::literal(0).to_string() != *row_0 {
        return Finding::unless(Some(first));
    }
    Finding::each(0..=LITERAL as u64, |row| {
        let offsets: &Losers = oracles::literal(usize::try_from(row).expect("small"));
        let value = |q: u64| Some((q, q + offsets.get(&BigUint::from(q - row))?));
        let in_tree = GAME_TREE.p_positions().filter(|position| position.r() == row);
        let in_tree: BTreeSet<(u64, u64)> =
            in_tree.map(|position| (position.q(), position.p())).collect();
        let said = (row..=TREE).filter_map(value).filter(|(_, p)| *p <= TREE);
        if !said.eq(in_tree) {
            return Some(format!("row {row} differs from the game tree"));
        }
        let by_brouwer = BROUWERS_TABLE.row(row).map(|position| (position.q(), position.p()));
        let differs = !(row..=TABLE).filter_map(value).eq(by_brouwer);
        differs.then(|| format!("row {row} differs from Brouwer's recurrence"))
    })
    .with(first)
    .by(format!(
        "the scheme's rows 0 to {LITERAL} against the game tree, p <= {TREE}, and against Brouwer's \
         recurrence, q <= {TABLE}"
    ))
}
