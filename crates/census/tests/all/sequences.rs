//! Every term that the OEIS and Brouwer's page print.

use std::sync::LazyLock;

use census::sequences::{Sequence, Term, TermError, TermFinder};
use record::{HeadForm, Record};

/// Rows 0 to 2100 with all offsets: enough for 45 terms of A147983.
static ROWS: LazyLock<Vec<Record>> = LazyLock::new(|| fixtures::rows_in_full(2101));

fn terms(sequence: Sequence) -> Vec<Term> {
    let mut terms = TermFinder::of(sequence);
    ROWS.iter().filter_map(|record| terms.add(record).unwrap()).collect()
}

/// The corrupt term of A147983, `33 15231525`, is read as the two terms that are meant; from there
/// on the index is one too small.
fn as_meant([n, value]: [u64; 2]) -> Vec<[u64; 2]> {
    match (n, value) {
        (33, 15_231_525) => vec![[33, 1523], [34, 1525]],
        (34.., _) => vec![[n + 1, value]],
        _ => vec![[n, value]],
    }
}

#[test]
fn every_term_of_the_oeis() {
    for sequence in Sequence::ALL {
        let mut expected = fixtures::numbers(&format!("oeis/{sequence}.txt"));
        if sequence == Sequence::A147983 {
            expected = expected.into_iter().flat_map(as_meant).collect();
            assert_eq!(expected.len(), 45);
        }
        let found = terms(sequence).into_iter().map(|Term { n, value }| [n, value]);
        assert_eq!(found.take(expected.len()).collect::<Vec<_>>(), expected, "{sequence}");
        assert!(expected.len() >= 20, "{sequence} is whole");
        assert_eq!(expected[0][0], sequence.offset(), "{sequence}");
    }
}

/// The page's (a), A029905, has 95 where 94 is meant: by its (iii), A029902, row 95 is finite.
#[test]
fn every_term_of_brouwers_page() {
    let text = fixtures::text("page-sequences.tsv");
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines.len(), 6);
    for line in lines {
        let (sequence, expected) = line.split_once('\t').unwrap();
        let sequence: Sequence = sequence.parse().unwrap();
        let expected: Vec<u64> = expected.split(',').map(|term| term.parse().unwrap()).collect();
        let meant = |row: u64| match sequence {
            Sequence::A029905 if row == 95 => 94,
            _ => row,
        };
        let expected: Vec<u64> = expected.into_iter().map(meant).collect();
        assert!(expected.len() >= 54, "{sequence} is whole");
        let found = terms(sequence).into_iter().map(|term| term.value);
        assert_eq!(found.take(expected.len()).collect::<Vec<_>>(), expected, "{sequence}");
    }
}

/// The definition, position by position.
#[test]
fn a029899_counts_p_positions() {
    let tree = game::GameTree::up_to(60);
    let counts = terms(Sequence::A029899);
    for n in 0..=60 {
        let expected = tree.p_positions().filter(|position| position.p() <= n).count() as u64;
        assert_eq!(counts[usize::try_from(n).unwrap()], Term { n, value: expected });
    }
}

/// Row by row: each head, and the values for as many columns as matter.
#[test]
fn a029899_agrees_with_a_count_of_cells() {
    let end = ROWS.len() as u64;
    let mut with_p = vec![0_u64; ROWS.len()];
    for record in ROWS.iter() {
        let Some(record::Head::Offsets(head)) = record.head() else { unreachable!() };
        let values = record.periodic().map_or(&[][..], |periodic| &periodic.values);
        let offsets = head.iter().chain(values.iter().cycle());
        for p in (record.row()..end).zip(offsets).map(|(q, offset)| q + offset) {
            if p < end {
                with_p[usize::try_from(p).unwrap()] += 1;
            }
        }
    }
    let mut counted = 0;
    for (Term { n, value }, with_p) in terms(Sequence::A029899).into_iter().zip(with_p) {
        counted += with_p;
        assert_eq!(value, counted, "{n}");
    }
}

#[test]
fn fingerprints_are_enough_for_all_but_a029899() {
    for sequence in Sequence::ALL {
        let mut terms = TermFinder::of(sequence);
        let result =
            ROWS[..200].iter().try_for_each(|record| terms.add(&record.abridged()).map(drop));
        if sequence.form() == HeadForm::Offsets {
            assert_eq!(result, Err(TermError::NeedsOffsets { sequence, row: 0 }));
        } else {
            assert_eq!(result, Ok(()));
            let before = self::terms(sequence).into_iter().take_while(|term| {
                // Those of the first 200 rows.
                sequence.offset() + terms.given() > term.n
            });
            assert_eq!(before.count() as u64, terms.given());
        }
    }
}

#[test]
fn ends_that_do_not_ascend_are_an_error() {
    let finite = |row: u64, last: u64| {
        let line = format!(
            "Finite(row: {row}, first: {}, last: {last}, head: \"0000000000000001\")",
            row + 1
        );
        record::parse_line(&line, 1).unwrap()
    };
    let mut terms = TermFinder::of(Sequence::A029901);
    terms.add(&finite(1, 5)).unwrap();
    let error = TermError::NotAscending([1, 5], [3, 4]);
    assert_eq!(terms.add(&finite(3, 4)), Err(error));
}

#[test]
fn names_are_read_in_any_case() {
    for sequence in Sequence::ALL {
        assert_eq!(sequence.to_string().to_lowercase().parse(), Ok(sequence));
    }
    for bad in ["", "A069001", "29900", "A029900 ", "A29900"] {
        assert!(bad.parse::<Sequence>().is_err(), "{bad:?}");
    }
}

/// A guess that is nearly always enough, and not much too large.
#[test]
fn the_likely_number_of_rows_is_likely() {
    for sequence in Sequence::ALL {
        let mut terms = TermFinder::of(sequence);
        let given: Vec<u64> = ROWS
            .iter()
            .map(|record| {
                terms.add(record).unwrap();
                terms.given()
            })
            .collect();
        for (&given, rows) in given.iter().zip(1_u64..).filter(|(given, _)| **given > 0) {
            let likely = sequence.likely_rows(given);
            assert!(likely <= 2 * rows + 600, "{sequence}: {likely} rows for {given} terms");
        }
    }
}
