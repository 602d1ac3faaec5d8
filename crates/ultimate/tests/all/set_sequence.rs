//! `SetSequence` against prefixes written out, and against periods that never can be.

use crate::common;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use common::{
    Plain, TERMS, least, part, plain, raw_numbers, raw_sets, set, sets, sets_prefix, sets_term,
};
use num_bigint::BigUint;
use num_integer::Integer;
use proptest::collection::vec;
use proptest::prelude::*;
use ultimate::{FiniteOrPeriodic, NatSet, SetSequence, Ultimate};

fn prefix_of(sequence: &SetSequence) -> Vec<Plain> {
    assert!(common::is_valid(sequence), "{sequence}");
    (0..TERMS).map(|index| plain(&sequence.at(index))).collect()
}

/// The least period of each number that occurs without end: by the definition, from a prefix.
fn periods(prefix: &[Plain]) -> BTreeMap<u64, usize> {
    let numbers: BTreeSet<u64> = prefix[24..].iter().flatten().copied().collect();
    let period =
        |number: u64| least(&prefix.iter().map(|set| set.contains(&number)).collect::<Vec<_>>()).1;
    numbers.into_iter().map(|number| (number, period(number))).collect()
}

proptest! {
    #[test]
    fn the_shortest_form_of_the_same_sets(parts in raw_sets(6)) {
        let (sequence, terms) = (sets(&parts), sets_prefix(&parts));
        prop_assert_eq!(prefix_of(&sequence), terms.clone());
        let (start, period) = least(&terms);
        prop_assert_eq!(sequence.pre_period(), start);
        prop_assert_eq!(sequence.period(), BigUint::from(period));
        prop_assert_eq!(sequence.max(), terms.iter().filter_map(Plain::last).max().copied());
        for (index, term) in terms.iter().enumerate() {
            let mex = (0..=140).find(|n| !term.contains(n)).unwrap();
            prop_assert_eq!(NatSet::mex_of_union(sequence.parts_at(index)), mex);
        }
    }

    #[test]
    fn each_number_has_its_own_period(parts in raw_sets(6), low in 0_u64..70, high in 0_u64..140) {
        let (sequence, periods) = (sets(&parts), periods(&sets_prefix(&parts)));
        // A layer enters whole, but all its numbers have the one period.
        let within = periods.range(low.min(high)..=high).map(|(_, period)| *period);
        let lcm = within.fold(1_usize, |lcm, period| lcm.lcm(&period));
        prop_assert_eq!(sequence.period_within(low..=high), BigUint::from(if low > high { 1 } else { lcm }));
    }

    /// One after the other, in another order, all at once, by text.
    #[test]
    fn many_routes_one_sequence(parts in raw_sets(6)) {
        let sequence = sets(&parts);
        let backwards = parts.iter().rev().fold(SetSequence::empty(), |all, raw| part(raw).union(&all));
        prop_assert_eq!(&backwards, &sequence);
        // Heads up to 5, and 60 = lcm(1, …, 6).
        let written_out = |range: std::ops::Range<usize>| range.map(|a| set(&sets_term(&parts, a))).collect();
        let whole = Ultimate::<NatSet>::new(written_out(0..7), written_out(7..67)).unwrap();
        prop_assert_eq!(&SetSequence::from(&whole), &sequence);
        prop_assert_eq!(&whole.to_string().parse::<SetSequence>().unwrap(), &sequence);
        let text = sequence.to_string();
        prop_assert_eq!(&text.parse::<SetSequence>().unwrap(), &sequence);
        let typed = text.replace('∞', "oo").replace('∪', " U").replace('∅', "{ }");
        prop_assert_eq!(&typed.parse::<SetSequence>().unwrap(), &sequence);
        prop_assert_eq!(HashSet::from([backwards, SetSequence::from(&whole), sequence]).len(), 1);
    }

    #[test]
    fn equal_just_if_the_sets_are(a in raw_sets(2), b in raw_sets(2)) {
        prop_assert_eq!(sets(&a) == sets(&b), sets_prefix(&a) == sets_prefix(&b));
    }

    #[test]
    fn union(a in raw_sets(4), b in raw_sets(4)) {
        let (one, two) = (sets(&a), sets(&b));
        let expected: Vec<Plain> =
            sets_prefix(&a).iter().zip(&sets_prefix(&b)).map(|(a, b)| a | b).collect();
        let union = one.union(&two);
        prop_assert_eq!(prefix_of(&union), expected);
        prop_assert_eq!(&two.union(&one), &union);
        prop_assert_eq!(&union.union(&one), &union);
        let mut grown = one;
        grown.union_with(&two);
        prop_assert_eq!(grown, union);
    }

    #[test]
    fn laws_of_sets(a in raw_sets(4), b in raw_sets(4), c in raw_sets(3)) {
        let [a, b, c] = [a, b, c].map(|raw| sets(&raw));
        prop_assert_eq!(a.union(&b).union(&c), a.union(&b.union(&c)));
        prop_assert_eq!(&a.union(&SetSequence::empty()), &a);
        // Chop is a homomorphism.
        prop_assert_eq!(a.union(&b).chop(), a.chop().union(&b.chop()));
    }

    #[test]
    fn chop(parts in raw_sets(6), chops in 0_usize..30) {
        let (mut sequence, terms) = (sets(&parts), sets_prefix(&parts));
        for _ in 0..chops {
            sequence = sequence.chop();
            prop_assert!(common::is_valid(&sequence));
        }
        prop_assert_eq!(&prefix_of(&sequence)[..TERMS - chops], &terms[chops..]);
    }

    #[test]
    fn images(parts in raw_sets(6), divisor in 1_u64..5, always in 0_u64..3) {
        let sequence = sets(&parts);
        let less = |term: &Plain| term.iter().filter_map(|n| n.checked_sub(1)).collect::<Plain>();
        let expected: Vec<Plain> = sets_prefix(&parts).iter().map(less).collect();
        prop_assert_eq!(prefix_of(&sequence.map_sets(NatSet::one_less)), expected);
        // A function that identifies numbers of different layers, and keeps no empty set.
        let image = |set: &NatSet| set.iter().map(|n| n / divisor).chain([always]).collect();
        let expected: Vec<Plain> =
            sets_prefix(&parts).iter().map(|set| plain(&image(&common::set(set)))).collect();
        prop_assert_eq!(prefix_of(&sequence.map_sets(image)), expected);
    }

    #[test]
    fn far_out(parts in raw_sets(6), index in 5_usize..100, steps in any::<[u64; 4]>()) {
        let far = steps.iter().fold(BigUint::from(1_u8), |product, step| product * *step) * 60_u32;
        prop_assert_eq!(plain(&sets(&parts).get(&(far + index))), sets_term(&parts, index));
        prop_assert_eq!(plain(&sets(&parts).get(&BigUint::from(index))), sets_term(&parts, index));
    }

    #[test]
    fn sets_of_one(raw in raw_numbers(5), few in vec(0_u64..200, 0..12), many in vec(common::plain_set(), 0..12)) {
        let numbers = FiniteOrPeriodic::Periodic(common::numbers(&raw));
        let single = SetSequence::singletons(&numbers);
        prop_assert!(common::is_valid(&single));
        prop_assert!((0..TERMS).all(|a| single.at(a) == NatSet::from([common::term(&raw, a)])));
        let finite = SetSequence::singletons(&FiniteOrPeriodic::Finite(few.clone()));
        prop_assert!(common::is_valid(&finite));
        prop_assert_eq!(finite.pre_period(), few.len());
        let expected = |a: usize| few.get(a).copied().into_iter().collect::<NatSet>();
        prop_assert!((0..TERMS).all(|a| finite.at(a) == expected(a)));
        let finite = SetSequence::finite(many.iter().map(set));
        prop_assert!(common::is_valid(&finite));
        prop_assert!((0..TERMS).all(|a| plain(&finite.at(a)) == many.get(a).cloned().unwrap_or_default()));
    }
}

const PRIMES: [usize; 24] = [
    97, 101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191,
    193, 197, 199, 211, 223,
];

/// Number n at the multiples of the n-th prime, from index 0 on.
fn coprime_layers() -> SetSequence {
    PRIMES.iter().zip(0_u64..).fold(SetSequence::empty(), |all, (prime, number)| {
        let mut period = vec![NatSet::new(); *prime];
        period[0].insert(number);
        all.union(&SetSequence::from(&Ultimate::new(vec![], period).unwrap()))
    })
}

/// Were the common period of 53 digits ever written out, these tests would not end.
#[test]
fn coprime_layers_are_never_multiplied_out() {
    let sequence = coprime_layers();
    assert!(common::is_valid(&sequence));
    let product = |primes: &[usize]| primes.iter().fold(BigUint::from(1_u8), |n, p| n * *p);
    assert_eq!(sequence.period(), product(&PRIMES));
    assert_eq!(sequence.period_within(3..=5), product(&PRIMES[3..=5]));
    assert_eq!(sequence.period_within(24..=1000), BigUint::from(1_u8));

    let everything: NatSet = (0..24).collect();
    assert_eq!(sequence.get(&product(&PRIMES)), everything);
    let without_first: NatSet = (1..24).collect();
    assert_eq!(sequence.get(&(product(&PRIMES) * 1000_u32 + product(&PRIMES[1..]))), without_first);
    assert_eq!(sequence.at(97 * 103), NatSet::from([0, 2]));

    assert_eq!(sequence.union(&sequence), sequence);
    assert_eq!(sequence.to_string().parse::<SetSequence>().unwrap(), sequence);
    let mut chopped = sequence.clone();
    for index in 0..2000 {
        assert_eq!(chopped.at(0), sequence.at(index));
        chopped = chopped.chop();
    }
    assert_eq!(sequence.union(&chopped).period(), product(&PRIMES));

    let less = sequence.map_sets(NatSet::one_less);
    assert!(common::is_valid(&less));
    assert_eq!(less.period(), product(&PRIMES[1..]));
    assert_eq!(less.get(&product(&PRIMES)), (0..23).collect());
}

/// Coprime layers and a head that agrees with them, read backwards, over thousands of positions.
#[test]
fn a_long_head_that_goes() {
    let sequence = coprime_layers();
    let gap = SetSequence::finite((0..5000).map(|_| NatSet::from([500])));
    let both = sequence.union(&gap);
    assert!(common::is_valid(&both));
    assert_eq!(both.pre_period(), 5000);
    let mut every = both.clone();
    every.union_with(&"[{500}]^∞".parse().unwrap());
    assert!(common::is_valid(&every));
    assert_eq!(every.pre_period(), 0);
    assert_eq!((0..5000).fold(both, |later, _| later.chop()).at(97), sequence.at(5097));
}

#[test]
fn two_periods_of_one_number() {
    let union =
        |a: &str, b: &str| a.parse::<SetSequence>().unwrap().union(&b.parse().unwrap()).to_string();
    // At 0, 2, 3, 4 of 6.
    assert_eq!(union("[{5}, ∅]^∞", "[{5}, ∅, ∅]^∞"), "[{5}, ∅, {5}, {5}, {5}, ∅]^∞");
    // Together everywhere: the period shrinks.
    assert_eq!(union("[{5}, ∅]^∞", "[∅, {5}]^∞"), "[{5}]^∞");
    assert_eq!(union("[{5}, ∅, ∅, ∅]^∞", "[∅, ∅, {5}, ∅]^∞"), "[{5}, ∅]^∞");
    // Only 5 is written out to 6; 1 and 2 keep their periods.
    assert_eq!(
        union("[{1, 5}, ∅]^∞", "[{2, 5}, ∅, ∅]^∞"),
        "([{1}, ∅]^∞ ∪ [{2}, ∅, ∅]^∞ ∪ [{5}, ∅, {5}, {5}, {5}, ∅]^∞)"
    );
}

/// Number 0 at the multiples of p, and number 1 everywhere else.
fn comb(p: usize) -> SetSequence {
    let period = (0..p).map(|index| NatSet::from([u64::from(index > 0)])).collect();
    SetSequence::from(&Ultimate::new(vec![], period).unwrap())
}

#[test]
fn combs_within_reach() {
    let mut sequence = comb(8192);
    sequence.union_with(&comb(16384).chop());
    // Moved by one position: where one comb misses number 1, the other has it.
    assert_eq!(sequence.period(), BigUint::from(16384_u16));
    assert_eq!(sequence.period_within(1..=1), BigUint::from(1_u8));
}

#[test]
#[should_panic(expected = "sequences with the periods 8192 and 8193 cannot be combined")]
fn a_union_out_of_reach() {
    comb(8192).union_with(&comb(8193));
}

/// The paper's example of a sequence of sets, and its W' and W'' for c = 0.
#[test]
fn printed_as_in_the_paper() {
    for text in [
        "[{0, 1, 2, 3}, {0, 1, 5}][{0, 1}]^∞",
        "[{0}][∅]^∞",
        "[∅]^∞",
        "[{0}, {1}]([{1}]^∞ ∪ [{2}, {3}]^∞)",
    ] {
        assert_eq!(text.parse::<SetSequence>().unwrap().to_string(), text);
    }
    assert_eq!(SetSequence::default(), SetSequence::empty());
    assert_eq!(SetSequence::finite([]), SetSequence::empty());
}
