//! What the sequence of finite rows says of every row, against certified records.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use cascade::{Pattern, Predictions, Row};
use record::{RowRecord, Statement};
use sweep::band;

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
    band::rows(last, band::Options::default(), &mut visit).unwrap();
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
