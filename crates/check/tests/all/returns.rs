//! The columns in which U(from) recurs (fact 7): the definition of `recurs` in `docs/FORMAT.md`, on
//! the published rows.

use std::collections::BTreeSet;
use std::path::Path;

use num_integer::Integer;
use record::data_set::DataSet;
use record::{Periodic, Record};

fn published() -> Vec<Record> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../outputs/rows-10000");
    DataSet::open(&folder).unwrap().rows().map(Result::unwrap).collect()
}

fn offset(row: &Periodic, column: u64) -> u64 {
    row.values[usize::try_from((column - row.start) % row.period()).unwrap()]
}

/// U(from), .., U(recurs), by the definition: the values are what the row takes.
fn states(row: &Periodic) -> Vec<BTreeSet<u64>> {
    let certificate = &row.certificate;
    let mut state: BTreeSet<u64> =
        (0..certificate.filled).chain(certificate.above.iter().copied()).collect();
    let mut states = vec![state.clone()];
    for column in certificate.from..certificate.recurs {
        state.insert(offset(row, column));
        state = state.into_iter().filter_map(|offset| offset.checked_sub(1)).collect();
        states.push(state.clone());
    }
    states
}

/// The modulus of the columns of these states but the last, by the definition.
fn modulus(row: &Periodic, states: &[BTreeSet<u64>], below: &[Record]) -> u64 {
    let past = &states[..states.len() - 1];
    let mex =
        |state: &BTreeSet<u64>| (0..=row.row + 2).find(|offset| !state.contains(offset)).unwrap();
    let least = past.iter().map(mex).min().unwrap();
    let columns = (row.certificate.from..).take(past.len());
    let largest = columns.map(|column| offset(row, column)).max().unwrap();
    let counts = |row: &&Periodic| row.values.iter().any(|value| (least..=largest).contains(value));
    let counted = below.iter().filter_map(Record::periodic).filter(counts);
    counted.fold(1, |modulus, row| modulus.lcm(&row.period()))
}

#[test]
fn recurs_is_the_first_return_at_a_distance_that_the_modulus_divides() {
    let records = published();
    let mut between = Vec::new();
    for (place, record) in records.iter().enumerate() {
        let Some(row) = record.periodic() else { continue };
        let certificate = &row.certificate;
        let (states, below) = (states(row), &records[..place]);
        let distance = certificate.recurs - certificate.from;
        let whole = modulus(row, &states, below);
        assert_eq!(certificate.modulus, whole, "{record}");
        assert_eq!(distance, whole.lcm(&row.period()), "{record}");
        for (since, state) in (0_u64..).zip(&states).skip(1) {
            if *state != states[0] {
                continue;
            }
            let so_far = &states[..=usize::try_from(since).unwrap()];
            let admissible = since.is_multiple_of(modulus(row, so_far, below));
            assert_eq!(admissible, since == distance, "column {since} of {record}");
            assert_eq!(admissible, since.is_multiple_of(whole), "column {since} of {record}");
            if since < distance {
                between.push((row.row, certificate.from + since, certificate.recurs));
            }
        }
    }
    // U(571) = U(572) = U(575): that U does not come back between is false.
    assert_eq!(between.first(), Some(&(402, 572, 575)));
    let rows: BTreeSet<u64> = between.iter().map(|(row, ..)| *row).collect();
    println!("{} rows with a return between", rows.len());
}
