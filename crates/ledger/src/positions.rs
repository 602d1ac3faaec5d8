//! Claims about single positions, decided by the game tree or by Brouwer's recurrence.

use std::collections::BTreeSet;

use game::{Outcome, ThreeRows};
use record::joined;
use serde::Deserialize;

use crate::evidence::{Oracles, TABLE, TREE};
use crate::verdict::{Examined, Finding};

type Lengths = (u64, u64, u64);

/// P or N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum PN {
    /// The previous player wins.
    P,
    /// The next player wins.
    N,
}

/// A test on single positions. Positions are `(p,q,r)`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum PositionTest {
    /// The bites of each position that leave P-positions are these and no others.
    Replies {
        /// Position, and the positions that the bites leave.
        lists: Vec<(Lengths, Vec<Lengths>)>,
    },
    /// Bites lead from a position to these P-positions.
    Leaves {
        /// The position.
        from: Lengths,
        /// The P-positions.
        to: Vec<Lengths>,
    },
    /// Positions have this outcome.
    Outcomes {
        /// P or N.
        outcome: PN,
        /// The positions.
        positions: Vec<Lengths>,
    },
    /// Boards of any number of rows, but three columns at most, have this outcome.
    Transposed {
        /// P or N.
        outcome: PN,
        /// Row lengths, descending.
        boards: Vec<Vec<u64>>,
    },
    /// The P-positions with a longest row in this range and a shortest row of at least this length
    /// are these.
    PPositions {
        /// Least and largest p.
        longest: (u64, u64),
        /// Least r.
        shortest: u64,
        /// All of them.
        positions: Vec<Lengths>,
    },
    /// From `(p,q,row)` a bite leads to this P-position, for p >= from, p > q, q in this range.
    Blocked {
        /// r.
        row: u64,
        /// Least and largest q.
        middle: (u64, u64),
        /// Least p.
        from: u64,
        /// The P-position.
        by: Lengths,
    },
    /// `(p,q,1)`, q >= from, has this outcome.
    TopRowOne {
        /// Least q.
        from: u64,
        /// P or N.
        outcome: PN,
    },
    /// From `(n,n,0)` exactly one bite leaves a P-position: it shortens the middle row by this
    /// number of squares.
    TwoRowOpening {
        /// The difference.
        shorter: u64,
    },
    /// The number of p for which `(p, min(p,q), min(p,q,r))` is a P-position.
    UniqueP {
        /// The number.
        values: usize,
    },
    /// Brouwer's recurrence, with the least integer from this one on.
    Recurrence {
        /// The least possible value of f.
        least: u64,
    },
    /// f(q,r) for q from a first column on: row, first column, values.
    Table {
        /// The rows of the table.
        rows: Vec<(u64, u64, Vec<u64>)>,
    },
    /// The number of distinct f(q,r), 0 <= r <= q, in column q, less q.
    ColumnDistinct {
        /// The number.
        more: usize,
    },
    /// In row r some f(q,r) is larger than q by this if and only if the row has finitely many
    /// P-positions.
    ConstantRows {
        /// 0 in the paper.
        above: u64,
    },
    /// If f(n,n) > f(q,q) for n > q and for q - m <= n < q, then none of f(q,q-first), ...,
    /// f(q,q-first-m) is on the diagonal.
    OffDiagonal {
        /// 1 in the paper.
        first: u64,
    },
    /// The numbers of P-positions with p <= n, n = 0, 1, ....
    CountsTo {
        /// These numbers.
        terms: Vec<usize>,
    },
}

/// q and r to this number are tested against the whole game tree: f(q,r) <= q + r + 1 <= TREE.
pub(crate) const SMALL: u64 = (TREE - 1) / 2;

impl PositionTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, oracles: &Oracles) -> Examined {
        let tree = || format!("game tree of all positions with p <= {TREE}");
        let brouwer = || format!("Brouwer's recurrence, q, r <= {TABLE}");
        match self {
            Self::Replies { lists } => stated(lists.iter().map(|(from, to)| {
                let (from, to) = (position(*from), sorted(to));
                let found = oracles.replies(from);
                compare(&format!("from {from}"), &to, &found)
            }))
            .by(tree()),
            Self::Leaves { from, to } => leaves(oracles, position(*from), &sorted(to)).by(tree()),
            Self::Outcomes { outcome, positions } => {
                stated(positions.iter().map(|lengths| has(oracles, position(*lengths), *outcome)))
                    .by(tree())
            }
            Self::Transposed { outcome, boards } => {
                stated(boards.iter().map(|board| has(oracles, transposed(board), *outcome)))
                    .by(tree())
            }
            Self::PPositions { longest, shortest, positions } => {
                let found = oracles.tree().p_positions().filter(|position| {
                    (longest.0..=longest.1).contains(&position.p()) && position.r() >= *shortest
                });
                let mut found: Vec<ThreeRows> = found.collect();
                found.sort_unstable();
                stated([compare("", &sorted(positions), &found)]).by(tree())
            }
            Self::Blocked { row, middle, from, by } => {
                blocked(oracles, *row, *middle, *from, *by).by(tree())
            }
            Self::TopRowOne { from, outcome } => top_row_one(oracles, *from, *outcome).by(tree()),
            Self::TwoRowOpening { shorter } => two_row_opening(oracles, *shorter).by(tree()),
            Self::UniqueP { values } => Finding::each(0..=SMALL, |q| {
                let found = |r: u64| oracles.values(q, r).len();
                let wrong = (0..=SMALL).find(|&r| found(r) != *values)?;
                Some(format!("q = {q}, r = {wrong}: {} values of p", found(wrong)))
            })
            .by(tree()),
            Self::Recurrence { least } => recurrence(oracles, *least).by(tree()),
            Self::Table { rows } => table(oracles, rows).by(brouwer()),
            Self::ColumnDistinct { more } => Finding::each(0..=TABLE, |q| {
                let distinct: BTreeSet<u64> = (0..=q).map(|r| f(oracles, q, r)).collect();
                let expected = index(q) + more;
                (distinct.len() != expected || distinct.contains(&0))
                    .then(|| format!("column {q} has {} distinct values", distinct.len()))
            })
            .by(brouwer()),
            Self::ConstantRows { above } => constant_rows(oracles, *above)
                .by(format!("{}; rows by the literal recurrence, proved", brouwer())),
            Self::OffDiagonal { first } => off_diagonal(oracles, *first).by(brouwer()),
            Self::CountsTo { terms } => counts(oracles, terms).by(tree()),
        }
    }
}

fn position((p, q, r): Lengths) -> ThreeRows {
    ThreeRows::new(p, q, r).expect("the positions of the ledger are positions")
}

fn sorted(positions: &[Lengths]) -> Vec<ThreeRows> {
    let mut positions: Vec<ThreeRows> = positions.iter().copied().map(position).collect();
    positions.sort_unstable();
    positions
}

fn list(positions: &[ThreeRows]) -> String {
    if positions.is_empty() { "none".to_owned() } else { joined(positions, ", ") }
}

fn index(x: u64) -> usize {
    usize::try_from(x).expect("a number of positions in memory")
}

/// The first failure of several checks.
fn stated(checks: impl IntoIterator<Item = Result<String, String>>) -> Finding {
    let mut figures = Vec::new();
    for check in checks {
        match check {
            Ok(figure) if figure.is_empty() => {}
            Ok(figure) => figures.push(figure),
            Err(counterexample) => return Finding::unless(Some(counterexample)),
        }
    }
    Finding::unless(None).with(figures.join("; "))
}

fn compare(place: &str, expected: &[ThreeRows], found: &[ThreeRows]) -> Result<String, String> {
    let words = format!("{place}{}{}", if place.is_empty() { "" } else { ": " }, list(found));
    if expected == found { Ok(words) } else { Err(words) }
}

pub(crate) fn has(oracles: &Oracles, position: ThreeRows, outcome: PN) -> Result<String, String> {
    let found = oracles.outcome(position);
    let expected = if outcome == PN::P { Outcome::P } else { Outcome::N };
    if found == expected { Ok(String::new()) } else { Err(format!("{position} is {found}")) }
}

fn leaves(oracles: &Oracles, from: ThreeRows, to: &[ThreeRows]) -> Finding {
    let replies = oracles.replies(from);
    let missing = to.iter().find(|position| !replies.contains(position));
    Finding::Stated {
        counterexample: missing.map(|missing| format!("{missing} is not among them")),
        figure: format!("winning moves from {from}: to {}", list(&replies)),
    }
}

/// Rows and columns exchanged.
fn transposed(board: &[u64]) -> ThreeRows {
    let column = |c: u64| board.iter().filter(|&&length| length > c).count() as u64;
    assert!(column(3) == 0, "a board of three columns at most");
    position((column(0), column(1), column(2)))
}

fn blocked(oracles: &Oracles, r: u64, middle: (u64, u64), from: u64, by: Lengths) -> Finding {
    let by = position(by);
    if oracles.outcome(by) == Outcome::N {
        return Finding::unless(Some(format!("{by} is an N-position")));
    }
    Finding::each(from..=TREE, |p| {
        let boards = (middle.0..=middle.1.min(p - 1)).map(|q| position((p, q, r)));
        let unblocked = |board: &ThreeRows| !board.bites().any(|bite| bite == by);
        boards
            .into_iter()
            .find(unblocked)
            .map(|board| format!("no bite leads from {board} to {by}"))
    })
}

fn top_row_one(oracles: &Oracles, from: u64, outcome: PN) -> Finding {
    let wrong = |p: u64| (from..=p).find_map(|q| has(oracles, position((p, q, 1)), outcome).err());
    let figure = match (1..=TREE).filter_map(wrong).count() {
        0 => String::new(),
        number => format!("exceptions: {number}"),
    };
    Finding::each(1..=TREE, wrong).with(figure)
}

fn two_row_opening(oracles: &Oracles, shorter: u64) -> Finding {
    Finding::each(1..=TREE, |n| {
        let found = oracles.replies(position((n, n, 0)));
        let expected = n.checked_sub(shorter).map(|q| position((n, q, 0)));
        (found != expected.into_iter().collect::<Vec<_>>())
            .then(|| format!("from ({n},{n},0): {}", list(&found)))
    })
}

/// f(q,r) of the game tree, tested against the recurrence.
fn recurrence(oracles: &Oracles, least: u64) -> Finding {
    let f = |q: u64, r: u64| oracles.values(q, r).first().copied();
    let known: Vec<Vec<Option<u64>>> =
        (0..=SMALL).map(|q| (0..=SMALL).map(|r| f(q, r)).collect()).collect();
    let f = |q: u64, r: u64| known[index(q)][index(r)];
    let stated = |q: u64, r: u64| {
        if r > q {
            return f(q, q);
        }
        if let Some(before) = q.checked_sub(1).and_then(|before| f(before, r)).filter(|&p| p < q) {
            return Some(before);
        }
        let row = (0..q).map(|a| f(a, r));
        let taken: BTreeSet<Option<u64>> = row.chain((0..r).map(|b| f(q, b))).collect();
        // q + r numbers at most are taken.
        (least..=least + q + r).find(|&p| !taken.contains(&Some(p)))
    };
    Finding::each(0..=SMALL, |q| {
        let r = (0..=SMALL).find(|&r| f(q, r) != stated(q, r))?;
        Some(format!("f({q},{r}) is {:?}, not {:?}", f(q, r), stated(q, r)))
    })
}

fn f(oracles: &Oracles, q: u64, r: u64) -> u64 {
    oracles.table().f(q, r).expect("within the table")
}

fn table(oracles: &Oracles, rows: &[(u64, u64, Vec<u64>)]) -> Finding {
    let cells = rows
        .iter()
        .flat_map(|(r, first, values)| (*first..).zip(values).map(|(q, value)| (q, *r, *value)));
    let wrong = cells.clone().find(|&(q, r, value)| f(oracles, q, r) != value);
    Finding::Stated {
        counterexample: wrong.map(|(q, r, _)| format!("f({q},{r}) = {}", f(oracles, q, r))),
        figure: format!("{} values", cells.count()),
    }
}

/// To the last row such that it and the rows below end or repeat within the table.
fn constant_rows(oracles: &Oracles, above: u64) -> Finding {
    let settles = |row: u64| {
        let offsets = oracles.literal(index(row)).members();
        let period = offsets.periodic().map_or(0, |periodic| periodic.cycle().len());
        row + (offsets.head().len() + period) as u64 <= TABLE
    };
    let settled = (0..=TABLE).take_while(|&row| settles(row)).last().expect("row 0");
    Finding::each(0..=settled, |row| {
        let constant = (row..=TABLE).any(|q| f(oracles, q, row) == q + above);
        let finite = oracles.literal(index(row)).members().periodic().is_none();
        (constant != finite).then(|| format!("row {row} of {}", oracles.literal(index(row))))
    })
}

fn off_diagonal(oracles: &Oracles, first: u64) -> Finding {
    let diagonal: Vec<u64> = (0..=TABLE).map(|n| f(oracles, n, n)).collect();
    // f(n,n) > n, so beyond the table the diagonal is larger than all these.
    let known =
        (0..=TABLE).take_while(|&q| diagonal[index(q)] <= TABLE).last().expect("f(0,0) = 1");
    let applies = |q: u64| diagonal[index(q) + 1..].iter().all(|&d| d > diagonal[index(q)]);
    let wrong = |q: u64| {
        let larger = |n: &u64| diagonal[index(*n)] > diagonal[index(q)];
        let m = (0..q).rev().take_while(larger).count() as u64;
        (0..=m).filter_map(|i| q.checked_sub(first + i)).find(|&r| {
            let value = f(oracles, q, r);
            diagonal.contains(&value)
        })
    };
    Finding::each(0..=known, |q| {
        let r = applies(q).then(|| wrong(q)).flatten()?;
        Some(format!("f({q},{r}) = {} is on the diagonal", f(oracles, q, r)))
    })
    .with(format!("{} such q", (0..=known).filter(|&q| applies(q)).count()))
}

fn counts(oracles: &Oracles, terms: &[usize]) -> Finding {
    let positions: Vec<u64> = oracles.tree().p_positions().map(ThreeRows::p).collect();
    let count = |n: u64| positions.iter().filter(|&&p| p <= n).count();
    assert!(terms.len() as u64 <= TREE + 1, "the tree reaches so far");
    let wrong = (0..).zip(terms).find(|&(n, &term)| count(n) != term);
    Finding::Stated {
        counterexample: wrong.map(|(n, _)| format!("there are {} with p <= {n}", count(n))),
        figure: format!("{} terms", terms.len()),
    }
}
