//! Posets of geometry. The Platonic solids: vertices, edges, faces, and the solid itself. The
//! subspaces of PG(n,2), the projective geometry of dimension n over the field of two elements.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::poset::{Poset, PosetError};
use crate::symmetry::{Permutation, Symmetry, sorted};
use crate::symmetry_strategy::SymmetryStrategy;

/// The Platonic solids.
pub(crate) const SOLIDS: [&str; 5] =
    ["tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"];

/// The vertices, edges and faces of a Platonic solid, as ascending sets of vertices.
pub(crate) struct Solid(IndexSet<Vec<usize>>);

impl Solid {
    /// The solid of this name.
    pub(crate) fn of(name: &str) -> Self {
        let faces = faces(name);
        let vertices = faces.iter().flatten().max().expect("there are faces") + 1;
        // Two vertices are the ends of an edge if and only if two faces share them.
        let shared = |u: usize, v: usize| {
            faces.iter().filter(|face| face.contains(&u) && face.contains(&v)).count()
        };
        let mut elements: IndexSet<_> = (0..vertices).map(|vertex| vec![vertex]).collect();
        for u in 0..vertices {
            elements.extend((u + 1..vertices).filter(|&v| shared(u, v) == 2).map(|v| vec![u, v]));
        }
        elements.extend(faces);
        Self(elements)
    }

    /// Vertices A, B, ..., edges AB, faces by their vertices, and `solid`; without a poison.
    pub(crate) fn poset(&self) -> Result<Poset, PosetError> {
        let top = self.0.len();
        let mut names: Vec<String> = self.0.iter().map(|element| letters(element)).collect();
        names.push("solid".to_owned());
        let mut relations: Vec<(usize, usize)> = (0..top).map(|lower| (lower, top)).collect();
        for (lower, inner) in self.0.iter().enumerate() {
            for (upper, outer) in self.0.iter().enumerate() {
                if inner.len() < outer.len() && inner.iter().all(|vertex| outer.contains(vertex)) {
                    relations.push((lower, upper));
                }
            }
        }
        let group = self.automorphisms().into_iter().map(|images| self.induced(&images));
        Ok(Poset::new(names, &relations)?.of_symmetry(Symmetry::group(group.collect())))
    }

    /// The automorphisms of the graph of vertices and edges. They keep the faces, since the faces
    /// of a polyhedron are determined by its graph (Whitney 1932).
    fn automorphisms(&self) -> Vec<Vec<usize>> {
        let vertices = self.0.iter().filter(|element| element.len() == 1).count();
        let adjacent = |u: usize, v: usize| self.0.contains(&vec![u.min(v), u.max(v)]);
        let mut found = vec![Vec::new()];
        for next in 0..vertices {
            let fits = |images: &[usize], image: usize| {
                !images.contains(&image)
                    && (0..next).all(|v| adjacent(v, next) == adjacent(images[v], image))
            };
            found = found
                .iter()
                .flat_map(|images: &Vec<usize>| {
                    let longer = (0..vertices).filter(|&image| fits(images, image));
                    longer.map(|image| [images.as_slice(), &[image]].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        found
    }

    /// Take the solid and answer by the symmetry with respect to the centre; `None` for the
    /// tetrahedron, which has no such symmetry. (2005 paper, section 4.)
    pub(crate) fn strategy(&self) -> Option<SymmetryStrategy> {
        let top = self.0.len();
        // It fixes no vertex, edge or face, and no other symmetry of order 2 does so.
        let mut group = self.automorphisms().into_iter().map(|images| self.induced(&images));
        let central = group.find(|own| own.is_involution() && own.moved().count() == top)?;
        Some(SymmetryStrategy { bite: Some(top), involutions: vec![central] })
    }

    /// The action of a permutation of vertices on vertices, edges, faces, and the solid, which has
    /// no vertices here.
    fn induced(&self, images: &[usize]) -> Permutation {
        let elements = self.0.iter().cloned().chain([Vec::new()]).collect();
        Permutation::induced(&elements, |element| {
            sorted(element.iter().map(|&vertex| images[vertex]))
        })
    }
}

/// The faces of a solid as sets of vertices. Cube and dodecahedron are dual to octahedron and
/// icosahedron: their vertices are the triangles of those.
fn faces(name: &str) -> Vec<Vec<usize>> {
    match name {
        "tetrahedron" => {
            (0..4).map(|left_out| (0..4).filter(|&v| v != left_out).collect()).collect()
        }
        // Vertices 2i and 2i + 1 are the two ends of axis i.
        "octahedron" => (0..8_usize)
            .map(|signs| (0..3).map(|axis| 2 * axis + (signs >> axis & 1)).collect())
            .collect(),
        "icosahedron" => icosahedron(),
        "cube" => dual(&faces("octahedron")),
        _ => dual(&icosahedron()),
    }
}

/// Top 0, an upper ring 1 to 5, a lower ring 6 to 10, bottom 11.
fn icosahedron() -> Vec<Vec<usize>> {
    let (upper, lower) = (|i: usize| 1 + i % 5, |i: usize| 6 + i % 5);
    let around = (0..5).flat_map(|i| {
        [
            vec![0, upper(i), upper(i + 1)],
            vec![upper(i), upper(i + 1), lower(i)],
            vec![upper(i + 1), lower(i), lower(i + 1)],
            vec![lower(i), lower(i + 1), 11],
        ]
    });
    around.map(sorted).collect()
}

/// The faces of the dual solid: for each vertex the numbers of the faces around it.
fn dual(faces: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let vertices = faces.iter().flatten().max().expect("there are faces") + 1;
    let around = |vertex: usize| (0..faces.len()).filter(move |&f| faces[f].contains(&vertex));
    (0..vertices).map(|vertex| around(vertex).collect()).collect()
}

fn letters(vertices: &[usize]) -> String {
    vertices.iter().map(|&vertex| char::from(b"ABCDEFGHIJKLMNOPQRST"[vertex])).collect()
}

/// A set of vectors, each the bits of its coordinates; 0 is left out. So the empty set is the
/// poison, and the one-element sets are the points.
type Subspace = BTreeSet<usize>;

/// All subspaces of PG(n,2), by dimension.
pub(crate) struct Subspaces {
    dimension: usize,
    all: IndexSet<Subspace>,
}

impl Subspaces {
    /// PG(5,2) has 2825 subspaces, PG(6,2) has 29212.
    pub(crate) const LARGEST: usize = 5;

    pub(crate) fn of(dimension: usize) -> Self {
        let vectors = 1..1_usize << (dimension + 1);
        let (mut all, mut level) = (IndexSet::new(), BTreeSet::from([Subspace::new()]));
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
        let mut relations = BTreeSet::new();
        for (number, space) in self.all.iter().enumerate() {
            let vectors = 1..1_usize << (self.dimension + 1);
            let larger = vectors.filter(|vector| !space.contains(vector));
            let larger = larger.filter_map(|vector| self.all.get_index_of(&span(space, vector)));
            relations.extend(larger.map(|larger| (number, larger)));
        }
        let relations: Vec<(usize, usize)> = relations.into_iter().collect();
        let names = self.all.iter().map(name).collect();
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
        Permutation::induced(&self.all, |space| space.iter().map(|&v| image(v)).collect())
    }

    /// Take a point p. An elation with centre p fixes, among the subspaces that do not contain p,
    /// just those in its axis; by fact 11 they are what matters, and so on by induction.
    pub(crate) fn strategy(&self) -> SymmetryStrategy {
        let point = self.all.get_index_of(&BTreeSet::from([1]));
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

    /// Euclid XIII; the orders of the groups count all symmetries, reflections included.
    #[test]
    fn solids_have_their_faces_and_symmetries() {
        let expected =
            [(4, 6, 4, 24), (8, 12, 6, 48), (6, 12, 8, 48), (20, 30, 12, 120), (12, 30, 20, 120)];
        for (name, (vertices, edges, faces, group)) in SOLIDS.into_iter().zip(expected) {
            let solid = Solid::of(name);
            let poset = solid.poset().unwrap();
            let of_rank = |rank| (0..poset.len()).filter(|&e| poset.rank(e) == rank).count();
            assert_eq!([0, 1, 2, 3].map(of_rank), [vertices, edges, faces, 1], "{name}");
            assert_eq!(solid.automorphisms().len(), group, "{name}");
            // Each edge has two ends and lies in two faces: three above it with the solid.
            for edge in (0..poset.len()).filter(|&e| poset.rank(e) == 1) {
                assert_eq!((poset.covered(edge).len(), poset.above(edge).len()), (2, 4), "{name}");
            }
            assert_eq!(solid.strategy().is_none(), name == "tetrahedron");
        }
    }

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
            let spaces = Subspaces { dimension: n, all: IndexSet::new() };
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
