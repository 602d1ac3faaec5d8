//! Reading a position from text. What makes three numbers a position is for [`Position::new`].

use std::str::FromStr;

use thiserror::Error;

use crate::{Position, PositionError};

/// Why a text is not a [`Position`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// An opening bracket without its closing one, or the other way round.
    #[error(
        "the brackets of {text:?} do not match; \
         write (p,q,r) or p q r for row lengths, [c,a,b] for numbers of columns"
    )]
    Brackets {
        /// The text, of a long one the beginning.
        text: String,
    },
    /// Not three numbers.
    #[error(
        "{text:?} has {found} numbers where a position has 3; \
         write (p,q,r) or p q r for row lengths, [c,a,b] for numbers of columns"
    )]
    Count {
        /// The text, of a long one the beginning.
        text: String,
        /// How many parts it has.
        found: usize,
    },
    /// A part is not a number.
    #[error(
        "{part:?} in {text:?} is not a number; \
         use decimal digits, with underscores between them if you like"
    )]
    Number {
        /// The text, of a long one the beginning.
        text: String,
        /// The part that is not a number, of a long one the beginning.
        part: String,
    },
    /// A number does not fit in 64 bits.
    #[error(
        "{part} in {text:?} is too large; the longest row supported has {max} squares",
        max = u64::MAX
    )]
    TooLarge {
        /// The text, of a long one the beginning.
        text: String,
        /// The number that is too large, of a long one the beginning.
        part: String,
    },
    /// Three numbers, but not a position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Reads row lengths, `(7,4,3)`, `7,4,3` or `7 4 3`, and Zeilberger's `[3,1,3]`.
///
/// Square brackets always mean numbers of columns `[c,a,b]`, see [`Position::from_zeilberger`].
/// (The 2005 paper prints row lengths in square brackets; write those with round ones.) Numbers are
/// decimal digits, with underscores between digits allowed. Spaces around numbers and brackets do
/// not matter.
///
/// ```
/// use game::Position;
///
/// for text in ["(7,4,3)", "7 4 3", "7,4,3", "( 7, 4, 3 )", "[3,1,3]"] {
///     assert_eq!(text.parse(), Position::new(7, 4, 3).map_err(Into::into), "{text}");
/// }
///
/// let error = "(7,4)".parse::<Position>().unwrap_err();
/// assert!(error.to_string().starts_with("\"(7,4)\" has 2 numbers where a position has 3"));
/// ```
impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match Written::read(text)? {
            Written::Lengths([p, q, r]) => Self::new(p, q, r)?,
            Written::Zeilberger([c, a, b]) => Self::from_zeilberger(c, a, b)?,
        })
    }
}

/// How the length of an infinite row is written.
const OMEGA: &str = "ω";

/// The three numbers of a position as it is written, of any type that reads decimal digits. `ω` and
/// `omega` are numbers if that type reads `ω`. Whether they make a position is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Written<N> {
    /// Row lengths p, q, r, without brackets or in round ones.
    Lengths([N; 3]),
    /// Zeilberger's numbers of columns c, a, b, in square brackets.
    Zeilberger([N; 3]),
}

impl<N: FromStr> Written<N> {
    /// Reads what [`Position`] reads: see there.
    ///
    /// # Errors
    /// [`ParsePositionError`], but for those of a [`PositionError`].
    ///
    /// ```
    /// use game::Written;
    /// assert_eq!(Written::read("[3,1,1_000]"), Ok(Written::Zeilberger([3_u128, 1, 1000])));
    /// ```
    pub fn read(text: &str) -> Result<Self, ParsePositionError> {
        let trimmed = text.trim();
        if let Some(inside) = enclosed(trimmed, '[', ']') {
            return Ok(Self::Zeilberger(numbers(text, inside)?));
        }
        let inside = enclosed(trimmed, '(', ')').unwrap_or(trimmed);
        Ok(Self::Lengths(numbers(text, inside)?))
    }
}

/// What stands between `open` at the very start and `close` at the very end.
pub(crate) fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

fn numbers<N: FromStr>(text: &str, inside: &str) -> Result<[N; 3], ParsePositionError> {
    if inside.contains(['(', ')', '[', ']']) {
        return Err(ParsePositionError::Brackets { text: brief(text) });
    }
    let parts = parts(inside);
    let &[first, second, third] = parts.as_slice() else {
        return Err(ParsePositionError::Count { text: brief(text), found: parts.len() });
    };
    Ok([number(text, first)?, number(text, second)?, number(text, third)?])
}

/// The parts between commas, or between spaces if there is no comma.
pub(crate) fn parts(inside: &str) -> Vec<&str> {
    if inside.contains(',') {
        inside.split(',').map(str::trim).collect()
    } else {
        inside.split_whitespace().collect()
    }
}

/// Whether a part is decimal digits, with underscores between them allowed.
pub(crate) fn is_number(part: &str) -> bool {
    part.split('_').all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()))
}

fn number<N: FromStr>(text: &str, part: &str) -> Result<N, ParsePositionError> {
    let no_number = || ParsePositionError::Number { text: brief(text), part: brief(part) };
    if part == OMEGA || part == "omega" {
        return OMEGA.parse().map_err(|_| no_number());
    }
    if !is_number(part) {
        return Err(no_number());
    }
    // Digits only: the one thing that can still go wrong is the size.
    part.replace('_', "")
        .parse()
        .map_err(|_| ParsePositionError::TooLarge { text: brief(text), part: brief(part) })
}

/// As much of a text as a message shows of it.
pub(crate) fn brief(text: &str) -> String {
    const SHOWN: usize = 100;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
