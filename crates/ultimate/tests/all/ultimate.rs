//! `Ultimate` against prefixes written out.

use crate::common;

use std::collections::HashSet;

use common::{TERMS, least, numbers, prefix, raw_numbers};
use num_bigint::BigUint;
use proptest::prelude::*;
use ultimate::{EmptyCycle, Ultimate, least_period};

fn prefix_of(sequence: &Ultimate<u64>) -> Vec<u64> {
    assert!(common::is_canonical(sequence.head(), sequence.cycle()), "{sequence}");
    (0..TERMS).map(|index| *sequence.at(index)).collect()
}

proptest! {
    #[test]
    fn the_shortest_form_of_the_same_terms(raw in raw_numbers(3)) {
        let (sequence, terms) = (numbers(&raw), prefix(&raw));
        prop_assert_eq!(prefix_of(&sequence), terms.clone());
        prop_assert_eq!((sequence.head().len(), sequence.cycle().len()), least(&terms));
    }

    /// Unrolling the period and moving terms of it to the head changes nothing.
    #[test]
    fn many_forms_one_sequence(raw in raw_numbers(3), unrolled in 0_usize..20, times in 1_usize..5) {
        let from = raw.0.len() + unrolled;
        let head = (0..from).map(|index| common::term(&raw, index)).collect();
        let until = from + times * raw.1.len();
        let period = (from..until).map(|index| common::term(&raw, index)).collect();
        let other = Ultimate::new(head, period).unwrap();
        prop_assert_eq!(&other, &numbers(&raw));
        prop_assert_eq!(other.to_string(), numbers(&raw).to_string());
        prop_assert_eq!(HashSet::from([other, numbers(&raw)]).len(), 1);
    }

    #[test]
    fn equal_just_if_the_terms_are(a in raw_numbers(2), b in raw_numbers(2)) {
        prop_assert_eq!(numbers(&a) == numbers(&b), prefix(&a) == prefix(&b));
    }

    #[test]
    fn images(a in raw_numbers(4)) {
        let halves = numbers(&a).map(|n| n / 2);
        prop_assert_eq!(prefix_of(&halves), prefix(&a).iter().map(|n| n / 2).collect::<Vec<_>>());
    }

    /// 27720 = lcm(1, …, 12): a step that every period here divides.
    #[test]
    fn far_out(raw in raw_numbers(4), index in 12_usize..100, steps in any::<[u64; 4]>()) {
        let far = steps.iter().fold(BigUint::from(1_u8), |product, step| product * *step) * 27720_u32;
        prop_assert_eq!(*numbers(&raw).get(&(far + index)), common::term(&raw, index));
        prop_assert_eq!(*numbers(&raw).get(&BigUint::from(index - 12)), common::term(&raw, index - 12));
    }

    #[test]
    fn text(raw in raw_numbers(20)) {
        let sequence = numbers(&raw);
        let [head, cycle] = [sequence.head(), sequence.cycle()].map(|terms| format!("{terms:?}"));
        let head = if sequence.head().is_empty() { String::new() } else { head };
        prop_assert_eq!(sequence.to_string(), format!("{head}{cycle}^∞"));
    }
}

/// Against all shifts of all lists of a few values.
#[test]
fn least_periods_of_all_short_lists() {
    for length in 1..=10_u32 {
        for code in 0..3_u32.pow(length.min(9)) {
            let digits = (0..length).map(|place| code / 3_u32.pow(place.min(8)) % 3);
            let values: Vec<u32> = digits.collect();
            let equal = |period: &usize| values.iter().zip(&values[*period..]).all(|(a, b)| a == b);
            let expected = (1..=values.len()).find(equal);
            assert_eq!(Some(least_period(&values)), expected, "{values:?}");
        }
    }
}

#[test]
fn long_periods_reduce_in_linear_time() {
    // The failure function's worst texts: all equal but the last, and Fibonacci words.
    let mut period = vec![0_u64; 1 << 20];
    assert_eq!(
        Ultimate::new(vec![0; 1 << 20], period.clone()).unwrap(),
        Ultimate::new(vec![], vec![0]).unwrap()
    );
    *period.last_mut().unwrap() = 1;
    let sequence = Ultimate::new(vec![], period.repeat(2)).unwrap();
    assert_eq!((sequence.head().len(), sequence.cycle().len()), (0, 1 << 20));
    let (mut short, mut long) = (vec![0_u64], vec![0, 1]);
    while long.len() < 1 << 20 {
        (short, long) = (long.clone(), [long, short].concat());
    }
    // A Fibonacci word is no power of a shorter one; twice it is a square.
    let sequence = Ultimate::new(vec![], long.repeat(2)).unwrap();
    assert_eq!(sequence.cycle().len(), long.len());
}

#[test]
fn refused() {
    assert_eq!(Ultimate::<u64>::new(vec![1], vec![]), Err(EmptyCycle));
}
