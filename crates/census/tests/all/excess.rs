//! `start - √2·r` against √2 to 40 digits.

use census::Excess;
use proptest::prelude::*;

/// ⌊√2 · 10²⁵⌋, OEIS A002193.
const ROOT: i128 = 14_142_135_623_730_950_488_016_887;
const SCALE: i128 = 10_i128.pow(25);

/// `start - √2·row` in units of 10⁻²⁵, off by at most `row` of them.
fn scaled(excess: Excess) -> i128 {
    i128::from(excess.start) * SCALE - i128::from(excess.row) * ROOT
}

fn excess() -> impl Strategy<Value = Excess> {
    (0_u64..4_000_000).prop_flat_map(|row| {
        let near = row * 3 / 2;
        (near.saturating_sub(row / 8)..=near + 8).prop_map(move |start| Excess::of(row, start))
    })
}

proptest! {
    #[test]
    fn order_is_that_of_the_numbers(a in excess(), b in excess()) {
        let (x, y) = (scaled(a), scaled(b));
        // Below this distance the digits of ROOT would not decide; no two such numbers are so near.
        prop_assert!(a == b || (x - y).abs() > 8_000_000);
        prop_assert_eq!(a.distance.cmp(&b.distance), x.cmp(&y));
    }

    #[test]
    fn three_decimals_are_rounded_down(a in excess()) {
        let printed = a.distance.down(3).to_string();
        let printed: String = printed.replace('.', "");
        let thousandths: i128 = printed.parse().unwrap();
        let (low, high) = (thousandths * SCALE / 1000, (thousandths + 1) * SCALE / 1000);
        // ROOT is rounded down, so the scaled number is at most 4 000 000 units too large.
        prop_assert!(low <= scaled(a) && scaled(a) - 4_000_000 < high, "{printed} for {}", scaled(a));
    }
}

#[test]
fn numbers_next_to_each_other_are_told_apart() {
    // 1393/985 and 3363/2378 are convergents of √2: start - √2·row is about -0.0004 and 0.0001.
    let numbers = [(985, 1393), (0, 0), (2378, 3363)];
    let numbers = numbers.map(|(row, start)| Excess::of(row, start).distance);
    assert!(numbers.is_sorted_by(|one, next| one < next));
    assert_eq!(numbers.map(|own| own.down(3).to_string()), ["-0.001", "0.000", "0.000"]);
}
