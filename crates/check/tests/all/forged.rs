//! One forged record for each way in which a record can be wrong, refused in the right words.

use crate::common;

use std::sync::atomic::{AtomicU32, Ordering};

use check::{CheckError, Depth, NotVerified, Task, Verified, check_data_set};
use record::data_set::{Contents, DataSet, Writer};
use record::{Certificate, Finite, Head, HeadForm, Periodic, Record, Statement, column_weight};

const LAST: u64 = 130;

fn heads(records: &[Record]) -> Result<Verified, CheckError> {
    common::check_rows(records, &Task { heads: true, ..Task::default() }, &())
}

fn tails(records: &[Record]) -> Result<Verified, CheckError> {
    common::check_rows(records, &Task::default(), &())
}

fn refutation(outcome: Result<Verified, CheckError>) -> NotVerified {
    match outcome {
        Err(CheckError::Refuted(refutation)) => refutation,
        other => panic!("{other:?}"),
    }
}

/// Rows 0 to 130 with one record changed.
fn forged(row: usize, change: impl FnOnce(&mut Statement)) -> Vec<Record> {
    let mut records = common::records(LAST, HeadForm::Fingerprint);
    let mut statement = records[row].statement().clone();
    change(&mut statement);
    records[row] = Record::of_row(statement).expect("well-formed: no business of the reader");
    records
}

fn forged_periodic(row: usize, change: impl FnOnce(&mut Periodic)) -> Vec<Record> {
    forged(row, |statement| match statement {
        Statement::Periodic(periodic) => change(periodic),
        _ => panic!("row {row} is finite"),
    })
}

fn forged_finite(row: usize, change: impl FnOnce(&mut Finite)) -> Vec<Record> {
    forged(row, |statement| match statement {
        Statement::Finite(finite) => change(finite),
        _ => panic!("row {row} is periodic"),
    })
}

/// Refused at depth *tails*, with these words.
fn tails_refuse(records: &[Record], row: u64, words: &str) {
    let refutation = refutation(tails(records));
    assert_eq!(refutation.number, row, "{refutation}");
    let place = format!("row {row}, line {} of rows-0000000-0000130.ron: ", row + 2);
    assert_eq!(refutation.to_string(), place + words);
}

/// Verified at depth *tails*, which cannot see it, and refused at depth *heads*.
fn heads_refuse(records: &[Record], row: u64, words: &str) {
    assert_eq!(tails(records).map(|verdict| verdict.depth).unwrap(), Depth::Tails);
    let refutation = refutation(heads(records));
    assert_eq!(refutation.number, row, "{refutation}");
    assert!(refutation.why.to_string().starts_with(words), "{refutation}");
}

#[test]
fn true_records_are_verified() {
    for form in [HeadForm::Fingerprint, HeadForm::Offsets] {
        let verdict = heads(&common::records(LAST, form)).unwrap();
        let expected = Verified {
            depth: Depth::Heads,
            first: 0,
            last: LAST,
            held: LAST,
            read: LAST,
            certificates: 55,
            asked: None,
            family: None,
            data: None,
            resumed: None,
        };
        assert_eq!(verdict, expected);
    }
}

#[test]
fn a_certificate_that_begins_too_early() {
    // Row 118 made to end in column 171: then row 119 begins to repeat before it has settled.
    let records = forged_finite(118, |row| row.last = 171);
    let words = "the certificate's from is 169, but the rows below settle only at column 172, \
                 because of row";
    tails_refuse(&records, 119, &format!("{words} 118"));
    // Of several the first is named.
    let mut several = forged_finite(117, |row| row.last = 171);
    several[118] = records[118].clone();
    tails_refuse(&several, 119, &format!("{words} 117"));
}

#[test]
fn wrong_values() {
    let records = forged_periodic(120, |row| row.values.reverse());
    tails_refuse(
        &records,
        120,
        "values gives offset 70 in column 170, but from U(from) and the rows below follows 72",
    );
}

#[test]
fn a_state_that_recurs_earlier() {
    let records = forged_periodic(120, |row| row.certificate.recurs = 1 << 62);
    tails_refuse(
        &records,
        120,
        "the certificate's recurs is 4611686018427387904, but U(from) recurs at column 172 already, \
         at a distance that the modulus divides",
    );
}

#[test]
fn a_state_that_does_not_recur() {
    // Offset 100 comes down by one a column, and nothing takes its place.
    let records = forged_periodic(119, |row| {
        row.certificate.above = vec![100];
        row.certificate.recurs = 171;
    });
    tails_refuse(&records, 119, "U(from) does not recur at column 171");
}

#[test]
fn a_state_that_never_recurs() {
    // With any stated U(from) the check ends, though `recurs` is 2^62 columns away.
    let mut never = 0;
    for row in [24, 119, 120, 124, 126, 128] {
        let true_records = common::records(LAST, HeadForm::Fingerprint);
        let Some(periodic) = true_records[row].periodic() else { continue };
        let filled = periodic.certificate.filled;
        for (less, bits) in (0..6_u64).flat_map(|less| (0..32_u64).map(move |bits| (less, bits))) {
            let filled = filled.saturating_sub(less);
            let records = forged_periodic(row, |row| {
                row.certificate.filled = filled;
                row.certificate.above =
                    (0..5).filter(|k| bits >> k & 1 == 1).map(|k| filled + 1 + k).collect();
                row.certificate.recurs = row.certificate.from + (1 << 62);
            });
            let refutation = refutation(tails(&records));
            assert_eq!(refutation.number, row as u64, "{refutation}");
            never += u32::from(refutation.why.reason == "does_not_recur");
        }
    }
    assert!(never > 0, "the search for such a state is too narrow");
}

#[test]
fn a_wrong_modulus() {
    let records = forged_periodic(120, |row| row.certificate.modulus = 2);
    tails_refuse(
        &records,
        120,
        "the certificate's modulus is 2, but the rows below with a value in the window 70 to 72 \
         have periods with least common multiple 1",
    );
}

#[test]
fn a_wrong_diagonal_value() {
    let records = forged_periodic(120, |row| row.first += 1);
    heads_refuse(&records, 120, "first is 207, but the diagonal value is 206");
}

#[test]
fn a_row_that_ends() {
    let records = forged_finite(121, |row| row.last += 1);
    heads_refuse(&records, 121, "the row ends at column 172, but its record continues it");
}

#[test]
fn a_row_that_continues() {
    let records = forged_finite(121, |row| row.last -= 1);
    heads_refuse(&records, 121, "last is 171, but the offset of that column is ");
}

#[test]
fn a_start_that_is_early() {
    let Some(Head::Offsets(offsets)) =
        common::records(LAST, HeadForm::Offsets)[120].head().cloned()
    else {
        panic!()
    };
    let records = forged_periodic(120, |row| {
        row.start -= 2;
        row.head = HeadForm::Fingerprint.of(120, &offsets[..48]);
    });
    heads_refuse(&records, 120, "the offset of column 168 is ");
}

#[test]
fn a_start_that_is_late() {
    let records = forged_periodic(120, |row| {
        row.start += 1;
        row.certificate.from += 1;
        row.certificate.recurs += 1;
        row.values.rotate_left(1);
        if let Head::Fingerprint(sum) = &mut row.head {
            *sum = sum.wrapping_add(column_weight(170).wrapping_mul(72));
        }
        row.certificate.filled = 70;
        row.certificate.above = vec![71];
    });
    heads_refuse(
        &records,
        120,
        "start is 171, but the offset of column 170 is 72, the last of values",
    );
}

#[test]
fn a_wrong_fingerprint() {
    let records = forged_finite(121, |row| row.head = Head::Fingerprint(1));
    heads_refuse(&records, 121, "head is the fingerprint 0000000000000001, but the offsets have ");
}

#[test]
fn a_wrong_offset_in_a_full_head() {
    let mut records = common::records(LAST, HeadForm::Offsets);
    let Statement::Periodic(mut row) = records[120].statement().clone() else { panic!() };
    let Head::Offsets(offsets) = &mut row.head else { panic!() };
    // Two offsets changed so that their sum stays the same, and no p is taken twice.
    let taken: Vec<u64> = (120..).zip(&*offsets).map(|(column, offset)| column + offset).collect();
    let (column, free) = (1..40)
        .find_map(|column| {
            let free = (130..240).find(|p| !taken.contains(p) && *p > 120 + column)?;
            Some((column, free))
        })
        .unwrap();
    offsets[usize::try_from(column).unwrap()] = free - 120 - column;
    records[120] = Record::of_row(Statement::Periodic(row)).unwrap();
    heads_refuse(&records, 120, &format!("the offset of column {} is ", 120 + column));
}

#[test]
fn a_wrong_state() {
    // The stated U lacks offset 1, and a row below blocks it.
    let records = forged_periodic(2, |row| row.certificate.filled = 1);
    let refutation = refutation(heads(&records));
    assert_eq!(refutation.number, 2, "{refutation}");
}

/// Row 120 with other offsets from its start on: 72, 72, .. instead of 72, 70, .. They repeat as
/// well, and agree in the column of the certificate; only the state there is wrong.
#[test]
fn a_state_of_another_future() {
    let mut records = forged_periodic(120, |row| {
        assert_eq!((row.start, row.values.as_slice()), (170, [72, 70].as_slice()));
        row.values = vec![72];
        let certificate = &mut row.certificate;
        assert_eq!((certificate.from, certificate.filled), (170, 71));
        (certificate.recurs, certificate.filled) = (171, 72);
    });
    records.truncate(121);
    let words =
        "the certificate's U(170) is 0 to 72 (exclusive) and [], but the rules give 0 to 71";
    heads_refuse(&records, 120, words);
}

#[test]
fn a_wrong_offset_in_the_full_head_of_a_finite_row() {
    let records = common::records(LAST, HeadForm::Offsets);
    let is_long = |record: &&Record| record.finite().is_some_and(|row| row.last > row.row + 20);
    let mut forgeries = 0;
    for row in records.iter().filter(is_long) {
        let (mut forged, place) = (records.clone(), usize::try_from(row.row()).unwrap());
        let Statement::Finite(mut finite) = row.statement().clone() else { panic!() };
        let Head::Offsets(offsets) = &mut finite.head else { panic!() };
        // Two columns, one after the other, exchange their p: the greater by 2 or more.
        let pairs = offsets.windows(2).skip(3);
        let Some(at) = pairs.zip(3..).find_map(|(pair, at)| (pair[0] > pair[1] + 1).then_some(at))
        else {
            continue;
        };
        (offsets[at], offsets[at + 1]) = (offsets[at + 1] + 1, offsets[at] - 1);
        forged[place] = Record::of_row(Statement::Finite(finite)).unwrap();
        let column = row.row() + at as u64;
        heads_refuse(&forged, row.row(), &format!("the offset of column {column} is "));
        forgeries += 1;
    }
    assert!(forgeries > 10, "{forgeries}");
}

#[test]
fn rows_in_another_order() {
    let mut records = common::records(20, HeadForm::Fingerprint);
    records.swap(7, 8);
    assert_eq!(refutation(tails(&records)).why.reason, "out_of_order");
}

#[test]
fn a_head_beyond_32_bits() {
    let records = forged_periodic(120, |row| {
        row.start = 1 << 40;
        row.certificate.from = 1 << 40;
        row.certificate.recurs = (1 << 40) + 2;
    });
    let later = records[121..].iter().find(|row| row.periodic().is_some()).unwrap().row();
    assert_eq!(refutation(tails(&records)).number, later, "rows above have settled before");
    let error = heads(&records[..=120]).unwrap_err();
    assert!(
        matches!(error, CheckError::Incomplete(NotVerified { number: 120, line: 122, .. })),
        "{error}"
    );
}

/// Column by column this would take hours.
#[test]
fn a_row_said_to_settle_in_500_million_columns() {
    let late = 1 << 29;
    let records = forged_periodic(120, |row| {
        row.start = late;
        row.certificate.from = late;
        row.certificate.recurs = late + 2;
    });
    let refutation = refutation(heads(&records[..=120]));
    assert_eq!(refutation.number, 120);
    let words = refutation.why.to_string();
    assert!(
        words.starts_with("the row repeats from column 312 on: its state comes back at column 336"),
        "a row is late after column 2·120 + 64, and a group has 24 columns: {words}"
    );

    // The same with the start that it has is true: there are many certificates.
    let certified_late = |from: u64| {
        heads(&forged_periodic(120, |row| {
            row.certificate.from = from;
            row.certificate.recurs = from + 2;
        }))
    };
    assert_eq!(certified_late(late).unwrap().depth, Depth::Heads);
    // The last column of 32-bit arithmetic.
    assert_eq!(certified_late(1 << 30).unwrap().depth, Depth::Heads);
    assert!(matches!(
        certified_late((1 << 30) + 2),
        Err(CheckError::Incomplete(NotVerified { number: 120, .. }))
    ));

    let records = forged_finite(121, |row| row.last = late);
    let refused = heads(&records[..=121]);
    assert!(matches!(refused, Err(CheckError::Refuted(_))), "it ends before");
}

/// Column by column, `recurs` is years away.
#[test]
fn a_window_whose_modulus_no_record_can_state() {
    assert!(tails(&common::long_way(&[6, 10], 30)).is_ok(), "the control");
    for (modulus, left_out) in [(1, 6), (2, 6), (2 * 3 * 5 * 7 * 11 * 13, 34)] {
        let mut records = common::long_way(&common::doubled_primes(83), modulus);
        let Some(last) = records.pop() else { panic!() };
        let Statement::Periodic(mut row) = last.statement().clone() else { panic!() };
        let Certificate { from, ref mut recurs, .. } = row.certificate;
        let distance = *recurs - from;
        *recurs = from + (1 << 61) / distance * distance;
        records.push(Record::of_row(Statement::Periodic(row)).unwrap());
        let text: usize = records.iter().map(|record| record.to_string().len() + 1).sum();
        assert!(text < 400_000, "{text} bytes");

        let NotVerified { number: row, why, .. } = refutation(tails(&records));
        assert_eq!((row, why.reason), (last.row(), "period_left_out"), "{why}");
        assert_eq!(why.details["period"], left_out);
        let by = why.details["by"].as_u64().and_then(|by| usize::try_from(by).ok()).unwrap();
        assert_eq!(records[by].periodic().unwrap().period(), left_out);
    }
}

/// Stops a check when it has been asked a given number of times.
struct Patient {
    asked: AtomicU32,
    patience: u32,
}

impl Patient {
    fn watches(patience: u32, records: &[Record]) -> (Result<Verified, CheckError>, u32) {
        let patient = Self { asked: AtomicU32::new(0), patience };
        let outcome = common::check_rows(records, &Task::default(), &patient);
        (outcome, patient.asked.into_inner())
    }
}

impl check::CheckWatch for Patient {
    fn stop(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) + 1 == self.patience
    }
}

/// Nothing is wrong with this certificate in the columns that can be walked.
#[test]
fn a_certificate_of_billions_of_columns() {
    let periods = common::doubled_primes(23);
    let records = common::long_way(&periods, 2 * 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23);
    let (outcome, asked) = Patient::watches(u32::MAX, &records);
    let Err(CheckError::Incomplete(NotVerified { number: row, line, file, why, .. })) = outcome
    else {
        panic!("{outcome:?}")
    };
    let last = records.len() as u64 - 1;
    assert_eq!((row, line, file), (last, last + 2, format!("rows-0000000-{last:07}.ron")));
    assert_eq!(why.reason, "lookups");
    let [lookups, column] = ["lookups", "column"].map(|name| why.details[name].as_u64().unwrap());
    assert!(column > common::SETTLED + 1000, "{column}");
    assert!(lookups / u64::from(asked) < 10_000, "asked {asked} times in {lookups} look-ups");
    for patience in [1, 2, asked] {
        let (outcome, asked) = Patient::watches(patience, &records);
        assert!(matches!(outcome, Err(CheckError::Interrupted)), "{outcome:?}");
        assert_eq!(asked, patience, "no question follows");
    }

    // Of a certificate that is refuted at once, no column counts.
    let more = common::long_way(&periods, 2 * 2 * 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23);
    let why = refutation(tails(&more)).why;
    assert_eq!(why.reason, "wrong_modulus");
    let number = |name: &str| why.details[name].as_str().unwrap().parse::<u64>().unwrap();
    assert_eq!(number("stated"), 2 * number("computed"));
}

#[test]
fn parts_can_be_judged_given_the_rest() {
    let records = forged_periodic(120, |row| row.certificate.modulus = 2);
    let part = |first, last, heads| {
        common::check_rows(
            &records,
            &Task { heads, rows: Some((first, last)), ..Task::default() },
            &(),
        )
    };
    assert_eq!(part(100, 119, false).unwrap().first, 100);
    assert!(part(121, 130, false).is_ok(), "row 120 is taken as given");
    assert_eq!(refutation(part(120, 120, false)).number, 120);
    let verdict = part(100, 119, true).unwrap();
    assert_eq!((verdict.first, verdict.last), (0, 119), "heads need the rows below");
    let words = verdict.to_string();
    assert!(words.contains("Not checked: rows 120 to 130."), "{words}");
    assert!(words.contains("rows 0 to 99 as well"), "{words}");
    assert_eq!(refutation(part(121, 130, true)).number, 120);
    for (first, last) in [(5, 131), (7, 6)] {
        assert!(matches!(part(first, last, false), Err(CheckError::NoSuchRows { .. })));
    }
}

/// A refutation names the file of the data set, even if it is compressed.
#[test]
fn a_forged_row_of_a_compressed_segment() {
    let mut records = common::records(LAST, HeadForm::Offsets);
    let Statement::Periodic(mut periodic) = records[120].statement().clone() else { panic!() };
    periodic.certificate.modulus = 2;
    records[120] = Record::of_row(Statement::Periodic(periodic)).unwrap();
    // A row with so many irregular offsets that its segment is compressed.
    let (row, offset, columns) = (LAST, 60, 2_300_000);
    let mut offsets = vec![offset; columns];
    for place in (0..columns - 100).step_by(2) {
        if column_weight(place as u64) >> 63 == 1 {
            (offsets[place], offsets[place + 1]) = (offset + 1, offset - 1);
        }
    }
    // In its last column p = q, which a column before must not have taken.
    offsets[columns - 60] = 2 * offset;
    offsets.push(0);
    let (first, last) = (row + offsets[0], row + columns as u64);
    let head = Head::Offsets(offsets);
    let long = Finite { row, first, last, head };
    records[130] = Record::of_row(Statement::Finite(long)).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::new(folder.path(), Contents::Rows, HeadForm::Offsets).unwrap();
    for record in records {
        writer.push(record).unwrap();
    }
    writer.finish().unwrap();
    let data_set = DataSet::open(folder.path()).unwrap();
    let refutation = refutation(check_data_set(&data_set, &Task::default(), None, &()));
    assert_eq!(
        (refutation.number, refutation.file.as_str()),
        (120, "rows-0000000-0000130.ron.zst")
    );
}

/// The words of the four kinds of verdicts, in full.
#[test]
fn a_verdict_says_what_is_proved() {
    let records = common::records(130, HeadForm::Fingerprint);
    let said = |rows, heads| {
        common::check_rows(&records, &Task { heads, rows, ..Task::default() }, &())
            .unwrap()
            .to_string()
    };
    let periodic = |first: usize, last: usize| {
        let rows = records[first..=last].iter().map(Record::statement);
        rows.filter(|statement| matches!(statement, Statement::Periodic(_))).count()
    };
    let (all, below, part) = (periodic(0, 130), periodic(0, 120), periodic(100, 120));
    assert_eq!(
        said(None, true),
        format!(
            "Verified: rows 0 to 130, depths structure, tails, heads.
Structure: the files of rows 0 to 130 are whole, canonical and in order.
Proved: every row from 0 to 130 is as stated, {all} of them periodic with the least start and period.
Assumed: nothing.
Not checked: nothing.
"
        )
    );
    assert_eq!(
        said(None, false),
        format!(
            "Verified: rows 0 to 130, depths structure, tails.
Structure: the files of rows 0 to 130 are whole, canonical and in order.
Proved: every periodic row from 0 to 130 ({all} of them) is as stated from its certificate's from on.
Assumed: heads, first and last of all rows are right, starts are the least, and each U(from) is what fact 3 says it is.
Not checked: finite rows, that starts are the least, and what precedes from (heads do).
"
        )
    );
    assert_eq!(said(Some((0, 130)), true), said(None, true));
    assert_eq!(
        said(Some((100, 120)), true),
        format!(
            "Verified: rows 0 to 120, depths structure, tails, heads.
Heads need the rows below: rows 0 to 99 as well.
Structure: the files of rows 0 to 130 are whole, canonical and in order.
Proved: every row from 0 to 120 is as stated, {below} of them periodic with the least start and period.
Assumed: nothing.
Not checked: rows 121 to 130.
"
        )
    );
    assert_eq!(
        said(Some((100, 120)), false),
        format!(
            "Verified: rows 100 to 120, depths structure, tails.
Structure: the files of rows 0 to 130 are whole, canonical and in order.
Proved: every periodic row from 100 to 120 ({part} of them) is as stated from its certificate's from on.
Assumed: heads, first and last of all rows are right, starts are the least, and each U(from) is what fact 3 says it is; the certificates of the rows below them prove what they say.
Not checked: finite rows, that starts are the least, and what precedes from (heads do); rows 0 to 99; rows 121 to 130.
"
        )
    );
}

struct Impatient;

impl check::CheckWatch for Impatient {
    fn stop(&self) -> bool {
        true
    }
}

#[test]
fn an_interrupted_check_proves_nothing() {
    let records = common::records(20, HeadForm::Fingerprint);
    for heads in [false, true] {
        let outcome = common::check_rows(&records, &Task { heads, ..Task::default() }, &Impatient);
        assert!(matches!(outcome, Err(CheckError::Interrupted)));
    }
}
