//! Ultimately periodic sequences of finite sets, each number with its own period.
//!
//! A sequence of sets in which one number comes and goes with period 97 and another with period 101
//! repeats as a whole only after 9797 terms. Here its periodic part is kept in *layers*, one for
//! each period, whose union it is; a least common multiple is written out only for a number that a
//! union gives two periods.
//!
//! Text: `[{0}, {1}]([{2}]^∞ ∪ [{3}, ∅]^∞)`, in brackets the layers by increasing period. One layer
//! stands without round brackets, `[{0}][{2}]^∞`; no layer is `[∅]^∞`; an empty head is left out.
//! Read also with `[]` for the empty head, `^oo` for `^∞` and `U` for `∪`, and not necessarily
//! reduced; but no number may be in two layers, since otherwise a short text could
//! make a long sequence.

use std::collections::VecDeque;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use crate::sequence::{common_period, residue};
use crate::text::{Cursor, ParseError, write_items};
use crate::{FiniteOrPeriodic, NatSet, Ultimate};

/// An ultimately periodic sequence of finite sets of naturals.
///
/// A head, then the union of *layers*, each of which repeats with its own period. Each number that
/// occurs without end is in one layer only, the layer of its own least period; the head is the
/// shortest possible. So `==`, `Hash` and the printed form are those of the sequence. "h" below is
/// the length of the head, "L" the number of sets in all layers, the sum of their periods; costs
/// count operations on sets, each O(max/64) for the largest member.
///
/// ```
/// use ultimate::SetSequence;
/// let sequence: SetSequence = "[{0, 1}, {0}, {0, 1, 2}, {0}, {0, 1}, {0, 2}]^∞".parse().unwrap();
/// assert_eq!(sequence.to_string(), "([{0}]^∞ ∪ [{1}, ∅]^∞ ∪ [∅, ∅, {2}]^∞)");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SetSequence {
    // Its last set differs from the set of the layers, continued backwards.
    head: VecDeque<NatSet>,
    // By increasing period. Each has a member; each member has that least period and no other
    // layer.
    layers: Vec<Layer>,
}

impl SetSequence {
    /// The sequence of empty sets, `[∅]^∞`. O(1).
    ///
    /// ```
    /// assert_eq!(ultimate::SetSequence::empty().to_string(), "[∅]^∞");
    /// ```
    pub fn empty() -> Self {
        Self::default()
    }

    /// These sets, then ∅ for ever. O(h).
    ///
    /// ```
    /// use ultimate::{NatSet, SetSequence};
    /// let sequence = SetSequence::finite([NatSet::from([0, 1]), NatSet::new(), NatSet::new()]);
    /// assert_eq!(sequence.to_string(), "[{0, 1}][∅]^∞");
    /// ```
    pub fn finite(sets: impl IntoIterator<Item = NatSet>) -> Self {
        Self::canonical(sets.into_iter().collect(), Vec::new())
    }

    /// Each number as a set of one, and ∅ past the end. O(h + L), and the reduction of the cycle
    /// as in `From<&Ultimate<NatSet>>`.
    ///
    /// ```
    /// use ultimate::{FiniteOrPeriodic, SetSequence, Ultimate};
    /// let numbers = FiniteOrPeriodic::Periodic(Ultimate::new(vec![4], vec![3, 5]).unwrap());
    /// assert_eq!(SetSequence::singletons(&numbers).to_string(), "[{4}][{3}, {5}]^∞");
    /// let numbers = FiniteOrPeriodic::Finite(vec![2, 0]);
    /// assert_eq!(SetSequence::singletons(&numbers).to_string(), "[{2}, {0}][∅]^∞");
    /// ```
    pub fn singletons(numbers: &FiniteOrPeriodic<u64>) -> Self {
        let single = |number: &u64| NatSet::from([*number]);
        match numbers {
            FiniteOrPeriodic::Finite(numbers) => Self::finite(numbers.iter().map(single)),
            FiniteOrPeriodic::Periodic(numbers) => Self::from(&numbers.map(single)),
        }
    }

    /// A head, not necessarily the shortest, with layers that are canonical.
    fn canonical(head: VecDeque<NatSet>, layers: Vec<Layer>) -> Self {
        let mut sequence = Self { head, layers };
        sequence.shorten_head();
        sequence
    }

    /// Costs one comparison for each removed set, and one more.
    fn shorten_head(&mut self) {
        let backwards = |back: usize| {
            self.layers.iter().map(move |layer| &layer[layer.len() - 1 - back % layer.len()])
        };
        let last_sets = self.head.iter().rev().enumerate();
        let spare = last_sets.take_while(|(back, set)| set.is_union_of(&backwards(*back))).count();
        self.head.truncate(self.head.len() - spare);
        for layer in &mut self.layers {
            layer.rotate_right(spare % layer.len());
        }
    }

    /// The set at an index, which counts from 0. O(layers).
    ///
    /// ```
    /// let sequence: ultimate::SetSequence = "[{0}]([{1}]^∞ ∪ [{2}, ∅]^∞)".parse().unwrap();
    /// assert_eq!(sequence.at(5), [1, 2].into());
    /// ```
    pub fn at(&self, index: usize) -> NatSet {
        union_of(self.parts_at(index))
    }

    /// Sets whose union is the set at an index: the set of the head, or one set of each layer.
    /// Nothing is allocated. O(1) for each.
    ///
    /// ```
    /// use ultimate::{NatSet, SetSequence};
    /// let sequence: SetSequence = "[{0}]([{1}]^∞ ∪ [{2}, ∅]^∞)".parse().unwrap();
    /// assert_eq!(sequence.parts_at(5).count(), 2);
    /// assert_eq!(NatSet::mex_of_union(sequence.parts_at(5)), 0);
    /// ```
    pub fn parts_at(&self, index: usize) -> impl Iterator<Item = &NatSet> + Clone + '_ {
        let beyond = index.checked_sub(self.head.len());
        let layers = if beyond.is_some() { &self.layers[..] } else { &[] };
        let beyond = beyond.unwrap_or(0);
        let periodic = layers.iter().map(move |layer| &layer[beyond % layer.len()]);
        self.head.get(index).into_iter().chain(periodic)
    }

    /// The set at an index of any size. O(layers), each with one division of the index.
    ///
    /// ```
    /// let sequence: ultimate::SetSequence = "[{0}]([{1}]^∞ ∪ [{2}, ∅]^∞)".parse().unwrap();
    /// assert_eq!(sequence.get(&num_bigint::BigUint::from(10_u8).pow(100)), [1].into());
    /// ```
    pub fn get(&self, index: &BigUint) -> NatSet {
        if let Some(index) = index.to_usize() {
            return self.at(index);
        }
        let place = |layer: &Layer| residue(index, self.head.len(), layer.len());
        union_of(self.layers.iter().map(|layer| &layer[place(layer)]))
    }

    /// Chop of the paper: all but the first set. O(1), or O(layers) without a head: each turns by
    /// one.
    ///
    /// ```
    /// let sequence: ultimate::SetSequence = "[{0}][{2}, ∅]^∞".parse().unwrap();
    /// assert_eq!(sequence.clone().chop().to_string(), "[{2}, ∅]^∞");
    /// assert_eq!(sequence.chop().chop().to_string(), "[∅, {2}]^∞");
    /// ```
    pub fn chop(mut self) -> Self {
        if self.head.pop_front().is_none() {
            for layer in &mut self.layers {
                layer.rotate_left(1);
            }
        }
        self
    }

    /// The sequence of the images under a function of sets that commutes with union:
    /// f(A ∪ B) = f(A) ∪ f(B), as [`NatSet::one_less`] does. It is applied to each layer by itself,
    /// so for another function the result has no meaning, except in the head.
    ///
    /// O(h + L) calls, and the reduction of each layer's cycle as in `From<&Ultimate<NatSet>>`.
    ///
    /// # Panics
    /// If `f` does; or if it makes one number out of numbers in different layers, and the least
    /// common multiple of the periods exceeds [`MAX_TERMS`](crate::MAX_TERMS).
    ///
    /// ```
    /// use ultimate::{NatSet, SetSequence};
    /// let sequence: SetSequence = "[{0, 4}]([{1}]^∞ ∪ [{0}, ∅]^∞)".parse().unwrap();
    /// assert_eq!(sequence.map_sets(NatSet::one_less).to_string(), "[{3}][{0}]^∞");
    /// ```
    pub fn map_sets(&self, f: impl Fn(&NatSet) -> NatSet) -> Self {
        let head = self.head.iter().map(&f).collect();
        // Without layers there is still the empty set, whose image may have members.
        let mut layers = layers_of(&[f(&NatSet::new())]);
        for layer in &self.layers {
            let images: Vec<NatSet> = layer.iter().map(&f).collect();
            layers = union_of_layers(layers, layers_of(&images));
        }
        Self::canonical(head, layers)
    }

    /// The sequence of the unions. O(h + L) of both.
    ///
    /// # Panics
    /// As [`union_with`](Self::union_with).
    ///
    /// ```
    /// use ultimate::SetSequence;
    /// let [a, b]: [SetSequence; 2] = ["[{0}][{2}, ∅]^∞", "[{1}]^∞"].map(|t| t.parse().unwrap());
    /// assert_eq!(a.union(&b).to_string(), "[{0, 1}]([{1}]^∞ ∪ [{2}, ∅]^∞)");
    /// ```
    pub fn union(&self, other: &Self) -> Self {
        let mut sequence = self.clone();
        sequence.union_with(other);
        sequence
    }

    /// Adds to each set the set of another sequence. For an `other` without layers O(its h, L of
    /// both, and the positions by which the head shrinks): nothing else of `self` is touched. An
    /// `other` with layers costs the difference of the heads besides, and for each pair of layers
    /// that share a number the least common multiple of their periods.
    ///
    /// # Panics
    /// If one number has different periods in the two sequences, and their least common multiple
    /// exceeds [`MAX_TERMS`](crate::MAX_TERMS).
    ///
    /// ```
    /// use ultimate::SetSequence;
    /// let mut sequence: SetSequence = "[{0}][{2}, ∅]^∞".parse().unwrap();
    /// sequence.union_with(&"[∅][∅, {2}]^∞".parse().unwrap());
    /// assert_eq!(sequence.to_string(), "[{0}][{2}]^∞");
    /// ```
    pub fn union_with(&mut self, other: &Self) {
        let [ours, theirs] = [self.head.len(), other.head.len()];
        let long = ours.max(theirs);
        let layers = union_of_layers(self.layers_from(long), other.layers_from(long));
        let grown: Vec<NatSet> = (ours..long).map(|index| self.at(index)).collect();
        self.head.extend(grown);
        for (set, added) in self.head.iter_mut().zip(&other.head) {
            set.union_with(added);
        }
        if !other.layers.is_empty() {
            for (index, set) in self.head.iter_mut().enumerate().skip(theirs) {
                for part in other.parts_at(index) {
                    set.union_with(part);
                }
            }
        }
        self.layers = layers;
        self.shorten_head();
    }

    /// The layers as they run from a position not within the head.
    fn layers_from(&self, index: usize) -> Vec<Layer> {
        let mut layers = self.layers.clone();
        for layer in &mut layers {
            layer.rotate_left((index - self.head.len()) % layer.len());
        }
        layers
    }

    /// The length of the head: the least index from which the sequence repeats. O(1).
    ///
    /// ```
    /// let sequence: ultimate::SetSequence = "[{0}, {2}][{2}]^∞".parse().unwrap();
    /// assert_eq!(sequence.pre_period(), 1);
    /// ```
    pub fn pre_period(&self) -> usize {
        self.head.len()
    }

    /// The least period of the sequence: the least common multiple of the layers' periods, because
    /// every number occurs with a least period. O(layers) operations on the result.
    ///
    /// ```
    /// let sequence: ultimate::SetSequence = "([{1}, ∅]^∞ ∪ [{2}, ∅, ∅]^∞)".parse().unwrap();
    /// assert_eq!(sequence.period(), 6_u8.into());
    /// ```
    pub fn period(&self) -> BigUint {
        lcm_of_periods(self.layers.iter())
    }

    /// The least common multiple of the periods of the layers that have a number in the range; 1 if
    /// there are none. The numbers of the range repeat with it, in the periodic part. O(L).
    ///
    /// ```
    /// let sequence: ultimate::SetSequence = "([{1}, ∅]^∞ ∪ [{7}, ∅, ∅]^∞)".parse().unwrap();
    /// assert_eq!(sequence.period_within(2..=7), 3_u8.into());
    /// assert_eq!(sequence.period_within(2..=6), 1_u8.into());
    /// ```
    pub fn period_within(&self, range: RangeInclusive<u64>) -> BigUint {
        let meets = |layer: &&Layer| layer.iter().any(|set| set.meets(&range));
        lcm_of_periods(self.layers.iter().filter(meets))
    }

    /// The largest member of any set. O(h + L), each set O(1).
    ///
    /// ```
    /// let sequence: ultimate::SetSequence = "[{9}][{1}, ∅]^∞".parse().unwrap();
    /// assert_eq!(sequence.max(), Some(9));
    /// assert_eq!(sequence.chop().max(), Some(1));
    /// ```
    pub fn max(&self) -> Option<u64> {
        self.head.iter().chain(self.layers.iter().flatten()).filter_map(NatSet::max).max()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
        let (mut head, mut first) = (Vec::new(), None);
        if cursor.rest().starts_with('[') {
            let (list, repeats) = cursor.list(NatSet::read)?;
            if repeats {
                first = Some(list);
            } else {
                head = list;
            }
        }
        let is_one = first.is_some() || cursor.rest().starts_with('[');
        if !is_one && !cursor.eat("(") {
            return Err(cursor.error("`[` or `(`"));
        }
        let mut layers: Vec<Layer> = Vec::new();
        let mut numbers = NatSet::new();
        loop {
            let offset = cursor.offset();
            let cycle = first.take().map_or_else(|| cursor.cycle(NatSet::read), Ok)?;
            let support = union_of(cycle.iter());
            if !numbers.is_disjoint(&support) {
                return Err(cursor.error_at(offset, "a layer without numbers of those before it"));
            }
            numbers.union_with(&support);
            for layer in layers_of(&cycle) {
                add_layer(&mut layers, layer);
            }
            if is_one || cursor.eat(")") {
                return Ok(Self::canonical(head.into(), layers));
            }
            if !cursor.eat("∪") && !cursor.eat("U") {
                return Err(cursor.error("`∪`, `U` or `)`"));
            }
        }
    }
}

/// O(h), and for a cycle of n sets O(n · divisors of n): see the module.
impl From<&Ultimate<NatSet>> for SetSequence {
    fn from(sequence: &Ultimate<NatSet>) -> Self {
        Self::canonical(sequence.head().to_vec().into(), layers_of(sequence.cycle()))
    }
}

impl fmt::Display for SetSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.head.is_empty() {
            write_items(f, '[', &self.head, ']')?;
        }
        let (open, close) = match self.layers.len() {
            0 => ("[∅]^∞", ""),
            1 => ("", ""),
            _ => ("(", ")"),
        };
        f.write_str(open)?;
        for (index, layer) in self.layers.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " ∪ " })?;
            write_items(f, '[', layer, ']')?;
            f.write_str("^∞")?;
        }
        f.write_str(close)
    }
}

impl FromStr for SetSequence {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        let sequence = Self::read(&mut cursor)?;
        cursor.end()?;
        Ok(sequence)
    }
}

/// One cycle of a layer.
type Layer = VecDeque<NatSet>;

fn union_of<'a>(sets: impl Iterator<Item = &'a NatSet>) -> NatSet {
    sets.fold(NatSet::new(), |mut union, set| {
        union.union_with(set);
        union
    })
}

fn lcm_of_periods<'a>(layers: impl Iterator<Item = &'a Layer>) -> BigUint {
    layers.fold(BigUint::one(), |lcm, layer| lcm.lcm(&BigUint::from(layer.len())))
}

/// The layers of a cyclic list of n sets: each number in the layer of its least period, a divisor
/// of n.
///
/// O(n · divisors of n) operations on sets: the numbers with a period d are those that no shift by
/// d moves, and all numbers are compared at once. A number that a shift brings to a set of the
/// cycle it also takes from another one, so one of the two is looked for.
fn layers_of(cycle: &[NatSet]) -> Vec<Layer> {
    let mut unplaced = union_of(cycle.iter());
    let mut layers = Vec::new();
    for period in (1..=cycle.len()).filter(|period| cycle.len().is_multiple_of(*period)) {
        if unplaced.is_empty() {
            break;
        }
        let mut moved = NatSet::new();
        for (set, later) in cycle.iter().zip(cycle.iter().cycle().skip(period)) {
            let mut leaving = set.clone();
            leaving.remove_all(later);
            moved.union_with(&leaving);
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
fn add_layer(layers: &mut Vec<Layer>, layer: Layer) {
    match layers.binary_search_by_key(&layer.len(), Layer::len) {
        Err(index) => layers.insert(index, layer),
        Ok(index) => {
            for (set, added) in layers[index].iter_mut().zip(&layer) {
                set.union_with(added);
            }
        }
    }
}

/// The layers of the union of two sequences, all running from the same position.
///
/// Only the numbers that a layer of ours shares with one of theirs are written out to the least
/// common multiple of the two periods; every other number keeps its layer.
///
/// # Panics
/// If that multiple exceeds [`MAX_TERMS`](crate::MAX_TERMS).
fn union_of_layers(mut ours: Vec<Layer>, mut theirs: Vec<Layer>) -> Vec<Layer> {
    let mut layers = Vec::new();
    for added in &mut theirs {
        let numbers = union_of(added.iter());
        for layer in &mut ours {
            let shared = union_of(layer.iter()).intersection(&numbers);
            if shared.is_empty() {
                continue;
            }
            let period = common_period(layer.len(), added.len());
            let pairs = layer.iter().cycle().zip(added.iter().cycle()).take(period);
            let both: Vec<NatSet> = pairs.map(|(a, b)| a.union(b).intersection(&shared)).collect();
            layer.iter_mut().chain(added.iter_mut()).for_each(|set| set.remove_all(&shared));
            for layer in layers_of(&both) {
                add_layer(&mut layers, layer);
            }
        }
    }
    let others = ours.into_iter().chain(theirs);
    for layer in others.filter(|layer| !layer.iter().all(NatSet::is_empty)) {
        add_layer(&mut layers, layer);
    }
    layers
}
