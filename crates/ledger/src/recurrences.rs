//! Claims about Zeilberger's recurrences: mex, two-rowed Chomp with instant winners, the scheme.

use std::collections::BTreeSet;

use byrnes::{Losers, Perturbation};
use driver::renormalized;
use game::{Outcome, ThreeRows};
use num_bigint::BigUint;
use record::joined;
use serde::Deserialize;
use ultimate::{FiniteOrPeriodic, NatSet, SetSequence, Ultimate};

use crate::evidence::{LITERAL, Oracles, TABLE, TREE};
use crate::verdict::{Examined, Finding};

/// A test on recurrences.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum RecurrenceTest {
    /// The mex of a set.
    Mex {
        /// Set and mex.
        examples: Vec<(Vec<u64>, u64)>,
    },
    /// `a_i`, the least number that is neither 0 nor 1 nor a multiple of an earlier one: the number
    /// of successive ones that differ by 2.
    MexOfMultiples {
        /// The number of terms.
        terms: usize,
    },
    /// The losers of one sequence of instant winners.
    InstantWinners {
        /// `I_a`.
        winners: String,
        /// `L_a`.
        losers: String,
    },
    /// `L_a = mex(I_a and the L_(a-j) - shift·j)`.
    FundamentalRecurrence {
        /// 1 in the paper.
        shift: u64,
    },
    /// `L_a` is at most this much larger than all instant winners.
    Bounded {
        /// 1 in the paper.
        over_largest: u64,
    },
    /// A guess that satisfies the recurrence to this much less than the paper's bound satisfies it
    /// for ever.
    PosterioriBound {
        /// 0 in the paper.
        less: usize,
    },
    /// If `[a,b]`, b > 0, is a loser, then the `[a,b+ones·x]` and the `[a+x,b-twos·x]` are winners,
    /// x > 0; if `[a,end]` is a loser, then the `[a+x,y]` are winners, x + y > 0.
    ImpliedWinners {
        /// 1 in the paper.
        ones: u64,
        /// 1 in the paper.
        twos: u64,
        /// 0 in the paper.
        end: u64,
    },
    /// A bite in the middle row of `[C,a,b]` leads to a loser `[c,0,_]` if and only if
    /// `b = B_c(0) - less·(C - c) - a`, and one in the bottom row to a loser `[c,_,b]` if and only
    /// if `b = B_c(a + more·(C - c))`.
    CrucialFacts {
        /// 1 in the paper.
        less: u64,
        /// 1 in the paper.
        more: u64,
    },
    /// The decimals of a fraction less than 1.
    Decimals {
        /// Numerator and denominator.
        fraction: (u64, u64),
        /// The decimals after the point.
        decimals: String,
    },
    /// The continued fraction of the square root of a number.
    ContinuedFraction {
        /// The number.
        root_of: u64,
        /// Its partial quotients.
        quotients: String,
    },
    /// From Chomp's first sheet and from random ones, the map from an instant-winner sheet to the
    /// next leads to P-positions within a distance of the three lines that does not grow with r.
    ThreeLines {
        /// x and y of the slope of the diagonal, `α = x + y/√2`. Both are 1.
        alpha: (i64, i64),
    },
    /// The recurrence scheme gives the rows of three-rowed Chomp.
    Scheme {
        /// The offsets of row 0.
        row_0: String,
    },
}

/// Sequences of instant winners have sets of numbers below this, in the tests of all of them.
const MEMBERS: u32 = 3;

/// They have a head of this length, and then repeat one set for ever.
const HEAD: u32 = 3;

/// Losers are compared for a below this.
const COLUMNS: usize = 12;

impl RecurrenceTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, oracles: &Oracles) -> Examined {
        let small_cases = "the recurrence, on all small cases";
        match self {
            Self::Mex { examples } => {
                let found = |set: &Vec<u64>| mex(set.iter().copied());
                let words =
                    examples.iter().map(|(set, _)| format!("mex({set:?}) = {}", found(set)));
                let right = examples.iter().all(|(set, said)| found(set) == *said);
                Finding::found(right, joined(words, "; ")).by("by definition")
            }
            Self::MexOfMultiples { terms } => mex_of_multiples(*terms).by("by definition"),
            Self::InstantWinners { winners, losers } => {
                instant_winners(winners, losers).by("the literal recurrence, proved")
            }
            Self::FundamentalRecurrence { shift } => {
                fundamental_recurrence(*shift).by("all bites of every position")
            }
            Self::Bounded { over_largest } => bounded(*over_largest).by(small_cases),
            Self::PosterioriBound { less } => posteriori_bound(*less).by(small_cases),
            Self::ImpliedWinners { ones, twos, end } => {
                implied_winners(*ones, *twos, *end).by("all bites of every position")
            }
            Self::CrucialFacts { less, more } => {
                let how = "all bites of the positions with p <=";
                crucial_facts(oracles, *less, *more)
                    .by(format!("{how} {TREE}, by the game tree; B_c by the literal recurrence"))
            }
            Self::Decimals { fraction, decimals } => {
                let found = found_decimals(*fraction).to_string();
                Finding::found(found == *decimals, found).by("long division to the same remainder")
            }
            Self::ContinuedFraction { root_of, quotients } => {
                let found = continued_fraction(*root_of).to_string();
                let how = "complete quotients (√N + m)/d in integers, until one comes again";
                Finding::found(found == *quotients, found).by(how)
            }
            Self::ThreeLines { alpha } => three_lines(*alpha).by(format!(
                "fact 1 as a map on sheets, iterated from Chomp's first sheet and from the \
                     first {RANDOM_SHEETS} random perturbations"
            )),
            Self::Scheme { row_0 } => {
                let how = "against the game tree";
                scheme(oracles, row_0).by(format!(
                    "the scheme's rows 0 to {LITERAL} {how}, p <= {TREE}, and against Brouwer's \
                     recurrence, q <= {TABLE}"
                ))
            }
        }
    }
}

fn mex(set: impl Iterator<Item = u64>) -> u64 {
    let set: BTreeSet<u64> = set.collect();
    (0..=set.len() as u64).find(|n| !set.contains(n)).expect("a set has not all these members")
}

fn mex_of_multiples(terms: usize) -> Finding {
    let mut below = 16;
    let found = loop {
        let mut multiple = vec![false; below];
        let mut found = Vec::new();
        for number in 2..below {
            if !multiple[number] {
                found.push(number);
                multiple.iter_mut().step_by(number).for_each(|multiple| *multiple = true);
            }
        }
        if found.len() >= terms {
            break found;
        }
        below *= 2;
    };
    let found = &found[..terms];
    let pairs = found.iter().zip(&found[1..]).filter(|(a, b)| *b - *a == 2).count();
    let largest = found.last().copied().unwrap_or(0);
    Finding::found(true, format!("{pairs} times among the first {terms} terms, to {largest}"))
}

fn instant_winners(winners: &str, losers: &str) -> Finding {
    let winners: SetSequence = winners.parse().expect("the sequences of the ledger are sequences");
    match byrnes::losers(&winners) {
        Ok(found) => Finding::found(found.to_string() == losers, format!("L = {found}")),
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

fn members(set: &NatSet) -> impl Iterator<Item = u64> {
    (0..u64::from(MEMBERS)).filter(|&member| set.contains(member))
}

/// `L_a` for a < [`COLUMNS`], as the paper writes it.
fn recurrence(sets: &[NatSet], shift: u64) -> Vec<u64> {
    let mut losers: Vec<u64> = Vec::new();
    for a in 0..COLUMNS {
        let implied = (0_u64..)
            .zip(losers.iter().rev())
            .filter_map(|(before, loser)| loser.checked_sub(shift * (before + 1)));
        let loser = mex(members(set_at(sets, a)).chain(implied));
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

fn sequence_words(sets: &[NatSet]) -> String {
    format!("the instant winners {}, ...", joined(sets, ", "))
}

/// A statement about all these sequences of instant winners.
fn in_all_cases(wrong: impl Fn(&[NatSet]) -> Option<String>) -> Finding {
    let counterexample = all_instant_winners()
        .find_map(|sets| wrong(&sets).map(|how| format!("{}: {how}", sequence_words(&sets))));
    let number = all_instant_winners().count();
    let tested = format!(
        "{number} sequences of instant winners below {MEMBERS} that repeat from a = {HEAD} on"
    );
    Finding::Cases { counterexample, tested }
}

fn fundamental_recurrence(shift: u64) -> Finding {
    in_all_cases(|sets| {
        let (said, found) = (recurrence(sets, shift), by_bites(sets));
        (said != found).then(|| format!("losers {found:?}, by the recurrence {said:?}"))
    })
}

fn bounded(over_largest: u64) -> Finding {
    in_all_cases(|sets| {
        // Without instant winners M is 0.
        let largest = sets.iter().flat_map(members).max();
        let bound = largest.map_or(0, |largest| largest + over_largest);
        let loser = recurrence(sets, 1).into_iter().find(|&loser| loser > bound)?;
        Some(format!("a loser {loser}"))
    })
}

/// Guesses have a head of one or no member, and periods of 1 or 2, of members 1 to 3; the instant
/// winners contain 0 always, so that no sequence ends.
fn posteriori_bound(less: usize) -> Finding {
    let guesses = || {
        let members = 1..=u64::from(MEMBERS);
        let triples = members.clone().flat_map(move |x| {
            let members = members.clone();
            members.clone().flat_map(move |y| members.clone().map(move |z| [x, y, z]))
        });
        triples.map(|[x, y, z]| Ultimate::new(vec![x], vec![y, z]).expect("a period is there"))
    };
    let satisfies = |sets: &[NatSet], guess: &Ultimate<u64>, a: usize| {
        let implied = (0..a).filter_map(|i| guess.at(i).checked_sub((a - i) as u64));
        mex(members(set_at(sets, a)).chain(implied)) == *guess.at(a)
    };
    in_all_cases(|sets| {
        if sets.iter().any(|set| !set.contains(0)) {
            return None;
        }
        let largest = sets.iter().flat_map(members).max().map_or(0, |largest| largest + 1);
        let largest = usize::try_from(largest).expect("small");
        let (last, head) = sets.split_last().expect("a sequence has a set");
        let winners = Ultimate::new(head.to_vec(), vec![last.clone()]).expect("a period is there");
        let winners = SetSequence::from(&winners);
        for guess in guesses() {
            let lcm = guess.cycle().len();
            let heads = guess.head().len().max(sets.len() - 1).saturating_sub(1);
            let bound = (heads + largest + lcm).saturating_sub(less);
            let accepted = (0..=bound).all(|a| satisfies(sets, &guess, a));
            if accepted && !satisfies_for_ever(&winners, &guess) {
                return Some(format!("{guess} is accepted and fails later"));
            }
        }
        byrnes::losers(&winners).err().map(|error| error.to_string())
    })
}

/// Whether a guess with members up to [`MEMBERS`] satisfies the recurrence for every a from
/// [`MEMBERS`] on: no member is an instant winner or implied by an earlier loser, and all smaller
/// numbers are. Losers more than [`MEMBERS`] before a imply nothing.
fn satisfies_for_ever(winners: &SetSequence, guess: &Ultimate<u64>) -> bool {
    let chopped = |sequence: &SetSequence, times: u32| {
        (0..times).fold(sequence.clone(), |sequence, _| byrnes::chop(sequence))
    };
    let guess = SetSequence::singletons(&FiniteOrPeriodic::Periodic(guess.clone()));
    let implied = (1..=MEMBERS).map(|before| {
        let earlier = chopped(&guess, MEMBERS - before);
        (0..before).fold(earlier, |sequence, _| byrnes::one_less(&sequence))
    });
    let blocked = implied.fold(chopped(winners, MEMBERS), |all, implied| all.union(&implied));
    let guess = chopped(&guess, MEMBERS);
    let smaller = guess.map_sets(|set| set.iter().flat_map(|member| 0..member).collect());
    let none = SetSequence::empty();
    guess.intersection(&blocked) == none && smaller.difference(&blocked) == none
}

fn implied_winners(ones: u64, twos: u64, end: u64) -> Finding {
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

fn crucial_facts(oracles: &Oracles, less: u64, more: u64) -> Finding {
    let loser = |c: u64, a: u64, b: u64| {
        let position = ThreeRows::from_zeilberger(c, a, b).expect("a bite leaves a position");
        oracles.outcome(position) == Outcome::P
    };
    let b_of = |c: u64, a: u64| {
        let row = oracles.literal(usize::try_from(c).expect("small"));
        row.get(&BigUint::from(a))
    };
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

fn found_decimals((numerator, denominator): (u64, u64)) -> Ultimate<u64> {
    repeating(numerator % denominator, |rest| (10 * rest / denominator, 10 * rest % denominator))
}

/// Of N, which is no square.
fn continued_fraction(number: u64) -> Ultimate<u64> {
    let root = number.isqrt();
    repeating((0, 1), |(m, d)| {
        let quotient = (root + m) / d;
        let m = quotient * d - m;
        (quotient, (m, (number - m * m) / d))
    })
}

/// Rows of the scheme against the game tree and Brouwer's recurrence.
fn scheme(oracles: &Oracles, row_0: &str) -> Finding {
    let first = oracles.literal(0).to_string();
    if first != row_0 {
        return Finding::unless(Some(format!("B_0 = {first}")));
    }
    Finding::each(0..=LITERAL as u64, |row| {
        let offsets: &Losers = oracles.literal(usize::try_from(row).expect("small"));
        let value = |q: u64| Some((q, q + offsets.get(&BigUint::from(q - row))?));
        let mut in_tree: Vec<(u64, u64)> = oracles
            .tree()
            .p_positions()
            .filter(|position| position.r() == row)
            .map(|position| (position.q(), position.p()))
            .collect();
        in_tree.sort_unstable();
        let said = (row..=TREE).filter_map(value).filter(|(_, p)| *p <= TREE);
        if !said.eq(in_tree) {
            return Some(format!("row {row} differs from the game tree"));
        }
        let by_brouwer = oracles.table().row(row).map(|position| (position.q(), position.p()));
        let differs = !(row..=TABLE).filter_map(value).eq(by_brouwer);
        differs.then(|| format!("row {row} differs from Brouwer's recurrence"))
    })
    .with(format!("B_0 = {first}"))
}

/// Random first sheets, the last row of each, and the greatest distance from the lines there, in
/// squares: a 32nd of the row's number.
const RANDOM_SHEETS: u64 = 9;
const SHEET_ROW: u32 = 2048;
const NEAR: u64 = 2048 / 32;

/// The sheets of rows 128, 256, ..., one counterexample at most.
fn three_lines(alpha: (i64, i64)) -> Finding {
    let starts = std::iter::once(Perturbation::default());
    let (mut far, mut counterexample) = (0, None);
    for (place, start) in starts.chain((0..RANDOM_SHEETS).map(Perturbation::random)).enumerate() {
        let sheets = renormalized(&start, SHEET_ROW, alpha, &()).expect("nobody stops it");
        for sheet in sheets.iter().filter(|sheet| sheet.row >= SHEET_ROW.into()) {
            far = far.max(sheet.greatest);
            if sheet.greatest > NEAR && counterexample.is_none() {
                let (row, squares) = (sheet.row, sheet.greatest);
                counterexample =
                    Some(format!("start {place}, row {row}: {squares} squares from the lines"));
            }
        }
    }
    let tested = format!(
        "{} first sheets, each with y and z to 3r/4: in row {SHEET_ROW} all \
         P-positions are within {far} squares of the lines",
        RANDOM_SHEETS + 1
    );
    Finding::Cases { counterexample, tested }
}
