//! The references of the tests: plain prefixes of sequences, by arithmetic that is easily checked,
//! and random sequences that are not reduced.

#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use ultimate::{NatSet, SetSequence, Ultimate};

/// Terms compared: more than two heads of 12 and a common period of 11 · 12 together.
pub const TERMS: usize = 200;

pub type Plain = BTreeSet<u64>;

/// A head and a period, not reduced.
pub type Raw<T> = (Vec<T>, Vec<T>);

pub fn term<T: Clone>((head, period): &Raw<T>, index: usize) -> T {
    if index < head.len() {
        head[index].clone()
    } else {
        period[(index - head.len()) % period.len()].clone()
    }
}

pub fn prefix<T: Clone>(raw: &Raw<T>) -> Vec<T> {
    (0..TERMS).map(|index| term(raw, index)).collect()
}

/// Terms from an alphabet of `letters`, few so that there is something to reduce.
pub fn raw_numbers(letters: u64) -> impl Strategy<Value = Raw<u64>> {
    (vec(0..letters, 0..=12), vec(0..letters, 1..=12))
}

pub fn numbers(raw: &Raw<u64>) -> Ultimate<u64> {
    Ultimate::new(raw.0.clone(), raw.1.clone()).unwrap()
}

/// Sets that straddle words now and then.
pub fn plain_set() -> impl Strategy<Value = Plain> {
    prop_oneof![
        4 => btree_set(0_u64..4, 0..4),
        1 => btree_set(prop_oneof![0_u64..4, 60_u64..70, 120_u64..140], 0..8),
    ]
}

pub fn set(plain: &Plain) -> NatSet {
    plain.iter().copied().collect()
}

pub fn plain(set: &NatSet) -> Plain {
    set.iter().collect()
}

/// The union of up to three ultimately periodic sequences with periods up to `longest`.
pub fn raw_sets(longest: usize) -> impl Strategy<Value = Vec<Raw<Plain>>> {
    vec((vec(plain_set(), 0..=5), vec(plain_set(), 1..=longest)), 0..=3)
}

pub fn sets_term(parts: &[Raw<Plain>], index: usize) -> Plain {
    parts.iter().flat_map(|part| term(part, index)).collect()
}

pub fn sets_prefix(parts: &[Raw<Plain>]) -> Vec<Plain> {
    (0..TERMS).map(|index| sets_term(parts, index)).collect()
}

/// One of the parts, by way of an `Ultimate`.
pub fn part(raw: &Raw<Plain>) -> SetSequence {
    let sets = |plain: &[Plain]| plain.iter().map(set).collect();
    SetSequence::from(&Ultimate::new(sets(&raw.0), sets(&raw.1)).unwrap())
}

pub fn sets(parts: &[Raw<Plain>]) -> SetSequence {
    parts.iter().fold(SetSequence::empty(), |all, raw| all.union(&part(raw)))
}

/// Whether a sequence is canonical, by the definition.
pub fn is_canonical<T: PartialEq>(head: &[T], cycle: &[T]) -> bool {
    let long = cycle.len();
    let repeats = |p: usize| (0..long).all(|i| cycle[i] == cycle[(i + p) % long]);
    long > 0 && !(1..long).any(repeats) && head.last() != cycle.last()
}

/// The lists of sets in a printed sequence.
fn lists(printed: &str) -> Vec<Vec<Plain>> {
    let members = |set: &str| set.split(", ").map(|number| number.parse().unwrap()).collect();
    let set =
        |set: &str| if set == "∅" { Plain::new() } else { members(set.trim_matches(['{', '}'])) };
    let lists = printed.split('[').skip(1).map(|rest| rest.split(']').next().unwrap());
    let lists = lists.map(|list| list.replace("∅, ", "∅;").replace("}, ", "};"));
    lists.map(|list| list.split(';').map(set).collect()).collect()
}

/// Whether a sequence is printed in the canonical form, by the definition.
pub fn is_valid(sequence: &SetSequence) -> bool {
    let printed = sequence.to_string();
    let mut layers = lists(&printed);
    let has_head = layers.len() > printed.matches("^∞").count();
    let head = if has_head { layers.remove(0) } else { Vec::new() };
    if layers == [[Plain::new()]] {
        layers.clear();
    }
    let numbers = |layer: &[Plain]| layer.iter().flatten().copied().collect::<Plain>();
    let all: Vec<Plain> = layers.iter().map(|layer| numbers(layer)).collect();
    let has_period = |layer: &[Plain], number: &u64| {
        is_canonical(&[], &layer.iter().map(|set| set.contains(number)).collect::<Vec<_>>())
    };
    let last: Plain = layers.iter().filter_map(|layer| layer.last()).flatten().copied().collect();
    layers.is_sorted_by(|a, b| a.len() < b.len())
        && layers.iter().zip(&all).all(|(layer, own)| own.iter().all(|n| has_period(layer, n)))
        && all.iter().map(Plain::len).sum::<usize>()
            == all.iter().flatten().collect::<BTreeSet<_>>().len()
        && all.iter().all(|own| !own.is_empty())
        && head.last() != Some(&last)
}

/// The least period of a prefix, and then the least start of it, that the definition finds. The
/// prefix must be longer than any possible start and twice the period.
pub fn least<T: PartialEq>(prefix: &[T]) -> (usize, usize) {
    let last_mismatch =
        |p: usize| (0..prefix.len() - p).rev().find(|i| prefix[*i] != prefix[i + p]);
    let start = |p: usize| last_mismatch(p).map_or(0, |index| index + 1);
    let period = (1..prefix.len()).find(|p| start(*p) <= 24).unwrap();
    (start(period), period)
}
