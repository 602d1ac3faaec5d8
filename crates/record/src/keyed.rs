//! Records of any row, by level and tail: what format 2 writes (fact 12 of `proofs/README.md`).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::line::{ReadError, column_of_field, print, read_canonical, require_canonical};
use crate::{Certificate, Fault, Finite, Head, HeadForm, Periodic, RowRecord, Statement, Tail};

/// Which row: all positions with these lower rows and this Grundy value. Row r of three-rowed Chomp
/// is level 0 and the tail `(r)`.
///
/// ```
/// use record::RowKey;
/// assert_eq!(RowKey::new(0, "120".parse()?).to_string(), "row 120");
/// assert_eq!(RowKey::new(3, "120".parse()?).to_string(), "row 120 of level 3");
/// assert_eq!(RowKey::new(0, "3,2".parse()?).to_string(), "tail (3,2)");
/// assert_eq!(RowKey::new(1, "()".parse()?).to_string(), "row 0 of level 1");
/// # Ok::<(), record::TailError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey {
    /// The lower rows.
    pub tail: Tail,
    /// The Grundy value.
    pub level: u64,
}

impl RowKey {
    /// The row of this level and tail.
    #[must_use]
    pub fn new(level: u64, tail: Tail) -> Self {
        Self { tail, level }
    }

    /// Row r of three-rowed Chomp at this level.
    ///
    /// # Panics
    /// If r is 2^63 or more.
    #[must_use]
    pub fn of_row(level: u64, r: u64) -> Self {
        Self::new(level, Tail::of_row(r))
    }

    /// The first column: no shorter second row fits on the tail.
    #[must_use]
    pub fn first_column(&self) -> u64 {
        self.tail.first_column()
    }

    /// The largest offset that the row can have (fact 12): `|t| + g + 1`.
    #[must_use]
    pub fn most_offset(&self) -> u64 {
        self.tail.size().saturating_add(self.level).saturating_add(1)
    }

    /// The bottom row r, if the tail has no second part: then this is a row of three-rowed Chomp,
    /// and row 0 is that of two-rowed Chomp.
    #[must_use]
    pub fn row(&self) -> Option<u64> {
        (self.tail.parts().len() <= 1).then(|| self.first_column())
    }
}

/// `row 120 of level 3`, `tail (3,2)`.
impl fmt::Display for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.row() {
            Some(row) => write!(f, "row {row}")?,
            None => write!(f, "tail {}", self.tail)?,
        }
        if self.level == 0 { Ok(()) } else { write!(f, " of level {}", self.level) }
    }
}

/// A statement about a row of any level and tail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeyedStatement {
    /// The row has no position: `(x,x,min(t,x))` has its Grundy value, for this x from 1 to
    /// `r1 - 1`.
    Empty {
        /// The x.
        by: u64,
    },
    /// The row has positions. The field `row` is the first column.
    Row(Statement),
}

/// A well-formed statement about a row of any level and tail. `Display` prints it as one line of
/// RON, in the only form that [`parse_keyed_line`] accepts. At level 0 and a tail of one part, that
/// is the line of the [`RowRecord`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyedRecord {
    key: RowKey,
    statement: KeyedStatement,
}

impl KeyedRecord {
    /// Accepts a well-formed statement.
    ///
    /// # Errors
    /// The first [`Fault`] found: as for [`RowRecord::new`], with the bound on offsets that this
    /// row has, and an empty row whose x cannot be one.
    ///
    /// # Panics
    /// If the statement's `row` is not the first column of the key.
    pub fn new(key: RowKey, statement: KeyedStatement) -> Result<Self, Fault> {
        let first = key.first_column();
        match &statement {
            &KeyedStatement::Empty { by } if by == 0 || by >= first => {
                return Err(Fault::EmptyBy { by, first });
            }
            KeyedStatement::Empty { .. } => {}
            KeyedStatement::Row(row) => {
                assert_eq!(row.row(), first, "the statement is about this row");
                row.check(key.most_offset())?;
            }
        }
        Ok(Self { key, statement })
    }

    /// The row.
    #[must_use]
    pub fn key(&self) -> &RowKey {
        &self.key
    }

    /// What is stated.
    #[must_use]
    pub fn statement(&self) -> &KeyedStatement {
        &self.statement
    }

    /// The statement about the row, unless it is empty.
    #[must_use]
    pub fn row(&self) -> Option<&Statement> {
        match &self.statement {
            KeyedStatement::Empty { .. } => None,
            KeyedStatement::Row(statement) => Some(statement),
        }
    }

    /// The statement about a row that never ends.
    #[must_use]
    pub fn periodic(&self) -> Option<&Periodic> {
        match self.row()? {
            Statement::Periodic(periodic) => Some(periodic),
            Statement::Finite(_) => None,
        }
    }

    /// The form of the head; `None` of an empty row, which has none.
    #[must_use]
    pub fn head_form(&self) -> Option<HeadForm> {
        self.row().map(|row| row.head().form())
    }

    /// The column from which the row repeats, or the first one past its end; 0 if it is empty.
    #[must_use]
    pub fn settled(&self) -> u64 {
        self.row().map_or(0, Statement::settled)
    }

    /// The record of a row of three-rowed Chomp, if it is one: level 0, and a tail of one part at
    /// most.
    #[must_use]
    pub fn three_rowed(&self) -> Option<RowRecord> {
        let _ = self.key.row().filter(|_| self.key.level == 0)?;
        RowRecord::new(self.row()?.clone()).ok()
    }

    /// The same record, with the fingerprint of its head. O(length of the head).
    #[must_use]
    pub fn abridged(&self) -> Self {
        let mut record = self.clone();
        if let KeyedStatement::Row(
            Statement::Finite(Finite { row, head, .. })
            | Statement::Periodic(Periodic { row, head, .. }),
        ) = &mut record.statement
        {
            *head = Head::Fingerprint(head.fingerprint(*row));
        }
        record
    }

    /// The offset of column q, from what the record states; `None` if the row has none there.
    ///
    /// # Errors
    /// The column, if it is in a head of which the record has only the fingerprint.
    pub fn offset(&self, q: u64) -> Result<Option<u64>, u64> {
        let Some(row) = self.row().filter(|row| q >= row.row()) else { return Ok(None) };
        let place = |since: u64| usize::try_from(since).unwrap_or(usize::MAX);
        if q < row.settled() {
            return match row.head() {
                Head::Offsets(offsets) => Ok(offsets.get(place(q - row.row())).copied()),
                Head::Fingerprint(_) => Err(q),
            };
        }
        Ok(self.periodic().map(|row| row.values[place((q - row.start) % row.period())]))
    }
}

impl From<RowRecord> for KeyedRecord {
    fn from(record: RowRecord) -> Self {
        let key = RowKey::of_row(0, record.row());
        Self { key, statement: KeyedStatement::Row(record.statement().clone()) }
    }
}

/// What a line of format 2 says. A tail of one part, or of none, is written as a row.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum Line {
    Empty {
        #[serde(default, skip_serializing_if = "Option::is_none", with = "bare")]
        row: Option<u64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tail: Vec<u64>,
        #[serde(default, skip_serializing_if = "is_zero")]
        level: u64,
        by: u64,
    },
    Finite {
        #[serde(default, skip_serializing_if = "Option::is_none", with = "bare")]
        row: Option<u64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tail: Vec<u64>,
        #[serde(default, skip_serializing_if = "is_zero")]
        level: u64,
        first: u64,
        last: u64,
        head: Head,
    },
    Periodic {
        #[serde(default, skip_serializing_if = "Option::is_none", with = "bare")]
        row: Option<u64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tail: Vec<u64>,
        #[serde(default, skip_serializing_if = "is_zero")]
        level: u64,
        first: u64,
        start: u64,
        values: Vec<u64>,
        certificate: Certificate,
        head: Head,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(level: &u64) -> bool {
    *level == 0
}

/// A field that is absent, or a number as it is: not `Some(..)`.
mod bare {
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde passes references")]
    pub fn serialize<S: Serializer>(
        number: &Option<u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match number {
            Some(number) => serializer.serialize_u64(*number),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u64>, D::Error> {
        u64::deserialize(deserializer).map(Some)
    }
}

impl From<&KeyedRecord> for Line {
    fn from(record: &KeyedRecord) -> Self {
        let row = record.key.row();
        let tail = if row.is_some() { Vec::new() } else { record.key.tail.parts().to_vec() };
        let level = record.key.level;
        match record.statement.clone() {
            KeyedStatement::Empty { by } => Self::Empty { row, tail, level, by },
            KeyedStatement::Row(Statement::Finite(Finite { first, last, head, .. })) => {
                Self::Finite { row, tail, level, first, last, head }
            }
            KeyedStatement::Row(Statement::Periodic(periodic)) => {
                let Periodic { first, start, values, certificate, head, .. } = periodic;
                Self::Periodic { row, tail, level, first, start, values, certificate, head }
            }
        }
    }
}

impl TryFrom<Line> for KeyedRecord {
    type Error = Fault;

    fn try_from(line: Line) -> Result<Self, Fault> {
        let (Line::Empty { row, tail, level, .. }
        | Line::Finite { row, tail, level, .. }
        | Line::Periodic { row, tail, level, .. }) = &line;
        let parts = row.filter(|row| *row > 0).into_iter().chain(tail.iter().copied()).collect();
        let key = RowKey::new(*level, Tail::new(parts)?);
        let row = key.first_column();
        let statement = match line {
            Line::Empty { by, .. } => KeyedStatement::Empty { by },
            Line::Finite { first, last, head, .. } => {
                KeyedStatement::Row(Statement::Finite(Finite { row, first, last, head }))
            }
            Line::Periodic { first, start, values, certificate, head, .. } => {
                let periodic = Periodic { row, first, start, values, certificate, head };
                KeyedStatement::Row(Statement::Periodic(periodic))
            }
        };
        Self::new(key, statement)
    }
}

/// Reads one record of format 2. `line` is its number in the file, for error messages.
///
/// # Errors
/// As [`parse_line`](crate::parse_line).
///
/// ```
/// use record::parse_keyed_line;
/// let empty = "Empty(row: 2, level: 2, by: 1)";
/// assert_eq!(parse_keyed_line(empty, 1).unwrap().to_string(), empty);
/// let ends = "Finite(tail: [2, 1], first: 2, last: 2, head: \"0000000000000000\")";
/// assert_eq!(parse_keyed_line(ends, 1).unwrap().key().to_string(), "tail (2,1)");
/// assert_eq!(
///     parse_keyed_line("Empty(row: 2, level: 2, by: 2)", 7).unwrap_err().to_string(),
///     "line 7, column 25: by is 2, but a row is empty by a number from 1 to 1 at most"
/// );
/// ```
pub fn parse_keyed_line(text: &str, line: usize) -> Result<KeyedRecord, ReadError> {
    let read: Line = read_canonical(text, line)?;
    let record = KeyedRecord::try_from(read).map_err(|fault| ReadError {
        line,
        column: column_of_field(text, fault.field()),
        problem: fault.into(),
    })?;
    require_canonical(&record.to_string(), text, line)?;
    Ok(record)
}

impl fmt::Display for KeyedRecord {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&print(&Line::from(self)))
    }
}
