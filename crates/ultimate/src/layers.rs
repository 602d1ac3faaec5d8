//! The layers of [`SetSequence`](crate::SetSequence): its periodic part, sorted by period.

use std::collections::VecDeque;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;

use crate::NatSet;
use crate::sequence::common_period;

/// One cycle of a layer.
pub(crate) type Layer = VecDeque<NatSet>;

pub(crate) fn union_of<'a>(sets: impl Iterator<Item = &'a NatSet>) -> NatSet {
    sets.fold(NatSet::new(), |mut union, set| {
        union.union_with(set);
        union
    })
}

pub(crate) fn lcm_of_periods<'a>(layers: impl Iterator<Item = &'a Layer>) -> BigUint {
    layers.fold(BigUint::one(), |lcm, layer| lcm.lcm(&BigUint::from(layer.len())))
}

/// The layers of a cyclic list of n sets: each number in the layer of its least period, a divisor
/// of n.
///
/// O(n · divisors of n) operations on sets: the numbers with a period d are those that no shift by
/// d moves, and all numbers are compared at once.
pub(crate) fn layers_of(cycle: &[NatSet]) -> Vec<Layer> {
    let mut unplaced = union_of(cycle.iter());
    let mut layers = Vec::new();
    for period in (1..=cycle.len()).filter(|period| cycle.len().is_multiple_of(*period)) {
        if unplaced.is_empty() {
            break;
        }
        let mut moved = NatSet::new();
        for (set, later) in cycle.iter().zip(cycle.iter().cycle().skip(period)) {
            moved.union_with_difference(set, later);
        }
        let mut placed = unplaced.clone();
        placed.remove_all(&moved);
        if !placed.is_empty() {
            layers.push(cycle[..period].iter().map(|set| set.intersection(&placed)).collect());
            unplaced.remove_all(&placed);
        }
    }
    layers
}

/// Adds a layer none of whose numbers is in another.
pub(crate) fn add_layer(layers: &mut Vec<Layer>, layer: Layer) {
    match layers.binary_search_by_key(&layer.len(), Layer::len) {
        Err(index) => layers.insert(index, layer),
        Ok(index) => {
            for (set, added) in layers[index].iter_mut().zip(&layer) {
                set.union_with(added);
            }
        }
    }
}

/// Adds layers none of whose numbers is in another.
pub(crate) fn with_layers(mut layers: Vec<Layer>, added: Vec<Layer>) -> Vec<Layer> {
    for layer in added {
        add_layer(&mut layers, layer);
    }
    layers
}

/// The layers of two sequences, split by which of the two has their numbers.
pub(crate) struct Split {
    /// Of the numbers that only the first one has.
    pub(crate) ours: Vec<Layer>,
    /// Of the numbers that only the second one has.
    pub(crate) theirs: Vec<Layer>,
    /// Of the numbers that both have and that are in the result of the operation.
    pub(crate) shared: Vec<Layer>,
}

/// Splits the layers of two sequences, all running from the same position. Condition: whether `of`
/// puts a number into its result depends only on which of the two sets have the number.
///
/// Only the numbers that a layer of ours shares with one of theirs are written out to the least
/// common multiple of the two periods; every other number keeps its layer.
///
/// # Panics
/// If that multiple exceeds [`MAX_TERMS`](crate::MAX_TERMS).
pub(crate) fn split(
    mut ours: Vec<Layer>,
    mut theirs: Vec<Layer>,
    of: impl Fn(&NatSet, &NatSet) -> NatSet,
) -> Split {
    let mut images = Vec::new();
    for added in &mut theirs {
        let numbers = union_of(added.iter());
        for layer in &mut ours {
            let shared = union_of(layer.iter()).intersection(&numbers);
            if shared.is_empty() {
                continue;
            }
            let period = common_period(layer.len(), added.len());
            let pairs = layer.iter().cycle().zip(added.iter().cycle()).take(period);
            let both: Vec<NatSet> = pairs.map(|(a, b)| of(a, b).intersection(&shared)).collect();
            layer.iter_mut().chain(added.iter_mut()).for_each(|set| set.remove_all(&shared));
            for layer in layers_of(&both) {
                add_layer(&mut images, layer);
            }
        }
    }
    for layers in [&mut ours, &mut theirs] {
        layers.retain(|layer| !layer.iter().all(NatSet::is_empty));
    }
    Split { ours, theirs, shared: images }
}

/// The layers of the union, all running from the same position. Panics as [`split`].
pub(crate) fn union_of_layers(ours: Vec<Layer>, theirs: Vec<Layer>) -> Vec<Layer> {
    let Split { ours, theirs, shared } = split(ours, theirs, NatSet::union);
    with_layers(with_layers(shared, ours), theirs)
}
