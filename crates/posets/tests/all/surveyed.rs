//! Results on other posets from the 2005 paper (sections 2 to 7) and Brouwer's page, as far as they
//! can be computed here.

use game::Outcome;
use posets::{DownSet, Graph, NamedPoset, Poset, Solver, SymmetryStrategy};

use super::{family, go_on};

fn outcome(poset: &Poset) -> Outcome {
    Solver::new(poset, 1_000_000, &go_on).outcome(&poset.full()).expect("in reach")
}

/// The names of all winning bites.
fn winning(name: &str) -> Vec<String> {
    let poset = family(name);
    let bites = Solver::new(&poset, 1_000_000, &go_on).winning_bites(&poset.full());
    bites.expect("in reach").into_iter().map(|bite| poset.name(bite).to_owned()).collect()
}

fn verified(name: &str) -> (Poset, SymmetryStrategy) {
    let family: NamedPoset = name.parse().expect(name);
    let (poset, strategy) = (family.poset().expect(name), family.strategy().expect(name));
    assert_eq!(strategy.verify(&poset), Ok(()), "{name}");
    (poset, strategy)
}

/// 2005 paper, section 2; the page names Gale and Neyman for n <= 5, Christensen and Tilford for 6.
#[test]
fn the_top_of_a_boolean_lattice_is_the_winning_bite_to_n_6() {
    for n in 1..=6 {
        let top: String = (1..=n).map(|point| point.to_string()).collect();
        assert_eq!(winning(&format!("boolean {n}")), [top]);
    }
}

/// Their conjecture, that the first player loses if and only if k + 1 divides n, holds to n = 6,
/// and for k = 2 further: there it is their theorem.
#[test]
fn gale_and_neyman_are_right_on_small_sets() {
    let lost = |n: usize, k: usize| outcome(&family(&format!("subsets {n} {k}"))) == Outcome::P;
    for (n, k) in (1..=6).flat_map(|n| (1..=n).map(move |k| (n, k))) {
        assert_eq!(lost(n, k), n % (k + 1) == 0, "{n} {k}");
    }
    for n in 7..=13 {
        assert_eq!((lost(n, 1), lost(n, 2)), (n % 2 == 0, n % 3 == 0), "{n}");
    }
}

#[test]
fn a_complete_graph_is_lost_if_and_only_if_3_divides_n() {
    for n in 1..=12 {
        let expected = if n % 3 == 0 { Outcome::P } else { Outcome::N };
        assert_eq!(outcome(&family(&format!("complete {n}"))), expected, "{n}");
    }
}

/// All parents of vertices 1, 2, ..., n, each before its vertex.
fn forests(n: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for vertex in 1..=n {
        let longer = found.iter().flat_map(|parents: &Vec<usize>| {
            (0..vertex).map(|parent| [parents.as_slice(), &[parent]].concat())
        });
        found = longer.collect();
    }
    found
}

/// Draisma and van Rijnswou: lost if and only if vertices and components are both even.
#[test]
fn forests_are_lost_if_vertices_and_components_are_even() {
    for parents in (1..=7).flat_map(forests) {
        let components = parents.iter().filter(|&&parent| parent == 0).count();
        let lost = parents.len() % 2 == 0 && components % 2 == 0;
        let poset = Graph::forest(&parents).unwrap().poset().unwrap();
        assert_eq!(outcome(&poset) == Outcome::P, lost, "{parents:?}");
    }
}

#[test]
fn circuits_are_lost() {
    for n in 3..=14 {
        assert_eq!(outcome(&family(&format!("circuit {n}"))), Outcome::P, "{n}");
    }
    for n in (4..=200).step_by(2) {
        assert_eq!(verified(&format!("circuit {n}")).1.bite, None);
    }
}

/// Khandhawit and Ye: with v vertices and e edges, [v odd] + 2 [e odd]. Every bipartite graph with
/// at most a and b vertices is a position.
#[test]
fn grundy_values_of_bipartite_graphs() {
    for (a, b) in [(3, 4), (2, 5), (1, 7)] {
        let poset = Graph::bipartite(a, b).poset().unwrap();
        let mut solver = Solver::new(&poset, 1_000_000, &go_on);
        for position in poset.positions() {
            let vertices = position.elements().iter().filter(|&&e| poset.rank(e) == 0).count();
            let edges = position.elements().len() - vertices;
            let expected = (vertices % 2 + 2 * (edges % 2)) as u64;
            assert_eq!(solver.grundy(&position), Ok(expected), "{a} {b}: {position:?}");
        }
    }
}

/// 2005 paper, section 4. Of the tetrahedron it says that a vertex wins, for it leaves `K_3`. It
/// leaves a triangle with its face, and that is N: as in the other four, only the solid wins.
#[test]
fn only_the_top_of_a_platonic_solid_wins() {
    for name in ["tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"] {
        assert_eq!(winning(&format!("solid {name}")), ["solid"], "{name}");
    }
    for name in ["cube", "octahedron", "dodecahedron", "icosahedron"] {
        let (poset, strategy) = verified(&format!("solid {name}"));
        assert_eq!(strategy.bite.map(|bite| poset.name(bite)), Some("solid"));
    }
    // Without its faces and the solid, that is on K_4, a vertex of the tetrahedron does win.
    assert_eq!(winning("complete 4"), ["1", "2", "3", "4"]);
    let tetrahedron = family("solid tetrahedron");
    let left = tetrahedron.after(&tetrahedron.full(), 0).unwrap();
    let names: Vec<&str> = left.elements().iter().map(|&e| tetrahedron.name(e)).collect();
    assert_eq!(names, ["B", "C", "D", "BC", "BD", "CD", "BCD"]);
    let face = tetrahedron.element("BCD").unwrap();
    let k3 = tetrahedron.after(&left, face).unwrap();
    let mut solver = Solver::new(&tetrahedron, 1000, &go_on);
    assert_eq!((solver.outcome(&left), solver.outcome(&k3)), (Ok(Outcome::N), Ok(Outcome::P)));
}

/// 2005 paper, section 5: by search to the Fano plane, by the strategy to PG(5,2).
#[test]
fn points_of_a_projective_geometry_win_and_the_top_does_not() {
    assert_eq!(winning("subspaces 1"), ["1", "2", "3"]);
    assert_eq!(winning("subspaces 2"), ["1", "2", "3", "4", "5", "6", "7"]);
    for n in 0..=5 {
        let (poset, strategy) = verified(&format!("subspaces {n}"));
        let point = strategy.bite.unwrap();
        assert_eq!(poset.rank(point), 1);
        if n > 0 {
            // The point is the reply to the top: it leaves the same.
            let top = (0..poset.len()).find(|&e| poset.rank(e) == n + 1).unwrap();
            let without_top = poset.after(&poset.full(), top).unwrap();
            assert_eq!(poset.after(&without_top, point), poset.after(&poset.full(), point));
        }
    }
}

/// The largest elements of the four columns of 2 x 2 x n.
fn columns(position: &DownSet, n: usize) -> [usize; 4] {
    [0, 1, 2, 3].map(|column| (0..n).filter(|&k| position.has(column * n + k)).count())
}

/// 2005 paper, section 6.
#[test]
fn two_by_two_by_n() {
    for n in 1..=7 {
        let poset = family(&format!("chains 2 2 {n}"));
        let mut solver = Solver::new(&poset, 1_000_000, &go_on);
        for position in poset.positions() {
            let [m, a, b, c] = columns(&position, n);
            let listed = (a, b, c) == (m, m, m - 1) || (a + b == m - 1 && c == a.min(b));
            let expected = if listed { Outcome::P } else { Outcome::N };
            assert_eq!(solver.outcome(&position), Ok(expected), "{:?}", [m, a, b, c]);
        }
        assert_eq!(winning(&format!("chains 2 2 {n}")), [format!("(2,2,{n})")]);
    }
}

/// 2005 paper, section 7, which counts from 0: (2,2) on a square, the top of 2 x n, and no other
/// bite.
#[test]
fn squares_and_two_rows() {
    for n in 2..=10 {
        assert_eq!(winning(&format!("chains {n} {n}")), ["(2,2)"]);
        assert_eq!(winning(&format!("chains 2 {n}")), [format!("(2,{n})")]);
    }
    for n in (2..=20).chain([64]) {
        let (poset, strategy) = verified(&format!("chains {n} {n}"));
        assert_eq!(poset.name(strategy.bite.unwrap()), "(2,2)");
    }
}

/// Gale's conjecture, section 7.2: with at least three rows, taking the top loses. It holds on
/// these boards, and fails on 6 x 11, as the solver of rectangles found.
#[test]
fn the_top_of_a_small_board_with_three_rows_or_more_loses() {
    let boards = (3..=7).flat_map(|rows| (rows..=8).map(move |columns| (rows, columns)));
    for (rows, columns) in boards.chain([(6, 11)]) {
        let poset = family(&format!("chains {rows} {columns}"));
        let left = poset.after(&poset.full(), rows * columns - 1).unwrap();
        let mut solver = Solver::new(&poset, 1_000_000, &go_on);
        let expected = if columns == 11 { Outcome::P } else { Outcome::N };
        assert_eq!(solver.outcome(&left), Ok(expected), "{rows} {columns}");
    }
}

/// Schuh's game is the product of chains of his exponents.
#[test]
fn divisors_are_chains() {
    assert_eq!(winning("divisors 120").len(), winning("chains 4 2 2").len());
    assert_eq!(winning("divisors 120"), ["120"]);
    assert_eq!(winning("divisors 36"), ["6"]);
    assert_eq!(winning("divisors 30"), ["30"]);
}
