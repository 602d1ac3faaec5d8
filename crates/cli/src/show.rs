//! `chomp show`: one row for the reader.

use std::fmt::Write;

use driver::{ClassicalBound, DataSet, Engine, ProvedRow, SweepOptions, Tail, data_set};
use record::{Certificate, Finite, Head, KeyedStatement, Periodic, Statement};

use crate::arguments::ShowArguments;
use crate::failure::{self, Failure};
use crate::notation;
use crate::watcher::Watcher;

/// Offsets a line in a listing of many.
const OFFSETS_A_LINE: usize = 15;

/// Prints one row in closed form.
pub fn run(arguments: &ShowArguments) -> anyhow::Result<()> {
    let typed = arguments.row.join(" ");
    let tail = notation::tail(&typed)?;
    let row = notation::row(&tail.first_column().to_string());
    let row = row.map_err(|error| Failure::Usage(format!("{typed:?}: {error}")))?;
    let text = if tail.parts().len() <= 1 {
        show_row(row, arguments)?
    } else {
        show_tail(&tail, arguments)?
    };
    failure::print(text.as_bytes())
}

fn show_row(row: u64, arguments: &ShowArguments) -> anyhow::Result<String> {
    let ProvedRow { record, classical } = match &arguments.data {
        Some(folder) => {
            let record = data_set::row(&DataSet::open(folder)?, row)?;
            ProvedRow { record, classical: None }
        }
        None => Engine::for_row(row).row(row, &Watcher::new()?)?,
    };
    if arguments.json {
        return Ok(serde_json::to_string(record.statement())? + "\n");
    }
    let subject = Subject { name: row.to_string(), lower: row.to_string() };
    Ok(describe(record.statement(), &subject, classical.as_ref()))
}

fn show_tail(tail: &Tail, arguments: &ShowArguments) -> anyhow::Result<String> {
    if arguments.data.is_some() {
        let words = format!("{tail} is a row of more than three rows; leave out --data");
        return Err(Failure::Usage(words).into());
    }
    let record = driver::row_of_tail(tail, SweepOptions::default(), &Watcher::new()?)?;
    if arguments.json {
        return Ok(serde_json::to_string(&record)? + "\n");
    }
    let lower: Vec<String> = tail.parts().iter().map(ToString::to_string).collect();
    let subject = Subject { name: tail.to_string(), lower: lower.join(",") };
    Ok(match record.statement() {
        KeyedStatement::Row(statement) => describe(statement, &subject, None),
        KeyedStatement::Empty { by } => describe_empty(*by, &subject, tail),
    })
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

fn describe(
    statement: &Statement,
    subject: &Subject,
    classical: Option<&ClassicalBound>,
) -> String {
    match statement {
        Statement::Finite(finite) => describe_finite(finite, subject),
        Statement::Periodic(periodic) => describe_periodic(periodic, subject, classical),
    }
}

fn describe_empty(by: u64, subject: &Subject, tail: &Tail) -> String {
    let mut text = format!("row {} is empty\n", subject.name);
    let rows: Vec<u64> =
        [by, by].into_iter().chain(tail.parts().iter().map(|&r| r.min(by))).collect();
    let position = list(&rows).replace(' ', "");
    entry(
        &mut text,
        "by",
        &format!("{by}: ({position}) is a P-position, and a bite in row 1 leaves it"),
    );
    text
}

fn describe_finite(finite: &Finite, subject: &Subject) -> String {
    let Finite { row, first, last, head } = finite;
    let mut text = format!("row {} is finite\n", subject.name);
    describe_first(&mut text, *first, *row, subject);
    let position = subject.position(*last, *last);
    entry(&mut text, "last", &format!("{last}: the last P-position is {position}"));
    describe_head(&mut text, *row, *last + 1, head);
    text
}

/// In three-rowed Chomp the first value is on the diagonal.
fn describe_first(text: &mut String, first: u64, row: u64, subject: &Subject) {
    let what = if subject.lower == row.to_string() {
        format!("{first}, the diagonal value f({row},{row})")
    } else {
        format!("{first}: the first P-position is {}", subject.position(first, row))
    };
    entry(text, "first", &what);
}

fn describe_periodic(
    periodic: &Periodic,
    subject: &Subject,
    classical: Option<&ClassicalBound>,
) -> String {
    let Periodic { row, first, start, values, head, .. } = periodic;
    let mut text = format!("row {} is periodic\n", subject.name);
    describe_first(&mut text, *first, *row, subject);
    entry(&mut text, "start", &format!("{start}, the least column from which the offsets repeat"));
    entry(&mut text, "period", &periodic.period().to_string());
    entry(&mut text, "values", &format!("{}, the offsets p - q from q = {start} on", list(values)));
    let pattern: Vec<String> = periodic.pattern().iter().map(ToString::to_string).collect();
    entry(
        &mut text,
        "pattern",
        &format!("{}, the values minus their mean {}", pattern.join(" "), periodic.mean()),
    );
    describe_head(&mut text, *row, *start, head);
    if let Head::Offsets(offsets) = head {
        entry(&mut text, "closed form", &format!("{offsets:?}{values:?}^∞, from q = {row} on"));
    }
    describe_certificate(&mut text, &periodic.certificate);
    if let Some(classical) = classical {
        describe_classical(&mut text, classical, *row);
    }
    text
}

fn describe_head(text: &mut String, row: u64, end: u64, head: &Head) {
    match head {
        _ if end == row => entry(text, "head", "empty"),
        Head::Offsets(offsets) => {
            let columns = format!("{} offsets, q = {row} to {}", offsets.len(), end - 1);
            entry(text, "head", &columns);
            for (line, column) in
                offsets.chunks(OFFSETS_A_LINE).zip((row..).step_by(OFFSETS_A_LINE))
            {
                entry(text, "", &format!("q = {column}: {}", list(line)));
            }
        }
        Head::Fingerprint(sum) => entry(
            text,
            "head",
            &format!("{} offsets, q = {row} to {}, fingerprint {sum:016x}", end - row, end - 1),
        ),
    }
}

/// Fact 3, with the numbers of this row.
fn describe_certificate(text: &mut String, certificate: &Certificate) {
    let Certificate { from, recurs, modulus, filled, above } = certificate;
    let distance = recurs - from;
    let above = if above.is_empty() { String::new() } else { format!(", and {}", list(above)) };
    let state = match filled {
        0 if above.is_empty() => "no offset".to_owned(),
        0 => format!("just the offsets{}", above.trim_start_matches(", and")),
        1 => format!("just the offset 0{above}"),
        _ => format!("just the offsets 0 to {}{above}", filled - 1),
    };
    entry(text, "certificate", "(fact 3 of proofs/README.md)");
    for line in [
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
    ] {
        entry(text, "", &line);
    }
}

/// Fact 2, with the numbers of this row.
fn describe_classical(text: &mut String, classical: &ClassicalBound, row: u64) {
    let ClassicalBound { bound, checked } = classical;
    entry(text, "classical", &format!("bound max(a0, b0) + M + lcm(κ, ν) = {bound} (fact 2)"));
    let check = if *checked {
        format!("Checked: the recurrence gives these offsets for q - {row} = 0 to {bound}.")
    } else {
        "Out of reach; the row rests on its certificate.".to_owned()
    };
    entry(text, "", &check);
}

fn entry(text: &mut String, name: &str, what: &str) {
    writeln!(text, "  {name:<12} {what}").expect("a string can always be written to");
}

fn list(numbers: &[u64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
