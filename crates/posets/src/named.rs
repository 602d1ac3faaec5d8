//! Posets with a name.

use std::fmt;
use std::str::FromStr;

use indexmap::{IndexMap, IndexSet};
use num_integer::gcd;

use crate::geometry::{Solid, Subspaces};
use crate::graph::Graph;
use crate::poset::{Poset, PosetError, too_large};
use crate::symmetry::{Permutation, Symmetry};
use crate::symmetry_strategy::SymmetryStrategy;

/// A named poset: a name and numbers, such as `boolean 4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedPoset {
    /// The product of chains of these lengths.
    Chains(Vec<usize>),
    /// The divisors of a number.
    Divisors(u64),
    /// All subsets of an n-set.
    Boolean(usize),
    /// The subsets with at most k elements of an n-set.
    Subsets {
        /// n.
        n: usize,
        /// k.
        k: usize,
    },
    /// The vertices and edges of the complete graph on n vertices.
    Complete(usize),
    /// The vertices and edges of the complete bipartite graph on a + b vertices.
    Bipartite(usize, usize),
    /// The vertices and edges of a circuit of n vertices.
    Circuit(usize),
    /// The vertices and edges of a forest, by the parents of its vertices.
    Forest(Vec<usize>),
    /// Vertices, edges, faces and body of a Platonic solid.
    Solid(Solid),
    /// The subspaces of PG(n,2).
    Subspaces(usize),
    /// What an opening bite of a numerical semigroup leaves.
    Semigroup {
        /// The bite.
        bite: usize,
        /// The generators.
        generators: Vec<usize>,
    },
}

/// The notation of each named poset, and its meaning.
pub const LIST: [(&str, &str); 11] = [
    ("chains A B ...", "product of chains, also AxBx...; counted from 1: (1,1,...) is the poison"),
    ("divisors N", "divisors of N; the poison is 1 (Schuh)"),
    ("boolean N", "subsets of an N-set; the poison is the empty set"),
    ("subsets N K", "subsets with at most K elements of an N-set (Gale and Neyman)"),
    ("complete N", "vertices and edges of the complete graph on N vertices"),
    ("bipartite A B", "vertices and edges of the complete bipartite graph on A + B vertices"),
    ("circuit N", "vertices and edges of a circuit of N vertices"),
    (
        "forest P1 P2 ...",
        "vertices and edges of a forest; Pi is the parent of vertex i, 0 for none",
    ),
    ("solid NAME", "vertices, edges, faces and body of a Platonic solid, such as cube"),
    ("subspaces N", "subspaces of the projective space PG(N,2); the poison is the empty one"),
    ("semigroup X G1 G2 ...", "what the bite X leaves of the numerical semigroup of G1, G2, ..."),
];

/// Divisors are found by trial division.
const LARGEST_DIVIDED: u64 = 1_000_000_000_000;

/// Reads a named poset as it is written in [`LIST`].
///
/// ```
/// use posets::NamedPoset;
///
/// let named: NamedPoset = "chains 2 2 5".parse()?;
/// assert_eq!(named, NamedPoset::Chains(vec![2, 2, 5]));
/// assert_eq!((named.poset()?.len(), named), (20, "2x2x5".parse()?));
/// assert!("circuit 2".parse::<NamedPoset>().is_err());
/// # Ok::<(), posets::PosetError>(())
/// ```
impl FromStr for NamedPoset {
    type Err = PosetError;

    fn from_str(text: &str) -> Result<Self, PosetError> {
        let wrong = |usage: &str, hint: &str| PosetError::not_of_form(text, usage, hint);
        if let Some(sides) = sides(text) {
            return Self::of("chains", &sides).map_err(|hint| wrong(LIST[0].0, hint));
        }
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let first_word = |usage: &str| usage.split(' ').next() == Some(name);
        let Some(&(usage, _)) = LIST.iter().find(|(usage, _)| first_word(usage)) else {
            return Err(PosetError::no_such("poset named", name));
        };
        let words: Vec<&str> = words.collect();
        if name == "solid" {
            let solid = Solid::ALL.iter().find(|(_, name)| words == [*name]);
            let names = Solid::ALL.map(|(_, name)| name).join(", ");
            return solid.map(|&(solid, _)| Self::Solid(solid)).ok_or_else(|| wrong(usage, &names));
        }
        let numbers: Result<Vec<u64>, _> = words.iter().map(|word| word.parse()).collect();
        let numbers = numbers.map_err(|_| wrong(usage, "the others are whole numbers"))?;
        Self::of(name, &numbers).map_err(|hint| wrong(usage, hint))
    }
}

/// The numbers between signs of a product, if there are two or more, and nothing else.
fn sides(text: &str) -> Option<Vec<u64>> {
    let sides = text.split(['x', 'X', '×', '⊗']).map(|side| side.trim().parse().ok());
    sides.collect::<Option<Vec<u64>>>().filter(|sides| sides.len() > 1)
}

impl NamedPoset {
    fn of(name: &str, numbers: &[u64]) -> Result<Self, &'static str> {
        let large = "a poset has at most 4096 elements here";
        let small = |&number: &u64| usize::try_from(number).ok().filter(|&n| n <= Poset::LARGEST);
        if let ("divisors", &[number]) = (name, numbers) {
            return match number {
                0 => Err("every number divides 0; N is at least 1"),
                number if number > LARGEST_DIVIDED => Err("N is at most 1000000000000"),
                number => Ok(Self::Divisors(number)),
            };
        }
        let numbers: Option<Vec<usize>> = numbers.iter().map(small).collect();
        let numbers = numbers.ok_or(large)?;
        Ok(match (name, numbers.as_slice()) {
            ("chains", []) => return Err("give at least one length"),
            ("chains", lengths) if lengths.contains(&0) => {
                return Err("a chain has at least 1 element");
            }
            ("chains", lengths) => {
                let size = lengths.iter().try_fold(1_usize, |all, &n| all.checked_mul(n));
                size.filter(|&size| size <= Poset::LARGEST).ok_or(large)?;
                Self::Chains(lengths.to_vec())
            }
            ("forest", []) => return Err("give at least one vertex"),
            ("forest", parents) => Self::Forest(parents.to_vec()),
            ("complete" | "circuit" | "bipartite", [0, ..] | [_, 0]) => {
                return Err("there is at least 1 vertex");
            }
            ("boolean", &[n]) if n <= 12 => Self::Boolean(n),
            ("subsets", &[n, k]) => {
                let sets = |size: usize| {
                    (0..size).try_fold(1_usize, |c, i| c.checked_mul(n - i).map(|c| c / (i + 1)))
                };
                let all =
                    (0..=k.min(n)).try_fold(0_usize, |all, size| all.checked_add(sets(size)?));
                all.filter(|&all| all <= Poset::LARGEST).ok_or(large)?;
                Self::Subsets { n, k: k.min(n) }
            }
            ("complete", &[n]) if n <= 90 => Self::Complete(n),
            ("bipartite", &[a, b]) if a * b + a + b <= Poset::LARGEST => Self::Bipartite(a, b),
            ("circuit", &[1 | 2]) => return Err("a circuit has at least 3 vertices"),
            ("circuit", &[n]) if n <= Poset::LARGEST / 2 => Self::Circuit(n),
            ("subspaces", &[n]) if n <= Subspaces::LARGEST => Self::Subspaces(n),
            ("semigroup", [_, generators @ ..])
                if generators.contains(&0) || generators.iter().copied().fold(0, gcd) != 1 =>
            {
                return Err("generators are at least 1, and have no common divisor");
            }
            ("semigroup", &[bite, ref generators @ ..]) => {
                if bite == 0 || !sums(generators, bite)[bite] {
                    return Err("a bite is a sum of generators, and not 0, which is the poison");
                }
                Self::Semigroup { bite, generators: generators.to_vec() }
            }
            ("boolean" | "complete" | "circuit" | "subspaces", [_]) | ("bipartite", [_, _]) => {
                return Err(large);
            }
            _ => return Err(""),
        })
    }

    /// The poset, with its known symmetry. Posets with a least element have it as the poison;
    /// graphs and solids have none, as in the 2005 paper, sections 3 and 4.
    ///
    /// # Errors
    /// [`PosetError`], if it was not parsed from a text.
    pub fn poset(&self) -> Result<Poset, PosetError> {
        Ok(match self {
            Self::Chains(lengths) => chains(lengths, |tuple| {
                let tuple: Vec<String> =
                    tuple.iter().map(|place| (place + 1).to_string()).collect();
                format!("({})", tuple.join(","))
            })?,
            Self::Divisors(number) => divisors(*number)?,
            Self::Boolean(n) => subsets(*n, *n)?,
            Self::Subsets { n, k } => subsets(*n, *k)?,
            Self::Complete(n) => Graph::complete(*n).poset()?,
            Self::Bipartite(a, b) => Graph::bipartite(*a, *b).poset()?,
            Self::Circuit(n) => {
                let turn = (0..*n).map(|vertex| (vertex + 1) % n).collect();
                let turn_over = (0..*n).map(|vertex| n - 1 - vertex).collect();
                Graph::circuit(*n).poset_with_group(&[turn, turn_over])?
            }
            Self::Forest(parents) => Graph::forest(parents)?.poset()?,
            Self::Solid(solid) => solid.poset()?,
            Self::Subspaces(n) => Subspaces::of(*n).poset()?,
            Self::Semigroup { bite, generators } => semigroup(*bite, generators)?,
        })
    }

    /// The strategy by symmetry that the papers or the proof of fact 11 give, if they do.
    pub fn strategy(&self) -> Option<SymmetryStrategy> {
        match *self {
            // (2,2), and then the mirror image.
            Self::Chains(ref lengths) if matches!(**lengths, [n, m] if n == m && n > 1) => {
                let n = lengths[0];
                let mirror =
                    Permutation::of((0..n * n).map(|element| element % n * n + element / n));
                Some(SymmetryStrategy { bite: Some(n + 1), involutions: vec![mirror] })
            }
            // The opposite vertex or edge.
            Self::Circuit(n) if n % 2 == 0 => {
                let opposite = Graph::circuit(n).induced(|vertex| (vertex + n / 2) % n);
                Some(SymmetryStrategy { bite: None, involutions: vec![opposite] })
            }
            Self::Solid(solid) => solid.strategy(),
            Self::Subspaces(n) => Some(Subspaces::of(n).strategy()),
            _ => None,
        }
    }
}

/// As it is read.
impl fmt::Display for NamedPoset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers =
            |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        match self {
            Self::Chains(lengths) => write!(f, "chains {}", numbers(lengths)),
            Self::Divisors(number) => write!(f, "divisors {number}"),
            Self::Boolean(n) => write!(f, "boolean {n}"),
            Self::Subsets { n, k } => write!(f, "subsets {n} {k}"),
            Self::Complete(n) => write!(f, "complete {n}"),
            Self::Bipartite(a, b) => write!(f, "bipartite {a} {b}"),
            Self::Circuit(n) => write!(f, "circuit {n}"),
            Self::Forest(parents) => write!(f, "forest {}", numbers(parents)),
            Self::Solid(solid) => write!(f, "solid {solid}"),
            Self::Subspaces(n) => write!(f, "subspaces {n}"),
            Self::Semigroup { bite, generators } => {
                write!(f, "semigroup {bite} {}", numbers(generators))
            }
        }
    }
}

/// The product of chains 0 < 1 < ..., in lexicographic order; equal lengths are interchangeable.
fn chains(lengths: &[usize], name: impl Fn(&[usize]) -> String) -> Result<Poset, PosetError> {
    let longer = |tuples: Vec<Vec<usize>>, &length: &usize| {
        let longer = |tuple: &Vec<usize>, next| [tuple.as_slice(), &[next]].concat();
        tuples.iter().flat_map(|tuple| (0..length).map(|next| longer(tuple, next))).collect()
    };
    let tuples = lengths.iter().fold(vec![Vec::new()], longer);
    let tuples: IndexSet<Vec<usize>> = tuples.into_iter().collect();
    // The element above a tuple in one of the chains, if there is one.
    let above = |tuple: &Vec<usize>, place: usize| {
        let mut upper = tuple.clone();
        upper[place] += 1;
        tuples.get_index_of(&upper)
    };
    let mut relations = Vec::new();
    for (lower, tuple) in tuples.iter().enumerate() {
        let uppers = (0..lengths.len()).filter_map(|place| above(tuple, place));
        relations.extend(uppers.map(|upper| (lower, upper)));
    }
    let exchange = |i: usize, j: usize| {
        Permutation::induced(&tuples, |tuple| {
            let mut image = tuple.clone();
            image.swap(i, j);
            image
        })
    };
    let blocks = classes(lengths).into_iter().map(|places| {
        let atom = |&place: &usize| above(&tuples[0], place).expect("a chain of two or more");
        let swaps = places.windows(2).map(|pair| exchange(pair[0], pair[1])).collect();
        (places.iter().map(atom).collect(), swaps)
    });
    let symmetry = Symmetry::interchangeable(blocks.collect());
    let names = tuples.iter().map(|tuple| name(tuple)).collect();
    Ok(Poset::new(names, &relations)?.with_least_poisoned().of_symmetry(symmetry))
}

/// The places of chains of equal length, if there are two or more, by their first places.
fn classes(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut classes = IndexMap::<usize, Vec<usize>>::new();
    for (place, &length) in lengths.iter().enumerate().filter(|&(_, &length)| length > 1) {
        classes.entry(length).or_default().push(place);
    }
    classes.into_values().filter(|class| class.len() > 1).collect()
}

fn divisors(number: u64) -> Result<Poset, PosetError> {
    let mut primes = Vec::new();
    let (mut left, mut prime) = (number, 2);
    while left > 1 {
        if prime * prime > left {
            prime = left;
        }
        let mut exponent = 0;
        while left.is_multiple_of(prime) {
            (left, exponent) = (left / prime, exponent + 1);
        }
        if exponent > 0 {
            primes.push((prime, exponent));
        }
        prime += 1;
    }
    let lengths: Vec<usize> = primes.iter().map(|&(_, exponent)| exponent + 1).collect();
    if lengths.iter().product::<usize>() > Poset::LARGEST {
        return Err(too_large(lengths.iter().product()));
    }
    chains(&lengths, |exponents| {
        let powers = primes
            .iter()
            .zip(exponents)
            .map(|(&(prime, _), &exponent)| (0..exponent).map(|_| prime).product::<u64>());
        powers.product::<u64>().to_string()
    })
}

/// Whether each number up to a bound is a sum of generators, as 0 is.
fn sums(generators: &[usize], bound: usize) -> Vec<bool> {
    let mut is_sum = vec![true];
    for number in 1..=bound {
        let reached = |&generator: &usize| generator <= number && is_sum[number - generator];
        is_sum.push(generators.iter().any(reached));
    }
    is_sum
}

/// What a bite x leaves of a numerical semigroup S: `S \ (x + S)`, the least member of each residue
/// class modulo x (Apéry). `a <= b` if and only if `b - a` is in S, so 0 is the poison. Each number
/// from (g - 1)(h - 1) on is in S, with the least generator g and the largest h (Brauer 1942).
/// Chomp on semigroups is of García-Marco and Knauer (2017).
fn semigroup(bite: usize, generators: &[usize]) -> Result<Poset, PosetError> {
    let extremes = generators.iter().min().zip(generators.iter().max());
    let is_in = sums(generators, bite + extremes.map_or(0, |(least, largest)| least * largest));
    let is_left = |&number: &usize| is_in[number] && (number < bite || !is_in[number - bite]);
    let left: Vec<usize> = (0..is_in.len()).filter(is_left).collect();
    let mut relations = Vec::new();
    for (upper, &above) in left.iter().enumerate() {
        let below = (0..upper).filter(|&lower| is_in[above - left[lower]]);
        relations.extend(below.map(|lower| (lower, upper)));
    }
    let names = left.iter().map(usize::to_string).collect();
    Ok(Poset::new(names, &relations)?.with_least_poisoned())
}

/// Subsets with at most k elements, by size; all points are interchangeable.
fn subsets(n: usize, k: usize) -> Result<Poset, PosetError> {
    let mut sets = vec![Vec::new()];
    let mut begun = 0;
    for _ in 0..k.min(n) {
        let end = sets.len();
        for index in begun..end {
            let set: Vec<usize> = sets[index].clone();
            let next = set.last().map_or(0, |last| last + 1);
            sets.extend((next..n).map(|point| [set.as_slice(), &[point]].concat()));
        }
        begun = end;
    }
    let sets: IndexSet<Vec<usize>> = sets.into_iter().collect();
    let number = |set: Vec<usize>| sets.get_index_of(&set).expect("a set");
    let mut relations = Vec::new();
    for (upper, set) in sets.iter().enumerate() {
        for left_out in set {
            let lower = set.iter().copied().filter(|point| point != left_out).collect();
            relations.push((number(lower), upper));
        }
    }
    let exchange = |i: usize| {
        let image = |&point: &usize| match point {
            _ if point == i => i + 1,
            _ if point == i + 1 => i,
            _ => point,
        };
        Permutation::induced(&sets, |set| {
            let mut images: Vec<usize> = set.iter().map(image).collect();
            images.sort_unstable();
            images
        })
    };
    let symmetry = if n > 1 && k > 0 {
        let points = n.min(Symmetry::MOST_ATOMS);
        let atoms = (0..points).map(|point| number(vec![point])).collect();
        Symmetry::interchangeable(vec![(atoms, (0..points - 1).map(exchange).collect())])
    } else {
        Symmetry::default()
    };
    let names = sets.iter().map(|set| set_name(set, n)).collect();
    Ok(Poset::new(names, &relations)?.with_least_poisoned().of_symmetry(symmetry))
}

/// `134`, or `1,3,14` if there are more than nine points.
fn set_name(set: &[usize], n: usize) -> String {
    let points: Vec<String> = set.iter().map(|point| (point + 1).to_string()).collect();
    if points.is_empty() { "{}".to_owned() } else { points.join(if n > 9 { "," } else { "" }) }
}
