//! The walk through a few columns: every choice of rows 3 to m, for all lengths of row 1 in a block
//! at once (`proofs/boards.md`, 6).
//!
//! The objects, from the one that lives longest:
//!
//! - A [`Column`] is a length of row 2. It belongs to the sieve. Its bits are made by the block in
//!   which row 1 reaches this length; later blocks clear a bit when they find its `x_1`.
//! - A [`Strip`] is the part of table 2 with [`STRIP`] lengths of row 3. It belongs to the sieve,
//!   too, but only its list `shut` lasts; its sets are made anew in each block. One walker after
//!   the other has the strip, and it gains entries as row 2 grows, since row 3 is at most as long.
//! - A [`Walker`] belongs to a thread, for one block. It has tables 3 to m - 1. Table 3 is kept for
//!   each column, because the columns take turns at each length of row 3; a table i > 3 begins anew
//!   when a row before row i grows.
//! - [`Hits`] belong to a column of a walker: the positions that it finds. They are taken when the
//!   column is done.
//!
//! *Example: 8 × 10.* Lanes 0 to 10 of one block are the lengths of row 1. One walker has columns 0
//! to 7, the next one columns 8 to 10, and there is one strip. Rows that are not named are empty.
//!
//! | column | rows 3, 4, ... | blocked | least free lane | position |
//! |---|---|---|---|---|
//! | 0 | | | 1 | (1) |
//! | 1 | | 1 by row 2 | 2 | (2,1) |
//! | 1 | 1 | 1 by row 2, 2 by row 3 | 3 | (3,1,1) |
//! | 1 | 1,1 | 1 by row 2, 2 by row 3, 3 by row 4 | 4 | (4,1,1,1) |
//! | 2 | | 1 and 2 by row 2 | 3 | (3,2) |
//! | 2 | 1 | 1 and 3 by row 2, 3 by row 3 | 2 | (2,2,1) |
//!
//! The lanes before the column itself are outside. Each lane that is found is added to one entry of
//! each table: 1 to the first entry of table 2, so column 1 finds it there. When column 1 comes to
//! row 3 with no squares, [`Walker::extend`] appends the entries with one square in row 3 to the
//! strip. They are copies, so they have lane 1: a bite that cuts rows 2 and 3 to nothing leaves
//! (1). In (2,2,1) the lane is the column. So from column 3 on a bite that cuts rows 1 and 2 wins
//! above the same row 3: this choice is *shut*, and has no bit.

use std::ops::Range;

use super::lanes::{Hit, Hits, Lanes, range};
use super::shape::{COLUMNS, STRIP, Shape};

/// A length of row 2.
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

/// The part of table 2 for [`STRIP`] lengths of row 3.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    /// The lanes that bites in row 2 block, for each `(x_3, ..., x_m)`, and [`PADDING`]. Blocks use
    /// the memory again: if each allocated it anew, the bits of new columns would fill holes where
    /// it had been.
    pub(super) blocked: Vec<Lanes>,
    /// Whether `(x_2, ..., x_m)` with the least `x_2` that is not done is shut (`proofs/boards.md`,
    /// 1), for each `(x_3, ..., x_m)`.
    pub(super) shut: Vec<bool>,
}

/// Entries that are never used at the end of a table, so that every row of it is in whole chunks of
/// 64.
const PADDING: usize = 63;

/// Goes through some columns at a time.
pub(super) struct Walker<'a> {
    shape: &'a Shape,
    lengths: Range<u16>,
    /// The length of row 2 in the first of its columns.
    start: u16,
    columns: Vec<ColumnWalk>,
    /// Tables 4, ..., m - 1, and where in each of them the entries of the next last row begin.
    tables: Vec<(Vec<Lanes>, usize)>,
    /// The union of tables 3, ..., m - 1 for one choice of rows 3 to m - 1, if m > 4.
    union: Vec<Lanes>,
    /// Lengths of rows 3 to m - 1; between two lengths of row 3, those after it are empty.
    lower: Vec<u16>,
    /// The first entries of the next strip.
    next_strip: Option<(Vec<Lanes>, Vec<bool>)>,
}

/// What a walker keeps for each of its columns.
struct ColumnWalk {
    /// The lanes whose length of row 1 is no length, or less than the length of row 2.
    outside: Lanes,
    /// Table 3.
    table: Vec<Lanes>,
    hits: Hits,
}

/// A length of row 2 and one of row 3.
struct Cells<'a> {
    second: u16,
    column: &'a mut Column,
    /// Table 2 from the length of row 3 on.
    blocked: &'a mut [Lanes],
    /// The rows that are shut, for the length of row 3.
    shut: &'a mut [bool],
    /// Where the entries of the next last row begin in table 3, `blocked` and `shut`.
    entry: usize,
    /// Where its words begin in the bits of the column.
    word: usize,
}

impl<'a> Walker<'a> {
    pub(super) fn new(shape: &'a Shape, lengths: Range<u16>) -> Self {
        let (m, largest) = (shape.tabled, lengths.end);
        let table = |row: usize| vec![0; shape.ranks.below(m - row, largest) + PADDING];
        let column = |_| ColumnWalk { outside: 0, table: table(3), hits: Hits::default() };
        Self {
            shape,
            lengths,
            start: 0,
            columns: (0..COLUMNS).map(column).collect(),
            tables: (4..m).map(|row| (table(row), 0)).collect(),
            union: Vec::new(),
            lower: vec![0; m - 3],
            next_strip: None,
        }
    }

    /// Whether row 1 reaches this length in the block at the earliest.
    fn is_new(&self, second: u16) -> bool {
        second >= self.lengths.start
    }

    /// Comes to columns.
    pub(super) fn begin(&mut self, number: usize, columns: &mut [Column]) {
        let shape = self.shape;
        self.start = u16::try_from(number * COLUMNS).expect("a length");
        self.columns.truncate(columns.len());
        let first = self.lengths.start;
        for ((walk, column), second) in self.columns.iter_mut().zip(columns).zip(self.start..) {
            let from = second.max(first).max(1) - first;
            let end = self.lengths.end - first;
            walk.outside = !range(from, end);
            if second >= first {
                column.open = vec![0; shape.words.below(shape.tabled - 3, second + 1)];
            }
        }
    }

    /// Sorts the hits of the columns by lanes.
    pub(super) fn end(&mut self) {
        let (lengths, rows) = (self.shape.rows - 2, self.shape.tabled - 3);
        self.columns.iter_mut().for_each(|walk| walk.hits.sort(lengths, rows));
    }

    /// The sorted hits of the columns, by length of row 2.
    pub(super) fn hits(&self) -> impl Iterator<Item = (u16, &Hits)> {
        (self.start..).zip(self.columns.iter().map(|walk| &walk.hits))
    }

    /// Walks the part of the columns that a strip has.
    pub(super) fn walk(&mut self, index: usize, strip: &mut Strip, columns: &mut [Column]) {
        let (shape, m) = (self.shape, self.shape.tabled);
        let low = u16::try_from(index).expect("a length") * STRIP;
        let begin = shape.ranks.below(m - 2, low);
        let entry = |third| shape.ranks.below(m - 2, third) - begin;
        if strip.blocked.is_empty() {
            let end = (low + STRIP).min(self.lengths.end);
            let entries = entry(end) + PADDING;
            strip.blocked.reserve_exact(entries);
            strip.blocked.resize(entries, 0);
        }
        if let Some((blocked, shut)) = self.next_strip.take() {
            strip.blocked[..blocked.len()].copy_from_slice(&blocked);
            strip.shut.extend(shut);
        }
        if self.start == 0 {
            strip.shut.resize(strip.shut.len().max(1), false);
        }
        let end = self.start + u16::try_from(self.columns.len()).expect("few columns");
        for third in low..end.min(low + STRIP) {
            let entries = entry(third)..entry(third + 1);
            for (number, second) in (0..self.columns.len()).zip(self.start..) {
                if second < third {
                    continue;
                }
                if second == third + 1 {
                    self.extend(second, strip, entries.clone());
                }
                shape.ranks.extend(&mut self.columns[number].table, m - 3, third, 0);
                let column = &mut columns[number];
                if !self.is_new(second) && third < column.from {
                    continue;
                }
                let word = shape.words.below(m - 3, third);
                let mut cells = Cells {
                    second,
                    column,
                    blocked: &mut strip.blocked[entries.start..],
                    shut: &mut strip.shut[entries.clone()],
                    entry: 0,
                    word,
                };
                self.choices(&mut cells, third);
                let Cells { column, word: end, .. } = cells;
                if third == column.from && column.open[word..end].iter().all(|&word| word == 0) {
                    column.from += 1;
                }
            }
        }
    }

    /// Appends the entries of row 3 with the length `second`: after both rows had one square less,
    /// and before row 2 alone has this length.
    fn extend(&mut self, second: u16, strip: &mut Strip, before: Range<usize>) {
        let (k, end) = (self.shape.tabled - 3, before.end);
        let sets = &mut strip.blocked;
        let copied = || self.shape.ranks.copied(k, second);
        let mut next: Vec<Lanes> = sets[before.clone()].to_vec();
        next.extend(copied().flat_map(|range| &sets[before.clone()][range]));
        let mut next_shut = Vec::new();
        if self.is_new(second) {
            let shut = &strip.shut[before];
            next_shut.extend(shut);
            next_shut.extend(copied().flat_map(|range| &shut[range]));
        }
        if second.is_multiple_of(STRIP) {
            self.next_strip = Some((next, next_shut));
        } else {
            sets[end..end + next.len()].copy_from_slice(&next);
            strip.shut.extend(next_shut);
        }
    }

    /// All choices of rows 4 to m - 1 below a row 3 of this length.
    fn choices(&mut self, cells: &mut Cells, third: u16) {
        let (shape, rows) = (self.shape, self.lower.len());
        self.lower[0] = third;
        // This row is longer by one than in the choice before, and those after it are empty again.
        let mut grown = Some(1);
        while let Some(first @ 1..) = grown {
            for (row, (table, start)) in (1..).zip(&mut self.tables).skip(first - 1) {
                shape.ranks.extend(table, rows - row, self.lower[row], 0);
                *start = 0;
            }
            self.last_row(cells);
            grown = shape.words.advance(&mut self.lower);
        }
    }

    /// All lengths of the last row. Their entries and words come after those of the choice of rows
    /// before this one.
    fn last_row(&mut self, cells: &mut Cells) {
        let (shape, is_new) = (self.shape, self.is_new(cells.second));
        let before = self.lower[self.lower.len() - 1];
        let entries = cells.entry..cells.entry + usize::from(shape.longest_last(before)) + 1;
        let words = cells.word..cells.word + shape.width(before);
        (cells.entry, cells.word) = (entries.end, words.end);
        let open = &mut cells.column.open[words];
        let shut = &mut cells.shut[entries.clone()];
        if is_new {
            cells.column.shut += entries.len() as u64;
            for (word, shut) in open.iter_mut().zip(shut.chunks(64)) {
                *word = shut.iter().rev().fold(0, |word, &shut| word << 1 | u64::from(!shut));
                cells.column.shut -= u64::from(word.count_ones());
            }
        }
        let ColumnWalk { outside, table, hits } =
            &mut self.columns[usize::from(cells.second - self.start)];
        let known = hits.noted.len();
        let blocked = &mut cells.blocked[entries.start..];
        let third = &mut table[entries.start..];
        if self.tables.is_empty() {
            find_lanes(open, blocked, third, *outside, &mut hits.noted);
        } else {
            self.union.clear();
            self.union.extend_from_slice(&third[..entries.len()]);
            for (table, start) in &self.tables {
                let tables = self.union.iter_mut().zip(&table[*start..]);
                tables.for_each(|(all, one)| *all |= one);
            }
            self.union.resize(entries.len() + PADDING, 0);
            find_lanes(open, blocked, &mut self.union, *outside, &mut hits.noted);
            let insert = |table: &mut [Lanes]| {
                for hit in &hits.noted[known..] {
                    table[usize::from(hit.last)] |= 1 << hit.lane;
                }
            };
            insert(third);
            for (table, start) in &mut self.tables {
                insert(&mut table[*start..]);
                *start += entries.len();
            }
        }
        if is_new {
            let equal = cells.second - self.lengths.start;
            if let Some(hit) = hits.noted[known..].iter().find(|hit| hit.lane == equal) {
                shut[usize::from(hit.last)] = true;
            }
        }
        hits.note_rows(known, &self.lower);
    }
}

/// For each length of the last row that is open, the least lane that is not blocked by bites in row
/// 2, in other rows, or in the last row.
fn find_lanes(
    open: &mut [u64],
    blocked: &mut [Lanes],
    others: &mut [Lanes],
    outside: Lanes,
    hits: &mut Vec<Hit>,
) {
    let mut taken = outside;
    let tables = blocked.as_chunks_mut::<64>().0.iter_mut().zip(others.as_chunks_mut::<64>().0);
    for ((open, (blocked, others)), start) in open.iter_mut().zip(tables).zip((0_u16..).step_by(64))
    {
        let mut left = *open;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            let free = !(blocked[at] | others[at] | taken);
            if free != 0 {
                let alone = free & free.wrapping_neg();
                blocked[at] |= alone;
                others[at] |= alone;
                taken |= alone;
                *open ^= left & left.wrapping_neg();
                let [lane, at] = [free.trailing_zeros(), left.trailing_zeros()]
                    .map(|place| u16::try_from(place).expect("less than 128"));
                hits.push(Hit { lane, last: start + at });
            }
            left &= left - 1;
        }
    }
}
