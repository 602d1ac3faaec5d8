//! The Platonic solids: vertices, edges, faces, and the solid itself.

use std::fmt;

use crate::PosetError;
use crate::poset::Poset;
use crate::symmetry::{Permutation, Symmetry};
use crate::symmetry_strategy::SymmetryStrategy;

/// A Platonic solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solid {
    /// Four triangles.
    Tetrahedron,
    /// Six squares.
    Cube,
    /// Eight triangles.
    Octahedron,
    /// Twelve pentagons.
    Dodecahedron,
    /// Twenty triangles.
    Icosahedron,
}

impl Solid {
    /// All five, with their names.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Tetrahedron, "tetrahedron"),
        (Self::Cube, "cube"),
        (Self::Octahedron, "octahedron"),
        (Self::Dodecahedron, "dodecahedron"),
        (Self::Icosahedron, "icosahedron"),
    ];

    /// Its faces as sets of vertices. Cube and dodecahedron are dual to octahedron and icosahedron:
    /// their vertices are the triangles of those.
    fn faces(self) -> Vec<Vec<usize>> {
        match self {
            Self::Tetrahedron => {
                (0..4).map(|left_out| (0..4).filter(|&v| v != left_out).collect()).collect()
            }
            // Vertices 2i and 2i + 1 are the two ends of axis i.
            Self::Octahedron => (0..8_usize)
                .map(|signs| (0..3).map(|axis| 2 * axis + (signs >> axis & 1)).collect())
                .collect(),
            Self::Icosahedron => icosahedron(),
            Self::Cube => dual(&Self::Octahedron.faces()),
            Self::Dodecahedron => dual(&Self::Icosahedron.faces()),
        }
    }

    /// Vertices A, B, ..., edges AB, faces by their vertices, and `solid`; without a poison.
    ///
    /// # Errors
    /// Never; [`Poset::new`] has this type.
    pub fn poset(self) -> Result<Poset, PosetError> {
        let elements = self.elements();
        let top = elements.len();
        let mut names: Vec<String> = elements.iter().map(|element| name(element)).collect();
        names.push("solid".to_owned());
        let mut relations: Vec<(usize, usize)> = (0..top).map(|lower| (lower, top)).collect();
        for (lower, inner) in elements.iter().enumerate() {
            for (upper, outer) in elements.iter().enumerate() {
                if inner.len() < outer.len() && inner.iter().all(|vertex| outer.contains(vertex)) {
                    relations.push((lower, upper));
                }
            }
        }
        let group = self.automorphisms().into_iter().map(|images| induced(&elements, &images));
        Ok(Poset::new(names, &relations)?.of_symmetry(Symmetry::group(group.collect())))
    }

    /// Vertices, edges, faces, as ascending sets of vertices.
    fn elements(self) -> Vec<Vec<usize>> {
        let faces = self.faces();
        let vertices = faces.iter().flatten().max().expect("there are faces") + 1;
        // Two vertices are the ends of an edge if and only if two faces share them.
        let shared = |u: usize, v: usize| {
            faces.iter().filter(|face| face.contains(&u) && face.contains(&v)).count()
        };
        let mut elements: Vec<Vec<usize>> = (0..vertices).map(|vertex| vec![vertex]).collect();
        for u in 0..vertices {
            elements.extend((u + 1..vertices).filter(|&v| shared(u, v) == 2).map(|v| vec![u, v]));
        }
        elements.extend(faces);
        elements
    }

    /// The automorphisms of the graph of vertices and edges. They keep the faces, since the faces
    /// of a polyhedron are determined by its graph (Whitney 1932).
    fn automorphisms(self) -> Vec<Vec<usize>> {
        let edges: Vec<Vec<usize>> =
            self.elements().into_iter().filter(|element| element.len() == 2).collect();
        let vertices = edges.iter().flatten().max().expect("there are edges") + 1;
        let adjacent = |u: usize, v: usize| edges.contains(&vec![u.min(v), u.max(v)]);
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
    pub fn strategy(self) -> Option<SymmetryStrategy> {
        let elements = self.elements();
        // It fixes no vertex, edge or face, and no other symmetry of order 2 does so.
        let central = self.automorphisms().into_iter().find_map(|images| {
            let permutation = induced(&elements, &images);
            let fixes_only_the_solid = permutation.moved().count() == elements.len();
            (permutation.is_involution() && fixes_only_the_solid).then_some(permutation)
        })?;
        Some(SymmetryStrategy { bite: Some(elements.len()), involutions: vec![central] })
    }
}

/// `cube`.
impl fmt::Display for Solid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = Self::ALL.iter().find(|(solid, _)| solid == self).expect("all are there");
        f.pad(name)
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
    around
        .map(|mut face| {
            face.sort_unstable();
            face
        })
        .collect()
}

/// The faces of the dual solid: for each vertex the numbers of the faces around it.
fn dual(faces: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let vertices = faces.iter().flatten().max().expect("there are faces") + 1;
    let around = |vertex: usize| (0..faces.len()).filter(move |&f| faces[f].contains(&vertex));
    (0..vertices).map(|vertex| around(vertex).collect()).collect()
}

fn name(vertices: &[usize]) -> String {
    vertices.iter().map(|&vertex| char::from(b"ABCDEFGHIJKLMNOPQRST"[vertex])).collect()
}

/// The action of a permutation of vertices on vertices, edges, faces, and the solid.
fn induced(elements: &[Vec<usize>], images: &[usize]) -> Permutation {
    let moved = elements.iter().map(|element| {
        let mut image: Vec<usize> = element.iter().map(|&vertex| images[vertex]).collect();
        image.sort_unstable();
        elements.iter().position(|other| *other == image).expect("faces go to faces")
    });
    Permutation::of(moved.chain([elements.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Euclid XIII; the orders of the groups count all symmetries, reflections included.
    #[test]
    fn solids_have_their_faces_and_symmetries() {
        let expected =
            [(4, 6, 4, 24), (8, 12, 6, 48), (6, 12, 8, 48), (20, 30, 12, 120), (12, 30, 20, 120)];
        for ((solid, name), (vertices, edges, faces, group)) in Solid::ALL.into_iter().zip(expected)
        {
            let poset = solid.poset().unwrap();
            let of_rank = |rank| (0..poset.len()).filter(|&e| poset.rank(e) == rank).count();
            assert_eq!([0, 1, 2, 3].map(of_rank), [vertices, edges, faces, 1], "{name}");
            assert_eq!(solid.automorphisms().len(), group, "{name}");
            // Each edge has two ends and lies in two faces: three above it with the solid.
            for edge in (0..poset.len()).filter(|&e| poset.rank(e) == 1) {
                assert_eq!((poset.covered(edge).len(), poset.above(edge).len()), (2, 4), "{name}");
            }
            assert_eq!(solid.strategy().is_none(), solid == Solid::Tetrahedron);
        }
    }
}
