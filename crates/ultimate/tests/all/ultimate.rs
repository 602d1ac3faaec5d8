//! `Ultimate` against prefixes written out.

use crate::common;

use std::collections::HashSet;

use common::{TERMS, least, numbers, prefix, raw_numbers};
use num_bigint::BigUint;
use proptest::prelude::*;
use ultimate::{EmptyCycle, Ultimate};

fn prefix_of(sequence: &Ultimate<u64>) -> Vec<u64> {
    assert!(sequence.is_valid(), "{sequence}");
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
    fn text_and_store(raw in raw_numbers(20)) {
        let sequence = numbers(&raw);
        prop_assert_eq!(&sequence.to_string().parse::<Ultimate<u64>>().unwrap(), &sequence);
        let written = format!("{:?} {:?} ^oo", raw.0, raw.1);
        prop_assert_eq!(&written.parse::<Ultimate<u64>>().unwrap(), &sequence);
        let stored = serde_json::to_string(&sequence).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Ultimate<u64>>(&stored).unwrap(), &sequence);
        let reduced = raw == (sequence.head().to_vec(), sequence.cycle().to_vec());
        let (head, period) = raw;
        let stored = serde_json::json!({ "head": head, "period": period }).to_string();
        prop_assert_eq!(serde_json::from_str::<Ultimate<u64>>(&stored).is_ok(), reduced);
    }
}

#[test]
fn long_periods_reduce_in_linear_time() {
    // The failure function's worst texts: all equal but the last, and Fibonacci words.
    let mut period = vec![0_u64; 1 << 20];
    assert_eq!(Ultimate::new(vec![0; 1 << 20], period.clone()).unwrap(), Ultimate::constant(0));
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
    for (stored, complaint) in [
        (r#"{"head":[1],"period":[]}"#, "none was given"),
        (
            r#"{"head":[3],"period":[3]}"#,
            "a head of 1 and a period of 1 terms; the shortest are 0 and 1",
        ),
        (r#"{"head":[],"period":[3,3]}"#, "a period of 2 terms; the shortest are 0 and 1"),
        (r#"{"head":[],"period":[3],"first":0}"#, "unknown field"),
        (r#"{"period":[3]}"#, "missing field"),
    ] {
        let error = serde_json::from_str::<Ultimate<u64>>(stored).unwrap_err().to_string();
        assert!(error.contains(complaint), "{stored}: {error}");
    }
}
