//! The text of one segment file: header, records, `End`.

use std::fmt::Write as _;
use std::io::{BufRead, Read};
use std::path::Path;

use super::contents::converted;
use super::{DataSetError, Manifest, SegmentEntry, io_error};
use crate::{Record, RowKey, parse_line, quoted};

impl Manifest {
    /// The first line of segment `index`.
    ///
    /// # Panics
    /// If there is no such segment.
    pub fn first_line(&self, index: usize) -> String {
        let Self { contents, head, segments, .. } = self;
        let (format, head) = (contents.format(), contents.name_of(*head));
        let SegmentEntry { first, last, .. } = segments[index];
        let previous = index.checked_sub(1).map_or("", |before| &segments[before].blake3);
        let poset = |lines: &[String]| format!("\"{}\"", blake3::hash(lines.join("\n").as_bytes()));
        let fields = contents.fields(poset).into_iter();
        let family: String = fields.map(|field| field + ", ").collect();
        format!(
            "Segment(format: {format}, {family}first: {first}, last: {last}, head: {head}, \
             previous: \"{previous}\")"
        )
    }

    /// With the segment of the records that are due next, and its text.
    ///
    /// # Panics
    /// If the records are not those that are due.
    pub(super) fn extended(&self, records: &[Record]) -> (Self, String) {
        let (mut manifest, first, rows) = (self.clone(), self.rows, records.len() as u64);
        let due = self.contents.keys_from(first).take(records.len());
        assert!(due.eq(records.iter().map(|record| record.key().clone())), "rows are in order");
        manifest.rows = first + rows;
        let (last, blake3) = (manifest.rows - 1, String::new());
        manifest.segments.push(SegmentEntry { first, last, blake3, zstd: false });
        let mut text = manifest.first_line(self.segments.len()) + "\n";
        for record in records {
            writeln!(text, "{record}").expect("a string can always be written to");
        }
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        writeln!(text, "End(rows: {rows}, blake3: {hash:?})").expect("as above");
        manifest.segments[self.segments.len()].blake3 = hash;
        (manifest, text)
    }

    /// The longest text of segment `index`, in bytes: the shares of its records together.
    pub(super) fn longest_text(&self, index: usize) -> u64 {
        let SegmentEntry { first, last, .. } = self.segments[index];
        let shares = (first..=last).map(|record| self.contents.share(record, self.head));
        shares.fold(0, u64::saturating_add).max(ALWAYS)
    }

    /// Reads the text of segment `index`: its records, if it is whole and the one that this
    /// manifest lists. `path` is for error messages, and `stop` is asked before each line.
    ///
    /// It is read line by line, and no line may be longer than a row can need: only the records
    /// are in memory. If the hash is wrong, the segment is reported as damaged, even if more is
    /// wrong with it.
    ///
    /// # Errors
    /// A damaged segment, and [`DataSetError::Stopped`].
    ///
    /// # Panics
    /// If there is no such segment.
    pub fn read_segment(
        &self,
        index: usize,
        text: &mut dyn BufRead,
        path: &Path,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Record>, DataSetError> {
        let error = |what: &str| DataSetError::damaged(path, what);
        let damaged = |what: &str| Err(error(what));
        let &SegmentEntry { first, last, blake3: ref due, .. } = &self.segments[index];
        let mut lines = Lines { text, path, left: self.longest_text(index) };
        let longest = |number: u64| {
            let record = first.saturating_add(number).min(last);
            let share = self.contents.share(record, self.head);
            share.saturating_mul(SHARES_OF_LINE).max(ALWAYS)
        };
        let (first_line, mut hasher) = (self.first_line(index), blake3::Hasher::new());
        let mut records = Ok(Vec::new());
        let (mut keys, rows) = (self.contents.keys_from(first), last - first + 1);

        let (mut line, mut number) = (lines.next(longest(1))?, 1);
        let end = loop {
            if stop() {
                return Err(DataSetError::Stopped);
            }
            let next = lines.next(longest(number + 1))?;
            let (Some(here), true) = (&line, next.is_some()) else { break line };
            if number > rows + 1 {
                return damaged(&format!("line {number} is past its last row {last}"));
            }
            hasher.update(here.as_bytes());
            hasher.update(b"\n");
            if let Ok(read) = &mut records {
                let taken = match number {
                    1 if *here == first_line => Ok(()),
                    1 => Err(error(&format!("line 1 should be {first_line}"))),
                    _ => self.record(here, number, keys.next(), path).map(|row| read.push(row)),
                };
                records = taken.and(records);
            }
            (line, number) = (next, number + 1);
        };

        let Some(end) = end.filter(|_| number > 1) else { return damaged("it is cut short") };
        let stated = end.strip_prefix("End(rows: ").and_then(|rest| rest.strip_suffix("\")"));
        let stated = stated.and_then(|rest| rest.split_once(", blake3: \""));
        let Some((stated, blake3)) = stated.filter(|(_, hash)| hash.len() == due.len()) else {
            return damaged("its last line is no End");
        };
        let hash = hasher.finalize().to_hex();
        for (says, stated) in [("its last line", blake3), ("the manifest", due)] {
            if stated != hash.as_str() {
                let stated = quoted(stated);
                return damaged(&format!("its hash is {hash}, but {says} says {stated}"));
            }
        }
        let records = records?;
        if records.len() as u64 != rows || stated != rows.to_string() {
            return damaged(&format!("it has {} rows, not {rows}", records.len()));
        }
        Ok(records)
    }

    /// The record of a line, if its row has the key `due`.
    fn record(
        &self,
        line: &str,
        number: u64,
        due: Option<RowKey>,
        path: &Path,
    ) -> Result<Record, DataSetError> {
        let damaged = |what: String| DataSetError::damaged(path, what);
        let due = due.ok_or_else(|| damaged(format!("line {number} is past its last row")))?;
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let record = parse_line(line, place).map_err(|source| {
            let key = Some(Box::new(due.clone()));
            DataSetError::Line { path: path.to_owned(), key, source }
        })?;
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
        let damaged = |what: &str| Err(DataSetError::damaged(self.path, what));
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
