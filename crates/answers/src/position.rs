//! Positions with any number of rows, the two longest of any size or infinite, and the notations of
//! positions, tails and boards that `docs/GUIDE.md` lists.

use std::fmt;
use std::str::FromStr;

use game::{Board, Lengths, NotationError, Written, Wrong};
use num_bigint::{BigUint, ParseBigIntError};
use num_traits::ToPrimitive;
use record::{RowKey, Tail, joined, quoted};
use serde::{Serialize, Serializer};
use thiserror::Error;

/// The length of a row that may be infinite. ω is more than every number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
pub enum Length {
    /// This number of squares.
    Finite(BigUint),
    /// One square for each natural number.
    Omega,
}

impl Length {
    const ZERO: Self = Self::Finite(BigUint::ZERO);

    /// The number of squares; `None` if it is ω.
    pub fn finite(&self) -> Option<&BigUint> {
        match self {
            Self::Finite(number) => Some(number),
            Self::Omega => None,
        }
    }
}

impl From<u16> for Length {
    fn from(number: u16) -> Self {
        Self::Finite(number.into())
    }
}

/// Reads decimal digits and `ω`.
impl FromStr for Length {
    type Err = ParseBigIntError;

    fn from_str(text: &str) -> Result<Self, ParseBigIntError> {
        match text {
            "ω" => Ok(Self::Omega),
            number => read_number(number).map(Self::Finite),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Finite(number) => number.fmt(f),
            Self::Omega => f.pad("ω"),
        }
    }
}

/// A position: row lengths `p >= q >= r1 >= ... >= rk` in squares, `p >= 1`. The two longest may be
/// of any size; the others are the tail. The two longest rows may have ω squares; in 3×ω all three
/// have them (fact 10 of `proofs/README.md`).
///
/// `Display` prints the row lengths, at least three: `(7,4,3)`, `(5,0,0)`, `(7,5,5,4)`.
///
/// ```
/// use answers::Position;
/// // Zeilberger's numbers of columns, of three squares, of two, and of one.
/// let position: Position = "[3,1,3]".parse()?;
/// assert_eq!((position.to_string(), position.clone()), ("(7,4,3)".into(), "7 4 3".parse()?));
/// assert_eq!(position.zeilberger().unwrap().map(|n| n.to_string()), ["3", "1", "3"]);
/// assert_eq!("7 5 5 4".parse::<Position>()?.tail(), &"5,4".parse().unwrap());
/// # Ok::<(), answers::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(into = "Vec<String>"))]
pub struct Position {
    /// The lengths of the rows that have squares, at least one, the longest first.
    rows: Vec<Length>,
    /// Those below the two longest, but none for 3×ω, the only position with an infinite third row.
    #[cfg_attr(feature = "schema", schemars(skip))]
    tail: Tail,
}

/// The length of a row that is not there.
static NONE: Length = Length::ZERO;

/// The reason why row lengths or a text are no position, board or tail.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A text in no notation.
    #[error(transparent)]
    Text(#[from] NotationError),
    /// Lengths of rows that are none, in words.
    #[error("{0}")]
    Refused(String),
}

impl ReadError {
    fn refused(words: &str) -> Self {
        Self::Refused(words.to_owned())
    }
}

impl Position {
    /// The position with these row lengths, the longest first. Rows of length 0 are ignored.
    ///
    /// # Errors
    /// [`ReadError::Refused`].
    pub fn new(lengths: Vec<Length>) -> Result<Self, ReadError> {
        if let Some(after) = lengths.windows(2).position(|pair| pair[0] < pair[1]) {
            let (row, [before, length]) =
                (after + 2, [0, 1].map(|more| brief(&lengths[after + more])));
            return Err(ReadError::Refused(format!(
                "row {row} ({length}) is longer than the row before it ({before}); give the row \
                 lengths in one direction, the longest first or last"
            )));
        }
        let rows: Vec<Length> =
            lengths.into_iter().filter(|length| *length != Length::ZERO).collect();
        let tail = match rows.get(2..).unwrap_or_default() {
            _ if rows.is_empty() => {
                return Err(ReadError::refused(
                    "the empty board is not a position, since taking the poison is not a move; the \
                     longest row needs at least one square",
                ));
            }
            [Length::Omega] => Tail::default(),
            [Length::Omega, ..] => {
                return Err(ReadError::refused(
                    "of four rows or more, the two longest may be infinite; with more infinite ones \
                     the bite that removes row 3 and all below wins, and it is not known which others \
                     do",
                ));
            }
            lower => {
                let parts = lower.iter().map(|length| u64::try_from(length.finite()?).ok());
                let tail = parts.collect::<Option<_>>().and_then(|parts| Tail::new(parts).ok());
                tail.ok_or(ReadError::refused(
                    "the rows below the two longest are too long: they have less than 2^63 squares \
                     together",
                ))?
            }
        };
        Ok(Self { rows, tail })
    }

    /// The position with these finite row lengths, the longest first.
    ///
    /// # Errors
    /// [`ReadError::Refused`].
    ///
    /// ```
    /// let position = answers::Position::finite([7_u32, 5, 5, 4, 0])?;
    /// assert_eq!(position.to_string(), "(7,5,5,4)");
    /// # Ok::<(), answers::ReadError>(())
    /// ```
    pub fn finite<N: Into<BigUint>>(
        lengths: impl IntoIterator<Item = N>,
    ) -> Result<Self, ReadError> {
        Self::new(lengths.into_iter().map(|length| Length::Finite(length.into())).collect())
    }

    /// The length of the longest row.
    pub fn p(&self) -> &Length {
        &self.rows[0]
    }

    /// The length of the second row; perhaps 0.
    pub fn q(&self) -> &Length {
        self.rows.get(1).unwrap_or(&NONE)
    }

    /// p and q; `None` if one of them is ω.
    pub fn longest_two(&self) -> Option<(&BigUint, &BigUint)> {
        self.p().finite().zip(self.q().finite())
    }

    /// The rows below the two longest; the tail `()` for 3×ω.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    pub(crate) fn is_three_by_omega(&self) -> bool {
        self.rows.get(2) == Some(&Length::Omega)
    }

    /// The row at level 0 that has this position, if it is a P-position. For 3×ω, row 0.
    pub fn key(&self) -> RowKey {
        RowKey::new(0, self.tail.clone())
    }

    /// The number of rows that have squares.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Whether all rows have the same length.
    pub fn is_rectangle(&self) -> bool {
        self.rows.last() == self.rows.first()
    }

    /// The lengths of the rows that have squares, the longest first.
    pub fn rows(&self) -> &[Length] {
        &self.rows
    }

    /// The same as numbers; `None` if one is ω.
    pub fn finite_rows(&self) -> Option<Vec<BigUint>> {
        self.rows.iter().map(|length| length.finite().cloned()).collect()
    }

    /// The transposed position, whose rows are the columns of this one; `None` if a row is infinite
    /// or too long for the memory. It has the same outcome and Grundy value. O(p).
    ///
    /// ```
    /// let position: answers::Position = "4 2 1".parse()?;
    /// assert_eq!(position.transposed().unwrap().to_string(), "(3,2,1,1)");
    /// # Ok::<(), answers::ReadError>(())
    /// ```
    pub fn transposed(&self) -> Option<Self> {
        let rows = self.finite_rows()?;
        let longest = rows.first()?.to_usize()?;
        let mut columns = Vec::new();
        columns.try_reserve(longest).ok()?;
        columns.extend(
            (1..=longest).map(BigUint::from).map(|column| {
                Length::Finite(rows.partition_point(|length| *length >= column).into())
            }),
        );
        Self::new(columns).ok()
    }

    /// The same position as a board; `None` if a row is longer than those of boards.
    pub fn board(&self) -> Option<Board> {
        let rows = self.finite_rows()?;
        Board::new(rows.iter().map(ToPrimitive::to_u16).collect::<Option<_>>()?).ok()
    }

    /// The row lengths, at least three: missing rows have length 0.
    pub fn lengths(&self) -> Vec<Length> {
        let mut lengths = self.rows.clone();
        lengths.resize(lengths.len().max(3), Length::ZERO);
        lengths
    }

    /// The row lengths without those that are 0: `(7,5)`.
    pub fn as_board(&self) -> String {
        format!("({})", joined(&self.rows, ","))
    }

    /// Zeilberger's `[c,a,b]`: the numbers of columns of three squares, of two, and of one. `None`
    /// if there are more rows, or infinite ones.
    pub fn zeilberger(&self) -> Option<[BigUint; 3]> {
        let (p, q) = self.longest_two()?;
        let &[r] = self.tail.parts() else {
            return self.tail.parts().is_empty().then(|| [BigUint::ZERO, q.clone(), p - q]);
        };
        Some([r.into(), q - r, p - q])
    }

    /// The name of a row: `top`, `middle` and `bottom` of three rows at most, `row 4` of more.
    pub fn name_of_row(&self, row: usize) -> String {
        match row {
            1..=3 if self.height() <= 3 => ["top row", "middle row", "bottom row"][row - 1].into(),
            _ => format!("row {row}"),
        }
    }

    /// The position that a bite leaves; `None` if the bitten square is the poison or not there, or
    /// a row is infinite.
    ///
    /// ```
    /// use answers::{Position, Square};
    /// let position = Position::finite([7_u32, 5, 5, 4])?;
    /// let after = |row, column: u32| position.after(&Square { row, column: column.into() });
    /// assert_eq!(after(2, 3).unwrap().to_string(), "(7,2,2,2)");
    /// assert_eq!((after(1, 1), after(4, 5), after(5, 1)), (None, None, None));
    /// # Ok::<(), answers::ReadError>(())
    /// ```
    pub fn after(&self, bitten: &Square) -> Option<Self> {
        let mut rows = self.finite_rows()?;
        let length = rows.get(bitten.row.checked_sub(1)?)?;
        if bitten.column == BigUint::ZERO || bitten.column > *length {
            return None;
        }
        let left = &bitten.column - 1_u32;
        for length in &mut rows[bitten.row - 1..] {
            if *length > left {
                length.clone_from(&left);
            }
        }
        // A bite at the poison leaves the empty board, which is no position.
        Self::finite(rows).ok()
    }

    /// The square of the bite that leaves this position; `None` if no bite does.
    ///
    /// ```
    /// use answers::Position;
    /// let [position, left, other] =
    ///     [[7_u32, 5, 5], [7, 2, 2], [7, 3, 2]].map(|rows| Position::finite(rows).unwrap());
    /// assert_eq!(position.bite_to(&left).unwrap().to_string(), "row 2, column 3");
    /// assert_eq!(position.bite_to(&other), None);
    /// ```
    pub fn bite_to(&self, left: &Self) -> Option<Square> {
        let (before, after) = (self.finite_rows()?, left.finite_rows()?);
        let of = |row: usize| after.get(row).cloned().unwrap_or_default();
        let row = (0..before.len()).find(|&row| before[row] != of(row))?;
        let bitten = Square { row: row + 1, column: of(row) + 1_u32 };
        (self.after(&bitten).as_ref() == Some(left)).then_some(bitten)
    }
}

impl From<&Board> for Position {
    fn from(board: &Board) -> Self {
        Self::finite(board.rows().iter().copied()).expect("a board is a position")
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&format!("({})", joined(self.lengths(), ",")))
    }
}

/// In JSON, the lengths of the rows that have squares: strings, as they may have any size.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.iter().map(Length::to_string))
    }
}

/// A square, by its row and its column; both are counted from 1 at the poison, and row 1 is the
/// longest. `Display` prints `row 3, column 2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(into = "[String; 2]"))]
pub struct Square {
    /// The row.
    pub row: usize,
    /// The column.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub column: BigUint,
}

impl Square {
    /// The square of this row after whose bite the position is left.
    pub(crate) fn bitten(row: usize, left: &Position) -> Self {
        let length = left.rows.get(row - 1).and_then(Length::finite);
        Self { row, column: length.cloned().unwrap_or_default() + 1_u32 }
    }

    /// The same as a square of a board; `None` if boards are not so large.
    pub fn of_board(&self) -> Option<game::Square> {
        Some(game::Square { row: self.row.to_u16()?, column: self.column.to_u16()? })
    }
}

impl From<game::Square> for Square {
    fn from(game::Square { row, column }: game::Square) -> Self {
        Self { row: row.into(), column: column.into() }
    }
}

/// In JSON, its coordinates: strings, as they may have any size.
impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.row.to_string(), self.column.to_string()].serialize(serializer)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.column)
    }
}

/// Reads every notation of `docs/GUIDE.md`. Separated numbers in square brackets are Zeilberger's
/// numbers of columns, first the number of columns with all rows.
///
/// ```
/// use answers::Position;
/// let shown = |text: &str| text.parse::<Position>().map(|position| position.to_string());
/// assert_eq!(shown("omega 5 3")?, "(ω,5,3)");
/// assert_eq!(shown("[4,1,0,2]")?, "(7,5,5,4)");
/// assert!(shown("(5,ω,3)").is_err());
/// let error = shown("7 4 -3").unwrap_err().to_string();
/// assert!(error.starts_with("\"-3\" in \"7 4 -3\" is negative"));
/// assert_eq!(shown("2e3 10^3 1_0")?, "(2000,1000,10)");
/// # Ok::<(), answers::ReadError>(())
/// ```
impl FromStr for Position {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let rows = match Written::read(text)? {
            Written::Lengths(lengths) => lengths.rows,
            Written::Squared(columns) => sums(columns)?,
        };
        Self::new(rows)
    }
}

/// From Zeilberger's numbers of columns, those of all rows first, to row lengths, the longest
/// first.
fn sums(columns: Vec<Length>) -> Result<Vec<Length>, ReadError> {
    let infinite = || {
        let words = "ω is the length of a row; write (p,q,r) for row lengths, from the top down";
        ReadError::refused(words)
    };
    let (mut length, mut rows) = (BigUint::ZERO, Vec::new());
    for number in columns {
        length += number.finite().ok_or_else(infinite)?;
        rows.push(Length::Finite(length.clone()));
    }
    rows.reverse();
    Ok(rows)
}

/// Two readings of separated numbers in square brackets.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{text} can be read in two ways: as row lengths it is {rows}, and as numbers of columns, as a \
     position is read, it is {columns}; type one of these without square brackets"
)]
pub struct TwoReadings {
    /// The text, shortened if it is long.
    pub text: String,
    /// The numbers as lengths of rows: the reading of Cho, and a list of another program.
    pub rows: String,
    /// The numbers as numbers of columns, Zeilberger's reading.
    pub columns: String,
}

impl TwoReadings {
    /// The two readings of this text; `None` if it has one at most.
    ///
    /// ```
    /// let both = answers::TwoReadings::of("[7,5,3]").unwrap();
    /// assert_eq!((both.rows.as_str(), both.columns.as_str()), ("(7,5,3)", "(15,12,7)"));
    /// assert_eq!([answers::TwoReadings::of("[5]"), answers::TwoReadings::of("7,5,3")], [None, None]);
    /// ```
    pub fn of(text: &str) -> Option<Self> {
        // Of other texts, which may have millions of digits, nothing is read.
        let written = text.contains('[').then(|| Written::<Length>::read(text));
        let Some(Ok(Written::Squared(numbers))) = written else { return None };
        let columns = sums(numbers.clone()).and_then(Position::new).ok()?;
        let rows = Position::new(Lengths::of(numbers).rows).ok()?;
        if columns == rows {
            return None;
        }
        let [rows, columns] = [rows, columns].map(|position| quoted(&position.as_board()));
        Some(Self { text: quoted(text), rows, columns })
    }
}

/// Reads a row: its number, or its tail, the longest row first. Separated numbers in square
/// brackets are refused if they are another tail as numbers of columns.
///
/// # Errors
/// [`ReadError`].
///
/// ```
/// use answers::read_tail;
/// assert_eq!([read_tail("120")?, read_tail("3 2")?].map(|tail| tail.to_string()), ["(120)", "(3,2)"]);
/// assert!(read_tail("2 3").is_err());
/// # Ok::<(), answers::ReadError>(())
/// ```
pub fn read_tail(text: &str) -> Result<Tail, ReadError> {
    let refused = |text: &str, why: &str| ReadError::Refused(format!("{text:?}: {why}"));
    let form = "a row is its number, such as 120, or its tail, such as 3,2";
    let is_rectangle = text.contains(['x', 'X', '×', '⊗']);
    let Lengths { mut rows, poison_last } = match Written::<u64>::read(text) {
        Ok(_) if is_rectangle || text.trim().is_empty() => return Err(refused(text, form)),
        Ok(written) => one_reading(text, written)?,
        Err(error) if error.wrong == Wrong::Number => return Err(refused(&error.text, form)),
        Err(error) => return Err(error.into()),
    };
    while rows.last() == Some(&0) {
        rows.pop();
    }
    let tail = Tail::new(rows).map_err(|error| refused(text, &error.to_string()))?;
    if poison_last {
        let tail = quoted(&joined(tail.parts(), ","));
        let why = format!("a tail begins with its longest row; type {tail}");
        return Err(refused(&quoted(text), &why));
    }
    Ok(tail)
}

/// A board as it was written.
///
/// ```
/// use answers::WrittenBoard;
/// let written: WrittenBoard = "[4557]".parse()?;
/// assert_eq!((written.board.to_string(), written.poison_last), ("(7,5,5,4)".into(), true));
/// # Ok::<(), answers::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenBoard {
    /// The board.
    pub board: Board,
    /// Whether the row with the poison came last.
    pub poison_last: bool,
}

/// Separated numbers in square brackets are row lengths to Cho, and numbers of columns to
/// Zeilberger; they are refused if these are two boards.
impl FromStr for WrittenBoard {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let lengths = one_reading(text, Written::read(text)?)?;
        Ok(Self { poison_last: lengths.poison_last, board: lengths.board(text)? })
    }
}

/// The row lengths, if the text has no other reading.
fn one_reading<N: Ord>(text: &str, written: Written<N>) -> Result<Lengths<N>, ReadError> {
    match written {
        Written::Lengths(lengths) => Ok(lengths),
        Written::Squared(numbers) => match TwoReadings::of(text) {
            Some(both) => Err(ReadError::Refused(both.to_string())),
            None => Ok(Lengths::of(numbers)),
        },
    }
}

/// Numbers of at most this many digits are read digit by digit.
const FEW: u16 = 512;

/// A number that is read by halves. This costs about as much as to multiply numbers of its length,
/// a fraction of a second for a million digits; `BigUint` itself takes quadratic time.
fn read_number(digits: &str) -> Result<BigUint, ParseBigIntError> {
    let groups = digits.as_bytes().rchunks(usize::from(FEW));
    let group = |group| BigUint::from_str(str::from_utf8(group).unwrap_or_default());
    let mut parts: Vec<BigUint> = groups.map(group).collect::<Result<_, _>>()?;
    let mut base = BigUint::from(10_u32).pow(FEW.into());
    while parts.len() > 1 {
        let joined = |pair: &[BigUint]| match pair {
            [low, high] => high * &base + low,
            rest => rest.iter().sum(),
        };
        parts = parts.chunks(2).map(joined).collect();
        if parts.len() > 1 {
            base = &base * &base;
        }
    }
    // An empty text is no number, and `BigUint` has an error for it.
    parts.pop().map_or_else(|| digits.parse(), Ok)
}

/// A number for a message. If it is long, its first digits, and the number of its digits.
fn brief(number: &impl ToString) -> String {
    const SHOWN: usize = 40;
    let digits = number.to_string();
    match digits.get(..SHOWN) {
        Some(first) if digits.len() > SHOWN => format!("{first}… ({} digits)", digits.len()),
        _ => digits,
    }
}
