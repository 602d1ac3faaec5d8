//! The statement of a record about a row, and the conditions for a well-formed one.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use ultimate::Ultimate;

use crate::{Certificate, Fault, Head, RowKey};

/// Numbers of a record are less than this, so that signed 64-bit readers hold them.
pub(crate) const TOO_LARGE: u64 = 1 << 63;

/// A row that ends: its last position is `(last, last, t)` for the tail t, where the offset is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finite {
    /// The first column; in three-rowed Chomp the bottom row r.
    pub row: u64,
    /// The p of the first column; in three-rowed Chomp the diagonal value f(r,r).
    pub first: u64,
    /// The column of the last position.
    pub last: u64,
    /// The offsets of columns `row..=last`.
    pub head: Head,
}

/// A row that never ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Periodic {
    /// The first column; in three-rowed Chomp the bottom row r.
    pub row: u64,
    /// The p of the first column; in three-rowed Chomp the diagonal value f(r,r).
    pub first: u64,
    /// N(r): the least column from which the offsets repeat.
    pub start: u64,
    /// The offsets of one least period, from column `start` on.
    pub values: Vec<u64>,
    /// The proof that they repeat.
    pub certificate: Certificate,
    /// The offsets of columns `row..start`.
    pub head: Head,
}

/// The statement about all positions of one row. A [`Record`] is a checked statement with its key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// The row has no position: `(x,x,min(t,x))` has its Grundy value, for this x from 1 to
    /// `r1 - 1` (fact 12).
    Empty {
        /// The x.
        by: u64,
    },
    /// The row ends.
    Finite(Finite),
    /// The row never ends.
    Periodic(Periodic),
}

impl Statement {
    /// The row, the p of the first column and the head, unless it is empty.
    fn parts(&self) -> Option<(u64, u64, &Head)> {
        match self {
            Self::Empty { .. } => None,
            Self::Finite(Finite { row, first, head, .. })
            | Self::Periodic(Periodic { row, first, head, .. }) => Some((*row, *first, head)),
        }
    }

    /// The kind of row that it describes.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Empty { .. } => Kind::Empty,
            Self::Finite(_) => Kind::Finite,
            Self::Periodic(_) => Kind::Periodic,
        }
    }
}

/// Whether a row has positions, and whether it ends. `Display` and JSON have the name in small
/// letters.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It has no position.
    Empty,
    /// It ends.
    #[default]
    Finite,
    /// It never ends.
    Periodic,
}

/// `empty`, `finite`, `periodic`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
    }
}

/// A well-formed statement about one row. `Display` prints it as one line of RON, in the only form
/// that [`parse_line`](crate::parse_line) accepts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(with = "crate::line::RowObject<'static>")
)]
pub struct Record {
    key: RowKey,
    /// The column and the p of each position before the first column of the statement.
    early: Vec<(u64, u64)>,
    statement: Statement,
}

impl Record {
    /// Accepts a well-formed statement about the row of this key.
    ///
    /// # Errors
    /// The first [`Fault`] found: numbers out of range, a period or start that is not the least,
    /// values that are no juggling sequence (fact 4), a certificate whose columns or modulus
    /// contradict each other or the row, a head that is not the row's, an empty row that cannot be
    /// empty by its x. Whether the certificate proves the row is not checked here. Cost: linear in
    /// the size of the statement, since each test reads a field once.
    ///
    /// # Panics
    /// If the statement's `row` is not the first column of the key.
    pub fn new(key: RowKey, statement: Statement) -> Result<Self, Fault> {
        Self::with_early(key, Vec::new(), statement)
    }

    /// The same for an order ideal, whose row has these positions before the first column of the
    /// statement, each as its column and its p (fact 13).
    ///
    /// # Errors
    /// As [`Record::new`], and a fault if these are no such positions.
    ///
    /// # Panics
    /// As [`Record::new`].
    pub fn with_early(
        key: RowKey,
        early: Vec<(u64, u64)>,
        statement: Statement,
    ) -> Result<Self, Fault> {
        let record = Self { key, early, statement };
        record.check()?;
        Ok(record)
    }

    /// Accepts a well-formed statement about a row of three-rowed Chomp at level 0.
    ///
    /// # Errors
    /// As [`Record::new`].
    pub fn of_row(statement: Statement) -> Result<Self, Fault> {
        let Some((row, ..)) = statement.parts() else { return Err(never_empty()) };
        require_small("row", row)?;
        Self::new(RowKey::of_row(0, row), statement)
    }

    /// A statement that is not checked yet.
    pub(crate) fn unchecked(key: RowKey, early: Vec<(u64, u64)>, statement: Statement) -> Self {
        Self { key, early, statement }
    }

    /// The positions before the first column of the statement, each as its column and its p. Only
    /// rows of order ideals have such positions.
    pub fn early(&self) -> &[(u64, u64)] {
        &self.early
    }

    fn check_early(&self) -> Result<(), Fault> {
        let ideal = self.key.ideal();
        let (begins, end) = ideal.map_or((0, 0), |ideal| (ideal.begins, ideal.column));
        let wrong = |column| {
            let rule = format!("its columns ascend from {begins} on, are less than {end}");
            let problem = format!("early has column {column}; {rule}, and no two have the same p");
            Err(Fault::in_field("early", problem))
        };
        let mut due = begins;
        for &(column, p) in &self.early {
            if column < due || column >= end || p >= TOO_LARGE {
                return wrong(column);
            }
            due = column + 1;
        }
        let again = repeated(self.early.iter().map(|(_, p)| *p));
        again.map_or(Ok(()), |(_, second)| wrong(self.early[second].0))
    }

    pub(crate) fn check(&self) -> Result<(), Fault> {
        let first = self.key.first_column();
        let range = Range { row: first, most: self.key.most_offset() };
        let row = self.statement.parts().map_or(first, |(row, ..)| row);
        assert_eq!(row, first, "the statement is about the row of its key");
        self.check_early()?;
        match &self.statement {
            Statement::Empty { .. } if self.key.ideal().is_some() => Ok(()),
            Statement::Empty { .. } if self.key.is_three_rowed() => Err(never_empty()),
            &Statement::Empty { by } => require(0 < by && by < first, "by", || {
                let most = first.saturating_sub(1);
                format!("by is {by}, but a row is empty by a number from 1 to {most} at most")
            }),
            &Statement::Finite(Finite { row, first, last, ref head }) => {
                check_columns(row, &[("row", row), ("first", first), ("last", last)])?;
                range.check_first(first, last)?;
                range.check_head((first, 0), head, last + 1, last)
            }
            Statement::Periodic(periodic) => periodic.check(range),
        }
    }

    /// The row that is described.
    pub fn key(&self) -> &RowKey {
        &self.key
    }

    /// The statement.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The statement about a row that never ends.
    pub fn periodic(&self) -> Option<&Periodic> {
        let Statement::Periodic(periodic) = &self.statement else { return None };
        Some(periodic)
    }

    /// The statement about a row that ends.
    pub fn finite(&self) -> Option<&Finite> {
        let Statement::Finite(finite) = &self.statement else { return None };
        Some(finite)
    }

    /// The first column; in three-rowed Chomp the bottom row r.
    pub fn row(&self) -> u64 {
        self.key.first_column()
    }

    /// The p of the first column, in three-rowed Chomp the diagonal value f(r,r); `None` if the row
    /// is empty.
    pub fn first(&self) -> Option<u64> {
        self.statement.parts().map(|(_, first, _)| first)
    }

    /// The diagonal value f(r,r) of a row of three-rowed Chomp.
    ///
    /// # Panics
    /// If the row is empty. No row of three-rowed Chomp is, at level 0.
    pub fn diagonal(&self) -> u64 {
        self.first().expect("f(r,r) exists for every r")
    }

    /// The head; `None` if the row is empty.
    pub fn head(&self) -> Option<&Head> {
        self.statement.parts().map(|(.., head)| head)
    }

    /// The offsets of the head; `None` if it is a fingerprint, or the row is empty.
    pub fn head_offsets(&self) -> Option<&[u64]> {
        match self.head()? {
            Head::Offsets(offsets) => Some(offsets),
            Head::Fingerprint(_) => None,
        }
    }

    /// The column past the head: from there on the row repeats, or it has ended; 0 if it is empty,
    /// for an order ideal the first column of the statement.
    ///
    /// ```
    /// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
    /// assert_eq!(record::parse_line(row_1, 1).unwrap().settled(), 3);
    /// ```
    pub fn settled(&self) -> u64 {
        match &self.statement {
            Statement::Empty { .. } => self.key.ideal().map_or(0, |ideal| ideal.column),
            Statement::Finite(finite) => finite.last.saturating_add(1),
            Statement::Periodic(periodic) => periodic.start,
        }
    }

    /// The same record, with the fingerprint of its head. O(length of the head).
    pub fn abridged(&self) -> Self {
        let fingerprint = self.head().map(|head| head.fingerprint(self.row()));
        fingerprint.map_or_else(|| self.clone(), |sum| self.with_head(Head::Fingerprint(sum)))
    }

    /// The same record, whose head is a list of the offsets from column `row` on; offsets past the
    /// head are ignored. `None` if their fingerprint differs. O(length of the head).
    ///
    /// ```
    /// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
    /// let row_1 = record::parse_line(row_1, 1).unwrap();
    /// let in_full = row_1.in_full(&[2, 0]).unwrap();
    /// assert_eq!(in_full.to_string(), "Finite(row: 1, first: 3, last: 2, head: [2, 0])");
    /// assert_eq!(in_full.abridged(), row_1);
    /// assert_eq!(row_1.in_full(&[3, 0]), None);
    /// ```
    pub fn in_full(&self, offsets: &[u64]) -> Option<Self> {
        let length = usize::try_from(self.settled().checked_sub(self.row())?).ok()?;
        let record = self.with_head(Head::Offsets(offsets.get(..length)?.to_vec()));
        let is_right = record.check().is_ok() && record.abridged() == self.abridged();
        is_right.then_some(record)
    }

    fn with_head(&self, new: Head) -> Self {
        let mut record = self.clone();
        if let Statement::Finite(Finite { head, .. }) | Statement::Periodic(Periodic { head, .. }) =
            &mut record.statement
        {
            *head = new;
        }
        record
    }

    /// The offset of column q by the record; `None` if the row has none there.
    ///
    /// # Errors
    /// The column, if it is in a head that the record has as a fingerprint.
    #[inline]
    pub fn offset(&self, q: u64) -> Result<Option<u64>, u64> {
        let parts = self.statement.parts().filter(|(row, ..)| q >= *row);
        let Some((row, _, head)) = parts else { return Ok(None) };
        let place = |since: u64| usize::try_from(since).unwrap_or(usize::MAX);
        if let Head::Offsets(offsets) = head
            && let Some(&offset) = offsets.get(place(q - row))
        {
            return Ok(Some(offset));
        }
        if q < self.settled() {
            return Err(q);
        }
        Ok(self.periodic().map(|row| row.values[place((q - row.start) % row.period())]))
    }
}

impl Periodic {
    /// The values minus their mean, as on Brouwer's page.
    ///
    /// ```
    /// let row_2 = "Periodic(row: 2, first: 4, start: 2, values: [2], certificate: (from: 2, \
    ///     recurs: 3, modulus: \"1\", filled: 2, above: []), head: \"0000000000000000\")";
    /// let record = record::parse_line(row_2, 1).unwrap();
    /// let row_2 = record.periodic().unwrap();
    /// assert_eq!((row_2.mean(), row_2.pattern()), (2, vec![0]));
    /// ```
    pub fn pattern(&self) -> Vec<i64> {
        // Values are from 1 to 2^63, and so is their mean: the differences fit 63 bits.
        let mean = self.mean();
        self.values.iter().map(|value| value.wrapping_sub(mean).cast_signed()).collect()
    }

    /// The mean of the values, an integer by fact 4.
    pub fn mean(&self) -> u64 {
        let sum: u128 = self.values.iter().map(|&value| u128::from(value)).sum();
        u64::try_from(sum / u128::from(self.period())).unwrap_or(u64::MAX)
    }

    /// The least period.
    pub fn period(&self) -> u64 {
        self.values.len() as u64
    }

    fn check(&self, range: Range) -> Result<(), Fault> {
        let &Self { row, first, start, ref values, ref certificate, ref head } = self;
        check_columns(row, &[("row", row), ("first", first), ("start", start)])?;
        range.check_first(first, u64::MAX)?;
        self.check_values(range)?;
        certificate.check(range, start, self.period())?;
        range.check_head((first, values[0]), head, start, u64::MAX)?;
        let is_least = !matches!(head, Head::Offsets(offsets) if offsets.last() == values.last());
        require(is_least, "start", || {
            format!("start is not the least: the offset of column {} repeats already", start - 1)
        })
    }

    fn check_values(&self, range: Range) -> Result<(), Fault> {
        let values = &self.values;
        let fault = |problem: String| Err(Fault::in_field("values", problem));
        for &value in values {
            range.check("values", value)?;
            let ends = || "values holds offset 0, which would end the row".to_owned();
            require(value > 0, "values", ends)?;
        }
        if values.len() == 1 {
            // It is its own least period, and a juggling sequence.
            return Ok(());
        }
        let Ok(canonical) = Ultimate::new(Vec::new(), values.clone()) else {
            return fault("values is empty; a periodic row has at least one".to_owned());
        };
        let (period, minimal) = (values.len(), canonical.cycle().len());
        require(minimal == period, "values", || {
            format!("the period {period} of values is not minimal: they repeat after {minimal}")
        })?;
        let places = (0_u64..).zip(values).map(|(place, value)| (place + value) % self.period());
        let Some((first, second)) = repeated(places) else { return Ok(()) };
        let same_p =
            format!("places {first} and {second} (from 0) give the same p modulo the period");
        fault(format!("values are no juggling sequence: {same_p}"))
    }
}

impl Certificate {
    fn check(&self, range: Range, start: u64, period: u64) -> Result<(), Fault> {
        let &Self { from, recurs, modulus, filled, ref above } = self;
        check_columns(range.row, &[("from", from), ("recurs", recurs)])?;
        require(from >= start, "from", || {
            format!("the certificate's from is {from}, before the row's start {start}")
        })?;
        require(recurs > from, "recurs", || {
            format!("the certificate's recurs is {recurs}, not past its from {from}")
        })?;
        let distance = recurs - from;
        for (what, divisor) in [("the period", period), ("the modulus", modulus)] {
            require(distance.is_multiple_of(divisor), "recurs", || {
                format!("recurs - from is {distance}, which is not a multiple of {what} {divisor}")
            })?;
        }
        range.check("filled", filled)?;
        let mut below = filled;
        for (place, &member) in above.iter().enumerate() {
            range.check("above", member)?;
            require(member > below, "above", || {
                let due = format!("above must ascend from past filled = {filled}");
                format!("{due}, but holds {member} at place {place}")
            })?;
            below = member;
        }
        Ok(())
    }
}

fn never_empty() -> Fault {
    let problem = "no row of three-rowed Chomp is empty at level 0: f(r,r) exists for every r";
    Fault::in_field("by", problem)
}

/// An error in this field, unless this holds.
fn require(
    holds: bool,
    field: &'static str,
    problem: impl FnOnce() -> String,
) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault::in_field(field, problem())) }
}

/// An error for an offset 0 before the last column of a row, or another one in it.
fn check_end(column: u64, offset: u64, last: u64) -> Result<(), Fault> {
    require((offset == 0) == (column == last), "head", || {
        format!("the offset of column {column} is {offset}: a row has offset 0 just where it ends")
    })
}

/// An error for a number that other programs could not hold exactly.
pub(crate) fn require_small(field: &'static str, value: u64) -> Result<(), Fault> {
    require(value < TOO_LARGE, field, || {
        format!("{field} is {value}, but numbers of a record are less than 2^63")
    })
}

/// All of these are columns (or diagonal values) from `row` on, and none is too large.
fn check_columns(row: u64, columns: &[(&'static str, u64)]) -> Result<(), Fault> {
    for &(field, value) in columns {
        require_small(field, value)?;
        require(value >= row, field, || {
            format!("{field} is {value}, but the first column of row {row} is {row}")
        })?;
    }
    Ok(())
}

/// The offsets that a row can have: of row r of three-rowed Chomp at most r + 1 (2005 paper, 8.1:
/// `f(q,r) <= q + r + 1`), in general what [`RowKey::most_offset`](crate::RowKey::most_offset)
/// says.
#[derive(Clone, Copy)]
struct Range {
    /// The first column.
    row: u64,
    most: u64,
}

impl Range {
    fn check(self, field: &'static str, offset: u64) -> Result<(), Fault> {
        let Self { row, most } = self;
        require(offset <= most, field, || {
            format!("offset {offset} is out of range: the offsets of row {row} are 0 to {most}")
        })
    }

    /// The p of the first column, if the row ends in column `last`.
    fn check_first(self, first: u64, last: u64) -> Result<(), Fault> {
        let offset = first - self.row;
        self.check("first", offset)?;
        check_end(self.row, offset, last)
    }

    /// Checks the offsets of the columns `row..end`: their number and range, that no p occurs
    /// twice, and that `first` has the first of them. If there are no such columns, `first` must
    /// have `next`, the offset of column `end`.
    fn check_head(
        self,
        (first, next): (u64, u64),
        head: &Head,
        end: u64,
        last: u64,
    ) -> Result<(), Fault> {
        let row = self.row;
        let offsets = match head {
            Head::Fingerprint(_) if end > row => return Ok(()),
            Head::Fingerprint(sum) => {
                let none = "head must be \"0000000000000000\": there is no column before start";
                require(*sum == 0, "head", || none.to_owned())?;
                &[][..]
            }
            Head::Offsets(offsets) => offsets,
        };
        let number = offsets.len() as u64;
        require(number == end - row, "head", || {
            let due = format!("columns {row} to {end} (exclusive) are {}", end - row);
            format!("head has {number} offsets, but {due}")
        })?;
        offsets.iter().try_for_each(|offset| self.check("head", *offset))?;
        let numbered = || (row..).zip(offsets.iter().copied());
        if let Some((before, again)) = repeated(numbered().map(|(column, offset)| column + offset))
        {
            let (column, p) = (row + before as u64, row + before as u64 + offsets[before]);
            let problem =
                format!("columns {column} and {} have the same p = {p}", row + again as u64);
            return Err(Fault::in_field("head", problem));
        }
        let offset = *offsets.first().unwrap_or(&next);
        require(row + offset == first, "first", || {
            format!("first is {first}, but the offset of column {row} is {offset}")
        })?;
        numbered().try_for_each(|(column, offset)| check_end(column, offset, last))
    }
}

/// The first two places that hold the same number.
fn repeated(numbers: impl Iterator<Item = u64> + Clone) -> Option<(usize, usize)> {
    // Sorting takes a fraction of the time of a map, and nearly always there is nothing to find.
    let mut sorted: Vec<u64> = numbers.clone().collect();
    sorted.sort_unstable();
    if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
        return None;
    }
    let mut places = HashMap::new();
    numbers
        .enumerate()
        .find_map(|(place, number)| places.insert(number, place).map(|earlier| (earlier, place)))
}
