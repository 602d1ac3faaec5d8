//! The period of a list of values that was cut from a sequence.

/// The least period of these values, if they show it twice: the least p, at most half of their
/// number, such that values p places apart are equal. Linear in their number: the table of borders
/// of Knuth, Morris and Pratt.
pub(super) fn least(values: &[u32]) -> Option<usize> {
    let length = values.len();
    let mut borders = vec![0; length];
    let mut border = 0;
    for place in 1..length {
        while border > 0 && values[place] != values[border] {
            border = borders[border - 1];
        }
        border += usize::from(values[place] == values[border]);
        borders[place] = border;
    }
    let period = length - borders.last()?;
    (2 * period <= length).then_some(period)
}

#[cfg(test)]
mod tests {
    use super::least;

    /// Against all shifts of all lists of a few values.
    #[test]
    fn all_short_lists() {
        for length in 1..=10_u32 {
            for code in 0..3_u32.pow(length.min(9)) {
                let digits = (0..length).map(|place| code / 3_u32.pow(place.min(8)) % 3);
                let values: Vec<u32> = digits.collect();
                let equal =
                    |period: usize| values.iter().zip(&values[period..]).all(|(a, b)| a == b);
                let expected = (1..=values.len() / 2).find(|&period| equal(period));
                assert_eq!(least(&values), expected, "{values:?}");
            }
        }
    }
}
