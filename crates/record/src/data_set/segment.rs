//! The text of one segment file: header, records, `End`.

use std::fmt::{Display, Write as _};
use std::io::{BufRead, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{DataSetError, FORMAT, io_error};
use crate::line::{print, read_canonical};
use crate::{HeadForm, ReadError, RowRecord, parse_line, quoted};

/// What a data set holds: how its records are written, and what the lines around them say.
pub(super) trait Contents {
    type Record: Display;
    /// The first line of a segment.
    type Header: Serialize + DeserializeOwned + PartialEq;

    /// The header of records `first` to `last`; the hash of the segment before is `previous`, empty
    /// for the first segment.
    fn header(&self, first: u64, last: u64, previous: &str) -> Self::Header;

    /// Another format than that of these contents, if the header says so.
    fn other_format(header: &Self::Header) -> Option<u32>;

    /// The line of a record, the number `place` in its file.
    fn parse(line: &str, place: usize) -> Result<Self::Record, ReadError>;

    /// What is wrong with this record where record `number` should be.
    fn misplaced(&self, number: u64, record: &Self::Record) -> Option<String>;

    /// The row that record `number` is of, if rows are numbered.
    fn row(&self, number: u64) -> Option<u64>;

    /// A record's share of the length of a text, in bytes: many times what it has been seen to
    /// need.
    fn share(&self, number: u64) -> u64;
}

/// Rows 0, 1, 2, ... of three-rowed Chomp: format 1.
pub(super) struct ThreeRowed {
    pub(super) form: HeadForm,
}

/// The first line of a segment of format 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Header {
    /// Rows `first` to `last`, and the hash of the segment before.
    Segment { format: u32, first: u64, last: u64, head: HeadForm, previous: String },
}

/// The last line of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum LastLine {
    /// The number of records, and the hash of all bytes before this line.
    End { rows: u64, blake3: String },
}

/// Heads end near column √2·r, and a number with its comma takes some nine bytes of a line.
const SHARE: u64 = 4096;
const SHARE_OF_COLUMN: u64 = 8;

impl Contents for ThreeRowed {
    type Record = RowRecord;
    type Header = Header;

    fn header(&self, first: u64, last: u64, previous: &str) -> Header {
        let (format, head, previous) = (FORMAT, self.form, previous.to_owned());
        Header::Segment { format, first, last, head, previous }
    }

    fn other_format(header: &Header) -> Option<u32> {
        let Header::Segment { format, .. } = header;
        Some(*format).filter(|format| *format != FORMAT)
    }

    fn parse(line: &str, place: usize) -> Result<RowRecord, ReadError> {
        parse_line(line, place)
    }

    fn misplaced(&self, number: u64, record: &RowRecord) -> Option<String> {
        if record.row() != number {
            return Some(format!(" is row {}, not {number}", record.row()));
        }
        let other = record.head().form() != self.form;
        other.then(|| format!(", row {number}, has a head of the other form"))
    }

    fn row(&self, number: u64) -> Option<u64> {
        Some(number)
    }

    fn share(&self, row: u64) -> u64 {
        let columns = if self.form == HeadForm::Offsets { row.saturating_add(1) } else { 0 };
        SHARE.saturating_add(columns.saturating_mul(SHARE_OF_COLUMN))
    }
}

/// A segment as text, with the hash that its `End` line states.
pub(super) struct Segment {
    pub(super) text: String,
    pub(super) hash: String,
}

/// What the manifest and the segment before say of a segment.
pub(super) struct Expected<'a, C> {
    pub(super) contents: &'a C,
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) previous: &'a str,
    pub(super) hash: &'a str,
}

impl Segment {
    /// The segment of these records, which follow each other and begin with record `first`.
    pub(super) fn of<C: Contents>(
        contents: &C,
        records: &[C::Record],
        first: u64,
        previous: &str,
    ) -> Self {
        let rows = records.len() as u64;
        let mut text = print(&contents.header(first, first + rows - 1, previous)) + "\n";
        for record in records {
            writeln!(text, "{record}").expect("a string can always be written to");
        }
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        text.push_str(&print(&LastLine::End { rows, blake3: hash.clone() }));
        text.push('\n');
        Self { text, hash }
    }

    /// The records of a segment, if it is whole and the one that is expected. Line by line, and
    /// none longer than a row can need: memory is that of the records.
    ///
    /// A segment whose hash is wrong is damaged, whatever else is wrong with it.
    pub(super) fn read<C: Contents>(
        text: &mut dyn BufRead,
        path: &Path,
        expected: &Expected<C>,
    ) -> Result<Vec<C::Record>, DataSetError> {
        let damaged = |what: String| DataSetError::Damaged { path: path.to_owned(), what };
        let mut lines = Lines { text, path, left: expected.longest_text() };
        let mut hasher = blake3::Hasher::new();
        let mut records = Ok(Vec::new());
        let due = expected.last - expected.first + 1;

        let (mut line, mut number) = (lines.next(expected.longest_line(1))?, 1);
        let end = loop {
            let next = lines.next(expected.longest_line(number + 1))?;
            let (Some(here), true) = (&line, next.is_some()) else { break line };
            if number > due + 1 {
                let last = expected.last;
                return Err(damaged(format!("line {number} is past its last row {last}")));
            }
            hasher.update(here.as_bytes());
            hasher.update(b"\n");
            records = records.and_then(|records| expected.take(records, here, number, path));
            (line, number) = (next, number + 1);
        };

        let end =
            end.filter(|_| number > 1).ok_or_else(|| damaged("it is cut short".to_owned()))?;
        let in_file = |source| DataSetError::Line { path: path.to_owned(), row: None, source };
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        if !end.starts_with("End") {
            return Err(damaged("its last line is no End".to_owned()));
        }
        let LastLine::End { rows, blake3 } = read_canonical(&end, place).map_err(in_file)?;
        let hash = hasher.finalize().to_hex();
        for (says, stated) in [("its last line", blake3.as_str()), ("the manifest", expected.hash)]
        {
            if stated != hash.as_str() {
                let stated = quoted(stated);
                return Err(damaged(format!("its hash is {hash}, but {says} says {stated}")));
            }
        }
        let records = records?;
        if records.len() as u64 != due || rows != due {
            return Err(damaged(format!("it has {} rows, not {due}", records.len())));
        }
        Ok(records)
    }
}

/// A single line may be as long as the shares of this number of rows.
const SHARES_OF_LINE: u64 = 16;

/// Lines and texts may always have this number of bytes: a reader has that much memory.
const ALWAYS: u64 = 16 << 20;

impl<C: Contents> Expected<'_, C> {
    /// The longest line with that number, in bytes.
    fn longest_line(&self, number: u64) -> u64 {
        let record = self.first.saturating_add(number).min(self.last);
        self.contents.share(record).saturating_mul(SHARES_OF_LINE).max(ALWAYS)
    }

    /// The longest text, in bytes: the shares of its records together.
    fn longest_text(&self) -> u64 {
        let shares = (self.first..=self.last).map(|record| self.contents.share(record));
        shares.fold(0, u64::saturating_add).max(ALWAYS)
    }

    /// Takes a line that is not the last.
    fn take(
        &self,
        mut records: Vec<C::Record>,
        line: &str,
        number: u64,
        path: &Path,
    ) -> Result<Vec<C::Record>, DataSetError> {
        let path = || path.to_owned();
        let in_file = |row| move |source| DataSetError::Line { path: path(), row, source };
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        if number == 1 {
            let due = self.contents.header(self.first, self.last, self.previous);
            let found: C::Header = read_canonical(line, place).map_err(in_file(None))?;
            if let Some(format) = C::other_format(&found) {
                return Err(DataSetError::Format { path: path(), format });
            }
            if found != due {
                let what = format!("line 1 should be {}", print(&due));
                return Err(DataSetError::Damaged { path: path(), what });
            }
            return Ok(records);
        }
        let due = self.first + (number - 2);
        let record = C::parse(line, place).map_err(in_file(self.contents.row(due)))?;
        if let Some(what) = self.contents.misplaced(due, &record) {
            let what = format!("line {number}{what}");
            return Err(DataSetError::Damaged { path: path(), what });
        }
        records.push(record);
        Ok(records)
    }
}

/// The lines of a text, which may be longer than what is wanted of it.
struct Lines<'a> {
    text: &'a mut dyn BufRead,
    path: &'a Path,
    /// How long the text may be from here on.
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
        if line.contains(&b'\r') {
            return damaged("it has carriage returns; its lines end with line feeds");
        }
        String::from_utf8(line).map_or_else(|_| damaged("it is not text"), |line| Ok(Some(line)))
    }
}
