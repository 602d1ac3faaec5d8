//! The walk through all lower rows of a rectangle, by the recurrence of `proofs/boards.md`.
//!
//! *Lower rows* are rows 2 to m of a board. For each choice of them there is at most one length of
//! row 1 that makes a P-position: the least, from the length of row 2 on, that is not *blocked*.
//! Table i has the lengths that bites in row i block, for all choices of the rows after row i; it
//! gains entries while row i grows. So each choice of lower rows costs one look and one entry in
//! each table.
//!
//! Tables are in lexicographic order of the rows after row i, see [`Ranks`]. Table i begins anew
//! when a row before row i grows. Only table 2 lasts, and it is cut into *slices*, one for each
//! length of row 3. A walker of the [`ring`] goes through all choices of lower rows with its own
//! length of row 2, and needs each slice from the walker before it.

use std::iter;
use std::mem;
use std::num::NonZero;

use game::Board;
use ultimate::{NatSet, least_free};

use crate::ranks::Ranks;
use crate::threads::{Turn, ring};
use crate::{OnProgress, SolveError, report};

/// The walk has at least this number of rows. Those that the rectangle lacks stay empty.
pub(super) const LEAST_WALKED: u16 = 4;

/// A rectangle as the walk sees it, with at least as many columns as rows.
#[derive(Clone, Debug)]
pub(super) struct Rectangle {
    rows: usize,
    columns: u16,
    walked: usize,
    /// The ranks of the lower rows.
    ranks: Ranks,
}

impl Rectangle {
    /// `None` if there are too many choices of rows.
    pub(super) fn new(rows: u16, columns: u16) -> Option<Self> {
        let walked = rows.max(LEAST_WALKED);
        let limit = |row| if row <= rows { columns } else { 0 };
        let ranks = Ranks::new(&(2..=walked).map(limit).collect::<Vec<_>>())?;
        Some(Self { rows: rows.into(), columns, walked: walked.into(), ranks })
    }

    /// The place of a board that fits: its row 2, and its number among the boards with this row 2.
    pub(super) fn place(&self, board: &Board) -> (u16, u64) {
        let rows = board.rows();
        let second = rows.get(1).copied().unwrap_or(0);
        let rank = self.ranks.rank_cut(self.walked - 2, rows.get(2..).unwrap_or(&[]), u16::MAX);
        let place = rank * self.lengths(second) + usize::from(rows[0] - second);
        (second, place as u64)
    }

    /// The inverse of [`Rectangle::place`].
    pub(super) fn board(&self, second: u16, place: u64) -> Board {
        let lengths = self.lengths(second) as u64;
        let rank = usize::try_from(place / lengths).expect("it was counted in memory");
        let more = u16::try_from(place % lengths).expect("at most the number of columns");
        let mut rows = vec![second + more, second];
        rows.extend(self.ranks.rows(rank, self.walked - 2));
        Board::new(rows).expect("row 1 of a P-position is not empty, and no row grows")
    }

    /// The number of lengths that row 1 can have above a row 2 of this length.
    fn lengths(&self, second: u16) -> usize {
        usize::from(self.columns - second) + 1
    }

    /// The largest length of a row after one of this length.
    fn longest(&self, row: usize, before: u16) -> u16 {
        if row <= self.rows { before } else { 0 }
    }

    /// The number of choices for the rows after a row of this length.
    fn choices_after(&self, row: usize, length: u16) -> usize {
        self.ranks.up_to(self.walked - row, length)
    }
}

/// The P-positions of a rectangle: for each length of row 2, from 0 on, their places.
pub(super) fn walk<L: Lengths>(
    rectangle: &Rectangle,
    threads: NonZero<usize>,
    on_progress: &OnProgress,
) -> Result<Vec<NatSet>, SolveError> {
    let walkers = usize::from(rectangle.longest(2, rectangle.columns)) + 1;
    let walker = || SliceWalker::<L>::new(rectangle);
    ring(walkers, threads, walker, |walker, turn| follow(walker, turn, on_progress))
}

/// One walker: all lower rows with its length of row 2.
fn follow<L: Lengths>(
    walker: &mut SliceWalker<L>,
    turn: &Turn<Slice<L>>,
    on_progress: &OnProgress,
) -> Result<NatSet, SolveError> {
    let rectangle = walker.rectangle;
    let second = u16::try_from(turn.walker).expect("at most the number of columns");
    let places = rectangle.choices_after(2, second) * rectangle.lengths(second);
    (walker.second, walker.place) = (second, 0);
    walker.found = NatSet::with_capacity(places as u64);
    let mut last = None;
    for third in 0..=rectangle.longest(3, second) {
        let slice = match last.take() {
            _ if third < second => turn.take()?,
            Some(before) => extended(before, rectangle, third),
            None => vec![L::NONE],
        };
        if third + 1 == second {
            last = Some(slice.clone());
        }
        turn.hand_on(walker.walk(third, slice))?;
        report(on_progress, rectangle.choices_after(3, third) as u64)?;
    }
    Ok(mem::take(&mut walker.found))
}

/// A slice of table 2.
type Slice<L> = Vec<L>;

/// The slice of the next length of row 3, with the same length of row 2.
fn extended<L: Lengths>(mut slice: Slice<L>, rectangle: &Rectangle, third: u16) -> Slice<L> {
    let size = rectangle.choices_after(3, third);
    slice.reserve_exact(size - slice.len());
    slice.resize(size, L::NONE);
    rectangle.ranks.extend(&mut slice, rectangle.walked - 3, third);
    slice
}

/// Goes through all lower rows, for one length of row 2 after the other.
struct SliceWalker<'a, L> {
    rectangle: &'a Rectangle,
    second: u16,
    /// Tables 2, 3, ..., m, and where in each of them the lengths of the rows after it begin. The
    /// first is a slice of table 2.
    tables: Vec<(Vec<L>, usize)>,
    found: NatSet,
    /// The place of the next choice of lower rows with the shortest row 1.
    place: u64,
}

impl<'a, L: Lengths> SliceWalker<'a, L> {
    fn new(rectangle: &'a Rectangle) -> Self {
        let longest = |row| rectangle.longest(row, rectangle.columns);
        let table = |row| (vec![L::NONE; rectangle.choices_after(row, longest(row))], 0);
        let tables = iter::once((Vec::new(), 0)).chain((3..=rectangle.walked).map(table));
        Self { rectangle, second: 0, tables: tables.collect(), found: NatSet::new(), place: 0 }
    }

    /// All lower rows with this row 3; gives its slice back.
    fn walk(&mut self, third: u16, slice: Slice<L>) -> Slice<L> {
        self.tables[0].0 = slice;
        self.grow(1, third);
        self.descend(2, third);
        mem::take(&mut self.tables[0].0)
    }

    /// Makes a table ready for this length of its row, which was one less before.
    fn grow(&mut self, level: usize, length: u16) {
        let table = &mut self.tables[level].0;
        match length {
            0 => table[0] = L::NONE,
            _ => self.rectangle.ranks.extend(table, self.rectangle.walked - 2 - level, length),
        }
    }

    /// All choices of row `level + 2` and the rows after it, below a row of this length.
    fn descend(&mut self, level: usize, before: u16) {
        let row = level + 2;
        let longest = self.rectangle.longest(row, before);
        if row == self.rectangle.walked {
            return self.last_row(level, longest);
        }
        for length in 0..=longest {
            self.grow(level, length);
            let further = self.rectangle.ranks.below(self.rectangle.walked + 1 - row, length);
            self.tables[..level].iter_mut().for_each(|(_, start)| *start += further);
            self.descend(level + 1, length);
            self.tables[..level].iter_mut().for_each(|(_, start)| *start -= further);
        }
    }

    fn last_row(&mut self, level: usize, longest: u16) {
        let tables = &mut self.tables[..level];
        let lengths = self.rectangle.lengths(self.second) as u64;
        let mut by_last_row = L::NONE;
        for length in 0..=longest {
            let length = usize::from(length);
            let mut blocked = by_last_row;
            for (table, start) in &*tables {
                blocked = blocked.union(table[start + length]);
            }
            // Row 1 has at least the poison.
            let first = blocked.least_missing(self.second.max(1));
            let shortest = self.place;
            self.place += lengths;
            let Some(first) = u16::try_from(first).ok().filter(|&f| f <= self.rectangle.columns)
            else {
                continue;
            };
            self.found.insert(shortest + u64::from(first - self.second));
            by_last_row.insert(first);
            for (table, start) in &mut *tables {
                table[*start + length].insert(first);
            }
            if first == self.second {
                // Any longer row 2 can be bitten, together with row 1, to this P-position.
                let (table, start) = &mut tables[0];
                table[*start + length] = L::ALL;
            }
        }
    }
}

/// A set of lengths from 0 to some largest one, which the type may exceed.
pub(super) trait Lengths: Copy + Send {
    /// No length.
    const NONE: Self;
    /// All lengths.
    const ALL: Self;
    fn insert(&mut self, length: u16);

    fn union(self, other: Self) -> Self;

    /// The least length from `from` on that is not in the set; larger than any length that fits if
    /// all of them are.
    fn least_missing(self, from: u16) -> u32;
}

macro_rules! one_word {
    ($word:ty) => {
        impl Lengths for $word {
            const NONE: Self = 0;
            const ALL: Self = !0;

            #[inline]
            fn insert(&mut self, length: u16) {
                *self |= 1 << length;
            }

            #[inline]
            fn union(self, other: Self) -> Self {
                self | other
            }

            #[inline]
            fn least_missing(self, from: u16) -> u32 {
                (!self & (!0 << from)).trailing_zeros()
            }
        }
    };
}

one_word!(u16);
one_word!(u32);
one_word!(u64);

impl<const K: usize> Lengths for [u64; K] {
    const NONE: Self = [0; K];
    const ALL: Self = [!0; K];

    fn insert(&mut self, length: u16) {
        self[usize::from(length / 64)] |= 1 << (length % 64);
    }

    fn union(mut self, other: Self) -> Self {
        self.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
        self
    }

    fn least_missing(self, from: u16) -> u32 {
        let word = |k: u64| usize::try_from(k).ok().and_then(|k| self.get(k)).copied();
        let missing = least_free(from.into(), |k| word(k).unwrap_or(0));
        u32::try_from(missing).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds_what_a_list_has<L: Lengths>() {
        let most = u16::try_from(8 * size_of::<L>()).unwrap();
        for step in 1..12 {
            let mut set = L::NONE;
            let mut list = vec![false; most.into()];
            for length in (0..most).filter(|length| length * length % 13 >= step || *length > 40) {
                set.insert(length);
                list[usize::from(length)] = true;
            }
            for from in 0..most {
                let missing = (from..most).find(|&length| !list[usize::from(length)]);
                let found = set.least_missing(from);
                match missing {
                    Some(length) => assert_eq!(found, u32::from(length)),
                    None => assert!(found >= u32::from(most)),
                }
            }
        }
        assert!(L::ALL.least_missing(0) >= u32::from(most));
        assert_eq!(L::NONE.least_missing(5), 5);
    }

    #[test]
    fn sets_of_every_width() {
        finds_what_a_list_has::<u16>();
        finds_what_a_list_has::<u32>();
        finds_what_a_list_has::<u64>();
        finds_what_a_list_has::<[u64; 4]>();
    }
}
