//! Numbers on an axis: whole thousandths.

use record::joined;

/// One, in thousandths.
pub const ONE: i64 = 1000;

/// A whole number, at most `LARGEST_COLUMN`: records with larger ones are refused before.
///
/// # Panics
/// If it is larger.
pub fn whole(n: u64) -> i64 {
    i64::try_from(n)
        .ok()
        .and_then(|n| n.checked_mul(ONE))
        .expect("rows and columns are far smaller")
}

/// The number as text: `decimals` places after the point, thousands set apart from 10 000 on.
pub fn text(value: i64, decimals: usize) -> String {
    let sign = if value < 0 { "\u{2212}" } else { "" };
    let (units, rest) = (value.unsigned_abs() / 1000, value.unsigned_abs() % 1000);
    let fraction = &format!("{rest:03}")[..decimals.min(3)];
    let point = if decimals > 0 { "." } else { "" };
    format!("{sign}{}{point}{fraction}", grouped(units))
}

/// `123 456`, with narrow spaces that do not break; four digits stay together.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let groups = digits.as_bytes().rchunks(3).rev();
    joined(groups.map(|group| String::from_utf8_lossy(group)), "\u{202f}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(text(-1_500, 1), "\u{2212}1.5");
        assert_eq!(text(40_000, 0), "40");
        assert_eq!(grouped(9999), "9999");
        assert_eq!(grouped(10_000), "10\u{202f}000");
        assert_eq!(grouped(123_456), "123\u{202f}456");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
    }
}
