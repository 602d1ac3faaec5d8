//! Predictions from the sequence of finite rows, against certified records.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use cascade::{Law, Letter, Machine, Pattern, Prediction, Predictions, Word};
use record::listeners::Visitor;
use record::{Periodic, Record, Statement};
use sweep::{band, pointer};

/// How many rows moved, by word, after all rows to `last` have been compared: kind, mean, and
/// pattern.
fn compare(last: u64) -> BTreeMap<String, u64> {
    let mut predictions = Predictions::default();
    let mut words = BTreeMap::new();
    let mut visit = |record: Record| {
        let r = record.row();
        match (record.statement(), predictions.next(record.periodic().is_none()).unwrap()) {
            (Statement::Finite(_), None) => {}
            (Statement::Periodic(row), Some(Prediction { word, mean, patterns })) => {
                assert_eq!(row.mean(), mean, "row {r}");
                assert_eq!(row.period() > 1, word.moves(), "row {r}, {word}");
                let pattern = Pattern::new(&row.pattern());
                assert!(patterns.contains(&pattern), "row {r}, {word}: {pattern}");
                if word.moves() {
                    *words.entry(word.to_string()).or_insert(0) += 1;
                }
            }
            (_, predicted) => panic!("row {r}: {predicted:?}"),
        }
        ControlFlow::Continue(())
    };
    band::rows(last + 1, band::Options::default(), &mut visit).unwrap();
    words
}

/// As many rows move as the committed table has.
fn compare_with_table(last: u64) {
    let rows = table("periods-1000000.tsv").iter().filter(|(row, ..)| *row <= last).count();
    assert_eq!(compare(last).values().sum::<u64>(), rows as u64);
}

#[test]
fn every_row_to_100000() {
    compare_with_table(100_000);
}

/// Row, period and pattern of each row of a committed table, which has those that move.
fn table(name: &str) -> Vec<(u64, usize, Pattern)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../outputs").join(name);
    let text = fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let values: Vec<i64> = fields[3].split(',').map(|value| value.parse().unwrap()).collect();
        (fields[0].parse().unwrap(), fields[2].parse().unwrap(), Pattern::new(&values))
    };
    text.lines().skip(1).map(line).collect()
}

/// As far as it can be read off without knowing which rows are finite: no row that moves is right
/// above another one; and one that is two above another one, A after A, meets a law that the row
/// below leaves behind.
#[test]
fn the_table_to_3000000() {
    // All that a row which is no A after an A leaves behind, by its pattern.
    let mut machine = Machine::default();
    let mut after_another: BTreeMap<Pattern, BTreeSet<Law>> = BTreeMap::new();
    let mut words: Vec<Word> = (1..=5).map(|k| format!("{k}:").parse().unwrap()).collect();
    for _ in 0..5 {
        let is_next = |word: &Word| word.letters().last() != Some(&Letter::A);
        for word in words.iter().filter(|word| is_next(word)) {
            for law in machine.laws(word).unwrap() {
                for (pattern, law) in law.moves(100_000).unwrap() {
                    after_another.entry(pattern).or_default().insert(law);
                }
            }
        }
        let letters = words.iter().filter(|word| word.moves() || !word.letters().is_empty());
        let stand: Vec<Word> = letters.map(|word| word.clone().and_stands()).collect();
        words = words.into_iter().map(Word::and_moves).chain(stand).collect();
    }

    let mut below: Option<(u64, BTreeSet<Law>)> = None;
    let (mut rows, mut successive) = (0, 0);
    for (row, period, pattern) in table("periods-3000000.tsv") {
        assert_eq!(period, pattern.period());
        let laws = match below {
            Some((last, _)) if last + 1 == row => panic!("row {row} has h = 2"),
            Some((last, laws)) if last + 2 == row => {
                successive += 1;
                let moves = laws.iter().flat_map(|law| law.moves(1000).unwrap());
                moves.filter(|(possible, _)| *possible == pattern).map(|(_, law)| law).collect()
            }
            _ => after_another.get(&pattern).cloned().unwrap_or_default(),
        };
        assert!(!laws.is_empty(), "row {row}: ({pattern})");
        below = Some((row, laws));
        rows += 1;
    }
    // The counts of `outputs/census-3000000.md`.
    assert_eq!(rows, 43121 + 1570 + 12703 + 2 + 80 + 289 + 2 + 1 + 13 + 1);
    assert!(successive > 8000, "{successive}");
}

/// The counts of `proofs/cascade.md`, 4.1 and 5.6, against the census. Of rows 999 998 and 999 999
/// the second is finite.
#[test]
fn the_counts_in_the_proofs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let census = read("outputs/census-3000000.md");
    let finite = census.lines().find(|line| line.starts_with("| finite")).unwrap();
    let counts: Vec<u64> = finite.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
    let (to_999_999, all): (u64, u64) = (counts[1..7].iter().sum(), *counts.last().unwrap());
    let proofs = read("proofs/cascade.md");
    let proofs = proofs.split_whitespace().collect::<Vec<_>>().join(" ");
    let grouped = |n: u64| match n {
        1_000_000.. => format!("{} {:03} {:03}", n / 1_000_000, n / 1000 % 1000, n % 1000),
        _ => format!("{} {:03}", n / 1000, n % 1000),
    };
    let [mean, below] = [to_999_999, to_999_999 - 1].map(grouped);
    for text in [
        format!("Row 999 998 has the mean {mean}, and {below} rows below it are finite"),
        format!("rows to 3 000 000, of which {} are finite", grouped(all)),
    ] {
        assert!(proofs.contains(&text), "{text}");
    }
}

/// 4.1, row by row.
#[derive(Default)]
struct Counting {
    diagonal: Vec<u64>,
    last_values: Vec<u64>,
    is_last: Vec<bool>,
    periodic_rows: u64,
}

impl Visitor for Counting {
    fn row(&mut self, record: Record, offsets: Option<&[u64]>) -> ControlFlow<()> {
        let r = record.row();
        let mut values: Vec<u64> = (r..).zip(offsets.unwrap()).map(|(q, o)| q + o).collect();
        if let Statement::Periodic(row) = record.statement() {
            values.truncate(usize::try_from(row.start - r).unwrap());
            let far = row.certificate.from.max(self.diagonal.iter().max().map_or(1, |d| d + 1));
            let offsets = row.values.iter().cycle();
            values.extend((row.start..far).zip(offsets).map(|(q, offset)| q + offset));
            self.periodic_row(row, far, &values);
        }
        for &p in &values {
            let is_last = self.is_last.get(usize::try_from(p).unwrap()).is_some_and(|&last| last);
            assert!(!is_last, "{p} is a value of row {r} and the last of a row below");
        }
        self.diagonal.push(record.diagonal());
        if let Statement::Finite(row) = record.statement() {
            self.last_values.push(row.last);
            let last = usize::try_from(row.last).unwrap();
            self.is_last.resize(self.is_last.len().max(last + 1), false);
            self.is_last[last] = true;
        }
        ControlFlow::Continue(())
    }
}

impl Counting {
    /// Each number from 1 to q - 1, for a far column q, is one of these: a diagonal value, a last
    /// value, or a value of the row (`proofs/uniqueness.md`, 2.2, 2.3, 3.1).
    fn periodic_row(&mut self, row: &Periodic, far: u64, values: &[u64]) {
        let mut times = vec![0_u64; usize::try_from(far).unwrap()];
        for &p in values.iter().chain(&self.diagonal).chain(&self.last_values) {
            if let Some(times) = times.get_mut(usize::try_from(p).unwrap()) {
                *times += 1;
            }
        }
        assert!(times[1..].iter().all(|&times| times == 1), "row {}", row.row);
        assert_eq!(row.mean(), 1 + self.last_values.len() as u64, "row {}", row.row);
        self.periodic_rows += 1;
    }
}

/// 4.1, and the counts of its proof; and 2.2 for all values of all rows above a finite one.
#[test]
fn means_by_counting() {
    let mut counting = Counting::default();
    pointer::rows(1001, &mut counting).unwrap();
    assert!(counting.periodic_rows > 400);
}
