//! The members of a set of bits, of a fixed size (`posets`) or growing (`rectangles`).

/// The places of the ones, in ascending order; the first 64 bits are in the first word.
pub(crate) fn ones(words: impl IntoIterator<Item = u64>) -> impl Iterator<Item = usize> {
    (0..).step_by(64).zip(words).flat_map(|(start, word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| start + left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(place)
        })
    })
}
