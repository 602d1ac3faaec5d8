//! The text of one segment file: header, records, `End`.

use std::io::{BufRead, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{DataSetError, FORMAT, io_error};
use crate::line::{print, read_canonical};
use crate::{HeadForm, RowRecord, parse_line, quoted};

/// The lines around the records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum OuterLine {
    /// The first line: rows `first` to `last`, and the hash of the segment before (empty for the
    /// first segment).
    Segment { format: u32, first: u64, last: u64, head: HeadForm, previous: String },
    /// The last line: the number of rows, and the hash of all bytes before this line.
    End { rows: u64, blake3: String },
}

/// A segment as text, with the hash that its `End` line states.
pub(super) struct Segment {
    pub(super) text: String,
    pub(super) hash: String,
}

/// What the manifest and the segment before say of a segment.
pub(super) struct Expected<'a> {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) form: HeadForm,
    pub(super) previous: &'a str,
    pub(super) hash: &'a str,
}

impl Segment {
    /// The segment of these records, which follow each other and begin with row `first`.
    pub(super) fn of(records: &[RowRecord], first: u64, form: HeadForm, previous: &str) -> Self {
        let rows = records.len() as u64;
        let mut text = String::new();
        let mut push = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        push(&print(&header(first, first + rows - 1, form, previous)));
        for record in records {
            push(&record.to_string());
        }
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        text.push_str(&print(&OuterLine::End { rows, blake3: hash.clone() }));
        text.push('\n');
        Self { text, hash }
    }

    /// The records of a segment, if it is whole and the one that is expected. Line by line, and
    /// none longer than a row can need: memory is that of the records.
    ///
    /// A segment whose hash is wrong is damaged, whatever else is wrong with it.
    pub(super) fn read(
        text: &mut dyn BufRead,
        path: &Path,
        expected: &Expected,
    ) -> Result<Vec<RowRecord>, DataSetError> {
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
        let OuterLine::End { rows, blake3 } = read_canonical(&end, place).map_err(in_file)? else {
            return Err(damaged("its last line is no End".to_owned()));
        };
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

/// A row's share of the length of a text, in bytes: many times what a record has been seen to need.
/// Heads end near column √2·r, and a number with its comma takes some nine bytes of a line.
const SHARE: u64 = 4096;
const SHARE_OF_COLUMN: u64 = 8;

/// A single line may be as long as the shares of this number of rows.
const SHARES_OF_LINE: u64 = 16;

/// Lines and texts may always have this number of bytes: a reader has that much memory.
const ALWAYS: u64 = 16 << 20;

impl Expected<'_> {
    fn share(&self, row: u64) -> u64 {
        let columns = if self.form == HeadForm::Offsets { row.saturating_add(1) } else { 0 };
        SHARE.saturating_add(columns.saturating_mul(SHARE_OF_COLUMN))
    }

    /// The longest line with that number, in bytes.
    fn longest_line(&self, number: u64) -> u64 {
        let row = self.first.saturating_add(number).min(self.last);
        self.share(row).saturating_mul(SHARES_OF_LINE).max(ALWAYS)
    }

    /// The longest text, in bytes: the shares of its rows together.
    fn longest_text(&self) -> u64 {
        let shares = (self.first..=self.last).map(|row| self.share(row));
        shares.fold(0, u64::saturating_add).max(ALWAYS)
    }

    /// Takes a line that is not the last.
    fn take(
        &self,
        mut records: Vec<RowRecord>,
        line: &str,
        number: u64,
        path: &Path,
    ) -> Result<Vec<RowRecord>, DataSetError> {
        let damaged = |what: String| Err(DataSetError::Damaged { path: path.to_owned(), what });
        let in_file = |row| move |source| DataSetError::Line { path: path.to_owned(), row, source };
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        if number == 1 {
            let due = header(self.first, self.last, self.form, self.previous);
            return match read_canonical(line, place).map_err(in_file(None))? {
                OuterLine::Segment { format, .. } if format != FORMAT => {
                    Err(DataSetError::Format { path: path.to_owned(), format })
                }
                found if found != due => damaged(format!("line 1 should be {}", print(&due))),
                _ => Ok(records),
            };
        }
        let row = self.first + (number - 2);
        let record = parse_line(line, place).map_err(in_file(Some(row)))?;
        if record.row() != row {
            return damaged(format!("line {number} is row {}, not {row}", record.row()));
        }
        if record.head().form() != self.form {
            return damaged(format!("line {number}, row {row}, has a head of the other form"));
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

fn header(first: u64, last: u64, head: HeadForm, previous: &str) -> OuterLine {
    OuterLine::Segment { format: FORMAT, first, last, head, previous: previous.to_owned() }
}
