//! Posets beside two growing chains (fact 13) against Grundy values by search in the finite posets
//! that they begin with. The search reads the relations by itself, and closes them by Warshall's
//! algorithm.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use ::posets::{Poset, Solver, growing};
use levels::{Error, Family, Options, rows};
use record::{HeadForm, Lower, Record};

/// The relations of a description, with chains of this height.
struct Finite {
    height: usize,
    /// Names of the finite elements; their places come after the places of c and d.
    names: Vec<String>,
    /// For each place the set of the places above it, itself included.
    up: Vec<u64>,
    poison: Option<usize>,
}

impl Finite {
    fn new(text: &str, height: usize) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut pairs = Vec::new();
        for line in text.lines() {
            let parts: Vec<&str> = line.split(" < ").collect();
            if let ["c[i]", rule] = parts[..] {
                let k: i64 = match &rule[3..rule.len() - 1] {
                    "" => 0,
                    k => k.parse().unwrap(),
                };
                for i in 1..=i64::try_from(height).unwrap() {
                    if let Ok(j) = usize::try_from((i + k).max(1))
                        && j <= height
                    {
                        pairs.push((usize::try_from(i).unwrap() - 1, height + j - 1));
                    }
                }
                continue;
            }
            let mut place = |part: &str| {
                if let Some((chain, digits)) = part.split_once('[') {
                    let own: usize = digits.trim_end_matches(']').parse().unwrap();
                    assert!(own <= height);
                    return own - 1 + if chain == "c" { 0 } else { height };
                }
                let number = names.iter().position(|name| name == part).unwrap_or_else(|| {
                    names.push(part.to_owned());
                    names.len() - 1
                });
                2 * height + number
            };
            let places: Vec<usize> = parts.iter().map(|part| place(part)).collect();
            if let [below, above] = places[..] {
                pairs.push((below, above));
            }
        }
        let size = 2 * height + names.len();
        for i in 1..height {
            pairs.push((i - 1, i));
            pairs.push((height + i - 1, height + i));
        }
        let mut up: Vec<u64> = (0..size).map(|place| 1 << place).collect();
        for (below, above) in pairs {
            up[below] |= 1 << above;
        }
        for middle in 0..size {
            for below in 0..size {
                if up[below] >> middle & 1 == 1 {
                    up[below] |= up[middle];
                }
            }
        }
        let all = (1_u64 << size) - 1;
        let poison = up.iter().position(|up| *up == all);
        Self { height, names, up, poison }
    }

    /// p, n, and the names of the finite elements, of a position, as a set of places; `None` if
    /// the set is not closed downwards, or lacks the poison.
    fn set(&self, p: usize, n: usize, ideal: &[&String]) -> Option<u64> {
        let finite = ideal
            .iter()
            .map(|name| 2 * self.height + self.names.iter().position(|own| own == *name).unwrap());
        let places = (0..p).chain((self.height..).take(n)).chain(finite);
        let mut set = places.fold(0_u64, |set, place| set | 1 << place);
        if let Some(poison) = self.poison.filter(|poison| *poison >= 2 * self.height) {
            set |= 1 << poison;
        }
        let closed =
            (0..self.up.len()).all(|below| set >> below & 1 == 1 || self.up[below] & set == 0);
        (closed && self.poison.is_none_or(|poison| set >> poison & 1 == 1)).then_some(set)
    }

    /// The same poset for the solver of `posets`, elements by place.
    fn poset(&self) -> Poset {
        let places = 0..self.up.len();
        let pairs = places.clone().flat_map(|a| places.clone().map(move |b| (a, b)));
        let above: Vec<(usize, usize)> =
            pairs.filter(|&(a, b)| a != b && self.up[a] >> b & 1 == 1).collect();
        let names = places.map(|place| place.to_string()).collect();
        let poset = Poset::new(names, &above).unwrap().with_least_poisoned();
        assert_eq!(poset.poison(), self.poison);
        poset
    }

    fn value(&self, set: u64, known: &mut HashMap<u64, u64>) -> u64 {
        if let Some(&value) = known.get(&set) {
            return value;
        }
        let mut left = Vec::new();
        for (place, up) in self.up.iter().enumerate() {
            if set >> place & 1 == 1 && self.poison != Some(place) {
                left.push(self.value(set & !up, known));
            }
        }
        let value = (0..=left.len() as u64).find(|value| !left.contains(value)).unwrap();
        known.insert(set, value);
        value
    }
}

/// All positions of all ideals with chains to this height. Returns the number of those that have a
/// level of the family.
fn assert_searched(text: &str, level: u64, height: usize) -> usize {
    let (finite, mut known) = (Finite::new(text, height), HashMap::new());
    assert_cells(text, level, &finite, |set| finite.value(set, &mut known))
}

/// The same with these values of positions.
fn assert_cells(
    text: &str,
    level: u64,
    finite: &Finite,
    mut value_of: impl FnMut(u64) -> u64,
) -> usize {
    let family = Family::of_poset(level, text.parse().unwrap()).unwrap();
    let Lower::Ideals(ideals) = &family.lower else { panic!("it has ideals") };
    let options = Options {
        threads: NonZeroUsize::new(2).unwrap(),
        form: HeadForm::Offsets,
        ..Options::default()
    };
    let rows = rows(&family, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(Some(rows.len() as u64), family.count());
    let (height, mut stated) = (finite.height, 0);
    let levels = usize::try_from(level).unwrap() + 1;
    for (ideal, rows) in ideals.list().iter().zip(rows.chunks(levels)) {
        let names: Vec<String> =
            ideal.iter().map(|element| ideals.poset().name(*element).to_owned()).collect();
        let names: Vec<&String> = names.iter().collect();
        for n in 0..=height {
            let by_records: BTreeMap<u64, u64> = (0..)
                .zip(rows)
                .filter_map(|(level, row)| Some((p_of(row, n as u64)?, level)))
                .collect();
            for p in 0..=height {
                let value = finite.set(p, n, &names).map(&mut value_of);
                let value = value.filter(|value| *value <= level);
                stated += usize::from(value.is_some());
                assert_eq!(
                    by_records.get(&(p as u64)).copied(),
                    value,
                    "{names:?}, p = {p}, n = {n} in\n{text}\n{}",
                    shown(rows)
                );
            }
        }
    }
    stated
}

fn shown(rows: &[Record]) -> String {
    rows.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The p of column n by a record.
fn p_of(row: &Record, n: u64) -> Option<u64> {
    let ideal = row.key().ideal().unwrap();
    if n < ideal.column {
        return row.early().iter().find(|(column, _)| *column == n).map(|(_, p)| *p);
    }
    let offset = row.offset(n).unwrap()?;
    Some((n + offset).checked_add_signed(-ideal.shift).unwrap())
}

#[test]
fn named_posets() {
    // Three rows to 5; Nim; Nim beside one; 2×2×n to 2; a diamond in c; bounds on both chains.
    for (text, level, height) in [
        (
            "c[i] < d[i]\nd[1] < a\nd[2] < b\nd[3] < e\nd[4] < f\nd[5] < g\na < b\nb < e\ne < f\nf < g",
            3,
            9,
        ),
        ("c[i] < d[i]", 4, 10),
        ("a\nb\na < b", 3, 10),
        (
            "c[i] < d[i]\nc[1] < x1\nc[2] < x2\nx1 < x2\nx1 < y1\nx2 < y2\ny1 < y2\nd[1] < y1\nd[2] < y2",
            2,
            8,
        ),
        ("c[2] < a\na < c[5]\nc[i] < d[i+1]", 3, 9),
        ("a < c[3]\nb < d[2]\nc[1] < b", 3, 8),
        ("a < c[1]\na < d[1]\nb < c[4]\na < b", 2, 9),
    ] {
        assert!(assert_searched(text, level, height) > 10);
    }
}

/// Each construction that has a name, in small, against the search here and the solver of `posets`.
#[test]
fn named_families() {
    for (name, level, height) in [
        ("tails 5", 3, 10),
        ("tails 3 2", 2, 9),
        ("tails 2 2 1", 2, 8),
        ("skew 4 2 -1", 2, 9),
        ("skew 4 3 0", 2, 10),
        ("skew 4 1 0", 2, 10),
        ("skew 3 0 2", 2, 9),
        ("skew 4 -2 1", 2, 9),
        ("product 3 chains 2 2", 2, 9),
        ("product 2 chains 2 3", 2, 7),
        ("product 1 boolean 3", 2, 7),
        ("product 1 subsets 3 1", 2, 8),
        ("product 2 divisors 12", 1, 7),
        ("beside chains 4", 3, 9),
        ("beside chains 2 2", 2, 7),
        ("beside boolean 2", 2, 8),
        ("beside complete 3", 2, 7),
        ("beside solid tetrahedron", 1, 5),
        ("on chains 2 2", 2, 8),
        ("on boolean 2", 2, 8),
        ("on complete 3", 1, 7),
        ("on circuit 4", 2, 7),
        ("on subsets 3 1", 2, 8),
        ("under chains 2 2", 2, 8),
        ("under boolean 2", 2, 8),
    ] {
        let text = growing(name).unwrap();
        let text = text.trim_end();
        let stated = assert_searched(text, level, height);
        let finite = Finite::new(text, height);
        let (poset, go_on) = (finite.poset(), |_| ControlFlow::Continue(()));
        let mut solver = Solver::new(&poset, 1 << 22, &go_on);
        let by_solver = assert_cells(text, level, &finite, |set| {
            let position = poset.position(|place| set >> place & 1 == 1).unwrap();
            solver.grundy(&position).unwrap()
        });
        assert_eq!(by_solver, stated, "{name}");
        assert!(stated > 10, "{name}: {stated} cells");
    }
}

#[test]
fn random_posets() {
    let mut seed = 0_u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    };
    let (mut accepted, mut refused) = (0, 0);
    while accepted < 150 {
        let elements = 1 + random(4);
        let mut lines = Vec::new();
        match random(5) {
            0 | 1 => {}
            2 => lines.push("c[i] < d[i]".to_owned()),
            _ => {
                let k = random(7);
                lines.push(match k.cmp(&3) {
                    std::cmp::Ordering::Less => format!("c[i] < d[i-{}]", 3 - k),
                    _ => format!("c[i] < d[i+{}]", k - 3),
                });
            }
        }
        lines.extend((0..elements).map(|element| format!("x{element}")));
        for _ in 0..random(6) {
            let x = random(elements);
            let height = 1 + random(4);
            lines.push(match random(7) {
                0 | 1 if x > 0 => format!("x{} < x{x}", random(x)),
                2 => format!("c[{height}] < x{x}"),
                3 => format!("d[{height}] < x{x}"),
                4 => format!("x{x} < c[{height}]"),
                5 => format!("x{x} < d[{height}]"),
                _ => format!("c[{height}] < d[{}]", 1 + random(5)),
            });
        }
        let text = lines.join("\n");
        match text.parse::<record::GrowingPoset>() {
            Ok(_) => {
                assert_searched(&text, random(3), 7);
                accepted += 1;
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains("circle") || error.contains("chain d"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 5);
}

/// In a chain of sixteen elements below whose fourth there are 39 elements of c, the last row has
/// period 45360, and is found in 45360 columns or more: a stop ends it before.
#[test]
fn a_stop_ends_a_long_row() {
    let mut text = "c[4] < e12\nc[39] < e3\n".to_owned();
    for below in 0..15 {
        writeln!(text, "e{below} < e{}", below + 1).unwrap();
    }
    let family = Family::of_poset(0, text.parse().unwrap()).unwrap();
    // Since the last row was found; once more before there are rows.
    let asked = AtomicU64::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) == 20;
    let mut found = 0;
    let rows = rows(&family, &Options { stop: &stop, ..Options::default() }, &mut |_| {
        found += 1;
        asked.store(0, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert_eq!((found, rows), (16, Err(Error::Stopped)));
}
