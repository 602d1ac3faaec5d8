//! Numbers on an axis: whole thousandths, irrational ones rounded down, without floats.

use record::joined;

/// One, in thousandths.
pub const ONE: i64 = 1000;

/// A whole number, at most `LARGEST_COLUMN`: records with larger ones are refused before.
///
/// # Panics
/// If it is larger.
#[must_use]
pub fn whole(n: u64) -> i64 {
    i64::try_from(n)
        .ok()
        .and_then(|n| n.checked_mul(ONE))
        .expect("rows and columns are far smaller")
}

/// `⌊1000·√2·n⌋`.
#[must_use]
pub fn root_two(n: u64) -> i64 {
    root(2_000_000 * square(n))
}

/// `⌊1000·n/√2⌋`.
#[must_use]
pub fn half_root_two(n: u64) -> i64 {
    root(500_000 * square(n))
}

/// A whole number less what [`root_two`] or [`half_root_two`] gave, rounded down.
#[must_use]
pub fn minus(a: i64, rounded_down: i64) -> i64 {
    // Multiples of √2 other than 0 are no whole thousandths, so rounding up is one more.
    a - rounded_down - i64::from(rounded_down > 0)
}

/// The number as text: `decimals` places after the point, thousands set apart from 10 000 on.
#[must_use]
pub fn text(value: i64, decimals: usize) -> String {
    let sign = if value < 0 { "\u{2212}" } else { "" };
    let (units, rest) = (value.unsigned_abs() / 1000, value.unsigned_abs() % 1000);
    let fraction = &format!("{rest:03}")[..decimals.min(3)];
    let point = if decimals > 0 { "." } else { "" };
    format!("{sign}{}{point}{fraction}", grouped(units))
}

/// As it is written in a text.
#[must_use]
pub fn minus_sign(number: &impl ToString) -> String {
    number.to_string().replace('-', "−")
}

/// `123 456`, with narrow spaces that do not break; four digits stay together.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let groups = digits.as_bytes().rchunks(3).rev();
    joined(groups.map(|group| String::from_utf8_lossy(group)), "\u{202f}")
}

fn square(n: u64) -> u128 {
    u128::from(n) * u128::from(n)
}

fn root(square: u128) -> i64 {
    i64::try_from(square.isqrt()).expect("rows and columns are far smaller")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// √2 = 1.41421356237309504880... (OEIS A002193).
    #[test]
    fn roots_are_rounded_down() {
        assert_eq!((root_two(0), root_two(1), half_root_two(1)), (0, 1414, 707));
        assert_eq!(root_two(1_000_000), 1_414_213_562);
        assert_eq!(half_root_two(1_000_000), 707_106_781);
        // 170 - 120·√2 = 0.2943...; 1 - √2 = -0.4142...
        assert_eq!(minus(whole(170), root_two(120)), 294);
        assert_eq!(minus(whole(1), root_two(1)), -415);
        assert_eq!(minus(whole(1), root_two(0)), 1000);
    }

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
