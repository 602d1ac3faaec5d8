//! The subspaces of PG(n,2), the projective geometry of dimension n over the field of two elements.

use std::collections::{BTreeMap, BTreeSet};

use crate::PosetError;
use crate::poset::Poset;
use crate::symmetry::{Permutation, Symmetry};
use crate::symmetry_strategy::SymmetryStrategy;

/// A set of vectors, each the bits of its coordinates; 0 is left out. So the empty set is the
/// poison, and the one-element sets are the points.
type Subspace = BTreeSet<usize>;

/// All subspaces of PG(n,2), by dimension.
pub(crate) struct Subspaces {
    dimension: usize,
    all: Vec<Subspace>,
}

impl Subspaces {
    /// PG(5,2) has 2825 subspaces, PG(6,2) has 29212.
    pub(crate) const LARGEST: usize = 5;

    pub(crate) fn of(dimension: usize) -> Self {
        let vectors = 1..1_usize << (dimension + 1);
        let (mut all, mut level) = (Vec::new(), BTreeSet::from([Subspace::new()]));
        while !level.is_empty() {
            let outside = |space: &Subspace| {
                let space = space.clone();
                vectors.clone().filter(move |vector| !space.contains(vector))
            };
            let next = level
                .iter()
                .flat_map(|space| outside(space).map(move |vector| span(space, vector)))
                .collect();
            all.extend(std::mem::replace(&mut level, next));
        }
        Self { dimension, all }
    }

    /// The empty subspace is the poison.
    pub(crate) fn poset(&self) -> Result<Poset, PosetError> {
        let numbers: BTreeMap<&Subspace, usize> =
            self.all.iter().enumerate().map(|(number, space)| (space, number)).collect();
        let vectors = 1..1_usize << (self.dimension + 1);
        let relations: BTreeSet<(usize, usize)> = self
            .all
            .iter()
            .enumerate()
            .flat_map(|(number, space)| {
                let larger = vectors.clone().filter(|vector| !space.contains(vector));
                larger.map(|vector| (number, numbers[&span(space, vector)])).collect::<Vec<_>>()
            })
            .collect();
        let names = self.all.iter().map(name).collect();
        let relations: Vec<(usize, usize)> = relations.into_iter().collect();
        Ok(Poset::new(names, &relations)?.with_least_poisoned().of_symmetry(self.symmetry()))
    }

    /// Up to the Fano plane all automorphisms; beyond it only a cycle of all points, since a solver
    /// goes through all images of a position.
    fn symmetry(&self) -> Symmetry {
        let (n, cycle) = (self.dimension, self.induced(|vector| self.singer(vector)));
        let elation = |coordinate: usize| self.elation(coordinate);
        if n <= 2 {
            Symmetry::group([cycle].into_iter().chain((1..=n).map(elation)).collect())
        } else {
            Symmetry::group(vec![cycle]).with_involutions((1..=n).map(elation))
        }
    }

    /// Multiplication by a primitive element of the field with 2^(n+1) elements: a linear map whose
    /// powers take any point to any other.
    fn singer(&self, vector: usize) -> usize {
        // Primitive polynomials x + 1, x² + x + 1, x³ + x + 1, x⁴ + x + 1, x⁵ + x² + 1, x⁶ + x + 1.
        let polynomial = [0b11, 0b111, 0b1011, 0b1_0011, 0b10_0101, 0b100_0011][self.dimension];
        let shifted = vector << 1;
        if shifted >> (self.dimension + 1) == 1 { shifted ^ polynomial } else { shifted }
    }

    /// `x + φ(x)·p`, where φ is a coordinate other than the first, and p the first unit vector.
    fn elation(&self, coordinate: usize) -> Permutation {
        self.induced(|vector| vector ^ (vector >> coordinate & 1))
    }

    fn induced(&self, image: impl Fn(usize) -> usize) -> Permutation {
        let numbers: BTreeMap<&Subspace, usize> =
            self.all.iter().enumerate().map(|(number, space)| (space, number)).collect();
        let images = self.all.iter().map(|space| space.iter().map(|&v| image(v)).collect());
        Permutation::of(images.map(|space: Subspace| numbers[&space]))
    }

    /// Take a point p. An elation with centre p fixes, among the subspaces that do not contain p,
    /// just those in its axis; by fact 11 they are what matters, and so on by induction.
    pub(crate) fn strategy(&self) -> SymmetryStrategy {
        let point = self.all.iter().position(|space| *space == BTreeSet::from([1]));
        let involutions = (1..=self.dimension).rev().map(|coordinate| self.elation(coordinate));
        SymmetryStrategy { bite: point, involutions: involutions.collect() }
    }
}

fn span(space: &Subspace, vector: usize) -> Subspace {
    let with = space.iter().map(|other| other ^ vector);
    space.iter().copied().chain(with).chain([vector]).collect()
}

/// A basis, the smallest vectors first: `1+2` is the line of 1, 2 and 3.
fn name(space: &Subspace) -> String {
    let (mut basis, mut spanned) = (Vec::new(), Subspace::new());
    for &vector in space {
        if !spanned.contains(&vector) {
            spanned = span(&spanned, vector);
            basis.push(vector.to_string());
        }
    }
    if basis.is_empty() { "{}".to_owned() } else { basis.join("+") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gaussian binomials.
    #[test]
    fn there_are_as_many_subspaces_as_there_should_be() {
        for (n, expected) in [
            (0, [1, 1, 0, 0, 0]),
            (1, [1, 3, 1, 0, 0]),
            (2, [1, 7, 7, 1, 0]),
            (3, [1, 15, 35, 15, 1]),
        ] {
            let poset = Subspaces::of(n).poset().unwrap();
            let of_rank = |rank| (0..poset.len()).filter(|&e| poset.rank(e) == rank).count();
            assert_eq!([0, 1, 2, 3, 4].map(of_rank), expected, "{n}");
        }
        assert_eq!(Subspaces::of(Subspaces::LARGEST).all.len(), 2825);
    }

    #[test]
    fn a_singer_cycle_goes_through_all_points() {
        for n in 0..=Subspaces::LARGEST {
            let spaces = Subspaces { dimension: n, all: Vec::new() };
            let mut vector = 1;
            let mut length = 0;
            loop {
                (vector, length) = (spaces.singer(vector), length + 1);
                if vector == 1 {
                    break;
                }
            }
            assert_eq!(length, (1_usize << (n + 1)) - 1, "{n}");
        }
    }
}
