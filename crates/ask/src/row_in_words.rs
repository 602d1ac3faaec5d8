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
        let (statement, key) = (row.record.statement(), row.record.key());
        let name = match key.tail().parts() {
            [_, _, ..] => key.tail().to_string(),
            _ => key.first_column().to_string(),
        };
        let level = if key.level == 0 { String::new() } else { format!(" of level {}", key.level) };
        let title = format!("row {name}{level} is {}", statement.kind());
        let words = Self { title, entries: Vec::new(), is_shortened: false };
        let mut writer = Writer { key, detail, words };
        match statement {
            Statement::Empty { by } => writer.empty(*by),
            Statement::Finite(finite) => writer.finite(finite),
            Statement::Periodic(own) => writer.periodic(own, row.classical.as_ref()),
        }
        writer.words
    }
}

/// The words of a row, as far as they are written.
struct Writer<'a> {
    key: &'a RowKey,
    detail: Detail,
    words: RowInWords,
}

impl Writer<'_> {
    fn entry(&mut self, name: &'static str, lines: Vec<String>) {
        self.words.entries.push(Entry { name, lines });
    }

    fn line(&mut self, name: &'static str, line: String) {
        self.entry(name, vec![line]);
    }

    /// Whether a list of this length is shortened, if those with more than `most` things are long.
    fn shortens(&mut self, length: usize, most: usize) -> bool {
        let shortens = self.detail == Detail::Brief && length > most;
        self.words.is_shortened |= shortens;
        shortens
    }

    /// Numbers with `between` between them.
    fn numbers<T: Display>(&mut self, numbers: &[T], between: &str) -> String {
        let shortens = self.shortens(numbers.len(), MOST_NUMBERS);
        if shortens { shortened(numbers, between) } else { joined(numbers, between) }
    }

    /// What the positions of the row are.
    fn positions(&self) -> String {
        match self.key.level {
            0 => "P-position".to_owned(),
            level => format!("position of value {level}"),
        }
    }

    /// The position with these two longest rows.
    fn at(&self, p: u64, q: u64) -> String {
        let parts = self.key.tail().parts();
        format!("({p},{q},{})", if parts.is_empty() { "0".to_owned() } else { joined(parts, ",") })
    }

    fn empty(&mut self, by: u64) {
        let lower = joined(self.key.tail().parts().iter().map(|&r| r.min(by)), ",");
        let why = format!("({by},{by},{lower}) is a {}", self.positions());
        self.line("by", format!("{by}: {why}, and a bite in row 1 leaves it"));
    }

    fn finite(&mut self, Finite { row, first, last, head }: &Finite) {
        self.first(*row, *first);
        let (what, position) = (self.positions(), self.at(*last, *last));
        self.line("last", format!("{last}: the last {what} is {position}"));
        self.head(*row, *last + 1, head);
    }

    fn periodic(&mut self, periodic: &Periodic, classical: Option<&ClassicalBound>) {
        let Periodic { row, first, start, values, head, .. } = periodic;
        let (pattern, mean) = (self.numbers(&periodic.pattern(), " "), periodic.mean());
        let repeated = self.numbers(values, ", ");
        self.first(*row, *first);
        self.line("start", format!("{start}, the least column from which the offsets repeat"));
        self.line("period", periodic.period().to_string());
        self.line("values", format!("{repeated}, the offsets p - q from q = {start} on"));
        self.line("pattern", format!("{pattern}, the values minus their mean {mean}"));
        self.head(*row, *start, head);
        if let Head::Offsets(offsets) = head {
            let offsets = self.numbers(offsets, ", ");
            self.line("closed form", format!("[{offsets}][{repeated}]^∞, from q = {row} on"));
        }
        self.certificate(&periodic.certificate);
        if let Some(classical) = classical {
            self.bound(classical, *row);
        }
    }

    /// In three-rowed Chomp the first value is on the diagonal.
    fn first(&mut self, row: u64, first: u64) {
        let what = if self.key.is_three_rowed() {
            format!("{first}, the diagonal value f({row},{row})")
        } else {
            format!("{first}: the first {} is {}", self.positions(), self.at(first, row))
        };
        self.line("first", what);
    }

    fn head(&mut self, row: u64, end: u64, head: &Head) {
        if end == row {
            return self.line("head", "empty".to_owned());
        }
        let columns = format!("{} offsets, q = {row} to {}", end - row, end - 1);
        let offsets = match head {
            Head::Fingerprint(sum) => {
                return self.line("head", format!("{columns}, fingerprint {sum:016x}"));
            }
            Head::Offsets(offsets) => offsets.chunks(OFFSETS_A_LINE),
        };
        let offsets = (row..).step_by(OFFSETS_A_LINE).zip(offsets);
        let offsets = offsets.map(|(q, offsets)| format!("q = {q}: {}", joined(offsets, ", ")));
        let mut lines: Vec<String> = iter::once(columns).chain(offsets).collect();
        if self.shortens(lines.len() - 1, MOST_LINES) {
            let left_out = lines.len() - FIRST_LINES - 2;
            let line = format!("... ({left_out} more lines)");
            lines.splice(1 + FIRST_LINES..lines.len() - 1, [line]);
        }
        self.entry("head", lines);
    }

    /// Fact 3, with the numbers of this row.
    fn certificate(&mut self, certificate: &Certificate) {
        let Certificate { from, recurs, modulus, filled, above } = certificate;
        let distance = recurs - from;
        let above = match above.as_slice() {
            [] => String::new(),
            above => format!(", and {}", self.numbers(above, ", ")),
        };
        let state = match filled {
            0 if above.is_empty() => "no offset".to_owned(),
            0 => format!("just the offsets{}", above.trim_start_matches(", and")),
            1 => format!("just the offset 0{above}"),
            _ => format!("just the offsets 0 to {}{above}", filled - 1),
        };
        let text = format!(
            "(fact 3 of the proofs)\n\
             When column {from} is reached, 0, the diagonal and the row itself block {state}.\n\
             When column {recurs} is reached, they block the same again. By column {from} the rows\n\
             below have settled, and those that matter repeat with periods that divide {modulus},\n\
             which divides {recurs} - {from} = {distance}. So the offsets repeat from column {from} on,\n\
             with a period that divides {distance}."
        );
        self.entry("certificate", text.lines().map(str::to_owned).collect());
    }

    /// Fact 2, with the numbers of this row.
    fn bound(&mut self, ClassicalBound { bound, checked }: &ClassicalBound, row: u64) {
        let check = if *checked {
            format!("Checked: the recurrence gives these offsets for q - {row} = 0 to {bound}.")
        } else {
            "Out of reach; the row rests on its certificate.".to_owned()
        };
        let bound = format!("bound max(a0, b0) + M + lcm(κ, ν) = {bound} (fact 2)");
        self.entry("classical", vec![bound, check]);
    }
}

/// The beginning and the end of a long list, and the number of the others.
pub(crate) fn shortened<T: Display>(numbers: &[T], between: &str) -> String {
    let left_out = numbers.len() - FIRST_NUMBERS - LAST_NUMBERS;
    let (first, last) = (&numbers[..FIRST_NUMBERS], &numbers[numbers.len() - LAST_NUMBERS..]);
    let (first, last) = (joined(first, between), joined(last, between));
    format!("{first}{between}... ({left_out} more) ...{between}{last}")
}
