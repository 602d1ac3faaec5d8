//! Rows as tables of HTML, for notebooks.

use std::fmt::Write;

use record::{Head, Record, Statement};

/// Numbers of a list that are shown: the first ones.
const SHOWN: usize = 24;

/// What a record states.
pub fn row(record: &Record) -> String {
    let row = record.row();
    let mut table = Table::new(&format!("Row {row}"));
    match record.statement() {
        Statement::Finite(finite) => {
            table.line("kind", "finite");
            table.line("first", &format!("{}, the diagonal value f({row},{row})", finite.first));
            let last = finite.last;
            table.line("last", &format!("{last}: the last P-position is ({last},{last},{row})"));
        }
        Statement::Periodic(periodic) => {
            table.line("kind", "periodic");
            table.line("first", &format!("{}, the diagonal value f({row},{row})", periodic.first));
            table.line("start", &format!("{}, the column", periodic.start));
            table.line("period", &periodic.period().to_string());
            table.line("values", &list(&periodic.values));
            table.line("pattern", &list(&periodic.pattern()));
            let certificate = &periodic.certificate;
            let (from, recurs) = (certificate.from, certificate.recurs);
            let modulus = &certificate.modulus;
            let words =
                format!("the state of column {from} recurs in column {recurs}, modulo {modulus}");
            table.line("certificate", &words);
        }
    }
    table.line("head", &head(record));
    table.end()
}

fn head(record: &Record) -> String {
    match record.head() {
        Head::Offsets(offsets) if offsets.is_empty() => "empty".to_owned(),
        Head::Offsets(offsets) => format!("{} offsets: {}", offsets.len(), list(offsets)),
        Head::Fingerprint(sum) => {
            let number = record.settled() - record.row();
            format!("{number} offsets, with the fingerprint {sum:016x}")
        }
    }
}

/// The first numbers of a list, and how many there are.
fn list<N: ToString>(numbers: &[N]) -> String {
    let shown: Vec<String> = numbers.iter().take(SHOWN).map(ToString::to_string).collect();
    let shown = shown.join(", ");
    if numbers.len() > SHOWN { format!("{shown}, … ({} numbers)", numbers.len()) } else { shown }
}

/// A table of names and what they stand for, none of which has characters that HTML would read.
struct Table(String);

impl Table {
    fn new(caption: &str) -> Self {
        Self(format!("<table><caption>{caption}</caption><tbody>"))
    }

    fn line(&mut self, name: &str, what: &str) {
        let written = write!(
            self.0,
            "<tr><th scope=\"row\" style=\"text-align:left\">{name}</th>\
             <td style=\"text-align:left\">{what}</td></tr>"
        );
        written.expect("a string can always be written to");
    }

    fn end(self) -> String {
        self.0 + "</tbody></table>"
    }
}
