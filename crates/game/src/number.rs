//! Numbers as people type them.

use std::ops::RangeInclusive;

use thiserror::Error;

/// The largest number of digits of a number.
pub(crate) const MOST_DIGITS: usize = 10_000_000;

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
/// use game::number::{NumberError, digits};
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
