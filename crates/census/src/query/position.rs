//! Positions whose two longer rows may be of any size.

use std::fmt;
use std::str::FromStr;

use game::{ParsePositionError, WrittenPosition};
use num_bigint::{BigUint, ParseBigIntError};
use thiserror::Error;

/// A position `(p,q,r)`: row lengths `p >= q >= r` in squares, `p >= 1`. Zeilberger's `[c,a,b]` is
/// `c = r`, `a = q - r`, `b = p - q`.
///
/// `Display` prints `(p,q,r)`.
///
/// ```
/// use census::query::Position;
/// let position = Position::new(7_u32.into(), 4_u32.into(), 3)?;
/// assert_eq!(position, Position::from_zeilberger([3_u32, 1, 3].map(Into::into))?);
/// assert_eq!(position.to_string(), "(7,4,3)");
/// assert_eq!(position.zeilberger().map(|n| n.to_string()), ["3", "1", "3"]);
/// # Ok::<(), census::query::PositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    p: BigUint,
    q: BigUint,
    r: u64,
}

/// Why three numbers are no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// All three rows are empty.
    #[error(
        "the empty board is not a position, since taking the poison is not a move; the top row \
         needs at least one square"
    )]
    Empty,
    /// The middle row is longer than the top row.
    #[error(
        "the middle row ({}) is longer than the top row ({}); give the row lengths from the top \
         down, p >= q >= r",
        brief(q),
        brief(p)
    )]
    MiddleTooLong {
        /// Length of the top row.
        p: BigUint,
        /// Length of the middle row.
        q: BigUint,
    },
    /// The bottom row is longer than the middle row.
    #[error(
        "the bottom row ({r}) is longer than the middle row ({}); give the row lengths from the \
         top down, p >= q >= r",
        brief(q)
    )]
    BottomTooLong {
        /// Length of the middle row.
        q: BigUint,
        /// Length of the bottom row.
        r: u64,
    },
    /// A row of ω squares below one that is shorter.
    #[error(
        "a row of ω squares is longer than the row above it; give the row lengths from the top \
         down, p >= q >= r"
    )]
    OmegaBelowFinite,
    /// The bottom row is longer than any that can be computed.
    #[error(
        "the bottom row ({}) is too long; only the two other rows may be of any size",
        brief(r)
    )]
    RowTooLarge {
        /// Length of the bottom row.
        r: BigUint,
    },
}

impl Position {
    /// The position `(p,q,r)`.
    ///
    /// # Errors
    /// [`PositionError`], unless `p >= q >= r` and `p >= 1`.
    pub fn new(p: BigUint, q: BigUint, r: u64) -> Result<Self, PositionError> {
        if q > p {
            Err(PositionError::MiddleTooLong { p, q })
        } else if BigUint::from(r) > q {
            Err(PositionError::BottomTooLong { q, r })
        } else if p == BigUint::ZERO {
            Err(PositionError::Empty)
        } else {
            Ok(Self { p, q, r })
        }
    }

    /// The position `(p,q,r)`, r of any size too.
    ///
    /// # Errors
    /// As [`Self::new`], and [`PositionError::RowTooLarge`] if r is 2⁶⁴ or more.
    pub fn from_lengths([p, q, r]: [BigUint; 3]) -> Result<Self, PositionError> {
        match u64::try_from(&r) {
            Ok(r) => Self::new(p, q, r),
            Err(_too_large) => Err(PositionError::RowTooLarge { r }),
        }
    }

    /// Zeilberger's `[c,a,b]`: c columns of three squares, a of two, b of one.
    ///
    /// # Errors
    /// [`PositionError::Empty`] for `[0,0,0]`, [`PositionError::RowTooLarge`] if c is 2⁶⁴ or more.
    pub fn from_zeilberger([c, a, b]: [BigUint; 3]) -> Result<Self, PositionError> {
        let q = &c + a;
        Self::from_lengths([&q + b, q, c])
    }

    /// The length of the top row.
    #[must_use]
    pub fn p(&self) -> &BigUint {
        &self.p
    }

    /// The length of the middle row.
    #[must_use]
    pub fn q(&self) -> &BigUint {
        &self.q
    }

    /// The length of the bottom row.
    #[must_use]
    pub fn r(&self) -> u64 {
        self.r
    }

    /// The row lengths `[p, q, r]`.
    #[must_use]
    pub fn lengths(&self) -> [BigUint; 3] {
        [self.p.clone(), self.q.clone(), self.r.into()]
    }

    /// Zeilberger's `[c,a,b]`.
    #[must_use]
    pub fn zeilberger(&self) -> [BigUint; 3] {
        [self.r.into(), &self.q - self.r, &self.p - &self.q]
    }
}

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
pub enum ReadPositionError {
    /// Not three numbers.
    Text(#[from] ParsePositionError),
    /// Three numbers, but no position.
    Position(#[from] PositionError),
}

/// Reads `(7,4,3)`, `7,4,3` or `7 4 3`, and Zeilberger's `[3,1,3]`.
///
/// ```
/// use census::query::Position;
/// assert_eq!("7 4 3".parse::<Position>(), "[3,1,3]".parse());
/// let error = "7 4 -3".parse::<Position>().unwrap_err();
/// assert!(error.to_string().starts_with("\"-3\" in \"7 4 -3\" is not a number"));
/// ```
impl FromStr for Position {
    type Err = ReadPositionError;

    fn from_str(text: &str) -> Result<Self, ReadPositionError> {
        let value = |Digits(value): Digits| value;
        Ok(match WrittenPosition::read(text)? {
            WrittenPosition::Lengths(lengths) => Self::from_lengths(lengths.map(value))?,
            WrittenPosition::Zeilberger(columns) => Self::from_zeilberger(columns.map(value))?,
        })
    }
}

/// A number that is read half by half, which costs what multiplying numbers of its length costs:
/// from a million digits in a fraction of a second, where `BigUint` itself takes quadratic time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Digits(pub(super) BigUint);

impl From<u16> for Digits {
    fn from(number: u16) -> Self {
        Self(number.into())
    }
}

/// Numbers of at most this many digits are read digit by digit.
const FEW: u16 = 512;

impl FromStr for Digits {
    type Err = ParseBigIntError;

    fn from_str(digits: &str) -> Result<Self, ParseBigIntError> {
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
        // No digits at all are no number, and `BigUint` has the words for that.
        parts.pop().map_or_else(|| digits.parse(), Ok).map(Self)
    }
}

/// A number for a message: of a long one the first digits, and how many there are.
pub(super) fn brief(number: &BigUint) -> String {
    const SHOWN: usize = 40;
    let digits = number.to_string();
    match digits.get(..SHOWN) {
        Some(first) if digits.len() > SHOWN => format!("{first}… ({} digits)", digits.len()),
        _ => digits,
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "({},{},{})", self.p, self.q, self.r)
    }
}
