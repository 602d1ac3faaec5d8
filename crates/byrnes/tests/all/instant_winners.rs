//! Two-rowed Chomp with instant winners: the paper's example, and a plain computation.

use byrnes::{Proof, losers};
use num_bigint::BigUint;
use proptest::prelude::*;
use ultimate::{FiniteOrPeriodic, NatSet, SetSequence, Ultimate};

/// The first losers by the fundamental recurrence as the paper writes it, on plain lists.
fn plain(instant_winners: &SetSequence, length: usize) -> Vec<u64> {
    let mut losers: Vec<u64> = Vec::new();
    for a in 0..length {
        let instant = instant_winners.at(a);
        let implied: Vec<u64> =
            (0..a).filter_map(|i| losers[i].checked_sub((a - i) as u64)).collect();
        let most = instant.len() + implied.len() as u64;
        let loser = (0..=most).find(|b| !instant.contains(*b) && !implied.contains(b)).unwrap();
        losers.push(loser);
        if loser == 0 {
            break;
        }
    }
    losers
}

fn assert_plain(instant_winners: &SetSequence, length: usize) {
    let expected = plain(instant_winners, length);
    let found = losers(instant_winners).unwrap();
    for (a, loser) in expected.iter().enumerate() {
        assert_eq!(found.get(&BigUint::from(a)), Some(*loser), "{instant_winners} at {a}");
    }
    let ends = expected.last() == Some(&0);
    assert!(!ends || *found.members() == FiniteOrPeriodic::Finite(expected), "{instant_winners}");
}

#[test]
fn two_rowed_chomp() {
    let instant_winners = "[{0}][∅]^∞".parse().unwrap();
    assert_eq!(losers(&instant_winners).unwrap().to_string(), "[1]^∞");
}

#[test]
fn no_instant_winners() {
    // [0, 0] is left as a position, without a bite from it: it is P, and the sequence ends.
    let found = losers(&SetSequence::empty()).unwrap();
    assert_eq!(*found.members(), FiniteOrPeriodic::Finite(vec![0]));
    assert_eq!(found.proof(), None);
}

#[test]
fn coprime_periods_need_no_common_multiple_beyond_the_window() {
    // Far above the losers, instant winners of prime periods whose lcm is past 10^18.
    let mut instant_winners: SetSequence = "[][{0}]^∞".parse().unwrap();
    for (index, prime) in [101, 103, 107, 109, 113, 127, 131, 137, 139].into_iter().enumerate() {
        let mut period = vec![NatSet::new(); prime];
        period[0].insert(100 + index as u64);
        instant_winners = instant_winners.union(&(&Ultimate::new(vec![], period).unwrap()).into());
    }
    let found = losers(&instant_winners).unwrap();
    assert_eq!(
        *found.members(),
        FiniteOrPeriodic::Periodic(Ultimate::new(vec![], vec![1]).unwrap())
    );
    let Proof { classical, certificate } = found.proof().unwrap();
    assert_eq!(certificate.modulus, 1);
    assert!(!classical.checked);
    assert!(classical.bound > BigUint::from(10_u32).pow(18));
}

prop_compose! {
    fn set_sequence()(
        head in prop::collection::vec(prop::collection::vec(0_u64..8, 0..5), 0..8),
        layers in prop::collection::vec(
            prop::collection::vec(prop::collection::vec(0_u64..8, 0..4), 1..5), 0..3),
        zero in prop::bool::weighted(0.8),
    ) -> SetSequence {
        // Unless 0 is an instant winner for ever, most sequences end soon.
        let zero = if zero { "[][{0}]^∞" } else { "[][∅]^∞" }.parse().unwrap();
        let sets = |lists: Vec<Vec<u64>>| -> Vec<NatSet> {
            lists.into_iter().map(|list| list.into_iter().collect()).collect()
        };
        layers
            .into_iter()
            .map(|layer| SetSequence::from(&Ultimate::new(vec![], sets(layer)).unwrap()))
            .fold(SetSequence::finite(sets(head)).union(&zero), |all, layer| all.union(&layer))
    }
}

#[test]
fn a_long_finite_sequence_is_no_defect() {
    // 2 until the classical check is out of reach; then, when 10 and 10 have drained the past, 0.
    let long = std::iter::repeat_n(NatSet::from([0, 1]), 1 << 22);
    let instant_winners =
        SetSequence::finite(long.chain([(0..10).collect::<NatSet>(), (0..10).collect()]));
    let found = losers(&instant_winners).unwrap();
    let FiniteOrPeriodic::Finite(members) = found.members() else { panic!("it ends") };
    assert_eq!(members.last(), Some(&0));
}

proptest! {
    #[test]
    fn losers_are_those_of_the_plain_recurrence(instant_winners in set_sequence()) {
        // Fact 2(e) and fact 3 are about all a; far beyond both bounds is as near as a test gets.
        assert_plain(&instant_winners, 600);
    }
}
