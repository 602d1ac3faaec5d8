//! `proofs/effective.md`, by the bare recurrence, for Chomp and where more numbers count as
//! diagonal values.

use std::collections::{BTreeSet, HashMap};

use num_integer::{Integer, binomial};

use super::CASES;
use super::table::Table;
use crate::window::cases::Random;

/// A row that repeats, from a column on.
struct Repeating {
    row: usize,
    start: usize,
    period: usize,
}

/// The periodic rows of a table, from row 0 to before the first that has not repeated for long.
fn repeating(table: &Table) -> Vec<Repeating> {
    let columns = table.columns();
    let find = |row: usize| {
        let offset = |q: usize| table.f(q, row).unwrap() - q;
        (1..columns / 8).find_map(|period| {
            let same = |q: &usize| offset(*q) == offset(q + period);
            let start = (row..columns - period).rev().take_while(same).last()?;
            (start + 4 * period + 60 < columns).then_some(Repeating { row, start, period })
        })
    };
    let rows = (0..table.finite_rows().len()).filter(|&row| table.ends[row].is_none());
    rows.map_while(find).collect()
}

/// What is known of a row and of the rows below.
struct Known<'a> {
    table: &'a Table,
    row: &'a Repeating,
    below: &'a [Repeating],
    mean: usize,
    /// Q0 or more, and r or more.
    first: usize,
    /// T.
    settled: usize,
    period: usize,
    /// m.
    most: usize,
}

impl<'a> Known<'a> {
    fn new(table: &'a Table, rows: &'a [Repeating], i: usize) -> Self {
        let (row, below) = (&rows[i], &rows[..i]);
        let ends = table.ends[..row.row].iter().flatten();
        let first = ends.clone().map(|end| end + 1).max().unwrap_or(1).max(row.row);
        let settled = below.iter().map(|row| row.start).max().unwrap_or(0).max(first);
        let period = below.iter().fold(1, |all, row| all.lcm(&row.period));
        let offsets = below.iter().flat_map(|b| {
            (settled..settled + b.period).map(move |q| table.f(q, b.row).unwrap() - q)
        });
        let most = offsets.max().unwrap_or(0);
        let mean = 1 + table.more.len() + ends.count();
        Self { table, row, below, mean, first, settled, period, most }
    }

    /// U(q).
    fn state(&self, q: usize) -> BTreeSet<usize> {
        let (table, r) = (self.table, self.row.row);
        let diagonal = (0..r).map(|c| table.d(c)).chain(table.more.iter().copied());
        let row = (r..q).map(|t| table.f(t, r).unwrap());
        diagonal.chain(row).filter_map(|p| p.checked_sub(q)).collect()
    }

    fn offset(&self, q: usize) -> usize {
        self.table.f(q, self.row.row).unwrap() - q
    }

    /// h.
    fn holes(&self) -> isize {
        (self.most + 1).cast_signed() - self.mean.cast_signed()
    }

    /// τ.
    fn calm(&self) -> usize {
        let greatest = self.state(self.settled).last().copied().unwrap_or(0);
        self.settled + self.most.max(greatest).saturating_sub(1)
    }
}

fn for_each_row(seed: u64, mut check: impl FnMut(&Known)) {
    let mut random = Random::new(seed);
    for i in 0..60 {
        let table = if i == 0 { Table::of_chomp(900) } else { Table::perturbed(360, &mut random) };
        let rows = repeating(&table);
        (0..rows.len()).for_each(|i| check(&Known::new(&table, &rows, i)));
    }
}

/// 1.1 and 1.2.
#[test]
fn the_state_of_a_row() {
    let (mut states, mut falls) = (0, 0);
    for_each_row(50, |known| {
        let (r, more) = (known.row.row, known.table.more.len());
        let mut before: Option<usize> = None;
        for q in known.first..(known.first + 250).min(known.table.columns() - 1) {
            let (mut state, v) = (known.state(q), known.offset(q));
            assert!(state.len() == known.mean && state.contains(&0), "row {r}, column {q}");
            let greatest = known.most.max(*state.last().unwrap());
            state.insert(v);
            let next = state.iter().filter_map(|o| o.checked_sub(1)).collect();
            assert_eq!(known.state(q + 1), next, "row {r}, column {q}");
            if q >= known.settled {
                assert!(v <= greatest + 1 && (more > 0 || greatest <= r), "row {r}, column {q}");
                assert!(before.is_none_or(|before| greatest <= before), "row {r}, column {q}");
                falls += usize::from(before.is_some_and(|before| greatest < before));
                before = Some(greatest);
                if q >= known.calm() {
                    assert!(greatest == known.most || v == known.mean, "row {r}, column {q}");
                }
            }
            states += 1;
        }
    });
    assert!(states > CASES && falls > 10, "{states} {falls}");
}

/// 1.3.
#[test]
fn ranks_of_what_is_missing() {
    let mut pairs = 0;
    for_each_row(51, |known| {
        let (from, most) = (known.settled + known.most, known.most);
        if known.below.is_empty() || from + 2 * most + 20 > known.table.columns() {
            return;
        }
        let misses = |q: usize, p: usize| !known.table.has_below(q, p, known.row.row);
        for q in from..from + 20 {
            let missing = (q..=q + most).rev().filter(|&p| misses(q, p));
            for (rank, p) in missing.enumerate() {
                assert_eq!((p - most..q).filter(|&t| misses(t, p)).count(), rank, "({q},{p})");
                pairs += 1;
            }
        }
    });
    assert!(pairs > CASES, "{pairs}");
}

/// 2.1, and 3.1 for Chomp.
#[test]
fn starts_of_rows() {
    let mut kinds = [0; 3];
    for_each_row(52, |known| {
        let Repeating { row: r, start, .. } = *known.row;
        let kind = usize::try_from(known.holes().clamp(0, 2)).unwrap();
        let more = match kind {
            0 => 0,
            1 => known.most,
            _ => (binomial(known.most, known.holes().unsigned_abs()) - 1) * known.period,
        };
        assert!(start <= known.calm() + more, "row {r}");
        kinds[kind] += 1;
    });
    assert!(kinds.iter().all(|&rows| rows > 20), "{kinds:?}");
    let table = Table::of_chomp(900);
    let rows = repeating(&table);
    let mut sum = 0;
    for (i, row) in rows.iter().enumerate().skip(1) {
        let known = Known::new(&table, &rows, i);
        assert!(known.holes() <= 1, "row {}", row.row);
        sum += row.row - 1 + if known.holes() == 1 { known.mean } else { 0 };
        assert!(row.start <= 2 * row.row - 1 + sum, "row {}", row.row);
        let r = row.row;
        assert!(14 * (2 * r - 1 + sum) <= 9 * r * r + 32 * r - 14, "row {r}");
    }
    assert!(rows.len() > 100, "{}", rows.len());
}

/// Landau's g: the greatest order of a permutation.
fn landau(objects: usize) -> usize {
    fn best(left: usize, least: usize, order: usize) -> usize {
        let with = |part: usize| best(left - part, part + 1, order.lcm(&part));
        (least..=left).map(with).max().unwrap_or(0).max(order)
    }
    best(objects, 2, 1)
}

/// 2.2: random obstacles, and holes of which none is lost at the bottom.
#[test]
fn orbits_of_holes() {
    let greatest: Vec<usize> = (0..=8).map(landau).collect();
    assert_eq!(greatest, [1, 1, 2, 3, 4, 6, 6, 12, 15]);
    let mut random = Random::new(53);
    let (mut cases, mut longest) = (0, 0);
    while cases < CASES {
        let (most, period) = (2 + random.index(7), 1 + random.index(6));
        let one_in = 2 + random.below(3);
        let blocked: Vec<u32> = (0..period)
            .map(|_| (1..=most).filter(|_| random.below(one_in) == 0).map(|o| 1 << o).sum())
            .collect();
        let mut holes: u32 = (1..=most).filter(|_| random.below(2) == 0).map(|o| 1_u32 << o).sum();
        let mut seen = HashMap::new();
        let orbit = 'orbit: {
            for time in 0_usize.. {
                if let Some(earlier) = seen.insert(holes, time) {
                    break 'orbit Some(time - earlier);
                }
                for blocked in &blocked {
                    let free = holes & !blocked;
                    let filled = free & free.wrapping_neg();
                    holes ^= filled;
                    if holes & 2 != 0 {
                        break 'orbit None;
                    }
                    holes = holes >> 1 | u32::from(filled != 0) << most;
                }
            }
            None
        };
        let Some(orbit) = orbit else { continue };
        assert!(orbit <= greatest[most], "{most} {period} {orbit}");
        longest = longest.max(orbit);
        cases += usize::from(holes != 0);
    }
    assert!(longest > 4, "{longest}");
}
