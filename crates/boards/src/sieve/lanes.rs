//! Sets of lengths of row 1 within a block: lane i is the length `first + i`; and the positions of
//! a column, noted in the order of the walk, then sorted by lanes.

/// A set of [`LANES`] lanes, lane 0 in the lowest bit.
pub(super) type Lanes = u128;

/// The lengths of row 1 that are found together.
pub(super) const LANES: u16 = 128;

/// The lanes from `from` on, and before `end`.
pub(super) fn range(from: u16, end: u16) -> Lanes {
    let from_on = |lane: u16| Lanes::MAX.checked_shl(lane.into()).unwrap_or(0);
    from_on(from) & !from_on(end)
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
    pub(super) fn sort(&mut self, lengths: usize, rows: usize) {
        let mut counts = [0; LANES as usize];
        self.noted.iter().for_each(|hit| counts[usize::from(hit.lane)] += lengths);
        // Where the next position of a lane begins; in the end, where the lane ends.
        let Self { sorted, ends, .. } = self;
        ends.clear();
        let mut start = 0;
        for count in counts {
            ends.push(start);
            start += count;
        }
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
