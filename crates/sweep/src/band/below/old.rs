//! The old rows: one table of settled periodic rows for all columns.
//!
//! A settled row blocks the same offset in all columns of a residue class, so one bit for each
//! offset and class suffices. The classes are groups modulo 9, that is, columns modulo 72. The
//! table is skewed so that a group reads its eight lanes with one shift. A row whose period does
//! not divide 72 goes into a list, and the words that it touches are marked.

use crate::band::geometry::least_value;
use crate::band::simd::{Eight, Lanes, prefetch};
use crate::band::units::{GroupIndex, LANES};
use crate::repeating::Repeating;
use crate::units::{Number, RowIndex, index};

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
    rows: RowIndex,
    /// `least_value(rows)`.
    complete_below_offset: u64,
    /// The largest value so far.
    largest: u64,
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
            complete_below_offset: least_value(RowIndex(0)),
            largest: 0,
        }
    }

    /// The rows entered so far are those below this one.
    pub(crate) fn rows(&self) -> RowIndex {
        self.rows
    }

    /// No row that is still missing has a value below this offset (V3).
    pub(crate) fn complete_below_offset(&self) -> u64 {
        self.complete_below_offset
    }

    /// No row entered so far has a larger value.
    pub(crate) fn largest(&self) -> u64 {
        self.largest
    }

    /// Enters the next row. `None` is a finite row, which blocks nothing. O(72) for a periodic row.
    pub(crate) fn add(&mut self, row: Option<Repeating>) {
        self.rows += 1;
        self.complete_below_offset = least_value(self.rows);
        let Some(row) = row else { return };
        self.largest = row.values().iter().fold(self.largest, |largest, &value| largest.max(value));
        if MODULUS.is_multiple_of(row.period()) {
            for column in 0..MODULUS {
                self.block(column, row.offset(column));
            }
        } else {
            for &value in row.values() {
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
    pub(crate) fn free<L: Lanes>(&self, g: GroupIndex, Number(p): Number) -> L {
        let bit = p + BELOW_COLUMN;
        let bit =
            bit.checked_sub(g.first_column().0).expect("windows reach at most 256 places below q");
        let (word, shift) = (index(bit / 64), (bit % 64) as u32);
        let class = &self.classes[index(g.0) % CLASSES];
        let at = |word: usize| L::load(class.get(word).unwrap_or(&Eight::ONES));
        let free = at(word).shr(shift).or(at(word + 1).shl(64 - shift));
        let is_marked = |word: usize| self.marked.get(word).is_some_and(|&marked| marked);
        if !self.odd.is_empty() && (is_marked(word) || is_marked(word + 1)) {
            let mut blocked = Eight::ZERO;
            self.odd_rows(g, p, &mut blocked);
            let blocked = L::load(&blocked);
            return free.xor(free.and(blocked));
        }
        free
    }

    /// As [`Self::free`], for consecutive words from `p` on.
    #[inline(always)]
    pub(crate) fn fill<L: Lanes>(&self, g: GroupIndex, Number(p): Number, words: &mut [Eight]) {
        let bit = (p + BELOW_COLUMN).checked_sub(g.first_column().0);
        let bit = bit.expect("windows reach at most 256 places below q");
        let (first, shift) = (index(bit / 64), (bit % 64) as u32);
        let class = &self.classes[index(g.0) % CLASSES];
        let marked = self.marked.get(first..).unwrap_or_default();
        let is_marked = marked.iter().take(words.len() + 1).any(|&marked| marked);
        let (false, Some(known)) = (is_marked, class.get(first..=first + words.len())) else {
            for (word, p) in words.iter_mut().zip((p..).step_by(64)) {
                self.free::<L>(g, Number(p)).store(word);
            }
            return;
        };
        let mut low = L::load(&known[0]);
        for (word, known) in words.iter_mut().zip(&known[1..]) {
            let high = L::load(known);
            low.shr_pair(high, shift).store(word);
            low = high;
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
    fn odd_rows(&self, g: GroupIndex, p: u64, blocked: &mut Eight) {
        for row in &self.odd {
            for (q, lane) in (g.first_column().0..).zip(blocked.0.iter_mut().rev()) {
                let value = q + row.offset(q);
                if (p..p + 64).contains(&value) {
                    *lane |= 1 << (value - p);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::simd::Portable;

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
                let free = old.free::<Portable>(g, Number(p)).words();
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
}
