//! Claims about Chomp on posets other than boards: searched, or by fact 11.

use std::ops::ControlFlow;

use game::Outcome;
use posets::{DownSet, Family, Graph, Poset, Solver};
use serde::Deserialize;

use crate::verdict::{Examined, Finding};

/// A test on posets, with the names of `chomp poset`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum PosetTest {
    /// On each member n of a family, from a first n on, these bites win, or do not.
    Bites {
        /// The family.
        family: FamilyName,
        /// The first member.
        from: u64,
        /// Which bite.
        bite: Bite,
        /// Whether it wins.
        win: bool,
    },
    /// On these Platonic solids these bites win, or do not.
    Solids {
        /// Their names.
        solids: Vec<String>,
        /// Which bite.
        bite: Bite,
        /// Whether it wins.
        win: bool,
    },
    /// On the member n of a family, from a first n on, the first player loses if and only if this
    /// divides n.
    LostIf {
        /// The family.
        family: FamilyName,
        /// The first member.
        from: u64,
        /// The divisor.
        divisor: u64,
    },
    /// On the subsets of size at most k of an n-set, for these k, the first player loses if k plus
    /// this divides n, and perhaps only if.
    Subsets {
        /// 1 in the conjecture.
        plus: u64,
        /// Whether there is no other case in which she loses.
        only_if: bool,
    },
    /// On forests the first player loses if and only if this divides the number of vertices and
    /// that of components.
    Forests {
        /// 2 in the paper.
        divisor: usize,
    },
    /// On bipartite graphs the Grundy value is this if the number of vertices is odd, and that if
    /// the number of edges is odd, added up.
    Bipartite {
        /// For vertices.
        vertices: u64,
        /// For edges.
        edges: u64,
    },
    /// The P-positions of 2 x 2 x n are `[m,m,m,m-less]`, and `[m,a,b,c]` with `a + b = m - less`
    /// and `c = min(a,b)`; and the top wins.
    TwoByTwo {
        /// 1 in the paper.
        less: usize,
    },
}

/// A family with one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum FamilyName {
    /// All subsets of an n-set.
    Boolean,
    /// The complete graph on n vertices.
    Complete,
    /// The circuit of n vertices.
    Circuit,
    /// The subspaces of PG(n,2).
    Subspaces,
}

/// Bites that symmetry takes to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Bite {
    /// The largest element.
    Top,
    /// The elements that are minimal, but for the poison.
    Atom,
}

impl FamilyName {
    fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Complete => "complete",
            Self::Circuit => "circuit",
            Self::Subspaces => "subspaces",
        }
    }

    /// The last member that is decided here, in a second or so.
    fn last(self) -> u64 {
        match self {
            Self::Boolean => 6,
            Self::Complete | Self::Circuit => 12,
            Self::Subspaces => SUBSPACES,
        }
    }

    fn member(self, n: u64) -> Family {
        family(&format!("{} {n}", self.name()))
    }
}

/// Subspaces are searched to PG(2,2), and decided by fact 11 from there to this one.
const SUBSPACES: u64 = 4;

/// Subsets of an n-set, and forests of n vertices, are decided to these n.
const SETS: u64 = 6;
const VERTICES: u64 = 7;

/// Chomp on 2 x 2 x n is decided to this n.
const LONGEST: u64 = 12;

/// All subgraphs of these complete bipartite graphs are tested.
const SIDES: [(usize, usize); 2] = [(3, 4), (2, 5)];

impl PosetTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self) -> Examined {
        let search = "search of all positions that matter, up to symmetry and fact 11";
        match self {
            Self::Bites { family, from, bite, win } => {
                let strategies = match family {
                    FamilyName::Subspaces => "; beyond PG(2,2) the strategy is verified",
                    _ => "",
                };
                Finding::each(*from..=family.last(), |n| wrong_bite(&family.member(n), *bite, *win))
                    .by(format!("{search}{strategies}"))
            }
            Self::Solids { solids, bite, win } => {
                let solids = solids.iter().map(|solid| family(&format!("solid {solid}")));
                let counterexample =
                    solids.into_iter().find_map(|solid| wrong_bite(&solid, *bite, *win));
                Finding::unless(counterexample).by(search)
            }
            Self::LostIf { family, from, divisor } => Finding::each(*from..=family.last(), |n| {
                let found = outcome(&poset(&family.member(n)));
                wrong(found, n.is_multiple_of(*divisor), || family.member(n).to_string())
            })
            .by(search),
            Self::Subsets { plus, only_if } => Finding::each(1..=SETS, |n| {
                (1..=n).find_map(|k| {
                    let found = outcome(&poset(&family(&format!("subsets {n} {k}"))));
                    let lost = n.is_multiple_of(k + plus);
                    let claimed = lost || *only_if;
                    claimed.then(|| wrong(found, lost, || format!("k = {k}"))).flatten()
                })
            })
            .by(search),
            Self::Forests { divisor } => Finding::each(1..=VERTICES, |n| {
                forests(n).iter().find_map(|f| wrong_forest(f, *divisor))
            })
            .by(search),
            Self::Bipartite { vertices, edges } => {
                bipartite(*vertices, *edges).by(format!("{search}, for Grundy values"))
            }
            Self::TwoByTwo { less } => {
                Finding::each(1..=LONGEST, |n| two_by_two(n, *less)).by(search)
            }
        }
    }
}

fn family(text: &str) -> Family {
    text.parse().expect("the posets of the ledger are posets")
}

fn poset(family: &Family) -> Poset {
    family.poset().expect("the posets of the ledger are not too large")
}

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The posets here have fewer positions than this.
const LIMIT: u64 = 10_000_000;

fn outcome(poset: &Poset) -> Outcome {
    outcome_of(poset, &poset.full())
}

fn outcome_of(poset: &Poset, position: &DownSet) -> Outcome {
    Solver::new(poset, LIMIT, &go_on).outcome(position).expect("a small poset")
}

/// The finding, if it contradicts the claim.
fn wrong(found: Outcome, lost: bool, what: impl Fn() -> String) -> Option<String> {
    ((found == Outcome::P) != lost).then(|| format!("{} is {found}", what()))
}

/// Whether all such bites leave P-positions, if this contradicts the claim.
fn wrong_bite(family: &Family, bite: Bite, win: bool) -> Option<String> {
    let poset = poset(family);
    let bites = bites(&poset, bite);
    let outcomes: Vec<Outcome> = match (family, bite) {
        (Family::Subspaces(n), _) if *n > 2 => by_strategy(family, &poset, bite),
        _ => bites
            .iter()
            .filter_map(|&bite| poset.after(&poset.full(), bite))
            .map(|left| outcome_of(&poset, &left))
            .collect(),
    };
    let wins = outcomes.iter().all(|&outcome| outcome == Outcome::P);
    let name = poset.name(*bites.first()?);
    let leaves = if wins { "a P-position" } else { "an N-position" };
    (wins != win).then(|| format!("{family}: the bite {name} leaves {leaves}"))
}

/// The outcome after a bite: after a point it is P, by fact 11; so after the top it is N, since a
/// point is the reply, and leaves the same position.
fn by_strategy(family: &Family, poset: &Poset, bite: Bite) -> Vec<Outcome> {
    let strategy = family.strategy().expect("subspaces have a strategy");
    strategy.verify(poset).expect("the strategy for subspaces is right");
    vec![if bite == Bite::Atom { Outcome::P } else { Outcome::N }]
}

fn bites(poset: &Poset, bite: Bite) -> Vec<usize> {
    let atoms_at = usize::from(poset.poison().is_some());
    let is_meant = |element: &usize| match bite {
        Bite::Top => (0..poset.len()).all(|other| poset.at_most(other, *element)),
        Bite::Atom => poset.rank(*element) == atoms_at,
    };
    (0..poset.len()).filter(is_meant).collect()
}

/// All forests of n vertices, each at least once, by the parents of their vertices.
fn forests(n: u64) -> Vec<Vec<usize>> {
    (0..n).fold(vec![Vec::new()], |shorter, _| {
        let longer = shorter.iter().flat_map(|parents: &Vec<usize>| {
            (0..=parents.len()).map(|parent| [parents.as_slice(), &[parent]].concat())
        });
        longer.collect()
    })
}

fn wrong_forest(parents: &[usize], divisor: usize) -> Option<String> {
    let components = parents.iter().filter(|&&parent| parent == 0).count();
    let lost = parents.len().is_multiple_of(divisor) && components.is_multiple_of(divisor);
    let found = outcome(&poset(&Family::Forest(parents.to_vec())));
    wrong(found, lost, || {
        format!("{} with {components} components", Family::Forest(parents.to_vec()))
    })
}

/// Every subgraph of some complete bipartite graphs.
fn bipartite(of_vertices: u64, of_edges: u64) -> Finding {
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
                let words = || format!("{vertices} vertices, {edges} edges: {found}");
                counterexample = counterexample.or_else(|| Some(words()));
            }
            graphs += 1;
        }
    }
    Finding::Cases { counterexample, tested: format!("{graphs} bipartite graphs") }
}

fn two_by_two(n: u64, less: usize) -> Option<String> {
    let chains = family(&format!("chains 2 2 {n}"));
    let poset = poset(&chains);
    let mut solver = Solver::new(&poset, LIMIT, &go_on);
    let length = poset.len() / 4;
    let wrong_position = poset.positions().iter().find_map(|position| {
        let height = |column| (0..length).filter(|k| position.has(column * length + k)).count();
        let [m, a, b, c] = [0, 1, 2, 3].map(height);
        let listed = (a, b, c + less) == (m, m, m) || (a + b + less == m && c == a.min(b));
        let found = solver.outcome(position).expect("a small poset");
        wrong(found, listed, || format!("[{m},{a},{b},{c}]"))
    });
    wrong_position.or_else(|| {
        // Of 2 x 2 x 1 the positions are those of a square.
        wrong_bite(&chains, Bite::Top, true)
    })
}
