//! `chomp show`: one row for the reader.

use std::fmt::Write;

use driver::{ClassicalBound, DataSet, Engine, ProvedRow, data_set};
use record::{Certificate, Finite, Head, Periodic, RowRecord, Statement};

use crate::arguments::ShowArguments;
use crate::failure;
use crate::watcher::Watcher;

/// Offsets a line in a listing of many.
const OFFSETS_A_LINE: usize = 15;

/// Prints one row in closed form.
pub fn run(arguments: &ShowArguments) -> anyhow::Result<()> {
    let ProvedRow { record, classical } = match &arguments.data {
        Some(folder) => {
            let record = data_set::row(&DataSet::open(folder)?, arguments.row)?;
            ProvedRow { record, classical: None }
        }
        None => Engine::for_row(arguments.row).row(arguments.row, &Watcher::new()?)?,
    };
    let text = if arguments.json {
        serde_json::to_string(record.statement())? + "\n"
    } else {
        describe(&record, classical.as_ref())
    };
    failure::print(text.as_bytes())
}

fn describe(record: &RowRecord, classical: Option<&ClassicalBound>) -> String {
    match record.statement() {
        Statement::Finite(finite) => describe_finite(finite),
        Statement::Periodic(periodic) => describe_periodic(periodic, classical),
    }
}

fn describe_finite(finite: &Finite) -> String {
    let Finite { row, first, last, head } = finite;
    let mut text = format!("row {row} is finite\n");
    entry(&mut text, "first", &format!("{first}, the diagonal value f({row},{row})"));
    entry(&mut text, "last", &format!("{last}: the last P-position is ({last},{last},{row})"));
    describe_head(&mut text, *row, *last + 1, head);
    text
}

fn describe_periodic(periodic: &Periodic, classical: Option<&ClassicalBound>) -> String {
    let Periodic { row, first, start, values, head, .. } = periodic;
    let mut text = format!("row {row} is periodic\n");
    entry(&mut text, "first", &format!("{first}, the diagonal value f({row},{row})"));
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
