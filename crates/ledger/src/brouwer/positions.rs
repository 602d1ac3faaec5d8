//! Claims about single positions, decided by the game tree or by Brouwer's recurrence. Positions
//! are `(p,q,r)`.

use std::collections::BTreeSet;

use game::ThreeRows;
use record::joined;

use crate::arguments::PN;
use crate::evidence::Evidence;
use crate::oracles::{self, BROUWERS_TABLE, GAME_TREE, TABLE, TREE};
use crate::verdict::Finding;

pub type Lengths = (u64, u64, u64);

/// q and r to this number are tested against the whole game tree: f(q,r) <= q + r + 1 <= TREE.
pub const SMALL: u64 = (TREE - 1) / 2;

pub fn recurrence() -> String {
    format!("Brouwer's recurrence, q, r <= {TABLE}")
}

pub fn position((p, q, r): Lengths) -> ThreeRows {
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

pub fn index(x: u64) -> usize {
    usize::try_from(x).expect("a number of positions in memory")
}

/// The outcome of a position, if it is not this one.
pub fn wrong_outcome(position: ThreeRows, outcome: PN) -> Option<String> {
    let found = oracles::outcome(position);
    (!outcome.is(found)).then(|| format!("{position} is {found}"))
}

/// The bites of each position that leave P-positions are these and no others: position, and the
/// positions that the bites leave.
pub fn replies(_: &Evidence, (lists,): (Vec<(Lengths, Vec<Lengths>)>,)) -> Finding {
    let parts = lists.into_iter().map(|(from, to)| {
        let from = position(from);
        let found = oracles::replies(from);
        (found == sorted(&to), format!("from {from}: {}", list(&found)))
    });
    Finding::all(parts, "; ")
}

/// Bites lead from a position to these P-positions.
pub fn leaves(_: &Evidence, (from, to): (Lengths, Vec<Lengths>)) -> Finding {
    let from = position(from);
    let replies = oracles::replies(from);
    let missing = sorted(&to).into_iter().find(|position| !replies.contains(position));
    Finding::unless(missing.map(|missing| format!("{missing} is not among them")))
        .with(format!("winning moves from {from}: to {}", list(&replies)))
}

/// From `(n,n,0)` exactly one bite leaves a P-position: it shortens the middle row by this number
/// of squares.
pub fn two_row_opening(_: &Evidence, (shorter,): (u64,)) -> Finding {
    Finding::each(1..=TREE, |n| {
        let found = oracles::replies(position((n, n, 0)));
        let expected = n.checked_sub(shorter).map(|q| position((n, q, 0)));
        (!found.iter().copied().eq(expected)).then(|| format!("from ({n},{n},0): {}", list(&found)))
    })
}

/// The number of p for which `(p, min(p,q), min(p,q,r))` is a P-position.
pub fn unique_p(_: &Evidence, (number,): (usize,)) -> Finding {
    Finding::each(0..=SMALL, |q| {
        let found = |r: u64| oracles::values(q, r).len();
        let wrong = (0..=SMALL).find(|&r| found(r) != number)?;
        Some(format!("q = {q}, r = {wrong}: {} values of p", found(wrong)))
    })
}

/// Brouwer's recurrence gives the f(q,r) of the game tree. The recurrence takes the least integer
/// from `least` on; in the paper that is 1.
pub fn recurrence_for_f(_: &Evidence, (least,): (u64,)) -> Finding {
    let f = |q: u64, r: u64| oracles::values(q, r).first().copied();
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

/// The numbers of P-positions with p <= n, n = 0, 1, ....
pub fn counts_to(_: &Evidence, (terms,): (Vec<usize>,)) -> Finding {
    let positions: Vec<u64> = GAME_TREE.p_positions().map(ThreeRows::p).collect();
    let count = |n: u64| positions.iter().filter(|&&p| p <= n).count();
    assert!(terms.len() as u64 <= TREE + 1, "the tree reaches so far");
    let words = |n, count| format!("there are {count} with p <= {n}");
    Finding::terms(0, &terms, (0..).map(count), words).with(format!("{} terms", terms.len()))
}

fn f(q: u64, r: u64) -> u64 {
    BROUWERS_TABLE.f(q, r).expect("within the table")
}

/// f(q,r) for q from a first column on: row, first column, values.
pub fn table(_: &Evidence, (rows,): (Vec<(u64, u64, Vec<u64>)>,)) -> Finding {
    let cells = rows
        .iter()
        .flat_map(|(r, first, values)| (*first..).zip(values).map(|(q, value)| (q, *r, *value)));
    let wrong = cells.clone().find(|&(q, r, value)| f(q, r) != value);
    Finding::unless(wrong.map(|(q, r, _)| format!("f({q},{r}) = {}", f(q, r))))
        .with(format!("{} values", cells.count()))
}

/// The number of distinct f(q,r), 0 <= r <= q, in column q, less q.
pub fn column_distinct(_: &Evidence, (more,): (usize,)) -> Finding {
    Finding::each(0..=TABLE, |q| {
        let distinct: BTreeSet<u64> = (0..=q).map(|r| f(q, r)).collect();
        (distinct.len() != index(q) + more || distinct.contains(&0))
            .then(|| format!("column {q} has {} distinct values", distinct.len()))
    })
}

/// In row r some f(q,r) is larger than q by this, 0 in the paper, if and only if the row has
/// finitely many P-positions. To the last row such that it and the rows below end or repeat within
/// the table.
pub fn constant_rows(_: &Evidence, (above,): (u64,)) -> Finding {
    let literal = |row: u64| oracles::literal(index(row));
    let settles = |row: u64| {
        let offsets = literal(row).members();
        let period = offsets.periodic().map_or(0, |periodic| periodic.cycle().len());
        row + (offsets.head().len() + period) as u64 <= TABLE
    };
    let settled = (0..=TABLE).take_while(|&row| settles(row)).last().expect("row 0");
    Finding::each(0..=settled, |row| {
        let constant = (row..=TABLE).any(|q| f(q, row) == q + above);
        let finite = literal(row).members().periodic().is_none();
        (constant != finite).then(|| format!("row {row} of {}", literal(row)))
    })
    .by(format!("{}; rows by the literal recurrence, proved", recurrence()))
}

/// If f(n,n) > f(q,q) for n > q and for q - m <= n < q, then none of f(q,q-first), ...,
/// f(q,q-first-m) is on the diagonal. In the paper `first` is 1.
pub fn off_diagonal(_: &Evidence, (first,): (u64,)) -> Finding {
    let diagonal: Vec<u64> = (0..=TABLE).map(|n| f(n, n)).collect();
    // f(n,n) > n, so beyond the table the diagonal is larger than all these.
    let known =
        (0..=TABLE).take_while(|&q| diagonal[index(q)] <= TABLE).last().expect("f(0,0) = 1");
    let applies = |q: u64| diagonal[index(q) + 1..].iter().all(|&d| d > diagonal[index(q)]);
    let wrong = |q: u64| {
        let larger = |n: &u64| diagonal[index(*n)] > diagonal[index(q)];
        let m = (0..q).rev().take_while(larger).count() as u64;
        let mut rows = (0..=m).filter_map(|i| q.checked_sub(first + i));
        rows.find(|&r| diagonal.contains(&f(q, r)))
    };
    Finding::each(0..=known, |q| {
        let r = applies(q).then(|| wrong(q)).flatten()?;
        Some(format!("f({q},{r}) = {} is on the diagonal", f(q, r)))
    })
    .with(format!("{} such q", (0..=known).filter(|&q| applies(q)).count()))
}
