//! Posets with a name.

use std::fmt;
use std::str::FromStr;

use indexmap::{IndexMap, IndexSet};
use num_integer::gcd;
use record::joined;

use crate::geometry::{SOLIDS, Solid, Subspaces};
use crate::graph::Graph;
use crate::poset::{Poset, PosetError, entry, too_large};
use crate::symmetry::{Permutation, Symmetry, exchanged, sorted};
use crate::symmetry_strategy::SymmetryStrategy;

/// A named poset: a name of [`LIST`] and numbers, such as `boolean 4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPoset {
    name: &'static str,
    /// Of a solid, its place among the [`SOLIDS`].
    numbers: Vec<u64>,
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
/// assert_eq!((named.name(), named.numbers()), ("chains", &[2, 2, 5][..]));
/// assert_eq!((named.poset()?.len(), named), (20, "2x2x5".parse()?));
/// assert!("circuit 2".parse::<NamedPoset>().is_err());
/// # Ok::<(), posets::PosetError>(())
/// ```
impl FromStr for NamedPoset {
    type Err = PosetError;

    fn from_str(text: &str) -> Result<Self, PosetError> {
        let chains = sides(text).map(|sides| format!("chains {}", joined(sides, " ")));
        let (name, usage, words) = entry(chains.as_deref().unwrap_or(text), &LIST, "poset named")?;
        let solids = SOLIDS.join(", ");
        let wrong = |hint| PosetError::not_of_form(text, usage, hint);
        let number = |word: &&str| match name {
            "solid" => SOLIDS.iter().position(|solid| solid == word).map(|place| place as u64),
            _ => word.parse().ok(),
        };
        let hint = |own| if name == "solid" { solids.as_str() } else { own };
        let numbers: Option<Vec<u64>> = words.iter().map(number).collect();
        let numbers = numbers.ok_or_else(|| wrong(hint("the others are whole numbers")))?;
        let mut named = Self { name, numbers };
        if let ("subsets", [n, k]) = (name, named.numbers.as_mut_slice()) {
            *k = (*k).min(*n);
        }
        named.problem().map_or(Ok(named), |own| Err(wrong(hint(own))))
    }
}

/// The numbers between signs of a product, if there are two or more, and nothing else.
fn sides(text: &str) -> Option<Vec<u64>> {
    let sides = text.split(['x', 'X', '×', '⊗']).map(|side| side.trim().parse().ok());
    sides.collect::<Option<Vec<u64>>>().filter(|sides| sides.len() > 1)
}

impl NamedPoset {
    /// The name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The numbers after it.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// The numbers in memory.
    fn small(&self) -> Vec<usize> {
        self.numbers.iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect()
    }

    /// Why these numbers name no poset, or one that is too large.
    fn problem(&self) -> Option<&'static str> {
        let large = Some("a poset has at most 4096 elements here");
        let numbers = self.small();
        if self.name != "divisors" && numbers.iter().any(|&number| number > Poset::LARGEST) {
            return large;
        }
        let product = |numbers: &[usize]| {
            numbers.iter().try_fold(1_usize, |all, &number| all.checked_mul(number))
        };
        match (self.name, numbers.as_slice()) {
            ("chains", []) => Some("give at least one length"),
            ("chains", lengths) if lengths.contains(&0) => Some("a chain has at least 1 element"),
            ("chains", lengths) => {
                large.filter(|_| product(lengths).is_none_or(|size| size > Poset::LARGEST))
            }
            ("divisors", [0]) => Some("every number divides 0; N is at least 1"),
            ("divisors", [_]) => {
                Some("N is at most 1000000000000").filter(|_| self.numbers[0] > LARGEST_DIVIDED)
            }
            ("forest", []) => Some("give at least one vertex"),
            ("complete" | "circuit" | "bipartite", [0, ..] | [_, 0]) => {
                Some("there is at least 1 vertex")
            }
            ("circuit", [1 | 2]) => Some("a circuit has at least 3 vertices"),
            ("boolean", &[n]) => large.filter(|_| n > 12),
            ("subsets", &[n, k]) => {
                let sets = |size: usize| {
                    (0..size).try_fold(1_usize, |c, i| c.checked_mul(n - i).map(|c| c / (i + 1)))
                };
                let all = (0..=k).try_fold(0_usize, |all, size| all.checked_add(sets(size)?));
                large.filter(|_| all.is_none_or(|all| all > Poset::LARGEST))
            }
            ("complete", &[n]) => large.filter(|_| n > 90),
            ("bipartite", &[a, b]) => large.filter(|_| a * b + a + b > Poset::LARGEST),
            ("circuit", &[n]) => large.filter(|_| n > Poset::LARGEST / 2),
            ("subspaces", &[n]) => large.filter(|_| n > Subspaces::LARGEST),
            ("semigroup", [_, generators @ ..])
                if generators.contains(&0) || generators.iter().copied().fold(0, gcd) != 1 =>
            {
                Some("generators are at least 1, and have no common divisor")
            }
            ("semigroup", &[bite, ref generators @ ..]) => {
                let is_bite = bite > 0 && sums(generators, bite)[bite];
                Some("a bite is a sum of generators, and not 0, which is the poison")
                    .filter(|_| !is_bite)
            }
            ("forest", _) | ("solid", [_]) => None,
            _ => Some(""),
        }
    }

    /// The poset, with its known symmetry. Posets with a least element have it as the poison;
    /// graphs and solids have none, as in the 2005 paper, sections 3 and 4.
    ///
    /// # Errors
    /// [`PosetError`] of a forest whose vertices have later parents, and of too many elements.
    ///
    /// # Panics
    /// Never: the numbers were verified when they were read.
    pub fn poset(&self) -> Result<Poset, PosetError> {
        match (self.name, self.small().as_slice()) {
            ("chains", lengths) => chains(lengths, |tuple| {
                format!("({})", joined(tuple.iter().map(|place| place + 1), ","))
            }),
            ("divisors", _) => divisors(self.numbers[0]),
            ("boolean", &[n]) => subsets(n, n),
            ("subsets", &[n, k]) => subsets(n, k),
            ("complete", &[n]) => Graph::complete(n).poset(),
            ("bipartite", &[a, b]) => Graph::bipartite(a, b).poset(),
            ("circuit", &[n]) => {
                let turn = (0..n).map(|vertex| (vertex + 1) % n).collect();
                let turn_over = (0..n).map(|vertex| n - 1 - vertex).collect();
                Graph::circuit(n).poset_with_group(&[turn, turn_over])
            }
            ("forest", parents) => Graph::forest(parents)?.poset(),
            ("solid", &[place]) => Solid::of(SOLIDS[place]).poset(),
            ("subspaces", &[n]) => Subspaces::of(n).poset(),
            ("semigroup", [bite, generators @ ..]) => semigroup(*bite, generators),
            _ => unreachable!("no other name was read"),
        }
    }

    /// The strategy by symmetry that the papers or the proof of fact 11 give, if they do.
    pub fn strategy(&self) -> Option<SymmetryStrategy> {
        match (self.name, self.small().as_slice()) {
            // (2,2), and then the mirror image.
            ("chains", &[n, m]) if n == m && n > 1 => {
                let mirror =
                    Permutation::of((0..n * n).map(|element| element % n * n + element / n));
                Some(SymmetryStrategy { bite: Some(n + 1), involutions: vec![mirror] })
            }
            // The opposite vertex or edge.
            ("circuit", &[n]) if n % 2 == 0 => {
                let opposite = Graph::circuit(n).induced(|vertex| (vertex + n / 2) % n);
                Some(SymmetryStrategy { bite: None, involutions: vec![opposite] })
            }
            ("solid", &[place]) => Solid::of(SOLIDS[place]).strategy(),
            ("subspaces", &[n]) => Some(Subspaces::of(n).strategy()),
            _ => None,
        }
    }
}

/// As it is read.
impl fmt::Display for NamedPoset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name, self.small().as_slice()) {
            ("solid", &[place]) => write!(f, "solid {}", SOLIDS[place]),
            (name, _) => write!(f, "{name} {}", joined(&self.numbers, " ")),
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
    let (mut sets, mut done) = (vec![Vec::new()], 0);
    while let Some(set) = sets.get(done).filter(|set| set.len() < k).cloned() {
        let next = set.last().map_or(0, |last| last + 1);
        sets.extend((next..n).map(|point| [set.as_slice(), &[point]].concat()));
        done += 1;
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
        let image = exchanged(i, i + 1);
        Permutation::induced(&sets, |set| sorted(set.iter().copied().map(&image)))
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
    let points = set.iter().map(|point| point + 1);
    if set.is_empty() { "{}".to_owned() } else { joined(points, if n > 9 { "," } else { "" }) }
}
