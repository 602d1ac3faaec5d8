//! A row in words, for a reader.

use std::iter;

use byrnes::ClassicalBound;
use record::{Certificate, Finite, Head, KeyedRecord, KeyedStatement, Periodic, Statement, Tail};

use crate::ProvedRow;

/// A row in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowInWords {
    /// Whether the row is finite or periodic, as a sentence.
    pub title: String,
    /// What else is said of it.
    pub entries: Vec<Entry>,
}

/// One thing that is said of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is about, such as `start`.
    pub name: &'static str,
    /// What is said, in lines; at least one.
    pub lines: Vec<String>,
}

/// Offsets a line in a listing of many.
const OFFSETS_A_LINE: usize = 15;

impl ProvedRow {
    /// The row in words: its closed form, if the record holds it, its certificate, and the
    /// classical bound.
    ///
    /// ```
    /// let words = driver::Engine::default().row(5, &())?.in_words();
    /// assert_eq!(words.title, "row 5 is periodic");
    /// let closed = words.entries.iter().find(|entry| entry.name == "closed form").unwrap();
    /// assert_eq!(closed.lines, ["[5, 3][4]^∞, from q = 5 on"]);
    /// # Ok::<(), driver::Error>(())
    /// ```
    #[must_use]
    pub fn in_words(&self) -> RowInWords {
        let row = self.record.row().to_string();
        let subject = Subject { name: row.clone(), lower: row };
        statement(self.record.statement(), &subject, self.classical.as_ref())
    }
}

impl RowInWords {
    /// A row with any tail, of level 0, in words.
    #[must_use]
    pub fn of_tail(record: &KeyedRecord) -> Self {
        let tail = &record.key().tail;
        let lower: Vec<String> = tail.parts().iter().map(ToString::to_string).collect();
        let subject = Subject { name: tail.to_string(), lower: lower.join(",") };
        match record.statement() {
            KeyedStatement::Row(row) => statement(row, &subject, None),
            KeyedStatement::Empty { by } => empty(*by, &subject, tail),
        }
    }
}

/// How a row is called: `120` or `(3,2)`, and the lower rows of its positions.
struct Subject {
    name: String,
    lower: String,
}

impl Subject {
    /// The P-position with these two longest rows.
    fn position(&self, p: u64, q: u64) -> String {
        format!("({p},{q},{})", self.lower)
    }
}

fn statement(
    statement: &Statement,
    subject: &Subject,
    classical: Option<&ClassicalBound>,
) -> RowInWords {
    match statement {
        Statement::Finite(row) => finite(row, subject),
        Statement::Periodic(row) => periodic(row, subject, classical),
    }
}

fn empty(by: u64, subject: &Subject, tail: &Tail) -> RowInWords {
    let lower = tail.parts().iter().map(|&r| r.min(by).to_string());
    let lower: Vec<String> = lower.collect();
    let position = format!("({by},{by},{})", lower.join(","));
    let why = format!("{by}: {position} is a P-position, and a bite in row 1 leaves it");
    let title = format!("row {} is empty", subject.name);
    RowInWords { title, entries: vec![line("by", why)] }
}

fn finite(finite: &Finite, subject: &Subject) -> RowInWords {
    let Finite { row, first, last, head } = finite;
    let position = subject.position(*last, *last);
    let entries = vec![
        first_value(*row, *first, subject),
        line("last", format!("{last}: the last P-position is {position}")),
        offsets(*row, *last + 1, head),
    ];
    RowInWords { title: format!("row {} is finite", subject.name), entries }
}

fn periodic(
    periodic: &Periodic,
    subject: &Subject,
    classical: Option<&ClassicalBound>,
) -> RowInWords {
    let Periodic { row, first, start, values, head, .. } = periodic;
    let pattern: Vec<String> = periodic.pattern().iter().map(ToString::to_string).collect();
    let (pattern, mean) = (pattern.join(" "), periodic.mean());
    let mut entries = vec![
        first_value(*row, *first, subject),
        line("start", format!("{start}, the least column from which the offsets repeat")),
        line("period", periodic.period().to_string()),
        line("values", format!("{}, the offsets p - q from q = {start} on", list(values))),
        line("pattern", format!("{pattern}, the values minus their mean {mean}")),
        offsets(*row, *start, head),
    ];
    if let Head::Offsets(offsets) = head {
        let closed = format!("{offsets:?}{values:?}^∞, from q = {row} on");
        entries.push(line("closed form", closed));
    }
    entries.push(certificate(&periodic.certificate));
    entries.extend(classical.map(|classical| bound(classical, *row)));
    RowInWords { title: format!("row {} is periodic", subject.name), entries }
}

/// In three-rowed Chomp the first value is on the diagonal.
fn first_value(row: u64, first: u64, subject: &Subject) -> Entry {
    let what = if subject.lower == row.to_string() {
        format!("{first}, the diagonal value f({row},{row})")
    } else {
        format!("{first}: the first P-position is {}", subject.position(first, row))
    };
    line("first", what)
}

fn offsets(row: u64, end: u64, head: &Head) -> Entry {
    if end == row {
        return line("head", "empty".to_owned());
    }
    let columns = format!("{} offsets, q = {row} to {}", end - row, end - 1);
    let lines = match head {
        Head::Offsets(offsets) => {
            let chunks = (row..).step_by(OFFSETS_A_LINE).zip(offsets.chunks(OFFSETS_A_LINE));
            let chunks = chunks.map(|(column, chunk)| format!("q = {column}: {}", list(chunk)));
            iter::once(columns).chain(chunks).collect()
        }
        Head::Fingerprint(sum) => vec![format!("{columns}, fingerprint {sum:016x}")],
    };
    Entry { name: "head", lines }
}

/// Fact 3, with the numbers of this row.
fn certificate(certificate: &Certificate) -> Entry {
    let Certificate { from, recurs, modulus, filled, above } = certificate;
    let distance = recurs - from;
    let above = if above.is_empty() { String::new() } else { format!(", and {}", list(above)) };
    let state = match filled {
        0 if above.is_empty() => "no offset".to_owned(),
        0 => format!("just the offsets{}", above.trim_start_matches(", and")),
        1 => format!("just the offset 0{above}"),
        _ => format!("just the offsets 0 to {}{above}", filled - 1),
    };
    let lines = vec![
        "(fact 3 of proofs/README.md)".to_owned(),
        format!("When column {from} is reached, 0, the diagonal and the row itself block {state}."),
        format!(
            "When column {recurs} is reached, they block the same again. By column {from} the rows"
        ),
        format!(
            "below have settled, and those that matter repeat with periods that divide {modulus},"
        ),
        format!(
            "which divides {recurs} - {from} = {distance}. So the offsets repeat from column {from} on,"
        ),
        format!("with a period that divides {distance}."),
    ];
    Entry { name: "certificate", lines }
}

/// Fact 2, with the numbers of this row.
fn bound(classical: &ClassicalBound, row: u64) -> Entry {
    let ClassicalBound { bound, checked } = classical;
    let check = if *checked {
        format!("Checked: the recurrence gives these offsets for q - {row} = 0 to {bound}.")
    } else {
        "Out of reach; the row rests on its certificate.".to_owned()
    };
    let lines = vec![format!("bound max(a0, b0) + M + lcm(κ, ν) = {bound} (fact 2)"), check];
    Entry { name: "classical", lines }
}

fn line(name: &'static str, line: String) -> Entry {
    Entry { name, lines: vec![line] }
}

fn list(numbers: &[u64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
