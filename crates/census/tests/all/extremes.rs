//! Records that are as large as records can be, or false.

use answers::{Position, Query, QueryError};
use census::export::{Exporter, Format};
use census::sequences::{Sequence, TermFinder};
use census::statistics::Statistics;
use census::{KeyColumns, periods};
use record::{Finite, Head, HeadForm, Record, Statement};

use crate::common::extreme;

use extreme::{NEARLY, periodic};

/// A file can contain any record. No question may panic on the largest numbers of a record, whether
/// it has an answer or not.
#[test]
fn nothing_panics_on_the_largest_numbers_of_a_record() {
    for records in extreme::all() {
        let all = records.len() as u64;
        let mut statistics = Statistics::default();
        let mut sequences = Sequence::ALL.map(TermFinder::of);
        let (mut exporter, heads) = (Vec::new(), HeadForm::Fingerprint);
        for format in [Format::Csv, Format::JsonLines] {
            let begun = Exporter::new(format, KeyColumns::Row, heads, Vec::new()).unwrap();
            exporter.push((format, begun));
        }
        for record in &records {
            statistics.add(record);
            for terms in &mut sequences {
                let _given_or_not = terms.add(record);
            }
            for (format, exporter) in &mut exporter {
                // JSON has strings for what is too large.
                let fits = *format == Format::JsonLines
                    || matches!(record.statement(), Statement::Periodic(_))
                    || !record.to_string().contains(&format!("last: {NEARLY},"));
                assert_eq!(exporter.add(record).is_ok(), fits, "{record}");
            }
            if let Some(row) = record.periodic() {
                assert_eq!(row.pattern().iter().sum::<i64>(), 0, "{record}");
                println!("{:?} {:?}", periods::line(record), periods::tsv(record, KeyColumns::Row));
            }
        }
        println!("{statistics:?}");
        println!("{:?} {:?}", statistics.summary.excess, statistics.diagonal.strip);
        println!("{}", serde_json::to_string(&statistics).unwrap());
        for (_, exporter) in exporter {
            exporter.finish().unwrap();
        }
        let lengths = [1, 12, 1 << 40, 1 << 62, NEARLY, NEARLY + 1, u64::MAX];
        for r in 0..all {
            for (p, q) in lengths.iter().flat_map(|p| lengths.iter().map(move |q| (*p, *q))) {
                let Ok(position) = Position::finite([p, q, r]) else { continue };
                let mut query = Query::new(position);
                for record in &records[..=usize::try_from(r).unwrap()] {
                    let _answer_or_none = query.add(record);
                }
            }
        }
    }
}

/// A row 0 that ends at once would leave the empty board.
#[test]
fn a_false_row_0_contradicts_itself() {
    let record = finite_at_once();
    for (p, q) in [(5_u32, 3_u32), (1, 0), (1, 1)] {
        let mut query = Query::new(Position::finite([p, q]).unwrap());
        assert!(matches!(query.add(&record), Err(QueryError::Contradiction { .. })));
    }
}

fn finite_at_once() -> Record {
    let (row, first, last, head) = (0, 0, 0, Head::Fingerprint(0));
    Record::of_row(Statement::Finite(Finite { row, first, last, head })).unwrap()
}

/// A row that no data set reaches, but a record can have.
#[test]
fn a_record_of_the_largest_row_has_a_pattern() {
    let row = periodic(NEARLY - 7, NEARLY - 6, NEARLY, 3);
    let row = row.periodic().unwrap();
    assert_eq!((row.mean(), row.pattern()), (NEARLY - 7, vec![1, -2, 1]));
}
