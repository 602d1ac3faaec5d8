//! `NatSet` against the standard library's `BTreeSet`.

use crate::common;

use std::collections::{BTreeSet, HashSet};

use common::{Plain, plain, set};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use ultimate::{NatSet, SetSequence, least_free};

/// Dense below, sparse above, with the ends of words.
fn any_plain() -> impl Strategy<Value = Plain> {
    let member = prop_oneof![0_u64..8, 62_u64..67, 126_u64..130, 0_u64..400];
    btree_set(member, 0..40)
}

proptest! {
    #[test]
    fn members(sample in any_plain()) {
        let bits = set(&sample);
        prop_assert_eq!(plain(&bits), sample.clone());
        prop_assert!(bits.iter().is_sorted());
        prop_assert_eq!(bits.len(), sample.len() as u64);
        prop_assert_eq!(bits.is_empty(), sample.is_empty());
        prop_assert_eq!(bits.max(), sample.last().copied());
        prop_assert_eq!(bits.mex(), (0..=400).find(|n| !sample.contains(n)).unwrap());
        prop_assert!((0..450).all(|n| bits.contains(n) == sample.contains(&n)));
        prop_assert_eq!(format!("{bits:?}"), format!("{sample:?}"));
    }

    #[test]
    fn members_are_added(numbers in vec(0_u64..300, 0..200)) {
        let (mut bits, mut plainly) = (NatSet::new(), BTreeSet::new());
        for number in numbers {
            prop_assert_eq!(bits.insert(number), plainly.insert(number));
            prop_assert_eq!(bits.max(), plainly.last().copied());
        }
        prop_assert_eq!(&bits, &set(&plainly));
        let hashes = HashSet::from([bits, set(&plainly)]);
        prop_assert_eq!(hashes.len(), 1);
    }

    #[test]
    fn words(sample in any_plain(), first in 0_u64..500) {
        let bits = set(&sample);
        let word = |first: u64| (0..64).filter(|bit| sample.contains(&(first + bit))).fold(0, |word, bit| word | 1 << bit);
        prop_assert_eq!(bits.word_from(first), word(first));
        prop_assert_eq!(bits.word(first / 64), word(first / 64 * 64));
        let mut emptied = bits.clone();
        emptied.clear();
        prop_assert_eq!(emptied, NatSet::new());
        prop_assert_eq!([bits.word(u64::MAX), bits.word_from(u64::MAX)], [0, 0]);
    }

    #[test]
    fn the_least_number_from_another_one(
        sample in any_plain(),
        full in 0_u64..300,
        from in 0_u64..450,
    ) {
        let [a, b]: [NatSet; 2] = [set(&sample), (0..full).collect()];
        let expected = (from..=450).find(|n| *n >= full && !sample.contains(n)).unwrap();
        prop_assert_eq!(least_free(from, |k| a.word(k) | b.word(k)), expected);
    }

    #[test]
    fn one_less(sample in any_plain()) {
        let expected: Plain = sample.iter().filter(|n| **n > 0).map(|n| n - 1).collect();
        let mut bits = set(&sample);
        prop_assert_eq!(plain(&bits.one_less()), expected.clone());
        bits.make_one_less();
        prop_assert_eq!(bits.max(), expected.last().copied());
        prop_assert_eq!(bits, set(&expected));
    }

    #[test]
    fn two_sets(a in any_plain(), b in any_plain()) {
        let union = set(&a).union(&set(&b));
        prop_assert_eq!(union.max(), a.last().max(b.last()).copied());
        prop_assert_eq!(plain(&union), &a | &b);
        let mut grown = set(&a);
        grown.union_with(&set(&b));
        prop_assert_eq!(grown, union);
        prop_assert_eq!(set(&a).is_disjoint(&set(&b)), a.is_disjoint(&b));
        prop_assert_eq!(set(&a) == set(&b), a == b);
    }

    #[test]
    fn mex_of_union(samples in vec(any_plain(), 0..5), full in 0_u64..200) {
        let mut sets: Vec<NatSet> = samples.iter().map(set).collect();
        sets.push((0..full).collect());
        let blocked = |n: u64| n < full || samples.iter().any(|sample| sample.contains(&n));
        prop_assert_eq!(NatSet::mex_of_union(sets.iter()), (0..=400).find(|n| !blocked(*n)).unwrap());
    }

    #[test]
    fn text(sample in any_plain()) {
        let bits = set(&sample);
        let listed: Vec<String> = sample.iter().map(u64::to_string).collect();
        let text = if sample.is_empty() { "∅".to_owned() } else { format!("{{{}}}", listed.join(", ")) };
        prop_assert_eq!(bits.to_string(), text.clone());
        let backwards: Vec<String> = listed.iter().rev().cloned().collect();
        let backwards = format!("[ {{ {} }} ]^oo", backwards.join(" ,")).parse::<SetSequence>();
        prop_assert_eq!(backwards.unwrap().at(0), bits);
    }
}

#[test]
fn the_empty_set() {
    assert_eq!(NatSet::mex_of_union(std::iter::empty()), 0);
    assert_eq!(NatSet::from([0]).one_less(), NatSet::new());
}
