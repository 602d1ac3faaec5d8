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
use crate::{OnProgress, SolveError, insert, report};

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
pub(super) fn walk<const K: usize>(
    rectangle: &Rectangle,
    threads: NonZero<usize>,
    on_progress: &OnProgress,
) -> Result<Vec<NatSet>, SolveError> {
    let walkers = usize::from(rectangle.longest(2, rectangle.columns)) + 1;
    let walker = || SliceWalker::<K>::new(rectangle);
    ring(walkers, threads, walker, |walker, turn| follow(walker, turn, on_progress))
}

/// One walker: all lower rows with its length of row 2.
fn follow<const K: usize>(
    walker: &mut SliceWalker<K>,
    turn: &Turn<Slice<K>>,
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
            None => vec![[0; K]],
        };
        if third + 1 == second {
            last = Some(slice.clone());
        }
        turn.hand_on(walker.walk(third, slice))?;
        report(on_progress, rectangle.choices_after(3, third) as u64)?;
    }
    Ok(mem::take(&mut walker.found))
}

/// A set of lengths from 0 to some largest one, which may be less than `64 * K - 1`; a bit each.
type Lengths<const K: usize> = [u64; K];

/// A slice of table 2.
type Slice<const K: usize> = Vec<Lengths<K>>;

/// The slice of the next length of row 3, with the same length of row 2.
fn extended<const K: usize>(mut slice: Slice<K>, rectangle: &Rectangle, third: u16) -> Slice<K> {
    let size = rectangle.choices_after(3, third);
    slice.reserve_exact(size - slice.len());
    slice.resize(size, [0; K]);
    rectangle.ranks.extend(&mut slice, rectangle.walked - 3, third, [0; K]);
    slice
}

/// Goes through all lower rows, for one length of row 2 after the other.
struct SliceWalker<'a, const K: usize> {
    rectangle: &'a Rectangle,
    second: u16,
    /// Tables 2, 3, ..., m - 1, and where in each of them the entries of the next last row begin.
    /// The first is a slice of table 2.
    tables: Vec<(Vec<Lengths<K>>, usize)>,
    found: NatSet,
    /// The place of the next choice of lower rows with the shortest row 1.
    place: u64,
}

impl<'a, const K: usize> SliceWalker<'a, K> {
    fn new(rectangle: &'a Rectangle) -> Self {
        let longest = |row| rectangle.longest(row, rectangle.columns);
        let table = |row| (vec![[0; K]; rectangle.choices_after(row, longest(row))], 0);
        let tables = iter::once((Vec::new(), 0)).chain((3..rectangle.walked).map(table));
        Self { rectangle, second: 0, tables: tables.collect(), found: NatSet::new(), place: 0 }
    }

    /// All lower rows with this row 3; gives its slice back.
    fn walk(&mut self, third: u16, slice: Slice<K>) -> Slice<K> {
        self.tables[0] = (slice, 0);
        self.grow(1, third);
        self.descend(2, third);
        mem::take(&mut self.tables[0].0)
    }

    /// Makes a table ready for this length of its row, which was one less before.
    fn grow(&mut self, level: usize, length: u16) {
        let (table, start) = &mut self.tables[level];
        *start = 0;
        self.rectangle.ranks.extend(table, self.rectangle.walked - 2 - level, length, [0; K]);
    }

    /// All choices of row `level + 2` and the rows after it, below a row of this length.
    fn descend(&mut self, level: usize, before: u16) {
        let row = level + 2;
        let longest = self.rectangle.longest(row, before);
        if row == self.rectangle.walked {
            return self.last_row(longest);
        }
        for length in 0..=longest {
            self.grow(level, length);
            self.descend(level + 1, length);
        }
    }

    /// All lengths of the last row. Their entries come after those of the choice of rows before
    /// this one.
    fn last_row(&mut self, longest: u16) {
        let tables = &mut self.tables;
        let lengths = self.rectangle.lengths(self.second) as u64;
        let mut by_last_row = [0; K];
        for length in 0..=longest {
            let length = usize::from(length);
            let mut blocked = by_last_row;
            for (table, start) in tables.iter() {
                blocked.iter_mut().zip(table[start + length]).for_each(|(all, own)| *all |= own);
            }
            // Row 1 has at least the poison.
            let first = least_missing(&blocked, self.second.max(1));
            let shortest = self.place;
            self.place += lengths;
            let Some(first) = u16::try_from(first).ok().filter(|&f| f <= self.rectangle.columns)
            else {
                continue;
            };
            self.found.insert(shortest + u64::from(first - self.second));
            insert(&mut by_last_row, first.into());
            for (table, start) in tables.iter_mut() {
                insert(&mut table[*start + length], first.into());
            }
            if first == self.second {
                // Any longer row 2 can be bitten, together with row 1, to this P-position.
                let (table, start) = &mut tables[0];
                table[*start + length] = [!0; K];
            }
        }
        for (_, start) in tables {
            *start += usize::from(longest) + 1;
        }
    }
}

/// The least length from `from` on that is not in a set; larger than any length that fits if all of
/// them are.
#[inline]
fn least_missing<const K: usize>(set: &Lengths<K>, from: u16) -> u64 {
    least_free(from.into(), |k| usize::try_from(k).ok().and_then(|k| set.get(k)).map_or(0, |w| *w))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds_what_a_list_has<const K: usize>() {
        let most = u16::try_from(64 * K).unwrap();
        for step in 1..12 {
            let mut set = [0; K];
            let mut list = vec![false; most.into()];
            for length in (0..most).filter(|length| length * length % 13 >= step || *length > 40) {
                insert(&mut set, length.into());
                list[usize::from(length)] = true;
            }
            for from in 0..most {
                let missing = (from..most).find(|&length| !list[usize::from(length)]);
                let found = least_missing(&set, from);
                match missing {
                    Some(length) => assert_eq!(found, u64::from(length)),
                    None => assert!(found >= u64::from(most)),
                }
            }
        }
        assert!(least_missing(&[!0; K], 0) >= u64::from(most));
        assert_eq!(least_missing(&[0; K], 5), 5);
    }

    #[test]
    fn sets_of_every_width() {
        finds_what_a_list_has::<1>();
        finds_what_a_list_has::<4>();
    }
}
