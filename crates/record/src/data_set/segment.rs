//! The text of one segment file: header, records, `End`.

use std::fmt::Write as _;
use std::io::{BufRead, Read};
use std::path::Path;

use serde::Deserialize;

use super::contents::Contents;
use super::{DataSetError, io_error};
use crate::line::{read, require_canonical};
use crate::{GrowingPoset, HeadForm, ReadError, Record, RowKey, parse_line, quoted};

/// The content of the first line of a segment.
pub(super) struct Header<'a> {
    pub(super) contents: &'a Contents,
    pub(super) head: HeadForm,
    /// The numbers of its first and last record.
    pub(super) first: u64,
    pub(super) last: u64,
    /// The hash of the segment before, empty for the first one.
    pub(super) previous: &'a str,
}

impl Header<'_> {
    pub(super) fn line(&self) -> String {
        let &Self { contents, head, first, last, previous } = self;
        let (format, head) = (contents.format(), contents.name_of(head));
        let poset = |poset: &GrowingPoset| {
            format!("\"{}\"", blake3::hash(poset.lines().join("\n").as_bytes()))
        };
        let family: String = contents.fields(poset).map(|field| field + ", ").collect();
        format!(
            "Segment(format: {format}, {family}first: {first}, last: {last}, head: {head:?}, \
             previous: \"{previous}\")"
        )
    }

    /// An error unless a line is this one.
    fn compare(&self, line: &str, path: &Path) -> Result<(), DataSetError> {
        let (due, path) = (self.line(), || path.to_owned());
        if line == due {
            return Ok(());
        }
        let format = line.strip_prefix("Segment(format: ").and_then(|rest| rest.split_once(','));
        match format.and_then(|(format, _)| format.parse().ok()) {
            Some(format) if format != self.contents.format() => {
                Err(DataSetError::Format { path: path(), format })
            }
            _ => {
                let what = format!("line 1 should be {due}");
                Err(DataSetError::Damaged { path: path(), what })
            }
        }
    }

    /// The record of a line, if its row has the key `due`.
    fn record(
        &self,
        line: &str,
        number: u64,
        due: Option<RowKey>,
        path: &Path,
    ) -> Result<Record, DataSetError> {
        let path = || path.to_owned();
        let damaged = |what: String| DataSetError::Damaged { path: path(), what };
        let due = due.ok_or_else(|| damaged(format!("line {number} is past its last row")))?;
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let in_file = |source: ReadError| {
            let key = Some(Box::new(due.clone()));
            DataSetError::Line { path: path(), key, source }
        };
        let record = parse_line(line, place).map_err(in_file)?;
        if *record.key() != due {
            let (stated, due) = (record.key().to_string(), due.to_string());
            return Err(damaged(if stated == due {
                format!("line {number}, {due}: begins, column or shift is another one")
            } else {
                format!("line {number} is {stated}, not {due}")
            }));
        }
        if record.head().is_some_and(|head| head.form() != self.head) {
            return Err(damaged(format!("line {number}, {due}, has a head of the other form")));
        }
        Ok(record)
    }

    fn records(&self) -> u64 {
        self.last - self.first + 1
    }

    /// The longest line with that number, in bytes.
    fn longest_line(&self, number: u64) -> u64 {
        let record = self.first.saturating_add(number).min(self.last);
        self.contents.share(record, self.head).saturating_mul(SHARES_OF_LINE).max(ALWAYS)
    }

    /// The longest text, in bytes: the shares of its records together.
    pub(super) fn longest_text(&self) -> u64 {
        let shares = (self.first..=self.last).map(|record| self.contents.share(record, self.head));
        shares.fold(0, u64::saturating_add).max(ALWAYS)
    }
}

/// The last line of a segment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
enum LastLine {
    /// The number of records, and the hash of all bytes before this line.
    End { rows: u64, blake3: String },
}

impl LastLine {
    fn read(line: &str, place: usize) -> Result<(u64, String), ReadError> {
        let Self::End { rows, blake3 } = read(line, place)?;
        require_canonical(&end_line(rows, &blake3), line, place)?;
        Ok((rows, blake3))
    }
}

fn end_line(rows: u64, hash: &str) -> String {
    format!("End(rows: {rows}, blake3: {hash:?})")
}

/// A segment as text, with the hash that its `End` line states.
pub(super) struct Segment {
    pub(super) text: String,
    pub(super) hash: String,
}

impl Segment {
    /// The segment with this header and these records.
    pub(super) fn of(header: &Header, records: &[Record]) -> Self {
        let mut text = header.line() + "\n";
        for record in records {
            writeln!(text, "{record}").expect("a string can always be written to");
        }
        let (rows, hash) = (header.records(), blake3::hash(text.as_bytes()).to_hex().to_string());
        text.push_str(&end_line(rows, &hash));
        text.push('\n');
        Self { text, hash }
    }

    /// The records of a segment, if it is whole, has this header, and `due` is its hash according
    /// to the manifest. It is read line by line, and no line may be longer than a row can need:
    /// only the records are in memory.
    ///
    /// If the hash is wrong, the segment is reported as damaged, even if more is wrong with it.
    pub(super) fn read(
        text: &mut dyn BufRead,
        path: &Path,
        header: &Header,
        due: &str,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Record>, DataSetError> {
        let damaged = |what: String| DataSetError::Damaged { path: path.to_owned(), what };
        let mut lines = Lines { text, path, left: header.longest_text() };
        let mut hasher = blake3::Hasher::new();
        let mut records = Ok(Vec::new());
        let mut keys = header.contents.keys_from(header.first);

        let (mut line, mut number) = (lines.next(header.longest_line(1))?, 1);
        let end = loop {
            if stop() {
                return Err(DataSetError::Stopped);
            }
            let next = lines.next(header.longest_line(number + 1))?;
            let (Some(here), true) = (&line, next.is_some()) else { break line };
            if number > header.records() + 1 {
                let last = header.last;
                return Err(damaged(format!("line {number} is past its last row {last}")));
            }
            hasher.update(here.as_bytes());
            hasher.update(b"\n");
            if let Ok(read) = &mut records {
                let taken = match number {
                    1 => header.compare(here, path),
                    _ => header.record(here, number, keys.next(), path).map(|row| read.push(row)),
                };
                if let Err(error) = taken {
                    records = Err(error);
                }
            }
            (line, number) = (next, number + 1);
        };

        let end =
            end.filter(|_| number > 1).ok_or_else(|| damaged("it is cut short".to_owned()))?;
        let in_file = |source| DataSetError::Line { path: path.to_owned(), key: None, source };
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        if !end.starts_with("End") {
            return Err(damaged("its last line is no End".to_owned()));
        }
        let (rows, blake3) = LastLine::read(&end, place).map_err(in_file)?;
        let hash = hasher.finalize().to_hex();
        for (says, stated) in [("its last line", blake3.as_str()), ("the manifest", due)] {
            if stated != hash.as_str() {
                let stated = quoted(stated);
                return Err(damaged(format!("its hash is {hash}, but {says} says {stated}")));
            }
        }
        let (records, due) = (records?, header.records());
        if records.len() as u64 != due || rows != due {
            return Err(damaged(format!("it has {} rows, not {due}", records.len())));
        }
        Ok(records)
    }
}

/// How an editor has changed a text that this program wrote, if one has.
pub(super) fn converted(text: &str) -> Option<&'static str> {
    if text.starts_with('\u{feff}') {
        return Some("it begins with a byte order mark; save it as UTF-8 without one");
    }
    text.contains('\r').then_some("it has carriage returns; its lines end with line feeds")
}

/// A single line can be as long as the shares of this number of rows.
const SHARES_OF_LINE: u64 = 16;

/// Lines and texts of this many bytes are always accepted: a reader has that much memory.
const ALWAYS: u64 = 16 << 20;

/// The lines of a text, up to its longest permitted length.
struct Lines<'a> {
    text: &'a mut dyn BufRead,
    path: &'a Path,
    /// The number of bytes that may follow.
    left: u64,
}

impl Lines<'_> {
    /// The next line, without its line feed; `None` at the end of the text.
    fn next(&mut self, longest: u64) -> Result<Option<String>, DataSetError> {
        let damaged = |what: &str| {
            let what = what.to_owned();
            Err(DataSetError::Damaged { path: self.path.to_owned(), what })
        };
        let longest = longest.min(self.left);
        let mut line = Vec::new();
        let limited = &mut (&mut *self.text).take(longest.saturating_add(1));
        let read = limited.read_until(b'\n', &mut line).map_err(io_error("read", self.path))?;
        self.left = self.left.saturating_sub(read as u64);
        match line.pop() {
            None => return Ok(None),
            Some(_) if read as u64 > longest => {
                return damaged("its lines are longer than those of such rows can be");
            }
            Some(b'\n') => {}
            Some(_) => return damaged("it is cut short"),
        }
        let Ok(line) = String::from_utf8(line) else { return damaged("it is not text") };
        match converted(&line) {
            Some(what) => damaged(what),
            None => Ok(Some(line)),
        }
    }
}
