//! Infinite rows: against a search from the rules, in which a row of ω squares can be bitten to any
//! length up to `REACH`.

use std::collections::BTreeMap;

use answers::{Answer, ChainProduct, Position, Query};
use game::{GameTree, Outcome};
use record::Record;

/// The tree reaches to this p. Rows to 12 end before it; their values in columns to 14 are less.
const REACH: u64 = 60;
const ROWS: u64 = 13;
/// An infinite middle row is bitten to less.
const COLUMNS: u64 = 15;

/// Lengths, with ω as the greatest number.
type Lengths = [u64; 3];
const OMEGA: u64 = u64::MAX;

/// P or N by the rules.
struct Search {
    tree: GameTree,
    known: BTreeMap<Lengths, Outcome>,
}

impl Search {
    fn outcome(&mut self, lengths: Lengths) -> Outcome {
        let [p, q, r] = lengths;
        if p != OMEGA {
            return self.tree.outcome(game::ThreeRows::new(p, q, r).unwrap()).unwrap();
        }
        if let Some(outcome) = self.known.get(&lengths) {
            return *outcome;
        }
        let outcome = if self.bites(lengths).is_empty() { Outcome::P } else { Outcome::N };
        self.known.insert(lengths, outcome);
        outcome
    }

    /// The bites that leave P-positions.
    fn bites(&mut self, [p, q, r]: Lengths) -> Vec<(usize, Lengths)> {
        let shorter = |length: u64, reach: u64| if length == OMEGA { 0..reach } else { 0..length };
        let top = shorter(p, REACH + 1).skip(1).map(|x| (1, [x, q.min(x), r.min(x)]));
        let middle = shorter(q, COLUMNS).map(|x| (2, [p, x, r.min(x)]));
        let bottom = shorter(r, ROWS).map(|x| (3, [p, q, x]));
        let bites: Vec<_> = top.chain(middle).chain(bottom).collect();
        bites.into_iter().filter(|(_, left)| self.outcome(*left) == Outcome::P).collect()
    }
}

fn lengths(position: &Position) -> Lengths {
    let text = position.to_string().replace('ω', &OMEGA.to_string());
    let mut parts = text.trim_matches(['(', ')']).split(',').map(|part| part.parse().unwrap());
    std::array::from_fn(|_| parts.next().unwrap())
}

fn bites(answer: &Answer) -> Vec<(usize, Lengths)> {
    answer.bites.iter().map(|bite| (bite.square.row, lengths(&bite.leaves))).collect()
}

#[test]
fn infinite_rows_agree_with_a_search() {
    let rows: Vec<Record> = fixtures::rows_in_full(ROWS);
    let mut search = Search { tree: GameTree::up_to(REACH), known: BTreeMap::new() };
    let tops = (0..ROWS).flat_map(|r| (r..COLUMNS).map(move |q| [OMEGA, q, r]));
    let rest = (0..ROWS).chain([OMEGA]).map(|r| [OMEGA, OMEGA, r]);
    for position in tops.chain(rest) {
        let text = position.map(|length| length.to_string()).join(" ");
        let text = text.replace(&OMEGA.to_string(), "ω");
        let asked: Position = text.parse().unwrap();
        let row = usize::try_from(asked.tail().first_column()).unwrap();
        let found = Query::new(asked).add(&rows[row]).unwrap().unwrap();
        assert_eq!(bites(&found), search.bites(position), "{text}");
        assert_eq!(found.is_p(), search.outcome(position) == Outcome::P, "{text}");
    }
}

/// The bites from `(ω,q,r,s)`, q finite or ω, that leave P-positions, by the rules. An infinite
/// row 1 is bitten to less than `REACH_OF_FOUR` squares, an infinite row 2 to less than `ROW_2`.
struct SearchOfFour {
    finite: game::Search<'static, game::Chomp>,
    known: BTreeMap<[u64; 4], bool>,
}

const REACH_OF_FOUR: u64 = 26;
const ROW_2: u64 = 9;

impl SearchOfFour {
    fn is_p(&mut self, rows: [u64; 4]) -> bool {
        if rows[0] != OMEGA {
            let rows: Vec<u16> = rows.iter().map(|&row| u16::try_from(row).unwrap()).collect();
            return self.finite.outcome(&game::Board::new(rows).unwrap()) == Outcome::P;
        }
        if let Some(known) = self.known.get(&rows) {
            return *known;
        }
        let is_p = self.bites(rows).is_empty();
        self.known.insert(rows, is_p);
        is_p
    }

    fn bites(&mut self, rows: [u64; 4]) -> Vec<(usize, [u64; 4])> {
        let mut found = Vec::new();
        for row in 0..4 {
            let most = if row == 0 { REACH_OF_FOUR } else { ROW_2 };
            let least = u64::from(row == 0);
            for x in least..rows[row].min(most) {
                let left = std::array::from_fn(|i| if i < row { rows[i] } else { rows[i].min(x) });
                if self.is_p(left) {
                    found.push((row + 1, left));
                }
            }
        }
        found
    }
}

#[test]
fn infinite_rows_above_tails_agree_with_a_search() {
    let family = levels::Family::of_tails(0, "4,4".parse().unwrap());
    let go_on = &mut |_: &Record| std::ops::ControlFlow::Continue(());
    let options = levels::Options { form: record::HeadForm::Offsets, ..Default::default() };
    let records = levels::rows(&family, &options, go_on).unwrap();
    let mut search =
        SearchOfFour { finite: game::Search::of(&game::Chomp), known: BTreeMap::new() };
    let mut empty = 0;
    for record in records.iter().filter(|record| record.key().tail().parts().len() == 2) {
        let &[r, s] = record.key().tail().parts() else { unreachable!() };
        empty += usize::from(record.head().is_none());
        for q in (r..ROW_2).chain([OMEGA]) {
            let rows = [OMEGA, q, r, s];
            let text = rows.map(|length| length.to_string()).join(" ");
            let asked: Position = text.replace(&OMEGA.to_string(), "ω").parse().unwrap();
            let found = Query::new(asked).add(record).unwrap().unwrap();
            let lengths = |position: &Position| -> [u64; 4] {
                let text = position.as_board().replace('ω', &OMEGA.to_string());
                let parts = text.trim_matches(['(', ')']).split(',');
                let mut parts = parts.map(|part| part.parse().unwrap()).chain([0; 4]);
                std::array::from_fn(|_| parts.next().unwrap())
            };
            let bites: Vec<_> =
                found.bites.iter().map(|bite| (bite.square.row, lengths(&bite.leaves))).collect();
            assert_eq!(bites, search.bites(rows), "{text}");
            assert!(!found.is_p(), "{text}");
        }
    }
    assert!(empty > 0, "some row is empty");
}

/// The 2005 paper, section 6, from Huddleston and Shurman, *Transfinite Chomp*: 2×ω is P.
#[test]
fn two_by_omega_is_p() {
    let rows = fixtures::rows_in_full(1);
    let answer = Query::new("ω ω".parse().unwrap()).add(&rows[0]).unwrap().unwrap();
    assert!(answer.is_p());
}

/// Chomp on A×ω for a finite poset A, by the rules: the lengths of the chains over the elements of
/// A. An infinite chain is bitten to less than `REACH_OF_CHAINS` elements at the least element of
/// A, and to less than `REACH_ABOVE` above it, so that there is a reply to each bite.
struct Chains {
    /// For each element of A those that are not below it.
    above: Vec<Vec<usize>>,
    known: BTreeMap<Vec<u64>, bool>,
}

const REACH_OF_CHAINS: u64 = 17;
const REACH_ABOVE: u64 = 5;

impl Chains {
    fn is_p(&mut self, lengths: &[u64]) -> bool {
        if let Some(known) = self.known.get(lengths) {
            return *known;
        }
        let is_p = !self.bites(lengths).into_iter().any(|(_, _, left)| self.is_p(&left));
        self.known.insert(lengths.to_vec(), is_p);
        is_p
    }

    fn bites(&self, lengths: &[u64]) -> Vec<(usize, u64, Vec<u64>)> {
        let mut bites = Vec::new();
        for (element, above) in self.above.iter().enumerate() {
            let reach = match (lengths[element], element) {
                (OMEGA, 0) => REACH_OF_CHAINS,
                (OMEGA, _) => REACH_ABOVE,
                (length, _) => length,
            };
            for length in u64::from(element == 0)..reach {
                let mut left = lengths.to_vec();
                for &above in above {
                    left[above] = left[above].min(length);
                }
                bites.push((element, length, left));
            }
        }
        bites
    }
}

/// The strategies of fact 10 against all bites of a truncated board.
#[test]
fn infinite_products_agree_with_a_search() {
    let chain = |length: usize| -> Vec<Vec<usize>> {
        (0..length).map(|own| (own..length).collect()).collect()
    };
    let square: Vec<Vec<usize>> = vec![vec![0, 1, 2, 3], vec![1, 3], vec![2, 3], vec![3]];
    let chains: Vec<(&str, Vec<Vec<usize>>)> = vec![
        ("1xω", chain(1)),
        ("2xω", chain(2)),
        ("3xω", chain(3)),
        ("4xω", chain(4)),
        ("2x2xω", square),
    ];
    for (text, above) in chains {
        let decided = text.parse::<ChainProduct>().unwrap().decide().unwrap();
        let mut search = Chains { above, known: BTreeMap::new() };
        let full = vec![OMEGA; search.above.len()];
        assert_eq!(search.is_p(&full), decided.outcome == 'P', "{text}");
        let Some(bite) = decided.winning_bites.first() else { continue };
        let square: Vec<u64> = bite.square.iter().map(|at| at.parse().unwrap()).collect();
        // The first coordinates name the element of A, here in the order of their sum.
        let element: u64 = square[..square.len() - 1].iter().map(|at| at - 1).sum();
        let length = square[square.len() - 1] - 1;
        let bites = search.bites(&full);
        let bite = bites.into_iter().find(|own| own.0 as u64 == element && own.1 == length);
        assert!(search.is_p(&bite.unwrap().2), "{text}");
    }
}

/// ω×ω after the bite at (2,2): two chains of `(a,b)` elements besides the poison. The reply
/// leaves as many elements of the other after every bite of the opponent.
#[test]
fn equal_wings_win() {
    let decided = "ωxω".parse::<ChainProduct>().unwrap().decide().unwrap();
    assert_eq!(decided.winning_bites[0].square, ["2", "2"]);
    let shorter = |wing: u64| 0..wing.min(REACH);
    let mut is_p: BTreeMap<(u64, u64), bool> = BTreeMap::new();
    let all = (0..REACH).chain([OMEGA]);
    for (a, b) in all.clone().flat_map(|a| all.clone().map(move |b| (a, b))) {
        let mut left = shorter(a).map(|x| (x, b)).chain(shorter(b).map(|x| (a, x)));
        let wins = left.any(|left| is_p[&left]);
        is_p.insert((a, b), !wins);
        assert_eq!(!wins, a == b, "({a},{b})");
    }
}
