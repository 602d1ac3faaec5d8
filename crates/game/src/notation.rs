//! How numbers and row lengths are written, for every type that is read from text. `docs/GUIDE.md`
//! has the table of all forms.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use crate::Board;

/// The largest number of digits of a number.
const MOST_DIGITS: usize = 10_000_000;

/// The reason why a text is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NumberError {
    /// Neither digits nor a power of ten.
    #[error("give a whole number without commas, such as 10000, 10_000, 1e4, 10^30 or 5*10^29")]
    Form,
    /// A number with a minus sign.
    #[error("a number here is 0 or more")]
    Negative,
    /// More digits than any number here has.
    #[error("a number here has at most {MOST_DIGITS} digits")]
    Long,
}

/// The decimal digits of a number: of `10000`, `10_000`, `1e4`, `10^4` or `5*10^3`, with `**` for
/// `^` and `·` for `*`.
///
/// # Errors
/// [`NumberError`].
///
/// ```
/// use game::notation::{NumberError, digits};
/// assert_eq!(digits("5*10^3")?, "5000");
/// assert_eq!(digits("-1"), Err(NumberError::Negative));
/// # Ok::<(), NumberError>(())
/// ```
pub fn digits(text: &str) -> Result<String, NumberError> {
    if text.strip_prefix('-').is_some_and(|rest| digits(rest).is_ok()) {
        return Err(NumberError::Negative);
    }
    let text = &text.replace("**", "^");
    let (factor, exponent) = match text.split_once(['e', 'E']) {
        Some((factor, exponent)) => (factor, Some(exponent)),
        None => power_of_ten(text),
    };
    let mut digits = plain(factor)?;
    if let Some(exponent) = exponent {
        let zeros = plain(exponent)?.parse().ok().filter(|&zeros| zeros < MOST_DIGITS);
        digits.push_str(&"0".repeat(zeros.ok_or(NumberError::Long)?));
    }
    if digits.len() > MOST_DIGITS { Err(NumberError::Long) } else { Ok(digits) }
}

/// A reader of numbers in a range, whose ends fit the type; for the arguments of programs.
pub fn within<N: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    move |text| {
        let digits = digits(text).map_err(|error| error.to_string())?;
        let number: u64 = digits.parse().map_err(|_too_large| "this number is too large")?;
        let inside = range.contains(&number).then(|| N::try_from(number).ok()).flatten();
        inside.ok_or_else(|| format!("{number} is not in {}..={}", range.start(), range.end()))
    }
}

/// The factor and the exponent of `5*10^3` or `10^3`; any other text is the factor alone.
fn power_of_ten(text: &str) -> (&str, Option<&str>) {
    let (factor, power) = text.split_once(['*', '·']).unwrap_or(("1", text));
    match power.strip_prefix("10^") {
        Some(exponent) => (factor, Some(exponent)),
        None => (text, None),
    }
}

/// Decimal digits, with underscores between them for the eye; without those.
fn plain(text: &str) -> Result<String, NumberError> {
    let is_group = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    if text.split('_').all(is_group) { Ok(text.replace('_', "")) } else { Err(NumberError::Form) }
}

/// Why a text is not a list of row lengths, or not a board, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{words}")]
pub struct NotationError {
    /// What is wrong, for callers that know a remedy.
    pub wrong: Wrong,
    /// The text, shortened if it is long.
    pub text: String,
    words: String,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrong {
    /// Its brackets, a missing or a negative number, or the order of its columns.
    Form,
    /// A part is not a number.
    Number,
    /// It is a product of more than two chains.
    Product,
    /// A number does not fit into its type.
    TooLarge,
    /// These numbers are no board.
    Board,
}

impl NotationError {
    /// What a part of a text is, or the text, if it is its part.
    fn of(wrong: Wrong, part: &str, text: &str, is: impl fmt::Display) -> Self {
        let (part, text) = (brief(part), brief(text));
        let words = if part == text {
            format!("{text:?} {is}")
        } else {
            format!("{part:?} in {text:?} {is}")
        };
        Self { wrong, text, words }
    }
}

/// The notation of the length of an infinite row.
const OMEGA: &str = "ω";

/// Whether the text is a name of the length of an infinite row: `ω`, `omega`, or what other
/// programs call infinity, `∞`, `inf`, `infinity`, `oo`, in small or capital letters.
pub fn is_omega(text: &str) -> bool {
    let is_short = text.len() <= "infinity".len();
    is_short
        && matches!(text.to_lowercase().as_str(), OMEGA | "omega" | "∞" | "inf" | "infinity" | "oo")
}

/// Row lengths as they are written, of any type that is parsed from decimal digits. What
/// [`is_omega`] accepts is a number if that type accepts `ω`. They need not be the row lengths of a
/// position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Written<N> {
    /// Row lengths.
    Lengths(Lengths<N>),
    /// Separated numbers in square brackets: for Cho these are row lengths, for Zeilberger numbers
    /// of columns, from the full columns to the columns of one square.
    Squared(Vec<N>),
}

/// Row lengths, and the direction in which they were written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lengths<N> {
    /// The longest first, if they were in ascending or descending order.
    pub rows: Vec<N>,
    /// Whether they were written with the poisoned row last, as in Cho's paper.
    pub poison_last: bool,
}

impl<N: Ord> Lengths<N> {
    /// Lengths that were written in this order.
    pub fn of(mut rows: Vec<N>) -> Self {
        let poison_last = rows.first() < rows.last();
        if poison_last {
            rows.reverse();
        }
        Self { rows, poison_last }
    }
}

impl Lengths<u16> {
    /// The board with these rows, which were read from a text.
    ///
    /// # Errors
    /// [`NotationError`] if they are no board.
    pub fn board(self, text: &str) -> Result<Board, NotationError> {
        Board::new(self.rows).map_err(|error| {
            NotationError::of(Wrong::Board, text, text, format_args!("is no board: {error}"))
        })
    }
}

impl<N: FromStr + Ord + Clone + From<u16>> Written<N> {
    /// Reads row lengths.
    ///
    /// # Errors
    /// [`NotationError`].
    ///
    /// ```
    /// use game::Written;
    /// for text in ["7 5 5 4", "(4,5,5,7)", "[4557]", "[1,1,3,4,4,4,4]'"] {
    ///     let Written::Lengths(lengths) = Written::<u64>::read(text)? else { panic!("{text}") };
    ///     assert_eq!(lengths.rows, [7, 5, 5, 4]);
    /// }
    /// assert_eq!(Written::<u64>::read("[3,1,1_000]")?, Written::Squared(vec![3, 1, 1000]));
    /// # Ok::<(), game::NotationError>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, NotationError> {
        let trimmed = text.trim();
        if let Some((rows, columns)) = sides(trimmed) {
            return rectangle(text, rows, columns);
        }
        let sides: Vec<&str> = trimmed.split(TIMES).map(str::trim).collect();
        if sides.len() > 2 && sides.iter().all(|side| digits(side).is_ok()) {
            let is = "is a product of more than two chains, a poset without rows and columns";
            return Err(NotationError::of(Wrong::Product, text, text, is));
        }
        let (lengths, primed) = match trimmed.strip_suffix('\'') {
            Some(lengths) => (lengths, true),
            None => (trimmed, false),
        };
        let squared = enclosed(lengths, '[', ']');
        let rounded = if primed { None } else { enclosed(lengths, '(', ')') };
        let inside = squared.or(rounded).unwrap_or(lengths).trim();
        if inside.contains(['(', ')', '[', ']']) || (primed && squared.is_none()) {
            let has = "has brackets that do not match; write row lengths as 7,5,5,4 or (7,5,5,4) or \
                       [4557]";
            return Err(NotationError::of(Wrong::Form, text, text, has));
        }
        let a_digit_each = squared.is_some() && inside.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = match inside {
            _ if a_digit_each => (0..inside.len()).map(|place| &inside[place..=place]).collect(),
            _ if inside.contains(',') => inside.split(',').map(str::trim).collect(),
            _ => inside.split_whitespace().collect(),
        };
        if primed {
            let columns = numbers(text, &parts)?;
            return Ok(Self::Lengths(transposed(text, Lengths::of(columns))?));
        }
        let numbers = numbers(text, &parts)?;
        let is_squared = squared.is_some() && !a_digit_each;
        Ok(if is_squared { Self::Squared(numbers) } else { Self::Lengths(Lengths::of(numbers)) })
    }
}

/// Reads a rectangle, `8x10` (8 rows, 10 columns), or row lengths in either direction: `7,5,5,4`,
/// `(7,5,5,4)`, `4 5 5 7`, or `[4,5,5,7]` and `[4557]` as in Cho's paper, where each unseparated
/// digit is a row. A prime after the square bracket, `[224]'`, means that the numbers are columns,
/// as in his paper. (In a position, square brackets around separated numbers mean Zeilberger's
/// numbers of columns.) [`digits`] says how numbers are written.
///
/// ```
/// use game::Board;
///
/// for text in ["7,5,5,4", "4,5,5,7", "(7 5 5 4)", "[4557]", "[4,5,5,7]", "[1,1,3,4,4,4,4]'"] {
///     assert_eq!(text.parse::<Board>()?.to_string(), "(7,5,5,4)");
/// }
/// assert_eq!("3x4".parse::<Board>()?.to_string(), "(4,4,4)");
/// # Ok::<(), game::NotationError>(())
/// ```
impl FromStr for Board {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match Written::read(text)? {
            Written::Lengths(lengths) => lengths.board(text),
            Written::Squared(numbers) => Lengths::of(numbers).board(text),
        }
    }
}

/// The text between `open` at its start and `close` at its end.
fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// The signs between the sides of a rectangle.
const TIMES: [char; 4] = ['x', 'X', '×', '⊗'];

/// The texts before and after the sign of a rectangle, if there is just one.
fn sides(text: &str) -> Option<(&str, &str)> {
    let (rows, columns) = text.split_once(TIMES)?;
    let (rows, columns) = (rows.trim(), columns.trim());
    let is_one = |side: &str| !side.contains(|c: char| c == ',' || c.is_whitespace());
    if columns.contains(TIMES) {
        return None;
    }
    (is_one(rows) && is_one(columns)).then_some((rows, columns))
}

fn rectangle<N: FromStr + Clone>(
    text: &str,
    rows: &str,
    columns: &str,
) -> Result<Written<N>, NotationError> {
    let count = usize::from(number::<u16>(text, rows)?);
    // All together they have no more digits than a number may have.
    if count * digits(columns).map_or(0, |digits| digits.len()) > MOST_DIGITS {
        return Err(NotationError::of(Wrong::TooLarge, rows, text, TOO_LARGE));
    }
    let rows = vec![number(text, columns)?; count];
    Ok(Written::Lengths(Lengths { rows, poison_last: false }))
}

/// From the lengths of the columns to the lengths of the rows.
fn transposed<N: From<u16>>(
    text: &str,
    columns: Lengths<u16>,
) -> Result<Lengths<N>, NotationError> {
    let Lengths { rows: columns, poison_last } = columns;
    if !columns.is_sorted_by(|one, next| one >= next) {
        let has = "has columns in no order; give their lengths in one direction, the longest first \
                   or last";
        return Err(NotationError::of(Wrong::Form, text, text, has));
    }
    let length = |row| columns.partition_point(|&column| column >= row);
    let narrow = |length: usize| u16::try_from(length).map(N::from);
    let rows = (1..=columns.first().copied().unwrap_or(0)).map(|row| narrow(length(row)));
    rows.collect::<Result<_, _>>().map(|rows| Lengths { rows, poison_last }).map_err(|_| {
        let has = format!("has {} columns, which is too large here", columns.len());
        NotationError::of(Wrong::TooLarge, text, text, has)
    })
}

fn numbers<N: FromStr>(text: &str, parts: &[&str]) -> Result<Vec<N>, NotationError> {
    parts.iter().map(|part| number(text, part)).collect()
}

fn number<N: FromStr>(text: &str, part: &str) -> Result<N, NotationError> {
    let error = |wrong, is: &str| NotationError::of(wrong, part, text, is);
    let has_commas = text.contains(',');
    let no_number = || {
        let commas = if has_commas { "commas separate row lengths; " } else { "" };
        let forms = "write numbers such as 10000, 10_000, 1e4, 10^30 or 5*10^29";
        error(Wrong::Number, &format!("is not a number of squares; {commas}{forms}"))
    };
    match digits(part) {
        _ if is_omega(part) => OMEGA.parse().map_err(|_| no_number()),
        // The end of 1,000, which is not two lengths.
        _ if has_commas && part.len() == 3 && part.starts_with('0') => Err(no_number()),
        _ if part.is_empty() => {
            let lacks = "lacks a number; write decimal digits, as in 7 5 3";
            Err(NotationError::of(Wrong::Form, text, text, lacks))
        }
        // These are digits only, so only their size can be wrong.
        Ok(digits) => digits.parse().map_err(|_| error(Wrong::TooLarge, TOO_LARGE)),
        Err(NumberError::Negative) => {
            Err(error(Wrong::Form, "is negative; a row has 0 squares or more"))
        }
        Err(NumberError::Long) => Err(error(Wrong::TooLarge, TOO_LARGE)),
        Err(NumberError::Form) => Err(no_number()),
    }
}

const TOO_LARGE: &str = "is too large here; use smaller numbers";

/// The beginning of a text, for a message.
fn brief(text: &str) -> String {
    const SHOWN: usize = 100;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits_or_powers_of_ten() {
        let million = "1000000";
        for text in ["1000000", "1_000_000", "1e6", "1E6", "10^6", "10**6", "1*10^6", "10*10^5"] {
            assert_eq!(digits(text).as_deref(), Ok(million), "{text}");
        }
        assert_eq!(digits("5·10^0").as_deref(), Ok("5"));
        assert_eq!(digits("25*10**1").as_deref(), Ok("250"));
        for bad in [
            "", "_", "+1", "0x10", "1.5", "1,000", "_1", "1_", "１", " 1", "e6", "1e", "1e-6",
            "10^", "2^10", "1*1", "10*10", "1e6e6", "10^3*5", "--1", "-x",
        ] {
            assert_eq!(digits(bad), Err(NumberError::Form), "{bad}");
        }
        assert_eq!(digits("-10^3"), Err(NumberError::Negative));
        for long in ["1e10000000", "1e99999999999999999999", "10^10_000_000"] {
            assert_eq!(digits(long), Err(NumberError::Long), "{long}");
        }
        assert_eq!(digits("1e9999999").map(|digits| digits.len()), Ok(MOST_DIGITS));
    }
}
