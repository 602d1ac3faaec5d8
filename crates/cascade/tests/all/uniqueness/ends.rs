//! Sections 4 and 5: the counts at the ends of rows, by their definitions from the values, for
//! Chomp and with more diagonal values (section 7).

use std::collections::BTreeSet;
use std::iter;

use super::table::Table;
use super::{CASES, named, tables};
use crate::window::cases::Random;

/// Chomp, and many short tables with more diagonal values.
fn many_tables() -> impl Iterator<Item = Table> {
    let mut random = Random::new(28);
    iter::once(Table::of_chomp(2000))
        .chain(iter::repeat_with(move || Table::perturbed(400, &mut random)).take(1700))
}

/// The n-th end x, of row c, and the counts of sections 4 and 5.
struct Counts {
    n: usize,
    x: usize,
    c: usize,
    /// The diagonal value of column x.
    d: usize,
    /// l: rows above c that ended before x.
    passed: usize,
    /// A: rows below c that ended before x and have x.
    again: usize,
    /// M: columns before c with a diagonal value above x.
    before: usize,
    /// N: earlier diagonal values between x and d that column x does not have.
    skipped: usize,
    /// Earlier diagonal values that column x has.
    earlier: usize,
    /// Columns before x with a diagonal value above d.
    inverted: usize,
    /// s: columns after x with a diagonal value below d.
    later: usize,
    /// e(d): ends to d.
    ends: usize,
    /// u: finite rows below c that end after x.
    larger: usize,
}

impl Counts {
    fn new(table: &Table, ends: &[(usize, usize)], n: usize) -> Self {
        let (x, c) = ends[n - 1];
        let d = table.d(x);
        let number = |counts: &dyn Fn(usize) -> bool, of: std::ops::Range<usize>| {
            of.filter(|&it| counts(it)).count()
        };
        let between = |j: usize| x <= table.d(j) && table.d(j) < d;
        let has = |value: usize| table.row(x, value).is_some();
        let rows_with_x: Vec<usize> = (0..x).filter_map(|t| table.row(t, x)).collect();
        let ended = |b: &usize| *b < c && table.ended_before(*b, x);
        Self {
            n,
            x,
            c,
            d,
            passed: number(&|b| table.ended_before(b, x), c + 1..x),
            again: rows_with_x.iter().filter(|b| ended(b)).count(),
            before: number(&|t| table.d(t) > x, 0..c),
            skipped: number(&|j| between(j) && !has(table.d(j)), 0..x),
            earlier: number(&|j| has(table.d(j)), 0..x),
            inverted: number(&|t| table.d(t) > d, 0..x),
            later: number(&|t| table.d(t) < d, x + 1..d),
            ends: ends.partition_point(|&(end, _)| end <= d),
            larger: number(&|b| table.ends[b].is_some_and(|end| x < end), 0..c),
        }
    }

    /// M - A - l.
    fn rows(&self) -> isize {
        self.before.cast_signed() - (self.again + self.passed).cast_signed()
    }

    /// M - N.
    fn columns(&self) -> isize {
        self.before.cast_signed() - self.skipped.cast_signed()
    }
}

/// The counts at the ends beyond the added diagonal values, as far as the table has the ends to
/// `d_x`.
fn counts(table: &Table) -> Vec<Counts> {
    let ends = table.sorted_ends();
    let more = table.more.last().copied().unwrap_or(0);
    let is_known = |n: &usize| {
        let (x, _) = ends[n - 1];
        x > more && table.d(x) < table.columns()
    };
    (1..=ends.len()).filter(is_known).map(|n| Counts::new(table, &ends, n)).collect()
}

/// One test: the facts are about the same tables, which take most of the time.
#[test]
fn facts_on_ends() {
    let (mut cases, mut least) = ([0; 4], usize::MAX);
    for table in many_tables() {
        cases[0] += identities_at_the_ends(&table);
        cases[1] += rows_of_ends_from_below(&table);
        cases[2] += diagonal_values_by_size(&table);
        let (ends, excess) = ends_in_wythoffs_sense(&table);
        cases[3] += ends;
        least = least.min(excess);
    }
    assert!(cases.iter().all(|&cases| cases > CASES) && least <= 1, "{cases:?} {least}");
}

/// The diagonal values below the number of columns, by size: these are all that there are.
fn sorted_diagonal(table: &Table) -> Vec<usize> {
    let diagonal: BTreeSet<usize> = (0..table.columns()).map(|q| table.d(q)).collect();
    diagonal.into_iter().take_while(|&d| d < table.columns()).collect()
}

/// The first half of the proof of 3.9. Returns the number of diagonal values.
fn diagonal_values_by_size(table: &Table) -> usize {
    let (sorted, ends) = (sorted_diagonal(table), table.sorted_ends());
    for (t, &d) in sorted.iter().enumerate().skip(1) {
        let e = ends.partition_point(|&(x, _)| x < t);
        assert!(d + e >= 2 * t, "{:?}, {t}: {d}", table.more);
    }
    sorted.len().saturating_sub(1)
}

/// 3.9, with the changes of section 7. Returns the number of ends, and the least difference of the
/// two sides.
fn ends_in_wythoffs_sense(table: &Table) -> (usize, usize) {
    let sorted = sorted_diagonal(table);
    let (mut cases, mut least) = (0, usize::MAX);
    for (n, (x, _)) in (1..).zip(table.sorted_ends()) {
        let n = n + table.more_below(x);
        if let Some(d) = sorted.get(n - 1) {
            least = least.min((n + d + 1).checked_sub(x).unwrap());
            cases += 1;
        }
    }
    (cases, least)
}

/// 4.1, the equations after 5.3, and (I3) to (I5) of 5.5. Returns the number of ends.
fn identities_at_the_ends(table: &Table) -> usize {
    let (k, ends) = (table.more.len(), table.sorted_ends());
    let is_end = |p: usize| ends.binary_search_by_key(&p, |&(end, _)| end).is_ok();
    let mut cases = 0;
    for at in counts(table) {
        let Counts { n, x, c, d, passed, again, before, skipped, .. } = at;
        let place = format!("{:?}, end {x} of row {c}", table.more);
        assert_eq!(c + 1 + passed + again, 2 * n + k, "(I1), {place}");
        assert_eq!(x + before, c + n + k, "(I2), {place}");
        assert_eq!(d + before, x + c + skipped + 1 + k, "(I2), {place}");
        let finite = (0..c).filter(|&b| table.ends[b].is_some()).count();
        assert_eq!(x + finite + before, 2 * c + again + at.larger, "(P), {place}");
        assert_eq!(skipped + c + at.inverted, before + at.ends + at.later, "(I3), {place}");
        assert_eq!(skipped + at.inverted + at.earlier, n + k, "(I4), {place}");
        let rows = |mut of: std::ops::Range<usize>| {
            of.by_ref().filter(|&r| table.f(x, r).is_some()).count()
        };
        assert_eq!(rows(0..c), n + k - again, "(I5), {place}");
        assert_eq!(rows(c + 1..x + 1), x - c - passed, "(I5), {place}");
        let numbers: Vec<usize> = (0..=x).filter_map(|r| table.f(x, r)).collect();
        let of_ends = numbers.iter().filter(|&&p| is_end(p)).count();
        assert_eq!(of_ends, at.ends + 1 - n, "(I5), {place}");
        let excess = (numbers.len() - of_ends).cast_signed() - of_ends.cast_signed();
        let shifts = at.later.cast_signed() - at.inverted.cast_signed();
        assert_eq!(excess, 2 * at.columns() + 2 * shifts + 1 - at.rows(), "(I5), {place}");
        cases += 1;
    }
    cases
}

/// 4.2; with k more diagonal values, `x_k + r_k + k` stands for `x_k + r_k`, for the rows below c.
/// Returns the number of ends.
fn rows_of_ends_from_below(table: &Table) -> usize {
    let mut cases = 0;
    let (ends, more) = (table.sorted_ends(), table.more.len());
    for (n, &(x, c)) in (1..).zip(&ends).filter(|(_, (x, _))| table.more_below(*x) == more) {
        let less = |&&(end, row): &&(usize, usize)| end + row + more < x;
        let below = |&&(_, row): &&(usize, usize)| more == 0 || row < c;
        let count = ends.iter().filter(less).filter(below).count();
        assert!(c >= n + more + count, "{:?}: end {x} of row {c}", table.more);
        cases += 1;
    }
    cases
}

/// (R0) and (L2') of 5.5.
#[test]
fn diagonal_values_and_holes() {
    let mut random = Random::new(29);
    let tables = tables();
    let (mut pairs, mut holes) = (0, 0);
    while pairs < CASES || holes < CASES {
        let table = &tables[random.index(tables.len())];
        let j = 1 + random.index(table.columns() - 1);
        let t = random.index(j);
        assert_eq!(table.row(t, table.d(j)).is_some(), table.d(t) > table.d(j), "{t} {j}");
        pairs += 1;
        let q = random.index(table.columns());
        let r = random.index(q + 1);
        let p = q + 1 + random.index(table.columns() - q);
        if table.has_below(q, p, r) {
            continue;
        }
        let without = (q + 1..p).filter(|&t| !table.has_below(t, p, r)).count();
        let missing = (q + 1..p).filter(|&v| !table.has_below(q, v, r)).count();
        assert!(missing <= without, "column {q}, row {r}, number {p}");
        holes += usize::from(missing < p - q - 1);
    }
}

/// 4.5: the ends that are not counted for row `r_k`; and 4.7: those that the row has.
#[test]
fn ends_in_a_finite_row() {
    let mut rows = 0;
    let table = Table::of_chomp(2000);
    let (ends, finite) = (table.sorted_ends(), table.finite_rows());
    for at in counts(&table) {
        // All ends that row c can have, and all finite rows below it, are known.
        if at.x + at.c >= table.columns() || at.c >= finite.len() {
            continue;
        }
        let has = |x: usize| (at.c..x).any(|q| table.f(q, at.c) == Some(x));
        let (before, after) = ends.split_at(at.n - 1);
        let later = after[1..].iter().filter(|&&(x, _)| has(x)).count();
        let earlier = before.iter().filter(|&&(x, _)| has(x)).count();
        let below = after.iter().filter(|&&(_, row)| row < at.c).count();
        let finite_below = finite[..at.c].iter().filter(|&&is| is).count();
        assert_eq!(earlier, at.passed, "end {}", at.x);
        assert!(later + at.before + at.passed <= at.n, "end {}", at.x);
        assert_eq!(below + at.n, finite_below + 1 + at.passed, "end {}", at.x);
        rows += 1;
    }
    assert!(rows > 300, "{rows}");
}

/// 4.5 and 4.7: the sums to Q, with what is left out, and the bounds of functions.
#[test]
#[expect(clippy::cast_precision_loss, reason = "numbers to 2000")]
fn logarithmic_densities() {
    let table = &Table::of_chomp(2000);
    let finite = table.finite_rows();
    let mut diagonal: Vec<usize> = (0..table.columns()).map(|q| table.d(q)).collect();
    let ends = table.sorted_ends();
    let is_end = |p: usize| ends.binary_search_by_key(&p, |&(x, _)| x).is_ok();
    let squared = |q: usize| 1.0 / (q * q) as f64;
    // Each column and each of its diagonal values but its own, by row.
    let others = |q: usize| {
        let numbers = (0..q).filter_map(move |r| Some((r, table.f(q, r)?)));
        numbers.filter(|&(_, p)| p >= table.columns() || !is_end(p)).collect::<Vec<_>>()
    };
    let scale = 900;
    let all: f64 = (1..scale).map(|q| others(q).len() as f64 * squared(q)).sum();
    let (mut periodic_rows, mut finite_rows) = (0.0, 0.0);
    for q in 1..scale {
        for (r, p) in others(q) {
            if finite[r] {
                finite_rows += squared(q);
            } else if p <= scale {
                periodic_rows += squared(q);
            }
        }
    }
    assert!(periodic_rows + finite_rows <= all + 1e-9);
    let mut bound = 0.0;
    for j in 1..=(scale - 1) / 2 {
        let p = diagonal[j];
        let periodic = finite[..j].iter().filter(|&&is| !is).count();
        bound += 1.0 / (p - periodic) as f64 - 1.0 / p as f64;
    }
    assert!(bound > 0.2 && bound <= periodic_rows, "{bound} {periodic_rows}");
    let mut bound = 0.0;
    for &(x, c) in ends.iter().filter(|&&(x, _)| x < scale) {
        let has = (c + 1..x).filter_map(|q| table.f(q, c)).filter(|&p| is_end(p)).count();
        bound += 1.0 / (c + 1 + has) as f64 - 1.0 / x as f64;
    }
    assert!(bound > 0.2 && bound <= finite_rows, "{bound} {finite_rows}");
    // (1), with the harmonic sum for its logarithm.
    diagonal.sort_unstable();
    let least = |i: usize| (2 * i - diagonal[i - 1]) as f64;
    let most: f64 = (1..scale).map(|i| least(i) * squared(i)).sum();
    assert!(all <= most, "{all} {most}");
    let mut random = Random::new(30);
    let (slope, value) = (4845.0 / 16156.0, 2732.0 / 4039.0);
    let sum = |ratio: f64| {
        let greater = f64::min(ratio + 0.5, 1.0 + 5.0 * ratio / 7.0);
        1.0 / ratio + slope * (ratio - 1.0 - 1.0 / greater)
    };
    assert!([1.4, 2.0].into_iter().all(|end| (sum(end) - value).abs() < 1e-12));
    for _ in 0..CASES {
        let ratio = 1.4 + 0.6 * random.below(1 << 30) as f64 / f64::from(1 << 30);
        assert!(sum(ratio) <= value + 1e-12, "{ratio}");
    }
}

/// The numbers from q on that (D) or (R) blocks at (q,c), in increasing order.
fn blocked(table: &Table, q: usize, c: usize) -> Vec<usize> {
    let diagonal = (0..c).map(|b| table.d(b)).chain(table.more.iter().copied());
    let row = (c..q).filter_map(|t| table.f(t, c));
    let mut numbers: Vec<usize> = diagonal.chain(row).filter(|&p| p >= q).collect();
    numbers.sort_unstable();
    numbers
}

/// How many diagonal values are between q and the greatest number that (D) or (R) blocks, and are
/// not blocked: all of them are known in the columns that are looked at.
fn omitted(table: &Table, q: usize, c: usize) -> usize {
    let blocked = blocked(table, q, c);
    let Some(&greatest) = blocked.last() else { return 0 };
    assert!(greatest <= table.columns());
    let diagonal = (0..greatest).map(|t| table.d(t)).filter(|d| (q..greatest).contains(d));
    diagonal.filter(|d| blocked.binary_search(d).is_err()).count()
}

/// (G) of 5.7, and the first two false statements of 5.9: for each end its row, the numbers that
/// are missing in `B(x,c)`, and the greatest number there.
fn gaps(table: &Table) -> Vec<(usize, Vec<usize>, usize)> {
    let gaps = |(x, c): (usize, usize)| {
        let blocked = blocked(table, x, c);
        let greatest = blocked.last().copied().unwrap_or(x);
        let missing = (x + 1..greatest).filter(|p| blocked.binary_search(p).is_err()).collect();
        (c, missing, greatest)
    };
    let mut gaps: Vec<_> = table.sorted_ends().into_iter().map(gaps).collect();
    gaps.sort_unstable();
    gaps
}

#[test]
fn what_is_blocked_at_an_end() {
    let table = Table::of_chomp(2600);
    let gaps = gaps(&table);
    assert!(gaps.iter().all(|(_, missing, _)| missing.len() <= 1), "(G)");
    let with_gap = gaps.iter().filter(|(_, missing, _)| !missing.is_empty()).count();
    assert_eq!((gaps.len(), with_gap), (1076, 114));
    let first = gaps.iter().find(|(_, missing, _)| !missing.is_empty());
    assert_eq!(first, Some(&(10, vec![17], 21)));
    let above = gaps.iter().find(|(c, missing, _)| missing.iter().any(|&p| p >= table.d(*c)));
    assert_eq!((above, table.ends[43], table.d(43)), (Some(&(43, vec![86], 87)), Some(61), 74));
    let balance = |(x, c): (usize, usize)| {
        let greatest = (c..x).filter_map(|q| table.f(q, c)).max().unwrap();
        (greatest + x).cast_signed() - 2 * table.d(c).cast_signed()
    };
    let balances: Vec<isize> = table.sorted_ends().into_iter().map(balance).collect();
    assert_eq!((balances.iter().min(), balances.iter().max()), (Some(&-4), Some(&5)));
}

/// (G') of 5.7, for the rows to 500; and where its bound fails.
#[test]
fn diagonal_values_that_are_not_blocked() {
    let table = Table::of_chomp(1600);
    let (mut periodic, mut first) = (0, None);
    for c in 0..=500 {
        let last = table.ends[c].unwrap_or(c + periodic);
        periodic += usize::from(table.ends[c].is_none());
        for q in c..=last {
            let omitted = omitted(&table, q, c);
            assert!(omitted <= 2, "(G'), ({q},{c})");
            first = first.or((omitted == 2).then_some((q, c)));
        }
    }
    assert_eq!(first, Some((230, 179)));
    let table = Table::new(700, (30..=50).collect());
    assert!(table.ends[212].is_none_or(|end| end > 260));
    assert_eq!(omitted(&table, 260, 212), 7);
}

/// For an end, R of 5.8 less x + n + k, and N - H.
fn reach(table: &Table, at: &Counts) -> (isize, isize) {
    let periodic = (0..at.c).filter(|&b| table.ends[b].is_none());
    let numbers: Vec<usize> = periodic.filter_map(|b| table.f(at.x, b)).collect();
    let greatest = numbers.iter().copied().max().unwrap_or(at.x);
    let holes = greatest - at.x - numbers.len();
    let reach = greatest.cast_signed() - (at.x + at.n + table.more.len()).cast_signed();
    (reach, at.skipped.cast_signed() - holes.cast_signed())
}

/// The ranges of the table in 5.9, and that they are no equations.
#[test]
fn ranges_of_the_counts() {
    let range = |values: Vec<isize>| {
        let (least, most) = (values.iter().min().unwrap(), values.iter().max().unwrap());
        (*least, *most)
    };
    let found = [Vec::new(), named(), (30..=50).collect()].map(|more| {
        let table = Table::new(2600, more);
        let all = counts(&table);
        let of = |value: &dyn Fn(&Counts) -> isize| range(all.iter().map(value).collect());
        [
            of(&Counts::rows),
            of(&Counts::columns),
            of(&|at| at.inverted.cast_signed()),
            of(&|at| at.later.cast_signed()),
            of(&|at| reach(&table, at).0),
            of(&|at| reach(&table, at).1),
        ]
    });
    let table = Table::of_chomp(200);
    let first = |differs: &dyn Fn(&Counts) -> bool| {
        counts(&table).into_iter().find(|at| differs(at)).map(|at| (at.x, at.c))
    };
    let firsts = [
        first(&|at| at.rows() != 0),
        first(&|at| at.columns() != 0),
        first(&|at| at.inverted > 0),
        first(&|at| at.later > 0),
        first(&|at| reach(&table, at).0 != 0),
        first(&|at| reach(&table, at).1 != 0),
    ];
    let chomp = [(-2, 2), (-2, 2), (0, 1), (0, 1), (-2, 1), (-2, 3)];
    let of_named = [(3, 16), (2, 9), (0, 1), (0, 1), (-6, 8), (-6, 10)];
    let of_block = [(8, 36), (6, 21), (0, 1), (0, 1), (-3, 16), (-9, 8)];
    assert_eq!(found, [chomp, of_named, of_block]);
    let expected = [(7, 4), (5, 3), (52, 37), (106, 75), (7, 4), (5, 3)];
    assert_eq!(firsts, expected.map(Some));
}
