//! `proofs/uniqueness.md`: sections 1 to 4 by the recurrence alone, for Chomp and where more
//! numbers count as diagonal values (section 7); section 5 by records; section 6 by the rules.

mod chains;
mod density;
mod effective;
mod ends;
mod laws;
mod options;
mod table;

use std::collections::BTreeSet;
use std::iter;
use std::sync::LazyLock;

use game::{GameTree, Outcome, ThreeRows};

use crate::window::cases::Random;
use table::Table;

const CASES: usize = 100_000;

/// Chomp, and recurrences with more diagonal values.
fn tables() -> &'static [Table] {
    static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
        let mut random = Random::new(20);
        let perturbed = iter::repeat_with(|| Table::perturbed(300, &mut random)).take(30);
        iter::once(Table::of_chomp(900)).chain(perturbed).collect()
    });
    &TABLES
}

#[test]
fn the_table_is_that_of_the_game() {
    let table = Table::of_chomp(60);
    let oracle = game::brouwer::Table::up_to(59);
    for q in 0..60 {
        for r in 0..=q {
            // Where row r has ended, the oracle has its end.
            if let Some(expected) = oracle.f(q as u64, r as u64) {
                let found = table.f(q, r).or(table.ends[r]).unwrap();
                assert_eq!(found as u64, expected, "f({q},{r})");
            }
        }
    }
}

/// 1.1 and 1.2.
#[test]
fn rightmost_hole() {
    let mut random = Random::new(21);
    let (mut lemma, mut holes) = (0, 0);
    let tables = tables();
    while lemma < CASES || holes < CASES {
        let table = &tables[random.index(tables.len())];
        let q = random.index(table.columns());
        let r = random.index(q + 1);
        if let Some(p) = table.f(q, r)
            && q > r
        {
            let t = r + random.index(q - r);
            if !table.has_below(t, p, r) {
                lemma += 1;
                let v = table.f(t, r).unwrap();
                assert!(t < v && v < p, "f({q},{r}) = {p}, f({t},{r}) = {v}");
            }
        }
        // The last column before p that does not have p below row r.
        let p = r + 1 + random.index(table.columns() - r);
        let Some(q) = (r..p).rev().find(|&q| !table.has_below(q, p, r)) else { continue };
        holes += usize::from(q + 1 < p);
        assert!((q + 1..p).all(|v| table.has_below(q, v, r)), "column {q}, row {r}, number {p}");
    }
}

/// (L2') of 5.5, and with it 1.2.
#[test]
fn what_a_column_lacks() {
    let mut random = Random::new(23);
    let (mut cases, mut more) = (0, 0);
    let tables = tables();
    while cases < CASES {
        let table = &tables[random.index(tables.len())];
        let q = random.index(table.columns() - 1);
        let (r, p) = (random.index(q + 1), q + 1 + random.index(table.columns() - q - 1));
        if table.has_below(q, p, r) {
            continue;
        }
        let between = q + 1..p;
        let k = between.clone().filter(|&t| !table.has_below(t, p, r)).count();
        let m = between.clone().filter(|&v| !table.has_below(q, v, r)).count();
        let has: BTreeSet<_> = between.clone().filter_map(|t| table.row(t, p)).collect();
        let rows = (0..r).filter(|&b| table.f(q, b).is_some_and(|v| between.contains(&v)));
        assert_eq!(rows.filter(|b| !has.contains(b)).count(), k - m, "column {q}, {r}, {p}");
        cases += 1;
        more += usize::from(k > m);
    }
    assert!(more > 1000, "{more}");
}

/// 2.1 to 2.4.
#[test]
fn ends_and_diagonal_values() {
    let (mut columns, mut cells) = (0, 0);
    for table in tables() {
        let ends = table.sorted_ends();
        let mut row_of_end = vec![None; table.columns()];
        for &(x, c) in &ends {
            row_of_end[x] = Some(c);
            columns += x - c;
            assert!((c..x).all(|t| table.has_below(t, x, c)), "row {c} ends at {x}");
        }
        for q in 0..table.columns() {
            for (r, p) in (0..=q).filter_map(|r| Some((r, table.f(q, r)?))) {
                if let Some(c) = row_of_end.get(p).copied().flatten() {
                    cells += 1;
                    assert!(r <= c, "f({q},{r}) = {p}, and row {c} ends there");
                }
            }
        }
        let diagonal: Vec<usize> = (0..table.columns()).map(|q| table.d(q)).collect();
        for (n, row) in row_of_end.iter().enumerate().skip(1) {
            let is_one_of = [row.is_some(), diagonal.contains(&n), table.more.contains(&n)];
            assert_eq!(is_one_of.iter().filter(|&&is| is).count(), 1, "{n}: {is_one_of:?}");
        }
    }
    assert!(columns > CASES && cells > CASES, "{columns} {cells}");
}

/// 2.5: each number of a row, and each that it lacks, to its end.
#[test]
fn the_law_of_a_row() {
    let mut cases = 0;
    for table in tables() {
        let columns = table.columns();
        let mut key = vec![None; columns];
        for q in (0..columns).filter(|&q| table.d(q) < columns) {
            key[table.d(q)] = Some(q);
        }
        for (x, c) in table.sorted_ends() {
            key[x] = Some(c);
        }
        for b in 0..columns {
            let has: BTreeSet<usize> = (b..columns).filter_map(|q| table.f(q, b)).collect();
            for p in (1..columns).take_while(|&p| !table.ended_before(b, p)) {
                let Some(key) = key[p] else {
                    assert!(table.more.contains(&p));
                    continue;
                };
                assert_eq!(has.contains(&p), key >= b, "{:?}, row {b}, {p}", table.more);
                cases += 1;
            }
        }
    }
    assert!(cases > CASES, "{cases}");
}

/// 2.4, from the rules of the game.
#[test]
fn one_winning_opening() {
    let tree = GameTree::up_to(70);
    for n in 1..=70 {
        let full = ThreeRows::new(n, n, n).unwrap();
        let wins = full.bites().filter(|&bite| tree.outcome(bite) == Some(Outcome::P));
        assert_eq!(wins.count(), 1, "{n}");
    }
}

/// 3.1, with it 3.2, and 3.3.
#[test]
fn blocked_by_the_diagonal_and_the_row() {
    let mut cases = 0;
    for table in tables() {
        let columns = table.columns().min(500);
        for q in 1..columns {
            assert!((0..q).all(|r| table.f(q, r) < Some(table.d(q))), "column {q}");
            for r in (0..=q).filter(|&r| !table.ended_before(r, q)) {
                let diagonal = (0..r).map(|c| table.d(c));
                let row = (r..q).filter_map(|t| table.f(t, r));
                let blocked = diagonal.chain(row).chain(table.more.iter().copied());
                let ended = (0..r).filter(|&c| table.ended_before(c, q)).count();
                assert_eq!(
                    blocked.filter(|&p| p >= q).count(),
                    1 + ended + table.more.len(),
                    "({q},{r})"
                );
                cases += 1;
            }
        }
    }
    assert!(cases > CASES, "{cases}");
}

/// 3.4 to 3.7, with the changes of section 7.
#[test]
fn columns_with_an_end() {
    let (mut cases, mut ends) = (0, 0);
    for table in tables() {
        for (n, (x, c)) in (1..).zip(table.sorted_ends()) {
            let has = |q: usize| table.row(q, x).is_some();
            assert!((0..x).all(|q| has(q) == (x < table.d(q))), "{x}");
            cases += x;
            ends += 1;
            let k = table.more_below(x);
            assert_eq!((0..x).filter(|&q| has(q)).count(), n + k, "{x}");
            assert!(x <= 2 * c, "row {c} ends at {x}");
            assert!(c < 2 * n + k && x - c <= n + k, "{:?}, {n}: {x}, {c}", table.more);
            assert!(2 * n + k <= x && x < 3 * n + 2 * k, "{:?}, {n}: {x}", table.more);
        }
        for q in 1..table.columns() {
            let expected = 2 + table.more_below(q) + (0..q).filter(|&j| table.d(j) < q).count();
            assert_eq!(values(table, q), expected, "{:?}, column {q}", table.more);
        }
        let mut finite_below = 0;
        for (r, is_finite) in table.finite_rows().into_iter().enumerate() {
            assert!(r <= 2 * finite_below + table.more.len() + 1, "{:?}, row {r}", table.more);
            finite_below += usize::from(is_finite);
        }
    }
    assert!(cases > CASES && ends > 3000, "{cases} {ends}");
}

/// 3.8, with the changes of section 7. The cases are the columns before the diagonal values.
#[test]
fn columns_with_a_diagonal_value() {
    let (mut cases, mut lacking) = (0, 0);
    for table in tables() {
        let ends = table.sorted_ends();
        let diagonal: BTreeSet<usize> = (0..table.columns()).map(|q| table.d(q)).collect();
        for (j, p) in (1..).map(|j| (j, table.d(j))).take_while(|&(_, p)| p < table.columns()) {
            let e = ends.iter().filter(|&&(x, _)| x <= p).count();
            let rows: BTreeSet<usize> = (0..p).filter_map(|q| table.row(q, p)).collect();
            let over = (0..p).filter(|&q| table.d(q) > p && table.row(q, p).is_none()).count();
            let rows_without = (0..j).filter(|b| table.ended_before(*b, p) && !rows.contains(b));
            let g = rows_without.count();
            let others = (0..j).filter(|&r| table.f(j, r).is_some_and(|v| diagonal.contains(&v)));
            let (d, k) = (others.count(), table.more_below(p));
            let found = (rows.len() + g, d + e, rows.len() + over, d + over);
            assert_eq!(found, (1 + j, j, 1 + e + k, g + k), "{:?}, column {j}", table.more);
            cases += p;
            lacking += g;
        }
    }
    assert!(cases > CASES && lacking > 1000, "{cases} {lacking}");
}

fn values(table: &Table, column: usize) -> usize {
    (0..=column).filter(|&row| table.f(column, row).is_some()).count()
}

/// Section 7: the example, in which 3.6 and 3.7 of Chomp fail. By hand: columns 0 to 3 have the
/// values 1; 3, 4; 4, 3, 5; and 5, 6, 3, 7.
#[test]
fn counts_of_chomp_that_fail_with_more_diagonal_values() {
    let table = Table::new(4, vec![2]);
    let expected: [&[usize]; 4] = [&[1], &[3, 4], &[4, 3, 5], &[5, 6, 3, 7]];
    for (q, column) in expected.into_iter().enumerate() {
        assert!((0..=q).filter_map(|r| table.f(q, r)).eq(column.iter().copied()), "column {q}");
    }
    assert_eq!(table.ends, [None, None, Some(3), None]);
    assert_eq!((values(&table, 3), (0..3).filter(|&j| table.d(j) < 3).count()), (4, 1));
}

/// Section 7: what fails in recurrences with more diagonal values.
#[test]
fn accidents_of_chomp() {
    let mut random = Random::new(22);
    let (mut queues, mut minima, mut order) = (0, 0, 0);
    for _ in 0..16 {
        let table = Table::perturbed(1200, &mut random);
        let finite = table.finite_rows();
        queues += usize::from(queue(&finite).into_iter().flatten().any(|h| h > 1));
        let is_minimum = |row: usize, end: usize| {
            (row + 1..end).all(|q| table.f(q, row).is_none_or(|p| p > end))
        };
        let rows = || (0..finite.len()).filter_map(|row| Some((row, table.ends[row]?)));
        minima += usize::from(!rows().all(|(row, end)| is_minimum(row, end)));
        order += usize::from(!rows().map(|(_, end)| end).is_sorted());
    }
    assert_eq!((queues, minima, order), (15, 15, 15));
}

/// The X that section 7 names.
fn named() -> Vec<usize> {
    vec![18, 20, 21, 26, 36, 40, 46, 51, 55]
}

/// Section 7: the columns before an end that have it need not be successive ([B] 8.10).
#[test]
fn columns_apart() {
    let table = Table::new(732, named());
    assert_eq!(table.ends[517], Some(730));
    let columns: Vec<usize> = (0..730).filter(|&q| table.row(q, 730).is_some()).collect();
    assert!(columns.contains(&424) && !columns.contains(&425) && columns.contains(&426));
}

/// The h of `proofs/cascade.md`, 5.2, of the periodic rows: `max(h, 0) + 2 - Δ` from one to the
/// next.
fn queue(finite: &[bool]) -> Vec<Option<i64>> {
    let (mut last, mut h) = (-2, 0);
    let next = |(row, &finite): (i64, &bool)| {
        if finite {
            return None;
        }
        h = h.max(0) + 2 - (row - last);
        last = row;
        Some(h)
    };
    (0..).zip(finite).map(next).collect()
}
