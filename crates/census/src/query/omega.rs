//! Positions with rows of ω squares, one for each natural number: what certified rows decide of
//! them, and no more.
//!
//! Stands on fact 10 of proofs/README.md. A bite in an infinite row leaves finitely many squares
//! there, so every game ends.

use std::fmt;
use std::str::FromStr;

use game::{ParsePositionError, WrittenPosition};
use num_bigint::{BigUint, ParseBigIntError};
use record::RowRecord;
use thiserror::Error;

use super::position::Digits;
use super::{BoardRow, Position, PositionError, QueryError, cell};

/// The length of a row that may be infinite. ω is more than every number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Length {
    /// This number of squares.
    Finite(BigUint),
    /// One square for each natural number.
    Omega,
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
            digits => digits.parse().map(|Digits(number)| Self::Finite(number)),
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

/// A position whose top row is infinite. `Display` prints `(ω,q,r)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OmegaPosition {
    /// `(ω,q,r)`, `q >= r`.
    Top {
        /// The length of the middle row.
        q: BigUint,
        /// The length of the bottom row.
        r: u64,
    },
    /// `(ω,ω,r)`.
    TopAndMiddle {
        /// The length of the bottom row.
        r: u64,
    },
    /// `(ω,ω,ω)`, the board 3×ω.
    All,
}

impl OmegaPosition {
    /// The row lengths, from the top down.
    #[must_use]
    pub fn lengths(&self) -> [Length; 3] {
        let finite = |r: u64| Length::Finite(r.into());
        match self {
            Self::Top { q, r } => [Length::Omega, Length::Finite(q.clone()), finite(*r)],
            Self::TopAndMiddle { r } => [Length::Omega, Length::Omega, finite(*r)],
            Self::All => [Length::Omega, Length::Omega, Length::Omega],
        }
    }

    /// The row whose record decides everything about the position: the bottom row, or 0 if it is
    /// infinite.
    #[must_use]
    pub fn row(&self) -> u64 {
        match self {
            Self::Top { r, .. } | Self::TopAndMiddle { r } => *r,
            Self::All => 0,
        }
    }
}

impl fmt::Display for OmegaPosition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [p, q, r] = self.lengths();
        write!(f, "({p},{q},{r})")
    }
}

/// A position, with infinite rows or without.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyPosition {
    /// All rows are finite.
    Finite(Position),
    /// The top row is infinite, and perhaps others.
    Omega(OmegaPosition),
}

impl AnyPosition {
    /// The position with these row lengths, from the top down.
    ///
    /// # Errors
    /// [`PositionError`], unless they are at least 1, and in order.
    pub fn from_lengths(lengths: [Length; 3]) -> Result<Self, PositionError> {
        match lengths {
            [Length::Finite(p), Length::Finite(q), Length::Finite(r)] => {
                Position::from_lengths([p, q, r]).map(Self::Finite)
            }
            [Length::Omega, Length::Omega, Length::Omega] => Ok(Self::Omega(OmegaPosition::All)),
            [Length::Omega, Length::Omega, Length::Finite(r)] => {
                let r = u64::try_from(&r).map_err(|_| PositionError::RowTooLarge { r })?;
                Ok(Self::Omega(OmegaPosition::TopAndMiddle { r }))
            }
            [Length::Omega, Length::Finite(q), Length::Finite(r)] => {
                let r = u64::try_from(&r).map_err(|_| PositionError::RowTooLarge { r })?;
                if BigUint::from(r) > q {
                    return Err(PositionError::BottomTooLong { q, r });
                }
                Ok(Self::Omega(OmegaPosition::Top { q, r }))
            }
            _ => Err(PositionError::OmegaBelowFinite),
        }
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Finite(position) => position.fmt(f),
            Self::Omega(position) => position.fmt(f),
        }
    }
}

/// Why a text is no position, infinite rows allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
pub enum ReadAnyError {
    /// Not three lengths.
    Text(#[from] ParsePositionError),
    /// Three lengths, but no position.
    Position(#[from] PositionError),
    /// Infinite rows in Zeilberger's notation.
    #[error("ω is the length of a row; write (p,q,r) for row lengths, from the top down")]
    Zeilberger,
}

/// Reads what [`Position`] reads, and `ω` or `omega` as lengths of rows.
///
/// ```
/// use census::query::omega::AnyPosition;
/// let position: AnyPosition = "omega 5 3".parse()?;
/// assert_eq!(position.to_string(), "(ω,5,3)");
/// assert_eq!("(7,4,3)".parse::<AnyPosition>()?.to_string(), "(7,4,3)");
/// assert!("(5,ω,3)".parse::<AnyPosition>().is_err());
/// # Ok::<(), census::query::omega::ReadAnyError>(())
/// ```
impl FromStr for AnyPosition {
    type Err = ReadAnyError;

    fn from_str(text: &str) -> Result<Self, ReadAnyError> {
        match WrittenPosition::read(text)? {
            WrittenPosition::Lengths(lengths) => Ok(Self::from_lengths(lengths)?),
            WrittenPosition::Zeilberger(columns) => {
                let [Length::Finite(c), Length::Finite(a), Length::Finite(b)] = columns else {
                    return Err(ReadAnyError::Zeilberger);
                };
                Ok(Self::Finite(Position::from_zeilberger([c, a, b])?))
            }
        }
    }
}

/// A bite in a position with an infinite row that leaves a P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OmegaBite {
    /// The row of the board in which a square is bitten.
    pub bitten: BoardRow,
    /// The P-position that is left.
    pub leaves: AnyPosition,
}

/// What is known of a position with an infinite row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OmegaAnswer {
    /// The position.
    pub position: OmegaPosition,
    /// Every bite that leaves a P-position, in the order of [`BoardRow`]: none if the position is
    /// P.
    pub bites: Vec<OmegaBite>,
    /// The record of [`OmegaPosition::row`].
    pub record: RowRecord,
}

impl OmegaAnswer {
    /// Whether the position is a P-position.
    #[must_use]
    pub fn is_p(&self) -> bool {
        self.bites.is_empty()
    }
}

/// Whether a position is P or N, and every bite that leaves a P-position, by fact 10. O(log q).
///
/// # Errors
/// [`QueryError::NeedsHead`] if the record has only a fingerprint of the offset in column q.
///
/// # Panics
/// If this is not the record of [`OmegaPosition::row`].
pub fn answer(position: &OmegaPosition, record: &RowRecord) -> Result<OmegaAnswer, QueryError> {
    assert_eq!(record.row(), position.row(), "the record of the bottom row decides");
    let r = record.row();
    // The P-position (x,x,r), if the row ends.
    let end = cell::last(record.statement()).map(|x| [x.into(), x.into(), r.into()]);
    let (top, bottom) = match position {
        OmegaPosition::Top { q, .. } => match cell::offset(record.statement(), q)? {
            Some(offset) => (Some([q + offset, q.clone(), r.into()]), false),
            None => (end, false),
        },
        OmegaPosition::TopAndMiddle { r: 0 } => (end, false),
        OmegaPosition::TopAndMiddle { .. } => (end, true),
        OmegaPosition::All => (None, true),
    };
    let bite = |bitten, leaves| OmegaBite { bitten, leaves };
    // A false record may lead to the empty board, which is no position.
    let top = top.and_then(|leaves| Position::from_lengths(leaves).ok());
    let top = top.map(|leaves| bite(BoardRow::Top, AnyPosition::Finite(leaves)));
    let two_by_omega = AnyPosition::Omega(OmegaPosition::TopAndMiddle { r: 0 });
    let bottom = bottom.then(|| bite(BoardRow::Bottom, two_by_omega));
    let bites = top.into_iter().chain(bottom).collect();
    Ok(OmegaAnswer { position: position.clone(), bites, record: record.clone() })
}
