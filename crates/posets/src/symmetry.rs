//! The known symmetry of a poset.

use std::collections::HashSet;
use std::hash::Hash;

use indexmap::IndexSet;

/// A permutation of elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Permutation(Vec<usize>);

impl Permutation {
    /// The permutation with these images of 0, 1, ...; `None` if an image occurs twice.
    pub fn new(images: Vec<usize>) -> Option<Self> {
        let mut taken = vec![false; images.len()];
        for &image in &images {
            if std::mem::replace(taken.get_mut(image)?, true) {
                return None;
            }
        }
        Some(Self(images))
    }

    /// The permutation with these images of the elements of a named poset, which are all different.
    pub(crate) fn of(images: impl IntoIterator<Item = usize>) -> Self {
        Self::new(images.into_iter().collect()).expect("the images are all different")
    }

    /// The permutation of these elements that takes each to its image.
    pub(crate) fn induced<T: Eq + Hash>(elements: &IndexSet<T>, image: impl Fn(&T) -> T) -> Self {
        let number = |element: &T| elements.get_index_of(&image(element));
        Self::of(elements.iter().map(|element| number(element).expect("images are elements")))
    }

    fn identity(elements: usize) -> Self {
        Self((0..elements).collect())
    }

    /// The number of elements that it permutes.
    #[expect(clippy::len_without_is_empty, reason = "posets are not empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The image of an element.
    pub fn image(&self, element: usize) -> usize {
        self.0[element]
    }

    /// First this one, then another.
    pub fn then(&self, next: &Self) -> Self {
        Self(self.0.iter().map(|&image| next.0[image]).collect())
    }

    /// Whether it exchanges elements in pairs, at least one pair.
    pub fn is_involution(&self) -> bool {
        let moves = self.moved().next().is_some();
        moves && (0..self.len()).all(|element| self.0[self.0[element]] == element)
    }

    /// The elements that it moves.
    pub fn moved(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&element| self.0[element] != element)
    }

    /// Whether it maps the elements that an element covers, ascending, to those that its image
    /// covers.
    fn keeps(&self, covered: &[Vec<usize>]) -> bool {
        let images = |element: usize| sorted(covered[element].iter().map(|&lower| self.0[lower]));
        self.len() == covered.len()
            && (0..self.len()).all(|element| images(element) == covered[self.0[element]])
    }
}

/// Interchangeable elements that cover the least one (or are minimal), such as the points of a set:
/// each permutation of them comes from an automorphism.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) atoms: Vec<usize>,
    /// The automorphism that exchanges two neighbours in `atoms` and fixes the others.
    pub(crate) swaps: Vec<Permutation>,
}

/// Some automorphisms of a poset: positions that they take to each other are the same to a
/// [`Solver`](crate::Solver). By default there is none but the identity.
#[derive(Clone, Debug, Default)]
pub struct Symmetry {
    pub(crate) blocks: Vec<Block>,
    pub(crate) generators: Vec<Permutation>,
    /// Automorphisms for fact 11.
    pub(crate) involutions: Vec<Permutation>,
}

impl Symmetry {
    /// Groups with at most this number of elements are listed, to find their involutions.
    const LISTED: usize = 2000;

    /// All involutions of a block with at most this number of atoms are found; of a larger block
    /// only those that exchange two atoms.
    const ALL_INVOLUTIONS: usize = 7;

    /// If all exchanges of two atoms had more images than this together, only those of neighbours
    /// are used.
    const IMAGES: usize = 1 << 21;

    /// The largest number of atoms that a named poset declares interchangeable: more cost more than
    /// they save.
    pub(crate) const MOST_ATOMS: usize = 64;

    /// The group that these automorphisms generate. It should be small: a solver goes through all
    /// images of a position.
    pub fn group(automorphisms: Vec<Permutation>) -> Self {
        let elements = automorphisms.first().map_or(0, Permutation::len);
        let (mut generators, mut group) = (Vec::new(), vec![Permutation::identity(elements)]);
        for automorphism in automorphisms {
            if group.len() > Self::LISTED || !group.contains(&automorphism) {
                generators.push(automorphism);
                group = listed(&generators, elements);
            }
        }
        let involutions = group.into_iter().filter(Permutation::is_involution).collect();
        Self { generators, involutions, blocks: Vec::new() }
    }

    /// All permutations within blocks of atoms, and no others. A block consists of its atoms and,
    /// for each but the last, the automorphism that exchanges it with the next.
    ///
    /// # Panics
    /// If a block of n atoms does not have n - 1 automorphisms.
    pub fn interchangeable(blocks: Vec<(Vec<usize>, Vec<Permutation>)>) -> Self {
        let mut symmetry = Self::default();
        for (atoms, swaps) in blocks {
            assert_eq!(atoms.len(), swaps.len() + 1, "one for each atom but the last");
            symmetry.involutions.extend(involutions_of(&swaps));
            symmetry.blocks.push(Block { atoms, swaps });
        }
        symmetry
    }

    /// The same with more automorphisms for fact 11.
    pub fn with_involutions(mut self, more: impl IntoIterator<Item = Permutation>) -> Self {
        self.involutions.extend(more.into_iter().filter(Permutation::is_involution));
        self
    }

    /// Whether all permutations are automorphisms of the poset in which each element covers these
    /// others, ascending.
    pub(crate) fn keeps(&self, covered: &[Vec<usize>]) -> bool {
        let swaps = self.blocks.iter().flat_map(|block| &block.swaps);
        let mut all = swaps.chain(&self.generators).chain(&self.involutions);
        all.all(|permutation| permutation.keeps(covered))
    }
}

/// Exchanges two numbers.
pub(crate) fn exchanged(one: usize, other: usize) -> impl Fn(usize) -> usize {
    move |number| match number {
        _ if number == one => other,
        _ if number == other => one,
        _ => number,
    }
}

/// The members in ascending order.
pub(crate) fn sorted(members: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut members: Vec<usize> = members.into_iter().collect();
    members.sort_unstable();
    members
}

/// The products of generators; more than [`Symmetry::LISTED`] if the group is large.
fn listed(generators: &[Permutation], elements: usize) -> Vec<Permutation> {
    let mut group = vec![Permutation::identity(elements)];
    let mut seen: HashSet<Permutation> = group.iter().cloned().collect();
    let mut next = 0;
    while next < group.len() && group.len() <= Symmetry::LISTED {
        for generator in generators {
            let product = group[next].then(generator);
            if seen.insert(product.clone()) {
                group.push(product);
            }
        }
        next += 1;
    }
    group
}

/// Involutions of the group that the exchanges of neighbours generate.
fn involutions_of(swaps: &[Permutation]) -> Vec<Permutation> {
    let atoms = swaps.len() + 1;
    let elements = swaps.first().map_or(0, Permutation::len);
    if atoms * atoms / 2 * elements > Symmetry::IMAGES {
        return swaps.to_vec();
    }
    let exchange = |i: usize, j: usize| {
        // Move i next to j, exchange the two, and move back.
        let way = (i..j).chain((i..j - 1).rev());
        way.map(|k| swaps[k].clone()).reduce(|first, next| first.then(&next)).expect("i < j")
    };
    let pairs: Vec<(usize, usize)> =
        (0..atoms).flat_map(|i| (i + 1..atoms).map(move |j| (i, j))).collect();
    let most = if atoms <= Symmetry::ALL_INVOLUTIONS { atoms / 2 } else { 1 };
    // Products of disjoint exchanges; the pairs ascend, so that each set of them occurs once: the
    // number of the next pair, the atoms that are used, and the product.
    let mut found = vec![(0, Vec::new(), Permutation::identity(elements))];
    let mut next = 0;
    while let Some((begin, used, product)) = found.get(next).cloned() {
        next += 1;
        let free = |place: usize| used.len() < 2 * most && !used.contains(&place);
        for (number, &(i, j)) in (1..).zip(&pairs).skip(begin) {
            if free(i) && free(j) {
                let used = [used.as_slice(), &[i, j]].concat();
                found.push((number, used, product.then(&exchange(i, j))));
            }
        }
    }
    found.into_iter().skip(1).map(|(_, _, product)| product).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exchanges of neighbours among n points.
    fn swaps(n: usize) -> Vec<Permutation> {
        (0..n - 1)
            .map(|k| {
                let mut images: Vec<usize> = (0..n).collect();
                images.swap(k, k + 1);
                Permutation::of(images)
            })
            .collect()
    }

    #[test]
    fn a_group_keeps_no_more_generators_than_it_needs() {
        let all = listed(&swaps(5), 5);
        assert_eq!(all.len(), 120);
        let symmetry = Symmetry::group(all);
        assert!(symmetry.generators.len() <= 4, "{}", symmetry.generators.len());
        assert_eq!(listed(&symmetry.generators, 5).len(), 120);
    }

    /// OEIS A000085 counts the identity as well: 2, 4, 10, 26, 76, 232.
    #[test]
    fn all_involutions_of_a_small_block_are_found() {
        for (n, expected) in [(2, 1), (3, 3), (4, 9), (5, 25), (6, 75), (7, 231)] {
            let found = involutions_of(&swaps(n));
            assert!(found.iter().all(Permutation::is_involution));
            assert_eq!(found.iter().collect::<HashSet<_>>().len(), expected, "{n}");
            let of_group = Symmetry::group(swaps(n.min(6)));
            assert_eq!(of_group.involutions.len(), if n < 7 { expected } else { 75 });
        }
        assert_eq!(involutions_of(&swaps(8)).len(), 28);
        assert_eq!(involutions_of(&swaps(200)).len(), 199);
    }

    #[test]
    fn permutations_are_what_they_say() {
        assert_eq!(Permutation::new(vec![0, 0]), None);
        assert_eq!(Permutation::new(vec![0, 2]), None);
        let turn = Permutation::of([1, 2, 0]);
        assert!(!turn.is_involution() && !Permutation::identity(3).is_involution());
        assert_eq!(turn.then(&turn).then(&turn), Permutation::identity(3));
    }
}
