//! `x + y/√2` against √2 to 40 digits and more.

use std::cmp::Ordering;

use census::{Decimal, Surd};
use num_bigint::BigInt;
use proptest::prelude::*;

/// ⌊√2/2 · 10⁴⁰⌋, OEIS A010503.
const HALF_ROOT: &str = "7071067811865475244008443621048490392848";
const PLACES: u32 = 40;

/// `x + y/√2` in units of 10⁻⁴⁰, off by at most |y| of them.
fn scaled(x: i64, y: i64) -> BigInt {
    let half_root: BigInt = HALF_ROOT.parse().unwrap();
    BigInt::from(10).pow(PLACES) * x + half_root * y
}

/// The value of a decimal of at most 40 places in those units, from how it is printed.
fn units(decimal: &Decimal) -> BigInt {
    let text = decimal.to_string();
    let fraction = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let digits: BigInt = text.replace('.', "").parse().unwrap();
    digits * BigInt::from(10).pow(PLACES - u32::try_from(fraction).unwrap())
}

/// Pairs with all sizes of x and y, and among them many with `x + y/√2` near 0.
fn pair() -> impl Strategy<Value = (i64, i64)> {
    let small = (-40_i64..40, -40_i64..40);
    let near = (-4_000_000_i64..4_000_000, -3_i64..=3).prop_map(|(x, by)| {
        let y = -(x * 1_414_213_562_373) / 1_000_000_000_000 + by;
        (x, y)
    });
    let any = (any::<i64>(), any::<i64>());
    prop_oneof![small, near, any]
}

proptest! {
    #[test]
    fn order_is_that_of_the_numbers(a in pair(), b in pair()) {
        let (first, second) = (Surd::new(a.0, a.1), Surd::new(b.0, b.1));
        let (x, y) = (scaled(a.0, a.1), scaled(b.0, b.1));
        // Numbers with coefficients below 2^65 that differ do so by more than 2^-67, and 40 digits
        // tell that from an error of 2^64 units of 10^-40.
        prop_assert_eq!(first.cmp(&second), x.cmp(&y));
        prop_assert_eq!(first == second, a == b);
    }

    #[test]
    fn rounding_is_directed((x, y) in pair(), places in 0_u32..10) {
        let surd = Surd::new(x, y);
        let (down, near, up) = (surd.down(places), surd.nearest(places), surd.up(places));
        let unit = BigInt::from(10).pow(PLACES - places);
        // The error of 40 digits: none where the number is an integer.
        let error = BigInt::from(y.unsigned_abs());
        let value = scaled(x, y);
        prop_assert!(units(&down) <= &value + &error);
        prop_assert!(value.clone() - &unit < units(&down) + &error);
        prop_assert!(units(&up) >= &value - &error);
        prop_assert!(value.clone() + &unit > units(&up) - &error);
        let distance = units(&near) - &value;
        prop_assert!(2 * BigInt::from(distance.magnitude().clone()) <= unit + 2 * error);
        prop_assert_eq!(down == up, y == 0);
    }

    #[test]
    fn decimals_are_compared_exactly((x, y) in pair(), places in 0_u32..10) {
        let surd = Surd::new(x, y);
        let (down, up) = (surd.down(places), surd.up(places));
        let expected = if y == 0 { Ordering::Equal } else { Ordering::Greater };
        prop_assert_eq!(surd.compare(&down), expected);
        prop_assert_eq!(surd.compare(&up), expected.reverse());
    }

    #[test]
    fn decimals_read_as_they_print(digits in any::<i64>(), places in 0_u32..25) {
        let decimal = Surd::new(digits, 0).down(places);
        prop_assert_eq!(decimal.to_string().parse::<Decimal>().unwrap(), decimal);
    }
}

#[test]
fn distances_from_the_lines() {
    // The paper's α is "about 1.7", its β "about 2.4".
    assert_eq!(Surd::ALPHA.nearest(1).to_string(), "1.7");
    assert_eq!(Surd::BETA.nearest(1).to_string(), "2.4");
    assert_eq!(Surd::ROOT_2.down(15).to_string(), "1.414213562373095");
    assert_eq!(Surd::from_line(170, Surd::ROOT_2, 120).down(3).to_string(), "0.294");
    assert_eq!(Surd::from_line(2, Surd::BETA, 1), Surd::new(1, -2));
    let largest = Surd::from_line(u64::MAX, Surd::BETA, u64::MAX);
    assert!(largest < Surd::new(0, i64::MIN));
    // -√2·(2⁶⁴ - 1).
    assert_eq!(largest.down(0).to_string(), "-26087635650665564424");
}

#[test]
fn what_is_no_decimal_is_refused() {
    for bad in ["", "-", ".", "1.", ".5", "+1", "1e3", "--1", "1.2.3", "1,5", " 1", "−1.242", "１"]
    {
        let error = bad.parse::<Decimal>().unwrap_err();
        assert!(error.to_string().contains(bad));
    }
    let negative: Decimal = "-0.05".parse().unwrap();
    assert_eq!(negative.to_string(), "-0.05");
    assert_eq!((negative.places(), "7".parse::<Decimal>().unwrap().places()), (2, 0));
    assert_eq!(Decimal::ratio(1, 8, 2).to_string(), "0.13");
    assert_eq!(Decimal::ratio(u64::MAX, u64::MAX, 3).to_string(), "1.000");
}
