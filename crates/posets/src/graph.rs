//! Chomp on graphs: the poset of vertices and edges, an edge above its two ends; and graphs as
//! text, one edge a line.

use std::collections::{BTreeSet, HashSet};
use std::str::FromStr;

use indexmap::IndexSet;
use record::relations::Form;

use crate::poset::{Poset, PosetError, read, too_large};
use crate::symmetry::{Permutation, Symmetry, exchanged};

/// A finite graph without loops and multiple edges, with named vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    names: Vec<String>,
    /// Each with the smaller number first.
    edges: Vec<(usize, usize)>,
}

impl Graph {
    /// The graph with these vertices and edges; the ends of an edge are numbers in `names`.
    ///
    /// # Errors
    /// A loop, and two edges with the same ends.
    pub fn new(names: Vec<String>, edges: Vec<(usize, usize)>) -> Result<Self, PosetError> {
        let edges: Vec<(usize, usize)> =
            edges.into_iter().map(|(u, v)| (u.min(v), u.max(v))).collect();
        let mut seen = HashSet::new();
        for &(u, v) in &edges {
            let edge = format!("the edge {} {}", names[u], names[v]);
            if u == v {
                let rule = "Chomp is played on graphs without loops here";
                return Err(PosetError::Refused(format!("{edge} is a loop; {rule}")));
            }
            if !seen.insert((u, v)) {
                let rule = "Chomp is played on simple graphs here";
                return Err(PosetError::Refused(format!("{edge} comes twice; {rule}")));
            }
        }
        Ok(Self { names, edges })
    }

    /// Vertices 1 to n, and these edges between them: no loops, and none twice.
    fn numbered(vertices: usize, edges: Vec<(usize, usize)>) -> Self {
        let names = (1..=vertices).map(|vertex| vertex.to_string()).collect();
        Self::new(names, edges).expect("simple graphs only")
    }

    /// The complete graph on n vertices.
    pub fn complete(n: usize) -> Self {
        Self::numbered(n, (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))).collect())
    }

    /// The complete bipartite graph on a + b vertices.
    pub fn bipartite(a: usize, b: usize) -> Self {
        Self::numbered(a + b, (0..a).flat_map(|u| (a..a + b).map(move |v| (u, v))).collect())
    }

    /// The circuit of n vertices, n >= 3.
    pub fn circuit(n: usize) -> Self {
        Self::numbered(n, (0..n).map(|u| (u, (u + 1) % n)).collect())
    }

    /// The forest in which vertex i, from 1 on, is joined to this parent, or is a root if that is
    /// 0.
    ///
    /// # Errors
    /// A parent that is not less than i.
    ///
    /// ```
    /// use posets::Graph;
    ///
    /// let forest = Graph::forest(&[0, 1, 1, 0])?;
    /// assert_eq!(forest.edges(), [(0, 1), (0, 2)]);
    /// assert!(Graph::forest(&[0, 3, 1]).is_err());
    /// # Ok::<(), posets::PosetError>(())
    /// ```
    pub fn forest(parents: &[usize]) -> Result<Self, PosetError> {
        for (vertex, &parent) in (1..).zip(parents) {
            if parent >= vertex {
                let rule = "the parent is 0 for a root, and otherwise a vertex before it";
                let given = format!("vertex {vertex} has the parent {parent}");
                return Err(PosetError::Refused(format!("{given}; {rule}")));
            }
        }
        let children = parents.iter().enumerate().filter(|&(_, &parent)| parent > 0);
        let edges = children.map(|(child, &parent)| (parent - 1, child)).collect();
        Ok(Self::numbered(parents.len(), edges))
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.names.len()
    }

    /// The edges, each by its ends, numbers from 0 on.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Its vertices, then its edges `u-v`, without a poison. Its known symmetry exchanges vertices
    /// with the same neighbours.
    ///
    /// # Errors
    /// No elements, or too many.
    pub fn poset(&self) -> Result<Poset, PosetError> {
        let elements = self.vertices() + self.edges.len();
        if elements > Poset::LARGEST {
            return Err(too_large(elements));
        }
        let poset = self.bare_poset()?;
        let blocks = self.twins().into_iter().map(|atoms| {
            let swaps =
                atoms.windows(2).map(|pair| self.induced(exchanged(pair[0], pair[1]))).collect();
            (atoms, swaps)
        });
        Ok(poset.of_symmetry(Symmetry::interchangeable(blocks.collect())))
    }

    /// The same with the automorphisms that these permutations of vertices generate.
    pub(crate) fn poset_with_group(&self, generators: &[Vec<usize>]) -> Result<Poset, PosetError> {
        let generators = generators.iter().map(|images| self.induced(|v| images[v])).collect();
        Ok(self.bare_poset()?.of_symmetry(Symmetry::group(generators)))
    }

    fn bare_poset(&self) -> Result<Poset, PosetError> {
        let mut names = self.names.clone();
        let mut relations = Vec::new();
        for &(u, v) in &self.edges {
            relations.extend([(u, names.len()), (v, names.len())]);
            names.push(format!("{}-{}", self.names[u], self.names[v]));
        }
        Poset::new(names, &relations)
    }

    /// Classes of two or more vertices with the same neighbours, themselves excepted. Of a large
    /// class only the first ones.
    fn twins(&self) -> Vec<Vec<usize>> {
        let mut neighbours = vec![BTreeSet::new(); self.vertices()];
        for &(u, v) in &self.edges {
            neighbours[u].insert(v);
            neighbours[v].insert(u);
        }
        let are_twins = |u: usize, v: usize| {
            let but = |u: usize, v: usize| neighbours[u].iter().filter(move |&&w| w != v);
            but(u, v).eq(but(v, u))
        };
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for vertex in 0..self.vertices() {
            match classes.iter_mut().find(|class| are_twins(class[0], vertex)) {
                Some(class) => class.push(vertex),
                None => classes.push(vec![vertex]),
            }
        }
        classes.retain(|class| class.len() > 1);
        for class in &mut classes {
            class.truncate(Symmetry::MOST_ATOMS);
        }
        classes
    }

    /// The action of an automorphism of the graph on vertices and edges.
    pub(crate) fn induced(&self, image: impl Fn(usize) -> usize) -> Permutation {
        // A vertex is the pair of itself twice.
        let vertices = (0..self.vertices()).map(|vertex| (vertex, vertex));
        let elements: IndexSet<_> = vertices.chain(self.edges.iter().copied()).collect();
        Permutation::induced(&elements, |&(u, v)| {
            let (u, v) = (image(u), image(v));
            (u.min(v), u.max(v))
        })
    }
}

/// Reads edges, one per line: `u v`. A line with one vertex adds the vertex. A comment begins with
/// `#`. Vertices are in the order in which they are first named.
///
/// ```
/// use posets::{Graph, PosetError};
///
/// let graph: Graph = "a b # an edge\nb c\nd".parse()?;
/// assert_eq!((graph.vertices(), graph.edges().len()), (4, 2));
/// # Ok::<(), PosetError>(())
/// ```
impl FromStr for Graph {
    type Err = PosetError;

    fn from_str(text: &str) -> Result<Self, PosetError> {
        let form = Form {
            split: |line| line.split_whitespace().collect(),
            no_line: "not an edge u v or a vertex; give one a line",
            forbidden: &['-', '#'],
            without: "'-' and '#'",
            most: Poset::LARGEST,
        };
        let (names, edges) = read(text, &form, "edge and each vertex alone on a line")?;
        Self::new(names, edges)
    }
}
