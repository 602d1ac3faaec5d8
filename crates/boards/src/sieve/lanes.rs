//! Sets of lengths of row 1 within a block: lane i is the length `first + i`; and the positions of
//! a column, noted in the order of the walk, then sorted by lanes.

/// A set of `64·K` lanes, lane 0 in the lowest bit of the first word.
pub(super) type Lanes<const K: usize> = [u64; K];

/// The lanes from `from` to `end - 1`.
pub(super) fn range<const K: usize>(from: usize, end: usize) -> Lanes<K> {
    let below = |lane: usize, word: usize| match lane.saturating_sub(64 * word) {
        0 => 0,
        bits @ 1..64 => (1 << bits) - 1,
        _ => u64::MAX,
    };
    std::array::from_fn(|word| below(end, word) & !below(from, word))
}

/// The lanes in none of three sets; `None` if there are none.
#[inline]
pub(super) fn outside<const K: usize>(
    one: &Lanes<K>,
    other: &Lanes<K>,
    third: &Lanes<K>,
) -> Option<Lanes<K>> {
    let free: Lanes<K> = std::array::from_fn(|word| !(one[word] | other[word] | third[word]));
    (free.iter().fold(0, |any, word| any | word) != 0).then_some(free)
}

/// The least lane of a set that is not empty, and the set of it alone. There is no branch, because
/// the word of the lane cannot be predicted.
#[inline]
pub(super) fn least<const K: usize>(set: &Lanes<K>) -> (u16, Lanes<K>) {
    let (mut seen, mut lane) = (0, 0);
    let alone = set.map(|word| {
        let bit = if seen == 0 { word & word.wrapping_neg() } else { 0 };
        seen |= word;
        lane += if seen == 0 { 64 } else { bit.trailing_zeros() & 63 };
        bit
    });
    (u16::try_from(lane).expect("few words"), alone)
}

/// Puts the lanes of one set into another.
#[inline]
pub(super) fn unite<const K: usize>(set: &mut Lanes<K>, other: &Lanes<K>) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// Puts a lane into a set.
#[inline]
pub(super) fn insert<const K: usize>(set: &mut Lanes<K>, lane: usize) {
    set[lane / 64] |= 1 << (lane % 64);
}

/// A lane, and a length of row m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) lane: u16,
    pub(super) last: u16,
}

/// The positions of a column with the lengths of row 1 of a block. They are noted while a walker
/// goes through the column, and sorted and taken when it is done.
#[derive(Clone, Debug, Default)]
pub(super) struct Hits {
    /// In the order of the walk.
    pub(super) noted: Vec<Hit>,
    /// For each choice of rows 3 to m - 1 with hits, these lengths and the number of hits.
    rows: Vec<u16>,
    /// The lengths `x_3, ..., x_m`, lane by lane, in lexicographic order.
    sorted: Vec<u16>,
    /// Where each lane ends in `sorted`.
    ends: Vec<usize>,
}

impl Hits {
    /// Notes the lengths of rows 3 to m - 1 of the hits from this one on.
    pub(super) fn note_rows(&mut self, from: usize, rows: &[u16]) {
        let number = self.noted.len() - from;
        if number > 0 {
            self.rows.extend_from_slice(rows);
            self.rows.push(u16::try_from(number).expect("one for each lane at most"));
        }
    }

    /// Sorts the hits by lanes. A position has `lengths` lengths after row 2, and there are `rows`
    /// rows from row 3 to m - 1.
    pub(super) fn sort(&mut self, lanes: usize, lengths: usize, rows: usize) {
        let mut counts = vec![0; lanes];
        self.noted.iter().for_each(|hit| counts[usize::from(hit.lane)] += lengths);
        let starts = counts.iter().scan(0, |sum, count| {
            let start = *sum;
            *sum += count;
            Some(start)
        });
        // Where the next position of a lane begins; in the end, where the lane ends.
        let Self { sorted, ends, .. } = self;
        ends.clear();
        ends.extend(starts);
        sorted.clear();
        sorted.resize(lengths * self.noted.len(), 0);
        let mut hits = self.noted.iter();
        for row in self.rows.chunks_exact(rows + 1) {
            let (&number, before) = row.split_last().expect("at least one");
            for hit in hits.by_ref().take(number.into()) {
                let end = &mut ends[usize::from(hit.lane)];
                let place = &mut sorted[*end..*end + lengths];
                // The usual case, and faster than the loop.
                if let ([third, last], [length]) = (&mut *place, before) {
                    (*third, *last) = (*length, hit.last);
                } else {
                    place.iter_mut().zip(before).for_each(|(place, &length)| *place = length);
                    if let Some(last) = place.get_mut(before.len()) {
                        *last = hit.last;
                    }
                }
                *end += lengths;
            }
        }
        self.noted.clear();
        self.rows.clear();
    }

    /// The lengths of rows 3 to m of the positions in a lane, after the hits were sorted.
    pub(super) fn lane(&self, lane: usize) -> &[u16] {
        let start = if lane == 0 { 0 } else { self.ends[lane - 1] };
        &self.sorted[start..self.ends[lane]]
    }
}
