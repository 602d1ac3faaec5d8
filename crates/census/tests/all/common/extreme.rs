//! Records as they may be false: with the largest numbers that their constructor accepts.

use record::{Certificate, Finite, Head, Periodic, Record, Statement};

/// Nearly the largest number that a record may have.
pub const NEARLY: u64 = (1 << 63) - 1;

/// A row that ends in column `last`.
pub fn finite(row: u64, last: u64) -> Record {
    let head = Head::Fingerprint(0);
    Record::of_row(Statement::Finite(Finite { row, first: row + 1, last, head })).unwrap()
}

/// A row whose values are as large as they can be.
pub fn periodic(row: u64, start: u64, recurs: u64, period: u64) -> Record {
    let values = match period {
        1 => vec![row + 1],
        2 => vec![row + 1, row - 1],
        _ => vec![row + 1, row - 2, row + 1],
    };
    let period = values.len() as u64;
    let distance = recurs - start;
    let from = recurs - distance / period * period;
    let modulus = recurs - from;
    let certificate = Certificate { from, recurs, modulus, filled: row + 1, above: Vec::new() };
    let (first, head) = (row + 1, Head::Fingerprint(0));
    let row = Periodic { row, first, start, values, certificate, head };
    Record::of_row(Statement::Periodic(row)).unwrap()
}

/// Rows 0 to 11 with numbers as large as a record may have.
fn extreme(shift: usize) -> Vec<Record> {
    let columns = [NEARLY, 1 << 62, NEARLY - 1, (1 << 40) + 1, 1 << 40, 9_223_372_036_854_776];
    let row = |row: u64| {
        let column = columns[(usize::try_from(row).unwrap() + shift) % columns.len()];
        match row % 4 {
            1 => finite(row, column),
            kind => periodic(row, column / 2, column, kind.max(1)),
        }
    };
    (0..12).map(row).collect()
}

/// All of these, each number at each row once.
pub fn all() -> impl Iterator<Item = Vec<Record>> {
    (0..6).map(extreme)
}
