//! An export contains the whole records: they can be made from it again.

use census::export::{ExportError, Exporter, Format, KeyColumns};
use record::{Certificate, Finite, Head, HeadForm, Periodic, Record, Statement};

/// Rows 0 to 410, in both forms: finite ones, periods 1, 2 and 4.
fn rows() -> [(HeadForm, Vec<Record>); 2] {
    let full = fixtures::rows_in_full(411);
    let short = full.iter().map(Record::abridged).collect();
    [(HeadForm::Offsets, full), (HeadForm::Fingerprint, short)]
}

fn export(format: Format, form: HeadForm, rows: &[Record]) -> Vec<u8> {
    let mut exporter = Exporter::new(format, KeyColumns::Row, form, Vec::new()).unwrap();
    for record in rows {
        exporter.add(record).unwrap();
    }
    exporter.finish().unwrap()
}

/// The record that a line was made of; lists with spaces between their numbers.
fn record(field: impl Fn(&str) -> Option<String>) -> Record {
    let number = |name: &str| field(name).unwrap().parse::<u64>().unwrap();
    let list = |name: &str| -> Option<Vec<u64>> {
        Some(field(name)?.split_whitespace().map(|number| number.parse().unwrap()).collect())
    };
    let (row, first, head_end) = (number("row"), number("first"), number("head_end"));
    let fingerprint = u64::from_str_radix(&field("fingerprint").unwrap(), 16).unwrap();
    let head = list("head").map_or(Head::Fingerprint(fingerprint), Head::Offsets);
    assert_eq!(head.fingerprint(row), fingerprint);
    let values = list("values").unwrap();
    assert_eq!(values.len() as u64, number("period"));
    let certificate = Certificate {
        from: number("certificate_from"),
        recurs: number("certificate_recurs"),
        modulus: number("certificate_modulus"),
        filled: number("certificate_filled"),
        above: list("certificate_above").unwrap(),
    };
    let statement = match field("kind").unwrap().as_str() {
        "finite" => {
            assert!(values.is_empty() && certificate.recurs == 0);
            Statement::Finite(Finite { row, first, last: head_end - 1, head })
        }
        "periodic" => {
            Statement::Periodic(Periodic { row, first, start: head_end, values, certificate, head })
        }
        other => panic!("{other}"),
    };
    Record::of_row(statement).unwrap()
}

#[test]
fn records_can_be_made_from_csv() {
    for (form, rows) in rows() {
        let text = String::from_utf8(export(Format::Csv, form, &rows)).unwrap();
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let found: Vec<Record> = lines
            .map(|line| {
                let fields: Vec<&str> = line.split(',').collect();
                assert_eq!(fields.len(), names.len());
                let field = |name: &str| names.iter().position(|&column| column == name);
                record(|name| field(name).map(|place| fields[place].to_owned()))
            })
            .collect();
        assert_eq!(found, rows);
        if form == HeadForm::Fingerprint {
            // The record of row 120 that docs/FORMAT.md prints.
            let row_120 = "120,periodic,206,170,2,72 70,170,172,1,71,,8a21679c9ed36f2f\n";
            assert!(text.contains(row_120));
        }
    }
}

#[test]
fn records_can_be_made_from_json_lines() {
    for (form, rows) in rows() {
        let text = String::from_utf8(export(Format::JsonLines, form, &rows)).unwrap();
        let found = text.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            // The numbers that a table has for a row without a certificate.
            let none = serde_json::json!({
                "from": 0, "recurs": 0, "modulus": 0, "filled": 0, "above": [],
            });
            let certificate = line.get("certificate").filter(|found| !found.is_null());
            let field = |name: &str| match name.strip_prefix("certificate_") {
                Some(name) => certificate.unwrap_or(&none).get(name).cloned(),
                None => line.get(name).cloned(),
            };
            record(|name| match field(name).filter(|field| !field.is_null())? {
                serde_json::Value::String(text) => Some(text.clone()),
                serde_json::Value::Array(list) => {
                    Some(list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
                }
                number => Some(number.to_string()),
            })
        });
        assert_eq!(found.collect::<Vec<_>>(), rows);
    }
}

fn coq(rows: &[Record]) -> Vec<u8> {
    export(Format::Coq, HeadForm::Offsets, rows)
}

/// The list that Coq reads: `FiniteRow row first last [head]` or
/// `PeriodicRow row first start [values] (Certificate from recurs modulus filled [above]) [head]`.
fn record_of_term(term: &str) -> Record {
    let numbers = |text: &str| -> Vec<u64> {
        let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
        digits.map(|word| word.parse().unwrap()).collect()
    };
    let mut parts = term.split('[');
    let scalars = numbers(parts.next().unwrap());
    let mut lists = parts.map(|part| part.split_once(']').unwrap());
    let mut next = || lists.next().map(|(list, after)| (numbers(list), numbers(after))).unwrap();
    let [row, first, last_or_start] = scalars[..] else { panic!("{term}") };
    let statement = if term.starts_with("FiniteRow") {
        let head = Head::Offsets(next().0);
        Statement::Finite(Finite { row, first, last: last_or_start, head })
    } else {
        let (values, certificate) = next();
        let [from, recurs, modulus, filled] = certificate[..] else { panic!("{term}") };
        let (above, _) = next();
        let certificate = Certificate { from, recurs, modulus, filled, above };
        let head = Head::Offsets(next().0);
        Statement::Periodic(Periodic {
            row,
            first,
            start: last_or_start,
            values,
            certificate,
            head,
        })
    };
    Record::of_row(statement).unwrap()
}

#[test]
fn records_can_be_made_from_coq() {
    let [(_, rows), (short, _)] = rows();
    let text = String::from_utf8(coq(&rows)).unwrap();
    assert!(text.lines().all(|line| line.len() <= 100));
    let (_, list) = text.split_once("Definition records : list record := [\n").unwrap();
    let list = list.strip_suffix("\n].\n").unwrap().replace('\n', " ");
    let terms =
        list.replace("; FiniteRow", "\nFiniteRow").replace("; PeriodicRow", "\nPeriodicRow");
    assert_eq!(terms.lines().map(record_of_term).collect::<Vec<_>>(), rows);
    let refused = Exporter::new(Format::Coq, KeyColumns::Row, short, Vec::new());
    assert!(matches!(refused, Err(ExportError::NoOffsets)));
}

/// The rows of `proofs/coq/Rows.v` are those that the engines find.
#[test]
fn the_rows_that_coq_proves_are_exported() {
    let proved =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs/coq/Records.v"));
    let rows = fixtures::rows_in_full(401);
    let exported = String::from_utf8(coq(&rows)).unwrap();
    assert!(exported == proved.unwrap(), "write proofs/coq/Records.v again with chomp export");
}

/// A write that fails is reported.
#[test]
fn a_full_disk_is_an_error() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let [_, (form, rows)] = rows();
    let full = |error: ExportError| match error {
        ExportError::Io(error) => assert_eq!(error.kind(), std::io::ErrorKind::StorageFull),
        other => panic!("{other}"),
    };
    full(Exporter::new(Format::Csv, KeyColumns::Row, form, Full).err().unwrap());
    let mut exporter = Exporter::new(Format::JsonLines, KeyColumns::Row, form, Full).unwrap();
    full(exporter.add(&rows[0]).unwrap_err());
}
