//! The solver against plain search, and refusals.

use std::ops::ControlFlow;

use game::{Board, Chomp, Outcome, Search, Square};
use posets::{
    Graph, LIST, NamedPoset, Permutation, Poset, PosetError, Solver, Symmetry, SymmetryStrategy,
    Unfinished,
};

use super::{family, go_on};

/// Outcome, Grundy value and winning bites of every position, by the solver and by the definition.
fn agrees_with_search(poset: &Poset, name: &str) {
    let (mut solver, mut search) = (Solver::new(poset, u64::MAX, &go_on), Search::of(poset));
    for position in poset.positions() {
        let outcome = search.outcome(&position);
        assert_eq!(solver.outcome(&position), Ok(outcome), "{name}: {position:?}");
        let grundy = search.grundy(&position);
        assert_eq!(solver.grundy(&position), Ok(grundy), "{name}: {position:?}");
        assert_eq!(outcome == Outcome::P, grundy == 0);
        let winning = poset.bites(&position).filter(|(_, left)| search.outcome(left) == Outcome::P);
        let winning: Vec<usize> = winning.map(|(bite, _)| bite).collect();
        assert_eq!(solver.winning_bites(&position), Ok(winning), "{name}: {position:?}");
    }
}

/// Each family in its smallest members, with its symmetry and with fact 11.
#[test]
fn the_solver_agrees_with_plain_search() {
    for name in [
        "chains 1",
        "chains 5",
        "chains 3 4",
        "chains 4 4",
        "chains 2 2 4",
        "chains 2 3 2 3",
        "chains 3 1 3",
        "divisors 1",
        "divisors 120",
        "divisors 900",
        "boolean 0",
        "boolean 1",
        "boolean 4",
        "subsets 5 2",
        "subsets 4 3",
        "subsets 6 0",
        "complete 1",
        "complete 5",
        "bipartite 2 3",
        "bipartite 3 3",
        "circuit 3",
        "circuit 6",
        "circuit 7",
        "forest 0 1 1 1 0 5 5",
        "forest 0 0 0 0",
        "solid tetrahedron",
        "subspaces 0",
        "subspaces 1",
        "subspaces 2",
    ] {
        agrees_with_search(&family(name), name);
    }
}

/// A simple generator of numbers (Numerical Recipes); the posets need not be random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
fn the_solver_agrees_with_plain_search_on_any_posets_and_graphs() {
    let mut numbers = Numbers(7);
    for case in 0..60 {
        let elements = 4 + numbers.below(6);
        let mut lines: Vec<String> = (0..elements).map(|e| format!("e{e}")).collect();
        for upper in 1..elements {
            for lower in 0..upper {
                if numbers.below(3) == 0 {
                    lines.push(format!("e{lower} < e{upper}"));
                }
            }
        }
        let text = lines.join("\n");
        agrees_with_search(&text.parse().expect(&text), &format!("case {case}: {text}"));

        // The same lines as edges: twins are found, and fact 11 is used.
        let edges = text.replace(" <", "");
        let graph: Graph = edges.parse().expect(&edges);
        if graph.vertices() + graph.edges().len() <= 15 {
            agrees_with_search(&graph.poset().unwrap(), &format!("graph {case}: {edges}"));
        }
    }
}

/// Bit sets of every size: the same poset beside more and more elements that are gone.
#[test]
fn large_posets_are_solved_as_small_ones() {
    let expected: Vec<Outcome> = {
        let poset = family("chains 4 5");
        let mut search = Search::of(&poset);
        poset.positions().iter().map(|position| search.outcome(position)).collect()
    };
    for more in [30, 100, 300, 900] {
        let small = family("chains 4 5");
        let pairs: Vec<String> = small
            .covers()
            .map(|(lower, upper)| format!("{} < {}", small.name(lower), small.name(upper)))
            .chain((0..more).map(|n| format!("(3,4) < x{n}")))
            .collect();
        let large: Poset = pairs.join("\n").parse().unwrap();
        let mut solver = Solver::new(&large, 100_000, &go_on);
        for (position, &outcome) in small.positions().iter().zip(&expected) {
            let is_left = |e| small.element(large.name(e)).is_some_and(|e| position.has(e));
            let same = large.position(is_left).unwrap();
            assert_eq!(solver.outcome(&same), Ok(outcome), "{more}");
        }
    }
}

/// The rules of boards are in `game`: rows are chains.
#[test]
fn posets_agree_with_boards_on_products_of_two_chains() {
    for (rows, columns) in [(1, 6), (2, 7), (3, 6), (4, 6), (5, 5), (6, 3)] {
        let poset = family(&format!("chains {rows} {columns}"));
        let mut solver = Solver::new(&poset, u64::MAX, &go_on);
        let mut search = Search::of(&Chomp);
        for position in poset.positions() {
            let has = |row, column| position.has(row * columns + column);
            let lengths =
                (0..rows).map(|row| (0..columns).filter(|&column| has(row, column)).count());
            let board =
                Board::new(lengths.map(|length| length.try_into().unwrap()).collect()).unwrap();
            assert_eq!(solver.outcome(&position), Ok(search.outcome(&board)), "{board}");
            assert_eq!(solver.grundy(&position), Ok(search.grundy(&board)), "{board}");
            let bites: Vec<Square> = board
                .bites()
                .filter(|(_, left)| search.outcome(left) == Outcome::P)
                .map(|(bite, _)| bite)
                .collect();
            let squares = solver.winning_bites(&position).unwrap().into_iter().map(|bite| Square {
                row: u16::try_from(bite / columns + 1).unwrap(),
                column: u16::try_from(bite % columns + 1).unwrap(),
            });
            assert_eq!(squares.collect::<Vec<_>>(), bites, "{board}");
        }
    }
}

#[test]
fn a_numerical_semigroup_is_decided_bite_by_bite() {
    let left = |bite: usize| format!("semigroup {bite} 3 5").parse::<NamedPoset>();
    let names = |poset: &Poset| (0..poset.len()).map(|e| poset.name(e).to_owned()).collect();
    let after_6: Vec<String> = names(&left(6).unwrap().poset().unwrap());
    assert_eq!(after_6, ["0", "3", "5", "8", "10", "13"]);
    let bites: Vec<usize> = (0..=12).filter(|&bite| left(bite).is_ok()).collect();
    assert_eq!(bites, [3, 5, 6, 8, 9, 10, 11, 12]);
    let mut outcomes = Vec::new();
    for bite in bites {
        let poset = left(bite).unwrap().poset().unwrap();
        assert_eq!(poset.len(), bite);
        agrees_with_search(&poset, &format!("after {bite}"));
        outcomes.push(Solver::new(&poset, u64::MAX, &go_on).outcome(&poset.full()).unwrap());
    }
    // After 3 there are 0, 5, 10: a chain of two besides the poison. After 5: 0, 3, 6, 9, 12.
    assert_eq!(outcomes[..2], [Outcome::N, Outcome::N]);
    let error = |text: &str| text.parse::<NamedPoset>().unwrap_err().to_string();
    assert!(error("semigroup 4 4 6").contains("no common divisor"));
    assert!(error("semigroup 3 0 3").contains("at least 1"));
    assert!(error("semigroup 7 3 5").contains("a bite is a sum"));
    assert!(error("semigroup 3 5000 3").contains("at most 4096"));
    assert!(error("semigroup 3").contains("no common divisor"));
}

#[test]
fn a_limit_is_kept_and_a_stop_is_heard() {
    let poset = family("boolean 5");
    let full = poset.full();
    let mut solver = Solver::new(&poset, 10, &go_on);
    assert_eq!(solver.grundy(&full), Err(Unfinished::Limit { limit: 10 }));
    assert_eq!(solver.decided(), 10);
    let stop = |_| ControlFlow::Break(());
    let mut solver = Solver::new(&poset, 1_000_000, &stop);
    assert_eq!(solver.outcome(&full), Err(Unfinished::Stopped));
    let large = family("chains 40 40");
    let mut solver = Solver::new(&large, 1_000_000, &go_on);
    assert_eq!(solver.outcome(&large.full()), Err(Unfinished::TooLarge { elements: 1600 }));
}

#[test]
fn what_is_no_poset_is_refused_with_its_line() {
    let error = |text: &str| text.parse::<Poset>().unwrap_err().to_string();
    assert!(error("").contains("at least one element"));
    assert!(error("# nothing\n\n").contains("at least one element"));
    assert!(error("a < b\nb < c\nc < a").contains("in a circle: a < b < c < a"));
    assert!(error("a < a").contains("in a circle: a < a"));
    assert!(error("a < b\n\na < b # again").contains("line 3 repeats line 1: a < b"));
    assert!(error("a\nb\na").contains("line 3 repeats line 1: a"));
    for line in ["a <", "< a", "a < b < c", "a << b"] {
        let text = format!("x\n{line}");
        let words = error(&text);
        assert!(words.starts_with("line 2: ") && words.contains("give one a line"), "{words}");
    }
    for line in ["a b", "a > b", "α < b", &"x".repeat(41)] {
        let words = error(line);
        assert!(words.starts_with("line 1: ") && words.contains("is no name"), "{words}");
    }
    let many = (0..5000).map(|n: u32| n.to_string()).collect::<Vec<_>>().join("\n");
    assert!(error(&many).contains("4097 elements are too many"));

    let error = |text: &str| text.parse::<Graph>().unwrap_err().to_string();
    assert!(error("a b\nb a").contains("comes twice"));
    assert!(error("a b\na b").contains("line 2 repeats line 1"));
    assert!(error("a a").contains("loop"));
    assert!(error("a b c").contains("is not an edge"));
    assert!(error("a-b c").contains("is no name"));
    let no_vertex = "".parse::<Graph>().unwrap().poset().unwrap_err();
    assert!(no_vertex.to_string().contains("at least one element"));
    assert!(error("a\na").contains("line 2 repeats line 1: a; give each edge and each vertex"));
}

#[test]
fn what_is_no_family_is_refused() {
    for (usage, _) in LIST {
        let name = usage.split(' ').next().unwrap();
        let error = format!("{name} 1 2 x").parse::<NamedPoset>().unwrap_err();
        assert!(error.to_string().contains(usage), "{error}");
    }
    let unknown = "chain 2 3".parse::<NamedPoset>().unwrap_err();
    assert!(matches!(&unknown, PosetError::Name { name, .. } if name == "chain"));
    for bad in [
        "",
        "chains",
        "chains 0 3",
        "chains 65 65",
        "65x65",
        "0x3x2",
        "chains 4294967296 4294967296 4294967296",
        "divisors 0",
        "divisors 1000000000001",
        "divisors 1 2",
        "boolean 13",
        "boolean",
        "subsets 40 20",
        "subsets 5",
        "complete 0",
        "complete 91",
        "bipartite 0 3",
        "bipartite 64 64",
        "circuit 2",
        "circuit 2049",
        "forest",
        "solid ball",
        "solid",
        "subspaces 6",
        "subspaces -1",
    ] {
        assert!(bad.parse::<NamedPoset>().is_err(), "{bad}");
    }
    for good in
        ["chains 64 64", "divisors 1000000000000", "subsets 4095 1", "complete 90", "circuit 2048"]
    {
        let family: NamedPoset = good.parse().expect(good);
        assert_eq!(family.to_string(), good);
        assert!(family.poset().unwrap().len() <= Poset::LARGEST, "{good}");
    }
    let forest: NamedPoset = "forest 0 3 1".parse().unwrap();
    assert!(forest.poset().unwrap_err().to_string().contains("vertex 2 has the parent 3"));
}

#[test]
fn only_automorphisms_are_symmetry() {
    let exchange = |i, j| {
        let mut images: Vec<usize> = (0..4).collect();
        images.swap(i, j);
        Permutation::new(images).unwrap()
    };
    // 0 < a, b < 1.
    let poset = || "0 < a\n0 < b\na < 1\nb < 1".parse::<Poset>().unwrap();
    assert!(poset().with_symmetry(Symmetry::group(vec![exchange(1, 2)])).is_ok());
    for wrong in [exchange(0, 3), exchange(1, 3), Permutation::new(vec![1, 0]).unwrap()] {
        let error = poset().with_symmetry(Symmetry::group(vec![wrong])).unwrap_err();
        assert!(error.to_string().contains("does not keep the order"));
    }
}

/// Each hypothesis of fact 11, left out.
#[test]
fn a_strategy_that_proves_nothing_is_refused() {
    let poset = family("chains 3 3");
    let strategy = |bite, images: &[usize]| SymmetryStrategy {
        bite,
        involutions: vec![Permutation::new(images.to_vec()).unwrap()],
    };
    let mirror = [0, 3, 6, 1, 4, 7, 2, 5, 8];
    assert_eq!(strategy(Some(4), &mirror).verify(&poset), Ok(()));
    let verdict =
        |bite, images: &[usize]| strategy(bite, images).verify(&poset).unwrap_err().to_string();
    assert_eq!(verdict(Some(0), &mirror), "element 0 cannot be bitten");
    assert_eq!(verdict(Some(9), &mirror), "element 9 cannot be bitten");
    let fixed_above = "involution 0 fixes an element and moves one below it";
    assert_eq!(verdict(None, &mirror), fixed_above);
    assert_eq!(verdict(Some(8), &mirror), fixed_above);
    assert_eq!(verdict(Some(4), &[0, 1]), "involution 0 is of another number of elements");
    let identity: Vec<usize> = (0..9).collect();
    assert_eq!(verdict(Some(4), &identity), "4 elements that are no poison are left");
    let pairs = "involution 0 does not exchange the elements that are left in pairs";
    // 1 to 4, which is gone; 1 to 2 to 3 to 6 to 1; 1 with 6 and 2 with 3.
    assert_eq!(verdict(Some(4), &[0, 4, 2, 3, 1, 5, 6, 7, 8]), pairs);
    assert_eq!(verdict(Some(4), &[0, 2, 3, 6, 4, 5, 1, 7, 8]), pairs);
    assert_eq!(
        verdict(Some(4), &[0, 6, 3, 2, 4, 5, 1, 7, 8]),
        "involution 0 does not keep the order"
    );
}
