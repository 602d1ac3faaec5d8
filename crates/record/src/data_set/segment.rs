//! The rows that a data set holds, their division into segments, and the text of one segment file:
//! header, records, `End`. Formats 1, 2 and 3 differ only in these rows and in their names.

use std::fmt::Write as _;
use std::io::{BufRead, Read};
use std::ops::RangeInclusive;
use std::path::Path;

use serde::Deserialize;

use super::{DataSetError, io_error};
use crate::{Family, GrowingPoset, HeadForm, Lower, ReadError, Record, RowKey, parse_line, quoted};

/// The number of rows of a full segment. Segments begin at its multiples.
pub const SEGMENT_ROWS: u64 = 10_000;

/// The line of a segment's first record. The line before it is the segment's head.
const FIRST_RECORD: u64 = 2;

/// The rows of the segment that holds this row, in a data set of rows 0 to `last_row`. Only the
/// last segment may have fewer than [`SEGMENT_ROWS`].
pub fn segment_of(row: u64, last_row: u64) -> RangeInclusive<u64> {
    let first = row - row % SEGMENT_ROWS;
    first..=first.saturating_add(SEGMENT_ROWS - 1).min(last_row)
}

/// The line of its segment on which a row's record stands, counted from 1.
pub fn line_of(row: u64) -> u64 {
    row % SEGMENT_ROWS + FIRST_RECORD
}

/// The name of the file of a segment that is not compressed. It has both ends, so a longer segment
/// never overwrites a shorter one before the manifest lists it.
///
/// ```
/// use record::data_set::{file_name, segment_of};
/// assert_eq!(file_name(&segment_of(10_005, 12_000)), "rows-0010000-0012000.ron");
/// ```
pub fn file_name(rows: &RangeInclusive<u64>) -> String {
    format!("rows-{:07}-{:07}.ron", rows.start(), rows.end())
}

/// Whether the file of some segment that is not compressed has this name.
#[cfg(feature = "files")]
pub(crate) fn is_file_name(name: &str) -> bool {
    let number = |digits: &str| digits.len() >= 7 && digits.bytes().all(|b| b.is_ascii_digit());
    name.strip_prefix("rows-")
        .and_then(|rest| rest.strip_suffix(".ron"))
        .and_then(|rows| rows.split_once('-'))
        .is_some_and(|(first, last)| number(first) && number(last))
}

/// The version of the format of data sets of three-rowed Chomp.
pub const FORMAT: u32 = 1;

/// The version of the format of data sets of families, by level and tail.
pub const FAMILY_FORMAT: u32 = 2;

/// The version of the format of data sets of families, by level and order ideal.
pub const POSET_FORMAT: u32 = 3;

/// The rows of a data set, which determine its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Rows 0, 1, 2, ... of three-rowed Chomp (format 1). More rows can be appended.
    Rows,
    /// All rows of a family, by level and tail (format 2), or by level and ideal (format 3).
    Family(Family),
}

/// The name of a form of heads in a manifest. Formats 2 and 3 name fingerprints after the weights
/// of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum HeadName {
    Fingerprint,
    Splitmix64,
    Offsets,
}

impl HeadName {
    pub(super) fn form(self) -> HeadForm {
        match self {
            Self::Fingerprint | Self::Splitmix64 => HeadForm::Fingerprint,
            Self::Offsets => HeadForm::Offsets,
        }
    }
}

/// In bytes. A head of row r has about 0.42·r offsets, and an offset takes a few digits and a
/// comma.
const SHARE: u64 = 4096;
const SHARE_OF_COLUMN: u64 = 8;

/// One mebibyte, because no bound is known for the periods of levels and tails.
const SHARE_IN_FAMILY: u64 = 1 << 20;

impl Contents {
    pub(super) fn format(&self) -> u32 {
        match self {
            Self::Rows => FORMAT,
            Self::Family(Family { lower: Lower::Within(_), .. }) => FAMILY_FORMAT,
            Self::Family(Family { lower: Lower::Ideals(_), .. }) => POSET_FORMAT,
        }
    }

    pub(super) fn name_of(&self, head: HeadForm) -> HeadName {
        match (self, head) {
            (_, HeadForm::Offsets) => HeadName::Offsets,
            (Self::Rows, HeadForm::Fingerprint) => HeadName::Fingerprint,
            (Self::Family(_), HeadForm::Fingerprint) => HeadName::Splitmix64,
        }
    }

    /// The fields of a family, as manifests and segments have them; `poset` writes the description
    /// of a poset.
    pub(super) fn fields(
        &self,
        poset: impl Fn(&GrowingPoset) -> String,
    ) -> impl Iterator<Item = String> {
        let family = match self {
            Self::Rows => None,
            Self::Family(Family { level, lower }) => Some((level, lower)),
        };
        family.into_iter().flat_map(move |(level, lower)| {
            let lower = match lower {
                Lower::Within(within) => format!("within: {:?}", within.parts()),
                Lower::Ideals(ideals) => format!("poset: {}", poset(ideals.poset())),
            };
            [format!("to_level: {level}"), lower]
        })
    }

    /// The keys of the rows from number `first` on, in their order.
    pub(super) fn keys_from(&self, first: u64) -> Box<dyn Iterator<Item = RowKey>> {
        match self {
            Self::Rows => Box::new((first..).map(|row| RowKey::of_row(0, row))),
            Self::Family(family) => {
                let first = usize::try_from(first).unwrap_or(usize::MAX);
                Box::new(family.keys().skip(first))
            }
        }
    }

    /// A bound for the part of a text that one record takes, in bytes. All known records need a
    /// fraction of it.
    pub(super) fn share(&self, number: u64, head: HeadForm) -> u64 {
        match (self, head) {
            (Self::Family(_), _) => SHARE_IN_FAMILY,
            (Self::Rows, HeadForm::Fingerprint) => SHARE,
            (Self::Rows, HeadForm::Offsets) => {
                SHARE.saturating_add(number.saturating_add(1).saturating_mul(SHARE_OF_COLUMN))
            }
        }
    }
}

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
        let due = self.line();
        let format = line.strip_prefix("Segment(format: ").and_then(|rest| rest.split_once(','));
        match format.and_then(|(format, _)| format.parse().ok()) {
            _ if line == due => Ok(()),
            Some(format) if format != self.contents.format() => {
                Err(DataSetError::of_format(path, format))
            }
            _ => Err(DataSetError::damaged(path, format!("line 1 should be {due}"))),
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
        let damaged = |what: String| DataSetError::damaged(path, what);
        let due = due.ok_or_else(|| damaged(format!("line {number} is past its last row")))?;
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let in_file = |source: ReadError| {
            let key = Some(Box::new(due.clone()));
            DataSetError::Line { path: path.to_owned(), key, source }
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

fn end_line(rows: u64, hash: &str) -> String {
    format!("End(rows: {rows}, blake3: {hash:?})")
}

impl Header<'_> {
    /// The text of the segment with this header and these records, and the hash that its `End` line
    /// states.
    pub(super) fn segment(&self, records: &[Record]) -> (String, String) {
        let mut text = self.line() + "\n";
        for record in records {
            writeln!(text, "{record}").expect("a string can always be written to");
        }
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        (text + &end_line(self.records(), &hash) + "\n", hash)
    }

    /// The records of a segment, if it is whole, has this header, and `due` is its hash according
    /// to the manifest. It is read line by line, and no line may be longer than a row can need:
    /// only the records are in memory.
    ///
    /// If the hash is wrong, the segment is reported as damaged, even if more is wrong with it.
    pub(super) fn read_segment(
        &self,
        text: &mut dyn BufRead,
        path: &Path,
        due: &str,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Record>, DataSetError> {
        let damaged = |what: &str| Err(DataSetError::damaged(path, what));
        let mut lines = Lines { text, path, left: self.longest_text() };
        let mut hasher = blake3::Hasher::new();
        let mut records = Ok(Vec::new());
        let mut keys = self.contents.keys_from(self.first);

        let (mut line, mut number) = (lines.next(self.longest_line(1))?, 1);
        let end = loop {
            if stop() {
                return Err(DataSetError::Stopped);
            }
            let next = lines.next(self.longest_line(number + 1))?;
            let (Some(here), true) = (&line, next.is_some()) else { break line };
            if number > self.records() + 1 {
                let last = self.last;
                return damaged(&format!("line {number} is past its last row {last}"));
            }
            hasher.update(here.as_bytes());
            hasher.update(b"\n");
            if let Ok(read) = &mut records {
                let taken = match number {
                    1 => self.compare(here, path),
                    _ => self.record(here, number, keys.next(), path).map(|row| read.push(row)),
                };
                if let Err(error) = taken {
                    records = Err(error);
                }
            }
            (line, number) = (next, number + 1);
        };

        let Some(end) = end.filter(|_| number > 1) else { return damaged("it is cut short") };
        let stated = end.strip_prefix("End(rows: ").and_then(|rest| rest.strip_suffix("\")"));
        let stated = stated.and_then(|rest| rest.split_once(", blake3: \""));
        let Some((rows, blake3)) = stated.filter(|(_, hash)| hash.len() == due.len()) else {
            return damaged("its last line is no End");
        };
        let hash = hasher.finalize().to_hex();
        for (says, stated) in [("its last line", blake3), ("the manifest", due)] {
            if stated != hash.as_str() {
                let stated = quoted(stated);
                return damaged(&format!("its hash is {hash}, but {says} says {stated}"));
            }
        }
        let (records, due) = (records?, self.records());
        if records.len() as u64 != due || rows != due.to_string() {
            return damaged(&format!("it has {} rows, not {due}", records.len()));
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
