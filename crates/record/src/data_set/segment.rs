//! The text of one segment file: header, records, `End`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{DataSetError, FORMAT};
use crate::line::{print, read_canonical};
use crate::{HeadForm, ReadError, RowRecord, parse_line};

/// The lines around the records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum Frame {
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
        text.push_str(&print(&Frame::End { rows, blake3: hash.clone() }));
        text.push('\n');
        Self { text, hash }
    }

    /// The records of a segment, if it is whole and the one that is expected.
    pub(super) fn parse(
        text: &str,
        path: &Path,
        expected: &Expected,
    ) -> Result<Vec<RowRecord>, DataSetError> {
        let damaged = |what: String| DataSetError::Damaged { path: path.to_owned(), what };
        let in_file = |row| {
            move |source: ReadError| DataSetError::Line { path: path.to_owned(), row, source }
        };

        if text.contains('\r') {
            return Err(damaged(
                "it has carriage returns; its lines end with line feeds".to_owned(),
            ));
        }
        let body = body_of(text).ok_or_else(|| damaged("it is cut short".to_owned()))?;
        let lines = body.lines().count();
        let end = text[body.len()..].trim_end_matches('\n');
        let Frame::End { rows, blake3 } = read_canonical(end, lines + 1).map_err(in_file(None))?
        else {
            return Err(damaged("its last line is no End".to_owned()));
        };
        let hash = blake3::hash(body.as_bytes()).to_hex();
        for (says, stated) in [("its last line", blake3.as_str()), ("the manifest", expected.hash)]
        {
            if stated != hash.as_str() {
                return Err(damaged(format!("its hash is {hash}, but {says} says {stated}")));
            }
        }

        let mut lines = body.lines().zip(1..);
        let (first_line, _) = lines.next().ok_or_else(|| damaged("it has no header".to_owned()))?;
        let found: Frame = read_canonical(first_line, 1).map_err(in_file(None))?;
        match found {
            Frame::Segment { format, .. } if format != FORMAT => {
                return Err(DataSetError::Format { path: path.to_owned(), format });
            }
            _ => {}
        }
        let due = header(expected.first, expected.last, expected.form, expected.previous);
        if found != due {
            return Err(damaged(format!("line 1 should be {}", print(&due))));
        }

        let mut records = Vec::new();
        for ((line, number), row) in lines.zip(expected.first..) {
            let record = parse_line(line, number).map_err(in_file(Some(row)))?;
            if record.row() != row {
                return Err(damaged(format!("line {number} is row {}, not {row}", record.row())));
            }
            if record.head().form() != expected.form {
                return Err(damaged(format!(
                    "line {number}, row {row}, has a head of the other form"
                )));
            }
            records.push(record);
        }
        let due = expected.last - expected.first + 1;
        if records.len() as u64 != due || rows != due {
            return Err(damaged(format!("it has {} rows, not {due}", records.len())));
        }
        Ok(records)
    }
}

fn header(first: u64, last: u64, head: HeadForm, previous: &str) -> Frame {
    Frame::Segment { format: FORMAT, first, last, head, previous: previous.to_owned() }
}

/// All but the last line of a text whose last line is whole.
fn body_of(text: &str) -> Option<&str> {
    let end = text.strip_suffix('\n')?.rfind('\n')?;
    Some(&text[..=end])
}
