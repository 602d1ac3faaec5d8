//! Typed numbers. Errors are messages for the user.

use ask::input::number;
pub use ask::input::row;

/// A number of bytes: 512M, 8G, `8 GB`, 1.5GiB. Below a million the unit is needed: nobody means 8
/// bytes by 8.
///
/// # Errors
/// Anything else.
pub fn size(text: &str) -> Result<u64, String> {
    match number(text.trim()) {
        Ok(bytes @ 1_000_000..) => return Ok(bytes),
        Ok(_) => return Err("the unit is missing; give a size such as 512M or 8G".to_owned()),
        Err(_) => {}
    }
    parse_size::parse_size(text)
        .map_err(|problem| format!("{problem}; give a size such as 512M, 8G or 2GiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_64_bits() {
        assert_eq!(number("10_000"), number("1e4"));
        for bad in ["", "-1", "1e99", "1.5", "99999999999999999999"] {
            assert!(number(bad).is_err(), "{bad:?} was accepted");
        }
        assert_eq!(row("10"), Ok(10));
        let largest = driver::LARGEST_ROW;
        let error = row(&(largest + 1).to_string());
        assert_eq!(error, Err(format!("rows go to {largest} here")));
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!((size("512M"), size("2GiB")), (Ok(512_000_000), Ok(2 << 30)));
        assert_eq!((size("8 GB"), size("8 G")), (Ok(8_000_000_000), Ok(8_000_000_000)));
        assert_eq!((size("8e9"), size("1000000")), (Ok(8_000_000_000), Ok(1_000_000)));
        for bad in ["9 cows", "8", "999_999", "", "-1", "-1G"] {
            assert!(size(bad).is_err(), "{bad:?} was accepted");
        }
    }
}
