//! Typed numbers. Errors are messages for the user.

/// Decimal digits, with underscores between them for the eye; without those.
///
/// # Errors
/// Anything else.
pub fn digits(text: &str) -> Result<String, String> {
    let is_group = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    if !text.split('_').all(is_group) {
        return Err("give a whole number in decimal digits, such as 10000 or 10_000".to_owned());
    }
    Ok(text.replace('_', ""))
}

/// The number that [`digits`] are.
///
/// # Errors
/// As `digits`; a number of more than 64 bits.
pub fn number(text: &str) -> Result<u64, String> {
    digits(text)?.parse().map_err(|_too_large| "this number is too large".to_owned())
}

/// A number of a row up to `largest`, the last that the program can compute.
///
/// # Errors
/// As [`number`]; a larger row.
pub fn row(text: &str, largest: u64) -> Result<u64, String> {
    let row = number(text)?;
    if row <= largest { Ok(row) } else { Err(format!("rows go to {largest} here")) }
}

/// A number of bytes: 512M, 8G, 1.5GiB.
///
/// # Errors
/// Anything else.
pub fn size(text: &str) -> Result<u64, String> {
    parse_size::parse_size(text).map_err(|problem| {
        format!("{problem}; a size is a number of bytes, or of units such as 512M, 8G or 2GiB")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_digits() {
        assert_eq!(number("10_000"), Ok(10_000));
        for bad in ["", "_", "-1", "+1", "1e99", "0x10", "1.5", "1,000", "_1", "1_", "１", " 1"] {
            assert!(number(bad).is_err(), "{bad:?} was accepted");
        }
        assert!(number("99999999999999999999").is_err());
        assert_eq!(row("10", 10), Ok(10));
        assert_eq!(row("11", 10), Err("rows go to 10 here".to_owned()));
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!((size("512M"), size("2GiB")), (Ok(512_000_000), Ok(2 << 30)));
        assert!(size("9 cows").is_err());
    }
}
