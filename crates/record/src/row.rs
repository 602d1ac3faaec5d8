//! The two kinds of row record, and what makes one well-formed.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use ultimate::Ultimate;

use crate::{Certificate, Fault, Head};

/// Numbers of a record are less than this, so that signed 64-bit readers hold them.
const TOO_LARGE: u64 = 1 << 63;

/// A row that ends: its last P-position is `(last, last, row)`, where the offset is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finite {
    /// The bottom row r.
    pub row: u64,
    /// The diagonal value f(r,r).
    pub first: u64,
    /// The column of the last P-position.
    pub last: u64,
    /// The offsets of columns `row..=last`.
    pub head: Head,
}

/// A row that never ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Periodic {
    /// The bottom row r.
    pub row: u64,
    /// The diagonal value f(r,r).
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

/// A statement about all P-positions of one row, as it is written; [`RowRecord`] is a checked one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Statement {
    /// The row ends.
    Finite(Finite),
    /// The row never ends.
    Periodic(Periodic),
}

/// A well-formed [`Statement`]. `Display` prints it as one line of RON, in the only form that
/// [`parse_line`](crate::parse_line) accepts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowRecord(Statement);

impl RowRecord {
    /// Accepts a well-formed statement.
    ///
    /// # Errors
    /// The first [`Fault`] found: numbers out of range, a period or start that is not the least,
    /// values that are no juggling sequence (fact 4), a certificate whose columns or modulus
    /// contradict each other or the row, a head that is not the row's. Whether the certificate
    /// proves what it should is not looked at here. Cost: linear in the size of the statement, for
    /// each test looks at a field once.
    pub fn new(statement: Statement) -> Result<Self, Fault> {
        statement.check(statement.row().saturating_add(1))?;
        Ok(Self(statement))
    }

    /// The statement.
    #[must_use]
    pub fn statement(&self) -> &Statement {
        &self.0
    }

    /// The statement about a row that never ends.
    #[must_use]
    pub fn periodic(&self) -> Option<&Periodic> {
        match &self.0 {
            Statement::Periodic(periodic) => Some(periodic),
            Statement::Finite(_) => None,
        }
    }

    /// The bottom row r.
    #[must_use]
    pub fn row(&self) -> u64 {
        self.0.row()
    }

    /// The diagonal value f(r,r).
    #[must_use]
    pub fn first(&self) -> u64 {
        self.0.first()
    }

    /// The column past the head: that from which the row repeats, or the first one past its end.
    ///
    /// ```
    /// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
    /// assert_eq!(record::parse_line(row_1, 1).unwrap().settled(), 3);
    /// ```
    #[must_use]
    pub fn settled(&self) -> u64 {
        self.0.settled()
    }

    /// The same record, with the fingerprint of its head. O(length of the head).
    #[must_use]
    pub fn abridged(&self) -> Self {
        let mut statement = self.0.clone();
        let (Statement::Finite(Finite { row, head, .. })
        | Statement::Periodic(Periodic { row, head, .. })) = &mut statement;
        *head = Head::Fingerprint(head.fingerprint(*row));
        Self(statement)
    }

    /// The same record, with these offsets from `q = row` on for its head (more of them do no
    /// harm); `None` unless it is they that its fingerprint is of. O(length of the head).
    ///
    /// ```
    /// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
    /// let row_1 = record::parse_line(row_1, 1).unwrap();
    /// let in_full = row_1.in_full(&[2, 0]).unwrap();
    /// assert_eq!(in_full.to_string(), "Finite(row: 1, first: 3, last: 2, head: [2, 0])");
    /// assert_eq!(in_full.abridged(), row_1);
    /// assert_eq!(row_1.in_full(&[3, 0]), None);
    /// ```
    #[must_use]
    pub fn in_full(&self, offsets: &[u64]) -> Option<Self> {
        let length = usize::try_from(self.settled() - self.row()).ok()?;
        let mut statement = self.0.clone();
        let (Statement::Finite(Finite { head, .. }) | Statement::Periodic(Periodic { head, .. })) =
            &mut statement;
        *head = Head::Offsets(offsets.get(..length)?.to_vec());
        Self::new(statement).ok().filter(|record| record.abridged() == self.abridged())
    }

    /// The head.
    #[must_use]
    pub fn head(&self) -> &Head {
        self.0.head()
    }
}

impl Statement {
    /// The first column of the row; in three-rowed Chomp that is the bottom row r.
    #[must_use]
    pub fn row(&self) -> u64 {
        match self {
            Self::Finite(finite) => finite.row,
            Self::Periodic(periodic) => periodic.row,
        }
    }

    /// The value of the first column.
    #[must_use]
    pub fn first(&self) -> u64 {
        match self {
            Self::Finite(finite) => finite.first,
            Self::Periodic(periodic) => periodic.first,
        }
    }

    /// The head.
    #[must_use]
    pub fn head(&self) -> &Head {
        match self {
            Self::Finite(finite) => &finite.head,
            Self::Periodic(periodic) => &periodic.head,
        }
    }

    /// The column past the head: that from which the row repeats, or the first one past its end.
    #[must_use]
    pub fn settled(&self) -> u64 {
        match self {
            Self::Finite(finite) => finite.last.saturating_add(1),
            Self::Periodic(periodic) => periodic.start,
        }
    }

    /// Whether the numbers agree with each other, for a row whose offsets are at most `most`.
    pub(crate) fn check(&self, most: u64) -> Result<(), Fault> {
        match self {
            Self::Finite(finite) => finite.check(most),
            Self::Periodic(periodic) => periodic.check(most),
        }
    }
}

impl Finite {
    fn check(&self, most: u64) -> Result<(), Fault> {
        let &Self { row, first, last, ref head } = self;
        let range = Range { row, most };
        check_columns(row, &[("row", row), ("first", first), ("last", last)])?;
        range.check("first", first - row)?;
        if (first == row) != (last == row) {
            return Err(Fault::WrongEnd { column: row, offset: first - row });
        }
        let Head::Offsets(offsets) = head else { return Ok(()) };
        check_head(range, offsets, last + 1)?;
        check_first(row, first, offsets[0])?;
        match (row..).zip(offsets).find(|&(column, &offset)| (offset == 0) != (column == last)) {
            Some((column, &offset)) => Err(Fault::WrongEnd { column, offset }),
            None => Ok(()),
        }
    }
}

impl Periodic {
    /// The values minus their mean, as on Brouwer's page.
    ///
    /// ```
    /// use record::{Statement, parse_line};
    /// let row_2 = "Periodic(row: 2, first: 4, start: 2, values: [2], certificate: (from: 2, \
    ///     recurs: 3, modulus: \"1\", filled: 2, above: []), head: \"0000000000000000\")";
    /// let Statement::Periodic(row_2) = parse_line(row_2, 1).unwrap().statement().clone() else {
    ///     unreachable!()
    /// };
    /// assert_eq!((row_2.mean(), row_2.pattern()), (2, vec![0]));
    /// ```
    #[must_use]
    pub fn pattern(&self) -> Vec<i64> {
        // Values are from 1 to 2^63, and so is their mean: the differences fit 63 bits.
        let mean = self.mean();
        self.values.iter().map(|value| value.wrapping_sub(mean).cast_signed()).collect()
    }

    /// The mean of the values, an integer by fact 4.
    #[must_use]
    pub fn mean(&self) -> u64 {
        let sum: u128 = self.values.iter().map(|&value| u128::from(value)).sum();
        u64::try_from(sum / u128::from(self.period())).unwrap_or(u64::MAX)
    }

    /// The least period.
    #[must_use]
    pub fn period(&self) -> u64 {
        self.values.len() as u64
    }

    fn check(&self, most: u64) -> Result<(), Fault> {
        let &Self { row, first, start, ref values, ref certificate, ref head } = self;
        let range = Range { row, most };
        check_columns(row, &[("row", row), ("first", first), ("start", start)])?;
        range.check("first", first - row)?;
        if first == row {
            return Err(Fault::WrongEnd { column: row, offset: 0 });
        }
        self.check_values(range)?;
        certificate.check(range, start, self.period())?;
        match head {
            Head::Fingerprint(sum) if start == row && *sum != 0 => Err(Fault::FingerprintOfNothing),
            Head::Fingerprint(_) if start == row => check_first(row, first, values[0]),
            Head::Fingerprint(_) => Ok(()),
            Head::Offsets(offsets) => {
                check_head(range, offsets, start)?;
                check_first(row, first, *offsets.first().unwrap_or(&values[0]))?;
                match (row..).zip(offsets).find(|(_, offset)| **offset == 0) {
                    Some((column, _)) => Err(Fault::WrongEnd { column, offset: 0 }),
                    None if offsets.last().is_some_and(|last| Some(last) == values.last()) => {
                        Err(Fault::StartNotLeast { column: start - 1 })
                    }
                    None => Ok(()),
                }
            }
        }
    }

    fn check_values(&self, range: Range) -> Result<(), Fault> {
        let values = &self.values;
        for &value in values {
            range.check("values", value)?;
            if value == 0 {
                return Err(Fault::ZeroValue);
            }
        }
        if values.len() == 1 {
            // It is its own least period, and a juggling sequence.
            return Ok(());
        }
        let canonical =
            Ultimate::new(Vec::new(), values.clone()).map_err(|_empty| Fault::NoValues)?;
        let (period, minimal) = (values.len(), canonical.cycle().len());
        if minimal < period {
            return Err(Fault::PeriodNotMinimal { period, minimal });
        }
        let places = (0_u64..).zip(values).map(|(place, value)| (place + value) % self.period());
        match repeated(places) {
            Some((first, second)) => Err(Fault::NotJuggling { first, second }),
            None => Ok(()),
        }
    }
}

impl Certificate {
    fn check(&self, range: Range, start: u64, period: u64) -> Result<(), Fault> {
        let &Self { from, recurs, ref modulus, filled, ref above } = self;
        check_columns(range.row, &[("from", from), ("recurs", recurs)])?;
        if from < start {
            return Err(Fault::FromBeforeStart { from, start });
        }
        if recurs <= from {
            return Err(Fault::RecursTooEarly { from, recurs });
        }
        let distance = recurs - from;
        let divides = |divisor| distance.is_multiple_of(divisor);
        for (what, divides, divisor) in [
            ("the period", divides(period), &period.into()),
            // What is past 64 bits divides no distance.
            ("the modulus", u64::try_from(modulus).is_ok_and(divides), modulus),
        ] {
            if !divides {
                return Err(Fault::DoesNotDivide { what, divisor: divisor.clone(), distance });
            }
        }
        range.check("filled", filled)?;
        let mut below = filled;
        for (place, &member) in above.iter().enumerate() {
            range.check("above", member)?;
            if member <= below {
                return Err(Fault::AboveNotAscending { filled, member, place });
            }
            below = member;
        }
        Ok(())
    }
}

/// All of these are columns (or diagonal values) from `row` on, and none is too large.
fn check_columns(row: u64, columns: &[(&'static str, u64)]) -> Result<(), Fault> {
    for &(field, value) in columns {
        if value >= TOO_LARGE {
            return Err(Fault::TooLarge { field, value });
        }
        if value < row {
            return Err(Fault::ColumnBeforeRow { field, value, row });
        }
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
        if offset > most {
            return Err(Fault::OffsetOutOfRange { field, offset, row, most });
        }
        Ok(())
    }
}

fn check_first(row: u64, first: u64, offset: u64) -> Result<(), Fault> {
    if row + offset == first { Ok(()) } else { Err(Fault::FirstDisagrees { first, row, offset }) }
}

/// The offsets are those of columns `row..end`: their number is right, they are in range, and no p
/// occurs twice.
fn check_head(range: Range, offsets: &[u64], end: u64) -> Result<(), Fault> {
    let row = range.row;
    let columns = end - row;
    if offsets.len() as u64 != columns {
        return Err(Fault::HeadLength { length: offsets.len(), row, end, columns });
    }
    for &offset in offsets {
        range.check("head", offset)?;
    }
    match repeated((row..).zip(offsets).map(|(column, offset)| column + offset)) {
        Some((first, second)) => Err(Fault::RepeatedP {
            first: row + first as u64,
            second: row + second as u64,
            p: row + first as u64 + offsets[first],
        }),
        None => Ok(()),
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
