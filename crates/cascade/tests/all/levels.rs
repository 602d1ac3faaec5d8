//! The parts of `proofs/cascade.md` that hold at levels above 0, and with four rows.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::LazyLock;

use boards::grundy::within::Table;
use game::{Board, ThreeRows};
use record::{Family, Periodic, Record, Tail};

/// Shared, since each test would spend most of its time on its own table.
static VALUES: LazyLock<Table> = LazyLock::new(|| {
    let around = Board::rectangle(3, 260).unwrap();
    Table::of(&around, &|_| ControlFlow::Continue(())).unwrap()
});

/// The Grundy value of a position with p <= 260.
pub fn value(position: ThreeRows) -> u64 {
    VALUES.value(&Board::try_from(position).unwrap()).unwrap().into()
}

/// The level and the parts of the tail.
type Key = (u64, Vec<u64>);

fn family(family: &Family) -> BTreeMap<Key, Record> {
    let mut visit = |_: &Record| ControlFlow::Continue(());
    let records = levels::rows(family, &levels::Options::default(), &mut visit).unwrap();
    let key = |record: &Record| (record.key().level, record.key().tail().parts().to_vec());
    records.into_iter().map(|record| (key(&record), record)).collect()
}

/// The rows that (C) and (L) of fact 12 read.
fn below((level, tail): &Key) -> Vec<Key> {
    let shorter = (0..tail.len()).flat_map(|i| (0..tail[i]).map(move |z| (i, z)));
    let cut = |(i, z): (usize, u64)| {
        let parts = tail.iter().enumerate();
        let parts = parts.map(|(place, &part)| if place < i { part } else { part.min(z) });
        (*level, parts.filter(|&part| part > 0).collect())
    };
    shorter.map(cut).chain((0..*level).map(|level| (level, tail.clone()))).collect()
}

/// Whether the state is all offsets to the mean but one, in every column of a period.
fn has_one_hole(row: &Periodic) -> bool {
    let certificate = &row.certificate;
    let mut state: BTreeSet<u64> =
        (0..certificate.filled).chain(certificate.above.iter().copied()).collect();
    (certificate.from..certificate.from + row.period()).all(|column| {
        let place = usize::try_from((column - row.start) % row.period()).unwrap();
        let one_hole = (0..=row.mean()).filter(|offset| !state.contains(offset)).count() == 1
            && state.iter().all(|&offset| offset <= row.mean());
        state.insert(row.values[place]);
        state = state.iter().filter_map(|offset| offset.checked_sub(1)).collect();
        one_hole
    })
}

/// How many rows are periodic; of these, how many have one hole, and how many have no row below
/// with a value above their mean.
fn count(records: &BTreeMap<Key, Record>, counts: impl Fn(&Key) -> bool) -> [u64; 3] {
    let mut found = [0; 3];
    let periodic = |key: &Key| records.get(key).and_then(Record::periodic);
    for (key, record) in records.iter().filter(|(key, _)| counts(key)) {
        let Some(row) = record.periodic() else { continue };
        let rows = below(key);
        let mut values = rows.iter().filter_map(periodic).flat_map(|row| &row.values);
        let none_above = values.all(|&value| value <= row.mean());
        let one_hole = has_one_hole(row);
        // 1.1: its proof takes from fact 1 what fact 12 has as well.
        assert!(one_hole || !none_above, "level {}, tail {:?}", key.0, key.1);
        found[0] += 1;
        found[1] += u64::from(one_hole);
        found[2] += u64::from(none_above);
    }
    found
}

/// The first row of a level that differs from its prediction.
fn first_other(records: &BTreeMap<Key, Record>, level: u64) -> Option<u64> {
    let mut words = cascade::WordReader::default();
    (0..=1000).find(|&row| {
        let tail = if row == 0 { Vec::new() } else { vec![row] };
        let row = records[&(level, tail)].periodic();
        match (words.next(row.is_none()), row) {
            (Ok(Some(word)), Some(row)) => word.moves() != (row.period() > 1),
            (found, _) => found.is_err(),
        }
    })
}

/// The numbers were counted first by another program, from the lines that `chomp family` prints.
#[test]
fn one_hole_at_levels_and_with_four_rows() {
    let records = family(&Family::three_rowed(6, 1000));
    let by_level: Vec<[u64; 3]> =
        (0..=6).map(|level| count(&records, |key| key.0 == level)).collect();
    let expected = [
        [415, 415, 415],
        [416, 386, 343],
        [0, 0, 0],
        [415, 280, 160],
        [1, 1, 1],
        [1, 1, 1],
        [416, 308, 283],
    ];
    assert_eq!(by_level, expected);
    let others = [0, 1, 3, 6].map(|level| first_other(&records, level));
    assert_eq!(others, [None, Some(5), Some(2), Some(3)]);
    let tails = family(&Family::of_tails(0, Tail::new(vec![60, 60]).unwrap()));
    assert_eq!(count(&tails, |key| key.1.len() == 2), [655, 93, 78]);
}

/// `proofs/uniqueness.md`, 6.2: the least and the greatest `μ - 1 - F` of the periodic rows of a
/// level to row 1000, where F counts the finite and the empty rows below.
fn differences(records: &BTreeMap<Key, Record>, level: u64) -> Option<(i64, i64)> {
    let mut below = 0;
    let mut range = None;
    for row in 0..=1000 {
        let tail = if row == 0 { Vec::new() } else { vec![row] };
        let Some(row) = records[&(level, tail)].periodic() else {
            below += 1;
            continue;
        };
        let difference = row.mean().cast_signed() - 1 - below;
        let (least, greatest) = range.unwrap_or((difference, difference));
        range = Some((least.min(difference), greatest.max(difference)));
    }
    range
}

/// z and w of the rows to 60 of a level, each the greatest, by the rules: for how many p to 200 no
/// bite and two bites of `(p,p,min(r,p))` leave the level.
fn boards(level: u64) -> (usize, usize) {
    let options = |p: u64, r: u64| {
        let board = ThreeRows::new(p, p, r.min(p)).unwrap();
        // No bite of row 1 leaves the value, as the row has not ended.
        board.bites().filter(|bite| bite.p() == p && value(*bite) == level).count()
    };
    let row = |r: u64| {
        let is_dead = |p: &u64| value(ThreeRows::new(*p, *p, r.min(*p)).unwrap()) == level;
        let alive = 1..(1..=200).find(is_dead).unwrap_or(201);
        let counts: Vec<usize> = alive.map(|p| options(p, r)).collect();
        let count = |number| counts.iter().filter(|&&options| options == number).count();
        (count(0), count(2))
    };
    (0..=60).map(row).fold((0, 0), |most, (z, w)| (most.0.max(z), most.1.max(w)))
}

/// The table of `docs/FINDINGS.md`, 7.
#[test]
fn means_by_level() {
    let records = family(&Family::three_rowed(6, 1000));
    let rows = [0, 1, 2, 3, 4, 5, 6].map(|level| (differences(&records, level), boards(level)));
    let expected = [
        (Some((0, 0)), (0, 0)),
        (Some((-1, 1)), (1, 0)),
        (None, (1, 0)),
        (Some((-2, 2)), (2, 2)),
        (Some((2, 2)), (2, 0)),
        (Some((2, 2)), (3, 1)),
        (Some((0, 4)), (5, 2)),
    ];
    assert_eq!(rows, expected);
}

/// `proofs/uniqueness.md`, 5.4: of the numbers n to 250, those that are an end or a diagonal value
/// of a level, those that are both, and those that are neither although the value of (n,n,n) is not
/// less than the level.
fn ends_and_diagonal_values(level: u64) -> [usize; 3] {
    let mut found = [0; 3];
    for n in 1..=250 {
        let value = |q, r| value(ThreeRows::new(n, q, r).unwrap());
        let on_diagonal = (0..n).any(|q| value(q, q) == level);
        let is_end = (0..n).any(|r| value(n, r) == level);
        found[0] += usize::from(on_diagonal != is_end);
        found[1] += usize::from(on_diagonal && is_end);
        found[2] += usize::from(!on_diagonal && !is_end && value(n, n) > level);
    }
    found
}

/// The assumption of the heuristic for other levels.
#[test]
fn numbers_that_are_both_by_level() {
    let found = [0, 1, 3, 6].map(ends_and_diagonal_values);
    assert_eq!(found, [[250, 0, 0], [250, 0, 0], [247, 2, 0], [245, 2, 0]]);
}

/// Three rows, the second and the third shifted: column i + k of the second row is the first above
/// column i of the longest, and column i + j of the third above column i of the second.
fn skewed(last: u64, k: i64, j: i64) -> Vec<Record> {
    let mut lines =
        vec![if k == 0 { "c[i] < d[i]".to_owned() } else { format!("c[i] < d[i{k:+}]") }];
    for z in 1..=last {
        let below = i64::try_from(z).unwrap() - j;
        lines.push(if below > 0 { format!("d[{below}] < r{z}") } else { format!("r{z}") });
        if z > 1 {
            lines.push(format!("r{} < r{z}", z - 1));
        }
    }
    let family = Family::of_poset(0, lines.join("\n").parse().unwrap()).unwrap();
    let mut visit = |_: &Record| ControlFlow::Continue(());
    let options = levels::Options { form: record::HeadForm::Offsets, ..levels::Options::default() };
    levels::rows(&family, &options, &mut visit).unwrap()
}

/// What FINDINGS says of skewed rows: means that count finite rows, (M\*), one hole but for a few
/// rows near the corner, and as many finite rows as Chomp has, but other periods.
#[test]
fn skewed_rows_are_like_those_of_chomp() {
    let (mut periods, mut with_more_holes) = (BTreeSet::new(), Vec::new());
    for (k, j) in [(1, 1), (2, -1), (3, 0), (4, 0), (5, 3), (0, 2), (0, 5)] {
        let (mut finite, mut ends) = (0, BTreeSet::new());
        for (r, row) in (0_u32..).zip(skewed(500, k, j)) {
            let column = row.row();
            let values = (column..).zip(row.head_offsets().unwrap()).map(|(q, offset)| q + offset);
            assert!(values.clone().all(|p| !ends.contains(&p)), "(M*)");
            match (row.periodic(), row.finite()) {
                (Some(row), _) => {
                    with_more_holes.extend((!has_one_hole(row)).then_some(r));
                    assert_eq!(row.mean(), finite + u64::try_from(k).unwrap());
                    periods.insert(row.period());
                }
                (None, ended) => {
                    finite += 1;
                    ends.extend(ended.map(|row| row.last));
                }
            }
        }
        // (2 - sqrt 2) * 501 = 293.5
        assert!((290..=297).contains(&finite), "{k} {j}: {finite}");
    }
    assert!(periods.contains(&3) && periods.contains(&432), "{periods:?}");
    assert_eq!((with_more_holes.len(), with_more_holes.iter().max()), (7, Some(&13)));
}
