//! Claims about Chomp on posets other than boards: searched, or by fact 11. Posets have the names
//! of `chomp poset`.

use std::collections::HashSet;
use std::ops::ControlFlow;

use game::Outcome;
use posets::{Graph, NamedPoset, Poset, Solver};
use serde::Deserialize;

use crate::arguments::{PN, Written};
use crate::evidence::{Evidence, SearchedPoset};
use crate::verdict::Finding;

/// Bites that symmetry takes to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Bite {
    /// The largest element.
    Top,
    /// The elements that are minimal, but for the poison.
    Atom,
}

/// Subspaces are searched to PG(2,2), and decided by fact 11 from there to this one.
const SUBSPACES: u64 = 4;

/// Subsets of an n-set, and forests of n vertices, are decided to these n.
const SETS: u64 = 6;
const VERTICES: u64 = 7;

/// Complete graphs and circuits are decided to this n.
const GRAPHS: u64 = 12;

/// Chomp on 2 x 2 x n is decided to this n.
const LONGEST: usize = 100;

/// Numbers to this one are factored.
const NUMBERS: u64 = 500;

/// All subgraphs of these complete bipartite graphs are tested.
const SIDES: [(usize, usize); 2] = [(3, 4), (2, 5)];

/// The posets here have fewer positions than this.
const LIMIT: u64 = 10_000_000;

const SEARCH: &str = "search of all positions that matter, up to symmetry and fact 11";

/// How numbers are compared with posets.
const DIVISIBILITY: &str =
    "an order isomorphism, found by search, of the divisors by trial division";

fn named(text: &str) -> NamedPoset {
    text.parse().expect("the posets of the ledger are posets")
}

/// The member n of a family with one number.
fn member(family: &str, n: u64) -> NamedPoset {
    named(&format!("{family} {n}"))
}

/// The last member of a family that is decided here, in a second or so.
fn last(family: &str) -> u64 {
    match family {
        "boolean" => SETS,
        "subspaces" => SUBSPACES,
        _ => GRAPHS,
    }
}

fn poset(named: &NamedPoset) -> Poset {
    named.poset().expect("the posets of the ledger are not too large")
}

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The outcome of a poset, or of what a bite leaves.
fn outcome(evidence: &Evidence, named: &NamedPoset, bite: Option<usize>) -> Outcome {
    evidence.of_poset(named, bite, || {
        let poset = poset(named);
        let all = poset.full();
        let after = |bite| poset.after(&all, bite).expect("the poison is no bite");
        let position = bite.map_or_else(|| all.clone(), after);
        Solver::new(&poset, LIMIT, &go_on).outcome(&position).expect("a small poset")
    })
}

/// The finding, if it contradicts the claim.
fn wrong(found: Outcome, lost: bool, what: impl Fn() -> String) -> Option<String> {
    ((found == Outcome::P) != lost).then(|| format!("{} is {found}", what()))
}

/// On each member n of a family, n >= from, these bites leave P- or N-positions.
pub fn bites(
    evidence: &Evidence,
    (family, from, bite, leaves): (String, u64, Bite, PN),
) -> Finding {
    let strategies =
        if family == "subspaces" { "; beyond PG(2,2) the strategy is verified" } else { "" };
    let wrong = |n| wrong_bite(evidence, &member(&family, n), bite, leaves);
    Finding::each(from..=last(&family), wrong).by(format!("{SEARCH}{strategies}"))
}

/// On these Platonic solids these bites leave P- or N-positions.
pub fn solids(evidence: &Evidence, (solids, bite, leaves): (Vec<String>, Bite, PN)) -> Finding {
    let mut solids = solids.iter().map(|solid| named(&format!("solid {solid}")));
    Finding::unless(solids.find_map(|solid| wrong_bite(evidence, &solid, bite, leaves))).by(SEARCH)
}

/// What all such bites leave, if one of them does not leave this.
fn wrong_bite(evidence: &Evidence, named: &NamedPoset, bite: Bite, said: PN) -> Option<String> {
    let poset = poset(named);
    let bites = elements(&poset, bite);
    let wins = match named {
        NamedPoset::Subspaces(n) if *n > 2 => wins_by_strategy(named, &poset, bite),
        _ => bites.iter().all(|&bite| outcome(evidence, named, Some(bite)) == Outcome::P),
    };
    let name = poset.name(*bites.first()?);
    let leaves = if wins { "a P-position" } else { "an N-position" };
    (wins != (said == PN::P)).then(|| format!("{named}: the bite {name} leaves {leaves}"))
}

/// After a point the position is P, by fact 11; so after the top it is N, since a point is the
/// reply, and leaves the same position.
fn wins_by_strategy(named: &NamedPoset, poset: &Poset, bite: Bite) -> bool {
    let strategy = named.strategy().expect("subspaces have a strategy");
    strategy.verify(poset).expect("the strategy for subspaces is right");
    bite == Bite::Atom
}

fn elements(poset: &Poset, bite: Bite) -> Vec<usize> {
    let atoms_at = usize::from(poset.poison().is_some());
    let is_meant = |element: &usize| match bite {
        Bite::Top => (0..poset.len()).all(|other| poset.at_most(other, *element)),
        Bite::Atom => poset.rank(*element) == atoms_at,
    };
    (0..poset.len()).filter(is_meant).collect()
}

/// On the member n of a family, n >= from, the first player loses if and only if `divisor` divides
/// n.
pub fn lost_if(evidence: &Evidence, (family, from, divisor): (String, u64, u64)) -> Finding {
    Finding::each(from..=last(&family), |n| {
        let member = member(&family, n);
        let lost = n.is_multiple_of(divisor);
        wrong(outcome(evidence, &member, None), lost, || member.to_string())
    })
    .by(SEARCH)
}

/// On the subsets of size at most k of an n-set the first player loses if k + plus divides n.
pub fn subsets_if(evidence: &Evidence, (plus,): (u64,)) -> Finding {
    Finding::each(1..=SETS, |n| wrong_subsets(evidence, n, n, plus, false)).by(SEARCH)
}

/// She loses if and only if k + plus divides n, which the long searches decide for more n.
pub fn subsets_just_if(evidence: &Evidence, (plus,): (u64,)) -> Finding {
    let small = |n| Some((n, wrong_subsets(evidence, n, n, plus, true)?));
    let long = |searched| wrong_searched(searched, plus);
    let failure = (1..=SETS).find_map(small).or_else(|| evidence.posets().iter().find_map(long));
    let last = failure.as_ref().map_or(SETS, |(n, _)| SETS.max(*n));
    Finding::to(last, failure).by(SEARCH)
}

/// The same for this n, and the sizes less than k.
pub fn subsets_before(evidence: &Evidence, (n, k, plus): (u64, u64, u64)) -> Finding {
    Finding::unless(wrong_subsets(evidence, n, k - 1, plus, true)).by(SEARCH)
}

/// Of the subsets with at most k of n elements, for k to this one, one with another outcome than
/// that of the conjecture.
fn wrong_subsets(
    evidence: &Evidence,
    n: u64,
    largest: u64,
    plus: u64,
    only_if: bool,
) -> Option<String> {
    (1..=largest).find_map(|k| {
        let lost = n.is_multiple_of(k + plus);
        let found = || outcome(evidence, &named(&format!("subsets {n} {k}")), None);
        (lost || only_if).then(|| wrong(found(), lost, || format!("k = {k}"))).flatten()
    })
}

/// n, and the finding, if a long search contradicts the conjecture.
fn wrong_searched(searched: &SearchedPoset, plus: u64) -> Option<(u64, String)> {
    let NamedPoset::Subsets { n, k } = searched.named else { return None };
    let (n, k) = (n as u64, k as u64);
    let wrong = wrong(searched.outcome, n.is_multiple_of(k + plus), || format!("k = {k}"))?;
    Some((n, format!("n = {n}, {wrong}")))
}

/// The outcome of a poset whose search takes minutes: [`Evidence::add_poset`].
pub fn searched(
    evidence: &Evidence,
    (Written(poset), outcome): (Written<NamedPoset>, PN),
) -> Finding {
    let known = evidence.posets().iter().find(|known| known.named == poset);
    let found = known.map_or_else(
        || Finding::out_of_reach(format!("a search of {poset} is enough")),
        |known| Finding::found(outcome.is(known.outcome), format!("{poset} is {}", known.outcome)),
    );
    found.by(SEARCH)
}

/// The divisors of these numbers are these posets.
pub fn divisors(_: &Evidence, (posets,): (Vec<(u64, Written<NamedPoset>)>,)) -> Finding {
    let wrong = posets.iter().find_map(|(number, Written(said))| wrong_divisors(*number, said));
    Finding::unless(wrong).by(DIVISIBILITY)
}

/// The divisors of each N with at most `primes` prime factors are the product of chains, one for
/// each of these, and longer than its exponent by `longer`, 1 in the paper.
pub fn factored(_: &Evidence, (longer, primes): (usize, usize)) -> Finding {
    Finding::each(2..=NUMBERS, |number| {
        let exponents = exponents(number);
        let asked = exponents.len() <= primes;
        let lengths = exponents.iter().map(|exponent| exponent + longer).collect();
        asked.then(|| wrong_divisors(number, &NamedPoset::Chains(lengths))).flatten()
    })
    .by(DIVISIBILITY)
}

/// The exponents of the prime factors, ascending.
fn exponents(mut number: u64) -> Vec<usize> {
    let primes = 2..=number;
    let exponent = |prime: u64| {
        let mut exponent = 0;
        while number.is_multiple_of(prime) {
            number /= prime;
            exponent += 1;
        }
        exponent
    };
    primes.map(exponent).filter(|&exponent| exponent > 0).collect()
}

fn wrong_divisors(number: u64, said: &NamedPoset) -> Option<String> {
    let divisors: Vec<u64> =
        (1..=number).filter(|divisor| number.is_multiple_of(*divisor)).collect();
    let order = |&(i, j): &(usize, usize)| i != j && divisors[j].is_multiple_of(divisors[i]);
    let places = 0..divisors.len();
    let relations: Vec<(usize, usize)> =
        places.clone().flat_map(|i| places.clone().map(move |j| (i, j))).filter(order).collect();
    let names = divisors.iter().map(u64::to_string).collect();
    let found = Poset::new(names, &relations).expect("divisibility is an order");
    let isomorphic = is_isomorphic(&found, &poset(said));
    (!isomorphic).then(|| format!("the divisors of {number} are not {said}"))
}

/// Whether there is a bijection that keeps the order both ways.
fn is_isomorphic(one: &Poset, other: &Poset) -> bool {
    fn extend(one: &Poset, other: &Poset, images: &mut Vec<usize>) -> bool {
        let next = images.len();
        if next == one.len() {
            return true;
        }
        for image in 0..other.len() {
            let fits = !images.contains(&image)
                && images.iter().enumerate().all(|(before, &of_before)| {
                    one.at_most(before, next) == other.at_most(of_before, image)
                        && one.at_most(next, before) == other.at_most(image, of_before)
                });
            if fits && one.above(next).len() == other.above(image).len() {
                images.push(image);
                if extend(one, other, images) {
                    return true;
                }
                images.pop();
            }
        }
        false
    }
    one.len() == other.len() && extend(one, other, &mut Vec::new())
}

/// On forests the first player loses if and only if this divides the number of vertices and that of
/// components: 2 in the paper.
pub fn forests(evidence: &Evidence, (divisor,): (usize,)) -> Finding {
    Finding::each(1..=VERTICES, |n| {
        rooted_forests(n).into_iter().find_map(|parents| {
            let components = parents.iter().filter(|&&parent| parent == 0).count();
            let lost = [parents.len(), components].iter().all(|of| of.is_multiple_of(divisor));
            let forest = NamedPoset::Forest(parents);
            let found = outcome(evidence, &forest, None);
            wrong(found, lost, || format!("{forest} with {components} components"))
        })
    })
    .by(SEARCH)
}

/// All forests of n vertices with a root in each component, by the parents of their vertices; each
/// once, up to the numbers of the vertices.
fn rooted_forests(n: u64) -> Vec<Vec<usize>> {
    (0..n).fold(vec![Vec::new()], |shorter, _| {
        let mut met = HashSet::new();
        let longer = shorter.iter().flat_map(|parents: &Vec<usize>| {
            (0..=parents.len()).map(|parent| [parents.as_slice(), &[parent]].concat())
        });
        longer.filter(|parents| met.insert(brackets(parents))).collect()
    })
}

/// A pair of brackets for each vertex, around those of its children in alphabetical order, and one
/// for the forest.
fn brackets(parents: &[usize]) -> String {
    let mut children: Vec<Vec<String>> = vec![Vec::new(); parents.len() + 1];
    let around = |children: &mut Vec<String>| {
        children.sort_unstable();
        format!("({})", children.concat())
    };
    for vertex in (1..=parents.len()).rev() {
        let own = around(&mut children[vertex]);
        children[parents[vertex - 1]].push(own);
    }
    around(&mut children[0])
}

/// On bipartite graphs the Grundy value is the sum of one number if the number of vertices is odd,
/// and another one if the number of edges is odd.
pub fn bipartite(_: &Evidence, (of_vertices, of_edges): (u64, u64)) -> Finding {
    let (mut graphs, mut counterexample) = (0_u64, None);
    for (a, b) in SIDES {
        let poset = Graph::bipartite(a, b).poset().expect("a small graph");
        let mut solver = Solver::new(&poset, LIMIT, &go_on);
        for subgraph in poset.positions() {
            let vertices = subgraph.elements().iter().filter(|&&e| poset.rank(e) == 0).count();
            let edges = subgraph.elements().len() - vertices;
            let odd = |count: usize, value: u64| if count % 2 == 1 { value } else { 0 };
            let found = solver.grundy(&subgraph).expect("a small graph");
            if found != odd(vertices, of_vertices) + odd(edges, of_edges) {
                counterexample
                    .get_or_insert(format!("{vertices} vertices, {edges} edges: {found}"));
            }
            graphs += 1;
        }
    }
    Finding::in_cases(format!("{graphs} bipartite graphs"), counterexample)
        .by(format!("{SEARCH}, for Grundy values"))
}

/// The positions `[m,a,b,c]` of 2 x 2 x m, by their a, b and c.
fn towers(m: usize) -> impl Iterator<Item = [usize; 3]> {
    let pairs = (0..=m).flat_map(move |a| (0..=m).map(move |b| (a, b)));
    pairs.flat_map(|(a, b)| (0..=a.min(b)).map(move |c| [a, b, c]))
}

/// The positions of 2 x 2 x n that the claim lists, with m = n.
fn listed_towers(n: usize, less: usize) -> Vec<[usize; 3]> {
    let is_listed = |&[a, b, c]: &[usize; 3]| {
        (a, b, c + less) == (n, n, n) || (a + b + less == n && c == a.min(b))
    };
    towers(n).filter(is_listed).collect()
}

/// The P-positions of 2 x 2 x n are `[m,m,m,m-less]`, and `[m,a,b,c]` with `a + b = m - less` and
/// `c = min(a,b)`; and the top wins. In the paper `less` is 1.
pub fn two_by_two(_: &Evidence, (less,): (usize,)) -> Finding {
    let listed: Vec<_> = (0..=LONGEST).map(|n| listed_towers(n, less)).collect();
    Finding::each(1..=LONGEST as u64, |n| wrong_tower(n, &listed)).by("all bites of every position")
}

/// The positions of 2 x 2 x n with m = n: from no listed one a bite leads to a listed one, and from
/// each other one does. The top of `[n,n,n,n]` leaves a listed one. `listed` has them for each m.
fn wrong_tower(n: u64, listed: &[Vec<[usize; 3]>]) -> Option<String> {
    let n = usize::try_from(n).expect("small");
    let at = |[a, b, c]: [usize; 3]| (a * (n + 1) + b) * (n + 1) + c;
    let mut leaves_one = vec![false; (n + 1).pow(3)];
    let mut from = |position| leaves_one[at(position)] = true;
    // The heights that a bite at height k cuts to this one.
    let cut = |to: usize, k: usize, most: usize| if to < k { to..=to } else { k..=most };
    // Before a bite at (1,1,_).
    for (m, shorter) in listed[..n].iter().enumerate().skip(1) {
        for &[a, b, c] in shorter {
            for (a, b) in cut(a, m, n).flat_map(|a| cut(b, m, n).map(move |b| (a, b))) {
                cut(c, m, a.min(b)).for_each(|c| from([a, b, c]));
            }
        }
    }
    // Before one at (1,2,_), (2,1,_) or (2,2,_).
    for &[a, b, c] in &listed[n] {
        (a + 1..=n).for_each(|long| cut(c, a, long.min(b)).for_each(|c| from([long, b, c])));
        (b + 1..=n).for_each(|long| cut(c, b, long.min(a)).for_each(|c| from([a, long, c])));
        (c + 1..=a.min(b)).for_each(|long| from([a, b, long]));
    }
    let mut is_listed = vec![false; leaves_one.len()];
    listed[n].iter().for_each(|&position| is_listed[at(position)] = true);
    let wrong = towers(n).find(|&position| leaves_one[at(position)] == is_listed[at(position)]);
    let top = [n, n, n - 1];
    let words = |[a, b, c]: [usize; 3]| format!("[{n},{a},{b},{c}]");
    wrong.or((!is_listed[at(top)]).then_some(top)).map(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bite by bite: does one from `[m,a,b,c]` lead to a listed position?
    fn leaves_a_listed_one([m, a, b, c]: [usize; 4], listed: &[Vec<[usize; 3]>]) -> bool {
        let is_listed = |m: usize, position: [usize; 3]| listed[m].contains(&position);
        (0..c).any(|k| is_listed(m, [a, b, k]))
            || (0..a).any(|k| is_listed(m, [k, b, c.min(k)]))
            || (0..b).any(|k| is_listed(m, [a, k, c.min(k)]))
            || (1..m).any(|k| is_listed(k, [a.min(k), b.min(k), c.min(k)]))
    }

    /// Also where the list is wrong.
    #[test]
    fn two_by_two_is_wrong_where_single_bites_say_so() {
        for less in 0..=4 {
            let listed: Vec<_> = (0..=12).map(|n| listed_towers(n, less)).collect();
            for n in 1..=12 {
                let expected = towers(n).find(|&[a, b, c]| {
                    leaves_a_listed_one([n, a, b, c], &listed) == listed[n].contains(&[a, b, c])
                });
                let top = [n, n, n - 1];
                let expected = expected.or((!listed[n].contains(&top)).then_some(top));
                let expected = expected.map(|[a, b, c]| format!("[{n},{a},{b},{c}]"));
                assert_eq!(wrong_tower(n as u64, &listed), expected, "less {less}");
                assert!(less != 1 || expected.is_none(), "{expected:?}");
            }
        }
    }
}
