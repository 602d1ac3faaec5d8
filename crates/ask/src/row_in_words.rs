//! A row in words, for a reader.

use std::fmt::Display;
use std::iter;

use driver::ClassicalBound;
use record::{Certificate, Finite, Head, Periodic, RowKey, Statement, joined};

use driver::ProvedRow;

/// A row in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowInWords {
    /// Whether the row is finite or periodic, as a sentence.
    pub title: String,
    /// Further facts about it.
    pub entries: Vec<Entry>,
    /// Whether numbers were left out.
    pub is_shortened: bool,
}

/// How long lists of numbers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Detail {
    /// All of them.
    Full,
    /// Some numbers at the beginning and at the end, and the number of the others.
    Brief,
}

/// A fact about a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, such as `start`.
    pub name: &'static str,
    /// The text, in lines; at least one.
    pub lines: Vec<String>,
}

/// The offsets in a line of a listing.
const OFFSETS_A_LINE: usize = 15;
/// A list of more numbers than this, or of more lines, is long.
const MOST_NUMBERS: usize = 60;
const MOST_LINES: usize = 8;
/// The parts of a long list that are shown, at its beginning and at its end.
const FIRST_NUMBERS: usize = 10;
const LAST_NUMBERS: usize = 3;
const FIRST_LINES: usize = 3;

impl RowInWords {
    /// The row in words: its closed form, if the record holds it, its certificate, and the
    /// classical bound.
    ///
    /// ```
    /// use ask::{Detail, RowInWords};
    /// use driver::Engine;
    /// let words = RowInWords::of(&Engine::default().row_in_full(5, &())?, Detail::Brief);
    /// assert_eq!((words.title.as_str(), words.is_shortened), ("row 5 is periodic", false));
    /// let closed = words.entries.iter().find(|entry| entry.name == "closed form").unwrap();
    /// assert_eq!(closed.lines, ["[5, 3][4]^∞, from q = 5 on"]);
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn of(row: &ProvedRow, detail: Detail) -> Self {
        let (subject, lists) = (Subject::of(row.record.key()), Lists::of(detail));
        match row.record.statement() {
            Statement::Empty { by } => empty(*by, &subject, row.record.key()),
            Statement::Finite(row) => finite(row, &subject, lists),
            Statement::Periodic(own) => periodic(own, &subject, row.classical.as_ref(), lists),
        }
    }
}

/// The name of a row: `row 120`, `row (3,2)` or `row 5 of level 3`; the lower rows of its
/// positions, and the name of these.
struct Subject {
    name: String,
    lower: String,
    position: String,
}

impl Subject {
    fn of(key: &RowKey) -> Self {
        let parts = key.tail().parts();
        let row = if parts.len() > 1 {
            format!("row {}", key.tail())
        } else {
            format!("row {}", key.first_column())
        };
        let (name, position) = match key.level {
            0 => (row, "P-position".to_owned()),
            level => (format!("{row} of level {level}"), format!("position of value {level}")),
        };
        let lower = if parts.is_empty() { "0".to_owned() } else { joined(parts, ",") };
        Self { name, lower, position }
    }

    /// The P-position with these two longest rows.
    fn at(&self, p: u64, q: u64) -> String {
        format!("({p},{q},{})", self.lower)
    }
}

/// Lists of numbers, and whether some were shortened.
struct Lists {
    detail: Detail,
    is_shortened: bool,
}

impl Lists {
    fn of(detail: Detail) -> Self {
        Self { detail, is_shortened: false }
    }

    /// Whether a list of this length is shortened, if those with more than `most` things are long.
    fn shortens(&mut self, length: usize, most: usize) -> bool {
        let shortens = self.detail == Detail::Brief && length > most;
        self.is_shortened |= shortens;
        shortens
    }

    /// Numbers with `between` between them.
    fn numbers<T: Display>(&mut self, numbers: &[T], between: &str) -> String {
        let shortens = self.shortens(numbers.len(), MOST_NUMBERS);
        if shortens { shortened(numbers, between) } else { joined(numbers, between) }
    }

    /// Lines, without those in the middle if they are many.
    fn lines(&mut self, mut lines: Vec<String>) -> Vec<String> {
        if self.shortens(lines.len(), MOST_LINES) {
            let last = lines.pop();
            let left_out = lines.len() - FIRST_LINES;
            lines.truncate(FIRST_LINES);
            lines.push(format!("... ({left_out} more lines)"));
            lines.extend(last);
        }
        lines
    }
}

/// The beginning and the end of a long list, and the number of the others.
pub(crate) fn shortened<T: Display>(numbers: &[T], between: &str) -> String {
    let left_out = numbers.len() - FIRST_NUMBERS - LAST_NUMBERS;
    let (first, last) = (&numbers[..FIRST_NUMBERS], &numbers[numbers.len() - LAST_NUMBERS..]);
    let (first, last) = (joined(first, between), joined(last, between));
    format!("{first}{between}... ({left_out} more) ...{between}{last}")
}

fn empty(by: u64, subject: &Subject, key: &RowKey) -> RowInWords {
    let lower: Vec<u64> = key.tail().parts().iter().map(|&r| r.min(by)).collect();
    let position = format!("({by},{by},{})", joined(&lower, ","));
    let why = format!("{by}: {position} is a {}, and a bite in row 1 leaves it", subject.position);
    let title = format!("{} is empty", subject.name);
    RowInWords { title, entries: vec![line("by", why)], is_shortened: false }
}

fn finite(finite: &Finite, subject: &Subject, mut lists: Lists) -> RowInWords {
    let Finite { row, first, last, head } = finite;
    let position = subject.at(*last, *last);
    let entries = vec![
        first_value(*row, *first, subject),
        line("last", format!("{last}: the last {} is {position}", subject.position)),
        offsets(*row, *last + 1, head, &mut lists),
    ];
    let title = format!("{} is finite", subject.name);
    RowInWords { title, entries, is_shortened: lists.is_shortened }
}

fn periodic(
    periodic: &Periodic,
    subject: &Subject,
    classical: Option<&ClassicalBound>,
    mut lists: Lists,
) -> RowInWords {
    let Periodic { row, first, start, values, head, .. } = periodic;
    let (pattern, mean) = (lists.numbers(&periodic.pattern(), " "), periodic.mean());
    let repeated = lists.numbers(values, ", ");
    let mut entries = vec![
        first_value(*row, *first, subject),
        line("start", format!("{start}, the least column from which the offsets repeat")),
        line("period", periodic.period().to_string()),
        line("values", format!("{repeated}, the offsets p - q from q = {start} on")),
        line("pattern", format!("{pattern}, the values minus their mean {mean}")),
        offsets(*row, *start, head, &mut lists),
    ];
    if let Head::Offsets(offsets) = head {
        let offsets = lists.numbers(offsets, ", ");
        let closed = format!("[{offsets}][{repeated}]^∞, from q = {row} on");
        entries.push(line("closed form", closed));
    }
    entries.push(certificate(&periodic.certificate, &mut lists));
    entries.extend(classical.map(|classical| bound(classical, *row)));
    let title = format!("{} is periodic", subject.name);
    RowInWords { title, entries, is_shortened: lists.is_shortened }
}

/// In three-rowed Chomp the first value is on the diagonal.
fn first_value(row: u64, first: u64, subject: &Subject) -> Entry {
    let what = if subject.lower == row.to_string() && subject.position == "P-position" {
        format!("{first}, the diagonal value f({row},{row})")
    } else {
        format!("{first}: the first {} is {}", subject.position, subject.at(first, row))
    };
    line("first", what)
}

fn offsets(row: u64, end: u64, head: &Head, lists: &mut Lists) -> Entry {
    if end == row {
        return line("head", "empty".to_owned());
    }
    let columns = format!("{} offsets, q = {row} to {}", end - row, end - 1);
    let lines = match head {
        Head::Offsets(offsets) => {
            let chunks = (row..).step_by(OFFSETS_A_LINE).zip(offsets.chunks(OFFSETS_A_LINE));
            let chunks =
                chunks.map(|(column, chunk)| format!("q = {column}: {}", joined(chunk, ", ")));
            iter::once(columns).chain(lists.lines(chunks.collect())).collect()
        }
        Head::Fingerprint(sum) => vec![format!("{columns}, fingerprint {sum:016x}")],
    };
    Entry { name: "head", lines }
}

/// Fact 3, with the numbers of this row.
fn certificate(certificate: &Certificate, lists: &mut Lists) -> Entry {
    let Certificate { from, recurs, modulus, filled, above } = certificate;
    let distance = recurs - from;
    let above = match above.as_slice() {
        [] => String::new(),
        above => format!(", and {}", lists.numbers(above, ", ")),
    };
    let state = match filled {
        0 if above.is_empty() => "no offset".to_owned(),
        0 => format!("just the offsets{}", above.trim_start_matches(", and")),
        1 => format!("just the offset 0{above}"),
        _ => format!("just the offsets 0 to {}{above}", filled - 1),
    };
    let lines = vec![
        "(fact 3 of the proofs)".to_owned(),
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
