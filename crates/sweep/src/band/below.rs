//! The tables of a worker for the rows below, which are not part of a group: periodic rows, for all
//! columns far to the right at once, (C) of the recurrence; diagonal values, (D); and the data that
//! certificates depend on.
//!
//! A settled row blocks the same offset in all columns of a residue class, so one bit for each
//! offset and class suffices. The classes are groups modulo 9, that is, columns modulo 72. The
//! table is skewed so that a group reads its eight lanes with one shift. A row whose period does
//! not divide 72 goes into a list, and the words that it touches are marked.

use super::constants::Constants;
use super::geometry::{Frame, least_diagonal, least_value};
use super::simd::{Eight, Register, prefetch};
use crate::certify::{Repeating, RowsBelow};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::units::{ColumnIndex, GroupIndex, LANES, Number, RowIndex, index};
use record::Record;

/// The data that the walk along the columns reads and does not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) frame: Frame,
    pub(crate) old: &'a OldRows,
    pub(crate) diagonals: &'a Diagonals,
}

/// The tables of a worker for the rows below.
#[derive(Clone, Debug)]
pub struct Knowledge {
    pub(crate) old: OldRows,
    pub(crate) diagonals: Diagonals,
    pub(crate) below: RowsBelow,
}

impl Knowledge {
    pub(crate) fn new() -> Self {
        Self { old: OldRows::new(), diagonals: Diagonals::new(), below: RowsBelow::default() }
    }

    /// Enters the next row, finished, whose diagonal value is known already. Checks V3.
    pub(crate) fn add(&mut self, row: &Record) -> Result<(), SweepError> {
        let periodic = row.periodic();
        if let Some(row) = periodic
            && row.values.iter().any(|&value| value < self.old.complete_below_offset())
        {
            let (q, r) = (ColumnIndex(row.start), RowIndex(row.row));
            return Err(SweepError::hypothesis(q, r, Hypothesis::LeastValues));
        }
        assert_eq!(RowIndex(row.row()), self.old.rows);
        self.old.add(periodic.map(Repeating::from));
        self.below.add(row);
        Ok(())
    }

    /// Enters the next row, and first its diagonal value.
    pub(crate) fn add_with_diagonal(&mut self, row: &Record) -> Result<(), SweepError> {
        self.diagonals.add(Number(row.diagonal()));
        self.add(row)
    }

    #[inline]
    pub(crate) fn context<'a>(&'a self, shared: &'a Constants) -> Context<'a> {
        Context { frame: shared.frame, old: &self.old, diagonals: &self.diagonals }
    }
}

/// Residue classes of groups.
const CLASSES: usize = 9;

/// Columns modulo this number fall into the classes.
const MODULUS: u64 = LANES * CLASSES as u64;

/// Words below offset 0, where all numbers count as blocked.
const NEGATIVE: u64 = 4;

/// The table covers this many numbers below the first column of a group; they are all blocked.
pub(crate) const BELOW_COLUMN: u64 = 64 * NEGATIVE;

/// The free offsets of old rows. Bit `t` of lane `i` in word `NEGATIVE + w` of class `g mod 9` is
/// the offset `64 w + t - (7 - i)` in column `8 g + 7 - i`.
#[derive(Clone, Debug)]
pub(crate) struct OldRows {
    classes: [Vec<Eight>; CLASSES],
    marked: Vec<bool>,
    /// The periodic rows that the table cannot hold.
    odd: Vec<Repeating>,
    /// The rows entered so far are those below this one.
    pub(crate) rows: RowIndex,
    /// No row entered so far has a larger value.
    pub(crate) largest: u64,
}

impl OldRows {
    pub(crate) fn new() -> Self {
        let mut class = vec![Eight::ZERO; index(NEGATIVE)];
        class.push(Eight(std::array::from_fn(|i| u64::MAX << (7 - i))));
        Self {
            classes: std::array::from_fn(|_| class.clone()),
            marked: Vec::new(),
            odd: Vec::new(),
            rows: RowIndex(0),
            largest: 0,
        }
    }

    /// No row that is still missing has a value below this offset (V3).
    pub(crate) fn complete_below_offset(&self) -> u64 {
        least_value(self.rows)
    }

    /// Enters the next row. `None` is a finite row, which blocks nothing. O(72) for a periodic row.
    pub(crate) fn add(&mut self, row: Option<Repeating>) {
        self.rows += 1;
        let Some(row) = row else { return };
        self.largest = row.values.iter().fold(self.largest, |largest, &value| largest.max(value));
        if MODULUS.is_multiple_of(row.period()) {
            for column in 0..MODULUS {
                self.block(column, row.offset(column));
            }
        } else {
            for &value in &row.values {
                self.mark(value);
            }
            self.odd.push(row);
        }
    }

    fn block(&mut self, column: u64, offset: u64) {
        let class = &mut self.classes[index(column / LANES)];
        let bit = offset + column % LANES;
        let word = index(NEGATIVE + bit / 64);
        if word >= class.len() {
            class.resize(word + 64, Eight::ONES);
        }
        class[word].0[index(LANES - 1 - column % LANES)] &= !(1 << (bit % 64));
    }

    fn mark(&mut self, offset: u64) {
        for bit in [offset, offset + LANES - 1] {
            let word = index(NEGATIVE + bit / 64);
            if word >= self.marked.len() {
                self.marked.resize(word + 1, false);
            }
            self.marked[word] = true;
        }
    }

    /// For every column of group `g` the free values from `p` on, 64 of them.
    #[inline(always)]
    pub(crate) fn free<R: Register>(&self, g: GroupIndex, Number(p): Number) -> Eight {
        let bit = p + BELOW_COLUMN;
        let bit =
            bit.checked_sub(g.first_column().0).expect("windows reach at most 256 places below q");
        let (word, shift) = (index(bit / 64), (bit % 64) as u32);
        let class = &self.classes[index(g.0) % CLASSES];
        let [low, high] = [word, word + 1].map(|word| class.get(word).unwrap_or(&Eight::ONES));
        let mut free = low.shr_pair::<R>(high, shift);
        let is_marked = |word: usize| self.marked.get(word).is_some_and(|&marked| marked);
        if !self.odd.is_empty() && (is_marked(word) || is_marked(word + 1)) {
            self.odd_rows(g, p, &mut free);
        }
        free
    }

    /// As [`Self::free`], for consecutive words from `p` on.
    #[inline(always)]
    pub(crate) fn fill<R: Register>(&self, g: GroupIndex, Number(p): Number, words: &mut [Eight]) {
        let bit = (p + BELOW_COLUMN).checked_sub(g.first_column().0);
        let bit = bit.expect("windows reach at most 256 places below q");
        let (first, shift) = (index(bit / 64), (bit % 64) as u32);
        let class = &self.classes[index(g.0) % CLASSES];
        let marked = self.marked.get(first..).unwrap_or_default();
        let is_marked = marked.iter().take(words.len() + 1).any(|&marked| marked);
        let (false, Some(known)) = (is_marked, class.get(first..=first + words.len())) else {
            for (word, p) in words.iter_mut().zip((p..).step_by(64)) {
                *word = self.free::<R>(g, Number(p));
            }
            return;
        };
        for (word, known) in words.iter_mut().zip(known.windows(2)) {
            *word = known[0].shr_pair::<R>(&known[1], shift);
        }
    }

    /// Prefetches the table that [`Self::free`] reads from `p` on, for this number of words.
    #[inline]
    pub(crate) fn prefetch(&self, g: GroupIndex, Number(p): Number, words: usize) {
        let bit = (p + BELOW_COLUMN).saturating_sub(g.first_column().0);
        let class = &self.classes[index(g.0) % CLASSES];
        class.iter().skip(index(bit / 64)).take(words).for_each(prefetch);
    }

    #[cold]
    fn odd_rows(&self, g: GroupIndex, p: u64, free: &mut Eight) {
        for row in &self.odd {
            for (q, lane) in (g.first_column().0..).zip(free.0.iter_mut().rev()) {
                let value = q + row.offset(q);
                if (p..p + 64).contains(&value) {
                    *lane &= !(1 << (value - p));
                }
            }
        }
    }
}

/// The values `d_c` of the rows `c < rows`.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    words: Vec<u64>,
    /// The rows entered so far are those below this one.
    pub(crate) rows: RowIndex,
    /// Every value entered so far is below this.
    pub(crate) end: Number,
}

impl Diagonals {
    pub(crate) fn new() -> Self {
        Self { words: vec![1, 0], rows: RowIndex(0), end: Number(1) }
    }

    /// No value that is still missing is below this (V9).
    pub(crate) fn complete_below(&self) -> Number {
        least_diagonal(self.rows)
    }

    /// Enters the diagonal value of the next row.
    pub(crate) fn add(&mut self, p: Number) {
        self.rows += 1;
        self.end = self.end.max(p + 1);
        let Number(p) = p;
        let word = index(p / 64);
        if word + 1 >= self.words.len() {
            self.words.resize(word + 1024, 0);
        }
        self.words[word] |= 1 << (p % 64);
    }

    /// The numbers from `p` on that are no diagonal values, 64 of them.
    #[inline(always)]
    pub(crate) fn free(&self, Number(p): Number) -> u64 {
        let (word, shift) = (index(p / 64), p % 64);
        // The table has one word more than needed.
        let &[low, high] = self.words.get(word..).and_then(<[u64]>::first_chunk).unwrap_or(&[0; 2]);
        !(low >> shift | high << 1 << (63 - shift))
    }

    pub(crate) fn is_free(&self, p: Number) -> bool {
        self.free(p) & 1 == 1
    }
}

/// The number of slots for which a look-up serves.
const SLOTS: u64 = 6;

/// The most places by which anchors fall in a slot.
const FALL: u64 = 6;

/// The places that the bands of an octet read, from the low anchor of a tile on, and below it.
const LOOK_UP: u64 = 6;
const LOOK_DOWN: u64 = 20;

const _: () = assert!(SLOTS * FALL + LOOK_DOWN + LOOK_UP <= 64);

/// The diagonal values near the low anchors of eight bands, which fall from slot to slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The numbers from these on that are no diagonal values, 64 in each lane.
    from: Eight,
    free: Eight,
    /// The number of slots for which they still serve.
    slots: u64,
}

impl Seen {
    /// Moves to a slot with these anchors, each at most [`FALL`] places lower than in the previous
    /// slot.
    #[inline(always)]
    pub(crate) fn follow(&mut self, anchors: &Eight, diagonals: &Diagonals) {
        if self.slots == 0 {
            for ((from, free), anchor) in
                self.from.0.iter_mut().zip(&mut self.free.0).zip(anchors.0)
            {
                // Lanes that are not in use hold arbitrary numbers.
                *from = anchor.wrapping_sub(LOOK_DOWN + SLOTS * FALL);
                *free = diagonals.free(Number(*from));
            }
            self.slots = SLOTS + 1;
        }
        self.slots -= 1;
    }

    /// The numbers from `start` on that are not diagonal values, in the lanes from `at` on. `start`
    /// is at most [`LOOK_DOWN`] places below the anchors; the result is valid to [`LOOK_UP`] places
    /// above them.
    #[inline(always)]
    pub(crate) fn below<R: Register>(&self, start: R, at: usize) -> R {
        R::load(&self.free.0, at).shr_each(start.sub(R::load(&self.from.0, at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Periods that divide 72 and periods that do not, compared with a search number by number.
    #[test]
    fn the_table_knows_every_offset() {
        let rows: [&[u64]; 9] = [
            &[3],
            &[70, 72],
            &[100, 101, 130],
            &[64, 63, 127, 128],
            &[200, 205, 210, 190, 195],
            &[9; 7],
            &[250, 251, 252, 253, 254, 255, 256, 257, 258],
            &[300, 310, 290, 333, 294, 301, 302, 303, 304, 305, 306, 307, 308],
            &[13],
        ];
        let mut old = OldRows::new();
        for (r, values) in (0_u64..).zip(rows) {
            old.add(Some(Repeating::new(5 * r + 1, values.to_vec())));
        }
        for g in (100..120).map(GroupIndex) {
            for p in g.first_column().0 - 100..g.first_column().0 + 500 {
                let free = old.free::<u64>(g, Number(p)).0;
                for (q, lane) in (g.first_column().0..).zip(free.iter().rev()) {
                    for bit in 0..64 {
                        let blocked = p + bit < q
                            || (0..).zip(rows).any(|(r, values)| {
                                let phase = index(q - 5 * r - 1) % values.len();
                                q + values[phase] == p + bit
                            });
                        assert_eq!(lane >> bit & 1 == 0, blocked, "column {q}, number {}", p + bit);
                    }
                }
            }
        }
    }

    /// As anchors fall by 5 or 6 places or not at all, look-ups agree with the table.
    #[test]
    fn falling_anchors_read_the_table() {
        let mut diagonals = Diagonals::new();
        for r in 0..2000 {
            diagonals.add(Number(2 * r + r * r % 7));
        }
        let mut seen = Seen::default();
        let mut anchors = Eight(std::array::from_fn(|lane| 3500 + 19 * lane as u64));
        for slot in 0..400 {
            seen.follow(&anchors, &diagonals);
            for (at, &anchor) in anchors.0.iter().enumerate() {
                let start = anchor - LOOK_DOWN;
                let told = seen.below::<u64>(start, at);
                let looks = (1 << (LOOK_DOWN + LOOK_UP)) - 1;
                assert_eq!((told ^ diagonals.free(Number(start))) & looks, 0, "{slot} {at}");
            }
            for (lane, anchor) in anchors.0.iter_mut().enumerate() {
                *anchor -= [6, 5, 6, 0][(slot + lane) % 4];
            }
        }
    }
}
