//! The memory that a rectangle needs.

use std::num::NonZero;

use super::walk::LEAST_WALKED;

/// The largest number of bytes that [`Solution::of`](super::Solution::of) allocates for a rectangle
/// with this number of threads; `u64::MAX` if there are more.
///
/// With sides m <= n these are the bits of the solution, `C(m+n, n)`, which stay, and the sets of
/// lengths: `C(m+n-2, n)` in table 2, one more slice of it, and for each thread `C(m+n-2, n+1)` in
/// the other tables.
#[must_use]
pub fn memory(rows: u16, columns: u16, threads: NonZero<usize>) -> u64 {
    let (shorter, longer) = (rows.min(columns), rows.max(columns));
    let (m, n) = (u64::from(shorter.max(LEAST_WALKED)), u64::from(longer));
    let bits = binomial(u64::from(shorter) + n, n);
    let second = binomial(m + n - 2, n);
    let slice = binomial(m + n - 3, n);
    let others = binomial(m + n - 2, n + 1);
    let sets = (threads.get() as u64)
        .checked_mul(others.saturating_add(slice))
        .and_then(|bytes| bytes.checked_add(second))
        .and_then(|sets| sets.checked_mul(bytes_of_set(longer)));
    sets.and_then(|bytes| bytes.checked_add(bits / 8)).unwrap_or(u64::MAX)
}

/// Whether ranks fit into a `usize`, and the bytes into an allocation.
pub(super) fn is_addressable(rows: u16, columns: u16, threads: NonZero<usize>) -> bool {
    let (shorter, longer) = (rows.min(columns), rows.max(columns));
    let (m, n) = (u64::from(shorter.max(LEAST_WALKED)), u64::from(longer));
    let bytes = memory(rows, columns, threads);
    binomial(m + n, n) < usize::MAX as u64 && isize::try_from(bytes).is_ok()
}

/// Of a set of lengths up to n.
fn bytes_of_set(longest: u16) -> u64 {
    match longest {
        0..=15 => 2,
        16..=31 => 4,
        32..=63 => 8,
        64..=255 => 32,
        _ => 128,
    }
}

/// `C(n, k)`, or `u64::MAX` if it is more.
pub(crate) fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut product: u64 = 1;
    for chosen in 1..=k.min(n - k) {
        // C(n, chosen) = C(n, chosen - 1) · (n - chosen + 1) / chosen
        let wide = u128::from(product) * u128::from(n - chosen + 1) / u128::from(chosen);
        match u64::try_from(wide) {
            Ok(next) => product = next,
            Err(_) => return u64::MAX,
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(|k| binomial(4, k)), [1, 4, 6, 4, 1, 0]);
        // Zeilberger's computer would have needed them: 14 by 14.
        assert_eq!(binomial(28, 14), 40_116_600);
        assert_eq!(binomial(2000, 1000), u64::MAX);
    }

    #[test]
    fn memory_grows_and_does_not_overflow() {
        let (one, two) = (NonZero::<usize>::MIN, NonZero::new(2).expect("not 0"));
        assert_eq!(memory(1023, 1023, two), u64::MAX);
        assert_eq!(memory(10, 42, two), memory(42, 10, two));
        for side in 4..30 {
            assert!(memory(side, side, one) < memory(side, side + 1, one));
            assert!(memory(side, side, one) < memory(side, side, two));
        }
    }
}
