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
//! length of row 3. A *walker* goes through all choices of lower rows with its own length of row 2.
//! It takes the slices one by one from the walker before it, and sends each to the next walker when
//! it is done with it. So walkers on different threads follow each other.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::{io, thread};

use game::Board;

use super::bits::Bits;
use super::error::{OnProgress, SolveError};
use super::lengths::Lengths;
use super::ranks::Ranks;

/// The walk has at least this number of rows. Those that the rectangle lacks stay empty.
pub(super) const LEAST_WALKED: u16 = 4;

/// A rectangle as the walk sees it, with at least as many columns as rows.
#[derive(Clone, Debug)]
pub(super) struct Rectangle {
    rows: usize,
    columns: u16,
    walked: usize,
    ranks: Ranks,
}

impl Rectangle {
    pub(super) fn new(rows: u16, columns: u16) -> Self {
        let walked = usize::from(rows.max(LEAST_WALKED));
        Self { rows: rows.into(), columns, walked, ranks: Ranks::new(walked, columns) }
    }

    pub(super) fn fits(&self, board: &Board) -> bool {
        usize::from(board.height()) <= self.rows && board.width() <= self.columns
    }

    /// The number of boards that fit. The tuples include the empty board.
    pub(super) fn positions(&self) -> u64 {
        self.ranks.up_to(self.rows, self.columns) as u64 - 1
    }

    /// The place of a board that fits: its row 2, and its bit among the bits of this row 2.
    pub(super) fn place(&self, board: &Board) -> (u16, usize) {
        let row = |row: usize| board.rows().get(row - 1).copied().unwrap_or(0);
        let rest: Vec<u16> = (3..=self.rows).map(row).collect();
        let place = self.ranks.rank(&rest) * self.lengths(row(2)) + usize::from(row(1) - row(2));
        (row(2), place)
    }

    /// The inverse of [`Rectangle::place`].
    pub(super) fn board(&self, second: u16, place: usize) -> Board {
        let lengths = self.lengths(second);
        let (rest, more) = (place / lengths, place % lengths);
        let more = u16::try_from(more).expect("at most the number of columns");
        let mut rows = vec![second + more, second];
        rows.extend(self.ranks.tuple(rest, self.rows.saturating_sub(2)));
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

    /// The largest length of row 2.
    fn longest_second(&self) -> u16 {
        self.longest(2, self.columns)
    }

    /// The number of choices for the rows after a row of this length.
    fn choices_after(&self, row: usize, length: u16) -> usize {
        self.ranks.up_to(self.walked - row, length)
    }
}

/// The P-positions of a rectangle: for each length of row 2, from 0 on, a bit for each choice of
/// the rows after it and each length of row 1, in lexicographic order. There are no more threads
/// than lengths of row 2.
pub(super) fn walk<L: Lengths>(
    rectangle: &Rectangle,
    threads: NonZero<usize>,
    on_progress: &OnProgress,
) -> Result<Vec<Bits>, SolveError> {
    let threads = threads.get();
    // Thread k takes slices from thread k - 1, and the first from the last.
    let (senders, mut receivers): (Vec<_>, Vec<_>) = (0..threads).map(|_| channel()).unzip();
    receivers.rotate_right(1);
    let mut teams = senders.into_iter().zip(receivers).zip(0..).map(|((next, previous), first)| {
        Team::<L> { rectangle, first, step: threads, previous, next, on_progress }
    });
    let own = teams.next().expect("at least one thread");
    let parts = thread::scope(|scope| {
        let spawned: Result<Vec<_>, io::Error> =
            teams.map(|team| thread::Builder::new().spawn_scoped(scope, || team.walk())).collect();
        let spawned = spawned.map_err(SolveError::Thread)?;
        let mut parts = vec![own.walk()?];
        for handle in spawned {
            parts.push(handle.join().expect("a walker does not panic")?);
        }
        Ok(parts)
    })?;
    let mut parts: Vec<_> = parts.into_iter().map(Vec::into_iter).collect();
    Ok((0..=usize::from(rectangle.longest_second()))
        .map(|second| parts[second % threads].next().expect("one for each length of row 2"))
        .collect())
}

/// A slice of table 2.
type Slice<L> = Vec<L>;

/// The walkers of one thread. Their lengths of row 2 are `first`, `first + step`, ...
struct Team<'a, L> {
    rectangle: &'a Rectangle,
    first: u16,
    step: usize,
    previous: Receiver<Slice<L>>,
    next: Sender<Slice<L>>,
    on_progress: &'a OnProgress<'a>,
}

impl<L: Lengths> Team<'_, L> {
    fn walk(self) -> Result<Vec<Bits>, SolveError> {
        let mut tables = Tables::new(self.rectangle);
        (self.first..=self.rectangle.longest_second())
            .step_by(self.step)
            .map(|second| self.follow(second, &mut tables))
            .collect()
    }

    /// One walker.
    fn follow(&self, second: u16, tables: &mut Tables<L>) -> Result<Bits, SolveError> {
        let rectangle = self.rectangle;
        let choices = rectangle.ranks.up_to(rectangle.rows.saturating_sub(2), second);
        let found = Bits::with_capacity(choices * rectangle.lengths(second));
        let mut walker = SliceWalker { rectangle, second, tables, found };
        let mut last = None;
        for third in 0..=rectangle.longest(3, second) {
            let slice = match last.take() {
                _ if third < second => self.previous.recv().map_err(|_| SolveError::Stopped)?,
                Some(before) => extended(before, rectangle, third),
                None => vec![L::NONE],
            };
            if third + 1 == second {
                last = Some(slice.clone());
            }
            let slice = walker.walk(third, slice);
            if second < rectangle.longest_second() {
                self.next.send(slice).map_err(|_| SolveError::Stopped)?;
            }
            let choices = rectangle.ranks.up_to(rectangle.rows.saturating_sub(3), third) as u64;
            if (self.on_progress)(choices).is_break() {
                return Err(SolveError::Stopped);
            }
        }
        Ok(walker.found)
    }
}

/// The slice of the next length of row 3, with the same length of row 2.
fn extended<L: Lengths>(mut slice: Slice<L>, rectangle: &Rectangle, third: u16) -> Slice<L> {
    let numbers = rectangle.walked - 3;
    slice.reserve_exact(rectangle.ranks.up_to(numbers, third) - slice.len());
    slice.resize(rectangle.ranks.up_to(numbers, third), L::NONE);
    extend(&mut slice, &rectangle.ranks, numbers, third);
    slice
}

/// Fills a table of tuples of this number of members for the tuples that begin with `length`. Those
/// of smaller numbers are done.
///
/// If some rows have length `length`, the blocking bites shorten them. So the same lengths are
/// blocked as for these rows cut by one square.
fn extend<L: Lengths>(table: &mut [L], ranks: &Ranks, numbers: usize, length: u16) {
    let (mut to, mut from) = (0, 0);
    for rest in (0..numbers).rev() {
        // One number more is `length`, and the others are less.
        to += ranks.below(rest + 1, length);
        from += ranks.below(rest + 1, length - 1);
        table.copy_within(from..from + ranks.below(rest, length), to);
    }
}

/// Tables 2, 3, ..., m; the first is a slice of table 2.
struct Tables<L> {
    tables: Vec<Vec<L>>,
    /// For each level, the place in each table before it where the rows chosen so far begin.
    places: Vec<Vec<usize>>,
}

impl<L: Lengths> Tables<L> {
    fn new(rectangle: &Rectangle) -> Self {
        let table = |row| vec![L::NONE; rectangle.choices_after(row, rectangle.columns)];
        Self {
            tables: std::iter::once(Vec::new()).chain((3..=rectangle.walked).map(table)).collect(),
            places: vec![vec![0; rectangle.walked]; rectangle.walked],
        }
    }
}

/// Goes through all lower rows with one length of row 2.
struct SliceWalker<'a, L> {
    rectangle: &'a Rectangle,
    second: u16,
    tables: &'a mut Tables<L>,
    found: Bits,
}

impl<L: Lengths> SliceWalker<'_, L> {
    /// All lower rows with this row 3; gives its slice back.
    fn walk(&mut self, third: u16, slice: Slice<L>) -> Slice<L> {
        self.tables.tables[0] = slice;
        self.grow(1, third);
        self.tables.places[2].fill(0);
        self.descend(2, third);
        std::mem::take(&mut self.tables.tables[0])
    }

    /// Makes a table ready for this length of its row, which was one less before.
    fn grow(&mut self, level: usize, length: u16) {
        let table = &mut self.tables.tables[level];
        match length {
            0 => table[0] = L::NONE,
            _ => extend(table, &self.rectangle.ranks, self.rectangle.walked - 2 - level, length),
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
            let (chosen, next) = self.tables.places.split_at_mut(level + 1);
            for (place, next) in chosen[level][..level].iter().zip(&mut next[0]) {
                *next = place + further;
            }
            next[0][level] = 0;
            self.descend(level + 1, length);
        }
    }

    fn last_row(&mut self, level: usize, longest: u16) {
        let Tables { tables, places } = &mut *self.tables;
        let (tables, places) = (&mut tables[..level], &places[level][..level]);
        let lengths = self.rectangle.lengths(self.second);
        let mut by_last_row = L::NONE;
        for length in 0..=longest {
            let length = usize::from(length);
            let mut blocked = by_last_row;
            for (table, place) in tables.iter().zip(places) {
                blocked = blocked.union(table[place + length]);
            }
            // Row 1 has at least the poison.
            let first = blocked.least_missing(self.second.max(1));
            let Some(first) = u16::try_from(first).ok().filter(|&f| f <= self.rectangle.columns)
            else {
                self.found.append(lengths, None);
                continue;
            };
            self.found.append(lengths, Some(usize::from(first - self.second)));
            by_last_row.insert(first);
            for (table, place) in tables.iter_mut().zip(places) {
                table[place + length].insert(first);
            }
            if first == self.second {
                // Any longer row 2 can be bitten, together with row 1, to this P-position.
                tables[0][places[0] + length] = L::ALL;
            }
        }
    }
}
