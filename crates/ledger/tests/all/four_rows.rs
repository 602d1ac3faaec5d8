//! Claims about four rows: other numbers, a slow computation of χ², and the certified tails.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use boards::four_rows::{FourRows, Fraction, Lower, triples};
use boards::sieve::Sieve;
use ledger::{Claim, Costly, Decision, Evidence, Expected, Range, Test, Verdict};

use super::mutants::{self, Raw, changed};
use super::{CLAIMS, EVIDENCE, computed, judged};

/// Claims that the usual evidence does not decide.
pub(super) fn is_long(test: &Test) -> bool {
    let (name, arguments) = mutants::call(test);
    ["four_row_positions", "high_share", "gap", "family_median"].contains(&name.as_str())
        && arguments.contains("3000")
}

/// The last digit changed.
fn other(decimal: &mut String) {
    let last = if decimal.pop() == Some('5') { '6' } else { '5' };
    decimal.push(last);
}

/// Claims with another number, none of which is true.
pub(super) fn mutants_of(name: &str, test: &Test) -> Option<Vec<Test>> {
    Some(match name {
        "four_row_positions" => vec![
            changed(test, |(_, number): &mut (Raw, u64)| *number -= 1),
            changed(test, |(_, number): &mut (Raw, u64)| *number += 1),
        ],
        "extending" | "high_share" => {
            vec![changed(test, |(_, percent): &mut (Raw, String)| other(percent))]
        }
        "unique_last_row" | "three_rows" => {
            vec![changed(test, |(number,): &mut (u64,)| *number += 1)]
        }
        "last_rows" => {
            let (terms,): (Vec<u64>,) = mutants::arguments(test);
            let one_more = |place| changed(test, |(terms,): &mut (Vec<u64>,)| terms[place] += 1);
            (0..terms.len()).map(one_more).collect()
        }
        "medians" => (0..3)
            .map(|place| {
                changed(test, |(.., of): &mut (Raw, Raw, Vec<String>)| other(&mut of[place]))
            })
            .collect(),
        "separated" => vec![mutants::with(test, &(20,))],
        "gap" => vec![
            changed(test, |(.., gap): &mut (Raw, Raw, String)| other(gap)),
            changed(test, |(from, ..): &mut (u64, Raw, Raw)| *from /= 2),
        ],
        "family_median" => vec![
            changed(test, |(low, ..): &mut (bool, Raw, Raw, Raw)| *low = !*low),
            changed(test, |(.., median): &mut (Raw, Raw, Raw, String)| other(median)),
        ],
        "accuracy" => vec![changed(test, |(.., percent): &mut (Raw, Raw, u64)| *percent += 3)],
        "chi_squared" => vec![
            changed(test, |(to, _): &mut (u16, Raw)| *to -= 1),
            changed(test, |(to, _): &mut (u16, Raw)| *to += 1),
        ],
        _ => return None,
    })
}

/// What is true instead.
pub(super) fn corrected(name: &str, test: &Test) -> Test {
    match name {
        "shared_tail" => changed(test, |(first,): &mut (u64,)| *first += 1),
        "strongest" => changed(test, |(.., modulus): &mut (Raw, Raw, u64)| *modulus = 72),
        "quadratic" => changed(test, |(_, places): &mut (Raw, u64)| *places = 2),
        "period_divisible" => mutants::with(test, &(27,)),
        "peak" => mutants::with(test, &(124,)),
        "growth" => changed(test, |(_, growth): &mut (Raw, (u64, u64))| *growth = (139, 149)),
        _ => panic!("no correction for {test}"),
    }
}

fn verdict(test: &str) -> Verdict {
    judged(&test.parse().unwrap(), &Range::Stated, Expected::Holds, &EVIDENCE).judgement.verdict
}

/// The P-positions with this a, at most [`FourRows::DETAILED`], one at a time, by the sieve.
fn with_first(a: u16) -> &'static [[u16; 4]] {
    static BY_FIRST: LazyLock<Vec<Vec<[u16; 4]>>> = LazyLock::new(|| {
        let to = FourRows::DETAILED;
        let mut sieve = Sieve::new(4, to).unwrap();
        let mut found = vec![Vec::new(); usize::from(to) + 1];
        let go_on = |_| ControlFlow::Continue(());
        while let Some(layers) = sieve.next_layers(NonZero::<usize>::MIN, &go_on).unwrap() {
            for layer in layers {
                layer.for_each(|lengths| {
                    found[usize::from(lengths[0])].push(lengths.try_into().unwrap());
                });
            }
        }
        found
    });
    &BY_FIRST[usize::from(a)]
}

fn positions(to: u16) -> impl Iterator<Item = [u16; 4]> {
    (0..=to).flat_map(with_first).copied()
}

/// The d of the P-position `(a,d,d,d)`, d < a, if there is one.
fn left_by_an_opening(a: u16) -> Option<u16> {
    let found = with_first(a).iter().find(|[p, b, c, d]| b < p && b == c && c == d);
    found.map(|position| position[3])
}

/// The median distance, in squares, of P-positions from the line in the plane of b and c that is
/// near most of them: of those with `a` from 0.97 n to n, d/a about this, on the steep branch.
fn distance_from_a_line(n: u16, share: f64) -> f64 {
    let ratios = (n * 97 / 100..=n).flat_map(with_first).map(|of| {
        let [a, b, c, d] = of.map(f64::from);
        (b / a, c / a, d / a)
    });
    let points: Vec<(f64, f64)> = ratios
        .filter(|(x, y, z)| (z - share).abs() <= 0.004 && *x > 0.72 && (0.12..0.45).contains(y))
        .map(|(x, y, _)| (x, y))
        .collect();
    let (mut near, mut distances) = (points.clone(), Vec::new());
    for _ in 0..20 {
        let number = f64::from(u32::try_from(near.len()).unwrap());
        let mean = |of: fn(&(f64, f64)) -> f64| near.iter().map(of).sum::<f64>() / number;
        let (x, y) = (mean(|at| at.0), mean(|at| at.1));
        let slope = (mean(|at| at.0 * at.1) - x * y) / (mean(|at| at.0 * at.0) - x * x);
        let from = |at: &(f64, f64)| (at.1 - y - slope * (at.0 - x)).abs() / slope.hypot(1.0);
        distances = points.iter().map(from).collect::<Vec<f64>>();
        distances.sort_by(f64::total_cmp);
        let middle = distances[distances.len() / 2];
        near = points.iter().copied().filter(|at| from(at) <= middle).collect();
    }
    f64::from(n) * distances[distances.len() / 2]
}

/// With few squares in row 4 P-positions are near a line, as those of three rows, at a distance
/// that does not grow with a. With more the distance grows as a does, so that they fill regions.
#[test]
fn distances_from_lines_grow_with_d() {
    let of = distance_from_a_line;
    assert!(of(250, 0.0) < 0.2 && of(500, 0.0) < 0.2);
    for (share, half, whole) in [(0.1, 1.2, 2.4), (0.2, 7.1, 13.0)] {
        let (at_half, at_whole) = (of(250, share), of(500, share));
        assert!((at_half / half - 1.0).abs() < 0.15, "{share}: {at_half}");
        assert!((at_whole / whole - 1.0).abs() < 0.15, "{share}: {at_whole}");
    }
}

/// χ² with floats, from a table of all triples, by the textbook: the sum of (observed - expected)²
/// divided by expected, over both outcomes.
#[test]
fn chi_squared_is_that_of_the_textbook() {
    let to = FourRows::DETAILED;
    // The table of FINDINGS.
    let floors = [11_650, 18_112, 16_426, 52_129, 193_073, 362_431, 371_436, 363_966, 902_975];
    for (modulus, floor) in [3_u16, 7, 8, 9, 56, 111, 112, 113, 224].into_iter().zip(floors) {
        let mut classes: BTreeMap<u16, [f64; 2]> = BTreeMap::new();
        for a in 1..=to {
            for b in 0..=a {
                classes.entry((a - b) % modulus).or_default()[0] += f64::from(b) + 1.0;
            }
        }
        for [a, b, ..] in positions(to) {
            let class = classes.get_mut(&((a - b) % modulus)).unwrap();
            class[0] -= 1.0;
            class[1] += 1.0;
        }
        let outcomes =
            [0, 1].map(|outcome| classes.values().map(|class| class[outcome]).sum::<f64>());
        let all = outcomes[0] + outcomes[1];
        let of_class = |class: &[f64; 2]| -> f64 {
            let expected = outcomes.map(|outcome| outcome * (class[0] + class[1]) / all);
            (0..2).map(|place| (class[place] - expected[place]).powi(2) / expected[place]).sum()
        };
        let expected = classes.values().map(of_class).sum::<f64>();
        assert_eq!(expected.floor().to_string(), floor.to_string(), "{modulus}");
        let test = |value: i32| format!("chi_squared({to}, [({modulus}, {value})])");
        assert_eq!(verdict(&test(floor)), Verdict::Confirmed, "{modulus}: {expected}");
        assert_eq!(verdict(&test(floor + 1)), Verdict::Wrong, "{modulus}: {expected}");
    }
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

/// The medians of d/a for each a, and their median, from a list of all positions.
#[test]
fn the_median_of_a_family_is_that_of_a_list() {
    let to = FourRows::DETAILED;
    for (low, above) in [(false, 450), (true, 450), (false, 301), (true, 302)] {
        let of_family = (above + 1..=to).filter_map(|a| {
            let is_low = left_by_an_opening(a).is_some();
            let last = with_first(a).iter().map(|position| f64::from(position[3]));
            (is_low == low).then(|| middle(last.collect()) / f64::from(a))
        });
        let mut median = format!("{:.6}", middle(of_family.collect()));
        let test = |median: &str| format!("family_median({low}, {above}, {to}, \"{median}\")");
        assert_eq!(verdict(&test(&median)), Verdict::Confirmed, "{median}");
        other(&mut median);
        assert_eq!(verdict(&test(&median)), Verdict::Wrong, "{median}");
    }
}

/// The counts of `FourRows` are those of a list of all positions.
#[test]
fn counts_are_those_of_a_list() {
    let to = 150;
    let found: Vec<[u16; 4]> = positions(to).collect();
    let go_on = |_| ControlFlow::Continue(());
    let counts = FourRows::up_to(to, NonZero::<usize>::MIN, &go_on).unwrap();
    assert_eq!(counts.to(), to);
    assert_eq!(counts.positions(to), found.len() as u64);
    let mut all = 0;
    for (difference, of_difference) in (0..).zip(counts.by_difference(to)) {
        let extending = found.iter().filter(|[a, b, ..]| a - b == difference).count();
        assert_eq!(of_difference.extending, extending as u64);
        all += of_difference.all;
    }
    assert_eq!(all, triples(to));
    let classes = counts.by_third_and_remainder(to, 7);
    assert_eq!(classes.iter().map(|class| class.all).sum::<u64>(), triples(to));
    for (place, class) in classes.iter().enumerate() {
        let place = u16::try_from(place).unwrap();
        let in_class = |[a, b, c, _]: &&[u16; 4]| (*c, (a - b) % 7) == (place / 7, place % 7);
        assert_eq!(class.extending, found.iter().filter(in_class).count() as u64);
    }
    for a in 1..=to {
        let mut last: Vec<u16> = with_first(a).iter().map(|position| position[3]).collect();
        last.sort_unstable();
        let middle = [last[(last.len() - 1) / 2], last[last.len() / 2]].map(u64::from);
        let median = counts.median(Lower::Last, a..=a, |_| true).unwrap();
        // (x + y)/2a.
        assert_eq!(median, Fraction::new(middle[0] + middle[1], 2 * u64::from(a)), "{a}");
        let left = left_by_an_opening(a);
        let opening = counts.of(a).openings();
        assert_eq!(opening.len(), 1, "4 x {a}");
        assert_eq!(counts.of(a).is_low(), left.is_some());
        if let Some(left) = left {
            assert_eq!(opening, [(2, left)]);
            assert_eq!(counts.of(a).longest_last(), left, "{a}");
        }
    }
}

/// For tails (c,d) with c <= 100: where a row is certified as periodic, the sieve's offsets repeat
/// with its period; finite and empty rows have no later position. No period is divisible by 7.
#[test]
fn the_certified_tails_explain_the_positions_with_small_c() {
    const TO: u16 = 500;
    let table = include_str!("../../../../outputs/tails-100.tsv");
    let mut offsets: BTreeMap<(u16, u16), BTreeMap<u16, u16>> = BTreeMap::new();
    for [a, b, c, d] in positions(TO).filter(|[_, _, c, _]| *c <= 100) {
        offsets.entry((c, d)).or_default().insert(b, a - b);
    }
    let (mut explained, mut repeated, mut tails) = (0, 0, 0);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let tail: Vec<u16> = fields[0].split(',').map(|part| part.parse().unwrap()).collect();
        let tail = (tail[0], tail.get(1).copied().unwrap_or(0));
        let (period, start): (u16, u16) = (fields[2].parse().unwrap(), fields[3].parse().unwrap());
        let row = offsets.remove(&tail).unwrap_or_default();
        let after: Vec<_> = row.range(start..).map(|(b, offset)| (*b, *offset)).collect();
        tails += 1;
        match fields[1] {
            "periodic" => {
                assert!(2304 % period == 0 && period % 7 != 0, "{line}");
                explained += after.len();
                for (b, offset) in after {
                    if let Some(next) = row.get(&(b + period)) {
                        assert_eq!(*next, offset, "{line}: b = {b}");
                        repeated += 1;
                    }
                }
            }
            "finite" => assert!(row.keys().all(|&b| b <= start), "{line}"),
            _ => assert!(row.is_empty(), "{line}"),
        }
    }
    // FINDINGS has the first number.
    assert_eq!((tails, explained), (5151, 121_396));
    assert!(repeated > 80_000, "{repeated}");
}

/// The periodic parts of the certified rows of tails (c,d), c <= 100, by tail: the first b.
fn periodic_tails() -> BTreeMap<(u16, u16), u16> {
    let table = include_str!("../../../../outputs/tails-100.tsv");
    let periodic = table.lines().skip(1).filter_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut parts = fields[0].split(',').map(|part| part.parse().unwrap());
        let tail = (parts.next().unwrap(), parts.next().unwrap_or(0));
        (fields[1] == "periodic").then(|| (tail, fields[3].parse().unwrap()))
    });
    periodic.collect()
}

/// Each position is looked at, one at a time: no count of `FourRows`, but for the widest triples,
/// which are compared.
#[test]
#[ignore = "ten seconds, and 200 MB of memory"]
fn the_numbers_of_findings_are_those_of_a_list() {
    const TO: u16 = 1000;
    const THIRD: [u16; 3] = [20, 50, 100];
    let tails = periodic_tails();
    let mut sieve = Sieve::new(4, TO).unwrap();
    let go_on = |_| ControlFlow::Continue(());
    // By family: the number of a, of positions, and of those with d < 0.4a, 900 < a <= 1000.
    let mut families = [[0_u64; 3]; 2];
    let mut widest = [0; 201];
    let (mut in_tails, mut with_third) = ([[0_u64; 3]; 2], [[0_u64; 3]; 2]);
    while let Some(layers) = sieve.next_layers(NonZero::<usize>::MIN, &go_on).unwrap() {
        for layer in layers {
            let (mut positions, mut small, mut is_low) = (0, 0, false);
            layer.for_each(|lengths| {
                let &[a, b, c, d] = lengths else { panic!("four rows") };
                positions += 1;
                small += u64::from(10 * u32::from(d) < 4 * u32::from(a));
                is_low |= b == c && c == d && d < a;
                if let Some(widest) = widest.get_mut(usize::from(c)) {
                    *widest = (a - b).max(*widest);
                }
                let is_periodic = tails.get(&(c, d)).is_some_and(|&start| b >= start);
                for range in usize::from(a > TO / 2)..2 {
                    for (place, _) in THIRD.iter().enumerate().filter(|(_, third)| c <= **third) {
                        with_third[range][place] += 1;
                        in_tails[range][place] += u64::from(is_periodic);
                    }
                }
            });
            if layer.first() > 900 {
                let family = &mut families[usize::from(is_low)];
                [1, positions, small].iter().zip(family).for_each(|(more, sum)| *sum += more);
            }
        }
    }
    let average = |sum: u64, number: u64| (2 * sum + number) / (2 * number);
    let averages =
        families.map(|[number, all, small]| [average(small, number), average(all, number)]);
    assert_eq!(averages, [[75_273, 106_917], [75_346, 80_272]], "HIGH and LOW");
    assert_eq!([50, 100, 200].map(|c: usize| widest[c]), [65, 130, 259]);
    let per_mille = |range: usize| {
        [0, 1, 2]
            .map(|place: usize| average(1000 * in_tails[range][place], with_third[range][place]))
    };
    assert_eq!(per_mille(0), [808, 324, 155], "a <= 500");
    assert_eq!(per_mille(1), [905, 450, 205], "a <= 1000");
    let counts = FourRows::up_to(TO, NonZero::<usize>::MIN, &go_on).unwrap();
    assert_eq!((0..=200).map(|c| counts.widest(c).unwrap()).collect::<Vec<_>>(), widest);
}

/// A list of all d/a, compared as floats, gives the same table of families.
#[test]
fn families_are_those_of_a_list() {
    const TO: u16 = 150;
    let go_on = |_| ControlFlow::Continue(());
    let counts = FourRows::up_to(TO, NonZero::<usize>::MIN, &go_on).unwrap();
    let left = left_by_an_opening;
    let median = |is_in: &dyn Fn(u16) -> bool| {
        let of = (1..=TO).filter(|&a| is_in(a)).flat_map(with_first);
        middle(of.map(|[a, _, _, d]| f64::from(*d) / f64::from(*a)).collect())
    };
    #[expect(clippy::cast_precision_loss, reason = "small")]
    let float = |fraction: Option<Fraction>| {
        let fraction = fraction.unwrap();
        *fraction.numer() as f64 / *fraction.denom() as f64
    };
    let same = |one: f64, other: f64| assert!((one - other).abs() < 1e-12, "{one} {other}");
    for to in [60, 91, 120, TO] {
        let families = counts.families(to);
        let low: Vec<u16> = (1..=to).filter(|&a| left(a).is_some()).collect();
        assert_eq!((families.to, usize::from(families.low)), (to, low.len()));
        let last = *low.last().unwrap();
        same(float(families.bound), f64::from(left(last).unwrap()) / f64::from(last));
        let of =
            |is_low: bool| (1..=to).filter(move |a| 6 * a > 5 * to && left(*a).is_some() == is_low);
        let medians = |is_low| of(is_low).map(|a| median(&|p| p == a));
        same(float(families.least_high), medians(false).reduce(f64::min).unwrap());
        same(float(families.largest_low), medians(true).reduce(f64::max).unwrap());
        for (found, is_low) in [(families.high_median, false), (families.low_median, true)] {
            let is_in = |a: u16| 10 * a > 9 * to && a <= to && left(a).is_some() == is_low;
            same(float(found), median(&is_in));
        }
    }
}

/// The counts of OEIS A395126 and arXiv 2604.25952, and the claims that need a to 3000.
#[test]
#[ignore = "five minutes on one processor, and a gigabyte of memory"]
fn every_claim_about_four_rows() {
    let go_on = |_| ControlFlow::Continue(());
    let mut evidence = Evidence::default();
    let four_rows = FourRows::up_to(3000, NonZero::<usize>::MIN, &go_on).unwrap();
    // FINDINGS has the first number.
    assert_eq!(four_rows.widest(1000), Some(1283));
    let low = four_rows.families(3000).low;
    let of_row = |row| {
        let opens = |&a: &u16| four_rows.of(a).openings().iter().any(|&(own, _)| own == row);
        (1..=3000).filter(opens).count()
    };
    assert_eq!((low, [2, 3, 4].map(of_row)), (1314, [1314, 1118, 568]));
    evidence.add_four_rows(four_rows);
    let of =
        |test: &Test| judged(test, &Range::Stated, Expected::Holds, &evidence).judgement.verdict;
    let mut number = 0;
    for claim in &*CLAIMS {
        let Decision::Computed { test, .. } = &claim.decision else { continue };
        if is_long(test) {
            assert_eq!(of(test), Verdict::Confirmed, "{}", claim.id);
            for mutant in mutants::mutants_of(test) {
                assert_eq!(of(&mutant), Verdict::Wrong, "{}: {mutant:?}", claim.id);
            }
            number += 1;
        }
    }
    assert_eq!(number, 4);
    let by_sieve = |claim: &&Claim| Costly::FourRows.is_needed(std::slice::from_ref(claim));
    for (claim, test, _) in computed().filter(|(claim, ..)| by_sieve(claim)) {
        assert!(claim.judge(&evidence).as_expected, "{}: {test:?}", claim.id);
    }
}
