//! What the sequence of finite rows says of every row, against certified records.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use cascade::{Pattern, Predictions, Row};
use record::{Periodic, RowRecord, Statement};
use sweep::sink::Visitor;
use sweep::{band, pointer};

/// How many rows moved, by word, after all rows to `last` have been compared: kind, mean, and
/// pattern.
fn compare(last: u64) -> BTreeMap<String, u64> {
    let mut predictions = Predictions::default();
    let mut words = BTreeMap::new();
    let mut visit = |record: RowRecord| {
        let r = record.row();
        match (record.statement(), predictions.next(record.periodic().is_none()).unwrap()) {
            (Statement::Finite(_), Row::Finite) => {}
            (Statement::Periodic(row), Row::Periodic { word, mean, patterns }) => {
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

/// The rows of each period to 20 000, which `census` counts.
#[test]
fn every_row_to_20000() {
    let words = compare(20_000);
    println!("{words:?}");
    assert!(words.len() > 4);
}

#[test]
#[ignore = "seconds of processor time"]
fn every_row_to_100000() {
    println!("{:?}", compare(100_000));
}

/// What 4.1 and (M) say of rows, one after the other.
#[derive(Default)]
struct Counting {
    diagonal: Vec<u64>,
    last_values: Vec<u64>,
    is_last: Vec<bool>,
    periodic_rows: u64,
}

impl Visitor for Counting {
    fn row(&mut self, record: RowRecord, offsets: Option<&[u64]>) -> ControlFlow<()> {
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
        self.diagonal.push(record.first());
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
    /// The numbers from 1 to q - 1, for a far column q, are diagonal values, last values, and
    /// values of the row; those that are so twice are 1 + F(r) less the mean.
    fn periodic_row(&mut self, row: &Periodic, far: u64, values: &[u64]) {
        let mut times = vec![0_u64; usize::try_from(far).unwrap()];
        for &p in values.iter().chain(&self.diagonal).chain(&self.last_values) {
            if let Some(times) = times.get_mut(usize::try_from(p).unwrap()) {
                *times += 1;
            }
        }
        assert!(times[1..].iter().all(|&times| times > 0), "row {}", row.row);
        let coincidences: u64 = times[1..].iter().map(|times| times - 1).sum();
        assert_eq!(row.mean() + coincidences, 1 + self.last_values.len() as u64, "row {}", row.row);
        self.periodic_rows += 1;
    }
}

/// 4.1 by its own proof; and (M), for all values of all rows above a finite one.
#[test]
fn means_by_counting() {
    let mut counting = Counting::default();
    pointer::rows(1001, &mut counting).unwrap();
    assert!(counting.periodic_rows > 400);
}
