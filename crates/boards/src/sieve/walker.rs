//! The walk of one thread through a few columns: every choice of rows 3 to m, for all lengths of
//! row 1 in a block at once.

use std::ops::Range;

use super::lanes::{self, Lanes};
use super::shape::{COLUMNS, STRIP, Shape};
use super::walk::TakeColumn;

/// A length of row 2, with the bits that later blocks need. It lives as long as the sieve.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// A bit for each `(x_3, ..., x_m)`: whether no `x_1` up to the last block is known. A row of
    /// words for each `(x_3, ..., x_{m-1})`, in lexicographic order. Empty before the column is
    /// reached.
    pub(super) open: Vec<u64>,
    /// No `(x_3, ..., x_m)` with less `x_3` is open.
    pub(super) from: u16,
    /// The number of `(x_3, ..., x_m)` that were shut when the column was reached.
    pub(super) shut: u64,
}

/// The positions of a column with the lengths of row 1 of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockPositions {
    /// The lengths `x_3, ..., x_m`, lane by lane, in lexicographic order.
    lower: Vec<u16>,
    /// Where each lane ends in `lower`.
    ends: Vec<usize>,
}

impl BlockPositions {
    /// The lengths of rows 3 to m of the positions in a lane.
    pub(super) fn lane(&self, lane: usize) -> &[u16] {
        let start = if lane == 0 { 0 } else { self.ends[lane - 1] };
        &self.lower[start..self.ends[lane]]
    }
}

/// The part of the tables of row 2 for [`STRIP`] lengths of row 3.
#[derive(Debug)]
pub(super) struct Strip<const K: usize> {
    /// The lanes that bites in row 2 block, for each `(x_3, ..., x_m)`, and [`PADDING`].
    pub(super) blocked: Vec<Lanes<K>>,
    /// Whether `(x_2, ..., x_m)` is shut, for each `(x_3, ..., x_m)`.
    pub(super) shut: Vec<bool>,
}

/// Entries that are never used at the end of a table, so that every row of it is in whole chunks of
/// 64.
const PADDING: usize = 63;

/// The state of one thread.
pub(super) struct Walker<'a, const K: usize> {
    shape: &'a Shape,
    lengths: Range<u16>,
    /// The length of row 2 in the first column at state.
    pub(super) start: u16,
    /// The columns at state.
    pub(super) states: Vec<ColumnState<K>>,
    /// Tables 4, ..., m - 1, and where in each of them the lengths of the rows after it begin.
    tables: Vec<(Vec<Lanes<K>>, usize)>,
    /// The union of tables 3, ..., m - 1 for the row at hand, where there are several.
    union: Vec<Lanes<K>>,
    /// Lengths of rows 3 to m - 1.
    lower: Vec<u16>,
    /// The first entries of a strip that is not at hand yet.
    carried: Option<(Vec<Lanes<K>>, Vec<bool>)>,
}

/// The state of a column while a thread walks through it.
pub(super) struct ColumnState<const K: usize> {
    /// The lanes whose length of row 1 is no length, or less than the length of row 2.
    outside: Lanes<K>,
    /// Table 3.
    table: Vec<Lanes<K>>,
    /// Lanes and lengths of row m found, in the order of the walk.
    hits: Vec<Hit>,
    /// For each choice of rows 3 to m - 1 with hits, these lengths and the number of hits.
    rows: Vec<u16>,
    /// The hits, lane by lane, once the column is done.
    pub(super) found: BlockPositions,
}

impl<const K: usize> ColumnState<K> {
    /// Sorts the hits by lanes. A position has `lengths` lengths after row 2, and each choice of
    /// rows 3 to m - 1 has `listed` numbers in the list.
    fn sort(&mut self, lengths: usize, listed: usize) {
        let mut counts = vec![0; 64 * K];
        self.hits.iter().for_each(|hit| counts[usize::from(hit.lane)] += lengths);
        let starts = counts.iter().scan(0, |sum, count| {
            let start = *sum;
            *sum += count;
            Some(start)
        });
        // Where the next position of a lane begins; in the end, where the lane ends.
        let BlockPositions { lower, ends } = &mut self.found;
        ends.clear();
        ends.extend(starts);
        lower.clear();
        lower.resize(lengths * self.hits.len(), 0);
        let mut hits = self.hits.iter();
        for row in self.rows.chunks_exact(listed) {
            let (&number, before) = row.split_last().expect("at least two");
            for hit in hits.by_ref().take(number.into()) {
                let end = &mut ends[usize::from(hit.lane)];
                let place = &mut lower[*end..*end + lengths];
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
        self.hits.clear();
        self.rows.clear();
    }
}

/// A lane and a length of row m.
#[derive(Clone, Copy, Debug)]
struct Hit {
    lane: u16,
    last: u16,
}

/// Where the bits and the entries of a choice of rows 3 and 4 to `row - 1` begin.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    /// In the bits of the column.
    word: usize,
    /// In table 3, and in the entries of table 2 for the length of row 3.
    entry: usize,
}

impl<'a, const K: usize> Walker<'a, K> {
    pub(super) fn new(shape: &'a Shape, lengths: Range<u16>) -> Self {
        let (m, largest) = (shape.tabled, lengths.end);
        let table = |row: usize| vec![[0; K]; shape.below(m - row, largest) + PADDING];
        let state = |_| ColumnState {
            outside: [0; K],
            table: table(3),
            hits: Vec::new(),
            rows: Vec::new(),
            found: BlockPositions::default(),
        };
        Self {
            shape,
            lengths,
            start: 0,
            states: (0..COLUMNS).map(state).collect(),
            tables: (4..m).map(|row| (table(row), 0)).collect(),
            union: if m > 4 {
                Vec::with_capacity(shape.below(1, largest) + PADDING)
            } else {
                Vec::new()
            },
            lower: vec![0; m - 3],
            carried: None,
        }
    }

    /// Whether row 1 reaches this length in the block at the earliest.
    fn is_new(&self, second: u16) -> bool {
        second >= self.lengths.start
    }

    pub(super) fn last_second(&self) -> u16 {
        self.start + u16::try_from(self.states.len()).expect("few columns") - 1
    }

    pub(super) fn begin(&mut self, number: usize, columns: &mut [Column]) {
        let shape = self.shape;
        self.start = u16::try_from(number * COLUMNS).expect("a length");
        self.states.truncate(columns.len());
        let first = self.lengths.start;
        for ((state, column), second) in self.states.iter_mut().zip(columns).zip(self.start..) {
            let from = second.max(first).max(1) - first;
            let end = self.lengths.end - first;
            let inside = lanes::range::<K>(from.into(), end.into());
            state.outside = inside.map(|word| !word);
            if second >= first {
                column.open = vec![0; shape.words(shape.tabled - 3, second + 1)];
            }
        }
    }

    /// Sorts the hits of the columns by lanes.
    pub(super) fn end(&mut self) {
        let (rows, listed) = (self.shape.rows, self.shape.tabled - 2);
        for state in &mut self.states {
            state.sort(rows - 2, listed);
        }
    }

    /// Has the positions taken.
    pub(super) fn take(&self, take: &mut TakeColumn) {
        for (state, second) in self.states.iter().zip(self.start..) {
            take(second, &state.found);
        }
    }

    /// Walks the part of the columns that a strip has.
    pub(super) fn walk(&mut self, index: usize, strip: &mut Strip<K>, columns: &mut [Column]) {
        let (shape, m) = (self.shape, self.shape.tabled);
        let low = u16::try_from(index).expect("a length") * STRIP;
        let entry = |third| shape.below(m - 2, third) - shape.below(m - 2, low);
        if strip.blocked.is_empty() {
            let end = (low + STRIP).min(self.lengths.end);
            let entries = entry(end) + PADDING;
            strip.blocked.reserve_exact(entries);
            strip.blocked.resize(entries, [0; K]);
        }
        if let Some((blocked, shut)) = self.carried.take() {
            strip.blocked[..blocked.len()].copy_from_slice(&blocked);
            strip.shut.extend(shut);
        }
        if self.start == 0 {
            strip.shut.resize(strip.shut.len().max(1), false);
        }
        for third in low..=self.last_second().min(low + STRIP - 1) {
            let entries = entry(third)..entry(third + 1);
            for (number, second) in (0..self.states.len()).zip(self.start..) {
                if second < third {
                    continue;
                }
                if second == third + 1 {
                    self.extend(second, strip, entries.clone());
                }
                extend(shape, &mut self.states[number].table, m - 3, third);
                let column = &mut columns[number];
                if !self.is_new(second) && third < column.from {
                    continue;
                }
                self.lower[0] = third;
                let place = Place { row: 4, word: shape.words(m - 3, third), entry: 0 };
                let entries = entries.clone();
                let mut cells = Cells {
                    second,
                    number,
                    open: &mut column.open,
                    closed: &mut column.shut,
                    blocked: &mut strip.blocked[entries.start..],
                    shut: &mut strip.shut[entries],
                };
                self.descend(&mut cells, place, third);
                let words = shape.words(m - 3, third)..shape.words(m - 3, third + 1);
                if third == column.from && column.open[words].iter().all(|&word| word == 0) {
                    column.from += 1;
                }
            }
        }
    }

    /// Appends the entries of row 3 with the length `second`: after both rows had one square less,
    /// and before row 2 alone has this length.
    fn extend(&mut self, second: u16, strip: &mut Strip<K>, before: Range<usize>) {
        let end = before.end;
        let (blocked, shut) = (&strip.blocked[before.clone()], &strip.shut[before]);
        let copied = || self.shape.ranks.copied(self.shape.tabled - 3, second);
        let mut next = blocked.to_vec();
        next.extend(copied().flat_map(|range| &blocked[range]));
        let mut next_shut = Vec::new();
        if self.is_new(second) {
            next_shut.extend(shut);
            next_shut.extend(copied().flat_map(|range| &shut[range]));
        }
        if second.is_multiple_of(STRIP) {
            self.carried = Some((next, next_shut));
        } else {
            strip.blocked[end..end + next.len()].copy_from_slice(&next);
            strip.shut.extend(next_shut);
        }
    }

    /// All choices of a row and the rows after it, below a row of this length.
    fn descend(&mut self, cells: &mut Cells<K>, place: Place, before: u16) {
        let (shape, m, row) = (self.shape, self.shape.tabled, place.row);
        if row == m {
            return self.last_row(cells, place, before);
        }
        for length in 0..=before {
            self.lower[row - 3] = length;
            extend(shape, &mut self.tables[row - 4].0, m - row, length);
            let entry = shape.below(m - row + 1, length);
            self.tables[..row - 4].iter_mut().for_each(|(_, start)| *start += entry);
            let further = Place {
                row: row + 1,
                word: place.word + shape.words(m - row, length),
                entry: place.entry + entry,
            };
            self.descend(cells, further, length);
            self.tables[..row - 4].iter_mut().for_each(|(_, start)| *start -= entry);
        }
    }

    /// All lengths of the last row.
    fn last_row(&mut self, cells: &mut Cells<K>, place: Place, before: u16) {
        let shape = self.shape;
        let entries = place.entry..place.entry + usize::from(shape.longest_last(before)) + 1;
        let open = &mut cells.open[place.word..place.word + shape.width(before)];
        let shut = &mut cells.shut[entries.clone()];
        let is_new = cells.second >= self.lengths.start;
        if is_new {
            *cells.closed += shut.iter().filter(|shut| **shut).count() as u64;
            for (word, shut) in open.iter_mut().zip(shut.chunks(64)) {
                *word = shut.iter().rev().fold(0, |word, &shut| word << 1 | u64::from(!shut));
            }
        }
        let state = &mut self.states[cells.number];
        let before = state.hits.len();
        let blocked = &mut cells.blocked[entries.start..];
        let third = &mut state.table[entries.start..];
        if self.tables.is_empty() {
            find_lanes(open, blocked, third, state.outside, &mut state.hits);
        } else {
            self.union.clear();
            self.union.extend_from_slice(&third[..entries.len()]);
            for (table, start) in &self.tables {
                let table = &table[*start..];
                for (all, one) in self.union.iter_mut().zip(table) {
                    all.iter_mut().zip(one).for_each(|(all, one)| *all |= one);
                }
            }
            self.union.resize(entries.len() + PADDING, [0; K]);
            find_lanes(open, blocked, &mut self.union, state.outside, &mut state.hits);
            for hit in &state.hits[before..] {
                let (lane, last) = (usize::from(hit.lane), usize::from(hit.last));
                lanes::insert(&mut third[last], lane);
                for (table, start) in &mut self.tables {
                    lanes::insert(&mut table[*start + last], lane);
                }
            }
        }
        let hits = &state.hits[before..];
        if is_new {
            let equal = cells.second - self.lengths.start;
            if let Some(hit) = hits.iter().find(|hit| hit.lane == equal) {
                shut[usize::from(hit.last)] = true;
            }
        }
        if !hits.is_empty() {
            state.rows.extend_from_slice(&self.lower);
            state.rows.push(u16::try_from(hits.len()).expect("one for each lane at most"));
        }
    }
}

/// Makes a table ready for this length of its row, which was one less before.
fn extend<const K: usize>(shape: &Shape, table: &mut [Lanes<K>], k: usize, length: u16) {
    match length {
        0 => table[0] = [0; K],
        _ => shape.ranks.extend(table, k, length),
    }
}

/// A length of row 2 and one of row 3.
struct Cells<'a, const K: usize> {
    second: u16,
    /// The place of the column among those that are walked.
    number: usize,
    /// The bits of the column.
    open: &'a mut [u64],
    /// The number of lower rows of the column that were shut when it was reached.
    closed: &'a mut u64,
    /// Table 2 from the length of row 3 on.
    blocked: &'a mut [Lanes<K>],
    /// The rows that are shut, for the length of row 3.
    shut: &'a mut [bool],
}

/// For each length of the last row that is open, the least lane that is not blocked by bites in row
/// 2, in other rows, or in the last row.
fn find_lanes<const K: usize>(
    open: &mut [u64],
    blocked: &mut [Lanes<K>],
    others: &mut [Lanes<K>],
    outside: Lanes<K>,
    hits: &mut Vec<Hit>,
) {
    let mut taken = outside;
    let tables = blocked.as_chunks_mut::<64>().0.iter_mut().zip(others.as_chunks_mut::<64>().0);
    for ((open, (blocked, others)), start) in open.iter_mut().zip(tables).zip((0_u16..).step_by(64))
    {
        let mut left = *open;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            if let Some(free) = lanes::outside(&blocked[at], &others[at], &taken) {
                let (lane, alone) = lanes::least(&free);
                lanes::unite(&mut blocked[at], &alone);
                lanes::unite(&mut others[at], &alone);
                lanes::unite(&mut taken, &alone);
                *open ^= left & left.wrapping_neg();
                let at = u16::try_from(at).expect("less than 64");
                hits.push(Hit { lane, last: start + at });
            }
            left &= left - 1;
        }
    }
}
