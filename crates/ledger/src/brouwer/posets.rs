//! Claims about Chomp on posets other than boards: searched, or by fact 11. Posets have the names
//! of `chomp poset`.

use std::ops::{ControlFlow, RangeInclusive};

use game::Outcome;
use posets::{Graph, NamedPoset, Poset, Solver};
use record::joined;
use serde::Deserialize;

use crate::arguments::{PN, Written};
use crate::evidence::{Evidence, LONG_POSETS};
use crate::verdict::{Finding, Found, OutOfReach};

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

pub const SEARCH: &str = "search of all positions that matter, up to symmetry and fact 11";

fn named(text: &str) -> NamedPoset {
    text.parse().expect("the posets of the ledger are posets")
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

/// The outcome of a poset, or of what a bite leaves.
fn outcome(evidence: &Evidence, named: &NamedPoset, bite: Option<usize>) -> Outcome {
    evidence.of_poset(named, bite, || {
        let poset = poset(named);
        let all = poset.full();
        let after = |bite| poset.after(&all, bite).expect("the poison is no bite");
        let position = bite.map_or_else(|| all.clone(), after);
        Solver::new(&poset, LIMIT, &|_| ControlFlow::Continue(()))
            .outcome(&position)
            .expect("a small poset")
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
    let wrong = |n| wrong_bite(evidence, &named(&format!("{family} {n}")), bite, leaves);
    Finding::each(from..=last(&family), wrong).by(format!("{SEARCH}{strategies}"))
}

/// On these Platonic solids these bites leave P- or N-positions.
pub fn solids(evidence: &Evidence, (solids, bite, leaves): (Vec<String>, Bite, PN)) -> Finding {
    let wrong = |of: &String| wrong_bite(evidence, &named(&format!("solid {of}")), bite, leaves);
    Finding::unless(solids.iter().find_map(wrong))
}

/// What all such bites leave, if one of them does not leave this.
fn wrong_bite(evidence: &Evidence, named: &NamedPoset, bite: Bite, said: PN) -> Option<String> {
    let poset = poset(named);
    let bites = elements(&poset, bite);
    let wins = match (named.name(), named.numbers()) {
        ("subspaces", [n]) if *n > 2 => wins_by_strategy(named, &poset, bite),
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
        let member = named(&format!("{family} {n}"));
        let lost = n.is_multiple_of(divisor);
        wrong(outcome(evidence, &member, None), lost, || member.to_string())
    })
}

/// On the subsets of size at most k of an n-set the first player loses if k + plus divides n.
pub fn subsets_if(evidence: &Evidence, (plus,): (u64,)) -> Finding {
    Finding::each(1..=SETS, |n| wrong_subsets(evidence, n, 1..=n, plus, false))
}

/// She loses if and only if k + plus divides n, which the long searches decide for more n.
pub fn subsets_just_if(evidence: &Evidence, (plus,): (u64,)) -> Finding {
    let small = |n| Some((n, wrong_subsets(evidence, n, 1..=n, plus, true)?));
    let long = |text: &&str| {
        evidence.searched(text)?;
        let &[n, k] = named(text).numbers() else { return None };
        let wrong = wrong_subsets(evidence, n, k..=k, plus, true)?;
        Some((n, format!("n = {n}, {wrong}")))
    };
    let failure = (1..=SETS).find_map(small).or_else(|| LONG_POSETS.iter().find_map(long));
    let last = failure.as_ref().map_or(SETS, |(n, _)| SETS.max(*n));
    Finding::to(last, failure)
}

/// The same for this n, and the sizes less than k.
pub fn subsets_before(evidence: &Evidence, (n, k, plus): (u64, u64, u64)) -> Finding {
    Finding::unless(wrong_subsets(evidence, n, 1..=k - 1, plus, true))
}

/// Of the subsets with at most k of n elements, for these k, one with another outcome than that of
/// the conjecture.
fn wrong_subsets(
    evidence: &Evidence,
    n: u64,
    mut sizes: RangeInclusive<u64>,
    plus: u64,
    only_if: bool,
) -> Option<String> {
    sizes.find_map(|k| {
        let lost = n.is_multiple_of(k + plus);
        let found = || outcome(evidence, &named(&format!("subsets {n} {k}")), None);
        (lost || only_if).then(|| wrong(found(), lost, || format!("k = {k}"))).flatten()
    })
}

/// The outcome of a poset whose search takes minutes: [`Evidence::add_poset`].
pub fn searched(
    evidence: &Evidence,
    (Written(poset), outcome): (Written<NamedPoset>, PN),
) -> Found {
    let enough = || OutOfReach(format!("a search of {poset} is enough"));
    let found = evidence.searched(&poset.to_string()).ok_or_else(enough)?;
    Ok(Finding::found(outcome.is(found), format!("{poset} is {found}")))
}

/// The divisors of these numbers are these posets.
pub fn divisors(_: &Evidence, (posets,): (Vec<(u64, Written<NamedPoset>)>,)) -> Finding {
    let wrong = posets.iter().find_map(|(number, Written(said))| wrong_divisors(*number, said));
    Finding::unless(wrong)
}

/// The divisors of each N with at most `primes` prime factors are the product of chains, one for
/// each of these, and longer than its exponent by `longer`, 1 in the paper.
pub fn factored(_: &Evidence, (longer, primes): (usize, usize)) -> Finding {
    Finding::each(2..=NUMBERS, |number| {
        let exponents = exponents(number);
        let asked = exponents.len() <= primes;
        let lengths = joined(exponents.iter().map(|exponent| exponent + longer), " ");
        asked.then(|| wrong_divisors(number, &named(&format!("chains {lengths}")))).flatten()
    })
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
    let poset = poset(said);
    let same = divisors.len() == poset.len() && is_order_of(&divisors, &poset, &mut Vec::new());
    (!same).then(|| format!("the divisors of {number} are not {said}"))
}

/// Whether a bijection to a poset with as many elements, whose first values are these, keeps
/// divisibility both ways.
fn is_order_of(divisors: &[u64], poset: &Poset, images: &mut Vec<usize>) -> bool {
    let Some(&next) = divisors.get(images.len()) else { return true };
    let multiples = divisors.iter().filter(|of| of.is_multiple_of(next)).count();
    let above = |image| (0..poset.len()).filter(|&of| poset.at_most(image, of)).count();
    (0..poset.len()).any(|image| {
        let keeps = |(&of, &before): (&usize, &u64)| {
            poset.at_most(of, image) == next.is_multiple_of(before)
                && poset.at_most(image, of) == before.is_multiple_of(next)
        };
        if images.contains(&image) || above(image) != multiples {
            return false;
        }
        images.iter().zip(divisors).all(keeps) && {
            images.push(image);
            let found = is_order_of(divisors, poset, images);
            images.pop();
            found
        }
    })
}

/// On forests the first player loses if and only if this divides the number of vertices and that of
/// components: 2 in the paper.
pub fn forests(evidence: &Evidence, (divisor,): (usize,)) -> Finding {
    Finding::each(1..=VERTICES, |n| {
        rooted_forests(n).into_iter().find_map(|parents| {
            let components = parents.iter().filter(|&&parent| parent == 0).count();
            let lost = [parents.len(), components].iter().all(|of| of.is_multiple_of(divisor));
            let forest = named(&format!("forest {}", joined(&parents, " ")));
            let found = outcome(evidence, &forest, None);
            wrong(found, lost, || format!("{forest} with {components} components"))
        })
    })
}

/// All forests of n vertices with a root in each component, by the parents of their vertices: each
/// at least once, as some numbering of the vertices, level by level, has ascending parents.
fn rooted_forests(n: u64) -> Vec<Vec<usize>> {
    (0..n).fold(vec![Vec::new()], |shorter, _| {
        let longer = |parents: &Vec<usize>| -> Vec<Vec<usize>> {
            let next = parents.last().copied().unwrap_or(0)..=parents.len();
            next.map(|parent| [parents.as_slice(), &[parent]].concat()).collect()
        };
        shorter.iter().flat_map(longer).collect()
    })
}

/// On bipartite graphs the Grundy value is the sum of one number if the number of vertices is odd,
/// and another one if the number of edges is odd.
pub fn bipartite(_: &Evidence, (of_vertices, of_edges): (u64, u64)) -> Finding {
    let odd = |count: usize, value: u64| if count % 2 == 1 { value } else { 0 };
    let (mut graphs, mut counterexample) = (0_u64, None);
    for (a, b) in SIDES {
        let poset = Graph::bipartite(a, b).poset().expect("a small graph");
        let mut solver = Solver::new(&poset, LIMIT, &|_| ControlFlow::Continue(()));
        for subgraph in poset.positions() {
            let vertices = subgraph.elements().iter().filter(|&&e| poset.rank(e) == 0).count();
            let edges = subgraph.elements().len() - vertices;
            let found = solver.grundy(&subgraph).expect("a small graph");
            let right = found == odd(vertices, of_vertices) + odd(edges, of_edges);
            let words = || format!("{vertices} vertices, {edges} edges: {found}");
            counterexample = counterexample.or_else(|| (!right).then(words));
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
    Finding::each(1..=LONGEST as u64, |n| wrong_tower(n, &listed))
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
