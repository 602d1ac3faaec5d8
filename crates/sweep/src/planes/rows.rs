//! Rows as words, where planes do not hold them.

use super::groups::Group;
use super::lanes::SIDE;
use super::tile::Tiles;
use super::windows::TileAt;
use crate::certify::ColumnState;
use crate::scalar::NumberSet;
use crate::units::{ColumnIndex, Number, index};
use smallvec::SmallVec;
use std::ops::Range;

/// The rows of a band.
pub(super) type Rows = Box<[Row; SIDE]>;

/// The row-free numbers of a row.
///
/// They are bits of `low` and of `high`; below `low` all are free but diagonal values, between both
/// none is, and above `high` all are.
#[derive(Clone, Debug)]
pub(super) struct Row {
    low: Words,
    high: Words,
    /// The numbers between the windows: none is free.
    gap: Range<u64>,
}

/// Bits of numbers from `64 first` on.
#[derive(Clone, Debug)]
struct Words {
    first: u64,
    words: SmallVec<[u64; 4]>,
}

impl Words {
    fn of(first: u64, words: impl Iterator<Item = u64>) -> Self {
        Self { first, words: words.collect() }
    }

    fn end(&self) -> u64 {
        self.first + self.words.len() as u64
    }

    fn word(&mut self, p: u64) -> Option<&mut u64> {
        self.words.get_mut(index((p / 64).checked_sub(self.first)?))
    }

    fn has(&self, p: u64) -> bool {
        let word = (p / 64).checked_sub(self.first).and_then(|k| self.words.get(index(k)));
        word.is_some_and(|word| word >> (p % 64) & 1 == 1)
    }

    /// The numbers from `from` on.
    #[inline]
    fn members(&self, from: u64) -> impl Iterator<Item = u64> {
        let words = self.words.iter().zip((64 * self.first..).step_by(64));
        words.skip(index((from / 64).saturating_sub(self.first))).flat_map(move |(&word, first)| {
            let mut word =
                if first < from { word >> (from - first) << (from - first) } else { word };
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(first + u64::from(bit))
            })
        })
    }
}

impl Row {
    /// A row with these free numbers from `floor` on, and all below that are no diagonal values.
    pub(super) fn wide(floor: u64, free: &[u64], gap: Range<u64>) -> Self {
        let low = Words::of(floor / 64, free.iter().copied());
        let high = Words::of(low.end(), std::iter::empty());
        Self { low, high, gap }
    }

    /// Row `i` of a tile in the planes.
    pub(super) fn of_planes<const W: usize>(
        tiles: &Tiles<W>,
        at: &TileAt,
        i: usize,
        diagonals: &NumberSet,
    ) -> Self {
        let (low, gap, end) = (at.windows.low[i], at.windows.gap(i), at.windows.end(i));
        let below =
            |k| if k == low / 64 { !diagonals.word(k) & ((1 << (low % 64)) - 1) } else { 0 };
        let above = |k| if k == end / 64 { u64::MAX << (end % 64) } else { 0 };
        let start = (gap.start.div_ceil(64)).min(gap.end / 64);
        let mut row = Self {
            low: Words::of(low / 64, (low / 64..start).map(|k| below(k) | above(k))),
            high: Words::of(gap.end / 64, (gap.end / 64..=end / 64).map(|k| below(k) | above(k))),
            gap,
        };
        for (place, plane) in tiles.rows[i].iter().enumerate() {
            if plane.has(at.lane) {
                let p = at.windows.of_row(i, place);
                let (low, high) = (&mut row.low, &mut row.high);
                let word = low.word(p).or_else(|| high.word(p)).expect("words have windows");
                *word |= 1 << (p % 64);
            }
        }
        row
    }

    /// Puts the row into the windows of row `i` of a tile, if these hold it: nothing is free in the
    /// gap (V6), above it everything is, and below it everything but diagonal values.
    pub(super) fn enter<const W: usize>(
        &self,
        tiles: &mut Tiles<W>,
        at: &TileAt,
        i: usize,
        diagonals: &NumberSet,
    ) -> bool {
        let (low, gap, end) = (at.windows.low[i], at.windows.gap(i), at.windows.end(i));
        let fits = |words: &Words| {
            words.words.iter().zip(words.first..).all(|(&word, k)| {
                let below = part(k, 0..low);
                let (gap, above) = (part(k, gap.clone()), part(k, end..u64::MAX));
                word & gap == 0
                    && !word & above == 0
                    && (below == 0 || (word ^ !diagonals.word(k)) & below == 0)
            })
        };
        // Between the words nothing is free.
        let between = 64 * self.low.end()..64 * self.high.first;
        let fit = 64 * self.low.first < gap.start
            && (between.is_empty() || gap.start <= between.start && between.end <= gap.end)
            && 64 * self.high.end() >= gap.end
            && fits(&self.low)
            && fits(&self.high);
        if fit {
            for (place, plane) in tiles.rows[i].iter_mut().enumerate() {
                plane.set(at.lane, self.is_free(at.windows.of_row(i, place), diagonals));
            }
        }
        fit
    }

    fn is_free(&self, p: u64, diagonals: &NumberSet) -> bool {
        if p / 64 < self.low.first {
            !diagonals.contains(p)
        } else {
            p / 64 >= self.high.end() || self.low.has(p) || self.high.has(p)
        }
    }

    /// Has words from number `p` on.
    fn extend_to(&mut self, p: u64, diagonals: &NumberSet) {
        while p / 64 < self.low.first {
            self.low.first -= 1;
            self.low.words.insert(0, !diagonals.word(self.low.first));
        }
    }

    /// Decides a cell: the least number that is free in the row and in the column. The diagonal
    /// values below `known` are those of rows below.
    #[inline]
    pub(super) fn cell(
        &mut self,
        q: ColumnIndex,
        diagonals: &NumberSet,
        known: Number,
        group: &mut Group<'_>,
    ) -> Number {
        let from = group.raise(diagonals, known.0);
        self.extend_to(from, diagonals);
        loop {
            let mut free = self.low.members(from).chain(self.high.members(from));
            let found = free.find(|&p| !group.is_taken(q, p));
            drop(free);
            if let Some(p) = found {
                group.take(q, p);
                let (low, high) = (&mut self.low, &mut self.high);
                let word = low.word(p).or_else(|| high.word(p)).expect("it is a member");
                *word ^= 1 << (p % 64);
                return Number(p);
            }
            self.high.words.push(u64::MAX);
        }
    }

    /// Whether a number from `q` on and below the gap is free.
    pub(super) fn has_low(&mut self, q: u64, diagonals: &NumberSet) -> bool {
        self.extend_to(q, diagonals);
        self.low.members(q).next().is_some_and(|p| p < self.gap.start)
    }

    /// The length of the gap.
    pub(super) fn gap_length(&self) -> u64 {
        self.gap.end - self.gap.start
    }

    /// `U(q)`, if nothing from `q` on is free below the gap.
    pub(super) fn state(&self, q: u64) -> ColumnState {
        let mut free = self.low.members(q.max(self.gap.end)).chain(self.high.members(q));
        let filled = free.next().unwrap_or(64 * self.high.end());
        let next = filled + 1;
        let blocked = |k: u64| {
            let k = k.checked_sub(self.high.first).map(index);
            k.and_then(|k| self.high.words.get(k)).map_or(0, |word| !word)
        };
        let word_from = |p: u64| {
            let (k, shift) = (p / 64, p % 64);
            blocked(k) >> shift | if shift == 0 { 0 } else { blocked(k + 1) << (64 - shift) }
        };
        let words = self.high.end().saturating_sub(next / 64);
        ColumnState::new(filled - q, (0..words).map(|i| word_from(next + 64 * i)).collect())
    }
}

/// The bits of word `k` that are numbers of a range.
fn part(k: u64, numbers: Range<u64>) -> u64 {
    let from = |p: u64| match p.checked_sub(64 * k) {
        None => u64::MAX,
        Some(n) if n < 64 => u64::MAX << n,
        Some(_) => 0,
    };
    from(numbers.start) & !from(numbers.end)
}
